/*
 * Artificial viscosity that vanishes on linear flows: central pair forces on the deviation of v_ij
 * from the local linear flow,
 *     m_i a_i = -2 (d + 2) nu sum_j V_i V_j rho_ij |G_ij| n (n . v_ij - n . (E_i + E_j) x_ij/2),
 * n = x_ij/|x_ij|, E_i the rate of strain by least squares with the same weights (strain.h), and
 *     nu = alpha h c,    c^2 = g h + 2 h^2 <E : E>,    h the spacing, <> the mean over the fluid.
 * Linear reconstruction in artificial viscosity: N. Frontiere, C. Raskin, J. Owen 2017, J. Comput.
 * Phys. 332, 160; S. Rosswog 2020, Mon. Not. R. Astron. Soc. 498, 4230. Departs from these: acts on
 * separating pairs too; fit by least squares in place of a slope limiter; c is not a speed of
 * sound.
 *
 * With D v the n . v_ij of all neighbours of i and P_i the projection orthogonal to the linear
 * flows, -v . f = 1/2 sum_i |P_i D v|^2 >= 0: the force matrix is symmetric, positive semidefinite
 * and not above that of the same force without E (|P_i D v| <= |D v|), whose damping rates are
 * below lambda = 4 (d + 2) nu max_i sum_j V_j |G_ij| (docs/fluids.md). nu is limited to lambda <= 1
 * over the step, so that it is stable and dissipative at any step.
 *
 * Disorder decays slowly compared with the steps of a fast flow. With gravity the term acts when
 * the time passes a multiple of tau = 0.1 sqrt(h/g), with the impulse of all of tau, as multiple
 * time stepping does (M. Tuckerman, B. Berne, G. Martyna 1992, J. Chem. Phys. 97, 1990).
 */
#include "fluid/artificial_viscosity/artificial_viscosity.h"
#include "fluid/viscosity/strain.h"

#include <math.h>

enum { GRAIN = 4096 };

typedef struct hyperviscosity {
    double alpha;
} hyperviscosity;

static const mo_param PARAMS[] = {
    {"alpha", MO_REAL, MO_FIELD(hyperviscosity, alpha), .initial = "0.2", .range = "[0, 10]",
     .doc = "Coefficient: the viscosity in units of spacing sqrt(gravity spacing); 0 disables it."},
    {0}};

static void largest_weight(void *context, int64_t first, int64_t last, double *partial)
{
    const mo_strain *s = context;
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        *partial = fmax(*partial, (double)s->weight[row]);
    }
}

static void sum_squares(void *context, int64_t first, int64_t last, double *partial)
{
    const mo_strain *s = context;
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        *partial += mo_strain_square(s->tensor + MO_STRAIN * row);
    }
}

typedef struct scaling {
    float *tensor, factor;
} scaling;

static void scale_range(void *context, int64_t first, int64_t last)
{
    const scaling *s = context;
    for (int64_t k = MO_STRAIN * first; k < MO_STRAIN * last; ++k) {
        s->tensor[k] *= s->factor;
    }
}

/* tau in units of sqrt(spacing/gravity): lambda tau is 0.9 with alpha 0.2 on a cubic lattice. */
#define INTERVAL 0.1

/* The time that the term acts for in a step of h, in units of h. */
static double due(const mo_fluid *f, double gravity, double h)
{
    double tau = INTERVAL * sqrt(f->spacing / gravity), time = f->terms.time;
    return gravity > 0 && tau > 0 ? (floor((time + h) / tau) - floor(time / tau)) * tau / h : 1;
}

static mote_status hyperviscosity_accelerate(mo_instance *self, mo_fluid *f, double h,
                                             mote_error *error)
{
    const hyperviscosity *p = self->method.params;
    mo_strain *s = self->state;
    double weight, square, factor = 2 * (f->dimension + 2);
    double gravity = mo_length(mo_fluid_gravity(f, f->terms.time)), share = due(f, gravity, h);
    if (!(p->alpha * share > 0)) {
        return MOTE_OK;
    }
    MO_TRY(mo_strain_fit(s, f, error));
    MO_TRY(
        mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_MAX, 1, largest_weight, s, &weight, error));
    MO_TRY(mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_SUM, 1, sum_squares, s, &square, error));
    double speed = sqrt(gravity * f->spacing + 2 * square / (double)f->rows);
    double nu = fmin(p->alpha * share * f->spacing * speed, 0.5 / (factor * weight * h));
    scaling scale = {s->tensor, (float)(-factor * nu)};
    mo_parallel_for(f->pool, f->rows, GRAIN, scale_range, &scale);
    mo_strain_accelerate(s, f, factor * nu);
    return MOTE_OK;
}

static void hyperviscosity_destroy(mo_instance *self, mo_fluid *f)
{
    mo_strain_release(self->state, f);
}

const mo_artificial_viscosity_type mo_artificial_viscosity_hyperviscosity = {
    .base =
        {.name = "hyperviscosity",
         .summary = "Hyperviscosity: dissipates velocity noise at the particle scale; exactly zero "
                    "for linear flows.",
         .citation =
             "ours, after Frontiere, Raskin, Owen 2017, J. Comput. Phys. 332, 160; Rosswog 2020, "
             "Mon. Not. R. Astron. Soc. 498, 4230",
         .departs =
             "It acts on separating pairs too; the linear flow is fitted by least squares instead "
             "of limited slopes; the signal speed is that of gravity waves and strain at the "
             "spacing, not of sound.",
         .capabilities = MO_PORTABLE,
         .param_size = sizeof(hyperviscosity),
         .params = PARAMS},
    .hooks = {.state_size = sizeof(mo_strain), .destroy = hyperviscosity_destroy},
    .accelerate = hyperviscosity_accelerate,
};
