/*
 * Which features of two clusters are near each other: all distances (feature_distance.h). Every
 * edge and vertex of one cluster meets eight edges or triangles of the other, with their
 * coordinates in registers.
 */
#include "system/constraints/constraint_contacts.h"
#include "system/constraints/feature_distance.h"

#include <string.h>

enum { LANES = MO_CLUSTER };

/* Bits of the lanes nearer than reach. */
MO_INLINE unsigned near_bits(mo_feature_distance d, float reach)
{
    mo_f8 limit = reach + MO_FEATURE_MARGIN * mo_f8_sqrt(d.longest);
    return mo_f8_signs((mo_f8)(d.square < limit * limit));
}

/* Bits of the lanes that have this row. */
MO_INLINE unsigned same_row(const int32_t *rows, int32_t row)
{
    return mo_f8_signs((mo_f8)(mo_i8_load(rows) == mo_i8_set(row)));
}

/* An edge from x along a, with eight of the second cluster. */
MO_INLINE unsigned edge_on_edges(const mo_cluster_features *q, int first, const mo_f8 x[3],
                                 const mo_f8 a[3], float reach)
{
    mo_f8 r[3], b[3];
    for (int k = 0; k < 3; ++k) {
        r[k] = x[k] - mo_f8_load(q->edge[k] + first);
        b[k] = mo_f8_load(q->edge[3 + k] + first);
    }
    return near_bits(mo_edge_edge_distance(r, a, b), reach);
}

/* A vertex with the triangles of the second cluster. */
MO_INLINE unsigned vertex_on_triangles(const mo_cluster_features *q, const mo_f8 x[3], float reach)
{
    mo_f8 d[3], e[3], f[3];
    for (int k = 0; k < 3; ++k) {
        d[k] = x[k] - mo_f8_load(q->triangle[k]);
        e[k] = mo_f8_load(q->triangle[3 + k]);
        f[k] = mo_f8_load(q->triangle[6 + k]);
    }
    return near_bits(mo_vertex_triangle_distance(d, e, f), reach);
}

/* Whether the box from low to high is farther from that of a cluster than `reach` along an axis. */
MO_INLINE bool is_far(const mo_cluster_features *q, const float low[3], const float high[3],
                      float reach)
{
    bool far = false;
    for (int k = 0; k < 3; ++k) {
        far |= (low[k] - q->high[k] > reach) | (q->low[k] - high[k] > reach);
    }
    return far;
}

static void vertices_on_triangles(const mo_cluster_features *a, const mo_cluster_features *b,
                                  float reach, uint32_t *near)
{
    for (int v = 0; b->triangles && v < a->vertex_count; ++v) {
        const float *point = a->vertex[v];
        mo_f8 x[3] = {mo_f8_set(point[0]), mo_f8_set(point[1]), mo_f8_set(point[2])};
        if (!is_far(b, point, point, reach)) {
            unsigned bits = vertex_on_triangles(b, x, reach);
            for (int k = 0; k < 3 && bits; ++k) {
                bits &= ~same_row(b->corner_row[k], a->vertex_row[v]);
            }
            near[v] = bits;
        }
    }
}

/* The edges of the second cluster near one of the first, without those with a common row. */
static uint32_t near_edges(const mo_cluster_features *a, int e, const mo_cluster_features *b,
                           float reach)
{
    float low[3], high[3];
    mo_f8 x[3], u[3];
    uint32_t near = 0;
    for (int k = 0; k < 3; ++k) {
        float from = a->edge[k][e], to = from + a->edge[3 + k][e];
        low[k] = from < to ? from : to;
        high[k] = from < to ? to : from;
        x[k] = mo_f8_set(from);
        u[k] = mo_f8_set(a->edge[3 + k][e]);
    }
    for (int first = 0; !is_far(b, low, high, reach) && first < b->edge_count; first += LANES) {
        unsigned bits = edge_on_edges(b, first, x, u, reach);
        for (int k = 0; k < 4 && bits; ++k) {
            bits &= ~same_row(b->edge_row[k / 2] + first, a->edge_row[k % 2][e]);
        }
        near |= bits << first;
    }
    return near;
}

float mo_cluster_gap(const mo_cluster_features *a, const mo_cluster_features *b)
{
    float square = 0;
    for (int k = 0; k < 3; ++k) {
        float above = a->low[k] - b->high[k], below = b->low[k] - a->high[k],
              gap = above > below ? above : below;
        square += gap > 0 ? gap * gap : 0;
    }
    return sqrtf(square);
}

void mo_cluster_near(const mo_cluster_features *a, const mo_cluster_features *b, float reach,
                     uint32_t near[MO_NEAR_WORDS])
{
    memset(near, 0, MO_NEAR_WORDS * sizeof *near);
    for (int e = 0; e < a->edge_count; ++e) {
        near[e] = near_edges(a, e, b, reach);
    }
    vertices_on_triangles(a, b, reach, near + MO_CLUSTER_EDGES);
    if (a != b) {
        vertices_on_triangles(b, a, reach, near + 2 * MO_CLUSTER_EDGES);
    }
}
