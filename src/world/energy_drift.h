/*
 * Energy drift: spurious growth of the total energy, which indicates a step beyond the stability
 * limit long before values overflow.
 *
 * E = kinetic + potential + elastic (mote_world_measure) must not exceed its minimum so far by more
 * than
 *   (PART + oscillation) S + floor,  S = (largest kinetic energy) + (range of potential + elastic
 *                                    energy), both over the accepted states.
 * S is the energy exchanged by the motion; E itself has an arbitrary zero. The floor is the energy
 * that position corrections (contacts, density errors, shifting) may add, weight times particle
 * diameter; the jump of unshifted pair energies at a cut-off; and rounding. The oscillation is that
 * of a stable leapfrog, q = (omega h/2)^2; it is computed only where a rise is suspected. Then
 * every step is measured, and the rise must persist for PERSIST of them.
 *
 * Systems with unmeasured external work are not checked: moving colliders and pins, emitters, loads
 * and gravity that depend on time, pressure loads, wind, force callbacks, first-order dynamics.
 * Fluids with an equation of state store energy that is not in E and are compared with the maximum
 * so far; fluids are checked after WARM_UP steps, when the initial density error has relaxed.
 * Adding or removing rows, or writing the state, restarts the check.
 */
#ifndef MO_WORLD_ENERGY_DRIFT_H
#define MO_WORLD_ENERGY_DRIFT_H

#include <stdbool.h>
#include <stdint.h>

#include "mote/world.h"

typedef struct mo_energy_drift {
    bool closed;     /* no unmeasured external work */
    bool stores;     /* stored energy that is not measured */
    int64_t warm_up; /* steps before the first measurement */
    bool started;
    int64_t rows;
    double floor;           /* [J] */
    double reference;       /* upper limit of E before the margins [J] */
    int64_t since, next;    /* step of the reference, and of the next measurement */
    double since_time;      /* [s] */
    double kinetic;         /* the largest */
    double mechanical;      /* of the rows, at the last measurement of the forces */
    double lowest, highest; /* potential + elastic */
    int suspect;            /* consecutive measurements beyond the limit */
    /* bound of the highest frequency, found at the first suspicion; NaN before */
    double omega;
} mo_energy_drift;

/* After the world was built, and when forces are added: determines whether the system is closed. */
void mo_energy_drift_open(mote_world *world);

/* After a step of size h. */
mote_status mo_energy_drift_step(mote_world *world, double h, mote_error *error);

#endif
