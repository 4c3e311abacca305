/*
 * The particles of a system against the colliders whose contact law is a force (collide/law.h):
 * a force of the system that sums forces, evaluated in every stage and every Newton iteration, with
 * its Jacobian, energy and stability bounds.
 *
 * Friction anchors are the state of the coupling. They stay where they are during a step and are
 * dragged along after it (`project`), and in a static solve after each accepted iterate. Everything
 * else is found anew in every evaluation (collide/force_contacts.h), so resumed runs have the same
 * bits.
 *
 * Constants that follow from the scene (the expected speed of impact, the largest stable step) are
 * found from the bodies where they start, also in a run that is resumed.
 */
#include "collide/force_contacts.h"
#include "collide/friction/friction.h"
#include "host/coupling.h"
#include "integrate/integrator.h"

#include <math.h>
#include <string.h>

/* The least number of steps in a contact of half a period, and the fraction of the stability
 * limit. */
static const double STEPS_A_CONTACT = 10, MARGIN = 0.8;

typedef struct state {
    mo_force_contacts contacts;
    mo_host *host;
    mo_system *system;
    double omega, ratio; /* the highest sqrt(k/m) and damping ratio of the bodies as they start */
    int64_t count;       /* of contacts after the last step */
    double time;         /* of the last evaluation */
    bool solving;        /* a static solve */
    mo_reactions reactions;
    struct falling_batch *batches; /* while it is made, else NULL */
    int64_t batch_count;
} state;

static const mo_collider_def *colliders_of(const mo_world_def *def)
{
    return def->colliders.items;
}

static bool has_force(const mo_collider_def *def)
{
    return def->law.type && ((const mo_contact_law_type *)def->law.type)->force;
}

/* Parameters that a force law knows nothing of. */
static mote_status collider_force_check(const mo_world_def *def, mo_memory *memory,
                                        mote_error *error)
{
    (void)memory;
    for (int64_t k = 0; k < def->colliders.count; ++k) {
        const mo_collider_def *c = &colliders_of(def)[k];
        const mo_friction_type *friction = (const mo_friction_type *)c->friction.type;
        if (has_force(c) && strcmp(c->position, "project") != 0) {
            return mo_fail(
                error, MOTE_ERROR_INPUT,
                "colliders[%lld].position: '%s' has no effect with contact '%s', which does not "
                "change positions; remove it",
                (long long)k, c->position, c->law.type->name);
        }
        if (has_force(c) && friction && !friction->limit) {
            return mo_fail(
                error, MOTE_ERROR_INPUT,
                "colliders[%lld].friction: '%s' changes velocities after the step, but contact "
                "'%s' is a force; use a number (Coulomb's coefficient)",
                (long long)k, friction->base.name, c->law.type->name);
        }
    }
    return MOTE_OK;
}

static bool collider_force_applies(const mo_world_def *def, const mo_system *a, const mo_system *b)
{
    bool any = false;
    for (int64_t k = 0; k < def->colliders.count; ++k) {
        any = any || has_force(&colliders_of(def)[k]);
    }
    return any && !b && a->type->forces && a->type->forces->contacts;
}

/* ---- the expected speed of impact ---- */

static mo_force_rows rows_of(const mo_system *s)
{
    const mo_particle_columns *c = &s->columns;
    bool first_order = s->type->stability && s->type->stability->first_order(s);
    return (mo_force_rows){.system = s->number,
                           .count = mo_store_owned(s->store),
                           .x = mo_f64(c->x),
                           .v = first_order ? NULL : mo_f64(c->v),
                           .mass = mo_f64(c->mass),
                           .inverse_mass = mo_f64(c->inverse_mass),
                           .radius = mo_f64(c->radius),
                           .inverse_diameter = mo_f64(c->inverse_diameter),
                           .id = mo_i64(c->id)};
}

/* How far a particle falls until it meets the collider, by steps as long as the gap (sphere
   tracing, J. C. Hart 1996, Visual Comput. 12, 527); the gap itself if it falls past. */
static double fall_of(const mo_collider *c, mo_vec3 x, mo_vec3 down, double radius)
{
    double start = mo_collider_gap(c, x, NULL) - radius, way = 0, gap = start;
    for (int k = 0; k < 64 && gap > 1e-3 * start; ++k) {
        way += gap;
        gap = mo_collider_gap(c, mo_add_scaled(x, way, down), NULL) - radius;
    }
    return fmax(start, gap <= 1e-3 * start ? way : 0);
}

/* The largest speed of the collider's motion at the corners of the box of all rows, until `end`. */
static double motion_speed(const mo_collider *c, const mo_contact_box *box, double end)
{
    enum { TIMES = 64 };
    double most = 0;
    for (int k = 0; k <= TIMES; ++k) {
        mo_pose pose = mo_collider_pose_at(c, end * k / TIMES);
        for (int n = 0; n < 8; ++n) {
            const double *x = n & 1 ? box->low : box->high, *y = n & 2 ? box->low : box->high,
                         *z = n & 4 ? box->low : box->high;
            most = fmax(most, mo_length(mo_pose_velocity(&pose, mo_vec3_make(x[0], y[1], z[2]))));
        }
    }
    return most;
}

static double largest_scale(const mo_curve *curve)
{
    double most = 0;
    for (int k = 0; k < curve->count; ++k) {
        most = fmax(most, fabs(curve->value[k]));
    }
    return most;
}

/* Upper bounds for a batch of rows: a fall is traced only where it may be the highest. */
typedef struct falling_batch {
    mo_contact_box box;
    double speed; /* squared */
    double size, radius;
} falling_batch;

typedef struct falling {
    mo_force_rows rows;
    const mo_collider *collider;
    double g;
    mo_vec3 down;
    double low[3], high[3]; /* bounds of the collider */
    bool bounded;
} falling;

static double speed_squared(const mo_force_rows *rows, int64_t row)
{
    mo_vec3 v = rows->v ? mo_vec3_load(rows->v + 3 * row) : mo_vec3_make(0, 0, 0);
    return mo_dot(v, v);
}

static mote_status make_batches(state *s, mote_error *error)
{
    const mo_force_rows rows = rows_of(s->system);
    void *block;
    s->batch_count = (rows.count + MO_CONTACT_BATCH - 1) / MO_CONTACT_BATCH;
    MO_TRY(mo_allocate_array(s->host->memory, s->batch_count, sizeof *s->batches, &block, error));
    s->batches = block;
    for (int64_t b = 0; b < s->batch_count; ++b) {
        int64_t first = b * MO_CONTACT_BATCH, left = rows.count - first;
        int64_t count = left < MO_CONTACT_BATCH ? left : MO_CONTACT_BATCH;
        falling_batch *batch = &s->batches[b];
        *batch =
            (falling_batch){.box = mo_contact_box_of(rows.x, NULL, rows.radius, 1, first, count)};
        for (int64_t row = first; row < first + count; ++row) {
            batch->speed = fmax(batch->speed, speed_squared(&rows, row));
            batch->size = fmax(batch->size, mo_force_rows_particle(&rows, row).size);
            batch->radius = fmax(batch->radius, rows.radius[row]);
        }
    }
    return MOTE_OK;
}

static void drop_batches(state *s)
{
    mo_release(s->host->memory, s->batches);
    s->batches = NULL;
}

/* An upper bound of v0^2 + 2 g H of particles within a box: no fall onto a bounded collider is
 * higher than the largest distance of two points of the boxes, but for the tolerance of the
 * tracing. */
static double square_bound(const falling *f, const double low[3], const double high[3],
                           double speed, double size, double radius)
{
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        double far = fmax(high[k] - f->low[k], f->high[k] - low[k]);
        square += far * far;
    }
    double fall = f->bounded ? 1.01 * sqrt(square) + radius : (double)INFINITY;
    return speed + (f->g > 0 ? 2 * f->g * fmax(fall, size) : 0);
}

static double batch_bound(const falling *f, const falling_batch *b)
{
    return square_bound(f, b->box.low, b->box.high, b->speed, b->size, b->radius);
}

/* The larger of `most` and v0^2 + 2 g H of the rows of a batch. */
static double highest_square(const falling *f, int64_t batch, double most)
{
    const mo_force_rows *rows = &f->rows;
    int64_t first = batch * MO_CONTACT_BATCH, last = first + MO_CONTACT_BATCH;
    for (int64_t row = first; row < last && row < rows->count; ++row) {
        const double *x = rows->x + 3 * row;
        double size = mo_force_rows_particle(rows, row).size, speed = speed_squared(rows, row);
        bool matters = !(square_bound(f, x, x, speed, size, rows->radius[row]) <= most);
        if (rows->inverse_mass[row] > 0 && matters) {
            double fall = fall_of(f->collider, mo_vec3_load(x), f->down, rows->radius[row]);
            most = fmax(most, speed + (f->g > 0 ? 2 * f->g * fmax(fall, size) : 0));
        }
    }
    return most;
}

/* The largest v0^2 + 2 g H of all rows: first where it may be largest, then where it may be
 * larger. */
static double impact_square(const state *s, const falling *f)
{
    int64_t first = 0;
    double bound = -1, most = 0;
    for (int64_t b = 0; b < s->batch_count; ++b) {
        double own = batch_bound(f, &s->batches[b]);
        first = own > bound ? b : first;
        bound = fmax(bound, own);
    }
    most = s->batch_count > 0 ? highest_square(f, first, 0) : 0;
    for (int64_t b = 0; b < s->batch_count; ++b) {
        if (b != first && !(batch_bound(f, &s->batches[b]) <= most)) {
            most = highest_square(f, b, most);
        }
    }
    return most;
}

/* v^2 = v0^2 + 2 g H with H the height of the fall, at least a radius; and the collider's own
   motion. */
static double impact_speed(const state *s, const mo_collider *c, double end)
{
    falling f = {.rows = rows_of(s->system),
                 .collider = c,
                 .g = mo_length(s->host->gravity) * largest_scale(&s->host->gravity_scale),
                 .down = mo_unit(s->host->gravity, mo_vec3_make(0, 0, -1))};
    f.bounded = mo_collider_bounds(c, f.low, f.high);
    double speed = sqrt(impact_square(s, &f));
    if (f.rows.count == 0 || !mo_motion_moves(c->motion)) {
        return speed;
    }
    mo_contact_box box = mo_contact_box_of(f.rows.x, NULL, f.rows.radius, 1, 0, f.rows.count);
    return speed + motion_speed(c, &box, end);
}

/* ---- creation ---- */

/* A particle without a size has no default stiffness. */
static mote_status check_sizes(const state *s, const mo_force_collider *l, mote_error *error)
{
    const mo_force_rows rows = rows_of(s->system);
    for (int64_t row = 0; row < rows.count && isnan(l->tuning.stiffness); ++row) {
        if (!(rows.inverse_diameter[row] > 0)) {
            return mo_fail(
                error, MOTE_ERROR_INPUT,
                "colliders[%d].contact.stiffness: there is no default here, since the particles of "
                "'%s' have no radius; give that body a radius, or a stiffness",
                (int)l->index, mo_system_body_name(s->system, row));
        }
    }
    return MOTE_OK;
}

static mote_status tune(state *s, mo_force_collider *l, double end, mote_error *error)
{
    const mo_collider *c = &l->posed;
    mote_status status = l->law->tune(c->law.params, c, impact_speed(s, c, end), &l->tuning, error);
    MO_TRY(mo_at_path(status, error, "colliders[%lld].contact.", l->index));
    MO_TRY(check_sizes(s, l, error));
    const mo_force_rows rows = rows_of(s->system);
    for (int64_t row = 0; row < rows.count; ++row) {
        double k, damping, w = rows.inverse_mass[row];
        l->law->bound(&l->tuning, mo_force_rows_particle(&rows, row), &k, &damping);
        if (w > 0 && sqrt(k * w) > s->omega) {
            s->omega = sqrt(k * w);
        }
    }
    s->ratio = fmax(s->ratio, l->tuning.ratio);
    return MOTE_OK;
}

static const mo_force_type COLLIDER_FORCE;

static mote_status set_up(const mo_world_def *def, mo_coupling *coupling, state *s,
                          mote_error *error)
{
    bool friction = false;
    double end = isfinite(def->time.end) ? def->time.end : 0;
    MO_TRY(mo_force_contacts_create(&s->contacts, s->host->memory, s->host->colliders, error));
    s->contacts.begin = INFINITY;
    MO_TRY(make_batches(s, error));
    for (int64_t k = 0; k < s->contacts.law_count; ++k) {
        MO_TRY(tune(s, &s->contacts.laws[k], end, error));
        friction = friction || mo_friction_acts(s->contacts.laws[k].tuning.friction);
    }
    drop_batches(s);
    if (friction) {
        mote_status status = mo_anchors_create(s->host->memory, s->host->colliders->count,
                                               &s->contacts.anchors, error);
        coupling->store = s->contacts.anchors.store; /* the world destroys it, of any outcome */
        MO_TRY(status);
    }
    mo_force force = {.type = &COLLIDER_FORCE, .instance = s, .derivatives = MO_DF_DX | MO_DF_DV};
    return s->system->type->forces->attach(s->system, &force, error);
}

static mote_status collider_force_create(const mo_world_def *def, mo_coupling *coupling,
                                         mote_error *error)
{
    state *s = mo_allocate(coupling->host->memory, sizeof *s);
    if (!s) {
        return mo_fail_memory(error, sizeof *s);
    }
    *s = (state){
        .contacts.memory = coupling->host->memory, .host = coupling->host, .system = coupling->a};
    mo_reactions_init(&s->reactions, coupling->host->memory);
    coupling->state = s;
    return set_up(def, coupling, s, error);
}

/* The system's force borrows the state; it is destroyed later and asks for nothing then. */
static void collider_force_destroy(mo_coupling *coupling)
{
    state *s = coupling->state;
    if (s) {
        mo_force_contacts_release(&s->contacts);
        drop_batches(s);
        mo_reactions_release(&s->reactions);
    }
    mo_release(coupling->host->memory, s);
}

/* ---- the force ---- */

static mote_status collider_force_prepare(void *instance, const mo_force_args *args, mo_pool *pool,
                                          mote_error *error)
{
    state *s = instance;
    mo_force_rows rows = rows_of(s->system);
    rows.count = args->rows;
    rows.x = args->x;
    rows.v = rows.v && !s->solving ? args->v : NULL; /* in static equilibrium nothing moves */
    rows.mass = args->mass;
    s->time = args->time;
    return mo_force_contacts_find(&s->contacts, &rows, args->time, pool, error);
}

static void collider_force_add(const void *instance, const mo_force_args *args, int64_t first,
                               int64_t last)
{
    const mo_force_contacts *c = &((const state *)instance)->contacts;
    for (int64_t k = mo_force_contacts_of(c, first); k < mo_force_contacts_of(c, last); ++k) {
        double *f = args->f + 3 * c->set.list[k].side[0].row[0];
        mo_vec3_store(f, mo_add(mo_vec3_load(f), c->set.list[k].force));
    }
}

static double collider_force_energy(const void *instance, const mo_force_args *args, int64_t first,
                                    int64_t last)
{
    const mo_force_contacts *c = &((const state *)instance)->contacts;
    double sum = 0;
    (void)args;
    for (int64_t k = mo_force_contacts_of(c, first); k < mo_force_contacts_of(c, last); ++k) {
        sum += c->list[k].response.energy;
    }
    return sum;
}

/* One contact for every particle, with the stiffest collider: any may come to it; more where there
   are more. The block of a contact couples no rows, and k is its largest eigenvalue. */
static void add_bound(const state *s, int64_t first, int64_t last, bool damping, double *bound)
{
    const mo_force_contacts *c = &s->contacts;
    const mo_force_rows rows = rows_of(s->system);
    int64_t at = mo_force_contacts_of(c, first);
    for (int64_t row = first; row < last; ++row) {
        mo_contact_particle p = mo_force_rows_particle(&rows, row);
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

static void collider_force_stiffness(const void *instance, const mo_force_args *args, int64_t first,
                                     int64_t last, double *bound)
{
    (void)args;
    add_bound(instance, first, last, false, bound);
}

static void collider_force_damping(const void *instance, const mo_force_args *args, int64_t first,
                                   int64_t last, double *bound)
{
    (void)args;
    add_bound(instance, first, last, true, bound);
}

/* ---- the Jacobian ---- */

/* Minus the block of a contact (law.h); it is symmetric. */
static void block_of(const mo_force_contacts *c, int64_t contact, const mo_jacobian_ask *ask,
                     double block[9])
{
    const mo_contact_response *r = &c->list[contact].response;
    double n[3], t[3];
    double across = ask->along_x * r->stiffness_t + ask->along_v * r->damping_t;
    double along = ask->along_x * r->stiffness + ask->along_v * r->damping - across;
    double slip = ask->along_v * r->damping_slip;
    mo_vec3_store(n, c->set.list[contact].normal);
    mo_vec3_store(t, r->t);
    for (int k = 0; k < 9; ++k) {
        block[k] = along * n[k % 3] * n[k / 3] + (k % 4 == 0 ? across : 0) +
                   (slip - across) * t[k % 3] * t[k / 3];
    }
}

static void collider_force_fill(const void *instance, const mo_force_args *args,
                                const mo_jacobian_ask *ask, mo_block_matrix *matrix, int64_t first,
                                int64_t last)
{
    const mo_force_contacts *c = &((const state *)instance)->contacts;
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

static void collider_force_multiply(const void *instance, const mo_force_args *args,
                                    const mo_jacobian_ask *ask, const double *p, double *y,
                                    int64_t first, int64_t last)
{
    const mo_force_contacts *c = &((const state *)instance)->contacts;
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

/* ---- anchors ---- */

static mote_status drag_anchors(state *s, double time, double h, bool at_rest, mote_error *error)
{
    mo_force_rows rows = rows_of(s->system);
    rows.v = at_rest ? NULL : rows.v;
    MO_TRY(mo_force_contacts_find(&s->contacts, &rows, time, s->host->pool, error));
    s->count = s->contacts.set.count;
    return mo_force_contacts_drag(&s->contacts, h, s->host->pool, error);
}

/* A contact deeper than the particle's size may let it through a thin collider. */
static void warn_about_depth(const state *s, double time)
{
    const mo_contact *worst = NULL;
    for (int64_t k = 0; k < s->count; ++k) {
        const mo_contact *t = &s->contacts.set.list[k];
        bool deep = -t->gap > mo_force_rows_particle(&s->contacts.rows, t->side[0].row[0]).size;
        worst = deep && (!worst || t->gap < worst->gap) ? t : worst;
    }
    if (worst) {
        char name[MO_PARTICLE_NAME];
        int64_t collider = worst->side[1].collider;
        mo_particle_name(s->system, worst->side[0].row[0], name);
        mo_host_warn(
            s->host, time, "penetration",
            "%s has penetrated collider '%.60s' by %.3g m, more than its radius: the contact is too "
            "soft for its speed or load; raise colliders[%d].contact.stiffness or use 'bounce'",
            name, s->host->colliders->list[collider].name, -worst->gap, (int)collider);
    }
}

/* The forces on colliders in the contacts found last, at the end of the step: stages of an
 * integrator have others. */
static mote_status sum_reactions(state *s, double time, mote_error *error)
{
    return mo_contact_set_react(&s->contacts.set, s->host->colliders, time, &s->reactions, error);
}

/* A static solve: friction acts against the displacement from where a contact was found first. At
 * its end the contacts found last are those of the equilibrium. */
static mote_status collider_force_accept(void *instance, const double *x, mote_error *error)
{
    state *s = instance;
    bool begins = x && !s->solving, ends = !x && s->solving;
    s->solving = x != NULL;
    s->contacts.h = 0;
    if (ends && s->host->wants_reactions) {
        MO_TRY(sum_reactions(s, s->time, error));
        s->reactions.is_static = true;
    }
    return x && !begins ? drag_anchors(s, s->time, 0, true, error) : MOTE_OK;
}

/* The step is known from here on. */
static mote_status collider_force_gather(mo_coupling *coupling, const mo_step_time *now,
                                         mote_error *error)
{
    (void)error;
    ((state *)coupling->state)->contacts.h = now->h;
    ((state *)coupling->state)->contacts.begin = now->time;
    return MOTE_OK;
}

static mote_status collider_force_project(mo_coupling *coupling, const mo_step_time *now,
                                          mote_error *error)
{
    state *s = coupling->state;
    MO_TRY(drag_anchors(s, now->end, now->h, false, error));
    warn_about_depth(s, now->end);
    return s->host->wants_reactions ? sum_reactions(s, now->end, error) : MOTE_OK;
}

static const mo_reactions *collider_force_reactions(const mo_coupling *coupling)
{
    return &((const state *)coupling->state)->reactions;
}

/* ---- steps ---- */

static bool has_friction(const state *s)
{
    bool any = false;
    for (int64_t k = 0; k < s->contacts.law_count; ++k) {
        any = any || mo_friction_acts(s->contacts.laws[k].tuning.friction);
    }
    return any;
}

/* Explicit schemes are to resolve a contact, and to be stable in it (analysis/stability.c). */
static mo_step_bound collider_force_limit(const mo_coupling *coupling)
{
    const state *s = coupling->state;
    const mo_stability_hooks *hooks = s->system->type->stability;
    mo_method own = hooks ? hooks->integrator(s->system) : (mo_method){0};
    const mo_integrator_type *type = (const mo_integrator_type *)own.type;
    if (!type || !(s->omega > 0)) {
        return (mo_step_bound){0};
    }
    if (type->base.capabilities & MO_IMPLICIT) {
        /* the normal force that bounds friction is that of the last iterate: a step longer than a
           contact lets it grow without bound */
        return has_friction(s)
                   ? (mo_step_bound){M_PI / s->omega, "contact",
                                     "step for which implicit friction of the contact law "
                                     "'penalty' is stable",
                                     "a smaller colliders[k].contact.stiffness"}
                   : (mo_step_bound){0};
    }
    double limit =
        type->stable_limit_with ? type->stable_limit_with(own.params) : type->stable_limit;
    double damped =
        type->damped_limit_with ? type->damped_limit_with(own.params) : type->damped_limit;
    double a = limit > 0 ? s->omega / limit : 0,
           b = 2 * s->ratio * s->omega / (damped > 0 ? damped : 2);
    double stable = 2 / (b + sqrt(b * b + 4 * a * a)), contact = M_PI / s->omega;
    double size = fmin(MARGIN * stable, contact / STEPS_A_CONTACT);
    if (hooks->first_order(s->system)) {
        size = 1 / (s->omega * s->omega);
    }
    return (mo_step_bound){
        size, "contact", "step that resolves the contact law 'penalty'",
        "a smaller colliders[k].contact.stiffness or an implicit integrator (implicit_euler)"};
}

static void collider_force_report(const mo_coupling *coupling, mote_step_report *report)
{
    report->contacts += ((const state *)coupling->state)->count;
}

static const mo_force_jacobian JACOBIAN = {.derivatives = MO_DF_DX | MO_DF_DV,
                                           .fill = collider_force_fill,
                                           .multiply = collider_force_multiply};

static const mo_force_statics STATICS = {.accept = collider_force_accept};

static const mo_force_type COLLIDER_FORCE = {
    .base = {.name = "collider_force"},
    .elastic = true,
    .prepare = collider_force_prepare,
    .add = collider_force_add,
    .energy = collider_force_energy,
    .stiffness = collider_force_stiffness,
    .damping = collider_force_damping,
    .jacobian = &JACOBIAN,
    .statics = &STATICS,
};

const mo_coupling_type mo_coupling_collider_force = {
    .base = {.name = "collider_force",
             .summary = "Particles against colliders whose contact law is a force."},
    .check = collider_force_check,
    .applies = collider_force_applies,
    .create = collider_force_create,
    .destroy = collider_force_destroy,
    .gather = collider_force_gather,
    .project = collider_force_project,
    .limit = collider_force_limit,
    .report = collider_force_report,
    .reactions = collider_force_reactions,
};
