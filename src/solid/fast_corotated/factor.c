/* The constant matrix A = M (1 + h alpha) + (h^2 + h beta) K of the stretch part, and its factor.
 */
#include "solid/fast_corotated/fast_corotated.h"

#include <math.h>
#include <string.h>

double mo_fast_corotated_h(double h)
{
    int exponent;
    double mantissa = frexp(h, &exponent);
    return ldexp(rint(ldexp(mantissa, 32)), exponent - 32);
}

static mote_status lay_out(mo_fast_corotated *fast, int64_t rows, mote_error *error)
{
    const mo_element_table *t = &fast->fem.tables[MO_FEM_TETRAHEDRA];
    mo_block_pattern_clear(&fast->pattern, rows);
    MO_TRY(mo_element_table_couple(t, fast->memory, &fast->pattern, error));
    MO_TRY(mo_block_matrix_build(fast->memory, &fast->pattern, &fast->matrix, error));
    MO_TRY(mo_reserve(fast->memory, &fast->value, &fast->value_capacity, fast->matrix.blocks,
                      sizeof *fast->value, error));
    MO_TRY(mo_reserve(fast->memory, &fast->factor_mass, &fast->mass_capacity, rows,
                      sizeof *fast->factor_mass, error));
    MO_TRY(mo_reserve(fast->memory, &fast->diagonal, &fast->diagonal_capacity, rows,
                      sizeof *fast->diagonal, error));
    MO_TRY(mo_supernodal_analyse_scalar(fast->memory, &fast->matrix, &fast->factor, error));
    fast->analysed = true;
    fast->factored = false;
    return MOTE_OK;
}

/* The effective masses M (1 + h alpha); returns whether they differ from those of the factor. */
static bool find_masses(mo_fast_corotated *fast, const mo_fast_corotated_step *step, double h)
{
    bool changed = !fast->factored || fast->factor_h != h;
    for (int64_t b = 0; b < fast->body_count; ++b) {
        const mo_fast_corotated_body *body = &fast->bodies[b];
        for (int64_t row = body->first; row < body->first + body->count; ++row) {
            double m = step->inverse_mass[row] > 0 ? step->mass[row] * (1 + h * body->damping) : 0;
            changed = changed || m != fast->factor_mass[row];
            fast->factor_mass[row] = m;
        }
    }
    return changed;
}

/* Adds an element of stiffness c g_a . g_b. Rows and columns of fixed nodes are left out. */
static void add_element(mo_fast_corotated *fast, const int32_t node[4], double c, double trace,
                        const double g[12])
{
    for (int a = 0; a < 4; ++a) {
        if (fast->factor_mass[node[a]] == 0) {
            continue;
        }
        const double *u = g + 3 * a;
        fast->diagonal[node[a]] += trace / 3 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
        for (int b = 0; b < 4; ++b) {
            const double *w = g + 3 * b;
            if (fast->factor_mass[node[b]] > 0) {
                int64_t slot = mo_block_matrix_slot(&fast->matrix, node[a], node[b]);
                fast->value[slot] += c * (u[0] * w[0] + u[1] * w[1] + u[2] * w[2]);
            }
        }
    }
}

/* Each element once: from the block of its first node. */
static void add_run(mo_fast_corotated *fast, const mo_element_run *run, double h, int64_t first)
{
    const mo_element_table *t = &fast->fem.tables[MO_FEM_TETRAHEDRA];
    const mo_fem_group *group = &fast->fem.groups[run->group];
    double factor = h * (h + group->damping);
    for (int64_t e = 0; e < run->count; ++e) {
        int64_t batch = run->first + e / MO_LANES, lane = e % MO_LANES;
        int32_t node[4];
        double g[12] = {0}, volume = mo_element_number(t, batch, 0)[lane];
        for (int k = 0; k < 4; ++k) {
            node[k] = mo_element_nodes(t, batch, k)[lane];
        }
        for (int k = 1; k < 4; ++k) {
            for (int j = 0; j < 3; ++j) {
                g[3 * k + j] = mo_element_number(t, batch, 1 + 3 * (k - 1) + j)[lane];
                g[j] -= g[3 * k + j];
            }
        }
        if (node[0] >= first && node[0] < first + MO_FORCE_GRAIN) {
            add_element(fast, node, 2 * group->material.mu * volume * factor,
                        group->material.lambda * volume * factor, g);
        }
    }
}

static void assemble(mo_fast_corotated *fast, int64_t rows, double h)
{
    const mo_element_table *t = &fast->fem.tables[MO_FEM_TETRAHEDRA];
    memset(fast->value, 0, (size_t)fast->matrix.blocks * sizeof *fast->value);
    memcpy(fast->diagonal, fast->factor_mass, (size_t)rows * sizeof *fast->diagonal);
    for (int64_t row = 0; row < rows; ++row) {
        double m = fast->factor_mass[row];
        fast->value[fast->matrix.diagonal[row]] = m > 0 ? m : 1;
    }
    for (int64_t block = 0; block < t->block_count; ++block) {
        for (int64_t n = t->block_runs[block]; n < t->block_runs[block + 1]; ++n) {
            add_run(fast, &t->runs[n], h, block * MO_FORCE_GRAIN);
        }
    }
    for (int64_t row = 0; row < rows; ++row) {
        fast->diagonal[row] = fast->diagonal[row] > 0 ? 1 / fast->diagonal[row] : 0;
    }
}

mote_status mo_fast_corotated_factor(mo_fast_corotated *fast, const mo_fast_corotated_step *step,
                                     mote_error *error)
{
    double h = mo_fast_corotated_h(step->h);
    int64_t failed;
    if (!fast->analysed || fast->matrix.rows != step->rows) {
        MO_TRY(lay_out(fast, step->rows, error));
    }
    fast->count.factorisations = 0;
    if (!find_masses(fast, step, h)) {
        return MOTE_OK;
    }
    assemble(fast, step->rows, h);
    MO_TRY(mo_supernodal_factorise_scalar(&fast->factor, &fast->matrix, fast->value, step->pool,
                                          &failed, error));
    fast->factored = failed < 0;
    fast->factor_h = h;
    fast->count.factorisations = 1;
    return failed < 0 ? MOTE_OK
                      : mo_fail(error, MOTE_ERROR_NUMERIC,
                                "fast_corotated: the stretch matrix is not positive definite at "
                                "row %lld: a mass is too small, or the step of %g s too long, for "
                                "double precision",
                                (long long)failed, step->h);
}
