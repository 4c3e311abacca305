/*
 * The frequency of the current motion, as a Rayleigh quotient:
 *    omega^2 = sum m d . (a(x) - a(x + e d)) / (e sum m d . d),
 * d the velocities, or at the start the velocities a body is about to have. Stiff modes without
 * amplitude do not count: an integrator resolves the motion with a step derived from omega.
 * Evaluated per body with a sufficient share of the energy; the maximum is used.
 */
#include "system/forces/state.h"

#include <math.h>
#include <string.h>

/* Displacement of the probe in diameters; the minimum share of the energy; and the displacement
 * per frame in diameters below which an implicit integrator need not resolve the motion, as it
 * settles in contacts. */
static const double DISPLACEMENT = 1e-5, SHARE = 1e-3, STILL = 1e-3;

/* Reserves `count` values, kept between calls. */
mote_status mo_forces_probe(mo_forces *forces, int64_t count, double **probe, mote_error *error)
{
    mo_memory *memory = forces->system->host->memory;
    if (forces->probe_capacity < count) {
        void *block;
        MO_TRY(mo_allocate_array(memory, count, sizeof(double), &block, error));
        mo_release(memory, forces->probe);
        forces->probe = block;
        forces->probe_capacity = count;
    }
    *probe = forces->probe;
    return MOTE_OK;
}

/* Copies of columns written by an evaluation, and of positions; d, and the accelerations at x. */
typedef struct probe {
    double *x, *a, *q_acceleration, *d, *a0, *sums;
    int64_t rows, bodies;
} probe;

enum { ENERGY, POWER, SUMS };

static mote_status open_probe(mo_forces *forces, probe *p, mote_error *error)
{
    const mo_system *system = forces->system;
    double *block;
    *p = (probe){.rows = mo_store_owned(system->store), .bodies = system->bodies.count};
    int64_t each = 3 * p->rows, rotation = forces->oriented ? 4 * p->rows : 0;
    MO_TRY(mo_forces_probe(forces, 4 * each + rotation + SUMS * p->bodies, &block, error));
    p->x = block;
    p->a = p->x + each;
    p->d = p->a + each;
    p->a0 = p->d + each;
    p->q_acceleration = p->a0 + each;
    p->sums = p->q_acceleration + rotation;
    memcpy(p->x, mo_f64(system->columns.x), (size_t)each * sizeof(double));
    memcpy(p->a, mo_f64(system->columns.a), (size_t)each * sizeof(double));
    if (forces->oriented) {
        memcpy(p->q_acceleration, mo_f64(system->columns.q_acceleration),
               (size_t)rotation * sizeof(double));
    }
    return MOTE_OK;
}

/* Restores the state. */
static void close_probe(mo_forces *forces, const probe *p)
{
    const mo_particle_columns *c = &forces->system->columns;
    memcpy(mo_f64(c->x), p->x, (size_t)(3 * p->rows) * sizeof(double));
    memcpy(mo_f64(c->a), p->a, (size_t)(3 * p->rows) * sizeof(double));
    if (forces->oriented) {
        memcpy(mo_f64(c->q_acceleration), p->q_acceleration,
               (size_t)(4 * p->rows) * sizeof(double));
    }
}

/* d, and the time along it by which the probe is displaced; 0: no motion. */
static double find_direction(const mo_forces *forces, const probe *p, double frame)
{
    const mo_particle_columns *c = &forces->system->columns;
    double fastest = 0, rate = 0;
    for (int64_t row = 0; row < p->rows; ++row) {
        bool moves = mo_f64(c->inverse_mass)[row] > 0;
        mo_vec3 v = mo_vec3_load(mo_f64(c->v) + 3 * row), a = mo_vec3_load(p->a0 + 3 * row);
        mo_vec3 d = mo_dot(v, v) > 0 ? v : mo_scale(0.5 * frame, a);
        d = moves ? d : mo_vec3_make(0, 0, 0);
        mo_vec3_store(p->d + 3 * row, d);
        fastest = fmax(fastest, mo_length(d));
        rate = fmax(rate, mo_length(d) * mo_f64(c->inverse_diameter)[row]);
    }
    bool implicit = forces->integrator->base.capabilities & MO_IMPLICIT;
    if (implicit && rate > 0 && rate * frame < STILL) {
        return 0;
    }
    return rate > 0 ? DISPLACEMENT / rate : fastest > 0 ? DISPLACEMENT * frame : 0;
}

/* Serially, in the order of rows: bitwise identical on any number of threads. */
static double quotient(const mo_forces *forces, const probe *p, double e)
{
    const mo_particle_columns *c = &forces->system->columns;
    const double *a1 = mo_f64(c->a), *mass = mo_f64(c->mass);
    const int32_t *body = c->body->data;
    double total = 0, most = 0;
    memset(p->sums, 0, (size_t)(SUMS * p->bodies) * sizeof(double));
    for (int64_t row = 0; row < p->rows; ++row) {
        double *sum = p->sums + SUMS * (int64_t)body[row];
        mo_vec3 d = mo_vec3_load(p->d + 3 * row);
        mo_vec3 change = mo_sub(mo_vec3_load(p->a0 + 3 * row), mo_vec3_load(a1 + 3 * row));
        sum[ENERGY] += mass[row] * mo_dot(d, d);
        sum[POWER] += mass[row] * mo_dot(d, change) / e;
        total += mass[row] * mo_dot(d, d);
    }
    for (int64_t k = 0; k < p->bodies; ++k) {
        const double *sum = p->sums + SUMS * k;
        if (sum[ENERGY] > SHARE * total) {
            most = fmax(most, fabs(sum[POWER]) / sum[ENERGY]);
        }
    }
    return most;
}

/* The largest angular velocity of rotating particles. */
static double fastest_turn(const mo_forces *forces, int64_t rows)
{
    double most = 0;
    for (int64_t row = 0; forces->oriented && row < rows; ++row) {
        mo_vec3 w = mo_vec3_load(mo_f64(forces->system->columns.w) + 3 * row);
        most = fmax(most, mo_dot(w, w));
    }
    return most;
}

static mote_status find_motion(mo_forces *forces, const probe *p, double time, double frame,
                               double *square, mote_error *error)
{
    mo_system *system = forces->system;
    double *x = mo_f64(system->columns.x);
    MO_TRY(system->type->evaluate(system, time, error));
    memcpy(p->a0, mo_f64(system->columns.a), (size_t)(3 * p->rows) * sizeof(double));
    double e = find_direction(forces, p, frame);
    if (e == 0) {
        return MOTE_OK;
    }
    for (int64_t k = 0; k < 3 * p->rows; ++k) {
        x[k] += e * p->d[k];
    }
    MO_TRY(system->type->evaluate(system, time, error));
    *square = fmax(*square, quotient(forces, p, e));
    return MOTE_OK;
}

mote_status mo_forces_motion(mo_system *system, double time, double frame, double *square,
                             mote_error *error)
{
    mo_forces *forces = system->state;
    probe p;
    *square = 0;
    if (forces->first_order) {
        return MOTE_OK; /* no oscillation */
    }
    MO_TRY(open_probe(forces, &p, error));
    *square = fastest_turn(forces, p.rows);
    mote_status status = find_motion(forces, &p, time, frame, square, error);
    close_probe(forces, &p);
    return status;
}
