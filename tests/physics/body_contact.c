/*
 * Contact between bodies: momenta, energy, transmitted weight, friction, with every kind of
 * integrator.
 */
#include "worlds.h"

#include <math.h>

#define CUBE(low, high, speed) \
    "{\"density\": 1000, \"velocity\": " speed ", \"mesh\": {\"type\": \"block\", \"min\": " low \
    ", \"max\": " high \
    ", \"nx\": 4, \"ny\": 4, \"nz\": 4, \"tetrahedra\": 5}, \"model\": {\"type\": " \
    "\"fem\", \"material\": {\"type\": \"stvk\", \"young\": 5e4, \"poisson\": 0.3}}}"

/* Two cubes without gravity in an off-centre collision: momentum is transferred to the second. */
static const char COLLISION[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": %g}, \"integrator\": %s,"
    " \"body_contact\": {\"stiffness\": 1, \"friction\": %g},"
    " \"bodies\": [" CUBE("[0, 0, 0]", "[0.2, 0.2, 0.2]", "[2, 0, 0]") ", " CUBE(
        "[0.23, 0.03, 0.05]", "[0.43, 0.23, 0.25]", "[0, 0, 0]") "]}";

static double speed_of(const mote_world *world, int body)
{
    mote_body b = mote_world_body(world, body);
    const double *v = numbers_of(world, "v"), *m = numbers_of(world, "mass");
    double sum = 0, mass = 0;
    for (int64_t row = b.first; row < b.first + b.count; ++row) {
        sum += m[row] * v[3 * row];
        mass += m[row];
    }
    return sum / mass;
}

static void collisions_keep_momenta_and_energy(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        mote_world *world = world_printf(1, COLLISION, 5e-5, "\"velocity_verlet\"", k ? 0.5 : 0);
        mote_measures before = measures_of(world);
        step_by(world, 2000);
        mote_measures after = measures_of(world);
        double energy = after.kinetic + after.elastic + after.potential;
        print_message("friction %g: speeds %.4f %.4f, energy %.6g of %.6g, spin %.3g %.3g %.3g\n",
                      0.5 * k, speed_of(world, 0), speed_of(world, 1), energy, before.kinetic,
                      after.angular_momentum[0] - before.angular_momentum[0],
                      after.angular_momentum[1] - before.angular_momentum[1],
                      after.angular_momentum[2] - before.angular_momentum[2]);
        for (int n = 0; n < 3; ++n) {
            assert_true(fabs(after.momentum[n] - before.momentum[n]) < 1e-10);
            assert_true(k == 1 ||
                        fabs(after.angular_momentum[n] - before.angular_momentum[n]) < 1e-10);
        }
        assert_true(speed_of(world, 1) > 0.5 && speed_of(world, 0) < 1.5); /* it was hit */
        assert_true(k == 1 ? energy < before.kinetic : fabs(energy / before.kinetic - 1) < 1e-4);
        mote_world_destroy(world);
    }
}

static void integrators_agree(void **state)
{
    static const char *const SCHEMES[] = {"\"velocity_verlet\"", "\"rk4\"", "\"implicit_midpoint\"",
                                          "{\"type\": \"newmark\", \"matrix_free\": true}",
                                          "{\"type\": \"bdf2\", \"solver\": \"cholesky\"}"};
    double speed[5];
    (void)state;
    for (int k = 0; k < 5; ++k) {
        mote_world *world = world_printf(1, COLLISION, 2e-4, SCHEMES[k], 0.3);
        mote_measures before = measures_of(world);
        step_by(world, 250);
        speed[k] = speed_of(world, 1);
        print_message("%s: %.5f m/s\n", SCHEMES[k], speed[k]);
        assert_true(fabs(speed[k] - speed[0]) < 0.01 * speed[0]);
        assert_true(fabs(measures_of(world).momentum[0] - before.momentum[0]) < 1e-5);
        mote_world_destroy(world);
    }
}

static double lowest(const mote_world *world, int body)
{
    mote_body b = mote_world_body(world, body);
    double low = INFINITY;
    for (int64_t row = b.first; row < b.first + b.count; ++row) {
        low = fmin(low, numbers_of(world, "x")[3 * row + 2]);
    }
    return low;
}

static double highest(const mote_world *world, int body)
{
    mote_body b = mote_world_body(world, body);
    double high = -INFINITY;
    for (int64_t row = b.first; row < b.first + b.count; ++row) {
        high = fmax(high, numbers_of(world, "x")[3 * row + 2]);
    }
    return high;
}

/* A cube on a wider one with a fixed bottom: in equilibrium the lower one supports both. */
static void a_cube_rests_on_another(void **state)
{
    static const char STACK[] =
        "{\"time\": {\"end\": 1, \"step\": 0.01}, \"integrator\": \"implicit_euler\","
        " \"body_contact\": {\"stiffness\": 1, \"friction\": 0.5},"
        " \"bodies\": [{\"density\": 1000, \"mesh\": {\"type\": \"block\", \"max\": [0.3, 0.3, 0.2],"
        "  \"nx\": 5, \"ny\": 5, \"nz\": 4, \"tetrahedra\": 5}, \"model\": {\"type\": \"fem\","
        "  \"damping_stiffness\": 0.01, \"material\": {\"type\": \"stvk\", \"young\": 5e4, \"poisson\": "
        "0.3}},"
        "  \"pins\": [{\"set\": \"z0\"}]},"
        " {\"density\": 1000, \"mesh\": {\"type\": \"block\", \"min\": [0.07, 0.06, 0.21], \"max\": [0.25, "
        "0.22, 0.37],"
        "  \"nx\": 4, \"ny\": 4, \"nz\": 4, \"tetrahedra\": 5}, \"model\": {\"type\": \"fem\","
        "  \"damping_stiffness\": 0.01, \"material\": {\"type\": \"stvk\", \"young\": 5e4, \"poisson\": "
        "0.3}}}]}";
    mote_world *world = world_of(STACK, 1);
    (void)state;
    step_by(world, 200);
    mote_measures m = measures_of(world);
    mote_body upper = mote_world_body(world, 1);
    const double *v = numbers_of(world, "v");
    double fastest = 0;
    for (int64_t row = upper.first; row < upper.first + upper.count; ++row) {
        fastest =
            fmax(fastest, fmax(fabs(v[3 * row]), fmax(fabs(v[3 * row + 1]), fabs(v[3 * row + 2]))));
    }
    print_message("upper from %.5f, lower up to %.5f, fastest %.2e m/s, kinetic %.2e J\n",
                  lowest(world, 1), highest(world, 0), fastest, m.kinetic);
    assert_true(fastest < 0.02); /* the slip speed is 0.01 */
    /* penetration below a third of a cell */
    assert_true(lowest(world, 1) > highest(world, 0) - 0.02);
    assert_true(lowest(world, 1) < 0.21);
    mote_world_destroy(world);
}

/* On a fixed inclined plank a cube sticks below the friction angle and slides above. */
static void friction_sticks_up_to_its_angle(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        double slope = k ? 0.5 : 0.3; /* tangent; the coefficient is 0.4 */
        mote_world *world = world_printf(
            1,
            "{\"gravity\": [%.17g, 0, -9], \"time\": {\"end\": 1, \"step\": 0.002}, \"integrator\": "
            "\"implicit_euler\","
            " \"body_contact\": {\"stiffness\": 1, \"friction\": 0.4, \"damping\": 0.01},"
            " \"bodies\": [{\"density\": 1000, \"mesh\": {\"type\": \"block\", \"min\": [-1, -0.3, -0.3],"
            "  \"max\": [1, 0.5, 0], \"nx\": 14, \"ny\": 5, \"nz\": 3, \"tetrahedra\": 5}, \"model\": "
            "{\"type\": \"fem\","
            "  \"material\": {\"type\": \"stvk\", \"young\": 1e6, \"poisson\": 0.3}}, \"pins\": "
            "[{\"set\": \"all\"}]},"
            " {\"density\": 1000, \"mesh\": {\"type\": \"block\", \"min\": [-0.4, 0, 0.01], \"max\": "
            "[-0.2, 0.2, 0.11],"
            "  \"nx\": 4, \"ny\": 4, \"nz\": 3, \"tetrahedra\": 5}, \"model\": {\"type\": \"fem\","
            "  \"damping_stiffness\": 0.005, \"material\": {\"type\": \"stvk\", \"young\": 2e5, "
            "\"poisson\": 0.3}}}]}",
            9 * slope);
        step_by(world, 150);
        double start = speed_of(world, 1);
        step_by(world, 100);
        double a = (speed_of(world, 1) - start) / 0.2;
        print_message("tangent %.1f: %.4f m/s, then %.4f m/s^2\n", slope, speed_of(world, 1), a);
        if (k == 0) {
            assert_true(fabs(speed_of(world, 1)) < 0.011);
        } else {
            assert_true(fabs(a - 9 * (slope - 0.4)) < 0.09);
        }
        mote_world_destroy(world);
    }
}

/* A block that falls on another and slides, with friction and damping: Newton's method
 * converges, except in steps in which a node is between two triangles. */
static void steps_of_arrivals_converge(void **state)
{
    mote_world *world = world_of(
        "{\"time\": {\"end\": 1, \"step\": 0.004}, \"integrator\": {\"type\": \"implicit_euler\","
        " \"iterations\": 16, \"tolerance\": 1e-3}, \"body_contact\": {\"stiffness\": 1, \"friction\": 0.6,"
        " \"damping\": 0.005}, \"bodies\": [{\"density\": 1000, \"mesh\": {\"type\": \"block\", \"max\":"
        " [0.6, 0.4, 0.2], \"nx\": 7, \"ny\": 5, \"nz\": 3, \"tetrahedra\": 5}, \"model\": {\"type\": "
        "\"fem\","
        " \"damping_stiffness\": 0.005, \"material\": {\"type\": \"stable_neo_hookean\", \"young\": 8e4,"
        " \"poisson\": 0.4}}, \"pins\": [{\"set\": \"z0\"}]}, {\"density\": 1000, \"mesh\": {\"type\": "
        "\"block\","
        " \"min\": [0.05, 0.1, 0.22], \"max\": [0.25, 0.3, 0.4], \"nx\": 4, \"ny\": 4, \"nz\": 4,"
        " \"tetrahedra\": 5}, \"velocity\": [1, 0, -1], \"model\": {\"type\": \"fem\", \"damping_stiffness\":"
        " 0.005, \"material\": {\"type\": \"stable_neo_hookean\", \"young\": 8e4, \"poisson\": 0.4}}}]}",
        1);
    (void)state;
    step_by(world, 100);
    int64_t missed = mote_world_warning_count(world) > 0 ? mote_world_warning(world, 0).count : 0;
    print_message("%lld of 100 steps missed their tolerance\n", (long long)missed);
    assert_true(mote_world_warning_count(world) <= 1 && missed < 10);
    mote_world_destroy(world);
}

/* A ball above a pinned sheet; the model of the sheet, and further keys of the scene. */
static const char CATCH[] =
    "{\"time\": {\"end\": 1}, \"bodies\": [{\"name\": \"sheet\", \"density\": 0.5, \"mesh\": {\"type\":"
    " \"cloth\", \"origin\": [-0.5, -0.5, 0.5], \"columns\": 13, \"rows\": 13}, \"model\": {%s},"
    " \"pins\": [{\"set\": \"u0\"}, {\"set\": \"u1\"}]}, {\"name\": \"ball\", \"density\": 100, \"mesh\":"
    " {\"type\": \"ball\", \"center\": [0, 0, 0.7], \"radius\": 0.12, \"layers\": 2}, \"model\": {\"type\":"
    " \"fem\", \"material\": {\"type\": \"corotated\", \"young\": 2e4, \"poisson\": 0.3}}}] %s}";
#define SPRINGS "\"type\": \"spring\", \"k\": 100, \"shear\": 0.3, \"damping_spring\": 0.01"

/* Bodies driven by forces are in contact unless it is switched off; elsewhere a warning says that
 * they are not. */
static void bodies_meet_by_default(void **state)
{
    static const struct {
        const char *model, *keys, *warning;
        bool caught;
    } CASES[] = {
        {SPRINGS, "", NULL, true},
        {SPRINGS, ", \"body_contact\": {\"stiffness\": 0}", NULL, false},
        {"\"type\": \"xpbd\"", "", "belong to different systems", false},
        {SPRINGS, ", \"domain\": {\"min\": [-9, -9, -9], \"max\": [9, 9, 9], \"periodic\": \"x\"}",
         "the domain is periodic", false},
    };
    (void)state;
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; ++k) {
        mote_world *world = world_printf(1, CATCH, CASES[k].model, CASES[k].keys);
        bool warned = mote_world_warning_count(world) > 0;
        assert_true(warned == (CASES[k].warning != NULL));
        if (warned) {
            assert_non_null(strstr(mote_world_warning(world, 0).text, CASES[k].warning));
        }
        advance_to(world, 0.6);
        double z = 0;
        const double *x = numbers_of(world, "x");
        int64_t rows = mote_world_rows(world, 0);
        for (int64_t row = 169; !CASES[k].warning && row < rows; ++row) {
            z += x[3 * row + 2] / (double)(rows - 169);
        }
        /* free fall would end at -1.07 m */
        assert_true(CASES[k].warning || (z > 0) == CASES[k].caught);
        mote_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(collisions_keep_momenta_and_energy),
        cmocka_unit_test(integrators_agree),
        cmocka_unit_test(a_cube_rests_on_another),
        cmocka_unit_test(friction_sticks_up_to_its_angle),
        cmocka_unit_test(steps_of_arrivals_converge),
        cmocka_unit_test(bodies_meet_by_default),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
