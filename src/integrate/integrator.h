/* The family of time integrators: one file each, over the abstract dynamics. */
#ifndef MO_INTEGRATE_INTEGRATOR_H
#define MO_INTEGRATE_INTEGRATOR_H

#include "base/param.h"
#include "integrate/dynamics.h"

/* Capabilities. */
enum {
    MO_SYMPLECTIC = 1u << 0,    /* keeps phase-space volume: energy errors stay bounded */
    MO_VARIABLE_STEP = 1u << 1, /* may take steps of different sizes without losing its order */
    MO_FIRST_ORDER = 1u << 2    /* also solves x' = f(x), the first-order dynamics */
};

typedef struct mo_integrator_type {
    mo_descriptor base; /* columns: the arrays it needs, in the order of the slots MO_AUX, MO_AUX + 1, ...;
                           components 0 stands for "as the segment has" */
    int order;
    double stable_limit; /* largest omega h on an undamped oscillator; 0 = never stable */
    /* The same for parameters that change it; NULL if none does. */
    double (*stable_limit_with)(const void *params);
    /* Takes all segments from dynamics->time to time + h, and leaves the last acceleration it knows in MO_A. */
    void (*step)(mo_dynamics *dynamics, const void *params, double h);
} mo_integrator_type;

extern const mo_family mo_integrators;

#endif
