/*
 * With the collider's normal n, its velocity u at the contact, w = v - u and w_n = w.n < 0, a_n the
 * particle's acceleration along n, and `depth` how far it has come in:
 *     w_i = sqrt(w_n^2 + 2 a_n depth)                the speed with which it crossed the surface
 *     tau = 2 depth/(w_i + |w_n|)                    the time since then
 *     w_n' = e w_i + a_n tau                         the bounce, advanced to the end of the step
 *     x'   = x + (depth + e w_i tau + a_n tau^2/2) n - (1 - |w_t'|/|w_t|) s_t
 *     w_t' = friction(w_t, kick = (1 + e) w_i)
 * so that a bounce is exact for a constant acceleration, and the projection adds no energy. s_t is
 * the tangential displacement of this step relative to the collider: without that term a particle
 * that sticks on a slope would creep down, and one on a turntable would drift inward, with its
 * velocity at zero. A bounce slower than what gravity gives in two steps is none (e = 0): otherwise a
 * particle at rest would hop for ever.
 */
#include "collide/law/bounce.h"

#include "collide/friction/friction.h"
#include "collide/law.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 4096, BATCH = MO_CONTACT_BATCH, SWEEPS = 8 };
enum { TOUCHED = 1, CROSSED = 2 };

typedef struct resolution {
    const mo_colliders *colliders;
    const mo_contact_rows *rows;
    double h, rest_speed;
    mo_wrench *partial; /* of each block and collider; NULL: not wanted */
} resolution;

/* What a contact makes of a particle. */
typedef struct rebound {
    mo_vec3 w;   /* velocity relative to the solid */
    double kept; /* what friction leaves of its tangential part */
    double lift; /* how far above the surface it is at the end of the step */
} rebound;

static rebound bounce(const mo_collider *c, mo_vec3 w, mo_vec3 n, double pull, double depth,
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

/* The displacement in this step relative to the collider, along its surface; seen from the image
   that `offset` leads to. */
static mo_vec3 tangential_displacement(const mo_contact_rows *rows, const mo_collider *c, int64_t row,
                                       mo_vec3 offset, mo_vec3 x, mo_vec3 n)
{
    mo_vec3 before = mo_add(mo_vec3_load(rows->before + 3 * row), offset);
    mo_vec3 at_start = mo_pose_undo(&c->before, before);
    mo_vec3 moved = mo_sub(x, mo_pose_apply(&c->pose, at_start));
    return mo_add_scaled(moved, -mo_dot(moved, n), n);
}

static void respond(const resolution *r, const mo_collider *c, int64_t row, mo_vec3 offset, double depth,
                    mo_vec3 n, bool lifts)
{
    const mo_contact_rows *rows = r->rows;
    mo_vec3 own = mo_vec3_load(rows->x + 3 * row), x = mo_add(own, offset),
            v = mo_vec3_load(rows->v + 3 * row);
    mo_vec3 u = mo_pose_velocity(&c->pose, x);
    double pull = mo_dot(mo_vec3_load(rows->a + 3 * row), n);
    rebound b = bounce(c, mo_sub(v, u), n, c->projects ? pull : 0, c->projects ? depth : 0, r->rest_speed);
    rows->age[row] = 0;
    mo_vec3 after = mo_add(u, b.w);
    mo_vec3_store(rows->v + 3 * row, after);
    if (r->partial) {
        int64_t slot = row / GRAIN * r->colliders->count + (c - r->colliders->list);
        mo_vec3 force = mo_scale(1 / (r->h * rows->inverse_mass[row]), mo_sub(v, after));
        mo_wrench_add_force(&r->partial[slot], force, mo_sub(x, c->pose.p));
    }
    if (c->projects) {
        own = mo_add_scaled(own, b.kept - 1, tangential_displacement(rows, c, row, offset, x, n));
        mo_vec3_store(rows->x + 3 * row, mo_add_scaled(own, lifts ? depth + b.lift : depth, n));
    }
}

/* One collider against one image each of up to BATCH rows; touched[k] gets TOUCHED where row first
   + k was in contact, and CROSSED where its centre was behind the surface. Without `lifts` rows
   whose centre is behind it are projected in front of it, and no others. */
static bool collide(const resolution *r, const mo_collider *c, mo_vec3 image, int64_t first, int64_t count,
                    bool lifts, uint8_t *touched)
{
    const mo_contact_rows *rows = r->rows;
    double x[3 * BATCH] = {0}, gap[BATCH], normal[3 * BATCH];
    mo_vec3 offset[BATCH];
    MOTE_ASSERT(count > 0 && count <= BATCH);
    for (int64_t k = 0; k < count; ++k) {
        mo_vec3 own = mo_vec3_load(rows->x + 3 * (first + k));
        offset[k] = mo_contact_offset(r->colliders, own, image);
        mo_vec3_store(x + 3 * k, mo_add(own, offset[k]));
    }
    mo_collider_gaps(c, count, x, gap, normal);
    bool any = false;
    for (int64_t k = 0; k < count; ++k) {
        double depth = rows->offset * rows->radius[first + k] - gap[k];
        bool counts = lifts ? depth > 0 : gap[k] < 0 && c->projects;
        if (counts && rows->inverse_mass[first + k] > 0) {
            respond(r, c, first + k, offset[k], depth, mo_collider_normal(c, normal + 3 * k), lifts);
            touched[k] |= TOUCHED | (gap[k] < 0 ? CROSSED : 0);
            any = true;
        }
    }
    return any;
}

static mo_contact_box box_of(const resolution *r, int64_t first, int64_t count)
{
    return mo_contact_box_of(r->rows->x, r->rows->radius, r->rows->offset, first, count);
}

/* All colliders of this law against a batch, each with its images that matter. */
static bool collide_batch(const resolution *r, int64_t first, int64_t count, bool lifts, uint8_t *touched)
{
    const mo_colliders *colliders = r->colliders;
    bool any = false, broad = !colliders->periodic && colliders->count > 1;
    mo_contact_box b = broad ? box_of(r, first, count) : (mo_contact_box){0};
    for (int64_t n = 0; n < colliders->count; ++n) {
        const mo_collider *c = &colliders->list[n];
        bool bounces = r->rows->no_force || !mo_collider_force_law(c), moved = false;
        bool near = bounces && (!broad || mo_collider_may_meet(c, &b));
        for (int k = 0; near && k < c->image_count; ++k) {
            moved = collide(r, c, c->image[k], first, count, lifts, touched) || moved;
        }
        if (moved && broad) {
            b = box_of(r, first, count);
        }
        any = any || moved;
    }
    return any;
}

/* partial: particles in contact, and those of them whose centre was behind a surface */
static void resolve_range(void *context, int64_t first, int64_t last, double *partial)
{
    const resolution *r = context;
    double contacts = 0, crossings = 0;
    if (r->partial) {
        int64_t count = r->colliders->count;
        memset(r->partial + first / GRAIN * count, 0, (size_t)count * sizeof *r->partial);
    }
    for (int64_t row = first; row < last; row += BATCH) {
        int64_t count = last - row < BATCH ? last - row : BATCH;
        uint8_t touched[BATCH] = {0};
        /* again while anything is inside, so that a particle in a corner ends up outside all walls */
        bool any = true;
        for (int sweep = 0; any && sweep < 2 * SWEEPS; ++sweep) {
            /* in the end rows that fly from wall to wall are projected in front of one of them */
            any = collide_batch(r, row, count, sweep < SWEEPS, touched);
        }
        for (int64_t k = 0; k < count; ++k) {
            contacts += touched[k] & TOUCHED;
            crossings += (touched[k] & CROSSED) != 0;
        }
    }
    partial[0] = contacts;
    partial[1] = crossings;
}

typedef struct copying {
    double *to;
    const double *from;
} copying;

static void copy_range(void *context, int64_t first, int64_t last)
{
    const copying *c = context;
    memcpy(c->to + 3 * first, c->from + 3 * first, (size_t)(last - first) * 3 * sizeof(double));
}

void mo_bounce_begin(mo_pool *pool, int64_t rows, const double *x, double *before)
{
    copying c = {before, x};
    mo_parallel_for(pool, rows, GRAIN, copy_range, &c);
}

/* ---- reactions ---- */

void mo_bounce_reactions_release(mo_bounce_reactions *reactions)
{
    if (reactions->sum.memory) {
        mo_release(reactions->sum.memory, reactions->partial);
        mo_reactions_release(&reactions->sum);
    }
}

static mote_status begin_reactions(mo_bounce_reactions *r, const mo_colliders *colliders, int64_t rows,
                                   double time, mote_error *error)
{
    int64_t blocks = (rows + GRAIN - 1) / GRAIN;
    if (r->sum.count != colliders->count) {
        MO_TRY(mo_reactions_resize(&r->sum, (int)colliders->count, error));
    }
    MO_TRY(mo_make_room(r->sum.memory, &r->partial, &r->capacity, blocks * colliders->count,
                        sizeof *r->partial, error));
    mo_reactions_clear(&r->sum, time);
    for (int64_t c = 0; c < colliders->count; ++c) {
        r->sum.center[c] = colliders->list[c].pose.p;
    }
    return MOTE_OK;
}

/* Block by block, in their order. */
static void fold_reactions(mo_bounce_reactions *r, int64_t colliders, int64_t rows)
{
    for (int64_t block = 0; block < (rows + GRAIN - 1) / GRAIN; ++block) {
        for (int64_t c = 0; c < colliders; ++c) {
            mo_wrench *total = &r->sum.total[c].wrench;
            *total = mo_wrench_add(*total, r->partial[block * colliders + c]);
        }
    }
}

mote_status mo_bounce_resolve(mo_colliders *colliders, const mo_contact_rows *rows, double time, double h,
                              double g, mo_bounce_reactions *reactions, mo_contact_count *count,
                              mote_error *error)
{
    double radius = 0, total[2];
    *count = (mo_contact_count){0};
    if (colliders->count == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_contact_reach(colliders, rows->pool, rows->rows, rows->radius, &radius, error));
    mo_colliders_pose_step(colliders, time, h, radius);
    if (reactions) {
        MO_TRY(begin_reactions(reactions, colliders, rows->rows, time, error));
    }
    if (!rows->no_force && !mo_colliders_bounce(colliders)) {
        if (reactions) {
            memset(reactions->partial, 0, (size_t)reactions->capacity * sizeof *reactions->partial);
        }
        return MOTE_OK;
    }
    resolution r = {.colliders = colliders,
                    .rows = rows,
                    .h = h,
                    .rest_speed = 2 * h * g,
                    .partial = reactions ? reactions->partial : NULL};
    MO_TRY(mo_parallel_reduce(rows->pool, rows->rows, GRAIN, MO_SUM, 2, resolve_range, &r, total, error));
    *count = (mo_contact_count){(int64_t)total[0], (int64_t)total[1]};
    if (reactions) {
        fold_reactions(reactions, colliders->count, rows->rows);
    }
    return MOTE_OK;
}

static const mo_param PARAMS[] = {{0}};

const mo_contact_law_type mo_contact_law_bounce = {
    .base = {.name = "bounce",
             .summary = "Impulses after the step: restitution at the time of impact, friction, projection.",
             .capabilities = MO_PORTABLE,
             .params = PARAMS},
};
