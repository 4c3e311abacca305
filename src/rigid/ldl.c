/* Right-looking LDL^T by blocks of a body. */
#include "rigid/ldl.h"

#include <math.h>
#include <string.h>

void mo_rigid_pattern_release(mo_rigid_pattern *pattern)
{
    mo_release(pattern->memory, pattern->scratch);
    mo_release(pattern->memory, pattern->row);
}

/* ---- analysis ---- */

/* Adjacency lists of the bodies. */
static void list_neighbours(int32_t count, const int32_t *pair, int64_t edges, int32_t *first,
                            int32_t *neighbour)
{
    memset(first, 0, (size_t)(count + 2) * sizeof *first);
    for (int64_t k = 0; k < 2 * edges; ++k) {
        ++first[pair[k] + 2];
    }
    for (int32_t i = 0; i < count; ++i) {
        first[i + 2] += first[i + 1];
    }
    for (int64_t k = 0; k < 2 * edges; ++k) {
        neighbour[first[pair[k] + 1]++] = pair[k ^ 1];
    }
}

/* Reversed breadth-first order; inverse_order[] marks visited bodies. */
static void find_order(int32_t count, const int32_t *first, const int32_t *neighbour,
                       int32_t *order, int32_t *inverse_order)
{
    int32_t found = 0;
    memset(inverse_order, 0xff, (size_t)count * sizeof *inverse_order);
    for (int32_t root = 0; root < count; ++root) {
        if (inverse_order[root] >= 0) {
            continue;
        }
        int32_t next = found;
        order[found] = root;
        inverse_order[root] = count - 1 - found++;
        for (; next < found; ++next) {
            for (int32_t k = first[order[next]]; k < first[order[next] + 1]; ++k) {
                int32_t other = neighbour[k];
                if (inverse_order[other] < 0) {
                    order[found] = other;
                    inverse_order[other] = count - 1 - found++;
                }
            }
        }
    }
}

static void sort(int32_t *list, int64_t count)
{
    for (int64_t k = 1; k < count; ++k) {
        int32_t item = list[k];
        int64_t at = k;
        for (; at > 0 && list[at - 1] > item; --at) {
            list[at] = list[at - 1];
        }
        list[at] = item;
    }
}

/* Adds the rows behind column k of a list to its pattern, once each. */
static void add_rows(mo_rigid_pattern *p, int32_t k, const int32_t *list, int64_t count,
                     int32_t *mark)
{
    for (int64_t i = 0; i < count; ++i) {
        if (list[i] > k && mark[list[i]] != k) {
            mark[list[i]] = k;
            p->row[p->rows++] = list[i];
        }
    }
}

mote_status mo_rigid_ldl_analyse(mo_rigid_pattern *pattern, int32_t count, const int32_t *pair,
                                 int64_t edges, int64_t most, int32_t *inverse_order,
                                 int64_t *start, int64_t *work, mote_error *error)
{
    /* first, adjacency by position, order, marks, children as linked lists */
    int64_t need = (count + 2) + 2 * edges + 4 * (int64_t)count;
    mote_status status = mo_reserve(pattern->memory, &pattern->scratch, &pattern->scratch_capacity,
                                    need, sizeof(int32_t), error);
    if (status) {
        return status;
    }
    int32_t *first = pattern->scratch, *neighbour = first + count + 2;
    int32_t *order = neighbour + 2 * edges, *mark = order + count;
    int32_t *child = mark + count, *sibling = child + count;
    list_neighbours(count, pair, edges, first, neighbour);
    find_order(count, first, neighbour, order, inverse_order);
    for (int64_t k = 0; k < 2 * edges; ++k) {
        neighbour[k] = inverse_order[neighbour[k]];
    }
    memset(mark, 0xff, 3 * (size_t)count * sizeof *mark);
    *work = 0;
    start[0] = pattern->rows;
    for (int32_t k = 0; k < count && *work <= most; ++k) {
        status = mo_reserve(pattern->memory, &pattern->row, &pattern->row_capacity,
                            pattern->rows + count, sizeof(int32_t), error);
        if (status) {
            return status;
        }
        int32_t body = order[count - 1 - k];
        add_rows(pattern, k, neighbour + first[body], first[body + 1] - first[body], mark);
        for (int32_t c = child[k]; c >= 0; c = sibling[c]) {
            add_rows(pattern, k, pattern->row + start[c], start[c + 1] - start[c], mark);
        }
        int64_t size = pattern->rows - start[k];
        sort(pattern->row + start[k], size);
        start[k + 1] = pattern->rows;
        *work += 1 + size + size * (size + 1) / 2;
        if (size > 0) {
            int32_t parent = pattern->row[start[k]];
            sibling[k] = child[parent];
            child[parent] = k;
        }
    }
    return MOTE_OK;
}

int64_t mo_rigid_ldl_find(const mo_rigid_ldl *ldl, int32_t first, int32_t second, bool *transposed)
{
    int32_t i = ldl->inverse_order[first], j = ldl->inverse_order[second];
    *transposed = i < j;
    int32_t column = i < j ? i : j, row = i < j ? j : i;
    int64_t low = ldl->start[column], high = ldl->start[column + 1];
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (ldl->row[middle] < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* ---- numbers ---- */

/* c -= a b^T */
static void subtract_product(const double *restrict a, const double *restrict b, double *restrict c)
{
    double t[MO_LDL_BLOCK];
    for (int i = 0; i < MO_LDL; ++i) {
        for (int j = 0; j < MO_LDL; ++j) {
            t[MO_LDL * j + i] = b[MO_LDL * i + j];
        }
    }
    for (int i = 0; i < MO_LDL; ++i) {
        double row[MO_LDL];
        memcpy(row, c + MO_LDL * i, sizeof row);
        for (int k = 0; k < MO_LDL; ++k) {
            for (int j = 0; j < MO_LDL; ++j) {
                row[j] -= a[MO_LDL * i + k] * t[MO_LDL * k + j];
            }
        }
        memcpy(c + MO_LDL * i, row, sizeof row);
    }
}

/* c = a b with a symmetric b */
static void product(const double *restrict a, const double *restrict b, double *restrict c)
{
    for (int i = 0; i < MO_LDL; ++i) {
        double row[MO_LDL] = {0};
        for (int k = 0; k < MO_LDL; ++k) {
            for (int j = 0; j < MO_LDL; ++j) {
                row[j] += a[MO_LDL * i + k] * b[MO_LDL * k + j];
            }
        }
        memcpy(c + MO_LDL * i, row, sizeof row);
    }
}

/* The inverse of a symmetric positive definite block: Cholesky factor, its inverse, product. A
 * pivot lost to rounding counts as rigid: its direction does not move. */
static void invert(double *a)
{
    double l[MO_LDL][MO_LDL] = {{0}}, m[MO_LDL][MO_LDL] = {{0}};
    for (int j = 0; j < MO_LDL; ++j) {
        double pivot = a[MO_LDL * j + j], floor = 1e-14 * pivot;
        for (int k = 0; k < j; ++k) {
            pivot -= l[j][k] * l[j][k];
        }
        l[j][j] = 1 / sqrt(pivot > floor ? pivot : floor);
        for (int i = j + 1; i < MO_LDL; ++i) {
            double sum = a[MO_LDL * i + j];
            for (int k = 0; k < j; ++k) {
                sum -= l[i][k] * l[j][k];
            }
            l[i][j] = sum * l[j][j];
        }
    }
    for (int j = 0; j < MO_LDL; ++j) {
        m[j][j] = l[j][j];
        for (int i = j + 1; i < MO_LDL; ++i) {
            double sum = 0;
            for (int k = j; k < i; ++k) {
                sum -= l[i][k] * m[k][j];
            }
            m[i][j] = sum * l[i][i];
        }
    }
    for (int i = 0; i < MO_LDL; ++i) {
        for (int j = 0; j <= i; ++j) {
            double sum = 0;
            for (int k = i; k < MO_LDL; ++k) {
                sum += m[k][i] * m[k][j];
            }
            a[MO_LDL * i + j] = a[MO_LDL * j + i] = sum;
        }
    }
}

/* Subtracts the products of column k from the columns behind it. `scaled` is L D of one block. */
static void update(mo_rigid_ldl *ldl, int32_t k)
{
    for (int64_t j = ldl->start[k]; j < ldl->start[k + 1]; ++j) {
        int32_t column = ldl->row[j];
        double scaled[MO_LDL_BLOCK], *block = ldl->value + MO_LDL_BLOCK * j;
        memcpy(scaled, block, sizeof scaled);
        product(scaled, ldl->diagonal + MO_LDL_BLOCK * (int64_t)k, block);
        subtract_product(block, scaled, ldl->diagonal + MO_LDL_BLOCK * (int64_t)column);
        int64_t target = ldl->start[column];
        for (int64_t i = j + 1; i < ldl->start[k + 1]; ++i) {
            while (ldl->row[target] < ldl->row[i]) {
                ++target;
            }
            /* block i is still A: A_ik D^-1 A_jk^T = A_ik L_jk^T */
            subtract_product(ldl->value + MO_LDL_BLOCK * i, block,
                             ldl->value + MO_LDL_BLOCK * target);
        }
    }
}

void mo_rigid_ldl_factorise(mo_rigid_ldl *ldl)
{
    for (int32_t k = 0; k < ldl->count; ++k) {
        invert(ldl->diagonal + MO_LDL_BLOCK * (int64_t)k);
        update(ldl, k);
    }
}

static void subtract_apply(const double *a, const double *x, double *y)
{
    for (int i = 0; i < MO_LDL; ++i) {
        for (int j = 0; j < MO_LDL; ++j) {
            y[i] -= a[MO_LDL * i + j] * x[j];
        }
    }
}

static void subtract_apply_transposed(const double *a, const double *x, double *y)
{
    for (int i = 0; i < MO_LDL; ++i) {
        for (int j = 0; j < MO_LDL; ++j) {
            y[j] -= a[MO_LDL * i + j] * x[i];
        }
    }
}

void mo_rigid_ldl_solve(const mo_rigid_ldl *ldl, double *x, double *work)
{
    for (int32_t body = 0; body < ldl->count; ++body) {
        memcpy(work + MO_LDL * ldl->inverse_order[body], x + MO_LDL * body, MO_LDL * sizeof *x);
    }
    for (int32_t k = 0; k < ldl->count; ++k) {
        for (int64_t b = ldl->start[k]; b < ldl->start[k + 1]; ++b) {
            subtract_apply(ldl->value + MO_LDL_BLOCK * b, work + MO_LDL * k,
                           work + MO_LDL * ldl->row[b]);
        }
    }
    for (int32_t k = ldl->count - 1; k >= 0; --k) {
        double y[MO_LDL] = {0};
        subtract_apply(ldl->diagonal + MO_LDL_BLOCK * (int64_t)k, work + MO_LDL * k, y);
        for (int i = 0; i < MO_LDL; ++i) {
            y[i] = -y[i];
        }
        for (int64_t b = ldl->start[k]; b < ldl->start[k + 1]; ++b) {
            subtract_apply_transposed(ldl->value + MO_LDL_BLOCK * b, work + MO_LDL * ldl->row[b],
                                      y);
        }
        memcpy(work + MO_LDL * k, y, sizeof y);
    }
    for (int32_t body = 0; body < ldl->count; ++body) {
        memcpy(x + MO_LDL * body, work + MO_LDL * ldl->inverse_order[body], MO_LDL * sizeof *x);
    }
}
