/* Common parts of systems of particles. */
#include "host/column_field.h"

#include "host/skin.h"

#include <stdio.h>
#include <string.h>

static const mo_column_field COLUMNS[] = {
    {{"id", MOTE_I64, 1, MO_STATE, "1", "unique identifier; never reused"},
     offsetof(mo_particle_columns, id)},
    {{"x", MOTE_F64, 3, MO_STATE, "m", "position"}, offsetof(mo_particle_columns, x)},
    {{"v", MOTE_F64, 3, MO_STATE, "m/s", "velocity"}, offsetof(mo_particle_columns, v)},
    {{"a", MOTE_F64, 3, MO_STATE, "m/s^2", "acceleration, as last evaluated"},
     offsetof(mo_particle_columns, a)},
    {{"mass", MOTE_F64, 1, MO_STATE, "kg", "mass"}, offsetof(mo_particle_columns, mass)},
    {{"inverse_mass", MOTE_F64, 1, MO_STATE, "1/kg", "1/mass; 0 for fixed particles"},
     offsetof(mo_particle_columns, inverse_mass)},
    {{"radius", MOTE_F64, 1, MO_STATE, "m", "contact distance from colliders"},
     offsetof(mo_particle_columns, radius)},
    {{"inverse_diameter", MOTE_F64, 1, MO_STATE, "1/m",
      "1/size, for the Courant number; 0 if it has none"},
     offsetof(mo_particle_columns, inverse_diameter)},
    {{"age", MOTE_U8, 1, MO_STATE, "1",
      "steps since it was last changed outside the integrator, at most 255"},
     offsetof(mo_particle_columns, age)},
    {{"body", MOTE_I32, 1, MO_STATE, "1", "index of the body"},
     offsetof(mo_particle_columns, body)},
};

static const mo_column_field CONTACT_X = {
    {"contact_x", MOTE_F64, 3, MO_DERIVED, "m", "position at the start of the step"},
    offsetof(mo_particle_columns, contact_x)};

mote_status mo_column_fields_declare(mo_system *system, const mo_column_field *list, size_t count,
                                     mote_error *error)
{
    for (size_t k = 0; k < count; ++k) {
        mo_column **column = (mo_column **)((char *)&system->columns + list[k].field);
        MO_TRY(mo_store_declare(system->store, &list[k].spec, column, error));
    }
    return MOTE_OK;
}

mote_status mo_particle_columns_declare(mo_system *system, mote_error *error)
{
    return mo_column_fields_declare(system, COLUMNS, sizeof COLUMNS / sizeof *COLUMNS, error);
}

mote_status mo_particle_columns_declare_contact_x(mo_system *system, mote_error *error)
{
    return mo_column_fields_declare(system, &CONTACT_X, 1, error);
}

void mo_particle_columns_find(mo_system *system)
{
    system->columns.temperature = mo_store_find(system->store, "temperature");
    system->columns.species = mo_store_find(system->store, "species");
    system->columns.density = mo_store_find(system->store, "density");
}

mote_status mo_at_path(mote_status status, mote_error *error, const char *format, long long index)
{
    if (status != MOTE_OK && error) {
        char text[sizeof error->text], path[64];
        snprintf(path, sizeof path, format, index);
        snprintf(text, sizeof text, "%s%.*s", path, (int)(sizeof text - sizeof path), error->text);
        memcpy(error->text, text, sizeof text);
    }
    return status;
}

void mo_system_release(mo_system *system)
{
    mo_memory *memory = system->host->memory;
    mo_body_table *bodies = &system->bodies;
    mo_release(memory, bodies->edges);
    mo_release(memory, bodies->triangles);
    mo_release(memory, bodies->tetrahedra);
    mo_release(memory, bodies->surfaces);
    for (int64_t k = 0; k < bodies->skin_count; ++k) {
        mo_skin_release(&bodies->skins[k], memory);
    }
    mo_release(memory, bodies->skins);
    mo_release(memory, bodies->list);
    mo_store_destroy(system->store);
    *system = (mo_system){.type = system->type, .host = system->host};
}

const char *mo_system_body_name(const mo_system *system, int64_t row)
{
    return system->bodies.list[((const int32_t *)system->columns.body->data)[row]].name;
}

void mo_particle_name(const mo_system *system, int64_t row, char name[MO_PARTICLE_NAME])
{
    if (row < 0) {
        snprintf(name, MO_PARTICLE_NAME, "no particle");
        return;
    }
    snprintf(name, MO_PARTICLE_NAME, "particle %lld of '%.80s' (system %s)",
             (long long)mo_i64(system->columns.id)[row], mo_system_body_name(system, row),
             system->type->base.name);
}

mo_contact_rows mo_system_contact_rows(const mo_system *system)
{
    const mo_particle_columns *c = &system->columns;
    return (mo_contact_rows){.pool = system->host->pool,
                             .system = system->number,
                             .count = mo_store_owned(system->store),
                             .x = mo_f64(c->x),
                             .v = mo_f64(c->v),
                             .a = mo_f64(c->a),
                             .mass = mo_f64(c->mass),
                             .inverse_mass = mo_f64(c->inverse_mass),
                             .radius = mo_f64(c->radius),
                             .inverse_diameter = mo_f64(c->inverse_diameter),
                             .id = mo_i64(c->id)};
}

bool mo_system_first_order(const mo_system *system)
{
    return system->type->stability && system->type->stability->first_order(system);
}

bool mo_system_sums_contacts(const mo_system *system)
{
    return system->type->force_hooks && system->type->force_hooks->contacts;
}

void mo_callbacks_add_forces(const mo_callbacks *callbacks, const mo_force_args *args,
                             int64_t first, int64_t last)
{
    if (callbacks->count == 0) {
        return;
    }
    mote_force_view view = {.time = args->time,
                            .first = first,
                            .last = last,
                            .x = args->x,
                            .v = args->v,
                            .mass = args->mass,
                            .f = args->f,
                            .q = args->q,
                            .w = args->w,
                            .torque = args->torque};
    for (int k = 0; k < callbacks->count; ++k) {
        callbacks->list[k].function(callbacks->list[k].context, &view);
    }
}

static void count_age(void *context, int64_t first, int64_t last)
{
    uint8_t *age = context;
    for (int64_t row = first; row < last; ++row) {
        age[row] = (uint8_t)(age[row] + (age[row] < UINT8_MAX));
    }
}

void mo_system_count_age(mo_system *system)
{
    enum { GRAIN = 16384 };
    mo_parallel_for(system->host->pool, mo_store_owned(system->store), GRAIN, count_age,
                    system->columns.age->data);
}
