/* Adding and removing particles of a running world. */
#include "integrate/rotation.h"
#include "neighbor/search.h"
#include "world/edit_history.h"

#include <stdio.h>
#include <string.h>

/* The system that accepts particles added by the caller. */
static mo_system *find_accepting(mote_world *world)
{
    for (int k = 0; k < world->system_count; ++k) {
        const mo_edit_hooks *edit = world->systems[k].type->edit;
        if (edit && edit->accepts) {
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
        if (!(i.x > 0 && i.y > 0 && i.z > 0 && mo_inertia_possible(i)) ||
            !isfinite(w.x + w.y + w.z) || !(length > 0 && isfinite(length))) {
            return mo_fail(
                error, MOTE_ERROR_INPUT,
                "particle %lld to add: its quaternion is 0, its angular velocity not finite, or "
                "its inertia not physical",
                (long long)k);
        }
    }
    return MOTE_OK;
}

static mote_status check_particles(const mote_particles *p, mote_error *error)
{
    if (p->count < 1 || p->count > INT32_MAX) {
        return mo_fail(error, MOTE_ERROR_USAGE,
                       "particles to add: 'count' is %lld; allowed: 1 to %d", (long long)p->count,
                       INT32_MAX);
    }
    if (!p->x) {
        return mo_fail(error, MOTE_ERROR_USAGE, "particles to add: 'x' must not be NULL");
    }
    if (!(p->radius >= 0 && isfinite(p->radius))) {
        return mo_fail(error, MOTE_ERROR_USAGE,
                       "particles to add: 'radius' is %g m; allowed: finite values of at least 0",
                       p->radius);
    }
    if (p->radius > 0) {
        MO_TRY(mo_search_check_radius(p->radius, "particles to add: radius: ", error));
    }
    for (int64_t k = 0; k < p->count; ++k) {
        mo_vec3 v = p->v ? mo_vec3_load(p->v + 3 * k) : mo_vec3_make(0, 0, 0);
        mo_vec3 sum = mo_add(mo_vec3_load(p->x + 3 * k), v);
        if (!isfinite(sum.x + sum.y + sum.z)) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "particle %lld to add: its 'x' or 'v' is not finite", (long long)k);
        }
        if (p->mass && !(p->mass[k] > 0 && isfinite(p->mass[k]))) {
            return mo_fail(
                error, MOTE_ERROR_INPUT,
                "particle %lld to add: its 'mass' is %g kg; allowed: finite numbers above 0",
                (long long)k, p->mass[k]);
        }
    }
    return MOTE_OK;
}

static mote_status add_rows(mote_world *world, mo_system *s, const mote_particles *p,
                            mote_body *body, mote_error *error)
{
    char default_name[32];
    snprintf(default_name, sizeof default_name, "body%lld", (long long)s->bodies.count);
    char *name = mo_arena_text(&world->arena, p->name ? p->name : default_name);
    if (!name) {
        return mo_fail_memory(error, sizeof default_name);
    }
    int64_t first;
    MO_TRY(mo_reserve(s->host->memory, &s->bodies.list, &s->bodies.capacity, s->bodies.count + 1,
                      sizeof(mote_body), error));
    MO_TRY(mo_store_add(s->store, p->count, &first, error));
    for (int64_t k = 0; k < p->count; ++k) {
        fill_row(s, first + k, p, k, (int32_t)s->bodies.count);
    }
    mote_status status = s->type->edit->added(s, first, error);
    if (status != MOTE_OK) {
        mo_store_revert_add(s->store, first);
        return status;
    }
    s->bodies.list[s->bodies.count++] = (mote_body){name, 0, first, p->count};
    if (body) {
        *body = s->bodies.list[s->bodies.count - 1];
        body->system = (int)(s - world->systems);
    }
    mo_world_tell_added(world, s, first);
    return MOTE_OK;
}

/* The edit is complete. If memory is insufficient for the rates, the next step evaluates the
 * forces and sets them. */
static void update_rates(mote_world *world)
{
    world->stale = mo_world_find_rates(world, NULL) != MOTE_OK || world->stale;
}

mote_status mote_world_add(mote_world *world, const mote_particles *particles, mote_body *body,
                           mote_error *error)
{
    MO_NEED(world);
    MO_NEED(particles);
    mo_system *s = find_accepting(world);
    mo_edit_history history;
    if (!s) {
        return mo_fail(error, MOTE_ERROR_USAGE,
                       "the world has no system to add particles to: its scene has no bodies");
    }
    MO_TRY(check_particles(particles, error));
    MO_TRY(check_oriented(s, particles, error));
    MO_TRY(mo_edit_history_begin(&history, s, world->clock.time, error));
    mote_status status = add_rows(world, s, particles, body, error);
    if (status != MOTE_OK) {
        mo_edit_history_release(&history);
        return status;
    }
    mo_edit_history_end(&history, NULL);
    update_rates(world);
    return MOTE_OK;
}

mote_status mote_world_remove(mote_world *world, int system, const uint8_t *removed,
                              mote_error *error)
{
    MO_NEED(world);
    MO_NEED(removed);
    mo_edit_history history;
    if (system < 0 || system >= world->system_count) {
        return MO_BAD_ARGUMENT(system, "is %d; the world has %d systems", system,
                               world->system_count);
    }
    MO_TRY(mo_edit_history_begin(&history, &world->systems[system], world->clock.time, error));
    mote_status status = mo_system_remove(&world->systems[system], removed, error);
    if (status != MOTE_OK) {
        mo_edit_history_release(&history);
        return status;
    }
    mo_edit_history_end(&history, removed);
    update_rates(world);
    return MOTE_OK;
}
