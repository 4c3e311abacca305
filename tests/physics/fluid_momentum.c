/*
 * Conservation laws of a fluid without boundaries. A rotating drop with a shear flow under every
 * pressure solver: symmetric pair forces conserve linear momentum to rounding, central ones
 * evaluated at the current positions also angular momentum.
 */
#include "worlds.h"

#include <stdlib.h>

typedef struct drop {
    const char *pressure, *viscosity;
    bool turns; /* angular momentum is conserved too */
    bool mixed; /* contains a ball of a thousand times the density */
} drop;

static mote_world *drop_world(const drop *d, int threads)
{
    return world_printf(
        threads,
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.0004},"
        " \"fluid\": {\"spacing\": 0.05, \"pressure\": %s, \"viscosity\": %s,"
        "   \"phases\": [%s{\"fill\": [{\"type\": \"sphere\", \"center\": [0.31, -0.17, 0.2], \"radius\": "
        "0.3}]}]}}",
        d->pressure, d->viscosity,
        d->mixed
            ? "{\"density\": 1e6, \"fill\": [{\"type\": \"sphere\", \"center\": [0.45, -0.1, 0.2],"
              " \"radius\": 0.2}]}, "
            : "");
}

/* v = w x (x - c), a shear and some noise; deterministic. */
static void stir(mote_world *world)
{
    uint64_t random = 3;
    double *x = numbers_of(world, "x"), *v = numbers_of(world, "v");
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        const double *p = x + 3 * row;
        const double flow[3] = {-2 * p[1] + 0.7 * p[2], 2 * p[0], 0.5 * p[0]};
        for (int k = 0; k < 3; ++k) {
            v[3 * row + k] = flow[k] + random_between(&random, -0.2, 0.2);
        }
    }
    mote_world_invalidate(world, 0);
}

enum { STEPS = 120 };

/* The sums of |m dv| and |x| |m dv| of a step. */
static void add_changes(const mote_world *world, const double *before, double change[2])
{
    const double *x = numbers_of(world, "x"), *v = numbers_of(world, "v"),
                 *mass = numbers_of(world, "mass");
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        double square = 0, distance = 0;
        for (int k = 0; k < 3; ++k) {
            double dv = v[3 * row + k] - before[3 * row + k];
            square += dv * dv;
            distance += x[3 * row + k] * x[3 * row + k];
        }
        change[0] += mass[row] * sqrt(square);
        change[1] += sqrt(distance) * mass[row] * sqrt(square);
    }
}

static double difference(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

/* The losses of momenta, relative to the exchanged momenta. */
static void losses(const drop *d, double loss[2])
{
    mote_world *world = drop_world(d, 2);
    int64_t numbers = 3 * mote_world_rows(world, 0);
    double *before = malloc((size_t)numbers * sizeof *before), change[2] = {0};
    stir(world);
    mote_measures start = measures_of(world);
    for (int step = 0; step < STEPS; ++step) {
        memcpy(before, numbers_of(world, "v"), (size_t)numbers * sizeof *before);
        step_by(world, 1);
        add_changes(world, before, change);
    }
    mote_measures end = measures_of(world);
    assert_true(change[0] > 1); /* interaction occurred */
    loss[0] = difference(start.momentum, end.momentum) / change[0];
    loss[1] = difference(start.angular_momentum, end.angular_momentum) / change[1];
    free(before);
    mote_world_destroy(world);
}

static void symmetric_solvers_keep_momentum(void **state)
{
    static const char TIGHT[] = "{\"type\": \"laplacian\", \"nu\": 0.02}";
    static const drop DROPS[] = {
        {"\"dfsph\"", TIGHT, true, false},
        {"\"iisph\"", TIGHT, true, false},
        {"{\"type\": \"pbf\", \"tensile\": 0.1}", TIGHT, false, false},
        {"\"wcsph\"", TIGHT, true, false},
        {"{\"type\": \"wcsph\", \"density\": \"continuity\"}", TIGHT, true, false},
        {"{\"type\": \"wcsph\", \"force\": \"mean\", \"clamp\": false}", TIGHT, true, false},
        {"{\"type\": \"wcsph\", \"kernel\": \"spiky\", \"state\": \"ratio\"}", TIGHT, true, false},
        {"{\"type\": \"wcsph\", \"state\": \"ideal_gas\"}", TIGHT, true, false},
        {"{\"type\": \"wcsph\", \"state\": \"linear\"}", TIGHT, true, false},
        {"\"mueller2003\"", TIGHT, true, false},
        {"\"iisph\"", "{\"type\": \"mueller2003\", \"nu\": 0.02}", false, false},
        {"\"iisph\"", "{\"type\": \"morris1997\", \"nu\": 0.02}", false, false},
        {"\"iisph\"", "{\"type\": \"laplacian\", \"nu\": 0.02, \"kernel\": \"poly6\"}", true,
         false},
        {"\"iisph\"", "{\"type\": \"xsph\", \"epsilon\": 0.2}", false, false},
        {"\"dfsph\"", TIGHT, true, true},
        {"\"pbf\"", TIGHT, false, true},
        {"\"wcsph\"", "{\"type\": \"mueller2003\", \"nu\": 0.02}", false, true},
        {"\"iisph\"", "{\"type\": \"morris1997\", \"nu\": 0.02}", false, true},
        {"\"iisph\"", "{\"type\": \"xsph\", \"epsilon\": 0.2}", false, true},
    };
    (void)state;
    for (size_t k = 0; k < sizeof DROPS / sizeof *DROPS; ++k) {
        double loss[2];
        losses(&DROPS[k], loss);
        if (!(loss[0] <= 1e-8) || (DROPS[k].turns && !(loss[1] <= 1e-8))) {
            fail_msg("%s with %s: %g of the momentum exchanged is lost, %g of the angular one",
                     DROPS[k].pressure, DROPS[k].viscosity, loss[0], loss[1]);
        }
    }
}

/* Verifies that the test is sensitive. */
static void the_plain_force_loses_momentum(void **state)
{
    static const drop PLAIN = {"{\"type\": \"wcsph\", \"force\": \"plain\"}", "\"laplacian\"",
                               false, false};
    double loss[2];
    (void)state;
    losses(&PLAIN, loss);
    assert_true(loss[0] > 1e-4);
}

/* Two drops in an off-centre collision, hard enough for outer iterations. */
static void drops_that_collide_go_on_turning(void **state)
{
    static const char *const SOLVERS[] = {"dfsph", "iisph"};
    (void)state;
    for (int k = 0; k < 2; ++k) {
        mote_world *world = world_printf(
            1,
            "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": {\"type\": \"cfl\", \"max\": 0.005}},"
            " \"fluid\": {\"spacing\": 0.04, \"pressure\": \"%s\", \"phases\": ["
            "  {\"velocity\": [3, 0, 0], \"fill\": [{\"type\": \"sphere\", \"center\": [-0.21, 0, 0], "
            "\"radius\": 0.2}]},"
            "  {\"velocity\": [-3, 0, 0], \"fill\": [{\"type\": \"sphere\", \"center\": [0.21, 0, 0.15], "
            "\"radius\": 0.2}]}"
            " ]}}",
            SOLVERS[k]);
        double start = measures_of(world).angular_momentum[1];
        step_by(world, 60);
        double lost = measures_of(world).angular_momentum[1] / start - 1;
        print_message("%s: %.2e of the angular momentum is lost\n", SOLVERS[k], lost);
        assert_true(fabs(lost) < 1e-6);
        mote_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(symmetric_solvers_keep_momentum),
                                       cmocka_unit_test(the_plain_force_loses_momentum),
                                       cmocka_unit_test(drops_that_collide_go_on_turning)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
