/*
 * The distance of two nodes: C = |x_0 - x_1| - L (M. Mueller et al. 2007, section 3.2). The energy
 * 1/2 C^2/compliance is that of a spring with the stiffness 1/compliance [N/m].
 */
#include "constraint/hessian.h"
#include "constraint/project.h"
#include "constraint/vec.h"

enum { NODES = 2, FUNCTIONS = 1, NUMBERS = 1 };

typedef struct distance {
    mo_constraint_common common;
    const char *resists;
} distance;

static const mo_param PARAMS[] = {
    MO_CONSTRAINT_COMMON(distance, "m/N"),
    {"resists", MO_STRING, MO_FIELD(distance, resists), .initial = "\"both\"",
     .choices = "both|stretch|compression",
     .doc = "Equality (both), or inequality: stretch bounds the length from above, compression "
            "from below."},
    {0}};

MO_INLINE void distance_evaluate(const mo_constraint_set *set, int64_t batch, int f,
                                 const mo_d4 x[][3], mo_d4 *value, mo_d4 g[][3])
{
    mo_d4 d[3];
    (void)f;
    mo_w3_sub(x[0], x[1], d);
    mo_d4 length = mo_w3_length(d);
    *value = length - mo_d4_load(mo_constraint_numbers(set, batch));
    mo_w3_scale(mo_w_inverse(length), d, g[0]);
    mo_w3_scale(mo_d4_set(-1), g[0], g[1]);
}

static void distance_values(const mo_constraint_set *set, int64_t batch, int f, const mo_d4 x[][3],
                            mo_d4 *value, mo_d4 g[][3])
{
    distance_evaluate(set, batch, f, x, value, g);
}

/* (I - n n^T)/|d| for equal nodes, minus that for different ones */
static void distance_hessian(const mo_constraint_set *set, int64_t batch, int f, const mo_d4 x[][3],
                             mo_hessian h)
{
    mo_d4 d[3];
    (void)set, (void)batch, (void)f;
    mo_w3_sub(x[0], x[1], d);
    mo_d4 inverse = mo_w_inverse(mo_w3_length(d));
    mo_w3_scale(inverse, d, d);
    for (int k = 0; k < 3; ++k) {
        for (int l = 0; l < 3; ++l) {
            h[3 + k][3 + l] = inverse * (mo_d4_set(k == l) - d[k] * d[l]);
        }
    }
    mo_hessian_balance(h, NODES);
}

static void distance_project(const mo_projection *j, int64_t first, int64_t last)
{
    mo_project_batches(j, distance_evaluate, NODES, FUNCTIONS, first, last);
}

static mote_status distance_add(mo_constraint_set *set, const mo_mesh *mesh, mote_error *error)
{
    const distance *p = set->params;
    set->unilateral = p->resists[0] == 's' ? -1 : p->resists[0] == 'c' ? 1 : 0;
    if (mesh->edge_count == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "its mesh has no edges");
    }
    for (int64_t e = 0; e < mesh->edge_count; ++e) {
        double compliance = mo_constraint_compliance(set);
        const int32_t *node = mesh->edges + 2 * e;
        double length = mo_length(mo_sub(mo_vec3_load(mesh->nodes + 3 * (int64_t)node[0]),
                                         mo_vec3_load(mesh->nodes + 3 * (int64_t)node[1])));
        if (mesh->edge_kind[e] == MO_EDGE_BEND) {
            continue; /* bending has constraints of its own */
        }
        if (!(length > 0)) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "the edge between its nodes %d and %d has no length", node[0], node[1]);
        }
        MO_TRY(mo_constraint_set_add(set, node, &length, &compliance, length, error));
    }
    return MOTE_OK;
}

const mo_constraint_type mo_constraint_distance = {
    .base = {.name = "distance",
             .summary = "Lengths of edges: an inextensible edge, or a spring.",
             .citation = "M. Mueller et al. 2007, J. Vis. Commun. Image Represent. 18, 109, "
                         "section 3.2",
             .capabilities = MO_CONSTRAINT_PBD | MO_CONSTRAINT_XPBD | MO_PORTABLE,
             .param_size = sizeof(distance),
             .params = PARAMS},
    .nodes = NODES,
    .functions = FUNCTIONS,
    .numbers = NUMBERS,
    .add = distance_add,
    .evaluate = distance_values,
    .hessian = distance_hessian,
    .convex = FUNCTIONS,
    .project = distance_project,
};
