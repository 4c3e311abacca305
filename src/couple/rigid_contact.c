/*
 * Contacts of rigid bodies with each other and with colliders.
 *
 * gather: boxes around the bodies' paths in the step, pairs of them (collide/broad_phase.h) and of
 * bodies with colliders, then for every pair its manifolds (collide/narrow), on all threads; the
 * contacts of the rigid system's step in the order of pairs, each warm-started with the impulses of
 * the previous step. project: stores impulses, sums reactions.
 *
 * Materials of a pair: the geometric mean of the coefficients of friction, the larger coefficient
 * of restitution, the sum of the lengths of rolling friction. A collider whose friction is not
 * given has that of the body.
 *
 * A pair with several manifolds (compounds, containers, meshes) is collided twice: to count them,
 * and to write them where they belong. Room for the most that there could be would be a hundred
 * times as much memory.
 */
#include "collide/friction/friction.h"
#include "couple/rigid_advice.h"
#include "couple/rigid_geometry.h"

#include <string.h>

enum {
    DENSE = 5,
    NEAR_DENSE = 16,
    PAIR_GRAIN = 32,
    ROW_GRAIN = 256,
    GROUP_PRESCRIBED = 0,
    GROUP_NONE = -1
};

/* Distance within which a point is matched to one of the previous step, in inner radii. */
static const double NEAR = 0.1;
/* Initial overlap that is reported, likewise. */
static const double OVERLAP = 0.02;

typedef mo_rigid_pair_rows pair;
typedef mo_rigid_contacts contact;

static bool rigid_contact_applies(const mo_world_def *def, const mo_system *a, const mo_system *b)
{
    (void)def;
    return !b && a->type == &mo_system_rigid;
}

static void rigid_contact_destroy(mo_coupling *coupling)
{
    contact *c = coupling->state;
    mo_memory *memory = coupling->host->memory;
    if (!c) {
        return;
    }
    mo_broad_phase_release(&c->broad);
    mo_contact_set_release(&c->set);
    mo_reactions_release(&c->reactions);
    if (c->memory.store) {
        mo_store_destroy(c->memory.store);
    }
    mo_release(memory, c->poses);
    mo_release(memory, c->boxes);
    mo_release(memory, c->groups);
    mo_release(memory, c->pairs);
    mo_release(memory, c->counts);
    mo_release(memory, c->manifolds);
    mo_release(memory, c->hints);
    mo_release(memory, c);
    coupling->store = NULL;
    coupling->state = NULL;
}

/* Copies of the colliders at the start of a step. */
static mote_status copy_colliders(contact *c, mo_host *host, mote_error *error)
{
    size_t bytes = (size_t)(host->colliders->count + 1) * sizeof *c->colliders.list;
    c->colliders = *host->colliders;
    c->colliders.list = mo_arena_allocate(host->arena, bytes);
    c->guest = mo_arena_allocate(host->arena, (size_t)(c->colliders.count + 1) * sizeof *c->guest);
    c->open = mo_arena_allocate(host->arena, (size_t)(c->colliders.count + 1) * sizeof *c->open);
    if (!c->colliders.list || !c->guest || !c->open) {
        return mo_fail_memory(error, bytes);
    }
    memcpy(c->colliders.list, host->colliders->list,
           (size_t)c->colliders.count * sizeof *c->colliders.list);
    for (int64_t k = 0; k < c->colliders.count; ++k) {
        double low[3], high[3];
        mo_collider *own = &c->colliders.list[k];
        own->image_count = 0;
        own->bounded = !own->inside && mo_collider_bounds(own, low, high);
        if (!own->bounded) {
            c->open[c->open_count++] = (int32_t)k;
        }
    }
    return MOTE_OK;
}

static mote_status rigid_contact_create(const mo_world_def *def, mo_coupling *coupling,
                                        mote_error *error)
{
    mo_host *host = coupling->host;
    contact *c = mo_allocate(host->memory, sizeof *c);
    mo_warn_about_rigid_colliders(def, host);
    if (!c) {
        return mo_fail_memory(error, sizeof *c);
    }
    coupling->state = c;
    mo_broad_phase_init(&c->broad, host->memory);
    mo_contact_set_init(&c->set, host->memory);
    mo_reactions_init(&c->reactions, host->memory);
    c->stage_broad = mo_stage_add(host->stages, "rigid broad phase");
    c->stage_narrow = mo_stage_add(host->stages, "rigid narrow phase");
    mote_status status = mo_couple_rigid_memory_open(&c->memory, host->memory, error);
    coupling->store = c->memory.store;
    status = status == MOTE_OK ? copy_colliders(c, host, error) : status;
    if (status != MOTE_OK) {
        rigid_contact_destroy(coupling);
    }
    return status;
}

/* ---- broad phase ---- */

typedef struct moving {
    const mo_system *system;
    contact *c;
    double h, margin;
    mo_vec3 gravity;
} moving;

static bool collides(const mo_collision_shape *shape)
{
    return shape->reach > 0;
}

/* Positions and predicted velocities of rows, and their swept boxes. */
static void box_range(void *context, int64_t first, int64_t last)
{
    const moving *m = context;
    const double *inverse_mass = mo_f64(m->system->columns.inverse_mass);
    for (int64_t row = first; row < last; ++row) {
        const mo_collision_shape *shape = &mo_rigid_system_prototype_of(m->system, row)->shape;
        mo_pose *pose = &m->c->poses[row];
        mo_box *box = &m->c->boxes[row];
        bool moves = inverse_mass[row] > 0;
        *pose = mo_rigid_system_pose(m->system, row);
        pose->v = moves ? mo_add_scaled(pose->v, m->h, m->gravity) : pose->v;
        m->c->groups[row] = moves ? GROUP_NONE : GROUP_PRESCRIBED;
        *box = mo_box_empty();
        if (collides(shape)) {
            mo_collision_shape_bounds(shape, pose, m->h, box->low, box->high);
            for (int k = 0; k < 3; ++k) {
                box->low[k] -= m->margin;
                box->high[k] += m->margin;
            }
        }
    }
}

/* Boxes of the bodies, then of the colliders. */
static mote_status find_boxes(mo_coupling *coupling, const moving *m, mote_error *error)
{
    contact *c = coupling->state;
    mo_memory *memory = coupling->host->memory;
    int64_t rows = mo_store_owned(coupling->a->store), all = rows + c->colliders.count;
    MO_TRY(mo_reserve(memory, &c->poses, &c->pose_capacity, rows, sizeof *c->poses, error));
    MO_TRY(mo_reserve(memory, &c->boxes, &c->box_capacity, all, sizeof *c->boxes, error));
    MO_TRY(mo_reserve(memory, &c->groups, &c->group_capacity, all, sizeof *c->groups, error));
    mo_parallel_for(coupling->host->pool, rows, ROW_GRAIN, box_range, (void *)m);
    for (int64_t k = 0; k < c->colliders.count; ++k) {
        c->boxes[rows + k] = mo_couple_rigid_geometry_collider_box(&c->colliders.list[k], m->h);
        c->groups[rows + k] = GROUP_PRESCRIBED;
    }
    return mo_broad_phase_update(&c->broad, all, c->boxes, c->groups, coupling->host->pool, error);
}

/* Reserves the contacts of a dense pile, so that no memory is allocated while a pile forms. */
static mote_status reserve(mo_coupling *coupling, mote_error *error)
{
    contact *c = coupling->state;
    int64_t rows = mo_store_owned(coupling->a->store), most = DENSE * rows + rows;
    mo_memory *memory = coupling->host->memory;
    if (c->reserved == rows) {
        return MOTE_OK;
    }
    c->reserved = rows;
    MO_TRY(mo_broad_phase_reserve(&c->broad, rows + c->colliders.count, NEAR_DENSE * rows, error));
    MO_TRY(mo_rigid_system_reserve(coupling->a, most, 0, 0, error));
    MO_TRY(mo_store_reserve(c->memory.store, most, error));
    MO_TRY(mo_reserve(memory, &c->hints, &c->hint_capacity, most, sizeof *c->hints, error));
    most = 2 * most + rows * c->open_count;
    MO_TRY(mo_reserve(memory, &c->pairs, &c->pair_capacity, most, sizeof *c->pairs, error));
    MO_TRY(mo_reserve(memory, &c->counts, &c->count_capacity, most + 1, sizeof *c->counts, error));
    return mo_reserve(memory, &c->manifolds, &c->manifold_capacity, most, sizeof *c->manifolds,
                      error);
}

/* Bodies and colliders, by rows, then by colliders: those with bounds from the broad phase, whose
 * pairs are in this order, and all without. */
static void list_collider_pairs(contact *c, const mo_system *s, int64_t rows)
{
    const mo_rigid_step *step = mo_rigid_system_step_of(s);
    const mo_box_pair *p = c->broad.pairs, *end = p + c->broad.pair_count;
    for (int64_t row = 0; row < rows; ++row) {
        bool meets = mo_f64(s->columns.inverse_mass)[row] > 0 && !mo_box_is_empty(&c->boxes[row]);
        int64_t open = meets ? 0 : c->open_count;
        while (p < end && (p->a < row || (p->a == row && p->b < rows))) {
            ++p;
        }
        while ((p < end && p->a == row) || open < c->open_count) {
            bool bounded =
                p < end && p->a == row && (open == c->open_count || p->b - rows < c->open[open]);
            int64_t collider = bounded ? p++->b - rows : c->open[open++];
            if (!mo_rigid_system_apart(step, row, MO_RIGID_COLLIDER + collider)) {
                c->pairs[c->pair_count++] = (pair){(int32_t)row, (int32_t)(-1 - collider)};
            }
        }
    }
}

/* Pairs of bodies not excluded by joints, then bodies near colliders. */
static mote_status list_pairs(mo_coupling *coupling, mote_error *error)
{
    contact *c = coupling->state;
    const mo_system *s = coupling->a;
    const mo_rigid_step *step = mo_rigid_system_step_of(s);
    int64_t rows = mo_store_owned(s->store), most = c->broad.pair_count + rows * c->open_count;
    MO_TRY(mo_reserve(coupling->host->memory, &c->pairs, &c->pair_capacity, most, sizeof *c->pairs,
                      error));
    c->pair_count = 0;
    for (int64_t k = 0; k < c->broad.pair_count; ++k) {
        if (c->broad.pairs[k].b < rows &&
            !mo_rigid_system_apart(step, c->broad.pairs[k].a, c->broad.pairs[k].b)) {
            c->pairs[c->pair_count++] = (pair){c->broad.pairs[k].a, c->broad.pairs[k].b};
        }
    }
    if (c->colliders.count > 0) {
        list_collider_pairs(c, s, rows);
    }
    return MOTE_OK;
}

/* ---- narrow phase ---- */

typedef struct colliding {
    mo_coupling *coupling;
    contact *c;
    mo_rigid_step *step;
    mo_narrow_query query;
    double substep;
} colliding;

static mo_rigid_key key_of(const mo_system *s, pair p)
{
    const int64_t *id = mo_i64(s->columns.id);
    return (mo_rigid_key){id[p.a], p.b < 0 ? p.b : id[p.b]};
}

/* `kept`: a guess, then the first record of the pair; those of the pairs of a range follow each
 * other. */
static int collide(const colliding *n, pair p, mo_manifold out[MO_NARROW_MOST], int64_t *kept,
                   int64_t *kept_count)
{
    const mo_system *s = n->coupling->a;
    const contact *c = n->c;
    mo_manifold_hint hints[MO_NARROW_MOST];
    *kept = mo_couple_rigid_memory_find(&c->memory, key_of(s, p), *kept, kept_count);
    mo_narrow_hints list = {(int)(*kept_count < MO_NARROW_MOST ? *kept_count : MO_NARROW_MOST),
                            hints};
    for (int k = 0; k < list.count; ++k) {
        hints[k] = mo_couple_rigid_memory_hint(&c->memory, *kept + k);
    }
    const mo_collision_shape *a = &mo_rigid_system_prototype_of(s, p.a)->shape;
    if (p.b < 0) {
        return mo_narrow_collider(a, &c->poses[p.a], &c->colliders.list[-1 - p.b], &n->query, list,
                                  out);
    }
    return mo_narrow_bodies(a, &c->poses[p.a], &mo_rigid_system_prototype_of(s, p.b)->shape,
                            &c->poses[p.b], &n->query, list, out);
}

/* ---- contacts of a step ---- */

static void count_range(void *context, int64_t first, int64_t last)
{
    const colliding *n = context;
    int64_t kept = 0, kept_count;
    for (int64_t k = first; k < last; ++k) {
        mo_manifold out[MO_NARROW_MOST];
        int count = collide(n, n->c->pairs[k], out, &kept, &kept_count);
        n->c->counts[k] = count;
        if (count == 1) {
            n->c->manifolds[k] = out[0];
        }
    }
}

/* The coefficient of a pair; a collider without one, or with a law that is none of forces, has that
 * of the body. */
static double friction_of(const mo_collider *collider, double own)
{
    const mo_friction_type *type = (const mo_friction_type *)collider->friction.type;
    bool coulomb = mo_friction_given(collider->friction) && type->limit;
    return coulomb ? sqrt(type->limit(collider->friction.params, 1) * own) : own;
}

static void set_material(const colliding *n, pair p, mo_rigid_contact *out)
{
    const mo_rigid_material *a = &mo_rigid_system_prototype_of(n->coupling->a, p.a)->material;
    if (p.b < 0) {
        const mo_collider *c = &n->c->colliders.list[-1 - p.b];
        out->friction_coefficient = friction_of(c, a->friction);
        out->restitution = fmax(a->restitution, c->restitution);
        out->rolling_friction = a->rolling_friction;
        out->surface_velocity =
            c->slides ? mo_collider_slip(c, out->normal) : mo_vec3_make(0, 0, 0);
        return;
    }
    const mo_rigid_material *b = &mo_rigid_system_prototype_of(n->coupling->a, p.b)->material;
    out->friction_coefficient = sqrt(a->friction * b->friction);
    out->restitution = fmax(a->restitution, b->restitution);
    out->rolling_friction = a->rolling_friction + b->rolling_friction;
}

/* Features of nearly aligned solids change by rounding while the points remain: a point whose
 * feature is new is matched to the nearest unmatched point of the previous step. */
static void match_positions(const colliding *n, int64_t row, const mo_rigid_contact *now,
                            int64_t kept, mo_rigid_contact *before)
{
    const mo_rigid_prototype *p = mo_rigid_system_prototype_of(n->coupling->a, row);
    double reach = NEAR * p->size;
    bool used[MO_RIGID_POINTS] = {false}, known[MO_RIGID_POINTS] = {false};
    for (int i = 0; i < now->count; ++i) {
        for (int k = 0; k < before->count; ++k) {
            if (now->key[i] == before->key[k]) {
                known[i] = used[k] = true;
            }
        }
    }
    for (int i = 0; i < now->count; ++i) {
        mo_vec3 x = mo_pose_undo(&n->c->poses[row], now->position[i][0]);
        int best = -1;
        double least = reach;
        for (int k = 0; !known[i] && k < before->count; ++k) {
            double distance =
                mo_length(mo_sub(x, mo_couple_rigid_memory_point(&n->c->memory, kept, k)));
            if (!used[k] && distance < least) {
                best = k;
                least = distance;
            }
        }
        if (best >= 0) {
            before->key[best] = now->key[i];
            used[best] = true;
        }
    }
}

/* `taken`: bit k, record kept + k has warm-started another manifold of this pair. */
static void fill_contact(const colliding *n, pair p, const mo_manifold *m, int64_t kept,
                         int64_t kept_count, int64_t at, uint64_t *taken)
{
    mo_rigid_contact *out = &n->step->contacts[n->c->first + at], before;
    *out = (mo_rigid_contact){.body = {p.a, p.b < 0 ? n->c->guest[-1 - p.b] : p.b},
                              .curved = mo_couple_rigid_geometry_curved(n->coupling, p)};
    mo_couple_rigid_geometry_set_points(out, m);
    set_material(n, p, out);
    n->c->hints[at] = m->hint;
    for (int64_t k = kept; k < kept + kept_count; ++k) {
        uint64_t bit = UINT64_C(1) << ((k - kept) & 63);
        if (!(*taken & bit) && mo_couple_rigid_memory_hint(&n->c->memory, k).part == m->hint.part) {
            *taken |= bit;
            double substep = mo_couple_rigid_memory_load(&n->c->memory, k, &before);
            match_positions(n, p.a, out, k, &before);
            mo_rigid_contact_continue(out, &before, n->substep / substep);
            break;
        }
    }
}

/* counts[k] is the offset of the manifolds of pair k. */
static void fill_range(void *context, int64_t first, int64_t last)
{
    const colliding *n = context;
    int64_t kept = 0, kept_count;
    for (int64_t k = first; k < last; ++k) {
        int64_t at = n->c->counts[k], count = n->c->counts[k + 1] - at;
        mo_manifold out[MO_NARROW_MOST];
        uint64_t taken = 0;
        if (count == 0) {
            continue;
        }
        if (count == 1) {
            out[0] = n->c->manifolds[k];
            kept = mo_couple_rigid_memory_find(
                &n->c->memory, key_of(n->coupling->a, n->c->pairs[k]), kept, &kept_count);
        } else {
            collide(n, n->c->pairs[k], out, &kept, &kept_count);
        }
        for (int64_t m = 0; m < count; ++m) {
            fill_contact(n, n->c->pairs[k], &out[m], kept, kept_count, at + m, &taken);
        }
    }
}

static mote_status find_contacts(colliding *n, mote_error *error)
{
    contact *c = n->c;
    mo_host *host = n->coupling->host;
    int64_t total = 0;
    MO_TRY(mo_reserve(host->memory, &c->counts, &c->count_capacity, c->pair_count + 1,
                      sizeof *c->counts, error));
    MO_TRY(mo_reserve(host->memory, &c->manifolds, &c->manifold_capacity, c->pair_count,
                      sizeof *c->manifolds, error));
    mo_parallel_for(host->pool, c->pair_count, PAIR_GRAIN, count_range, n);
    for (int64_t k = 0; k < c->pair_count; ++k) {
        int64_t count = c->counts[k];
        c->counts[k] = total;
        total += count;
    }
    c->counts[c->pair_count] = total;
    MO_TRY(mo_rigid_system_reserve(n->coupling->a, total, 0, 0, error));
    MO_TRY(mo_reserve(host->memory, &c->hints, &c->hint_capacity, total, sizeof *c->hints, error));
    c->first = n->step->contact_count;
    n->step->geometry = (mo_rigid_geometry){n->coupling, mo_couple_rigid_geometry_find};
    mo_parallel_for(host->pool, c->pair_count, PAIR_GRAIN, fill_range, n);
    n->step->contact_count += total;
    c->contact_count = total;
    return MOTE_OK;
}

/* Moving colliders are rows of infinite mass in the solver. */
static mote_status pose_colliders(mo_coupling *coupling, double time, mote_error *error)
{
    contact *c = coupling->state;
    mo_rigid_step *step = mo_rigid_system_step_of(coupling->a);
    int64_t rows = mo_store_owned(coupling->a->store);
    mo_colliders_pose(&c->colliders, time);
    MO_TRY(mo_rigid_system_reserve(coupling->a, 0, c->colliders.count, 0, error));
    for (int64_t k = 0; k < c->colliders.count; ++k) {
        const mo_collider *collider = &c->colliders.list[k];
        c->guest[k] = -1;
        if (mo_motion_moves(collider->motion)) {
            mo_pose pose = collider->pose;
            c->guest[k] = (int32_t)(rows + step->guest_count);
            step->guests[step->guest_count++] = (mo_rigid_guest){
                .x = pose.p, .v = pose.v, .w = pose.w, .q = mo_quat_of_matrix(pose.R)};
        }
    }
    return MOTE_OK;
}

/* Initial overlaps are resolved by the solver, which adds energy. */
static void warn_overlap(const mo_coupling *coupling, double time)
{
    const contact *c = coupling->state;
    const mo_system *s = coupling->a;
    const mo_rigid_contact *list = mo_rigid_system_step_of(s)->contacts + c->first;
    double worst = 0;
    int64_t deepest = -1, count = 0;
    for (int64_t k = 0; k < c->pair_count; ++k) {
        double allowed = -OVERLAP * mo_rigid_system_prototype_of(s, c->pairs[k].a)->size;
        for (int64_t at = c->counts[k]; at < c->counts[k + 1]; ++at) {
            double gap = 0;
            for (int i = 0; i < list[at].count; ++i) {
                gap = fmin(gap, list[at].gap[i]);
            }
            count += gap < allowed;
            if (gap < allowed && gap < worst) {
                worst = gap;
                deepest = k;
            }
        }
    }
    if (deepest >= 0) {
        pair p = c->pairs[deepest];
        mo_host_warn(coupling->host, time, "overlap at the start",
                     "%lld contacts of rigid bodies overlap at the start, '%.60s' and '%.60s' by "
                     "%.3g m; they are pushed apart: move or shrink their shapes",
                     (long long)count, mo_system_body_name(s, p.a),
                     p.b < 0 ? c->colliders.list[-1 - p.b].name : mo_system_body_name(s, p.b),
                     -worst);
    }
}

static mote_status rigid_contact_gather(mo_coupling *coupling, const mo_step_time *now,
                                        mote_error *error)
{
    contact *c = coupling->state;
    mo_host *host = coupling->host;
    double margin = mo_rigid_system_margin(coupling->a);
    moving m = {coupling->a, c, now->h, margin, mo_host_gravity(host, now->time)};
    c->substep = now->h / mo_rigid_system_substeps(coupling->a);
    colliding n = {.coupling = coupling,
                   .c = c,
                   .step = mo_rigid_system_step_of(coupling->a),
                   .query = {margin, now->h},
                   .substep = c->substep};
    MO_TRY(pose_colliders(coupling, now->time, error));
    MO_TRY(reserve(coupling, error));
    MO_TRY(find_boxes(coupling, &m, error));
    MO_TRY(list_pairs(coupling, error));
    mo_stage_end(host->stages, c->stage_broad);
    MO_TRY(find_contacts(&n, error));
    if (now->step == 0) {
        warn_overlap(coupling, now->time);
    }
    mo_stage_end(host->stages, c->stage_narrow);
    return MOTE_OK;
}

/* ---- after the solve ---- */

static mote_status keep_contacts(mo_coupling *coupling, mote_error *error)
{
    contact *c = coupling->state;
    const mo_rigid_step *step = mo_rigid_system_step_of(coupling->a);
    MO_TRY(mo_couple_rigid_memory_resize(&c->memory, c->contact_count, error));
    for (int64_t k = 0; k < c->pair_count; ++k) {
        for (int64_t at = c->counts[k]; at < c->counts[k + 1]; ++at) {
            mo_couple_rigid_memory_store(&c->memory, at, key_of(coupling->a, c->pairs[k]),
                                         c->hints[at], &step->contacts[c->first + at],
                                         &c->poses[c->pairs[k].a], c->substep);
        }
    }
    return MOTE_OK;
}

/* The reaction on the collider is opposite to the force on the body. */
static mote_status react(mo_coupling *coupling, double time, mote_error *error)
{
    contact *c = coupling->state;
    const mo_rigid_step *step = mo_rigid_system_step_of(coupling->a);
    c->set.count = 0;
    for (int64_t k = 0; k < c->pair_count; ++k) {
        for (int64_t at = c->counts[k]; c->pairs[k].b < 0 && at < c->counts[k + 1]; ++at) {
            const mo_rigid_contact *r = &step->contacts[c->first + at];
            mo_contact record = {
                .side = {mo_contact_vertex(coupling->a->number, c->pairs[k].a),
                         mo_contact_collider(-1 - c->pairs[k].b, mo_rigid_contact_center(r, 1))},
                .normal = r->normal,
                .force = r->force};
            MO_TRY(mo_contact_set_append(&c->set, &record, error));
        }
    }
    return mo_contact_set_react(&c->set, coupling->host->colliders, time, &c->reactions, error);
}

static mote_status rigid_contact_project(mo_coupling *coupling, const mo_step_time *now,
                                         mote_error *error)
{
    MO_TRY(keep_contacts(coupling, error));
    return coupling->host->wants_reactions ? react(coupling, now->end, error) : MOTE_OK;
}

static const mo_reactions *rigid_contact_reactions(const mo_coupling *coupling)
{
    return &((const contact *)coupling->state)->reactions;
}

static void rigid_contact_report(const mo_coupling *coupling, mote_step_report *report)
{
    const contact *c = coupling->state;
    for (int64_t k = 0; k < c->pair_count; ++k) {
        report->contacts += c->pairs[k].b < 0 && c->counts[k + 1] > c->counts[k];
    }
}

const mo_coupling_type mo_coupling_rigid_contact = {
    .base = {.name = "rigid_contact",
             .summary = "Rigid bodies against each other and against colliders."},
    .applies = rigid_contact_applies,
    .create = rigid_contact_create,
    .destroy = rigid_contact_destroy,
    .gather = rigid_contact_gather,
    .project = rigid_contact_project,
    .report = rigid_contact_report,
    .reactions = rigid_contact_reactions,
};
