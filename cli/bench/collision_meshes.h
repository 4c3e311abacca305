/* Surfaces for benchmarks of collision detection: closed, without files, of any number of
 * triangles. */
#ifndef MOTE_CLI_BENCH_COLLISION_MESHES_H
#define MOTE_CLI_BENCH_COLLISION_MESHES_H

#include "base/memory.h"
#include "geometry/simplex/simplices.h"

enum { COLLISION_MESHES = 5 };

extern const char *const COLLISION_MESH_NAMES[COLLISION_MESHES];

typedef struct collision_mesh {
    mo_memory *memory;
    int64_t rows, triangles;
    double *x;
    int32_t *corner;
    double volume; /* that it encloses */
} collision_mesh;

/* About `triangles` of them, around the origin, of a size of about 1. */
mote_status collision_mesh_make(collision_mesh *mesh, int kind, int64_t triangles,
                                mo_memory *memory, mote_error *error);
void collision_mesh_release(collision_mesh *mesh);

static inline mo_simplices collision_mesh_set(const collision_mesh *mesh)
{
    return (mo_simplices){
        .count = mesh->triangles, .corners = 3, .corner = mesh->corner, .x = mesh->x};
}

#endif
