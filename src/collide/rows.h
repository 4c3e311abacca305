/*
 * The particles of a system as contacts see them, and the broad phase: rows are tested in batches,
 * and a collider whose bounds do not reach the box of a batch is passed over, by any contact law.
 */
#ifndef MO_COLLIDE_ROWS_H
#define MO_COLLIDE_ROWS_H

#include "base/pool.h"
#include "collide/collider.h"

/* Arrays with a row each. */
typedef struct mo_contact_rows {
    mo_pool *pool;
    int32_t system; /* whose rows, in the world's list */
    int64_t rows;
    double *x, *v;
    const double *before; /* x at the start of the step */
    const double *a, *radius, *inverse_mass;
    const int64_t *id;
    uint8_t *age;
    double offset; /* contact begins at this many radii from the surface */
    bool no_force; /* nothing sums forces here: colliders of every law bounce */
} mo_contact_rows;

enum { MO_CONTACT_BATCH = 64 };

/* The box of a batch of rows, and of where they were before the step (NULL: not those), grown by how
 * far contacts reach. */
typedef struct mo_contact_box {
    double low[3], high[3];
} mo_contact_box;

mo_contact_box mo_contact_box_of(const double *x, const double *before, const double *radius,
                                 double offset, int64_t first, int64_t count);

/* Whether a collider may be in contact with a row of the box; needs mo_colliders_pose_step. A
   container and a collider without end are near everything. */
bool mo_collider_may_meet(const mo_collider *collider, const mo_contact_box *box);

/* From a position to the image of it that is tested with an image of a collider. */
mo_vec3 mo_contact_offset(const mo_colliders *colliders, mo_vec3 x, mo_vec3 image);

/* The largest radius, which decides which periodic images matter; 0 where the domain is not
   periodic. */
mote_status mo_contact_reach(const mo_colliders *colliders, mo_pool *pool, int64_t rows,
                             const double *radius, double *reach, mote_error *error);

#endif
