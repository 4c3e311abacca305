/*
 * Errors: bad input (a status and a text) and programming errors (an assert).
 */
#ifndef MO_BASE_ERROR_H
#define MO_BASE_ERROR_H

#include "mote/base.h"

#if defined(__GNUC__)
#define MO_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define MO_PRINTF(text, first)
#endif

/* Fills `error` (which may be NULL) and returns `status`, for use in a return statement. */
mote_status mo_fail(mote_error *error, mote_status status, const char *format, ...) MO_PRINTF(3, 4);

/* Out of memory. */
mote_status mo_fail_memory(mote_error *error, size_t bytes);

/* Invalid use of a public function: "FUNCTION: the argument 'ARGUMENT' ...". */
mote_status mo_fail_argument(mote_error *error, const char *function, const char *argument,
                             const char *format, ...) MO_PRINTF(4, 5);
#define MO_BAD_ARGUMENT(argument, ...) mo_fail_argument(error, __func__, #argument, __VA_ARGS__)

/* Argument check of public functions for each pointer that is not marked MOTE_OPTIONAL: the call
 * fails, or, without a status, returns the given value. */
#define MO_NEED(pointer) \
    do { \
        if (!(pointer)) { \
            return MO_BAD_ARGUMENT(pointer, "must not be NULL"); \
        } \
    } while (0)
#define MO_NEED_OR(pointer, ...) \
    do { \
        if (!(pointer)) { \
            return __VA_ARGS__; \
        } \
    } while (0)

/* Sanitises text for terminals and JSON: control characters and invalid UTF-8 become '?'. */
void mo_clean_text(char *text);

void mo_error_clear(mote_error *error);

/* Passes a failure on to the caller. */
#define MO_TRY(expression) \
    do { \
        mote_status mo_try_status = (expression); \
        if (mo_try_status != MOTE_OK) { \
            return mo_try_status; \
        } \
    } while (0)

/* Programming errors: checked in debug builds only. */
#ifdef MOTE_DEBUG
void mo_assert_failed(const char *file, int line, const char *condition);
#define MOTE_ASSERT(condition) \
    ((condition) ? (void)0 : mo_assert_failed(__FILE__, __LINE__, #condition))
#else
#define MOTE_ASSERT(condition) ((void)0)
#endif

#endif
