/* The family of step controls: how large the next time step is. */
#ifndef MO_INTEGRATE_STEP_H
#define MO_INTEGRATE_STEP_H

#include "base/param.h"

/* Capabilities. */
enum {
    MO_STEP_VARIES = 1u << 0
}; /* successive steps differ, and may be shortened to land on a frame */

/* A system's limit of the next step: `size`, because of `name` ("sound"). */
typedef struct mo_step_bound {
    double size; /* 0: any */
    const char *name;
    const char *of, *remedy; /* for the warning: "the largest <of>", and another remedy */
} mo_step_bound;

/* Input of a step control: the state at the start of the step. */
typedef struct mo_step_state {
    double speed;        /* max over particles of |v| / diameter [1/s] */
    double acceleration; /* max over particles of |a| / diameter [1/s^2] */
    mo_step_bound bound; /* the least of the systems' */
} mo_step_state;

typedef struct mo_step_choice {
    double size;
    const char *limited_by;
    const char *warning; /* NULL, or a text with its remedy */
} mo_step_choice;

typedef struct mo_step_type {
    mo_descriptor base;
    mo_step_choice (*choose)(const void *params, const mo_step_state *state);
} mo_step_type;

extern const mo_family mo_steps;

#endif
