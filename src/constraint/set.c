#include "constraint/set.h"

#include <math.h>
#include <string.h>

void mo_constraint_set_init(mo_constraint_set *set, const mo_constraint_type *type,
                            const void *params, bool extended, int64_t first, mo_memory *memory)
{
    const mo_constraint_common *common = params;
    *set = (mo_constraint_set){.type = type,
                               .params = params,
                               .memory = memory,
                               .extended = extended,
                               .first = first,
                               .damping = isnan(common->damping) ? 0 : common->damping};
    for (int f = 0; f < MO_CONSTRAINT_FUNCTIONS_MAX; ++f) {
        set->stiffness[f] = isnan(common->stiffness) ? 1 : common->stiffness;
    }
}

void mo_constraint_set_release(mo_constraint_set *set)
{
    mo_memory *memory = set->memory;
    if (memory) {
        if (set->type->group && set->data) {
            set->type->group->release(set);
        }
        mo_release(memory, set->rows);
        mo_release(memory, set->numbers);
        mo_release(memory, set->compliance);
        mo_release(memory, set->scale);
        mo_release(memory, set->index);
        mo_release(memory, set->lanes);
        mo_release(memory, set->lambda);
        mo_release(memory, set->share);
        mo_release(memory, set->color);
        mo_release(memory, set->data);
    }
    *set = (mo_constraint_set){0};
}

double mo_constraint_compliance(const mo_constraint_set *set)
{
    double compliance = mo_constraint_common_of(set)->compliance;
    return isnan(compliance) ? 0 : compliance;
}

mote_status mo_constraint_set_add(mo_constraint_set *set, const int32_t *nodes,
                                  const double *numbers, const double *compliance, double scale,
                                  mote_error *error)
{
    const mo_constraint_type *t = set->type;
    int64_t k = set->count;
    MO_TRY(mo_reserve(set->memory, &set->rows, &set->row_capacity, t->nodes * (k + 1),
                      sizeof(int32_t), error));
    MO_TRY(mo_reserve(set->memory, &set->numbers, &set->number_capacity, t->numbers * (k + 1) + 1,
                      sizeof(double), error));
    MO_TRY(mo_reserve(set->memory, &set->compliance, &set->compliance_capacity,
                      t->functions * (k + 1), sizeof(double), error));
    MO_TRY(
        mo_reserve(set->memory, &set->scale, &set->scale_capacity, k + 1, sizeof(double), error));
    MO_TRY(
        mo_reserve(set->memory, &set->index, &set->index_capacity, k + 1, sizeof(int64_t), error));
    for (int n = 0; n < t->nodes; ++n) {
        set->rows[t->nodes * k + n] = (int32_t)(set->first + nodes[n]);
    }
    for (int n = 0; n < t->numbers; ++n) {
        set->numbers[t->numbers * k + n] = numbers[n];
    }
    for (int n = 0; n < t->functions; ++n) {
        set->compliance[t->functions * k + n] = set->extended ? compliance[n] : 0;
    }
    set->scale[k] = scale;
    set->index[k] = k;
    set->indices = ++set->count;
    return MOTE_OK;
}

/* ---- colours ---- */

/* A row of many constraints exhausts the colours of the mask: the rest have one colour each. */
enum { WORDS = 4, MASKED = 64 * WORDS };

static int lowest_free(const uint64_t used[WORDS])
{
    for (int w = 0; w < WORDS; ++w) {
        if (~used[w]) {
            return 64 * w + __builtin_ctzll(~used[w]);
        }
    }
    return -1;
}

/* Greedy colouring in the order of the mesh. Returns the number of colours. */
static int64_t find_colors(const mo_constraint_set *set, uint64_t *masks, int64_t *color)
{
    int nodes = set->type->nodes;
    int64_t masked = 0, single = 0;
    for (int64_t k = 0; k < set->count; ++k) {
        const int32_t *row = set->rows + nodes * k;
        uint64_t used[WORDS] = {0};
        for (int n = 0; n < nodes; ++n) {
            for (int w = 0; w < WORDS; ++w) {
                used[w] |= masks[WORDS * (int64_t)row[n] + w];
            }
        }
        int free = lowest_free(used);
        color[k] = free >= 0 ? free : MASKED + single++;
        for (int n = 0; free >= 0 && n < nodes; ++n) {
            masks[WORDS * (int64_t)row[n] + free / 64] |= (uint64_t)1 << free % 64;
        }
        masked = free >= masked ? free + 1 : masked;
    }
    for (int64_t k = 0; k < set->count; ++k) {
        color[k] -= color[k] >= MASKED ? MASKED - masked : 0;
    }
    return masked + single;
}

/* ---- batches ---- */

typedef struct packed {
    int32_t *rows;
    double *numbers, *compliance, *scale, *lambda, *share;
    uint8_t *lanes;
    int64_t *color, *index;
} packed;

static void release_packed(mo_memory *memory, packed *p)
{
    mo_release(memory, p->rows);
    mo_release(memory, p->numbers);
    mo_release(memory, p->compliance);
    mo_release(memory, p->scale);
    mo_release(memory, p->lambda);
    mo_release(memory, p->share);
    mo_release(memory, p->lanes);
    mo_release(memory, p->color);
    mo_release(memory, p->index);
}

static mote_status allocate_packed(const mo_constraint_set *set, int64_t batches, int64_t colors,
                                   packed *p, mote_error *error)
{
    const mo_constraint_type *t = set->type;
    struct {
        void *to;
        int64_t count;
        size_t size;
    } list[] = {
        {&p->rows, batches * t->nodes * MO_LANES, sizeof(int32_t)},
        {&p->numbers, batches * t->numbers * MO_LANES + 1, sizeof(double)},
        {&p->compliance, batches * t->functions * MO_LANES, sizeof(double)},
        {&p->scale, batches * MO_LANES, sizeof(double)},
        {&p->lambda, batches * t->functions * MO_LANES, sizeof(double)},
        {&p->share, batches * MO_LANES, sizeof(double)},
        {&p->lanes, batches, 1},
        {&p->color, colors + 1, sizeof(int64_t)},
        {&p->index, batches * MO_LANES, sizeof(int64_t)},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; ++k) {
        void *block;
        MO_TRY(mo_allocate_array(set->memory, list[k].count, list[k].size, &block, error));
        memcpy(list[k].to, &block, sizeof block);
    }
    return MOTE_OK;
}

/* Constraint k becomes a lane of a batch. */
static void pack_lane(const mo_constraint_set *set, int64_t k, const packed *p, int64_t batch,
                      int lane)
{
    const mo_constraint_type *t = set->type;
    for (int n = 0; n < t->nodes; ++n) {
        p->rows[(batch * t->nodes + n) * MO_LANES + lane] = set->rows[t->nodes * k + n];
    }
    for (int n = 0; n < t->numbers; ++n) {
        p->numbers[(batch * t->numbers + n) * MO_LANES + lane] = set->numbers[t->numbers * k + n];
    }
    for (int n = 0; n < t->functions; ++n) {
        p->compliance[(batch * t->functions + n) * MO_LANES + lane] =
            set->compliance[t->functions * k + n];
    }
    p->scale[batch * MO_LANES + lane] = set->scale[k];
    p->index[batch * MO_LANES + lane] = set->index[k];
}

/* `next` has the number of constraints of each colour, and then the next free slot of each. */
static mote_status pack(mo_constraint_set *set, const int64_t *color, int64_t colors, int64_t *next,
                        mote_error *error)
{
    packed p = {0};
    int64_t batches = 0;
    for (int64_t c = 0; c < colors; ++c) {
        batches += (next[c] + MO_LANES - 1) / MO_LANES;
    }
    mote_status status = allocate_packed(set, batches, colors, &p, error);
    if (status != MOTE_OK) {
        release_packed(set->memory, &p);
        return status;
    }
    int64_t batch = 0;
    for (int64_t c = 0; c < colors; ++c) {
        p.color[c] = batch;
        batch += (next[c] + MO_LANES - 1) / MO_LANES;
        next[c] = MO_LANES * p.color[c];
    }
    p.color[colors] = batch;
    for (int64_t k = 0; k < set->count; ++k) {
        int64_t at = next[color[k]]++;
        int lane = (int)(at % MO_LANES);
        pack_lane(set, k, &p, at / MO_LANES, lane);
        p.lanes[at / MO_LANES] = (uint8_t)(lane + 1);
        for (int l = lane + 1; l < MO_LANES; ++l) { /* unused so far */
            pack_lane(set, k, &p, at / MO_LANES, l);
        }
    }
    packed old = {.rows = set->rows,
                  .numbers = set->numbers,
                  .compliance = set->compliance,
                  .scale = set->scale,
                  .index = set->index};
    release_packed(set->memory, &old);
    set->rows = p.rows;
    set->numbers = p.numbers;
    set->compliance = p.compliance;
    set->scale = p.scale;
    set->index = p.index;
    set->lambda = p.lambda;
    set->share = p.share;
    set->lanes = p.lanes;
    set->color = p.color;
    set->colors = colors;
    set->batches = batches;
    return MOTE_OK;
}

mote_status mo_constraint_set_finish(mo_constraint_set *set, int64_t rows, mote_error *error)
{
    mo_memory *memory = set->memory;
    void *masks = NULL, *color = NULL, *next = NULL;
    mote_status status = mo_allocate_array(memory, rows * WORDS, sizeof(uint64_t), &masks, error);
    if (status == MOTE_OK) {
        status = mo_allocate_array(memory, set->count, sizeof(int64_t), &color, error);
    }
    if (status == MOTE_OK) {
        int64_t colors = find_colors(set, masks, color);
        status = mo_allocate_array(memory, colors, sizeof(int64_t), &next, error);
        for (int64_t k = 0; status == MOTE_OK && k < set->count; ++k) {
            ++((int64_t *)next)[((int64_t *)color)[k]];
        }
        status = status == MOTE_OK ? pack(set, color, colors, next, error) : status;
    }
    mo_release(memory, masks);
    mo_release(memory, color);
    mo_release(memory, next);
    return status;
}

/* ---- Jacobi iterations ---- */

/* Adds the number of constraints at each row. */
static void count_at_rows(const mo_constraint_set *set, int32_t *number)
{
    for (int64_t b = 0; b < set->batches; ++b) {
        for (int n = 0; n < set->type->nodes; ++n) {
            for (int lane = 0; lane < set->lanes[b]; ++lane) {
                ++number[mo_constraint_rows(set, b)[n * MO_LANES + lane]];
            }
        }
    }
}

mote_status mo_constraint_sets_share(mo_constraint_set *sets, int64_t count, int64_t rows,
                                     mote_error *error)
{
    void *block;
    if (count == 0) {
        return MOTE_OK;
    }
    mo_memory *memory = sets[0].memory;
    MO_TRY(mo_allocate_array(memory, rows, sizeof(int32_t), &block, error));
    const int32_t *number = block;
    for (int64_t k = 0; k < count; ++k) {
        count_at_rows(&sets[k], block);
    }
    for (int64_t k = 0; k < count; ++k) {
        mo_constraint_set *set = &sets[k];
        for (int64_t slot = 0; slot < MO_LANES * set->batches; ++slot) {
            int32_t most = 1;
            for (int n = 0; n < set->type->nodes; ++n) {
                int32_t row =
                    mo_constraint_rows(set, slot / MO_LANES)[n * MO_LANES + slot % MO_LANES];
                most = number[row] > most ? number[row] : most;
            }
            set->share[slot] = 1.0 / most;
        }
    }
    mo_release(memory, block);
    return MOTE_OK;
}

/* ---- removed rows ---- */

/* Adds the constraint of a lane, unless one of its rows is removed. */
static mote_status add_remaining(const mo_constraint_set *set, int64_t slot, const int64_t *map,
                                 mo_constraint_set *to, mote_error *error)
{
    const mo_constraint_type *t = set->type;
    int64_t b = slot / MO_LANES, lane = slot % MO_LANES;
    int32_t node[MO_CONSTRAINT_NODES_MAX];
    double number[MO_CONSTRAINT_NUMBERS_MAX], compliance[MO_CONSTRAINT_FUNCTIONS_MAX];
    bool whole = true;
    for (int n = 0; n < t->nodes; ++n) {
        int64_t row = map[mo_constraint_rows(set, b)[n * MO_LANES + lane]];
        whole = whole && row >= 0;
        node[n] = (int32_t)row;
    }
    for (int n = 0; n < t->numbers; ++n) {
        number[n] = mo_constraint_numbers(set, b)[n * MO_LANES + lane];
    }
    for (int n = 0; n < t->functions; ++n) {
        compliance[n] = set->compliance[(b * t->functions + n) * MO_LANES + lane];
    }
    if (!whole) {
        return MOTE_OK;
    }
    MO_TRY(mo_constraint_set_add(to, node, number, compliance, set->scale[slot], error));
    to->index[to->count - 1] = set->index[slot];
    return MOTE_OK;
}

/* The lane of each constraint of the mesh, or -1. */
static void find_slots(const mo_constraint_set *set, int64_t *slot)
{
    for (int64_t k = 0; k < set->indices; ++k) {
        slot[k] = -1;
    }
    for (int64_t b = 0; b < set->batches; ++b) {
        for (int lane = 0; lane < set->lanes[b]; ++lane) {
            slot[set->index[b * MO_LANES + lane]] = b * MO_LANES + lane;
        }
    }
}

mote_status mo_constraint_set_remap(const mo_constraint_set *set, const int64_t *map, int64_t rows,
                                    mo_constraint_set *to, mote_error *error)
{
    void *slots;
    mo_constraint_set_init(to, set->type, set->params, set->extended, 0, set->memory);
    to->unilateral = set->unilateral;
    memcpy(to->stiffness, set->stiffness, sizeof to->stiffness);
    if (set->type->group) {
        mote_status status = set->type->group->remap(set, map, rows, to, error);
        status = status == MOTE_OK ? mo_constraint_set_finish(to, rows, error) : status;
        if (status != MOTE_OK) {
            mo_constraint_set_release(to);
        }
        return status;
    }
    if (set->data) {
        to->data = mo_allocate(set->memory, set->type->data_size);
        if (!to->data) {
            return mo_fail_memory(error, set->type->data_size);
        }
        memcpy(to->data, set->data, set->type->data_size);
    }
    mote_status status =
        mo_allocate_array(set->memory, set->indices, sizeof(int64_t), &slots, error);
    if (status != MOTE_OK) {
        mo_constraint_set_release(to);
        return status;
    }
    const int64_t *slot = slots;
    find_slots(set, slots);
    for (int64_t k = 0; k < set->indices && status == MOTE_OK; ++k) {
        status = slot[k] >= 0 ? add_remaining(set, slot[k], map, to, error) : MOTE_OK;
    }
    mo_release(set->memory, slots);
    to->indices = set->indices;
    status = status == MOTE_OK ? mo_constraint_set_finish(to, rows, error) : status;
    if (status != MOTE_OK) {
        mo_constraint_set_release(to);
    }
    return status;
}
