#include "scene/catalog.h"

#include "scene/root.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void walk_keys(mo_catalog *catalog, const mo_section *keys);

static void add_family(mo_catalog *catalog, const mo_family *family)
{
    for (int k = 0; k < catalog->family_count; ++k) {
        if (catalog->families[k] == family) {
            return;
        }
    }
    if (catalog->family_count == MO_CATALOG_MAX) {
        return;
    }
    catalog->families[catalog->family_count++] = family;
    for (int k = 0; k < mo_family_count(family); ++k) {
        mo_section keys = mo_method_keys(mo_family_at(family, k));
        walk_keys(catalog, &keys);
    }
}

static void add_section(mo_catalog *catalog, const mo_section *section)
{
    for (int k = 0; k < catalog->section_count; ++k) {
        if (catalog->sections[k] == section) {
            return;
        }
    }
    if (catalog->section_count == MO_CATALOG_MAX) {
        return;
    }
    catalog->sections[catalog->section_count++] = section;
    walk_keys(catalog, section);
}

static void walk_keys(mo_catalog *catalog, const mo_section *keys)
{
    const mo_param *p;
    for (int k = 0; (p = mo_section_param(keys, k)) != NULL; ++k) {
        if (p->type == MO_METHOD) {
            add_family(catalog, p->family);
        } else if (p->type == MO_SECTION) {
            add_section(catalog, p->section);
        }
    }
}

void mo_catalog_collect(mo_catalog *catalog)
{
    *catalog = (mo_catalog){0};
    add_section(catalog, &mo_scene_section);
}

const char *mo_param_type_name(mo_param_type type)
{
    static const char *const NAMES[] = {"bool", "int",   "real",      "vec3",   "string",
                                        "file", "curve", "reference", "method", "section"};
    return NAMES[type];
}

void mo_param_describe_type(const mo_param *param, char *out, size_t size)
{
    const char *kind = mo_param_type_name(param->type);
    if (param->type == MO_METHOD) {
        kind = param->family->name;
    } else if (param->type == MO_SECTION) {
        kind = param->section->name;
    }
    bool unit = param->unit && strcmp(param->unit, "1") != 0;
    snprintf(out, size, "%s%s%s%s%s", param->list ? "list of " : "", kind, unit ? " [" : "",
             unit ? param->unit : "", unit ? "]" : "");
}

void mo_capabilities_text(const mo_family *family, const mo_descriptor *method, char *out,
                          size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (int bit = 0; family->capabilities && family->capabilities[bit]; ++bit) {
        if (method->capabilities & (1u << bit)) {
            used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "",
                                     family->capabilities[bit]);
        }
    }
    if (method->capabilities & MO_PORTABLE) {
        snprintf(out + used, size - used, "%sportable", used ? ", " : "");
    }
}

/* Text, or null. */
static json_t *text_or_null(const char *text)
{
    return text ? json_string(text) : json_null();
}

static json_t *describe_param(const mo_param *p)
{
    json_t *initial = p->initial ? json_loads(p->initial, JSON_DECODE_ANY, NULL) : json_null();
    const char *refers = p->type == MO_METHOD    ? p->family->name
                         : p->type == MO_SECTION ? p->section->name
                                                 : NULL;
    return json_pack("{s:s, s:s, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:s}", "name", p->name,
                     "type", mo_param_type_name(p->type), "list", p->list, "required", p->required,
                     "of", text_or_null(refers), "unit", text_or_null(p->unit), "default", initial,
                     "range", text_or_null(p->range), "choices", text_or_null(p->choices), "needs",
                     text_or_null(p->needs), "doc", p->doc);
}

json_t *mo_describe_keys(const mo_section *keys)
{
    json_t *list = json_array();
    const mo_param *p;
    for (int k = 0; (p = mo_section_param(keys, k)) != NULL; ++k) {
        json_array_append_new(list, describe_param(p));
    }
    return list;
}

static json_t *describe_columns(const mo_column_spec *columns)
{
    json_t *list = json_array();
    for (const mo_column_spec *c = columns; c && c->name; ++c) {
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:s, s:b}", "name", c->name, "unit", c->unit,
                                        "doc", c->doc, "state", c->role == MO_STATE));
    }
    return list;
}

json_t *mo_describe_method(const mo_family *family, const mo_descriptor *method)
{
    char capabilities[200];
    mo_section keys = mo_method_keys(method);
    mo_capabilities_text(family, method, capabilities, sizeof capabilities);
    return json_pack("{s:s, s:s, s:s, s:o, s:o, s:s, s:o, s:o}", "family", family->name, "name",
                     method->name, "summary", method->summary, "citation",
                     text_or_null(method->citation), "departs", text_or_null(method->departs),
                     "capabilities", capabilities, "parameters", mo_describe_keys(&keys), "columns",
                     describe_columns(method->columns));
}

json_t *mo_describe_family(const mo_family *family)
{
    json_t *methods = json_array();
    for (int k = 0; k < mo_family_count(family); ++k) {
        json_array_append_new(methods, mo_describe_method(family, mo_family_at(family, k)));
    }
    return json_pack("{s:s, s:s, s:o}", "family", family->name, "doc", family->doc, "methods",
                     methods);
}

json_t *mo_describe_section(const mo_section *section)
{
    return json_pack("{s:s, s:s, s:o}", "section", section->name, "doc", section->doc, "parameters",
                     mo_describe_keys(section));
}

/* Serialises a JSON value for the caller; consumes the reference. */
static mote_status dump(json_t *value, char **text, mote_error *error)
{
    *text = value ? json_dumps(value, JSON_INDENT(2)) : NULL;
    json_decref(value);
    return *text ? MOTE_OK : mo_fail_memory(error, 0);
}

static const mo_family *find_family(const mo_catalog *catalog, const char *name)
{
    for (int k = 0; k < catalog->family_count; ++k) {
        if (strcmp(catalog->families[k]->name, name) == 0) {
            return catalog->families[k];
        }
    }
    return NULL;
}

static mote_status fail_no_family(const mo_catalog *catalog, const char *name, mote_error *error)
{
    const char *names[MO_CATALOG_MAX];
    mo_text list = {0};
    for (int k = 0; k < catalog->family_count; ++k) {
        names[k] = catalog->families[k]->name;
        mo_text_add(&list, "%s%s", k ? ", " : "", names[k]);
    }
    const char *nearest = mo_nearest(name, names, catalog->family_count);
    mo_fail(error, MOTE_ERROR_INPUT,
            nearest ? "there is no family '%.100s'; did you mean '%s'? families: %s"
                    : "there is no family '%.100s'%.0s; families: %s",
            name, nearest ? nearest : "", list.data);
    mo_text_release(&list);
    return MOTE_ERROR_INPUT;
}

static void list_family(mo_text *out, const mo_family *family, mote_text_format format)
{
    bool markdown = format == MOTE_TEXT_MARKDOWN;
    mo_text_add(out,
                markdown ? "## %s\n\n%s\n\n| name | summary | capabilities |\n|---|---|---|\n"
                         : "%s: %s\n",
                family->name, family->doc);
    for (int k = 0; k < mo_family_count(family); ++k) {
        const mo_descriptor *m = mo_family_at(family, k);
        char capabilities[200];
        mo_capabilities_text(family, m, capabilities, sizeof capabilities);
        mo_text_add(out, markdown ? "| `%s` | %s | %s |\n" : "  %-18s %s%s%s%s\n", m->name,
                    m->summary, markdown ? capabilities : (capabilities[0] ? " (" : ""),
                    capabilities, capabilities[0] ? ")" : "");
    }
    mo_text_add(out, "\n");
}

mote_status mo_text_format_check(mote_text_format format, const char *function, mote_error *error)
{
    if (format == MOTE_TEXT_PLAIN || format == MOTE_TEXT_JSON || format == MOTE_TEXT_MARKDOWN) {
        return MOTE_OK;
    }
    return mo_fail_argument(error, function, "format",
                            "is %d; allowed: MOTE_TEXT_PLAIN, MOTE_TEXT_JSON, MOTE_TEXT_MARKDOWN",
                            (int)format);
}

mote_status mote_catalog_list(const char *family, mote_text_format format, char **text,
                              mote_error *error)
{
    MO_NEED(text);
    MO_TRY(mo_text_format_check(format, __func__, error));
    mo_catalog catalog;
    mo_text out = {0};
    mo_catalog_collect(&catalog);
    const mo_family *only = family ? find_family(&catalog, family) : NULL;
    if (family && !only) {
        return fail_no_family(&catalog, family, error);
    }
    if (format == MOTE_TEXT_JSON) {
        json_t *list = json_array();
        for (int k = 0; k < catalog.family_count; ++k) {
            if (!only || only == catalog.families[k]) {
                json_array_append_new(list, mo_describe_family(catalog.families[k]));
            }
        }
        return dump(list, text, error);
    }
    for (int k = 0; k < catalog.family_count; ++k) {
        if (!only || only == catalog.families[k]) {
            list_family(&out, catalog.families[k], format);
        }
    }
    return mo_text_take(&out, text, error);
}
