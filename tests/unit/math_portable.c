/*
 * Portable elementary functions, compared with the C library.
 */
#include "test.h"

#include "math/portable.h"
#include "numbers.h"

static void powers_are_products(void **state)
{
    (void)state;
    assert_true(mo_power(0.3, 0) == 1 && mo_power(0.3, 1) == 0.3);
    assert_true(mo_power(0.3, 3) == 0.3 * 0.3 * 0.3);
}

static void turns_are_accurate(void **state)
{
    (void)state;
    for (int k = -2000; k <= 2000; ++k) {
        double turns = k / 701.0, c, s, part = turns - floor(turns);
        mo_turn(turns, &c, &s);
        assert_near(c, cos(6.283185307179586477 * part), 1e-15);
        assert_near(s, sin(6.283185307179586477 * part), 1e-15);
    }
    for (int k = -4; k <= 4; ++k) {
        double c, s;
        mo_turn(0.25 * k, &c, &s);
        assert_true(c == (k % 2 ? 0 : k % 4 ? -1 : 1));
        assert_true(fabs(s) == (k % 2 ? 1 : 0));
    }
}

static void arcs_are_accurate(void **state)
{
    (void)state;
    for (int k = 0; k <= 1000; ++k) {
        assert_near(mo_acos(k / 1000.0), acos(k / 1000.0), 1e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(powers_are_products),
                                       cmocka_unit_test(turns_are_accurate),
                                       cmocka_unit_test(arcs_are_accurate)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
