/*
 * Time reversibility of leapfrog: ten periods forward and back end at the start up to rounding. It
 * is run without a world, since worlds do not step backwards.
 *
 * After n steps the state is v(n - 1/2), which a step of -h interprets as v(n + 1/2): one kick by h
 * a in between corrects it. At the end the state is v(1/2), half a kick from the initial velocity.
 */
#include "base/error.h"
#include "integrate/rotation.h"
#include "validate/integrators.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846, UNIT = DBL_EPSILON, STEP = 0.01;

/* Two independent particles: an oscillator x'' = -x and an orbit x'' = -x/|x|^3 of eccentricity
 * 0.6, from its apocentre. Both have periods of 2 pi. */
enum { OSCILLATOR, ORBIT, ROWS, NUMBERS = 3 * ROWS, KEPT = MO_AUX, SLOTS };
static const double START_X[NUMBERS] = {1, 0, 0, -1.6, 0, 0},
                    START_V[NUMBERS] = {0, 0.5, 0, 0, -0.5, 0};

typedef struct pendulums {
    mo_memory memory;
    mo_dynamics dynamics;
    double slot[SLOTS][NUMBERS];
    uint8_t age[ROWS];
} pendulums;

static void accelerate(void *context, double time, int x, int v, int a)
{
    (void)time, (void)v;
    pendulums *p = context;
    const double *from = p->slot[x] + 3 * ORBIT;
    double square = from[0] * from[0] + from[1] * from[1] + from[2] * from[2];
    for (int k = 0; k < 3; ++k) {
        p->slot[a][k] = -p->slot[x][k];
        p->slot[a][3 * ORBIT + k] = -from[k] / (square * sqrt(square));
    }
}

static mote_status start(pendulums *p, mote_error *error)
{
    *p = (pendulums){.dynamics = {.segment_count = 1, .accelerate = accelerate, .context = p}};
    p->dynamics.age = p->age;
    p->dynamics.segment[0] = (mo_segment){.count = NUMBERS, .components = 3};
    for (int k = 0; k < SLOTS; ++k) {
        p->dynamics.segment[0].slot[k] = p->slot[k];
    }
    memcpy(p->slot[MO_X], START_X, sizeof START_X);
    memcpy(p->slot[MO_V], START_V, sizeof START_V);
    mo_memory_init(&p->memory, NULL);
    return mo_pool_create(&p->memory, 1, &p->dynamics.pool, error);
}

static void take_steps(pendulums *p, const mo_integrator_type *leapfrog, int64_t steps, double h)
{
    mo_rotation_choice choice = {"quaternion"};
    mo_dynamics *d = &p->dynamics;
    for (int64_t k = 0; k < steps; ++k) {
        d->disturbed = p->age[0] == 0;
        d->oldest = p->age[0];
        leapfrog->step(d, &choice, h);
        d->time += h;
        d->step++;
        memset(p->age, 1, sizeof p->age);
    }
}

/* Adds h a to the stored velocity. */
static void kick(pendulums *p, double h)
{
    accelerate(p, p->dynamics.time, MO_X, MO_V, MO_A);
    for (int k = 0; k < NUMBERS; ++k) {
        p->slot[KEPT][k] += h * p->slot[MO_A][k];
    }
}

static double distance(const double *a, const double *b)
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

/* Oscillator: a step rounds x and v by half a unit each and h a by much less, without growth.
 * Orbit: a change of the energy by rounding changes the mean motion by three times as much, 3 v
 * dv <= 6 units from v and 3 dx/|x|^2 <= 4 units from x, at the pericentre; times half of the
 * total time, the average remaining time, and the 0.5 m/s at the start. */
static void report(validation *v, const pendulums *p, int64_t steps)
{
    static const char NAME[] = "integrators/reversal/leapfrog";
    double flips = 2 * (double)steps, left = flips * STEP / 2;
    double steady = flips * UNIT * 1.5, sheared = flips * 10 * UNIT * left * 0.5;
    const double *x = p->slot[MO_X], *kept = p->slot[KEPT];
    validate_absolute(v, NAME, "oscillator, way from its start [m]", distance(x, START_X), 0,
                      steady);
    validate_absolute(v, NAME, "oscillator, change of velocity [m/s]", distance(kept, START_V), 0,
                      steady);
    validate_absolute(v, NAME, "orbit, way from its start [m]", distance(x + 3, START_X + 3), 0,
                      sheared);
    validate_absolute(v, NAME, "orbit, change of velocity [m/s]", distance(kept + 3, START_V + 3),
                      0, sheared);
}

mote_status integrators_run_reversal(void *context, mote_error *error)
{
    const mo_integrator_type *leapfrog =
        (const mo_integrator_type *)mo_family_find(&mo_integrators, "leapfrog");
    int64_t steps = llround(10 * 2 * PI / STEP);
    pendulums p;
    if (!leapfrog) {
        return mo_fail(error, MOTE_ERROR_USAGE, "there is no leapfrog");
    }
    MO_TRY(start(&p, error));
    take_steps(&p, leapfrog, steps, STEP);
    kick(&p, STEP);
    take_steps(&p, leapfrog, steps, -STEP);
    kick(&p, -0.5 * STEP);
    report(context, &p, steps);
    mo_pool_destroy(p.dynamics.pool);
    return MOTE_OK;
}
