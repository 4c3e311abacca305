/*
 * NULL for every pointer argument of every public function, one at a time. The calls are generated
 * from the headers: arguments marked MOTE_OPTIONAL are accepted, others are rejected by name.
 */
#include "worlds.h"

#ifdef TEST_VIEW
#include <mote/view.h>
#endif

/* A swinging string of three particles. */
static const char SCENE[] =
    "{\"time\": {\"end\": 0.002, \"step\": 0.001}, \"observables\": [\"mean_square_displacement\"],"
    " \"bodies\": [{\"name\": \"a\", \"mass\": 1, \"mesh\": {\"type\": \"rope\", \"segments\": 3, \"start\": "
    "[0, 0, 0], \"end\": [3, 0, 0]},"
    " \"model\": {\"type\": \"spring\", \"k\": 100}, \"pins\": [{\"set\": \"start\"}]}]}";

/* Valid values of the other arguments. */
typedef struct values {
    mote_world *world;
    mote_scene *scene;
    mote_snapshot *snapshot;
    mote_surface *surface;
    mote_search *search;
    mote_probe *probe;
    mote_config config;
    mote_particles particles;
    mote_run_options run;
    mote_surface_options surface_options;
    mote_surface_run_options surface_run;
    mote_static_options statics;
    mote_search_options search_options;
    mote_probe_options probe_options;
    int64_t counts[64];
    bool flag;
    double numbers[64];
    uint8_t gone[64];
    const int32_t *rows;
    char label[64];
    const char *path; /* nonexistent */
    mote_error error;
    /* created by calls */
    mote_world *made_world;
    mote_scene *made_scene;
    mote_snapshot *made_snapshot;
    mote_surface *made_surface;
    mote_search *made_search;
    mote_probe *made_probe;
    char *made_text;
} values;

static void no_force(void *context, const mote_force_view *view)
{
    (void)context, (void)view;
}

/* After every call, which may have created an object. */
static void release(values *v)
{
    mote_world_destroy(v->made_world);
    mote_scene_destroy(v->made_scene);
    mote_snapshot_destroy(v->made_snapshot);
    mote_surface_destroy(v->made_surface);
    mote_search_destroy(v->made_search);
    mote_probe_destroy(v->made_probe);
    mote_text_free(v->made_text);
    v->made_world = NULL;
    v->made_scene = NULL;
    v->made_snapshot = NULL;
    v->made_surface = NULL;
    v->made_search = NULL;
    v->made_probe = NULL;
    v->made_text = NULL;
    v->error = (mote_error){0};
}

static void need_status(mote_status status, const char *function, const char *argument)
{
    if (status != MOTE_ERROR_USAGE) {
        fail_msg("%s with NULL for '%s': %s instead of wrong call", function, argument,
                 mote_status_name(status));
    }
}

static void need_refused(values *v, mote_status status, const char *function, const char *argument)
{
    char expected[200];
    need_status(status, function, argument);
    snprintf(expected, sizeof expected, "%s: the argument '%s' must not be NULL", function,
             argument);
    if (v->error.status != MOTE_ERROR_USAGE || strcmp(v->error.text, expected) != 0) {
        fail_msg("'%s' instead of '%s'", v->error.text, expected);
    }
}

static void need_taken(const values *v, mote_status status, const char *function,
                       const char *argument)
{
    if (status == MOTE_ERROR_USAGE) {
        fail_msg("%s does not take NULL for '%s': %s", function, argument, v->error.text);
    }
}

static void need_number(double found, double expected, const char *function, const char *argument)
{
    if (found != expected) {
        fail_msg("%s with NULL for '%s' returns %g instead of %g", function, argument, found,
                 expected);
    }
}

static void need_null(const void *found, const char *function, const char *argument)
{
    if (found) {
        fail_msg("%s with NULL for '%s' returns something", function, argument);
    }
}

#include "null_calls.inc"

static values *make(void)
{
    values *v = calloc(1, sizeof *v);
    assert_non_null(v);
    *v = (values){.config = mote_config_default(),
                  .run = mote_run_options_default(),
                  .surface_options = mote_surface_options_default(),
                  .surface_run = mote_surface_run_options_default(),
                  .statics = mote_static_options_default(),
                  .search_options = mote_search_options_default(),
                  .probe_options = mote_probe_options_default(),
                  .path = "does/not/exist.json"};
    v->particles = (mote_particles){.count = 1, .x = v->numbers};
    v->scene = scene_of(SCENE);
    v->world = world_of_scene(v->scene, NULL);
    v->snapshot = snapshot_of(v->world);
    assert_int_equal(mote_surface_create(0, NULL, NULL, &v->surface, &v->error), MOTE_OK);
    assert_int_equal(mote_search_create(0, NULL, NULL, &v->search, &v->error), MOTE_OK);
    assert_int_equal(mote_probe_world(v->world, 0, NULL, &v->probe, &v->error), MOTE_OK);
    return v;
}

static void destroy(values *v)
{
    mote_search_destroy(v->search);
    mote_probe_destroy(v->probe);
    mote_surface_destroy(v->surface);
    mote_snapshot_destroy(v->snapshot);
    mote_world_destroy(v->world);
    mote_scene_destroy(v->scene);
    free(v);
}

static void every_function_survives_null(void **state)
{
    (void)state;
    values *v = make();
    call_library(v);
    /* the world as well */
    assert_int_equal(mote_world_step(v->world, NULL, &v->error), MOTE_OK);
    destroy(v);
}

/* Return values for missing objects, as documented. */
static void empty_structs_report_no_values(void **state)
{
    (void)state;
    assert_string_equal(mote_world_warning(NULL, 0).text, "");
    assert_null(mote_world_body(NULL, 0).name);
    assert_int_equal(mote_world_body(NULL, 0).system, -1);
    assert_null(mote_world_stage(NULL, 0).name);
    assert_int_equal(mote_world_fluid(NULL).particles, 0);
    assert_int_equal(mote_surface_get(NULL).vertices, 0);
    assert_false(mote_world_domain(NULL).periodic[0]);
}

/* Output arguments may be NULL. */
static void answers_may_be_unwanted(void **state)
{
    (void)state;
    values *v = make();
    assert_true(mote_world_column(v->world, 0, 0, NULL));
    assert_true(mote_world_column_find(v->world, 0, "x", NULL));
    assert_false(mote_world_column_find(v->world, 0, "nothing", NULL));
    assert_false(mote_world_joint(v->world, 0, NULL));
    assert_false(mote_world_joint_find(v->world, "nothing", 0, NULL));
    assert_true(mote_world_body_find(v->world, "a", NULL));
    assert_false(mote_world_body_find(v->world, "b", NULL));
    assert_int_equal(mote_world_edges(v->world, 0, NULL), mote_world_edges(v->world, 0, &v->rows));
    assert_true(mote_world_advice(v->world, 1, 0, 0, NULL));
    assert_false(mote_world_advice(v->world, 1, 0, 1000, NULL));
    destroy(v);
}

#ifdef TEST_VIEW
static void the_renderer_survives_null(void **state)
{
    (void)state;
    values *v = make();
    call_view(v);
    destroy(v);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_function_survives_null),
#ifdef TEST_VIEW
                                       cmocka_unit_test(the_renderer_survives_null),
#endif
                                       cmocka_unit_test(empty_structs_report_no_values),
                                       cmocka_unit_test(answers_may_be_unwanted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
