/*
 * Distances, boundary particles and fillings of a torus of triangles (radii 1 and 0.4).
 *
 * geometry/distance: signed distances at a million random points in its bounding box; the baseline
 * is a loop over all triangles, on one thread, for a few of the points. geometry/near: points
 * within a spacing of the surface, as queried by colliders. geometry/tree: construction.
 * geometry/sample: boundary particles of the torus, and of the tank of the largest dam break.
 * geometry/fill: particles in the torus on a lattice.
 */
#include "base/error.h"
#include "bench/bench.h"
#include "geometry/shape/filling.h"
#include "geometry/shape/shape_samples.h"
#include "geometry/trimesh/distance.h"
#include "math/random.h"

#include <math.h>
#include <stdio.h>

enum { POINTS = 1000000, BATCH = 4096, TRIED = 40 };

static const double MAJOR = 1, MINOR = 0.4, PI = 3.14159265358979323846;

typedef struct job {
    mo_memory memory;
    mo_arena arena;
    mo_pool *pool;
    mo_trimesh mesh;
    mo_trimesh_distance tree;
    double *x, *distance;
    double spacing;
    int64_t made;
    mote_status status;
    mote_error error;
} job;

static mote_status make_ring(job *j, int around, int across)
{
    MO_TRY(mo_trimesh_reserve(&j->mesh, (int64_t)around * across, 2 * (int64_t)around * across,
                              &j->error));
    for (int i = 0; i < around; ++i) {
        for (int k = 0; k < across; ++k) {
            double u = 2 * PI * i / around, v = 2 * PI * k / across, r = MAJOR + MINOR * cos(v);
            int64_t at = (int64_t)i * across + k;
            mo_vec3_store(j->mesh.x + 3 * at, mo_vec3_make(r * cos(u), r * sin(u), MINOR * sin(v)));
            int32_t a = (int32_t)at, b = (i + 1) % around * across + k,
                    d = i * across + (k + 1) % across;
            int32_t c = (i + 1) % around * across + (k + 1) % across, quad[6] = {a, b, c, a, c, d};
            for (int n = 0; n < 6; ++n) {
                j->mesh.corner[6 * at + n] = quad[n];
            }
        }
    }
    return MOTE_OK;
}

/* Uniformly in the bounding box of the torus, or within `near` of its surface. */
static void scatter_points(job *j, double near)
{
    for (int64_t k = 0; k < POINTS; ++k) {
        mo_vec3 r = mo_random_cube(7, 0, (uint64_t)k, 0);
        double u = PI * r.x, v = PI * r.y, reach = MINOR + near * r.z,
               ring = MAJOR + reach * cos(v);
        mo_vec3 x = near > 0 ? mo_vec3_make(ring * cos(u), ring * sin(u), reach * sin(v))
                             : mo_multiply(mo_vec3_make(1.5, 1.5, 0.5), r);
        mo_vec3_store(j->x + 3 * k, x);
    }
}

static void measure_range(void *context, int64_t first, int64_t last)
{
    job *j = context;
    mo_trimesh_distances(&j->tree, last - first, j->x + 3 * first, j->distance + first, NULL);
}

static void measure(void *context)
{
    job *j = context;
    mo_parallel_for(j->pool, POINTS, BATCH, measure_range, j);
}

static void measure_plainly(void *context)
{
    job *j = context;
    for (int64_t k = 0; k < TRIED; ++k) {
        double best = (double)INFINITY;
        for (int64_t t = 0; t < j->tree.triangles; ++t) {
            int kind;
            mo_vec3 x = mo_vec3_load(j->x + 3 * k);
            mo_vec3 r = mo_sub(x, mo_triangle_nearest(&j->tree.triangle[t], x, &kind));
            best = fmin(best, mo_dot(r, r));
        }
        j->distance[k] = best;
    }
}

static void build(void *context)
{
    job *j = context;
    mo_arena_release(&j->arena);
    j->status = mo_trimesh_distance_build(&j->mesh, "ring", false, &j->arena, &j->tree, &j->error);
}

static void sample_mesh(void *context)
{
    job *j = context;
    mo_samples samples;
    mo_sampling how = mo_sampling_make(j->spacing, 3);
    how.pool = j->pool;
    mo_samples_init(&samples, &j->memory);
    j->status = mo_sample_mesh(&j->mesh, "ring", &how, &samples, &j->error);
    j->made = samples.count;
    mo_samples_release(&samples);
}

/* A box with the layout of the scene reader. */
typedef struct box {
    mo_vec3 min, max;
} box;

static void sample_tank(void *context)
{
    job *j = context;
    box tank = {{0, 0, 0}, {10, 7.5, 5.05}};
    mo_method shape = {mo_family_find(&mo_shapes, "box"), &tank};
    mo_samples samples;
    mo_sampling how = mo_sampling_make(0.05, 3);
    mo_samples_init(&samples, &j->memory);
    j->status = mo_sample_shape(shape, &how, &samples, &j->error);
    j->made = samples.count;
    mo_samples_release(&samples);
}

static void tree_distances(const void *params, int64_t count, const double *points,
                           double *distance, double *normal)
{
    mo_trimesh_distances(params, count, points, distance, normal);
}

static bool tree_bounds(const void *params, mo_vec3 *low, mo_vec3 *high)
{
    const mo_trimesh_distance *tree = params;
    *low = tree->low;
    *high = tree->high;
    return true;
}

static void fill(void *context)
{
    static const mo_shape_type RING = {
        .base = {.name = "ring"}, .distances = tree_distances, .bounds = tree_bounds};
    job *j = context;
    mo_fill_points points;
    mo_filling how = mo_filling_make(j->spacing, 3);
    how.pool = j->pool;
    mo_fill_points_init(&points, &j->memory);
    j->status = mo_fill_shape((mo_method){&RING.base, &j->tree}, &how, &points, &j->error);
    j->made = points.count;
    mo_fill_points_release(&points);
}

/* ---- rows ---- */

static double report(const bench *b, const job *j, const char *name, int threads, double count,
                     double seconds, const char *unit, double baseline)
{
    bench_row row = {.name = name,
                     .threads = threads,
                     .seconds = seconds,
                     .rate = count / seconds,
                     .unit = unit,
                     .baseline = baseline};
    snprintf(row.note, sizeof row.note, "%.3f us each; %lld triangles", 1e6 * seconds / count,
             (long long)j->mesh.triangles);
    bench_report(b, &row);
    return row.rate;
}

static mote_status time_distances(const bench *b, job *j, const char *name, int threads,
                                  double near)
{
    scatter_points(j, near);
    double plain = TRIED / bench_best_seconds(b, measure_plainly, j);
    report(b, j, name, threads, POINTS, bench_best_seconds(b, measure, j), "points/s", plain);
    return MOTE_OK;
}

static mote_status run_all(const bench *b, job *j, int threads, double alone[3])
{
    double none = (double)NAN;
    bool first = isnan(alone[0]);
    MO_TRY(make_ring(j, 240, 120));
    double seconds = bench_best_seconds(b, build, j);
    MO_TRY(j->status);
    if (first) {
        report(b, j, "geometry/tree", 1, (double)j->mesh.triangles, seconds, "triangles/s", none);
    }
    MO_TRY(time_distances(b, j, "geometry/distance", threads, 0));
    MO_TRY(time_distances(b, j, "geometry/near", threads, 0.05));
    j->spacing = 0.02;
    seconds = bench_best_seconds(b, sample_mesh, j);
    MO_TRY(j->status);
    double rate = report(b, j, "geometry/sample/mesh", threads, (double)j->made, seconds,
                         "samples/s", alone[0]);
    alone[0] = first ? rate : alone[0];
    seconds = bench_best_seconds(b, fill, j);
    MO_TRY(j->status);
    rate = report(b, j, "geometry/fill/mesh", threads, (double)j->made, seconds, "particles/s",
                  alone[1]);
    alone[1] = first ? rate : alone[1];
    if (first) {
        seconds = bench_best_seconds(b, sample_tank, j);
        MO_TRY(j->status);
        j->mesh.triangles = 0;
        report(b, j, "geometry/sample/tank", 1, (double)j->made, seconds, "samples/s", none);
    }
    return MOTE_OK;
}

static mote_status run_ring(void *context, mote_error *error)
{
    const bench *b = context;
    int threads[BENCH_THREAD_COUNTS_MAX], count = bench_thread_counts(b, threads);
    double alone[3] = {(double)NAN, (double)NAN, (double)NAN};
    mote_status status = MOTE_OK;
    for (int k = 0; k < count && status == MOTE_OK; ++k) {
        job j = {0};
        void *x = NULL, *distance = NULL;
        mo_memory_init(&j.memory, NULL);
        mo_arena_init(&j.arena, &j.memory);
        mo_trimesh_init(&j.mesh, &j.memory);
        status = mo_pool_create(&j.memory, threads[k], &j.pool, error);
        if (status == MOTE_OK) {
            status = mo_allocate_array(&j.memory, POINTS + 1, 3 * sizeof(double), &x, error);
        }
        if (status == MOTE_OK) {
            status = mo_allocate_array(&j.memory, POINTS, sizeof(double), &distance, error);
        }
        j.x = x;
        j.distance = distance;
        if (status == MOTE_OK) {
            status = run_all(b, &j, threads[k], alone);
            status = status == MOTE_OK ? MOTE_OK : mo_fail(error, status, "%s", j.error.text);
        }
        mo_release(&j.memory, x);
        mo_release(&j.memory, distance);
        mo_trimesh_release(&j.mesh);
        mo_arena_release(&j.arena);
        mo_pool_destroy(j.pool);
    }
    return status;
}

static const suite_case CASES[] = {
    {"geometry/", "Distances, boundary particles and fillings of a ring of 57,600 triangles.",
     run_ring},
    {0}};

const suite_group bench_geometry = {"geometry",
                                    "Distances of meshes, boundary particles, fillings.", CASES};
