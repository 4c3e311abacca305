/*
 * Peak performance of the machine, as the reference of the other figures.
 *
 * fma: chains of independent single-precision multiply-adds, two operations per lane each; a
 * multiplication and an addition where there is no fused instruction. memory: the triad a = b + s c
 * on doubles, on arrays of together four times the last-level cache. l3: the same triad on a few
 * MiB per core, beyond the second-level cache and within the third.
 *
 * A triad counts 24 bytes per element, two reads and one write, as STREAM does (J. D. McCalpin
 * 1995). Write-allocate traffic is not counted, neither here nor in the byte counts of other
 * benchmarks.
 */
#include "bench/calibrate.h"

#include "base/error.h"
#include "bench/bench.h"
#include "bench/team.h"

#include <math.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* Twelve chains: latency times throughput is at most ten on recent processors, and the chains
 * and two factors must fit into sixteen registers. */
enum { CHAINS = 12 };

/* s = s * a + b has the fixed point 2: no chain overflows or becomes denormal. */
static const float FMA_FACTOR = 0.5f, FMA_ADDEND = 1;

/* Runs all chains `rounds` times, from values unknown to the compiler (which eliminates a chain
 * at the fixed point), and returns a combination of all chains, so that none is eliminated. */
typedef float chains_fn(int64_t rounds);

typedef float f4 __attribute__((vector_size(16)));

static float chains_plain(int64_t rounds)
{
    f4 zero = {0}, factor = zero + FMA_FACTOR, addend = zero + FMA_ADDEND, s[CHAINS], sum = zero;
    for (int k = 0; k < CHAINS; ++k) {
        s[k] = zero + (float)(rounds + k);
    }
    for (int64_t round = 0; round < rounds; ++round) {
        for (int k = 0; k < CHAINS; ++k) {
            s[k] = s[k] * factor + addend;
        }
    }
    for (int k = 0; k < CHAINS; ++k) {
        sum += s[k];
    }
    return sum[0];
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) static float chains_avx2(int64_t rounds)
{
    __m256 factor = _mm256_set1_ps(FMA_FACTOR), addend = _mm256_set1_ps(FMA_ADDEND), s[CHAINS];
    for (int k = 0; k < CHAINS; ++k) {
        s[k] = _mm256_set1_ps((float)(rounds + k));
    }
    for (int64_t round = 0; round < rounds; ++round) {
        for (int k = 0; k < CHAINS; ++k) {
            s[k] = _mm256_fmadd_ps(s[k], factor, addend);
        }
    }
    for (int k = 1; k < CHAINS; ++k) {
        s[0] = _mm256_add_ps(s[0], s[k]);
    }
    return _mm256_cvtss_f32(s[0]);
}

__attribute__((target("avx512f"))) static float chains_avx512(int64_t rounds)
{
    __m512 factor = _mm512_set1_ps(FMA_FACTOR), addend = _mm512_set1_ps(FMA_ADDEND), s[CHAINS];
    for (int k = 0; k < CHAINS; ++k) {
        s[k] = _mm512_set1_ps((float)(rounds + k));
    }
    for (int64_t round = 0; round < rounds; ++round) {
        for (int k = 0; k < CHAINS; ++k) {
            s[k] = _mm512_fmadd_ps(s[k], factor, addend);
        }
    }
    for (int k = 1; k < CHAINS; ++k) {
        s[0] = _mm512_add_ps(s[0], s[k]);
    }
    return _mm512_cvtss_f32(s[0]);
}
#endif

/* A variant of multiply-add, and its number of lanes. */
typedef struct unit {
    const char *name, *note;
    chains_fn *chains;
    int lanes;
} unit;

static const unit PLAIN = {"calibrate/fma", "no fused multiply-add: multiply, then add, 4 floats",
                           chains_plain, 4};
#if defined(__x86_64__)
static const unit AVX2 = {"calibrate/fma", "AVX2 fused multiply-add, 8 floats", chains_avx2, 8};
static const unit AVX512 = {"calibrate/fma_avx512",
                            "AVX-512 fused multiply-add, 16 floats; mote uses AVX2", chains_avx512,
                            16};
#endif

/* The unit used as reference: AVX2, as in the AVX2 library. */
static const unit *reference_unit(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return &AVX2;
    }
#endif
    return &PLAIN;
}

/* A wider unit of the processor; NULL if there is none. */
static const unit *wide_unit(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) {
        return &AVX512;
    }
#endif
    return NULL;
}

typedef struct fma_job {
    const unit *unit;
    int64_t rounds;
} fma_job;

static void fma_prepare(void *context, int member)
{
    (void)member;
    fma_job *job = context;
    volatile float warm = job->unit->chains(job->rounds); /* lets the clock frequency settle */
    (void)warm;
}

static void fma_work(void *context, int member)
{
    (void)member;
    fma_job *job = context;
    volatile float sum = job->unit->chains(job->rounds);
    (void)sum;
}

static mote_status report_fma(const bench *b, const unit *u, int threads, mote_error *error)
{
    fma_job fma = {u, b->quick ? 1000000 : 10000000};
    team_job job = {fma_prepare, fma_work, &fma};
    bench_row row = {.name = u->name, .threads = threads, .unit = "GFLOP/s", .baseline = NAN};
    MO_TRY(team_best_seconds(threads, b->repeats, &job, &row.seconds, error));
    row.rate = 2e-9 * CHAINS * u->lanes * (double)fma.rounds * threads / row.seconds;
    snprintf(row.note, sizeof row.note, "%s", u->note);
    bench_report(b, &row);
    return MOTE_OK;
}

static mote_status report_unit(const bench *b, const unit *u, mote_error *error)
{
    int threads[BENCH_THREAD_COUNTS_MAX], count = bench_thread_counts(b, threads);
    for (int k = 0; k < count; ++k) {
        MO_TRY(report_fma(b, u, threads[k], error));
    }
    return MOTE_OK;
}

static mote_status run_fma(void *context, mote_error *error)
{
    return report_unit(context, reference_unit(), error);
}

static mote_status run_fma_avx512(void *context, mote_error *error)
{
    const unit *wide = wide_unit();
    return wide ? report_unit(context, wide, error) : MOTE_OK;
}

/* Triads of `members` threads, each on `count` private elements, `sweeps` times. */
typedef struct triad {
    int members;
    int64_t count, sweeps;
    double *memory; /* a, b and c of each member */
    size_t bytes;
} triad;

enum { TRIAD_ARRAYS = 3, TRIAD_BYTES = TRIAD_ARRAYS * sizeof(double) };

/* Uses huge pages where available, so that address translation is not the limit. */
static mote_status triad_create(triad *t, int members, int64_t bytes_each, int64_t sweeps,
                                mote_error *error)
{
    int64_t count = bytes_each / TRIAD_BYTES / 8 * 8;
    *t = (triad){members, count, sweeps, NULL, (size_t)(count * members) * TRIAD_BYTES};
    void *memory = mmap(NULL, t->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return mo_fail_memory(error, t->bytes);
    }
    madvise(memory, t->bytes, MADV_HUGEPAGE);
    t->memory = memory;
    return MOTE_OK;
}

static void triad_destroy(triad *t)
{
    munmap(t->memory, t->bytes);
}

static double *triad_memory(const triad *t, int member)
{
    return t->memory + TRIAD_ARRAYS * t->count * member;
}

static void triad_prepare(void *context, int member)
{
    const triad *t = context;
    double *memory = triad_memory(t, member);
    for (int64_t k = 0; k < TRIAD_ARRAYS * t->count; ++k) {
        memory[k] = 1;
    }
}

/* Not inlined, so that repeated sweeps are not merged by the compiler. */
__attribute__((noinline)) static void sweep(double *restrict a, const double *restrict b,
                                            const double *restrict c, double s, int64_t count)
{
    for (int64_t k = 0; k < count; ++k) {
        a[k] = b[k] + s * c[k];
    }
}

static void triad_work(void *context, int member)
{
    const triad *t = context;
    double *a = triad_memory(t, member);
    for (int64_t k = 0; k < t->sweeps; ++k) {
        sweep(a, a + t->count, a + 2 * t->count, (double)k, t->count);
    }
}

/* The best bandwidth in bytes per second, and the time of all sweeps. */
static mote_status triad_measure(triad *t, int repeats, double *seconds, double *rate,
                                 mote_error *error)
{
    team_job job = {triad_prepare, triad_work, t};
    MO_TRY(team_best_seconds(t->members, repeats, &job, seconds, error));
    *rate = (double)t->bytes * (double)t->sweeps / *seconds;
    return MOTE_OK;
}

static const int64_t MIB = 1024 * 1024;

static int64_t cache_bytes(int level_name, int64_t otherwise)
{
    long size = sysconf(level_name);
    return size > 0 ? size : otherwise;
}

static int64_t l3_bytes(void)
{
    return cache_bytes(_SC_LEVEL3_CACHE_SIZE, 32 * MIB);
}

/* All three arrays of all threads: four times the last-level cache, so that no sweep finds data
 * of the previous one, and at most 3 GiB or half of the memory. */
static int64_t memory_triad_bytes(void)
{
    int64_t bytes = 4 * l3_bytes(), most = 3 * 1024 * MIB;
    int64_t half = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) / 2;
    most = half < most ? half : most;
    bytes = bytes < 256 * MIB ? 256 * MIB : bytes;
    return bytes > most ? most : bytes;
}

/* The three arrays of one thread: four times its second-level cache, as long as those of all
 * threads fit into half of the third level. */
static int64_t l3_triad_bytes(int threads)
{
    int64_t each = 4 * cache_bytes(_SC_LEVEL2_CACHE_SIZE, 2 * MIB),
            share = l3_bytes() / 2 / threads;
    return each < share ? each : share;
}

static mote_status report_triad(const bench *b, triad *t, const char *name, mote_error *error)
{
    bench_row row = {.name = name, .threads = t->members, .unit = "GB/s", .baseline = NAN};
    double rate;
    MO_TRY(triad_measure(t, b->repeats, &row.seconds, &rate, error));
    row.rate = 1e-9 * rate;
    snprintf(row.note, sizeof row.note,
             "triad, 24 bytes an element, %.1f MiB a thread; L2 %.1f, L3 %.0f MiB",
             (double)t->bytes / t->members / (double)MIB,
             (double)cache_bytes(_SC_LEVEL2_CACHE_SIZE, 0) / (double)MIB,
             (double)cache_bytes(_SC_LEVEL3_CACHE_SIZE, 0) / (double)MIB);
    bench_report(b, &row);
    return MOTE_OK;
}

static mote_status run_triad(const bench *b, const char *name, int threads, int64_t bytes_each,
                             int64_t sweeps, mote_error *error)
{
    triad t;
    MO_TRY(triad_create(&t, threads, bytes_each, sweeps, error));
    mote_status status = report_triad(b, &t, name, error);
    triad_destroy(&t);
    return status;
}

static mote_status run_memory(void *context, mote_error *error)
{
    const bench *b = context;
    int threads[BENCH_THREAD_COUNTS_MAX], count = bench_thread_counts(b, threads);
    for (int k = 0; k < count; ++k) {
        int64_t each = memory_triad_bytes() / threads[k];
        MO_TRY(run_triad(b, "calibrate/memory", threads[k], each, 1, error));
    }
    return MOTE_OK;
}

static mote_status run_l3(void *context, mote_error *error)
{
    const bench *b = context;
    int threads[BENCH_THREAD_COUNTS_MAX], count = bench_thread_counts(b, threads);
    for (int k = 0; k < count; ++k) {
        int64_t each = l3_triad_bytes(threads[k]), sweeps = (b->quick ? 64 : 512) * MIB / each;
        MO_TRY(run_triad(b, "calibrate/l3", threads[k], each, 1 + sweeps, error));
    }
    return MOTE_OK;
}

double calibrate_core_flops(void)
{
    const unit *u = reference_unit();
    const int64_t rounds = 2000000;
    struct timespec a, b;
    double best = INFINITY;
    for (int k = 0; k < 4; ++k) {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
        volatile float sum = u->chains(rounds);
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
        best = fmin(best, (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec));
        (void)sum;
    }
    return 2.0 * CHAINS * u->lanes * (double)rounds / best;
}

double calibrate_memory_bandwidth(int threads)
{
    enum { REPEATS = 5 };
    triad t;
    double seconds, rate;
    if (triad_create(&t, threads, memory_triad_bytes() / threads, 1, NULL) != MOTE_OK) {
        return 0;
    }
    mote_status status = triad_measure(&t, REPEATS, &seconds, &rate, NULL);
    triad_destroy(&t);
    return status == MOTE_OK ? rate : 0;
}

static const suite_case CASES[] = {
    {"calibrate/fma", "Single-precision multiply-adds.", run_fma},
    {"calibrate/fma_avx512", "The same with AVX-512, if available.", run_fma_avx512},
    {"calibrate/memory", "The triad a = b + s c in main memory.", run_memory},
    {"calibrate/l3", "The triad a = b + s c in the third-level cache.", run_l3},
    {0}};

const suite_group bench_calibrate = {"calibrate",
                                     "Peak arithmetic and memory throughput of the "
                                     "machine.",
                                     CASES};
