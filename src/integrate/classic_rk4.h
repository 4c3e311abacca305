/*
 * The classic Runge-Kutta step, for `rk4` and for the start of multistep schemes.
 */
#ifndef MO_INTEGRATE_CLASSIC_RK4_H
#define MO_INTEGRATE_CLASSIC_RK4_H

#include "integrate/dynamics.h"

enum { MO_RK4_SLOTS = 4 };

/* From (x, v) in MO_X, MO_V at `time` to time + h, with the arrays slot ... slot + 3. Leaves a(x,
 * v, time) of the start in `start_a` if that is not negative. */
void mo_classic_rk4(mo_dynamics *dynamics, double time, double h, int slot, int start_a);

#endif
