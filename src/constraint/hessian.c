#include "constraint/hessian.h"

#include "constraint/set.h"

#include <string.h>

void mo_hessian_clear(mo_hessian h)
{
    memset(h, 0, sizeof(mo_hessian));
}

void mo_hessian_balance(mo_hessian h, int nodes)
{
    for (int k = 0; k < 3; ++k) {
        for (int b = 3; b < 3 * nodes; ++b) {
            h[k][b] = mo_d4_set(0);
            for (int n = 1; n < nodes; ++n) {
                h[k][b] -= h[3 * n + k][b];
            }
        }
    }
    for (int a = 0; a < 3 * nodes; ++a) {
        for (int k = 0; k < 3; ++k) {
            h[a][k] = mo_d4_set(0);
            for (int n = 1; n < nodes; ++n) {
                h[a][k] -= h[a][3 * n + k];
            }
        }
    }
}

/* sum over j of d[a][3 j + l] q_mj: the derivative by component l of node m + 1 */
static mo_d4 by_node(const double *shape, const mo_d4 row[9], int m, int l)
{
    return row[l] * mo_d4_load(shape + MO_LANES * (3 * m)) +
           row[3 + l] * mo_d4_load(shape + MO_LANES * (3 * m + 1)) +
           row[6 + l] * mo_d4_load(shape + MO_LANES * (3 * m + 2));
}

void mo_hessian_of_columns(const double *shape, mo_d4 d[9][9], mo_hessian h)
{
    mo_d4 half[9][9]; /* by columns, and by nodes */
    for (int a = 0; a < 9; ++a) {
        for (int m = 0; m < 3; ++m) {
            for (int l = 0; l < 3; ++l) {
                half[3 * m + l][a] = by_node(shape, d[a], m, l);
            }
        }
    }
    for (int b = 0; b < 9; ++b) {
        for (int n = 0; n < 3; ++n) {
            for (int k = 0; k < 3; ++k) {
                h[3 * (n + 1) + k][3 + b] = by_node(shape, half[b], n, k);
            }
        }
    }
    mo_hessian_balance(h, 4);
}

void mo_hessian_add_triple(mo_d4 s, const mo_d4 v[3][3], mo_d4 *d, int width, int first)
{
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3; /* v_i . (dv_j x v_k) */
        for (int a = 0; a < 3; ++a) {
            int b = (a + 1) % 3, c = (a + 2) % 3; /* e_a . (e_b x e_c) = 1 */
            mo_d4 up = s * v[k][c], down = s * v[k][b];
            d[(first + 3 * i + a) * width + first + 3 * j + b] += up;
            d[(first + 3 * i + a) * width + first + 3 * j + c] -= down;
            d[(first + 3 * j + b) * width + first + 3 * i + a] += up;
            d[(first + 3 * j + c) * width + first + 3 * i + a] -= down;
        }
    }
}
