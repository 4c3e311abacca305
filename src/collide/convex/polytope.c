/*
 * Boxes and convex hulls: the separating axis theorem over face normals and pairs of edges, all in
 * the frame of a. A pair of edges makes a face of the Minkowski difference only if their arcs on
 * the Gauss map cross, which four dot products decide; only those pairs are measured (Gregorius
 * 2013, "The separating axis test between convex polyhedra").
 */
#include "collide/convex/pairs.h"
#include "collide/convex/polygon.h"
#include "math/wide.h"

enum {
    WIDE = 4,
    VERTICES_MOST = MO_HULL_VERTICES_MOST,
    FACES_MOST = 2 * VERTICES_MOST,
    EDGES_MOST = 3 * VERTICES_MOST
};

static const double BIAS = 2e-3, BIAS_DEPTH = 0.02; /* as for two boxes */
static const double PARALLEL = 1e-6;                /* sine squared */

/* A polytope in the frame of a. */
typedef struct polytope {
    int32_t vertices, faces, edges;
    const int32_t *first;
    const mo_hull_edge *edge;
    mo_vec3 center;
    double inner;                    /* radius of a ball about the centre within it */
    double vertex[3][VERTICES_MOST]; /* padded to a multiple of WIDE */
    mo_vec3 normal[FACES_MOST];
    double offset[FACES_MOST];
} polytope;

/* ---- loading ---- */

/* Faces -x +x -y +y -z +z of a cube; the bits of a vertex's number are the signs of its
 * coordinates. */
static const int32_t CUBE_FIRST[7] = {0, 4, 8, 12, 16, 20, 24};
static const mo_hull_edge CUBE_EDGE[24] = {
    {0, 11, 1, 0}, {4, 23, 2, 0},  {6, 12, 3, 0},  {2, 16, 0, 0},  {1, 18, 5, 1},  {3, 14, 6, 1},
    {7, 21, 7, 1}, {5, 9, 4, 1},   {0, 19, 9, 2},  {1, 7, 10, 2},  {5, 20, 11, 2}, {4, 0, 8, 2},
    {2, 2, 13, 3}, {6, 22, 14, 3}, {7, 5, 15, 3},  {3, 17, 12, 3}, {0, 3, 17, 4},  {2, 15, 18, 4},
    {3, 4, 19, 4}, {1, 8, 16, 4},  {4, 10, 21, 5}, {5, 6, 22, 5},  {7, 13, 23, 5}, {6, 1, 20, 5}};

static mo_vec3 vertex_of(const polytope *p, int32_t v)
{
    return mo_vec3_make(p->vertex[0][v], p->vertex[1][v], p->vertex[2][v]);
}

static void set_vertex(polytope *p, int32_t v, mo_vec3 x)
{
    p->vertex[0][v] = x.x, p->vertex[1][v] = x.y, p->vertex[2][v] = x.z;
}

static mo_vec3 place(const mo_mat3 *R, mo_vec3 x, mo_vec3 own)
{
    return R ? mo_add(x, mo_mat3_apply(*R, own)) : own;
}

static mo_vec3 turn(const mo_mat3 *R, mo_vec3 own)
{
    return R ? mo_mat3_apply(*R, own) : own;
}

static void load_box(polytope *p, mo_vec3 h, const mo_mat3 *R, mo_vec3 x)
{
    p->vertices = 8;
    p->faces = 6;
    p->edges = 24;
    p->first = CUBE_FIRST;
    p->edge = CUBE_EDGE;
    for (int32_t v = 0; v < 8; ++v) {
        set_vertex(
            p, v,
            place(R, x, mo_vec3_make(v & 1 ? h.x : -h.x, v & 2 ? h.y : -h.y, v & 4 ? h.z : -h.z)));
    }
    for (int32_t f = 0; f < 6; ++f) {
        double side = f % 2 ? 1 : -1;
        p->normal[f] = turn(
            R, mo_vec3_make(f / 2 == 0 ? side : 0, f / 2 == 1 ? side : 0, f / 2 == 2 ? side : 0));
        p->offset[f] = mo_dot(p->normal[f], x) + mo_vec3_at(h, f / 2);
    }
}

static void load_hull(polytope *p, const mo_hull *hull, const mo_mat3 *R, mo_vec3 x)
{
    p->vertices = hull->vertices;
    p->faces = hull->faces;
    p->edges = hull->edges;
    p->first = hull->first;
    p->edge = hull->edge;
    for (int32_t v = 0; v < p->vertices; ++v) {
        set_vertex(p, v, place(R, x, hull->vertex[v]));
    }
    for (int32_t v = p->vertices; v % WIDE != 0; ++v) {
        set_vertex(p, v, vertex_of(p, p->vertices - 1));
    }
    for (int32_t f = 0; f < p->faces; ++f) {
        p->normal[f] = turn(R, hull->normal[f]);
        p->offset[f] = mo_dot(p->normal[f], x) + hull->offset[f];
    }
}

/* A point X of the shape's own frame is at x + R X; at X without R. */
static void load(polytope *p, const mo_convex *shape, const mo_mat3 *R, mo_vec3 x)
{
    p->center = x;
    p->inner = shape->inner;
    if (shape->kind == MO_CONVEX_BOX) {
        load_box(p, shape->half, R, x);
    } else {
        load_hull(p, shape->hull, R, x);
    }
}

/* ---- axes ---- */

typedef struct axis_choice {
    double separation, score;
    uint32_t axis;
    mo_vec3 normal; /* of a pair of edges, from a to b */
} axis_choice;

/* The smallest normal . x over the vertices. */
static double lowest(const polytope *p, mo_vec3 n)
{
    mo_d4 least = mo_d4_set((double)INFINITY);
    for (int32_t v = 0; v < p->vertices; v += WIDE) {
        mo_d4 along = n.x * mo_d4_load(p->vertex[0] + v) + n.y * mo_d4_load(p->vertex[1] + v) +
                      n.z * mo_d4_load(p->vertex[2] + v);
        least = mo_d4_min(along, least);
    }
    double low = least[0] < least[1] ? least[0] : least[1],
           high = least[2] < least[3] ? least[2] : least[3];
    return low < high ? low : high;
}

/* The face that is farthest from a point. */
static int32_t facing(const polytope *p, mo_vec3 x)
{
    int32_t face = 0;
    double most = -(double)INFINITY;
    for (int32_t f = 0; f < p->faces; ++f) {
        double along = mo_dot(p->normal[f], x) - p->offset[f];
        if (along > most) {
            most = along;
            face = f;
        }
    }
    return face;
}

/* Separation of the other polytope's vertices from each face; false if one is beyond the margin.
 * The ball within the other one bounds the separation of a face from above, and the face turned
 * towards it, tested first, bounds the best one from below: most faces need no pass over vertices.
 */
static bool face_axes(const polytope *p, const polytope *other, uint32_t kind, double margin,
                      uint32_t hint, double bias, axis_choice *best)
{
    int32_t front = facing(p, other->center);
    double least = lowest(other, p->normal[front]) - p->offset[front];
    if (least > margin) {
        return false;
    }
    least = fmin(least, margin) - 2 * bias;
    for (int32_t f = 0; f < p->faces; ++f) {
        if (mo_dot(p->normal[f], other->center) - p->offset[f] - 0.999 * other->inner < least) {
            continue;
        }
        double separation = lowest(other, p->normal[f]) - p->offset[f];
        if (separation > margin) {
            return false;
        }
        uint32_t axis = mo_axis_make(kind, (uint32_t)f, 0);
        double score = separation + (axis == hint             ? bias
                                     : kind == MO_AXIS_FACE_B ? -1e-3 * bias
                                                              : 0);
        if (score > best->score) {
            *best = (axis_choice){separation, score, axis, p->normal[f]};
        }
    }
    return true;
}

/* ---- edges ---- */

/* The nearest points of the pair of edges with the best axis are as far apart as it separates,
 * which is no farther than the best face does: edges that are farther from the other polytope's box
 * need no test. */
typedef struct reach_box {
    mo_vec3 low, high;
} reach_box;

static mo_vec3 least_of(mo_vec3 a, mo_vec3 b)
{
    return mo_vec3_make(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}

static mo_vec3 most_of(mo_vec3 a, mo_vec3 b)
{
    return mo_vec3_make(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}

static reach_box box_around(const polytope *p, double grow)
{
    reach_box box = {vertex_of(p, 0), vertex_of(p, 0)};
    for (int32_t v = 1; v < p->vertices; ++v) {
        box.low = least_of(box.low, vertex_of(p, v));
        box.high = most_of(box.high, vertex_of(p, v));
    }
    mo_vec3 more = {grow, grow, grow};
    return (reach_box){mo_sub(box.low, more), mo_add(box.high, more)};
}

/* A bit for each side of the box that a vertex is beyond: an edge whose ends are both beyond one
 * side does not reach the box. */
static void find_sides(const polytope *p, const reach_box *box, uint8_t side[VERTICES_MOST])
{
    for (int32_t v = 0; v < p->vertices; ++v) {
        mo_vec3 x = vertex_of(p, v);
        side[v] = (uint8_t)((x.x < box->low.x) | (x.x > box->high.x) << 1 |
                            (x.y < box->low.y) << 2 | (x.y > box->high.y) << 3 |
                            (x.z < box->low.z) << 4 | (x.z > box->high.z) << 5);
    }
}

static bool edge_reaches(const polytope *p, int32_t e, const uint8_t side[VERTICES_MOST])
{
    return (side[p->edge[e].origin] & side[p->edge[p->edge[e].next].origin]) == 0;
}

/* Edges as columns, four at a time: direction, and normals of both faces. */
typedef struct edge_columns {
    int32_t count;
    int32_t half[EDGES_MOST];
    double e[3][EDGES_MOST], c[3][EDGES_MOST], d[3][EDGES_MOST];
} edge_columns;

static void load_edges(edge_columns *columns, const polytope *p, const reach_box *box)
{
    uint8_t side[VERTICES_MOST];
    find_sides(p, box, side);
    columns->count = 0;
    for (int32_t k = 0; k < p->edges; ++k) {
        const mo_hull_edge *edge = &p->edge[k];
        if (k > edge->twin || !edge_reaches(p, k, side)) {
            continue;
        }
        int32_t at = columns->count++;
        double e[3], c[3], d[3];
        mo_vec3_store(e,
                      mo_sub(vertex_of(p, p->edge[edge->next].origin), vertex_of(p, edge->origin)));
        mo_vec3_store(c, p->normal[edge->face]);
        mo_vec3_store(d, p->normal[p->edge[edge->twin].face]);
        columns->half[at] = k;
        for (int i = 0; i < 3; ++i) {
            columns->e[i][at] = e[i];
            columns->c[i][at] = c[i];
            columns->d[i][at] = d[i];
        }
    }
    for (int32_t at = columns->count; at % WIDE != 0; ++at) { /* no arc: never crosses */
        columns->half[at] = 0;
        for (int i = 0; i < 3; ++i) {
            columns->e[i][at] = columns->c[i][at] = columns->d[i][at] = 0;
        }
    }
}

MO_INLINE mo_d4 dots(double (*column)[EDGES_MOST], int32_t at, mo_vec3 v)
{
    return v.x * mo_d4_load(column[0] + at) + v.y * mo_d4_load(column[1] + at) +
           v.z * mo_d4_load(column[2] + at);
}

/* The axis of one pair of edges; false if it separates by more than the margin. */
static bool edge_axis(const polytope *a, const polytope *b, int32_t i, int32_t j, double margin,
                      uint32_t hint, double bias, axis_choice *best)
{
    mo_vec3 p = vertex_of(a, a->edge[i].origin), q = vertex_of(b, b->edge[j].origin);
    mo_vec3 d = mo_sub(vertex_of(a, a->edge[a->edge[i].next].origin), p);
    mo_vec3 e = mo_sub(vertex_of(b, b->edge[b->edge[j].next].origin), q);
    mo_vec3 n = mo_cross(d, e);
    double square = mo_dot(n, n);
    if (square < PARALLEL * mo_dot(d, d) * mo_dot(e, e)) {
        return true;
    }
    n = mo_scale(1 / sqrt(square), n);
    n = mo_dot(n, mo_add(a->normal[a->edge[i].face], a->normal[a->edge[a->edge[i].twin].face])) < 0
            ? mo_scale(-1, n)
            : n;
    double separation = mo_dot(n, mo_sub(q, p));
    uint32_t axis = mo_axis_make(MO_AXIS_EDGES, (uint32_t)i, (uint32_t)j);
    double score = separation + (axis == hint ? bias : -bias);
    if (score > best->score) {
        *best = (axis_choice){separation, score, axis, n};
    }
    return separation <= margin;
}

/* Arcs from a's normals u, v and b's -c, -d cross on the Gauss map if both ends of each are on
 * different sides of the other, and within the same hemisphere. */
static bool edge_axes(const polytope *a, const polytope *b, double reach, double margin,
                      uint32_t hint, double bias, axis_choice *best)
{
    edge_columns columns;
    reach_box around_a = box_around(a, reach), around_b = box_around(b, reach);
    uint8_t side[VERTICES_MOST];
    load_edges(&columns, b, &around_a);
    find_sides(a, &around_b, side);
    for (int32_t i = 0; i < a->edges; ++i) {
        const mo_hull_edge *edge = &a->edge[i];
        if (i > edge->twin || !edge_reaches(a, i, side)) {
            continue;
        }
        mo_vec3 u = a->normal[edge->face], v = a->normal[a->edge[edge->twin].face];
        mo_vec3 d = mo_sub(vertex_of(a, a->edge[edge->next].origin), vertex_of(a, edge->origin));
        for (int32_t at = 0; at < columns.count; at += WIDE) {
            mo_d4 cba = dots(columns.c, at, d), dba = dots(columns.d, at, d),
                  adc = -dots(columns.e, at, u), bdc = -dots(columns.e, at, v);
            mo_l4 cross = (cba * dba < 0) & (adc * bdc < 0) & (cba * bdc > 0);
            if (!(cross[0] | cross[1] | cross[2] | cross[3])) {
                continue;
            }
            for (int k = 0; k < WIDE; ++k) {
                if (cross[k] &&
                    !edge_axis(a, b, i, columns.half[at + k], margin, hint, bias, best)) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* ---- contact ---- */

static void face_polygon(const polytope *p, int32_t face, mo_polygon *polygon)
{
    int32_t first = p->first[face];
    polygon->count = p->first[face + 1] - first;
    polygon->first = (uint16_t)first;
    polygon->face = (uint32_t)face;
    polygon->normal = p->normal[face];
    for (int k = 0; k < polygon->count; ++k) {
        polygon->x[k] = vertex_of(p, p->edge[first + k].origin);
    }
}

/* Of the faces at the vertex farthest against a direction, the one most opposed to it: the
 * deepest point belongs to the contact. */
static int32_t incident_face(const polytope *p, mo_vec3 n)
{
    int32_t face = 0, deepest = 0;
    double least = (double)INFINITY;
    for (int32_t v = 0; v < p->vertices; ++v) {
        double along = mo_dot(vertex_of(p, v), n);
        if (along < least) {
            least = along;
            deepest = v;
        }
    }
    least = 2;
    for (int32_t e = 0; e < p->edges; ++e) {
        double along = mo_dot(p->normal[p->edge[e].face], n);
        if (p->edge[e].origin == deepest && along < least - 1e-9) {
            least = along;
            face = p->edge[e].face;
        }
    }
    return face;
}

static int face_contact(const polytope *a, const polytope *b, const axis_choice *best,
                        double margin, double tolerance, mo_manifold *m)
{
    bool of_a = best->axis >> 30 == MO_AXIS_FACE_A;
    const polytope *ref = of_a ? a : b, *inc = of_a ? b : a;
    mo_polygon reference, incident;
    face_polygon(ref, (int32_t)(best->axis >> 15 & 0x7fff), &reference);
    face_polygon(inc, incident_face(inc, reference.normal), &incident);
    return mo_polygon_contact(&reference, &incident, of_a, margin, tolerance, m);
}

/* The nearest points of two edges; `within`: only if neither is at an end. */
static int edge_contact(const polytope *a, const polytope *b, const axis_choice *best, bool within,
                        mo_manifold *m)
{
    int32_t i = (int32_t)(best->axis >> 15 & 0x7fff), j = (int32_t)(best->axis & 0x7fff);
    mo_vec3 p = vertex_of(a, a->edge[i].origin), q = vertex_of(b, b->edge[j].origin);
    mo_vec3 d = mo_scale(0.5, mo_sub(vertex_of(a, a->edge[a->edge[i].next].origin), p));
    mo_vec3 e = mo_scale(0.5, mo_sub(vertex_of(b, b->edge[b->edge[j].next].origin), q));
    double s, t;
    mo_segments_nearest(mo_add(p, d), d, mo_add(q, e), e, &s, &t);
    if (within && fmax(fabs(s), fabs(t)) >= 1) {
        return m->count = 0;
    }
    return mo_manifold_single(m, mo_scale(-1, best->normal), mo_add_scaled(q, 1 + t, e),
                              best->separation, best->axis);
}

/* From the frame of a to the world. */
static void to_world(const mo_posed *a, mo_manifold *m)
{
    m->normal = mo_mat3_apply(a->R, m->normal);
    for (int k = 0; k < m->count; ++k) {
        for (int side = 0; side < 2; ++side) {
            mo_vec3 *x = &m->point[k].point[side];
            *x = mo_add(a->p, mo_mat3_apply(a->R, *x));
        }
    }
}

/* The face of the last step again: as long as it contains the deepest point and the overlap is
 * shallow, no other axis is better by more than that overlap. 0: all axes have to be tested. */
static const double SHALLOW = 0.02; /* of the smaller inner radius */

static int same_face(const polytope *a, const polytope *b, uint32_t hint, double margin,
                     double inner, mo_manifold *m)
{
    uint32_t kind = hint >> 30, face = hint >> 15 & 0x7fff;
    const polytope *ref = kind == MO_AXIS_FACE_A ? a : b, *inc = kind == MO_AXIS_FACE_A ? b : a;
    if ((kind != MO_AXIS_FACE_A && kind != MO_AXIS_FACE_B) || face >= (uint32_t)ref->faces) {
        return 0;
    }
    axis_choice best = {.axis = hint};
    best.separation = lowest(inc, ref->normal[face]) - ref->offset[face];
    if (best.separation > margin || best.separation < -SHALLOW * inner) {
        return 0;
    }
    int count = face_contact(a, b, &best, margin, BIAS * inner, m);
    return count > 0 && mo_manifold_gap(m) <= best.separation + BIAS * inner ? count : 0;
}

static bool arcs_cross(const polytope *a, const polytope *b, int32_t i, int32_t j)
{
    const mo_hull_edge *p = &a->edge[i], *q = &b->edge[j];
    mo_vec3 d = mo_sub(vertex_of(a, a->edge[p->next].origin), vertex_of(a, p->origin)),
            e = mo_sub(vertex_of(b, b->edge[q->next].origin), vertex_of(b, q->origin));
    double cba = mo_dot(b->normal[q->face], d), dba = mo_dot(b->normal[b->edge[q->twin].face], d),
           adc = -mo_dot(a->normal[p->face], e), bdc = -mo_dot(a->normal[a->edge[p->twin].face], e);
    return cba * dba < 0 && adc * bdc < 0 && cba * bdc > 0;
}

/* The axis of the edges of the last step, by the same reasoning: as far as their nearest points are
 * within both, they are as far apart as the polytopes, and no other pair has to be tested. */
static bool same_edges(const polytope *a, const polytope *b, uint32_t hint, double margin,
                       double bias, double inner, axis_choice *best)
{
    int32_t i = (int32_t)(hint >> 15 & 0x7fff), j = (int32_t)(hint & 0x7fff);
    mo_manifold m;
    return hint >> 30 == MO_AXIS_EDGES && i < a->edges && j < b->edges && arcs_cross(a, b, i, j) &&
           edge_axis(a, b, i, j, margin, hint, bias, best) && best->axis == hint &&
           best->separation >= -SHALLOW * inner && edge_contact(a, b, best, true, &m) > 0;
}

int mo_polytope_polytope(const mo_posed *a, const mo_posed *b, double margin, uint32_t hint,
                         mo_manifold *m)
{
    polytope p, q;
    mo_mat3 R = mo_mat3_product(mo_mat3_transpose(a->R), b->R);
    axis_choice best = {-(double)INFINITY, -(double)INFINITY, 0, {0, 0, 0}};
    double tolerance = BIAS * fmin(a->shape->inner, b->shape->inner), bias = tolerance;
    load(&p, a->shape, NULL, mo_vec3_make(0, 0, 0));
    load(&q, b->shape, &R, mo_mat3_apply_transposed(a->R, mo_sub(b->p, a->p)));
    if (same_face(&p, &q, hint, margin, tolerance / BIAS, m) > 0) {
        m->hint.axis = hint;
        to_world(a, m);
        return m->count;
    }
    if (!face_axes(&p, &q, MO_AXIS_FACE_A, margin, hint, bias, &best) ||
        !face_axes(&q, &p, MO_AXIS_FACE_B, margin, hint, bias, &best)) {
        return 0;
    }
    bias += BIAS_DEPTH * fabs(best.separation);
    axis_choice none = {-(double)INFINITY, -(double)INFINITY, 0, {0, 0, 0}}, face = best,
                edges = none;
    double reach = fmax(margin, fabs(face.separation)) + bias;
    if (!same_edges(&p, &q, hint, margin, bias, tolerance / BIAS, &edges)) {
        edges = none;
        if (!edge_axes(&p, &q, reach, margin, hint, bias, &edges)) {
            return 0;
        }
    }
    best = edges.score > face.score ? edges : face;
    int count = best.axis >> 30 == MO_AXIS_EDGES
                    ? edge_contact(&p, &q, &best, best.separation > 0, m)
                    : face_contact(&p, &q, &best, margin, tolerance, m);
    /* a face that was only preferred must not lose the deepest point */
    if (best.axis == face.axis && edges.separation > face.separation &&
        mo_manifold_gap(m) > face.separation + bias) {
        best = edges;
        count = edge_contact(&p, &q, &best, best.separation > 0, m);
    }
    m->hint.axis = best.axis;
    to_world(a, m);
    return count > 0 ? count : MO_CONVEX_BESIDE;
}
