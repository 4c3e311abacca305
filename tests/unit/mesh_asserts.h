/*
 * Meshes under test: built from parameters, and common checks: shares, edges, surfaces, tetrahedra.
 */
#ifndef TEST_MESH_ASSERTS_H
#define TEST_MESH_ASSERTS_H

#include "failing_allocator.h"
#include "geometry/generate/generate.h"
#include "geometry/mesh/volume.h"
#include "numbers.h"
#include "set_param.h"

typedef struct built {
    failing_allocator allocator;
    mo_memory memory;
    mo_mesh mesh;
} built;

static inline void build(built *b, const params *p)
{
    b->memory = failing_memory(&b->allocator, -1);
    assert_int_equal(check_params(p, NULL), MOTE_OK);
    assert_int_equal(mo_mesh_generate(method_of(p), &b->memory, &b->mesh, NULL), MOTE_OK);
}

static inline void release(built *b)
{
    mo_mesh_release(&b->mesh);
    assert_all_given_back(&b->allocator, &b->memory);
}

static inline mo_vec3 node(const mo_mesh *mesh, int64_t k)
{
    return mo_vec3_load(mesh->nodes + 3 * k);
}

static inline double total_share(const mo_mesh *mesh)
{
    double sum = 0;
    for (int64_t k = 0; k < mesh->node_count; ++k) {
        assert_true(mesh->shares[k] > 0);
        sum += mesh->shares[k];
    }
    return sum;
}

static inline int compare_keys(const void *a, const void *b)
{
    const int64_t *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

/* Two nodes in one number; directed or undirected. */
static inline int64_t edge_key(int64_t a, int64_t b, bool directed)
{
    return directed || a < b ? a << 32 | b : b << 32 | a;
}

static inline void assert_edges_are_unique(const mo_mesh *mesh)
{
    int64_t *key = malloc((size_t)mesh->edge_count * sizeof *key);
    assert_non_null(key);
    for (int64_t e = 0; e < mesh->edge_count; ++e) {
        int64_t a = mesh->edges[2 * e], b = mesh->edges[2 * e + 1];
        assert_true(a >= 0 && b >= 0 && a < mesh->node_count && b < mesh->node_count && a != b);
        key[e] = edge_key(a, b, false);
    }
    qsort(key, (size_t)mesh->edge_count, sizeof *key, compare_keys);
    for (int64_t e = 1; e < mesh->edge_count; ++e) {
        assert_true(key[e - 1] != key[e]);
    }
    free(key);
}

static inline mo_vec3 triangle_area(const mo_mesh *mesh, int64_t t)
{
    const int32_t *n = mesh->triangles + 3 * t;
    mo_vec3 a = node(mesh, n[0]);
    return mo_scale(0.5, mo_cross(mo_sub(node(mesh, n[1]), a), mo_sub(node(mesh, n[2]), a)));
}

/* The surface is closed and consistently oriented: every directed edge once, with its opposite. */
static inline void assert_closed(const mo_mesh *mesh)
{
    int64_t count = 3 * mesh->triangle_count;
    int64_t *key = malloc((size_t)count * sizeof *key);
    assert_non_null(key);
    for (int64_t t = 0; t < mesh->triangle_count; ++t) {
        const int32_t *n = mesh->triangles + 3 * t;
        for (int k = 0; k < 3; ++k) {
            assert_true(n[k] >= 0 && n[k] < mesh->node_count && n[k] != n[(k + 1) % 3]);
            key[3 * t + k] = edge_key(n[k], n[(k + 1) % 3], true);
        }
    }
    qsort(key, (size_t)count, sizeof *key, compare_keys);
    for (int64_t k = 0; k < count; ++k) {
        int64_t opposite = edge_key(key[k] & 0xffffffff, key[k] >> 32, true);
        assert_true(k == 0 || key[k - 1] != key[k]);
        assert_non_null(bsearch(&opposite, key, (size_t)count, sizeof *key, compare_keys));
    }
    free(key);
}

/* By the theorem of Gauss: positive when the triangles face outwards. */
static inline double enclosed_volume(const mo_mesh *mesh)
{
    double six = 0;
    for (int64_t t = 0; t < mesh->triangle_count; ++t) {
        const int32_t *n = mesh->triangles + 3 * t;
        six += mo_dot(node(mesh, n[0]), mo_cross(node(mesh, n[1]), node(mesh, n[2])));
    }
    return six / 6;
}

static inline double surface_area(const mo_mesh *mesh)
{
    double sum = 0;
    for (int64_t t = 0; t < mesh->triangle_count; ++t) {
        sum += mo_length(triangle_area(mesh, t));
    }
    return sum;
}

static inline double tetrahedra_volume(const mo_mesh *mesh)
{
    double sum = 0;
    for (int64_t t = 0; t < mesh->tetrahedron_count; ++t) {
        sum += mo_mesh_volume(mesh, t);
    }
    return sum;
}

/* Every tetrahedron has a positive volume, the outer faces enclose the same volume, shares sum
 * to it, edges are unique. */
static inline void assert_solid(const mo_mesh *mesh)
{
    assert_int_equal(mesh->dimension, 3);
    assert_true(mesh->tetrahedron_count > 0);
    for (int64_t t = 0; t < mesh->tetrahedron_count; ++t) {
        assert_true(mo_mesh_volume(mesh, t) > 0);
    }
    double volume = tetrahedra_volume(mesh);
    assert_closed(mesh);
    assert_near(enclosed_volume(mesh), volume, 1e-10 * volume); /* long sums */
    assert_near(total_share(mesh), volume, 1e-10 * volume);
    assert_edges_are_unique(mesh);
    assert_true(mesh->spacing > 0);
}

#endif
