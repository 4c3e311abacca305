/*
 * Shared by the cases of viscous flows: shipped scenes, run to a time, and profiles compared with a
 * formula.
 */
#ifndef MOTE_CLI_VALIDATE_FLUIDS_FLOWS_H
#define MOTE_CLI_VALIDATE_FLUIDS_FLOWS_H

#include "bench/case_world.h"
#include "validate/fluids.h"

/* scenes/<name>.json with some parameters set. */
mote_status flows_create(const char *name, const case_change *changes, mote_world **world,
                         mote_error *error);

double *flows_column(const mote_world *world, const char *name);

/* Errors of the velocities along x at the positions of the particles, relative to `scale`. */
typedef struct flows_error {
    double worst, rms;
} flows_error;
typedef double flows_profile(const double x[3], double time);
flows_error flows_compare(const mote_world *world, flows_profile *profile, double scale);

/* Reports both; the maximum may be at most `allowed` (INFINITY: reported only). */
void flows_judge(validation *v, const char *name, const char *what, double spacing,
                 flows_error error, double allowed);

#endif
