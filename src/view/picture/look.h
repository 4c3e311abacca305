/*
 * Rendering parameters: plain data set by a scene, the command line or the keys of the window.
 * Colours are sRGB from 0 to 1, sizes on the screen are pixels.
 */
#ifndef MO_VIEW_PICTURE_LOOK_H
#define MO_VIEW_PICTURE_LOOK_H

#include "math/vec3.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum mo_particle_style {
    MO_PARTICLES_NONE,
    MO_PARTICLES_POINTS,     /* additive spots */
    MO_PARTICLES_STARS,      /* additive spots with four rays */
    MO_PARTICLES_VOLUME,     /* a participating medium: smoke, clouds, fire */
    MO_PARTICLES_AXES,       /* the particle's axes: x red, y green, z blue */
    MO_PARTICLES_CROSSES,    /* three perpendicular segments, in the particle's colour */
    MO_PARTICLES_STROKES,    /* brush strokes across the eye's direction */
    MO_PARTICLES_WIRE_DISCS, /* the rims of discs and of hexagons alone */
    MO_PARTICLES_WIRE_HEXAGONS,
    MO_PARTICLES_DISCS,    /* normal to its z axis; the -z side is darker and paler */
    MO_PARTICLES_HEXAGONS, /* the same with six corners, the first one on its x axis */
    MO_PARTICLES_SPHERES,
    MO_PARTICLES_SMOOTH_SPHERES, /* shaded by the gradient of the density of all particles */
    MO_PARTICLES_CUBES,          /* of the sphere's volume */
    MO_PARTICLE_STYLES
} mo_particle_style;

enum { MO_LIGHTS_MAX = 3 };

typedef enum mo_mesh_style {
    MO_MESH_NONE,
    MO_MESH_WIRE, /* edges only */
    MO_MESH_FLAT,
    MO_MESH_SMOOTH,
    MO_MESH_STYLES
} mo_mesh_style;

typedef enum mo_texture_kind {
    MO_TEXTURE_NONE,
    MO_TEXTURE_CLOUDS,
    MO_TEXTURE_MARBLE,
    MO_TEXTURE_WOOD,
    MO_TEXTURES
} mo_texture_kind;

typedef struct mo_look {
    mo_particle_style particles;
    mo_mesh_style triangles; /* the triangles between particles */
    mo_mesh_style surface;   /* the surface with its own vertices */
    bool edges;              /* draw the edges over flat and smooth triangles, too */
    bool springs, neighbors; /* draw these lines */
    bool lines_by_value;     /* lines have the colours of the particles at their ends */
    bool solids, grid;       /* draw colliders; draw a grid on planes */
    double size;             /* scale factor of the particles' radius */
    double point_size;       /* diameter of points and stars [pixel] */
    double glow;             /* intensity of a single spot, 0 to 1 */
    double line_width;       /* [pixel] */
    struct {
        double opacity;   /* optical depth of one particle diameter of filled space */
        double emission;  /* 0: scatters light only; 1: emits light only */
        double smoothing; /* radius of smoothing [particle radii] */
        int resolution;   /* largest number of cells along the longest side */
    } volume;
    struct {
        mo_texture_kind kind;
        double scale;        /* length of a period [m]; 0: four particle diameters */
        double speed;        /* periods of the time axis per second */
        double contrast;     /* 0 to 1 */
    } texture;               /* of surfaces and volumes, in (x, y, z, t) */
    float color[3];          /* particles without a value */
    float triangle_color[3]; /* triangles without values */
    float surface_color[3];  /* a surface without values */
    float solid_color[3], plane_color[3], glass_color[3], edge_color[3], spring_color[3],
        neighbor_color[3];
    float unknown_color[3]; /* the value is NaN */
    float background_top[3], background_bottom[3];
    /* 256 colours, sRGB, three bytes each, for map_min to map_max; NULL: greys */
    const uint8_t *map;
    double map_min, map_max; /* equal: all values have the middle colour */
    bool lit;                /* false: colours without lighting */
    bool shadows, occlusion; /* occlusion: ambient occlusion */
    double ambient;          /* factor of the light from sky and ground */
    /* attenuation towards the background over one radius of the scene behind its centre */
    double fog;
    int light_count; /* in addition to the first light; without shadows */
    struct {
        mo_vec3 direction; /* towards the light, in the world */
        float color[3];    /* linear, times the intensity */
    } lights[MO_LIGHTS_MAX];
    float light_color[3];    /* of the first light, linear, times the intensity */
    double occlusion_radius; /* radius of ambient occlusion [m]; 0: automatic */
    /* towards the light, in the world; zero: from behind and left of the viewer */
    mo_vec3 light;
    int samples; /* for antialiasing: 1 or 4 */
} mo_look;

mo_look mo_look_default(void);

const char *mo_particle_style_name(mo_particle_style style); /* "points", "stars", ... */
const char *mo_mesh_style_name(mo_mesh_style style);         /* "none", "wire", ... */

/* False: there is no such style; `style` is unchanged. */
bool mo_particle_style_find(const char *name, mo_particle_style *style);
bool mo_mesh_style_find(const char *name, mo_mesh_style *style);
bool mo_texture_find(const char *name, mo_texture_kind *kind);

#endif
