/*
 * The particles of a system for contact search, and the broad phase: rows are tested in batches,
 * and a collider whose bounds do not intersect the bounding box of a batch is skipped.
 */
#ifndef MO_COLLIDE_ROWS_H
#define MO_COLLIDE_ROWS_H

#include "base/pool.h"
#include "collide/collider.h"
#include "collide/contact.h"

/* Arrays with one entry per row. */
typedef struct mo_contact_rows {
    mo_pool *pool;
    int32_t system; /* index of the system in the world's list */
    int64_t count;
    const double *x, *v, *a; /* v NULL: velocities are not used */
    const double *mass, *inverse_mass, *radius, *inverse_diameter;
    const int64_t *id;
} mo_contact_rows;

/* The vertex `row` on a collider, at the position x: the particle's, or that of its periodic image.
 * The force is 0. */
mo_contact mo_contact_row_on_collider(const mo_contact_rows *rows, int64_t row, int64_t collider,
                                      mo_vec3 x, mo_vec3 normal, double gap);

enum { MO_CONTACT_BATCH = 64 };

/* The number of rows of batch b. */
static inline int64_t mo_contact_batch_rows(int64_t rows, int64_t batch)
{
    int64_t left = rows - MO_CONTACT_BATCH * batch;
    return left < MO_CONTACT_BATCH ? left : MO_CONTACT_BATCH;
}

/* The bounding box of a batch of rows at the end and at the start (NULL: not included) of the
 * step, extended by the contact distance. */
typedef struct mo_contact_box {
    double low[3], high[3];
} mo_contact_box;

mo_contact_box mo_contact_box_of(const double *x, const double *before, const double *radius,
                                 double offset, int64_t first, int64_t count);

/* Whether a collider may be in contact with a row of the box; requires its bounds
 * (mo_collider_set_pose). Containers and unbounded colliders are near every box. */
bool mo_collider_near_box(const mo_collider *collider, const mo_contact_box *box);

/* From a position to its image that is tested with an image of a collider. */
mo_vec3 mo_contact_offset(const mo_colliders *colliders, mo_vec3 x, mo_vec3 image);

/* The largest radius, which determines the relevant periodic images; 0 in domains that are not
 * periodic. */
mote_status mo_contact_reach(const mo_colliders *colliders, const mo_contact_rows *rows,
                             double *reach, mote_error *error);

#endif
