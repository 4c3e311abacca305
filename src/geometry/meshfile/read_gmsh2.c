/* Version 2: a list of nodes, a list of elements with their tags, of which the first is the
 * physical group. */
#include "geometry/meshfile/gmsh.h"

static mote_status read_count(mo_gmsh *g, const char *what, int64_t bytes, int64_t *count)
{
    if (!mo_mesh_source_int(g->source, count)) { /* text in binary files, too */
        return mo_mesh_source_fail(g->source, "the number of %s is missing", what);
    }
    if (g->source->binary) {
        mo_mesh_source_skip_line(g->source);
    }
    return mo_mesh_source_check_size(g->source, what, *count, bytes);
}

mote_status mo_gmsh2_nodes(mo_gmsh *g)
{
    int64_t count, name;
    double x[3];
    MO_TRY(read_count(g, "nodes", g->source->binary ? 28 : 8, &count));
    for (int64_t k = 0; k < count; ++k) {
        if (!mo_gmsh_int(g, &name) || !mo_gmsh_real(g, &x[0]) || !mo_gmsh_real(g, &x[1]) ||
            !mo_gmsh_real(g, &x[2])) {
            return mo_mesh_source_fail(g->source,
                                       "node %lld of %lld is not a number and three coordinates",
                                       (long long)k + 1, (long long)count);
        }
        MO_TRY(mo_mesh_source_add_node(g->source, name, x));
    }
    return mo_mesh_source_index(g->source);
}

/* The dimension of an element, by which physical groups are numbered. */
static int64_t dimension_of(int64_t type)
{
    return type == 4 ? 3 : type == 2 ? 2 : type == 15 ? 0 : 1;
}

static mote_status fail_cut(mo_gmsh *g, int64_t element)
{
    return mo_mesh_source_fail(g->source,
                               "element %lld is truncated, or has values that are not "
                               "integers",
                               (long long)element);
}

/* Tags and nodes of an element with known name, type and number of tags. */
static mote_status read_rest(mo_gmsh *g, int64_t element, int64_t type, int64_t tags)
{
    int64_t tag, physical = 0, names[4] = {0};
    int corners = 0;
    MO_TRY(mo_gmsh_corners(g, element, type, &corners));
    if (tags < 0 || tags > 1000000) {
        return mo_mesh_source_fail(g->source, "element %lld has %lld tags", (long long)element,
                                   (long long)tags);
    }
    for (int64_t k = 0; k < tags; ++k) {
        if (!mo_gmsh_int(g, &tag)) {
            return fail_cut(g, element);
        }
        physical = k == 0 ? tag : physical;
    }
    for (int k = 0; k < corners; ++k) {
        if (!mo_gmsh_int(g, &names[k])) {
            return fail_cut(g, element);
        }
    }
    return mo_gmsh_add(g, element, type, names, mo_gmsh_member(g, dimension_of(type), physical));
}

/* Binary elements are in blocks of one type: type, count, number of tags; then the elements. */
static mote_status read_binary(mo_gmsh *g, int64_t count)
{
    int64_t type, some, tags, element;
    for (int64_t k = 0; k < count;) {
        if (!mo_gmsh_int(g, &type) || !mo_gmsh_int(g, &some) || !mo_gmsh_int(g, &tags) ||
            some < 1 || some > count - k) {
            return mo_mesh_source_fail(
                g->source, "the block of elements after the first %lld is malformed", (long long)k);
        }
        for (int64_t last = k + some; k < last; ++k) {
            if (!mo_gmsh_int(g, &element)) {
                return fail_cut(g, k);
            }
            MO_TRY(read_rest(g, element, type, tags));
        }
    }
    return MOTE_OK;
}

mote_status mo_gmsh2_elements(mo_gmsh *g)
{
    int64_t count, element, type, tags;
    MO_TRY(read_count(g, "elements", 8, &count));
    if (g->source->binary) {
        return read_binary(g, count);
    }
    for (int64_t k = 0; k < count; ++k) {
        if (!mo_gmsh_int(g, &element) || !mo_gmsh_int(g, &type) || !mo_gmsh_int(g, &tags)) {
            return mo_mesh_source_fail(
                g->source,
                "element %lld of %lld is truncated, or has values that are not "
                "integers",
                (long long)k + 1, (long long)count);
        }
        MO_TRY(read_rest(g, element, type, tags));
    }
    return MOTE_OK;
}
