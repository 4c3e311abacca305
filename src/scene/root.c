#include "scene/root.h"

#include "host/coupling.h"
#include "observe/observable.h"
#include "particle/force/field.h"

#include <assert.h>

static const mo_param SCENE[] = {
    {"up", MO_STRING, MO_FIELD(mo_scene_def, world.up), .initial = "\"z\"", .choices = "x|y|z",
     .doc = "The axis that points up; it sets the usual gravity and the camera, nothing else."},
    {"gravity", MO_VEC3, MO_FIELD(mo_scene_def, world.gravity), .unit = "m/s^2",
     .doc = "Gravity; 9.81 against `up` if left out."},
    {"gravity_scale", MO_CURVE, MO_FIELD(mo_scene_def, world.gravity_scale), .initial = "1",
     .doc =
         "What gravity is multiplied with: a number, or [[t, value], ...] for gravity that changes."},
    {"time", MO_SECTION, MO_FIELD(mo_scene_def, world.time), .section = &mo_time_section,
     .required = true, .doc = "How long, in which steps, and how often to write."},
    {"domain", MO_SECTION, MO_FIELD(mo_scene_def, world.domain), .initial = "{}",
     .section = &mo_domain_section, .doc = "A periodic box; the world is unbounded without one."},
    {"bodies", MO_SECTION, .list = true, MO_FIELD(mo_scene_def, world.bodies), .initial = "[]",
     .section = &mo_body_section, .doc = "What moves."},
    {"forces", MO_METHOD, .list = true, MO_FIELD(mo_scene_def, world.forces), .initial = "[]",
     .family = &mo_fields, .doc = "Forces on all particles, beside gravity and the bodies' own."},
    {"colliders", MO_SECTION, .list = true, MO_FIELD(mo_scene_def, world.colliders),
     .initial = "[]", .section = &mo_collider_section, .doc = "What particles bounce off."},
    {"observables", MO_METHOD, .list = true, MO_FIELD(mo_scene_def, world.observables),
     .initial = "[]", .family = &mo_observable_family,
     .doc = "What is measured of the particles at each frame, in tables of their own."},
    {"output", MO_SECTION, MO_FIELD(mo_scene_def, output), .initial = "{}",
     .section = &mo_output_section, .doc = "What the frames of a run hold."},
    {"view", MO_SECTION, MO_FIELD(mo_scene_def, view), .initial = "{}", .section = &mo_view_section,
     .doc = "How the scene is drawn."},
    {0}};

/* The keys of systems and couplings stand at the top level beside these. */
static const mo_section *scene_part(int index)
{
    const mo_section *section = NULL;
    if (index < MO_SYSTEMS_MAX) {
        const mo_system_type *type = mo_system_type_at(index);
        section = type ? type->section : NULL;
    } else if (index < MO_SYSTEMS_MAX + MO_COUPLINGS_MAX) {
        const mo_coupling_type *type = mo_coupling_type_at(index - MO_SYSTEMS_MAX);
        section = type ? type->section : NULL;
    } else {
        return NULL;
    }
    return section ? section : &mo_empty_section;
}

static_assert(offsetof(mo_world_def, couplings) ==
                  offsetof(mo_world_def, systems) + MO_SYSTEMS_MAX * sizeof(void *),
              "the parts of a scene are one array of pointers");

const mo_section mo_scene_section = {
    .name = "scene",
    .doc = "A scene: everything a run needs, in SI units. A key \"_\" is a comment, anywhere.",
    .size = sizeof(mo_scene_def),
    .params = SCENE,
    .part = scene_part,
    .parts_at = offsetof(mo_scene_def, world.systems)};
