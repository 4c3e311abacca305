/*
 * Energy that grows by itself: the sign of a step that is too large, long before numbers leave
 * their range.
 *
 * The budget. E = kinetic + potential + elastic, as mote_world_measure has it, never rises in a
 * world that nothing feeds: gravity, dead loads and pair forces are in E, damping, friction,
 * viscosity, contacts and plastic flow take from it. So E is compared with its lowest value so far
 * and must not be above it by more than
 *     (PART + wobble) S + floor,  S = (largest kinetic energy) + (range of potential + elastic
 *                                 energy),
 * both of the states that were within the limit. S is the energy that the motion exchanges: a drift
 * is judged by it, not by E, which has an arbitrary zero. The floor is what corrections of
 * positions (contacts, density errors, shifting) may lift: the weight times a particle's diameter;
 * what pairs gain that cross a cut-off without a shift; and rounding. The wobble is the
 * integrator's: a leapfrog conserves not E but E (1 - q) .. E, q = (omega h/2)^2, which is looked
 * at only where a rise is suspected. Once a rise is suspected every step is measured, and it has to
 * last for PERSIST of them, so that what swings back is not reported.
 *
 * What is not in E. Where something does work that nobody measures there is no check: moving
 * colliders and pins, emitters, loads and gravity that change with time, pressure loads, wind, heat
 * that changes strengths, force callbacks, a limit on changes of speed, first-order dynamics. A
 * fluid with an equation of state stores energy that is not in E, so it is compared with the
 * highest value so far instead: it may give back what it stored. A fluid's start may be over-filled
 * or uneven: what it gains while that relaxes is reported by density errors, and the check begins
 * after WARM_UP steps. Where rows come or go, or the state is written from outside, it begins anew.
 *
 * It costs a measurement every EVERY steps (and after 1, 2, 4 ... in the beginning), and changes
 * nothing in the world. Energy that was measured at every step would tell the step in which a rise
 * began; this tells the interval.
 */
#ifndef MO_WORLD_ENERGY_DRIFT_H
#define MO_WORLD_ENERGY_DRIFT_H

#include <stdbool.h>
#include <stdint.h>

#include "mote/world.h"

typedef struct mo_energy_drift {
    bool closed;     /* nothing does work that is not measured */
    bool stores;     /* something keeps energy that is not measured */
    int64_t warm_up; /* steps before the first measurement */
    bool started;
    int64_t rows;
    double floor;           /* [J] */
    double reference;       /* E is not to rise above this [J] */
    int64_t since, next;    /* the step it is of, and that of the measurement after it */
    double since_time;      /* [s] */
    double kinetic;         /* the largest */
    double lowest, highest; /* potential + elastic */
    int suspect;            /* consecutive measurements beyond the limit */
    /* bound of the highest frequency, found at the first suspicion; NaN before */
    double omega;
} mo_energy_drift;

/* Once the world is built, and when forces are added to it: whether there is a budget. */
void mo_energy_drift_open(mote_world *world);

/* After a step of h. */
mote_status mo_energy_drift_step(mote_world *world, double h, mote_error *error);

#endif
