#include "scene/root.h"

#include "integrate/integrator.h"
#include "neighbor/search/search.h"
#include "observe/observable.h"
#include "particle/force/field.h"

static const mo_param SCENE[] = {
    {"up", MO_STRING, MO_FIELD(mo_scene_def, world.up), .initial = "\"z\"", .choices = "x|y|z",
     .doc = "The axis that points up; it sets the usual gravity and the camera, nothing else."},
    {"gravity", MO_VEC3, MO_FIELD(mo_scene_def, world.gravity), .unit = "m/s^2",
     .doc = "Gravity; 9.81 against `up` if left out."},
    {"gravity_scale", MO_CURVE, MO_FIELD(mo_scene_def, world.gravity_scale), .initial = "1",
     .doc = "What gravity is multiplied with: a number, or [[t, value], ...] for gravity that changes."},
    {"time", MO_SECTION, MO_FIELD(mo_scene_def, world.time), .section = &mo_time_section, .required = true,
     .doc = "How long, in which steps, and how often to write."},
    {"integrator", MO_METHOD, MO_FIELD(mo_scene_def, world.integrator), .family = &mo_integrators,
     .initial = "\"symplectic_euler\"", .doc = "The time integrator of everything driven by forces."},
    {"neighbors", MO_METHOD, MO_FIELD(mo_scene_def, world.neighbors), .family = &mo_searches,
     .initial = "\"verlet_list\"", .doc = "How the forces between particles find who is near whom."},
    {"dynamics", MO_STRING, MO_FIELD(mo_scene_def, world.dynamics), .initial = "\"second_order\"",
     .choices = "second_order|first_order",
     .doc = "Newton's law, or velocity := force / mass, which slides down to the least energy."},
    {"speed_limit", MO_REAL, MO_FIELD(mo_scene_def, world.speed_limit), .unit = "m/s", .range = "(0, inf)",
     .doc = "No particle that forces move gets faster than this; no limit if left out."},
    {"speed_change_limit", MO_REAL, MO_FIELD(mo_scene_def, world.speed_change_limit), .unit = "m/s",
     .range = "(0, inf)", .doc = "No velocity changes by more than this in one step; no limit if left out."},
    {"boltzmann", MO_REAL, MO_FIELD(mo_scene_def, world.boltzmann), .unit = "J/K", .initial = "1.380649e-23",
     .range = "(0, inf)",
     .doc = "Boltzmann's constant, which turns temperatures into energies; 1 for reduced units."},
    {"domain", MO_SECTION, MO_FIELD(mo_scene_def, world.domain), .initial = "{}",
     .section = &mo_domain_section, .doc = "A periodic box; the world is unbounded without one."},
    {"species", MO_SECTION, .list = true, MO_FIELD(mo_scene_def, world.species), .initial = "[]",
     .section = &mo_species_section, .doc = "Kinds of particles, if there is more than one."},
    {"bodies", MO_SECTION, .list = true, MO_FIELD(mo_scene_def, world.bodies), .initial = "[]",
     .section = &mo_body_section, .doc = "What moves."},
    {"body_contact", MO_SECTION, MO_FIELD(mo_scene_def, world.body_contact), .initial = "{}",
     .section = &mo_body_contact_section,
     .doc = "How bodies feel each other's surfaces; not at all without."},
    {"forces", MO_METHOD, .list = true, MO_FIELD(mo_scene_def, world.forces), .initial = "[]",
     .family = &mo_fields, .doc = "Forces on all particles, beside gravity and the bodies' own."},
    {"fluid", MO_SECTION, MO_FIELD(mo_scene_def, world.fluid), .initial = "{}", .section = &mo_fluid_section,
     .doc = "A fluid."},
    {"colliders", MO_SECTION, .list = true, MO_FIELD(mo_scene_def, world.colliders), .initial = "[]",
     .section = &mo_collider_section, .doc = "What particles bounce off."},
    {"observables", MO_METHOD, .list = true, MO_FIELD(mo_scene_def, world.observables), .initial = "[]",
     .family = &mo_observable_family,
     .doc = "What is measured of the particles at each frame, in tables of their own."},
    {"output", MO_SECTION, MO_FIELD(mo_scene_def, output), .initial = "{}", .section = &mo_output_section,
     .doc = "What the frames of a run hold."},
    {"view", MO_SECTION, MO_FIELD(mo_scene_def, view), .initial = "{}", .section = &mo_view_section,
     .doc = "How the scene is drawn."},
    {0}};

const mo_section mo_scene_section = {
    "scene", "A scene: everything a run needs, in SI units. A key \"_\" is a comment, anywhere.",
    sizeof(mo_scene_def), SCENE};
