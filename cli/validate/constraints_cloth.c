/* Cloth in contact with itself and with colliders: intersecting pairs of triangles, counted over
 * all pairs at every frame (geometry/trimesh/crossings.h), and penetration of colliders. */
#include "validate/constraints.h"

#include "base/error.h"
#include "bench/case_world.h"
#include "geometry/trimesh/crossings.h"
#include "validate/validate.h"

#include <math.h>
#include <stdio.h>

static const double STEP = 1.0 / 60;

typedef struct cloth_case {
    const char *name;
    const char *format; /* a scene; columns and rows of the cloth */
    int columns, rows;  /* of the smallest mesh */
    bool ball;          /* at the origin, of radius 0.25 */
} cloth_case;

static const cloth_case CLOTHS[] = {
    {"sphere",
     "{\"time\": {\"end\": 10, \"step\": 0.01666666666666667}, \"bodies\": [{\"density\": 0.3, "
     "\"model\": \"xpbd\", \"mesh\": {\"type\": \"cloth\", \"origin\": [-0.5, -0.5, 0.3], "
     "\"columns\": %d, \"rows\": %d}}], \"colliders\": [{\"name\": \"ball\", \"friction\": 0.3, "
     "\"shape\": {\"type\": \"sphere\", \"radius\": 0.25}}, {\"name\": \"ground\", \"friction\": "
     "0.4, \"shape\": {\"type\": \"plane\", \"point\": [0, 0, -0.3]}}]}",
     21, 21, true},
    {"table's edge",
     "{\"time\": {\"end\": 10, \"step\": 0.01666666666666667}, \"bodies\": [{\"density\": 0.3, "
     "\"model\": \"xpbd\", \"mesh\": {\"type\": \"cloth\", \"origin\": [-0.5, -0.5, 0.62], "
     "\"columns\": %d, \"rows\": %d}}], \"colliders\": [{\"name\": \"table\", \"friction\": 0.3, "
     "\"shape\": {\"type\": \"box\", \"min\": [-0.3, -0.3, 0], \"max\": [0.3, 0.3, 0.6]}}, "
     "{\"name\": \"ground\", \"friction\": 0.4, \"shape\": {\"type\": \"plane\"}}]}",
     21, 21, false},
    {"folding",
     "{\"time\": {\"end\": 10, \"step\": 0.01666666666666667}, \"bodies\": [{\"density\": 0.3, "
     "\"model\": \"xpbd\", \"mesh\": {\"type\": \"cloth\", \"origin\": [-0.5, 0, 0.05], \"u\": "
     "[1, 0, 0], \"v\": [0.02, 0.05, 1], \"columns\": %d, \"rows\": %d}}], \"colliders\": "
     "[{\"name\": \"ground\", \"friction\": 0.4, \"shape\": {\"type\": \"plane\"}}]}",
     9, 21, false},
    {"twisted by two turns",
     "{\"time\": {\"end\": 10, \"step\": 0.01666666666666667}, \"gravity\": [0, 0, 0], "
     "\"bodies\": [{\"density\": 0.3, \"model\": {\"type\": \"xpbd\", \"damping\": 2}, \"mesh\": "
     "{\"type\": \"cloth\", \"origin\": [-0.5, -0.1, 0], \"u\": [1, 0, 0], \"v\": [0, 0.2, 0], "
     "\"columns\": %d, \"rows\": %d}, \"pins\": [{\"region\": {\"type\": \"box\", \"min\": "
     "[-0.501, -1, -1], \"max\": [-0.499, 1, 1]}, \"motion\": {\"type\": \"rotate\", \"speed\": "
     "3.141592653589793, \"axis\": [1, 0, 0], \"end\": 2}}, {\"region\": {\"type\": \"box\", "
     "\"min\": [0.499, -1, -1], \"max\": [0.501, 1, 1]}, \"motion\": {\"type\": \"rotate\", "
     "\"speed\": -3.141592653589793, \"axis\": [1, 0, 0], \"end\": 2}}]}]}",
     31, 7, false}};

static const double *positions_of(const mote_world *world)
{
    mote_column column;
    int system = mote_world_system_find(world, "constraints");
    return mote_world_column_find(world, system, "x", &column) ? column.data : NULL;
}

/* Intersecting pairs of the cloth's triangles. */
static mote_status count_pairs(const mote_world *world, mo_memory *memory, int64_t *count,
                               mote_error *error)
{
    const int32_t *triangles;
    int64_t number =
        mote_world_triangles(world, mote_world_system_find(world, "constraints"), &triangles);
    return mo_crossings_count(memory, number, triangles, positions_of(world), count, error);
}

/* The least distance of the triangles from the origin, by points on them. */
static double least_distance(const mote_world *world)
{
    const int32_t *triangles;
    const double *x = positions_of(world);
    int64_t number =
        mote_world_triangles(world, mote_world_system_find(world, "constraints"), &triangles);
    double least = (double)INFINITY;
    for (int64_t t = 0; t < number; ++t) {
        for (int a = 0; a <= 4; ++a) {
            for (int b = 0; b <= 4 - a; ++b) {
                double w[3] = {a / 4.0, b / 4.0, (4 - a - b) / 4.0};
                mo_vec3 p = {0, 0, 0};
                for (int k = 0; k < 3; ++k) {
                    p = mo_add_scaled(p, w[k], mo_vec3_load(x + 3 * (int64_t)triangles[3 * t + k]));
                }
                least = fmin(least, mo_length(p));
            }
        }
    }
    return least;
}

static mote_status run_cloth(void *context, const char *name, const cloth_case *cloth, int columns,
                             int rows, double end, mote_error *error)
{
    char text[2000], quantity[100];
    mote_world *world;
    mo_memory memory;
    int64_t worst = 0, frames = 0;
    double least = (double)INFINITY;
    mote_status status = MOTE_OK;
    mo_memory_init(&memory, NULL);
    snprintf(text, sizeof text, cloth->format, columns, rows);
    MO_TRY(case_world_create(text, NULL, 0, &world, error));
    while (status == MOTE_OK && mote_world_time(world) < end - 0.5 * STEP) {
        int64_t count = 0;
        status = mote_world_step(world, NULL, error);
        status = status == MOTE_OK ? count_pairs(world, &memory, &count, error) : status;
        worst = count > worst ? count : worst;
        least = cloth->ball ? fmin(least, least_distance(world)) : least;
        ++frames;
    }
    mote_world_destroy(world);
    MO_TRY(status);
    snprintf(quantity, sizeof quantity,
             "%s, %d triangles, %g s, %lld frames: intersecting pairs at most", cloth->name,
             2 * (columns - 1) * (rows - 1), end, (long long)frames);
    validate_absolute(context, name, quantity, (double)worst, 0, 0);
    if (cloth->ball) {
        snprintf(quantity, sizeof quantity, "%s: least distance of faces from the centre [m]",
                 cloth->name);
        validate_at_least(context, name, quantity, least, 0.25, 0);
    }
    return MOTE_OK;
}

mote_status constraints_cloth(void *context, mote_error *error)
{
    for (size_t k = 0; k < sizeof CLOTHS / sizeof *CLOTHS; ++k) {
        MO_TRY(run_cloth(context, "constraints/cloth", &CLOTHS[k], CLOTHS[k].columns,
                         CLOTHS[k].rows, k == 3 ? 2.5 : 1.2, error));
    }
    return MOTE_OK;
}

/* A sheet of 50 m/s, 0.4 m wide, meets a plate of 1 mm in its middle: no node passes. */
mote_status constraints_plate(void *context, mote_error *error)
{
    mote_world *world;
    double lowest = (double)INFINITY;
    mote_status status = MOTE_OK;
    MO_TRY(case_world_create(
        "{\"time\": {\"end\": 1, \"step\": 0.01666666666666667}, \"gravity\": [0, 0, 0], "
        "\"bodies\": [{\"density\": 0.3, \"model\": \"xpbd\", \"velocity\": [0, 0, -50], \"mesh\": "
        "{\"type\": \"cloth\", \"origin\": [-0.2, -0.2, 0.5], \"u\": [0.4, 0, 0], \"v\": [0, 0.4, "
        "0], \"columns\": 21, \"rows\": 21}}], \"colliders\": [{\"name\": \"plate\", \"shape\": "
        "{\"type\": \"box\", \"min\": [-1, -1, -0.001], \"max\": [1, 1, 0]}}]}",
        NULL, 0, &world, error));
    int64_t rows = mote_world_rows(world, mote_world_system_find(world, "constraints"));
    while (status == MOTE_OK && mote_world_time(world) < 0.3) {
        status = mote_world_step(world, NULL, error);
        for (int64_t row = 0; row < rows; ++row) {
            lowest = fmin(lowest, positions_of(world)[3 * row + 2]);
        }
    }
    mote_world_destroy(world);
    MO_TRY(status);
    validate_at_least(context, "constraints/plate",
                      "sheet of 50 m/s on a plate of 1 mm: lowest node above it [m]", lowest, 0, 0);
    return MOTE_OK;
}

/* 20,000 triangles, 10 s. */
static mote_status constraints_long_cloth(void *context, mote_error *error)
{
    static const int MESH[][2] = {{101, 101}, {101, 101}, {51, 201}, {225, 46}};
    for (size_t k = 0; k < sizeof CLOTHS / sizeof *CLOTHS; ++k) {
        MO_TRY(run_cloth(context, "constraints_long/cloth", &CLOTHS[k], MESH[k][0], MESH[k][1], 10,
                         error));
    }
    return MOTE_OK;
}

static const suite_case CASES[] = {
    {"constraints_long/cloth",
     "Cloth of 20,000 triangles on a sphere, over an edge, folding, twisted: no intersections.",
     constraints_long_cloth},
    {0}};

const suite_group validate_constraints_long = {
    "constraints_long", "Position-based cloth of 20,000 triangles in contact, 10 s.", CASES};
