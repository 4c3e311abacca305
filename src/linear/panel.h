/*
 * Dense kernels of a sparse factorisation, on panels.
 *
 * A dense matrix of rows that belong to particles, three each, is cut into panels of twelve rows
 * (four particles); a panel is column-major, twelve values per column: value[12 * column + row]. A
 * product of two panels streams through both without packing, and four particles are three
 * registers of four values: a tile of twelve rows and three columns is nine sums in registers, with
 * six loads for nine multiply-adds per column. Rows beyond the last are padding.
 *
 * Products use fused multiply-add where available (mo_d4_multiply_add_roughly). Each entry is
 * summed column by column, so it does not depend on the tiling.
 */
#ifndef MO_LINEAR_PANEL_H
#define MO_LINEAR_PANEL_H

#include "math/wide.h"

enum { MO_PANEL_ROWS = 12, MO_PANEL_PARTICLES = 4 };

/* tile[3 c + v][lane] = sum over k < count of a[12 k + 4 v + lane] b[12 k + c]: all of a's rows
 * times three of b's. */
MO_INLINE void mo_panel_product(int64_t count, const double *a, const double *b, mo_d4 tile[9])
{
    mo_d4 zero = mo_d4_set(0), s0 = zero, s1 = zero, s2 = zero, s3 = zero, s4 = zero, s5 = zero,
          s6 = zero;
    mo_d4 s7 = zero, s8 = zero;
    for (int64_t k = 0; k < count; ++k, a += MO_PANEL_ROWS, b += MO_PANEL_ROWS) {
        mo_d4 u = mo_d4_load(a), v = mo_d4_load(a + 4), w = mo_d4_load(a + 8);
        mo_d4 p = mo_d4_set(b[0]), q = mo_d4_set(b[1]), r = mo_d4_set(b[2]);
        s0 = mo_d4_multiply_add_roughly(u, p, s0);
        s1 = mo_d4_multiply_add_roughly(v, p, s1);
        s2 = mo_d4_multiply_add_roughly(w, p, s2);
        s3 = mo_d4_multiply_add_roughly(u, q, s3);
        s4 = mo_d4_multiply_add_roughly(v, q, s4);
        s5 = mo_d4_multiply_add_roughly(w, q, s5);
        s6 = mo_d4_multiply_add_roughly(u, r, s6);
        s7 = mo_d4_multiply_add_roughly(v, r, s7);
        s8 = mo_d4_multiply_add_roughly(w, r, s8);
    }
    const mo_d4 sums[9] = {s0, s1, s2, s3, s4, s5, s6, s7, s8};
    memcpy(tile, sums, sizeof sums);
}

/* Columns [first, first + width) of a panel minus the contribution of earlier columns: minus the
 * panel times the rows of `other` (the panel on the diagonal, width of its rows from the front)
 * over the columns [0, first). */
void mo_panel_reduce(double *panel, const double *other, int64_t first, int width);

/* The panel on the diagonal: factors its columns [first, first + width), whose diagonal is in
 * its rows 0, 1, ...; zeros above the diagonal. least[c]: lower bound of a pivot. Returns the
 * column whose pivot violates it, or -1. */
int mo_panel_factor(double *panel, int64_t first, int width, const double *least);

/* A panel below it: X := X L^-T with L of the panel on the diagonal. */
void mo_panel_divide(double *panel, const double *diagonal, int64_t first, int width);

#endif
