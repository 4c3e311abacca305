/*
 * The family of pressure solvers. A solver advances the fluid by a step, since solvers differ in
 * the order of operations (pressure before or after the other forces, once or twice, on velocities
 * or on positions):
 *
 *     mo_fluid_update      neighbours, densities, walls at the start of the step
 *     forces               mo_terms_apply: gravity and all terms (term/term.h)
 *     pressure             mo_fluid_accelerate, mo_fluid_rates, solve.h, then
 *                          mo_fluid_react
 *     motion               mo_fluid_kick_by_pressure, mo_fluid_drift
 *
 * wcsph is the simplest of them, as a template.
 */
#ifndef MO_FLUID_PRESSURE_H
#define MO_FLUID_PRESSURE_H

#include "base/timer.h"
#include "fluid/sph/reaction.h"
#include "fluid/term/term.h"

/* The indices of the shared stages. */
typedef struct mo_fluid_stages {
    int neighbors, forces, divergence, pressure, advance;
} mo_fluid_stages;

typedef struct mo_fluid_step {
    double time, h;
    int64_t step;
    mo_stages *stages;
    const mo_fluid_stages *stage;
} mo_fluid_step;

/* Of a solver whose fluid is weakly compressible. */
typedef struct mo_fluid_sound {
    double speed;          /* at rest density, minimum over the phases [m/s]; 0: a gas */
    const char *parameter; /* its square is proportional to this one */
    double value;
} mo_fluid_sound;

typedef struct mo_pressure_type {
    mo_descriptor base;
    mo_instance_hooks hooks;
    mote_status (*step)(mo_instance *self, mo_fluid *fluid, const mo_fluid_step *now,
                        mote_error *error);
    /* The largest stable step by sound, with the current columns [s]; NULL: any. */
    double (*limit)(const void *params, const mo_fluid *fluid);
    /* Adds its own terms, after those of the scene; NULL: none. */
    mote_status (*add_terms)(const void *params, mo_fluid *fluid, mote_error *error);
    /* The speed of sound; NULL: the solver is incompressible. */
    mo_fluid_sound (*sound)(const void *params, const mo_fluid *fluid);
    /* The kernel of its force, if different from that of the densities; NULL: the same. */
    const mo_kernel_type *(*force_kernel)(const void *params);
    /* The minimum viscosity for stability [m^2/s]; NULL: none. */
    double (*least_viscosity)(const void *params, const mo_fluid *fluid);
    /* Fills the column `pressure` for the current densities; NULL: it is that of the last step. */
    void (*publish)(const mo_instance *self, mo_fluid *fluid);
    /* The internal energy for the current densities [J]; NULL: none. */
    mote_status (*energy)(const mo_instance *self, mo_fluid *fluid, double *joules,
                          mote_error *error);
    const char *density_kernel; /* instead of the scene's; NULL: the scene's */
    /* boundary kernel without a core (walls.h): explicit equations of state */
    bool soft_boundary;
    bool moves_bodies;      /* bodies respond in its solve (sph/response.h) */
    bool plain_boundary;    /* boundary particles add V_b W and have no own pressure */
    bool keeps_density;     /* steps begin with the densities of the last one, `step_density` */
    bool needs_shifting;    /* it does not distribute particles uniformly by itself */
    bool gains_by_shifting; /* shifting acts against its pressure and adds energy */
} mo_pressure_type;

extern const mo_family mo_pressures;

#endif
