#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* The bytes of the well-formed UTF-8 character at `p`, or 0 if there is none (RFC 3629). */
static int character_bytes(const unsigned char *p)
{
    int bytes = p[0] < 0x80 ? 1 : p[0] >= 0xc2 && p[0] < 0xe0 ? 2 : (p[0] & 0xf0) == 0xe0 ? 3 : 0;
    bytes = p[0] >= 0xf0 && p[0] < 0xf5 ? 4 : bytes;
    for (int k = 1; k < bytes; ++k) {
        if ((p[k] & 0xc0) != 0x80) {
            return 0;
        }
    }
    bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
    bool beyond = (p[0] == 0xed && p[1] >= 0xa0) || (p[0] == 0xf4 && p[1] >= 0x90);
    return overlong || beyond ? 0 : bytes;
}

void mo_clean_text(char *text)
{
    for (unsigned char *p = (unsigned char *)text; *p;) {
        int bytes = character_bytes(p);
        bool control = (*p < 0x20 && *p != '\n') || *p == 0x7f;
        if (bytes == 0 || control) {
            *p++ = '?';
        } else {
            p += bytes;
        }
    }
}

mote_status mo_fail(mote_error *error, mote_status status, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        error->status = status;
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
        mo_clean_text(error->text);
    }
    return status;
}

mote_status mo_fail_argument(mote_error *error, const char *function, const char *argument,
                             const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return mo_fail(error, MOTE_ERROR_USAGE, "%s: the argument '%s' %s", function, argument, text);
}

mote_status mo_fail_memory(mote_error *error, size_t bytes)
{
    return mo_fail(error, MOTE_ERROR_MEMORY, "out of memory: %zu bytes could not be allocated",
                   bytes);
}

void mo_error_clear(mote_error *error)
{
    if (error) {
        error->status = MOTE_OK;
        error->text[0] = '\0';
    }
}

const char *mote_status_name(mote_status status)
{
    switch (status) {
    case MOTE_OK:
        return "ok";
    case MOTE_ERROR_INPUT:
        return "bad input";
    case MOTE_ERROR_IO:
        return "file error";
    case MOTE_ERROR_MEMORY:
        return "out of memory";
    case MOTE_ERROR_NUMERIC:
        return "numerical failure";
    case MOTE_ERROR_USAGE:
        return "wrong call";
    case MOTE_CANCELLED:
        return "cancelled";
    }
    return "unknown status";
}

#ifdef MOTE_DEBUG
void mo_assert_failed(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
    abort();
}
#endif
