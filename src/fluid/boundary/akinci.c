/*
 * Boundary particles: N. Akinci et al. 2012, ACM Trans. Graph. 31, 62. One layer of samples on the surface of every collider, at
 * the fluid's spacing, each with the volume that the samples around it leave it,
 *     V_b = 1/sum_b' W_bb'                                                            (eq. 4)
 * so that a surface that is sampled unevenly is felt evenly. To the fluid a sample is a particle at rest density with the
 * pressure of the particle it meets (fluid.h). Samples of colliders that stand still see each other; those of one that moves
 * see only their own, so that volumes never change.
 */
#include "fluid/boundary/boundary.h"
#include "geometry/box_points.h"

#include <math.h>

enum { SELF };

/* V = 1/sum W over the samples [first, last), which are a set of their own. */
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
    mo_places places = status == MOTE_OK ? mo_search_places(search, SELF) : (mo_places){0};
    double cell = pow(f->support, f->dimension);
    for (int64_t row = 0; lists && row < points.rows; ++row) {
        double sum = mo_kernel_w(&f->kernel, 0);
        for (int32_t k = 0; k < lists->count[row]; ++k) {
            mo_vec3 way = mo_sub(mo_vec3_load(places.x + 3 * row),
                                 mo_vec3_load(places.x + 3 * (int64_t)lists->index[lists->start[row] + k]));
            sum += mo_kernel_w(&f->kernel, mo_length(way) / f->support);
        }
        f->walls.volume[first + row] = cell / sum;
    }
    mo_search_destroy(search);
    return status;
}

/* Those that stand first, as one set; then each that moves. */
static mote_status set_volumes(mo_fluid *f, int64_t still, mote_error *error)
{
    mo_walls_move(&f->walls, 0);
    MO_TRY(find_volumes(f, 0, still, error));
    for (int p = 0; p < f->walls.piece_count; ++p) {
        const mo_wall_piece *piece = &f->walls.pieces[p];
        if (piece->motion.type) {
            MO_TRY(find_volumes(f, piece->first, piece->first + piece->count, error));
        }
    }
    return MOTE_OK;
}

static mote_status sample_solids(mo_fluid *f, const mo_solid *solids, int64_t count, bool moving,
                                 mote_error *error)
{
    for (int64_t k = 0; k < count; ++k) {
        if ((solids[k].motion.type != NULL) != moving) {
            continue;
        }
        mo_points points = {0};
        mote_status status =
            mo_sample_box(solids[k].shape, f->spacing, f->dimension, f->memory, &points, error);
        status = status == MOTE_OK
                     ? mo_walls_add(&f->walls, (int)k, solids[k].motion, points.count, points.x, error)
                     : status;
        mo_release(f->memory, points.x);
        MO_TRY(status);
    }
    return MOTE_OK;
}

static mote_status sample(const void *params, mo_fluid *f, const mo_solid *solids, int64_t count,
                          mote_error *error)
{
    (void)params;
    MO_TRY(sample_solids(f, solids, count, false, error));
    int64_t still = f->walls.count;
    MO_TRY(sample_solids(f, solids, count, true, error));
    return set_volumes(f, still, error);
}

static const mo_param PARAMS[] = {{0}};

const mo_boundary_type mo_boundary_akinci = {
    .base =
        {.name = "akinci",
         .summary =
             "One layer of boundary particles on every collider, with volumes that even out the sampling.",
         .citation = "Akinci, Ihmsen, Akinci, Solenthaler, Teschner 2012, ACM Trans. Graph. 31, 62",
         .capabilities = MO_PORTABLE,
         .params = PARAMS},
    .sample = sample,
};
