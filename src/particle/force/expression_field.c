/*
 * A force field given by expressions of x, y, z and t (math/expression.h): a force on every
 * particle, or an acceleration, as gravity that varies with position and time. Implicit schemes
 * treat it explicitly.
 */
#include "math/expression.h"
#include "math/vec3.h"
#include "particle/force/field.h"

#include <math.h>

typedef struct expression_field {
    mo_list force, acceleration;
    mo_expression3 compiled; /* made by prepare */
} expression_field;

static const mo_param PARAMS[] = {
    {"acceleration", MO_STRING, .list = true, MO_FIELD(expression_field, acceleration),
     .unit = "m/s^2",
     .doc =
         "Three expressions of x, y, z in m and t in s, such as [\"-x\", \"0\", \"sin(2*pi*t)\"]: "
         "numbers, + - * / ^, parentheses, pi, sin cos tan exp log sqrt abs sign floor tanh min "
         "max pow atan2. It is added to gravity. Give this or force."},
    {"force", MO_STRING, .list = true, MO_FIELD(expression_field, force), .unit = "N",
     .doc = "The same for the force on each particle, whatever its mass."},
    {0}};

static mote_status expression_field_check(const void *params, mote_error *error)
{
    const expression_field *p = params;
    return (p->force.count > 0) != (p->acceleration.count > 0)
               ? MOTE_OK
               : mo_fail(error, MOTE_ERROR_INPUT,
                         "acceleration: give exactly one of acceleration and force");
}

static mote_status expression_field_prepare(void *params, mo_arena *arena, mote_error *error)
{
    expression_field *p = params;
    const mo_list *list = p->force.count > 0 ? &p->force : &p->acceleration;
    return mo_expression3_compile(p->force.count > 0 ? "force" : "acceleration", list->count,
                                  list->items, arena, &p->compiled, error);
}

/* Fields may do work. */
static mote_status expression_field_create(const void *params, const mo_force_context *context,
                                           mo_force *force, mote_error *error)
{
    (void)params, (void)context, (void)error;
    force->open = true;
    return MOTE_OK;
}

static void expression_field_add(const void *instance, const mo_force_args *args, int64_t first,
                                 int64_t last)
{
    const expression_field *p = instance;
    bool acceleration = p->acceleration.count > 0;
    for (int64_t row = first; row < last; ++row) {
        const double *x = args->x + 3 * row;
        double factor = acceleration ? args->mass[row] : 1;
        for (int c = 0; c < 3; ++c) {
            args->f[3 * row + c] +=
                factor * mo_expression_at(&p->compiled.part[c], x[0], x[1], x[2], args->time);
        }
    }
}

/* Sums of the rows of |df/dx|, by central differences: the stability of steps needs no more. */
static void expression_field_stiffness(const void *instance, const mo_force_args *args,
                                       int64_t first, int64_t last, double *bound)
{
    const expression_field *p = instance;
    bool acceleration = p->acceleration.count > 0;
    for (int64_t row = first; row < last; ++row) {
        const double *x = args->x + 3 * row;
        double factor = acceleration ? args->mass[row] : 1;
        for (int c = 0; c < 9; ++c) {
            const mo_expression *e = &p->compiled.part[c / 3];
            double up[3] = {x[0], x[1], x[2]}, down[3] = {x[0], x[1], x[2]};
            double by = 1e-5 * (1e-2 + fabs(x[c % 3]));
            up[c % 3] += by;
            down[c % 3] -= by;
            double slope = (mo_expression_at(e, up[0], up[1], up[2], args->time) -
                            mo_expression_at(e, down[0], down[1], down[2], args->time)) /
                           (2 * by);
            bound[3 * row + c / 3] += factor * fabs(slope);
        }
    }
}

const mo_force_type mo_field_expression_field = {
    .base = {.name = "expression_field",
             .summary = "A force or an acceleration as expressions of position and time.",
             .capabilities = MO_FORCE_EXTERNAL,
             .param_size = sizeof(expression_field),
             .params = PARAMS,
             .check = expression_field_check,
             .prepare = expression_field_prepare},
    .create = expression_field_create,
    .add = expression_field_add,
    .stiffness = expression_field_stiffness,
};
