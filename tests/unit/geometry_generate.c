/*
 * Generated meshes: counts by formula, shares, closed surfaces.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/generate/generate.h"
#include "mesh_asserts.h"

/* ---- the generators under test ---- */

static void make_rope(params *p, mo_vec3 start, mo_vec3 end, int64_t segments, bool bend)
{
    clear_params_of(p, &mo_meshes, "rope");
    set_vec3(p, "start", start);
    set_vec3(p, "end", end);
    set_int(p, "segments", segments);
    set_bool(p, "bend", bend);
}

static void make_cloth(params *p, mo_vec3 u, mo_vec3 v, int64_t columns, int64_t rows, bool shear,
                       bool bend)
{
    clear_params_of(p, &mo_meshes, "cloth");
    set_vec3(p, "origin", mo_vec3_make(1, 2, 3));
    set_vec3(p, "u", u);
    set_vec3(p, "v", v);
    set_int(p, "columns", columns);
    set_int(p, "rows", rows);
    set_bool(p, "shear", shear);
    set_bool(p, "bend", bend);
}

static const mo_vec3 BLOCK_MIN = {-1, 0.5, 2};

static void make_block(params *p, mo_vec3 size, int64_t nx, int64_t ny, int64_t nz, bool shear)
{
    clear_params_of(p, &mo_meshes, "block");
    set_vec3(p, "min", BLOCK_MIN);
    set_vec3(p, "max", mo_add(BLOCK_MIN, size));
    set_int(p, "nx", nx);
    set_int(p, "ny", ny);
    set_int(p, "nz", nz);
    set_bool(p, "shear", shear);
    set_int(p, "tetrahedra", 0);
}

static void make_points(params *p, int64_t count, mo_vec3 *positions, int64_t edge_numbers,
                        int64_t *edges)
{
    clear_params_of(p, &mo_meshes, "points");
    set_list(p, "positions", MO_VEC3, count, positions);
    set_list(p, "edges", MO_INT, edge_numbers, edges);
}

/* ---- checks of any mesh ---- */

static int64_t edges_of_kind(const mo_mesh *mesh, mo_edge_kind kind)
{
    int64_t count = 0;
    for (int64_t e = 0; e < mesh->edge_count; ++e) {
        count += mesh->edge_kind[e] == kind;
    }
    return count;
}

/* Edges of a kind have one of these lengths; others do not. */
static void assert_lengths(const mo_mesh *mesh, mo_edge_kind kind, const double *length,
                           int lengths)
{
    for (int64_t e = 0; e < mesh->edge_count; ++e) {
        double l =
            mo_length(mo_sub(node(mesh, mesh->edges[2 * e]), node(mesh, mesh->edges[2 * e + 1])));
        bool known = false;
        for (int k = 0; k < lengths; ++k) {
            known = known || fabs(l - length[k]) < 1e-13;
        }
        assert_int_equal(known, mesh->edge_kind[e] == kind);
    }
}

/* A side of a mesh: the nodes whose coordinate `axis` is `value`. */
typedef struct side {
    int axis;
    double value;
} side;

/* A set and the sides its nodes lie on: none for all nodes, two for a corner of a surface. */
typedef struct expected_set {
    const char *name;
    int sides;
    side side[2];
} expected_set;

static bool belongs(const expected_set *set, mo_vec3 x)
{
    const double p[3] = {x.x, x.y, x.z};
    bool member = true;
    for (int k = 0; k < set->sides; ++k) {
        member = member && fabs(p[set->side[k].axis] - set->side[k].value) < 1e-9;
    }
    return member;
}

/* Exactly the nodes that belong to it are in the set, in ascending order. */
static void assert_set(const mo_mesh *mesh, const expected_set *expected)
{
    const mo_node_set *set = mo_mesh_set(mesh, expected->name);
    assert_non_null(set);
    int64_t found = 0;
    for (int64_t k = 0; k < mesh->node_count; ++k) {
        if (belongs(expected, node(mesh, k))) {
            assert_true(found < set->count);
            assert_int_equal(set->nodes[found++], k);
        }
    }
    assert_true(found > 0);
    assert_int_equal(found, set->count);
}

static void assert_sets(const mo_mesh *mesh, const expected_set *sets, int count)
{
    assert_int_equal(mesh->set_count, count);
    for (int k = 0; k < count; ++k) {
        assert_set(mesh, &sets[k]);
    }
}

static const expected_set ALL_NODES = {"all", 0, {{0, 0}}};

/* ---- rope ---- */

static void ropes_have_the_right_counts_and_weights(void **state)
{
    (void)state;
    mo_vec3 start = {1, 2, 3}, end = {4, 2, 7}; /* of length 5 */
    for (int64_t n = 1; n < 100; n += 1 + n / 3) {
        for (int bend = 0; bend < 2; ++bend) {
            params p;
            built b;
            make_rope(&p, start, end, n, bend);
            build(&b, &p);
            const mo_mesh *mesh = &b.mesh;
            assert_int_equal(mesh->dimension, 1);
            assert_int_equal(mesh->node_count, n + 1);
            assert_int_equal(edges_of_kind(mesh, MO_EDGE_STRETCH), n);
            assert_int_equal(edges_of_kind(mesh, MO_EDGE_BEND), bend ? n - 1 : 0);
            assert_int_equal(mesh->edge_count, n + (bend ? n - 1 : 0));
            assert_int_equal(mesh->triangle_count, 0);
            assert_edges_are_unique(mesh);
            assert_near(total_share(mesh), 5, 1e-13);
            assert_near(mesh->shares[0], 2.5 / (double)n, 1e-14);
            assert_near(mesh->spacing, 5 / (double)n, 1e-14);
            assert_lengths(mesh, MO_EDGE_STRETCH, (double[]){5 / (double)n}, 1);
            for (int64_t k = 0; k <= n; ++k) {
                mo_vec3 x = mo_add_scaled(start, (double)k / (double)n, mo_vec3_make(3, 0, 4));
                assert_near_vec3(node(mesh, k), x, 1e-14);
            }
            release(&b);
        }
    }
}

static void a_rope_has_sets_of_its_ends(void **state)
{
    (void)state;
    params p;
    built b;
    make_rope(&p, mo_vec3_make(0, 0, 0), mo_vec3_make(1, 1, 1), 7, false);
    build(&b, &p);
    const mo_node_set *start = mo_mesh_set(&b.mesh, "start"), *end = mo_mesh_set(&b.mesh, "end");
    assert_int_equal(start->count, 1);
    assert_int_equal(start->nodes[0], 0);
    assert_int_equal(end->count, 1);
    assert_int_equal(end->nodes[0], 7);
    assert_set(&b.mesh, &ALL_NODES);
    assert_null(mo_mesh_set(&b.mesh, "middle"));
    release(&b);
}

/* ---- cloth ---- */

static void assert_cloth_counts(const mo_mesh *mesh, int64_t n, int64_t m, bool shear, bool bend)
{
    int64_t cells = (n - 1) * (m - 1);
    assert_int_equal(mesh->dimension, 2);
    assert_int_equal(mesh->node_count, n * m);
    assert_int_equal(edges_of_kind(mesh, MO_EDGE_STRETCH), (n - 1) * m + n * (m - 1));
    assert_int_equal(edges_of_kind(mesh, MO_EDGE_SHEAR), shear ? 2 * cells : 0);
    assert_int_equal(edges_of_kind(mesh, MO_EDGE_BEND), bend ? (n - 2) * m + n * (m - 2) : 0);
    assert_int_equal(mesh->triangle_count, 2 * cells);
    assert_edges_are_unique(mesh);
}

/* Lumped masses: a third of the area of each triangle goes to each of its nodes. */
static void assert_shares_are_thirds_of_triangles(const mo_mesh *mesh)
{
    for (int64_t k = 0; k < mesh->node_count; ++k) {
        double share = 0;
        for (int64_t t = 0; t < mesh->triangle_count; ++t) {
            const int32_t *n = mesh->triangles + 3 * t;
            bool has_it = n[0] == k || n[1] == k || n[2] == k;
            share += has_it ? mo_length(triangle_area(mesh, t)) / 3 : 0;
        }
        assert_near(mesh->shares[k], share, 1e-14);
    }
}

/* Two corners of a cloth have two triangles, the other two have one; sides have three, inner nodes
 * six. */
static void cloth_corners_have_the_shares_of_their_triangles(void **state)
{
    (void)state;
    params p;
    built b;
    make_cloth(&p, mo_vec3_make(3, 0, 0), mo_vec3_make(0, 2, 0), 4, 3, true, true);
    build(&b, &p); /* cells of 1 by 1 */
    static const double SIXTHS[] = {2, 3, 3, 1, 3, 6, 6, 3, 1, 3, 3, 2};
    for (int64_t k = 0; k < 12; ++k) {
        assert_near(b.mesh.shares[k], SIXTHS[k] / 6, 1e-14);
    }
    release(&b);
}

static void cloths_have_the_right_counts_and_weights(void **state)
{
    (void)state;
    mo_vec3 u = {2, 0, 0}, v = {0.5, 3, 0}; /* a parallelogram of area 6 */
    for (int64_t n = 2; n < 12; n += 3) {
        for (int64_t m = 2; m < 15; m += 4) {
            for (int options = 0; options < 4; ++options) {
                params p;
                built b;
                make_cloth(&p, u, v, n, m, options & 1, options & 2);
                build(&b, &p);
                assert_cloth_counts(&b.mesh, n, m, options & 1, options & 2);
                assert_near(total_share(&b.mesh), 6, 1e-13);
                assert_shares_are_thirds_of_triangles(&b.mesh);
                assert_near(b.mesh.spacing,
                            fmin(2 / (double)(n - 1), mo_length(v) / (double)(m - 1)), 1e-14);
                release(&b);
            }
        }
    }
}

static void cloth_edges_have_the_lengths_of_their_kinds(void **state)
{
    (void)state;
    params p;
    built b;
    make_cloth(&p, mo_vec3_make(6, 0, 0), mo_vec3_make(0, 8, 0), 7, 5, true, true);
    build(&b, &p); /* cells of 1 by 2 */
    assert_lengths(&b.mesh, MO_EDGE_SHEAR, (double[]){sqrt(5)}, 1);
    release(&b);
    make_cloth(&p, mo_vec3_make(6, 0, 0), mo_vec3_make(0, 8, 0), 5, 4, true, true);
    build(&b, &p); /* cells of 3/2 by 8/3 */
    assert_lengths(&b.mesh, MO_EDGE_STRETCH, (double[]){1.5, 8 / 3.0}, 2);
    assert_lengths(&b.mesh, MO_EDGE_BEND, (double[]){3, 16 / 3.0}, 2);
    release(&b);
}

static void cloth_triangles_tile_it_facing_one_way(void **state)
{
    (void)state;
    params p;
    built b;
    mo_vec3 u = {2, 0, 1}, v = {0.5, 3, 0}, area = mo_cross(u, v);
    make_cloth(&p, u, v, 6, 9, true, true);
    build(&b, &p);
    for (int64_t t = 0; t < b.mesh.triangle_count; ++t) {
        assert_near_vec3(triangle_area(&b.mesh, t), mo_scale(1.0 / 80, area), 1e-14);
    }
    release(&b);
}

static const mo_vec3 CLOTH_U = {2, 0, 0}, CLOTH_V = {0, 3, 0}; /* from (1, 2, 3) */

static void cloth_sets_are_its_sides_and_corners(void **state)
{
    (void)state;
    static const expected_set sets[] = {
        {"u0", 1, {{0, 1}}},           {"u1", 1, {{0, 3}}},           {"v0", 1, {{1, 2}}},
        {"v1", 1, {{1, 5}}},           {"u0v0", 2, {{0, 1}, {1, 2}}}, {"u1v0", 2, {{0, 3}, {1, 2}}},
        {"u0v1", 2, {{0, 1}, {1, 5}}}, {"u1v1", 2, {{0, 3}, {1, 5}}}, {"all", 0, {{0, 0}}}};
    params p;
    built b;
    make_cloth(&p, CLOTH_U, CLOTH_V, 5, 7, true, false);
    build(&b, &p);
    assert_sets(&b.mesh, sets, sizeof sets / sizeof *sets);
    release(&b);
}

/* ---- block ---- */

static void assert_block_counts(const mo_mesh *mesh, int64_t x, int64_t y, int64_t z, bool shear)
{
    int64_t a = x - 1, b = y - 1, c = z - 1; /* cells */
    int64_t across_faces = 2 * (a * b * z + b * c * x + c * a * y), through_cells = 4 * a * b * c;
    assert_int_equal(mesh->dimension, 3);
    assert_int_equal(mesh->node_count, x * y * z);
    assert_int_equal(edges_of_kind(mesh, MO_EDGE_STRETCH), a * y * z + x * b * z + x * y * c);
    assert_int_equal(edges_of_kind(mesh, MO_EDGE_SHEAR), shear ? across_faces + through_cells : 0);
    assert_int_equal(edges_of_kind(mesh, MO_EDGE_BEND), 0);
    assert_int_equal(mesh->triangle_count, 4 * (a * b + b * c + c * a));
    assert_edges_are_unique(mesh);
}

static void blocks_have_the_right_counts_weights_and_surface(void **state)
{
    (void)state;
    static const int64_t sizes[][3] = {{2, 2, 2}, {3, 2, 2}, {2, 4, 3}, {5, 3, 4}, {6, 7, 8}};
    mo_vec3 size = {1.5, 2, 0.75};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        for (int shear = 0; shear < 2; ++shear) {
            params p;
            built b;
            const int64_t *n = sizes[s];
            make_block(&p, size, n[0], n[1], n[2], shear);
            build(&b, &p);
            assert_block_counts(&b.mesh, n[0], n[1], n[2], shear);
            assert_near(total_share(&b.mesh), 2.25, 1e-14);
            assert_closed(&b.mesh);
            assert_near(enclosed_volume(&b.mesh), 2.25, 1e-13);
            assert_near(surface_area(&b.mesh), 2 * (1.5 * 2 + 2 * 0.75 + 0.75 * 1.5), 1e-13);
            double cell[3] = {1.5 / (double)(n[0] - 1), 2 / (double)(n[1] - 1),
                              0.75 / (double)(n[2] - 1)};
            assert_near(b.mesh.spacing, fmin(cell[0], fmin(cell[1], cell[2])), 1e-15);
            assert_lengths(&b.mesh, MO_EDGE_STRETCH, cell, 3);
            release(&b);
        }
    }
}

static void block_sets_are_its_faces(void **state)
{
    (void)state;
    static const expected_set sets[] = {
        {"x0", 1, {{0, -1}}}, {"x1", 1, {{0, 0}}}, {"y0", 1, {{1, 0.5}}}, {"y1", 1, {{1, 2.5}}},
        {"z0", 1, {{2, 2}}},  {"z1", 1, {{2, 5}}}, {"all", 0, {{0, 0}}}};
    params p;
    built b;
    make_block(&p, mo_vec3_make(1, 2, 3), 4, 3, 5, true);
    build(&b, &p);
    assert_sets(&b.mesh, sets, sizeof sets / sizeof *sets);
    release(&b);
}

/* ---- points ---- */

static void points_lie_where_they_are_put(void **state)
{
    (void)state;
    mo_vec3 positions[] = {{1, 2, 3}, {4, 5, 6}, {-1, 0, 0}};
    int64_t edges[] = {0, 1, 2, 0};
    params p;
    built b;
    make_points(&p, 3, positions, 4, edges);
    build(&b, &p);
    assert_int_equal(b.mesh.node_count, 3);
    assert_int_equal(b.mesh.edge_count, 2);
    assert_int_equal(b.mesh.dimension, 0);
    for (int k = 0; k < 3; ++k) {
        assert_near_vec3(node(&b.mesh, k), positions[k], 0);
        assert_true(b.mesh.shares[k] == 1);
    }
    for (int k = 0; k < 4; ++k) {
        assert_int_equal(b.mesh.edges[k], edges[k]);
    }
    assert_set(&b.mesh, &ALL_NODES);
    release(&b);
}

/* ---- errors ---- */

static void bad_ropes_and_cloths_are_refused(void **state)
{
    (void)state;
    params p;
    mo_vec3 u = {1, 2, 3}, nowhere = {0, 0, (double)NAN};
    make_rope(&p, u, u, 5, false);
    assert_refused(&p, "end");
    make_rope(&p, u, nowhere, 5, false);
    assert_refused(&p, "end");
    make_cloth(&p, u, mo_vec3_make(0, 0, 0), 5, 5, true, true);
    assert_refused(&p, "v:");
    make_cloth(&p, mo_vec3_make(1, 0, 0), mo_vec3_make(-3, 0, 0), 5, 5, true, true);
    assert_refused(&p, "v:");
    make_cloth(&p, mo_vec3_make(1, 0, 0), mo_vec3_make(0, 1, 0), 100000, 100000, true, true);
    assert_refused(&p, "columns");
}

static void bad_blocks_are_refused(void **state)
{
    (void)state;
    params p;
    static const mo_vec3 sizes[] = {{0, 1, 1},  {1, 0, 1},  {1, 1, 0},
                                    {-1, 1, 1}, {1, -1, 1}, {1, 1, -1}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
        make_block(&p, sizes[k], 3, 3, 3, true);
        assert_refused(&p, "max");
    }
    make_block(&p, mo_vec3_make(1, 1, 1), 100000, 100000, 100000, true);
    assert_refused(&p, "nx");
    make_block(&p, mo_vec3_make(1, 1, 1), 1001, 1000, 1000, true);
    assert_refused(&p, "nx");
}

static void bad_points_are_refused(void **state)
{
    (void)state;
    params p;
    mo_vec3 positions[] = {{0, 0, 0}, {1, 0, 0}};
    int64_t odd[] = {0, 1, 1}, missing[] = {0, 1, 1, 2}, itself[] = {0, 1, 1, 1};
    make_points(&p, 0, positions, 0, NULL);
    assert_refused(&p, "positions");
    make_points(&p, 2, positions, 3, odd);
    assert_refused(&p, "edges");
    make_points(&p, 2, positions, 4, missing);
    assert_refused(&p, "edges[3]");
    make_points(&p, 2, positions, 4, itself);
    assert_refused(&p, "edges[3]");
}

/* Conditions left to the table's ranges: a generator divides by the number of cells. */
static void ranges_keep_out_too_few_nodes(void **state)
{
    (void)state;
    static const char *const counted[][2] = {{"rope", "segments"}, {"cloth", "columns"},
                                             {"cloth", "rows"},    {"block", "nx"},
                                             {"block", "ny"},      {"block", "nz"}};
    for (size_t k = 0; k < sizeof counted / sizeof *counted; ++k) {
        int64_t least = k == 0 ? 1 : 2;
        const mo_param *param = mo_family_find(&mo_meshes, counted[k][0])->params;
        while (strcmp(param->name, counted[k][1]) != 0) {
            ++param;
        }
        assert_true(mo_range_contains(mo_range_parse(param->range), (double)least));
        assert_false(mo_range_contains(mo_range_parse(param->range), (double)least - 1));
    }
}

/* ---- building by hand, and without memory ---- */

static void a_mesh_has_a_limited_number_of_sets(void **state)
{
    (void)state;
    failing_allocator a;
    mo_memory memory = failing_memory(&a, -1);
    mo_mesh mesh = {.memory = &memory};
    mote_error error = {0};
    for (int k = 0; k < MO_NODE_SETS_MAX; ++k) {
        assert_int_equal(mo_mesh_add_to_set(&mesh, (char[]){(char)('a' + k), 0}, k, NULL), MOTE_OK);
    }
    assert_int_equal(mo_mesh_add_to_set(&mesh, "one more", 0, &error), MOTE_ERROR_USAGE);
    assert_int_equal(mo_mesh_add_to_set(&mesh, "c", 77, NULL), MOTE_OK);
    assert_int_equal(mo_mesh_set(&mesh, "c")->count, 2);
    assert_int_equal(mo_mesh_set(&mesh, "c")->nodes[1], 77);
    mo_mesh_release(&mesh);
    assert_all_given_back(&a, &memory);
}

static void reserved_capacity_needs_no_more_memory(void **state)
{
    (void)state;
    failing_allocator a;
    mo_memory memory = failing_memory(&a, -1);
    mo_mesh mesh = {.memory = &memory};
    assert_int_equal(mo_mesh_reserve(&mesh, 1000, 2000, 3000, NULL), MOTE_OK);
    int64_t calls = a.calls;
    for (int k = 0; k < 3000; ++k) {
        assert_true(k >= 1000 ||
                    mo_mesh_add_node(&mesh, mo_vec3_make(k, 0, 0), 1, NULL) == MOTE_OK);
        assert_true(k >= 2000 || mo_mesh_add_edge(&mesh, k, k + 1, MO_EDGE_BEND, NULL) == MOTE_OK);
        assert_int_equal(mo_mesh_add_triangle(&mesh, k, k + 1, k + 2, NULL), MOTE_OK);
    }
    assert_int_equal(a.calls, calls);
    mo_mesh_release(&mesh);
    assert_all_given_back(&a, &memory);
}

/* Every allocation of a build fails once: an error without leak. */
static void assert_build_survives_failures(const params *p)
{
    int64_t failures = 0;
    for (;; ++failures) {
        failing_allocator a;
        mo_memory memory = failing_memory(&a, failures);
        mo_mesh mesh;
        mote_error error = {0};
        mote_status status = mo_mesh_generate(method_of(p), &memory, &mesh, &error);
        if (!has_failed(&a)) {
            assert_int_equal(status, MOTE_OK);
            mo_mesh_release(&mesh);
            break;
        }
        assert_int_equal(status, MOTE_ERROR_MEMORY);
        assert_int_equal(error.status, MOTE_ERROR_MEMORY);
        assert_all_given_back(&a, &memory);
    }
    assert_true(failures > 4);
}

static void without_memory_a_build_leaves_nothing_behind(void **state)
{
    (void)state;
    mo_vec3 positions[30] = {{0, 0, 0}};
    int64_t edges[] = {0, 1, 1, 2};
    params p;
    make_points(&p, 30, positions, 4, edges);
    assert_build_survives_failures(&p);
    make_rope(&p, mo_vec3_make(0, 0, 0), mo_vec3_make(1, 0, 0), 40, true);
    assert_build_survives_failures(&p);
    make_cloth(&p, CLOTH_U, CLOTH_V, 8, 9, true, true);
    assert_build_survives_failures(&p);
    make_block(&p, mo_vec3_make(1, 1, 1), 4, 5, 3, true);
    assert_build_survives_failures(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ropes_have_the_right_counts_and_weights),
        cmocka_unit_test(a_rope_has_sets_of_its_ends),
        cmocka_unit_test(cloths_have_the_right_counts_and_weights),
        cmocka_unit_test(cloth_corners_have_the_shares_of_their_triangles),
        cmocka_unit_test(cloth_edges_have_the_lengths_of_their_kinds),
        cmocka_unit_test(cloth_triangles_tile_it_facing_one_way),
        cmocka_unit_test(cloth_sets_are_its_sides_and_corners),
        cmocka_unit_test(blocks_have_the_right_counts_weights_and_surface),
        cmocka_unit_test(block_sets_are_its_faces),
        cmocka_unit_test(points_lie_where_they_are_put),
        cmocka_unit_test(bad_ropes_and_cloths_are_refused),
        cmocka_unit_test(bad_blocks_are_refused),
        cmocka_unit_test(bad_points_are_refused),
        cmocka_unit_test(ranges_keep_out_too_few_nodes),
        cmocka_unit_test(a_mesh_has_a_limited_number_of_sets),
        cmocka_unit_test(reserved_capacity_needs_no_more_memory),
        cmocka_unit_test(without_memory_a_build_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
