/* A growing text buffer. Failure is sticky and tested once.
 */
#ifndef MO_BASE_TEXT_H
#define MO_BASE_TEXT_H

#include "base/error.h"

typedef struct mo_text {
    char *data; /* from the heap, so that mote_text_free can release it */
    size_t length, capacity;
    bool failed;
} mo_text;

void mo_text_add(mo_text *text, const char *format, ...) MO_PRINTF(2, 3);
void mo_text_release(mo_text *text);

/* Transfers the text to the caller, or reports insufficient memory. */
mote_status mo_text_take(mo_text *text, char **out, mote_error *error);

/* Whether the text ends with this ending and is longer than it. */
bool mo_ends_with(const char *text, const char *ending);

/* The most similar name in the list; NULL if none is similar. */
const char *mo_nearest(const char *word, const char *const *names, int count);

#endif
