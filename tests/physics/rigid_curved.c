/* Rigid bodies that swing without friction on curved surfaces conserve their energy for 20 s at the
 * default step: containers of closed form, and a bowl of triangles. */
#include "worlds.h"

#include <math.h>

/* The energy after the first contacts must not grow by more than `growth`, nor decrease by more
 * than `loss`, in units of the swing's kinetic energy. */
static void check_swing(const char *body, const char *collider, double growth, double loss)
{
    mote_world *world =
        world_printf(1,
                     "{\"time\": {\"end\": 20, \"step\": 0.025}, \"bodies\": [{\"model\": "
                     "\"rigid\", \"friction\": 0, \"shape\": %s}], \"colliders\": [%s]}",
                     body, collider);
    mote_measures now;
    double first = 0, highest = -INFINITY, lowest = INFINITY, kinetic = 0;
    for (int k = 0; k < 200; ++k) {
        take_steps(world, 4, body);
        assert_int_equal(mote_world_measure(world, &now, NULL), MOTE_OK);
        double energy = now.kinetic + now.potential;
        if (k == 10) { /* after 1 s: the body has landed on the surface */
            first = energy;
        } else if (k > 10) {
            highest = fmax(highest, energy);
            lowest = fmin(lowest, energy);
        }
        kinetic = fmax(kinetic, now.kinetic);
    }
    if (highest - first > growth * kinetic || first - lowest > loss * kinetic) {
        fail_msg("%s: +%g, -%g of %g J", body, highest - first, first - lowest, kinetic);
    }
    mote_world_destroy(world);
}

static const char BALL[] = "{\"type\": \"sphere\", \"center\": [0.6, 0, 0.33], \"radius\": 0.1}";
static const char HOLLOW_SPHERE[] =
    "{\"inside\": true, \"shape\": {\"type\": \"sphere\", \"center\": [0, 0, 1], \"radius\": 1}}";
static const char PIPE[] = "{\"inside\": true, \"shape\": {\"type\": \"cylinder\", \"start\": [0, "
                           "-2, 1], \"end\": [0, 2, 1], \"radius\": 1}}";

static void a_ball_in_a_sphere(void **state)
{
    (void)state;
    check_swing(BALL, HOLLOW_SPHERE, 1e-3, 1e-3);
}

static void a_capsule_and_a_cylinder_in_a_pipe(void **state)
{
    (void)state;
    check_swing("{\"type\": \"capsule\", \"start\": [0.6, -0.2, 0.35], \"end\": [0.6, 0.2, 0.35], "
                "\"radius\": 0.1}",
                PIPE, 1e-3, 1e-3);
    check_swing("{\"type\": \"cylinder\", \"start\": [0.6, -0.2, 0.35], \"end\": [0.6, 0.2, "
                "0.35], \"radius\": 0.1}",
                PIPE, 1e-3, 1e-3);
}

/* On its four lower corners. */
static void a_box_in_a_sphere(void **state)
{
    (void)state;
    check_swing("{\"type\": \"box\", \"min\": [0.5, -0.1, 0.35], \"max\": [0.7, 0.1, 0.45]}",
                HOLLOW_SPHERE, 1e-3, 2e-3);
}

/* 1,584 triangles as a smooth surface: bounded, within the error of its approximation. */
static void a_ball_in_a_bowl_of_triangles(void **state)
{
    (void)state;
    check_swing("{\"type\": \"sphere\", \"center\": [0.15, 0, -0.15], \"radius\": 0.06}",
                "{\"shape\": {\"type\": \"mesh\", \"file\": \"" MOTE_SCENES "/meshes/bowl.obj\"}}",
                0.01, 0.01);
}

/* Also as one of many, by the sweeps: six balls that collide lose energy, and do not gain any. */
static void balls_in_a_sphere(void **state)
{
    mote_world *world = world_printf(
        1,
        "{\"time\": {\"end\": 20, \"step\": 0.025}, \"bodies\": [{\"model\": \"rigid\", "
        "\"friction\": 0, \"shape\": {\"type\": \"sphere\", \"center\": [0.5, 0, 0.5], "
        "\"radius\": 0.1}, \"copies\": [{\"count\": 3, \"step\": [-0.21, 0, -0.05]}, {\"count\": "
        "2, \"step\": [0, 0.21, 0]}]}], \"colliders\": [%s]}",
        HOLLOW_SPHERE);
    mote_measures now;
    double last = INFINITY;
    (void)state;
    for (int k = 0; k < 50; ++k) {
        take_steps(world, 8, "balls");
        assert_int_equal(mote_world_measure(world, &now, NULL), MOTE_OK);
        assert_true(now.kinetic + now.potential < last + 0.01);
        last = fmin(last, now.kinetic + now.potential);
    }
    mote_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_in_a_sphere), cmocka_unit_test(a_capsule_and_a_cylinder_in_a_pipe),
        cmocka_unit_test(a_box_in_a_sphere),  cmocka_unit_test(a_ball_in_a_bowl_of_triangles),
        cmocka_unit_test(balls_in_a_sphere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
