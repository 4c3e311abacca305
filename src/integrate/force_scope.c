#include "integrate/force_scope.h"

#include <string.h>

/* A force with the type of another one, whose hooks it calls for its rows. */
typedef struct limited {
    mo_memory *memory;
    mo_force_type type;
    mo_force_jacobian jacobian;
    mo_force inner;
    const mo_column *body;
    int64_t count;
    uint8_t included[];
} limited;

/* The next range of consecutive rows of its bodies from *first on, up to `last`. */
static bool next_range(const limited *l, int64_t *first, int64_t *end, int64_t last)
{
    const int32_t *body = l->body->data;
    int64_t row = *end;
    while (row < last && !(body[row] < l->count && l->included[body[row]])) {
        ++row;
    }
    *first = row;
    while (row < last && body[row] < l->count && l->included[body[row]]) {
        ++row;
    }
    *end = row;
    return *first < last;
}

static void limited_destroy(void *instance, mo_memory *memory)
{
    limited *l = instance;
    mo_force_destroy(&l->inner, memory);
    mo_release(memory, l);
}

static mote_status limited_begin(void *instance, const mo_force_args *args, int64_t first,
                                 mo_pool *pool, mote_error *error)
{
    const limited *l = instance;
    return l->inner.type->begin(l->inner.instance, args, first, pool, error);
}

static mote_status limited_prepare(void *instance, const mo_force_args *args, mo_pool *pool,
                                   mote_error *error)
{
    const limited *l = instance;
    return l->inner.type->prepare(l->inner.instance, args, pool, error);
}

static void limited_add(const void *instance, const mo_force_args *args, int64_t first,
                        int64_t last)
{
    const limited *l = instance;
    for (int64_t end = first; next_range(l, &first, &end, last);) {
        l->inner.type->add(l->inner.instance, args, first, end);
    }
}

static double limited_energy(const void *instance, const mo_force_args *args, int64_t first,
                             int64_t last)
{
    const limited *l = instance;
    double sum = 0;
    for (int64_t end = first; next_range(l, &first, &end, last);) {
        sum += l->inner.type->energy(l->inner.instance, args, first, end);
    }
    return sum;
}

static void limited_stiffness(const void *instance, const mo_force_args *args, int64_t first,
                              int64_t last, double *bound)
{
    const limited *l = instance;
    for (int64_t end = first; next_range(l, &first, &end, last);) {
        l->inner.type->stiffness(l->inner.instance, args, first, end, bound);
    }
}

static void limited_damping(const void *instance, const mo_force_args *args, int64_t first,
                            int64_t last, double *bound)
{
    const limited *l = instance;
    for (int64_t end = first; next_range(l, &first, &end, last);) {
        l->inner.type->damping(l->inner.instance, args, first, end, bound);
    }
}

static mote_status limited_remap(void *instance, const int64_t *map, int64_t rows,
                                 mote_error *error)
{
    const limited *l = instance;
    return l->inner.type->remap(l->inner.instance, map, rows, error);
}

static void limited_settle(void *instance, const int64_t *map)
{
    const limited *l = instance;
    l->inner.type->settle(l->inner.instance, map);
}

static void limited_fill(const void *instance, const mo_force_args *args,
                         const mo_jacobian_ask *ask, mo_block_matrix *matrix, int64_t first,
                         int64_t last)
{
    const limited *l = instance;
    for (int64_t end = first; next_range(l, &first, &end, last);) {
        l->inner.type->jacobian->fill(l->inner.instance, args, ask, matrix, first, end);
    }
}

static void limited_multiply(const void *instance, const mo_force_args *args,
                             const mo_jacobian_ask *ask, const double *p, double *y, int64_t first,
                             int64_t last)
{
    const limited *l = instance;
    for (int64_t end = first; next_range(l, &first, &end, last);) {
        l->inner.type->jacobian->multiply(l->inner.instance, args, ask, p, y, first, end);
    }
}

/* The hooks that the other force has; a force with MO_FORCE_SCOPED has no further ones. */
static mo_force_type type_like(const mo_force_type *inner)
{
    return (mo_force_type){.base = inner->base,
                           .elastic = inner->elastic,
                           .destroy = limited_destroy,
                           .begin = inner->begin ? limited_begin : NULL,
                           .prepare = inner->prepare ? limited_prepare : NULL,
                           .add = limited_add,
                           .energy = inner->energy ? limited_energy : NULL,
                           .stiffness = inner->stiffness ? limited_stiffness : NULL,
                           .damping = inner->damping ? limited_damping : NULL,
                           .remap = inner->remap ? limited_remap : NULL,
                           .settle = inner->settle ? limited_settle : NULL};
}

mote_status mo_force_limit(mo_force *force, mo_memory *memory, const mo_column *body,
                           const uint8_t *included, int64_t count, mote_error *error)
{
    limited *l = mo_allocate(memory, sizeof *l + (size_t)count);
    if (!l) {
        return mo_fail_memory(error, sizeof *l + (size_t)count);
    }
    l->memory = memory;
    l->inner = *force;
    l->body = body;
    l->count = count;
    memcpy(l->included, included, (size_t)count);
    l->type = type_like(force->type);
    if (force->type->jacobian) { /* of single rows: there is nothing to couple */
        l->jacobian = (mo_force_jacobian){.derivatives = force->type->jacobian->derivatives,
                                          .fill = limited_fill,
                                          .multiply = limited_multiply};
        l->type.jacobian = &l->jacobian;
    }
    force->type = &l->type;
    force->instance = l;
    return MOTE_OK;
}
