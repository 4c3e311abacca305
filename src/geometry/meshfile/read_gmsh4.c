/* Version 4.1: nodes and elements are in blocks, one per geometric entity, which has physical
 * groups. */
#include "geometry/meshfile/gmsh.h"

static mote_status fail_cut(mo_gmsh *g, const char *section)
{
    return mo_mesh_source_fail(g->source, "%s is truncated or malformed", section);
}

/* ---- entities ---- */

static mote_status add_entity(mo_gmsh *g, mo_gmsh_entity entity)
{
    MO_TRY(mo_grow(g->source->memory, (void **)&g->entities, &g->entity_capacity,
                   g->entity_count + 1, sizeof entity, g->source->error));
    g->entities[g->entity_count++] = entity;
    return MOTE_OK;
}

/* Tag, position or box, physical groups, and except for points the bounding entities. */
static mote_status read_entity(mo_gmsh *g, int dimension)
{
    mo_gmsh_entity entity = {.dimension = dimension};
    int64_t count, tag;
    double x;
    if (!mo_gmsh_int(g, &entity.tag)) {
        return fail_cut(g, "$Entities");
    }
    for (int k = 0; k < (dimension ? 6 : 3); ++k) {
        if (!mo_gmsh_real(g, &x)) {
            return fail_cut(g, "$Entities");
        }
    }
    for (int list = 0; list < (dimension ? 2 : 1); ++list) {
        if (!mo_gmsh_size(g, &count)) {
            return fail_cut(g, "$Entities");
        }
        MO_TRY(mo_mesh_source_check_size(g->source, "tags of an entity", count,
                                         g->source->binary ? 4 : 2));
        for (int64_t k = 0; k < count; ++k) {
            if (!mo_gmsh_int(g, &tag)) {
                return fail_cut(g, "$Entities");
            }
            if (list == 0) {
                entity.members |= mo_gmsh_member(g, dimension, tag < 0 ? -tag : tag);
            }
        }
    }
    return add_entity(g, entity);
}

mote_status mo_gmsh4_entities(mo_gmsh *g)
{
    int64_t count[4];
    for (int d = 0; d < 4; ++d) {
        if (!mo_gmsh_size(g, &count[d])) {
            return fail_cut(g, "$Entities");
        }
    }
    for (int d = 0; d < 4; ++d) {
        MO_TRY(
            mo_mesh_source_check_size(g->source, "entities", count[d], g->source->binary ? 36 : 8));
        for (int64_t k = 0; k < count[d]; ++k) {
            MO_TRY(read_entity(g, d));
        }
    }
    return MOTE_OK;
}

/* Blocks follow the order of the entities, so the search continues from the last one found. */
static uint32_t members_of(mo_gmsh *g, int64_t dimension, int64_t tag)
{
    for (int64_t k = 0; k < g->entity_count; ++k) {
        int64_t at = (g->entity_last + k) % g->entity_count;
        if (g->entities[at].dimension == dimension && g->entities[at].tag == tag) {
            g->entity_last = at;
            return g->entities[at].members;
        }
    }
    return 0;
}

/* ---- nodes ---- */

/* All tags of the block first, then all positions, optionally with parametric coordinates. */
static mote_status read_block(mo_gmsh *g, int64_t count, int64_t parameters, int64_t *names)
{
    for (int64_t k = 0; k < count; ++k) {
        if (!mo_gmsh_size(g, &names[k])) {
            return fail_cut(g, "$Nodes");
        }
    }
    for (int64_t k = 0; k < count; ++k) {
        double x[6];
        for (int64_t c = 0; c < 3 + parameters; ++c) {
            if (!mo_gmsh_real(g, &x[c])) {
                return fail_cut(g, "$Nodes");
            }
        }
        MO_TRY(mo_mesh_source_add_node(g->source, names[k], x));
    }
    return MOTE_OK;
}

static mote_status read_node_block(mo_gmsh *g, int64_t most)
{
    int64_t dimension, tag, parametric, count;
    void *names;
    mo_memory *memory = g->source->memory;
    if (!mo_gmsh_int(g, &dimension) || !mo_gmsh_int(g, &tag) || !mo_gmsh_int(g, &parametric) ||
        !mo_gmsh_size(g, &count) || dimension < 0 || dimension > 3 || count > most) {
        return fail_cut(g, "$Nodes");
    }
    MO_TRY(mo_mesh_source_check_size(g->source, "nodes", count, g->source->binary ? 32 : 8));
    MO_TRY(mo_allocate_array(memory, count, sizeof(int64_t), &names, g->source->error));
    mote_status status = read_block(g, count, parametric ? dimension : 0, names);
    mo_release(memory, names);
    return status;
}

/* Blocks, elements or nodes in total, the smallest and the largest name. */
static mote_status read_counts(mo_gmsh *g, const char *section, const char *what, int64_t *blocks,
                               int64_t *count)
{
    int64_t least, most;
    if (!mo_gmsh_size(g, blocks) || !mo_gmsh_size(g, count) || !mo_gmsh_size(g, &least) ||
        !mo_gmsh_size(g, &most)) {
        return fail_cut(g, section);
    }
    MO_TRY(mo_mesh_source_check_size(g->source, "blocks", *blocks, 8));
    return mo_mesh_source_check_size(g->source, what, *count, 4);
}

mote_status mo_gmsh4_nodes(mo_gmsh *g)
{
    int64_t blocks, count;
    MO_TRY(read_counts(g, "$Nodes", "nodes", &blocks, &count));
    for (int64_t k = 0; k < blocks; ++k) {
        MO_TRY(read_node_block(g, count - g->source->node_count));
    }
    if (g->source->node_count != count) {
        return mo_mesh_source_fail(g->source,
                                   "the header of $Nodes states %lld nodes, but its blocks have "
                                   "%lld",
                                   (long long)count, (long long)g->source->node_count);
    }
    return mo_mesh_source_index(g->source);
}

/* ---- elements ---- */

static mote_status read_element_block(mo_gmsh *g, int64_t *left)
{
    int64_t dimension, tag, type, count, element;
    if (!mo_gmsh_int(g, &dimension) || !mo_gmsh_int(g, &tag) || !mo_gmsh_int(g, &type) ||
        !mo_gmsh_size(g, &count) || count < 0 || count > *left) {
        return fail_cut(g, "$Elements");
    }
    uint32_t members = members_of(g, dimension, tag);
    *left -= count;
    for (int64_t k = 0; k < count; ++k) {
        int64_t names[4] = {0};
        int corners = 0;
        if (!mo_gmsh_size(g, &element)) {
            return fail_cut(g, "$Elements");
        }
        MO_TRY(mo_gmsh_corners(g, element, type, &corners));
        for (int c = 0; c < corners; ++c) {
            if (!mo_gmsh_size(g, &names[c])) {
                return fail_cut(g, "$Elements");
            }
        }
        MO_TRY(mo_gmsh_add(g, element, type, names, members));
    }
    return MOTE_OK;
}

mote_status mo_gmsh4_elements(mo_gmsh *g)
{
    int64_t blocks, count;
    MO_TRY(read_counts(g, "$Elements", "elements", &blocks, &count));
    for (int64_t k = 0; k < blocks; ++k) {
        MO_TRY(read_element_block(g, &count));
    }
    if (count != 0) {
        return mo_mesh_source_fail(g->source,
                                   "$Elements has %lld fewer elements than its header "
                                   "states",
                                   (long long)count);
    }
    return MOTE_OK;
}
