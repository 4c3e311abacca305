/*
 * A solid ball: shells of points about the centre, shell k a geodesic sphere of detail k. Centre
 * and face form a large tetrahedron, which the shells divide into upright and inverted small
 * tetrahedra and octahedra, the latter split about their shortest diagonal. 20 layers^3 tetrahedra.
 */
#include "geometry/generate/generate.h"
#include "geometry/mesh/icosphere.h"
#include "geometry/mesh/volume.h"

typedef struct ball {
    mo_vec3 center;
    double radius;
    int64_t layers;
} ball;

static const mo_param PARAMS[] = {
    {"center", MO_VEC3, MO_FIELD(ball, center), .unit = "m", .initial = "[0, 0, 0]",
     .doc = "The middle."},
    {"radius", MO_REAL, MO_FIELD(ball, radius), .unit = "m", .initial = "0.5", .range = "(0, inf)",
     .doc = "Radius of the surface nodes."},
    {"layers", MO_INT, MO_FIELD(ball, layers), .initial = "6", .range = "[1, 700]",
     .doc = "Shells of nodes: n give 20 n^3 tetrahedra."},
    {0}};

/* Index of a node by the barycentric weights of its face; the shell is their sum. */
static int64_t node_number(const mo_icosphere *sphere, int face, int64_t a, int64_t b, int64_t c)
{
    int64_t shell = a + b + c, inner = shell - 1;
    if (shell == 0) {
        return 0;
    }
    int64_t before = 1 + 10 * (inner * (inner + 1) * (2 * inner + 1) / 6) + 2 * inner;
    return before + mo_icosphere_number(sphere, face, a, b, c);
}

static mote_status add_nodes(const ball *b, const mo_icosphere *sphere, mo_mesh *mesh,
                             mote_error *error)
{
    int64_t n = b->layers, count = 1 + 10 * (n * (n + 1) * (2 * n + 1) / 6) + 2 * n;
    MO_TRY(mo_mesh_reserve(mesh, count, 0, 0, error));
    for (int64_t k = 0; k < count; ++k) {
        MO_TRY(mo_mesh_add_node(mesh, b->center, 0, error));
        MO_TRY(mo_mesh_add_to_set(mesh, "all", k, error));
    }
    for (int64_t k = count - mo_icosphere_points(n); k < count; ++k) {
        MO_TRY(mo_mesh_add_to_set(mesh, "surface", k, error));
    }
    for (int f = 0; f < MO_ICOSPHERE_FACES; ++f) {
        for (int64_t shell = 1; shell <= n; ++shell) {
            for (int64_t p = 0; p <= shell; ++p) {
                for (int64_t q = 0; p + q <= shell; ++q) {
                    mo_vec3 direction = mo_icosphere_position(f, p, q, shell - p - q);
                    double *x = mesh->nodes + 3 * node_number(sphere, f, p, q, shell - p - q);
                    mo_vec3_store(x, mo_add_scaled(b->center, b->radius * (double)shell / (double)n,
                                                   direction));
                }
            }
        }
    }
    return mo_mesh_add_to_set(mesh, "center", 0, error);
}

static double length_between(const mo_mesh *mesh, int64_t p, int64_t q)
{
    return mo_length(mo_sub(mo_vec3_load(mesh->nodes + 3 * p), mo_vec3_load(mesh->nodes + 3 * q)));
}

/* Opposite corners are 0 and 5, 1 and 4, 2 and 3. */
static mote_status add_octahedron(mo_mesh *mesh, const int64_t corner[6], mote_error *error)
{
    static const uint8_t RING[3][4] = {{1, 3, 4, 2}, {0, 3, 5, 2}, {0, 1, 5, 4}};
    int best = 0;
    double shortest = INFINITY;
    for (int k = 0; k < 3; ++k) {
        double length = length_between(mesh, corner[k], corner[5 - k]);
        if (length < (1 - 1e-9) * shortest) { /* lengths equal up to rounding count as equal */
            shortest = length;
            best = k;
        }
    }
    for (int k = 0; k < 4; ++k) {
        MO_TRY(mo_mesh_add_tetrahedron_oriented(mesh, corner[best], corner[5 - best],
                                                corner[RING[best][k]],
                                                corner[RING[best][(k + 1) % 4]], error));
    }
    return MOTE_OK;
}

/* The cells at (a, b, c): one upright tetrahedron, one octahedron, one inverted tetrahedron. */
static mote_status add_tetrahedra_at(const mo_icosphere *sphere, int f, int64_t n,
                                     const int64_t w[3], mo_mesh *mesh, mote_error *error)
{
    static const uint8_t MIDDLE[6][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1},
                                         {1, 1, 0}, {1, 0, 1}, {0, 1, 1}};
    int64_t sum = w[0] + w[1] + w[2], corner[6];
    int64_t lowest = node_number(sphere, f, w[0], w[1], w[2]);
    for (int k = 0; k < (sum + 2 <= n ? 6 : 3); ++k) {
        corner[k] =
            node_number(sphere, f, w[0] + MIDDLE[k][0], w[1] + MIDDLE[k][1], w[2] + MIDDLE[k][2]);
    }
    MO_TRY(mo_mesh_add_tetrahedron_oriented(mesh, lowest, corner[0], corner[1], corner[2], error));
    if (sum + 2 <= n) {
        MO_TRY(add_octahedron(mesh, corner, error));
    }
    if (sum + 3 <= n) {
        int64_t highest = node_number(sphere, f, w[0] + 1, w[1] + 1, w[2] + 1);
        MO_TRY(mo_mesh_add_tetrahedron_oriented(mesh, corner[3], corner[4], corner[5], highest,
                                                error));
    }
    return MOTE_OK;
}

static mote_status ball_build(const void *params, mo_mesh *mesh, mote_error *error)
{
    const ball *b = params;
    int64_t n = b->layers;
    mo_icosphere sphere;
    mo_icosphere_init(&sphere);
    MO_TRY(add_nodes(b, &sphere, mesh, error));
    MO_TRY(mo_mesh_reserve_tetrahedra(mesh, 20 * n * n * n, error));
    for (int f = 0; f < MO_ICOSPHERE_FACES; ++f) {
        for (int64_t p = 0; p < n; ++p) {
            for (int64_t q = 0; p + q < n; ++q) {
                for (int64_t r = 0; p + q + r < n; ++r) {
                    MO_TRY(add_tetrahedra_at(&sphere, f, n, (int64_t[]){p, q, r}, mesh, error));
                }
            }
        }
    }
    return mo_mesh_finish_volume(mesh, error);
}

const mo_mesh_type mo_mesh_ball = {
    .base = {.name = "ball",
             .summary = "A solid ball of tetrahedra. Sets: surface, center, all.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(ball),
             .params = PARAMS},
    .build = ball_build,
};
