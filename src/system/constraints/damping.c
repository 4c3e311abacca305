/*
 * Damping of the deviations from the rigid motion of a body (M. Mueller et al. 2007, section 3.5):
 *     v_i += k (v_c + w x r_i - v_i),   w = I^-1 L,
 * which conserves linear and angular momentum. k = d h/(1 + d h) for the rate d. Departs from the
 * source, where forces are added before: damped forces have another equilibrium.
 */
#include "math/mat3.h"
#include "system/constraints/state.h"

#include <string.h>

enum { GRAIN = 4096 };

/* Sums over the rows of a body: mass, momentum, mass times position, angular momentum about the
 * origin, and second moments of mass (xx yy zz xy xz yz). */
enum { MASS, MOMENTUM, MOMENT = 4, ANGULAR = 7, SECOND = 10, SUMS = 16 };

typedef struct rigid_motion {
    const mo_constraint_body *body;
    const double *mass, *x;
    double *v;
    mo_vec3 center, velocity, rotation;
    double k;
} rigid_motion;

static void sum_range(void *context, int64_t first, int64_t last, double *sum)
{
    const rigid_motion *m = context;
    memset(sum, 0, SUMS * sizeof *sum);
    for (int64_t k = first; k < last; ++k) {
        int64_t row = m->body->first + k;
        double mass = m->mass[row];
        mo_vec3 x = mo_sub(mo_vec3_load(m->x + 3 * row), m->center),
                v = mo_vec3_load(m->v + 3 * row), l = mo_cross(x, v);
        const double part[SUMS] = {1,         v.x,       v.y,       v.z,      x.x,       x.y,
                                   x.z,       l.x,       l.y,       l.z,      x.x * x.x, x.y * x.y,
                                   x.z * x.z, x.x * x.y, x.x * x.z, x.y * x.z};
        for (int n = 0; n < SUMS; ++n) {
            sum[n] += mass * part[n];
        }
    }
}

static void damp_range(void *context, int64_t first, int64_t last)
{
    const rigid_motion *m = context;
    for (int64_t row = m->body->first + first; row < m->body->first + last; ++row) {
        mo_vec3 r = mo_sub(mo_vec3_load(m->x + 3 * row), m->center),
                v = mo_vec3_load(m->v + 3 * row),
                rigid = mo_add(m->velocity, mo_cross(m->rotation, r));
        mo_vec3_store(m->v + 3 * row, mo_add_scaled(v, m->k, mo_sub(rigid, v)));
    }
}

/* w of I w = L; 0 if I is singular (a point, a straight line along w). */
static mo_vec3 solve_rotation(const double s[SUMS], mo_vec3 l)
{
    double xx = s[SECOND], yy = s[SECOND + 1], zz = s[SECOND + 2], xy = s[SECOND + 3],
           xz = s[SECOND + 4], yz = s[SECOND + 5], trace = xx + yy + zz;
    mo_vec3 a = {yy + zz, -xy, -xz}, b = {-xy, xx + zz, -yz}, c = {-xz, -yz, xx + yy};
    mo_vec3 bc = mo_cross(b, c);
    double det = mo_dot(a, bc);
    if (!(det > 1e-9 * trace * trace * trace)) {
        return (mo_vec3){0, 0, 0};
    }
    mo_vec3 ca = mo_cross(c, a), ab = mo_cross(a, b);
    return mo_scale(1 / det,
                    mo_add(mo_add(mo_scale(l.x, bc), mo_scale(l.y, ca)), mo_scale(l.z, ab)));
}

static mote_status damp_body(mo_constraint_system *c, const mo_constraint_body *body, double h,
                             mote_error *error)
{
    const mo_particle_columns *columns = &c->system->columns;
    mo_pool *pool = c->system->host->pool;
    double s[SUMS];
    rigid_motion m = {.body = body,
                      .mass = mo_f64(columns->mass),
                      .x = mo_f64(columns->x),
                      .v = mo_f64(columns->v),
                      .k = body->damping * h / (1 + body->damping * h)};
    MO_TRY(mo_parallel_reduce(pool, body->count, GRAIN, MO_SUM, SUMS, sum_range, &m, s, error));
    m.center = mo_scale(1 / s[MASS], mo_vec3_load(s + MOMENT));
    m.velocity = mo_scale(1 / s[MASS], mo_vec3_load(s + MOMENTUM));
    /* about the centre, where the sums do not cancel */
    MO_TRY(mo_parallel_reduce(pool, body->count, GRAIN, MO_SUM, SUMS, sum_range, &m, s, error));
    m.rotation = solve_rotation(s, mo_vec3_load(s + ANGULAR));
    mo_parallel_for(pool, body->count, GRAIN, damp_range, &m);
    return MOTE_OK;
}

mote_status mo_constraint_system_damp(mo_constraint_system *c, double h, mote_error *error)
{
    for (int64_t k = 0; k < c->body_count; ++k) {
        if (c->bodies[k].damping > 0 && c->bodies[k].count > 1) {
            MO_TRY(damp_body(c, &c->bodies[k], h, error));
        }
    }
    return MOTE_OK;
}
