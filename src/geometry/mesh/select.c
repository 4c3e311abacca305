#include "geometry/mesh/select.h"

#include "geometry/shape/shape.h"

#include <stdio.h>
#include <string.h>

static mote_status unknown_set(const mo_mesh *mesh, const mo_node_selection *s, mote_error *error)
{
    char known[400] = "";
    for (int k = 0; k < mesh->set_count; ++k) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", k ? ", " : "", mesh->sets[k].name);
    }
    return mo_fail(error, MOTE_ERROR_INPUT,
                   ".%sset: the mesh has no node set '%.100s', its sets are %s", s->prefix, s->set,
                   known);
}

static mote_status check_numbers(const mo_mesh *mesh, const mo_node_selection *s, mote_error *error)
{
    const int64_t *listed = s->nodes->items;
    for (int64_t k = 0; k < s->nodes->count; ++k) {
        if (listed[k] >= mesh->node_count) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           ".%snodes[%lld]: there is no node %lld, the last is %lld", s->prefix,
                           (long long)k, (long long)listed[k], (long long)mesh->node_count - 1);
        }
    }
    return MOTE_OK;
}

mote_status mo_mesh_select(const mo_mesh *mesh, const mo_node_selection *selection, int32_t *nodes,
                           int64_t *count, mote_error *error)
{
    const int64_t *listed = selection->nodes->items;
    *count = 0;
    if (selection->set) {
        const mo_node_set *set = mo_mesh_set(mesh, selection->set);
        if (!set) {
            return unknown_set(mesh, selection, error);
        }
        memcpy(nodes, set->nodes, (size_t)set->count * sizeof *nodes);
        *count = set->count;
    }
    MO_TRY(check_numbers(mesh, selection, error));
    for (int64_t k = 0; k < selection->nodes->count; ++k) {
        nodes[(*count)++] = (int32_t)listed[k];
    }
    for (int64_t node = 0; selection->region.type && node < mesh->node_count; ++node) {
        if (mo_shape_contains(selection->region, mo_vec3_load(mesh->nodes + 3 * node))) {
            nodes[(*count)++] = (int32_t)node;
        }
    }
    if (*count == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, ".region: it contains no node of the mesh");
    }
    return MOTE_OK;
}
