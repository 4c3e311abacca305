/*
 * The "view" block of a scene: camera and rendering settings; they do not affect the simulation.
 * Defaults: the camera fits the scene, particles without a surface are spheres coloured by speed,
 * cloth and solids are shaded surfaces.
 */
#ifndef MO_DRAW_VIEW_DEF_H
#define MO_DRAW_VIEW_DEF_H

#include "base/param.h"
#include "math/vec3.h"

/* A point of a camera's path. */
typedef struct mo_camera_key_def {
    double time;
    mo_vec3 eye, target;  /* target NaN: that of the camera */
    double field_of_view; /* NaN: that of the camera */
} mo_camera_key_def;

typedef struct mo_camera_def {
    const char *name;
    mo_vec3 eye, target;       /* NaN: fitted to the scene */
    double azimuth, elevation; /* [deg], camera direction without `eye` */
    double distance;           /* relative to the fitted distance */
    double field_of_view;      /* [deg] */
    const char *projection;    /* "perspective" or "orthographic" */
    mo_list keyframes;         /* mo_camera_key_def: a path */
} mo_camera_def;

typedef struct mo_color_def {
    const char *field; /* NULL: speed unless there is a surface; "none": one colour */
    const char *map;
    double min, max; /* NaN: from the data */
} mo_color_def;

typedef struct mo_volume_def {
    double opacity, emission, smoothing;
    int64_t resolution;
} mo_volume_def;

typedef struct mo_texture_def {
    const char *type;
    double scale; /* NaN: automatic */
    double speed, contrast;
} mo_texture_def;

typedef struct mo_light_def {
    mo_vec3 direction; /* towards the light */
    mo_vec3 color;
    double intensity;
} mo_light_def;

enum { MO_VIEW_LIGHTS_MAX = 4 };

typedef struct mo_view_def {
    mo_camera_def camera;
    mo_list cameras;        /* mo_camera_def: further cameras, by name */
    const char *use_camera; /* NULL: `camera` */
    mo_list size;           /* int64_t: width and height */
    double time;            /* of a single image; NaN: the last frame */
    const char *style, *mesh;
    bool skin;
    mo_method surface; /* absent: none */
    double particle_size, line_width;
    bool springs, joints, neighbors, edges;
    double neighbor_radius;
    mo_color_def color;
    mo_volume_def volume;
    mo_texture_def texture;
    mo_vec3 background, background_bottom; /* NaN: the default; that of `background` */
    mo_list lights;                        /* mo_light_def */
    double ambient, fog;
    bool occlusion;
    bool ground;
    double ground_height;
    bool shadows, legend, colliders;
} mo_view_def;

extern const mo_section mo_view_section;

/* The selected camera. */
const mo_camera_def *mo_view_def_camera(const mo_view_def *view);

/* Checks beyond the parameter table. */
mote_status mo_view_def_check(const mo_view_def *view, mote_error *error);

#endif
