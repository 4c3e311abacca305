#include "fluid/sph/reaction.h"

#include "fluid/sph/response.h"

enum { GRAIN = MO_FLUID_GRAIN };

/* row_slot: the slot of the only collider that a row meets, or one of these. */
enum { NO_COLLIDER = -1, SEVERAL = -2 };

mote_status mo_fluid_want_reactions(mo_fluid *f, mote_error *error)
{
    int count = 0;
    for (int p = 0; p < f->walls.piece_count; ++p) {
        count = f->walls.pieces[p].collider >= count ? f->walls.pieces[p].collider + 1 : count;
    }
    if (!f->reacts || f->reactions.count != count) {
        MO_TRY(mo_reactions_resize(&f->reactions, count, error));
        f->reactions_laid = false;
        f->reacts = true;
    }
    return MOTE_OK;
}

void mo_fluid_begin_reactions(mo_fluid *f, double time, double end)
{
    if (!f->reacts) {
        return;
    }
    mo_reactions_clear(&f->reactions, end);
    for (int p = 0; p < f->walls.piece_count; ++p) {
        const mo_wall_piece *piece = &f->walls.pieces[p];
        mo_walls_pose(&f->walls, piece, time, &f->reactions.center[piece->collider]);
    }
}

/* ---- the layout: which rows meet which colliders ---- */

static int32_t collider_of(const mo_walls *w, int64_t j)
{
    return w->collider[mo_halo_row(w->halo, j)];
}

/* row_slot = the collider; the layout turns it into a slot */
static void find_colliders(void *context, int64_t first, int64_t last)
{
    mo_fluid *f = context;
    const mo_lists *lists = f->walls.lists;
    bool periodic = f->domain.periodic[0] || f->domain.periodic[1] || f->domain.periodic[2];
    for (int64_t row = first; row < last; ++row) {
        int64_t start = lists->start[row];
        int32_t found = NO_COLLIDER;
        for (int64_t at = start; at < start + lists->count[row] && found != SEVERAL; ++at) {
            int32_t collider = collider_of(&f->walls, lists->index[at]);
            found = periodic || (found >= 0 && found != collider) ? SEVERAL : collider;
        }
        f->row_slot[row] = found;
    }
}

static mote_status lay_row(mo_fluid *f, int64_t block, int64_t row, mote_error *error)
{
    const mo_lists *lists = f->walls.lists;
    int64_t slot, start = lists->start[row];
    if (f->row_slot[row] >= 0) {
        MO_TRY(mo_reactions_layout_slot(&f->reactions, block, f->row_slot[row], &slot, error));
        f->row_slot[row] = (int32_t)slot;
    } else if (f->row_slot[row] == SEVERAL) {
        for (int64_t at = start; at < start + lists->count[row]; ++at) {
            int32_t collider = collider_of(&f->walls, lists->index[at]);
            MO_TRY(mo_reactions_layout_slot(&f->reactions, block, collider, &slot, error));
            f->pair_slot[at] = (int32_t)slot;
        }
    }
    return MOTE_OK;
}

/* Lists hold for a step, so the layout is made with the first reaction of it. */
static mote_status lay_out(mo_fluid *f, mote_error *error)
{
    int64_t blocks = (f->rows + GRAIN - 1) / GRAIN, indices = f->walls.lists->index_capacity;
    if (f->reactions_laid) {
        return MOTE_OK;
    }
    MO_TRY(mo_make_room(f->memory, &f->row_slot, &f->row_slot_capacity, f->rows, sizeof(int32_t), error));
    MO_TRY(mo_make_room(f->memory, &f->pair_slot, &f->pair_slot_capacity, indices, sizeof(int32_t), error));
    mo_parallel_for(f->pool, f->rows, GRAIN, find_colliders, f);
    MO_TRY(mo_reactions_layout_begin(&f->reactions, blocks, error));
    for (int64_t block = 0; block < blocks; ++block) {
        int64_t last = (block + 1) * GRAIN < f->rows ? (block + 1) * GRAIN : f->rows;
        mo_reactions_layout_block(&f->reactions, block);
        for (int64_t row = block * GRAIN; row < last; ++row) {
            MO_TRY(lay_row(f, block, row, error));
        }
    }
    MO_TRY(mo_reactions_layout_end(&f->reactions, error));
    f->reactions_laid = true;
    return MOTE_OK;
}

/* ---- contributions ---- */

typedef struct reacting {
    mo_fluid *fluid;
    const float *k;
    mo_boundary_force *force;
    const void *context;
    double h;
} reacting;

/* A force on boundary particle j, or on the one that it is an image of. */
static void add_force(mo_fluid *f, int64_t slot, int64_t j, mo_vec3 force)
{
    mo_reactions *r = &f->reactions;
    int64_t sample = mo_halo_row(f->walls.halo, j);
    mo_vec3 center = r->center[r->collider[slot]];
    mo_wrench_add_force(&r->slot[slot].wrench, force, mo_sub(mo_vec3_load(f->walls.x + 3 * sample), center));
}

/* The forces of a row's pairs, each in double; returns their sum. */
static mo_vec3 add_pairs(const reacting *c, int64_t row, int64_t *last_slot, int64_t *last_j)
{
    mo_fluid *f = c->fluid;
    mo_vec3 sum = mo_vec3_make(0, 0, 0);
    int32_t sole = f->row_slot[row];
    mo_fluid_row r = mo_fluid_wall_row_of(f, row);
    for (int64_t at = r.first; at < r.last; at += 8) {
        mo_fluid_pairs p = mo_fluid_wall_pairs_at(f, &r, at);
        for (int lane = 0; lane < 8 && at + lane < r.last; ++lane) {
            mo_vec3 x = mo_vec3_make((double)p.x[lane], (double)p.y[lane], (double)p.z[lane]);
            mo_vec3 force = c->force(c->context, f, row, at + lane, p.j[lane], x);
            *last_slot = sole >= 0 ? sole : f->pair_slot[at + lane];
            *last_j = p.j[lane];
            add_force(f, *last_slot, *last_j, force);
            sum = mo_add(sum, force);
        }
    }
    return sum;
}

/* V_i k_i: of F, whose gradients are `wall`; plain boundaries push twice (sph/walls.h). */
static double strength(const mo_fluid *f, const float *k, int64_t row)
{
    return mo_f64(f->columns.mass)[row] * (double)f->specific[row] * (double)k[row];
}

static mo_vec3 pressure_force(const void *context, const mo_fluid *f, int64_t row, int64_t at, int64_t j,
                              mo_vec3 x)
{
    (void)j;
    return mo_scale(strength(f, context, row) * (double)f->walls.firm[at], x);
}

static void react_rows(void *context, int64_t first, int64_t last)
{
    reacting c = *(const reacting *)context;
    mo_fluid *f = c.fluid;
    mo_reactions *r = &f->reactions;
    double factor = f->walls.plain ? 2 : 1;
    c.force = pressure_force;
    c.context = c.k;
    mo_reactions_begin_block(r, first / GRAIN);
    for (int64_t row = first; row < last; ++row) {
        int64_t slot = f->row_slot[row], j = 0;
        if (slot == NO_COLLIDER || c.k[row] == 0) {
            continue;
        }
        const float *wall = f->wall + 4 * row;
        mo_vec3 force = mo_scale(factor * strength(f, c.k, row),
                                 mo_vec3_make((double)wall[0], (double)wall[1], (double)wall[2]));
        if (slot >= 0) {
            mo_vec3 arm = mo_sub(mo_fluid_position(f, row), r->center[r->collider[slot]]);
            mo_wrench_add_force(&r->slot[slot].wrench, force, arm);
        } else { /* the sum in single precision is the one that acted: its rounding goes to the last
                    pair */
            mo_vec3 sum = add_pairs(&c, row, &slot, &j);
            add_force(f, slot, j, mo_sub(force, sum));
        }
    }
}

static void react_forces_rows(void *context, int64_t first, int64_t last)
{
    const reacting *c = context;
    mo_reactions_begin_block(&c->fluid->reactions, first / GRAIN);
    for (int64_t row = first; row < last; ++row) {
        int64_t slot, j;
        if (c->fluid->row_slot[row] != NO_COLLIDER) {
            add_pairs(c, row, &slot, &j);
        }
    }
}

/* The wrench of these forces on each body, about the centre that it has now. */
static void kick_bodies(mo_fluid *f, double h)
{
    const mo_reactions *r = &f->reactions;
    mo_response *s = &f->response;
    memset(s->wrench, 0, (size_t)f->walls.responder->count * sizeof *s->wrench);
    for (int p = 0; p < f->walls.piece_count; ++p) {
        const mo_wall_piece *piece = &f->walls.pieces[p];
        int c = piece->collider;
        if (piece->body >= 0) {
            s->wrench[piece->body] = mo_wrench_about(r->last[c].wrench, r->center[c], piece->center);
        }
    }
    mo_response_kick(f, s->wrench, h);
}

static mote_status react(reacting *c, mo_range_fn *rows, mote_error *error)
{
    mo_fluid *f = c->fluid;
    if (!f->reacts || !f->walls.lists) {
        return MOTE_OK;
    }
    MO_TRY(lay_out(f, error));
    mo_parallel_for(f->pool, f->rows, GRAIN, rows, c);
    mo_reactions_fold(&f->reactions);
    if (f->walls.responder) {
        kick_bodies(f, c->h);
    }
    return MOTE_OK;
}

mote_status mo_fluid_react(mo_fluid *f, const float *k, double h, mote_error *error)
{
    return react(&(reacting){.fluid = f, .k = k, .h = h}, react_rows, error);
}

mote_status mo_fluid_react_forces(mo_fluid *f, mo_boundary_force *force, const void *context, double h,
                                  mote_error *error)
{
    return react(&(reacting){.fluid = f, .force = force, .context = context, .h = h}, react_forces_rows,
                 error);
}
