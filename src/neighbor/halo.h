/*
 * The halo: ghost particles after the owned rows of a set, so that pair loops need no special case
 * at a periodic boundary. Currently ghosts are the periodic images of rows near a border of the
 * domain; rows that another rank owns would be ghosts as well.
 *
 * Local particle k < owned is row k, wrapped into the domain; ghosts follow, outside the domain and
 * within the radius of it:
 *
 *     x_k = x_row - shift_row,    x_(owned + g) = x_owner[g] + periods[g] * length.
 *
 * A loop over pairs reads dx = x[j] - x[i] for owned i and any j: no minimum image, branch or image
 * index per pair. Other columns have entries for all particles, their ghosts are set by
 * mo_halo_update, and sums accumulated in ghosts are returned to their owners by mo_halo_add_back,
 * which is the transpose of the update.
 *
 * The ghosts are selected by a build and stay until the next one, while their positions follow the
 * rows. Ghosts ascend by owner, those of one owner by image: neither depends on the number of
 * threads. Without a period there are no ghosts and x is the caller's own array.
 */
#ifndef MO_NEIGHBOR_HALO_H
#define MO_NEIGHBOR_HALO_H

#include "base/pool.h"
#include "neighbor/domain.h"

typedef struct mo_halo {
    mo_memory *memory;
    mo_domain domain;
    double radius;        /* [m]; changes take effect at the next build */
    int64_t owned, count; /* rows; local and ghost particles */
    const double *x;      /* 3 count, and one value of padding */
    int32_t *owner;       /* of the ghosts: particle j >= owned is a copy of row owner[j - owned] */
    uint8_t *image;       /* of the ghosts: bits 0-1, 2-3, 4-5 are 1 + the periods along x, y, z */
    double *shift;        /* 3 owned: x of a row less x of its particle; periodic domains only */
    double *wrapped;      /* x in periodic domains */
    int32_t *block;       /* of the build: ghosts before each block of rows */
    int64_t owner_capacity, image_capacity, shift_capacity, wrapped_capacity, block_capacity;
} mo_halo;

/* Initially empty. */
void mo_halo_init(mo_halo *halo, const mo_domain *domain, double radius, mo_memory *memory);
void mo_halo_release(mo_halo *halo);
int64_t mo_halo_bytes(const mo_halo *halo); /* memory, without the struct */

/* Selects the ghosts of rows at x (3 owned values and one of padding, unwrapped). After a failure
 * the halo is empty. Without a period x must stay valid until the next build or update. */
mote_status mo_halo_build(mo_halo *halo, int64_t owned, const double *x, mo_pool *pool,
                          mote_error *error);

/* Updates the positions of the same particles to the rows at x. */
void mo_halo_update_positions(mo_halo *halo, const double *x, mo_pool *pool);

/* Copies a column from owners to ghosts; not for positions. A column has `components` values for
 * each of the `count` particles. */
void mo_halo_update_f64(const mo_halo *halo, double *column, int components, mo_pool *pool);
void mo_halo_update_f32(const mo_halo *halo, float *column, int components, mo_pool *pool);

/* Adds the ghosts of a column to their owners, in the order of the ghosts, which are unchanged. */
void mo_halo_add_back_f64(const mo_halo *halo, double *column, int components, mo_pool *pool);
void mo_halo_add_back_f32(const mo_halo *halo, float *column, int components, mo_pool *pool);

/* The row of a local or ghost particle. */
static inline int64_t mo_halo_row(const mo_halo *halo, int64_t particle)
{
    return particle < halo->owned ? particle : halo->owner[particle - halo->owned];
}

/* A particle's coordinate along an axis for the rows at x, instead of those of the last update.
 */
static inline double mo_halo_along(const mo_halo *halo, const double *x, int64_t particle, int axis)
{
    int64_t at = 3 * mo_halo_row(halo, particle) + axis;
    if (!halo->domain.periodic[axis]) {
        return x[at];
    }
    int periods =
        particle < halo->owned ? 0 : (halo->image[particle - halo->owned] >> 2 * axis & 3) - 1;
    return x[at] - halo->shift[at] + periods * (halo->domain.high[axis] - halo->domain.low[axis]);
}

#endif
