/* Greedy colours of a graph of contacts or joints. */
#include "rigid/colors.h"

#include <string.h>

mote_status mo_rigid_colors_begin(mo_rigid_colors *colors, int64_t bodies, int64_t items,
                                  mote_error *error)
{
    mote_status status = mo_reserve(colors->memory, &colors->used, &colors->body_capacity, bodies,
                                    sizeof *colors->used, error);
    if (!status) {
        status = mo_reserve(colors->memory, &colors->color, &colors->item_capacity, items,
                            sizeof *colors->color, error);
    }
    if (!status) {
        memset(colors->used, 0, (size_t)bodies * sizeof *colors->used);
        colors->colors = 0;
    }
    return status;
}

void mo_rigid_colors_release(mo_rigid_colors *colors)
{
    mo_release(colors->memory, colors->used);
    mo_release(colors->memory, colors->color);
}

void mo_rigid_colors_add(mo_rigid_colors *colors, int64_t k, int32_t first, int32_t second)
{
    uint64_t used =
        (first >= 0 ? colors->used[first] : 0) | (second >= 0 ? colors->used[second] : 0);
    uint64_t available = ~used & ~(UINT64_C(1) << MO_COLOR_OVERFLOW);
    int color = available ? __builtin_ctzll(available) : MO_COLOR_OVERFLOW;
    colors->color[k] = (uint8_t)color;
    if (color == MO_COLOR_OVERFLOW) {
        return;
    }
    if (first >= 0) {
        colors->used[first] |= UINT64_C(1) << color;
    }
    if (second >= 0) {
        colors->used[second] |= UINT64_C(1) << color;
    }
    colors->colors = color >= colors->colors ? color + 1 : colors->colors;
}

mote_status mo_rigid_order_find(mo_rigid_order *order, const mo_rigid_colors *colors, int64_t items,
                                const uint8_t *use, int lanes, mote_error *error)
{
    mote_status status = mo_reserve(colors->memory, &order->item, &order->capacity, items,
                                    sizeof *order->item, error);
    if (status) {
        return status;
    }
    int64_t number[MO_COLORS] = {0}, next[MO_COLORS], at = 0, block = 0;
    for (int64_t k = 0; k < items; ++k) {
        number[colors->color[k]] += use[k] != 0;
    }
    for (int c = 0; c < MO_COLORS; ++c) {
        int to_block = c == MO_COLOR_OVERFLOW ? 1 : lanes;
        next[c] = order->first[c] = at;
        order->start[c] = block;
        at += number[c];
        block += (number[c] + to_block - 1) / to_block;
    }
    order->first[MO_COLORS] = at;
    order->start[MO_COLORS] = block;
    for (int64_t k = 0; k < items; ++k) {
        if (use[k]) {
            order->item[next[colors->color[k]]++] = (int32_t)k;
        }
    }
    return MOTE_OK;
}

int32_t mo_rigid_order_item(const mo_rigid_order *order, int color, int64_t block, int lane,
                            int lanes)
{
    int to_block = color == MO_COLOR_OVERFLOW ? 1 : lanes;
    int64_t at = order->first[color] + (block - order->start[color]) * to_block + lane;
    return lane < to_block && at < order->first[color + 1] ? order->item[at] : -1;
}

void mo_rigid_order_run(const mo_rigid_order *order, mo_pool *pool, mo_range_fn *function,
                        void *context, int64_t *offset)
{
    enum { GRAIN = 32 };
    for (int color = 0; color < MO_COLORS; ++color) {
        int64_t count = order->start[color + 1] - order->start[color];
        if (count > 0) {
            *offset = order->start[color];
            mo_parallel_for(pool, count, color == MO_COLOR_OVERFLOW ? count : GRAIN, function,
                            context);
        }
    }
}
