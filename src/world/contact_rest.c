/* Contacts of a state of rest (world/static.c): rows are kept out of solids, and solids carry what presses on them. */
#include "geometry/friction/friction.h"
#include "geometry/shape/shape.h"
#include "world/contact.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 4096, SWEEPS = 8 };

typedef struct resting {
    const mo_contacts *contacts;
    double *x, *f;
    const double *radius, *inverse_mass;
    const mo_touch *touch;
} resting;

/* How far a row is above a solid, and the solid's outward normal there. */
static double gap_of(const resting *r, int64_t c, int64_t row, mo_vec3 *n)
{
    const mo_collider_def *collider = &r->contacts->colliders[c];
    const mo_pose *pose = &r->contacts->poses[c];
    double local[3], distance, normal[3], sign = collider->inside ? -1 : 1;
    mo_vec3_store(local, mo_pose_undo(pose, mo_vec3_load(r->x + 3 * row)));
    mo_shape_distances(collider->shape, 1, local, &distance, normal);
    *n = mo_scale(sign, mo_mat3_apply(pose->R, mo_vec3_load(normal)));
    return sign * distance - r->radius[row];
}

static void put_out_range(void *context, int64_t first, int64_t last)
{
    const resting *r = context;
    for (int64_t row = first; row < last; ++row) {
        bool inside = r->inverse_mass[row] > 0;
        for (int sweep = 0; inside && sweep < SWEEPS; ++sweep) { /* out of a corner's other wall too */
            inside = false;
            for (int64_t c = 0; c < r->contacts->count; ++c) {
                mo_vec3 n;
                double gap = r->contacts->projects[c] ? gap_of(r, c, row, &n) : 0;
                if (gap < 0) {
                    mo_vec3_store(r->x + 3 * row, mo_add_scaled(mo_vec3_load(r->x + 3 * row), -gap, n));
                    inside = true;
                }
            }
        }
    }
}

/* The force that is left of f on a row that presses on solid c. */
static mo_vec3 carry(const resting *r, int64_t c, int64_t row, mo_vec3 f, mo_vec3 n)
{
    const mo_collider_def *collider = &r->contacts->colliders[c];
    const mo_friction_type *friction = (const mo_friction_type *)collider->friction.type;
    double press = -mo_dot(f, n);
    mo_vec3 across = mo_add_scaled(f, press, n);
    mo_vec3 left = friction->slow(collider->friction.params, across, press);
    bool sticks = mo_dot(left, left) == 0 && mo_dot(across, across) > 0;
    /* between two walls a row is held altogether */
    bool free = r->touch->kind[row] == MO_TOUCH_FREE;
    r->touch->kind[row] = sticks || !free ? MO_TOUCH_STICKS : MO_TOUCH_SLIDES;
    mo_vec3_store(r->touch->normal + 3 * row, n);
    return r->touch->kind[row] == MO_TOUCH_STICKS ? mo_vec3_make(0, 0, 0) : left;
}

/* partial: how many rows are carried */
static void carry_range(void *context, int64_t first, int64_t last, double *partial)
{
    const resting *r = context;
    *partial = 0;
    memset(r->touch->kind + first, MO_TOUCH_FREE, (size_t)(last - first));
    for (int64_t row = first; row < last; ++row) {
        double near = 1e-9 * (1 + mo_length(mo_vec3_load(r->x + 3 * row)));
        mo_vec3 f = mo_vec3_load(r->f + 3 * row), left = f;
        for (int64_t c = 0; c < r->contacts->count && r->inverse_mass[row] > 0; ++c) {
            mo_vec3 n;
            if (r->contacts->projects[c] && gap_of(r, c, row, &n) <= near && mo_dot(f, n) < 0) {
                left = carry(r, c, row, f, n);
            }
        }
        mo_vec3_store(r->f + 3 * row, left);
        *partial += r->touch->kind[row] != MO_TOUCH_FREE;
    }
}

static resting bind(mo_contacts *contacts, mo_system *system, double time, double *f, const mo_touch *touch)
{
    const mo_particle_columns *p = &system->columns;
    for (int64_t c = 0; c < contacts->count; ++c) {
        contacts->poses[c] = mo_motion_pose(contacts->colliders[c].motion, time);
    }
    return (resting){contacts, mo_f64(p->x), f, mo_f64(p->radius), mo_f64(p->inverse_mass), touch};
}

void mo_contacts_put_out(mo_contacts *contacts, mo_system *system, double time)
{
    resting r = bind(contacts, system, time, NULL, NULL);
    mo_parallel_for(system->pool, mo_store_rows(system->store), GRAIN, put_out_range, &r);
}

bool mo_contacts_carry(mo_contacts *contacts, mo_system *system, double time, double *f,
                       const mo_touch *touch)
{
    resting r = bind(contacts, system, time, f, touch);
    double carried = 1; /* if they cannot be counted they are looked for */
    mo_parallel_reduce(system->pool, mo_store_rows(system->store), GRAIN, MO_SUM, 1, carry_range, &r,
                       &carried, NULL);
    return carried > 0;
}
