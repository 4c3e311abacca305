/* Rigid bodies on arrays, with contacts of spheres and of upright boxes made by hand: enough for
 * the solver's tests, which need no narrow phase. */
#ifndef RIGID_WORLD_H
#define RIGID_WORLD_H

#include "rigid/solver.h"

#include <stdlib.h>
#include <string.h>

enum { BODIES_MAX = 400, CONTACTS_MAX = 1200, JOINTS_MAX = 400 };

typedef struct rigid_world {
    mo_memory memory;
    mo_pool *pool;
    mo_rigid_solver *solver;
    mo_rigid_bodies bodies;
    double x[3 * BODIES_MAX], q[4 * BODIES_MAX], v[3 * BODIES_MAX], w[3 * BODIES_MAX];
    double inverse_mass[BODIES_MAX], inverse_moments[3 * BODIES_MAX];
    double acceleration[3 * BODIES_MAX], torque[3 * BODIES_MAX];
    mo_vec3 half[BODIES_MAX]; /* half sizes of a box; a sphere's radius three times */
    mo_rigid_contact contact[2][CONTACTS_MAX];
    int64_t contacts[2];
    int now; /* which list is this step's */
    mo_rigid_joint joint[JOINTS_MAX];
    int64_t joints;
    double friction, restitution, rolling_friction, margin;
    mo_vec3 gravity;
} rigid_world;

static inline rigid_world *world_make(int threads, const mo_rigid_solver_def *def)
{
    rigid_world *world = calloc(1, sizeof *world);
    mo_rigid_solver_def defaults = mo_rigid_solver_default();
    mo_memory_init(&world->memory, NULL);
    mo_pool_create(&world->memory, threads, &world->pool, NULL);
    mo_rigid_solver_create(&world->memory, world->pool, def ? def : &defaults, &world->solver,
                           NULL);
    world->bodies = (mo_rigid_bodies){.x = world->x,
                                      .q = world->q,
                                      .v = world->v,
                                      .w = world->w,
                                      .inverse_mass = world->inverse_mass,
                                      .inverse_moments = world->inverse_moments,
                                      .acceleration = world->acceleration,
                                      .torque = world->torque};
    world->margin = 0.05;
    world->gravity = mo_vec3_make(0, 0, -9.81);
    return world;
}

static inline void world_destroy(rigid_world *world)
{
    mo_rigid_solver_destroy(world->solver);
    mo_pool_destroy(world->pool);
    free(world);
}

static inline int add_body(rigid_world *world, mo_vec3 x, double mass, mo_vec3 moments)
{
    int row = (int)world->bodies.count++;
    mo_vec3_store(world->x + 3 * row, x);
    mo_quat_store(world->q + 4 * row, mo_quat_identity());
    if (mass > 0) {
        world->inverse_mass[row] = 1 / mass;
        mo_vec3_store(world->inverse_moments + 3 * row,
                      mo_vec3_make(1 / moments.x, 1 / moments.y, 1 / moments.z));
        mo_vec3_store(world->acceleration + 3 * row, world->gravity);
    }
    return row;
}

static inline int add_sphere(rigid_world *world, mo_vec3 x, double radius, double mass)
{
    double i = 0.4 * mass * radius * radius;
    int row = add_body(world, x, mass, mo_vec3_make(i, i, i));
    world->half[row] = mo_vec3_make(radius, radius, radius);
    return row;
}

static inline int add_box(rigid_world *world, mo_vec3 x, mo_vec3 half, double mass)
{
    mo_vec3 s = mo_multiply(half, half);
    int row =
        add_body(world, x, mass, mo_scale(mass / 3, mo_vec3_make(s.y + s.z, s.z + s.x, s.x + s.y)));
    world->half[row] = half;
    return row;
}

/* ---- contacts ---- */

static inline mo_rigid_contact *new_contact(rigid_world *world, int first, int second)
{
    mo_rigid_contact *c = &world->contact[world->now][world->contacts[world->now]++];
    *c = (mo_rigid_contact){.body = {first, second},
                            .friction_coefficient = world->friction,
                            .restitution = world->restitution,
                            .rolling_friction = world->rolling_friction};
    return c;
}

static inline void continue_contact(rigid_world *world, mo_rigid_contact *c)
{
    int before = !world->now;
    for (int64_t k = 0; k < world->contacts[before]; ++k) {
        const mo_rigid_contact *b = &world->contact[before][k];
        if (b->body[0] == c->body[0] && b->body[1] == c->body[1]) {
            mo_rigid_contact_continue(c, b, 1);
        }
    }
}

/* A sphere on the half space n . x < offset. */
static inline void sphere_on_plane(rigid_world *world, int row, mo_vec3 n, double offset)
{
    mo_vec3 x = mo_vec3_load(world->x + 3 * row);
    double gap = mo_dot(n, x) - offset - world->half[row].x;
    if (gap < world->margin) {
        mo_rigid_contact *c = new_contact(world, row, -1);
        c->normal = n;
        c->count = 1;
        c->gap[0] = gap;
        c->position[0][0] = c->position[0][1] = mo_add_scaled(x, -world->half[row].x, n);
        continue_contact(world, c);
    }
}

static inline void sphere_on_sphere(rigid_world *world, int first, int second)
{
    mo_vec3 y = mo_vec3_load(world->x + 3 * second);
    mo_vec3 d = mo_sub(mo_vec3_load(world->x + 3 * first), y);
    double gap = mo_length(d) - world->half[first].x - world->half[second].x;
    if (gap < world->margin) {
        mo_rigid_contact *c = new_contact(world, first, second);
        c->normal = mo_unit(d, mo_vec3_make(0, 0, 1));
        c->count = 1;
        c->gap[0] = gap;
        c->position[0][1] = mo_add_scaled(y, world->half[second].x, c->normal);
        c->position[0][0] = mo_add_scaled(c->position[0][1], gap, c->normal);
        continue_contact(world, c);
    }
}

/* The corners of a box on the half space n . x < offset: the lowest four. */
static inline void box_on_plane(rigid_world *world, int row, mo_vec3 n, double offset)
{
    mo_mat3 r = mo_quat_matrix(mo_quat_load(world->q + 4 * row));
    mo_vec3 x = mo_vec3_load(world->x + 3 * row), half = world->half[row];
    mo_rigid_contact *c = new_contact(world, row, -1);
    c->normal = n;
    for (int k = 0; k < 8; ++k) {
        mo_vec3 corner = mo_vec3_make(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y,
                                      k & 4 ? half.z : -half.z);
        mo_vec3 p = mo_add(x, mo_mat3_apply(r, corner));
        double gap = mo_dot(n, p) - offset;
        if (gap < world->margin && c->count < MO_RIGID_POINTS) {
            c->position[c->count][0] = c->position[c->count][1] = p;
            c->gap[c->count] = gap;
            c->key[c->count++] = (uint32_t)k;
        }
    }
    continue_contact(world, c);
}

/* A box upon another one, both nearly upright: the corners of the common part of their faces. */
static inline void box_on_box(rigid_world *world, int upper, int lower)
{
    mo_mat3 r = mo_quat_matrix(mo_quat_load(world->q + 4 * lower));
    mo_vec3 origin = mo_vec3_load(world->x + 3 * lower), half = world->half[lower];
    mo_vec3 d = mo_mat3_apply_transposed(r, mo_sub(mo_vec3_load(world->x + 3 * upper), origin));
    mo_mat3 turn =
        mo_mat3_product(mo_mat3_transpose(r), mo_quat_matrix(mo_quat_load(world->q + 4 * upper)));
    mo_vec3 m = mo_vec3_make(turn.m[2], turn.m[5], turn.m[8]);
    mo_vec3 face = mo_add_scaled(d, -world->half[upper].z, m), other = world->half[upper];
    double low[2] = {fmax(-half.x, d.x - other.x), fmax(-half.y, d.y - other.y)};
    double high[2] = {fmin(half.x, d.x + other.x), fmin(half.y, d.y + other.y)};
    if (low[0] >= high[0] || low[1] >= high[1]) {
        return;
    }
    mo_rigid_contact *c = new_contact(world, upper, lower);
    c->normal = mo_vec3_make(r.m[2], r.m[5], r.m[8]);
    for (int k = 0; k < 4; ++k) {
        double px = k & 1 ? high[0] : low[0], py = k & 2 ? high[1] : low[1];
        double pz = face.z - ((px - face.x) * m.x + (py - face.y) * m.y) / m.z;
        if (pz - half.z < world->margin) {
            mo_vec3 p = mo_vec3_make(px, py, 0.5 * (pz + half.z));
            c->position[c->count][0] = c->position[c->count][1] =
                mo_add(origin, mo_mat3_apply(r, p));
            c->gap[c->count] = pz - half.z;
            c->key[c->count++] = (uint32_t)k;
        }
    }
    continue_contact(world, c);
}

/* ---- steps ---- */

/* Bodies without constraints follow their parabolas. */
static inline void advance_unconstrained(rigid_world *world, int64_t row, double h)
{
    double *x = world->x + 3 * row, *v = world->v + 3 * row;
    for (int k = 0; k < 3; ++k) {
        double a = world->acceleration[3 * row + k];
        x[k] += h * (v[k] + 0.5 * h * a);
        v[k] += h * a;
    }
    mo_quat q = mo_quat_load(world->q + 4 * row);
    mo_vec3 w = mo_vec3_load(world->w + 3 * row);
    mo_rigid_rotate_free(&q, &w, mo_vec3_load(world->inverse_moments + 3 * row), h);
    mo_quat_store(world->q + 4 * row, q);
    mo_vec3_store(world->w + 3 * row, w);
}

/* `find` lists the contacts of the present positions. */
static inline void world_step(rigid_world *world, double h, void find(rigid_world *))
{
    world->now = !world->now;
    world->contacts[world->now] = 0;
    if (find) {
        find(world);
    }
    if (mo_rigid_solver_begin(world->solver, &world->bodies, world->contact[world->now],
                              world->contacts[world->now], world->joint, world->joints, NULL)) {
        abort();
    }
    for (int64_t row = 0; row < world->bodies.count; ++row) {
        if (world->inverse_mass[row] > 0 && !mo_rigid_solver_advances(world->solver, row)) {
            advance_unconstrained(world, row, h);
        }
    }
    if (mo_rigid_solver_advance(world->solver, h, NULL)) {
        abort();
    }
}

static inline mo_vec3 at_row(const double *field, int row)
{
    return mo_vec3_load(field + 3 * row);
}

#endif
