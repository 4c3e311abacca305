/*
 * Emission from the faces of a solid: a mesh, another shape, or a collider, with which the emitter
 * moves.
 *
 * The emission points are samples of the surface (geometry/sample/sampling.h), half a spacing along
 * their direction from it, so that the volume of the first layer begins there. Particles leave
 * along the normal of their sample, or along one direction if the scene gives it, and move with the
 * velocity of the surface in addition.
 *
 * Samples are between 0.6 and 1.1 spacings apart, so the distance of layers is not the spacing:
 * a layer of N particles has the volume N spacing^d mass_scale, and the flow is
 * Q = speed sum_k a_k (n_k . d_k) for sample areas a_k, so that the period of layers is their
 * ratio and the flow rate is exact.
 */
#include "geometry/shape/shape_samples.h"
#include "math/portable.h"
#include "system/fluid/emitters.h"

#include <math.h>

/* The smallest cosine between a normal and the direction of the outflow. */
static const double FACING = 0.5;

static const double SAME = 1e-6; /* relative tolerance of positions, in spacings */

static mo_sampling sampling_of(const mo_nozzle *n, const mo_fluid_def *def)
{
    mo_sampling how = mo_sampling_make(def->spacing, (int)def->dimension);
    mo_vec3 low, high;
    how.inside = n->collider && n->collider->inside;
    if (n->def->faces.type && mo_shape_bounds(n->def->faces, &low, &high)) {
        mo_vec3 margin = {def->spacing, def->spacing, def->spacing};
        how.low = mo_sub(low, margin);
        how.high = mo_add(high, margin);
    }
    return how;
}

/* Whether a sample emits, and along which direction. */
static bool emits(const mo_emitter_def *e, double spacing, mo_vec3 x, mo_vec3 normal, mo_vec3 *d)
{
    double point[3], distance = -1;
    mo_vec3_store(point, x);
    if (e->faces.type) {
        mo_shape_distances(e->faces, 1, point, &distance, NULL);
    }
    bool along = !isnan(e->direction.x);
    *d = along ? mo_scale(1 / mo_length(e->direction), e->direction) : normal;
    return distance <= SAME * spacing && (!along || mo_dot(*d, normal) >= FACING);
}

static void take_samples(mo_nozzle *n, const mo_samples *samples, double spacing)
{
    for (int64_t k = 0; k < samples->count; ++k) {
        mo_vec3 x = mo_vec3_load(samples->x + 3 * k), d,
                normal = mo_vec3_load(samples->normal + 3 * k);
        if (emits(n->def, spacing, x, normal, &d)) {
            mo_vec3_store(n->points + 3 * n->count, mo_add_scaled(x, 0.5 * spacing, d));
            mo_vec3_store(n->directions + 3 * n->count, d);
            n->area += samples->area[k] * mo_dot(d, normal);
            n->count++;
        }
    }
}

static mote_status fail_empty(const mo_emitter_def *e, mote_error *error)
{
    const char *key = e->faces.type ? "faces" : e->surface.type ? "surface" : "collider";
    return mo_fail(error, MOTE_ERROR_INPUT, ".%s: no face emits: %s", key,
                   e->faces.type ? "none of the surface is inside faces, in the coordinates of the "
                                   "solid, with a normal within 60 degrees of direction"
                                 : "no normal is within 60 degrees of direction");
}

static mote_status sample(mo_nozzle *n, const mo_fluid_def *def, mo_samples *samples,
                          mo_memory *memory, mote_error *error)
{
    mo_sampling how = sampling_of(n, def);
    mo_vec3 low, high;
    const char *key = n->collider ? "collider" : "surface";
    void *points, *directions;
    if (!mo_shape_bounds(n->surface, &low, &high) && !isfinite(how.low.x)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       ".%s: the shape is unbounded; select a bounded part of it with faces", key);
    }
    MO_TRY(mo_at_path(mo_sample_shape(n->surface, &how, samples, error), error, ".surface: ", 0));
    MO_TRY(mo_allocate_array(memory, samples->count, 3 * sizeof(double), &points, error));
    n->points = points;
    MO_TRY(mo_allocate_array(memory, samples->count, 3 * sizeof(double), &directions, error));
    n->directions = directions;
    take_samples(n, samples, def->spacing);
    return n->count > 0 ? MOTE_OK : fail_empty(n->def, error);
}

mote_status mo_nozzle_sample_surface(mo_nozzle *n, const mo_fluid_def *def,
                                     const mo_colliders *colliders, mo_memory *memory,
                                     mote_error *error)
{
    mo_samples samples;
    n->collider = n->def->collider.name ? &colliders->list[n->def->collider.index] : NULL;
    n->surface = n->collider ? n->collider->shape : n->def->surface;
    mo_samples_init(&samples, memory);
    mote_status status = sample(n, def, &samples, memory, error);
    mo_samples_release(&samples);
    return status;
}

static mo_pose pose_at(const mo_nozzle *n, double time)
{
    return n->collider ? mo_collider_pose_at(n->collider, time) : mo_pose_identity();
}

void mo_nozzle_position_surface(mo_nozzle *n, double from, double to)
{
    mo_pose pose = pose_at(n, from);
    for (int64_t k = 0; k < n->count; ++k) {
        mo_vec3 x = mo_pose_apply(&pose, mo_vec3_load(n->points + 3 * k)),
                d = mo_mat3_apply(pose.R, mo_vec3_load(n->directions + 3 * k));
        mo_vec3 v = mo_add_scaled(mo_pose_velocity(&pose, x), n->speed, d);
        mo_vec3_store(n->x + 3 * k, mo_add_scaled(x, to - from, v));
        mo_vec3_store(n->v + 3 * k, v);
    }
}

double mo_nozzle_distance(const mo_nozzle *n, mo_vec3 x, double time)
{
    mo_pose pose = pose_at(n, time);
    double point[3], distance;
    mo_vec3_store(point, mo_pose_undo(&pose, x));
    mo_shape_distances(n->surface, 1, point, &distance, NULL);
    return n->collider && n->collider->inside ? -distance : distance;
}
