/* Particles that come and go while a world runs. */
#include "host/skin.h"
#include "integrate/rotation.h"
#include "neighbor/search.h"
#include "world/edit_watch.h"

#include <stdio.h>
#include <string.h>

static mo_system *find_forces(mote_world *world)
{
    for (int k = 0; k < world->system_count; ++k) {
        if (world->systems[k].type->add_force) {
            return &world->systems[k];
        }
    }
    return NULL;
}

static void orient_row(mo_system *s, int64_t row, const mote_particles *p, int64_t k)
{
    const mo_particle_columns *c = &s->columns;
    double ball = 0.4 * mo_f64(c->mass)[row] * p->radius * p->radius; /* 2/5 m r^2 */
    mo_quat q = p->q ? mo_quat_normalize(mo_quat_load(p->q + 4 * k)) : mo_quat_identity();
    mo_vec3 w = p->w ? mo_vec3_load(p->w + 3 * k) : mo_vec3_make(0, 0, 0);
    mo_vec3_store(mo_f64(c->inertia) + 3 * row,
                  p->inertia ? mo_vec3_load(p->inertia + 3 * k) : mo_vec3_make(ball, ball, ball));
    mo_quat_store(mo_f64(c->q) + 4 * row, q);
    mo_quat_store(mo_f64(c->q_rate) + 4 * row, mo_rotation_rate(q, w));
    mo_vec3_store(mo_f64(c->w) + 3 * row, w);
}

static void fill_row(mo_system *s, int64_t row, const mote_particles *p, int64_t k, int32_t body)
{
    const mo_particle_columns *c = &s->columns;
    double mass = p->mass ? p->mass[k] : 1;
    memcpy(mo_f64(c->x) + 3 * row, p->x + 3 * k, 3 * sizeof(double));
    if (p->v) {
        memcpy(mo_f64(c->v) + 3 * row, p->v + 3 * k, 3 * sizeof(double));
    }
    mo_f64(c->mass)[row] = mass;
    mo_f64(c->inverse_mass)[row] = 1 / mass;
    mo_f64(c->radius)[row] = p->radius;
    mo_f64(c->inverse_diameter)[row] = p->radius > 0 ? 0.5 / p->radius : 0;
    ((int32_t *)c->body->data)[row] = body;
    if (c->q) {
        orient_row(s, row, p, k);
    }
}

static mote_status check_oriented(const mo_system *s, const mote_particles *p, mote_error *error)
{
    if ((p->q || p->w || p->inertia) && !s->columns.q) {
        return mo_fail(error, MOTE_ERROR_USAGE,
                       "particles to add have orientations, but no body of the scene is oriented");
    }
    for (int64_t k = 0; k < p->count; ++k) {
        mo_vec3 i = p->inertia ? mo_vec3_load(p->inertia + 3 * k) : mo_vec3_make(1, 1, 1);
        mo_vec3 w = p->w ? mo_vec3_load(p->w + 3 * k) : mo_vec3_make(0, 0, 0);
        mo_quat q = p->q ? mo_quat_load(p->q + 4 * k) : mo_quat_identity();
        double length = mo_quat_dot(q, q);
        if (!(i.x > 0 && i.y > 0 && i.z > 0 && mo_inertia_possible(i)) || !isfinite(w.x + w.y + w.z) ||
            !(length > 0 && isfinite(length))) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "particle %lld to add: its quaternion is 0, its angular velocity not finite or "
                           "its inertia that of no body",
                           (long long)k);
        }
    }
    return MOTE_OK;
}

static mote_status check_particles(const mote_particles *p, mote_error *error)
{
    if (p->count < 1 || p->count > INT32_MAX) {
        return mo_fail(error, MOTE_ERROR_USAGE, "particles to add: 'count' is %lld; allowed: 1 to %d",
                       (long long)p->count, INT32_MAX);
    }
    if (!p->x) {
        return mo_fail(error, MOTE_ERROR_USAGE, "particles to add: 'x' must not be NULL");
    }
    if (!(p->radius >= 0 && isfinite(p->radius))) {
        return mo_fail(error, MOTE_ERROR_USAGE,
                       "particles to add: 'radius' is %g m; allowed: finite numbers from 0 up", p->radius);
    }
    if (p->radius > 0) {
        MO_TRY(mo_search_check_radius(p->radius, "particles to add: radius: ", error));
    }
    for (int64_t k = 0; k < p->count; ++k) {
        mo_vec3 v = p->v ? mo_vec3_load(p->v + 3 * k) : mo_vec3_make(0, 0, 0);
        mo_vec3 sum = mo_add(mo_vec3_load(p->x + 3 * k), v);
        if (!isfinite(sum.x + sum.y + sum.z)) {
            return mo_fail(error, MOTE_ERROR_INPUT, "particle %lld to add: its 'x' or 'v' is not finite",
                           (long long)k);
        }
        if (p->mass && !(p->mass[k] > 0 && isfinite(p->mass[k]))) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "particle %lld to add: its 'mass' is %g kg; allowed: finite numbers above 0",
                           (long long)k, p->mass[k]);
        }
    }
    return MOTE_OK;
}

static mote_status add_rows(mote_world *world, mo_system *s, const mote_particles *p, mote_body *body,
                            mote_error *error)
{
    char usual[32];
    snprintf(usual, sizeof usual, "body%lld", (long long)s->body_count);
    char *name = mo_arena_text(&world->arena, p->name ? p->name : usual);
    if (!name) {
        return mo_fail_memory(error, sizeof usual);
    }
    int64_t first;
    void *bodies = s->bodies;
    mote_status status =
        mo_grow(s->memory, &bodies, &s->body_capacity, s->body_count + 1, sizeof(mote_body), error);
    s->bodies = bodies;
    MO_TRY(status);
    MO_TRY(mo_store_add(s->store, p->count, &first, error));
    for (int64_t k = 0; k < p->count; ++k) {
        fill_row(s, first + k, p, k, (int32_t)s->body_count);
    }
    status = s->type->added(s, first, error);
    if (status != MOTE_OK) {
        mo_store_take_back(s->store, first);
        return status;
    }
    s->bodies[s->body_count++] = (mote_body){name, 0, first, p->count};
    if (body) {
        *body = mote_world_body(world, mote_world_body_count(world) - 1);
    }
    mo_observables_begin(&world->observables, first);
    return MOTE_OK;
}

/* The edit stands. Where memory lacks for the rates, the next step evaluates the forces and finds them. */
static void update_rates(mote_world *world)
{
    world->stale = mo_world_find_rates(world, NULL) != MOTE_OK || world->stale;
}

mote_status mote_world_add(mote_world *world, const mote_particles *particles, mote_body *body,
                           mote_error *error)
{
    MO_NEED(world);
    MO_NEED(particles);
    mo_system *s = find_forces(world);
    mo_edit_watch watch;
    if (!s) {
        return mo_fail(error, MOTE_ERROR_USAGE,
                       "the world has nothing to add particles to: its scene has no bodies");
    }
    MO_TRY(check_particles(particles, error));
    MO_TRY(check_oriented(s, particles, error));
    MO_TRY(mo_edit_watch_begin(&watch, s, world->clock.time, error));
    mote_status status = add_rows(world, s, particles, body, error);
    if (status != MOTE_OK) {
        mo_edit_watch_release(&watch);
        return status;
    }
    mo_edit_watch_end(&watch, NULL);
    update_rates(world);
    return MOTE_OK;
}

/* Lists of rows, `width` at a time: those that have lost one are dropped. */
static int64_t remap_elements(int32_t *rows, int64_t count, int width, const int64_t *map)
{
    int64_t kept = 0;
    for (int64_t e = 0; e < count; ++e) {
        bool whole = true;
        for (int k = 0; k < width; ++k) {
            whole = whole && map[rows[width * e + k]] >= 0;
        }
        for (int k = 0; whole && k < width; ++k) {
            rows[width * kept + k] = (int32_t)map[rows[width * e + k]];
        }
        kept += whole;
    }
    return kept;
}

/* Rows keep their order, so bodies stay ranges. */
static void remap_bodies(mo_system *s, const int64_t *map)
{
    int64_t next = 0;
    for (int64_t b = 0; b < s->body_count; ++b) {
        int64_t left = 0;
        for (int64_t row = s->bodies[b].first; row < s->bodies[b].first + s->bodies[b].count; ++row) {
            left += map[row] >= 0;
        }
        s->bodies[b].first = next;
        s->bodies[b].count = left;
        next += left;
    }
}

/* Where rows go: map[row] is the new row, -1 if it is removed. Returns how many are left. */
static int64_t map_rows(const uint8_t *gone, int64_t rows, int64_t *map)
{
    int64_t left = 0;
    for (int64_t row = 0; row < rows; ++row) {
        map[row] = gone[row] ? -1 : left++;
    }
    return left;
}

/* Nothing fails from here on. */
static void remove_rows(mo_system *s, const uint8_t *gone, const int64_t *map, int32_t *vertices)
{
    mo_store_remove(s->store, gone, NULL);
    remap_bodies(s, map);
    s->edge_count = remap_elements(s->edges, s->edge_count, 2, map);
    s->triangle_count = remap_elements(s->triangles, s->triangle_count, 3, map);
    for (int64_t k = 0; k < s->skin_count; ++k) {
        mo_skin_remap(&s->skins[k], map, vertices);
    }
}

mote_status mo_system_remove(mo_system *s, const uint8_t *gone, mote_error *error)
{
    int64_t rows = mo_store_rows(s->store), vertices = 0;
    void *map, *numbers = NULL;
    for (int64_t k = 0; k < s->skin_count; ++k) {
        vertices = s->skins[k].vertex_count > vertices ? s->skins[k].vertex_count : vertices;
    }
    MO_TRY(mo_allocate_array(s->memory, rows, sizeof(int64_t), &map, error));
    int64_t left = map_rows(gone, rows, map);
    mote_status status = mo_allocate_array(s->memory, vertices, sizeof(int32_t), &numbers, error);
    if (status == MOTE_OK && left < rows) {
        status = s->type->remap ? s->type->remap(s, map, left, error) : MOTE_OK;
        if (status == MOTE_OK) {
            remove_rows(s, gone, map, numbers);
        }
        if (s->type->settle) {
            s->type->settle(s, status == MOTE_OK ? map : NULL);
        }
    }
    mo_release(s->memory, numbers);
    mo_release(s->memory, map);
    return status;
}

mote_status mote_world_remove(mote_world *world, int system, const uint8_t *gone, mote_error *error)
{
    MO_NEED(world);
    MO_NEED(gone);
    mo_edit_watch watch;
    if (system < 0 || system >= world->system_count) {
        return MO_BAD_ARGUMENT(system, "is %d; the world has %d systems", system, world->system_count);
    }
    MO_TRY(mo_edit_watch_begin(&watch, &world->systems[system], world->clock.time, error));
    mote_status status = mo_system_remove(&world->systems[system], gone, error);
    if (status != MOTE_OK) {
        mo_edit_watch_release(&watch);
        return status;
    }
    mo_edit_watch_end(&watch, gone);
    update_rates(world);
    return MOTE_OK;
}
