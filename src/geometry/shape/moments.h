/*
 * Moments of a solid of density 1: volume, centroid, and the second moment about the centroid,
 *     M = integral of r r^T dV,    r = x - centroid.
 * The inertia tensor of density rho is rho (tr(M) 1 - M). Central moments are kept, and not those
 * about the origin, so that a small solid far from the origin loses no digits.
 */
#ifndef MO_GEOMETRY_SHAPE_MOMENTS_H
#define MO_GEOMETRY_SHAPE_MOMENTS_H

#include "geometry/trimesh/trimesh.h"
#include "math/mat3.h"

typedef struct mo_volume_moments {
    double volume;
    mo_vec3 center;
    mo_mat3 second; /* symmetric */
} mo_volume_moments;

/* A solid with axes of symmetry along x, y and z and the mean squares of the distance from the
 * centroid along them; and one of revolution about a unit axis. */
mo_volume_moments mo_moments_aligned(double volume, mo_vec3 center, mo_vec3 square);
mo_volume_moments mo_moments_revolved(double volume, mo_vec3 center, mo_vec3 axis, double along,
                                      double across);

/* Of several solids together; overlaps count twice. */
mo_volume_moments mo_moments_sum(int64_t count, const mo_volume_moments *parts);

/* Scaled by `scale`, rotated by R, then translated by `translate`. */
mo_volume_moments mo_moments_moved(const mo_volume_moments *moments, double scale, mo_mat3 R,
                                   mo_vec3 translate);

/* The solid within a closed surface, exactly: sums over the tetrahedra between a point and its
 * triangles (F. Tonon 2005, J. Math. Stat. 1, 8, eqs. 4-6). */
mo_volume_moments mo_moments_of_mesh(const mo_trimesh *mesh);

#endif
