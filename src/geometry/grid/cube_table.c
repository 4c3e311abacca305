#include "geometry/grid/cube_table.h"

#include <stdbool.h>
#include <string.h>

enum { FACES = 6, POLYGON_MAX = 12 };

static int edge_number(int axis, int u, int v)
{
    return 4 * axis + u + 2 * v;
}

static int bit(int corner, int axis)
{
    return corner >> axis & 1;
}

/* The edge between two neighbouring corners. */
static int edge_between(int a, int b)
{
    int axis = (a ^ b) >> 1, low = a & b;
    return edge_number(axis, bit(low, (axis + 1) % 3), bit(low, (axis + 2) % 3));
}

static int base_of(int edge)
{
    int axis = edge / 4;
    return (edge & 1) << (axis + 1) % 3 | (edge >> 1 & 1) << (axis + 2) % 3;
}

/* Both faces of an edge, a bit each; face 2 a + s lies at s along axis a. */
static int faces_of(int edge)
{
    int axis = edge / 4;
    return 1 << (2 * ((axis + 1) % 3) + (edge & 1)) | 1 << (2 * ((axis + 2) % 3) + (edge >> 1 & 1));
}

/* The corners of a face, counter-clockwise as seen from outside the cell. */
static void face_corners(int face, int corners[4])
{
    int axis = face / 2, side = face % 2;
    for (int k = 0; k < 4; ++k) {
        int turn = side ? k : 3 - k;
        int u = turn == 1 || turn == 2, v = turn >= 2;
        corners[k] = side << axis | u << (axis + 1) % 3 | v << (axis + 2) % 3;
    }
}

/* Connects the crossings of a face: each sequence of inside corners is separated by one segment,
 * from its first to its last crossing. */
static void join_face(int inside, int face, int8_t next[MO_CUBE_EDGES])
{
    int c[4];
    face_corners(face, c);
    for (int k = 0; k < 4; ++k) {
        int first = (k + 1) % 4, last = first;
        if (bit(inside, c[k]) || !bit(inside, c[first])) {
            continue;
        }
        while (bit(inside, c[(last + 1) % 4])) {
            last = (last + 1) % 4;
        }
        next[edge_between(c[k], c[first])] = (int8_t)edge_between(c[last], c[(last + 1) % 4]);
    }
}

static bool may_join(int a, int b)
{
    return !(faces_of(a) & faces_of(b));
}

/* The middle of an edge, in halves. */
static void middle(int edge, int out[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        out[axis] = axis == edge / 4 ? 1 : 2 * bit(base_of(edge), axis);
    }
}

/* Cost of a diagonal: its squared length; prohibitive if it is not allowed. */
static int diagonal_cost(int a, int b)
{
    int p[3], q[3], cost = 0;
    middle(a, p);
    middle(b, q);
    for (int axis = 0; axis < 3; ++axis) {
        cost += (p[axis] - q[axis]) * (p[axis] - q[axis]);
    }
    return may_join(a, b) ? cost : 10000;
}

typedef struct cutting {
    const int8_t *polygon;
    int cost[POLYGON_MAX][POLYGON_MAX], by[POLYGON_MAX][POLYGON_MAX]; /* of the part from i to j */
} cutting;

static int side_cost(const cutting *c, int i, int j)
{
    return j - i > 1 ? diagonal_cost(c->polygon[i], c->polygon[j]) : 0;
}

static void cut_part(cutting *c, int i, int j)
{
    c->cost[i][j] = 0;
    for (int k = i + 1; k < j; ++k) {
        int cost = c->cost[i][k] + c->cost[k][j] + side_cost(c, i, k) + side_cost(c, k, j);
        if (k == i + 1 || cost < c->cost[i][j]) {
            c->cost[i][j] = cost;
            c->by[i][j] = k;
        }
    }
}

static void emit_part(const cutting *c, int i, int j, mo_cube_case *out)
{
    if (j - i < 2) {
        return;
    }
    int k = c->by[i][j];
    const int8_t corner[3] = {c->polygon[i], c->polygon[k], c->polygon[j]};
    memcpy(out->edge[out->count++], corner, sizeof corner);
    emit_part(c, i, k, out);
    emit_part(c, k, j, out);
}

/* The cheapest triangulation of a polygon, by dynamic programming over its parts. */
static void cut_polygon(const int8_t *polygon, int count, mo_cube_case *out)
{
    cutting c = {.polygon = polygon};
    for (int length = 1; length < count; ++length) {
        for (int i = 0; i + length < count; ++i) {
            cut_part(&c, i, i + length);
        }
    }
    emit_part(&c, 0, count - 1, out);
}

static void make_case(int inside, mo_cube_case *out)
{
    int8_t next[MO_CUBE_EDGES], polygon[POLYGON_MAX];
    memset(next, -1, sizeof next);
    out->count = 0;
    for (int face = 0; face < FACES; ++face) {
        join_face(inside, face, next);
    }
    for (int edge = 0; edge < MO_CUBE_EDGES; ++edge) {
        int count = 0;
        for (int at = edge; next[at] >= 0;) {
            int following = next[at];
            polygon[count++] = (int8_t)at;
            next[at] = -1;
            at = following;
        }
        if (count > 0) {
            cut_polygon(polygon, count, out);
        }
    }
}

void mo_cube_table_make(mo_cube_table *table)
{
    for (int edge = 0; edge < MO_CUBE_EDGES; ++edge) {
        table->base[edge] = (int8_t)base_of(edge);
    }
    for (int inside = 0; inside < MO_CUBE_CASES; ++inside) {
        make_case(inside, &table->cases[inside]);
    }
}
