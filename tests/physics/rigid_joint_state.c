/* Worlds with every type of joint, to the world, bodies, a moving collider and a node: the same bits
 * on 1, 2, 3 and 8 threads, and after a restored snapshot. */
#include "worlds.h"

#define BALL(name, x) \
    "{\"name\": \"" name "\", \"model\": \"rigid\", \"mass\": 2, \"velocity\": [0, 0.4, 0], " \
    "\"shape\": {\"type\": \"box\", \"min\": [" x ", -0.1, 0.4], \"max\": [" x ".2, 0.1, 0.6]}}"

/* Each body hangs on joints of its own; the last two are in contact with the ground as well. */
static const char SCENE[] =
    "{\"time\": {\"end\": 10, \"step\": 0.001}, \"bodies\": [" BALL("a", "0") ", " BALL("b", "1") ", " BALL("c", "2") ", " BALL("d", "3") ", " BALL(
        "e",
        "4") ", " BALL("f",
                       "5") ", " BALL("g",
                                      "6") ", " BALL("i",
                                                     "7") ", " BALL("j",
                                                                    "8") ", " BALL("k",
                                                                                   "9") ", "
                                                                                        "{\"name\": \"loose\", \"model\": \"rigid\", \"shape\": {\"type\": \"box\", \"min\": [0, 1, 0], "
                                                                                        "\"max\": [0.2, 1.2, 0.2]}, \"copies\": [{\"count\": 6, \"step\": [0.05, 0, 0.21]}]}, "
                                                                                        "{\"name\": \"cord\", \"mesh\": {\"type\": \"rope\", \"start\": [9, 0, 1.5], \"end\": [9, 0, 0.6], "
                                                                                        "\"segments\": 8}, \"mass\": 0.1, \"pins\": [{\"nodes\": [0]}], \"model\": {\"type\": \"spring\", "
                                                                                        "\"k\": 200, \"damping_spring\": 0.1}}], \"joints\": ["
                                                                                        "{\"type\": \"ball\", \"bodies\": [\"a\"], \"point\": [0, 0, 1]}, "
                                                                                        "{\"type\": \"hinge\", \"bodies\": [\"b\", \"a\"], \"point\": [1, 0, 1], \"axis\": [1, 0, 0], "
                                                                                        "\"lower\": -0.2, \"upper\": 0.2}, "
                                                                                        "{\"type\": \"hinge\", \"bodies\": [\"c\"], \"point\": [2, 0, 1], \"axis\": [1, 0, 0], "
                                                                                        "\"motor_speed\": 2, \"motor_maximum\": 50}, "
                                                                                        "{\"type\": \"slider\", \"bodies\": [\"d\"], \"point\": [3, 0, 0.5], \"axis\": [0, 1, 0.2], "
                                                                                        "\"lower\": -0.3, \"upper\": 0.3}, "
                                                                                        "{\"type\": \"fixed\", \"bodies\": [\"e\", \"d\"], \"point\": [3.6, 0, 0.5]}, "
                                                                                        "{\"type\": \"distance\", \"bodies\": [\"f\"], \"point\": [5, 0, 0.6], \"other\": [5, 0, 1.5]}, "
                                                                                        "{\"type\": \"distance\", \"bodies\": [\"g\"], \"point\": [6, 0, 0.6], \"other\": [6, 0, 1.5], "
                                                                                        "\"rope\": true}, "
                                                                                        "{\"type\": \"distance\", \"bodies\": [\"i\"], \"point\": [7, 0, 0.6], \"other\": [7, 0, 1.5], "
                                                                                        "\"frequency\": 2, \"damping_ratio\": 0.1}, "
                                                                                        "{\"type\": \"hinge\", \"bodies\": [\"j\"], \"collider\": \"arm\", \"point\": [8, 0, 1], "
                                                                                        "\"axis\": [1, 0, 0]}, "
                                                                                        "{\"type\": \"ball\", \"bodies\": [\"k\", \"cord\"], \"node\": 8}], \"colliders\": [{\"name\": "
                                                                                        "\"arm\", \"shape\": {\"type\": \"sphere\", \"center\": [8, 0, 1.2], \"radius\": 0.05}, "
                                                                                        "\"motion\": {\"type\": \"oscillate\", \"amplitude\": [0, 0.1, 0], \"frequency\": 1.5}}, "
                                                                                        "{\"name\": \"ground\", \"shape\": {\"type\": \"plane\"}}]}";

static void threads_agree(void **state)
{
    const int threads[] = {2, 3, 8};
    mote_world *one = world_of(SCENE, 1);
    (void)state;
    take_steps(one, 300, "one thread");
    for (int k = 0; k < 3; ++k) {
        mote_world *more = world_of(SCENE, threads[k]);
        take_steps(more, 300, "more threads");
        assert_same_state(one, more);
        mote_world_destroy(more);
    }
    mote_world_destroy(one);
}

static void restored_worlds_continue(void **state)
{
    mote_world *whole = world_of(SCENE, 2), *resumed = world_of(SCENE, 1);
    (void)state;
    take_steps(whole, 150, "before");
    copy_state(whole, resumed);
    take_steps(whole, 150, "after");
    take_steps(resumed, 150, "after");
    assert_same_state(whole, resumed);
    mote_world_destroy(whole);
    mote_world_destroy(resumed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_agree),
                                       cmocka_unit_test(restored_worlds_continue)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
