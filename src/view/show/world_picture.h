/*
 * From a moment to a picture: the particles of all systems in one row, the lines and triangles
 * between them, the numbers that colour them, and the colliders where their motion has taken them.
 *
 * A world that repeats itself is drawn as its box, with single particles inside it.
 *
 * Bodies, phases and colliders have the paints of their looks (paints.h), unless a field was chosen
 * to colour particles and surfaces. Hidden ones are left out.
 *
 * What the view block leaves open is decided here. In the style "auto" a particle that a triangle
 * already shows is not drawn again; it can still be picked.
 */
#ifndef MO_VIEW_SHOW_WORLD_PICTURE_H
#define MO_VIEW_SHOW_WORLD_PICTURE_H

#include "base/memory.h"
#include "neighbor/search.h"
#include "scene/root.h"
#include "view/picture/picture.h"
#include "view/show/hull_picture.h"
#include "view/show/moment.h"
#include "view/show/paints.h"
#include "view/show/surface_picture.h"

/* What is drawn, of all that a moment holds. */
typedef struct mo_picture_wish {
    const char *field; /* NULL: speed where no surface is; "none": one colour */
    bool by_speed;     /* NULL above, but a range of values is given: speed comes before looks */
    bool hide_covered; /* particles that triangles show */
    bool skin;         /* embedded surfaces of bodies, instead of their triangles */
    bool mesh;         /* triangles, and the lines that no triangle covers */
    mo_method surface; /* of the particles that no triangle shows; type NULL: none */
    bool springs, neighbors, colliders, ground;
    double neighbor_radius; /* NaN: chosen */
    double ground_height;   /* NaN: chosen at the first picture */
} mo_picture_wish;

mo_picture_wish mo_picture_wish_of(const mo_view_def *view);

typedef struct mo_picture_maker {
    mo_memory memory;
    int64_t row_capacity, spring_capacity, triangle_capacity, solid_capacity, neighbor_capacity;
    double *x, *radius, *q;
    float *values;
    uint8_t *covered;
    uint8_t *paint;        /* of each row */
    mo_painting *painting; /* of each row */
    mo_paints paints;
    int32_t *springs, *triangles, *neighbors;
    mo_solid *solids;
    mo_search *search; /* for lines between neighbours; NULL before they are wanted */
    mo_pool *pool;
    mo_surface_maker surface;
    mo_hull_maker hulls;
    bool begun, paints_of_surface;
    double usual_radius, spacing, ground; /* chosen at the first picture, so that nothing jumps */
    /* of the last picture */
    mo_field field;
    bool has_values;
    double low, high; /* of the values; low > high: none */
    mo_picture picture;
} mo_picture_maker;

mote_status mo_picture_maker_init(mo_picture_maker *maker, mote_error *error);
void mo_picture_maker_release(mo_picture_maker *maker);

/* maker->picture stays until the next call and as long as the moment. */
mote_status mo_picture_make(mo_picture_maker *maker, const mo_moment *moment,
                            const mo_world_def *def, const mo_picture_wish *wish,
                            mote_error *error);

/* The system and the row of a particle of the picture. */
const mo_part *mo_picture_locate(const mo_moment *moment, int64_t particle, int64_t *row);

#endif
