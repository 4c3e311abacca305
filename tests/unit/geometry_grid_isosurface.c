/*
 * Marching cubes: for any field the mesh is closed, manifold and oriented, at the zero level.
 */
#include "test.h"

#include "geometry/grid/cube_table.h"
#include "geometry/grid/isosurface.h"
#include "math/vec3.h"
#include "numbers.h"

#include <string.h>

enum { SIZE = 12, SEEDS = 4000 };

typedef struct bench {
    mo_memory memory;
    mo_pool *pool;
} bench;

static void open_bench(bench *b, int threads)
{
    mo_memory_init(&b->memory, NULL);
    assert_int_equal(mo_pool_create(&b->memory, threads, &b->pool, NULL), MOTE_OK);
}

static void close_bench(bench *b)
{
    mo_pool_destroy(b->pool);
    assert_int_equal(b->memory.bytes, 0);
}

/* A grid over the nodes [low, high], with a margin of one around them. */
static void make_grid(mo_sparse_grid *grid, mo_memory *memory, int64_t low, int64_t high,
                      double width)
{
    int64_t index;
    mo_sparse_grid_init(grid, memory, width);
    for (int32_t z = mo_grid_block_of(low - 1); z <= mo_grid_block_of(high + 1); ++z) {
        for (int32_t y = mo_grid_block_of(low - 1); y <= mo_grid_block_of(high + 1); ++y) {
            for (int32_t x = mo_grid_block_of(low - 1); x <= mo_grid_block_of(high + 1); ++x) {
                assert_int_equal(mo_sparse_grid_add(grid, (mo_grid_block){{x, y, z}}, &index, NULL),
                                 MOTE_OK);
            }
        }
    }
    assert_int_equal(mo_sparse_grid_reserve_values(grid, NULL), MOTE_OK);
}

typedef float field_fn(void *context, int64_t i, int64_t j, int64_t k);

static void fill_grid(mo_sparse_grid *grid, int64_t low, int64_t high, field_fn *field,
                      void *context)
{
    for (int64_t n = 0; n < grid->count * MO_GRID_NODES; ++n) {
        int node = (int)(n % MO_GRID_NODES);
        const int32_t *at = grid->block[n / MO_GRID_NODES].at;
        int64_t i = at[0] * 8 + node % 8, j = at[1] * 8 + node / 8 % 8, k = at[2] * 8 + node / 64;
        bool in = i >= low && j >= low && k >= low && i <= high && j <= high && k <= high;
        grid->value[n] = in ? field(context, i, j, k) : -1;
    }
}

/* Properties of every mesh. */
static mo_trimesh_report assert_sound(bench *b, mo_trimesh *mesh)
{
    mo_trimesh_report report;
    mo_fans fans;
    assert_int_equal(mo_fans_make(mesh, &fans, NULL), MOTE_OK);
    assert_int_equal(mo_trimesh_examine(mesh, &fans, b->pool, &report, NULL), MOTE_OK);
    mo_fans_release(&fans);
    assert_int_equal(report.bad_vertices, 0);
    assert_int_equal(report.flat, 0);
    return report;
}

/* ---- the table ---- */

static int faces_of(int edge)
{
    int axis = edge / 4;
    return 1 << (2 * ((axis + 1) % 3) + (edge & 1)) | 1 << (2 * ((axis + 2) % 3) + (edge >> 1 & 1));
}

/* In every case: exactly the crossed edges are used, sides shared by two triangles have opposite
 * directions, and only sides in a face of the cell have one triangle. A diagonal in a face would
 * be shared with the next cell. */
static void the_table_has_no_diagonal_in_a_face(void **state)
{
    (void)state;
    static mo_cube_table table;
    mo_cube_table_make(&table);
    for (int inside = 0; inside < 256; ++inside) {
        const mo_cube_case *c = &table.cases[inside];
        int side[12][12] = {{0}}, used = 0, crossed = 0;
        assert_in_range(c->count, 0, MO_CUBE_TRIANGLES_MAX);
        for (int t = 0; t < c->count; ++t) {
            for (int k = 0; k < 3; ++k) {
                ++side[c->edge[t][k]][c->edge[t][(k + 1) % 3]];
                used |= 1 << c->edge[t][k];
            }
        }
        for (int edge = 0; edge < 12; ++edge) {
            int base = table.base[edge], other = base | 1 << edge / 4;
            crossed |= ((inside >> base ^ inside >> other) & 1) << edge;
            for (int to = 0; to < 12; ++to) {
                bool in_face = faces_of(edge) & faces_of(to);
                assert_true(side[edge][to] <= 1);
                assert_true(in_face ? !(side[edge][to] && side[to][edge])
                                    : side[edge][to] == side[to][edge]);
            }
        }
        assert_int_equal(used, crossed);
    }
}

/* ---- any field ---- */

static float random_sign(void *context, int64_t i, int64_t j, int64_t k)
{
    (void)i, (void)j, (void)k;
    return random_bits(context) & 1 ? 1.0F : -1.0F;
}

static float random_value(void *context, int64_t i, int64_t j, int64_t k)
{
    (void)i, (void)j, (void)k;
    double value = random_between(context, -1, 1);
    switch (random_below(context, 6)) {
    case 0:
        return 0;
    case 1:
        return (float)(1e-30 * value);
    case 2:
        return (float)(1e30 * value);
    default:
        return (float)value;
    }
}

static void random_fields_are_closed(void **state)
{
    (void)state;
    bench b;
    open_bench(&b, 1);
    int64_t triangles = 0;
    for (uint64_t seed = 0; seed < SEEDS; ++seed) {
        mo_sparse_grid grid;
        mo_trimesh mesh;
        uint64_t random = seed;
        int64_t low = (int64_t)(seed % 23) - 11, high = low + 1 + (int64_t)(seed % SIZE);
        mo_trimesh_init(&mesh, &b.memory);
        make_grid(&grid, &b.memory, low, high, 0.1);
        fill_grid(&grid, low, high, seed % 2 ? random_sign : random_value, &random);
        assert_int_equal(mo_isosurface_extract(&grid, b.pool, &mesh, NULL), MOTE_OK);
        mo_trimesh_report report = assert_sound(&b, &mesh);
        assert_true(mesh.triangles == 0 || report.volume > 0);
        triangles += mesh.triangles;
        mo_trimesh_release(&mesh);
        mo_sparse_grid_release(&grid);
    }
    assert_true(triangles > 1000000);
    close_bench(&b);
}

/* All 2^8 cells, alone and with all neighbours outside. */
static float cell_corner(void *context, int64_t i, int64_t j, int64_t k)
{
    return *(int *)context >> (i + 2 * j + 4 * k) & 1 ? 1.0F : -1.0F;
}

static void every_cell_is_closed(void **state)
{
    (void)state;
    bench b;
    open_bench(&b, 1);
    for (int inside = 1; inside < 256; ++inside) {
        mo_sparse_grid grid;
        mo_trimesh mesh;
        mo_trimesh_init(&mesh, &b.memory);
        make_grid(&grid, &b.memory, 0, 1, 1);
        fill_grid(&grid, 0, 1, cell_corner, &inside);
        assert_int_equal(mo_isosurface_extract(&grid, b.pool, &mesh, NULL), MOTE_OK);
        assert_true(assert_sound(&b, &mesh).volume > 0);
        mo_trimesh_release(&mesh);
        mo_sparse_grid_release(&grid);
    }
    close_bench(&b);
}

/* ---- a known surface ---- */

enum { BALL_RADIUS = 20 };

static float ball(void *context, int64_t i, int64_t j, int64_t k)
{
    (void)context;
    return (float)(BALL_RADIUS - sqrt((double)(i * i + j * j + k * k)));
}

static void a_ball_is_where_it_is(void **state)
{
    (void)state;
    bench b;
    mo_sparse_grid grid;
    mo_trimesh mesh;
    open_bench(&b, 2);
    mo_trimesh_init(&mesh, &b.memory);
    make_grid(&grid, &b.memory, -25, 25, 0.5);
    fill_grid(&grid, -25, 25, ball, NULL);
    assert_int_equal(mo_isosurface_extract(&grid, b.pool, &mesh, NULL), MOTE_OK);
    mo_trimesh_report report = assert_sound(&b, &mesh);
    double r = 0.5 * BALL_RADIUS, pi = 3.14159265358979;
    assert_int_equal(report.euler, 2);
    assert_near(report.volume / (4 * pi * r * r * r / 3), 1, 0.003);
    assert_near(report.area / (4 * pi * r * r), 1, 0.005);
    for (int64_t v = 0; v < mesh.vertices; ++v) {
        mo_vec3 x = mo_vec3_load(mesh.x + 3 * v);
        /* vertices are at least 1/64 of a cell from nodes */
        assert_near(mo_length(x), r, 0.5 / 50);
        assert_true(mo_dot(mo_scale(1 / r, x), mo_vec3_load(mesh.normal + 3 * v)) > 0.999);
    }
    mo_trimesh_release(&mesh);
    mo_sparse_grid_release(&grid);
    close_bench(&b);
}

/* ---- mesh examination ---- */

static int64_t bad_vertices_of(const int32_t *corner, int64_t vertices, int64_t triangles)
{
    bench b;
    mo_trimesh mesh;
    mo_trimesh_report report;
    mo_fans fans;
    open_bench(&b, 1);
    mo_trimesh_init(&mesh, &b.memory);
    assert_int_equal(mo_trimesh_reserve(&mesh, vertices, triangles, NULL), MOTE_OK);
    memcpy(mesh.corner, corner, 3 * (size_t)triangles * sizeof *corner);
    assert_int_equal(mo_fans_make(&mesh, &fans, NULL), MOTE_OK);
    assert_int_equal(mo_trimesh_examine(&mesh, &fans, b.pool, &report, NULL), MOTE_OK);
    mo_fans_release(&fans);
    mo_trimesh_release(&mesh);
    close_bench(&b);
    return report.bad_vertices;
}

static void holes_folds_and_touching_sheets_are_detected(void **state)
{
    (void)state;
    const int32_t closed[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    const int32_t turned[] = {0, 1, 2, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    const int32_t touching[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3,
                                0, 5, 4, 0, 4, 6, 4, 5, 6, 5, 0, 6};
    const int32_t thick[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3,
                             0, 4, 1, 0, 1, 5, 1, 4, 5, 4, 0, 5};
    assert_int_equal(bad_vertices_of(closed, 4, 4), 0);
    /* a hole; the fourth vertex still has a ring */
    assert_int_equal(bad_vertices_of(closed, 4, 3), 3);
    assert_int_equal(bad_vertices_of(turned, 4, 4), 3);   /* a reversed triangle */
    assert_int_equal(bad_vertices_of(touching, 7, 8), 1); /* two tetrahedra share a vertex */
    assert_int_equal(bad_vertices_of(thick, 6, 8), 2);    /* two tetrahedra share an edge */
    assert_int_equal(bad_vertices_of(closed, 5, 4), 1);   /* a vertex without triangles */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_has_no_diagonal_in_a_face),
        cmocka_unit_test(random_fields_are_closed),
        cmocka_unit_test(every_cell_is_closed),
        cmocka_unit_test(a_ball_is_where_it_is),
        cmocka_unit_test(holes_folds_and_touching_sheets_are_detected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
