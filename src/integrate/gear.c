/*
 * Gear's predictor-corrector of fifth order for second-order equations, in Nordsieck's form: r_k =
 * h^k/k! d^k x/dt^k, k = 0 ... 5. Predict with the triangle of Pascal, eps = r_2 - h^2/2 a(r_0,
 * r_1/h), r_k -= c_k eps with c = 3/16 (or 3/20), 251/360, 1, 11/18, 1/6, 1/60. C. W. Gear,
 * "Numerical Initial Value Problems in Ordinary Differential Equations", 1971; M. P. Allen, D. J.
 * Tildesley, "Computer Simulation of Liquids", 1987, appendix E, table E.1.
 *
 * The start takes r_3 ... r_5 from accelerations at -2h ... 2h along a Runge-Kutta path by central
 * differences; with `start` zero they are 0 (M. Teschner, Simulation in Computer Graphics), which
 * leaves order 2. A single row with invalid history starts with r_2 alone and zeros; its first step
 * is of second order and the next ones of higher order, so that the error is of third order.
 */
#include "integrate/classic_rk4.h"
#include "integrate/integrator.h"

enum { R2 = MO_AUX, R3, R4, R5, PREDICTED_X, PREDICTED_V, RK };

#define LIMIT 0.313

typedef struct gear {
    bool velocity_dependent;
    const char *start;
} gear;

static const mo_param PARAMS[] = {
    {"velocity_dependent", MO_BOOL, MO_FIELD(gear, velocity_dependent), .initial = "true",
     .doc =
         "For forces that depend on the velocity (damping, drag): the corrector coefficient of x "
         "is 3/16 instead of 3/20. 3/20 is more accurate for undamped motion, but its energy grows "
         "slowly at any step."},
    {"start", MO_STRING, MO_FIELD(gear, start), .initial = "\"rk4\"", .choices = "rk4|zero",
     .doc =
         "Starting values of the third to fifth derivatives: differences along Runge-Kutta steps, or "
         "zero, which leaves order 2."},
    {0}};

static const mo_column_spec COLUMNS[] = {
    {"gear_r2", MOTE_F64, 0, MO_STATE, "m", "h^2/2 times the second derivative"},
    {"gear_r3", MOTE_F64, 0, MO_STATE, "m", "h^3/6 times the third"},
    {"gear_r4", MOTE_F64, 0, MO_STATE, "m", "h^4/24 times the fourth"},
    {"gear_r5", MOTE_F64, 0, MO_STATE, "m", "h^5/120 times the fifth"},
    {"gear_x", MOTE_F64, 0, MO_DERIVED, "m", "predicted position"},
    {"gear_v", MOTE_F64, 0, MO_DERIVED, "m/s", "predicted velocity"},
    {"gear_rk_x", MOTE_F64, 0, MO_DERIVED, "m", "for the start"},
    {"gear_rk_v", MOTE_F64, 0, MO_DERIVED, "m/s", "for the start"},
    {"gear_rk_sum_x", MOTE_F64, 0, MO_DERIVED, "m/s", "for the start"},
    {"gear_rk_sum_v", MOTE_F64, 0, MO_DERIVED, "m/s^2", "for the start"},
    {0}};

static void save(const mo_segment *s, double h, int64_t first, int64_t last)
{
    (void)h;
    for (int64_t k = first; k < last; ++k) {
        s->slot[PREDICTED_X][k] = s->slot[MO_X][k];
        s->slot[PREDICTED_V][k] = s->slot[MO_V][k];
    }
}

static void bring_back(const mo_segment *s, double h, int64_t first, int64_t last)
{
    (void)h;
    for (int64_t k = first; k < last; ++k) {
        s->slot[MO_X][k] = s->slot[PREDICTED_X][k];
        s->slot[MO_V][k] = s->slot[PREDICTED_V][k];
    }
}

/* R2 ... R5 are a(-2h), a(-h), a(h), a(2h) and MO_A is a(0); then they are r_2 ... r_5. */
static void differences(const mo_segment *s, double h, int64_t first, int64_t last)
{
    for (int64_t k = first; k < last; ++k) {
        double b2 = s->slot[R2][k], b1 = s->slot[R3][k], f1 = s->slot[R4][k], f2 = s->slot[R5][k];
        double a = s->slot[MO_A][k], square = h * h;
        s->slot[R2][k] = square / 2 * a;
        s->slot[R3][k] = square / 6 * (b2 - 8 * b1 + 8 * f1 - f2) / 12;
        s->slot[R4][k] = square / 24 * (-b2 + 16 * b1 - 30 * a + 16 * f1 - f2) / 12;
        s->slot[R5][k] = square / 120 * (-b2 + 2 * b1 - 2 * f1 + f2) / 2;
    }
}

/* Two steps in one direction; the accelerations after each are stored in the slots. */
static void explore(mo_dynamics *dynamics, double h, int one, int two)
{
    double t = dynamics->time;
    mo_classic_rk4(dynamics, t, h, RK, -1);
    mo_classic_rk4(dynamics, t + h, h, RK, one);
    mo_accelerate(dynamics, t + 2 * h, MO_X, MO_V, two);
    mo_for_state(dynamics, h, bring_back);
}

static void start_all(mo_dynamics *dynamics, double h)
{
    mo_for_state(dynamics, h, save);
    explore(dynamics, h, R4, R5);
    explore(dynamics, -h, R3, R2);
    mo_accelerate(dynamics, dynamics->time, MO_X, MO_V, MO_A);
    mo_for_state(dynamics, h, differences);
}

typedef struct restart {
    double h;
    const uint8_t *age;
} restart;

static void start_rows(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    const restart *r = context;
    for (int64_t k = first; k < last; ++k) {
        if (r->age[k / s->components] == 0) {
            s->slot[R2][k] = 0.5 * r->h * r->h * s->slot[MO_A][k];
            s->slot[R3][k] = s->slot[R4][k] = s->slot[R5][k] = 0;
        }
    }
}

/* The arrays are parameters, since gcc honours `restrict` only there. */
static void predict_range(int64_t count, double h, const double *restrict x,
                          const double *restrict v, double *restrict r2, double *restrict r3,
                          double *restrict r4, const double *restrict r5, double *restrict xp,
                          double *restrict vp)
{
    for (int64_t k = 0; k < count; ++k) {
        double r1 = h * v[k], a2 = r2[k], a3 = r3[k], a4 = r4[k], a5 = r5[k];
        xp[k] = x[k] + r1 + a2 + a3 + a4 + a5;
        vp[k] = (r1 + 2 * a2 + 3 * a3 + 4 * a4 + 5 * a5) / h;
        r2[k] = a2 + 3 * a3 + 6 * a4 + 10 * a5;
        r3[k] = a3 + 4 * a4 + 10 * a5;
        r4[k] = a4 + 5 * a5;
    }
}

static void predict(const mo_segment *s, double h, int64_t first, int64_t last)
{
    predict_range(last - first, h, s->slot[MO_X] + first, s->slot[MO_V] + first,
                  s->slot[R2] + first, s->slot[R3] + first, s->slot[R4] + first,
                  s->slot[R5] + first, s->slot[PREDICTED_X] + first, s->slot[PREDICTED_V] + first);
}

typedef struct correction {
    double h, c0;
    const uint8_t *age;
} correction;

static void correct_range(int64_t count, correction c, double *restrict x, double *restrict v,
                          const double *restrict a, double *restrict r2, double *restrict r3,
                          double *restrict r4, double *restrict r5, const double *restrict xp,
                          const double *restrict vp)
{
    double half_square = 0.5 * c.h * c.h;
    for (int64_t k = 0; k < count; ++k) {
        double e = r2[k] - half_square * a[k];
        x[k] = xp[k] - c.c0 * e;
        v[k] = vp[k] - 251.0 / 360 * e / c.h;
        r2[k] -= e;
        r3[k] -= 11.0 / 18 * e;
        r4[k] -= 1.0 / 6 * e;
        r5[k] -= 1.0 / 60 * e;
    }
}

static void correct(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    const correction *c = context;
    correct_range(last - first, *c, s->slot[MO_X] + first, s->slot[MO_V] + first,
                  s->slot[MO_A] + first, s->slot[R2] + first, s->slot[R3] + first,
                  s->slot[R4] + first, s->slot[R5] + first, s->slot[PREDICTED_X] + first,
                  s->slot[PREDICTED_V] + first);
}

/* A row without history has r_3 = r_4 = r_5 = 0, and eps = -h^3/2 a'. By Taylor's series c = 1/3,
 * 1, 1, 1/3, 0, 0 gives errors of h^4 in x and h^3 in v, while the regular c_1 gives h^2 in v.
 * Subtracts the difference beforehand. */
static void straighten_rows(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    const correction *c = context;
    for (int64_t k = first; k < last; ++k) {
        if (c->age[k / s->components] == 0) {
            double e = s->slot[R2][k] - 0.5 * c->h * c->h * s->slot[MO_A][k];
            s->slot[PREDICTED_X][k] -= (1.0 / 3 - c->c0) * e;
            s->slot[PREDICTED_V][k] -= (1 - 251.0 / 360) * e / c->h;
            s->slot[R3][k] -= (1.0 / 3 - 11.0 / 18) * e;
            s->slot[R4][k] += 1.0 / 6 * e;
            s->slot[R5][k] += 1.0 / 60 * e;
        }
    }
}

static void gear_step(mo_dynamics *dynamics, const void *params, double h)
{
    const gear *g = params;
    restart r = {h, dynamics->age};
    correction c = {h, g->velocity_dependent ? 3.0 / 16 : 3.0 / 20, dynamics->age};
    bool zero = g->start[0] == 'z';
    if (dynamics->oldest == 0 && !zero) {
        start_all(dynamics, h);
    } else if (dynamics->disturbed) {
        mo_accelerate(dynamics, dynamics->time, MO_X, MO_V, MO_A);
        mo_for_state_with(dynamics, &r, start_rows);
    }
    mo_for_state(dynamics, h, predict);
    mo_accelerate(dynamics, dynamics->time + h, PREDICTED_X, PREDICTED_V, MO_A);
    if (dynamics->disturbed && dynamics->oldest > 0 && !zero) {
        mo_for_state_with(dynamics, &c, straighten_rows);
    }
    mo_for_state_with(dynamics, &c, correct);
}

/* By bisection; it damps slowly below. With 3/20 it grows at any step, by very little at small
 * ones. */
static double gear_stable_limit(const void *params)
{
    return ((const gear *)params)->velocity_dependent ? LIMIT : 0;
}

const mo_integrator_type mo_integrator_gear = {
    .base =
        {.name = "gear",
         .summary =
             "Gear's predictor-corrector: fifth order, one force evaluation a step; loses energy slowly.",
         .citation = "C. W. Gear 1971; Allen, Tildesley 1987, table E.1",
         .capabilities = MO_PORTABLE,
         .param_size = sizeof(gear),
         .params = PARAMS,
         .columns = COLUMNS},
    .order = 5,
    .stable_limit = LIMIT,
    .damped_limit = 0.1621,
    .stable_limit_with = gear_stable_limit,
    .step = gear_step,
};
