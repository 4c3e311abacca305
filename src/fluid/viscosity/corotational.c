/*
 * Explicit viscosity in the frame that rotates with the local flow,
 *     m_i a_i = -sum_j K_ij (g_i (v_ij - w_i x x_ij) + g_j (v_ij - w_j x x_ij))/2,
 *     K_ij = 4 V_i V_j mu_ij |G_ij|,    g_i = 1/max(D_i, 1/2),    D_i = sum_j V_j |G_ij| x_ij^2/d,
 * grad W_ij = G x_ij, mu_ij the harmonic mean of rho0 nu of both particles (P. Cleary, J. Monaghan
 * 1999, J. Comput. Phys. 148, 227), and w_i the rotation that fits the motion of the neighbours
 * best:
 *     sum_j K_ij x_ij x (v_ij - w_i x x_ij) = 0.
 * It is the form of J. Morris, P. Fox, Y. Zhu 1997, J. Comput. Phys. 136, 214, without the rotation
 * and with twice its coefficient: these dissipate 2 nu E : E and nu (E : E + |curl v|^2/2), E the
 * rate of strain, which are the same but for the surface. D_i is 1 in the limit of many neighbours.
 *
 * At boundaries the neighbourhood of fluid alone is one-sided and its fit biased; there w = 0 and g
 * = 1/(2 D) of a lattice, Morris's form, which the friction of the boundary completes.
 *
 * Each half of a force has no torque in sum over the neighbours, so that angular momentum is
 * conserved to rounding away from boundaries, and rigid rotation is not damped; forces are equal
 * and opposite. On square and cubic lattices the viscosity is nu in every direction with any
 * kernel. The matrix of the forces is 1/2 sum_i g_i P_i^T K P_i with P_i the projection orthogonal
 * to rotations: symmetric, positive semidefinite, and not above that without rotations, whose
 * damping rates bound the step (docs/fluids.md).
 */
#include "fluid/viscosity/corotational.h"
#include "fluid/sph/wall_friction.h"
#include "fluid/viscosity/shear.h"
#include "fluid/viscosity/viscosity.h"
#include "math/portable.h"
#include "math/symmetric.h"

#include <math.h>

enum { GRAIN = 4096 };

typedef struct corotational {
    double nu, wall;
    mo_method law;
} corotational;

static const mo_param PARAMS[] = {
    {"nu", MO_REAL, MO_FIELD(corotational, nu), .unit = "m^2/s", .initial = "1e-6",
     .range = "[0, inf)", .doc = "Kinematic viscosity; 1e-6 is that of water."},
    {"wall", MO_REAL, MO_FIELD(corotational, wall), .unit = "m^2/s", .range = "[0, inf)",
     .doc =
         "Kinematic viscosity between the fluid and the boundary; default: that of the particles "
         "at it (no slip); 0 is free slip."},
    {"law", MO_METHOD, MO_FIELD(corotational, law), .family = &mo_rheologies,
     .doc = "Viscosity by the shear rate, with nu as its scale; default: a Newtonian fluid."},
    {0}};

/* spin: particles x (g w, g) */
typedef struct corotational_state {
    mo_shear shear;
    float *spin;
    double lattice; /* half of 1/D of a lattice: g at boundaries */
    int64_t spin_capacity;
} corotational_state;

typedef struct rotating {
    mo_fluid *fluid;
    corotational_state *state;
    double nu; /* where it is that of all */
    double *a;
    float *rate;
    bool mixed;
} rotating;

/* ---- weights ---- */

/* Of eight pairs K_ij/m_i and, in `inertia`, 1 + m_i/m_j. */
MO_INLINE mo_f8 weight_of(bool mixed, const rotating *c, int64_t row, const mo_fluid_pairs *p,
                          mo_f8 *inertia)
{
    if (!mixed) {
        *inertia = mo_f8_set(2);
        return (float)(-4 * c->nu) * p->gradient_factor;
    }
    mo_f8 own = mo_f8_set(c->state->shear.mu[row]), other = {0}, specific = {0};
    for (int lane = 0; lane < 8; ++lane) {
        other[lane] = c->state->shear.mu[p->j[lane]];
        specific[lane] = c->fluid->specific[p->j[lane]];
    }
    mo_f8 sum = own + other, mean = mo_f8_select(sum > 0, 2 * own * other / sum, mo_f8_set(0));
    *inertia = 1 + specific / c->fluid->specific[row];
    return -4 * c->fluid->specific[row] * mean * p->gradient_factor;
}

/* ---- rotations ---- */

/* J w = L; undetermined directions are omitted. */
static mo_vec3 spin_of(const double j[6], const double l[3])
{
    double w[3];
    mo_symmetric_solve(j, l, w);
    return mo_vec3_load(w);
}

/* Sums over the neighbours of a row: those of J, L and D. */
typedef struct turning {
    mo_f8 inertia[6], momentum[3], size;
} turning;

MO_INLINE void turn(const mo_fluid_pairs *p, const float *v, const mo_f8 o[4], mo_f8 k,
                    turning *sum)
{
    mo_f8 x = k * p->x, y = k * p->y, z = k * p->z, xx = x * p->x, yy = y * p->y, zz = z * p->z;
    mo_f8 u[3] = {v[0] - o[0], v[1] - o[1], v[2] - o[2]};
    sum->inertia[0] += yy + zz;
    sum->inertia[1] += xx + zz;
    sum->inertia[2] += xx + yy;
    sum->inertia[3] -= x * p->y;
    sum->inertia[4] -= x * p->z;
    sum->inertia[5] -= y * p->z;
    sum->momentum[0] += y * u[2] - z * u[1];
    sum->momentum[1] += z * u[0] - x * u[2];
    sum->momentum[2] += x * u[1] - y * u[0];
    sum->size -= p->gradient_factor * (p->x * p->x + p->y * p->y + p->z * p->z);
}

MO_INLINE void spin_rows(bool mixed, const rotating *c, int64_t first, int64_t last)
{
    const mo_fluid *f = c->fluid;
    for (int64_t row = first; row < last; ++row) {
        turning sum = {0};
        double j[6], l[3];
        mo_fluid_row r = mo_fluid_row_of(f, row);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_f8 o[4], unused;
            mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
            mo_f8_load4(f->velocity, p.j, o);
            turn(&p, f->velocity + 4 * row, o, weight_of(mixed, c, row, &p, &unused), &sum);
        }
        for (int k = 0; k < 6; ++k) {
            j[k] = (double)mo_f8_sum(sum.inertia[k]);
            l[k % 3] = (double)mo_f8_sum(sum.momentum[k % 3]);
        }
        bool wall = mo_corotational_at_wall(f, row);
        double g =
            wall ? c->state->lattice
                 : 1 / fmax(MO_COROTATIONAL_FEWEST, (double)mo_f8_sum(sum.size) / f->dimension);
        mo_vec3 w = wall ? mo_vec3_make(0, 0, 0) : mo_scale(g, spin_of(j, l));
        float *spin = c->state->spin + 4 * row;
        spin[0] = (float)w.x;
        spin[1] = (float)w.y;
        spin[2] = (float)w.z;
        spin[3] = (float)g;
    }
}

static void spin_range(void *context, int64_t first, int64_t last)
{
    const rotating *c = context;
    if (c->mixed) {
        spin_rows(true, c, first, last);
    } else {
        spin_rows(false, c, first, last);
    }
}

/* ---- forces ---- */

MO_INLINE void rub_rows(bool mixed, const rotating *c, int64_t first, int64_t last)
{
    const mo_fluid *f = c->fluid;
    for (int64_t row = first; row < last; ++row) {
        mo_f8 sum[3] = {{0}}, bound = {0};
        const float *v = f->velocity + 4 * row, *w = c->state->spin + 4 * row;
        mo_fluid_row r = mo_fluid_row_of(f, row);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_f8 o[4], s[4], inertia;
            mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
            mo_f8_load4(f->velocity, p.j, o);
            mo_f8_load4(c->state->spin, p.j, s);
            mo_f8 k = 0.5f * weight_of(mixed, c, row, &p, &inertia), g = w[3] + s[3];
            mo_f8 wx = w[0] + s[0], wy = w[1] + s[1], wz = w[2] + s[2];
            sum[0] -= k * (g * (v[0] - o[0]) - (wy * p.z - wz * p.y));
            sum[1] -= k * (g * (v[1] - o[1]) - (wz * p.x - wx * p.z));
            sum[2] -= k * (g * (v[2] - o[2]) - (wx * p.y - wy * p.x));
            bound += k * g * inertia;
        }
        for (int axis = 0; axis < 3; ++axis) {
            c->a[3 * row + axis] += (double)mo_f8_sum(sum[axis]);
        }
        c->rate[row] = mo_f8_sum(bound);
    }
}

static void rub_range(void *context, int64_t first, int64_t last)
{
    const rotating *c = context;
    if (c->mixed) {
        rub_rows(true, c, first, last);
    } else {
        rub_rows(false, c, first, last);
    }
}

static mote_status corotational_accelerate(mo_instance *self, mo_fluid *f, double h,
                                           mote_error *error)
{
    const corotational *p = self->method.params;
    corotational_state *s = self->state;
    rotating c = {.fluid = f,
                  .state = s,
                  .nu = s->shear.nu[0],
                  .a = mo_f64(f->columns.a),
                  .rate = self->columns[MO_VISCOUS_RATE]->data,
                  .mixed = mo_shear_mixed(&s->shear, f)};
    mo_wall_friction wall = {.nu = mo_shear_wall(&s->shear, p->wall), .h = h, .rate = c.rate};
    MO_TRY(
        mo_reserve(f->memory, &s->spin, &s->spin_capacity, 4 * f->slots + 4, sizeof(float), error));
    MO_TRY(mo_shear_update(&s->shear, f, error));
    wall.of_row = mo_shear_wall_rows(&s->shear, p->wall);
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, spin_range, &c);
    mo_fluid_spread4(f, s->spin);
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, rub_range, &c);
    return mo_fluid_wall_friction(f, &wall, error);
}

/* D of a square or cubic lattice, with lengths in supports. */
static double lattice_moment(const mo_kernel *kernel, int dimension, double spacing)
{
    int reach = (int)ceil(1 / spacing), flat = dimension == 3 ? reach : 0;
    double sum = 0;
    for (int x = -reach; x <= reach; ++x) {
        for (int y = -reach; y <= reach; ++y) {
            for (int z = -flat; z <= flat; ++z) {
                double r = spacing * sqrt((double)(x * x + y * y + z * z));
                sum -= r > 0 && r < 1 ? r * r * mo_kernel_gradient(kernel, r) : 0;
            }
        }
    }
    return sum * mo_power(spacing, dimension) / dimension;
}

double mo_corotational_at_walls(const mo_fluid *f)
{
    return 0.5 / lattice_moment(&f->kernel, f->dimension, f->spacing / f->support);
}

static mote_status corotational_create(mo_instance *self, mo_fluid *f, mote_error *error)
{
    const corotational *p = self->method.params;
    corotational_state *s = self->state;
    s->lattice = mo_corotational_at_walls(f);
    return mo_shear_create(&s->shear, f, p->nu, p->law, error);
}

static void corotational_destroy(mo_instance *self, mo_fluid *f)
{
    corotational_state *s = self->state;
    mo_release(f->memory, s->spin);
    mo_shear_release(&s->shear, f);
}

const mo_viscosity_type mo_viscosity_corotational = {
    .base = {.name = "corotational",
             .summary =
                 "Explicit, in physical units, isotropic; conserves linear and angular momentum.",
             .citation = "ours, after Morris, Fox, Zhu 1997, J. Comput. Phys. 136, 214",
             .capabilities = MO_PORTABLE | MO_VISCOSITY_PHASES,
             .param_size = sizeof(corotational),
             .params = PARAMS,
             .columns = mo_viscosity_columns},
    .hooks = {.state_size = sizeof(corotational_state),
              .create = corotational_create,
              .destroy = corotational_destroy},
    .accelerate = corotational_accelerate,
    .limit = mo_viscosity_limit,
};

static const corotational OF_PHASES = {.wall = NAN};

const mo_method mo_viscosity_of_phases = {&mo_viscosity_corotational.base, &OF_PHASES};
