/*
 * A collider: an object that others can hit. Its shape never changes; its pose is set by whoever
 * moves it: a motion of the scene, or a system that integrates it.
 *
 * There is one function for gap and normal, mo_collider_gap (and its form for many points), and
 * everything that asks where a surface is goes through it: contact laws, static equilibrium, the
 * culling of fluid, boundary sampling, health checks. The gap is the distance from a point to the
 * surface, positive on the side where particles may be, negative inside the solid; the normal
 * points to that side and has length one. A container (`inside`) has its particles within the
 * shape.
 *
 * In a periodic domain a collider stands in every period: a particle's image in the box is tested
 * with each image of the collider that reaches into the box (images.c). A container holds each
 * particle in its own period. A collider without end along a periodic axis (a plane across it)
 * would fill all periods and is refused.
 */
#ifndef MO_COLLIDE_COLLIDER_H
#define MO_COLLIDE_COLLIDER_H

#include "base/memory.h"
#include "base/param.h"
#include "draw/look_def.h"
#include "geometry/motion/motion.h"
#include "neighbor/domain.h"

/* As a scene describes it. */
typedef struct mo_collider_def {
    const char *name;
    mo_method shape, motion, friction, law;
    bool inside;
    double restitution;
    mo_vec3 surface_velocity;
    const char *position; /* "project" or "none" */
    mo_look_def look;
} mo_collider_def;

extern const mo_section mo_collider_section;

/* By how much a particle's image in the box is moved before it is tested with a collider. */
enum { MO_COLLIDER_IMAGES_MAX = 27 };

typedef struct mo_collider {
    const char *name; /* as messages name it */
    mo_method shape, motion, friction;
    mo_method law;            /* of contact, see law/law.h */
    bool inside;              /* a container */
    double restitution;       /* coefficient of restitution */
    mo_vec3 surface_velocity; /* in its frame, see mo_collider_slip */
    bool slides;              /* it has one */
    bool projects;            /* particles that have entered are projected onto the surface */
    mo_pose pose;             /* now, and */
    mo_pose before;           /* at the start of the step */
    bool moved;               /* these differ */
    bool bounded;             /* the box around it where it stands or stood, unless it has no end */
    double low[3], high[3];
    int image_count;
    mo_vec3 image[MO_COLLIDER_IMAGES_MAX];
} mo_collider;

typedef struct mo_colliders {
    int64_t count;
    mo_collider *list;
    mo_domain domain;
    bool periodic;
} mo_colliders;

/* Makes the colliders of a scene, posed at t = 0; they live in the arena. */
mote_status mo_colliders_create(mo_colliders *colliders, const mo_list *defs,
                                const mo_domain *domain, mo_arena *arena, mote_error *error);

/* Where a collider with a prescribed motion is at a time; others are where they are. */
mo_pose mo_collider_pose_at(const mo_collider *collider, double time);

/* All colliders stand where they are at `time`. */
void mo_colliders_pose(mo_colliders *colliders, double time);

/* The same at the end of a step of h, and where they were at its start; `radius`, the largest of a
   particle, decides which periodic images matter. */
void mo_colliders_pose_step(mo_colliders *colliders, double time, double h, double radius);

/* The gap of a point, and unless it is NULL the normal. */
double mo_collider_gap(const mo_collider *collider, mo_vec3 x, mo_vec3 *normal);

/* The same of `count` points, three numbers each. Normals (may be NULL) are in the collider's own
   frame and without its sign, since few of many points need them: mo_collider_normal turns them. */
void mo_collider_gaps(const mo_collider *collider, int64_t count, const double *x, double *gap,
                      double *local_normal);
mo_vec3 mo_collider_normal(const mo_collider *collider, const double *local_normal);

/* From where the collider took a point of the start of the step to the point x. */
mo_vec3 mo_collider_displacement(const mo_collider *collider, mo_vec3 before, mo_vec3 x);

/* Whether a particle's path in this step, from `before` to x seen from the collider, enters the
 * solid by one face and comes nearest to the opposite one, as through a plate that is thin against
 * the path. The nearest surface at x is on the wrong side then: gap and local normal, which the
 * caller has of x, become those of the tangent plane where the path enters. */
bool mo_collider_passed(const mo_collider *collider, mo_vec3 before, mo_vec3 x, double *gap,
                        double *local_normal);

/* The velocity of the surface beside that of the solid, as of a belt or a lid: the part of the
   surface velocity along the surface whose normal at this place is n. */
static inline mo_vec3 mo_collider_slip(const mo_collider *collider, mo_vec3 n)
{
    mo_vec3 v = mo_mat3_apply(collider->pose.R, collider->surface_velocity);
    return mo_add_scaled(v, -mo_dot(v, n), n);
}

/* The velocity of the surface at x. */
static inline mo_vec3 mo_collider_velocity(const mo_collider *collider, mo_vec3 x, mo_vec3 n)
{
    mo_vec3 v = mo_pose_velocity(&collider->pose, x);
    return collider->slides ? mo_add(v, mo_collider_slip(collider, n)) : v;
}

/* The box around the collider where it stands; false if it has no end. */
bool mo_collider_bounds(const mo_collider *collider, double low[3], double high[3]);

/* The collider whose surface is nearest to a point; NULL if there is none. */
const mo_collider *mo_colliders_nearest(const mo_colliders *colliders, mo_vec3 x);

/* The largest distance of a point from any surface. */
double mo_colliders_farthest(const mo_colliders *colliders, mo_vec3 x);

/* Refuses colliders that have no end along a periodic axis. */
mote_status mo_colliders_check_images(const mo_colliders *colliders, mote_error *error);

/* Sets pose, bounds and periodic images of a collider that stood at `before` when the step began
 * (NULL: it does not move); the images are those that particles of up to `radius` can be in contact
 * with. */
void mo_collider_set_pose(mo_collider *collider, const mo_pose *pose, const mo_pose *before,
                          const mo_domain *domain, double radius);

/* The part of it that finds the images. */
void mo_collider_find_images(mo_collider *collider, const mo_domain *domain, double radius);

#endif
