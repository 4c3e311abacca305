/*
 * The reconstructed surface of particles that are not covered by triangles.
 */
#ifndef MO_VIEW_SHOW_SURFACE_PICTURE_H
#define MO_VIEW_SHOW_SURFACE_PICTURE_H

#include "base/param.h"
#include "collide/collider.h"
#include "geometry/trimesh/trimesh.h"
#include "view/picture/picture.h"

typedef struct mo_surface_maker {
    mo_trimesh mesh;
    double spacing; /* of the particles; 0: not determined yet */
    int64_t row_capacity, vertex_capacity, triangle_capacity;
    int64_t vertex_count, triangle_count; /* of the surfaces so far */
    double volume;                        /* of their particles */
    mo_vec3 origin;
    double *x, *axes;                   /* the particles of the surface */
    float *numbers;                     /* values for their colours */
    float *vertices, *normals, *values; /* of the surface */
    uint8_t *paint;
    int32_t *triangles;
} mo_surface_maker;

void mo_surface_maker_init(mo_surface_maker *maker, mo_memory *memory);
void mo_surface_maker_release(mo_surface_maker *maker);

/* Colliders with prescribed motion, at a time. */
typedef struct mo_surface_bounds {
    const mo_collider_def *colliders;
    int64_t count;
    double time;
} mo_surface_bounds;

/* Creates the surface of the particles of the picture that are not `covered`, with their colours
 * if they have values; one surface per paint. Vertices inside of colliders are
 * projected onto them. Too few particles have no surface. */
mote_status mo_surface_picture(mo_surface_maker *maker, mo_method method, const uint8_t *covered,
                               const mo_surface_bounds *bounds, mo_pool *pool, mo_picture *picture,
                               mote_error *error);

#endif
