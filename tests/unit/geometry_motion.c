/*
 * Motions: rigid poses, their initial pose, and their velocities.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "geometry/motion/motion.h"
#include "numbers.h"
#include "set_param.h"

typedef void motion_property(const params *p, double time, uint64_t *random);

/* Motions with start and end last at least half a second, so that accelerations are bounded. */
static void lengthen(params *p, uint64_t *random)
{
    double start = 0;
    for (const mo_param *param = p->type->params; param->name; ++param) {
        if (strcmp(param->name, "start") == 0) {
            memcpy(&start, p->bytes + param->offset, sizeof start);
        }
    }
    for (const mo_param *param = p->type->params; param->name; ++param) {
        if (strcmp(param->name, "end") == 0) {
            set_real(p, "end", start + random_between(random, 0.5, 3));
        }
    }
}

/* Random parameters and random times; kinks of some motions have probability zero. */
static void for_every_motion(motion_property *property)
{
    uint64_t random = 1;
    assert_true(mo_motions.count >= 5);
    for (int m = 0; m < mo_motions.count; ++m) {
        for (int k = 0; k < 200; ++k) {
            params p;
            mo_memory memory;
            mo_arena arena;
            const mo_descriptor *type = mo_motions.methods[m];
            mo_memory_init(&memory, NULL);
            mo_arena_init(&arena, &memory);
            fill_params(&p, type, &random);
            lengthen(&p, &random);
            assert_true(!type->prepare || type->prepare(p.bytes, &arena, NULL) == MOTE_OK);
            property(&p, random_between(&random, -1, 4), &random);
            mo_arena_release(&arena);
        }
    }
}

static mo_pose pose_at(const params *p, double time)
{
    return mo_motion_pose(method_of(p), time);
}

static void assert_velocity_is_the_derivative(const params *p, double time, uint64_t *random)
{
    const double h = 1e-6;
    mo_pose before = pose_at(p, time - h), now = pose_at(p, time), after = pose_at(p, time + h);
    for (int k = 0; k < 5; ++k) {
        mo_vec3 X = random_vec3(random, 2);
        mo_vec3 moved = mo_sub(mo_pose_apply(&after, X), mo_pose_apply(&before, X));
        mo_vec3 velocity = mo_pose_velocity(&now, mo_pose_apply(&now, X));
        /* h^2 x'''/6 with angular speeds up to 2 pi 4, and the rounding of x over h */
        assert_near_vec3(mo_scale(1 / (2 * h), moved), velocity, 2e-8 * (1 + mo_length(velocity)));
    }
}

static void every_velocity_is_the_derivative_of_the_place(void **state)
{
    (void)state;
    for_every_motion(assert_velocity_is_the_derivative);
}

static void assert_rigid(const params *p, double time, uint64_t *random)
{
    (void)random;
    mo_mat3 R = pose_at(p, 1000 * time).R; /* also after many revolutions */
    mo_mat3 one = mo_mat3_product(R, mo_mat3_transpose(R)), identity = mo_mat3_identity();
    for (int k = 0; k < 9; ++k) {
        assert_near(one.m[k], identity.m[k], 1e-14);
    }
    assert_near(mo_mat3_determinant(R), 1, 1e-14);
}

static void every_pose_is_a_rotation(void **state)
{
    (void)state;
    for_every_motion(assert_rigid);
}

static void assert_undone(const params *p, double time, uint64_t *random)
{
    mo_pose pose = pose_at(p, time);
    mo_vec3 X = random_vec3(random, 2);
    assert_near_vec3(mo_pose_undo(&pose, mo_pose_apply(&pose, X)), X, 1e-13);
}

static void every_pose_can_be_undone(void **state)
{
    (void)state;
    for_every_motion(assert_undone);
}

static void nothing_and_still_do_not_move(void **state)
{
    (void)state;
    params p;
    clear_params_of(&p, &mo_motions, "still");
    mo_method motions[] = {{NULL, NULL}, method_of(&p)};
    mo_vec3 X = {1, 2, 3};
    for (int k = 0; k < 2; ++k) {
        for (double t = -1; t < 2; t += 0.25) {
            mo_pose pose = mo_motion_pose(motions[k], t);
            assert_near_vec3(mo_pose_apply(&pose, X), X, 0);
            assert_near_vec3(mo_pose_velocity(&pose, X), mo_vec3_make(0, 0, 0), 0);
        }
    }
}

static void make_translate(params *p, double start, double end)
{
    clear_params_of(p, &mo_motions, "translate");
    set_vec3(p, "velocity", mo_vec3_make(1, -2, 0.5));
    set_real(p, "start", start);
    set_real(p, "end", end);
}

static void translating_has_start_and_end_times(void **state)
{
    (void)state;
    params p;
    make_translate(&p, 1, 3);
    static const struct {
        double time, travelled;
        bool moves;
    } cases[] = {{-5, 0, false},     {0.99, 0, false}, {1, 0, true},   {1.5, 0.5, true},
                 {2.75, 1.75, true}, {3.01, 2, false}, {100, 2, false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        mo_pose pose = pose_at(&p, cases[k].time);
        assert_near_vec3(pose.p, mo_scale(cases[k].travelled, mo_vec3_make(1, -2, 0.5)), 1e-15);
        assert_near_vec3(pose.v, mo_scale(cases[k].moves, mo_vec3_make(1, -2, 0.5)), 0);
    }
}

static void translating_without_an_end_continues(void **state)
{
    (void)state;
    params p;
    make_translate(&p, 0, (double)NAN);
    assert_int_equal(check_params(&p, NULL), MOTE_OK);
    assert_near_vec3(pose_at(&p, 1000).p, mo_vec3_make(1000, -2000, 500), 0);
    make_translate(&p, 2, 1);
    assert_refused(&p, "end");
}

static void oscillating_starts_in_place_and_returns(void **state)
{
    (void)state;
    params p;
    mo_vec3 amplitude = {0.5, 0, -1};
    for (double phase = -3; phase < 3.2; phase += 0.5) {
        clear_params_of(&p, &mo_motions, "oscillate");
        set_vec3(&p, "amplitude", amplitude);
        set_real(&p, "frequency", 2);
        set_real(&p, "phase", phase);
        for (int cycle = 0; cycle < 5; ++cycle) {
            assert_near_vec3(pose_at(&p, 0.5 * cycle).p, mo_vec3_make(0, 0, 0), 1e-13);
            /* half a cycle later it is on the opposite side */
            mo_vec3 across = mo_scale(-2 * sin(phase), amplitude);
            assert_near_vec3(pose_at(&p, 0.5 * cycle + 0.25).p, across, 1e-13);
        }
    }
}

static void make_rotate(params *p, mo_vec3 axis, mo_vec3 center, double speed)
{
    clear_params_of(p, &mo_motions, "rotate");
    set_real(p, "start", 0);
    set_vec3(p, "axis", axis);
    set_vec3(p, "center", center);
    set_real(p, "speed", speed);
}

static void rotating_leaves_the_axis_in_place(void **state)
{
    (void)state;
    uint64_t random = 2;
    for (int k = 0; k < 200; ++k) {
        params p;
        mo_vec3 axis = random_vec3(&random, 3), center = random_vec3(&random, 2);
        make_rotate(&p, axis, center, random_between(&random, -5, 5));
        mo_pose pose = pose_at(&p, random_between(&random, -5, 5));
        mo_vec3 X = mo_add_scaled(center, random_between(&random, -1, 1), axis);
        assert_near_vec3(mo_pose_apply(&pose, X), X, 1e-13);
        assert_near_vec3(mo_pose_velocity(&pose, X), mo_vec3_make(0, 0, 0), 1e-13);
    }
}

static void rotating_is_counter_clockwise(void **state)
{
    (void)state;
    const double quarter = 3.14159265358979323846 / 2;
    params p;
    /* a quarter revolution per second */
    make_rotate(&p, mo_vec3_make(0, 0, 7), mo_vec3_make(1, 1, 0), quarter);
    mo_pose pose = pose_at(&p, 1);
    assert_near_vec3(mo_pose_apply(&pose, mo_vec3_make(3, 1, 5)), mo_vec3_make(1, 3, 5), 1e-14);
    pose = pose_at(&p, 0);
    assert_near_vec3(mo_pose_apply(&pose, mo_vec3_make(3, 1, 5)), mo_vec3_make(3, 1, 5), 0);
    make_rotate(&p, mo_vec3_make(0, 0, 0), mo_vec3_make(0, 0, 0), 1);
    assert_refused(&p, "axis");
}

static void make_keyframes(params *p, double *times, int64_t time_count, mo_vec3 *positions,
                           int64_t position_count)
{
    clear_params_of(p, &mo_motions, "keyframes");
    set_list(p, "times", MO_REAL, time_count, times);
    set_list(p, "positions", MO_VEC3, position_count, positions);
}

static void keyframes_are_met_and_joined_by_lines(void **state)
{
    (void)state;
    double times[] = {1, 1.5, 4};
    mo_vec3 positions[] = {{1, 0, 0}, {2, 2, 0}, {0, 0, -5}};
    params p;
    make_keyframes(&p, times, 3, positions, 3);
    assert_int_equal(check_params(&p, NULL), MOTE_OK);
    for (int k = 0; k < 3; ++k) {
        assert_near_vec3(pose_at(&p, times[k]).p, positions[k], 0);
    }
    assert_near_vec3(pose_at(&p, 1.25).p, mo_vec3_make(1.5, 1, 0), 1e-15);
    assert_near_vec3(pose_at(&p, 1.25).v, mo_vec3_make(2, 4, 0), 1e-15);
    assert_near_vec3(pose_at(&p, 2.75).p, mo_vec3_make(1, 1, -2.5), 1e-15);
    assert_near_vec3(pose_at(&p, 0).p, positions[0], 0);
    assert_near_vec3(pose_at(&p, 9).p, positions[2], 0);
    assert_near_vec3(pose_at(&p, 0).v, mo_vec3_make(0, 0, 0), 0);
    assert_near_vec3(pose_at(&p, 9).v, mo_vec3_make(0, 0, 0), 0);
    make_keyframes(&p, times, 1, positions, 1);
    assert_int_equal(check_params(&p, NULL), MOTE_OK);
    assert_near_vec3(pose_at(&p, 3).p, positions[0], 0);
}

static void bad_keyframes_are_refused(void **state)
{
    (void)state;
    double times[] = {1, 2, 2}, backward[] = {1, 0.5}, missing[] = {1, (double)NAN};
    mo_vec3 positions[3] = {{0, 0, 0}};
    params p;
    make_keyframes(&p, times, 0, positions, 0);
    assert_refused(&p, "times");
    make_keyframes(&p, times, 2, positions, 3);
    assert_refused(&p, "positions");
    make_keyframes(&p, times, 3, positions, 3);
    assert_refused(&p, "times[2]");
    make_keyframes(&p, backward, 2, positions, 2);
    assert_refused(&p, "times[1]");
    make_keyframes(&p, missing, 2, positions, 2);
    assert_refused(&p, "times[1]");
}

/* ---- easing, paths, sequences ---- */

static void set_easing(params *p, const char *easing)
{
    memcpy(param_at(p, "easing", MO_STRING, false), &easing, sizeof easing);
}

/* The total displacement is unchanged, with known fractions at half time and zero velocity at
 * the ends. */
static void easing_keeps_the_way(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double half, first, last; /* fraction of the displacement; speeds relative to the mean */
    } CASES[] = {
        {"linear", 0.5, 1, 1}, {"smooth", 0.5, 0, 0}, {"in", 0.25, 0, 2}, {"out", 0.75, 2, 0}};
    mo_vec3 v = {1, -2, 0.5};
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; ++k) {
        params p;
        make_translate(&p, 1, 3);
        set_easing(&p, CASES[k].name);
        assert_int_equal(check_params(&p, NULL), MOTE_OK);
        assert_near_vec3(pose_at(&p, 2).p, mo_scale(2 * CASES[k].half, v), 1e-14);
        assert_near_vec3(pose_at(&p, 5).p, mo_scale(2, v), 1e-14);
        assert_near_vec3(pose_at(&p, 1).v, mo_scale(CASES[k].first, v), 1e-14);
        assert_near_vec3(pose_at(&p, 3 - 1e-9).v, mo_scale(CASES[k].last, v), 1e-7);
        assert_near_vec3(pose_at(&p, 3.5).v, mo_vec3_make(0, 0, 0), 0);
    }
    params p;
    make_translate(&p, 1, (double)NAN);
    set_easing(&p, "smooth");
    assert_refused(&p, "easing");
    clear_params_of(&p, &mo_motions, "rotate");
    set_real(&p, "speed", 0.5);
    set_vec3(&p, "axis", mo_vec3_make(0, 0, 1));
    set_vec3(&p, "center", mo_vec3_make(1, 0, 0));
    set_real(&p, "start", 1);
    set_real(&p, "end", 3);
    mo_pose pose = pose_at(&p, 9); /* one radian in all */
    assert_near_vec3(mo_pose_apply(&pose, mo_vec3_make(2, 0, 0)),
                     mo_vec3_make(1 + cos(1), sin(1), 0), 1e-15);
}

static void keyframes_rotate_by_the_shortest_way(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846;
    double times[3] = {0, 1, 2};
    mo_vec3 turns[3] = {{0, 0, 0}, {0, 0, pi / 2}, {0, 0, 2 * pi}},
            positions[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    params p;
    clear_params_of(&p, &mo_motions, "keyframes");
    set_list(&p, "times", MO_REAL, 3, times);
    set_list(&p, "rotations", MO_VEC3, 3, turns);
    set_vec3(&p, "center", mo_vec3_make(1, 1, 0));
    assert_int_equal(check_params(&p, NULL), MOTE_OK);
    mo_pose pose = pose_at(&p, 0.5);
    assert_near_vec3(mo_pose_apply(&pose, mo_vec3_make(2, 1, 0)),
                     mo_vec3_make(1 + sqrt(0.5), 1 + sqrt(0.5), 0), 1e-14);
    assert_near_vec3(pose.w, mo_vec3_make(0, 0, pi / 2), 1e-14);
    assert_near_vec3(pose_at(&p, 1.5).w, mo_vec3_make(0, 0, -pi / 2), 1e-14); /* reversed */
    set_list(&p, "positions", MO_VEC3, 3, positions);
    pose = pose_at(&p, 1.25);
    assert_near_vec3(mo_pose_apply(&pose, mo_vec3_make(1, 1, 0)), mo_vec3_make(2.25, 1, 0), 1e-14);
    set_list(&p, "rotations", MO_VEC3, 2, turns);
    assert_refused(&p, "rotations");
}

static void paths_go_through_their_points(void **state)
{
    (void)state;
    mo_vec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {1, 2, 0}, {0, 2, 1}};
    for (int closed = 0; closed < 2; ++closed) {
        params p;
        mo_memory memory;
        mo_arena arena;
        mo_memory_init(&memory, NULL);
        mo_arena_init(&arena, &memory);
        clear_params_of(&p, &mo_motions, "path");
        set_list(&p, "points", MO_VEC3, 4, points);
        set_real(&p, "start", 0);
        set_real(&p, "end", 2);
        set_bool(&p, "closed", closed);
        assert_int_equal(check_params(&p, NULL), MOTE_OK);
        assert_int_equal(p.type->prepare(p.bytes, &arena, NULL), MOTE_OK);
        double chord[4] = {1, 2, sqrt(2), sqrt(5)}, all = 3 + sqrt(2) + (closed ? sqrt(5) : 0),
               at = 0;
        for (int k = 0; k < 4; ++k) {
            assert_near_vec3(pose_at(&p, 2 * at / all).p, points[k], 1e-12);
            at += chord[k];
        }
        mo_vec3 end = pose_at(&p, 2.5).p, round = pose_at(&p, 0.5).p;
        assert_near_vec3(end, closed ? round : points[3], 1e-12);
        /* smooth: continuous velocity at a point, and speeds near the mean */
        for (double t = 0.01; t < 2; t += 0.01) {
            assert_near_vec3(pose_at(&p, t + 1e-9).v, pose_at(&p, t - 1e-9).v, 1e-5);
            double speed = mo_length(pose_at(&p, t).v);
            assert_true(speed > 0.4 * all / 2 && speed < 1.6 * all / 2);
        }
        mo_arena_release(&arena);
    }
    params p;
    clear_params_of(&p, &mo_motions, "path");
    points[1] = points[0];
    set_list(&p, "points", MO_VEC3, 4, points);
    set_real(&p, "start", 0);
    set_real(&p, "end", 1);
    assert_refused(&p, "points[0]");
}

/* First along x, then a quarter revolution about the current position, then along x again. */
static void sequences_go_on_where_they_are(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846;
    double times[3] = {1, 2, 3};
    params move, turn, p;
    mo_memory memory;
    mo_arena arena;
    mo_memory_init(&memory, NULL);
    mo_arena_init(&arena, &memory);
    make_translate(&move, 0, 1);
    set_vec3(&move, "velocity", mo_vec3_make(2, 0, 0));
    clear_params_of(&turn, &mo_motions, "rotate");
    set_real(&turn, "speed", pi / 2);
    set_real(&turn, "start", 0);
    set_vec3(&turn, "axis", mo_vec3_make(0, 0, 1));
    set_vec3(&turn, "center", mo_vec3_make(2, 0, 0));
    mo_method motions[3] = {method_of(&move), method_of(&turn), method_of(&move)};
    clear_params_of(&p, &mo_motions, "sequence");
    set_list(&p, "motions", MO_METHOD, 3, motions);
    set_list(&p, "times", MO_REAL, 3, times);
    assert_int_equal(check_params(&p, NULL), MOTE_OK);
    assert_int_equal(p.type->prepare(p.bytes, &arena, NULL), MOTE_OK);
    static const struct {
        double time;
        mo_vec3 x; /* of the point that begins at [1, 0, 0] */
    } CASES[] = {{0, {1, 0, 0}}, {1.5, {2, 0, 0}}, {2, {3, 0, 0}}, {3, {2, 1, 0}}, {9, {4, 1, 0}}};
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; ++k) {
        mo_pose pose = pose_at(&p, CASES[k].time);
        assert_near_vec3(mo_pose_apply(&pose, mo_vec3_make(1, 0, 0)), CASES[k].x, 1e-14);
    }
    set_list(&p, "times", MO_REAL, 2, times);
    assert_refused(&p, "times");
    mo_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_velocity_is_the_derivative_of_the_place),
        cmocka_unit_test(every_pose_is_a_rotation),
        cmocka_unit_test(every_pose_can_be_undone),
        cmocka_unit_test(nothing_and_still_do_not_move),
        cmocka_unit_test(translating_has_start_and_end_times),
        cmocka_unit_test(translating_without_an_end_continues),
        cmocka_unit_test(oscillating_starts_in_place_and_returns),
        cmocka_unit_test(rotating_leaves_the_axis_in_place),
        cmocka_unit_test(rotating_is_counter_clockwise),
        cmocka_unit_test(keyframes_are_met_and_joined_by_lines),
        cmocka_unit_test(bad_keyframes_are_refused),
        cmocka_unit_test(easing_keeps_the_way),
        cmocka_unit_test(keyframes_rotate_by_the_shortest_way),
        cmocka_unit_test(paths_go_through_their_points),
        cmocka_unit_test(sequences_go_on_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
