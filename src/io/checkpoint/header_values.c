#include "io/checkpoint/header_values.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *mo_header_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *mo_header_hash(uint64_t hash)
{
    char text[20];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    return json_string(text);
}

mote_status mo_header_fail(mote_error *error, const char *key, const char *why)
{
    return mo_fail(error, MOTE_ERROR_INPUT, "header.json: '%s' %s", key, why);
}

mote_status mo_header_get_int(json_t *object, const char *key, int64_t low, int64_t high,
                              int64_t *out, mote_error *error)
{
    json_t *value = json_object_get(object, key);
    if (!json_is_integer(value) || json_integer_value(value) < low ||
        json_integer_value(value) > high) {
        return mo_header_fail(error, key, "is missing, not an integer, or out of range");
    }
    *out = json_integer_value(value);
    return MOTE_OK;
}

mote_status mo_header_get_small(json_t *object, const char *key, int low, int *out,
                                mote_error *error)
{
    int64_t value = 0;
    MO_TRY(mo_header_get_int(object, key, low, INT32_MAX, &value, error));
    *out = (int)value;
    return MOTE_OK;
}

mote_status mo_header_get_real(json_t *object, const char *key, double *out, mote_error *error)
{
    json_t *value = json_object_get(object, key);
    if (!json_is_number(value) || !isfinite(json_number_value(value))) {
        return mo_header_fail(error, key, "is missing or not a number");
    }
    *out = json_number_value(value);
    return MOTE_OK;
}

mote_status mo_header_get_real_or_null(json_t *object, const char *key, double *out,
                                       mote_error *error)
{
    if (json_is_null(json_object_get(object, key))) {
        *out = NAN;
        return MOTE_OK;
    }
    return mo_header_get_real(object, key, out, error);
}

mote_status mo_header_get_hash(json_t *object, const char *key, uint64_t *out, mote_error *error)
{
    const char *text = json_string_value(json_object_get(object, key));
    char *end = NULL;
    *out = text ? strtoull(text, &end, 16) : 0;
    return text && strlen(text) == 16 && *end == '\0'
               ? MOTE_OK
               : mo_header_fail(error, key, "is missing or not a hash");
}

mote_status mo_header_get_text(json_t *object, const char *key, size_t most, bool optional,
                               mo_arena *arena, const char **out, mote_error *error)
{
    json_t *value = json_object_get(object, key);
    *out = NULL;
    if (optional && json_is_null(value)) {
        return MOTE_OK;
    }
    if (!json_is_string(value) || json_string_length(value) == 0 ||
        json_string_length(value) > most) {
        return mo_header_fail(error, key, "is missing, empty, too long or not a string");
    }
    *out = mo_arena_text(arena, json_string_value(value));
    return *out ? MOTE_OK : mo_fail_memory(error, json_string_length(value));
}
