#include "geometry/subdivide/plane_tree.h"

#include <math.h>
#include <string.h>

enum { DEPTH_MAX = 48, STACK = 64 };

void mo_plane_tree_release(mo_plane_tree *t, mo_memory *memory)
{
    mo_release(memory, t->node);
    mo_release(memory, t->entry);
    mo_release(memory, t->list);
    mo_release(memory, t->middle);
    mo_release(memory, t->along);
    *t = (mo_plane_tree){0};
}

/* The extent of a box along a normal, widened by rounding where that is not an axis. */
static inline void project(const mo_box *box, mo_vec3 n, int axis, double *low, double *high)
{
    if (axis >= 0) {
        *low = box->low[axis];
        *high = box->high[axis];
        return;
    }
    double middle = 0, reach = 0, size = 0;
    for (int k = 0; k < 3; ++k) {
        double c = mo_vec3_at(n, k), half = 0.5 * (box->high[k] - box->low[k]);
        middle += c * (box->low[k] + half);
        reach += fabs(c) * half;
        size += fabs(box->low[k]) + half;
    }
    reach += 1e-15 * size;
    *low = middle - reach;
    *high = middle + reach;
}

/* The axis that a normal is along; -1: none. */
static int axis_of(mo_vec3 n)
{
    return n.x == 1 ? 0 : n.y == 1 ? 1 : n.z == 1 ? 2 : -1;
}

/* ---- building ---- */

/* The k-th number by size (C. A. R. Hoare 1961); those before it are not larger afterwards. */
static double select_value(double *value, int64_t count, int64_t k)
{
    int64_t low = 0, high = count - 1;
    while (low < high) {
        double pivot = value[low + (high - low) / 2];
        int64_t i = low, j = high;
        while (i <= j) {
            while (value[i] < pivot) {
                ++i;
            }
            while (value[j] > pivot) {
                --j;
            }
            if (i <= j) {
                double swap = value[i];
                value[i++] = value[j];
                value[j--] = swap;
            }
        }
        if (k <= j) {
            high = j;
        } else if (k >= i) {
            low = i;
        } else {
            break;
        }
    }
    return value[k];
}

static mote_status make_leaf(mo_plane_tree *t, mo_memory *memory, int64_t number, int64_t first,
                             int64_t count, mote_error *error)
{
    MO_TRY(mo_reserve(memory, &t->entry, &t->entry_capacity, t->entry_count + count,
                      sizeof *t->entry, error));
    memcpy(t->entry + t->entry_count, t->list + first, (size_t)count * sizeof *t->entry);
    t->node[number].child[0] = (int32_t)t->entry_count;
    t->node[number].child[1] = ~(int32_t)count;
    t->entry_count += count;
    return MOTE_OK;
}

/* Appends the primitives of a list that reach below or above a plane; how many. */
static mote_status pick(mo_plane_tree *t, mo_memory *memory, mo_vec3 normal, double offset,
                        bool above, int64_t first, int64_t count, int64_t *picked,
                        mote_error *error)
{
    MO_TRY(mo_reserve(memory, &t->list, &t->list_capacity, t->list_count + count, sizeof *t->list,
                      error));
    *picked = 0;
    int axis = axis_of(normal);
    for (int64_t k = first; k < first + count; ++k) {
        double low, high;
        project(&t->over->box[t->list[k]], normal, axis, &low, &high);
        if (above ? high > offset : low <= offset) {
            t->list[t->list_count + (*picked)++] = t->list[k];
        }
    }
    t->list_count += *picked;
    return MOTE_OK;
}

/* Where half of the middles are on either side. */
static double median_along(mo_plane_tree *t, mo_vec3 normal, int64_t first, int64_t count)
{
    for (int64_t k = 0; k < count; ++k) {
        t->along[k] = mo_dot(normal, t->middle[t->list[first + k]]);
    }
    return select_value(t->along, count, count / 2);
}

static mote_status grow(mo_plane_tree *t, mo_memory *memory, int64_t number, int64_t first,
                        int64_t count, int depth, mote_error *error)
{
    t->depth = depth > t->depth ? depth : t->depth;
    if (count <= t->leaf || depth == DEPTH_MAX) {
        return make_leaf(t, memory, number, first, count, error);
    }
    int64_t mark = t->list_count, below, above;
    mo_vec3 normal = t->cut(t->middle, t->list + first, count);
    double offset = median_along(t, normal, first, count);
    MO_TRY(pick(t, memory, normal, offset, false, first, count, &below, error));
    MO_TRY(pick(t, memory, normal, offset, true, first, count, &above, error));
    if (below + above > count + 2 * count / 3 || below == count || above == count) {
        t->list_count = mark; /* most are on both sides: a cut does not help */
        return make_leaf(t, memory, number, first, count, error);
    }
    MO_TRY(
        mo_reserve(memory, &t->node, &t->node_capacity, t->node_count + 2, sizeof *t->node, error));
    int32_t child = (int32_t)t->node_count;
    t->node_count += 2;
    t->node[number] = (mo_plane_node){normal, offset, {child, child + 1}, axis_of(normal)};
    MO_TRY(grow(t, memory, child, mark, below, depth + 1, error));
    MO_TRY(grow(t, memory, child + 1, mark + below, above, depth + 1, error));
    t->list_count = mark;
    return MOTE_OK;
}

mote_status mo_plane_tree_build(mo_plane_tree *t, const mo_subdivided *over, mo_memory *memory,
                                mote_error *error)
{
    int64_t count = over->set.count;
    t->over = over;
    t->node_count = 1;
    t->entry_count = t->depth = 0;
    t->list_count = count;
    MO_TRY(mo_reserve(memory, &t->node, &t->node_capacity, 1, sizeof *t->node, error));
    MO_TRY(mo_reserve(memory, &t->list, &t->list_capacity, count, sizeof *t->list, error));
    MO_TRY(mo_reserve(memory, &t->middle, &t->middle_capacity, count, sizeof *t->middle, error));
    MO_TRY(mo_reserve(memory, &t->along, &t->along_capacity, count, sizeof *t->along, error));
    for (int64_t k = 0; k < count; ++k) {
        const mo_box *b = &over->box[k];
        t->list[k] = (int32_t)k;
        t->middle[k] = mo_scale(0.5, mo_add(mo_vec3_load(b->low), mo_vec3_load(b->high)));
    }
    return grow(t, memory, 0, 0, count, 0, error);
}

/* ---- queries ---- */

static int32_t leaf_of(const mo_plane_tree *t, mo_vec3 x)
{
    int32_t at = 0;
    while (t->node[at].child[1] >= 0) {
        const mo_plane_node *n = &t->node[at];
        double along = n->axis >= 0 ? mo_vec3_at(x, n->axis) : mo_dot(n->normal, x);
        at = n->child[along > n->offset];
    }
    return at;
}

static void near_leaf(const mo_plane_tree *t, int32_t leaf, const mo_box *box,
                      mo_overlapping_fn *found, void *context)
{
    const mo_plane_node *n = &t->node[leaf];
    for (int32_t k = 0; k < ~n->child[1]; ++k) {
        int32_t primitive = t->entry[n->child[0] + k];
        const mo_box *other = &t->over->box[primitive];
        if (mo_boxes_overlap(other, box) && leaf_of(t, mo_boxes_corner(other, box)) == leaf) {
            found(context, primitive);
        }
    }
}

void mo_plane_tree_near(const mo_plane_tree *t, const mo_box *box, mo_overlapping_fn *found,
                        void *context)
{
    int32_t stack[STACK];
    int depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        int32_t at = stack[--depth];
        const mo_plane_node *n = &t->node[at];
        if (n->child[1] < 0) {
            near_leaf(t, at, box, found, context);
            continue;
        }
        double low, high;
        project(box, n->normal, n->axis, &low, &high);
        if (high > n->offset) {
            stack[depth++] = n->child[1];
        }
        if (low <= n->offset) {
            stack[depth++] = n->child[0];
        }
    }
}
