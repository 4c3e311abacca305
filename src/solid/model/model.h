/*
 * The family of models: what makes a body's mesh resist. One instance serves all bodies of a world that chose
 * the model, so that a thousand small ropes cost no more than one long one.
 */
#ifndef MO_SOLID_MODEL_H
#define MO_SOLID_MODEL_H

#include "base/param.h"
#include "geometry/mesh/mesh.h"
#include "integrate/force.h"
#include "store/store.h"

typedef struct mo_model_type {
    mo_descriptor base;
    mote_status (*create)(mo_memory *memory, void **instance, mote_error *error);
    /* A body whose first node is row `first`. Errors are about the parameters; the path is put in front. */
    mote_status (*add_body)(void *instance, const void *params, const mo_mesh *mesh, int64_t first,
                            mote_error *error);
    /* All bodies have their rows: declares the columns that it keeps something in. May be NULL. */
    mote_status (*attach)(void *instance, mo_store *store, mote_error *error);
    /* All bodies are known: fills the runtime force. */
    mote_status (*finish)(void *instance, int64_t rows, mo_force *force, mote_error *error);
    void (*destroy)(void *instance, mo_memory *memory);
    /* What a body with these parameters must have a density or a mass for, rather than 1 kg a particle; NULL: nothing. May be NULL. */
    const char *(*needs_mass)(const void *params);
    /* Whether meshes of triangles are bodies in the x-y plane, which know no third axis. NULL: never. */
    bool (*is_plane)(const void *params);
} mo_model_type;

extern const mo_family mo_models;

#endif
