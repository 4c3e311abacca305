/*
 * Contacts of faces and edges of position-based bodies with colliders, between the nodes: a corner
 * or a small ball must not show through a triangle whose nodes are outside of it.
 *
 * The gap f of a convex collider is a convex function. With the gaps f_i and the normals n_i at the
 * corners of a triangle it is at least
 *     sum b_i f_i - sum_(i<j) b_i b_j c_ij,      c_ij = (n_j - n_i) . (x_j - x_i) >= 0,
 * at barycentric coordinates b, the mean of the tangent planes. Where that is above half the radius
 * of the nodes the triangle needs no contact of its own: on planes, and on bodies larger than about
 * ten edges. Elsewhere its nearest point is found by projections between triangle and collider (W.
 * Cheney, A. A. Goldstein 1959, Proc. AMS 10, 448), and is a constraint at this point like that of
 * a node. Of non-convex colliders (meshes) this is an estimate; containers have no such contacts.
 */
#ifndef MO_SYSTEM_CONSTRAINTS_FACE_CONTACTS_H
#define MO_SYSTEM_CONSTRAINTS_FACE_CONTACTS_H

#include "system/constraints/collider_contacts.h"
#include "system/constraints/constraint_contacts.h"

typedef struct mo_face_contact {
    int32_t row[3];
    int32_t collider;
    double weight[3];
    mo_vec3 normal;
    double offset; /* normal . point >= offset */
    double mobility;
    double push;  /* multiplier */
    mo_vec3 drag; /* of friction */
} mo_face_contact;

typedef struct mo_face_contacts {
    mo_memory *memory;
    int64_t gap_capacity, contact_capacity, flag_capacity;
    double *gaps;   /* of the rows to one collider: gap and normal */
    uint8_t *flags; /* of cells: whether they may be in contact */
    int64_t count;
    mo_face_contact *list;
} mo_face_contacts;

void mo_face_contacts_release(mo_face_contacts *faces);

/* After mo_collider_contacts_find, whose poses and positions it uses. */
mote_status mo_face_contacts_find(mo_face_contacts *faces, const mo_collider_contacts *nodes,
                                  const mo_constraint_contacts *surfaces, mote_error *error);

void mo_face_contacts_project(mo_face_contacts *faces, const mo_collider_contacts *nodes);

/* Appends the contacts that have acted, with forces times `share`, to a set. */
mote_status mo_face_contacts_record(const mo_face_contacts *faces,
                                    const mo_collider_contacts *nodes, double share,
                                    mo_contact_set *set, mote_error *error);

#endif
