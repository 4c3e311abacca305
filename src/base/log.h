/*
 * The log hook of a world: formats, then passes one line to the caller's function.
 */
#ifndef MO_BASE_LOG_H
#define MO_BASE_LOG_H

#include "base/error.h"

typedef struct mo_log {
    mote_log_fn *function;
    void *context;
} mo_log;

void mo_log_write(const mo_log *log, mote_log_level level, const char *format, ...) MO_PRINTF(3, 4);

#endif
