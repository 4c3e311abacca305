/*
 * Wide operations agree bitwise with scalar ones, lane by lane.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/angle_wide.h"
#include "math/wide.h"
#include "numbers.h"

enum { ROUNDS = 5000 };

/* Arbitrary bit patterns, and numbers of all magnitudes with zeros, infinities and NaN. */
static double random_double(uint64_t *random)
{
    static const double special[] = {0.0,       -0.0,      1.0,       -1.0,   INFINITY,
                                     -INFINITY, 0x1p-1074, 0x1p-1022, 1.7e308};
    switch (random_below(random, 8)) {
    case 0: {
        uint64_t bits = random_bits(random);
        double any;
        memcpy(&any, &bits, sizeof any);
        return any;
    }
    case 1:
        return special[random_below(random, sizeof special / sizeof *special)];
    case 2:
        return ldexp(random_between(random, -1, 1), (int)random_below(random, 2100) - 1050);
    default:
        return random_between(random, -10, 10);
    }
}

static float random_float(uint64_t *random)
{
    static const float special[] = {0.0f,      -0.0f,     1.0f,      -1.0f, INFINITY,
                                    -INFINITY, 0x1p-149f, 0x1p-126f, 3e38f};
    switch (random_below(random, 8)) {
    case 0: {
        uint32_t bits = (uint32_t)random_bits(random);
        float any;
        memcpy(&any, &bits, sizeof any);
        return any;
    }
    case 1:
        return special[random_below(random, sizeof special / sizeof *special)];
    case 2:
        return ldexpf((float)random_between(random, -1, 1), (int)random_below(random, 270) - 140);
    default:
        return (float)random_between(random, -10, 10);
    }
}

/* All NaNs count as equal: IEEE 754 leaves open which of two propagates. */
static void assert_same_double(double a, double b)
{
    if (!same_bits(a, b) && !(isnan(a) && isnan(b))) {
        fail_msg("%a is not %a", a, b);
    }
}

static void assert_same_float(float a, float b)
{
    if (memcmp(&a, &b, sizeof a) != 0 && !(isnan(a) && isnan(b))) {
        fail_msg("%a is not %a", (double)a, (double)b);
    }
}

typedef mo_d8 wide_operation(mo_d8 a, mo_d8 b);
typedef double scalar_operation(double a, double b);

static double add(double a, double b)
{
    return a + b;
}

static double subtract(double a, double b)
{
    return a - b;
}

static double multiply(double a, double b)
{
    return a * b;
}

static double divide(double a, double b)
{
    return a / b;
}

static double root(double a, double b)
{
    (void)b;
    return sqrt(a);
}

/* The wide functions are always inlined, so a pointer needs a wrapper. */
static mo_d8 wide_add(mo_d8 a, mo_d8 b)
{
    return mo_d8_add(a, b);
}

static mo_d8 wide_subtract(mo_d8 a, mo_d8 b)
{
    return mo_d8_sub(a, b);
}

static mo_d8 wide_multiply(mo_d8 a, mo_d8 b)
{
    return mo_d8_mul(a, b);
}

static mo_d8 wide_divide(mo_d8 a, mo_d8 b)
{
    return mo_d8_div(a, b);
}

static mo_d8 wide_root(mo_d8 a, mo_d8 b)
{
    (void)b;
    return mo_d8_sqrt(a);
}

static void arithmetic_is_that_of_the_lanes(void **state)
{
    (void)state;
    static const struct {
        wide_operation *wide;
        scalar_operation *scalar;
    } operations[] = {{wide_add, add},
                      {wide_subtract, subtract},
                      {wide_multiply, multiply},
                      {wide_divide, divide},
                      {wide_root, root}};
    uint64_t random = 1;
    for (int round = 0; round < ROUNDS; ++round) {
        double a[8], b[8], c[8];
        for (int k = 0; k < 8; ++k) {
            a[k] = random_double(&random);
            b[k] = random_double(&random);
        }
        for (size_t o = 0; o < sizeof operations / sizeof *operations; ++o) {
            mo_d8_store(c, operations[o].wide(mo_d8_load(a), mo_d8_load(b)));
            for (int k = 0; k < 8; ++k) {
                assert_same_double(c[k], operations[o].scalar(a[k], b[k]));
            }
        }
    }
}

/* A fused multiply-add would round once where two operations round twice. */
static void nothing_is_contracted(void **state)
{
    (void)state;
    uint64_t random = 2;
    int differs = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        double a[8], b[8], c[8], d[8];
        for (int k = 0; k < 8; ++k) {
            a[k] = random_between(&random, -1, 1);
            b[k] = random_between(&random, -1, 1);
            c[k] = -a[k] * b[k]; /* the remainder is the rounding of the product, or zero */
        }
        mo_d8_store(d, mo_d8_add(mo_d8_mul(mo_d8_load(a), mo_d8_load(b)), mo_d8_load(c)));
        for (int k = 0; k < 8; ++k) {
            assert_true(d[k] == 0);
            differs += fma(a[k], b[k], c[k]) != 0;
        }
    }
    assert_true(differs > ROUNDS); /* so that this test can fail */
}

static void loads_and_stores_need_no_alignment(void **state)
{
    (void)state;
    uint64_t random = 3;
    double from[32], to[32];
    float from_f[32], to_f[32];
    for (int k = 0; k < 32; ++k) {
        from[k] = random_between(&random, -1, 1);
        from_f[k] = (float)from[k];
    }
    for (int shift = 0; shift < 24; ++shift) {
        memset(to, 0, sizeof to);
        memset(to_f, 0, sizeof to_f);
        mo_d8_store(to + shift, mo_d8_load(from + shift));
        mo_f8_store(to_f + shift, mo_f8_load(from_f + shift));
        for (int k = 0; k < 32; ++k) {
            bool inside = k >= shift && k < shift + 8;
            assert_same_double(to[k], inside ? from[k] : 0);
            assert_same_float(to_f[k], inside ? from_f[k] : 0);
        }
        mo_d4_store(to, mo_d4_load(from + shift));
        assert_memory_equal(to, from + shift, 4 * sizeof *to);
    }
}

static void setting_fills_all_lanes(void **state)
{
    (void)state;
    double d[8];
    float f[8];
    mo_d8_store(d, mo_d8_set(-0.1));
    mo_f8_store(f, mo_f8_set(-0.1f));
    for (int k = 0; k < 8; ++k) {
        assert_same_double(d[k], -0.1);
        assert_same_float(f[k], -0.1f);
    }
}

static void scattered_vectors_come_apart_into_x_y_z(void **state)
{
    (void)state;
    enum { ROWS = 1000 };
    static double p[3 * ROWS + 1]; /* rows are read four numbers at a time */
    uint64_t random = 4;
    for (int k = 0; k < 3 * ROWS + 1; ++k) {
        p[k] = random_double(&random);
    }
    for (int round = 0; round < ROUNDS; ++round) {
        int32_t row[8];
        for (int k = 0; k < 8; ++k) {
            row[k] = (int32_t)random_below(&random, ROWS);
        }
        mo_d8 wide[3];
        mo_d8_load3(p, row, &wide[0], &wide[1], &wide[2]);
        for (int c = 0; c < 3; ++c) {
            double lane[8];
            mo_d8_store(lane, wide[c]);
            for (int k = 0; k < 8; ++k) {
                assert_same_double(lane[k], p[3 * row[k] + c]);
            }
        }
    }
}

static void four_vectors_are_put_together_again(void **state)
{
    (void)state;
    uint64_t random = 8;
    for (int round = 0; round < ROUNDS; ++round) {
        double lane[3][4];
        mo_d4 row[4];
        for (int k = 0; k < 12; ++k) {
            lane[k / 4][k % 4] = random_double(&random);
        }
        mo_d4_rows3(mo_d4_load(lane[0]), mo_d4_load(lane[1]), mo_d4_load(lane[2]), row);
        for (int k = 0; k < 4; ++k) {
            double numbers[4];
            mo_d4_store(numbers, row[k]);
            for (int c = 0; c < 3; ++c) {
                assert_same_double(numbers[c], lane[c][k]);
            }
            assert_same_double(numbers[3], 0);
        }
    }
}

static void adding_three_leaves_the_fourth_alone(void **state)
{
    (void)state;
    uint64_t random = 9;
    for (int round = 0; round < ROUNDS; ++round) {
        double p[5], before[5], a[4];
        for (int k = 0; k < 5; ++k) {
            p[k] = before[k] = random_double(&random);
            a[k % 4] = random_double(&random);
        }
        mo_d4_add3(p + 1, mo_d4_load(a));
        for (int k = 0; k < 5; ++k) {
            assert_same_double(p[k], k >= 1 && k <= 3 ? before[k] + a[k - 1] : before[k]);
        }
    }
}

static void float_roots_are_those_of_the_lanes(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (int round = 0; round < ROUNDS; ++round) {
        float a[8], b[8];
        for (int k = 0; k < 8; ++k) {
            a[k] = random_float(&random);
        }
        mo_f8_store(b, mo_f8_sqrt(mo_f8_load(a)));
        for (int k = 0; k < 8; ++k) {
            assert_same_float(b[k], sqrtf(a[k]));
        }
    }
}

static void selecting_takes_each_lane_whole(void **state)
{
    (void)state;
    uint64_t random = 6;
    for (int round = 0; round < ROUNDS; ++round) {
        float a[8], b[8], c[8];
        for (int k = 0; k < 8; ++k) {
            a[k] = random_float(&random);
            b[k] = random_float(&random);
        }
        mo_f8 x = mo_f8_load(a), y = mo_f8_load(b);
        mo_f8_store(c, mo_f8_select(x < y, x, y));
        for (int k = 0; k < 8; ++k) {
            float expected = a[k] < b[k] ? a[k] : b[k];
            /* a selection keeps even a NaN's bits */
            assert_memory_equal(&c[k], &expected, sizeof expected);
        }
    }
}

static void sums_add_in_the_fixed_order(void **state)
{
    (void)state;
    uint64_t random = 7;
    for (int round = 0; round < ROUNDS; ++round) {
        float a[8];
        for (int k = 0; k < 8; ++k) {
            a[k] = random_float(&random);
        }
        float expected = ((a[0] + a[4]) + (a[1] + a[5])) + ((a[2] + a[6]) + (a[3] + a[7]));
        assert_same_float(mo_f8_sum(mo_f8_load(a)), expected);
    }
}

static void larger_and_smaller_lanes_are_chosen(void **state)
{
    (void)state;
    uint64_t random = 8;
    for (int round = 0; round < ROUNDS; ++round) {
        float a[8], b[8], c[8], d[8];
        for (int k = 0; k < 8; ++k) {
            a[k] = random_float(&random);
            b[k] = random_float(&random);
        }
        mo_f8_store(c, mo_f8_max(mo_f8_load(a), mo_f8_load(b)));
        mo_f8_store(d, mo_f8_min(mo_f8_load(a), mo_f8_load(b)));
        for (int k = 0; k < 8; ++k) {
            assert_same_float(c[k], a[k] > b[k] ? a[k] : b[k]);
            assert_same_float(d[k], a[k] < b[k] ? a[k] : b[k]);
        }
    }
}

/* Numbers of every size, and many near 1, where the logarithm is small. */
static void logarithms_are_those_of_the_lanes(void **state)
{
    (void)state;
    uint64_t random = 9;
    for (int round = 0; round < ROUNDS; ++round) {
        float a[8], b[8];
        for (int k = 0; k < 8; ++k) {
            double size = random_between(&random, -1, 1);
            a[k] = (float)exp(round % 2 ? 87 * size : size * size * size);
        }
        mo_f8_store(b, mo_f8_log(mo_f8_load(a)));
        for (int k = 0; k < 8; ++k) {
            double expected = log((double)a[k]);
            assert_true(fabs((double)b[k] - expected) <= 0x1p-22 * fabs(expected));
        }
    }
}

/* All directions, small angles of every size, the axes, and the origin. */
static void angles_are_those_of_the_lanes(void **state)
{
    (void)state;
    uint64_t random = 10;
    const double axes[4][2] = {{0, 0}, {0, 1}, {0, -1}, {-1, 0}};
    for (int round = 0; round < ROUNDS; ++round) {
        double y[4], x[4], angle[4];
        for (int k = 0; k < 4; ++k) {
            double size = exp(60 * random_between(&random, -1, 1)),
                   tilt = round % 2 ? 1 : exp(30 * random_between(&random, -1, 0));
            y[k] = round == 0 ? axes[k][0] : tilt * size * random_between(&random, -1, 1);
            x[k] = round == 0 ? axes[k][1] : size * random_between(&random, -1, 1);
        }
        x[0] = round == 0 ? 0 : x[0];
        mo_d4_store(angle, mo_d4_atan2(mo_d4_load(y), mo_d4_load(x)));
        for (int k = 0; k < 4; ++k) {
            double expected = atan2(y[k], x[k]);
            assert_true(fabs(angle[k] - expected) <= 0x1p-50 * fabs(expected));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic_is_that_of_the_lanes),
        cmocka_unit_test(nothing_is_contracted),
        cmocka_unit_test(loads_and_stores_need_no_alignment),
        cmocka_unit_test(setting_fills_all_lanes),
        cmocka_unit_test(scattered_vectors_come_apart_into_x_y_z),
        cmocka_unit_test(four_vectors_are_put_together_again),
        cmocka_unit_test(adding_three_leaves_the_fourth_alone),
        cmocka_unit_test(float_roots_are_those_of_the_lanes),
        cmocka_unit_test(selecting_takes_each_lane_whole),
        cmocka_unit_test(sums_add_in_the_fixed_order),
        cmocka_unit_test(larger_and_smaller_lanes_are_chosen),
        cmocka_unit_test(logarithms_are_those_of_the_lanes),
        cmocka_unit_test(angles_are_those_of_the_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
