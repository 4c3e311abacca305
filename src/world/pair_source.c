#include "world/pair_source.h"
#include <string.h>

void mo_pair_source_init(mo_pair_source *s, mo_memory *memory, const mo_domain *domain)
{
    *s = (mo_pair_source){.memory = memory, .domain = *domain};
    mo_neighbor_lists_init(&s->lists, memory);
}

void mo_pair_source_release(mo_pair_source *s)
{
    mo_neighbor_lists_release(&s->lists);
    mo_release(s->memory, s->place);
    mo_release(s->memory, s->owner);
    mo_release(s->memory, s->count);
    mo_release(s->memory, s->index);
    mo_release(s->memory, s->start);
}

static mote_status room(mo_pair_source *s, void *array, int64_t *capacity, int64_t need, size_t size,
                        mote_error *error)
{
    void *block;
    memcpy(&block, array, sizeof block);
    mote_status status = mo_grow(s->memory, &block, capacity, need, size, error);
    memcpy(array, &block, sizeof block);
    return status;
}

mote_status mo_pair_source_update(mo_pair_source *s, mo_pool *pool, int64_t rows, const double *x,
                                  mote_error *error)
{
    MO_TRY(mo_neighbor_lists_build(&s->lists, pool, rows, x, s->range, error));
    int64_t total = 0;
    for (int64_t i = 0; i < rows; ++i) {
        total += (s->lists.start[i + 1] - s->lists.start[i] + 7) / 8 * 8;
    }
    MO_TRY(room(s, &s->place, &s->place_capacity, 4 * rows, sizeof(double), error));
    MO_TRY(room(s, &s->owner, &s->owner_capacity, rows, sizeof(int32_t), error));
    MO_TRY(room(s, &s->count, &s->count_capacity, rows, sizeof(int32_t), error));
    MO_TRY(room(s, &s->start, &s->start_capacity, rows + 1, sizeof(int64_t), error));
    MO_TRY(room(s, &s->index, &s->index_capacity, total, sizeof(int32_t), error));
    total = 0;
    for (int64_t i = 0; i < rows; ++i) {
        int64_t n = s->lists.start[i + 1] - s->lists.start[i];
        s->start[i] = total;
        s->count[i] = (int32_t)n;
        s->owner[i] = (int32_t)i;
        memcpy(s->place + 4 * i, x + 3 * i, 3 * sizeof(double));
        memcpy(s->index + total, s->lists.index + s->lists.start[i], (size_t)n * sizeof(int32_t));
        for (total += n; total % 8; ++total) {
            s->index[total] = (int32_t)i;
        }
    }
    s->pairs = (mo_pairs){rows, rows, s->place, s->owner, s->start, s->count, s->index};
    return MOTE_OK;
}

void mo_pair_source_forget(mo_pair_source *s)
{
    (void)s;
}
