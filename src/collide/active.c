#include "collide/active.h"

#include "collide/friction/friction.h"
#include "collide/law.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 4096 };

typedef struct activation {
    const mo_colliders *colliders;
    const mo_contact_rows *rows;
    const double *a;
    double h, g;
    const mo_active *active;
} activation;

/* w is the relative velocity, n the collider's normal. */
static void activate(const activation *t, const mo_collider *collider, int64_t row, mo_vec3 w,
                     mo_vec3 n)
{
    const mo_friction_type *friction = (const mo_friction_type *)collider->friction.type;
    mo_vec3 a = mo_vec3_load(t->a + 3 * row), next = mo_add_scaled(w, t->h, a);
    double compression = -mo_dot(a, n);
    next = mo_add_scaled(next, -mo_dot(next, n), n);
    mo_vec3 slowed = friction->slow(collider->friction.params, next, t->h * compression);
    bool sticks = mo_dot(slowed, slowed) == 0 && mo_dot(next, next) > 0;
    t->active->kind[row] = sticks ? MO_ACTIVE_STICK : MO_ACTIVE_SLIP;
    t->active->collider[row] = (int32_t)(collider - t->colliders->list);
    mo_vec3_store(t->active->normal + 3 * row, n);
    mo_vec3_store(t->active->friction + 3 * row,
                  sticks ? mo_vec3_make(0, 0, 0) : mo_scale(1 / t->h, mo_sub(slowed, next)));
}

/* The first collider that the row is in compressive contact with, or will be within this step
 * under gravity. (Gravity is used instead of the acceleration, which is arbitrarily large in
 * stiff bodies.) The row is reprojected onto the surface, from which tangential motion departs
 * where it is curved. */
static void find_row(const activation *t, int64_t row)
{
    const mo_contact_rows *rows = t->rows;
    mo_vec3 x = mo_vec3_load(rows->x + 3 * row);
    double near = 1e-9 * (1 + mo_length(x));
    for (int64_t c = 0; c < t->colliders->count && t->active->kind[row] == MO_ACTIVE_NONE; ++c) {
        const mo_collider *collider = &t->colliders->list[c];
        mo_vec3 n;
        double gap = mo_collider_gap(collider, x, &n) - rows->radius[row],
               compression = -mo_dot(mo_vec3_load(t->a + 3 * row), n),
               fall = fmin(compression, t->g);
        bool bounces = collider->projects && !mo_force_law_of(collider);
        if (!bounces || !(compression > 0 && gap <= near + 0.5 * fall * t->h * t->h)) {
            continue;
        }
        mo_vec3 u = mo_collider_velocity(collider, x, n),
                w = mo_sub(mo_vec3_load(rows->v + 3 * row), u);
        double speed = mo_dot(w, n); /* neither separation nor impact, which bounces resolve */
        if (speed <= 1e-9 + 0.5 * fall * t->h && speed >= -1e-9 - 2 * fall * t->h) {
            mo_vec3_store(t->active->velocity + 3 * row, mo_add_scaled(u, -gap / t->h, n));
            activate(t, collider, row, w, n);
        }
    }
}

/* partial: number of active contacts */
static void find_range(void *context, int64_t first, int64_t last, double *partial)
{
    const activation *t = context;
    *partial = 0;
    memset(t->active->kind + first, MO_ACTIVE_NONE, (size_t)(last - first));
    memset(t->active->friction + 3 * first, 0, (size_t)(last - first) * 3 * sizeof(double));
    memset(t->active->velocity + 3 * first, 0, (size_t)(last - first) * 3 * sizeof(double));
    for (int64_t row = first; row < last; ++row) {
        if (t->rows->inverse_mass[row] > 0) {
            find_row(t, row);
            *partial += t->active->kind[row] != MO_ACTIVE_NONE;
        }
    }
}

/* ---- the contact set ---- */

static mo_contact record_of(const activation *t, int64_t row)
{
    int32_t collider = t->active->collider[row];
    mo_vec3 x = mo_vec3_load(t->rows->x + 3 * row);
    double gap = mo_collider_gap(&t->colliders->list[collider], x, NULL) - t->rows->radius[row];
    return mo_contact_row_on_collider(t->rows, row, collider, x,
                                      mo_vec3_load(t->active->normal + 3 * row), gap);
}

static mote_status fill_set(const activation *t, int64_t count, mo_contact_set *set,
                            mote_error *error)
{
    int64_t next = 0;
    MO_TRY(mo_contact_set_resize(set, count, error));
    for (int64_t row = 0; row < t->rows->count && next < count; ++row) {
        if (t->active->kind[row] != MO_ACTIVE_NONE) {
            set->list[next++] = record_of(t, row);
        }
    }
    return MOTE_OK;
}

void mo_active_set_forces(mo_contact_set *set, const double *force, double share)
{
    for (int64_t k = 0; k < set->count; ++k) {
        mo_contact *c = &set->list[k];
        c->force = mo_scale(share, mo_vec3_load(force + 3 * c->side[0].row[0]));
    }
}

mote_status mo_active_find(mo_colliders *colliders, const mo_contact_rows *rows, double time,
                           double h, double g, const double *a, const mo_active *active,
                           mo_contact_set *set, mote_error *error)
{
    activation t = {colliders, rows, a, h, g, active};
    double count = 0;
    set->count = 0;
    if (colliders->count == 0 ||
        colliders->periodic) { /* images are handled by bounces after the step */
        return MOTE_OK;
    }
    mo_colliders_pose(colliders, time);
    MO_TRY(mo_parallel_reduce(rows->pool, rows->count, GRAIN, MO_SUM, 1, find_range, &t, &count,
                              error));
    return fill_set(&t, (int64_t)count, set, error);
}
