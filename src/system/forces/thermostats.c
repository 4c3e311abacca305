#include "system/forces/thermostats.h"

#include "host/external_forces.h"
#include "math/random.h"
#include "particle/thermostat/thermostat.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 4096, STREAM = 16 }; /* two streams for each thermostat, apart from others */

enum { COUNT, MASS, MOMENTUM, TWICE_KINETIC = MOMENTUM + 3, SUMS };

typedef struct bath {
    const mo_thermostat_type *type;
    const uint8_t *included; /* by body; NULL: all */
    int64_t bodies;
    const double *mass, *inverse_mass;
    const int32_t *body;
    const int64_t *id;
    double *v;
    uint8_t *age;
    mo_vec3 mean;
    double factor, noise;
    uint64_t seed;
    uint32_t stream, step;
} bath;

/* Scaling needs velocities. */
static void warn_at_rest(const mo_thermostat_list *list, int64_t k, const mo_system *system)
{
    const double *v = mo_f64(system->columns.v);
    bool moves = ((const mo_thermostat_type *)list->methods[k].type)->noise != NULL;
    for (int64_t n = 0; n < 3 * mo_store_owned(system->store) && !moves; ++n) {
        moves = v[n] != 0;
    }
    if (!moves) {
        mo_host_warn(system->host, 0, "thermostat at rest",
                     "thermostats[%lld]: '%s' scales velocities, but all particles are at rest; "
                     "give the bodies a `temperature`, or use 'langevin'",
                     (long long)k, list->methods[k].type->name);
    }
}

mote_status mo_thermostats_check(const mo_world_def *def, const mo_list *methods, bool first_order,
                                 const mo_system_type *type, mote_error *error)
{
    const mo_body_def *bodies = def->bodies.items;
    const mo_method *list = methods->items;
    if (first_order && methods->count > 0) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "thermostats: first_order dynamics has no velocity state; remove them");
    }
    for (int64_t k = 0; k < methods->count; ++k) {
        const mo_thermostat_def *own = list[k].params;
        const mo_reference *to = own->scope.bodies.items;
        for (int64_t n = 0; n < own->scope.bodies.count; ++n) {
            if (mo_body_def_system(&bodies[to[n].index]) != type) {
                return mo_fail(error, MOTE_ERROR_INPUT,
                               "thermostats[%lld].bodies[%lld]: '%.60s' is not driven by forces; "
                               "allowed: particles and bodies of 'spring', 'elements' and 'fem'",
                               (long long)k, (long long)n, to[n].name);
            }
        }
    }
    return MOTE_OK;
}

mote_status mo_thermostats_create(const mo_world_def *def, const mo_list *methods,
                                  const mo_system *system, mo_thermostat_list *list,
                                  mote_error *error)
{
    void *block;
    *list = (mo_thermostat_list){.count = methods->count, .methods = methods->items};
    list->bodies = def->bodies.count;
    if (list->count == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_allocate_array(system->host->memory, list->count * list->bodies, 1, &block, error));
    list->included = block;
    for (int64_t k = 0; k < list->count; ++k) {
        const mo_thermostat_def *own = list->methods[k].params;
        mo_force_scope_bodies(def, system->type, &own->scope.bodies,
                              list->included + k * list->bodies);
        warn_at_rest(list, k, system);
    }
    return MOTE_OK;
}

void mo_thermostats_release(mo_thermostat_list *list, mo_memory *memory)
{
    mo_release(memory, list->included);
    *list = (mo_thermostat_list){0};
}

/* Fixed and prescribed particles have no temperature. */
static bool acts_on(const bath *b, int64_t row)
{
    bool within = !b->included || (b->body[row] < b->bodies && b->included[b->body[row]]);
    return within && b->inverse_mass[row] > 0;
}

static void sum_range(void *context, int64_t first, int64_t last, double *sum)
{
    const bath *b = context;
    memset(sum, 0, SUMS * sizeof *sum);
    for (int64_t row = first; row < last; ++row) {
        if (!acts_on(b, row)) {
            continue;
        }
        double m = b->mass[row];
        mo_vec3 v = mo_vec3_load(b->v + 3 * row);
        sum[COUNT] += 1;
        sum[MASS] += m;
        sum[MOMENTUM] += m * v.x;
        sum[MOMENTUM + 1] += m * v.y;
        sum[MOMENTUM + 2] += m * v.z;
        sum[TWICE_KINETIC] += m * mo_dot(v, v);
    }
}

static mo_vec3 random_velocity(const bath *b, int64_t row)
{
    double xy[2], z[2];
    mo_random_normal(b->seed, b->stream, (uint64_t)b->id[row], b->step, xy);
    mo_random_normal(b->seed, b->stream + 1, (uint64_t)b->id[row], b->step, z);
    return mo_scale(sqrt(b->noise * b->inverse_mass[row]), mo_vec3_make(xy[0], xy[1], z[0]));
}

/* Changed velocities invalidate the history of multistep schemes. */
static void apply_range(void *context, int64_t first, int64_t last)
{
    const bath *b = context;
    for (int64_t row = first; row < last; ++row) {
        if (!acts_on(b, row)) {
            continue;
        }
        mo_vec3 v = mo_sub(mo_vec3_load(b->v + 3 * row), b->mean);
        v = mo_add_scaled(b->mean, b->factor, v);
        if (b->noise > 0) {
            v = mo_add(v, random_velocity(b, row));
        }
        mo_vec3_store(b->v + 3 * row, v);
        b->age[row] = 0;
    }
}

/* k_B T of the motion relative to the mean velocity; sets the latter. */
static mote_status measure(bath *b, mo_system *system, double *temperature, mote_error *error)
{
    double sum[SUMS];
    MO_TRY(mo_parallel_reduce(system->host->pool, mo_store_owned(system->store), GRAIN, MO_SUM,
                              SUMS, sum_range, b, sum, error));
    mo_vec3 p = mo_vec3_load(sum + MOMENTUM);
    double drift = sum[MASS] > 0 ? mo_dot(p, p) / sum[MASS] : 0;
    *temperature =
        sum[COUNT] > 1 ? fmax(sum[TWICE_KINETIC] - drift, 0) / (3 * (sum[COUNT] - 1)) : 0;
    b->mean = mo_scale(sum[MASS] > 0 ? 1 / sum[MASS] : 0, p);
    return MOTE_OK;
}

static mote_status apply(const mo_thermostat_list *list, int64_t k, mo_system *system,
                         double boltzmann, const mo_step_time *now, mote_error *error)
{
    const mo_particle_columns *c = &system->columns;
    const mo_thermostat_def *own = list->methods[k].params;
    bath b = {.type = (const mo_thermostat_type *)list->methods[k].type,
              .included = own->scope.bodies.count > 0 ? list->included + k * list->bodies : NULL,
              .bodies = list->bodies,
              .mass = mo_f64(c->mass),
              .inverse_mass = mo_f64(c->inverse_mass),
              .body = c->body->data,
              .id = mo_i64(c->id),
              .v = mo_f64(c->v),
              .age = c->age->data,
              .seed = (uint64_t)own->seed,
              .stream = STREAM + 2 * (uint32_t)k,
              .step = (uint32_t)now->step};
    mo_thermostat_step step = {.target = boltzmann * mo_curve_at(&own->temperature, now->end),
                               .ratio = isnan(own->time) ? 1.0 / MO_THERMOSTAT_STEPS
                                                         : now->h / own->time};
    if (b.type->noise) {
        b.noise = b.type->noise(&step);
    } else {
        MO_TRY(measure(&b, system, &step.measured, error));
    }
    b.factor = b.type->factor(&step);
    mo_parallel_for(system->host->pool, mo_store_owned(system->store), GRAIN, apply_range, &b);
    return MOTE_OK;
}

mote_status mo_thermostats_apply(const mo_thermostat_list *list, mo_system *system,
                                 double boltzmann, const mo_step_time *now, mote_error *error)
{
    for (int64_t k = 0; k < list->count; ++k) {
        MO_TRY(apply(list, k, system, boltzmann, now, error));
    }
    return MOTE_OK;
}
