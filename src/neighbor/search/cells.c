#include "neighbor/search/cells.h"

#include "math/wide.h"

enum { SORT_GRAIN = 16384, BUCKETS_MAX = 512, BUCKET_ROWS = 4096 };

void mo_cells_init(mo_cells *cells, mo_memory *memory)
{
    *cells = (mo_cells){.memory = memory};
}

void mo_cells_release(mo_cells *cells)
{
    mo_release(cells->memory, cells->start);
    mo_release(cells->memory, cells->row);
    mo_release(cells->memory, cells->offset);
    mo_release(cells->memory, cells->cell_of);
    mo_release(cells->memory, cells->pending);
    mo_release(cells->memory, cells->histogram);
    mo_cells_init(cells, cells->memory);
}

typedef struct sorting {
    mo_cells *cells;
    const mo_cell_frame *frame;
    const double *x;
    int64_t rows, cell_count, buckets;
    int shift; /* a bucket is a cell's index without this many bits */
} sorting;

/* The axes are three of four lanes; the last has the next row's x and is unused. */
typedef struct lanes {
    mo_d4 low, inverse_width, last, zero;
} lanes;

static lanes lanes_of(const mo_cell_frame *f)
{
    return (lanes){
        {f->low[0], f->low[1], f->low[2], 0},
        mo_d4_set(f->inverse_width),
        {(double)(f->size[0] - 1), (double)(f->size[1] - 1), (double)(f->size[2] - 1), 0},
        mo_d4_set(0)};
}

/* A position in units of cells, and the cell, as in mo_cell_frame_along. */
MO_INLINE mo_i4 cell_of(const lanes *l, const double *x, mo_d4 *cells)
{
    *cells = (mo_d4_load(x) - l->low) * l->inverse_width;
    return __builtin_convertvector(mo_d4_min(mo_d4_max(*cells, l->zero), l->last), mo_i4);
}

/* Cells of the rows, and the number of a block's rows in each bucket. */
static void find_cells(void *context, int64_t first, int64_t last)
{
    const sorting *s = context;
    const lanes l = lanes_of(s->frame);
    int32_t *histogram = s->cells->histogram + first / SORT_GRAIN * s->buckets,
            *cells = s->cells->cell_of;
    int32_t along_y = (int32_t)s->frame->size[0],
            along_z = (int32_t)(s->frame->size[0] * s->frame->size[1]);
    memset(histogram, 0, (size_t)s->buckets * sizeof *histogram);
    for (int64_t row = first; row < last; ++row) {
        mo_d4 position;
        mo_i4 at = cell_of(&l, s->x + 3 * row, &position);
        int32_t cell = at[0] + at[1] * along_y + at[2] * along_z;
        cells[row] = cell;
        histogram[cell >> s->shift]++;
    }
}

/* Counts become offsets: by bucket, then by block. */
static void add_up(const sorting *s)
{
    int64_t blocks = (s->rows + SORT_GRAIN - 1) / SORT_GRAIN;
    int32_t at = 0;
    for (int64_t bucket = 0; bucket < s->buckets; ++bucket) {
        for (int64_t block = 0; block < blocks; ++block) {
            int32_t *entry = s->cells->histogram + block * s->buckets + bucket, count = *entry;
            *entry = at;
            at += count;
        }
    }
}

/* Distributes rows to buckets. Afterwards the last block's entry of a bucket is its end. */
static void fill_buckets(void *context, int64_t first, int64_t last)
{
    const sorting *s = context;
    int32_t *at = s->cells->histogram + first / SORT_GRAIN * s->buckets;
    const int32_t *cells = s->cells->cell_of;
    for (int64_t row = first; row < last; ++row) {
        s->cells->pending[at[cells[row] >> s->shift]++] = (int32_t)row;
    }
}

static int32_t bucket_end(const sorting *s, int64_t bucket)
{
    int64_t blocks = (s->rows + SORT_GRAIN - 1) / SORT_GRAIN;
    return bucket < 0 ? 0 : s->cells->histogram[(blocks - 1) * s->buckets + bucket];
}

MO_INLINE void insert_row(const sorting *s, const lanes *l, int32_t row, int32_t slot)
{
    static const mo_i4 FIRST_OF_ROW = {~(MO_CELLS_IN_ROW - 1), -1, -1, -1};
    static const mo_d4 MIDDLE = {0.5 * MO_CELLS_IN_ROW, 0.5, 0.5, 0};
    mo_d4 position;
    mo_i4 at = cell_of(l, s->x + 3 * (int64_t)row, &position) & FIRST_OF_ROW;
    mo_f4 from =
        __builtin_convertvector(position - __builtin_convertvector(at, mo_d4) - MIDDLE, mo_f4);
    float *offset = s->cells->offset + slot;
    s->cells->row[slot] = row;
    offset[0] = from[0];
    offset[s->cells->stride] = from[1];
    offset[2 * s->cells->stride] = from[2];
}

/* Sorts a bucket into its cells: start[c + 1] counts cell c, then is its start, and is
 * incremented to its end. */
static void sort_bucket(const sorting *s, int64_t bucket)
{
    int64_t first_cell = bucket << s->shift, last_cell = (bucket + 1) << s->shift;
    int32_t first = bucket_end(s, bucket - 1), last = bucket_end(s, bucket), at = first;
    int32_t *next = s->cells->start + 1;
    const int32_t *pending = s->cells->pending, *cells = s->cells->cell_of;
    const lanes l = lanes_of(s->frame);
    last_cell = last_cell < s->cell_count ? last_cell : s->cell_count;
    memset(next + first_cell, 0, (size_t)(last_cell - first_cell) * sizeof *next);
    for (int32_t k = first; k < last; ++k) {
        next[cells[pending[k]]]++;
    }
    for (int64_t cell = first_cell; cell < last_cell; ++cell) {
        int32_t count = next[cell];
        next[cell] = at;
        at += count;
    }
    for (int32_t k = first; k < last; ++k) {
        insert_row(s, &l, pending[k], next[cells[pending[k]]]++);
    }
}

static void sort_buckets(void *context, int64_t first, int64_t last)
{
    for (int64_t bucket = first; bucket < last; ++bucket) {
        sort_bucket(context, bucket);
    }
}

static mote_status reserve(mo_cells *c, int64_t rows, int64_t most, int64_t histogram,
                           mote_error *error)
{
    size_t size = sizeof(int32_t);
    MO_TRY(mo_reserve(c->memory, &c->start, &c->start_capacity, most + 1, size, error));
    MO_TRY(mo_reserve(c->memory, &c->row, &c->row_capacity, rows + MO_WIDE, size, error));
    MO_TRY(mo_reserve(c->memory, &c->cell_of, &c->cell_of_capacity, rows, size, error));
    MO_TRY(mo_reserve(c->memory, &c->pending, &c->pending_capacity, rows, size, error));
    MO_TRY(mo_reserve(c->memory, &c->histogram, &c->histogram_capacity, histogram, size, error));
    return mo_reserve(c->memory, &c->offset, &c->offset_capacity, 3 * (rows + MO_WIDE),
                      sizeof(float), error);
}

mote_status mo_cells_sort(mo_cells *cells, const mo_cell_frame *frame, int64_t most, int64_t rows,
                          const double *x, mo_pool *pool, mote_error *error)
{
    int64_t cell_count = mo_cell_frame_cells(frame), blocks = (rows + SORT_GRAIN - 1) / SORT_GRAIN;
    int64_t wanted = rows / BUCKET_ROWS < BUCKETS_MAX ? rows / BUCKET_ROWS + 1 : BUCKETS_MAX;
    sorting s = {cells, frame, x, rows, cell_count, 0, 0};
    while (((cell_count - 1) >> s.shift) + 1 > wanted) {
        s.shift++;
    }
    s.buckets = ((cell_count - 1) >> s.shift) + 1;
    cells->rows = 0;
    MO_TRY(reserve(cells, rows, most, blocks * BUCKETS_MAX, error));
    cells->stride = rows + MO_WIDE;
    cells->x = x;
    cells->start[0] = 0;
    if (rows == 0) {
        memset(cells->start, 0, (size_t)(cell_count + 1) * sizeof *cells->start);
        return MOTE_OK;
    }
    mo_parallel_for(pool, rows, SORT_GRAIN, find_cells, &s);
    add_up(&s);
    mo_parallel_for(pool, rows, SORT_GRAIN, fill_buckets, &s);
    mo_parallel_for(pool, s.buckets, 1, sort_buckets, &s);
    cells->rows = rows;
    return MOTE_OK;
}
