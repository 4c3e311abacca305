/*
 * Force fields: attractors, planes, vortices and gravity as an expression, on particles, bodies and
 * fluids.
 */
#include "fluid_worlds.h"

#define ORBIT \
    "{\"time\": {\"end\": 99, \"step\": 0.001}, \"integrator\": \"velocity_verlet\", \"bodies\": [{" \
    "\"mass\": 2, \"mesh\": {\"type\": \"points\", \"positions\": [[1, 0, 0]]}, \"velocity\": [0, " \
    "0.8, 0.1]}], %s}"

static double total_energy(mote_world *world)
{
    mote_measures m = measures_of(world);
    return m.kinetic + m.potential;
}

/* Energy and angular momentum of an orbit are conserved to the order of the scheme, and
 * equivalent fields give the same orbit. */
static void check_orbit(const char *field, double *end)
{
    mote_world *world = world_printf(1, ORBIT, field);
    mote_measures m = measures_of(world);
    double energy = total_energy(world), spin = m.angular_momentum[2];
    advance_to(world, 7);
    m = measures_of(world);
    if (!(fabs(total_energy(world) - energy) < 1e-5 && fabs(m.angular_momentum[2] - spin) < 1e-9)) {
        fail_msg("%s: energy %.9g J, at first %.9g J; spin %.12g, at first %.12g", field,
                 total_energy(world), energy, m.angular_momentum[2], spin);
    }
    for (int c = 0; c < 3; ++c) {
        end[c] = numbers_of(world, "x")[c];
    }
    mote_world_destroy(world);
}

static void central_fields_keep_energy(void **state)
{
    (void)state;
    double a[3], b[3], c[3];
    check_orbit(
        "\"gravity_field\": {\"type\": \"expression_field\", \"potential\": \"-1/sqrt(x^2 + "
        "y^2 + z^2 + 0.01)\"}",
        a);
    check_orbit("\"gravity_field\": {\"type\": \"attractor\", \"strength\": 1, \"softening\": 0.1}",
                b);
    check_orbit("\"gravity\": [0, 0, 0], \"forces\": [{\"type\": \"attractor\", \"strength\": 1, "
                "\"softening\": 0.1}]",
                c);
    for (int k = 0; k < 3; ++k) {
        assert_near(a[k], b[k], 1e-8);
        assert_near(c[k], b[k], 1e-12);
    }
}

/* x'' = g cos(w t): oscillating gravity. */
static void gravity_depends_on_time(void **state)
{
    (void)state;
    mote_world *world = world_printf(
        1, ORBIT,
        "\"gravity_field\": {\"type\": \"expression_field\", \"acceleration\": [\"0\", \"0\", "
        "\"3*cos(2*t)\"]}");
    advance_to(world, 2);
    assert_near(numbers_of(world, "x")[2], 0.1 * 2 + 3. / 4 * (1 - cos(4)), 1e-5);
    mote_world_destroy(world);
}

/* A plane attracts with a constant acceleration on both sides: the period of a fall from 1 m is
 * 4 sqrt(2/s). */
static void planes_attract_on_both_sides(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"time\": {\"end\": 9, \"step\": 0.0005}, \"integrator\": \"velocity_verlet\", "
        "\"gravity_field\": {\"type\": \"force_plane\", \"strength\": 2, \"normal\": [3, 0, 0], "
        "\"softening\": 0.001}, \"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\": [[1, "
        "0, 0], [-1, 0, 0]]}}]}",
        1);
    double energy = total_energy(world);
    advance_to(world, 4);
    assert_near(numbers_of(world, "x")[0], 1, 5e-3);
    assert_near(numbers_of(world, "x")[3], -1, 5e-3);
    assert_near(total_energy(world), energy, 5e-3);
    mote_world_destroy(world);
}

/* At the core radius: strength around the axis, inflow towards it, updraft along it. */
static void vortices_accelerate_around_their_axis(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 1e-6}, \"forces\": [{\"type\": "
        "\"vortex\", \"strength\": 3, \"inflow\": 2, \"updraft\": 1, \"radius\": 0.5, \"axis\": [0, "
        "0, 2]}], \"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\": [[0.5, 0, 7], [0, 0, "
        "0], [0, 2, 0]]}}]}",
        1);
    step_by(world, 1);
    const double *a = numbers_of(world, "a"), far = 2 * 2 * 0.5 / (4 + 0.25);
    const double expected[9] = {-2, 3, 1, 0, 0, 0, -3 * far, -2 * far, far};
    for (int k = 0; k < 9; ++k) {
        assert_near(a[k], expected[k], 1e-5);
    }
    mote_world_destroy(world);
}

/* Fluids fall like particles: a uniform field of any kind is uniform gravity. */
static void fields_act_on_fluids(void **state)
{
    (void)state;
#define DROP \
    "{%s, \"time\": {\"end\": 1, \"step\": 0.002}, \"fluid\": {\"spacing\": 0.1, \"phases\": [{" \
    "\"fill\": [{\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [0.4, 0.4, 0.4]}]}]}}"
    const char *const FIELDS[] = {
        "\"gravity\": [0, 0, -5]",
        "\"gravity_field\": {\"type\": \"expression_field\", \"potential\": \"5*z\"}",
        "\"gravity_field\": {\"type\": \"force_plane\", \"point\": [0, 0, -90], \"strength\": 5}",
    };
    double fall[3];
    for (int k = 0; k < 3; ++k) {
        mote_world *world = world_printf(1, DROP, FIELDS[k]);
        advance_to(world, 0.4);
        fall[k] = numbers_of(world, "v")[2];
        mote_world_destroy(world);
    }
    assert_near(fall[0], -2, 0.05);
    assert_near(fall[1], fall[0], 1e-6);
    assert_near(fall[2], fall[0], 1e-6);
}

#define BODIES \
    "{\"time\": {\"end\": 1, \"step\": 0.002}, \"integrator\": \"%s\", \"bodies\": [" \
    "{\"name\": \"a\", \"mass\": 1, \"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 1], [1, 0, " \
    "1]]}}, {\"name\": \"b\", \"mass\": 1, \"velocity\": [0, 1, 0], \"mesh\": {\"type\": \"points\", " \
    "\"positions\": [[0, 2, 1]]}}, {\"name\": \"c\", \"mass\": 1, \"mesh\": {\"type\": \"points\", " \
    "\"positions\": [[0, 4, 1]]}}, {\"name\": \"crate\", \"model\": \"rigid\", \"mass\": 1, \"shape\": " \
    "{\"type\": \"box\", \"min\": [4, 0, 0], \"max\": [5, 1, 1]}}], \"forces\": [%s]}"
#define DRAG \
    "{\"type\": \"drag\", \"linear\": 0.5, \"quadratic\": 0.2, \"wind\": [3, 0, 1], \"scale\": [[0, 0], [1, " \
    "2]]%s}"

/* A force limited to bodies moves them as if it acted on all, and the others as without it, also in
 * implicit schemes and on rigid bodies. */
static void forces_act_on_their_bodies_only(void **state)
{
    static const char *const SCHEMES[] = {"velocity_verlet", "implicit_euler"};
    static const char *const LISTS[] = {"", ", \"bodies\": [\"a\", \"c\"]",
                                        ", \"bodies\": [\"crate\"]"};
    double x[4][12], crate[4][3];
    (void)state;
    for (int scheme = 0; scheme < 2; ++scheme) {
        for (int k = 0; k < 4; ++k) {
            char force[300];
            snprintf(force, sizeof force, DRAG, k < 3 ? LISTS[k] : "");
            mote_world *world = world_printf(1, BODIES, SCHEMES[scheme], k < 3 ? force : "");
            step_by(world, 200);
            memcpy(x[k], numbers_of(world, "x"), sizeof x[k]);
            mote_column column;
            assert_true(mote_world_column_find(world, 1, "x", &column));
            memcpy(crate[k], column.data, sizeof crate[k]);
            mote_world_destroy(world);
        }
        for (int c = 0; c < 12; ++c) {
            bool second = c >= 6 && c < 9; /* the row of "b" */
            assert_near(x[1][c], x[second ? 3 : 0][c], 1e-9);
            assert_near(x[2][c], x[3][c], 1e-9);
        }
        assert_true(x[0][6] > x[3][6] + 0.01); /* the force matters */
        for (int c = 0; c < 3; ++c) {
            assert_true(crate[1][c] == crate[3][c] && crate[2][c] == crate[0][c]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(central_fields_keep_energy),
        cmocka_unit_test(gravity_depends_on_time),
        cmocka_unit_test(planes_attract_on_both_sides),
        cmocka_unit_test(vortices_accelerate_around_their_axis),
        cmocka_unit_test(fields_act_on_fluids),
        cmocka_unit_test(forces_act_on_their_bodies_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
