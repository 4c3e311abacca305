#include "geometry/simplex/intersect.h"

#include "geometry/simplex/nearest.h"

#include <math.h>

/* ---- separating axes ---- */

typedef struct pair {
    mo_vec3 p[2][4], edge[2][6]; /* corners relative to one of them, and edges */
    int corners[2], edges[2];
    double size;
} pair;

static void project(const mo_vec3 *p, int count, mo_vec3 n, double *low, double *high)
{
    *low = *high = mo_dot(n, p[0]);
    for (int k = 1; k < count; ++k) {
        double s = mo_dot(n, p[k]);
        *low = s < *low ? s : *low;
        *high = s > *high ? s : *high;
    }
}

/* Rounding: of a projection, and of the axis itself. */
static bool separates(const pair *q, mo_vec3 n)
{
    double low[2], high[2];
    double slack = 1e-15 * q->size * (fabs(n.x) + fabs(n.y) + fabs(n.z));
    project(q->p[0], q->corners[0], n, &low[0], &high[0]);
    project(q->p[1], q->corners[1], n, &low[1], &high[1]);
    return low[0] > high[1] + slack || low[1] > high[0] + slack;
}

static bool boxes_are_apart(const pair *q, const mo_vec3 *a, const mo_vec3 *b)
{
    for (int axis = 0; axis < 3; ++axis) {
        double low[2] = {(double)INFINITY, (double)INFINITY};
        double high[2] = {-(double)INFINITY, -(double)INFINITY};
        for (int side = 0; side < 2; ++side) {
            for (int k = 0; k < q->corners[side]; ++k) {
                double x = mo_vec3_at(side == 0 ? a[k] : b[k], axis);
                low[side] = x < low[side] ? x : low[side];
                high[side] = x > high[side] ? x : high[side];
            }
        }
        if (!(low[0] <= high[1] && low[1] <= high[0])) {
            return true;
        }
    }
    return false;
}

static void find_edges(pair *q, int side)
{
    for (int i = 0; i < q->corners[side]; ++i) {
        for (int k = i + 1; k < q->corners[side]; ++k) {
            q->edge[side][q->edges[side]++] = mo_sub(q->p[side][k], q->p[side][i]);
        }
    }
}

/* Axes of one side: faces, the normals of edges within a face, edges. */
static bool own_axis_separates(const pair *q, int side)
{
    const mo_vec3 *p = q->p[side];
    int n = q->corners[side];
    for (int f = 0; f < (n == 4 ? 4 : n == 3 ? 1 : 0); ++f) {
        mo_vec3 c[3];
        int count = 0;
        for (int k = 0; k < n && count < 3; ++k) {
            if (n == 3 || k != f) {
                c[count++] = p[k];
            }
        }
        mo_vec3 normal = mo_cross(mo_sub(c[1], c[0]), mo_sub(c[2], c[0]));
        if (separates(q, normal)) {
            return true;
        }
        for (int k = 0; k < 3; ++k) {
            if (separates(q, mo_cross(normal, mo_sub(c[(k + 1) % 3], c[k])))) {
                return true;
            }
        }
    }
    for (int e = 0; e < q->edges[side]; ++e) {
        if (separates(q, q->edge[side][e])) {
            return true;
        }
    }
    return false;
}

/* Edges of both: across both, and for edges in one plane within it. */
static bool cross_axis_separates(const pair *q, bool flat)
{
    for (int i = 0; i < q->edges[0]; ++i) {
        for (int k = 0; k < q->edges[1]; ++k) {
            mo_vec3 n = mo_cross(q->edge[0][i], q->edge[1][k]);
            if (separates(q, n)) {
                return true;
            }
            if (flat && (separates(q, mo_cross(n, q->edge[0][i])) ||
                         separates(q, mo_cross(n, q->edge[1][k])))) {
                return true;
            }
        }
    }
    return false;
}

/* Of points and of edges in one line: away from an edge, in the plane of a corner of the other. */
static bool corner_axis_separates(const pair *q, int side)
{
    mo_vec3 apart = mo_sub(q->p[1][0], q->p[0][0]);
    if (separates(q, apart)) {
        return true;
    }
    for (int e = 0; e < q->edges[side]; ++e) {
        mo_vec3 n = mo_cross(mo_cross(q->edge[side][e], apart), q->edge[side][e]);
        if (separates(q, n)) {
            return true;
        }
    }
    return false;
}

/* A triangle without an area, or fewer corners. */
static bool is_thin(const pair *q, int side)
{
    if (q->corners[side] < 3) {
        return true;
    }
    mo_vec3 n = mo_cross(q->edge[side][0], q->edge[side][1]);
    return mo_length(n) <= 1e-13 * mo_length(q->edge[side][0]) * mo_length(q->edge[side][1]);
}

bool mo_simplices_intersect(const mo_vec3 *a, int corners_a, const mo_vec3 *b, int corners_b)
{
    pair q = {.corners = {corners_a, corners_b}};
    if (boxes_are_apart(&q, a, b)) {
        return false;
    }
    for (int side = 0; side < 2; ++side) {
        for (int k = 0; k < q.corners[side]; ++k) {
            mo_vec3 p = mo_sub(side == 0 ? a[k] : b[k], a[0]);
            q.p[side][k] = p;
            q.size = fmax(q.size, fabs(p.x) + fabs(p.y) + fabs(p.z));
        }
        find_edges(&q, side);
    }
    if (own_axis_separates(&q, 0) || own_axis_separates(&q, 1)) {
        return false;
    }
    bool thin = is_thin(&q, 0) || is_thin(&q, 1);
    return !cross_axis_separates(&q, thin) &&
           !(thin && (corner_axis_separates(&q, 0) || corner_axis_separates(&q, 1)));
}

bool mo_simplices_test(const void *sets, int32_t a, int32_t b)
{
    const mo_simplices_pair *s = sets;
    mo_vec3 p[2][4];
    for (int i = 0; i < s->a->corners; ++i) {
        int64_t row = mo_simplex_row(s->a, a, i);
        p[0][i] = mo_vec3_load(s->a->x + 3 * row);
        for (int k = 0; k < s->b->corners && s->apart; ++k) {
            if (mo_simplex_row(s->b, b, k) == row) {
                return false;
            }
        }
    }
    for (int k = 0; k < s->b->corners; ++k) {
        p[1][k] = mo_vec3_load(s->b->x + 3 * mo_simplex_row(s->b, b, k));
    }
    return mo_simplices_intersect(p[0], s->a->corners, p[1], s->b->corners);
}

/* ---- boxes ---- */

static bool separates_box(const mo_vec3 *p, int corners, mo_vec3 half, mo_vec3 n)
{
    double low, high, size = 0;
    for (int k = 0; k < corners; ++k) {
        size = fmax(size, fabs(p[k].x) + fabs(p[k].y) + fabs(p[k].z));
    }
    double reach = fabs(n.x) * half.x + fabs(n.y) * half.y + fabs(n.z) * half.z;
    project(p, corners, n, &low, &high);
    reach += 1e-15 * (size + half.x + half.y + half.z) * (fabs(n.x) + fabs(n.y) + fabs(n.z));
    return low > reach || high < -reach;
}

bool mo_simplex_meets_box(const mo_vec3 *p, int corners, const mo_box *box)
{
    mo_vec3 low = mo_vec3_load(box->low), high = mo_vec3_load(box->high), q[4];
    mo_vec3 middle = mo_scale(0.5, mo_add(low, high)), half = mo_scale(0.5, mo_sub(high, low));
    static const mo_vec3 AXES[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < corners; ++k) {
        q[k] = mo_sub(p[k], middle);
    }
    for (int axis = 0; axis < 3; ++axis) {
        if (separates_box(q, corners, half, AXES[axis])) {
            return false;
        }
        for (int i = 0; i < corners; ++i) {
            for (int k = 0; k < i; ++k) {
                if (separates_box(q, corners, half, mo_cross(AXES[axis], mo_sub(q[i], q[k])))) {
                    return false;
                }
            }
        }
    }
    for (int i = 0; i < corners; ++i) { /* every three corners are a face */
        for (int j = 0; j < i; ++j) {
            for (int k = 0; k < j; ++k) {
                mo_vec3 n = mo_cross(mo_sub(q[j], q[i]), mo_sub(q[k], q[i]));
                if (separates_box(q, corners, half, n)) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* ---- points, rays, spheres ---- */

bool mo_tetrahedron_weights(const mo_vec3 corner[4], mo_vec3 x, double w[4])
{
    mo_vec3 a = mo_sub(corner[1], corner[0]), b = mo_sub(corner[2], corner[0]),
            c = mo_sub(corner[3], corner[0]), d = mo_sub(x, corner[0]);
    mo_vec3 bc = mo_cross(b, c);
    double six = mo_dot(a, bc);
    if (six == 0) {
        return false;
    }
    w[1] = mo_dot(d, bc) / six;
    w[2] = mo_dot(a, mo_cross(d, c)) / six;
    w[3] = mo_dot(a, mo_cross(b, d)) / six;
    w[0] = 1 - w[1] - w[2] - w[3];
    return true;
}

double mo_ray_triangle(const mo_ray *ray, const mo_vec3 corner[3], double w[3])
{
    mo_vec3 a = mo_sub(corner[1], corner[0]), b = mo_sub(corner[2], corner[0]);
    mo_vec3 p = mo_cross(ray->direction, b), t = mo_sub(ray->origin, corner[0]), q = mo_cross(t, a);
    double det = mo_dot(a, p);
    w[1] = mo_dot(t, p) / det;
    w[2] = mo_dot(ray->direction, q) / det;
    w[0] = 1 - w[1] - w[2];
    double s = mo_dot(b, q) / det;
    /* a parallel ray divides by zero, and fails all comparisons; edges belong to both triangles */
    bool hit = w[0] >= -1e-12 && w[1] >= -1e-12 && w[2] >= -1e-12 && s >= 0 && s <= ray->end;
    return hit ? s : (double)INFINITY;
}

/* The first root in [0, end] of |d + s v|^2 = square, d and v without their parts along a unit
 * vector n (0: all of them). */
static double first_contact(mo_vec3 d, mo_vec3 v, mo_vec3 n, double square)
{
    d = mo_add_scaled(d, -mo_dot(d, n), n);
    v = mo_add_scaled(v, -mo_dot(v, n), n);
    double a = mo_dot(v, v), b = mo_dot(d, v), c = mo_dot(d, d) - square;
    double root = b * b - a * c;
    return a > 0 && root >= 0 && b < 0 ? fmax(c / (sqrt(root) - b), 0) : (double)INFINITY;
}

/* The triangle widened by the radius: two faces, three cylinders, three spheres. */
double mo_sphere_cast_triangle(const mo_ray *ray, const mo_vec3 corner[3])
{
    double w[3], best = (double)INFINITY, radius = ray->radius, square = radius * radius;
    mo_vec3 zero = {0, 0, 0};
    mo_triangle_nearest_weights(corner, ray->origin, w);
    mo_vec3 near =
        mo_add_scaled(mo_add_scaled(mo_scale(w[0], corner[0]), w[1], corner[1]), w[2], corner[2]);
    mo_vec3 r = mo_sub(ray->origin, near);
    if (mo_dot(r, r) <= square) {
        return 0;
    }
    mo_vec3 n = mo_unit(mo_cross(mo_sub(corner[1], corner[0]), mo_sub(corner[2], corner[0])), zero);
    for (int side = -1; side < 2 && mo_dot(n, n) > 0; side += 2) {
        mo_vec3 shifted[3];
        for (int k = 0; k < 3; ++k) {
            shifted[k] = mo_add_scaled(corner[k], side * radius, n);
        }
        best = fmin(best, mo_ray_triangle(ray, shifted, w));
    }
    for (int k = 0; k < 3; ++k) {
        mo_vec3 d = mo_sub(ray->origin, corner[k]), e = mo_sub(corner[(k + 1) % 3], corner[k]);
        double length = mo_length(e), s = first_contact(d, ray->direction, zero, square);
        best = fmin(best, s);
        if (length > 0) {
            mo_vec3 u = mo_scale(1 / length, e);
            s = first_contact(d, ray->direction, u, square);
            double at = mo_dot(mo_add_scaled(d, s < (double)INFINITY ? s : 0, ray->direction), u);
            best = at >= 0 && at <= length ? fmin(best, s) : best;
        }
    }
    return best <= ray->end ? best : (double)INFINITY;
}
