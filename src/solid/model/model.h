/*
 * The family of models: the internal forces of a body's mesh. One instance serves all bodies of a
 * system with this model, so that a thousand small ropes cost no more than one long one.
 */
#ifndef MO_SOLID_MODEL_H
#define MO_SOLID_MODEL_H

#include "geometry/mesh/mesh.h"
#include "integrate/force.h"

typedef struct mo_model_type {
    /* its `create` has no parameters; those of bodies are passed to add_body */
    mo_force_type force;
    /* A body whose first node is row `first`. Errors refer to the parameters; the path is
     * prepended. */
    mote_status (*add_body)(void *instance, const void *params, const mo_mesh *mesh, int64_t first,
                            mote_error *error);
    /* Called when all bodies have rows: declares the columns whose size depends on them. May be
     * NULL. */
    mote_status (*attach)(void *instance, mo_store *store, mote_error *error);
    /* Called after all bodies were added: lays out the elements, and sets the members of the
     * force that depend on them. */
    mote_status (*finish)(mo_force *force, int64_t rows, mote_error *error);
    /* The reason why a body with these parameters needs a density or a mass instead of 1 kg per
     * particle; NULL: none. May be NULL. */
    const char *(*needs_mass)(const void *params);
    /* Whether meshes of triangles are bodies in the x-y plane, without stiffness along z. NULL:
     * never. */
    bool (*is_plane)(const void *params);
} mo_model_type;

extern const mo_family mo_models;

#endif
