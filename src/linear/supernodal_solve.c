/*
 * Forward and backward substitution, for one right-hand side or four at once: a solve is bound by
 * reading the factor twice, so four cost little more than one. Single-threaded, for the same
 * reason.
 */
#include "linear/panel.h"
#include "linear/supernodal.h"

enum { ROWS = MO_PANEL_ROWS, TOGETHER = 4 };

typedef struct supernode {
    /* columns, rows: scalar; size: values per panel */
    int64_t columns, rows, panels, size;
    int width;
    const double *value;
    const int32_t *index;
    int64_t first; /* the scalar index of its first column */
} supernode;

static supernode supernode_of(const mo_supernodal *f, int32_t s)
{
    int64_t columns = f->width * mo_supernodal_columns(f, s),
            rows = f->width * mo_supernodal_rows(f, s);
    return (supernode){.columns = columns,
                       .rows = rows,
                       .panels = (rows + ROWS - 1) / ROWS,
                       .size = mo_supernodal_stored(f, s) * ROWS,
                       .width = f->width,
                       .value = f->value + f->value_start[s],
                       .index = f->index + f->index_start[s],
                       .first = f->width * (int64_t)f->column[s]};
}

/* The number of rows of a panel within the supernode's columns. */
static int own_rows(const supernode *s, int64_t panel)
{
    int64_t own = s->columns - ROWS * panel;
    return own < 0 ? 0 : (int)(own < ROWS ? own : ROWS);
}

static int row_count(const supernode *s, int64_t panel)
{
    int64_t left = s->rows - ROWS * panel;
    return (int)(left < ROWS ? left : ROWS);
}

/* The scalar index of row `row` of a panel. */
static int64_t scalar_index(const supernode *s, int64_t panel, int row)
{
    return s->width == 1 ? s->index[ROWS * panel + row]
                         : 3 * (int64_t)s->index[MO_PANEL_PARTICLES * panel + row / 3] + row % 3;
}

/* ---- one right-hand side ---- */

/* t = the panel's columns [0, count) times x, with separate sums of even and odd columns */
static void multiply_one(const double *panel, int64_t count, const double *x, double t[ROWS])
{
    mo_d4 zero = mo_d4_set(0), s[6] = {zero, zero, zero, zero, zero, zero};
    int64_t k = 0;
    for (; k + 2 <= count; k += 2, panel += 2 * ROWS) {
        mo_d4 a = mo_d4_set(x[k]), b = mo_d4_set(x[k + 1]);
        for (int v = 0; v < 3; ++v) {
            s[v] = mo_d4_multiply_add_roughly(mo_d4_load(panel + 4 * v), a, s[v]);
            s[3 + v] = mo_d4_multiply_add_roughly(mo_d4_load(panel + ROWS + 4 * v), b, s[3 + v]);
        }
    }
    for (int v = 0; v < 3; ++v) {
        if (k < count) {
            s[v] = mo_d4_multiply_add_roughly(mo_d4_load(panel + 4 * v), mo_d4_set(x[k]), s[v]);
        }
        mo_d4_store(t + 4 * v, s[v] + s[3 + v]);
    }
}

/* x[k] -= column k of the panel times g, k < count */
static void subtract_dots_one(const double *panel, int64_t count, const double g[ROWS], double *x)
{
    mo_d4 u = mo_d4_load(g), v = mo_d4_load(g + 4), w = mo_d4_load(g + 8);
    int64_t k = 0;
    for (; k + 4 <= count; k += 4, panel += 4 * ROWS) {
        mo_d4 s[4], t[4];
        for (int c = 0; c < 4; ++c) {
            const double *column = panel + c * ROWS;
            s[c] = mo_d4_load(column) * u;
            s[c] = mo_d4_multiply_add_roughly(mo_d4_load(column + 4), v, s[c]);
            s[c] = mo_d4_multiply_add_roughly(mo_d4_load(column + 8), w, s[c]);
        }
        mo_d4_transpose(s[0], s[1], s[2], s[3], t);
        mo_d4_store(x + k, mo_d4_load(x + k) - ((t[0] + t[1]) + (t[2] + t[3])));
    }
    for (; k < count; ++k, panel += ROWS) {
        mo_d4 s = mo_d4_load(panel) * u;
        s = mo_d4_multiply_add_roughly(mo_d4_load(panel + 4), v, s);
        s = mo_d4_multiply_add_roughly(mo_d4_load(panel + 8), w, s);
        x[k] -= (s[0] + s[1]) + (s[2] + s[3]);
    }
}

static void forward_one(const supernode *s, double *y)
{
    double *x = y + s->first, t[ROWS];
    for (int64_t panel = 0; panel < s->panels; ++panel) {
        const double *value = s->value + panel * s->size;
        int own = own_rows(s, panel);
        int64_t before = own > 0 ? ROWS * panel : s->columns;
        multiply_one(value, before, x, t);
        for (int c = 0; c < own; ++c) {
            const double *column = value + ROWS * (before + c);
            double found = (x[before + c] - t[c]) / column[c];
            x[before + c] = found;
            for (int r = c + 1; r < ROWS; ++r) {
                t[r] += column[r] * found;
            }
        }
        for (int r = own; r < row_count(s, panel); ++r) {
            y[scalar_index(s, panel, r)] -= t[r];
        }
    }
}

static void backward_one(const supernode *s, double *y)
{
    double *x = y + s->first;
    for (int64_t panel = s->panels - 1; panel >= 0; --panel) {
        const double *value = s->value + panel * s->size;
        int own = own_rows(s, panel), rows = row_count(s, panel);
        double g[ROWS] = {0};
        for (int r = own; r < rows; ++r) {
            g[r] = y[scalar_index(s, panel, r)];
        }
        if (own < rows) {
            subtract_dots_one(value, s->columns, g, x);
        }
        int64_t before = ROWS * panel;
        memset(g, 0, sizeof g);
        for (int c = own - 1; c >= 0; --c) {
            const double *column = value + ROWS * (before + c);
            double left = x[before + c];
            for (int r = c + 1; r < own; ++r) {
                left -= column[r] * g[r];
            }
            g[c] = x[before + c] = left / column[c];
        }
        if (own > 0) {
            subtract_dots_one(value, before, g, x);
        }
    }
}

/* ---- four at once: y[4 * number + which] ---- */

static void multiply_four(const double *panel, int64_t count, const double *x, mo_d4 t[ROWS])
{
    mo_d4 s[ROWS];
    for (int r = 0; r < ROWS; ++r) {
        s[r] = mo_d4_set(0);
    }
    for (int64_t k = 0; k < count; ++k, panel += ROWS) {
        mo_d4 a = mo_d4_load(x + TOGETHER * k);
        for (int r = 0; r < ROWS; ++r) {
            s[r] = mo_d4_multiply_add_roughly(mo_d4_set(panel[r]), a, s[r]);
        }
    }
    memcpy(t, s, sizeof s);
}

/* The same for three right-hand sides, with rows in the lanes: fewer loads and no idle lane. */
static void multiply_three(const double *panel, int64_t count, const double *x, mo_d4 t[ROWS])
{
    mo_d4 zero = mo_d4_set(0), s[9] = {zero, zero, zero, zero, zero, zero, zero, zero, zero};
    for (int64_t k = 0; k < count; ++k, panel += ROWS) {
        for (int c = 0; c < 3; ++c) {
            mo_d4 a = mo_d4_set(x[TOGETHER * k + c]);
            for (int v = 0; v < 3; ++v) {
                s[3 * v + c] =
                    mo_d4_multiply_add_roughly(mo_d4_load(panel + 4 * v), a, s[3 * v + c]);
            }
        }
    }
    for (int v = 0; v < 3; ++v) {
        mo_d4_transpose(s[3 * v], s[3 * v + 1], s[3 * v + 2], zero, t + 4 * v);
    }
}

static void subtract_dots_four(const double *panel, int64_t count, const mo_d4 g[ROWS], double *x)
{
    for (int64_t k = 0; k < count; ++k, panel += ROWS) {
        mo_d4 s[3] = {mo_d4_set(0), mo_d4_set(0), mo_d4_set(0)};
        for (int r = 0; r < ROWS; ++r) {
            s[r % 3] = mo_d4_multiply_add_roughly(mo_d4_set(panel[r]), g[r], s[r % 3]);
        }
        mo_d4_store(x + TOGETHER * k, mo_d4_load(x + TOGETHER * k) - ((s[0] + s[1]) + s[2]));
    }
}

/* `three`: the last one is 0 and remains so. */
static void forward_four(const supernode *s, bool three, double *y)
{
    double *x = y + TOGETHER * s->first;
    for (int64_t panel = 0; panel < s->panels; ++panel) {
        const double *value = s->value + panel * s->size;
        int own = own_rows(s, panel);
        int64_t before = own > 0 ? ROWS * panel : s->columns;
        mo_d4 t[ROWS];
        (three ? multiply_three : multiply_four)(value, before, x, t);
        for (int c = 0; c < own; ++c) {
            const double *column = value + ROWS * (before + c);
            double *to = x + TOGETHER * (before + c);
            mo_d4 found = (mo_d4_load(to) - t[c]) / column[c];
            mo_d4_store(to, found);
            for (int r = c + 1; r < ROWS; ++r) {
                t[r] += column[r] * found;
            }
        }
        for (int r = own; r < row_count(s, panel); ++r) {
            double *to = y + TOGETHER * scalar_index(s, panel, r);
            mo_d4_store(to, mo_d4_load(to) - t[r]);
        }
    }
}

static void backward_four(const supernode *s, double *y)
{
    double *x = y + TOGETHER * s->first;
    for (int64_t panel = s->panels - 1; panel >= 0; --panel) {
        const double *value = s->value + panel * s->size;
        int own = own_rows(s, panel), rows = row_count(s, panel);
        mo_d4 g[ROWS];
        for (int r = 0; r < ROWS; ++r) {
            g[r] = r >= own && r < rows ? mo_d4_load(y + TOGETHER * scalar_index(s, panel, r))
                                        : mo_d4_set(0);
        }
        if (own < rows) {
            subtract_dots_four(value, s->columns, g, x);
        }
        int64_t before = ROWS * panel;
        for (int r = own; r < ROWS; ++r) {
            g[r] = mo_d4_set(0);
        }
        for (int c = own - 1; c >= 0; --c) {
            const double *column = value + ROWS * (before + c);
            double *to = x + TOGETHER * (before + c);
            mo_d4 left = mo_d4_load(to);
            for (int r = c + 1; r < own; ++r) {
                left -= column[r] * g[r];
            }
            g[c] = left / column[c];
            mo_d4_store(to, g[c]);
        }
        if (own > 0) {
            subtract_dots_four(value, before, g, x);
        }
    }
}

/* ---- all vectors ---- */

/* Permutes the vectors x, x + stride, ... to the elimination order, `width` interleaved; missing
 * ones are 0. */
static void gather(const mo_supernodal *f, const double *x, int width, int count, int64_t stride)
{
    for (int64_t k = 0; k < 3 * f->rows; ++k) {
        const double *from = x + 3 * (int64_t)f->order[k / 3] + k % 3;
        for (int j = 0; j < width; ++j) {
            f->scratch[width * k + j] = j < count ? from[j * stride] : 0;
        }
    }
}

static void give_back(const mo_supernodal *f, double *x, int width, int count, int64_t stride)
{
    for (int64_t k = 0; k < 3 * f->rows; ++k) {
        double *to = x + 3 * (int64_t)f->order[k / 3] + k % 3;
        for (int j = 0; j < count; ++j) {
            to[j * stride] = f->scratch[width * k + j];
        }
    }
}

void mo_supernodal_solve(const mo_supernodal *f, double *x, int count, int64_t stride)
{
    for (int done = 0; done < count; done += TOGETHER) {
        int now = count - done < TOGETHER ? count - done : TOGETHER,
            width = now == 1 ? 1 : TOGETHER;
        gather(f, x + done * stride, width, now, stride);
        for (int32_t k = 0; k < f->count; ++k) {
            supernode s = supernode_of(f, k);
            if (width == 1) {
                forward_one(&s, f->scratch);
            } else {
                forward_four(&s, false, f->scratch);
            }
        }
        for (int32_t k = f->count - 1; k >= 0; --k) {
            supernode s = supernode_of(f, k);
            (width == 1 ? backward_one : backward_four)(&s, f->scratch);
        }
        give_back(f, x + done * stride, width, now, stride);
    }
}

void mo_supernodal_solve_components(const mo_supernodal *f, double *x)
{
    for (int64_t k = 0; k < f->rows; ++k) {
        const double *from = x + 3 * (int64_t)f->order[k];
        mo_d4_store(f->scratch + TOGETHER * k, (mo_d4){from[0], from[1], from[2], 0});
    }
    for (int32_t k = 0; k < f->count; ++k) {
        supernode s = supernode_of(f, k);
        forward_four(&s, true, f->scratch);
    }
    for (int32_t k = f->count - 1; k >= 0; --k) {
        supernode s = supernode_of(f, k);
        backward_four(&s, f->scratch);
    }
    for (int64_t k = 0; k < f->rows; ++k) {
        memcpy(x + 3 * (int64_t)f->order[k], f->scratch + TOGETHER * k, 3 * sizeof(double));
    }
}
