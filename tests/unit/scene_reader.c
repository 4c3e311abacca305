/*
 * The reader, with test tables: covers types that no shipped method uses.
 */
#include "test.h"

#include "scene/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct thing {
    mo_curve curve;
    mo_reference friend_;
    const char *file, *word;
    int64_t count;
    double amount;
    double position[3], color[3];
    bool flag;
    mo_list numbers;
} thing;

static const mo_param PARAMS[] = {
    {"curve", MO_CURVE, MO_FIELD(thing, curve), .initial = "2.5", .range = "[0, 10]",
     .doc = "A curve."},
    {"friend", MO_REFERENCE, MO_FIELD(thing, friend_), .target = "things", .doc = "Another one."},
    {"file", MO_FILE, MO_FIELD(thing, file), .doc = "A file."},
    {"word", MO_STRING, MO_FIELD(thing, word), .choices = "red|green", .doc = "A word."},
    {"count", MO_INT, MO_FIELD(thing, count), .range = "[1, 9]", .doc = "A count."},
    {"amount", MO_REAL, MO_FIELD(thing, amount), .unit = "kg", .range = "(0, 1)",
     .doc = "An amount."},
    {"position", MO_VEC3, MO_FIELD(thing, position), .unit = "m", .doc = "A position."},
    {"color", MO_VEC3, MO_FIELD(thing, color), .unit = "sRGB", .range = "[0, 1]",
     .doc = "A colour."},
    {"flag", MO_BOOL, MO_FIELD(thing, flag), .initial = "true", .doc = "A flag."},
    {"numbers", MO_REAL, .list = true, MO_FIELD(thing, numbers), .initial = "[1, 2]",
     .doc = "Numbers."},
    {0}};

static const mo_section SECTION = {"thing", "A thing.", sizeof(thing), .params = PARAMS};

typedef struct reading {
    mo_memory memory;
    mo_arena arena;
    thing value;
    mote_error error;
    mote_status status;
} reading;

static void read_text(reading *r, const char *text)
{
    json_t *root = json_loads(text, 0, NULL);
    assert_non_null(root);
    mo_memory_init(&r->memory, NULL);
    mo_arena_init(&r->arena, &r->memory);
    mo_read_source source = {"test.json", "", root};
    r->error.text[0] = '\0';
    r->status = mo_read_section(&source, root, &SECTION, &r->arena, &r->value, &r->error);
    json_decref(root);
}

static void expect_failure(const char *text, const char *path, const char *reason)
{
    reading r;
    read_text(&r, text);
    if (r.status != MOTE_ERROR_INPUT || !strstr(r.error.text, path) ||
        !strstr(r.error.text, reason)) {
        fail_msg("%s: expected '%s' and '%s', got '%s'", text, path, reason, r.error.text);
    }
    mo_arena_release(&r.arena);
}

static void defaults_and_absence(void **state)
{
    (void)state;
    reading r;
    read_text(&r, "{}");
    assert_int_equal(r.status, MOTE_OK);
    assert_int_equal(r.value.curve.count, 1);
    assert_true(mo_curve_at(&r.value.curve, 3) == 2.5);
    assert_true(r.value.flag);
    assert_int_equal(r.value.numbers.count, 2);
    assert_null(r.value.file);
    assert_null(r.value.word);
    assert_true(isnan(r.value.amount) && isnan(r.value.position[2]));
    assert_true(r.value.count == MO_ABSENT_INT);
    mo_arena_release(&r.arena);
}

static void values_of_every_type(void **state)
{
    (void)state;
    reading r;
    read_text(
        &r,
        "{\"curve\": [[0, 1], [2, 5]], \"friend\": \"bob\", \"file\": \"/proc/self/status\", "
        "\"word\": \"red\","
        " \"count\": 3.0, \"amount\": 0.5, \"position\": [1, 2, 3], \"flag\": false, \"numbers\": [],"
        " \"_\": \"a comment\"}");
    /* the reference is missing, the file is not regular: read without them first */
    assert_int_equal(r.status, MOTE_ERROR_INPUT);
    mo_arena_release(&r.arena);
    read_text(&r,
              "{\"curve\": [[0, 1], [2, 5]], \"word\": \"red\", \"count\": 3.0, \"amount\": 0.5,"
              " \"position\": [1, 2, 3], \"flag\": false, \"numbers\": [], \"_\": \"a comment\"}");
    assert_int_equal(r.status, MOTE_OK);
    assert_true(mo_curve_at(&r.value.curve, 1) == 3);
    assert_true(mo_curve_at(&r.value.curve, -1) == 1 && mo_curve_at(&r.value.curve, 9) == 5);
    assert_string_equal(r.value.word, "red");
    assert_int_equal(r.value.count, 3);
    assert_true(r.value.amount == 0.5 && r.value.position[1] == 2 && !r.value.flag);
    assert_int_equal(r.value.numbers.count, 0);
    mo_arena_release(&r.arena);
}

static void references_find_their_target(void **state)
{
    (void)state;
    json_t *root =
        json_loads("{\"things\": [{\"name\": \"alice\"}, {\"name\": \"bob\"}]}", 0, NULL);
    json_t *object = json_loads("{\"friend\": \"bob\"}", 0, NULL);
    mo_read_source source = {"test.json", "", root};
    mo_memory memory;
    mo_arena arena;
    thing value;
    mote_error error = {0};
    mo_memory_init(&memory, NULL);
    mo_arena_init(&arena, &memory);
    assert_int_equal(mo_read_section(&source, object, &SECTION, &arena, &value, &error), MOTE_OK);
    assert_int_equal(value.friend_.index, 1);
    json_object_set_new(object, "friend", json_string("alise"));
    assert_int_equal(mo_read_section(&source, object, &SECTION, &arena, &value, &error),
                     MOTE_ERROR_INPUT);
    assert_non_null(strstr(error.text, "did you mean 'alice'?"));
    mo_arena_release(&arena);
    json_decref(object);
    json_decref(root);
}

static void paths_are_relative_to_the_scene(void **state)
{
    (void)state;
    json_t *object = json_loads("{\"file\": \"hanging_cloth.json\"}", 0, NULL);
    mo_read_source source = {"test.json", MOTE_SCENES, object};
    mo_memory memory;
    mo_arena arena;
    thing value;
    mote_error error = {0};
    mo_memory_init(&memory, NULL);
    mo_arena_init(&arena, &memory);
    assert_int_equal(mo_read_section(&source, object, &SECTION, &arena, &value, &error), MOTE_OK);
    assert_string_equal(value.file, MOTE_SCENES "/hanging_cloth.json");
    json_object_set_new(object, "file", json_string("missing.obj"));
    assert_int_equal(mo_read_section(&source, object, &SECTION, &arena, &value, &error),
                     MOTE_ERROR_INPUT);
    assert_non_null(strstr(error.text, "file: the file"));
    json_object_set_new(object, "file", json_string("."));
    assert_int_equal(mo_read_section(&source, object, &SECTION, &arena, &value, &error),
                     MOTE_ERROR_INPUT);
    assert_non_null(strstr(error.text, "is not a file"));
    mo_arena_release(&arena);
    json_decref(object);
}

static void colors_have_names(void **state)
{
    static const char *const SAME[] = {"steelblue", "SteelBlue", "#4682b4", "#4682B4"};
    (void)state;
    for (size_t k = 0; k < sizeof SAME / sizeof *SAME; ++k) {
        char text[60];
        reading r;
        snprintf(text, sizeof text, "{\"color\": \"%s\"}", SAME[k]);
        read_text(&r, text);
        assert_int_equal(r.status, MOTE_OK);
        assert_true(r.value.color[0] == 70 / 255.0 && r.value.color[1] == 130 / 255.0 &&
                    r.value.color[2] == 180 / 255.0);
        mo_arena_release(&r.arena);
    }
    expect_failure("{\"color\": \"stealblue\"}", "color",
                   "did you mean 'steelblue'? allowed: [red");
    expect_failure("{\"color\": \"#12345g\"}", "color", "no colour '#12345g'");
    expect_failure("{\"color\": [1, 1, 2]}", "color[2]", "out of range");
    expect_failure("{\"position\": \"red\"}", "position", "three numbers");
}

static void failures_report_position_and_cause(void **state)
{
    (void)state;
    expect_failure("{\"curve\": []}", "curve", "empty list");
    expect_failure("{\"curve\": [[0, 1], [0, 2]]}", "curve[1]", "times must increase");
    expect_failure("{\"curve\": [[0, 1, 2]]}", "curve[0]", "a point [time, value]");
    expect_failure("{\"curve\": [[0, 11]]}", "curve[0]", "out of range");
    expect_failure("{\"curve\": \"x\"}", "curve", "expected a number");
    expect_failure("{\"word\": \"gren\"}", "word", "did you mean 'green'?");
    expect_failure("{\"count\": 2.5}", "count", "integer");
    expect_failure("{\"count\": 10}", "count", "[1, 9]");
    expect_failure("{\"amount\": 1}", "amount", "(0, 1) kg");
    expect_failure("{\"amount\": \"much\"}", "amount", "found the string 'much'");
    expect_failure("{\"position\": [1, 2]}", "position", "three numbers");
    expect_failure("{\"position\": [1, 2, null]}", "position[2]", "found null");
    expect_failure("{\"flag\": 1}", "flag", "true or false");
    expect_failure("{\"numbers\": 1}", "numbers", "expected a list");
    expect_failure("{\"numbers\": [1, \"2\"]}", "numbers[1]", "found the string");
    expect_failure("{\"flg\": true}", "flg", "did you mean 'flag'?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(defaults_and_absence),
                                       cmocka_unit_test(values_of_every_type),
                                       cmocka_unit_test(references_find_their_target),
                                       cmocka_unit_test(paths_are_relative_to_the_scene),
                                       cmocka_unit_test(colors_have_names),
                                       cmocka_unit_test(failures_report_position_and_cause)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
