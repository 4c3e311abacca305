/*
 * A coupling: an object between two systems, a system and itself, or a system and the colliders.
 * couple/couplings.def lists the types; the world creates one object for every pair of systems that
 * a type applies to (b is NULL for the colliders).
 *
 * Hooks, in the order in which a step calls them; each may be NULL:
 *     pose      prescribed motions are evaluated at t
 *     gather    after all systems have begun: contacts and boundary particles, where a prediction
 *               is needed at x + h v
 *     refresh   within a substep of a system: contacts move with it, without a new search
 *     scatter   after the solve of `solved`, before that of later systems: impulses and forces
 *     project   after all solves: positions and velocities
 * Its state between steps (such as friction anchors) is in `store`, a small store keyed by ids,
 * which is part of every snapshot. The coupling of the test build/new_system uses refresh, remap
 * and measure, which no coupling of the library does.
 */
#ifndef MO_HOST_COUPLING_H
#define MO_HOST_COUPLING_H

#include "host/system.h"

typedef struct mo_coupling mo_coupling;

/* One end of a joint: a row of a system, a collider, or (both negative) the world, with its point
 * in that frame. */
typedef struct mo_joint_anchor {
    int32_t system; /* index in the world's list; -1: no row */
    int64_t row, collider;
    mo_vec3 point;
} mo_joint_anchor;

/* Joints, for reading their forces and drawing them. */
typedef struct mo_joint_hooks {
    int64_t (*count)(const mo_coupling *coupling);
    void (*read)(const mo_coupling *coupling, int64_t index, mote_joint *joint);
    /* false: one of its bodies was removed */
    bool (*anchors)(const mo_coupling *coupling, int64_t index, mo_joint_anchor anchor[2]);
} mo_joint_hooks;

typedef struct mo_coupling_type {
    mo_descriptor base;        /* name, summary */
    const mo_section *section; /* its keys at the top level of a scene; NULL: none */
    /* may be NULL */
    mote_status (*check)(const mo_world_def *def, mo_memory *memory, mote_error *error);
    /* Pairs of systems are offered in both orders. */
    bool (*applies)(const mo_world_def *def, const mo_system *a, const mo_system *b);
    mote_status (*create)(const mo_world_def *def, mo_coupling *coupling, mote_error *error);
    void (*destroy)(mo_coupling *coupling);
    mote_status (*pose)(mo_coupling *coupling, double time, mote_error *error);
    mote_status (*gather)(mo_coupling *coupling, const mo_step_time *now, mote_error *error);
    mote_status (*refresh)(mo_coupling *coupling, const mo_step_time *substep, mote_error *error);
    mote_status (*scatter)(mo_coupling *coupling, const mo_system *solved, const mo_step_time *now,
                           mote_error *error);
    mote_status (*project)(mo_coupling *coupling, const mo_step_time *now, mote_error *error);
    /* Rows of `system` were removed or sorted: map[old row] is the new row or -1. NULL: a state
     * was restored with its rows and `store`; row indices follow from ids. */
    void (*remap)(mo_coupling *coupling, const mo_system *system, const int64_t *map);
    mo_step_bound (*limit)(const mo_coupling *coupling);
    /* Warnings about a scene with steps of h, once all systems and couplings are made. */
    mote_status (*advise)(mo_coupling *coupling, double h, mote_error *error);
    mote_status (*measure)(mo_coupling *coupling, double time, mote_measures *measures,
                           mote_error *error);
    void (*report)(const mo_coupling *coupling, mote_step_report *report);
    /* Named quantities of the last step, as of a system. */
    int (*numbers)(const mo_coupling *coupling, mote_quantity *numbers);
    /* The reactions of its last step on the colliders, if requested by the host. */
    const mo_reactions *(*reactions)(const mo_coupling *coupling);
    const mo_joint_hooks *joints; /* NULL: none */
} mo_coupling_type;

struct mo_coupling {
    const mo_coupling_type *type;
    const char *name; /* unique in the world: "coupling.system" */
    mo_host *host;
    mo_system *a, *b; /* b NULL: the colliders */
    mo_store *store;  /* NULL: stateless */
    void *state;
};

/* For code that removes or sorts rows of a system: whether a coupling of it stores row indices,
 * and afterwards the map for all that do (NULL: none does). */
bool mo_system_remaps(const mo_system *system);
void mo_system_remap(mo_system *system, const int64_t *map);

/* After a state was restored: all couplings that store row indices of the system look them up
 * again. */
void mo_system_remap_restored(mo_system *system);

/* For systems with several substeps: the refresh of all its couplings at the start of one. */
mote_status mo_system_refresh(mo_system *system, const mo_step_time *substep, mote_error *error);

#endif
