/*
 * A picture: everything the renderer needs to know about one moment, and nothing of where it came
 * from. A running world, a stored frame and a test fill the same struct. All arrays are borrowed.
 */
#ifndef MO_VIEW_PICTURE_PICTURE_H
#define MO_VIEW_PICTURE_PICTURE_H

#include "math/quat.h"
#include "math/vec3.h"

#include <stdbool.h>
#include <stdint.h>

/* What a surface is made of, to the eye. Glass and water are transparent. */
typedef enum mo_material {
    MO_MATTE,
    MO_GLOSSY,
    MO_METAL,
    MO_GLASS,
    MO_WATER,
    MO_MATERIALS
} mo_material;

/* The colour (sRGB, 0 to 1) and material of a body, phase or collider. Rows refer to paints by
 * their number plus one, so that 0 is none. */
enum { MO_PAINTS_MAX = 255 };
typedef struct mo_paint {
    float color[3];
    mo_material material;
} mo_paint;

static inline bool mo_material_clear(mo_material material)
{
    return material == MO_GLASS || material == MO_WATER;
}

/* A closed-form body: a collider. */
typedef enum mo_solid_kind { MO_SOLID_SPHERE, MO_SOLID_BOX, MO_SOLID_PLANE } mo_solid_kind;

typedef struct mo_solid {
    mo_solid_kind kind;
    mo_vec3 center; /* of the sphere or box; a point of the plane */
    mo_quat turn;   /* turns the shape's own axes into the world's; a plane's own normal is +z */
    mo_vec3 half;   /* half the box's edges; half.x is the sphere's radius; unused for a plane */
    bool inside;    /* particles are inside: drawn as an open glass box, so that they can be seen */
    uint8_t paint;  /* 0: the colour of solids, planes or glass */
} mo_solid;

/* A surface with its own vertices: a fluid's isosurface. */
typedef struct mo_surface_view {
    int64_t vertex_count, triangle_count;
    /* what vertices are relative to: far from 0, floats are too coarse */
    mo_vec3 origin;
    const float *vertices, *normals; /* three a vertex; normals may be NULL: flat */
    const float *values;             /* one a vertex, coloured like particles; NULL: one colour */
    const uint8_t *paint;            /* one a vertex, before the value; NULL: none */
    const int32_t *triangles;
} mo_surface_view;

/* Colliders made of triangles: opaque ones, wires, and transparent ones. */
enum { MO_HULL_SOLID, MO_HULL_WIRE, MO_HULL_GLASS, MO_HULL_KINDS };

typedef struct mo_picture {
    double time;
    /* particles */
    int64_t count;
    /* the last so many are no particles, but vertices of surfaces embedded in them */
    int64_t riders;
    const double *x; /* three a particle */
    /* one a particle; NULL or 0: usual_radius; below 0: not drawn as a sphere */
    const double *radius;
    const double *q;      /* orientation (w, x, y, z); NULL: none */
    const float *values;  /* the number that colours it, NaN: none; NULL: all in one colour */
    const uint8_t *paint; /* one a particle, before the value; NULL: none */
    int paint_count;
    const mo_paint *paints;
    double usual_radius;
    /* between particles: pairs and triples of rows */
    int64_t spring_count, neighbor_count, triangle_count;
    const int32_t *springs, *neighbors, *triangles;
    /* beside particles */
    int64_t solid_count;
    const mo_solid *solids;
    mo_surface_view surface; /* vertex_count 0: none */
    mo_surface_view hulls[MO_HULL_KINDS];
} mo_picture;

#endif
