/*
 * Warnings about rebounds that implicit steps damp or do not resolve. An impact is half an
 * oscillation: of a contact spring, or of an elastic body, in which a pressure wave runs to the far
 * end and back. A scheme with the amplification |xi(omega h)| reduces the speed of the rebound to
 * |xi(pi h/T)|^(T/h), with the duration T of the impact.
 */
#ifndef MO_COUPLE_IMPACT_ADVICE_H
#define MO_COUPLE_IMPACT_ADVICE_H

#include "host/coupling.h"

/* Warns if steps of h lose a fifth of the rebound, or have fewer than five in an impact. `what`
 * lasts for `duration`. */
void mo_advise_on_impact(const mo_coupling *coupling, const mo_collider *collider, const char *what,
                         double duration, double h);

/* Elastic bodies on colliders with restitution and the contact law `bounce`:
 * mo_coupling_type.advise. */
mote_status mo_impact_advice_bounces(mo_coupling *coupling, double h, mote_error *error);

#endif
