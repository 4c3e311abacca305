#include "collide/convex/polygon.h"

#include "collide/convex/pairs.h"

/* Features count as facing a direction within this cosine (about 6 degrees). */
static const double TURNED = 0.995;

/* Discs are polygons with a corner at their lowest point; below this slope it has none that
 * rounding would not move. */
static const double LEVEL = 1e-3;
enum { DISC = 12 };

/* ---- the support features of shapes ---- */

static void box_polygon(const mo_posed *box, mo_vec3 direction, mo_polygon *p)
{
    double d[3], half[3], most = -1;
    int k = 0;
    mo_vec3_store(d, mo_mat3_apply_transposed(box->R, direction));
    mo_vec3_store(half, box->shape->half);
    for (int i = 0; i < 3; ++i) {
        if (fabs(d[i]) > most + 1e-9) {
            most = fabs(d[i]);
            k = i;
        }
    }
    int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
    double side = d[k] < 0 ? -1 : 1;
    mo_vec3 u = mo_scale(half[k1], mo_posed_axis(box, k1)),
            v = mo_scale(side * half[k2], mo_posed_axis(box, k2));
    p->normal = mo_scale(side, mo_posed_axis(box, k));
    mo_vec3 middle = mo_add_scaled(box->p, half[k], p->normal);
    p->face = (uint32_t)(2 * k + (side > 0));
    p->first = (uint16_t)(4 * p->face);
    p->count = 4;
    for (int c = 0; c < 4; ++c) {
        mo_vec3 x = mo_add_scaled(middle, c == 0 || c == 3 ? 1 : -1, u);
        p->x[c] = mo_add_scaled(x, c < 2 ? 1 : -1, v);
    }
}

static void hull_polygon(const mo_posed *posed, mo_vec3 direction, mo_polygon *p)
{
    const mo_hull *hull = posed->shape->hull;
    mo_vec3 d = mo_mat3_apply_transposed(posed->R, direction);
    int32_t face = 0, farthest = 0;
    double most = -(double)INFINITY;
    for (int32_t v = 0; v < hull->vertices; ++v) {
        double along = mo_dot(hull->vertex[v], d);
        if (along > most) {
            most = along;
            farthest = v;
        }
    }
    most = -2;
    /* the face with the largest component along it */
    for (int32_t e = 0; e < hull->edges; ++e) {
        double along = mo_dot(hull->normal[hull->edge[e].face], d);
        if (hull->edge[e].origin == farthest && along > most + 1e-9) {
            most = along;
            face = hull->edge[e].face;
        }
    }
    int32_t first = hull->first[face];
    p->face = (uint32_t)face;
    p->first = (uint16_t)first;
    p->count = hull->first[face + 1] - first;
    p->normal = mo_mat3_apply(posed->R, hull->normal[face]);
    for (int c = 0; c < p->count; ++c) {
        mo_vec3 x = hull->vertex[hull->edge[first + c].origin];
        p->x[c] = mo_add(posed->p, mo_mat3_apply(posed->R, x));
    }
}

static void disc_polygon(const mo_posed *posed, bool top, mo_vec3 d, mo_polygon *p)
{
    static const double COS[DISC] = {1,  0.86602540378443865,  0.5,  0, -0.5, -0.86602540378443865,
                                     -1, -0.86602540378443865, -0.5, 0, 0.5,  0.86602540378443865};
    const mo_convex *c = posed->shape;
    double across = sqrt(d.x * d.x + d.y * d.y), r = c->radius[top], side = top ? 1 : -1;
    mo_vec3 u = across > LEVEL ? mo_vec3_make(d.x / across, d.y / across, 0) : (mo_vec3){1, 0, 0};
    mo_vec3 v = mo_vec3_make(-side * u.y, side * u.x, 0);
    p->count = DISC;
    p->face = top;
    p->first = (uint16_t)(top * DISC);
    p->normal = mo_scale(side, mo_posed_axis(posed, 2));
    for (int k = 0; k < DISC; ++k) {
        mo_vec3 x = mo_add_scaled(mo_vec3_make(0, 0, side * c->half.z), r * COS[k], u);
        x = mo_add_scaled(x, r * COS[(k + 9) % DISC], v);
        p->x[k] = mo_add(posed->p, mo_mat3_apply(posed->R, x));
    }
}

/* An end face, a line of the mantle, or a point. */
static void frustum_polygon(const mo_posed *posed, mo_vec3 direction, mo_polygon *p)
{
    const mo_convex *c = posed->shape;
    mo_vec3 d = mo_mat3_apply_transposed(posed->R, direction);
    bool top = d.z > 0;
    if (fabs(d.z) > TURNED && c->radius[top] > 1e-6 * c->reach) {
        disc_polygon(posed, top, d, p);
        return;
    }
    double across = sqrt(d.x * d.x + d.y * d.y), rise = c->radius[0] - c->radius[1];
    double length = sqrt(rise * rise + 4 * c->half.z * c->half.z);
    if ((2 * c->half.z * across + rise * d.z) / length > TURNED) {
        mo_vec3 u = mo_vec3_make(d.x / across, d.y / across, 0);
        for (int k = 0; k < 2; ++k) {
            mo_vec3 x =
                mo_add_scaled(mo_vec3_make(0, 0, k ? c->half.z : -c->half.z), c->radius[k], u);
            p->x[k] = mo_add(posed->p, mo_mat3_apply(posed->R, x));
        }
        p->count = 2;
        return;
    }
    p->x[0] = mo_convex_support(posed, direction);
    p->count = 1;
}

static void capsule_polygon(const mo_posed *posed, mo_vec3 direction, mo_polygon *p)
{
    mo_vec3 z = mo_posed_axis(posed, 2);
    double slope = mo_dot(z, direction), half = posed->shape->half.z;
    mo_vec3 skin = mo_add_scaled(posed->p, posed->shape->radius[0], direction);
    if (slope * slope > 1 - TURNED * TURNED) {
        p->x[0] = mo_add_scaled(skin, slope < 0 ? -half : half, z);
        p->count = 1;
        return;
    }
    p->x[0] = mo_add_scaled(skin, -half, z);
    p->x[1] = mo_add_scaled(skin, half, z);
    p->count = 2;
}

/* The side facing the direction. */
static void triangle_polygon(const mo_posed *posed, mo_vec3 direction, mo_polygon *p)
{
    const mo_vec3 *c = posed->shape->corner;
    mo_vec3 n = mo_unit(mo_cross(mo_sub(c[1], c[0]), mo_sub(c[2], c[0])), mo_vec3_make(0, 0, 1));
    n = mo_mat3_apply(posed->R, n);
    bool back = mo_dot(n, direction) < 0;
    p->count = 3;
    p->face = back;
    p->normal = back ? mo_scale(-1, n) : n;
    for (int k = 0; k < 3; ++k) {
        p->x[k] = mo_add(posed->p, mo_mat3_apply(posed->R, c[back ? (3 - k) % 3 : k]));
    }
}

void mo_support_polygon(const mo_posed *posed, mo_vec3 direction, mo_polygon *p)
{
    p->first = 0;
    p->face = 0;
    switch (posed->shape->kind) {
    case MO_CONVEX_BOX:
        box_polygon(posed, direction, p);
        break;
    case MO_CONVEX_HULL:
        hull_polygon(posed, direction, p);
        break;
    case MO_CONVEX_FRUSTUM:
        frustum_polygon(posed, direction, p);
        break;
    case MO_CONVEX_CAPSULE:
        capsule_polygon(posed, direction, p);
        break;
    case MO_CONVEX_TRIANGLE:
        triangle_polygon(posed, direction, p);
        break;
    default:
        p->x[0] = mo_convex_support(posed, direction);
        p->count = 1;
    }
}

/* ---- clipping ---- */

/* The plane of the reference face: origin in its first corner, u along its first edge. */
typedef struct frame {
    mo_vec3 origin, u, v, n;
} frame;

static frame frame_of(const mo_polygon *reference)
{
    mo_vec3 n = reference->normal, u = mo_sub(reference->x[1], reference->x[0]);
    u = mo_unit(mo_add_scaled(u, -mo_dot(u, n), n), mo_perpendicular(n));
    return (frame){reference->x[0], u, mo_cross(n, u), n};
}

static mo_corner corner_of(const frame *f, mo_vec3 x, uint16_t before, uint16_t after)
{
    mo_vec3 r = mo_sub(x, f->origin);
    return (mo_corner){mo_dot(r, f->u), mo_dot(r, f->v), mo_dot(r, f->n), before, after};
}

/* The part of a segment within a half plane, as mo_clip. */
static int clip_segment(mo_corner *s, double nx, double ny, double offset, uint16_t side)
{
    double d = nx * s[0].x + ny * s[0].y - offset, e = nx * s[1].x + ny * s[1].y - offset;
    if (d > 0 && e > 0) {
        return 0;
    }
    if (d > 0 || e > 0) {
        double t = d / (d - e);
        mo_corner cut = {s[0].x + t * (s[1].x - s[0].x), s[0].y + t * (s[1].y - s[0].y),
                         s[0].z + t * (s[1].z - s[0].z), side, 0};
        s[d > 0 ? 0 : 1] = cut;
    }
    return 2;
}

/* Corners of the incident feature within the sides of the reference face. */
static int clip_all(const frame *f, const mo_polygon *reference, const mo_polygon *incident,
                    mo_corner *one, mo_corner *two, mo_corner **result)
{
    int count = incident->count, sides = reference->count;
    for (int k = 0; k < count; ++k) {
        int before = count == 2 ? k : (k + count - 1) % count; /* a segment: its end */
        one[k] = corner_of(f, incident->x[k], (uint16_t)(incident->first + before),
                           (uint16_t)(incident->first + k));
    }
    mo_corner p = corner_of(f, reference->x[0], 0, 0);
    for (int k = 0; k < sides && count > 0; ++k) {
        mo_corner q = corner_of(f, reference->x[(k + 1) % sides], 0, 0);
        double nx = q.y - p.y, ny = p.x - q.x, offset = nx * p.x + ny * p.y;
        uint16_t side = (uint16_t)(MO_CLIP_SIDE + reference->first + k);
        if (incident->count == 2) {
            count = clip_segment(one, nx, ny, offset, side);
        } else if (incident->count == 1) {
            count = nx * one[0].x + ny * one[0].y <= offset;
        } else {
            count = mo_clip(one, count, nx, ny, offset, side, two);
            mo_corner *swap = one;
            one = two;
            two = swap;
        }
        p = q;
    }
    *result = one;
    return count;
}

int mo_polygon_contact(const mo_polygon *reference, const mo_polygon *incident, bool of_a,
                       double margin, double tolerance, mo_manifold *m)
{
    mo_corner one[MO_POLYGON_MOST], two[MO_POLYGON_MOST], *corner;
    frame f = frame_of(reference);
    int count = clip_all(&f, reference, incident, one, two, &corner), kept = 0;
    for (int c = 0; c < count; ++c) {
        if (corner[c].z <= margin) {
            corner[kept++] = corner[c];
        }
    }
    kept = mo_clip_reduce(corner, kept, tolerance);
    m->normal = of_a ? mo_scale(-1, f.n) : f.n;
    for (int c = 0; c < kept; ++c) {
        mo_vec3 foot = mo_add_scaled(mo_add_scaled(f.origin, corner[c].x, f.u), corner[c].y, f.v);
        mo_vec3 tip = mo_add_scaled(foot, corner[c].z, f.n);
        m->point[c] = (mo_manifold_point){
            {of_a ? foot : tip, of_a ? tip : foot},
            corner[c].z,
            mo_clip_key(&corner[c], of_a ? MO_AXIS_FACE_A : MO_AXIS_FACE_B, reference->face)};
    }
    return m->count = kept;
}
