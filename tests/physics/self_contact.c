/* Contact of a body with itself: a strip whose halves swing towards each other, of every model that
 * deforms. */
#include "worlds.h"

#include <math.h>

#define SPRING "{\"type\": \"spring\", \"k\": 40}"
#define ELEMENTS "{\"type\": \"elements\", \"length\": 40, \"area\": 100}"
#define FEM \
    "{\"type\": \"fem\", \"thickness\": 0.002, \"material\": {\"type\": \"stvk\", \"young\": 5e5, " \
    "\"poisson\": 0.3}}"
#define CLOTH \
    "{\"type\": \"cloth\", \"origin\": [-0.2, -0.05, 0], \"u\": [0.4, 0, 0], \"v\": [0, 0.1, 0], " \
    "\"columns\": 17, \"rows\": 5, \"bend\": false}"

/* In free flight: the halves rotate about the middle like the covers of a book. */
static const char BOOK[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": %g}, \"integrator\": %s,"
    " \"body_contact\": {\"stiffness\": 1, \"gap\": 0.01, \"friction\": %g, \"self\": %s},"
    " \"bodies\": [{\"mesh\": " CLOTH ", \"density\": 0.5, \"model\": %s,"
    "  \"flow\": {\"type\": \"expression\", \"velocity\": [\"0\", \"0\", \"10*abs(x)\"]}}]}";

/* Minimum distance of the ends along x over `steps` steps. */
static double least_distance(mote_world *world, int steps)
{
    double least = INFINITY;
    for (int k = 0; k < steps; k += 10) {
        step_by(world, 10);
        const double *x = numbers_of(world, "x");
        for (int row = 0; row < 5; ++row) {
            least = fmin(least, x[3 * (17 * row + 16)] - x[3 * 17 * row]);
        }
    }
    return least;
}

static void covers_of_a_book_meet(void **state)
{
    static const char *const MODELS[] = {SPRING, ELEMENTS, FEM};
    (void)state;
    for (int k = 0; k < 3; ++k) {
        mote_world *through =
            world_printf(1, BOOK, 5e-5, "\"velocity_verlet\"", 0.0, "false", MODELS[k]);
        mote_world *world =
            world_printf(1, BOOK, 5e-5, "\"velocity_verlet\"", 0.0, "true", MODELS[k]);
        mote_measures before = measures_of(world);
        double crossed = least_distance(through, 5000), least = least_distance(world, 5000);
        mote_measures after = measures_of(world);
        double first = before.kinetic + before.elastic, last = after.kinetic + after.elastic;
        print_message("%.20s: ends %.4f m apart, %.4f without contact; energy %.6f of %.6f J\n",
                      MODELS[k], least, crossed, last, first);
        assert_true(crossed < -0.02 && least > 0);
        assert_true(fabs(last - first) < 2e-3 * first);
        for (int n = 0; n < 3; ++n) {
            assert_true(fabs(after.momentum[n] - before.momentum[n]) < 1e-12);
            assert_true(fabs(after.angular_momentum[n] - before.angular_momentum[n]) < 1e-12);
        }
        mote_world_destroy(through);
        mote_world_destroy(world);
    }
}

/* Position-based models have contacts of their own (`self`), which dissipate. */
static void covers_of_constraints_meet(void **state)
{
    static const char *const MODELS[] = {"pbd", "xpbd"};
    (void)state;
    for (int k = 0; k < 2; ++k) {
        double least[2];
        for (int self = 0; self < 2; ++self) {
            mote_world *world = world_printf(
                1,
                "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.002}, \"bodies\": "
                "[{\"mesh\": " CLOTH ", \"density\": 0.5, \"model\": {\"type\": \"%s\", "
                "\"constraints\": [\"distance\"], \"self\": "
                "%s}, \"flow\": {\"type\": \"expression\", \"velocity\": [\"0\", \"0\", "
                "\"10*abs(x)\"]}}]}",
                MODELS[k], self ? "true" : "false");
            least[self] = least_distance(world, 150);
            mote_world_destroy(world);
        }
        print_message("%s: ends %.4f m apart, %.4f without contact\n", MODELS[k], least[1],
                      least[0]);
        assert_true(least[0] < -0.02 && least[1] > 0);
    }
}

/* Implicit schemes have the same contacts, by their Jacobian. */
static void implicit_schemes_agree(void **state)
{
    static const char *const SCHEMES[] = {
        "\"velocity_verlet\"", "{\"type\": \"implicit_midpoint\", \"iterations\": 8}",
        "{\"type\": \"newmark\", \"iterations\": 8, \"matrix_free\": true}"};
    double kinetic[3];
    (void)state;
    for (int k = 0; k < 3; ++k) {
        mote_world *world = world_printf(1, BOOK, 2e-4, SCHEMES[k], 0.2, "true", FEM);
        double least = least_distance(world, 1250);
        kinetic[k] = measures_of(world).kinetic;
        print_message("%s: ends %.4f m apart, %.6f J\n", SCHEMES[k], least, kinetic[k]);
        assert_true(least > 0 && fabs(kinetic[k] - kinetic[0]) < 0.03 * kinetic[0]);
        mote_world_destroy(world);
    }
}

/* The sides of nodes are state: results are bitwise equal for any number of threads and after a
 * restart during contact. */
static void sides_are_state(void **state)
{
    (void)state;
    mote_world *one = world_printf(1, BOOK, 2e-4, "\"velocity_verlet\"", 0.2, "true", SPRING);
    mote_world *two = world_printf(3, BOOK, 2e-4, "\"velocity_verlet\"", 0.2, "true", SPRING);
    mote_world *later = world_printf(1, BOOK, 2e-4, "\"velocity_verlet\"", 0.2, "true", SPRING);
    step_by(one, 1100);
    mote_snapshot *snapshot = through_a_file(snapshot_of(one));
    mote_error error = {0};
    need(mote_world_restore(later, snapshot, &error), &error, "restore");
    mote_snapshot_destroy(snapshot);
    const int32_t *sides = integers_of(one, "contact_sides");
    int64_t known = 0;
    for (int k = 0; k < 12 * 85; ++k) {
        known += sides[k] != 0;
    }
    print_message("%d sides are remembered\n", (int)known);
    assert_true(known > 20);
    step_by(one, 200);
    step_by(two, 1300);
    step_by(later, 200);
    assert_same_state(one, two);
    assert_same_state(one, later);
    mote_world_destroy(one);
    mote_world_destroy(two);
    mote_world_destroy(later);
}

/* A small sheet falls on a larger one pinned at two sides: contact of open surfaces, with the
 * normal of the lower one up or down. The weight is transmitted. */
static const char HAMMOCK[] =
    "{\"time\": {\"end\": 1, \"step\": 0.004}, \"integrator\": \"implicit_euler\","
    " \"body_contact\": {\"stiffness\": 1, \"gap\": 0.02, \"friction\": 0.5, \"damping\": 0.005},"
    " \"bodies\": [{\"mesh\": {\"type\": \"cloth\", \"origin\": [-0.5, %g, 0], \"u\": [1, 0, 0],"
    "  \"v\": [0, %g, 0], \"columns\": 15, \"rows\": 15}, \"density\": 0.5,"
    "  \"model\": {\"type\": \"spring\", \"k\": 20, \"damping_spring\": 0.05},"
    "  \"pins\": [{\"set\": \"u0\"}, {\"set\": \"u1\"}]},"
    " {\"mesh\": {\"type\": \"cloth\", \"origin\": [-0.13, -0.14, 0.06], \"u\": [0.3, 0, 0],"
    "  \"v\": [0, 0.3, 0], \"columns\": 5, \"rows\": 5}, \"density\": 2,"
    "  \"model\": {\"type\": \"spring\", \"k\": 20, \"damping_spring\": 0.05}}]}";

static void a_sheet_rests_on_another(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        mote_world *world = world_printf(1, HAMMOCK, k ? 0.5 : -0.5, k ? -1.0 : 1.0);
        if (k == 0) {
            advance_to(world, 1.0);
        } else {
            advance_to(world, 1.0);
            solve_static(world);
        }
        const double *x = numbers_of(world, "x");
        double lowest = INFINITY, highest = -INFINITY, middle = 0;
        for (int64_t row = 225; row < 250; ++row) {
            lowest = fmin(lowest, x[3 * row + 2]);
            highest = fmax(highest, x[3 * row + 2]);
        }
        for (int64_t row = 0; row < 225; ++row) {
            middle = fmin(middle, x[3 * row + 2]);
        }
        print_message("lower sheet sags to %.4f m, upper one from %.4f to %.4f m\n", middle, lowest,
                      highest);
        assert_true(lowest > middle && highest < 0 && middle < -0.03);
        mote_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(covers_of_a_book_meet),    cmocka_unit_test(covers_of_constraints_meet),
        cmocka_unit_test(implicit_schemes_agree),   cmocka_unit_test(sides_are_state),
        cmocka_unit_test(a_sheet_rests_on_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
