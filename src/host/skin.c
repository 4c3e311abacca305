#include "host/skin.h"

#include "geometry/mesh/embedding.h"
#include "geometry/trimesh/file.h"
#include "math/quat.h"

#include <string.h>

static const mo_param SKIN[] = {{"file", MO_FILE, MO_FIELD(mo_skin_def, path),
                                 .doc = "Surface mesh (.obj .ply .stl) that is embedded in the "
                                        "body."},
                                MO_PLACING_PARAMS(mo_skin_def, placing),
                                {0}};

const mo_section mo_skin_section = {"skin",
                                    "An embedded surface mesh, deformed by the tetrahedra "
                                    "of its body.",
                                    sizeof(mo_skin_def), .params = SKIN};

static mote_status embed(const mo_trimesh *surface, const mo_mesh *mesh, int64_t first,
                         mo_skin *skin, mote_error *error)
{
    mo_embedding e;
    void *triangles;
    if (mesh->tetrahedron_count == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "the mesh has no tetrahedra to embed a surface in");
    }
    MO_TRY(mo_embed(mesh, surface->x, surface->vertices, &e, error));
    for (int64_t k = 0; k < 4 * e.count; ++k) {
        e.nodes[k] += (int32_t)first;
    }
    skin->vertex_count = e.count;
    skin->rows = e.nodes;
    skin->weights = e.weights;
    MO_TRY(mo_allocate_array(mesh->memory, surface->triangles, 3 * sizeof(int32_t), &triangles,
                             error));
    skin->triangles = triangles;
    skin->triangle_count = surface->triangles;
    memcpy(skin->triangles, surface->corner, 3 * (size_t)surface->triangles * sizeof(int32_t));
    return MOTE_OK;
}

static mote_status make_from_file(const mo_skin_def *def, const mo_mesh *mesh, int64_t first,
                                  mo_skin *skin, mote_error *error)
{
    mo_trimesh surface;
    mo_trimesh_init(&surface, mesh->memory);
    mote_status status = mo_trimesh_read(def->path, &surface, error);
    if (status == MOTE_OK) {
        mo_placing_apply(&def->placing, surface.x, surface.vertices);
        status = embed(&surface, mesh, first, skin, error);
    }
    mo_trimesh_release(&surface);
    return status;
}

mote_status mo_skin_make(const mo_skin_def *def, const mo_mesh *mesh, int64_t body, int64_t first,
                         mo_memory *memory, mo_skin *skin, mote_error *error)
{
    *skin = (mo_skin){.body = body, .first = first, .row_count = mesh->node_count};
    mote_status status = def->path                  ? make_from_file(def, mesh, first, skin, error)
                         : mesh->skin.triangles > 0 ? embed(&mesh->skin, mesh, first, skin, error)
                                                    : MOTE_OK;
    if (status != MOTE_OK) {
        mo_skin_release(skin, memory);
    }
    return status;
}

mote_status mo_skin_make_rigid(int64_t body, int64_t first, int64_t rows, int64_t vertices,
                               int64_t triangles, mo_memory *memory, mo_skin *skin,
                               mote_error *error)
{
    struct {
        void **block;
        int64_t count;
        size_t size;
    } const arrays[] = {{(void **)&skin->rows, vertices, 4 * sizeof(int32_t)},
                        {(void **)&skin->weights, vertices, 4 * sizeof(double)},
                        {(void **)&skin->offsets, vertices, 3 * sizeof(double)},
                        {(void **)&skin->triangles, triangles, 3 * sizeof(int32_t)}};
    *skin = (mo_skin){.body = body,
                      .first = first,
                      .row_count = rows,
                      .vertex_count = vertices,
                      .triangle_count = triangles};
    mote_status status = MOTE_OK;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays && status == MOTE_OK; ++k) {
        status = mo_allocate_array(memory, arrays[k].count, arrays[k].size, arrays[k].block, error);
    }
    if (status != MOTE_OK) {
        mo_skin_release(skin, memory);
    }
    return status;
}

void mo_skin_tie(mo_skin *skin, int64_t vertex, int64_t row, mo_vec3 offset)
{
    for (int c = 0; c < 4; ++c) {
        skin->rows[4 * vertex + c] = (int32_t)row;
        skin->weights[4 * vertex + c] = c == 0;
    }
    mo_vec3_store(skin->offsets + 3 * vertex, offset);
}

double mo_skin_distance(const mo_skin *skin)
{
    double most = 0;
    for (int64_t k = 0; k < 4 * skin->vertex_count; ++k) {
        most = -skin->weights[k] > most ? -skin->weights[k] : most;
    }
    return most;
}

void mo_skin_release(mo_skin *skin, mo_memory *memory)
{
    mo_release(memory, skin->rows);
    mo_release(memory, skin->weights);
    mo_release(memory, skin->offsets);
    mo_release(memory, skin->triangles);
    *skin = (mo_skin){0};
}

/* The new index of a remaining vertex; -1 if one of its rows is removed. */
static int32_t keep_vertex(mo_skin *skin, int64_t vertex, const int64_t *map, int32_t kept)
{
    for (int c = 0; c < 4; ++c) {
        if (map[skin->rows[4 * vertex + c]] < 0) {
            return -1;
        }
    }
    for (int c = 0; c < 4; ++c) {
        skin->rows[4 * (int64_t)kept + c] = (int32_t)map[skin->rows[4 * vertex + c]];
        skin->weights[4 * (int64_t)kept + c] = skin->weights[4 * vertex + c];
    }
    if (skin->offsets) {
        memmove(skin->offsets + 3 * (int64_t)kept, skin->offsets + 3 * vertex, 3 * sizeof(double));
    }
    return kept;
}

/* Rows keep their order. */
static void remap_range(mo_skin *skin, const int64_t *map)
{
    int64_t first = -1, left = 0;
    for (int64_t row = skin->first; row < skin->first + skin->row_count; ++row) {
        first = first < 0 && map[row] >= 0 ? map[row] : first;
        left += map[row] >= 0;
    }
    skin->first = first < 0 ? 0 : first;
    skin->row_count = left;
}

void mo_skin_remap(mo_skin *skin, const int64_t *map, int32_t *number)
{
    int32_t kept = 0;
    for (int64_t k = 0; k < skin->vertex_count; ++k) {
        number[k] = keep_vertex(skin, k, map, kept);
        kept += number[k] >= 0;
    }
    remap_range(skin, map);
    int64_t triangles = 0;
    for (int64_t k = 0; k < skin->triangle_count; ++k) {
        const int32_t *old = skin->triangles + 3 * k;
        int32_t corner[3] = {number[old[0]], number[old[1]], number[old[2]]};
        if (corner[0] >= 0 && corner[1] >= 0 && corner[2] >= 0) {
            memcpy(skin->triangles + 3 * triangles++, corner, sizeof corner);
        }
    }
    skin->vertex_count = kept;
    skin->triangle_count = triangles;
}

static double number_at(const mote_column *column, int64_t k)
{
    return column->type == MOTE_F64 ? ((const double *)column->data)[k]
                                    : (double)((const float *)column->data)[k];
}

/* x += R(q) offset */
static void turn_offsets(const mo_skin *skin, const mote_column *turn, double *x)
{
    for (int64_t v = 0; v < skin->vertex_count; ++v) {
        int64_t row = skin->rows[4 * v];
        mo_quat q = {number_at(turn, 4 * row), number_at(turn, 4 * row + 1),
                     number_at(turn, 4 * row + 2), number_at(turn, 4 * row + 3)};
        mo_vec3 r = mo_quat_rotate(mo_quat_normalize(q), mo_vec3_load(skin->offsets + 3 * v));
        mo_vec3_store(x + 3 * v, mo_add(mo_vec3_load(x + 3 * v), r));
    }
}

void mo_skin_interpolate(const mo_skin *skin, const mote_column *column, const mote_column *turn,
                         double *out)
{
    int width = column->components;
    for (int64_t v = 0; v < skin->vertex_count; ++v) {
        const int32_t *row = skin->rows + 4 * v;
        const double *w = skin->weights + 4 * v;
        for (int k = 0; k < width; ++k) {
            out[width * v + k] = w[0] * number_at(column, (int64_t)width * row[0] + k) +
                                 w[1] * number_at(column, (int64_t)width * row[1] + k) +
                                 w[2] * number_at(column, (int64_t)width * row[2] + k) +
                                 w[3] * number_at(column, (int64_t)width * row[3] + k);
        }
    }
    if (skin->offsets && turn && strcmp(column->name, "x") == 0) {
        turn_offsets(skin, turn, out);
    }
}

int32_t mo_skin_main_row(const mo_skin *skin, int64_t vertex)
{
    int best = 0;
    for (int c = 1; c < 4; ++c) {
        best = skin->weights[4 * vertex + c] > skin->weights[4 * vertex + best] ? c : best;
    }
    return skin->rows[4 * vertex + best];
}
