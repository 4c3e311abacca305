#include "collide/broad_phase.h"

#include <stdlib.h>

void mo_broad_phase_init(mo_broad_phase *broad, mo_memory *memory)
{
    *broad = (mo_broad_phase){.memory = memory};
    mo_radix_init(&broad->order, memory);
}

void mo_broad_phase_release(mo_broad_phase *broad)
{
    mo_radix_release(&broad->order);
    mo_release(broad->memory, broad->pairs);
    *broad = (mo_broad_phase){.memory = broad->memory};
}

static bool may_pair(const int32_t *group, int32_t a, int32_t b)
{
    return !group || group[a] != group[b] || group[a] < 0;
}

static int by_pair(const void *first, const void *second)
{
    const mo_box_pair *p = first, *q = second;
    return p->a != q->a ? (p->a < q->a ? -1 : 1) : (p->b > q->b) - (p->b < q->b);
}

static mote_status add_pair(mo_broad_phase *broad, int32_t a, int32_t b, mote_error *error)
{
    MO_TRY(mo_make_room(broad->memory, &broad->pairs, &broad->pair_room, broad->pair_count + 1,
                        sizeof *broad->pairs, error));
    broad->pairs[broad->pair_count++] = (mo_box_pair){a < b ? a : b, a < b ? b : a};
    return MOTE_OK;
}

/* Boxes sorted by their lower ends along one axis; each is compared with those that begin before it
 * ends. */
mote_status mo_broad_phase_update(mo_broad_phase *broad, int64_t count, const mo_box *boxes,
                                  const int32_t *group, mo_pool *pool, mote_error *error)
{
    MO_TRY(mo_radix_resize(&broad->order, count, error));
    int64_t used = 0;
    for (int64_t k = 0; k < count; ++k) {
        if (!mo_box_is_empty(&boxes[k])) {
            broad->order.item[used++] = (mo_keyed){mo_keyed_order(boxes[k].low[0]), k};
        }
    }
    mo_radix_sort(&broad->order, used, pool);
    const mo_keyed *item = broad->order.item;
    broad->pair_count = 0;
    for (int64_t i = 0; i < used; ++i) {
        int32_t a = (int32_t)item[i].row;
        for (int64_t k = i + 1; k < used; ++k) {
            int32_t b = (int32_t)item[k].row;
            if (boxes[b].low[0] > boxes[a].high[0]) {
                break;
            }
            if (mo_boxes_overlap(&boxes[a], &boxes[b]) && may_pair(group, a, b)) {
                MO_TRY(add_pair(broad, a, b, error));
            }
        }
    }
    qsort(broad->pairs, (size_t)broad->pair_count, sizeof *broad->pairs, by_pair);
    return MOTE_OK;
}
