/*
 * Smoothing kernels: nanoseconds for W and for G (grad W = G x_ij) per pair, from squared distances
 * in the first-level cache, on one core, in 3D.
 *
 *   kernels/NAME/w, g     eight lanes, as in pair loops. The baseline is the minimum work: the rows
 *                         loaded and stored with a square root (none for poly6), and a division
 *                         where the kernel has one.
 *   ... w_lookup, ...     from a table over r^2 with linear interpolation; the baseline is the
 *                         previous row. The note has the error.
 *   kernels/hand/w, g     the cubic kernel written by hand for this machine with fused
 *                         multiply-adds, which mote avoids for bitwise reproducibility. The
 *                         baseline is kernels/cubic.
 *   kernels/single/w, g   the cubic kernel for single pairs in double precision, through a function
 *                         pointer, and by table; baselines as above.
 *   kernels/pairs/w, g    the cubic kernel in a loop over the neighbours of 32,768 particles (29.4
 *                         each, in Morton order): loads positions, sums W or G x_ij; computed and
 *                         by table.
 */
#include "bench/kernels.h"

#include "base/error.h"
#include "bench/bench.h"
#include "bench/clouds.h"
#include "fluid/kernel/lanes.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 1024, ROUNDS = 4000, ROUNDS_QUICK = 200 };

typedef struct rows {
    mo_kernel kernel;
    mo_lookup table;
    int rounds;
    float r2[ROWS], out[ROWS];
} rows;

/* Distances distributed uniformly in volume, none below half a spacing. */
static void fill_rows(rows *r, const bench *b)
{
    uint64_t state = 1;
    r->rounds = b->quick ? ROUNDS_QUICK : ROUNDS;
    for (int i = 0; i < ROWS; ++i) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        double u = (double)(state >> 11) * 0x1p-53;
        r->r2[i] = (float)pow(0.25 * 0.25 * 0.25 + u * (1 - 0.25 * 0.25 * 0.25), 2.0 / 3);
    }
}

static void bind(rows *r, const char *name)
{
    r->kernel = mo_kernel_make((const mo_kernel_type *)mo_family_find(&mo_kernels, name), 3, 1);
    mo_lookup_fill(&r->table, &r->kernel);
}

/* ---- timed functions ---- */

#define TIMED(name, call) \
    static void name(void *context) \
    { \
        rows *r = context; \
        for (int round = 0; round < r->rounds; ++round) { \
            call; \
        } \
    }

TIMED(direct_w, mo_kernel_rows_w(&r->kernel, ROWS, r->r2, r->out))
TIMED(direct_g, mo_kernel_rows_g(&r->kernel, ROWS, r->r2, r->out))
TIMED(lookup_w, mo_lookup_rows_w(&r->table, true, ROWS, r->r2, r->out))
TIMED(lookup_g, mo_lookup_rows_g(&r->table, true, ROWS, r->r2, r->out))
TIMED(single_lookup_w, mo_lookup_rows_w(&r->table, false, ROWS, r->r2, r->out))
TIMED(single_lookup_g, mo_lookup_rows_g(&r->table, false, ROWS, r->r2, r->out))

static void each(rows *r, double (*function)(const mo_kernel *k, double x))
{
    for (int i = 0; i < ROWS; ++i) {
        r->out[i] = (float)function(&r->kernel, sqrt((double)r->r2[i]));
    }
}

TIMED(single_w, each(r, mo_kernel_w))
TIMED(single_g, each(r, mo_kernel_gradient))

#if defined(__x86_64__)
#define HAND __attribute__((target("avx2,fma")))
#define WITH_HAND 1

HAND static void least_rows(rows *r, bool root, bool division)
{
    for (int i = 0; i < ROWS; i += 8) {
        __m256 x = _mm256_loadu_ps(r->r2 + i), y = root ? _mm256_sqrt_ps(x) : x;
        _mm256_storeu_ps(r->out + i, division ? _mm256_div_ps(x, y) : y);
    }
}

HAND static void hand_rows_w(rows *r)
{
    __m256 one = _mm256_set1_ps(1), two = _mm256_set1_ps(2), zero = _mm256_setzero_ps();
    __m256 scale = _mm256_set1_ps((float)r->kernel.value),
           inverse = _mm256_set1_ps((float)r->kernel.inverse);
    for (int i = 0; i < ROWS; i += 8) {
        __m256 q = _mm256_mul_ps(_mm256_sqrt_ps(_mm256_loadu_ps(r->r2 + i)), inverse);
        __m256 s = _mm256_max_ps(_mm256_sub_ps(one, q), zero);
        __m256 t = _mm256_max_ps(_mm256_fnmadd_ps(two, q, one), zero);
        __m256 inner = _mm256_mul_ps(_mm256_mul_ps(t, t), t),
               outer = _mm256_mul_ps(_mm256_mul_ps(s, s), s);
        _mm256_storeu_ps(r->out + i, _mm256_mul_ps(scale, _mm256_fmsub_ps(two, outer, inner)));
    }
}

HAND static void hand_rows_g(rows *r)
{
    float slope = (float)r->kernel.gradient_scale;
    __m256 one = _mm256_set1_ps(1), half = _mm256_set1_ps(0.5f), zero = _mm256_setzero_ps();
    __m256 six = _mm256_set1_ps(-6 * slope), twelve = _mm256_set1_ps(-12 * slope);
    __m256 eighteen = _mm256_set1_ps(18 * slope),
           inverse = _mm256_set1_ps((float)r->kernel.inverse);
    for (int i = 0; i < ROWS; i += 8) {
        __m256 q = _mm256_mul_ps(_mm256_sqrt_ps(_mm256_loadu_ps(r->r2 + i)), inverse);
        __m256 s = _mm256_max_ps(_mm256_sub_ps(one, q), zero);
        __m256 outer = _mm256_div_ps(_mm256_mul_ps(six, _mm256_mul_ps(s, s)), q);
        __m256 inner = _mm256_fmadd_ps(eighteen, q, twelve);
        _mm256_storeu_ps(r->out + i,
                         _mm256_blendv_ps(outer, inner, _mm256_cmp_ps(q, half, _CMP_LT_OQ)));
    }
}

static bool has_hand(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

TIMED(least_plain, least_rows(r, false, false))
TIMED(least_root, least_rows(r, true, false))
TIMED(least_division, least_rows(r, true, true))
TIMED(hand_w, hand_rows_w(r))
TIMED(hand_g, hand_rows_g(r))
#else
static bool has_hand(void)
{
    return false;
}
#endif

/* Seconds per pair. */
static double time_pair(const bench *b, rows *r, void (*function)(void *context))
{
    return bench_best_seconds(b, function, r) / ((double)r->rounds * ROWS);
}

/* ---- the cases ---- */

/* A row of the table; returns the rate. `against`: a rate, or NAN. */
static double report(const bench *b, const char *kernel, const char *what, double seconds,
                     double against, const char *note)
{
    char name[64];
    bench_row row = {.threads = 1,
                     .seconds = seconds,
                     .rate = 1 / seconds,
                     .unit = "pairs/s",
                     .baseline = against};
    snprintf(name, sizeof name, "kernels/%s/%s", kernel, what);
    row.name = name;
    snprintf(row.note, sizeof row.note, "%.3f ns a pair%s%s", 1e9 * seconds, *note ? "; " : "",
             note);
    bench_report(b, &row);
    return row.rate;
}

/* The largest error of a table, relative to the largest value. */
static double table_error(rows *r, void (*direct)(void *context), void (*lookup)(void *context))
{
    float exact[ROWS];
    double worst = 0, largest = 0;
    direct(r);
    memcpy(exact, r->out, sizeof exact);
    lookup(r);
    for (int i = 0; i < ROWS; ++i) {
        worst = fmax(worst, fabs((double)r->out[i] - (double)exact[i]));
        largest = fmax(largest, fabs((double)exact[i]));
    }
    return worst / largest;
}

/* The rate of the minimum work for the kernel, or NAN. */
static double least_rate(const bench *b, rows *r, bool gradient)
{
#ifdef WITH_HAND
    mo_kernel_form form = r->kernel.form;
    bool division = form == MO_KERNEL_VISCOSITY_3D ||
                    (gradient && (form == MO_KERNEL_CUBIC || form == MO_KERNEL_QUINTIC ||
                                  form == MO_KERNEL_SPIKY));
    void (*least)(void *context) = form == MO_KERNEL_POLY6 ? least_plain
                                   : division              ? least_division
                                                           : least_root;
    return has_hand() ? 1 / time_pair(b, r, least) : NAN;
#else
    (void)b, (void)r, (void)gradient;
    return NAN;
#endif
}

static void run_kernel(const bench *b, rows *r, const char *name)
{
    char note[64];
    bind(r, name);
    double rate = report(b, name, "w", time_pair(b, r, direct_w), least_rate(b, r, false), "");
    snprintf(note, sizeof note, "error %.1e of the largest", table_error(r, direct_w, lookup_w));
    report(b, name, "w_lookup", time_pair(b, r, lookup_w), rate, note);
    rate = report(b, name, "g", time_pair(b, r, direct_g), least_rate(b, r, true), "");
    snprintf(note, sizeof note, "error %.1e of the largest", table_error(r, direct_g, lookup_g));
    report(b, name, "g_lookup", time_pair(b, r, lookup_g), rate, note);
}

static mote_status run_kernels(void *context, mote_error *error)
{
    const bench *b = context;
    rows *r = malloc(sizeof *r);
    if (!r) {
        return mo_fail(error, MOTE_ERROR_MEMORY, "kernels: no memory");
    }
    fill_rows(r, b);
    for (int m = 0; m < mo_kernels.count; ++m) {
        char name[64];
        snprintf(name, sizeof name, "kernels/%s", mo_kernels.methods[m]->name);
        if (suite_selects(b->wanted, name)) {
            run_kernel(b, r, mo_kernels.methods[m]->name);
        }
    }
    free(r);
    return MOTE_OK;
}

static mote_status run_single(void *context, mote_error *error)
{
    const bench *b = context;
    rows *r = malloc(sizeof *r);
    if (!r) {
        return mo_fail(error, MOTE_ERROR_MEMORY, "kernels: no memory");
    }
    fill_rows(r, b);
    bind(r, "cubic");
    double rate =
        report(b, "single", "w", time_pair(b, r, single_w), NAN, "cubic, in double precision");
    report(b, "single", "w_lookup", time_pair(b, r, single_lookup_w), rate, "cubic");
    rate = report(b, "single", "g", time_pair(b, r, single_g), NAN, "cubic, in double precision");
    report(b, "single", "g_lookup", time_pair(b, r, single_lookup_g), rate, "cubic");
    free(r);
    return MOTE_OK;
}

static mote_status run_hand(void *context, mote_error *error)
{
    const bench *b = context;
    rows *r = malloc(sizeof *r);
    if (!r) {
        return mo_fail(error, MOTE_ERROR_MEMORY, "kernels: no memory");
    }
    fill_rows(r, b);
    bind(r, "cubic");
#ifdef WITH_HAND
    if (has_hand()) {
        report(b, "hand", "w", time_pair(b, r, hand_w), 1 / time_pair(b, r, direct_w),
               "cubic by hand");
        report(b, "hand", "g", time_pair(b, r, hand_g), 1 / time_pair(b, r, direct_g),
               "cubic by hand");
    }
#endif
    free(r);
    return MOTE_OK;
}

/* ---- in a loop over neighbours ---- */

enum { PARTICLES = 32768 };

typedef struct particles {
    bench_pairs loop;
    mo_memory memory;
    mo_pool *pool;
    mo_search *search;
    bench_cloud cloud;
    float *x, *out;
} particles;

static mote_status find_neighbors(particles *p, mote_error *error)
{
    int set;
    mo_memory_init(&p->memory, NULL);
    MO_TRY(mo_pool_create(&p->memory, 1, &p->pool, error));
    MO_TRY(bench_cloud_make(&p->cloud, &BENCH_DISTRIBUTIONS[BENCH_VOLUME], PARTICLES, 2, &p->memory,
                            p->pool, error));
    MO_TRY(mo_search_create((mo_method){0}, &(mo_domain){0}, &p->memory, &p->search, error));
    MO_TRY(mo_search_add_set(p->search, 2, &set, error));
    MO_TRY(mo_search_ask(p->search, set, set, MO_LISTS_FULL, error));
    MO_TRY(mo_search_update(p->search, &(mo_search_set){p->cloud.rows, p->cloud.x}, p->pool, NULL,
                            error));
    p->loop.pairs = mo_search_pairs(p->search, set);
    return MOTE_OK;
}

static mote_status pack_particles(particles *p, mote_error *error)
{
    p->x = calloc((size_t)p->cloud.rows, 4 * sizeof *p->x);
    p->out = calloc((size_t)p->cloud.rows, 4 * sizeof *p->out);
    if (!p->x || !p->out) {
        return mo_fail(error, MOTE_ERROR_MEMORY, "kernels: no memory");
    }
    for (int64_t k = 0; k < 3 * p->cloud.rows; ++k) {
        p->x[4 * (k / 3) + k % 3] = (float)p->cloud.x[k];
    }
    p->loop.x = p->x;
    p->loop.out = p->out;
    p->loop.kernel =
        mo_kernel_make((const mo_kernel_type *)mo_family_find(&mo_kernels, "cubic"), 3, 2);
    mo_lookup_fill(&p->loop.table, &p->loop.kernel);
    return MOTE_OK;
}

static void pairs_w(void *context)
{
    bench_pairs_w(&((particles *)context)->loop, false);
}

static void pairs_w_lookup(void *context)
{
    bench_pairs_w(&((particles *)context)->loop, true);
}

static void pairs_g(void *context)
{
    bench_pairs_g(&((particles *)context)->loop, false);
}

static void pairs_g_lookup(void *context)
{
    bench_pairs_g(&((particles *)context)->loop, true);
}

static void time_loops(const bench *b, particles *p)
{
    double pairs = 0;
    for (int64_t row = 0; row < p->loop.pairs.rows; ++row) {
        pairs += p->loop.pairs.count[row];
    }
    bench more = *b;
    more.repeats *= 10; /* a loop takes a millisecond */
    double rate =
        report(b, "pairs", "w", bench_best_seconds(&more, pairs_w, p) / pairs, NAN, "cubic");
    report(b, "pairs", "w_lookup", bench_best_seconds(&more, pairs_w_lookup, p) / pairs, rate,
           "cubic");
    rate = report(b, "pairs", "g", bench_best_seconds(&more, pairs_g, p) / pairs, NAN, "cubic");
    report(b, "pairs", "g_lookup", bench_best_seconds(&more, pairs_g_lookup, p) / pairs, rate,
           "cubic");
}

static mote_status run_pairs(void *context, mote_error *error)
{
    if (!bench_pairs_can_run()) {
        return mo_fail(error, MOTE_ERROR_USAGE, "kernels/pairs: needs a processor with AVX2");
    }
    particles *p = calloc(1, sizeof *p);
    if (!p) {
        return mo_fail(error, MOTE_ERROR_MEMORY, "kernels: no memory");
    }
    mote_status status = find_neighbors(p, error);
    if (status == MOTE_OK) {
        status = pack_particles(p, error);
    }
    if (status == MOTE_OK) {
        time_loops(context, p);
    }
    mo_search_destroy(p->search);
    mo_pool_destroy(p->pool);
    free(p->cloud.x), free(p->x), free(p->out), free(p);
    return status;
}

static const suite_case CASES[] = {
    {"kernels/", "W and G of every kernel, direct and by table: kernels/NAME.", run_kernels},
    {"kernels/hand", "The cubic kernel written by hand.", run_hand},
    {"kernels/single", "The cubic kernel one pair at a time.", run_single},
    {"kernels/pairs", "The cubic kernel in a loop over neighbours.", run_pairs},
    {0}};

const suite_group bench_kernels = {"kernels", "Smoothing kernels, for a pair.", CASES};
