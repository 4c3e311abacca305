#include "fluid/boundary/surface_samples.h"

#include "fluid/boundary/extent.h"
#include "geometry/shape/shape_samples.h"
#include "math/portable.h"

#include <math.h>

enum { SELF };

/* V = 1/sum W over the samples [first, last), as a separate set. */
static mote_status find_volumes(mo_fluid *f, int64_t first, int64_t last, mote_error *error)
{
    mo_domain everywhere = f->domain;
    mo_search *search;
    int set;
    MO_TRY(mo_search_create((mo_method){0}, &everywhere, f->memory, &search, error));
    mo_search_set points = {last - first, f->walls.x + 3 * first};
    mote_status status = mo_search_add_set(search, f->support, &set, error);
    status = status == MOTE_OK ? mo_search_ask(search, SELF, SELF, MO_LISTS_FULL, error) : status;
    status = status == MOTE_OK ? mo_search_build(search, &points, f->pool, error) : status;
    const mo_lists *lists = status == MOTE_OK ? mo_search_lists(search, SELF, SELF) : NULL;
    const double *x = status == MOTE_OK ? mo_search_halo(search, SELF)->x : NULL;
    double cell = mo_power(f->support, f->dimension);
    for (int64_t row = 0; lists && row < points.rows; ++row) {
        double sum = mo_kernel_w(&f->kernel, 0);
        for (int32_t k = 0; k < lists->count[row]; ++k) {
            mo_vec3 way =
                mo_sub(mo_vec3_load(x + 3 * row),
                       mo_vec3_load(x + 3 * (int64_t)lists->index[lists->start[row] + k]));
            sum += mo_kernel_w(&f->kernel, mo_length(way) / f->support);
        }
        f->walls.volumes[first + row] = cell / sum;
    }
    mo_search_destroy(search);
    return status;
}

/* Static colliders first, as one set; then each moving one. */
static mote_status set_volumes(mo_fluid *f, int64_t still, mote_error *error)
{
    mo_walls_move(&f->walls, 0, f->support);
    MO_TRY(find_volumes(f, 0, still, error));
    for (int p = 0; p < f->walls.piece_count; ++p) {
        const mo_wall_piece *piece = &f->walls.pieces[p];
        if (piece->solid.motion.type) {
            MO_TRY(find_volumes(f, piece->first, piece->first + piece->count, error));
        }
    }
    return MOTE_OK;
}

/* Unbounded shapes are sampled within the extent and a margin; along periodic axes within one
 * period. */
static mo_sampling sampling_of(const mo_fluid *f, const mo_extent *e, double margin,
                               const mo_collider *solid)
{
    mo_sampling how = mo_sampling_make(f->spacing, f->dimension);
    const mo_shape_type *shape = (const mo_shape_type *)solid->shape.type;
    double low[3], high[3], widest = mo_extent_widest(e);
    mo_vec3_store(low, how.low);
    mo_vec3_store(high, how.high);
    mo_vec3 a, b;
    how.inside = solid->inside;
    how.pool = f->pool;
    double beyond = isnan(margin) ? widest : margin;
    for (int k = 0; k < 3; ++k) {
        double length = f->domain.high[k] - f->domain.low[k];
        if (f->domain.periodic[k]) {
            low[k] = f->domain.low[k];
            high[k] = f->domain.high[k] - length / fmax(1, floor(length / f->spacing + 0.5));
        } else if (!shape->bounds(solid->shape.params, &a, &b) && widest > 0) {
            low[k] = e->low[k] - beyond;
            high[k] = e->high[k] + beyond;
        }
    }
    how.low = mo_vec3_load(low);
    how.high = mo_vec3_load(high);
    return how;
}

/* Samples are on the surface; moves their layer to a depth. */
static void sink(const mo_collider *solid, double depth, mo_samples *points)
{
    for (int64_t k = 0; k < points->count; ++k) {
        mo_vec3 x = mo_vec3_load(points->x + 3 * k), n;
        mo_collider_local_gap(solid, x, &n);
        mo_vec3_store(points->x + 3 * k, mo_add_scaled(x, -depth, n));
    }
}

static mote_status sample_solid(mo_fluid *f, double depth, const mo_collider *solid, int64_t number,
                                const mo_sampling *how, mote_error *error)
{
    mo_samples points;
    mo_samples_init(&points, f->memory);
    mote_status status = mo_walls_add(&f->walls, solid, (int)number, error);
    status = status == MOTE_OK ? mo_sample_shape(solid->shape, how, &points, error) : status;
    if (status == MOTE_OK) {
        sink(solid, depth, &points);
        status = mo_walls_add_samples(&f->walls, points.count, points.x, error);
    }
    mo_samples_release(&points);
    return status;
}

static mote_status sample_solids(mo_fluid *f, const mo_colliders *colliders, double depth,
                                 double margin, bool moving, mote_error *error)
{
    mo_extent e = mo_extent_of(f, colliders);
    for (int64_t k = 0; k < colliders->count; ++k) {
        if ((colliders->list[k].motion.type != NULL) != moving) {
            continue;
        }
        mo_sampling how = sampling_of(f, &e, margin, &colliders->list[k]);
        MO_TRY(sample_solid(f, depth, &colliders->list[k], k, &how, error));
    }
    return MOTE_OK;
}

mote_status mo_surface_samples_add_solid(mo_fluid *f, const mo_collider *solid, int number,
                                         double depth, mote_error *error)
{
    mo_colliders none = {0};
    mo_extent e = mo_extent_of(f, &none);
    mo_sampling how = sampling_of(f, &e, NAN, solid);
    int64_t first = f->walls.count;
    MO_TRY(sample_solid(f, depth, solid, number, &how, error));
    mo_wall_piece *piece = &f->walls.pieces[f->walls.piece_count - 1];
    for (int64_t k = first; k < f->walls.count; ++k) { /* volumes depend on distances alone */
        mo_vec3_store(f->walls.x + 3 * k, mo_vec3_load(f->walls.rest + 3 * k));
    }
    return find_volumes(f, piece->first, piece->first + piece->count, error);
}

mote_status mo_surface_samples_add(mo_fluid *f, const mo_colliders *colliders, double depth,
                                   double margin, mote_error *error)
{
    MO_TRY(sample_solids(f, colliders, depth, margin, false, error));
    int64_t still = f->walls.count;
    MO_TRY(sample_solids(f, colliders, depth, margin, true, error));
    return set_volumes(f, still, error);
}
