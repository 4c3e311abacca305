/*
 * Terms of a fluid: the order of their hooks in every pressure solver.
 */
#include "worlds.h"

#include "fluid/pressure/pressure.h"
#include "system/fluid/fluid.h"
#include "world/world.h"

#include <math.h>

static mo_fluid *fluid_of(mote_world *world)
{
    return &((mo_fluid_system *)world->systems[0].state)->fluid;
}

/* ---- a term that records its calls ---- */

enum { LOG = 64 };

typedef struct journal {
    char letters[LOG + 1];
    int count;
    int64_t gone;
} journal;

typedef struct probe {
    journal *journal;
    char letter; /* lower case: accelerate, upper case: solve */
    double push, limit, energy;
} probe;

static void note(const probe *p, char letter)
{
    if (p->journal->count < LOG) {
        p->journal->letters[p->journal->count++] = letter;
    }
}

static mote_status probe_accelerate(mo_instance *self, mo_fluid *f, double h, mote_error *error)
{
    const probe *p = self->method.params;
    (void)h, (void)error;
    note(p, p->letter);
    for (int64_t row = 0; row < f->rows; ++row) {
        mo_f64(f->columns.a)[3 * row] += p->push;
    }
    return MOTE_OK;
}

/* The packed velocities are those of the store. */
static mote_status probe_solve(mo_instance *self, mo_fluid *f, double h, mote_error *error)
{
    const probe *p = self->method.params;
    (void)h, (void)error;
    note(p, (char)(p->letter - 'a' + 'A'));
    for (int64_t k = 0; k < f->rows; ++k) {
        assert_near((double)f->velocity[4 * k], mo_f64(f->columns.v)[3 * k], 1e-6);
        mo_f64(f->columns.v)[3 * k] += p->push;
    }
    return MOTE_OK;
}

static mote_status probe_advance(mo_instance *self, mo_fluid *f, double h, mote_error *error)
{
    (void)error;
    note(self->method.params, '+');
    for (int64_t row = 0; row < f->rows; ++row) {
        mo_f64(self->columns[0])[row] += h;
    }
    return MOTE_OK;
}

static double probe_limit(const mo_instance *self, const mo_fluid *f)
{
    (void)f;
    return ((const probe *)self->method.params)->limit;
}

static mote_status probe_energy(const mo_instance *self, mo_fluid *f, double *energy,
                                mote_error *error)
{
    (void)f, (void)error;
    *energy = ((const probe *)self->method.params)->energy;
    return MOTE_OK;
}

static void probe_remap(mo_instance *self, mo_fluid *f, const int64_t *map)
{
    const probe *p = self->method.params;
    (void)f;
    note(p, 'm');
    for (int64_t row = 0; row < 8; ++row) {
        p->journal->gone += map[row] < 0;
    }
}

static void probe_destroy(mo_instance *self, mo_fluid *f)
{
    (void)f;
    note(self->method.params, 'd');
}

static const mo_column_spec COLUMNS[] = {
    {"probe_age", MOTE_F64, 1, MO_STATE, "s", "time of the term"}, {0}};

static const mo_term_type PROBE = {
    .base = {.name = "probe", .columns = COLUMNS},
    .hooks = {.destroy = probe_destroy},
    .accelerate = probe_accelerate,
    .solve = probe_solve,
    .advance = probe_advance,
    .limit = probe_limit,
    .energy = probe_energy,
    .remap = probe_remap,
};

static mote_world *drop_of(const char *pressure)
{
    char text[600];
    snprintf(
        text, sizeof text,
        "{\"gravity\": [0, 0, -10], \"time\": {\"end\": 1, \"step\": 1e-4}, \"fluid\": {\"spacing\": 0.1,"
        " \"viscosity\": {\"type\": \"laplacian\", \"nu\": 0.001}, \"pressure\": \"%s\","
        " \"phases\": [{\"fill\": [{\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [0.2, 0.2, 0.2]}]}]}}",
        pressure);
    return world_of(text, 1);
}

static void add(mote_world *world, const probe *p, const char *name)
{
    mote_error error = {0};
    assert_int_equal(mo_terms_add(fluid_of(world), name, (mo_method){&PROBE.base, p}, &error),
                     MOTE_OK);
}

/* ---- tests ---- */

static void every_solver_calls_terms_in_the_same_order(void **state)
{
    (void)state;
    for (int m = 0; m < mo_pressures.count; ++m) {
        mote_world *world = drop_of(mo_pressures.methods[m]->name);
        journal j = {0};
        probe first = {&j, 'a', 3, INFINITY, 0}, second = {&j, 'b', -1, INFINITY, 0};
        add(world, &first, "first");
        add(world, &second, "second");
        step_by(world, 2);
        assert_string_equal(j.letters, "abAB++abAB++");
        const double *age = numbers_of(world, "probe_age"), *v = numbers_of(world, "v");
        for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
            assert_near(age[row], 4e-4, 1e-12); /* both advance the same column */
        }
        double mean = 0;
        for (int64_t row = 0; row < 8; ++row) {
            mean += v[3 * row] / 8;
        }
        assert_near(mean, 2 * ((3 - 1) * 1e-4 + (3 - 1)), 1e-5);
        mote_world_destroy(world);
        assert_string_equal(j.letters, "abAB++abAB++dd");
    }
}

static void the_list_serves_limits_and_energies(void **state)
{
    (void)state;
    mote_world *world = drop_of("dfsph");
    journal j = {0};
    probe first = {&j, 'a', 0, 3e-5, 7}, second = {&j, 'b', 0, 2e-5, 0.5};
    const char *name;
    double viscous = mo_terms_limit(fluid_of(world), &name);
    assert_string_equal(name, "viscosity");
    assert_true(isfinite(viscous) && viscous > 1e-4);
    add(world, &first, "first");
    add(world, &second, "second");
    assert_near(mo_terms_limit(fluid_of(world), &name), 2e-5, 0);
    assert_string_equal(name, "second");
    assert_near(measures_of(world).elastic, 7.5, 1e-15);
    mote_world_destroy(world);
}

static void rows_that_leave_are_reported(void **state)
{
    (void)state;
    mote_world *world = drop_of("dfsph");
    journal j = {0};
    probe p = {&j, 'a', 0, INFINITY, 0};
    uint8_t gone[8] = {0, 1, 0, 0, 0, 1, 0, 0};
    mote_error error = {0};
    add(world, &p, "probe");
    assert_int_equal(mote_world_remove(world, 0, gone, &error), MOTE_OK);
    assert_string_equal(j.letters, "m");
    assert_int_equal(j.gone, 2);
    mote_world_destroy(world);
}

/* Every column listed by a descriptor is declared, unless the method does not need it. */
static void listed_columns_are_declared(void **state)
{
    (void)state;
    for (int m = 0; m < mo_pressures.count; ++m) {
        mote_world *world = drop_of(mo_pressures.methods[m]->name);
        const mo_fluid *f = fluid_of(world);
        const mo_column_spec *columns = mo_pressures.methods[m]->columns;
        for (int k = 0; columns && columns[k].name; ++k) {
            bool needed = !f->pressure.hooks->needs_column ||
                          f->pressure.hooks->needs_column(f->pressure.method.params, k);
            assert_true(f->pressure.columns[k] ==
                        (needed ? mo_store_find(f->store, columns[k].name) : NULL));
            assert_true(!needed || f->pressure.columns[k]);
        }
        mote_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_solver_calls_terms_in_the_same_order),
        cmocka_unit_test(the_list_serves_limits_and_energies),
        cmocka_unit_test(rows_that_leave_are_reported),
        cmocka_unit_test(listed_columns_are_declared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
