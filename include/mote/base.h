/*
 * mote/base.h: types shared by all public headers: status, errors, memory, log.
 *
 * Bad input never stops the process. A function that can fail returns a mote_status and fills a
 * mote_error that the caller owns (it may be NULL): the location, the problem and the allowed
 * values. The library keeps no global state, never exits, and prints only through the log hook.
 *
 * NULL. A pointer argument may be NULL if it is marked MOTE_OPTIONAL, and `error` always may. A
 * call with NULL for another pointer changes nothing: it returns MOTE_ERROR_USAGE with the names of
 * the function and the argument, or, where it does not return a status, the value documented for a
 * missing object: 0, false, NULL or a zero-initialised struct. The same holds for an index out of
 * range.
 */
#ifndef MOTE_BASE_H
#define MOTE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOTE_VERSION_MAJOR 0
#define MOTE_VERSION_MINOR 1
#define MOTE_VERSION_PATCH 0

/* Marks pointer arguments that may be NULL; expands to nothing. */
#define MOTE_OPTIONAL

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mote_status {
    MOTE_OK = 0,
    /* a scene, a file or a parameter is wrong; the text names the location and the allowed
     * values */
    MOTE_ERROR_INPUT,
    MOTE_ERROR_IO,      /* a file could not be read or written */
    MOTE_ERROR_MEMORY,  /* an allocation failed */
    MOTE_ERROR_NUMERIC, /* the state is no longer finite or the time step collapsed */
    MOTE_ERROR_USAGE,   /* invalid use of the library */
    MOTE_CANCELLED      /* stopped at the caller's request; results so far are kept */
} mote_status;

/* Caller-owned. The text is one or more lines without a final newline. */
typedef struct mote_error {
    mote_status status;
    char text[2048];
} mote_error;

/* A named, typed array with a row for each particle. */
typedef enum mote_type { MOTE_F64, MOTE_F32, MOTE_I64, MOTE_I32, MOTE_U8 } mote_type;

typedef struct mote_column {
    const char *name;
    const char *unit; /* "m/s"; "1" if dimensionless */
    mote_type type;
    int components; /* components per row; vectors are interleaved */
    int64_t rows;
    void *data;
} mote_column;

typedef enum mote_log_level { MOTE_LOG_DEBUG, MOTE_LOG_INFO, MOTE_LOG_WARNING } mote_log_level;
typedef void mote_log_fn(void *context, mote_log_level level, const char *text);

/* Memory hooks. `allocate` returns NULL on failure; `alignment` is a power of two, at most 64. Both
 * are called from the thread that calls the library, never from a worker. */
typedef struct mote_allocator {
    void *(*allocate)(void *context, size_t bytes, size_t alignment);
    void (*release)(void *context, void *memory, size_t bytes);
    void *context;
} mote_allocator;

/* Resources of a world; they do not affect results. */
typedef struct mote_config {
    int threads;              /* threads including the caller; 0 = one per core */
    mote_allocator allocator; /* zero = the C library's allocator */
    mote_log_fn *log;         /* NULL = silent */
    void *log_context;
    /* Polled between the iterations of long solves (static equilibrium, natural frequencies), on
       the caller's thread: true ends them with MOTE_CANCELLED. NULL = never. */
    bool (*cancel)(void *context);
    void *cancel_context;
} mote_config;

mote_config mote_config_default(void);

/* "0.1.0", and the instruction set this library was compiled for: "x86-64-v3", "x86-64", ... */
const char *mote_version(void);
const char *mote_instruction_set(void);
const char *mote_status_name(mote_status status);

/* Releases a text that a function of this library returned. NULL is allowed. */
void mote_text_free(MOTE_OPTIONAL char *text);

#ifdef __cplusplus
}
#endif
#endif
