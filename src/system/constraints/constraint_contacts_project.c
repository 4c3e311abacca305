/*
 * Contacts of a substep, and their projection with friction. For the difference of two features
 * d = sum b_i p_i, its normal n at the start of the substep (or where the features first come near
 * each other, if they are fast), and m = sum b_i^2/m_i:
 *     push += max((goal - d . n)/m, -push),       p_i += b_i/m_i n dpush,
 *     drag: -slip/m added, |drag| <= mu push,     p_i += b_i/m_i ddrag,
 * slip the tangential part of sum b_i (p_i - x_i). Within the cone of the static coefficient there
 * is no slip, outside the drag is that of the dynamic one. Equal and opposite impulses along the
 * line of the nearest points: momenta are conserved.
 */
#include "system/constraints/constraint_contacts.h"

#include <string.h>

enum { GRAIN = 256, SWEEP_GRAIN = 512 };

/* Pairs nearer than the thickness are separated by this part of it in a substep, so that surfaces
 * which are too close part without a jump. */
static const double RECOVERY = 0.02;
/* Fast pairs are followed until this part of the thickness is left. */
static const double MEETING = 0.5;

static mo_vec3 weighted(const mo_vec3 x[4], const double weight[4])
{
    mo_vec3 sum = mo_scale(weight[1], mo_sub(x[1], x[0]));
    sum = mo_add_scaled(sum, weight[2], mo_sub(x[2], x[0]));
    return mo_add_scaled(sum, weight[3], mo_sub(x[3], x[0]));
}

static mo_constraint_contact contact_of(const mo_constraint_contacts *c, const mo_surface_pair *q,
                                        const mo_proximity *near, double goal)
{
    const mo_surface_body *a = &c->bodies[q->body[0]], *b = &c->bodies[q->body[1]];
    mo_constraint_contact k = {.normal = near->normal, .goal = goal};
    memcpy(k.row, q->row, sizeof k.row);
    memcpy(k.weight, near->weight, sizeof k.weight);
    for (int n = 0; n < 4; ++n) {
        k.mobility += near->weight[n] * near->weight[n] * c->p[4 * (int64_t)q->row[n] + 3];
    }
    k.friction = sqrt(a->friction * b->friction);
    k.static_friction = sqrt(a->static_friction * b->static_friction);
    return k;
}

/* The constraint of a pair in this substep, if it has one. */
static bool find_contact(const mo_constraint_contacts *c, const mo_surface_pair *q,
                         mo_constraint_contact *out)
{
    mo_vec3 x[4], p[4];
    mo_surface_pair_load(q, c->start, x);
    mo_proximity near = mo_proximity_of(q->kind, x);
    double goal = fmin(q->thickness, near.distance + RECOVERY * q->thickness),
           reach = MO_SURFACE_NEAR * q->thickness;
    if (near.distance > reach) {
        mo_surface_pair_load(q, c->p, p);
        if (near.distance - mo_surface_pair_motion(c, q) > reach ||
            mo_dot(weighted(p, near.weight), near.normal) > q->thickness) {
            return false;
        }
        for (int n = 0; n < 4; ++n) {
            p[n] = mo_sub(p[n], x[n]);
        }
        double time = mo_proximity_advance(q->kind, x, p, MEETING * q->thickness);
        if (time == 1) {
            return false;
        }
        for (int n = 0; n < 4; ++n) {
            x[n] = mo_add_scaled(x[n], time, p[n]);
        }
        near = mo_proximity_of(q->kind, x);
    }
    *out = contact_of(c, q, &near, goal);
    return out->mobility > 0 && mo_dot(near.normal, near.normal) > 0;
}

static void find_range(void *context, int64_t first, int64_t last)
{
    mo_constraint_contacts *c = context;
    int64_t count = 0;
    for (int64_t k = first; k < last; ++k) {
        count += find_contact(c, &c->pairs[c->chosen[k]], &c->sorted[first + count]);
    }
    c->counts[first / GRAIN] = count;
}

/* The first colour that none of the rows has; the last one may have common rows. */
static int color_of(mo_constraint_contacts *c, const mo_constraint_contact *contact)
{
    uint64_t used[2] = {0, 0};
    for (int n = 0; n < 4; ++n) {
        used[0] |= c->mask[2 * (int64_t)contact->row[n]];
        used[1] |= c->mask[2 * (int64_t)contact->row[n] + 1];
    }
    int color =
        ~used[0] ? __builtin_ctzll(~used[0]) : 64 + (~used[1] ? __builtin_ctzll(~used[1]) : 63);
    for (int n = 0; n < 4; ++n) {
        c->mask[2 * (int64_t)contact->row[n] + color / 64] |= UINT64_C(1) << color % 64;
    }
    return color;
}

/* The contacts of all blocks, ordered by colour. */
static void sort_by_color(mo_constraint_contacts *c)
{
    int64_t at[MO_SURFACE_COLORS] = {0}, sum = 0, count = 0;
    memset(c->mask, 0, (size_t)(2 * c->rows) * sizeof *c->mask);
    for (int64_t first = 0; first < c->chosen_count; first += GRAIN) {
        int64_t own = c->counts[first / GRAIN];
        memmove(c->sorted + count, c->sorted + first, (size_t)own * sizeof *c->sorted);
        count += own;
    }
    for (int64_t k = 0; k < count; ++k) {
        c->color[k] = (uint8_t)color_of(c, &c->sorted[k]);
        ++at[c->color[k]];
    }
    for (int k = 0; k < MO_SURFACE_COLORS; ++k) {
        int64_t own = at[k];
        c->contact_start[k] = at[k] = sum;
        sum += own;
    }
    c->contact_start[MO_SURFACE_COLORS] = c->contact_count = count;
    for (int64_t k = 0; k < count; ++k) {
        c->contacts[at[c->color[k]]++] = c->sorted[k];
    }
}

mote_status mo_constraint_contacts_find(mo_constraint_contacts *c, mote_error *error)
{
    c->contact_count = 0;
    if (!mo_constraint_contacts_active(c)) {
        return MOTE_OK;
    }
    MO_TRY(mo_constraint_contacts_list(c, false, error));
    MO_TRY(mo_constraint_contacts_choose(c, MO_SURFACE_NEAR, error));
    int64_t count = c->chosen_count, blocks = (count + GRAIN - 1) / GRAIN;
    MO_TRY(mo_reserve(c->memory, &c->contacts, &c->contact_capacity, count, sizeof *c->contacts,
                      error));
    MO_TRY(mo_reserve(c->memory, &c->sorted, &c->sorted_capacity, count, sizeof *c->sorted, error));
    MO_TRY(mo_reserve(c->memory, &c->color, &c->color_capacity, count, 1, error));
    MO_TRY(mo_reserve(c->memory, &c->counts, &c->count_capacity, blocks, sizeof *c->counts, error));
    mo_parallel_for(c->pool, count, GRAIN, find_range, c);
    sort_by_color(c);
    return MOTE_OK;
}

/* ---- projection ---- */

static void move_rows(const mo_constraint_contacts *c, const mo_constraint_contact *k,
                      mo_vec3 impulse, mo_vec3 p[4])
{
    for (int n = 0; n < 4; ++n) {
        double *row = c->p + 4 * (int64_t)k->row[n];
        p[n] = mo_add_scaled(p[n], k->weight[n] * row[3], impulse);
    }
}

static void rub(const mo_constraint_contacts *c, mo_constraint_contact *k, mo_vec3 p[4])
{
    mo_vec3 d[4];
    for (int n = 0; n < 4; ++n) {
        d[n] = mo_sub(p[n], mo_vec3_load(c->start + 4 * (int64_t)k->row[n]));
    }
    mo_vec3 slip = weighted(d, k->weight), n = k->normal;
    slip = mo_add_scaled(slip, -mo_dot(slip, n), n);
    mo_vec3 drag = mo_add_scaled(k->drag, -1 / k->mobility, slip);
    double most = mo_length(drag);
    if (most > k->static_friction * k->push) {
        drag = mo_scale(k->friction * k->push / most, drag);
    }
    move_rows(c, k, mo_sub(drag, k->drag), p);
    k->drag = drag;
}

static void project_contact(const mo_constraint_contacts *c, mo_constraint_contact *k)
{
    mo_vec3 p[4];
    for (int n = 0; n < 4; ++n) {
        p[n] = mo_vec3_load(c->p + 4 * (int64_t)k->row[n]);
    }
    double change = (k->goal - mo_dot(weighted(p, k->weight), k->normal)) / k->mobility;
    change = fmax(change, -k->push);
    if (change == 0 && k->push == 0) {
        return;
    }
    k->push += change;
    move_rows(c, k, mo_scale(change, k->normal), p);
    if (k->static_friction > 0) {
        rub(c, k, p);
    }
    for (int n = 0; n < 4; ++n) {
        mo_vec3_store(c->p + 4 * (int64_t)k->row[n], p[n]);
    }
}

typedef struct sweep {
    const mo_constraint_contacts *c;
    int64_t first;
} sweep;

static void sweep_range(void *context, int64_t first, int64_t last)
{
    const sweep *s = context;
    for (int64_t k = first; k < last; ++k) {
        project_contact(s->c, &s->c->contacts[s->first + k]);
    }
}

void mo_constraint_contacts_project(mo_constraint_contacts *c)
{
    for (int color = 0; c->contact_count > 0 && color < MO_SURFACE_COLORS; ++color) {
        int64_t first = c->contact_start[color], count = c->contact_start[color + 1] - first;
        sweep s = {c, first};
        /* rows of the last colour may be common: in one block */
        int64_t grain = color == MO_SURFACE_COLORS - 1 ? count : SWEEP_GRAIN;
        if (count > 0) {
            mo_parallel_for(c->pool, count, grain, sweep_range, &s);
        }
    }
}
