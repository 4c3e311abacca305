/*
 * Spurious energy growth is reported with the interval in which it began; stable and driven runs
 * are not.
 */
#include "worlds.h"

/* A drop of water besides every body, so that worlds with gravity have two systems. */
#define DROP \
    "\"fluid\": {\"spacing\": 0.1, \"phases\": [{\"fill\": [{\"type\": \"box\", \"min\": [90, 90, 90], " \
    "\"max\": [90.2, 90.2, 90.2]}]}]}"
#define ROPE(rest) \
    "\"bodies\": [{\"name\": \"rope\", \"mass\": 1, \"mesh\": {\"type\": \"rope\", \"start\": [0, 0, 0], " \
    "\"end\": [1, 0, 0], \"segments\": 4}, \"pins\": [{\"set\": \"start\"" rest \
    "}], \"model\": {\"type\": " \
    "\"spring\", \"k\": 100}}]"
#define CRYSTAL(temperature) \
    "\"gravity\": [0, 0, 0], \"boltzmann\": 1, \"integrator\": \"velocity_verlet\", \"bodies\": " \
    "[{\"mass\": " \
    "108, \"temperature\": " temperature \
    ", \"mesh\": {\"type\": \"lattice\", \"kind\": \"fcc\", \"nx\": 3, " \
    "\"ny\": 3, \"nz\": 3, \"spacing\": 1.6}}], \"forces\": [{\"type\": \"lennard_jones\", \"e\": 1, " \
    "\"r0\": 1.12}]"
#define TANK(pressure) \
    "\"up\": \"y\", \"fluid\": {\"dimension\": 2, \"spacing\": 0.05, \"pressure\": \"" pressure \
    "\", \"phases\": [{\"fill\": [{\"type\": \"box\", \"min\": [0.05, 0.05, -1], \"max\": [0.5, 0.6, " \
    "1]}]}]}, " \
    "\"colliders\": [{\"shape\": {\"type\": \"box\", \"min\": [0, 0, -1], \"max\": [1, 1, 1]}, \"inside\": " \
    "true}]"

/* The energy warning after this number of steps, or until the run fails; NULL: none. */
static const char *warning_of(mote_world *world, int steps)
{
    mote_status status = MOTE_OK;
    for (int k = 0; k < steps && status == MOTE_OK; ++k) {
        status = mote_world_step(world, NULL, NULL);
    }
    return warning_with(world, "spurious energy growth");
}

static mote_world *world_with(const char *integrator, double step, const char *rest)
{
    return world_printf(1, "{\"time\": {\"end\": 100, \"step\": %g}, %s%s%s%s}", step,
                        integrator ? "\"integrator\": \"" : "", integrator ? integrator : "",
                        integrator ? "\", " : "", rest);
}

typedef struct energy_case {
    const char *name, *integrator;
    double step;
    int steps;
    const char *rest;
} energy_case;

/* Highest frequency of the rope: 2 sqrt(k n^2/m) = 80 rad/s, so leapfrogs are stable up to 0.025
   s. */
static const energy_case GROWING[] = {
    {"explicit Euler, a swinging rope", "explicit_euler", 0.005, 2000, ROPE("") ", " DROP},
    {"a chain above its limit", "symplectic_euler", 0.0262, 2000, ROPE("") ", \"speed_limit\": 30"},
    {"Lennard-Jones", NULL, 0.07, 100, CRYSTAL("1")},
};

static const energy_case HEALTHY[] = {
    {"RK4", "rk4", 0.005, 2000, ROPE("") ", " DROP},
    {"leapfrog near its limit", "leapfrog", 0.02, 2000, ROPE("")},
    {"symplectic Euler near its limit", "symplectic_euler", 0.02, 2000, ROPE("")},
    {"Beeman", "beeman", 0.01, 2000, ROPE("") ", " DROP},
    {"implicit Euler", "implicit_euler", 0.02, 500, ROPE("")},
    {"Lennard-Jones, solid", NULL, 0.005, 1500, CRYSTAL("0.1")},
    {"Lennard-Jones, hot", NULL, 0.002, 1500, CRYSTAL("2")},
    {"wcsph", NULL, 0.0005, 800, TANK("wcsph")},
    {"dfsph", NULL, 0.004, 300, TANK("dfsph")},
    /* driven: a moving pin, a moving lid, wind, an increasing load, increasing gravity */
    {"pin", "rk4", 0.002, 1500,
     ROPE(", \"motion\": {\"type\": \"oscillate\", \"amplitude\": [0, 0, 0.5], \"frequency\": 2}")},
    {"wind", "rk4", 0.002, 1500,
     ROPE("") ", \"forces\": [{\"type\": \"drag\", \"linear\": 1, \"wind\": [20, 20, 0]}]"},
    {"gravity", "rk4", 0.002, 1500, ROPE("") ", \"gravity_scale\": [[0, 0], [3, 20]]"},
};

static void growing_energy_is_reported(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof GROWING / sizeof *GROWING; ++k) {
        const energy_case *c = &GROWING[k];
        mote_world *world = world_with(c->integrator, c->step, c->rest);
        const char *text = warning_of(world, c->steps);
        if (!text || !strstr(text, "between steps ") || !strstr(text, "time.step")) {
            fail_msg("%s: '%s'", c->name, text ? text : "no warning");
        }
        mote_world_destroy(world);
    }
}

static void healthy_and_driven_runs_are_not(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof HEALTHY / sizeof *HEALTHY; ++k) {
        const energy_case *c = &HEALTHY[k];
        mote_world *world = world_with(c->integrator, c->step, c->rest);
        const char *text = warning_of(world, c->steps);
        if (text) {
            fail_msg("%s: '%s'", c->name, text);
        }
        mote_world_destroy(world);
    }
}

/* f = 10 m v: a force callback may do work. */
static void drive(void *context, const mote_force_view *view)
{
    (void)context;
    for (int64_t k = 3 * view->first; k < 3 * view->last; ++k) {
        view->f[k] += 10 * view->mass[k / 3] * view->v[k];
    }
}

static void a_callback_may_do_work(void **state)
{
    (void)state;
    mote_world *world = world_with("rk4", 0.002, ROPE(""));
    assert_int_equal(mote_world_add_force(world, drive, NULL, NULL), MOTE_OK);
    assert_null(warning_of(world, 600));
    mote_world_destroy(world);
}

/* Stable until the caller adds momentum, which is not reported. A spring that becomes unstable
 * during the run is reported with an interval after the change. */
static void external_writes_are_no_energy_rise(void **state)
{
    (void)state;
    mote_world *world = world_with("rk4", 0.005, ROPE("") ", " DROP);
    assert_null(warning_of(world, 300));
    numbers_of(world, "v")[3 * 4 + 2] = 20;
    mote_world_invalidate(world, 0);
    assert_null(warning_of(world, 300));
    mote_world_destroy(world);
}

/* The check does not affect the state: it is the same with a closed system and, after a callback
 * without force, without. */
static void nothing(void *context, const mote_force_view *view)
{
    (void)context, (void)view;
}

static void the_watch_changes_no_bit(void **state)
{
    (void)state;
    uint64_t hash[2];
    for (int k = 0; k < 2; ++k) {
        mote_world *world = world_with(NULL, 0.005, CRYSTAL("0.5"));
        if (k == 1) {
            assert_int_equal(mote_world_add_force(world, nothing, NULL, NULL), MOTE_OK);
        }
        step_by(world, 200);
        hash[k] = mote_world_state_hash(world);
        mote_world_destroy(world);
    }
    assert_true(hash[0] == hash[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(growing_energy_is_reported),
                                       cmocka_unit_test(healthy_and_driven_runs_are_not),
                                       cmocka_unit_test(a_callback_may_do_work),
                                       cmocka_unit_test(external_writes_are_no_energy_rise),
                                       cmocka_unit_test(the_watch_changes_no_bit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
