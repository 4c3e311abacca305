/*
 * Dry friction between bodies in a static solve. There are no velocities; friction is a spring of
 * the contact's stiffness k against the tangential displacement t since the contact began, up to
 * Coulomb's limit, beyond which the spring slips (the return map of elastoplasticity: P. Wriggers,
 * "Computational Contact Mechanics", 2006, section 5.2.1):
 *     f_t = -k t  if k |t| <= mu f_n,  else  -mu f_n t/|t|.
 * t is its value at the last accepted iterate plus the displacement of the four nodes since. The
 * equilibrium with friction is not unique: it is the first that the iteration reaches. A solve that
 * begins at the final state of the last one (natural frequencies) starts with its friction.
 */
#include "solid/contact/state.h"

#include <math.h>
#include <string.h>

/* A surface with two sides may be in contact with a node more than once: the normals differ. */
static mo_contact_slip *slip_of(const mo_body_contacts *c, int64_t contact)
{
    int64_t point = c->laws[contact].point[0];
    int32_t body = c->points[c->laws[contact].point[1]].body;
    bool two_sided = mo_contact_is_two_sided(c, c->points[point].body, c->laws[contact].triangle);
    mo_contact_slip *list = c->slips + MO_CONTACT_BODIES * point;
    for (int k = 0; k < MO_CONTACT_BODIES; ++k) {
        bool same = list[k].body == body &&
                    (!two_sided || mo_dot(list[k].normal, c->set.list[contact].normal) > 0);
        if (same || list[k].body < 0) {
            return &list[k];
        }
    }
    return NULL;
}

void mo_body_contacts_add_static_friction(const mo_body_contacts *c, int64_t contact,
                                          const double *x)
{
    mo_contact *record = &c->set.list[contact];
    mo_body_contact *t = &c->laws[contact];
    const mo_contact_slip *slip = slip_of(c, contact);
    mo_vec3 s = slip && slip->body >= 0 ? slip->displacement : mo_vec3_make(0, 0, 0);
    for (int i = 0; i < MO_BODY_NODES; ++i) {
        mo_vec3 moved =
            mo_sub(mo_vec3_load(x + 3 * mo_contact_row(record, i)), c->positions[t->point[i]]);
        s = mo_add_scaled(s, mo_contact_weight(record, i), moved);
    }
    s = mo_add_scaled(s, -mo_dot(s, record->normal), record->normal);
    double length = mo_length(s),
           most = c->def.friction * fmax(t->depth, 0); /* of |s|, since f_n = k depth */
    bool slips = length > most;
    t->displacement = slips ? mo_scale(most / length, s) : s;
    t->stiffness_t = slips ? t->k * most / length : t->k;
    t->slip_energy = slips ? t->k * most * (length - 0.5 * most) : 0.5 * t->k * length * length;
    record->force = mo_add_scaled(record->force, -t->k, t->displacement);
}

/* Accepts the iterate x: subsequent tangential displacements are relative to it. */
static void accept_iterate(mo_body_contacts *c, const double *x)
{
    for (int64_t n = 0; n < MO_CONTACT_BODIES * c->point_count; ++n) {
        c->slips[n].body = -1;
    }
    for (int64_t k = 0; k < c->set.count; ++k) {
        const mo_body_contact *t = &c->laws[k];
        int32_t body = c->points[t->point[1]].body;
        mo_contact_slip *slip = slip_of(c, k);
        if (slip) {
            *slip = (mo_contact_slip){body, t->triangle, t->displacement, c->set.list[k].normal};
        }
    }
    for (int64_t p = 0; p < c->point_count; ++p) {
        c->positions[p] = mo_vec3_load(x + 3 * (int64_t)c->points[p].row);
    }
    c->position_count = c->point_count;
}

/* Whether the last solve ended at x. */
static bool is_known(const mo_body_contacts *c, const double *x)
{
    bool same = c->position_count == c->point_count;
    for (int64_t p = 0; p < c->point_count && same; ++p) {
        mo_vec3 moved = mo_sub(mo_vec3_load(x + 3 * (int64_t)c->points[p].row), c->positions[p]);
        same = mo_dot(moved, moved) == 0;
    }
    return same;
}

mote_status mo_body_contacts_accept(void *contacts, const double *x, mote_error *error)
{
    mo_body_contacts *c = contacts;
    bool begins = x && !c->solving, known = begins && is_known(c, x);
    if (begins && !known) {
        void *slips = c->slips, *positions = c->positions;
        mote_status status = mo_grow(c->memory, &slips, &c->slip_capacity, c->point_count,
                                     MO_CONTACT_BODIES * sizeof(mo_contact_slip), error);
        c->slips = slips;
        MO_TRY(status);
        status = mo_grow(c->memory, &positions, &c->position_capacity, c->point_count,
                         sizeof(mo_vec3), error);
        c->positions = positions;
        MO_TRY(status);
        c->set.count = 0;
    }
    c->solving = x != NULL;
    if (x && !known) {
        accept_iterate(c, x);
    }
    c->recording = x && c->two_sided; /* sides follow the iterates */
    return MOTE_OK;
}
