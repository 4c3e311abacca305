/*
 * An unvalidated mesh as read from a file.
 *
 * The file's own numbers of nodes and elements are kept for messages. Readers add nodes,
 * tetrahedra, triangles and groups, with every count checked against the file size first;
 * mo_mesh_source_finish validates the mesh and fills a mo_mesh.
 *
 * Text is read as whitespace-separated tokens, regardless of lines.
 */
#ifndef MO_GEOMETRY_MESHFILE_SOURCE_H
#define MO_GEOMETRY_MESHFILE_SOURCE_H

#include "geometry/mesh/mesh.h"

enum { MO_MESH_GROUPS_MAX = 30 }; /* sets of a mesh, without "all" and "surface" */

typedef struct mo_mesh_group {
    char name[48];
} mo_mesh_group;

/* Elements of `corners` nodes: node indices, and the file's own numbers of the elements. */
typedef struct mo_mesh_elements {
    int32_t *nodes;
    int64_t *names;
    int64_t count, node_capacity, name_capacity;
    int corners;
} mo_mesh_elements;

typedef struct mo_mesh_source {
    const char *path, *begin, *at, *end; /* ends with a zero byte */
    bool binary;                         /* messages have no line numbers */
    mo_memory *memory;
    mote_error *error;
    int64_t node_count, x_capacity, node_name_capacity, member_capacity;
    double *x;
    int64_t *node_names;
    uint32_t *members; /* bit k: the node belongs to group k */
    int64_t *table;    /* from a node's number to its index, see mo_mesh_source_index */
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

/* ---- text: false if the next token differs */
bool mo_mesh_source_real(mo_mesh_source *source, double *value);
bool mo_mesh_source_int(mo_mesh_source *source, int64_t *value);
/* The next word, truncated to the size. */
bool mo_mesh_source_word(mo_mesh_source *source, char *word, size_t size);
void mo_mesh_source_skip_line(mo_mesh_source *source);

/* The next bytes; false if there are not that many. */
bool mo_mesh_source_bytes(mo_mesh_source *source, void *out, size_t bytes);

/* Fails unless the rest of the file can contain `count` items of at least `bytes`. */
mote_status mo_mesh_source_check_size(const mo_mesh_source *source, const char *what, int64_t count,
                                      int64_t bytes);

/* ---- contents */
mote_status mo_mesh_source_add_node(mo_mesh_source *source, int64_t name, const double x[3]);
/* Called after all nodes were added: indexes them by name. A duplicate name is an error. */
mote_status mo_mesh_source_index(mo_mesh_source *source);
/* The index of a node that an element refers to. */
mote_status mo_mesh_source_find(const mo_mesh_source *source, int64_t element, int64_t name,
                                int32_t *index);
mote_status mo_mesh_source_add(mo_mesh_source *source, mo_mesh_elements *elements, int64_t name,
                               const int32_t *nodes);
/* The index of a group, created on first use; -1 if there are too many. */
int mo_mesh_source_group(mo_mesh_source *source, const char *name);

/*
 * Checks and fills the mesh. Errors that name the element: duplicate corners, zero volume,
 * inverted, duplicate elements, unused nodes, hanging nodes, faces of three tetrahedra. With
 * `repair`, inverted elements are reoriented, and duplicate elements and unused nodes removed.
 */
mote_status mo_mesh_source_finish(mo_mesh_source *source, bool repair, mo_mesh *mesh);

/* ---- the formats */
mote_status mo_mesh_read_gmsh(mo_mesh_source *source);
mote_status mo_mesh_read_vtu(mo_mesh_source *source);
mote_status mo_mesh_read_tetgen_nodes(mo_mesh_source *source);
mote_status mo_mesh_read_tetgen_elements(mo_mesh_source *source);

#endif
