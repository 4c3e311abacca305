/*
 * Momentum balance of a fluid and its boundary. A block falls into a tank with a step; in every
 * step of the impact the momentum by gravity minus that gained by the fluid equals the load on the
 * colliders times the step, and so do the moments for central pair forces evaluated at the initial
 * positions. In fast impacts fallback contacts contribute as well.
 */
#include "worlds.h"

#include <math.h>

typedef struct impact {
    const char *pressure, *viscosity, *step;
    int steps;
    bool turns; /* also moments */
    bool fast;  /* also fallback contacts */
} impact;

static mote_world *impact_world(const impact *i)
{
    return world_printf(
        2,
        "{\"up\": \"y\", \"time\": {\"end\": 9, \"step\": %s},"
        " \"fluid\": {\"dimension\": 2, \"spacing\": 0.02, \"pressure\": %s, \"viscosity\": %s,"
        "   \"phases\": [{\"velocity\": %s, \"fill\": [{\"type\": \"box\", \"min\": [0.05, 0.08, "
        "-1],"
        "     \"max\": [0.25, 0.28, 1]}]}]},"
        " \"colliders\": [{\"name\": \"tank\", \"inside\": true, \"friction\": %s,"
        "   \"shape\": {\"type\": \"box\", \"min\": [0, 0, -1], \"max\": [0.3, 0.5, 1]}},"
        "   {\"name\": \"step\", \"shape\": {\"type\": \"box\", \"min\": [0.2, -0.1, -1], \"max\": [0.4, "
        "0.06, 1]}}],"
        " \"observables\": [{\"type\": \"collider_load\", \"collider\": \"tank\", \"about\": [0.1, 0.2, 0]},"
        "   {\"type\": \"collider_load\", \"collider\": \"step\", \"about\": [0.1, 0.2, 0]},"
        "   \"collider_load\"]}",
        i->step, i->pressure, i->viscosity, i->fast ? "[3, -10, 0]" : "[0.3, -1, 0]",
        i->fast ? "0.3" : "0");
}

enum { FORCE_X, FORCE_Y, TORQUE, NUMBERS };

/* Momentum and moment about [0.1, 0.2, 0]; and their rates by gravity. */
static void look(mote_world *world, double momentum[NUMBERS], double gravity[NUMBERS])
{
    mote_measures m = measures_of(world);
    const double *x = numbers_of(world, "x"), *mass = numbers_of(world, "mass");
    momentum[FORCE_X] = m.momentum[0];
    momentum[FORCE_Y] = m.momentum[1];
    momentum[TORQUE] = m.angular_momentum[2] - (0.1 * m.momentum[1] - 0.2 * m.momentum[0]);
    gravity[FORCE_X] = 0;
    gravity[FORCE_Y] = -9.81 * m.mass;
    gravity[TORQUE] = 0;
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        gravity[TORQUE] += -9.81 * mass[row] * (x[3 * row] - 0.1);
    }
}

/* The loads on both colliders together, and on all by their observable. */
static void loads_of(mote_world *world, double both[NUMBERS], double all[NUMBERS])
{
    double load[3][6];
    mote_error error = {0};
    for (int k = 0; k < 3; ++k) {
        assert_int_equal(mote_world_observe(world, k, load[k], &error), MOTE_OK);
    }
    for (int k = 0; k < 2; ++k) {
        both[k] = load[0][k] + load[1][k];
        all[k] = load[2][k];
    }
    both[TORQUE] = load[0][5] + load[1][5];
    all[TORQUE] = load[2][5] - (0.1 * load[2][1] - 0.2 * load[2][0]);
}

static void check(const impact *i)
{
    mote_world *world = impact_world(i);
    int64_t contacts = 0;
    double most = 0, weight = 9.81 * measures_of(world).mass;
    for (int step = 0; step < i->steps; ++step) {
        double before[NUMBERS], after[NUMBERS], gravity[NUMBERS], unused[NUMBERS], both[NUMBERS],
            all[NUMBERS];
        mote_step_report report;
        mote_error error = {0};
        look(world, before, gravity);
        assert_int_equal(mote_world_step(world, &report, &error), MOTE_OK);
        look(world, after, unused);
        loads_of(world, both, all);
        for (int k = 0; k < (i->turns ? NUMBERS : TORQUE); ++k) {
            double should = gravity[k] - (after[k] - before[k]) / report.dt;
            double scale = 1e-4 * (weight + fabs(both[FORCE_Y]));
            if (!(fabs(both[k] - should) <= scale) || !(fabs(all[k] - should) <= scale)) {
                fail_msg(
                    "%s with %s, step %d: the walls have %g and %g of number %d, the fluid lost %g",
                    i->pressure, i->viscosity, step, both[k], all[k], k, should);
            }
        }
        most = fmax(most, fabs(both[FORCE_Y]));
        contacts += report.contacts;
    }
    assert_true(most > 5 * weight); /* it was an impact */
    print_message("%s with %s: %lld contacts\n", i->pressure, i->viscosity, (long long)contacts);
    assert_true(i->fast ? contacts > 5 : mote_world_fluid(world).penetrations == 0);
    mote_world_destroy(world);
}

static void walls_get_what_the_fluid_loses(void **state)
{
    static const char VISCOUS[] = "{\"type\": \"laplacian\", \"nu\": 0.001}";
    static const char MORRIS[] = "{\"type\": \"morris1997\", \"nu\": 0.001, \"kernel\": \"poly6\"}";
    static const char MUELLER[] = "{\"type\": \"mueller2003\", \"nu\": 0.001}";
    static const char XSPH[] = "{\"type\": \"xsph\", \"epsilon\": 0.02}";
    static const impact IMPACTS[] = {
        {"\"dfsph\"", VISCOUS, "0.001", 100, false, false},
        {"{\"type\": \"dfsph\", \"tolerance\": 1e-4}", MORRIS, "0.001", 100, false, false},
        {"{\"type\": \"dfsph\", \"max_corrections\": 0}", VISCOUS, "0.001", 100, true, false},
        {"\"iisph\"", MUELLER, "0.001", 100, false, false},
        {"{\"type\": \"iisph\", \"max_corrections\": 0}", VISCOUS, "0.001", 100, true, false},
        {"\"pbf\"", VISCOUS, "0.001", 100, false, false},
        {"{\"type\": \"pbf\", \"tensile\": 0.1}", XSPH, "0.001", 100, false, false},
        {"\"wcsph\"", VISCOUS, "0.0001", 600, true, false},
        {"{\"type\": \"wcsph\", \"force\": \"mean\", \"kernel\": \"spiky\"}", MORRIS, "0.0001", 600,
         false, false},
        {"{\"type\": \"wcsph\", \"density\": \"continuity\"}", VISCOUS, "0.0001", 600, true, false},
        {"{\"type\": \"dfsph\", \"max_corrections\": 0}", VISCOUS, "0.001", 60, true, true},
        {"{\"type\": \"iisph\", \"max_corrections\": 0}", VISCOUS, "0.001", 60, true, true},
        {"\"wcsph\"", VISCOUS, "0.0001", 400, true, true},
    };
    (void)state;
    for (size_t k = 0; k < sizeof IMPACTS / sizeof *IMPACTS; ++k) {
        check(&IMPACTS[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(walls_get_what_the_fluid_loses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
