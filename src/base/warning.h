/* Warnings: each kind once, with its remedy and the number of occurrences. */
#ifndef MO_BASE_WARNING_H
#define MO_BASE_WARNING_H

#include "base/log.h"

enum { MO_WARNINGS_MAX = 16 };

typedef struct mo_warnings {
    int count;
    struct {
        char kind[32];
        char text[400];
        int64_t times;
        double first_time;
    } list[MO_WARNINGS_MAX];
} mo_warnings;

/* Whether this kind has been issued. */
bool mo_warned(const mo_warnings *warnings, const char *kind);

/* The receiver of warnings. */
typedef struct mo_warner {
    mo_warnings *warnings;
    const mo_log *log;
} mo_warner;

/* `kind` is a literal; the text is formatted, stored and logged the first time only. */
void mo_warn(mo_warnings *warnings, const mo_log *log, double time, const char *kind,
             const char *format, ...) MO_PRINTF(5, 6);

#endif
