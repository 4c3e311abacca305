/* No structure: every box is compared with every other. The reference for the others, and the model
 * to copy for a new one. */
#include "geometry/subdivide/subdivide.h"

extern const mo_subdivision_type mo_subdivision_all_pairs;

typedef struct all_pairs {
    const mo_subdivided *over;
} all_pairs;

static const mo_param PARAMS[] = {{0}};

static void all_pairs_release(void *instance, mo_memory *memory)
{
    (void)instance;
    (void)memory;
}

static mote_status all_pairs_build(void *instance, const void *params, const mo_subdivided *over,
                                   mo_memory *memory, mo_pool *pool, mote_error *error)
{
    all_pairs *all = instance;
    (void)params;
    (void)memory;
    (void)pool;
    (void)error;
    all->over = over;
    return MOTE_OK;
}

static void all_pairs_near(const void *instance, const mo_box *box, mo_overlapping_fn *found,
                           void *context)
{
    const mo_subdivided *over = ((const all_pairs *)instance)->over;
    for (int32_t k = 0; k < over->set.count; ++k) {
        if (mo_boxes_overlap(&over->box[k], box)) {
            found(context, k);
        }
    }
}

const mo_subdivision_type mo_subdivision_all_pairs = {
    .base = {.name = "all_pairs",
             .summary = "Compares the boxes of all pairs: the reference for the other searches.",
             .capabilities = MO_PORTABLE,
             .params = PARAMS},
    .size = sizeof(all_pairs),
    .release = all_pairs_release,
    .build = all_pairs_build,
    .near = all_pairs_near,
};
