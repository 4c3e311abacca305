/* Derivatives of constraints, converged steps, and stresses on a section. */
#include "base/error.h"
#include "bench/case_world.h"
#include "constraint/project.h"
#include "system/constraints/state.h"
#include "validate/constraints.h"
#include "validate/validate.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A block of 3^3 nodes, at rest. */
#define BLOCK \
    "\"mesh\": {\"type\": \"block\", \"nx\": 3, \"ny\": 3, \"nz\": 3, \"tetrahedra\": 5}, " \
    "\"density\": 1000"

#define CLOTH "\"mesh\": {\"type\": \"cloth\", \"columns\": 4, \"rows\": 4}, \"density\": 0.3"

static const double YOUNG = 1e5;

/* ---- derivatives ---- */

typedef struct probe {
    const mo_constraint_set *set;
    double *p;
    int64_t batch;
    int f;
} probe;

/* Value and gradient of one lane. */
static double evaluate(const probe *q, int lane, double gradient[12])
{
    const mo_constraint_type *type = q->set->type;
    mo_d4 x[MO_CONSTRAINT_NODES_MAX][3], value, g[MO_CONSTRAINT_NODES_MAX][3];
    const int32_t *rows = mo_constraint_rows(q->set, q->batch);
    for (int k = 0; k < 3 * type->nodes; ++k) {
        for (int l = 0; l < MO_LANES; ++l) {
            x[k / 3][k % 3][l] = q->p[4 * (int64_t)rows[k / 3 * MO_LANES + l] + k % 3];
        }
    }
    type->evaluate(q->set, q->batch, q->f, (const mo_d4(*)[3])x, &value, g);
    for (int k = 0; k < 3 * type->nodes; ++k) {
        gradient[k] = g[k / 3][k % 3][lane];
    }
    return value[lane];
}

static void find_hessian(const probe *q, mo_hessian h)
{
    const mo_constraint_type *type = q->set->type;
    mo_d4 x[MO_CONSTRAINT_NODES_MAX][3];
    const int32_t *rows = mo_constraint_rows(q->set, q->batch);
    memset(h, 0, sizeof(mo_hessian));
    for (int k = 0; k < 3 * type->nodes; ++k) {
        for (int l = 0; l < MO_LANES; ++l) {
            x[k / 3][k % 3][l] = q->p[4 * (int64_t)rows[k / 3 * MO_LANES + l] + k % 3];
        }
    }
    if (type->hessian) {
        type->hessian(q->set, q->batch, q->f, (const mo_d4(*)[3])x, h);
    }
}

/* Errors and largest values of both derivatives by central differences. */
typedef struct differences {
    double error[2], most[2];
} differences;

static void compare_lane(const probe *q, int lane, mo_hessian h, differences *d)
{
    const double step = 1e-5;
    int count = 3 * q->set->type->nodes;
    const int32_t *rows = mo_constraint_rows(q->set, q->batch);
    double g[12], up[12], down[12];
    evaluate(q, lane, g);
    for (int b = 0; b < count; ++b) {
        double *at = &q->p[4 * (int64_t)rows[b / 3 * MO_LANES + lane] + b % 3], old = *at;
        *at = old + step;
        double high = evaluate(q, lane, up);
        *at = old - step;
        double low = evaluate(q, lane, down);
        *at = old;
        double slope = (high - low) / (2 * step);
        d->error[0] = fmax(d->error[0], fabs(slope - g[b]));
        d->most[0] = fmax(d->most[0], fabs(slope));
        for (int a = 0; a < count; ++a) {
            double second = (up[a] - down[a]) / (2 * step);
            d->error[1] = fmax(d->error[1], fabs(second - h[a][b][lane]));
            d->most[1] = fmax(d->most[1], fabs(second));
        }
    }
}

static void compare_set(const mo_constraint_set *set, double *p, differences *d)
{
    for (int64_t batch = 0; batch < set->batches; ++batch) {
        for (int f = 0; f < set->type->functions; ++f) {
            probe q = {set, p, batch, f};
            mo_hessian h;
            find_hessian(&q, h);
            for (int lane = 0; lane < set->lanes[batch]; ++lane) {
                compare_lane(&q, lane, h, d);
            }
        }
    }
}

static mote_status compare(const char *mesh, const char *model, const char *constraint,
                           differences *d, mote_error *error)
{
    char text[600];
    mote_world *world;
    snprintf(text, sizeof text,
             "{\"time\": {\"end\": 1}, \"bodies\": [{\"name\": \"block\", %s, \"model\": "
             "{\"type\": \"%s\", \"constraints\": [%s]}}]}",
             mesh, model, constraint);
    MO_TRY(case_world_create(text, NULL, 1, &world, error));
    const mo_constraint_system *c =
        world->systems[mote_world_system_find(world, "constraints")].state;
    double *p = mo_f64(c->p);
    for (int64_t k = 0; k < mo_store_owned(c->system->store); ++k) {
        for (int n = 0; n < 3; ++n) { /* a deformation that is not affine */
            p[4 * k + n] += 0.03 * sin((double)(3 * k + n) * 1.7);
        }
    }
    *d = (differences){.most = {1e-3, 1e-3}};
    compare_set(&c->sets[c->set_count - 1], p, d);
    mote_world_destroy(world);
    return MOTE_OK;
}

mote_status constraints_derivatives(void *context, mote_error *error)
{
    static const struct {
        const char *name, *mesh, *model, *constraint;
    } CASES[] = {{"distance", BLOCK, "xpbd", "\"distance\""},
                 {"bend_dihedral", BLOCK, "xpbd", "\"bend_dihedral\""},
                 {"bend_isometric", BLOCK, "xpbd", "\"bend_isometric\""},
                 {"area", BLOCK, "xpbd", "\"area\""},
                 {"volume", BLOCK, "xpbd", "\"volume\""},
                 {"strain of tetrahedra", BLOCK, "xpbd", "\"strain\""},
                 {"strain of triangles", CLOTH, "xpbd", "\"strain\""},
                 {"strain_energy, pbd", BLOCK, "pbd", "\"strain_energy\""},
                 {"strain_energy, xpbd", BLOCK, "xpbd", "\"strain_energy\""},
                 {"neo_hookean_pair", BLOCK, "xpbd", "\"neo_hookean_pair\""},
                 {"attach", BLOCK, "xpbd",
                  "\"distance\", {\"type\": \"attach\", \"nodes\": [0], \"body\": \"block\", "
                  "\"body_nodes\": [26]}"}};
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; ++k) {
        differences d;
        char quantity[100];
        MO_TRY(compare(CASES[k].mesh, CASES[k].model, CASES[k].constraint, &d, error));
        snprintf(quantity, sizeof quantity, "%s: error of gradients", CASES[k].name);
        validate_absolute(context, "constraints/derivatives", quantity, d.error[0] / d.most[0], 0,
                          1e-6);
        snprintf(quantity, sizeof quantity, "%s: error of second derivatives", CASES[k].name);
        validate_absolute(context, "constraints/derivatives", quantity, d.error[1] / d.most[1], 0,
                          1e-6);
    }
    return MOTE_OK;
}

/* ---- converged steps ---- */

static double quantity_of(const mote_world *world, const char *name)
{
    for (int k = 0; k < mote_world_quantity_count(world); ++k) {
        mote_quantity q = mote_world_quantity(world, k);
        if (strcmp(q.name, name) == 0) {
            return q.value;
        }
    }
    return NAN;
}

static mote_status step(mote_world *world, int steps, mote_error *error)
{
    mote_status status = MOTE_OK;
    for (int k = 0; k < steps && status == MOTE_OK; ++k) {
        status = mote_world_step(world, NULL, error);
    }
    return status;
}

static mote_status bend(const char *keys, const char *model, mote_world **world, mote_error *error)
{
    char text[1000];
    snprintf(text, sizeof text,
             "{\"time\": {\"end\": 1, \"step\": 0.01}, %s, \"bodies\": [{\"density\": 1000, "
             "\"mesh\": {\"type\": \"block\", \"max\": [0.4, 0.2, 0.2], \"nx\": 5, \"ny\": 3, "
             "\"nz\": 3, \"tetrahedra\": 5}, \"pins\": [{\"set\": \"x0\"}], \"model\": %s}]}",
             keys, model);
    return case_world_create(text, NULL, 1, world, error);
}

/* A bar bends under its weight: the residuals, and the same steps by finite elements. */
static mote_status compare_steps(validation *v, mote_world *fem, mote_world *energy,
                                 mote_error *error)
{
    MO_TRY(step(fem, 20, error));
    MO_TRY(step(energy, 20, error));
    const double *x = case_column(fem, "x"), *y = case_column(energy, "x");
    double worst = 0;
    for (int64_t k = 0; k < 3 * mote_world_rows(fem, 0); ++k) {
        worst = fmax(worst, fabs(x[k] - y[k]));
    }
    validate_absolute(v, "constraints/newton", "distance from implicit_euler after 20 steps [m]",
                      worst, 0, 1e-8);
    validate_absolute(v, "constraints/newton", "residual of C + alpha lambda/h^2",
                      quantity_of(energy, "constraint_residual_max"), 0, 1e-8);
    validate_absolute(v, "constraints/newton", "primal residual",
                      quantity_of(energy, "constraint_residual_primal"), 0, 1e-6);
    return MOTE_OK;
}

mote_status constraints_newton(void *context, mote_error *error)
{
    mote_world *fem, *energy;
    MO_TRY(bend("\"integrator\": {\"type\": \"implicit_euler\", \"iterations\": 30, \"tolerance\": "
                "1e-12, \"definite\": false, \"solver\": \"cholesky\"}",
                "{\"type\": \"fem\", \"material\": {\"type\": \"stvk\", \"young\": 1e5}}", &fem,
                error));
    mote_status status =
        bend("\"constraints\": {\"substeps\": 1, \"solver\": \"newton\"}",
             "{\"type\": \"xpbd\", \"constraints\": [{\"type\": \"strain_energy\", \"material\": "
             "{\"type\": \"stvk\", \"young\": 1e5}}]}",
             &energy, error);
    if (status == MOTE_OK) {
        status = compare_steps(context, fem, energy, error);
        mote_world_destroy(energy);
    }
    mote_world_destroy(fem);
    return status;
}

/* ---- a section ---- */

/* The axial force of a bar that is stretched by l, through the plane x = 0.2131. */
static mote_status force_through(const char *model, double l, double *force, mote_error *error)
{
    enum { FORCE_X = 2, NUMBERS = 11 };
    char text[1000];
    double values[NUMBERS];
    mote_world *world;
    snprintf(text, sizeof text,
             "{\"time\": {\"end\": 1, \"step\": 0.01}, \"bodies\": [{\"density\": 1000, \"mesh\": "
             "{\"type\": \"block\", \"max\": [0.4, 0.2, 0.2], \"nx\": 5, \"ny\": 3, \"nz\": 3, "
             "\"tetrahedra\": 5}, \"model\": %s}], \"observables\": [{\"type\": \"section_force\", "
             "\"point\": [0.2131, 0, 0]}]}",
             model);
    MO_TRY(case_world_create(text, NULL, 1, &world, error));
    double *x = case_column(world, "x");
    for (int64_t k = 0; k < mote_world_rows(world, 0); ++k) {
        x[3 * k] *= l;
    }
    mote_world_invalidate(world, 0);
    mote_status status = mote_world_observe(world, 0, values, error);
    *force = values[FORCE_X];
    mote_world_destroy(world);
    return status;
}

mote_status constraints_section(void *context, mote_error *error)
{
    const double l = 1.1, area = 0.04;
    double force;
    MO_TRY(force_through("{\"type\": \"fem\", \"material\": {\"type\": \"stvk\", \"young\": 1e5, "
                         "\"poisson\": 0}}",
                         l, &force, error));
    validate_relative(context, "constraints/section", "fem, stvk: force [N]", force,
                      area * YOUNG * l * (l * l - 1) / 2, 1e-8);
    MO_TRY(force_through("{\"type\": \"fast_corotated\", \"young\": 1e5, \"poisson\": 0}", l,
                         &force, error));
    validate_relative(context, "constraints/section", "fast_corotated: force [N]", force,
                      area * YOUNG * (l - 1), 1e-8);
    MO_TRY(force_through("{\"type\": \"elements\", \"length\": 0, \"volume\": 1e5}", l, &force,
                         error));
    validate_relative(context, "constraints/section", "elements, volume: force [N]", force,
                      area * YOUNG * (l - 1), 1e-8);
    return MOTE_OK;
}
