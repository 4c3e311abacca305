#include "linear/block_matrix.h"

#include <stdlib.h>
#include <string.h>

void mo_block_matrix_release(mo_memory *memory, mo_block_matrix *matrix)
{
    mo_release(memory, matrix->start);
    mo_release(memory, matrix->diagonal);
    mo_release(memory, matrix->column);
    mo_release(memory, matrix->value);
    *matrix = (mo_block_matrix){0};
}

/* Reserves the rows and slots, duplicates included. */
static mote_status reserve(mo_memory *memory, int64_t rows, int64_t slots, mo_block_matrix *m,
                           mote_error *error)
{
    if (rows + 2 > m->row_capacity) {
        void *start, *diagonal;
        mo_release(memory, m->start);
        mo_release(memory, m->diagonal);
        m->start = m->diagonal = NULL;
        m->row_capacity = 0;
        MO_TRY(mo_allocate_array(memory, rows + 2, sizeof(int64_t), &start, error));
        m->start = start;
        MO_TRY(mo_allocate_array(memory, rows + 2, sizeof(int64_t), &diagonal, error));
        m->diagonal = diagonal;
        m->row_capacity = rows + 2;
    }
    if (slots > m->slot_capacity || !m->value) { /* also without rows: the padding block */
        void *column, *value;
        int64_t capacity =
            slots + slots / 4; /* margin, since the number of neighbours fluctuates */
        mo_release(memory, m->column);
        mo_release(memory, m->value);
        m->column = NULL;
        m->value = NULL;
        m->slot_capacity = 0;
        MO_TRY(mo_allocate_array(memory, capacity, sizeof(int32_t), &column, error));
        m->column = column;
        MO_TRY(mo_allocate_array(memory, capacity + 1, 9 * sizeof(double), &value, error));
        m->value = value;
        m->slot_capacity = capacity;
    }
    return MOTE_OK;
}

/* Counting sort of the pairs in both directions, and the diagonal; with duplicates. */
static void sort_into_rows(const mo_block_pattern *p, mo_block_matrix *m)
{
    int64_t *fill = m->start + 1;
    memset(m->start, 0, (size_t)(p->rows + 2) * sizeof *m->start);
    for (int64_t i = 0; i < p->rows; ++i) {
        fill[i + 1] = 1;
    }
    for (int64_t k = 0; k < p->count; ++k) {
        fill[p->pairs[2 * k] + 1]++;
        fill[p->pairs[2 * k + 1] + 1]++;
    }
    for (int64_t i = 0; i < p->rows; ++i) {
        fill[i + 1] += fill[i];
    }
    for (int64_t i = 0; i < p->rows; ++i) {
        m->column[fill[i]++] = (int32_t)i;
    }
    for (int64_t k = 0; k < p->count; ++k) {
        int32_t i = p->pairs[2 * k], j = p->pairs[2 * k + 1];
        m->column[fill[i]++] = j;
        m->column[fill[j]++] = i;
    }
}

static int compare_columns(const void *a, const void *b)
{
    int32_t p = *(const int32_t *)a, q = *(const int32_t *)b;
    return (p > q) - (p < q);
}

/* Removes the duplicates of row i and sorts the rest; returns its number. A node occurs once for
 * each element that it shares, so most entries are duplicates; marking is cheaper than sorting
 * them. mark[column]: the last row with this column. */
static int64_t tidy_row(int64_t i, int32_t *column, int64_t count, int64_t *mark)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < count; ++k) {
        int32_t j = column[k];
        column[kept] = j;
        kept += mark[j] != i;
        mark[j] = i;
    }
    if (kept > 32) {
        qsort(column, (size_t)kept, sizeof *column, compare_columns);
        return kept;
    }
    for (int64_t k = 1; k < kept; ++k) {
        int32_t moved = column[k];
        int64_t at = k;
        for (; at > 0 && column[at - 1] > moved; --at) {
            column[at] = column[at - 1];
        }
        column[at] = moved;
    }
    return kept;
}

mote_status mo_block_matrix_build(mo_memory *memory, const mo_block_pattern *pattern,
                                  mo_block_matrix *matrix, mote_error *error)
{
    if (2 * pattern->count + pattern->rows > INT32_MAX) {
        return mo_fail(error, MOTE_ERROR_USAGE,
                       "a matrix has at most %d blocks, but %lld pairs of %lld rows are coupled",
                       INT32_MAX, (long long)pattern->count, (long long)pattern->rows);
    }
    MO_TRY(reserve(memory, pattern->rows, 2 * pattern->count + pattern->rows, matrix, error));
    sort_into_rows(pattern, matrix);
    int64_t at = 0, *mark = matrix->diagonal; /* set to its own content below */
    for (int64_t i = 0; i < pattern->rows; ++i) {
        mark[i] = -1;
    }
    for (int64_t i = 0; i < pattern->rows; ++i) {
        int64_t from = matrix->start[i], count = matrix->start[i + 1] - from;
        int64_t kept = tidy_row(i, matrix->column + from, count, mark);
        memmove(matrix->column + at, matrix->column + from, (size_t)kept * sizeof *matrix->column);
        matrix->start[i] = at;
        at += kept;
    }
    matrix->start[pattern->rows] = at;
    matrix->rows = pattern->rows;
    matrix->blocks = at;
    memset(matrix->value, 0, (size_t)(at + 1) * 9 * sizeof(double));
    for (int64_t i = 0; i < pattern->rows; ++i) {
        matrix->diagonal[i] = mo_block_matrix_slot(matrix, i, i);
    }
    return MOTE_OK;
}

int64_t mo_block_matrix_slot(const mo_block_matrix *matrix, int64_t i, int64_t j)
{
    int64_t low = matrix->start[i], high = matrix->start[i + 1];
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (matrix->column[middle] < j) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < matrix->start[i + 1] && matrix->column[low] == j ? low : -1;
}

void mo_block_matrix_rows(const mo_block_matrix *matrix, const double *p, double *y, int64_t first,
                          int64_t last)
{
    for (int64_t i = first; i < last; ++i) {
        mo_d4 sum = mo_block_matrix_row(matrix, p, i);
        y[3 * i] = sum[0];
        y[3 * i + 1] = sum[1];
        y[3 * i + 2] = sum[2];
    }
}

typedef struct product {
    const mo_block_matrix *matrix;
    const double *p;
    double *y;
} product;

static void multiply_range(void *context, int64_t first, int64_t last)
{
    const product *m = context;
    mo_block_matrix_rows(m->matrix, m->p, m->y, first, last);
}

void mo_block_matrix_multiply(const mo_block_matrix *matrix, mo_pool *pool, const double *p,
                              double *y)
{
    product m = {matrix, p, y};
    mo_parallel_for(pool, matrix->rows, MO_MATRIX_GRAIN, multiply_range, &m);
}
