/*
 * Writes a scene to a file. Relative file paths are made absolute: JSON and parameter tables are
 * traversed in parallel to find them.
 */
#include "base/file.h"
#include "base/memory.h"
#include "scene/reader.h"
#include "scene/scene.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct walk {
    const char *directory;
    bool failed; /* out of memory */
} walk;

static void visit_keys(walk *w, json_t *object, const mo_section *keys);

static json_t *full_name(walk *w, const char *text)
{
    char joined[PATH_MAX], full[PATH_MAX];
    bool beside = text[0] != '/' && w->directory[0];
    snprintf(joined, sizeof joined, "%s%s%s", beside ? w->directory : "", beside ? "/" : "", text);
    json_t *value = json_string(realpath(joined, full) ? full : text);
    w->failed = w->failed || !value;
    return value;
}

/* One value of a parameter; returns its replacement, or NULL. */
static json_t *visit_value(walk *w, json_t *value, const mo_param *param)
{
    if (param->type == MO_FILE && json_is_string(value)) {
        return full_name(w, json_string_value(value));
    }
    if (param->type == MO_SECTION && json_is_object(value)) {
        visit_keys(w, value, param->section);
    } else if (param->type == MO_METHOD && json_is_object(value)) {
        const char *type = json_string_value(json_object_get(value, "type"));
        const mo_descriptor *method = type ? mo_family_find(param->family, type) : NULL;
        if (method) {
            mo_section keys = mo_method_keys(method);
            visit_keys(w, value, &keys);
        }
    }
    return NULL;
}

static void visit_list(walk *w, json_t *list, const mo_param *param)
{
    for (size_t k = 0; k < json_array_size(list); ++k) {
        json_t *changed = visit_value(w, json_array_get(list, k), param);
        if (changed) {
            w->failed = json_array_set_new(list, k, changed) != 0 || w->failed;
        }
    }
}

static void visit_keys(walk *w, json_t *object, const mo_section *keys)
{
    const mo_param *p;
    for (int k = 0; (p = mo_section_param(keys, k)) != NULL; ++k) {
        json_t *value = json_object_get(object, p->name);
        if (value && p->list) {
            visit_list(w, value, p);
        } else if (value) {
            json_t *changed = visit_value(w, value, p);
            if (changed) {
                w->failed = json_object_set_new(object, p->name, changed) != 0 || w->failed;
            }
        }
    }
}

static mote_status write_text(const char *text, const char *path, mote_error *error)
{
    mo_file file;
    MO_TRY(mo_file_create(path, &file, error));
    fputs(text, file.stream);
    fputc('\n', file.stream);
    return mo_file_commit(&file, error);
}

mote_status mo_scene_save(const mote_scene *scene, const char *path, mote_error *error)
{
    walk w = {.directory = scene->directory};
    json_t *root = json_deep_copy(scene->root);
    if (root) {
        visit_keys(&w, root, &mo_scene_section);
    }
    char *text = root && !w.failed ? json_dumps(root, JSON_INDENT(2)) : NULL;
    mote_status status =
        text ? write_text(text, path, error) : mo_fail_memory(error, sizeof(void *));
    mo_heap_release(text);
    json_decref(root);
    return status;
}
