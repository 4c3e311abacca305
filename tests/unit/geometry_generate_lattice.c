/*
 * Crystal lattices: number of points, distances, neighbours, periodicity; jitter; sizes by density.
 */
#include "test.h"

#include "failing_allocator.h"
#include "geometry/generate/generate.h"
#include "numbers.h"
#include "set_param.h"

static const struct {
    const char *kind;
    int each, neighbors; /* points per cell; nearest neighbours of each */
    double distance;     /* of these, in edges */
} KINDS[] = {{"sc", 1, 6, 1},
             {"bcc", 2, 8, 0.8660254037844386},
             {"fcc", 4, 12, 0.7071067811865476},
             {"diamond", 8, 4, 0.4330127018922193}};

enum { NX = 3, NY = 4, NZ = 5 };

static mo_mesh build(failing_allocator *allocator, mo_memory *memory, const char *kind,
                     double spacing, double density, double jitter)
{
    params p;
    mo_mesh mesh;
    *memory = failing_memory(allocator, -1);
    clear_params_of(&p, &mo_meshes, "lattice");
    memcpy(param_at(&p, "kind", MO_STRING, false), &kind, sizeof kind);
    set_int(&p, "nx", NX);
    set_int(&p, "ny", NY);
    set_int(&p, "nz", NZ);
    set_vec3(&p, "origin", mo_vec3_make(0, 0, 0));
    set_int(&p, "seed", 0);
    set_real(&p, "jitter", jitter);
    if (spacing > 0) {
        set_real(&p, "spacing", spacing);
    } else {
        set_real(&p, "number_density", density);
    }
    assert_int_equal(mo_mesh_generate(method_of(&p), memory, &mesh, NULL), MOTE_OK);
    return mesh;
}

/* The distance from a to b in a world with periods of NX, NY, NZ cells. */
static double periodic_distance(const double *a, const double *b, double cell)
{
    const int cells[3] = {NX, NY, NZ};
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        double d = b[k] - a[k], length = cells[k] * cell;
        d -= length * floor(d / length + 0.5);
        square += d * d;
    }
    return sqrt(square);
}

static void points_have_the_neighbours_of_the_crystal(void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        failing_allocator allocator;
        mo_memory memory;
        const double a = 1.7;
        mo_mesh mesh = build(&allocator, &memory, KINDS[k].kind, a, 0, 0);
        assert_int_equal(mesh.node_count, NX * NY * NZ * KINDS[k].each);
        assert_near(mesh.spacing, a * KINDS[k].distance, 1e-12);
        for (int64_t i = 0; i < mesh.node_count; ++i) {
            int found = 0;
            for (int64_t j = 0; j < mesh.node_count; ++j) {
                double r =
                    i == j ? 100 : periodic_distance(mesh.nodes + 3 * i, mesh.nodes + 3 * j, a);
                assert_true(r > a * KINDS[k].distance * (1 - 1e-9));
                found += r < a * KINDS[k].distance * (1 + 1e-9);
            }
            assert_int_equal(found, KINDS[k].neighbors);
        }
        mo_mesh_release(&mesh);
    }
}

static void densities_set_the_size(void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        failing_allocator allocator;
        mo_memory memory;
        mo_mesh mesh = build(&allocator, &memory, KINDS[k].kind, 0, 0.8442, 0);
        double cell = cbrt(KINDS[k].each / 0.8442);
        assert_near(mesh.spacing, cell * KINDS[k].distance, 1e-12);
        mo_mesh_release(&mesh);
    }
}

static void jitter_moves_points_by_at_most_so_much(void **state)
{
    (void)state;
    failing_allocator allocators[2];
    mo_memory memories[2];
    mo_mesh still = build(&allocators[0], &memories[0], "fcc", 1, 0, 0);
    mo_mesh shaken = build(&allocators[1], &memories[1], "fcc", 1, 0, 0.1);
    double most = 0, mean = 0;
    for (int64_t k = 0; k < 3 * still.node_count; ++k) {
        double d = shaken.nodes[k] - still.nodes[k];
        most = fmax(most, fabs(d));
        mean += d / (double)(3 * still.node_count);
    }
    assert_true(most <= 0.1 && most > 0.09);
    assert_near(mean, 0, 5 * 0.1 / sqrt(3.0 * 3 * (double)still.node_count));
    mo_mesh_release(&still);
    mo_mesh_release(&shaken);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_have_the_neighbours_of_the_crystal),
        cmocka_unit_test(densities_set_the_size),
        cmocka_unit_test(jitter_moves_points_by_at_most_so_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
