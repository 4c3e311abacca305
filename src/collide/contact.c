/*
 * With the solid's outward normal n, its velocity u at the contact, w = v - u and w_n = w.n < 0, a_n the particle's
 * acceleration along n, and `depth` how far it has come in:
 *     w_i = sqrt(w_n^2 + 2 a_n depth)                the speed with which it crossed the surface
 *     tau = 2 depth/(w_i + |w_n|)                    how long ago that was
 *     w_n' = e w_i + a_n tau                         what the rest of the step makes of the bounce
 *     x'   = x + (depth + e w_i tau + a_n tau^2/2) n - (1 - |w_t'|/|w_t|) s_t
 *     w_t' = friction(w_t, kick = (1 + e) w_i)
 * so that a bounce is as exact as a constant acceleration makes it and gains no energy from being put back. s_t is the
 * tangential way of this step relative to the solid: without that term a particle that sticks on a slope would creep
 * down, and one on a turntable would drift inward, with its velocity at zero.
 * A bounce slower than what gravity gives in two steps counts as rest (e = 0): otherwise a particle at rest would hop
 * for ever.
 */
#include "collide/contact.h"

#include "collide/friction/friction.h"
#include "geometry/shape/shape.h"

#include <string.h>

enum { GRAIN = 4096, BATCH = 64, SWEEPS = 8 };
enum { TOUCHED = 1, CROSSED = 2 };

/* Radii. Walls made of samples push across their own layer no more, so what they let through is put back in front of it. */
static const double LATE = 0.5;

typedef struct resolution {
    const mo_contacts *contacts;
    double *x, *v;
    const double *before; /* x at the start of the step */
    const double *a;
    uint8_t *age;
    const double *radius, *inverse_mass;
    double rest_speed;
    double touch; /* how many radii from a collider contacts begin */
} resolution;

/* What a contact makes of a particle. */
typedef struct rebound {
    mo_vec3 w;   /* velocity relative to the solid */
    double kept; /* what friction leaves of its tangential part */
    double lift; /* how far above the surface it is at the end of the step */
} rebound;

static rebound bounce(const mo_collider_def *c, mo_vec3 w, mo_vec3 n, double pull, double depth,
                      double rest_speed)
{
    double normal = mo_dot(w, n);
    if (normal >= 0) {
        return (rebound){w, 1, 0};
    }
    bool rests = !(-normal > rest_speed && c->restitution > 0);
    double square = normal * normal + 2 * pull * depth;
    double speed = rests || square < 0 ? -normal : sqrt(square), e = rests ? 0 : c->restitution;
    double tau = rests ? 0 : 2 * depth / (speed - normal);
    const mo_friction_type *friction = (const mo_friction_type *)c->friction.type;
    mo_vec3 before = mo_add_scaled(w, -normal, n);
    mo_vec3 after = friction->slow(c->friction.params, before, (1 + e) * speed);
    double sideways = mo_length(before), up = e * speed + pull * tau,
           lift = tau * (e * speed + 0.5 * pull * tau);
    return (rebound){.w = mo_add_scaled(after, up > 0 ? up : 0, n),
                     .kept = sideways > 0 ? mo_length(after) / sideways : 1,
                     .lift = lift > 0 ? lift : 0};
}

/* The way since the start of the step, relative to the solid and along its surface; seen from the image that
   `offset` leads to. */
static mo_vec3 tangential_way(const resolution *r, int64_t c, int64_t row, mo_vec3 offset, mo_vec3 x,
                              mo_vec3 n)
{
    mo_vec3 before = mo_add(mo_vec3_load(r->before + 3 * row), offset);
    mo_vec3 at_start = mo_pose_undo(&r->contacts->poses_before[c], before);
    mo_vec3 way = mo_sub(x, mo_pose_apply(&r->contacts->poses[c], at_start));
    return mo_add_scaled(way, -mo_dot(way, n), n);
}

static void respond(const resolution *r, int64_t c, int64_t row, mo_vec3 offset, double depth, mo_vec3 n,
                    bool lifts)
{
    const mo_collider_def *collider = &r->contacts->colliders[c];
    bool project = r->contacts->projects[c];
    mo_vec3 own = mo_vec3_load(r->x + 3 * row), x = mo_add(own, offset), v = mo_vec3_load(r->v + 3 * row);
    mo_vec3 u = mo_pose_velocity(&r->contacts->poses[c], x);
    double pull = mo_dot(mo_vec3_load(r->a + 3 * row), n);
    rebound b = bounce(collider, mo_sub(v, u), n, project ? pull : 0, project ? depth : 0, r->rest_speed);
    r->age[row] = 0;
    mo_vec3_store(r->v + 3 * row, mo_add(u, b.w));
    if (project) {
        own = mo_add_scaled(own, b.kept - 1, tangential_way(r, c, row, offset, x, n));
        mo_vec3_store(r->x + 3 * row, mo_add_scaled(own, lifts ? depth + b.lift : depth, n));
    }
}

/* From a place to its image in the box. */
static mo_vec3 way_in(const mo_domain *domain, mo_vec3 x)
{
    double way[3], place[3];
    mo_vec3_store(place, x);
    for (int k = 0; k < 3; ++k) {
        double length = domain->high[k] - domain->low[k];
        way[k] = domain->periodic[k] ? -floor((place[k] - domain->low[k]) / length) * length : 0;
    }
    return mo_vec3_load(way);
}

/* From a particle to the image of it that a solid is tested with. */
static mo_vec3 offset_to(const resolution *r, int64_t row, mo_vec3 shift)
{
    const mo_domain *domain = &r->contacts->domain;
    return r->contacts->periodic ? mo_add(way_in(domain, mo_vec3_load(r->x + 3 * row)), shift) : shift;
}

/* One collider against one image each of up to BATCH rows; touched[k] gets TOUCHED where row first
   + k was in contact, and CROSSED where its centre was beyond the surface. Without `lifts` rows
   whose centre is beyond it are put before it, and no others. */
static bool collide(const resolution *r, int64_t c, mo_vec3 shift, int64_t first, int64_t count, bool lifts,
                    uint8_t *touched)
{
    const mo_collider_def *collider = &r->contacts->colliders[c];
    const mo_pose *pose = &r->contacts->poses[c];
    double local[3 * BATCH], distance[BATCH], normal[3 * BATCH];
    mo_vec3 offset[BATCH];
    for (int64_t k = 0; k < count; ++k) {
        offset[k] = offset_to(r, first + k, shift);
        mo_vec3 place = mo_add(mo_vec3_load(r->x + 3 * (first + k)), offset[k]);
        mo_vec3_store(local + 3 * k, mo_pose_undo(pose, place));
    }
    mo_shape_distances(collider->shape, count, local, distance, normal);
    double sign = collider->inside ? -1 : 1;
    bool any = false;
    for (int64_t k = 0; k < count; ++k) {
        double depth = r->touch * r->radius[first + k] - sign * distance[k];
        bool counts = lifts ? depth > 0 : sign * distance[k] < 0 && r->contacts->projects[c];
        if (counts && r->inverse_mass[first + k] > 0) {
            mo_vec3 n = mo_scale(sign, mo_mat3_apply(pose->R, mo_vec3_load(normal + 3 * k)));
            respond(r, c, first + k, offset[k], depth, n, lifts);
            touched[k] |= TOUCHED | (sign * distance[k] < 0 ? CROSSED : 0);
            any = true;
        }
    }
    return any;
}

/* One collider and all its images that matter. */
static bool collide_images(const resolution *r, int64_t c, int64_t first, int64_t count, bool lifts,
                           uint8_t *touched)
{
    const mo_contact_images *images = &r->contacts->images[c];
    bool any = false;
    for (int k = 0; k < images->count; ++k) {
        any = collide(r, c, images->shift[k], first, count, lifts, touched) || any;
    }
    return any;
}

/* partial: particles that touched, and those of them whose centre was beyond a surface */
static void resolve_range(void *context, int64_t first, int64_t last, double *partial)
{
    const resolution *r = context;
    double contacts = 0, crossings = 0;
    for (int64_t row = first; row < last; row += BATCH) {
        int64_t count = last - row < BATCH ? last - row : BATCH;
        uint8_t touched[BATCH] = {0};
        /* again while anything is inside, so that a particle in a corner ends up outside all its walls */
        bool any = true;
        for (int sweep = 0; any && sweep < 2 * SWEEPS; ++sweep) {
            /* in the end rows that fly from wall to wall are put before one of them */
            bool lifts = sweep < SWEEPS;
            any = false;
            for (int64_t c = 0; c < r->contacts->count; ++c) {
                any = collide_images(r, c, row, count, lifts, touched) || any;
            }
        }
        for (int64_t k = 0; k < count; ++k) {
            contacts += touched[k] & TOUCHED;
            crossings += (touched[k] & CROSSED) != 0;
        }
    }
    partial[0] = contacts;
    partial[1] = crossings;
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

static void find_radius(void *context, int64_t first, int64_t last, double *partial)
{
    const double *radius = context;
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        *partial = fmax(*partial, radius[row]);
    }
}

mote_status mo_contacts_resolve(mo_contacts *contacts, mo_system *system, double time, double h,
                                mote_error *error)
{
    system->contacts = system->crossings = 0;
    if (contacts->count == 0) {
        return MOTE_OK;
    }
    if (contacts->periodic) {
        MO_TRY(mo_parallel_reduce(system->pool, mo_store_rows(system->store), GRAIN, MO_MAX, 1, find_radius,
                                  system->columns.radius->data, &contacts->radius, error));
    }
    for (int64_t c = 0; c < contacts->count; ++c) {
        contacts->poses[c] = mo_motion_pose(contacts->colliders[c].motion, time);
        contacts->poses_before[c] = mo_motion_pose(contacts->colliders[c].motion, time - h);
        mo_contact_images_find(contacts, c);
    }
    const mo_particle_columns *p = &system->columns;
    resolution r = {.contacts = contacts,
                    .x = mo_f64(p->x),
                    .v = mo_f64(p->v),
                    .before = mo_f64(p->contact_x),
                    .a = mo_f64(p->a),
                    .age = p->age->data,
                    .radius = mo_f64(p->radius),
                    .inverse_mass = mo_f64(p->inverse_mass),
                    .touch = system->touches_late ? LATE : 1,
                    .rest_speed = 2 * h * mo_length(contacts->gravity)};
    double total[2];
    MO_TRY(mo_parallel_reduce(system->pool, mo_store_rows(system->store), GRAIN, MO_SUM, 2, resolve_range, &r,
                              total, error));
    system->contacts = (int64_t)total[0];
    system->crossings = (int64_t)total[1];
    return MOTE_OK;
}
