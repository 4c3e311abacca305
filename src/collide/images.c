/* Which images of a solid matter in a periodic domain: those whose box of bounds, grown by the largest radius of a
   particle, reaches into the domain's box. */
#include "collide/contact.h"
#include "geometry/shape/shape.h"

#include <math.h>

static double period(const mo_domain *d, int axis)
{
    return d->high[axis] - d->low[axis];
}

static double distance_at(const mo_contacts *contacts, int64_t c, const double place[3])
{
    double local[3], distance;
    mo_vec3_store(local, mo_pose_undo(&contacts->poses[c], mo_vec3_load(place)));
    mo_shape_distances(contacts->colliders[c].shape, 1, local, &distance, NULL);
    return distance;
}

/* A solid without end along an axis must be the same all along it, as a floor is. */
static bool goes_on_along(const mo_contacts *contacts, int64_t c, int axis)
{
    const mo_domain *d = &contacts->domain;
    double here[3] = {0, 0, 0}, there[3] = {0, 0, 0};
    here[axis] = d->low[axis];
    there[axis] = d->high[axis];
    double change = distance_at(contacts, c, there) - distance_at(contacts, c, here);
    return fabs(change) <= 1e-12 * period(d, axis);
}

/* The solid's bounds where it stands; false if it has no end. */
static bool bounds_of(const mo_contacts *contacts, int64_t c, double low[3], double high[3])
{
    mo_vec3 corner[2];
    mo_method shape = contacts->colliders[c].shape;
    if (!((const mo_shape_type *)shape.type)->bounds(shape.params, &corner[0], &corner[1])) {
        return false;
    }
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = (double)INFINITY;
        high[axis] = -(double)INFINITY;
    }
    for (int k = 0; k < 8; ++k) {
        double x[3];
        mo_vec3 local = mo_vec3_make(corner[k & 1].x, corner[k >> 1 & 1].y, corner[k >> 2].z);
        mo_vec3_store(x, mo_pose_apply(&contacts->poses[c], local));
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = fmin(low[axis], x[axis]);
            high[axis] = fmax(high[axis], x[axis]);
        }
    }
    return true;
}

mote_status mo_contact_images_check(const mo_contacts *contacts, mote_error *error)
{
    double low[3], high[3];
    for (int64_t c = 0; contacts->periodic && c < contacts->count; ++c) {
        bool ends = bounds_of(contacts, c, low, high);
        for (int axis = 0; axis < 3 && !ends && !contacts->colliders[c].inside; ++axis) {
            if (contacts->domain.periodic[axis] && !goes_on_along(contacts, c, axis)) {
                return mo_fail(
                    error, MOTE_ERROR_INPUT,
                    "colliders[%lld].shape: it has no end along %c, where the domain repeats itself, so "
                    "its images would fill everything; use a box, or a domain that is not periodic "
                    "along %c",
                    (long long)c, 'x' + axis, 'x' + axis);
            }
        }
    }
    return MOTE_OK;
}

/* The periods by which a particle's image in the box may be away from the solid: at most three, about its middle. A
   solid longer than that goes on from period to period anyway. */
static void periods_along(const mo_domain *d, int axis, double low, double high, int64_t periods[2])
{
    double length = period(d, axis), middle = floor((0.5 * (low + high) - d->low[axis]) / length);
    double first = floor((low - d->low[axis]) / length), last = floor((high - d->low[axis]) / length);
    periods[0] = (int64_t)fmax(first, middle - 1);
    periods[1] = (int64_t)fmin(last, middle + 1);
}

void mo_contact_images_find(mo_contacts *contacts, int64_t c)
{
    mo_contact_images *images = &contacts->images[c];
    const mo_domain *d = &contacts->domain;
    double low[3], high[3];
    int64_t n[3][2] = {{0, 0}, {0, 0}, {0, 0}};
    images->count = 0;
    if (contacts->periodic && !contacts->colliders[c].inside && bounds_of(contacts, c, low, high)) {
        for (int axis = 0; axis < 3; ++axis) {
            if (d->periodic[axis]) {
                periods_along(d, axis, low[axis] - contacts->radius, high[axis] + contacts->radius, n[axis]);
            }
        }
    }
    for (int64_t i = n[0][0]; i <= n[0][1]; ++i) {
        for (int64_t j = n[1][0]; j <= n[1][1]; ++j) {
            for (int64_t k = n[2][0]; k <= n[2][1]; ++k) {
                images->shift[images->count++] =
                    mo_vec3_make(i ? (double)i * period(d, 0) : 0, j ? (double)j * period(d, 1) : 0,
                                 k ? (double)k * period(d, 2) : 0);
            }
        }
    }
}
