/* The step of contacts and joints: islands, colours, substeps. */
#include "rigid/solver.h"

#include "rigid/ball_blocks.h"
#include "rigid/blocks.h"
#include "rigid/curvature.h"
#include "rigid/direct.h"
#include "rigid/impact.h"
#include "rigid/joint_blocks.h"

#include <math.h>

struct mo_rigid_solver {
    mo_memory *memory;
    mo_pool *pool;
    mo_rigid_solver_def def;
    mo_rigid_report report;
    mo_rigid_motion motion;
    mo_rigid_blocks blocks;
    mo_rigid_joint_blocks joint_blocks;
    mo_rigid_ball_blocks ball_blocks;
    mo_rigid_contact *contacts;
    mo_rigid_joint *joints;
    int64_t contact_count, joint_count;
    mo_rigid_islands islands;
    mo_rigid_direct direct;
    mo_rigid_impacts impacts;
    mo_rigid_curvature curvature;
    /* contacts, ball joints and other joints that the sweeps solve */
    uint8_t *swept, *swept_ball, *swept_joint;
    int64_t swept_capacity, swept_ball_capacity, swept_joint_capacity, reserved;
    int substeps; /* of this step */
};

/* Factor of the number of substeps where joints are swept: their error under a load decreases with
 * the square of the number, while more sweeps in a substep hardly change it. */
enum { SWEPT_JOINTS_FACTOR = 2 };

mo_rigid_solver_def mo_rigid_solver_default(void)
{
    return (mo_rigid_solver_def){
        .substeps = 6, .slop = 0, .recovery_speed = 3, .high_mass_ratio = 10, .bounce_speed = 0.01};
}

mote_status mo_rigid_solver_create(mo_memory *memory, mo_pool *pool, const mo_rigid_solver_def *def,
                                   mo_rigid_solver **solver, mote_error *error)
{
    mo_rigid_solver *s = mo_allocate(memory, sizeof *s);
    *solver = s;
    if (!s) {
        return mo_fail_memory(error, sizeof *s);
    }
    s->memory = memory;
    s->pool = pool;
    s->def = *def;
    s->motion.memory = s->blocks.memory = s->blocks.colors.memory = memory;
    s->islands.memory = s->direct.memory = s->direct.pattern.memory = memory;
    s->joint_blocks.memory = s->joint_blocks.colors.memory = memory;
    s->ball_blocks.memory = s->ball_blocks.colors.memory = memory;
    s->impacts.memory = s->curvature.memory = memory;
    s->impacts.slowest = def->bounce_speed;
    s->direct.exact = def->direct;
    s->direct.slop = def->slop;
    s->direct.recovery_speed = def->recovery_speed;
    return MOTE_OK;
}

void mo_rigid_solver_destroy(mo_rigid_solver *solver)
{
    if (!solver) {
        return;
    }
    mo_rigid_motion_release(&solver->motion);
    mo_rigid_blocks_release(&solver->blocks);
    mo_rigid_joint_blocks_release(&solver->joint_blocks);
    mo_rigid_ball_blocks_release(&solver->ball_blocks);
    mo_rigid_islands_release(&solver->islands);
    mo_rigid_direct_release(&solver->direct);
    mo_rigid_impacts_release(&solver->impacts);
    mo_rigid_curvature_release(&solver->curvature);
    mo_release(solver->memory, solver->swept);
    mo_release(solver->memory, solver->swept_ball);
    mo_release(solver->memory, solver->swept_joint);
    mo_release(solver->memory, solver);
}

void mo_rigid_solver_geometry(mo_rigid_solver *solver, mo_rigid_geometry geometry)
{
    solver->curvature.geometry = geometry;
}

static void activate(mo_rigid_solver *s, const int32_t body[2])
{
    for (int side = 0; side < 2; ++side) {
        if (mo_rigid_movable(&s->motion.bodies, body[side])) {
            s->motion.active[body[side]] = 1;
        }
    }
}

static bool constrains(const mo_rigid_solver *s, const int32_t body[2])
{
    return mo_rigid_movable(&s->motion.bodies, body[0]) ||
           mo_rigid_movable(&s->motion.bodies, body[1]);
}

static void measure_penetration(mo_rigid_solver *s)
{
    int64_t number = 0;
    double sum = 0, worst = 0;
    for (int64_t k = 0; k < s->contact_count; ++k) {
        const mo_rigid_contact *c = s->contacts + k;
        for (int i = 0; i < c->count; ++i) {
            if (c->gap[i] < 0) {
                ++number;
                sum -= c->gap[i];
                worst = -c->gap[i] > worst ? -c->gap[i] : worst;
            }
        }
    }
    s->report.penetration_max = worst;
    s->report.penetration_mean = number ? sum / (double)number : 0;
}

/* Room for the contacts of a pile, so that one that forms allocates nothing: about three manifolds
 * a body, and some islands that are solved directly. */
static mote_status reserve(mo_rigid_solver *s, int64_t bodies, mote_error *error)
{
    if (bodies <= s->reserved) {
        return MOTE_OK;
    }
    mote_status status = mo_rigid_blocks_reserve(&s->blocks, bodies, 3 * bodies, error);
    if (!status) {
        status = mo_rigid_islands_reserve(&s->islands, bodies, 6 * bodies, error);
    }
    if (!status) {
        status = mo_rigid_direct_reserve(&s->direct, bodies < 256 ? bodies : 256, error);
    }
    if (!status) {
        status = mo_rigid_direct_reserve_choice(&s->direct, bodies, 6 * bodies, error);
    }
    if (!status) {
        status = mo_reserve(s->memory, &s->swept, &s->swept_capacity, 6 * bodies, 1, error);
    }
    s->reserved = status ? s->reserved : bodies;
    return status;
}

/* Blocks of the joints that are not solved directly. */
static mote_status layout_joints(mo_rigid_solver *s, mote_error *error)
{
    for (int64_t k = 0; k < s->joint_count; ++k) {
        s->swept_ball[k] = s->swept_joint[k] && mo_rigid_is_ball(s->joints + k);
        s->swept_joint[k] = s->swept_joint[k] && !s->swept_ball[k];
    }
    mote_status status = mo_rigid_ball_blocks_layout(&s->ball_blocks, &s->motion, s->joints,
                                                     s->joint_count, s->swept_ball, error);
    return status ? status
                  : mo_rigid_joint_blocks_layout(&s->joint_blocks, &s->motion, s->joints,
                                                 s->joint_count, s->swept_joint, error);
}

mote_status mo_rigid_solver_begin(mo_rigid_solver *solver, const mo_rigid_bodies *bodies,
                                  mo_rigid_contact *contacts, int64_t contact_count,
                                  mo_rigid_joint *joints, int64_t joint_count, mote_error *error)
{
    mo_rigid_solver *s = solver;
    s->contacts = contacts;
    s->joints = joints;
    s->contact_count = contact_count;
    s->joint_count = joint_count;
    s->report = (mo_rigid_report){0};
    mote_status status = mo_rigid_motion_begin(&s->motion, bodies, error);
    if (!status) {
        status = reserve(s, bodies->count, error);
    }
    if (!status) {
        status = mo_reserve(s->memory, &s->swept, &s->swept_capacity, contact_count, 1, error);
    }
    if (!status) {
        status =
            mo_reserve(s->memory, &s->swept_joint, &s->swept_joint_capacity, joint_count, 1, error);
    }
    if (!status) {
        status =
            mo_reserve(s->memory, &s->swept_ball, &s->swept_ball_capacity, joint_count, 1, error);
    }
    if (status) {
        return status;
    }
    for (int64_t k = 0; k < contact_count; ++k) {
        s->swept[k] = contacts[k].count > 0 && constrains(s, contacts[k].body);
        if (s->swept[k]) {
            activate(s, contacts[k].body);
        }
    }
    for (int64_t k = 0; k < joint_count; ++k) {
        s->swept_joint[k] = constrains(s, joints[k].body);
        activate(s, joints[k].body);
    }
    status = mo_rigid_impacts_begin(&s->impacts, &s->motion, contacts, contact_count, error);
    if (!status) {
        status =
            mo_rigid_curvature_begin(&s->curvature, &s->motion, contacts, contact_count, error);
    }
    if (status) {
        return status;
    }
    mo_rigid_direct_choice choice = {s->def.direct, s->def.high_mass_ratio};
    status = mo_rigid_islands_find(&s->islands, &s->motion, contacts, contact_count, s->swept,
                                   joints, joint_count, error);
    if (!status) {
        status = mo_rigid_direct_choose(&s->direct, &s->motion, &s->islands, contacts, s->swept,
                                        joints, s->swept_joint, &choice, error);
    }
    if (status) {
        return status;
    }
    status =
        mo_rigid_blocks_layout(&s->blocks, &s->motion, contacts, contact_count, s->swept, error);
    if (!status) {
        status = layout_joints(s, error);
    }
    bool sweeps_joints = mo_rigid_order_blocks(&s->ball_blocks.order) > 0 ||
                         mo_rigid_order_blocks(&s->joint_blocks.order) > 0;
    s->substeps = s->def.substeps * (sweeps_joints ? SWEPT_JOINTS_FACTOR : 1);
    s->report.contacts = contact_count;
    s->report.colors = s->blocks.colors.colors;
    s->report.islands = s->islands.count;
    s->report.direct_islands = s->direct.count;
    measure_penetration(s);
    return status;
}

bool mo_rigid_solver_advances(const mo_rigid_solver *solver, int64_t row)
{
    return solver->motion.active[row];
}

/* Before the position phase, at the velocities after the kick. */
static void predict_curved(mo_rigid_solver *s, double h)
{
    if (s->curvature.count > 0) {
        mo_rigid_curvature_predict(&s->curvature, s->pool, h);
        mo_rigid_blocks_bend(&s->blocks, s->contacts);
    }
}

/* After the drift. */
static void refresh_curved(mo_rigid_solver *s, double h)
{
    if (s->curvature.count > 0) {
        mo_rigid_blocks_flush(&s->blocks, s->contacts, h * s->substeps);
        mo_rigid_direct_flush(&s->direct, h * s->substeps);
        mo_rigid_curvature_update(&s->curvature, s->pool, h);
        mo_rigid_blocks_refresh(&s->blocks, &s->motion, s->contacts, s->pool);
    }
}

/* `law`, `joint_law`: of contacts and of joints. */
static void substep(mo_rigid_solver *s, const mo_rigid_law *law, const mo_rigid_law *joint_law,
                    double h)
{
    s->report.impacts += mo_rigid_impacts_resolve(&s->impacts, h, h * s->substeps);
    mo_rigid_motion_first_kick(&s->motion, s->pool, h);
    predict_curved(s, h);
    mo_rigid_joint_sweep_positions(&s->joint_blocks, &s->motion, s->pool, law);
    mo_rigid_ball_sweep_positions(&s->ball_blocks, &s->motion, s->pool, joint_law);
    mo_rigid_sweep_positions(&s->blocks, &s->motion, s->pool, law);
    mo_rigid_direct_positions(&s->direct, s->pool, h);
    mo_rigid_motion_drift(&s->motion, s->pool, h);
    refresh_curved(s, h);
    mo_rigid_joint_sweep_velocities(&s->joint_blocks, &s->motion, s->pool, law);
    mo_rigid_ball_sweep_velocities(&s->ball_blocks, &s->motion, s->pool);
    mo_rigid_sweep_velocities(&s->blocks, &s->motion, s->pool, law);
    mo_rigid_direct_velocities(&s->direct, s->pool, h);
    mo_rigid_motion_end_substep(&s->motion, s->pool);
}

/* Contacts and joints of the sweeps are implicit springs in the position phase (E. Catto 2024,
 * "Solver2D", soft step): their frequency, in units of 1/s, follows the substep s, and the strong
 * damping keeps sweeps that have not converged stable. An impulse p of a phase leaves an error of p
 * s / (m (w s)^2) with the effective mass m. */
static mo_rigid_law law_of(const mo_rigid_solver *s, double substep, double frequency,
                           double damping_ratio)
{
    double ws = 2 * 3.14159265358979323846 * frequency, a = 2 * damping_ratio + ws, b = ws * a;
    return (mo_rigid_law){.inverse_substep = 1 / substep,
                          .slop = s->def.slop,
                          .recovery_rate = ws / (a * substep),
                          .recovery_speed = s->def.recovery_speed,
                          .mass_scale = b / (1 + b),
                          .impulse_scale = 1 / (1 + b)};
}

/* Errors and coordinates of joints; the partial is the largest error. */
static void measure_joints(void *context, int64_t first, int64_t last, double *partial)
{
    const mo_rigid_solver *s = context;
    *partial = 0;
    for (int64_t k = first; k < last; ++k) {
        mo_rigid_joint *joint = s->joints + k;
        mo_vec3 x[2];
        mo_quat q[2];
        mo_rigid_motion_pose(&s->motion, joint->body[0], x, q);
        mo_rigid_motion_pose(&s->motion, joint->body[1], x + 1, q + 1);
        mo_rigid_joint_measure(joint, x, q);
        *partial = joint->error > *partial ? joint->error : *partial;
    }
}

static mote_status finish_joints(mo_rigid_solver *s, mote_error *error)
{
    enum { GRAIN = 256 };
    s->report.iterations = s->direct.solves ? s->direct.iterations / (double)s->direct.solves : 0;
    return s->joint_count == 0
               ? MOTE_OK
               : mo_parallel_reduce(s->pool, s->joint_count, GRAIN, MO_MAX, 1, measure_joints, s,
                                    &s->report.joint_error, error);
}

/* Impulses of contacts and joints between steps are those of a substep of def.substeps: a step with
 * more of them starts from smaller ones. */
static void scale_impulses(mo_rigid_solver *s, double scale)
{
    for (int64_t k = 0; k < s->contact_count && scale != 1; ++k) {
        mo_rigid_contact *c = s->contacts + k;
        for (int i = 0; i < c->count; ++i) {
            c->normal_impulse[i] *= scale;
        }
        c->friction = mo_scale(scale, c->friction);
        c->rolling = mo_scale(scale, c->rolling);
        c->twist *= scale;
    }
    for (int64_t k = 0; k < s->joint_count && scale != 1; ++k) {
        for (int i = 0; i < MO_JOINT_ROWS; ++i) {
            s->joints[k].impulse[i] *= scale;
        }
    }
}

mote_status mo_rigid_solver_advance(mo_rigid_solver *solver, double h, mote_error *error)
{
    mo_rigid_solver *s = solver;
    double part = h / s->substeps, scale = s->def.substeps / (double)s->substeps;
    mo_rigid_law law = law_of(s, part, 0.09, 10), joint_law = law_of(s, part, 0.2, 2);
    for (int64_t k = 0; k < s->contact_count; ++k) {
        s->contacts[k].force = s->contacts[k].torque = (mo_vec3){0, 0, 0};
    }
    scale_impulses(s, scale);
    mo_rigid_motion_pack(&s->motion, s->pool);
    mo_rigid_curvature_select(&s->curvature, s->pool, h);
    mo_rigid_blocks_prepare(&s->blocks, &s->motion, s->contacts, s->pool);
    mo_rigid_direct_prepare(&s->direct, s->pool, part);
    mo_rigid_joint_blocks_prepare(&s->joint_blocks, &s->motion, s->joints, &joint_law, s->pool);
    mo_rigid_ball_blocks_prepare(&s->ball_blocks, &s->motion, s->joints, s->pool);
    mo_rigid_sweep_warm(&s->blocks, &s->motion, s->pool);
    mo_rigid_joint_sweep_warm(&s->joint_blocks, &s->motion, s->pool);
    mo_rigid_ball_sweep_warm(&s->ball_blocks, &s->motion, s->pool);
    for (int k = 0; k < s->substeps; ++k) {
        substep(s, &law, &joint_law, part);
    }
    mo_rigid_blocks_finish(&s->blocks, s->contacts, h, s->pool);
    mo_rigid_direct_finish(&s->direct, h);
    mo_rigid_joint_blocks_finish(&s->joint_blocks, &s->motion, s->joints, h, s->pool);
    mo_rigid_ball_blocks_finish(&s->ball_blocks, s->joints, h, s->pool);
    mo_rigid_motion_unpack(&s->motion, s->pool);
    scale_impulses(s, 1 / scale);
    return finish_joints(s, error);
}

const mo_rigid_report *mo_rigid_solver_report(const mo_rigid_solver *solver)
{
    return &solver->report;
}
