#include "geometry/trimesh/crossings.h"

#include "base/radix.h"
#include "geometry/bound/box.h"
#include "geometry/simplex/intersect.h"

#include <math.h>

static void load(const int32_t row[3], const double *x, mo_vec3 out[3])
{
    for (int k = 0; k < 3; ++k) {
        out[k] = mo_vec3_load(x + 3 * (int64_t)row[k]);
    }
}

static int index_of(const int32_t row[3], int32_t wanted)
{
    for (int k = 0; k < 3; ++k) {
        if (row[k] == wanted) {
            return k;
        }
    }
    return -1;
}

/* Six times the signed volume of a tetrahedron; 0 where rounding may have changed the sign, by the
 * first bound of J. R. Shewchuk 1997, Discrete Comput. Geom. 18, 305: triangles of a flat sheet do
 * not cross. */
static double orient(mo_vec3 a, mo_vec3 b, mo_vec3 c, mo_vec3 d)
{
    const double bound = 7.8e-16; /* (7 + 56 e) e, e = 2^-53 */
    mo_vec3 u = mo_sub(b, a), v = mo_sub(c, a), w = mo_sub(d, a);
    double volume = mo_dot(mo_cross(u, v), w),
           permanent = (fabs(u.y * v.z) + fabs(u.z * v.y)) * fabs(w.x) +
                       (fabs(u.z * v.x) + fabs(u.x * v.z)) * fabs(w.y) +
                       (fabs(u.x * v.y) + fabs(u.y * v.x)) * fabs(w.z);
    return fabs(volume) > bound * permanent ? volume : 0;
}

/* Whether the open edge from p to q crosses the interior of a triangle. */
static bool pierces(mo_vec3 p, mo_vec3 q, const mo_vec3 t[3])
{
    double above = orient(t[0], t[1], t[2], p), below = orient(t[0], t[1], t[2], q);
    if (!((above > 0 && below < 0) || (above < 0 && below > 0))) {
        return false;
    }
    double u = orient(p, q, t[0], t[1]), v = orient(p, q, t[1], t[2]), w = orient(p, q, t[2], t[0]);
    return (u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0);
}

bool mo_triangles_cross(const int32_t a[3], const int32_t b[3], const double *x)
{
    mo_vec3 p[3], q[3];
    int common = 0, in_a = 0, in_b = 0;
    for (int k = 0; k < 3; ++k) {
        int at = index_of(b, a[k]);
        if (at >= 0) {
            ++common;
            in_a = k;
            in_b = at;
        }
    }
    load(a, x, p);
    load(b, x, q);
    if (common == 0) {
        return mo_triangles_intersect(p, q);
    }
    return common == 1 && (pierces(p[(in_a + 1) % 3], p[(in_a + 2) % 3], q) ||
                           pierces(q[(in_b + 1) % 3], q[(in_b + 2) % 3], p));
}

/* ---- all pairs ---- */

static bool overlap(const mo_box *a, const mo_box *b)
{
    for (int k = 0; k < 3; ++k) {
        if (a->low[k] > b->high[k] || b->low[k] > a->high[k]) {
            return false;
        }
    }
    return true;
}

/* Boxes of the triangles, and of all of them. */
static mo_box fill_boxes(int64_t triangles, const int32_t *corner, const double *x, mo_box *boxes)
{
    mo_box all = mo_box_empty();
    for (int64_t t = 0; t < triangles; ++t) {
        boxes[t] = mo_box_empty();
        for (int k = 0; k < 3; ++k) {
            mo_box_grow(&boxes[t], x + 3 * (int64_t)corner[3 * t + k]);
            mo_box_grow(&all, x + 3 * (int64_t)corner[3 * t + k]);
        }
    }
    return all;
}

static int longest_axis(const mo_box *box)
{
    int axis = 0;
    for (int k = 1; k < 3; ++k) {
        axis = box->high[k] - box->low[k] > box->high[axis] - box->low[axis] ? k : axis;
    }
    return axis;
}

static int64_t sweep(int64_t triangles, const int32_t *corner, const double *x, const mo_box *boxes,
                     int axis, const mo_keyed *sorted)
{
    int64_t count = 0;
    for (int64_t k = 0; k < triangles; ++k) {
        const mo_box *box = &boxes[sorted[k].row];
        const int32_t *own = corner + 3 * sorted[k].row;
        for (int64_t n = k + 1; n < triangles && boxes[sorted[n].row].low[axis] <= box->high[axis];
             ++n) {
            int64_t other = sorted[n].row;
            count += overlap(box, &boxes[other]) && mo_triangles_cross(own, corner + 3 * other, x);
        }
    }
    return count;
}

mote_status mo_crossings_count(mo_memory *memory, int64_t triangles, const int32_t *corner,
                               const double *x, int64_t *count, mote_error *error)
{
    void *boxes;
    mo_radix radix;
    *count = 0;
    MO_TRY(mo_allocate_array(memory, triangles, sizeof(mo_box), &boxes, error));
    mo_radix_init(&radix, memory);
    mote_status status = mo_radix_resize(&radix, triangles, error);
    if (status == MOTE_OK && triangles > 0) {
        mo_box all = fill_boxes(triangles, corner, x, boxes);
        int axis = longest_axis(&all);
        for (int64_t t = 0; t < triangles; ++t) {
            radix.item[t] = (mo_keyed){mo_keyed_order(((mo_box *)boxes)[t].low[axis]), t};
        }
        mo_radix_sort(&radix, triangles, NULL);
        *count = sweep(triangles, corner, x, boxes, axis, radix.item);
    }
    mo_radix_release(&radix);
    mo_release(memory, boxes);
    return status;
}
