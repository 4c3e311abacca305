/*
 * Expected impact speed of a scene: v^2 = v0^2 + 2 g H, with the height H of the fall onto a
 * collider, at least a radius, plus the speed of the collider's motion. The default stiffness of
 * force laws follows from it. It is determined from the initial positions.
 */
#ifndef MO_COLLIDE_IMPACT_H
#define MO_COLLIDE_IMPACT_H

#include "collide/rows.h"

typedef struct mo_impacts {
    mo_memory *memory;
    mo_contact_rows rows;
    mo_vec3 down; /* unit vector of gravity */
    double g;     /* its maximum [m/s^2] */
    int64_t batch_count;
    struct mo_impact_batch *batches;
} mo_impacts;

mote_status mo_impacts_create(mo_impacts *impacts, mo_memory *memory, const mo_contact_rows *rows,
                              mo_vec3 down, double g, mote_error *error);
void mo_impacts_release(mo_impacts *impacts);

/* The largest impact speed of all rows on a collider whose motion lasts until `end`. */
double mo_impacts_speed(const mo_impacts *impacts, const mo_collider *collider, double end);

#endif
