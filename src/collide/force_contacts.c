#include "collide/force_contacts.h"

#include "collide/friction/friction.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 4096, BATCH = MO_CONTACT_BATCH };

mote_status mo_force_contacts_create(mo_force_contacts *c, mo_memory *memory,
                                     mo_colliders *colliders, mote_error *error)
{
    void *laws;
    *c = (mo_force_contacts){.memory = memory, .colliders = colliders};
    mo_contact_set_init(&c->set, memory);
    MO_TRY(mo_allocate_array(memory, colliders->count, sizeof *c->laws, &laws, error));
    c->laws = laws;
    for (int64_t k = 0; k < colliders->count; ++k) {
        const mo_contact_force_law *law = mo_force_law_of(&colliders->list[k]);
        if (law) {
            c->laws[c->law_count++] =
                (mo_force_collider){.index = (int32_t)k, .law = law, .posed = colliders->list[k]};
        }
    }
    return MOTE_OK;
}

void mo_force_contacts_release(mo_force_contacts *c)
{
    mo_anchors_release(&c->anchors);
    mo_contact_set_release(&c->set);
    void *const arrays[] = {c->laws, c->start, c->list, c->dragged};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) {
        mo_release(c->memory, arrays[k]);
    }
    *c = (mo_force_contacts){.memory = c->memory};
}

/* ---- contacts of a batch ---- */

/* Penetration depths of a batch in one collider, with the image of largest depth for each row. */
typedef struct probe {
    double depth[BATCH], normal[3 * BATCH], x[3 * BATCH];
} probe;

static void probe_image(const mo_force_contacts *c, const mo_collider *collider, mo_vec3 image,
                        int64_t first, int64_t count, probe *deepest)
{
    double x[3 * BATCH] = {0}, gap[BATCH], normal[3 * BATCH];
    for (int64_t k = 0; k < count; ++k) {
        mo_vec3 own = mo_vec3_load(c->rows.x + 3 * (first + k));
        mo_vec3_store(x + 3 * k, mo_add(own, mo_contact_offset(c->colliders, own, image)));
    }
    mo_collider_gaps(collider, count, x, gap, normal);
    for (int64_t k = 0; k < count; ++k) {
        double depth = c->rows.radius[first + k] - gap[k];
        if (depth > deepest->depth[k]) {
            deepest->depth[k] = depth;
            memcpy(deepest->normal + 3 * k, normal + 3 * k, 3 * sizeof(double));
            memcpy(deepest->x + 3 * k, x + 3 * k, 3 * sizeof(double));
        }
    }
}

/* Rows in contact have a positive depth. */
static void probe_batch(const mo_force_contacts *c, const mo_force_collider *l, int64_t first,
                        int64_t count, probe *p)
{
    memset(p->depth, 0, sizeof p->depth);
    for (int k = 0; k < l->posed.image_count; ++k) {
        probe_image(c, &l->posed, l->posed.image[k], first, count, p);
    }
    for (int64_t k = 0; k < count; ++k) { /* no forces on fixed particles */
        p->depth[k] = c->rows.inverse_mass[first + k] > 0 ? p->depth[k] : 0;
    }
}

/* The broad phase, as for bounces (rows.h). */
static mo_contact_box box_of(const mo_force_contacts *c, int64_t first, int64_t count)
{
    return c->broad ? mo_contact_box_of(c->rows.x, NULL, c->rows.radius, 1, first, count)
                    : (mo_contact_box){0};
}

static bool is_near(const mo_force_contacts *c, const mo_force_collider *l,
                    const mo_contact_box *box)
{
    return !c->broad || mo_collider_near_box(&l->posed, box);
}

/* The minimum image of a displacement: an anchor may be across a periodic boundary. */
static mo_vec3 nearest_image(const mo_domain *d, mo_vec3 s)
{
    return mo_vec3_make(mo_domain_nearest(d, 0, s.x), mo_domain_nearest(d, 1, s.y),
                        mo_domain_nearest(d, 2, s.z));
}

/* An anchor moves with the surface velocity since the start of the step. */
static mo_vec3 advect_anchor(const mo_force_contacts *c, const mo_collider *posed, mo_vec3 anchor,
                             mo_vec3 n)
{
    double since = c->rows.v && c->time > c->begin ? c->time - c->begin : 0;
    mo_vec3 displacement = mo_scale(since, mo_collider_slip(posed, n));
    return mo_add(anchor, mo_mat3_apply_transposed(posed->pose.R, displacement));
}

/* An implicit scheme linearises its forces at the positions of the start of the step and the time
   of its end: the collider has moved by then, the particle has not. Returns this displacement of
   the collider, at the velocity u: stick or slip is decided without it, by the relative
   displacement at the start of the step, or a belt would drag particles that have its speed
   already. */
static mo_vec3 collider_displacement(const mo_force_contacts *c, int64_t row, mo_vec3 u)
{
    double since = c->x_begin && c->time > c->begin ? c->time - c->begin : 0;
    bool moved =
        since > 0 && memcmp(c->rows.x + 3 * row, c->x_begin + 3 * row, 3 * sizeof(double)) != 0;
    return mo_scale(moved ? 0 : since, u);
}

/* Relative position, velocity and tangential displacement, and the force. */
static void fill_contact(const mo_force_contacts *c, int64_t row, int32_t law, const probe *p,
                         int64_t k, int64_t at)
{
    const mo_force_collider *l = &c->laws[law];
    mo_force_contact *t = &c->list[at];
    const mo_pose *pose = &l->posed.pose;
    mo_vec3 x = mo_vec3_load(p->x + 3 * k), n = mo_collider_normal(&l->posed, p->normal + 3 * k);
    mo_vec3 v = c->rows.v ? mo_vec3_load(c->rows.v + 3 * row) : mo_vec3_make(0, 0, 0);
    mo_vec3 u = c->rows.v ? mo_collider_velocity(&l->posed, x, n) : v, s = mo_vec3_make(0, 0, 0);
    mo_contact record = mo_contact_row_on_collider(&c->rows, row, l->index, x, n, -p->depth[k]);
    *t = (mo_force_contact){.law = law};
    t->anchored = mo_anchors_find(&c->anchors, record.key, &t->anchor);
    if (t->anchored && l->posed.slides) {
        t->anchor = advect_anchor(c, &l->posed, t->anchor, n);
    }
    if (t->anchored) {
        s = nearest_image(&c->colliders->domain, mo_sub(x, mo_pose_apply(pose, t->anchor)));
    }
    mo_vec3 ahead = t->anchored ? collider_displacement(c, row, u) : s;
    ahead = mo_add_scaled(ahead, -mo_dot(ahead, n), n);
    mo_contact_motion motion = {.depth = p->depth[k],
                                .n = n,
                                .w = mo_sub(v, u),
                                .s = mo_add(mo_add_scaled(s, -mo_dot(s, n), n), ahead),
                                .h = c->h};
    t->w = motion.w;
    t->s = motion.s;
    t->response = l->law->respond(&l->tuning, mo_contact_particle_of(&c->rows, row), &motion);
    /* the scheme adds the derivative along the particle's displacement, which is relative to ahead
     */
    ahead = mo_add_scaled(ahead, -mo_dot(ahead, t->response.t), t->response.t);
    record.force = mo_add_scaled(t->response.force, t->response.stiffness_t, ahead);
    c->set.list[at] = record;
}

/* The contacts of a batch: counts them, or writes them from `at` on. Returns their number. */
static int64_t visit_batch(const mo_force_contacts *c, int64_t batch, bool fill, int64_t at)
{
    int64_t rows = mo_contact_batch_rows(c->rows.count, batch), found = 0;
    mo_contact_box box = box_of(c, BATCH * batch, rows);
    for (int64_t l = 0; l < c->law_count; ++l) {
        probe p;
        if (!is_near(c, &c->laws[l], &box)) {
            continue;
        }
        probe_batch(c, &c->laws[l], BATCH * batch, rows, &p);
        for (int64_t k = 0; k < rows; ++k) {
            if (fill && p.depth[k] > 0) {
                fill_contact(c, BATCH * batch + k, (int32_t)l, &p, k, at + found);
            }
            found += p.depth[k] > 0;
        }
    }
    return found;
}

static void count_range(void *context, int64_t first, int64_t last)
{
    const mo_force_contacts *c = context;
    for (int64_t b = first; b < last; ++b) {
        c->start[b + 1] = visit_batch(c, b, false, 0);
    }
}

static void fill_range(void *context, int64_t first, int64_t last)
{
    const mo_force_contacts *c = context;
    for (int64_t b = first; b < last; ++b) {
        if (c->start[b + 1] > c->start[b]) {
            visit_batch(c, b, true, c->start[b]);
        }
    }
}

/* ---- all contacts ---- */

static mote_status pose_colliders(mo_force_contacts *c, double time, mote_error *error)
{
    double reach;
    c->broad = false;
    MO_TRY(mo_contact_reach(c->colliders, &c->rows, &reach, error));
    for (int64_t l = 0; l < c->law_count; ++l) {
        mo_collider *posed = &c->laws[l].posed;
        mo_pose pose = mo_collider_pose_at(posed, time);
        mo_collider_set_pose(posed, &pose, NULL, &c->colliders->domain, reach);
        c->broad = c->broad || (posed->bounded && !posed->inside && !c->colliders->periodic);
    }
    return MOTE_OK;
}

mote_status mo_force_contacts_find(mo_force_contacts *c, const mo_contact_rows *rows, double time,
                                   mote_error *error)
{
    int64_t batches = (rows->count + BATCH - 1) / BATCH;
    c->rows = *rows;
    c->time = time;
    MO_TRY(
        mo_reserve(c->memory, &c->start, &c->start_capacity, batches + 1, sizeof *c->start, error));
    MO_TRY(pose_colliders(c, time, error));
    c->start[0] = 0;
    mo_parallel_for(rows->pool, batches, GRAIN / BATCH, count_range, c);
    for (int64_t b = 0; b < batches; ++b) {
        c->start[b + 1] += c->start[b];
    }
    MO_TRY(mo_contact_set_resize(&c->set, c->start[batches], error));
    MO_TRY(
        mo_reserve(c->memory, &c->list, &c->list_capacity, c->set.count, sizeof *c->list, error));
    mo_parallel_for(rows->pool, batches, GRAIN / BATCH, fill_range, c);
    return MOTE_OK;
}

/* ---- anchors ---- */

/* The displacement of a contact that began in the step, depth/|w_n| ago, with velocity w_t since
 * then. */
static mo_vec3 first_displacement(const mo_force_contacts *c, int64_t contact, double h)
{
    const mo_contact *record = &c->set.list[contact];
    const mo_force_contact *t = &c->list[contact];
    const mo_force_collider *l = &c->laws[t->law];
    mo_contact_particle p = mo_contact_particle_of(&c->rows, record->side[0].row[0]);
    mo_contact_motion m = {.depth = -record->gap, .n = record->normal, .w = t->w};
    double speed = mo_dot(m.w, m.n), since = -speed * h > m.depth ? -m.depth / speed : h;
    m.s = mo_scale(since, mo_add_scaled(m.w, -speed, m.n));
    return l->law->respond(&l->tuning, p, &m).s;
}

/* The anchor after the step; in sticking contact it is bitwise unchanged. */
static mo_vec3 drag(const mo_force_contacts *c, int64_t contact, double h)
{
    const mo_force_contact *t = &c->list[contact];
    const mo_force_collider *l = &c->laws[t->law];
    if (t->anchored && mo_dot(t->response.t, t->response.t) == 0) {
        return t->anchor;
    }
    mo_vec3 s = t->anchored ? t->response.s : first_displacement(c, contact, h);
    return mo_pose_undo(&l->posed.pose, mo_sub(c->set.list[contact].side[1].point, s));
}

mote_status mo_force_contacts_drag(mo_force_contacts *c, double h, mote_error *error)
{
    int64_t count = c->set.count, kept = 0;
    if (!c->anchors.store) {
        return MOTE_OK;
    }
    c->begin = c->time;
    MO_TRY(
        mo_reserve(c->memory, &c->dragged, &c->dragged_capacity, count, sizeof *c->dragged, error));
    for (int64_t k = 0; k < count; ++k) {
        if (mo_friction_acts(c->laws[c->list[k].law].tuning.friction)) {
            c->dragged[kept++] = (mo_anchor){c->set.list[k].key, drag(c, k, h)};
        }
    }
    return mo_anchors_replace(&c->anchors, c->dragged, kept, c->rows.pool, error);
}
