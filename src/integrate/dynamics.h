/*
 * The interface of integrators: arrays x, v, a, and a function that evaluates accelerations.
 *
 * A system has one or more segments (positions, orientations), each with `count` values that obey
 * x'' = a(x, v, t). A segment's arrays are addressed by slots: MO_X, MO_V, MO_A, then those of the
 * integrator's column table (MO_AUX, MO_AUX + 1, ...). All of them are columns of the field store,
 * so that an integrator's history is part of snapshots.
 *
 * The author of a scheme writes its arithmetic for a range of values and calls mo_for_state;
 * threads, blocks and fixed particles are handled elsewhere.
 */
#ifndef MO_INTEGRATE_DYNAMICS_H
#define MO_INTEGRATE_DYNAMICS_H

#include "base/pool.h"
#include "collide/active.h"
#include "integrate/force.h"

enum { MO_X, MO_V, MO_A, MO_AUX, MO_SLOTS_MAX = MO_AUX + 16, MO_SEGMENTS_MAX = 2 };

/* Values per block: a block of several arrays fits the first-level cache. */
enum { MO_STATE_GRAIN = 3 * 4096 };

typedef struct mo_segment {
    int64_t count;
    int components; /* components per row */
    bool rotation;  /* rows are quaternions, see rotation.h */
    double *slot[MO_SLOTS_MAX];
} mo_segment;

typedef struct mo_dynamics {
    mo_pool *pool;
    double time;  /* at the start of the step */
    int64_t step; /* steps before this one: the index into ring buffers */
    int segment_count;
    mo_segment segment[MO_SEGMENTS_MAX];
    int64_t evaluations; /* counted by mo_accelerate */
    /* Steps since a row's x or v was changed outside the integrator (a contact, a teleport, its
     * creation), saturating at 255. A row of age n has n valid past steps; at 0 even its
     * acceleration is invalid. A scheme falls back to the order that a row's age allows. */
    const uint8_t *age;
    bool disturbed; /* some row has age 0 */
    int oldest;     /* the largest age; 0 = no row has a valid history */
    void (*accelerate)(void *context, double time, int x, int v, int a);
    /* For implicit schemes, else NULL: the solver; sets prescribed particles in the slots x and v;
     * the force arguments of these slots, as in the last evaluation; a number that changes with the
     * couplings of forces. */
    struct mo_newton *newton;
    void (*prescribe)(void *context, double time, int x, int v);
    mo_force_args (*arguments)(void *context, double time, int x, int v);
    uint64_t (*coupling)(void *context);
    /* The active contact constraints of the step, in the state of the accelerations in slot a; NULL
     * without colliders. Returns whether there are any. */
    bool (*find_active)(void *context, double h, int a, mo_active *active);
    /* After the solve: the forces of the active contacts on rows, three components each, of which
     * `share` is the average over the step. NULL: not requested. */
    void (*react)(void *context, const double *force, double share);
    /* With consistent masses (force.h), else NULL: computes accelerations M^-1 f from f/m in slot
     * a; and the accelerations of prescribed particles, 0 of all others. */
    void (*solve_mass)(void *context, double time, int a);
    void (*prescribed)(void *context, double time, double *a);
    /* time of prescribed positions in the next evaluation; NaN: that of the evaluation */
    double prescribed_time;
    void *context;
    mote_status status; /* status of the evaluations; after a failure they have no effect */
    mote_error error;
    /* Non-finite accelerations are a failure, unless the evaluation is a trial step of a line
     * search. */
    bool trial;
    /* Ends the step with an error: `what` of a row is not finite. */
    void (*fail_row)(void *context, int64_t row, const char *what);
} mo_dynamics;

/* a(x, v, t) of the arrays in the slots x and v, into slot a. Prescribed particles are set in x and
 * v first. */
void mo_accelerate(mo_dynamics *dynamics, double time, int x, int v, int a);

/* Applies an integrator's arithmetic to all segments. */
typedef void mo_state_fn(const mo_segment *segment, double h, int64_t first, int64_t last);
void mo_for_state(mo_dynamics *dynamics, double h, mo_state_fn *function);

/* The same with a context besides h. */
typedef void mo_state_context_fn(const mo_segment *segment, const void *context, int64_t first,
                                 int64_t last);
void mo_for_state_with(mo_dynamics *dynamics, const void *context, mo_state_context_fn *function);

#endif
