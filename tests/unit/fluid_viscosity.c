/*
 * The stability limit of explicit viscosities: an upper bound of their damping rate, and steps
 * within it.
 */
#include "fluid_worlds.h"
#include "refusals.h"

#include "fluid/boundary/boundary.h"
#include "fluid/viscosity/viscosity.h"
#include "math/random.h"
#include "math/symmetric.h"

#include <math.h>

static double limit_of(const mo_fluid *f)
{
    const char *name;
    double limit = mo_terms_limit(f, &name);
    assert_string_equal(name, "viscosity");
    return limit;
}

/* ---- eigenvalues ---- */

/* Q diag(e) Q^T with the columns of Q from two rotations. */
static void tensor_of(const double e[3], double angle, double s[6])
{
    double c = cos(angle), n = sin(angle);
    double q[3][3] = {{c, -n * c, n * n}, {n, c * c, -n * c}, {0, n, c}};
    const int at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    for (int k = 0; k < 6; ++k) {
        s[k] = 0;
        for (int m = 0; m < 3; ++m) {
            s[k] += q[at[k][0]][m] * e[m] * q[at[k][1]][m];
        }
    }
}

static void the_largest_eigenvalue_is_bounded_from_above(void **state)
{
    static const double VALUES[][3] = {{1, 1, 1}, {3, 2, 1},  {1, 0, 0},     {1, 1, 0},
                                       {0, 0, 0}, {5, 5, -4}, {2, 1.99, 0.1}};
    (void)state;
    for (size_t k = 0; k < sizeof VALUES / sizeof *VALUES; ++k) {
        for (int turn = 0; turn < 7; ++turn) {
            double s[6];
            tensor_of(VALUES[k], 0.45 * turn, s);
            double size = fabs(VALUES[k][0]) + fabs(VALUES[k][1]) + fabs(VALUES[k][2]);
            double over = mo_symmetric_largest(s, 3) - VALUES[k][0];
            assert_true(over >= -1e-12 * size && over <= 0.02 * size);
        }
    }
    /* in the plane only the x-y part counts */
    assert_near(mo_symmetric_largest((double[6]){2, 1, 9, 0, 0, 0}, 2), 2, 1e-15);
    assert_near(mo_symmetric_largest((double[6]){1, 1, 0, 0.5, 7, 7}, 2), 1.5, 1e-15);
}

/* ---- damping rates ---- */

/* Two phases off their lattices, one ten times as dense, in the corner of a tank. */
static mote_world *corner_of(int dimension, const char *viscosity)
{
    const char *depth = dimension == 2 ? "-1" : "0.06", *back = dimension == 2 ? "1" : "0.35";
    return world_printf(
        1,
        "{\"up\": \"y\", \"time\": {\"end\": 1, \"step\": {\"type\": \"cfl\", \"max\": 1}},"
        " \"fluid\": {\"dimension\": %d, \"spacing\": 0.05, \"jitter\": 0.3, \"viscosity\": %s, \"phases\":"
        "  [{\"density\": 1000, \"fill\": [{\"type\": \"box\", \"min\": [0.05, 0.05, %s],"
        "    \"max\": [0.35, 0.25, %s]}]},"
        "   {\"density\": 100, \"fill\": [{\"type\": \"box\", \"min\": [0.05, 0.25, %s],"
        "    \"max\": [0.35, 0.4, %s]}]}]},"
        " \"colliders\": [{\"inside\": true, \"shape\": {\"type\": \"box\", \"min\": [0, 0, %s],"
        "    \"max\": [1, 1, 1]}}]}",
        dimension, viscosity, depth, back, depth, back, dimension == 2 ? "-1" : "0");
}

/* Accelerations by viscosity alone, linear in the velocities. */
static void apply(mo_fluid *f)
{
    mote_error error = {0};
    mo_instance *viscosity = &f->terms.list[0];
    mo_fluid_pack_velocities(f);
    memset(f->columns.a->data, 0, (size_t)f->rows * f->columns.a->row_bytes);
    assert_int_equal(
        ((const mo_viscosity_type *)viscosity->method.type)->accelerate(viscosity, f, 1, &error),
        MOTE_OK);
}

static double norm_of(const mo_fluid *f, const mo_column *column)
{
    double sum = 0;
    for (int64_t k = 0; k < 3 * f->rows; ++k) {
        double u = mo_f64(column)[k];
        sum += mo_f64(f->columns.mass)[k / 3] * u * u;
    }
    return sqrt(sum);
}

/* The largest damping rate by power iteration, from below. */
static double true_rate(mo_fluid *f)
{
    double rate = 0, *v = mo_f64(f->columns.v);
    mote_error error = {0};
    assert_int_equal(mo_fluid_update(f, 0, &error), MOTE_OK);
    for (int64_t row = 0; row < f->rows; ++row) {
        mo_vec3 way = mo_random_cube(1, 0, (uint64_t)row, 0);
        way.z = f->dimension == 2 ? 0 : way.z;
        mo_vec3_store(v + 3 * row, way);
    }
    for (int k = 0; k < 200; ++k) {
        apply(f);
        double size = norm_of(f, f->columns.a);
        rate = size / norm_of(f, f->columns.v);
        for (int64_t n = 0; n < 3 * f->rows; ++n) {
            v[n] = -mo_f64(f->columns.a)[n] / size;
        }
    }
    return rate;
}

static double largest_rate(const mo_fluid *f)
{
    const float *rate = f->terms.list[0].columns[MO_VISCOUS_RATE]->data;
    double most = 0;
    for (int64_t row = 0; row < mo_store_rows(f->store); ++row) {
        most = fmax(most, (double)rate[row]);
    }
    return most;
}

/* A bound far above the rate would be useless. */
#define SLACK 1.65

static void need_bound(int dimension, const char *viscosity)
{
    mote_world *world = corner_of(dimension, viscosity);
    mo_fluid *f = fluid_of(world);
    /* the first is available before any step */
    double bound = largest_rate(f), rate = true_rate(f);
    assert_true(rate > 0);
    if (!(rate <= bound * (1 + 1e-5) && bound <= SLACK * rate)) {
        fail_msg("%s in %dD: the bound %g is not within %g of the rate %g", viscosity, dimension,
                 bound, SLACK, rate);
    }
    assert_near(limit_of(f) * bound, 1.9, 1e-6);
    mote_world_destroy(world);
}

static void damping_rates_are_bounded_from_above(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension) {
        need_bound(dimension, "{\"type\": \"laplacian\", \"nu\": 0.5}");
        need_bound(dimension, "{\"type\": \"laplacian\", \"nu\": 0.1, \"wall\": 5}");
        need_bound(dimension, "{\"type\": \"laplacian\", \"nu\": 0.1, \"kernel\": \"poly6\"}");
        need_bound(dimension, "{\"type\": \"morris1997\", \"nu\": 0.5}");
        need_bound(dimension, "{\"type\": \"morris1997\", \"nu\": 0.5, \"wall\": 0}");
        need_bound(dimension, "{\"type\": \"mueller2003\", \"nu\": 0.5}");
        need_bound(dimension, "{\"type\": \"corotational\", \"nu\": 0.5}");
        need_bound(dimension, "{\"type\": \"corotational\", \"nu\": 0.5, \"wall\": 0}");
    }
}

/* ---- corotational ---- */

/* Of the viscosity alone: sum of m a, of m x cross a, and of the magnitudes of m a; and its
 * power. */
typedef struct exchange {
    mo_vec3 force, torque;
    double size, power;
} exchange;

static exchange exchange_of(const mo_fluid *f)
{
    exchange e = {0};
    for (int64_t row = 0; row < f->rows; ++row) {
        mo_vec3 a = mo_vec3_load(mo_f64(f->columns.a) + 3 * row);
        mo_vec3 part = mo_scale(mo_f64(f->columns.mass)[row], a);
        e.force = mo_add(e.force, part);
        e.torque = mo_add(e.torque, mo_cross(mo_vec3_load(mo_f64(f->columns.x) + 3 * row), part));
        e.size += mo_length(part);
        e.power += mo_dot(part, mo_vec3_load(mo_f64(f->columns.v) + 3 * row));
    }
    return e;
}

/* A drop of two phases, each with its own density and viscosity. */
static mote_world *drop_of(int dimension)
{
    const char *low = dimension == 2 ? "-1" : "0", *high = dimension == 2 ? "1" : "0.3";
    return world_printf(
        1,
        "{\"up\": \"y\", \"time\": {\"end\": 1, \"step\": 1e-4}, \"fluid\": {\"dimension\": "
        "%d, \"spacing\": 0.05,"
        " \"jitter\": 0.3, \"phases\":"
        "  [{\"density\": 1000, \"viscosity\": 0.1, \"fill\": [{\"type\": \"box\","
        "    \"min\": [0, 0, %s], \"max\": [0.3, 0.15, %s]}]},"
        "   {\"density\": 300, \"viscosity\": 3, \"fill\": [{\"type\": \"box\","
        "    \"min\": [0, 0.15, %s], \"max\": [0.3, 0.3, %s]}]}]}}",
        dimension, low, high, low, high);
}

static void corotational_conserves_both_momenta(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension) {
        mote_world *world = drop_of(dimension);
        mo_fluid *f = fluid_of(world);
        mote_error error = {0};
        double *v = mo_f64(f->columns.v);
        assert_int_equal(mo_fluid_update(f, 0, &error), MOTE_OK);
        for (int64_t row = 0; row < f->rows; ++row) {
            mo_vec3 way = mo_random_cube(4, 0, (uint64_t)row, 0);
            way.z = dimension == 2 ? 0 : way.z;
            mo_vec3_store(v + 3 * row, way);
        }
        apply(f);
        exchange noise = exchange_of(f);
        assert_true(noise.power < 0);
        assert_true(mo_length(noise.force) < 1e-6 * noise.size);
        assert_true(mo_length(noise.torque) < 1e-6 * noise.size);
        /* a rigid rotation is unaffected */
        mo_vec3 spin = mo_vec3_make(dimension == 2 ? 0 : 3, dimension == 2 ? 0 : -2, 4);
        for (int64_t row = 0; row < f->rows; ++row) {
            mo_vec3_store(v + 3 * row,
                          mo_cross(spin, mo_vec3_load(mo_f64(f->columns.x) + 3 * row)));
        }
        apply(f);
        assert_true(exchange_of(f).size < 1e-5 * noise.size);
        mote_world_destroy(world);
    }
}

/* ---- scene syntax ---- */

static double nu_of(mote_world *world)
{
    const mo_instance *term = &fluid_of(world)->terms.list[0];
    assert_string_equal(term->name, "viscosity");
    assert_string_equal(term->method.type->name, "corotational");
    double nu = *(const double *)term->method.params;
    mote_world_destroy(world);
    return nu;
}

#define GLASS(keys, phase) \
    "{\"time\": {\"end\": 1, \"step\": 0.001}, \"fluid\": {\"spacing\": 0.1, " keys \
    "\"phases\": [{" phase \
    "\"fill\": [{\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [0.3, 0.3, 0.3]}]}]}}"

static void numbers_are_viscosities(void **state)
{
    (void)state;
    assert_near(nu_of(world_of(GLASS("\"viscosity\": 3e-6, ", ""), 1)), 3e-6, 1e-20);
    assert_near(nu_of(world_of(GLASS("", "\"viscosity\": 3e-6, "), 1)), 0, 1e-20);
    need_refusal(GLASS("\"viscosity\": \"laplacian\", ", "\"viscosity\": 3e-6, "),
                 "'laplacian' has one viscosity for all phases; use 'corotational'");
}

/* ---- steps ---- */

#define KICK(step) \
    "{\"up\": \"y\", \"time\": {\"end\": 1, \"step\": " step "}, \"fluid\": {\"dimension\": 2," \
    " \"spacing\": 0.05, \"viscosity\": {\"type\": \"laplacian\", \"nu\": 1}, \"phases\": [{\"fill\":" \
    " [{\"type\": \"box\", \"min\": [0, 0, -1], \"max\": [0.45, 0.55, 1]}]}]}, \"colliders\":" \
    " [{\"inside\": true, \"shape\": {\"type\": \"box\", \"min\": [0, 0, -1], \"max\": [1, 1, 1]}}]}"

/* A column of syrup slumps slowly: energy decreases monotonically. */
static void viscous_columns_slump_slowly(void **state)
{
    (void)state;
    mote_world *world = world_of(KICK("{\"type\": \"cfl\", \"max\": 0.005}"), 1);
    double before = INFINITY;
    while (mote_world_time(world) < 0.7) {
        step_by(world, 10);
        mote_measures m = measures_of(world);
        assert_true(m.kinetic < 10);
        assert_true(m.kinetic + m.potential < before + 0.1);
        before = m.kinetic + m.potential;
    }
    mote_world_destroy(world);
}

/* A fixed step beyond the limit is warned about before the first step, with the limit. */
static void fixed_steps_beyond_the_limit_are_warned_about(void **state)
{
    (void)state;
    mote_world *large = world_of(KICK("0.001"), 1), *small = world_of(KICK("0.00025"), 1);
    assert_int_equal(mote_world_warning_count(small), 0);
    assert_int_equal(mote_world_warning_count(large), 1);
    const char *text = mote_world_warning(large, 0).text;
    char limit[80];
    snprintf(limit, sizeof limit, "above %.3g s, the largest stable step of explicit viscosity",
             0.995 * limit_of(fluid_of(large)));
    assert_says(text, "time.step: 0.001 s");
    assert_says(text, limit);
    mote_world_destroy(large);
    mote_world_destroy(small);
}

/* The limiting rates are part of a snapshot: the next steps are bitwise identical. */
static void snapshots_include_damping_rates(void **state)
{
    (void)state;
    static const char SCENE[] = KICK("{\"type\": \"cfl\", \"max\": 0.005}");
    mote_world *world = world_of(SCENE, 1), *other = world_of(SCENE, 1);
    step_by(world, 50);
    copy_state(world, other);
    step_by(world, 20);
    step_by(other, 20);
    assert_same_state(world, other);
    mote_world_destroy(world);
    mote_world_destroy(other);
}

/* ---- friction of solids ---- */

/* The momentum that a uniform flow between two plates has lost after a step, and the force on both
 * plates times the step. Some gravity, without which shifting would change momenta. */
static double lost_momentum(const char *boundary, double wall, double *by_load)
{
    static const double STEP = 1e-4;
    double load[6];
    mote_error error = {0};
    mote_world *world = world_printf(
        2,
        "{\"up\": \"y\", \"gravity\": [0, -0.001, 0], \"time\": {\"end\": 1, \"step\": %g},"
        " \"domain\": {\"min\": [0, -1, -1], \"max\": [0.5, 2, 1], \"periodic\": \"x\"},"
        " \"fluid\": {\"dimension\": 2, \"spacing\": 0.025, \"boundary\": \"%s\", \"viscosity\":"
        "   {\"type\": \"corotational\", \"nu\": 0.005, \"wall\": %g}, \"phases\": [{\"velocity\":"
        "   [0.2, 0, 0], \"fill\": [{\"type\": \"box\", \"min\": [0, 0, -1],"
        "   \"max\": [0.5, 0.5, 1]}]}]},"
        " \"colliders\": [{\"shape\": {\"type\": \"box\", \"min\": [-5, -1, -1], \"max\": [5, 0, 1]}},"
        "   {\"shape\": {\"type\": \"box\", \"min\": [-5, 0.5, -1], \"max\": [5, 1, 1]}}],"
        " \"observables\": [\"collider_load\"]}",
        STEP, boundary, wall);
    double before = measures_of(world).momentum[0];
    step_by(world, 1);
    assert_int_equal(mote_world_observe(world, 0, load, &error), MOTE_OK);
    double lost = before - measures_of(world).momentum[0];
    *by_load = STEP * load[0];
    mote_world_destroy(world);
    return lost;
}

/* Friction is what is lost beyond a flow that slips: rows of boundary particles exert tangential
 * pressures too. */
static void every_boundary_exerts_the_same_friction(void **state)
{
    (void)state;
    double load[2], expected = 0;
    for (int k = -1; k < mo_boundaries.count; ++k) {
        const char *boundary = k < 0 ? "continuum" : mo_boundaries.methods[k]->name;
        double slipping = lost_momentum(boundary, 0, &load[0]),
               sticking = lost_momentum(boundary, 0.005, &load[1]), friction = sticking - slipping;
        expected = k < 0 ? friction : expected;
        print_message("%s: %.4f of the friction of continuum, %.4f without wall viscosity\n",
                      boundary, friction / expected, slipping / expected);
        assert_true(friction > 0);
        assert_near(friction, expected, 0.02 * expected);
        assert_near(load[1] - load[0], friction, 1e-3 * expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_boundary_exerts_the_same_friction),
        cmocka_unit_test(the_largest_eigenvalue_is_bounded_from_above),
        cmocka_unit_test(damping_rates_are_bounded_from_above),
        cmocka_unit_test(corotational_conserves_both_momenta),
        cmocka_unit_test(numbers_are_viscosities),
        cmocka_unit_test(viscous_columns_slump_slowly),
        cmocka_unit_test(fixed_steps_beyond_the_limit_are_warned_about),
        cmocka_unit_test(snapshots_include_damping_rates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
