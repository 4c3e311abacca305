/*
 * Rigid bodies with a rotation matrix and explicit Euler:
 *     x += h v,  v += h F/M,  R += h w~ R,  L += h tau,  I = R I0 R^T,  w = I^-1 L,
 * w~ the matrix of the cross product with w. R drifts from orthonormality, which is restored by
 * Gram-Schmidt orthonormalisation of its columns after every step; the largest entry of |R^T R - 1|
 * before that is reported as `rotation_drift`. R and L are the state: q, w follow from them. First
 * order, and the energy of a free top grows: a reference to compare quaternions with.
 */
#include "host/orientation.h"
#include "integrate/rotation.h"
#include "system/rigid/state.h"

mote_status mo_rotation_matrix_declare(mo_rigid *rigid, mote_error *error)
{
    static const mo_column_spec ROTATION = {
        "rotation", MOTE_F64, 9, MO_STATE, "1", "rotation matrix by rows, from principal axes"};
    static const mo_column_spec SPIN = {"spin",   MOTE_F64,   3,
                                        MO_STATE, "kg m^2/s", "angular momentum about the centre"};
    MO_TRY(mo_store_declare(rigid->system->store, &ROTATION, &rigid->rotation, error));
    rigid->integration.segments = 2;
    return mo_store_declare(rigid->system->store, &SPIN, &rigid->spin, error);
}

static mo_mat3 load(const double *m)
{
    mo_mat3 out;
    for (int k = 0; k < 9; ++k) {
        out.m[k] = m[k];
    }
    return out;
}

/* R and L of the quaternion and the angular velocity of a row. */
static void take_row(mo_rigid *rigid, int64_t row)
{
    const mo_particle_columns *c = &rigid->system->columns;
    mo_mat3 R = mo_quat_matrix(mo_quat_load(mo_f64(c->q) + 4 * row));
    mo_vec3 l = mo_multiply(mo_vec3_load(mo_f64(c->inertia) + 3 * row),
                            mo_vec3_load(mo_f64(c->w) + 3 * row));
    for (int k = 0; k < 9; ++k) {
        mo_f64(rigid->rotation)[9 * row + k] = R.m[k];
    }
    mo_vec3_store(mo_f64(rigid->spin) + 3 * row, mo_mat3_apply(R, l));
}

void mo_rotation_matrix_begin(mo_rigid *rigid, int64_t first)
{
    for (int64_t row = first; row < mo_store_owned(rigid->system->store); ++row) {
        take_row(rigid, row);
    }
}

static mo_vec3 column_of(const mo_mat3 *R, int k)
{
    return mo_vec3_make(R->m[k], R->m[3 + k], R->m[6 + k]);
}

static void set_column(mo_mat3 *R, int k, mo_vec3 c)
{
    R->m[k] = c.x;
    R->m[3 + k] = c.y;
    R->m[6 + k] = c.z;
}

/* Orthonormal columns; returns the largest entry of |R^T R - 1| before. */
static double gram_schmidt(mo_mat3 *R)
{
    mo_vec3 c[3] = {column_of(R, 0), column_of(R, 1), column_of(R, 2)};
    double drift = 0;
    for (int i = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j) {
            drift = fmax(drift, fabs(mo_dot(c[i], c[j]) - (i == j)));
        }
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < i; ++j) {
            c[i] = mo_add_scaled(c[i], -mo_dot(c[i], c[j]), c[j]);
        }
        c[i] = mo_unit(c[i], c[i]);
        set_column(R, i, c[i]);
    }
    return drift;
}

/* One row of a free body. */
static double step_row(const mo_rigid *rigid, int64_t row, double h)
{
    const mo_particle_columns *c = &rigid->system->columns;
    double *x = mo_f64(c->x) + 3 * row, *v = mo_f64(c->v) + 3 * row;
    double *matrix = mo_f64(rigid->rotation) + 9 * row, *spin = mo_f64(rigid->spin) + 3 * row;
    mo_vec3 moments = mo_vec3_load(mo_f64(c->inertia) + 3 * row);
    mo_mat3 R = load(matrix);
    mo_vec3 l = mo_mat3_apply_transposed(R, mo_vec3_load(spin));
    mo_vec3 w = mo_mat3_apply(
        R, mo_vec3_make(l.x / moments.x, l.y / moments.y, l.z / moments.z)); /* I^-1 L */
    for (int k = 0; k < 3; ++k) {
        x[k] += h * v[k];
        v[k] += h * mo_f64(c->a)[3 * row + k];
        spin[k] += h * mo_f64(c->torque)[3 * row + k];
        mo_vec3 column = column_of(&R, k);
        set_column(&R, k, mo_add_scaled(column, h, mo_cross(w, column)));
    }
    double drift = gram_schmidt(&R);
    for (int k = 0; k < 9; ++k) {
        matrix[k] = R.m[k];
    }
    l = mo_mat3_apply_transposed(R, mo_vec3_load(spin));
    mo_quat q = mo_quat_of_matrix(R);
    mo_orientation_set(rigid->system, row, q,
                       mo_vec3_make(l.x / moments.x, l.y / moments.y, l.z / moments.z), moments);
    return drift;
}

mote_status mo_rotation_matrix_step(mo_rigid *rigid, const mo_step_time *now, mote_error *error)
{
    const mo_system *s = rigid->system;
    const uint8_t *age = s->columns.age->data;
    MO_TRY(mo_rigid_system_evaluate(rigid->system, now->time, error));
    rigid->dynamics.evaluations++;
    rigid->drift = 0;
    for (int64_t row = 0; row < mo_store_owned(s->store); ++row) {
        if (age[row] == 0) { /* q and w were written from outside */
            take_row(rigid, row);
        }
        if (mo_f64(s->columns.inverse_mass)[row] > 0) {
            rigid->drift = fmax(rigid->drift, step_row(rigid, row, now->h));
        }
    }
    return MOTE_OK;
}
