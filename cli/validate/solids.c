/*
 * Elastic solids: code shared by the group, the patch test, and the momenta of a free body.
 */
#include "validate/solids.h"

#include "scene/reader.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

mote_status solids_create(const char *text, mote_world **world, mote_error *error)
{
    mote_scene *scene;
    MO_TRY(mote_scene_parse(text, &scene, error));
    mote_status status = mote_world_create(scene, NULL, world, error);
    mote_scene_destroy(scene);
    return status;
}

double *solids_column(const mote_world *world, const char *name)
{
    mote_column column;
    return mote_world_column_find(world, 0, name, &column) ? column.data : NULL;
}

mote_status solids_forces(mote_world *world, double *f, mote_error *error)
{
    mo_system *system = &world->systems[0];
    MO_TRY(system->type->evaluate(system, world->clock.time, error));
    const double *a = solids_column(world, "a"), *mass = solids_column(world, "mass");
    for (int64_t k = 0; k < 3 * mote_world_rows(world, 0); ++k) {
        f[k] = a[k] * mass[k / 3];
    }
    return MOTE_OK;
}

const char *solids_constants(const char *name)
{
    if (strcmp(name, "hooke") == 0) {
        return "\"young\": [3.5, 1.5, 0.8], \"poisson\": [0.31, 0.2, 0.25], \"shear\": [0.9, 1.4, 0.5]";
    }
    return strcmp(name, "arap") == 0 ? "\"young\": 3.5" : "\"young\": 3.5, \"poisson\": 0.31";
}

static const char BLOCK[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.001}, \"bodies\": [{\"mass\": 1,"
    " \"mesh\": {\"type\": \"block\", \"nx\": 5, \"ny\": 4, \"nz\": 4, \"tetrahedra\": 5},"
    " \"model\": {\"type\": \"fem\", \"material\": {\"type\": \"%s\", %s}}}]}";

static mote_status create_block(const char *name, mote_world **world, mote_error *error)
{
    char text[sizeof BLOCK + 200];
    snprintf(text, sizeof text, BLOCK, name, solids_constants(name));
    return solids_create(text, world, error);
}

mote_status solids_material(const char *name, mote_world **world, mo_material *material,
                            mote_error *error)
{
    MO_TRY(create_block(name, world, error));
    mo_method model = ((const mo_body_def *)(*world)->def.bodies.items)->model, method;
    memcpy(&method,
           (const char *)model.params + mo_read_param_find(model.type->params, "material")->offset,
           sizeof method);
    mote_status status = mo_material_begin(method, MO_SOLID, false, material, error);
    if (status != MOTE_OK) {
        mote_world_destroy(*world);
    }
    return status;
}

/* ---- patch test ---- */

/* An affine field: a rotation by 0.5 about z after a stretch with shear. */
static void deform(double *x, int64_t rows)
{
    static const double A[9] = {1.12, 0.05, -0.03, 0.02, 0.93, 0.06, -0.04, 0.01, 1.07};
    for (int64_t k = 0; k < rows; ++k) {
        double y[3];
        for (int i = 0; i < 3; ++i) {
            y[i] = A[3 * i] * x[3 * k] + A[3 * i + 1] * x[3 * k + 1] + A[3 * i + 2] * x[3 * k + 2];
        }
        x[3 * k] = cos(0.5) * y[0] - sin(0.5) * y[1];
        x[3 * k + 1] = sin(0.5) * y[0] + cos(0.5) * y[1];
        x[3 * k + 2] = y[2];
    }
}

/* The largest internal force, relative to the largest on the surface. */
static double largest_inside(const double *f, const double *rest, int64_t rows)
{
    double inside = 0, outside = 0;
    for (int64_t k = 0; k < rows; ++k) {
        bool inner = true;
        for (int i = 0; i < 3; ++i) {
            inner = inner && rest[3 * k + i] > 0.01 && rest[3 * k + i] < 0.99;
        }
        double *largest = inner ? &inside : &outside;
        for (int i = 0; i < 3; ++i) {
            *largest = fmax(*largest, fabs(f[3 * k + i]));
        }
    }
    return inside / outside;
}

static mote_status patch_of(validation *v, const char *name, mote_error *error)
{
    mote_world *world;
    MO_TRY(create_block(name, &world, error));
    int64_t rows = mote_world_rows(world, 0);
    size_t bytes = (size_t)(3 * rows) * sizeof(double);
    double *rest = malloc(bytes), *f = malloc(bytes), *x = solids_column(world, "x");
    mote_status status = rest && f ? MOTE_OK : mo_fail_memory(error, 2 * bytes);
    if (status == MOTE_OK) {
        memcpy(rest, x, bytes);
        deform(x, rows);
        status = solids_forces(world, f, error);
    }
    if (status == MOTE_OK) {
        char quantity[100];
        snprintf(quantity, sizeof quantity, "largest force inside, %s", name);
        validate_absolute(v, "solids/patch", quantity, largest_inside(f, rest, rows), 0, 1e-12);
    }
    free(rest);
    free(f);
    mote_world_destroy(world);
    return status;
}

static mote_status run_patch(void *context, mote_error *error)
{
    for (int k = 0; k < mo_materials.count; ++k) {
        MO_TRY(patch_of(context, mo_materials.methods[k]->name, error));
    }
    return MOTE_OK;
}

/* ---- momenta ---- */

enum { MOMENTUM_STEPS = 10000 };

static const char FREE[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 100, \"step\": 0.002}, "
    "\"integrator\": \"symplectic_euler\","
    " \"bodies\": [{\"density\": 1, \"mesh\": {\"type\": \"block\", \"nx\": 4, "
    "\"ny\": 4, \"nz\": 4, \"tetrahedra\": 5},"
    " \"model\": {\"type\": \"fem\", \"material\": {\"type\": \"%s\", %s}}}]}";

/* Rotation and oscillation. */
static void set_moving(mote_world *world)
{
    const double *x = solids_column(world, "x");
    double *v = solids_column(world, "v");
    for (int64_t k = 0; k < mote_world_rows(world, 0); ++k) {
        const double *p = x + 3 * k;
        v[3 * k] = 0.3 - 0.9 * p[1] + 0.2 * p[0];
        v[3 * k + 1] = 0.9 * p[0] - 0.3 * p[1] * p[2];
        v[3 * k + 2] = 0.1 + 0.4 * p[0] * p[1];
    }
    mote_world_invalidate(world, 0);
}

/* Bound by rounding in one direction: of every velocity and of every position (in the angular
 * momentum), half a unit in each step; the forces of a step, small relative to both, have some
 * twenty terms. */
static double momentum_bound(const mote_world *world)
{
    const double *v = solids_column(world, "v"), *a = solids_column(world, "a"),
                 *mass = solids_column(world, "mass");
    double sum = 0;
    for (int64_t k = 0; k < 3 * mote_world_rows(world, 0); ++k) {
        sum += mass[k / 3] * (fabs(v[k]) + 20 * 0.002 * fabs(a[k]) + 1e-3);
    }
    return 0.5 * DBL_EPSILON * MOMENTUM_STEPS * sum;
}

static mote_status momenta_of(validation *v, const mo_descriptor *material, mote_error *error)
{
    char text[sizeof FREE + 200], quantity[100];
    mote_world *world;
    mote_measures before, after = {0};
    snprintf(text, sizeof text, FREE, material->name, solids_constants(material->name));
    MO_TRY(solids_create(text, &world, error));
    set_moving(world);
    mote_status status = mote_world_measure(world, &before, error);
    for (int k = 0; k < MOMENTUM_STEPS && status == MOTE_OK; ++k) {
        status = mote_world_step(world, NULL, error);
    }
    if (status == MOTE_OK) {
        status = mote_world_measure(world, &after, error);
    }
    double linear = 0, angular = 0;
    for (int k = 0; k < 3 && status == MOTE_OK; ++k) {
        linear = fmax(linear, fabs(after.momentum[k] - before.momentum[k]));
        angular = fmax(angular, fabs(after.angular_momentum[k] - before.angular_momentum[k]));
    }
    if (status == MOTE_OK) {
        double bound = momentum_bound(world);
        snprintf(quantity, sizeof quantity, "change of momentum in %d steps, %s", MOMENTUM_STEPS,
                 material->name);
        validate_absolute(v, "solids/momenta", quantity, linear, 0, bound);
        if (material->capabilities &
            MO_MATERIAL_OBJECTIVE) { /* positions grow over twenty seconds of motion */
            snprintf(quantity, sizeof quantity, "change of angular momentum, %s", material->name);
            validate_absolute(v, "solids/momenta", quantity, angular, 0, 10 * bound);
        }
    }
    mote_world_destroy(world);
    return status;
}

static mote_status run_momenta(void *context, mote_error *error)
{
    for (int k = 0; k < mo_materials.count; ++k) {
        MO_TRY(momenta_of(context, mo_materials.methods[k], error));
    }
    return MOTE_OK;
}

static const suite_case CASES[] = {
    {"solids/patch", "Patch test: affine deformations give zero interior forces, every material.",
     run_patch},
    {"solids/derivatives",
     "P against differences of psi, dP against differences of P, every material.",
     solids_derivatives},
    {"solids/symmetries", "Rotation invariance and isotropy.", solids_symmetries},
    {"solids/uniaxial", "Tension and compression against closed forms.", solids_uniaxial},
    {"solids/cantilever", "Deflection of a cantilever on a series of meshes (ten seconds).",
     solids_cantilever},
    {"solids/frequency", "First bending frequency of the same beam.", solids_frequency},
    {"solids/momenta", "Momenta of a free body over 10,000 steps.", run_momenta},
    {"solids/calculix", "Large bending of a beam, node by node against CalculiX.", solids_calculix},
    {0}};

const suite_group validate_solids = {"solids", "Elastic solids.", CASES};
