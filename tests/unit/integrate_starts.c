/*
 * The starts of multistep schemes as M. Teschner's slides (Simulation in Computer Graphics,
 * particle motion) write them: abm2 ... abm5 with `start` backward, gear with `start` zero. Steps
 * of a damped and driven oscillator are compared with the formulas, implemented independently.
 */
#include "test.h"

#include "base/memory.h"
#include "integrate/adams.h"
#include "integrate/integrator.h"

#include <math.h>

enum { NUMBERS = 3, STEPS = 9, SLOTS = MO_SLOTS_MAX };
static const double H = 0.1, START_X[NUMBERS] = {1, -0.4, 0.2}, START_V[NUMBERS] = {0.3, 2, -1};

static double force(double x, double v, double t)
{
    return -4 * x - 0.3 * v * fabs(v) + sin(3 * t);
}

typedef struct oscillator {
    mo_memory memory;
    mo_dynamics dynamics;
    double slot[SLOTS][NUMBERS + 1];
    uint8_t age;
} oscillator;

static void accelerate(void *context, double time, int x, int v, int a)
{
    oscillator *o = context;
    for (int k = 0; k < NUMBERS; ++k) {
        o->slot[a][k] = force(o->slot[x][k], o->slot[v][k], time);
    }
}

static void open_oscillator(oscillator *o)
{
    *o = (oscillator){.dynamics = {.segment_count = 1, .accelerate = accelerate, .context = o}};
    o->dynamics.age = &o->age;
    o->dynamics.segment[0] = (mo_segment){.count = NUMBERS, .components = 3};
    for (int k = 0; k < SLOTS; ++k) {
        o->dynamics.segment[0].slot[k] = o->slot[k];
    }
    memcpy(o->slot[MO_X], START_X, sizeof START_X);
    memcpy(o->slot[MO_V], START_V, sizeof START_V);
    mo_memory_init(&o->memory, NULL);
    assert_int_equal(mo_pool_create(&o->memory, 1, &o->dynamics.pool, NULL), MOTE_OK);
}

static void close_oscillator(oscillator *o)
{
    mo_pool_destroy(o->dynamics.pool);
    assert_int_equal(o->memory.bytes, 0);
}

static void take_step(oscillator *o, const char *name, const void *params)
{
    const mo_integrator_type *type =
        (const mo_integrator_type *)mo_family_find(&mo_integrators, name);
    mo_dynamics *d = &o->dynamics;
    d->disturbed = o->age == 0;
    d->oldest = o->age;
    type->step(d, params, H);
    d->time += H;
    d->step++;
    o->age++;
}

/* y'(t - j h) of one number, newest first. */
typedef struct history {
    double v[5], a[5];
} history;

/* Slides 45 and 46, by order, newest first. */
static const double PREDICT[6][5] = {
    [2] = {3 / 2., -1 / 2.},
    [3] = {23 / 12., -16 / 12., 5 / 12.},
    [4] = {55 / 24., -59 / 24., 37 / 24., -9 / 24.},
    [5] = {1901 / 720., -2774 / 720., 2616 / 720., -1274 / 720., 251 / 720.}};
static const double CORRECT[6][5] = {
    [2] = {1 / 2., 1 / 2.},
    [3] = {5 / 12., 8 / 12., -1 / 12.},
    [4] = {9 / 24., 19 / 24., -5 / 24., 1 / 24.},
    [5] = {251 / 720., 646 / 720., -264 / 720., 106 / 720., -19 / 720.}};

static void adams_step(int order, double t, double *x, double *v, history *y)
{
    double xp = *x, vp = *v, xc = *x, vc = *v;
    for (int j = 0; j < order; ++j) {
        xp += H * PREDICT[order][j] * y->v[j];
        vp += H * PREDICT[order][j] * y->a[j];
    }
    double predicted = force(xp, vp, t + H);
    for (int j = 0; j < order; ++j) {
        xc += H * CORRECT[order][j] * (j == 0 ? vp : y->v[j - 1]);
        vc += H * CORRECT[order][j] * (j == 0 ? predicted : y->a[j - 1]);
    }
    for (int j = order - 1; j > 0; --j) {
        y->v[j] = y->v[j - 1];
        y->a[j] = y->a[j - 1];
    }
    *x = xc;
    *v = vc;
    y->v[0] = vc;
    y->a[0] = force(xc, vc, t + H);
}

/* x(t - j h) = x - j h v, v(t - j h) = v - j h a, a(t - j h) evaluated there. */
static void backward_is_the_linear_extrapolation(void **state)
{
    static const char *const NAMES[] = {[2] = "abm2", [3] = "abm3", [4] = "abm4", [5] = "abm5"};
    const mo_adams params = {.corrections = 1, .start = "backward"};
    (void)state;
    for (int order = 2; order <= 5; ++order) {
        oscillator o;
        history y[NUMBERS];
        double x[NUMBERS], v[NUMBERS];
        open_oscillator(&o);
        for (int k = 0; k < NUMBERS; ++k) {
            x[k] = START_X[k];
            v[k] = START_V[k];
            double a = force(x[k], v[k], 0);
            for (int j = 0; j < order; ++j) {
                y[k].v[j] = v[k] - j * H * a;
                y[k].a[j] = force(x[k] - j * H * v[k], y[k].v[j], -j * H);
            }
        }
        for (int step = 0; step < STEPS; ++step) {
            take_step(&o, NAMES[order], &params);
            for (int k = 0; k < NUMBERS; ++k) {
                adams_step(order, step * H, &x[k], &v[k], &y[k]);
                assert_float_equal(o.slot[MO_X][k], x[k], 1e-13);
                assert_float_equal(o.slot[MO_V][k], v[k], 1e-13);
            }
        }
        close_oscillator(&o);
    }
}

/* r_3 = r_4 = r_5 = 0, prediction by the triangle of Pascal, c as on the slides. */
static void zero_is_the_start_of_the_slides(void **state)
{
    static const double C[6] = {3 / 20., 251 / 360., 1, 11 / 18., 1 / 6., 1 / 60.};
    static const double PASCAL[6][6] = {{1, 1, 1, 1, 1, 1},  {0, 1, 2, 3, 4, 5},
                                        {0, 0, 1, 3, 6, 10}, {0, 0, 0, 1, 4, 10},
                                        {0, 0, 0, 0, 1, 5},  {0, 0, 0, 0, 0, 1}};
    /* as gear.c has them */
    const struct {
        bool velocity_dependent;
        const char *start;
    } params = {false, "zero"};
    oscillator o;
    double r[NUMBERS][6] = {{0}};
    (void)state;
    open_oscillator(&o);
    for (int k = 0; k < NUMBERS; ++k) {
        r[k][0] = START_X[k];
        r[k][1] = H * START_V[k];
        r[k][2] = 0.5 * H * H * force(START_X[k], START_V[k], 0);
    }
    for (int step = 0; step < STEPS; ++step) {
        take_step(&o, "gear", &params);
        for (int k = 0; k < NUMBERS; ++k) {
            double p[6] = {0};
            for (int i = 0; i < 6; ++i) {
                for (int j = i; j < 6; ++j) {
                    p[i] += PASCAL[i][j] * r[k][j];
                }
            }
            double e = p[2] - 0.5 * H * H * force(p[0], p[1] / H, (step + 1) * H);
            for (int i = 0; i < 6; ++i) {
                r[k][i] = p[i] - C[i] * e;
            }
            assert_float_equal(o.slot[MO_X][k], r[k][0], 1e-13);
            assert_float_equal(o.slot[MO_V][k], r[k][1] / H, 1e-12);
        }
    }
    close_oscillator(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(backward_is_the_linear_extrapolation),
        cmocka_unit_test(zero_is_the_start_of_the_slides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
