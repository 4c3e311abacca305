/*
 * A straight rope: nodes on a line, connected to the next, and to the next but one against bending.
 */
#include "geometry/generate/generate.h"

typedef struct rope {
    mo_vec3 start, end;
    int64_t segments;
    bool bend;
} rope;

static const mo_param PARAMS[] = {
    {"start", MO_VEC3, MO_FIELD(rope, start), .unit = "m", .required = true,
     .doc = "The first node."},
    {"end", MO_VEC3, MO_FIELD(rope, end), .unit = "m", .required = true, .doc = "The last node."},
    {"segments", MO_INT, MO_FIELD(rope, segments), .initial = "20", .range = "[1, 1e8]",
     .doc = "Number of edges."},
    {"bend", MO_BOOL, MO_FIELD(rope, bend), .initial = "false",
     .doc = "Also join every second node (bending springs)."},
    {0}};

static mote_status rope_check(const void *params, mote_error *error)
{
    const rope *r = params;
    if (!(mo_length(mo_sub(r->end, r->start)) > 0)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "end: it coincides with start");
    }
    return MOTE_OK;
}

static mote_status rope_build(const void *params, mo_mesh *mesh, mote_error *error)
{
    const rope *r = params;
    int64_t n = r->segments;
    mo_vec3 span = mo_sub(r->end, r->start);
    mesh->dimension = 1;
    mesh->spacing = mo_length(span) / (double)n;
    for (int64_t k = 0; k <= n; ++k) {
        double share = (k == 0 || k == n ? 0.5 : 1) * mesh->spacing;
        MO_TRY(mo_mesh_add_node(mesh, mo_add_scaled(r->start, (double)k / (double)n, span), share,
                                error));
        MO_TRY(mo_mesh_add_to_set(mesh, "all", k, error));
    }
    for (int64_t k = 0; k < n; ++k) {
        MO_TRY(mo_mesh_add_edge(mesh, k, k + 1, MO_EDGE_STRETCH, error));
        if (r->bend && k + 2 <= n) {
            MO_TRY(mo_mesh_add_edge(mesh, k, k + 2, MO_EDGE_BEND, error));
        }
    }
    MO_TRY(mo_mesh_add_to_set(mesh, "start", 0, error));
    return mo_mesh_add_to_set(mesh, "end", n, error);
}

const mo_mesh_type mo_mesh_rope = {
    .base = {.name = "rope",
             .summary = "A straight rope of nodes. Sets: start, end, all.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(rope),
             .params = PARAMS,
             .check = rope_check},
    .build = rope_build,
};
