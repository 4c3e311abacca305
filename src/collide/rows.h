/*
 * The particles of a system as contacts see them, and the broad phase: rows are tested in batches,
 * and a collider whose bounds do not reach the box of a batch is skipped, by any contact law.
 */
#ifndef MO_COLLIDE_ROWS_H
#define MO_COLLIDE_ROWS_H

#include "base/pool.h"
#include "collide/collider.h"
#include "collide/contact.h"

/* Arrays with a row each. */
typedef struct mo_contact_rows {
    mo_pool *pool;
    int32_t system; /* whose rows, in the world's list */
    int64_t count;
    const double *x, *v, *a; /* v NULL: velocities do not matter */
    const double *mass, *inverse_mass, *radius, *inverse_diameter;
    const int64_t *id;
} mo_contact_rows;

/* The vertex `row` on a collider, at the position x: the particle's, or that of its periodic image.
 * The force is 0. */
mo_contact mo_contact_row_on_collider(const mo_contact_rows *rows, int64_t row, int64_t collider,
                                      mo_vec3 x, mo_vec3 normal, double gap);

enum { MO_CONTACT_BATCH = 64 };

/* How many rows batch b has. */
static inline int64_t mo_contact_batch_rows(int64_t rows, int64_t batch)
{
    int64_t left = rows - MO_CONTACT_BATCH * batch;
    return left < MO_CONTACT_BATCH ? left : MO_CONTACT_BATCH;
}

/* The box of a batch of rows, and of where they were before the step (NULL: not those), grown by how
 * far contacts reach. */
typedef struct mo_contact_box {
    double low[3], high[3];
} mo_contact_box;

mo_contact_box mo_contact_box_of(const double *x, const double *before, const double *radius,
                                 double offset, int64_t first, int64_t count);

/* Whether a collider may be in contact with a row of the box; needs its bounds
   (mo_collider_set_pose). A container and a collider without end are near everything. */
bool mo_collider_near_box(const mo_collider *collider, const mo_contact_box *box);

/* From a position to the image of it that is tested with an image of a collider. */
mo_vec3 mo_contact_offset(const mo_colliders *colliders, mo_vec3 x, mo_vec3 image);

/* The largest radius, which decides which periodic images matter; 0 where the domain is not
   periodic. */
mote_status mo_contact_reach(const mo_colliders *colliders, const mo_contact_rows *rows,
                             double *reach, mote_error *error);

#endif
