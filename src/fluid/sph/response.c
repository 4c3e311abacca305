#include "fluid/sph/response.h"

#include "fluid/sph/reaction.h"

enum { GRAIN = MO_FLUID_GRAIN, NO_BODY = -1 };

mote_status mo_fluid_set_responder(mo_fluid *f, const mo_responder *responder, mote_error *error)
{
    mo_response *s = &f->response;
    int count = responder ? responder->count : 0;
    if (count > 0 && f->walls.layers.wanted) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "fluid.boundary: fluid_layers supports prescribed colliders only; use continuum where "
            "bodies are coupled to the fluid");
    }
    f->walls.responder = responder;
    for (int p = 0; p < f->walls.piece_count; ++p) {
        mo_wall_piece *piece = &f->walls.pieces[p];
        piece->body = NO_BODY;
        for (int b = 0; b < count; ++b) {
            piece->body = responder->bodies[b].collider == piece->collider ? b : piece->body;
        }
        f->walls.moves = f->walls.moves || piece->body >= 0;
    }
    s->sum.memory = f->memory;
    MO_TRY(mo_reactions_resize(&s->sum, count, error));
    MO_TRY(mo_reserve(f->memory, &s->wrench, &s->wrench_capacity, count, sizeof *s->wrench, error));
    MO_TRY(mo_reserve(f->memory, &s->twist, &s->twist_capacity, count, sizeof *s->twist, error));
    return count > 0 ? mo_fluid_want_reactions(f, error) : MOTE_OK;
}

void mo_response_release(mo_fluid *f)
{
    mo_response *s = &f->response;
    mo_release(f->memory, s->wrench);
    mo_release(f->memory, s->twist);
    s->sum.memory = f->memory;
    mo_reactions_release(&s->sum);
}

/* ---- rows and bodies ---- */

mote_status mo_response_layout(mo_fluid *f, mote_error *error)
{
    mo_response *s = &f->response;
    mo_walls *w = &f->walls;
    int64_t blocks = (f->rows + GRAIN - 1) / GRAIN;
    s->count = 0;
    if (!w->responder || w->piece_count == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_wall_entries_need(f, error));
    MO_TRY(mo_reactions_layout_begin(&s->sum, blocks, error));
    for (int64_t block = 0; block < blocks; ++block) {
        int64_t last = (block + 1) * GRAIN < f->rows ? (block + 1) * GRAIN : f->rows;
        mo_reactions_layout_block(&s->sum, block);
        for (int64_t k = w->first[block * GRAIN]; k < w->first[last]; ++k) {
            int64_t slot = -1;
            int body = w->pieces[w->entries[k].piece].body;
            if (body >= 0) {
                MO_TRY(mo_reactions_layout_slot(&s->sum, block, body, &slot, error));
                s->count++;
            }
            w->entries[k].body_slot = (int32_t)slot;
        }
    }
    return mo_reactions_layout_end(&s->sum, error);
}

/* ---- J ---- */

static mo_wrench jacobian(const mo_fluid *f, int64_t row, const mo_wall_entry *e)
{
    mo_wrench J = {0};
    mo_wrench_add_force(&J, mo_wall_entry_gradient(e), mo_wall_entry_arm(f, row, e));
    return J;
}

/* J M^-1 J */
static double inverse_inertia(const mo_free_body *body, const mo_wrench *J)
{
    return body->inverse_mass * mo_dot(J->force, J->force) +
           mo_dot(J->torque, mo_mat3_apply(body->inverse_inertia, J->torque));
}

static void refresh_rows(void *context, int64_t first, int64_t last)
{
    mo_fluid *f = context;
    const mo_walls *w = &f->walls;
    for (int64_t row = first; row < last; ++row) {
        double more = 0;
        for (int64_t k = w->first[row]; k < w->first[row + 1]; ++k) {
            int body = w->pieces[w->entries[k].piece].body;
            if (body >= 0) {
                mo_wrench J = jacobian(f, row, &w->entries[k]);
                more += inverse_inertia(&w->responder->bodies[body], &J);
            }
        }
        if (more > 0) {
            f->diagonal[row] += (float)(mo_f64(f->columns.mass)[row] * more);
        }
    }
}

void mo_response_refresh(mo_fluid *f)
{
    if (f->response.count > 0) {
        mo_parallel_for(f->pool, f->rows, GRAIN, refresh_rows, f);
    }
}

/* ---- an iteration ---- */

typedef struct responding {
    mo_fluid *fluid;
    const float *k;
    const mo_twist *twist;
    float *rate;
    double h;
} responding;

static void wrench_rows(void *context, int64_t first, int64_t last)
{
    const responding *c = context;
    const mo_fluid *f = c->fluid;
    const mo_walls *w = &f->walls;
    mo_reactions *sum = &c->fluid->response.sum;
    mo_reactions_begin_block(sum, first / GRAIN);
    for (int64_t row = first; row < last; ++row) {
        double scale = mo_f64(f->columns.mass)[row] * (double)f->specific[row] * (double)c->k[row];
        for (int64_t k = w->first[row]; k < w->first[row + 1]; ++k) {
            const mo_wall_entry *e = &w->entries[k];
            if (e->body_slot >= 0) {
                mo_wrench J = jacobian(f, row, e);
                mo_wrench part = {mo_scale(scale, J.force), mo_scale(scale, J.torque)};
                mo_wrench *slot = &sum->slot[e->body_slot].wrench;
                *slot = mo_wrench_add(*slot, part);
            }
        }
    }
}

void mo_response_wrench(mo_fluid *f, const float *k, mo_wrench *wrench)
{
    mo_response *s = &f->response;
    responding c = {.fluid = f, .k = k};
    mo_reactions_clear(&s->sum, 0);
    if (s->count > 0) {
        mo_parallel_for(f->pool, f->rows, GRAIN, wrench_rows, &c);
        mo_reactions_fold(&s->sum);
    }
    for (int b = 0; b < s->sum.count; ++b) {
        wrench[b] = s->sum.total[b].wrench;
    }
}

/* sum_B J_iB . a_B */
static double rate_of(const mo_fluid *f, const mo_twist *twist, int64_t row)
{
    const mo_walls *w = &f->walls;
    double sum = 0;
    for (int64_t k = w->first[row]; k < w->first[row + 1]; ++k) {
        int body = w->pieces[w->entries[k].piece].body;
        if (body >= 0) {
            sum += mo_wrench_dot(jacobian(f, row, &w->entries[k]), twist[body]);
        }
    }
    return sum;
}

static void rate_rows(void *context, int64_t first, int64_t last)
{
    const responding *c = context;
    for (int64_t row = first; row < last; ++row) {
        c->rate[row] -= (float)rate_of(c->fluid, c->twist, row);
    }
}

void mo_response_rates(mo_fluid *f, const mo_twist *twist, float *rate)
{
    responding c = {.fluid = f, .twist = twist, .rate = rate};
    if (f->response.count > 0) {
        mo_parallel_for(f->pool, f->rows, GRAIN, rate_rows, &c);
    }
}

void mo_fluid_respond(mo_fluid *f, const float *k, float *rate)
{
    mo_response *s = &f->response;
    const mo_responder *r = f->walls.responder;
    if (r && s->count > 0) {
        mo_response_wrench(f, k, s->wrench);
        r->respond(r->context, s->wrench, s->twist);
        mo_response_rates(f, s->twist, rate);
    }
}

/* ---- after a solve ---- */

/* wall_flow_i = v_solid . grad L_i, and the velocities of entries */
static void flow_rows(void *context, int64_t first, int64_t last)
{
    const responding *c = context;
    mo_fluid *f = c->fluid;
    mo_walls *w = &f->walls;
    for (int64_t row = first; row < last; ++row) {
        f->wall[4 * row + 3] += (float)(c->h * rate_of(f, c->twist, row));
        for (int64_t k = w->first[row]; k < w->first[row + 1]; ++k) {
            mo_wall_entry *e = &w->entries[k];
            int body = w->pieces[e->piece].body;
            if (body >= 0) {
                const mo_twist *t = &c->twist[body];
                mo_vec3 a = mo_add(t->linear, mo_cross(t->angular, mo_wall_entry_arm(f, row, e)));
                e->velocity[0] += (float)(c->h * a.x);
                e->velocity[1] += (float)(c->h * a.y);
                e->velocity[2] += (float)(c->h * a.z);
            }
        }
    }
}

/* Velocities of samples. */
static void kick_samples(mo_walls *w, const mo_twist *twist, double h)
{
    for (int64_t j = 0; w->lists && j < w->slots; ++j) {
        int64_t sample = mo_halo_row(w->halo, j);
        const mo_wall_piece *piece = &w->pieces[w->sample_piece[sample]];
        if (piece->body < 0) {
            continue;
        }
        if (j < w->count) {
            mo_vec3 arm = mo_sub(mo_vec3_load(w->x + 3 * sample), piece->center);
            const mo_twist *t = &twist[piece->body];
            mo_vec3 a = mo_add(t->linear, mo_cross(t->angular, arm));
            mo_vec3_store(w->v + 3 * sample, mo_add_scaled(mo_vec3_load(w->v + 3 * sample), h, a));
        }
        for (int c = 0; c < 3; ++c) {
            w->velocity[4 * j + c] = (float)w->v[3 * sample + c];
        }
    }
}

void mo_response_kick(mo_fluid *f, const mo_wrench *wrench, double h)
{
    mo_response *s = &f->response;
    const mo_responder *r = f->walls.responder;
    responding c = {.fluid = f, .twist = s->twist, .h = h};
    r->respond(r->context, wrench, s->twist);
    r->kick(r->context, s->twist, h);
    kick_samples(&f->walls, s->twist, h);
    if (s->count > 0) {
        mo_parallel_for(f->pool, f->rows, GRAIN, flow_rows, &c);
    }
}
