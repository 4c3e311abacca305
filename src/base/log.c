#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

void mo_log_write(const mo_log *log, mote_log_level level, const char *format, ...)
{
    if (!log->function) {
        return;
    }
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    log->function(log->context, level, line);
}
