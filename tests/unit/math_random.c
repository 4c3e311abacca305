/*
 * Random numbers: the published test vectors of Philox 4x32-10, and the moments of derived
 * distributions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/random.h"
#include "numbers.h"

#include <stdlib.h>

static void assert_words(mo_random r, const uint32_t expected[4])
{
    for (int k = 0; k < 4; ++k) {
        assert_int_equal(r.word[k], expected[k]);
    }
}

/* The test vectors of the authors' Random123 library. */
static void the_words_are_the_published_ones(void **state)
{
    (void)state;
    assert_words(mo_random_words(0, 0, 0, 0),
                 (const uint32_t[]){0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
    assert_words(mo_random_words(UINT64_MAX, UINT32_MAX, UINT64_MAX, UINT32_MAX),
                 (const uint32_t[]){0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
    /* digits of pi distinguish the positions of counter and key: id low, id high, stream, step;
     * seed low, high */
    assert_words(mo_random_words(UINT64_C(0x299f31d0a4093822), 0x13198a2e,
                                 UINT64_C(0x85a308d3243f6a88), 0x03707344),
                 (const uint32_t[]){0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

static int compare_words(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(mo_random));
}

/* Different arguments give different words: a bijection for one seed, and with high probability
 * across seeds. */
static void every_argument_counts(void **state)
{
    (void)state;
    enum { SIDE = 10, ALL = SIDE * SIDE * SIDE * SIDE };
    static mo_random r[ALL];
    for (int k = 0; k < ALL; ++k) {
        uint64_t high = k % 2 ? UINT64_C(1) << 40 : 0;
        r[k] = mo_random_words((uint64_t)(k % SIDE) + high, (uint32_t)(k / SIDE % SIDE),
                               (uint64_t)(k / SIDE / SIDE % SIDE) + high,
                               (uint32_t)(k / SIDE / SIDE / SIDE));
    }
    qsort(r, ALL, sizeof *r, compare_words);
    for (int k = 1; k < ALL; ++k) {
        assert_int_not_equal(compare_words(&r[k - 1], &r[k]), 0);
    }
}

static void numbers_do_not_depend_on_the_order_of_asking(void **state)
{
    (void)state;
    enum { IDS = 1000 };
    static double forth[IDS][2], back[IDS][2];
    for (int id = 0; id < IDS; ++id) {
        mo_random_normal(42, 3, (uint64_t)id, 17, forth[id]);
    }
    for (int id = IDS - 1; id >= 0; --id) {
        double other[2];
        mo_random_uniform((uint64_t)id, 1, 2, 3, other);
        mo_random_normal(42, 3, (uint64_t)id, 17, back[id]);
    }
    assert_memory_equal(forth, back, sizeof forth);
}

enum { SAMPLES = 200000 };
static const double DEVIATIONS = 4; /* of the estimator; the numbers are fixed, so is the outcome */

static void uniform_numbers_lie_in_the_unit_interval(void **state)
{
    (void)state;
    double least = 1, most = 0;
    for (uint64_t id = 0; id < SAMPLES; ++id) {
        double u[2];
        mo_random_uniform(1, 0, id, 0, u);
        for (int k = 0; k < 2; ++k) {
            assert_true(u[k] >= 0 && u[k] < 1);
            least = fmin(least, u[k]);
            most = fmax(most, u[k]);
        }
    }
    assert_true(least < 1e-4 && most > 1 - 1e-4);
}

/* Samples along ids, steps or streams must not show a pattern. */
static void draw_uniform(int along, uint64_t k, double u[2])
{
    if (along == 0) {
        mo_random_uniform(5, 1, k, 2, u);
    } else if (along == 1) {
        mo_random_uniform(5, 1, 2, (uint32_t)k, u);
    } else {
        mo_random_uniform(5, (uint32_t)k, 1, 2, u);
    }
}

static void uniform_numbers_have_their_mean_variance_and_no_correlation(void **state)
{
    (void)state;
    for (int along = 0; along < 3; ++along) {
        double mean = 0, square = 0, pair = 0, next = 0, previous = 0;
        for (uint64_t k = 0; k < SAMPLES; ++k) {
            double u[2];
            draw_uniform(along, k, u);
            double a = u[0] - 0.5, b = u[1] - 0.5;
            mean += 0.5 * (a + b);
            square += 0.5 * (a * a + b * b);
            pair += a * b;
            next += a * previous;
            previous = a;
        }
        double n = SAMPLES, n2 = 2 * n;
        assert_near(mean / n, 0, DEVIATIONS * sqrt(1 / 12.0 / n2));
        assert_near(square / n, 1 / 12.0, DEVIATIONS * sqrt(1 / 180.0 / n2));
        assert_near(pair / n, 0, DEVIATIONS / 12 / sqrt(n));
        assert_near(next / n, 0, DEVIATIONS / 12 / sqrt(n));
    }
}

static void uniform_numbers_fill_all_bins_alike(void **state)
{
    (void)state;
    enum { BINS = 64 };
    double count[BINS] = {0}, chi2 = 0, expected = 2.0 * SAMPLES / BINS;
    for (uint64_t id = 0; id < SAMPLES; ++id) {
        double u[2];
        mo_random_uniform(9, 4, id, 1, u);
        count[(int)(BINS * u[0])]++;
        count[(int)(BINS * u[1])]++;
    }
    for (int k = 0; k < BINS; ++k) {
        chi2 += (count[k] - expected) * (count[k] - expected) / expected;
    }
    assert_near(chi2, BINS - 1, DEVIATIONS * sqrt(2.0 * (BINS - 1)));
}

static void normal_numbers_have_the_moments_0_1_0_3(void **state)
{
    (void)state;
    double moment[5] = {0}, pair = 0, squares = 0;
    for (uint64_t id = 0; id < SAMPLES; ++id) {
        double z[2];
        mo_random_normal(2, 0, id, 0, z);
        for (int k = 0; k < 2; ++k) {
            assert_true(isfinite(z[k]));
            double power = 1;
            for (int m = 1; m <= 4; ++m) {
                power *= z[k];
                moment[m] += power / (2.0 * SAMPLES);
            }
        }
        pair += z[0] * z[1] / SAMPLES;
        squares += (z[0] * z[0] - 1) * (z[1] * z[1] - 1) / SAMPLES;
    }
    double n = 2.0 * SAMPLES;
    assert_near(moment[1], 0, DEVIATIONS * sqrt(1 / n));
    assert_near(moment[2], 1, DEVIATIONS * sqrt(2 / n));
    assert_near(moment[3], 0, DEVIATIONS * sqrt(15 / n));
    assert_near(moment[4], 3, DEVIATIONS * sqrt(96 / n));
    /* the two of a pair share one radius and one angle, but are independent */
    assert_near(pair, 0, DEVIATIONS / sqrt(SAMPLES));
    assert_near(squares, 0, DEVIATIONS * 2 / sqrt(SAMPLES));
}

static void normal_numbers_have_the_right_tails(void **state)
{
    (void)state;
    static const struct {
        double beyond, share;
    } tails[] = {{1, 0.31731050786291410}, {2, 0.045500263896358414}, {3, 0.0026997960632601866}};
    double n = 2.0 * SAMPLES;
    for (int t = 0; t < 3; ++t) {
        double count = 0, p = tails[t].share;
        for (uint64_t id = 0; id < SAMPLES; ++id) {
            double z[2];
            mo_random_normal(8, 1, id, 5, z);
            count += (fabs(z[0]) > tails[t].beyond) + (fabs(z[1]) > tails[t].beyond);
        }
        assert_near(count / n, p, DEVIATIONS * sqrt(p * (1 - p) / n));
    }
}

static void vectors_fill_the_cube(void **state)
{
    (void)state;
    mo_vec3 mean = {0, 0, 0}, square = {0, 0, 0}, mixed = {0, 0, 0};
    for (uint64_t id = 0; id < SAMPLES; ++id) {
        mo_vec3 a = mo_random_cube(3, 0, id, 0);
        assert_true(a.x >= -1 && a.y >= -1 && a.z >= -1 && a.x < 1 && a.y < 1 && a.z < 1);
        mean = mo_add_scaled(mean, 1.0 / SAMPLES, a);
        square = mo_add_scaled(square, 1.0 / SAMPLES, mo_multiply(a, a));
        mixed = mo_add_scaled(mixed, 1.0 / SAMPLES, mo_multiply(a, mo_vec3_make(a.y, a.z, a.x)));
    }
    double n = SAMPLES, third = 1 / 3.0;
    mo_vec3 zero = {0, 0, 0}, thirds = {third, third, third};
    assert_near_vec3(mean, zero, DEVIATIONS * sqrt(3 * third / n));
    assert_near_vec3(square, thirds, DEVIATIONS * sqrt(3 * (0.2 - third * third) / n));
    assert_near_vec3(mixed, zero, DEVIATIONS * sqrt(3 * third * third / n));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_words_are_the_published_ones),
        cmocka_unit_test(every_argument_counts),
        cmocka_unit_test(numbers_do_not_depend_on_the_order_of_asking),
        cmocka_unit_test(uniform_numbers_lie_in_the_unit_interval),
        cmocka_unit_test(uniform_numbers_have_their_mean_variance_and_no_correlation),
        cmocka_unit_test(uniform_numbers_fill_all_bins_alike),
        cmocka_unit_test(normal_numbers_have_the_moments_0_1_0_3),
        cmocka_unit_test(normal_numbers_have_the_right_tails),
        cmocka_unit_test(vectors_fill_the_cube),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
