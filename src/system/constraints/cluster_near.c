/*
 * Which features of two clusters are near each other: all distances (feature_distance.h). Every
 * edge and vertex of one cluster meets eight edges or triangles of the other, with their
 * coordinates in registers.
 */
#include "system/constraints/feature_distance.h"
#include "system/constraints/surface_contacts.h"

enum { LANES = MO_CLUSTER };

/* Bits of the lanes nearer than reach. */
MO_INLINE unsigned near_bits(mo_feature_distance d, float reach)
{
    mo_f8 limit = reach + MO_FEATURE_MARGIN * mo_f8_sqrt(d.longest);
    return mo_f8_signs((mo_f8)(d.square < limit * limit));
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

static void vertices_on_triangles(const mo_cluster_features *a, const mo_cluster_features *b,
                                  mo_vec3 between, float reach, uint32_t *near)
{
    float shift[3] = {(float)between.x, (float)between.y, (float)between.z};
    for (int v = 0; v < a->vertex_count; ++v) {
        mo_f8 x[3];
        for (int k = 0; k < 3; ++k) {
            x[k] = mo_f8_set(a->vertex[v][k] + shift[k]);
        }
        near[v] = b->triangles ? vertex_on_triangles(b, x, reach) : 0;
    }
}

void mo_cluster_near(const mo_cluster_features *a, const mo_cluster_features *b, double reach,
                     uint32_t near[MO_NEAR_WORDS])
{
    mo_vec3 between = mo_sub(a->origin, b->origin);
    float shift[3] = {(float)between.x, (float)between.y, (float)between.z};
    for (int e = 0; e < a->edge_count; ++e) {
        mo_f8 x[3], u[3];
        for (int k = 0; k < 3; ++k) {
            x[k] = mo_f8_set(a->edge[k][e] + shift[k]);
            u[k] = mo_f8_set(a->edge[3 + k][e]);
        }
        near[e] = 0;
        for (int first = 0; first < b->edge_count; first += LANES) {
            near[e] |= edge_on_edges(b, first, x, u, (float)reach) << first;
        }
    }
    vertices_on_triangles(a, b, between, (float)reach, near + MO_CLUSTER_EDGES);
    if (a != b) {
        vertices_on_triangles(b, a, mo_scale(-1, between), (float)reach,
                              near + 2 * MO_CLUSTER_EDGES);
    }
}
