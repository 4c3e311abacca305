/*
 * JSON into structs, by the parameter tables. Errors have the file, the path, the problem, the
 * allowed values, and the nearest known name of a misspelt one.
 */
#ifndef MO_SCENE_READER_H
#define MO_SCENE_READER_H

#include "base/memory.h"
#include "base/param.h"

#include <jansson.h>

typedef struct mo_read_source {
    const char *file;      /* for messages */
    const char *directory; /* base directory of relative paths; "" = the current one */
    json_t *root;          /* lookup of references */
} mo_read_source;

/* Reads `object` into `out` (section->size bytes). Lists and texts are stored in the arena. */
mote_status mo_read_section(const mo_read_source *source, json_t *object, const mo_section *section,
                            mo_arena *arena, void *out, mote_error *error);

/* The object a method is written as: {"type": ...} for a bare name or number, a copy otherwise (a
 * new reference); NULL if the value cannot be a method of this family. */
json_t *mo_read_method_object(const mo_family *family, json_t *value);

/* The choice of the section's `preset` in an object; NULL: none. */
const char *mo_read_preset(const mo_section *section, const json_t *object);

const mo_param *mo_read_param_find(const mo_param *params, const char *name);

#endif
