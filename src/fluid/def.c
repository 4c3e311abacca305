#include "fluid/sph/def.h"

#include "base/text.h"
#include "fluid/artificial_viscosity/artificial_viscosity.h"
#include "fluid/boundary/boundary.h"
#include "fluid/kernel/kernel.h"
#include "fluid/pressure/pressure.h"
#include "fluid/shifting/shifting.h"
#include "fluid/surface_tension/surface_tension.h"
#include "fluid/viscosity/viscosity.h"
#include "fluid/vorticity/vorticity.h"
#include "geometry/flow/flow.h"
#include "geometry/shape/shape.h"
#include "neighbor/search/search.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const mo_param CAVITY[] = {
    {"collider", MO_REFERENCE, MO_FIELD(mo_cavity_def, collider), .target = "colliders",
     .required = true, .doc = "Name of the collider that contains the fluid."},
    {"level", MO_REAL, MO_FIELD(mo_cavity_def, level), .unit = "m",
     .doc = "Height of the free surface along `up`; default: the collider's highest point, for "
            "closed vessels."},
    {"point", MO_VEC3, MO_FIELD(mo_cavity_def, point), .unit = "m",
     .doc = "A point in the cavity to fill; default: all cavities that are closed from below."},
    {0}};

const mo_section mo_cavity_section = {"cavity",
                                      "Fluid in a vessel: the cavity of a collider below a level.",
                                      sizeof(mo_cavity_def), .params = CAVITY};

static const mo_param PHASE[] = {
    {"name", MO_STRING, MO_FIELD(mo_phase_def, name),
     .doc = "Name; default 'phase0', 'phase1', ..."},
    {"density", MO_REAL, MO_FIELD(mo_phase_def, density), .unit = "kg/m^d", .initial = "1000",
     .range = "(0, inf)", .doc = "Rest density; in two dimensions mass per area."},
    {"viscosity", MO_REAL, MO_FIELD(mo_phase_def, viscosity), .unit = "m^2/s", .range = "[0, inf)",
     .doc = "Kinematic viscosity nu = mu/density, mu the dynamic viscosity; default: that of "
            "fluid.viscosity."},
    {"fill", MO_METHOD, .list = true, MO_FIELD(mo_phase_def, fill), .initial = "[]",
     .family = &mo_shapes, .doc = "Shapes filled with this phase at the start."},
    {"inside", MO_SECTION, .list = true, MO_FIELD(mo_phase_def, inside), .initial = "[]",
     .section = &mo_cavity_section,
     .doc = "Colliders filled with this phase at the start, each up to a level."},
    {"velocity", MO_VEC3, MO_FIELD(mo_phase_def, velocity), .unit = "m/s", .initial = "[0, 0, 0]",
     .doc = "Initial velocity. A rotation, an expression of x, y, z, noise or a file: `flow`."},
    {"flow", MO_METHOD, MO_FIELD(mo_phase_def, flow), .family = &mo_flows,
     .doc = "Initial velocity field, added to `velocity`."},
    {"look", MO_SECTION, MO_FIELD(mo_phase_def, look), .initial = "{}", .section = &mo_look_section,
     .doc = "Rendering."},
    {0}};

const mo_section mo_phase_section = {"phase", "A fluid phase and its initial volume.",
                                     sizeof(mo_phase_def), .params = PHASE};

static const mo_param EMITTER[] = {
    {"phase", MO_STRING, MO_FIELD(mo_emitter_def, phase),
     .doc = "Name of the emitted phase; default: the first phase."},
    {"shape", MO_STRING, MO_FIELD(mo_emitter_def, shape), .choices = "rectangle|disc",
     .doc = "Shape of the opening: a rectangle of width and height, or a disc of a radius; in two "
            "dimensions a line. Default: a disc if a radius is given, otherwise a rectangle."},
    {"region", MO_METHOD, MO_FIELD(mo_emitter_def, region), .family = &mo_shapes,
     .doc = "An opening of any form, instead of shape: the cross section of this solid, which "
            "may be a mesh, with the plane through center perpendicular to direction."},
    {"surface", MO_METHOD, MO_FIELD(mo_emitter_def, surface), .family = &mo_shapes,
     .doc = "Emit from the faces of this solid, which may be a mesh, along their outward normals; "
            "instead of shape, region and center."},
    {"collider", MO_REFERENCE, MO_FIELD(mo_emitter_def, collider), .target = "colliders",
     .doc = "Name of a collider whose faces emit, along their normals; instead of surface. The "
            "emitter moves with it."},
    {"faces", MO_METHOD, MO_FIELD(mo_emitter_def, faces), .family = &mo_shapes,
     .doc = "With surface or collider: only the part of the surface inside this shape emits, in "
            "the coordinates of the solid; default: all of it."},
    {"center", MO_VEC3, MO_FIELD(mo_emitter_def, center), .unit = "m",
     .doc = "Centre of the opening, required for one; with region any point of its plane."},
    {"direction", MO_VEC3, MO_FIELD(mo_emitter_def, direction),
     .doc = "Direction of the outflow, normalised; required for an opening. With surface or "
            "collider: of fluid from faces whose normals are within 60 degrees of it, in the "
            "coordinates of the solid; default: along the normals of all faces."},
    {"across", MO_VEC3, MO_FIELD(mo_emitter_def, across),
     .doc = "Direction of the width, projected to be perpendicular to `direction`; default: "
            "horizontal."},
    {"width", MO_REAL, MO_FIELD(mo_emitter_def, width), .unit = "m", .range = "(0, inf)",
     .doc = "Width of a rectangle, rounded to a multiple of the spacing."},
    {"height", MO_REAL, MO_FIELD(mo_emitter_def, height), .unit = "m", .range = "(0, inf)",
     .doc = "Height of a rectangle, rounded to a multiple of the spacing; default: the width."},
    {"radius", MO_REAL, MO_FIELD(mo_emitter_def, radius), .unit = "m", .range = "(0, inf)",
     .doc = "Radius of a disc."},
    {"speed", MO_REAL, MO_FIELD(mo_emitter_def, speed), .unit = "m/s", .range = "(0, inf)",
     .doc = "Speed of the fluid. Give this or flow_rate."},
    {"flow_rate", MO_REAL, MO_FIELD(mo_emitter_def, flow_rate), .unit = "m^d/s",
     .range = "(0, inf)", .doc = "Volume flow rate; it determines the speed."},
    {"start", MO_REAL, MO_FIELD(mo_emitter_def, start), .unit = "s", .initial = "0",
     .range = "[0, inf)", .doc = "Time at which emission starts."},
    {"stop", MO_REAL, MO_FIELD(mo_emitter_def, stop), .unit = "s", .range = "(0, inf)",
     .doc = "Time at which emission stops; default: never."},
    {0}};

const mo_section mo_emitter_section = {"emitter", "Emitter: a source of fluid particles.",
                                       sizeof(mo_emitter_def), .params = EMITTER};

static const mo_param REMOVE[] = {
    {"shape", MO_METHOD, MO_FIELD(mo_remove_def, shape), .family = &mo_shapes, .required = true,
     .doc = "Particles whose centre enters this shape are removed."},
    {"outside", MO_BOOL, MO_FIELD(mo_remove_def, outside), .initial = "false",
     .doc = "Remove particles that leave the shape instead."},
    {0}};

const mo_section mo_remove_section = {"remove",
                                      "Sink: a region where fluid particles are "
                                      "removed.",
                                      sizeof(mo_remove_def), .params = REMOVE};

static const mo_param FLUID[] = {
    /* pair loops use volumes, spacing^3, their inverses and squared distances in single
     * precision */
    {"spacing", MO_REAL, MO_FIELD(mo_fluid_def, spacing), .unit = "m", .range = "[1e-9, 1e9]",
     .doc = "Initial particle distance, and the particle diameter."},
    {"quality", MO_STRING, MO_FIELD(mo_fluid_def, quality), .initial = "\"splash\"",
     .choices = "splash|accurate",
     .doc =
         "Sets the defaults of the parameters below: splash for effects, fast and robust; accurate "
         "for quantitative flows."},
    {"dimension", MO_INT, MO_FIELD(mo_fluid_def, dimension), .initial = "3", .range = "[2, 3]",
     .doc = "3, or 2 for a fluid in the plane z = 0."},
    {"support", MO_REAL, MO_FIELD(mo_fluid_def, support), .initial = "2", .range = "[1.2, 6]",
     .doc = "Support radius of the kernels, in spacings."},
    {"mass_scale", MO_REAL, MO_FIELD(mo_fluid_def, mass_scale), .initial = "1", .range = "[0.1, 2]",
     .doc = "Particle mass relative to density spacing^d. Below 1 the fluid starts below its rest "
            "density and settles."},
    {"jitter", MO_REAL, MO_FIELD(mo_fluid_def, jitter), .initial = "0", .range = "[0, 0.5]",
     .doc =
         "Amplitude of random initial displacements from the lattice along each axis, in spacings; "
         "breaks the artificial order of a lattice start."},
    {"kernel", MO_METHOD, MO_FIELD(mo_fluid_def, kernel), .family = &mo_kernels,
     .initial = "\"cubic\"", .doc = "Smoothing kernel of densities and pressure forces."},
    {"neighbors", MO_METHOD, MO_FIELD(mo_fluid_def, neighbors), .family = &mo_searches,
     .initial = "\"grid\"", .doc = "Neighbour search."},
    {"pressure", MO_METHOD, MO_FIELD(mo_fluid_def, pressure), .family = &mo_pressures,
     .initial = "\"dfsph\"", .doc = "Pressure solver."},
    {"viscosity", MO_METHOD, MO_FIELD(mo_fluid_def, viscosity), .family = &mo_viscosities,
     .doc = "Viscosity; a number is the kinematic viscosity nu = mu/density in m^2/s, mu the "
            "dynamic viscosity. Default: none."},
    {"artificial_viscosity", MO_METHOD, MO_FIELD(mo_fluid_def, artificial_viscosity),
     .family = &mo_artificial_viscosities, .initial = "0.2",
     .doc = "Artificial viscosity: dissipates velocity noise at the particle scale, so that fluid "
            "becomes quiescent; a number is its coefficient, 0 is none."},
    {"surface_tension", MO_METHOD, MO_FIELD(mo_fluid_def, surface_tension),
     .family = &mo_surface_tensions,
     .doc = "Surface tension; a number is its coefficient. Default: none."},
    {"vorticity", MO_METHOD, MO_FIELD(mo_fluid_def, vorticity), .family = &mo_vorticities,
     .doc = "Vorticity method: retains eddies; a number is its coefficient. Default: none."},
    {"boundary", MO_METHOD, MO_FIELD(mo_fluid_def, boundary), .family = &mo_boundaries,
     .initial = "\"continuum\"", .doc = "Boundary handling of colliders."},
    {"shifting", MO_METHOD, MO_FIELD(mo_fluid_def, shifting), .family = &mo_shiftings,
     .initial = "{\"type\": \"lind2012\", \"where\": \"closed\"}",
     .doc = "Particle shifting; with splash in closed domains without gravity only."},
    {"phases", MO_SECTION, .list = true, MO_FIELD(mo_fluid_def, phases), .initial = "[]",
     .section = &mo_phase_section, .doc = "The fluid phases."},
    {"relax", MO_BOOL, MO_FIELD(mo_fluid_def, relax), .initial = "false",
     .doc = "Relax the initial particle positions, so that overlaps with other particles and "
            "boundaries do not cause initial overpressure."},
    {"emitters", MO_SECTION, .list = true, MO_FIELD(mo_fluid_def, emitters), .initial = "[]",
     .section = &mo_emitter_section, .doc = "Emitter: a source of fluid particles."},
    {"remove", MO_SECTION, .list = true, MO_FIELD(mo_fluid_def, remove), .initial = "[]",
     .section = &mo_remove_section, .doc = "Sink: a region where fluid particles are removed."},
    {"max_particles", MO_INT, MO_FIELD(mo_fluid_def, max_particles), .range = "[1, 2000000000]",
     .doc = "Maximum number of fluid particles, at which emitters pause; memory is reserved at the "
            "start. Default: no limit.",
     .needs = "emitters"},
    {0}};

/* The defaults above are the preset `splash`, also of scenes that name none: in closed domains
 * shifting keeps the vortices of dfsph alive; density constraints excite more noise than the
 * projection of isph, so that quiescent fluid needs twice its artificial viscosity.
 *
 * The preset `accurate`. A wide positive definite kernel makes sums insensitive to the particle
 * arrangement, the projection of isph does not resist the exchange of layers, and shifting keeps
 * particles uniformly distributed. See docs/fluid_accuracy.md. */
static const mo_preset PRESETS[] = {
    {"accurate", "kernel", "\"wendland_c2\""}, {"accurate", "support", "3"},
    {"accurate", "pressure", "\"isph\""},      {"accurate", "artificial_viscosity", "0.1"},
    {"accurate", "shifting", "\"lind2012\""},  {0}};

const mo_section mo_fluid_section = {"fluid",
                                     "A fluid of particles (smoothed particle hydrodynamics).",
                                     sizeof(mo_fluid_def),
                                     .params = FLUID,
                                     .preset = "quality",
                                     .presets = PRESETS};

bool mo_fluid_def_present(const mo_fluid_def *def)
{
    return !isnan(def->spacing) || def->phases.count > 0 || def->emitters.count > 0 ||
           def->remove.count > 0;
}

int mo_fluid_def_phase(const mo_fluid_def *def, const char *name)
{
    const mo_phase_def *phases = def->phases.items;
    for (int k = 0; name && k < def->phases.count; ++k) {
        char default_name[32];
        snprintf(default_name, sizeof default_name, "phase%d", k);
        if (strcmp(phases[k].name ? phases[k].name : default_name, name) == 0) {
            return k;
        }
    }
    return name ? -1 : 0;
}

/* The first phase with its own viscosity; -1: none. */
static int64_t viscous_phase(const mo_fluid_def *def)
{
    const mo_phase_def *phases = def->phases.items;
    for (int64_t k = 0; k < def->phases.count; ++k) {
        if (!isnan(phases[k].viscosity)) {
            return k;
        }
    }
    return -1;
}

int mo_fluid_def_terms(const mo_fluid_def *def, mo_fluid_term terms[MO_FLUID_TERMS])
{
    bool own = !def->viscosity.type && viscous_phase(def) >= 0;
    const mo_fluid_term all[MO_FLUID_TERMS] = {
        {"viscosity", own ? mo_viscosity_of_phases : def->viscosity},
        {"artificial_viscosity", def->artificial_viscosity},
        {"surface_tension", def->surface_tension},
        {"vorticity", def->vorticity}};
    int count = 0;
    for (int k = 0; k < MO_FLUID_TERMS; ++k) {
        if (all[k].method.type) {
            terms[count++] = all[k];
        }
    }
    return count;
}

static mote_status fail_phase(const mo_fluid_def *def, const char *name, long long index,
                              mote_error *error)
{
    const char *known = "";
    const mo_phase_def *phases = def->phases.items;
    for (int64_t k = 0; k < def->phases.count; ++k) {
        bool nearer = phases[k].name && mo_nearest(name, &phases[k].name, 1);
        known = nearer ? phases[k].name : known;
    }
    return mo_fail(error, MOTE_ERROR_INPUT,
                   "fluid.emitters[%lld].phase: there is no phase '%.60s'%s%.60s%s", index, name,
                   known[0] ? "; did you mean '" : "", known, known[0] ? "'?" : "");
}

/* Of an emitter at a surface: parameters of openings are not used. */
static mote_status check_surface(const mo_emitter_def *e, long long index, mote_error *error)
{
    const char *unused = e->surface.type && e->collider.name ? "collider"
                         : e->region.type                    ? "region"
                         : e->shape                          ? "shape"
                         : !isnan(e->center.x)               ? "center"
                         : !isnan(e->across.x)               ? "across"
                         : !isnan(e->width)                  ? "width"
                         : !isnan(e->height)                 ? "height"
                         : !isnan(e->radius)                 ? "radius"
                                                             : NULL;
    return unused ? mo_fail(error, MOTE_ERROR_INPUT,
                            "fluid.emitters[%lld].%s: an emitter with '%s' has its opening from "
                            "that surface; leave out one of the two",
                            index, unused, e->surface.type ? "surface" : "collider")
                  : MOTE_OK;
}

static mote_status check_opening(const mo_emitter_def *e, long long index, mote_error *error)
{
    bool disc = mo_emitter_is_disc(e);
    mo_vec3 low, high;
    const char *missing = isnan(e->center.x)      ? "center"
                          : isnan(e->direction.x) ? "direction"
                                                  : NULL;
    if (missing || e->faces.type) {
        return mo_fail(error, MOTE_ERROR_INPUT, "fluid.emitters[%lld].%s", index,
                       e->faces.type        ? "faces: it needs surface or collider"
                       : isnan(e->center.x) ? "center: an opening needs one"
                                            : "direction: an opening needs one");
    }
    if (e->region.type) {
        bool sized = !isnan(e->radius) || !isnan(e->width) || !isnan(e->height);
        if (sized || !mo_shape_bounds(e->region, &low, &high)) {
            return mo_fail(error, MOTE_ERROR_INPUT, "fluid.emitters[%lld].%s", index,
                           sized ? "region: it has its size from its shape; leave out width, "
                                   "height and radius"
                                 : "region: the shape has no end; give a bounded one");
        }
    } else if (isnan(disc ? e->radius : e->width)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "fluid.emitters[%lld].%s: an opening needs one%s",
                       index, disc ? "radius" : "width", disc ? "" : ", or the radius of a disc");
    }
    const char *unused = disc && !isnan(e->width)     ? "width"
                         : disc && !isnan(e->height)  ? "height"
                         : !disc && !isnan(e->radius) ? "radius"
                                                      : NULL;
    if (unused) {
        return mo_fail(error, MOTE_ERROR_INPUT, "fluid.emitters[%lld].%s: a %s has none", index,
                       unused, disc ? "disc" : "rectangle");
    }
    return MOTE_OK;
}

static mote_status check_emitter(const mo_fluid_def *def, const mo_emitter_def *e, long long index,
                                 mote_error *error)
{
    MO_TRY(mo_emitter_has_surface(e) ? check_surface(e, index, error)
                                     : check_opening(e, index, error));
    if (isnan(e->speed) == isnan(e->flow_rate)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "fluid.emitters[%lld].speed: give speed or flow_rate, one of them", index);
    }
    if (mo_length(e->direction) == 0 ||
        (def->dimension == 2 && e->direction.z != 0 && !isnan(e->direction.x))) {
        return mo_fail(
            error, MOTE_ERROR_INPUT, "fluid.emitters[%lld].direction: it must not be zero%s", index,
            def->dimension == 2 ? ", and lies in the plane z = 0 in two dimensions" : "");
    }
    if (def->dimension == 2 && e->center.z != 0 && !isnan(e->center.x)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "fluid.emitters[%lld].center: z is %g, but a two-dimensional fluid lies in the plane z "
            "= 0",
            index, e->center.z);
    }
    if (!isnan(e->across.x) && !(mo_length(mo_cross(e->direction, e->across)) > 0)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "fluid.emitters[%lld].across: it must not lie along direction", index);
    }
    if (e->stop <= e->start) {
        return mo_fail(error, MOTE_ERROR_INPUT, "fluid.emitters[%lld].stop: it must be after start",
                       index);
    }
    return mo_fluid_def_phase(def, e->phase) < 0 ? fail_phase(def, e->phase, index, error)
                                                 : MOTE_OK;
}

static mote_status check_phases(const mo_fluid_def *def, mote_error *error)
{
    const mo_phase_def *phases = def->phases.items;
    if (def->phases.count == 0) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "fluid.phases: a fluid needs at least one, such as {\"name\": \"water\", \"fill\": [...]}, or {\"name\": \"water\"} for emitters");
    }
    for (int64_t k = 0; k < def->phases.count; ++k) {
        if (def->dimension == 2 && phases[k].velocity.z != 0) {
            return mo_fail(
                error, MOTE_ERROR_INPUT,
                "fluid.phases[%lld].velocity: z is %g, but a two-dimensional fluid lies in the "
                "plane z = 0",
                (long long)k, phases[k].velocity.z);
        }
    }
    return MOTE_OK;
}

static mote_status check_tension(const mo_fluid_def *def, mote_error *error)
{
    const mo_descriptor *type = def->surface_tension.type;
    const mo_pressure_type *pressure = (const mo_pressure_type *)def->pressure.type;
    const mo_boundary_type *boundary = (const mo_boundary_type *)def->boundary.type;
    uint32_t needs = type ? type->capabilities : 0;
    if (def->dimension == 2 && (needs & MO_SURFACE_TENSION_SPATIAL)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "fluid.surface_tension: '%s' has no form in two dimensions; use dimension 3",
                       type->name);
    }
    if ((needs & MO_SURFACE_TENSION_UNSHIFTED) && pressure && pressure->needs_shifting) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "fluid.surface_tension: '%s' cannot be used with the pressure solver '%s', "
                       "whose shifting displaces the surface; use dfsph, iisph or pbf",
                       type->name, pressure->base.name);
    }
    if ((needs & MO_SURFACE_TENSION_DISTANCES) && boundary && boundary->sampled) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "fluid.surface_tension: '%s' needs distances of solids beyond the boundary "
                       "particles of '%s'; use the boundary continuum, density_map, volume_map or "
                       "geometric",
                       type->name, boundary->base.name);
    }
    return MOTE_OK;
}

mote_status mo_fluid_def_check(const mo_fluid_def *def, mote_error *error)
{
    if (!mo_fluid_def_present(def)) {
        return MOTE_OK;
    }
    if (isnan(def->spacing)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "fluid.spacing: a fluid needs a particle spacing");
    }
    if (!(def->kernel.type->capabilities & MO_KERNEL_DENSITY)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "fluid.kernel: '%s' is singular at its centre and cannot be used for densities; "
            "allowed: kernels with the capability 'density', such as 'cubic'",
            def->kernel.type->name);
    }
    MO_TRY(check_phases(def, error));
    if (def->viscosity.type && !(def->viscosity.type->capabilities & MO_VISCOSITY_PHASES) &&
        viscous_phase(def) >= 0) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "fluid.phases[%lld].viscosity: '%s' has one viscosity for all phases; use '%s' or "
            "another viscosity with the capability 'phases', or remove the phase's viscosity",
            (long long)viscous_phase(def), def->viscosity.type->name,
            mo_viscosity_of_phases.type->name);
    }
    MO_TRY(check_tension(def, error));
    const mo_search_type *search = (const mo_search_type *)def->neighbors.type;
    if (search && search->reuse) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "fluid.neighbors: '%s' reuses neighbour lists over several steps, but a fluid rebuilds "
            "them in every step; use \"grid\" or another structure of `mote list search`",
            search->base.name);
    }
    const mo_emitter_def *emitters = def->emitters.items;
    for (int64_t k = 0; k < def->emitters.count; ++k) {
        MO_TRY(check_emitter(def, &emitters[k], k, error));
    }
    return MOTE_OK;
}
