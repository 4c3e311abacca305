/*
 * The inside of a snapshot of a world (mote/checkpoint.h).
 *
 * The state is the state columns, the clock and a few counters. What never changes (meshes, rest
 * lengths, layouts) is made anew from the scene and is not kept. Particles that were removed take
 * springs, edges and triangles with them: that is found again from the ids alone. The scene's own
 * particles of a system have consecutive ids (mo_system.first_id, built); those of them that are
 * missing in the snapshot were removed, and are removed from a freshly built system in the same
 * way. So no method writes a line for checkpoints, and no row number is ever read from a file. It
 * needs that what a removal leaves does not depend on whether rows went one by one or together; a
 * method test checks that.
 *
 * Couplings that remember something keep it in a store keyed by ids. It is restored by the name of
 * the coupling; a snapshot without it, as older files are, empties the store.
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
    int64_t built; /* rows that the scene made */
    int callbacks; /* forces of the caller's own */
    int64_t body_count;
    mo_saved_body *bodies;
    mo_snapshot *rows;
} mo_saved_system;

/* The memory of a coupling: contact impulses, friction anchors and the like, keyed by ids. */
typedef struct mo_saved_coupling {
    const char *name;
    mo_snapshot *rows;
} mo_saved_coupling;

/* The names of a list of the scene whose entries columns refer to by number (name_tables.h). */
typedef struct mo_saved_names {
    const char *path; /* of the list in the scene */
    int64_t count;
    const char **list; /* an entry without a name is "" */
} mo_saved_names;

/* A named block that a layer above the world keeps with a state, in the snapshot's arena. */
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
        *instruction_set;   /* of the mote that wrote the file; NULL if it did not come from one */
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
    int64_t system_capacity, coupling_capacity; /* entries beyond the count keep their memory */
    mo_saved_system *systems;
    mo_saved_coupling *couplings; /* in any order: they are found by name */
    mo_attachment *attachments;
};

/* An empty one, for a file reader to fill. */
mote_status mo_world_snapshot_new(const mote_allocator *allocator, mote_snapshot **snapshot,
                                  mote_error *error);

/* Appends a system or a coupling without rows, for the caller to fill; its name must live as long
   as the state. Pointers to earlier entries are invalid afterwards. */
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

/* A hash of all that a world starts with, as its scene made it: what a snapshot must find again. */
uint64_t mo_world_initial_hash(const mote_world *world);

/* Checks that a snapshot from outside can be a state of this world; restoring does this first. */
mote_status mo_world_snapshot_check(const mote_snapshot *snapshot, const mote_world *world,
                                    mote_error *error);

#endif
