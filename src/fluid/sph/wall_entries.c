#include "fluid/sph/wall_entries.h"

#include "collide/collider.h"

#include <math.h>

enum { GRAIN = MO_FLUID_GRAIN };

/* Margin of entries beyond the support, in spacings, since particles move within a step while
 * entries are fixed. */
static const double MARGIN = 0.5;

/* ---- of maps ---- */

typedef struct layout {
    mo_fluid *fluid;
    bool fill;
} layout;

/* The bounding box of rows, extended by the reach of solids. */
static void bound_rows(const mo_fluid *f, int64_t first, int64_t last, double reach, double low[3],
                       double high[3])
{
    for (int c = 0; c < 3; ++c) {
        low[c] = INFINITY;
        high[c] = -INFINITY;
    }
    for (int64_t row = first; row < last; ++row) {
        double x[3];
        mo_vec3_store(x, mo_fluid_position(f, row));
        for (int c = 0; c < 3; ++c) {
            low[c] = x[c] - reach < low[c] ? x[c] - reach : low[c];
            high[c] = x[c] + reach > high[c] ? x[c] + reach : high[c];
        }
    }
}

/* Containers overlap everything. */
static bool overlaps(const mo_collider *solid, mo_vec3 image, const double low[3],
                     const double high[3])
{
    double by[3];
    mo_vec3_store(by, image);
    for (int c = 0; c < 3 && solid->bounded && !solid->inside; ++c) {
        if (high[c] + by[c] < solid->low[c] || low[c] + by[c] > solid->high[c]) {
            return false;
        }
    }
    return true;
}

/* Counts the entries of these rows and one image of a solid, or writes them. */
static void visit_solid(const layout *l, int piece, mo_vec3 image, int64_t first, int64_t last)
{
    mo_walls *w = &l->fluid->walls;
    const mo_wall_piece *p = &w->pieces[piece];
    float near = (float)(1 + MARGIN * l->fluid->spacing / l->fluid->support), gradient[3];
    int number = mo_walls_image_of(w, image);
    for (int64_t row = first; row < last; ++row) {
        mo_vec3 x = mo_pose_undo(&p->solid.pose, mo_add(mo_fluid_position(l->fluid, row), image));
        if (!(mo_solid_map_at(&p->map, x, gradient) < near)) {
            continue;
        }
        if (l->fill) { /* `first` of the next row is the position of this row's next entry */
            w->entries[w->first[row + 1]] = (mo_wall_entry){.piece = piece, .image = number};
        }
        w->first[row + 1]++;
    }
}

static void visit_solids(void *context, int64_t first, int64_t last)
{
    const layout *l = context;
    const mo_walls *w = &l->fluid->walls;
    double low[3], high[3];
    bound_rows(l->fluid, first, last, l->fluid->support + MARGIN * l->fluid->spacing, low, high);
    for (int p = 0; p < w->piece_count; ++p) {
        const mo_collider *solid = &w->pieces[p].solid;
        for (int k = 0; k < solid->image_count; ++k) {
            if (overlaps(solid, solid->image[k], low, high)) {
                visit_solid(l, p, solid->image[k], first, last);
            }
        }
    }
}

static void clear_counts(mo_walls *w, int64_t rows)
{
    for (int64_t row = 0; row <= rows; ++row) {
        w->first[row] = 0;
    }
}

/* Converts counts in first[row + 1] to starts, shifted by one: filling advances each to its
 * row's end, the start of the next row. */
static int64_t counts_to_starts(mo_walls *w, int64_t rows)
{
    int64_t sum = 0;
    for (int64_t row = 0; row < rows; ++row) {
        int64_t count = w->first[row + 1];
        w->first[row + 1] = sum;
        sum += count;
    }
    return sum;
}

static mote_status make_entries(mo_fluid *f, mo_range_fn *meet, mote_error *error)
{
    mo_walls *w = &f->walls;
    layout l = {f, false};
    MO_TRY(
        mo_reserve(f->memory, &w->first, &w->first_capacity, f->rows + 1, sizeof *w->first, error));
    clear_counts(w, f->rows);
    mo_parallel_for(f->pool, f->rows, GRAIN, meet, &l);
    w->entry_count = counts_to_starts(w, f->rows);
    MO_TRY(mo_reserve(f->memory, &w->entries, &w->entry_capacity, w->entry_count,
                      sizeof *w->entries, error));
    l.fill = true;
    mo_parallel_for(f->pool, f->rows, GRAIN, meet, &l);
    return MOTE_OK;
}

/* The velocity of the solid's surface at the row; `normal` need not be normalised. */
static void set_velocity(mo_wall_entry *e, const mo_collider *solid, mo_vec3 x, mo_vec3 normal)
{
    mo_vec3 v = mo_collider_velocity(solid, x, mo_unit(normal, mo_vec3_make(0, 0, 1)));
    e->velocity[0] = (float)v.x;
    e->velocity[1] = (float)v.y;
    e->velocity[2] = (float)v.z;
}

mo_wall_sum mo_wall_entries_evaluate(mo_fluid *f, int64_t row)
{
    mo_walls *w = &f->walls;
    mo_wall_sum sum = {0};
    for (int64_t k = w->first[row]; k < w->first[row + 1]; ++k) {
        mo_wall_entry *e = &w->entries[k];
        const mo_wall_piece *p = &w->pieces[e->piece];
        mo_vec3 x = mo_add(mo_fluid_position(f, row), mo_walls_image(w, e->image));
        float local[3], derivative, volume_derivative;
        float s = mo_solid_map_at(&p->map, mo_pose_undo(&p->solid.pose, x), local);
        mo_vec3 n = mo_mat3_apply(
            p->solid.pose.R, mo_vec3_make((double)local[0], (double)local[1], (double)local[2]));
        const double normal[3] = {n.x, n.y, n.z};
        sum.density += mo_half_space_at(&w->law, s, &derivative);
        derivative = w->derivative_of ? w->derivative_of(w, s) : derivative;
        sum.volume += mo_half_space_at(&w->volume, s, &volume_derivative);
        set_velocity(e, &p->solid, x, n);
        e->distance = s * (float)f->support;
        for (int c = 0; c < 3; ++c) {
            e->gradient[c] = derivative * (float)normal[c];
            e->normal[c] = (float)(normal[c] * f->support);
            sum.gradient[c] += e->gradient[c];
            sum.flow += e->gradient[c] * e->velocity[c];
        }
    }
    return sum;
}

/* ---- of samples ---- */

/* The image of its solid that a sample, or a periodic copy of one, belongs to. */
static int image_of(const mo_walls *w, int64_t j)
{
    int64_t sample = mo_halo_row(w->halo, j);
    return w->periodic ? mo_walls_image_of(w, mo_sub(mo_vec3_load(w->x + 3 * sample),
                                                     mo_vec3_load(w->halo->x + 3 * j)))
                       : mo_walls_image_of(w, mo_vec3_make(0, 0, 0));
}

/* The entry of a row among [from, to) for sample j; `to` if there is none yet. */
static int64_t find_entry(const mo_walls *w, int64_t from, int64_t to, int32_t piece, int32_t image)
{
    int64_t k = from;
    while (k < to && (w->entries[k].piece != piece || w->entries[k].image != image)) {
        ++k;
    }
    return k;
}

/* Distinct solids of a row; beyond this number duplicates are counted, which wastes memory. */
enum { SEEN = 16 };

static void meet_samples(void *context, int64_t first, int64_t last)
{
    const layout *l = context;
    mo_walls *w = &l->fluid->walls;
    for (int64_t row = first; row < last; ++row) {
        int32_t seen[SEEN][2];
        int known = 0;
        int64_t start = w->lists->start[row];
        for (int64_t at = start; at < start + w->lists->count[row]; ++at) {
            int64_t j = w->lists->index[at];
            int32_t piece = w->sample_piece[mo_halo_row(w->halo, j)], image = image_of(w, j);
            int k = 0;
            while (k < known && (seen[k][0] != piece || seen[k][1] != image)) {
                ++k;
            }
            if (k < known) {
                continue;
            }
            if (known < SEEN) {
                seen[known][0] = piece;
                seen[known++][1] = image;
            }
            if (l->fill) {
                w->entries[w->first[row + 1]] = (mo_wall_entry){.piece = piece, .image = image};
            }
            w->first[row + 1]++;
        }
    }
}

/* Adds g_ib x_ib of all samples of a row, or that times their pressures k, to a vector of the
 * entries. */
static void sum_pairs(mo_fluid *f, int64_t row, const float *k)
{
    mo_walls *w = &f->walls;
    int64_t from = w->first[row], to = w->first[row + 1];
    mo_fluid_row r = mo_fluid_wall_row_of(f, row);
    for (int64_t at = r.first; at < r.last; at += 8) {
        mo_fluid_pairs p = mo_fluid_wall_pairs_at(f, &r, at);
        for (int lane = 0; lane < 8 && at + lane < r.last; ++lane) {
            int64_t j = p.j[lane];
            mo_wall_entry *e = &w->entries[find_entry(
                w, from, to, w->sample_piece[mo_halo_row(w->halo, j)], image_of(w, j))];
            float *sum = k ? e->traction : e->gradient,
                  strength = k ? p.gradient_factor[lane] * k[j] : p.gradient_factor[lane];
            sum[0] += strength * p.x[lane];
            sum[1] += strength * p.y[lane];
            sum[2] += strength * p.z[lane];
        }
    }
}

/* Gradients by pairs; distances by the collider. */
static void sum_samples(mo_fluid *f, int64_t row)
{
    mo_walls *w = &f->walls;
    int64_t from = w->first[row], to = w->first[row + 1];
    for (int64_t k = from; k < to; ++k) {
        mo_wall_entry *e = &w->entries[k];
        mo_vec3 normal, x = mo_add(mo_fluid_position(f, row), mo_walls_image(w, e->image));
        const mo_collider *solid = &w->pieces[e->piece].solid;
        e->distance = (float)mo_collider_gap(solid, x, &normal);
        e->normal[0] = (float)normal.x;
        e->normal[1] = (float)normal.y;
        e->normal[2] = (float)normal.z;
        e->gradient[0] = e->gradient[1] = e->gradient[2] = 0;
        set_velocity(e, solid, x, normal);
    }
    sum_pairs(f, row, NULL);
}

static void refresh_samples(void *context, int64_t first, int64_t last)
{
    for (int64_t row = first; row < last; ++row) {
        sum_samples(context, row);
    }
}

static void tractions_of_rows(void *context, int64_t first, int64_t last)
{
    mo_fluid *f = context;
    for (int64_t row = first; row < last; ++row) {
        for (int64_t k = f->walls.first[row]; k < f->walls.first[row + 1]; ++k) {
            memset(f->walls.entries[k].traction, 0, sizeof f->walls.entries[k].traction);
        }
        sum_pairs(f, row, f->walls.layers.k);
    }
}

void mo_wall_entries_tractions(mo_fluid *f)
{
    if (f->walls.layers.lists && f->walls.entry_count > 0) {
        mo_parallel_for(f->pool, f->rows, GRAIN, tractions_of_rows, f);
    }
}

void mo_wall_entries_refresh(mo_fluid *f)
{
    if (f->walls.lists && f->walls.entry_count >= 0) {
        mo_parallel_for(f->pool, f->rows, GRAIN, refresh_samples, f);
    }
}

mote_status mo_wall_entries_layout(mo_fluid *f, mote_error *error)
{
    mo_walls *w = &f->walls;
    w->entry_count = -1; /* not created */
    if (w->maps && w->piece_count > 0) {
        return make_entries(f, visit_solids, error);
    }
    return w->lists && w->responder ? make_entries(f, meet_samples, error) : MOTE_OK;
}

mote_status mo_wall_entries_need(mo_fluid *f, mote_error *error)
{
    if (f->walls.lists && f->walls.entry_count < 0) {
        MO_TRY(make_entries(f, meet_samples, error));
        mo_wall_entries_refresh(f);
    }
    return MOTE_OK;
}
