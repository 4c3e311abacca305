/*
 * The particles of a system against the colliders, by the contact law `bounce`: positions at the
 * start of the step are gathered, contacts are resolved after the solve. A penetrating particle
 * gets its normal velocity reversed (times the coefficient of restitution), its tangential velocity
 * reduced by friction, and is projected onto the surface (`bounce` below has the equations).
 *
 * Implicit integrators also constrain active contacts within their solve (collide/active.h); behind
 * a sampled boundary of a fluid contacts are a fallback (mo_system.contact_offset). Colliders with
 * a force law are excluded, unless the system has no forces.
 */
#include "collide/friction/friction.h"
#include "collide/law.h"
#include "couple/collider_advice.h"
#include "couple/impact_advice.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 4096, BATCH = MO_CONTACT_BATCH, SWEEPS = 8 };
enum { IN_CONTACT = 1, CROSSED = 2 };

typedef struct contact {
    bool bounces; /* some collider does */
    /* The mean contact forces on colliders over a step: opposite to the momentum gained by
     * particles. Impulses are resolved as they are found and only summed, without records. */
    mo_reactions reactions;
    int64_t *next; /* per block: the first row with unresolved contacts */
    int64_t capacity;
    mo_contact_box *bounds; /* of the colliders, in this step */
    int64_t bounds_capacity;
} contact;

/* ---- a batch of rows with the colliders ---- */

typedef struct resolution {
    const mo_colliders *colliders;
    const mo_contact_rows *rows;
    double *x, *v;
    uint8_t *age;         /* set to 0 for rows in contact */
    const double *before; /* x at the start of the step */
    double offset;        /* contact begins at this many radii from the surface */
    /* Boxes outside of which no row is in contact with a collider; NULL: not compared, in periodic
     * domains and with one collider. Apart from the colliders, which are large, since every batch
     * is compared with all of them. */
    const mo_contact_box *bounds;
    bool every_law; /* include colliders with a force law: the system has no forces */
    double h, rest_speed;
    mo_reactions *reactions; /* NULL: not requested */
    int64_t *next;           /* of `contact`; NULL without reactions */
} resolution;

/* A batch of rows in progress. Its rows are restored if memory for its reactions is
 * insufficient. */
typedef struct batch {
    int64_t first, count;
    uint8_t contact[BATCH];
    bool saves, saved, full;
    double x[3 * BATCH], v[3 * BATCH];
    uint8_t age[BATCH];
} batch;

/* The result of a contact for a particle. */
typedef struct rebound {
    mo_vec3 w;   /* velocity relative to the solid */
    double kept; /* fraction of the tangential velocity after friction */
    double lift; /* height above the surface at the end of the step */
} rebound;

/*
 * With the collider's normal n, its velocity u at the contact, w = v - u and w_n = w.n < 0, a_n the
 * particle's acceleration along n, and the penetration depth:
 *    w_i = sqrt(w_n^2 + 2 a_n depth)                the speed at which it crossed the surface
 *    tau = 2 depth/(w_i + |w_n|)                    the time since then
 *    w_n' = e w_i + a_n tau                         the bounce, advanced to the end of the step
 *    x'   = x + (depth + e w_i tau + a_n tau^2/2) n - (1 - |w_t'|/|w_t|) s_t
 *    w_t' = friction(w_t, kick = (1 + e) w_i)
 * A bounce is exact for a constant acceleration, and the projection adds no energy. s_t is the
 * tangential displacement of this step relative to the collider: without that term a particle
 * sticking on a slope would creep, and one on a turntable would drift inward, at zero velocity.
 * Below the speed that gravity adds in two steps e = 0: otherwise a resting particle would bounce
 * for ever.
 *
 * A particle that passed through a solid thinner than its path, or is nearer to its far face, is in
 * contact with the face where its path enters (mo_collider_passed), with n and depth of the tangent
 * plane there.
 */
static rebound bounce(const mo_collider *c, mo_vec3 w, mo_vec3 n, double a_n, double depth,
                      double rest_speed)
{
    double normal = mo_dot(w, n);
    if (normal >= 0) {
        return (rebound){w, 1, 0};
    }
    bool rests = !(-normal > rest_speed && c->restitution > 0);
    double square = normal * normal + 2 * a_n * depth;
    double speed = rests || square < 0 ? -normal : sqrt(square), e = rests ? 0 : c->restitution;
    double tau = rests ? 0 : 2 * depth / (speed - normal);
    const mo_friction_type *friction = (const mo_friction_type *)c->friction.type;
    mo_vec3 before = mo_add_scaled(w, -normal, n);
    mo_vec3 after = friction->slow(c->friction.params, before, (1 + e) * speed);
    double sideways = mo_length(before), up = e * speed + a_n * tau,
           lift = tau * (e * speed + 0.5 * a_n * tau);
    return (rebound){.w = mo_add_scaled(after, up > 0 ? up : 0, n),
                     .kept = sideways > 0 ? mo_length(after) / sideways : 1,
                     .lift = lift > 0 ? lift : 0};
}

/* The tangential displacement in this step relative to the collider, for the image given by
 * `offset`. */
static mo_vec3 tangential_displacement(const resolution *r, const mo_collider *c, int64_t row,
                                       mo_vec3 offset, mo_vec3 x, mo_vec3 n)
{
    mo_vec3 before = mo_add(mo_vec3_load(r->before + 3 * row), offset);
    mo_vec3 moved = mo_collider_displacement(c, before, x);
    moved = c->slides ? mo_add_scaled(moved, -r->h, mo_collider_slip(c, n)) : moved;
    return mo_add_scaled(moved, -mo_dot(moved, n), n);
}

/* The rates of momentum and angular momentum lost by the particle: the projection changes m x
 * cross v as well, so that the torque is not that of a force at one point. */
static void add_reaction(mo_wrench *reaction, double mass_rate, mo_vec3 x, mo_vec3 v,
                         mo_vec3 x_after, mo_vec3 v_after)
{
    mo_vec3 spin = mo_sub(mo_cross(x, v), mo_cross(x_after, v_after));
    reaction->force = mo_add_scaled(reaction->force, mass_rate, mo_sub(v, v_after));
    reaction->torque = mo_add_scaled(reaction->torque, mass_rate, spin);
}

static void respond(const resolution *r, const mo_collider *c, int64_t row, mo_vec3 offset,
                    double depth, mo_vec3 n, bool lifts, mo_wrench *reaction)
{
    const mo_contact_rows *rows = r->rows;
    mo_vec3 own = mo_vec3_load(r->x + 3 * row), x = mo_add(own, offset),
            v = mo_vec3_load(r->v + 3 * row);
    mo_vec3 u = mo_collider_velocity(c, x, n);
    double a_n = mo_dot(mo_vec3_load(rows->a + 3 * row), n);
    rebound b =
        bounce(c, mo_sub(v, u), n, c->projects ? a_n : 0, c->projects ? depth : 0, r->rest_speed);
    r->age[row] = 0;
    mo_vec3 after = mo_add(u, b.w);
    mo_vec3_store(r->v + 3 * row, after);
    if (c->projects) {
        own = mo_add_scaled(own, b.kept - 1, tangential_displacement(r, c, row, offset, x, n));
        own = mo_add_scaled(own, lifts ? depth + b.lift : depth, n);
        mo_vec3_store(r->x + 3 * row, own);
    }
    if (reaction) {
        add_reaction(reaction, 1 / (r->h * rows->inverse_mass[row]), mo_sub(x, c->pose.p), v,
                     mo_sub(mo_add(own, offset), c->pose.p), after);
    }
}

static void save_batch(const resolution *r, batch *b)
{
    if (b->saves && !b->saved) {
        b->saved = true;
        memcpy(b->x, r->x + 3 * b->first, 3 * (size_t)b->count * sizeof(double));
        memcpy(b->v, r->v + 3 * b->first, 3 * (size_t)b->count * sizeof(double));
        memcpy(b->age, r->age + b->first, (size_t)b->count);
    }
}

static void restore_batch(const resolution *r, const batch *b)
{
    if (b->saved) {
        memcpy(r->x + 3 * b->first, b->x, 3 * (size_t)b->count * sizeof(double));
        memcpy(r->v + 3 * b->first, b->v, 3 * (size_t)b->count * sizeof(double));
        memcpy(r->age + b->first, b->age, (size_t)b->count);
    }
}

/* The sum of the reactions of a batch on a collider; NULL: not requested, or no free slot. */
static mo_wrench *reaction_on(const resolution *r, const mo_collider *c, batch *b)
{
    if (!r->reactions) {
        return NULL;
    }
    save_batch(r, b);
    mo_reaction *slot =
        mo_reactions_slot(r->reactions, b->first / GRAIN, (int32_t)(c - r->colliders->list));
    b->full = !slot;
    return slot ? &slot->wrench : NULL;
}

/* Replaces gaps and normals of particles that passed a thin solid by those of the entry face. */
static void find_passed(const resolution *r, const mo_collider *c, const batch *b, const double *x,
                        const mo_vec3 *offset, double *gap, double *normal)
{
    for (int64_t k = 0; k < b->count; ++k) {
        mo_vec3 before = mo_add(mo_vec3_load(r->before + 3 * (b->first + k)), offset[k]),
                at = mo_vec3_load(x + 3 * k), moved = mo_collider_displacement(c, before, at);
        if (gap[k] * gap[k] < mo_dot(moved, moved)) {
            mo_collider_passed(c, before, at, &gap[k], normal + 3 * k);
        }
    }
}

/* One collider with one image of each row of a batch; contact[k] gets IN_CONTACT where row first
 * + k was in contact, and CROSSED where its centre was behind the surface. Without `lifts` only
 * rows with the centre behind it are projected in front of it. */
static bool collide(const resolution *r, const mo_collider *c, mo_vec3 image, bool lifts, batch *b)
{
    const mo_contact_rows *rows = r->rows;
    int64_t first = b->first, count = b->count;
    mo_wrench *reaction = NULL;
    double x[3 * BATCH] = {0}, gap[BATCH], normal[3 * BATCH];
    mo_vec3 offset[BATCH];
    MOTE_ASSERT(count > 0 && count <= BATCH);
    for (int64_t k = 0; k < count; ++k) {
        mo_vec3 own = mo_vec3_load(r->x + 3 * (first + k));
        offset[k] = mo_contact_offset(r->colliders, own, image);
        mo_vec3_store(x + 3 * k, mo_add(own, offset[k]));
    }
    mo_collider_gaps(c, count, x, gap, normal);
    if (c->projects) {
        find_passed(r, c, b, x, offset, gap, normal);
    }
    bool any = false;
    for (int64_t k = 0; k < count; ++k) {
        double depth = r->offset * rows->radius[first + k] - gap[k];
        bool counts = lifts ? depth > 0 : gap[k] < 0 && c->projects;
        if (counts && rows->inverse_mass[first + k] > 0) {
            if (!any) { /* the first contact */
                reaction = reaction_on(r, c, b);
                if (b->full) {
                    return false;
                }
            }
            respond(r, c, first + k, offset[k], depth, mo_collider_normal(c, normal + 3 * k), lifts,
                    reaction);
            b->contact[k] |= IN_CONTACT | (gap[k] < 0 ? CROSSED : 0);
            any = true;
        }
    }
    return any;
}

static mo_contact_box box_of(const resolution *r, const batch *b)
{
    return mo_contact_box_of(r->x, r->before, r->rows->radius, r->offset, b->first, b->count);
}

/* As mo_collider_near_box. */
static bool are_apart(const mo_contact_box *a, const mo_contact_box *b)
{
    bool apart = false;
    for (int k = 0; k < 3; ++k) {
        apart = apart || b->low[k] > a->high[k] || b->high[k] < a->low[k];
    }
    return apart;
}

static mo_contact_box bounds_of(const mo_collider *c)
{
    mo_contact_box b;
    for (int k = 0; k < 3; ++k) {
        b.low[k] = c->bounded && !c->inside ? c->low[k] : -INFINITY;
        b.high[k] = c->bounded && !c->inside ? c->high[k] : INFINITY;
    }
    return b;
}

static bool bounces(const resolution *r, const mo_collider *c)
{
    return r->every_law || !mo_force_law_of(c);
}

/* All colliders of this law with a batch, each with its relevant images. */
static bool collide_batch(const resolution *r, bool lifts, batch *own)
{
    const mo_colliders *colliders = r->colliders;
    bool any = false;
    mo_contact_box b = r->bounds ? box_of(r, own) : (mo_contact_box){0};
    for (int64_t n = 0; n < colliders->count && !own->full; ++n) {
        const mo_collider *c = &colliders->list[n];
        bool moved = false;
        if ((r->bounds && are_apart(&r->bounds[n], &b)) || !bounces(r, c)) {
            continue;
        }
        for (int k = 0; !own->full && k < c->image_count; ++k) {
            moved = collide(r, c, c->image[k], lifts, own) || moved;
        }
        if (moved && r->bounds) {
            b = box_of(r, own);
        }
        any = any || moved;
    }
    return any;
}

/* All contacts of a batch; false: no slot for its reactions, rows unchanged. */
static bool resolve_batch(const resolution *r, batch *b)
{
    bool any = true;
    /* repeated while any row is inside, so that a particle in a corner ends outside all
     * colliders */
    for (int sweep = 0; any && sweep < 2 * SWEEPS; ++sweep) {
        /* rows that alternate between walls are finally projected in front of one of them */
        any = collide_batch(r, sweep < SWEEPS, b);
    }
    if (b->full) {
        restore_batch(r, b);
        mo_reactions_drop(r->reactions, b->first / GRAIN);
    } else if (r->reactions) {
        mo_reactions_keep(r->reactions, b->first / GRAIN);
    }
    return !b->full;
}

/* partial: particles in contact, those with the centre behind a surface, and whether the block
 * must be continued with more slots for reactions */
static void resolve_range(void *context, int64_t first, int64_t last, double *partial)
{
    const resolution *r = context;
    int64_t row = r->next ? r->next[first / GRAIN] : first;
    bool saves = r->reactions && mo_reactions_may_run_out(r->reactions);
    partial[0] = partial[1] = partial[2] = 0;
    for (; row < last && partial[2] == 0; row += BATCH) {
        batch b;
        b.first = row;
        b.count = last - row < BATCH ? last - row : BATCH;
        b.saves = saves;
        b.saved = b.full = false;
        memset(b.contact, 0, sizeof b.contact);
        if (!resolve_batch(r, &b)) {
            partial[2] = 1;
            break;
        }
        for (int64_t k = 0; k < b.count; ++k) {
            partial[0] += b.contact[k] & IN_CONTACT;
            partial[1] += (b.contact[k] & CROSSED) != 0;
        }
    }
    if (r->next) {
        r->next[first / GRAIN] = row;
    }
}

/* ---- the coupling ---- */

static bool collider_contact_applies(const mo_world_def *def, const mo_system *a,
                                     const mo_system *b)
{
    return !b && def->colliders.count > 0 && !a->type->shapes && !a->type->solves_contacts;
}

static mote_status collider_contact_create(const mo_world_def *def, mo_coupling *coupling,
                                           mote_error *error)
{
    contact *c = mo_allocate(coupling->host->memory, sizeof *c);
    if (!c) {
        return mo_fail_memory(error, sizeof *c);
    }
    coupling->state = c;
    mo_reactions_init(&c->reactions, coupling->host->memory);
    c->bounces =
        !mo_system_sums_contacts(coupling->a) || mo_colliders_bounce(coupling->host->colliders);
    mo_advise_on_colliders(def, coupling);
    return c->bounces ? mo_particle_columns_declare_contact_x(coupling->a, error) : MOTE_OK;
}

static void collider_contact_destroy(mo_coupling *coupling)
{
    contact *c = coupling->state;
    if (c) {
        mo_release(coupling->host->memory, c->next);
        mo_release(coupling->host->memory, c->bounds);
        mo_reactions_release(&c->reactions);
        mo_release(coupling->host->memory, c);
    }
}

static mote_status collider_contact_pose(mo_coupling *coupling, double time, mote_error *error)
{
    (void)error;
    mo_colliders_pose(coupling->host->colliders, time);
    return MOTE_OK;
}

typedef struct copying {
    double *to;
    const double *from;
} copying;

static void copy_range(void *context, int64_t first, int64_t last)
{
    const copying *c = context;
    memcpy(c->to + 3 * first, c->from + 3 * first, (size_t)(last - first) * 3 * sizeof(double));
}

/* A bounce requires the path of the step: integrators advance x in place, and do not store
 * initial positions for all rows. */
static mote_status collider_contact_gather(mo_coupling *coupling, const mo_step_time *now,
                                           mote_error *error)
{
    const mo_system *s = coupling->a;
    const contact *c = coupling->state;
    (void)now, (void)error;
    if (c->bounces) {
        copying x = {mo_f64(s->columns.contact_x), mo_f64(s->columns.x)};
        mo_parallel_for(s->host->pool, mo_store_owned(s->store), GRAIN, copy_range, &x);
    }
    return MOTE_OK;
}

static mote_status begin_reactions(contact *c, const mo_host *host, int64_t rows, double time,
                                   mote_error *error)
{
    int64_t blocks = (rows + GRAIN - 1) / GRAIN;
    MO_TRY(mo_reactions_begin(&c->reactions, host->colliders, time, blocks, error));
    MO_TRY(mo_reserve(host->memory, &c->next, &c->capacity, blocks, sizeof *c->next, error));
    for (int64_t b = 0; b < blocks; ++b) {
        c->next[b] = b * GRAIN;
    }
    return MOTE_OK;
}

static mote_status find_bounds(contact *c, resolution *r, mo_memory *memory, mote_error *error)
{
    const mo_colliders *colliders = r->colliders;
    if (colliders->periodic || colliders->count <= 1) {
        return MOTE_OK;
    }
    MO_TRY(mo_reserve(memory, &c->bounds, &c->bounds_capacity, colliders->count, sizeof *c->bounds,
                      error));
    for (int64_t n = 0; n < colliders->count; ++n) {
        c->bounds[n] = bounds_of(&colliders->list[n]);
    }
    r->bounds = c->bounds;
    return MOTE_OK;
}

/* In one pass; in several while blocks run out of slots for reactions. */
static mote_status resolve(resolution *r, mo_contact_count *count, mote_error *error)
{
    for (bool again = true; again;) {
        double total[3];
        MO_TRY(mo_parallel_reduce(r->rows->pool, r->rows->count, GRAIN, MO_SUM, 3, resolve_range, r,
                                  total, error));
        count->contacts += (int64_t)total[0];
        count->crossings += (int64_t)total[1];
        again = total[2] > 0;
        MO_TRY(again ? mo_reactions_widen(r->reactions, error) : MOTE_OK);
    }
    return r->reactions ? mo_reactions_end(r->reactions, error) : MOTE_OK;
}

/* Resolves all contacts at the end of the step. */
static mote_status collider_contact_project(mo_coupling *coupling, const mo_step_time *now,
                                            mote_error *error)
{
    mo_system *s = coupling->a;
    contact *c = coupling->state;
    mo_host *host = coupling->host;
    mo_contact_rows rows = mo_system_contact_rows(s);
    /* otherwise v is not proportional to a momentum */
    bool reacts = host->wants_reactions && !mo_system_first_order(s);
    double radius;
    s->contact = (mo_contact_count){0};
    MO_TRY(mo_contact_reach(host->colliders, &rows, &radius, error));
    mo_colliders_pose_step(host->colliders, now->end, now->h, radius);
    MO_TRY(reacts ? begin_reactions(c, host, rows.count, now->end, error) : MOTE_OK);
    if (!c->bounces) {
        return MOTE_OK;
    }
    resolution r = {.colliders = host->colliders,
                    .rows = &rows,
                    .x = mo_f64(s->columns.x),
                    .v = mo_f64(s->columns.v),
                    .age = s->columns.age->data,
                    .before = mo_f64(s->columns.contact_x),
                    .offset = s->contact_offset,
                    .every_law = !mo_system_sums_contacts(s),
                    .h = now->h,
                    .rest_speed = 2 * now->h * mo_length(mo_host_gravity(host, now->end)),
                    .reactions = reacts ? &c->reactions : NULL,
                    .next = reacts ? c->next : NULL};
    MO_TRY(find_bounds(c, &r, host->memory, error));
    return resolve(&r, &s->contact, error);
}

static const mo_reactions *collider_contact_reactions(const mo_coupling *coupling)
{
    return &((const contact *)coupling->state)->reactions;
}

static void collider_contact_report(const mo_coupling *coupling, mote_step_report *report)
{
    report->contacts += coupling->a->contact.contacts;
}

const mo_coupling_type mo_coupling_collider_contact = {
    .base = {.name = "collider_contact",
             .summary = "Particles against colliders: restitution and friction."},
    .applies = collider_contact_applies,
    .create = collider_contact_create,
    .destroy = collider_contact_destroy,
    .pose = collider_contact_pose,
    .advise = mo_impact_advice_bounces,
    .gather = collider_contact_gather,
    .project = collider_contact_project,
    .report = collider_contact_report,
    .reactions = collider_contact_reactions,
};
