/*
 * Errors and the log: truncated texts, missing errors.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/log.h"

#include <stdio.h>
#include <string.h>

static void failing_fills_the_error_and_returns_the_status(void **state)
{
    (void)state;
    mote_error error = {0};
    assert_int_equal(mo_fail(&error, MOTE_ERROR_INPUT, "%s: %d is too many", "nx", 7),
                     MOTE_ERROR_INPUT);
    assert_int_equal(error.status, MOTE_ERROR_INPUT);
    assert_string_equal(error.text, "nx: 7 is too many");
    mo_error_clear(&error);
    assert_int_equal(error.status, MOTE_OK);
    assert_string_equal(error.text, "");
}

static void the_error_may_be_absent(void **state)
{
    (void)state;
    assert_int_equal(mo_fail(NULL, MOTE_ERROR_IO, "%s", "nobody reads this"), MOTE_ERROR_IO);
    assert_int_equal(mo_fail_memory(NULL, 8), MOTE_ERROR_MEMORY);
    mo_error_clear(NULL);
}

static void long_texts_are_cut_not_spilt(void **state)
{
    (void)state;
    static char text[10000];
    struct {
        mote_error error;
        char guard[16];
    } e;
    memset(text, 'w', sizeof text - 1);
    memset(e.guard, 7, sizeof e.guard);
    mo_fail(&e.error, MOTE_ERROR_INPUT, "%s", text);
    assert_int_equal(strlen(e.error.text), sizeof e.error.text - 1);
    for (size_t k = 0; k < sizeof e.guard; ++k) {
        assert_int_equal(e.guard[k], 7);
    }
}

static mote_status try_it(mote_status status, bool *went_on)
{
    MO_TRY(status);
    *went_on = true;
    return MOTE_OK;
}

static void trying_passes_failures_on(void **state)
{
    (void)state;
    bool went_on = false;
    assert_int_equal(try_it(MOTE_ERROR_NUMERIC, &went_on), MOTE_ERROR_NUMERIC);
    assert_false(went_on);
    assert_int_equal(try_it(MOTE_OK, &went_on), MOTE_OK);
    assert_true(went_on);
}

static void every_status_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (int a = MOTE_OK; a <= MOTE_CANCELLED; ++a) {
        assert_string_not_equal(mote_status_name((mote_status)a), "unknown status");
        for (int b = MOTE_OK; b < a; ++b) {
            assert_string_not_equal(mote_status_name((mote_status)a),
                                    mote_status_name((mote_status)b));
        }
    }
    assert_non_null(mote_status_name((mote_status)99));
}

typedef struct heard {
    int lines;
    mote_log_level level;
    char text[2000];
} heard;

static void listen(void *context, mote_log_level level, const char *text)
{
    heard *h = context;
    h->lines++;
    h->level = level;
    snprintf(h->text, sizeof h->text, "%s", text);
}

static void the_log_hands_on_one_line(void **state)
{
    (void)state;
    heard h = {0};
    mo_log log = {listen, &h};
    mo_log_write(&log, MOTE_LOG_WARNING, "%d rows", 12);
    assert_int_equal(h.lines, 1);
    assert_int_equal(h.level, MOTE_LOG_WARNING);
    assert_string_equal(h.text, "12 rows");
}

static void a_log_without_a_hook_is_silent(void **state)
{
    (void)state;
    heard h = {0};
    mo_log log = {NULL, &h};
    mo_log_write(&log, MOTE_LOG_INFO, "%d rows", 12);
    assert_int_equal(h.lines, 0);
}

static void long_lines_are_cut(void **state)
{
    (void)state;
    static char text[5000];
    heard h = {0};
    mo_log log = {listen, &h};
    memset(text, 'w', sizeof text - 1);
    mo_log_write(&log, MOTE_LOG_DEBUG, "%s", text);
    assert_int_equal(h.lines, 1);
    assert_true(strlen(h.text) > 500 && strlen(h.text) < sizeof h.text - 1);
}

static void the_version_is_that_of_the_header(void **state)
{
    (void)state;
    char expected[64];
    snprintf(expected, sizeof expected, "%d.%d.%d", MOTE_VERSION_MAJOR, MOTE_VERSION_MINOR,
             MOTE_VERSION_PATCH);
    assert_string_equal(mote_version(), expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failing_fills_the_error_and_returns_the_status),
        cmocka_unit_test(the_error_may_be_absent),
        cmocka_unit_test(long_texts_are_cut_not_spilt),
        cmocka_unit_test(trying_passes_failures_on),
        cmocka_unit_test(every_status_has_a_name_of_its_own),
        cmocka_unit_test(the_log_hands_on_one_line),
        cmocka_unit_test(a_log_without_a_hook_is_silent),
        cmocka_unit_test(long_lines_are_cut),
        cmocka_unit_test(the_version_is_that_of_the_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
