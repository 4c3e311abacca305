/*
 * Pair forces from neighbour lists, four pairs at a time, compared with a plain loop over all
 * pairs; and their properties: zero sum (and torque, for central forces), derivative of the energy,
 * finite.
 */
#include "test.h"

#include "../unit/failing_allocator.h"
#include "../unit/numbers.h"
#include "../unit/set_param.h"
#include "particle/force/field.h"
#include "system/forces/pair_source.h"

/* ---- the potentials under test ---- */

/* Parameters of a scene; 0: absent. */
typedef struct potential {
    double e, r0, sigma, r_a, r_b;
    int64_t n, m;
    bool unlimited, shift, clip;
} potential;

static const potential CASES[] = {
    {.e = 1, .r0 = 1, .n = 12, .m = 6},
    {.e = 0.3, .sigma = 0.9, .n = 12, .m = 6, .shift = true},
    {.e = 1, .r0 = 1, .n = 4, .m = 2, .r_a = 1, .r_b = 1.7},
    {.e = 2, .r0 = 0.9, .n = 9, .m = 3, .r_a = 1.1, .r_b = 1.9, .shift = true},
    {.e = 1, .sigma = 1, .n = 12, .m = 6, .r_a = 1.2, .r_b = 2, .clip = true},
    {.e = 1, .r0 = 1.1, .n = 5, .m = 1, .r_a = 0.8, .r_b = 2, .clip = true, .shift = true},
    {.e = 5, .r0 = 0.7, .n = 7, .m = 6, .r_a = 1.5, .r_b = 1.5},
    {.e = 1, .r0 = 1, .n = 4, .m = 2, .unlimited = true},
    {.e = 1, .r0 = 1.2, .n = 12, .m = 6, .unlimited = true, .clip = true},
    {.e = 1, .r0 = 1.02, .n = 100, .m = 99, .r_a = 1.1, .r_b = 1.3},
};
enum { CASE_COUNT = sizeof CASES / sizeof *CASES };

static void set_if(params *p, const char *name, double value)
{
    if (value != 0) {
        set_real(p, name, value);
    }
}

static void set_potential(params *p, const potential *u)
{
    clear_params_of(p, &mo_fields, "lennard_jones");
    set_real(p, "e", u->e);
    set_if(p, "r0", u->r0);
    set_if(p, "sigma", u->sigma);
    set_if(p, "r_a", u->r_a);
    set_if(p, "r_b", u->r_b);
    set_int(p, "n", u->n);
    set_int(p, "m", u->m);
    set_bool(p, "unlimited", u->unlimited);
    set_bool(p, "shift", u->shift);
    set_bool(p, "clip", u->clip);
}

static void set_viscous(params *p, double g, double range)
{
    clear_params_of(p, &mo_fields, "damping_viscous");
    set_real(p, "g", g);
    set_real(p, "range", range);
}

/* ---- particles ---- */

typedef struct particles {
    failing_allocator allocator;
    mo_memory memory;
    mo_pool *pool;
    params params; /* used by the force afterwards */
    mo_force force;
    mo_pair_source source;
    int64_t rows;
    double *x, *v, *mass, *f, *bound;
} particles;

static double *allocate(particles *s, int64_t count)
{
    void *block;
    assert_int_equal(mo_allocate_array(&s->memory, count, sizeof(double), &block, NULL), MOTE_OK);
    return block;
}

/* A displaced lattice with shuffled rows. */
static void set_particles(particles *s, uint64_t random)
{
    int64_t side = (int64_t)ceil(cbrt((double)s->rows));
    for (int64_t k = 0; k < s->rows; ++k) {
        int64_t at = k * 7 % s->rows;
        mo_vec3 p = {(double)(at % side), (double)(at / side % side), (double)(at / side / side)};
        mo_vec3_store(s->x + 3 * k, mo_add(mo_scale(0.9, p), random_vec3(&random, 0.2)));
        mo_vec3_store(s->v + 3 * k, random_vec3(&random, 3));
        s->mass[k] = 1;
    }
}

static void open_particles(particles *s, const params *p, int64_t rows, uint64_t seed)
{
    s->memory = failing_memory(&s->allocator, -1);
    s->params = *p;
    s->rows = rows;
    s->x = allocate(s, 3 * rows + 1); /* padding for wide loads */
    s->v = allocate(s, 3 * rows + 1);
    s->f = allocate(s, 3 * rows);
    s->mass = allocate(s, rows);
    s->bound = allocate(s, 3 * rows);
    assert_int_equal(mo_pool_create(&s->memory, 1, &s->pool, NULL), MOTE_OK);
    assert_int_equal(check_params(p, NULL), MOTE_OK);
    mo_force_context context = {.memory = &s->memory};
    assert_int_equal(mo_force_create((const mo_force_type *)s->params.type, s->params.bytes,
                                     &context, &s->force, NULL),
                     MOTE_OK);
    mo_method grid = {mo_family_find(&mo_searches, "grid"), NULL};
    assert_int_equal(mo_pair_source_init(&s->source, grid, &context.domain, s->force.range, NULL,
                                         &s->memory, NULL),
                     MOTE_OK);
    set_particles(s, seed);
}

static void close_particles(particles *s)
{
    double *arrays[] = {s->x, s->v, s->f, s->mass, s->bound};
    for (int k = 0; k < 5; ++k) {
        mo_release(&s->memory, arrays[k]);
    }
    mo_force_destroy(&s->force, &s->memory);
    mo_pair_source_release(&s->source);
    mo_pool_destroy(s->pool);
    assert_all_given_back(&s->allocator, &s->memory);
}

static mo_vec3 position_of(const particles *s, int64_t row)
{
    return mo_vec3_load(s->x + 3 * row);
}

static mo_force_args args_of(const particles *s)
{
    return (mo_force_args){.rows = s->rows,
                           .x = s->x,
                           .v = s->v,
                           .mass = s->mass,
                           .f = s->f,
                           .pairs = &s->source.pairs};
}

static int64_t block_end(const particles *s, int64_t first)
{
    return first + MO_FORCE_GRAIN < s->rows ? first + MO_FORCE_GRAIN : s->rows;
}

static void prepare(particles *s)
{
    mo_force_args args = args_of(s);
    if (s->force.range > 0) {
        assert_int_equal(mo_pair_source_update(&s->source, s->pool, s->rows, s->x, NULL), MOTE_OK);
    }
    if (s->force.type->prepare) {
        assert_int_equal(s->force.type->prepare(s->force.instance, &args, s->pool, NULL), MOTE_OK);
    }
}

static void evaluate(particles *s)
{
    mo_force_args args = args_of(s);
    prepare(s);
    memset(s->f, 0, 3 * (size_t)s->rows * sizeof(double));
    for (int64_t first = 0; first < s->rows; first += MO_FORCE_GRAIN) {
        s->force.type->add(s->force.instance, &args, first, block_end(s, first));
    }
}

static double energy_of(particles *s)
{
    mo_force_args args = args_of(s);
    double sum = 0;
    prepare(s);
    for (int64_t first = 0; first < s->rows; first += MO_FORCE_GRAIN) {
        sum += s->force.type->energy(s->force.instance, &args, first, block_end(s, first));
    }
    return sum;
}

/* ---- the plain loop ---- */

/* A pair's energy and derivative, and the magnitudes of their terms, the scale of errors. */
typedef struct pair {
    double value, slope, value_size, slope_size;
} pair;

static double zero_of(const potential *u)
{
    return u->sigma > 0 ? u->sigma
                        : u->r0 * pow((double)u->m / (double)u->n, 1.0 / (double)(u->n - u->m));
}

static double end_of(const potential *u)
{
    return u->unlimited ? (double)INFINITY : u->r_b > 0 ? u->r_b : 2.5 * zero_of(u);
}

static pair bare_pair(const potential *u, double r)
{
    double n = (double)u->n, m = (double)u->m, c = u->e / (n - m);
    double r0 = u->r0 > 0 ? u->r0 : u->sigma * pow(n / m, 1 / (n - m));
    double repulsion = c * m * pow(r0 / r, n), attraction = c * n * pow(r0 / r, m);
    return (pair){repulsion - attraction, (m * attraction - n * repulsion) / r,
                  repulsion + attraction, (m * attraction + n * repulsion) / r};
}

static pair weighted_pair(const potential *u, double r)
{
    pair p = bare_pair(u, r);
    double r_b = end_of(u), w = 1, w1 = 0;
    if (u->shift) {
        p.value -= bare_pair(u, r_b).value;
        p.value_size += fabs(bare_pair(u, r_b).value);
    }
    if (u->r_a > 0 && r > u->r_a && u->r_a < r_b) {
        double s = (r - u->r_a) / (r_b - u->r_a);
        w = 2 * s * s * s - 3 * s * s + 1;
        w1 = 6 * (s * s - s) / (r_b - u->r_a);
    }
    return (pair){w * p.value, w * p.slope + w1 * p.value, p.value_size,
                  w * p.slope_size + fabs(w1) * p.value_size};
}

static pair pair_at(const potential *u, double r)
{
    double sigma = zero_of(u);
    if (!u->clip || r > sigma) {
        return weighted_pair(u, r);
    }
    pair p = weighted_pair(u, sigma);
    p.value += p.slope * (r - sigma);
    p.value_size += fabs(p.slope * (r - sigma));
    return p;
}

typedef struct reference {
    double *f, *size;
    double energy, energy_size;
} reference;

static void add_to_row(reference *r, int64_t row, mo_vec3 f, double size)
{
    mo_vec3_store(r->f + 3 * row, mo_add(mo_vec3_load(r->f + 3 * row), f));
    r->size[row] += size;
}

static reference open_reference(particles *s, const potential *u)
{
    reference r = {.f = allocate(s, 3 * s->rows), .size = allocate(s, s->rows)};
    for (int64_t i = 0; i < s->rows; ++i) {
        for (int64_t j = 0; j < i; ++j) {
            mo_vec3 d = mo_sub(position_of(s, j), position_of(s, i));
            if (mo_dot(d, d) <= end_of(u) * end_of(u)) {
                pair p = pair_at(u, mo_length(d));
                add_to_row(&r, i, mo_scale(p.slope / mo_length(d), d), p.slope_size);
                add_to_row(&r, j, mo_scale(-p.slope / mo_length(d), d), p.slope_size);
                r.energy += p.value;
                r.energy_size += p.value_size;
            }
        }
    }
    return r;
}

static void close_reference(particles *s, reference *r)
{
    mo_release(&s->memory, r->f);
    mo_release(&s->memory, r->size);
}

/* ---- Lennard-Jones ---- */

static void open_case(particles *s, int which, int64_t rows)
{
    params p;
    set_potential(&p, &CASES[which]);
    open_particles(s, &p, rows, (uint64_t)which);
}

static void forces_and_energy_are_those_of_the_plain_loop(void **state)
{
    (void)state;
    for (int c = 0; c < CASE_COUNT; ++c) {
        particles s;
        open_case(&s, c, CASES[c].unlimited ? 701 : MO_FORCE_GRAIN + 903);
        evaluate(&s);
        reference r = open_reference(&s, &CASES[c]);
        /* a power multiplies the rounding of its base */
        double allowed = 1e-13 * (CASES[c].n > 12 ? 10 : 1);
        for (int64_t row = 0; row < s.rows; ++row) {
            assert_near_vec3(mo_vec3_load(s.f + 3 * row), mo_vec3_load(r.f + 3 * row),
                             allowed * r.size[row]);
        }
        assert_near(energy_of(&s), r.energy, allowed * r.energy_size);
        close_reference(&s, &r);
        close_particles(&s);
    }
}

/* Verifies that the cases contain pairs below and above sigma, in the switching range and in the
 * full potential. */
static void the_cases_have_pairs_of_all_kinds(void **state)
{
    (void)state;
    for (int c = 0; c < CASE_COUNT; ++c) {
        const potential *u = &CASES[c];
        particles s;
        open_case(&s, c, 701);
        int64_t close = 0, full = 0, fading = 0, outside = 0;
        for (int64_t i = 0; i < s.rows; ++i) {
            for (int64_t j = 0; j < i; ++j) {
                double r = mo_length(mo_sub(position_of(&s, j), position_of(&s, i)));
                close += r < zero_of(u);
                outside += r > end_of(u);
                fading += u->r_a > 0 && r > u->r_a && r < end_of(u);
                full += r > zero_of(u) && r < (u->r_a > 0 ? u->r_a : end_of(u));
            }
        }
        assert_true(close > 30 && outside > (u->unlimited ? -1 : 300));
        assert_true(full > 30);
        assert_true(fading > (u->r_a > 0 && u->r_a < end_of(u) ? 300 : -1));
        close_particles(&s);
    }
}

/* Potentials with a smooth cut-off; the others have a jump or a kink there. */
static const int SMOOTH[] = {2, 3, 4, 5, 7, 8};
enum { SMOOTH_COUNT = sizeof SMOOTH / sizeof *SMOOTH };

static void forces_are_the_slope_of_the_energy(void **state)
{
    (void)state;
    const double h = 1e-5;
    uint64_t random = 1;
    for (int c = 0; c < SMOOTH_COUNT; ++c) {
        particles s;
        open_case(&s, SMOOTH[c], 400);
        evaluate(&s);
        reference r = open_reference(&s, &CASES[SMOOTH[c]]);
        for (int k = 0; k < 30; ++k) {
            int64_t at = random_below(&random, 3 * s.rows);
            double x = s.x[at];
            s.x[at] = x + h;
            double above = energy_of(&s);
            s.x[at] = x - h;
            double below = energy_of(&s);
            s.x[at] = x;
            /* h^2 times the curvature over lengths about 0.1, and the rounding of the total
             * energy over h */
            double allowed = 1e-7 * r.size[at / 3] + 1e-15 * r.energy_size / h;
            assert_near(-(above - below) / (2 * h), s.f[at], allowed);
        }
        close_reference(&s, &r);
        close_particles(&s);
    }
}

static void sum_up(const particles *s, mo_vec3 *force, mo_vec3 *torque, double *force_size,
                   double *torque_size)
{
    *force = *torque = mo_vec3_make(0, 0, 0);
    *force_size = *torque_size = 0;
    for (int64_t row = 0; row < s->rows; ++row) {
        mo_vec3 f = mo_vec3_load(s->f + 3 * row);
        *force = mo_add(*force, f);
        *torque = mo_add(*torque, mo_cross(position_of(s, row), f));
        *force_size += mo_length(f);
        *torque_size += mo_length(position_of(s, row)) * mo_length(f);
    }
}

static void forces_have_neither_sum_nor_torque(void **state)
{
    (void)state;
    for (int c = 0; c < CASE_COUNT; ++c) {
        particles s;
        mo_vec3 force, torque;
        double force_size, torque_size;
        open_case(&s, c, 800);
        evaluate(&s);
        sum_up(&s, &force, &torque, &force_size, &torque_size);
        assert_true(force_size > 1);
        assert_near_vec3(force, mo_vec3_make(0, 0, 0), 1e-13 * force_size);
        assert_near_vec3(torque, mo_vec3_make(0, 0, 0), 1e-13 * torque_size);
        close_particles(&s);
    }
}

/* The change of all forces by one coordinate of one particle; df/dx is symmetric, so this is a
 * row. */
static double row_sum(particles *s, int64_t at, double h)
{
    double sum = 0, x = s->x[at], *above = s->f, *below = allocate(s, 3 * s->rows);
    s->x[at] = x + h;
    evaluate(s);
    s->x[at] = x - h;
    s->f = below;
    evaluate(s);
    s->x[at] = x;
    s->f = above;
    for (int64_t k = 0; k < 3 * s->rows; ++k) {
        sum += fabs(above[k] - below[k]) / (2 * h);
    }
    mo_release(&s->memory, below);
    return sum;
}

static void find_bounds(particles *s)
{
    mo_force_args args = args_of(s);
    prepare(s);
    memset(s->bound, 0, 3 * (size_t)s->rows * sizeof(double));
    s->force.type->stiffness(s->force.instance, &args, 0, s->rows, s->bound);
}

/* For potentials with a continuous force. */
static void stiffness_bounds_the_change_of_force(void **state)
{
    (void)state;
    uint64_t random = 7;
    for (int c = 0; c < SMOOTH_COUNT; ++c) {
        particles s;
        open_case(&s, SMOOTH[c], 300);
        find_bounds(&s);
        for (int k = 0; k < 30; ++k) {
            int64_t at = random_below(&random, 3 * s.rows);
            double sum = row_sum(&s, at, 1e-6);
            assert_true(sum > 0 && s.bound[at] >= sum * (1 - 1e-4) && s.bound[at] < 10 * sum + 1);
        }
        close_particles(&s);
    }
}

/* For two particles it is exact. */
static void stiffness_of_one_pair_is_exact(void **state)
{
    (void)state;
    for (int c = 0; c < SMOOTH_COUNT; ++c) {
        particles s;
        open_case(&s, SMOOTH[c], 2);
        for (double r = 0.6; r < 2.2; r += 0.0317) {
            mo_vec3_store(s.x, mo_vec3_make(1, 2, 3));
            mo_vec3_store(s.x + 3,
                          mo_add_scaled(mo_vec3_make(1, 2, 3), r / 7, mo_vec3_make(2, -3, 6)));
            find_bounds(&s);
            for (int64_t k = 0; k < 6; ++k) {
                double sum = row_sum(&s, k, 1e-6);
                assert_near(s.bound[k], sum, 1e-5 * sum + 1e-7);
            }
        }
        close_particles(&s);
    }
}

static void assert_finite(particles *s)
{
    evaluate(s);
    for (int64_t k = 0; k < 3 * s->rows; ++k) {
        assert_true(isfinite(s->f[k]));
    }
    if (s->force.type->energy) {
        assert_true(isfinite(energy_of(s)));
    }
}

/* Coincident particles, and nearly so: finite and opposite forces. */
static void particles_at_one_point_give_numbers(void **state)
{
    (void)state;
    static const double apart[] = {0, 1e-320, 1e-200, 1e-150, 1e-100, 1e-50, 1e-20, 1e-8};
    for (int c = 0; c < CASE_COUNT; ++c) {
        particles s;
        open_case(&s, c, 60);
        for (int k = 0; k < 8; ++k) {
            memset(s.x, 0, 6 * sizeof(double));
            s.x[3] = apart[k];
            memcpy(s.x + 6, s.x + 9, 3 * sizeof(double)); /* and two more */
            assert_finite(&s);
        }
        close_particles(&s);
    }
    params p;
    particles s;
    set_viscous(&p, 1, 1);
    open_particles(&s, &p, 60, 1);
    memset(s.x, 0, 60 * sizeof(double));
    assert_finite(&s);
    close_particles(&s);
}

/* With clipping the repulsion is constant at all distances below sigma. */
static void a_clipped_force_is_constant(void **state)
{
    (void)state;
    particles s;
    params p;
    potential u = {.e = 1, .sigma = 1, .n = 12, .m = 6, .clip = true};
    set_potential(&p, &u);
    open_particles(&s, &p, 2, 0);
    memset(s.x, 0, 6 * sizeof(double));
    for (double r = 1; r > 1e-12; r *= 0.3) {
        s.x[3] = r;
        evaluate(&s);
        assert_near(s.f[3], 24, 1e-12); /* 4 e (12 - 6)/sigma */
        assert_near(s.f[0], -24, 1e-12);
        assert_near(energy_of(&s), 24 * (1 - r), 1e-12);
    }
    close_particles(&s);
}

/* ---- viscous damping ---- */

static void viscous_damping_is_that_of_the_plain_loop(void **state)
{
    (void)state;
    params p;
    particles s;
    const double g = 0.7, range = 1.6;
    set_viscous(&p, g, range);
    open_particles(&s, &p, MO_FORCE_GRAIN + 700, 3);
    evaluate(&s);
    double power = 0;
    for (int64_t i = 0; i < s.rows; ++i) {
        mo_vec3 f = {0, 0, 0}, v = mo_vec3_load(s.v + 3 * i);
        double size = 0;
        for (int64_t j = 0; j < s.rows; ++j) {
            mo_vec3 d = mo_sub(position_of(&s, j), position_of(&s, i)),
                    u = mo_sub(mo_vec3_load(s.v + 3 * j), v);
            if (j != i && mo_dot(d, d) <= range * range) {
                f = mo_add_scaled(f, g, u);
                size += g * mo_length(u);
            }
        }
        assert_true(size > 0);
        assert_near_vec3(mo_vec3_load(s.f + 3 * i), f, 1e-13 * size);
        power += mo_dot(v, mo_vec3_load(s.f + 3 * i));
    }
    assert_true(power < -1);
    close_particles(&s);
}

/* It conserves linear but not angular momentum, as documented. */
static void viscous_damping_has_no_sum(void **state)
{
    (void)state;
    params p;
    particles s;
    mo_vec3 force, torque;
    double force_size, torque_size;
    set_viscous(&p, 2, 2);
    open_particles(&s, &p, 1000, 4);
    evaluate(&s);
    sum_up(&s, &force, &torque, &force_size, &torque_size);
    assert_near_vec3(force, mo_vec3_make(0, 0, 0), 1e-13 * force_size);
    assert_true(mo_length(torque) > 1e-6 * torque_size);
    close_particles(&s);
}

/* ---- blocks, memory, errors ---- */

static void open_either(particles *s, int which, int64_t rows)
{
    params p;
    if (which == 0) {
        set_viscous(&p, 2, 1.5);
    } else {
        set_potential(&p, &CASES[2]);
    }
    open_particles(s, &p, rows, 6);
}

/* A force adds to f of the requested rows only. */
static void a_block_adds_to_its_own_rows_only(void **state)
{
    (void)state;
    for (int which = 0; which < 2; ++which) {
        particles s;
        open_either(&s, which, 500);
        evaluate(&s);
        double *whole = s.f;
        s.f = allocate(&s, 3 * s.rows);
        mo_force_args args = args_of(&s);
        for (int64_t k = 0; k < 3 * s.rows; ++k) {
            s.f[k] = 0.5;
        }
        s.force.type->add(s.force.instance, &args, 100, 333);
        for (int64_t k = 0; k < 3 * s.rows; ++k) {
            bool own = k / 3 >= 100 && k / 3 < 333;
            assert_near(s.f[k], own ? whole[k] + 0.5 : 0.5, own ? 1e-12 * (1 + fabs(whole[k])) : 0);
        }
        mo_release(&s.memory, whole);
        close_particles(&s);
    }
}

static void nan_positions_are_reported(void **state)
{
    (void)state;
    for (int which = 0; which < 2; ++which) {
        particles s;
        mote_error error = {0};
        open_either(&s, which, 100);
        s.x[3 * 42 + 1] = (double)NAN;
        assert_int_equal(mo_pair_source_update(&s.source, s.pool, s.rows, s.x, &error),
                         MOTE_ERROR_NUMERIC);
        assert_non_null(strstr(error.text, "42"));
        close_particles(&s);
    }
}

static void without_memory_nothing_is_left_behind(void **state)
{
    (void)state;
    for (int allowed = 0; allowed < 2; ++allowed) {
        params p;
        failing_allocator a;
        mo_memory memory = failing_memory(&a, allowed);
        mo_force_context context = {.memory = &memory};
        mo_force force;
        mote_error error = {0};
        set_potential(&p, &CASES[2]);
        assert_int_equal(
            mo_force_create((const mo_force_type *)p.type, p.bytes, &context, &force, &error),
            MOTE_ERROR_MEMORY);
        assert_all_given_back(&a, &memory);
    }
}

static void bad_parameters_are_refused(void **state)
{
    (void)state;
    static const struct {
        potential u;
        const char *word;
    } bad[] = {
        {{.e = 1, .n = 12, .m = 6}, "r0"},
        {{.e = 1, .r0 = 1, .sigma = 1, .n = 12, .m = 6}, "sigma"},
        {{.e = 1, .r0 = 1, .n = 6, .m = 12}, "m:"},
        {{.e = 1, .r0 = 1, .n = 6, .m = 6}, "m:"},
        {{.e = 1, .r0 = 1, .n = 12, .m = 6, .unlimited = true, .r_a = 2}, "unlimited"},
        {{.e = 1, .r0 = 1, .n = 12, .m = 6, .unlimited = true, .r_b = 2}, "unlimited"},
        {{.e = 1, .r0 = 1, .n = 12, .m = 6, .unlimited = true, .shift = true}, "unlimited"},
        {{.e = 1, .r0 = 1, .n = 12, .m = 6, .r_a = 2, .r_b = 1.9}, "r_a"},
        {{.e = 1, .sigma = 1, .n = 12, .m = 6, .r_a = 2.6}, "r_a"},
        {{.e = 1, .sigma = 1, .n = 12, .m = 6, .r_b = 1, .clip = true}, "clip"},
        {{.e = 1, .r0 = 1, .n = 12, .m = 6, .r_b = 0.8, .clip = true}, "clip"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        params p;
        set_potential(&p, &bad[k].u);
        assert_refused(&p, bad[k].word);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_and_energy_are_those_of_the_plain_loop),
        cmocka_unit_test(the_cases_have_pairs_of_all_kinds),
        cmocka_unit_test(forces_are_the_slope_of_the_energy),
        cmocka_unit_test(forces_have_neither_sum_nor_torque),
        cmocka_unit_test(stiffness_bounds_the_change_of_force),
        cmocka_unit_test(stiffness_of_one_pair_is_exact),
        cmocka_unit_test(particles_at_one_point_give_numbers),
        cmocka_unit_test(a_clipped_force_is_constant),
        cmocka_unit_test(viscous_damping_is_that_of_the_plain_loop),
        cmocka_unit_test(viscous_damping_has_no_sum),
        cmocka_unit_test(a_block_adds_to_its_own_rows_only),
        cmocka_unit_test(nan_positions_are_reported),
        cmocka_unit_test(without_memory_nothing_is_left_behind),
        cmocka_unit_test(bad_parameters_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
