#include "base/pool.h"

#include "base/timer.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { THREADS_MAX = 256, CACHE_LINE = 64 };
static const double SPIN_SECONDS = 50e-6;

/*
 * Each worker has a contiguous share of the blocks of a loop, and `ticket` records which of them
 * are claimed: the loop's generation in the upper half, the next free block in the lower. A worker
 * reads the loop's fields and then claims a block by compare-and-swap on the ticket of a share, its
 * own first and then those of others. If that succeeds, the loop was unfinished in between and the
 * fields are valid; if another loop has begun, it fails.
 */
typedef struct mo_worker {
    _Alignas(CACHE_LINE) _Atomic uint64_t ticket;
    pthread_t thread;
    mo_pool *pool;
    _Atomic int64_t blocks; /* number run, in all loops */
} mo_worker;

struct mo_pool {
    mo_memory *memory;
    _Atomic int threads; /* read by workers while others are being started */
    bool spin;
    _Alignas(CACHE_LINE) _Atomic int64_t blocks, count, grain;
    _Atomic(mo_range_fn *) function;
    _Atomic(void *) context;
    _Alignas(CACHE_LINE) _Atomic int64_t done;
    _Alignas(CACHE_LINE) _Atomic int sleepers;
    _Atomic bool quit;
    _Atomic bool waiting; /* the caller sleeps until the last block is done */
    pthread_mutex_t mutex;
    pthread_cond_t work, finished;
    double *partials;
    int64_t partial_capacity;
    mo_worker workers[];
};

static inline void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The first block of a worker's share; of the one after the last, the number of blocks. */
static int64_t share_of(const mo_pool *pool, int64_t blocks, int worker)
{
    return blocks * worker / pool->threads;
}

static bool work_left(mo_pool *pool)
{
    int64_t blocks = atomic_load(&pool->blocks);
    for (int k = 0; k < pool->threads; ++k) {
        uint64_t ticket = atomic_load(&pool->workers[k].ticket);
        if ((int64_t)(uint32_t)ticket < share_of(pool, blocks, k + 1)) {
            return true;
        }
    }
    return false;
}

/* Runs one block of a worker's share; false: the share is exhausted. */
static bool run_block(mo_pool *pool, int owner, mo_worker *worker)
{
    mo_worker *from = &pool->workers[owner];
    for (;;) {
        uint64_t ticket = atomic_load_explicit(&from->ticket, memory_order_acquire);
        int64_t blocks = atomic_load_explicit(&pool->blocks, memory_order_relaxed);
        int64_t count = atomic_load_explicit(&pool->count, memory_order_relaxed);
        int64_t grain = atomic_load_explicit(&pool->grain, memory_order_relaxed);
        mo_range_fn *function = atomic_load_explicit(&pool->function, memory_order_relaxed);
        void *context = atomic_load_explicit(&pool->context, memory_order_relaxed);
        int64_t block = (int64_t)(uint32_t)ticket;
        if (block >= share_of(pool, blocks, owner + 1)) {
            return false;
        }
        if (!atomic_compare_exchange_weak_explicit(&from->ticket, &ticket, ticket + 1,
                                                   memory_order_acq_rel, memory_order_relaxed)) {
            relax();
            continue;
        }
        function(context, block * grain, smaller(count, (block + 1) * grain));
        atomic_fetch_add_explicit(&worker->blocks, 1, memory_order_relaxed);
        if (atomic_fetch_add(&pool->done, 1) + 1 == blocks && atomic_load(&pool->waiting)) {
            pthread_mutex_lock(&pool->mutex);
            pthread_cond_signal(&pool->finished);
            pthread_mutex_unlock(&pool->mutex);
        }
        return true;
    }
}

/* Runs the blocks of the worker's own share, then steals from others. */
static void run_blocks(mo_pool *pool, mo_worker *worker)
{
    int own = (int)(worker - pool->workers);
    for (int k = 0; k < pool->threads; ++k) {
        while (run_block(pool, (own + k) % pool->threads, worker)) {
        }
    }
}

/* True as soon as there is work; false after the maximum spinning time. */
static bool spin_for_work(mo_pool *pool)
{
    if (!pool->spin) {
        return false;
    }
    double end = mo_clock() + SPIN_SECONDS;
    do {
        for (int k = 0; k < 64; ++k) {
            if (work_left(pool) || atomic_load(&pool->quit)) {
                return true;
            }
            relax();
        }
    } while (mo_clock() < end);
    return false;
}

static void sleep_for_work(mo_pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    atomic_fetch_add(&pool->sleepers, 1);
    while (!work_left(pool) && !atomic_load(&pool->quit)) {
        pthread_cond_wait(&pool->work, &pool->mutex);
    }
    atomic_fetch_sub(&pool->sleepers, 1);
    pthread_mutex_unlock(&pool->mutex);
}

static void *worker_main(void *argument)
{
    mo_worker *worker = argument;
    mo_pool *pool = worker->pool;
    while (!atomic_load(&pool->quit)) {
        if (spin_for_work(pool) || work_left(pool)) {
            run_blocks(pool, worker);
        } else {
            sleep_for_work(pool);
        }
    }
    return NULL;
}

static int available_cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        return CPU_COUNT(&set);
    }
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? (int)cores : 1;
}

mote_status mo_pool_create(mo_memory *memory, int threads, mo_pool **out, mote_error *error)
{
    int cores = available_cores();
    threads = threads != 0 ? threads : cores < THREADS_MAX ? cores : THREADS_MAX;
    if (threads < 1 || threads > THREADS_MAX) {
        return mo_fail(error, MOTE_ERROR_USAGE, "threads: %d is out of range, allowed are 1 to %d",
                       threads, THREADS_MAX);
    }
    size_t bytes = sizeof(mo_pool) + (size_t)threads * sizeof(mo_worker);
    mo_pool *pool = mo_allocate(memory, bytes);
    if (!pool) {
        return mo_fail_memory(error, bytes);
    }
    pool->memory = memory;
    pool->threads = 1; /* incremented for every started thread */
    pool->spin = threads <= cores;
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->finished, NULL);
    for (int k = 0; k < threads; ++k) {
        pool->workers[k].pool = pool;
        if (k == 0) {
            continue;
        }
        int failure =
            pthread_create(&pool->workers[k].thread, NULL, worker_main, &pool->workers[k]);
        if (failure) {
            mo_pool_destroy(pool);
            return mo_fail(error, MOTE_ERROR_MEMORY, "thread %d could not be started: %s", k,
                           strerror(failure));
        }
        pool->threads++;
    }
    *out = pool;
    return MOTE_OK;
}

void mo_pool_destroy(mo_pool *pool)
{
    if (!pool) {
        return;
    }
    pthread_mutex_lock(&pool->mutex);
    atomic_store(&pool->quit, true);
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->mutex);
    for (int k = 1; k < pool->threads; ++k) {
        pthread_join(pool->workers[k].thread, NULL);
    }
    pthread_cond_destroy(&pool->finished);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->mutex);
    mo_release(pool->memory, pool->partials);
    mo_release(pool->memory, pool);
}

int mo_pool_threads(const mo_pool *pool)
{
    return pool->threads;
}

int64_t mo_pool_blocks(const mo_pool *pool, int worker)
{
    return worker >= 0 && worker < pool->threads ? atomic_load(&pool->workers[worker].blocks) : 0;
}

static bool all_done(mo_pool *pool, int64_t blocks)
{
    return atomic_load(&pool->done) == blocks;
}

static void wait_until_done(mo_pool *pool, int64_t blocks)
{
    double end = mo_clock() + SPIN_SECONDS;
    do {
        for (int k = 0; k < 64; ++k) {
            if (all_done(pool, blocks)) {
                return;
            }
            relax();
        }
    } while (pool->spin && mo_clock() < end);
    pthread_mutex_lock(&pool->mutex);
    atomic_store(&pool->waiting, true);
    while (!all_done(pool, blocks)) {
        pthread_cond_wait(&pool->finished, &pool->mutex);
    }
    atomic_store(&pool->waiting, false);
    pthread_mutex_unlock(&pool->mutex);
}

/* Publishes a loop: first its fields, then the tickets that make them current. */
static void publish(mo_pool *pool, int64_t count, int64_t grain, int64_t blocks,
                    mo_range_fn *function, void *context)
{
    uint64_t generation = (atomic_load(&pool->workers[0].ticket) >> 32) + 1;
    /* close the finished loop, so that a late worker cannot combine its last ticket with the new
     * block count */
    atomic_store(&pool->blocks, 0);
    for (int k = 0; k < pool->threads; ++k) {
        atomic_store(&pool->workers[k].ticket, generation << 32 | UINT32_MAX);
    }
    atomic_store(&pool->done, 0);
    atomic_store_explicit(&pool->function, function, memory_order_relaxed);
    atomic_store_explicit(&pool->context, context, memory_order_relaxed);
    atomic_store_explicit(&pool->count, count, memory_order_relaxed);
    atomic_store_explicit(&pool->grain, grain, memory_order_relaxed);
    atomic_store(&pool->blocks, blocks);
    for (int k = 0; k < pool->threads; ++k) {
        atomic_store(&pool->workers[k].ticket,
                     (generation + 1) << 32 | (uint64_t)share_of(pool, blocks, k));
    }
    if (atomic_load(&pool->sleepers) > 0) {
        pthread_mutex_lock(&pool->mutex);
        pthread_cond_broadcast(&pool->work);
        pthread_mutex_unlock(&pool->mutex);
    }
}

/* Counts a block run by the caller, who alone writes his counter outside of shared loops. */
static inline void count_own(mo_pool *pool)
{
    if (pool) {
        _Atomic int64_t *blocks = &pool->workers[0].blocks;
        atomic_store_explicit(blocks, atomic_load_explicit(blocks, memory_order_relaxed) + 1,
                              memory_order_relaxed);
    }
}

void mo_parallel_for(mo_pool *pool, int64_t count, int64_t grain, mo_range_fn *function,
                     void *context)
{
    MOTE_ASSERT(grain > 0);
    if (count > 0 && count <= grain) { /* one block */
        function(context, 0, count);
        count_own(pool);
        return;
    }
    int64_t blocks = (count + grain - 1) / grain;
    if (blocks <= 0 || !pool || pool->threads == 1) {
        for (int64_t block = 0; block < blocks; ++block) {
            function(context, block * grain, smaller(count, (block + 1) * grain));
        }
        if (pool) {
            pool->workers[0].blocks += blocks > 0 ? blocks : 0;
        }
        return;
    }
    MOTE_ASSERT(blocks < UINT32_MAX);
    publish(pool, count, grain, blocks, function, context);
    run_blocks(pool, &pool->workers[0]);
    wait_until_done(pool, blocks);
}

typedef struct reduction {
    mo_partial_fn *function;
    void *context;
    double *partials;
    int64_t grain;
    int width;
} reduction;

static void reduce_block(void *context, int64_t first, int64_t last)
{
    reduction *r = context;
    r->function(r->context, first, last, r->partials + first / r->grain * r->width);
}

static double combine(mo_reduction kind, double a, double b)
{
    if (kind == MO_SUM) {
        return a + b;
    }
    return isnan(a) || a > b ? a : b;
}

/* Pairwise, in place: the tree's shape follows from the number of blocks alone. */
static void reduce_partials(double *partials, int64_t blocks, int width, mo_reduction kind)
{
    for (int64_t stride = 1; stride < blocks; stride *= 2) {
        for (int64_t block = 0; block + stride < blocks; block += 2 * stride) {
            double *a = partials + block * width, *b = partials + (block + stride) * width;
            for (int k = 0; k < width; ++k) {
                a[k] = combine(kind, a[k], b[k]);
            }
        }
    }
}

/* Without a pool: combined as the blocks come, with a counter of merged blocks as the tree. Level k
 * of `tree` has the result of 2^k blocks; the same pairs are combined as by reduce_partials. */
static void reduce_alone(int64_t count, int64_t grain, mo_reduction kind, int width,
                         mo_partial_fn *function, void *context, double *result)
{
    double tree[64][MO_REDUCE_WIDTH_MAX];
    int64_t blocks = (count + grain - 1) / grain;
    for (int64_t block = 0; block < blocks; ++block) {
        double part[MO_REDUCE_WIDTH_MAX];
        int level = 0;
        function(context, block * grain, smaller(count, (block + 1) * grain), part);
        for (; block >> level & 1; ++level) {
            for (int k = 0; k < width; ++k) {
                part[k] = combine(kind, tree[level][k], part[k]);
            }
        }
        memcpy(tree[level], part, (size_t)width * sizeof *part);
    }
    bool any = false;
    for (int level = 0; level < 64; ++level) { /* the incomplete subtrees, the last one first */
        for (int k = 0; k < width && blocks >> level & 1; ++k) {
            result[k] = any ? combine(kind, tree[level][k], result[k]) : tree[level][k];
        }
        any = any || (blocks >> level & 1);
    }
}

/* The reduction of two or more blocks; a function of its own, so that one block does not pay for
 * its registers and its stack. */
__attribute__((noinline)) static mote_status reduce_blocks(mo_pool *pool, int64_t count,
                                                           int64_t blocks, mo_reduction kind,
                                                           reduction *r, double *result,
                                                           mote_error *error)
{
    if (!pool) {
        reduce_alone(count, r->grain, kind, r->width, r->function, r->context, result);
        return MOTE_OK;
    }
    void *partials = pool->partials;
    mote_status status = mo_grow(pool->memory, &partials, &pool->partial_capacity,
                                 blocks * r->width, sizeof(double), error);
    r->partials = pool->partials = partials;
    MO_TRY(status);
    mo_parallel_for(pool, count, r->grain, reduce_block, r);
    reduce_partials(pool->partials, blocks, r->width, kind);
    memcpy(result, pool->partials, (size_t)r->width * sizeof *result);
    return MOTE_OK;
}

mote_status mo_parallel_reduce(mo_pool *pool, int64_t count, int64_t grain, mo_reduction kind,
                               int width, mo_partial_fn *function, void *context, double *result,
                               mote_error *error)
{
    MOTE_ASSERT(width <= MO_REDUCE_WIDTH_MAX);
    if (count <= 0) {
        memset(result, 0, (size_t)width * sizeof *result);
        return MOTE_OK;
    }
    if (count <= grain) { /* one block: nothing to combine */
        function(context, 0, count, result);
        count_own(pool);
        return MOTE_OK;
    }
    reduction r = {function, context, NULL, grain, width};
    return reduce_blocks(pool, count, (count + grain - 1) / grain, kind, &r, result, error);
}
