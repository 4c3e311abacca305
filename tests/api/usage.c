/*
 * Use and misuse of the public interface.
 */
#include "worlds.h"

#include <math.h>

static const char FALL[] =
    "{\"time\": {\"end\": 1, \"step\": 0.001}, \"integrator\": \"rk4\", \"bodies\": [{\"name\": "
    "\"a\", \"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 10], [1, 0, 10]]}}]}";

static void a_world_outlives_its_scene_and_falls(void **state)
{
    (void)state;
    mote_world *world = world_of(FALL, 0);
    mote_error error;
    mote_step_report report;
    assert_int_equal(mote_world_advance(world, 0.5, &report, &error), MOTE_OK);
    assert_true(fabs(mote_world_time(world) - 0.5) < 1e-12);
    assert_int_equal(mote_world_steps(world), 500);
    assert_int_equal(report.step, 500);
    assert_int_equal(report.evaluations, 4);
    assert_string_equal(report.limited_by, "fixed");
    assert_true(fabs(numbers_of(world, "x")[2] - (10 - 0.5 * 9.81 * 0.25)) < 1e-10);
    mote_world_destroy(world);
}

static void views_are_consistent(void **state)
{
    (void)state;
    mote_world *world = world_of(FALL, 0);
    mote_column c;
    mote_body body;
    assert_int_equal(mote_world_system_count(world), 1);
    assert_int_equal(mote_world_system_find(world, "forces"), 0);
    assert_int_equal(mote_world_system_find(world, "nothing"), -1);
    assert_null(mote_world_system_name(world, 7));
    assert_int_equal(mote_world_rows(world, 0), 2);
    assert_int_equal(mote_world_rows(world, -1), 0);
    assert_false(mote_world_column(world, 0, 1000, &c));
    assert_false(mote_world_column_find(world, 0, "nothing", &c));
    for (int k = 0; k < mote_world_column_count(world, 0); ++k) {
        assert_true(mote_world_column(world, 0, k, &c));
        assert_int_equal(c.rows, 2);
        assert_true(strlen(c.name) > 0 && strlen(c.unit) > 0 && c.components > 0);
    }
    assert_true(mote_world_body_find(world, "a", &body));
    assert_int_equal(body.count, 2);
    assert_false(mote_world_body_find(world, "b", &body));
    assert_null(mote_world_body(world, 9).name);
    assert_string_equal(mote_world_warning(world, 3).text, "");
    assert_null(mote_world_stage(world, -1).name);
    mote_world_destroy(world);
}

/* A spring to the origin by callback: x'' = -100 x. */
static void pull(void *context, const mote_force_view *view)
{
    double stiffness = *(double *)context;
    for (int64_t row = view->first; row < view->last; ++row) {
        for (int k = 0; k < 3; ++k) {
            view->f[3 * row + k] -=
                view->mass[row] * (stiffness * view->x[3 * row + k] + (k == 2 ? -9.81 : 0));
        }
    }
}

static void a_callback_adds_a_force(void **state)
{
    (void)state;
    double stiffness = 100;
    mote_world *world = world_of(FALL, 0);
    mote_error error;
    assert_int_equal(mote_world_add_force(world, pull, &stiffness, &error), MOTE_OK);
    assert_int_equal(mote_world_advance(world, 1, NULL, &error), MOTE_OK);
    assert_true(fabs(numbers_of(world, "x")[2] - 10 * cos(10.0)) < 1e-7);
    mote_world_destroy(world);
}

static void a_callback_without_bodies_is_refused(void **state)
{
    (void)state;
    mote_world *world = world_of("{\"time\": {\"end\": 1, \"step\": 0.1}}", 0);
    mote_error error;
    assert_int_equal(mote_world_add_force(world, pull, NULL, &error), MOTE_ERROR_USAGE);
    assert_says(error.text, "no bodies");
    /* an empty world has a clock */
    assert_int_equal(mote_world_step(world, NULL, &error), MOTE_OK);
    mote_world_destroy(world);
}

static void writing_state_needs_invalidation(void **state)
{
    (void)state;
    mote_error error;
    mote_world *world = world_with_integrator(FALL, "velocity_verlet", 0);
    mote_step_report report;
    assert_int_equal(mote_world_step(world, &report, &error), MOTE_OK);
    assert_int_equal(report.evaluations, 2); /* the first step has no history */
    assert_int_equal(mote_world_step(world, &report, &error), MOTE_OK);
    assert_int_equal(report.evaluations, 1);
    numbers_of(world, "x")[2] = 20;
    mote_world_invalidate(world, 0);
    assert_int_equal(mote_world_step(world, &report, &error), MOTE_OK);
    assert_int_equal(report.evaluations, 2);
    mote_world_destroy(world);
}

static void errors_may_be_ignored(void **state)
{
    (void)state;
    mote_scene *scene = NULL;
    mote_world *world = NULL;
    assert_int_equal(mote_scene_parse("{", &scene, NULL), MOTE_ERROR_INPUT);
    assert_int_equal(mote_scene_load("does/not/exist.json", &scene, NULL), MOTE_ERROR_INPUT);
    assert_int_equal(mote_scene_parse("{}", &scene, NULL), MOTE_OK);
    assert_int_equal(mote_world_create(scene, NULL, &world, NULL), MOTE_ERROR_INPUT);
    assert_null(world);
    mote_scene_destroy(scene);
    mote_scene_destroy(NULL);
    mote_world_destroy(NULL);
    mote_text_free(NULL);
}

static void impossible_threads_are_refused(void **state)
{
    (void)state;
    mote_config config = mote_config_default();
    mote_scene *scene = scene_of(FALL);
    mote_world *world;
    mote_error error;
    for (int k = 0; k < 2; ++k) {
        config.threads = k ? -1 : 100000;
        assert_int_equal(mote_world_create(scene, &config, &world, &error), MOTE_ERROR_USAGE);
        assert_says(error.text, "threads");
    }
    mote_scene_destroy(scene);
}

static void not_a_number_stops_the_step(void **state)
{
    (void)state;
    mote_world *world = world_of(FALL, 0);
    mote_error error;
    numbers_of(world, "v")[4] = NAN;
    assert_int_equal(mote_world_step(world, NULL, &error), MOTE_ERROR_NUMERIC);
    assert_says(error.text, "particle 1 of 'a'");
    assert_says(error.text, "Likely cause");
    mote_world_destroy(world);
}

typedef struct counter {
    int64_t calls, live;
} counter;

static void *count_allocate(void *context, size_t bytes, size_t alignment)
{
    counter *c = context;
    c->calls++;
    c->live++;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void count_release(void *context, void *memory, size_t bytes)
{
    (void)bytes;
    ((counter *)context)->live--;
    free(memory);
}

/* Two bodies, contacts, moving pins, a variable step: no allocation after a hundred steps. */
static const char BUSY[] =
    "{\"time\": {\"end\": 1, \"step\": {\"type\": \"cfl\", \"max\": 0.0002}}, \"integrator\": "
    "\"velocity_verlet\","
    " \"bodies\": [{\"mesh\": {\"type\": \"cloth\", \"columns\": 90, \"rows\": 90, \"origin\": [0, 0, 0.1]},"
    "  \"density\": 1, \"radius\": 0.005, \"model\": {\"type\": \"spring\", \"k\": 5, \"damping_spring\": "
    "0.001},"
    "  \"pins\": [{\"set\": \"u0v0\", \"motion\": {\"type\": \"rotate\", \"speed\": 1}}]}],"
    " \"colliders\": [{\"shape\": {\"type\": \"sphere\", \"center\": [0.5, 0.5, 0], \"radius\": 0.1}}]}";

static void no_allocation_after_warm_up(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; ++threads) {
        counter count = {0};
        mote_config config = mote_config_default();
        mote_error error;
        config.threads = threads;
        config.allocator = (mote_allocator){count_allocate, count_release, &count};
        mote_world *world = world_of_last(scene_of(BUSY), &config);
        assert_true(count.calls > 0);
        for (int k = 0; k < 100; ++k) {
            assert_int_equal(mote_world_step(world, NULL, &error), MOTE_OK);
        }
        int64_t before = count.calls;
        for (int k = 0; k < 300; ++k) {
            assert_int_equal(mote_world_step(world, NULL, &error), MOTE_OK);
        }
        assert_int_equal(count.calls, before);
        assert_int_equal(mote_world_allocations(world), count.calls);
        mote_world_destroy(world);
        assert_int_equal(count.live, 0);
    }
}

typedef struct failing {
    int64_t calls, fail_at, live;
} failing;

static void *fail_allocate(void *context, size_t bytes, size_t alignment)
{
    failing *f = context;
    if (f->calls++ == f->fail_at) {
        return NULL;
    }
    f->live++;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void fail_release(void *context, void *memory, size_t bytes)
{
    (void)bytes;
    ((failing *)context)->live--;
    free(memory);
}

/* Every allocation during the creation of a world fails once: an error without leak or crash. */
static void failing_allocations_are_errors(void **state)
{
    (void)state;
    mote_scene *scene = scene_of(BUSY);
    mote_error error;
    int64_t failures = 0;
    for (int64_t at = 0;; ++at) {
        failing f = {.fail_at = at};
        mote_config config = mote_config_default();
        mote_world *world = NULL;
        config.threads = 2;
        config.allocator = (mote_allocator){fail_allocate, fail_release, &f};
        mote_status status = mote_world_create(scene, &config, &world, &error);
        if (status == MOTE_OK) {
            mote_world_destroy(world);
            assert_int_equal(f.live, 0);
            break;
        }
        assert_int_equal(status, MOTE_ERROR_MEMORY);
        assert_null(world);
        assert_int_equal(f.live, 0);
        ++failures;
    }
    assert_true(failures > 20);
    mote_scene_destroy(scene);
}

static void two_worlds_do_not_meet(void **state)
{
    (void)state;
    mote_world *a = world_of(FALL, 0), *b = world_of(FALL, 0);
    mote_error error;
    for (int k = 0; k < 10; ++k) {
        assert_int_equal(mote_world_step(a, NULL, &error), MOTE_OK);
    }
    assert_int_equal(mote_world_steps(b), 0);
    for (int k = 0; k < 10; ++k) {
        assert_int_equal(mote_world_step(b, NULL, &error), MOTE_OK);
    }
    assert_true(mote_world_state_hash(a) == mote_world_state_hash(b));
    assert_int_equal(mote_world_step(b, NULL, &error), MOTE_OK);
    assert_true(mote_world_state_hash(a) != mote_world_state_hash(b));
    mote_world_destroy(a);
    mote_world_destroy(b);
}

static void log_hears_warnings(void *context, mote_log_level level, const char *text)
{
    if (level == MOTE_LOG_WARNING && strstr(text, "Courant")) {
        ++*(int *)context;
    }
}

static void the_courant_number_is_reported(void **state)
{
    (void)state;
    int heard = 0;
    mote_config config = mote_config_default();
    config.log = log_hears_warnings;
    config.log_context = &heard;
    mote_world *world = world_of_last(
        scene_of(
            "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.1}, \"bodies\": [{\"radius\": "
            "0.1, \"velocity\": [3, 4, 0], \"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, "
            "0]]}}]}"),
        &config);
    mote_error error;
    mote_step_report report;
    for (int k = 0; k < 3; ++k) {
        assert_int_equal(mote_world_step(world, &report, &error), MOTE_OK);
    }
    assert_true(fabs(report.courant - 5 * 0.1 / 0.2) < 1e-12);
    assert_int_equal(report.courant_id, 0);
    assert_int_equal(heard, 1);
    assert_int_equal(mote_world_warning_count(world), 1);
    assert_int_equal(mote_world_warning(world, 0).count, 3);
    mote_world_destroy(world);
}

/* Each with the name of the argument; the world is unchanged. */
static void need_usage(mote_status status, const mote_error *error, const char *function,
                       const char *name)
{
    char argument[64];
    snprintf(argument, sizeof argument, "'%s'", name);
    assert_int_equal(status, MOTE_ERROR_USAGE);
    if (!strstr(error->text, function) || !strstr(error->text, argument)) {
        fail_msg("'%s' does not name %s and %s", error->text, function, argument);
    }
}

static void times_are_finite_and_ahead(void **state)
{
    (void)state;
    mote_world *world = world_of(FALL, 0);
    mote_error error;
    const double bad[] = {NAN, INFINITY, -INFINITY, 0.1, -1};
    assert_int_equal(mote_world_advance(world, 0.2, NULL, &error), MOTE_OK);
    uint64_t hash = mote_world_state_hash(world);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        need_usage(mote_world_advance(world, bad[k], NULL, &error), &error, "mote_world_advance",
                   "time");
    }
    /* the current time, or up to a step before it: no step */
    assert_int_equal(mote_world_advance(world, 0.2, NULL, &error), MOTE_OK);
    assert_int_equal(mote_world_advance(world, 0.1995, NULL, &error), MOTE_OK);
    assert_int_equal(mote_world_steps(world), 200);
    assert_true(mote_world_state_hash(world) == hash);
    mote_world_destroy(world);
}

static void numbers_out_of_range_are_named(void **state)
{
    (void)state;
    mote_world *world = world_of(FALL, 0);
    mote_error error;
    double numbers[8] = {0};
    uint8_t gone[2] = {0};
    char *text, label[4] = "abc";
    mote_cells cells;
    for (int k = 0; k < 2; ++k) {
        int system = k ? 1 : -1, count = k ? 0 : -1;
        need_usage(mote_world_remove(world, system, gone, &error), &error, "mote_world_remove",
                   "system");
        need_usage(mote_world_cells(world, system, &cells, &error), &error, "mote_world_cells",
                   "system");
        need_usage(mote_world_observe(world, system, numbers, &error), &error, "mote_world_observe",
                   "index");
        need_usage(mote_world_modes(world, count, numbers, NULL, &error), &error,
                   "mote_world_modes", "count");
        need_usage(mote_catalog_list(NULL, (mote_text_format)(k ? 7 : -1), &text, &error), &error,
                   "mote_catalog_list", "format");
        need_usage(mote_catalog_explain("rk4", (mote_text_format)(k ? 7 : -1), &text, &error),
                   &error, "mote_catalog_explain", "format");
        assert_int_equal(mote_world_rows(world, system), 0);
        assert_int_equal(mote_world_edges(world, system, NULL), 0);
        assert_int_equal(mote_world_worker_blocks(world, k ? 1000 : -1), 0);
        assert_int_equal(mote_world_observable_size(world, system), 0);
        assert_false(mote_world_advice(world, k ? NAN : -1, 0, 0, NULL));
        assert_false(mote_world_skin_interpolate(world, system, 0, "x", numbers));
    }
    mote_world_observable_label(world, 9, 0, label, sizeof label);
    assert_string_equal(label, "");
    mote_world_destroy(world);
}

static void options_out_of_range_are_named(void **state)
{
    (void)state;
    mote_world *world = world_of(FALL, 0);
    mote_error error;
    mote_surface *surface;
    const double x[3] = {0}, bad_spacing[] = {-1, NAN, INFINITY};
    const mote_static_options statics[] = {
        {NAN, 1e-8, 9}, {0, 0, 9}, {0, NAN, 9}, {0, 2, 9}, {0, 1e-8, 0}};
    const char *const names[] = {"options.time", "options.tolerance", "options.tolerance",
                                 "options.tolerance", "options.iterations"};
    for (size_t k = 0; k < sizeof statics / sizeof *statics; ++k) {
        need_usage(mote_world_solve_static(world, &statics[k], NULL, &error), &error,
                   "mote_world_solve_static", names[k]);
    }
    need_usage(mote_surface_create(-1, x, NULL, &surface, &error), &error, "mote_surface_create",
               "count");
    need_usage(mote_surface_create(1, NULL, NULL, &surface, &error), &error, "mote_surface_create",
               "x");
    for (size_t k = 0; k < sizeof bad_spacing / sizeof *bad_spacing; ++k) {
        mote_surface_options options = mote_surface_options_default();
        options.spacing = bad_spacing[k];
        need_usage(mote_surface_create(1, x, &options, &surface, &error), &error,
                   "mote_surface_create", "options.spacing");
    }
    for (int k = 0; k < 2; ++k) {
        mote_surface_options options = mote_surface_options_default();
        options.field_count = k ? 1 : -1;
        need_usage(mote_surface_create(1, x, &options, &surface, &error), &error,
                   "mote_surface_create", k ? "options.fields" : "options.field_count");
    }
    mote_world_destroy(world);
}

static void particles_out_of_range_are_named(void **state)
{
    (void)state;
    mote_world *world = world_of(FALL, 0);
    mote_error error;
    const double x[3] = {0};
    const struct {
        mote_particles particles;
        const char *name;
    } bad[] = {{{.count = 0, .x = x}, "count"},
               {{.count = -1, .x = x}, "count"},
               {{.count = 1}, "x"},
               {{.count = 1, .x = x, .radius = -1}, "radius"},
               {{.count = 1, .x = x, .radius = NAN}, "radius"},
               {{.count = 1, .x = x, .radius = INFINITY}, "radius"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        need_usage(mote_world_add(world, &bad[k].particles, NULL, &error), &error,
                   "particles to add", bad[k].name);
    }
    assert_int_equal(mote_world_rows(world, 0), 2);
    mote_world_destroy(world);
}

static void hooks_of_memory_go_together(void **state)
{
    (void)state;
    mote_scene *scene = scene_of(FALL);
    mote_world *world;
    mote_error error;
    mote_config config = mote_config_default();
    config.allocator.allocate = count_allocate;
    assert_int_equal(mote_world_create(scene, &config, &world, &error), MOTE_ERROR_USAGE);
    assert_says(error.text, "config.allocator");
    assert_null(world);
    mote_scene_destroy(scene);
}

/* Ids are unique in the world and count from 0, system by system: the id of the fastest particle
 * identifies it and its system. */
static void ids_are_of_the_world(void **state)
{
    static const char TWO[] =
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.01}, \"bodies\": [{\"name\": \"a\","
        " \"radius\": 0.05, \"velocity\": [%s, 0, 0], \"mesh\": {\"type\": \"points\", \"positions\": [[9, "
        "9, 9]]}}],"
        " \"fluid\": {\"spacing\": 0.1, \"phases\": [{\"velocity\": [12, 0, 0], \"fill\": [{\"type\": "
        "\"box\","
        " \"min\": [0, 0, 0], \"max\": [0.2, 0.2, 0.2]}]}]}}";
    enum { WATER = 8 };
    (void)state;
    for (int k = 0; k < 2; ++k) {
        mote_world *world = world_printf(0, TWO, k ? "1" : "30");
        mote_error error;
        mote_step_report report;
        mote_body body;
        assert_int_equal(mote_world_step(world, &report, &error), MOTE_OK);
        assert_true(report.courant > 1);
        assert_string_equal(mote_world_system_name(world, report.courant_system),
                            k ? "fluid" : "forces");
        int fluid = mote_world_system_find(world, "fluid"),
            forces = mote_world_system_find(world, "forces");
        assert_int_equal(mote_world_rows(world, fluid), WATER);
        for (int64_t row = 0; row < WATER; ++row) {
            assert_int_equal(ids_of(world, fluid)[row], row);
        }
        assert_int_equal(ids_of(world, forces)[0], WATER);
        assert_true(k ? report.courant_id < WATER : report.courant_id == WATER);
        assert_true(mote_world_body_find(world, "a", &body));
        assert_int_equal(body.system, forces);
        assert_int_equal(body.first, 0);
        assert_true(mote_world_body_find(world, "fluid", &body));
        assert_int_equal(body.system, fluid);
        assert_int_equal(body.first, 0);
        /* a new particle has the next id, and its body gives its row */
        const double x[3] = {9, 9, 8};
        mote_particles one = {.count = 1, .x = x};
        assert_int_equal(mote_world_add(world, &one, &body, &error), MOTE_OK);
        assert_int_equal(body.system, forces);
        assert_int_equal(body.first, 1);
        assert_int_equal(ids_of(world, forces)[1], WATER + 1);
        mote_world_destroy(world);
    }
}

/* Each with the name of its field. */
static void impossible_run_options_are_refused(void **state)
{
    (void)state;
    mote_scene *scene = scene_of(FALL);
    mote_error error = {0};
    enum { CASES = 12 };
    mote_run_options o[CASES];
    const char *names[CASES] = {
        "config.threads",  "frames", "checkpoint_keep",  "change_count",     "until",
        "until",           "until",  "checkpoint_every", "checkpoint_every", "checkpoint_every",
        "checkpoint_wall", "changes"};
    for (int k = 0; k < CASES; ++k) {
        o[k] = mote_run_options_default();
    }
    o[0].config.threads = -1;
    o[1].frames = -2;
    o[2].checkpoint_keep = -1;
    o[3].change_count = -1;
    o[4].until = -1;
    o[5].until = INFINITY;
    o[6].until = -INFINITY;
    o[7].checkpoint_every = -1e-9;
    o[8].checkpoint_every = INFINITY;
    o[9].checkpoint_every = -INFINITY;
    o[10].checkpoint_wall = -1;
    o[11].change_count = 1;
    for (int k = 0; k < CASES; ++k) {
        assert_int_equal(mote_run(scene, &o[k], NULL, &error), MOTE_ERROR_USAGE);
        assert_memory_equal(error.text, names[k], strlen(names[k]));
        assert_int_equal(mote_run(scene, &o[k], NULL, NULL), MOTE_ERROR_USAGE);
    }
    assert_int_equal(mote_run(NULL, NULL, NULL, &error), MOTE_ERROR_USAGE);
    mote_run_options options = mote_run_options_default();
    options.until = 0.01;
    assert_int_equal(mote_run(scene, &options, NULL, &error), MOTE_OK);
    mote_scene_destroy(scene);
}

static void impossible_surface_and_mode_options_are_refused(void **state)
{
    (void)state;
    mote_scene *scene = scene_of(FALL);
    mote_error error = {0};
    double omega;
    enum { CASES = 5 };
    mote_surface_run_options o[CASES];
    const char *names[CASES] = {"config.threads", "frames", "field_count", "until", "directory"};
    for (int k = 0; k < CASES; ++k) {
        o[k] = mote_surface_run_options_default();
        o[k].directory = k == 4 ? NULL : "mote_usage_never_made";
    }
    o[0].surface.config.threads = -1;
    o[1].frames = -2;
    o[2].field_count = -1;
    o[3].until = -1;
    for (int k = 0; k < CASES; ++k) {
        assert_int_equal(mote_surface_scene(scene, &o[k], &error), MOTE_ERROR_USAGE);
        assert_memory_equal(error.text, names[k], strlen(names[k]));
    }
    mote_config config = mote_config_default();
    config.threads = -1;
    assert_int_equal(mote_run_modes(scene, NULL, NULL, 0, false, &omega, &error), MOTE_ERROR_USAGE);
    assert_int_equal(mote_run_modes(scene, &config, NULL, 1, false, &omega, &error),
                     MOTE_ERROR_USAGE);
    mote_scene_destroy(scene);
}

static bool at_once(void *context)
{
    ++*(int *)context;
    return true;
}

/* A long solve polls for cancellation between its iterations. */
static void solves_can_be_cancelled(void **state)
{
    (void)state;
    static const char BLOCK[] =
        "{\"time\": {\"end\": 1, \"step\": 0.01}, \"bodies\": [{\"mesh\": {\"type\": \"block\", \"nx\": "
        "3,"
        " \"ny\": 3, \"nz\": 3}, \"density\": 1, \"model\": {\"type\": \"spring\", \"k\": 10},"
        " \"pins\": [{\"nodes\": [0, 1, 2, 3, 4, 5, 6, 7, 8]}]}]}";
    int asked = 0;
    double omega[3];
    mote_error error = {0};
    mote_config config = mote_config_default();
    config.cancel = at_once;
    config.cancel_context = &asked;
    mote_world *world = world_of_last(scene_of(BLOCK), &config);
    assert_int_equal(mote_world_modes(world, 3, omega, NULL, &error), MOTE_CANCELLED);
    assert_int_equal(asked, 1);
    assert_int_equal(mote_world_solve_static(world, NULL, NULL, &error), MOTE_CANCELLED);
    assert_int_equal(asked, 2);
    mote_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_outlives_its_scene_and_falls),
        cmocka_unit_test(views_are_consistent),
        cmocka_unit_test(a_callback_adds_a_force),
        cmocka_unit_test(a_callback_without_bodies_is_refused),
        cmocka_unit_test(writing_state_needs_invalidation),
        cmocka_unit_test(errors_may_be_ignored),
        cmocka_unit_test(impossible_threads_are_refused),
        cmocka_unit_test(impossible_run_options_are_refused),
        cmocka_unit_test(impossible_surface_and_mode_options_are_refused),
        cmocka_unit_test(solves_can_be_cancelled),
        cmocka_unit_test(not_a_number_stops_the_step),
        cmocka_unit_test(no_allocation_after_warm_up),
        cmocka_unit_test(failing_allocations_are_errors),
        cmocka_unit_test(two_worlds_do_not_meet),
        cmocka_unit_test(the_courant_number_is_reported),
        cmocka_unit_test(times_are_finite_and_ahead),
        cmocka_unit_test(numbers_out_of_range_are_named),
        cmocka_unit_test(options_out_of_range_are_named),
        cmocka_unit_test(particles_out_of_range_are_named),
        cmocka_unit_test(hooks_of_memory_go_together),
        cmocka_unit_test(ids_are_of_the_world)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
