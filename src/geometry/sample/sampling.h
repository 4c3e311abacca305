/*
 * Boundary particles: samples of a solid's surface, one layer at a distance of a spacing (Akinci,
 * Ihmsen, Akinci, Solenthaler, Teschner 2012).
 *
 * Guarantees for a spacing D: no point of the surface is farther than 0.75 D from a sample, and no
 * two samples are closer than 0.6 D. On solids smaller than two spacings the former is relaxed to
 * 0.9 D. Solids thinner than 0.6 D have one layer at mid-thickness.
 *
 * Shapes have their own sampling (mo_shape_type.sample): a box has the lattice points of its
 * surface when its sides are multiples of the spacing, and evenly spaced points otherwise; a sphere
 * a spiral; a mesh, and any other shape, uses mo_sample_mesh. Sampling is deterministic on any
 * machine and number of threads.
 *
 * Samples are in the frame of the shape.
 *
 * In two dimensions the section of the shape with the plane z = 0 is sampled, with the contour as
 * surface and lengths as areas.
 */
#ifndef MO_GEOMETRY_SAMPLE_SAMPLING_H
#define MO_GEOMETRY_SAMPLE_SAMPLING_H

#include "base/pool.h"
#include "geometry/motion/motion.h"
#include "geometry/trimesh/trimesh.h"

#define MO_SAMPLE_REACH 0.75 /* largest distance from the surface to a sample, in spacings */
#define MO_SAMPLE_APART 0.6  /* smallest distance of two samples */

typedef struct mo_samples {
    mo_memory *memory;
    int64_t count, capacity;
    double *x;      /* three components per sample */
    double *normal; /* three components per sample, unit outward normal */
    double *area;   /* area of each sample; they sum to the surface area */
} mo_samples;

typedef struct mo_sampling {
    double spacing;
    int dimension;     /* 3 or 2 */
    mo_vec3 low, high; /* clipping box; unbounded shapes need a bounded one */
    bool inside;       /* a container: normals point inward */
    mo_pool *pool;     /* may be NULL */
} mo_sampling;

/* Defaults: no clipping, not a container, no pool. */
mo_sampling mo_sampling_make(double spacing, int dimension);

void mo_samples_init(mo_samples *samples, mo_memory *memory);
void mo_samples_release(mo_samples *samples);

/* These append samples; on failure nothing is added. */
/* Any triangle mesh, closed or open; `name` is for messages. */
mote_status mo_sample_mesh(const mo_trimesh *mesh, const char *name, const mo_sampling *how,
                           mo_samples *samples, mote_error *error);

/* The contour of a closed mesh in the plane z = 0, in two dimensions. */
mote_status mo_sample_section(const mo_trimesh *mesh, const mo_sampling *how, mo_samples *samples,
                              mote_error *error);

/* Completes the samples of a surface from `first` on: removes those outside the box of `how`,
 * and reverses the normals of a container. */
void mo_samples_finish(mo_samples *samples, int64_t first, const mo_sampling *how);

/* ---- for shapes ---- */

mote_status mo_samples_add(mo_samples *samples, mo_vec3 x, mo_vec3 normal, double area,
                           mote_error *error);

/* The number of steps of a length: steps of at most 1.06 spacings (half the diagonal of such a
 * square is 0.75) and at least 0.6; exact multiples are kept; 0: a point. */
int64_t mo_sample_steps(double length, double spacing);

/* Fails if there are too many samples. */
mote_status mo_sample_count_check(double count, const mo_sampling *how, mote_error *error);

/* A straight line from a to b, including both ends, with a constant normal. */
mote_status mo_sample_line(mo_vec3 a, mo_vec3 b, mo_vec3 normal, const mo_sampling *how,
                           mo_samples *samples, mote_error *error);

#endif
