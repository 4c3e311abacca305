/* Errors of the first and second kind: bad input (a status and a text) and a programmer's mistake (an
 * assert). */
#ifndef MO_BASE_ERROR_H
#define MO_BASE_ERROR_H

#include "mote/base.h"

#if defined(__GNUC__)
#define MO_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define MO_PRINTF(text, first)
#endif

/* Fills `error` (which may be NULL) and returns `status`, so that `return mo_fail(...)` reads well. */
mote_status mo_fail(mote_error *error, mote_status status, const char *format, ...) MO_PRINTF(3, 4);

/* Out of memory, in one word. */
mote_status mo_fail_memory(mote_error *error, size_t bytes);

/* Makes a text fit for a terminal and for JSON: control characters and broken UTF-8 become '?'. */
void mo_clean_text(char *text);

void mo_error_clear(mote_error *error);

/* Passes a failure on to the caller. */
#define MO_TRY(expression)                                                                                   \
    do {                                                                                                     \
        mote_status mo_try_status = (expression);                                                            \
        if (mo_try_status != MOTE_OK) {                                                                      \
            return mo_try_status;                                                                            \
        }                                                                                                    \
    } while (0)

/* Programmer's mistakes: checked in debug builds only. */
#ifdef MOTE_DEBUG
void mo_assert_failed(const char *file, int line, const char *condition);
#define MOTE_ASSERT(condition) ((condition) ? (void)0 : mo_assert_failed(__FILE__, __LINE__, #condition))
#else
#define MOTE_ASSERT(condition) ((void)0)
#endif

#endif
