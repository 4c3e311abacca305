#include "couple/expected_force.h"

#include <string.h>

/* Part of a correction of positions that a step makes. */
static const double SHIFT = 0.1;

static const mo_column_spec FORCE = {
    "rigid_force", MOTE_F64, 3,
    MO_STATE,      "N",      "force of rigid bodies in the last step, expected in the next"};

static void expected_force_add(const void *instance, const mo_force_args *args, int64_t first,
                               int64_t last)
{
    const mo_expected_force *e = instance;
    const double *f = mo_f64(e->force);
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        args->f[k] += f[k];
    }
}

/* The contact does no work of its own: rigid bodies receive the opposite impulses. */
static double expected_force_energy(const void *instance, const mo_force_args *args, int64_t first,
                                    int64_t last)
{
    (void)instance, (void)args, (void)first, (void)last;
    return 0;
}

static const mo_force_type TYPE = {
    .base = {.name = "expected_force",
             .summary = "Contact forces of rigid bodies, as in the last step."},
    .add = expected_force_add,
    .energy = expected_force_energy};

mote_status mo_expected_force_create(mo_expected_force *expected, mo_system *system,
                                     mote_error *error)
{
    mo_force force = {.type = &TYPE, .instance = expected, .attached = true};
    expected->system = system;
    MO_TRY(mo_store_declare(system->store, &FORCE, &expected->force, error));
    return system->type->force_hooks->attach(system, &force, error);
}

mo_vec3 mo_expected_force_acceleration(const mo_expected_force *expected, int64_t row)
{
    return mo_scale(mo_f64(expected->system->columns.inverse_mass)[row],
                    mo_vec3_load(mo_f64(expected->force) + 3 * row));
}

void mo_expected_force_revoke(mo_expected_force *expected, double h)
{
    double *v = mo_f64(expected->system->columns.v), *f = mo_f64(expected->force);
    for (int64_t row = 0; row < mo_store_owned(expected->system->store); ++row) {
        mo_vec3 a = mo_expected_force_acceleration(expected, row);
        if (a.x != 0 || a.y != 0 || a.z != 0) {
            mo_vec3_store(v + 3 * row, mo_add_scaled(mo_vec3_load(v + 3 * row), -h, a));
        }
        memset(f + 3 * row, 0, 3 * sizeof *f);
    }
}

void mo_expected_force_apply(mo_expected_force *expected, int64_t row, mo_vec3 impulse,
                             mo_vec3 shift, double h)
{
    const mo_particle_columns *c = &expected->system->columns;
    double *x = mo_f64(c->x) + 3 * row, *v = mo_f64(c->v) + 3 * row,
           *f = mo_f64(expected->force) + 3 * row;
    mo_vec3_store(x, mo_add_scaled(mo_vec3_load(x), SHIFT, shift));
    mo_vec3_store(v, mo_add_scaled(mo_vec3_load(v), mo_f64(c->inverse_mass)[row], impulse));
    mo_vec3_store(f, mo_add_scaled(mo_vec3_load(f), 1 / h, impulse));
    ((uint8_t *)c->age->data)[row] = 0;
}
