#include "geometry/grid/isosurface.h"

#include "geometry/grid/cube_table.h"
#include "math/vec3.h"

#include <string.h>

enum {
    BLOCK_GRAIN = 16,
    /* a block with ghost nodes: one below, two above, for the gradient at the nodes 0 to 8 */
    RIM_X = MO_GRID_X + 3,
    RIM_Y = MO_GRID_Y + 3,
    RIM_Z = MO_GRID_Z + 3,
    NEIGHBORS = 27,
    HERE = 13
};

/* Minimum distance of a vertex from a node, in cells. */
static const double SNAP = 1.0 / 64;

/* Crossed edges of a block: for each row and axis one bit per node. */
typedef struct edges {
    uint8_t crossed[MO_GRID_ROWS][3];
    uint16_t before[MO_GRID_ROWS]; /* vertices of earlier rows */
} edges;

typedef struct work {
    const mo_sparse_grid *grid;
    mo_trimesh *mesh;
    mo_cube_table table;
    uint8_t (*inside)[MO_GRID_ROWS]; /* one bit per node */
    edges *edges;
    int64_t *vertex, *triangle; /* counts of a block, then its offsets */
} work;

/* ---- inside flags ---- */

static void sign_range(void *context, int64_t first, int64_t last)
{
    work *w = context;
    for (int64_t b = first; b < last; ++b) {
        const float *value = w->grid->value + b * MO_GRID_NODES;
        for (int row = 0; row < MO_GRID_ROWS; ++row) {
            unsigned bits = 0;
            for (int i = 0; i < MO_GRID_X; ++i) {
                bits |= (unsigned)(value[MO_GRID_X * row + i] > 0) << i;
            }
            w->inside[b][row] = (uint8_t)bits;
        }
    }
}

/* The blocks around block b, -1 if absent: index 13 + dx + 3 dy + 9 dz. */
static void find_neighbors(const mo_sparse_grid *grid, int64_t b, bool below,
                           int64_t near[NEIGHBORS])
{
    for (int k = 0; k < NEIGHBORS; ++k) {
        int d[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
        mo_grid_block at = grid->block[b];
        near[k] = -1;
        if (below || (d[0] >= 0 && d[1] >= 0 && d[2] >= 0)) {
            for (int axis = 0; axis < 3; ++axis) {
                at.at[axis] += d[axis];
            }
            near[k] = k == HERE ? b : mo_sparse_grid_find(grid, at);
        }
    }
}

/* Rows of nine nodes: the block's own and one from the block beyond. */
typedef struct sign_rows {
    unsigned row[MO_GRID_Z + 1][MO_GRID_Y + 1];
} sign_rows;

static unsigned row_bits(const work *w, int64_t block, int row)
{
    return block >= 0 ? w->inside[block][row] : 0;
}

static void gather_signs(const work *w, const int64_t near[NEIGHBORS], sign_rows *s)
{
    for (int k = 0; k <= MO_GRID_Z; ++k) {
        for (int j = 0; j <= MO_GRID_Y; ++j) {
            int block = HERE + 3 * (j / MO_GRID_Y) + 9 * (k / MO_GRID_Z);
            int row = (k % MO_GRID_Z) * MO_GRID_Y + j % MO_GRID_Y;
            s->row[k][j] = row_bits(w, near[block], row) | (row_bits(w, near[block + 1], row) & 1)
                                                               << MO_GRID_X;
        }
    }
}

/* The corners of a cell that are inside. */
static unsigned cell_case(const sign_rows *s, int i, int j, int k)
{
    return (s->row[k][j] >> i & 3) | (s->row[k][j + 1] >> i & 3) << 2 |
           (s->row[k + 1][j] >> i & 3) << 4 | (s->row[k + 1][j + 1] >> i & 3) << 6;
}

/* Whether no cell of the row intersects the surface. */
static bool row_is_plain(const sign_rows *s, int j, int k)
{
    unsigned any = s->row[k][j] | s->row[k][j + 1] | s->row[k + 1][j] | s->row[k + 1][j + 1];
    unsigned all = s->row[k][j] & s->row[k][j + 1] & s->row[k + 1][j] & s->row[k + 1][j + 1];
    return any == 0 || all == 0x1ff;
}

/* ---- counting ---- */

static int64_t mark_edges(const sign_rows *s, edges *e)
{
    int64_t count = 0;
    for (int row = 0; row < MO_GRID_ROWS; ++row) {
        int j = row % MO_GRID_Y, k = row / MO_GRID_Y;
        unsigned here = s->row[k][j];
        e->before[row] = (uint16_t)count;
        e->crossed[row][0] = (uint8_t)(here ^ here >> 1);
        e->crossed[row][1] = (uint8_t)(here ^ s->row[k][j + 1]);
        e->crossed[row][2] = (uint8_t)(here ^ s->row[k + 1][j]);
        for (int axis = 0; axis < 3; ++axis) {
            count += __builtin_popcount(e->crossed[row][axis]);
        }
    }
    return count;
}

static int64_t count_triangles(const work *w, const sign_rows *s)
{
    int64_t count = 0;
    for (int row = 0; row < MO_GRID_ROWS; ++row) {
        int j = row % MO_GRID_Y, k = row / MO_GRID_Y;
        for (int i = 0; i < MO_GRID_X && !row_is_plain(s, j, k); ++i) {
            count += w->table.cases[cell_case(s, i, j, k)].count;
        }
    }
    return count;
}

static void count_range(void *context, int64_t first, int64_t last)
{
    work *w = context;
    for (int64_t b = first; b < last; ++b) {
        int64_t near[NEIGHBORS];
        sign_rows s;
        find_neighbors(w->grid, b, false, near);
        gather_signs(w, near, &s);
        w->vertex[b] = mark_edges(&s, &w->edges[b]);
        w->triangle[b] = count_triangles(w, &s);
    }
}

/* Exclusive prefix sums; the total is after the last. */
static int64_t prefix_sums(int64_t *counts, int64_t count)
{
    int64_t sum = 0;
    for (int64_t k = 0; k < count; ++k) {
        int64_t here = counts[k];
        counts[k] = sum;
        sum += here;
    }
    counts[count] = sum;
    return sum;
}

/* ---- vertices ---- */

typedef struct rim {
    float value[RIM_Z][RIM_Y][RIM_X]; /* node (-1, -1, -1) of the block first */
} rim;

static float value_in(const mo_sparse_grid *grid, int64_t block, int row, int i)
{
    return block >= 0 ? grid->value[block * MO_GRID_NODES + MO_GRID_X * row + i] : grid->outside;
}

static void gather_rim(const mo_sparse_grid *grid, const int64_t near[NEIGHBORS], rim *r)
{
    for (int z = 0; z < RIM_Z; ++z) {
        for (int y = 0; y < RIM_Y; ++y) {
            int j = y - 1 + MO_GRID_Y, k = z - 1 + MO_GRID_Z; /* starting in the block below */
            const int64_t *at = near + 3 * (j / MO_GRID_Y) + 9 * (k / MO_GRID_Z);
            int row = (k % MO_GRID_Z) * MO_GRID_Y + j % MO_GRID_Y;
            float *out = r->value[z][y];
            out[0] = value_in(grid, at[0], row, MO_GRID_X - 1);
            for (int i = 0; i < MO_GRID_X; ++i) {
                out[1 + i] = value_in(grid, at[1], row, i);
            }
            out[MO_GRID_X + 1] = value_in(grid, at[2], row, 0);
            out[MO_GRID_X + 2] = value_in(grid, at[2], row, 1);
        }
    }
}

/* The negative gradient at a node, which points outward; in value per two cells. */
static mo_vec3 negative_gradient(const rim *r, const int n[3])
{
    int i = n[0] + 1, j = n[1] + 1, k = n[2] + 1;
    return mo_vec3_make((double)r->value[k][j][i - 1] - r->value[k][j][i + 1],
                        (double)r->value[k][j - 1][i] - r->value[k][j + 1][i],
                        (double)r->value[k - 1][j][i] - r->value[k + 1][j][i]);
}

/* Position of the zero between two nodes, from the first, clamped away from both. */
static double crossing(double a, double b)
{
    double t = a / (a - b);
    return t < SNAP ? SNAP : t > 1 - SNAP ? 1 - SNAP : t;
}

/* The vertex on the edge along `axis` from node n of block b. */
static void emit_vertex(work *w, int64_t b, const rim *r, const int n[3], int axis, int64_t vertex)
{
    int m[3] = {n[0] + (axis == 0), n[1] + (axis == 1), n[2] + (axis == 2)};
    double t =
        crossing(r->value[n[2] + 1][n[1] + 1][n[0] + 1], r->value[m[2] + 1][m[1] + 1][m[0] + 1]);
    for (int k = 0; k < 3; ++k) {
        double node = (double)(mo_grid_first_node(w->grid->block[b].at[k]) + n[k]);
        w->mesh->x[3 * vertex + k] = w->grid->width * (k == axis ? node + t : node);
    }
    mo_vec3 down =
        mo_add_scaled(mo_scale(1 - t, negative_gradient(r, n)), t, negative_gradient(r, m));
    mo_vec3_store(w->mesh->normal + 3 * vertex, mo_unit(down, mo_vec3_make(0, 0, 0)));
}

static void emit_vertices(work *w, int64_t b)
{
    int64_t near[NEIGHBORS], vertex = w->vertex[b];
    rim r;
    find_neighbors(w->grid, b, true, near);
    gather_rim(w->grid, near, &r);
    for (int row = 0; row < MO_GRID_ROWS; ++row) {
        for (int axis = 0; axis < 3; ++axis) {
            for (unsigned bits = w->edges[b].crossed[row][axis]; bits; bits &= bits - 1) {
                int n[3] = {__builtin_ctz(bits), row % MO_GRID_Y, row / MO_GRID_Y};
                emit_vertex(w, b, &r, n, axis, vertex++);
            }
        }
    }
}

/* ---- triangles ---- */

/* The index of the vertex on an edge of the cell (i, j, k); the edge may belong to a neighbouring
 * block. */
static int32_t vertex_on(const work *w, const int64_t near[NEIGHBORS], const int cell[3], int edge)
{
    int base = w->table.base[edge], axis = edge / 4;
    int i = cell[0] + (base & 1), j = cell[1] + (base >> 1 & 1), k = cell[2] + (base >> 2);
    int64_t b = near[HERE + i / MO_GRID_X + 3 * (j / MO_GRID_Y) + 9 * (k / MO_GRID_Z)];
    int row = (k % MO_GRID_Z) * MO_GRID_Y + j % MO_GRID_Y;
    const edges *e = &w->edges[b];
    int64_t vertex = w->vertex[b] + e->before[row];
    for (int a = 0; a < axis; ++a) {
        vertex += __builtin_popcount(e->crossed[row][a]);
    }
    unsigned below = (1u << i % MO_GRID_X) - 1;
    return (int32_t)(vertex + __builtin_popcount(e->crossed[row][axis] & below));
}

static int32_t *emit_cell(const work *w, const int64_t near[NEIGHBORS], const int cell[3],
                          unsigned inside, int32_t *out)
{
    const mo_cube_case *c = &w->table.cases[inside];
    for (int t = 0; t < c->count; ++t) {
        for (int corner = 0; corner < 3; ++corner) {
            *out++ = vertex_on(w, near, cell, c->edge[t][corner]);
        }
    }
    return out;
}

static void emit_triangles(work *w, int64_t b)
{
    int64_t near[NEIGHBORS];
    sign_rows s;
    int32_t *out = w->mesh->corner + 3 * w->triangle[b];
    find_neighbors(w->grid, b, false, near);
    gather_signs(w, near, &s);
    for (int row = 0; row < MO_GRID_ROWS; ++row) {
        int j = row % MO_GRID_Y, k = row / MO_GRID_Y;
        for (int i = 0; i < MO_GRID_X && !row_is_plain(&s, j, k); ++i) {
            out = emit_cell(w, near, (const int[3]){i, j, k}, cell_case(&s, i, j, k), out);
        }
    }
}

static void emit_range(void *context, int64_t first, int64_t last)
{
    work *w = context;
    for (int64_t b = first; b < last; ++b) {
        if (w->vertex[b + 1] > w->vertex[b]) {
            emit_vertices(w, b);
        }
        if (w->triangle[b + 1] > w->triangle[b]) {
            emit_triangles(w, b);
        }
    }
}

/* ---- isosurface ---- */

static mote_status allocate(work *w, mo_memory *memory, mote_error *error)
{
    void *inside, *edge, *vertex, *triangle;
    int64_t blocks = w->grid->count;
    MO_TRY(mo_allocate_array(memory, blocks, sizeof *w->inside, &inside, error));
    w->inside = inside;
    MO_TRY(mo_allocate_array(memory, blocks, sizeof *w->edges, &edge, error));
    w->edges = edge;
    MO_TRY(mo_allocate_array(memory, blocks + 1, sizeof *w->vertex, &vertex, error));
    w->vertex = vertex;
    MO_TRY(mo_allocate_array(memory, blocks + 1, sizeof *w->triangle, &triangle, error));
    w->triangle = triangle;
    return MOTE_OK;
}

static mote_status extract(work *w, mo_pool *pool, mote_error *error)
{
    int64_t blocks = w->grid->count;
    MO_TRY(allocate(w, w->mesh->memory, error));
    mo_cube_table_make(&w->table);
    mo_parallel_for(pool, blocks, BLOCK_GRAIN, sign_range, w);
    mo_parallel_for(pool, blocks, BLOCK_GRAIN, count_range, w);
    int64_t vertices = prefix_sums(w->vertex, blocks), triangles = prefix_sums(w->triangle, blocks);
    MO_TRY(mo_trimesh_reserve(w->mesh, vertices, triangles, error));
    mo_parallel_for(pool, blocks, BLOCK_GRAIN, emit_range, w);
    return MOTE_OK;
}

mote_status mo_isosurface_extract(const mo_sparse_grid *grid, mo_pool *pool, mo_trimesh *mesh,
                                  mote_error *error)
{
    work w = {.grid = grid, .mesh = mesh};
    mote_status status = extract(&w, pool, error);
    mo_release(mesh->memory, w.inside);
    mo_release(mesh->memory, w.edges);
    mo_release(mesh->memory, w.vertex);
    mo_release(mesh->memory, w.triangle);
    return status;
}
