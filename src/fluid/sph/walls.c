#include "fluid/sph/walls.h"

#include "base/hash.h"
#include "fluid/map/distance_grid.h"
#include "geometry/shape/shape.h"
#include "geometry/trimesh/trimesh.h"

#include <math.h>
#include <string.h>

static mo_boundary_kernel plain(double weight)
{
    return (mo_boundary_kernel){{weight, 0, 0, 0}};
}

void mo_walls_init(mo_walls *w, mo_memory *memory, const mo_domain *domain)
{
    *w = (mo_walls){.memory = memory, .domain = *domain, .mirror = 1, .weight = 1};
    w->periodic = mo_domain_periodic(domain);
}

void mo_walls_release(mo_walls *w)
{
    void *const arrays[] = {w->first,    w->entries,        w->rest,         w->x,
                            w->v,        w->volumes,        w->sample_piece, w->packed,
                            w->velocity, w->gradient_factor};
    for (int p = 0; p < w->piece_count; ++p) {
        if (!w->pieces[p].shares_map) {
            mo_solid_map_release(&w->pieces[p].map);
        }
    }
    mo_release(w->memory, w->pieces);
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) {
        mo_release(w->memory, arrays[k]);
    }
}

static mo_boundary_kernel law_of(const mo_walls *w, const mo_kernel *kernel, int dimension,
                                 double spacing)
{
    mo_kernel own = mo_kernel_make(w->own_type, dimension, 1);
    return w->even && !w->sampled ? mo_boundary_kernel_even(kernel, dimension, spacing)
           : w->plain             ? plain(w->weight)
           : w->sampled ? mo_boundary_kernel_sampled(kernel, &own, dimension, spacing, w->soft)
                        : mo_boundary_kernel_make(kernel, dimension, spacing, w->soft);
}

void mo_walls_set_kernel(mo_walls *w, const mo_kernel *kernel, int dimension, double spacing)
{
    w->own_type = kernel->type;
    w->kernel = law_of(w, kernel, dimension, spacing);
    mo_half_space_make(&w->law, kernel, dimension, &w->kernel);
    mo_boundary_kernel w_alone = plain(1);
    mo_half_space_make(&w->volume, kernel, dimension, &w_alone);
}

void mo_walls_set_sampled_kernel(mo_walls *w, const mo_kernel *kernel, int dimension,
                                 double spacing)
{
    w->sampled = true;
    mo_walls_set_kernel(w, kernel, dimension, spacing);
}

mo_wall_law mo_walls_law(mo_walls *w, const mo_kernel *kernel, int dimension, double spacing)
{
    if (kernel->type == w->own_type) {
        return (mo_wall_law){&w->kernel, &w->law};
    }
    if (w->piece_count > 0 && w->other_type != kernel->type) {
        w->other_type = kernel->type;
        w->other_kernel = law_of(w, kernel, dimension, spacing);
        mo_half_space_make(&w->other, kernel, dimension, &w->other_kernel);
    }
    return (mo_wall_law){&w->other_kernel, &w->other};
}

mote_status mo_walls_add(mo_walls *w, const mo_collider *solid, int collider, mote_error *error)
{
    MO_TRY(mo_reserve(w->memory, &w->pieces, &w->piece_capacity, w->piece_count + 1,
                      sizeof *w->pieces, error));
    w->pieces[w->piece_count++] =
        (mo_wall_piece){.solid = *solid, .collider = collider, .body = -1, .first = w->count};
    w->moves = w->moves || mo_motion_moves(solid->motion);
    return MOTE_OK;
}

mote_status mo_walls_add_samples(mo_walls *w, int64_t count, const double *x, mote_error *error)
{
    int64_t all = w->count + count;
    MO_TRY(mo_reserve(w->memory, &w->sample_piece, &w->sample_piece_capacity, all, sizeof(int32_t),
                      error));
    MO_TRY(mo_reserve(w->memory, &w->rest, &w->rest_capacity, 3 * all, sizeof(double), error));
    MO_TRY(mo_reserve(w->memory, &w->x, &w->x_capacity, 3 * all + 1, sizeof(double), error));
    MO_TRY(mo_reserve(w->memory, &w->v, &w->v_capacity, 3 * all + 1, sizeof(double), error));
    MO_TRY(mo_reserve(w->memory, &w->volumes, &w->volumes_capacity, all, sizeof(double), error));
    if (count > 0) { /* no array for distant solids */
        memcpy(w->rest + 3 * w->count, x, (size_t)count * 3 * sizeof(double));
        memset(w->volumes + w->count, 0, (size_t)count * sizeof(double));
        for (int64_t k = w->count; k < all; ++k) {
            w->sample_piece[k] = w->piece_count - 1;
        }
    }
    w->pieces[w->piece_count - 1].count += count;
    w->count = all;
    return MOTE_OK;
}

/* ---- maps ---- */

/* Gaps in the frame of the collider. */
static void local_gaps(const void *context, int64_t count, const double *x, double *gap,
                       double *normal)
{
    mo_collider_local_gaps(context, count, x, gap, normal);
}

static bool local_chord(const void *context, mo_vec3 x, mo_vec3 u, double *enter, double *leave)
{
    return mo_shape_chord(((const mo_collider *)context)->shape, x, u, enter, leave);
}

static int local_intervals(const void *context, mo_vec3 x, mo_vec3 u, double *ends)
{
    mo_interval list[MO_INTERVALS_MOST];
    int count = mo_shape_intervals(((const mo_collider *)context)->shape, x, u, list);
    for (int k = 0; k < count; ++k) {
        ends[2 * k] = list[k].from;
        ends[2 * k + 1] = list[k].to;
    }
    return count;
}

/* Grids with more blocks are cached in files: they take about a second to build. */
enum { WORTH_KEEPING = 1000 };

static const char *file_of(mo_method shape)
{
    for (const mo_param *p = shape.type->params; p && p->name; ++p) {
        if (p->type == MO_FILE) {
            return *(const char *const *)((const char *)shape.params + p->offset);
        }
    }
    return NULL;
}

static uint64_t checksum_of(const mo_trimesh *mesh, bool inside, double width, double band)
{
    uint64_t hash = mo_hash_word(0, (uint64_t)mesh->vertices);
    hash = mo_hash_word(hash, (uint64_t)mesh->triangles);
    hash = mo_hash_bytes(hash, mesh->x, 3 * (size_t)mesh->vertices * sizeof *mesh->x);
    hash = mo_hash_bytes(hash, mesh->corner, 3 * (size_t)mesh->triangles * sizeof *mesh->corner);
    return mo_hash_double(mo_hash_double(mo_hash_word(hash, inside), width), band);
}

/* Distances of a mesh within the range of its map's rays. Grids of shapes with a mesh as operand
 * are not cached. */
static mote_status grid_of_mesh(const mo_wall_piece *piece, mo_distance_grid *grid, mo_pool *pool,
                                mote_error *error)
{
    const mo_shape_type *shape = (const mo_shape_type *)piece->solid.shape.type;
    const mo_trimesh *mesh = shape->surface ? shape->surface(piece->solid.shape.params) : NULL;
    const char *file = mesh ? file_of(piece->solid.shape) : NULL;
    uint64_t checksum = mesh ? checksum_of(mesh, piece->solid.inside, grid->width, grid->band) : 0;
    if (file && mo_distance_grid_load(grid, file, checksum)) {
        return MOTE_OK;
    }
    MO_TRY(mo_distance_grid_build(grid, pool, error));
    if (file && grid->blocks.count > WORTH_KEEPING) {
        mo_distance_grid_save(grid, file, checksum);
    }
    return MOTE_OK;
}

static mote_status add_mesh_map(mo_walls *w, mo_wall_piece *piece, const mo_map_solid *solid,
                                double support, double spacing, mo_pool *pool, mote_error *error)
{
    mo_distance_grid grid;
    mo_distance_grid_init(&grid, solid, 0.5 * spacing, 2 * support + 2 * spacing, w->memory);
    mote_status status = grid_of_mesh(piece, &grid, pool, error);
    if (status == MOTE_OK) {
        mo_map_solid sampled = *solid;
        sampled.gap = mo_distance_grid_gaps;
        sampled.intervals = NULL; /* their context differs */
        sampled.context = &grid;
        status = mo_solid_map_build(&piece->map, &sampled, &w->law, 3, support, spacing,
                                    support + 2 * spacing, w->memory, pool, error);
    }
    mo_distance_grid_release(&grid);
    return status;
}

mote_status mo_walls_add_map(mo_walls *w, int dimension, double support, double spacing,
                             mo_pool *pool, mote_error *error)
{
    mo_wall_piece *piece = &w->pieces[w->piece_count - 1];
    mo_method shape = piece->solid.shape;
    mo_map_solid solid = {
        .gap = local_gaps,
        .chord = mo_shape_has_chord(shape) ? local_chord : NULL,
        .intervals = ((const mo_shape_type *)shape.type)->intervals ? local_intervals : NULL,
        .context = &piece->solid,
        .inside = piece->solid.inside};
    solid.bounded = mo_shape_bounds(shape, &solid.low, &solid.high);
    if (mo_shape_has_mesh(shape) && solid.bounded && dimension == 3) {
        return add_mesh_map(w, piece, &solid, support, spacing, pool, error);
    }
    return mo_solid_map_build(&piece->map, &solid, &w->law, dimension, support, spacing,
                              support + 2 * spacing, w->memory, pool, error);
}

void mo_walls_share_map(mo_walls *w, int piece)
{
    mo_wall_piece *last = &w->pieces[w->piece_count - 1];
    last->map = w->pieces[piece].map;
    last->shares_map = true;
}

/* ---- poses ---- */

mo_pose mo_walls_pose(const mo_walls *w, const mo_wall_piece *piece, double time, mo_vec3 *center)
{
    mo_pose pose = mo_motion_pose(piece->solid.motion, time);
    *center = pose.p;
    if (piece->body >= 0) {
        w->responder->pose(w->responder->context, piece->body, time, &pose, center);
    }
    return pose;
}

void mo_walls_move(mo_walls *w, double time, double reach)
{
    for (int p = 0; p < w->piece_count; ++p) {
        mo_wall_piece *piece = &w->pieces[p];
        mo_collider *solid = &piece->solid;
        mo_pose pose = mo_walls_pose(w, piece, time, &piece->center);
        mo_collider_set_pose(solid, &pose, NULL, &w->domain, reach);
        for (int64_t k = piece->first; k < piece->first + piece->count; ++k) {
            mo_vec3 position = mo_pose_apply(&solid->pose, mo_vec3_load(w->rest + 3 * k));
            mo_vec3_store(w->x + 3 * k, position);
            mo_vec3_store(w->v + 3 * k, mo_pose_velocity(&solid->pose, position));
        }
    }
}

/* ---- images ---- */

/* Number of distinguished periods along an axis. */
enum { PERIODS = 256 };

mo_vec3 mo_walls_image(const mo_walls *w, int image)
{
    double away[3];
    for (int c = 0; c < 3; ++c, image /= PERIODS) {
        int periods = image % PERIODS - PERIODS / 2;
        away[c] = periods ? periods * mo_domain_period(&w->domain, c) : 0;
    }
    return mo_vec3_load(away);
}

int mo_walls_image_of(const mo_walls *w, mo_vec3 away)
{
    int image = 0;
    double by[3];
    mo_vec3_store(by, away);
    for (int c = 2; c >= 0; --c) {
        double length = mo_domain_period(&w->domain, c);
        int periods = w->domain.periodic[c] ? (int)lround(by[c] / length) : 0;
        image = image * PERIODS + periods + PERIODS / 2;
    }
    return image;
}
