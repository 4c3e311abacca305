/*
 * A hollow ball: geodesic spheres with prisms between them; or a single sphere.
 */
#include "geometry/generate/generate.h"
#include "geometry/mesh/icosphere.h"
#include "geometry/mesh/prisms.h"
#include "geometry/mesh/volume.h"

#include <string.h>

typedef struct shell {
    mo_vec3 center;
    double radius, thickness;
    int64_t detail, layers;
} shell;

static const mo_param PARAMS[] = {
    {"center", MO_VEC3, MO_FIELD(shell, center), .unit = "m", .initial = "[0, 0, 0]",
     .doc = "The middle."},
    {"radius", MO_REAL, MO_FIELD(shell, radius), .unit = "m", .initial = "0.5", .range = "(0, inf)",
     .doc = "Radius of the outer nodes."},
    {"thickness", MO_REAL, MO_FIELD(shell, thickness), .unit = "m", .initial = "0.1",
     .range = "(0, inf)",
     .doc = "Wall thickness, between the outer and inner nodes; ignored without layers."},
    {"detail", MO_INT, MO_FIELD(shell, detail), .initial = "8", .range = "[1, 7000]",
     .doc = "Subdivisions of an edge of the icosahedron: n give 20 n^2 triangles."},
    {"layers", MO_INT, MO_FIELD(shell, layers), .initial = "1", .range = "[0, 1e6]",
     .doc = "Layers of tetrahedra, 60 n^2 each; 0 gives triangles alone, a membrane."},
    {0}};

static mote_status shell_check(const void *params, mote_error *error)
{
    const shell *s = params;
    if (s->layers > 0 && !(s->thickness < s->radius)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "thickness: it must be less than the radius, %g",
                       s->radius);
    }
    double sheet = 10 * (double)s->detail * (double)s->detail + 2;
    return mo_mesh_check_size("layers", sheet * (double)(s->layers + 1), error);
}

static mote_status add_nodes(const shell *s, const double *directions, mo_mesh *mesh,
                             mote_error *error)
{
    int64_t columns = mo_icosphere_points(s->detail);
    MO_TRY(mo_mesh_reserve(mesh, columns * (s->layers + 1), 0, 0, error));
    for (int64_t layer = 0; layer <= s->layers; ++layer) {
        double inner = s->layers > 0 ? 1 - (double)layer / (double)s->layers : 0;
        double radius = s->radius - s->thickness * inner;
        for (int64_t c = 0; c < columns; ++c) {
            mo_vec3 x = mo_add_scaled(s->center, radius, mo_vec3_load(directions + 3 * c));
            MO_TRY(mo_mesh_add_node(mesh, x, 0, error));
            MO_TRY(mo_mesh_add_to_set(mesh, "all", mesh->node_count - 1, error));
            if (layer == s->layers) {
                MO_TRY(mo_mesh_add_to_set(mesh, "outer", mesh->node_count - 1, error));
            } else if (layer == 0) {
                MO_TRY(mo_mesh_add_to_set(mesh, "inner", mesh->node_count - 1, error));
            }
        }
    }
    return MOTE_OK;
}

static mote_status add_elements(const shell *s, const int32_t *triangles, mo_mesh *mesh,
                                mote_error *error)
{
    int64_t count = 20 * s->detail * s->detail;
    if (s->layers > 0) {
        MO_TRY(mo_prisms_cut(mesh, triangles, count, mo_icosphere_points(s->detail), s->layers,
                             error));
        return mo_mesh_finish_volume(mesh, error);
    }
    MO_TRY(mo_mesh_reserve(mesh, 0, 0, count, error));
    memcpy(mesh->triangles, triangles, (size_t)count * 3 * sizeof *triangles);
    mesh->triangle_count = count;
    return mo_mesh_finish_edges(mesh, error);
}

static mote_status shell_build(const void *params, mo_mesh *mesh, mote_error *error)
{
    const shell *s = params;
    void *directions, *triangles = NULL;
    mo_icosphere sphere;
    mo_icosphere_init(&sphere);
    MO_TRY(mo_allocate_array(mesh->memory, mo_icosphere_points(s->detail), 3 * sizeof(double),
                             &directions, error));
    mote_status status = mo_allocate_array(mesh->memory, 20 * s->detail * s->detail,
                                           3 * sizeof(int32_t), &triangles, error);
    if (status == MOTE_OK) {
        mo_icosphere_fill(&sphere, s->detail, directions, triangles);
        status = add_nodes(s, directions, mesh, error);
    }
    if (status == MOTE_OK) {
        status = add_elements(s, triangles, mesh, error);
    }
    mo_release(mesh->memory, directions);
    mo_release(mesh->memory, triangles);
    return status;
}

const mo_mesh_type mo_mesh_shell = {
    .base = {.name = "shell",
             .summary =
                 "A spherical shell of tetrahedra, or a sphere of triangles. Sets: inner, outer, "
                 "all.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(shell),
             .params = PARAMS,
             .check = shell_check},
    .build = shell_build,
};
