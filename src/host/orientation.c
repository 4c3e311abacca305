#include "host/orientation.h"

#include "host/column_field.h"
#include "integrate/rotation.h"

#include <string.h>

enum { GRAIN = 4096 };

static const mo_column_field COLUMNS[] = {
    {{"q", MOTE_F64, 4, MO_STATE, "1",
      "orientation: quaternion (w, x, y, z) from the body frame to the world frame"},
     offsetof(mo_particle_columns, q)},
    {{"q_rate", MOTE_F64, 4, MO_STATE, "1/s", "time derivative of the quaternion"},
     offsetof(mo_particle_columns, q_rate)},
    {{"q_acceleration", MOTE_F64, 4, MO_STATE, "1/s^2",
      "second time derivative of the quaternion, as last evaluated"},
     offsetof(mo_particle_columns, q_acceleration)},
    {{"w", MOTE_F64, 3, MO_STATE, "rad/s", "angular velocity in the body frame"},
     offsetof(mo_particle_columns, w)},
    {{"inertia", MOTE_F64, 3, MO_STATE, "kg m^2", "principal moments of inertia; 0 = not oriented"},
     offsetof(mo_particle_columns, inertia)},
    {{"torque", MOTE_F64, 3, MO_DERIVED, "N m", "torque in the world frame"},
     offsetof(mo_particle_columns, torque)},
};

mote_status mo_orientation_declare(mo_system *system, mote_error *error)
{
    return mo_column_fields_declare(system, COLUMNS, sizeof COLUMNS / sizeof *COLUMNS, error);
}

void mo_orientation_set(mo_system *system, int64_t row, mo_quat q, mo_vec3 w, mo_vec3 inertia)
{
    const mo_particle_columns *c = &system->columns;
    mo_vec3_store(mo_f64(c->inertia) + 3 * row, inertia);
    mo_quat_store(mo_f64(c->q) + 4 * row, q);
    mo_quat_store(mo_f64(c->q_rate) + 4 * row, mo_rotation_rate(q, w));
    mo_vec3_store(mo_f64(c->w) + 3 * row, w);
}

typedef struct beginning {
    const double *q, *rate;
    double *w, *torque;
} beginning;

static void begin_range(void *context, int64_t first, int64_t last)
{
    const beginning *b = context;
    for (int64_t row = first; row < last; ++row) {
        mo_vec3 w =
            mo_rotation_speed(mo_quat_load(b->q + 4 * row), mo_quat_load(b->rate + 4 * row));
        mo_vec3_store(b->w + 3 * row, w);
    }
    memset(b->torque + 3 * first, 0, (size_t)(last - first) * 3 * sizeof(double));
}

void mo_orientation_begin(mo_system *system, const double *q, const double *rate)
{
    beginning b = {q, rate, mo_f64(system->columns.w), mo_f64(system->columns.torque)};
    mo_parallel_for(system->host->pool, mo_store_owned(system->store), GRAIN, begin_range, &b);
}

void mo_orientation_accelerate(const mo_system *system, const double *q, double *acceleration,
                               int64_t first, int64_t last)
{
    const mo_particle_columns *c = &system->columns;
    for (int64_t row = first; row < last; ++row) {
        mo_quat here = mo_quat_load(q + 4 * row);
        mo_vec3 w = mo_vec3_load(mo_f64(c->w) + 3 * row),
                moments = mo_vec3_load(mo_f64(c->inertia) + 3 * row);
        mo_vec3 b = {0, 0, 0};
        if (moments.x > 0 && mo_f64(c->inverse_mass)[row] > 0) {
            mo_mat3 R = mo_quat_matrix(mo_quat_normalize(here));
            mo_vec3 torque = mo_mat3_apply_transposed(R, mo_vec3_load(mo_f64(c->torque) + 3 * row));
            mo_vec3 t = mo_sub(torque, mo_cross(w, mo_multiply(moments, w)));
            b = mo_vec3_make(t.x / moments.x, t.y / moments.y, t.z / moments.z);
        }
        mo_quat_store(acceleration + 4 * row, mo_rotation_acceleration(here, w, b));
    }
}

static void finish_range(void *context, int64_t first, int64_t last)
{
    const mo_particle_columns *c = context;
    for (int64_t row = first; row < last; ++row) {
        double *q_at = mo_f64(c->q) + 4 * row, *rate_at = mo_f64(c->q_rate) + 4 * row;
        mo_quat q = mo_quat_normalize(mo_quat_load(q_at)), rate = mo_quat_load(rate_at);
        rate = mo_quat_add_scaled(rate, -mo_quat_dot(q, rate), q);
        mo_quat_store(q_at, q);
        mo_quat_store(rate_at, rate);
        mo_vec3_store(mo_f64(c->w) + 3 * row, mo_rotation_speed(q, rate));
    }
}

void mo_orientation_finish(mo_system *system)
{
    mo_parallel_for(system->host->pool, mo_store_owned(system->store), GRAIN, finish_range,
                    &system->columns);
}

void mo_orientation_measure(const mo_system *system, int64_t first, int64_t last, double *kinetic,
                            double spin[3])
{
    const mo_particle_columns *c = &system->columns;
    for (int64_t row = first; row < last; ++row) {
        mo_vec3 w = mo_vec3_load(mo_f64(c->w) + 3 * row);
        mo_vec3 l = mo_multiply(mo_vec3_load(mo_f64(c->inertia) + 3 * row), w);
        mo_vec3 world = mo_quat_rotate(mo_quat_load(mo_f64(c->q) + 4 * row), l);
        *kinetic += 0.5 * mo_dot(l, w);
        spin[0] += world.x;
        spin[1] += world.y;
        spin[2] += world.z;
    }
}
