/*
 * Points on a crystal lattice of cubic cells of edge a:
 *     sc       the corners                                      1 point a cell
 *     bcc      and the centre                                   2
 *     fcc      the corners and the centres of the faces         4
 *     diamond  fcc, and fcc moved by a quarter of the diagonal  8
 * Cells are offset by half a point spacing, so that nx cells fill exactly nx a and match in a
 * periodic domain.
 */
#include "geometry/generate/generate.h"
#include "math/random.h"

#include <string.h>

typedef struct lattice {
    const char *kind;
    mo_vec3 origin;
    double spacing, number_density, jitter;
    int64_t nx, ny, nz, seed;
} lattice;

static const mo_param PARAMS[] = {
    {"kind", MO_STRING, MO_FIELD(lattice, kind), .initial = "\"fcc\"",
     .choices = "sc|bcc|fcc|diamond",
     .doc = "Simple, body-centred or face-centred cubic, or diamond."},
    {"nx", MO_INT, MO_FIELD(lattice, nx), .initial = "8", .range = "[1, 1e9]",
     .doc = "Cells along x."},
    {"ny", MO_INT, MO_FIELD(lattice, ny), .initial = "8", .range = "[1, 1e9]",
     .doc = "Cells along y."},
    {"nz", MO_INT, MO_FIELD(lattice, nz), .initial = "8", .range = "[1, 1e9]",
     .doc = "Cells along z."},
    {"spacing", MO_REAL, MO_FIELD(lattice, spacing), .unit = "m", .range = "(0, inf)",
     .doc = "Edge length of a cell. Give this or number_density."},
    {"number_density", MO_REAL, MO_FIELD(lattice, number_density), .unit = "1/m^3",
     .range = "(0, inf)", .doc = "Points per volume."},
    {"origin", MO_VEC3, MO_FIELD(lattice, origin), .unit = "m", .initial = "[0, 0, 0]",
     .doc = "Lower corner of the first cell, which is a lattice point."},
    {"jitter", MO_REAL, MO_FIELD(lattice, jitter), .unit = "m", .initial = "0", .range = "[0, inf)",
     .doc = "Maximum random displacement of a point along each axis."},
    {"seed", MO_INT, MO_FIELD(lattice, seed), .initial = "0", .range = "[0, inf)",
     .doc = "Seed of the random numbers.", .needs = "jitter"},
    {0}};

/* Positions in quarters of a cell. */
static const struct {
    const char *name;
    int count, nearest; /* the square of the distance between neighbours, in quarters */
    struct {
        int x, y, z;
    } at[8];
} KINDS[] = {
    {"sc", 1, 16, {{0, 0, 0}}},
    {"bcc", 2, 12, {{0, 0, 0}, {2, 2, 2}}},
    {"fcc", 4, 8, {{0, 0, 0}, {2, 2, 0}, {2, 0, 2}, {0, 2, 2}}},
    {"diamond",
     8,
     3,
     {{0, 0, 0}, {2, 2, 0}, {2, 0, 2}, {0, 2, 2}, {1, 1, 1}, {3, 3, 1}, {3, 1, 3}, {1, 3, 3}}},
};

static int kind_of(const lattice *l)
{
    int kind = 0;
    while (strcmp(KINDS[kind].name, l->kind) != 0) {
        ++kind;
    }
    return kind;
}

static mote_status lattice_check(const void *params, mote_error *error)
{
    const lattice *l = params;
    if (isnan(l->spacing) == isnan(l->number_density)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "spacing: give exactly one of spacing and number_density");
    }
    double points = (double)l->nx * (double)l->ny * (double)l->nz * KINDS[kind_of(l)].count;
    return mo_mesh_check_size("nx", points, error);
}

static mo_vec3 position_of(const lattice *l, double a, int64_t cell, int kind, int k)
{
    mo_vec3 corner = {(double)(cell % l->nx), (double)(cell / l->nx % l->ny),
                      (double)(cell / (l->nx * l->ny))};
    mo_vec3 within = {KINDS[kind].at[k].x, KINDS[kind].at[k].y, KINDS[kind].at[k].z};
    return mo_add_scaled(l->origin, a, mo_add_scaled(corner, 0.25, within));
}

static mote_status lattice_build(const void *params, mo_mesh *mesh, mote_error *error)
{
    const lattice *l = params;
    int kind = kind_of(l), each = KINDS[kind].count;
    int64_t cells = l->nx * l->ny * l->nz;
    double a = isnan(l->spacing) ? cbrt(each / l->number_density) : l->spacing;
    mesh->spacing = a * sqrt(KINDS[kind].nearest) / 4;
    MO_TRY(mo_mesh_reserve(mesh, cells * each, 0, 0, error));
    for (int64_t node = 0; node < cells * each; ++node) {
        mo_vec3 x = position_of(l, a, node / each, kind, (int)(node % each));
        mo_vec3 shift = mo_random_cube((uint64_t)l->seed, 0, (uint64_t)node, 0);
        MO_TRY(mo_mesh_add_node(mesh, mo_add_scaled(x, l->jitter, shift), 1, error));
        MO_TRY(mo_mesh_add_to_set(mesh, "all", node, error));
    }
    return MOTE_OK;
}

const mo_mesh_type mo_mesh_lattice = {
    .base = {.name = "lattice",
             .summary =
                 "Points on a cubic crystal lattice with optional random displacements. Sets: "
                 "all.",
             .param_size = sizeof(lattice),
             .params = PARAMS,
             .check = lattice_check},
    .build = lattice_build,
};
