/*
 * Isosurface stuffing: bounds of angles, volumes, closed outer faces; for round, toroidal,
 * sharp-edged and thin solids.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/generate/generate.h"
#include "geometry/mesh/quality.h"
#include "geometry/mesh/stuffing.h"
#include "mesh_asserts.h"

static const double PI = 3.14159265358979323846;

/* Labelle and Shewchuk 2007, theorem 2. */
static const double LEAST = 10.7843, MOST = 164.7352;

typedef struct solid {
    /* of a box; a ball's or ring's radius is half.x, the ring's other one half.y */
    mo_vec3 center, half;
    mo_vec3 axis; /* a box is rotated so that its z is along it */
} solid;

static void ball_distances(const void *context, int64_t count, const double *x, double *distance)
{
    const solid *s = context;
    for (int64_t k = 0; k < count; ++k) {
        distance[k] = mo_length(mo_sub(mo_vec3_load(x + 3 * k), s->center)) - s->half.x;
    }
}

static void ring_distances(const void *context, int64_t count, const double *x, double *distance)
{
    const solid *s = context;
    for (int64_t k = 0; k < count; ++k) {
        mo_vec3 p = mo_sub(mo_vec3_load(x + 3 * k), s->center);
        double across = sqrt(p.x * p.x + p.y * p.y) - s->half.x;
        distance[k] = sqrt(across * across + p.z * p.z) - s->half.y;
    }
}

static void box_distances(const void *context, int64_t count, const double *x, double *distance)
{
    const solid *s = context;
    mo_vec3 u = mo_perpendicular(s->axis), v = mo_cross(s->axis, u);
    for (int64_t k = 0; k < count; ++k) {
        mo_vec3 p = mo_sub(mo_vec3_load(x + 3 * k), s->center);
        double beyond[3] = {fabs(mo_dot(p, u)) - s->half.x, fabs(mo_dot(p, v)) - s->half.y,
                            fabs(mo_dot(p, s->axis)) - s->half.z};
        double outside = 0, inside = -INFINITY;
        for (int axis = 0; axis < 3; ++axis) {
            outside += beyond[axis] > 0 ? beyond[axis] * beyond[axis] : 0;
            inside = fmax(inside, beyond[axis]);
        }
        distance[k] = inside > 0 ? sqrt(outside) : inside;
    }
}

typedef struct filled {
    failing_allocator allocator;
    mo_memory memory;
    mo_mesh mesh;
    mo_mesh_quality quality;
} filled;

/* Fills a solid within a cube of half edge 1.2 about its centre. */
static void fill(filled *f, mo_distance_fn *distances, const solid *s, double spacing)
{
    mo_vec3 reach = {1.2, 1.2, 1.2};
    f->memory = failing_memory(&f->allocator, -1);
    f->mesh = (mo_mesh){.memory = &f->memory};
    mote_error error = {0};
    if (mo_stuff(&f->mesh, distances, s, mo_sub(s->center, reach), mo_add(s->center, reach),
                 spacing, &error)) {
        fail_msg("%s", error.text);
    }
    f->quality = mo_mesh_measure(&f->mesh);
}

static void release_filled(filled *f)
{
    mo_mesh_release(&f->mesh);
    assert_all_given_back(&f->allocator, &f->memory);
}

/* The guaranteed angles, and further properties of every mesh. */
static void assert_good(const filled *f)
{
    assert_int_equal(f->quality.inverted, 0);
    assert_true(f->quality.angle_min >= LEAST && f->quality.angle_max <= MOST);
    assert_near(total_share(&f->mesh), f->quality.size, 1e-10 * f->quality.size); /* long sums */
    assert_edges_are_unique(&f->mesh);
    assert_int_equal(mo_mesh_set(&f->mesh, "all")->count, f->mesh.node_count);
}

/* Outer nodes lie on the surface. */
static void assert_on_surface(const filled *f, mo_distance_fn *distances, const solid *s,
                              double allowed)
{
    const mo_node_set *surface = mo_mesh_set(&f->mesh, "surface");
    for (int64_t k = 0; k < surface->count; ++k) {
        double distance;
        distances(s, 1, f->mesh.nodes + 3 * (int64_t)surface->nodes[k], &distance);
        assert_near(distance, 0, allowed);
    }
}

static void balls_have_good_angles_and_their_volume(void **state)
{
    (void)state;
    uint64_t random = 5;
    double last = INFINITY;
    for (double spacing = 0.4; spacing > 0.04; spacing /= 2) {
        filled f;
        solid s = {.center = random_vec3(&random, 3), .half = {1, 1, 1}};
        fill(&f, ball_distances, &s, spacing);
        assert_good(&f);
        assert_solid(&f.mesh);
        assert_on_surface(&f, ball_distances, &s, 1e-9);
        /* the missing volume decreases with the square of the edge length */
        double lacks = 4 * PI / 3 - f.quality.size;
        assert_true(lacks > 0 && lacks < last / 3);
        last = lacks;
        release_filled(&f);
    }
    assert_true(last < 0.002 * 4 * PI / 3);
}

static void rings_keep_their_hole(void **state)
{
    (void)state;
    uint64_t random = 6;
    for (int k = 0; k < 5; ++k) {
        filled f;
        solid s = {.center = random_vec3(&random, 3), .half = {0.8, 0.3, 0}};
        fill(&f, ring_distances, &s, 0.08 + 0.01 * k);
        assert_good(&f);
        assert_solid(&f.mesh);
        assert_on_surface(&f, ring_distances, &s, 1e-8);
        assert_near(f.quality.size, 2 * PI * PI * 0.8 * 0.09, 0.04);
        /* Euler's number of a torus: nodes - edges + triangles of the surface is 0 */
        int64_t nodes = mo_mesh_set(&f.mesh, "surface")->count, triangles = f.mesh.triangle_count;
        assert_int_equal(nodes - triangles * 3 / 2 + triangles, 0);
        release_filled(&f);
    }
}

/* Edges are truncated by less than the lattice width, without bad elements. */
static void boxes_lose_no_more_than_their_edges(void **state)
{
    (void)state;
    uint64_t random = 7;
    for (int k = 0; k < 12; ++k) {
        filled f;
        double spacing = random_between(&random, 0.07, 0.15);
        solid s = {.center = random_vec3(&random, 3),
                   .half = {0.7, 0.5, 0.4},
                   .axis = random_unit_vec3(&random)};
        fill(&f, box_distances, &s, spacing);
        assert_good(&f);
        assert_solid(&f.mesh);
        double volume = 8 * 0.7 * 0.5 * 0.4, edges = 8 * (0.7 + 0.5 + 0.4);
        assert_true(f.quality.size <= volume + 1e-9);
        assert_true(f.quality.size >= volume - edges * 0.5 * spacing * spacing);
        release_filled(&f);
    }
}

/* A box aligned with lattice planes is exact. */
static void a_box_on_the_lattice_is_exact(void **state)
{
    (void)state;
    filled f;
    solid s = {.half = {1, 0.5, 0.7}, .axis = {0, 0, 1}};
    fill(&f, box_distances, &s, 0.1);
    assert_good(&f);
    assert_near(f.quality.size, 8 * 1 * 0.5 * 0.7, 1e-11); /* a long sum */
    release_filled(&f);
}

/* Plates of one to three lattice widths: elements stay good even where there are holes. */
static void thin_plates_have_no_bad_elements(void **state)
{
    (void)state;
    uint64_t random = 8;
    double spacing = 0.1;
    for (double thick = 1; thick <= 3; thick += 0.25) {
        filled f;
        solid s = {.center = random_vec3(&random, 1),
                   .half = {0.8, 0.8, 0.5 * thick * spacing},
                   .axis = random_unit_vec3(&random)};
        fill(&f, box_distances, &s, spacing);
        assert_good(&f);
        assert_true(f.quality.size <= 4 * 0.64 * thick * spacing + 1e-9);
        if (thick >= 2) { /* resolved */
            assert_solid(&f.mesh);
            assert_true(f.quality.size > 0.85 * 4 * 0.64 * thick * spacing);
        }
        release_filled(&f);
    }
}

static void too_small_values_are_refused(void **state)
{
    (void)state;
    failing_allocator a;
    mo_memory memory = failing_memory(&a, -1);
    mo_mesh mesh = {.memory = &memory};
    mote_error error = {0};
    solid s = {.center = {0.3, 0.3, 0.3}, .half = {0.01, 0, 0}};
    mo_vec3 low = {-1, -1, -1}, high = {1, 1, 1};
    assert_int_equal(mo_stuff(&mesh, ball_distances, &s, low, high, 0.5, &error), MOTE_ERROR_INPUT);
    assert_non_null(strstr(error.text, "spacing"));
    assert_non_null(strstr(error.text, "too coarse"));
    mo_mesh_release(&mesh);
    error = (mote_error){0};
    s.half.x = 1;
    assert_int_equal(mo_stuff(&mesh, ball_distances, &s, low, high, 1e-5, &error),
                     MOTE_ERROR_INPUT);
    assert_non_null(strstr(error.text, "1.6e+16 points; allowed: up to 1e+08"));
    mo_mesh_release(&mesh);
    assert_all_given_back(&a, &memory);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    solid s = {.half = {1, 1, 1}};
    mo_vec3 low = {-1, -1, -1}, high = {1, 1, 1};
    bool failed = true;
    for (int64_t at = 0; failed; ++at) {
        failing_allocator a;
        mo_memory memory = failing_memory(&a, at);
        mo_mesh mesh = {.memory = &memory};
        mote_status status = mo_stuff(&mesh, ball_distances, &s, low, high, 0.4, NULL);
        failed = has_failed(&a);
        assert_int_equal(status, failed ? MOTE_ERROR_MEMORY : MOTE_OK);
        mo_mesh_release(&mesh);
        assert_all_given_back(&a, &memory);
    }
}

/* ---- the method ---- */

static void fill_takes_a_file_or_a_shape(void **state)
{
    (void)state;
    params p;
    built b;
    clear_params_of(&p, &mo_meshes, "fill");
    set_real(&p, "spacing", 0.05);
    assert_refused(&p, "file, shape");
    const char *path = MOTE_SCENES "/meshes/torus.obj";
    memcpy(param_at(&p, "file", MO_FILE, false), &path, sizeof path);
    set_real(&p, "scale", 2);
    set_vec3(&p, "turned", mo_vec3_make(0, 0.5 * PI, 0));
    set_vec3(&p, "moved", mo_vec3_make(5, 0, 0));
    set_bool(&p, "skin", true);
    build(&b, &p);
    assert_solid(&b.mesh);
    /* the ring's axis is x now, and everything is twice as large: 2 pi^2 0.7 0.24^2 */
    assert_near(tetrahedra_volume(&b.mesh), 2 * PI * PI * 0.7 * 0.24 * 0.24, 0.02);
    for (int64_t k = 0; k < b.mesh.node_count; ++k) {
        assert_true(fabs(node(&b.mesh, k).x - 5) < 0.2401);
    }
    assert_int_equal(b.mesh.skin.vertices, 96 * 32);
    assert_int_equal(b.mesh.skin.triangles, 2 * 96 * 32);
    release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_have_good_angles_and_their_volume),
        cmocka_unit_test(rings_keep_their_hole),
        cmocka_unit_test(boxes_lose_no_more_than_their_edges),
        cmocka_unit_test(a_box_on_the_lattice_is_exact),
        cmocka_unit_test(thin_plates_have_no_bad_elements),
        cmocka_unit_test(too_small_values_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(fill_takes_a_file_or_a_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
