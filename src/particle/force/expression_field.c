/*
 * A force field given by expressions of x, y, z and t (math/expression.h): a force on every
 * particle, an acceleration (variable gravity), or a potential per mass, whose negative gradient is
 * the acceleration. Implicit schemes treat it explicitly.
 */
#include "integrate/force_scope.h"
#include "math/expression.h"
#include "math/vec3.h"
#include "particle/force/field.h"

#include <math.h>

typedef struct expression_field {
    mo_force_scope scope;
    mo_list force, acceleration;
    const char *potential;
    mo_expression3 compiled; /* created by prepare */
    mo_expression energy;    /* likewise, of the potential */
} expression_field;

static const mo_param PARAMS[] = {
    {"acceleration", MO_STRING, .list = true, MO_FIELD(expression_field, acceleration),
     .unit = "m/s^2",
     .doc =
         "Three expressions of x, y, z in m and t in s, such as [\"-x\", \"0\", \"sin(2*pi*t)\"]: "
         "numbers, + - * / ^, parentheses, pi, sin cos tan exp log sqrt abs sign floor tanh min "
         "max pow atan2. It is added to gravity. Give this, force or potential."},
    {"force", MO_STRING, .list = true, MO_FIELD(expression_field, force), .unit = "N",
     .doc = "The same for the force on each particle, whatever its mass."},
    {"potential", MO_STRING, MO_FIELD(expression_field, potential), .unit = "J/kg",
     .doc = "One expression for the potential per mass, such as \"-1/sqrt(x^2+y^2+z^2)\": the "
            "acceleration is its negative gradient, and the energy is measured."},
    MO_FORCE_SCOPE_PARAM(expression_field),
    {0}};

static mote_status expression_field_check(const void *params, mote_error *error)
{
    const expression_field *p = params;
    int given = (p->force.count > 0) + (p->acceleration.count > 0) + (p->potential != NULL);
    return given == 1 ? MOTE_OK
                      : mo_fail(error, MOTE_ERROR_INPUT,
                                "acceleration: give acceleration, force or potential, one of them");
}

static mote_status expression_field_prepare(void *params, mo_arena *arena, mote_error *error)
{
    expression_field *p = params;
    if (p->potential) {
        mote_error problem = {0};
        mote_status status = mo_expression_compile(p->potential, arena, &p->energy, &problem);
        return status == MOTE_OK ? MOTE_OK
                                 : mo_fail(error, status, "potential: %.1000s", problem.text);
    }
    const mo_list *list = p->force.count > 0 ? &p->force : &p->acceleration;
    return mo_expression3_compile(p->force.count > 0 ? "force" : "acceleration", list->count,
                                  list->items, arena, &p->compiled, error);
}

/* Fields may do work, those with a potential only if it changes with time. */
static mote_status expression_field_create(const void *params, const mo_force_context *context,
                                           mo_force *force, mote_error *error)
{
    const expression_field *p = params;
    (void)context, (void)error;
    force->open = !p->potential || p->energy.uses_time;
    return MOTE_OK;
}

/* The force on a particle. */
static void field_at(const expression_field *p, const mo_force_args *args, int64_t row,
                     const double *x, double f[3])
{
    double factor = p->force.count > 0 ? 1 : args->mass[row];
    if (p->potential) {
        mo_expression_gradient(&p->energy, x[0], x[1], x[2], args->time, f);
        factor = -factor;
    }
    for (int c = 0; c < 3; ++c) {
        f[c] = factor * (p->potential ? f[c]
                                      : mo_expression_at(&p->compiled.part[c], x[0], x[1], x[2],
                                                         args->time));
    }
}

static void expression_field_add(const void *instance, const mo_force_args *args, int64_t first,
                                 int64_t last)
{
    for (int64_t row = first; row < last; ++row) {
        double f[3];
        field_at(instance, args, row, args->x + 3 * row, f);
        for (int c = 0; c < 3; ++c) {
            args->f[3 * row + c] += f[c];
        }
    }
}

static double expression_field_energy(const void *instance, const mo_force_args *args,
                                      int64_t first, int64_t last)
{
    const expression_field *p = instance;
    double sum = 0;
    for (int64_t row = first; row < last && p->potential; ++row) {
        const double *x = args->x + 3 * row;
        sum += args->mass[row] * mo_expression_at(&p->energy, x[0], x[1], x[2], args->time);
    }
    return sum;
}

/* Row sums of |df/dx|, by central differences, for stability bounds. */
static void expression_field_stiffness(const void *instance, const mo_force_args *args,
                                       int64_t first, int64_t last, double *bound)
{
    for (int64_t row = first; row < last; ++row) {
        for (int axis = 0; axis < 3; ++axis) {
            const double *x = args->x + 3 * row;
            double up[3] = {x[0], x[1], x[2]}, down[3] = {x[0], x[1], x[2]}, f_up[3], f_down[3];
            double by = 1e-5 * (1e-2 + fabs(x[axis]));
            up[axis] += by;
            down[axis] -= by;
            field_at(instance, args, row, up, f_up);
            field_at(instance, args, row, down, f_down);
            for (int c = 0; c < 3; ++c) {
                bound[3 * row + c] += fabs(f_up[c] - f_down[c]) / (2 * by);
            }
        }
    }
}

const mo_force_type mo_field_expression_field = {
    .base = {.name = "expression_field",
             .summary =
                 "A force, an acceleration or a potential as expressions of position and time.",
             .capabilities = MO_FORCE_EXTERNAL | MO_FORCE_SCOPED,
             .param_size = sizeof(expression_field),
             .params = PARAMS,
             .check = expression_field_check,
             .prepare = expression_field_prepare},
    .create = expression_field_create,
    .add = expression_field_add,
    .energy = expression_field_energy,
    .stiffness = expression_field_stiffness,
};
