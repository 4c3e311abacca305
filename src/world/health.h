/* The health of a step: numbers beyond their range, particles that are too fast, steps that
 * collapse. */
#ifndef MO_WORLD_HEALTH_H
#define MO_WORLD_HEALTH_H

#include "world/world.h"

/* So many consecutive steps of the least size are a collapse. */
enum { MO_STEPS_AT_MIN = 500 };

/* Something is beyond the range: says what, where and why. */
mote_status mo_health_fail(const mote_world *world, double h, mote_error *error);

/* Sums of the state: energies and momenta that are not finite are refused, since each row may be
   within the range and their sum not (stiffnesses of 1e308 N/m, say). Evaluates the forces then,
   whose failure names the particle. */
mote_status mo_health_check_measures(mote_world *world, const mote_measures *measures,
                                     mote_error *error);

/* A particle goes further than its diameter in a step. */
void mo_health_check_courant(mote_world *world, double courant, mote_step_report *report);

/* After a step: whether it was as small as it may be. */
void mo_health_check_step(mote_world *world, const mo_step_choice *choice);

/* A few particles that shorten the step of all others. */
typedef struct mo_outlier_count {
    double count, rows;
    double factor; /* by which the step is shorter than the others need */
    int steps;     /* for so many at least */
} mo_outlier_count;
void mo_health_warn_outliers(mote_world *world, const mo_outlier_count *outliers);

#endif
