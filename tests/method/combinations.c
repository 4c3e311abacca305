/*
 * Every integrator with every force and every model, each with a contact, with damping, with orientations, with removal and
 * addition in the middle of the run: no combination is left untested. Each runs on 1 and on 3 threads with the same bits
 * and stays finite.
 */
#include "method/sample.h"

#include "integrate/integrator.h"
#include "particle/force/field.h"
#include "solid/model/model.h"

enum { STEPS = 12 };

typedef enum feature { PLAIN, CONTACT, DAMPING, ORIENTATION, REMOVAL, FEATURES } feature;
static const char *const FEATURE_NAMES[] = {"plain", "contact", "damping", "orientation", "removal"};

static const char BASE[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.0001}, \"bodies\": [{\"mass\": 1,"
    " \"radius\": 0.01, \"mesh\": {\"type\": \"block\", \"nx\": 5, \"ny\": 5, \"nz\": 4},"
    " \"velocity\": [0, 0, -1]}]}";

/* The force or model under test, and the feature it is to be tried with. */
static mote_scene *scene_with(const mo_descriptor *integrator, const mo_descriptor *acting, bool model,
                              feature with)
{
    mote_scene *scene;
    mote_error error = {0};
    assert_int_equal(mote_scene_parse(BASE, &scene, &error), MOTE_OK);
    json_t *method = sample_method(acting);
    set_json(scene, model ? "bodies[0].model" : "forces[0]", method);
    json_decref(method);
    assert_int_equal(mote_scene_set(scene, "integrator", integrator->name, &error), MOTE_OK);
    static const char *const EDITS[FEATURES][3] = {
        [CONTACT] = {"colliders[0]",
                     "{\"shape\": {\"type\": \"plane\", \"point\": [0, 0, 0.02]}, \"restitution\": 0.5,"
                     " \"friction\": 0.3}",
                     NULL},
        [DAMPING] = {"forces[1]", "{\"type\": \"damping_point\", \"g\": 0.01}", NULL},
        [ORIENTATION] = {"bodies[0].oriented", "true", "bodies[0].angular_velocity"},
    };
    const char *path = EDITS[with][0];
    if (path && with == DAMPING && model) {
        path = "forces[0]";
    }
    if (path) {
        assert_int_equal(mote_scene_set(scene, path, EDITS[with][1], &error), MOTE_OK);
    }
    if (EDITS[with][2]) {
        assert_int_equal(mote_scene_set(scene, EDITS[with][2], "[1, 2, 3]", &error), MOTE_OK);
    }
    return scene;
}

static void remove_and_add(mote_world *world)
{
    uint8_t gone[100] = {0};
    double x[3] = {2, 2, 2};
    mote_particles more = {.count = 1, .x = x, .radius = 0.01};
    for (int k = 0; k < 100; k += 9) {
        gone[k] = 1;
    }
    assert_int_equal(mote_world_remove(world, 0, gone, NULL), MOTE_OK);
    assert_int_equal(mote_world_add(world, &more, NULL, NULL), MOTE_OK);
}

/* The state hash at the end. */
static uint64_t run(const mote_scene *scene, feature with, int threads, const char *name)
{
    mote_world *world;
    mote_error error = {0};
    mote_config config = mote_config_default();
    config.threads = threads;
    if (mote_world_create(scene, &config, &world, &error) != MOTE_OK) {
        fail_msg("%s: %s", name, error.text);
    }
    take_steps(world, STEPS, name);
    if (with == REMOVAL) {
        remove_and_add(world);
    }
    take_steps(world, STEPS, name);
    mote_column x;
    mote_world_column_find(world, 0, "x", &x);
    for (int64_t k = 0; k < 3 * x.rows; ++k) {
        if (!isfinite(((double *)x.data)[k])) {
            fail_msg("%s: not finite", name);
        }
    }
    uint64_t hash = mote_world_state_hash(world);
    mote_world_destroy(world);
    return hash;
}

static int check_family(const mo_family *family, bool models)
{
    int cells = 0;
    for (int i = 0; i < mo_integrators.count; ++i) {
        for (int m = 0; m < family->count; ++m) {
            for (feature with = PLAIN; with < FEATURES; ++with) {
                char name[200];
                snprintf(name, sizeof name, "%s x %s x %s", mo_integrators.methods[i]->name,
                         family->methods[m]->name, FEATURE_NAMES[with]);
                mote_scene *scene = scene_with(mo_integrators.methods[i], family->methods[m], models, with);
                if (run(scene, with, 1, name) != run(scene, with, 3, name)) {
                    fail_msg("%s: other bits on three threads", name);
                }
                mote_scene_destroy(scene);
                ++cells;
            }
        }
    }
    return cells;
}

static void no_cell_is_untested(void **state)
{
    (void)state;
    int cells = check_family(&mo_fields, false) + check_family(&mo_models, true);
    print_message("%d combinations\n", cells);
    assert_true(cells >= mo_integrators.count * (mo_fields.count + mo_models.count) * FEATURES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_cell_is_untested)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
