/*
 * Artificial viscosity: zero for linear flows, conserves linear and angular momentum, dissipates at
 * any step.
 */
#include "fluid_worlds.h"

#include "fluid/term/term.h"
#include "math/random.h"

#include <math.h>

/* Two phases off their lattices, one ten times as dense, free on all sides or periodic. */
static mote_world *blob_of(int dimension, bool periodic, const char *kernel, double support)
{
    const char *low = dimension == 2 ? "-1" : "0", *high = dimension == 2 ? "1" : "0.4";
    return world_printf(
        1,
        "{\"up\": \"y\", \"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.001},"
        " \"domain\": {\"min\": [0, 0, %s], \"max\": [%s, %s], \"periodic\": \"xy\"},"
        " \"fluid\": {\"dimension\": %d, \"spacing\": 0.05, \"support\": %g, \"kernel\": \"%s\","
        " \"jitter\": 0.3, \"phases\":"
        "  [{\"density\": 1000, \"fill\": [{\"type\": \"box\", \"min\": [0, 0, %s],"
        "    \"max\": [0.4, 0.2, %s]}]},"
        "   {\"density\": 100, \"fill\": [{\"type\": \"box\", \"min\": [0, 0.2, %s],"
        "    \"max\": [0.4, 0.4, %s]}]}]}}",
        low, periodic ? "0.4, 0.4" : "4, 4", high, dimension, support, kernel, low, high, low,
        high);
}

/* The acceleration of the term alone, for the velocities of the store, in a step of h. */
static void apply(mo_fluid *f, double h)
{
    mote_error error = {0};
    mo_instance *term = &f->terms.list[0];
    assert_string_equal(term->name, "artificial_viscosity");
    need(mo_fluid_update(f, 0, &error), &error, "update");
    memset(f->columns.a->data, 0, (size_t)f->rows * f->columns.a->row_bytes);
    need(((const mo_term_type *)term->method.type)->accelerate(term, f, h, &error), &error,
         "accelerate");
}

static double largest(const mo_fluid *f)
{
    double most = 0;
    for (int64_t k = 0; k < 3 * f->rows; ++k) {
        most = fmax(most, fabs(mo_f64(f->columns.a)[k]));
    }
    return most;
}

static void stir(mo_fluid *f, uint64_t seed)
{
    for (int64_t row = 0; row < mo_store_owned(f->store); ++row) {
        mo_vec3 v = mo_random_cube(seed, 0, (uint64_t)row, 0);
        v.z = f->dimension == 2 ? 0 : v.z;
        mo_vec3_store(mo_f64(f->columns.v) + 3 * row, v);
    }
}

/* v = G x with a random G of the order of 1 m/s in a spacing, and a wind. */
static void shear(mo_fluid *f, uint64_t seed)
{
    mo_vec3 g[3], wind = mo_vec3_make(3, -2, 0);
    for (int k = 0; k < 3; ++k) {
        g[k] = mo_scale(1 / f->spacing, mo_random_cube(seed, 1, (uint64_t)k, 0));
        g[k].z = f->dimension == 2 ? 0 : g[k].z;
    }
    for (int64_t row = 0; row < mo_store_owned(f->store); ++row) {
        mo_vec3 x = mo_vec3_load(mo_f64(f->columns.x) + 3 * row), v = wind;
        v = mo_add_scaled(mo_add_scaled(mo_add_scaled(v, x.x, g[0]), x.y, g[1]), x.z, g[2]);
        mo_vec3_store(mo_f64(f->columns.v) + 3 * row, v);
    }
}

static void linear_flows_are_not_damped(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension) {
        for (int wide = 0; wide < 2; ++wide) {
            mote_world *world =
                blob_of(dimension, false, wide ? "wendland_c2" : "cubic", wide ? 3 : 2);
            mo_fluid *f = fluid_of(world);
            stir(f, 1);
            apply(f, 1e-9);
            double noise = largest(f);
            for (uint64_t seed = 0; seed < 5; ++seed) {
                shear(f, seed);
                apply(f, 1e-9);
                if (!(largest(f) < 3e-5 * noise)) {
                    fail_msg("%dD, support %d: %g of %g", dimension, wide ? 3 : 2, largest(f),
                             noise);
                }
            }
            mote_world_destroy(world);
        }
    }
}

static void both_momenta_are_conserved(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension) {
        mote_world *world = blob_of(dimension, false, "cubic", 2);
        mo_fluid *f = fluid_of(world);
        stir(f, 2);
        apply(f, 1e-3);
        mo_vec3 force = {0}, torque = {0};
        double size = 0;
        for (int64_t row = 0; row < f->rows; ++row) {
            mo_vec3 x = mo_vec3_load(mo_f64(f->columns.x) + 3 * row);
            mo_vec3 part = mo_scale(mo_f64(f->columns.mass)[row],
                                    mo_vec3_load(mo_f64(f->columns.a) + 3 * row));
            force = mo_add(force, part);
            torque = mo_add(torque, mo_cross(x, part));
            size += mo_length(part);
        }
        assert_true(size > 0);
        assert_true(mo_length(force) < 1e-7 * size && mo_length(torque) < 1e-7 * size);
        mote_world_destroy(world);
    }
}

static double kinetic(const mo_fluid *f, double h)
{
    double sum = 0;
    for (int64_t row = 0; row < f->rows; ++row) {
        mo_vec3 v = mo_vec3_load(mo_f64(f->columns.v) + 3 * row);
        v = mo_add_scaled(v, h, mo_vec3_load(mo_f64(f->columns.a) + 3 * row));
        sum += 0.5 * mo_f64(f->columns.mass)[row] * mo_dot(v, v);
    }
    return sum;
}

/* Disorder, and disorder in addition to a strong linear flow, whose energy must not increase. */
static void energy_falls_at_any_step(void **state)
{
    static const double STEPS[] = {1e-6, 1e-3, 0.1, 100};
    (void)state;
    for (int k = 0; k < 8; ++k) {
        mote_world *world =
            blob_of(k & 1 ? 2 : 3, k & 2, k & 4 ? "wendland_c2" : "cubic", k & 4 ? 2.5 : 2);
        mo_fluid *f = fluid_of(world);
        for (int flow = 0; flow < 2; ++flow) {
            if (flow == 0) {
                stir(f, (uint64_t)k);
            } else if (!(k & 2)) {
                shear(f, (uint64_t)k);
                mo_f64(f->columns.v)[0] += 0.3;
            }
            for (size_t s = 0; s < sizeof STEPS / sizeof *STEPS; ++s) {
                apply(f, STEPS[s]);
                assert_true(kinetic(f, STEPS[s]) < kinetic(f, 0));
            }
        }
        mote_world_destroy(world);
    }
}

/* So few neighbours that a linear flow fits any motion. */
static void a_lone_pair_is_free(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.001}, \"fluid\": {\"spacing\": "
        "0.05, \"phases\":"
        " [{\"velocity\": [1, 0, 0], \"fill\": [{\"type\": \"box\", \"min\": [0, 0, 0], \"max\": "
        "[0.05, 0.05, 0.05]}]},"
        "  {\"velocity\": [-1, 0.3, 0], \"fill\": [{\"type\": \"box\", \"min\": [0.05, 0, 0], "
        "\"max\": [0.1, 0.05, "
        "0.05]}]}]}}",
        1);
    mo_fluid *f = fluid_of(world);
    assert_int_equal(mo_store_owned(f->store), 2);
    apply(f, 1e-3);
    assert_true(largest(f) < 1e-4);
    mote_world_destroy(world);
}

/* Its energy is a reported quantity, and its strength may be 0. */
static void the_loss_is_reported(void **state)
{
    (void)state;
    static const char *const STRENGTH[] = {"0", "0.2"};
    for (int on = 0; on < 2; ++on) {
        mote_world *world = world_printf(
            1,
            "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 1e-4}, \"fluid\": {\"spacing\": 0.05,"
            " \"jitter\": 0.2, \"artificial_viscosity\": %s, \"pressure\": \"wcsph\", \"phases\": [{\"fill\":"
            " [{\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [0.3, 0.3, 0.3]}]}]}}",
            STRENGTH[on]);
        stir(fluid_of(world), 3);
        double before = measures_of(world).kinetic, loss = 0;
        step_by(world, 1);
        for (int k = 0; k < mote_world_quantity_count(world); ++k) {
            mote_quantity n = mote_world_quantity(world, k);
            loss = strcmp(n.name, "artificial_viscosity_loss") == 0 ? n.value : loss;
        }
        assert_true(on ? loss > 1e-4 * before && loss < 0.1 * before : loss == 0);
        mote_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_flows_are_not_damped), cmocka_unit_test(both_momenta_are_conserved),
        cmocka_unit_test(energy_falls_at_any_step),    cmocka_unit_test(a_lone_pair_is_free),
        cmocka_unit_test(the_loss_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
