/*
 * Surfaces: OBJ, PLY and STL, selected by the first characters. Accepted ones are used like a
 * solid: checked, welded, queried for distances, and sampled.
 */
#include "fuzz.h"

#include "geometry/shape/shape_samples.h"
#include "geometry/trimesh/check.h"
#include "geometry/trimesh/distance.h"
#include "geometry/trimesh/file.h"

static void ask(const mo_trimesh_distance *tree)
{
    mo_vec3 size = mo_sub(tree->high, tree->low);
    for (int k = 0; k < 27; ++k) {
        mo_vec3 part = {0.5 * (k % 3) + 0.01, 0.5 * (k / 3 % 3) + 0.02, 0.5 * (k / 9) + 0.03},
                normal;
        mo_vec3 x = mo_add(tree->low, mo_multiply(part, size));
        mo_trimesh_near near = mo_trimesh_nearest(tree, x, -1);
        double distance = mo_trimesh_signed(tree, x, &near, &normal);
        FUZZ_NEED(near.triangle >= 0 && near.triangle < tree->triangles && isfinite(distance));
        FUZZ_NEED(fabs(distance) <= 3 * mo_length(size) + 1e-300);
        FUZZ_NEED(fabs(mo_length(normal) - 1) < 1e-6);
    }
}

static void use_surface(mo_trimesh *mesh)
{
    for (int64_t k = 0; k < 3 * mesh->triangles; ++k) {
        FUZZ_NEED(mesh->corner[k] >= 0 && mesh->corner[k] < mesh->vertices);
    }
    for (int64_t k = 0; k < 3 * mesh->vertices; ++k) {
        FUZZ_NEED(isfinite(mesh->x[k]) && isfinite(mesh->normal[k]));
    }
    mo_arena arena;
    mo_trimesh_distance tree;
    mote_error error = {0};
    mo_arena_init(&arena, mesh->memory);
    FUZZ_NEED(mo_trimesh_check(mesh, "it", 0, &error) == MOTE_OK || error.text[0]);
    FUZZ_NEED(mo_trimesh_weld(mesh, &error) == MOTE_OK || error.text[0]);
    if (mo_trimesh_distance_build(mesh, "it", true, &arena, &tree, &error) == MOTE_OK) {
        ask(&tree);
        mo_samples samples;
        mo_sampling how = mo_sampling_make(0.3 * tree.size, 3);
        mo_samples_init(&samples, mesh->memory);
        FUZZ_NEED(mo_sample_mesh(mesh, "it", &how, &samples, &error) == MOTE_OK || error.text[0]);
        mo_samples_release(&samples);
    }
    mo_arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* exactly sized, so that the sanitizer guards its end */
    char *text = malloc(size + 1);
    FUZZ_NEED(text);
    memcpy(text, data, size);
    text[size] = '\0';
    bool ply = size >= 3 && memcmp(data, "ply", 3) == 0,
         stl = size >= 3 && memcmp(data, "sol", 3) == 0;
    bool binary = size >= 84 && data[0] == 'b'; /* a binary STL begins with anything */
    fuzz_budget budget;
    mote_config config = fuzz_config(&budget, 256 << 20);
    mo_memory memory;
    mo_trimesh mesh;
    mote_error error = {0};
    mo_memory_init(&memory, &config.allocator);
    mo_trimesh_init(&mesh, &memory);
    const char *name = ply ? "it.ply" : stl || binary ? "it.stl" : "it.obj";
    if (mo_trimesh_parse(name, text, size, &mesh, &error) == MOTE_OK) {
        use_surface(&mesh);
    } else {
        FUZZ_NEED(error.text[0] && mesh.triangles == 0);
    }
    mo_trimesh_release(&mesh);
    FUZZ_NEED(memory.bytes == 0);
    free(text);
    return 0;
}
