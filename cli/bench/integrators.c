/*
 * Memory traffic of the integrators: one million particles in plain arrays, advanced through the
 * abstract dynamics with an empty force evaluation. The cost is that of the sweeps over x, v, a and
 * the history of a scheme, limited by memory bandwidth.
 *
 * The first number of each scheme in the table below is the minimum by its formulas, in arrays read
 * and written (24 bytes per particle each); accelerations are written by the evaluation and kept in
 * place, a velocity at a stage follows from v and the accelerations. No data of one sweep is in the
 * caches in the next. docs/integrators.md lists the formulas. The second number is the traffic of
 * the implementation. The column `age` (one byte per particle) and write-allocate traffic are not
 * counted, so schemes that update in place may exceed the limit.
 *
 * Several sets of arrays are stepped in turn, enough of them for a set to be evicted before its
 * next step. The ratio is the minimum time, at the bandwidth of the triad measured in the same run,
 * over the measured time.
 */
#include "base/error.h"
#include "bench/bench.h"
#include "bench/calibrate.h"
#include "integrate/integrator.h"
#include "scene/reader.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

enum { PARTICLES = 1000000, NUMBERS = 3 * PARTICLES, ARRAY_BYTES = 24, SETS_MAX = 64 };

typedef struct traffic {
    const char *name;
    int least, written; /* arrays per step */
} traffic;

static const traffic TRAFFIC[] = {
    {"symplectic_euler", 5, 5},
    {"explicit_euler", 5, 5},
    {"modified_euler", 5, 5},
    {"midpoint", 11, 11},
    {"heun", 11, 12},
    {"ralston", 11, 12},
    {"rk4", 25, 35},
    {"rk4_38", 26, 32},
    {"abm2", 16, 16},
    {"abm3", 20, 20},
    {"abm4", 24, 24},
    {"abm5", 28, 28},
    {"verlet", 6, 6},
    {"leapfrog", 6, 6},
    {"velocity_verlet", 9, 10},
    {"beeman", 11, 13},
    {"gear", 21, 24},
};

/* NULL for a scheme without an entry. */
static const traffic *find_traffic(const char *name)
{
    for (size_t k = 0; k < sizeof TRAFFIC / sizeof *TRAFFIC; ++k) {
        if (strcmp(TRAFFIC[k].name, name) == 0) {
            return &TRAFFIC[k];
        }
    }
    return NULL;
}

/* One million particles. */
typedef struct set {
    uint8_t *age;
    mo_dynamics dynamics;
} set;

/* A scheme with its parameters and the arrays it works on. */
typedef struct bed {
    mo_memory memory;
    mo_arena arena;
    mo_pool *pool;
    const mo_integrator_type *type;
    void *params;
    int count;
    set sets[SETS_MAX];
} bed;

static void do_nothing(void *context, double time, int x, int v, int a)
{
    (void)context, (void)time, (void)x, (void)v, (void)a;
}

/* The default parameters of a scheme. */
static mote_status read_defaults(bed *b, mote_error *error)
{
    mo_section section = mo_method_keys(&b->type->base);
    json_t *nothing = json_object();
    mo_read_source source = {"bench", "", nothing};
    mote_status status = MOTE_ERROR_MEMORY;
    b->params = mo_arena_allocate(&b->arena, section.size + 1);
    if (b->params && nothing) {
        status = mo_read_section(&source, nothing, &section, &b->arena, b->params, error);
    }
    json_decref(nothing);
    return status == MOTE_ERROR_MEMORY ? mo_fail_memory(error, section.size) : status;
}

static int slot_count(const mo_integrator_type *type)
{
    int count = MO_AUX;
    for (const mo_column_spec *aux = type->base.columns; aux && aux->name; ++aux) {
        ++count;
    }
    return count;
}

/* The number of sets: together four times the last-level cache, but at most half of the memory. */
static int set_count(const mo_integrator_type *type)
{
    double each = (double)slot_count(type) * NUMBERS * sizeof(double);
    double cache = fmax((double)sysconf(_SC_LEVEL3_CACHE_SIZE), 64e6);
    double half = 0.5 * (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    double count = ceil(fmin(4 * cache, half) / each);
    return count < SETS_MAX ? (int)count : SETS_MAX;
}

/* Values of order one in x and v, small ones in the others, to avoid overflow and denormals. */
static mote_status fill_slot(bed *b, set *s, int slot, mote_error *error)
{
    void *numbers;
    MO_TRY(mo_allocate_array(&b->memory, NUMBERS, sizeof(double), &numbers, error));
    s->dynamics.segment[0].slot[slot] = numbers;
    for (int64_t k = 0; k < NUMBERS; ++k) {
        ((double *)numbers)[k] = (slot <= MO_V ? 1 : 1e-3) * (1 + (double)(k % 97) / 97);
    }
    return MOTE_OK;
}

/* All rows have a full history. */
static mote_status fill_set(bed *b, set *s, mote_error *error)
{
    s->dynamics =
        (mo_dynamics){.step = UINT8_MAX, .oldest = UINT8_MAX, .segment_count = 1, .pool = b->pool};
    s->dynamics.accelerate = do_nothing;
    s->dynamics.segment[0] = (mo_segment){.count = NUMBERS, .components = 3};
    s->dynamics.age = s->age = mo_allocate(&b->memory, PARTICLES);
    if (!s->age) {
        return mo_fail_memory(error, PARTICLES);
    }
    memset(s->age, UINT8_MAX, PARTICLES);
    for (int slot = 0; slot < slot_count(b->type); ++slot) {
        MO_TRY(fill_slot(b, s, slot, error));
    }
    return MOTE_OK;
}

static mote_status fill_bed(bed *b, int threads, mote_error *error)
{
    MO_TRY(read_defaults(b, error));
    MO_TRY(mo_pool_create(&b->memory, threads, &b->pool, error));
    for (b->count = 0; b->count < set_count(b->type); ++b->count) {
        MO_TRY(fill_set(b, &b->sets[b->count], error));
    }
    return MOTE_OK;
}

static void destroy_bed(bed *b)
{
    for (int k = 0; k < SETS_MAX; ++k) {
        for (int slot = 0; slot < MO_SLOTS_MAX; ++slot) {
            mo_release(&b->memory, b->sets[k].dynamics.segment[0].slot[slot]);
        }
        mo_release(&b->memory, b->sets[k].age);
    }
    if (b->pool) {
        mo_pool_destroy(b->pool);
    }
    mo_arena_release(&b->arena);
}

static mote_status create_bed(bed *b, const mo_integrator_type *type, int threads,
                              mote_error *error)
{
    *b = (bed){.type = type};
    mo_memory_init(&b->memory, NULL);
    mo_arena_init(&b->arena, &b->memory);
    mote_status status = fill_bed(b, threads, error);
    if (status != MOTE_OK) {
        destroy_bed(b);
    }
    return status;
}

/* One step of each set. */
static void take_round(void *context)
{
    const double h = 1e-3;
    bed *b = context;
    for (int k = 0; k < b->count; ++k) {
        mo_dynamics *dynamics = &b->sets[k].dynamics;
        b->type->step(dynamics, b->params, h);
        dynamics->time += h;
        dynamics->step++;
    }
}

static mote_status time_scheme(const bench *b, const mo_integrator_type *type, int threads,
                               double *seconds, mote_error *error)
{
    bed arrays;
    MO_TRY(create_bed(&arrays, type, threads, error));
    take_round(&arrays);
    *seconds = bench_best_seconds(b, take_round, &arrays) / arrays.count;
    destroy_bed(&arrays);
    return MOTE_OK;
}

/* `first` is the time of the first scheme of the registry, the simplest one, times its
 * bandwidth. */
static void report_scheme(const bench *b, const char *name, int threads, double seconds,
                          double first, double bandwidth)
{
    char label[64];
    snprintf(label, sizeof label, "integrators/%s", name);
    bench_row row = {
        .name = label, .threads = threads, .unit = "particle-steps/s", .baseline = NAN};
    const traffic *t = find_traffic(name);
    row.seconds = seconds;
    row.rate = PARTICLES / seconds;
    int length = snprintf(row.note, sizeof row.note, "%.2f ns a particle, %.2f times %s",
                          1e9 * seconds / PARTICLES, seconds * bandwidth / first,
                          mo_integrators.methods[0]->name);
    if (t && bandwidth > 0) {
        double limit = (double)t->least * ARRAY_BYTES * PARTICLES / bandwidth;
        row.baseline = PARTICLES / limit;
        snprintf(row.note + length, sizeof row.note - (size_t)length,
                 "; %d bytes (%d as written) at %.3g GB/s: %.2f times the limit",
                 t->least * ARRAY_BYTES, t->written * ARRAY_BYTES, 1e-9 * bandwidth,
                 seconds / limit);
    }
    bench_report(b, &row);
}

/* The bandwidth is measured before and after each scheme, so that temporary load affects neither
 * the limit nor other schemes. Two schemes are compared at equal bandwidth. */
static mote_status time_schemes(const bench *b, int threads, mote_error *error)
{
    double first = NAN, before = calibrate_memory_bandwidth(threads);
    for (int k = 0; k < mo_integrators.count; ++k) {
        const mo_integrator_type *type = (const mo_integrator_type *)mo_integrators.methods[k];
        double seconds, after, bandwidth;
        MO_TRY(time_scheme(b, type, threads, &seconds, error));
        after = calibrate_memory_bandwidth(threads);
        bandwidth = fmax(before, after);
        first = k == 0 ? seconds * bandwidth : first;
        report_scheme(b, type->base.name, threads, seconds, first, bandwidth);
        before = after;
    }
    return MOTE_OK;
}

static mote_status run_arithmetic(void *context, mote_error *error)
{
    int threads[BENCH_THREAD_COUNTS_MAX], count = bench_thread_counts(context, threads);
    for (int k = 0; k < count; ++k) {
        MO_TRY(time_schemes(context, threads[k], error));
    }
    return MOTE_OK;
}

static const suite_case CASES[] = {{"integrators/arithmetic",
                                    "Every scheme on a million particles, without forces.",
                                    run_arithmetic},
                                   {0}};

const suite_group bench_integrators = {"integrators", "Cost of time integrators without forces.",
                                       CASES};
