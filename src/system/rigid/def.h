/* The part of a scene that the rigid system reads: `rigid`, `joints`, and the keys of its bodies.
 */
#ifndef MO_SYSTEM_RIGID_DEF_H
#define MO_SYSTEM_RIGID_DEF_H

#include "host/def.h"

typedef struct mo_rigid_settings {
    mo_method integrator; /* of bodies without contacts and joints */
    const char *rotation; /* "quaternion" or "rotation_matrix" */
    const char *solver;   /* "substeps" or "direct" */
    int64_t substeps, dimension;
    double margin, bounce_speed; /* NaN: default */
} mo_rigid_settings;

/* A joint of the scene. */
typedef struct mo_joint_def {
    const char *name, *type;
    mo_list bodies; /* mo_reference: one (to the world or a collider) or two */
    mo_reference collider;
    int64_t node;   /* of the deformable one of two bodies; -1: the nearest */
    mo_list copies; /* int64_t: which copy of each body; negative: from the last */
    bool chain;     /* of one body: between all consecutive copies */
    mo_vec3 point, other, axis;
    double lower, upper, motor_speed, motor_maximum, frequency, damping_ratio, rest;
    bool rope, collide;
} mo_joint_def;

typedef struct mo_rigid_def {
    mo_rigid_settings settings;
    mo_list joints; /* mo_joint_def */
} mo_rigid_def;

/* Copies of a body along a direction; several directions are nested loops. */
typedef struct mo_copies_def {
    int64_t count, fewer;
    mo_vec3 step;
} mo_copies_def;

/* A force at a point of a body, or a torque. */
typedef struct mo_applied_def {
    mo_vec3 force, torque, point;
    mo_curve scale;
    bool follows;
} mo_applied_def;

typedef struct mo_rigid_body_def {
    mo_method shape;
    mo_list shapes; /* mo_method */
    mo_list copies; /* mo_copies_def */
    bool fixed;
    mo_method motion;
    double friction, restitution, rolling_friction, linear_damping, angular_damping;
    mo_list applied; /* mo_applied_def */
    bool collides;
} mo_rigid_body_def;

extern const mo_section mo_rigid_system_section, mo_rigid_system_body_section;

/* The method "rigid" of a body's model, without parameters. */
extern const mo_family mo_rigid_system_models;

/* The observable of joints (joint_load.c). */
extern const mo_family mo_rigid_system_observables;

extern const struct mo_drawing_hooks mo_rigid_system_drawing;

bool mo_rigid_system_uses_matrix(const mo_rigid_settings *settings);

const mo_rigid_def *mo_rigid_system_def_of(const mo_world_def *def);
const mo_rigid_body_def *mo_rigid_system_body_of(const mo_body_def *body);

/* Which of the bodies of a joint is deformable; -1: none. */
int mo_joint_def_node(const mo_world_def *def, const mo_joint_def *joint);

/* Checks beyond the tables. */
mote_status mo_rigid_system_def_check(const mo_world_def *def, mo_memory *memory,
                                      mote_error *error);

#endif
