/*
 * Range search from outside (Tonnesen 1998, 7.2.1): radius and k-nearest queries, existence,
 * insertion and deletion over a copy of points with ids.
 *
 * Rows of the structure are dense: a deletion moves the last row. Ids ascend with insertions, so
 * the table of ids stays sorted by appending, and a deleted one keeps its entry without a row.
 */
#include "run/point_search.h"

#include "base/pool.h"
#include "geometry/surface/surface.h"
#include "neighbor/search.h"
#include "run/method_text.h"

#include <stdlib.h>
#include <string.h>

static const int64_t NO_ROW = -1;

typedef struct id_entry {
    int64_t id, row; /* NO_ROW: deleted */
} id_entry;

typedef struct hit {
    double square;
    int64_t id;
} hit;

struct mote_search {
    mo_memory memory;
    mo_pool *pool;
    mo_search *search;
    mo_domain domain;
    double radius;
    int64_t count, x_capacity, id_capacity, entry_count, entry_capacity;
    double *x;
    int64_t *ids; /* by row */
    id_entry *entries;
    int64_t next_id;
    int64_t row_capacity, square_capacity, hit_capacity; /* of queries */
    int32_t *rows;
    double *squares;
    hit *hits;
};

mote_search_options mote_search_options_default(void)
{
    return (mote_search_options){.config = mote_config_default()};
}

/* ---- ids ---- */

static int compare_entries(const void *a, const void *b)
{
    int64_t left = ((const id_entry *)a)->id, right = ((const id_entry *)b)->id;
    return (left > right) - (left < right);
}

static id_entry *find_entry(const mote_search *s, int64_t id)
{
    id_entry key = {id, 0};
    id_entry *found = s->entry_count > 0 ? bsearch(&key, s->entries, (size_t)s->entry_count,
                                                   sizeof key, compare_entries)
                                         : NULL;
    return found && found->row != NO_ROW ? found : NULL;
}

static mote_status reserve_points(mote_search *s, int64_t count, mote_error *error)
{
    MO_TRY(mo_reserve(&s->memory, &s->x, &s->x_capacity, 3 * count + 1, sizeof *s->x, error));
    MO_TRY(mo_reserve(&s->memory, &s->ids, &s->id_capacity, count, sizeof *s->ids, error));
    return mo_reserve(&s->memory, &s->entries, &s->entry_capacity, s->entry_count + 1,
                      sizeof *s->entries, error);
}

static mote_status copy_points(mote_search *s, const mo_search_source *source, mote_error *error)
{
    s->entry_count = source->count;
    MO_TRY(reserve_points(s, source->count, error));
    if (source->count > 0) {
        memcpy(s->x, source->x, 3 * sizeof *s->x * (size_t)source->count);
    }
    for (int64_t row = 0; row < source->count; ++row) {
        int64_t id = source->ids ? source->ids[row] : row;
        s->ids[row] = id;
        s->entries[row] = (id_entry){id, row};
        s->next_id = id >= s->next_id ? id + 1 : s->next_id;
    }
    qsort(s->entries, (size_t)s->entry_count, sizeof *s->entries, compare_entries);
    s->count = source->count;
    return MOTE_OK;
}

/* ---- creation ---- */

static mote_status check_positions(const mo_search_source *source, mote_error *error)
{
    for (int64_t k = 0; k < 3 * source->count; ++k) {
        if (!(fabs(source->x[k]) <= MO_SEARCH_FAR)) {
            const double *x = source->x + k / 3 * 3;
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "%s: point %lld is at (%g, %g, %g) m; allowed: finite numbers up to %g",
                           source->function, (long long)(k / 3), x[0], x[1], x[2], MO_SEARCH_FAR);
        }
    }
    return MOTE_OK;
}

static mote_status set_domain(mote_search *s, const mo_search_source *source, mote_error *error)
{
    const mote_domain *from = &source->domain;
    for (int k = 0; k < 3; ++k) {
        s->domain.periodic[k] = from->periodic[k];
        s->domain.low[k] = from->low[k];
        s->domain.high[k] = from->high[k];
        if (from->periodic[k] && !(from->high[k] > from->low[k])) {
            return mo_fail_argument(error, source->function, "options.domain",
                                    "is from %g to %g m along axis %d; allowed: low below high",
                                    from->low[k], from->high[k], k);
        }
    }
    return MOTE_OK;
}

/* Twice the spacing where none is given, and at most half a period. Points that coincide or are
 * alone have no spacing: any radius will do. */
static mote_status choose_radius(mote_search *s, double given, mote_error *error)
{
    double spacing = 0;
    if (given == 0 && s->count > 1) {
        mote_error ignored;
        mote_status status = mo_spacing_estimate(s->count, s->x, s->pool, &spacing, &ignored);
        spacing = status == MOTE_OK ? spacing : 0;
    }
    s->radius = given > 0 ? given : spacing > 0 ? 2 * spacing : 1;
    for (int k = 0; k < 3 && given == 0; ++k) {
        s->radius = s->domain.periodic[k] ? fmin(s->radius, 0.499 * mo_domain_period(&s->domain, k))
                                          : s->radius;
    }
    return mo_search_check_radius(s->radius, "search: radius", error);
}

static mote_status build(mote_search *s, const char *text, mote_error *error)
{
    mo_arena arena;
    mo_method method;
    int set;
    mo_arena_init(&arena, &s->memory);
    mote_status status = mo_method_text_read(text ? text : "octree", "search", "method",
                                             &mo_searches, &arena, &method, error);
    if (status == MOTE_OK) {
        status = mo_search_create(method, &s->domain, &s->memory, &s->search, error);
    }
    if (status == MOTE_OK) {
        status = mo_search_add_set(s->search, s->radius, &set, error);
    }
    mo_arena_release(&arena);
    return status == MOTE_OK
               ? mo_search_build(s->search, &(mo_search_set){s->count, s->x}, s->pool, error)
               : status;
}

static mote_status fill(mote_search *s, const mo_search_source *source,
                        const mote_search_options *options, mote_error *error)
{
    MO_TRY(check_positions(source, error));
    MO_TRY(set_domain(s, source, error));
    MO_TRY(mo_pool_create(&s->memory, options->config.threads, &s->pool, error));
    MO_TRY(copy_points(s, source, error));
    MO_TRY(choose_radius(s, options->radius, error));
    return build(s, options->method, error);
}

mote_status mo_point_search_create(const mo_search_source *source,
                                   const mote_search_options *options, mote_search **search,
                                   mote_error *error)
{
    mote_search_options defaults = mote_search_options_default();
    const mote_search_options *o = options ? options : &defaults;
    mo_memory memory;
    *search = NULL;
    mo_error_clear(error);
    if (!(o->radius >= 0 && isfinite(o->radius))) {
        return mo_fail_argument(error, source->function, "options.radius",
                                "is %g m; allowed: finite values of at least 0", o->radius);
    }
    mo_memory_init(&memory, &o->config.allocator);
    mote_search *s = mo_allocate(&memory, sizeof *s);
    if (!s) {
        return mo_fail_memory(error, sizeof *s);
    }
    s->memory = memory;
    mote_status status = fill(s, source, o, error);
    if (status != MOTE_OK) {
        mote_search_destroy(s);
        return status;
    }
    *search = s;
    return MOTE_OK;
}

mote_status mote_search_create(int64_t count, const double *x, const mote_search_options *options,
                               mote_search **search, mote_error *error)
{
    MO_NEED(search);
    if (count < 0 || count > MO_SEARCH_ROWS_MAX) {
        return MO_BAD_ARGUMENT(count, "is %lld; allowed: 0 to %d", (long long)count,
                               MO_SEARCH_ROWS_MAX);
    }
    if (count > 0 && !x) {
        return MO_BAD_ARGUMENT(x, "must not be NULL with %lld points", (long long)count);
    }
    mo_search_source source = {__func__, count, x, NULL,
                               options ? options->domain : (mote_domain){{0}, {0}, {0}}};
    return mo_point_search_create(&source, options, search, error);
}

void mote_search_destroy(mote_search *search)
{
    if (!search) {
        return;
    }
    mo_memory memory = search->memory;
    mo_search_destroy(search->search);
    mo_pool_destroy(search->pool);
    mo_release(&search->memory, search->x);
    mo_release(&search->memory, search->ids);
    mo_release(&search->memory, search->entries);
    mo_release(&search->memory, search->rows);
    mo_release(&search->memory, search->squares);
    mo_release(&search->memory, search->hits);
    mo_release(&memory, search);
}

/* ---- queries ---- */

int64_t mote_search_count(const mote_search *search)
{
    MO_NEED_OR(search, 0);
    return search->count;
}

bool mote_search_find(const mote_search *search, int64_t id, double *x)
{
    MO_NEED_OR(search, false);
    const id_entry *entry = find_entry(search, id);
    if (entry && x) {
        memcpy(x, search->x + 3 * entry->row, 3 * sizeof *x);
    }
    return entry != NULL;
}

static int compare_hits(const void *a, const void *b)
{
    const hit *left = a, *right = b;
    int by_id = (left->id > right->id) - (left->id < right->id);
    int by_square = (left->square > right->square) - (left->square < right->square);
    return by_square ? by_square : by_id;
}

/* The squared distance to the nearest image. */
static double square_to(const mote_search *s, const double *x, const double *position)
{
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        double d = mo_domain_nearest(&s->domain, k, x[k] - position[k]);
        square += d * d;
    }
    return square;
}

static void write_hits(const mote_search *s, int64_t count, int64_t *ids, double *distances)
{
    for (int64_t k = 0; k < count; ++k) {
        if (ids) {
            ids[k] = s->hits[k].id;
        }
        if (distances) {
            distances[k] = sqrt(s->hits[k].square);
        }
    }
}

/* Sorts the rows found by distance. */
static mote_status sort_hits(mote_search *s, int64_t count, const double *position,
                             mote_error *error)
{
    MO_TRY(mo_reserve(&s->memory, &s->hits, &s->hit_capacity, count, sizeof *s->hits, error));
    for (int64_t k = 0; k < count; ++k) {
        int64_t row = s->rows[k];
        s->hits[k] = (hit){square_to(s, s->x + 3 * row, position), s->ids[row]};
    }
    if (count > 0) {
        qsort(s->hits, (size_t)count, sizeof *s->hits, compare_hits);
    }
    return MOTE_OK;
}

static mote_status check_position(const double *position, const char *function, mote_error *error)
{
    for (int k = 0; k < 3; ++k) {
        if (!(fabs(position[k]) <= MO_SEARCH_FAR)) {
            return mo_fail_argument(error, function, "position",
                                    "is (%g, %g, %g) m; allowed: finite numbers up to %g",
                                    position[0], position[1], position[2], MO_SEARCH_FAR);
        }
    }
    return MOTE_OK;
}

static mote_status check_radius(double radius, const char *function, mote_error *error)
{
    return radius >= 0 && isfinite(radius)
               ? MOTE_OK
               : mo_fail_argument(error, function, "radius",
                                  "is %g m; allowed: finite values of at least 0", radius);
}

mote_status mote_search_near(mote_search *search, const double *position, double radius,
                             int64_t capacity, int64_t *ids, double *distances, int64_t *found,
                             mote_error *error)
{
    MO_NEED(search);
    MO_NEED(position);
    MO_NEED(found);
    mo_error_clear(error);
    MO_TRY(check_position(position, __func__, error));
    MO_TRY(check_radius(radius, __func__, error));
    if (capacity < 0) {
        return MO_BAD_ARGUMENT(capacity, "is %lld; allowed: 0 or more", (long long)capacity);
    }
    mo_vec3 at = mo_vec3_load(position);
    int64_t total =
        mo_search_near(search->search, 0, at, radius, search->rows, search->row_capacity);
    if (total > search->row_capacity) {
        MO_TRY(mo_reserve(&search->memory, &search->rows, &search->row_capacity, total,
                          sizeof *search->rows, error));
        total = mo_search_near(search->search, 0, at, radius, search->rows, search->row_capacity);
    }
    MO_TRY(sort_hits(search, total, position, error));
    write_hits(search, total < capacity ? total : capacity, ids, distances);
    *found = total;
    return MOTE_OK;
}

mote_status mote_search_nearest(mote_search *search, const double *position, int64_t k,
                                int64_t *ids, double *distances, int64_t *found, mote_error *error)
{
    MO_NEED(search);
    MO_NEED(position);
    MO_NEED(found);
    mo_error_clear(error);
    MO_TRY(check_position(position, __func__, error));
    if (k < 0) {
        return MO_BAD_ARGUMENT(k, "is %lld; allowed: 0 or more", (long long)k);
    }
    int64_t most = k < search->count ? k : search->count;
    MO_TRY(mo_reserve(&search->memory, &search->rows, &search->row_capacity, most,
                      sizeof *search->rows, error));
    MO_TRY(mo_reserve(&search->memory, &search->squares, &search->square_capacity, most,
                      sizeof *search->squares, error));
    int64_t total = mo_search_nearest(search->search, 0, mo_vec3_load(position), most, search->rows,
                                      search->squares);
    MO_TRY(sort_hits(search, total, position, error));
    write_hits(search, total, ids, distances);
    *found = total;
    return MOTE_OK;
}

mote_status mote_search_exists(const mote_search *search, const double *position, double radius,
                               bool *exists, mote_error *error)
{
    MO_NEED(search);
    MO_NEED(position);
    MO_NEED(exists);
    mo_error_clear(error);
    MO_TRY(check_position(position, __func__, error));
    MO_TRY(check_radius(radius, __func__, error));
    *exists = mo_search_exists(search->search, 0, mo_vec3_load(position), radius);
    return MOTE_OK;
}

/* ---- insertion and deletion ---- */

mote_status mote_search_insert(mote_search *search, const double *position, int64_t *id,
                               mote_error *error)
{
    MO_NEED(search);
    MO_NEED(position);
    mo_error_clear(error);
    MO_TRY(check_position(position, __func__, error));
    MO_TRY(reserve_points(search, search->count + 1, error));
    memcpy(search->x + 3 * search->count, position, 3 * sizeof *search->x);
    MO_TRY(mo_search_insert(search->search, 0, search->x, search->pool, error));
    search->ids[search->count] = search->next_id;
    search->entries[search->entry_count++] = (id_entry){search->next_id, search->count++};
    if (id) {
        *id = search->next_id;
    }
    ++search->next_id;
    return MOTE_OK;
}

mote_status mote_search_remove(mote_search *search, int64_t id, mote_error *error)
{
    MO_NEED(search);
    mo_error_clear(error);
    id_entry *entry = find_entry(search, id);
    if (!entry) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%s: there is no point with the id %lld", __func__,
                       (long long)id);
    }
    int64_t row = entry->row, last = search->count - 1;
    MO_TRY(mo_search_remove(search->search, 0, row, search->x, search->pool, error));
    find_entry(search, search->ids[last])->row = row;
    search->ids[row] = search->ids[last];
    entry->row = NO_ROW;
    search->count = last;
    return MOTE_OK;
}
