/*
 * Linear damping f = -g v of every particle. It does not conserve momentum. The simplest force, as
 * a template.
 */
#include "integrate/force_scope.h"
#include "particle/force/field.h"

typedef struct damping_point {
    mo_force_scope scope;
    double g;
} damping_point;

static const mo_param PARAMS[] = {{"g", MO_REAL, MO_FIELD(damping_point, g), .unit = "kg/s",
                                   .required = true, .range = "[0, inf)",
                                   .doc = "Damping coefficient."},
                                  MO_FORCE_SCOPE_PARAM(damping_point),
                                  {0}};

static void damping_point_add(const void *instance, const mo_force_args *args, int64_t first,
                              int64_t last)
{
    const damping_point *p = instance;
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        args->f[k] -= p->g * args->v[k];
    }
}

static void damping_point_damping(const void *instance, const mo_force_args *args, int64_t first,
                                  int64_t last, double *bound)
{
    const damping_point *p = instance;
    (void)args;
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        bound[k] += p->g;
    }
}

/* df/dv = -g 1 */
static void damping_point_fill(const void *instance, const mo_force_args *args,
                               const mo_jacobian_ask *ask, mo_block_matrix *matrix, int64_t first,
                               int64_t last)
{
    const damping_point *p = instance;
    (void)args;
    for (int64_t row = first; row < last; ++row) {
        double *block = matrix->value + 9 * matrix->diagonal[row];
        for (int c = 0; c < 3; ++c) {
            block[4 * c] -= ask->along_v * p->g;
        }
    }
}

static void damping_point_multiply(const void *instance, const mo_force_args *args,
                                   const mo_jacobian_ask *ask, const double *p, double *y,
                                   int64_t first, int64_t last)
{
    const damping_point *d = instance;
    (void)args;
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        y[k] -= ask->along_v * d->g * p[k];
    }
}

static const mo_force_jacobian JACOBIAN = {
    .derivatives = MO_DF_DV,
    .fill = damping_point_fill,
    .multiply = damping_point_multiply,
};

const mo_force_type mo_field_damping_point = {
    .base = {.name = "damping_point",
             .summary = "Linear damping f = -g v of every particle.",
             .capabilities = MO_FORCE_EXTERNAL | MO_FORCE_SCOPED | MO_PORTABLE,
             .param_size = sizeof(damping_point),
             .params = PARAMS},
    .add = damping_point_add,
    .damping = damping_point_damping,
    .jacobian = &JACOBIAN,
};
