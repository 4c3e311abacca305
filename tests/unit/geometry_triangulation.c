/*
 * Triangulation of oriented particles: Euler numbers of sheets, spheres and tori from irregular
 * samples, borders around gaps, a manifold from any points and axes, and the same triangles on any
 * number of threads.
 */
#include "test.h"

#include "geometry/surface/surface.h"
#include "numbers.h"
#include "set_param.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS_MAX = 20000 };

typedef struct cloud {
    int64_t count;
    double x[3 * POINTS_MAX], normal[3 * POINTS_MAX];
} cloud;

typedef struct made {
    mo_memory memory;
    mo_pool *pool;
    mo_trimesh mesh;
    mo_trimesh_report report;
} made;

static void add(cloud *c, mo_vec3 x, mo_vec3 normal)
{
    assert_true(c->count < POINTS_MAX);
    mo_vec3_store(c->x + 3 * c->count, x);
    mo_vec3_store(c->normal + 3 * c->count++, normal);
}

static cloud *new_cloud(void)
{
    cloud *c = calloc(1, sizeof *c);
    assert_non_null(c);
    return c;
}

static void make(made *m, const cloud *c, double spacing, int threads)
{
    params p;
    mote_error error = {0};
    clear_params(&p, mo_family_find(&mo_surfaces, "tangential_delaunay"));
    set_real(&p, "radius", 1.2);
    set_real(&p, "angle", 75);
    set_real(&p, "slope", 45);
    mo_memory_init(&m->memory, NULL);
    assert_int_equal(mo_pool_create(&m->memory, threads, &m->pool, NULL), MOTE_OK);
    mo_trimesh_init(&m->mesh, &m->memory);
    mo_surface_task task = {.cloud = {c->count, c->x, spacing, c->normal}, .method = method_of(&p)};
    if (mo_surface_make(&task, m->pool, &m->mesh, &m->report, &error) != MOTE_OK) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(m->report.pinched, 0);
    assert_int_equal(m->report.flat, 0);
}

static void release(made *m)
{
    mo_trimesh_release(&m->mesh);
    mo_pool_destroy(m->pool);
    assert_int_equal(m->memory.bytes, 0);
}

static void expect(const cloud *c, double spacing, int64_t euler, bool closed)
{
    made m;
    make(&m, c, spacing, 1);
    assert_int_equal(m.mesh.vertices, c->count);
    assert_int_equal(m.report.euler, euler);
    assert_true((m.report.border == 0) == closed);
    assert_true(!closed || m.report.volume > 0);
    release(&m);
}

static mo_vec3 jitter(uint64_t *random, double size)
{
    return size > 0 ? random_vec3(random, size) : mo_vec3_make(0, 0, 0);
}

static void sheets_have_euler_number_1(void **state)
{
    (void)state;
    for (int round = 0; round < 4; ++round) { /* cocircular quads, then irregular ones */
        uint64_t random = 7;
        cloud *c = new_cloud();
        for (int k = 0; k < 400; ++k) {
            mo_vec3 x = {k % 20, (double)(k / 20), 0};
            add(c, mo_add(x, jitter(&random, 0.08 * round)), mo_vec3_make(0, 0, 1));
        }
        expect(c, 1, 1, false);
        free(c);
    }
}

/* A Fibonacci lattice: spacing sqrt(4 pi / n). */
static void spheres_have_euler_number_2(void **state)
{
    (void)state;
    static const int COUNTS[] = {40, 300, 5000};
    for (int round = 0; round < 9; ++round) {
        uint64_t random = 3;
        int count = COUNTS[round % 3];
        double spacing = sqrt(12.566370614359172 / count);
        cloud *c = new_cloud();
        for (int k = 0; k < count; ++k) {
            double z = 1 - (2 * k + 1.0) / count, r = sqrt(1 - z * z), a = 2.399963229728653 * k;
            mo_vec3 x = {r * cos(a), r * sin(a), z};
            x = mo_add(x, jitter(&random, 0.1 * (round / 3) * spacing));
            mo_vec3 axis = mo_add(mo_unit(x, x), jitter(&random, 0.1 * (round / 3)));
            add(c, x, mo_unit(axis, axis));
        }
        expect(c, spacing, 2, true);
        free(c);
    }
}

static void tori_have_euler_number_0(void **state)
{
    (void)state;
    for (int round = 0; round < 3; ++round) {
        uint64_t random = 5;
        cloud *c = new_cloud();
        for (int j = 0; j < 30; ++j) {
            for (int i = 0; i < 72; ++i) {
                double a = 6.283185307179586 * (i + 0.5 * (j % 2)) / 72;
                double b = 6.283185307179586 * j / 30, r = 3 + 1.2 * cos(b);
                mo_vec3 x = {r * cos(a), r * sin(a), 1.2 * sin(b)};
                mo_vec3 n = {cos(b) * cos(a), cos(b) * sin(a), sin(b)};
                add(c, mo_add(x, jitter(&random, 0.03 * round)), n);
            }
        }
        expect(c, 0.25, 0, true);
        free(c);
    }
}

static void gaps_are_holes(void **state)
{
    (void)state;
    cloud *c = new_cloud();
    for (int k = 0; k < 900; ++k) {
        double x = k % 30, y = (double)(k / 30);
        bool hole = hypot(x - 9, y - 9) < 2.5 || hypot(x - 20, y - 18) < 3.5;
        if (!hole) {
            add(c, mo_vec3_make(x, y, 0), mo_vec3_make(0, 0, 1));
        }
    }
    expect(c, 1, -1, false); /* 1 - 2 holes */
    free(c);
}

/* The sides of a thin plate and stacked sheets stay apart. */
static void close_sheets_are_not_connected(void **state)
{
    (void)state;
    cloud *c = new_cloud();
    for (int k = 0; k < 400; ++k) {
        double x = k % 20, y = (double)(k / 20);
        add(c, mo_vec3_make(x, y, 0), mo_vec3_make(0, 0, -1));
        add(c, mo_vec3_make(x, y, 0.4), mo_vec3_make(0, 0, 1));
        add(c, mo_vec3_make(x, y, 1.9), mo_vec3_make(0, 0, 1));
    }
    expect(c, 1, 3, false);
    free(c);
}

static void anything_is_a_manifold(void **state)
{
    (void)state;
    uint64_t random = 11;
    for (int round = 0; round < 40; ++round) {
        cloud *c = new_cloud();
        int count = 1 + 25 * round;
        double size = 1 + 0.25 * round, flat = round % 3 == 0 ? 0.1 : 1;
        for (int k = 0; k < count; ++k) {
            mo_vec3 x = mo_scale(size, random_vec3(&random, 1)), n = random_vec3(&random, 1);
            x.z *= flat;
            n.z += round % 2 ? 1.5 : 0;
            x = round % 5 == 4 && k % 7 == 0 ? mo_vec3_make(0, 0, 0) : x; /* coincident */
            add(c, x, k % 11 == 10 ? mo_vec3_make(0, 0, 0) : mo_unit(n, n));
        }
        made m;
        make(&m, c, 0.7, 1);
        release(&m);
        free(c);
    }
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    static const int THREADS[] = {2, 3, 8};
    uint64_t random = 13;
    cloud *c = new_cloud();
    for (int k = 0; k < 3000; ++k) {
        mo_vec3 x = random_vec3(&random, 1);
        x = mo_unit(x, mo_vec3_make(0, 0, 1));
        add(c, x, x);
    }
    made one, many;
    make(&one, c, 0.06, 1);
    for (int k = 0; k < 3; ++k) {
        make(&many, c, 0.06, THREADS[k]);
        assert_int_equal(many.mesh.triangles, one.mesh.triangles);
        assert_memory_equal(many.mesh.corner, one.mesh.corner,
                            3 * (size_t)one.mesh.triangles * sizeof(int32_t));
        assert_memory_equal(many.mesh.x, one.mesh.x,
                            3 * (size_t)one.mesh.vertices * sizeof(double));
        release(&many);
    }
    release(&one);
    free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sheets_have_euler_number_1),
        cmocka_unit_test(spheres_have_euler_number_2),
        cmocka_unit_test(tori_have_euler_number_0),
        cmocka_unit_test(gaps_are_holes),
        cmocka_unit_test(close_sheets_are_not_connected),
        cmocka_unit_test(anything_is_a_manifold),
        cmocka_unit_test(threads_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
