#include "geometry/subdivide/cells.h"

#include <math.h>
#include <string.h>

void mo_box_cells_release(mo_box_cells *c, mo_memory *memory)
{
    mo_release(memory, c->start);
    mo_release(memory, c->entry);
    mo_release(memory, c->large);
    *c = (mo_box_cells){0};
}

typedef struct span {
    int64_t low[3], high[3];
} span;

static int64_t cell_of(double x)
{
    return (int64_t)floor(x > 1e15 ? 1e15 : x > -1e15 ? x : -1e15);
}

static span span_of(const mo_box_cells *c, const mo_box *box)
{
    span s;
    for (int k = 0; k < 3; ++k) {
        double origin = mo_vec3_at(c->origin, k);
        s.low[k] = cell_of((box->low[k] - origin) * c->inverse);
        s.high[k] = cell_of((box->high[k] - origin) * c->inverse);
    }
    return s;
}

static bool is_large(const span *s)
{
    double cells = 1;
    for (int k = 0; k < 3; ++k) {
        cells *= (double)(s->high[k] - s->low[k] + 1);
    }
    return cells > MO_BOX_CELLS_MAX;
}

/* Counts, or enters from the back, so that a slot has its primitives in order. */
static void enter(mo_box_cells *c, int32_t primitive, bool write)
{
    span s = span_of(c, &c->over->box[primitive]);
    int64_t cell[3];
    if (is_large(&s)) {
        c->large_count += !write;
        return;
    }
    for (cell[0] = s.low[0]; cell[0] <= s.high[0]; ++cell[0]) {
        for (cell[1] = s.low[1]; cell[1] <= s.high[1]; ++cell[1]) {
            for (cell[2] = s.low[2]; cell[2] <= s.high[2]; ++cell[2]) {
                int64_t slot = c->slot(c, cell);
                if (write) {
                    c->entry[--c->start[slot]] = primitive;
                } else {
                    c->start[slot]++;
                }
            }
        }
    }
}

static void list_large(mo_box_cells *c)
{
    c->large_count = 0;
    for (int32_t k = 0; k < c->over->set.count; ++k) {
        span s = span_of(c, &c->over->box[k]);
        if (is_large(&s)) {
            c->large[c->large_count++] = k;
        }
    }
}

mote_status mo_box_cells_fill(mo_box_cells *c, const mo_subdivided *over, mo_memory *memory,
                              mote_error *error)
{
    c->over = over;
    c->large_count = 0;
    MO_TRY(
        mo_reserve(memory, &c->start, &c->start_capacity, c->slots + 1, sizeof *c->start, error));
    memset(c->start, 0, (size_t)(c->slots + 1) * sizeof *c->start);
    for (int32_t k = 0; k < over->set.count; ++k) {
        enter(c, k, false);
    }
    for (int64_t k = 0; k < c->slots; ++k) {
        c->start[k + 1] += c->start[k];
    }
    MO_TRY(mo_reserve(memory, &c->entry, &c->entry_capacity, c->start[c->slots], sizeof *c->entry,
                      error));
    MO_TRY(
        mo_reserve(memory, &c->large, &c->large_capacity, c->large_count, sizeof *c->large, error));
    for (int32_t k = (int32_t)over->set.count - 1; k >= 0; --k) {
        enter(c, k, true);
    }
    list_large(c);
    return MOTE_OK;
}

/* The primitives of a cell that meet the query there first. */
static void near_cell(const mo_box_cells *c, const int64_t cell[3], const mo_box *box,
                      mo_overlapping_fn *found, void *context)
{
    int64_t slot = c->slot(c, cell);
    int32_t last = -1;
    for (int64_t e = c->start[slot]; e < c->start[slot + 1]; ++e) {
        int32_t primitive = c->entry[e];
        const mo_box *other = &c->over->box[primitive];
        /* in order: other cells of the same primitive in this slot follow each other */
        if (primitive == last || !mo_boxes_overlap(other, box)) {
            continue;
        }
        mo_vec3 corner = mo_boxes_corner(other, box);
        bool here = true;
        for (int k = 0; k < 3; ++k) {
            double x = (mo_vec3_at(corner, k) - mo_vec3_at(c->origin, k)) * c->inverse;
            here = here && cell_of(x) == cell[k];
        }
        if (here) {
            last = primitive;
            found(context, primitive);
        }
    }
}

void mo_box_cells_near(const mo_box_cells *c, const mo_box *box, mo_overlapping_fn *found,
                       void *context)
{
    span s = span_of(c, box);
    int64_t cell[3];
    for (int64_t k = 0; k < c->large_count; ++k) {
        if (mo_boxes_overlap(&c->over->box[c->large[k]], box)) {
            found(context, c->large[k]);
        }
    }
    if (is_large(&s)) { /* more cells than it is worth: all primitives but the large ones */
        int64_t next = 0;
        for (int32_t k = 0; k < c->over->set.count; ++k) {
            bool large = next < c->large_count && c->large[next] == k;
            next += large;
            if (!large && mo_boxes_overlap(&c->over->box[k], box)) {
                found(context, k);
            }
        }
        return;
    }
    for (cell[0] = s.low[0]; cell[0] <= s.high[0]; ++cell[0]) {
        for (cell[1] = s.low[1]; cell[1] <= s.high[1]; ++cell[1]) {
            for (cell[2] = s.low[2]; cell[2] <= s.high[2]; ++cell[2]) {
                near_cell(c, cell, box, found, context);
            }
        }
    }
}
