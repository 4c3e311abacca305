#include "linear/supernodal.h"

#include "linear/panel.h"

/* Panels per block of parallel work within one supernode; pivots below PIVOT of the diagonal are
 * rounding. */
enum { PANEL_GRAIN = 8 };
static const double PIVOT = 1e-14;

typedef struct run {
    mo_supernodal *f;
    const mo_block_matrix *matrix;
    mo_pool *pool;
} run;

typedef struct supernode {
    int32_t number;
    int64_t columns, rows;    /* of particles */
    int64_t panels, diagonal; /* the first `diagonal` panels have the rows of the columns */
    int64_t size;             /* values per panel */
    double *value;
} supernode;

static supernode supernode_of(const mo_supernodal *f, int32_t s)
{
    int64_t columns = mo_supernodal_columns(f, s), rows = mo_supernodal_rows(f, s);
    return (supernode){.number = s,
                       .columns = columns,
                       .rows = rows,
                       .panels = (rows + MO_PANEL_PARTICLES - 1) / MO_PANEL_PARTICLES,
                       .diagonal = (columns + MO_PANEL_PARTICLES - 1) / MO_PANEL_PARTICLES,
                       .size = 3 * columns * MO_PANEL_ROWS,
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
            if (f->target[slot] >= 0) {
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
        apply_update(f, s, &f->update[k], low, high);
    }
}

/* ---- the dense factorisation ---- */

static int width_of(const supernode *s, int64_t block)
{
    int64_t left = 3 * s->columns - MO_PANEL_ROWS * block;
    return (int)(left < MO_PANEL_ROWS ? left : MO_PANEL_ROWS);
}

/* Lower bounds of the pivots of a block of columns. */
static void find_least(const run *c, const supernode *s, int64_t block, double least[MO_PANEL_ROWS])
{
    for (int k = 0; k < width_of(s, block); ++k) {
        int64_t number = MO_PANEL_ROWS * block + k;
        int64_t row = c->f->order[c->f->column[s->number] + number / 3];
        double own = c->matrix->value[9 * c->matrix->diagonal[row] + 4 * (number % 3)];
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
    return wrong < 0 ? -1
                     : 3 * (int64_t)c->f->order[c->f->column[s->number] + number / 3] + number % 3;
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
                int64_t place = 3 * (int64_t)c->f->place[failed / 3] + failed % 3;
                *partial = fmax(*partial, (double)(3 * c->f->rows - place));
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
    update_rows(d->run->f, &d->s, MO_PANEL_PARTICLES * first, MO_PANEL_PARTICLES * last);
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

mote_status mo_supernodal_factorise(mo_supernodal *factor, const mo_block_matrix *matrix,
                                    mo_pool *pool, int64_t *failed, mote_error *error)
{
    run c = {factor, matrix, pool};
    double behind = 0;
    MO_TRY(mo_parallel_reduce(pool, factor->task_count, 1, MO_MAX, 1, factor_tasks, &c, &behind,
                              error));
    if (behind > 0) {
        int64_t place = 3 * factor->rows - (int64_t)behind;
        *failed = 3 * (int64_t)factor->order[place / 3] + place % 3;
        return MOTE_OK;
    }
    *failed = -1;
    for (int32_t k = 0; k < factor->top_count && *failed < 0; ++k) {
        *failed = factor_together(&c, factor->top[k]);
    }
    return MOTE_OK;
}
