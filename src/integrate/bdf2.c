/*
 * The backward differentiation formula of second order (C. F. Curtiss, J. O. Hirschfelder 1952,
 * Proc. Nat. Acad. Sci. 38, 235; with variable steps: E. Hairer, S. P. Norsett, G. Wanner, "Solving
 * Ordinary Differential Equations I", 1993, III.5). With w = h / (previous step), p = (1
 * + w)^2/(1 + 2 w), q = w^2/(1 + 2 w), g = h (1 + w)/(1 + 2 w):
 *     x+ = p x - q x- + g v+,   v+ = p v - q v- + g a(x+, v+, t + h);
 * for equal steps p = 4/3, q = 1/3, g = 2/3 h. It damps modes faster than the step as implicit
 * Euler does, and slower ones far less. The first step is one of the implicit midpoint rule. A
 * single row with invalid history takes a step of implicit Euler (p = 1, q = 0, g = h), but with x+
 * = x + h/2 (v + v+), whose error is h^3 instead of h^2 (with consistent masses all rows do). The
 * step ratio is limited to 2, below the stability bound 1 + sqrt 2; a step that grows more uses
 * implicit Euler.
 */
#include "integrate/newton.h"

enum { X_BEFORE = MO_IMPLICIT_AUX, V_BEFORE, H_BEFORE, GAMMA };

#define RATIO_MAX 2.0

static const mo_param PARAMS[] = {MO_NEWTON_PARAMS("10"), {0}};

static const mo_column_spec COLUMNS[] = {
    MO_NEWTON_COLUMNS,
    {"bdf2_x", MOTE_F64, 0, MO_STATE, "m", "position one step before"},
    {"bdf2_v", MOTE_F64, 0, MO_STATE, "m/s", "velocity one step before"},
    {"bdf2_h", MOTE_F64, 0, MO_STATE, "s", "the previous step"},
    {"bdf2_gamma", MOTE_F64, 0, MO_DERIVED, "s", "coefficient of the acceleration"},
    {0}};

typedef struct history {
    double h;
    const uint8_t *age;
    /* with consistent masses rows cannot use different formulas: if the history of one is invalid,
     * all restart */
    bool alone;
} history;

/* X = p x - q x- + g (p v - q v-), V = p v - q v- */
static void start(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    const history *c = context;
    for (int64_t k = first; k < last; ++k) {
        double x = s->slot[MO_X][k], v = s->slot[MO_V][k], before = s->slot[H_BEFORE][k];
        bool remembers =
            !c->alone && c->age[k / s->components] > 0 && before > 0 && c->h <= RATIO_MAX * before;
        double w = remembers ? c->h / before : 0, share = 1 / (1 + 2 * w);
        double p = (1 + w) * (1 + w) * share, q = w * w * share, gamma = c->h * (1 + w) * share;
        double past_x = remembers ? s->slot[X_BEFORE][k] : x,
               past_v = remembers ? s->slot[V_BEFORE][k] : v;
        double base = p * v - q * past_v;
        s->slot[GAMMA][k] = gamma;
        s->slot[MO_BASE_V][k] = base;
        s->slot[MO_BASE_X][k] = p * x - q * past_x + gamma * base;
    }
}

static void finish(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    const history *c = context;
    for (int64_t k = first; k < last; ++k) {
        double x = s->slot[MO_X][k], v = s->slot[MO_V][k], next = s->slot[MO_STAGE_V][k];
        /* x by the trapezoidal rule: error h^3 instead of h^2 */
        bool starts = s->slot[GAMMA][k] == c->h;
        s->slot[X_BEFORE][k] = x;
        s->slot[V_BEFORE][k] = v;
        s->slot[H_BEFORE][k] = c->h;
        s->slot[MO_X][k] = starts ? x + 0.5 * c->h * (v + next) : s->slot[MO_STAGE_X][k];
        s->slot[MO_V][k] = next;
    }
}

/* The common factor of the rows with valid history. */
static double common_gamma(const mo_dynamics *dynamics)
{
    const mo_segment *s = &dynamics->segment[0];
    int64_t rows = s->count / s->components, row = 0;
    while (row + 1 < rows && dynamics->age[row] == 0) {
        ++row;
    }
    return rows > 0 ? s->slot[GAMMA][row * s->components] : 1;
}

static void start_in_the_middle(const mo_segment *s, const void *context, int64_t first,
                                int64_t last)
{
    const history *c = context;
    for (int64_t k = first; k < last; ++k) {
        s->slot[MO_BASE_X][k] = s->slot[MO_X][k] + 0.5 * c->h * s->slot[MO_V][k];
        s->slot[MO_BASE_V][k] = s->slot[MO_V][k];
    }
}

static void finish_from_the_middle(const mo_segment *s, const void *context, int64_t first,
                                   int64_t last)
{
    const history *c = context;
    for (int64_t k = first; k < last; ++k) {
        double x = s->slot[MO_X][k], v = s->slot[MO_V][k], a = s->slot[MO_A][k];
        s->slot[X_BEFORE][k] = x;
        s->slot[V_BEFORE][k] = v;
        s->slot[H_BEFORE][k] = c->h;
        s->slot[MO_X][k] = x + c->h * (v + 0.5 * c->h * a);
        s->slot[MO_V][k] = v + c->h * a;
    }
}

static void first_step(mo_dynamics *dynamics, const void *params, const history *c)
{
    mo_newton_stage stage = {.time = dynamics->time + 0.5 * c->h,
                             .c_x = 0.25 * c->h * c->h,
                             .c_v = 0.5 * c->h,
                             .end_x = 2,
                             .end_v = 4 / c->h,
                             .past_v = V_BEFORE};
    mo_for_state_with(dynamics, c, start_in_the_middle);
    mo_newton_solve(dynamics, params, &stage);
    mo_for_state_with(dynamics, c, finish_from_the_middle);
}

static void bdf2_step(mo_dynamics *dynamics, const void *params, double h)
{
    history c = {h, dynamics->age, dynamics->solve_mass && dynamics->disturbed};
    if (dynamics->oldest == 0) {
        first_step(dynamics, params, &c);
        return;
    }
    mo_for_state_with(dynamics, &c, start);
    /* used for the damping of all rows, see jacobian.h */
    double gamma = common_gamma(dynamics);
    mo_newton_stage stage = {.time = dynamics->time + h,
                             .c_x = gamma * gamma,
                             .c_v = gamma,
                             .gamma = GAMMA,
                             .past_v = V_BEFORE};
    mo_newton_solve(dynamics, params, &stage);
    mo_for_state_with(dynamics, &c, finish);
}

/* |xi| of the principal root of (3/2 - i z) xi^2 - 2 xi + 1/2 = 0, xi = (2 + sqrt(1 + 2 i z))/(3 -
 * 2 i z). */
static double bdf2_amplification(double z)
{
    double modulus = sqrt(1 + 4 * z * z);
    double real = 2 + sqrt(0.5 * (modulus + 1)), imaginary = sqrt(0.5 * (modulus - 1));
    return sqrt((real * real + imaginary * imaginary) / (9 + 4 * z * z));
}

const mo_integrator_type mo_integrator_bdf2 = {
    .base =
        {.name = "bdf2",
         .summary =
             "Backward differentiation formula of order 2: L-stable, damps modes faster than the "
             "step.",
         .citation = "C. F. Curtiss, J. O. Hirschfelder 1952, Proc. Nat. Acad. Sci. 38, 235",
         .capabilities = MO_VARIABLE_STEP | MO_IMPLICIT | MO_PORTABLE,
         .param_size = sizeof(mo_newton_params),
         .params = PARAMS,
         .columns = COLUMNS,
         .check = mo_newton_check},
    .order = 2,
    .stable_limit = INFINITY,
    .amplification = bdf2_amplification,
    .step = bdf2_step,
};
