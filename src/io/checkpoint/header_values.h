/*
 * Values of header.json: written, and read with checks of type and range. A value that cannot be
 * read fails with MOTE_ERROR_INPUT and its key.
 */
#ifndef MO_IO_CHECKPOINT_HEADER_VALUES_H
#define MO_IO_CHECKPOINT_HEADER_VALUES_H

#include "base/memory.h"

#include <jansson.h>

/* null if the value is not finite: JSON has no infinities. */
json_t *mo_header_number(double value);

/* 16 hexadecimal digits. */
json_t *mo_header_hash(uint64_t hash);

mote_status mo_header_fail(mote_error *error, const char *key, const char *why);

mote_status mo_header_get_int(json_t *object, const char *key, int64_t low, int64_t high,
                              int64_t *out, mote_error *error);
mote_status mo_header_get_small(json_t *object, const char *key, int low, int *out,
                                mote_error *error);
mote_status mo_header_get_real(json_t *object, const char *key, double *out, mote_error *error);
mote_status mo_header_get_real_or_null(json_t *object, const char *key, double *out,
                                       mote_error *error); /* null: NaN */
mote_status mo_header_get_hash(json_t *object, const char *key, uint64_t *out, mote_error *error);

/* A text of 1 to `most` bytes, copied into the arena; NULL for null if the text is optional. */
mote_status mo_header_get_text(json_t *object, const char *key, size_t most, bool optional,
                               mo_arena *arena, const char **out, mote_error *error);

#endif
