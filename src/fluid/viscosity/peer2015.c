/*
 * Implicit viscosity by a target velocity gradient, A. Peer, M. Ihmsen, J. Cornelis, M. Teschner
 * 2015, An implicit viscosity formulation for SPH fluids, ACM Trans. Graph. 34, 114, eqs. 5 to 10.
 * The gradient of the velocity is split into spin R, expansion V and the traceless strain rate S;
 * the target is R + V + xi S, and the velocities that have it solve
 *     sum_j w_ij (v_i - v_j - (T_i + T_j)/2 x_ij) = 0,    w_ij = V_j W_ij,    T = R + V + xi S.
 * The matrix is symmetric and positive semidefinite. Shear flows decay to (1 + xi)/2 in every step.
 *
 * Departs from the paper:
 * - The gradient is that of least squares with the weights w_ij, exact for linear flows, also at
 *   free surfaces, and R, V and S are its orthogonal parts in the inner product of these weights.
 *   So rigid rotation is its own target, and sum_j w_ij |T x_ij|^2 <= sum_j w_ij |v_ij|^2.
 * - xi is at most 0.95: the solve makes smooth motions of the target's noise; with 1 energy grows.
 * - The system above leaves a rigid motion undetermined. Here it is the limit of
 *       v_i + STIFFNESS sum_j w_ij (v_i - v_j - ...) = v*_i
 *   for a large STIFFNESS, so that rigid motions keep their momenta; waves longer than 2 pi
 *   sqrt(STIFFNESS) times the rms radius of the kernel decay less.
 * - Friction at solids: the pair sum beyond the surface with a velocity that is extrapolated
 *   linearly through that of the solid, in the form of sph/wall_friction.h. Its target retains
 *   (1 + xi)/2 of the velocity relative to the solid, as a shear flow does.
 */
#include "fluid/kernel/lanes.h"
#include "fluid/viscosity/implicit.h"
#include "fluid/viscosity/viscosity.h"
#include "math/lane_sums.h"
#include "math/portable.h"
#include "math/symmetric.h"

#define STIFFNESS 1000.0

/* Directions with less of the neighbours' second moment have no gradient. */
#define THIN 0.02

enum { COLUMNS = 3 };

typedef struct peer2015 {
    double xi, wall;
    mo_implicit_def base;
} peer2015;

static const mo_param PARAMS[] = {
    {"xi", MO_REAL, MO_FIELD(peer2015, xi), .initial = "0.5", .range = "[0, 0.95]",
     .doc = "Fraction of the shear rate retained in every step; 0 leaves rigid motions only."},
    {"wall", MO_REAL, MO_FIELD(peer2015, wall), .initial = "1", .range = "[0, 1]",
     .doc = "Friction at the boundary: 1 is no slip, 0 free slip."},
    {"tolerance", MO_REAL, MO_FIELD(peer2015, base.tolerance), .initial = "0.001",
     .range = "(0, 1)",
     .doc = "Estimated rms error of the velocity at which the solver stops, relative to the rms "
            "change of the velocity by viscosity in the step."},
    {"max_iterations", MO_INT, MO_FIELD(peer2015, base.max_iterations), .initial = "200",
     .range = "[1, 100000]", .doc = "Maximum number of iterations per step."},
    {0}};

/* weight: STIFFNESS w_ij, one per index of the lists; column: local and ghost particles, the
 * columns of T; right: rows */
typedef struct peer2015_state {
    mo_implicit implicit;
    float *weight, *column[COLUMNS], *right;
    int64_t weight_capacity, column_capacity[COLUMNS], right_capacity;
    double moment; /* of a lattice: sum_j w_ij x^2 along an axis [m^2] */
} peer2015_state;

typedef struct targeting {
    peer2015_state *state;
    const mo_fluid *fluid;
    double xi;
    bool mixed;
} targeting;

/* ---- weights ---- */

/* m_i w_ij is symmetric: for phases of several densities with their harmonic mean. */
MO_INLINE mo_f8 density_ratio(const mo_fluid *f, int64_t row, const int32_t *j)
{
    mo_f8 own = mo_f8_set(f->specific[row]), other = {0};
    for (int lane = 0; lane < 8; ++lane) {
        other[lane] = f->specific[j[lane]];
    }
    return 2 * own / (own + other);
}

MO_INLINE void weigh_rows(mo_kernel_form form, const targeting *c, int64_t first, int64_t last)
{
    const mo_i8 lanes = {0, 1, 2, 3, 4, 5, 6, 7};
    const mo_fluid *f = c->fluid;
    mo_kernel kernel = f->kernel;
    float inverse_square = (float)(1 / (f->support * f->support));
    for (int64_t row = first; row < last; ++row) {
        mo_f8 sum = {0};
        float *block = c->state->implicit.block + 6 * row;
        mo_fluid_row r = mo_fluid_row_of(f, row);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_fluid_pairs p = mo_fluid_differences(&r, f->packed, f->lists->index + at);
            mo_f8 q2 = (p.x * p.x + p.y * p.y + p.z * p.z) * inverse_square;
            mo_f8 w = (float)STIFFNESS * p.own * mo_form_w8(form, &kernel, q2);
            w = c->mixed ? w * density_ratio(f, row, p.j) : w;
            int64_t left = r.last - at;
            w = (mo_f8)((lanes < (int32_t)(left < 8 ? left : 8)) & (mo_i8)w);
            mo_f8_store(c->state->weight + at, w);
            sum += w;
        }
        for (int k = 0; k < 6; ++k) {
            block[k] = k < 3 ? mo_f8_sum(sum) : 0;
        }
    }
}

static void weigh_range(void *context, int64_t first, int64_t last)
{
    const targeting *c = context;
    MO_KERNEL_CALL(c->fluid->kernel.form, weigh_rows, c, first, last);
}

/* ---- targets ---- */

/* Sums of a row over its neighbours: w x x, and w u x of each component of u = v_ij. */
typedef struct moments {
    mo_f8 x[6], u[COLUMNS][3];
} moments;

MO_INLINE moments moments_of(const targeting *c, int64_t row)
{
    moments sum = {0};
    const mo_fluid *f = c->fluid;
    const float *v = f->velocity + 4 * row;
    mo_fluid_row r = mo_fluid_row_of(f, row);
    for (int64_t at = r.first; at < r.last; at += 8) {
        mo_f8 other[4], w = mo_f8_load(c->state->weight + at);
        mo_fluid_pairs p = mo_fluid_differences(&r, f->packed, f->lists->index + at);
        mo_f8_load4(f->velocity, p.j, other);
        mo_f8 x = w * p.x, y = w * p.y, z = w * p.z;
        sum.x[0] += x * p.x;
        sum.x[1] += y * p.y;
        sum.x[2] += z * p.z;
        sum.x[3] += x * p.y;
        sum.x[4] += x * p.z;
        sum.x[5] += y * p.z;
        for (int k = 0; k < 3; ++k) {
            mo_f8 u = v[k] - other[k];
            sum.u[k][0] += u * x;
            sum.u[k][1] += u * y;
            sum.u[k][2] += u * z;
        }
    }
    return sum;
}

/* The rotation w of sum_j w_ij x_ij x (v_ij - w x x_ij) = 0. */
static void rotation_of(const double m[6], double u[3][3], double w[3])
{
    const double inertia[6] = {m[1] + m[2], m[0] + m[2], m[0] + m[1], -m[3], -m[4], -m[5]};
    const double torque[3] = {u[2][1] - u[1][2], u[0][2] - u[2][0], u[1][0] - u[0][1]};
    mo_symmetric_solve(inertia, torque, w);
}

/* T of a row with the second moment m and the products u[k][c] = sum_j w_ij v_ij,k x_ij,c. */
static void aim(double xi, const double m[6], double u[3][3], double t[3][3])
{
    double w[3], trace = m[0] + m[1] + m[2];
    double expansion = trace > 0 ? (u[0][0] + u[1][1] + u[2][2]) / trace : 0;
    rotation_of(m, u, w);
    const double rigid[3][3] = {
        {expansion, -w[2], w[1]}, {w[2], expansion, -w[0]}, {-w[1], w[0], expansion}};
    for (int k = 0; k < 3; ++k) {
        mo_symmetric_solve_above(THIN, m, u[k], t[k]); /* the gradient of component k */
        for (int c = 0; c < 3; ++c) {
            t[k][c] = xi * t[k][c] + (1 - xi) * rigid[k][c];
        }
    }
}

static void target_rows(void *context, int64_t first, int64_t last)
{
    const targeting *c = context;
    for (int64_t row = first; row < last; ++row) {
        moments sum = moments_of(c, row);
        double m[6], u[3][3], t[3][3];
        for (int k = 0; k < 6; ++k) {
            m[k] = (double)mo_f8_sum(sum.x[k]);
        }
        for (int k = 0; k < 9; ++k) {
            u[k / 3][k % 3] = (double)mo_f8_sum(sum.u[k / 3][k % 3]);
        }
        aim(c->xi, m, u, t);
        for (int column = 0; column < COLUMNS; ++column) {
            float *out = c->state->column[column] + 4 * row;
            for (int k = 0; k < 4; ++k) {
                out[k] = k < 3 ? (float)t[k][column] : 0;
            }
        }
    }
}

/* right_i = -STIFFNESS sum_j w_ij (v_ij - (T_i + T_j)/2 x_ij) */
static void right_rows(void *context, int64_t first, int64_t last)
{
    const targeting *c = context;
    const mo_fluid *f = c->fluid;
    for (int64_t row = first; row < last; ++row) {
        mo_f8 sum[3] = {{0}};
        const float *v = f->velocity + 4 * row;
        mo_fluid_row r = mo_fluid_row_of(f, row);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_f8 o[4], t[COLUMNS][4];
            mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
            mo_f8 w = mo_f8_load(c->state->weight + at), x[3] = {p.x, p.y, p.z};
            mo_f8_load4(f->velocity, p.j, o);
            for (int m = 0; m < COLUMNS; ++m) {
                mo_f8_load4(c->state->column[m], p.j, t[m]);
            }
            for (int k = 0; k < 3; ++k) {
                mo_f8 target = {0};
                for (int m = 0; m < COLUMNS; ++m) {
                    target += 0.5f * (c->state->column[m][4 * row + k] + t[m][k]) * x[m];
                }
                sum[k] -= w * (v[k] - o[k] - target);
            }
        }
        mo_f4_store(c->state->right + 4 * row, mo_f8_sum4(sum[0], sum[1], sum[2], (mo_f8){0}));
    }
}

/* ---- products ---- */

typedef struct multiplying {
    const mo_fluid *fluid;
    const float *weight, *u;
    float *out;
} multiplying;

/* out_i = STIFFNESS sum_j w_ij (u_i - u_j) */
static void multiply_rows(void *context, int64_t first, int64_t last)
{
    const multiplying *m = context;
    const mo_fluid *f = m->fluid;
    for (int64_t row = first; row < last; ++row) {
        const float *u = m->u + 4 * row;
        mo_f8 x = {0}, y = {0}, z = {0};
        for (int64_t at = f->lists->start[row]; at < f->lists->start[row] + f->lists->count[row];
             at += 8) {
            mo_f8 other[4], w = mo_f8_load(m->weight + at);
            mo_f8_load4(m->u, f->lists->index + at, other);
            x += w * (u[0] - other[0]);
            y += w * (u[1] - other[1]);
            z += w * (u[2] - other[2]);
        }
        mo_f4_store(m->out + 4 * row, mo_f8_sum4(x, y, z, (mo_f8){0}));
    }
}

static void peer2015_product(const void *context, mo_fluid *f, const float *u, float *out)
{
    const peer2015_state *s = context;
    multiplying m = {f, s->weight, u, out};
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, multiply_rows, &m);
}

/* ---- the method ---- */

static mote_status reserve(peer2015_state *s, mo_fluid *f, mote_error *error)
{
    MO_TRY(mo_reserve(f->memory, &s->weight, &s->weight_capacity, f->gradient_factor_capacity,
                      sizeof(float), error));
    MO_TRY(mo_reserve(f->memory, &s->right, &s->right_capacity, 4 * f->rows, sizeof(float), error));
    for (int k = 0; k < COLUMNS; ++k) {
        MO_TRY(mo_reserve(f->memory, &s->column[k], &s->column_capacity[k], 4 * f->slots + 4,
                          sizeof(float), error));
    }
    return MOTE_OK;
}

static mote_status peer2015_solve(mo_instance *self, mo_fluid *f, double h, mote_error *error)
{
    const peer2015 *p = self->method.params;
    peer2015_state *s = self->state;
    targeting c = {s, f, p->xi, mo_fluid_mixed(f)};
    mo_implicit_def def = p->base;
    MO_TRY(mo_implicit_begin(&s->implicit, f, error));
    MO_TRY(reserve(s, f, error));
    mo_fluid_pack_numbers(f, f->volume);
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, weigh_range, &c);
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, target_rows, &c);
    for (int k = 0; k < COLUMNS; ++k) {
        mo_fluid_spread4(f, s->column[k]);
    }
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, right_rows, &c);
    /* what the sum over a half space transmits, half of the moment, as a viscosity */
    s->implicit.right = s->right;
    s->implicit.kept = (float)(0.5 * (1 + p->xi));
    def.wall = p->xi < 1 ? p->wall * STIFFNESS * 0.5 * s->moment / h : 0;
    return mo_implicit_solve(&s->implicit, self, &def, f, h, peer2015_product, s, error);
}

/* sum_j V_j W x^2 along an axis of a square or cubic lattice. */
static double lattice_moment(const mo_fluid *f)
{
    double spacing = f->spacing / f->support, sum = 0;
    int reach = (int)ceil(1 / spacing), flat = f->dimension == 3 ? reach : 0;
    for (int x = -reach; x <= reach; ++x) {
        for (int y = -reach; y <= reach; ++y) {
            for (int z = -flat; z <= flat; ++z) {
                double r = spacing * sqrt((double)(x * x + y * y + z * z));
                sum += r < 1 ? x * x * mo_kernel_w(&f->kernel, r) : 0;
            }
        }
    }
    return sum * mo_power(spacing, f->dimension) * f->spacing * f->spacing;
}

static mote_status peer2015_create(mo_instance *self, mo_fluid *f, mote_error *error)
{
    peer2015_state *s = self->state;
    s->moment = lattice_moment(f);
    return mo_implicit_create(&s->implicit, &(mo_implicit_def){0}, f, error);
}

static void peer2015_destroy(mo_instance *self, mo_fluid *f)
{
    peer2015_state *s = self->state;
    mo_release(f->memory, s->weight);
    mo_release(f->memory, s->right);
    for (int k = 0; k < COLUMNS; ++k) {
        mo_release(f->memory, s->column[k]);
    }
    mo_implicit_release(&s->implicit, f);
}

const mo_viscosity_type mo_viscosity_peer2015 = {
    .base = {.name = "peer2015",
             .summary =
                 "Implicit, by a target velocity gradient with a fraction of the shear rate: up to "
                 "rigid motion in every step; no physical units.",
             .citation = "Peer, Ihmsen, Cornelis, Teschner 2015, ACM Trans. Graph. 34, 114",
             .departs =
                 "A least-squares velocity gradient; a small inertia determines rigid motions; "
                 "boundaries by the implicit friction of all boundary methods; the solver stops by "
                 "an estimate of the velocity error.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(peer2015),
             .params = PARAMS,
             .columns = mo_implicit_columns},
    .hooks = {.state_size = sizeof(peer2015_state),
              .create = peer2015_create,
              .destroy = peer2015_destroy},
    .solve = peer2015_solve,
};
