/*
 * Particles against colliders, after the advance: a particle that has entered a solid gets its normal
 * velocity reversed (times the restitution), its tangential one slowed by friction, and is put back on the
 * surface.
 */
#ifndef MO_WORLD_CONTACT_H
#define MO_WORLD_CONTACT_H

#include "geometry/motion/motion.h"
#include "world/def.h"
#include "world/system.h"

typedef struct mo_contacts {
    int64_t count;
    const mo_collider_def *colliders;
    mo_pose *poses; /* at the time of the last resolve */
    mo_vec3 gravity;
} mo_contacts;

/* Resolves all contacts of a system at `time`, after a step of size h; counts the particles that touched. */
mote_status mo_contacts_resolve(mo_contacts *contacts, mo_system *system, double time, double h,
                                mote_error *error);

#endif
