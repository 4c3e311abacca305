/*
 * Basics of parameter tables: ranges, curves, names, and generated texts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/param.h"
#include "base/text.h"
#include "numbers.h"

#include <stdio.h>

/* ---- ranges ---- */

static bool contains(const char *range, double value)
{
    return mo_range_contains(mo_range_parse(range), value);
}

static void brackets_denote_open_and_closed_ends(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        mo_range range;
    } cases[] = {
        {"[0, 1]", {0, 1, false, false}},
        {"(0, 1)", {0, 1, true, true}},
        {"[0, 1)", {0, 1, false, true}},
        {"(0, 1]", {0, 1, true, false}},
        {"[-2.5, 1e5]", {-2.5, 1e5, false, false}},
        {"[1e-3,2e-3]", {1e-3, 2e-3, false, false}},
        {"(0, inf)", {0, INFINITY, true, true}},
        {"(-inf, inf)", {-INFINITY, INFINITY, true, true}},
        {"(-inf, -1]", {-INFINITY, -1, true, false}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        mo_range range = mo_range_parse(cases[k].text);
        assert_true(range.low == cases[k].range.low && range.high == cases[k].range.high);
        assert_int_equal(range.open_low, cases[k].range.open_low);
        assert_int_equal(range.open_high, cases[k].range.open_high);
    }
}

static void ranges_contain_what_lies_in_them(void **state)
{
    (void)state;
    double below = nextafter(1, 0), above = nextafter(1, 2);
    assert_true(contains("[1, 2]", 1) && contains("[1, 2]", 2) && contains("[1, 2]", 1.5));
    assert_false(contains("[1, 2]", below) || contains("[1, 2]", nextafter(2, 3)));
    assert_false(contains("(1, 2)", 1) || contains("(1, 2)", 2));
    assert_true(contains("(1, 2)", above) && contains("(1, 2)", nextafter(2, 1)));
    assert_true(contains("[1, 1]", 1));
    assert_false(contains("[1, 1]", below) || contains("[1, 1]", above));
    assert_true(contains("(0, inf)", 0x1p-1074) && contains("(0, inf)", 1e308));
    assert_false(contains("(0, inf)", 0) || contains("(0, inf)", -0.0) ||
                 contains("(0, inf)", INFINITY));
    assert_true(contains("[0, inf)", -0.0));
}

static void no_range_contains_all_finite_numbers(void **state)
{
    (void)state;
    assert_true(contains(NULL, 0) && contains(NULL, 1e308) && contains(NULL, -1e308));
    assert_false(contains(NULL, INFINITY) || contains(NULL, -INFINITY));
}

static void nan_is_in_no_range(void **state)
{
    (void)state;
    static const char *const ranges[] = {NULL, "[0, 1]", "(0, inf)", "(-inf, inf)"};
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; ++k) {
        assert_false(contains(ranges[k], (double)NAN));
    }
}

/* ---- curves ---- */

static void an_empty_curve_is_zero_and_one_point_a_constant(void **state)
{
    (void)state;
    const double time = 2, value = 7.5;
    mo_curve none = {0}, one = {1, &time, &value};
    for (double t = -10; t <= 10; t += 0.5) {
        assert_true(mo_curve_at(&none, t) == 0);
        assert_true(mo_curve_at(&one, t) == value);
    }
}

static const double TIMES[] = {-1, 0, 0.5, 2, 2.25, 7}, VALUES[] = {3, -1, 4, 4, 10, 0.5};
static const mo_curve CURVE = {6, TIMES, VALUES};

static void a_curve_interpolates_its_points(void **state)
{
    (void)state;
    for (int k = 0; k < CURVE.count; ++k) {
        assert_true(mo_curve_at(&CURVE, TIMES[k]) == VALUES[k]);
    }
}

static void a_curve_is_linear_between_its_points(void **state)
{
    (void)state;
    for (int k = 0; k + 1 < CURVE.count; ++k) {
        for (int part = 1; part < 64; ++part) {
            double s = part / 64.0, time = TIMES[k] + s * (TIMES[k + 1] - TIMES[k]);
            assert_near(mo_curve_at(&CURVE, time), (1 - s) * VALUES[k] + s * VALUES[k + 1], 1e-14);
        }
    }
}

static void a_curve_is_constant_beyond_its_ends(void **state)
{
    (void)state;
    static const double beyond[] = {1e-9, 1, 1e9, INFINITY};
    for (int k = 0; k < 4; ++k) {
        assert_true(mo_curve_at(&CURVE, TIMES[0] - beyond[k]) == VALUES[0]);
        assert_true(mo_curve_at(&CURVE, TIMES[5] + beyond[k]) == VALUES[5]);
    }
}

static void long_curves_find_their_segment(void **state)
{
    (void)state;
    enum { POINTS = 1000 };
    static double time[POINTS], value[POINTS];
    uint64_t random = 1;
    for (int k = 0; k < POINTS; ++k) {
        /* multiples of 1/64, so that midpoints are exact */
        time[k] = (k ? time[k - 1] : 0) + (double)(1 + random_below(&random, 64)) / 64;
        value[k] = random_between(&random, -1, 1);
    }
    for (int count = 2; count <= POINTS; count = 3 * count / 2 + 1) {
        mo_curve curve = {count, time, value};
        for (int k = 0; k + 1 < count; ++k) {
            double middle = 0.5 * (time[k] + time[k + 1]);
            assert_near(mo_curve_at(&curve, middle), 0.5 * (value[k] + value[k + 1]), 1e-15);
        }
    }
}

/* ---- names ---- */

static const char *const NAMES[] = {"symplectic_euler", "velocity_verlet", "rk4",
                                    "sphere",           "plane",           "box"};
enum { NAME_COUNT = sizeof NAMES / sizeof *NAMES };

static void misspelt_names_find_the_one_meant(void **state)
{
    (void)state;
    static const struct {
        const char *word, *meant;
    } cases[] = {
        {"sphere", "sphere"},
        {"shpere", "sphere"},
        {"sphre", "sphere"},
        {"spheree", "sphere"},
        {"SPHERE", "sphere"},
        {"plain", "plane"},
        {"boxx", "box"},
        {"rk", "rk4"},
        {"kr4", "rk4"},
        {"velocity_verlt", "velocity_verlet"},
        {"velocityverlet", "velocity_verlet"},
        {"simplectic_euler", "symplectic_euler"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        const char *found = mo_nearest(cases[k].word, NAMES, NAME_COUNT);
        assert_non_null(found);
        assert_string_equal(found, cases[k].meant);
    }
}

static void the_nearest_of_several_is_taken(void **state)
{
    (void)state;
    static const char *const names[] = {"stiffness", "stiff", "stuff"};
    assert_string_equal(mo_nearest("stif", names, 3), "stiff");
    assert_string_equal(mo_nearest("stuf", names, 3), "stuff");
    assert_string_equal(mo_nearest("stifness", names, 3), "stiffness");
    /* a transposition is one edit, two substitutions are two */
    static const char *const exchanged[] = {"maxx", "mins", "mien"};
    assert_string_equal(mo_nearest("mine", exchanged, 3), "mins");
    assert_string_equal(mo_nearest("mein", exchanged, 3), "mien");
}

static void far_names_are_not_suggested(void **state)
{
    (void)state;
    static const char *const words[] = {"torus", "gravity", "zzz", "a_word_that_nobody_would_mean",
                                        "x"};
    for (size_t k = 0; k < sizeof words / sizeof *words; ++k) {
        assert_null(mo_nearest(words[k], NAMES, NAME_COUNT));
    }
    assert_null(mo_nearest("sphere", NAMES, 0));
}

/* Words from files may have any length. */
static void long_words_are_near_to_nothing(void **state)
{
    (void)state;
    static char word[1001];
    for (size_t length = 20; length < sizeof word; ++length) {
        memset(word, 'z', length);
        assert_null(mo_nearest(word, NAMES, NAME_COUNT));
    }
}

static const mo_descriptor FIRST = {.name = "first"}, SECOND = {.name = "second"};
static const mo_descriptor *const METHODS[] = {&FIRST, &SECOND};
static const mo_family FAMILY = {.name = "family", .methods = METHODS, .count = 2};

static void a_method_is_found_by_its_whole_name(void **state)
{
    (void)state;
    assert_ptr_equal(mo_family_find(&FAMILY, "first"), &FIRST);
    assert_ptr_equal(mo_family_find(&FAMILY, "second"), &SECOND);
    assert_null(mo_family_find(&FAMILY, "sec"));
    assert_null(mo_family_find(&FAMILY, "First"));
    assert_null(mo_family_find(&FAMILY, ""));
}

static size_t size_of(mo_param_type type)
{
    static const mo_section section = {.size = 1234};
    mo_param param = {.name = "p", .type = type, .section = &section};
    return mo_param_size(&param);
}

static void sizes_are_those_of_the_struct_members(void **state)
{
    (void)state;
    assert_int_equal(size_of(MO_BOOL), sizeof(bool));
    assert_int_equal(size_of(MO_INT), sizeof(int64_t));
    assert_int_equal(size_of(MO_REAL), sizeof(double));
    assert_int_equal(size_of(MO_VEC3), sizeof(mo_vec3));
    assert_int_equal(size_of(MO_STRING), sizeof(char *));
    assert_int_equal(size_of(MO_FILE), sizeof(char *));
    assert_int_equal(size_of(MO_CURVE), sizeof(mo_curve));
    assert_int_equal(size_of(MO_REFERENCE), sizeof(mo_reference));
    assert_int_equal(size_of(MO_METHOD), sizeof(mo_method));
    assert_int_equal(size_of(MO_SECTION), 1234);
}

/* ---- texts ---- */

static void a_text_grows_as_it_is_written(void **state)
{
    (void)state;
    mo_text text = {0};
    char expected[20000] = "", *taken = NULL;
    size_t length = 0;
    for (int k = 0; k < 2000; ++k) {
        mo_text_add(&text, "%d,%s;", k, k % 7 ? "" : "seven");
        length += (size_t)sprintf(expected + length, "%d,%s;", k, k % 7 ? "" : "seven");
    }
    assert_int_equal(text.length, length);
    assert_int_equal(mo_text_take(&text, &taken, NULL), MOTE_OK);
    assert_string_equal(taken, expected);
    mote_text_free(taken);
}

static void one_addition_may_be_of_any_length(void **state)
{
    (void)state;
    static char line[5001];
    for (size_t length = 0; length < sizeof line; length += length < 600 ? 1 : 1100) {
        memset(line, 'm', length);
        line[length] = '\0';
        mo_text text = {0};
        char *taken = NULL;
        mo_text_add(&text, "%s", line);
        mo_text_add(&text, "%s", "!");
        assert_int_equal(mo_text_take(&text, &taken, NULL), MOTE_OK);
        assert_int_equal(strlen(taken), length + 1);
        assert_memory_equal(taken, line, length);
        mote_text_free(taken);
    }
}

static void a_taken_text_leaves_an_empty_one(void **state)
{
    (void)state;
    mo_text text = {0};
    char *first = NULL, *second = NULL;
    mo_text_add(&text, "one");
    assert_int_equal(mo_text_take(&text, &first, NULL), MOTE_OK);
    assert_int_equal(mo_text_take(&text, &second, NULL), MOTE_OK);
    assert_string_equal(first, "one");
    assert_string_equal(second, "");
    mote_text_free(first);
    mote_text_free(second);
    mote_text_free(NULL);
}

static void a_released_text_may_be_used_again(void **state)
{
    (void)state;
    mo_text text = {0};
    char *taken = NULL;
    mo_text_add(&text, "gone");
    mo_text_release(&text);
    mo_text_add(&text, "%s", "kept");
    assert_int_equal(mo_text_take(&text, &taken, NULL), MOTE_OK);
    assert_string_equal(taken, "kept");
    mote_text_free(taken);
}

/* Failure is sticky: an incomplete text must not be returned. */
static void a_failed_text_is_reported_and_released(void **state)
{
    (void)state;
    mo_text text = {0};
    mote_error error = {0};
    char *taken = NULL;
    mo_text_add(&text, "before");
    text.failed = true;
    mo_text_add(&text, "after");
    assert_int_equal(mo_text_take(&text, &taken, &error), MOTE_ERROR_MEMORY);
    assert_int_equal(error.status, MOTE_ERROR_MEMORY);
    assert_null(taken);
    assert_null(text.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brackets_denote_open_and_closed_ends),
        cmocka_unit_test(ranges_contain_what_lies_in_them),
        cmocka_unit_test(no_range_contains_all_finite_numbers),
        cmocka_unit_test(nan_is_in_no_range),
        cmocka_unit_test(an_empty_curve_is_zero_and_one_point_a_constant),
        cmocka_unit_test(a_curve_interpolates_its_points),
        cmocka_unit_test(a_curve_is_linear_between_its_points),
        cmocka_unit_test(a_curve_is_constant_beyond_its_ends),
        cmocka_unit_test(long_curves_find_their_segment),
        cmocka_unit_test(misspelt_names_find_the_one_meant),
        cmocka_unit_test(the_nearest_of_several_is_taken),
        cmocka_unit_test(far_names_are_not_suggested),
        cmocka_unit_test(long_words_are_near_to_nothing),
        cmocka_unit_test(a_method_is_found_by_its_whole_name),
        cmocka_unit_test(sizes_are_those_of_the_struct_members),
        cmocka_unit_test(a_text_grows_as_it_is_written),
        cmocka_unit_test(one_addition_may_be_of_any_length),
        cmocka_unit_test(a_taken_text_leaves_an_empty_one),
        cmocka_unit_test(a_released_text_may_be_used_again),
        cmocka_unit_test(a_failed_text_is_reported_and_released),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
