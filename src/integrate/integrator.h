/* The family of time integrators: one file each, over the abstract dynamics. */
#ifndef MO_INTEGRATE_INTEGRATOR_H
#define MO_INTEGRATE_INTEGRATOR_H

#include "base/param.h"
#include "integrate/dynamics.h"

/* Capabilities. */
enum {
    MO_SYMPLECTIC = 1u << 0,    /* preserves phase-space volume: bounded energy errors */
    MO_VARIABLE_STEP = 1u << 1, /* supports variable steps without losing its order */
    MO_FIRST_ORDER = 1u << 2,   /* also solves x' = f(x), the first-order dynamics */
    MO_IMPLICIT =
        /* solves with the forces' Jacobians: unconditionally stable for forces that have one */
    1u << 3
};

/* The first member of every implicit scheme's parameters; see newton.h. */
typedef struct mo_newton_params {
    int64_t iterations;
    double tolerance;
    bool line_search, definite, matrix_free;
    mo_method solver;
} mo_newton_params;

typedef struct mo_integrator_type {
    /* columns: the arrays it needs, in the order of the slots MO_AUX, MO_AUX + 1, ...;
     * components 0: those of the segment */
    mo_descriptor base;
    int order;
    /* largest omega h on an undamped oscillator; 0 = never stable, infinite = always */
    double stable_limit;
    /* The same for parameters that change it; NULL if none does. */
    double (*stable_limit_with)(const void *params);
    /* Stability limit of rate h for x'' = -rate x' (pure damping); 0: 2, as for Euler. Not used by
     * implicit schemes. */
    double damped_limit;
    double (*damped_limit_with)(const void *params);
    /* The factor by which a step multiplies the amplitude of an undamped oscillation at omega h =
     * z; NULL: 1, no numerical damping. */
    double (*amplification)(double z);
    /* Implicit schemes whose parameters do not begin with mo_newton_params: the equivalent
     * mo_newton_params. */
    mo_newton_params (*newton)(const void *params);
    /* Name of the column with the acceleration of the last half kick, v += h/2 a, which is reused
     * in the next step; NULL: none. Couplings that correct positions after a step repeat this kick.
     */
    const char *last_kick;
    /* Advances all segments from dynamics->time to time + h, with the last acceleration in MO_A. */
    void (*step)(mo_dynamics *dynamics, const void *params, double h);
} mo_integrator_type;

extern const mo_family mo_integrators;

/* The largest stable step of a scheme for motions up to the frequency omega, damped with up to
 * `rate`; 0: none, infinite: any. `params` NULL: its defaults. */
double mo_integrator_stable_step(const mo_integrator_type *type, const void *params, double omega,
                                 double rate);

static inline mo_newton_params mo_integrator_newton(const mo_integrator_type *type,
                                                    const void *params)
{
    return type->newton ? type->newton(params) : *(const mo_newton_params *)params;
}

#endif
