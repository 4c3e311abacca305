/*
 * Attachment of nodes to points of rigid bodies: C = x - (X + R r) for a node at x and the point r
 * of a body with the centre X and the axes R. All three components are projected at once,
 *     dl = k (-C - a l - c s)/((1 + c) K + a),    K = (w + 1/m) 1 - [r] I^-1 [r],
 * [r] the matrix of the cross product with the arm R r, and a, c, k as in project.h; the node moves
 * by w dl, the body by the impulse -dl at the point (M. Mueller et al. 2020, section 3.3). Rigid
 * bodies are those of attached_body.h.
 */
#include "constraint/attach.h"
#include "math/mat3.h"

#include <math.h>
#include <string.h>

typedef struct points {
    const mo_attached_bodies *bodies;
    int64_t index; /* of the body */
    int64_t count;
    int32_t *rows;
    double *local;  /* points in the body's frame */
    double *lambda; /* of the substep */
} points;

static mote_status allocate_points(mo_constraint_set *set, int64_t count, mote_error *error)
{
    struct {
        size_t offset, size;
    } arrays[] = {{offsetof(points, rows), sizeof(int32_t)},
                  {offsetof(points, local), 3 * sizeof(double)},
                  {offsetof(points, lambda), 3 * sizeof(double)}};
    points *p = mo_allocate(set->memory, sizeof *p);
    if (!p) {
        return mo_fail_memory(error, sizeof *p);
    }
    memset(p, 0, sizeof *p);
    set->data = p;
    p->count = count;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) {
        void *block;
        MO_TRY(mo_allocate_array(set->memory, count, arrays[k].size, &block, error));
        memcpy((char *)p + arrays[k].offset, &block, sizeof block);
    }
    return MOTE_OK;
}

static void attach_rigid_release(mo_constraint_set *set)
{
    points *p = set->data;
    mo_release(set->memory, p->rows);
    mo_release(set->memory, p->local);
    mo_release(set->memory, p->lambda);
}

static mote_status connect_nodes(mo_constraint_set *set, const mo_constraint_ends *ends,
                                 const mo_attached_nodes *own, mote_error *error)
{
    MO_TRY(allocate_points(set, own->count, error));
    points *p = set->data;
    p->bodies = ends->bodies;
    p->index = ends->attached;
    for (int64_t k = 0; k < own->count; ++k) {
        p->rows[k] = (int32_t)(set->first + own->nodes[k]);
    }
    set->group_scale = ends->mesh->spacing > 0 ? ends->mesh->spacing : 1;
    return MOTE_OK;
}

static mote_status attach_rigid_connect(mo_constraint_set *set, const mo_constraint_ends *ends,
                                        mote_error *error)
{
    const mo_attach *a = set->params;
    mo_attached_nodes own = {0};
    if (a->body_set || a->body_nodes.count > 0 || !isnan(a->reach)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       ".%s: '%.60s' is rigid, nodes are attached to it where they start",
                       a->body_set               ? "body_set"
                       : a->body_nodes.count > 0 ? "body_nodes"
                                                 : "reach",
                       a->body.name);
    }
    mote_status status = mo_attach_select(set, ends->mesh, &own, error);
    status = status == MOTE_OK ? connect_nodes(set, ends, &own, error) : status;
    mo_release(set->memory, own.nodes);
    return status;
}

void mo_attach_rigid_place(mo_constraint_set *set, int64_t index, const double *x)
{
    const points *p = set->data;
    const mo_attached_body *body = &p->bodies->list[index];
    for (int64_t k = 0; p->index == index && k < p->count; ++k) {
        mo_vec3 r = mo_sub(mo_vec3_load(x + 3 * (int64_t)p->rows[k]), body->x);
        mo_vec3_store(p->local + 3 * k, mo_attached_body_turn(mo_quat_conjugate(body->q), r));
    }
}

int64_t mo_attach_rigid_rows(const mo_constraint_set *set, int64_t index, const int32_t **rows)
{
    const points *p = set->data;
    *rows = p->rows;
    return p->index == index ? p->count : 0;
}

/* ---- a substep ---- */

static mote_status attach_rigid_begin(mo_constraint_set *set, const mo_constraint_problem *problem,
                                      mote_error *error)
{
    const points *p = set->data;
    (void)problem, (void)error;
    memset(p->lambda, 0, (size_t)(3 * p->count) * sizeof(double));
    return MOTE_OK;
}

/* (1 + c) K + a */
static mo_mat3 response_of(const mo_attached_body *body, mo_vec3 arm, double w, double a, double c)
{
    mo_mat3 k;
    for (int n = 0; n < 3; ++n) {
        mo_vec3 e = {n == 0, n == 1, n == 2};
        mo_vec3 column = mo_cross(mo_attached_body_spin(body, mo_cross(arm, e)), arm);
        column = mo_scale(1 + c, mo_add_scaled(column, w + body->inverse_mass, e));
        column = mo_add_scaled(column, a, e);
        k.m[n] = column.x;
        k.m[3 + n] = column.y;
        k.m[6 + n] = column.z;
    }
    return k;
}

/* The motion of a node relative to its point in this substep. */
static mo_vec3 slip_of(const mo_attached_body *body, mo_vec3 gap, mo_vec3 start, mo_vec3 local)
{
    mo_vec3 point = mo_add(body->start, mo_attached_body_turn(body->start_q, local));
    return mo_sub(gap, mo_sub(start, point));
}

static void attach_rigid_sweep(mo_constraint_set *set, const mo_constraint_problem *problem,
                               double factor)
{
    const points *p = set->data;
    mo_attached_body *body = &problem->bodies->list[p->index];
    double h = problem->h, a = set->extended ? mo_constraint_compliance(set) / (h * h) : 0,
           c = set->extended ? set->damping / h : 0;
    for (int64_t k = 0; body->id >= 0 && k < p->count; ++k) {
        double *x = problem->p + 4 * (int64_t)p->rows[k], w = x[3];
        mo_vec3 local = mo_vec3_load(p->local + 3 * k), l = mo_vec3_load(p->lambda + 3 * k),
                arm = mo_attached_body_turn(body->q, local),
                gap = mo_sub(mo_vec3_load(x), mo_add(body->x, arm));
        if (!(w + body->inverse_mass > 0)) {
            continue;
        }
        mo_vec3 right = mo_scale(-1, mo_add_scaled(gap, a, l));
        if (c > 0) {
            mo_vec3 start = mo_vec3_load(problem->start + 4 * (int64_t)p->rows[k]);
            right = mo_add_scaled(right, -c, slip_of(body, gap, start, local));
        }
        mo_mat3 inverse = mo_mat3_inverse(response_of(body, arm, w, a, c));
        mo_vec3 change = mo_scale(factor, mo_mat3_apply(inverse, right)),
                impulse = mo_scale(-1 / h, change);
        mo_vec3_store(p->lambda + 3 * k, mo_add(l, change));
        mo_vec3_store(x, mo_add_scaled(mo_vec3_load(x), w, change));
        mo_attached_body_correct(body, arm, mo_scale(-1, change));
        body->impulse = mo_add(body->impulse, impulse);
        body->moment = mo_add(body->moment, mo_cross(arm, impulse));
    }
}

static void attach_rigid_residual(const mo_constraint_set *set,
                                  const mo_constraint_problem *problem, double sums[3])
{
    const points *p = set->data;
    const mo_attached_body *body = &problem->bodies->list[p->index];
    double a = set->extended ? mo_constraint_compliance(set) / (problem->h * problem->h) : 0;
    sums[0] = sums[1] = sums[2] = 0;
    for (int64_t k = 0; body->id >= 0 && k < p->count; ++k) {
        mo_vec3 arm = mo_attached_body_turn(body->q, mo_vec3_load(p->local + 3 * k)),
                gap = mo_sub(mo_vec3_load(problem->p + 4 * (int64_t)p->rows[k]),
                             mo_add(body->x, arm));
        double r =
            mo_length(mo_add_scaled(gap, a, mo_vec3_load(p->lambda + 3 * k))) / set->group_scale;
        sums[0] = fmax(sums[0], r);
        sums[1] += r * r;
        sums[2] += 1;
    }
}

/* Not known between steps, when bodies have moved in their own system. */
static double attach_rigid_energy(const mo_constraint_set *set, mo_pool *pool, const double *p)
{
    (void)set, (void)pool, (void)p;
    return 0;
}

static mote_status attach_rigid_remap(const mo_constraint_set *set, const int64_t *map,
                                      int64_t rows, mo_constraint_set *to, mote_error *error)
{
    const points *from = set->data;
    int64_t count = 0;
    (void)rows;
    for (int64_t k = 0; k < from->count; ++k) {
        count += map[from->rows[k]] >= 0;
    }
    MO_TRY(allocate_points(to, count, error));
    points *p = to->data;
    p->bodies = from->bodies;
    p->index = from->index;
    to->group_scale = set->group_scale;
    count = 0;
    for (int64_t k = 0; k < from->count; ++k) {
        if (map[from->rows[k]] >= 0) {
            p->rows[count] = (int32_t)map[from->rows[k]];
            memcpy(p->local + 3 * count++, from->local + 3 * k, 3 * sizeof(double));
        }
    }
    return MOTE_OK;
}

static const mo_constraint_group GROUP = {.sweep = attach_rigid_sweep,
                                          .residual = attach_rigid_residual,
                                          .energy = attach_rigid_energy,
                                          .remap = attach_rigid_remap,
                                          .release = attach_rigid_release};

const mo_constraint_type mo_attach_rigid = {
    .base = {.name = "attach", .summary = "Nodes attached to a rigid body."},
    .connect = attach_rigid_connect,
    .begin = attach_rigid_begin,
    .group = &GROUP,
};
