/*
 * Tetrahedral meshes: counts by formula, orientation, closed surfaces, volumes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/generate/generate.h"
#include "geometry/mesh/quality.h"
#include "mesh_asserts.h"

static void make_block(params *p, int64_t nx, int64_t ny, int64_t nz, int64_t tetrahedra)
{
    clear_params_of(p, &mo_meshes, "block");
    set_vec3(p, "min", mo_vec3_make(-1, 0.5, 2));
    set_vec3(p, "max", mo_vec3_make(0.5, 2.5, 2.75));
    set_int(p, "nx", nx);
    set_int(p, "ny", ny);
    set_int(p, "nz", nz);
    set_bool(p, "shear", true);
    set_int(p, "tetrahedra", tetrahedra);
}

static void blocks_are_cut_without_gaps(void **state)
{
    (void)state;
    static const int64_t sizes[][3] = {{2, 2, 2}, {3, 2, 2}, {2, 4, 3}, {5, 3, 4}, {6, 7, 8}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        for (int64_t cut = 5; cut <= 6; ++cut) {
            const int64_t *n = sizes[s];
            params p;
            built b;
            make_block(&p, n[0], n[1], n[2], cut);
            build(&b, &p);
            int64_t x = n[0] - 1, y = n[1] - 1, z = n[2] - 1;
            int64_t axes = x * n[1] * n[2] + n[0] * y * n[2] + n[0] * n[1] * z;
            int64_t faces = n[0] * y * z + x * n[1] * z + x * y * n[2];
            assert_int_equal(b.mesh.tetrahedron_count, cut * x * y * z);
            assert_int_equal(b.mesh.edge_count, axes + faces + (cut == 6 ? x * y * z : 0));
            assert_int_equal(b.mesh.triangle_count, 4 * (x * y + y * z + z * x));
            assert_solid(&b.mesh);
            assert_near(tetrahedra_volume(&b.mesh), 1.5 * 2 * 0.75, 1e-13);
            assert_near(surface_area(&b.mesh), 2 * (1.5 * 2 + 2 * 0.75 + 0.75 * 1.5), 1e-13);
            release(&b);
        }
    }
}

/* The body on which schemes are compared. */
static void a_block_of_4096_nodes_has_16875_tetrahedra(void **state)
{
    (void)state;
    params p;
    built b;
    make_block(&p, 16, 16, 16, 5);
    build(&b, &p);
    assert_int_equal(b.mesh.node_count, 4096);
    assert_int_equal(b.mesh.tetrahedron_count, 16875);
    assert_int_equal(b.mesh.edge_count, 22320);
    assert_solid(&b.mesh);
    release(&b);
}

static void cells_are_cut_in_two_ways_only(void **state)
{
    (void)state;
    params p;
    make_block(&p, 3, 3, 3, 4);
    assert_refused(&p, "tetrahedra");
}

static int64_t set_size(const mo_mesh *mesh, const char *name)
{
    const mo_node_set *set = mo_mesh_set(mesh, name);
    assert_non_null(set);
    return set->count;
}

/* ---- beam ---- */

static void make_beam(params *p, mo_vec3 start, mo_vec3 end, mo_vec3 up)
{
    clear_params_of(p, &mo_meshes, "beam");
    set_vec3(p, "start", start);
    set_vec3(p, "end", end);
    set_vec3(p, "up", up);
    set_real(p, "width", 0.25);
    set_real(p, "height", 0.5);
    set_int(p, "segments", 7);
    set_int(p, "across", 2);
    set_int(p, "high", 3);
    set_int(p, "tetrahedra", 6);
}

static void beams_lie_anyhow_in_space(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int k = 0; k < 20; ++k) {
        mo_vec3 start = random_vec3(&random, 2), along = random_unit_vec3(&random);
        params p;
        built b;
        /* also along `up`, where another height direction is chosen */
        make_beam(&p, start, mo_add_scaled(start, 3, along),
                  k == 0 ? along : random_unit_vec3(&random));
        build(&b, &p);
        assert_int_equal(b.mesh.node_count, 8 * 3 * 4);
        assert_int_equal(b.mesh.tetrahedron_count, 6 * 7 * 2 * 3);
        assert_int_equal(set_size(&b.mesh, "start"), 12);
        assert_int_equal(set_size(&b.mesh, "end"), 12);
        assert_int_equal(set_size(&b.mesh, "top"), 8 * 3);
        assert_int_equal(set_size(&b.mesh, "bottom"), 8 * 3);
        assert_int_equal(set_size(&b.mesh, "left"), 8 * 4);
        assert_int_equal(set_size(&b.mesh, "right"), 8 * 4);
        assert_int_equal(set_size(&b.mesh, "all"), b.mesh.node_count);
        assert_solid(&b.mesh);
        assert_near(tetrahedra_volume(&b.mesh), 3 * 0.25 * 0.5, 1e-13);
        assert_near(surface_area(&b.mesh), 2 * (3 * 0.25 + 0.25 * 0.5 + 0.5 * 3), 1e-12);
        for (int64_t n = 0; n < 12; ++n) {
            mo_vec3 x = node(&b.mesh, mo_mesh_set(&b.mesh, "end")->nodes[n]);
            assert_near(mo_dot(mo_sub(x, start), along), 3, 1e-12);
        }
        release(&b);
    }
}

static void a_beam_along_x_has_its_top_above_and_its_left_at_y(void **state)
{
    (void)state;
    params p;
    built b;
    make_beam(&p, mo_vec3_make(0, 0, 0), mo_vec3_make(1, 0, 0), mo_vec3_make(0, 0, 1));
    build(&b, &p);
    assert_near(node(&b.mesh, mo_mesh_set(&b.mesh, "top")->nodes[0]).z, 0.25, 1e-15);
    assert_near(node(&b.mesh, mo_mesh_set(&b.mesh, "bottom")->nodes[0]).z, -0.25, 1e-15);
    assert_near(node(&b.mesh, mo_mesh_set(&b.mesh, "left")->nodes[0]).y, 0.125, 1e-15);
    release(&b);
    make_beam(&p, mo_vec3_make(1, 2, 3), mo_vec3_make(1, 2, 3), mo_vec3_make(0, 0, 1));
    assert_refused(&p, "end");
}

/* ---- ball, shell, rod ---- */

static const double PI = 3.14159265358979323846;

static void balls_are_round_and_made_of_good_tetrahedra(void **state)
{
    (void)state;
    double last = INFINITY;
    for (int64_t n = 1; n <= 16; n *= 2) {
        params p;
        built b;
        clear_params_of(&p, &mo_meshes, "ball");
        set_vec3(&p, "center", mo_vec3_make(1, -2, 3));
        set_real(&p, "radius", 2);
        set_int(&p, "layers", n);
        build(&b, &p);
        assert_int_equal(b.mesh.tetrahedron_count, 20 * n * n * n);
        assert_int_equal(b.mesh.triangle_count, 20 * n * n);
        assert_int_equal(set_size(&b.mesh, "surface"), 10 * n * n + 2);
        assert_int_equal(set_size(&b.mesh, "center"), 1);
        assert_solid(&b.mesh);
        for (int64_t k = 0; k < set_size(&b.mesh, "surface"); ++k) {
            mo_vec3 x = node(&b.mesh, mo_mesh_set(&b.mesh, "surface")->nodes[k]);
            assert_near(mo_length(mo_sub(x, mo_vec3_make(1, -2, 3))), 2, 1e-14);
        }
        /* the missing volume decreases with the square of the edge length */
        double lacks = 32 * PI / 3 - tetrahedra_volume(&b.mesh);
        assert_true(lacks > 0 && lacks < last / (n <= 2 ? 2 : 3.5));
        last = lacks;
        mo_mesh_quality q = mo_mesh_measure(&b.mesh);
        assert_true(q.angle_min > 37 && q.angle_max < 118.5);
        release(&b);
    }
}

static void make_shell(params *p, double thickness, int64_t detail, int64_t layers)
{
    clear_params_of(p, &mo_meshes, "shell");
    set_vec3(p, "center", mo_vec3_make(1, -2, 3));
    set_real(p, "radius", 2);
    set_real(p, "thickness", thickness);
    set_int(p, "detail", detail);
    set_int(p, "layers", layers);
}

static void shells_have_two_sides_and_membranes_one(void **state)
{
    (void)state;
    params p;
    built b;
    double sphere = 0;
    for (int64_t layers = 0; layers < 4; ++layers) {
        make_shell(&p, 0.5, 7, layers);
        build(&b, &p);
        assert_int_equal(b.mesh.node_count, 492 * (layers + 1));
        assert_int_equal(set_size(&b.mesh, "outer"), 492);
        assert_int_equal(b.mesh.triangle_count, 980 * (layers ? 2 : 1));
        assert_int_equal(b.mesh.tetrahedron_count, 3 * 980 * layers);
        if (layers == 0) {
            sphere = enclosed_volume(&b.mesh);
            assert_int_equal(b.mesh.dimension, 2);
            assert_closed(&b.mesh);
            assert_edges_are_unique(&b.mesh);
            assert_near(total_share(&b.mesh), surface_area(&b.mesh), 1e-11);
            /* inscribed: smaller, by less than 1 and 2 percent */
            assert_near(surface_area(&b.mesh) / (16 * PI), 0.995, 0.005);
            assert_near(sphere / (32 * PI / 3), 0.99, 0.01);
        } else {
            assert_int_equal(set_size(&b.mesh, "inner"), 492);
            assert_solid(&b.mesh);
            assert_near(tetrahedra_volume(&b.mesh), sphere * (1 - 0.75 * 0.75 * 0.75), 1e-11);
        }
        release(&b);
    }
    make_shell(&p, 2, 3, 1);
    assert_refused(&p, "thickness");
}

static void rods_are_round(void **state)
{
    (void)state;
    double last = INFINITY;
    for (int64_t rings = 1; rings <= 16; rings *= 2) {
        params p;
        built b;
        clear_params_of(&p, &mo_meshes, "rod");
        set_vec3(&p, "start", mo_vec3_make(1, 2, 3));
        set_vec3(&p, "end", mo_vec3_make(3, 1, 5));
        set_real(&p, "radius", 0.5);
        set_int(&p, "segments", 4);
        set_int(&p, "rings", rings);
        build(&b, &p);
        assert_int_equal(b.mesh.node_count, 5 * (1 + 3 * rings * (rings + 1)));
        assert_int_equal(b.mesh.tetrahedron_count, 4 * 3 * 6 * rings * rings);
        assert_int_equal(set_size(&b.mesh, "side"), 5 * 6 * rings);
        assert_int_equal(set_size(&b.mesh, "start"), set_size(&b.mesh, "end"));
        assert_solid(&b.mesh);
        double lacks = 3 * PI / 4 - tetrahedra_volume(&b.mesh);
        assert_true(lacks > 0 && lacks < last / 3.5);
        last = lacks;
        release(&b);
    }
}

/* ---- quality ---- */

static void a_regular_tetrahedron_measures_as_it_should(void **state)
{
    (void)state;
    failing_allocator a;
    mo_memory memory = failing_memory(&a, -1);
    mo_mesh mesh = {.memory = &memory};
    static const double corner[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    for (int k = 0; k < 4; ++k) {
        assert_int_equal(mo_mesh_add_node(&mesh, mo_vec3_load(corner[k]), 0, NULL), MOTE_OK);
    }
    assert_int_equal(mo_mesh_add_tetrahedron_oriented(&mesh, 0, 1, 2, 3, NULL), MOTE_OK);
    assert_int_equal(mo_mesh_finish_volume(&mesh, NULL), MOTE_OK);
    mo_mesh_quality q = mo_mesh_measure(&mesh);
    assert_near(q.angle_min, acos(1.0 / 3) * 180 / PI, 1e-10);
    assert_near(q.angle_max, acos(1.0 / 3) * 180 / PI, 1e-10);
    assert_near(q.size, 8.0 / 3, 1e-14);
    assert_near(q.edge_mean, sqrt(8), 1e-14);
    assert_int_equal(q.inverted, 0);
    int32_t swapped = mesh.tetrahedra[0];
    mesh.tetrahedra[0] = mesh.tetrahedra[1];
    mesh.tetrahedra[1] = swapped;
    q = mo_mesh_measure(&mesh);
    assert_int_equal(q.inverted, 1);
    assert_near(q.size_min, -8.0 / 3, 1e-14);
    mo_mesh_release(&mesh);
    assert_all_given_back(&a, &memory);
}

static void a_face_of_three_tetrahedra_is_refused_by_their_numbers(void **state)
{
    (void)state;
    failing_allocator a;
    mo_memory memory = failing_memory(&a, -1);
    mo_mesh mesh = {.memory = &memory};
    uint64_t random = 3;
    for (int k = 0; k < 6; ++k) {
        assert_int_equal(mo_mesh_add_node(&mesh, random_vec3(&random, 1), 0, NULL), MOTE_OK);
    }
    for (int k = 3; k < 6; ++k) {
        assert_int_equal(mo_mesh_add_tetrahedron_oriented(&mesh, 0, 1, 2, k, NULL), MOTE_OK);
    }
    mote_error error = {0};
    assert_int_equal(mo_mesh_finish_volume(&mesh, &error), MOTE_ERROR_INPUT);
    assert_non_null(strstr(error.text, "nodes are 0, 1 and 2"));
    assert_non_null(strstr(error.text, "0, 1 and 2 among them"));
    mo_mesh_release(&mesh);
    assert_all_given_back(&a, &memory);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static const char *const names[] = {"beam", "ball", "shell", "rod"};
    for (size_t m = 0; m < sizeof names / sizeof *names; ++m) {
        params p;
        if (m == 0) {
            make_beam(&p, mo_vec3_make(0, 0, 0), mo_vec3_make(1, 0, 0), mo_vec3_make(0, 0, 1));
        } else if (m == 2) {
            make_shell(&p, 0.5, 3, 2);
        } else {
            clear_params_of(&p, &mo_meshes, names[m]);
            set_real(&p, "radius", 0.2);
            set_int(&p, m == 1 ? "layers" : "segments", 3);
            if (m == 1) {
                set_vec3(&p, "center", mo_vec3_make(0, 0, 0));
            } else {
                set_int(&p, "rings", 2);
                set_vec3(&p, "start", mo_vec3_make(0, 0, 0));
                set_vec3(&p, "end", mo_vec3_make(0, 0, 1));
            }
        }
        bool failed = true;
        for (int64_t at = 0; failed; ++at) {
            failing_allocator a;
            mo_memory memory = failing_memory(&a, at);
            mo_mesh mesh;
            mote_status status = mo_mesh_generate(method_of(&p), &memory, &mesh, NULL);
            failed = has_failed(&a);
            assert_int_equal(status, failed ? MOTE_ERROR_MEMORY : MOTE_OK);
            if (status == MOTE_OK) {
                mo_mesh_release(&mesh);
            }
            assert_all_given_back(&a, &memory);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_cut_without_gaps),
        cmocka_unit_test(a_block_of_4096_nodes_has_16875_tetrahedra),
        cmocka_unit_test(cells_are_cut_in_two_ways_only),
        cmocka_unit_test(beams_lie_anyhow_in_space),
        cmocka_unit_test(a_beam_along_x_has_its_top_above_and_its_left_at_y),
        cmocka_unit_test(balls_are_round_and_made_of_good_tetrahedra),
        cmocka_unit_test(shells_have_two_sides_and_membranes_one),
        cmocka_unit_test(rods_are_round),
        cmocka_unit_test(a_regular_tetrahedron_measures_as_it_should),
        cmocka_unit_test(a_face_of_three_tetrahedra_is_refused_by_their_numbers),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
