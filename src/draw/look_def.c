#include "draw/look_def.h"

#define COLOR_PARAM \
    { \
        "color", MO_VEC3, MO_FIELD(mo_look_def, color), \
            .unit = "sRGB", .range = "[0, 1]", \
            .doc = \
                "Red, green and blue, or a name: \"steelblue\", \"#4682b4\"; default: distinct " \
                "colours for several bodies or phases, grey for colliders." \
    }
#define DEPTH_PARAM \
    { \
        "depth", MO_REAL, MO_FIELD(mo_look_def, depth), \
            .unit = "m", .range = "(0, inf)", \
            .doc = "Of liquids: the thickness through which white light takes their colour, by " \
                   "absorption; default: half the edge of a cube of their volume." \
    }
#define VISIBLE_PARAM \
    { \
        "visible", MO_BOOL, MO_FIELD(mo_look_def, visible), .initial = "true", .doc = "Draw it." \
    }

static const mo_param LOOK[] = {
    COLOR_PARAM,
    {"material", MO_STRING, MO_FIELD(mo_look_def, material), .initial = "\"auto\"",
     .choices = "auto|matte|glossy|metal|glass|water|honey|milk",
     .doc = "The surface: glass, water and honey are transparent, but glossy where particles are "
            "drawn; milk scatters light. `auto` is water for the surface of a fluid, honey from a "
            "kinematic viscosity of 1e-3 m^2/s on, and matte for all others."},
    DEPTH_PARAM,
    VISIBLE_PARAM,
    {0}};

const mo_section mo_look_section = {"look", "Rendering of a body or a phase.", sizeof(mo_look_def),
                                    .params = LOOK};

static const mo_param COLLIDER_LOOK[] = {
    COLOR_PARAM,
    {"material", MO_STRING, MO_FIELD(mo_look_def, material), .initial = "\"auto\"",
     .choices = "auto|matte|glossy|metal|glass|water|honey|milk|wire",
     .doc =
         "The surface: glass and liquids are transparent; `wire` draws the edges of its triangles. "
         "`auto` is glass for containers (`inside`) and, in scenes with a fluid, for vessels: "
         "shapes with a cavity that is open at most upwards. Others are matte."},
    DEPTH_PARAM,
    VISIBLE_PARAM,
    {0}};

const mo_section mo_collider_look_section = {"look", "Rendering of a collider.",
                                             sizeof(mo_look_def), .params = COLLIDER_LOOK};
