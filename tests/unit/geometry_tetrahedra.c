/* Meshes of tetrahedra: counted by formula, right side out, closed, of the volume they should have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_cut_without_gaps),
        cmocka_unit_test(a_block_of_4096_nodes_has_16875_tetrahedra),
        cmocka_unit_test(cells_are_cut_in_two_ways_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
