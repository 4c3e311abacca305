/*
 * Fills bounded by curved solids and plates: their mass is that of the volume outside of the solids
 * for any lattice alignment; after relaxation the density is correct, no particle is outside, and
 * the start is stable.
 */
#include "world/world.h"
#include "worlds.h"

#include <math.h>

#define PI 3.14159265358979323846

typedef struct fill {
    const char *what;
    int dimension;
    double spacing;
    const char *shape, *colliders;
    double volume;
} fill;

#define BALL "{\"type\": \"sphere\", \"center\": [0, 0, 0], \"radius\": 0.3}"
#define LARGE "{\"type\": \"box\", \"min\": [-1, -1, -1], \"max\": [1, 1, 1]}"
#define LOWER "{\"type\": \"box\", \"min\": [-1, -1, -1], \"max\": [1, 1, 0.1]}"
#define TORUS \
    "{\"type\": \"mesh\", \"file\": \"" MOTE_SCENES "/meshes/torus.obj\", \"scale\": [1, 1, 1]}"
#define SMALL_TORUS \
    "{\"type\": \"mesh\", \"file\": \"" MOTE_SCENES \
    "/meshes/torus.obj\", \"scale\": [0.8, 0.8, 0.8]}"
#define TANK \
    "{\"inside\": true, \"shape\": {\"type\": \"box\", \"min\": [-0.5, -0.4, -0.4], \"max\": [0.5, 0.4, 0.4]}}"
#define SMALL "{\"shape\": {\"type\": \"sphere\", \"center\": [0.01, 0.02, 0], \"radius\": 0.21}}"
/* divides the tank; its faces are not those of the lattice */
#define WALL \
    "{\"shape\": {\"type\": \"box\", \"min\": [-0.33, -0.4, -0.4], \"max\": [-0.27, 0.4, 0.4]}}"
/* the sum of its tetrahedra with the origin */
#define TORUS_VOLUME 0.098777002
#define ROUND "{\"inside\": true, \"shape\": " BALL "}"

/* The root mean square speed, and the maximum. */
static double speed_of(const mote_world *world, double *largest)
{
    double sum = 0;
    const double *v = numbers_of(world, "v");
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        double square = v[3 * row] * v[3 * row] + v[3 * row + 1] * v[3 * row + 1] +
                        v[3 * row + 2] * v[3 * row + 2];
        sum += square;
        *largest = fmax(*largest, sqrt(square));
    }
    return sqrt(sum / (double)mote_world_rows(world, 0));
}

static int64_t count_outside(const mote_world *world)
{
    int64_t count = 0;
    const double *x = numbers_of(world, "x");
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        double least = INFINITY;
        for (int64_t c = 0; c < world->colliders.count; ++c) {
            least = fmin(
                least, mo_collider_gap(&world->colliders.list[c], mo_vec3_load(x + 3 * row), NULL));
        }
        count += !(least > 0);
    }
    return count;
}

static void check(const fill *f)
{
    mote_world *world = world_printf(
        2,
        "{\"up\": \"%s\", \"time\": {\"end\": 9, \"step\": {\"type\": \"cfl\", "
        "\"max\": 0.004}}, \"fluid\": {\"dimension\": %d, \"spacing\": %.9g, "
        "\"phases\": [{\"fill\": [%s]}]}, \"colliders\": [%s]}",
        f->dimension == 2 ? "y" : "z", f->dimension, f->spacing, f->shape, f->colliders);
    double mean, most, later, later_most, speed = 0, fastest = 0;
    mote_error error = {0};
    need(mote_world_density_error(world, &mean, &most, &error), &error, f->what);
    double mass = measures_of(world).mass / (1000 * f->volume) - 1;
    assert_int_equal(count_outside(world), 0);
    for (int k = 0; k < 8; ++k) {
        step_by(world, 5);
        speed = fmax(speed, speed_of(world, &fastest));
    }
    need(mote_world_density_error(world, &later, &later_most, &error), &error, f->what);
    print_message(
        "%s: %lld particles, mass %+.3f %%, density error %.3f %% (at most %.2f %%), after "
        "0.16 s %.3f %% (%.2f %%), speeds of %.3f (%.3f) m/s\n",
        f->what, (long long)mote_world_rows(world, 0), 100 * mass, 100 * mean, 100 * most,
        100 * later, 100 * later_most, speed, fastest);
    assert_int_equal(count_outside(world), 0);
    assert_int_equal(mote_world_fluid(world).penetrations, 0);
    assert_true(fabs(mass) < 5e-4);
    assert_true(mean < 0.011 && later < 0.01);
    /* lattice rows collapse under their weight; sqrt(2 g H) is 4 */
    assert_true(speed < 0.4 && fastest < 1.2);
    mote_world_destroy(world);
}

static void fills_have_their_mass(void **state)
{
    const fill FILLS[] = {
        {"ball", 3, 0.05, BALL, ROUND, 4 * PI / 3 * 0.027},
        {"ball, fine", 3, 0.03, BALL, ROUND, 4 * PI / 3 * 0.027},
        {"ball of a box", 3, 0.05, LARGE, ROUND, 4 * PI / 3 * 0.027},
        {"ball, partly full", 3, 0.05, LOWER, ROUND, PI * 0.4 * 0.4 * (0.3 - 0.4 / 3)},
        {"disc", 2, 0.03, BALL, ROUND, PI * 0.09},
        {"disc of a box", 2, 0.02, LARGE, ROUND, PI * 0.09},
        {"tank with a ball", 3, 0.05, LARGE, TANK ", " SMALL,
         0.64 - 4 * PI / 3 * 0.21 * 0.21 * 0.21},
        {"tank with a disc", 2, 0.02, LARGE, TANK ", " SMALL, 0.8 - PI * 0.21 * 0.21},
        {"torus", 3, 0.05, TORUS, "{\"inside\": true, \"shape\": " TORUS "}", TORUS_VOLUME},
        {"torus of a box", 3, 0.05, LARGE, "{\"inside\": true, \"shape\": " TORUS "}",
         TORUS_VOLUME},
        {"tank with a torus", 3, 0.05, LARGE, TANK ", {\"shape\": " SMALL_TORUS "}",
         0.64 - 0.512 * TORUS_VOLUME},
        {"tank", 3, 0.05, LARGE, TANK, 0.64},
        {"tank with a wall", 2, 0.02, LARGE, TANK ", " WALL, 0.8 - 0.06 * 0.8},
    };
    (void)state;
    for (size_t k = 0; k < sizeof FILLS / sizeof *FILLS; ++k) {
        check(&FILLS[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fills_have_their_mass)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
