#include "fluid/sph/response.h"

#include "fluid/sph/reaction.h"

#include <string.h>

enum { GRAIN = MO_FLUID_GRAIN, NO_BODY = -1, CHUNK = 256, SIX = 6, TRIANGLE = 21 };

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
    MO_TRY(mo_reserve(f->memory, &s->wrench, &s->wrench_capacity, count, sizeof *s->wrench, error));
    MO_TRY(mo_reserve(f->memory, &s->share, &s->share_capacity, count, sizeof *s->share, error));
    MO_TRY(mo_reserve(f->memory, &s->twist, &s->twist_capacity, count, sizeof *s->twist, error));
    return count > 0 ? mo_fluid_want_reactions(f, error) : MOTE_OK;
}

void mo_response_release(mo_fluid *f)
{
    mo_response *s = &f->response;
    void *const arrays[] = {
        s->items,  s->rows,       s->first,   s->order,   s->chunks, s->volume,     s->weight,
        s->scaled, s->active,     s->flipped, s->changed, s->block,  s->pair_block, s->pairs,
        s->shared, s->correction, s->wrench,  s->twist,   s->share,  s->pair_head,  s->pair_next};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) {
        mo_release(f->memory, arrays[k]);
    }
}

/* ---- memory ---- */

static mote_status reserve_rows(mo_fluid *f, int64_t rows, int64_t items, mote_error *error)
{
    mo_response *s = &f->response;
    mo_memory *m = f->memory;
    MO_TRY(mo_reserve(m, &s->items, &s->item_capacity, items, sizeof *s->items, error));
    MO_TRY(mo_reserve(m, &s->order, &s->order_capacity, items, sizeof *s->order, error));
    MO_TRY(mo_reserve(m, &s->rows, &s->row_capacity, rows, sizeof *s->rows, error));
    MO_TRY(mo_reserve(m, &s->first, &s->first_capacity, rows + 1, sizeof *s->first, error));
    MO_TRY(mo_reserve(m, &s->volume, &s->volume_capacity, rows, sizeof(double), error));
    MO_TRY(mo_reserve(m, &s->weight, &s->weight_capacity, rows, sizeof(double), error));
    MO_TRY(mo_reserve(m, &s->scaled, &s->scaled_capacity, rows, sizeof(double), error));
    MO_TRY(mo_reserve(m, &s->active, &s->active_capacity, rows, 1, error));
    MO_TRY(mo_reserve(m, &s->flipped, &s->flipped_capacity, rows, 1, error));
    return mo_reserve(m, &s->correction, &s->correction_capacity, f->rows, sizeof(float), error);
}

static mote_status reserve_bodies(mo_fluid *f, int64_t chunks, int64_t shared, mote_error *error)
{
    mo_response *s = &f->response;
    mo_memory *m = f->memory;
    int64_t bodies = f->walls.responder->count;
    MO_TRY(mo_reserve(m, &s->changed, &s->changed_capacity, bodies, 1, error));
    MO_TRY(
        mo_reserve(m, &s->block, &s->block_capacity, MO_INERTIA * bodies, sizeof(double), error));
    MO_TRY(mo_reserve(m, &s->chunks, &s->chunk_capacity, chunks, sizeof *s->chunks, error));
    MO_TRY(mo_reserve(m, &s->shared, &s->shared_capacity, 3 * shared, sizeof *s->shared, error));
    MO_TRY(
        mo_reserve(m, &s->pair_head, &s->pair_head_capacity, bodies, sizeof *s->pair_head, error));
    MO_TRY(
        mo_reserve(m, &s->pair_next, &s->pair_next_capacity, shared, sizeof *s->pair_next, error));
    MO_TRY(mo_reserve(m, &s->pairs, &s->pair_capacity, 2 * shared, sizeof *s->pairs, error));
    return mo_reserve(m, &s->pair_block, &s->pair_block_capacity, MO_INERTIA * shared,
                      sizeof(double), error);
}

/* Upper bounds by the entries of this step, of which those without a gradient are left out. */
mote_status mo_response_layout(mo_fluid *f, mote_error *error)
{
    const mo_walls *w = &f->walls;
    int64_t rows = 0, items = 0, shared = 0;
    f->response.count = f->response.row_count = 0;
    if (!w->responder || w->responder->count == 0 || w->piece_count == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_wall_entries_need(f, error));
    for (int64_t row = 0; row < f->rows && w->entry_count > 0; ++row) {
        int64_t own = 0;
        for (int64_t k = w->first[row]; k < w->first[row + 1]; ++k) {
            own += w->pieces[w->entries[k].piece].body >= 0;
        }
        rows += own > 0;
        items += own;
        shared += own * (own - 1) / 2;
    }
    /* more than needed, since the numbers change from step to step */
    rows += rows / 4 + CHUNK;
    items += items / 4 + CHUNK;
    shared += shared / 2 + CHUNK;
    MO_TRY(reserve_rows(f, rows, items, error));
    return reserve_bodies(f, items / CHUNK + w->responder->count, shared, error);
}

/* ---- J ---- */

/* The item of a row and a body; two periodic images of a body are one item. */
static mo_response_item *item_of(mo_response *s, int32_t row, int32_t body)
{
    for (int64_t k = s->first[row]; k < s->count; ++k) {
        if (s->items[k].body == body) {
            return &s->items[k];
        }
    }
    s->items[s->count] = (mo_response_item){.row = row, .body = body};
    return &s->items[s->count++];
}

static void add_row(mo_fluid *f, int64_t row)
{
    mo_response *s = &f->response;
    const mo_walls *w = &f->walls;
    int32_t t = (int32_t)s->row_count;
    s->first[t] = s->count;
    for (int64_t k = w->first[row]; k < w->first[row + 1]; ++k) {
        const mo_wall_entry *e = &w->entries[k];
        int body = w->pieces[e->piece].body;
        const float *g = e->gradient;
        if (body >= 0 && (g[0] != 0 || g[1] != 0 || g[2] != 0)) {
            mo_wrench J = {0};
            mo_response_item *item = item_of(s, t, body);
            mo_wrench_add_force(&J, mo_wall_entry_gradient(e), mo_wall_entry_arm(f, row, e));
            mo_vec3_store(item->J, mo_add(mo_vec3_load(item->J), J.force));
            mo_vec3_store(item->J + 3, mo_add(mo_vec3_load(item->J + 3), J.torque));
        }
    }
    if (s->count > s->first[t]) {
        double diagonal = (double)(f->diagonal[row] * f->specific[row]);
        s->volume[t] = mo_f64(f->columns.mass)[row] * (double)f->specific[row] * f->walls.mirror;
        s->weight[t] = diagonal > 0 ? s->volume[t] / diagonal : 0;
        s->rows[t] = (int32_t)row;
        s->row_count++;
    }
}

/* Items by body, in the order of rows, and their chunks. */
static void sort_items(mo_fluid *f)
{
    mo_response *s = &f->response;
    int bodies = f->walls.responder->count;
    int64_t *end = s->order; /* counts first, in scratch of the blocks */
    double *start = s->block;
    memset(start, 0, (size_t)bodies * sizeof *start);
    for (int64_t k = 0; k < s->count; ++k) {
        start[s->items[k].body] += 1;
    }
    int64_t at = 0;
    s->chunk_count = 0;
    for (int b = 0; b < bodies; ++b) {
        int64_t own = (int64_t)start[b];
        for (int64_t from = 0; from < own; from += CHUNK) {
            s->chunks[s->chunk_count++] =
                (mo_response_chunk){.first = at + from,
                                    .last = at + (from + CHUNK < own ? from + CHUNK : own),
                                    .body = b};
        }
        start[b] = (double)at;
        at += own;
    }
    for (int64_t k = 0; k < s->count; ++k) {
        int32_t b = s->items[k].body;
        end[(int64_t)start[b]] = k;
        start[b] += 1;
    }
}

/* The pair of two bodies, sought in the list of pairs of the first. */
static int32_t pair_of(mo_response *s, int32_t a, int32_t b)
{
    int32_t k = s->pair_head[a];
    while (k >= 0 && s->pairs[2 * k + 1] != b) {
        k = s->pair_next[k];
    }
    if (k < 0) {
        k = (int32_t)s->pair_count++;
        s->pairs[2 * k] = a;
        s->pairs[2 * k + 1] = b;
        s->pair_next[k] = s->pair_head[a];
        s->pair_head[a] = k;
    }
    return k;
}

/* Rows beside several bodies. */
static void list_shared(mo_response *s, int bodies)
{
    s->pair_count = s->shared_count = 0;
    for (int b = 0; b < bodies; ++b) {
        s->pair_head[b] = NO_BODY;
    }
    for (int64_t t = 0; t < s->row_count; ++t) {
        for (int64_t i = s->first[t]; i < s->first[t + 1]; ++i) {
            for (int64_t j = s->first[t]; j < s->first[t + 1]; ++j) {
                int32_t a = s->items[i].body, b = s->items[j].body;
                if (a < b) {
                    int32_t *shared = s->shared + 3 * s->shared_count++;
                    shared[0] = (int32_t)i;
                    shared[1] = (int32_t)j;
                    shared[2] = pair_of(s, a, b);
                }
            }
        }
    }
}

void mo_response_refresh(mo_fluid *f)
{
    mo_response *s = &f->response;
    const mo_walls *w = &f->walls;
    s->count = s->row_count = 0;
    if (!w->responder || w->responder->count == 0 || w->entry_count <= 0) {
        return;
    }
    for (int64_t row = 0; row < f->rows; ++row) {
        if (w->first[row] < w->first[row + 1]) {
            add_row(f, row);
        }
    }
    if (s->count == 0) {
        return;
    }
    s->first[s->row_count] = s->count;
    sort_items(f);
    list_shared(s, w->responder->count);
    memset(s->active, 0, (size_t)s->row_count);
    memset(s->correction, 0, (size_t)f->rows * sizeof *s->correction);
    s->fresh = true;
}

/* ---- sums over items ---- */

typedef struct responding {
    mo_fluid *fluid;
    const float *k;
    const mo_twist *twist;
    float *rate;
    double h;
    const mo_jacobi_step *step;
} responding;

/* sum J times the scaled number of its row */
static void sum_chunks(void *context, int64_t first, int64_t last)
{
    const mo_response *s = &((const responding *)context)->fluid->response;
    for (int64_t c = first; c < last; ++c) {
        mo_response_chunk *chunk = &s->chunks[c];
        double sum[SIX] = {0};
        for (int64_t k = chunk->first; k < chunk->last; ++k) {
            const mo_response_item *item = &s->items[s->order[k]];
            double scale = s->scaled[item->row];
            for (int i = 0; i < SIX; ++i) {
                sum[i] += scale * item->J[i];
            }
        }
        memcpy(chunk->sum, sum, sizeof sum);
    }
}

static void sum_bodies(responding *c, mo_wrench *wrench)
{
    const mo_response *s = &c->fluid->response;
    mo_parallel_for(c->fluid->pool, s->chunk_count, 1, sum_chunks, c);
    memset(wrench, 0, (size_t)c->fluid->walls.responder->count * sizeof *wrench);
    for (int64_t k = 0; k < s->chunk_count; ++k) {
        const mo_response_chunk *chunk = &s->chunks[k];
        mo_wrench own = {mo_vec3_load(chunk->sum), mo_vec3_load(chunk->sum + 3)};
        wrench[chunk->body] = mo_wrench_add(wrench[chunk->body], own);
    }
}

static void scale_rows(void *context, int64_t first, int64_t last)
{
    const responding *c = context;
    const mo_response *s = &c->fluid->response;
    for (int64_t t = first; t < last; ++t) {
        s->scaled[t] = s->volume[t] * (double)c->k[s->rows[t]];
    }
}

void mo_response_wrench(mo_fluid *f, const float *k, mo_wrench *wrench)
{
    responding c = {.fluid = f, .k = k};
    mo_parallel_for(f->pool, f->response.row_count, GRAIN, scale_rows, &c);
    if (f->walls.responder) {
        sum_bodies(&c, wrench);
    }
}

/* sum_B J_iB . a_B */
static double rate_of(const mo_response *s, const mo_twist *twist, int64_t t)
{
    double sum = 0;
    for (int64_t k = s->first[t]; k < s->first[t + 1]; ++k) {
        const mo_response_item *item = &s->items[k];
        mo_wrench J = {mo_vec3_load(item->J), mo_vec3_load(item->J + 3)};
        sum += mo_wrench_dot(J, twist[item->body]);
    }
    return sum;
}

static void rate_rows(void *context, int64_t first, int64_t last)
{
    const responding *c = context;
    const mo_response *s = &c->fluid->response;
    for (int64_t t = first; t < last; ++t) {
        c->rate[s->rows[t]] -= (float)rate_of(s, c->twist, t);
    }
}

void mo_response_rates(mo_fluid *f, const mo_twist *twist, float *rate)
{
    responding c = {.fluid = f, .twist = twist, .rate = rate};
    mo_parallel_for(f->pool, f->response.row_count, GRAIN, rate_rows, &c);
}

void mo_fluid_respond(mo_fluid *f, const float *k, float *rate)
{
    mo_response *s = &f->response;
    const mo_responder *r = f->walls.responder;
    if (r && s->count > 0) {
        mo_response_wrench(f, k, s->wrench);
        r->respond(r->context, NULL, s->wrench, s->twist);
        mo_response_rates(f, s->twist, rate);
    }
}

/* ---- the preconditioner ---- */

static float residual_of(const mo_jacobi_step *j, int64_t row)
{
    return j->span * j->rate[row] - j->source[row] - j->excess;
}

/* Whether a step with residual r, corrected, leaves a pressure. */
static bool stays_active(const responding *c, int64_t t, float correction)
{
    const mo_response *s = &c->fluid->response;
    const mo_jacobi_step *j = c->step;
    int64_t row = s->rows[t];
    float over = residual_of(j, row);
    double unit = (double)j->span * s->volume[t] / s->weight[t];
    if (!(s->weight[t] > 0) || (j->growing && over < 0)) {
        return false;
    }
    return j->growing ||
           (double)j->guess[row] + (double)j->omega * (double)(over - correction) / unit > 0;
}

/* A first set: rows with a pressure, or that need one. */
static void guess_active(void *context, int64_t first, int64_t last)
{
    const responding *c = context;
    const mo_response *s = &c->fluid->response;
    for (int64_t t = first; t < last; ++t) {
        bool growing = residual_of(c->step, s->rows[t]) > 0;
        bool pressed = c->step->guess[s->rows[t]] > 0 && !c->step->growing;
        s->active[t] = s->weight[t] > 0 && (growing || pressed);
    }
}

/* The changes of V k without the response: (V/D) r of active rows, and those of rows whose pressure
 * becomes 0; omega is applied to both afterwards. */
static void weigh_rows(void *context, int64_t first, int64_t last)
{
    const responding *c = context;
    const mo_response *s = &c->fluid->response;
    const mo_jacobi_step *j = c->step;
    for (int64_t t = first; t < last; ++t) {
        int64_t row = s->rows[t];
        double rise = s->weight[t] * (double)residual_of(j, row) / (double)j->span;
        double fall = j->growing ? 0 : -s->volume[t] * (double)j->guess[row] / (double)j->omega;
        s->scaled[t] = s->active[t] ? rise : fall;
    }
}

/* S of the chunks with rows that were included or excluded. */
static void inertia_chunks(void *context, int64_t first, int64_t last)
{
    const mo_response *s = &((const responding *)context)->fluid->response;
    for (int64_t c = first; c < last; ++c) {
        mo_response_chunk *chunk = &s->chunks[c];
        double S[TRIANGLE] = {0};
        chunk->changed = s->fresh;
        for (int64_t k = chunk->first; k < chunk->last && !chunk->changed; ++k) {
            chunk->changed = s->flipped[s->items[s->order[k]].row];
        }
        for (int64_t k = chunk->first; k < chunk->last && chunk->changed; ++k) {
            const mo_response_item *item = &s->items[s->order[k]];
            double weight = s->active[item->row] ? s->weight[item->row] : 0;
            for (int i = 0, at = 0; i < SIX; ++i) {
                double scaled = weight * item->J[i];
                for (int j = 0; j <= i; ++j, ++at) {
                    S[at] += scaled * item->J[j];
                }
            }
        }
        if (chunk->changed) {
            memcpy(chunk->S, S, sizeof S);
        }
    }
}

static void add_triangle(const double *triangle, double *block)
{
    for (int i = 0, at = 0; i < SIX; ++i) {
        for (int j = 0; j <= i; ++j, ++at) {
            block[SIX * i + j] += triangle[at];
            block[SIX * j + i] += i == j ? 0 : triangle[at];
        }
    }
}

static void sum_pairs(mo_response *s)
{
    memset(s->pair_block, 0, (size_t)(MO_INERTIA * s->pair_count) * sizeof(double));
    for (int64_t k = 0; k < s->shared_count; ++k) {
        const mo_response_item *a = &s->items[s->shared[3 * k]],
                               *b = &s->items[s->shared[3 * k + 1]];
        double *block = s->pair_block + MO_INERTIA * (int64_t)s->shared[3 * k + 2];
        double weight = s->active[a->row] ? s->weight[a->row] : 0;
        for (int i = 0; i < SIX && weight > 0; ++i) {
            for (int j = 0; j < SIX; ++j) {
                block[SIX * i + j] += weight * a->J[i] * b->J[j];
            }
        }
    }
}

/* The added inertia of all bodies. */
static mo_added_inertia find_inertia(responding *c)
{
    mo_response *s = &c->fluid->response;
    int bodies = c->fluid->walls.responder->count;
    bool any = s->fresh;
    mo_parallel_for(c->fluid->pool, s->chunk_count, 1, inertia_chunks, c);
    memset(s->changed, s->fresh, (size_t)bodies);
    for (int64_t k = 0; k < s->chunk_count; ++k) {
        s->changed[s->chunks[k].body] |= s->chunks[k].changed;
        any = any || s->chunks[k].changed;
    }
    for (int b = 0; b < bodies; ++b) {
        if (s->changed[b]) {
            memset(s->block + MO_INERTIA * (int64_t)b, 0, MO_INERTIA * sizeof(double));
        }
    }
    for (int64_t k = 0; k < s->chunk_count; ++k) {
        if (s->changed[s->chunks[k].body]) {
            add_triangle(s->chunks[k].S, s->block + MO_INERTIA * (int64_t)s->chunks[k].body);
        }
    }
    if (any) {
        sum_pairs(s);
    }
    s->fresh = false;
    return (mo_added_inertia){s->block, s->changed, s->pair_count, s->pairs, s->pair_block};
}

/* *partial: the number of rows that enter or leave the active set. */
static void correct_rows(void *context, int64_t first, int64_t last, double *partial)
{
    const responding *c = context;
    const mo_response *s = &c->fluid->response;
    *partial = 0;
    for (int64_t t = first; t < last; ++t) {
        float correction = c->step->span * (float)rate_of(s, c->twist, t);
        bool active = stays_active(c, t, correction);
        s->correction[s->rows[t]] = correction;
        s->flipped[t] = active != (bool)s->active[t];
        s->active[t] = active;
        *partial += s->flipped[t];
    }
}

/* The active set is found by iteration (a semismooth Newton method): a pressure that becomes 0
 * without the body knowing would accelerate a light one without bounds. */
enum { PASSES = 10 };

const float *mo_response_precondition(mo_fluid *f, const mo_jacobi_step *step)
{
    mo_response *s = &f->response;
    const mo_responder *r = f->walls.responder;
    responding c = {.fluid = f, .step = step, .twist = s->twist};
    mote_error unused;
    if (!r || s->count == 0) {
        return NULL;
    }
    if (s->fresh) {
        mo_parallel_for(f->pool, s->row_count, GRAIN, guess_active, &c);
    }
    double flips = 1;
    for (int pass = 0; pass < PASSES && flips > 0; ++pass) {
        mo_parallel_for(f->pool, s->row_count, GRAIN, weigh_rows, &c);
        mo_added_inertia added = find_inertia(&c);
        sum_bodies(&c, s->wrench);
        r->respond(r->context, &added, s->wrench, s->twist);
        if (mo_parallel_reduce(f->pool, s->row_count, GRAIN, MO_SUM, 1, correct_rows, &c, &flips,
                               &unused) != MOTE_OK) {
            break;
        }
    }
    return s->correction;
}

/* ---- after a solve ---- */

/* The velocities of entries. */
static void flow_rows(void *context, int64_t first, int64_t last)
{
    const responding *c = context;
    mo_fluid *f = c->fluid;
    mo_walls *w = &f->walls;
    for (int64_t row = first; row < last; ++row) {
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

/* wall_flow_i += h J . a */
static void add_flow(void *context, int64_t first, int64_t last)
{
    const responding *c = context;
    const mo_response *s = &c->fluid->response;
    for (int64_t t = first; t < last; ++t) {
        c->fluid->wall[4 * (int64_t)s->rows[t] + 3] += (float)(c->h * rate_of(s, c->twist, t));
    }
}

/* Accelerations in s->twist, of a wrench or of the bodies' own forces. */
static void move_bodies(mo_fluid *f, const mo_wrench *wrench, double h)
{
    mo_response *s = &f->response;
    const mo_responder *r = f->walls.responder;
    responding c = {.fluid = f, .twist = s->twist, .h = h};
    r->kick(r->context, wrench, s->twist, h);
    kick_samples(&f->walls, s->twist, h);
    if (f->walls.entry_count > 0) {
        mo_parallel_for(f->pool, s->row_count, GRAIN, add_flow, &c);
        mo_parallel_for(f->pool, f->rows, GRAIN, flow_rows, &c);
    }
}

void mo_response_kick(mo_fluid *f, const mo_wrench *wrench, double h)
{
    const mo_responder *r = f->walls.responder;
    r->respond(r->context, NULL, wrench, f->response.twist);
    move_bodies(f, wrench, h);
}

void mo_response_accelerate(mo_fluid *f, double h)
{
    const mo_responder *r = f->walls.responder;
    if (r && r->accelerate && r->count > 0) {
        r->accelerate(r->context, f->response.twist);
        move_bodies(f, NULL, h);
    }
}
