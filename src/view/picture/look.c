#include "view/picture/look.h"

#include <string.h>

static const char *const PARTICLE_STYLES[MO_PARTICLE_STYLES] = {
    "none",       "points",        "stars", "volume",   "axes",    "crosses",        "strokes",
    "wire_discs", "wire_hexagons", "discs", "hexagons", "spheres", "smooth_spheres", "cubes"};
static const char *const MESH_STYLES[MO_MESH_STYLES] = {"none", "wire", "flat", "smooth"};
static const char *const TEXTURES[MO_TEXTURES] = {"none", "clouds", "marble", "wood"};

mo_look mo_look_default(void)
{
    return (mo_look){
        .particles = MO_PARTICLES_SPHERES,
        .triangles = MO_MESH_SMOOTH,
        .surface = MO_MESH_SMOOTH,
        .springs = true,
        .solids = true,
        .grid = true,
        .size = 1,
        .point_size = 5,
        .glow = 0.6,
        .line_width = 1.5,
        .volume = {.opacity = 0.3, .emission = 0, .smoothing = 4, .resolution = 128},
        .texture = {.contrast = 1},
        .color = {0.85f, 0.62f, 0.30f},
        .triangle_color = {0.80f, 0.36f, 0.28f},
        .surface_color = {0.25f, 0.55f, 0.80f},
        .solid_color = {0.68f, 0.70f, 0.72f},
        .plane_color = {0.44f, 0.46f, 0.49f},
        .glass_color = {0.75f, 0.88f, 0.95f},
        .edge_color = {0.08f, 0.09f, 0.10f},
        .spring_color = {0.85f, 0.87f, 0.90f},
        .neighbor_color = {0.45f, 0.60f, 0.70f},
        .unknown_color = {0.5f, 0.5f, 0.5f},
        .background_top = {0.20f, 0.22f, 0.25f},
        .background_bottom = {0.40f, 0.43f, 0.47f},
        .map_min = 0,
        .map_max = 1,
        .lit = true,
        .shadows = true,
        .occlusion = true,
        .ambient = 1,
        .light_color = {0.84f, 0.81f, 0.76f},
        .samples = 4,
    };
}

const char *mo_particle_style_name(mo_particle_style style)
{
    return PARTICLE_STYLES[style];
}

const char *mo_mesh_style_name(mo_mesh_style style)
{
    return MESH_STYLES[style];
}

bool mo_particle_style_find(const char *name, mo_particle_style *style)
{
    for (int k = 0; k < MO_PARTICLE_STYLES; ++k) {
        if (!strcmp(name, PARTICLE_STYLES[k])) {
            *style = (mo_particle_style)k;
            return true;
        }
    }
    return false;
}

bool mo_mesh_style_find(const char *name, mo_mesh_style *style)
{
    for (int k = 0; k < MO_MESH_STYLES; ++k) {
        if (!strcmp(name, MESH_STYLES[k])) {
            *style = (mo_mesh_style)k;
            return true;
        }
    }
    return false;
}

bool mo_texture_find(const char *name, mo_texture_kind *kind)
{
    for (int k = 0; k < MO_TEXTURES; ++k) {
        if (!strcmp(name, TEXTURES[k])) {
            *kind = (mo_texture_kind)k;
            return true;
        }
    }
    return false;
}
