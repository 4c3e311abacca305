#include "scene/root.h"

#include "host/action/action.h"
#include "host/coupling.h"
#include "observe/observable.h"
#include "particle/force/field.h"

#include <assert.h>

static const mo_param SCENE[] = {
    {"up", MO_STRING, MO_FIELD(mo_scene_def, world.up), .initial = "\"z\"", .choices = "x|y|z",
     .doc = "The vertical axis; it sets the default gravity and camera only."},
    {"gravity", MO_VEC3, MO_FIELD(mo_scene_def, world.gravity), .unit = "m/s^2",
     .doc = "Gravitational acceleration; default 9.81 opposite to `up`."},
    {"gravity_scale", MO_CURVE, MO_FIELD(mo_scene_def, world.gravity_scale), .initial = "1",
     .doc = "Scale factor of gravity: a number, or a function of time [[t, value], ...]."},
    {"gravity_field", MO_METHOD, MO_FIELD(mo_scene_def, world.gravity_field), .family = &mo_fields,
     .doc = "Gravity as a field of position and time, instead of a uniform one: a force that "
            "acts on each particle by itself, as expression_field or attractor."},
    {"time", MO_SECTION, MO_FIELD(mo_scene_def, world.time), .section = &mo_time_section,
     .required = true, .doc = "Duration, time step and output rate."},
    {"domain", MO_SECTION, MO_FIELD(mo_scene_def, world.domain), .initial = "{}",
     .section = &mo_domain_section,
     .doc = "A box that is periodic or limits the world, which is unbounded without one."},
    {"bodies", MO_SECTION, .list = true, MO_FIELD(mo_scene_def, world.bodies), .initial = "[]",
     .section = &mo_body_section, .doc = "Bodies: deformable solids, cloth, ropes and particles."},
    {"forces", MO_METHOD, .list = true, MO_FIELD(mo_scene_def, world.forces), .initial = "[]",
     .family = &mo_fields,
     .doc = "Forces on all particles, in addition to gravity and the models "
            "of bodies."},
    {"colliders", MO_SECTION, .list = true, MO_FIELD(mo_scene_def, world.colliders),
     .initial = "[]", .section = &mo_collider_section, .doc = "Rigid obstacles and containers."},
    {"observables", MO_METHOD, .list = true, MO_FIELD(mo_scene_def, world.observables),
     .initial = "[]", .family = &mo_observable_family,
     .doc = "Quantities measured at each frame, written to tables of their own."},
    {"actions", MO_METHOD, .list = true, MO_FIELD(mo_scene_def, world.actions), .initial = "[]",
     .family = &mo_actions, .doc = "Timed actions on particles: grab, push, add, delete, heat."},
    {"output", MO_SECTION, MO_FIELD(mo_scene_def, output), .initial = "{}",
     .section = &mo_output_section, .doc = "Output of a run."},
    {"view", MO_SECTION, MO_FIELD(mo_scene_def, view), .initial = "{}", .section = &mo_view_section,
     .doc = "Rendering."},
    {0}};

/* The keys of systems and couplings are at the top level too. */
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
    .doc = "A scene: the complete description of a run, in SI units. The key \"_\" is a comment in "
           "any object.",
    .size = sizeof(mo_scene_def),
    .params = SCENE,
    .part = scene_part,
    .parts_at = offsetof(mo_scene_def, world.systems)};
