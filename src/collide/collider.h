/*
 * A collider: a rigid shape that particles and bodies collide with. Its pose is prescribed by a
 * motion of the scene, or set by a system that integrates it.
 *
 * Gap and normal are given by one function, mo_collider_gap (and its form for many points), for
 * contact laws, static equilibrium, the culling of fluid, boundary sampling and health checks. The
 * gap is the signed distance to the surface, positive on the side of the particles, negative inside
 * the solid; the normal is a unit vector towards the positive side. A container (`inside`) has its
 * particles within the shape.
 *
 * In a periodic domain a collider exists in every period: a particle's image in the box is tested
 * with each image of the collider that intersects the box (images.c). A container confines each
 * particle to its period. A collider that is unbounded along a periodic axis (a plane normal to it)
 * would fill all periods and is an error.
 */
#ifndef MO_COLLIDE_COLLIDER_H
#define MO_COLLIDE_COLLIDER_H

#include "base/memory.h"
#include "base/param.h"
#include "draw/look_def.h"
#include "geometry/motion/motion.h"
#include "neighbor/domain.h"

/* Definition in a scene. */
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

/* Translations of a particle's image in the box to the images of a collider. */
enum { MO_COLLIDER_IMAGES_MAX = 27 };

typedef struct mo_collider {
    const char *name; /* for messages */
    mo_method shape, motion, friction;
    mo_method law;            /* of contact, see collide/law.h */
    bool inside;              /* a container */
    double restitution;       /* coefficient of restitution */
    mo_vec3 surface_velocity; /* in its frame, see mo_collider_slip */
    bool slides;              /* it is not zero */
    bool projects;            /* penetrating particles are projected onto the surface */
    mo_pose pose;             /* current, and */
    mo_pose before;           /* at the start of the step */
    bool moved;               /* they differ */
    bool bounded;             /* bounding box at both poses, unless unbounded */
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

/* Creates the colliders of a scene, posed at t = 0, in the arena. */
mote_status mo_colliders_create(mo_colliders *colliders, const mo_list *defs,
                                const mo_domain *domain, mo_arena *arena, mote_error *error);

/* The pose of a collider with a prescribed motion at a time; that of others is unchanged. */
mo_pose mo_collider_pose_at(const mo_collider *collider, double time);

/* Poses all colliders at `time`. */
void mo_colliders_pose(mo_colliders *colliders, double time);

/* Poses them at the end and at the start of a step of h; `radius`, the largest of a particle,
 * determines the relevant periodic images. */
void mo_colliders_pose_step(mo_colliders *colliders, double time, double h, double radius);

/* The gap of a point, and, unless NULL, the normal. */
double mo_collider_gap(const mo_collider *collider, mo_vec3 x, mo_vec3 *normal);

/* The gaps of `count` points, three components each. Normals (may be NULL) are in the collider's
 * frame and not oriented, since few of many points need them: see mo_collider_normal. */
void mo_collider_gaps(const mo_collider *collider, int64_t count, const double *x, double *gap,
                      double *local_normal);
mo_vec3 mo_collider_normal(const mo_collider *collider, const double *local_normal);

/* The same of points in the collider's frame; normals (may be NULL) are oriented, in that frame. */
double mo_collider_local_gap(const mo_collider *collider, mo_vec3 x, mo_vec3 *normal);
void mo_collider_local_gaps(const mo_collider *collider, int64_t count, const double *x,
                            double *gap, double *normal);

/* The displacement of the point x in this step relative to the collider. */
mo_vec3 mo_collider_displacement(const mo_collider *collider, mo_vec3 before, mo_vec3 x);

/* Whether the path of a particle in this step, from `before` to x relative to the collider,
 * enters the solid through one face and ends nearer to the opposite one, as through a plate
 * thinner than the path. The nearest surface at x is then the wrong one: gap and local normal of
 * x are replaced by those of the tangent plane at the entry point. */
bool mo_collider_passed(const mo_collider *collider, mo_vec3 before, mo_vec3 x, double *gap,
                        double *local_normal);

/* The velocity of the surface relative to the solid, as of a belt or a lid: the tangential part
 * of the surface velocity at a point with normal n. */
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

/* The bounding box of the collider at its pose; false if it is unbounded. */
bool mo_collider_bounds(const mo_collider *collider, double low[3], double high[3]);

/* The collider whose surface is nearest to a point; NULL if there is none. */
const mo_collider *mo_colliders_nearest(const mo_colliders *colliders, mo_vec3 x);

/* The largest distance of a point from any surface. */
double mo_colliders_farthest(const mo_colliders *colliders, mo_vec3 x);

/* An error for colliders that are unbounded along a periodic axis. */
mote_status mo_colliders_check_images(const mo_colliders *colliders, mote_error *error);

/* Sets pose, bounds and periodic images of a collider with the pose `before` at the start of the
 * step (NULL: it does not move); the images are those in reach of particles of up to `radius`. */
void mo_collider_set_pose(mo_collider *collider, const mo_pose *pose, const mo_pose *before,
                          const mo_domain *domain, double radius);

/* Finds the images. */
void mo_collider_find_images(mo_collider *collider, const mo_domain *domain, double radius);

#endif
