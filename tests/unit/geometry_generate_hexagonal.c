/*
 * Hexagonal close packing, verified by its neighbours; displacements; sizes.
 */
#include "test.h"

#include "failing_allocator.h"
#include "geometry/generate/generate.h"
#include "numbers.h"
#include "set_param.h"

static void make_hexagonal(params *p, double displacement, int64_t seed)
{
    clear_params_of(p, &mo_meshes, "hexagonal");
    set_int(p, "nx", 12);
    set_int(p, "ny", 11);
    set_int(p, "nz", 13);
    set_int(p, "seed", seed);
    set_real(p, "spacing", 1.5);
    set_real(p, "displacement", displacement);
    set_vec3(p, "origin", mo_vec3_make(-1, 2, 30));
    assert_int_equal(check_params(p, NULL), MOTE_OK);
}

static mo_mesh build_hexagonal(mo_memory *memory, double displacement, int64_t seed)
{
    params p;
    mo_mesh mesh;
    make_hexagonal(&p, displacement, seed);
    assert_int_equal(mo_mesh_generate(method_of(&p), memory, &mesh, NULL), MOTE_OK);
    assert_int_equal(mesh.node_count, 12 * 11 * 13);
    assert_int_equal(mo_mesh_set(&mesh, "all")->count, mesh.node_count);
    assert_int_equal(mesh.edge_count, 0);
    assert_int_equal(mesh.dimension, 0);
    assert_true(mesh.spacing == 1.5 && mesh.shares[77] == 1);
    return mesh;
}

static int64_t neighbors_of(const mo_mesh *mesh, int64_t node, double radius)
{
    int64_t count = 0;
    for (int64_t k = 0; k < mesh->node_count; ++k) {
        mo_vec3 d = mo_sub(mo_vec3_load(mesh->nodes + 3 * k), mo_vec3_load(mesh->nodes + 3 * node));
        count += k != node && mo_dot(d, d) <= radius * radius;
    }
    return count;
}

/* Twelve neighbours in the interior, fewer at the surface; the next are at sqrt 2. */
static void hexagonal_points_have_twelve_neighbours(void **state)
{
    (void)state;
    failing_allocator a;
    mo_memory memory = failing_memory(&a, -1);
    mo_mesh mesh = build_hexagonal(&memory, 0, 0);
    for (int k = 0; k < 3; ++k) {
        double radius = k == 0 ? 1.4999 : k == 1 ? 1.5001 : 1.5 * 1.414;
        int64_t full = 0;
        for (int64_t node = 0; node < mesh.node_count; ++node) {
            int64_t count = neighbors_of(&mesh, node, radius);
            assert_true(count <= (k == 0 ? 0 : 12));
            full += count == 12;
        }
        assert_int_equal(full, k == 0 ? 0 : 10 * 9 * 11);
    }
    for (int64_t k = 0; k < 3 * mesh.node_count; ++k) {
        assert_true(mesh.nodes[k] >= (k % 3 == 0 ? -1 : k % 3 == 1 ? 2 : 30));
    }
    assert_near_vec3(mo_vec3_load(mesh.nodes), mo_vec3_make(-1, 2, 30), 0);
    mo_mesh_release(&mesh);
    assert_all_given_back(&a, &memory);
}

/* Normal displacements of this variance, limited to the same length. */
static void displacements_have_their_variance_and_length(void **state)
{
    (void)state;
    failing_allocator a;
    mo_memory memory = failing_memory(&a, -1);
    mo_mesh rest = build_hexagonal(&memory, 0, 0), moved = build_hexagonal(&memory, 9, 4);
    mo_mesh again = build_hexagonal(&memory, 9, 4), other = build_hexagonal(&memory, 9, 5);
    double squares = 0, longest = 0;
    mo_vec3 sum = {0, 0, 0};
    for (int64_t k = 0; k < rest.node_count; ++k) {
        mo_vec3 d = mo_sub(mo_vec3_load(moved.nodes + 3 * k), mo_vec3_load(rest.nodes + 3 * k));
        sum = mo_add(sum, d);
        squares += mo_dot(d, d);
        longest = fmax(longest, mo_length(d));
    }
    /* a component's mean has a deviation of 3/sqrt(count) = 0.07 */
    double count = (double)rest.node_count;
    assert_near_vec3(mo_scale(1 / count, sum), mo_vec3_make(0, 0, 0), 0.4);
    assert_near(squares / (3 * count), 8.7, 0.5);
    assert_near(longest, 9, 1e-12);
    assert_memory_equal(moved.nodes, again.nodes, 3 * (size_t)rest.node_count * sizeof(double));
    assert_true(memcmp(moved.nodes, other.nodes, 3 * sizeof(double)) != 0);
    mo_mesh_release(&rest);
    mo_mesh_release(&moved);
    mo_mesh_release(&again);
    mo_mesh_release(&other);
    assert_all_given_back(&a, &memory);
}

static void packings_of_too_many_points_are_refused(void **state)
{
    (void)state;
    params p;
    make_hexagonal(&p, 0, 0);
    set_int(&p, "nx", 1000000000);
    assert_refused(&p, "nx");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hexagonal_points_have_twelve_neighbours),
        cmocka_unit_test(displacements_have_their_variance_and_length),
        cmocka_unit_test(packings_of_too_many_points_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
