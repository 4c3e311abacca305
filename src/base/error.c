#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

mote_status mo_fail(mote_error *error, mote_status status, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        error->status = status;
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return status;
}

mote_status mo_fail_memory(mote_error *error, size_t bytes)
{
    return mo_fail(error, MOTE_ERROR_MEMORY, "out of memory: %zu bytes could not be had", bytes);
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
