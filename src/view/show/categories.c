#include "view/show/categories.h"

#include "system/fluid/fluid.h"

#include <string.h>

static const char *phase_name(const mo_fluid_def *fluid, int64_t k)
{
    return ((const mo_phase_def *)fluid->phases.items)[k].name;
}

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
    const mo_fluid_def *fluid = mo_fluid_def_of(def);
    const mo_body_def *bodies = def->bodies.items;
    int count = 0;
    if (!paints->bodies) {
        return 0;
    }
    for (int64_t k = 0; fluid && k < fluid->phases.count; ++k) {
        count = add(paints, paints->phases[k], phase_name(fluid, k), count, entries);
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

int mo_categories_of_field(const mo_world_def *def, const mo_field *field, const mo_colormap *map,
                           double low, double high, mo_legend_entry entries[MO_LEGEND_ENTRIES])
{
    const mo_fluid_def *fluid = mo_fluid_def_of(def);
    const mo_body_def *bodies = def->bodies.items;
    bool phases = fluid && strcmp(field->name, "phase") == 0;
    bool of_bodies = strcmp(field->name, "body") == 0 && are_of_one_system(def);
    int64_t count = phases ? fluid->phases.count : of_bodies ? def->bodies.count : 0;
    if (count > MO_LEGEND_ENTRIES) {
        return 0;
    }
    for (int k = 0; k < count; ++k) {
        const char *name = phases ? phase_name(fluid, k) : bodies[k].name;
        if (!name) {
            return 0;
        }
        entries[k] = (mo_legend_entry){name, mo_colormap_at(map, (k - low) / (high - low))};
    }
    return (int)count;
}
