/*
 * Scenes without a time step: the automatic step is stable and accurate with every model and
 * integrator, names its active limit, and is the same on any number of threads and after a restart.
 */
#include "worlds.h"

#include "integrate/integrator.h"

#include <math.h>

#define POINT(radius, rest) \
    "\"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 1]]}, \"mass\": 1" radius \
    "}]" rest
/* 1 kg on a spring, of 10 rad/s. */
#define OSCILLATOR(damping) \
    "\"gravity\": [1, 0, 0], \"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 0], " \
    "[1, 0, 0]], \"edges\": [0, 1]}, \"mass\": 2, \"pins\": [{\"nodes\": " \
    "[0]}], \"model\": {\"type\": \"spring\", \"k_length\": 100" damping "}}]"
#define ROPE(k) \
    "\"bodies\": [{\"mesh\": {\"type\": \"rope\", \"start\": [0, 0, 1], \"end\": [1, 0, 1]}, \"mass\": " \
    "0.1, \"model\": {\"type\": \"spring\", \"k\": " k "}, \"pins\": [{\"set\": \"start\"}]}]"
#define CLOTH \
    "\"bodies\": [{\"mesh\": {\"type\": \"cloth\", \"columns\": 8, \"rows\": 8}, \"mass\": 0.2, " \
    "\"model\": {\"type\": \"spring\", \"k\": 100}, \"pins\": [{\"set\": \"u0v0\"}]}]"
#define BLOCK(model, rest) \
    "\"bodies\": [{\"mesh\": {\"type\": \"block\", \"min\": [0, 0, 0.5], \"max\": [1, 0.3, 0.8], " \
    "\"nx\": 5, \"ny\": 3, \"nz\": 3, \"tetrahedra\": 5}, \"density\": 1000, \"model\": " model \
    "" rest "}]"
#define FEM(young) \
    "{\"type\": \"fem\", \"material\": {\"type\": \"neo_hookean\", \"young\": " young \
    ", \"poisson\": 0.3}}"
#define GROUND ", \"colliders\": [{\"shape\": {\"type\": \"plane\"}}]"
#define GAS \
    "\"gravity\": [0, 0, 0], \"boltzmann\": 1, \"bodies\": [{\"mass\": 32, \"temperature\": 1, " \
    "\"mesh\": {\"type\": \"lattice\", \"kind\": \"fcc\", \"nx\": 2, \"ny\": 2, \"nz\": 2, " \
    "\"spacing\": 1.6}}], \"forces\": [{\"type\": \"lennard_jones\", \"e\": 1, \"r0\": 1.12}]"
#define TANK(rest) \
    "\"up\": \"y\", \"fluid\": {\"dimension\": 2, \"spacing\": 0.05" rest \
    ", \"phases\": [{\"fill\": [{\"type\": \"box\", \"min\": [0.05, 0.05, -1], \"max\": [0.5, 0.6, 1]}]}" \
    "]}, \"colliders\": [{\"shape\": {\"type\": \"box\", \"min\": [0, 0, -1], \"max\": [1, 1, 1]}, " \
    "\"inside\": true}]"

static mote_world *naive(double end, const char *integrator, const char *step, const char *rest,
                         int threads)
{
    return world_printf(threads, "{\"time\": {\"end\": %g%s%s}, %s%s%s%s}", end,
                        step ? ", \"step\": " : "", step ? step : "",
                        integrator ? "\"integrator\": \"" : "", integrator ? integrator : "",
                        integrator ? "\", " : "", rest);
}

typedef struct naive_case {
    const char *name, *integrator, *limit; /* active limit of the first step */
    double end, drift, error;              /* of the energy, see below */
    const char *rest;
} naive_case;

/* drift: of the energy relative to the largest kinetic energy; NAN with dissipation. error:
 * relative to much smaller steps, in units of the exchanged energy; the dissipation of a coarse
 * fluid depends on its steps. The energy never increases. */
static const naive_case CASES[] = {
    {"a falling point", NULL, "frame", 0.4, 0.02, 0.02, POINT("", "")},
    {"a bouncing ball", NULL, "frame", 1, NAN, 0.05, POINT(", \"radius\": 0.05", GROUND)},
    {"a fast ball", NULL, "courant", 0.1, 0.02, 0.02,
     POINT(", \"radius\": 0.05, \"velocity\": [100, 0, 0]", "")},
    {"a penalty contact", NULL, "contact", 0.6, NAN, 0.05,
     POINT(", \"radius\": 0.05",
           ", \"colliders\": [{\"shape\": {\"type\": \"plane\"}, \"contact\": "
           "{\"type\": \"penalty\", \"stiffness\": 1e4, \"damping\": 0}}]")},
    {"an oscillator", NULL, "frame", 2, 0.1, 0.1, OSCILLATOR("")},
    {"a damped oscillator", NULL, "damping", 1, NAN, 0.05,
     OSCILLATOR(", \"damping_spring\": 1000")},
    {"a rope", NULL, "stability", 1, 0.02, 0.05, ROPE("100")},
    {"a rope, implicit Euler", "implicit_euler", "frame", 0.5, NAN, 0.2, ROPE("100")},
    {"a rope, implicit midpoint", "implicit_midpoint", "frame", 0.5, 0.05, 0.05, ROPE("100")},
    {"a cloth", NULL, "stability", 0.5, 0.02, 0.1, CLOTH},
    {"a beam", NULL, "stability", 1, 0.02, 0.05,
     BLOCK(FEM("1e5"), ", \"pins\": [{\"set\": \"x0\"}]")},
    {"a beam, implicit Euler", "implicit_euler", "accuracy", 0.4, NAN, 0.15,
     BLOCK(FEM("1e5"), ", \"pins\": [{\"set\": \"x0\"}]")},
    {"a stiff block on the ground", NULL, "stability", 0.4, NAN, 0.1, BLOCK(FEM("1e6"), "") GROUND},
    {"a gas", "velocity_verlet", "frame", 5, 0.03, NAN, GAS},
    {"a tank", NULL, "frame", 0.3, NAN, 0.3, TANK("")},
    {"a tank, wcsph", NULL, "sound", 0.3, NAN, 0.3, TANK(", \"pressure\": \"wcsph\"")},
    {"a tank and a rope", NULL, "stability", 0.3, NAN, NAN, TANK("") ", " ROPE("100")},
};

static double total(const mote_measures *m)
{
    return m->kinetic + m->potential + m->elastic;
}

/* The final energy, and the largest kinetic energy and change of energy. */
static double run_energy(mote_world *world, double end, double *kinetic, double *drift)
{
    mote_measures m = measures_of(world);
    double first = total(&m);
    *kinetic = *drift = 0;
    for (int k = 1; k <= 20; ++k) {
        advance_to(world, end * k / 20);
        m = measures_of(world);
        *kinetic = fmax(*kinetic, m.kinetic);
        *drift = fmax(*drift, fabs(total(&m) - first));
    }
    return total(&m);
}

static void naive_scenes_are_exact(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; ++k) {
        const naive_case *c = &CASES[k];
        const char *limit = NULL, *fine =
                                      "{\"type\": \"auto\", \"factor\": 0.05, \"safety\": 0.05, "
                                      "\"tolerance\": 1e-4, \"max\": 0.0005}";
        double kinetic, drift, unused;
        mote_world *world = naive(c->end, c->integrator, NULL, c->rest, 1);
        mote_measures start = measures_of(world);
        double step = mote_world_step_size(world, &limit);
        double energy = run_energy(world, c->end, &kinetic, &drift);
        mote_world_destroy(world);
        double error = 0;
        if (!isnan(c->error)) {
            world = naive(c->end, c->integrator, fine, c->rest, 1);
            error =
                fabs(energy - run_energy(world, c->end, &unused, &unused)) / fmax(kinetic, drift);
            mote_world_destroy(world);
        }
        bool right = strcmp(limit, c->limit) == 0 && energy < total(&start) + 0.03 * kinetic &&
                     !(drift > c->drift * kinetic) && !(error > c->error);
        print_message("%-28s %.3g s by %s; drift %.2g, error %.2g\n", c->name, step, limit,
                      drift / kinetic, error);
        if (!right) {
            fail_msg("%s: expected %s, drift %g, error %g", c->name, c->limit, c->drift, c->error);
        }
    }
}

/* Three periods of an oscillator of 10 rad/s. */
static void all_integrators_are_stable(void **state)
{
    (void)state;
    for (int k = 0; k < mo_integrators.count; ++k) {
        const mo_integrator_type *type = (const mo_integrator_type *)mo_integrators.methods[k];
        mote_world *world = naive(2, type->base.name, NULL, OSCILLATOR(""), 1);
        double kinetic, drift, first = mote_world_step_size(world, NULL);
        run_energy(world, 2, &kinetic, &drift);
        bool same = mote_world_step_size(world, NULL) == first;
        bool remembers = !(type->base.capabilities & MO_VARIABLE_STEP);
        print_message("%-18s %.3g s, drift %.2g\n", type->base.name, first, drift / kinetic);
        if (drift > (type->order > 1 ? 0.02 : 0.35) * kinetic || (remembers && !same)) {
            fail_msg("%s drifts by %g", type->base.name, drift / kinetic);
        }
        mote_world_destroy(world);
    }
}

/* First-order dynamics: x' = -k/m x, stable below 2 m/k with Euler's method. */
static void first_order_dynamics_is_stable(void **state)
{
    (void)state;
    mote_world *world =
        naive(1, "explicit_euler", NULL, "\"dynamics\": \"first_order\", " OSCILLATOR(""), 1);
    advance_to(world, 1);
    assert_true(fabs(numbers_of(world, "x")[3] - 1.01) < 1e-3);
    mote_world_destroy(world);
}

/* A crate falls on a cloth of position-based dynamics that lies on a table, and the cloth starts
 * 1 cm inside of it: neither the pinched nodes nor the initial overlap becomes a velocity of
 * depth / h, which would shorten h and grow with it. */
static void overlaps_do_not_shorten_the_step(void **state)
{
    (void)state;
    mote_world *world = naive(
        0.3, NULL, NULL,
        "\"bodies\": [{\"mesh\": {\"type\": \"cloth\", \"origin\": [-0.1, -0.1, 0.39], \"u\": "
        "[0.2, 0, 0], \"v\": [0, 0.2, 0], \"columns\": 5, \"rows\": 5}, \"density\": 0.3, "
        "\"model\": \"xpbd\"}, {\"model\": \"rigid\", \"mass\": 0.3, \"shape\": {\"type\": "
        "\"box\", \"min\": [-0.04, -0.04, 0.42], \"max\": [0.04, 0.04, 0.5]}}], \"colliders\": "
        "[{\"shape\": {\"type\": \"box\", \"min\": [-0.4, -0.4, 0], \"max\": [0.4, 0.4, 0.4]}}]",
        1);
    mote_measures start = measures_of(world);
    int64_t steps = 0;
    double kinetic = 0;
    for (; mote_world_time(world) < 0.3 && steps < 300; ++steps) {
        step_by(world, 1);
        mote_measures m = measures_of(world);
        kinetic = fmax(kinetic, m.kinetic);
    }
    print_message("%d steps, kinetic energy up to %.3g J\n", (int)steps, kinetic);
    assert_true(steps < 300);
    /* released: m g 2 cm of the crate */
    assert_true(kinetic < 1.1 * 0.3 * 9.81 * 0.02 + 0.01 * fabs(start.potential));
    mote_world_destroy(world);
}

/* The step is reduced during the run: a body with stiff contacts, an integrator with a history.
 * Bitwise identical after a restart at any step, through a file, and on three threads. */
static void restarts_are_exact(void **state)
{
    (void)state;
    static const char *const INTEGRATORS[] = {"symplectic_euler", "beeman", "gear", "bdf2"};
    for (size_t k = 0; k < sizeof INTEGRATORS / sizeof *INTEGRATORS; ++k) {
        mote_world *a = naive(10, INTEGRATORS[k], NULL, GAS, 1);
        mote_world *b = naive(10, INTEGRATORS[k], NULL, GAS, 3);
        step_by(a, 45 + (int)k);
        mote_snapshot *s = through_a_file(snapshot_of(a));
        mote_error error = {0};
        need(mote_world_restore(b, s, &error), &error, "restore");
        step_by(a, 200);
        step_by(b, 200);
        assert_int_equal(mote_world_state_hash(a), mote_world_state_hash(b));
        mote_snapshot_destroy(s);
        mote_world_destroy(a);
        mote_world_destroy(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(naive_scenes_are_exact), cmocka_unit_test(all_integrators_are_stable),
        cmocka_unit_test(first_order_dynamics_is_stable),
        cmocka_unit_test(overlaps_do_not_shorten_the_step), cmocka_unit_test(restarts_are_exact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
