/* mote_catalog_explain: documentation of a family, a method, a section or a parameter. */
#include "scene/catalog.h"
#include "scene/reader.h"
#include "scene/root.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
    mote_text_format format;
    mo_text text;
    json_t *list; /* of the result, for JSON */
} writer;

static bool markdown(const writer *w)
{
    return w->format == MOTE_TEXT_MARKDOWN;
}

static void write_param_plain(writer *w, const mo_param *p, const char *type)
{
    mo_text_add(&w->text, "  %-16s %s", p->name, type);
    if (p->required) {
        mo_text_add(&w->text, ", required");
    } else if (p->initial) {
        mo_text_add(&w->text, ", default %s", p->initial);
    }
    if (p->range) {
        mo_text_add(&w->text, ", in %s", p->range);
    }
    if (p->choices) {
        mo_text_add(&w->text, ", one of %s", p->choices);
    }
    mo_text_add(&w->text, "\n  %-16s   %s%s%s%s\n", "", p->doc, p->needs ? " Needs " : "",
                p->needs ? p->needs : "", p->needs ? "." : "");
}

/* Table cells must not contain the column sign. */
static void write_choices(writer *w, const char *choices)
{
    for (const char *c = choices; *c; ++c) {
        mo_text_add(&w->text, *c == '|' ? " or " : "%c", *c);
    }
}

static void write_param_row(writer *w, const mo_param *p, const char *type)
{
    mo_text_add(&w->text, "| `%s` | %s | %s%s%s | ", p->name, type, p->initial ? "`" : "",
                p->initial ? p->initial : (p->required ? "required" : ""), p->initial ? "`" : "");
    if (p->choices) {
        write_choices(w, p->choices);
    } else {
        mo_text_add(&w->text, "%s", p->range ? p->range : "");
    }
    mo_text_add(&w->text, " | %s%s%s%s |\n", p->doc, p->needs ? " Needs `" : "",
                p->needs ? p->needs : "", p->needs ? "`." : "");
}

/* Defaults selected by a parameter of the section. */
static void write_presets(writer *w, const mo_section *keys)
{
    const mo_preset *p = keys->presets;
    if (p) {
        mo_text_add(&w->text,
                    markdown(w)
                        ? "\nDefaults by `%s`:\n\n| `%s` | parameter | default |\n|---|---|---|\n"
                        : "  defaults by %s:\n",
                    keys->preset, keys->preset);
    }
    for (; p && p->value; ++p) {
        mo_text_add(&w->text, markdown(w) ? "| %s | `%s` | `%s` |\n" : "    %s: %s = %s\n",
                    p->value, p->key, p->initial);
    }
}

static void write_keys(writer *w, const mo_section *keys)
{
    if (!mo_section_param(keys, 0)) {
        mo_text_add(&w->text, markdown(w) ? "No parameters.\n\n" : "  no parameters\n");
        return;
    }
    if (markdown(w)) {
        mo_text_add(&w->text,
                    "| parameter | type | default | allowed | |\n|---|---|---|---|---|\n");
    }
    const mo_param *p;
    for (int k = 0; (p = mo_section_param(keys, k)) != NULL; ++k) {
        char type[100];
        mo_param_describe_type(p, type, sizeof type);
        (markdown(w) ? write_param_row : write_param_plain)(w, p, type);
    }
    write_presets(w, keys);
    mo_text_add(&w->text, markdown(w) ? "\n" : "");
}

/* The shortest scene text that selects the method. */
static void write_example(writer *w, const mo_family *family, const mo_descriptor *m)
{
    bool required = false;
    for (const mo_param *p = m->params; p->name; ++p) {
        required = required || p->required;
    }
    const char *fence = markdown(w) ? "`" : "";
    if (!required) {
        mo_text_add(&w->text, "%sIn a scene: %s\"%s\"%s or %s{\"type\": \"%s\"}%s\n",
                    markdown(w) ? "" : "  ", fence, m->name, fence, fence, m->name, fence);
        return;
    }
    mo_text_add(&w->text, "%sIn a scene: %s{\"type\": \"%s\"", markdown(w) ? "" : "  ", fence,
                m->name);
    for (const mo_param *p = m->params; p->name; ++p) {
        if (p->required) {
            mo_text_add(&w->text, ", \"%s\": ...", p->name);
        }
    }
    mo_text_add(&w->text, "}%s", fence);
    if (family->number_selects && strcmp(family->number_selects, m->name) == 0) {
        mo_text_add(&w->text, ", or a number for \"%s\"", m->params[0].name);
    }
    mo_text_add(&w->text, "\n");
}

static void write_columns(writer *w, const mo_descriptor *m)
{
    for (const mo_column_spec *c = m->columns; c && c->name; ++c) {
        mo_text_add(&w->text, markdown(w) ? "- column `%s` [%s]: %s\n" : "  column %s [%s]: %s\n",
                    c->name, c->unit, c->doc);
    }
    mo_text_add(&w->text, markdown(w) && m->columns ? "\n" : "");
}

static void write_method(writer *w, const mo_family *family, const mo_descriptor *m)
{
    char capabilities[200];
    if (w->format == MOTE_TEXT_JSON) {
        json_array_append_new(w->list, mo_describe_method(family, m));
        return;
    }
    mo_capabilities_text(family, m, capabilities, sizeof capabilities);
    mo_text_add(&w->text, markdown(w) ? "## %s\n\n%.0s%s\n\n" : "%s (%s): %s\n", m->name,
                family->name, m->summary);
    if (m->citation) {
        mo_text_add(&w->text, markdown(w) ? "Source: %s.\n\n" : "  source: %s\n", m->citation);
    }
    if (m->departs) {
        mo_text_add(&w->text, markdown(w) ? "Departs from it: %s\n\n" : "  departs from it: %s\n",
                    m->departs);
    }
    if (capabilities[0]) {
        mo_text_add(&w->text, markdown(w) ? "Capabilities: %s.\n\n" : "  capabilities: %s\n",
                    capabilities);
    }
    mo_section keys = mo_method_keys(m);
    write_keys(w, &keys);
    write_columns(w, m);
    write_example(w, family, m);
    mo_text_add(&w->text, "\n");
}

static void write_family(writer *w, const mo_family *family)
{
    if (w->format == MOTE_TEXT_JSON) {
        json_array_append_new(w->list, mo_describe_family(family));
        return;
    }
    mo_text_add(&w->text, markdown(w) ? "# %s\n\n%s\n\n" : "%s: %s\n\n", family->name, family->doc);
    for (int k = 0; k < mo_family_count(family); ++k) {
        write_method(w, family, mo_family_at(family, k));
    }
}

static void write_section(writer *w, const mo_section *section)
{
    if (w->format == MOTE_TEXT_JSON) {
        json_array_append_new(w->list, mo_describe_section(section));
        return;
    }
    mo_text_add(&w->text, markdown(w) ? "# %s\n\n%s\n\n" : "%s: %s\n", section->name, section->doc);
    write_keys(w, section);
    mo_text_add(&w->text, "\n");
}

static void write_single_param(writer *w, const mo_param *p)
{
    const mo_param two[2] = {*p, {0}};
    const mo_section one = {.name = p->name, .params = two};
    if (w->format == MOTE_TEXT_JSON) {
        json_array_append_new(w->list, mo_describe_keys(&one));
        return;
    }
    write_keys(w, &one);
    if (p->type == MO_METHOD) {
        for (int k = 0; k < mo_family_count(p->family); ++k) {
            mo_text_add(&w->text, "    %-16s %s\n", mo_family_at(p->family, k)->name,
                        mo_family_at(p->family, k)->summary);
        }
    }
    mo_text_add(&w->text, "\n");
}

/* "rk4", "cfl.factor", within a family */
static int explain_in_family(writer *w, const mo_family *family, const char *rest)
{
    char name[100];
    size_t length = strcspn(rest, ".");
    snprintf(name, sizeof name, "%.*s", (int)length, rest);
    const mo_descriptor *m = mo_family_find(family, name);
    if (!m) {
        return 0;
    }
    if (rest[length] == '\0') {
        write_method(w, family, m);
        return 1;
    }
    const mo_param *p = mo_read_param_find(m->params, rest + length + 1);
    if (p) {
        write_single_param(w, p);
    }
    return p != NULL;
}

/* "time.step.size", "bodies.pins[0].motion": a path through sections and, by any of its methods,
 * families. */
static int explain_path(writer *w, const mo_section *keys, const char *path)
{
    char name[100];
    size_t length = strcspn(path, ".[");
    snprintf(name, sizeof name, "%.*s", (int)length, path);
    const mo_param *p = mo_section_find(keys, name);
    if (!p) {
        return 0;
    }
    const char *rest = path + length;
    while (*rest == '[') {
        rest += strcspn(rest, "]");
        rest += *rest == ']';
    }
    if (*rest == '\0') {
        write_single_param(w, p);
        return 1;
    }
    int found = 0;
    if (p->type == MO_SECTION) {
        return explain_path(w, p->section, rest + 1);
    }
    for (int k = 0; p->type == MO_METHOD && k < mo_family_count(p->family); ++k) {
        mo_section own = mo_method_keys(mo_family_at(p->family, k));
        found += explain_path(w, &own, rest + 1);
    }
    return found;
}

static bool names_family(const mo_catalog *catalog, const char *name)
{
    bool found = false;
    for (int k = 0; k < catalog->family_count; ++k) {
        found = found || strcmp(catalog->families[k]->name, name) == 0;
    }
    return found;
}

static int explain_name(writer *w, const mo_catalog *catalog, const char *name)
{
    int found = 0;
    bool is_family = names_family(catalog, name);
    for (int k = 0; k < catalog->family_count; ++k) {
        const mo_family *family = catalog->families[k];
        size_t length = strlen(family->name);
        if (strcmp(family->name, name) == 0) {
            write_family(w, family);
            ++found;
        }
        const mo_descriptor *m = mo_family_find(family, name);
        if (m && !(is_family && w->format == MOTE_TEXT_MARKDOWN)) { /* one page per family */
            write_method(w, family, m);
            ++found;
        }
        if (strncmp(family->name, name, length) == 0 && name[length] == '.') {
            found += explain_in_family(w, family, name + length + 1);
        } else if (strchr(name, '.')) { /* "wind.scale" without its family */
            found += explain_in_family(w, family, name);
        }
    }
    for (int k = 0; k < catalog->section_count; ++k) {
        if (strcmp(catalog->sections[k]->name, name) == 0) {
            write_section(w, catalog->sections[k]);
            ++found;
        }
        size_t length = strlen(catalog->sections[k]->name);
        if (strncmp(catalog->sections[k]->name, name, length) == 0 && name[length] == '.') {
            found += explain_path(w, catalog->sections[k], name + length + 1);
        }
    }
    return found ? found : explain_path(w, &mo_scene_section, name);
}

static mote_status fail_no_name(const mo_catalog *catalog, const char *name, mote_error *error)
{
    enum { NAMES = 512 };
    const char *names[NAMES];
    int count = 0;
    for (int k = 0; k < catalog->family_count; ++k) {
        names[count++] = catalog->families[k]->name;
        for (int j = 0; j < mo_family_count(catalog->families[k]) && count < NAMES - MO_CATALOG_MAX;
             ++j) {
            names[count++] = mo_family_at(catalog->families[k], j)->name;
        }
    }
    for (int k = 0; k < catalog->section_count; ++k) {
        names[count++] = catalog->sections[k]->name;
    }
    for (const mo_param *p = mo_scene_section.params; p->name && count < NAMES; ++p) {
        names[count++] = p->name;
    }
    const char *nearest = mo_nearest(name, names, count);
    mo_text found = {0};
    bool mentioned = mo_catalog_mentions(catalog, name, &found) > 0 && !found.failed;
    mote_status status = mo_fail(
        error, MOTE_ERROR_INPUT,
        "there is no method or section '%.100s'%s%s%s%s%.400s; `mote list` lists the methods", name,
        nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "",
        mentioned ? "; see " : "", mentioned ? found.data : "");
    mo_text_release(&found);
    return status;
}

mote_status mote_catalog_explain(const char *name, mote_text_format format, char **text,
                                 mote_error *error)
{
    MO_NEED(name);
    MO_NEED(text);
    MO_TRY(mo_text_format_check(format, __func__, error));
    mo_catalog catalog;
    writer w = {.format = format, .list = json_array()};
    mo_catalog_collect(&catalog);
    int found = explain_name(&w, &catalog, name);
    mote_status status;
    if (!found) {
        status = fail_no_name(&catalog, name, error);
    } else if (format == MOTE_TEXT_JSON) {
        *text = json_dumps(w.list, JSON_INDENT(2));
        status = *text ? MOTE_OK : mo_fail_memory(error, 0);
    } else {
        status = mo_text_take(&w.text, text, error);
    }
    mo_text_release(&w.text);
    json_decref(w.list);
    return status;
}
