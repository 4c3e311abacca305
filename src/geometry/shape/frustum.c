/*
 * In the half plane (rho, z) of the axis a truncated cone is the convex trapezoid (0, 0), (a, 0),
 * (b, l), (0, l). Inside, the distance is that of the nearest of the three lines; outside, that of
 * the nearest point of the three segments.
 */
#include "geometry/shape/frustum.h"

#include "geometry/shape/facets.h"

mo_frustum mo_frustum_make(mo_vec3 start, mo_vec3 end, double low, double high)
{
    mo_vec3 way = mo_sub(end, start);
    return (mo_frustum){start, mo_unit(way, mo_vec3_make(0, 0, 1)), mo_length(way), low, high};
}

mote_status mo_frustum_check(mo_vec3 start, mo_vec3 end, mote_error *error)
{
    if (!(mo_length(mo_sub(end, start)) > 0)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "end: it coincides with start, [%g, %g, %g]", end.x,
                       end.y, end.z);
    }
    return MOTE_OK;
}

/* A point of the half plane; or a direction in it. */
typedef struct flat {
    double rho, z;
} flat;

/* Updates the nearest point with the surface point `at`. */
static void take_nearer(flat x, flat at, double *square, flat *way)
{
    flat to = {x.rho - at.rho, x.z - at.z};
    double found = to.rho * to.rho + to.z * to.z;
    if (found < *square) {
        *square = found;
        *way = to;
    }
}

/* The distance, and the normal in the half plane. */
static double flat_distance(const mo_frustum *f, flat x, flat *normal)
{
    double l = f->length, narrowing = f->low - f->high, slant = sqrt(l * l + narrowing * narrowing);
    flat side = {l / slant, narrowing / slant}, way = {0, 0};
    double faces[3] = {-x.z, x.z - l, (x.rho - f->low) * side.rho + x.z * side.z};
    int most = faces[1] > faces[0] ? 1 : 0;
    most = faces[2] > faces[most] ? 2 : most;
    *normal = most == 2 ? side : (flat){0, most == 1 ? 1 : -1};
    if (faces[most] <= 0) {
        return faces[most];
    }
    double along = ((x.rho - f->low) * -narrowing + x.z * l) / (slant * slant), square = INFINITY;
    along = along < 0 ? 0 : along > 1 ? 1 : along;
    take_nearer(x, (flat){x.rho < f->low ? x.rho : f->low, 0}, &square, &way);
    take_nearer(x, (flat){x.rho < f->high ? x.rho : f->high, l}, &square, &way);
    take_nearer(x, (flat){f->low - along * narrowing, along * l}, &square, &way);
    double distance = sqrt(square);
    if (distance > 0) {
        *normal = (flat){way.rho / distance, way.z / distance};
    }
    return distance;
}

void mo_frustum_distances(const mo_frustum *f, int64_t count, const double *points,
                          double *distance, double *normal)
{
    for (int64_t k = 0; k < count; ++k) {
        mo_vec3 x = mo_sub(mo_vec3_load(points + 3 * k), f->start);
        double z = mo_dot(x, f->axis);
        mo_vec3 across = mo_add_scaled(x, -z, f->axis);
        flat n;
        distance[k] = flat_distance(f, (flat){mo_length(across), z}, &n);
        distance[k] = isnan(x.x + x.y + x.z) ? (double)NAN : distance[k];
        if (normal) {
            mo_vec3 out = mo_unit(across, mo_perpendicular(f->axis));
            mo_vec3 sum = mo_add_scaled(mo_scale(n.rho, out), n.z, f->axis);
            mo_vec3_store(normal + 3 * k, mo_unit(sum, f->axis));
        }
    }
}

void mo_frustum_bounds(const mo_frustum *f, mo_vec3 *min, mo_vec3 *max)
{
    double low[3], high[3];
    mo_vec3 end = mo_add_scaled(f->start, f->length, f->axis);
    for (int axis = 0; axis < 3; ++axis) {
        double a = mo_vec3_at(f->axis, axis), wide = sqrt(fmax(0, 1 - a * a));
        double s = mo_vec3_at(f->start, axis), e = mo_vec3_at(end, axis);
        low[axis] = fmin(s - wide * f->low, e - wide * f->high);
        high[axis] = fmax(s + wide * f->low, e + wide * f->high);
    }
    *min = mo_vec3_load(low);
    *max = mo_vec3_load(high);
}

/* Clips [enter, leave] to a t^2 + 2 b t + c <= 0; k is the change of the cone's radius along the
 * line, which distinguishes the two halves of the double cone. */
static bool cut_by_side(double a, double b, double c, double k, double *enter, double *leave)
{
    double square = b * b - a * c, root = sqrt(square > 0 ? square : 0);
    if (fabs(a) < 1e-14) { /* along the side */
        double at = -0.5 * c / b;
        if (b == 0) {
            return c <= 0;
        }
        *enter = b < 0 ? fmax(*enter, at) : *enter;
        *leave = b > 0 ? fmin(*leave, at) : *leave;
    } else if (a > 0) {
        *enter = fmax(*enter, (-b - root) / a);
        *leave = fmin(*leave, (-b + root) / a);
    } else if (k > 0) { /* steeper than the side */
        *enter = fmax(*enter, (-b - root) / a);
    } else {
        *leave = fmin(*leave, (-b + root) / a);
    }
    return (square > 0 || a < 0) && *enter < *leave;
}

bool mo_frustum_chord(const mo_frustum *f, mo_vec3 from, mo_vec3 direction, double *enter,
                      double *leave)
{
    mo_vec3 x = mo_sub(from, f->start);
    double z = mo_dot(x, f->axis), u = mo_dot(direction, f->axis);
    mo_vec3 across = mo_add_scaled(x, -z, f->axis), way = mo_add_scaled(direction, -u, f->axis);
    *enter = -INFINITY;
    *leave = INFINITY;
    if (u == 0) {
        if (!(z >= 0 && z <= f->length)) {
            return false;
        }
    } else {
        *enter = (u > 0 ? -z : f->length - z) / u;
        *leave = (u > 0 ? f->length - z : -z) / u;
    }
    double slope = (f->high - f->low) / f->length, r = f->low + slope * z, k = slope * u;
    return cut_by_side(mo_dot(way, way) - k * k, mo_dot(across, way) - r * k,
                       mo_dot(across, across) - r * r, k, enter, leave);
}

mote_status mo_frustum_facets(const mo_frustum *f, const mo_shape_region *region, mo_facets *facets,
                              mote_error *error)
{
    mo_profile_point profile[4] = {{0, 0}, {f->low, 0}, {f->high, f->length}, {0, f->length}};
    int64_t first = f->low > 0 ? 0 : 1, last = f->high > 0 ? 4 : 3;
    return mo_facets_revolve(facets, f->start, f->axis, profile + first, last - first, false,
                             mo_arc_steps(fmax(f->low, f->high), 2 * MO_PI, region->edge), error);
}

/* With the radius a (1 - s) + b s at the height s h: integrals of pi r^2, of s and s^2 times it,
 * and of pi r^4/4 for the squares of distances across the axis. */
mo_volume_moments mo_frustum_moments(const mo_frustum *f)
{
    double a = f->low, b = f->high, h = f->length, aa = a * a, ab = a * b, bb = b * b;
    double area = (aa + ab + bb) / 3, middle = (aa + 2 * ab + 3 * bb) / (12 * area);
    double square = (aa + 3 * ab + 6 * bb) / (30 * area) - middle * middle;
    double across = (aa * aa + aa * ab + ab * ab + ab * bb + bb * bb) / (20 * area);
    return mo_moments_revolved(MO_PI * h * area, mo_add_scaled(f->start, middle * h, f->axis),
                               f->axis, h * h * square, across);
}
