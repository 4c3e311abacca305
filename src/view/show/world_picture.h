/*
 * From a moment to a picture: the particles of all systems in one array, the lines and triangles
 * between them, the values for their colours, and the colliders at their current pose.
 *
 * Periodic worlds are drawn as their box, with single particles wrapped into it. Bodies, phases and
 * colliders have the paints of their looks (paints.h), unless a field colours particles and
 * surfaces; hidden ones are omitted. In the style "auto" a particle covered by a triangle is not
 * drawn; it can still be picked.
 */
#ifndef MO_VIEW_SHOW_WORLD_PICTURE_H
#define MO_VIEW_SHOW_WORLD_PICTURE_H

#include "base/memory.h"
#include "neighbor/search.h"
#include "scene/root.h"
#include "view/picture/picture.h"
#include "view/show/hull_picture.h"
#include "view/show/joint_picture.h"
#include "view/show/moment.h"
#include "view/show/paints.h"
#include "view/show/surface_picture.h"

/* Selection of the primitives to draw. */
typedef struct mo_picture_wish {
    const char *field; /* NULL: speed unless there is a surface; "none": one colour */
    /* `field` is NULL but a range of values is given: speed takes precedence over looks */
    bool by_speed;
    bool hide_covered; /* particles covered by triangles */
    bool skin;         /* embedded surfaces of bodies, instead of their triangles */
    bool mesh;         /* triangles, and lines that are not their sides */
    bool free_mesh;    /* also of bodies without a model, whose particles are not connected */
    mo_method surface; /* of the particles not covered by triangles; type NULL: none */
    bool springs, joints, neighbors, colliders, ground;
    double neighbor_radius; /* NaN: automatic */
    double ground_height;   /* NaN: set by the first picture */
} mo_picture_wish;

mo_picture_wish mo_picture_wish_of(const mo_view_def *view);

typedef struct mo_picture_maker {
    mo_memory memory;
    int64_t row_capacity, spring_capacity, triangle_capacity, solid_capacity, neighbor_capacity;
    double *x, *radius, *q;
    float *values;
    uint8_t *covered;
    uint8_t *paint;        /* per row */
    mo_painting *painting; /* per row */
    mo_paints paints;
    int32_t *springs, *triangles, *neighbors;
    mo_solid *solids;
    mo_search *search; /* for lines between neighbours; NULL before they are used */
    mo_pool *pool;
    mo_surface_maker surface;
    mo_hull_maker hulls;
    mo_joint_lines joints;
    bool begun, paints_of_surface;
    double typical_radius, spacing, ground; /* set by the first picture and then constant */
    /* of the last picture */
    mo_field field;
    bool has_values;
    double low, high; /* of the values; low > high: none */
    mo_picture picture;
} mo_picture_maker;

mote_status mo_picture_maker_init(mo_picture_maker *maker, mote_error *error);
void mo_picture_maker_release(mo_picture_maker *maker);

/* maker->picture is valid until the next call and as long as the moment. */
mote_status mo_picture_make(mo_picture_maker *maker, const mo_moment *moment,
                            const mo_world_def *def, const mo_picture_wish *wish,
                            mote_error *error);

/* The system and the row of a particle of the picture. */
const mo_part *mo_picture_locate(const mo_moment *moment, int64_t particle, int64_t *row);

#endif
