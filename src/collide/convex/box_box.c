/*
 * Two boxes: the 15 axes of the separating axis theorem (Gottschalk, Lin, Manocha 1996) in the
 * frame of a, then one edge pair, or the incident face clipped at the rectangle of the reference
 * face.
 *
 * Axes of nearly equal depth must not alternate from step to step: faces are preferred to edges,
 * and the axis of the last step to others, by a small part of the smallest extent.
 */
#include "collide/convex/pairs.h"

/* Bias in favour of the current axis, relative to the smallest half extent and to the depth. */
static const double BIAS = 2e-3, BIAS_DEPTH = 0.02;

/* Edges closer to parallel than this give no axis; the adjacent faces do. */
static const double PARALLEL = 1e-6;

typedef struct boxes {
    const mo_posed *a, *b;
    double C[3][3];   /* b's axes in the frame of a */
    double abs[3][3]; /* absolute values */
    double ha[3], hb[3];
    double wa[3], wb[3]; /* from b to a, in both frames */
} boxes;

static void boxes_load(boxes *s, const mo_posed *a, const mo_posed *b)
{
    mo_vec3 w = mo_sub(a->p, b->p);
    s->a = a;
    s->b = b;
    mo_vec3_store(s->ha, a->shape->half);
    mo_vec3_store(s->hb, b->shape->half);
    mo_vec3_store(s->wa, mo_mat3_apply_transposed(a->R, w));
    mo_vec3_store(s->wb, mo_mat3_apply_transposed(b->R, w));
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            s->C[i][j] = a->R.m[i] * b->R.m[j] + a->R.m[3 + i] * b->R.m[3 + j] +
                         a->R.m[6 + i] * b->R.m[6 + j];
            s->abs[i][j] = fabs(s->C[i][j]);
        }
    }
}

typedef struct best_axis {
    double separation; /* along the chosen axis */
    double score;      /* with the preference of the last one */
    uint32_t axis;
} best_axis;

static void offer(best_axis *best, double separation, double bonus, uint32_t axis)
{
    if (separation + bonus > best->score) {
        *best = (best_axis){separation, separation + bonus, axis};
    }
}

/* false: separated by more than the margin */
static bool face_axes(const boxes *s, double margin, uint32_t hint, double bias, best_axis *best)
{
    for (int i = 0; i < 3; ++i) {
        double on_a = fabs(s->wa[i]) - s->ha[i] - s->abs[i][0] * s->hb[0] -
                      s->abs[i][1] * s->hb[1] - s->abs[i][2] * s->hb[2];
        double on_b = fabs(s->wb[i]) - s->hb[i] - s->abs[0][i] * s->ha[0] -
                      s->abs[1][i] * s->ha[1] - s->abs[2][i] * s->ha[2];
        if (on_a > margin || on_b > margin) {
            return false;
        }
        uint32_t of_a = mo_axis_make(MO_AXIS_FACE_A, (uint32_t)i, 0),
                 of_b = mo_axis_make(MO_AXIS_FACE_B, (uint32_t)i, 0);
        offer(best, on_a, of_a == hint ? bias : 0, of_a);
        offer(best, on_b, of_b == hint ? bias : -1e-3 * bias, of_b);
    }
    return true;
}

static bool edge_axes(const boxes *s, double margin, uint32_t hint, double bias, best_axis *best)
{
    for (int i = 0; i < 3; ++i) {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            double square = s->C[i1][j] * s->C[i1][j] + s->C[i2][j] * s->C[i2][j];
            if (square < PARALLEL) {
                continue;
            }
            double along = fabs(s->wa[i2] * s->C[i1][j] - s->wa[i1] * s->C[i2][j]);
            double separation = (along - s->ha[i1] * s->abs[i2][j] - s->ha[i2] * s->abs[i1][j] -
                                 s->hb[j1] * s->abs[i][j2] - s->hb[j2] * s->abs[i][j1]) /
                                sqrt(square);
            if (separation > margin) {
                return false;
            }
            uint32_t axis = mo_axis_make(MO_AXIS_EDGES, (uint32_t)i, (uint32_t)j);
            offer(best, separation, axis == hint ? bias : -bias, axis);
        }
    }
    return true;
}

/* ---- a pair of edges ---- */

/* The middle of the edge of a box along axis k that is farthest along `direction`; bits of its
 * signs. */
static mo_vec3 extreme_edge(const mo_posed *box, int k, mo_vec3 direction, uint32_t *signs)
{
    mo_vec3 x = box->p;
    *signs = 0;
    for (int i = 0; i < 3; ++i) {
        if (i != k) {
            mo_vec3 axis = mo_posed_axis(box, i);
            bool plus = mo_dot(axis, direction) > 0;
            double half = mo_vec3_at(box->shape->half, i);
            x = mo_add_scaled(x, plus ? half : -half, axis);
            *signs |= (uint32_t)plus << i;
        }
    }
    return x;
}

static int edge_contact(const boxes *s, const best_axis *best, mo_manifold *m)
{
    int i = (int)(best->axis >> 15 & 0x7fff), j = (int)(best->axis & 0x7fff);
    mo_vec3 x = mo_posed_axis(s->a, i), y = mo_posed_axis(s->b, j);
    mo_vec3 n = mo_unit(mo_cross(x, y), x);
    n = mo_dot(n, mo_sub(s->a->p, s->b->p)) < 0 ? mo_scale(-1, n) : n;
    uint32_t signs_a, signs_b;
    mo_vec3 p = extreme_edge(s->a, i, mo_scale(-1, n), &signs_a);
    mo_vec3 q = extreme_edge(s->b, j, n, &signs_b);
    mo_vec3 d = mo_scale(s->ha[i], x), e = mo_scale(s->hb[j], y);
    double u, v;
    mo_segments_nearest(p, d, q, e, &u, &v);
    if (best->separation > 0 && fmax(fabs(u), fabs(v)) >= 1) {
        return m->count = 0; /* apart, and nearest at an end */
    }
    return mo_manifold_single(m, n, mo_add_scaled(q, v, e), best->separation,
                              best->axis | signs_a << 6 | signs_b << 3);
}

/* ---- faces ---- */

/* Corners of the incident face in the frame of the reference face; see mo_corner. */
static void incident_face(const mo_posed *ref, const mo_posed *inc, int k, double side,
                          mo_corner corner[4])
{
    double M[3][3], x[3], half[3], most = -1;
    int face = 0, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
    mo_vec3_store(x, mo_mat3_apply_transposed(ref->R, mo_sub(inc->p, ref->p)));
    mo_vec3_store(half, inc->shape->half);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            M[i][j] = ref->R.m[i] * inc->R.m[j] + ref->R.m[3 + i] * inc->R.m[3 + j] +
                      ref->R.m[6 + i] * inc->R.m[6 + j];
        }
    }
    for (int j = 0; j < 3; ++j) {
        if (fabs(M[k][j]) > most + 1e-9) {
            most = fabs(M[k][j]);
            face = j;
        }
    }
    double facing = side * M[k][face] > 0 ? -half[face] : half[face], base[3], u[3], v[3];
    int j1 = (face + 1) % 3, j2 = (face + 2) % 3;
    for (int i = 0; i < 3; ++i) {
        base[i] = x[i] + facing * M[i][face];
        u[i] = half[j1] * M[i][j1];
        v[i] = half[j2] * M[i][j2];
    }
    base[k] = side * base[k] - mo_vec3_at(ref->shape->half, k);
    u[k] *= side;
    v[k] *= side;
    for (int c = 0; c < 4; ++c) {
        double s = c == 0 || c == 3 ? 1 : -1, t = c < 2 ? 1 : -1;
        int first = 4 * (2 * face + (facing > 0));
        corner[c] = (mo_corner){base[k1] + s * u[k1] + t * v[k1], base[k2] + s * u[k2] + t * v[k2],
                                base[k] + s * u[k] + t * v[k], (uint16_t)(first + (c + 3) % 4),
                                (uint16_t)(first + c)};
    }
}

static int face_contact(const boxes *s, const best_axis *best, double margin, mo_manifold *m)
{
    bool of_a = best->axis >> 30 == MO_AXIS_FACE_A;
    const mo_posed *ref = of_a ? s->a : s->b, *inc = of_a ? s->b : s->a;
    int k = (int)(best->axis >> 15 & 0x7fff), k1 = (k + 1) % 3, k2 = (k + 2) % 3;
    double toward = of_a ? -s->wa[k] : s->wb[k], side = toward < 0 ? -1 : 1;
    double half[3], height = mo_vec3_at(ref->shape->half, k);
    mo_vec3_store(half, ref->shape->half);
    mo_corner one[12], two[12];
    incident_face(ref, inc, k, side, one);
    int count = mo_clip(one, 4, 1, 0, half[k1], MO_CLIP_SIDE, two);
    count = mo_clip(two, count, -1, 0, half[k1], MO_CLIP_SIDE + 1, one);
    count = mo_clip(one, count, 0, 1, half[k2], MO_CLIP_SIDE + 2, two);
    count = mo_clip(two, count, 0, -1, half[k2], MO_CLIP_SIDE + 3, one);
    int kept = 0;
    for (int c = 0; c < count; ++c) {
        if (one[c].z <= margin) {
            one[kept++] = one[c];
        }
    }
    kept = mo_clip_reduce(one, kept, BIAS * fmin(half[k1], half[k2]));
    mo_vec3 axis = mo_posed_axis(ref, k), out = mo_scale(side, axis);
    mo_vec3 face = mo_add_scaled(ref->p, height, out), u = mo_posed_axis(ref, k1),
            v = mo_posed_axis(ref, k2);
    m->normal = of_a ? mo_scale(-1, out) : out;
    for (int c = 0; c < kept; ++c) {
        mo_vec3 foot = mo_add_scaled(mo_add_scaled(face, one[c].x, u), one[c].y, v);
        mo_vec3 tip = mo_add_scaled(foot, one[c].z, out);
        m->point[c] =
            (mo_manifold_point){{of_a ? foot : tip, of_a ? tip : foot},
                                one[c].z,
                                mo_clip_key(&one[c], of_a ? MO_AXIS_FACE_A : MO_AXIS_FACE_B,
                                            (uint32_t)(2 * k + (side > 0)))};
    }
    return m->count = kept;
}

int mo_box_box(const mo_posed *a, const mo_posed *b, double margin, uint32_t hint, mo_manifold *m)
{
    boxes s;
    best_axis best = {-(double)INFINITY, -(double)INFINITY, 0};
    double smallest = fmin(a->shape->inner, b->shape->inner), bias = BIAS * smallest;
    boxes_load(&s, a, b);
    if (!face_axes(&s, margin, hint, bias, &best)) {
        return 0;
    }
    bias += BIAS_DEPTH * fabs(best.separation);
    best_axis face = best, edges = {-(double)INFINITY, -(double)INFINITY, 0};
    if (!edge_axes(&s, margin, hint, bias, &edges)) {
        return 0;
    }
    best = edges.score > face.score ? edges : face;
    int count = best.axis >> 30 == MO_AXIS_EDGES ? edge_contact(&s, &best, m)
                                                 : face_contact(&s, &best, margin, m);
    /* a face that was only preferred must not lose the deepest point */
    if (best.axis == face.axis && edges.separation > face.separation &&
        mo_manifold_gap(m) > face.separation + bias) {
        best = edges;
        count = edge_contact(&s, &best, m);
    }
    m->hint.axis = best.axis;
    return count > 0 ? count : MO_CONVEX_BESIDE;
}
