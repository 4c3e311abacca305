/* Colliders that are made of triangles, where their motion has taken them. */
#ifndef MO_VIEW_SHOW_HULL_PICTURE_H
#define MO_VIEW_SHOW_HULL_PICTURE_H

#include "base/memory.h"
#include "host/def.h"
#include "view/picture/picture.h"

typedef struct mo_hull_maker {
    mo_memory *memory;
    struct {
        int64_t corners, vertex_room, normal_room, triangle_room;
        float *vertices, *normals;
        int32_t *triangles;
    } kind[MO_HULL_KINDS];
} mo_hull_maker;

void mo_hull_maker_init(mo_hull_maker *maker, mo_memory *memory);
void mo_hull_maker_release(mo_hull_maker *maker);

/* Fills picture->hulls with the first `count` colliders, at the picture's time. */
mote_status mo_hull_picture(mo_hull_maker *maker, const mo_collider_def *colliders, int64_t count,
                            mo_picture *picture, mote_error *error);

#endif
