/* The surface of the particles that no triangle shows: a fluid's, or that of any cloud. */
#ifndef MO_VIEW_SHOW_SURFACE_PICTURE_H
#define MO_VIEW_SHOW_SURFACE_PICTURE_H

#include "base/param.h"
#include "geometry/trimesh/trimesh.h"
#include "view/picture/picture.h"

typedef struct mo_surface_maker {
    mo_trimesh mesh;
    double spacing; /* of the particles; 0: not found yet */
    int64_t row_capacity, vertex_capacity, triangle_capacity;
    int64_t vertex_count, triangle_count; /* of the surfaces made so far */
    mo_vec3 origin;
    double *x;                          /* the particles of the surface */
    float *numbers;                     /* what colours them */
    float *vertices, *normals, *values; /* of the surface */
    uint8_t *paint;
    int32_t *triangles;
} mo_surface_maker;

void mo_surface_maker_init(mo_surface_maker *maker, mo_memory *memory);
void mo_surface_maker_release(mo_surface_maker *maker);

/* Makes the surface of those particles of the picture that are not `covered`, coloured like them if
 * they have values; a surface of its own for each paint. Too few of them have none. */
mote_status mo_surface_picture(mo_surface_maker *maker, mo_method method, const uint8_t *covered,
                               mo_pool *pool, mo_picture *picture, mote_error *error);

#endif
