/* Builds the fluid: shapes into rows, colliders into walls. */
#include "system/fluid/fluid.h"

#include "fluid/boundary/boundary.h"
#include "fluid/flow/flow.h"
#include "fluid/methods.h"
#include "geometry/shape/filling.h"
#include "math/random.h"

#include <math.h>
#include <string.h>

enum { RESERVED = 1 << 18 };

typedef struct builder {
    const mo_world_def *def;
    mo_warner warner;
    mo_system *system;
    mo_fluid_system *fluid;
} builder;

static mote_status declare_columns(builder *b, mote_error *error)
{
    /* densities and pressures are state only since frames show them, also those that a resumed run begins with */
    static const mo_column_spec PHASE = {"phase", MOTE_I32, 1, MO_STATE, "1", "number of the phase"};
    static const mo_column_spec DENSITY = {"density", MOTE_F32, 1, MO_STATE, "kg/m^d", "density"};
    static const mo_column_spec PRESSURE = {"pressure", MOTE_F32, 1, MO_STATE, "Pa", "pressure"};
    mo_store *store = b->system->store;
    mo_fluid_columns *c = &b->fluid->fluid.columns;
    MO_TRY(mo_particle_columns_declare(b->system, error));
    MO_TRY(mo_store_declare(store, &PHASE, &c->phase, error));
    MO_TRY(mo_store_declare(store, &DENSITY, &c->density, error));
    MO_TRY(mo_store_declare(store, &PRESSURE, &c->pressure, error));
    c->x = b->system->columns.x;
    c->v = b->system->columns.v;
    c->a = b->system->columns.a;
    c->mass = b->system->columns.mass;
    b->system->felt = c->a;
    return MOTE_OK;
}

mote_status mo_fluid_system_add(mo_fluid_system *fluid, int phase, int64_t count, int64_t *first,
                                mote_error *error)
{
    const mo_fluid_def *def = fluid->fluid.def;
    const mo_phase_def *p = (const mo_phase_def *)def->phases.items + phase;
    const mo_particle_columns *c = &fluid->system->columns;
    double mass = p->density * pow(def->spacing, (double)def->dimension) * def->mass_scale;
    MO_TRY(mo_store_add(fluid->system->store, count, first, error));
    for (int64_t row = *first; row < *first + count; ++row) {
        mo_f64(c->mass)[row] = mass;
        mo_f64(c->inverse_mass)[row] = 1 / mass;
        mo_f64(c->radius)[row] = 0.5 * def->spacing;
        mo_f64(c->inverse_diameter)[row] = 1 / def->spacing;
        ((uint8_t *)c->age->data)[row] = 1; /* nothing has touched it */
        ((int32_t *)fluid->fluid.columns.phase->data)[row] = phase;
        ((float *)fluid->fluid.columns.density->data)[row] = (float)p->density;
        if (fluid->fluid.columns.step_density) {
            ((float *)fluid->fluid.columns.step_density->data)[row] = (float)p->density;
        }
    }
    return MOTE_OK;
}

/* Off the lattice, in the plane if it is one; the number of a row decides where to. */
static void jitter_rows(const mo_fluid_def *def, int64_t first, int64_t count, double *x)
{
    double most = def->jitter * def->spacing;
    for (int64_t row = first; row < first + count && most > 0; ++row) {
        mo_vec3 way = mo_random_cube(0, 0, (uint64_t)row, 0);
        way.z = def->dimension == 2 ? 0 : way.z;
        mo_vec3_store(x + 3 * row, mo_add_scaled(mo_vec3_load(x + 3 * row), most, way));
    }
}

/* Shape `fill` of a phase, but for what overlaps. */
static mote_status fill_shape(builder *b, int64_t phase, int64_t fill, mo_points *points, mote_error *error)
{
    const mo_fluid_def *def = &b->def->fluid;
    const mo_phase_def *p = (const mo_phase_def *)def->phases.items + phase;
    const mo_particle_columns *c = &b->system->columns;
    int64_t first;
    mo_filling how = mo_filling_make(def->spacing, (int)def->dimension);
    how.longest = MO_FLUID_LONGEST;
    how.pool = b->system->pool;
    MO_TRY(mo_fill_shape(((const mo_method *)p->fill.items)[fill], &how, points, error));
    if (points->count == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "no particle fits into it; take a smaller fluid.spacing (%g m)", def->spacing);
    }
    MO_TRY(mo_fluid_cull(b->fluid, b->def, phase, fill, &points->count, points->x, b->warner, error));
    MO_TRY(mo_fluid_system_add(b->fluid, (int)phase, points->count, &first, error));
    memcpy(mo_f64(c->x) + 3 * first, points->x, (size_t)points->count * 3 * sizeof(double));
    jitter_rows(def, first, points->count, mo_f64(c->x));
    for (int64_t row = first; row < first + points->count; ++row) {
        mo_vec3 flow = p->flow.type ? ((const mo_flow_type *)p->flow.type)
                                          ->velocity(p->flow.params, mo_vec3_load(mo_f64(c->x) + 3 * row))
                                    : mo_vec3_make(0, 0, 0);
        mo_vec3_store(mo_f64(c->v) + 3 * row, mo_add(p->velocity, flow));
    }
    return MOTE_OK;
}

static mote_status fill_phase(builder *b, int64_t phase, mote_error *error)
{
    const mo_phase_def *p = (const mo_phase_def *)b->def->fluid.phases.items + phase;
    for (int64_t k = 0; k < p->fill.count; ++k) {
        mo_points points;
        mo_points_init(&points, b->system->memory);
        mote_status status = fill_shape(b, phase, k, &points, error);
        mo_points_release(&points);
        MO_TRY(mo_at_path(status, error, ".fill[%lld]: ", k));
    }
    return MOTE_OK;
}

static mote_status fill_phases(builder *b, mote_error *error)
{
    for (int64_t k = 0; k < b->def->fluid.phases.count; ++k) {
        MO_TRY(mo_at_path(fill_phase(b, k, error), error, "fluid.phases[%lld]", k));
    }
    void *bodies;
    MO_TRY(mo_allocate_array(b->system->memory, 1, sizeof(mote_body), &bodies, error));
    b->system->bodies = bodies;
    b->system->bodies[0] = (mote_body){"fluid", 0, 0, mo_store_rows(b->system->store)};
    b->system->body_count = b->system->body_capacity = 1;
    return MOTE_OK;
}

/* Room for all that will come, and what comes at t = 0. */
static mote_status open_emitters(builder *b, mote_error *error)
{
    mo_emitters *m = &b->fluid->emitters;
    int64_t rows = mo_store_rows(b->system->store);
    if (m->most > 0 && rows > m->most) {
        return mo_fail(error, MOTE_ERROR_INPUT, "fluid.max_particles: %lld, but the fluid starts with %lld",
                       (long long)m->most, (long long)rows);
    }
    if (m->count == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_fluid_check_nozzles(b->fluid, b->def, b->warner, error));
    /* what a fountain emits in an hour need not be there at once: beyond this, memory grows when it must */
    int64_t need = rows + mo_emitters_count(m, b->def->time.end),
            most = m->most > 0 ? m->most : rows + RESERVED;
    MO_TRY(mo_store_reserve(b->system->store, most < need ? most : need, error));
    return mo_fluid_system_emit(b->fluid, -1, 0, 0, error);
}

static mote_status sample_walls(builder *b, mote_error *error)
{
    const mo_method *boundary = &b->def->fluid.boundary;
    const mo_boundary_type *type = (const mo_boundary_type *)boundary->type;
    int64_t count = b->def->colliders.count;
    const mo_collider_def *colliders = b->def->colliders.items;
    b->system->touches_late = !type->contacts;
    if (!type->sample || count == 0) {
        return MOTE_OK;
    }
    void *block;
    MO_TRY(mo_allocate_array(b->system->memory, count, sizeof(mo_solid), &block, error));
    mo_solid *solids = block;
    for (int64_t k = 0; k < count; ++k) {
        solids[k] =
            (mo_solid){colliders[k].name, colliders[k].shape, colliders[k].motion, colliders[k].inside};
    }
    mote_status status = type->sample(&b->fluid->fluid.boundary, &b->fluid->fluid, solids, count, error);
    mo_release(b->system->memory, block);
    return mo_at_path(status, error, "fluid.boundary: ", 0);
}

static mote_status build(builder *b, mote_error *error)
{
    mo_fluid *f = &b->fluid->fluid;
    mo_domain domain = mo_world_def_domain(b->def);
    MO_TRY(mo_store_create(b->system->memory, &b->system->store, error));
    f->store = b->system->store;
    MO_TRY(declare_columns(b, error));
    MO_TRY(
        mo_at_path(mo_fluid_init(f, b->def->fluid.neighbors, &domain, error), error, "fluid.neighbors: ", 0));
    b->fluid->pressure = (const mo_pressure_type *)f->def->pressure.type;
    MO_TRY(mo_fluid_create_methods(f, error));
    MO_TRY(mo_emitters_create(&b->fluid->emitters, f->def, f->store, f->memory, error));
    MO_TRY(fill_phases(b, error));
    MO_TRY(sample_walls(b, error));
    MO_TRY(mo_fluid_system_relax(b->fluid, b->warner, error));
    MO_TRY(mo_terms_find_limits(f, error)); /* the first step, and whoever checks the scene, must know */
    MO_TRY(open_emitters(b, error));
    b->system->built = mo_store_rows(b->system->store);
    mo_fluid_advise(b->fluid, b->def, b->warner);
    return mo_fluid_check_sound_first(b->fluid, error);
}

static mo_fluid fluid_of(const mo_world_def *def, mo_memory *memory, mo_pool *pool)
{
    const mo_fluid_def *d = &def->fluid;
    return (mo_fluid){.memory = memory,
                      .pool = pool,
                      .def = d,
                      .dimension = (int)d->dimension,
                      .spacing = d->spacing,
                      .support = d->spacing * d->support,
                      .kernel = mo_kernel_make((const mo_kernel_type *)d->kernel.type, (int)d->dimension, 1),
                      .gravity = mo_world_def_gravity(def),
                      .gravity_factor = def->gravity_scale,
                      .phase_count = (int)d->phases.count,
                      .phases = d->phases.items};
}

mote_status mo_fluid_create(const mo_world_def *def, mo_memory *memory, mo_pool *pool, mo_stages *stages,
                            mo_warner warner, mo_system *system, mote_error *error)
{
    mo_fluid_system *fluid = mo_allocate(memory, sizeof *fluid);
    if (!fluid) {
        return mo_fail_memory(error, sizeof *fluid);
    }
    *system = (mo_system){.type = &mo_fluid_system_type, .memory = memory, .pool = pool, .state = fluid};
    *fluid = (mo_fluid_system){.system = system, .fluid = fluid_of(def, memory, pool), .warner = warner};
    fluid->stage = (mo_fluid_stages){mo_stage_add(stages, "neighbors"), mo_stage_add(stages, "forces"),
                                     mo_stage_add(stages, "divergence"), mo_stage_add(stages, "pressure"),
                                     mo_stage_add(stages, "advance")};
    builder b = {def, warner, system, fluid};
    mote_status status = build(&b, error);
    if (status != MOTE_OK) {
        mo_fluid_system_release(system);
    }
    return status;
}
