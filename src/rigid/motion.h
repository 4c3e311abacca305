/*
 * Bodies in a substep: packed velocities and displacements, kicks and drifts.
 *
 * The sweeps over contacts load both bodies of four contacts at a time, so the velocities of a body
 * are one cache line: (v, 1/m) and (w, 0). The row behind the last body is the fixed frame of the
 * world. Inverse inertia tensors are those of the start of the step, and rotations of a step are
 * summed as a vector: gaps are linear in it, exact for spheres that roll on planes (other curved
 * surfaces: curvature.h).
 *
 * Impulses of a substep are the initial guess of the next one. Their effect on a body is the change
 * of its velocity in the sweeps: half of it is added with every kick, without a pass over contacts.
 */
#ifndef MO_RIGID_MOTION_H
#define MO_RIGID_MOTION_H

#include "base/pool.h"
#include "rigid/bodies.h"

enum { MO_PACK = 8 }; /* doubles of a row of a packed array: a cache line */

typedef struct mo_rigid_motion {
    mo_memory *memory;
    mo_rigid_bodies bodies;
    int64_t capacity;     /* rows of the arrays below */
    double *velocity;     /* (v, 1/m), (w, 0) */
    double *displacement; /* since the start of the step: (dx, 0), (rotation vector, 0) */
    double *warm;         /* changes of v and w by the impulses of the substep before */
    double *mark;         /* v and w before the sweeps of a phase */
    double *sum;          /* changes of v and w in this substep */
    double *inertia;      /* inverse tensor in the frame of the world: xx yy zz xy xz yz, 0 0 */
    uint8_t *active; /* bodies that the solver advances: 1 by sweeps, 2 directly, without warm[] */
    int32_t *list;   /* ... and their rows */
    int64_t list_count;
} mo_rigid_motion;

mote_status mo_rigid_motion_begin(mo_rigid_motion *motion, const mo_rigid_bodies *bodies,
                                  mote_error *error);
void mo_rigid_motion_release(mo_rigid_motion *motion);

/* The present pose of a body; -1: the fixed frame. Prescribed bodies are at the caller's pose of
 * the start of the step, to which the displacement of the step is added. */
void mo_rigid_motion_pose(const mo_rigid_motion *motion, int32_t body, mo_vec3 *x, mo_quat *q);

/* After the active bodies are marked: the list, and packed rows. */
void mo_rigid_motion_pack(mo_rigid_motion *motion, mo_pool *pool);

/* v += s/2 a and half of the impulses of the substep before. */
void mo_rigid_motion_first_kick(mo_rigid_motion *motion, mo_pool *pool, double s);

/* x += s v, free rotation; then the second kick. */
void mo_rigid_motion_drift(mo_rigid_motion *motion, mo_pool *pool, double s);

/* The impulses of the substep become the initial guess of the next one. */
void mo_rigid_motion_end_substep(mo_rigid_motion *motion, mo_pool *pool);

/* Moves the pose of a body by s at velocities v and w, as the drift does. */
void mo_rigid_motion_move(const mo_rigid_motion *motion, int32_t body, mo_vec3 v, mo_vec3 w,
                          double s, mo_vec3 *x, mo_quat *q);

/* Velocities back to the bodies. */
void mo_rigid_motion_unpack(mo_rigid_motion *motion, mo_pool *pool);

#endif
