/*
 * Paths of a substep are shortened until no two surfaces meet on them (constraint_contacts.h). In
 * each pass all pairs that may meet, with a node whose path has changed, are followed; those that
 * would meet shorten the paths of their nodes to the time of the meeting. From the pass STRICT on,
 * nodes of such pairs instead move by at most 0.45 of their distance to the nearest feature: a pair
 * of which all nodes obey that bound cannot meet. A node that stays behind may be met by others,
 * hence lists and motions are renewed before each pass. If that does not end, all nodes obey the
 * bound (surfaces that are not listed are farther away than the thickness). Prescribed nodes keep
 * their paths.
 */
#include "system/constraints/constraint_contacts.h"

#include <string.h>

enum { GRAIN = 256, STRICT = 5, PASSES = 40 };

static const double BOUND = 0.45, ALL = 1e30;
/* Pairs keep this part of the thickness; those that are nearer, nearly all of their distance. */
static const double KEPT = 0.1, KEPT_OF_START = 0.999;
/* Surfaces nearer than this part of the thickness are in contact from the start on: which side they
 * are on is not known. */
static const double TOUCHING = 1e-9;

static mo_vec3 path_of(const mo_constraint_contacts *c, int64_t row)
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
            low = at < low ? at : low;
        } else {
            high = at > high ? at : high;
        }
    }
    return low - high > separation;
}

/* The part of the present paths on which a pair is apart. */
static double time_of(const mo_constraint_contacts *c, const mo_surface_pair *q)
{
    mo_vec3 x[4], d[4];
    mo_surface_pair_load(q, c->start, x);
    mo_proximity near = mo_proximity_of(q->kind, x);
    double separation = fmin(KEPT * q->thickness, KEPT_OF_START * near.distance);
    if (near.distance < TOUCHING * q->thickness ||
        near.distance - mo_surface_pair_motion(c, q) > KEPT * q->thickness) {
        return 1;
    }
    for (int n = 0; n < 4; ++n) {
        d[n] = path_of(c, q->row[n]);
    }
    return is_separated(q, near.normal, x, d, separation)
               ? 1
               : mo_proximity_advance(q->kind, x, d, separation);
}

typedef struct checking {
    mo_constraint_contacts *c;
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
    mo_constraint_contacts *c = s->c;
    *partial = 0;
    for (int64_t k = first; k < last; ++k) {
        const mo_surface_pair *q = &c->pairs[c->chosen[k]];
        c->time[k] = has_changed(q, s->changed) ? time_of(c, q) : 1;
        *partial = c->time[k] < 1 ? 1 : *partial;
    }
}

/* The distance of each row to the nearest feature of the chosen pairs. */
static void find_nearest(mo_constraint_contacts *c)
{
    for (int64_t row = 0; row < c->rows; ++row) {
        c->nearest[row] = (double)INFINITY;
    }
    for (int64_t k = 0; k < c->chosen_count; ++k) {
        const mo_surface_pair *q = &c->pairs[c->chosen[k]];
        mo_vec3 x[4];
        mo_surface_pair_load(q, c->start, x);
        double distance = mo_proximity_of(q->kind, x).distance;
        for (int n = 0; distance >= TOUCHING * q->thickness && n < 4; ++n) {
            double *d = &c->nearest[q->row[n]];
            *d = distance < *d ? distance : *d;
        }
    }
}

/* Shortens the path of a row to a part of it; whether that is less. */
static bool shorten(mo_constraint_contacts *c, int64_t row, double part)
{
    if (c->p[4 * row + 3] == 0 || !(part < 1)) {
        return false;
    }
    mo_vec3 x = mo_vec3_load(c->start + 4 * row);
    mo_vec3_store(c->p + 4 * row, mo_add_scaled(x, part, path_of(c, row)));
    c->changed[row] = c->cut[row] = 1;
    return true;
}

/* The part of its path on which a row stays within the bound. */
static double bounded_part(const mo_constraint_contacts *c, int64_t row, double nearest)
{
    double length = mo_length(path_of(c, row));
    return length > BOUND * nearest ? BOUND * nearest / length : 1;
}

static bool shorten_pairs(mo_constraint_contacts *c, bool strict)
{
    bool any = false;
    memset(c->changed, 0, (size_t)c->rows);
    for (int64_t k = 0; k < c->chosen_count; ++k) {
        const mo_surface_pair *q = &c->pairs[c->chosen[k]];
        for (int n = 0; c->time[k] < 1 && n < 4; ++n) {
            int64_t row = q->row[n];
            double part = strict ? bounded_part(c, row, c->nearest[row]) : c->time[k];
            any = shorten(c, row, part) || any;
        }
    }
    return any;
}

/* All rows obey the bound, whether they meet others or not. Pairs that are not listed are farther
 * apart than MO_SURFACE_NEAR thicknesses. */
static mote_status bound_all(mo_constraint_contacts *c, mote_error *error)
{
    MO_TRY(mo_constraint_contacts_choose(c, ALL, error));
    find_nearest(c);
    for (int64_t k = 0; k < c->cell_count; ++k) {
        const mo_surface_cell *cell = &c->cells[k];
        double far = MO_SURFACE_NEAR * c->thinnest;
        for (int n = 0; n < 3; ++n) {
            int64_t row = cell->row[n];
            double nearest = c->nearest[row] < far ? c->nearest[row] : far;
            shorten(c, row, bounded_part(c, row, nearest));
        }
    }
    return MOTE_OK;
}

/* Whether pairs meet on the present paths; those of changed rows, after the first pass. */
static mote_status check_pairs(mo_constraint_contacts *c, bool first, bool *meets,
                               mote_error *error)
{
    checking s = {c, first ? NULL : c->changed};
    double most;
    MO_TRY(mo_constraint_contacts_list(c, true, error));
    MO_TRY(mo_constraint_contacts_choose(c, KEPT, error));
    MO_TRY(mo_reserve(c->memory, &c->time, &c->time_capacity, c->chosen_count, sizeof *c->time,
                      error));
    MO_TRY(mo_parallel_reduce(c->pool, c->chosen_count, GRAIN, MO_MAX, 1, check_range, &s, &most,
                              error));
    *meets = most > 0;
    return MOTE_OK;
}

mote_status mo_constraint_contacts_limit(mo_constraint_contacts *c, mote_error *error)
{
    if (!mo_constraint_contacts_active(c)) {
        return MOTE_OK;
    }
    bool meets = true;
    memset(c->cut, 0, (size_t)c->rows);
    for (int pass = 0; pass < PASSES; ++pass) {
        MO_TRY(check_pairs(c, pass == 0, &meets, error));
        if (!meets) {
            memcpy(c->ended, c->p, (size_t)(4 * c->rows) * sizeof *c->ended);
            c->settled = true;
            break;
        }
        if (pass >= STRICT) {
            find_nearest(c);
        }
        meets = shorten_pairs(c, pass >= STRICT);
        if (!meets) {
            break;
        }
    }
    MO_TRY(meets ? bound_all(c, error) : MOTE_OK);
    for (int64_t row = 0; row < c->rows; ++row) {
        c->shortened += c->cut[row];
    }
    return MOTE_OK;
}
