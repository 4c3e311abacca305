/*
 * Newmark's method (N. M. Newmark 1959, J. Eng. Mech. Div. ASCE 85, 67):
 *     x+ = x + h v + h^2 ((1/2 - beta) a + beta a+),  v+ = v + h ((1 - gamma) a + gamma a+),  a+ =
 *         a(x+, v+, t + h).
 * beta = 1/4, gamma = 1/2 is the trapezoidal rule: second order, undamped, A-stable, as with any 2
 * beta >= gamma >= 1/2. gamma above 1/2 damps and is of first order; beta = 1/6, gamma = 1/2
 * (linear acceleration) is stable up to omega h = 2 sqrt 3. a is evaluated at the start of the
 * step, so there is no history.
 */
#include "integrate/newton.h"

#include <string.h>

typedef struct newmark {
    mo_newton_params newton;
    double beta, gamma;
} newmark;

static const mo_param PARAMS[] = {
    MO_NEWTON_PARAMS("10"),
    {"beta", MO_REAL, MO_FIELD(newmark, beta), .initial = "0.25", .range = "(0, 1]",
     .doc = "Newmark's beta, the weight of the new acceleration in the position; 1/4 is the "
            "trapezoidal rule."},
    {"gamma", MO_REAL, MO_FIELD(newmark, gamma), .initial = "0.5", .range = "[0.5, 1]",
     .doc = "Newmark's gamma, its weight in the velocity; above 1/2 it adds damping and is first "
            "order."},
    {0}};

static const mo_column_spec COLUMNS[] = {
    MO_NEWTON_COLUMNS,
    {"newmark_a", MOTE_F64, 0, MO_DERIVED, "m/s^2", "acceleration at the start of the step"},
    {0}};

enum { A = MO_IMPLICIT_AUX };

typedef struct kick {
    double h, beta, gamma;
} kick;

static void keep(const mo_segment *s, double h, int64_t first, int64_t last)
{
    (void)h;
    memcpy(s->slot[A] + first, s->slot[MO_STAGE_A] + first,
           (size_t)(last - first) * sizeof(double));
}

static void start(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    const kick *c = context;
    for (int64_t k = first; k < last; ++k) {
        double a = s->slot[A][k], v = s->slot[MO_V][k];
        s->slot[MO_BASE_X][k] = s->slot[MO_X][k] + c->h * (v + c->h * (0.5 - c->beta) * a);
        s->slot[MO_BASE_V][k] = v + c->h * (1 - c->gamma) * a;
    }
}

static void finish(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    const kick *c = context;
    for (int64_t k = first; k < last; ++k) {
        double before = s->slot[A][k], a = s->slot[MO_A][k];
        s->slot[MO_X][k] +=
            c->h * (s->slot[MO_V][k] + c->h * ((0.5 - c->beta) * before + c->beta * a));
        s->slot[MO_V][k] += c->h * ((1 - c->gamma) * before + c->gamma * a);
    }
}

static void newmark_step(mo_dynamics *dynamics, const void *params, double h)
{
    const newmark *p = params;
    kick c = {h, p->beta, p->gamma};
    mo_newton_stage stage = {
        .time = dynamics->time + h, .c_x = p->beta * h * h, .c_v = p->gamma * h, .evaluated = true};
    stage.friction = 1 / p->gamma; /* friction is not part of the initial acceleration */
    stage.end_x = 0.5 / p->beta;
    stage.end_v = 0.5 * p->gamma / (p->beta * p->beta * h);
    stage.end_f = h * (1 - 0.5 * p->gamma / p->beta);
    mo_accelerate(dynamics, dynamics->time, MO_X, MO_V, MO_STAGE_A);
    mo_for_state(dynamics, h, keep);
    if (dynamics->solve_mass) {
        dynamics->solve_mass(dynamics->context, dynamics->time, A);
    }
    mo_for_state_with(dynamics, &c, start);
    mo_newton_solve(dynamics, &p->newton, &stage);
    mo_for_state_with(dynamics, &c, finish);
}

/* (omega h)^2 <= 1/(gamma/2 - beta) on an undamped oscillator: T. J. R. Hughes, "The Finite Element
 * Method", 2000, 9.1.2. */
static double newmark_stable_limit(const void *params)
{
    const newmark *p = params;
    return 2 * p->beta >= p->gamma ? (double)INFINITY : 1 / sqrt(0.5 * p->gamma - p->beta);
}

const mo_integrator_type mo_integrator_newmark = {
    .base = {.name = "newmark",
             .summary =
                 "Newmark's method; by default the trapezoidal rule (average acceleration), second "
                 "order.",
             .citation = "N. M. Newmark 1959, J. Eng. Mech. Div. ASCE 85, 67",
             .capabilities = MO_VARIABLE_STEP | MO_IMPLICIT | MO_PORTABLE,
             .param_size = sizeof(newmark),
             .params = PARAMS,
             .columns = COLUMNS,
             .check = mo_newton_check},
    .order = 2,
    .stable_limit = INFINITY,
    .stable_limit_with = newmark_stable_limit,
    .step = newmark_step,
};
