#include "scene/key_owner.h"

#include "scene/reader.h"
#include "scene/root.h"

#include <stdio.h>
#include <string.h>

enum { NAMES_MOST = 6, PLACES_MOST = 5, LEVELS = 4, FAMILIES_MAX = 64 };

/* The methods of a family with the key, as "'fem'", "'fem' or 'elements'", "'a', 'b' or 'c'";
 * returns their number. */
static int list_methods(const mo_family *family, const char *key, char *text, size_t size)
{
    int count = 0, most = mo_family_count(family), used = 0, written = 0;
    for (int k = 0; k < most; ++k) {
        count += mo_read_param_find(mo_family_at(family, k)->params, key) != NULL;
    }
    text[0] = '\0';
    for (int k = 0; k < most && written < count && (size_t)used < size; ++k) {
        const mo_descriptor *method = mo_family_at(family, k);
        if (mo_read_param_find(method->params, key) && written++ < NAMES_MOST) {
            const char *before = written == 1 ? "" : written == count ? " or " : ", ";
            used += snprintf(text + used, size - (size_t)used, "%s'%s'", before, method->name);
        }
    }
    if (count > NAMES_MOST && (size_t)used < size) {
        snprintf(text + used, size - (size_t)used, ", ...");
    }
    return count;
}

/* ---- keys of a method: in its family, or in one that it selects from ---- */

static int name_methods(const mo_family *family, const char *key, char *text, size_t size)
{
    char names[400];
    int count = list_methods(family, key, names, sizeof names);
    text[0] = '\0';
    if (count > 0) {
        snprintf(text, size, "the %s %s", family->name, names);
    }
    return count;
}

static void find_among_methods(const char *key, const mo_section *keys, const mo_family *family,
                               char *text, size_t size)
{
    const mo_param *p;
    char peers[450], inner[450] = "";
    int found = name_methods(family, key, peers, sizeof peers), within = 0;
    for (int k = 0; within == 0 && (p = mo_section_param(keys, k)) != NULL; ++k) {
        bool other = p->type == MO_METHOD && p->family != family;
        within = other ? name_methods(p->family, key, inner, sizeof inner) : 0;
    }
    if (found + within > 0) {
        snprintf(text, size, "; it belongs to %s%s%s", peers, found && within ? ", or to " : "",
                 inner);
    }
}

/* ---- keys of a section: in the sections and methods below one ---- */

typedef struct search {
    const char *key;
    const mo_section *except; /* has the key not */
    bool methods;             /* else sections */
    int count;
    const mo_family *seen[FAMILIES_MAX];
    int seen_count;
    char *text;
    size_t size;
} search;

static void add_place(search *s, const char *path, const char *methods)
{
    size_t used = strlen(s->text);
    const char *before = s->count == 0 ? "; it belongs to " : ", ";
    if (++s->count > PLACES_MOST) {
        return;
    }
    if (path[0] == '\0') {
        snprintf(s->text + used, s->size - used, "%sthe top level of the scene", before);
    } else {
        snprintf(s->text + used, s->size - used, "%s`%s`%s%s%s", before, path,
                 methods[0] ? " (" : "", methods, methods[0] ? ")" : "");
    }
}

static bool is_new(search *s, const mo_family *family)
{
    for (int k = 0; k < s->seen_count; ++k) {
        if (s->seen[k] == family) {
            return false;
        }
    }
    if (s->seen_count < FAMILIES_MAX) {
        s->seen[s->seen_count++] = family;
    }
    return true;
}

/* The section itself, or the methods that its keys select from. */
static void examine(search *s, const mo_section *section, const char *path)
{
    const mo_param *p;
    char names[400], inner[200];
    if (!s->methods) {
        if (section != s->except && mo_section_find(section, s->key)) {
            add_place(s, path, "");
        }
        return;
    }
    for (int k = 0; (p = mo_section_param(section, k)) != NULL; ++k) {
        if (p->type == MO_METHOD && is_new(s, p->family) &&
            list_methods(p->family, s->key, names, sizeof names) > 0) {
            snprintf(inner, sizeof inner, "%s%s%s%s", path, path[0] ? "." : "", p->name,
                     p->list ? "[]" : "");
            add_place(s, inner, names);
        }
    }
}

/* All sections `level` levels below one. */
static void descend(search *s, const mo_section *section, const char *path, int level)
{
    const mo_param *p;
    char inner[200];
    if (level == 0) {
        examine(s, section, path);
        return;
    }
    for (int k = 0; (p = mo_section_param(section, k)) != NULL; ++k) {
        if (p->type == MO_SECTION) {
            snprintf(inner, sizeof inner, "%s%s%s%s", path, path[0] ? "." : "", p->name,
                     p->list ? "[]" : "");
            descend(s, p->section, inner, level - 1);
        }
    }
}

/* The nearest levels first, sections before methods. */
static void find_below(search *s, const mo_section *section)
{
    for (int kind = 0; kind < 2; ++kind) {
        s->methods = kind == 1;
        for (int level = 0; level < LEVELS; ++level) {
            descend(s, section, "", level);
        }
    }
}

void mo_key_owner(const char *key, const mo_section *keys, const mo_family *family, char *text,
                  size_t size)
{
    search s = {.key = key, .except = keys, .text = text, .size = size};
    text[0] = '\0';
    if (family) {
        find_among_methods(key, keys, family, text, size);
    } else {
        find_below(&s, keys);
    }
    if (text[0] == '\0' && !family) {
        s.seen_count = 0;
        find_below(&s, &mo_scene_section);
    }
    size_t used = strlen(text);
    if (s.count > PLACES_MOST) {
        snprintf(text + used, size - used, ", ...");
    }
}
