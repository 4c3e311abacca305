#include "fluid/sph/reaction.h"

#include "fluid/sph/response.h"

enum { GRAIN = MO_FLUID_GRAIN };

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

/* ---- the layout ---- */

/* Entries are valid for a step, so their slots are laid out with its first reaction. */
static mote_status lay_out(mo_fluid *f, mote_error *error)
{
    mo_walls *w = &f->walls;
    int64_t blocks = (f->rows + GRAIN - 1) / GRAIN;
    if (f->reactions_laid) {
        return MOTE_OK;
    }
    MO_TRY(mo_wall_entries_need(f, error));
    MO_TRY(mo_reactions_layout_begin(&f->reactions, blocks, error));
    for (int64_t block = 0; block < blocks; ++block) {
        int64_t last = (block + 1) * GRAIN < f->rows ? (block + 1) * GRAIN : f->rows;
        mo_reactions_layout_block(&f->reactions, block);
        for (int64_t k = w->first[block * GRAIN]; k < w->first[last]; ++k) {
            int64_t slot;
            int collider = w->pieces[w->entries[k].piece].collider;
            MO_TRY(mo_reactions_layout_slot(&f->reactions, block, collider, &slot, error));
            w->entries[k].slot = (int32_t)slot;
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

static mo_vec3 pressure_force(const reacting *c, int64_t row, const mo_wall_entry *e)
{
    const mo_fluid *f = c->fluid;
    double volume = mo_f64(f->columns.mass)[row] * (double)f->specific[row];
    /* a boundary that adds the integral of W alone represents one side of the pressure; free
     * bodies receive exactly the opposite of the force on the row */
    bool moves = f->walls.pieces[e->piece].body >= 0;
    double sides = f->walls.plain && !moves ? 2 : f->walls.mirror;
    mo_vec3 own = mo_scale(sides * volume * (double)c->k[row], mo_wall_entry_gradient(e));
    return f->walls.layers.lists ? mo_add_scaled(own, volume, mo_wall_entry_traction(e)) : own;
}

static void react_rows(void *context, int64_t first, int64_t last)
{
    const reacting *c = context;
    mo_fluid *f = c->fluid;
    mo_reactions *r = &f->reactions;
    const mo_walls *w = &f->walls;
    mo_reactions_begin_block(r, first / GRAIN);
    for (int64_t row = first; row < last; ++row) {
        for (int64_t k = w->first[row]; k < w->first[row + 1]; ++k) {
            const mo_wall_entry *e = &w->entries[k];
            mo_vec3 force = c->force ? c->force(c->context, f, row, e) : pressure_force(c, row, e);
            const mo_wall_piece *piece = &w->pieces[e->piece];
            mo_vec3 center = mo_sub(piece->center, r->center[piece->collider]);
            mo_vec3 arm = mo_add(mo_wall_entry_arm(f, row, e), center);
            mo_wrench_add_force(&r->slot[e->slot].wrench, force, arm);
        }
    }
}

/* The wrench of these forces on each body, about its current centre. */
static void kick_bodies(mo_fluid *f, double h)
{
    const mo_reactions *r = &f->reactions;
    mo_response *s = &f->response;
    memset(s->wrench, 0, (size_t)f->walls.responder->count * sizeof *s->wrench);
    for (int p = 0; p < f->walls.piece_count; ++p) {
        const mo_wall_piece *piece = &f->walls.pieces[p];
        int c = piece->collider;
        if (piece->body >= 0) {
            s->wrench[piece->body] =
                mo_wrench_about(r->last[c].wrench, r->center[c], piece->center);
        }
    }
    mo_response_kick(f, s->wrench, h);
}

static mote_status react(reacting *c, mote_error *error)
{
    mo_fluid *f = c->fluid;
    const mo_walls *w = &f->walls;
    bool acts = w->maps || w->lists || (w->bare && c->force); /* bare solids without pressure */
    if (!f->reacts || w->piece_count == 0 || !acts) {
        return MOTE_OK;
    }
    MO_TRY(lay_out(f, error));
    if (!c->force) {
        mo_wall_entries_tractions(f);
    }
    mo_parallel_for(f->pool, f->rows, GRAIN, react_rows, c);
    mo_reactions_fold(&f->reactions);
    if (f->walls.responder) {
        kick_bodies(f, c->h);
    }
    return MOTE_OK;
}

mote_status mo_fluid_react(mo_fluid *f, const float *k, double h, mote_error *error)
{
    return react(&(reacting){.fluid = f, .k = k, .h = h}, error);
}

mote_status mo_fluid_react_forces(mo_fluid *f, mo_boundary_force *force, const void *context,
                                  double h, mote_error *error)
{
    return react(&(reacting){.fluid = f, .force = force, .context = context, .h = h}, error);
}
