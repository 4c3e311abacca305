/*
 * The contact law `bounce`: particles against colliders, resolved after the advance. A particle
 * that has entered a collider gets its normal velocity reversed (times the coefficient of
 * restitution), its tangential velocity reduced by friction, and is projected onto the surface.
 * Friction reduces the tangential displacement of the step by the same factor as the velocity, so
 * that sticking particles stay where they are. Colliders whose law is a force are left out, unless
 * nothing sums forces.
 */
#ifndef MO_COLLIDE_LAW_BOUNCE_H
#define MO_COLLIDE_LAW_BOUNCE_H

#include "collide/reactions.h"
#include "collide/rows.h"

/* What bounces change, and need beside the rows. */
typedef struct mo_bounce_state {
    double *x, *v;
    uint8_t *age;         /* 0 of rows that have been in contact */
    const double *before; /* x at the start of the step */
    double offset;        /* contact begins at this many radii from the surface */
    bool every_law;       /* colliders whose law is a force bounce too: nothing sums forces here */
} mo_bounce_state;

/* The forces of contacts on colliders, mean over a step: the opposite of the momentum that
 * particles got. There is no record for each contact: impulses are resolved where they are found,
 * and only their sums are kept. */
typedef struct mo_bounce_reactions {
    mo_reactions sum; /* of the last step */
    int64_t capacity;
    int64_t *next; /* of each block: the first row whose contacts are not resolved yet */
} mo_bounce_reactions;
void mo_bounce_reactions_release(mo_bounce_reactions *reactions);

/* Resolves all contacts at `time`, after a step of h under gravity g; reactions (NULL: not wanted)
 * are summed. */
mote_status mo_bounce_resolve(mo_colliders *colliders, const mo_contact_rows *rows,
                              const mo_bounce_state *state, double time, double h, double g,
                              mo_bounce_reactions *reactions, mo_contact_count *count,
                              mote_error *error);

#endif
