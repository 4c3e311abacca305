/*
 * Forces limited to bodies: the parameters of a force with the capability MO_FORCE_SCOPED begin
 * with a mo_force_scope. A limited force is evaluated for the rows of these bodies only.
 */
#ifndef MO_INTEGRATE_FORCE_SCOPE_H
#define MO_INTEGRATE_FORCE_SCOPE_H

#include "integrate/force.h"

typedef struct mo_force_scope {
    mo_list bodies; /* mo_reference; empty: all particles */
} mo_force_scope;

#define MO_FORCE_SCOPE_PARAM(type) \
    { \
        "bodies", MO_REFERENCE, .list = true, MO_FIELD(type, scope.bodies), .initial = "[]", \
                                .target = "bodies", \
                                .doc = "Names of the bodies on which it acts; default: all, and " \
                                       "fluids." \
    }

/* Limits a force to the rows whose value of the column `body` is the index of a 1 in `included`,
 * which is copied. On failure the force is as before. */
mote_status mo_force_limit(mo_force *force, mo_memory *memory, const mo_column *body,
                           const uint8_t *included, int64_t count, mote_error *error);

#endif
