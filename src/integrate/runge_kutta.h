/*
 * Explicit Runge-Kutta methods from their tableaus, for y = (x, v), y' = (v, a(x, v, t)). A method
 * of the family is a table of coefficients and a descriptor; see heun.c.
 */
#ifndef MO_INTEGRATE_RUNGE_KUTTA_H
#define MO_INTEGRATE_RUNGE_KUTTA_H

#include "integrate/integrator.h"

enum { MO_RK_STAGES_MAX = 4 };

typedef struct mo_tableau {
    int stages;
    double a[MO_RK_STAGES_MAX][MO_RK_STAGES_MAX]; /* lower triangle */
    double b[MO_RK_STAGES_MAX], c[MO_RK_STAGES_MAX];
} mo_tableau;

/* The columns for two and for four stages. */
extern const mo_column_spec mo_rk_columns_2[], mo_rk_columns_4[];

void mo_runge_kutta(mo_dynamics *dynamics, const mo_tableau *tableau, double h);

#endif
