/*
 * The family of step controls: the size of the next time step.
 */
#ifndef MO_INTEGRATE_STEP_H
#define MO_INTEGRATE_STEP_H

#include "base/param.h"

/* Capabilities. */
enum {
    /* successive steps differ, and may be shortened to end at a frame */
    MO_STEP_VARIES = 1u << 0,
    MO_STEP_ADVISED = 1u << 1, /* uses the stability advisor (world/step_advice.h) */
};

/* A system's limit of the next step, due to `name` ("sound"). */
typedef struct mo_step_bound {
    double size; /* 0: unlimited */
    const char *name;
    const char *of, *remedy; /* for the warning: "the largest <of>", and another remedy */
} mo_step_bound;

/* Results of the stability advisor, and the current step. Part of every snapshot. */
enum { MO_STEP_NAME = 24 };
typedef struct mo_step_advice {
    double frequency, damping; /* upper bounds of the state [rad/s], [1/s] */
    /* the frequency of the current motion, weighted by energy [rad/s] */
    double motion;
    double current;                   /* the current step; 0: none yet */
    char current_limit[MO_STEP_NAME]; /* its active limit */
    /* the step of the next evaluation; the interval between evaluations */
    int64_t due, interval;
} mo_step_advice;

/* Input of a step control: the state at the start of the step. */
typedef struct mo_step_state {
    double speed;        /* max over particles of |v| / diameter [1/s] */
    double acceleration; /* max over particles of |a| / diameter [1/s^2] */
    mo_step_bound bound; /* the smallest of the systems' */
    double frame;        /* time between frames [s] */
    /* For advised controls: the largest stable step of the integrators, 0: any; the phase angle
     * of the motion per step, with the frequency of this motion. */
    mo_step_bound stable;
    double motion;
    int order;      /* of the least accurate integrator; 0: there is none */
    bool grows;     /* the integrator is unstable at any step */
    bool implicit;  /* it damps or filters unresolved motions */
    bool constant;  /* equal steps are required */
    bool may_relax; /* a constant step may be increased again */
    double current;
    const char *current_limit;
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
