/*
 * The definition of a world: plain structs with parameter tables, filled from a JSON scene or by
 * code.
 */
#ifndef MO_HOST_DEF_H
#define MO_HOST_DEF_H

#include "base/param.h"
#include "collide/collider.h"
#include "host/skin.h"
#include "math/vec3.h"
#include "neighbor/domain.h"

struct mo_system_type;
struct mo_coupling_type;

enum { MO_SYSTEMS_MAX = 16, MO_COUPLINGS_MAX = 16 };

typedef struct mo_pin_def {
    const char *set;  /* a node set of the mesh */
    mo_method region; /* or all nodes in a shape */
    mo_list nodes;    /* or these: int64_t */
    mo_method motion; /* absent: fixed */
} mo_pin_def;

/* External loads on a body's nodes. */
typedef struct mo_load_def {
    mo_pin_def where; /* its motion is not used */
    mo_vec3 force;
    double pressure;
    mo_curve scale;
} mo_load_def;

/* A body. Parameters specific to one system are in that system's struct. */
typedef struct mo_body_def {
    const char *name;
    mo_method mesh, model;
    double mass, density, radius;
    mo_vec3 velocity, angular_velocity;
    mo_method flow; /* added to the velocity */
    mo_list pins;   /* mo_pin_def */
    mo_list loads;  /* mo_load_def */
    mo_skin_def skin;
    mo_look_def look;
    /* in the order of systems.def: parameters of that system */
    const void *parts[MO_SYSTEMS_MAX];
} mo_body_def;

/* A box that is periodic along some axes and limits the world along the others. */
typedef struct mo_domain_def {
    mo_vec3 min, max;
    const char *periodic; /* the axes: "xyz", or "none"; absent: see mo_domain_def_is_periodic */
    const char *outside;  /* "keep", "remove", "stop" or "bounce" */
} mo_domain_def;

/* Whether it is periodic along an axis. */
bool mo_domain_def_is_periodic(const mo_domain_def *domain, int axis);

typedef struct mo_time_def {
    double end, fps;
    mo_method step;
} mo_time_def;

typedef struct mo_world_def {
    const char *up;
    mo_vec3 gravity; /* NaN: 9.81 against `up` */
    mo_curve gravity_scale;
    mo_method gravity_field; /* an external force that replaces uniform gravity; may be absent */
    mo_time_def time;
    mo_domain_def domain;
    mo_list bodies;                          /* mo_body_def */
    mo_list forces;                          /* mo_method */
    mo_list colliders;                       /* mo_collider_def */
    mo_list observables;                     /* mo_method */
    mo_list actions;                         /* mo_method */
    const void *systems[MO_SYSTEMS_MAX];     /* definitions of the systems, in the order of
                                              * systems.def */
    const void *couplings[MO_COUPLINGS_MAX]; /* likewise, of couplings.def */
} mo_world_def;

extern const mo_section mo_time_section, mo_domain_section, mo_body_section;

/* The models of all systems (system/systems.c). */
extern const mo_family mo_body_models;

/* The list of types, in the order of systems.def and couplings.def (system/systems.c,
 * couple/couplings.c); NULL beyond the last. */
const struct mo_system_type *mo_system_type_at(int index);
const struct mo_coupling_type *mo_coupling_type_at(int index);

/* A system's part of a definition, or of a body; NULL if it has none. */
const void *mo_world_def_system(const mo_world_def *def, const struct mo_system_type *type);
const void *mo_body_def_part(const mo_body_def *body, const struct mo_system_type *type);
const void *mo_world_def_coupling(const mo_world_def *def, const struct mo_coupling_type *type);

/* The system of a body. */
const struct mo_system_type *mo_body_def_system(const mo_body_def *body);
/* Whether it has moving pins, or loads that are not dead loads: they do unmeasured work. */
bool mo_body_def_is_driven(const mo_body_def *body);
/* Whether a body belongs to this system. */
bool mo_world_def_has_bodies(const mo_world_def *def, const struct mo_system_type *type);

/* Checks beyond the tables: duplicate names, incompatible parameters. */
mote_status mo_world_def_check(const mo_world_def *def, mo_memory *memory, mote_error *error);

/* Checks that names within a list, given or default, are unique; `name_at` is the offset of the
 * name in an entry of `size` bytes. */
mote_status mo_check_names(const char *list, const char *stem, const mo_list *things, size_t size,
                           size_t name_at, mo_memory *memory, mote_error *error);

/* Force k of the scene, after the last one the gravity field; `path` is for messages. Returns
 * false beyond them. */
bool mo_world_def_force(const mo_world_def *def, int64_t k, mo_method *force, char path[32]);

mo_vec3 mo_world_def_gravity(const mo_world_def *def);
mo_domain mo_world_def_domain(const mo_world_def *def);

#endif
