/*
 * Surface reconstruction by every method: closed, manifold, outward, close to the particles,
 * bitwise identical on any number of threads.
 */
#include "test.h"

#include "geometry/surface/surface.h"
#include "math/eigen3.h"
#include "numbers.h"
#include "set_param.h"

#include <stdlib.h>

enum { POINTS_MAX = 60000 };

typedef struct cloud {
    int64_t count;
    double x[3 * POINTS_MAX];
} cloud;

typedef struct made {
    mo_memory memory;
    mo_pool *pool;
    mo_trimesh mesh;
    mo_trimesh_report report;
} made;

static cloud *new_cloud(void)
{
    cloud *c = calloc(1, sizeof *c);
    assert_non_null(c);
    return c;
}

static void add_point(cloud *c, double x, double y, double z)
{
    assert_true(c->count < POINTS_MAX);
    double *p = c->x + 3 * c->count++;
    p[0] = x;
    p[1] = y;
    p[2] = z;
}

/* A jittered lattice of spacing 1 where `inside` holds, around `at`. */
typedef bool inside_fn(double x, double y, double z);
static void add_lattice(cloud *c, inside_fn *inside, mo_vec3 at, int half, double jitter)
{
    uint64_t random = 5;
    for (int k = -half; k < half; ++k) {
        for (int j = -half; j < half; ++j) {
            for (int i = -half; i < half; ++i) {
                mo_vec3 r = random_vec3(&random, jitter > 0 ? jitter : 1e-300);
                if (inside(i + 0.5, j + 0.5, k + 0.5)) {
                    add_point(c, at.x + i + 0.5 + r.x, at.y + j + 0.5 + r.y, at.z + k + 0.5 + r.z);
                }
            }
        }
    }
}

static bool in_ball(double x, double y, double z)
{
    return x * x + y * y + z * z < 8 * 8;
}

static bool in_torus(double x, double y, double z)
{
    double r = sqrt(x * x + y * y) - 10;
    return r * r + z * z < 4 * 4;
}

static bool in_pool(double x, double y, double z)
{
    return fabs(x) < 16 && fabs(y) < 16 && z > -6 && z < 6;
}

static void set_defaults(params *p, const mo_descriptor *type)
{
    clear_params(p, type);
    for (const mo_param *param = type->params; param->name; ++param) {
        if (param->initial && param->type == MO_REAL) {
            set_real(p, param->name, strtod(param->initial, NULL));
        } else if (param->initial) {
            set_int(p, param->name, strtol(param->initial, NULL, 10));
        }
    }
}

static mote_status try_surface(made *m, const params *p, const cloud *c, double spacing,
                               int threads, mote_error *error)
{
    mo_memory_init(&m->memory, NULL);
    assert_int_equal(mo_pool_create(&m->memory, threads, &m->pool, NULL), MOTE_OK);
    mo_trimesh_init(&m->mesh, &m->memory);
    mo_surface_task task = {.cloud = {c->count, c->x, spacing}, .method = method_of(p)};
    return mo_surface_make(&task, m->pool, &m->mesh, &m->report, error);
}

static void release(made *m)
{
    mo_trimesh_release(&m->mesh);
    mo_pool_destroy(m->pool);
    assert_int_equal(m->memory.bytes, 0);
}

/* No coincident vertices: tested along the edges of triangles, since vertices on other grid
 * edges are separate by construction. */
static void assert_sound(const made *m, const char *what)
{
    const mo_trimesh *mesh = &m->mesh;
    if (m->report.bad_vertices || m->report.flat) {
        fail_msg("%s: %lld bad vertices, %lld flat triangles", what,
                 (long long)m->report.bad_vertices, (long long)m->report.flat);
    }
    for (int64_t v = 0; v < mesh->vertices; ++v) {
        assert_near(mo_length(mo_vec3_load(mesh->normal + 3 * v)), 1, 1e-12);
    }
}

static void make_surface(made *m, const params *p, const cloud *c, double spacing, int threads)
{
    mote_error error = {0};
    if (try_surface(m, p, c, spacing, threads, &error) != MOTE_OK) {
        fail_msg("%s: %s", p->type->name, error.text);
    }
    assert_sound(m, p->type->name);
}

static void for_methods(void (*function)(params *p))
{
    for (int k = 0; k < mo_surfaces.count; ++k) {
        params p;
        if (((const mo_surface_type *)mo_surfaces.methods[k])->mesh) {
            continue; /* needs axes: geometry_triangulation.c */
        }
        set_defaults(&p, mo_surfaces.methods[k]);
        function(&p);
    }
}

/* ---- shape ---- */

static void check_shapes(params *p)
{
    cloud *c = new_cloud();
    made m;
    add_lattice(c, in_ball, mo_vec3_make(0.3, 0.2, 0.1), 9, 0.15);
    make_surface(&m, p, c, 1, 2);
    assert_int_equal(m.report.euler, 2);
    assert_near(m.report.volume / (double)c->count, 1, 0.04);
    release(&m);
    add_lattice(c, in_ball, mo_vec3_make(1000, 0.2, 0.1), 9, 0.15);
    make_surface(&m, p, c, 1, 1);
    assert_int_equal(m.report.euler, 4);
    assert_near(m.report.volume / (double)c->count, 1, 0.04);
    release(&m);
    c->count = 0;
    add_lattice(c, in_torus, mo_vec3_make(-5, 7, 3), 15, 0.15);
    make_surface(&m, p, c, 1, 1);
    assert_int_equal(m.report.euler, 0);
    assert_near(m.report.volume / (double)c->count, 1, 0.05);
    release(&m);
    free(c);
}

static void balls_and_rings_keep_topology_and_volume(void **state)
{
    (void)state;
    for_methods(check_shapes);
}

/* Consistent with the adjacent triangles, and away from the centre of the ball. */
static void check_normals(params *p)
{
    cloud *c = new_cloud();
    made m;
    mo_vec3 middle = {0.3, 0.2, 0.1};
    add_lattice(c, in_ball, middle, 9, 0.1);
    make_surface(&m, p, c, 1, 1);
    for (int64_t v = 0; v < m.mesh.vertices; ++v) {
        mo_vec3 out = mo_unit(mo_sub(mo_vec3_load(m.mesh.x + 3 * v), middle), middle);
        assert_true(mo_dot(out, mo_vec3_load(m.mesh.normal + 3 * v)) > 0.6);
    }
    double sum = 0;
    for (int64_t t = 0; t < m.mesh.triangles; ++t) {
        const int32_t *corner = m.mesh.corner + 3 * t;
        mo_vec3 a = mo_vec3_load(m.mesh.x + 3 * corner[0]);
        mo_vec3 n = mo_unit(mo_cross(mo_sub(mo_vec3_load(m.mesh.x + 3 * corner[1]), a),
                                     mo_sub(mo_vec3_load(m.mesh.x + 3 * corner[2]), a)),
                            middle);
        for (int k = 0; k < 3; ++k) {
            double agree = mo_dot(n, mo_vec3_load(m.mesh.normal + 3 * corner[k]));
            assert_true(agree > 0);
            sum += agree;
        }
    }
    assert_true(sum / (3 * (double)m.mesh.triangles) > 0.97);
    release(&m);
    free(c);
}

static void normals_point_outward(void **state)
{
    (void)state;
    for_methods(check_normals);
}

/* ---- flatness ---- */

/* The deviation of the top of a jittered pool from its mean height, away from the sides; and
 * that height. */
static double roughness(params *p, double jitter, double *height)
{
    cloud *c = new_cloud();
    made m;
    double sum = 0, squares = 0, count = 0;
    add_lattice(c, in_pool, mo_vec3_make(0.2, 0.1, 0.13), 16, jitter);
    make_surface(&m, p, c, 1, 2);
    assert_int_equal(m.report.euler, 2);
    for (int64_t v = 0; v < m.mesh.vertices; ++v) {
        const double *x = m.mesh.x + 3 * v;
        if (x[2] > 0 && fabs(x[0]) < 11 && fabs(x[1]) < 11) {
            sum += x[2];
            squares += x[2] * x[2];
            ++count;
        }
    }
    release(&m);
    free(c);
    *height = sum / count - 6.13;
    return sqrt(squares / count - sum / count * (sum / count));
}

static void a_flat_pool_is_rendered_flat(void **state)
{
    (void)state;
    params p;
    double rough[3], height;
    const char *const names[] = {"anisotropic", "metaball", "zhu_bridson"};
    for (int k = 0; k < 3; ++k) {
        set_defaults(&p, mo_family_find(&mo_surfaces, names[k]));
        rough[k] = roughness(&p, 0.15, &height);
        print_message("  %-12s jitter 0.15: roughness %.4f, top %+.4f;", names[k], rough[k],
                      height);
        assert_near(height, 0, 0.12);
        double rougher = roughness(&p, 0.3, &height);
        print_message(" jitter 0.3: roughness %.4f, top %+.4f spacings\n", rougher, height);
    }
    assert_true(rough[0] < 0.035);
    assert_true(rough[0] < 0.8 * rough[1] && rough[0] < 0.8 * rough[2]);
}

/* The height of the bump by one particle half a spacing above a flat lattice. */
static double bump(params *p)
{
    cloud *c = new_cloud();
    made m;
    double top = -INFINITY;
    add_lattice(c, in_pool, mo_vec3_make(0, 0, 0), 16, 0);
    for (int64_t k = 0; k < c->count; ++k) {
        double *x = c->x + 3 * k;
        x[2] += fabs(x[0] - 0.5) < 0.1 && fabs(x[1] - 0.5) < 0.1 && x[2] > 5 ? 0.5 : 0;
    }
    make_surface(&m, p, c, 1, 1);
    for (int64_t v = 0; v < m.mesh.vertices; ++v) {
        const double *x = m.mesh.x + 3 * v;
        top = fabs(x[0]) < 5 && fabs(x[1]) < 5 ? fmax(top, x[2]) : top;
    }
    release(&m);
    free(c);
    return top - 6;
}

static void particles_that_stick_out_hardly_show(void **state)
{
    (void)state;
    params p;
    set_defaults(&p, mo_family_find(&mo_surfaces, "anisotropic"));
    double plain = bump(&p);
    set_real(&p, "centers", 0.9);
    double smoothed = bump(&p);
    set_defaults(&p, mo_family_find(&mo_surfaces, "metaball"));
    double ball = bump(&p);
    print_message(
        "  a particle lifted by 0.5 lifts the surface by %.3f; with smoothed centres %.3f; metaball %.3f\n",
        plain, smoothed, ball);
    assert_true(plain < 0.6 * ball && smoothed < 0.6 * ball);
}

static void smoothing_keeps_the_volume(void **state)
{
    (void)state;
    params p;
    made m;
    cloud *c = new_cloud();
    set_defaults(&p, mo_family_find(&mo_surfaces, "metaball"));
    add_lattice(c, in_ball, mo_vec3_make(0.3, 0.2, 0.1), 9, 0.2);
    make_surface(&m, &p, c, 1, 1);
    double volume = m.report.volume, area = m.report.area;
    release(&m);
    set_int(&p, "smooth", 20);
    make_surface(&m, &p, c, 1, 1);
    assert_near(m.report.volume / volume, 1, 1e-3);
    assert_true(m.report.area < 0.999 * area);
    assert_int_equal(m.report.euler, 2);
    release(&m);
    free(c);
}

/* ---- any cloud ---- */

static void fill_cloud(cloud *c, int kind, uint64_t *random)
{
    int64_t count = 1 + random_below(random, 2000);
    double size = random_between(random, 1, 20);
    c->count = 0;
    for (int64_t k = 0; k < count; ++k) {
        mo_vec3 r = random_vec3(random, size);
        switch (kind) {
        case 0: /* uniform */
            break;
        case 1: /* clustered */
            r = mo_add(random_vec3(random, 0.5),
                       mo_scale(7, mo_vec3_make((double)(k % 5), (double)(k % 3), 0)));
            break;
        case 2: /* planar */
            r.z = 0.7 * r.x;
            break;
        case 3: /* collinear */
            r = mo_scale(r.x, mo_vec3_make(1, 0.5, 0.25));
            break;
        case 4: /* three groups of coincident points */
            r = mo_scale((double)(k % 3), mo_vec3_make(1, 1, 0));
            break;
        case 5: /* a lattice on the nodes of the grid */
            r = mo_vec3_make((double)(k % 11), (double)(k / 11 % 11), (double)(k / 121));
            break;
        case 6: /* extent 1e9 */
            r = mo_scale(k % 2 ? 1 : 1e9 / size, r);
            break;
        case 7: /* one */
            k = count;
            break;
        default: /* none */
            return;
        }
        add_point(c, r.x, r.y, r.z);
    }
}

static void check_clouds(params *p)
{
    cloud *c = new_cloud();
    uint64_t random = 1;
    for (int round = 0; round < 6; ++round) {
        for (int kind = 0; kind < 9; ++kind) {
            made m;
            fill_cloud(c, kind, &random);
            set_real(p, "cell", round % 2 ? 0.5 : random_between(&random, 0.2, 1.5));
            make_surface(&m, p, c, 1, 1 + round % 3);
            assert_true(c->count > 0 || m.mesh.vertices == 0);
            release(&m);
        }
    }
    free(c);
}

static void any_cloud_has_a_closed_surface(void **state)
{
    (void)state;
    for_methods(check_clouds);
}

/* ... with any parameters. */
static void any_parameters_give_a_closed_surface(void **state)
{
    (void)state;
    uint64_t random = 9;
    cloud *c = new_cloud();
    for (int round = 0; round < 60; ++round) {
        params p;
        made m;
        const mo_descriptor *type = mo_surfaces.methods[round % mo_surfaces.count];
        if (((const mo_surface_type *)type)->mesh) {
            continue;
        }
        fill_params(&p, type, &random);
        set_int(&p, "smooth", 0);
        set_real(&p, "cell", random_between(&random, 0.3, 2));
        fill_cloud(c, round % 5, &random);
        c->count = c->count < 300 ? c->count : 300;
        make_surface(&m, &p, c, 1, 1);
        release(&m);
    }
    free(c);
}

/* ---- threads ---- */

static void check_threads(params *p)
{
    static const int THREADS[] = {2, 3, 8};
    cloud *c = new_cloud();
    made one, many;
    set_int(p, "smooth", 2);
    add_lattice(c, in_pool, mo_vec3_make(0.1, 0.2, 0.3), 16, 0.2);
    make_surface(&one, p, c, 1, 1);
    assert_true(one.mesh.triangles > 10000);
    for (size_t k = 0; k < sizeof THREADS / sizeof *THREADS; ++k) {
        make_surface(&many, p, c, 1, THREADS[k]);
        assert_int_equal(many.mesh.vertices, one.mesh.vertices);
        assert_int_equal(many.mesh.triangles, one.mesh.triangles);
        size_t bytes = 3 * (size_t)one.mesh.vertices * sizeof(double);
        assert_memory_equal(many.mesh.x, one.mesh.x, bytes);
        assert_memory_equal(many.mesh.normal, one.mesh.normal, bytes);
        assert_memory_equal(many.mesh.corner, one.mesh.corner,
                            3 * (size_t)one.mesh.triangles * sizeof(int32_t));
        assert_true(same_bits(many.report.volume, one.report.volume));
        release(&many);
    }
    release(&one);
    free(c);
}

static void threads_do_not_change_a_bit(void **state)
{
    (void)state;
    for_methods(check_threads);
}

/* ---- memory ---- */

static void far_drops_need_no_space_between(void **state)
{
    (void)state;
    params p;
    made near, far;
    cloud *c = new_cloud();
    set_defaults(&p, mo_family_find(&mo_surfaces, "anisotropic"));
    add_lattice(c, in_ball, mo_vec3_make(0, 0, 0), 9, 0);
    add_lattice(c, in_ball, mo_vec3_make(100, 0, 0), 9, 0);
    make_surface(&near, &p, c, 1, 1);
    for (int64_t k = c->count / 2; k < c->count; ++k) {
        c->x[3 * k] += 1e8;
    }
    make_surface(&far, &p, c, 1, 1);
    assert_int_equal(near.mesh.triangles, far.mesh.triangles);
    assert_true((double)far.memory.peak < 1.1 * (double)near.memory.peak);
    release(&near);
    release(&far);
    free(c);
}

/* ---- fields ---- */

static void fields_are_interpolated_as_means(void **state)
{
    (void)state;
    params p;
    made m;
    mote_error error = {0};
    cloud *c = new_cloud();
    set_defaults(&p, mo_family_find(&mo_surfaces, "anisotropic"));
    add_lattice(c, in_ball, mo_vec3_make(0, 0, 0), 9, 0.1);
    mote_column same = {"x", "m", MOTE_F64, 3, c->count, c->x};
    mo_surface_interpolated interpolated = {&same, NULL};
    mo_memory_init(&m.memory, NULL);
    assert_int_equal(mo_pool_create(&m.memory, 2, &m.pool, NULL), MOTE_OK);
    mo_trimesh_init(&m.mesh, &m.memory);
    mo_surface_task task = {{c->count, c->x, 1, NULL}, method_of(&p), 1, &interpolated};
    assert_int_equal(mo_surface_make(&task, m.pool, &m.mesh, &m.report, &error), MOTE_OK);
    for (int64_t k = 0; k < m.mesh.vertices;
         ++k) { /* the mean position of nearby particles is near and inside */
        mo_vec3 mean = mo_vec3_load(interpolated.out + 3 * k), x = mo_vec3_load(m.mesh.x + 3 * k);
        assert_true(mo_length(mo_sub(mean, x)) < 3 && mo_length(mean) < mo_length(x));
    }
    mo_release(&m.memory, interpolated.out);
    release(&m);
    free(c);
}

/* ---- errors ---- */

static void need_refusal(const params *p, const cloud *c, double spacing, const char *word)
{
    made m;
    mote_error error = {0};
    assert_int_equal(try_surface(&m, p, c, spacing, 1, &error), MOTE_ERROR_INPUT);
    assert_says(error.text, word);
    release(&m);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    params p;
    cloud *c = new_cloud();
    set_defaults(&p, mo_family_find(&mo_surfaces, "anisotropic"));
    add_point(c, 0, 0, 0);
    add_point(c, 1, 2, 3);
    need_refusal(&p, c, 0, "spacing");
    need_refusal(&p, c, -1, "spacing");
    need_refusal(&p, c, (double)NAN, "spacing");
    need_refusal(&p, c, (double)INFINITY, "spacing");
    c->x[4] = (double)NAN;
    need_refusal(&p, c, 1, "particle 1");
    c->x[4] = 1e12;
    need_refusal(&p, c, 1, "from the origin");
    c->count = 0;
    for (int k = 0; k < 4000; ++k) { /* a splat of 320 cells, far from any other */
        add_point(c, 1e3 * k, 0, 0);
    }
    set_real(&p, "cell", 0.05);
    set_real(&p, "support", 8);
    set_real(&p, "lonely", 1);
    need_refusal(&p, c, 1, "larger cell");
    set_defaults(&p, mo_family_find(&mo_surfaces, "zhu_bridson"));
    set_real(&p, "threshold", 2.5);
    assert_refused(&p, "threshold");
    free(c);
}

static void spacings_are_estimated(void **state)
{
    (void)state;
    mo_memory memory;
    mo_pool *pool;
    double spacing;
    cloud *c = new_cloud();
    mo_memory_init(&memory, NULL);
    assert_int_equal(mo_pool_create(&memory, 2, &pool, NULL), MOTE_OK);
    add_lattice(c, in_ball, mo_vec3_make(0, 0, 0), 9, 0);
    assert_int_equal(mo_spacing_estimate(c->count, c->x, pool, &spacing, NULL), MOTE_OK);
    assert_near(spacing, 1, 1e-12);
    assert_int_equal(mo_spacing_estimate(1, c->x, pool, &spacing, NULL), MOTE_ERROR_INPUT);
    memset(c->x, 0, 300 * sizeof(double));
    assert_int_equal(mo_spacing_estimate(100, c->x, pool, &spacing, NULL), MOTE_ERROR_INPUT);
    mo_pool_destroy(pool);
    free(c);
}

/* ---- eigenvalues ---- */

static void eigenvectors_rebuild_the_matrix(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int round = 0; round < 5000; ++round) {
        mo_vec3 a = random_vec3(&random, 1), b = round % 3 ? random_vec3(&random, 1) : a;
        mo_vec3 c = round % 5 ? random_vec3(&random, 1e-9) : mo_vec3_make(0, 0, 0);
        mo_mat3 m = {{0}}, back = {{0}};
        const double *v[3] = {&a.x, &b.x, &c.x};
        for (int k = 0; k < 27; ++k) {
            m.m[k % 9] += v[k / 9][k % 9 / 3] * v[k / 9][k % 3];
        }
        mo_eigen3 e = mo_eigen3_of(m);
        for (int k = 0; k < 27; ++k) {
            int axis = k / 9, row = k % 9 / 3, column = k % 3;
            back.m[k % 9] +=
                e.value[axis] * e.vector.m[3 * row + axis] * e.vector.m[3 * column + axis];
        }
        for (int k = 0; k < 9; ++k) {
            assert_near(back.m[k], m.m[k], 1e-14);
        }
        mo_mat3 unit = mo_mat3_product(mo_mat3_transpose(e.vector), e.vector);
        for (int k = 0; k < 9; ++k) {
            assert_near(unit.m[k], k % 4 == 0, 1e-14);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_and_rings_keep_topology_and_volume),
        cmocka_unit_test(normals_point_outward),
        cmocka_unit_test(a_flat_pool_is_rendered_flat),
        cmocka_unit_test(particles_that_stick_out_hardly_show),
        cmocka_unit_test(smoothing_keeps_the_volume),
        cmocka_unit_test(any_cloud_has_a_closed_surface),
        cmocka_unit_test(any_parameters_give_a_closed_surface),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(far_drops_need_no_space_between),
        cmocka_unit_test(fields_are_interpolated_as_means),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(spacings_are_estimated),
        cmocka_unit_test(eigenvectors_rebuild_the_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
