/* The family of time integrators: one file each, over the abstract dynamics. */
#ifndef MO_INTEGRATE_INTEGRATOR_H
#define MO_INTEGRATE_INTEGRATOR_H

#include "base/param.h"
#include "integrate/dynamics.h"

/* Capabilities. */
enum {
    MO_SYMPLECTIC = 1u << 0,    /* keeps phase-space volume: energy errors stay bounded */
    MO_VARIABLE_STEP = 1u << 1, /* may take steps of different sizes without losing its order */
    MO_FIRST_ORDER = 1u << 2,   /* also solves x' = f(x), the first-order dynamics */
    MO_IMPLICIT =
        1u << 3 /* solves with the forces' Jacobians: stable at any step where they have them */
};

/* What every implicit scheme has for its parameters, at the front; see newton.h. */
typedef struct mo_newton_params {
    int64_t iterations;
    double tolerance;
    bool line_search, definite, matrix_free;
    mo_method solver;
} mo_newton_params;

typedef struct mo_integrator_type {
    mo_descriptor
        base; /* columns: the arrays it needs, in the order of the slots MO_AUX, MO_AUX + 1, ...;
                           components 0 stands for "as the segment has" */
    int order;
    /* largest omega h on an undamped oscillator; 0 = never stable, infinite = always */
    double stable_limit;
    /* The same for parameters that change it; NULL if none does. */
    double (*stable_limit_with)(const void *params);
    /* Largest rate h on x'' = -rate x', which damping alone makes; 0 stands for 2, Euler's.
       Implicit schemes do not use it. */
    double damped_limit;
    double (*damped_limit_with)(const void *params);
    /* Implicit schemes whose parameters do not begin with mo_newton_params: those that they stand
     * for. */
    mo_newton_params (*newton)(const void *params);
    /* Takes all segments from dynamics->time to time + h, and leaves the last acceleration it knows
     * in MO_A. */
    void (*step)(mo_dynamics *dynamics, const void *params, double h);
} mo_integrator_type;

extern const mo_family mo_integrators;

static inline mo_newton_params mo_integrator_newton(const mo_integrator_type *type,
                                                    const void *params)
{
    return type->newton ? type->newton(params) : *(const mo_newton_params *)params;
}

#endif
