#include "collide/contact.h"
#include "collide/friction/friction.h"
#include "geometry/shape/shape.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 4096 };

typedef struct touching {
    const mo_contacts *contacts;
    const double *x, *v, *a, *radius, *inverse_mass;
    double h;
    const mo_touch *touch;
} touching;

/* w is the velocity relative to the solid, a the acceleration, n its normal. */
static void hold(const touching *t, const mo_collider_def *collider, int64_t row, mo_vec3 w, mo_vec3 n)
{
    const mo_friction_type *friction = (const mo_friction_type *)collider->friction.type;
    mo_vec3 a = mo_vec3_load(t->a + 3 * row), next = mo_add_scaled(w, t->h, a);
    double press = -mo_dot(a, n);
    next = mo_add_scaled(next, -mo_dot(next, n), n);
    mo_vec3 slowed = friction->slow(collider->friction.params, next, t->h * press);
    bool sticks = mo_dot(slowed, slowed) == 0 && mo_dot(next, next) > 0;
    t->touch->kind[row] = sticks ? MO_TOUCH_STICKS : MO_TOUCH_SLIDES;
    mo_vec3_store(t->touch->normal + 3 * row, n);
    mo_vec3_store(t->touch->push + 3 * row,
                  sticks ? mo_vec3_make(0, 0, 0) : mo_scale(1 / t->h, mo_sub(slowed, next)));
}

/* The first solid that the row lies on, or falls on in this step by its weight, and presses against. It is led on to the surface: what
   slides around a bend has left it by a little. (By its weight, not by its acceleration: what is stiff has any.) */
static void look_at_row(const touching *t, int64_t row)
{
    mo_vec3 x = mo_vec3_load(t->x + 3 * row);
    double near = 1e-9 * (1 + mo_length(x));
    for (int64_t c = 0; c < t->contacts->count && t->touch->kind[row] == MO_TOUCH_FREE; ++c) {
        const mo_collider_def *collider = &t->contacts->colliders[c];
        const mo_pose *pose = &t->contacts->poses[c];
        double local[3], distance, normal[3], sign = collider->inside ? -1 : 1;
        mo_vec3_store(local, mo_pose_undo(pose, x));
        mo_shape_distances(collider->shape, 1, local, &distance, normal);
        mo_vec3 n = mo_scale(sign, mo_mat3_apply(pose->R, mo_vec3_load(normal)));
        double gap = sign * distance - t->radius[row], press = -mo_dot(mo_vec3_load(t->a + 3 * row), n);
        double fall = fmin(press, mo_length(t->contacts->gravity));
        if (!t->contacts->projects[c] || !(press > 0 && gap <= near + 0.5 * fall * t->h * t->h)) {
            continue;
        }
        mo_vec3 u = mo_pose_velocity(pose, x), w = mo_sub(mo_vec3_load(t->v + 3 * row), u);
        double speed = mo_dot(w, n); /* it neither leaves nor arrives, which is for what follows the step */
        if (speed <= 1e-9 + 0.5 * fall * t->h && speed >= -1e-9 - 2 * fall * t->h) {
            mo_vec3_store(t->touch->velocity + 3 * row, mo_add_scaled(u, -gap / t->h, n));
            hold(t, collider, row, w, n);
        }
    }
}

/* partial: how many are held */
static void touch_range(void *context, int64_t first, int64_t last, double *partial)
{
    const touching *t = context;
    *partial = 0;
    memset(t->touch->kind + first, MO_TOUCH_FREE, (size_t)(last - first));
    memset(t->touch->push + 3 * first, 0, (size_t)(last - first) * 3 * sizeof(double));
    memset(t->touch->velocity + 3 * first, 0, (size_t)(last - first) * 3 * sizeof(double));
    for (int64_t row = first; row < last; ++row) {
        if (t->inverse_mass[row] > 0) {
            look_at_row(t, row);
            *partial += t->touch->kind[row] != MO_TOUCH_FREE;
        }
    }
}

mote_status mo_contacts_touch(mo_contacts *contacts, mo_system *system, double time, double h,
                              const double *a, const mo_touch *touch, bool *any, mote_error *error)
{
    const mo_particle_columns *p = &system->columns;
    touching t = {contacts, mo_f64(p->x), mo_f64(p->v), a, mo_f64(p->radius), mo_f64(p->inverse_mass),
                  h,        touch};
    double held = 0;
    *any = false;
    if (contacts->count == 0 || contacts->periodic) { /* images of solids are left to what follows the step */
        return MOTE_OK;
    }
    for (int64_t c = 0; c < contacts->count; ++c) {
        contacts->poses[c] = mo_motion_pose(contacts->colliders[c].motion, time);
    }
    MO_TRY(mo_parallel_reduce(system->pool, mo_store_rows(system->store), GRAIN, MO_SUM, 1, touch_range, &t,
                              &held, error));
    *any = held > 0;
    return MOTE_OK;
}
