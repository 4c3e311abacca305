#include "geometry/subdivide/subdivide.h"

#include <math.h>
#include <string.h>

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_subdivision_type, mo_subdivision_, name)
#include "geometry/subdivide/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_subdivision_, name)
#include "geometry/subdivide/methods.def"
#undef MO_METHOD
};

const mo_family mo_subdivisions = {
    .name = "primitive_search",
    .doc = "Searches for intersecting primitives: space subdivision, or a hierarchy. All of them "
           "find the same pairs.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
};

enum { BLOCK = 256 }; /* queries */

static const mo_subdivision_type *type_of(const mo_subdivision *s)
{
    return (const mo_subdivision_type *)s->method.type;
}

mote_status mo_subdivision_init(mo_subdivision *s, mo_method method, mo_memory *memory,
                                mote_error *error)
{
    *s = (mo_subdivision){.memory = memory, .method = method};
    s->instance = mo_allocate(memory, type_of(s)->size);
    return s->instance ? MOTE_OK : mo_fail_memory(error, type_of(s)->size);
}

void mo_subdivision_release(mo_subdivision *s)
{
    if (s->instance) {
        type_of(s)->release(s->instance, s->memory);
    }
    mo_release(s->memory, s->instance);
    mo_release(s->memory, s->box);
    mo_release(s->memory, s->query_box);
    mo_release(s->memory, s->found);
    *s = (mo_subdivision){.memory = s->memory, .method = s->method};
}

/* ---- boxes ---- */

typedef struct boxing {
    const mo_simplices *set;
    mo_box *box;
} boxing;

static void find_boxes(void *context, int64_t first, int64_t last)
{
    const boxing *b = context;
    for (int64_t k = first; k < last; ++k) {
        b->box[k] = mo_simplex_box(b->set, k);
        for (int axis = 0; axis < 3; ++axis) {
            b->box[k].low[axis] -= b->set->margin;
            b->box[k].high[axis] += b->set->margin;
        }
    }
}

static void measure(mo_subdivided *over)
{
    double sum = 0;
    over->all = mo_box_empty();
    for (int64_t k = 0; k < over->set.count; ++k) {
        mo_box_grow(&over->all, over->box[k].low);
        mo_box_grow(&over->all, over->box[k].high);
        for (int axis = 0; axis < 3; ++axis) {
            sum += over->box[k].high[axis] - over->box[k].low[axis];
        }
    }
    over->size = over->set.count > 0 ? sum / (3 * (double)over->set.count) : 0;
}

mote_status mo_subdivision_build(mo_subdivision *s, const mo_simplices *set, mo_pool *pool,
                                 mote_error *error)
{
    MO_TRY(mo_reserve(s->memory, &s->box, &s->box_capacity, set->count, sizeof *s->box, error));
    boxing b = {set, s->box};
    mo_parallel_for(pool, set->count, BLOCK, find_boxes, &b);
    s->over = (mo_subdivided){.set = *set, .box = s->box};
    measure(&s->over);
    return type_of(s)->build(s->instance, s->method.params, &s->over, s->memory, pool, error);
}

/* ---- queries ---- */

typedef struct searching {
    const mo_subdivision *s;
    const mo_box *box;
    bool own;
    int64_t capacity; /* of a block */
    int64_t *found;
    mo_index_pair *out;
} searching;

typedef struct asking {
    int32_t query, first; /* primitives from `first` on */
    int64_t count, capacity;
    mo_index_pair *out;
} asking;

static void add_candidate(void *context, int32_t primitive)
{
    asking *a = context;
    if (primitive >= a->first) {
        if (a->count < a->capacity) {
            a->out[a->count] = (mo_index_pair){a->query, primitive};
        }
        ++a->count;
    }
}

/* A block writes into a part of its own; it counts on where that is too small. */
static void ask(void *context, int64_t first, int64_t last)
{
    const searching *s = context;
    int64_t block = first / BLOCK;
    asking a = {.capacity = s->capacity, .out = s->out + block * s->capacity};
    for (int64_t q = first; q < last; ++q) {
        a.query = (int32_t)q;
        a.first = s->own ? (int32_t)q + 1 : 0;
        type_of(s->s)->near(s->s->instance, &s->box[q], add_candidate, &a);
    }
    s->found[block] = a.count;
}

/* The parts of all blocks, one behind the other. */
static void close_up(mo_pair_search *search, const searching *q, int64_t blocks)
{
    search->count = 0;
    for (int64_t b = 0; b < blocks; ++b) {
        memmove(search->pairs + search->count, search->pairs + b * q->capacity,
                (size_t)q->found[b] * sizeof *search->pairs);
        search->count += q->found[b];
    }
}

static mote_status ask_all(mo_subdivision *s, int64_t queries, bool own, mo_pair_search *search,
                           mo_pool *pool, mote_error *error)
{
    enum { GUESS = 4 * BLOCK };
    int64_t blocks = (queries + BLOCK - 1) / BLOCK, need = s->block_capacity;
    MO_TRY(mo_reserve(s->memory, &s->found, &s->found_capacity, blocks, sizeof *s->found, error));
    need = need > 0 ? need : GUESS;
    for (bool whole = false; !whole;) {
        searching q = {.s = s,
                       .box = own ? s->box : s->query_box,
                       .own = own,
                       .capacity = need,
                       .found = s->found};
        s->block_capacity = need;
        MO_TRY(mo_reserve(search->memory, &search->pairs, &search->pair_capacity, blocks * need,
                          sizeof *search->pairs, error));
        q.out = search->pairs;
        mo_parallel_for(pool, queries, BLOCK, ask, &q);
        for (int64_t b = 0; b < blocks; ++b) {
            need = s->found[b] > need ? s->found[b] + s->found[b] / 4 : need;
        }
        whole = need == s->block_capacity;
        if (whole) {
            close_up(search, &q, blocks);
        }
    }
    return MOTE_OK;
}

mote_status mo_subdivision_find(mo_subdivision *s, const mo_simplices *queries, mo_pair_test *test,
                                const void *context, mo_pair_search *search, mo_pool *pool,
                                mote_error *error)
{
    bool own = !queries;
    const mo_simplices *set = own ? &s->over.set : queries;
    search->count = 0;
    if (set->count > 0 && s->over.set.count > 0) {
        if (type_of(s)->pairs) {
            MO_TRY(type_of(s)->pairs(s->instance, set, own, search, pool, error));
        } else {
            if (!own) {
                MO_TRY(mo_reserve(s->memory, &s->query_box, &s->query_capacity, set->count,
                                  sizeof *s->query_box, error));
                boxing b = {set, s->query_box};
                mo_parallel_for(pool, set->count, BLOCK, find_boxes, &b);
            }
            MO_TRY(ask_all(s, set->count, own, search, pool, error));
        }
    }
    search->candidates = search->count;
    return test ? mo_pair_search_keep(search, test, context, pool, error) : MOTE_OK;
}
