/*
 * Numerical health of a step: values beyond the range, Courant numbers above 1, collapse of the
 * step size.
 */
#ifndef MO_WORLD_HEALTH_H
#define MO_WORLD_HEALTH_H

#include "world/world.h"

/* This many consecutive steps of the minimum size are a collapse. */
enum { MO_STEPS_AT_MIN = 500 };

/* A value is beyond the range: reports which, where and the cause. */
mote_status mo_health_fail(const mote_world *world, double h, mote_error *error);

/* Checks sums of the state: energies and momenta that are not finite are errors, since their sum
 * may overflow although each row is within the range (stiffnesses of 1e308 N/m). Evaluates the
 * forces in that case; their error names the particle. */
mote_status mo_health_check_measures(mote_world *world, const mote_measures *measures,
                                     mote_error *error);

/* Warns if a particle moves by more than its diameter in a step. */
void mo_health_check_courant(mote_world *world, double courant, mote_step_report *report);

/* After a step: detects consecutive steps of the minimum size. */
void mo_health_check_step(mote_world *world, const mo_step_choice *choice);

/* A small number of particles that limits the step of all others. */
typedef struct mo_outlier_count {
    double count, rows;
    double factor; /* ratio of the step without them to the step taken */
    int steps;     /* minimum number of consecutive steps */
} mo_outlier_count;
void mo_health_warn_outliers(mote_world *world, const mo_outlier_count *outliers);

#endif
