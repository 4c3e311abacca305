#include "neighbor/search_state.h"

#include "math/wide.h"

enum { ROW_GRAIN = 4096 };

/* ---- creation ---- */

static mote_status check_domain(const mo_domain *domain, mote_error *error)
{
    for (int k = 0; k < 3; ++k) {
        double low = domain->low[k], high = domain->high[k];
        if (domain->periodic[k] &&
            !(high > low && fabs(low) < MO_SEARCH_FAR && fabs(high) < MO_SEARCH_FAR)) {
            return mo_fail(
                error, MOTE_ERROR_INPUT,
                "domain: the period along %c is from %g to %g; max must be greater than min",
                'x' + k, low, high);
        }
    }
    return MOTE_OK;
}

mote_status mo_search_create(mo_method method, const mo_domain *domain, mo_memory *memory,
                             mo_search **out, mote_error *error)
{
    static const mo_domain EVERYWHERE = {0};
    domain = domain ? domain : &EVERYWHERE;
    MO_TRY(check_domain(domain, error));
    mo_search *search = mo_allocate(memory, sizeof *search);
    if (!search) {
        return mo_fail_memory(error, sizeof *search);
    }
    search->memory = memory;
    search->domain = *domain;
    search->periodic = domain->periodic[0] || domain->periodic[1] || domain->periodic[2];
    search->reuse.over = method;
    if (method.type && ((const mo_search_type *)method.type)->reuse) {
        search->reuse = *(const mo_search_reuse *)method.params;
        bool chosen = search->reuse.every > 0 || search->reuse.skin > 0;
        /* until there is a radius */
        search->reuse.skin = chosen ? search->reuse.skin : (double)NAN;
    }
    if (!search->reuse.over.type) {
        search->reuse.over.type = mo_family_find(&mo_searches, MO_SEARCH_DEFAULT);
    }
    search->type = (const mo_search_type *)search->reuse.over.type;
    for (int a = 0; a < MO_SEARCH_SETS_MAX; ++a) {
        for (int b = 0; b < MO_SEARCH_SETS_MAX; ++b) {
            mo_lists_init(&search->lists[a][b], memory);
        }
    }
    *out = search;
    return MOTE_OK;
}

static void release_set(mo_search *search, mo_set_state *set)
{
    mo_memory *memory = search->memory;
    mo_structure_destroy(set->structure);
    mo_halo_release(&set->halo);
    mo_release(memory, set->frozen);
    mo_release(memory, set->kept);
}

void mo_search_destroy(mo_search *search)
{
    if (!search) {
        return;
    }
    for (int a = 0; a < search->set_count; ++a) {
        release_set(search, &search->sets[a]);
        for (int b = 0; b < search->set_count; ++b) {
            mo_lists_release(&search->lists[a][b]);
        }
    }
    mo_release(search->memory, search);
}

/* The default skin: wide enough for tens of steps, narrow enough for few excess pairs. */
static const double SKIN_OF_RADIUS = 0.12;

/* The default skin, limited by half the periods. */
static double default_skin(const mo_search *search, double radius)
{
    double skin = SKIN_OF_RADIUS * radius;
    for (int k = 0; k < 3; ++k) {
        double slack =
            0.5 * (search->domain.high[k] - search->domain.low[k]) * (1 - 1e-12) - radius;
        skin = search->domain.periodic[k] && slack < skin ? fmax(slack, 0) : skin;
    }
    return skin;
}

mote_status mo_search_check_radius(double radius, const char *where, mote_error *error)
{
    if (!(radius >= MO_SEARCH_TINY && radius <= MO_SEARCH_FAR)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%sthe search radius is %g m; allowed: %g to %g m",
                       where, radius, MO_SEARCH_TINY, MO_SEARCH_FAR);
    }
    return MOTE_OK;
}

static mote_status check_radius(const mo_search *search, double radius, mote_error *error)
{
    double reach = radius + search->reuse.skin;
    MO_TRY(mo_search_check_radius(radius, "", error));
    MO_TRY(mo_search_check_radius(reach, "", error));
    for (int k = 0; k < 3; ++k) {
        double period = search->domain.high[k] - search->domain.low[k];
        if (search->domain.periodic[k] && !(reach <= 0.5 * period)) {
            return mo_fail(
                error, MOTE_ERROR_INPUT,
                "a radius of %g%s exceeds half the period along %c, which is %g; allowed: up to "
                "%g",
                reach, search->reuse.skin > 0 ? " (skin included)" : "", 'x' + k, period,
                0.5 * period);
        }
    }
    return MOTE_OK;
}

/* The search radius of each set: the largest of all requests. */
static void set_reaches(mo_search *search)
{
    for (int b = 0; b < search->set_count; ++b) {
        double reach = search->sets[b].radius;
        for (int a = 0; a < search->set_count; ++a) {
            double radius = search->sets[a].radius;
            reach = search->kind[a][b] != MO_LISTS_NONE && radius > reach ? radius : reach;
        }
        search->sets[b].reach = search->sets[b].halo.radius = reach + search->reuse.skin;
    }
    search->valid = false;
}

mote_status mo_search_add_set(mo_search *search, double radius, int *set, mote_error *error)
{
    if (search->set_count == MO_SEARCH_SETS_MAX) {
        return mo_fail(error, MOTE_ERROR_INPUT, "a neighbour search has at most %d sets",
                       MO_SEARCH_SETS_MAX);
    }
    if (isnan(search->reuse.skin)) {
        search->reuse.skin = default_skin(search, radius);
    }
    MO_TRY(check_radius(search, radius, error));
    mo_set_state *state = &search->sets[search->set_count];
    MO_TRY(mo_structure_create(search->type, search->reuse.over.params, search->memory,
                               &state->structure, error));
    mo_halo_init(&state->halo, &search->domain, 0, search->memory); /* radius: set_reaches */
    state->radius = radius;
    *set = search->set_count++;
    set_reaches(search);
    return MOTE_OK;
}

mote_status mo_search_set_radius(mo_search *search, int set, double radius, mote_error *error)
{
    MO_TRY(check_radius(search, radius, error));
    search->sets[set].radius = radius;
    set_reaches(search);
    return MOTE_OK;
}

mote_status mo_search_ask(mo_search *search, int from, int to, mo_lists_kind kind,
                          mote_error *error)
{
    if (kind == MO_LISTS_HALF && from != to) {
        return mo_fail(error, MOTE_ERROR_INPUT, "half lists are for pairs within one set");
    }
    search->kind[from][to] = kind;
    set_reaches(search);
    return MOTE_OK;
}

/* ---- bounding box ---- */

typedef struct bounding {
    const double *x;
} bounding;

enum { BOUND_HIGH, BOUND_LOW = 3, BOUND_BAD = 6, BOUNDS };

static inline void bound_row(const double *x, double *bound)
{
    for (int k = 0; k < 3; ++k) {
        bound[BOUND_HIGH + k] = x[k] > bound[BOUND_HIGH + k] ? x[k] : bound[BOUND_HIGH + k];
        bound[BOUND_LOW + k] = -x[k] > bound[BOUND_LOW + k] ? -x[k] : bound[BOUND_LOW + k];
        bound[BOUND_BAD] = fabs(x[k]) <= MO_SEARCH_FAR ? bound[BOUND_BAD] : 1;
    }
}

/* Four rows at a time: the lanes of three vectors are x y z x, y z x y, z x y z. */
static void bound_rows(void *context, int64_t first, int64_t last, double *bound)
{
    const double *x = ((const bounding *)context)->x;
    const mo_l4 magnitude = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
    mo_d4 high[3], low[3], far = mo_d4_set(MO_SEARCH_FAR);
    mo_l4 good = {-1, -1, -1, -1};
    int64_t row = first;
    for (int k = 0; k < 3; ++k) {
        high[k] = low[k] = mo_d4_set(-(double)INFINITY);
    }
    for (; row + 4 <= last; row += 4) {
        for (int k = 0; k < 3; ++k) {
            mo_d4 a = mo_d4_load(x + 3 * row + 4 * k);
            high[k] = mo_d4_max(high[k], a);
            low[k] = mo_d4_max(low[k], -a);
            good &= (mo_d4)((mo_l4)a & magnitude) <= far;
        }
    }
    for (int k = 0; k < BOUND_BAD; ++k) {
        bound[k] = -(double)INFINITY;
    }
    bound[BOUND_BAD] = good[0] && good[1] && good[2] && good[3] ? 0 : 1;
    for (int k = 0; k < 12; ++k) {
        bound[BOUND_HIGH + k % 3] = fmax(bound[BOUND_HIGH + k % 3], high[k / 4][k % 4]);
        bound[BOUND_LOW + k % 3] = fmax(bound[BOUND_LOW + k % 3], low[k / 4][k % 4]);
    }
    for (; row < last; ++row) {
        bound_row(x + 3 * row, bound);
    }
}

static mote_status fail_position(int64_t rows, const double *x, int set, mote_error *error)
{
    int64_t row = 0;
    double bound[BOUNDS] = {0};
    while (row < rows && bound[BOUND_BAD] == 0) {
        bound_row(x + 3 * row++, bound);
    }
    --row;
    return mo_fail(
        error, MOTE_ERROR_NUMERIC,
        "particle %lld (of set %d) at (%g, %g, %g) is outside the range of the neighbour search; "
        "allowed: finite positions up to %g",
        (long long)row, set, x[3 * row], x[3 * row + 1], x[3 * row + 2], MO_SEARCH_FAR);
}

mote_status mo_search_bound(int64_t rows, const double *x, int set, mo_pool *pool, double low[3],
                            double high[3], mote_error *error)
{
    double bound[BOUNDS];
    bounding b = {x};
    MO_TRY(mo_parallel_reduce(pool, rows, ROW_GRAIN, MO_MAX, BOUNDS, bound_rows, &b, bound, error));
    if (bound[BOUND_BAD] > 0) {
        return fail_position(rows, x, set, error);
    }
    for (int k = 0; k < 3; ++k) {
        low[k] = -bound[BOUND_LOW + k];
        high[k] = bound[BOUND_HIGH + k];
    }
    return MOTE_OK;
}

/* ---- building ---- */

static mote_status keep_copy(mo_memory *memory, double **copy, int64_t *capacity, const double *x,
                             int64_t rows, mote_error *error)
{
    MO_TRY(mo_reserve(memory, copy, capacity, 3 * rows + 1, sizeof(double), error));
    if (rows > 0) {
        memcpy(*copy, x, 3 * (size_t)rows * sizeof(double));
    }
    return MOTE_OK;
}

/* The positions that lists are built from. */
static mote_status keep_positions(mo_search *search, mo_set_state *set, mote_error *error)
{
    int64_t rows = set->now.rows;
    if (!set->lent) {
        MO_TRY(keep_copy(search->memory, &set->kept, &set->kept_capacity, set->now.x, rows, error));
        set->built = set->kept;
        return MOTE_OK;
    }
    if (rows > 0 && set->lent != set->now.x) {
        memcpy(set->lent, set->now.x, 3 * (size_t)rows * sizeof(double));
    }
    mo_release(search->memory, set->kept);
    set->kept = NULL;
    set->kept_capacity = 0;
    set->built = set->lent;
    return MOTE_OK;
}

void mo_search_set_storage(mo_search *search, int set, double *positions)
{
    search->sets[set].lent = positions;
}

mote_status mo_search_build_set(mo_search *search, int number, mo_pool *pool, mote_error *error)
{
    mo_set_state *set = &search->sets[number];
    mo_search_points *p = &set->points;
    int64_t rows = set->now.rows;
    search->valid = false;
    if (rows < 0 || rows > MO_SEARCH_ROWS_MAX) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "a neighbour search has at most %d particles, not %lld", MO_SEARCH_ROWS_MAX,
                       (long long)rows);
    }
    MO_TRY(mo_search_bound(rows, set->now.x, number, pool, p->low, p->high, error));
    MO_TRY(mo_halo_build(&set->halo, rows, set->now.x, pool, error));
    if (search->periodic) {
        MO_TRY(mo_search_bound(set->halo.count, set->halo.x, number, pool, p->low, p->high, error));
    }
    p->rows = set->halo.count;
    p->owned = rows;
    p->x = set->halo.x;
    p->radius = set->reach;
    p->flat = search->domain.flat;
    if (mo_search_keeps(search)) {
        MO_TRY(keep_positions(search, set, error));
        if (search->periodic) {
            MO_TRY(keep_copy(search->memory, &set->frozen, &set->frozen_capacity, p->x, p->rows,
                             error));
        }
        p->x = search->periodic ? set->frozen : set->built;
    }
    mote_status (*build)(void *, const mo_search_points *, mo_pool *, mote_error *) =
        search->type->update && !search->anew ? search->type->update : search->type->build;
    return build(set->structure, p, pool, error);
}

static mote_status make_lists(mo_search *search, int from, int to, mo_pool *pool, mote_error *error)
{
    mo_set_state *asking = &search->sets[from], *target = &search->sets[to];
    mo_lists *lists = &search->lists[from][to];
    mo_search_points points = asking->points;
    points.radius = asking->radius + search->reuse.skin;
    points.rows = points.owned; /* ghosts have no lists */
    if (from != to && search->type->lists_from) {
        MO_TRY(search->type->lists_from(target->structure, &points, pool, lists, error));
    } else if (from == to && search->type->lists && points.radius == target->points.radius) {
        MO_TRY(search->type->lists(target->structure, pool, lists, error));
    } else {
        MO_TRY(mo_lists_by_queries(lists, pool, search->type->near, target->structure, points.owned,
                                   points.x, points.radius, from == to, error));
    }
    if (search->kind[from][to] == MO_LISTS_HALF) {
        mo_lists_halve(lists, pool, target->halo.owner);
    }
    return MOTE_OK;
}

static mote_status build_all(mo_search *search, const mo_search_set *sets, mo_pool *pool,
                             mote_error *error)
{
    for (int a = 0; a < search->set_count; ++a) {
        search->sets[a].now = sets[a];
        MO_TRY(mo_search_build_set(search, a, pool, error));
    }
    for (int a = 0; a < search->set_count; ++a) {
        for (int b = 0; b < search->set_count; ++b) {
            if (search->kind[a][b] != MO_LISTS_NONE) {
                MO_TRY(make_lists(search, a, b, pool, error));
            }
        }
    }
    search->valid = true;
    search->age = 0;
    search->moved = 0;
    return MOTE_OK;
}

mote_status mo_search_build(mo_search *search, const mo_search_set *sets, mo_pool *pool,
                            mote_error *error)
{
    search->anew = true;
    mote_status status = build_all(search, sets, pool, error);
    search->anew = false;
    return status;
}

/* ---- reuse ---- */

typedef struct moving {
    const double *now, *then;
} moving;

/* The largest squared displacement; NaN propagates. */
static void measure_rows(void *context, int64_t first, int64_t last, double *most)
{
    const moving *m = context;
    double largest = 0;
    for (int64_t row = first; row < last; ++row) {
        const double *a = m->now + 3 * row, *b = m->then + 3 * row;
        double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2], square = x * x + y * y + z * z;
        largest = square <= largest ? largest : square;
    }
    *most = largest;
}

static mote_status measure(mo_search *search, mo_pool *pool, double *moved, mote_error *error)
{
    *moved = 0;
    for (int a = 0; a < search->set_count; ++a) {
        const mo_set_state *set = &search->sets[a];
        moving m = {set->halo.x, search->periodic ? set->frozen : set->built};
        double square;
        MO_TRY(mo_parallel_reduce(pool, set->now.rows, ROW_GRAIN, MO_MAX, 1, measure_rows, &m,
                                  &square, error));
        double way = sqrt(square) * (1 + 0x1p-40);
        *moved = way <= *moved ? *moved : way;
    }
    return MOTE_OK;
}

static bool may_keep(const mo_search *search, const mo_search_set *sets)
{
    bool may = search->valid && mo_search_keeps(search);
    for (int a = 0; a < search->set_count; ++a) {
        may = may && sets[a].rows == search->sets[a].points.owned;
    }
    return may && (search->reuse.every == 0 || search->age + 1 < search->reuse.every);
}

static mote_status move_halos(mo_search *search, const mo_search_set *sets, mo_pool *pool,
                              mote_error *error)
{
    for (int a = 0; a < search->set_count; ++a) {
        search->sets[a].now = sets[a];
        mo_halo_update_positions(&search->sets[a].halo, sets[a].x, pool);
    }
    return measure(search, pool, &search->moved, error);
}

/* Whether the lists are valid for the current positions. */
static mote_status still_good(const mo_search *search, bool *good, mote_error *error)
{
    const mo_search_reuse *reuse = &search->reuse;
    *good = search->moved <= 0.5 * reuse->skin;
    if (reuse->every == 0 || *good) {
        return MOTE_OK;
    }
    *good = isfinite(search->moved); /* otherwise the build reports the row */
    if (reuse->check && *good) {
        return mo_fail(
            error, MOTE_ERROR_NUMERIC,
            "search: a particle has moved %g since the lists were built, more than half their skin "
            "of %g, so that pairs may be missing; use a larger skin or rebuild more often",
            search->moved, reuse->skin);
    }
    return MOTE_OK;
}

mote_status mo_search_update(mo_search *search, const mo_search_set *sets, mo_pool *pool,
                             bool *built, mote_error *error)
{
    bool good = false;
    if (may_keep(search, sets)) {
        MO_TRY(move_halos(search, sets, pool, error));
        MO_TRY(still_good(search, &good, error));
    }
    if (built) {
        *built = !good;
    }
    if (good) {
        search->age++;
        return MOTE_OK;
    }
    return build_all(search, sets, pool, error);
}

mote_status mo_search_resume(mo_search *search, const mo_search_set *built, int64_t age,
                             const mo_search_set *sets, mo_pool *pool, mote_error *error)
{
    MO_TRY(build_all(search, built, pool, error));
    if (mo_search_keeps(search)) {
        search->age = age;
        return move_halos(search, sets, pool, error);
    }
    return build_all(search, sets, pool, error);
}

/* ---- accessors ---- */

const double *mo_search_built(const mo_search *search, int set)
{
    const mo_set_state *s = &search->sets[set];
    return mo_search_keeps(search) ? s->built : s->now.x;
}

int64_t mo_search_age(const mo_search *search)
{
    return search->age;
}

bool mo_search_counts(const mo_search *search)
{
    return search->reuse.every > 0;
}

void mo_search_invalidate(mo_search *search)
{
    search->valid = false;
}

void mo_search_drop(mo_search *search)
{
    search->valid = false;
    for (int a = 0; a < search->set_count; ++a) {
        for (int b = 0; b < search->set_count; ++b) {
            mo_lists_release(&search->lists[a][b]);
        }
    }
}

const mo_lists *mo_search_lists(const mo_search *search, int from, int to)
{
    return search->kind[from][to] == MO_LISTS_NONE ? NULL : &search->lists[from][to];
}

mote_status mo_search_reserve(mo_search *search, int from, int to, int64_t indices,
                              mote_error *error)
{
    return mo_lists_reserve(&search->lists[from][to], indices, error);
}

double mo_search_reach(const mo_search *search, int set)
{
    return search->sets[set].radius + search->reuse.skin;
}

const mo_halo *mo_search_halo(const mo_search *search, int set)
{
    return &search->sets[set].halo;
}

mo_pairs mo_search_pairs(const mo_search *search, int set)
{
    const mo_halo *halo = mo_search_halo(search, set);
    const mo_lists *lists = mo_search_lists(search, set, set);
    return (mo_pairs){halo->owned,  halo->x,      halo->owner, lists->start,
                      lists->count, lists->index, halo->count};
}

int64_t mo_search_bytes(const mo_search *search)
{
    int64_t bytes = sizeof *search;
    for (int a = 0; a < search->set_count; ++a) {
        const mo_set_state *s = &search->sets[a];
        bytes += mo_structure_bytes(s->structure) + mo_halo_bytes(&s->halo);
        bytes += 8 * (s->frozen_capacity + s->kept_capacity);
        for (int b = 0; b < search->set_count; ++b) {
            bytes += mo_lists_bytes(&search->lists[a][b]);
        }
    }
    return bytes;
}
