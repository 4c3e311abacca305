/*
 * Explicit viscosity by the Laplacian of the velocity, in the form that is made of pairwise forces along x_ij,
 *     a_i = 2 (d + 2) nu sum_j V_ij (v_ij . x_ij)/|x_ij|^2 grad W_ij,    V_ij = 2 V_j/(delta_i + delta_j),
 * J. Monaghan 1992, Annu. Rev. Astron. Astrophys. 30, 543, with the factor 2 (d + 2) of P. Cleary, J. Monaghan 1999. It
 * is zero for rigid motions and keeps linear and angular momentum. nu is the kinematic viscosity in m^2/s. Walls are
 * samples like particles, with the walls' velocity and a viscosity of their own (`wall`).
 * Departs from the papers: the mean of both densities, so that the force is symmetric; no 0.01 R^2 beside |x_ij|^2, which
 * would lower the viscosity by 3 to 8 %.
 * It is stable for h < 0.03 R^2/nu or so.
 */
#include "fluid/viscosity/viscosity.h"

typedef struct laplacian {
    double nu, wall;
} laplacian;

static const mo_param PARAMS[] = {
    {"nu", MO_REAL, MO_FIELD(laplacian, nu), .unit = "m^2/s", .initial = "1e-6", .range = "[0, inf)",
     .doc = "Kinematic viscosity; 1e-6 is that of water."},
    {"wall", MO_REAL, MO_FIELD(laplacian, wall), .unit = "m^2/s", .range = "[0, inf)",
     .doc = "Viscosity between the fluid and walls: nu if left out (the fluid sticks), 0 lets it slip."},
    {0}};

typedef struct friction {
    const mo_fluid *fluid;
    double *a;
    float nu, wall;
} friction;

/* factor V_j (v_ij . x_ij)/r^2 grad W, of eight pairs */
MO_INLINE void rub(const mo_fluid_pairs *p, const float *v, const float *others, mo_f8 factor, mo_f8 sum[3])
{
    mo_f8 other[4], r2 = p->x * p->x + p->y * p->y + p->z * p->z;
    mo_f8_load4(others, p->j, other);
    mo_f8 along = (v[0] - other[0]) * p->x + (v[1] - other[1]) * p->y + (v[2] - other[2]) * p->z;
    mo_f8 strength = mo_f8_select(r2 > 0, factor * p->slope * along / r2, mo_f8_set(0));
    sum[0] += strength * p->x;
    sum[1] += strength * p->y;
    sum[2] += strength * p->z;
}

static void add_rows(void *context, int64_t first, int64_t last)
{
    const friction *c = context;
    const mo_fluid *f = c->fluid;
    for (int64_t row = first; row < last; ++row) {
        mo_f8 sum[3] = {{0}}, own = mo_f8_set(f->density[row]);
        const float *v = f->velocity + 4 * row;
        mo_fluid_row r = mo_fluid_row_of(f, row);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
            rub(&p, v, f->velocity, 2 * c->nu / (own + p.own), sum);
        }
        if (c->wall > 0 && f->walls.lists && f->walls.lists->count[row] > 0) {
            r = mo_fluid_wall_row_of(f, row);
            for (int64_t at = r.first; at < r.last; at += 8) {
                mo_fluid_pairs p = mo_fluid_wall_pairs_at(f, &r, at);
                rub(&p, v, f->walls.velocity, c->wall / own, sum);
            }
        }
        for (int k = 0; k < 3; ++k) {
            c->a[3 * row + k] += (double)mo_f8_sum(sum[k]);
        }
    }
}

static mote_status add(void *instance, const void *params, mo_fluid *f, double h, mote_error *error)
{
    (void)instance, (void)h, (void)error;
    const laplacian *l = params;
    double factor = 2 * (f->dimension + 2);
    friction c = {f, mo_f64(f->columns.a), (float)(factor * l->nu),
                  (float)(factor * (isnan(l->wall) ? l->nu : l->wall))};
    mo_fluid_pack_numbers(f, f->density);
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, add_rows, &c);
    return MOTE_OK;
}

static double limit(const void *params, const mo_fluid *f)
{
    const laplacian *l = params;
    double nu = fmax(l->nu, isnan(l->wall) ? l->nu : l->wall);
    return nu > 0 ? 0.03 * f->support * f->support / nu : INFINITY;
}

const mo_viscosity_type mo_viscosity_laplacian = {
    .base = {.name = "laplacian",
             .summary = "Explicit, by the Laplacian of the velocity; in physical units.",
             .citation =
                 "Monaghan 1992, Annu. Rev. Astron. Astrophys. 30, 543; Cleary, Monaghan 1999, J. Comput. "
                 "Phys. 148, 227",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(laplacian),
             .params = PARAMS},
    .add = add,
    .limit = limit,
};
