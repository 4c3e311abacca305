/* Joints of rigid bodies, on arrays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rigid_world.h"

static const double STEP = 1.0 / 60, G = 9.81, PI = 3.14159265358979323846;
static const mo_vec3 Y = {0, 1, 0}, Z = {0, 0, 1};

static mo_rigid_joint *join(rigid_world *world, mo_rigid_joint_kind kind, int first, int second,
                            mo_vec3 point, mo_vec3 other, mo_vec3 axis)
{
    const int32_t body[2] = {first, second};
    mo_vec3 x[2] = {{0, 0, 0}, {0, 0, 0}};
    mo_quat q[2] = {{1, 0, 0, 0}, {1, 0, 0, 0}};
    for (int side = 0; side < 2; ++side) {
        if (body[side] >= 0) {
            x[side] = at_row(world->x, body[side]);
            q[side] = mo_quat_load(world->q + 4 * body[side]);
        }
    }
    mo_rigid_joint *joint = &world->joint[world->joints++];
    *joint = mo_rigid_joint_make(kind, body, x, q, point, other, axis);
    return joint;
}

static void run(rigid_world *world, double time)
{
    for (int k = 0; k < (int)lround(time / STEP); ++k) {
        world_step(world, STEP, NULL);
    }
}

static double energy(const rigid_world *world)
{
    double sum = 0;
    for (int k = 0; k < world->bodies.count; ++k) {
        mo_vec3 v = at_row(world->v, k), i = at_row(world->inverse_moments, k);
        mo_mat3 r = mo_quat_matrix(mo_quat_load(world->q + 4 * k));
        mo_vec3 w = mo_mat3_apply_transposed(r, at_row(world->w, k));
        double m = 1 / world->inverse_mass[k];
        sum += m * (0.5 * mo_dot(v, v) - mo_dot(world->gravity, at_row(world->x, k)));
        sum += 0.5 * (w.x * w.x / i.x + w.y * w.y / i.y + w.z * w.z / i.z);
    }
    return sum;
}

static mo_vec3 angular_momentum(const rigid_world *world)
{
    mo_vec3 sum = {0, 0, 0};
    for (int k = 0; k < world->bodies.count; ++k) {
        mo_vec3 i = at_row(world->inverse_moments, k);
        mo_mat3 t = mo_rigid_turned_diagonal(mo_quat_matrix(mo_quat_load(world->q + 4 * k)),
                                             mo_vec3_make(1 / i.x, 1 / i.y, 1 / i.z));
        mo_vec3 p = mo_scale(1 / world->inverse_mass[k], at_row(world->v, k));
        sum = mo_add(
            sum, mo_add(mo_mat3_apply(t, at_row(world->w, k)), mo_cross(at_row(world->x, k), p)));
    }
    return sum;
}

/* ---- chains ---- */

static rigid_world *hanging_chain(int links, double weight)
{
    rigid_world *world = world_make(1, NULL);
    for (int k = 0; k < links; ++k) {
        add_box(world, mo_vec3_make(0, 0, -0.2 * k - 0.1), mo_vec3_make(0.02, 0.02, 0.1), 1);
        join(world, MO_JOINT_BALL, k, k - 1, mo_vec3_make(0, 0, -0.2 * k), Z, Z);
    }
    add_sphere(world, mo_vec3_make(0, 0, -0.2 * links - 0.3), 0.3, weight);
    join(world, MO_JOINT_BALL, links, links - 1, mo_vec3_make(0, 0, -0.2 * links), Z, Z);
    return world;
}

static void a_loaded_chain_keeps_its_length(void **state)
{
    (void)state;
    rigid_world *world = hanging_chain(50, 1000);
    world->v[3 * 50] = 2; /* it swings */
    double longest = 0, error = 0;
    for (int k = 0; k < 300; ++k) {
        world_step(world, STEP, NULL);
        longest = fmax(longest, mo_length(at_row(world->x, 50)));
        error = fmax(error, mo_rigid_solver_report(world->solver)->joint_error);
    }
    assert_true(longest < 10.3 * 1.0001);
    assert_true(error < 1e-4);
    world_destroy(world);
}

static void forces_of_joints_are_the_weight_below(void **state)
{
    (void)state;
    rigid_world *world = hanging_chain(5, 20);
    run(world, 1);
    for (int k = 0; k <= 5; ++k) {
        mo_vec3 force = world->joint[k].force;
        assert_true(fabs(force.z / (G * (20 + 5 - k)) - 1) < 1e-6);
        assert_true(fabs(force.x) + fabs(force.y) + mo_length(world->joint[k].torque) < 1e-4);
    }
    world_destroy(world);
}

/* ---- pendulums ---- */

static rigid_world *pendulum(int bobs, const mo_rigid_solver_def *def, mo_rigid_joint_kind kind)
{
    rigid_world *world = world_make(1, def);
    for (int k = 0; k < bobs; ++k) {
        add_sphere(world, mo_vec3_make(k + 1, 0, 0), 0.01, 1);
        join(world, kind, k, k - 1, mo_vec3_make(k, 0, 0), mo_vec3_make(0, 0, 0), Y);
    }
    return world;
}

/* The period at an amplitude of 90 degrees is 4 K(sin 45 degrees) sqrt(l / g). */
static double measured_period(rigid_world *world, double h, int half_periods)
{
    double first = -1, last = -1;
    int count = 0;
    for (int k = 0; count <= half_periods; ++k) {
        double before = world->x[0];
        world_step(world, h, NULL);
        if ((before > 0) != (world->x[0] > 0)) {
            last = h * (k + before / (before - world->x[0]));
            first = count++ ? first : last;
        }
    }
    return 2 * (last - first) / half_periods;
}

static void pendulums_have_their_period(void **state)
{
    (void)state;
    double exact = 7.416298709205487 * sqrt((1 + 0.4 * 0.01 * 0.01) / G);
    const mo_rigid_joint_kind kinds[] = {MO_JOINT_BALL, MO_JOINT_HINGE, MO_JOINT_DISTANCE};
    for (int k = 0; k < 3; ++k) {
        rigid_world *world = pendulum(1, NULL, kinds[k]);
        if (kinds[k] == MO_JOINT_DISTANCE) { /* a rod to the centre of the bob */
            world->joints = 0;
            join(world, kinds[k], 0, -1, at_row(world->x, 0), mo_vec3_make(0, 0, 0), Y);
            exact = 7.416298709205487 * sqrt(1 / G);
        }
        assert_true(fabs(measured_period(world, STEP, 8) / exact - 1) < 1e-3);
        world_destroy(world);
    }
}

/* The discrete energy of RATTLE oscillates and does not drift. */
static void direct_keeps_the_energy_of_pendulums(void **state)
{
    (void)state;
    mo_rigid_solver_def def = mo_rigid_solver_default();
    def.direct = true;
    def.substeps = 1;
    for (int bobs = 1; bobs <= 2; ++bobs) {
        rigid_world *world = pendulum(bobs, &def, MO_JOINT_HINGE);
        double worst = 0;
        for (int k = 0; k < 60 * 240; ++k) {
            world_step(world, 1.0 / 240, NULL);
            worst = fmax(worst, fabs(energy(world)));
        }
        assert_true(worst < (bobs == 1 ? 1e-3 : 1e-2) * G);
        assert_true(world->joint[0].error < 1e-11);
        assert_true(mo_rigid_solver_report(world->solver)->iterations > 0);
        world_destroy(world);
    }
}

/* ---- free chains ---- */

static void free_chains_conserve_momentum(void **state)
{
    (void)state;
    rigid_world *world = world_make(1, NULL);
    world->gravity = mo_vec3_make(0, 0, 0);
    for (int k = 0; k < 6; ++k) {
        int row = add_box(world, mo_vec3_make(0.5 * k, 0, 0), mo_vec3_make(0.25, 0.1, 0.05), 1 + k);
        mo_vec3_store(world->v + 3 * row, mo_vec3_make(0.1 * k, 1 - 0.3 * k, 0.2));
        mo_vec3_store(world->w + 3 * row, mo_vec3_make(1, 0.5 * k, -2));
        if (k) {
            join(world, k % 2 ? MO_JOINT_BALL : MO_JOINT_HINGE, k, k - 1,
                 mo_vec3_make(0.5 * k - 0.25, 0, 0), Z, Y);
        }
    }
    world_step(world, STEP, NULL); /* the start violates the joints' velocities */
    mo_vec3 before = angular_momentum(world);
    run(world, 2);
    assert_true(mo_length(mo_sub(angular_momentum(world), before)) < 1e-9 * mo_length(before));
    world_destroy(world);
}

/* A ring of bodies has redundant joints. */
static void a_closed_loop_of_fixed_joints_is_one_body(void **state)
{
    (void)state;
    rigid_world *world = world_make(1, NULL);
    const mo_vec3 corner[4] = {{0.5, 0.5, 0}, {-0.5, 0.5, 0}, {-0.5, -0.5, 0}, {0.5, -0.5, 0}};
    for (int k = 0; k < 4; ++k) {
        add_sphere(world, corner[k], 0.2, 1 + k);
        mo_vec3_store(world->w + 3 * k, Z);
        mo_vec3_store(world->v + 3 * k, mo_cross(Z, corner[k]));
    }
    for (int k = 0; k < 4; ++k) {
        join(world, MO_JOINT_FIXED, k, (k + 1) % 4, corner[k], Z, Z);
    }
    run(world, 2);
    for (int k = 0; k < 4; ++k) {
        mo_vec3 d = mo_sub(at_row(world->x, k), at_row(world->x, (k + 1) % 4));
        assert_true(fabs(mo_length(d) - 1) < 1e-5);
        assert_true(fabs(world->w[3 * k + 2] - 1) < 1e-4);
    }
    world_destroy(world);
}

/* ---- limits, motors, springs ---- */

static rigid_world *door(void)
{
    rigid_world *world = world_make(1, NULL);
    world->gravity = mo_vec3_make(0, 0, 0);
    add_box(world, mo_vec3_make(0.5, 0, 0), mo_vec3_make(0.5, 0.05, 1), 12);
    join(world, MO_JOINT_HINGE, 0, -1, mo_vec3_make(0, 0, 0), Z, Z);
    return world;
}

/* About its edge; the box is 1 m wide and 0.1 m thick. */
static const double DOOR_MOMENT = 12 * (1.0 + 0.01) / 12 + 12 * 0.25;

static void limits_stop_a_hinge(void **state)
{
    (void)state;
    rigid_world *world = door();
    world->joint[0].limited = true;
    world->joint[0].lower = -0.5;
    world->joint[0].upper = 1;
    mo_vec3_store(world->w, mo_vec3_make(0, 0, 3));
    mo_vec3_store(world->v, mo_vec3_make(0, 1.5, 0));
    double largest = 0;
    for (int k = 0; k < 60; ++k) {
        world_step(world, STEP, NULL);
        largest = fmax(largest, world->joint[0].coordinate);
    }
    assert_true(largest < 1 + 1e-4 && largest > 1 - 1e-3);
    assert_true(fabs(world->w[2]) < 1e-6);
    world_destroy(world);
}

static void a_motor_turns_a_hinge(void **state)
{
    (void)state;
    rigid_world *world = door();
    world->joint[0].motor = true;
    world->joint[0].motor_speed = 4;
    world->joint[0].motor_maximum = 6;
    run(world, 1); /* torque / moment of inertia */
    assert_true(fabs(world->w[2] / (6 / DOOR_MOMENT) - 1) < 1e-3);
    assert_true(fabs(world->joint[0].torque.z - 6) < 1e-2);
    run(world, 3);
    assert_true(fabs(world->w[2] - 4) < 1e-6);
    assert_true(world->joint[0].coordinate > 2 * PI); /* followed beyond a turn */
    world_destroy(world);
}

static rigid_world *oscillator(mo_rigid_joint_kind kind, double frequency, double damping_ratio)
{
    rigid_world *world = world_make(1, NULL);
    world->gravity = mo_vec3_make(0, 0, 0);
    add_sphere(world, mo_vec3_make(0, 0, 1), 0.1, 2);
    mo_rigid_joint *joint =
        join(world, kind, 0, -1, mo_vec3_make(0, 0, 1), mo_vec3_make(0, 0, 0), Z);
    joint->frequency = frequency;
    joint->damping_ratio = damping_ratio;
    joint->rest = kind == MO_JOINT_DISTANCE ? 1 : 0;
    world->x[2] = 1.1;
    return world;
}

static void springs_have_their_frequency(void **state)
{
    (void)state;
    const mo_rigid_joint_kind kinds[] = {MO_JOINT_SLIDER, MO_JOINT_DISTANCE, MO_JOINT_BALL};
    for (int k = 0; k < 3; ++k) {
        rigid_world *world = oscillator(kinds[k], 1, 0);
        run(world, 10);
        assert_true(fabs(world->x[2] - 1.1) < 2e-4);
        run(world, 0.5);
        assert_true(fabs(world->x[2] - 0.9) < 2e-4);
        world_destroy(world);
    }
}

static void springs_have_their_damping(void **state)
{
    (void)state;
    double z = 0.1, omega = 2 * PI;
    rigid_world *world = oscillator(MO_JOINT_SLIDER, 1, z);
    run(world, 3);
    double phase = omega * sqrt(1 - z * z) * 3;
    double exact = 0.1 * exp(-z * omega * 3) * (cos(phase) + z / sqrt(1 - z * z) * sin(phase));
    assert_true(fabs((world->x[2] - 1) / exact - 1) < 0.01);
    world_destroy(world);

    world = oscillator(MO_JOINT_DISTANCE, 2000, 1); /* far above the frequency of substeps */
    run(world, 1);
    assert_true(fabs(world->x[2] - 1) < 1e-6);
    world_destroy(world);
}

static void a_rope_only_pulls(void **state)
{
    (void)state;
    rigid_world *world = world_make(1, NULL);
    add_sphere(world, mo_vec3_make(0, 0, -0.5), 0.1, 2);
    mo_rigid_joint *joint =
        join(world, MO_JOINT_DISTANCE, 0, -1, mo_vec3_make(0, 0, -0.5), mo_vec3_make(0, 0, 0), Z);
    joint->rope = true;
    joint->limited = true;
    joint->upper = 1;
    run(world, 0.25); /* falls without resistance */
    assert_true(fabs(world->x[2] + 0.5 + 0.5 * G * 0.25 * 0.25) < 1e-9);
    assert_true(mo_length(world->joint[0].force) < 1e-12);
    run(world, 2);
    assert_true(fabs(world->x[2] + 1) < 1e-4);
    assert_true(fabs(world->joint[0].force.z - 2 * G) < 1e-6 * G);
    world_destroy(world);
}

static void a_cantilever_has_its_moment(void **state)
{
    (void)state;
    rigid_world *world = world_make(1, NULL);
    add_box(world, mo_vec3_make(0.5, 0, 0), mo_vec3_make(0.5, 0.1, 0.1), 4);
    add_box(world, mo_vec3_make(1.5, 0, 0), mo_vec3_make(0.5, 0.1, 0.1), 4);
    join(world, MO_JOINT_FIXED, 0, -1, mo_vec3_make(0, 0, 0), Z, Z);
    join(world, MO_JOINT_FIXED, 1, 0, mo_vec3_make(1, 0, 0), Z, Z);
    run(world, 1);
    assert_true(fabs(world->x[5]) < 1e-6);
    assert_true(fabs(world->joint[0].force.z / (8 * G) - 1) < 1e-6);
    assert_true(fabs(world->joint[0].torque.y / (-8 * G) - 1) < 1e-6);
    assert_true(fabs(world->joint[1].torque.y / (-2 * G) - 1) < 1e-6);
    world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loaded_chain_keeps_its_length),
        cmocka_unit_test(forces_of_joints_are_the_weight_below),
        cmocka_unit_test(pendulums_have_their_period),
        cmocka_unit_test(direct_keeps_the_energy_of_pendulums),
        cmocka_unit_test(free_chains_conserve_momentum),
        cmocka_unit_test(a_closed_loop_of_fixed_joints_is_one_body),
        cmocka_unit_test(limits_stop_a_hinge),
        cmocka_unit_test(a_motor_turns_a_hinge),
        cmocka_unit_test(springs_have_their_frequency),
        cmocka_unit_test(springs_have_their_damping),
        cmocka_unit_test(a_rope_only_pulls),
        cmocka_unit_test(a_cantilever_has_its_moment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
