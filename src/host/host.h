/*
 * Services of a world shared by its systems and couplings: memory, thread pool, stage timers,
 * warnings, gravity as a function of time, the domain, the colliders, and new ids.
 */
#ifndef MO_HOST_HOST_H
#define MO_HOST_HOST_H

#include "base/pool.h"
#include "base/timer.h"
#include "base/warning.h"
#include "collide/collider.h"
#include "math/vec3.h"

typedef struct mo_host {
    mo_memory *memory;
    mo_arena *arena; /* with the lifetime of the world */
    mo_pool *pool;
    mo_stages *stages;
    mo_warner warner;
    mo_vec3 gravity; /* times gravity_scale, see mo_host_gravity */
    mo_curve gravity_scale;
    mo_domain domain;
    mo_colliders *colliders;
    struct mo_coupling *couplings; /* of the world, and their number */
    const int *coupling_count;
    bool wants_reactions; /* systems and couplings sum their reactions on colliders */
    int64_t next_id;      /* of the next particle: ids are unique in the world */
} mo_host;

/* Gravity at a time [m/s^2]. */
mo_vec3 mo_host_gravity(const mo_host *host, double time);

/* Used where many warnings are written. */
#define mo_host_warn(host, time, kind, ...) \
    mo_warn((host)->warner.warnings, (host)->warner.log, time, kind, __VA_ARGS__)

#endif
