/*
 * What a world is made from: plain structs with their parameter tables. A scene fills them from JSON;
 * anything else may fill them too.
 */
#ifndef MO_HOST_DEF_H
#define MO_HOST_DEF_H

#include "base/param.h"
#include "fluid/sph/def.h"
#include "host/skin.h"
#include "math/vec3.h"
#include "neighbor/domain.h"
#include "particle/species.h"
#include "solid/contact/body_contact.h"

typedef struct mo_pin_def {
    const char *set;  /* a node set of the mesh */
    mo_method region; /* or all nodes in a shape */
    mo_list nodes;    /* or these: int64_t */
    mo_method motion; /* absent: held where they are */
} mo_pin_def;

/* What pulls or presses a body's nodes. */
typedef struct mo_load_def {
    mo_pin_def where; /* its motion is not used */
    mo_vec3 force;
    double pressure;
    mo_curve scale;
} mo_load_def;

typedef struct mo_body_def {
    const char *name;
    mo_method mesh, model;
    double mass, density, radius;
    mo_vec3 velocity;
    mo_list pins;  /* mo_pin_def */
    mo_list loads; /* mo_load_def */
    bool oriented;
    mo_vec3 inertia, angular_velocity, turned;
    double temperature; /* NaN: no random velocities */
    int64_t seed;
    mo_reference species;
    mo_skin_def skin;
} mo_body_def;

/* Where the world repeats itself. */
typedef struct mo_domain_def {
    mo_vec3 min, max;
    const char *periodic; /* the axes: "xyz" */
} mo_domain_def;

typedef struct mo_collider_def {
    const char *name;
    mo_method shape, motion, friction;
    bool inside;
    double restitution;
    const char *position; /* "project" or "none" */
} mo_collider_def;

typedef struct mo_time_def {
    double end, fps;
    mo_method step;
} mo_time_def;

typedef struct mo_world_def {
    const char *up;
    mo_vec3 gravity; /* NaN: 9.81 against `up` */
    mo_curve gravity_scale;
    mo_time_def time;
    mo_method integrator, neighbors;
    const char *dynamics; /* "second_order" or "first_order" */
    double speed_limit, speed_change_limit, boltzmann;
    mo_domain_def domain;
    mo_body_contact_def body_contact;
    mo_fluid_def fluid;
    mo_list species;     /* mo_species_def */
    mo_list bodies;      /* mo_body_def */
    mo_list forces;      /* mo_method */
    mo_list colliders;   /* mo_collider_def */
    mo_list observables; /* mo_method */
} mo_world_def;

extern const mo_section mo_time_section, mo_domain_section, mo_body_section, mo_collider_section;

/* What no table can say: names used twice, things that do not go together. */
mote_status mo_world_def_check(const mo_world_def *def, mo_memory *memory, mote_error *error);

mo_vec3 mo_world_def_gravity(const mo_world_def *def);
mo_vec3 mo_world_def_gravity_at(const mo_world_def *def, double time); /* times gravity_scale */
mo_domain mo_world_def_domain(const mo_world_def *def);

#endif
