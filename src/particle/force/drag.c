/*
 * Drag in a moving medium, u = v - scale(t) wind:  f = -(linear + quadratic |u|) u. Linear is
 * Stokes's law (6 pi mu r for a sphere of radius r in a fluid of viscosity mu), quadratic is
 * Newton's (1/2 rho c_d A).
 */
#include "integrate/force_scope.h"
#include "math/vec3.h"
#include "particle/force/field.h"

#include <math.h>

typedef struct drag {
    mo_force_scope scope;
    double linear, quadratic;
    mo_vec3 wind;
    mo_curve scale;
} drag;

static const mo_param PARAMS[] = {
    {"linear", MO_REAL, MO_FIELD(drag, linear), .unit = "kg/s", .initial = "0", .range = "[0, inf)",
     .doc = "Linear coefficient: 6 pi mu r for a sphere (Stokes)."},
    {"quadratic", MO_REAL, MO_FIELD(drag, quadratic), .unit = "kg/m", .initial = "0",
     .range = "[0, inf)", .doc = "Quadratic coefficient: 1/2 density drag_coefficient area."},
    {"wind", MO_VEC3, MO_FIELD(drag, wind), .unit = "m/s", .initial = "[0, 0, 0]",
     .doc = "Velocity of the medium."},
    {"scale", MO_CURVE, MO_FIELD(drag, scale), .initial = "1",
     .doc = "Factor of the velocity of the medium, over time: gusts, or a fan that starts.",
     .needs = "wind"},
    MO_FORCE_SCOPE_PARAM(drag),
    {0}};

/* A moving medium does work. */
static mote_status drag_create(const void *params, const mo_force_context *context, mo_force *force,
                               mote_error *error)
{
    const drag *p = params;
    (void)context, (void)error;
    force->open = mo_length(p->wind) > 0;
    return MOTE_OK;
}

static mo_vec3 medium_at(const drag *p, double time)
{
    return mo_scale(mo_curve_at(&p->scale, time), p->wind);
}

static void drag_add(const void *instance, const mo_force_args *args, int64_t first, int64_t last)
{
    const drag *p = instance;
    mo_vec3 medium = medium_at(p, args->time);
    for (int64_t row = first; row < last; ++row) {
        mo_vec3 u = mo_sub(mo_vec3_load(args->v + 3 * row), medium);
        double factor = p->linear + p->quadratic * mo_length(u);
        mo_vec3 f = mo_vec3_load(args->f + 3 * row);
        mo_vec3_store(args->f + 3 * row, mo_add_scaled(f, -factor, u));
    }
}

/* df/dv = -(linear + quadratic |u|) 1 - quadratic/|u| u u^T of one row: the factors of 1 and of
 * u u^T. */
static mo_vec3 derivative_of(const drag *p, const mo_force_args *args, int64_t row, double *one,
                             double *square)
{
    mo_vec3 u = mo_sub(mo_vec3_load(args->v + 3 * row), medium_at(p, args->time));
    double speed = mo_length(u);
    *one = -(p->linear + p->quadratic * speed);
    *square = speed > 0 ? -p->quadratic / speed : 0;
    return u;
}

/* Row sums of |df/dv|. */
static void drag_damping(const void *instance, const mo_force_args *args, int64_t first,
                         int64_t last, double *bound)
{
    for (int64_t row = first; row < last; ++row) {
        double one, square;
        mo_vec3 u = derivative_of(instance, args, row, &one, &square);
        const double w[3] = {fabs(u.x), fabs(u.y), fabs(u.z)};
        for (int c = 0; c < 3; ++c) {
            bound[3 * row + c] -= one + square * w[c] * (w[0] + w[1] + w[2]);
        }
    }
}

static void drag_fill(const void *instance, const mo_force_args *args, const mo_jacobian_ask *ask,
                      mo_block_matrix *matrix, int64_t first, int64_t last)
{
    for (int64_t row = first; row < last; ++row) {
        double one, square, *block = matrix->value + 9 * matrix->diagonal[row];
        mo_vec3 u = derivative_of(instance, args, row, &one, &square);
        const double w[3] = {u.x, u.y, u.z};
        for (int k = 0; k < 9; ++k) {
            block[k] += ask->along_v * (square * w[k / 3] * w[k % 3] + (k % 4 == 0 ? one : 0));
        }
    }
}

static void drag_multiply(const void *instance, const mo_force_args *args,
                          const mo_jacobian_ask *ask, const double *p, double *y, int64_t first,
                          int64_t last)
{
    for (int64_t row = first; row < last; ++row) {
        double one, square;
        mo_vec3 u = derivative_of(instance, args, row, &one, &square),
                q = mo_vec3_load(p + 3 * row);
        mo_vec3 sum = mo_add_scaled(mo_scale(one, q), square * mo_dot(u, q), u);
        mo_vec3_store(y + 3 * row, mo_add_scaled(mo_vec3_load(y + 3 * row), ask->along_v, sum));
    }
}

static const mo_force_jacobian JACOBIAN = {
    .derivatives = MO_DF_DV,
    .fill = drag_fill,
    .multiply = drag_multiply,
};

const mo_force_type mo_field_drag = {
    .base = {.name = "drag",
             .summary = "Linear and quadratic drag in a medium that may move.",
             .capabilities = MO_FORCE_EXTERNAL | MO_FORCE_SCOPED | MO_PORTABLE,
             .param_size = sizeof(drag),
             .params = PARAMS},
    .create = drag_create,
    .add = drag_add,
    .damping = drag_damping,
    .jacobian = &JACOBIAN,
};
