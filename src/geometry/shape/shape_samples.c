/*
 * Samples of a shape given by its distance alone: marching cubes at half the spacing give
 * triangles, which are sampled, and each sample is projected onto the shape along the normal. Sharp
 * edges and corners are slightly truncated.
 */
#include "geometry/shape/shape_samples.h"
#include "geometry/grid/isosurface.h"
#include "geometry/sample/sample_features.h"
#include "geometry/shape/facets.h"

static const double WIDTH = 0.5; /* of a cube, in spacings */
static const double BLOCKS_MAX = 1 << 18;

/* Projects onto the shape; two steps, since the distance may not be smooth at the first. */
static mo_vec3 project(void *context, mo_vec3 x, mo_vec3 *normal)
{
    const mo_method *shape = context;
    for (int k = 0; k < 2; ++k) {
        double p[3], n[3], distance;
        mo_vec3_store(p, x);
        mo_shape_distances(*shape, 1, p, &distance, n);
        *normal = mo_vec3_load(n);
        x = mo_add_scaled(x, -distance, *normal);
    }
    return x;
}

/* The sampled region: the shape's bounds clipped to the box. */
static mote_status box_of(mo_method shape, const mo_sampling *how, mo_vec3 *low, mo_vec3 *high,
                          mote_error *error)
{
    const mo_shape_type *type = (const mo_shape_type *)shape.type;
    if (!type->bounds(shape.params, low, high)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "%s: it is unbounded and cannot be sampled from its signed distance",
                       type->base.name);
    }
    double blocks = 1, side = 8 * WIDTH * how->spacing;
    for (int axis = 0; axis < 3; ++axis) {
        blocks *= (mo_vec3_at(*high, axis) - mo_vec3_at(*low, axis)) / side + 2;
    }
    return blocks <= BLOCKS_MAX ? MOTE_OK : mo_sample_count_check((double)INFINITY, how, error);
}

/* Blocks that intersect the inside, with a margin. */
static mote_status add_blocks(mo_sparse_grid *grid, mo_method shape, mo_vec3 low, mo_vec3 high,
                              mote_error *error)
{
    int32_t from[3], to[3], at[3];
    double side = MO_GRID_X * grid->width;
    for (int axis = 0; axis < 3; ++axis) {
        from[axis] = mo_grid_block_of((int64_t)floor(mo_vec3_at(low, axis) / grid->width) - 2);
        to[axis] = mo_grid_block_of((int64_t)ceil(mo_vec3_at(high, axis) / grid->width) + 2);
    }
    for (at[2] = from[2]; at[2] <= to[2]; ++at[2]) {
        for (at[1] = from[1]; at[1] <= to[1]; ++at[1]) {
            for (at[0] = from[0]; at[0] <= to[0]; ++at[0]) {
                double middle[3] = {(at[0] + 0.5) * side, (at[1] + 0.5) * side,
                                    (at[2] + 0.5) * side},
                       distance;
                int64_t index;
                mo_shape_distances(shape, 1, middle, &distance, NULL);
                if (distance <
                    1.2 * side) { /* half its diagonal is 0.87, and some cubes of margin */
                    MO_TRY(mo_sparse_grid_add(grid, (mo_grid_block){{at[0], at[1], at[2]}}, &index,
                                              error));
                }
            }
        }
    }
    return MOTE_OK;
}

static void fill_values(mo_sparse_grid *grid, mo_method shape)
{
    for (int64_t b = 0; b < grid->count; ++b) {
        const int32_t *at = grid->block[b].at;
        for (int row = 0; row < MO_GRID_ROWS; ++row) {
            double x[3 * MO_GRID_X], distance[MO_GRID_X];
            for (int i = 0; i < MO_GRID_X; ++i) {
                x[3 * i] = grid->width * (double)(mo_grid_first_node(at[0]) + i);
                x[3 * i + 1] = grid->width * (double)(mo_grid_first_node(at[1]) + row % MO_GRID_Y);
                x[3 * i + 2] = grid->width * (double)(mo_grid_first_node(at[2]) + row / MO_GRID_Y);
            }
            mo_shape_distances(shape, MO_GRID_X, x, distance, NULL);
            for (int i = 0; i < MO_GRID_X; ++i) {
                grid->value[b * MO_GRID_NODES + row * MO_GRID_X + i] = (float)-distance[i];
            }
        }
    }
}

static mote_status sample(mo_method shape, mo_sparse_grid *grid, mo_trimesh *mesh, mo_pool *pool,
                          const mo_sampling *how, mo_samples *samples, mote_error *error)
{
    mo_vec3 low, high;
    MO_TRY(box_of(shape, how, &low, &high, error));
    MO_TRY(add_blocks(grid, shape, low, high, error));
    MO_TRY(mo_sparse_grid_reserve_values(grid, error));
    grid->outside = -1;
    fill_values(grid, shape);
    MO_TRY(mo_isosurface_extract(grid, pool, mesh, error));
    if (mesh->triangles == 0) {
        return MOTE_OK; /* smaller than a cube */
    }
    if (how->dimension == 2) {
        return mo_sample_section(mesh, how, samples, error);
    }
    return mo_sample_surface(mesh, shape.type->name, how, project, &shape, samples, error);
}

mote_status mo_sample_by_distance(mo_method shape, const mo_sampling *how, mo_samples *samples,
                                  mote_error *error)
{
    mo_sparse_grid grid;
    mo_trimesh mesh;
    mo_pool *pool = NULL;
    mo_sparse_grid_init(&grid, samples->memory, WIDTH * how->spacing);
    mo_trimesh_init(&mesh, samples->memory);
    mote_status status = how->pool ? MOTE_OK : mo_pool_create(samples->memory, 1, &pool, error);
    if (status == MOTE_OK) {
        status = sample(shape, &grid, &mesh, how->pool ? how->pool : pool, how, samples, error);
    }
    mo_pool_destroy(pool);
    mo_trimesh_release(&mesh);
    mo_sparse_grid_release(&grid);
    return status;
}

/* A shape with closed facets: these are sampled, and the samples projected onto the shape. */
static mote_status sample_facets(mo_method shape, const mo_sampling *how, mo_samples *samples,
                                 mote_error *error)
{
    mo_shape_region region = {.edge = WIDTH * how->spacing};
    mo_facets facets;
    mo_facets_init(&facets, samples->memory);
    mote_status status = mo_shape_facets(shape, &region, &facets, error);
    mo_trimesh mesh = mo_facets_mesh(&facets);
    if (status == MOTE_OK) {
        status = how->dimension == 2 ? mo_sample_section(&mesh, how, samples, error)
                                     : mo_sample_surface(&mesh, shape.type->name, how, project,
                                                         &shape, samples, error);
    }
    mo_facets_release(&facets);
    return status;
}

static mote_status sample_any(mo_method shape, const mo_sampling *how, mo_samples *samples,
                              mote_error *error)
{
    const mo_shape_type *type = (const mo_shape_type *)shape.type;
    return type->sample ? type->sample(shape.params, how, samples, error)
           : type->facets && type->base.capabilities & MO_SHAPE_EXACT
               ? sample_facets(shape, how, samples, error)
               : mo_sample_by_distance(shape, how, samples, error);
}

mote_status mo_sample_shape(mo_method shape, const mo_sampling *how, mo_samples *samples,
                            mote_error *error)
{
    int64_t first = samples->count;
    if (!(how->spacing > 0) || !isfinite(how->spacing)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "boundary: boundary particles need a spacing above 0, not %g", how->spacing);
    }
    mote_status status = sample_any(shape, how, samples, error);
    if (status != MOTE_OK) {
        samples->count = first;
        return status;
    }
    mo_samples_finish(samples, first, how);
    return MOTE_OK;
}
