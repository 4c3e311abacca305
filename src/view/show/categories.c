#include "view/show/categories.h"

#include "host/drawing.h"

#include <string.h>

static mo_color color_of(const mo_paint *paint)
{
    return (mo_color){(uint8_t)(255 * paint->color[0] + 0.5f),
                      (uint8_t)(255 * paint->color[1] + 0.5f),
                      (uint8_t)(255 * paint->color[2] + 0.5f), 255};
}

/* Adds a named and painted object; a count beyond the maximum says that there is no space. */
static int add(const mo_paints *paints, mo_painting painting, const char *name, int count,
               mo_legend_entry entries[MO_LEGEND_ENTRIES])
{
    if (!name || !painting.visible || painting.paint == 0 || count > MO_LEGEND_ENTRIES) {
        return count;
    }
    if (count < MO_LEGEND_ENTRIES) {
        entries[count] = (mo_legend_entry){name, color_of(&paints->list[painting.paint - 1])};
    }
    return count + 1;
}

int mo_categories_of_paints(const mo_world_def *def, const mo_paints *paints,
                            mo_legend_entry entries[MO_LEGEND_ENTRIES])
{
    const mo_body_def *bodies = def->bodies.items;
    mo_category category;
    int count = 0;
    if (!paints->bodies) {
        return 0;
    }
    for (int64_t k = 0; mo_category_at(def, k, &category); ++k) {
        count = add(paints, paints->categories[k], category.name, count, entries);
    }
    for (int64_t k = 0; k < def->bodies.count; ++k) {
        count = add(paints, paints->bodies[k], bodies[k].name, count, entries);
    }
    return count >= 2 && count <= MO_LEGEND_ENTRIES ? count : 0;
}

/* Whether all bodies belong to one system, so that the column `body` counts the scene's bodies. */
static bool are_of_one_system(const mo_world_def *def)
{
    const mo_body_def *bodies = def->bodies.items;
    for (int64_t k = 1; k < def->bodies.count; ++k) {
        if (mo_body_def_system(&bodies[k]) != mo_body_def_system(&bodies[0])) {
            return false;
        }
    }
    return true;
}

/* The name of value k of a field, and the number of its values; false: it is not categorical, or
 * has no name. */
static bool find_value(const mo_world_def *def, const mo_field *field, int64_t k, const char **name,
                       int64_t *count)
{
    const mo_body_def *bodies = def->bodies.items;
    mo_category category;
    *name = NULL;
    for (int64_t c = 0; mo_category_at(def, c, &category); ++c) {
        if (strcmp(field->name, category.column) == 0 && category.index == k) {
            *name = category.name;
            *count = category.count;
            return *name != NULL;
        }
    }
    if (strcmp(field->name, "body") == 0 && are_of_one_system(def) && k < def->bodies.count) {
        *name = bodies[k].name;
        *count = def->bodies.count;
    }
    return *name != NULL;
}

int mo_categories_of_field(const mo_world_def *def, const mo_field *field, const mo_colormap *map,
                           double low, double high, mo_legend_entry entries[MO_LEGEND_ENTRIES])
{
    const char *name;
    int64_t count = 1;
    for (int64_t k = 0; k < count; ++k) {
        if (!find_value(def, field, k, &name, &count) || count > MO_LEGEND_ENTRIES) {
            return 0;
        }
        entries[k] = (mo_legend_entry){name, mo_colormap_at(map, ((double)k - low) / (high - low))};
    }
    return (int)count;
}
