/*
 * Signed distances of triangle meshes: compared with brute force, with closed forms, and on
 * degenerate meshes.
 */
#include "test.h"

#include "geometry/trimesh/check.h"
#include "geometry/trimesh/distance.h"
#include "numbers.h"
#include "surfaces.h"

typedef struct bench {
    mo_memory memory;
    mo_arena arena;
    mo_trimesh mesh;
    mo_trimesh_distance tree;
} bench;

static void open_bench(bench *b)
{
    memset(b, 0, sizeof *b);
    mo_memory_init(&b->memory, NULL);
    mo_arena_init(&b->arena, &b->memory);
}

static void build(bench *b)
{
    mote_error error = {0};
    if (mo_trimesh_distance_build(&b->mesh, "mesh", false, &b->arena, &b->tree, &error) !=
        MOTE_OK) {
        fail_msg("%s", error.text);
    }
}

static void close_bench(bench *b)
{
    mo_trimesh_release(&b->mesh);
    mo_arena_release(&b->arena);
    assert_int_equal(b->memory.bytes, 0);
}

static double signed_at(const bench *b, mo_vec3 x, mo_vec3 *normal)
{
    mo_trimesh_near near = mo_trimesh_nearest(&b->tree, x, -1);
    return mo_trimesh_signed(&b->tree, x, &near, normal);
}

/* The nearest point of a triangle by minimisation on a fine net: slow, and independent of
 * regions. */
static double dense_square(const mo_tree_triangle *t, mo_vec3 x)
{
    double u = 1 / 3.0, v = 1 / 3.0, step = 1 / 3.0, best = (double)INFINITY;
    while (step > 1e-13) {
        double bu = u, bv = v;
        for (int k = 0; k < 49; ++k) {
            double p = u + step * (k % 7 - 3) / 3, q = v + step * (k / 7 - 3) / 3;
            p = fmin(fmax(p, 0), 1);
            q = fmin(fmax(q, 0), 1 - p);
            mo_vec3 r = mo_sub(x, mo_add_scaled(mo_add_scaled(t->a, p, t->ab), q, t->ac));
            if (mo_dot(r, r) < best) {
                best = mo_dot(r, r);
                bu = p, bv = q;
            }
        }
        step *= bu == u && bv == v ? 0.5 : 1;
        u = bu, v = bv;
    }
    return best;
}

static void one_triangle_is_met_where_it_is_nearest(void **state)
{
    (void)state;
    uint64_t random = 7;
    int seen[MO_NEAR_KINDS] = {0};
    for (int k = 0; k < 300; ++k) {
        mo_tree_triangle t = {random_vec3(&random, 1), random_vec3(&random, 1),
                              random_vec3(&random, 1)};
        mo_vec3 x = random_vec3(&random, 2);
        int kind;
        mo_vec3 r = mo_sub(x, mo_triangle_nearest(&t, x, &kind));
        assert_near(sqrt(mo_dot(r, r)), sqrt(dense_square(&t, x)), 1e-7);
        seen[kind]++;
    }
    for (int k = 0; k < MO_NEAR_KINDS; ++k) {
        assert_true(seen[k] > 5);
    }
}

/* The tree agrees bitwise with brute force, with any hint. */
static void assert_tree_is_brute_force(const bench *b, uint64_t *random, double reach, int points)
{
    for (int k = 0; k < points; ++k) {
        mo_vec3 x = random_vec3(random, reach);
        double best = (double)INFINITY;
        int64_t which = -1;
        for (int64_t t = 0; t < b->mesh.triangles; ++t) {
            int kind;
            mo_vec3 r = mo_sub(x, mo_triangle_nearest(&b->tree.triangle[t], x, &kind));
            if (!mo_trimesh_is_flat(&b->mesh, t) && mo_dot(r, r) < best) {
                best = mo_dot(r, r);
                which = t;
            }
        }
        for (int hint = 0; hint < 3; ++hint) {
            mo_trimesh_near near = mo_trimesh_nearest(
                &b->tree, x, hint == 0 ? -1 : random_below(random, b->mesh.triangles));
            assert_true(same_bits(near.square, best));
            assert_int_equal(near.triangle, which);
        }
    }
}

/* The sign agrees with the winding number, away from rounding. */
static void assert_sides(const bench *b, uint64_t *random, double reach, int points)
{
    int inside = 0;
    for (int k = 0; k < points; ++k) {
        mo_vec3 x = random_vec3(random, reach);
        double d = signed_at(b, x, NULL), winding = mo_trimesh_winding(&b->tree, x);
        if (fabs(d) > 1e-9) {
            assert_near(winding, round(winding), 1e-6);
            assert_int_equal(d<0, winding> 0.5);
            inside += d < 0;
        }
    }
    assert_true(inside > 0 && inside < points);
}

static void trees_match_a_search_of_all_triangles(void **state)
{
    (void)state;
    uint64_t random = 8;
    static const int RINGS[] = {2, 3, 5, 9, 24};
    for (size_t k = 0; k < sizeof RINGS / sizeof *RINGS; ++k) {
        for (int rough = 0; rough < 3; ++rough) {
            bench b;
            open_bench(&b);
            make_ball_surface(&b.mesh, &b.memory, RINGS[k], 1, 0.3 * rough, (uint64_t)(k + 1));
            build(&b);
            assert_tree_is_brute_force(&b, &random, 2, 100);
            assert_sides(&b, &random, 1.2, 400);
            close_bench(&b);
        }
    }
}

static void every_number_of_triangles_makes_a_tree(void **state)
{
    (void)state;
    uint64_t random = 9;
    /* a triangle soup, without an inside */
    for (int triangles = 1; triangles < 140; ++triangles) {
        bench b;
        open_bench(&b);
        double x[9 * 140];
        int32_t corner[3 * 140];
        for (int k = 0; k < 9 * triangles; ++k) {
            x[k] = random_between(&random, -1, 1);
            corner[k / 3] = k / 3;
        }
        make_surface(&b.mesh, &b.memory, 3 * triangles, x, triangles, corner);
        assert_int_equal(mo_trimesh_distance_build(&b.mesh, "soup", true, &b.arena, &b.tree, NULL),
                         MOTE_OK);
        assert_true(b.tree.nodes <= triangles / 7 + 16);
        assert_tree_is_brute_force(&b, &random, 2, 20);
        close_bench(&b);
    }
}

/* A ball of facets lies between its sphere and one smaller by the height of an arc. */
static void balls_and_rings_have_the_distances_of_closed_forms(void **state)
{
    (void)state;
    uint64_t random = 10;
    bench b;
    open_bench(&b);
    make_ball_surface(&b.mesh, &b.memory, 64, 1, 0, 0);
    build(&b);
    double sag = 2 * (1 - cos(acos(-1.0) / 128)); /* two arcs across a quad */
    for (int k = 0; k < 3000; ++k) {
        mo_vec3 x = random_vec3(&random, 1.5), n;
        double d = signed_at(&b, x, &n), exact = mo_length(x) - 1;
        assert_true(d >= exact - 1e-12 && d <= exact + sag);
        assert_near(mo_length(n), 1, 1e-12);
        if (fabs(exact) > 0.1 && mo_length(x) > 0.3) {
            assert_true(mo_dot(n, x) > 0.98 * mo_length(x));
        }
    }
    close_bench(&b);
    open_bench(&b);
    make_ring_surface(&b.mesh, &b.memory, 160, 80, 1, 0.4);
    build(&b);
    for (int k = 0; k < 3000; ++k) {
        mo_vec3 x = random_vec3(&random, 1.6);
        double r = hypot(x.x, x.y) - 1, exact = hypot(r, x.z) - 0.4;
        assert_near(signed_at(&b, x, NULL), exact,
                    1.4 * (1 - cos(acos(-1.0) / 160)) + 0.4 * (1 - cos(acos(-1.0) / 80)));
    }
    close_bench(&b);
}

static void a_box_of_triangles_is_a_box(void **state)
{
    (void)state;
    uint64_t random = 11;
    bench b;
    open_bench(&b);
    mo_vec3 low = {-0.5, 0.25, -1}, high = {0.5, 1, 2};
    make_box_surface(&b.mesh, &b.memory, low, high);
    build(&b);
    for (int k = 0; k < 4000; ++k) {
        mo_vec3 x = mo_add(mo_vec3_make(0, 0.6, 0.5), random_vec3(&random, 2));
        double out[3] = {fmax(fmax(low.x - x.x, x.x - high.x), 0),
                         fmax(fmax(low.y - x.y, x.y - high.y), 0),
                         fmax(fmax(low.z - x.z, x.z - high.z), 0)};
        double in = fmax(fmax(fmax(low.x - x.x, x.x - high.x), fmax(low.y - x.y, x.y - high.y)),
                         fmax(low.z - x.z, x.z - high.z));
        double exact = in > 0 ? mo_length(mo_vec3_load(out)) : in;
        assert_near(signed_at(&b, x, NULL), exact, 1e-14);
    }
    /* above corners and edges, where face normals alone would fail */
    for (int k = 0; k < 8; ++k) {
        mo_vec3 corner = {k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z};
        for (int d = 0; d < 100; ++d) {
            mo_vec3 x = mo_add_scaled(corner, 1e-3, random_unit_vec3(&random));
            bool inside = x.x > low.x && x.y > low.y && x.z > low.z && x.x < high.x &&
                          x.y < high.y && x.z < high.z;
            assert_int_equal(signed_at(&b, x, NULL) < 0, inside);
        }
    }
    close_bench(&b);
}

/* ---- degenerate meshes ---- */

/* Spikes, far thinner than long, and sharp vertices from the inside. */
static void spikes_have_their_sides(void **state)
{
    (void)state;
    uint64_t random = 12;
    for (int k = 0; k < 20; ++k) {
        bench b;
        open_bench(&b);
        make_ball_surface(&b.mesh, &b.memory, 6 + k, 1, 0.95, (uint64_t)k);
        build(&b);
        assert_sides(&b, &random, 1.5, 1000);
        close_bench(&b);
    }
    static const double X[] = {0, 0, 0, 1, 0, 0, 1, 1e-4, 0, 1, 0, 1e-4};
    static const int32_t CORNER[] = {0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3};
    bench b;
    open_bench(&b);
    make_surface(&b.mesh, &b.memory, 4, X, 4, CORNER);
    build(&b);
    for (int k = 0; k < 2000; ++k) { /* along the needle */
        double s = random_between(&random, -0.1, 1.1);
        mo_vec3 x = mo_add(mo_vec3_make(s, 0, 0), random_vec3(&random, 1e-4));
        double d = signed_at(&b, x, NULL), winding = mo_trimesh_winding(&b.tree, x);
        assert_true(fabs(d) < 1e-12 || (d < 0) == (winding > 0.5));
    }
    close_bench(&b);
}

/* A box whose edge from corner 0 to corner 1 has a point on one side only, filled with a triangle
 * without area. */
static void flat_triangles_do_no_harm(void **state)
{
    (void)state;
    uint64_t random = 13;
    bench box, b;
    open_bench(&box);
    open_bench(&b);
    make_box_surface(&box.mesh, &box.memory, mo_vec3_make(0, 0, 0), mo_vec3_make(1, 1, 1));
    double x[27];
    int32_t corner[3 * 14];
    int64_t count = 0;
    memcpy(x, box.mesh.x, sizeof x - 3 * sizeof *x);
    x[24] = 0.3, x[25] = 0, x[26] = 0;
    for (int t = 0; t < 12; ++t) {
        const int32_t *c = box.mesh.corner + 3 * t;
        int at = -1;
        for (int k = 0; k < 3; ++k) {
            at = c[k] == 1 && c[(k + 1) % 3] == 0 ? k : at; /* the triangle that runs from 1 to 0 */
        }
        int32_t one[3] = {c[0], c[1], c[2]}, two[3] = {c[0], c[1], c[2]};
        if (at >= 0) {
            one[(at + 1) % 3] = 8;
            two[at] = 8;
            memcpy(corner + 3 * count++, two, sizeof two);
        }
        memcpy(corner + 3 * count++, one, sizeof one);
    }
    /* runs from 1 to 0 beside the other triangle, from 0 to 8 and 8 to 1 */
    int32_t flat[3] = {1, 0, 8};
    memcpy(corner + 3 * count++, flat, sizeof flat);
    make_surface(&b.mesh, &b.memory, 9, x, count, corner);
    assert_true(mo_trimesh_check(&b.mesh, "m", 0, NULL) != MOTE_OK);
    build(&box);
    build(&b);
    for (int k = 0; k < 4000; ++k) {
        mo_vec3 p = k % 2 ? mo_add(mo_vec3_make(0.5, 0.5, 0.5), random_vec3(&random, 1))
                          : mo_add(mo_vec3_make(random_between(&random, 0, 1), 0, 0),
                                   random_vec3(&random, 0.01));
        assert_near(signed_at(&b, p, NULL), signed_at(&box, p, NULL), 1e-14);
    }
    close_bench(&box);
    close_bench(&b);
}

/* Two boxes that share an edge: four triangles there, and two sheets in its ends. */
static void touching_solids_have_their_sides(void **state)
{
    (void)state;
    uint64_t random = 14;
    bench one, two, b;
    open_bench(&one);
    open_bench(&two);
    open_bench(&b);
    make_box_surface(&one.mesh, &one.memory, mo_vec3_make(-1, -1, -1), mo_vec3_make(0, 0, 1));
    make_box_surface(&two.mesh, &two.memory, mo_vec3_make(0, 0, -1), mo_vec3_make(1, 1, 1));
    double x[48];
    int32_t corner[72];
    memcpy(x, one.mesh.x, 24 * sizeof *x);
    memcpy(x + 24, two.mesh.x, 24 * sizeof *x);
    for (int k = 0; k < 36; ++k) {
        int32_t c = two.mesh.corner[k];
        corner[k] = one.mesh.corner[k];
        corner[36 + k] = c == 0 ? 3 : c == 4 ? 7 : 8 + c; /* (0, 0, -1) and (0, 0, 1) are shared */
    }
    make_surface(&b.mesh, &b.memory, 16, x, 24, corner);
    assert_true(mo_trimesh_check(&b.mesh, "m", MO_TRIMESH_PINCHED, NULL) != MOTE_OK);
    build(&one);
    build(&two);
    build(&b);
    for (int k = 0; k < 4000; ++k) {
        mo_vec3 p = random_vec3(&random, k % 2 ? 1.5 : 0.05);
        double d1 = signed_at(&one, p, NULL), d2 = signed_at(&two, p, NULL);
        assert_near(signed_at(&b, p, NULL), d1 < 0 || d2 < 0 ? fmin(d1, d2) : fmin(d1, d2), 1e-14);
    }
    close_bench(&one);
    close_bench(&two);
    close_bench(&b);
}

/* Invariance far from the origin and at other scales. */
static void sizes_and_places_do_not_matter(void **state)
{
    (void)state;
    uint64_t random = 15;
    static const double SCALE[] = {1e-6, 1e6}, OFFSET[] = {0, 1e3};
    for (int s = 0; s < 2; ++s) {
        for (int p = 0; p < 2; ++p) {
            bench a, b;
            open_bench(&a);
            open_bench(&b);
            make_ball_surface(&a.mesh, &a.memory, 12, 1, 0.5, 3);
            make_ball_surface(&b.mesh, &b.memory, 12, 1, 0.5, 3);
            for (int64_t k = 0; k < 3 * b.mesh.vertices; ++k) {
                b.mesh.x[k] = SCALE[s] * (b.mesh.x[k] + OFFSET[p]);
            }
            build(&a);
            build(&b);
            for (int k = 0; k < 500; ++k) {
                mo_vec3 x = random_vec3(&random, 2),
                        moved = mo_add(x, mo_vec3_make(OFFSET[p], OFFSET[p], OFFSET[p]));
                double d = signed_at(&a, x, NULL);
                if (fabs(d) > 1e-6) {
                    assert_near(signed_at(&b, mo_scale(SCALE[s], moved), NULL) / SCALE[s], d,
                                1e-11 * (1 + OFFSET[p]));
                }
            }
            close_bench(&a);
            close_bench(&b);
        }
    }
}

static void nan_has_no_distance(void **state)
{
    (void)state;
    bench b;
    open_bench(&b);
    make_box_surface(&b.mesh, &b.memory, mo_vec3_make(0, 0, 0), mo_vec3_make(1, 1, 1));
    build(&b);
    const double nan = (double)NAN;
    double points[12] = {nan, 0, 0, 0.5, 0.5, 0.25, 1, -(double)INFINITY, 1, 1e300, 0, 0}, d[4],
           n[12];
    mo_trimesh_distances(&b.tree, 4, points, d, n);
    assert_true(isnan(d[0]) && isnan(d[2]) && !(d[3] < 0));
    assert_near(d[1], -0.25, 1e-15);
    assert_near(mo_length(mo_vec3_load(n)), 1, 0);
    close_bench(&b);
}

/* ---- error messages ---- */

static void assert_fault(const mo_trimesh *mesh, unsigned allowed, const char *says)
{
    mote_error error = {0};
    assert_int_equal(mo_trimesh_check(mesh, "thing.obj", allowed, &error), MOTE_ERROR_INPUT);
    if (!strstr(error.text, says) || strncmp(error.text, "thing.obj: ", 11) != 0) {
        fail_msg("'%s' does not say '%s'", error.text, says);
    }
}

static void faults_are_found_and_named(void **state)
{
    (void)state;
    bench b;
    open_bench(&b);
    mo_trimesh *m = &b.mesh;
    make_box_surface(m, &b.memory, mo_vec3_make(0, 0, 0), mo_vec3_make(1, 1, 1));
    assert_int_equal(mo_trimesh_check(m, "thing.obj", 0, NULL), MOTE_OK);
    int32_t kept = m->corner[4];
    m->corner[4] = 8;
    assert_fault(m, ~0U, "triangle 1 has point 8 as a corner; allowed: 0 to 7");
    m->corner[4] = -1;
    assert_fault(m, ~0U, "triangle 1 has point -1");
    m->corner[4] = m->corner[3];
    assert_fault(m, 0, "triangle 1 at (0, 0, 0) has two identical corners; there is 1 such");
    m->corner[4] = kept;
    m->triangles = 11; /* the last, 1 7 5, is missing */
    assert_fault(m, 0, "the surface is open");
    m->triangles = 12;
    int32_t swap = m->corner[33];
    m->corner[33] = m->corner[34];
    m->corner[34] = swap;
    assert_fault(m, 0, "is reversed");
    m->corner[34] = m->corner[33];
    m->corner[33] = swap;
    for (int t = 0; t < 12; ++t) {
        swap = m->corner[3 * t];
        m->corner[3 * t] = m->corner[3 * t + 1];
        m->corner[3 * t + 1] = swap;
    }
    assert_fault(m, 0, "point inwards");
    assert_int_equal(mo_trimesh_check(m, "thing.obj", MO_TRIMESH_INSIDE_OUT, NULL), MOTE_OK);
    m->x[5] = (double)INFINITY;
    assert_fault(m, ~0U, "point 1 has the coordinate inf");
    m->x[5] = 0;
    m->triangles = 0;
    assert_fault(m, ~0U, "has no triangles");
    m->triangles = 12;
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_triangle_is_met_where_it_is_nearest),
        cmocka_unit_test(trees_match_a_search_of_all_triangles),
        cmocka_unit_test(every_number_of_triangles_makes_a_tree),
        cmocka_unit_test(balls_and_rings_have_the_distances_of_closed_forms),
        cmocka_unit_test(a_box_of_triangles_is_a_box),
        cmocka_unit_test(spikes_have_their_sides),
        cmocka_unit_test(flat_triangles_do_no_harm),
        cmocka_unit_test(touching_solids_have_their_sides),
        cmocka_unit_test(sizes_and_places_do_not_matter),
        cmocka_unit_test(nan_has_no_distance),
        cmocka_unit_test(faults_are_found_and_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
