/*
 * Gauss-Seidel iteration by rows of blocks, x_i += omega A_ii^-1 (b - A x)_i, each row with the
 * latest x of the others (Y. Saad 2003, section 4.1; omega other than 1 is successive
 * over-relaxation). It converges for every positive definite matrix.
 *
 * Rows are coloured greedily, in ascending order, so that coupled rows have different colours; a
 * sweep processes colour by colour, the rows of a colour in parallel. The order depends on the
 * pattern alone, so results are bitwise identical on any number of threads. Sweeps alternate in
 * direction (symmetric Gauss-Seidel).
 */
#include "linear/solver/solver.h"
#include "math/wide.h"

#include <string.h>

typedef struct gauss_seidel {
    double omega;
    mo_linear_limits limits;
} gauss_seidel;

static const mo_param PARAMS[] = {
    {"omega", MO_REAL, MO_FIELD(gauss_seidel, omega), .initial = "1", .range = "(0, 2)",
     .doc = "Relaxation factor: 1 is Gauss-Seidel, above 1 successive over-relaxation."},
    MO_LINEAR_LIMITS(gauss_seidel, "1e-4", "sweeps", "; tested after every fourth sweep", ""),
    {0}};

enum { CHECK_EVERY = 4, COLOR_GRAIN = 128 };

typedef struct state {
    mo_linear_scratch scratch;
    uint64_t pattern;
    int64_t colors, row_capacity, start_capacity;
    int32_t *color, *rows; /* of each row; the rows sorted by colour */
    int64_t *start;        /* color c has rows[start[c]] ... */
} state;

typedef struct pass {
    const mo_linear_system *system;
    const double *inverse;
    const int32_t *rows; /* of one color */
    double omega;
} pass;

static mote_status gauss_seidel_open(mo_memory *memory, void **out, mote_error *error)
{
    *out = mo_allocate(memory, sizeof(state));
    return *out ? MOTE_OK : mo_fail_memory(error, sizeof(state));
}

static void gauss_seidel_close(void *given, mo_memory *memory)
{
    state *s = given;
    mo_linear_scratch_release(memory, &s->scratch);
    mo_release(memory, s->color);
    mo_release(memory, s->rows);
    mo_release(memory, s->start);
    mo_release(memory, s);
}

/* The smallest colour not used by an earlier neighbour; `seen` has for each colour the last row
 * that used it. */
static int32_t color_of(const mo_block_matrix *m, const int32_t *color, int64_t i, int64_t *seen)
{
    int32_t free_color = 0;
    for (int64_t slot = m->start[i]; slot < m->start[i + 1] && m->column[slot] < i; ++slot) {
        seen[color[m->column[slot]]] = i;
    }
    while (seen[free_color] == i) {
        ++free_color;
    }
    return free_color;
}

static mote_status reserve(state *s, const mo_linear_system *system, mote_error *error)
{
    int64_t rows = system->matrix->rows, capacity = s->row_capacity;
    void *color = s->color, *sorted = s->rows, *start = s->start;
    mote_status status =
        mo_grow(system->memory, &color, &capacity, rows + 1, sizeof(int32_t), error);
    s->color = color;
    MO_TRY(status);
    status = mo_grow(system->memory, &sorted, &s->row_capacity, rows + 1, sizeof(int32_t), error);
    s->rows = sorted;
    MO_TRY(status);
    /* a row has at most as many colours as neighbours, and all together at most as many as rows */
    status = mo_grow(system->memory, &start, &s->start_capacity, rows + 3, sizeof(int64_t), error);
    s->start = start;
    return status;
}

static mote_status paint(state *s, const mo_linear_system *system, mote_error *error)
{
    const mo_block_matrix *m = system->matrix;
    MO_TRY(reserve(s, system, error));
    s->colors = 0;
    for (int64_t k = 0; k < m->rows + 3; ++k) {
        s->start[k] = -1; /* used as `seen` first */
    }
    for (int64_t i = 0; i < m->rows; ++i) {
        s->color[i] = color_of(m, s->color, i, s->start);
        s->colors = s->color[i] + 1 > s->colors ? s->color[i] + 1 : s->colors;
    }
    memset(s->start, 0, (size_t)(s->colors + 2) * sizeof *s->start);
    int64_t *fill = s->start + 1;
    for (int64_t i = 0; i < m->rows; ++i) {
        fill[s->color[i] + 1]++;
    }
    for (int64_t c = 0; c < s->colors; ++c) {
        fill[c + 1] += fill[c];
    }
    for (int64_t i = 0; i < m->rows; ++i) {
        s->rows[fill[s->color[i]]++] = (int32_t)i;
    }
    s->pattern = system->pattern;
    return MOTE_OK;
}

static void sweep_range(void *context, int64_t first, int64_t last)
{
    const pass *c = context;
    const mo_block_matrix *m = c->system->matrix;
    double *x = c->system->x;
    for (int64_t k = first; k < last; ++k) {
        int64_t row = c->rows[k];
        mo_d4 ax = mo_block_matrix_row(m, x, row);
        const double *b = c->system->b + 3 * row;
        const double r[3] = {b[0] - ax[0], b[1] - ax[1], b[2] - ax[2]};
        const double *d = c->inverse + 9 * row;
        mo_d4 sum = (mo_d4_load(d) * r[0] + mo_d4_load(d + 3) * r[1]) + mo_d4_load(d + 6) * r[2];
        for (int j = 0; j < 3; ++j) {
            x[3 * row + j] += c->omega * sum[j];
        }
    }
}

static void sweep(const state *s, pass *c, bool forwards)
{
    for (int64_t k = 0; k < s->colors; ++k) {
        int64_t color = forwards ? k : s->colors - 1 - k;
        c->rows = s->rows + s->start[color];
        mo_parallel_for(c->system->pool, s->start[color + 1] - s->start[color], COLOR_GRAIN,
                        sweep_range, c);
    }
}

static mote_status gauss_seidel_solve(void *given, const void *params,
                                      const mo_linear_system *system, mo_linear_result *result,
                                      mote_error *error)
{
    const gauss_seidel *own = params;
    const mo_linear_limits *limits = &own->limits;
    state *s = given;
    double *r, squares[2];
    mo_linear_system now = *system;
    MO_TRY(mo_linear_begin(system, &s->scratch, 1, &r, error));
    if (!s->color || s->pattern != system->pattern) {
        MO_TRY(paint(s, system, error));
    }
    pass c = {.system = system, .inverse = s->scratch.inverse, .omega = own->omega};
    for (;;) {
        MO_TRY(mo_linear_residual(&now, r, squares, error));
        int64_t left = limits->iterations - result->iterations;
        if (squares[0] <= mo_linear_enough(limits, squares) || left == 0) {
            break;
        }
        int64_t turns = limits->fixed ? left : left < CHECK_EVERY ? left : CHECK_EVERY;
        for (int64_t k = 0; k < turns; ++k) {
            sweep(s, &c, (result->iterations + k) % 2 == 0);
        }
        now.from_zero = false;
        result->iterations += turns;
    }
    mo_linear_finish(limits, squares, result);
    return MOTE_OK;
}

const mo_linear_type mo_linear_gauss_seidel = {
    .base =
        {.name = "gauss_seidel",
         .summary = "Block Gauss-Seidel iteration, parallel by graph colouring.",
         .citation =
             "Y. Saad, Iterative Methods for Sparse Linear Systems, 2003, sections 4.1 and 12.4",
         .capabilities = MO_PORTABLE,
         .param_size = sizeof(gauss_seidel),
         .params = PARAMS},
    .open = gauss_seidel_open,
    .close = gauss_seidel_close,
    .solve = gauss_seidel_solve,
};
