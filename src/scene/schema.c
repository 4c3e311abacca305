/* mote_catalog_schema: JSON Schema (draft 2020-12) of a scene, from the parameter tables. */
#include "scene/catalog.h"
#include "scene/color_names.h"
#include "scene/root.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static json_t *value_schema(const mo_param *p);

static void add_range(json_t *schema, const mo_param *p)
{
    if (!p->range) {
        return;
    }
    mo_range range = mo_range_parse(p->range);
    if (isfinite(range.low)) {
        json_object_set_new(schema, range.open_low ? "exclusiveMinimum" : "minimum",
                            json_real(range.low));
    }
    if (isfinite(range.high)) {
        json_object_set_new(schema, range.open_high ? "exclusiveMaximum" : "maximum",
                            json_real(range.high));
    }
}

static json_t *number_schema(const mo_param *p, const char *type)
{
    json_t *schema = json_pack("{s:s}", "type", type);
    add_range(schema, p);
    return schema;
}

static json_t *vec3_schema(const mo_param *p)
{
    json_t *numbers = json_pack("{s:s, s:o, s:i, s:i}", "type", "array", "items",
                                number_schema(p, "number"), "minItems", 3, "maxItems", 3);
    bool color = p->unit && strcmp(p->unit, MO_COLOR_UNIT) == 0;
    return color ? json_pack("{s:[o, {s:s}]}", "anyOf", numbers, "type", "string") : numbers;
}

static json_t *curve_schema(const mo_param *p)
{
    json_t *point =
        json_pack("{s:s, s:[{s:s}, o], s:i, s:i}", "type", "array", "prefixItems", "type", "number",
                  number_schema(p, "number"), "minItems", 2, "maxItems", 2);
    json_t *points = json_pack("{s:s, s:o, s:i}", "type", "array", "items", point, "minItems", 1);
    return json_pack("{s:[o, o]}", "anyOf", number_schema(p, "number"), points);
}

static json_t *string_schema(const mo_param *p)
{
    json_t *schema = json_pack("{s:s}", "type", "string");
    if (!p->choices) {
        return schema;
    }
    json_t *choices = json_array();
    for (const char *at = p->choices; *at;) {
        size_t length = strcspn(at, "|");
        json_array_append_new(choices, json_stringn(at, length));
        at += length + (at[length] == '|');
    }
    json_object_set_new(schema, "enum", choices);
    return schema;
}

static json_t *reference_to(const char *kind, const char *name)
{
    char path[200];
    snprintf(path, sizeof path, "#/$defs/%s.%s", kind, name);
    return json_pack("{s:s}", "$ref", path);
}

static json_t *value_schema(const mo_param *p)
{
    switch (p->type) {
    case MO_BOOL:
        return json_pack("{s:s}", "type", "boolean");
    case MO_INT:
        return number_schema(p, "integer");
    case MO_REAL:
        return number_schema(p, "number");
    case MO_VEC3:
        return vec3_schema(p);
    case MO_STRING:
    case MO_FILE:
    case MO_REFERENCE:
        return string_schema(p);
    case MO_CURVE:
        return curve_schema(p);
    case MO_METHOD:
        return reference_to("family", p->family->name);
    case MO_SECTION:
        return reference_to("section", p->section->name);
    }
    return json_object();
}

static json_t *param_schema(const mo_param *p)
{
    json_t *schema = value_schema(p);
    if (p->list) {
        schema = json_pack("{s:s, s:o}", "type", "array", "items", schema);
    }
    char doc[600];
    bool unit = p->unit && strcmp(p->unit, "1") != 0;
    snprintf(doc, sizeof doc, "%s%s%s%s", p->doc, unit ? " [" : "", unit ? p->unit : "",
             unit ? "]" : "");
    json_object_set_new(schema, "description", json_string(doc));
    if (p->initial) {
        json_object_set_new(schema, "default", json_loads(p->initial, JSON_DECODE_ANY, NULL));
    }
    return schema;
}

/* An object with exactly these keys, "_" for comments, and "type" if it is a method. */
static json_t *object_schema(const mo_section *keys, const char *doc, const char *type)
{
    json_t *properties = json_object(), *required = json_array();
    json_object_set_new(properties, "_", json_pack("{s:s}", "description", "a comment"));
    if (type) {
        json_object_set_new(properties, "type", json_pack("{s:s}", "const", type));
        json_array_append_new(required, json_string("type"));
    }
    const mo_param *p;
    for (int k = 0; (p = mo_section_param(keys, k)) != NULL; ++k) {
        json_object_set_new(properties, p->name, param_schema(p));
        if (p->required) {
            json_array_append_new(required, json_string(p->name));
        }
    }
    return json_pack("{s:s, s:s, s:o, s:o, s:b}", "type", "object", "description", doc,
                     "properties", properties, "required", required, "additionalProperties", 0);
}

static bool needs_parameters(const mo_descriptor *m)
{
    for (const mo_param *p = m->params; p->name; ++p) {
        if (p->required) {
            return true;
        }
    }
    return false;
}

/* Any of the methods as an object, a name, or (if defined) a number. */
static json_t *family_schema(const mo_family *family)
{
    json_t *any = json_array(), *names = json_array();
    for (int k = 0; k < mo_family_count(family); ++k) {
        const mo_descriptor *m = mo_family_at(family, k);
        mo_section keys = mo_method_keys(m);
        json_array_append_new(any, object_schema(&keys, m->summary, m->name));
        if (!needs_parameters(m)) {
            json_array_append_new(names, json_string(m->name));
        }
    }
    if (json_array_size(names) > 0) {
        json_array_append_new(any, json_pack("{s:O}", "enum", names));
    }
    json_decref(names);
    const mo_descriptor *selected =
        family->number_selects ? mo_family_find(family, family->number_selects) : NULL;
    if (selected) {
        json_array_append_new(any, value_schema(&selected->params[0]));
    }
    return json_pack("{s:s, s:o}", "description", family->doc, "anyOf", any);
}

mote_status mote_catalog_schema(char **text, mote_error *error)
{
    MO_NEED(text);
    mo_catalog catalog;
    mo_catalog_collect(&catalog);
    json_t *definitions = json_object();
    char name[200];
    for (int k = 1; k < catalog.section_count; ++k) {
        const mo_section *s = catalog.sections[k];
        snprintf(name, sizeof name, "section.%s", s->name);
        json_object_set_new(definitions, name, object_schema(s, s->doc, NULL));
    }
    for (int k = 0; k < catalog.family_count; ++k) {
        snprintf(name, sizeof name, "family.%s", catalog.families[k]->name);
        json_object_set_new(definitions, name, family_schema(catalog.families[k]));
    }
    json_t *schema = object_schema(&mo_scene_section, mo_scene_section.doc, NULL);
    json_object_set_new(schema, "$schema",
                        json_string("https://json-schema.org/draft/2020-12/schema"));
    json_object_set_new(schema, "title", json_string("mote scene"));
    json_object_set_new(schema, "$defs", definitions);
    *text = json_dumps(schema, JSON_INDENT(2));
    json_decref(schema);
    return *text ? MOTE_OK : mo_fail_memory(error, 0);
}
