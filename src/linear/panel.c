#include "linear/panel.h"

void mo_panel_reduce(double *panel, const double *other, int64_t first, int width)
{
    for (int c = 0; c < width; c += 3) {
        double *to = panel + MO_PANEL_ROWS * (first + c);
        mo_d4 tile[9];
        mo_panel_product(first, panel, other + c, tile);
        for (int k = 0; k < 9; ++k) {
            mo_d4_store(to + 4 * k, mo_d4_load(to + 4 * k) - tile[k]);
        }
    }
}

/* Subtracts from column c the previous columns times row c of the factor, which starts at `row`. */
MO_INLINE void subtract_columns(const double *column, const double *row, int c, mo_d4 x[3])
{
    for (int j = 0; j < c; ++j) {
        const double *y = column + MO_PANEL_ROWS * j;
        mo_d4 factor = mo_d4_set(-row[MO_PANEL_ROWS * j]);
        for (int v = 0; v < 3; ++v) {
            x[v] = mo_d4_multiply_add_roughly(mo_d4_load(y + 4 * v), factor, x[v]);
        }
    }
}

int mo_panel_factor(double *panel, int64_t first, int width, const double *least)
{
    double *column = panel + MO_PANEL_ROWS * first;
    for (int c = 0; c < width; ++c) {
        double *own = column + MO_PANEL_ROWS * c;
        mo_d4 x[3] = {mo_d4_load(own), mo_d4_load(own + 4), mo_d4_load(own + 8)};
        subtract_columns(column, column + c, c, x);
        for (int v = 0; v < 3; ++v) {
            mo_d4_store(own + 4 * v, x[v]);
        }
        if (!(own[c] > least[c])) {
            return c;
        }
        double root = sqrt(own[c]), inverse = 1 / root;
        for (int r = 0; r < MO_PANEL_ROWS; ++r) {
            own[r] = r < c ? 0 : own[r] * inverse;
        }
        own[c] = root;
    }
    return -1;
}

void mo_panel_divide(double *panel, const double *diagonal, int64_t first, int width)
{
    double *column = panel + MO_PANEL_ROWS * first;
    const double *factor = diagonal + MO_PANEL_ROWS * first;
    for (int c = 0; c < width; ++c) {
        double *own = column + MO_PANEL_ROWS * c, inverse = 1 / factor[MO_PANEL_ROWS * c + c];
        mo_d4 x[3] = {mo_d4_load(own), mo_d4_load(own + 4), mo_d4_load(own + 8)};
        subtract_columns(column, factor + c, c, x);
        for (int v = 0; v < 3; ++v) {
            mo_d4_store(own + 4 * v, x[v] * inverse);
        }
    }
}
