#include "fluid/sph/wall_entries.h"

#include "collide/collider.h"

#include <math.h>

enum { GRAIN = MO_FLUID_GRAIN };

/* Margin of entries beyond the support, in spacings, since particles move within a step while
 * entries are fixed. */
static const double MARGIN = 0.5;

/* ---- of maps and bare solids ---- */

typedef struct layout {
    mo_fluid *fluid;
    bool fill;
} layout;

/* Rows are tested in batches: with the solids near their block, then with those near the batch. */
enum { BATCH = 16, CANDIDATES = 64 };

typedef struct bounds {
    double low[3], high[3];
} bounds;

static bounds bound_rows(const mo_vec3 *x, int64_t count)
{
    bounds b = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int64_t k = 0; k < count; ++k) {
        const double at[3] = {x[k].x, x[k].y, x[k].z};
        for (int c = 0; c < 3; ++c) {
            b.low[c] = at[c] < b.low[c] ? at[c] : b.low[c];
            b.high[c] = at[c] > b.high[c] ? at[c] : b.high[c];
        }
    }
    return b;
}

static bool overlap(const bounds *a, const bounds *b)
{
    bool apart = false;
    for (int c = 0; c < 3; ++c) {
        apart = apart || a->high[c] < b->low[c] || a->low[c] > b->high[c];
    }
    return !apart;
}

/* The distance from a solid beyond which rows have no entry. */
static double reach_beyond(const mo_fluid *f)
{
    return fmax(f->support, f->walls.range) + MARGIN * f->spacing;
}

/* The box of the rows that an image of a solid may reach. Containers reach all. */
static bounds reach_of(const mo_fluid *f, const mo_collider *solid, mo_vec3 image)
{
    double reach = reach_beyond(f), by[3];
    bounds b;
    mo_vec3_store(by, image);
    for (int c = 0; c < 3; ++c) {
        bool limited = solid->bounded && !solid->inside;
        b.low[c] = limited ? solid->low[c] - by[c] - reach : -INFINITY;
        b.high[c] = limited ? solid->high[c] - by[c] + reach : INFINITY;
    }
    return b;
}

/* Whether a point is within `reach` of a solid's bounds, which `b` has extended by it. */
static bool is_near(mo_vec3 x, const bounds *b, double reach)
{
    const double at[3] = {x.x, x.y, x.z};
    double square = 0;
    for (int c = 0; c < 3; ++c) {
        double below = b->low[c] + reach - at[c], above = at[c] - (b->high[c] - reach);
        double out = below > above ? below : above;
        square += out > 0 ? out * out : 0;
    }
    return square <= reach * reach;
}

/* Whether a solid is not much larger than a particle: its map is then not evaluated to choose
 * entries, since nearly all rows near its bounds have one; the map of others is zero. */
static bool is_small(const mo_fluid *f, const mo_collider *solid)
{
    bool small = solid->bounded && !solid->inside;
    for (int c = 0; c < 3; ++c) {
        small = small && solid->high[c] - solid->low[c] <= 2 * f->spacing;
    }
    return small;
}

/* Images of solids near a block of rows, in the order of the entries. */
typedef struct candidates {
    double reach;
    int count;
    struct {
        int piece, number;
        bool small;
        mo_vec3 image;
        bounds reach;
    } list[CANDIDATES];
} candidates;

/* The distance of a point from a solid, in supports. */
static float distance_from(const mo_fluid *f, const mo_wall_piece *p, mo_vec3 x)
{
    float gradient[3];
    mo_vec3 normal;
    return f->walls.bare ? (float)(mo_collider_gap(&p->solid, x, &normal) / f->support)
                         : mo_solid_map_at(&p->map, mo_pose_undo(&p->solid.pose, x), gradient);
}

/* Whether the images of a solid along a periodic axis are one continuous solid. */
static bool is_endless(const mo_walls *w, const mo_collider *solid, int axis)
{
    return w->domain.periodic[axis] && solid->bounded && !solid->inside &&
           solid->high[axis] - solid->low[axis] >= mo_domain_period(&w->domain, axis);
}

/* Whether two images of a solid are one. */
static bool is_continued(const mo_walls *w, const mo_collider *solid, mo_vec3 image, mo_vec3 other)
{
    double by[3];
    mo_vec3_store(by, mo_sub(image, other));
    for (int c = 0; c < 3; ++c) {
        if (by[c] != 0 && !is_endless(w, solid, c)) {
            return false;
        }
    }
    return true;
}

/* Of images that are one solid only the nearest to a row has an entry, of equals the first. */
static bool is_nearest(const mo_fluid *f, const mo_wall_piece *p, mo_vec3 image, mo_vec3 row,
                       float distance)
{
    const mo_collider *solid = &p->solid;
    bool before = true;
    for (int k = 0; k < solid->image_count; ++k) {
        mo_vec3 by = mo_sub(solid->image[k], image);
        if (mo_dot(by, by) == 0) {
            before = false;
        } else if (is_continued(&f->walls, solid, image, solid->image[k])) {
            float other = distance_from(f, p, mo_add(row, solid->image[k]));
            if (other < distance || (other == distance && before)) {
                return false;
            }
        }
    }
    return true;
}

/* Counts the entries of a batch and one image of a solid, or writes them. */
static void visit_solid(const layout *l, const candidates *near, int k, const mo_vec3 *x,
                        int64_t first, int64_t count)
{
    mo_walls *w = &l->fluid->walls;
    const mo_wall_piece *p = &w->pieces[near->list[k].piece];
    float most = (float)(reach_beyond(l->fluid) / l->fluid->support);
    for (int64_t n = 0; n < count; ++n) {
        int64_t row = first + n;
        if (!is_near(x[n], &near->list[k].reach, near->reach)) {
            continue;
        }
        mo_vec3 image = near->list[k].image;
        float distance = near->list[k].small ? 0 : distance_from(l->fluid, p, mo_add(x[n], image));
        bool reached = near->list[k].small ||
                       (distance < most && is_nearest(l->fluid, p, image, x[n], distance));
        if (!reached) {
            continue;
        }
        if (l->fill) { /* `first` of the next row is the position of this row's next entry */
            w->entries[w->first[row + 1]] =
                (mo_wall_entry){.piece = near->list[k].piece, .image = near->list[k].number};
        }
        w->first[row + 1]++;
    }
}

static void visit_candidates(const layout *l, candidates *near, int64_t first, int64_t last)
{
    for (int64_t row = first; row < last && near->count > 0; row += BATCH) {
        int64_t count = last - row < BATCH ? last - row : BATCH;
        mo_vec3 x[BATCH];
        for (int64_t n = 0; n < count; ++n) {
            x[n] = mo_fluid_position(l->fluid, row + n);
        }
        bounds batch = bound_rows(x, count);
        for (int k = 0; k < near->count; ++k) {
            if (overlap(&batch, &near->list[k].reach)) {
                visit_solid(l, near, k, x, row, count);
            }
        }
    }
    near->count = 0;
}

static void visit_solids(void *context, int64_t first, int64_t last)
{
    const layout *l = context;
    const mo_walls *w = &l->fluid->walls;
    mo_vec3 x[GRAIN];
    candidates near = {.reach = reach_beyond(l->fluid)};
    MOTE_ASSERT(last - first <= GRAIN);
    for (int64_t row = first; row < last; ++row) {
        x[row - first] = mo_fluid_position(l->fluid, row);
    }
    bounds block = bound_rows(x, last - first);
    for (int p = 0; p < w->piece_count; ++p) {
        const mo_collider *solid = &w->pieces[p].solid;
        for (int k = 0; k < solid->image_count && !w->pieces[p].absent; ++k) {
            bounds reach = reach_of(l->fluid, solid, solid->image[k]);
            if (!overlap(&block, &reach)) {
                continue;
            }
            int number = mo_walls_image_of(w, solid->image[k]), at = near.count++;
            near.list[at].piece = p;
            near.list[at].number = number;
            near.list[at].small = is_small(l->fluid, solid);
            near.list[at].image = solid->image[k];
            near.list[at].reach = reach;
            if (near.count == CANDIDATES) {
                visit_candidates(l, &near, first, last);
            }
        }
    }
    visit_candidates(l, &near, first, last);
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

/* The image of its solid that a sample, or a periodic copy of one, belongs to; along axes on which
 * the solid is endless that of its middle. */
static int image_of(const mo_walls *w, int64_t j)
{
    int64_t sample = mo_halo_row(w->halo, j);
    const mo_collider *solid = &w->pieces[w->sample_piece[sample]].solid;
    double by[3] = {0, 0, 0};
    for (int c = 0; w->periodic && c < 3; ++c) {
        double length = mo_domain_period(&w->domain, c),
               middle = 0.5 * (solid->low[c] + solid->high[c]) - w->domain.low[c];
        by[c] = is_endless(w, solid, c) ? floor(middle / length) * length
                                        : w->x[3 * sample + c] - w->halo->x[3 * j + c];
    }
    return mo_walls_image_of(w, mo_vec3_load(by));
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

/* Distances by the collider; no gradients yet. */
static void measure_distances(mo_fluid *f, int64_t row)
{
    mo_walls *w = &f->walls;
    for (int64_t k = w->first[row]; k < w->first[row + 1]; ++k) {
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
}

/* Gradients by pairs. */
static void refresh_rows(void *context, int64_t first, int64_t last)
{
    mo_fluid *f = context;
    for (int64_t row = first; row < last; ++row) {
        measure_distances(f, row);
        if (!f->walls.bare) {
            sum_pairs(f, row, NULL);
        }
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
    if ((f->walls.lists || f->walls.bare) && f->walls.entry_count >= 0) {
        mo_parallel_for(f->pool, f->rows, GRAIN, refresh_rows, f);
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
    if ((f->walls.lists || f->walls.bare) && f->walls.entry_count < 0) {
        MO_TRY(make_entries(f, f->walls.bare ? visit_solids : meet_samples, error));
        mo_wall_entries_refresh(f);
    }
    return MOTE_OK;
}
