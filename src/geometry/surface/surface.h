/*
 * The family of surface reconstructions: from particles to a field whose zero level set is the
 * surface.
 *
 * A method turns every particle into a splat (splat.h). The other stages are common to all methods:
 * splats onto a sparse grid (splat_field.h), the zero level set as triangles
 * (geometry/grid/isosurface.h), smoothing (geometry/trimesh/trimesh.h).
 *
 * Methods work in units of the particles' spacing, so that a particle's volume is 1 and results are
 * scale-invariant.
 */
#ifndef MO_GEOMETRY_SURFACE_H
#define MO_GEOMETRY_SURFACE_H

#include "base/param.h"
#include "geometry/surface/splat.h"
#include "geometry/trimesh/trimesh.h"

typedef struct mo_cloud {
    int64_t count;
    const double *x; /* finite */
    double spacing;
    const double *normal; /* axes of oriented particles, zero without; NULL: none is oriented */
} mo_cloud;

typedef struct mo_surface_type {
    mo_descriptor base; /* its parameters begin with a mo_surface_common */
    mo_splat_rule rule;
    /* The level that puts the surface of a half-space half a spacing above the topmost
     * particles. */
    double (*level)(const void *params);
    /* splat[row] for every particle. */
    mote_status (*splat)(const void *params, const mo_cloud *cloud, mo_memory *memory,
                         mo_pool *pool, mo_splat *splat, mote_error *error);
    /* Instead of splats: triangles between particles, a manifold with borders. Its vertices are
     * particles, row[vertex] of the cloud, with their axes as normals. */
    mote_status (*mesh)(const void *params, const mo_cloud *cloud, mo_pool *pool, mo_trimesh *mesh,
                        int32_t *row, mote_error *error);
} mo_surface_type;

extern const mo_family mo_surfaces;

/* Parameters of every method. */
typedef struct mo_surface_common {
    double cell;
    double threshold; /* NaN: level() */
    int64_t smooth;
} mo_surface_common;

#define MO_SURFACE_PARAMS(type) \
    {"cell", \
     MO_REAL, \
     MO_FIELD(type, common.cell), \
     .initial = "0.5", \
     .range = "[0.05, 2]", \
     .doc = "Grid cell width, in spacings."}, \
        {"threshold", MO_REAL, MO_FIELD(type, common.threshold), .range = "(0, 10]", \
         .doc = \
             "Iso-value of the surface; by default chosen to preserve the fluid volume of a flat " \
             "surface."}, \
    { \
        "smooth", MO_INT, MO_FIELD(type, common.smooth), \
            .initial = "0", .range = "[0, 1000]", \
            .doc = "Number of volume-preserving smoothing iterations (Taubin 1995)." \
    }

enum { MO_SURFACE_COMPONENTS_MAX = 16 };

/* A particle column interpolated to the vertices by a weighted average, in vertex order. */
typedef struct mo_surface_interpolated {
    const mote_column *column; /* F64 or any other type; `rows` is the number of particles */
    /* components per vertex; allocated by mo_surface_make in the mesh's memory */
    double *out;
} mo_surface_interpolated;

/* Value k of a column of any type. */
double mo_surface_number(const mote_column *column, int64_t k);

typedef struct mo_surface_task {
    mo_cloud cloud;
    mo_method method;
    int interpolated_count;
    mo_surface_interpolated *interpolated;
} mo_surface_task;

/* The mesh of a cloud: manifold, oriented, closed unless the method has `mesh`; empty if there are
 * no particles. */
mote_status mo_surface_make(const mo_surface_task *task, mo_pool *pool, mo_trimesh *mesh,
                            mo_trimesh_report *report, mote_error *error);

/* The median distance of particles to their nearest neighbours, over a sample; coincident particles
 * are ignored. An input error if it is undefined. */
mote_status mo_spacing_estimate(int64_t count, const double *x, mo_pool *pool, double *spacing,
                                mote_error *error);

#endif
