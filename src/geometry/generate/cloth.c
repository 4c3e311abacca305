/*
 * A parallelogram of cloth: a grid of nodes with structural, shear and bending edges (along the
 * grid, across its cells, and over two cells).
 */
#include "geometry/generate/generate.h"
#include "geometry/mesh/volume.h"

typedef struct cloth {
    mo_vec3 origin, u, v;
    int64_t columns, rows;
    bool shear, bend;
} cloth;

static const mo_param PARAMS[] = {{"origin", MO_VEC3, MO_FIELD(cloth, origin), .unit = "m",
                                   .initial = "[0, 0, 0]", .doc = "The corner u0v0."},
                                  {"u", MO_VEC3, MO_FIELD(cloth, u), .unit = "m",
                                   .initial = "[1, 0, 0]", .doc = "Side vector along u."},
                                  {"v", MO_VEC3, MO_FIELD(cloth, v), .unit = "m",
                                   .initial = "[0, 1, 0]", .doc = "Side vector along v."},
                                  {"columns", MO_INT, MO_FIELD(cloth, columns), .initial = "20",
                                   .range = "[2, 1e5]", .doc = "Nodes along u."},
                                  {"rows", MO_INT, MO_FIELD(cloth, rows), .initial = "20",
                                   .range = "[2, 1e5]", .doc = "Nodes along v."},
                                  {"shear", MO_BOOL, MO_FIELD(cloth, shear), .initial = "true",
                                   .doc = "Cell diagonals as edges "
                                          "(shear springs)."},
                                  {"bend", MO_BOOL, MO_FIELD(cloth, bend), .initial = "true",
                                   .doc = "Edges over two cells (bending springs)."},
                                  {0}};

static mote_status cloth_check(const void *params, mote_error *error)
{
    const cloth *c = params;
    if (!(mo_length(mo_cross(c->u, c->v)) > 0)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "v: the sides u and v must not be parallel or zero");
    }
    return mo_mesh_check_size("columns", (double)c->columns * (double)c->rows, error);
}

/* The node in column i and row j, or -1 outside. */
static int64_t node_at(const cloth *c, int64_t i, int64_t j)
{
    return i < 0 || j < 0 || i >= c->columns || j >= c->rows ? -1 : j * c->columns + i;
}

static mote_status join(mo_mesh *mesh, int64_t a, int64_t b, mo_edge_kind kind, mote_error *error)
{
    return a < 0 || b < 0 ? MOTE_OK : mo_mesh_add_edge(mesh, a, b, kind, error);
}

static mote_status add_edges(const cloth *c, int64_t i, int64_t j, mo_mesh *mesh, mote_error *error)
{
    int64_t here = node_at(c, i, j);
    MO_TRY(join(mesh, here, node_at(c, i + 1, j), MO_EDGE_STRETCH, error));
    MO_TRY(join(mesh, here, node_at(c, i, j + 1), MO_EDGE_STRETCH, error));
    if (c->shear) {
        MO_TRY(join(mesh, here, node_at(c, i + 1, j + 1), MO_EDGE_SHEAR, error));
        MO_TRY(join(mesh, node_at(c, i + 1, j), node_at(c, i, j + 1), MO_EDGE_SHEAR, error));
    }
    if (c->bend) {
        MO_TRY(join(mesh, here, node_at(c, i + 2, j), MO_EDGE_BEND, error));
        MO_TRY(join(mesh, here, node_at(c, i, j + 2), MO_EDGE_BEND, error));
    }
    return MOTE_OK;
}

static mote_status add_triangles(const cloth *c, int64_t i, int64_t j, mo_mesh *mesh,
                                 mote_error *error)
{
    int64_t a = node_at(c, i, j), b = node_at(c, i + 1, j), d = node_at(c, i, j + 1);
    int64_t e = node_at(c, i + 1, j + 1);
    if (e < 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_mesh_add_triangle(mesh, a, b, e, error));
    return mo_mesh_add_triangle(mesh, a, e, d, error);
}

static mote_status add_to_sets(const cloth *c, int64_t i, int64_t j, mo_mesh *mesh,
                               mote_error *error)
{
    int64_t node = node_at(c, i, j);
    bool u0 = i == 0, u1 = i == c->columns - 1, v0 = j == 0, v1 = j == c->rows - 1;
    struct {
        bool member;
        const char *name;
    } sets[] = {{true, "all"},      {u0, "u0"},         {u1, "u1"},
                {v0, "v0"},         {v1, "v1"},         {u0 && v0, "u0v0"},
                {u1 && v0, "u1v0"}, {u0 && v1, "u0v1"}, {u1 && v1, "u1v1"}};
    for (size_t k = 0; k < sizeof sets / sizeof *sets; ++k) {
        if (sets[k].member) {
            MO_TRY(mo_mesh_add_to_set(mesh, sets[k].name, node, error));
        }
    }
    return MOTE_OK;
}

static mote_status cloth_build(const void *params, mo_mesh *mesh, mote_error *error)
{
    const cloth *c = params;
    int64_t n = c->columns, m = c->rows;
    mesh->dimension = 2;
    mesh->spacing = fmin(mo_length(c->u) / (double)(n - 1), mo_length(c->v) / (double)(m - 1));
    MO_TRY(
        mo_mesh_reserve(mesh, n * m, (2 + 2 * c->shear + 2 * c->bend) * n * m, 2 * n * m, error));
    for (int64_t j = 0; j < m; ++j) {
        for (int64_t i = 0; i < n; ++i) {
            mo_vec3 x = mo_add_scaled(c->origin, (double)i / (double)(n - 1), c->u);
            MO_TRY(mo_mesh_add_node(mesh, mo_add_scaled(x, (double)j / (double)(m - 1), c->v), 0,
                                    error));
            MO_TRY(add_edges(c, i, j, mesh, error));
            MO_TRY(add_triangles(c, i, j, mesh, error));
            MO_TRY(add_to_sets(c, i, j, mesh, error));
        }
    }
    mo_mesh_lump(mesh);
    return MOTE_OK;
}

const mo_mesh_type mo_mesh_cloth = {
    .base =
        {.name = "cloth",
         .summary =
             "A parallelogram of cloth. Sets: its sides u0 u1 v0 v1, its corners u0v0 u1v0 u0v1 "
             "u1v1, all.",
         .capabilities = MO_PORTABLE,
         .param_size = sizeof(cloth),
         .params = PARAMS,
         .check = cloth_check},
    .build = cloth_build,
};
