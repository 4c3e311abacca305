/* Builds the fluid: rows from shapes, boundaries from colliders. */
#include "system/fluid/fluid.h"

#include "fluid/boundary/boundary.h"
#include "fluid/methods.h"
#include "geometry/flow/flow.h"
#include "geometry/shape/filling.h"
#include "math/portable.h"
#include "math/random.h"
#include "system/fluid/cavity.h"

#include <math.h>
#include <string.h>

enum { RESERVED = 1 << 18 };

typedef struct builder {
    const mo_world_def *def;
    const mo_fluid_def *own;
    mo_system *system;
    mo_fluid_system *fluid;
} builder;

static mote_status declare_columns(builder *b, mote_error *error)
{
    /* densities and pressures are state only because they are written to frames, including the
     * first of a resumed run */
    static const mo_column_spec PHASE = {"phase", MOTE_I32, 1, MO_STATE, "1", "index of the phase"};
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
    b->system->rate = c->a;
    return MOTE_OK;
}

mote_status mo_fluid_system_add(mo_fluid_system *fluid, int phase, int64_t count, int64_t *first,
                                mote_error *error)
{
    const mo_fluid_def *def = fluid->fluid.def;
    const mo_phase_def *p = (const mo_phase_def *)def->phases.items + phase;
    const mo_particle_columns *c = &fluid->system->columns;
    double mass = p->density * mo_power(def->spacing, (int)def->dimension) * def->mass_scale;
    MO_TRY(mo_store_add(fluid->system->store, count, first, error));
    for (int64_t row = *first; row < *first + count; ++row) {
        mo_f64(c->mass)[row] = mass;
        mo_f64(c->inverse_mass)[row] = 1 / mass;
        mo_f64(c->radius)[row] = 0.5 * def->spacing;
        mo_f64(c->inverse_diameter)[row] = 1 / def->spacing;
        ((uint8_t *)c->age->data)[row] = 1; /* no contact yet */
        ((int32_t *)fluid->fluid.columns.phase->data)[row] = phase;
        ((float *)fluid->fluid.columns.density->data)[row] = (float)p->density;
        if (fluid->fluid.columns.step_density) {
            ((float *)fluid->fluid.columns.step_density->data)[row] = (float)p->density;
        }
    }
    return MOTE_OK;
}

/* Random displacement from the lattice (in the plane in 2D), by row index. */
static void jitter_rows(const mo_fluid_def *def, int64_t first, int64_t count, double *x)
{
    double most = def->jitter * def->spacing;
    for (int64_t row = first; row < first + count && most > 0; ++row) {
        mo_vec3 way = mo_random_cube(0, 0, (uint64_t)row, 0);
        way.z = def->dimension == 2 ? 0 : way.z;
        mo_vec3_store(x + 3 * row, mo_add_scaled(mo_vec3_load(x + 3 * row), most, way));
    }
}

/* The rows of a fill without overlaps. */
static mote_status add_rows(builder *b, const mo_fluid_fill *fill, mo_fill_points *points,
                            mote_error *error)
{
    const mo_fluid_def *def = b->own;
    const mo_phase_def *p = (const mo_phase_def *)def->phases.items + fill->phase;
    const mo_particle_columns *c = &b->system->columns;
    int64_t first;
    MO_TRY(mo_fluid_system_cull(b->fluid, fill, points, error));
    MO_TRY(mo_fluid_system_add(b->fluid, (int)fill->phase, points->count, &first, error));
    memcpy(mo_f64(c->x) + 3 * first, points->x, (size_t)points->count * 3 * sizeof(double));
    jitter_rows(def, first, points->count, mo_f64(c->x));
    MO_TRY(mo_flow_check(p->flow, points->count, mo_f64(c->x) + 3 * first, error));
    for (int64_t row = first; row < first + points->count; ++row) {
        mo_vec3 flow = mo_flow_velocity(p->flow, mo_vec3_load(mo_f64(c->x) + 3 * row));
        mo_vec3_store(mo_f64(c->v) + 3 * row, mo_add(p->velocity, flow));
        mo_f64(c->mass)[row] = p->density * points->cell * def->mass_scale;
        mo_f64(c->inverse_mass)[row] = 1 / mo_f64(c->mass)[row];
    }
    return MOTE_OK;
}

/* The points of one part; *box: the shape is a box, otherwise there is one part. */
static mote_status fill_part(builder *b, const mo_fluid_fill *fill, mo_method shape, mo_vec3 low,
                             mo_vec3 high, bool *box, mote_error *error)
{
    mo_filling how = mo_filling_make(b->own->spacing, (int)b->own->dimension);
    mo_fill_points points;
    how.longest = MO_FLUID_LONGEST;
    how.pool = b->system->host->pool;
    how.fit = true;
    how.low = low;
    how.high = high;
    mo_fill_points_init(&points, b->system->host->memory);
    mote_status status = mo_fill_shape(shape, &how, &points, error);
    *box = points.tiled;
    if (status == MOTE_OK && points.count == 0) {
        status =
            mo_fail(error, MOTE_ERROR_INPUT,
                    "it contains no particle; use a smaller fluid.spacing (%g m)", b->own->spacing);
    }
    status = status == MOTE_OK ? add_rows(b, fill, &points, error) : status;
    mo_fill_points_release(&points);
    return status;
}

static mote_status fill_shape(builder *b, const mo_fluid_fill *fill, mote_error *error)
{
    const mo_phase_def *p = (const mo_phase_def *)b->own->phases.items + fill->phase;
    mo_method shape = ((const mo_method *)p->fill.items)[fill->number];
    mo_fluid_parts parts;
    bool box = true;
    mo_fluid_system_snap(b->fluid, shape, &parts);
    for (int k = 0; k < parts.count && box; ++k) {
        MO_TRY(fill_part(b, fill, shape, parts.low[k], parts.high[k], &box, error));
    }
    return MOTE_OK;
}

static mote_status fill_cavity(builder *b, const mo_fluid_fill *fill, mote_error *error)
{
    const mo_phase_def *p = (const mo_phase_def *)b->own->phases.items + fill->phase;
    mo_cavity_fill how = {.colliders = b->system->host->colliders,
                          .def = (const mo_cavity_def *)p->inside.items + fill->number,
                          .spacing = b->own->spacing,
                          .dimension = (int)b->own->dimension,
                          .up = b->def->up[0] - 'x',
                          .pool = b->system->host->pool};
    mo_fill_points points;
    mo_fill_points_init(&points, b->system->host->memory);
    mote_status status = mo_fill_cavity(&how, &points, error);
    status = status == MOTE_OK ? add_rows(b, fill, &points, error) : status;
    mo_fill_points_release(&points);
    return status;
}

/* Shapes first, then vessels. */
static mote_status fill_phase(builder *b, int64_t phase, mote_error *error)
{
    const mo_phase_def *p = (const mo_phase_def *)b->own->phases.items + phase;
    for (int64_t k = 0; k < p->fill.count + p->inside.count; ++k) {
        bool shape = k < p->fill.count;
        mo_fluid_fill fill = {.phase = phase,
                              .number = shape ? k : k - p->fill.count,
                              .key = shape ? "fill" : "inside",
                              .shapes_first = shape ? k : p->fill.count};
        mote_status status = shape ? fill_shape(b, &fill, error) : fill_cavity(b, &fill, error);
        MO_TRY(mo_at_path(status, error, shape ? ".fill[%lld]: " : ".inside[%lld]: ", fill.number));
    }
    return MOTE_OK;
}

static mote_status fill_phases(builder *b, mote_error *error)
{
    for (int64_t k = 0; k < b->own->phases.count; ++k) {
        MO_TRY(mo_at_path(fill_phase(b, k, error), error, "fluid.phases[%lld]", k));
    }
    void *bodies;
    MO_TRY(mo_allocate_array(b->system->host->memory, 1, sizeof(mote_body), &bodies, error));
    b->system->bodies.list = bodies;
    b->system->bodies.list[0] = (mote_body){"fluid", 0, 0, mo_store_owned(b->system->store)};
    b->system->bodies.count = b->system->bodies.capacity = b->system->bodies.scene_count = 1;
    return MOTE_OK;
}

/* Reserves particles for emitters, and emits at t = 0. */
static mote_status open_emitters(builder *b, mote_error *error)
{
    mo_emitters *m = &b->fluid->emitters;
    int64_t rows = mo_store_owned(b->system->store);
    if (m->most > 0 && rows > m->most) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "fluid.max_particles: %lld, but the fluid starts with %lld",
                       (long long)m->most, (long long)rows);
    }
    if (m->count == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_fluid_system_check_nozzles(b->fluid, error));
    /* limit of the reserved particles; beyond it memory grows on demand */
    int64_t need = rows + mo_emitters_count(m, b->def->time.end),
            most = m->most > 0 ? m->most : rows + RESERVED;
    MO_TRY(mo_store_reserve(b->system->store, most < need ? most : need, error));
    return mo_fluid_system_emit(b->fluid, -1, 0, error);
}

/* Behind a boundary with pressure contacts are a fallback: their contact distance in radii. Maps
 * exert pressure behind the surface too, boundary particles none behind their layer. Contact
 * detection is continuous (couple/collider_contact.c), so that thin plates need no larger distance,
 * and larger distances disturb the pressure of quiescent fluid. */
static const double FALLBACK_SAMPLES = 0.5, FALLBACK_MAPS = 0.3;

static mote_status sample_walls(builder *b, mote_error *error)
{
    const mo_method *boundary = &b->own->boundary;
    const mo_boundary_type *type = (const mo_boundary_type *)boundary->type;
    const mo_colliders *colliders = b->system->host->colliders;
    b->system->contact_offset = type->contacts ? 1 : FALLBACK_SAMPLES;
    b->fluid->fluid.contacts = type->contacts && colliders->count > 0;
    if (colliders->count == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_at_path(type->create(&b->fluid->fluid.boundary, &b->fluid->fluid, colliders, error),
                      error, "fluid.boundary: ", 0));
    b->system->contact_offset =
        b->fluid->fluid.walls.maps ? FALLBACK_MAPS : b->system->contact_offset;
    return MOTE_OK;
}

bool mo_fluid_system_has_samples(const mo_system *system)
{
    const mo_fluid_system *fluid = system->state;
    return !((const mo_boundary_type *)fluid->fluid.def->boundary.type)->contacts;
}

static mote_status build(builder *b, mote_error *error)
{
    mo_fluid *f = &b->fluid->fluid;
    const mo_domain *domain = &b->system->host->domain;
    MO_TRY(mo_store_create(b->system->host->memory, &b->system->store, error));
    mo_store_share_ids(b->system->store, &b->system->host->next_id);
    f->store = b->system->store;
    MO_TRY(declare_columns(b, error));
    MO_TRY(mo_at_path(mo_fluid_init(f, b->own->neighbors, domain, error), error,
                      "fluid.neighbors: ", 0));
    b->fluid->pressure = (const mo_pressure_type *)f->def->pressure.type;
    MO_TRY(mo_fluid_create_methods(f, error));
    MO_TRY(mo_emitters_create(&b->fluid->emitters, f->def, b->system->host->colliders, f->store,
                              f->memory, error));
    MO_TRY(fill_phases(b, error));
    MO_TRY(sample_walls(b, error));
    MO_TRY(mo_fluid_system_relax(b->fluid, error));
    MO_TRY(mo_fluid_system_forces_create(b->fluid, b->def, error));
    /* for the first step and for checks */
    MO_TRY(mo_terms_find_limits(f, error));
    MO_TRY(open_emitters(b, error));
    b->system->built = mo_store_owned(b->system->store);
    mo_fluid_system_advise(b->fluid, b->def);
    return mo_fluid_system_check_sound_first(b->fluid, error);
}

static mo_fluid fluid_of(const mo_fluid_def *d, const mo_host *host)
{
    return (mo_fluid){
        .memory = host->memory,
        .pool = host->pool,
        .def = d,
        .dimension = (int)d->dimension,
        .spacing = d->spacing,
        .support = d->spacing * d->support,
        .kernel = mo_kernel_make((const mo_kernel_type *)d->kernel.type, (int)d->dimension, 1),
        .gravity = host->gravity,
        .gravity_factor = host->gravity_scale,
        .phase_count = (int)d->phases.count,
        .phases = d->phases.items};
}

mote_status mo_fluid_system_create(const mo_world_def *def, mo_system *system, mote_error *error)
{
    mo_host *host = system->host;
    mo_stages *stages = host->stages;
    const mo_fluid_def *own = mo_fluid_system_def_of(def);
    mo_fluid_system *fluid = mo_allocate(host->memory, sizeof *fluid);
    if (!fluid) {
        return mo_fail_memory(error, sizeof *fluid);
    }
    system->state = fluid;
    system->first_id = host->next_id;
    *fluid =
        (mo_fluid_system){.system = system, .fluid = fluid_of(own, host), .warner = host->warner};
    fluid->stage =
        (mo_fluid_stages){mo_stage_add(stages, "neighbors"), mo_stage_add(stages, "forces"),
                          mo_stage_add(stages, "divergence"), mo_stage_add(stages, "pressure"),
                          mo_stage_add(stages, "advance")};
    builder b = {def, own, system, fluid};
    mote_status status = build(&b, error);
    if (status != MOTE_OK) {
        mo_fluid_system_release(system);
    }
    return status;
}
