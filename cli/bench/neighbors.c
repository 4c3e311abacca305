/*
 * Neighbour lists of static clouds (clouds.h), by every structure of the family `search`:
 * lists/DISTRIBUTION/COUNT/STRUCTURE.
 *
 * A figure is the best of several, for at most five seconds: time and rate of building the
 * structure and all lists. The note has both times separately, the CPU time (more stable under
 * load), the memory of structure and lists, the number of pairs (counted from both sides), the time
 * of one query mo_search_near on one thread at evenly chosen rows, and the factor by which the time
 * grows when the number of points doubles, from the previous count. A structure stops if one build
 * and lists need, or are expected to need, more than ten seconds or four gigabytes; if a large
 * count is the first requested, the growth is measured from 10,000 to 20,000 points without a row.
 * `default` is the default structure.
 *
 * For `volume` with a million points the note has the time of a plain grid with eight-wide tests on
 * an EPYC (Zen 3: 25 GB/s, 100 GFLOP/s per core): 141 ms on one core, 73 ms on two.
 */
#include "base/error.h"
#include "base/timer.h"
#include "bench/bench.h"
#include "bench/clouds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double RADIUS = 2, SECONDS_MAX = 10, SECONDS_TOGETHER = 5, SECONDS_OF_QUERIES = 0.1;
static const int64_t BYTES_MAX = INT64_C(4) << 30;
static const int64_t COUNTS[] = {10000, 20000, 100000, 1000000, 4000000};
enum {
    COUNT_COUNT = sizeof COUNTS / sizeof *COUNTS,
    QUICK_COUNTS = 2,
    QUERIES = 10000,
    FOUND_MAX = 256
};

/* ---- one structure on one cloud ---- */

/* An allocator limited to four gigabytes. */
static void *allocate_some(void *context, size_t bytes, size_t alignment)
{
    int64_t *left = context;
    if ((int64_t)bytes > *left) {
        return NULL;
    }
    void *block = aligned_alloc(alignment, bytes);
    *left -= block ? (int64_t)bytes : 0;
    return block;
}

static void release_some(void *context, void *block, size_t bytes)
{
    *(int64_t *)context += (int64_t)bytes;
    free(block);
}

typedef struct trial {
    const bench *b;
    mo_search *search;
    mo_pool *pool;
    mo_search_set set;
    double build, whole; /* seconds of a build without and with lists */
    double processor;    /* CPU seconds of all threads, of the same */
    double query;        /* seconds of one query */
    int64_t pairs, bytes;
} trial;

/* CPU seconds of this process, of all threads. */
static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static mote_status time_build(trial *t, mo_lists_kind kind, double *best, mote_error *error)
{
    double spent = 0;
    *best = t->processor = INFINITY;
    MO_TRY(mo_search_ask(t->search, 0, 0, kind, error));
    for (int k = 0; k < t->b->repeats && (k == 0 || spent + *best < SECONDS_TOGETHER); ++k) {
        double start = mo_clock(), before = processor_seconds();
        MO_TRY(mo_search_build(t->search, &t->set, t->pool, error));
        double seconds = mo_clock() - start;
        t->processor = fmin(t->processor, processor_seconds() - before);
        spent += seconds;
        *best = fmin(*best, seconds);
    }
    return MOTE_OK;
}

/* Seconds per query, over up to QUERIES of them within the time limit. */
static double time_queries(const trial *t)
{
    int64_t count = t->set.rows < QUERIES ? t->set.rows : QUERIES, done = 0;
    int32_t found[FOUND_MAX];
    double start = mo_clock(), spent = 0;
    while (done < count && spent < SECONDS_OF_QUERIES) {
        int64_t row = done * (t->set.rows / count);
        mo_search_near(t->search, 0, mo_vec3_load(t->set.x + 3 * row), RADIUS, found, FOUND_MAX);
        ++done;
        spent = done % 16 == 0 || done == count ? mo_clock() - start : spent;
    }
    return spent / (double)done;
}

static mote_status time_search(trial *t, const mo_descriptor *type, mo_memory *memory,
                               mote_error *error)
{
    int set;
    MO_TRY(mo_search_create((mo_method){type, NULL}, NULL, memory, &t->search, error));
    MO_TRY(mo_search_add_set(t->search, RADIUS, &set, error));
    MO_TRY(mo_search_ask(t->search, 0, 0, MO_LISTS_FULL, error));
    MO_TRY(mo_search_build(t->search, &t->set, t->pool, error)); /* allocates memory */
    MO_TRY(time_build(t, MO_LISTS_NONE, &t->build, error));
    MO_TRY(time_build(t, MO_LISTS_FULL, &t->whole, error));
    t->pairs = mo_search_lists(t->search, 0, 0)->pairs;
    t->bytes = mo_search_bytes(t->search);
    t->query = INFINITY;
    for (int k = 0; k < t->b->repeats; ++k) {
        t->query = fmin(t->query, time_queries(t));
    }
    return MOTE_OK;
}

static mote_status run_trial(trial *t, const mo_descriptor *type, const bench_cloud *c,
                             mote_error *error)
{
    int64_t left = BYTES_MAX;
    mo_memory memory;
    mote_allocator limited = {allocate_some, release_some, &left};
    mo_memory_init(&memory, &limited);
    t->set = (mo_search_set){c->rows, c->x};
    t->search = NULL;
    mote_status status = time_search(t, type, &memory, error);
    mo_search_destroy(t->search);
    return status;
}

/* ---- rows ---- */

/* The progress of a structure through the counts. */
typedef struct series {
    const char *name; /* of the structure; "default" for the default */
    const mo_descriptor *type;
    double seconds, growth; /* at the last count; for a doubling; NaN initially */
    int64_t rows;
    bool stopped;
} series;

enum { SERIES_MAX = 64 };

typedef struct sweep {
    const bench *b;
    const bench_distribution *d;
    mo_pool *pool;
    int threads, reported;
    series all[SERIES_MAX];
    int count;
} sweep;

static void list_series(sweep *s)
{
    for (int k = -1; k < mo_searches.count && s->count < SERIES_MAX; ++k) {
        const mo_descriptor *type =
            k < 0 ? mo_family_find(&mo_searches, MO_SEARCH_DEFAULT) : mo_searches.methods[k];
        if (!((const mo_search_type *)type)->reuse) {
            s->all[s->count++] =
                (series){.name = k < 0 ? "default" : type->name, .type = type, .growth = NAN};
        }
    }
}

static double doublings(const series *one, int64_t rows)
{
    return log2((double)rows / (double)one->rows);
}

/* Of another machine, hence not a baseline. */
static const char *figure_elsewhere(const sweep *s, int64_t rows)
{
    bool known = strcmp(s->d->name, "volume") == 0 && rows == 1000000 && s->threads <= 2;
    return !known ? ""
           : s->threads == 1
               ? "; a plain grid on an EPYC (Zen 3, 100 GFLOP/s, 25 GB/s a core): 141 ms"
               : "; a plain grid on an EPYC (Zen 3, 100 GFLOP/s, 25 GB/s a core): 73 ms";
}

/* Records the trial in the series. */
static void note_trial(series *one, const trial *t)
{
    if (one->rows) {
        one->growth = pow(t->whole / one->seconds, 1 / doublings(one, t->set.rows));
    }
    one->seconds = t->whole;
    one->rows = t->set.rows;
    one->stopped = t->whole > SECONDS_MAX;
}

static void report_trial(sweep *s, const series *one, const char *name, const trial *t)
{
    int64_t rows = t->set.rows;
    bench_row row = {.name = name, .threads = s->threads, .unit = "points/s", .baseline = NAN};
    char growth[64] = "";
    if (!isnan(one->growth)) {
        snprintf(growth, sizeof growth, ", grows by %.2f a doubling", one->growth);
    }
    row.seconds = t->whole;
    row.rate = (double)rows / t->whole;
    snprintf(
        row.note, sizeof row.note,
        "build %.4g ms, lists %.4g ms, processors %.4g ms, %.1f MB, %lld pairs, %.1f ns a pair, "
        "%.0f ns a query%s%s",
        1e3 * t->build, 1e3 * fmax(t->whole - t->build, 0), 1e3 * t->processor,
        1e-6 * (double)t->bytes, (long long)t->pairs, 1e9 * t->whole / (double)t->pairs,
        1e9 * t->query, growth, figure_elsewhere(s, rows));
    bench_report(s->b, &row);
}

static void report_stop(sweep *s, series *one, const char *name, const char *why)
{
    bench_row row = {.name = name, .threads = s->threads, .unit = "points/s", .baseline = NAN};
    row.seconds = row.rate = NAN;
    snprintf(row.note, sizeof row.note, "stops: %s", why);
    one->stopped = true;
    bench_report(s->b, &row);
}

static bool wants(const bench *b, const char *name)
{
    return suite_selects(b->wanted, name) || strcmp(b->wanted, "neighbors") == 0;
}

static mote_status try_quietly(sweep *s, series *one, int64_t rows, mo_memory *memory,
                               mote_error *error)
{
    bench_cloud c;
    trial t = {.b = s->b, .pool = s->pool};
    mote_status status = bench_cloud_make(&c, s->d, rows, RADIUS, memory, s->pool, error);
    if (status == MOTE_OK) {
        status = run_trial(&t, one->type, &c, error);
    }
    free(c.x);
    if (status == MOTE_OK) {
        note_trial(one, &t);
    }
    return status;
}

/* Estimates the time of a large count that is the first requested: tries the two smallest counts
 * before. */
static mote_status time_small_counts(sweep *s, series *one, int64_t rows, mo_memory *memory,
                                     mote_error *error)
{
    for (int k = 0; k < QUICK_COUNTS && rows > COUNTS[QUICK_COUNTS - 1] && one->rows < COUNTS[k];
         ++k) {
        MO_TRY(try_quietly(s, one, COUNTS[k], memory, error));
    }
    return MOTE_OK;
}

static mote_status run_one(sweep *s, series *one, const bench_cloud *c, mo_memory *memory,
                           mote_error *error)
{
    char name[128], why[80];
    trial t = {.b = s->b, .pool = s->pool};
    snprintf(name, sizeof name, "lists/%s/%lld/%s", s->d->name, (long long)c->rows, one->name);
    if (one->stopped || !wants(s->b, name)) {
        return MOTE_OK;
    }
    s->reported++;
    MO_TRY(time_small_counts(s, one, c->rows, memory, error));
    double expected = one->rows ? one->seconds * pow(isnan(one->growth) ? 2 : one->growth,
                                                     doublings(one, c->rows))
                                : 0;
    if (expected > SECONDS_MAX) {
        snprintf(why, sizeof why, "would take about %.3g s, more than %g", expected, SECONDS_MAX);
        report_stop(s, one, name, why);
        return MOTE_OK;
    }
    mote_status status = run_trial(&t, one->type, c, error);
    if (status == MOTE_ERROR_MEMORY) {
        report_stop(s, one, name, "needs more than 4 GB");
        return MOTE_OK;
    }
    MO_TRY(status);
    note_trial(one, &t);
    report_trial(s, one, name, &t);
    return MOTE_OK;
}

/* Whether a row of this count is requested, before its points are generated. */
static bool count_requested(const sweep *s, int64_t rows)
{
    char name[128];
    bool wanted = false;
    for (int k = 0; k < s->count; ++k) {
        snprintf(name, sizeof name, "lists/%s/%lld/%s", s->d->name, (long long)rows,
                 s->all[k].name);
        wanted = wanted || wants(s->b, name);
    }
    return wanted;
}

static mote_status run_count(sweep *s, int64_t rows, mo_memory *memory, mote_error *error)
{
    bench_cloud c;
    mote_status status = bench_cloud_make(&c, s->d, rows, RADIUS, memory, s->pool, error);
    for (int k = 0; k < s->count && status == MOTE_OK; ++k) {
        status = run_one(s, &s->all[k], &c, memory, error);
    }
    free(c.x);
    return status;
}

static mote_status run_distribution(const bench *b, const bench_distribution *d, mote_error *error)
{
    int threads[BENCH_THREAD_COUNTS_MAX], count = bench_thread_counts(b, threads), reported = 0;
    for (int t = 0; t < count; ++t) {
        sweep s = {.b = b, .d = d, .threads = threads[t]};
        mo_memory memory;
        mo_memory_init(&memory, NULL);
        list_series(&s);
        MO_TRY(mo_pool_create(&memory, threads[t], &s.pool, error));
        mote_status status = MOTE_OK;
        for (int k = 0; k < (b->quick ? QUICK_COUNTS : COUNT_COUNT) && status == MOTE_OK; ++k) {
            status =
                count_requested(&s, COUNTS[k]) ? run_count(&s, COUNTS[k], &memory, error) : MOTE_OK;
        }
        mo_pool_destroy(s.pool);
        MO_TRY(status);
        reported += s.reported;
    }
    return reported || b->quick
               ? MOTE_OK
               : mo_fail(error, MOTE_ERROR_INPUT,
                         "no such count or structure; counts are 10000, 20000, 100000, 1000000 and "
                         "4000000, structures those of `mote list search`, and default");
}

static mote_status run_volume(void *context, mote_error *error)
{
    return run_distribution(context, &BENCH_DISTRIBUTIONS[0], error);
}

static mote_status run_shuffled(void *context, mote_error *error)
{
    return run_distribution(context, &BENCH_DISTRIBUTIONS[1], error);
}

static mote_status run_surface(void *context, mote_error *error)
{
    return run_distribution(context, &BENCH_DISTRIBUTIONS[2], error);
}

static mote_status run_clustered(void *context, mote_error *error)
{
    return run_distribution(context, &BENCH_DISTRIBUTIONS[3], error);
}

static const suite_case CASES[] = {
    {"lists/volume/", "A jittered lattice, 29.4 neighbours: .../COUNT/STRUCTURE, 10000 to 4000000.",
     run_volume},
    {"lists/shuffled/", "The same with rows in random order.", run_shuffled},
    {"lists/surface/", "The surface of a sphere.", run_surface},
    {"lists/clustered/", "Clusters of 1000 points.", run_clustered},
    {0}};

const suite_group bench_neighbors = {"neighbors", "Neighbour lists by every structure.", CASES};
