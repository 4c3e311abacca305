/*
 * Surface potentials of oriented particles: forces and torques against differences of the energy,
 * zero net force and zero net torque (orbital and spin), and the weight that ends at the range.
 */
#include "test.h"

#include "math/quat.h"
#include "particle/force/field.h"
#include "unit/failing_allocator.h"
#include "unit/numbers.h"

#include <math.h>

enum { ROWS = 12, CAPACITY = 16 };

extern const mo_force_type mo_field_oriented;

typedef struct parameters {
    double planarity, normality, circularity, linearity, r_a, range;
    mo_list between;
} parameters;

typedef struct cloud {
    failing_allocator allocator;
    mo_memory memory;
    mo_store *store;
    mo_column *q, *inertia;
    mo_force force;
    double x[3 * ROWS + 3], mass[ROWS], f[3 * ROWS], torque[3 * ROWS], w[3 * ROWS];
    int64_t start[ROWS];
    int32_t count[ROWS], index[ROWS * CAPACITY];
    mo_pairs pairs;
    mo_force_args args;
} cloud;

static const mo_column_spec Q = {"q", MOTE_F64, 4, MO_STATE, "1", "orientation"};
static const mo_column_spec INERTIA = {"inertia", MOTE_F64, 3, MO_STATE, "kg m^2", "inertia"};

static void list_all(cloud *c)
{
    for (int i = 0; i < ROWS; ++i) {
        c->start[i] = CAPACITY * i;
        c->count[i] = 0;
        for (int j = 0; j < ROWS; ++j) {
            if (j != i) {
                c->index[CAPACITY * i + c->count[i]++] = (int32_t)j;
            }
        }
        for (int k = c->count[i]; k < CAPACITY; ++k) {
            c->index[CAPACITY * i + k] = (int32_t)i;
        }
    }
}

static void open_cloud(cloud *c, const parameters *p)
{
    uint64_t random = 5;
    int64_t first;
    memset(c, 0, sizeof *c);
    c->memory = failing_memory(&c->allocator, -1);
    assert_int_equal(mo_store_create(&c->memory, &c->store, NULL), MOTE_OK);
    assert_int_equal(mo_store_declare(c->store, &Q, &c->q, NULL), MOTE_OK);
    assert_int_equal(mo_store_declare(c->store, &INERTIA, &c->inertia, NULL), MOTE_OK);
    mo_force_context context = {.memory = &c->memory, .store = c->store};
    assert_int_equal(mo_force_create(&mo_field_oriented, p, &context, &c->force, NULL), MOTE_OK);
    assert_int_equal(mo_store_add(c->store, ROWS, &first, NULL), MOTE_OK);
    for (int k = 0; k < ROWS; ++k) {
        mo_quat q = {random_between(&random, -1, 1), random_between(&random, -1, 1),
                     random_between(&random, -1, 1), random_between(&random, -1, 1)};
        mo_quat_store(mo_f64(c->q) + 4 * k, mo_quat_normalize(q));
        for (int n = 0; n < 3; ++n) {
            c->x[3 * k + n] = random_between(&random, -0.7, 0.7);
            mo_f64(c->inertia)[3 * k + n] = 1;
        }
        c->mass[k] = 1;
    }
    list_all(c);
    c->pairs = (mo_pairs){ROWS, c->x, NULL, c->start, c->count, c->index, ROWS};
    c->args = (mo_force_args){.rows = ROWS,
                              .x = c->x,
                              .mass = c->mass,
                              .f = c->f,
                              .q = mo_f64(c->q),
                              .w = c->w,
                              .torque = c->torque,
                              .pairs = &c->pairs};
}

static void close_cloud(cloud *c)
{
    mo_force_destroy(&c->force, &c->memory);
    mo_store_destroy(c->store);
    assert_all_given_back(&c->allocator, &c->memory);
}

static void prepare(cloud *c)
{
    mote_status status = mo_field_oriented.prepare(c->force.instance, &c->args, NULL, NULL);
    assert_int_equal(status, MOTE_OK);
}

static double energy(cloud *c)
{
    prepare(c);
    return mo_field_oriented.energy(c->force.instance, &c->args, 0, ROWS);
}

static void evaluate(cloud *c)
{
    memset(c->f, 0, sizeof c->f);
    memset(c->torque, 0, sizeof c->torque);
    prepare(c);
    mo_field_oriented.add(c->force.instance, &c->args, 0, ROWS);
}

static const parameters ONE_BY_ONE[] = {{.planarity = 1.3, .range = 1.2},
                                        {.normality = 0.7, .range = 1.2},
                                        {.circularity = 0.9, .range = 1.2, .r_a = 0.4},
                                        {.linearity = 1.1, .range = 1.2},
                                        {1.3, 0.7, 0.9, 0.4, 0.3, 1.1, {0}}};

/* f = -dE/dx, torque = -dE/dtheta for a rotation theta in the world frame. */
static void derivatives(void **state)
{
    const double d = 1e-5;
    (void)state;
    for (size_t n = 0; n < sizeof ONE_BY_ONE / sizeof *ONE_BY_ONE; ++n) {
        cloud c;
        open_cloud(&c, &ONE_BY_ONE[n]);
        evaluate(&c);
        for (int k = 0; k < 3 * ROWS; ++k) {
            double here = c.x[k], turn[3] = {0, 0, 0};
            c.x[k] = here + d;
            double up = energy(&c);
            c.x[k] = here - d;
            double down = energy(&c);
            c.x[k] = here;
            assert_true(fabs(c.f[k] + (up - down) / (2 * d)) < 1e-7);
            double *at = mo_f64(c.q) + k / 3 * 4;
            mo_quat q = mo_quat_load(at);
            turn[k % 3] = d;
            mo_quat rotation = mo_quat_exponential(mo_vec3_load(turn));
            mo_quat_store(at, mo_quat_product(rotation, q));
            up = energy(&c);
            mo_quat_store(at, mo_quat_product(mo_quat_conjugate(rotation), q));
            down = energy(&c);
            mo_quat_store(at, q);
            assert_true(fabs(c.torque[k] + (up - down) / (2 * d)) < 1e-7);
        }
        close_cloud(&c);
    }
}

static void momenta(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof ONE_BY_ONE / sizeof *ONE_BY_ONE; ++n) {
        cloud c;
        mo_vec3 force = {0, 0, 0}, torque = {0, 0, 0};
        open_cloud(&c, &ONE_BY_ONE[n]);
        evaluate(&c);
        for (int k = 0; k < ROWS; ++k) {
            mo_vec3 f = mo_vec3_load(c.f + 3 * k);
            force = mo_add(force, f);
            torque = mo_add(torque, mo_add(mo_cross(mo_vec3_load(c.x + 3 * k), f),
                                           mo_vec3_load(c.torque + 3 * k)));
        }
        assert_true(mo_length(force) < 1e-13);
        assert_true(mo_length(torque) < 1e-13);
        close_cloud(&c);
    }
}

/* Particles at the range do not interact; a row without inertia neither acts nor is acted on. */
static void ends(void **state)
{
    cloud c;
    (void)state;
    open_cloud(&c, &ONE_BY_ONE[0]);
    for (int k = 0; k < ROWS; ++k) {
        mo_vec3_store(c.x + 3 * k, mo_vec3_make(1.2 * k, 0, 0));
    }
    assert_true(fabs(energy(&c)) < 1e-15);
    c.x[3] = 0.5;
    assert_true(energy(&c) > 1e-3);
    mo_f64(c.inertia)[0] = mo_f64(c.inertia)[6] = 0;
    c.x[3] = 0.7;
    assert_true(fabs(energy(&c)) < 1e-15);
    evaluate(&c);
    assert_true(c.f[0] == 0 && c.torque[1] == 0 && fabs(c.f[3]) < 1e-14);
    close_cloud(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(derivatives), cmocka_unit_test(momenta),
                                       cmocka_unit_test(ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
