#include "fluid/sph/response.h"

#include "fluid/sph/reaction.h"

enum { GRAIN = MO_FLUID_GRAIN };

mote_status mo_fluid_set_responder(mo_fluid *f, const mo_responder *responder, mote_error *error)
{
    mo_response *s = &f->response;
    int count = responder ? responder->count : 0;
    f->walls.responder = responder;
    for (int p = 0; p < f->walls.piece_count; ++p) {
        mo_wall_piece *piece = &f->walls.pieces[p];
        piece->body = -1;
        for (int b = 0; b < count; ++b) {
            piece->body = responder->bodies[b].collider == piece->collider ? b : piece->body;
        }
        f->walls.moves = f->walls.moves || piece->body >= 0;
    }
    s->sum.memory = f->memory;
    MO_TRY(mo_reactions_resize(&s->sum, count, error));
    MO_TRY(mo_make_room(f->memory, &s->wrench, &s->wrench_capacity, count, sizeof *s->wrench, error));
    MO_TRY(mo_make_room(f->memory, &s->twist, &s->twist_capacity, count, sizeof *s->twist, error));
    return count > 0 ? mo_fluid_want_reactions(f, error) : MOTE_OK;
}

void mo_response_release(mo_fluid *f)
{
    mo_response *s = &f->response;
    void *const arrays[] = {s->first, s->entries, s->wrench, s->twist};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) {
        mo_release(f->memory, arrays[k]);
    }
    s->sum.memory = f->memory;
    mo_reactions_release(&s->sum);
}

/* ---- rows and bodies ---- */

/* The body of boundary particle j, or of the one that it is an image of; -1: it is prescribed. */
static int body_of(const mo_walls *w, int64_t sample)
{
    return w->pieces[w->piece[sample]].body;
}

static int64_t sample_of(const mo_walls *w, int64_t j)
{
    return mo_halo_row(w->halo, j);
}

/* Entries of a row, in the order in which its list meets the bodies. */
static mote_status lay_row(mo_fluid *f, int64_t block, int64_t row, mote_error *error)
{
    mo_response *s = &f->response;
    const mo_lists *lists = f->walls.lists;
    int64_t first = s->count;
    for (int64_t at = lists->start[row]; at < lists->start[row] + lists->count[row]; ++at) {
        int body = body_of(&f->walls, sample_of(&f->walls, lists->index[at]));
        bool found = body < 0;
        for (int64_t e = first; e < s->count && !found; ++e) {
            found = s->entries[e].body == body;
        }
        if (!found) {
            MO_TRY(mo_make_room(f->memory, &s->entries, &s->entry_capacity, s->count + 1, sizeof *s->entries,
                                error));
            mo_response_entry *entry = &s->entries[s->count++];
            entry->body = body;
            MO_TRY(mo_reactions_layout_slot(&s->sum, block, body, &entry->slot, error));
        }
    }
    return MOTE_OK;
}

mote_status mo_response_layout(mo_fluid *f, mote_error *error)
{
    mo_response *s = &f->response;
    int64_t blocks = (f->rows + GRAIN - 1) / GRAIN;
    s->count = 0;
    if (!f->walls.responder || !f->walls.lists) {
        return MOTE_OK;
    }
    MO_TRY(mo_make_room(f->memory, &s->first, &s->first_capacity, f->rows + 1, sizeof *s->first, error));
    MO_TRY(mo_reactions_layout_begin(&s->sum, blocks, error));
    for (int64_t block = 0; block < blocks; ++block) {
        int64_t last = (block + 1) * GRAIN < f->rows ? (block + 1) * GRAIN : f->rows;
        mo_reactions_layout_block(&s->sum, block);
        for (int64_t row = block * GRAIN; row < last; ++row) {
            s->first[row] = s->count;
            MO_TRY(lay_row(f, block, row, error));
        }
    }
    s->first[f->rows] = s->count;
    return mo_reactions_layout_end(&s->sum, error);
}

/* ---- J ---- */

static void add_row(mo_fluid *f, int64_t row)
{
    mo_response *s = &f->response;
    const mo_walls *w = &f->walls;
    mo_fluid_row r = mo_fluid_wall_row_of(f, row);
    for (int64_t at = r.first; at < r.last; at += 8) {
        mo_fluid_pairs p = mo_fluid_wall_pairs_at(f, &r, at);
        for (int lane = 0; lane < 8 && at + lane < r.last; ++lane) {
            int64_t sample = sample_of(w, p.j[lane]), e = s->first[row];
            int body = body_of(w, sample);
            while (e < s->first[row + 1] && s->entries[e].body != body) {
                ++e;
            }
            if (body >= 0) {
                mo_vec3 x = mo_vec3_make((double)p.x[lane], (double)p.y[lane], (double)p.z[lane]);
                mo_vec3 arm = mo_sub(mo_vec3_load(w->x + 3 * sample), w->pieces[w->piece[sample]].center);
                mo_wrench_add_force(&s->entries[e].J, mo_scale((double)w->firm[at + lane], x), arm);
            }
        }
    }
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
    mo_response *s = &f->response;
    for (int64_t row = first; row < last; ++row) {
        double more = 0;
        if (s->first[row] == s->first[row + 1]) {
            continue;
        }
        for (int64_t e = s->first[row]; e < s->first[row + 1]; ++e) {
            s->entries[e].J = (mo_wrench){0};
        }
        add_row(f, row);
        for (int64_t e = s->first[row]; e < s->first[row + 1]; ++e) {
            more += inverse_inertia(&f->walls.responder->bodies[s->entries[e].body], &s->entries[e].J);
        }
        f->diagonal[row] += (float)(mo_f64(f->columns.mass)[row] * more);
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
    mo_response *s = &c->fluid->response;
    mo_reactions_begin_block(&s->sum, first / GRAIN);
    for (int64_t row = first; row < last; ++row) {
        double mass = mo_f64(c->fluid->columns.mass)[row], specific = (double)c->fluid->specific[row];
        double scale = mass * specific * (double)c->k[row];
        for (int64_t e = s->first[row]; e < s->first[row + 1]; ++e) {
            const mo_wrench *J = &s->entries[e].J;
            mo_wrench part = {mo_scale(scale, J->force), mo_scale(scale, J->torque)};
            mo_wrench *slot = &s->sum.slot[s->entries[e].slot].wrench;
            *slot = mo_wrench_add(*slot, part);
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
static double rate_of(const mo_response *s, const mo_twist *twist, int64_t row)
{
    double sum = 0;
    for (int64_t e = s->first[row]; e < s->first[row + 1]; ++e) {
        sum += mo_wrench_dot(s->entries[e].J, twist[s->entries[e].body]);
    }
    return sum;
}

static void rate_rows(void *context, int64_t first, int64_t last)
{
    const responding *c = context;
    for (int64_t row = first; row < last; ++row) {
        c->rate[row] -= (float)rate_of(&c->fluid->response, c->twist, row);
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

/* wall_flow_i = sum_b V_b v_b . grad F_ib */
static void flow_rows(void *context, int64_t first, int64_t last)
{
    const responding *c = context;
    for (int64_t row = first; row < last; ++row) {
        c->fluid->wall[4 * row + 3] += (float)(c->h * rate_of(&c->fluid->response, c->twist, row));
    }
}

static void kick_samples(mo_walls *w, const mo_twist *twist, double h)
{
    for (int64_t j = 0; j < w->places; ++j) {
        int64_t sample = sample_of(w, j);
        const mo_wall_piece *piece = &w->pieces[w->piece[sample]];
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
