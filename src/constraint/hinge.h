/*
 * Hinges: the inner edges of a triangle mesh, with the opposite nodes of both triangles. Nodes 0
 * and 1 are the edge in the order of the first triangle, 2 its opposite node, 3 that of the second.
 */
#ifndef MO_CONSTRAINT_HINGE_H
#define MO_CONSTRAINT_HINGE_H

#include "constraint/set.h"
#include "geometry/mesh/mesh.h"

typedef struct mo_hinges {
    int64_t count;
    int32_t *nodes; /* four each */
} mo_hinges;

/* In the order of the triangles. Edges of more than two triangles have a hinge for each further
 * triangle with the first one. To be released. */
mote_status mo_hinges_find(const mo_mesh *mesh, mo_memory *memory, mo_hinges *hinges,
                           mote_error *error);

/* Adds constraints of the hinges of a mesh to a set; an error if it has no triangles. */
typedef mote_status mo_hinges_fn(mo_constraint_set *set, const mo_mesh *mesh,
                                 const mo_hinges *hinges, mote_error *error);
mote_status mo_hinges_add(mo_constraint_set *set, const mo_mesh *mesh, mo_hinges_fn *add,
                          mote_error *error);

#endif
