/*
 * Surface tension by cohesion and minimisation of the area, N. Akinci, G. Akinci, M. Teschner 2013,
 * Versatile surface tension and adhesion for SPH fluids, ACM Trans. Graph. 32, 182, eqs. 1 to 7:
 *     a_i = -gamma sum_j K_ij (m_j C(r) x_ij/r + n_i - n_j),    K_ij = 2/(delta_i + delta_j),
 *     n_i = R sum_j (V_j/delta_j) grad W_ij,    R the support,
 *     C(r) = 32/(pi R^9) ((R - r)^3 r^3 for 2 r > R, 2 (R - r)^3 r^3 - R^6/64 below).
 * gamma is no tension in N/m: what it amounts to follows from the pressure of a drop
 * (docs/fluids.md). Forces are equal and opposite; those of the area term are not central, so that
 * angular momentum is not conserved. Solids attract with
 *     a_i = -adhesion rho0 sum_b V_b A(r) x_ib/r,
 *     A(r) = 0.007/R^3.25 (-4 r^2/R + 6 r - 2 R)^(1/4) for 2 r > R.
 *
 * Departs from the paper: pairs of different masses have the harmonic mean of both in the area term
 * and the mean of both rest densities in K, so that their forces are opposite too; the sum over
 * boundary particles is the integral over the half space of the solid at the row's distance d,
 *     pi integral from d to R of A(r) (r^2 - d^2) dr,
 * the same for every boundary method. The area term is that of the paper also where solids are
 * near: normals are those of the fluid and the solid together.
 */
#include "fluid/kernel/lanes.h"
#include "fluid/sph/reaction.h"
#include "fluid/surface_tension/surface_tension.h"
#include "math/lane_sums.h"
#include "math/portable.h"

#include <math.h>

enum { NODES = 64 };

static const double PI = 3.14159265358979323846;

typedef struct akinci2013 {
    double gamma, adhesion;
} akinci2013;

static const mo_param PARAMS[] = {
    {"gamma", MO_REAL, MO_FIELD(akinci2013, gamma), .unit = "m^3/(kg s^2)", .initial = "1",
     .range = "[0, inf)",
     .doc = "Coefficient of cohesion and of the area term; its effective tension depends on the "
            "spacing and the support."},
    {"adhesion", MO_REAL, MO_FIELD(akinci2013, adhesion), .unit = "m^3/(kg s^2)", .initial = "0",
     .range = "[0, inf)", .doc = "Coefficient beta of the attraction by solids."},
    {0}};

/* normal: particles x (n, delta); pull: the integral of A over the half space at the distance
 * k R/NODES, times its density [m]; stiffness: the bound of omega^2/gamma */
typedef struct akinci2013_state {
    float *normal;
    int64_t normal_capacity;
    double pull[NODES + 1], stiffness;
} akinci2013_state;

typedef struct cohering {
    mo_fluid *fluid;
    akinci2013_state *state;
    double gamma, adhesion;
    double *a;
} cohering;

/* ---- normals ---- */

static void invert_rows(void *context, int64_t first, int64_t last)
{
    const cohering *c = context;
    for (int64_t row = first; row < last; ++row) {
        c->fluid->source[row] = 1 / c->fluid->total_density[row];
    }
}

static void mass_rows(void *context, int64_t first, int64_t last)
{
    const cohering *c = context;
    for (int64_t row = first; row < last; ++row) {
        c->fluid->source[row] = (float)mo_f64(c->fluid->columns.mass)[row];
    }
}

static void normal_rows(void *context, int64_t first, int64_t last)
{
    const cohering *c = context;
    const mo_fluid *f = c->fluid;
    for (int64_t row = first; row < last; ++row) {
        mo_f8 x = {0}, y = {0}, z = {0};
        const float *wall = f->wall + 4 * row;
        mo_fluid_row r = mo_fluid_row_of(f, row);
        mo_fluid_prefetch(f, row);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
            mo_f8 g = p.gradient_factor * p.own;
            x += g * p.x;
            y += g * p.y;
            z += g * p.z;
        }
        mo_f4 sum = mo_f8_sum4(x, y, z, (mo_f8){0}) + (mo_f4){wall[0], wall[1], wall[2], 0};
        sum *= (float)f->support;
        sum[3] = f->total_density[row];
        mo_f4_store(c->state->normal + 4 * row, sum);
    }
}

/* ---- forces ---- */

/* C(r)/r R^4 for q = r/R; beyond the support and at the centre 0. */
MO_INLINE mo_f8 cohesion(mo_f8 q)
{
    mo_f8 product = (1 - q) * q, cube = product * product * product;
    mo_f8 value = mo_f8_select(q > 0.5f, cube, 2 * cube - 1.0f / 64);
    return mo_f8_select((q > 0) & (q < 1), (float)(32 / PI) * value / q, mo_f8_set(0));
}

static void cohere_rows(void *context, int64_t first, int64_t last)
{
    const cohering *c = context;
    const mo_fluid *f = c->fluid;
    const double *mass = mo_f64(f->columns.mass);
    float scale = (float)(1 / f->support), power = scale * scale * scale * scale;
    for (int64_t row = first; row < last; ++row) {
        const float *n = c->state->normal + 4 * row;
        float m = (float)mass[row];
        mo_f8 x = {0}, y = {0}, z = {0};
        mo_fluid_row r = mo_fluid_row_of(f, row);
        mo_fluid_prefetch(f, row);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_f8 o[4];
            mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
            mo_f8_load4(c->state->normal, p.j, o);
            mo_f8 q = scale * mo_f8_sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
            mo_f8 k = mo_f8_select(p.gradient_factor < 0, 2 / (n[3] + o[3]), mo_f8_set(0));
            mo_f8 along = k * p.own * power * cohesion(q), across = 2 * k * p.own / (m + p.own);
            x += along * p.x + across * (n[0] - o[0]);
            y += along * p.y + across * (n[1] - o[1]);
            z += along * p.z + across * (n[2] - o[2]);
        }
        mo_f4 sum = mo_f8_sum4(x, y, z, (mo_f8){0});
        for (int axis = 0; axis < 3; ++axis) {
            c->a[3 * row + axis] -= c->gamma * (double)sum[axis];
        }
    }
}

/* ---- adhesion ---- */

/* The table of the integral of A over a half space, for distances in supports. */
static void make_pull(akinci2013_state *s, double support)
{
    enum { CELLS = 200 };
    double scale = 0.007 / (mo_power(support, 3) * sqrt(sqrt(support)));
    for (int k = 0; k <= NODES; ++k) {
        double d = support * k / NODES, from = fmax(d, 0.5 * support), sum = 0;
        double width = (support - from) / CELLS;
        for (int i = 0; i < CELLS; ++i) {
            double r = from + (i + 0.5) * width;
            double root = sqrt(sqrt(fmax(0, -4 * r * r / support + 6 * r - 2 * support)));
            sum += root * (r * r - d * d) * width;
        }
        s->pull[k] = scale * PI * sum;
    }
}

/* The force of a row on a solid. */
static mo_vec3 adhesive_force(const void *context, const mo_fluid *f, int64_t row,
                              const mo_wall_entry *e)
{
    const cohering *c = context;
    double s = fmax(0, (double)e->distance / f->support * NODES), pull = 0;
    if (s < NODES) {
        int k = (int)s;
        pull = c->state->pull[k] + (s - k) * (c->state->pull[k + 1] - c->state->pull[k]);
    }
    double strength = c->adhesion * pull * mo_f64(f->columns.mass)[row] / (double)f->specific[row];
    return mo_scale(strength,
                    mo_vec3_make((double)e->normal[0], (double)e->normal[1], (double)e->normal[2]));
}

static void adhere_rows(void *context, int64_t first, int64_t last)
{
    const cohering *c = context;
    const mo_fluid *f = c->fluid;
    const double *mass = mo_f64(f->columns.mass);
    for (int64_t row = first; row < last; ++row) {
        for (int64_t k = f->walls.first[row]; k < f->walls.first[row + 1]; ++k) {
            mo_vec3 force = adhesive_force(c, f, row, &f->walls.entries[k]);
            mo_vec3 a = mo_vec3_load(c->a + 3 * row);
            mo_vec3_store(c->a + 3 * row, mo_add_scaled(a, -1 / mass[row], force));
        }
    }
}

static mote_status adhere(cohering *c, double h, mote_error *error)
{
    mo_fluid *f = c->fluid;
    if (!(c->adhesion > 0) || f->walls.piece_count == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_wall_entries_need(f, error));
    if (f->walls.entry_count <= 0) {
        return MOTE_OK;
    }
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, adhere_rows, c);
    return mo_fluid_react_forces(f, adhesive_force, c, h, error);
}

/* ---- the method ---- */

static mote_status akinci2013_accelerate(mo_instance *self, mo_fluid *f, double h,
                                         mote_error *error)
{
    const akinci2013 *p = self->method.params;
    akinci2013_state *s = self->state;
    cohering c = {f, s, p->gamma, p->adhesion, mo_f64(f->columns.a)};
    MO_TRY(mo_reserve(f->memory, &s->normal, &s->normal_capacity, 4 * f->slots + 4, sizeof(float),
                      error));
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, invert_rows, &c);
    mo_fluid_pack_numbers(f, f->source);
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, normal_rows, &c);
    mo_fluid_spread4(f, s->normal);
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, mass_rows, &c);
    mo_fluid_pack_numbers(f, f->source);
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, cohere_rows, &c);
    return adhere(&c, h, error);
}

/* ---- the step ---- */

/* |C'| or |C|/r, the larger one, in units of 1/R^4, for q = r/R in (0, 1). */
static double cohesion_stiffness(double q)
{
    double product = (1 - q) * q, square = product * product, cube = product * square;
    double slope = 3 * square * (1 - 2 * q), twice = q > 0.5 ? 1 : 2;
    double value = twice * cube - (q > 0.5 ? 0 : 1.0 / 64);
    return 32 / PI * fmax(fabs(twice * slope), fabs(value) / q);
}

/* The sums over the neighbours of a lattice in the bound of omega^2/gamma. A pair force with the
 * stiffness k_ij = max(|f'|, |f|/r) has the eigenvalues v^T K v <= sum of pairs k_ij |v_i - v_j|^2
 * <= 2 max_i (sum_j k_ij/m_i) m v^2. The area term is the product of two such sums: over N
 * neighbours of n_i - n_j, and of the Hessians of W in dn_i = R sum V (H_ij (dx_i - dx_j)). */
static double lattice_stiffness(const mo_fluid *f, double density)
{
    double spacing = f->spacing / f->support, cohesion = 0, hessian = 0, neighbors = 0;
    int reach = (int)ceil(1 / spacing);
    for (int k = 0; k < (2 * reach + 1) * (2 * reach + 1) * (2 * reach + 1); ++k) {
        int side = 2 * reach + 1, x = k % side - reach, y = k / side % side - reach,
            z = k / side / side - reach;
        double q = spacing * sqrt((double)(x * x + y * y + z * z));
        if (q > 0 && q < 1) {
            double first = mo_kernel_gradient(&f->kernel, q);
            double second = mo_kernel_laplacian(&f->kernel, q) - 2 * first;
            cohesion += cohesion_stiffness(q);
            hessian += fmax(fabs(first), fabs(second));
            neighbors += 1;
        }
    }
    double volume = mo_power(spacing, 3);
    return (2 * density * volume * cohesion + 4 * neighbors * volume * hessian) / f->support;
}

static mote_status akinci2013_create(mo_instance *self, mo_fluid *f, mote_error *error)
{
    akinci2013_state *s = self->state;
    double most = 0;
    (void)error;
    for (int k = 0; k < f->phase_count; ++k) {
        most = fmax(most, f->phases[k].density);
    }
    make_pull(s, f->support);
    s->stiffness = lattice_stiffness(f, most);
    return MOTE_OK;
}

static void akinci2013_destroy(mo_instance *self, mo_fluid *f)
{
    mo_release(f->memory, ((akinci2013_state *)self->state)->normal);
}

/* omega h = 1, half of the stability limit: the sums are those of a lattice, and forces that are
 * not conservative heat the fluid from about there on. */
static double akinci2013_limit(const mo_instance *self, const mo_fluid *f)
{
    const akinci2013 *p = self->method.params;
    const akinci2013_state *s = self->state;
    double square = p->gamma * s->stiffness;
    (void)f;
    return square > 0 ? 1 / sqrt(square) : INFINITY;
}

const mo_surface_tension_type mo_surface_tension_akinci2013 = {
    .base = {.name = "akinci2013",
             .summary = "Cohesion between particles and minimisation of the surface area, in three "
                        "dimensions; adhesion to solids. Not in physical units.",
             .citation = "Akinci, Akinci, Teschner 2013, ACM Trans. Graph. 32, 182",
             .departs = "Pairs of different masses have means of both; solids attract by the "
                        "integral over their half space instead of a sum over boundary particles, "
                        "and are part of the normals.",
             .capabilities = MO_PORTABLE | MO_SURFACE_TENSION_SPATIAL,
             .param_size = sizeof(akinci2013),
             .params = PARAMS},
    .hooks = {.state_size = sizeof(akinci2013_state),
              .create = akinci2013_create,
              .destroy = akinci2013_destroy},
    .accelerate = akinci2013_accelerate,
    .limit = akinci2013_limit,
};
