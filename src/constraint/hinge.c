#include "constraint/hinge.h"

#include <stdlib.h>

typedef struct side {
    int32_t low, high;
    int64_t corner; /* 3 triangle + index of the edge's first node */
} side;

static int compare_sides(const void *a, const void *b)
{
    const side *s = a, *t = b;
    if (s->low != t->low) {
        return s->low < t->low ? -1 : 1;
    }
    if (s->high != t->high) {
        return s->high < t->high ? -1 : 1;
    }
    return s->corner < t->corner ? -1 : s->corner > t->corner;
}

static int compare_hinges(const void *a, const void *b)
{
    const int64_t *s = a, *t = b;
    return s[0] != t[0] ? (s[0] < t[0] ? -1 : 1) : (s[1] < t[1] ? -1 : s[1] > t[1]);
}

/* Pairs of corners with a common edge; returns their number. */
static int64_t pair_sides(const side *sides, int64_t count, int64_t *pairs)
{
    int64_t found = 0;
    for (int64_t first = 0, k = 1; k < count; ++k) {
        if (sides[k].low == sides[first].low && sides[k].high == sides[first].high) {
            pairs[2 * found] = sides[first].corner;
            pairs[2 * found++ + 1] = sides[k].corner;
        } else {
            first = k;
        }
    }
    return found;
}

mote_status mo_hinges_find(const mo_mesh *mesh, mo_memory *memory, mo_hinges *hinges,
                           mote_error *error)
{
    int64_t corners = 3 * mesh->triangle_count;
    void *sides = NULL, *pairs = NULL, *nodes = NULL;
    *hinges = (mo_hinges){0};
    mote_status status = mo_allocate_array(memory, corners, sizeof(side), &sides, error);
    if (status == MOTE_OK) {
        status = mo_allocate_array(memory, 2 * corners, sizeof(int64_t), &pairs, error);
    }
    if (status == MOTE_OK) {
        for (int64_t c = 0; c < corners; ++c) {
            const int32_t *t = mesh->triangles + c / 3 * 3;
            int32_t a = t[c % 3], b = t[(c + 1) % 3];
            ((side *)sides)[c] = (side){a < b ? a : b, a < b ? b : a, c};
        }
        qsort(sides, (size_t)corners, sizeof(side), compare_sides);
        hinges->count = pair_sides(sides, corners, pairs);
        qsort(pairs, (size_t)hinges->count, 2 * sizeof(int64_t), compare_hinges);
        status = mo_allocate_array(memory, 4 * hinges->count, sizeof(int32_t), &nodes, error);
    }
    hinges->nodes = nodes;
    for (int64_t k = 0; status == MOTE_OK && k < hinges->count; ++k) {
        int64_t c = ((int64_t *)pairs)[2 * k], d = ((int64_t *)pairs)[2 * k + 1];
        const int32_t *t = mesh->triangles + c / 3 * 3, *u = mesh->triangles + d / 3 * 3;
        hinges->nodes[4 * k] = t[c % 3];
        hinges->nodes[4 * k + 1] = t[(c + 1) % 3];
        hinges->nodes[4 * k + 2] = t[(c + 2) % 3];
        hinges->nodes[4 * k + 3] = u[(d + 2) % 3];
    }
    mo_release(memory, sides);
    mo_release(memory, pairs);
    return status;
}

mote_status mo_hinges_add(mo_constraint_set *set, const mo_mesh *mesh, mo_hinges_fn *add,
                          mote_error *error)
{
    mo_hinges hinges;
    if (mesh->triangle_count == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "its mesh has no triangles");
    }
    mote_status status = mo_hinges_find(mesh, set->memory, &hinges, error);
    status = status == MOTE_OK ? add(set, mesh, &hinges, error) : status;
    mo_release(set->memory, hinges.nodes);
    return status;
}
