#include "collide/collider.h"

#include "collide/friction/friction.h"
#include "collide/law.h"
#include "geometry/shape/shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BATCH = 64 };

static const mo_param COLLIDER[] = {
    {"name", MO_STRING, MO_FIELD(mo_collider_def, name),
     .doc = "Name; default 'collider0', 'collider1', ..."},
    {"shape", MO_METHOD, MO_FIELD(mo_collider_def, shape), .family = &mo_shapes, .required = true,
     .doc = "Shape of the impenetrable solid."},
    {"inside", MO_BOOL, MO_FIELD(mo_collider_def, inside), .initial = "false",
     .doc = "Invert the shape, so that it is a container: particles stay inside."},
    {"restitution", MO_REAL, MO_FIELD(mo_collider_def, restitution), .initial = "0",
     .range = "[0, 1]", .doc = "Coefficient of restitution."},
    {"friction", MO_METHOD, MO_FIELD(mo_collider_def, friction), .family = &mo_frictions,
     .doc =
         "Friction law; a number is Coulomb's coefficient mu. Default: frictionless; rigid bodies "
         "use their own coefficient."},
    {"contact", MO_METHOD, MO_FIELD(mo_collider_def, law), .family = &mo_contact_laws,
     .initial = "\"bounce\"",
     .doc = "Contact law: impulses after the step, or a penalty force in every force evaluation."},
    {"position", MO_STRING, MO_FIELD(mo_collider_def, position), .initial = "\"project\"",
     .choices = "project|none",
     .doc = "Position correction: project penetrating particles onto the surface, or change "
            "velocities only."},
    {"motion", MO_METHOD, MO_FIELD(mo_collider_def, motion), .family = &mo_motions,
     .doc = "Prescribed motion; static by default."},
    {"surface_velocity", MO_VEC3, MO_FIELD(mo_collider_def, surface_velocity), .unit = "m/s",
     .initial = "[0, 0, 0]",
     .doc = "Tangential velocity of the surface, as of a conveyor belt or a lid, while the shape "
            "does not move; it acts through friction and viscosity and rotates with the collider."},
    {"look", MO_SECTION, MO_FIELD(mo_collider_def, look), .initial = "{}",
     .section = &mo_collider_look_section, .doc = "Rendering."},
    {0}};

const mo_section mo_collider_section = {"collider",
                                        "A rigid obstacle or container with prescribed "
                                        "motion.",
                                        sizeof(mo_collider_def), .params = COLLIDER};

static const char *name_of(const mo_collider_def *def, int64_t index, mo_arena *arena)
{
    char default_name[32];
    snprintf(default_name, sizeof default_name, "collider%lld", (long long)index);
    return def->name ? def->name : mo_arena_text(arena, default_name);
}

mote_status mo_colliders_create(mo_colliders *colliders, const mo_list *defs,
                                const mo_domain *domain, mo_arena *arena, mote_error *error)
{
    const mo_collider_def *def = defs->items;
    size_t bytes = (size_t)defs->count * sizeof(mo_collider);
    *colliders = (mo_colliders){
        .count = defs->count, .domain = *domain, .periodic = mo_domain_periodic(domain)};
    colliders->list = mo_arena_allocate(arena, bytes + 1);
    if (!colliders->list) {
        return mo_fail_memory(error, bytes);
    }
    for (int64_t k = 0; k < defs->count; ++k) {
        bool friction = def[k].friction.type != NULL;
        colliders->list[k] =
            (mo_collider){.name = name_of(&def[k], k, arena),
                          .shape = def[k].shape,
                          .motion = def[k].motion,
                          .friction = friction ? def[k].friction : mo_friction_none(),
                          .law = def[k].law,
                          .inside = def[k].inside,
                          .restitution = def[k].restitution,
                          .surface_velocity = def[k].surface_velocity,
                          .slides = mo_length(def[k].surface_velocity) > 0,
                          .projects = strcmp(def[k].position, "project") == 0};
        if (!colliders->list[k].name) {
            return mo_fail_memory(error, bytes);
        }
        colliders->list[k].pose = mo_motion_pose(def[k].motion, 0);
    }
    return mo_colliders_check_images(colliders, error);
}

mo_pose mo_collider_pose_at(const mo_collider *collider, double time)
{
    return mo_motion_pose(collider->motion, time);
}

void mo_colliders_pose(mo_colliders *colliders, double time)
{
    for (int64_t c = 0; c < colliders->count; ++c) {
        colliders->list[c].pose = mo_collider_pose_at(&colliders->list[c], time);
    }
}

/* The bounding box of a shape in a pose, or extended by it; false if it is unbounded. */
static bool bound_pose(mo_method shape, const mo_pose *pose, bool grow, double low[3],
                       double high[3])
{
    mo_vec3 corner[2];
    if (!((const mo_shape_type *)shape.type)->bounds(shape.params, &corner[0], &corner[1])) {
        return false;
    }
    for (int axis = 0; axis < 3 && !grow; ++axis) {
        low[axis] = (double)INFINITY;
        high[axis] = -(double)INFINITY;
    }
    for (int k = 0; k < 8; ++k) {
        double x[3];
        mo_vec3 local = mo_vec3_make(corner[k & 1].x, corner[k >> 1 & 1].y, corner[k >> 2].z);
        mo_vec3_store(x, mo_pose_apply(pose, local));
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = fmin(low[axis], x[axis]);
            high[axis] = fmax(high[axis], x[axis]);
        }
    }
    return true;
}

bool mo_collider_bounds(const mo_collider *collider, double low[3], double high[3])
{
    return bound_pose(collider->shape, &collider->pose, false, low, high);
}

void mo_collider_set_pose(mo_collider *c, const mo_pose *pose, const mo_pose *before,
                          const mo_domain *domain, double radius)
{
    c->pose = *pose;
    c->before = before ? *before : *pose;
    c->moved = before && memcmp(pose, before, sizeof *pose) != 0;
    c->bounded = mo_collider_bounds(c, c->low, c->high);
    if (c->moved) {
        bound_pose(c->shape, &c->before, true, c->low, c->high);
    }
    mo_collider_find_images(c, domain, radius);
}

void mo_colliders_pose_step(mo_colliders *colliders, double time, double h, double radius)
{
    for (int64_t c = 0; c < colliders->count; ++c) {
        mo_collider *collider = &colliders->list[c];
        mo_pose pose = mo_collider_pose_at(collider, time),
                before = mo_collider_pose_at(collider, time - h);
        mo_collider_set_pose(collider, &pose, &before, &colliders->domain, radius);
    }
}

mo_vec3 mo_collider_normal(const mo_collider *collider, const double *local_normal)
{
    double sign = collider->inside ? -1 : 1;
    return mo_scale(sign, mo_mat3_apply(collider->pose.R, mo_vec3_load(local_normal)));
}

double mo_collider_gap(const mo_collider *collider, mo_vec3 x, mo_vec3 *normal)
{
    double local[3], distance, local_normal[3];
    mo_vec3_store(local, mo_pose_undo(&collider->pose, x));
    mo_shape_distances(collider->shape, 1, local, &distance, local_normal);
    if (normal) {
        *normal = mo_collider_normal(collider, local_normal);
    }
    return collider->inside ? -distance : distance;
}

void mo_collider_gaps(const mo_collider *collider, int64_t count, const double *x, double *gap,
                      double *local_normal)
{
    for (int64_t first = 0; first < count; first += BATCH) {
        int64_t n = count - first < BATCH ? count - first : BATCH;
        double local[3 * BATCH];
        for (int64_t k = 0; k < n; ++k) {
            mo_vec3_store(local + 3 * k,
                          mo_pose_undo(&collider->pose, mo_vec3_load(x + 3 * (first + k))));
        }
        mo_shape_distances(collider->shape, n, local, gap + first,
                           local_normal ? local_normal + 3 * first : NULL);
    }
    for (int64_t k = 0; collider->inside && k < count; ++k) {
        gap[k] = -gap[k];
    }
}

void mo_collider_local_gaps(const mo_collider *collider, int64_t count, const double *x,
                            double *gap, double *normal)
{
    mo_shape_distances(collider->shape, count, x, gap, normal);
    for (int64_t k = 0; collider->inside && k < count; ++k) {
        gap[k] = -gap[k];
        for (int c = 0; normal && c < 3; ++c) {
            normal[3 * k + c] = -normal[3 * k + c];
        }
    }
}

double mo_collider_local_gap(const mo_collider *collider, mo_vec3 x, mo_vec3 *normal)
{
    double at[3], n[3], gap;
    mo_vec3_store(at, x);
    mo_collider_local_gaps(collider, 1, at, &gap, normal ? n : NULL);
    if (normal) {
        *normal = mo_vec3_load(n);
    }
    return gap;
}

/* ---- paths ---- */

mo_vec3 mo_collider_displacement(const mo_collider *c, mo_vec3 before, mo_vec3 x)
{
    return mo_sub(x, c->moved ? mo_pose_apply(&c->pose, mo_pose_undo(&c->before, before)) : before);
}

/* Sphere tracing: the gap bounds the distance to the surface. Points within this fraction of the
 * path are on the surface. */
enum { TRACE_STEPS = 200 };
static const double TRACE_END = 1e-3;

bool mo_collider_passed(const mo_collider *c, mo_vec3 before, mo_vec3 x, double *gap,
                        double *local_normal)
{
    mo_vec3 from = mo_pose_undo(&c->before, before), to = mo_pose_undo(&c->pose, x), n;
    mo_vec3 way = mo_sub(to, from), last = mo_vec3_load(local_normal);
    double length = mo_length(way), sign = c->inside ? -1 : 1, at = 0;
    double here = mo_collider_local_gap(c, from, &n);
    if (!(fmax(here, 0) + *gap <= length) || sign * mo_dot(n, last) >= 0) {
        return false;
    }
    for (int k = 0; k < TRACE_STEPS && at < length; ++k) {
        mo_vec3 point = mo_add_scaled(from, at / length, way);
        here = mo_collider_local_gap(c, point, &n);
        if (here <= TRACE_END * length) {
            *gap = here + mo_dot(n, mo_sub(to, point));
            mo_vec3_store(local_normal, mo_scale(sign, n));
            return true;
        }
        at += here;
    }
    return false;
}

const mo_collider *mo_colliders_nearest(const mo_colliders *colliders, mo_vec3 x)
{
    const mo_collider *found = NULL;
    double least = INFINITY;
    for (int64_t c = 0; c < colliders->count; ++c) {
        double gap = fabs(mo_collider_gap(&colliders->list[c], x, NULL));
        if (gap < least) {
            least = gap;
            found = &colliders->list[c];
        }
    }
    return found;
}

double mo_colliders_farthest(const mo_colliders *colliders, mo_vec3 x)
{
    double most = 0;
    for (int64_t c = 0; c < colliders->count; ++c) {
        most = fmax(most, fabs(mo_collider_gap(&colliders->list[c], x, NULL)));
    }
    return most;
}
