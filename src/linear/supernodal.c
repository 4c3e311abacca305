#include "linear/supernodal.h"

#include "linear/panel.h"

/* Panels per block of parallel work within one supernode; pivots below PIVOT of the diagonal are
 * rounding. */
enum { PANEL_GRAIN = 8 };
static const double PIVOT = 1e-14;

typedef struct run {
    mo_supernodal *f;
    const mo_block_matrix *matrix;
    const double *scalar; /* values of a scalar matrix */
    mo_pool *pool;
} run;

typedef struct supernode {
    int32_t number;
    int width;                /* scalar rows of a particle */
    int64_t columns, rows;    /* of particles */
    int64_t panels, diagonal; /* the first `diagonal` panels have the rows of the columns */
    int64_t size;             /* values per panel */
    double *value;
} supernode;

static supernode supernode_of(const mo_supernodal *f, int32_t s)
{
    int64_t columns = mo_supernodal_columns(f, s), rows = mo_supernodal_rows(f, s);
    return (supernode){.number = s,
                       .width = f->width,
                       .columns = columns,
                       .rows = rows,
                       .panels = (f->width * rows + MO_PANEL_ROWS - 1) / MO_PANEL_ROWS,
                       .diagonal = (f->width * columns + MO_PANEL_ROWS - 1) / MO_PANEL_ROWS,
                       .size = mo_supernodal_stored(f, s) * MO_PANEL_ROWS,
                       .value = f->value + f->value_start[s]};
}

/* ---- assembly ---- */

static void copy_block(const double *block, double *to)
{
    for (int c = 0; c < 3; ++c) {
        for (int r = 0; r < 3; ++r) {
            to[MO_PANEL_ROWS * c + r] = block[3 * r + c];
        }
    }
}

/* The supernode's columns of A, which by symmetry are its rows: so blocks are copied transposed. */
static void assemble(const run *c, const supernode *s)
{
    const mo_supernodal *f = c->f;
    const mo_block_matrix *m = c->matrix;
    memset(s->value, 0, (size_t)(s->panels * s->size) * sizeof *s->value);
    for (int32_t k = f->column[s->number]; k < f->column[s->number + 1]; ++k) {
        int64_t row = f->order[k];
        for (int64_t slot = m->start[row]; slot < m->start[row + 1]; ++slot) {
            if (f->target[slot] >= 0 && c->scalar) {
                f->value[f->target[slot]] = c->scalar[slot];
            } else if (f->target[slot] >= 0) {
                copy_block(m->value + 9 * slot, f->value + f->target[slot]);
            }
        }
    }
}

/* ---- updates ---- */

/* The first k of [from, to) with relative[k] >= row; `to` if there is none. */
static int64_t find_row(const int32_t *relative, int64_t from, int64_t to, int64_t row)
{
    while (from < to) {
        int64_t middle = from + (to - from) / 2;
        if (relative[middle] < row) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}

/* Target rows of a panel: `rows` from `first` map to the particles relative[0 .. rows). */
typedef struct landing {
    int first, rows;
    bool whole; /* to a complete panel */
    const int32_t *relative;
} landing;

static landing landing_of(const int32_t *relative, int64_t panel, int64_t from, int64_t to)
{
    int64_t low = MO_PANEL_PARTICLES * panel, high = low + MO_PANEL_PARTICLES;
    low = low > from ? low : from;
    high = high < to ? high : to;
    landing l = {(int)(low - MO_PANEL_PARTICLES * panel), (int)(high - low), false, relative + low};
    l.whole = l.rows == MO_PANEL_PARTICLES && l.relative[0] % MO_PANEL_PARTICLES == 0 &&
              l.relative[3] == l.relative[0] + 3;
    return l;
}

/* Subtracts the tile from three columns from `column` on. */
MO_INLINE void subtract_tile(const supernode *s, const landing *l, int64_t column,
                             const mo_d4 tile[9])
{
    double *base = s->value + MO_PANEL_ROWS * column;
    if (l->whole) {
        double *to = base + l->relative[0] / MO_PANEL_PARTICLES * s->size;
        for (int k = 0; k < 9; ++k) {
            mo_d4_store(to + 4 * k, mo_d4_load(to + 4 * k) - tile[k]);
        }
        return;
    }
    double numbers[36];
    memcpy(numbers, tile, sizeof numbers);
    for (int k = 0; k < l->rows; ++k) {
        int32_t row = l->relative[k];
        double *to = base + row / MO_PANEL_PARTICLES * s->size + 3 * (row % MO_PANEL_PARTICLES);
        const double *from = numbers + 3 * (l->first + k);
        for (int c = 0; c < 3; ++c, to += MO_PANEL_ROWS, from += MO_PANEL_ROWS) {
            to[0] -= from[0];
            to[1] -= from[1];
            to[2] -= from[2];
        }
    }
}

/* The same of a scalar matrix: the columns of the rows [j, j + count) of the descendant, at most
 * three, from the tile of its rows j - j % 3 to j - j % 3 + 2. */
static void subtract_scalars(const mo_supernodal *f, const supernode *s, const supernode *d,
                             const mo_supernodal_update *u, int64_t panel, int64_t from, int64_t to,
                             int64_t j, int64_t count)
{
    const int32_t *relative = f->relative + u->relative - u->first;
    const int32_t *index = f->index + f->index_start[d->number];
    int64_t first = j - j % 3, low = MO_PANEL_ROWS * panel, high = low + MO_PANEL_ROWS;
    double tile[36];
    mo_d4 sums[9];
    mo_panel_product(d->columns, d->value + panel * d->size,
                     d->value + first / MO_PANEL_ROWS * d->size + first % MO_PANEL_ROWS, sums);
    memcpy(tile, sums, sizeof tile);
    for (int64_t c = j; c < j + count; ++c) {
        double *column = s->value + MO_PANEL_ROWS * (int64_t)(index[c] - f->column[s->number]);
        const double *sum = tile + MO_PANEL_ROWS * (c - first) - low;
        for (int64_t r = low > from ? low : from; r < (high < to ? high : to); ++r) {
            column[relative[r] / MO_PANEL_ROWS * s->size + relative[r] % MO_PANEL_ROWS] -= sum[r];
        }
    }
}

static void apply_scalar_update(const mo_supernodal *f, const supernode *s,
                                const mo_supernodal_update *u, int64_t low, int64_t high)
{
    supernode d = supernode_of(f, u->from);
    const int32_t *relative = f->relative + u->relative - u->first;
    int64_t from = find_row(relative, u->first, d.rows, low),
            to = find_row(relative, from, d.rows, high);
    for (int64_t panel = from / MO_PANEL_ROWS; MO_PANEL_ROWS * panel < to; ++panel) {
        int64_t behind = MO_PANEL_ROWS * (panel + 1);
        behind = behind < u->last ? behind : u->last;
        for (int64_t j = u->first; j < behind;) {
            int64_t end = j - j % 3 + 3;
            end = end < behind ? end : behind;
            subtract_scalars(f, s, &d, u, panel, from, to, j, end - j);
            j = end;
        }
    }
}

/* The update of the rows [low, high) by one descendant supernode. */
static void apply_update(const mo_supernodal *f, const supernode *s, const mo_supernodal_update *u,
                         int64_t low, int64_t high)
{
    supernode d = supernode_of(f, u->from);
    const int32_t *relative = f->relative + u->relative - u->first;
    const int32_t *index = f->index + f->index_start[u->from];
    int64_t from = find_row(relative, u->first, d.rows, low),
            to = find_row(relative, from, d.rows, high);
    for (int64_t panel = from / MO_PANEL_PARTICLES; MO_PANEL_PARTICLES * panel < to; ++panel) {
        landing l = landing_of(relative, panel, from, to);
        int64_t behind = MO_PANEL_PARTICLES * (panel + 1); /* entries above the diagonal are
                                                            * ignored */
        for (int64_t j = u->first; j < u->last && j < behind; ++j) {
            mo_d4 tile[9];
            mo_panel_product(
                3 * d.columns, d.value + panel * d.size,
                d.value + j / MO_PANEL_PARTICLES * d.size + 3 * (j % MO_PANEL_PARTICLES), tile);
            subtract_tile(s, &l, 3 * (int64_t)(index[j] - f->column[s->number]), tile);
        }
    }
}

static void update_rows(const mo_supernodal *f, const supernode *s, int64_t low, int64_t high)
{
    for (int64_t k = f->update_start[s->number]; k < f->update_start[s->number + 1]; ++k) {
        (f->width == 1 ? apply_scalar_update : apply_update)(f, s, &f->update[k], low, high);
    }
}

/* ---- the dense factorisation ---- */

static int width_of(const supernode *s, int64_t block)
{
    int64_t left = s->width * s->columns - MO_PANEL_ROWS * block;
    return (int)(left < MO_PANEL_ROWS ? left : MO_PANEL_ROWS);
}

/* Lower bounds of the pivots of a block of columns. */
static void find_least(const run *c, const supernode *s, int64_t block, double least[MO_PANEL_ROWS])
{
    for (int k = 0; k < width_of(s, block); ++k) {
        int64_t number = MO_PANEL_ROWS * block + k;
        int64_t row = c->f->order[c->f->column[s->number] + number / s->width];
        int64_t slot = c->matrix->diagonal[row];
        double own = c->scalar ? c->scalar[slot] : c->matrix->value[9 * slot + 4 * (number % 3)];
        least[k] = own > 0 ? PIVOT * own : 0;
    }
}

/* Updates a panel after panel `block`, in the columns of that block, whose diagonal panel is
 * factored. */
static void finish_panel(const supernode *s, int64_t panel, int64_t block)
{
    double *value = s->value + panel * s->size;
    const double *diagonal = s->value + block * s->size;
    mo_panel_reduce(value, diagonal, MO_PANEL_ROWS * block, width_of(s, block));
    mo_panel_divide(value, diagonal, MO_PANEL_ROWS * block, width_of(s, block));
}

/* Returns the column of the matrix without a pivot, or -1. */
static int64_t factor_block(const run *c, const supernode *s, int64_t block)
{
    double *diagonal = s->value + block * s->size, least[MO_PANEL_ROWS];
    int64_t first = MO_PANEL_ROWS * block;
    int width = width_of(s, block);
    find_least(c, s, block, least);
    mo_panel_reduce(diagonal, diagonal, first, width);
    int wrong = mo_panel_factor(diagonal, first, width, least);
    int64_t number = first + wrong;
    int w = s->width;
    return wrong < 0 ? -1
                     : w * (int64_t)c->f->order[c->f->column[s->number] + number / w] + number % w;
}

/* ---- subtrees ---- */

static int64_t factor_supernode(const run *c, int32_t number)
{
    supernode s = supernode_of(c->f, number);
    assemble(c, &s);
    update_rows(c->f, &s, 0, s.rows);
    for (int64_t block = 0; block < s.diagonal; ++block) {
        int64_t failed = factor_block(c, &s, block);
        if (failed >= 0) {
            return failed;
        }
        for (int64_t panel = block + 1; panel < s.panels; ++panel) {
            finish_panel(&s, panel, block);
        }
    }
    return -1;
}

/* partial: the first position in the elimination order without a pivot in a subtree, counted
 * backwards from the end, so that the maximum is the first of all and 0 is none; independent of
 * timing. */
static void factor_tasks(void *context, int64_t first, int64_t last, double *partial)
{
    const run *c = context;
    *partial = 0;
    for (int64_t k = first; k < last; ++k) {
        for (int32_t s = c->f->task[2 * k]; s < c->f->task[2 * k + 1]; ++s) {
            int64_t failed = factor_supernode(c, s);
            if (failed >= 0) {
                int64_t w = c->f->width, at = w * c->f->inverse_order[failed / w] + failed % w;
                *partial = fmax(*partial, (double)(w * c->f->rows - at));
                break;
            }
        }
    }
}

/* ---- above them ---- */

typedef struct dense {
    const run *run;
    supernode s;
    int64_t block; /* of columns */
} dense;

static void update_range(void *context, int64_t first, int64_t last)
{
    const dense *d = context;
    int64_t each = MO_PANEL_ROWS / d->s.width;
    update_rows(d->run->f, &d->s, each * first, each * last);
}

/* The panels of the diagonal rows after the block's: required by the next block. */
static void finish_range(void *context, int64_t first, int64_t last)
{
    const dense *d = context;
    for (int64_t k = first; k < last; ++k) {
        finish_panel(&d->s, d->block + 1 + k, d->block);
    }
}

/* The panels below the diagonal rows: they are independent, so each processes all blocks at
 * once. */
static void finish_below(void *context, int64_t first, int64_t last)
{
    const dense *d = context;
    for (int64_t k = first; k < last; ++k) {
        for (int64_t block = 0; block < d->s.diagonal; ++block) {
            finish_panel(&d->s, d->s.diagonal + k, block);
        }
    }
}

static int64_t factor_together(const run *c, int32_t number)
{
    dense d = {c, supernode_of(c->f, number), 0};
    assemble(c, &d.s);
    mo_parallel_for(c->pool, d.s.panels, PANEL_GRAIN, update_range, &d);
    for (; d.block < d.s.diagonal; ++d.block) {
        int64_t failed = factor_block(c, &d.s, d.block);
        if (failed >= 0) {
            return failed;
        }
        mo_parallel_for(c->pool, d.s.diagonal - d.block - 1, PANEL_GRAIN, finish_range, &d);
    }
    mo_parallel_for(c->pool, d.s.panels - d.s.diagonal, PANEL_GRAIN, finish_below, &d);
    return -1;
}

static mote_status factorise(run c, int64_t *failed, mote_error *error)
{
    mo_supernodal *factor = c.f;
    mo_pool *pool = c.pool;
    int64_t w = factor->width;
    double behind = 0;
    MO_TRY(mo_parallel_reduce(pool, factor->task_count, 1, MO_MAX, 1, factor_tasks, &c, &behind,
                              error));
    if (behind > 0) {
        int64_t at = w * factor->rows - (int64_t)behind;
        *failed = w * factor->order[at / w] + at % w;
        return MOTE_OK;
    }
    *failed = -1;
    for (int32_t k = 0; k < factor->top_count && *failed < 0; ++k) {
        *failed = factor_together(&c, factor->top[k]);
    }
    return MOTE_OK;
}

mote_status mo_supernodal_factorise(mo_supernodal *factor, const mo_block_matrix *matrix,
                                    mo_pool *pool, int64_t *failed, mote_error *error)
{
    return factorise((run){factor, matrix, NULL, pool}, failed, error);
}

mote_status mo_supernodal_factorise_scalar(mo_supernodal *factor, const mo_block_matrix *pattern,
                                           const double *value, mo_pool *pool, int64_t *failed,
                                           mote_error *error)
{
    return factorise((run){factor, pattern, value, pool}, failed, error);
}
