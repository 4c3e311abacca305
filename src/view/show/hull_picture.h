/*
 * Colliders drawn as triangles at their current pose: meshes, and all shapes except boxes, balls
 * and half spaces.
 */
#ifndef MO_VIEW_SHOW_HULL_PICTURE_H
#define MO_VIEW_SHOW_HULL_PICTURE_H

#include "base/memory.h"
#include "geometry/shape/facets.h"
#include "host/def.h"
#include "view/show/paints.h"

/* The triangles of a collider in its frame, created once. */
typedef struct mo_hull {
    const void *of; /* the parameters of its shape; NULL: not created yet */
    mo_facets facets;
    double *normal; /* three per corner */
    int64_t normal_capacity;
} mo_hull;

typedef struct mo_hull_maker {
    mo_memory *memory;
    int64_t hull_count, hull_capacity;
    mo_hull *hulls; /* one per collider */
    struct {
        int64_t corners, vertex_capacity, kind_normal_capacity, triangle_capacity;
        int64_t paint_capacity;
        float *vertices, *normals;
        uint8_t *paint;
        int32_t *triangles;
    } kind[MO_HULL_KINDS];
} mo_hull_maker;

void mo_hull_maker_init(mo_hull_maker *maker, mo_memory *memory);
void mo_hull_maker_release(mo_hull_maker *maker);

/* Whether a shape is drawn as triangles. */
bool mo_hull_wanted(mo_method shape);

/* Fills picture->hulls with the first `count` colliders, at the picture's time, with their
 * `paintings`. */
mote_status mo_hull_picture(mo_hull_maker *maker, const mo_collider_def *colliders, int64_t count,
                            const mo_paints *paints, mo_picture *picture, mote_error *error);

#endif
