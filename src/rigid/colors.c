/* Greedy colours of a graph of contacts or joints. */
#include "rigid/colors.h"

#include <string.h>

mote_status mo_rigid_colors_begin(mo_rigid_colors *colors, int64_t bodies, int64_t items,
                                  mote_error *error)
{
    mote_status status = mo_make_room(colors->memory, &colors->used, &colors->body_capacity, bodies,
                                      sizeof *colors->used, error);
    if (!status) {
        status = mo_make_room(colors->memory, &colors->color, &colors->item_capacity, items,
                              sizeof *colors->color, error);
    }
    if (!status) {
        memset(colors->used, 0, (size_t)bodies * sizeof *colors->used);
        memset(colors->start, 0, sizeof colors->start);
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
