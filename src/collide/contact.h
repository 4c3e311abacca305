/*
 * Particles against colliders, after the advance: a particle that has entered a solid gets its normal
 * velocity reversed (times the restitution), its tangential one slowed by friction, and is put back on the
 * surface. What friction takes of the velocity it takes of the step's tangential way too, so that what sticks
 * stays in place.
 *
 * In a periodic domain a solid stands in every period: a particle's image in the box is tested with each image of
 * the solid that reaches into the box. One that is inside out holds each particle in its own period. A solid without
 * end along a periodic axis (a plane across it) would fill all periods and is refused.
 */
#ifndef MO_COLLIDE_CONTACT_H
#define MO_COLLIDE_CONTACT_H

#include "geometry/motion/motion.h"
#include "host/def.h"
#include "host/system.h"
#include "integrate/touch.h"

/* What friction needs to know of the start of the step: a column that contacts declare for themselves. */
extern const mo_column_spec mo_contact_column;

typedef struct mo_contacts mo_contacts;

/* By how much a particle's image in the box is moved before it is tested with a solid. */
enum { MO_CONTACT_IMAGES_MAX = 27 };
typedef struct mo_contact_images {
    int count;
    mo_vec3 shift[MO_CONTACT_IMAGES_MAX];
} mo_contact_images;

struct mo_contacts {
    int64_t count;
    const mo_collider_def *colliders;
    bool *projects;                /* what has entered is put back */
    mo_pose *poses, *poses_before; /* at the end and at the start of the step */
    mo_vec3 gravity;
    mo_domain domain;
    bool periodic;
    double radius; /* the largest of a particle */
    mo_contact_images *images;
};

/* What a solid that stands at poses[c] needs. */
void mo_contact_images_find(mo_contacts *contacts, int64_t c);

/* Refuses solids that have no end along a periodic axis. */
mote_status mo_contact_images_check(const mo_contacts *contacts, mote_error *error);

/* Before a step: remembers where the particles are. */
void mo_contacts_begin(const mo_contacts *contacts, mo_system *system);

/* For implicit steps: which rows lie on a solid and press against it, with the accelerations `a` of the state now, and how they are
   held in a step of h from `time` on. See integrate/touch.h. */
mote_status mo_contacts_touch(mo_contacts *contacts, mo_system *system, double time, double h,
                              const double *a, const mo_touch *touch, bool *any, mote_error *error);

/* For states of rest: puts rows that have entered a solid back on its surface, with the solids where they are at `time`; and of the
   forces f, three numbers a row, takes off what solids take up: what presses into them, and across it what friction
   holds. touch->kind says which rows are held and how; on entry it is FREE, or SLIDES of rows that are held along a normal anyway.
   `on` (NULL: none) are the solids that carry a row, MO_CONTACT_ON numbers each, -1 for no more: carry writes them, and put_out
   leads those rows back to them that have left them by sliding in the plane of what is bent. */
enum { MO_CONTACT_ON = 2 };
/* `bend` (NULL: none) gets the derivative of what the solids press with by the way along their surfaces, a symmetric block a row. */
double mo_contacts_farthest(mo_contacts *contacts, double time,
                            mo_vec3 point); /* of all solids, from a point */
void mo_contacts_put_out(mo_contacts *contacts, mo_system *system, double time, int32_t *on);
bool mo_contacts_carry(mo_contacts *contacts, mo_system *system, double time, double *f,
                       const mo_touch *touch, int32_t *on, double *bend);

/* Resolves all contacts of a system at `time`, after a step of size h; counts the particles that touched. */
mote_status mo_contacts_resolve(mo_contacts *contacts, mo_system *system, double time, double h,
                                mote_error *error);

#endif
