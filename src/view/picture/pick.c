#include "view/picture/pick.h"

#include <stddef.h>

double mo_picture_radius(const mo_picture *picture, const mo_look *look, int64_t row)
{
    double radius = picture->radius ? picture->radius[row] : 0;
    return (radius > 0 ? radius : picture->typical_radius) * look->size;
}

static bool is_finite(mo_vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

static void include(mo_vec3 *low, mo_vec3 *high, mo_vec3 point, double reach)
{
    if (is_finite(point)) {
        *low = mo_vec3_make(fmin(low->x, point.x - reach), fmin(low->y, point.y - reach),
                            fmin(low->z, point.z - reach));
        *high = mo_vec3_make(fmax(high->x, point.x + reach), fmax(high->y, point.y + reach),
                             fmax(high->z, point.z + reach));
    }
}

static void include_solid(mo_vec3 *low, mo_vec3 *high, const mo_solid *solid)
{
    if (solid->kind == MO_SOLID_SPHERE) {
        include(low, high, solid->center, solid->half.x);
    }
    for (int k = 0; solid->kind == MO_SOLID_BOX && k < 8; ++k) {
        mo_vec3 sign = mo_vec3_make(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
        mo_vec3 offset = mo_quat_rotate(solid->turn, mo_multiply(sign, solid->half));
        include(low, high, mo_add(solid->center, offset), 0);
    }
}

static void include_surface(mo_vec3 *low, mo_vec3 *high, const mo_surface_view *surface)
{
    for (int64_t i = 0; i < surface->vertex_count; ++i) {
        const float *v = surface->vertices + 3 * i;
        include(low, high, mo_add(surface->origin, mo_vec3_make(v[0], v[1], v[2])), 0);
    }
}

void mo_picture_bounds(const mo_picture *picture, mo_vec3 *low, mo_vec3 *high)
{
    *low = mo_vec3_make(INFINITY, INFINITY, INFINITY);
    *high = mo_vec3_make(-INFINITY, -INFINITY, -INFINITY);
    for (int64_t i = 0; i < picture->count - picture->riders; ++i) {
        double radius = picture->radius ? picture->radius[i] : 0;
        include(low, high, mo_vec3_load(picture->x + 3 * i),
                radius > 0 ? radius : picture->typical_radius);
    }
    for (int64_t i = picture->count - picture->riders; i < picture->count; ++i) {
        include(low, high, mo_vec3_load(picture->x + 3 * i), 0);
    }
    include_surface(low, high, &picture->surface);
    for (int k = 0; k < MO_HULL_KINDS; ++k) {
        include_surface(low, high, &picture->hulls[k]);
    }
    for (int64_t i = 0; i < picture->solid_count; ++i) {
        include_solid(low, high, picture->solids + i);
    }
    if (!(low->x <= high->x)) {
        mo_vec3 middle = picture->solid_count ? picture->solids[0].center : mo_vec3_make(0, 0, 0);
        *low = mo_sub(middle, mo_vec3_make(1, 1, 1));
        *high = mo_add(middle, mo_vec3_make(1, 1, 1));
    }
}

int64_t mo_pick_particle(const mo_picture *picture, const mo_camera *camera, const mo_look *look,
                         int width, int height, double px, double py, double slack)
{
    mo_ray ray = mo_camera_ray(camera, width, height, px, py);
    mo_vec3 forward = mo_scale(-1, mo_camera_get_axes(camera).back);
    /* the size of a pixel: constant, or proportional to the distance */
    double pixel = (camera->angle > 0 ? 2 * tan(camera->angle / 2) : camera->height) / height;
    int64_t best = -1;
    double nearest = INFINITY;
    for (int64_t i = 0; i < picture->count - picture->riders; ++i) {
        mo_vec3 offset = mo_sub(mo_vec3_load(picture->x + 3 * i), ray.from);
        double along = mo_dot(offset, ray.along);
        mo_vec3 aside = mo_add_scaled(offset, -along, ray.along);
        double depth = camera->angle > 0 ? mo_dot(offset, forward) : 1;
        double radius = fmax(mo_picture_radius(picture, look, i), slack * pixel * depth);
        double inside = radius * radius - mo_dot(aside, aside);
        double hit = along - sqrt(inside > 0 ? inside : 0);
        if (inside >= 0 && depth > 0 && along > 0 && hit < nearest) {
            best = i;
            nearest = hit;
        }
    }
    return best;
}
