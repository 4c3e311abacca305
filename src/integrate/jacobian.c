#include "integrate/jacobian.h"

#include <string.h>

void mo_jacobian_release(mo_jacobian *jacobian)
{
    mo_block_pattern_release(jacobian->memory, &jacobian->pattern);
    mo_block_matrix_release(jacobian->memory, &jacobian->matrix);
    jacobian->laid_out = false;
}

unsigned mo_jacobian_parts(const mo_jacobian *jacobian)
{
    unsigned parts = 0;
    for (int k = 0; k < jacobian->force_count; ++k) {
        parts |= jacobian->forces[k].derivatives;
    }
    return parts;
}

bool mo_jacobian_is_mixed(const mo_jacobian *jacobian)
{
    bool mixed = jacobian->force_count > 0;
    for (int k = 0; k < jacobian->force_count; ++k) {
        unsigned parts = jacobian->forces[k].derivatives;
        mixed = mixed && (!(parts & MO_DF_DX) || (parts & MO_DF_MIXED));
    }
    return mixed;
}

static mote_status couple_forces(mo_jacobian *j, const mo_force_args *args, mote_error *error)
{
    for (int k = 0; k < j->force_count; ++k) {
        const mo_force *force = &j->forces[k];
        if (force->derivatives && force->type->jacobian->couple) {
            MO_TRY(force->type->jacobian->couple(force->instance, args, j->memory, &j->pattern,
                                                 error));
        }
    }
    return MOTE_OK;
}

mote_status mo_jacobian_lay_out(mo_jacobian *jacobian, const mo_force_args *args, uint64_t epoch,
                                bool diagonal, mote_error *error)
{
    mo_jacobian *j = jacobian;
    if (j->laid_out && j->epoch == epoch && j->diagonal == diagonal) {
        return MOTE_OK;
    }
    j->laid_out = false;
    mo_block_pattern_clear(&j->pattern, args->rows);
    if (!diagonal) {
        MO_TRY(couple_forces(j, args, error));
    }
    MO_TRY(mo_block_matrix_build(j->memory, &j->pattern, &j->matrix, error));
    for (int k = 0; k < j->force_count; ++k) {
        const mo_force *force = &j->forces[k];
        if (force->derivatives && force->type->jacobian->find_slots) {
            MO_TRY(force->type->jacobian->find_slots(force->instance, &j->matrix, error));
        }
    }
    j->laid_out = true;
    j->epoch = epoch;
    j->diagonal = diagonal;
    j->number++;
    return MOTE_OK;
}

typedef struct filling {
    mo_jacobian *jacobian;
    const mo_force_args *args;
    const mo_system_weights *weights;
} filling;

static void fill_range(void *context, int64_t first, int64_t last)
{
    const filling *c = context;
    mo_block_matrix *m = &c->jacobian->matrix;
    mo_jacobian_ask ask = {-1, -c->weights->damping, c->weights->definite, -c->weights->inertia};
    int64_t from = m->start[first], to = m->start[last];
    memset(m->value + 9 * from, 0, (size_t)(to - from) * 9 * sizeof(double));
    for (int64_t row = first; row < last; ++row) {
        double inertia = c->args->mass[row] * mo_row_inertia(c->weights, row);
        for (int k = 0; k < 3; ++k) {
            m->value[9 * m->diagonal[row] + 4 * k] = inertia;
        }
    }
    for (int k = 0; k < c->jacobian->force_count; ++k) {
        const mo_force *force = &c->jacobian->forces[k];
        if (force->derivatives) {
            force->type->jacobian->fill(force->instance, c->args, &ask, m, first, last);
        }
    }
}

void mo_jacobian_fill(mo_jacobian *jacobian, const mo_force_args *args,
                      const mo_system_weights *weights)
{
    filling c = {jacobian, args, weights};
    mo_parallel_for(jacobian->pool, args->rows, MO_FORCE_GRAIN, fill_range, &c);
}

/* block = S_i block S_j: by columns, then by rows. */
static void project_block(const mo_active *t, int64_t i, int64_t j, double *block)
{
    for (int c = 0; c < 3; ++c) {
        mo_active_project(t, i, block + 3 * c);
    }
    for (int r = 0; r < 3; ++r) {
        double row[3] = {block[r], block[3 + r], block[6 + r]};
        mo_active_project(t, j, row);
        block[r] = row[0];
        block[3 + r] = row[1];
        block[6 + r] = row[2];
    }
}

/* Constrained directions of a row get the average diagonal of its block, so that the matrix stays
 * definite. */
static void constrain_block(const mo_active *t, int64_t i, int64_t j, double *block)
{
    double mean = (block[0] + block[4] + block[8]) / 3;
    if (t->kind[i] == MO_ACTIVE_NONE && t->kind[j] == MO_ACTIVE_NONE) {
        return;
    }
    project_block(t, i, j, block);
    for (int k = 0; k < 9 && i == j; ++k) {
        double nn = t->normal[3 * i + k % 3] * t->normal[3 * i + k / 3], one = k % 4 == 0;
        double guided = t->kind[i] == MO_ACTIVE_LINE ? one - nn : nn;
        block[k] += mean * (t->kind[i] == MO_ACTIVE_STICK ? one : guided);
    }
}

static void eliminate_range(void *context, int64_t first, int64_t last)
{
    const mo_jacobian *j = context;
    const mo_block_matrix *m = &j->matrix;
    for (int64_t row = first; row < last; ++row) {
        bool fixed = j->inverse_mass[row] == 0;
        for (int64_t slot = m->start[row]; slot < m->start[row + 1]; ++slot) {
            double *block = m->value + 9 * slot;
            if (fixed || j->inverse_mass[m->column[slot]] == 0) {
                memset(block, 0, 9 * sizeof *block);
                block[0] = block[4] = block[8] = slot == m->diagonal[row];
            } else if (j->active) {
                constrain_block(j->active, row, m->column[slot], block);
            }
        }
    }
}

static void count_fixed(void *context, int64_t first, int64_t last, double *partial)
{
    const double *inverse_mass = context;
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        *partial += inverse_mass[row] == 0;
    }
}

void mo_jacobian_eliminate(mo_jacobian *jacobian)
{
    double constrained = 1; /* if the count fails, constraints are assumed */
    mo_parallel_reduce(jacobian->pool, jacobian->matrix.rows, MO_FORCE_GRAIN, MO_SUM, 1,
                       count_fixed, (void *)jacobian->inverse_mass, &constrained, NULL);
    if (constrained > 0 || jacobian->active) {
        mo_parallel_for(jacobian->pool, jacobian->matrix.rows, MO_MATRIX_GRAIN, eliminate_range,
                        jacobian);
    }
}

typedef struct product {
    mo_jacobian *jacobian;
    const mo_force_args *args;
    const mo_jacobian_ask *ask;
    const mo_system_weights *weights; /* NULL: of K and D alone */
    const double *p;
    double *y;
} product;

static void add_forces(const product *c, int64_t first, int64_t last)
{
    unsigned wanted = (c->ask->along_x != 0 ? MO_DF_DX : 0) |
                      (c->ask->along_v != 0 ? MO_DF_DV : 0) | (c->ask->along_a != 0 ? MO_DF_DA : 0);
    for (int k = 0; k < c->jacobian->force_count; ++k) {
        const mo_force *force = &c->jacobian->forces[k];
        if (force->derivatives & wanted) {
            force->type->jacobian->multiply(force->instance, c->args, c->ask, c->p, c->y, first,
                                            last);
        }
    }
}

static void multiply_range(void *context, int64_t first, int64_t last)
{
    const product *c = context;
    memset(c->y + 3 * first, 0, (size_t)(last - first) * 3 * sizeof(double));
    add_forces(c, first, last);
}

void mo_jacobian_multiply(mo_jacobian *jacobian, const mo_force_args *args,
                          const mo_jacobian_ask *ask, const double *p, double *y)
{
    product c = {jacobian, args, ask, NULL, p, y};
    mo_parallel_for(jacobian->pool, args->rows, MO_FORCE_GRAIN, multiply_range, &c);
}

/* Vectors are 0 in fixed rows, so only the results there are corrected. */
static void apply_range(void *context, int64_t first, int64_t last)
{
    const product *c = context;
    for (int64_t row = first; row < last; ++row) {
        double inertia = c->args->mass[row] * mo_row_inertia(c->weights, row);
        for (int k = 0; k < 3; ++k) {
            c->y[3 * row + k] = inertia * c->p[3 * row + k];
        }
    }
    add_forces(c, first, last);
    for (int64_t row = first; row < last; ++row) {
        if (c->jacobian->inverse_mass[row] == 0) {
            memcpy(c->y + 3 * row, c->p + 3 * row, 3 * sizeof(double));
        } else if (c->jacobian->active) {
            mo_active_project(c->jacobian->active, row, c->y + 3 * row);
        }
    }
}

void mo_jacobian_apply(void *context, const double *p, double *y)
{
    const mo_jacobian_product *of = context;
    mo_jacobian_ask ask = {-1, -of->weights.damping, of->weights.definite, -of->weights.inertia};
    product c = {of->jacobian, of->args, &ask, &of->weights, p, y};
    mo_parallel_for(of->jacobian->pool, of->args->rows, MO_FORCE_GRAIN, apply_range, &c);
}

void mo_jacobian_apply_unprojected(const mo_jacobian_product *of, const double *p, double *y)
{
    mo_jacobian *j = of->jacobian;
    const mo_active *active = j->active;
    j->active = NULL;
    mo_jacobian_apply((void *)of, p, y);
    j->active = active;
}
