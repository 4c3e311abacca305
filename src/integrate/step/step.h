/* The family of step controls: how large the next time step is. */
#ifndef MO_INTEGRATE_STEP_H
#define MO_INTEGRATE_STEP_H

#include "base/param.h"

/* Capabilities. */
enum {
    MO_STEP_VARIES = 1u << 0, /* successive steps differ, and may be shortened to land on a frame */
    MO_STEP_ADVISED = 1u << 1, /* looks at the stability advisor (world/step_advice.h) */
};

/* A system's limit of the next step: `size`, because of `name` ("sound"). */
typedef struct mo_step_bound {
    double size; /* 0: any */
    const char *name;
    const char *of, *remedy; /* for the warning: "the largest <of>", and another remedy */
} mo_step_bound;

/* What the advisor found of the integrators, and the step in use. Part of every snapshot. */
enum { MO_STEP_NAME = 24 };
typedef struct mo_step_advice {
    double frequency, damping;  /* upper bounds of the state [rad/s], [1/s] */
    double motion;              /* the frequency that the motion has, weighted by energy [rad/s] */
    double held;                /* the step in use; 0: none is yet */
    char held_by[MO_STEP_NAME]; /* what set it */
    int64_t due, interval;      /* the step at which they are found again; how many are between */
} mo_step_advice;

/* Input of a step control: the state at the start of the step. */
typedef struct mo_step_state {
    double speed;        /* max over particles of |v| / diameter [1/s] */
    double acceleration; /* max over particles of |a| / diameter [1/s^2] */
    mo_step_bound bound; /* the least of the systems' */
    double frame;        /* time between frames [s] */
    /* For advised controls: the largest stable step of the integrators, 0: any; how many radians of
       a motion a step may span, with the frequency of this motion. */
    mo_step_bound stable;
    double motion;
    int order;      /* of the least exact integrator; 0: there is none */
    bool grows;     /* the integrator is unstable at any step */
    bool implicit;  /* it damps or filters what it does not resolve */
    bool constant;  /* equal steps are wanted */
    bool may_relax; /* a constant step may become larger again */
    double held;
    const char *held_by;
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
