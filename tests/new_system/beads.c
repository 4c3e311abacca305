/*
 * An example system: beads sliding on circular wires under gravity, one wire per body with the
 * model `wire`. The angle phi of a bead about the wire's centre obeys
 *     R phi'' = g . t(phi),    t the tangent,
 * integrated by symplectic Euler in two substeps.
 */
#include "geometry/generate/generate.h"
#include "host/coupling.h"
#include "host/observable.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SUBSTEPS = 2, GRAIN = 8 };

extern const mo_system_type mo_system_beads;

/* ---- its part of a scene ---- */

typedef struct wire {
    double radius;
    mo_vec3 center;
} wire;

static const mo_param WIRE[] = {{"radius", MO_REAL, MO_FIELD(wire, radius), .unit = "m",
                                 .initial = "1", .range = "(0, inf)",
                                 .doc = "Radius of the circular wire, in the x-z plane."},
                                {"center", MO_VEC3, MO_FIELD(wire, center), .unit = "m",
                                 .initial = "[0, 0, 0]", .doc = "Its centre."},
                                {0}};

static const mo_descriptor MODEL = {.name = "wire",
                                    .summary = "Beads that slide on a circular wire.",
                                    .capabilities = MO_PORTABLE,
                                    .param_size = sizeof(wire),
                                    .params = WIRE};
static const mo_descriptor *const MODELS[] = {&MODEL};
static const mo_family FAMILY = {.name = "model", .doc = "Beads.", .methods = MODELS, .count = 1};

typedef struct beads_def {
    double bead_friction;
} beads_def;

static const mo_param KEYS[] = {{"bead_friction", MO_REAL, MO_FIELD(beads_def, bead_friction),
                                 .unit = "1/s", .initial = "0", .range = "[0, inf)",
                                 .doc = "Damping of beads on wires."},
                                {0}};
static const mo_section SECTION = {
    .name = "beads", .doc = "Beads on wires.", .size = sizeof(beads_def), .params = KEYS};

typedef struct body_def {
    double bead_spin;
} body_def;

static const mo_param BODY_KEYS[] = {{"bead_spin", MO_REAL, MO_FIELD(body_def, bead_spin),
                                      .unit = "rad/s", .initial = "0",
                                      .doc = "Angular velocity of its beads at the start."},
                                     {0}};
static const mo_section BODY_SECTION = {
    .name = "beads", .doc = "Beads on a wire.", .size = sizeof(body_def), .params = BODY_KEYS};

/* ---- the system ---- */

typedef struct beads {
    mo_system *system;
    double friction;
    mo_column *angle, *rate, *radius, *center;
    int stage;
} beads;

static const mo_column_spec ANGLE = {"angle", MOTE_F64, 1, MO_STATE, "rad", "angle on the wire"};
static const mo_column_spec RATE = {"angle_rate", MOTE_F64, 1, MO_STATE, "rad/s", "its rate"};
static const mo_column_spec RADIUS = {"wire_radius", MOTE_F64, 1,
                                      MO_STATE,      "m",      "radius of the wire"};
static const mo_column_spec CENTER = {"wire_center", MOTE_F64, 3,
                                      MO_STATE,      "m",      "centre of the wire"};

static void fill_row(const beads *b, int64_t row)
{
    const mo_particle_columns *c = &b->system->columns;
    double phi = mo_f64(b->angle)[row], rate = mo_f64(b->rate)[row], r = mo_f64(b->radius)[row];
    mo_vec3 out = mo_vec3_make(cos(phi), 0, sin(phi)), along = mo_vec3_make(-sin(phi), 0, cos(phi));
    mo_vec3_store(mo_f64(c->x) + 3 * row,
                  mo_add_scaled(mo_vec3_load(mo_f64(b->center) + 3 * row), r, out));
    mo_vec3_store(mo_f64(c->v) + 3 * row, mo_scale(r * rate, along));
}

static mote_status add_body(beads *b, const mo_body_def *body, int64_t number, mote_error *error)
{
    const wire *w = body->model.params;
    const body_def *own = mo_body_def_part(body, &mo_system_beads);
    mo_system *s = b->system;
    const mo_particle_columns *c = &s->columns;
    mo_mesh mesh;
    int64_t first;
    MO_TRY(mo_mesh_generate(body->mesh, s->host->memory, &mesh, error));
    mote_status status = mo_store_add(s->store, mesh.node_count, &first, error);
    for (int64_t k = 0; status == MOTE_OK && k < mesh.node_count; ++k) {
        int64_t row = first + k;
        mo_vec3 arm = mo_sub(mo_vec3_load(mesh.nodes + 3 * k), w->center);
        mo_f64(b->angle)[row] = atan2(arm.z, arm.x);
        mo_f64(b->rate)[row] = own->bead_spin;
        mo_f64(b->radius)[row] = w->radius;
        mo_vec3_store(mo_f64(b->center) + 3 * row, w->center);
        mo_f64(c->mass)[row] = isnan(body->mass) ? 1 : body->mass / (double)mesh.node_count;
        mo_f64(c->inverse_mass)[row] = 1 / mo_f64(c->mass)[row];
        mo_f64(c->radius)[row] = isnan(body->radius) ? 0 : body->radius;
        mo_f64(c->inverse_diameter)[row] = 1 / w->radius;
        ((int32_t *)c->body->data)[row] = (int32_t)number;
        fill_row(b, row);
    }
    s->bodies.list[number] =
        (mote_body){body->name ? body->name : "beads", 0, first, mesh.node_count};
    mo_mesh_release(&mesh);
    return status;
}

static mote_status build(beads *b, const mo_world_def *def, mote_error *error)
{
    mo_system *s = b->system;
    const mo_body_def *bodies = def->bodies.items;
    MO_TRY(mo_store_create(s->host->memory, &s->store, error));
    mo_store_share_ids(s->store, &s->host->next_id);
    MO_TRY(mo_particle_columns_declare(s, error));
    MO_TRY(mo_store_declare(s->store, &ANGLE, &b->angle, error));
    MO_TRY(mo_store_declare(s->store, &RATE, &b->rate, error));
    MO_TRY(mo_store_declare(s->store, &RADIUS, &b->radius, error));
    MO_TRY(mo_store_declare(s->store, &CENTER, &b->center, error));
    s->rate = s->columns.a;
    MO_TRY(mo_reserve(s->host->memory, &s->bodies.list, &s->bodies.capacity, def->bodies.count,
                      sizeof(mote_body), error));
    for (int64_t k = 0; k < def->bodies.count; ++k) {
        if (mo_body_def_system(&bodies[k]) == s->type) {
            MO_TRY(add_body(b, &bodies[k], s->bodies.count, error));
            s->bodies.scene_count = ++s->bodies.count;
        }
    }
    s->built = mo_store_rows(s->store);
    return MOTE_OK;
}

static void beads_destroy(mo_system *s)
{
    mo_release(s->host->memory, s->state);
    mo_system_release(s);
}

static mote_status beads_create(const mo_world_def *def, mo_system *s, mote_error *error)
{
    beads *b = mo_allocate(s->host->memory, sizeof *b);
    if (!b) {
        return mo_fail_memory(error, sizeof *b);
    }
    s->state = b;
    s->first_id = s->host->next_id;
    s->contact_offset = 1;
    *b = (beads){.system = s, .stage = mo_stage_add(s->host->stages, "beads")};
    b->friction = ((const beads_def *)mo_world_def_system(def, s->type))->bead_friction;
    mote_status status = build(b, def, error);
    if (status != MOTE_OK) {
        beads_destroy(s);
    }
    return status;
}

static bool beads_wanted(const mo_world_def *def)
{
    return mo_world_def_has_bodies(def, &mo_system_beads);
}

typedef struct advance {
    const beads *b;
    mo_vec3 g;
    double h;
} advance;

static void advance_range(void *context, int64_t first, int64_t last)
{
    const advance *a = context;
    const beads *b = a->b;
    for (int64_t row = first; row < last; ++row) {
        double *phi = &mo_f64(b->angle)[row], *rate = &mo_f64(b->rate)[row],
               r = mo_f64(b->radius)[row];
        mo_vec3 along = mo_vec3_make(-sin(*phi), 0, cos(*phi));
        *rate += a->h * (mo_dot(a->g, along) / r - b->friction * *rate);
        *phi += a->h * *rate;
        fill_row(b, row);
        mo_vec3_store(mo_f64(b->system->columns.a) + 3 * row, a->g);
    }
}

static mote_status beads_solve(mo_system *s, const mo_step_time *now, mote_error *error)
{
    const beads *b = s->state;
    for (int k = 0; k < SUBSTEPS; ++k) {
        double h = now->h / SUBSTEPS;
        mo_step_time substep = {now->time + k * h, h, now->time + (k + 1) * h, now->step};
        advance a = {b, mo_host_gravity(s->host, substep.time), h};
        MO_TRY(mo_system_refresh(s, &substep, error));
        mo_parallel_for(s->host->pool, mo_store_rows(s->store), GRAIN, advance_range, &a);
        s->evaluations++;
    }
    mo_stage_end(s->host->stages, b->stage);
    return MOTE_OK;
}

static mote_status beads_evaluate(mo_system *s, double time, mote_error *error)
{
    (void)error;
    for (int64_t row = 0; row < mo_store_rows(s->store); ++row) {
        mo_vec3_store(mo_f64(s->columns.a) + 3 * row, mo_host_gravity(s->host, time));
    }
    return MOTE_OK;
}

static mote_status beads_measure(mo_system *s, double time, bool virial, mote_measures *m,
                                 mote_error *error)
{
    const mo_particle_columns *c = &s->columns;
    mo_vec3 g = mo_host_gravity(s->host, time);
    (void)virial, (void)error;
    for (int64_t row = 0; row < mo_store_rows(s->store); ++row) {
        double mass = mo_f64(c->mass)[row];
        mo_vec3 x = mo_vec3_load(mo_f64(c->x) + 3 * row), v = mo_vec3_load(mo_f64(c->v) + 3 * row);
        m->mass += mass;
        m->kinetic += 0.5 * mass * mo_dot(v, v);
        m->potential -= mass * mo_dot(g, x);
    }
    return MOTE_OK;
}

static int beads_numbers(const mo_system *s, mote_quantity *numbers)
{
    numbers[0] = (mote_quantity){.name = "beads",
                                 .unit = "1",
                                 .reduction = MOTE_LAST,
                                 .value = (double)mo_store_rows(s->store)};
    return 1;
}

/* ---- its numbers in report.json ---- */

static int beads_summary(const mo_system *s, double time, mo_report_number *numbers)
{
    double fastest = 0;
    (void)time;
    for (int64_t row = 0; row < mo_store_rows(s->store); ++row) {
        fastest = fmax(fastest, mo_length(mo_vec3_load(mo_f64(s->columns.v) + 3 * row)));
    }
    numbers[0] = (mo_report_number){"on_wires", (double)mo_store_rows(s->store), true};
    numbers[1] = (mo_report_number){"fastest_m_s", fastest, false};
    return 2;
}

static const mo_report_hooks REPORTED = {.summary = beads_summary};

/* ---- its observable ---- */

typedef struct angles {
    double from;
    const mo_system *system;
} angles;

static const mo_param ANGLES[] = {{"from", MO_REAL, MO_FIELD(angles, from), .unit = "rad",
                                   .initial = "0", .doc = "Angles are relative to this one."},
                                  {0}};

static mote_status bead_angle_create(const void *params, const mo_observable_context *context,
                                     void **instance, mote_error *error)
{
    const mo_system *system = mo_world_system(context->world, &mo_system_beads);
    if (!system) {
        return mo_fail(error, MOTE_ERROR_INPUT, "the scene has no beads");
    }
    angles *a = mo_allocate(context->memory, sizeof *a);
    if (!a) {
        return mo_fail_memory(error, sizeof *a);
    }
    *a = (angles){((const angles *)params)->from, system};
    *instance = a;
    return MOTE_OK;
}

static void bead_angle_destroy(void *instance, mo_memory *memory)
{
    mo_release(memory, instance);
}

static int64_t bead_angle_size(const void *instance)
{
    (void)instance;
    return 2;
}

static void bead_angle_label(const void *instance, int64_t index, char text[MO_OBSERVABLE_LABEL])
{
    (void)instance;
    snprintf(text, MO_OBSERVABLE_LABEL, "%s", index == 0 ? "mean_rad" : "largest_rad");
}

static mote_status bead_angle_observe(void *instance, double time, double *values,
                                      mote_error *error)
{
    const angles *a = instance;
    const beads *b = a->system->state;
    int64_t rows = mo_store_rows(a->system->store);
    (void)time, (void)error;
    values[0] = values[1] = 0;
    for (int64_t row = 0; row < rows; ++row) {
        double angle = mo_f64(b->angle)[row] - a->from;
        values[0] += angle / (double)rows;
        values[1] = fmax(values[1], angle);
    }
    return MOTE_OK;
}

static const mo_observable_type BEAD_ANGLE = {
    .base = {.name = "bead_angle",
             .summary = "Mean and largest angle of the beads on their wires.",
             .param_size = sizeof(angles),
             .params = ANGLES},
    .create = bead_angle_create,
    .destroy = bead_angle_destroy,
    .size = bead_angle_size,
    .label = bead_angle_label,
    .observe = bead_angle_observe,
};
static const mo_descriptor *const BEAD_OBSERVABLES[] = {&BEAD_ANGLE.base};
static const mo_family OBSERVABLES = {
    .name = "observable", .doc = "Of beads.", .methods = BEAD_OBSERVABLES, .count = 1};

static mote_status beads_added(mo_system *s, int64_t first, mote_error *error)
{
    (void)s, (void)first, (void)error;
    return MOTE_OK;
}

static const mo_edit_hooks EDIT = {.added = beads_added};

const mo_system_type mo_system_beads = {
    .base = {.name = "beads", .summary = "Beads that slide on wires."},
    .section = &SECTION,
    .body_section = &BODY_SECTION,
    .models = &FAMILY,
    .observables = &OBSERVABLES,
    .wanted = beads_wanted,
    .create = beads_create,
    .destroy = beads_destroy,
    .solve = beads_solve,
    .evaluate = beads_evaluate,
    .measure = beads_measure,
    .numbers = beads_numbers,
    .remedy = "the wires; try a smaller time.step",
    .edit = &EDIT,
    .reported = &REPORTED,
};
