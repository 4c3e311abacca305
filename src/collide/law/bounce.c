/*
 * The contact law `bounce` is no force: contacts are resolved after the advance, by the coupling of
 * a system with the colliders (couple/collider_contact.c).
 */
#include "collide/law.h"

static const mo_param PARAMS[] = {{0}};

const mo_contact_law_type mo_contact_law_bounce = {
    .base =
        {.name = "bounce",
         .summary =
             "Impulses after the step: restitution at the time of impact, friction, projection.",
         .capabilities = MO_PORTABLE,
         .params = PARAMS},
};
