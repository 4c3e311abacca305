/* Impacts of rigid bodies: restitution at the time of impact, in the order of time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rigid_world.h"

static const double G = 9.81;
static const mo_vec3 UP = {0, 0, 1};

static void one_sphere(rigid_world *world)
{
    sphere_on_plane(world, 0, UP, 0);
}

/* Heights of successive bounces fall by e^2. */
static void check_bouncing(double e, double h)
{
    rigid_world *world = world_make(1, NULL);
    world->restitution = e;
    world->margin = 0.3;
    add_sphere(world, mo_vec3_make(0, 0, 1.1), 0.1, 2);
    double highest = 0, before = 1;
    int bounces = 0;
    for (int k = 0; bounces < 4; ++k) {
        double falling = world->v[2];
        world_step(world, h, one_sphere);
        if (falling < 0 && world->v[2] > 0) {
            if (bounces++) {
                assert_true(fabs(highest / (before * e * e) - 1) < 0.01);
                before = highest;
            }
            highest = 0;
        }
        /* the apex between two steps */
        double apex = world->x[2] - 0.1 + world->v[2] * world->v[2] / (2 * G);
        highest = bounces ? fmax(highest, apex) : 0;
    }
    world_destroy(world);
}

static void bouncing_heights_fall_by_e_squared(void **state)
{
    (void)state;
    check_bouncing(1, 1.0 / 240);
    check_bouncing(0.8, 1.0 / 240);
    check_bouncing(0.5, 1.0 / 240);
    check_bouncing(0.8, 1.0 / 60);
}

static void two_spheres(rigid_world *world)
{
    sphere_on_sphere(world, 0, 1);
}

/* Newton's law of impact with Coulomb friction in closed form: two spheres meet obliquely.
 * Sticking, they lose 2/7 of the tangential velocity's momentum; sliding, mu times the normal
 * impulse. */
static void check_oblique(double mu, double e, double tangential)
{
    rigid_world *world = world_make(1, NULL);
    world->gravity = mo_vec3_make(0, 0, 0);
    world->friction = mu;
    world->restitution = e;
    double m0 = 2, m1 = 3, reduced = 1 / (1 / m0 + 1 / m1);
    add_sphere(world, mo_vec3_make(0, 0, 0.51), 0.2, m0);
    add_sphere(world, mo_vec3_make(0, 0, 0), 0.3, m1);
    mo_vec3 v0 = {tangential, 0, -4}, v1 = {0, 0, 1};
    mo_vec3_store(world->v, v0);
    mo_vec3_store(world->v + 3, v1);
    world->margin = 1;
    world_step(world, 1.0 / 240, two_spheres);
    /* the normal of the contact is that of the start of the step */
    mo_vec3 normal = world->contact[world->now][0].normal;
    double approach = mo_dot(mo_sub(v0, v1), normal);
    mo_vec3 slip = mo_add_scaled(mo_sub(v0, v1), -approach, normal);
    double p = -(1 + e) * reduced * approach;
    double stick = 2.0 / 7 * reduced * mo_length(slip);
    mo_vec3 friction = mo_scale(-fmin(stick, mu * p), mo_unit(slip, normal));
    mo_vec3 impulse = mo_add_scaled(friction, p, normal);
    mo_vec3 expected = mo_add_scaled(v0, 1 / m0, impulse);
    assert_true(mo_length(mo_sub(at_row(world->v, 0), expected)) < 1e-6 * 4);
    expected = mo_add_scaled(v1, -1 / m1, impulse);
    assert_true(mo_length(mo_sub(at_row(world->v, 1), expected)) < 1e-6 * 4);
    mo_vec3 spin = mo_scale(1 / (0.4 * m0 * 0.04), mo_cross(mo_scale(-0.2, normal), friction));
    assert_true(mo_length(mo_sub(at_row(world->w, 0), spin)) < 1e-6 * mo_length(spin) + 1e-12);
    world_destroy(world);
}

static void oblique_impacts_have_both_regimes(void **state)
{
    (void)state;
    check_oblique(0.1, 0.5, 3);   /* slides */
    check_oblique(0.5, 0.5, 0.5); /* sticks */
    check_oblique(0.5, 1, 0.5);
    check_oblique(0, 0.7, 2);
}

static void row_of_spheres(rigid_world *world)
{
    for (int k = 1; k < world->bodies.count; ++k) {
        sphere_on_sphere(world, k, k - 1);
    }
}

/* Newton's cradle without strings: one ball comes in, one leaves, whether the others touch or not.
 */
static void the_last_ball_leaves_with_the_speed_of_the_first(void **state)
{
    (void)state;
    const double gaps[] = {0, 1e-3, 2.0 / 240};
    for (int g = 0; g < 3; ++g) {
        rigid_world *world = world_make(1, NULL);
        world->gravity = mo_vec3_make(0, 0, 0);
        world->restitution = 1;
        for (int k = 0; k < 5; ++k) {
            add_sphere(world, mo_vec3_make((0.2 + gaps[g]) * k - (k == 0) * 0.1, 0, 0), 0.1, 1);
        }
        world->v[0] = 2;
        for (int k = 0; k < 120; ++k) {
            world_step(world, 1.0 / 240, row_of_spheres);
        }
        for (int k = 0; k < 5; ++k) {
            assert_true(fabs(world->v[3 * k] - (k == 4 ? 2 : 0)) < 1e-9);
        }
        world_destroy(world);
    }
}

static void one_box(rigid_world *world)
{
    box_on_plane(world, 0, UP, 0);
}

/* A box that lands flat bounces flat. */
static void a_flat_impact_does_not_tilt(void **state)
{
    (void)state;
    rigid_world *world = world_make(1, NULL);
    world->friction = 0.5;
    world->restitution = 0.5;
    world->margin = 0.2;
    add_box(world, mo_vec3_make(0, 0, 1.2), mo_vec3_make(0.5, 0.4, 0.2), 3);
    double apex = 0;
    for (int k = 0; k < 60; ++k) {
        world_step(world, 1.0 / 120, one_box);
        apex = world->x[2] - 0.2 + world->v[2] * world->v[2] / (2 * G);
    }
    assert_true(world->v[2] > 0 && fabs(apex / 0.25 - 1) < 0.01);
    assert_true(mo_length(at_row(world->w, 0)) < 0.02);
    world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bouncing_heights_fall_by_e_squared),
        cmocka_unit_test(oblique_impacts_have_both_regimes),
        cmocka_unit_test(the_last_ball_leaves_with_the_speed_of_the_first),
        cmocka_unit_test(a_flat_impact_does_not_tilt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
