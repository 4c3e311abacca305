#include "host/drawing.h"

#include "host/system.h"

#include <string.h>

bool mo_category_at(const mo_world_def *def, int64_t k, mo_category *category)
{
    const mo_system_type *type;
    for (int s = 0; k >= 0 && (type = mo_system_type_at(s)) != NULL; ++s) {
        if (!type->drawing || !type->drawing->category) {
            continue;
        }
        *category = (mo_category){.system = type, .index = k};
        if (type->drawing->category(def, category)) {
            return true;
        }
        k -= category->count;
    }
    return false;
}

int64_t mo_category_count(const mo_world_def *def)
{
    mo_category unused;
    int64_t count = 0;
    while (mo_category_at(def, count, &unused)) {
        ++count;
    }
    return count;
}

static const mo_system_type *type_named(const char *name)
{
    const mo_system_type *type;
    for (int k = 0; (type = mo_system_type_at(k)) != NULL; ++k) {
        if (strcmp(type->base.name, name) == 0) {
            return type;
        }
    }
    return NULL;
}

bool mo_system_is_liquid(const char *name)
{
    const mo_system_type *type = type_named(name);
    return type && type->drawing && type->drawing->liquid;
}

double mo_drawn_radius(const mo_world_def *def, const char *system)
{
    const mo_system_type *type;
    for (int k = 0; (type = mo_system_type_at(k)) != NULL; ++k) {
        bool own = strcmp(type->base.name, system) == 0 || def->bodies.count == 0;
        double radius =
            own && type->drawing && type->drawing->radius ? type->drawing->radius(def) : 0;
        if (radius > 0) {
            return radius;
        }
    }
    return 0;
}

bool mo_drawn_is_planar(const mo_world_def *def)
{
    const mo_system_type *type;
    for (int k = 0; (type = mo_system_type_at(k)) != NULL; ++k) {
        if (type->drawing && type->drawing->is_planar && type->drawing->is_planar(def)) {
            return true;
        }
    }
    return false;
}

bool mo_drawn_has_copies(const mo_body_def *body)
{
    const mo_system_type *type = mo_body_def_system(body);
    return type && type->drawing && type->drawing->has_copies && type->drawing->has_copies(body);
}
