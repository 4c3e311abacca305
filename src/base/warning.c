#include "base/warning.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool mo_warned(const mo_warnings *warnings, const char *kind)
{
    for (int k = 0; k < warnings->count; ++k) {
        if (strcmp(warnings->list[k].kind, kind) == 0) {
            return true;
        }
    }
    return false;
}

void mo_warn(mo_warnings *warnings, const mo_log *log, double time, const char *kind,
             const char *format, ...)
{
    for (int k = 0; k < warnings->count; ++k) {
        if (strcmp(warnings->list[k].kind, kind) == 0) {
            warnings->list[k].times++;
            return;
        }
    }
    if (warnings->count == MO_WARNINGS_MAX) {
        return;
    }
    int k = warnings->count++;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(warnings->list[k].text, sizeof warnings->list[k].text, format, arguments);
    va_end(arguments);
    snprintf(warnings->list[k].kind, sizeof warnings->list[k].kind, "%s", kind);
    warnings->list[k].times = 1;
    warnings->list[k].first_time = time;
    mo_log_write(log, MOTE_LOG_WARNING, "t = %g s: %s", time, warnings->list[k].text);
}
