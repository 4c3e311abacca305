/*
 * The world: systems, couplings, the clock. It names neither a system nor a coupling: both are
 * created from the lists in system/systems.def and couple/couplings.def. The step is in step.c; the
 * public interface is in mote/world.h.
 */
#ifndef MO_WORLD_WORLD_H
#define MO_WORLD_WORLD_H

#include "base/log.h"
#include "base/timer.h"
#include "base/warning.h"
#include "host/coupling.h"
#include "integrate/step/step.h"
#include "world/energy_drift.h"
#include "world/limits.h"
#include "world/outliers.h"

/* Time as multiples of one step from a base, which avoids accumulated rounding of equal steps. */
typedef struct mo_clock_state {
    double time, base;
    int64_t steps, steps_at_base;
    double previous; /* the last step's size; 0 before the first */
} mo_clock_state;

/* The scene of a world, for checkpoints; texts are in the arena. */
typedef struct mo_source {
    const char *name, *file, *text; /* text is NULL for worlds created without a scene text */
    uint64_t hash;
    /* of the parameters that affect the motion: not output, view, time.end, ... */
    uint64_t motion_hash;
} mo_source;

/* Objects of higher layers attached to a world, such as observables: notified when a system was
 * rebuilt (same address, another store) and when rows were added; destroyed first. */
typedef struct mo_listener {
    void *instance;
    mote_status (*rebuilt)(void *instance, mote_error *error);
    void (*added)(void *instance, const mo_system *system, int64_t first);
    void (*destroy)(void *instance);
} mo_listener;

enum { MO_LISTENERS_MAX = 4, MO_WORLD_COUPLINGS_MAX = 64 };

struct mote_world {
    mo_memory memory;
    mo_arena arena; /* parameters and names */
    mo_source source;
    uint64_t initial_hash; /* see mo_world_initial_hash */
    mo_log log;
    bool (*cancel)(void *context); /* of the configuration; may be NULL */
    void *cancel_context;
    mo_pool *pool;
    mo_world_def def;
    mo_colliders colliders;
    mo_store *reactions; /* on the colliders, see reactions.h; NULL: there are none */
    mo_host host;        /* passed to systems and couplings */
    mo_clock_state clock;
    mo_step_state rates;
    mo_step_advice advice;  /* of the integrators, see step_advice.h */
    bool stale;             /* x or v were written from outside since the rates were computed */
    mo_newton_count solved; /* by implicit integrators, over all steps */
    int system_count;
    mo_system systems[MO_SYSTEMS_MAX];
    int coupling_count;
    mo_coupling couplings[MO_WORLD_COUPLINGS_MAX];
    int listener_count;
    mo_listener listeners[MO_LISTENERS_MAX];
    mo_stages stages;
    int stage_control, stage_contact, stage_check;
    mo_warnings warnings;
    int64_t steps_at_min; /* consecutive */
    mo_energy_drift energy;
    mo_outliers outliers;
    mo_limits limits;
};

/* An empty world: memory, threads, clock, arena. */
mote_status mo_world_new(const mote_config *config, mote_world **world, mote_error *error);

/* Builds the world described by `def`; def's lists and texts are in the world's arena. */
mote_status mo_world_setup(mote_world *world, const mo_world_def *def, mote_error *error);

/* Rebuilds system k and its couplings in place from the scene, with the force callbacks of the
 * system. The old ones are returned and owned by the caller, who ends with mo_world_drop or
 * mo_world_put_back; on failure they are restored. Several systems are restored in reverse
 * order, since a coupling may belong to two of them. */
typedef struct mo_old_system {
    mo_system system;
    int coupling_count;
    mo_coupling couplings[MO_WORLD_COUPLINGS_MAX];
} mo_old_system;
mote_status mo_world_rebuild(mote_world *world, int k, mo_old_system *old, mote_error *error);
void mo_world_drop(mote_world *world, mo_old_system *old);
void mo_world_put_back(mote_world *world, int k, mo_old_system *old);

/* Adds a listener, which the world destroys. On failure the caller still owns it. */
mote_status mo_world_listen(mote_world *world, const mo_listener *listener, mote_error *error);
void mo_world_tell_added(const mote_world *world, const mo_system *system, int64_t first);

/* The state was created or changed from outside: checks its range and, with a variable step,
 * evaluates the accelerations, which limit the first step. */
mote_status mo_world_refresh_rates(mote_world *world, mote_error *error);

/* Whether successive steps may differ. */
bool mo_world_step_varies(const mote_world *world);

/* The largest speed and acceleration of the state in the columns, for the step control. */
mote_status mo_world_find_rates(mote_world *world, mote_error *error);

/* MOTE_CANCELLED if the caller requests the current solve to end. */
mote_status mo_world_check_cancelled(const mote_world *world, mote_error *error);

/* The choice of the step control for the current state, given the largest |v|/diameter. */
mo_step_choice mo_world_choose_step(const mote_world *world, double speed);

/* mote_world_measure; without virial, temperature and pressure unless `virial`. */
mote_status mo_world_measure(mote_world *world, bool virial, mote_measures *measures,
                             mote_error *error);

/* The size of the next step. */
double mo_world_next_step(const mote_world *world);

/* The embedded surfaces of a system. */
const struct mo_skin *mo_world_skins(const mote_world *world, int system, int64_t *count);

/* Whether some system fills a column of this name on demand (mote_world_derive). */
bool mo_world_derives(const mote_world *world, const char *column);

/* The ends of a joint; false: it does not exist, or one of its bodies was removed. */
bool mo_world_joint_anchors(const mote_world *world, int64_t index, mo_joint_anchor anchor[2]);

/* The contribution of a row to the state hash; q and w may be NULL. */
uint64_t mo_hash_particle(int64_t id, const double *x, const double *v, const double *q,
                          const double *w);

/* mote_world_advance with a callback after every step; a callback that returns false ends it
 * with MOTE_CANCELLED. */
typedef bool mo_step_hook(void *context, const mote_step_report *report);
mote_status mo_world_advance(mote_world *world, double target, mo_step_hook *hook, void *context,
                             mote_step_report *report, mote_error *error);

#endif
