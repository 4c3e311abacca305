#include "neighbor/cell_list.h"

#include "math/wide.h"

#include <string.h>

enum {
    ROW_GRAIN = 4096,
    PLACE_GRAIN = 256,        /* a place is dearer than a row: it looks through 27 cells */
    AXIS_CELLS_MAX = 1 << 20, /* keeps the rounding of a cell's number far below MARGIN */
    TRIMS_MAX = 8,
    LANES = 4, /* points looked at at once */
    FOUND_MAX = 128
};

/* Cells are wider than the radius by more than a position in units of cells may be off by rounding (2^20
   2^-51), so that a pair at the very radius never lies two cells apart. */
static const double MARGIN = 1 + 0x1p-20;

/* Squares of what lies within have an inverse, squares of distances are finite. */
#define LARGEST 1e150
#define SMALLEST 1e-150

void mo_cell_list_init(mo_cell_list *list, mo_memory *memory)
{
    *list = (mo_cell_list){.memory = memory};
}

void mo_cell_list_release(mo_cell_list *list)
{
    mo_release(list->memory, list->start);
    mo_release(list->memory, list->cell_of);
    mo_release(list->memory, list->row_at);
    mo_release(list->memory, list->packed);
    mo_cell_list_init(list, list->memory);
}

/* Room for `need` elements in the array at `array`. */
static mote_status room(mo_memory *memory, void *array, int64_t *capacity, int64_t need, size_t size,
                        mote_error *error)
{
    void **block = array, *grown = *block;
    mote_status status = mo_grow(memory, &grown, capacity, need, size, error);
    *block = grown;
    return status;
}

/* ---- the box of the points ---- */

typedef struct box {
    double low[3], high[3];
} box;

typedef struct boxed_points {
    const double *x;
    box b;
} boxed_points;

static inline bool in_box(const box *b, const double *x)
{
    bool inside = true;
    for (int k = 0; k < 3; ++k) {
        inside = inside && x[k] >= b->low[k] && x[k] <= b->high[k]; /* what is not a number is in no box */
    }
    return inside;
}

enum { BOUND_HIGH, BOUND_LOW = 3, BOUND_OUTSIDE = 6, BOUNDS };

/* Of the points in the box: the highest x, y, z and the highest -x, -y, -z; and whether any is outside. */
static void bound_range(void *context, int64_t first, int64_t last, double *bound)
{
    const boxed_points *points = context;
    for (int k = 0; k < 3; ++k) {
        bound[BOUND_HIGH + k] = bound[BOUND_LOW + k] = -(double)INFINITY;
    }
    bound[BOUND_OUTSIDE] = 0;
    for (int64_t row = first; row < last; ++row) {
        const double *x = points->x + 3 * row;
        if (!in_box(&points->b, x)) {
            bound[BOUND_OUTSIDE] = 1;
            continue;
        }
        for (int k = 0; k < 3; ++k) {
            bound[BOUND_HIGH + k] = x[k] > bound[BOUND_HIGH + k] ? x[k] : bound[BOUND_HIGH + k];
            bound[BOUND_LOW + k] = -x[k] > bound[BOUND_LOW + k] ? -x[k] : bound[BOUND_LOW + k];
        }
    }
}

/* Shrinks the box to the points in it. */
static mote_status fit_box(mo_pool *pool, int64_t rows, boxed_points *points, bool *outside,
                           mote_error *error)
{
    double bound[BOUNDS];
    MO_TRY(mo_parallel_reduce(pool, rows, ROW_GRAIN, MO_MAX, BOUNDS, bound_range, points, bound, error));
    for (int k = 0; k < 3; ++k) {
        points->b.low[k] = -bound[BOUND_LOW + k];
        points->b.high[k] = bound[BOUND_HIGH + k];
    }
    *outside = bound[BOUND_OUTSIDE] > 0;
    return MOTE_OK;
}

static const box EVERYTHING = {{-LARGEST, -LARGEST, -LARGEST}, {LARGEST, LARGEST, LARGEST}};

static mote_status fail_position(const double *x, mote_error *error)
{
    int64_t row = 0;
    while (in_box(&EVERYTHING, x + 3 * row)) {
        ++row;
    }
    return mo_fail(error, MOTE_ERROR_NUMERIC,
                   "particle %lld at (%g, %g, %g) is out of reach of a neighbour search", (long long)row,
                   x[3 * row], x[3 * row + 1], x[3 * row + 2]);
}

/* ---- the grid over the box ---- */

static double cells_along(const box *b, int k, double width)
{
    return floor((b->high[k] - b->low[k]) / width) + 1;
}

static bool fits(const box *b, double width, double most)
{
    double cells = 1;
    for (int k = 0; k < 3; ++k) {
        double along = cells_along(b, k, width);
        if (!(along <= AXIS_CELLS_MAX)) {
            return false;
        }
        cells *= along;
    }
    return cells <= most;
}

enum { MOMENT_COUNT, MOMENT_SUM, MOMENT_SQUARES = 4, MOMENTS = 7 };

/* Where a number lies between two sides of the box: 0 at the lower, 1 at the higher. */
static inline double fraction(const box *b, int k, double x)
{
    double length = b->high[k] - b->low[k];
    return length > 0 ? (x - b->low[k]) / length : 0;
}

/* Number, sums and sums of squares of the points in the box, as fractions of its sides. */
static void moments_of_range(void *context, int64_t first, int64_t last, double *moment)
{
    const boxed_points *points = context;
    memset(moment, 0, MOMENTS * sizeof *moment);
    for (int64_t row = first; row < last; ++row) {
        const double *x = points->x + 3 * row;
        bool inside = in_box(&points->b, x);
        for (int k = 0; inside && k < 3; ++k) {
            double a = fraction(&points->b, k, x[k]);
            moment[MOMENT_SUM + k] += a;
            moment[MOMENT_SQUARES + k] += a * a;
        }
        moment[MOMENT_COUNT] += inside;
    }
}

/* Cuts the box to three standard deviations about the mean of the points in it, which leaves two thirds of
   them or more (Chebyshev). A box evenly filled has sides of 3.5 standard deviations and is not cut. */
static void cut_box(box *b, const double moment[MOMENTS])
{
    static const double ROUNDING = 1e-6; /* of the deviation: the variance is a difference */
    for (int k = 0; k < 3; ++k) {
        double mean = moment[MOMENT_SUM + k] / moment[MOMENT_COUNT];
        double variance = moment[MOMENT_SQUARES + k] / moment[MOMENT_COUNT] - mean * mean;
        double reach = 3 * sqrt(fmax(variance, 0)) + ROUNDING, low = b->low[k], length = b->high[k] - low;
        b->low[k] = fmax(low, low + (mean - reach) * length);
        b->high[k] = fmin(b->high[k], low + (mean + reach) * length);
    }
}

static bool has_halved(const box *before, const box *after)
{
    bool halved = false;
    for (int k = 0; k < 3; ++k) {
        halved = halved || after->high[k] - after->low[k] < 0.5 * (before->high[k] - before->low[k]);
    }
    return halved;
}

/* Leaves stray points out while the box has too many cells: one particle that has flown off must not make the
   cells so wide that all others share one. */
static mote_status trim_box(mo_pool *pool, int64_t rows, boxed_points *points, double width, double most,
                            mote_error *error)
{
    bool halved = true, outside;
    for (int k = 0; k < TRIMS_MAX && halved && !fits(&points->b, width, most); ++k) {
        double moment[MOMENTS];
        box before = points->b;
        MO_TRY(mo_parallel_reduce(pool, rows, ROW_GRAIN, MO_SUM, MOMENTS, moments_of_range, points, moment,
                                  error));
        cut_box(&points->b, moment);
        MO_TRY(fit_box(pool, rows, points, &outside, error));
        halved = has_halved(&before, &points->b);
    }
    return MOTE_OK;
}

static mote_status lay_grid(mo_cell_list *list, mo_pool *pool, int64_t rows, const double *x, double most,
                            mote_error *error)
{
    boxed_points points = {x, EVERYTHING};
    bool outside;
    double width = list->radius * MARGIN;
    MO_TRY(fit_box(pool, rows, &points, &outside, error));
    if (outside) {
        return fail_position(x, error);
    }
    MO_TRY(trim_box(pool, rows, &points, width, most, error));
    while (!fits(&points.b, width, most)) {
        width *= 1.25;
    }
    for (int k = 0; k < 3; ++k) {
        list->low[k] = points.b.low[k];
        list->size[k] = (int64_t)cells_along(&points.b, k, width);
    }
    list->inverse_width = 1 / width;
    return MOTE_OK;
}

/* ---- sorting ---- */

typedef struct coordinates {
    int64_t at[3];
} coordinates;

static inline int64_t cell_along(const mo_cell_list *list, int k, double x)
{
    double cells = (x - list->low[k]) * list->inverse_width, last = (double)(list->size[k] - 1);
    return cells > 0 ? (int64_t)(cells < last ? cells : last) : 0;
}

static inline coordinates coordinates_of(const mo_cell_list *list, mo_vec3 p)
{
    return (coordinates){{cell_along(list, 0, p.x), cell_along(list, 1, p.y), cell_along(list, 2, p.z)}};
}

static inline int64_t cell_number(const mo_cell_list *list, int64_t i, int64_t j, int64_t k)
{
    return (k * list->size[1] + j) * list->size[0] + i;
}

typedef struct sorting {
    mo_cell_list *list;
    const double *x;
} sorting;

static void find_cells(void *context, int64_t first, int64_t last)
{
    const sorting *s = context;
    for (int64_t row = first; row < last; ++row) {
        coordinates c = coordinates_of(s->list, mo_vec3_load(s->x + 3 * row));
        s->list->cell_of[row] = (int32_t)cell_number(s->list, c.at[0], c.at[1], c.at[2]);
    }
}

/* Counting sort. From the last row to the first, so that start[c] comes down from the end of cell c to its
   beginning and the rows of a cell ascend. */
static void sort_rows(mo_cell_list *list, int64_t cells)
{
    int32_t *start = list->start;
    memset(start, 0, (size_t)(cells + 1) * sizeof *start);
    for (int64_t row = 0; row < list->rows; ++row) {
        start[list->cell_of[row]]++;
    }
    for (int64_t c = 0; c < cells; ++c) {
        start[c + 1] += start[c];
    }
    for (int64_t row = list->rows - 1; row >= 0; --row) {
        list->row_at[--start[list->cell_of[row]]] = (int32_t)row;
    }
}

/* Places are read four at a time, so that up to three behind the last are read and not used. */
static inline int64_t stride_of(int64_t rows)
{
    return rows + LANES - 1;
}

static void pack_places(void *context, int64_t first, int64_t last)
{
    const sorting *s = context;
    double *packed = s->list->packed;
    int64_t stride = stride_of(s->list->rows);
    for (int64_t place = first; place < last; ++place) {
        const double *x = s->x + 3 * (int64_t)s->list->row_at[place];
        packed[place] = x[0];
        packed[stride + place] = x[1];
        packed[2 * stride + place] = x[2];
    }
}

static mote_status make_room(mo_cell_list *list, int64_t rows, int64_t cells, mote_error *error)
{
    MO_TRY(room(list->memory, &list->start, &list->start_capacity, cells + 1, sizeof(int32_t), error));
    MO_TRY(room(list->memory, &list->cell_of, &list->cell_capacity, rows, sizeof(int32_t), error));
    MO_TRY(room(list->memory, &list->row_at, &list->row_capacity, stride_of(rows), sizeof(int32_t), error));
    return room(list->memory, &list->packed, &list->packed_capacity, 3 * stride_of(rows), sizeof(double),
                error);
}

static mote_status check_input(int64_t rows, double radius, mote_error *error)
{
    if (rows < 0 || rows > INT32_MAX / 2 - 64) {
        return mo_fail(error, MOTE_ERROR_INPUT, "a neighbour search takes at most %d particles, not %lld",
                       INT32_MAX / 2 - 64, (long long)rows);
    }
    if (!(radius >= SMALLEST && radius <= LARGEST)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "a neighbour search takes radii from %g to %g, not %g",
                       SMALLEST, LARGEST, radius);
    }
    return MOTE_OK;
}

mote_status mo_cell_list_build(mo_cell_list *list, mo_pool *pool, int64_t rows, const double *x,
                               double radius, mote_error *error)
{
    int64_t most =
        2 * rows + 64; /* cells; room for all of them at once, so that a box may grow without an allocation */
    list->rows = 0;
    MO_TRY(check_input(rows, radius, error));
    if (rows == 0) {
        return MOTE_OK;
    }
    list->radius = radius;
    MO_TRY(lay_grid(list, pool, rows, x, (double)most, error));
    MO_TRY(make_room(list, rows, most, error));
    list->rows = rows;
    sorting s = {list, x};
    mo_parallel_for(pool, rows, ROW_GRAIN, find_cells, &s);
    sort_rows(list, list->size[0] * list->size[1] * list->size[2]);
    mo_parallel_for(pool, rows, ROW_GRAIN, pack_places, &s);
    return MOTE_OK;
}

/* ---- searching ---- */

/* The places of 27 cells: nine runs, since cells that follow each other along x do so in memory. */
typedef struct walk {
    int runs;
    int32_t first[9], last[9];
} walk;

static inline int64_t lower(int64_t cell)
{
    return cell > 0 ? cell - 1 : 0;
}

static inline int64_t upper(const mo_cell_list *list, int k, int64_t cell)
{
    return cell + 1 < list->size[k] ? cell + 1 : cell;
}

static void walk_around(const mo_cell_list *list, coordinates c, walk *w)
{
    int64_t left = lower(c.at[0]), right = upper(list, 0, c.at[0]);
    w->runs = 0;
    for (int64_t k = lower(c.at[2]); k <= upper(list, 2, c.at[2]); ++k) {
        for (int64_t j = lower(c.at[1]); j <= upper(list, 1, c.at[1]); ++j) {
            w->first[w->runs] = list->start[cell_number(list, left, j, k)];
            w->last[w->runs] = list->start[cell_number(list, right, j, k) + 1];
            w->runs += w->first[w->runs] < w->last[w->runs];
        }
    }
}

/* What is looked for: points around p, without the one at place `except`. */
typedef struct search {
    const mo_cell_list *list;
    const double *x, *y, *z; /* by place */
    mo_d4 px, py, pz, reach;
    int64_t except;
} search;

static search search_around(const mo_cell_list *list, mo_vec3 p, int64_t except)
{
    const double *x = list->packed, *y = x + stride_of(list->rows), *z = y + stride_of(list->rows);
    mo_d4 reach = mo_d4_set(list->radius * list->radius);
    return (search){list, x, y, z, mo_d4_set(p.x), mo_d4_set(p.y), mo_d4_set(p.z), reach, except};
}

typedef int64_t mask __attribute__((vector_size(32)));

static inline unsigned bits_of(mask m)
{
#if defined(__AVX__)
    return (unsigned)_mm256_movemask_pd((mo_d4)m);
#else
    return (unsigned)((m[0] & 1) | (m[1] & 2) | (m[2] & 4) | (m[3] & 8));
#endif
}

/* Bit k is set if the point at place first + k is one that is looked for; k < 4 and first + k < last. */
MO_INLINE unsigned found_bits(const search *s, int64_t first, int64_t last)
{
    mo_d4 dx = mo_d4_load(s->x + first) - s->px, dy = mo_d4_load(s->y + first) - s->py;
    mo_d4 dz = mo_d4_load(s->z + first) - s->pz;
    unsigned bits = bits_of((mask)(dx * dx + dy * dy + dz * dz <= s->reach));
    int64_t left = last - first, self = s->except - first;
    bits &= left < LANES ? (1u << left) - 1 : 15;
    return bits & ~(self >= 0 && self < LANES ? 1u << self : 0);
}

/* For each set of four bits: how many, and which. */
static const uint8_t NUMBER[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
static const int32_t WHICH[16][LANES] = {{0},    {0},       {1},       {0, 1},      {2},    {0, 2},
                                         {1, 2}, {0, 1, 2}, {3},       {0, 3},      {1, 3}, {0, 1, 3},
                                         {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3}};

/* out[k] = row[which[k]] */
MO_INLINE void pick(const int32_t *row, const int32_t *which, int32_t *out)
{
#if defined(__AVX__)
    __m128 rows = _mm_loadu_ps((const float *)row);
    _mm_storeu_ps((float *)out, _mm_permutevar_ps(rows, _mm_loadu_si128((const __m128i *)which)));
#else
    for (int k = 0; k < LANES; ++k) {
        out[k] = row[which[k]];
    }
#endif
}

static int64_t count_walk(search s, const walk *w)
{
    int64_t count = 0;
    for (int r = 0; r < w->runs; ++r) {
        for (int64_t first = w->first[r], last = w->last[r]; first < last; first += LANES) {
            count += NUMBER[found_bits(&s, first, last)];
        }
    }
    return count;
}

/* Appends what was found to the `total` rows in `out` as far as there is room. */
static void append(int32_t *out, int64_t capacity, int64_t total, const int32_t *found, int64_t number)
{
    if (number > capacity - total) {
        number = capacity - total;
    }
    if (number > 0) {
        memcpy(out + total, found, (size_t)number * sizeof *found);
    }
}

/* Without branches on what is found, which could not be guessed: four rows are written, and those that do not
   count are written over. */
static int64_t collect_walk(search s, const walk *w, int32_t *out, int64_t capacity)
{
    int32_t found[FOUND_MAX];
    const int32_t *row_at = s.list->row_at;
    int64_t total = 0, pending = 0;
    for (int r = 0; r < w->runs; ++r) {
        for (int64_t first = w->first[r], last = w->last[r]; first < last; first += LANES) {
            unsigned bits = found_bits(&s, first, last);
            pick(row_at + first, WHICH[bits], found + pending);
            pending += NUMBER[bits];
            if (pending > FOUND_MAX - LANES) {
                append(out, capacity, total, found, pending);
                total += pending;
                pending = 0;
            }
        }
    }
    append(out, capacity, total, found, pending);
    return total + pending;
}

/* Where a row has been sorted to; -1 if there is no such row. */
static int64_t place_of(const mo_cell_list *list, int64_t row)
{
    if (row < 0 || row >= list->rows) {
        return -1;
    }
    int64_t place = list->start[list->cell_of[row]];
    while (list->row_at[place] != row) {
        ++place;
    }
    return place;
}

int64_t mo_cell_list_near(const mo_cell_list *list, mo_vec3 point, int64_t except, int32_t *out,
                          int64_t capacity)
{
    walk w;
    if (list->rows == 0) {
        return 0;
    }
    search s = search_around(list, point, place_of(list, except));
    walk_around(list, coordinates_of(list, point), &w);
    return collect_walk(s, &w, out, capacity);
}

/* ---- lists of all neighbours ---- */

void mo_neighbor_lists_init(mo_neighbor_lists *lists, mo_memory *memory)
{
    *lists = (mo_neighbor_lists){0};
    mo_cell_list_init(&lists->cells, memory);
}

void mo_neighbor_lists_release(mo_neighbor_lists *lists)
{
    mo_memory *memory = lists->cells.memory;
    mo_cell_list_release(&lists->cells);
    mo_release(memory, lists->start);
    mo_release(memory, lists->index);
    mo_neighbor_lists_init(lists, memory);
}

/* Counts the neighbours of the rows at these places into start[row + 1], or writes them. Places, not rows:
   those that follow each other look through the same cells, which are then in the cache. */
static void search_places(mo_neighbor_lists *lists, int64_t first, int64_t last, bool write)
{
    const mo_cell_list *list = &lists->cells;
    const double *x = list->packed, *y = x + stride_of(list->rows), *z = y + stride_of(list->rows);
    walk w = {0};
    for (int64_t place = first, cell = -1; place < last; ++place) {
        int64_t row = list->row_at[place];
        mo_vec3 p = {x[place], y[place], z[place]};
        search s = search_around(list, p, place);
        if (list->cell_of[row] != cell) {
            cell = list->cell_of[row];
            walk_around(list, coordinates_of(list, p), &w);
        }
        if (write) {
            int64_t begin = lists->start[row]; /* not before: while counting it may be another thread's */
            collect_walk(s, &w, lists->index + begin, lists->start[row + 1] - begin);
        } else {
            lists->start[row + 1] = count_walk(s, &w);
        }
    }
}

static void count_places(void *context, int64_t first, int64_t last)
{
    search_places(context, first, last, false);
}

static void write_places(void *context, int64_t first, int64_t last)
{
    search_places(context, first, last, true);
}

/* Nothing has moved since the lists were written, as between an energy and the next step's forces. The first
   point that has moved ends the search. */
static bool up_to_date(const mo_neighbor_lists *lists, int64_t rows, const double *x, double radius)
{
    const mo_cell_list *list = &lists->cells;
    if (!lists->complete || list->rows != rows || list->radius != radius) {
        return false;
    }
    const double *px = list->packed, *py = px + stride_of(rows), *pz = py + stride_of(rows);
    for (int64_t place = 0; place < rows; ++place) {
        const double *p = x + 3 * (int64_t)list->row_at[place];
        if (!(p[0] == px[place] && p[1] == py[place] && p[2] == pz[place])) {
            return false;
        }
    }
    return true;
}

mote_status mo_neighbor_lists_build(mo_neighbor_lists *lists, mo_pool *pool, int64_t rows, const double *x,
                                    double radius, mote_error *error)
{
    mo_memory *memory = lists->cells.memory;
    if (up_to_date(lists, rows, x, radius)) {
        return MOTE_OK;
    }
    lists->complete = false;
    MO_TRY(mo_cell_list_build(&lists->cells, pool, rows, x, radius, error));
    MO_TRY(room(memory, &lists->start, &lists->start_capacity, rows + 1, sizeof(int64_t), error));
    lists->start[0] = 0;
    mo_parallel_for(pool, rows, PLACE_GRAIN, count_places, lists);
    for (int64_t row = 0; row < rows; ++row) {
        lists->start[row + 1] += lists->start[row];
    }
    int64_t pairs = lists->start[rows];
    if (pairs > lists->index_capacity) {
        /* a quarter more than now, since the number of pairs goes up and down in a run */
        MO_TRY(
            room(memory, &lists->index, &lists->index_capacity, pairs + pairs / 4, sizeof(int32_t), error));
    }
    mo_parallel_for(pool, rows, PLACE_GRAIN, write_places, lists);
    lists->complete = true;
    return MOTE_OK;
}
