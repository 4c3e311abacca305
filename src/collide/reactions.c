#include "collide/reactions.h"

void mo_reactions_init(mo_reactions *r, mo_memory *memory)
{
    *r = (mo_reactions){.memory = memory};
}

void mo_reactions_release(mo_reactions *r)
{
    void *const arrays[] = {r->center, r->total,      r->block,     r->collider, r->slot, r->order,
                            r->first,  r->seen_block, r->seen_slot, r->last,     r->used, r->kept};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) {
        mo_release(r->memory, arrays[k]);
    }
    *r = (mo_reactions){.memory = r->memory};
}

mote_status mo_reactions_resize(mo_reactions *r, int colliders, mote_error *error)
{
    mo_memory *m = r->memory;
    int64_t need = colliders + 1;
    MO_TRY(mo_reserve(m, &r->center, &r->center_capacity, need, sizeof *r->center, error));
    MO_TRY(mo_reserve(m, &r->total, &r->total_capacity, need, sizeof *r->total, error));
    MO_TRY(mo_reserve(m, &r->last, &r->last_capacity, need, sizeof *r->last, error));
    MO_TRY(mo_reserve(m, &r->first, &r->first_capacity, need, sizeof *r->first, error));
    MO_TRY(
        mo_reserve(m, &r->seen_block, &r->seen_block_capacity, need, sizeof *r->seen_block, error));
    MO_TRY(mo_reserve(m, &r->seen_slot, &r->seen_slot_capacity, need, sizeof *r->seen_slot, error));
    memset(r->center, 0, (size_t)need * sizeof *r->center);
    r->count = colliders;
    r->blocks = r->slots = r->width = 0;
    mo_reactions_clear(r, r->time);
    return MOTE_OK;
}

void mo_reactions_clear(mo_reactions *r, double time)
{
    r->time = time;
    r->is_static = false;
    if (r->total) {
        memset(r->total, 0, (size_t)(r->count + 1) * sizeof *r->total);
    }
}

/* ---- the layout ---- */

mote_status mo_reactions_layout_begin(mo_reactions *r, int64_t blocks, mote_error *error)
{
    MO_TRY(
        mo_reserve(r->memory, &r->block, &r->block_capacity, blocks + 1, sizeof *r->block, error));
    r->blocks = blocks;
    r->slots = r->width = 0;
    for (int c = 0; c < r->count; ++c) {
        r->seen_block[c] = -1;
    }
    return MOTE_OK;
}

void mo_reactions_layout_block(mo_reactions *r, int64_t block)
{
    r->block[block] = r->slots;
}

mote_status mo_reactions_layout_slot(mo_reactions *r, int64_t block, int collider, int64_t *slot,
                                     mote_error *error)
{
    if (r->seen_block[collider] != block) {
        MO_TRY(mo_reserve(r->memory, &r->collider, &r->collider_capacity, r->slots + 1,
                          sizeof *r->collider, error));
        r->seen_block[collider] = block;
        r->seen_slot[collider] = r->slots;
        r->collider[r->slots++] = collider;
    }
    *slot = r->seen_slot[collider];
    return MOTE_OK;
}

/* The slots of a block: laid out consecutively, or `width` per block. */
static int64_t slots_begin(const mo_reactions *r, int64_t block)
{
    return r->width > 0 ? block * r->width : r->block[block];
}

static int64_t slots_end(const mo_reactions *r, int64_t block)
{
    return r->width > 0 ? block * r->width + r->used[block] : r->block[block + 1];
}

/* Sorts slots by collider: a stable counting sort keeps the order of blocks. */
static mote_status sort_slots(mo_reactions *r, mote_error *error)
{
    r->slots = 0;
    memset(r->first, 0, (size_t)(r->count + 1) * sizeof *r->first);
    for (int64_t b = 0; b < r->blocks; ++b) {
        for (int64_t k = slots_begin(r, b); k < slots_end(r, b); ++k, ++r->slots) {
            r->first[r->collider[k] + 1]++;
        }
    }
    MO_TRY(mo_reserve(r->memory, &r->order, &r->order_capacity, r->slots, sizeof *r->order, error));
    for (int c = 0; c < r->count; ++c) {
        r->first[c + 1] += r->first[c];
        r->seen_slot[c] = r->first[c]; /* from here on: the position of its next slot */
    }
    for (int64_t b = 0; b < r->blocks; ++b) {
        for (int64_t k = slots_begin(r, b); k < slots_end(r, b); ++k) {
            r->order[r->seen_slot[r->collider[k]]++] = k;
        }
    }
    return MOTE_OK;
}

mote_status mo_reactions_layout_end(mo_reactions *r, mote_error *error)
{
    r->block[r->blocks] = r->slots;
    MO_TRY(mo_reserve(r->memory, &r->slot, &r->slot_capacity, r->slots, sizeof *r->slot, error));
    return sort_slots(r, error);
}

/* ---- reduction ---- */

static mo_reaction add(mo_reaction a, mo_reaction b)
{
    return (mo_reaction){mo_wrench_add(a.wrench, b.wrench), a.heat + b.heat};
}

/* The pairwise sum of the slots order[first] to order[last - 1]. */
static mo_reaction sum_slots(const mo_reactions *r, int64_t first, int64_t last)
{
    if (last - first == 1) {
        return r->slot[r->order[first]];
    }
    int64_t middle = first + (last - first) / 2;
    return add(sum_slots(r, first, middle), sum_slots(r, middle, last));
}

void mo_reactions_fold(mo_reactions *r)
{
    for (int c = 0; c < r->count; ++c) {
        bool any = r->first[c + 1] > r->first[c];
        r->last[c] = any ? sum_slots(r, r->first[c], r->first[c + 1]) : (mo_reaction){0};
        r->total[c] = any ? add(r->total[c], r->last[c]) : r->total[c];
    }
}

/* ---- slots on demand ---- */

enum { WIDTH = 16 }; /* initial slots per block */

static mote_status make_slots(mo_reactions *r, int64_t width, mote_error *error)
{
    mo_memory *m = r->memory;
    int64_t need = r->blocks * width;
    MO_TRY(mo_reserve(m, &r->collider, &r->collider_capacity, need, sizeof *r->collider, error));
    return mo_reserve(m, &r->slot, &r->slot_capacity, need, sizeof *r->slot, error);
}

mote_status mo_reactions_begin(mo_reactions *r, const mo_colliders *colliders, double time,
                               int64_t blocks, mote_error *error)
{
    if (r->count != colliders->count || !r->center) {
        MO_TRY(mo_reactions_resize(r, (int)colliders->count, error));
    }
    int64_t most = 2 * (int64_t)r->count, few = most < 1 ? 1 : most < WIDTH ? most : WIDTH;
    int64_t width = r->width > 0 ? r->width : few;
    mo_reactions_clear(r, time);
    r->blocks = blocks;
    MO_TRY(make_slots(r, width, error));
    MO_TRY(mo_reserve(r->memory, &r->used, &r->used_capacity, blocks, sizeof *r->used, error));
    MO_TRY(mo_reserve(r->memory, &r->kept, &r->kept_capacity, blocks, sizeof *r->kept, error));
    r->width = width;
    for (int64_t b = 0; b < blocks; ++b) {
        r->used[b] = r->kept[b] = 0;
    }
    for (int64_t c = 0; c < colliders->count; ++c) {
        r->center[c] = mo_collider_pose_at(&colliders->list[c], time).p;
    }
    return MOTE_OK;
}

bool mo_reactions_may_run_out(const mo_reactions *r)
{
    return r->width < 2 * (int64_t)r->count;
}

/* Searches from the last slot, since consecutive contributions tend to be of the same collider. */
mo_reaction *mo_reactions_slot(mo_reactions *r, int64_t block, int32_t collider)
{
    int64_t base = block * r->width, next = base + r->used[block];
    for (int64_t k = next - 1; k >= base + r->kept[block]; --k) {
        if (r->collider[k] == collider) {
            return &r->slot[k];
        }
    }
    if (r->used[block] == r->width) {
        return NULL;
    }
    r->used[block]++;
    r->collider[next] = collider;
    r->slot[next] = (mo_reaction){0};
    return &r->slot[next];
}

/* Adds the slots of the batch to those of the block for the same colliders; the others are kept. */
void mo_reactions_keep(mo_reactions *r, int64_t block)
{
    int32_t *collider = r->collider + block * r->width, kept = r->kept[block], end = kept;
    mo_reaction *slot = r->slot + block * r->width;
    for (int32_t k = kept; k < r->used[block]; ++k) {
        int32_t same = 0;
        while (same < kept && collider[same] != collider[k]) {
            ++same;
        }
        if (same < kept) {
            slot[same] = add(slot[same], slot[k]);
        } else {
            collider[end] = collider[k];
            slot[end++] = slot[k];
        }
    }
    r->used[block] = r->kept[block] = end;
}

void mo_reactions_drop(mo_reactions *r, int64_t block)
{
    r->used[block] = r->kept[block];
}

/* Moves blocks apart, the last one first. A block needs at most one slot per collider before and
 * in the batch. */
mote_status mo_reactions_widen(mo_reactions *r, mote_error *error)
{
    int64_t most = 2 * (int64_t)r->count, width = 2 * r->width < most ? 2 * r->width : most;
    MO_TRY(make_slots(r, width, error));
    for (int64_t b = r->blocks - 1; b > 0; --b) {
        size_t used = (size_t)r->used[b];
        memmove(r->collider + b * width, r->collider + b * r->width, used * sizeof *r->collider);
        memmove(r->slot + b * width, r->slot + b * r->width, used * sizeof *r->slot);
    }
    r->width = width;
    return MOTE_OK;
}

mote_status mo_reactions_end(mo_reactions *r, mote_error *error)
{
    MO_TRY(sort_slots(r, error));
    mo_reactions_fold(r);
    return MOTE_OK;
}

/* ---- results ---- */

mo_reaction mo_reactions_of(const mo_reactions *r, int collider)
{
    return collider >= 0 && collider < r->count ? r->total[collider] : (mo_reaction){0};
}
