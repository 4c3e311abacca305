#include "view/show/paints.h"

#include "host/drawing.h"
#include "host/system.h"
#include "view/picture/look.h"
#include "view/show/vessel.h"

#include <math.h>
#include <string.h>

/* Colours that differ in hue and in lightness, so that they are distinguishable in grey as well. */
enum { PALETTE = 8 };
static const float BODIES[PALETTE][3] = {
    {0.80f, 0.36f, 0.28f}, {0.25f, 0.55f, 0.80f}, {0.93f, 0.70f, 0.25f}, {0.30f, 0.62f, 0.42f},
    {0.58f, 0.42f, 0.70f}, {0.88f, 0.86f, 0.80f}, {0.36f, 0.72f, 0.75f}, {0.55f, 0.40f, 0.30f}};
static const float CATEGORIES[PALETTE][3] = {
    {0.25f, 0.55f, 0.80f}, {0.93f, 0.70f, 0.25f}, {0.30f, 0.62f, 0.42f}, {0.80f, 0.36f, 0.28f},
    {0.58f, 0.42f, 0.70f}, {0.88f, 0.86f, 0.80f}, {0.36f, 0.72f, 0.75f}, {0.55f, 0.40f, 0.30f}};

/* Through their depth: pale water, amber honey; the albedo of milk. */
static const float WATER[3] = {0.56f, 0.83f, 0.91f}, HONEY[3] = {0.93f, 0.58f, 0.10f},
                   MILK[3] = {0.96f, 0.94f, 0.89f};
/* Kinematic viscosity from which liquids look like honey [m^2/s]. */
static const double VISCOUS = 1e-3;

static mo_material material_named(const char *name, mo_material defaults)
{
    static const char *const NAMES[MO_MATERIALS] = {"matte", "glossy", "metal", "glass",
                                                    "water", "honey",  "milk"};
    for (int k = 0; k < MO_MATERIALS; ++k) {
        if (strcmp(name, NAMES[k]) == 0) {
            return (mo_material)k;
        }
    }
    return defaults;
}

static bool is_given(const mo_look_def *look)
{
    return !isnan(look->color.x) || strcmp(look->material, "auto") != 0;
}

/* Adds a paint; 0 beyond the maximum. */
static uint8_t add(mo_paints *p, const mo_look_def *look, const float defaults[3],
                   mo_material material)
{
    if (p->count >= MO_PAINTS_MAX) {
        return 0;
    }
    mo_paint *paint = &p->list[p->count++];
    for (int k = 0; k < 3; ++k) {
        paint->color[k] = isnan(look->color.x) ? defaults[k] : (float)mo_vec3_at(look->color, k);
    }
    paint->material = material_named(look->material, material);
    paint->depth = look->depth > 0 ? look->depth : 0;
    return (uint8_t)p->count;
}

/* Copies that are in contact would merge in one colour; a colour of the scene is that of all. */
static mo_painting painting_of_copies(mo_paints *p, const mo_look_def *look, const float color[3])
{
    static const float SHADE[] = {1, 0.74f, 1.22f, 0.87f};
    enum { SHADES = sizeof SHADE / sizeof *SHADE };
    mo_painting out = {.visible = look->visible};
    for (int k = 0; k < SHADES && p->count < MO_PAINTS_MAX; ++k) {
        float shade[3];
        for (int c = 0; c < 3; ++c) {
            shade[c] = fminf(1, SHADE[k] * color[c]);
        }
        uint8_t paint = add(p, look, shade, MO_MATTE);
        out.paint = k == 0 ? paint : out.paint;
        out.shades = (uint8_t)(k + 1);
    }
    return out;
}

static void paint_bodies(mo_paints *p, const mo_world_def *def)
{
    const mo_body_def *bodies = def->bodies.items;
    for (int64_t k = 0; k < def->bodies.count; ++k) {
        const mo_look_def *look = &bodies[k].look;
        bool wanted = is_given(look) || def->bodies.count > 1;
        if (mo_drawn_has_copies(&bodies[k]) && isnan(look->color.x)) {
            p->bodies[k] = painting_of_copies(p, look, BODIES[k % PALETTE]);
            continue;
        }
        p->bodies[k] =
            (mo_painting){.visible = look->visible,
                          .free = !bodies[k].model.type && bodies[k].pins.count == 0,
                          .paint = wanted ? add(p, look, BODIES[k % PALETTE], MO_MATTE) : 0};
    }
}

/* Several liquids of one material are distinguished by the palette. */
static const float *color_of_category(const mo_category *category, mo_material material,
                                      bool surface)
{
    bool automatic = strcmp(category->look->material, "auto") == 0;
    mo_material own = material_named(category->look->material, material);
    bool liquid = surface && (!automatic || category->count == 1 || own == MO_HONEY);
    return liquid && own == MO_WATER   ? WATER
           : liquid && own == MO_HONEY ? HONEY
           : liquid && own == MO_MILK  ? MILK
                                       : CATEGORIES[category->index % PALETTE];
}

static void paint_categories(mo_paints *p, const mo_world_def *def, bool surface)
{
    mo_category category;
    for (int64_t k = 0; mo_category_at(def, k, &category); ++k) {
        const mo_look_def *look = category.look;
        bool water = surface && category.system->drawing->liquid;
        bool wanted = water || is_given(look) || category.count > 1;
        mo_material material = !water                          ? MO_GLOSSY
                               : category.viscosity >= VISCOUS ? MO_HONEY
                                                               : MO_WATER;
        const float *color = color_of_category(&category, material, water);
        p->categories[k] = (mo_painting){.visible = look->visible,
                                         .paint = wanted ? add(p, look, color, material) : 0};
    }
}

static mo_painting painting_of_collider(mo_paints *p, const mo_collider_def *c, bool vessel)
{
    const mo_look defaults = mo_look_default();
    bool automatic = strcmp(c->look.material, "auto") == 0,
         wire = strcmp(c->look.material, "wire") == 0,
         half_space = mo_vessel_is_half_space(c->shape);
    bool glass = automatic && !half_space && (c->inside || vessel);
    const float *color = half_space ? defaults.plane_color
                         : glass    ? defaults.glass_color
                                    : defaults.solid_color;
    return (mo_painting){.visible = c->look.visible,
                         .wire = wire,
                         .container = glass && c->inside,
                         .paint = glass || is_given(&c->look)
                                      ? add(p, &c->look, color, glass ? MO_GLASS : MO_MATTE)
                                      : 0};
}

/* Whether the scene has a liquid, which vessels may contain. */
static bool has_liquid(const mo_world_def *def)
{
    mo_category category;
    for (int64_t k = 0; mo_category_at(def, k, &category); ++k) {
        if (category.system->drawing->liquid) {
            return true;
        }
    }
    return false;
}

mote_status mo_paints_make(mo_paints *p, mo_memory *memory, const mo_world_def *def, bool surface,
                           mote_error *error)
{
    const mo_collider_def *colliders = def->colliders.items;
    int64_t categories = mo_category_count(def);
    void *block;
    mo_paints_release(p);
    MO_TRY(mo_allocate_array(memory, def->bodies.count + categories + def->colliders.count + 1,
                             sizeof(mo_painting), &block, error));
    *p = (mo_paints){.memory = memory, .bodies = block};
    p->categories = p->bodies + def->bodies.count;
    p->colliders = p->categories + categories;
    paint_bodies(p, def);
    paint_categories(p, def, surface);
    bool liquid = has_liquid(def);
    for (int64_t k = 0; k < def->colliders.count; ++k) {
        bool vessel = liquid && mo_is_vessel(&colliders[k], mo_world_def_gravity(def));
        p->colliders[k] = painting_of_collider(p, &colliders[k], vessel);
    }
    return MOTE_OK;
}

void mo_paints_release(mo_paints *p)
{
    if (p->memory) {
        mo_release(p->memory, p->bodies);
    }
    *p = (mo_paints){0};
}

/* The body of the scene with this index in its system; -1: none. */
static int64_t body_numbered(const mo_world_def *def, const char *system, int64_t number)
{
    const mo_body_def *bodies = def->bodies.items;
    for (int64_t k = 0; k < def->bodies.count; ++k) {
        const mo_system_type *type = mo_body_def_system(&bodies[k]);
        bool own = type && (system[0] == '\0' || strcmp(type->base.name, system) == 0);
        if (own && number-- == 0) {
            return k;
        }
    }
    return -1;
}

/* The first category of the system of a part; `count` is 0 if there is none. */
static mo_category categories_of(const mo_world_def *def, const mo_part *part, int64_t *first)
{
    mo_category category;
    for (int64_t k = 0; mo_category_at(def, k, &category); ++k) {
        bool only = def->bodies.count == 0 && mo_part_find(part, category.column);
        if (category.index == 0 && (only || strcmp(part->name, category.system->base.name) == 0)) {
            *first = k;
            return category;
        }
    }
    return (mo_category){0};
}

static void paint_by_category(const mo_paints *p, const mo_category *category, int64_t first,
                              const mo_part *part, mo_painting *out)
{
    const mote_column *column = mo_part_find(part, category->column);
    for (int64_t row = 0; row < part->rows; ++row) {
        int64_t index = category->count == 1 ? 0
                        : column             ? (int64_t)mo_column_number(column, row, 0)
                                             : -1;
        bool known = index >= 0 && index < category->count;
        out[row] = known ? p->categories[first + index] : (mo_painting){.visible = true};
    }
}

static void paint_by_body(const mo_paints *p, const mo_world_def *def, const mo_part *part,
                          mo_painting *out)
{
    const mote_column *body = mo_part_find(part, "body");
    int64_t known = -2, found = -1, copy = 0;
    for (int64_t row = 0; row < part->rows; ++row) {
        out[row] = (mo_painting){.visible = true};
        if (!body) {
            continue;
        }
        int64_t number = (int64_t)mo_column_number(body, row, 0);
        copy = number == known ? copy + 1 : 0;
        found = number == known ? found : body_numbered(def, part->name, number);
        known = number;
        if (found >= 0) {
            out[row] = p->bodies[found];
            int shades = out[row].shades;
            out[row].paint = (uint8_t)(out[row].paint + (shades ? copy % shades : 0));
        }
    }
}

void mo_paints_rows(const mo_paints *p, const mo_world_def *def, const mo_part *part,
                    mo_painting *out)
{
    int64_t first;
    mo_category category = categories_of(def, part, &first);
    if (category.count > 0) {
        paint_by_category(p, &category, first, part, out);
    } else {
        paint_by_body(p, def, part, out);
    }
}
