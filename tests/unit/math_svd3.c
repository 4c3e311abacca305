/*
 * Signed singular values and polar decompositions: defining properties, on difficult matrices.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/quat.h"
#include "math/svd3.h"
#include "numbers.h"

#include <float.h>

enum { ROUNDS = 20000 };
static const double PI = 3.14159265358979323846;
static const double TIGHT = 4e-15; /* some tens of roundings of numbers about 1 */

static mo_mat3 random_rotation(uint64_t *random)
{
    return mo_quat_matrix(mo_quat_turn(random_unit_vec3(random), random_between(random, -PI, PI)));
}

static mo_mat3 random_plane_rotation(uint64_t *random)
{
    double a = random_between(random, -PI, PI);
    return (mo_mat3){{cos(a), -sin(a), 0, sin(a), cos(a), 0, 0, 0, 1}};
}

static mo_mat3 compose(mo_mat3 u, const double s[3], mo_mat3 v)
{
    mo_mat3 d = {{s[0], 0, 0, 0, s[1], 0, 0, 0, s[2]}};
    return mo_mat3_product(mo_mat3_product(u, d), mo_mat3_transpose(v));
}

static double size_of(mo_mat3 a)
{
    double size = 0;
    for (int k = 0; k < 9; ++k) {
        size = fmax(size, fabs(a.m[k]));
    }
    return size;
}

static void assert_rotation(mo_mat3 r)
{
    mo_mat3 product = mo_mat3_product(mo_mat3_transpose(r), r);
    for (int k = 0; k < 9; ++k) {
        assert_near(product.m[k], k % 4 == 0, TIGHT);
    }
    assert_near(mo_mat3_determinant(r), 1, TIGHT);
}

static void assert_same(mo_mat3 a, mo_mat3 b, double allowed)
{
    for (int k = 0; k < 9; ++k) {
        assert_near(a.m[k], b.m[k], allowed);
    }
}

/* U and V rotations, U S V^T = F up to rounding of the largest entry, descending order, the sign
 * on the last. */
static void check_svd(mo_mat3 f)
{
    mo_svd3 svd = mo_svd3_of(f);
    double size = size_of(f);
    assert_rotation(svd.u);
    assert_rotation(svd.v);
    assert_same(compose(svd.u, svd.s, svd.v), f, TIGHT * size);
    assert_true(svd.s[0] >= 0 && svd.s[1] >= 0);
    /* equal values may be exchanged by a rounding error */
    double slack = TIGHT * svd.s[0];
    assert_true(svd.s[0] >= svd.s[1] - slack && svd.s[1] >= fabs(svd.s[2]) - slack);
}

static void check_polar(mo_mat3 f)
{
    mo_mat3 s, r = mo_polar3_of(f, &s);
    assert_rotation(r);
    assert_same(mo_mat3_product(r, s), f, 10 * TIGHT * size_of(f));
    assert_same(s, mo_mat3_transpose(s), 0);
}

static void random_matrices_of_any_size(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int round = 0; round < ROUNDS; ++round) {
        mo_mat3 f;
        double size = pow(10, random_between(&random, -200, 200));
        for (int k = 0; k < 9; ++k) {
            f.m[k] = size * random_between(&random, -1, 1);
        }
        check_svd(f);
        check_polar(f);
    }
}

/* Zero, equal, tiny and negative singular values in all combinations, with random rotations. */
static void nasty_singular_values_come_back(void **state)
{
    static const double VALUES[] = {1,     1,      0.9999999999, 0.5,    1e-3, 1e-8,
                                    1e-15, 1e-100, 1e-160,       1e-300, 0};
    const int count = sizeof VALUES / sizeof *VALUES;
    (void)state;
    uint64_t random = 2;
    for (int a = 0; a < count; ++a) {
        for (int b = a; b < count; ++b) {
            for (int c = b; c < count; ++c) {
                for (int sign = -1; sign <= 1; sign += 2) {
                    double s[3] = {VALUES[a], VALUES[b], sign * VALUES[c]};
                    mo_mat3 f = compose(random_rotation(&random), s, random_rotation(&random));
                    mo_svd3 svd = mo_svd3_of(f);
                    check_svd(f);
                    check_polar(f);
                    assert_near(svd.s[0], s[0], TIGHT * s[0]);
                    assert_near(svd.s[1], s[1], TIGHT * s[0]);
                    assert_near(svd.s[2], s[2], TIGHT * s[0]);
                }
            }
        }
    }
}

/* For diagonal F the small values are accurate to all digits, since nothing is squared. */
static void small_diagonal_entries_keep_their_precision(void **state)
{
    (void)state;
    mo_svd3 svd = mo_svd3_of((mo_mat3){{1e-9, 0, 0, 0, 3, 0, 0, 0, -2e-5}});
    assert_near(svd.s[0], 3, 3 * DBL_EPSILON);
    assert_near(svd.s[1], 2e-5, 2e-5 * 4 * DBL_EPSILON);
    assert_near(svd.s[2], -1e-9, 1e-9 * 4 * DBL_EPSILON);
}

static void special_matrices(void **state)
{
    static const double SPECIAL[][9] = {
        {0, 0, 0, 0, 0, 0, 0, 0, 0},
        {1, 0, 0, 0, 1, 0, 0, 0, 1},
        {-1, 0, 0, 0, -1, 0, 0, 0, -1},
        {1, 0, 0, 0, 1, 0, 0, 0, -1},
        {0, 1, 0, 1, 0, 0, 0, 0, 1},
        {1, 1, 1, 1, 1, 1, 1, 1, 1},
        {1, 2, 3, 2, 4, 6, -1, -2, -3},
        {0, 0, 0, 0, 0, 0, 0, 0, -5},
        {0, 1, 0, 0, 0, 1, 0, 0, 0},
        {1, 1e-8, 0, 0, 1, 1e-8, 0, 0, 1},
        {1, 1e-160, 0, 1e-160, 1e-160, 0, 0, 0, 1e-170},
        {1e-310, 0, 2e-310, 0, 1e-310, 0, 0, 0, 1e-310},
        {1e300, 2e300, 0, -1e300, 0, 3e300, 0, 1e300, 1e300},
        {1, -1, 0, 1, 1, 0, 0, 0, 1e-17},
    };
    (void)state;
    for (size_t k = 0; k < sizeof SPECIAL / sizeof *SPECIAL; ++k) {
        mo_mat3 f;
        memcpy(f.m, SPECIAL[k], sizeof f.m);
        if (size_of(f) > 0 && size_of(f) < 1e-300) { /* entries that have few digits themselves */
            mo_svd3 svd = mo_svd3_of(f);
            assert_rotation(svd.u);
            assert_rotation(svd.v);
            assert_same(compose(svd.u, svd.s, svd.v), f, 1e-322);
            continue;
        }
        check_svd(f);
        check_polar(f);
    }
    assert_same(mo_polar3_of((mo_mat3){{0}}, NULL), mo_mat3_identity(), 0);
}

static void polar_rotation_is_that_of_the_values(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int round = 0; round < ROUNDS; ++round) {
        double s[3] = {random_between(&random, 0.8, 1.5), random_between(&random, 0.3, 0.8),
                       random_between(&random, -0.2, 0.3)};
        mo_mat3 u = random_rotation(&random), v = random_rotation(&random);
        mo_mat3 f = compose(u, s, v), r = mo_mat3_product(u, mo_mat3_transpose(v));
        /* the sensitivity of R is the change of F over the smallest sum of two values */
        assert_same(mo_polar3_of(f, NULL), r, TIGHT * s[0] / (s[1] + s[2]));
    }
}

static void plane_matrices(void **state)
{
    static const double VALUES[] = {1, 1, 0.7, 1e-8, 1e-160, 0};
    const int count = sizeof VALUES / sizeof *VALUES;
    (void)state;
    uint64_t random = 4;
    for (int round = 0; round < 200; ++round) {
        for (int pair = 0; pair < count * count * 2; ++pair) {
            int a = pair / 2 / count, b = pair / 2 % count;
            double s[3] = {VALUES[a], (pair % 2 ? -1 : 1) * VALUES[b], 0};
            mo_mat3 f = compose(random_plane_rotation(&random), s, random_plane_rotation(&random));
            f.m[2] = f.m[5] = f.m[8] = 77; /* ignored */
            mo_svd3 svd = mo_svd2_of(f);
            f.m[2] = f.m[5] = f.m[8] = 0;
            assert_rotation(svd.u);
            assert_rotation(svd.v);
            assert_same(compose(svd.u, svd.s, svd.v), f, TIGHT * size_of(f));
            assert_true(svd.s[0] >= fabs(svd.s[1]) - TIGHT * svd.s[0]);
            assert_near(svd.s[0] * svd.s[1], s[0] * s[1], TIGHT * size_of(f) * size_of(f));
            assert_true(svd.s[2] == 0);
        }
    }
}

/* The result of a matrix is bitwise independent of the other lanes. */
static void many_at_once_are_each_alone(void **state)
{
    enum { COUNT = 1003 };
    static double f[9 * COUNT], u[9 * COUNT], s[3 * COUNT], v[9 * COUNT];
    (void)state;
    uint64_t random = 5;
    for (int k = 0; k < COUNT; ++k) {
        double values[3] = {1, random_between(&random, 0, 1),
                            k % 7 ? random_between(&random, -1, 1) : 0};
        mo_mat3 a = k % 5 ? compose(random_rotation(&random), values, random_rotation(&random))
                          : mo_mat3_identity();
        memcpy(f + 9 * k, a.m, sizeof a.m);
    }
    mo_svd3_all(COUNT, f, u, s, v);
    for (int k = 0; k < COUNT; ++k) {
        mo_mat3 a;
        memcpy(a.m, f + 9 * k, sizeof a.m);
        mo_svd3 alone = mo_svd3_of(a);
        assert_memory_equal(alone.u.m, u + 9 * k, sizeof alone.u.m);
        assert_memory_equal(alone.s, s + 3 * k, sizeof alone.s);
        assert_memory_equal(alone.v.m, v + 9 * k, sizeof alone.v.m);
    }
}

static void numbers_that_are_none_do_not_hang(void **state)
{
    (void)state;
    mo_mat3 f = {{NAN, 0, 0, 0, INFINITY, 0, 0, 0, 1}};
    mo_svd3 svd = mo_svd3_of(f);
    assert_false(isfinite(svd.s[0] + svd.s[1] + svd.s[2]));
    assert_false(isfinite(mo_svd2_of(f).s[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_matrices_of_any_size),
        cmocka_unit_test(nasty_singular_values_come_back),
        cmocka_unit_test(small_diagonal_entries_keep_their_precision),
        cmocka_unit_test(special_matrices),
        cmocka_unit_test(polar_rotation_is_that_of_the_values),
        cmocka_unit_test(plane_matrices),
        cmocka_unit_test(many_at_once_are_each_alone),
        cmocka_unit_test(numbers_that_are_none_do_not_hang),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
