/*
 * Preconditioned conjugate gradients (M. R. Hestenes, E. Stiefel 1952) of the volume part, without
 * a matrix.
 *
 * Weak coupling: M + K_volume with its diagonal as the preconditioner.
 *
 * Iterated coupling: A + K_volume with the factored A as the preconditioner. It starts from the
 * stretch solve A^-1 rhs, whose residual -K_volume x has no resultant force: linear momentum is
 * exact at any tolerance. Products with A follow from p = z + beta p: A p = r + beta A p.
 */
#include "solid/fast_corotated/fast_corotated.h"

#include <math.h>
#include <string.h>

typedef struct solve {
    mo_fast_corotated *fast;
    const mo_fast_corotated_step *step;
    bool stretch;
    double *r, *z, *p, *q, *x, *ap; /* ap: A p, iterated only */
    double alpha, beta;
} solve;

static void precondition_range(void *context, int64_t first, int64_t last)
{
    const solve *s = context;
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        s->z[k] = s->fast->diagonal[k / 3] * s->r[k];
    }
}

static void precondition(const solve *s)
{
    if (s->stretch) {
        memcpy(s->z, s->r, (size_t)(3 * s->step->rows) * sizeof *s->z);
        mo_supernodal_solve_components(&s->fast->factor, s->z);
    } else {
        mo_parallel_for(s->step->pool, s->step->rows, MO_FORCE_GRAIN, precondition_range,
                        (void *)s);
    }
}

static void product_range(void *context, int64_t first, int64_t last, double *sum)
{
    const solve *s = context;
    *sum = mo_dot_range(s->r, s->z, 3 * first, 3 * last);
}

static void square_range(void *context, int64_t first, int64_t last, double *sum)
{
    const solve *s = context;
    *sum = mo_dot_range(s->r, s->r, 3 * first, 3 * last);
}

static void curvature_range(void *context, int64_t first, int64_t last, double *sum)
{
    const solve *s = context;
    *sum = mo_dot_range(s->p, s->q, 3 * first, 3 * last);
}

static void direction_range(void *context, int64_t first, int64_t last)
{
    const solve *s = context;
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        s->p[k] = s->z[k] + s->beta * s->p[k];
    }
    for (int64_t k = 3 * first; s->stretch && k < 3 * last; ++k) {
        s->ap[k] = s->r[k] + s->beta * s->ap[k];
    }
}

static void move_range(void *context, int64_t first, int64_t last, double *sum)
{
    const solve *s = context;
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        s->x[k] += s->alpha * s->p[k];
        s->r[k] -= s->alpha * s->q[k];
    }
    square_range(context, first, last, sum);
}

static mote_status reduce(solve *s, mo_partial_fn *function, double *sum, mote_error *error)
{
    return mo_parallel_reduce(s->step->pool, s->step->rows, MO_FORCE_GRAIN, MO_SUM, 1, function, s,
                              sum, error);
}

/* Steps along p to the minimum; *rr is then r . r. */
static mote_status move(solve *s, double rz, double *rr, mote_error *error)
{
    double curvature;
    mo_fast_corotated_product(s->fast, s->step, s->ap, s->p, s->q);
    MO_TRY(reduce(s, curvature_range, &curvature, error));
    s->alpha = curvature > 0 ? rz / curvature : 0;
    return reduce(s, move_range, rr, error);
}

/* The next direction; *rz is r . z of the last residual, then of this one. */
static mote_status turn(solve *s, double *rz, mote_error *error)
{
    double before = *rz;
    precondition(s);
    MO_TRY(reduce(s, product_range, rz, error));
    s->beta = before > 0 ? *rz / before : 0;
    mo_parallel_for(s->step->pool, s->step->rows, MO_FORCE_GRAIN, direction_range, s);
    return MOTE_OK;
}

/* The initial guess and its residual, with the square *rr; *scale is that of the right-hand
 * side. */
static mote_status begin(solve *s, double *scale, double *rr, mote_error *error)
{
    size_t bytes = (size_t)(3 * s->step->rows) * sizeof(double);
    MO_TRY(reduce(s, square_range, scale, error));
    *rr = *scale;
    memset(s->x, 0, bytes);
    if (s->stretch) {
        precondition(s);
        memcpy(s->x, s->z, bytes);
        mo_fast_corotated_product(s->fast, s->step, s->ap, s->x, s->r);
        for (int64_t k = 0; k < 3 * s->step->rows; ++k) {
            s->r[k] = -s->r[k];
        }
        MO_TRY(reduce(s, square_range, rr, error));
    }
    return MOTE_OK;
}

mote_status mo_fast_corotated_conjugate(mo_fast_corotated *fast, const mo_fast_corotated_step *step,
                                        bool stretch, double *rhs, double *dv, mote_error *error)
{
    int64_t numbers = 3 * step->rows;
    double *w[4], scale, rr, rz = 0;
    MO_TRY(mo_work_vectors(fast->memory, &fast->conjugate, 4, numbers + 1, w, error));
    memset(w[1], 0, (size_t)numbers * sizeof(double));
    memset(w[3], 0, (size_t)numbers * sizeof(double));
    solve s = {fast, step, stretch, rhs, w[0], w[1], w[2], dv, stretch ? w[3] : NULL, 0, 0};
    MO_TRY(begin(&s, &scale, &rr, error));
    double enough = fast->tolerance * fast->tolerance * scale;
    for (int64_t k = 0; k < fast->iterations && rr > enough; ++k) {
        MO_TRY(turn(&s, &rz, error));
        MO_TRY(move(&s, rz, &rr, error));
        fast->count.iterations++;
    }
    fast->count.residual = fmax(fast->count.residual, scale > 0 ? sqrt(rr / scale) : 0);
    return MOTE_OK;
}
