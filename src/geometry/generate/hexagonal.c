/*
 * Points in hexagonal close packing (layers A B A B ...): every interior point has twelve
 * neighbours at distance d. Point (i, j, k), relative to the lowest corner, is
 *     d/2 (2 i + (j + k) mod 2,  sqrt 3 (j + (k mod 2)/3),  2 sqrt 6/3 k).
 *
 * The points may be displaced randomly, to break the symmetry, as D. Tonnesen 1998 does in his
 * second test (chapter 7): by a vector of three normal numbers of variance `displacement`, limited
 * to the length `displacement`. (The thesis gives one number for variance and length: in square
 * metres and in metres.)
 */
#include "geometry/generate/generate.h"
#include "math/random.h"

typedef struct hexagonal {
    mo_vec3 origin;
    double spacing, displacement;
    int64_t nx, ny, nz, seed;
} hexagonal;

static const mo_param PARAMS[] = {
    {"nx", MO_INT, MO_FIELD(hexagonal, nx), .initial = "8", .range = "[1, 1e9]",
     .doc = "Points along x."},
    {"ny", MO_INT, MO_FIELD(hexagonal, ny), .initial = "8", .range = "[1, 1e9]",
     .doc = "Rows along y."},
    {"nz", MO_INT, MO_FIELD(hexagonal, nz), .initial = "8", .range = "[1, 1e9]",
     .doc = "Layers along z."},
    {"spacing", MO_REAL, MO_FIELD(hexagonal, spacing), .unit = "m", .required = true,
     .range = "(0, inf)", .doc = "Distance between nearest neighbours."},
    {"origin", MO_VEC3, MO_FIELD(hexagonal, origin), .unit = "m", .initial = "[0, 0, 0]",
     .doc = "Lower corner of the points before displacement."},
    {"displacement", MO_REAL, MO_FIELD(hexagonal, displacement), .unit = "m", .initial = "0",
     .range = "[0, inf)",
     .doc = "Variance of the random displacement of each point along each axis, and its maximum "
            "length."},
    {"seed", MO_INT, MO_FIELD(hexagonal, seed), .initial = "0", .range = "[0, inf)",
     .doc = "Seed of the random numbers.", .needs = "displacement"},
    {0}};

static mote_status hexagonal_check(const void *params, mote_error *error)
{
    const hexagonal *h = params;
    return mo_mesh_check_size("nx", (double)h->nx * (double)h->ny * (double)h->nz, error);
}

static mo_vec3 lattice_point(const hexagonal *h, int64_t i, int64_t j, int64_t k)
{
    mo_vec3 halves = {(double)(2 * i + (j + k) % 2), sqrt(3) * ((double)j + (double)(k % 2) / 3),
                      2 * sqrt(6) / 3 * (double)k};
    return mo_add_scaled(h->origin, 0.5 * h->spacing, halves);
}

static mo_vec3 displacement(const hexagonal *h, int64_t node)
{
    double xy[2], z[2], deviation = sqrt(h->displacement);
    mo_random_normal((uint64_t)h->seed, 0, (uint64_t)node, 0, xy);
    mo_random_normal((uint64_t)h->seed, 0, (uint64_t)node, 1, z);
    mo_vec3 d = mo_scale(deviation, mo_vec3_make(xy[0], xy[1], z[0]));
    double length = mo_length(d);
    return length > h->displacement ? mo_scale(h->displacement / length, d) : d;
}

static mote_status hexagonal_build(const void *params, mo_mesh *mesh, mote_error *error)
{
    const hexagonal *h = params;
    int64_t count = h->nx * h->ny * h->nz;
    mesh->spacing = h->spacing;
    MO_TRY(mo_mesh_reserve(mesh, count, 0, 0, error));
    for (int64_t node = 0; node < count; ++node) {
        mo_vec3 x = lattice_point(h, node % h->nx, node / h->nx % h->ny, node / (h->nx * h->ny));
        x = h->displacement > 0 ? mo_add(x, displacement(h, node)) : x;
        MO_TRY(mo_mesh_add_node(mesh, x, 1, error));
        MO_TRY(mo_mesh_add_to_set(mesh, "all", node, error));
    }
    return MOTE_OK;
}

const mo_mesh_type mo_mesh_hexagonal = {
    .base = {.name = "hexagonal",
             .summary =
                 "Points in hexagonal close packing with optional random displacements. Sets: "
                 "all.",
             .citation = "D. Tonnesen 1998, chapter 7, second test (the displacement)",
             .param_size = sizeof(hexagonal),
             .params = PARAMS,
             .check = hexagonal_check},
    .build = hexagonal_build,
};
