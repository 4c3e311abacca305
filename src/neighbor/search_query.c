/* Queries at a position, and insertion and removal of points. */
#include "neighbor/search_state.h"

#include <string.h>

enum { FOUND_MAX = 1024 };

/* ---- brute force ---- */

/* The vector from the position to the row's nearest image. */
static double square_to(const mo_search *search, const double *x, mo_vec3 position)
{
    double d[3] = {x[0] - position.x, x[1] - position.y, x[2] - position.z};
    for (int k = 0; k < 3; ++k) {
        double period = search->domain.high[k] - search->domain.low[k];
        d[k] -= search->domain.periodic[k] ? period * nearbyint(d[k] / period) : 0;
    }
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

static int64_t near_by_scan(const mo_search *search, const mo_set_state *set, mo_vec3 position,
                            double radius, int32_t *out, int64_t capacity)
{
    const double *x = set->halo.x;
    int64_t found = 0;
    for (int64_t row = 0; row < set->now.rows; ++row) {
        if (square_to(search, x + 3 * row, position) <= radius * radius && found++ < capacity) {
            out[found - 1] = (int32_t)row;
        }
    }
    return found;
}

/* ---- by the structure ---- */

/* The position wrapped into the box. */
static mo_vec3 wrap(const mo_search *search, mo_vec3 position)
{
    double x[3] = {position.x, position.y, position.z};
    for (int k = 0; k < 3; ++k) {
        x[k] = mo_domain_wrap(&search->domain, k, x[k]);
    }
    return mo_vec3_load(x);
}

static bool reaches_around(const mo_search *search, double radius)
{
    bool around = false;
    for (int k = 0; k < 3; ++k) {
        double period = search->domain.high[k] - search->domain.low[k];
        around = around || (search->domain.periodic[k] && 2 * radius >= period);
    }
    return around;
}

/* The structure refers to the positions of the build: particles still within are kept, as rows.
 * Returns their number, or -1 if the capacity is exceeded. */
static int64_t near_by_structure(const mo_search *search, const mo_set_state *set, mo_vec3 position,
                                 double radius, int32_t *out, int64_t capacity)
{
    int32_t found[FOUND_MAX];
    const double *x = set->halo.x;
    int64_t count = search->type->near(set->structure, position, radius + search->moved, found,
                                       FOUND_MAX),
            kept = 0;
    if (count > FOUND_MAX) {
        return -1;
    }
    for (int64_t k = 0; k < count; ++k) {
        int32_t at = found[k];
        if (mo_search_within(x + 3 * (int64_t)at, position, radius * radius) && kept++ < capacity) {
            out[kept - 1] = (int32_t)mo_halo_row(&set->halo, at);
        }
    }
    return kept;
}

static bool is_slot(mo_vec3 p)
{
    return fabs(p.x) <= MO_SEARCH_FAR && fabs(p.y) <= MO_SEARCH_FAR && fabs(p.z) <= MO_SEARCH_FAR;
}

int64_t mo_search_near(const mo_search *search, int set, mo_vec3 position, double radius,
                       int32_t *out, int64_t capacity)
{
    const mo_set_state *s = &search->sets[set];
    int64_t found = -1;
    if (!is_slot(position) || !(radius >= 0)) {
        return 0;
    }
    position = wrap(search, position);
    if (radius + search->moved <= s->points.radius && !reaches_around(search, radius)) {
        if (!search->periodic && !mo_search_keeps(search)) {
            return search->type->near(s->structure, position, radius, out, capacity);
        }
        found = near_by_structure(search, s, position, radius, out, capacity);
    }
    return found >= 0 ? found : near_by_scan(search, s, position, radius, out, capacity);
}

bool mo_search_exists(const mo_search *search, int set, mo_vec3 position, double radius)
{
    return mo_search_near(search, set, position, radius, NULL, 0) > 0;
}

/* ---- the nearest ---- */

static bool before(double square, int32_t row, double other_square, int32_t other_row)
{
    return square < other_square || (square == other_square && row < other_row);
}

/* Inserts a row into the `count` nearest so far, of which at most k are kept; returns the new
 * number. */
static int64_t keep_nearest(int32_t row, double square, int64_t k, int64_t count, int32_t *out,
                            double *squares)
{
    if (count == k && !before(square, row, squares[k - 1], out[k - 1])) {
        return count;
    }
    int64_t at = count < k ? count++ : k - 1;
    for (; at > 0 && before(square, row, squares[at - 1], out[at - 1]); --at) {
        out[at] = out[at - 1];
        squares[at] = squares[at - 1];
    }
    out[at] = row;
    squares[at] = square;
    return count;
}

static int64_t nearest_of(const mo_search *search, const mo_set_state *s, const int32_t *rows,
                          int64_t number, mo_vec3 position, int64_t k, int32_t *out,
                          double *squares)
{
    const double *x = s->halo.x;
    int64_t count = 0;
    for (int64_t i = 0; i < number; ++i) {
        int32_t row = rows ? rows[i] : (int32_t)i;
        count = keep_nearest(row, square_to(search, x + 3 * (int64_t)row, position), k, count, out,
                             squares);
    }
    return count;
}

int64_t mo_search_nearest(const mo_search *search, int set, mo_vec3 position, int64_t k,
                          int32_t *out, double *squares)
{
    const mo_set_state *s = &search->sets[set];
    int32_t found[FOUND_MAX];
    if (!is_slot(position) || k <= 0) {
        return 0;
    }
    position = wrap(search, position);
    if (search->type->nearest && !search->periodic && search->moved == 0) {
        return search->type->nearest(s->structure, position, k, out, squares);
    }
    /* growing radii; if all k are within one, they are the k nearest */
    for (double radius = 0.25 * s->radius; radius <= s->radius && k < FOUND_MAX; radius *= 2) {
        int64_t count = mo_search_near(search, set, position, radius, found, FOUND_MAX);
        if (count > FOUND_MAX) {
            break;
        }
        if (count >= k) {
            return nearest_of(search, s, found, count, position, k, out, squares);
        }
    }
    return nearest_of(search, s, NULL, s->now.rows, position, k, out, squares);
}

/* ---- insertion and removal ---- */

/* A structure can be modified only without ghosts and reused lists. */
static bool changes_in_place(const mo_search *search)
{
    return !search->periodic && !mo_search_keeps(search);
}

mote_status mo_search_insert(mo_search *search, int set, const double *x, mo_pool *pool,
                             mote_error *error)
{
    mo_set_state *s = &search->sets[set];
    mo_search_points *p = &s->points;
    double low[3], high[3];
    int64_t row = s->now.rows;
    search->valid = false;
    if (row >= MO_SEARCH_ROWS_MAX) {
        return mo_fail(error, MOTE_ERROR_INPUT, "a neighbour search has at most %d particles",
                       MO_SEARCH_ROWS_MAX);
    }
    s->now = (mo_search_set){row + 1, x};
    if (!search->type->insert || !changes_in_place(search) || row == 0) {
        return mo_search_build_set(search, set, pool, error);
    }
    MO_TRY(mo_search_bound(1, x + 3 * row, set, pool, low, high, error));
    for (int k = 0; k < 3; ++k) {
        p->low[k] = fmin(p->low[k], low[k]);
        p->high[k] = fmax(p->high[k], high[k]);
    }
    MO_TRY(mo_halo_build(&s->halo, row + 1, x, pool, error)); /* without a period: no work */
    p->rows = p->owned = row + 1;
    p->x = x;
    return search->type->insert(s->structure, p, error);
}

mote_status mo_search_remove(mo_search *search, int set, int64_t row, double *x, mo_pool *pool,
                             mote_error *error)
{
    mo_set_state *s = &search->sets[set];
    mo_search_points *p = &s->points;
    bool in_place = search->type->remove && changes_in_place(search);
    int64_t last = s->now.rows - 1;
    search->valid = false;
    if (row < 0 || row > last) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "particle %lld cannot be removed; there are %lld particles", (long long)row,
                       (long long)s->now.rows);
    }
    p->x = x;
    mote_status status = in_place ? search->type->remove(s->structure, p, row, error) : MOTE_OK;
    memmove(x + 3 * row, x + 3 * last, 3 * sizeof *x);
    s->now = (mo_search_set){last, x};
    p->rows = p->owned = last;
    if (!in_place) {
        return mo_search_build_set(search, set, pool, error);
    }
    MO_TRY(status);
    return mo_halo_build(&s->halo, last, x, pool, error);
}
