/*
 * Plates of a tenth of a spacing are impermeable: no particle of a jet, or in front of a moving
 * plate, passes to the other side. The plate divides its tank, so that a particle on the other side
 * has penetrated it.
 */
#include "worlds.h"

#include <math.h>

#define PI 3.14159265358979323846

typedef struct plate {
    const char *what;
    int dimension;
    double spacing, speed, slant; /* of the jet; its angle to the normal [rad] */
    double angle;                 /* of the plate off the y axis [rad] */
    bool both;                    /* fluid on both sides, moving against it */
    double moves, turns;          /* of the plate [m/s], [rad/s] */
    double end;
    const char *boundary; /* NULL: the default */
} plate;

/* A cube from -1/2 to 1/2 as a file, scaled and rotated by the scenes. */
static void write_cube(char *path)
{
    static const char CUBE[] =
        "v -0.5 -0.5 -0.5\nv 0.5 -0.5 -0.5\nv 0.5 0.5 -0.5\nv -0.5 0.5 -0.5\n"
        "v -0.5 -0.5 0.5\nv 0.5 -0.5 0.5\nv 0.5 0.5 0.5\nv -0.5 0.5 0.5\n"
        "f 1 4 3\nf 1 3 2\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\n"
        "f 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\n";
    int file = mkstemps(path, 4);
    assert_true(file >= 0);
    assert_int_equal(write(file, CUBE, strlen(CUBE)), strlen(CUBE));
    close(file);
}

static mote_world *plate_world(const plate *p, const char *cube)
{
    static const char BOX[] = "{\"type\": \"box\", \"min\": [0, 0, %s], \"max\": [0.8, 0.6, %s]}",
                      BALL[] = "{\"type\": \"sphere\", \"center\": [0.4, 0.3, 0], \"radius\": 0.3}";
    char shape[300], motion[200] = "", right[300] = "", tank[200];
    bool flat = p->dimension == 2, turns = p->turns != 0;
    double thick = 0.1 * p->spacing, half = 0.4 - p->spacing;
    snprintf(tank, sizeof tank, turns ? BALL : BOX, flat ? "-1" : "0", flat ? "1" : "0.2");
    if (p->angle == 0) {
        snprintf(shape, sizeof shape,
                 "{\"type\": \"box\", \"min\": [%.9g, -0.1, -1], \"max\": [%.9g, 0.7, 1]}",
                 0.4 - 0.5 * thick, 0.4 + 0.5 * thick);
    } else {
        snprintf(shape, sizeof shape,
                 "{\"type\": \"mesh\", \"file\": \"%s\", \"scale\": [%.9g, 2, 2], \"angle\": %.9g,"
                 " \"translate\": [0.4, 0.3, 0]}",
                 cube, thick, p->angle);
    }
    if (p->moves != 0) {
        snprintf(motion, sizeof motion,
                 ", \"motion\": {\"type\": \"translate\", \"velocity\": [%.9g, 0, 0]}", p->moves);
    } else if (turns) {
        snprintf(motion, sizeof motion,
                 ", \"motion\": {\"type\": \"rotate\", \"speed\": %.9g, \"center\": [0.4, 0.3, 0]}",
                 p->turns);
    }
    if (p->both) {
        snprintf(right, sizeof right,
                 ", {\"velocity\": [%.9g, %.9g, 0], \"fill\": [{\"type\": \"box\","
                 " \"min\": [%.9g, 0, -1], \"max\": [0.8, 0.3, 1]}]}",
                 -p->speed * cos(p->slant), p->speed * sin(p->slant), 0.8 - half);
    }
    return world_printf(
        2,
        "{\"up\": \"y\", \"time\": {\"end\": 9, \"step\": {\"type\": \"cfl\", \"max\": 0.004}},"
        " \"fluid\": {\"dimension\": %d, \"spacing\": %.9g, \"boundary\": \"%s\", \"phases\": [{\"velocity\": [%.9g, %.9g, 0],"
        "   \"fill\": [{\"type\": \"box\", \"min\": [0, 0, -1], \"max\": [%.9g, %s, 1]}]}%s]},"
        " \"colliders\": [{\"inside\": true, \"shape\": %s}, {\"shape\": %s%s}]}",
        p->dimension, p->spacing, p->boundary ? p->boundary : "continuum", p->speed * cos(p->slant),
        p->speed * sin(p->slant), half, turns ? "0.3" : "0.4", right, tank, shape, motion);
}

/* The side of the plate a particle is on. */
static bool is_right(const plate *p, const double *x, double time)
{
    double angle = p->angle + p->turns * time;
    return (x[0] - 0.4 - p->moves * time) * cos(angle) + (x[1] - 0.3) * sin(angle) > 0;
}

static void check(const plate *p)
{
    char cube[] = "fluid_plates_XXXXXX.obj";
    write_cube(cube);
    mote_world *world = plate_world(p, cube);
    int64_t rows = mote_world_rows(world, 0), leaks = 0;
    bool *right = calloc((size_t)rows, sizeof *right);
    const int64_t *id = ids_of(world, 0);
    for (int64_t row = 0; row < rows; ++row) {
        right[id[row]] = is_right(p, numbers_of(world, "x") + 3 * row, 0);
    }
    advance_to(world, p->end);
    id = ids_of(world, 0);
    for (int64_t row = 0; row < rows; ++row) {
        leaks +=
            right[id[row]] != is_right(p, numbers_of(world, "x") + 3 * row, mote_world_time(world));
    }
    print_message("%s: %lld of %lld leaked, %lld penetrations\n", p->what, (long long)leaks,
                  (long long)rows, (long long)mote_world_fluid(world).penetrations);
    assert_int_equal(mote_world_rows(world, 0), rows);
    assert_int_equal(leaks, 0);
    free(right);
    mote_world_destroy(world);
    unlink(cube);
}

static void plates_are_not_penetrated_by_jets(void **state)
{
    static const plate PLATES[] = {
        {"2 m/s", 2, 0.02, 2, 0, 0, false, 0, 0, 0.4, NULL},
        {"5 m/s", 2, 0.02, 5, 0, 0, false, 0, 0, 0.4, NULL},
        {"10 m/s", 2, 0.02, 10, 0, 0, false, 0, 0, 0.4, NULL},
        {"20 m/s", 2, 0.02, 20, 0, 0, false, 0, 0, 0.2, NULL},
        {"10 m/s, half the spacing", 2, 0.01, 10, 0, 0, false, 0, 0, 0.2, NULL},
        {"10 m/s, slanted", 2, 0.02, 10, 0.7, 0, false, 0, 0, 0.4, NULL},
        {"5 m/s, fluid on both sides", 2, 0.02, 5, 0, 0, true, 0, 0, 0.4, NULL},
        {"10 m/s, fluid on both sides, slanted", 2, 0.02, 10, 0.5, 0, true, 0, 0, 0.4, NULL},
        {"10 m/s, oblique plate", 2, 0.02, 10, 0, 0.4, false, 0, 0, 0.4, NULL},
        {"10 m/s, density_map", 2, 0.02, 10, 0, 0, false, 0, 0, 0.4, "density_map"},
        {"10 m/s, volume_map", 2, 0.02, 10, 0, 0, true, 0, 0, 0.4, "volume_map"},
        {"10 m/s, samples", 2, 0.02, 10, 0, 0, true, 0, 0, 0.4, "samples"},
        {"3D, 5 m/s", 3, 0.04, 5, 0, 0, false, 0, 0, 0.3, NULL},
        {"3D, 10 m/s", 3, 0.03, 10, 0, 0, true, 0, 0, 0.2, NULL},
        {"3D, 10 m/s, oblique plate", 3, 0.04, 10, 0, 0.4, false, 0, 0, 0.3, NULL},
    };
    (void)state;
    for (size_t k = 0; k < sizeof PLATES / sizeof *PLATES; ++k) {
        check(&PLATES[k]);
    }
}

static void moving_plates_are_not_penetrated(void **state)
{
    static const plate PLATES[] = {
        {"a plate of 2 m/s in water", 2, 0.02, 0, 0, 0, true, 2, 0, 0.08, NULL},
        {"a plate of 10 m/s", 2, 0.02, 0, 0, 0, true, 10, 0, 0.015, NULL},
        {"a plate against a jet", 2, 0.02, 5, 0, 0, true, -1, 0, 0.1, NULL},
        {"a plate that turns", 2, 0.02, 0, 0, 0, true, 0, 5, 1, NULL},
        {"3D, a plate of 2 m/s", 3, 0.04, 0, 0, 0, true, 2, 0, 0.08, NULL},
    };
    (void)state;
    for (size_t k = 0; k < sizeof PLATES / sizeof *PLATES; ++k) {
        check(&PLATES[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(plates_are_not_penetrated_by_jets),
                                       cmocka_unit_test(moving_plates_are_not_penetrated)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
