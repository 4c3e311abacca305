/* Single points with optional edges. The simplest generator, as a template. */
#include "geometry/generate/generate.h"

typedef struct points {
    mo_list positions, edges;
} points;

static const mo_param PARAMS[] = {
    {"positions", MO_VEC3, .list = true, MO_FIELD(points, positions), .unit = "m", .required = true,
     .doc = "Position of each particle."},
    {"edges", MO_INT, .list = true, MO_FIELD(points, edges), .initial = "[]", .range = "[0, inf)",
     .doc = "Edges as a flat list of index pairs: [0, 1, 1, 2] joins 0 with 1 and 1 with 2."},
    {0}};

static mote_status points_check(const void *params, mote_error *error)
{
    const points *p = params;
    const int64_t *edge = p->edges.items;
    if (p->positions.count == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "positions: at least one is needed");
    }
    if (p->edges.count % 2) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "edges: an even number is needed, two for each edge, not %lld",
                       (long long)p->edges.count);
    }
    for (int64_t k = 0; k < p->edges.count; ++k) {
        if (edge[k] >= p->positions.count) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "edges[%lld]: there is no particle %lld, the last is %lld", (long long)k,
                           (long long)edge[k], (long long)p->positions.count - 1);
        }
        if (k % 2 && edge[k] == edge[k - 1]) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "edges[%lld]: particle %lld is joined with itself", (long long)k,
                           (long long)edge[k]);
        }
    }
    return MOTE_OK;
}

static mote_status points_build(const void *params, mo_mesh *mesh, mote_error *error)
{
    const points *p = params;
    const mo_vec3 *position = p->positions.items;
    const int64_t *edge = p->edges.items;
    for (int64_t k = 0; k < p->positions.count; ++k) {
        MO_TRY(mo_mesh_add_node(mesh, position[k], 1, error));
        MO_TRY(mo_mesh_add_to_set(mesh, "all", k, error));
    }
    for (int64_t k = 0; k < p->edges.count; k += 2) {
        MO_TRY(mo_mesh_add_edge(mesh, edge[k], edge[k + 1], MO_EDGE_STRETCH, error));
    }
    return MOTE_OK;
}

const mo_mesh_type mo_mesh_points = {
    .base = {.name = "points",
             .summary = "Particles at given positions, with optional edges. Sets: all.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(points),
             .params = PARAMS,
             .check = points_check},
    .build = points_build,
};
