/*
 * Detection of contacts between deformable bodies: a family of methods. Every method gives the
 * same records (nodes on triangles, with a normal and a distance), so that forces, friction and
 * Jacobians are the same for all.
 */
#ifndef MO_SOLID_CONTACT_DETECTION_H
#define MO_SOLID_CONTACT_DETECTION_H

#include "base/param.h"
#include "base/pool.h"

struct mo_body_contacts;

typedef struct mo_contact_detection_type {
    mo_descriptor base;
    bool volumes; /* finds nodes in tetrahedra: contact begins where bodies overlap, not at `gap` */
    /* Fills c->found with the contacts of every point at x. */
    mote_status (*find)(struct mo_body_contacts *c, const double *x, mo_pool *pool,
                        mote_error *error);
} mo_contact_detection_type;

extern const mo_family mo_contact_detections;
extern const mo_contact_detection_type mo_contact_detection_surface; /* the default */

#endif
