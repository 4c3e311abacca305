/*
 * The spring model, by batches and blocks of rows, compared with a plain loop over all springs; and
 * its properties: zero sum and torque, derivative of the energy.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../unit/failing_allocator.h"
#include "../unit/numbers.h"
#include "../unit/set_param.h"
#include "base/pool.h"
#include "solid/model/model.h"

extern const mo_model_type mo_model_spring;

/* Three bodies over several blocks of rows, with different boundaries of bodies and blocks; and
 * rows without a body. */
enum { SIZE = MO_FORCE_GRAIN > 8192 ? MO_FORCE_GRAIN : 8192, BODIES = 3, LOOSE_ROWS = 100 };
enum { FIRST = SIZE * 3 / 4 + 9, SECOND = SIZE + 11, THIRD = SIZE * 5 / 6 };
enum { ROWS = FIRST + SECOND + THIRD + LOOSE_ROWS, SPRINGS_A_NODE = 4 };
static const int64_t NODES[BODIES] = {FIRST, SECOND, THIRD};

/* The parameters of one body's springs. */
typedef struct material {
    double k, k_length; /* one of them is NaN */
    double shear, bend, along, viscous;
} material;

typedef struct network {
    failing_allocator allocator;
    mo_memory memory;
    mo_mesh mesh[BODIES];
    int64_t first[BODIES];
    material material[BODIES];
    mo_force force;
    double *x, *v, *mass, *f;
} network;

/* ---- building ---- */

/* Most springs connect nearby nodes, every tenth any two of the body. */
static void add_random_edges(mo_mesh *mesh, uint64_t *random)
{
    int64_t n = mesh->node_count;
    for (int64_t k = 0; k < SPRINGS_A_NODE * n; ++k) {
        int64_t a = k % n, b = k % 10 ? a + 1 + random_below(random, 60) : random_below(random, n);
        if (b < n && b != a) {
            mo_edge_kind kind = (mo_edge_kind)random_below(random, MO_EDGE_KINDS);
            int64_t from = k % 2 ? a : b, to = k % 2 ? b : a;
            assert_int_equal(mo_mesh_add_edge(mesh, from, to, kind, NULL), MOTE_OK);
        }
    }
}

static void build_mesh(network *net, int body, uint64_t *random)
{
    mo_mesh *mesh = &net->mesh[body];
    *mesh = (mo_mesh){.memory = &net->memory, .dimension = 3};
    for (int64_t k = 0; k < NODES[body]; ++k) {
        assert_int_equal(mo_mesh_add_node(mesh, random_vec3(random, 1), 1, NULL), MOTE_OK);
    }
    add_random_edges(mesh, random);
}

static void set_material(params *p, const material *m)
{
    clear_params(p, &mo_model_spring.force.base);
    set_real(p, "k", m->k);
    set_real(p, "k_length", m->k_length);
    set_real(p, "shear", m->shear);
    set_real(p, "bend", m->bend);
    set_real(p, "damping_spring", m->along);
    set_real(p, "damping_viscous", m->viscous);
    assert_int_equal(check_params(p, NULL), MOTE_OK);
}

static double *allocate(network *net, int64_t count)
{
    void *block;
    assert_int_equal(mo_allocate_array(&net->memory, count, sizeof(double), &block, NULL), MOTE_OK);
    return block;
}

/* A random state, far from equilibrium. */
static void build_state(network *net, uint64_t *random)
{
    net->x = allocate(net, 3 * ROWS + 1); /* padding for wide loads */
    net->v = allocate(net, 3 * ROWS + 1);
    net->f = allocate(net, 3 * ROWS);
    net->mass = allocate(net, ROWS);
    for (int64_t k = 0; k < 3 * ROWS; ++k) {
        net->x[k] = random_between(random, -1, 1);
        net->v[k] = random_between(random, -3, 3);
        net->mass[k / 3] = 1;
    }
}

static void open_network(network *net, const material materials[BODIES], uint64_t seed)
{
    int64_t row = 0;
    net->memory = failing_memory(&net->allocator, -1);
    memcpy(net->material, materials, sizeof net->material);
    mo_force_context context = {.memory = &net->memory};
    assert_int_equal(mo_force_create(&mo_model_spring.force, NULL, &context, &net->force, NULL),
                     MOTE_OK);
    for (int body = 0; body < BODIES; ++body) {
        params p;
        build_mesh(net, body, &seed);
        set_material(&p, &net->material[body]);
        net->first[body] = row;
        assert_int_equal(
            mo_model_spring.add_body(net->force.instance, p.bytes, &net->mesh[body], row, NULL),
            MOTE_OK);
        row += NODES[body];
    }
    assert_int_equal(mo_model_spring.finish(&net->force, ROWS, NULL), MOTE_OK);
    build_state(net, &seed);
}

static void close_network(network *net)
{
    mo_force_destroy(&net->force, &net->memory);
    for (int body = 0; body < BODIES; ++body) {
        mo_mesh_release(&net->mesh[body]);
    }
    mo_release(&net->memory, net->x);
    mo_release(&net->memory, net->v);
    mo_release(&net->memory, net->f);
    mo_release(&net->memory, net->mass);
    assert_all_given_back(&net->allocator, &net->memory);
}

/* ---- evaluating ---- */

static mo_force_args args_of(const network *net)
{
    return (mo_force_args){.x = net->x, .v = net->v, .mass = net->mass, .f = net->f};
}

static int64_t block_end(int64_t first)
{
    return first + MO_FORCE_GRAIN < ROWS ? first + MO_FORCE_GRAIN : ROWS;
}

static void evaluate(network *net)
{
    mo_force_args args = args_of(net);
    memset(net->f, 0, 3 * ROWS * sizeof(double));
    for (int64_t first = 0; first < ROWS; first += MO_FORCE_GRAIN) {
        net->force.type->add(net->force.instance, &args, first, block_end(first));
    }
}

static double energy_of(const network *net)
{
    mo_force_args args = args_of(net);
    double sum = 0;
    for (int64_t first = 0; first < ROWS; first += MO_FORCE_GRAIN) {
        sum += net->force.type->energy(net->force.instance, &args, first, block_end(first));
    }
    return sum;
}

/* ---- the plain loop ---- */

typedef struct reference {
    double *f; /* by the formulas of the model, one spring after another */
    /* per row: the sum of |force| over its springs, the scale of errors */
    double *magnitude;
    double energy;
} reference;

static mo_vec3 spring_force(const material *m, double factor, mo_vec3 d, double L, mo_vec3 u,
                            double *energy)
{
    double l = mo_length(d), k = isnan(m->k) ? m->k_length : m->k / L;
    mo_vec3 n = mo_scale(1 / l, d);
    mo_vec3 f = mo_scale(factor * k * (l - L), n);
    f = mo_add_scaled(f, m->along * mo_dot(u, n), n);
    *energy += 0.5 * factor * k * (l - L) * (l - L);
    return mo_add_scaled(f, m->viscous, u);
}

static void add_to_row(reference *r, int64_t row, double sign, mo_vec3 f)
{
    mo_vec3_store(r->f + 3 * row, mo_add_scaled(mo_vec3_load(r->f + 3 * row), sign, f));
    r->magnitude[row] += mo_length(f);
}

static void add_body(reference *r, const network *net, int body)
{
    const mo_mesh *mesh = &net->mesh[body];
    const material *m = &net->material[body];
    const double factor[MO_EDGE_KINDS] = {1, m->shear, m->bend};
    for (int64_t e = 0; e < mesh->edge_count; ++e) {
        int64_t a = mesh->edges[2 * e], b = mesh->edges[2 * e + 1];
        int64_t i = net->first[body] + a, j = net->first[body] + b;
        double L =
            mo_length(mo_sub(mo_vec3_load(mesh->nodes + 3 * b), mo_vec3_load(mesh->nodes + 3 * a)));
        mo_vec3 d = mo_sub(mo_vec3_load(net->x + 3 * j), mo_vec3_load(net->x + 3 * i));
        mo_vec3 u = mo_sub(mo_vec3_load(net->v + 3 * j), mo_vec3_load(net->v + 3 * i));
        mo_vec3 f = spring_force(m, factor[mesh->edge_kind[e]], d, L, u, &r->energy);
        add_to_row(r, i, 1, f);
        add_to_row(r, j, -1, f);
    }
}

static reference open_reference(network *net)
{
    reference r = {allocate(net, 3 * ROWS), allocate(net, ROWS), 0};
    for (int body = 0; body < BODIES; ++body) {
        add_body(&r, net, body);
    }
    return r;
}

static void close_reference(network *net, reference *r)
{
    mo_release(&net->memory, r->f);
    mo_release(&net->memory, r->magnitude);
}

/* ---- the tests ---- */

/* Bodies with each stiffness and with each damping, alone and together. */
static const material UNDAMPED[BODIES] = {
    {.k = 100, .k_length = NAN, .shear = 1, .bend = 1},
    {.k = NAN, .k_length = 300, .shear = 0.5, .bend = 0.1},
    {.k = 20, .k_length = NAN, .shear = 2, .bend = 0.25},
};
static const material DAMPED_ALONG[BODIES] = {
    {.k = 100, .k_length = NAN, .shear = 0.5, .bend = 1, .along = 3},
    {.k = NAN, .k_length = 300, .shear = 1, .bend = 0.1, .along = 20},
    {.k = NAN, .k_length = 300, .shear = 1, .bend = 0.1},
};
static const material DAMPED_BOTH[BODIES] = {
    {.k = 100, .k_length = NAN, .shear = 1, .bend = 1, .along = 3, .viscous = 5},
    {.k = NAN, .k_length = 300, .shear = 0.5, .bend = 0.1, .along = 20, .viscous = 1},
    {.k = NAN, .k_length = 50, .shear = 0.5, .bend = 0.1, .viscous = 10},
};
static const material *const CASES[] = {UNDAMPED, DAMPED_ALONG, DAMPED_BOTH};
enum { CASE_COUNT = sizeof CASES / sizeof *CASES };

static void forces_and_energy_are_those_of_the_plain_loop(void **state)
{
    (void)state;
    for (int c = 0; c < CASE_COUNT; ++c) {
        network net;
        open_network(&net, CASES[c], (uint64_t)c);
        evaluate(&net);
        reference r = open_reference(&net);
        int64_t loaded = 0;
        for (int64_t row = 0; row < ROWS; ++row) {
            mo_vec3 f = mo_vec3_load(net.f + 3 * row);
            assert_near_vec3(f, mo_vec3_load(r.f + 3 * row), 1e-13 * r.magnitude[row]);
            loaded += mo_length(f) > 0;
        }
        assert_true(loaded > ROWS - 2 * LOOSE_ROWS);
        assert_near(energy_of(&net), r.energy, 1e-13 * r.energy);
        close_reference(&net, &r);
        close_network(&net);
    }
}

/* Verifies that springs within blocks, across them, and padded runs all occur. */
static void the_networks_have_springs_within_and_across_blocks(void **state)
{
    (void)state;
    network net;
    open_network(&net, UNDAMPED, 0);
    int64_t inner = 0, across = 0;
    for (int body = 0; body < BODIES; ++body) {
        for (int64_t e = 0; e < net.mesh[body].edge_count; ++e) {
            int64_t i = net.first[body] + net.mesh[body].edges[2 * e];
            int64_t j = net.first[body] + net.mesh[body].edges[2 * e + 1];
            *(i / MO_FORCE_GRAIN == j / MO_FORCE_GRAIN ? &inner : &across) += 1;
        }
    }
    assert_true(ROWS > 20000 && ROWS > 2 * MO_FORCE_GRAIN);
    assert_true(inner > 50000 && across > 3000);
    close_network(&net);
}

static void the_forces_have_no_sum(void **state)
{
    (void)state;
    for (int c = 0; c < CASE_COUNT; ++c) {
        network net;
        open_network(&net, CASES[c], 10 + (uint64_t)c);
        evaluate(&net);
        mo_vec3 sum = {0, 0, 0};
        double size = 0;
        for (int64_t row = 0; row < ROWS; ++row) {
            mo_vec3 f = mo_vec3_load(net.f + 3 * row);
            sum = mo_add(sum, f);
            size += mo_length(f);
        }
        assert_near_vec3(sum, mo_vec3_make(0, 0, 0), 1e-13 * size);
        close_network(&net);
    }
}

static double relative_torque(const network *net)
{
    mo_vec3 sum = {0, 0, 0};
    double size = 0;
    for (int64_t row = 0; row < ROWS; ++row) {
        mo_vec3 x = mo_vec3_load(net->x + 3 * row), f = mo_vec3_load(net->f + 3 * row);
        sum = mo_add(sum, mo_cross(x, f));
        size += mo_length(x) * mo_length(f);
    }
    return mo_length(sum) / size;
}

/* Damping along the springs conserves angular momentum; viscous damping does not, as documented. */
static void forces_along_the_springs_have_no_torque(void **state)
{
    (void)state;
    for (int c = 0; c < CASE_COUNT; ++c) {
        network net;
        open_network(&net, CASES[c], 20 + (uint64_t)c);
        evaluate(&net);
        if (CASES[c] == DAMPED_BOTH) {
            assert_true(relative_torque(&net) > 1e-6);
        } else {
            assert_near(relative_torque(&net), 0, 1e-13);
        }
        close_network(&net);
    }
}

static void undamped_forces_are_the_slope_of_the_energy(void **state)
{
    (void)state;
    const double h = 1e-4;
    network net;
    uint64_t random = 30;
    open_network(&net, UNDAMPED, 30);
    evaluate(&net);
    reference r = open_reference(&net);
    for (int k = 0; k < 30; ++k) {
        int64_t at = random_below(&random, 3 * (ROWS - LOOSE_ROWS));
        double x = net.x[at];
        net.x[at] = x + h;
        double above = energy_of(&net);
        net.x[at] = x - h;
        double below = energy_of(&net);
        net.x[at] = x;
        /* h^2 times the curvature over lengths about 1, and the rounding of the total energy
         * over h */
        double allowed = 2e-7 * r.magnitude[at / 3] + 1e-16 * r.energy / h;
        assert_near(-(above - below) / (2 * h), net.f[at], allowed);
    }
    close_reference(&net, &r);
    close_network(&net);
}

static void damping_takes_energy_away(void **state)
{
    (void)state;
    for (int c = 1; c < CASE_COUNT; ++c) {
        network net;
        double with = 0, without = 0;
        open_network(&net, CASES[c], 40 + (uint64_t)c);
        evaluate(&net);
        for (int64_t k = 0; k < 3 * ROWS; ++k) {
            with += net.f[k] * net.v[k];
        }
        double *v = net.v, *still = allocate(&net, 3 * ROWS + 1);
        net.v = still;
        evaluate(&net);
        for (int64_t k = 0; k < 3 * ROWS; ++k) {
            without += net.f[k] * v[k];
        }
        assert_true(with < without - 1);
        net.v = v;
        mo_release(&net.memory, still);
        close_network(&net);
    }
}

static void add_block(void *context, int64_t first, int64_t last)
{
    network *net = context;
    mo_force_args args = args_of(net);
    net->force.type->add(net->force.instance, &args, first, last);
}

static void the_forces_are_the_same_bits_on_any_number_of_threads(void **state)
{
    (void)state;
    static const int threads[] = {1, 2, 3, 8};
    network net;
    open_network(&net, DAMPED_BOTH, 50);
    evaluate(&net);
    double *alone = net.f;
    for (int t = 0; t < 4; ++t) {
        mo_pool *pool;
        assert_int_equal(mo_pool_create(&net.memory, threads[t], &pool, NULL), MOTE_OK);
        net.f = allocate(&net, 3 * ROWS);
        mo_parallel_for(pool, ROWS, MO_FORCE_GRAIN, add_block, &net);
        assert_memory_equal(net.f, alone, 3 * ROWS * sizeof *alone);
        mo_release(&net.memory, net.f);
        mo_pool_destroy(pool);
    }
    net.f = alone;
    close_network(&net);
}

/* A force adds to f of the requested rows only. */
static void a_block_adds_to_its_own_rows_only(void **state)
{
    (void)state;
    network net;
    open_network(&net, DAMPED_BOTH, 60);
    evaluate(&net);
    double *whole = net.f;
    net.f = allocate(&net, 3 * ROWS);
    for (int64_t first = 0; first < ROWS; first += MO_FORCE_GRAIN) {
        for (int64_t k = 0; k < 3 * ROWS; ++k) {
            net.f[k] = 0.5;
        }
        add_block(&net, first, block_end(first));
        for (int64_t k = 0; k < 3 * ROWS; ++k) {
            bool own = k / 3 >= first && k / 3 < block_end(first);
            assert_near(net.f[k], own ? whole[k] + 0.5 : 0.5, own ? 1e-10 : 0);
        }
    }
    mo_release(&net.memory, whole);
    close_network(&net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_and_energy_are_those_of_the_plain_loop),
        cmocka_unit_test(the_networks_have_springs_within_and_across_blocks),
        cmocka_unit_test(the_forces_have_no_sum),
        cmocka_unit_test(forces_along_the_springs_have_no_torque),
        cmocka_unit_test(undamped_forces_are_the_slope_of_the_energy),
        cmocka_unit_test(damping_takes_energy_away),
        cmocka_unit_test(the_forces_are_the_same_bits_on_any_number_of_threads),
        cmocka_unit_test(a_block_adds_to_its_own_rows_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
