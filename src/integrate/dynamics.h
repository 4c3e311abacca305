/*
 * What an integrator sees: arrays of numbers x, v, a, and a way to ask for accelerations.
 *
 * A system offers one or more segments (positions; later orientations), each a run of `count`
 * numbers that obey x'' = a(x, v, t). A segment's arrays are addressed by slots: MO_X, MO_V, MO_A,
 * then the ones the integrator asked for in its column table (MO_AUX, MO_AUX + 1, ...). All of them
 * are columns of the field store, so what an integrator remembers between steps is kept by
 * snapshots without its doing.
 *
 * The author of a scheme writes its arithmetic for a range of numbers and calls mo_for_state;
 * threads, blocks and particles that are held fixed are not its business.
 */
#ifndef MO_INTEGRATE_DYNAMICS_H
#define MO_INTEGRATE_DYNAMICS_H

#include "base/pool.h"
#include "collide/active.h"
#include "integrate/force.h"

enum { MO_X, MO_V, MO_A, MO_AUX, MO_SLOTS_MAX = MO_AUX + 16, MO_SEGMENTS_MAX = 2 };

/* Numbers a block: small enough that a block of several arrays stays in the first-level caches. */
enum { MO_STATE_GRAIN = 3 * 4096 };

typedef struct mo_segment {
    int64_t count;
    int components; /* numbers a row */
    bool rotation;  /* rows are quaternions, see rotation.h */
    double *slot[MO_SLOTS_MAX];
} mo_segment;

typedef struct mo_dynamics {
    mo_pool *pool;
    double time;  /* at the start of the step */
    int64_t step; /* steps taken before this one: where rings of remembered values stand */
    int segment_count;
    mo_segment segment[MO_SEGMENTS_MAX];
    int64_t evaluations; /* counted by mo_accelerate */
    /* How many steps it is since something but the integrator changed a row's x or v (a contact, a
     * teleport, its first appearance), saturating at 255. A row of age n has n remembered steps
     * that still belong to it; at 0 even its acceleration is another one. A scheme falls back to
     * the order that a row's age allows. */
    const uint8_t *age;
    bool disturbed; /* some row has age 0 */
    int oldest;     /* the largest age; 0 = nothing is remembered of any row */
    void (*accelerate)(void *context, double time, int x, int v, int a);
    /* For implicit schemes, else NULL: what they solve with; puts prescribed particles in place in
     * the slots x and v; what forces see in these slots, as in the evaluation just made; a number
     * that changes when what forces couple changes. */
    struct mo_newton *newton;
    void (*place)(void *context, double time, int x, int v);
    mo_force_args (*arguments)(void *context, double time, int x, int v);
    uint64_t (*coupling)(void *context);
    /* Of rows that lie on a solid and press against it, in the state that slot a has the
     * accelerations of: how they are held in the step; NULL if there are no solids. Returns whether
     * there are any. */
    bool (*touch)(void *context, double h, int a, mo_touch *touch);
    /* After the solve: the forces of the active contacts on rows, three components each, of which
       `share` is the mean over the step. NULL: nobody asks. */
    void (*react)(void *context, const double *force, double share);
    /* Where inertia couples rows (force.h), else NULL: makes accelerations M^-1 f of what an
     * evaluation for an implicit scheme left in slot a, f by mass; and the accelerations of
     * prescribed particles, 0 of all others. */
    void (*solve_mass)(void *context, double time, int a);
    void (*prescribed)(void *context, double time, double *a);
    /* where prescribed particles stand in the next evaluation; NaN: at its own time */
    double placed;
    void *context;
    mote_status status; /* of the evaluations so far; after a failure they do nothing */
    mote_error error;
    /* Accelerations that are not finite are a failure, unless the evaluation is a trial that
       its caller judges by itself, as in a line search. */
    bool trial;
    /* Ends the step: the numbers of a row, `what` they are, are not finite. */
    void (*lose)(void *context, int64_t row, const char *what);
} mo_dynamics;

/* a(x, v, t) of the arrays in the slots x and v, into slot a. Prescribed particles are put in place
 * in x and v first, so these slots may change there. */
void mo_accelerate(mo_dynamics *dynamics, double time, int x, int v, int a);

/* Runs an integrator's arithmetic over all numbers of all segments. */
typedef void mo_state_fn(const mo_segment *segment, double h, int64_t first, int64_t last);
void mo_for_state(mo_dynamics *dynamics, double h, mo_state_fn *function);

/* The same with more to hand over than h. */
typedef void mo_state_context_fn(const mo_segment *segment, const void *context, int64_t first,
                                 int64_t last);
void mo_for_state_with(mo_dynamics *dynamics, const void *context, mo_state_context_fn *function);

#endif
