/* Common parts of the explicit and the implicit corotational viscosity. */
#ifndef MO_FLUID_VISCOSITY_COROTATIONAL_H
#define MO_FLUID_VISCOSITY_COROTATIONAL_H

#include "fluid/sph/fluid.h"

/* Lower bound of D: with fewer neighbours than at a plane surface the viscosity decreases. */
#define MO_COROTATIONAL_FEWEST 0.5

/* Within reach of a boundary: there the neighbourhood of fluid alone is one-sided, and its fit
 * biased. */
static inline bool mo_corotational_at_wall(const mo_fluid *f, int64_t row)
{
    const float *wall = f->wall + 4 * row;
    return wall[0] != 0 || wall[1] != 0 || wall[2] != 0;
}

/* g there: half of 1/D of a lattice. */
double mo_corotational_at_walls(const mo_fluid *fluid);

#endif
