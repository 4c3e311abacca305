/*
 * The relevant images of a collider in a periodic domain: those whose bounding box, extended by the
 * largest particle radius, intersects the domain.
 */
#include "collide/collider.h"

#include <math.h>

/* A collider that is unbounded along an axis must be uniform along it, such as a floor. */
static bool is_uniform_along(const mo_collider *collider, const mo_domain *d, int axis)
{
    double here[3] = {0, 0, 0}, there[3] = {0, 0, 0};
    here[axis] = d->low[axis];
    there[axis] = d->high[axis];
    double change = mo_collider_gap(collider, mo_vec3_load(there), NULL) -
                    mo_collider_gap(collider, mo_vec3_load(here), NULL);
    return fabs(change) <= 1e-12 * mo_domain_period(d, axis);
}

mote_status mo_colliders_check_images(const mo_colliders *colliders, mote_error *error)
{
    const mo_domain *d = &colliders->domain;
    double low[3], high[3];
    for (int64_t c = 0; colliders->periodic && c < colliders->count; ++c) {
        const mo_collider *collider = &colliders->list[c];
        bool ends = mo_collider_bounds(collider, low, high);
        for (int axis = 0; axis < 3 && !ends && !collider->inside; ++axis) {
            if (d->periodic[axis] && !is_uniform_along(collider, d, axis)) {
                return mo_fail(
                    error, MOTE_ERROR_INPUT,
                    "colliders[%lld].shape: it is unbounded along the periodic axis %c, so its "
                    "periodic images would fill the domain; use a box, or a domain that is not "
                    "periodic along %c",
                    (long long)c, 'x' + axis, 'x' + axis);
            }
        }
    }
    return MOTE_OK;
}

/* The periods from a particle's image in the box to the collider: at most three, about its
 * centre. Longer colliders are continuous across periods. */
static void periods_along(const mo_domain *d, int axis, double low, double high, int64_t periods[2])
{
    double length = mo_domain_period(d, axis),
           middle = floor((0.5 * (low + high) - d->low[axis]) / length);
    double first = floor((low - d->low[axis]) / length),
           last = floor((high - d->low[axis]) / length);
    periods[0] = (int64_t)fmax(first, middle - 1);
    periods[1] = (int64_t)fmin(last, middle + 1);
}

void mo_collider_find_images(mo_collider *collider, const mo_domain *d, double radius)
{
    double low[3], high[3];
    int64_t n[3][2] = {{0, 0}, {0, 0}, {0, 0}};
    collider->image_count = 0;
    if (mo_domain_periodic(d) && !collider->inside && mo_collider_bounds(collider, low, high)) {
        for (int axis = 0; axis < 3; ++axis) {
            if (d->periodic[axis]) {
                periods_along(d, axis, low[axis] - radius, high[axis] + radius, n[axis]);
            }
        }
    }
    for (int64_t i = n[0][0]; i <= n[0][1]; ++i) {
        for (int64_t j = n[1][0]; j <= n[1][1]; ++j) {
            for (int64_t k = n[2][0]; k <= n[2][1]; ++k) {
                collider->image[collider->image_count++] =
                    mo_vec3_make(i ? (double)i * mo_domain_period(d, 0) : 0,
                                 j ? (double)j * mo_domain_period(d, 1) : 0,
                                 k ? (double)k * mo_domain_period(d, 2) : 0);
            }
        }
    }
}
