/*
 * With the solid's outward normal n, its velocity u at the contact and w = v - u, w_n = w.n < 0:
 *     w_n' = -e w_n,  w_t' = friction(w_t, kick = (1 + e) |w_n|),  x' = x + depth n - (1 - |w_t'|/|w_t|) s_t,
 * s_t the tangential way of this step relative to the solid: without the last term a particle that sticks on
 * a slope would creep down by g sin(angle) h^2 in every step, with its velocity at zero. A bounce slower than
 * what gravity gives in two steps counts as rest (e = 0): otherwise a particle at rest would hop for ever.
 */
#include "world/contact.h"

#include "geometry/friction/friction.h"
#include "geometry/shape/shape.h"

#include <string.h>

enum { GRAIN = 4096, BATCH = 64, SWEEPS = 2 };

typedef struct resolution {
    const mo_contacts *contacts;
    double *x, *v;
    const double *before; /* x at the start of the step */
    uint8_t *age;
    const double *radius, *inverse_mass;
    double h, rest_speed;
} resolution;

/* The velocity relative to the solid after the contact; *kept is what friction leaves of its tangential part.
 */
static mo_vec3 bounce(const mo_collider_def *c, mo_vec3 w, mo_vec3 n, double rest_speed, double *kept)
{
    double normal = mo_dot(w, n);
    *kept = 1;
    if (normal >= 0) {
        return w;
    }
    double e = -normal > rest_speed ? c->restitution : 0;
    const mo_friction_type *friction = (const mo_friction_type *)c->friction.type;
    mo_vec3 before = mo_add_scaled(w, -normal, n);
    mo_vec3 after = friction->slow(c->friction.params, before, -(1 + e) * normal);
    double speed = mo_length(before);
    *kept = speed > 0 ? mo_length(after) / speed : 1;
    return mo_add_scaled(after, -e * normal, n);
}

static void respond(const resolution *r, int64_t c, int64_t row, double depth, mo_vec3 n)
{
    const mo_collider_def *collider = &r->contacts->colliders[c];
    mo_vec3 x = mo_vec3_load(r->x + 3 * row), v = mo_vec3_load(r->v + 3 * row);
    mo_vec3 u = mo_pose_velocity(&r->contacts->poses[c], x);
    double kept;
    r->age[row] = 0;
    mo_vec3_store(r->v + 3 * row, mo_add(u, bounce(collider, mo_sub(v, u), n, r->rest_speed, &kept)));
    if (collider->position[0] == 'p') {
        /* the way since the start of the step, relative to the solid and along its surface */
        mo_vec3 way = mo_add_scaled(mo_sub(x, mo_vec3_load(r->before + 3 * row)), -r->h, u);
        way = mo_add_scaled(way, -mo_dot(way, n), n);
        x = mo_add_scaled(x, kept - 1, way);
        mo_vec3_store(r->x + 3 * row, mo_add_scaled(x, depth, n));
    }
}

/* One collider against up to BATCH rows; touched[k] is set where row first + k was in contact. */
static void collide(const resolution *r, int64_t c, int64_t first, int64_t count, uint8_t *touched)
{
    const mo_collider_def *collider = &r->contacts->colliders[c];
    const mo_pose *pose = &r->contacts->poses[c];
    double local[3 * BATCH], distance[BATCH], normal[3 * BATCH];
    for (int64_t k = 0; k < count; ++k) {
        mo_vec3_store(local + 3 * k, mo_pose_undo(pose, mo_vec3_load(r->x + 3 * (first + k))));
    }
    mo_shape_distances(collider->shape, count, local, distance, normal);
    double sign = collider->inside ? -1 : 1;
    for (int64_t k = 0; k < count; ++k) {
        double depth = r->radius[first + k] - sign * distance[k];
        if (depth > 0 && r->inverse_mass[first + k] > 0) {
            mo_vec3 n = mo_scale(sign, mo_mat3_apply(pose->R, mo_vec3_load(normal + 3 * k)));
            respond(r, c, first + k, depth, n);
            touched[k] = 1;
        }
    }
}

static void resolve_range(void *context, int64_t first, int64_t last, double *partial)
{
    const resolution *r = context;
    double contacts = 0;
    for (int64_t row = first; row < last; row += BATCH) {
        int64_t count = last - row < BATCH ? last - row : BATCH;
        uint8_t touched[BATCH] = {0};
        /* twice, so that a particle in a corner ends up outside both walls */
        for (int sweep = 0; sweep < SWEEPS; ++sweep) {
            for (int64_t c = 0; c < r->contacts->count; ++c) {
                collide(r, c, row, count, touched);
            }
        }
        for (int64_t k = 0; k < count; ++k) {
            contacts += touched[k];
        }
    }
    *partial = contacts;
}

const mo_column_spec mo_contact_column = {"contact_x", MOTE_F64, 3,
                                          MO_DERIVED,  "m",      "position at the start of the step"};

typedef struct copying {
    double *to;
    const double *from;
} copying;

static void copy_range(void *context, int64_t first, int64_t last)
{
    const copying *c = context;
    memcpy(c->to + 3 * first, c->from + 3 * first, (size_t)(last - first) * 3 * sizeof(double));
}

void mo_contacts_begin(const mo_contacts *contacts, mo_system *system)
{
    if (contacts->count > 0) {
        copying c = {mo_f64(system->columns.contact_x), mo_f64(system->columns.x)};
        mo_parallel_for(system->pool, mo_store_rows(system->store), GRAIN, copy_range, &c);
    }
}

mote_status mo_contacts_resolve(mo_contacts *contacts, mo_system *system, double time, double h,
                                mote_error *error)
{
    system->contacts = 0;
    if (contacts->count == 0) {
        return MOTE_OK;
    }
    for (int64_t c = 0; c < contacts->count; ++c) {
        contacts->poses[c] = mo_motion_pose(contacts->colliders[c].motion, time);
    }
    const mo_particle_columns *p = &system->columns;
    resolution r = {.contacts = contacts,
                    .x = mo_f64(p->x),
                    .v = mo_f64(p->v),
                    .before = mo_f64(p->contact_x),
                    .age = p->age->data,
                    .radius = mo_f64(p->radius),
                    .inverse_mass = mo_f64(p->inverse_mass),
                    .h = h,
                    .rest_speed = 2 * h * mo_length(contacts->gravity)};
    double total;
    MO_TRY(mo_parallel_reduce(system->pool, mo_store_rows(system->store), GRAIN, MO_SUM, 1, resolve_range, &r,
                              &total, error));
    system->contacts = (int64_t)total;
    return MOTE_OK;
}
