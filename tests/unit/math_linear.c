/*
 * Vectors, matrices and quaternions: defining identities, on random input.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/quat.h"
#include "numbers.h"

enum { ROUNDS = 2000 };
static const double TIGHT = 1e-14; /* some tens of roundings of numbers about 1 */
static const double PI = 3.14159265358979323846;

static mo_mat3 random_mat3(uint64_t *random)
{
    mo_mat3 a;
    for (int k = 0; k < 9; ++k) {
        a.m[k] = random_between(random, -1, 1);
    }
    return a;
}

static mo_quat random_quat(uint64_t *random)
{
    return mo_quat_turn(random_unit_vec3(random), random_between(random, -2 * PI, 2 * PI));
}

static void assert_near_mat3(mo_mat3 a, mo_mat3 b, double allowed)
{
    for (int k = 0; k < 9; ++k) {
        assert_near(a.m[k], b.m[k], allowed);
    }
}

/* ---- vectors ---- */

static void vectors_add_and_scale_by_components(void **state)
{
    (void)state;
    mo_vec3 a = {1, 2, -3}, b = {0.5, -4, 8};
    assert_near_vec3(mo_add(a, b), mo_vec3_make(1.5, -2, 5), 0);
    assert_near_vec3(mo_sub(a, b), mo_vec3_make(0.5, 6, -11), 0);
    assert_near_vec3(mo_scale(-2, a), mo_vec3_make(-2, -4, 6), 0);
    assert_near_vec3(mo_add_scaled(a, 2, b), mo_vec3_make(2, -6, 13), 0);
    assert_near_vec3(mo_multiply(a, b), mo_vec3_make(0.5, -8, -24), 0);
    assert_near(mo_dot(a, b), 0.5 - 8 - 24, 0);
    assert_near_vec3(mo_cross(a, b), mo_vec3_make(16 - 12, -1.5 - 8, -4 - 1), 0);
    assert_near(mo_length(mo_vec3_make(2, -3, 6)), 7, 0);
}

static void stored_values_are_loaded(void **state)
{
    (void)state;
    double p[5] = {-1, 0, 0, 0, -1};
    mo_vec3_store(p + 1, mo_vec3_make(1, 2, 3));
    assert_near_vec3(mo_vec3_load(p + 1), mo_vec3_make(1, 2, 3), 0);
    assert_true(p[0] == -1 && p[1] == 1 && p[2] == 2 && p[3] == 3 && p[4] == -1);
}

static void the_cross_product_is_perpendicular_and_measures_area(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int k = 0; k < ROUNDS; ++k) {
        mo_vec3 a = random_vec3(&random, 1), b = random_vec3(&random, 1), c = mo_cross(a, b);
        assert_near(mo_dot(a, c), 0, TIGHT);
        assert_near(mo_dot(b, c), 0, TIGHT);
        assert_near_vec3(mo_cross(b, a), mo_scale(-1, c), 0);
        /* Lagrange: |a x b|^2 + (a.b)^2 = |a|^2 |b|^2 */
        assert_near(mo_dot(c, c) + mo_dot(a, b) * mo_dot(a, b), mo_dot(a, a) * mo_dot(b, b), TIGHT);
    }
}

static void unit_vectors_have_length_one_and_the_same_direction(void **state)
{
    (void)state;
    uint64_t random = 2;
    mo_vec3 otherwise = {0, 1, 0};
    for (int k = 0; k < ROUNDS; ++k) {
        mo_vec3 a =
            mo_scale(pow(10, random_between(&random, -100, 100)), random_unit_vec3(&random));
        mo_vec3 u = mo_unit(a, otherwise);
        assert_near(mo_length(u), 1, TIGHT);
        assert_near(mo_dot(u, a) / mo_length(a), 1, TIGHT);
    }
    assert_near_vec3(mo_unit(mo_vec3_make(0, -0.0, 0), otherwise), otherwise, 0);
}

static void perpendicular_vectors_are_unit_and_perpendicular(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int k = 0; k < ROUNDS; ++k) {
        mo_vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
        mo_vec3 n = k < 6 ? axes[k] : random_unit_vec3(&random);
        mo_vec3 p = mo_perpendicular(n);
        assert_near(mo_length(p), 1, TIGHT);
        assert_near(mo_dot(p, n), 0, TIGHT);
    }
}

/* ---- matrices ---- */

static void the_rows_are_first(void **state)
{
    (void)state;
    mo_mat3 a = {{1, 2, 3, 4, 5, 6, 7, 8, 9}};
    assert_near_vec3(mo_mat3_row(a, 1), mo_vec3_make(4, 5, 6), 0);
    assert_near_vec3(mo_mat3_apply(a, mo_vec3_make(1, 0, 0)), mo_vec3_make(1, 4, 7), 0);
    assert_near_vec3(mo_mat3_apply(a, mo_vec3_make(1, 10, 100)), mo_vec3_make(321, 654, 987), 0);
    assert_near_mat3(mo_mat3_transpose(a), (mo_mat3){{1, 4, 7, 2, 5, 8, 3, 6, 9}}, 0);
}

static void a_product_applies_one_after_the_other(void **state)
{
    (void)state;
    uint64_t random = 4;
    for (int k = 0; k < ROUNDS; ++k) {
        mo_mat3 a = random_mat3(&random), b = random_mat3(&random);
        mo_vec3 v = random_vec3(&random, 1);
        assert_near_vec3(mo_mat3_apply(mo_mat3_product(a, b), v),
                         mo_mat3_apply(a, mo_mat3_apply(b, v)), TIGHT);
        assert_near_mat3(mo_mat3_product(a, mo_mat3_identity()), a, 0);
        assert_near_mat3(mo_mat3_product(mo_mat3_identity(), a), a, 0);
    }
}

static void the_transpose_moves_to_the_other_side_of_a_dot(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (int k = 0; k < ROUNDS; ++k) {
        mo_mat3 a = random_mat3(&random);
        mo_vec3 u = random_vec3(&random, 1), v = random_vec3(&random, 1);
        assert_near(mo_dot(mo_mat3_apply(a, u), v), mo_dot(u, mo_mat3_apply_transposed(a, v)),
                    TIGHT);
    }
}

static void determinants_multiply(void **state)
{
    (void)state;
    uint64_t random = 6;
    assert_near(mo_mat3_determinant(mo_mat3_identity()), 1, 0);
    assert_near(mo_mat3_determinant((mo_mat3){{0, 1, 0, 1, 0, 0, 0, 0, 1}}), -1, 0);
    assert_near(mo_mat3_determinant((mo_mat3){{2, 5, 7, 0, 3, 11, 0, 0, 4}}), 24, 0);
    for (int k = 0; k < ROUNDS; ++k) {
        mo_mat3 a = random_mat3(&random), b = random_mat3(&random);
        double product = mo_mat3_determinant(a) * mo_mat3_determinant(b);
        assert_near(mo_mat3_determinant(mo_mat3_product(a, b)), product, TIGHT);
        assert_near(mo_mat3_determinant(mo_mat3_transpose(a)), mo_mat3_determinant(a), TIGHT);
    }
}

static void the_inverse_undoes(void **state)
{
    (void)state;
    uint64_t random = 7;
    int tried = 0;
    for (int k = 0; k < ROUNDS; ++k) {
        mo_mat3 a = random_mat3(&random);
        double determinant = mo_mat3_determinant(a);
        if (fabs(determinant) < 0.1) {
            continue; /* ill conditioned: the identities are less accurate */
        }
        ++tried;
        mo_mat3 inverse = mo_mat3_inverse(a);
        double allowed = 10 * TIGHT / fabs(determinant);
        assert_near_mat3(mo_mat3_product(a, inverse), mo_mat3_identity(), allowed);
        assert_near_mat3(mo_mat3_product(inverse, a), mo_mat3_identity(), allowed);
    }
    assert_true(tried > ROUNDS / 2);
}

/* ---- quaternions ---- */

static void a_turn_is_counter_clockwise_about_its_axis(void **state)
{
    (void)state;
    mo_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    assert_near_vec3(mo_quat_rotate(mo_quat_turn(z, PI / 2), x), y, TIGHT);
    assert_near_vec3(mo_quat_rotate(mo_quat_turn(x, PI / 2), y), z, TIGHT);
    assert_near_vec3(mo_quat_rotate(mo_quat_turn(y, PI / 2), z), x, TIGHT);
    assert_near_vec3(mo_quat_rotate(mo_quat_identity(), mo_vec3_make(1, 2, 3)),
                     mo_vec3_make(1, 2, 3), 0);
}

/* Rodrigues: v cos + (n x v) sin + n (n.v) (1 - cos) */
static void a_turn_is_that_of_rodrigues(void **state)
{
    (void)state;
    uint64_t random = 8;
    for (int k = 0; k < ROUNDS; ++k) {
        mo_vec3 n = random_unit_vec3(&random), v = random_vec3(&random, 1);
        double angle = random_between(&random, -10, 10), c = cos(angle);
        mo_vec3 expected = mo_scale(c, v);
        expected = mo_add_scaled(expected, sin(angle), mo_cross(n, v));
        expected = mo_add_scaled(expected, mo_dot(n, v) * (1 - c), n);
        assert_near_vec3(mo_quat_rotate(mo_quat_turn(n, angle), v), expected, TIGHT);
    }
}

/* q (0, v) q* by the product of quaternions alone */
static mo_vec3 sandwich(mo_quat q, mo_vec3 v)
{
    mo_quat p = {0, v.x, v.y, v.z};
    mo_quat r = mo_quat_product(mo_quat_product(q, p), mo_quat_conjugate(q));
    assert_near(r.w, 0, TIGHT);
    return mo_vec3_make(r.x, r.y, r.z);
}

static void the_matrix_rotates_as_the_quaternion_does(void **state)
{
    (void)state;
    uint64_t random = 9;
    for (int k = 0; k < ROUNDS; ++k) {
        mo_quat q = random_quat(&random);
        mo_vec3 v = random_vec3(&random, 1);
        assert_near_vec3(mo_mat3_apply(mo_quat_matrix(q), v), sandwich(q, v), TIGHT);
        assert_near_vec3(mo_quat_rotate(q, v), sandwich(q, v), TIGHT);
    }
}

static void rotation_matrices_are_orthonormal_and_keep_handedness(void **state)
{
    (void)state;
    uint64_t random = 10;
    for (int k = 0; k < ROUNDS; ++k) {
        mo_mat3 r = mo_quat_matrix(random_quat(&random));
        assert_near_mat3(mo_mat3_product(r, mo_mat3_transpose(r)), mo_mat3_identity(), TIGHT);
        assert_near(mo_mat3_determinant(r), 1, TIGHT);
        assert_near_mat3(mo_mat3_inverse(r), mo_mat3_transpose(r), TIGHT);
    }
}

static void a_product_of_quaternions_is_one_turn_after_the_other(void **state)
{
    (void)state;
    uint64_t random = 11;
    for (int k = 0; k < ROUNDS; ++k) {
        mo_quat a = random_quat(&random), b = random_quat(&random);
        mo_mat3 both = mo_quat_matrix(mo_quat_product(a, b));
        assert_near_mat3(both, mo_mat3_product(mo_quat_matrix(a), mo_quat_matrix(b)), TIGHT);
    }
}

static void the_conjugate_turns_back(void **state)
{
    (void)state;
    uint64_t random = 12;
    for (int k = 0; k < ROUNDS; ++k) {
        mo_quat q = random_quat(&random);
        mo_vec3 v = random_vec3(&random, 1);
        assert_near_vec3(mo_quat_rotate(mo_quat_conjugate(q), mo_quat_rotate(q, v)), v, TIGHT);
        mo_quat one = mo_quat_product(q, mo_quat_conjugate(q));
        assert_near(one.w, 1, TIGHT);
        assert_near_vec3(mo_vec3_make(one.x, one.y, one.z), mo_vec3_make(0, 0, 0), TIGHT);
    }
}

static void normalizing_keeps_the_turn(void **state)
{
    (void)state;
    uint64_t random = 13;
    for (int k = 0; k < ROUNDS; ++k) {
        mo_quat q = random_quat(&random);
        double s = pow(10, random_between(&random, -10, 10));
        mo_quat n = mo_quat_normalize((mo_quat){s * q.w, s * q.x, s * q.y, s * q.z});
        assert_near_mat3(mo_quat_matrix(n), mo_quat_matrix(q), TIGHT);
    }
    mo_quat none = mo_quat_normalize((mo_quat){0, 0, 0, 0});
    assert_true(none.w == 1 && none.x == 0 && none.y == 0 && none.z == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_add_and_scale_by_components),
        cmocka_unit_test(stored_values_are_loaded),
        cmocka_unit_test(the_cross_product_is_perpendicular_and_measures_area),
        cmocka_unit_test(unit_vectors_have_length_one_and_the_same_direction),
        cmocka_unit_test(perpendicular_vectors_are_unit_and_perpendicular),
        cmocka_unit_test(the_rows_are_first),
        cmocka_unit_test(a_product_applies_one_after_the_other),
        cmocka_unit_test(the_transpose_moves_to_the_other_side_of_a_dot),
        cmocka_unit_test(determinants_multiply),
        cmocka_unit_test(the_inverse_undoes),
        cmocka_unit_test(a_turn_is_counter_clockwise_about_its_axis),
        cmocka_unit_test(a_turn_is_that_of_rodrigues),
        cmocka_unit_test(the_matrix_rotates_as_the_quaternion_does),
        cmocka_unit_test(rotation_matrices_are_orthonormal_and_keep_handedness),
        cmocka_unit_test(a_product_of_quaternions_is_one_turn_after_the_other),
        cmocka_unit_test(the_conjugate_turns_back),
        cmocka_unit_test(normalizing_keeps_the_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
