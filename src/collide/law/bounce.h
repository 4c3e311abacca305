/*
 * The contact law `bounce`: particles against colliders, resolved after the advance. A penetrating
 * particle gets its normal velocity reversed (times the coefficient of restitution), its tangential
 * velocity reduced by friction, and is projected onto the surface. Friction reduces the tangential
 * displacement of the step by the same factor as the velocity, so that sticking particles do not
 * move. Colliders with a force law are excluded, unless the system has no forces.
 */
#ifndef MO_COLLIDE_LAW_BOUNCE_H
#define MO_COLLIDE_LAW_BOUNCE_H

#include "collide/reactions.h"
#include "collide/rows.h"

/* State changed by bounces, and further input. */
typedef struct mo_bounce_state {
    double *x, *v;
    uint8_t *age;         /* set to 0 for rows in contact */
    const double *before; /* x at the start of the step */
    double offset;        /* contact begins at this many radii from the surface */
    bool every_law;       /* include colliders with a force law: the system has no forces */
} mo_bounce_state;

/* The mean contact forces on colliders over a step: opposite to the momentum gained by
 * particles. Impulses are resolved as they are found and only summed, without records. */
typedef struct mo_bounce_reactions {
    mo_reactions sum; /* of the last step */
    int64_t capacity;
    int64_t *next; /* per block: the first row with unresolved contacts */
} mo_bounce_reactions;
void mo_bounce_reactions_release(mo_bounce_reactions *reactions);

/* Resolves all contacts at `time`, after a step of h under gravity g; reactions (NULL: not
 * requested) are summed. */
mote_status mo_bounce_resolve(mo_colliders *colliders, const mo_contact_rows *rows,
                              const mo_bounce_state *state, double time, double h, double g,
                              mo_bounce_reactions *reactions, mo_contact_count *count,
                              mote_error *error);

#endif
