/* Adds particles at given positions, as a new body. */
#include "base/memory.h"
#include "host/action/action.h"
#include "math/vec3.h"

typedef struct addition {
    mo_action_def common;
    mo_list positions; /* mo_vec3 */
    mo_vec3 velocity;
    double mass, radius;
    double *v, *masses; /* of each, made by add_prepare */
} addition;

static const mo_param PARAMS[] = {MO_ACTION_TIME(addition),
                                  {"positions", MO_VEC3, .list = true,
                                   MO_FIELD(addition, positions), .unit = "m", .required = true,
                                   .doc = "Positions of the new particles."},
                                  {"velocity", MO_VEC3, MO_FIELD(addition, velocity), .unit = "m/s",
                                   .initial = "[0, 0, 0]", .doc = "Their velocity."},
                                  {"mass", MO_REAL, MO_FIELD(addition, mass), .unit = "kg",
                                   .initial = "1", .range = "(0, inf)", .doc = "Mass of each."},
                                  {"radius", MO_REAL, MO_FIELD(addition, radius), .unit = "m",
                                   .initial = "0", .range = "[0, inf)", .doc = "Radius of each."},
                                  {0}};

static mote_status add_check(const void *params, mote_error *error)
{
    const addition *p = params;
    return p->positions.count > 0
               ? MOTE_OK
               : mo_fail(error, MOTE_ERROR_INPUT, "positions: give at least one position");
}

static mote_status add_prepare(void *params, mo_arena *arena, mote_error *error)
{
    addition *p = params;
    int64_t count = p->positions.count;
    size_t bytes = (size_t)count * sizeof(double);
    p->v = mo_arena_allocate(arena, 3 * bytes);
    p->masses = mo_arena_allocate(arena, bytes);
    if (!p->v || !p->masses) {
        return mo_fail_memory(error, 4 * bytes);
    }
    for (int64_t k = 0; k < count; ++k) {
        p->v[3 * k] = p->velocity.x;
        p->v[3 * k + 1] = p->velocity.y;
        p->v[3 * k + 2] = p->velocity.z;
        p->masses[k] = p->mass;
    }
    return MOTE_OK;
}

static void add_particles(const void *params, mote_particles *particles)
{
    const addition *p = params;
    *particles = (mote_particles){.count = p->positions.count,
                                  .x = p->positions.items,
                                  .v = p->v,
                                  .mass = p->masses,
                                  .radius = p->radius};
}

const mo_action_type mo_action_add = {
    .base = {.name = "add",
             .summary = "Adds particles at given positions, as a new body.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(addition),
             .params = PARAMS,
             .check = add_check,
             .prepare = add_prepare},
    .add = add_particles,
};
