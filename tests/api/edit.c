/*
 * Adding and removing particles, speed limits, first-order dynamics, and the stability advisor.
 */
#include "worlds.h"

#include "integrate/integrator.h"

#include <math.h>

#define ROPE(end) \
    "{\"name\": \"rope\", \"mass\": 1, \"mesh\": {\"type\": \"rope\", \"start\": [0, 0, 0], \"end\": [" end \
    ", 0, 0], " \
    "\"segments\": " end \
    "}, \"model\": {\"type\": \"spring\", \"k\": 50, \"damping_spring\": 0.1}, \"pins\": [{\"set\": " \
    "\"start\", \"motion\": {\"type\": \"translate\", \"velocity\": [0, 1, 0]}}]}"
#define BALL \
    "{\"name\": \"ball\", \"velocity\": [1, 0, 5], \"mesh\": {\"type\": \"points\", \"positions\": [[0, 9, " \
    "0]]}}"
#define SCENE(bodies) "{\"time\": {\"end\": 1, \"step\": 0.001}, \"bodies\": [" bodies "]}"

/* Bitwise; for implicit schemes, which solve one system for all rows, to their tolerance. */
static bool same_rope(mote_world *a, mote_world *b, const mo_descriptor *integrator)
{
    const double *x = numbers_of(a, "x"), *y = numbers_of(b, "x");
    double allowed = integrator->capabilities & MO_IMPLICIT ? 1e-6 : 0;
    bool same = true;
    for (int k = 0; k < 27; ++k) {
        same = same && fabs(x[k] - y[k]) <= allowed;
    }
    return same;
}

/* A rope and a ball without contact: after the ball is removed, every integrator continues the
 * rope bitwise as without the ball. */
static void remaining_particles_continue(void **state)
{
    (void)state;
    for (int k = 0; k < mo_integrators.count; ++k) {
        const char *name = mo_integrators.methods[k]->name;
        mote_world *both = world_with_integrator(SCENE(BALL ", " ROPE("8")), name, 0),
                   *alone = world_with_integrator(SCENE(ROPE("8")), name, 0);
        mote_error error = {0};
        uint8_t gone[10] = {1};
        step_by(both, 40);
        step_by(alone, 40);
        assert_int_equal(mote_world_remove(both, 0, gone, &error), MOTE_OK);
        assert_int_equal(mote_world_rows(both, 0), 9);
        assert_int_equal(mote_world_body(both, 0).count, 0);
        assert_int_equal(mote_world_body(both, 1).first, 0);
        step_by(both, 40);
        step_by(alone, 40);
        if (!same_rope(both, alone, mo_integrators.methods[k])) {
            fail_msg("%s: the rope notices that the ball is gone", name);
        }
        mote_world_destroy(both);
        mote_world_destroy(alone);
    }
}

/* The same for an added ball: the rope is unaffected, and the ball is in free fall. */
static void added_particles_interact(void **state)
{
    (void)state;
    for (int k = 0; k < mo_integrators.count; ++k) {
        const char *name = mo_integrators.methods[k]->name;
        mote_world *world = world_with_integrator(SCENE(ROPE("8")), name, 0),
                   *alone = world_with_integrator(SCENE(ROPE("8")), name, 0);
        double x[3] = {0, 9, 0}, v[3] = {1, 0, 5};
        mote_particles ball = {.name = "ball", .count = 1, .x = x, .v = v};
        mote_body body;
        mote_error error = {0};
        step_by(world, 40);
        step_by(alone, 80);
        assert_int_equal(mote_world_add(world, &ball, &body, &error), MOTE_OK);
        assert_int_equal(body.first, 9);
        assert_string_equal(body.name, "ball");
        step_by(world, 40);
        if (!same_rope(world, alone, mo_integrators.methods[k])) {
            fail_msg("%s: the rope notices the ball", name);
        }
        const double *p = numbers_of(world, "x") + 27;
        double t = 0.04, z = 5 * t - 0.5 * 9.81 * t * t;
        /* first order: half a step of the fall */
        if (!(fabs(p[0] - t) < 1e-12 && fabs(p[2] - z) < 0.5 * 9.81 * t * 0.0011)) {
            fail_msg("%s: the ball is at %g, %g instead of %g, %g", name, p[0], p[2], t, z);
        }
        mote_world_destroy(world);
        mote_world_destroy(alone);
    }
}

/* A rope truncated after its fifth node equals a rope of four segments with the same masses. */
static void springs_lose_their_ends(void **state)
{
    (void)state;
    mote_world *cut = world_with_integrator(SCENE(ROPE("8")), "velocity_verlet", 0),
               *shorter = world_with_integrator(SCENE(ROPE("4")), "velocity_verlet", 0);
    uint8_t gone[9] = {0, 0, 0, 0, 0, 1, 1, 1, 1};
    mote_error error = {0};
    const int32_t *edges;
    assert_int_equal(mote_world_remove(cut, 0, gone, &error), MOTE_OK);
    assert_int_equal(mote_world_edges(cut, 0, &edges), 4);
    memcpy(numbers_of(shorter, "mass"), numbers_of(cut, "mass"), 5 * sizeof(double));
    memcpy(numbers_of(shorter, "inverse_mass"), numbers_of(cut, "inverse_mass"),
           5 * sizeof(double));
    step_by(cut, 100);
    step_by(shorter, 100);
    assert_memory_equal(numbers_of(cut, "x"), numbers_of(shorter, "x"), 15 * sizeof(double));
    mote_world_destroy(cut);
    mote_world_destroy(shorter);
}

/* Removing every other particle of a large cloth: momentum is conserved, so all springs of
 * removed particles are removed. */
static void holes_keep_momentum(void **state)
{
    (void)state;
    mote_world *world = world_with_integrator(
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.0001}, \"bodies\": [{\"mass\": 10,"
        " \"velocity\": [0, 0, 1], \"mesh\": {\"type\": \"cloth\", \"columns\": 150, \"rows\": 100},"
        " \"model\": {\"type\": \"spring\", \"k\": 1}}]}",
        "velocity_verlet", 0);
    int64_t rows = mote_world_rows(world, 0);
    uint8_t *gone = calloc((size_t)rows, 1);
    mote_measures before, after;
    mote_error error = {0};
    for (int64_t row = 0; row < rows; ++row) {
        gone[row] = row % 7 == 3;
        numbers_of(world, "x")[3 * row] *= 1.01;
    }
    mote_world_invalidate(world, 0);
    assert_int_equal(mote_world_remove(world, 0, gone, &error), MOTE_OK);
    mote_world_measure(world, &before, NULL);
    step_by(world, 100);
    mote_world_measure(world, &after, NULL);
    for (int k = 0; k < 3; ++k) {
        assert_true(fabs(before.momentum[k] - after.momentum[k]) < 1e-12);
    }
    assert_true(after.kinetic > before.kinetic); /* the stretched springs have done work */
    free(gone);
    mote_world_destroy(world);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    mote_world *world = world_of(SCENE(BALL), 0);
    double x[3] = {NAN, 0, 0}, mass = -1, fine[3] = {0, 0, 0};
    mote_particles bad = {.count = 1, .x = x}, weightless = {.count = 1, .x = fine, .mass = &mass},
                   none = {.count = 0};
    mote_error error = {0};
    uint8_t gone = 1;
    assert_int_equal(mote_world_add(world, &bad, NULL, &error), MOTE_ERROR_INPUT);
    assert_int_equal(mote_world_add(world, &weightless, NULL, &error), MOTE_ERROR_INPUT);
    assert_int_equal(mote_world_add(world, &none, NULL, &error), MOTE_ERROR_USAGE);
    assert_int_equal(mote_world_remove(world, 3, &gone, &error), MOTE_ERROR_USAGE);
    assert_int_equal(mote_world_remove(world, 0, &gone, &error), MOTE_OK);
    step_by(world, 5); /* an empty system can be stepped */
    mote_world_destroy(world);
}

static void speeds_are_limited(void **state)
{
    (void)state;
    mote_world *world = world_with_integrator(
        "{\"time\": {\"end\": 1, \"step\": 0.01}, \"speed_limit\": 2, \"speed_change_limit\": 0.05,"
        " \"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 0]]}}]}",
        "leapfrog", 0);
    double last = 0;
    for (int k = 0; k < 100; ++k) {
        step_by(world, 1);
        double v = numbers_of(world, "v")[2];
        assert_true(fabs(v - last) <= 0.05 + 1e-12 && fabs(v) <= 2 + 1e-12);
        last = v;
    }
    assert_true(fabs(last + 2) < 1e-12);
    mote_world_destroy(world);
}

/* A top with an angular velocity of a hundred per step: its orientation overflows while its
 * position is constant. */
static void an_orientation_that_explodes_is_found(void **state)
{
    (void)state;
    mote_world *world = world_with_integrator(
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.001},"
        " \"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 0]]},"
        " \"oriented\": true, \"inertia\": [1, 2, 3],"
        " \"angular_velocity\": [1e5, 2e4, 1]}]}",
        "rk4", 0);
    mote_error error = {0};
    mote_status status = MOTE_OK;
    for (int k = 0; k < 1000 && status == MOTE_OK; ++k) {
        status = mote_world_step(world, NULL, &error);
    }
    assert_int_equal(status, MOTE_ERROR_NUMERIC);
    assert_says(error.text, "orientation");
    mote_world_destroy(world);
}

/* x' = f/m of a spring: the distance from equilibrium decays as exp(-k t/m), at the scheme's
 * order. */
static void first_order_slides_to_rest(void **state)
{
    (void)state;
    for (int k = 0; k < mo_integrators.count; ++k) {
        const mo_integrator_type *type = (const mo_integrator_type *)mo_integrators.methods[k];
        double error[2];
        if (!(type->base.capabilities & MO_FIRST_ORDER)) {
            continue;
        }
        for (int fine = 0; fine < 2; ++fine) {
            char text[500];
            snprintf(
                text, sizeof text,
                "{\"gravity\": [0, 0, 0], \"dynamics\": \"first_order\", \"time\": {\"end\": 1, "
                "\"step\": %.17g},"
                " \"bodies\": [{\"mass\": 4, \"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, "
                "0], [1, 0, 0]],"
                " \"edges\": [0, 1]}, \"model\": {\"type\": \"spring\", \"k_length\": 4}, \"pins\": "
                "[{\"nodes\": [0]}]}]}",
                fine ? 1.0 / 128 : 1.0 / 64);
            mote_world *world = world_with_integrator(text, type->base.name, 0);
            numbers_of(world, "x")[3] = 1.5;
            mote_world_invalidate(world, 0);
            step_by(world, fine ? 128 : 64);
            error[fine] = fabs(numbers_of(world, "x")[3] - 1 - 0.5 * exp(-2.0));
            mote_world_destroy(world);
        }
        if (!(log2(error[0] / error[1]) >= type->order - 0.1)) {
            fail_msg("%s: order %.3f in first-order dynamics, claims %d", type->base.name,
                     log2(error[0] / error[1]), type->order);
        }
    }
}

/* A chain with fixed ends: the highest frequency tends to sqrt(4 k/m) for many links, and the
 * bound is close. */
static void the_advisor_is_right(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.001}, \"bodies\": [{\"mass\": 100,"
        " \"mesh\": {\"type\": \"rope\", \"start\": [0, 0, 0], \"end\": [100, 0, 0], \"segments\": 100},"
        " \"model\": {\"type\": \"spring\", \"k_length\": 25, \"damping_spring\": 1},"
        " \"pins\": [{\"set\": \"start\"}, {\"set\": \"end\"}]}]}",
        0);
    double omega, rate;
    mote_advice advice;
    assert_int_equal(mote_world_frequency(world, &omega, NULL), MOTE_OK);
    assert_int_equal(mote_world_damping(world, &rate, NULL), MOTE_OK);
    assert_true(fabs(omega - 10) < 1e-9);
    assert_true(fabs(rate - 4) < 1e-9);
    for (int k = 0; mote_world_advice(world, omega, rate, k, &advice); ++k) {
        if (strcmp(advice.integrator, "velocity_verlet") == 0) {
            assert_true(fabs(advice.stable_step - 0.2) < 1e-9);
            /* (omega h/2)^2 + 4 g/m h = 1: damping by a predicted velocity */
            assert_true(fabs(advice.damped_step - (sqrt(116) - 4) / 50) < 1e-9);
        }
        assert_true(advice.step == 0.001 && fabs(advice.accuracy - 1e-4 / 12) < 1e-12);
    }
    mote_world_destroy(world);
}

/* The largest of three rates: point damping, drag in a wind of 2 m/s, and viscous damping of two
 * neighbours. */
static void the_advisor_includes_the_damping_of_fields(void **state)
{
    (void)state;
    static const struct {
        const char *force;
        double rate;
    } CASES[] = {{"{\"type\": \"damping_point\", \"g\": 1000}", 500},
                 {"{\"type\": \"drag\", \"linear\": 3, \"quadratic\": 5, \"wind\": [0, 2, 0]}",
                  (3 + 2 * 5 * 2) / 2.0},
                 {"{\"type\": \"damping_viscous\", \"g\": 7, \"range\": 1.1}", 2 * 2 * 7 / 2.0}};
    for (size_t c = 0; c < sizeof CASES / sizeof *CASES; ++c) {
        char text[400];
        snprintf(
            text, sizeof text,
            "{\"time\": {\"end\": 1, \"step\": 0.01}, \"forces\": [%s], \"bodies\": [{\"mass\": 6, \"mesh\": "
            "{\"type\": \"points\", \"positions\": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]}}]}",
            CASES[c].force);
        mote_world *world = world_of(text, 0);
        double rate;
        assert_int_equal(mote_world_damping(world, &rate, NULL), MOTE_OK);
        assert_true(fabs(rate - CASES[c].rate) < 1e-9);
        mote_world_destroy(world);
    }
}

/* The final speed of a damped particle with initial speed 1, for a step relative to the advised
 * one; infinite if the run has failed. */
static double damped_speed(const char *integrator, double part)
{
    const char *text =
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.01}, \"forces\": [{\"type\": "
        "\"damping_point\", \"g\": 100}], \"bodies\": [{\"velocity\": [1, 0, 0], \"mesh\": {\"type\": "
        "\"points\", \"positions\": [[0, 0, 0]]}}]}";
    mote_world *world = world_with_integrator(text, integrator, 0);
    mote_advice advice = {0};
    for (int k = 0; mote_world_advice(world, 0, 100, k, &advice) && !advice.current; ++k) {
    }
    mote_world_destroy(world);
    world = world_with_integrator(text, integrator, part * fmin(advice.damped_step, 1));
    mote_status status = MOTE_OK;
    for (int k = 0; k < 1000 && status == MOTE_OK; ++k) {
        status = mote_world_step(world, NULL, NULL);
    }
    double speed = status == MOTE_OK ? fabs(numbers_of(world, "v")[0]) : INFINITY;
    mote_world_destroy(world);
    return speed;
}

/* Every integrator decays up to the advised step, and explicit ones grow beyond it. */
static void the_advised_step_of_a_damped_motion_is_the_limit(void **state)
{
    (void)state;
    mote_world *world = world_of("{\"time\": {\"end\": 1, \"step\": 0.01}}", 0);
    mote_advice advice;
    for (int k = 0; mote_world_advice(world, 0, 100, k, &advice); ++k) {
        double below = damped_speed(advice.integrator, 0.97),
               above = damped_speed(advice.integrator, 1.05);
        if (!(below < 1e-3) || (isfinite(advice.damped_step) && !(above > 10))) {
            fail_msg("%s: %g below the advised step, %g above", advice.integrator, below, above);
        }
    }
    mote_world_destroy(world);
}

/* The world's integrator is examined with its parameters, all others with their defaults. */
static void the_advisor_uses_the_parameters(void **state)
{
    (void)state;
    static const struct {
        const char *integrator, *name;
        double gear, abm5;
    } CASES[] = {{"leapfrog", "leapfrog", 0.313, 0.2587},
                 {"gear", "gear", 0.313, 0.2587},
                 {"{\"type\": \"gear\", \"velocity_dependent\": false}", "gear", 0, 0.2587},
                 {"{\"type\": \"abm5\", \"corrections\": 0}", "abm5", 0.313, 0},
                 {"{\"type\": \"abm5\", \"corrections\": 2}", "abm5", 0.313, 0.8089}};
    for (size_t c = 0; c < sizeof CASES / sizeof *CASES; ++c) {
        mote_world *world = world_with_integrator(
            "{\"time\": {\"end\": 1, \"step\": 0.001}, \"bodies\": [{\"mesh\":"
            " {\"type\": \"points\", \"positions\": [[0, 0, 0]]}}]}",
            CASES[c].integrator, 0);
        mote_advice advice;
        for (int k = 0; mote_world_advice(world, 10, 0, k, &advice); ++k) {
            bool gear = strcmp(advice.integrator, "gear") == 0,
                 abm5 = strcmp(advice.integrator, "abm5") == 0;
            assert_int_equal(advice.current, strcmp(advice.integrator, CASES[c].name) == 0);
            if (gear || abm5) {
                assert_true(fabs(10 * advice.stable_step - (gear ? CASES[c].gear : CASES[c].abm5)) <
                            1e-12);
            }
        }
        mote_world_destroy(world);
    }
}

/* ---- neighbours of edited particles ---- */

#define PAIR \
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 9, \"step\": 0.01}, \"bodies\": [{\"mesh\": {\"type\": " \
    "\"points\", \"positions\": [[0, 0, 0], [1.5, 0, 0], [90, 9, 9], [91.4, 9, 9]]}}], \"forces\": " \
    "[{\"type\": \"lennard_jones\", \"e\": 1, \"r0\": 1, \"n\": 4, \"m\": 2, \"r_a\": 20, \"r_b\": 40}]}"

/* The position of particle 0 at t = 1 if at 0.5 its neighbour is removed and another one is
 * added; and that of an unaffected particle (may be NULL). */
static mo_vec3 left_alone(const char *integrator, int steps, bool remove, bool add, double far[3])
{
    mote_error error = {0};
    const uint8_t gone[4] = {0, 1, 0, 0};
    const double position[3] = {0, 1.2, 0};
    mote_particles newcomer = {.count = 1, .x = position};
    mote_world *world = world_with_integrator(PAIR, integrator, 1.0 / steps);
    step_by(world, steps / 2);
    if (remove) {
        assert_int_equal(mote_world_remove(world, 0, gone, &error), MOTE_OK);
    }
    if (add) {
        assert_int_equal(mote_world_add(world, &newcomer, NULL, &error), MOTE_OK);
    }
    step_by(world, steps / 2);
    mo_vec3 x = mo_vec3_load(numbers_of(world, "x"));
    if (far) {
        memcpy(far, numbers_of(world, "x") + (remove ? 3 : 6), 3 * sizeof *far);
    }
    mote_world_destroy(world);
    return x;
}

/* Multistep schemes keep their order when a neighbour is removed or added. */
static void neighbours_of_an_edit_keep_their_order(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double order;
    } cases[] = {{"\"velocity_verlet\"", 2},
                 {"\"verlet\"", 2},
                 {"\"leapfrog\"", 2},
                 {"\"beeman\"", 3},
                 {"\"abm2\"", 2},
                 {"\"abm4\"", 4},
                 {"\"gear\"", 4}};
    for (int add = 0; add < 2; ++add) {
        mo_vec3 exact = left_alone("\"rk4\"", 4096, !add, add, NULL);
        for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
            double coarse =
                mo_length(mo_sub(left_alone(cases[k].name, 64, !add, add, NULL), exact));
            double fine = mo_length(mo_sub(left_alone(cases[k].name, 128, !add, add, NULL), exact));
            double order = log2(coarse / fine);
            /* gear and abm4 restart with one step of third order */
            if (order < fmin(cases[k].order, 3) - 0.25) {
                fail_msg("%s, %s: order %.2f (%g, %g)", cases[k].name, add ? "added" : "removed",
                         order, coarse, fine);
            }
        }
    }
}

/* Particles unaffected by an edit continue bitwise, except with implicit solves. */
static void rows_far_from_an_edit_are_bitwise_equal(void **state)
{
    (void)state;
    for (int k = 0; k < mo_integrators.count; ++k) {
        char name[64];
        double alone[3], removed[3], added[3];
        if (mo_integrators.methods[k]->capabilities & MO_IMPLICIT) {
            continue;
        }
        snprintf(name, sizeof name, "\"%s\"", mo_integrators.methods[k]->name);
        left_alone(name, 64, false, false, alone);
        left_alone(name, 64, true, false, removed);
        left_alone(name, 64, false, true, added);
        assert_memory_equal(alone, removed, sizeof alone);
        assert_memory_equal(alone, added, sizeof alone);
    }
}

/* Oriented particles can be added with all attributes; invalid ones are rejected. */
static void oriented_particles_can_be_added(void **state)
{
    (void)state;
    mote_world *world = world_with_integrator(
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.01}, \"bodies\": [{\"oriented\": true, "
        "\"inertia\": [1, 1, 1], \"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 0]]}}]}",
        "\"rk4\"", 0);
    const double x[3] = {1, 0, 0}, w[3] = {0, 0, 2}, inertia[3] = {1, 1, 1.5}, odd[3] = {1, 1, 30};
    mote_particles p = {.count = 1, .x = x, .w = w, .inertia = odd};
    mote_error error = {0};
    assert_int_equal(mote_world_add(world, &p, NULL, &error), MOTE_ERROR_INPUT);
    p.inertia = inertia;
    assert_int_equal(mote_world_add(world, &p, NULL, &error), MOTE_OK);
    step_by(world, 50);
    const double *q = numbers_of(world, "q") + 4; /* rotated by w t = 1 about z */
    assert_near(q[0], cos(0.5), 1e-9);
    assert_near(q[3], sin(0.5), 1e-9);
    double omega;
    assert_int_equal(mote_world_frequency(world, &omega, &error), MOTE_OK);
    assert_near(omega, 1, 1e-9); /* |w|/2 */
    mote_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(remaining_particles_continue),
        cmocka_unit_test(added_particles_interact),
        cmocka_unit_test(springs_lose_their_ends),
        cmocka_unit_test(holes_keep_momentum),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(speeds_are_limited),
        cmocka_unit_test(an_orientation_that_explodes_is_found),
        cmocka_unit_test(first_order_slides_to_rest),
        cmocka_unit_test(the_advisor_is_right),
        cmocka_unit_test(the_advisor_includes_the_damping_of_fields),
        cmocka_unit_test(the_advised_step_of_a_damped_motion_is_the_limit),
        cmocka_unit_test(the_advisor_uses_the_parameters),
        cmocka_unit_test(neighbours_of_an_edit_keep_their_order),
        cmocka_unit_test(rows_far_from_an_edit_are_bitwise_equal),
        cmocka_unit_test(oriented_particles_can_be_added)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
