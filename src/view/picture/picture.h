/*
 * A picture: the renderer's input for one frame, independent of its source. Running worlds, stored
 * frames and tests fill the same struct. All arrays are borrowed.
 */
#ifndef MO_VIEW_PICTURE_PICTURE_H
#define MO_VIEW_PICTURE_PICTURE_H

#include "math/quat.h"
#include "math/vec3.h"

#include <stdbool.h>
#include <stdint.h>

/* Surface materials. Glass is transparent; liquids refract and absorb light (liquid.c). */
typedef enum mo_material {
    MO_MATTE,
    MO_GLOSSY,
    MO_METAL,
    MO_GLASS,
    MO_WATER,
    MO_HONEY,
    MO_MILK,
    MO_MATERIALS
} mo_material;

/* The colour (sRGB, 0 to 1) and material of a body, phase or collider. Rows refer to paints by
 * their index plus one; 0 is none. */
enum { MO_PAINTS_MAX = 255 };
typedef struct mo_paint {
    float color[3];
    mo_material material;
    double depth; /* of liquids: the thickness that colours light so [m]; 0: automatic */
} mo_paint;

static inline bool mo_material_clear(mo_material material)
{
    return material >= MO_GLASS && material < MO_MATERIALS;
}

static inline bool mo_material_liquid(mo_material material)
{
    return material >= MO_WATER && material < MO_MATERIALS;
}

/* A closed-form body: a collider. */
typedef enum mo_solid_kind { MO_SOLID_SPHERE, MO_SOLID_BOX, MO_SOLID_PLANE } mo_solid_kind;

typedef struct mo_solid {
    mo_solid_kind kind;
    mo_vec3 center; /* of the sphere or box; a point of the plane */
    /* from the shape's frame to the world; a plane's normal is +z in its frame */
    mo_quat turn;
    mo_vec3 half;  /* half the box's edges; half.x is the sphere's radius; unused for a plane */
    bool inside;   /* particles are inside: drawn as an open glass box */
    uint8_t paint; /* 0: the colour of solids, planes or glass */
} mo_solid;

/* A surface with its own vertices: a fluid's isosurface. */
typedef struct mo_surface_view {
    int64_t vertex_count, triangle_count;
    /* origin of the vertices, since floats are too coarse far from 0 */
    mo_vec3 origin;
    const float *vertices, *normals; /* three per vertex; normals may be NULL: flat */
    /* one per vertex, coloured like particles; NULL: one colour */
    const float *values;
    /* one per vertex, takes precedence over the value; NULL: none */
    const uint8_t *paint;
    const int32_t *triangles;
    double depth; /* of liquids without one in their paint [m]; 0: automatic */
} mo_surface_view;

/* Colliders as triangles: opaque, wireframe and transparent. */
enum { MO_HULL_SOLID, MO_HULL_WIRE, MO_HULL_GLASS, MO_HULL_KINDS };

typedef struct mo_picture {
    double time;
    /* particles */
    int64_t count;
    /* the last rows are vertices of embedded surfaces and ends of joints, not particles */
    int64_t riders;
    const double *x; /* three per particle */
    /* one per particle; NULL or 0: typical_radius; negative: not drawn as a sphere */
    const double *radius;
    const double *q;      /* orientation (w, x, y, z); NULL: none */
    const float *values;  /* the value mapped to a colour, NaN: none; NULL: one colour for all */
    const uint8_t *paint; /* one per particle, takes precedence over the value; NULL: none */
    int paint_count;
    const mo_paint *paints;
    double typical_radius;
    /* between particles: pairs and triples of rows */
    int64_t spring_count, neighbor_count, triangle_count;
    const int32_t *springs, *neighbors, *triangles;
    /* besides particles */
    int64_t solid_count;
    const mo_solid *solids;
    mo_surface_view surface; /* vertex_count 0: none */
    mo_surface_view hulls[MO_HULL_KINDS];
} mo_picture;

#endif
