#include "couple/contact_force.h"

#include <math.h>

mo_contact_rows mo_contact_force_rows(const mo_contact_force *s)
{
    mo_contact_rows rows = mo_system_contact_rows(s->system);
    rows.v = mo_system_first_order(s->system) ? NULL : rows.v;
    return rows;
}

/* ---- the force ---- */

static mote_status contact_force_prepare(void *instance, const mo_force_args *args, mo_pool *pool,
                                         mote_error *error)
{
    mo_contact_force *s = instance;
    mo_contact_rows rows = mo_contact_force_rows(s);
    rows.count = args->rows;
    rows.x = args->x;
    rows.v = rows.v && !s->solving ? args->v : NULL; /* no velocities in static equilibrium */
    rows.mass = args->mass;
    rows.pool = pool;
    s->time = args->time;
    s->contacts.x_begin = s->implicit && !s->solving ? mo_f64(s->system->columns.x) : NULL;
    return mo_force_contacts_find(&s->contacts, &rows, args->time, error);
}

static void contact_force_add(const void *instance, const mo_force_args *args, int64_t first,
                              int64_t last)
{
    const mo_force_contacts *c = &((const mo_contact_force *)instance)->contacts;
    for (int64_t k = mo_force_contacts_of(c, first); k < mo_force_contacts_of(c, last); ++k) {
        double *f = args->f + 3 * c->set.list[k].side[0].row[0];
        mo_vec3_store(f, mo_add(mo_vec3_load(f), c->set.list[k].force));
    }
}

static double contact_force_energy(const void *instance, const mo_force_args *args, int64_t first,
                                   int64_t last)
{
    const mo_force_contacts *c = &((const mo_contact_force *)instance)->contacts;
    double sum = 0;
    (void)args;
    for (int64_t k = mo_force_contacts_of(c, first); k < mo_force_contacts_of(c, last); ++k) {
        sum += c->list[k].response.energy;
    }
    return sum;
}

/* One contact per particle with the stiffest collider, as any may occur; more where there are
 * more. The block of a contact does not couple rows, and k is its largest eigenvalue. */
static void add_bound(const mo_contact_force *s, int64_t first, int64_t last, bool damping,
                      double *bound)
{
    const mo_force_contacts *c = &s->contacts;
    const mo_contact_rows rows = mo_contact_force_rows(s);
    int64_t at = mo_force_contacts_of(c, first);
    for (int64_t row = first; row < last; ++row) {
        mo_contact_particle p = mo_contact_particle_of(&rows, row);
        double most = 0, sum = 0, own[2];
        for (int64_t l = 0; l < c->law_count; ++l) {
            c->laws[l].law->bound(&c->laws[l].tuning, p, &own[0], &own[1]);
            most = fmax(most, own[damping]);
        }
        for (; at < mo_force_contacts_of(c, last) && c->set.list[at].side[0].row[0] == row; ++at) {
            const mo_force_collider *l = &c->laws[c->list[at].law];
            l->law->bound(&l->tuning, p, &own[0], &own[1]);
            sum += own[damping];
        }
        for (int k = 0; k < 3 && rows.inverse_mass[row] > 0; ++k) {
            bound[3 * row + k] += fmax(most, sum);
        }
    }
}

static void contact_force_stiffness(const void *instance, const mo_force_args *args, int64_t first,
                                    int64_t last, double *bound)
{
    (void)args;
    add_bound(instance, first, last, false, bound);
}

static void contact_force_damping(const void *instance, const mo_force_args *args, int64_t first,
                                  int64_t last, double *bound)
{
    (void)args;
    add_bound(instance, first, last, true, bound);
}

/* ---- the Jacobian ---- */

/* Minus the Jacobian of a contact (law.h). */
static void block_of(const mo_force_contacts *c, int64_t contact, const mo_jacobian_ask *ask,
                     double block[9])
{
    const mo_contact_response *r = &c->list[contact].response;
    double tangential = ask->along_x * r->stiffness_t + ask->along_v * r->damping_t;
    double normal = ask->along_x * r->stiffness + ask->along_v * r->damping;
    mo_contact_block(c->set.list[contact].normal, r->t, normal, tangential,
                     ask->along_v * r->damping_slip - tangential, block);
}

static void contact_force_fill(const void *instance, const mo_force_args *args,
                               const mo_jacobian_ask *ask, mo_block_matrix *matrix, int64_t first,
                               int64_t last)
{
    const mo_force_contacts *c = &((const mo_contact_force *)instance)->contacts;
    (void)args;
    for (int64_t k = mo_force_contacts_of(c, first); k < mo_force_contacts_of(c, last); ++k) {
        double block[9],
            *value = matrix->value + 9 * matrix->diagonal[c->set.list[k].side[0].row[0]];
        block_of(c, k, ask, block);
        for (int n = 0; n < 9; ++n) {
            value[n] -= block[n];
        }
    }
}

static void contact_force_multiply(const void *instance, const mo_force_args *args,
                                   const mo_jacobian_ask *ask, const double *p, double *y,
                                   int64_t first, int64_t last)
{
    const mo_force_contacts *c = &((const mo_contact_force *)instance)->contacts;
    (void)args;
    for (int64_t k = mo_force_contacts_of(c, first); k < mo_force_contacts_of(c, last); ++k) {
        int64_t at = 3 * c->set.list[k].side[0].row[0];
        double block[9];
        block_of(c, k, ask, block);
        for (int n = 0; n < 9; ++n) {
            y[at + n % 3] -= block[n] * p[at + n / 3];
        }
    }
}

/* ---- the end of a step ---- */

/* All contacts at `time`, and their anchors after the step; `quasi_static`: without velocities. */
static mote_status drag_anchors(mo_contact_force *s, double time, double h, bool quasi_static,
                                mote_error *error)
{
    mo_contact_rows rows = mo_contact_force_rows(s);
    rows.v = quasi_static ? NULL : rows.v;
    s->contacts.x_begin = NULL;
    MO_TRY(mo_force_contacts_find(&s->contacts, &rows, time, error));
    s->count = s->contacts.set.count;
    return mo_force_contacts_drag(&s->contacts, h, error);
}

mote_status mo_contact_force_drag(mo_contact_force *s, double time, double h, mote_error *error)
{
    return drag_anchors(s, time, h, false, error);
}

mote_status mo_contact_force_react(mo_contact_force *s, double time, mote_error *error)
{
    return mo_contact_set_react(&s->contacts.set, s->host->colliders, time, &s->reactions, error);
}

/* A static solve: friction opposes the displacement from the first contact position. At its end
 * the contacts found last are those of the equilibrium. */
static mote_status contact_force_accept(void *instance, const double *x, mote_error *error)
{
    mo_contact_force *s = instance;
    bool begins = x && !s->solving, ends = !x && s->solving;
    s->solving = x != NULL;
    s->contacts.h = 0;
    if (ends && s->host->wants_reactions) {
        MO_TRY(mo_contact_force_react(s, s->time, error));
        s->reactions.is_static = true;
    }
    return x && !begins ? drag_anchors(s, s->time, 0, true, error) : MOTE_OK;
}

static const mo_force_jacobian JACOBIAN = {.derivatives = MO_DF_DX | MO_DF_DV,
                                           .fill = contact_force_fill,
                                           .multiply = contact_force_multiply};

static const mo_force_statics STATICS = {.accept = contact_force_accept};

static const mo_force_type CONTACT_FORCE = {
    .base = {.name = "collider_force"},
    .elastic = true,
    .prepare = contact_force_prepare,
    .add = contact_force_add,
    .energy = contact_force_energy,
    .stiffness = contact_force_stiffness,
    .damping = contact_force_damping,
    .jacobian = &JACOBIAN,
    .statics = &STATICS,
};

mo_force mo_contact_force_make(mo_contact_force *force)
{
    return (mo_force){
        .type = &CONTACT_FORCE, .instance = force, .derivatives = MO_DF_DX | MO_DF_DV};
}
