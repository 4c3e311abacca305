/*
 * Friction laws: they reduce, never reverse and never increase the tangential velocity.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collide/friction/friction.h"
#include "numbers.h"
#include "set_param.h"

enum { ROUNDS = 5000 };

static mo_vec3 slow(const params *p, mo_vec3 tangential, double kick)
{
    return ((const mo_friction_type *)p->type)->slow(p->bytes, tangential, kick);
}

static void make_coulomb(params *p, double mu)
{
    clear_params_of(p, &mo_frictions, "coulomb");
    set_real(p, "mu", mu);
}

/* The result is on the segment between the velocity and zero. */
static void every_friction_slows_along_the_velocity(void **state)
{
    (void)state;
    uint64_t random = 1;
    assert_true(mo_frictions.count >= 2);
    for (int m = 0; m < mo_frictions.count; ++m) {
        for (int k = 0; k < ROUNDS; ++k) {
            params p;
            fill_params(&p, mo_frictions.methods[m], &random);
            mo_vec3 v =
                mo_scale(pow(10, random_between(&random, -6, 3)), random_unit_vec3(&random));
            mo_vec3 after = slow(&p, v, random_between(&random, 0, 3));
            double speed = mo_length(v);
            assert_true(mo_dot(after, v) >= 0);
            assert_true(mo_length(after) <= speed * (1 + 1e-15));
            assert_near_vec3(mo_cross(after, v), mo_vec3_make(0, 0, 0), 1e-15 * speed * speed);
        }
    }
}

static void a_state_at_rest_stays_at_rest(void **state)
{
    (void)state;
    uint64_t random = 2;
    for (int m = 0; m < mo_frictions.count; ++m) {
        for (int k = 0; k < 100; ++k) {
            params p;
            fill_params(&p, mo_frictions.methods[m], &random);
            double kick = k % 2 ? random_between(&random, 0, 3) : 0;
            assert_near_vec3(slow(&p, mo_vec3_make(0, 0, 0), kick), mo_vec3_make(0, 0, 0), 0);
        }
    }
}

static void coulomb_takes_mu_times_the_kick(void **state)
{
    (void)state;
    uint64_t random = 3;
    int stuck = 0;
    for (int k = 0; k < ROUNDS; ++k) {
        params p;
        double mu = random_between(&random, 0, 2), kick = random_between(&random, 0, 2);
        double speed = random_between(&random, 0.01, 4);
        mo_vec3 u = random_unit_vec3(&random);
        make_coulomb(&p, mu);
        mo_vec3 after = slow(&p, mo_scale(speed, u), kick);
        assert_near_vec3(after, mo_scale(fmax(0, speed - mu * kick), u), 1e-14);
        stuck += mo_length(after) == 0;
    }
    assert_true(stuck > ROUNDS / 10 && stuck < ROUNDS - ROUNDS / 10);
}

static void coulomb_stops_what_is_slow_enough_completely(void **state)
{
    (void)state;
    params p;
    make_coulomb(&p, 0.5);
    assert_near_vec3(slow(&p, mo_vec3_make(3, 0, -4), 10), mo_vec3_make(0, 0, 0), 0);
    assert_near_vec3(slow(&p, mo_vec3_make(3, 0, -4), 20), mo_vec3_make(0, 0, 0), 0);
    assert_true(mo_length(slow(&p, mo_vec3_make(3, 0, -4), nextafter(10, 0) - 1e-9)) > 0);
}

static void without_friction_or_kick_coulomb_changes_no_bit(void **state)
{
    (void)state;
    uint64_t random = 4;
    for (int k = 0; k < ROUNDS; ++k) {
        params p;
        mo_vec3 v = random_vec3(&random, 10);
        double amount = random_between(&random, 0, 5);
        make_coulomb(&p, k % 2 ? amount : 0);
        mo_vec3 after = slow(&p, v, k % 2 ? 0 : amount);
        assert_memory_equal(&after, &v, sizeof v);
    }
}

static void scaling_multiplies_whatever_the_kick(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (int k = 0; k < ROUNDS; ++k) {
        params p;
        double factor = k == 0 ? 0 : k == 1 ? 1 : random_between(&random, 0, 1);
        mo_vec3 v = random_vec3(&random, 3);
        clear_params_of(&p, &mo_frictions, "scale");
        set_real(&p, "factor", factor);
        assert_near_vec3(slow(&p, v, random_between(&random, 0, 5)), mo_scale(factor, v), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_friction_slows_along_the_velocity),
        cmocka_unit_test(a_state_at_rest_stays_at_rest),
        cmocka_unit_test(coulomb_takes_mu_times_the_kick),
        cmocka_unit_test(coulomb_stops_what_is_slow_enough_completely),
        cmocka_unit_test(without_friction_or_kick_coulomb_changes_no_bit),
        cmocka_unit_test(scaling_multiplies_whatever_the_kick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
