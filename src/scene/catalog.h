/*
 * All families and sections reachable from the root of a scene.
 */
#ifndef MO_SCENE_CATALOG_H
#define MO_SCENE_CATALOG_H

#include "base/param.h"
#include "base/text.h"
#include "mote/catalog.h"

#include <jansson.h>

enum { MO_CATALOG_MAX = 64 };

typedef struct mo_catalog {
    int family_count, section_count;
    const mo_family *families[MO_CATALOG_MAX];
    const mo_section *sections[MO_CATALOG_MAX]; /* the scene itself first */
} mo_catalog;

/* Collected from the tables reachable from a scene. */
void mo_catalog_collect(mo_catalog *catalog);

/* "list of vec3 [m]", "integrator", "real [s]" */
void mo_param_describe_type(const mo_param *param, char *out, size_t size);
const char *mo_param_type_name(mo_param_type type);

/* "symplectic, variable_step, portable" */
void mo_capabilities_text(const mo_family *family, const mo_descriptor *method, char *out,
                          size_t size);

/* Rejects invalid formats, on behalf of a public function. */
mote_status mo_text_format_check(mote_text_format format, const char *function, mote_error *error);

/* A description as JSON; a new reference. */
json_t *mo_describe_keys(const mo_section *keys);
json_t *mo_describe_method(const mo_family *family, const mo_descriptor *method);
json_t *mo_describe_family(const mo_family *family);
json_t *mo_describe_section(const mo_section *section);

/* Lists keys ("body_contact.self") and methods whose name or sentence has all words of `query`,
 * at most eight, and returns how many there are. */
int mo_catalog_mentions(const mo_catalog *catalog, const char *query, mo_text *out);

#endif
