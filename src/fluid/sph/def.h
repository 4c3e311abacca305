/*
 * The definition of a fluid in a scene: plain structs with parameter tables.
 */
#ifndef MO_FLUID_SPH_DEF_H
#define MO_FLUID_SPH_DEF_H

#include "base/param.h"
#include "draw/look_def.h"
#include "math/vec3.h"

/* Fluid in a vessel, up to a level. */
typedef struct mo_cavity_def {
    mo_reference collider;
    double level;  /* along `up`; NaN: its highest point */
    mo_vec3 point; /* a point of the selected cavity; NaN: all */
} mo_cavity_def;

typedef struct mo_phase_def {
    const char *name;
    double density, viscosity; /* NaN: that of the fluid */
    mo_list fill;              /* mo_method: shapes */
    mo_list inside;            /* mo_cavity_def */
    mo_vec3 velocity;
    mo_method flow; /* added to the velocity */
    mo_look_def look;
} mo_phase_def;

/* Inflow: layers of particles from a nozzle. */
typedef struct mo_emitter_def {
    const char *phase; /* absent: the first */
    const char *shape; /* "rectangle" or "disc" */
    mo_method region;  /* or the cross section of this shape; may be absent */
    mo_method surface; /* or the surface of this solid, or of a collider; may be absent */
    mo_reference collider;
    mo_method faces; /* the part of the surface inside this shape; absent: all */
    mo_vec3 center, direction, across;
    double width, height, radius;
    double speed, flow_rate, start, stop;
} mo_emitter_def;

/* The opening: a disc if it is called so, or has a radius and no name. */
static inline bool mo_emitter_is_disc(const mo_emitter_def *emitter)
{
    return emitter->shape ? emitter->shape[0] == 'd' : !isnan(emitter->radius);
}

/* Whether particles leave a surface, along its normals. */
static inline bool mo_emitter_has_surface(const mo_emitter_def *e)
{
    return e->surface.type || e->collider.name;
}

/* Outflow. */
typedef struct mo_remove_def {
    mo_method shape;
    bool outside;
} mo_remove_def;

typedef struct mo_fluid_def {
    const char *quality; /* "splash" or "accurate" */
    int64_t dimension, max_particles;
    double spacing, support, mass_scale, jitter;
    bool relax;
    mo_list emitters; /* mo_emitter_def */
    mo_list remove;   /* mo_remove_def */
    mo_method kernel, neighbors, pressure, viscosity, artificial_viscosity, surface_tension,
        vorticity, boundary, shifting;
    mo_list phases; /* mo_phase_def */
} mo_fluid_def;

extern const mo_section mo_fluid_section, mo_phase_section, mo_emitter_section, mo_remove_section,
    mo_cavity_section;

/* Whether the scene has a fluid. */
bool mo_fluid_def_present(const mo_fluid_def *def);

/* The index of the phase with this name; 0 for NULL, -1 if there is none. */
int mo_fluid_def_phase(const mo_fluid_def *def, const char *name);

/* A term of the scene, and its parameter. */
typedef struct mo_fluid_term {
    const char *name;
    mo_method method;
} mo_fluid_term;
enum { MO_FLUID_TERMS = 4 };

/* The terms in the order of application; returns their number. */
int mo_fluid_def_terms(const mo_fluid_def *def, mo_fluid_term terms[MO_FLUID_TERMS]);

/* Checks beyond the table. */
mote_status mo_fluid_def_check(const mo_fluid_def *def, mote_error *error);

#endif
