/*
 * Boundary particles: coverage, separation, number, areas and normals; for every shape, and meshes
 * of all kinds.
 */
#include "test.h"

#include "geometry/grid/point_grid.h"
#include "geometry/shape/shape_samples.h"
#include "numbers.h"
#include "set_param.h"
#include "surfaces.h"

#define PI 3.14159265358979323846

typedef struct bench {
    mo_memory memory;
    mo_samples samples;
    mo_trimesh mesh;
} bench;

static void open_bench(bench *b)
{
    memset(b, 0, sizeof *b);
    mo_memory_init(&b->memory, NULL);
    mo_samples_init(&b->samples, &b->memory);
    mo_trimesh_init(&b->mesh, &b->memory);
}

static void close_bench(bench *b)
{
    mo_samples_release(&b->samples);
    mo_trimesh_release(&b->mesh);
    assert_int_equal(b->memory.bytes, 0);
}

static mo_vec3 sample_at(const bench *b, int64_t k)
{
    return mo_vec3_load(b->samples.x + 3 * k);
}

static mo_vec3 normal_at(const bench *b, int64_t k)
{
    return mo_vec3_load(b->samples.normal + 3 * k);
}

static void sample_params(bench *b, const params *p, const mo_sampling *how)
{
    mote_error error = {0};
    if (mo_sample_shape(method_of(p), how, &b->samples, &error) != MOTE_OK) {
        fail_msg("%s", error.text);
    }
}

static void sample_box(bench *b, mo_vec3 low, mo_vec3 high, const mo_sampling *how)
{
    params p;
    clear_params_of(&p, &mo_shapes, "box");
    set_vec3(&p, "min", low);
    set_vec3(&p, "max", high);
    sample_params(b, &p, how);
}

/* ---- common properties ---- */

static void make_grid(const bench *b, mo_point_grid *grid, mo_memory *memory, double spacing)
{
    mo_point_grid_init(grid, memory, spacing);
    for (int64_t k = 0; k < b->samples.count; ++k) {
        assert_int_equal(mo_point_grid_add(grid, sample_at(b, k), NULL), MOTE_OK);
    }
}

/* The smallest distance between two, in spacings; 9 if none are within one. */
static double nearest_pair(const bench *b, double spacing)
{
    mo_point_grid grid;
    mo_memory memory;
    double least = 81, square;
    mo_memory_init(&memory, NULL);
    mo_point_grid_init(&grid, &memory, spacing);
    for (int64_t k = 0; k < b->samples.count; ++k) {
        mo_vec3 x = sample_at(b, k);
        if (mo_point_grid_nearest(&grid, x, spacing, &square) >= 0) {
            least = fmin(least, square / (spacing * spacing));
        }
        assert_int_equal(mo_point_grid_add(&grid, x, NULL), MOTE_OK);
    }
    mo_point_grid_release(&grid);
    return sqrt(least);
}

/* The grid covers one spacing: 1.5 represents larger distances. */
static double gap_at(const mo_point_grid *grid, mo_vec3 x, double spacing)
{
    double square;
    return mo_point_grid_nearest(grid, x, spacing, &square) >= 0 ? sqrt(square) / spacing : 1.5;
}

/* The largest distance of random points of a mesh from their nearest sample, in spacings;
 * including corners of triangles. */
static double widest_gap(const bench *b, const mo_trimesh *mesh, double spacing, int points,
                         uint64_t *random)
{
    mo_point_grid grid;
    mo_memory memory;
    double widest = 0;
    mo_memory_init(&memory, NULL);
    make_grid(b, &grid, &memory, spacing);
    for (int64_t t = 0; t < mesh->triangles; ++t) {
        mo_vec3 c[3];
        for (int k = 0; k < 3; ++k) {
            c[k] = mo_vec3_load(mesh->x + 3 * mesh->corner[3 * t + k]);
            widest = fmax(widest, gap_at(&grid, c[k], spacing));
        }
        for (int k = 0; k < points; ++k) {
            double u = random_between(random, 0, 1), v = random_between(random, 0, 1);
            bool over = u + v > 1;
            u = over ? 1 - u : u, v = over ? 1 - v : v;
            mo_vec3 x = mo_add_scaled(c[0], u, mo_sub(c[1], c[0]));
            widest = fmax(widest, gap_at(&grid, mo_add_scaled(x, v, mo_sub(c[2], c[0])), spacing));
        }
    }
    mo_point_grid_release(&grid);
    return widest;
}

static double total_area(const bench *b)
{
    double sum = 0;
    for (int64_t k = 0; k < b->samples.count; ++k) {
        assert_true(b->samples.area[k] >= 0);
        sum += b->samples.area[k];
    }
    return sum;
}

static void assert_normals_are_unit(const bench *b)
{
    for (int64_t k = 0; k < b->samples.count; ++k) {
        assert_near(mo_length(normal_at(b, k)), 1, 1e-12);
    }
}

/* ---- boxes ---- */

static void tanks_of_the_dam_breaks_have_their_lattice(void **state)
{
    (void)state;
    static const struct {
        mo_vec3 size;
        int64_t count;
    } TANKS[] = {{{4.0, 3.0, 1.65}, 18842}, {{6.4, 4.8, 2.5}, 46978}, {{10, 7.5, 5.05}, 130702}};
    for (int k = 0; k < 3; ++k) {
        bench b;
        open_bench(&b);
        mo_sampling how = mo_sampling_make(0.05, 3);
        how.inside = true;
        sample_box(&b, mo_vec3_make(0, 0, 0), TANKS[k].size, &how);
        assert_int_equal(b.samples.count, TANKS[k].count);
        mo_vec3 s = TANKS[k].size;
        assert_near(total_area(&b), 2 * (s.x * s.y + s.y * s.z + s.z * s.x), 1e-8);
        for (int64_t row = 0; row < b.samples.count; ++row) {
            const double *x = b.samples.x + 3 * row, *high = &s.x;
            bool on_face = false;
            for (int axis = 0; axis < 3; ++axis) {
                assert_near(x[axis] / 0.05, round(x[axis] / 0.05), 1e-9);
                on_face = on_face || x[axis] == 0 || x[axis] == high[axis];
                double n = b.samples.normal[3 * row + axis];
                /* inward */
                assert_true(x[axis] == 0 ? n > 0 : x[axis] == high[axis] ? n < 0 : n == 0);
            }
            assert_true(on_face);
        }
        assert_near(nearest_pair(&b, 0.05), 1, 1e-9);
        close_bench(&b);
    }
}

static void boxes_of_any_size_have_no_gaps_and_no_doubles(void **state)
{
    (void)state;
    uint64_t random = 21;
    for (int k = 0; k < 120; ++k) {
        bench b;
        open_bench(&b);
        mo_sampling how = mo_sampling_make(0.1, 3);
        double longest = k % 3 == 0 ? 0.3 : 1.5;
        mo_vec3 low = random_vec3(&random, 1), size = {random_between(&random, 0.02, longest),
                                                       random_between(&random, 0.02, longest),
                                                       random_between(&random, 0.02, longest)};
        mo_vec3 high = mo_add(low, size);
        sample_box(&b, low, high, &how);
        make_box_surface(&b.mesh, &b.memory, low, high);
        bool small = fmin(size.x, fmin(size.y, size.z)) < 0.12;
        double gap = widest_gap(&b, &b.mesh, 0.1, 100, &random);
        assert_true(gap <= (small ? 0.9 : 0.75 + 1e-9));
        assert_true(nearest_pair(&b, 0.1) >= 0.6 - 1e-9);
        assert_near(total_area(&b), 2 * (size.x * size.y + size.y * size.z + size.z * size.x),
                    1e-12);
        assert_normals_are_unit(&b);
        close_bench(&b);
    }
}

static void rectangles_are_contours_of_boxes(void **state)
{
    (void)state;
    bench b;
    open_bench(&b);
    mo_sampling how = mo_sampling_make(0.1, 2);
    sample_box(&b, mo_vec3_make(0, 0, -1), mo_vec3_make(2, 1, 1), &how);
    assert_int_equal(b.samples.count, 60);
    assert_near(total_area(&b), 6, 1e-12);
    assert_near(nearest_pair(&b, 0.1), 1, 1e-9);
    for (int64_t k = 0; k < b.samples.count; ++k) {
        mo_vec3 x = sample_at(&b, k), n = normal_at(&b, k);
        assert_true(x.z == 0 && n.z == 0);
        assert_true(x.x == 0 || x.x == 2 || x.y == 0 || x.y == 1);
        assert_true(mo_dot(n, mo_sub(x, mo_vec3_make(1, 0.5, 0))) > 0);
    }
    sample_box(&b, mo_vec3_make(0, 0, 0.5), mo_vec3_make(2, 1, 1), &how); /* above the plane */
    assert_int_equal(b.samples.count, 60);
    close_bench(&b);
}

/* ---- spheres ---- */

static void sample_ball(bench *b, mo_vec3 center, double radius, const mo_sampling *how)
{
    params p;
    clear_params_of(&p, &mo_shapes, "sphere");
    set_vec3(&p, "center", center);
    set_real(&p, "radius", radius);
    sample_params(b, &p, how);
}

static void balls_have_no_gaps_and_no_doubles(void **state)
{
    (void)state;
    uint64_t random = 22;
    for (double radius = 0.31; radius < 60; radius *= 1.21) { /* in spacings */
        bench b;
        mo_point_grid grid;
        mo_memory memory;
        open_bench(&b);
        mo_sampling how = mo_sampling_make(0.1, 3);
        mo_vec3 center = {1, -2, 3};
        sample_ball(&b, center, 0.1 * radius, &how);
        mo_memory_init(&memory, NULL);
        make_grid(&b, &grid, &memory, 0.1);
        double gap = 0;
        for (int k = 0; k < 6000; ++k) {
            mo_vec3 u = random_unit_vec3(&random);
            if (k < 200) { /* the poles, the worst case of a spiral */
                u = mo_unit(mo_vec3_make(u.x / radius, u.y / radius, k % 2 ? 1 : -1), u);
            }
            gap = fmax(gap, gap_at(&grid, mo_add_scaled(center, 0.1 * radius, u), 0.1));
        }
        double apart = nearest_pair(&b, 0.1);
        if (gap > 0.75 || apart < 0.6) {
            print_error("radius %g: %lld samples, gap %g, apart %g\n", radius,
                        (long long)b.samples.count, gap, apart);
        }
        assert_true(gap <= 0.75 && apart >= 0.6);
        assert_near(total_area(&b), 4 * PI * 0.01 * radius * radius, 1e-10 * radius * radius);
        for (int64_t k = 0; k < b.samples.count; ++k) {
            mo_vec3 r = mo_sub(sample_at(&b, k), center);
            assert_near_vec3(mo_scale(1 / (0.1 * radius), r), normal_at(&b, k), 1e-12);
        }
        mo_point_grid_release(&grid);
        close_bench(&b);
    }
}

static void circles_are_sections_of_spheres(void **state)
{
    (void)state;
    bench b;
    open_bench(&b);
    mo_sampling how = mo_sampling_make(0.1, 2);
    sample_ball(&b, mo_vec3_make(1, 2, 0.3), 0.5, &how); /* radius 0.4 in the plane */
    assert_int_equal(b.samples.count, 25);
    assert_near(total_area(&b), 0.8 * PI, 1e-12);
    for (int64_t k = 0; k < b.samples.count; ++k) {
        assert_near(mo_length(mo_sub(sample_at(&b, k), mo_vec3_make(1, 2, 0))), 0.4, 1e-14);
    }
    assert_true(nearest_pair(&b, 0.1) > 0.9);
    sample_ball(&b, mo_vec3_make(1, 2, 0.6), 0.5, &how);
    assert_int_equal(b.samples.count, 25);
    close_bench(&b);
}

/* ---- planes ---- */

static void sample_plane(bench *b, mo_vec3 point, mo_vec3 normal, const mo_sampling *how)
{
    params p;
    clear_params_of(&p, &mo_shapes, "plane");
    set_vec3(&p, "point", point);
    set_vec3(&p, "normal", normal);
    sample_params(b, &p, how);
}

static void planes_are_cut_to_a_box(void **state)
{
    (void)state;
    uint64_t random = 23;
    params p;
    bench b;
    open_bench(&b);
    mo_sampling how = mo_sampling_make(0.1, 3);
    clear_params_of(&p, &mo_shapes, "plane");
    set_vec3(&p, "point", mo_vec3_make(0, 0, 0));
    set_vec3(&p, "normal", mo_vec3_make(0, 0, 1));
    mote_error error = {0};
    assert_int_equal(mo_sample_shape(method_of(&p), &how, &b.samples, &error), MOTE_ERROR_INPUT);
    assert_non_null(strstr(error.text, "plane: it is unbounded"));
    how.low = mo_vec3_make(0, 0, 0);
    how.high = mo_vec3_make(2, 1, 1);
    sample_plane(&b, mo_vec3_make(9, 9, 0), mo_vec3_make(0, 0, 3), &how);
    assert_int_equal(b.samples.count, 21 * 11);
    assert_near(total_area(&b), 2, 1e-12);
    sample_plane(&b, mo_vec3_make(0, 0, 1.5), mo_vec3_make(0, 0, 1), &how); /* outside */
    assert_int_equal(b.samples.count, 21 * 11);
    close_bench(&b);
    for (int k = 0; k < 12; ++k) { /* inclined: the plane in the box is covered */
        mo_vec3 n = random_unit_vec3(&random), at = mo_vec3_make(1, 0.5, 0.5);
        mo_point_grid grid;
        mo_memory memory;
        open_bench(&b);
        sample_plane(&b, at, n, &how);
        mo_memory_init(&memory, NULL);
        make_grid(&b, &grid, &memory, 0.1);
        for (int point = 0; point < 3000; ++point) {
            mo_vec3 x = mo_add(at, random_vec3(&random, 1.5));
            x = mo_add_scaled(x, -mo_dot(mo_sub(x, at), n), n);
            if (x.x >= 0 && x.y >= 0 && x.z >= 0 && x.x <= 2 && x.y <= 1 && x.z <= 1) {
                assert_true(gap_at(&grid, x, 0.1) <= 0.75 + 1e-6);
            }
        }
        for (int64_t row = 0; row < b.samples.count; ++row) {
            assert_near(mo_dot(mo_sub(sample_at(&b, row), at), n), 0, 1e-12);
            assert_near_vec3(normal_at(&b, row), n, 1e-9);
        }
        assert_true(nearest_pair(&b, 0.1) >= 0.6);
        mo_point_grid_release(&grid);
        close_bench(&b);
    }
}

static void lines_are_planes_in_two_dimensions(void **state)
{
    (void)state;
    bench b;
    open_bench(&b);
    mo_sampling how = mo_sampling_make(0.1, 2);
    how.low = mo_vec3_make(0, 0, 0);
    how.high = mo_vec3_make(3, 4, 0);
    sample_plane(&b, mo_vec3_make(0, 0, 0), mo_vec3_make(0, 1, 0), &how);
    assert_int_equal(b.samples.count, 31);
    sample_plane(&b, mo_vec3_make(0, 0, 0), mo_vec3_make(4, -3, 0), &how); /* the diagonal */
    assert_int_equal(b.samples.count, 31 + 51);
    assert_near(total_area(&b), 3 + 5, 1e-12);
    assert_near_vec3(normal_at(&b, 40), mo_vec3_make(0.8, -0.6, 0), 1e-14);
    close_bench(&b);
}

/* ---- meshes ---- */

typedef void surface_maker(mo_trimesh *mesh, mo_memory *memory);

static void make_cube(mo_trimesh *mesh, mo_memory *memory)
{
    make_box_surface(mesh, memory, mo_vec3_make(0, 0, 0), mo_vec3_make(1, 1, 1));
}

static void make_plate(mo_trimesh *mesh, mo_memory *memory)
{
    make_box_surface(mesh, memory, mo_vec3_make(0, 0, 0), mo_vec3_make(1, 0.7, 0.03));
}

static void make_ring(mo_trimesh *mesh, mo_memory *memory)
{
    make_ring_surface(mesh, memory, 48, 24, 1, 0.4);
}

static void make_fine_ring(mo_trimesh *mesh, mo_memory *memory)
{
    make_ring_surface(mesh, memory, 200, 100, 1, 0.3);
}

static void make_rough_ball(mo_trimesh *mesh, mo_memory *memory)
{
    make_ball_surface(mesh, memory, 20, 1, 0.3, 5);
}

static void make_needles(mo_trimesh *mesh, mo_memory *memory)
{
    make_ring_surface(mesh, memory, 3, 300, 1, 0.4); /* long thin triangles */
}

static void make_patch(mo_trimesh *mesh, mo_memory *memory)
{
    static const double X[] = {0, 0, 0, 1, 0, 0.1, 1.2, 1, 0, 0.1, 0.9, 0.3}; /* open, bent */
    static const int32_t CORNER[] = {0, 1, 2, 0, 2, 3};
    make_surface(mesh, memory, 4, X, 2, CORNER);
}

static const struct {
    const char *name;
    surface_maker *make;
} SURFACES[] = {
    {"cube", make_cube},           {"plate", make_plate},           {"ring", make_ring},
    {"fine ring", make_fine_ring}, {"rough ball", make_rough_ball}, {"needles", make_needles},
    {"patch", make_patch}};

static double mesh_area(const mo_trimesh *mesh)
{
    double sum = 0;
    for (int64_t t = 0; t < mesh->triangles; ++t) {
        mo_vec3 a = mo_vec3_load(mesh->x + 3 * mesh->corner[3 * t]);
        mo_vec3 b = mo_vec3_load(mesh->x + 3 * mesh->corner[3 * t + 1]);
        mo_vec3 c = mo_vec3_load(mesh->x + 3 * mesh->corner[3 * t + 2]);
        sum += 0.5 * mo_length(mo_cross(mo_sub(b, a), mo_sub(c, a)));
    }
    return sum;
}

static void meshes_have_no_gaps_and_no_doubles(void **state)
{
    (void)state;
    uint64_t random = 24;
    static const double SPACINGS[] = {0.06, 0.13, 0.3};
    for (size_t s = 0; s < sizeof SURFACES / sizeof *SURFACES; ++s) {
        for (int k = 0; k < 3; ++k) {
            bench b;
            mote_error error = {0};
            open_bench(&b);
            SURFACES[s].make(&b.mesh, &b.memory);
            mo_sampling how = mo_sampling_make(SPACINGS[k], 3);
            if (mo_sample_mesh(&b.mesh, "mesh", &how, &b.samples, &error) != MOTE_OK) {
                fail_msg("%s", error.text);
            }
            double gap =
                widest_gap(&b, &b.mesh, SPACINGS[k], 1 + (int)(15000 / b.mesh.triangles), &random);
            double apart = nearest_pair(&b, SPACINGS[k]), area = mesh_area(&b.mesh);
            double density = (double)b.samples.count * SPACINGS[k] * SPACINGS[k] / area;
            if (gap > 0.75 || apart < 0.6) {
                print_error("%s at %g: %lld samples, gap %g, apart %g, density %g\n",
                            SURFACES[s].name, SPACINGS[k], (long long)b.samples.count, gap, apart,
                            density);
            }
            assert_true(gap <= 0.75 && apart >= 0.6);
            assert_near(total_area(&b), area, 1e-9 * area);
            assert_normals_are_unit(&b);
            close_bench(&b);
        }
    }
}

/* The corners and edges of a mesh of a box are sampled like those of a box. */
static void edges_of_meshes_are_sampled_evenly(void **state)
{
    (void)state;
    bench b;
    open_bench(&b);
    make_cube(&b.mesh, &b.memory);
    mo_sampling how = mo_sampling_make(0.1, 3);
    assert_int_equal(mo_sample_mesh(&b.mesh, "cube", &how, &b.samples, NULL), MOTE_OK);
    int on_edges = 0;
    for (int64_t k = 0; k < b.samples.count; ++k) {
        const double *x = b.samples.x + 3 * k;
        int faces = 0, lattice = 0;
        for (int axis = 0; axis < 3; ++axis) {
            faces += x[axis] == 0 || x[axis] == 1;
            lattice += fabs(x[axis] * 10 - round(x[axis] * 10)) < 1e-9;
        }
        assert_true(faces > 0);
        on_edges += faces > 1;
        assert_true(faces < 2 || lattice == 3);
    }
    assert_int_equal(on_edges, 8 + 12 * 9);
    close_bench(&b);
}

static void samples_are_the_same_on_any_number_of_threads(void **state)
{
    (void)state;
    bench alone, b;
    open_bench(&alone);
    make_fine_ring(&alone.mesh, &alone.memory);
    mo_sampling how = mo_sampling_make(0.06, 3);
    assert_int_equal(mo_sample_mesh(&alone.mesh, "ring", &how, &alone.samples, NULL), MOTE_OK);
    for (int threads = 2; threads <= 8; threads += 3) {
        open_bench(&b);
        make_fine_ring(&b.mesh, &b.memory);
        assert_int_equal(mo_pool_create(&b.memory, threads, &how.pool, NULL), MOTE_OK);
        assert_int_equal(mo_sample_mesh(&b.mesh, "ring", &how, &b.samples, NULL), MOTE_OK);
        assert_int_equal(b.samples.count, alone.samples.count);
        assert_memory_equal(b.samples.x, alone.samples.x,
                            3 * (size_t)b.samples.count * sizeof(double));
        assert_memory_equal(b.samples.area, alone.samples.area,
                            (size_t)b.samples.count * sizeof(double));
        mo_pool_destroy(how.pool);
        close_bench(&b);
    }
    close_bench(&alone);
}

/* In two dimensions: the contours of a ring through its axis, and of a box. */
static void sections_of_meshes_are_contours(void **state)
{
    (void)state;
    bench b;
    open_bench(&b);
    /* about z: two concentric circles */
    make_ring_surface(&b.mesh, &b.memory, 90, 60, 1, 0.4);
    mo_sampling how = mo_sampling_make(0.1, 2);
    assert_int_equal(mo_sample_section(&b.mesh, &how, &b.samples, NULL), MOTE_OK);
    int outer = 0;
    for (int64_t k = 0; k < b.samples.count; ++k) {
        mo_vec3 x = sample_at(&b, k), n = normal_at(&b, k);
        bool out = mo_length(x) > 1;
        assert_true(x.z == 0 && n.z == 0);
        assert_near(mo_length(x), out ? 1.4 : 0.6, 1.4 * (1 - cos(PI / 90)));
        assert_true((mo_dot(n, x) > 0) == out); /* out of the solid */
        outer += out;
    }
    assert_near(total_area(&b), 2 * PI * (1.4 + 0.6), 0.02);
    assert_int_equal(outer, (int)round(2.8 * PI / 0.1));
    assert_true(nearest_pair(&b, 0.1) > 0.9);
    close_bench(&b);
    open_bench(&b);
    make_box_surface(&b.mesh, &b.memory, mo_vec3_make(0, 0, -1),
                     mo_vec3_make(2, 1, 0)); /* its top is in the plane */
    assert_int_equal(mo_sample_section(&b.mesh, &how, &b.samples, NULL), MOTE_OK);
    assert_int_equal(b.samples.count, 60);
    assert_near(total_area(&b), 6, 1e-12);
    int corners = 0;
    for (int64_t k = 0; k < b.samples.count; ++k) {
        mo_vec3 x = sample_at(&b, k);
        corners += (x.x == 0 || x.x == 2) && (x.y == 0 || x.y == 1);
        assert_near(x.x * 10, round(x.x * 10), 1e-9);
        assert_near(x.y * 10, round(x.y * 10), 1e-9);
    }
    assert_int_equal(corners, 4);
    close_bench(&b);
}

/* A torus given by its distances only. */
static void ring_distances(const void *none, int64_t count, const double *points, double *distance,
                           double *normal)
{
    (void)none;
    for (int64_t k = 0; k < count; ++k) {
        mo_vec3 x = mo_vec3_load(points + 3 * k),
                around = mo_unit(mo_vec3_make(x.x, x.y, 0), mo_vec3_make(1, 0, 0));
        mo_vec3 r = mo_sub(x, around);
        distance[k] = mo_length(r) - 0.4;
        if (normal) {
            mo_vec3_store(normal + 3 * k, mo_unit(r, mo_vec3_make(0, 0, 1)));
        }
    }
}

static bool ring_bounds(const void *none, mo_vec3 *low, mo_vec3 *high)
{
    (void)none;
    *low = mo_vec3_make(-1.4, -1.4, -0.4);
    *high = mo_vec3_make(1.4, 1.4, 0.4);
    return true;
}

static void any_shape_is_sampled_by_its_distances(void **state)
{
    (void)state;
    static const mo_shape_type RING = {
        .base = {.name = "ring"}, .distances = ring_distances, .bounds = ring_bounds};
    uint64_t random = 25;
    bench b;
    mote_error error = {0};
    mo_point_grid grid;
    mo_memory memory;
    open_bench(&b);
    mo_sampling how = mo_sampling_make(0.1, 3);
    if (mo_sample_shape((mo_method){&RING.base, NULL}, &how, &b.samples, &error) != MOTE_OK) {
        fail_msg("%s", error.text);
    }
    mo_memory_init(&memory, NULL);
    make_grid(&b, &grid, &memory, 0.1);
    double gap = 0;
    for (int k = 0; k < 5000; ++k) {
        double u = random_between(&random, 0, 2 * PI), v = random_between(&random, 0, 2 * PI),
               r = 1 + 0.4 * cos(v);
        gap = fmax(gap, gap_at(&grid, mo_vec3_make(r * cos(u), r * sin(u), 0.4 * sin(v)), 0.1));
    }
    /* facets and the ring are not quite the same */
    assert_true(gap <= 0.8 && nearest_pair(&b, 0.1) >= 0.57);
    assert_near(total_area(&b), 4 * PI * PI * 0.4, 0.02 * 4 * PI * PI * 0.4);
    for (int64_t k = 0; k < b.samples.count; ++k) {
        double distance, n[3];
        ring_distances(NULL, 1, b.samples.x + 3 * k, &distance, n);
        assert_near(distance, 0, 1e-12);
        assert_near_vec3(normal_at(&b, k), mo_vec3_load(n), 1e-6);
    }
    mo_point_grid_release(&grid);
    close_bench(&b);
    open_bench(&b);
    how.dimension = 2;
    assert_int_equal(mo_sample_shape((mo_method){&RING.base, NULL}, &how, &b.samples, &error),
                     MOTE_OK);
    assert_near(total_area(&b), 2 * PI * 2, 0.2);
    assert_true(nearest_pair(&b, 0.1) >= 0.6);
    close_bench(&b);
}

/* ---- refusals ---- */

static void too_many_samples_are_refused(void **state)
{
    (void)state;
    bench b;
    params p;
    mote_error error = {0};
    open_bench(&b);
    mo_sampling how = mo_sampling_make(1e-6, 3);
    clear_params_of(&p, &mo_shapes, "box");
    set_vec3(&p, "min", mo_vec3_make(0, 0, 0));
    set_vec3(&p, "max", mo_vec3_make(1, 1, 1));
    assert_int_equal(mo_sample_shape(method_of(&p), &how, &b.samples, &error), MOTE_ERROR_INPUT);
    assert_non_null(strstr(error.text, "6e+12 boundary particles at a spacing of 1e-06"));
    how.spacing = 0;
    assert_int_equal(mo_sample_shape(method_of(&p), &how, &b.samples, &error), MOTE_ERROR_INPUT);
    how.spacing = 1e-7;
    make_ring(&b.mesh, &b.memory);
    assert_int_equal(mo_sample_mesh(&b.mesh, "ring", &how, &b.samples, &error), MOTE_ERROR_INPUT);
    mo_sampling plane = mo_sampling_make(1e-12, 2);
    assert_int_equal(mo_sample_section(&b.mesh, &plane, &b.samples, &error), MOTE_ERROR_INPUT);
    assert_non_null(strstr(error.text, "boundary particles at a spacing of 1e-12; allowed: 1e+08"));
    how = mo_sampling_make(1, 3); /* a needle: no spacing fits two of its sides */
    set_vec3(&p, "max", mo_vec3_make(1e15, 0.1, 0.1));
    assert_int_equal(mo_sample_shape(method_of(&p), &how, &b.samples, &error), MOTE_ERROR_INPUT);
    assert_non_null(strstr(error.text, "boundary particles at a spacing of 1; allowed: 1e+08"));
    assert_int_equal(b.samples.count, 0);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tanks_of_the_dam_breaks_have_their_lattice),
        cmocka_unit_test(boxes_of_any_size_have_no_gaps_and_no_doubles),
        cmocka_unit_test(rectangles_are_contours_of_boxes),
        cmocka_unit_test(balls_have_no_gaps_and_no_doubles),
        cmocka_unit_test(circles_are_sections_of_spheres),
        cmocka_unit_test(planes_are_cut_to_a_box),
        cmocka_unit_test(lines_are_planes_in_two_dimensions),
        cmocka_unit_test(meshes_have_no_gaps_and_no_doubles),
        cmocka_unit_test(edges_of_meshes_are_sampled_evenly),
        cmocka_unit_test(samples_are_the_same_on_any_number_of_threads),
        cmocka_unit_test(sections_of_meshes_are_contours),
        cmocka_unit_test(any_shape_is_sampled_by_its_distances),
        cmocka_unit_test(too_many_samples_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
