/*
 * mote/surface.h: surface reconstruction: a closed, outward-oriented manifold triangle mesh around
 * particles, with smooth normals; of oriented particles the triangles between them, with borders.
 *
 * mote_surface_create works on any points; mote_surface_scene and mote_surface_results implement
 * `mote surface` for a scene and for the files of a run. The mesh is the same on any number of
 * threads.
 */
#ifndef MOTE_SURFACE_H
#define MOTE_SURFACE_H

#include "mote/base.h"
#include "mote/scene.h"
#include "mote/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mote_surface mote_surface;

typedef struct mote_surface_options {
    mote_config config;
    /* A method's name, or an object as in a scene: "{\"type\": \"metaball\", \"cell\": 0.4}". NULL:
     * "tangential_delaunay" for oriented particles, else "anisotropic". */
    const char *method;
    double spacing; /* of the particles [m]; 0: the median distance to the nearest neighbour */
    int field_count;
    const mote_column *fields; /* particle columns interpolated to the vertices */
    /* unit axes of oriented particles, three components per point, zero for others; NULL: none. For
     * the method "tangential_delaunay". */
    const double *normals;
} mote_surface_options;

mote_surface_options mote_surface_options_default(void);

/* The surface of `count` points, with three coordinates each [m]. No points give an empty mesh;
   only then may x be NULL. */
mote_status mote_surface_create(int64_t count, MOTE_OPTIONAL const double *x,
                                MOTE_OPTIONAL const mote_surface_options *options,
                                mote_surface **surface, mote_error *error);
void mote_surface_destroy(MOTE_OPTIONAL mote_surface *surface);

typedef struct mote_surface_mesh {
    int64_t vertices, triangles;
    const double *x, *normal; /* three components per vertex; unit outward normals */
    const int32_t *corners;   /* three vertices per triangle, counter-clockwise from outside */
    int field_count;
    const mote_column *fields; /* of the vertices, as F64 */
    double spacing, cell;      /* values used [m] */
    bool closed;               /* verified: every vertex has one ring of triangles */
    int64_t euler;             /* Euler characteristic V - E + F: 2 for a sphere, 0 for a torus */
    double area, volume;       /* [m^2], [m^3] */
    double seconds;            /* wall time */
    int64_t peak_memory;       /* peak memory [bytes] */
    bool manifold;             /* verified: an oriented manifold, possibly with borders */
    int64_t border_edges;      /* edges with one triangle; 0: closed */
} mote_surface_mesh;

/* Valid as long as the surface. */
mote_surface_mesh mote_surface_get(const mote_surface *surface);

/* Writes .vtp, .ply or .obj, by the extension of `path`, with the normals and the fields. */
mote_status mote_surface_write(const mote_surface *surface, const char *path, double time,
                               mote_error *error);

typedef struct mote_surface_frame {
    int frame, frames; /* index from 0, and total number */
    double time;       /* simulated [s]; NaN if unknown */
    int64_t particles;
    const char *file;
    mote_surface_mesh mesh;
} mote_surface_frame;

typedef struct mote_surface_run_options {
    /* its fields are not used; method NULL: the scene's output.surface */
    mote_surface_options surface;
    const char *directory; /* output directory */
    const char *format;    /* "ply", "obj" or "vtp"; NULL: "ply" */
    int field_count;
    const char *const *fields; /* names of columns to interpolate */
    double until;              /* scenes: end time; NaN: the scene's */
    int frames;                /* maximum number of frames after the first; -1: all */
    /* Called after every mesh; returns false to stop. May be NULL. */
    bool (*progress)(void *context, const mote_surface_frame *frame);
    void *progress_context;
} mote_surface_run_options;

mote_surface_run_options mote_surface_run_options_default(void);

/* Runs a scene and writes a mesh for each of its frames: of the system "fluid" if there is one,
 * else of the first. The spacing is twice the particles' radius if they have one. */
mote_status mote_surface_scene(const mote_scene *scene, const mote_surface_run_options *options,
                               mote_error *error);

/* The same for stored frames: a result directory, an index (.pvd) or a single file (.vtp, .ply). */
mote_status mote_surface_results(const char *path, const mote_surface_run_options *options,
                                 mote_error *error);

#ifdef __cplusplus
}
#endif
#endif
