/*
 * Gmsh's files (Geuzaine, Remacle 2009; the format in Gmsh's manual): .msh in the versions 2 and
 * 4.1, as text and binary.
 *
 * Of the elements, tetrahedra and triangles are read; lines and points only define physical groups,
 * whose names (or "physical3" without a name) become groups. Other elements are rejected. A binary
 * file has integers and doubles between the keywords of its sections.
 */
#ifndef MO_GEOMETRY_MESHFILE_GMSH_H
#define MO_GEOMETRY_MESHFILE_GMSH_H

#include "geometry/meshfile/source.h"

/* A physical group and its bit in a node's membership. */
typedef struct mo_gmsh_physical {
    int64_t dimension, tag;
    int group;
} mo_gmsh_physical;

/* Physical groups of a geometric entity (version 4). */
typedef struct mo_gmsh_entity {
    int64_t dimension, tag;
    uint32_t members;
} mo_gmsh_entity;

typedef struct mo_gmsh {
    mo_mesh_source *source;
    int physical_count;
    mo_gmsh_physical physicals[256];
    mo_gmsh_entity *entities;
    int64_t entity_count, entity_capacity, entity_last;
} mo_gmsh;

/* Numbers in text or binary: an int of 4 bytes, a size of 8, a double. */
bool mo_gmsh_int(mo_gmsh *g, int64_t *value);
bool mo_gmsh_size(mo_gmsh *g, int64_t *value);
bool mo_gmsh_real(mo_gmsh *g, double *value);

/* The bit of a physical group, 0 if there are too many; with a default name if none was given. */
uint32_t mo_gmsh_member(mo_gmsh *g, int64_t dimension, int64_t tag);

/* The nodes of an element by its type; an error that names the element if it is not supported. */
mote_status mo_gmsh_corners(mo_gmsh *g, int64_t element, int64_t type, int *corners);

/* An element whose node names were read. */
mote_status mo_gmsh_add(mo_gmsh *g, int64_t element, int64_t type, const int64_t *names,
                        uint32_t members);

/* The sections that differ between the versions. */
mote_status mo_gmsh2_nodes(mo_gmsh *g);
mote_status mo_gmsh2_elements(mo_gmsh *g);
mote_status mo_gmsh4_entities(mo_gmsh *g);
mote_status mo_gmsh4_nodes(mo_gmsh *g);
mote_status mo_gmsh4_elements(mo_gmsh *g);

#endif
