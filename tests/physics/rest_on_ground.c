/*
 * Static equilibrium with colliders: the ground supports the weight and no node penetrates it.
 */
#include "worlds.h"

#include <math.h>
#include <string.h>

static mote_static_report rest(mote_world *world)
{
    mote_static_report report = solve_static(world);
    print_message("%lld iterations, residual %.1e, displacement %.3g\n",
                  (long long)report.iterations, report.residual, report.displacement);
    return report;
}

#define BLOCK(z0, z1, friction) \
    "{\"time\": {\"end\": 1, \"step\": 1e-3}, \"integrator\": \"implicit_euler\"," \
    " \"bodies\": [{\"density\": 1000, \"mesh\": {\"type\": \"block\", \"min\": [0, 0, " z0 \
    "], \"max\": [0.2, 0.2, " z1 "], \"nx\": 5, \"ny\": 5, \"nz\": 5, \"tetrahedra\": 5}," \
    "  \"model\": {\"type\": \"fem\", \"material\": {\"type\": \"stvk\", \"young\": 2e4, \"poisson\": " \
    "0.3}}}]," \
    " \"colliders\": [{\"shape\": {\"type\": \"plane\"}, \"friction\": " friction "}]}"

/* The contact forces of the bottom rows equal the weight; residuals elsewhere vanish. */
static void check_support(mote_world *world, double weight)
{
    const double *x = numbers_of(world, "x"), *a = numbers_of(world, "a"),
                 *m = numbers_of(world, "mass");
    double supported = 0, left = 0;
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        assert_true(x[3 * row + 2] >= -1e-12);
        if (x[3 * row + 2] < 1e-9) {
            supported -= m[row] * a[3 * row + 2];
            assert_true(a[3 * row + 2] <= 1e-6); /* no tension in contacts */
        } else {
            left = fmax(left, m[row] * fabs(a[3 * row + 2]));
        }
    }
    print_message("carried %.10g N of %.10g N, left %.1e N\n", supported, weight, left);
    assert_true(fabs(supported - weight) < 1e-6 * weight);
    assert_true(left < 1e-6 * weight);
}

static void the_ground_supports_a_block(void **state)
{
    static const char *const SCENES[] = {BLOCK("0", "0.2", "0"), BLOCK("0", "0.2", "0.5"),
                                         BLOCK("0.01", "0.21", "0"), BLOCK("0.01", "0.21", "5")};
    double top[4], wide[4];
    (void)state;
    for (int k = 0; k < 4; ++k) {
        mote_world *world = world_of(SCENES[k], 1);
        rest(world);
        check_support(world, 8 * 9.81);
        const double *x = numbers_of(world, "x");
        double low = INFINITY, high = -INFINITY;
        top[k] = 0;
        for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
            top[k] = fmax(top[k], x[3 * row + 2]);
            if (x[3 * row + 2] < 1e-9) {
                low = fmin(low, x[3 * row]);
                high = fmax(high, x[3 * row]);
            }
        }
        wide[k] = high - low;
        print_message("height %.6g, width below %.6g\n", top[k], wide[k]);
        mote_world_destroy(world);
    }
    assert_true(top[0] < 0.199 && top[0] > 0.18);        /* sag: rho g h^2/(2 E) is 0.0098 */
    assert_true(fabs(top[0] - top[2]) < 1e-6);           /* the same from above */
    assert_true(wide[0] > 0.2005);                       /* without friction its base spreads */
    assert_true(wide[3] < wide[0] && wide[1] < wide[0]); /* friction reduces the spreading */
}

/* A soft ball in a gutter of two planes. */
static void two_walls_support_a_ball(void **state)
{
    mote_world *world = world_of(
        "{\"time\": {\"end\": 1, \"step\": 1e-3}, \"integrator\": \"implicit_euler\","
        " \"bodies\": [{\"density\": 1000, \"mesh\": {\"type\": \"ball\", \"center\": [0, 0, 0.15], "
        "\"radius\": 0.1},"
        "  \"model\": {\"type\": \"fem\", \"material\": {\"type\": \"corotated\", \"young\": 1e5, "
        "\"poisson\": "
        "0.3}}}],"
        " \"colliders\": [{\"shape\": {\"type\": \"plane\", \"normal\": [1, 0, 1]}},"
        "  {\"shape\": {\"type\": \"plane\", \"normal\": [-1, 0, 1]}}]}",
        1);
    (void)state;
    rest(world);
    const double *x = numbers_of(world, "x"), *a = numbers_of(world, "a"),
                 *m = numbers_of(world, "mass");
    double mass = 0, up = 0, middle = 0;
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        double gap = (x[3 * row + 2] - fabs(x[3 * row])) / sqrt(2);
        assert_true(gap > -1e-9);
        mass += m[row];
        middle += m[row] * x[3 * row];
        up -= gap < 1e-9 ? m[row] * a[3 * row + 2] : 0;
    }
    assert_true(fabs(up - 9.81 * mass) < 1e-5 * mass);
    assert_true(fabs(middle / mass) < 1e-5);
    mote_world_destroy(world);
}

/* In a corner of smooth walls a block spreads along the edge as on the ground: by nu sigma/E. */
static void edges_let_slide_along_them(void **state)
{
    mote_world *world = world_of(
        "{\"time\": {\"end\": 1, \"step\": 1e-3}, \"gravity\": [-4, 0, -9.81],"
        " \"bodies\": [{\"density\": 1000, \"mesh\": {\"type\": \"block\", \"max\": [0.4, 0.4, 0.4], \"nx\": "
        "5,"
        " \"ny\": 5, \"nz\": 5, \"tetrahedra\": 5}, \"model\": {\"type\": \"fem\", \"material\": {\"type\":"
        " \"corotated\", \"young\": 1e6, \"poisson\": 0.3}}}],"
        " \"colliders\": [{\"shape\": {\"type\": \"plane\"}}, {\"shape\": {\"type\": \"plane\", \"normal\":"
        " [1, 0, 0]}}]}",
        1);
    double low = INFINITY, high = -INFINITY;
    (void)state;
    rest(world);
    const double *x = numbers_of(world, "x");
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        if (x[3 * row] < 1e-9 && x[3 * row + 2] < 1e-9) {
            low = fmin(low, x[3 * row + 1]);
            high = fmax(high, x[3 * row + 1]);
        }
    }
    double strain = 0.3 * 1000 * (9.81 + 4) * 0.4 / 1e6;
    print_message("the edge is longer by %.4g, by its stress %.4g\n", high - low - 0.4,
                  0.4 * strain);
    assert_true(high - low - 0.4 > 0.7 * 0.4 * strain && high - low - 0.4 < 1.3 * 0.4 * strain);
    mote_world_destroy(world);
}

/* A plate standing on its lower edge in its plane does not buckle, since it is planar. */
static void plane_bodies_do_not_buckle(void **state)
{
    mote_world *world = world_of(
        "{\"time\": {\"end\": 1, \"step\": 1e-3}, \"gravity\": [0, -9.81, 0], \"bodies\": [{\"density\": 1, "
        "\"mesh\": {\"type\": \"cloth\", \"u\": [1, 0, 0], \"v\": [0, 0.1, 0], \"columns\": 21, \"rows\": 5},"
        " \"model\": {\"type\": \"fem\", \"triangles\": \"plane_stress\", \"thickness\": 0.001, \"material\":"
        " {\"type\": \"corotated\", \"young\": 1e6}}}],"
        " \"colliders\": [{\"shape\": {\"type\": \"plane\", \"normal\": [0, 1, 0]}, \"friction\": 0.5}]}",
        1);
    (void)state;
    rest(world);
    assert_int_equal(mote_world_warning_count(world), 0);
    const double *x = numbers_of(world, "x");
    double top = 0;
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        assert_true(x[3 * row + 2] == 0);
        top = fmax(top, x[3 * row + 1]);
    }
    assert_true(top < 0.1 && top > 0.09995); /* rho g h^2/(2 E) is 4.9e-5 */
    mote_world_destroy(world);
}

#define SHEET(gravity) \
    "{\"time\": {\"end\": 1, \"step\": 1e-4}, \"gravity\": " gravity \
    ", \"bodies\": [{\"density\": 1, " \
    "\"mesh\": {\"type\": \"cloth\", \"u\": [1, 0, 0], \"v\": [0, 1, 0], \"columns\": 3, \"rows\": 3}," \
    " \"model\": {\"type\": \"fem\", \"triangles\": \"plane_stress\", \"material\": {\"type\":" \
    " \"corotated\", \"young\": 1e3}}}]}"

/* Also in a run: out-of-plane motion is reported once. */
static void plane_bodies_should_stay_in_their_plane(void **state)
{
    static const char *const SCENES[] = {SHEET("[0, -9.81, 0]"), SHEET("[0, 0, -9.81]")};
    (void)state;
    for (int k = 0; k < 2; ++k) {
        mote_world *world = world_of(SCENES[k], 1);
        mote_error error = {0};
        for (int step = 0; step < 3; ++step) {
            assert_int_equal(mote_world_step(world, NULL, &error), MOTE_OK);
        }
        assert_int_equal(mote_world_warning_count(world), k);
        mote_world_destroy(world);
    }
}

/* ---- curved colliders ---- */

#define ON_BALL(body, material, z, friction) \
    "{\"time\": {\"end\": 1, \"step\": 1e-3}, \"bodies\": [{" body \
    ", \"material\": {\"type\": \"corotated\", " material \
    "}}}], \"colliders\": [{\"shape\": {\"type\": " \
    "\"sphere\", \"radius\": 0.3, \"center\": [0.03, 0, " z "]}, \"friction\": " friction "}]}"

#define BLOCK_ABOVE \
    "\"density\": 1000, \"mesh\": {\"type\": \"block\", \"min\": [-0.5, -0.5, 0], \"max\": [0.5, 0.5, " \
    "0.3], \"nx\": 9, \"ny\": 9, \"nz\": 4, \"tetrahedra\": 5}, \"pins\": [{\"set\": \"z1\"}], \"model\": " \
    "{\"type\": \"fem\""

#define SKIN_ABOVE \
    "\"density\": 1, \"mesh\": {\"type\": \"cloth\", \"origin\": [-0.5, -0.5, 0.05], \"u\": [1, 0, 0], " \
    "\"v\": [0, 1, 0], \"columns\": 17, \"rows\": 17}, \"pins\": [{\"set\": \"u0\"}, {\"set\": \"u1\"}, " \
    "{\"set\": \"v0\"}, {\"set\": \"v1\"}], \"model\": {\"type\": \"fem\", \"triangles\": \"membrane\", " \
    "\"thickness\": 0.001"

/* Slipping rows on a ball stay on it: contacts are closed, and tangential residuals vanish. */
static void rotating_balls_drag_particles(void **state)
{
    static const char *const SCENES[] = {
        ON_BALL(BLOCK_ABOVE, "\"young\": 1e5, \"poisson\": 0.3", "-0.2", "0"),
        ON_BALL(SKIN_ABOVE, "\"young\": 1e6, \"poisson\": 0.3", "-0.1", "0"),
        ON_BALL(SKIN_ABOVE, "\"young\": 1e6, \"poisson\": 0.3", "-0.1", "0.3")};
    static const double DOWN[] = {-0.2, -0.1, -0.1};
    (void)state;
    for (int k = 0; k < 3; ++k) {
        mote_world *world = world_of(SCENES[k], 1);
        assert_true(rest(world).iterations < 50);
        const double *x = numbers_of(world, "x"), *a = numbers_of(world, "a");
        int64_t supported = 0;
        for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
            mo_vec3 n = mo_sub(mo_vec3_load(x + 3 * row), mo_vec3_make(0.03, 0, DOWN[k]));
            double gap = mo_length(n) - 0.3,
                   press = -mo_dot(mo_vec3_load(a + 3 * row), n) / mo_length(n);
            assert_true(gap > -1e-9);
            supported += gap < 1e-9 && press > 0;
        }
        print_message("the ball carries %lld\n", (long long)supported);
        assert_true(supported > 6);
        mote_world_destroy(world);
    }
}

/* ---- large displacements ---- */

#define SLOPE(friction) \
    "{\"time\": {\"end\": 1, \"step\": 1e-3}, \"bodies\": [{\"density\": 1000, \"mesh\": {\"type\": " \
    "\"block\", " \
    "\"min\": [0, 0, 2], \"max\": [0.4, 0.4, 2.4], \"nx\": 4, \"ny\": 4, \"nz\": 4, \"tetrahedra\": 5}," \
    " \"model\": {\"type\": \"fem\", \"material\": {\"type\": \"corotated\", \"young\": 1e6}}}], " \
    "\"colliders\":" \
    " [{\"shape\": {\"type\": \"plane\", \"normal\": [0.3, 0, 1]}, \"friction\": " friction "}]}"

/* A block above a slope falls on it and sticks by friction; without friction it slides away,
 * which is reported early. */
static void bodies_stick_on_an_incline_by_friction(void **state)
{
    mote_static_report report;
    mote_error error = {0};
    (void)state;
    mote_world *world = world_of(SLOPE("0.5"), 1);
    assert_true(rest(world).displacement < 2.4);
    mote_world_destroy(world);
    world = world_of(SLOPE("0"), 1);
    assert_int_equal(mote_world_solve_static(world, NULL, &report, &error), MOTE_ERROR_NUMERIC);
    assert_says(error.text, "no static equilibrium nearby");
    assert_true(report.displacement < 20);
    mote_world_destroy(world);
}

/* Without load a free body is in equilibrium. */
static void a_free_body_at_rest_stays_at_rest(void **state)
{
    mote_world *world = world_of(
        "{\"time\": {\"end\": 1, \"step\": 1e-3}, \"gravity\": [0, 0, 0], \"bodies\": [{\"mesh\": "
        "{\"type\": \"block\", \"nx\": 3, \"ny\": 3, \"nz\": 3, \"tetrahedra\": 5}, \"model\": {\"type\":"
        " \"fem\", \"material\": {\"type\": \"corotated\", \"young\": 1e6}}}]}",
        1);
    (void)state;
    mote_static_report report = rest(world);
    assert_true(report.displacement == 0 && report.iterations == 0);
    assert_int_equal(mote_world_warning_count(world), 0);
    mote_world_destroy(world);
}

/* ---- contact between bodies ---- */

#define JELLY(min, max, n, young) \
    "{\"density\": 1000, \"mesh\": {\"type\": \"block\", \"min\": " min ", \"max\": " max \
    ", \"nx\": " n ", \"ny\": " n \
    ", \"nz\": 4, \"tetrahedra\": 5}, \"model\": {\"type\": \"fem\", \"material\": {\"type\":" \
    " \"corotated\", \"young\": " young "}}"

/* The lower body supports the weight of both, and the upper one has hardly moved. */
static void check_stack(const char *text, double weight)
{
    mote_world *world = world_of(text, 1);
    mote_static_report report = rest(world);
    const double *x = numbers_of(world, "x"), *a = numbers_of(world, "a"),
                 *m = numbers_of(world, "mass");
    double supported = 0;
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        supported -= x[3 * row + 2] < 1e-9 ? m[row] * a[3 * row + 2] : 0;
    }
    assert_true(fabs(supported - weight) < 1e-5 * weight);
    assert_true(report.displacement < 0.08 && report.iterations < 300);
    mote_world_destroy(world);
}

static void bodies_rest_on_bodies(void **state)
{
    (void)state;
    check_stack(
        "{\"time\": {\"end\": 1, \"step\": 1e-3}, \"body_contact\": {\"stiffness\": 1, \"friction\": 0.5},"
        " \"bodies\": [" JELLY("[0, 0, 0]", "[0.4, 0.4, 0.4]", "5", "1e5") "}, " JELLY(
            "[0.05, 0.05, 0.42]", "[0.35, 0.35, 0.72]", "4",
            "1e5") "}], \"colliders\": [{\"shape\": {\"type\": \"plane\"}, \"friction\": 0.5}]}",
        91 * 9.81);
    check_stack(
        "{\"time\": {\"end\": 1, \"step\": 1e-3}, \"body_contact\": {\"stiffness\": 1, \"friction\": 0.5},"
        " \"bodies\": [" JELLY(
            "[0, 0, 0]", "[1, 1, 0.2]", "7",
            "1e6") "}, {\"mass\": 14, \"mesh\": "
                   "{\"type\": \"ball\", \"center\": [0.5, 0.5, 0.36], \"radius\": 0.15, \"layers\": 3}, "
                   "\"model\": "
                   "{\"type\": \"fem\", \"material\": {\"type\": \"corotated\", \"young\": 1e5}}}],"
                   " \"colliders\": [{\"shape\": {\"type\": \"plane\"}, \"friction\": 0.5}]}",
        214 * 9.81);
}

#define TILTED(pull) \
    "{\"time\": {\"end\": 1, \"step\": 1e-3}, \"gravity\": [" pull \
    ", 0, -9.81], \"body_contact\": {\"stiffness\": " \
    "1, \"friction\": 0.5}, \"bodies\": [" JELLY( \
        "[0, 0, 0]", "[1, 1, 0.2]", "6", \
        "1e6") ", \"pins\": [{\"set\": \"z0\"}]}, " JELLY("[0.3, 0.3, 0.205]", "[0.7, 0.7, 0.4]", \
                                                          "4", "1e6") "}]}"

/* Coulomb's limit: it sticks at 0.4 of the weight and not at 0.6. */
static void bodies_stick_by_friction(void **state)
{
    mote_error error = {0};
    (void)state;
    mote_world *world = world_of(TILTED("3.924"), 1);
    assert_true(rest(world).displacement < 0.05);
    mote_world_destroy(world);
    world = world_of(TILTED("5.886"), 1);
    assert_int_equal(mote_world_solve_static(world, NULL, NULL, &error), MOTE_ERROR_NUMERIC);
    mote_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ground_supports_a_block),
        cmocka_unit_test(two_walls_support_a_ball),
        cmocka_unit_test(edges_let_slide_along_them),
        cmocka_unit_test(plane_bodies_do_not_buckle),
        cmocka_unit_test(plane_bodies_should_stay_in_their_plane),
        cmocka_unit_test(rotating_balls_drag_particles),
        cmocka_unit_test(bodies_stick_on_an_incline_by_friction),
        cmocka_unit_test(a_free_body_at_rest_stays_at_rest),
        cmocka_unit_test(bodies_rest_on_bodies),
        cmocka_unit_test(bodies_stick_by_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
