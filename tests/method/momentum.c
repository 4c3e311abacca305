/*
 * Every integrator: conservation of linear and angular momentum of a free body; the order of every
 * integrator.
 */
#include "method/sample.h"

#include "integrate/integrator.h"

/* A free spinning cloth with damping along its springs: internal forces only. */
static const char FREE_BODY[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.0005}, \"bodies\": [{\"mass\": 1,"
    " \"mesh\": {\"type\": \"cloth\", \"columns\": 30, \"rows\": 20},"
    " \"model\": {\"type\": \"spring\", \"k\": 0.05, \"damping_spring\": 0.0001}}]}";

/* v = w x r plus a deformation of the springs. */
static void set_spinning(mote_world *world)
{
    double *x = numbers_of(world, "x"), *v = numbers_of(world, "v");
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        const double *p = x + 3 * row;
        double *u = v + 3 * row;
        u[0] = -2 * p[1] + 0.3 * p[0];
        u[1] = 2 * p[0] - 0.2 * p[1];
        u[2] = 0.5 * p[0] * p[1];
    }
    mote_world_invalidate(world, 0);
}

static double worst_change(const double a[3], const double b[3])
{
    double worst = 0;
    for (int k = 0; k < 3; ++k) {
        worst = fmax(worst, fabs(a[k] - b[k]));
    }
    return worst;
}

typedef struct change {
    double linear, angular;
} change;

/* The change of the momenta in a fifth of a second. */
static change momentum_change(const char *integrator, double h)
{
    char exact[120];
    const mo_descriptor *type = mo_family_find(&mo_integrators, integrator);
    snprintf(exact, sizeof exact,
             "{\"type\": \"%s\", \"solver\": {\"type\": \"cg\", \"tolerance\": 1e-12}}",
             integrator);
    mote_world *world =
        world_with_integrator(FREE_BODY, type->capabilities & MO_IMPLICIT ? exact : integrator, h);
    set_spinning(world);
    mote_measures before = measures_of(world);
    take_steps(world, (int)lround(0.2 / h), integrator);
    mote_measures after = measures_of(world);
    mote_world_destroy(world);
    return (change){worst_change(before.momentum, after.momentum),
                    worst_change(before.angular_momentum, after.angular_momentum)};
}

/* Linear momentum to rounding; angular momentum to rounding or to the scheme's order. */
static void check_momentum(const mo_integrator_type *type)
{
    const char *name = type->base.name;
    double h = 0.0005;
    change coarse = momentum_change(name, h), fine = momentum_change(name, h / 2);
    /* the sums are of order 1 and rounded in each of 400 steps; a scheme with velocities from
     * differences of positions divides that rounding by the step */
    double rounding = 400 * 1e-15 * (strcmp(name, "verlet") == 0 ? 1 / h : 1);
    /* the residual of a linear solver changes the momentum: its tolerance times the root of 600
     * rows, of h f of order 1e-3 */
    rounding += type->base.capabilities & MO_IMPLICIT ? 400 * 25e-15 : 0;
    if (!(coarse.linear < rounding)) {
        fail_msg("%s: momentum changed by %g", name, coarse.linear);
    }
    double order = log2(coarse.angular / fine.angular);
    if (!(coarse.angular < rounding || fine.angular < 1e-13 || order >= type->order - 0.5)) {
        fail_msg("%s: angular momentum changed by %g and %g, order %.2f", name, coarse.angular,
                 fine.angular, order);
    }
}

static void free_body_keeps_momenta(void **state)
{
    (void)state;
    for (int k = 0; k < mo_integrators.count; ++k) {
        check_momentum((const mo_integrator_type *)mo_integrators.methods[k]);
    }
}

/* An oscillator x'' = -w^2 x with w^2 = k_length/m = 4, from x = 1.1 L: the error after one
 * second. */
static const char OSCILLATOR[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.01}, \"bodies\": [{"
    " \"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 0], [1, 0, 0]], \"edges\": [0, 1]}, \"mass\": "
    "2,"
    " \"model\": {\"type\": \"spring\", \"k_length\": 4}, \"pins\": [{\"nodes\": [0]}]}]}";

static double oscillator_error(const char *integrator, double h)
{
    mote_world *world = world_with_integrator(OSCILLATOR, integrator, h);
    double *x = numbers_of(world, "x"), *v = numbers_of(world, "v");
    x[3] = 1.1;
    mote_world_invalidate(world, 0);
    take_steps(world, (int)lround(1 / h), integrator);
    double error = hypot(x[3] - 1 - 0.1 * cos(2.0), (v[3] + 0.2 * sin(2.0)) / 2);
    mote_world_destroy(world);
    return error;
}

static void orders_are_reached(void **state)
{
    (void)state;
    for (int k = 0; k < mo_integrators.count; ++k) {
        const mo_integrator_type *type = (const mo_integrator_type *)mo_integrators.methods[k];
        double coarse = oscillator_error(type->base.name, 1.0 / 128),
               fine = oscillator_error(type->base.name, 1.0 / 256);
        double order = log2(coarse / fine);
        if (!(order >= type->order - 0.1)) {
            fail_msg("%s: order %.3f, claims %d", type->base.name, order, type->order);
        }
    }
}

/* A torque-free asymmetric top. The reference is computed with steps small enough for rk4 to be
 * exact up to rounding. */
static const char TOP[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.01}, \"bodies\": [{\"oriented\": true,"
    " \"inertia\": [1, 2, 3], \"angular_velocity\": [1, 0.5, 0.8], \"turned\": [0.3, 0.2, 0.1],"
    " \"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 0]]}}]}";

static void top_at_one(const char *integrator, double h, double q[4], double w[3])
{
    mote_world *world = world_with_integrator(TOP, integrator, h);
    take_steps(world, (int)lround(1 / h), integrator);
    memcpy(q, numbers_of(world, "q"), 4 * sizeof(double));
    memcpy(w, numbers_of(world, "w"), 3 * sizeof(double));
    mote_world_destroy(world);
}

static double top_error(const char *integrator, double h)
{
    double q[4], w[3], exact_q[4], exact_w[3], sum = 0;
    top_at_one("rk4", 1.0 / 4096, exact_q, exact_w);
    top_at_one(integrator, h, q, w);
    for (int k = 0; k < 4; ++k) {
        sum += (q[k] - exact_q[k]) * (q[k] - exact_q[k]);
    }
    for (int k = 0; k < 3; ++k) {
        sum += (w[k] - exact_w[k]) * (w[k] - exact_w[k]);
    }
    return sqrt(sum);
}

static void check_top(const char *integrator, int claimed)
{
    double coarse = top_error(integrator, 1.0 / 128), fine = top_error(integrator, 1.0 / 256);
    double order = log2(coarse / fine);
    if (!(order >= claimed - 0.1)) {
        fail_msg("%s: order %.3f on the top, claims %d (errors %g, %g)", integrator, order, claimed,
                 coarse, fine);
    }
}

static void tops_reach_the_order(void **state)
{
    (void)state;
    for (int k = 0; k < mo_integrators.count; ++k) {
        const mo_integrator_type *type = (const mo_integrator_type *)mo_integrators.methods[k];
        check_top(type->base.name, type->order);
    }
    check_top("{\"type\": \"explicit_euler\", \"rotation\": \"exponential\"}", 1);
    check_top("{\"type\": \"modified_euler\", \"rotation\": \"exponential\"}", 1);
    check_top("{\"type\": \"leapfrog\", \"rotation\": \"exponential\"}", 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(free_body_keeps_momenta),
                                       cmocka_unit_test(orders_are_reached),
                                       cmocka_unit_test(tops_reach_the_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
