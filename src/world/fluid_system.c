#include "world/fluid_system.h"

#include "fluid/viscosity/viscosity.h"

#include <string.h>

enum { GRAIN = 4096, RESORT_EVERY = 64, RESORT_ROWS = 4096 };

/* ---- a step ---- */

static mote_status resort(mo_fluid_system *fluid, int64_t step, mote_error *error)
{
    mo_system *s = fluid->system;
    int64_t rows = mo_store_rows(s->store);
    if (step % RESORT_EVERY != 0 || rows < RESORT_ROWS) {
        return MOTE_OK;
    }
    void *order;
    MO_TRY(mo_allocate_array(s->memory, rows, sizeof(int64_t), &order, error));
    mote_status status =
        mo_search_order(s->memory, rows, mo_f64(s->columns.x), fluid->fluid.support, s->pool, order, error);
    status = status == MOTE_OK ? mo_store_reorder(s->store, s->pool, order, error) : status;
    mo_release(s->memory, order);
    return status;
}

static void show_densities(void *context, int64_t first, int64_t last)
{
    const mo_fluid *f = context;
    float *density = f->columns.density->data;
    for (int64_t row = first; row < last; ++row) {
        density[row] = f->density[row] / f->specific[row];
    }
}

static mote_status step(mo_system *system, const mo_step_time *now, mo_stages *stages, mote_error *error)
{
    mo_fluid_system *fluid = system->state;
    mo_fluid *f = &fluid->fluid;
    if (mo_store_rows(system->store) == 0) {
        return MOTE_OK;
    }
    mo_fluid_step at = {now->time, now->h, now->step, stages, &fluid->stage};
    f->report = (mo_fluid_report){0};
    MO_TRY(resort(fluid, now->step, error));
    MO_TRY(fluid->pressure->step(fluid->solver, f->def->pressure.params, f, &at, error));
    system->evaluations++;
    MO_TRY(mo_fluid_measure_density(f, &f->report.density_error, &f->report.density_error_max, error));
    mo_parallel_for(f->pool, f->rows, GRAIN, show_densities, f);
    mo_stage_end(stages, fluid->stage.advance);
    return MOTE_OK;
}

/* Before the first step nothing is known but gravity. */
static mote_status evaluate(mo_system *system, double time, mote_error *error)
{
    (void)error;
    mo_fluid_system *fluid = system->state;
    mo_vec3 g = mo_fluid_gravity(&fluid->fluid, time);
    for (int64_t row = 0; row < mo_store_rows(system->store); ++row) {
        mo_vec3_store(mo_f64(system->columns.a) + 3 * row, g);
    }
    return MOTE_OK;
}

static void disturb(mo_system *system)
{
    (void)system;
}

/* ---- what is measured ---- */

enum {
    SUM_MASS,
    SUM_KINETIC,
    SUM_POTENTIAL,
    SUM_MOMENTUM,
    SUM_ANGULAR = SUM_MOMENTUM + 3,
    SUMS = SUM_ANGULAR + 3
};

typedef struct measuring {
    const mo_particle_columns *columns;
    mo_vec3 gravity;
} measuring;

static void measure_range(void *context, int64_t first, int64_t last, double *sum)
{
    const measuring *m = context;
    memset(sum, 0, SUMS * sizeof *sum);
    for (int64_t row = first; row < last; ++row) {
        double mass = mo_f64(m->columns->mass)[row];
        mo_vec3 x = mo_vec3_load(mo_f64(m->columns->x) + 3 * row),
                v = mo_vec3_load(mo_f64(m->columns->v) + 3 * row);
        mo_vec3 p = mo_scale(mass, v), l = mo_cross(x, p);
        const double parts[SUMS] = {
            mass, 0.5 * mo_dot(p, v), -mass * mo_dot(m->gravity, x), p.x, p.y, p.z, l.x, l.y, l.z};
        for (int k = 0; k < SUMS; ++k) {
            sum[k] += parts[k];
        }
    }
}

static mote_status measure(mo_system *system, double time, mote_measures *out, mote_error *error)
{
    mo_fluid_system *fluid = system->state;
    measuring m = {&system->columns, mo_fluid_gravity(&fluid->fluid, time)};
    double sum[SUMS];
    MO_TRY(mo_parallel_reduce(system->pool, mo_store_rows(system->store), GRAIN, MO_SUM, SUMS, measure_range,
                              &m, sum, error));
    out->mass += sum[SUM_MASS];
    out->kinetic += sum[SUM_KINETIC];
    out->potential += sum[SUM_POTENTIAL];
    for (int k = 0; k < 3; ++k) {
        out->momentum[k] += sum[SUM_MOMENTUM + k];
        out->angular_momentum[k] += sum[SUM_ANGULAR + k];
    }
    return MOTE_OK;
}

static mote_status stiffness(mo_system *system, double time, double *square, mote_error *error)
{
    (void)system, (void)time, (void)error;
    *square = 0;
    return MOTE_OK;
}

static mote_status added(mo_system *system, int64_t first, mote_error *error)
{
    (void)system, (void)first, (void)error;
    return MOTE_OK;
}

static mote_status remap(mo_system *system, const int64_t *map, mote_error *error)
{
    (void)system, (void)map, (void)error;
    return MOTE_OK;
}

static bool resorts(const mo_system *system)
{
    (void)system;
    return true;
}

static void adopt_callbacks(mo_system *system, const mo_system *from)
{
    (void)system, (void)from;
}

void mo_fluid_system_release(mo_system *system)
{
    mo_fluid_system *fluid = system->state;
    mo_fluid *f = &fluid->fluid;
    const mo_viscosity_type *viscosity = (const mo_viscosity_type *)f->def->viscosity.type;
    if (fluid->solver && fluid->pressure->destroy) {
        fluid->pressure->destroy(fluid->solver, f);
    }
    if (f->viscosity && viscosity->destroy) {
        viscosity->destroy(f->viscosity, f);
    }
    mo_fluid_release(f);
    mo_store_destroy(system->store);
    mo_release(system->memory, system->bodies);
    mo_release(system->memory, fluid);
}

const mo_system_type mo_fluid_system_type = {
    .name = "fluid",
    .step = step,
    .evaluate = evaluate,
    .disturb = disturb,
    .measure = measure,
    .stiffness = stiffness,
    .added = added,
    .remap = remap,
    .resorts = resorts,
    .adopt_callbacks = adopt_callbacks,
    .destroy = mo_fluid_system_release,
};
