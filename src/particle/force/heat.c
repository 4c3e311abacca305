/*
 * Heat conduction: every particle has a temperature T, neighbours exchange heat by Fourier's law,
 * and the attraction decreases with temperature, so that a solid of Lennard-Jones particles melts
 * and freezes (after D. Tonnesen 1998, whose equations are not published):
 *     C_i dT_i/dt = k sum_j w(r_ij) (T_j - T_i) + loss (ambient - T_i) + power,  w = 1 - r/range,
 * C_i = m_i specific_heat. `strength` is a decreasing curve s(T); a pair's potential is scaled by
 * the mean of its two strengths. Melting with latent heat: particle/thermal/thermal.h.
 *
 * Discrete: explicit Euler steps at the end of each step of the motion, T_i += h/C_i (...), in n
 * substeps such that h/(n C_i) (k sum_j w + loss) <= 1/2 for all i. A new temperature is then a
 * convex combination of old ones: no new extrema appear, and heat is conserved to rounding (both
 * sides compute the same value). The change of potential energy is not taken from the heat:
 * mechanical energy is not conserved while strengths change.
 */
#include "geometry/shape/shape.h"
#include "particle/force/field.h"
#include "particle/heater/heater.h"
#include "particle/pair/pair_values.h"
#include "particle/species.h"
#include "particle/thermal/thermal.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 4096, LANES = 4, SUBSTEPS_MAX = 10000 };

typedef struct heat {
    double conductivity, range, initial, ambient, loss;
    mo_thermal thermal;
    mo_list species; /* mo_method of the family `thermal` */
    mo_list sources; /* mo_method */
} heat;

static const mo_param PARAMS[] = {
    {"conductivity", MO_REAL, MO_FIELD(heat, conductivity), .unit = "W/K", .required = true,
     .range = "[0, inf)", .doc = "Thermal conductance of a pair of particles in contact."},
    {"range", MO_REAL, MO_FIELD(heat, range), .unit = "m", .required = true, .range = "(0, inf)",
     .doc = "Cutoff distance of conduction; the conductance decreases linearly to zero."},
    {"specific_heat", MO_REAL, MO_FIELD(heat, thermal.specific_heat), .unit = "J/(kg K)",
     .required = true, .range = "(0, inf)", .doc = "Specific heat capacity."},
    {"initial", MO_REAL, MO_FIELD(heat, initial), .unit = "K", .initial = "0", .range = "[0, inf)",
     .doc = "Initial temperature, unless a source sets it."},
    {"strength", MO_CURVE, MO_FIELD(heat, thermal.strength), .initial = "1",
     .doc = "Scale factor of the potential as a function of temperature, [[T, s], ...]; must not "
            "increase."},
    MO_THERMAL_PARAMS(heat, thermal),
    {"species", MO_METHOD, .list = true, MO_FIELD(heat, species), .initial = "[]",
     .family = &mo_thermals, .doc = "Thermal properties of single species."},
    {"ambient", MO_REAL, MO_FIELD(heat, ambient), .unit = "K", .initial = "0", .range = "[0, inf)",
     .doc = "Ambient temperature.", .needs = "loss"},
    {"loss", MO_REAL, MO_FIELD(heat, loss), .unit = "W/K", .initial = "0", .range = "[0, inf)",
     .doc = "Heat loss coefficient of a particle to the surroundings."},
    {"sources", MO_METHOD, .list = true, MO_FIELD(heat, sources), .initial = "[]",
     .family = &mo_heaters, .doc = "Heat sources and thermostats."},
    {0}};

enum { TEMPERATURE, STRENGTH, HEAT_FLOW, LIQUID };

static const mo_column_spec COLUMNS[] = {
    {"temperature", MOTE_F64, 1, MO_STATE, "K", "temperature"},
    {"strength", MOTE_F64, 1, MO_STATE, "1",
     "scale factor of the attraction at the particle's "
     "temperature"},
    {"heat_flow", MOTE_F64, 1, MO_DERIVED, "W", "heat flow into the particle"},
    {"liquid", MOTE_F64, 1, MO_STATE, "1", "liquid fraction, with a melting point"},
    {0}};

typedef struct conduction {
    const heat *params;
    mo_domain domain;
    mo_memory *memory;
    const mo_column *temperature, *strength, *flow, *liquid;
    const mo_column *species;           /* NULL: all equal */
    mo_thermal thermal[MO_SPECIES_MAX]; /* by species */
    mo_pair_values values;              /* of a step: positions and temperatures */
} conduction;

static mote_status heat_check(const void *params, mote_error *error)
{
    return mo_thermal_check(&((const heat *)params)->thermal, error);
}

/* Properties of all species: those of the force, or of the list. */
static bool fill_thermals(conduction *c)
{
    const mo_method *list = c->params->species.items;
    bool weakens = false;
    for (int k = 0; k < MO_SPECIES_MAX; ++k) {
        c->thermal[k] = c->params->thermal;
    }
    for (int64_t k = 0; k < c->params->species.count; ++k) {
        const mo_thermal_def *def = list[k].params;
        mo_thermal *out = &c->thermal[def->of.index], common = *out;
        *out = def->values;
        out->specific_heat = isnan(out->specific_heat) ? common.specific_heat : out->specific_heat;
        out->strength = out->strength.count == 0 ? common.strength : out->strength;
    }
    for (int k = 0; k < MO_SPECIES_MAX; ++k) {
        weakens =
            weakens || c->thermal[k].strength.count > 1 || !isnan(c->thermal[k].melting_point);
    }
    return weakens;
}

static mote_status heat_create(const void *params, const mo_force_context *context, mo_force *force,
                               mote_error *error)
{
    conduction *c = mo_allocate(context->memory, sizeof *c);
    if (!c) {
        return mo_fail_memory(error, sizeof *c);
    }
    *c = (conduction){.params = params,
                      .domain = context->domain,
                      .memory = context->memory,
                      .temperature = force->column[TEMPERATURE],
                      .strength = force->column[STRENGTH],
                      .flow = force->column[HEAT_FLOW],
                      .liquid = force->column[LIQUID]};
    bool several = c->params->species.count > 0 && context->store;
    c->species = several ? mo_store_find(context->store, "species") : NULL;
    force->instance = c;
    force->range = c->params->range;
    force->open = fill_thermals(c); /* it changes the depth of potentials */
    return MOTE_OK;
}

static void heat_destroy(void *instance, mo_memory *memory)
{
    conduction *c = instance;
    mo_pair_values_release(&c->values, memory);
    mo_release(memory, c);
}

static const mo_thermal *thermal_of(const conduction *c, int64_t row)
{
    return &c->thermal[c->species ? ((const int32_t *)c->species->data)[row] : 0];
}

/* ---- one pass over the particles ---- */

typedef struct pass {
    const conduction *heat;
    const mo_force_args *args;
    double time, h;
} pass;

/* The heat flow into a row, and the sum of its conductances: four neighbours at a time. Lists are
 * padded with the row itself, whose weight is 1 and whose flow is 0. */
static void gather(const pass *p, int64_t row, double *flow, double *conductance)
{
    const mo_pairs *pairs = p->args->pairs;
    const heat *q = p->heat->params;
    const double *data = p->heat->values.data, *own = data + 4 * row;
    const int32_t *near = pairs->index + pairs->start[row];
    const mo_d4 x = mo_d4_set(own[0]), y = mo_d4_set(own[1]), z = mo_d4_set(own[2]);
    const mo_d4 t = mo_d4_set(own[3]), inverse = mo_d4_set(1 / q->range);
    mo_d4 weights = mo_d4_set(0), flows = weights;
    int32_t k = 0;
    for (; k < pairs->count[row]; k += LANES) {
        mo_d4 dx, dy, dz, other;
        mo_pair_values_load(data, near + k, &dx, &dy, &dz, &other);
        dx -= x;
        dy -= y;
        dz -= z;
        mo_d4 w = 1 - mo_d4_sqrt(dx * dx + dy * dy + dz * dz) * inverse;
        w = mo_d4_max(w, mo_d4_set(0));
        weights += w;
        flows += w * (other - t);
    }
    double padding = k - pairs->count[row];
    double weight = (weights[0] + weights[1]) + (weights[2] + weights[3]) - padding;
    double sum = (flows[0] + flows[1]) + (flows[2] + flows[3]);
    *conductance = q->conductivity * weight + q->loss;
    *flow = q->conductivity * sum + q->loss * (q->ambient - own[3]);
}

/* partial: largest relaxation rate of a temperature [1/s] */
static void find_flow(void *context, int64_t first, int64_t last, double *partial)
{
    const pass *p = context;
    double *flow = p->heat->flow->data;
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        double conductance;
        gather(p, row, &flow[row], &conductance);
        *partial = fmax(
            *partial, conductance / (p->args->mass[row] * thermal_of(p->heat, row)->specific_heat));
    }
}

static void warm(void *context, int64_t first, int64_t last)
{
    const pass *p = context;
    double *t = p->heat->temperature->data, *liquid = p->heat->liquid->data;
    const double *flow = p->heat->flow->data;
    for (int64_t row = first; row < last; ++row) {
        mo_thermal_add(thermal_of(p->heat, row), p->args->mass[row], p->h * flow[row], &t[row],
                       &liquid[row]);
    }
}

/* A region is repeated in every period. */
static bool is_inside(const mo_domain *domain, mo_method region, const double *x)
{
    mo_vec3 wrapped = {mo_domain_wrap(domain, 0, x[0]), mo_domain_wrap(domain, 1, x[1]),
                       mo_domain_wrap(domain, 2, x[2])};
    return !region.type || mo_shape_contains(region, wrapped);
}

/* Applies the sources at a time; before the start they may set initial temperatures. */
static void apply_sources(void *context, int64_t first, int64_t last)
{
    const pass *p = context;
    const mo_method *sources = p->heat->params->sources.items;
    double *t = p->heat->temperature->data, *liquid = p->heat->liquid->data;
    for (int64_t k = 0; k < p->heat->params->sources.count; ++k) {
        const mo_heater_type *type = (const mo_heater_type *)sources[k].type;
        mo_heating heating = {0};
        if (!type->heating(sources[k].params, p->time, &heating)) {
            continue;
        }
        mo_method region = type->region(sources[k].params);
        for (int64_t row = first; row < last; ++row) {
            const mo_thermal *thermal = thermal_of(p->heat, row);
            if (!is_inside(&p->heat->domain, region, p->args->x + 3 * row)) {
                continue;
            }
            if (heating.sets) {
                mo_thermal_set(thermal, heating.temperature, &t[row], &liquid[row]);
            } else {
                mo_thermal_add(thermal, p->args->mass[row], p->h * heating.power, &t[row],
                               &liquid[row]);
            }
        }
    }
}

static void weaken(void *context, int64_t first, int64_t last)
{
    const pass *p = context;
    const double *t = p->heat->temperature->data, *liquid = p->heat->liquid->data;
    double *strength = p->heat->strength->data;
    for (int64_t row = first; row < last; ++row) {
        strength[row] = mo_thermal_strength(thermal_of(p->heat, row), t[row], liquid[row]);
    }
}

/* ---- hooks ---- */

static mote_status heat_begin(void *instance, const mo_force_args *args, int64_t first,
                              mo_pool *pool, mote_error *error)
{
    const conduction *c = instance;
    pass p = {c, args, -1, 0};
    (void)pool;
    (void)error;
    for (int64_t row = first; row < args->rows; ++row) {
        mo_thermal_set(thermal_of(c, row), c->params->initial, &mo_f64(c->temperature)[row],
                       &mo_f64(c->liquid)[row]);
    }
    apply_sources(&p, first, args->rows);
    weaken(&p, first, args->rows);
    return MOTE_OK;
}

static mote_status heat_advance(void *instance, const mo_force_args *args, double h, mo_pool *pool,
                                mote_error *error)
{
    conduction *c = instance;
    pass p = {c, args, args->time, h};
    double rate;
    MO_TRY(mo_pair_values_fill(&c->values, args->pairs, mo_f64(c->temperature), pool, c->memory,
                               error));
    MO_TRY(mo_parallel_reduce(pool, args->rows, GRAIN, MO_MAX, 1, find_flow, &p, &rate, error));
    double parts = ceil(2 * h * rate);
    if (!(parts <= SUBSTEPS_MAX)) {
        return mo_fail(
            error, MOTE_ERROR_NUMERIC,
            "heat: a step of %g s needs %.3g substeps for stable conduction; use a smaller step, a "
            "smaller conductivity or a larger specific_heat",
            h, parts);
    }
    int count = parts < 1 ? 1 : (int)parts;
    p.h = h / count;
    for (int k = 0; k < count; ++k) {
        if (k > 0) {
            mo_pair_values_update(&c->values, args->pairs, mo_f64(c->temperature), pool);
            MO_TRY(mo_parallel_reduce(pool, args->rows, GRAIN, MO_MAX, 1, find_flow, &p, &rate,
                                      error));
        }
        mo_parallel_for(pool, args->rows, GRAIN, warm, &p);
        p.time = args->time - h + (k + 1) * p.h;
        mo_parallel_for(pool, args->rows, GRAIN, apply_sources, &p);
    }
    mo_parallel_for(pool, args->rows, GRAIN, weaken, &p);
    return MOTE_OK;
}

/* It exerts no force. */
static void heat_add(const void *instance, const mo_force_args *args, int64_t first, int64_t last)
{
    (void)instance;
    (void)args;
    (void)first;
    (void)last;
}

const mo_force_type mo_field_heat = {
    .base = {.name = "heat",
             .summary =
                 "Heat conduction between neighbours, with a temperature-dependent Lennard-Jones "
                 "potential.",
             .citation =
                 "Fourier's law; D. Tonnesen 1998 for the idea of melting by heat; V. Voller, M. "
                 "Cross 1981, Int. J. Heat Mass Transf. 24, 545 for latent heat",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(heat),
             .params = PARAMS,
             .columns = COLUMNS,
             .check = heat_check},
    .create = heat_create,
    .destroy = heat_destroy,
    .begin = heat_begin,
    .advance = heat_advance,
    .add = heat_add,
};
