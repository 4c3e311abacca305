/*
 * Paths of a substep are shortened until no two surfaces meet on them (surface_contacts.h). A node
 * ends at x + f (p - x). First f = 1. In each pass all pairs with a node whose f has changed are
 * followed; those that would meet multiply the f of their nodes by the time of the meeting. From
 * the pass STRICT on, f is instead such that the node moves by at most 0.45 of its distance to the
 * nearest feature: a pair of which all nodes obey that bound cannot meet, and f only decreases, so
 * that the passes end. Prescribed nodes keep f = 1.
 */
#include "system/constraints/surface_contacts.h"

#include <string.h>

enum { GRAIN = 256, ROW_GRAIN = 1024, STRICT = 5, PASSES = 60 };

static const double BOUND = 0.45;
/* Pairs keep this part of the thickness; those that are nearer, nearly all of their distance. */
static const double KEPT = 0.1, KEPT_OF_START = 0.999;
/* Surfaces nearer than this part of the thickness are in contact from the start on: which side they
 * are on is not known. */
static const double TOUCHING = 1e-9;

static mo_vec3 path_of(const mo_surface_contacts *c, int64_t row)
{
    return mo_sub(mo_vec3_load(c->p + 4 * row), mo_vec3_load(c->start + 4 * row));
}

/* Whether the plane between the features at the start still has room on both sides at the end. A
 * linear function of time at both ends is so in between. */
static bool is_separated(const mo_surface_pair *q, mo_vec3 normal, const mo_vec3 x[4],
                         const mo_vec3 d[4], double separation)
{
    int split = q->kind == MO_EDGE_EDGE ? 2 : 1;
    double low = (double)INFINITY, high = -(double)INFINITY;
    for (int n = 0; n < 4; ++n) {
        double at = mo_dot(normal, mo_add(mo_sub(x[n], x[0]), d[n]));
        if (n < split) {
            low = fmin(low, at);
        } else {
            high = fmax(high, at);
        }
    }
    return low - high > separation;
}

/* The part of the shortened paths on which a pair is apart. */
static double time_of(const mo_surface_contacts *c, int64_t pair)
{
    const mo_surface_pair *q = &c->pairs[pair];
    mo_surface_near *near = &c->near[pair];
    mo_vec3 x[4], d[4];
    mo_surface_pair_load(q, c->start, x);
    if (near->distance < 0) {
        mo_proximity found = mo_proximity_of(q->kind, x);
        *near = (mo_surface_near){found.distance, found.normal};
    }
    if (near->distance < TOUCHING * q->thickness) {
        return 1;
    }
    double separation = fmin(KEPT * q->thickness, KEPT_OF_START * near->distance);
    for (int n = 0; n < 4; ++n) {
        d[n] = mo_scale(c->fraction[q->row[n]], path_of(c, q->row[n]));
    }
    return is_separated(q, near->normal, x, d, separation)
               ? 1
               : mo_proximity_advance(q->kind, x, d, separation);
}

typedef struct checking {
    mo_surface_contacts *c;
    const uint8_t *changed; /* rows; NULL: all */
} checking;

static bool has_changed(const mo_surface_pair *q, const uint8_t *changed)
{
    return !changed || changed[q->row[0]] || changed[q->row[1]] || changed[q->row[2]] ||
           changed[q->row[3]];
}

/* partial: whether a pair of the block meets */
static void check_range(void *context, int64_t first, int64_t last, double *partial)
{
    const checking *s = context;
    mo_surface_contacts *c = s->c;
    *partial = 0;
    for (int64_t pair = first; pair < last; ++pair) {
        const mo_surface_pair *q = &c->pairs[pair];
        bool looked_at =
            q->thickness > 0 && has_changed(q, s->changed) && mo_surface_pair_apart(c, q) <= 0;
        c->time[pair] = looked_at ? time_of(c, pair) : 1;
        *partial = c->time[pair] < 1 ? 1 : *partial;
    }
}

/* The distance of each row to the nearest feature. */
static void find_nearest(mo_surface_contacts *c)
{
    for (int64_t row = 0; row < c->rows; ++row) {
        c->nearest[row] = (double)INFINITY;
    }
    for (int64_t pair = 0; pair < c->pair_count; ++pair) {
        for (int n = 0; c->near[pair].distance >= 0 && n < 4; ++n) {
            double *d = &c->nearest[c->pairs[pair].row[n]];
            *d = fmin(*d, c->near[pair].distance);
        }
    }
}

/* Shortens the path of a row; whether that is new. */
static bool shorten(mo_surface_contacts *c, int64_t row, double time, bool strict)
{
    double f = c->fraction[row] * time;
    if (c->p[4 * row + 3] == 0) {
        return false;
    }
    if (strict) {
        double length = mo_length(path_of(c, row));
        f = length > 0 ? fmin(c->fraction[row], BOUND * c->nearest[row] / length) : 1;
    }
    bool less = f < c->fraction[row];
    c->fraction[row] = less ? f : c->fraction[row];
    return less;
}

static bool shorten_pairs(mo_surface_contacts *c, bool strict)
{
    bool any = false;
    memset(c->changed, 0, (size_t)c->rows);
    for (int64_t pair = 0; pair < c->pair_count; ++pair) {
        for (int n = 0; c->time[pair] < 1 && n < 4; ++n) {
            int64_t row = c->pairs[pair].row[n];
            c->changed[row] = shorten(c, row, c->time[pair], strict) || c->changed[row];
            any = any || c->changed[row];
        }
    }
    return any;
}

static void apply_range(void *context, int64_t first, int64_t last, double *count)
{
    mo_surface_contacts *c = context;
    *count = 0;
    for (int64_t row = first; row < last; ++row) {
        if (c->fraction[row] < 1) {
            mo_vec3 x = mo_vec3_load(c->start + 4 * row);
            mo_vec3_store(c->p + 4 * row, mo_add_scaled(x, c->fraction[row], path_of(c, row)));
            ++*count;
        }
    }
}

/* Passes over the pairs; the first is over all of them. */
static mote_status run_passes(mo_surface_contacts *c, mote_error *error)
{
    for (int pass = 0; pass < PASSES; ++pass) {
        checking s = {c, pass > 0 ? c->changed : NULL};
        double meets;
        MO_TRY(mo_parallel_reduce(c->pool, c->pair_count, GRAIN, MO_MAX, 1, check_range, &s, &meets,
                                  error));
        if (meets == 0) {
            break;
        }
        if (pass == STRICT) {
            find_nearest(c);
        }
        if (!shorten_pairs(c, pass >= STRICT)) {
            break;
        }
    }
    double count;
    MO_TRY(
        mo_parallel_reduce(c->pool, c->rows, ROW_GRAIN, MO_SUM, 1, apply_range, c, &count, error));
    c->shortened += (int64_t)count;
    return MOTE_OK;
}

mote_status mo_surface_contacts_limit(mo_surface_contacts *c, mote_error *error)
{
    bool changed;
    if (!mo_surface_contacts_active(c)) {
        return MOTE_OK;
    }
    MO_TRY(mo_surface_contacts_list(c, &changed, error));
    MO_TRY(
        mo_reserve(c->memory, &c->time, &c->time_capacity, c->pair_count, sizeof *c->time, error));
    MO_TRY(
        mo_reserve(c->memory, &c->near, &c->near_capacity, c->pair_count, sizeof *c->near, error));
    for (int64_t pair = 0; changed && pair < c->pair_count; ++pair) {
        c->near[pair].distance = -1;
    }
    for (int64_t row = 0; row < c->rows; ++row) {
        c->fraction[row] = 1;
    }
    return c->pair_count > 0 ? run_passes(c, error) : MOTE_OK;
}
