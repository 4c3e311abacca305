#include "geometry/hierarchy/pairs.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 32, TEST_GRAIN = 256, LANES = MO_BOUND_LANES };

void mo_pair_search_init(mo_pair_search *search, mo_memory *memory)
{
    *search = (mo_pair_search){.memory = memory};
}

void mo_pair_search_release(mo_pair_search *search)
{
    mo_release(search->memory, search->pairs);
    mo_release(search->memory, search->front);
    mo_release(search->memory, search->bits);
    mo_release(search->memory, search->start);
    mo_pair_search_init(search, search->memory);
}

mote_status mo_pair_search_reserve(mo_pair_search *search, int64_t pairs, mote_error *error)
{
    mo_pair_search *s = search;
    MO_TRY(mo_reserve(s->memory, &s->pairs, &s->pair_capacity, pairs, sizeof *s->pairs, error));
    MO_TRY(mo_reserve(s->memory, &s->front, &s->front_capacity, pairs, sizeof *s->front, error));
    MO_TRY(mo_reserve(s->memory, &s->bits, &s->bits_capacity, pairs, sizeof *s->bits, error));
    return mo_reserve(s->memory, &s->start, &s->start_capacity, pairs + 1, sizeof *s->start, error);
}

typedef struct layered {
    mo_pair_search *search;
    const mo_hierarchy *a, *b;
    const mo_placement *placement; /* NULL: none needed */
    int layer_a, layer_b;
    bool descend_a, descend_b; /* the taller tree goes first */
    int64_t front_count;
    mo_index_pair *next;
} layered;

/* ---- overlap tests of a layer ---- */

/* A block of the second tree in the frame of the first. */
static void transform_block(const layered *l, const float *block, float *out)
{
    double volume[MO_BOUND_SCALARS_MAX], moved[MO_BOUND_SCALARS_MAX];
    for (int lane = 0; lane < LANES; ++lane) {
        l->b->bound->load(block, lane, volume);
        l->b->bound->transform(volume, &l->placement->R, l->placement->t, moved);
        l->b->bound->store(moved, out, lane);
        if (isnan(volume[0])) { /* rounding keeps a NaN, comparisons within a slot may not */
            for (int k = 0; k < l->b->bound->scalars; ++k) {
                out[LANES * k + lane] = NAN;
            }
        }
    }
}

/* The pairs of different lanes of one block, each once; equal ones count above the leaves. */
static uint64_t own_pairs(bool leaves)
{
    uint64_t bits = 0;
    for (int i = 0; i < LANES; ++i) {
        for (int k = leaves ? i + 1 : i; k < LANES; ++k) {
            bits |= UINT64_C(1) << (LANES * i + k);
        }
    }
    return bits;
}

static void test_blocks(void *context, int64_t first, int64_t last)
{
    const layered *l = context;
    mo_pair_search *s = l->search;
    bool self = l->a == l->b && !l->placement;
    uint64_t own = own_pairs(l->layer_a == 0);
    float moved[LANES * MO_BOUND_SCALARS_MAX];
    for (int64_t k = first; k < last; ++k) {
        mo_index_pair p = s->front[k];
        const float *a = mo_hierarchy_block(l->a, l->layer_a, p.a);
        const float *b = mo_hierarchy_block(l->b, l->layer_b, p.b);
        if (l->placement) {
            transform_block(l, b, moved);
            b = moved;
        }
        uint64_t bits = l->a->bound->cross(a, b);
        s->bits[k] = self && p.a == p.b ? bits & own : bits;
    }
}

/* Survivors become pairs of blocks of the next layer, or of primitives. */
static void expand(void *context, int64_t first, int64_t last)
{
    const layered *l = context;
    const mo_pair_search *s = l->search;
    for (int64_t k = first; k < last; ++k) {
        mo_index_pair p = s->front[k], *out = l->next + s->start[k];
        for (uint64_t bits = s->bits[k]; bits; bits &= bits - 1) {
            int bit = __builtin_ctzll(bits);
            int32_t i = LANES * p.a + bit / LANES, j = LANES * p.b + bit % LANES;
            bool leaves = l->layer_a == 0 && l->layer_b == 0;
            *out++ = leaves ? (mo_index_pair){l->a->order[i], l->b->order[j]}
                            : (mo_index_pair){l->descend_a ? i : p.a, l->descend_b ? j : p.b};
        }
    }
}

static mote_status reserve(mo_pair_search *s, int64_t front, mote_error *error)
{
    MO_TRY(mo_reserve(s->memory, &s->bits, &s->bits_capacity, front, sizeof *s->bits, error));
    return mo_reserve(s->memory, &s->start, &s->start_capacity, front, sizeof *s->start, error);
}

static int64_t tests_of(const layered *l, int64_t front)
{
    /* lanes in use: of the top there is one */
    int lanes_a = l->layer_a == l->a->layers - 1 ? 1 : LANES;
    int lanes_b = l->layer_b == l->b->layers - 1 ? 1 : LANES;
    return front * lanes_a * lanes_b;
}

/* From the pairs of blocks of a layer to those of the next; at the leaves to pairs of
 * primitives. */
static mote_status step_down(layered *l, mo_pool *pool, mote_error *error)
{
    mo_pair_search *s = l->search;
    int64_t sum = 0;
    bool leaves = l->layer_a == 0 && l->layer_b == 0;
    MO_TRY(reserve(s, l->front_count, error));
    mo_parallel_for(pool, l->front_count, GRAIN, test_blocks, l);
    for (int64_t k = 0; k < l->front_count; ++k) {
        s->start[k] = sum;
        sum += __builtin_popcountll(s->bits[k]);
    }
    s->tests[s->layers] = tests_of(l, l->front_count);
    s->passed[s->layers++] = sum;
    l->descend_a = l->layer_a >= l->layer_b;
    l->descend_b = l->layer_b >= l->layer_a;
    MO_TRY(mo_reserve(s->memory, &s->pairs, &s->pair_capacity, sum, sizeof *s->pairs, error));
    l->next = s->pairs;
    mo_parallel_for(pool, l->front_count, GRAIN, expand, l);
    if (!leaves) { /* the next front */
        mo_index_pair *swap = s->front;
        int64_t capacity = s->front_capacity;
        s->front = s->pairs;
        s->front_capacity = s->pair_capacity;
        s->pairs = swap;
        s->pair_capacity = capacity;
    }
    l->front_count = sum;
    l->layer_a -= l->descend_a;
    l->layer_b -= l->descend_b;
    return MOTE_OK;
}

/* ---- primitives ---- */

typedef struct testing {
    mo_pair_search *search;
    mo_pair_test *test;
    const void *context;
} testing;

static void test_primitives(void *context, int64_t first, int64_t last)
{
    const testing *t = context;
    mo_pair_search *s = t->search;
    for (int64_t k = first; k < last; ++k) {
        s->bits[k] = t->test(t->context, s->pairs[k].a, s->pairs[k].b);
    }
}

mote_status mo_pair_search_keep(mo_pair_search *s, mo_pair_test *test, const void *context,
                                mo_pool *pool, mote_error *error)
{
    int64_t kept = 0;
    testing t = {s, test, context};
    MO_TRY(mo_reserve(s->memory, &s->bits, &s->bits_capacity, s->count, sizeof *s->bits, error));
    mo_parallel_for(pool, s->count, TEST_GRAIN, test_primitives, &t);
    for (int64_t k = 0; k < s->count; ++k) {
        s->pairs[kept] = s->pairs[k];
        kept += (int64_t)s->bits[k];
    }
    s->count = kept;
    return MOTE_OK;
}

/* The transformation of the second tree's floats to those of the first. */
static bool find_placement(const mo_hierarchy *a, const mo_hierarchy *b, const mo_placement *given,
                           mo_placement *out)
{
    *out = given ? *given : (mo_placement){.R = mo_mat3_identity()};
    mo_vec3 origin = mo_add(mo_mat3_apply(out->R, b->origin), out->t);
    out->t = mo_sub(origin, a->origin);
    return given || out->t.x != 0 || out->t.y != 0 || out->t.z != 0;
}

mote_status mo_pair_search_run(mo_pair_search *search, const mo_hierarchy *first,
                               const mo_hierarchy *second, const mo_placement *placement,
                               mo_pair_test *test, const void *context, mo_pool *pool,
                               mote_error *error)
{
    mo_placement moved;
    bool moves = find_placement(first, second, placement, &moved);
    MOTE_ASSERT(first->bound == second->bound);
    search->count = search->candidates = search->layers = 0;
    if (first->count == 0 || second->count == 0) {
        return MOTE_OK;
    }
    layered l = {.search = search,
                 .a = first,
                 .b = second,
                 .placement = moves ? &moved : NULL,
                 .layer_a = first->layers - 1,
                 .layer_b = second->layers - 1,
                 .front_count = 1};
    MO_TRY(mo_reserve(search->memory, &search->front, &search->front_capacity, 1,
                      sizeof *search->front, error));
    search->front[0] = (mo_index_pair){0, 0};
    while (l.layer_a >= 0 && l.layer_b >= 0) {
        MO_TRY(step_down(&l, pool, error));
    }
    search->count = search->candidates = l.front_count;
    return test ? mo_pair_search_keep(search, test, context, pool, error) : MOTE_OK;
}

/* ---- sorting ---- */

/* A stable counting sort by one of the two numbers, as many buckets as there are numbers. */
static void sort_by(const mo_index_pair *from, mo_index_pair *to, int64_t count, bool second,
                    int64_t *start, int64_t numbers)
{
    int64_t sum = 0;
    memset(start, 0, (size_t)numbers * sizeof *start);
    for (int64_t k = 0; k < count; ++k) {
        start[second ? from[k].b : from[k].a]++;
    }
    for (int64_t n = 0; n < numbers; ++n) {
        int64_t own = start[n];
        start[n] = sum;
        sum += own;
    }
    for (int64_t k = 0; k < count; ++k) {
        to[start[second ? from[k].b : from[k].a]++] = from[k];
    }
}

mote_status mo_pair_search_sort(mo_pair_search *search, bool swap, mote_error *error)
{
    int32_t most = 0;
    for (int64_t k = 0; k < search->count; ++k) {
        mo_index_pair p = search->pairs[k];
        bool turn = swap && p.b < p.a;
        search->pairs[k] = turn ? (mo_index_pair){p.b, p.a} : p;
        most = p.a > most ? p.a : most;
        most = p.b > most ? p.b : most;
    }
    MO_TRY(mo_reserve(search->memory, &search->start, &search->start_capacity, most + 1,
                      sizeof *search->start, error));
    MO_TRY(mo_reserve(search->memory, &search->front, &search->front_capacity, search->count,
                      sizeof *search->front, error));
    sort_by(search->pairs, search->front, search->count, true, search->start, most + 1);
    sort_by(search->front, search->pairs, search->count, false, search->start, most + 1);
    return MOTE_OK;
}
