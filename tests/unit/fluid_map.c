/*
 * Boundary maps of solids: compared with the lattice they represent, with direct integration, and
 * their gradients.
 */
#include "test.h"

#include "fluid/kernel/lattice.h"
#include "fluid/map/distance_grid.h"
#include "geometry/motion/motion.h"
#include "geometry/trimesh/distance.h"
#include "math/quat.h"
#include "math/random.h"
#include "numbers.h"

#include <sys/stat.h>
#include <unistd.h>

/* Lengths are in spacings. */
typedef struct bench {
    mo_memory memory;
    mo_kernel kernel;
    int dimension;
    double support;
    mo_boundary_kernel f;
    mo_half_space table;
    mo_map_solid solid;
    mo_solid_map map;
} bench;

static const struct {
    const char *kernel;
    int dimension;
    double support;
} CASES[] = {{"cubic", 2, 2}, {"cubic", 3, 2}, {"wendland_c2", 2, 3}, {"wendland_c2", 3, 3}};
enum { CASE_COUNT = sizeof CASES / sizeof *CASES, FAST_CASES = CASE_COUNT - 1 };

static void open_bench(bench *b, int k)
{
    memset(b, 0, sizeof *b);
    mo_memory_init(&b->memory, NULL);
    b->dimension = CASES[k].dimension;
    b->support = CASES[k].support;
    const mo_descriptor *kernel = mo_family_find(&mo_kernels, CASES[k].kernel);
    b->kernel = mo_kernel_make((const mo_kernel_type *)kernel, b->dimension, 1);
    b->f = mo_boundary_kernel_make(&b->kernel, b->dimension, 1 / b->support, false);
    mo_half_space_make(&b->table, &b->kernel, b->dimension, &b->f);
}

static void build(bench *b, const mo_map_solid *solid)
{
    mote_error error = {0};
    b->solid = *solid;
    if (mo_solid_map_build(&b->map, &b->solid, &b->table, b->dimension, b->support, 1,
                           b->support + 2, &b->memory, NULL, &error) != MOTE_OK) {
        fail_msg("%s", error.text);
    }
}

static void close_bench(bench *b)
{
    mo_solid_map_release(&b->map);
    assert_int_equal(b->memory.bytes, 0);
}

/* L at x, and its gradient. */
static double density_at(const bench *b, mo_vec3 x, mo_vec3 *gradient)
{
    float g[3], derivative, s = mo_solid_map_at(&b->map, x, g);
    double value = (double)mo_half_space_at(&b->table, s, &derivative);
    *gradient =
        mo_scale((double)derivative, mo_vec3_make((double)g[0], (double)g[1], (double)g[2]));
    return value;
}

/* ---- solids ---- */

typedef struct box {
    mo_vec3 low, high;
    bool inside;
} box;

static void box_gaps(const void *context, int64_t count, const double *x, double *gap,
                     double *normal)
{
    const box *b = context;
    for (int64_t k = 0; k < count; ++k) {
        double out[3], face = -INFINITY, sign = b->inside ? -1 : 1;
        int nearest = 0;
        for (int c = 0; c < 3; ++c) {
            double below = mo_vec3_at(b->low, c) - x[3 * k + c],
                   above = x[3 * k + c] - mo_vec3_at(b->high, c);
            double d = fmax(below, above);
            out[c] = d > 0 ? (below > above ? -d : d) : 0;
            nearest = d > face ? c : nearest;
            face = fmax(face, d);
        }
        mo_vec3 way = mo_vec3_load(out);
        gap[k] = sign * (face > 0 ? mo_length(way) : face);
        if (normal && face <= 0) {
            double middle = 0.5 * (mo_vec3_at(b->low, nearest) + mo_vec3_at(b->high, nearest));
            double n[3] = {0, 0, 0};
            n[nearest] = x[3 * k + nearest] < middle ? -sign : sign;
            memcpy(normal + 3 * k, n, sizeof n);
        } else if (normal) {
            mo_vec3_store(normal + 3 * k, mo_scale(sign / mo_length(way), way));
        }
    }
}

static bool box_chord(const void *context, mo_vec3 x, mo_vec3 u, double *enter, double *leave)
{
    const box *b = context;
    *enter = -INFINITY;
    *leave = INFINITY;
    for (int c = 0; c < 3; ++c) {
        double at = mo_vec3_at(x, c), along = mo_vec3_at(u, c);
        double low = mo_vec3_at(b->low, c) - at, high = mo_vec3_at(b->high, c) - at;
        if (along == 0) {
            *leave = low <= 0 && high >= 0 ? *leave : -INFINITY;
            continue;
        }
        *enter = fmax(*enter, fmin(low / along, high / along));
        *leave = fmin(*leave, fmax(low / along, high / along));
    }
    return *enter < *leave;
}

static mo_map_solid box_solid(const box *b)
{
    return (mo_map_solid){.gap = box_gaps,
                          .chord = box_chord,
                          .context = b,
                          .inside = b->inside,
                          .bounded = true,
                          .low = b->low,
                          .high = b->high};
}

typedef struct ball {
    double radius;
    bool inside;
} ball;

static void ball_gaps(const void *context, int64_t count, const double *x, double *gap,
                      double *normal)
{
    const ball *b = context;
    for (int64_t k = 0; k < count; ++k) {
        mo_vec3 at = mo_vec3_load(x + 3 * k);
        double sign = b->inside ? -1 : 1;
        gap[k] = sign * (mo_length(at) - b->radius);
        if (normal) {
            mo_vec3_store(normal + 3 * k, mo_scale(sign, mo_unit(at, mo_vec3_make(1, 0, 0))));
        }
    }
}

static bool ball_chord(const void *context, mo_vec3 x, mo_vec3 u, double *enter, double *leave)
{
    double radius = ((const ball *)context)->radius, along = mo_dot(x, u);
    double square = along * along - mo_dot(x, x) + radius * radius;
    *enter = -along - sqrt(fmax(square, 0));
    *leave = -along + sqrt(fmax(square, 0));
    return square > 0;
}

static mo_map_solid ball_solid(const ball *b)
{
    double r = b->radius;
    return (mo_map_solid){.gap = ball_gaps,
                          .chord = ball_chord,
                          .context = b,
                          .inside = b->inside,
                          .bounded = true,
                          .low = {-r, -r, -r},
                          .high = {r, r, r}};
}

/* The integral of F over the solid by cells of 1/128 (in space: 1/24) of the support. */
static double direct(const bench *b, mo_vec3 x)
{
    int n = b->dimension == 3 ? 48 : 256, deep = b->dimension == 3 ? n : 1;
    double cell = 2.0 / n, sum = 0;
    for (int k = 0; k < n * n * deep; ++k) {
        double q[3] = {(k % n + 0.5) * cell - 1, (k / n % n + 0.5) * cell - 1,
                       b->dimension == 3 ? (k / (n * n) + 0.5) * cell - 1 : 0};
        double length = mo_length(mo_vec3_load(q)), at[3], gap;
        if (length >= 1) {
            continue;
        }
        mo_vec3_store(at, mo_add_scaled(x, b->support, mo_vec3_load(q)));
        b->solid.gap(b->solid.context, 1, at, &gap, NULL);
        double part = fmin(fmax(0.5 - gap / (cell * b->support), 0), 1);
        sum += part * mo_boundary_kernel_at(&b->f, &b->kernel, length);
    }
    return sum * pow(cell, b->dimension);
}

/* ---- planes ---- */

static void a_lattice_half_a_spacing_from_a_plane_is_at_rest(void **state)
{
    (void)state;
    SKIP_LONG_PHYSICS();
    for (int k = 0; k < CASE_COUNT; ++k) {
        bench b;
        double behind, derivative;
        const box slab = {{-30, -30, -30}, {30, 0, 30}, false};
        mo_map_solid solid = box_solid(&slab);
        mo_vec3 gradient;
        open_bench(&b, k);
        build(&b, &solid);
        mo_lattice_behind(&b.kernel, b.dimension, 1 / b.support, &behind, &derivative);
        double value = density_at(&b, mo_vec3_make(0.3, 0.5, 0.2), &gradient);
        assert_near(value, behind, 1e-4);
        /* uniform pressure: the fluid's pairs act with twice the missing gradient of the lattice */
        assert_near(gradient.y * b.support, 2 * derivative, 1e-3 * fabs(2 * derivative));
        close_bench(&b);
    }
}

/* Tangential accelerations under the pressure of ten spacings: 10 |grad L along it| in g. */
static void check_tangential(const bench *b, mo_vec3 normal, double lowest)
{
    double most = 0;
    for (uint64_t k = 0; k < 200; ++k) {
        mo_vec3 g, x = mo_scale(2, mo_random_cube(1, 2, k, 0));
        x.z = b->dimension == 2 ? 0 : x.z;
        x = mo_add_scaled(x, lowest + 0.005 * (double)k - mo_dot(x, normal), normal);
        density_at(b, x, &g);
        most = fmax(most, 10 * mo_length(mo_add_scaled(g, -mo_dot(g, normal), normal)));
    }
    if (!(most < 0.01)) {
        fail_msg("%s, support %g: tangential acceleration of %g g", b->kernel.type->base.name,
                 b->support, most);
    }
}

static void planes_exert_no_tangential_force(void **state)
{
    (void)state;
    SKIP_LONG_PHYSICS();
    for (int k = 0; k < CASE_COUNT; ++k) {
        bench b;
        const box slab = {{-30, -30, -30}, {30, 0, 30}, false};
        mo_map_solid solid = box_solid(&slab);
        open_bench(&b, k);
        build(&b, &solid);
        check_tangential(&b, mo_vec3_make(0, 1, 0), 0.25);
        close_bench(&b);
    }
}

static void mesh_gaps(const void *context, int64_t count, const double *x, double *gap,
                      double *normal)
{
    mo_trimesh_distances(context, count, x, gap, normal);
}

/* A slab whose upper face contains the origin, rotated about an axis. */
static void tilted_slab(mo_trimesh *mesh, mo_vec3 *normal)
{
    static const int32_t CORNERS[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                        2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    mo_mat3 turn = mo_quat_matrix(mo_quat_turn(mo_vec3_make(0.6, 0, 0.8), 0.37));
    mote_error error = {0};
    assert_int_equal(mo_trimesh_reserve(mesh, 8, 12, &error), MOTE_OK);
    for (int k = 0; k < 8; ++k) {
        mo_vec3 x = mo_vec3_make(k & 1 ? 5 : -5, k & 2 ? 0 : -5, k & 4 ? 5 : -5);
        mo_vec3_store(mesh->x + 3 * k, mo_mat3_apply(turn, x));
    }
    memcpy(mesh->corner, CORNERS, sizeof CORNERS);
    *normal = mo_mat3_apply(turn, mo_vec3_make(0, 1, 0));
}

static void tilted_meshes_exert_no_tangential_force(void **state)
{
    (void)state;
    SKIP_LONG_PHYSICS();
    bench b;
    mo_trimesh mesh;
    mo_arena arena;
    mo_trimesh_distance tree;
    mote_error error = {0};
    mo_vec3 normal;
    open_bench(&b, 1);
    mo_arena_init(&arena, &b.memory);
    mo_trimesh_init(&mesh, &b.memory);
    tilted_slab(&mesh, &normal);
    if (mo_trimesh_distance_build(&mesh, "slab", false, &arena, &tree, &error) != MOTE_OK) {
        fail_msg("%s", error.text);
    }
    mo_map_solid solid = {
        .gap = mesh_gaps, .context = &tree, .bounded = true, .low = tree.low, .high = tree.high};
    build(&b, &solid);
    check_tangential(&b, normal, 0.25);
    mo_trimesh_release(&mesh);
    mo_arena_release(&arena);
    close_bench(&b);
}

/* ---- distances on a grid ---- */

typedef struct slab_bench {
    mo_memory memory;
    mo_trimesh mesh;
    mo_arena arena;
    mo_trimesh_distance tree;
    mo_vec3 normal;
    mo_map_solid solid;
} slab_bench;

static void open_slab(slab_bench *b)
{
    mote_error error = {0};
    memset(b, 0, sizeof *b);
    mo_memory_init(&b->memory, NULL);
    mo_arena_init(&b->arena, &b->memory);
    mo_trimesh_init(&b->mesh, &b->memory);
    tilted_slab(&b->mesh, &b->normal);
    assert_int_equal(
        mo_trimesh_distance_build(&b->mesh, "slab", false, &b->arena, &b->tree, &error), MOTE_OK);
    b->solid = (mo_map_solid){.gap = mesh_gaps,
                              .context = &b->tree,
                              .bounded = true,
                              .low = b->tree.low,
                              .high = b->tree.high};
}

static void close_slab(slab_bench *b)
{
    mo_trimesh_release(&b->mesh);
    mo_arena_release(&b->arena);
    assert_int_equal(b->memory.bytes, 0);
}

static void compare_with_mesh(const slab_bench *b, const mo_distance_grid *grid)
{
    for (uint64_t k = 0; k < 500; ++k) {
        double x[3], gap, exact, normal[3];
        mo_vec3_store(x, mo_scale(8, mo_random_cube(7, 8, k, 0)));
        mo_distance_grid_gaps(grid, 1, x, &gap, normal);
        b->solid.gap(b->solid.context, 1, x, &exact, NULL);
        assert_near(gap, exact, 0.4 * grid->width); /* at kinks, as between two faces */
    }
    for (uint64_t k = 0; k < 100; ++k) { /* above the middle of a face */
        double x[3], gap, normal[3], height = 0.02 * (double)k - 1;
        mo_vec3 at = mo_random_cube(9, 10, k, 0);
        at = mo_add_scaled(at, height - mo_dot(at, b->normal), b->normal);
        mo_vec3_store(x, at);
        mo_distance_grid_gaps(grid, 1, x, &gap, normal);
        assert_near(gap, height, 1e-12);
        assert_near(mo_dot(mo_vec3_load(normal), b->normal), 1, 1e-12);
    }
}

static void distances_on_a_grid_are_those_of_the_mesh(void **state)
{
    (void)state;
    SKIP_LONG_PHYSICS();
    slab_bench b;
    mo_distance_grid grid;
    mote_error error = {0};
    open_slab(&b);
    mo_distance_grid_init(&grid, &b.solid, 0.5, 3, &b.memory);
    compare_with_mesh(&b, &grid);
    assert_int_equal(mo_distance_grid_build(&grid, NULL, &error), MOTE_OK);
    assert_true(grid.blocks.count > 0);
    compare_with_mesh(&b, &grid);
    mo_distance_grid_release(&grid);
    close_slab(&b);
}

/* Changes a byte of a file, or truncates it there. */
static void spoil(const char *path, long at, bool cut)
{
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    if (cut) {
        assert_int_equal(ftruncate(fileno(file), at), 0);
    } else {
        int byte = fgetc(file);
        assert_int_equal(fseek(file, at, SEEK_SET), 0);
        fputc(byte ^ 1, file);
    }
    fclose(file);
}

static void kept_grids_are_whole_or_ignored(void **state)
{
    (void)state;
    slab_bench b;
    mo_distance_grid grid, again;
    mote_error error = {0};
    static const char FOLDER[] = "fluid_map_grids", MESH[] = "fluid_map_grids/slab.obj";
    static const char PATH[] = "fluid_map_grids/slab.obj.0000000000000abc.sdf";
    static const long ROWS_AT[] = {0, 9, 17, 25, 33, 60, 5000};
    remove_folder(FOLDER);
    open_slab(&b);
    mo_distance_grid_init(&grid, &b.solid, 0.5, 3, &b.memory);
    mo_distance_grid_init(&again, &b.solid, 0.5, 3, &b.memory);
    assert_int_equal(mo_distance_grid_build(&grid, NULL, &error), MOTE_OK);
    mo_distance_grid_save(&grid, MESH, 0xabc); /* no such directory: no effect */
    assert_false(mo_distance_grid_load(&again, MESH, 0xabc));
    assert_int_equal(mkdir(FOLDER, 0777), 0);
    mo_distance_grid_save(&grid, MESH, 0xabc);
    assert_false(mo_distance_grid_load(&again, MESH, 0xabd));
    for (size_t k = 0; k < sizeof ROWS_AT / sizeof *ROWS_AT; ++k) {
        spoil(PATH, ROWS_AT[k], false);
        assert_false(mo_distance_grid_load(&again, MESH, 0xabc));
        spoil(PATH, ROWS_AT[k], false);
    }
    assert_true(mo_distance_grid_load(&again, MESH, 0xabc));
    assert_int_equal(again.blocks.count, grid.blocks.count);
    compare_with_mesh(&b, &again);
    mo_distance_grid_release(&again);
    mo_distance_grid_init(&again, &b.solid, 0.5, 3, &b.memory);
    spoil(PATH, 6000, true);
    assert_false(mo_distance_grid_load(&again, MESH, 0xabc));
    mo_distance_grid_release(&again);
    mo_distance_grid_release(&grid);
    close_slab(&b);
    remove_folder(FOLDER);
}

/* ---- edges, corners and curved surfaces ---- */

static void check_against_integral(const bench *b, mo_vec3 x, double allowed)
{
    mo_vec3 gradient;
    double value = density_at(b, x, &gradient), exact = direct(b, x);
    if (!(fabs(value - exact) <= allowed * exact)) {
        fail_msg("%s, support %g, dimension %d at [%g, %g, %g]: %g, the integral is %g",
                 b->kernel.type->base.name, b->support, b->dimension, x.x, x.y, x.z, value, exact);
    }
}

/* Between nodes on both sides of a kink of s the error of the spline is up to 6.4 %, elsewhere 3
 * %. */
static void edges_and_corners_are_integrals(void **state)
{
    (void)state;
    SKIP_LONG_PHYSICS();
    for (int k = 0; k < CASE_COUNT; ++k) {
        bench b;
        const box tank = {{-4, -4, -4}, {4, 4, 4}, true}, block = {{-4, -4, -4}, {4, 4, 4}, false};
        mo_map_solid solid = box_solid(&tank), other = box_solid(&block);
        open_bench(&b, k);
        build(&b, &solid);
        check_against_integral(&b, mo_vec3_make(-3.5, -3.5, 0), 0.07);
        check_against_integral(&b, mo_vec3_make(3.5, 3.2, b.dimension == 3 ? 3.5 : 0), 0.07);
        check_against_integral(&b, mo_vec3_make(3, 0.1, b.dimension == 3 ? -3.5 : 0), 0.07);
        mo_solid_map_release(&b.map);
        build(&b, &other);
        check_against_integral(&b, mo_vec3_make(4.5, 3.7, 0), 0.07);
        check_against_integral(&b, mo_vec3_make(4.3, 4.2, 0), 0.07);
        close_bench(&b);
    }
}

static void spheres_are_integrals(void **state)
{
    (void)state;
    SKIP_LONG_PHYSICS();
    for (int k = 0; k < CASE_COUNT; ++k) {
        for (int inside = 0; inside < 2; ++inside) {
            bench b;
            const ball round = {4, inside};
            mo_map_solid solid = ball_solid(&round);
            double at = inside ? 3.5 : 4.5;
            open_bench(&b, k);
            build(&b, &solid);
            check_against_integral(&b, mo_vec3_make(at, 0, 0), 0.02);
            check_against_integral(&b, mo_vec3_make(0.6 * at, -0.8 * at, 0), 0.02);
            close_bench(&b);
        }
    }
}

static void plates_repel_on_both_sides(void **state)
{
    (void)state;
    SKIP_LONG_PHYSICS();
    for (int k = 0; k < FAST_CASES; ++k) {
        bench b;
        const box plate = {{-8, -0.1, -8}, {8, 0.1, 8}, false},
                  slab = {{-8, -30, -8}, {8, 0.1, 8}, false};
        mo_map_solid solid = box_solid(&plate), whole = box_solid(&slab);
        mo_vec3 above, below, unused;
        open_bench(&b, k);
        build(&b, &whole);
        double full = density_at(&b, mo_vec3_make(0.2, 0.6, 0), &unused);
        mo_solid_map_release(&b.map);
        build(&b, &solid);
        double value = density_at(&b, mo_vec3_make(0.2, 0.6, 0), &above);
        density_at(&b, mo_vec3_make(0.2, -0.6, 0), &below);
        assert_true(above.y < 0 && below.y > 0);
        assert_near(value, full, 0.15 * full);
        assert_near(above.y, -below.y, 0.02 * fabs(above.y));
        close_bench(&b);
    }
}

/* ---- gradients ---- */

static void check_gradients(const bench *b, double extent)
{
    static const double STEP = 0.005;
    double scale = 2 / b->support;
    for (uint64_t k = 0; k < 300; ++k) {
        mo_vec3 g, unused, x = mo_scale(extent, mo_random_cube(3, 4, k, 0));
        x.z = b->dimension == 2 ? 0 : x.z;
        density_at(b, x, &g);
        for (int c = 0; c < b->dimension; ++c) {
            mo_vec3 by = mo_vec3_make(c == 0 ? STEP : 0, c == 1 ? STEP : 0, c == 2 ? STEP : 0);
            double difference =
                (density_at(b, mo_add(x, by), &unused) - density_at(b, mo_sub(x, by), &unused)) /
                (2 * STEP);
            double allowed = 1e-3 * fmax(scale, 10 * mo_length(g));
            if (!(fabs(difference - mo_vec3_at(g, c)) <= allowed)) {
                fail_msg("%s, support %g at [%g, %g, %g], axis %d: %g, the difference is %g",
                         b->kernel.type->base.name, b->support, x.x, x.y, x.z, c, mo_vec3_at(g, c),
                         difference);
            }
        }
    }
}

static void forces_are_gradients_of_densities(void **state)
{
    (void)state;
    SKIP_LONG_PHYSICS();
    for (int k = 0; k < FAST_CASES; ++k) {
        bench b;
        const box tank = {{-4, -4, -4}, {4, 4, 4}, true};
        const ball round = {3, false};
        mo_map_solid solid = box_solid(&tank), other = ball_solid(&round);
        open_bench(&b, k);
        build(&b, &solid);
        check_gradients(&b, 4);
        mo_solid_map_release(&b.map);
        build(&b, &other);
        check_gradients(&b, 5);
        close_bench(&b);
    }
}

/* ---- motion ---- */

static mo_pose pose_at(double time)
{
    mo_vec3 axis = mo_vec3_make(0.6, 0, 0.8), speed = mo_vec3_make(0.3, -0.7, 0.2);
    mo_vec3 spin = mo_scale(0.5, axis);
    return (mo_pose){.R = mo_quat_matrix(mo_quat_turn(axis, 0.5 * time)),
                     .p = mo_scale(time, speed),
                     .v = speed,
                     .w = spin};
}

static void moving_solids_change_densities_at_their_velocity(void **state)
{
    (void)state;
    SKIP_LONG_PHYSICS();
    static const double STEP = 0.005;
    bench b;
    const box block = {{-4, -4, -4}, {4, 4, 4}, false};
    mo_map_solid solid = box_solid(&block);
    open_bench(&b, 1);
    build(&b, &solid);
    for (uint64_t k = 0; k < 100; ++k) {
        mo_vec3 g, unused, x = mo_scale(5.5, mo_random_cube(5, 6, k, 0));
        mo_pose now = pose_at(0.3), before = pose_at(0.3 - STEP), after = pose_at(0.3 + STEP);
        density_at(&b, mo_pose_undo(&now, x), &g);
        double rate = -mo_dot(mo_pose_velocity(&now, x), mo_mat3_apply(now.R, g));
        double difference = (density_at(&b, mo_pose_undo(&after, x), &unused) -
                             density_at(&b, mo_pose_undo(&before, x), &unused)) /
                            (2 * STEP);
        assert_near(rate, difference, 1e-2 * fmax(1, mo_length(g)));
    }
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lattice_half_a_spacing_from_a_plane_is_at_rest),
        cmocka_unit_test(planes_exert_no_tangential_force),
        cmocka_unit_test(tilted_meshes_exert_no_tangential_force),
        cmocka_unit_test(distances_on_a_grid_are_those_of_the_mesh),
        cmocka_unit_test(kept_grids_are_whole_or_ignored),
        cmocka_unit_test(edges_and_corners_are_integrals),
        cmocka_unit_test(spheres_are_integrals),
        cmocka_unit_test(plates_repel_on_both_sides),
        cmocka_unit_test(forces_are_gradients_of_densities),
        cmocka_unit_test(moving_solids_change_densities_at_their_velocity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
