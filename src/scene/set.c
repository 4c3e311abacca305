/*
 * mote_scene_set: one parameter by its path, "bodies[0].model.k". JSON and parameter tables are
 * traversed in parallel, so that a short form along the path ("friction": 0.1) or an absent default
 * is first expanded to its object.
 */
#include "scene/reader.h"
#include "scene/scene.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct path_step {
    char name[64]; /* empty for an index */
    size_t index;
} path_step;

enum { STEPS_MAX = 32 };

static mote_status fail_path(const char *path, mote_error *error)
{
    return mo_fail(
        error, MOTE_ERROR_INPUT,
        "'%.300s' is not a path; paths look like time.step.size or colliders[2].friction", path);
}

/* One step of a path from `at`: a name or an [index]; NULL if it is neither. */
static const char *parse_step(const char *at, path_step *step)
{
    *step = (path_step){0};
    if (*at == '[') {
        char *end;
        if (!isdigit((unsigned char)at[1])) {
            return NULL;
        }
        step->index = strtoul(at + 1, &end, 10);
        return *end == ']' ? end + 1 : NULL;
    }
    size_t length = strcspn(at, ".[]");
    if (length == 0 || length >= sizeof step->name) {
        return NULL;
    }
    for (size_t k = 0; k < length; ++k) {
        if (!isalnum((unsigned char)at[k]) && at[k] != '_') {
            return NULL;
        }
    }
    memcpy(step->name, at, length);
    return at + length;
}

static mote_status parse_path(const char *path, path_step *steps, int *count, mote_error *error)
{
    const char *at = path;
    for (*count = 0; *count < STEPS_MAX; ++*count) {
        at = parse_step(at, &steps[*count]);
        if (!at) {
            return fail_path(path, error);
        }
        if (*at == '\0') {
            ++*count;
            return MOTE_OK;
        }
        if (*at == '.') {
            ++at;
        } else if (*at != '[') {
            return fail_path(path, error);
        }
    }
    return fail_path(path, error);
}

/* The position in the traversal: a container, and the table of its keys if it is an object of
 * known kind. */
typedef struct cursor {
    json_t *node;            /* borrowed */
    mo_section table;        /* of an object's keys; empty if unknown */
    const mo_param *list;    /* of a list's elements; NULL otherwise */
    const mo_family *family; /* if the object is a method; NULL otherwise */
} cursor;

/* The value of an absent parameter: its default, or an empty container. */
static json_t *starting_value(const cursor *at, const mo_param *param, bool next_is_index)
{
    const char *initial =
        param ? mo_section_default(&at->table, param, mo_read_preset(&at->table, at->node)) : NULL;
    json_t *value = initial ? json_loads(initial, JSON_DECODE_ANY, NULL) : NULL;
    if (value) {
        return value;
    }
    return next_is_index ? json_array() : json_object();
}

/* The element's table; a method's is found by its type. */
static mo_section table_of(const mo_param *param, json_t *node)
{
    if (param && param->type == MO_SECTION) {
        return *param->section;
    }
    if (param && param->type == MO_METHOD) {
        const char *type = json_string_value(json_object_get(node, "type"));
        const mo_descriptor *method = type ? mo_family_find(param->family, type) : NULL;
        return method ? mo_method_keys(method) : (mo_section){0};
    }
    return (mo_section){0};
}

/* The child as a container: short forms of methods expanded. Returns a new reference, or NULL. */
static json_t *as_container(json_t *child, const mo_param *param, bool inside_list)
{
    bool method = param && param->type == MO_METHOD && (!param->list || inside_list);
    if (method && !json_is_object(child)) {
        return mo_read_method_object(param->family, child);
    }
    return json_is_object(child) || json_is_array(child) ? json_incref(child) : NULL;
}

static mote_status fail_step(const char *path, const char *why, mote_error *error)
{
    return mo_fail(error, MOTE_ERROR_INPUT, "%.300s: %s", path, why);
}

/* Descends one level, creating missing objects. */
static mote_status descend(cursor *at, const path_step *step, bool next_is_index, const char *path,
                           mote_error *error)
{
    bool index = step->name[0] == '\0';
    if (index ? !json_is_array(at->node) : !json_is_object(at->node)) {
        return fail_step(path,
                         index ? "the value is not a list and has no index"
                               : "the value is not an object "
                                 "and has no keys",
                         error);
    }
    const mo_param *param = index ? at->list : mo_section_find(&at->table, step->name);
    json_t *child =
        index ? json_array_get(at->node, step->index) : json_object_get(at->node, step->name);
    bool grow = index && step->index == json_array_size(at->node);
    if (!child && index && !grow) {
        return fail_step(path, "the list is shorter than that; an index one past its end appends",
                         error);
    }
    json_t *made = child ? NULL : index ? json_object() : starting_value(at, param, next_is_index);
    json_t *container = as_container(child ? child : made, param, index);
    json_decref(made);
    if (!container) {
        return fail_step(path, "the path continues beyond a plain value", error);
    }
    int failed = index ? (grow ? json_array_append(at->node, container)
                               : json_array_set(at->node, step->index, container))
                       : json_object_set(at->node, step->name, container);
    *at = (cursor){.node = container};
    if (json_is_array(container)) {
        at->list = param && param->list ? param : NULL;
    } else {
        at->table = table_of(param, container);
        at->family = param && param->type == MO_METHOD ? param->family : NULL;
    }
    json_decref(container);
    return failed ? mo_fail_memory(error, sizeof(void *)) : MOTE_OK;
}

/* After a change of type a method keeps only parameters of the new type. */
static void drop_foreign_keys(json_t *object, const mo_descriptor *method)
{
    const char *key;
    json_t *value;
    void *next;
    json_object_foreach_safe(object, next, key, value)
    {
        bool kept = strcmp(key, "type") == 0 || strcmp(key, "_") == 0 ||
                    mo_read_param_find(method->params, key);
        if (!kept) {
            json_object_del(object, key);
        }
    }
}

static mote_status put(cursor *at, const path_step *step, json_t *value, const char *path,
                       mote_error *error)
{
    bool retypes = at->family && strcmp(step->name, "type") == 0 && json_is_string(value);
    const mo_descriptor *method =
        retypes ? mo_family_find(at->family, json_string_value(value)) : NULL;
    if (method) {
        drop_foreign_keys(at->node, method);
    }
    if (step->name[0]) {
        return json_object_set(at->node, step->name, value) == 0
                   ? MOTE_OK
                   : fail_step(path, "the value is not an object and has no keys", error);
    }
    size_t size = json_array_size(at->node);
    if (!json_is_array(at->node) || step->index > size) {
        return fail_step(path, "there is no list that long; an index one past its end appends",
                         error);
    }
    int failed = step->index == size ? json_array_append(at->node, value)
                                     : json_array_set(at->node, step->index, value);
    return failed ? mo_fail_memory(error, sizeof(void *)) : MOTE_OK;
}

/* JSON if valid, else the text itself; numbers, lists and objects must be JSON. */
static mote_status parse_value(const char *path, const char *text, json_t **value,
                               mote_error *error)
{
    json_error_t problem;
    *value = json_loads(text, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &problem);
    if (*value) {
        return MOTE_OK;
    }
    if (text[0] && strchr("[{\"-+.0123456789", text[0])) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%.300s: '%.300s' is not valid JSON: %s%s", path,
                       text, problem.text, mo_scene_json_allowed(&problem));
    }
    *value = json_string(text);
    return *value ? MOTE_OK
                  : mo_fail(error, MOTE_ERROR_INPUT,
                            "%.300s: the value is neither JSON nor UTF-8 text", path);
}

mote_status mote_scene_set(mote_scene *scene, const char *path, const char *value,
                           mote_error *error)
{
    MO_NEED(scene);
    MO_NEED(path);
    MO_NEED(value);
    path_step steps[STEPS_MAX];
    int count;
    MO_TRY(parse_path(path, steps, &count, error));
    json_t *parsed;
    MO_TRY(parse_value(path, value, &parsed, error));
    /* on a copy, so that a failure leaves the scene unchanged */
    json_t *root = json_deep_copy(scene->root);
    cursor at = {.node = root, .table = mo_scene_section};
    mote_status status = root ? MOTE_OK : mo_fail_memory(error, sizeof(void *));
    for (int k = 0; k + 1 < count && status == MOTE_OK; ++k) {
        status = descend(&at, &steps[k], steps[k + 1].name[0] == '\0', path, error);
    }
    if (status == MOTE_OK) {
        status = put(&at, &steps[count - 1], parsed, path, error);
    }
    if (status == MOTE_OK) {
        json_decref(scene->root);
        scene->root = root;
    } else {
        json_decref(root);
    }
    json_decref(parsed);
    return status;
}
