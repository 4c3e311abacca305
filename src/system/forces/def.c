#include "system/forces/def.h"

#include "integrate/integrator.h"
#include "integrate/rotation.h"
#include "integrate/step/step.h"
#include "neighbor/search/search.h"
#include "particle/thermostat/thermostat.h"
#include "system/forces/forces.h"
#include "system/forces/thermostats.h"

static const mo_param KEYS[] = {
    {"integrator", MO_METHOD, MO_FIELD(mo_forces_def, integrator), .family = &mo_integrators,
     .initial = "\"velocity_verlet\"",
     .doc = "Time integrator of bodies and particles; symplectic_euler by default in first-order "
            "dynamics."},
    {"neighbors", MO_METHOD, MO_FIELD(mo_forces_def, neighbors), .family = &mo_searches,
     .initial = "\"verlet_list\"", .doc = "Neighbour search of the forces between particles."},
    {"dynamics", MO_STRING, MO_FIELD(mo_forces_def, dynamics), .initial = "\"second_order\"",
     .choices = "second_order|first_order",
     .doc = "Newton's second law, or overdamped first-order dynamics, velocity = force / mass."},
    {"speed_limit", MO_REAL, MO_FIELD(mo_forces_def, speed_limit), .unit = "m/s",
     .range = "(0, inf)", .doc = "Maximum speed of particles moved by forces; default: no limit."},
    {"speed_change_limit", MO_REAL, MO_FIELD(mo_forces_def, speed_change_limit), .unit = "m/s",
     .range = "(0, inf)", .doc = "Maximum change of velocity in one step; default: no limit."},
    {"boltzmann", MO_REAL, MO_FIELD(mo_forces_def, boltzmann), .unit = "J/K",
     .initial = "1.380649e-23", .range = "(0, inf)",
     .doc = "Boltzmann's constant; 1 for reduced units."},
    {"species", MO_SECTION, .list = true, MO_FIELD(mo_forces_def, species), .initial = "[]",
     .section = &mo_species_section, .doc = "Particle species."},
    {"thermostats", MO_METHOD, .list = true, MO_FIELD(mo_forces_def, thermostats), .initial = "[]",
     .family = &mo_thermostats,
     .doc = "Thermostats of the motion of particles; the temperature of `heat` is another one."},
    {0}};

/* Verlet schemes integrate the second law. */
static const mo_preset PRESETS[] = {{"first_order", "integrator", "\"symplectic_euler\""}, {0}};

const mo_section mo_forces_section = {.name = "forces",
                                      .doc = "Bodies and particles driven by forces.",
                                      .size = sizeof(mo_forces_def),
                                      .params = KEYS,
                                      .preset = "dynamics",
                                      .presets = PRESETS};

static const mo_param BODY_KEYS[] = {
    {"oriented", MO_BOOL, MO_FIELD(mo_forces_body_def, oriented), .initial = "false",
     .doc = "The particles have an orientation, an angular velocity and torques."},
    {"inertia", MO_VEC3, MO_FIELD(mo_forces_body_def, inertia), .unit = "kg m^2",
     .doc =
         "Principal moments of inertia of each particle; default: those of a ball of its radius.",
     .needs = "oriented"},
    {"turned", MO_VEC3, MO_FIELD(mo_forces_body_def, turned), .unit = "rad", .initial = "[0, 0, 0]",
     .doc = "Initial orientation, as a rotation vector.", .needs = "oriented"},
    {"axes", MO_STRING, MO_FIELD(mo_forces_body_def, axes), .initial = "\"turned\"",
     .choices = "turned|random|normals",
     .doc = "Initial z axes of the particles: of the rotation `turned`, random, or the normals of "
            "the triangles of the mesh.",
     .needs = "oriented"},
    {"axes_seed", MO_INT, MO_FIELD(mo_forces_body_def, axes_seed), .initial = "0",
     .range = "[0, inf)", .doc = "Seed of random axes.", .needs = "axes"},
    {"temperature", MO_REAL, MO_FIELD(mo_forces_body_def, temperature), .unit = "K",
     .range = "[0, inf)",
     .doc = "Temperature of the motion: random initial velocities with zero total momentum, added "
            "to `velocity`. The force `heat` has an internal temperature of its own."},
    {"seed", MO_INT, MO_FIELD(mo_forces_body_def, seed), .initial = "0", .range = "[0, inf)",
     .doc = "Seed of the random velocities.", .needs = "temperature"},
    {"species", MO_REFERENCE, MO_FIELD(mo_forces_body_def, species), .target = "species",
     .doc = "Species of the particles; default: the first one."},
    {"charge", MO_REAL, MO_FIELD(mo_forces_body_def, charge), .unit = "C",
     .doc = "Electric charge of each particle; default: that of its species."},
    {"growth", MO_SECTION, MO_FIELD(mo_forces_body_def, growth), .initial = "{}",
     .section = &mo_growth_section,
     .doc = "Insertion and removal of particles on a surface of oriented particles."},
    {0}};

const mo_section mo_forces_body_section = {.name = "particles",
                                           .doc = "Bodies whose particles are driven by forces.",
                                           .size = sizeof(mo_forces_body_def),
                                           .params = BODY_KEYS};

const mo_forces_def *mo_forces_def_of(const mo_world_def *def)
{
    return mo_world_def_system(def, &mo_system_forces);
}

const mo_forces_body_def *mo_forces_body_of(const mo_body_def *body)
{
    return mo_body_def_part(body, &mo_system_forces);
}

static mote_status check_orientation(const mo_body_def *body, long long index, mote_error *error)
{
    const mo_forces_body_def *own = mo_forces_body_of(body);
    const mo_vec3 *i = &own->inertia;
    if (!own->oriented) {
        mo_vec3 w = body->angular_velocity;
        return mo_dot(w, w) == 0 ? MOTE_OK
                                 : mo_fail(error, MOTE_ERROR_INPUT,
                                           "bodies[%lld].angular_velocity: belongs to rigid bodies "
                                           "and to oriented particles; \"flow\": {\"type\": "
                                           "\"rotation\"} turns a deformable body",
                                           index);
    }
    if (isnan(i->x) && isnan(body->radius)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "bodies[%lld].inertia: oriented particles need an inertia, or a radius to compute it from",
            index);
    }
    if (!isnan(i->x) && !(i->x > 0 && i->y > 0 && i->z > 0)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "bodies[%lld].inertia: all three moments must be above 0", index);
    }
    if (!isnan(i->x) && !mo_inertia_possible(*i)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "bodies[%lld].inertia: these moments are not physical; none may exceed the sum of the "
            "other two",
            index);
    }
    return MOTE_OK;
}

/* Bodies are ranges of rows: only the last one can grow. */
static mote_status check_growth(const mo_world_def *world, int64_t index, mote_error *error)
{
    const mo_body_def *bodies = world->bodies.items;
    const mo_forces_body_def *own = mo_forces_body_of(&bodies[index]);
    if (isnan(own->growth.spacing)) {
        return MOTE_OK;
    }
    if (!own->oriented || bodies[index].model.type) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "bodies[%lld].growth: only oriented particles without a model grow; add "
                       "\"oriented\": true",
                       (long long)index);
    }
    if (own->growth.gap >= own->growth.reach) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "bodies[%lld].growth.gap: %g must be below reach, which is %g",
                       (long long)index, own->growth.gap, own->growth.reach);
    }
    for (int64_t k = index + 1; k < world->bodies.count; ++k) {
        if (mo_body_def_system(&bodies[k]) == &mo_system_forces) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "bodies[%lld].growth: only the last body of particles can grow; move it "
                           "behind bodies[%lld]",
                           (long long)index, (long long)k);
        }
    }
    return MOTE_OK;
}

static mote_status check_dynamics(const mo_world_def *world, const mo_forces_def *def,
                                  mote_error *error)
{
    if (def->dynamics[0] == 's') {
        return MOTE_OK;
    }
    if (!(def->integrator.type->capabilities & MO_FIRST_ORDER)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "dynamics: the integrator '%s' is for second-order equations and cannot solve "
            "first_order; use heun, rk4 or another one with the capability first_order (`mote list "
            "integrator`)",
            def->integrator.type->name);
    }
    if (!isnan(def->speed_limit) || !isnan(def->speed_change_limit)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "speed_limit, speed_change_limit: first_order dynamics has no velocity state to limit; "
            "remove them");
    }
    const mo_body_def *bodies = world->bodies.items;
    for (int64_t k = 0; k < world->bodies.count; ++k) {
        if (mo_body_def_system(&bodies[k]) == &mo_system_forces &&
            mo_forces_body_of(&bodies[k])->oriented) {
            return mo_fail(
                error, MOTE_ERROR_INPUT,
                "dynamics: first_order moves positions only, but bodies[%lld] is oriented",
                (long long)k);
        }
    }
    return MOTE_OK;
}

/* The step control must suit the integrator. */
static mote_status check_stepping(const mo_world_def *world, const mo_forces_def *def,
                                  mote_error *error)
{
    /* an advised control takes equal steps if the integrator requires them */
    unsigned control = world->time.step.type->capabilities;
    bool varies = control & MO_STEP_VARIES && !(control & MO_STEP_ADVISED);
    bool allowed = def->integrator.type->capabilities & MO_VARIABLE_STEP;
    if (varies && !allowed) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "time.step: '%s' varies the step, which the integrator '%s' does not support (it loses "
            "its order); use {\"type\": \"auto\"}, {\"type\": \"fixed\", \"size\": ...} or another integrator",
            world->time.step.type->name, def->integrator.type->name);
    }
    return MOTE_OK;
}

mote_status mo_forces_def_check(const mo_world_def *world, mo_memory *memory, mote_error *error)
{
    const mo_forces_def *def = mo_forces_def_of(world);
    const mo_body_def *bodies = world->bodies.items;
    MO_TRY(check_stepping(world, def, error));
    MO_TRY(check_dynamics(world, def, error));
    MO_TRY(mo_check_names("species", "species", &def->species, sizeof(mo_species_def),
                          offsetof(mo_species_def, name), memory, error));
    MO_TRY(mo_species_check(&def->species, error));
    MO_TRY(mo_thermostats_check(world, &def->thermostats, def->dynamics[0] == 'f',
                                &mo_system_forces, error));
    for (int64_t k = 0; k < world->bodies.count; ++k) {
        if (mo_body_def_system(&bodies[k]) == &mo_system_forces) {
            MO_TRY(check_orientation(&bodies[k], k, error));
            MO_TRY(check_growth(world, k, error));
        }
    }
    return MOTE_OK;
}
