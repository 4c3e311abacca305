/*
 * Surface tension in N/m by an energy of the free surface, with contact angles at solids:
 *     E = sum_i V_i (A/2) max(0, 1 - c_i)^2 - sigma cos(theta) sum_i V_i Psi(d_i),
 *     c_i = sum_j V_j w(r_ij) + S(d_i),
 * c_i the fraction of the range of w around a particle that is filled, S(d) the integral of w over
 * a solid at the distance d, as if fluid continued there, Psi = S/(spacing sum_k S((k + 1/2)
 * spacing)). Forces are those of pairs and conserve momentum and energy:
 *     F_i = -V_i sum_j V_j (u_i + u_j) grad w_ij - V_i (u_i S' - sigma cos(theta) Psi') grad d,
 *     u_i = -A max(0, 1 - c_i).
 * They vanish where fluid is complete, so that there is little cohesion pressure inside. Isolated
 * particles have the most energy. w repels below about a spacing:
 *     w ~ (1 - q^2)^2 - (b/4) max(0, 1 - 4 q^2)^2,    q = r/H.
 * A is calibrated by the frequency of drops, the wetted energy in space by drops on a plate.
 * Departs from A. Tartakovsky, A. Panchenko 2016, J. Comput. Phys. 305, 1119, whose energy of pairs
 * acts inside too: its pressure, 5 sigma/spacing, jams the particles of a solver of constant
 * density. docs/fluids.md has measurements.
 */
#include "fluid/sph/reaction.h"
#include "fluid/surface_tension/surface_tension.h"
#include "math/lane_sums.h"
#include "math/portable.h"

#include <math.h>

enum { NODES = 128, GRAIN = MO_FLUID_GRAIN };

static const double PI = 3.14159265358979323846;

/* In two and three dimensions: H in spacings, b, and A H/sigma. */
static const double RANGE[2] = {3.5, 4}, CORE[2] = {1.3, 3}, COEFFICIENT[2] = {47, 35.2};

/* The energy of the wetted area is sigma (WETTING cos(theta) + OFFSET), calibrated by drops on a
 * plate: fluid beside a solid is not quite as complete as inside. */
static const double WETTING[2] = {1, 0.83}, OFFSET[2] = {0, -0.1};

/* Of sqrt(rho spacing^3/sigma), for the step. */
static const double STEP = 0.14;

typedef struct surface_energy {
    double tension, contact_angle;
} surface_energy;

static const mo_param PARAMS[] = {
    {"tension", MO_REAL, MO_FIELD(surface_energy, tension), .unit = "N/m", .initial = "0.072",
     .range = "[0, inf)",
     .doc = "Surface tension; the default is that of water. In two dimensions force per depth."},
    {"contact_angle", MO_REAL, MO_FIELD(surface_energy, contact_angle), .unit = "degrees",
     .initial = "90", .range = "[0, 180]",
     .doc = "Angle of the free surface at solids, measured in the fluid: 0 wets, 180 repels."},
    {0}};

/* `packed` is as in the fluid, for the particles of this range: x, y, z, u_i. solid: S at k
 * H/NODES; scale: the factor of S in the energy of solids. Lengths in m. */
typedef struct surface_energy_state {
    mo_search *search;
    const mo_halo *halo;
    const mo_lists *lists;
    float *packed, *slope;
    int64_t packed_capacity, slope_capacity;
    double range, core, norm, strength, scale, density, solid[NODES + 1];
} surface_energy_state;

typedef struct pass {
    mo_fluid *fluid;
    surface_energy_state *state;
    double *a;
} pass;

/* ---- the kernel ---- */

/* w of q^2, without its norm. */
MO_INLINE mo_f8 weight(mo_f8 q2, float core)
{
    mo_f8 rest = mo_f8_max(1 - 4 * q2, mo_f8_set(0)), far = 1 - q2;
    return mo_f8_select(q2 < 1, far * far - 0.25f * core * rest * rest, mo_f8_set(0));
}

/* -dw/d(r^2) H^2/2 */
MO_INLINE mo_f8 pull(mo_f8 q2, float core)
{
    mo_f8 rest = mo_f8_max(1 - 4 * q2, mo_f8_set(0));
    return mo_f8_select(q2 < 1, 1 - q2 - core * rest, mo_f8_set(0));
}

/* The integral of (1 - r^2/H^2)^2 over a plane (line) at the height z from the centre. */
static double layer(int dimension, double range, double z)
{
    double left = fmax(0, 1 - z * z / (range * range));
    return dimension == 3 ? PI / 3 * range * range * left * left * left
                          : 16.0 / 15 * range * left * left * sqrt(left);
}

static void make_kernel(surface_energy_state *s, int dimension)
{
    enum { CELLS = 40 };
    double width = s->range / (NODES * CELLS), sum = 0, size = 0.5 * s->range;
    s->solid[NODES] = 0;
    for (int k = NODES * CELLS - 1; k >= 0; --k) {
        double z = (k + 0.5) * width;
        sum += width * (layer(dimension, s->range, z) - 0.25 * s->core * layer(dimension, size, z));
        if (k % CELLS == 0) {
            s->solid[k / CELLS] = sum;
        }
    }
    s->norm = 1 / (2 * sum);
    for (int k = 0; k <= NODES; ++k) {
        s->solid[k] *= s->norm;
    }
}

/* S(d) and its derivative; within the solid as on its surface. */
static double solid_at(const surface_energy_state *s, double distance, double *derivative)
{
    double u = fmax(0, distance / s->range * NODES);
    *derivative = 0;
    if (!(u < NODES)) {
        return 0;
    }
    int k = (int)u;
    double rise = s->solid[k + 1] - s->solid[k];
    *derivative = rise / s->range * NODES;
    return s->solid[k] + (u - k) * rise;
}

/* ---- fractions ---- */

static void pack_range(void *context, int64_t first, int64_t last)
{
    const pass *c = context;
    const mo_fluid *f = c->fluid;
    const surface_energy_state *s = c->state;
    const double *x = mo_f64(f->columns.x), *mass = mo_f64(f->columns.mass);
    for (int64_t k = first; k < last; ++k) {
        int64_t row = mo_halo_row(s->halo, k);
        int32_t p[3];
        for (int axis = 0; axis < 3; ++axis) {
            p[axis] =
                mo_fluid_count((mo_halo_along(s->halo, x, k, axis) - f->origin[axis]) / f->unit);
        }
        memcpy(s->packed + 4 * k, p, sizeof p);
        s->packed[4 * k + 3] = (float)(mass[row] * (double)f->specific[row]);
    }
}

static mo_fluid_row row_of(const pass *c, int64_t row)
{
    const mo_lists *lists = c->state->lists;
    int32_t p[4];
    memcpy(p, c->state->packed + 4 * row, sizeof p);
    int64_t first = lists->start[row];
    return (mo_fluid_row){mo_i8_set(p[0]), mo_i8_set(p[1]),
                          mo_i8_set(p[2]), mo_f8_set((float)c->fluid->unit),
                          first,           first + lists->count[row]};
}

/* The sum of S over the solids of a row. */
static double solids_of(const pass *c, int64_t row)
{
    const mo_walls *w = &c->fluid->walls;
    double sum = 0, unused;
    for (int64_t k = w->entry_count > 0 ? w->first[row] : 0;
         w->entry_count > 0 && k < w->first[row + 1]; ++k) {
        sum += solid_at(c->state, (double)w->entries[k].distance, &unused);
    }
    return sum;
}

/* 1 - c_i where positive; `solids`: the sum of S. */
static double lack_of(const pass *c, int64_t row, double *solids)
{
    const surface_energy_state *s = c->state;
    float scale = (float)(1 / (s->range * s->range)), core = (float)s->core;
    mo_f8 sum = {0};
    mo_fluid_row r = row_of(c, row);
    for (int64_t at = r.first; at < r.last; at += 8) {
        mo_fluid_pairs p = mo_fluid_differences(&r, s->packed, s->lists->index + at);
        mo_f8 q2 = scale * (p.x * p.x + p.y * p.y + p.z * p.z);
        sum += mo_f8_select(q2 > 0, p.own * weight(q2, core), mo_f8_set(0));
    }
    *solids = solids_of(c, row);
    double own = (double)s->packed[4 * row + 3] * (1 - 0.25 * s->core);
    return fmax(0, 1 - s->norm * (own + (double)mo_f8_sum(sum)) - *solids);
}

static void fraction_rows(void *context, int64_t first, int64_t last)
{
    const pass *c = context;
    double unused;
    for (int64_t row = first; row < last; ++row) {
        c->state->slope[row] = (float)(-c->state->strength * lack_of(c, row, &unused));
    }
}

/* ---- forces ---- */

static void spread_range(void *context, int64_t first, int64_t last)
{
    const pass *c = context;
    for (int64_t k = first; k < last; ++k) {
        c->state->packed[4 * k + 3] = c->state->slope[mo_halo_row(c->state->halo, k)];
    }
}

/* The force of a row on a solid. */
static mo_vec3 solid_force(const void *context, const mo_fluid *f, int64_t row,
                           const mo_wall_entry *e)
{
    const pass *c = context;
    double derivative, volume = mo_f64(f->columns.mass)[row] * (double)f->specific[row];
    solid_at(c->state, (double)e->distance, &derivative);
    return mo_scale(volume * ((double)c->state->slope[row] - c->state->scale) * derivative,
                    mo_vec3_make((double)e->normal[0], (double)e->normal[1], (double)e->normal[2]));
}

/* Particles of a fluid have equal volumes. */
static void force_rows(void *context, int64_t first, int64_t last)
{
    const pass *c = context;
    const mo_fluid *f = c->fluid;
    const surface_energy_state *s = c->state;
    const double *mass = mo_f64(f->columns.mass);
    float scale = (float)(1 / (s->range * s->range)), core = (float)s->core;
    for (int64_t row = first; row < last; ++row) {
        mo_f8 x = {0}, y = {0}, z = {0}, virial = {0};
        mo_fluid_row r = row_of(c, row);
        float own = s->slope[row];
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_fluid_pairs p = mo_fluid_differences(&r, s->packed, s->lists->index + at);
            mo_f8 r2 = p.x * p.x + p.y * p.y + p.z * p.z;
            mo_f8 g = (own + p.own) * pull(scale * r2, core);
            virial += g * r2;
            x += g * p.x;
            y += g * p.y;
            z += g * p.z;
        }
        mo_f4 sum = mo_f8_sum4(x, y, z, virial);
        double part = (double)f->specific[row], volume = mass[row] * part,
               strength = 4 * s->norm / (s->range * s->range) * volume * part;
        f->cohesion[row] =
            (float)(-2 * s->norm / (s->range * s->range * f->dimension) * volume * (double)sum[3]);
        mo_vec3 a = mo_vec3_load(c->a + 3 * row);
        a = mo_add_scaled(a, strength,
                          mo_vec3_make((double)sum[0], (double)sum[1], (double)sum[2]));
        const mo_walls *w = &f->walls;
        for (int64_t k = w->entry_count > 0 ? w->first[row] : 0;
             w->entry_count > 0 && k < w->first[row + 1]; ++k) {
            a = mo_add_scaled(a, -1 / mass[row], solid_force(c, f, row, &w->entries[k]));
        }
        mo_vec3_store(c->a + 3 * row, a);
    }
}

static mote_status find_pairs(pass *c, mote_error *error)
{
    mo_fluid *f = c->fluid;
    surface_energy_state *s = c->state;
    mo_search_set set = {mo_store_owned(f->store), mo_f64(f->columns.x)};
    MO_TRY(mo_search_update(s->search, &set, f->pool, NULL, error));
    s->halo = mo_search_halo(s->search, 0);
    s->lists = mo_search_lists(s->search, 0, 0);
    MO_TRY(mo_reserve(f->memory, &s->packed, &s->packed_capacity, 4 * s->halo->count + 4,
                      sizeof(float), error));
    MO_TRY(
        mo_reserve(f->memory, &f->cohesion, &f->cohesion_capacity, set.rows, sizeof(float), error));
    return mo_reserve(f->memory, &s->slope, &s->slope_capacity, set.rows, sizeof(float), error);
}

static mote_status surface_energy_accelerate(mo_instance *self, mo_fluid *f, double h,
                                             mote_error *error)
{
    pass c = {f, self->state, mo_f64(f->columns.a)};
    MO_TRY(find_pairs(&c, error));
    MO_TRY(mo_wall_entries_need(f, error));
    mo_parallel_for(f->pool, c.state->halo->count, GRAIN, pack_range, &c);
    mo_parallel_for(f->pool, f->rows, GRAIN, fraction_rows, &c);
    mo_parallel_for(f->pool, c.state->halo->count, GRAIN, spread_range, &c);
    mo_parallel_for(f->pool, f->rows, GRAIN, force_rows, &c);
    return f->walls.entry_count > 0 ? mo_fluid_react_forces(f, solid_force, &c, h, error) : MOTE_OK;
}

/* ---- the method ---- */

static mote_status surface_energy_create(mo_instance *self, mo_fluid *f, mote_error *error)
{
    const surface_energy *p = self->method.params;
    surface_energy_state *s = self->state;
    int set;
    s->density = INFINITY;
    for (int k = 0; k < f->phase_count; ++k) {
        s->density = fmin(s->density, f->phases[k].density);
    }
    s->core = CORE[f->dimension - 2];
    s->range = RANGE[f->dimension - 2] * f->spacing;

    make_kernel(s, f->dimension);
    s->strength = COEFFICIENT[f->dimension - 2] * p->tension / s->range;
    double layers = 0, unused, cosine, sine;
    for (int k = 0; k < 5; ++k) {
        layers += f->spacing * solid_at(s, (k + 0.5) * f->spacing, &unused);
    }
    mo_turn(p->contact_angle / 360, &cosine, &sine);
    int d = f->dimension - 2;
    s->scale = p->tension * (WETTING[d] * cosine + OFFSET[d]) / layers;
    f->pace = sqrt(p->tension / (s->density * mo_power(f->spacing, 3)));
    f->walls.range = s->range;
    MO_TRY(mo_search_create(f->def->neighbors, &f->domain, f->memory, &s->search, error));
    MO_TRY(mo_search_add_set(s->search, s->range, &set, error));
    return mo_search_ask(s->search, 0, 0, MO_LISTS_FULL, error);
}

/* *partial: the sum of energies */
static void energy_rows(void *context, int64_t first, int64_t last, double *partial)
{
    const pass *c = context;
    const mo_fluid *f = c->fluid;
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        double solids, lack = lack_of(c, row, &solids),
                       volume = mo_f64(f->columns.mass)[row] * (double)f->specific[row];
        *partial += volume * (0.5 * c->state->strength * lack * lack - c->state->scale * solids);
    }
}

static mote_status surface_energy_energy(const mo_instance *self, mo_fluid *f, double *energy,
                                         mote_error *error)
{
    pass c = {f, self->state, NULL};
    MO_TRY(find_pairs(&c, error));
    MO_TRY(mo_wall_entries_need(f, error));
    mo_parallel_for(f->pool, c.state->halo->count, GRAIN, pack_range, &c);
    return mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_SUM, 1, energy_rows, &c, energy, error);
}

static void surface_energy_destroy(mo_instance *self, mo_fluid *f)
{
    surface_energy_state *s = self->state;
    mo_release(f->memory, s->packed);
    mo_release(f->memory, s->slope);
    mo_search_destroy(s->search);
}

static double surface_energy_limit(const mo_instance *self, const mo_fluid *f)
{
    (void)self;
    return f->pace > 0 ? STEP / f->pace : INFINITY;
}

const mo_surface_tension_type mo_surface_tension_surface_energy = {
    .base = {.name = "surface_energy",
             .summary = "Surface tension in N/m by an energy of the free surface, with contact "
                        "angles at solids, in two and three dimensions.",
             .citation = "Tartakovsky, Panchenko 2016, J. Comput. Phys. 305, 1119",
             .departs = "The energy is a function of the filled fraction around a particle instead "
                        "of a sum over pairs, so that it vanishes inside the fluid; solids "
                        "continue the fluid, and the contact angle is an energy of the wetted "
                        "area.",
             .capabilities =
                 MO_PORTABLE | MO_SURFACE_TENSION_DISTANCES | MO_SURFACE_TENSION_UNSHIFTED,
             .param_size = sizeof(surface_energy),
             .params = PARAMS},
    .hooks = {.state_size = sizeof(surface_energy_state),
              .create = surface_energy_create,
              .destroy = surface_energy_destroy},
    .accelerate = surface_energy_accelerate,
    .limit = surface_energy_limit,
    .energy = surface_energy_energy,
    .updates = true,
};
