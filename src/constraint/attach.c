/*
 * Attachment of nodes to nodes of the same or another body (a knot, a seam), or to points of a
 * collider, which may move: C = x_a - x_b, one function for each coordinate. The energy is that of
 * a spring of length zero with the stiffness 1/compliance [N/m].
 *
 * The constraint is linear: a rigid attachment alone is satisfied by one projection. Nodes that
 * are apart at the start are pulled together. A point of a collider is the initial position of the
 * node in the collider's frame; its constraint has the row twice, and the first has no gradient.
 * Rigid bodies: attach_rigid.c.
 */
#include "constraint/attach.h"
#include "constraint/project.h"
#include "geometry/mesh/select.h"
#include "geometry/shape/shape.h"

#include <math.h>
#include <string.h>

enum { NODES = 2, FUNCTIONS = 3, NUMBERS = 8 };

/* Constants: the position of a point of a collider at the end of the substep, 1 for nodes (0 for
 * colliders), the index of the collider, and the position in its frame. */
enum { TARGET = 0, TO_NODE = 3, COLLIDER = 4, LOCAL = 5 };

static const mo_param PARAMS[] = {
    MO_CONSTRAINT_COMMON(mo_attach, "m/N"),
    {"set", MO_STRING, MO_FIELD(mo_attach, set),
     .doc = "Attached nodes: a node set of the mesh, listed by `mote explain`."},
    {"region", MO_METHOD, MO_FIELD(mo_attach, region), .family = &mo_shapes,
     .doc = "Attached nodes: all that start inside this shape."},
    {"nodes", MO_INT, .list = true, MO_FIELD(mo_attach, nodes), .initial = "[]",
     .range = "[0, inf)", .doc = "Attached nodes by number."},
    {"body", MO_REFERENCE, MO_FIELD(mo_attach, body), .target = "bodies",
     .doc = "The body that they are attached to: a rigid one where they start, another one at its "
            "nearest nodes. It may be the same body."},
    {"body_set", MO_STRING, MO_FIELD(mo_attach, body_set),
     .doc = "Node set of that body whose nodes are candidates: a seam.", .needs = "body"},
    {"body_nodes", MO_INT, .list = true, MO_FIELD(mo_attach, body_nodes), .initial = "[]",
     .range = "[0, inf)",
     .doc = "Nodes of that body: as many as `nodes`, in the same order, or candidates.",
     .needs = "body"},
    {"collider", MO_REFERENCE, MO_FIELD(mo_attach, collider), .target = "colliders",
     .doc = "The collider that they are attached to, where they start."},
    {"reach", MO_REAL, MO_FIELD(mo_attach, reach), .unit = "m", .range = "(0, inf)",
     .doc = "Nodes without a candidate within this distance are left free; default: no limit.",
     .needs = "body"},
    {0}};

MO_INLINE void attach_evaluate(const mo_constraint_set *set, int64_t batch, int f,
                               const mo_d4 x[][3], mo_d4 *value, mo_d4 g[][3])
{
    const double *numbers = mo_constraint_numbers(set, batch);
    const mo_d4 zero = mo_d4_set(0), one = mo_d4_set(1);
    mo_d4 to_node = mo_d4_load(numbers + TO_NODE * MO_LANES);
    mo_d4 target = mo_d4_load(numbers + (TARGET + f) * MO_LANES);
    *value = x[1][f] - mo_d4_select(to_node > zero, x[0][f], target);
    for (int k = 0; k < 3; ++k) {
        g[0][k] = k == f ? -to_node : zero;
        g[1][k] = k == f ? one : zero;
    }
}

static void attach_values(const mo_constraint_set *set, int64_t batch, int f, const mo_d4 x[][3],
                          mo_d4 *value, mo_d4 g[][3])
{
    attach_evaluate(set, batch, f, x, value, g);
}

static void attach_project(const mo_projection *j, int64_t first, int64_t last)
{
    mo_project_batches(j, attach_evaluate, NODES, FUNCTIONS, first, last);
}

/* Points of colliders at their poses of this substep. */
static mote_status attach_begin(mo_constraint_set *set, const mo_constraint_problem *problem,
                                mote_error *error)
{
    const mo_attach *p = set->params;
    (void)error;
    if (!p->collider.name) {
        return MOTE_OK;
    }
    const mo_pose *pose = &problem->colliders->list[p->collider.index].pose;
    for (int64_t slot = 0; slot < set->batches * MO_LANES; ++slot) {
        double *n = set->numbers + slot / MO_LANES * (NUMBERS * MO_LANES) + slot % MO_LANES;
        mo_vec3 local = {n[LOCAL * MO_LANES], n[(LOCAL + 1) * MO_LANES], n[(LOCAL + 2) * MO_LANES]};
        mo_vec3 x = mo_pose_apply(pose, local);
        n[TARGET * MO_LANES] = x.x;
        n[(TARGET + 1) * MO_LANES] = x.y;
        n[(TARGET + 2) * MO_LANES] = x.z;
    }
    return MOTE_OK;
}

/* ---- pairs ---- */

/* Without a selection all nodes. */
static mote_status select_nodes(const mo_constraint_set *set, const mo_mesh *mesh,
                                const mo_node_selection *by, mo_attached_nodes *to,
                                mote_error *error)
{
    void *block;
    MO_TRY(mo_allocate_array(set->memory, 2 * mesh->node_count + by->nodes->count, sizeof(int32_t),
                             &block, error));
    to->nodes = block;
    if (by->set || by->region.type || by->nodes->count > 0) {
        return mo_mesh_select(mesh, by, to->nodes, &to->count, error);
    }
    for (to->count = 0; to->count < mesh->node_count; ++to->count) {
        to->nodes[to->count] = (int32_t)to->count;
    }
    return MOTE_OK;
}

mote_status mo_attach_select(const mo_constraint_set *set, const mo_mesh *mesh,
                             mo_attached_nodes *to, mote_error *error)
{
    const mo_attach *p = set->params;
    const mo_node_selection by = {p->set, p->region, &p->nodes, ""};
    return select_nodes(set, mesh, &by, to, error);
}

static mote_status add_pair(mo_constraint_set *set, int64_t a, int64_t b, double unit,
                            mote_error *error)
{
    double c = mo_constraint_compliance(set);
    const double compliance[FUNCTIONS] = {c, c, c}, numbers[NUMBERS] = {[TO_NODE] = 1};
    const int32_t nodes[NODES] = {(int32_t)b, (int32_t)a};
    return mo_constraint_set_add(set, nodes, numbers, compliance, unit, error);
}

static double distance_of(const mo_constraint_ends *ends, int32_t a, int32_t b)
{
    return mo_length(mo_sub(mo_vec3_load(ends->mesh->nodes + 3 * (int64_t)a),
                            mo_vec3_load(ends->other->nodes + 3 * (int64_t)b)));
}

/* The candidate nearest to node a; -1: none in reach. */
static int32_t nearest(const mo_constraint_ends *ends, int32_t a,
                       const mo_attached_nodes *candidates, double reach)
{
    int32_t best = -1;
    double least = isnan(reach) ? (double)INFINITY : reach * (1 + 1e-12);
    for (int64_t k = 0; k < candidates->count; ++k) {
        int32_t b = candidates->nodes[k];
        double d = distance_of(ends, a, b);
        if (d < least && !(ends->same && a == b)) {
            least = d;
            best = b;
        }
    }
    return best;
}

static mote_status attach_nodes(mo_constraint_set *set, const mo_constraint_ends *ends,
                                const mo_attached_nodes *own, const mo_attached_nodes *candidates,
                                mote_error *error)
{
    const mo_attach *p = set->params;
    bool pairs = p->nodes.count > 0 && p->nodes.count == p->body_nodes.count && !p->set &&
                 !p->region.type && !p->body_set;
    double unit = ends->mesh->spacing > 0 ? ends->mesh->spacing : 1;
    for (int64_t k = 0; k < own->count; ++k) {
        int32_t a = own->nodes[k],
                b = pairs ? candidates->nodes[k] : nearest(ends, a, candidates, p->reach);
        if (pairs && ends->same && a == b) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           ".body_nodes[%lld]: node %d would be attached to itself", (long long)k,
                           a);
        }
        if (b >= 0) {
            MO_TRY(add_pair(set, a, ends->other_first - set->first + b, unit, error));
        }
    }
    if (set->count == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, ".reach: no node has a partner within %g m",
                       p->reach);
    }
    return MOTE_OK;
}

static mote_status attach_points(mo_constraint_set *set, const mo_constraint_ends *ends,
                                 const mo_attached_nodes *own, mote_error *error)
{
    const mo_attach *p = set->params;
    double c = mo_constraint_compliance(set);
    const double compliance[FUNCTIONS] = {c, c, c};
    mo_pose pose = mo_collider_pose_at(&ends->colliders->list[p->collider.index], 0);
    for (int64_t k = 0; k < own->count; ++k) {
        const int32_t nodes[NODES] = {own->nodes[k], own->nodes[k]};
        mo_vec3 x = mo_vec3_load(ends->mesh->nodes + 3 * (int64_t)own->nodes[k]),
                local = mo_pose_undo(&pose, x);
        double numbers[NUMBERS] = {[COLLIDER] = (double)p->collider.index};
        mo_vec3_store(numbers + TARGET, x);
        mo_vec3_store(numbers + LOCAL, local);
        MO_TRY(mo_constraint_set_add(set, nodes, numbers, compliance,
                                     ends->mesh->spacing > 0 ? ends->mesh->spacing : 1, error));
    }
    return MOTE_OK;
}

static mote_status attach_selected(mo_constraint_set *set, const mo_constraint_ends *ends,
                                   mo_attached_nodes *own, mo_attached_nodes *candidates,
                                   mote_error *error)
{
    const mo_attach *p = set->params;
    const mo_node_selection others = {p->body_set, {0}, &p->body_nodes, "body_"};
    MO_TRY(mo_attach_select(set, ends->mesh, own, error));
    if (p->collider.name) {
        return attach_points(set, ends, own, error);
    }
    MO_TRY(select_nodes(set, ends->other, &others, candidates, error));
    return attach_nodes(set, ends, own, candidates, error);
}

static mote_status attach_connect(mo_constraint_set *set, const mo_constraint_ends *ends,
                                  mote_error *error)
{
    mo_attached_nodes own = {0}, candidates = {0};
    mote_status status = attach_selected(set, ends, &own, &candidates, error);
    mo_release(set->memory, own.nodes);
    mo_release(set->memory, candidates.nodes);
    return status;
}

static const mo_reference *attach_partner(const void *params)
{
    const mo_attach *p = params;
    return p->body.name ? &p->body : NULL;
}

static mote_status attach_check(const void *params, mote_error *error)
{
    const mo_attach *p = params;
    if (!p->set && !p->region.type && p->nodes.count == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "needs the attached nodes: `nodes`, a `set` of the mesh, or a `region`");
    }
    if (!p->body.name == !p->collider.name) {
        return mo_fail(error, MOTE_ERROR_INPUT, "needs either a `body` or a `collider`");
    }
    return MOTE_OK;
}

const mo_constraint_type mo_constraint_attach = {
    .base = {.name = "attach",
             .summary =
                 "Nodes attached to nodes of a body (knots, seams), to a rigid body, or to a "
                 "collider.",
             .citation = "M. Mueller et al. 2007, J. Vis. Commun. Image Represent. 18, 109, "
                         "section 3.2",
             .capabilities = MO_CONSTRAINT_PBD | MO_CONSTRAINT_XPBD | MO_PORTABLE,
             .param_size = sizeof(mo_attach),
             .params = PARAMS,
             .check = attach_check},
    .nodes = NODES,
    .functions = FUNCTIONS,
    .numbers = NUMBERS,
    .partner = attach_partner,
    .connect = attach_connect,
    .rigid = &mo_attach_rigid,
    .begin = attach_begin,
    .evaluate = attach_values,
    .project = attach_project,
};
