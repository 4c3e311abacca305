/* Symbolic analysis: ordering, structure of L, update lists. */
#include "linear/panel.h"
#include "linear/supernodal.h"

#include <string.h>

void mo_supernodal_release(mo_supernodal *f)
{
    void *const blocks[] = {f->order,       f->inverse_order, f->column, f->index_start, f->index,
                            f->value_start, f->update_start,  f->update, f->relative,    f->target,
                            f->task,        f->top,           f->value,  f->scratch};
    for (size_t k = 0; f->memory && k < sizeof blocks / sizeof *blocks; ++k) {
        mo_release(f->memory, blocks[k]);
    }
    *f = (mo_supernodal){0};
}

#if defined(MOTE_CHOLMOD)
#include <cholmod.h>

/* Limits of relaxed supernode amalgamation, in columns of particles (three each), where CHOLMOD's
 * own 4, 16 and 48 are for scalar columns. The fraction of zeros is left to CHOLMOD. */
static void set_up(cholmod_common *common)
{
    static const size_t COLUMNS[3] = {4, 8, 16};
    cholmod_start(common);
    common->print = 0;
    common->nmethods = 1;
    common->method[0].ordering = CHOLMOD_GIVEN;
    common->postorder = 1;
    common->supernodal = CHOLMOD_SUPERNODAL;
    memcpy(common->nrelax, COLUMNS, sizeof COLUMNS);
}

static mote_status complain(const cholmod_common *common, mote_error *error)
{
    return common->status == CHOLMOD_OUT_OF_MEMORY
               ? mo_fail(error, MOTE_ERROR_MEMORY,
                         "cholesky: out of memory during the factorisation; use cg")
               : mo_fail(error, MOTE_ERROR_NUMERIC, "cholesky: CHOLMOD failed with status %d",
                         common->status);
}

/* The graph of the particles: the upper half by rows is, by symmetry, the lower half by columns. */
static cholmod_sparse *graph_of(const mo_block_matrix *m, cholmod_common *common)
{
    int64_t count = 0;
    for (int64_t i = 0; i < m->rows; ++i) {
        count += m->start[i + 1] - m->diagonal[i];
    }
    cholmod_sparse *g = cholmod_allocate_sparse((size_t)m->rows, (size_t)m->rows, (size_t)count, 1,
                                                1, -1, CHOLMOD_PATTERN, common);
    int *start = g ? g->p : NULL, *row = g ? g->i : NULL, at = 0;
    for (int64_t i = 0; g && i < m->rows; ++i) {
        start[i] = at;
        for (int64_t slot = m->diagonal[i]; slot < m->start[i + 1]; ++slot) {
            row[at++] = m->column[slot];
        }
        start[i + 1] = at;
    }
    return g;
}

static mote_status make(mo_supernodal *f, int64_t count, size_t size, void *pointer,
                        mote_error *error)
{
    void *block;
    MO_TRY(mo_allocate_array(f->memory, count, size, &block, error));
    memcpy(pointer, &block, sizeof block);
    return MOTE_OK;
}

/* Order, columns and rows from CHOLMOD's factor. */
static mote_status take_structure(mo_supernodal *f, const cholmod_factor *from, mote_error *error)
{
    const int *perm = from->Perm, *super = from->super, *pi = from->pi, *s = from->s;
    f->count = (int32_t)from->nsuper;
    MO_TRY(make(f, f->rows, sizeof *f->order, &f->order, error));
    MO_TRY(make(f, f->rows, sizeof *f->inverse_order, &f->inverse_order, error));
    MO_TRY(make(f, f->count + 1, sizeof *f->column, &f->column, error));
    MO_TRY(make(f, f->count + 1, sizeof *f->index_start, &f->index_start, error));
    MO_TRY(make(f, f->count + 1, sizeof *f->value_start, &f->value_start, error));
    MO_TRY(make(f, pi[f->count], sizeof *f->index, &f->index, error));
    for (int64_t k = 0; k < f->rows; ++k) {
        f->order[k] = perm[k];
        f->inverse_order[perm[k]] = (int32_t)k;
    }
    for (int32_t k = 0; k <= f->count; ++k) {
        f->column[k] = super[k];
        f->index_start[k] = pi[k];
    }
    memcpy(f->index, s, (size_t)pi[f->count] * sizeof *f->index);
    for (int32_t k = 0; k < f->count; ++k) {
        int64_t panels = (f->width * mo_supernodal_rows(f, k) + MO_PANEL_ROWS - 1) / MO_PANEL_ROWS;
        f->value_start[k + 1] =
            f->value_start[k] + panels * MO_PANEL_ROWS * mo_supernodal_stored(f, k);
    }
    return MOTE_OK;
}

static mote_status find_structure(mo_supernodal *f, const mo_block_matrix *matrix,
                                  mote_error *error)
{
    cholmod_common common;
    set_up(&common);
    cholmod_sparse *graph = graph_of(matrix, &common);
    int *order = cholmod_malloc((size_t)matrix->rows + 1, sizeof(int), &common);
    cholmod_factor *factor = NULL;
    if (graph && order && cholmod_metis(graph, NULL, 0, 1, order, &common)) {
        factor = cholmod_analyze_p(graph, order, NULL, 0, &common);
    }
    mote_status status = factor ? take_structure(f, factor, error) : complain(&common, error);
    cholmod_free((size_t)matrix->rows + 1, sizeof(int), order, &common);
    cholmod_free_sparse(&graph, &common);
    cholmod_free_factor(&factor, &common);
    cholmod_finish(&common);
    return status;
}

/* ---- updates ---- */

/* A future update: the rows [first, last) of supernode `from`, which are columns of supernode
 * `to`. */
typedef struct group {
    int32_t from, to, first, last;
} group;

static bool next_group(const mo_supernodal *f, const int32_t *owner, group *g)
{
    const int32_t *index = f->index + f->index_start[g->from];
    int32_t rows = (int32_t)mo_supernodal_rows(f, g->from);
    g->first = g->last;
    if (g->first >= rows) {
        return false;
    }
    g->to = owner[index[g->first]];
    while (g->last < rows && owner[index[g->last]] == g->to) {
        g->last++;
    }
    return true;
}

static group groups_of(const mo_supernodal *f, int32_t from)
{
    int32_t own = (int32_t)mo_supernodal_columns(f, from);
    return (group){.from = from, .first = own, .last = own};
}

/* Multiplications of an update. */
static double update_work(const mo_supernodal *f, const group *g)
{
    double width = f->width;
    return width * width * width * (double)mo_supernodal_columns(f, g->from) *
           (g->last - g->first) * (double)(mo_supernodal_rows(f, g->from) - g->first);
}

/* Multiplications of the dense factorisation of a supernode. */
static double own_work(const mo_supernodal *f, int32_t s)
{
    double columns = f->width * (double)mo_supernodal_columns(f, s),
           rows = f->width * (double)mo_supernodal_rows(f, s);
    return columns * columns * (rows / 2 - columns / 3);
}

static mote_status list_updates(mo_supernodal *f, const int32_t *owner, double *work,
                                mote_error *error)
{
    int64_t relatives = 0;
    MO_TRY(make(f, f->count + 2, sizeof *f->update_start, &f->update_start, error));
    for (int32_t s = 0; s < f->count; ++s) {
        work[s] += own_work(f, s);
        for (group g = groups_of(f, s); next_group(f, owner, &g);) {
            f->update_start[g.to + 2]++;
            work[g.to] += update_work(f, &g);
        }
    }
    for (int32_t s = 0; s < f->count; ++s) {
        f->update_start[s + 2] += f->update_start[s + 1];
    }
    MO_TRY(make(f, f->update_start[f->count + 1], sizeof *f->update, &f->update, error));
    for (int32_t s = 0; s < f->count; ++s) {
        for (group g = groups_of(f, s); next_group(f, owner, &g);) {
            f->update[f->update_start[g.to + 1]++] = (mo_supernodal_update){
                .from = s, .first = g.first, .last = g.last, .relative = relatives};
            relatives += mo_supernodal_rows(f, s) - g.first;
        }
    }
    return make(f, relatives, sizeof *f->relative, &f->relative, error);
}

/* Relative indices of the descendants of supernode s: local[row] is the index of each of its
 * rows. */
static void find_relatives(mo_supernodal *f, int32_t s, const int32_t *local)
{
    for (int64_t k = f->update_start[s]; k < f->update_start[s + 1]; ++k) {
        const mo_supernodal_update *u = &f->update[k];
        const int32_t *index = f->index + f->index_start[u->from];
        for (int64_t row = u->first; row < mo_supernodal_rows(f, u->from); ++row) {
            f->relative[u->relative + row - u->first] = local[index[row]];
        }
    }
}

static void find_targets(mo_supernodal *f, const mo_block_matrix *m, int32_t s,
                         const int32_t *local)
{
    int64_t size = MO_PANEL_ROWS * mo_supernodal_stored(f, s), each = MO_PANEL_ROWS / f->width;
    for (int32_t column = f->column[s]; column < f->column[s + 1]; ++column) {
        int32_t row = f->order[column];
        for (int64_t slot = m->start[row]; slot < m->start[row + 1]; ++slot) {
            int32_t rank = f->inverse_order[m->column[slot]], at = rank < column ? 0 : local[rank];
            f->target[slot] =
                rank < column ? -1
                              : f->value_start[s] + at / each * size +
                                    MO_PANEL_ROWS * f->width * (int64_t)(column - f->column[s]) +
                                    f->width * (at % each);
        }
    }
}

static mote_status connect(mo_supernodal *f, const mo_block_matrix *m, int32_t *scratch,
                           double *work, mote_error *error)
{
    for (int32_t s = 0; s < f->count; ++s) {
        for (int32_t column = f->column[s]; column < f->column[s + 1]; ++column) {
            scratch[column] = s;
        }
    }
    MO_TRY(list_updates(f, scratch, work, error));
    MO_TRY(make(f, m->blocks, sizeof *f->target, &f->target, error));
    for (int32_t s = 0; s < f->count; ++s) {
        for (int64_t k = f->index_start[s]; k < f->index_start[s + 1]; ++k) {
            scratch[f->index[k]] = (int32_t)(k - f->index_start[s]);
        }
        find_relatives(f, s, scratch);
        find_targets(f, m, s, scratch);
    }
    return MOTE_OK;
}

/* ---- subtrees ---- */

/* Subtrees of at most this fraction of the work run in parallel. */
static const double TASK = 1.0 / 16, LEAST = 1e6;

/* The supernode of the first row below; -1 if there is none. Supernodes come in postorder: a
 * subtree is a range that ends with its root. */
static int32_t parent_of(const mo_supernodal *f, int32_t s, const int32_t *owner)
{
    int64_t own = mo_supernodal_columns(f, s);
    return own < mo_supernodal_rows(f, s) ? owner[f->index[f->index_start[s] + own]] : -1;
}

static mote_status cut_tree(mo_supernodal *f, int32_t *owner, double *work, mote_error *error)
{
    double limit;
    int32_t begin = 0;
    MO_TRY(make(f, 2 * (int64_t)f->count, sizeof *f->task, &f->task, error));
    MO_TRY(make(f, f->count, sizeof *f->top, &f->top, error));
    for (int32_t s = 0; s < f->count; ++s) {
        f->work += work[s];
        for (int32_t column = f->column[s]; column < f->column[s + 1]; ++column) {
            owner[column] = s;
        }
    }
    limit = TASK * f->work > LEAST ? TASK * f->work : LEAST;
    for (int32_t s = 0; s < f->count; ++s) { /* from here on the work of subtrees */
        int32_t parent = parent_of(f, s, owner);
        if (parent >= 0) {
            work[parent] += work[s];
        }
    }
    for (int32_t s = 0; s < f->count; ++s) {
        int32_t parent = parent_of(f, s, owner);
        if (work[s] > limit) {
            f->top[f->top_count++] = s;
            begin = s + 1;
        } else if (parent < 0 || work[parent] > limit) {
            f->task[2 * f->task_count] = begin;
            f->task[2 * f->task_count++ + 1] = begin = s + 1;
        }
    }
    return MOTE_OK;
}

static mote_status analyse(mo_memory *memory, const mo_block_matrix *matrix, int width,
                           mo_supernodal *f, mote_error *error)
{
    int32_t *scratch = NULL;
    double *work = NULL;
    mo_supernodal_release(f);
    f->memory = memory;
    f->rows = matrix->rows;
    f->width = width;
    mote_status status = find_structure(f, matrix, error);
    status = status == MOTE_OK ? make(f, f->rows, sizeof *scratch, &scratch, error) : status;
    status = status == MOTE_OK ? make(f, f->count, sizeof *work, &work, error) : status;
    status = status == MOTE_OK ? connect(f, matrix, scratch, work, error) : status;
    status = status == MOTE_OK ? cut_tree(f, scratch, work, error) : status;
    status = status == MOTE_OK
                 ? make(f, f->value_start[f->count], sizeof *f->value, &f->value, error)
                 : status;
    status = status == MOTE_OK
                 ? make(f, 4 * width * f->rows + 4, sizeof *f->scratch, &f->scratch, error)
                 : status;
    mo_release(memory, scratch);
    mo_release(memory, work);
    if (status != MOTE_OK) {
        mo_supernodal_release(f);
    }
    return status;
}

#else

static mote_status analyse(mo_memory *memory, const mo_block_matrix *matrix, int width,
                           mo_supernodal *f, mote_error *error)
{
    (void)memory, (void)matrix, (void)width, (void)f;
    return mo_fail(
        error, MOTE_ERROR_INPUT,
        "cholesky: this library was built without CHOLMOD (Debian: libsuitesparse-dev; then build "
        "again); allowed here: cg, jacobi, gauss_seidel");
}

#endif

mote_status mo_supernodal_analyse(mo_memory *memory, const mo_block_matrix *matrix,
                                  mo_supernodal *factor, mote_error *error)
{
    return analyse(memory, matrix, 3, factor, error);
}

mote_status mo_supernodal_analyse_scalar(mo_memory *memory, const mo_block_matrix *pattern,
                                         mo_supernodal *factor, mote_error *error)
{
    return analyse(memory, pattern, 1, factor, error);
}
