#include "geometry/mesh/mesh.h"

#include <stdio.h>
#include <string.h>

void mo_mesh_release(mo_mesh *mesh)
{
    mo_release(mesh->memory, mesh->nodes);
    mo_release(mesh->memory, mesh->shares);
    mo_release(mesh->memory, mesh->edges);
    mo_release(mesh->memory, mesh->edge_kind);
    mo_release(mesh->memory, mesh->triangles);
    mo_release(mesh->memory, mesh->tetrahedra);
    mo_release(mesh->memory, mesh->skin.x);
    mo_release(mesh->memory, mesh->skin.normal);
    mo_release(mesh->memory, mesh->skin.corner);
    for (int k = 0; k < mesh->set_count; ++k) {
        mo_release(mesh->memory, mesh->sets[k].nodes);
    }
    *mesh = (mo_mesh){.memory = mesh->memory};
}

mote_status mo_mesh_check_size(const char *what, double nodes, mote_error *error)
{
    if (nodes > 1e9) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%s: %.3g nodes; allowed: up to 1e9", what, nodes);
    }
    return MOTE_OK;
}

/* Grows an array of the mesh to `need` elements of `size` bytes; returns the old one on failure. */
static void *grown(mo_mesh *mesh, void *array, int64_t *capacity, int64_t need, size_t size,
                   mote_status *status, mote_error *error)
{
    if (*status == MOTE_OK) {
        *status = mo_grow(mesh->memory, &array, capacity, need, size, error);
    }
    return array;
}

static mote_status reserve_nodes(mo_mesh *mesh, int64_t need, mote_error *error)
{
    mote_status status = MOTE_OK;
    mesh->nodes =
        grown(mesh, mesh->nodes, &mesh->node_capacity, need, 3 * sizeof(double), &status, error);
    mesh->shares =
        grown(mesh, mesh->shares, &mesh->share_capacity, need, sizeof(double), &status, error);
    return status;
}

static mote_status reserve_edges(mo_mesh *mesh, int64_t need, mote_error *error)
{
    mote_status status = MOTE_OK;
    mesh->edges =
        grown(mesh, mesh->edges, &mesh->edge_capacity, need, 2 * sizeof(int32_t), &status, error);
    mesh->edge_kind =
        grown(mesh, mesh->edge_kind, &mesh->kind_capacity, need, sizeof(uint8_t), &status, error);
    return status;
}

static mote_status reserve_triangles(mo_mesh *mesh, int64_t need, mote_error *error)
{
    mote_status status = MOTE_OK;
    mesh->triangles = grown(mesh, mesh->triangles, &mesh->triangle_capacity, need,
                            3 * sizeof(int32_t), &status, error);
    return status;
}

mote_status mo_mesh_reserve(mo_mesh *mesh, int64_t nodes, int64_t edges, int64_t triangles,
                            mote_error *error)
{
    MO_TRY(reserve_nodes(mesh, nodes, error));
    MO_TRY(reserve_edges(mesh, edges, error));
    return reserve_triangles(mesh, triangles, error);
}

mote_status mo_mesh_reserve_tetrahedra(mo_mesh *mesh, int64_t need, mote_error *error)
{
    mote_status status = MOTE_OK;
    mesh->tetrahedra = grown(mesh, mesh->tetrahedra, &mesh->tetrahedron_capacity, need,
                             4 * sizeof(int32_t), &status, error);
    return status;
}

mote_status mo_mesh_add_node(mo_mesh *mesh, mo_vec3 x, double share, mote_error *error)
{
    MO_TRY(reserve_nodes(mesh, mesh->node_count + 1, error));
    mo_vec3_store(mesh->nodes + 3 * mesh->node_count, x);
    mesh->shares[mesh->node_count++] = share;
    return MOTE_OK;
}

mote_status mo_mesh_add_edge(mo_mesh *mesh, int64_t a, int64_t b, mo_edge_kind kind,
                             mote_error *error)
{
    MO_TRY(reserve_edges(mesh, mesh->edge_count + 1, error));
    mesh->edges[2 * mesh->edge_count] = (int32_t)a;
    mesh->edges[2 * mesh->edge_count + 1] = (int32_t)b;
    mesh->edge_kind[mesh->edge_count++] = (uint8_t)kind;
    return MOTE_OK;
}

mote_status mo_mesh_add_triangle(mo_mesh *mesh, int64_t a, int64_t b, int64_t c, mote_error *error)
{
    MO_TRY(reserve_triangles(mesh, mesh->triangle_count + 1, error));
    int32_t *t = mesh->triangles + 3 * mesh->triangle_count++;
    t[0] = (int32_t)a;
    t[1] = (int32_t)b;
    t[2] = (int32_t)c;
    return MOTE_OK;
}

mote_status mo_mesh_add_tetrahedron(mo_mesh *mesh, int64_t a, int64_t b, int64_t c, int64_t d,
                                    mote_error *error)
{
    MO_TRY(mo_mesh_reserve_tetrahedra(mesh, mesh->tetrahedron_count + 1, error));
    int32_t *t = mesh->tetrahedra + 4 * mesh->tetrahedron_count++;
    t[0] = (int32_t)a;
    t[1] = (int32_t)b;
    t[2] = (int32_t)c;
    t[3] = (int32_t)d;
    return MOTE_OK;
}

const mo_node_set *mo_mesh_set(const mo_mesh *mesh, const char *name)
{
    for (int k = 0; k < mesh->set_count; ++k) {
        if (strncmp(mesh->sets[k].name, name, sizeof mesh->sets[k].name - 1) == 0) {
            return &mesh->sets[k];
        }
    }
    return NULL;
}

mote_status mo_mesh_add_to_set(mo_mesh *mesh, const char *name, int64_t node, mote_error *error)
{
    mo_node_set *set = (mo_node_set *)mo_mesh_set(mesh, name);
    if (!set) {
        if (mesh->set_count == MO_NODE_SETS_MAX) {
            return mo_fail(error, MOTE_ERROR_USAGE, "set '%s': a mesh has at most %d sets", name,
                           MO_NODE_SETS_MAX);
        }
        set = &mesh->sets[mesh->set_count++];
        *set = (mo_node_set){0};
        snprintf(set->name, sizeof set->name, "%s", name);
    }
    mote_status status = MOTE_OK;
    set->nodes =
        grown(mesh, set->nodes, &set->capacity, set->count + 1, sizeof(int32_t), &status, error);
    MO_TRY(status);
    set->nodes[set->count++] = (int32_t)node;
    return MOTE_OK;
}
