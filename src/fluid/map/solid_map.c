#include "fluid/map/solid_map.h"

#include "fluid/map/ray_integral.h"

#include <math.h>
#include <string.h>

/* Cells along a side of a block, and nodes: splines need one node beyond each side. */
enum { CELLS = 4, NODES = CELLS + 3, GRAIN = 8 };

/* Deviation from a plane below which gaps are those of a plane, in spacings. */
static const double FLAT = 1e-6;

typedef struct building {
    mo_solid_map *map;
    const mo_map_solid *solid;
    mo_ray_integral rays;
    double reach;
    int64_t count; /* of blocks with nodes */
    int64_t *list; /* their indices */
    float *own;    /* the nodes computed by each */
} building;

static int layers(const mo_solid_map *m)
{
    return m->dimension == 3 ? NODES : 1;
}

static int64_t nodes_of_block(const mo_solid_map *m)
{
    return (int64_t)NODES * NODES * layers(m);
}

/* ---- blocks ---- */

/* Adds the blocks of a cube of `size` blocks per side whose cells are within reach of the
 * surface. */
static mote_status add_blocks(building *b, const int32_t at[3], int32_t size, mote_error *error)
{
    mo_solid_map *m = b->map;
    bool flat = m->dimension == 2;
    double side = CELLS * m->width, x[3], gap;
    for (int c = 0; c < 3; ++c) {
        x[c] = c == 2 && flat ? 0 : (at[c] + 0.5 * size) * side;
    }
    b->solid->gap(b->solid->context, 1, x, &gap, NULL);
    if (!(fabs(gap) <= b->reach + sqrt(flat ? 0.5 : 0.75) * size * side)) {
        return MOTE_OK;
    }
    if (size == 1) {
        int64_t index;
        return mo_sparse_grid_add(&m->grid, (mo_grid_block){{at[0], at[1], at[2]}}, &index, error);
    }
    int32_t half = size / 2;
    for (int k = 0; k < (flat ? 4 : 8); ++k) {
        int32_t part[3] = {at[0] + (k & 1 ? half : 0), at[1] + (k & 2 ? half : 0),
                           at[2] + (k & 4 ? half : 0)};
        MO_TRY(add_blocks(b, part, half, error));
    }
    return MOTE_OK;
}

static mote_status find_blocks(building *b, mote_error *error)
{
    mo_solid_map *m = b->map;
    double low[3], high[3], side = CELLS * m->width, longest = 0;
    int32_t first[3] = {0}, size = 1;
    mo_vec3_store(low, b->solid->low);
    mo_vec3_store(high, b->solid->high);
    for (int c = 0; c < m->dimension; ++c) {
        double from = floor((low[c] - b->reach) / side), to = ceil((high[c] + b->reach) / side);
        if (!(fabs(from) < 1e9 && fabs(to) < 1e9)) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "a collider from %g to %g m is too large for a fluid.spacing of %g m",
                           low[c], high[c], m->width);
        }
        first[c] = (int32_t)from;
        longest = fmax(longest, to - from);
    }
    while (size < longest) {
        size *= 2;
    }
    return add_blocks(b, first, size, error);
}

/* ---- planes ---- */

/* Whether all gaps within `half` of the centre x are those of the tangent plane. */
static bool is_plane(const building *b, const double x[3], double half, mo_solid_map_block *plane)
{
    enum { PROBES = 5 };
    double points[3 * PROBES * PROBES * PROBES], gap[PROBES * PROBES * PROBES], normal[3], middle;
    bool flat = b->map->dimension == 2;
    int count = 0;
    b->solid->gap(b->solid->context, 1, x, &middle, normal);
    plane->normal = mo_vec3_load(normal);
    plane->offset = mo_dot(plane->normal, mo_vec3_load(x)) - middle;
    for (int k = 0; k < PROBES * PROBES * (flat ? 1 : PROBES); ++k, ++count) {
        const int at[3] = {k % PROBES, k / PROBES % PROBES,
                           flat ? PROBES / 2 : k / (PROBES * PROBES)};
        for (int c = 0; c < 3; ++c) {
            points[3 * k + c] = x[c] + half * (2.0 * at[c] / (PROBES - 1) - 1);
        }
    }
    b->solid->gap(b->solid->context, count, points, gap, NULL);
    for (int k = 0; k < count; ++k) {
        double there = mo_dot(plane->normal, mo_vec3_load(points + 3 * k)) - plane->offset;
        if (!(fabs(gap[k] - there) <= FLAT * b->map->width)) {
            return false;
        }
    }
    return true;
}

static void find_planes(void *context, int64_t first, int64_t last)
{
    const building *b = context;
    mo_solid_map *m = b->map;
    double side = CELLS * m->width;
    for (int64_t k = first; k < last; ++k) {
        double x[3];
        for (int c = 0; c < 3; ++c) {
            x[c] = c < m->dimension ? (m->grid.block[k].at[c] + 0.5) * side : 0;
        }
        m->block[k].first = is_plane(b, x, 0.5 * side + m->width + m->reach, &m->block[k]) ? -1 : 0;
    }
}

/* ---- nodes ---- */

/* Every node belongs to one block, which computes it; blocks have copies of the adjacent nodes. */
enum { OWN = CELLS * CELLS * CELLS };

static int64_t own_of_block(const mo_solid_map *m)
{
    return m->dimension == 3 ? OWN : CELLS * CELLS;
}

static double node_value(const building *b, const int64_t node[3])
{
    double x[3] = {0, 0, 0};
    for (int c = 0; c < b->map->dimension; ++c) {
        x[c] = (double)node[c] * b->map->width;
    }
    return mo_ray_integral_distance(&b->rays, b->solid, mo_vec3_load(x));
}

static void compute_nodes(void *context, int64_t first, int64_t last)
{
    const building *b = context;
    const mo_solid_map *m = b->map;
    for (int64_t k = first; k < last; ++k) {
        const int32_t *at = m->grid.block[b->list[k]].at;
        for (int64_t n = 0; n < own_of_block(m); ++n) {
            const int64_t node[3] = {(int64_t)at[0] * CELLS + n % CELLS,
                                     (int64_t)at[1] * CELLS + n / CELLS % CELLS,
                                     (int64_t)at[2] * CELLS + n / (CELLS * CELLS)};
            b->own[k * own_of_block(m) + n] = (float)node_value(b, node);
        }
    }
}

/* A node computed by another block, or of a plane or missing block. */
static float value_of(const building *b, const int64_t node[3])
{
    const mo_solid_map *m = b->map;
    mo_grid_block where;
    int64_t in[3];
    for (int c = 0; c < 3; ++c) {
        where.at[c] = (int32_t)(node[c] >= 0 ? node[c] / CELLS : -((CELLS - 1 - node[c]) / CELLS));
        in[c] = node[c] - (int64_t)where.at[c] * CELLS;
    }
    int64_t k = mo_sparse_grid_find(&m->grid, where);
    if (k < 0 || m->block[k].first < 0) {
        return (float)node_value(b, node);
    }
    int64_t number = m->block[k].first / nodes_of_block(m);
    return b->own[number * own_of_block(m) + (in[2] * CELLS + in[1]) * CELLS + in[0]];
}

static void fill_nodes(void *context, int64_t first, int64_t last)
{
    const building *b = context;
    const mo_solid_map *m = b->map;
    for (int64_t k = first; k < last; ++k) {
        float *s = m->node + k * nodes_of_block(m);
        const int32_t *at = m->grid.block[b->list[k]].at;
        for (int64_t n = 0; n < nodes_of_block(m); ++n) {
            const int64_t node[3] = {
                (int64_t)at[0] * CELLS + n % NODES - 1,
                (int64_t)at[1] * CELLS + n / NODES % NODES - 1,
                m->dimension == 3 ? (int64_t)at[2] * CELLS + n / (NODES * NODES) - 1 : 0};
            s[n] = value_of(b, node);
        }
    }
}

static mote_status fill_blocks(building *b, mo_pool *pool, mote_error *error)
{
    mo_solid_map *m = b->map;
    void *list, *own;
    MO_TRY(mo_allocate_array(m->memory, m->grid.count, sizeof *b->list, &list, error));
    b->list = list;
    for (int64_t k = 0; k < m->grid.count; ++k) {
        if (m->block[k].first >= 0) {
            m->block[k].first = nodes_of_block(m) * b->count;
            b->list[b->count++] = k;
        }
    }
    mote_status status =
        mo_allocate_array(m->memory, b->count * own_of_block(m), sizeof *b->own, &own, error);
    if (status == MOTE_OK) {
        b->own = own;
        status = mo_reserve(m->memory, &m->node, &m->node_capacity, nodes_of_block(m) * b->count,
                            sizeof *m->node, error);
        if (status == MOTE_OK) {
            mo_parallel_for(pool, b->count, 1, compute_nodes, b);
            mo_parallel_for(pool, b->count, 1, fill_nodes, b);
        }
        mo_release(m->memory, own);
    }
    mo_release(m->memory, list);
    return status;
}

static mote_status build(building *b, mo_pool *pool, mote_error *error)
{
    mo_solid_map *m = b->map;
    MO_TRY(find_blocks(b, error));
    MO_TRY(mo_reserve(m->memory, &m->block, &m->block_capacity, m->grid.count, sizeof *m->block,
                      error));
    mo_parallel_for(pool, m->grid.count, GRAIN, find_planes, b);
    return m->grid.count > 0 ? fill_blocks(b, pool, error) : MOTE_OK;
}

mote_status mo_solid_map_build(mo_solid_map *m, const mo_map_solid *solid,
                               const mo_half_space *half_space, int dimension, double support,
                               double spacing, double reach, mo_memory *memory, mo_pool *pool,
                               mote_error *error)
{
    *m = (mo_solid_map){.memory = memory,
                        .dimension = dimension,
                        .support = support,
                        .width = 0.5 * spacing,
                        .unbounded = !solid->bounded};
    building b = {.map = m,
                  .solid = solid,
                  .rays = mo_ray_integral_make(half_space, dimension, support),
                  .reach = reach};
    m->reach = b.rays.reach * support;
    mo_sparse_grid_init(&m->grid, memory, m->width);
    if (!m->unbounded) {
        return build(&b, pool, error);
    }
    const double origin[3] = {0, 0, 0};
    MO_TRY(mo_reserve(memory, &m->block, &m->block_capacity, 1, sizeof *m->block, error));
    m->block[0].first = -1;
    return is_plane(&b, origin, 1, &m->block[0])
               ? MOTE_OK
               : mo_fail(error, MOTE_ERROR_INPUT,
                         "an unbounded collider must be a plane to be a fluid boundary");
}

void mo_solid_map_release(mo_solid_map *m)
{
    mo_sparse_grid_release(&m->grid);
    mo_release(m->memory, m->block);
    mo_release(m->memory, m->node);
    *m = (mo_solid_map){0};
}

/* ---- evaluation ---- */

/* Catmull-Rom weights of four nodes at u in [0, 1) between the middle two, and their
 * derivatives. */
static void spline(float u, float w[4], float d[4])
{
    float u2 = u * u, u3 = u2 * u;
    w[0] = 0.5f * (-u3 + 2 * u2 - u);
    w[1] = 0.5f * (3 * u3 - 5 * u2 + 2);
    w[2] = 0.5f * (-3 * u3 + 4 * u2 + u);
    w[3] = 0.5f * (u3 - u2);
    d[0] = 0.5f * (-3 * u2 + 4 * u - 1);
    d[1] = 0.5f * (9 * u2 - 10 * u);
    d[2] = 0.5f * (-9 * u2 + 8 * u + 1);
    d[3] = 0.5f * (3 * u2 - 2 * u);
}

/* Value and derivatives of the spline of a block; `cell` from 0 in the block. */
static float interpolate(const mo_solid_map *m, const float *node, const int cell[3],
                         const float u[3], float gradient[3])
{
    float w[3][4], d[3][4], value = 0;
    int deep = m->dimension == 3 ? 4 : 1;
    spline(u[0], w[0], d[0]);
    spline(u[1], w[1], d[1]);
    spline(u[2], w[2], d[2]);
    if (deep == 1) {
        w[2][0] = 1;
        d[2][0] = 0;
    }
    gradient[0] = gradient[1] = gradient[2] = 0;
    for (int k = 0; k < deep; ++k) {
        for (int j = 0; j < 4; ++j) {
            const float *p =
                node + (((int64_t)(deep == 1 ? 0 : cell[2]) + k) * NODES + cell[1] + j) * NODES +
                cell[0];
            float row = p[0] * w[0][0] + p[1] * w[0][1] + p[2] * w[0][2] + p[3] * w[0][3];
            float derivative = p[0] * d[0][0] + p[1] * d[0][1] + p[2] * d[0][2] + p[3] * d[0][3];
            value += row * w[1][j] * w[2][k];
            gradient[0] += derivative * w[1][j] * w[2][k];
            gradient[1] += row * d[1][j] * w[2][k];
            gradient[2] += row * w[1][j] * d[2][k];
        }
    }
    return value;
}

static float plane_at(const mo_solid_map *m, const mo_solid_map_block *plane, mo_vec3 x,
                      float gradient[3])
{
    gradient[0] = (float)(plane->normal.x / m->support);
    gradient[1] = (float)(plane->normal.y / m->support);
    gradient[2] = (float)(plane->normal.z / m->support);
    return (float)((mo_dot(plane->normal, x) - plane->offset) / m->support);
}

float mo_solid_map_at(const mo_solid_map *m, mo_vec3 x, float gradient[3])
{
    double at[3] = {x.x / m->width, x.y / m->width, m->dimension == 3 ? x.z / m->width : 0};
    int cell[3];
    float u[3];
    mo_grid_block where;
    if (m->unbounded) {
        return plane_at(m, &m->block[0], x, gradient);
    }
    for (int c = 0; c < 3; ++c) {
        double whole = floor(at[c]), block = floor(whole / CELLS);
        if (!(fabs(block) < 2e9)) {
            gradient[0] = gradient[1] = gradient[2] = 0;
            return INFINITY;
        }
        where.at[c] = (int32_t)block;
        cell[c] = (int)(whole - block * CELLS);
        u[c] = (float)(at[c] - whole);
    }
    int64_t k = mo_sparse_grid_find(&m->grid, where);
    if (k < 0) {
        gradient[0] = gradient[1] = gradient[2] = 0;
        return INFINITY;
    }
    if (m->block[k].first < 0) {
        return plane_at(m, &m->block[k], x, gradient);
    }
    float s = interpolate(m, m->node + m->block[k].first, cell, u, gradient);
    for (int c = 0; c < 3; ++c) {
        gradient[c] /= (float)m->width;
    }
    return s;
}
