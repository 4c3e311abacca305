/*
 * Adams-Bashforth predictors with Adams-Moulton correctors of the same order, PECE, for y = (x, v),
 * y' = (v, a(x, v, t)). abm2.c ... abm5.c are tables of columns and descriptors over this engine.
 */
#ifndef MO_INTEGRATE_ADAMS_H
#define MO_INTEGRATE_ADAMS_H

#include "integrate/integrator.h"

typedef struct mo_adams {
    int64_t corrections;
    const char *start;
} mo_adams;

extern const mo_param mo_adams_params[];

/* The columns of order p: predicted x and v, two sums for the start, then rings of p velocities and
 * p accelerations. */
extern const mo_column_spec mo_adams_columns_2[], mo_adams_columns_3[], mo_adams_columns_4[],
    mo_adams_columns_5[];

void mo_adams_step(mo_dynamics *dynamics, const mo_adams *params, int order, double h);

/* The largest stable omega h, which depends on the number of corrections. */
double mo_adams_stable_limit(const mo_adams *params, int order);
double mo_adams_damped_limit(const mo_adams *params, int order);

#endif
