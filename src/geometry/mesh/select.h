/* Selections of nodes of a mesh: by a node set, by number, or by a region. */
#ifndef MO_GEOMETRY_MESH_SELECT_H
#define MO_GEOMETRY_MESH_SELECT_H

#include "geometry/mesh/mesh.h"

typedef struct mo_node_selection {
    const char *set;      /* NULL: none */
    mo_method region;     /* nodes inside this shape; may be absent */
    const mo_list *nodes; /* int64_t */
    const char *prefix;   /* of the keys `set` and `nodes` in messages */
} mo_node_selection;

/* Writes the selected nodes, at most node_count and those of the list; none is an error. A message
 * begins with a point and the key. */
mote_status mo_mesh_select(const mo_mesh *mesh, const mo_node_selection *selection, int32_t *nodes,
                           int64_t *count, mote_error *error);

#endif
