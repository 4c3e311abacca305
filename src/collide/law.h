/*
 * The family of contact laws of colliders.
 *
 * A law is either resolved after the advance (`bounce`, couple/collider_contact.c), or a force law:
 * a function of depth, relative velocity and tangential displacement, evaluated in every stage and
 * every Newton iteration of the integrator (collide/force_contacts.h finds the contacts,
 * couple/collider_force.c attaches the force). A force law is evaluated for one contact of one
 * particle.
 */
#ifndef MO_COLLIDE_LAW_H
#define MO_COLLIDE_LAW_H

#include "collide/rows.h"

/* The constants of a force law for one collider, determined from the scene. */
typedef struct mo_contact_tuning {
    double stiffness; /* N/m; NaN: from the particle's mass and size, */
    double rate;      /* k = m (rate/size)^2 [m/s] */
    double ratio;     /* damping ratio zeta */
    mo_method friction;
} mo_contact_tuning;

/* The particle of a contact: its mass, and its radius, or half the mesh spacing without one. */
typedef struct mo_contact_particle {
    double mass, size;
} mo_contact_particle;

static inline mo_contact_particle mo_contact_particle_of(const mo_contact_rows *rows, int64_t row)
{
    return (mo_contact_particle){rows->mass[row], 0.5 / rows->inverse_diameter[row]};
}

typedef struct mo_contact_motion {
    double depth; /* radius - gap > 0 [m] */
    mo_vec3 n;    /* unit normal of the surface, towards the particle */
    mo_vec3 w;    /* velocity relative to the collider */
    mo_vec3 s;    /* tangential displacement from the friction anchor, across n */
    double h;     /* the step of the derivatives; 0: none */
} mo_contact_motion;

/* The force on a particle and its derivatives. With P = I - n n^T - t t^T (t = 0: it sticks)
       -df/dx = stiffness n n^T + stiffness_t P,
       -df/dv = damping n n^T + damping_t P + damping_slip t t^T. */
typedef struct mo_contact_response {
    mo_vec3 force;
    double normal_force; /* >= 0 [N] */
    double stiffness, damping, stiffness_t, damping_t, damping_slip;
    mo_vec3 t; /* unit vector of slip; 0 in sticking contact */
    double energy;
    mo_vec3 s; /* the tangential displacement after the return map */
} mo_contact_response;

typedef struct mo_contact_force_law {
    /* `speed`: the largest expected impact speed, > 0, or 0 if unknown. */
    mote_status (*tune)(const void *params, const mo_collider *collider, double speed,
                        mo_contact_tuning *tuning, mote_error *error);
    mo_contact_response (*respond)(const mo_contact_tuning *tuning, mo_contact_particle particle,
                                   const mo_contact_motion *motion);
    /* The largest stiffness [N/m] and damping [kg/s] of a contact of the particle. */
    void (*bound)(const mo_contact_tuning *tuning, mo_contact_particle particle, double *stiffness,
                  double *damping);
} mo_contact_force_law;

typedef struct mo_contact_law_type {
    mo_descriptor base;
    const mo_contact_force_law *force; /* NULL: resolved after the advance */
} mo_contact_law_type;

extern const mo_family mo_contact_laws;

/* The force law of a collider; NULL: bounce. */
static inline const mo_contact_force_law *mo_force_law_of(const mo_collider *collider)
{
    return collider->law.type ? ((const mo_contact_law_type *)collider->law.type)->force : NULL;
}

/* Whether any collider bounces. */
static inline bool mo_colliders_bounce(const mo_colliders *colliders)
{
    bool any = false;
    for (int64_t c = 0; c < colliders->count; ++c) {
        any = any || !mo_force_law_of(&colliders->list[c]);
    }
    return any;
}

#endif
