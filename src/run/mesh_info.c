/* `mote info` of a mesh. */
#include "mote/mesh.h"

#include "geometry/mesh/quality.h"
#include "geometry/meshfile/meshfile.h"

#include <string.h>

bool mote_mesh_has_extension(const char *path)
{
    MO_NEED_OR(path, false);
    return mo_mesh_file_supported(path);
}

static int64_t root_of(int32_t *up, int64_t k)
{
    while (up[k] != k) {
        up[k] = up[up[k]];
        k = up[k];
    }
    return k;
}

/* Nodes connected by edges form one component. */
static mote_status count_components(const mo_mesh *mesh, int *components, mote_error *error)
{
    void *block;
    MO_TRY(mo_allocate_array(mesh->memory, mesh->node_count, sizeof(int32_t), &block, error));
    int32_t *up = block;
    for (int64_t k = 0; k < mesh->node_count; ++k) {
        up[k] = (int32_t)k;
    }
    *components = (int)mesh->node_count;
    for (int64_t k = 0; k < mesh->edge_count; ++k) {
        int64_t a = root_of(up, mesh->edges[2 * k]), b = root_of(up, mesh->edges[2 * k + 1]);
        *components -= a != b;
        up[a] = (int32_t)b;
    }
    mo_release(mesh->memory, block);
    return MOTE_OK;
}

/* The index of an edge in the sorted list of its lower node, for counting its triangles. */
static int64_t edge_index(const mo_mesh *mesh, const int64_t *start, int32_t a, int32_t b)
{
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    for (int64_t k = start[low]; k < start[low + 1]; ++k) {
        if (mesh->edges[2 * k + 1] == high) {
            return k;
        }
    }
    return start[low];
}

/* Counts edges of triangles that do not have exactly two. Edges are listed by their lower nodes
 * (volume.h). */
static mote_status count_open(const mo_mesh *mesh, int64_t *open, mote_error *error)
{
    void *starts, *uses = NULL;
    MO_TRY(mo_allocate_array(mesh->memory, mesh->node_count + 2, sizeof(int64_t), &starts, error));
    mote_status status =
        mo_allocate_array(mesh->memory, mesh->edge_count, sizeof(int32_t), &uses, error);
    if (status == MOTE_OK) {
        int64_t *start = starts;
        int32_t *use = uses;
        for (int64_t k = 0; k < mesh->edge_count; ++k) {
            start[mesh->edges[2 * k] + 1]++;
        }
        for (int64_t k = 0; k <= mesh->node_count; ++k) {
            start[k + 1] += start[k];
        }
        for (int64_t k = 0; k < mesh->triangle_count; ++k) {
            const int32_t *n = mesh->triangles + 3 * k;
            for (int c = 0; c < 3; ++c) {
                use[edge_index(mesh, start, n[c], n[(c + 1) % 3])]++;
            }
        }
        *open = 0;
        for (int64_t k = 0; k < mesh->edge_count; ++k) {
            *open += use[k] != 0 && use[k] != 2;
        }
    }
    mo_release(mesh->memory, starts);
    mo_release(mesh->memory, uses);
    return status;
}

static mote_status describe(const mo_mesh *mesh, mote_mesh_info *info, mote_error *error)
{
    mo_mesh_quality q = mo_mesh_measure(mesh);
    *info = (mote_mesh_info){.nodes = mesh->node_count,
                             .edges = mesh->edge_count,
                             .triangles = mesh->triangle_count,
                             .tetrahedra = mesh->tetrahedron_count,
                             .size = q.size,
                             .size_min = q.size_min,
                             .angle_min = q.angle_min,
                             .angle_max = q.angle_max,
                             .edge_min = q.edge_min,
                             .edge_mean = q.edge_mean,
                             .edge_max = q.edge_max,
                             .set_count = mesh->set_count};
    for (int axis = 0; axis < 3; ++axis) {
        info->low[axis] = INFINITY;
        info->high[axis] = -INFINITY;
        for (int64_t k = 0; k < mesh->node_count; ++k) {
            info->low[axis] = fmin(info->low[axis], mesh->nodes[3 * k + axis]);
            info->high[axis] = fmax(info->high[axis], mesh->nodes[3 * k + axis]);
        }
    }
    for (int k = 0; k < mesh->set_count; ++k) {
        memcpy(info->sets[k], mesh->sets[k].name, sizeof info->sets[k]);
    }
    MO_TRY(count_open(mesh, &info->open_edges, error));
    return count_components(mesh, &info->components, error);
}

mote_status mote_mesh_examine(const char *path, bool repair, mote_mesh_info *info,
                              mote_error *error)
{
    MO_NEED(path);
    MO_NEED(info);
    mo_memory memory;
    mo_memory_init(&memory, NULL);
    mo_mesh mesh = {.memory = &memory};
    mo_error_clear(error);
    *info = (mote_mesh_info){0};
    if (!mo_mesh_file_supported(path)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "%.900s: unknown mesh file extension; allowed: .msh, .node, .ele, .vtu, .obj, .ply, "
            ".stl",
            path);
    }
    mote_status status = mo_mesh_file_read(path, repair, &mesh, error);
    if (status == MOTE_OK) {
        status = describe(&mesh, info, error);
    }
    mo_mesh_release(&mesh);
    return status;
}
