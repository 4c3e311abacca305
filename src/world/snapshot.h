/*
 * Internals of a snapshot of a world (mote/checkpoint.h).
 *
 * The state consists of the state columns, the clock and a few counters. Constant data (meshes,
 * rest lengths, layouts) is rebuilt from the scene. The springs, edges and triangles of removed
 * particles are found from ids alone: the scene's particles of a system have consecutive ids
 * (mo_system.first_id, built); those missing in the snapshot are removed from a newly built system.
 * Methods therefore need no code for checkpoints, and no row index is read from a file. This
 * requires that the result of a removal does not depend on whether rows are removed one by one or
 * together; a method test verifies it.
 *
 * State of couplings is a store keyed by ids and restored by the coupling's name; a snapshot
 * without it, from an older file, empties the store.
 */
#ifndef MO_WORLD_SNAPSHOT_H
#define MO_WORLD_SNAPSHOT_H

#include "mote/checkpoint.h"
#include "store/snapshot.h"
#include "world/world.h"

typedef struct mo_saved_body {
    const char *name;
    int64_t count;
} mo_saved_body;

typedef struct mo_saved_system {
    const char *name;
    int64_t built; /* rows created from the scene */
    int callbacks; /* force callbacks */
    int64_t body_count;
    mo_saved_body *bodies;
    mo_snapshot *rows;
} mo_saved_system;

/* The state of a coupling, keyed by ids: contact impulses, friction anchors. */
typedef struct mo_saved_coupling {
    const char *name;
    mo_snapshot *rows;
} mo_saved_coupling;

/* The names of a list of the scene whose entries columns refer to by index (name_tables.h). */
typedef struct mo_saved_names {
    const char *path; /* of the list in the scene */
    int64_t count;
    const char **list; /* an entry without a name is "" */
} mo_saved_names;

/* A named block that a layer above the world stores with a state, in the snapshot's arena. */
typedef struct mo_attachment {
    struct mo_attachment *next;
    const char *name; /* a literal */
    void *block;
} mo_attachment;

struct mote_snapshot {
    mo_memory memory;
    mo_arena arena; /* texts, bodies and attachments */
    mo_source source;
    const char *version,
        /* of the program that wrote the file; NULL if it was not read from a file */
        *instruction_set;
    const char *integrator; /* NULL: no system has one */
    mo_clock_state clock;
    mo_step_state rates;
    mo_step_advice advice;
    bool stale;
    int64_t steps_at_min; /* consecutive */
    mo_warnings warnings;
    uint64_t initial_hash;
    int names_count; /* older files have no names, or those of fewer lists */
    int64_t names_capacity;
    mo_saved_names *names;
    int system_count, coupling_count;
    int64_t system_capacity, coupling_capacity; /* entries beyond the count retain their memory */
    mo_saved_system *systems;
    mo_saved_coupling *couplings; /* in any order, found by name */
    mo_attachment *attachments;
};

/* An empty one, for a file reader to fill. */
mote_status mo_world_snapshot_new(const mote_allocator *allocator, mote_snapshot **snapshot,
                                  mote_error *error);

/* Appends a system or a coupling without rows, for the caller to fill; its name must have the
 * lifetime of the state. Pointers to earlier entries are invalid afterwards. */
mote_status mo_world_snapshot_add_system(mote_snapshot *snapshot, const char *name,
                                         mo_saved_system **system, mote_error *error);
mote_status mo_world_snapshot_add_coupling(mote_snapshot *snapshot, const char *name,
                                           mo_saved_coupling **coupling, mote_error *error);

/* Appends the names of the list at `path` (copied): of `count` entries, for the caller to fill. */
mote_status mo_world_snapshot_add_names(mote_snapshot *snapshot, const char *path, int64_t count,
                                        mo_saved_names **names, mote_error *error);

/* The names of the list at this path; NULL: the snapshot does not have them. */
const mo_saved_names *mo_world_snapshot_names(const mote_snapshot *snapshot, const char *path);

/* The coupling of this name; NULL: there is none. */
const mo_saved_coupling *mo_world_snapshot_coupling(const mote_snapshot *snapshot,
                                                    const char *name);

/* Attaches a zeroed block; NULL if there is no memory. It is released with the snapshot, and when
   another state is saved into the snapshot: an attachment belongs to one state. */
void *mo_world_snapshot_attach(mote_snapshot *snapshot, const char *name, size_t bytes);

/* The block attached under this name; NULL: none is. */
void *mo_world_snapshot_attached(const mote_snapshot *snapshot, const char *name);

/* A hash of the initial state of a world as created from its scene, compared on restore. */
uint64_t mo_world_initial_hash(const mote_world *world);

/* Checks that a snapshot read from a file is a valid state of this world; called first by a
 * restore. */
mote_status mo_world_snapshot_check(const mote_snapshot *snapshot, const mote_world *world,
                                    mote_error *error);

#endif
