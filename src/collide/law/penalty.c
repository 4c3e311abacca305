/*
 * The penalty law: a linear spring and damper on the gap, and Coulomb friction by a tangential
 * spring with an anchor (P. A. Cundall, O. D. L. Strack 1979, Geotechnique 29, 47). With the depth
 * d = r - gap > 0, relative velocity w, normal n and tangential displacement s from the anchor:
 *    f_n = k d - c w.n >= 0,       c = 2 zeta sqrt(k m),
 *    T   = k s + c w_t,            f_t = -T if |T| <= mu f_n,  else -mu f_n T/|T|.
 * Return map after a step (S. Luding 2008, Granular Matter 10, 235): in slip the anchor moves until
 * k s' + c w_t = mu f_n T/|T|.
 *
 * Restitution. Since f_n >= 0, contact ends before d = 0, and (T. Schwager, T. Poeschel 2007,
 * Granular Matter 9, 465) e = exp(-2 zeta acos(zeta)/sqrt(1 - zeta^2)), zeta < 1, solved for zeta
 * here; zeta is at most 1, with e = exp(-2). Stiffness. By default k = m (v/(p r))^2: an undamped
 * impact at v, the largest speed expected from the scene, penetrates by the fraction p of the
 * radius, independent of the step.
 *
 * The Jacobian is symmetric and semi-definite: it neglects the dependence of the friction limit on
 * f_n and of n on x. docs/contact.md describes it.
 */
#include "collide/friction/friction.h"
#include "collide/law.h"

#include <math.h>

static const double PENETRATION = 0.1;

typedef struct penalty {
    double stiffness, penetration, damping;
} penalty;

static const mo_param PARAMS[] = {
    {"stiffness", MO_REAL, MO_FIELD(penalty, stiffness), .unit = "N/m", .range = "(0, inf)",
     .doc = "Stiffness k of the contact spring, of every particle. Default: from `penetration`."},
    {"penetration", MO_REAL, MO_FIELD(penalty, penetration), .range = "(0, 1]",
     .doc =
         "Depth of an undamped impact at the largest speed expected from the scene, as a fraction of the "
         "particle's radius (0.1 by default); sets k = m (speed/(penetration radius))^2."},
    {"damping", MO_REAL, MO_FIELD(penalty, damping), .range = "[0, inf)",
     .doc = "Damping ratio zeta, c = 2 zeta sqrt(k m). Default: from the collider's restitution; 1 "
            "(critical damping) for restitutions below 0.135."},
    {0}};

static mote_status penalty_check(const void *params, mote_error *error)
{
    const penalty *p = params;
    if (!isnan(p->stiffness) && !isnan(p->penetration)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "penetration: it has no effect beside `stiffness`; give one of the two");
    }
    return MOTE_OK;
}

/* The coefficient of restitution of an impact, 0 <= zeta < 1. */
static double restitution_of(double zeta)
{
    return exp(-2 * zeta * acos(zeta) / sqrt(1 - zeta * zeta));
}

static double ratio_of(double restitution)
{
    double low = 0, high = 1;
    if (!(restitution > exp(-2))) {
        return 1;
    }
    for (int k = 0; k < 60; ++k) { /* e decreases with zeta; 60 bisections reach rounding */
        double middle = 0.5 * (low + high);
        *(restitution_of(middle) > restitution ? &low : &high) = middle;
    }
    return restitution >= 1 ? 0 : low;
}

static mote_status penalty_tune(const void *params, const mo_collider *collider, double speed,
                                mo_contact_tuning *tuning, mote_error *error)
{
    const penalty *p = params;
    double fraction = isnan(p->penetration) ? PENETRATION : p->penetration;
    if (isnan(p->stiffness) && !(speed > 0)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "stiffness: there is no default here, since without initial motion and gravity the "
            "impact speed is unknown; give a number, about m (v/(0.1 radius))^2");
    }
    if (!isnan(p->damping) && collider->restitution > 0) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "damping: it replaces the collider's `restitution`, which has no effect beside it; "
            "give one of the two");
    }
    *tuning = (mo_contact_tuning){.stiffness = p->stiffness,
                                  .rate = speed / fraction,
                                  .ratio = isnan(p->damping) ? ratio_of(collider->restitution)
                                                             : p->damping,
                                  .friction = collider->friction};
    return MOTE_OK;
}

static void constants(const mo_contact_tuning *t, mo_contact_particle p, double *k, double *c)
{
    double omega = t->rate / p.size;
    *k = isnan(t->stiffness) ? p.mass * omega * omega : t->stiffness;
    *c = 2 * t->ratio * sqrt(*k * p.mass);
}

/* Secant damping along the slip, mu f_n/|w_t|, where the friction at the start of the step, mu
 * f_n h/m, exceeds the slip speed and would reverse it. At most ten times m/h, so that a
 * sticking contact may begin to slip. */
static double slip_damping(const mo_contact_motion *m, double mass, mo_vec3 w_t, double force)
{
    double change = m->h * force / mass, speed = mo_length(w_t);
    return change > speed ? force / fmax(speed, 0.1 * change) : 0;
}

/* Coulomb friction against the trial force T; in slip along T/|T|. */
static void add_friction(const mo_contact_tuning *t, const mo_contact_motion *m, double mass,
                         double k, double c, mo_vec3 w_t, mo_contact_response *r)
{
    const mo_friction_type *friction = (const mo_friction_type *)t->friction.type;
    mo_vec3 trial = mo_add_scaled(mo_scale(k, m->s), c, w_t);
    double size = mo_length(trial), most = friction->limit(t->friction.params, r->normal_force);
    /* at the limit, where the return map leaves it, slip continues unless the motion reverses:
     * the derivative is that of slip, or a scheme linearised at the start of a step would stick */
    bool slips = size > most || (size > (1 - 1e-9) * most && mo_dot(trial, w_t) > 0);
    double part = size > most ? most / size : 1, length = mo_length(m->s), bound = most / k;
    r->t = slips ? mo_scale(1 / size, trial) : mo_vec3_make(0, 0, 0);
    r->force = mo_add_scaled(r->force, -part, trial);
    r->stiffness_t = part * k;
    r->damping_t = part * c;
    r->damping_slip = slips ? slip_damping(m, mass, w_t, most) : 0;
    /* the energy of the spring, and beyond the limit the work of slip, so that -dE/ds = f_t */
    r->energy += length > bound ? most * (length - 0.5 * bound) : 0.5 * k * length * length;
    r->s = slips ? mo_scale(1 / k, mo_add_scaled(mo_scale(part, trial), -c, w_t)) : m->s;
}

static mo_contact_response penalty_respond(const mo_contact_tuning *t, mo_contact_particle p,
                                           const mo_contact_motion *m)
{
    double k, c, speed = mo_dot(m->w, m->n);
    constants(t, p, &k, &c);
    double normal_force = k * m->depth - c * speed;
    mo_contact_response r = {.energy = 0.5 * k * m->depth * m->depth, .s = m->s};
    if (normal_force > 0) { /* otherwise the damper would be in tension */
        r.normal_force = normal_force;
        r.force = mo_scale(normal_force, m->n);
        r.stiffness = k;
        r.damping = c;
    }
    if (mo_friction_acts(t->friction)) {
        add_friction(t, m, p.mass, k, c, mo_add_scaled(m->w, -speed, m->n), &r);
    }
    return r;
}

static void penalty_bound(const mo_contact_tuning *t, mo_contact_particle p, double *stiffness,
                          double *damping)
{
    constants(t, p, stiffness, damping);
}

static const mo_contact_force_law FORCE = {
    .tune = penalty_tune, .respond = penalty_respond, .bound = penalty_bound};

const mo_contact_law_type mo_contact_law_penalty = {
    .base =
        {.name = "penalty",
         .summary = "Penalty force: spring and damper on the gap with Coulomb friction.",
         .citation =
             "P. A. Cundall, O. D. L. Strack 1979, Geotechnique 29, 47; T. Schwager, T. Poeschel "
             "2007, Granular Matter 9, 465",
         .param_size = sizeof(penalty),
         .params = PARAMS,
         .check = penalty_check},
    .force = &FORCE,
};
