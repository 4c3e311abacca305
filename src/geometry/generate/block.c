/*
 * A box of lattice points. Either a spring lattice, with springs along the axes, and across the
 * faces of the cells against shear; or divided into tetrahedra, five or six per cell (cells.h).
 */
#include "geometry/generate/generate.h"
#include "geometry/mesh/cells.h"
#include "geometry/mesh/volume.h"

typedef struct block {
    mo_vec3 min, max;
    int64_t nx, ny, nz, tetrahedra;
    bool shear;
} block;

static const mo_param PARAMS[] = {
    {"min", MO_VEC3, MO_FIELD(block, min), .unit = "m", .initial = "[0, 0, 0]",
     .doc = "Lower corner."},
    {"max", MO_VEC3, MO_FIELD(block, max), .unit = "m", .initial = "[1, 1, 1]",
     .doc = "Upper corner."},
    {"nx", MO_INT, MO_FIELD(block, nx), .initial = "8", .range = "[2, 1e5]",
     .doc = "Nodes along x."},
    {"ny", MO_INT, MO_FIELD(block, ny), .initial = "8", .range = "[2, 1e5]",
     .doc = "Nodes along y."},
    {"nz", MO_INT, MO_FIELD(block, nz), .initial = "8", .range = "[2, 1e5]",
     .doc = "Nodes along z."},
    {"shear", MO_BOOL, MO_FIELD(block, shear), .initial = "true",
     .doc =
         "Face and cell diagonals as edges; a block of springs collapses without them. Tetrahedra "
         "have their own."},
    {"tetrahedra", MO_INT, MO_FIELD(block, tetrahedra), .initial = "0", .range = "[0, 6]",
     .doc = "Tetrahedra per cell: 5 in mirrored orientations, 6 in equal orientation, or 0 for "
            "springs only."},
    {0}};

static mote_status block_check(const void *params, mote_error *error)
{
    const block *b = params;
    if (!(b->min.x < b->max.x && b->min.y < b->max.y && b->min.z < b->max.z)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "max: each component must be greater than that of "
                       "min");
    }
    if (b->tetrahedra != 0) {
        MO_TRY(mo_cells_check(b->tetrahedra, error));
    }
    return mo_mesh_check_size("nx", (double)b->nx * (double)b->ny * (double)b->nz, error);
}

static int64_t node_at(const block *b, int64_t i, int64_t j, int64_t k)
{
    bool outside = i < 0 || j < 0 || k < 0 || i >= b->nx || j >= b->ny || k >= b->nz;
    return outside ? -1 : (k * b->ny + j) * b->nx + i;
}

/* Half of the 26 neighbours: the three along the axes first, then the diagonals. */
static const int8_t STEPS[13][3] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1},  {1, 1, 0},  {1, -1, 0},
                                    {1, 0, 1},  {-1, 0, 1}, {0, 1, 1},  {0, -1, 1}, {1, 1, 1},
                                    {-1, 1, 1}, {1, -1, 1}, {-1, -1, 1}};

static mote_status add_edges(const block *b, int64_t i, int64_t j, int64_t k, mo_mesh *mesh,
                             mote_error *error)
{
    int count = b->shear ? 13 : 3;
    for (int s = 0; s < count; ++s) {
        int64_t other = node_at(b, i + STEPS[s][0], j + STEPS[s][1], k + STEPS[s][2]);
        if (other >= 0) {
            mo_edge_kind kind = s < 3 ? MO_EDGE_STRETCH : MO_EDGE_SHEAR;
            MO_TRY(mo_mesh_add_edge(mesh, node_at(b, i, j, k), other, kind, error));
        }
    }
    return MOTE_OK;
}

/* Two triangles for the cell face with the corners a, b, c, d in counter-clockwise order seen from
 * outside.
 */
static mote_status add_face(mo_mesh *mesh, int64_t a, int64_t b, int64_t c, int64_t d,
                            mote_error *error)
{
    MO_TRY(mo_mesh_add_triangle(mesh, a, b, c, error));
    return mo_mesh_add_triangle(mesh, a, c, d, error);
}

static mote_status add_surface(const block *b, mo_mesh *mesh, mote_error *error)
{
    int64_t n[3] = {b->nx, b->ny, b->nz};
    for (int axis = 0; axis < 3; ++axis) {
        int p = (axis + 1) % 3, q = (axis + 2) % 3;
        for (int side = 0; side < 2; ++side) {
            for (int64_t s = 0; s + 1 < n[p]; ++s) {
                for (int64_t t = 0; t + 1 < n[q]; ++t) {
                    int64_t corner[4];
                    for (int c = 0; c < 4; ++c) {
                        int64_t at[3];
                        at[axis] = side ? n[axis] - 1 : 0;
                        at[p] = s + (c == 1 || c == 2);
                        at[q] = t + (c >= 2);
                        corner[c] = node_at(b, at[0], at[1], at[2]);
                    }
                    MO_TRY(add_face(mesh, corner[0], corner[side ? 1 : 3], corner[2],
                                    corner[side ? 3 : 1], error));
                }
            }
        }
    }
    return MOTE_OK;
}

static mote_status add_to_sets(const block *b, int64_t i, int64_t j, int64_t k, mo_mesh *mesh,
                               mote_error *error)
{
    int64_t node = node_at(b, i, j, k);
    struct {
        bool member;
        const char *name;
    } sets[] = {{true, "all"},          {i == 0, "x0"}, {i == b->nx - 1, "x1"}, {j == 0, "y0"},
                {j == b->ny - 1, "y1"}, {k == 0, "z0"}, {k == b->nz - 1, "z1"}};
    for (size_t s = 0; s < sizeof sets / sizeof *sets; ++s) {
        if (sets[s].member) {
            MO_TRY(mo_mesh_add_to_set(mesh, sets[s].name, node, error));
        }
    }
    return MOTE_OK;
}

static double end_weight(int64_t i, int64_t n)
{
    return i == 0 || i == n - 1 ? 0.5 : 1;
}

static mote_status block_build(const void *params, mo_mesh *mesh, mote_error *error)
{
    const block *b = params;
    int64_t nx = b->nx, ny = b->ny, nz = b->nz;
    mo_vec3 span = mo_sub(b->max, b->min);
    mo_vec3 cell = {span.x / (double)(nx - 1), span.y / (double)(ny - 1),
                    span.z / (double)(nz - 1)};
    mesh->dimension = 3;
    mesh->spacing = fmin(cell.x, fmin(cell.y, cell.z));
    int64_t edges = b->tetrahedra ? 0 : (b->shear ? 13 : 3) * nx * ny * nz;
    MO_TRY(mo_mesh_reserve(mesh, nx * ny * nz, edges, 0, error));
    for (int64_t k = 0; k < nz; ++k) {
        for (int64_t j = 0; j < ny; ++j) {
            for (int64_t i = 0; i < nx; ++i) {
                mo_vec3 step = {(double)i * cell.x, (double)j * cell.y, (double)k * cell.z};
                double share = end_weight(i, nx) * end_weight(j, ny) * end_weight(k, nz) * cell.x *
                               cell.y * cell.z;
                MO_TRY(mo_mesh_add_node(mesh, mo_add(b->min, step), share, error));
                MO_TRY(b->tetrahedra ? MOTE_OK : add_edges(b, i, j, k, mesh, error));
                MO_TRY(add_to_sets(b, i, j, k, mesh, error));
            }
        }
    }
    if (b->tetrahedra) {
        MO_TRY(mo_cells_cut(mesh, nx, ny, nz, b->tetrahedra, error));
        return mo_mesh_finish_volume(mesh, error);
    }
    return add_surface(b, mesh, error);
}

const mo_mesh_type mo_mesh_block = {
    .base = {.name = "block",
             .summary = "A box of lattice points. Sets: its faces x0 x1 y0 y1 z0 z1, all.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(block),
             .params = PARAMS,
             .check = block_check},
    .build = block_build,
};
