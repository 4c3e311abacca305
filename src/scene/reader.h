/*
 * JSON into structs, by the parameter tables. Every error says file, path, what is wrong, what is
 * allowed, and the nearest known name when one was misspelt.
 */
#ifndef MO_SCENE_READER_H
#define MO_SCENE_READER_H

#include "base/memory.h"
#include "base/param.h"

#include <jansson.h>

typedef struct mo_read_source {
    const char *file;      /* for messages */
    const char *directory; /* relative files are looked up here; "" = the current one */
    json_t *root;          /* where references find the things they name */
} mo_read_source;

/* Reads `object` into `out` (section->size bytes). Lists and texts go into the arena. */
mote_status mo_read_section(const mo_read_source *source, json_t *object, const mo_section *section,
                            mo_arena *arena, void *out, mote_error *error);

/* The object a method is written as: {"type": ...} for a bare name or number, a copy otherwise (a
 * new reference); NULL if the value cannot be a method of this family. */
json_t *mo_method_object(const mo_family *family, json_t *value);

/* What an object chooses by the section's `preset`; NULL: nothing. */
const char *mo_json_preset(const mo_section *section, const json_t *object);

const mo_param *mo_param_find(const mo_param *params, const char *name);

#endif
