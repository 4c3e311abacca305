#include "geometry/trimesh/distance.h"

#include "geometry/hierarchy/order.h"
#include "geometry/trimesh/check.h"
#include "math/wide.h"

#include <string.h>

enum { STACK = 256 };

static const double FLOAT_REACH = 1e12;
static const double PI = 3.14159265358979323846;

/* ---- one triangle ---- */

/* By the regions of its corners, edges and inside (Ericson 2005, Real-Time Collision Detection,
 * 5.1.5), from the dot products of its sides with the vectors to x. */
mo_vec3 mo_triangle_nearest(const mo_tree_triangle *t, mo_vec3 x, int *kind)
{
    mo_vec3 ap = mo_sub(x, t->a);
    double d1 = mo_dot(t->ab, ap), d2 = mo_dot(t->ac, ap);
    if (d1 <= 0 && d2 <= 0) {
        *kind = MO_NEAR_VERTEX;
        return t->a;
    }
    mo_vec3 bp = mo_sub(ap, t->ab);
    double d3 = mo_dot(t->ab, bp), d4 = mo_dot(t->ac, bp);
    if (d3 >= 0 && d4 <= d3) {
        *kind = MO_NEAR_VERTEX + 1;
        return mo_add(t->a, t->ab);
    }
    double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) {
        *kind = MO_NEAR_EDGE;
        return mo_add_scaled(t->a, d1 / (d1 - d3), t->ab);
    }
    mo_vec3 cp = mo_sub(ap, t->ac);
    double d5 = mo_dot(t->ab, cp), d6 = mo_dot(t->ac, cp);
    if (d6 >= 0 && d5 <= d6) {
        *kind = MO_NEAR_VERTEX + 2;
        return mo_add(t->a, t->ac);
    }
    double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) {
        *kind = MO_NEAR_EDGE + 2;
        return mo_add_scaled(t->a, d2 / (d2 - d6), t->ac);
    }
    double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 >= d3 && d5 >= d6) {
        *kind = MO_NEAR_EDGE + 1;
        double s = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return mo_add_scaled(mo_add(t->a, t->ab), s, mo_sub(t->ac, t->ab));
    }
    *kind = MO_NEAR_FACE;
    double scale = 1 / (va + vb + vc);
    return mo_add_scaled(mo_add_scaled(t->a, vb * scale, t->ab), vc * scale, t->ac);
}

/* ---- the nearest of all ---- */

/* A query: the point, and the current pruning distance. */
typedef struct query {
    mo_vec3 x;
    mo_f8 at[3]; /* relative to the tree's centre */
    /* rounding error of a box distance in floats */
    double slack;
    float limit; /* squared */
    mo_trimesh_near best;
} query;

static void set_limit(query *q)
{
    double reach = sqrt(q->best.square) + q->slack;
    q->limit = (float)(reach * reach * (1 + 1e-6));
}

static query begin(const mo_trimesh_distance *tree, mo_vec3 x)
{
    mo_vec3 r = mo_sub(x, tree->middle);
    query q = {.x = x,
               .at = {mo_f8_set((float)r.x), mo_f8_set((float)r.y), mo_f8_set((float)r.z)},
               .slack = 1e-6 * (mo_length(r) + tree->size),
               .limit = INFINITY,
               .best = {.triangle = -1, .point = x, .square = (double)INFINITY}};
    return q;
}

static void visit_triangle(const mo_trimesh_distance *tree, int64_t triangle, query *q)
{
    int kind;
    mo_vec3 p = mo_triangle_nearest(&tree->triangle[triangle], q->x, &kind), r = mo_sub(q->x, p);
    double square = mo_dot(r, r);
    if (square < q->best.square || (square == q->best.square && triangle < q->best.triangle)) {
        q->best = (mo_trimesh_near){triangle, kind, p, square};
        set_limit(q);
    }
}

typedef struct todo {
    float square;
    int32_t node;
} todo;

/* The children of a node within the pruning distance, nearest first. */
static int sort_children(const mo_tree_node *n, const query *q, todo out[MO_TREE_WIDTH])
{
    mo_f8 zero = mo_f8_set(0), sum = zero;
    float square[MO_TREE_WIDTH];
    int count = 0;
    for (int axis = 0; axis < 3; ++axis) {
        mo_f8 below = mo_f8_load(n->low[axis]) - q->at[axis],
              above = q->at[axis] - mo_f8_load(n->high[axis]);
        mo_f8 d = mo_f8_max(mo_f8_max(below, above), zero);
        sum += d * d;
    }
    mo_f8_store(square, sum);
    /* those within the limit */
    unsigned bits = ~mo_f8_signs(mo_f8_set(q->limit) - sum) & ((1U << n->count) - 1);
    for (; bits; bits &= bits - 1) {
        int k = __builtin_ctz(bits), at = count++;
        for (; at > 0 && out[at - 1].square > square[k]; --at) {
            out[at] = out[at - 1];
        }
        out[at] = (todo){square[k], n->child[k]};
    }
    return count;
}

mo_trimesh_near mo_trimesh_nearest(const mo_trimesh_distance *tree, mo_vec3 x, int64_t hint)
{
    todo stack[STACK], child[MO_TREE_WIDTH];
    int depth = 0;
    query q = begin(tree, x);
    if (!(q.slack < FLOAT_REACH)) { /* NaN, or squares overflow in floats */
        for (int64_t t = 0; t < tree->triangles && isfinite(q.slack); ++t) {
            mo_vec3 n = tree->normal[t][MO_NEAR_FACE];
            if (mo_dot(n, n) > 0) {
                visit_triangle(tree, t, &q);
            }
        }
        return q.best;
    }
    if (hint >= 0) {
        visit_triangle(tree, hint, &q);
    }
    stack[depth++] = (todo){0, 0};
    while (depth > 0) {
        todo next = stack[--depth];
        if (next.square > q.limit) {
            continue;
        }
        int count = sort_children(&tree->node[next.node], &q, child);
        for (int k = 0; k < count; ++k) {
            if (child[k].node < 0 && child[k].square <= q.limit) {
                visit_triangle(tree, ~child[k].node, &q);
            }
        }
        for (int k = count - 1; k >= 0; --k) { /* the nearest on top */
            if (child[k].node >= 0 && depth < STACK) {
                stack[depth++] = child[k];
            }
        }
    }
    return q.best;
}

/* ---- the sign ---- */

/* Sum of the solid angles (Van Oosterom, Strackee 1983) over 4 pi. */
double mo_trimesh_winding(const mo_trimesh_distance *tree, mo_vec3 x)
{
    double sum = 0;
    for (int64_t t = 0; t < tree->triangles; ++t) {
        const mo_tree_triangle *at = &tree->triangle[t];
        mo_vec3 a = mo_sub(at->a, x), b = mo_add(a, at->ab), c = mo_add(a, at->ac);
        double la = mo_length(a), lb = mo_length(b), lc = mo_length(c);
        double above = mo_dot(a, mo_cross(b, c));
        double below = la * lb * lc + mo_dot(a, b) * lc + mo_dot(b, c) * la + mo_dot(c, a) * lb;
        sum += 2 * atan2(above, below);
    }
    return sum / (4 * PI);
}

double mo_trimesh_signed(const mo_trimesh_distance *tree, mo_vec3 x, const mo_trimesh_near *near,
                         mo_vec3 *normal)
{
    if (near->triangle < 0) { /* x is NaN */
        if (normal) {
            *normal = mo_vec3_make(0, 0, 1);
        }
        return (double)NAN;
    }
    mo_vec3 way = mo_sub(x, near->point), n = tree->normal[near->triangle][near->kind];
    double length = sqrt(near->square);
    bool inside = mo_dot(way, n) < 0;
    if (tree->doubtful[near->triangle] >> near->kind & 1) {
        inside = mo_trimesh_winding(tree, x) > 0.5;
    }
    double sign = inside ? -1 : 1;
    if (normal) { /* on the surface the difference vector is rounding error */
        double size = fabs(x.x) + fabs(x.y) + fabs(x.z);
        *normal = length > 1e-14 * size && length > 0 ? mo_scale(sign / length, way) : n;
    }
    return sign * length;
}

void mo_trimesh_distances(const mo_trimesh_distance *tree, int64_t count, const double *points,
                          double *distance, double *normal)
{
    int64_t hint = -1;
    for (int64_t k = 0; k < count; ++k) {
        mo_vec3 x = mo_vec3_load(points + 3 * k), n;
        mo_trimesh_near near = mo_trimesh_nearest(tree, x, hint);
        distance[k] = mo_trimesh_signed(tree, x, &near, &n);
        if (normal) {
            mo_vec3_store(normal + 3 * k, n);
        }
        hint = near.triangle;
    }
}

/* ---- building: triangles and their normals ---- */

static mo_vec3 face_normal(const mo_tree_triangle *t)
{
    return mo_unit(mo_cross(t->ab, t->ac), mo_vec3_make(0, 0, 0));
}

/* Between the sides that leave corner k. */
static double angle_at(const mo_tree_triangle *t, int k)
{
    mo_vec3 sides[3] = {t->ab, mo_sub(t->ac, t->ab), mo_scale(-1, t->ac)};
    mo_vec3 out = sides[k], back = mo_scale(-1, sides[(k + 2) % 3]);
    return atan2(mo_length(mo_cross(out, back)), mo_dot(out, back));
}

typedef struct making {
    const mo_trimesh *mesh;
    const mo_fans *fans;
    mo_trimesh_distance *tree;
    uint8_t *flat;   /* a triangle */
    mo_vec3 *middle; /* of its box */
    int32_t *order;  /* triangles, in the order of the tree */
} making;

static void make_edge_normal(const making *m, int64_t t, int k)
{
    const int32_t *c = m->mesh->corner + 3 * t;
    mo_trimesh_distance *tree = m->tree;
    mo_edge_use use = mo_trimesh_edge(m->mesh, m->fans, c[k], c[(k + 1) % 3]);
    mo_vec3 n = tree->normal[t][MO_NEAR_FACE];
    bool doubtful = use.forward != 1 || use.backward != 1;
    if (use.twin >= 0) {
        n = mo_add(n, tree->normal[use.twin / 3][MO_NEAR_FACE]);
        doubtful = doubtful || m->flat[use.twin / 3];
    }
    tree->normal[t][MO_NEAR_EDGE + k] = mo_unit(n, tree->normal[t][MO_NEAR_FACE]);
    tree->doubtful[t] |= (uint8_t)(doubtful << (MO_NEAR_EDGE + k));
}

/* The ring around a vertex is complete if traversing its edges visits all its triangles, none
 * degenerate. */
static bool ring_is_complete(const making *m, int32_t v)
{
    int32_t first = m->fans->start[v], count = m->fans->start[v + 1] - first,
            at = m->fans->item[first];
    int32_t begin = at, steps = 0;
    for (int32_t k = first; k < first + count; ++k) {
        if (m->flat[m->fans->item[k] / 3]) {
            return false;
        }
    }
    do {
        const int32_t *t = m->mesh->corner + 3 * (int64_t)(at / 3);
        mo_edge_use use = mo_trimesh_edge(m->mesh, m->fans, v, t[(at % 3 + 1) % 3]);
        if (use.forward != 1 || use.backward != 1) {
            return false;
        }
        at = use.twin / 3 * 3 + (use.twin % 3 + 1) % 3;
    } while (++steps < count && at != begin);
    return steps == count && at == begin;
}

static void make_vertex_normal(const making *m, int32_t v)
{
    mo_vec3 n = {0, 0, 0};
    int32_t first = m->fans->start[v], last = m->fans->start[v + 1];
    for (int32_t k = first; k < last; ++k) {
        int32_t c = m->fans->item[k];
        n = mo_add_scaled(n, angle_at(&m->tree->triangle[c / 3], c % 3),
                          m->tree->normal[c / 3][MO_NEAR_FACE]);
    }
    bool whole = first < last && ring_is_complete(m, v);
    for (int32_t k = first; k < last; ++k) {
        int32_t c = m->fans->item[k];
        int kind = MO_NEAR_VERTEX + c % 3;
        m->tree->normal[c / 3][kind] = mo_unit(n, m->tree->normal[c / 3][MO_NEAR_FACE]);
        m->tree->doubtful[c / 3] |= (uint8_t)(!whole << kind);
    }
}

static void make_triangles(const making *m)
{
    const mo_trimesh *mesh = m->mesh;
    for (int64_t t = 0; t < mesh->triangles; ++t) {
        const int32_t *c = mesh->corner + 3 * t;
        mo_vec3 a = mo_vec3_load(mesh->x + 3 * (int64_t)c[0]);
        m->tree->triangle[t] =
            (mo_tree_triangle){.a = a,
                               .ab = mo_sub(mo_vec3_load(mesh->x + 3 * (int64_t)c[1]), a),
                               .ac = mo_sub(mo_vec3_load(mesh->x + 3 * (int64_t)c[2]), a)};
        m->flat[t] = mo_trimesh_is_flat(mesh, t);
        m->tree->normal[t][MO_NEAR_FACE] =
            m->flat[t] ? mo_vec3_make(0, 0, 0) : face_normal(&m->tree->triangle[t]);
    }
    for (int64_t t = 0; t < mesh->triangles; ++t) {
        for (int k = 0; k < 3; ++k) {
            make_edge_normal(m, t, k);
        }
    }
    for (int32_t v = 0; v < mesh->vertices; ++v) {
        make_vertex_normal(m, v);
    }
}

/* ---- building: the tree ---- */

static void grow_box(const making *m, int64_t triangle, double low[3], double high[3])
{
    for (int k = 0; k < 3; ++k) {
        const double *p = m->mesh->x + 3 * (int64_t)m->mesh->corner[3 * triangle + k];
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = fmin(low[axis], p[axis]);
            high[axis] = fmax(high[axis], p[axis]);
        }
    }
}

/* The parts of a range that is in order: a power of eight each, the least that is enough, and the
 * rest; so all nodes but the last of a level are full. */
static int cut(int64_t first, int64_t last, int64_t bound[MO_TREE_WIDTH + 1])
{
    int64_t unit = 1;
    int parts = 0;
    while (MO_TREE_WIDTH * unit < last - first) {
        unit *= MO_TREE_WIDTH;
    }
    for (int64_t at = first; at < last; at += unit) {
        bound[parts++] = at;
    }
    bound[parts] = last;
    return parts;
}

/* Nodes are numbered in traversal order; a child's index is above its parent's. */
static int32_t make_node(making *m, int64_t first, int64_t last)
{
    int64_t bound[MO_TREE_WIDTH + 1];
    int32_t number = (int32_t)m->tree->nodes++;
    int parts = cut(first, last, bound);
    m->tree->node[number].count = parts;
    for (int k = 0; k < MO_TREE_WIDTH; ++k) {
        double low[3] = {(double)INFINITY, (double)INFINITY, (double)INFINITY};
        double high[3] = {-(double)INFINITY, -(double)INFINITY, -(double)INFINITY};
        int64_t from = k < parts ? bound[k] : 0, to = k < parts ? bound[k + 1] : 0;
        for (int64_t t = from; t < to; ++t) {
            grow_box(m, m->order[t], low, high);
        }
        int32_t child = to - from == 1 ? ~m->order[from] : to > from ? make_node(m, from, to) : 0;
        mo_tree_node *node = &m->tree->node[number];
        for (int axis = 0; axis < 3; ++axis) {
            double middle = mo_vec3_at(m->tree->middle, axis);
            node->low[axis][k] = nextafterf((float)(low[axis] - middle), -INFINITY);
            node->high[axis][k] = nextafterf((float)(high[axis] - middle), INFINITY);
        }
        node->child[k] = child;
    }
    return number;
}

static void measure(const making *m, int64_t count)
{
    double low[3] = {(double)INFINITY, (double)INFINITY, (double)INFINITY};
    double high[3] = {-(double)INFINITY, -(double)INFINITY, -(double)INFINITY};
    for (int64_t k = 0; k < count; ++k) {
        double lo[3] = {(double)INFINITY, (double)INFINITY, (double)INFINITY};
        double hi[3] = {-(double)INFINITY, -(double)INFINITY, -(double)INFINITY};
        grow_box(m, m->order[k], lo, hi);
        grow_box(m, m->order[k], low, high);
        m->middle[m->order[k]] = mo_scale(0.5, mo_add(mo_vec3_load(lo), mo_vec3_load(hi)));
    }
    m->tree->low = mo_vec3_load(low);
    m->tree->high = mo_vec3_load(high);
    m->tree->middle = mo_scale(0.5, mo_add(m->tree->low, m->tree->high));
    m->tree->size = 0.5 * mo_length(mo_sub(m->tree->high, m->tree->low));
}

static mote_status make_tree(making *m, const char *name, mote_error *error)
{
    int64_t count = 0;
    for (int64_t t = 0; t < m->mesh->triangles; ++t) {
        if (!m->flat[t]) {
            m->order[count++] = (int32_t)t;
        }
    }
    if (count == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%.900s: all triangles are degenerate", name);
    }
    measure(m, count);
    mo_order_by_medians(m->order, count, m->middle);
    make_node(m, 0, count);
    return MOTE_OK;
}

static mote_status allocate_tree(making *m, mo_arena *arena, mote_error *error)
{
    size_t triangles = (size_t)m->mesh->triangles;
    mo_trimesh_distance *tree = m->tree;
    /* an eighth of the triangles, an eighth of these, ..., and one more per level */
    tree->node = mo_arena_allocate(arena, (triangles / 7 + 16) * sizeof *tree->node);
    tree->triangle = mo_arena_allocate(arena, triangles * sizeof *tree->triangle);
    tree->normal = mo_arena_allocate(arena, triangles * sizeof *tree->normal);
    tree->doubtful = mo_arena_allocate(arena, triangles + 1);
    if (!tree->node || !tree->triangle || !tree->normal || !tree->doubtful) {
        return mo_fail_memory(error, triangles * sizeof *tree->node);
    }
    return MOTE_OK;
}

static mote_status build(making *m, const char *name, mo_arena *arena, mote_error *error)
{
    void *flat = NULL, *middle = NULL, *order = NULL;
    mo_memory *memory = arena->memory;
    int64_t triangles = m->mesh->triangles;
    mote_status status = mo_allocate_array(memory, triangles, 1, &flat, error);
    if (status == MOTE_OK) {
        status = mo_allocate_array(memory, triangles, sizeof *m->middle, &middle, error);
    }
    if (status == MOTE_OK) {
        status = mo_allocate_array(memory, triangles, sizeof *m->order, &order, error);
    }
    m->flat = flat;
    m->middle = middle;
    m->order = order;
    if (status == MOTE_OK) {
        status = allocate_tree(m, arena, error);
    }
    if (status == MOTE_OK) {
        make_triangles(m);
        status = make_tree(m, name, error);
    }
    mo_release(memory, flat);
    mo_release(memory, middle);
    mo_release(memory, order);
    return status;
}

mote_status mo_trimesh_distance_build(const mo_trimesh *mesh, const char *name, bool open,
                                      mo_arena *arena, mo_trimesh_distance *tree, mote_error *error)
{
    mo_fans fans;
    unsigned allowed = MO_TRIMESH_HARMLESS;
    allowed |= open ? MO_TRIMESH_OPEN | MO_TRIMESH_DIRECTION | MO_TRIMESH_INSIDE_OUT : 0;
    *tree = (mo_trimesh_distance){.triangles = mesh->triangles};
    MO_TRY(mo_trimesh_check(mesh, name, allowed, error));
    mote_status status = mo_fans_make(mesh, &fans, error);
    if (status == MOTE_OK) {
        making m = {.mesh = mesh, .fans = &fans, .tree = tree};
        status = build(&m, name, arena, error);
    }
    mo_fans_release(&fans);
    return status;
}
