/* Contacts of rigid bodies: the solver on arrays, manifolds made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rigid_world.h"

static const double STEP = 1.0 / 60, G = 9.81;
static const mo_vec3 UP = {0, 0, 1};

static void all_boxes(rigid_world *world)
{
    box_on_plane(world, 0, UP, 0);
    for (int k = 1; k < world->bodies.count; ++k) {
        box_on_box(world, k, k - 1);
    }
}

static rigid_world *stack(int count, int threads)
{
    rigid_world *world = world_make(threads, NULL);
    world->friction = 0.5;
    for (int k = 0; k < count; ++k) {
        add_box(world, mo_vec3_make(0, 0, 0.5 + k), mo_vec3_make(0.5, 0.5, 0.5), 1000);
    }
    return world;
}

static void forces_of_a_stack_are_its_weight(void **state)
{
    (void)state;
    rigid_world *world = stack(3, 1);
    for (int k = 0; k < 120; ++k) {
        world_step(world, STEP, all_boxes);
    }
    for (int k = 0; k < 3; ++k) {
        mo_vec3 force = world->contact[world->now][k].force;
        assert_true(fabs(force.z / ((3 - k) * 1000 * G) - 1) < 1e-6);
        assert_true(fabs(at_row(world->x, k).z - (0.5 + k)) < 2e-3);
        assert_true(mo_length(at_row(world->v, k)) < 1e-6);
    }
    world_destroy(world);
}

static void one_box(rigid_world *world)
{
    box_on_plane(world, 0, UP, 0);
}

/* It stops after v^2 / (2 mu g), and turns neither on the way nor then. */
static void a_sliding_box_stops(void **state)
{
    (void)state;
    rigid_world *world = stack(1, 1);
    world->half[0].z = 0.1;
    world->x[2] = 0.1;
    world->friction = 0.4;
    world->v[0] = 3;
    for (int k = 0; k < 120; ++k) {
        world_step(world, STEP, one_box);
    }
    assert_true(fabs(world->x[0] / (9 / (2 * 0.4 * G)) - 1) < 0.01);
    assert_true(mo_length(at_row(world->v, 0)) < 1e-6);
    assert_true(fabs(world->x[1]) < 1e-4);
    world_destroy(world);
}

static void one_sphere(rigid_world *world)
{
    sphere_on_plane(world, 0, UP, 0);
}

/* A bowling ball rolls at 5/7 of its speed once it does not slide any more. */
static void a_sliding_ball_ends_rolling(void **state)
{
    (void)state;
    rigid_world *world = world_make(1, NULL);
    world->friction = 0.2;
    add_sphere(world, mo_vec3_make(0, 0, 0.5), 0.5, 3);
    world->v[0] = 7;
    double rolls_at = -1;
    for (int k = 0; k < 120; ++k) {
        world_step(world, STEP, one_sphere);
        double slip = world->v[0] - 0.5 * world->w[1];
        if (rolls_at < 0 && fabs(slip) < 1e-9) {
            rolls_at = (k + 1) * STEP;
        }
    }
    assert_true(fabs(world->v[0] - 5) < 1e-6);
    assert_true(fabs(world->w[1] - 10) < 1e-6);
    assert_true(fabs(rolls_at - 2 * 7 / (7 * 0.2 * G)) < STEP);
    world_destroy(world);
}

/* Rolling friction of length l decelerates by (l/r) g / (1 + 2/5) while rolling without slip. */
static void rolling_friction_stops_a_ball(void **state)
{
    (void)state;
    rigid_world *world = world_make(1, NULL);
    world->friction = 1;
    world->rolling_friction = 0.01;
    add_sphere(world, mo_vec3_make(0, 0, 0.5), 0.5, 3);
    world->v[0] = 2;
    world->w[1] = 4;
    for (int k = 0; k < 60; ++k) {
        world_step(world, STEP, one_sphere);
    }
    assert_true(fabs((2 - world->v[0]) / (0.01 / 0.5 * G / 1.4) - 1) < 0.01);
    for (int k = 0; k < 1200; ++k) {
        world_step(world, STEP, one_sphere);
    }
    assert_true(mo_length(at_row(world->v, 0)) < 1e-9);
    world_destroy(world);
}

/* The same bits on any number of threads, in a pile with more blocks than a thread gets. */
static void columns_of_boxes(rigid_world *world)
{
    for (int k = 0; k < world->bodies.count; ++k) {
        if (k % 4 == 0) {
            box_on_plane(world, k, UP, 0);
        } else {
            box_on_box(world, k, k - 1);
        }
    }
}

static rigid_world *columns(int threads)
{
    rigid_world *world = world_make(threads, NULL);
    world->friction = 0.5;
    for (int k = 0; k < BODIES_MAX; ++k) {
        int row = add_box(world, mo_vec3_make(3 * (k / 4), 0, 0.5 + k % 4),
                          mo_vec3_make(0.5, 0.5, 0.5), 1000 + k);
        world->v[3 * row] = 0.1 * (k % 5);
        world->w[3 * row + 2] = 0.1 * (k % 7);
    }
    for (int k = 0; k < 30; ++k) {
        world_step(world, STEP, columns_of_boxes);
    }
    return world;
}

static void threads_do_not_change_bits(void **state)
{
    (void)state;
    rigid_world *one = columns(1);
    const int threads[] = {2, 3, 8};
    for (size_t k = 0; k < sizeof threads / sizeof *threads; ++k) {
        rigid_world *other = columns(threads[k]);
        assert_memory_equal(one->x, other->x, sizeof one->x);
        assert_memory_equal(one->w, other->w, sizeof one->w);
        world_destroy(other);
    }
    world_destroy(one);
}

static void a_body_without_contacts_is_left_alone(void **state)
{
    (void)state;
    rigid_world *world = stack(2, 1);
    world->x[5] = 10;
    world->now = !world->now;
    one_box(world);
    assert_int_equal(mo_rigid_solver_begin(world->solver, &world->bodies,
                                           world->contact[world->now], 1, NULL, 0, NULL),
                     MOTE_OK);
    assert_true(mo_rigid_solver_advances(world->solver, 0));
    assert_false(mo_rigid_solver_advances(world->solver, 1));
    assert_int_equal(mo_rigid_solver_advance(world->solver, STEP, NULL), MOTE_OK);
    assert_true(world->x[5] == 10 && world->v[5] == 0);
    world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_of_a_stack_are_its_weight),
        cmocka_unit_test(a_sliding_box_stops),
        cmocka_unit_test(a_sliding_ball_ends_rolling),
        cmocka_unit_test(rolling_friction_stops_a_ball),
        cmocka_unit_test(threads_do_not_change_bits),
        cmocka_unit_test(a_body_without_contacts_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
