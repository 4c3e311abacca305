/*
 * Emission from the faces of a solid and of a collider.
 */
#include "refusals.h"

#include <math.h>

#define SCENE(emitter, more) \
    "{\"time\": {\"end\": 1, \"step\": 0.002}, \"gravity\": [0, 0, 0], \"fluid\": {\"spacing\": 0.05," \
    " \"phases\": [{}], \"emitters\": [{" emitter "}]}" more "}"
#define BALL "\"surface\": {\"type\": \"sphere\", \"center\": [0, 0, 0], \"radius\": 0.3}"
#define CAPACITY \
    ", \"colliders\": [{\"name\": \"room\", \"shape\": {\"type\": \"box\", \"min\": [-1, -1, -1]," \
    " \"max\": [1, 1, 1]}, \"motion\": {\"type\": \"translate\", \"velocity\": [0, 0.5, 0]}%s}]"

static double radius_of(const double *x)
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* 4 pi r^2 speed = 0.565 m^3/s, and the same by flow_rate. */
static void the_flow_rate_is_exact(void **state)
{
    (void)state;
    const char *scenes[] = {SCENE(BALL ", \"speed\": 0.5", ""),
                            SCENE(BALL ", \"flow_rate\": 0.565487", "")};
    for (int k = 0; k < 2; ++k) {
        mote_world *world = world_of(scenes[k], 1);
        int64_t layer = mote_world_rows(world, 0);
        advance_to(world, 0.4);
        double emitted = (double)(mote_world_rows(world, 0) - layer) * 1.25e-4,
               due = 0.565487 * 0.4;
        /* up to the layer that is due next */
        assert_true(emitted <= due * 1.001 && emitted > due - (double)layer * 1.25e-4);
        mote_world_destroy(world);
    }
}

/* Within a support radius of the surface particles move along its normals with the given speed. */
static void particles_leave_along_the_normals(void **state)
{
    (void)state;
    mote_world *world = world_of(SCENE(BALL ", \"speed\": 0.5", ""), 1);
    advance_to(world, 0.1);
    const double *x = numbers_of(world, "x"), *v = numbers_of(world, "v");
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        double r = radius_of(x + 3 * row), along = 0;
        for (int c = 0; c < 3; ++c) {
            along += x[3 * row + c] / r * v[3 * row + c];
        }
        assert_true(r > 0.324 && r < 0.3 + 0.025 + 0.5 * 0.1 + 1e-6);
        assert_true(fabs(along - 0.5) < 1e-9 && fabs(radius_of(v + 3 * row) - 0.5) < 1e-9);
    }
    mote_world_destroy(world);
}

/* The floor of a moving container emits upwards, and its velocity is added. */
static void it_moves_with_a_collider(void **state)
{
    (void)state;
    mote_world *world =
        world_printf(1,
                     SCENE("\"collider\": \"room\", \"speed\": 1, \"direction\": [0, 0, 1],"
                           " \"faces\": {\"type\": \"box\", \"min\": [-0.3, -0.3, -1.01],"
                           " \"max\": [0.3, 0.3, -0.9]}",
                           CAPACITY),
                     ", \"inside\": true");
    assert_int_equal(mote_world_rows(world, 0), 13 * 13);
    advance_to(world, 0.2);
    const double *x = numbers_of(world, "x"), *v = numbers_of(world, "v");
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        bool led = x[3 * row + 2] < -1 + 0.1;
        assert_true(!led || fabs(v[3 * row + 1] - 0.5) < 1e-9);
        assert_true(!led || fabs(v[3 * row + 2] - 1) < 1e-9);
        /* a particle is carried along from the time of its emission */
        assert_true(!led || (fabs(x[3 * row]) < 0.3 + 1e-9 && x[3 * row + 1] < 0.3 + 0.1 + 1e-9));
    }
    mote_world_destroy(world);
}

static void contradictions_are_errors(void **state)
{
    (void)state;
    need_refusal(SCENE(BALL ", \"speed\": 1, \"center\": [0, 0, 0]", ""), "emitters[0].center");
    need_refusal(SCENE(BALL ", \"speed\": 1, \"width\": 1", ""), "emitters[0].width");
    need_refusal(SCENE("\"collider\": \"rom\", \"speed\": 1", ""), "emitters[0].collider");
    need_refusal(SCENE(BALL
                       ", \"speed\": 1, \"faces\": {\"type\": \"sphere\", \"center\": [5, 0, 0],"
                       " \"radius\": 1}",
                       ""),
                 "emitters[0].faces: no face emits");
    need_refusal(SCENE("\"surface\": {\"type\": \"plane\"}, \"speed\": 1", ""),
                 "emitters[0].surface: the shape is unbounded");
    need_refusal(SCENE("\"width\": 1, \"speed\": 1", ""),
                 "emitters[0].center: an opening needs one");
    need_refusal(
        SCENE("\"width\": 1, \"center\": [0, 0, 0], \"direction\": [1, 0, 0], \"speed\": 1,"
              " \"faces\": {\"type\": \"plane\"}",
              ""),
        "emitters[0].faces: it needs surface or collider");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_flow_rate_is_exact),
        cmocka_unit_test(particles_leave_along_the_normals),
        cmocka_unit_test(it_moves_with_a_collider),
        cmocka_unit_test(contradictions_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
