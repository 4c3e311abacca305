/*
 * Implicit steps, static equilibrium and natural frequencies, compared with closed forms.
 */
#include "worlds.h"

#include <math.h>

static const double PI = 3.14159265358979323846, G = 9.81;

static mote_step_report report_after(mote_world *world, int count)
{
    mote_step_report report = {0};
    mote_error error = {0};
    for (int k = 0; k < count; ++k) {
        if (mote_world_step(world, &report, &error) != MOTE_OK) {
            fail_msg("%s", error.text);
        }
    }
    return report;
}

/* ---- Newton's method ---- */

/* A cloth in motion: springs in tension, compression and rotation in one step. */
static const char THROWN[] =
    "{\"time\": {\"end\": 1, \"step\": 0.02}, \"integrator\": {\"type\": \"implicit_euler\", \"iterations\": "
    "%d,"
    " \"tolerance\": 1e-14, \"definite\": %s, \"matrix_free\": %s, \"line_search\": %s,"
    " \"solver\": {\"type\": \"cg\", \"tolerance\": 1e-14}},"
    " \"bodies\": [{\"mass\": 0.1, \"mesh\": {\"type\": \"cloth\", \"columns\": 9, \"rows\": 8},"
    " \"model\": {\"type\": \"spring\", \"k\": 20, \"damping_viscous\": 0.01}, \"pins\": [{\"set\": "
    "\"u0v0\"}]}],"
    " \"forces\": [{\"type\": \"drag\", \"quadratic\": 0.01}]}";

static void throw_it(mote_world *world)
{
    double *v = numbers_of(world, "v"), *x = numbers_of(world, "x");
    for (int64_t row = 1; row < mote_world_rows(world, 0); ++row) {
        v[3 * row] = 0.5 * x[3 * row + 1];
        v[3 * row + 1] = -1.5 * x[3 * row];
        v[3 * row + 2] = 2 * sin(5 * x[3 * row]);
    }
    mote_world_invalidate(world, 0);
}

static double residual_after(int iterations, const char *definite)
{
    mote_world *world = world_printf(1, THROWN, iterations, definite, "false", "false");
    throw_it(world);
    double residual = report_after(world, 1).newton_residual;
    mote_world_destroy(world);
    return residual;
}

/* With the exact Jacobian convergence is quadratic; with the definite one it is linear. */
static void newton_converges_quadratically(void **state)
{
    double r[7];
    (void)state;
    for (int k = 2; k < 7; ++k) {
        r[k] = residual_after(k, "false");
    }
    print_message("residuals %.1e %.1e %.1e %.1e %.1e\n", r[2], r[3], r[4], r[5], r[6]);
    assert_true(r[6] < 1e-11);
    assert_true(r[3] > 1e-8); /* above rounding */
    assert_true(log(r[4]) / log(r[3]) > 1.8);
    assert_true(residual_after(30, "true") < 1e-10);
}

/* A torsion spring about z: only the orientation is stiff. Without a Jacobian a plain
 * fixed-point iteration multiplies its error by h^2 k/I. */
static const char TURNED[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.01}, \"integrator\": {\"type\": \"%s\","
    " \"iterations\": %d, \"tolerance\": %g}, \"bodies\": [{\"oriented\": true, \"turned\": [0, 0, 0.5],"
    " \"inertia\": [1e-3, 1e-3, 1e-3], \"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 0]]}}]}";

static void turn_back(void *context, const mote_force_view *view)
{
    double stiffness = *(const double *)context;
    for (int64_t row = view->first; row < view->last; ++row) {
        view->torque[3 * row + 2] -= stiffness * 2 * atan2(view->q[4 * row + 3], view->q[4 * row]);
    }
}

typedef struct turning {
    double angle, speed, residual;
    int warnings;
} turning;

static turning turn(const char *integrator, double stiffness, int iterations, double tolerance)
{
    mote_error error = {0};
    mote_world *world = world_printf(1, TURNED, integrator, iterations, tolerance);
    assert_int_equal(mote_world_add_force(world, turn_back, &stiffness, &error), MOTE_OK);
    int before = mote_world_warning_count(world);
    double residual = report_after(world, 1).newton_residual;
    const double *q = numbers_of(world, "q");
    turning t = {2 * atan2(q[3], q[0]), numbers_of(world, "w")[2], residual,
                 mote_world_warning_count(world) - before};
    mote_world_destroy(world);
    return t;
}

/* The tolerance covers orientations: a step within it agrees with a converged one to as many
 * digits, and an unconverged one reports its residual. At h^2 k/I = 0.5 and 5. */
static void check_turning(const char *integrator, double stiffness)
{
    turning exact = turn(integrator, stiffness, 200, 1e-14),
            good = turn(integrator, stiffness, 200, 1e-6),
            bad = turn(integrator, stiffness, 2, 1e-6);
    double off = fabs(good.speed / exact.speed - 1), far = fabs(bad.speed / exact.speed - 1);
    print_message("%s, %g N m: residuals %.1e %.1e %.1e, errors %.1e and %.1e\n", integrator,
                  stiffness, exact.residual, good.residual, bad.residual, off, far);
    assert_true(exact.residual <= 1e-14 && exact.warnings == 0);
    assert_true(fabs(exact.angle) < 0.5);
    assert_true(good.residual > 0 && good.residual <= 1e-6 && good.warnings == 0);
    assert_true(off < 5e-6 && fabs(good.angle / exact.angle - 1) < 5e-6);
    assert_true(far > 1e-4);
    assert_true(bad.residual > 0.1 * fmin(1, far) && bad.warnings == 1);
}

static void orientations_converge_to_the_tolerance(void **state)
{
    static const char *const INTEGRATORS[] = {"implicit_euler", "implicit_midpoint", "bdf2",
                                              "newmark"};
    (void)state;
    for (size_t k = 0; k < sizeof INTEGRATORS / sizeof *INTEGRATORS; ++k) {
        check_turning(INTEGRATORS[k], 5);
        check_turning(INTEGRATORS[k], 50);
    }
}

/* Assembled and matrix-free: the same motion up to rounding. */
static void matrix_free_is_the_same_motion(void **state)
{
    char text[2][1200];
    mote_world *world[2];
    (void)state;
    for (int k = 0; k < 2; ++k) {
        snprintf(text[k], sizeof text[k], THROWN, 3, "true", k ? "true" : "false", "true");
        world[k] = world_of(text[k], 1);
        throw_it(world[k]);
        report_after(world[k], 10);
    }
    const double *a = numbers_of(world[0], "x"), *b = numbers_of(world[1], "x");
    for (int64_t k = 0; k < 3 * mote_world_rows(world[0], 0); ++k) {
        assert_true(fabs(a[k] - b[k]) < 1e-9);
    }
    mote_world_destroy(world[0]);
    mote_world_destroy(world[1]);
}

/* A stiff block moved by a prescribed pin at uniform velocity is not deformed by steps of any
 * size. */
static void prescribed_paths_are_followed(void **state)
{
    static const char *const SCHEMES[] = {"implicit_euler", "linear_implicit", "implicit_midpoint",
                                          "bdf2", "newmark"};
    (void)state;
    for (size_t s = 0; s < sizeof SCHEMES / sizeof *SCHEMES; ++s) {
        mote_world *world = world_printf(
            1,
            "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 9, \"step\": 0.5}, \"integrator\": \"%s\", "
            "\"bodies\": ["
            "{\"mass\": 1, \"velocity\": [1, 2, 0], \"mesh\": {\"type\": \"block\", \"nx\": 4, \"ny\": "
            "4, \"nz\": 4},"
            " \"model\": {\"type\": \"spring\", \"k\": 1e5, \"damping_spring\": 10}, \"pins\": "
            "[{\"set\": \"z0\","
            " \"motion\": {\"type\": \"translate\", \"velocity\": [1, 2, 0]}}]}]}",
            SCHEMES[s]);
        double start[3 * 64];
        memcpy(start, numbers_of(world, "x"), sizeof start);
        report_after(world, 10);
        const double *x = numbers_of(world, "x");
        for (int k = 0; k < 3 * 64; ++k) {
            double way = k % 3 == 0 ? 5 : k % 3 == 1 ? 10 : 0;
            if (!(fabs(x[k] - start[k] - way) < 1e-6)) {
                fail_msg("%s: number %d is %g m off its path", SCHEMES[s], k,
                         x[k] - start[k] - way);
            }
        }
        mote_world_destroy(world);
    }
}

/* k h^2/m is 10^5: a cloth far beyond the limit of explicit schemes settles. */
static void large_steps_are_stable(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"time\": {\"end\": 9, \"step\": 0.05}, \"integrator\": \"implicit_euler\", \"bodies\": "
        "[{\"density\": 0.2,"
        " \"mesh\": {\"type\": \"cloth\", \"columns\": 21, \"rows\": 21}, \"model\": {\"type\": \"spring\","
        " \"k\": 500}, \"pins\": [{\"set\": \"u0v0\"}, {\"set\": \"u1v0\"}]}]}",
        1);
    mote_measures m;
    report_after(world, 100);
    assert_int_equal(mote_world_measure(world, &m, NULL), MOTE_OK);
    assert_true(m.kinetic < 1e-3 && m.potential < -0.3);
    mote_world_destroy(world);
}

/* ---- static equilibrium ---- */

#define ROPE(to) \
    "{\"time\": {\"end\": 1, \"step\": 0.01}, \"bodies\": [{\"density\": 0.3, \"mesh\": {\"type\": " \
    "\"rope\"," \
    " \"start\": [0, 0, 0], \"end\": " to \
    ", \"segments\": 20}, \"model\": {\"type\": \"spring\", \"k\": 40}," \
    " \"pins\": [{\"nodes\": [0]}]}]}"

/* Each segment supports the weight below it: its extension is L w/k. */
static void check_rope(const char *text)
{
    mote_world *world = world_of(text, 1);
    mote_static_report report = solve_static(world);
    const double *x = numbers_of(world, "x"), *mass = numbers_of(world, "mass");
    double below = 0, length = 1.0 / 20;
    for (int k = 20; k > 0; --k) {
        below += mass[k] * G;
        double found = hypot(hypot(x[3 * k] - x[3 * k - 3], x[3 * k + 1] - x[3 * k - 2]),
                             x[3 * k + 2] - x[3 * k - 1]);
        assert_true(fabs(found - length * (1 + below / 40)) < 1e-8);
        assert_true(x[3 * k - 1] - x[3 * k + 2] > 0.999 * found);
    }
    assert_true(report.residual < 1e-8);
    for (int k = 0; k < 63; ++k) {
        assert_true(numbers_of(world, "v")[k] == 0);
    }
    mote_world_destroy(world);
}

static void ropes_hang_down(void **state)
{
    (void)state;
    check_rope(ROPE("[0, 0, -1]"));
    check_rope(ROPE("[1, 0, 0]"));     /* initially horizontal */
    check_rope(ROPE("[0, 0.8, 0.6]")); /* and above */
}

static void a_falling_body_has_no_equilibrium(void **state)
{
    mote_error error = {0};
    mote_world *world =
        world_of("{\"time\": {\"end\": 1, \"step\": 0.01}, \"bodies\": [{\"mesh\": {\"type\": "
                 "\"block\", \"nx\": 3, \"ny\": 3,"
                 " \"nz\": 3}, \"model\": {\"type\": \"spring\", \"k\": 40}}]}",
                 1);
    mote_static_options options = mote_static_options_default();
    options.iterations = 60;
    (void)state;
    assert_int_equal(mote_world_solve_static(world, &options, NULL, &error), MOTE_ERROR_NUMERIC);
    assert_says(error.text, "no static equilibrium");
    assert_says(error.text, "pins");
    mote_world_destroy(world);
}

/* A straight column with one free end: it stays straight below Euler's load, pi^2 E I/(4 L^2) =
 * 20.6 N, here slightly more due to stiff elements; far above, it buckles. */
static void columns_buckle(void **state)
{
    (void)state;
    for (int heavy = 0; heavy < 2; ++heavy) {
        double aside = 0;
        mote_world *world = world_printf(
            1,
            "{\"time\": {\"end\": 1, \"step\": 0.01}, \"gravity\": [0, 0, 0], \"bodies\": [{\"mesh\": "
            "{\"type\":"
            " \"block\", \"max\": [0.1, 0.1, 1], \"nx\": 3, \"ny\": 3, \"nz\": 21, \"tetrahedra\": 5}, "
            "\"density\":"
            " 1000, \"model\": {\"type\": \"fem\", \"material\": {\"type\": \"corotated\", \"young\": 1e6,"
            " \"poisson\": 0}}, \"pins\": [{\"set\": \"z0\"}],"
            " \"loads\": [{\"set\": \"z1\", \"force\": [0, 0, %d]}]}]}",
            heavy ? -80 : -15);
        solve_static(world);
        const double *x = numbers_of(world, "x");
        for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
            aside = fmax(aside, hypot(x[3 * row] - 0.05, x[3 * row + 1] - 0.05));
        }
        assert_true(heavy ? aside > 0.3 : aside < 0.08);
        assert_int_equal(mote_world_warning_count(world), heavy);
        mote_world_destroy(world);
    }
}

/* ---- natural frequencies ---- */

/* Five masses on a line, one end fixed: 2 sqrt(k/m) sin((2 j - 1) pi/(4 N + 2)), with free
 * transverse motion. */
static void a_chain_has_its_frequencies(void **state)
{
    double omega[15], shapes[15 * 18];
    (void)state;
    mote_world *world = world_of(
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.01}, \"bodies\": [{\"mass\": 3,"
        " \"mesh\": {\"type\": \"points\", \"positions\": [[0,0,0],[1,0,0],[2,0,0],[3,0,0],[4,0,0],"
        "[5,0,0]], \"edges\": [0,1,1,2,2,3,3,4,4,5]}, \"model\": {\"type\": \"spring\","
        " \"k_length\": 50}, \"pins\": [{\"nodes\": [0]}]}]}",
        1);
    assert_int_equal(mote_world_modes(world, 15, omega, shapes, NULL), MOTE_OK);
    const double *mass = numbers_of(world, "mass");
    for (int j = 0; j < 10; ++j) {
        assert_true(omega[j] < 1e-3);
    }
    for (int j = 1; j <= 5; ++j) {
        double exact = 2 * sqrt(50 / 0.5) * sin((2 * j - 1) * PI / 22), unit = 0;
        assert_true(fabs(omega[9 + j] - exact) < 1e-7 * exact);
        for (int k = 0; k < 18; ++k) {
            unit += mass[k / 3] * shapes[(9 + j) * 18 + k] * shapes[(9 + j) * 18 + k];
        }
        assert_true(fabs(unit - 1) < 1e-9);
        assert_true(shapes[(9 + j) * 18] == 0); /* fixed */
    }
    mote_world_destroy(world);
}

/* A hanging chain oscillates at j/2 sqrt(g/L), j the zeros of J_0, in both directions: D.
 * Bernoulli 1733. */
static void a_hanging_chain_swings(void **state)
{
    static const double ZEROS[] = {2.404825557695773, 5.520078110286311, 8.653727912911013};
    double omega[6];
    (void)state;
    mote_world *world = world_of(
        "{\"time\": {\"end\": 1, \"step\": 0.01}, \"bodies\": [{\"density\": 0.3, \"mesh\": {\"type\":"
        " \"rope\", \"start\": [0, 0, 0], \"end\": [0, 0, -1], \"segments\": 200}, \"model\":"
        " {\"type\": \"spring\", \"k\": 1e6}, \"pins\": [{\"nodes\": [0]}]}]}",
        1);
    solve_static(world);
    find_modes(world, 6, omega);
    for (int j = 0; j < 6; ++j) {
        double exact = 0.5 * ZEROS[j / 2] * sqrt(G);
        if (!(fabs(omega[j] - exact) < 1e-3 * exact)) {
            fail_msg("frequency %d is %.6g, not %.6g rad/s", j, omega[j], exact);
        }
    }
    mote_world_destroy(world);
}

/* A free block has six rigid-body modes of zero frequency. */
static void free_bodies_have_six_rigid_motions(void **state)
{
    double omega[8];
    mote_error error = {0};
    (void)state;
    mote_world *world = world_of(
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.01}, \"bodies\": [{\"mass\": 3,"
        " \"mesh\": {\"type\": \"block\", \"nx\": 6, \"ny\": 5, \"nz\": 4}, \"model\":"
        " {\"type\": \"spring\", \"k\": 100}}]}",
        1);
    find_modes(world, 8, omega);
    for (int j = 0; j < 8; ++j) {
        assert_true(j < 6 ? omega[j] < 1e-2 : omega[j] > 1);
    }
    assert_int_equal(mote_world_modes(world, 10000, omega, NULL, &error), MOTE_ERROR_INPUT);
    mote_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(newton_converges_quadratically),
        cmocka_unit_test(orientations_converge_to_the_tolerance),
        cmocka_unit_test(matrix_free_is_the_same_motion),
        cmocka_unit_test(prescribed_paths_are_followed),
        cmocka_unit_test(large_steps_are_stable),
        cmocka_unit_test(ropes_hang_down),
        cmocka_unit_test(a_falling_body_has_no_equilibrium),
        cmocka_unit_test(columns_buckle),
        cmocka_unit_test(a_chain_has_its_frequencies),
        cmocka_unit_test(a_hanging_chain_swings),
        cmocka_unit_test(free_bodies_have_six_rigid_motions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
