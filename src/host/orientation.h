/*
 * Oriented rows: quaternion, angular velocity, moments of inertia, torque. Their rotation is the
 * second segment of a system's dynamics, four components per row, advanced by the integrator
 * (integrate/rotation.h).
 */
#ifndef MO_HOST_ORIENTATION_H
#define MO_HOST_ORIENTATION_H

#include "host/system.h"
#include "math/quat.h"

mote_status mo_orientation_declare(mo_system *system, mote_error *error);

/* One row: the angular velocity is in its own frame; inertia 0 = not oriented. */
void mo_orientation_set(mo_system *system, int64_t row, mo_quat q, mo_vec3 w, mo_vec3 inertia);

/* Before the forces: angular velocities from the quaternions in the slots, and zero torques. */
void mo_orientation_begin(mo_system *system, const double *q, const double *rate);

/* After the forces: the second derivatives of the rows [first, last) from the torques, w' = I^-1
 * (tau - w x I w) in the body frame. */
void mo_orientation_accelerate(const mo_system *system, const double *q, double *acceleration,
                               int64_t first, int64_t last);

/* After the step: normalises quaternions, makes rates orthogonal to them, and computes the
 * angular velocities. */
void mo_orientation_finish(mo_system *system);

/* Adds rotational energy and spin angular momentum of the rows [first, last). */
void mo_orientation_measure(const mo_system *system, int64_t first, int64_t last, double *kinetic,
                            double spin[3]);

#endif
