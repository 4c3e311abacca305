/*
 * A fluid in a world: fills, emitters, outflow, culling, and reports.
 */
#include "worlds.h"

#include <math.h>

#define TANK \
    "\"colliders\": [{\"name\": \"tank\", \"inside\": true," \
    " \"shape\": {\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [1, 0.6, 1]}}]"

#define FLUID(more, phases) \
    "{\"time\": {\"end\": 1, \"step\": {\"type\": \"cfl\", \"max\": 0.004}}, \"fluid\": {\"spacing\": " \
    "0.05" more ", \"phases\": " phases "}, " TANK "}"

#define BLOCK \
    "[{\"fill\": [{\"type\": \"box\", \"min\": [0.025, 0.025, 0.025], \"max\": [0.425, 0.575, 0.425]}]}]"

static int64_t count_where(const mote_world *world, bool (*is)(const double *x, const double *v))
{
    int64_t count = 0;
    const double *x = numbers_of(world, "x"), *v = numbers_of(world, "v");
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        count += is(x + 3 * row, v + 3 * row);
    }
    return count;
}

/* ---- reports ---- */

static bool is_outside(const double *x, const double *v)
{
    (void)v;
    return !(x[0] >= 0 && x[0] <= 1 && x[1] >= 0 && x[1] <= 0.6 && x[2] >= 0 && x[2] <= 1);
}

static void it_reports_errors_and_iterations(void **state)
{
    (void)state;
    mote_world *world = world_of(FLUID(", \"relax\": true", BLOCK), 1);
    mote_step_report report;
    mote_error error = {0};
    double mean, most, worst = 0;
    for (int k = 0; k < 50; ++k) {
        assert_int_equal(mote_world_density_error(world, &mean, &most, &error), MOTE_OK);
        assert_int_equal(mote_world_step(world, &report, &error), MOTE_OK);
        /* a step reports the density error of its initial state */
        assert_true(report.density_error == mean && report.density_error_max == most);
        assert_true(report.iterations >= 2 && report.divergence_iterations >= 1);
        worst = k > 0 && most > worst ? most : worst;
    }
    mote_fluid_summary summary = mote_world_fluid(world);
    assert_int_equal(summary.particles, 8 * 11 * 8);
    assert_int_equal(summary.boundary, 0); /* a continuum has no particles */
    assert_int_equal(summary.steps, 50);
    assert_int_equal(summary.states, 49);
    assert_true(summary.iterations >= 100 && summary.density_error_max == worst);
    assert_true(summary.density_error_sum / 49 < 1e-3);
    assert_int_equal(count_where(world, is_outside), 0);
    mote_world_destroy(world);
}

/* Density measurements between steps do not change the state. */
static void looking_changes_nothing(void **state)
{
    (void)state;
    mote_world *queried = world_of(FLUID("", BLOCK), 1), *alone = world_of(FLUID("", BLOCK), 2);
    double mean, most;
    for (int k = 0; k < 20; ++k) {
        assert_int_equal(mote_world_density_error(queried, &mean, &most, NULL), MOTE_OK);
        step_by(queried, 1);
        step_by(alone, 1);
    }
    assert_same_state(queried, alone);
    mote_world_destroy(queried);
    mote_world_destroy(alone);
}

/* ---- at the start ---- */

/* Particles that start too close to each other separate fast; relaxed ones do not. */
static double fastest_after_a_step(const char *text)
{
    mote_world *world = world_of(text, 1);
    double most = 0;
    step_by(world, 1);
    const double *v = numbers_of(world, "v");
    for (int64_t k = 0; k < 3 * mote_world_rows(world, 0); ++k) {
        most = fabs(v[k]) > most ? fabs(v[k]) : most;
    }
    mote_world_destroy(world);
    return most;
}

static void relaxed_fluids_do_not_jump(void **state)
{
    (void)state;
    double jumps = fastest_after_a_step(FLUID(", \"mass_scale\": 1.1", BLOCK)),
           stays = fastest_after_a_step(FLUID(", \"mass_scale\": 1.1, \"relax\": true", BLOCK));
    assert_true(jumps > 2 * stays);
    assert_true(stays < 0.1); /* 9.81 m/s^2 in 4 ms is 0.04 m/s */
}

static void overlaps_are_left_out(void **state)
{
    (void)state;
    mote_world *world = world_of(
        FLUID(
            "",
            "[{\"name\": \"water\", \"fill\": [{\"type\": \"box\", \"min\": [-0.225, 0.025, 0.025], \"max\": "
            "[0.425, 0.575, 0.425]}]},"
            " {\"name\": \"oil\", \"fill\": [{\"type\": \"box\", \"min\": [0.225, 0.025, 0.025], \"max\": "
            "[0.625, "
            "0.575, 0.425]}]}]"),
        1);
    const int32_t *phase = integers_of(world, "phase");
    int64_t of[2] = {0};
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        of[phase[row]]++;
    }
    assert_int_equal(of[0], 9 * 11 * 8); /* from the wall on: nine layers in 8.5 spacings */
    assert_int_equal(of[1], 4 * 11 * 8); /* four layers are within the water */
    assert_int_equal(mote_world_fluid(world).culled, 4 * 11 * 8);
    need_warning(world, "fluid.phases[1].fill[0]: removed 352 of 704 particles of 'oil' at start: "
                        "inside an earlier fill");
    mote_world_destroy(world);
}

/* Fills adjacent to a collider begin at its surface: no particle is culled, the first ones are
 * half a spacing from it, and the mass is that of the volume. */
static void fills_begin_at_surfaces(void **state)
{
    static const char BOX[] =
        "{\"time\": {\"end\": 1, \"step\": 0.001}, \"fluid\": {\"spacing\": 0.05%s, \"phases\":"
        " [{\"fill\": [{\"type\": \"box\", \"min\": [%g, -0.3, 0], \"max\": [0.4, 2, 0.42]}]}]}, " TANK
        "}";
    static const char *const BOUNDARIES[] = {"", ", \"boundary\": \"samples\"",
                                             ", \"boundary\": \"geometric\""};
    static const double FROM[] = {0, -0.013, -0.4};
    (void)state;
    for (size_t k = 0; k < 9; ++k) {
        mote_world *world = world_printf(1, BOX, BOUNDARIES[k / 3], FROM[k % 3]);
        const double *x = numbers_of(world, "x");
        double least = 1;
        for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
            least = fmin(least, fmin(x[3 * row], fmin(x[3 * row + 1], 0.6 - x[3 * row + 1])));
        }
        assert_near(least, 0.025, 1e-9);
        assert_int_equal(mote_world_fluid(world).culled, 0);
        assert_near(measures_of(world).mass, 1000 * 0.4 * 0.6 * 0.42, 1e-6);
        mote_world_destroy(world);
    }
}

/* ---- emitters and outflow ---- */

#define NOZZLE \
    ", \"emitters\": [{\"center\": [0.2, 0.3, 0.5], \"direction\": [1, 0, 0], \"width\": 0.2, \"height\": " \
    "0.15, " \
    "\"flow_rate\": 0.03, \"start\": 0.02, \"stop\": 0.3}]"

/* 12 particles of 1.25e-4 m^3 per layer: 0.03 m^3/s are 20 layers per second, one every 0.05 s,
 * of 1 m/s. */
static void emitters_keep_their_rate(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        mote_world *world = world_of(FLUID(NOZZLE, "[{}]"), 1);
        mote_error error = {0};
        int64_t due[] = {0, 12, 24, 36, 48, 60, 72, 72};
        double times[] = {0.019, 0.021, 0.071, 0.121, 0.171, 0.221, 0.271, 0.6};
        for (int i = 0; i < 8; ++i) {
            for (double t = mote_world_time(world); k == 1 && t < times[i]; t += 0.0007) {
                assert_int_equal(
                    mote_world_advance(world, fmin(t + 0.0007, times[i]), NULL, &error), MOTE_OK);
            }
            advance_to(world, times[i]);
            assert_int_equal(mote_world_rows(world, 0), due[i]);
        }
        assert_int_equal(mote_world_fluid(world).emitted, 72);
        mote_world_destroy(world);
    }
}

/* While prescribed, layers are a spacing apart, and the density does not exceed that of a filled
 * lattice. */
static void layers_are_a_spacing_apart(void **state)
{
    (void)state;
    mote_world *world = world_of(FLUID(NOZZLE, "[{}]"), 1);
    mote_error error = {0};
    double mean, most;
    advance_to(world, 0.2);
    const double *x = numbers_of(world, "x");
    int64_t led = 0;
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        double layer = (x[3 * row] - (0.2 + 1 * (0.2 - 0.02))) / 0.05;
        led += x[3 * row] < 0.3;
        assert_true(x[3 * row] >= 0.3 || fabs(layer - round(layer)) < 1e-9);
    }
    assert_int_equal(led, 2 * 12);
    assert_int_equal(mote_world_density_error(world, &mean, &most, &error), MOTE_OK);
    assert_true(most < 1e-3);
    mote_world_destroy(world);
}

static void emitters_pause_at_the_most(void **state)
{
    (void)state;
    mote_world *world = world_of(FLUID(NOZZLE ", \"max_particles\": 40", "[{}]"), 1);
    advance_to(world, 0.4);
    assert_int_equal(mote_world_rows(world, 0), 36);
    need_warning(world, "fluid.max_particles");
    mote_world_destroy(world);
}

/* At the end of the run the layer index exceeds the resolution of time. */
static void emitters_run_for_ever(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"time\": {\"end\": 1e18, \"step\": 0.01, \"fps\": 1e-12}, \"fluid\": {\"spacing\": 0.05, "
        "\"phases\": [{}], \"emitters\": [{\"center\": [0, 0, 0], \"direction\": [0, 0, -1], "
        "\"width\": 0.1, \"speed\": 1}]}}",
        1);
    step_by(world, 11);
    assert_int_equal(mote_world_fluid(world).emitted, 3 * 4);
    mote_world_destroy(world);
}

static void too_many_layers_at_once_are_an_error(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"time\": {\"end\": 1, \"step\": 0.01}, \"fluid\": {\"spacing\": 0.001, "
        "\"phases\": [{}], \"emitters\": [{\"center\": [0, 0, 0], \"direction\": [0, 0, -1], "
        "\"width\": 0.002, \"speed\": 5e5}]}}",
        1);
    mote_error error = {0};
    assert_int_equal(mote_world_step(world, NULL, &error), MOTE_ERROR_NUMERIC);
    assert_says(error.text, "fluid.emitters[0]: 5000000 layers would be emitted in the step");
    mote_world_destroy(world);
}

static bool is_high(const double *x, const double *v)
{
    (void)v;
    return x[2] > 0.3;
}

static void escaped_particles_are_removed(void **state)
{
    (void)state;
    mote_world *world = world_of(
        FLUID(
            ", \"remove\": [{\"shape\": {\"type\": \"box\", \"min\": [-9, -9, 0.3], \"max\": [9, 9, 9]}}]",
            BLOCK),
        2);
    int64_t high = count_where(world, is_high), rows = mote_world_rows(world, 0);
    assert_true(high > 100);
    step_by(world, 1);
    assert_int_equal(count_where(world, is_high), 0);
    assert_int_equal(mote_world_fluid(world).removed, rows - mote_world_rows(world, 0));
    assert_int_equal(mote_world_body(world, 0).count, mote_world_rows(world, 0));
    mote_world_destroy(world);
}

/* Emission and removal: a snapshot continues bitwise, without allocation for more rows. */
static void snapshots_include_added_and_removed_particles(void **state)
{
    (void)state;
    static const char SCENE[] = FLUID(
        NOZZLE
        ", \"remove\": [{\"shape\": {\"type\": \"box\", \"min\": [0.6, 0, 0], \"max\": [1, 1, 1]}}]",
        BLOCK);
    mote_world *world = world_of(SCENE, 1), *other = world_of(SCENE, 2);
    mote_error error = {0};
    mote_snapshot *snapshot = NULL;
    advance_to(world, 0.13);
    snapshot = snapshot_of(world);
    advance_to(world, 0.4);
    assert_true(mote_world_fluid(world).emitted == 72 && mote_world_fluid(world).removed > 0);
    assert_int_equal(mote_world_restore(other, snapshot, &error), MOTE_OK);
    advance_to(other, 0.4);
    assert_same_state(world, other);
    mote_snapshot_destroy(snapshot);
    mote_world_destroy(world);
    mote_world_destroy(other);
}

static void need_same_loads(mote_world *a, mote_world *b)
{
    double of_a[6], of_b[6];
    observe(a, 0, of_a);
    observe(b, 0, of_b);
    assert_memory_equal(of_a, of_b, sizeof of_a);
    assert_true(of_a[2] < 0); /* supported by the floor */
}

/* Loads on colliders are the same after a density measurement, with new rows, in a restored
 * world, and after its next step. */
static void loads_survive_measurements_and_snapshots(void **state)
{
    (void)state;
    static const char SCENE[] =
        "{\"time\": {\"end\": 1, \"step\": {\"type\": \"cfl\", \"max\": 0.004}}, "
        "\"fluid\": {\"spacing\": 0.05" NOZZLE ", \"relax\": true, \"phases\": " BLOCK
        "}, \"observables\": [\"collider_load\"], " TANK "}";
    mote_world *world = world_of(SCENE, 1), *looked = world_of(SCENE, 1),
               *other = world_of(SCENE, 2);
    mote_error error = {0};
    for (int k = 1; k <= 12; ++k) {
        double mean, most;
        advance_to(world, 0.02 * k);
        advance_to(looked, 0.02 * k);
        assert_int_equal(mote_world_density_error(looked, &mean, &most, &error), MOTE_OK);
        need_same_loads(world, looked);
    }
    mote_snapshot *snapshot = through_a_file(snapshot_of(world));
    need(mote_world_restore(other, snapshot, &error), &error, "restore");
    need_same_loads(world, other);
    step_by(world, 1);
    step_by(other, 1);
    need_same_loads(world, other);
    need(mote_world_restore(world, snapshot, &error), &error, "restore"); /* to an earlier time */
    need_same_loads(looked, world);
    mote_snapshot_destroy(snapshot);
    mote_world_destroy(world);
    mote_world_destroy(looked);
    mote_world_destroy(other);
}

/* ---- gravity ---- */

/* Reversed after 0.1 s: a drop and a free particle fall down and up alike. */
static void gravity_follows_its_curve(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"time\": {\"end\": 1, \"step\": 0.001}, \"gravity_scale\": [[0, 1], [0.1, 1], [0.1000001, -1]],"
        " \"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 5]]}}],"
        " \"fluid\": {\"spacing\": 0.1, \"phases\": [{\"fill\": [{\"type\": \"box\", \"min\": [0, 0, 0],"
        "   \"max\": [0.2, 0.2, 0.2]}]}]}}",
        1);
    advance_to(world, 0.1);
    for (int s = 0; s < 2; ++s) {
        assert_true(fabs(numbers_in(world, s, "v")[2] - (-0.981)) < 1e-9);
    }
    advance_to(world, 0.3);
    for (int s = 0; s < 2; ++s) {
        assert_true(fabs(numbers_in(world, s, "v")[2] - (0.981)) < 0.02);
    }
    mote_world_destroy(world);
}

/* ---- penetration of boundaries ---- */

static bool is_not_finite(const double *x, const double *v)
{
    return !isfinite(x[0] + x[1] + x[2] + v[0] + v[1] + v[2]);
}

static void penetrations_of_walls_are_counted(void **state)
{
    (void)state;
    mote_world *world =
        world_of("{\"time\": {\"end\": 1, \"step\": 0.02}, \"fluid\": {\"spacing\": 0.05, "
                 "\"phases\": [{\"velocity\": [60, 0, 0],"
                 "  \"fill\": [{\"type\": \"box\", \"min\": [0.025, 0.025, 0.025], \"max\": "
                 "[0.425, 0.575, 0.425]}]}]}, " TANK "}",
                 1);
    mote_step_report report;
    mote_error error = {0};
    assert_int_equal(mote_world_step(world, &report, &error), MOTE_OK);
    assert_true(report.penetrations > 0 && report.penetrations <= mote_world_rows(world, 0));
    assert_int_equal(count_where(world, is_outside), 0);
    assert_int_equal(count_where(world, is_not_finite), 0);
    assert_int_equal(mote_world_fluid(world).penetrations, report.penetrations);
    need_warning(world, "penetrated the boundary of 'tank' in one step and were put back inside");
    need_warning(world,
                 "penetrated their container in one step: the results are invalid from here on");
    mote_world_destroy(world);
}

static bool is_left(const double *x, const double *v)
{
    (void)v;
    return x[0] < 0.4;
}

/* A plate of a tenth of a spacing between water and air, with a jet. */
static void thin_plates_are_walls(void **state)
{
    static const char SCENE[] =
        "{\"up\": \"y\", \"time\": {\"end\": 9, \"step\": {\"type\": \"cfl\", \"max\": 0.004}}, \"fluid\":"
        " {\"dimension\": 2, \"spacing\": 0.02, \"phases\": [{\"velocity\": [5, 0, 0], \"fill\":"
        "   [{\"type\": \"box\", \"min\": [0.01, 0.01, -1], \"max\": [0.379, 0.39, 1]}]}]},"
        " \"colliders\": [{\"name\": \"tank\", \"inside\": true,"
        "   \"shape\": {\"type\": \"box\", \"min\": [0, 0, -1], \"max\": [0.8, 0.6, 1]}},"
        "   {\"name\": \"plate\", \"shape\": {\"type\": \"box\", \"min\": [0.399, -0.1, -1], \"max\": "
        "[0.401, 0.7, 1]}}]}";
    (void)state;
    mote_world *world = world_of(SCENE, 1);
    int64_t there = mote_world_rows(world, 0);
    assert_true(there > 300);
    advance_to(world, 0.4);
    assert_int_equal(count_where(world, is_left), there);
    mote_world_destroy(world);
}

/* ---- unsuitable parameters ---- */

static bool is_told(const char *text, const char *part)
{
    mote_world *world = world_of(text, 1);
    bool told = warning_with(world, part) != NULL;
    mote_world_destroy(world);
    return told;
}

/* In three dimensions the sums of spiky with R = 2 are 1.24, those of cubic 1.00 and 1.56 with 1.2
 * (docs/fluids.md). */
static void unsuitable_kernels_are_warned_about(void **state)
{
    static const char DENSE[] = "times the rest density", GRIP[] = "hardly repelled";
    (void)state;
    assert_true(is_told(FLUID(", \"support\": 1.2", BLOCK), "has 1.56 times the rest density"));
    assert_true(
        is_told(FLUID(", \"kernel\": \"spiky\"", BLOCK), "has 1.24 times the rest density"));
    assert_false(is_told(FLUID("", BLOCK), DENSE));
    assert_false(is_told(FLUID(", \"kernel\": \"spiky\", \"mass_scale\": 0.85", BLOCK), DENSE));
    assert_true(is_told(
        FLUID(", \"kernel\": \"spiky\", \"pressure\": {\"type\": \"wcsph\", \"kernel\": \"poly6\"}",
              BLOCK),
        GRIP));
    assert_true(is_told(FLUID(", \"kernel\": \"wendland_c4\", \"support\": 3,"
                              " \"pressure\": {\"type\": \"wcsph\", \"kernel\": \"poly6\"}",
                              BLOCK),
                        GRIP));
    assert_false(is_told(
        FLUID(", \"kernel\": \"poly6\", \"pressure\": {\"type\": \"wcsph\", \"kernel\": \"spiky\"}",
              BLOCK),
        GRIP));
    assert_false(is_told(FLUID(", \"kernel\": \"poly6\", \"pressure\": \"wcsph\"", BLOCK), GRIP));
}

#define OPENING(radius) \
    ", \"emitters\": [{\"shape\": \"disc\", \"radius\": " radius ", \"center\": [0.5, 0.3, 0.5]," \
    " \"direction\": [1, 0, 0], \"speed\": 1}]"

static void missing_quantities_are_reported(void **state)
{
    static const char OUTSIDE[] =
        "[{\"name\": \"oil\", \"fill\": [{\"type\": \"box\", \"min\": [2, 0, 0], "
        "\"max\": [2.2, 0.2, 0.2]}]}]";
    char text[1200];
    (void)state;
    snprintf(text, sizeof text, FLUID("", "%s"), OUTSIDE);
    assert_true(is_told(text, "'oil' has 0 particles: all overlap with colliders"));
    assert_true(is_told(FLUID("", "[{}]"), "has 0 particles, neither a fill nor an emitter"));
    assert_false(is_told(FLUID(OPENING("0.1"), "[{}]"), "has 0 particles"));
    assert_true(
        is_told(FLUID(OPENING("0.001"), "[{}]"), "is discretised by 1 particles of 0.05 m"));
    assert_false(is_told(FLUID(OPENING("0.1"), "[{}]"), "an opening of"));
}

/* Volume in one second through openings of various sizes: area times speed, up to a layer. */
static void openings_have_their_flow_rate(void **state)
{
    static const struct {
        const char *opening;
        double area;
    } CASES[] = {{"\"radius\": 0.08", 3.14159265 * 0.08 * 0.08},
                 {"\"radius\": 0.06", 3.14159265 * 0.06 * 0.06},
                 {"\"radius\": 0.04", 3.14159265 * 0.04 * 0.04},
                 {"\"width\": 0.12, \"height\": 0.09", 0.12 * 0.09}};
    (void)state;
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; ++k) {
        mote_world *world = world_printf(
            1,
            "{\"time\": {\"end\": 9, \"step\": 0.01}, \"gravity\": [0, 0, 0], \"fluid\": {\"spacing\": 0.04,"
            " \"phases\": [{}], \"emitters\": [{\"direction\": [1, 0, 0], \"center\": [0, 0, 0],"
            " \"speed\": 1, %s}]}}",
            CASES[k].opening);
        step_by(world, 200);
        double volume = measures_of(world).mass / 1000, most = 0;
        const double *x = numbers_of(world, "x"), *v = numbers_of(world, "v");
        for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
            most = fmax(most, fmax(fabs(x[3 * row + 1]), fabs(v[3 * row + 1])));
        }
        print_message("%s: %.4f of area times speed, spread to %.3f\n", CASES[k].opening,
                      volume / (2 * CASES[k].area), most);
        assert_near(volume, 2 * CASES[k].area, 0.03 * 2 * CASES[k].area);
        mote_world_destroy(world);
    }
}

/* ---- walls ---- */

#define PLANES(far) \
    "{\"time\": {\"end\": 1, \"step\": 0.001}, \"fluid\": {\"spacing\": 0.05, \"boundary\": \"samples\", " \
    "\"phases\": " BLOCK \
    "}, \"colliders\": [{\"shape\": {\"type\": \"plane\"}}, {\"name\": \"far\", \"shape\": {\"type\": " \
    "\"plane\"," \
    " \"point\": [" far ", 0, 0], \"normal\": [-1, 0, 0]}}]}"

/* Unbounded walls extend as far as the others, also where the fluid has not been. */
static void planes_are_sampled_where_they_are(void **state)
{
    (void)state;
    mote_world *near = world_of(PLANES("1.5"), 1), *far = world_of(PLANES("50"), 1);
    assert_null(warning_with(near, "too far from the fluid"));
    need_warning(far, "colliders[1] 'far': it is too far from the fluid to be sampled");
    assert_true(mote_world_fluid(near).boundary > 2 * mote_world_fluid(far).boundary);
    mote_world_destroy(near);
    mote_world_destroy(far);
}

/* A tank in uniform motion with its water is quiescent. */
static void steady_motion_is_rest(void **state)
{
    static const char *const SOLVERS[] = {"dfsph", "iisph", "pbf"};
    (void)state;
    for (int k = 0; k < 3; ++k) {
        mote_world *world = world_printf(
            1,
            "{\"time\": {\"end\": 1, \"step\": 0.004}, \"fluid\": {\"spacing\": 0.04, \"pressure\": \"%s\","
            " \"viscosity\": {\"type\": \"laplacian\", \"nu\": 0.005}, \"phases\": [{\"velocity\": [2, 0, 0],"
            "  \"fill\": [{\"type\": \"box\", \"min\": [0.02, 0.02, 0.02], \"max\": [0.34, 0.34, 0.34]}]}]},"
            " \"colliders\": [{\"inside\": true, \"motion\": {\"type\": \"translate\", \"velocity\": [2, 0, "
            "0]},"
            "  \"shape\": {\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [0.36, 0.36, 1]}}]}",
            SOLVERS[k]);
        step_by(world, 100);
        mote_measures m = measures_of(world);
        print_message("%s: %.5f of the energy, %.5f of the momentum\n", SOLVERS[k],
                      m.kinetic / (2 * m.mass), m.momentum[0] / (2 * m.mass));
        assert_true(fabs(m.kinetic / (2 * m.mass) - 1) < 0.005);
        assert_true(fabs(m.momentum[0] / (2 * m.mass) - 1) < 0.002);
        mote_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_reports_errors_and_iterations),
        cmocka_unit_test(looking_changes_nothing),
        cmocka_unit_test(relaxed_fluids_do_not_jump),
        cmocka_unit_test(overlaps_are_left_out),
        cmocka_unit_test(fills_begin_at_surfaces),
        cmocka_unit_test(emitters_keep_their_rate),
        cmocka_unit_test(layers_are_a_spacing_apart),
        cmocka_unit_test(emitters_pause_at_the_most),
        cmocka_unit_test(emitters_run_for_ever),
        cmocka_unit_test(too_many_layers_at_once_are_an_error),
        cmocka_unit_test(escaped_particles_are_removed),
        cmocka_unit_test(snapshots_include_added_and_removed_particles),
        cmocka_unit_test(gravity_follows_its_curve),
        cmocka_unit_test(loads_survive_measurements_and_snapshots),
        cmocka_unit_test(penetrations_of_walls_are_counted),
        cmocka_unit_test(thin_plates_are_walls),
        cmocka_unit_test(unsuitable_kernels_are_warned_about),
        cmocka_unit_test(missing_quantities_are_reported),
        cmocka_unit_test(openings_have_their_flow_rate),
        cmocka_unit_test(planes_are_sampled_where_they_are),
        cmocka_unit_test(steady_motion_is_rest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
