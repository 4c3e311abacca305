/* Elastic solids: squashed and tangled bodies come back, energies and momenta are kept, loads do what they say. */
#include "test.h"

#include "scene/catalog.h"
#include "solid/material/material.h"

#include <math.h>
#include <mote/mote.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mote_world *create(const char *text)
{
    mote_scene *scene;
    mote_world *world;
    mote_error error = {0};
    if (mote_scene_parse(text, &scene, &error) != MOTE_OK) {
        fail_msg("%s\n%s", error.text, text);
    }
    if (mote_world_create(scene, NULL, &world, &error) != MOTE_OK) {
        fail_msg("%s\n%s", error.text, text);
    }
    mote_scene_destroy(scene);
    return world;
}

static double *column_of(mote_world *world, const char *name)
{
    mote_column column;
    assert_true(mote_world_column_find(world, 0, name, &column));
    return column.data;
}

static void run(mote_world *world, double until)
{
    mote_error error = {0};
    if (mote_world_advance(world, until, NULL, &error) != MOTE_OK) {
        fail_msg("%s", error.text);
    }
}

static const char *constants_of(const char *material)
{
    return strcmp(material, "hooke") == 0
               ? "\"young\": [1e5, 6e4, 3e4], \"poisson\": [0.3, 0.3, 0.3], \"shear\": [4e4, 3e4, 2e4]"
               : "\"young\": 1e5";
}

/* ---- recovery ---- */

static const char CUBE[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 10, \"step\": %.3g}, \"integrator\": \"symplectic_euler\","
    " \"bodies\": [{\"mesh\": {\"type\": \"block\", \"nx\": 4, \"ny\": 4, \"nz\": 4, \"tetrahedra\": 5},"
    "   \"density\": 1000, \"model\": {\"type\": \"fem\", \"damping_mass\": %.3g,"
    "   \"material\": {\"type\": \"%s\", %s}}}]}";

static uint64_t random_state;

static double random_unit(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(random_state >> 11) * 0x1p-53;
}

typedef enum squash { TO_A_PLANE, TO_A_POINT, AT_RANDOM, INSIDE_OUT, WAYS } squash;
static const char *const WAY[WAYS] = {"squashed to a plane", "squashed to a point", "with nodes at random",
                                      "turned inside out"};

static void deform(double *x, int64_t rows, squash how)
{
    random_state = 7;
    for (int64_t k = 0; k < 3 * rows; ++k) {
        if (how == TO_A_POINT || (how == TO_A_PLANE && k % 3 == 2)) {
            x[k] = 0.5;
        } else if (how == AT_RANDOM) {
            x[k] = random_unit();
        } else if (how == INSIDE_OUT && k % 3 == 2) {
            x[k] = -x[k];
        }
    }
}

static double distance(const double *x, int64_t a, int64_t b)
{
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        sum += (x[3 * a + k] - x[3 * b + k]) * (x[3 * a + k] - x[3 * b + k]);
    }
    return sqrt(sum);
}

/* The largest difference between two shapes that may lie anywhere: all distances, and the orientation. */
static double shape_error(const double *x, const double *rest, int64_t rows)
{
    double worst = 0;
    for (int64_t a = 0; a < rows; ++a) {
        for (int64_t b = 0; b < a; ++b) {
            worst = fmax(worst, fabs(distance(x, a, b) - distance(rest, a, b)));
        }
    }
    const int64_t corner[3] = {3, 12, 48};
    double d[3][3];
    for (int k = 0; k < 9; ++k) {
        d[k / 3][k % 3] = x[3 * corner[k / 3] + k % 3] - x[k % 3];
    }
    double volume = d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) - d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
                    d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
    return volume > 0 ? worst : 1;
}

static double recovered(const char *material, squash how)
{
    char text[2000];
    snprintf(text, sizeof text, CUBE, 0.0002, 10.0, material, constants_of(material));
    mote_world *world = create(text);
    int64_t rows = mote_world_rows(world, 0);
    double *x = column_of(world, "x"), *rest = malloc((size_t)(3 * rows) * sizeof *rest);
    memcpy(rest, x, (size_t)(3 * rows) * sizeof *rest);
    deform(x, rows, how);
    mote_world_touch(world, 0);
    run(world, 4);
    double error = shape_error(x, rest, rows);
    free(rest);
    mote_world_destroy(world);
    return error;
}

/* A cube of one metre, damped: after some twenty periods it is back, or never. */
static void squashed_bodies_come_back(void **state)
{
    (void)state;
    for (int k = 0; k < mo_materials.count; ++k) {
        const mo_descriptor *material = mo_materials.methods[k];
        for (squash how = 0; how < WAYS; ++how) {
            uint32_t needed = MO_MATERIAL_RECOVERS | (how == TO_A_POINT ? MO_MATERIAL_UNFOLDS : 0);
            if ((material->capabilities & needed) == needed) {
                double error = recovered(material->name, how);
                if (!(error < 1e-3)) {
                    fail_msg("'%s' %s: a distance is off by %g m", material->name, WAY[how], error);
                }
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squashed_bodies_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
