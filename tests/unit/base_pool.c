/*
 * The thread pool: every item once, bitwise identical on any number of threads, no lost wake-up.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/pool.h"
#include "failing_allocator.h"
#include "numbers.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>

static const int THREADS[] = {1, 2, 3, 8, 16};
enum { THREAD_CASES = sizeof THREADS / sizeof *THREADS };

/* A pool with its own memory and a leak check. */
typedef struct own_pool {
    failing_allocator allocator;
    mo_memory memory;
    mo_pool *pool;
} own_pool;

static void open_pool(own_pool *own, int threads)
{
    own->memory = failing_memory(&own->allocator, -1);
    assert_int_equal(mo_pool_create(&own->memory, threads, &own->pool, NULL), MOTE_OK);
    assert_int_equal(mo_pool_threads(own->pool), threads);
}

static void close_pool(own_pool *own)
{
    mo_pool_destroy(own->pool);
    assert_all_given_back(&own->allocator, &own->memory);
}

static int64_t blocks_in(int64_t count, int64_t grain)
{
    return (count + grain - 1) / grain;
}

/* ---- loops ---- */

typedef struct visit {
    int64_t count, grain;
    uint8_t *times;             /* visits per item */
    _Atomic int64_t odd_blocks; /* with wrong boundaries */
} visit;

static void visit_items(void *context, int64_t first, int64_t last)
{
    visit *v = context;
    int64_t end = first + v->grain < v->count ? first + v->grain : v->count;
    if (first % v->grain != 0 || last != end || first >= last) {
        atomic_fetch_add(&v->odd_blocks, 1);
    }
    for (int64_t k = first; k < last; ++k) {
        v->times[k]++;
    }
}

static void assert_each_visited_once(mo_pool *pool, int64_t count, int64_t grain)
{
    static uint8_t times[20000];
    assert_true(count < (int64_t)sizeof times);
    memset(times, 0, sizeof times);
    visit v = {.count = count, .grain = grain, .times = times};
    mo_parallel_for(pool, count, grain, visit_items, &v);
    assert_int_equal(v.odd_blocks, 0);
    for (int64_t k = 0; k < (int64_t)sizeof times; ++k) {
        assert_int_equal(times[k], k < count);
    }
}

static void every_item_is_visited_once(void **state)
{
    (void)state;
    static const int64_t counts[] = {0, 1, 2, 3, 7, 8, 9, 31, 64, 65, 1000, 4097, 10007};
    static const int64_t grains[] = {1, 2, 7, 8, 64, 1000, 4096, 50000};
    for (int t = 0; t < THREAD_CASES; ++t) {
        own_pool own;
        open_pool(&own, THREADS[t]);
        for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c) {
            for (size_t g = 0; g < sizeof grains / sizeof *grains; ++g) {
                assert_each_visited_once(own.pool, counts[c], grains[g]);
            }
        }
        close_pool(&own);
    }
}

static int64_t blocks_so_far(const mo_pool *pool)
{
    int64_t sum = 0;
    for (int worker = 0; worker < mo_pool_threads(pool); ++worker) {
        sum += mo_pool_blocks(pool, worker);
    }
    return sum;
}

static void the_blocks_of_all_workers_are_counted(void **state)
{
    (void)state;
    for (int t = 0; t < THREAD_CASES; ++t) {
        own_pool own;
        open_pool(&own, THREADS[t]);
        assert_each_visited_once(own.pool, 10000, 10);
        assert_each_visited_once(own.pool, 5, 10);
        assert_each_visited_once(own.pool, 0, 10);
        /* a worker counts its block before completing it */
        assert_int_equal(blocks_so_far(own.pool), 1001);
        assert_int_equal(mo_pool_blocks(own.pool, -1), 0);
        assert_int_equal(mo_pool_blocks(own.pool, THREADS[t]), 0);
        close_pool(&own);
    }
}

/* Every block waits until all have begun, which requires as many workers as blocks. Waiting is
 * active, so that a missing worker ends the test by its CPU time limit, independent of load. */
typedef struct meeting {
    int guests;
    _Atomic int arrived;
} meeting;

static void attend(void *context, int64_t first, int64_t last)
{
    meeting *m = context;
    (void)first;
    (void)last;
    atomic_fetch_add(&m->arrived, 1);
    while (atomic_load(&m->arrived) < m->guests) {
        sched_yield();
    }
}

static void long_blocks_run_on_all_workers_at_once(void **state)
{
    (void)state;
    for (int t = 0; t < THREAD_CASES; ++t) {
        own_pool own;
        open_pool(&own, THREADS[t]);
        for (int round = 1; round <= 3; ++round) {
            meeting m = {.guests = THREADS[t]};
            mo_parallel_for(own.pool, m.guests, 1, attend, &m);
            assert_int_equal(m.arrived, m.guests);
            for (int worker = 0; worker < THREADS[t]; ++worker) {
                assert_int_equal(mo_pool_blocks(own.pool, worker), round);
            }
            usleep(3000); /* the next round finds the workers asleep */
        }
        close_pool(&own);
    }
}

static void note_thread(void *context, int64_t first, int64_t last)
{
    (void)first;
    (void)last;
    *(pthread_t *)context = pthread_self();
}

static void a_single_block_runs_on_the_caller(void **state)
{
    (void)state;
    own_pool own;
    open_pool(&own, 8);
    for (int k = 0; k < 100; ++k) {
        pthread_t who;
        mo_parallel_for(own.pool, 1000, 1000, note_thread, &who);
        assert_true(pthread_equal(who, pthread_self()));
    }
    assert_int_equal(mo_pool_blocks(own.pool, 0), 100);
    close_pool(&own);
}

/* ---- many short loops: a lost wake-up would hang, a late worker would count twice ---- */

enum { SLOTS = 64 };

static void count_up(void *context, int64_t first, int64_t last)
{
    int64_t *slot = context;
    for (int64_t k = first; k < last; ++k) {
        slot[k]++;
    }
}

/* Runs loops of 2 to SLOTS blocks; after every `pause_every`-th one the workers fall asleep. */
static bool run_short_loops(mo_pool *pool, int loops, int pause_every)
{
    int64_t slot[SLOTS] = {0}, expected[SLOTS] = {0};
    uint64_t random = 1;
    for (int loop = 0; loop < loops; ++loop) {
        int64_t count = 2 + random_below(&random, SLOTS - 1);
        mo_parallel_for(pool, count, 1, count_up, slot);
        for (int64_t k = 0; k < count; ++k) {
            expected[k]++;
        }
        if (memcmp(slot, expected, sizeof slot) != 0) {
            return false;
        }
        if (loop % pause_every == 0) {
            usleep((useconds_t)random_below(&random, 150));
        }
    }
    return true;
}

static void short_loops_in_a_row_neither_hang_nor_miscount(void **state)
{
    (void)state;
    static const int loops[THREAD_CASES] = {20000, 20000, 10000, 3000, 1500};
    for (int t = 0; t < THREAD_CASES; ++t) {
        own_pool own;
        open_pool(&own, THREADS[t]);
        assert_true(run_short_loops(own.pool, loops[t], 100));
        close_pool(&own);
    }
}

static void workers_wake_from_sleep_each_time(void **state)
{
    (void)state;
    for (int t = 0; t < THREAD_CASES; ++t) {
        own_pool own;
        open_pool(&own, THREADS[t]);
        assert_true(run_short_loops(own.pool, 400, 1));
        close_pool(&own);
    }
}

/* The caller finishes its blocks early and sleeps until a slow worker is done. */
static void dawdle_at_the_end(void *context, int64_t first, int64_t last)
{
    int64_t *slot = context;
    if (first % 2) {
        usleep(300);
    }
    count_up(slot, first, last);
}

static void a_waiting_caller_is_notified(void **state)
{
    (void)state;
    own_pool own;
    open_pool(&own, 3);
    int64_t slot[SLOTS] = {0};
    for (int loop = 1; loop <= 300; ++loop) {
        mo_parallel_for(own.pool, 4, 1, dawdle_at_the_end, slot);
        for (int k = 0; k < 4; ++k) {
            assert_int_equal(slot[k], loop);
        }
    }
    close_pool(&own);
}

/* ---- several pools ---- */

static void pools_take_turns(void **state)
{
    (void)state;
    enum { POOLS = 8 };
    own_pool own[POOLS];
    for (int k = 0; k < POOLS; ++k) {
        open_pool(&own[k], 1 + k % 4);
    }
    for (int round = 0; round < 200; ++round) {
        assert_each_visited_once(own[round % POOLS].pool, 100 + round, 3);
    }
    for (int k = 0; k < POOLS; ++k) {
        close_pool(&own[k]);
    }
}

/* No assertions here: they are allowed on the test thread only. */
static void *own_world(void *result)
{
    failing_allocator allocator;
    mo_memory memory = failing_memory(&allocator, -1);
    mo_pool *pool = NULL;
    bool good =
        mo_pool_create(&memory, 3, &pool, NULL) == MOTE_OK && run_short_loops(pool, 1000, 50);
    mo_pool_destroy(pool);
    *(bool *)result = good && memory.bytes == 0;
    return NULL;
}

static void pools_work_side_by_side(void **state)
{
    (void)state;
    enum { WORLDS = 6 };
    pthread_t thread[WORLDS];
    bool good[WORLDS] = {false};
    for (int k = 0; k < WORLDS; ++k) {
        assert_int_equal(pthread_create(&thread[k], NULL, own_world, &good[k]), 0);
    }
    for (int k = 0; k < WORLDS; ++k) {
        pthread_join(thread[k], NULL);
    }
    for (int k = 0; k < WORLDS; ++k) {
        assert_true(good[k]);
    }
}

static void pools_are_created_and_destroyed(void **state)
{
    (void)state;
    for (int round = 0; round < 100; ++round) {
        own_pool own;
        open_pool(&own, THREADS[round % THREAD_CASES]);
        if (round % 3 > 0) {
            assert_each_visited_once(own.pool, round * 10, 7);
        }
        if (round % 3 > 1) {
            usleep(100);
        }
        close_pool(&own);
    }
    mo_pool_destroy(NULL);
}

static void zero_threads_means_one_for_each_core(void **state)
{
    (void)state;
    failing_allocator a;
    mo_memory memory = failing_memory(&a, -1);
    mo_pool *pool;
    assert_int_equal(mo_pool_create(&memory, 0, &pool, NULL), MOTE_OK);
    assert_true(mo_pool_threads(pool) >= 1 &&
                mo_pool_threads(pool) <= sysconf(_SC_NPROCESSORS_CONF));
    assert_each_visited_once(pool, 1000, 1);
    mo_pool_destroy(pool);
    assert_all_given_back(&a, &memory);
}

static void impossible_pools_are_refused(void **state)
{
    (void)state;
    static const int bad[] = {-1, -100, 257, 1 << 20};
    failing_allocator a;
    mo_memory memory = failing_memory(&a, -1);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        mote_error error = {0};
        mo_pool *pool;
        assert_int_equal(mo_pool_create(&memory, bad[k], &pool, &error), MOTE_ERROR_USAGE);
        assert_non_null(strstr(error.text, "256"));
    }
    assert_int_equal(a.calls, 0);
}

static void a_pool_without_memory_is_refused(void **state)
{
    (void)state;
    failing_allocator a;
    mo_memory memory = failing_memory(&a, 0);
    mote_error error = {0};
    mo_pool *pool;
    assert_int_equal(mo_pool_create(&memory, 4, &pool, &error), MOTE_ERROR_MEMORY);
    assert_int_equal(error.status, MOTE_ERROR_MEMORY);
    assert_all_given_back(&a, &memory);
}

/* ---- reductions ---- */

enum { VALUES = 30011, WIDTH = MO_REDUCE_WIDTH_MAX };

/* Values whose sum depends on the order: large ones that cancel, small ones that are absorbed. */
static double awkward_value(uint64_t *random)
{
    static const double scales[] = {1e16,   -1e16,     1,     -1,     1e-16,
                                    1e-300, 0x1p-1074, 1e100, -1e100, 0.1};
    double scale = scales[random_below(random, sizeof scales / sizeof *scales)];
    return scale * random_between(random, 0.5, 2);
}

/* Partial k sums or compares the values rotated by k in sign and magnitude. */
static double component(const double *value, int64_t item, int k)
{
    return k % 2 ? -value[item] * (1 + k) : value[item] / (1 + k);
}

static void add_values(void *context, int64_t first, int64_t last, double *partial)
{
    for (int k = 0; k < WIDTH; ++k) {
        partial[k] = 0;
        for (int64_t item = first; item < last; ++item) {
            partial[k] += component(context, item, k);
        }
    }
}

static void largest_values(void *context, int64_t first, int64_t last, double *partial)
{
    for (int k = 0; k < WIDTH; ++k) {
        partial[k] = component(context, first, k);
        for (int64_t item = first + 1; item < last; ++item) {
            partial[k] = fmax(partial[k], component(context, item, k));
        }
    }
}

/* threads -1: without a pool */
static void reduce(int threads, mo_reduction kind, int64_t count, int64_t grain, double *values,
                   double result[WIDTH])
{
    own_pool own = {0};
    if (threads > 0) {
        open_pool(&own, threads);
    }
    mo_partial_fn *function = kind == MO_SUM ? add_values : largest_values;
    assert_int_equal(
        mo_parallel_reduce(own.pool, count, grain, kind, WIDTH, function, values, result, NULL),
        MOTE_OK);
    if (threads > 0) {
        close_pool(&own);
    }
}

static void reductions_are_the_same_bits_on_any_number_of_threads(void **state)
{
    (void)state;
    static double values[VALUES];
    static const int64_t counts[] = {1, 2, 63, 64, 65, 127, 1000, 8192, VALUES};
    uint64_t random = 7;
    for (int64_t k = 0; k < VALUES; ++k) {
        values[k] = awkward_value(&random);
    }
    for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c) {
        for (int kind = MO_SUM; kind <= MO_MAX; ++kind) {
            double alone[WIDTH], together[WIDTH];
            reduce(1, kind, counts[c], 32, values, alone);
            for (int t = 1; t < THREAD_CASES; ++t) {
                reduce(THREADS[t], kind, counts[c], 32, values, together);
                assert_memory_equal(alone, together, sizeof alone);
            }
            reduce(-1, kind, counts[c], 32, values, together);
            assert_memory_equal(alone, together, sizeof alone);
        }
    }
}

/* Verifies that the test is sensitive: with a random order of summation the bits differ. */
static void the_awkward_values_do_depend_on_the_order(void **state)
{
    (void)state;
    uint64_t random = 7;
    double forth = 0, back = 0, values[1000];
    for (int k = 0; k < 1000; ++k) {
        values[k] = awkward_value(&random);
    }
    for (int k = 0; k < 1000; ++k) {
        forth += values[k];
        back += values[999 - k];
    }
    assert_false(same_bits(forth, back));
}

static void add_numbers(void *context, int64_t first, int64_t last, double *partial)
{
    (void)context;
    *partial = 0;
    for (int64_t k = first; k < last; ++k) {
        *partial += (double)(k + 1);
    }
}

static void sums_of_whole_numbers_are_exact(void **state)
{
    (void)state;
    static const int64_t grains[] = {1, 3, 64, 1000, 100000};
    for (int t = 0; t < THREAD_CASES; ++t) {
        own_pool own;
        open_pool(&own, THREADS[t]);
        for (size_t g = 0; g < sizeof grains / sizeof *grains; ++g) {
            for (int64_t n = 1; n < 20000; n = 3 * n + 1) {
                double sum;
                assert_int_equal(mo_parallel_reduce(own.pool, n, grains[g], MO_SUM, 1, add_numbers,
                                                    NULL, &sum, NULL),
                                 MOTE_OK);
                assert_true(sum == (double)(n * (n + 1) / 2));
            }
        }
        close_pool(&own);
    }
}

static void maxima_are_those_of_a_plain_loop(void **state)
{
    (void)state;
    static double values[VALUES];
    uint64_t random = 11;
    for (int64_t k = 0; k < VALUES; ++k) {
        /* all negative: reductions must not start from 0 */
        values[k] = random_between(&random, -5, -1);
    }
    double result[WIDTH];
    reduce(3, MO_MAX, VALUES, 64, values, result);
    for (int k = 0; k < WIDTH; ++k) {
        double largest = -INFINITY;
        for (int64_t item = 0; item < VALUES; ++item) {
            largest = fmax(largest, component(values, item, k));
        }
        assert_true(result[k] == largest);
    }
}

static void reductions_of_nothing_are_zero(void **state)
{
    (void)state;
    double nothing[1] = {0};
    for (int kind = MO_SUM; kind <= MO_MAX; ++kind) {
        double result[WIDTH];
        memset(result, 0xff, sizeof result);
        reduce(3, kind, 0, 8, nothing, result);
        for (int k = 0; k < WIDTH; ++k) {
            assert_true(result[k] == 0);
        }
    }
}

static void hand_on_pairs(void *context, int64_t first, int64_t last, double *partial)
{
    const double *value = context;
    (void)last;
    partial[0] = value[first];
    partial[1] = (double)first;
}

static void a_nan_passes_a_maximum_from_any_block(void **state)
{
    (void)state;
    static const int64_t counts[] = {1, 2, 3, 4, 5, 8, 13, 64, 100};
    double value[100];
    for (int t = 0; t < THREAD_CASES; ++t) {
        own_pool own;
        open_pool(&own, THREADS[t]);
        for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c) {
            for (int64_t index = 0; index < counts[c]; ++index) {
                for (int64_t k = 0; k < counts[c]; ++k) {
                    value[k] = k == index ? (double)NAN : (k % 2 ? INFINITY : -1.0);
                }
                double result[2];
                assert_int_equal(mo_parallel_reduce(own.pool, counts[c], 1, MO_MAX, 2,
                                                    hand_on_pairs, value, result, NULL),
                                 MOTE_OK);
                assert_true(isnan(result[0]));
                /* its neighbour is unaffected */
                assert_true(result[1] == (double)(counts[c] - 1));
            }
        }
        close_pool(&own);
    }
}

static void a_reduction_without_memory_fails_and_the_pool_is_reusable(void **state)
{
    (void)state;
    failing_allocator a;
    mo_memory memory = failing_memory(&a, 1); /* 0 is the pool itself */
    mo_pool *pool;
    mote_error error = {0};
    double sum;
    assert_int_equal(mo_pool_create(&memory, 3, &pool, NULL), MOTE_OK);
    assert_int_equal(mo_parallel_reduce(pool, 100, 1, MO_SUM, 1, add_numbers, NULL, &sum, &error),
                     MOTE_ERROR_MEMORY);
    assert_int_equal(error.status, MOTE_ERROR_MEMORY);
    assert_int_equal(mo_parallel_reduce(pool, 100, 1, MO_SUM, 1, add_numbers, NULL, &sum, &error),
                     MOTE_OK);
    assert_true(sum == 5050);
    mo_pool_destroy(pool);
    assert_all_given_back(&a, &memory);
}

/* Repeated reductions allocate only for the largest so far. */
static void repeated_reductions_allocate_nothing(void **state)
{
    (void)state;
    own_pool own;
    open_pool(&own, 2);
    int64_t calls = 0;
    for (int round = 0; round < 50; ++round) {
        double sum;
        assert_int_equal(
            mo_parallel_reduce(own.pool, 1000 - round, 1, MO_SUM, 1, add_numbers, NULL, &sum, NULL),
            MOTE_OK);
        calls = round == 0 ? own.allocator.calls : calls;
        assert_int_equal(own.allocator.calls, calls);
    }
    assert_int_equal(blocks_so_far(own.pool), 50 * blocks_in(1000, 1) - 49 * 50 / 2);
    close_pool(&own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_is_visited_once),
        cmocka_unit_test(the_blocks_of_all_workers_are_counted),
        cmocka_unit_test(long_blocks_run_on_all_workers_at_once),
        cmocka_unit_test(a_single_block_runs_on_the_caller),
        cmocka_unit_test(short_loops_in_a_row_neither_hang_nor_miscount),
        cmocka_unit_test(workers_wake_from_sleep_each_time),
        cmocka_unit_test(a_waiting_caller_is_notified),
        cmocka_unit_test(pools_take_turns),
        cmocka_unit_test(pools_work_side_by_side),
        cmocka_unit_test(pools_are_created_and_destroyed),
        cmocka_unit_test(zero_threads_means_one_for_each_core),
        cmocka_unit_test(impossible_pools_are_refused),
        cmocka_unit_test(a_pool_without_memory_is_refused),
        cmocka_unit_test(reductions_are_the_same_bits_on_any_number_of_threads),
        cmocka_unit_test(the_awkward_values_do_depend_on_the_order),
        cmocka_unit_test(sums_of_whole_numbers_are_exact),
        cmocka_unit_test(maxima_are_those_of_a_plain_loop),
        cmocka_unit_test(reductions_of_nothing_are_zero),
        cmocka_unit_test(a_nan_passes_a_maximum_from_any_block),
        cmocka_unit_test(a_reduction_without_memory_fails_and_the_pool_is_reusable),
        cmocka_unit_test(repeated_reductions_allocate_nothing),
    };
    const struct rlimit limit = {60, 60}; /* seconds of processor time */
    setrlimit(RLIMIT_CPU, &limit);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
