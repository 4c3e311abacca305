/*
 * Filling shapes with lattices: counts and positions in boxes, volumes elsewhere, neighbours of
 * dense lattices, culling.
 */
#include "test.h"

#include "geometry/grid/point_grid.h"
#include "geometry/shape/filling.h"
#include "numbers.h"
#include "set_param.h"

#define PI 3.14159265358979323846

typedef struct bench {
    mo_memory memory;
    mo_fill_points points;
} bench;

static void open_bench(bench *b)
{
    mo_memory_init(&b->memory, NULL);
    mo_fill_points_init(&b->points, &b->memory);
}

static void close_bench(bench *b)
{
    mo_fill_points_release(&b->points);
    assert_int_equal(b->memory.bytes, 0);
}

static void make_box(params *p, mo_vec3 low, mo_vec3 high)
{
    clear_params_of(p, &mo_shapes, "box");
    set_vec3(p, "min", low);
    set_vec3(p, "max", high);
}

static void make_ball(params *p, mo_vec3 center, double radius)
{
    clear_params_of(p, &mo_shapes, "sphere");
    set_vec3(p, "center", center);
    set_real(p, "radius", radius);
}

static void fill(bench *b, const params *p, const mo_filling *how)
{
    mote_error error = {0};
    if (mo_fill_shape(method_of(p), how, &b->points, &error) != MOTE_OK) {
        fail_msg("%s", error.text);
    }
}

static mo_vec3 point_at(const bench *b, int64_t k)
{
    return mo_vec3_load(b->points.x + 3 * k);
}

static double nearest_pair(const bench *b, double width)
{
    mo_point_grid grid;
    mo_memory memory;
    double least = (double)INFINITY, square;
    mo_memory_init(&memory, NULL);
    mo_point_grid_init(&grid, &memory, width);
    for (int64_t k = 0; k < b->points.count; ++k) {
        least = mo_point_grid_nearest(&grid, point_at(b, k), width, &square) >= 0
                    ? fmin(least, square)
                    : least;
        assert_int_equal(mo_point_grid_add(&grid, point_at(b, k), NULL), MOTE_OK);
    }
    mo_point_grid_release(&grid);
    return sqrt(least);
}

static void boxes_are_filled_half_a_spacing_from_their_walls(void **state)
{
    (void)state;
    bench b;
    params p;
    open_bench(&b);
    mo_filling how = mo_filling_make(0.1, 3);
    make_box(&p, mo_vec3_make(1, 2, 3), mo_vec3_make(1.5, 2.3, 3.25)); /* 2.5 layers high: two */
    fill(&b, &p, &how);
    assert_int_equal(b.points.count, 5 * 3 * 2);
    for (int k = 0; k < 30; ++k) {
        mo_vec3 expected = {1.05 + 0.1 * (k % 5), 2.05 + 0.1 * (k / 5 % 3), 3.05 + 0.1 * (k / 15)};
        assert_near_vec3(point_at(&b, k), expected, 1e-14);
    }
    close_bench(&b);
}

/* The fluid of the dam breaks: (i, j, k) D with i, j, k from 1. */
static void dams_begin_at_one_spacing(void **state)
{
    (void)state;
    static const struct {
        double size[3];
        int64_t count[3];
    } DAMS[] = {{{2, 2, 1.6}, {40, 40, 32}},
                {{3.2, 3.2, 2.45}, {64, 64, 49}},
                {{5, 5, 5}, {100, 100, 100}}};
    for (int d = 0; d < 3; ++d) {
        bench b;
        params p;
        open_bench(&b);
        mo_filling how = mo_filling_make(0.05, 3);
        how.offset = mo_vec3_make(1, 1, 1);
        make_box(&p, mo_vec3_make(0, 0, 0), mo_vec3_load(DAMS[d].size));
        fill(&b, &p, &how);
        const int64_t *n = DAMS[d].count;
        assert_int_equal(b.points.count, n[0] * n[1] * n[2]);
        for (int64_t row = 0; row < b.points.count; row += 997) {
            mo_vec3 expected = {0.05 * (double)(1 + row % n[0]),
                                0.05 * (double)(1 + row / n[0] % n[1]),
                                0.05 * (double)(1 + row / n[0] / n[1])};
            assert_near_vec3(point_at(&b, row), expected, 1e-14);
        }
        close_bench(&b);
    }
}

/* Sides that are multiples of the spacing have that number of points despite rounding. */
static void rounding_loses_no_layer(void **state)
{
    (void)state;
    for (int layers = 1; layers < 200; ++layers) {
        bench b;
        params p;
        open_bench(&b);
        mo_filling how = mo_filling_make(0.1, 3);
        double start = 0.1 * 3; /* 0.30000000000000004 */
        make_box(&p, mo_vec3_make(start, -7.7, 0), mo_vec3_make(start + 0.1 * layers, -7.6, 0.1));
        fill(&b, &p, &how);
        assert_int_equal(b.points.count, layers);
        close_bench(&b);
    }
}

static void other_shapes_are_filled_by_volume(void **state)
{
    (void)state;
    static const mo_fill_lattice LATTICES[] = {MO_FILL_CUBIC, MO_FILL_DENSE};
    for (int k = 0; k < 2; ++k) {
        for (int dimension = 2; dimension <= 3; ++dimension) {
            bench b;
            params p;
            open_bench(&b);
            double spacing = dimension == 2 ? 0.004 : 0.02; /* 125 and 25 in a radius */
            mo_filling how = mo_filling_make(spacing, dimension);
            how.lattice = LATTICES[k];
            mo_vec3 center = {0.1, 0.2, dimension == 2 ? 0 : 0.3};
            make_ball(&p, center, 0.5);
            fill(&b, &p, &how);
            double volume = dimension == 2 ? PI * 0.25 : PI / 6;
            assert_near((double)b.points.count * pow(spacing, dimension), volume, 0.005 * volume);
            mo_vec3 sum = {0, 0, 0};
            for (int64_t row = 0; row < b.points.count; ++row) {
                mo_vec3 r = mo_sub(point_at(&b, row), center);
                assert_true(mo_length(r) <= 0.5 + 1e-7);
                assert_true(dimension == 3 || point_at(&b, row).z == 0);
                sum = mo_add(sum, r);
            }
            assert_near_vec3(mo_scale(1 / (double)b.points.count, sum), mo_vec3_make(0, 0, 0),
                             0.05 * spacing);
            close_bench(&b);
        }
    }
}

/* Six neighbours at the same distance in the hexagonal lattice, twelve in the face-centred cubic
 * one. */
static void dense_lattices_have_their_neighbours(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension) {
        bench b;
        params p;
        open_bench(&b);
        mo_filling how = mo_filling_make(0.1, dimension);
        how.lattice = MO_FILL_DENSE;
        make_box(&p, mo_vec3_make(0, 0, dimension == 2 ? -1 : 0), mo_vec3_make(2, 2, 1));
        fill(&b, &p, &how);
        double side = dimension == 2 ? 0.1 * sqrt(2 / sqrt(3.0)) : 0.1 * pow(2, 1 / 6.0);
        assert_near(nearest_pair(&b, 0.2), side, 1e-12);
        int64_t middle = -1;
        double best = (double)INFINITY;
        for (int64_t k = 0; k < b.points.count; ++k) {
            double d =
                mo_length(mo_sub(point_at(&b, k), mo_vec3_make(1, 1, dimension == 2 ? 0 : 0.5)));
            middle = d < best ? k : middle;
            best = fmin(best, d);
        }
        int neighbours = 0;
        for (int64_t k = 0; k < b.points.count; ++k) {
            double d = mo_length(mo_sub(point_at(&b, k), point_at(&b, middle)));
            neighbours += k != middle && d < 1.01 * side;
        }
        assert_int_equal(neighbours, dimension == 2 ? 6 : 12);
        close_bench(&b);
    }
}

static void planes_and_nothing_cannot_be_filled(void **state)
{
    (void)state;
    bench b;
    params p;
    mote_error error = {0};
    open_bench(&b);
    mo_filling how = mo_filling_make(0.1, 3);
    clear_params_of(&p, &mo_shapes, "plane");
    set_vec3(&p, "point", mo_vec3_make(0, 0, 0));
    set_vec3(&p, "normal", mo_vec3_make(0, 0, 1));
    assert_int_equal(mo_fill_shape(method_of(&p), &how, &b.points, &error), MOTE_ERROR_INPUT);
    assert_non_null(strstr(error.text, "a plane is unbounded"));
    make_ball(&p, mo_vec3_make(0, 0, 0), 1);
    how.spacing = 1e-5;
    assert_int_equal(mo_fill_shape(method_of(&p), &how, &b.points, &error), MOTE_ERROR_INPUT);
    assert_non_null(strstr(error.text, "use a larger spacing"));
    how.spacing = -1;
    assert_int_equal(mo_fill_shape(method_of(&p), &how, &b.points, &error), MOTE_ERROR_INPUT);
    how = mo_filling_make(0.1, 2);
    make_ball(&p, mo_vec3_make(0, 0, 5), 1); /* the plane z = 0 does not intersect it */
    fill(&b, &p, &how);
    assert_int_equal(b.points.count, 0);
    close_bench(&b);
}

/* A capsule that counts its queries. */
typedef struct rod {
    mo_vec3 from, to;
    double radius;
    int64_t *asked;
} rod;

static void rod_distances(const void *of, int64_t count, const double *points, double *distance,
                          double *normal)
{
    const rod *r = of;
    mo_vec3 axis = mo_sub(r->to, r->from);
    assert_null(normal);
    *r->asked += count;
    for (int64_t k = 0; k < count; ++k) {
        mo_vec3 x = mo_sub(mo_vec3_load(points + 3 * k), r->from);
        double part = fmin(fmax(mo_dot(x, axis) / mo_dot(axis, axis), 0), 1);
        distance[k] = mo_length(mo_add_scaled(x, -part, axis)) - r->radius;
    }
}

static bool rod_bounds(const void *of, mo_vec3 *min, mo_vec3 *max)
{
    const rod *r = of;
    mo_vec3 thick = mo_vec3_make(r->radius, r->radius, r->radius);
    *min = mo_sub(r->from, thick);
    *max = mo_add(r->to, thick);
    return true;
}

static const mo_shape_type ROD = {.base = {.name = "rod", .param_size = sizeof(rod)},
                                  .distances = rod_distances,
                                  .bounds = rod_bounds};

/* Three spacings thick and 4000 long, across a box of 1e10 points, such as a mesh with one
 * distant vertex. */
static void cost_grows_with_the_shape_and_not_with_its_bounds(void **state)
{
    (void)state;
    bench b;
    int64_t asked = 0;
    rod r = {mo_vec3_make(0, 0, 0), mo_vec3_make(2409, 2207, 2311.7), 1.5, &asked};
    mo_filling how = mo_filling_make(1, 3);
    mote_error error = {0};
    open_bench(&b);
    mote_status status = mo_fill_shape((mo_method){&ROD.base, &r}, &how, &b.points, &error);
    assert_string_equal(error.text, "");
    assert_int_equal(status, MOTE_OK);
    double length = mo_length(r.to), volume = PI * 1.5 * 1.5 * (length + 2);
    assert_near((double)b.points.count, volume, 0.02 * volume);
    assert_true((double)asked < 100 * length);
    for (int64_t k = 1; k < b.points.count; ++k) {
        mo_vec3 p = point_at(&b, k - 1), q = point_at(&b, k);
        assert_true(p.z < q.z || (p.z == q.z && (p.y < q.y || (p.y == q.y && p.x < q.x))));
    }
    close_bench(&b);
}

/* Exactly the lattice points inside a shape. */
static void no_point_inside_is_missed(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension) {
        bench b;
        int64_t asked = 0, expected = 0;
        rod r = {mo_vec3_make(0.3, -1.1, 0), mo_vec3_make(9.2, 5.7, dimension == 2 ? 0 : 3.3), 2.7,
                 &asked};
        mo_filling how = mo_filling_make(0.37, dimension);
        mo_method shape = {&ROD.base, &r};
        open_bench(&b);
        assert_int_equal(mo_fill_shape(shape, &how, &b.points, NULL), MOTE_OK);
        mo_vec3 first = point_at(&b, 0);
        for (int64_t n = 0; n < 101 * 101 * (dimension == 2 ? 1 : 101); ++n) {
            double x[3] = {first.x + 0.37 * (double)(n % 101 - 50),
                           first.y + 0.37 * (double)(n / 101 % 101 - 50),
                           first.z + (dimension == 2 ? 0 : 0.37 * (double)(n / 10201 - 50))};
            double distance;
            mo_shape_distances(shape, 1, x, &distance, NULL);
            expected += distance <= 1e-6 * 0.37;
        }
        assert_true(expected > 300);
        assert_int_equal(b.points.count, expected);
        close_bench(&b);
    }
}

/* Points beyond the maximum are counted, not created. */
static void points_are_counted_before_they_are_made(void **state)
{
    (void)state;
    bench b;
    params p;
    int64_t asked = 0;
    rod r = {mo_vec3_make(0, 0, 0), mo_vec3_make(4e6, 4e6, 4e6), 5e4, &asked};
    mote_error error = {0};
    open_bench(&b);
    mo_filling how = mo_filling_make(1, 3);
    assert_int_equal(mo_fill_shape((mo_method){&ROD.base, &r}, &how, &b.points, &error),
                     MOTE_ERROR_INPUT);
    assert_non_null(
        strstr(error.text, "particles with a spacing of 1 m; allowed: up to 2e+09; use a larger"));
    assert_true(asked < 1000000);
    make_box(&p, mo_vec3_make(0, 0, 0), mo_vec3_make(2000, 2000, 2000));
    assert_int_equal(mo_fill_shape(method_of(&p), &how, &b.points, &error), MOTE_ERROR_INPUT);
    assert_non_null(strstr(error.text, "about 8e+09 particles"));
    make_box(&p, mo_vec3_make(-1e308, 0, 0), mo_vec3_make(1e308, 1, 1));
    assert_int_equal(mo_fill_shape(method_of(&p), &how, &b.points, &error), MOTE_ERROR_INPUT);
    assert_non_null(strstr(error.text, "it is inf spacings of 1 m long"));
    r = (rod){mo_vec3_make(0, 0, 0), mo_vec3_make(1e9, 1e9, 1e9), 0.1,
              &asked}; /* few points, large surface */
    asked = 0;
    assert_int_equal(mo_fill_shape((mo_method){&ROD.base, &r}, &how, &b.points, &error),
                     MOTE_ERROR_INPUT);
    assert_non_null(strstr(error.text, "its surface is too large for a spacing of 1 m"));
    assert_true(asked < 20000000);
    assert_int_equal(b.points.count, 0);
    close_bench(&b);
}

static void fillings_are_the_same_on_any_number_of_threads(void **state)
{
    (void)state;
    bench alone, b;
    params p;
    open_bench(&alone);
    mo_filling how = mo_filling_make(0.02, 3);
    make_ball(&p, mo_vec3_make(0, 0, 0), 1);
    fill(&alone, &p, &how);
    for (int threads = 2; threads <= 8; threads += 3) {
        open_bench(&b);
        assert_int_equal(mo_pool_create(&b.memory, threads, &how.pool, NULL), MOTE_OK);
        fill(&b, &p, &how);
        assert_int_equal(b.points.count, alone.points.count);
        assert_memory_equal(b.points.x, alone.points.x,
                            3 * (size_t)b.points.count * sizeof(double));
        mo_pool_destroy(how.pool);
        close_bench(&b);
    }
    close_bench(&alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_are_filled_half_a_spacing_from_their_walls),
        cmocka_unit_test(dams_begin_at_one_spacing),
        cmocka_unit_test(rounding_loses_no_layer),
        cmocka_unit_test(other_shapes_are_filled_by_volume),
        cmocka_unit_test(dense_lattices_have_their_neighbours),
        cmocka_unit_test(planes_and_nothing_cannot_be_filled),
        cmocka_unit_test(cost_grows_with_the_shape_and_not_with_its_bounds),
        cmocka_unit_test(no_point_inside_is_missed),
        cmocka_unit_test(points_are_counted_before_they_are_made),
        cmocka_unit_test(fillings_are_the_same_on_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
