/*
 * Contacts of curved surfaces within a step.
 *
 * A normal that is kept for a step while the bodies move along a curved surface does work: a ball
 * that swings in a bowl gains energy. The geometry of such contacts is found again in every substep
 * s, as RATTLE needs it: impulses of the position phase along the normal n0 of its start, so that
 * the gap g at its end is closed to second order, and impulses of the velocity phase along the
 * normal at the end. With u = n0 . (relative velocity), the position phase solves
 *
 *     u + g(x)/s + bend >= 0,    bend = (g(x + s v) - g(x) - s u) / s
 *
 * v being the velocities before the solve. A chord of a circle then ends on the circle, has the
 * same angle with the tangents at both ends, and the speed is conserved.
 *
 * Contacts whose normal turns by less than NEGLIGIBLE in the step keep it.
 */
#ifndef MO_RIGID_CURVATURE_H
#define MO_RIGID_CURVATURE_H

#include "geometry/motion/motion.h"
#include "rigid/contact.h"
#include "rigid/motion.h"

/* Replaces the geometry of a contact, given by its index, by that with its bodies at other poses:
 * normal, count, positions, gaps and keys. False: the bodies are farther apart than they can
 * approach in h. Called by several threads at a time. */
typedef struct mo_rigid_geometry {
    void *context;
    bool (*find)(void *context, int64_t index, const mo_pose pose[2], double h,
                 mo_rigid_contact *contact);
} mo_rigid_geometry;

typedef struct mo_rigid_curvature {
    mo_memory *memory;
    mo_rigid_geometry geometry;
    mo_rigid_motion *motion;
    mo_rigid_contact *contacts;
    int32_t *list; /* the curved contacts of the step */
    int64_t count, capacity;
} mo_rigid_curvature;

void mo_rigid_curvature_release(mo_rigid_curvature *curvature);

/* Lists the curved contacts with a movable body. */
mote_status mo_rigid_curvature_begin(mo_rigid_curvature *curvature, mo_rigid_motion *motion,
                                     mo_rigid_contact *contacts, int64_t count, mote_error *error);

/* At the start of a step of h, packed bodies: clears `curved` of contacts whose normal does not
 * turn in it. */
void mo_rigid_curvature_select(mo_rigid_curvature *curvature, mo_pool *pool, double h);

/* Sets `bend` before the position phase, at the present velocities. */
void mo_rigid_curvature_predict(mo_rigid_curvature *curvature, mo_pool *pool, double substep);

/* Normals, positions and gaps after a drift. Positions are moved back by the displacement of their
 * body in the step, and gaps are those that the linear prediction continues: lever arms and gaps
 * follow from them as at the start of the step. */
void mo_rigid_curvature_update(mo_rigid_curvature *curvature, mo_pool *pool, double substep);

/* Lever arms of a contact's point from the centres of mass, for either body. */
static inline void mo_rigid_contact_arms(const mo_rigid_motion *motion, const mo_rigid_contact *c,
                                         const mo_vec3 point[2], mo_vec3 arm[2])
{
    for (int side = 0; side < 2; ++side) {
        int64_t row = c->body[side];
        arm[side] = point[side];
        if (row >= 0) {
            mo_vec3 x = mo_vec3_load(motion->bodies.x + 3 * row);
            if (mo_rigid_movable(&motion->bodies, row)) {
                x = mo_sub(x, mo_vec3_load(motion->displacement + MO_PACK * row));
            }
            arm[side] = mo_sub(point[side], x);
        }
    }
}

#endif
