/*
 * The linearly implicit scheme of finite elements: with the stiffness S = -K and the damping C = -D
 * at the start of the step
 *     (M + h C + h^2 S) dv = h (f_ext - f_int - h S v - C v),   v+ = v + dv,  x+ = x + h v+,
 * one linear solve per step (M. Mueller, M. Gross 2004, "Interactive virtual materials", eq. 14).
 * f_int and C v are the forces at x and v. It is the first Newton iteration of implicit Euler: S is
 * constant for linear elements and rotated for corotated ones.
 */
#include "integrate/implicit_euler.h"

typedef struct linear_implicit {
    bool definite, matrix_free;
    mo_method solver;
} linear_implicit;

static const mo_param PARAMS[] = {
    {"definite", MO_BOOL, MO_FIELD(linear_implicit, definite), .initial = "true",
     .doc = "Project the stiffness to be positive semidefinite, e.g. of compressed springs."},
    {"matrix_free", MO_BOOL, MO_FIELD(linear_implicit, matrix_free), .initial = "false",
     .doc = "Matrix-free products of the Jacobian: less memory, more time."},
    {"solver", MO_METHOD, MO_FIELD(linear_implicit, solver), .family = &mo_linear_solvers,
     .initial = "\"cg\"", .doc = "Linear solver."},
    {0}};

static const mo_column_spec COLUMNS[] = {MO_NEWTON_COLUMNS, {0}};

static mo_newton_params linear_implicit_newton(const void *params)
{
    const linear_implicit *p = params;
    return (mo_newton_params){.iterations = 1,
                              .tolerance = 1,
                              .definite = p->definite,
                              .matrix_free = p->matrix_free,
                              .solver = p->solver};
}

static mote_status linear_implicit_check(const void *params, mote_error *error)
{
    mo_newton_params newton = linear_implicit_newton(params);
    return mo_newton_check(&newton, error);
}

/* dv = h a */
static void finish(const mo_segment *s, double h, int64_t first, int64_t last)
{
    for (int64_t k = first; k < last; ++k) {
        s->slot[MO_V][k] += h * s->slot[MO_A][k];
        s->slot[MO_X][k] += h * s->slot[MO_V][k];
    }
}

static void linear_implicit_step(mo_dynamics *dynamics, const void *params, double h)
{
    mo_newton_params newton = linear_implicit_newton(params);
    mo_newton_stage stage = {.time = dynamics->time + h, .c_x = h * h, .c_v = h};
    mo_for_state(dynamics, h, mo_implicit_euler_start);
    mo_newton_solve(dynamics, &newton, &stage);
    mo_for_state(dynamics, h, finish);
}

const mo_integrator_type mo_integrator_linear_implicit = {
    .base = {.name = "linear_implicit",
             .summary =
                 "Linearly implicit Euler: one linear solve with the stiffness and damping at the "
                 "start of the step; L-stable.",
             .citation = "M. Mueller, M. Gross 2004, Graphics Interface, eq. 14",
             .capabilities = MO_VARIABLE_STEP | MO_IMPLICIT | MO_PORTABLE,
             .param_size = sizeof(linear_implicit),
             .params = PARAMS,
             .columns = COLUMNS,
             .check = linear_implicit_check},
    .order = 1,
    .stable_limit = INFINITY,
    .amplification = mo_implicit_euler_amplification,
    .newton = linear_implicit_newton,
    .step = linear_implicit_step,
};
