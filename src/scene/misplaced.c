#include "scene/misplaced.h"

#include "host/system.h"

#include <stdio.h>
#include <string.h>

/* "spring, elements, fem or none": the models of a system. */
static void list_models(const mo_system_type *type, char *text, size_t size)
{
    int count = type->models ? mo_family_count(type->models) : 0;
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; k < count && used < size; ++k) {
        bool last = k == count - 1 && !type->takes_particles;
        used += (size_t)snprintf(text + used, size - used, "%s'%s'",
                                 k == 0 ? ""
                                 : last ? " or "
                                        : ", ",
                                 mo_family_at(type->models, k)->name);
    }
    if (type->takes_particles && used < size) {
        snprintf(text + used, size - used, "%snone", count > 0 ? " or " : "");
    }
}

/* The first key of a table present in an object; NULL: none. */
static const char *key_in(const json_t *object, const mo_section *section)
{
    for (const mo_param *p = section ? section->params : NULL; p && p->name; ++p) {
        if (json_object_get(object, p->name)) {
            return p->name;
        }
    }
    return NULL;
}

static mote_status check_body(const json_t *object, const mo_body_def *body, long long index,
                              mote_error *error)
{
    const mo_system_type *own = mo_body_def_system(body), *type;
    char models[300];
    for (int k = 0; (type = mo_system_type_at(k)) != NULL; ++k) {
        const char *key = type != own ? key_in(object, type->body_section) : NULL;
        if (key) {
            list_models(type, models, sizeof models);
            return mo_fail(
                error, MOTE_ERROR_INPUT,
                "bodies[%lld].%s: belongs to bodies with the model %s; this body has '%s'", index,
                key, models, body->model.type ? body->model.type->name : "none");
        }
    }
    return MOTE_OK;
}

/* The section of a system that has no particles. */
static mote_status check_own(const json_t *section, const char *name, mote_error *error)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)section, key, value)
    {
        if (strcmp(key, "_") != 0) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "%s.%s: it has no effect, since the scene has no %s: see `mote explain "
                           "%s` for its required keys",
                           name, key, name, name);
        }
    }
    return MOTE_OK;
}

static mote_status check_system(const json_t *root, const mo_system_type *type,
                                const mo_world_def *def, mote_error *error)
{
    char models[300];
    const char *key = type->wanted(def) ? NULL : key_in(root, type->section);
    if (!key) {
        return MOTE_OK;
    }
    if (!type->models && strcmp(key, type->base.name) == 0) {
        return check_own(json_object_get(root, key), key, error);
    }
    list_models(type, models, sizeof models);
    return mo_fail(error, MOTE_ERROR_INPUT,
                   "%s: belongs to bodies with the model %s; this scene has no such body", key,
                   models);
}

mote_status mo_scene_check_misplaced(const json_t *root, const mo_world_def *def, mote_error *error)
{
    const mo_body_def *bodies = def->bodies.items;
    const json_t *objects = json_object_get(root, "bodies");
    const mo_system_type *type;
    bool any = false;
    for (int64_t k = 0; k < def->bodies.count; ++k) {
        MO_TRY(check_body(json_array_get(objects, (size_t)k), &bodies[k], k, error));
    }
    for (int k = 0; (type = mo_system_type_at(k)) != NULL; ++k) {
        any = any || type->wanted(def);
    }
    for (int k = 0; any && (type = mo_system_type_at(k)) != NULL; ++k) {
        MO_TRY(check_system(root, type, def, error));
    }
    return MOTE_OK;
}
