/*
 * Particles as a participating medium: a block of known optical depth, its light, and an opaque
 * ball in front of it, inside it and behind it.
 */
#include "view/stage.h"

#include "view/picture/density_grid.h"

enum { W = 96, H = 64, SIDE = 12, COUNT = SIDE * SIDE * SIDE };

static const double RADIUS = 0.05, EDGE = 2 * 0.05 * SIDE;
static double POSITIONS[3 * COUNT];

/* A cubic lattice of touching spheres about the origin fills pi/6 of its volume. */
static mo_picture make_block(void)
{
    for (int k = 0; k < COUNT; ++k) {
        const int at[3] = {k % SIDE, k / SIDE % SIDE, k / SIDE / SIDE};
        for (int axis = 0; axis < 3; ++axis) {
            POSITIONS[3 * k + axis] = (2 * at[axis] + 1) * RADIUS - EDGE / 2;
        }
    }
    return (mo_picture){.count = COUNT, .x = POSITIONS, .typical_radius = RADIUS};
}

/* White, not lit, on black: the light of a pixel is its opacity. */
static mo_look make_look(double opacity)
{
    mo_look look = mo_look_default();
    look.particles = MO_PARTICLES_VOLUME;
    look.lit = false;
    look.volume.opacity = opacity;
    for (int k = 0; k < 3; ++k) {
        look.color[k] = 1;
        look.background_top[k] = look.background_bottom[k] = 0;
        look.solid_color[k] = 0;
    }
    return look;
}

static const mo_camera ABOVE = {.eye = {0, 0, 10}, .up = {0, 1, 0}, .height = 3};
static const mo_camera NEAR_ABOVE = {.eye = {0, 0, 10}, .up = {0, 1, 0}, .angle = 0.3};

static void assert_near(double found, double wanted, double tolerance)
{
    if (!(fabs(found - wanted) <= tolerance)) {
        fail_msg("%g, not %g within %g", found, wanted, tolerance);
    }
}

static double depth_of_block(double opacity)
{
    return opacity * PI / 6 * EDGE / (2 * RADIUS);
}

static double center_light(const mo_picture *picture, const mo_camera *camera, const mo_look *look)
{
    stage_draw(&STAGE, picture, camera, look, W, H);
    return light_of(pixel(&STAGE, W / 2, H / 2)[1]);
}

static void test_opacity(void **state)
{
    (void)state;
    mo_picture picture = make_block();
    for (int k = 0; k < 3; ++k) {
        const double opacities[] = {0.03, 0.1, 0.3};
        mo_look look = make_look(opacities[k]);
        double wanted = 1 - exp(-depth_of_block(opacities[k]));
        assert_near(center_light(&picture, &ABOVE, &look), wanted, 0.02);
        assert_near(center_light(&picture, &NEAR_ABOVE, &look), wanted, 0.02);
        assert_true(brightness(pixel(&STAGE, 2, 2)) == 0);
    }
}

static void test_total(void **state)
{
    (void)state;
    mote_error error = {0};
    mo_memory memory;
    mo_memory_init(&memory, NULL);
    mo_density_grid grid = {.memory = &memory};
    mo_picture picture = make_block();
    mo_look look = make_look(0.3);
    mo_vec3 light = {0, 0, 1};
    assert_int_equal(mo_density_grid_fill(&grid, &picture, &look, light, &error), MOTE_OK);
    double sum = 0, volume = 4.0 / 3 * PI * RADIUS * RADIUS * RADIUS * COUNT;
    int64_t cells = (int64_t)grid.cells[0] * grid.cells[1] * grid.cells[2];
    for (int64_t k = 0; k < cells; ++k) {
        sum += (double)grid.medium[4 * k + 3];
    }
    double cube = grid.cell * grid.cell * grid.cell;
    assert_near(sum * cube, 0.3 * volume / (2 * RADIUS), 1e-4 * sum * cube);
    /* below the block the light of above is attenuated by all of it, beside it not at all */
    int64_t middle = (int64_t)(grid.cells[1] / 2) * grid.cells[0] + grid.cells[0] / 2;
    assert_near(grid.light[middle] / 255.0, exp(-depth_of_block(0.3)), 0.02);
    assert_int_equal(grid.light[0], 255);
    mo_density_grid_release(&grid);
}

static void test_surfaces(void **state)
{
    (void)state;
    mo_solid ball = {.kind = MO_SOLID_SPHERE, .turn = {1, 0, 0, 0}, .half = {0.2, 0.2, 0.2}};
    mo_picture picture = make_block();
    mo_look look = make_look(0.1);
    double whole = center_light(&picture, &ABOVE, &look);
    picture.solid_count = 1;
    picture.solids = &ball;
    ball.center = mo_vec3_make(0, 0, 2);
    assert_near(center_light(&picture, &ABOVE, &look), 0, 1e-3);
    ball.center = mo_vec3_make(0, 0, -0.2); /* its surface is in the middle of the block */
    assert_near(center_light(&picture, &ABOVE, &look), 1 - sqrt(1 - whole), 0.02);
    ball.center = mo_vec3_make(0, 0, -2);
    assert_near(center_light(&picture, &ABOVE, &look), whole, 1e-3);
}

/* Rows that are not finite, and none at all. */
static void test_empty(void **state)
{
    (void)state;
    double x[] = {NAN, 0, 0, 0, INFINITY, 0};
    mo_picture picture = {.count = 2, .x = x, .typical_radius = 0.1};
    mo_look look = make_look(1);
    assert_near(center_light(&picture, &ABOVE, &look), 0, 1e-6);
    picture.count = 0;
    assert_near(center_light(&picture, &ABOVE, &look), 0, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_opacity),
        cmocka_unit_test(test_total),
        cmocka_unit_test(test_surfaces),
        cmocka_unit_test(test_empty),
    };
    STAGE_MAIN(tests);
}
