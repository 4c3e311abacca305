/*
 * Reactions of a fluid's boundary: equal and opposite to the forces on the fluid, for two colliders
 * and for a thousand, bitwise identical on any number of threads.
 */
#include "worlds.h"

#include "fluid/sph/reaction.h"
#include "math/random.h"
#include "system/fluid/fluid.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>

static mo_fluid *fluid_of(mote_world *world)
{
    return &((mo_fluid_system *)world->systems[0].state)->fluid;
}

/* ---- wrenches ---- */

static void wrenches_shift_with_their_force(void **state)
{
    (void)state;
    mo_vec3 force = mo_vec3_make(1, -2, 3), at = mo_vec3_make(0.3, 0.2, -0.1),
            a = mo_vec3_make(1, 1, 0), b = mo_vec3_make(-2, 0.5, 4);
    mo_wrench of_a = {0}, of_b = {0};
    mo_wrench_add_force(&of_a, force, mo_sub(at, a));
    mo_wrench_add_force(&of_b, force, mo_sub(at, b));
    mo_wrench moved = mo_wrench_about(of_a, a, b);
    assert_near(mo_length(mo_sub(moved.torque, of_b.torque)), 0, 1e-14);
    assert_near(mo_length(mo_sub(moved.force, of_b.force)), 0, 0);
}

/* The wrench on one collider, or on all of them (-1), about the origin. */
static mo_wrench wrench_on(const mo_reactions *r, int collider)
{
    mo_wrench sum = {0};
    for (int c = 0; c < r->count; ++c) {
        if (collider < 0 || c == collider) {
            mo_wrench own = mo_reactions_of(r, c).wrench;
            sum = mo_wrench_add(sum, mo_wrench_about(own, r->center[c], mo_vec3_make(0, 0, 0)));
        }
    }
    return sum;
}

/* ---- pressure acceleration ---- */

/* A block in the corner of a tank, on a step; jittered, so that forces have all directions. */
static mote_world *corner_with(const char *boundary, const char *pressure, const char *periodic,
                               int threads)
{
    char text[1600];
    snprintf(
        text, sizeof text,
        "{%s\"time\": {\"end\": 9, \"step\": 0.001}, \"fluid\": {\"spacing\": 0.05, \"jitter\": "
        "0.2,"
        " \"boundary\": \"%s\", \"pressure\": %s, \"viscosity\": {\"type\": \"laplacian\", \"nu\": "
        "0.001}, \"phases\": "
        "[{\"fill\":"
        " [{\"type\": \"box\", \"min\": [0.05, 0.05, 0], \"max\": [0.5, 0.5, 0.5]}]}]},"
        " \"colliders\": [{\"shape\": {\"type\": \"plane\", \"point\": [0, 0, 0], \"normal\": [0, "
        "0, 1]}},"
        " {\"shape\": {\"type\": \"box\", \"min\": [0.2, 0.2, -0.3], \"max\": [0.4, 0.4, 0.06]}},"
        " {\"shape\": {\"type\": \"sphere\", \"center\": [0.3, 0.3, 0.66], \"radius\": 0.19}}]}",
        periodic, boundary, pressure);
    return world_of(text, threads);
}

static mote_world *corner_of(const char *pressure, const char *periodic, int threads)
{
    return corner_with("continuum", pressure, periodic, threads);
}

static const char PERIODIC[] =
    "\"domain\": {\"min\": [0, 0, -1], \"max\": [0.55, 0.55, 2], \"periodic\": \"xy\"}, ";

/* Arbitrary k of the rows. */
static float *random_pressures(const mo_fluid *f)
{
    float *k = malloc((size_t)f->rows * sizeof *k);
    for (int64_t row = 0; row < f->rows; ++row) {
        mo_vec3 r = mo_random_cube(5, 0, (uint64_t)row, 0);
        k[row] = row % 7 == 0 ? 0 : (float)(1000 * (1.1 + r.x));
    }
    return k;
}

/* The reaction of collider c by a sum over all pairs, about the origin. */
static mo_wrench brute_force(const mo_fluid *f, const float *k, int c)
{
    const mo_walls *w = &f->walls;
    mo_wrench sum = {0};
    for (int64_t row = 0; row < f->rows; ++row) {
        mo_fluid_row r = mo_fluid_wall_row_of(f, row);
        for (int64_t at = r.first; at < r.last; ++at) {
            int64_t sample = mo_halo_row(w->halo, w->lists->index[at]);
            mo_fluid_pairs p = mo_fluid_wall_pairs_at(f, &r, at - (at - r.first) % 8);
            int lane = (int)((at - r.first) % 8);
            mo_vec3 x = mo_vec3_make((double)p.x[lane], (double)p.y[lane], (double)p.z[lane]);
            double scale = mo_f64(f->columns.mass)[row] * (double)f->specific[row] * (double)k[row];
            if (w->pieces[w->sample_piece[sample]].collider == c) {
                mo_wrench_add_force(&sum, mo_scale(scale * (double)w->gradient_factor[at], x),
                                    mo_vec3_load(w->x + 3 * sample));
            }
        }
    }
    return sum;
}

static void check_reactions(const char *boundary, const char *periodic)
{
    mote_world *world = corner_with(boundary, "\"dfsph\"", periodic, 2);
    mo_fluid *f = fluid_of(world);
    mote_error error = {0};
    mo_vec3 given = mo_vec3_make(0, 0, 0), moved = given, sum = given;
    double size = 0, pushed = 0;
    assert_int_equal(mo_fluid_want_reactions(f, &error), MOTE_OK);
    assert_int_equal(mo_fluid_update(f, 0, &error), MOTE_OK);
    float *k = random_pressures(f);
    mo_fluid_begin_reactions(f, 0, 0.001);
    mo_fluid_pack_numbers(f, k);
    mo_fluid_accelerate(f, k);
    assert_int_equal(mo_fluid_react(f, k, 0.001, &error), MOTE_OK);
    for (int64_t row = 0; row < f->rows; ++row) {
        double mass = mo_f64(f->columns.mass)[row],
               scale = mass * (double)f->specific[row] * (double)k[row];
        const float *wall = f->wall + 4 * row, *acceleration = f->acceleration + 4 * row;
        mo_vec3 part =
            mo_scale(scale, mo_vec3_make((double)wall[0], (double)wall[1], (double)wall[2]));
        mo_vec3 all = mo_scale(mass, mo_vec3_make((double)acceleration[0], (double)acceleration[1],
                                                  (double)acceleration[2]));
        given = mo_add(given, part);
        moved = mo_add(moved, all);
        size += mo_length(part);
        pushed += mo_length(all);
    }
    for (int c = 0; c < 3; ++c) {
        mo_wrench w = wrench_on(&f->reactions, c);
        assert_true(mo_length(w.force) > 0.001 * size);
        if (f->walls.lists) {
            mo_wrench all = brute_force(f, k, c);
            assert_true(mo_length(mo_sub(w.force, all.force)) < 1e-6 * size);
            assert_true(mo_length(mo_sub(w.torque, all.torque)) < 1e-6 * size);
        }
        sum = mo_add(sum, w.force);
    }
    /* the boundary's part of the acceleration, and the total, are sums in single precision */
    assert_true(mo_length(mo_sub(sum, given)) < 1e-7 * size);
    assert_true(mo_length(mo_add(sum, moved)) < 1e-7 * pushed);
    free(k);
    mote_world_destroy(world);
}

static void reactions_are_opposite_to_pressure_forces(void **state)
{
    (void)state;
    check_reactions("samples", "");
    check_reactions("samples", PERIODIC);
    check_reactions("continuum", "");
    check_reactions("continuum", PERIODIC);
}

/* ---- steps ---- */

static mo_vec3 momentum_of(mote_world *world)
{
    mote_measures m = measures_of(world);
    return mo_vec3_load(m.momentum);
}

/* The change of momentum in a step, minus that by gravity, and all reactions; relative to the
 * sum of the magnitudes of all changes. */
static double imbalance(mote_world *world)
{
    mo_fluid *f = fluid_of(world);
    int64_t rows = mote_world_rows(world, 0);
    double *before = malloc((size_t)rows * 3 * sizeof *before), size = 0;
    memcpy(before, numbers_of(world, "v"), (size_t)rows * 3 * sizeof *before);
    mo_vec3 momentum = momentum_of(world),
            weight = mo_scale(measures_of(world).mass, mo_fluid_gravity(f, 0));
    mote_step_report report;
    mote_error error = {0};
    assert_int_equal(mote_world_step(world, &report, &error), MOTE_OK);
    const double *v = numbers_of(world, "v"), *mass = numbers_of(world, "mass");
    for (int64_t row = 0; row < rows; ++row) {
        size += mass[row] *
                mo_length(mo_sub(mo_vec3_load(v + 3 * row), mo_vec3_load(before + 3 * row)));
    }
    mo_vec3 gain = mo_sub(momentum_of(world), momentum),
            left = mo_add_scaled(gain, -report.dt, weight);
    mo_wrench all = wrench_on(&f->reactions, -1);
    free(before);
    return mo_length(mo_add_scaled(left, report.dt, all.force)) / size;
}

static void steps_balance_to_single_precision(void **state)
{
    static const char *const SOLVERS[] = {
        "\"dfsph\"", "\"iisph\"", "\"pbf\"",
        "{\"type\": \"wcsph\", \"state\": {\"type\": \"tait\", \"stiffness\": 400}}"};
    (void)state;
    for (int s = 0; s < 4; ++s) {
        mote_world *world = corner_of(SOLVERS[s], "", 2);
        mote_error error = {0};
        double worst = 0;
        assert_int_equal(mo_fluid_want_reactions(fluid_of(world), &error), MOTE_OK);
        for (int step = 0; step < 30; ++step) {
            worst = fmax(worst, imbalance(world));
        }
        print_message("%s: imbalance %.2g of the sum of magnitudes\n", SOLVERS[s], worst);
        assert_true(worst < 5e-7);
        assert_true(mote_world_fluid(world).penetrations == 0);
        mote_world_destroy(world);
    }
}

/* ---- a thousand colliders ---- */

enum { SIDE = 10, SPHERES = SIDE * SIDE * SIDE };

/* A pool of jittered water with a lattice of small spheres in it. */
static mote_world *pool_of(int threads)
{
    char *text = malloc(200 * SPHERES + 2000), *end = text;
    end += sprintf(
        end,
        "{\"time\": {\"end\": 1, \"step\": 0.0005}, \"fluid\": {\"spacing\": 0.03, \"jitter\": 0.1,"
        " \"viscosity\": {\"type\": \"morris1997\", \"nu\": 0.001}, \"phases\": [{\"fill\":"
        " [{\"type\": \"box\", \"min\": [0.03, 0.03, 0.03], \"max\": [0.81, 0.81, 0.81]}]}]},"
        " \"colliders\": [{\"inside\": true, \"shape\": {\"type\": \"box\", \"min\": [0, 0, 0],"
        " \"max\": [0.84, 0.84, 1]}}");
    for (int k = 0; k < SPHERES; ++k) {
        end += sprintf(
            end,
            ", {\"shape\": {\"type\": \"sphere\", \"radius\": 0.01, \"center\": [%g, %g, %g]}}",
            0.06 + 0.08 * (k % SIDE), 0.06 + 0.08 * (k / SIDE % SIDE),
            0.06 + 0.08 * (k / (SIDE * SIDE)));
    }
    sprintf(end, "]}");
    mote_world *world = world_of(text, threads);
    free(text);
    return world;
}

static void a_thousand_colliders_have_the_same_bits_on_any_threads(void **state)
{
    static const int THREADS[] = {1, 2, 3, 8};
    mo_reaction first[SPHERES + 1];
    (void)state;
    for (int t = 0; t < (SANITIZED ? 2 : 4); ++t) {
        mote_world *world = pool_of(THREADS[t]);
        mo_fluid *f = fluid_of(world);
        mote_error error = {0};
        assert_int_equal(mo_fluid_want_reactions(f, &error), MOTE_OK);
        double worst = fmax(imbalance(world), imbalance(world));
        assert_true(worst < 5e-7);
        assert_int_equal(f->reactions.count, SPHERES + 1);
        assert_true(f->rows > 2 * MO_FLUID_GRAIN);
        int felt = 0;
        for (int c = 0; c <= SPHERES; ++c) {
            mo_reaction r = mo_reactions_of(&f->reactions, c);
            felt += mo_length(r.wrench.force) > 0;
            first[c] = t == 0 ? r : first[c];
            assert_memory_equal(&r, &first[c], sizeof r);
        }
        assert_true(felt > 0.95 * SPHERES);
        mote_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrenches_shift_with_their_force),
        cmocka_unit_test(reactions_are_opposite_to_pressure_forces),
        cmocka_unit_test(steps_balance_to_single_precision),
        cmocka_unit_test(a_thousand_colliders_have_the_same_bits_on_any_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
