/*
 * A mesh as it comes out of a file, before anybody believes it.
 *
 * A file numbers its nodes and elements as it likes; the numbers are kept, as messages must name
 * what the user can find in the file. Readers add nodes, tetrahedra, triangles and groups as they
 * find them, with every count held against the size of the file first; mo_mesh_source_finish then
 * asks what can be asked of any mesh (see there) and fills a mo_mesh.
 *
 * Text is read as numbers and words with blanks between them, wherever the lines end.
 */
#ifndef MO_GEOMETRY_MESHFILE_SOURCE_H
#define MO_GEOMETRY_MESHFILE_SOURCE_H

#include "geometry/mesh/mesh.h"

enum { MO_MESH_GROUPS_MAX = 30 }; /* sets of a mesh, less "all" and "surface" */

typedef struct mo_mesh_group {
    char name[48];
} mo_mesh_group;

/* Elements of `corners` nodes: places in the list of nodes, and the file's own numbers of the
 * elements. */
typedef struct mo_mesh_elements {
    int32_t *nodes;
    int64_t *names;
    int64_t count, node_room, name_room;
    int corners;
} mo_mesh_elements;

typedef struct mo_mesh_source {
    const char *path, *begin, *at, *end; /* *end is a zero byte */
    bool binary;                         /* then no line is named in messages */
    mo_memory *memory;
    mote_error *error;
    int64_t node_count, x_room, node_name_room, member_room;
    double *x;
    int64_t *node_names;
    uint32_t *members; /* bit k: the node belongs to group k */
    int64_t *table;    /* from a node's name to its place, see mo_mesh_source_index */
    uint64_t table_size;
    mo_mesh_elements tetrahedra, triangles;
    int group_count;
    mo_mesh_group groups[MO_MESH_GROUPS_MAX];
} mo_mesh_source;

void mo_mesh_source_init(mo_mesh_source *source, const char *path, const char *data, size_t size,
                         mo_memory *memory, mote_error *error);
void mo_mesh_source_release(mo_mesh_source *source);

/* "file:12: ..." in text, "file: ..." in binary files. */
mote_status mo_mesh_source_fail(const mo_mesh_source *source, const char *format, ...)
    MO_PRINTF(2, 3);

/* ---- text: false if what follows is something else */
bool mo_mesh_source_real(mo_mesh_source *source, double *value);
bool mo_mesh_source_int(mo_mesh_source *source, int64_t *value);
/* The next word, cut to the size. */
bool mo_mesh_source_word(mo_mesh_source *source, char *word, size_t size);
void mo_mesh_source_skip_line(mo_mesh_source *source);

/* The next bytes; false if there are not that many. */
bool mo_mesh_source_bytes(mo_mesh_source *source, void *out, size_t bytes);

/* Fails unless there is room in the rest of the file for `count` things of at least `bytes`. */
mote_status mo_mesh_source_room(const mo_mesh_source *source, const char *what, int64_t count,
                                int64_t bytes);

/* ---- what is found */
mote_status mo_mesh_source_add_node(mo_mesh_source *source, int64_t name, const double x[3]);
/* All nodes are there: from now on they can be found by name. A name used twice is an error. */
mote_status mo_mesh_source_index(mo_mesh_source *source);
/* The place of a node that an element names. */
mote_status mo_mesh_source_find(const mo_mesh_source *source, int64_t element, int64_t name,
                                int32_t *place);
mote_status mo_mesh_source_add(mo_mesh_source *source, mo_mesh_elements *elements, int64_t name,
                               const int32_t *nodes);
/* The number of a group, made when it is first asked for; -1 when there are too many. */
int mo_mesh_source_group(mo_mesh_source *source, const char *name);

/*
 * Checks and fills the mesh. Errors that name the element: a corner twice, no volume, inside out,
 * the same element twice, nodes that no element has, nodes that hang (on a face or an edge of an
 * element that does not have them as a corner), faces of three tetrahedra. With `repair`, elements
 * that are inside out are turned over, and elements that are there twice and nodes that no element
 * has are left out.
 */
mote_status mo_mesh_source_finish(mo_mesh_source *source, bool repair, mo_mesh *mesh);

/* ---- the formats */
mote_status mo_mesh_read_gmsh(mo_mesh_source *source);
mote_status mo_mesh_read_vtu(mo_mesh_source *source);
mote_status mo_mesh_read_tetgen_nodes(mo_mesh_source *source);
mote_status mo_mesh_read_tetgen_elements(mo_mesh_source *source);

#endif
