/*
 * Viscosities of particles: those of their phases, or by their shear rates (rheology.h). The shear
 * rate is sqrt(2 E : E), with E by weighted least squares (strain.h), exact for linear flows, also
 * at free surfaces and boundaries.
 */
#ifndef MO_FLUID_VISCOSITY_SHEAR_H
#define MO_FLUID_VISCOSITY_SHEAR_H

#include "fluid/rheology/rheology.h"
#include "fluid/viscosity/strain.h"

/* Initially zero. */
typedef struct mo_shear {
    mo_method law;    /* type NULL: viscosities of the phases */
    double *nu, most; /* of the phases, and their largest [m^2/s] */
    bool several;     /* these differ */
    float *row;       /* rows: kinematic viscosities */
    float *mu;        /* local and ghost particles: rho0 nu */
    mo_strain strain;
    int64_t row_capacity, mu_capacity;
} mo_shear;

/* nu of the phases, the default being `nu`. */
mote_status mo_shear_create(mo_shear *shear, mo_fluid *fluid, double nu, mo_method law,
                            mote_error *error);
void mo_shear_release(mo_shear *shear, mo_fluid *fluid);

/* Whether particles have their own viscosities; not: that of all is nu[0]. */
static inline bool mo_shear_differs(const mo_shear *shear)
{
    return shear->several || shear->law.type;
}

/* Whether particles have their own mu. */
static inline bool mo_shear_mixed(const mo_shear *shear, const mo_fluid *fluid)
{
    return mo_shear_differs(shear) || mo_fluid_mixed(fluid);
}

/* Fills `row` and `mu` if they are needed. Positions and velocities are packed, kernel gradient
 * factors are those of the fluid's kernel. */
mote_status mo_shear_update(mo_shear *shear, mo_fluid *fluid, mote_error *error);

/* Viscosities at solids, for mo_wall_friction: `wall` is a parameter, NaN for that of the fluid. */
static inline double mo_shear_wall(const mo_shear *shear, double wall)
{
    return isnan(wall) ? shear->most : wall;
}

static inline const float *mo_shear_wall_rows(const mo_shear *shear, double wall)
{
    return isnan(wall) && mo_shear_differs(shear) ? shear->row : NULL;
}

#endif
