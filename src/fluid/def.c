#include "fluid/def.h"

#include "fluid/boundary/boundary.h"
#include "fluid/kernel/kernel.h"
#include "fluid/pressure/pressure.h"
#include "fluid/viscosity/viscosity.h"
#include "geometry/shape/shape.h"
#include "neighbor/search/search.h"

#include <math.h>

static const mo_param PHASE[] = {
    {"name", MO_STRING, MO_FIELD(mo_phase_def, name),
     .doc = "Its name; 'phase0', 'phase1', ... if left out."},
    {"density", MO_REAL, MO_FIELD(mo_phase_def, density), .unit = "kg/m^d", .initial = "1000",
     .range = "(0, inf)", .doc = "Density at rest; in two dimensions mass per area."},
    {"fill", MO_METHOD, .list = true, MO_FIELD(mo_phase_def, fill), .initial = "[]", .family = &mo_shapes,
     .doc = "Shapes that are full of it at the start."},
    {"velocity", MO_VEC3, MO_FIELD(mo_phase_def, velocity), .unit = "m/s", .initial = "[0, 0, 0]",
     .doc = "Velocity at the start."},
    {0}};

const mo_section mo_phase_section = {"phase", "One kind of fluid and where it is at the start.",
                                     sizeof(mo_phase_def), PHASE};

static const mo_param FLUID[] = {
    {"spacing", MO_REAL, MO_FIELD(mo_fluid_def, spacing), .unit = "m", .range = "(0, inf)",
     .doc = "The distance between particles at the start, and their diameter."},
    {"dimension", MO_INT, MO_FIELD(mo_fluid_def, dimension), .initial = "3", .range = "[2, 3]",
     .doc = "3, or 2 for a fluid in the plane z = 0."},
    {"support", MO_REAL, MO_FIELD(mo_fluid_def, support), .initial = "2", .range = "[1.2, 6]",
     .doc = "How far particles feel each other (where the kernels end), in spacings."},
    {"mass_scale", MO_REAL, MO_FIELD(mo_fluid_def, mass_scale), .initial = "1", .range = "(0, 2]",
     .doc = "The mass of a particle as a part of density spacing^d. Below 1 the fluid starts looser than at "
            "rest and settles."},
    {"kernel", MO_METHOD, MO_FIELD(mo_fluid_def, kernel), .family = &mo_kernels, .initial = "\"cubic\"",
     .doc = "The smoothing kernel of densities and pressure forces."},
    {"neighbors", MO_METHOD, MO_FIELD(mo_fluid_def, neighbors), .family = &mo_searches, .initial = "\"grid\"",
     .doc = "How particles find who is near them."},
    {"pressure", MO_METHOD, MO_FIELD(mo_fluid_def, pressure), .family = &mo_pressures, .initial = "\"dfsph\"",
     .doc = "What keeps the fluid at its density."},
    {"viscosity", MO_METHOD, MO_FIELD(mo_fluid_def, viscosity), .family = &mo_viscosities,
     .doc = "Inner friction; none if left out."},
    {"boundary", MO_METHOD, MO_FIELD(mo_fluid_def, boundary), .family = &mo_boundaries,
     .initial = "\"akinci\"", .doc = "How the fluid feels the colliders."},
    {"phases", MO_SECTION, .list = true, MO_FIELD(mo_fluid_def, phases), .initial = "[]",
     .section = &mo_phase_section, .doc = "The kinds of fluid."},
    {0}};

const mo_section mo_fluid_section = {"fluid", "A fluid of particles (smoothed particle hydrodynamics).",
                                     sizeof(mo_fluid_def), FLUID};

bool mo_fluid_def_present(const mo_fluid_def *def)
{
    return !isnan(def->spacing) || def->phases.count > 0;
}

mote_status mo_fluid_def_check(const mo_fluid_def *def, mote_error *error)
{
    if (!mo_fluid_def_present(def)) {
        return MOTE_OK;
    }
    if (isnan(def->spacing)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "fluid.spacing: a fluid needs the distance between its particles");
    }
    if (!(def->kernel.type->capabilities & MO_KERNEL_DENSITY)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "fluid.kernel: '%s' is infinite at its center and cannot weigh a density; allowed: "
                       "kernels that are marked 'density', such as 'cubic'",
                       def->kernel.type->name);
    }
    if (def->phases.count == 0) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "fluid.phases: a fluid needs at least one, such as {\"name\": \"water\", \"fill\": [...]}");
    }
    return MOTE_OK;
}
