/*
 * Contacts with colliders in static equilibrium (analysis/static.c): rows are projected out of
 * colliders, which react to the forces that press on them. Colliders with a force law are no
 * constraints: they act as a force, here as in motion.
 */
#include "analysis/contact.h"

#include "collide/friction/friction.h"
#include "collide/law.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 4096, SWEEPS = 8 };

typedef struct resting {
    const mo_colliders *colliders;
    double *x, *f;
    const double *radius, *inverse_mass;
    const mo_touch *touch;
    int32_t *on;  /* MO_CONTACT_ON of each row; NULL: nobody asks */
    double *bend; /* nine components per row; NULL likewise */
} resting;

static double gap_of(const resting *r, int64_t c, int64_t row, mo_vec3 *n)
{
    return mo_collider_gap(&r->colliders->list[c], mo_vec3_load(r->x + 3 * row), n) -
           r->radius[row];
}

static bool constrains(const resting *r, int64_t c)
{
    const mo_collider *collider = &r->colliders->list[c];
    return collider->projects && !mo_collider_force_law(collider);
}

/* Whether a row that a solid carried keeps to it: the plane that it slid in leaves what is bent. */
static bool keeps_to(const resting *r, int64_t c, int64_t row)
{
    return r->on && (r->on[MO_CONTACT_ON * row] == c || r->on[MO_CONTACT_ON * row + 1] == c);
}

static void put_out_range(void *context, int64_t first, int64_t last)
{
    const resting *r = context;
    for (int64_t row = first; row < last; ++row) {
        bool inside = r->inverse_mass[row] > 0;
        for (int sweep = 0; inside && sweep < SWEEPS;
             ++sweep) { /* out of a corner's other wall too */
            inside = false;
            for (int64_t c = 0; c < r->colliders->count; ++c) {
                mo_vec3 n;
                double gap = constrains(r, c) ? gap_of(r, c, row, &n) : 0;
                if (gap < 0 || (gap > 0 && keeps_to(r, c, row))) {
                    mo_vec3_store(r->x + 3 * row,
                                  mo_add_scaled(mo_vec3_load(r->x + 3 * row), -gap, n));
                    inside = true;
                }
            }
        }
    }
}

/* Who holds a row: the directions that are taken, orthonormal, and the solids that press back. */
typedef struct grip {
    int count, solid_count;
    mo_vec3 taken[3], left; /* left: of the force */
    int64_t solid[3];
    mo_vec3 normal[3];
    mo_vec3 friction[3]; /* of each solid on the row */
} grip;

static mo_vec3 free_part(const grip *g, mo_vec3 v)
{
    for (int k = 0; k < g->count; ++k) {
        v = mo_add_scaled(v, -mo_dot(v, g->taken[k]), g->taken[k]);
    }
    return v;
}

static bool take(grip *g, mo_vec3 n, mo_vec3 f)
{
    mo_vec3 across = free_part(g, n);
    if (g->count == 3 || mo_length(across) < 1e-6) {
        return false;
    }
    g->taken[g->count++] = mo_unit(across, n);
    g->left = g->count == 3 ? mo_vec3_make(0, 0, 0) : free_part(g, f);
    return true;
}

/* The solid that what is left of the force presses on most. */
static bool take_worst(const resting *r, int64_t row, mo_vec3 f, grip *g)
{
    double near = 1e-9 * (1 + mo_length(mo_vec3_load(r->x + 3 * row))),
           most = -1e-12 * mo_length(f);
    int64_t worst = -1;
    mo_vec3 normal = mo_vec3_make(0, 0, 0);
    for (int64_t c = 0; c < r->colliders->count; ++c) {
        mo_vec3 n;
        if (constrains(r, c) && gap_of(r, c, row, &n) <= near && mo_dot(g->left, n) < most) {
            most = mo_dot(g->left, n);
            worst = c;
            normal = n;
        }
    }
    if (worst < 0 || !take(g, normal, f)) {
        return false;
    }
    g->solid[g->solid_count] = worst;
    g->normal[g->solid_count++] = normal;
    return true;
}

/* The normal forces of the colliders that constrain a row: f + sum press n is free of them. */
static void find_press(const grip *g, mo_vec3 f, double press[3])
{
    mo_vec3 a = g->normal[0], b = g->normal[1];
    if (g->solid_count == 3) { /* Cramer's rule */
        double volume = mo_dot(a, mo_cross(b, g->normal[2]));
        for (int k = 0; k < 3; ++k) {
            mo_vec3 across = mo_cross(g->normal[(k + 1) % 3], g->normal[(k + 2) % 3]);
            press[k] = -mo_dot(f, across) / volume;
        }
    } else if (g->solid_count == 2) {
        double c = mo_dot(a, b), fa = -mo_dot(f, a), fb = -mo_dot(f, b), det = 1 - c * c;
        press[0] = (fa - c * fb) / det;
        press[1] = (fb - c * fa) / det;
    } else { /* beside the plane of a plane body perhaps */
        mo_vec3 across = g->taken[g->count - 1];
        press[0] = -mo_dot(f, across) / mo_dot(a, across);
    }
}

/* Whether friction holds the row against what is left of the force, which it takes its part of.
 * What nothing pulls is held too. */
static bool holds(const resting *r, grip *g, mo_vec3 f)
{
    double press[3];
    find_press(g, f, press);
    mo_vec3 line =
        g->count == 2 ? mo_cross(g->taken[0], g->taken[1]) : mo_perpendicular(g->taken[0]);
    mo_vec3 least = mo_scale(1e-9 * press[0], line), way = g->left;
    bool pulled = mo_dot(way, way) > mo_dot(least, least);
    if (!pulled) {
        way = least;
    }
    for (int k = 0; k < g->solid_count; ++k) {
        const mo_collider *collider = &r->colliders->list[g->solid[k]];
        mo_vec3 slowed = ((const mo_friction_type *)collider->friction.type)
                             ->slow(collider->friction.params, way, fmax(press[k], 0));
        g->friction[k] = pulled ? mo_sub(slowed, way) : mo_vec3_make(0, 0, 0);
        way = slowed;
    }
    bool held = mo_dot(way, way) == 0;
    g->left = mo_dot(g->left, g->left) > mo_dot(least, least) || held ? way : g->left;
    return held;
}

/* How fast a solid's normal turns on the way along an axis; not at edges, where it jumps. */
static mo_vec3 turn_along(const resting *r, int64_t c, mo_vec3 x, mo_vec3 axis)
{
    double way = 1e-5 * (1 + mo_length(x));
    mo_vec3 n[3];
    for (int k = 0; k < 3; ++k) {
        mo_collider_gap(&r->colliders->list[c], mo_add_scaled(x, (k - 1) * way, axis), &n[k]);
    }
    mo_vec3 turn = mo_sub(n[2], n[0]), bend = mo_sub(mo_add(n[0], n[2]), mo_scale(2, n[1]));
    bool jumps = mo_length(turn) > 1e-2 || mo_length(bend) > 1e-5;
    return mo_scale(jumps ? 0 : 0.5 / way, turn);
}

/* What a force that solids carry does as the row goes along their surfaces: it turns with the
 * normal, d(press n) = press dn/dx dx. */
static void find_bend(const resting *r, int64_t row, const grip *g, mo_vec3 f)
{
    double press[3], *bend = r->bend + 9 * row;
    find_press(g, f, press);
    for (int s = 0; s < g->solid_count && g->solid_count < 3; ++s) {
        for (int k = 0; k < 3; ++k) {
            mo_vec3 turn = turn_along(r, g->solid[s], mo_vec3_load(r->x + 3 * row),
                                      mo_vec3_make(k == 0, k == 1, k == 2));
            const double t[3] = {turn.x, turn.y, turn.z};
            for (int j = 0; j < 3; ++j) { /* it is symmetric but for rounding */
                bend[3 * k + j] += 0.5 * press[s] * t[j];
                bend[3 * j + k] += 0.5 * press[s] * t[j];
            }
        }
    }
}

/* The force that is left on a row: its part that points into no solid (J. J. Moreau 1962, C. R.
 * Acad. Sci. 255, 238), found by taking the solid that is pressed most, again and again. In a
 * corner a row may slide along the edge. */
static grip carry(const resting *r, int64_t row)
{
    mo_vec3 f = mo_vec3_load(r->f + 3 * row);
    grip g = {.left = f};
    if (r->touch->kind[row] == MO_TOUCH_SLIDES) { /* of a plane body */
        take(&g, mo_vec3_load(r->touch->normal + 3 * row), f);
    }
    while (take_worst(r, row, f, &g)) {
    }
    for (int k = 0; k < MO_CONTACT_ON && r->on; ++k) {
        r->on[MO_CONTACT_ON * row + k] = k < g.solid_count ? (int32_t)g.solid[k] : -1;
    }
    if (r->bend) {
        memset(r->bend + 9 * row, 0, 9 * sizeof(double));
    }
    if (g.solid_count == 0) {
        return g;
    }
    if (r->bend && g.count < 3) {
        find_bend(r, row, &g, f);
    }
    bool sticks = g.count == 3 || holds(r, &g, f);
    r->touch->kind[row] = sticks         ? MO_TOUCH_STICKS
                          : g.count == 2 ? MO_TOUCH_GUIDED
                                         : MO_TOUCH_SLIDES;
    mo_vec3_store(r->touch->normal + 3 * row,
                  g.count == 2 ? mo_cross(g.taken[0], g.taken[1]) : g.taken[0]);
    mo_vec3_store(r->f + 3 * row, sticks ? mo_vec3_make(0, 0, 0) : g.left);
    return g;
}

/* partial: how many rows are carried */
static void carry_range(void *context, int64_t first, int64_t last, double *partial)
{
    const resting *r = context;
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        if (r->inverse_mass[row] > 0) {
            carry(r, row);
            *partial += r->touch->kind[row] != MO_TOUCH_FREE;
        }
    }
}

static resting bind(mo_colliders *colliders, mo_system *system, double time, double *f,
                    const mo_touch *touch, int32_t *on, double *bend)
{
    const mo_particle_columns *p = &system->columns;
    mo_colliders_pose(colliders, time);
    return (resting){colliders, mo_f64(p->x), f,   mo_f64(p->radius), mo_f64(p->inverse_mass),
                     touch,     on,           bend};
}

void mo_contacts_put_out(mo_colliders *colliders, mo_system *system, double time, int32_t *on)
{
    resting r = bind(colliders, system, time, NULL, NULL, on, NULL);
    mo_parallel_for(system->host->pool, mo_store_owned(system->store), GRAIN, put_out_range, &r);
}

bool mo_contacts_carry(mo_colliders *colliders, mo_system *system, double time, double *f,
                       const mo_touch *touch, int32_t *on, double *bend)
{
    resting r = bind(colliders, system, time, f, touch, on, bend);
    double carried = 1; /* if they cannot be counted they are looked for */
    mo_parallel_reduce(system->host->pool, mo_store_owned(system->store), GRAIN, MO_SUM, 1,
                       carry_range, &r, &carried, NULL);
    return carried > 0;
}

/* ---- records ---- */

/* The contacts of a row on which the force f acted. */
static mote_status list_row(const resting *r, const mo_system *system, int64_t row, mo_vec3 f,
                            const grip *g, mo_contact_set *set, mote_error *error)
{
    mo_vec3 x = mo_vec3_load(r->x + 3 * row);
    double press[3] = {0};
    find_press(g, f, press);
    for (int k = 0; k < g->solid_count; ++k) {
        uint64_t vertex = mo_feature_of(MO_FEATURE_VERTEX, 0, mo_i64(system->columns.id)[row]);
        mo_contact contact = {
            .side = {mo_contact_vertex(system->number, row), mo_contact_collider(g->solid[k], x)},
            .normal = g->normal[k],
            .gap = gap_of(r, g->solid[k], row, NULL),
            .force = mo_add_scaled(g->friction[k], press[k], g->normal[k]),
            .key = mo_contact_key_of(vertex, mo_feature_of(MO_FEATURE_COLLIDER, 0, g->solid[k]))};
        MO_TRY(mo_contact_set_append(set, &contact, error));
    }
    return MOTE_OK;
}

mote_status mo_contacts_list(mo_colliders *colliders, mo_system *system, double time, double *f,
                             const mo_touch *touch, mo_contact_set *set, mote_error *error)
{
    resting r = bind(colliders, system, time, f, touch, NULL, NULL);
    for (int64_t row = 0; row < mo_store_owned(system->store); ++row) {
        if (r.inverse_mass[row] > 0) {
            mo_vec3 acted = mo_vec3_load(f + 3 * row);
            grip g = carry(&r, row);
            MO_TRY(g.solid_count > 0 ? list_row(&r, system, row, acted, &g, set, error) : MOTE_OK);
        }
    }
    return MOTE_OK;
}
