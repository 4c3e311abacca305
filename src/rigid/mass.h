/*
 * Mass properties of a rigid body: mass, centre of mass, and the inertia tensor about it. Exact for
 * shapes with known moments (geometry/shape/moments.h) and closed meshes, summed for particles.
 * Compounds are sums of parts, each with its own density.
 */
#ifndef MO_RIGID_MASS_H
#define MO_RIGID_MASS_H

#include "geometry/shape/moments.h"
#include "math/quat.h"

typedef struct mo_mass_properties {
    double mass;
    mo_vec3 center;
    mo_mat3 inertia; /* about the centre of mass, in the frame of the parts */
} mo_mass_properties;

mo_mass_properties mo_mass_of_solid(const mo_volume_moments *moments, double density);

/* Particles of a rigid body: x_g = sum m x / M, I = -sum m r~ r~ with r = x - x_g. Three
 * components of x each. */
mo_mass_properties mo_mass_of_particles(int64_t count, const double *x, const double *mass);

/* The same distribution with another total mass. */
mo_mass_properties mo_mass_scaled(const mo_mass_properties *properties, double mass);

/* Principal moments, and the rotation from the frame of the principal axes to the frame of the
 * tensor. The frame nearest to that of the tensor is chosen: a tensor that is diagonal already has
 * the identity. */
typedef struct mo_principal_axes {
    mo_vec3 moments;
    mo_quat turn;
} mo_principal_axes;
mo_principal_axes mo_principal_axes_of(mo_mat3 inertia);

#endif
