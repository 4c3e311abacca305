/*
 * Surface reconstruction of a jittered pool of 200,000 particles (59 x 59 x 58), by each method
 * with its defaults: the whole of mote_surface_create, from positions to the verified mesh. The
 * baseline is the rate on one thread.
 */
#include "geometry/surface/surface.h"
#include "base/error.h"
#include "bench/bench.h"
#include "math/random.h"
#include "mote/surface.h"

#include <math.h>
#include <stdlib.h>

enum { WIDE = 59, HIGH = 58, COUNT = WIDE * WIDE * HIGH };

typedef struct meshing {
    double *x;
    mote_surface_options options;
    mote_surface_mesh mesh;
    mote_status status;
    mote_error error;
} meshing;

static void make_mesh(void *context)
{
    meshing *m = context;
    mote_surface *surface;
    if (m->status == MOTE_OK) {
        m->status = mote_surface_create(COUNT, m->x, &m->options, &surface, &m->error);
    }
    if (m->status == MOTE_OK) {
        m->mesh = mote_surface_get(surface);
        mote_surface_destroy(surface);
    }
}

static double *make_pool(void)
{
    double *x = malloc(3 * (size_t)COUNT * sizeof *x);
    for (int64_t k = 0; x && k < COUNT; ++k) {
        mo_vec3 r = mo_random_cube(1, 0, (uint64_t)k, 0);
        x[3 * k] = (double)(k % WIDE) + 0.15 * r.x;
        x[3 * k + 1] = (double)(k / WIDE % WIDE) + 0.15 * r.y;
        x[3 * k + 2] = (double)(k / WIDE / WIDE) + 0.15 * r.z;
    }
    return x;
}

static mote_status time_method(const bench *b, const char *method, double *x, mote_error *error)
{
    int threads[BENCH_THREAD_COUNTS_MAX], count = bench_thread_counts(b, threads);
    char name[64];
    double alone = NAN;
    snprintf(name, sizeof name, "surface/%s", method);
    for (int k = 0; k < count; ++k) {
        meshing m = {.x = x, .options = mote_surface_options_default()};
        bench_row row = {.name = name, .threads = threads[k], .unit = "particles/s"};
        m.options.method = method;
        m.options.spacing = 1;
        m.options.config.threads = threads[k];
        row.seconds = bench_best_seconds(b, make_mesh, &m);
        if (m.status != MOTE_OK) {
            return mo_fail(error, m.status, "%s", m.error.text);
        }
        row.rate = COUNT / row.seconds;
        row.baseline = alone;
        alone = k == 0 ? row.rate : alone;
        snprintf(row.note, sizeof row.note, "%.2f us and %.0f bytes a particle; %lld triangles, %s",
                 1e6 * row.seconds / COUNT, (double)m.mesh.peak_memory / COUNT,
                 (long long)m.mesh.triangles, m.mesh.closed ? "closed" : "NOT CLOSED");
        bench_report(b, &row);
    }
    return MOTE_OK;
}

static mote_status run_methods(void *context, mote_error *error)
{
    double *x = make_pool();
    mote_status status = x ? MOTE_OK : mo_fail_memory(error, 3 * (size_t)COUNT * sizeof *x);
    for (int k = 0; k < mo_surfaces.count && status == MOTE_OK; ++k) {
        if (((const mo_surface_type *)mo_surfaces.methods[k])->mesh) {
            continue; /* of oriented particles */
        }
        status = time_method(context, mo_surfaces.methods[k]->name, x, error);
    }
    free(x);
    return status;
}

static const suite_case CASES[] = {
    {"surface/200000", "Meshes of 200,000 particles, by each method.", run_methods}, {0}};

const suite_group bench_surface = {"surface", "Surfaces of particles.", CASES};
