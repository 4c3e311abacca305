#include "system/constraints/collider_contacts.h"

#include "collide/friction/friction.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 512, BATCH = MO_CONTACT_BATCH, SWEEPS = 4 };

/* Candidates are rows nearer than this many displacements of the substep, or this part of their
 * size. */
static const double REACH = 2, NEAR = 0.05;
/* Penetrations below this part of the distances are rounding. */
static const double ROUNDING = 1e-9;

void mo_collider_contacts_init(mo_collider_contacts *contacts, mo_colliders *colliders,
                               mo_memory *memory)
{
    *contacts = (mo_collider_contacts){.memory = memory, .colliders = colliders};
    mo_contact_set_init(&contacts->set, memory);
    mo_reactions_init(&contacts->reactions, memory);
}

void mo_collider_contacts_release(mo_collider_contacts *contacts)
{
    if (contacts->memory) {
        mo_release(contacts->memory, contacts->number);
        mo_release(contacts->memory, contacts->slots);
        mo_contact_set_release(&contacts->set);
        mo_reactions_release(&contacts->reactions);
    }
    *contacts = (mo_collider_contacts){0};
}

/* ---- the search ---- */

/* Positions and paths of a batch of rows. */
typedef struct batch {
    int64_t first, count;
    double p[3 * BATCH], start[3 * BATCH];
} batch;

static void load_batch(const mo_collider_contacts *c, int64_t first, int64_t count, batch *b)
{
    b->first = first;
    b->count = count;
    for (int64_t k = 0; k < count; ++k) {
        memcpy(b->p + 3 * k, c->p + 4 * (first + k), 3 * sizeof(double));
        memcpy(b->start + 3 * k, c->start + 4 * (first + k), 3 * sizeof(double));
    }
}

/* Contacts begin at this distance from the surface. */
static double reach_of(const mo_collider_contacts *c, const batch *b, int64_t k)
{
    mo_vec3 moved = mo_sub(mo_vec3_load(b->p + 3 * k), mo_vec3_load(b->start + 3 * k));
    double size = c->rows.inverse_diameter[b->first + k];
    return REACH * mo_length(moved) + (size > 0 ? NEAR / size : 0);
}

static mo_contact_box box_of(const mo_collider_contacts *c, const batch *b)
{
    mo_contact_box box =
        mo_contact_box_of(b->p, b->start, c->rows.radius + b->first, 1, 0, b->count);
    double most = 0;
    for (int64_t k = 0; k < b->count; ++k) {
        most = fmax(most, reach_of(c, b, k));
    }
    for (int k = 0; k < 3; ++k) {
        box.low[k] -= most;
        box.high[k] += most;
    }
    return box;
}

/* Gaps and normals of a batch to one image of a collider, with those of the entry face where a path
 * crosses a solid. */
static void measure_gaps(const mo_collider_contacts *c, const mo_collider *collider, mo_vec3 image,
                         const batch *b, mo_vec3 *offset, double *gap, double *normal)
{
    double x[3 * BATCH] = {0};
    for (int64_t k = 0; k < b->count; ++k) {
        mo_vec3 own = mo_vec3_load(b->p + 3 * k);
        offset[k] = mo_contact_offset(c->colliders, own, image);
        mo_vec3_store(x + 3 * k, mo_add(own, offset[k]));
    }
    mo_collider_gaps(collider, b->count, x, gap, normal);
    for (int64_t k = 0; k < b->count; ++k) {
        mo_vec3 before = mo_add(mo_vec3_load(b->start + 3 * k), offset[k]),
                at = mo_vec3_load(x + 3 * k),
                moved = mo_collider_displacement(collider, before, at);
        if (gap[k] * gap[k] < mo_dot(moved, moved)) {
            mo_collider_passed(collider, before, at, &gap[k], normal + 3 * k);
        }
    }
}

/* A plane of a row; of more than the slots the nearest ones are kept. */
static void add_plane(mo_collider_contacts *c, int64_t row, const mo_plane_contact *plane,
                      const double *p)
{
    mo_plane_contact *slots = c->slots + MO_CONTACT_SLOTS * row;
    mo_vec3 x = mo_vec3_load(p);
    int at = c->number[row];
    if (at == MO_CONTACT_SLOTS) {
        double most = mo_dot(plane->normal, x) - plane->offset;
        for (int k = 0; k < MO_CONTACT_SLOTS; ++k) {
            double gap = mo_dot(slots[k].normal, x) - slots[k].offset;
            if (gap > most) {
                most = gap;
                at = k;
            }
        }
    }
    if (at < MO_CONTACT_SLOTS) {
        slots[at] = *plane;
        c->number[row] += at == c->number[row];
    }
}

static void find_on_collider(mo_collider_contacts *c, int32_t index, mo_vec3 image, const batch *b)
{
    const mo_collider *collider = &c->colliders->list[index];
    mo_vec3 offset[BATCH];
    double gap[BATCH], normal[3 * BATCH];
    measure_gaps(c, collider, image, b, offset, gap, normal);
    for (int64_t k = 0; k < b->count; ++k) {
        int64_t row = b->first + k;
        double depth = c->rows.radius[row] - gap[k];
        if (c->rows.inverse_mass[row] > 0 && depth > -reach_of(c, b, k)) {
            mo_vec3 n = mo_collider_normal(collider, normal + 3 * k);
            mo_plane_contact plane = {.normal = n,
                                      .offset = mo_dot(n, mo_vec3_load(b->p + 3 * k)) + depth,
                                      .image = offset[k],
                                      .collider = index};
            add_plane(c, row, &plane, b->p + 3 * k);
        }
    }
}

static void find_range(void *context, int64_t first, int64_t last)
{
    mo_collider_contacts *c = context;
    const mo_colliders *colliders = c->colliders;
    bool broad = !colliders->periodic;
    for (int64_t row = first; row < last; row += BATCH) {
        batch b;
        load_batch(c, row, last - row < BATCH ? last - row : BATCH, &b);
        memset(c->number + row, 0, (size_t)b.count);
        mo_contact_box box = box_of(c, &b);
        for (int64_t n = 0; n < colliders->count; ++n) {
            const mo_collider *collider = &colliders->list[n];
            bool near = collider->projects && (!broad || mo_collider_near_box(collider, &box));
            for (int k = 0; near && k < collider->image_count; ++k) {
                find_on_collider(c, (int32_t)n, collider->image[k], &b);
            }
        }
    }
}

mote_status mo_collider_contacts_find(mo_collider_contacts *c, double time, double h, double g,
                                      mote_error *error)
{
    double radius = 0;
    c->h = h;
    c->rest_speed = 2 * h * g;
    if (c->colliders->count == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_reserve(c->memory, &c->number, &c->number_capacity, c->rows.count, 1, error));
    MO_TRY(mo_reserve(c->memory, &c->slots, &c->slot_capacity, MO_CONTACT_SLOTS * c->rows.count,
                      sizeof *c->slots, error));
    MO_TRY(mo_contact_reach(c->colliders, &c->rows, &radius, error));
    mo_colliders_pose_step(c->colliders, time, h, radius);
    mo_parallel_for(c->rows.pool, c->rows.count, GRAIN, find_range, c);
    return MOTE_OK;
}

/* ---- pre-stabilization ---- */

typedef struct start_rows {
    mo_collider_contacts *contacts;
    const uint8_t *age;
    double *x;
} start_rows;

/* Projects a row out of a collider; `image` is that of a periodic domain. */
static void lift_row(const start_rows *s, int64_t row, const mo_collider *collider, mo_vec3 image)
{
    const mo_collider_contacts *c = s->contacts;
    mo_vec3 x = mo_vec3_load(s->x + 3 * row), normal;
    double radius = c->rows.radius[row],
           gap = mo_collider_gap(collider, mo_add(x, mo_contact_offset(c->colliders, x, image)),
                                 &normal);
    if (gap < radius && radius - gap > ROUNDING * (fabs(gap) + radius)) {
        mo_vec3_store(s->x + 3 * row, mo_add_scaled(x, radius - gap, normal));
    }
}

static void lift_range(void *context, int64_t first, int64_t last)
{
    const start_rows *s = context;
    const mo_colliders *colliders = s->contacts->colliders;
    for (int64_t row = first; row < last; ++row) {
        bool moved = s->age[row] == 0 && s->contacts->rows.inverse_mass[row] > 0;
        for (int64_t n = 0; moved && n < colliders->count; ++n) {
            const mo_collider *collider = &colliders->list[n];
            for (int k = 0; collider->projects && k < collider->image_count; ++k) {
                lift_row(s, row, collider, collider->image[k]);
            }
        }
    }
}

mote_status mo_collider_contacts_prestabilize(mo_collider_contacts *c, double time,
                                              const uint8_t *age, double *x, mote_error *error)
{
    start_rows s = {c, age, x};
    double radius = 0;
    if (c->colliders->count == 0 || !memchr(age, 0, (size_t)c->rows.count)) {
        return MOTE_OK;
    }
    MO_TRY(mo_contact_reach(c->colliders, &c->rows, &radius, error));
    mo_colliders_pose_step(c->colliders, time, 0, radius);
    mo_parallel_for(c->rows.pool, c->rows.count, GRAIN, lift_range, &s);
    return MOTE_OK;
}

/* ---- projection ---- */

/* The tangential displacement of the substep relative to the collider's surface. */
static mo_vec3 slip_of(const mo_collider_contacts *c, const mo_plane_contact *plane, int64_t row,
                       mo_vec3 p)
{
    const mo_collider *collider = &c->colliders->list[plane->collider];
    mo_vec3 n = plane->normal, start = mo_vec3_load(c->start + 4 * row);
    mo_vec3 moved =
        mo_collider_displacement(collider, mo_add(start, plane->image), mo_add(p, plane->image));
    moved = collider->slides ? mo_add_scaled(moved, -c->h, mo_collider_slip(collider, n)) : moved;
    return mo_add_scaled(moved, -mo_dot(moved, n), n);
}

/* Pushes a row by `depth` along the normal, with friction. Corrections of the normal add up over
 * the iterations, and so do the bounds of Coulomb's law. */
static mo_vec3 push_row(const mo_collider_contacts *c, mo_plane_contact *plane, int64_t row,
                        double depth, mo_vec3 p)
{
    const mo_collider *collider = &c->colliders->list[plane->collider];
    const mo_friction_type *friction = (const mo_friction_type *)collider->friction.type;
    mo_vec3 after = mo_add_scaled(p, depth, plane->normal);
    mo_vec3 slip = slip_of(c, plane, row, after);
    mo_vec3 kept = mo_scale(
        c->h, friction->slow(collider->friction.params, mo_scale(1 / c->h, slip), depth / c->h));
    after = mo_add(after, mo_sub(kept, slip));
    plane->push += depth;
    plane->change = mo_add(plane->change, mo_sub(after, p));
    return after;
}

static void project_range(void *context, int64_t first, int64_t last)
{
    mo_collider_contacts *c = context;
    for (int64_t row = first; row < last; ++row) {
        for (int k = 0; k < c->number[row]; ++k) {
            mo_plane_contact *plane = &c->slots[MO_CONTACT_SLOTS * row + k];
            mo_vec3 p = mo_vec3_load(c->p + 4 * row);
            double depth = plane->offset - mo_dot(plane->normal, p);
            if (depth > 0) {
                mo_vec3_store(c->p + 4 * row, push_row(c, plane, row, depth, p));
            }
        }
    }
}

void mo_collider_contacts_project(mo_collider_contacts *c)
{
    if (c->colliders->count > 0) {
        mo_parallel_for(c->rows.pool, c->rows.count, GRAIN, project_range, c);
    }
}

/* ---- the surfaces themselves ---- */

/* The plane of a row for a collider: one that exists, or a new one. */
static mo_plane_contact *plane_of(mo_collider_contacts *c, int64_t row, int32_t collider,
                                  mo_vec3 image, mo_vec3 n, double offset, const double *p)
{
    mo_plane_contact *slots = c->slots + MO_CONTACT_SLOTS * row;
    for (int k = 0; k < c->number[row]; ++k) {
        if (slots[k].collider == collider) {
            return &slots[k];
        }
    }
    mo_plane_contact plane = {.normal = n, .offset = offset, .image = image, .collider = collider};
    add_plane(c, row, &plane, p);
    return &slots[c->number[row] - 1];
}

static bool separate_on_collider(mo_collider_contacts *c, int32_t index, mo_vec3 image, batch *b)
{
    const mo_collider *collider = &c->colliders->list[index];
    mo_vec3 offset[BATCH];
    double gap[BATCH], normal[3 * BATCH];
    bool any = false;
    measure_gaps(c, collider, image, b, offset, gap, normal);
    for (int64_t k = 0; k < b->count; ++k) {
        int64_t row = b->first + k;
        double depth = c->rows.radius[row] - gap[k];
        if (c->rows.inverse_mass[row] > 0 && depth > 0) {
            mo_vec3 n = mo_collider_normal(collider, normal + 3 * k),
                    p = mo_vec3_load(b->p + 3 * k);
            mo_plane_contact *plane =
                plane_of(c, row, index, offset[k], n, mo_dot(n, p) + depth, b->p + 3 * k);
            mo_vec3 after = mo_add_scaled(p, depth, n);
            plane->push += depth;
            plane->change = mo_add(plane->change, mo_scale(depth, n));
            mo_vec3_store(b->p + 3 * k, after);
            mo_vec3_store(c->p + 4 * row, after);
            any = any || depth > 1e-12 * (fabs(gap[k]) + c->rows.radius[row]);
        }
    }
    return any;
}

static void separate_range(void *context, int64_t first, int64_t last)
{
    mo_collider_contacts *c = context;
    const mo_colliders *colliders = c->colliders;
    bool broad = !colliders->periodic;
    for (int64_t row = first; row < last; row += BATCH) {
        batch b;
        load_batch(c, row, last - row < BATCH ? last - row : BATCH, &b);
        /* several sweeps: a row in a corner ends outside all colliders */
        bool any = true;
        for (int sweep = 0; any && sweep < SWEEPS; ++sweep) {
            mo_contact_box box = box_of(c, &b);
            any = false;
            for (int64_t n = 0; n < colliders->count; ++n) {
                const mo_collider *collider = &colliders->list[n];
                bool near = collider->projects && (!broad || mo_collider_near_box(collider, &box));
                for (int k = 0; near && k < collider->image_count; ++k) {
                    any = separate_on_collider(c, (int32_t)n, collider->image[k], &b) || any;
                }
            }
        }
    }
}

void mo_collider_contacts_separate(mo_collider_contacts *c)
{
    if (c->colliders->count > 0) {
        mo_parallel_for(c->rows.pool, c->rows.count, GRAIN, separate_range, c);
    }
}

/* ---- velocities ---- */

typedef struct restitution {
    mo_collider_contacts *contacts;
    const double *v0;
    double *v;
} restitution;

/* The normal velocity after an impact is -e times that before the solve, relative to the collider.
 * Below the speed that gravity adds in two substeps e = 0. */
static void restitute_range(void *context, int64_t first, int64_t last)
{
    const restitution *r = context;
    const mo_collider_contacts *c = r->contacts;
    for (int64_t row = first; row < last; ++row) {
        for (int k = 0; k < c->number[row]; ++k) {
            mo_plane_contact *plane = &c->slots[MO_CONTACT_SLOTS * row + k];
            const mo_collider *collider = &c->colliders->list[plane->collider];
            mo_vec3 x = mo_add(mo_vec3_load(c->p + 4 * row), plane->image), n = plane->normal,
                    u = mo_collider_velocity(collider, x, n), v = mo_vec3_load(r->v + 3 * row);
            double before = mo_dot(mo_sub(mo_vec3_load(r->v0 + 3 * row), u), n),
                   after = mo_dot(mo_sub(v, u), n), wanted = -collider->restitution * before;
            if (plane->push > 0 && -before > c->rest_speed && wanted > after) {
                mo_vec3_store(r->v + 3 * row, mo_add_scaled(v, wanted - after, n));
                plane->change = mo_add_scaled(plane->change, c->h * (wanted - after), n);
            }
        }
    }
}

void mo_collider_contacts_restitute(mo_collider_contacts *c, const double *v0, double *v)
{
    restitution r = {c, v0, v};
    if (c->colliders->count > 0) {
        mo_parallel_for(c->rows.pool, c->rows.count, GRAIN, restitute_range, &r);
    }
}

/* ---- the end of a substep ---- */

static mote_status record_row(mo_collider_contacts *c, int64_t row, double share, mote_error *error)
{
    for (int k = 0; k < c->number[row]; ++k) {
        const mo_plane_contact *plane = &c->slots[MO_CONTACT_SLOTS * row + k];
        if (plane->push > 0) {
            mo_vec3 x = mo_add(mo_vec3_load(c->p + 4 * row), plane->image);
            mo_contact contact =
                mo_contact_row_on_collider(&c->rows, row, plane->collider, x, plane->normal, 0);
            contact.force = mo_scale(share * c->rows.mass[row] / (c->h * c->h), plane->change);
            MO_TRY(mo_contact_set_append(&c->set, &contact, error));
        }
    }
    return MOTE_OK;
}

mote_status mo_collider_contacts_close(mo_collider_contacts *c, double share, bool record,
                                       mote_error *error)
{
    c->contacts = 0;
    for (int64_t row = 0; c->colliders->count > 0 && row < c->rows.count; ++row) {
        bool pushed = false;
        for (int k = 0; k < c->number[row]; ++k) {
            pushed = pushed || c->slots[MO_CONTACT_SLOTS * row + k].push > 0;
        }
        c->contacts += pushed;
        MO_TRY(record && pushed ? record_row(c, row, share, error) : MOTE_OK);
    }
    return MOTE_OK;
}
