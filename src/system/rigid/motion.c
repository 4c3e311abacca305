/*
 * Free motion of rigid bodies by any integrator: x'' = F/m and the rotation as a second-order
 * system of quaternions (integrate/rotation.h), in two segments.
 *
 * One evaluation: for each block of rows
 *     f = m g,  f += forces of the scene, damping, applied forces and callbacks,  a = f/m,
 *     q'' from w' = I^-1 (tau - w x I w) in the frame of the principal axes.
 * In two dimensions f_z, tau_x and tau_y are 0.
 */
#include "host/orientation.h"
#include "integrate/rotation.h"
#include "system/rigid/state.h"

#include <string.h>

/* ---- damping and applied forces, as a force ---- */

static void apply(const mo_rigid *rigid, const mo_applied_def *applied, const mo_force_args *args,
                  const mo_rigid_prototype *p, int64_t row)
{
    double scale = mo_curve_at(&applied->scale, args->time);
    mo_mat3 R = mo_quat_matrix(mo_quat_normalize(mo_quat_load(args->q + 4 * row)));
    mo_mat3 turn = mo_mat3_product(R, mo_mat3_transpose(mo_quat_matrix(p->axes.turn)));
    mo_vec3 f = mo_scale(scale, applied->force), tau = mo_scale(scale, applied->torque);
    (void)rigid;
    if (applied->follows) {
        f = mo_mat3_apply(turn, f);
        tau = mo_mat3_apply(turn, tau);
    }
    if (!isnan(applied->point.x)) {
        mo_vec3 r = mo_mat3_apply(turn, mo_sub(applied->point, p->mass.center));
        tau = mo_add(tau, mo_cross(r, f));
    }
    mo_vec3_store(args->f + 3 * row, mo_add(mo_vec3_load(args->f + 3 * row), f));
    mo_vec3_store(args->torque + 3 * row, mo_add(mo_vec3_load(args->torque + 3 * row), tau));
}

static void damp(const mo_rigid *rigid, const mo_force_args *args, const mo_rigid_prototype *p,
                 int64_t row)
{
    const mo_rigid_body_def *def = p->def;
    double *f = args->f + 3 * row, *tau = args->torque + 3 * row;
    if (def->linear_damping > 0) {
        double c = def->linear_damping * args->mass[row];
        mo_vec3_store(f, mo_add_scaled(mo_vec3_load(f), -c, mo_vec3_load(args->v + 3 * row)));
    }
    if (def->angular_damping > 0) {
        mo_vec3 i = mo_vec3_load(mo_f64(rigid->system->columns.inertia) + 3 * row);
        mo_vec3 l = mo_multiply(i, mo_vec3_load(args->w + 3 * row));
        mo_mat3 R = mo_quat_matrix(mo_quat_normalize(mo_quat_load(args->q + 4 * row)));
        mo_vec3_store(tau,
                      mo_add_scaled(mo_vec3_load(tau), -def->angular_damping, mo_mat3_apply(R, l)));
    }
}

static void applied_add(const void *instance, const mo_force_args *args, int64_t first,
                        int64_t last)
{
    const mo_rigid *rigid = instance;
    const int32_t *body = rigid->system->columns.body->data;
    for (int64_t row = first; row < last; ++row) {
        const mo_rigid_prototype *p = &rigid->prototypes[body[row]];
        const mo_applied_def *applied = p->def->applied.items;
        for (int64_t k = 0; k < p->def->applied.count; ++k) {
            apply(rigid, &applied[k], args, p, row);
        }
        damp(rigid, args, p, row);
    }
}

const mo_force_type mo_rigid_system_applied = {
    .base = {.name = "applied", .summary = "Damping and applied forces of rigid bodies."},
    .add = applied_add};

/* ---- one evaluation ---- */

typedef struct evaluation {
    const mo_rigid *rigid;
    mo_force_args args;
    mo_vec3 gravity;
    double *turning;
} evaluation;

static void add_forces(const mo_rigid_step *step, const mo_force_args *args, int64_t first,
                       int64_t last)
{
    for (int64_t row = first; row < last && row < step->added_count; ++row) {
        for (int k = 0; k < 3; ++k) {
            args->f[3 * row + k] += step->added_forces[6 * row + k];
            args->torque[3 * row + k] += step->added_forces[6 * row + 3 + k];
        }
    }
}

/* *partial: 0, or NaN if an acceleration is not finite */
static void evaluate_range(void *context, int64_t first, int64_t last, double *partial)
{
    const evaluation *e = context;
    const mo_system *s = e->rigid->system;
    const double *inverse_mass = mo_f64(s->columns.inverse_mass);
    double *f = e->args.f, *torque = e->args.torque, spoiled = 0;
    for (int64_t row = first; row < last; ++row) {
        mo_vec3_store(f + 3 * row, mo_scale(e->args.mass[row], e->gravity));
    }
    for (int k = 0; k < e->rigid->force_count; ++k) {
        const mo_force *force = &e->rigid->forces[k];
        force->type->add(force->instance, &e->args, first, last);
    }
    add_forces(&e->rigid->step, &e->args, first, last);
    mo_callbacks_add_forces(&s->callbacks, &e->args, first, last);
    for (int64_t row = first; row < last; ++row) {
        if (e->rigid->settings.dimension == 2) {
            f[3 * row + 2] = torque[3 * row] = torque[3 * row + 1] = 0;
        }
        for (int64_t k = 3 * row; k < 3 * row + 3; ++k) {
            f[k] *= inverse_mass[row];
            spoiled += f[k] - f[k] + (torque[k] - torque[k]);
        }
    }
    mo_orientation_accelerate(s, e->args.q, e->turning, first, last);
    *partial = spoiled;
}

static mo_force_args arguments_of(const mo_rigid *rigid, double time, int x, int v)
{
    const mo_segment *segment = rigid->dynamics.segment;
    const mo_particle_columns *c = &rigid->system->columns;
    return (mo_force_args){.time = time,
                           .rows = mo_store_owned(rigid->system->store),
                           .x = segment[0].slot[x],
                           .v = segment[0].slot[v],
                           .mass = mo_f64(c->mass),
                           .q = segment[1].slot[x],
                           .w = mo_f64(c->w),
                           .torque = mo_f64(c->torque)};
}

static void fail_row(mo_rigid *rigid, const mo_force_args *args, int64_t row, const char *what)
{
    mo_dynamics *d = &rigid->dynamics;
    char name[MO_PARTICLE_NAME];
    const double *x = args->x + 3 * row;
    mo_particle_name(rigid->system, row, name);
    d->status =
        mo_fail(&d->error, MOTE_ERROR_NUMERIC,
                "t = %g s: %s: %s is not finite, at x = [%g, %g, %g] m. Likely cause: a "
                "force that overflows there, or an angular velocity that the time step does "
                "not resolve; try a smaller time.step",
                args->time, name, what, x[0], x[1], x[2]);
}

static void fail_accelerations(mo_rigid *rigid, const mo_force_args *args)
{
    int64_t row = 0;
    for (; row < args->rows - 1; ++row) {
        const double *a = args->f + 3 * row, *t = args->torque + 3 * row;
        if (!isfinite(a[0] + a[1] + a[2] + t[0] + t[1] + t[2])) {
            break;
        }
    }
    fail_row(rigid, args, row, "its acceleration");
}

static void accelerate(void *context, double time, int x, int v, int a)
{
    mo_rigid *rigid = context;
    mo_dynamics *d = &rigid->dynamics;
    const mo_segment *segment = d->segment;
    mo_rigid_system_prescribe(rigid, isnan(d->prescribed_time) ? time : d->prescribed_time,
                              segment[0].slot[x], segment[0].slot[v], segment[1].slot[x],
                              segment[1].slot[v]);
    evaluation e = {.rigid = rigid,
                    .args = arguments_of(rigid, time, x, v),
                    .gravity = mo_host_gravity(rigid->system->host, time),
                    .turning = segment[1].slot[a]};
    e.args.f = segment[0].slot[a];
    for (int k = 0; k < rigid->force_count && d->status == MOTE_OK; ++k) {
        const mo_force *force = &rigid->forces[k];
        d->status = force->type->prepare
                        ? force->type->prepare(force->instance, &e.args, d->pool, &d->error)
                        : MOTE_OK;
    }
    if (d->status == MOTE_OK) {
        double spoiled;
        mo_orientation_begin(rigid->system, e.args.q, segment[1].slot[v]);
        d->status = mo_parallel_reduce(d->pool, e.args.rows, MO_FORCE_GRAIN, MO_MAX, 1,
                                       evaluate_range, &e, &spoiled, &d->error);
        if (d->status == MOTE_OK && isnan(spoiled) && !d->trial) {
            fail_accelerations(rigid, &e.args);
        }
    }
}

/* ---- kinematic bodies ---- */

void mo_rigid_system_prescribe(const mo_rigid *rigid, double time, double *x, double *v, double *q,
                               double *q_rate)
{
    const mo_body_table *table = &rigid->system->bodies;
    for (int64_t k = 0; k < rigid->prototype_count; ++k) {
        const mo_rigid_prototype *p = &rigid->prototypes[k];
        if (!p->fixed) {
            continue;
        }
        mo_pose pose = mo_motion_pose(p->motion, time);
        mo_quat turn = mo_quat_product(mo_quat_of_matrix(pose.R), p->axes.turn);
        mo_vec3 w = mo_mat3_apply_transposed(mo_quat_matrix(turn), pose.w);
        for (int64_t row = table->list[k].first; row < table->list[k].first + table->list[k].count;
             ++row) {
            mo_vec3 at = mo_pose_apply(&pose, mo_vec3_load(mo_f64(rigid->start) + 3 * row));
            mo_vec3_store(x + 3 * row, at);
            mo_vec3_store(v + 3 * row, mo_pose_velocity(&pose, at));
            mo_quat_store(q + 4 * row, turn);
            mo_quat_store(q_rate + 4 * row, mo_rotation_rate(turn, w));
        }
    }
}

/* ---- a step ---- */

static void rigid_prescribe(void *context, double time, int x, int v)
{
    const mo_rigid *rigid = context;
    const mo_segment *s = rigid->dynamics.segment;
    mo_rigid_system_prescribe(rigid, time, s[0].slot[x], s[0].slot[v], s[1].slot[x], s[1].slot[v]);
}

static mo_force_args arguments(void *context, double time, int x, int v)
{
    return arguments_of(context, time, x, v);
}

static uint64_t coupling(void *context)
{
    return mo_store_epoch(((const mo_rigid *)context)->system->store);
}

static void fail_dynamics_row(void *context, int64_t row, const char *what)
{
    mo_rigid *rigid = context;
    mo_force_args args = arguments_of(rigid, rigid->dynamics.time, MO_X, MO_V);
    fail_row(rigid, &args, row, what);
}

static void bind_newton(mo_rigid *rigid)
{
    mo_dynamics *d = &rigid->dynamics;
    if (!rigid->newton) {
        return;
    }
    mo_jacobian *j = &rigid->newton->jacobian;
    j->pool = rigid->system->host->pool;
    j->forces = rigid->forces;
    j->force_count = rigid->force_count;
    j->inverse_mass = mo_f64(rigid->system->columns.inverse_mass);
    rigid->newton->count = (mo_newton_count){0};
    d->newton = rigid->newton;
    d->prescribe = rigid_prescribe;
    d->arguments = arguments;
    d->coupling = coupling;
}

static mote_status prepare(mo_rigid *rigid, double time, mote_error *error)
{
    mo_dynamics *d = &rigid->dynamics;
    mo_integration_bind(&rigid->integration, rigid->system, d);
    d->segment_count = 2;
    MO_TRY(mo_integration_ages(rigid->system, d, error));
    d->pool = rigid->system->host->pool;
    d->context = rigid;
    d->accelerate = accelerate;
    d->fail_row = fail_dynamics_row;
    d->prescribed_time = NAN;
    bind_newton(rigid);
    d->time = time;
    d->status = MOTE_OK;
    return MOTE_OK;
}

static mote_status result(const mo_rigid *rigid, mote_error *error)
{
    const mo_dynamics *d = &rigid->dynamics;
    return d->status == MOTE_OK ? MOTE_OK : mo_fail(error, d->status, "%s", d->error.text);
}

mote_status mo_rigid_system_evaluate(mo_system *system, double time, mote_error *error)
{
    mo_rigid *rigid = system->state;
    MO_TRY(prepare(rigid, time, error));
    accelerate(rigid, time, MO_X, MO_V, MO_A);
    return result(rigid, error);
}

mote_status mo_rigid_system_advance_free(mo_rigid *rigid, const mo_step_time *now,
                                         mote_error *error)
{
    mo_system *s = rigid->system;
    const mo_particle_columns *c = &s->columns;
    MO_TRY(prepare(rigid, now->time, error));
    if (rigid->matrix) {
        MO_TRY(mo_rotation_matrix_step(rigid, now, error));
    } else {
        rigid->dynamics.step = now->step;
        ((const mo_integrator_type *)rigid->integrator.type)
            ->step(&rigid->dynamics, rigid->integrator.params, now->h);
        rigid->solved = rigid->newton ? rigid->newton->count : (mo_newton_count){0};
        MO_TRY(result(rigid, error));
        mo_orientation_finish(s);
    }
    s->evaluations = rigid->dynamics.evaluations;
    mo_rigid_system_prescribe(rigid, now->end, mo_f64(c->x), mo_f64(c->v), mo_f64(c->q),
                              mo_f64(c->q_rate));
    return MOTE_OK;
}
