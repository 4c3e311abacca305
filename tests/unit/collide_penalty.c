/*
 * The contact law `penalty` (src/collide/law/penalty.c) compared with closed forms: static
 * penetration, restitution, energy, order, friction on a slope and on a conveyor, periodic images,
 * the Jacobian; and its friction anchors: bitwise identical on any number of threads and after a
 * resume.
 */
#include "refusals.h"

#include "system/forces/state.h"
#include "world/world.h"

#include <math.h>

static const double G = 9.81;

/* A particle of 2 kg and 0.1 m above the ground; %s: more of the scene, %s: of the collider. */
#define PARTICLE(position, velocity) \
    " \"bodies\": [{\"mass\": 2, \"radius\": 0.1, \"velocity\": " velocity "," \
    "   \"mesh\": {\"type\": \"points\", \"positions\": [" position "]}}],"
#define GROUND "\"shape\": {\"type\": \"plane\", \"point\": [0, 0, 0], \"normal\": [0, 0, 1]}"
#define PENALTY(k) "\"contact\": {\"type\": \"penalty\", \"stiffness\": " k "}"

static double height(const mote_world *world)
{
    return numbers_of(world, "x")[2];
}

static void particle_at_rest_penetrates_by_its_weight(void **state)
{
    (void)state;
    mote_world *world = world_of("{\"time\": {\"end\": 5, \"step\": 0.0005}," PARTICLE(
                                     "[0, 0, 0.2]", "[0, 0, 0]") " \"colliders\": [{" GROUND
                                                                 ", " PENALTY("1e4") "}]}",
                                 1);
    advance_to(world, 3);
    assert_near(height(world), 0.1 - 2 * G / 1e4, 1e-12);
    assert_near(numbers_of(world, "v")[2], 0, 1e-12);
    mote_measures m = measures_of(world); /* 1/2 k d^2 */
    assert_near(m.elastic, 0.5 * 2 * G * 2 * G / 1e4, 1e-9);
    mote_world_destroy(world);
}

/* The default stiffness: an undamped impact at the speed of the fall penetrates by 0.1 radius. */
static void default_stiffness_follows_from_the_fall(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"time\": {\"end\": 5, \"step\": {\"type\": \"cfl\", \"max\": 0.01}}, \"integrator\": \"rk4\"," //
        PARTICLE("[0, 0, 1.1]", "[0, 0, 0]") " \"colliders\": [{" GROUND
                                             ", \"restitution\": 1, \"contact\": \"penalty\"}]}",
        1);
    double lowest = 1;
    mote_step_report report = {0};
    mote_error error = {0};
    while (report.time < 0.6) {
        need(mote_world_step(world, &report, &error), &error, "step");
        lowest = fmin(lowest, height(world));
    }
    assert_near(lowest, 0.1 - 0.01, 2e-4);
    assert_int_equal(mote_world_warning_count(world), 0);
    mote_world_destroy(world);
}

/* The ratio of the speeds after and before an impact. */
static double measured_restitution(double e)
{
    mote_world *world = world_printf(
        1,
        "{\"time\": {\"end\": 5, \"step\": 0.00002}, \"gravity\": [0, 0, 0], \"integrator\": \"rk4\"," //
        PARTICLE("[0, 0, 0.101]", "[0, 0, -2]") " \"colliders\": [{" GROUND
                                                ", \"restitution\": %.17g, " PENALTY("1e5") "}]}",
        e);
    advance_to(world, 0.1);
    double after = numbers_of(world, "v")[2] / 2;
    mote_world_destroy(world);
    return after;
}

static void impact_has_the_coefficient_of_restitution(void **state)
{
    static const double E[] = {1, 0.9, 0.5, 0.2};
    (void)state;
    for (size_t k = 0; k < sizeof E / sizeof *E; ++k) {
        double e = measured_restitution(E[k]);
        print_message("restitution %g: measured %.5f\n", E[k], e);
        assert_near(e, E[k], 0.01 * E[k]);
    }
    assert_near(measured_restitution(0), exp(-2), 0.01 * exp(-2)); /* critical damping */
}

static void undamped_bounces_keep_the_energy(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"time\": {\"end\": 50, \"step\": 0.0005}, \"integrator\": \"velocity_verlet\"," //
        PARTICLE("[0, 0, 0.4]", "[0, 0, 0]") " \"colliders\": [{" GROUND
                                             ", \"restitution\": 1, " PENALTY("1e4") "}]}",
        1);
    mote_measures m = measures_of(world);
    double start = m.kinetic + m.potential + m.elastic, early = 0, late = 0;
    for (int k = 0; k < 10000; ++k) {
        step_by(world, 1);
        m = measures_of(world);
        double off = fabs(m.kinetic + m.potential + m.elastic - start) / start;
        *(k < 5000 ? &early : &late) = fmax(k < 5000 ? early : late, off);
    }
    print_message("energy error: first half %.2e, second half %.2e\n", early, late);
    assert_true(early < 2e-3 && late < 2e-3);
    assert_int_equal(mote_world_warning_count(world), 0);
    mote_world_destroy(world);
}

/* ---- order ---- */

/* A damped oscillation about the static depth, in permanent contact. */
static const char IN_CONTACT[] =
    "{\"time\": {\"end\": 1, \"step\": 0.01}, \"integrator\": \"rk4\"," //
    PARTICLE("[0, 0, 0.0900]",
             "[0, 0, 0]") " \"colliders\": [{" GROUND ", \"contact\": {\"type\": "
                          "\"penalty\", \"stiffness\": 1000, \"damping\": 0.1}}]}";

static double oscillation(double t)
{
    double k = 1000, m = 2, omega = sqrt(k / m), decay = 0.1 * omega, turn = sqrt(0.99) * omega;
    double rest = 0.1 - m * G / k, start = 0.09 - rest;
    return rest + start * exp(-decay * t) * (cos(turn * t) + decay / turn * sin(turn * t));
}

static double oscillation_error(int steps)
{
    double end = 0.7, omega = sqrt(1000.0 / 2), by = 1e-6;
    mote_world *world = world_with_integrator(IN_CONTACT, NULL, end / steps);
    step_by(world, steps);
    double speed = (oscillation(end + by) - oscillation(end - by)) / (2 * by);
    double error =
        hypot(height(world) - oscillation(end), (numbers_of(world, "v")[2] - speed) / omega);
    mote_world_destroy(world);
    return error;
}

/* Particles fall with drag and bounce, from heights with impacts at all phases of a step. */
#define FALL(height) "[0, 0, " height "]"
static const char WITH_DRAG[] =
    "{\"time\": {\"end\": 1, \"step\": 0.01}, \"integrator\": \"rk4\","
    " \"forces\": [{\"type\": \"damping_point\", \"g\": 0.25}]," PARTICLE(
        FALL("0.51") "," FALL("0.53") "," FALL("0.57") "," FALL("0.59") "," FALL("0.61") "," FALL(
            "0.67") "," FALL("0.71") "," FALL("0.73"),
        "[0, 0, 0]") " \"colliders\": [{" GROUND ", \"restitution\": 0.9}]}";

/* Height and speed after a time with drag: v' = -g - rate v. */
static double with_drag(double z, double v, double rate, double t, double *speed)
{
    double end = G / rate, part = exp(-rate * t);
    *speed = (v + end) * part - end;
    return z + (v + end) * (1 - part) / rate - end * t;
}

static double fall_and_bounce(double z, double end)
{
    double rate = 1, low = 0, high = end, speed; /* 0.25 kg/s on 0.25 kg each */
    for (int k = 0; k < 60; ++k) {
        double middle = 0.5 * (low + high);
        *(with_drag(z, 0, rate, middle, &speed) > 0.1 ? &low : &high) = middle;
    }
    with_drag(z, 0, rate, low, &speed);
    return with_drag(0.1, -0.9 * speed, rate, end - low, &speed);
}

static double bounce_error(int steps)
{
    double end = 0.6, sum = 0;
    mote_world *world = world_with_integrator(WITH_DRAG, NULL, end / steps);
    double start[8];
    for (int k = 0; k < 8; ++k) {
        start[k] = numbers_of(world, "x")[3 * k + 2];
    }
    step_by(world, steps);
    for (int k = 0; k < 8; ++k) {
        sum += pow(numbers_of(world, "x")[3 * k + 2] - fall_and_bounce(start[k], end), 2);
    }
    mote_world_destroy(world);
    return sqrt(sum / 8);
}

static void rk4_evaluates_contact_in_every_stage(void **state)
{
    (void)state;
    double penalty = log2(oscillation_error(200) / oscillation_error(400));
    double bounce = log2(bounce_error(100) / bounce_error(1600)) / 4;
    print_message("order of rk4: penalty %.3f, bounce %.3f\n", penalty, bounce);
    assert_true(penalty >= 3.9);
    assert_true(bounce < 3);
}

/* ---- friction ---- */

/* A slope of `tangent`; the particle starts on it, in static contact along the normal. */
static mote_world *on_incline(double tangent, const char *integrator, double step)
{
    double c = 1 / sqrt(1 + tangent * tangent), s = tangent * c, d = 0.1 - 2 * G * c / 1e5;
    return world_printf(
        1,
        "{\"time\": {\"end\": 20, \"step\": %.17g}, \"integrator\": \"%s\","
        " \"bodies\": [{\"mass\": 2, \"radius\": 0.1, \"mesh\": {\"type\": \"points\", "
        "\"positions\": [[%.17g, 0, %.17g]]}}],"
        " \"colliders\": [{\"shape\": {\"type\": \"plane\", \"point\": [0, 0, 0], \"normal\": [%.17g, 0, "
        "%.17g]}, \"friction\": 0.5, \"restitution\": 0.3, " PENALTY("1e5") "}]}",
        step, integrator, d * s, d * c, s, c);
}

static double along(const double *vector, double tangent)
{
    double c = 1 / sqrt(1 + tangent * tangent);
    return vector[0] * c - vector[2] * tangent * c;
}

static void particle_below_the_friction_angle_does_not_creep(void **state)
{
    static const char *const SCHEMES[] = {"symplectic_euler", "velocity_verlet", "rk4",
                                          "implicit_euler"};
    (void)state;
    for (size_t k = 0; k < sizeof SCHEMES / sizeof *SCHEMES; ++k) {
        mote_world *world = on_incline(0.45, SCHEMES[k], 0.0005);
        advance_to(world, 1);
        double before = along(numbers_of(world, "x"), 0.45);
        advance_to(world, 11);
        double creep = along(numbers_of(world, "x"), 0.45) - before;
        print_message("%s: creep in 10 s %.2e m\n", SCHEMES[k], creep);
        assert_true(fabs(creep) < 1e-9);
        mote_world_destroy(world);
    }
}

static void particle_above_the_friction_angle_slides(void **state)
{
    static const char *const SCHEMES[] = {"symplectic_euler", "velocity_verlet", "rk4",
                                          "implicit_euler"};
    (void)state;
    double tangent = 0.8, c = 1 / sqrt(1 + tangent * tangent),
           expected = G * (tangent * c - 0.5 * c);
    for (size_t k = 0; k < sizeof SCHEMES / sizeof *SCHEMES; ++k) {
        mote_world *world = on_incline(tangent, SCHEMES[k], 0.0005);
        advance_to(world, 0.5);
        double before = along(numbers_of(world, "v"), tangent);
        advance_to(world, 1.5);
        double a = along(numbers_of(world, "v"), tangent) - before;
        print_message("%s: acceleration %.5f, closed form %.5f\n", SCHEMES[k], a, expected);
        assert_near(a, expected, 0.01 * expected);
        mote_world_destroy(world);
    }
}

/* A conveyor: mu g until the particle moves with it, then it sticks to the belt. */
static void anchors_move_with_the_collider(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"time\": {\"end\": 9, \"step\": 0.0002}, \"integrator\": \"velocity_verlet\"," //
        PARTICLE(
            "[0, 0, 0.0999]",
            "[0, 0, 0]") " \"colliders\": [{" GROUND
                         ", \"friction\": 0.2, \"restitution\": 0.3, " PENALTY(
                             "1e5") ", \"motion\": {\"type\": \"translate\", \"velocity\": [1, 0, 0]}}]}",
        1);
    advance_to(world, 0.25);
    double early = numbers_of(world, "v")[0];
    assert_near(early, 0.2 * G * 0.25, 0.01 * early);
    advance_to(world, 2);
    double x = numbers_of(world, "x")[0];
    advance_to(world, 4);
    assert_near(numbers_of(world, "x")[0] - x, 2, 1e-9);
    assert_near(numbers_of(world, "v")[0], 1, 1e-9);
    mote_world_destroy(world);
}

/* The reaction of the ground is the rate of momentum minus the weight, and opposes slip. */
static void reaction_balances_weight_and_friction(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"time\": {\"end\": 9, \"step\": 0.0002}, \"integrator\": \"velocity_verlet\"," //
        PARTICLE("[0, 0, 0.0998], [1, 0, 0.0998]",
                 "[3, 0, 0]") " \"colliders\": [{" GROUND
                              ", \"friction\": 0.2, " PENALTY("1e5") "}]}",
        1);
    advance_to(world, 0.2);
    mote_measures before = measures_of(world);
    advance_to(world, 1.2);
    mote_measures after = measures_of(world);
    assert_near(after.momentum[0] - before.momentum[0], -0.2 * 2 * G, 1e-3);
    assert_near(after.momentum[1], 0, 1e-15);
    assert_near(after.momentum[2], 0, 1e-9);
    mote_world_destroy(world);
}

/* ---- periodic and plane ---- */

static void friction_continues_across_a_periodic_border(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"time\": {\"end\": 9, \"step\": 0.0002}, \"integrator\": \"velocity_verlet\","
        " \"domain\": {\"min\": [0, 0, 0], \"max\": [1, 1, 1], \"periodic\": \"xy\"}," //
        PARTICLE("[0.5, 0.5, 0.09981]",
                 "[3, 0, 0]") " \"colliders\": [{" GROUND
                              ", \"friction\": 0.2, \"restitution\": 0.3, " PENALTY("1e5") "}]}",
        1);
    advance_to(world, 1);
    assert_near(numbers_of(world, "v")[0], 3 - 0.2 * G, 0.01);
    assert_near(numbers_of(world, "x")[0], 0.5 + 3 - 0.1 * G, 0.01);
    mote_world_destroy(world);
}

/* A box across the domain boundary: its image supports a particle on the other side. */
static void particles_collide_with_the_image_of_a_collider(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"time\": {\"end\": 9, \"step\": 0.0005},"
        " \"domain\": {\"min\": [0, 0, 0], \"max\": [1, 1, 1], \"periodic\": \"xy\"}," //
        PARTICLE(
            "[0.1, 0.5, 0.4], [0.9, 0.5, 0.4], [3.1, 0.5, 0.4]",
            "[0, 0, 0]") " \"colliders\": [{\"shape\": {\"type\": \"box\", \"min\": [0.7, 0.3, "
                         "0], \"max\": [1.3, 0.7, "
                         "0.2]}, \"friction\": 0.5, " PENALTY("1e4") "}]}",
        1);
    advance_to(world, 2);
    for (int k = 0; k < 3; ++k) { /* 2/3 kg each */
        assert_near(numbers_of(world, "x")[3 * k + 2], 0.3 - 2.0 / 3 * G / 1e4, 1e-9);
    }
    mote_world_destroy(world);
}

static void plane_motion_stays_in_its_plane(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"time\": {\"end\": 9, \"step\": 0.0005}, \"up\": \"y\","
        " \"bodies\": [{\"radius\": 0.1, \"velocity\": [0.3, 0, 0], \"mesh\": {\"type\": \"points\", "
        "\"positions\": [[0.1, 1.5, 0]]}}],"
        " \"colliders\": [{\"shape\": {\"type\": \"sphere\", \"center\": [0, 0, 0], \"radius\": 1}, "
        "\"friction\": 0.3, \"restitution\": 0.5, " PENALTY("1e4") "}]}",
        1);
    for (int k = 0; k < 2000; ++k) {
        step_by(world, 1);
        assert_true(numbers_of(world, "x")[2] == 0 && numbers_of(world, "v")[2] == 0);
    }
    assert_true(numbers_of(world, "x")[0] > 0.12);
    mote_world_destroy(world);
}

/* ---- implicit schemes, static equilibrium ---- */

/* Friction of a linearised step has the normal force at its start, which in an impact is far above
 * the mean over a step of three contact durations; it may end the slip of a node but not reverse
 * it. */
static void implicit_friction_adds_no_energy(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"time\": {\"end\": 1, \"step\": 0.002}, \"integrator\": \"implicit_euler\","
        " \"bodies\": [{\"density\": 1000, \"velocity\": [2, 0, 0], \"mesh\": {\"type\": \"block\","
        "   \"min\": [0, 0, 0.05], \"max\": [0.2, 0.2, 0.25], \"nx\": 5, \"ny\": 5, \"nz\": 5,"
        "   \"tetrahedra\": 5}, \"model\": {\"type\": \"fem\", \"material\": {\"type\": \"stvk\","
        "   \"young\": 2e4, \"poisson\": 0.3}}}],"
        " \"colliders\": [{\"shape\": {\"type\": \"plane\"}, \"friction\": 0.5,"
        "   \"contact\": {\"type\": \"penalty\", \"stiffness\": 1e6}}]}",
        1);
    mote_measures m = measures_of(world);
    double start = m.kinetic + m.potential + m.elastic, most = start;
    for (int step = 0; step < 300; ++step) {
        step_by(world, 1);
        m = measures_of(world);
        most = fmax(most, m.kinetic + m.potential + m.elastic);
    }
    print_message("energy %.4g J at the start, %.4g J at most\n", start, most);
    assert_true(most < 1.15 * start); /* 35,000 times without the damping along the slip */
    mote_world_destroy(world);
}

static void stiff_contact_is_stable_with_implicit_euler(void **state)
{
    (void)state;
    mote_world *world =
        world_of("{\"time\": {\"end\": 9, \"step\": 0.01}, \"integrator\": \"implicit_euler\"," //
                 PARTICLE("[0, 0, 0.3], [0.5, 0, 0.5], [1, 0, 1]",
                          "[0.5, 0, 0]") " \"colliders\": [{" GROUND
                                         ", \"friction\": 0.3, " PENALTY("1e9") "}]}",
                 1);
    advance_to(world, 5);
    for (int k = 0; k < 3; ++k) {
        assert_near(numbers_of(world, "x")[3 * k + 2], 0.1 - 2.0 / 3 * G / 1e9, 1e-10);
        assert_near(numbers_of(world, "v")[3 * k], 0, 1e-9);
    }
    assert_int_equal(mote_world_warning_count(world), 1); /* deformable bodies may gain energy */
    need_warning(world, "implicit friction");
    mote_world_destroy(world);
}

static void static_equilibrium_has_the_penetration(void **state)
{
    (void)state;
    mote_world *world = world_of("{\"time\": {\"end\": 5, \"step\": 0.0005}," PARTICLE(
                                     "[0, 0, 0.2]", "[0, 0, 0]") " \"colliders\": [{" GROUND
                                                                 ", " PENALTY("1e4") "}]}",
                                 1);
    solve_static(world);
    assert_near(height(world), 0.1 - 2 * G / 1e4, 1e-9);
    mote_world_destroy(world);
    world = on_incline(0.45, "implicit_euler", 0.001); /* it sticks permanently */
    solve_static(world);
    double found = along(numbers_of(world, "x"), 0.45);
    advance_to(world, 1);
    assert_near(along(numbers_of(world, "x"), 0.45), found, 1e-9);
    mote_world_destroy(world);
}

/* Minus the Jacobian of a force on one particle by central differences, columns first. */
static void difference(const mo_force *force, mo_force_args *args, double *moved, double k[9])
{
    for (int column = 0; column < 3; ++column) {
        double f[2][3] = {{0}}, kept = moved[column], by = 1e-7;
        for (int side = 0; side < 2; ++side) {
            args->f = f[side];
            moved[column] = kept + (side ? by : -by);
            assert_int_equal(force->type->prepare(force->instance, args, NULL, NULL), MOTE_OK);
            force->type->add(force->instance, args, 0, 1);
        }
        moved[column] = kept;
        for (int row = 0; row < 3; ++row) {
            k[3 * column + row] = -(f[1][row] - f[0][row]) / (2 * by);
        }
    }
    assert_int_equal(force->type->prepare(force->instance, args, NULL, NULL), MOTE_OK);
}

/* In slip the column of the normal is excluded: the dependence of the friction limit on f_n is
 * not symmetric and neglected. */
static void check_jacobian(const mo_force *force, mo_force_args *args, bool slips)
{
    double p[4] = {0}, k[9];
    for (int of_v = 0; of_v < 2; ++of_v) {
        mo_jacobian_ask ask = {.along_x = !of_v, .along_v = of_v};
        difference(force, args, (double *)(of_v ? args->v : args->x), k);
        for (int column = 0; column < 3; ++column) {
            double y[3] = {0};
            memset(p, 0, sizeof p);
            p[column] = 1;
            force->type->jacobian->multiply(force->instance, args, &ask, p, y, 0, 1);
            for (int row = 0; row < 3; ++row) {
                if (!slips || column < 2 || row == 2) {
                    assert_near(-y[row], k[3 * column + row], 1e-5 * fmax(fabs(k[8]), 1));
                }
            }
        }
    }
}

static void jacobian_is_the_derivative_of_the_force(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"time\": {\"end\": 9, \"step\": 0.0005}," PARTICLE(
            "[0, 0, 0.0998]",
            "[0.01, 0.02, 0]") " \"colliders\": [{" GROUND
                               ", \"friction\": 0.5, \"restitution\": 0.3, " PENALTY("1e4") "}]}",
        1);
    step_by(world, 400); /* it sticks by then */
    mo_forces *forces = world->systems[0].state;
    const mo_force *force = &forces->forces[forces->force_count - 1];
    assert_string_equal(force->type->base.name, "collider_force");
    mo_force_args args = mo_forces_now(forces, world->clock.time);
    double x[6], v[6] = {1e-4, 2e-4, -1e-3};
    memcpy(x, args.x, 3 * sizeof *x);
    args.x = x;
    args.v = v;
    check_jacobian(force, &args, false);
    v[0] = 1, v[1] = 0.5; /* slips */
    check_jacobian(force, &args, true);
    v[2] = 10; /* separates faster than the spring relaxes: no tension by the damper */
    check_jacobian(force, &args, false);
    mote_world_destroy(world);
}

/* ---- the same bits ---- */

/* A block of loose grains falling on a rotating slope in a box, with two laws. */
static const char GRAINS[] =
    "{\"time\": {\"end\": 1, \"step\": 0.0005}, \"integrator\": \"velocity_verlet\","
    " \"bodies\": [{\"name\": \"grains\", \"radius\": 0.01, \"velocity\": [0.4, 0.1, -1],"
    "   \"mesh\": {\"type\": \"lattice\", \"spacing\": 0.04, \"nx\": 20, \"ny\": 20, \"nz\": 12, \"jitter\": "
    "0.2,"
    "     \"origin\": [-0.4, -0.4, 0.02]}}],"
    " \"colliders\": [{" GROUND ", \"friction\": 0.4, \"restitution\": 0.5, " PENALTY(
        "1e5") ","
               "   \"motion\": {\"type\": \"rotate\", \"axis\": [0, 0, 1], \"speed\": 2}},"
               "  {\"shape\": {\"type\": \"sphere\", \"center\": [0, 0, 0.1], \"radius\": 0.15}, "
               "\"friction\": 0.2, "
               "" PENALTY(
                   "1e5") "},"
                          "  {\"shape\": {\"type\": \"box\", \"min\": [-0.6, -0.6, -1], \"max\": "
                          "[0.6, 0.6, 2]}, \"inside\": true}]}";

static void threads_give_the_same_bits(void **state)
{
    (void)state;
    static const int THREADS[] = {2, 3, 8};
    mote_world *one = world_of(GRAINS, 1);
    assert_true(mote_world_rows(one, 0) > 4096);
    step_by(one, 150);
    for (size_t k = 0; k < 3; ++k) {
        mote_world *other = world_of(GRAINS, THREADS[k]);
        step_by(other, 150);
        assert_same_state(one, other);
        mote_world_destroy(other);
    }
    mote_world_destroy(one);
}

static void resumed_run_finds_its_anchors(void **state)
{
    (void)state;
    mote_world *run = world_of(GRAINS, 1), *resumed = world_of(GRAINS, 2);
    mote_error error = {0};
    step_by(run, 150);
    mote_snapshot *snapshot = through_a_file(snapshot_of(run));
    need(mote_world_restore(resumed, snapshot, &error), &error, "restore");
    mote_snapshot_destroy(snapshot);
    int64_t anchors = 0;
    for (int k = 0; k < resumed->coupling_count; ++k) {
        anchors += resumed->couplings[k].store ? mo_store_rows(resumed->couplings[k].store) : 0;
    }
    assert_true(anchors > 100);
    step_by(run, 100);
    step_by(resumed, 100);
    assert_same_state(run, resumed);
    mote_world_destroy(run);
    mote_world_destroy(resumed);
}

static void removed_rows_leave_the_other_anchors(void **state)
{
    (void)state;
    mote_world *world = world_of(GRAINS, 2);
    mote_error error = {0};
    step_by(world, 100);
    uint8_t *gone = calloc((size_t)mote_world_rows(world, 0), 1);
    for (int64_t row = 0; row < mote_world_rows(world, 0); row += 3) {
        gone[row] = 1;
    }
    need(mote_world_remove(world, 0, gone, &error), &error, "remove");
    free(gone);
    step_by(world, 100);
    mote_world_destroy(world);
}

/* ---- input ---- */

static void check_refused(const char *more, const char *collider, const char *part)
{
    char text[2048];
    snprintf(text, sizeof text,
             "{\"time\": {\"end\": 1, \"step\": 0.001}, %s" PARTICLE(
                 "[0, 0, 1]", "[0, 0, 0]") " \"colliders\": [{" GROUND ", %s}]}",
             more, collider);
    need_refusal(text, part);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    check_refused("", PENALTY("-1"), "colliders[0].contact.stiffness");
    check_refused("", PENALTY("0"), "colliders[0].contact.stiffness");
    check_refused("", "\"contact\": \"penalti\"", "penalty");
    check_refused("",
                  "\"contact\": {\"type\": \"penalty\", \"stiffness\": 1, \"penetration\": 0.1}",
                  "give one of the two");
    check_refused("", "\"contact\": {\"type\": \"penalty\", \"damping\": 1}, \"restitution\": 0.5",
                  "colliders[0].contact.damping");
    check_refused("", PENALTY("1e4") ", \"position\": \"none\"", "colliders[0].position");
    check_refused("", PENALTY("1e4") ", \"friction\": {\"type\": \"scale\", \"factor\": 0.5}",
                  "colliders[0].friction");
    check_refused("\"gravity\": [0, 0, 0],", "\"contact\": \"penalty\"",
                  "colliders[0].contact.stiffness");
}

static void fluid_bounces_with_a_warning(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"time\": {\"end\": 1, \"step\": 0.001}, \"fluid\": {\"spacing\": 0.1, \"phases\": [{"
        "  \"fill\": [{\"type\": \"box\", \"min\": [0.05, 0.05, 0.05], \"max\": [0.4, 0.4, 0.4]}]}]},"
        " \"colliders\": [{\"shape\": {\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [1, 1, 1]},"
        "  \"inside\": true, \"contact\": \"penalty\"}]}",
        1);
    step_by(world, 5);
    need_warning(world, "uses 'bounce' for collider");
    mote_world_destroy(world);
}

static void step_too_long_is_warned_about(void **state)
{
    (void)state;
    mote_world *world = world_of("{\"time\": {\"end\": 5, \"step\": 0.01}," PARTICLE(
                                     "[0, 0, 2]", "[0, 0, 0]") " \"colliders\": [{" GROUND
                                                               ", " PENALTY("1e6") "}]}",
                                 1);
    step_by(world, 1);
    need_warning(world, "the largest step that resolves the contact law 'penalty'");
    mote_world_destroy(world);
}

static void deep_penetration_is_warned_about(void **state)
{
    (void)state;
    mote_world *world = world_of("{\"time\": {\"end\": 5, \"step\": 0.001}," PARTICLE(
                                     "[0, 0, 0.2]", "[0, 0, -5]") " \"colliders\": [{" GROUND
                                                                  ", " PENALTY("100") "}]}",
                                 1);
    step_by(world, 300);
    need_warning(world, "has penetrated collider 'collider0'");
    mote_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particle_at_rest_penetrates_by_its_weight),
        cmocka_unit_test(default_stiffness_follows_from_the_fall),
        cmocka_unit_test(impact_has_the_coefficient_of_restitution),
        cmocka_unit_test(undamped_bounces_keep_the_energy),
        cmocka_unit_test(rk4_evaluates_contact_in_every_stage),
        cmocka_unit_test(particle_below_the_friction_angle_does_not_creep),
        cmocka_unit_test(particle_above_the_friction_angle_slides),
        cmocka_unit_test(anchors_move_with_the_collider),
        cmocka_unit_test(reaction_balances_weight_and_friction),
        cmocka_unit_test(friction_continues_across_a_periodic_border),
        cmocka_unit_test(particles_collide_with_the_image_of_a_collider),
        cmocka_unit_test(plane_motion_stays_in_its_plane),
        cmocka_unit_test(implicit_friction_adds_no_energy),
        cmocka_unit_test(stiff_contact_is_stable_with_implicit_euler),
        cmocka_unit_test(static_equilibrium_has_the_penetration),
        cmocka_unit_test(jacobian_is_the_derivative_of_the_force),
        cmocka_unit_test(threads_give_the_same_bits),
        cmocka_unit_test(resumed_run_finds_its_anchors),
        cmocka_unit_test(removed_rows_leave_the_other_anchors),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(fluid_bounces_with_a_warning),
        cmocka_unit_test(step_too_long_is_warned_about),
        cmocka_unit_test(deep_penetration_is_warned_about),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
