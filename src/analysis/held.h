/*
 * Active contacts of a static equilibrium, for the static solve (static.c) and modal analysis
 * (modes.c): solids that rows lie on and press against, and the plane of plane bodies, which know
 * no third axis. Both leave a row a plane, a line or nothing to move in (collide/active.h).
 */
#ifndef MO_ANALYSIS_HELD_H
#define MO_ANALYSIS_HELD_H

#include "collide/contact_set.h"
#include "system/forces/state.h"
#include "world/world.h"

typedef struct mo_held {
    mo_colliders *solids; /* NULL: none */
    bool flat_any;
    double across; /* the force that their plane took up at the last look [N] */
    uint8_t *flat; /* of each row: it moves in the x-y plane alone */
    mo_touch touch;
    /* the solids that carry each row (contact.h), at the last look and at mo_held_keep */
    int32_t *on, *kept;
    double *bend; /* nine components per row (contact.h) */
    mo_work work;
} mo_held;

/* Warns where solids are there but not felt. */
mote_status mo_held_open(mo_held *held, mote_world *world, mo_system *system, double time,
                         mote_error *error);
void mo_held_close(mo_held *held, mote_world *world);

/* Which rows of the state as it is are held, by the forces f on them, three components per row;
 * takes off f what holds them take up. NULL: none is. */
const mo_touch *mo_held_look(mo_held *held, mo_system *system, double time, double *f);

/* The contacts that support the state as it is under these forces, with the forces in them,
 * appended to a set; changes f likewise. */
mote_status mo_held_contacts(mo_held *held, mo_system *system, double time, double *f,
                             mo_contact_set *set, mote_error *error);

/* Rows that are carried now are led along the surfaces that carry them until this is called
 * again. */
void mo_held_keep(mo_held *held, const mo_system *system);
void mo_held_put_out(mo_held *held, mo_system *system, double time);

/* Tells the forces where a search is now (mo_force_statics.accept); x NULL: it has ended. */
mote_status mo_held_tell(const mo_system *system, const double *x, mote_error *error);

/* Takes off A = -K what solids that are bent add to K for rows that slide on them; if it must be
 * `definite`, not what softens it. */
void mo_held_bend(const mo_held *held, const mo_touch *touch, mo_block_matrix *m, bool definite);

/* The system that static equilibrium and modes are found of; refuses worlds without one and
 * first-order dynamics. */
mote_status mo_world_find_forces(mote_world *world, mo_system **system, mote_error *error);

/* Whether the world has what mote_world_solve_static and mote_world_modes work on; nothing is
 * changed. */
mote_status mo_world_check_static(mote_world *world, mote_error *error);

#endif
