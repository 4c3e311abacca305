/*
 * mote_scene_set: every parameter by its path, with expansion of short forms and defaults.
 */
#include "test.h"

#include <mote/mote.h>
#include <stdlib.h>
#include <string.h>

static const char SCENE[] =
    "{\"time\": {\"end\": 1, \"step\": 0.1}, \"bodies\": [{\"mesh\": {\"type\": \"points\","
    " \"positions\": [[0, 0, 0]]}}], \"colliders\": [{\"shape\": {\"type\": \"sphere\","
    " \"radius\": 1}, \"friction\": 0.1}]}";

static mote_scene *parse(void)
{
    mote_scene *scene;
    assert_int_equal(mote_scene_parse(SCENE, &scene, NULL), MOTE_OK);
    return scene;
}

/* Sets, checks that the scene is valid, and that its text contains `expected`. */
static void expect(const char *path, const char *value, const char *expected)
{
    mote_scene *scene = parse();
    mote_error error = {0};
    if (mote_scene_set(scene, path, value, &error) != MOTE_OK ||
        mote_scene_check(scene, &error) != MOTE_OK) {
        fail_msg("%s=%s: %s", path, value, error.text);
    }
    char *text = mote_scene_text(scene), *squeezed = malloc(strlen(text) + 1), *to = squeezed;
    for (const char *c = text; *c; ++c) {
        if (*c != ' ' && *c != '\n') {
            *to++ = *c;
        }
    }
    *to = '\0';
    if (!strstr(squeezed, expected)) {
        fail_msg("%s=%s: '%s' is not in %s", path, value, expected, squeezed);
    }
    free(squeezed);
    mote_text_free(text);
    mote_scene_destroy(scene);
}

static void refuse(const char *path, const char *value, const char *reason)
{
    mote_scene *scene = parse();
    mote_error error = {0};
    uint64_t before = mote_scene_hash(scene);
    assert_int_equal(mote_scene_set(scene, path, value, &error), MOTE_ERROR_INPUT);
    if (!strstr(error.text, reason)) {
        fail_msg("%s=%s: '%s' is not in '%s'", path, value, reason, error.text);
    }
    assert_true(mote_scene_hash(scene) == before);
    mote_scene_destroy(scene);
}

static void values_and_objects(void **state)
{
    (void)state;
    expect("time.end", "2.5", "\"end\":2.5");
    expect("gravity", "[0, 0, -1.6]", "\"gravity\":[0,0,-1.6");
    expect("up", "y", "\"up\":\"y\"");
    expect("integrator", "rk4", "\"integrator\":\"rk4\"");
    expect("bodies[0].name", "ball", "\"name\":\"ball\"");
}

static void short_forms_are_written_out(void **state)
{
    (void)state;
    expect("time.step.size", "0.2", "\"step\":{\"type\":\"fixed\",\"size\":0.2");
    expect("colliders[0].friction.mu", "0.5", "\"friction\":{\"type\":\"coulomb\",\"mu\":0.5");
    expect("integrator.type", "rk4", "\"integrator\":{\"type\":\"rk4\"}");
    expect("output.formats[0].compression", "6", "{\"type\":\"vtp\",\"compression\":6}");
}

static void lists_grow_at_their_end(void **state)
{
    (void)state;
    expect("forces[0]", "{\"type\": \"drag\", \"linear\": 1}", "\"forces\":[{\"type\":\"drag\"");
    expect("bodies[0].mesh.positions[1]", "[1, 0, 0]", "[1,0,0]");
    expect("bodies[0].pins[0].nodes", "[0]", "\"pins\":[{\"nodes\":[0]}]");
    refuse("bodies[2].name", "x", "appends");
    refuse("bodies[0].mesh.positions[5]", "[1, 0, 0]", "appends");
}

static void bad_paths_are_refused(void **state)
{
    (void)state;
    refuse("", "1", "is not a path");
    refuse("time..end", "1", "is not a path");
    refuse("time.", "1", "is not a path");
    refuse("bodies[x]", "1", "is not a path");
    refuse("bodies[0", "1", "is not a path");
    refuse("time[0]", "1", "list");
    refuse("time.end.more", "1", "plain value");
    refuse("bodies.name", "x", "not an object");
}

static void names_and_hashes(void **state)
{
    (void)state;
    mote_scene *a = parse(), *b = parse(), *file;
    mote_error error;
    assert_true(mote_scene_hash(a) == mote_scene_hash(b));
    assert_int_equal(mote_scene_set(b, "time.end", "2", &error), MOTE_OK);
    assert_true(mote_scene_hash(a) != mote_scene_hash(b));
    assert_int_equal(mote_scene_load(MOTE_SCENES "/hanging_cloth.json", &file, &error), MOTE_OK);
    assert_string_equal(mote_scene_name(file), "hanging_cloth");
    mote_scene_destroy(a);
    mote_scene_destroy(b);
    mote_scene_destroy(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_and_objects), cmocka_unit_test(short_forms_are_written_out),
        cmocka_unit_test(lists_grow_at_their_end), cmocka_unit_test(bad_paths_are_refused),
        cmocka_unit_test(names_and_hashes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
