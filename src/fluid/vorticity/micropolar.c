/*
 * A micropolar fluid: particles rotate, with an angular velocity w of their own that exchanges
 * momentum with the flow, J. Bender, D. Koschier, T. Kugelstadt, M. Weiler 2017, A micropolar
 * material model for turbulent SPH fluids, Symp. Computer Animation, 4:
 *     a = T curl w,    theta dw/dt = zeta lap w + T (curl v - 2 w),
 * T = nu + nu_t the sum of the kinematic and the transfer viscosity, theta the microinertia. With
 * curl w in symmetric and curl v in difference form,
 *     m_i a_i = -T rho_ij sum_j V_i V_j (w_i/delta_i^2 + w_j/delta_j^2) x grad W_ij,
 *     curl v_i = (1/delta_i) sum_j V_j grad W_ij x (v_j - v_i),
 * linear momentum is conserved to rounding, and the two are adjoint: what the flow loses by w, the
 * rotations gain, sum_i m_i v_i . a_i = T sum_i (m_i/delta_i) w_i . curl v_i for one phase. Angular
 * momentum, that of the rotations included, is not conserved at a free surface.
 *
 * The total energy decreases by T |curl v - 2 w|^2/2 and increases by T |curl v|^2/2, against the
 * dissipation nu |curl v|^2 of the viscosity: eddies grow on their own where nu_t > nu.
 *
 * Departs from the paper: dynamic viscosities and these forms, with kinematic ones momentum is
 * lost; 2 T w is integrated implicitly; theta is that of balls of the spacing unless given. lap w
 * is 2 sum_j V_ij (w_i - w_j) G, V_ij = 2 V_j/(delta_i + delta_j).
 */
#include "fluid/vorticity/vorticity.h"
#include "math/lane_sums.h"

#include <math.h>

enum { GRAIN = 4096 };

typedef struct micropolar {
    double transfer, inertia, diffusion;
} micropolar;

static const mo_param PARAMS[] = {
    {"transfer", MO_REAL, MO_FIELD(micropolar, transfer), .unit = "m^2/s", .initial = "0.001",
     .range = "[0, inf)",
     .doc = "Sum of the kinematic and the transfer viscosity; above twice the kinematic viscosity "
            "eddies gain energy."},
    {"inertia", MO_REAL, MO_FIELD(micropolar, inertia), .unit = "m^2", .range = "(0, inf)",
     .doc = "Microinertia of a particle per mass; default: that of a ball of the spacing, 0.1 "
            "spacing^2."},
    {"diffusion", MO_REAL, MO_FIELD(micropolar, diffusion), .unit = "m^4/s", .initial = "0",
     .range = "[0, inf)", .doc = "Diffusion of angular velocities between particles, zeta."},
    {0}};

enum { SPIN };
static const mo_column_spec COLUMNS[] = {
    {"spin", MOTE_F64, 3, MO_STATE, "rad/s", "angular velocity of the particles"}, {0}};

/* packed: particles x (w/delta^2 or w, delta); curl: rows x (curl, |curl|) */
typedef struct micropolar_state {
    float *packed, *curl;
    int64_t packed_capacity, curl_capacity;
} micropolar_state;

typedef struct turning {
    mo_fluid *fluid;
    micropolar_state *state;
    double *w, *a;
    double transfer, inertia, diffusion, h;
    bool mixed, divided; /* divided: packed is w/delta^2 */
} turning;

static double inertia_of(const micropolar *p, const mo_fluid *f)
{
    return isnan(p->inertia) ? 0.1 * f->spacing * f->spacing : p->inertia;
}

/* ---- the force of rotations ---- */

static void pack_rows(void *context, int64_t first, int64_t last)
{
    const turning *c = context;
    for (int64_t row = first; row < last; ++row) {
        float delta = c->fluid->total_density[row], *out = c->state->packed + 4 * row;
        float scale = c->divided ? 1 / (delta * delta) : 1;
        for (int k = 0; k < 3; ++k) {
            out[k] = scale * (float)c->w[3 * row + k];
        }
        out[3] = delta;
    }
}

static void pack_spins(turning *c, bool divided)
{
    c->divided = divided;
    mo_parallel_for(c->fluid->pool, c->fluid->rows, GRAIN, pack_rows, c);
    mo_fluid_spread4(c->fluid, c->state->packed);
}

static void force_rows(void *context, int64_t first, int64_t last)
{
    const turning *c = context;
    const mo_fluid *f = c->fluid;
    for (int64_t row = first; row < last; ++row) {
        const float *w = c->state->packed + 4 * row;
        float specific = f->specific[row];
        mo_f8 sum[3] = {{0}};
        mo_fluid_row r = mo_fluid_row_of(f, row);
        mo_fluid_prefetch(f, row);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_f8 o[4];
            mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
            mo_f8_load4(c->state->packed, p.j, o);
            mo_f8 g = p.gradient_factor;
            if (c->mixed) { /* the harmonic mean of both rest densities over that of the row */
                g *= 2 * specific / (specific + p.own);
            }
            mo_f8 wx = w[0] + o[0], wy = w[1] + o[1], wz = w[2] + o[2];
            sum[0] += g * (wy * p.z - wz * p.y);
            sum[1] += g * (wz * p.x - wx * p.z);
            sum[2] += g * (wx * p.y - wy * p.x);
        }
        mo_f4 total = mo_f8_sum4(sum[0], sum[1], sum[2], (mo_f8){0});
        for (int k = 0; k < 3; ++k) {
            c->a[3 * row + k] -= c->transfer * (double)total[k];
        }
    }
}

static turning turning_of(mo_instance *self, mo_fluid *f, double h)
{
    const micropolar *p = self->method.params;
    return (turning){.fluid = f,
                     .state = self->state,
                     .w = mo_f64(self->columns[SPIN]),
                     .a = mo_f64(f->columns.a),
                     .transfer = p->transfer,
                     .inertia = inertia_of(p, f),
                     .diffusion = p->diffusion,
                     .h = h,
                     .mixed = mo_fluid_mixed(f)};
}

static mote_status micropolar_accelerate(mo_instance *self, mo_fluid *f, double h,
                                         mote_error *error)
{
    micropolar_state *s = self->state;
    turning c = turning_of(self, f, h);
    MO_TRY(mo_reserve(f->memory, &s->packed, &s->packed_capacity, 4 * f->slots + 4, sizeof(float),
                      error));
    pack_spins(&c, true);
    if (c.mixed) {
        mo_fluid_pack_numbers(f, f->specific);
    }
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, force_rows, &c);
    return MOTE_OK;
}

/* ---- rotations ---- */

static void advance_rows(void *context, int64_t first, int64_t last)
{
    const turning *c = context;
    const mo_fluid *f = c->fluid;
    for (int64_t row = first; row < last; ++row) {
        const float *w = c->state->packed + 4 * row, *curl = c->state->curl + 4 * row;
        mo_f8 sum[3] = {{0}};
        mo_fluid_row r = mo_fluid_row_of(f, row);
        for (int64_t at = c->diffusion > 0 ? r.first : r.last; at < r.last; at += 8) {
            mo_f8 o[4];
            mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
            mo_f8_load4(c->state->packed, p.j, o);
            mo_f8 g = 4 * p.gradient_factor / (w[3] + o[3]);
            for (int k = 0; k < 3; ++k) {
                sum[k] += g * (w[k] - o[k]);
            }
        }
        double rate = c->h / c->inertia;
        for (int k = 0; k < 3; ++k) {
            double change =
                c->transfer * (double)(curl[k] / w[3]) + c->diffusion * (double)mo_f8_sum(sum[k]);
            double *own = c->w + 3 * row + k;
            *own = (*own + rate * change) / (1 + 2 * rate * c->transfer);
        }
    }
}

static mote_status micropolar_advance(mo_instance *self, mo_fluid *f, double h, mote_error *error)
{
    micropolar_state *s = self->state;
    turning c = turning_of(self, f, h);
    MO_TRY(mo_reserve(f->memory, &s->curl, &s->curl_capacity, 4 * f->rows, sizeof(float), error));
    mo_fluid_pack_velocities(f);
    mo_vorticity_curl(f, s->curl);
    pack_spins(&c, false);
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, advance_rows, &c);
    return MOTE_OK;
}

static void micropolar_destroy(mo_instance *self, mo_fluid *f)
{
    micropolar_state *s = self->state;
    mo_release(f->memory, s->packed);
    mo_release(f->memory, s->curl);
}

/* ---- limits and energy ---- */

/* Waves of flow and rotations have at most the rate T k/sqrt(theta), k = pi/spacing; rotations
 * diffuse with 4 zeta k^2/theta. */
static double micropolar_limit(const mo_instance *self, const mo_fluid *f)
{
    const micropolar *p = self->method.params;
    double theta = inertia_of(p, f), k = 3.14159265358979323846 / f->spacing;
    double rate = p->transfer * k / sqrt(theta) + 4 * p->diffusion * k * k / theta;
    return rate > 0 ? 1 / rate : INFINITY;
}

typedef struct counting {
    const double *w, *mass;
    double inertia;
} counting;

static void sum_energies(void *context, int64_t first, int64_t last, double *partial)
{
    const counting *c = context;
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        mo_vec3 w = mo_vec3_load(c->w + 3 * row);
        *partial += 0.5 * c->inertia * c->mass[row] * mo_dot(w, w);
    }
}

static mote_status micropolar_energy(const mo_instance *self, mo_fluid *f, double *energy,
                                     mote_error *error)
{
    counting c = {mo_f64(self->columns[SPIN]), mo_f64(f->columns.mass),
                  inertia_of(self->method.params, f)};
    return mo_parallel_reduce(f->pool, mo_store_owned(f->store), GRAIN, MO_SUM, 1, sum_energies, &c,
                              energy, error);
}

const mo_vorticity_type mo_vorticity_micropolar = {
    .base = {.name = "micropolar",
             .summary =
                 "Micropolar fluid: particles have angular velocities that exchange momentum "
                 "with the flow; conserves linear momentum.",
             .citation = "Bender, Koschier, Kugelstadt, Weiler 2017, Symp. Computer Animation, 4",
             .departs = "Dynamic viscosities and an adjoint pair of curls conserve momentum; the "
                        "decay of rotations is implicit; the microinertia is that of a ball.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(micropolar),
             .params = PARAMS,
             .columns = COLUMNS},
    .hooks = {.state_size = sizeof(micropolar_state), .destroy = micropolar_destroy},
    .accelerate = micropolar_accelerate,
    .advance = micropolar_advance,
    .limit = micropolar_limit,
    .energy = micropolar_energy,
};
