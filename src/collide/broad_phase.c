#include "collide/broad_phase.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 512, PAIR_GRAIN = 4096 };

void mo_broad_phase_init(mo_broad_phase *broad, mo_memory *memory)
{
    *broad = (mo_broad_phase){.memory = memory};
    mo_hierarchy_init(&broad->tree, &mo_bound_aabb, memory);
    mo_hierarchy_init(&broad->moved_tree, &mo_bound_aabb, memory);
    mo_pair_search_init(&broad->search, memory);
}

void mo_broad_phase_release(mo_broad_phase *broad)
{
    void *blocks[] = {broad->pairs,       broad->fat,        broad->group,       broad->has_moved,
                      broad->where,       broad->near,       broad->near_next,   broad->is_pair,
                      broad->block_count, broad->moved_list, broad->moved_corner};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; ++k) {
        mo_release(broad->memory, blocks[k]);
    }
    mo_hierarchy_release(&broad->tree);
    mo_hierarchy_release(&broad->moved_tree);
    mo_pair_search_release(&broad->search);
    mo_broad_phase_init(broad, broad->memory);
}

/* ---- fat boxes ---- */

typedef struct updating {
    mo_broad_phase *broad;
    const mo_box *boxes;
    const int32_t *group; /* may be NULL */
    int64_t count;
} updating;

static int32_t group_of(const updating *u, int64_t k)
{
    return u->group ? u->group[k] : -1;
}

static double extent_of(const mo_box *box)
{
    double most = 0;
    for (int k = 0; k < 3; ++k) {
        double extent = box->high[k] - box->low[k];
        most = extent > most ? extent : most;
    }
    return most;
}

/* The fat box of an empty one. */
static const mo_box NOTHING = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};

/* A box that leaves its fat box gets one extended by a tenth of its size on all sides, and
 * further in the direction of motion. */
static mo_box fatten(const mo_box *box, const mo_box *before)
{
    mo_box fat = *box;
    double margin = 0.1 * extent_of(box);
    margin = isfinite(margin) ? margin : 0;
    for (int k = 0; k < 3; ++k) {
        double below = before ? before->low[k] - box->low[k] : 0;
        double above = before ? box->high[k] - before->high[k] : 0;
        double most = 4 * margin;
        fat.low[k] -= margin + fmin(fmax(below, 0), most);
        fat.high[k] += margin + fmin(fmax(above, 0), most);
    }
    return fat;
}

static void find_moved(void *context, int64_t first, int64_t last)
{
    const updating *u = context;
    mo_broad_phase *broad = u->broad;
    for (int64_t k = first; k < last; ++k) {
        bool known = k < broad->box_count, same_group = known && broad->group[k] == group_of(u, k);
        bool empty = mo_box_is_empty(&u->boxes[k]);
        bool fits = known && (empty ? isnan(broad->fat[k].low[0])
                                    : mo_box_contains(&broad->fat[k], &u->boxes[k]));
        broad->has_moved[k] = !fits || !same_group;
        broad->group[k] = group_of(u, k);
        if (!fits) {
            broad->fat[k] = empty ? NOTHING : fatten(&u->boxes[k], known ? &broad->fat[k] : NULL);
        }
    }
}

/* ---- all pairs of fat boxes ---- */

static bool may_pair(const void *context, int32_t a, int32_t b)
{
    const updating *u = context;
    const int32_t *group = u->broad->group;
    return group[a] != group[b] || group[a] < 0;
}

static void swap_pairs(mo_box_pair **a, int64_t *a_capacity, mo_box_pair **b, int64_t *b_capacity)
{
    mo_box_pair *pairs = *a;
    int64_t capacity = *a_capacity;
    *a = *b;
    *a_capacity = *b_capacity;
    *b = pairs;
    *b_capacity = capacity;
}

static mote_status find_all(updating *u, mo_pool *pool, mote_error *error)
{
    mo_broad_phase *broad = u->broad;
    mo_pair_search *search = &broad->search;
    mo_simplices fat = mo_simplices_of_boxes(u->count, broad->fat);
    MO_TRY(mo_hierarchy_build(&broad->tree, &fat, MO_HIERARCHY_MORTON, pool, error));
    for (int64_t k = 0; k < u->count; ++k) {
        broad->where[broad->tree.order[k]] = (int32_t)k;
    }
    MO_TRY(mo_pair_search_run(search, &broad->tree, &broad->tree, NULL, u->group ? may_pair : NULL,
                              u, pool, error));
    MO_TRY(mo_pair_search_sort(search, true, error));
    broad->near_count = search->count;
    swap_pairs(&broad->near, &broad->near_capacity, &search->pairs, &search->pair_capacity);
    broad->moved_since = 0;
    broad->rebuilt = true;
    return MOTE_OK;
}

/* ---- the pairs of boxes that have moved ---- */

/* Pairs of two moved boxes are found from both, and kept once. */
static bool is_new_pair(const void *context, int32_t a, int32_t b)
{
    const updating *u = context;
    int32_t own = u->broad->moved_list[a];
    return own != b && (own < b || !u->broad->has_moved[b]) && may_pair(u, own, b);
}

/* A small tree of the moved boxes against the tree of all. */
static mote_status search_moved(updating *u, mo_pool *pool, mote_error *error)
{
    mo_broad_phase *broad = u->broad;
    mo_hierarchy *few = &broad->moved_tree;
    int64_t count = broad->moved;
    MO_TRY(mo_reserve(broad->memory, &broad->moved_corner, &broad->moved_corner_capacity, 2 * count,
                      sizeof *broad->moved_corner, error));
    for (int64_t k = 0; k < count; ++k) {
        int32_t box = broad->moved_list[k];
        mo_hierarchy_refit_one(&broad->tree, broad->where[box]);
        broad->moved_corner[2 * k] = 2 * box;
        broad->moved_corner[2 * k + 1] = 2 * box + 1;
    }
    mo_simplices set = mo_simplices_of_boxes(count, broad->fat);
    set.corner = broad->moved_corner;
    MO_TRY(mo_hierarchy_reserve(few, count, error));
    for (int64_t k = 0; k < count; ++k) { /* the list is in the order of the tree */
        few->order[k] = (int32_t)k;
    }
    few->origin = broad->tree.origin;
    MO_TRY(mo_hierarchy_build(few, &set, MO_HIERARCHY_GIVEN, pool, error));
    MO_TRY(
        mo_pair_search_run(&broad->search, few, &broad->tree, NULL, is_new_pair, u, pool, error));
    for (int64_t k = 0; k < broad->search.count; ++k) {
        broad->search.pairs[k].a = broad->moved_list[broad->search.pairs[k].a];
    }
    return mo_pair_search_sort(&broad->search, true, error);
}

static bool comes_before(mo_box_pair p, mo_box_pair q)
{
    return p.a < q.a || (p.a == q.a && p.b < q.b);
}

/* Merges the old pairs of unmoved boxes and the new ones, sorted. */
static mote_status merge_moved(updating *u, mo_pool *pool, mote_error *error)
{
    mo_broad_phase *broad = u->broad;
    int64_t from = 0, count = 0;
    MO_TRY(search_moved(u, pool, error));
    MO_TRY(mo_reserve(broad->memory, &broad->near_next, &broad->near_next_capacity,
                      broad->near_count + broad->search.count, sizeof *broad->near, error));
    for (int64_t k = 0; k < broad->near_count; ++k) {
        mo_box_pair old = broad->near[k];
        if (broad->has_moved[old.a] | broad->has_moved[old.b]) {
            continue;
        }
        while (from < broad->search.count && comes_before(broad->search.pairs[from], old)) {
            broad->near_next[count++] = broad->search.pairs[from++];
        }
        broad->near_next[count++] = old;
    }
    while (from < broad->search.count) {
        broad->near_next[count++] = broad->search.pairs[from++];
    }
    swap_pairs(&broad->near, &broad->near_capacity, &broad->near_next, &broad->near_next_capacity);
    broad->near_count = count;
    broad->moved_since += broad->moved;
    return MOTE_OK;
}

/* ---- the pairs of the boxes themselves ---- */

static void test_pairs(void *context, int64_t first, int64_t last)
{
    const updating *u = context;
    mo_broad_phase *broad = u->broad;
    int64_t count = 0;
    for (int64_t k = first; k < last; ++k) {
        const mo_box *a = &u->boxes[broad->near[k].a], *b = &u->boxes[broad->near[k].b];
        bool pair = mo_boxes_overlap(a, b);
        broad->is_pair[k] = pair;
        count += pair;
    }
    broad->block_count[first / PAIR_GRAIN] = count;
}

static void write_pairs(void *context, int64_t first, int64_t last)
{
    const updating *u = context;
    mo_box_pair *out = u->broad->pairs + u->broad->block_count[first / PAIR_GRAIN];
    for (int64_t k = first; k < last; ++k) {
        if (u->broad->is_pair[k]) {
            *out++ = u->broad->near[k];
        }
    }
}

static mote_status keep_overlapping(updating *u, mo_pool *pool, mote_error *error)
{
    mo_broad_phase *broad = u->broad;
    int64_t blocks = (broad->near_count + PAIR_GRAIN - 1) / PAIR_GRAIN, sum = 0;
    MO_TRY(mo_reserve(broad->memory, &broad->block_count, &broad->block_capacity, blocks,
                      sizeof *broad->block_count, error));
    MO_TRY(mo_reserve(broad->memory, &broad->is_pair, &broad->is_pair_capacity, broad->near_count,
                      sizeof *broad->is_pair, error));
    mo_parallel_for(pool, broad->near_count, PAIR_GRAIN, test_pairs, u);
    for (int64_t b = 0; b < blocks; ++b) {
        int64_t count = broad->block_count[b];
        broad->block_count[b] = sum;
        sum += count;
    }
    MO_TRY(mo_reserve(broad->memory, &broad->pairs, &broad->pair_capacity, sum,
                      sizeof *broad->pairs, error));
    mo_parallel_for(pool, broad->near_count, PAIR_GRAIN, write_pairs, u);
    broad->pair_count = sum;
    return MOTE_OK;
}

/* ---- an update ---- */

static mote_status reserve(mo_broad_phase *broad, int64_t count, mote_error *error)
{
    mo_memory *memory = broad->memory;
    MO_TRY(mo_reserve(memory, &broad->fat, &broad->fat_capacity, count, sizeof *broad->fat, error));
    MO_TRY(
        mo_reserve(memory, &broad->group, &broad->group_capacity, count, sizeof(int32_t), error));
    MO_TRY(mo_reserve(memory, &broad->has_moved, &broad->has_moved_capacity, count, 1, error));
    MO_TRY(mo_reserve(memory, &broad->moved_list, &broad->moved_list_capacity, count,
                      sizeof(int32_t), error));
    return mo_reserve(memory, &broad->where, &broad->where_capacity, count, sizeof(int32_t), error);
}

mote_status mo_broad_phase_reserve(mo_broad_phase *broad, int64_t boxes, int64_t pairs,
                                   mote_error *error)
{
    mo_memory *memory = broad->memory;
    size_t size = sizeof(mo_box_pair);
    int64_t blocks = (pairs + PAIR_GRAIN - 1) / PAIR_GRAIN;
    MO_TRY(reserve(broad, boxes, error));
    MO_TRY(mo_reserve(memory, &broad->near, &broad->near_capacity, pairs, size, error));
    MO_TRY(mo_reserve(memory, &broad->near_next, &broad->near_next_capacity, pairs, size, error));
    MO_TRY(mo_reserve(memory, &broad->pairs, &broad->pair_capacity, pairs, size, error));
    MO_TRY(mo_reserve(memory, &broad->is_pair, &broad->is_pair_capacity, pairs, 1, error));
    MO_TRY(mo_reserve(memory, &broad->block_count, &broad->block_capacity, blocks,
                      sizeof *broad->block_count, error));
    MO_TRY(mo_reserve(memory, &broad->moved_corner, &broad->moved_corner_capacity, 2 * boxes,
                      sizeof *broad->moved_corner, error));
    MO_TRY(mo_hierarchy_reserve(&broad->moved_tree, boxes, error));
    return mo_pair_search_reserve(&broad->search, pairs, error);
}

/* Moved boxes in the order of the tree, for spatial locality. */
static void list_moved(updating *u)
{
    mo_broad_phase *broad = u->broad;
    broad->moved = 0;
    for (int64_t k = 0; k < u->count; ++k) {
        int64_t box = u->count == broad->box_count ? broad->tree.order[k] : k;
        if (broad->has_moved[box]) {
            broad->moved_list[broad->moved++] = (int32_t)box;
        }
    }
}

mote_status mo_broad_phase_update(mo_broad_phase *broad, int64_t count, const mo_box *boxes,
                                  const int32_t *group, mo_pool *pool, mote_error *error)
{
    updating u = {.broad = broad, .boxes = boxes, .group = group, .count = count};
    mote_status status = MOTE_OK;
    MO_TRY(reserve(broad, count, error));
    mo_parallel_for(pool, count, GRAIN, find_moved, &u);
    list_moved(&u);
    broad->rebuilt = false;
    /* a tree whose boxes have moved far is inefficient: it is rebuilt after as many moves as
     * boxes */
    if (count != broad->box_count || broad->moved > count / 4 ||
        broad->moved_since + broad->moved > count) {
        status = find_all(&u, pool, error);
    } else if (broad->moved > 0) {
        status = merge_moved(&u, pool, error);
    }
    broad->box_count = status == MOTE_OK ? count : 0; /* after a failure everything is rebuilt */
    return status == MOTE_OK ? keep_overlapping(&u, pool, error) : status;
}
