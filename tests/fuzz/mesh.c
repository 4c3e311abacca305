/*
 * Mesh files: Gmsh, VTK, TetGen. The first character selects the format: "$" is a .msh, "<" a .vtu,
 * anything else TetGen's points and tetrahedra separated by a line of "--".
 */
#include "fuzz.h"

#include "geometry/mesh/volume.h"
#include "geometry/meshfile/meshfile.h"

/* Accepted meshes are valid: row indices in range, positive volumes, shares of nodes. */
static void use_mesh(const mo_mesh *mesh)
{
    FUZZ_NEED(mesh->node_count > 0 && mesh->edge_count > 0 && mesh->triangle_count > 0);
    for (int64_t k = 0; k < 2 * mesh->edge_count; ++k) {
        FUZZ_NEED(mesh->edges[k] >= 0 && mesh->edges[k] < mesh->node_count);
    }
    for (int64_t k = 0; k < 3 * mesh->triangle_count; ++k) {
        FUZZ_NEED(mesh->triangles[k] >= 0 && mesh->triangles[k] < mesh->node_count);
    }
    for (int64_t k = 0; k < 4 * mesh->tetrahedron_count; ++k) {
        FUZZ_NEED(mesh->tetrahedra[k] >= 0 && mesh->tetrahedra[k] < mesh->node_count);
    }
    for (int64_t k = 0; k < mesh->tetrahedron_count; ++k) {
        FUZZ_NEED(mo_mesh_volume(mesh, k) > 0);
    }
    for (int64_t k = 0; k < mesh->node_count; ++k) {
        FUZZ_NEED(mesh->shares[k] > 0);
    }
    for (int s = 0; s < mesh->set_count; ++s) {
        for (int64_t k = 0; k < mesh->sets[s].count; ++k) {
            FUZZ_NEED(mesh->sets[s].nodes[k] >= 0 && mesh->sets[s].nodes[k] < mesh->node_count);
        }
    }
}

static void read_mesh(const char *path, const char *data, size_t size, bool repair)
{
    fuzz_budget budget;
    mote_config config = fuzz_config(&budget, 256u << 20);
    mo_memory memory;
    mote_error error = {0};
    mo_memory_init(&memory, &config.allocator);
    mo_mesh mesh = {.memory = &memory};
    if (mo_mesh_file_parse(path, data, size, repair, &mesh, &error) == MOTE_OK) {
        use_mesh(&mesh);
    } else {
        FUZZ_NEED(error.text[0]);
    }
    mo_mesh_release(&mesh);
    FUZZ_NEED(memory.bytes == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* exactly sized, so that the sanitizer guards its end */
    char *text = malloc(size + 1);
    FUZZ_NEED(text);
    memcpy(text, data, size);
    text[size] = '\0';
    const char *path = size > 0 && data[0] == '$'   ? "mesh.msh"
                       : size > 0 && data[0] == '<' ? "mesh.vtu"
                                                    : "mesh.node";
    read_mesh(path, text, size, false);
    read_mesh(path, text, size, true);
    free(text);
    return 0;
}
