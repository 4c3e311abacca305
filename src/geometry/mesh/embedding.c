#include "geometry/mesh/embedding.h"

#include "geometry/mesh/volume.h"
#include "geometry/trimesh/distance.h"

#include <string.h>

/* Six times the volume over the cube of the longest edge; 0.7 for a regular tetrahedron. */
static const double SOUND = 0.01;
/* Tolerance of weights for rounding. */
static const double NEARLY = -1e-9;

/* Tetrahedra sorted into the cells of a grid, each into all cells that overlap its bounding box. */
typedef struct finder {
    const mo_mesh *mesh;
    mo_memory *memory;
    mote_error *error;
    double low[3], cell;
    int64_t n[3];
    int64_t *start;
    int32_t *item;
    uint8_t *sound;
    /* for points outside: the outer faces of non-degenerate tetrahedra, and their tetrahedra */
    mo_arena arena;
    mo_trimesh_distance tree;
    int32_t *faces, *owner;
    int64_t face_count;
} finder;

static mo_vec3 node_of(const mo_mesh *mesh, int64_t tetrahedron, int corner)
{
    return mo_vec3_load(mesh->nodes + 3 * (int64_t)mesh->tetrahedra[4 * tetrahedron + corner]);
}

static bool is_sound(const mo_mesh *mesh, int64_t t)
{
    double longest = 0;
    for (int a = 0; a < 4; ++a) {
        for (int b = 0; b < a; ++b) {
            longest = fmax(longest, mo_length(mo_sub(node_of(mesh, t, a), node_of(mesh, t, b))));
        }
    }
    return 6 * mo_mesh_volume(mesh, t) > SOUND * longest * longest * longest;
}

static void weights_in(const mo_mesh *mesh, int64_t t, mo_vec3 x, double w[4])
{
    mo_vec3 c[4];
    for (int k = 0; k < 4; ++k) {
        c[k] = node_of(mesh, t, k);
    }
    double whole = mo_tetrahedron_volume(c[0], c[1], c[2], c[3]);
    w[1] = mo_tetrahedron_volume(c[0], x, c[2], c[3]) / whole;
    w[2] = mo_tetrahedron_volume(c[0], c[1], x, c[3]) / whole;
    w[3] = mo_tetrahedron_volume(c[0], c[1], c[2], x) / whole;
    w[0] = 1 - w[1] - w[2] - w[3];
}

/* ---- the grid ---- */

static int64_t cell_along(const finder *f, int axis, double x)
{
    double at = floor((x - f->low[axis]) / f->cell);
    return at <= 0 ? 0 : at >= (double)(f->n[axis] - 1) ? f->n[axis] - 1 : (int64_t)at;
}

static void cells_of(const finder *f, int64_t t, int64_t from[3], int64_t to[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        double low = INFINITY, high = -INFINITY;
        for (int c = 0; c < 4; ++c) {
            double x = f->mesh->nodes[3 * (int64_t)f->mesh->tetrahedra[4 * t + c] + axis];
            low = fmin(low, x);
            high = fmax(high, x);
        }
        from[axis] = cell_along(f, axis, low);
        to[axis] = cell_along(f, axis, high);
    }
}

/* Cells of about two edges, and not many more than tetrahedra. */
static void choose_cells(finder *f)
{
    double high[3], volume = 1;
    for (int axis = 0; axis < 3; ++axis) {
        f->low[axis] = INFINITY;
        high[axis] = -INFINITY;
        for (int64_t k = 0; k < f->mesh->node_count; ++k) {
            f->low[axis] = fmin(f->low[axis], f->mesh->nodes[3 * k + axis]);
            high[axis] = fmax(high[axis], f->mesh->nodes[3 * k + axis]);
        }
        volume *= high[axis] - f->low[axis];
    }
    f->cell =
        fmax(2 * f->mesh->spacing, cbrt(volume / (double)(4 * f->mesh->tetrahedron_count + 64)));
    for (int axis = 0; axis < 3; ++axis) {
        double cells = floor((high[axis] - f->low[axis]) / f->cell) + 1;
        f->n[axis] = cells >= 1 && cells < 1e6 ? (int64_t)cells : 1;
    }
}

/* Counts, or fills in, each tetrahedron in its cells. */
static void sort_tetrahedra(finder *f, bool fill)
{
    for (int64_t t = 0; t < f->mesh->tetrahedron_count; ++t) {
        int64_t from[3], to[3];
        cells_of(f, t, from, to);
        for (int64_t k = from[2]; k <= to[2]; ++k) {
            for (int64_t j = from[1]; j <= to[1]; ++j) {
                for (int64_t i = from[0]; i <= to[0]; ++i) {
                    int64_t cell = (k * f->n[1] + j) * f->n[0] + i;
                    if (fill) {
                        f->item[f->start[cell + 1]++] = (int32_t)t;
                    } else {
                        f->start[cell + 2]++;
                    }
                }
            }
        }
    }
}

static mote_status make_grid(finder *f)
{
    void *start, *item;
    choose_cells(f);
    int64_t cells = f->n[0] * f->n[1] * f->n[2];
    MO_TRY(mo_allocate_array(f->memory, cells + 2, sizeof(int64_t), &start, f->error));
    f->start = start;
    sort_tetrahedra(f, false);
    for (int64_t c = 0; c < cells; ++c) {
        f->start[c + 2] += f->start[c + 1];
    }
    MO_TRY(mo_allocate_array(f->memory, f->start[cells + 1], sizeof(int32_t), &item, f->error));
    f->item = item;
    sort_tetrahedra(f, true);
    return MOTE_OK;
}

/* The tetrahedron containing a point, the lowest of several; -1: none. */
static int64_t tetrahedron_with(const finder *f, mo_vec3 x, double w[4])
{
    int64_t at[3] = {cell_along(f, 0, x.x), cell_along(f, 1, x.y), cell_along(f, 2, x.z)};
    int64_t cell = (at[2] * f->n[1] + at[1]) * f->n[0] + at[0];
    for (int64_t k = f->start[cell]; k < f->start[cell + 1]; ++k) {
        int32_t t = f->item[k];
        if (!f->sound[t]) {
            continue;
        }
        weights_in(f->mesh, t, x, w);
        if (w[0] >= NEARLY && w[1] >= NEARLY && w[2] >= NEARLY && w[3] >= NEARLY) {
            return t;
        }
    }
    return -1;
}

/* ---- outside ---- */

static bool has_node(const mo_mesh *mesh, int64_t t, int32_t node)
{
    const int32_t *n = mesh->tetrahedra + 4 * t;
    return n[0] == node || n[1] == node || n[2] == node || n[3] == node;
}

/* Keeps the outer faces of non-degenerate tetrahedra; `first` and `next` list the tetrahedra at
 * each node. */
static void keep_faces(finder *f, const int64_t *first, const int32_t *list)
{
    const mo_mesh *mesh = f->mesh;
    for (int64_t k = 0; k < mesh->triangle_count; ++k) {
        const int32_t *n = mesh->triangles + 3 * k;
        for (int64_t at = first[n[0]]; at < first[n[0] + 1]; ++at) {
            int32_t t = list[at];
            if (f->sound[t] && has_node(mesh, t, n[1]) && has_node(mesh, t, n[2])) {
                memcpy(f->faces + 3 * f->face_count, n, 3 * sizeof *n);
                f->owner[f->face_count++] = t;
                break;
            }
        }
    }
}

static mote_status find_owners(finder *f)
{
    const mo_mesh *mesh = f->mesh;
    void *first, *list = NULL;
    MO_TRY(mo_allocate_array(f->memory, mesh->node_count + 2, sizeof(int64_t), &first, f->error));
    mote_status status =
        mo_allocate_array(f->memory, 4 * mesh->tetrahedron_count, sizeof(int32_t), &list, f->error);
    if (status == MOTE_OK) {
        int64_t *start = first;
        for (int64_t k = 0; k < 4 * mesh->tetrahedron_count; ++k) {
            start[mesh->tetrahedra[k] + 2]++;
        }
        for (int64_t k = 0; k < mesh->node_count; ++k) {
            start[k + 2] += start[k + 1];
        }
        for (int64_t k = 0; k < 4 * mesh->tetrahedron_count; ++k) {
            ((int32_t *)list)[start[mesh->tetrahedra[k] + 1]++] = (int32_t)(k / 4);
        }
        keep_faces(f, start, list);
    }
    mo_release(f->memory, first);
    mo_release(f->memory, list);
    return status;
}

static mote_status make_tree(finder *f)
{
    void *faces, *owner;
    MO_TRY(mo_allocate_array(f->memory, f->mesh->triangle_count, 3 * sizeof(int32_t), &faces,
                             f->error));
    f->faces = faces;
    MO_TRY(
        mo_allocate_array(f->memory, f->mesh->triangle_count, sizeof(int32_t), &owner, f->error));
    f->owner = owner;
    MO_TRY(find_owners(f));
    if (f->face_count == 0) {
        return mo_fail(f->error, MOTE_ERROR_INPUT, "all tetrahedra of the mesh are degenerate");
    }
    mo_trimesh outer = {.memory = f->memory,
                        .vertices = f->mesh->node_count,
                        .triangles = f->face_count,
                        .x = f->mesh->nodes,
                        .corner = f->faces};
    return mo_trimesh_distance_build(&outer, "the mesh", true, &f->arena, &f->tree, f->error);
}

/* ---- all points ---- */

static mote_status prepare(finder *f)
{
    void *sound;
    MO_TRY(mo_allocate_array(f->memory, f->mesh->tetrahedron_count, 1, &sound, f->error));
    f->sound = sound;
    for (int64_t t = 0; t < f->mesh->tetrahedron_count; ++t) {
        f->sound[t] = is_sound(f->mesh, t);
    }
    MO_TRY(make_grid(f));
    return make_tree(f);
}

static mote_status fill(finder *f, const double *points, mo_embedding *e)
{
    void *nodes, *weights;
    int64_t hint = -1;
    MO_TRY(prepare(f));
    MO_TRY(mo_allocate_array(f->memory, e->count, 4 * sizeof(int32_t), &nodes, f->error));
    e->nodes = nodes;
    MO_TRY(mo_allocate_array(f->memory, e->count, 4 * sizeof(double), &weights, f->error));
    e->weights = weights;
    for (int64_t k = 0; k < e->count; ++k) {
        mo_vec3 x = mo_vec3_load(points + 3 * k);
        double *w = e->weights + 4 * k;
        int64_t t = tetrahedron_with(f, x, w);
        if (t < 0) {
            hint = mo_trimesh_nearest(&f->tree, x, hint).triangle;
            t = f->owner[hint];
            weights_in(f->mesh, t, x, w);
            e->outside++;
        }
        memcpy(e->nodes + 4 * k, f->mesh->tetrahedra + 4 * t, 4 * sizeof(int32_t));
    }
    return MOTE_OK;
}

mote_status mo_embed(const mo_mesh *mesh, const double *points, int64_t count, mo_embedding *e,
                     mote_error *error)
{
    finder f = {.mesh = mesh, .memory = mesh->memory, .error = error};
    *e = (mo_embedding){.memory = mesh->memory, .count = count};
    mo_arena_init(&f.arena, mesh->memory);
    mote_status status = fill(&f, points, e);
    mo_arena_release(&f.arena);
    void *const blocks[] = {f.start, f.item, f.sound, f.faces, f.owner};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; ++k) {
        mo_release(f.memory, blocks[k]);
    }
    if (status != MOTE_OK) {
        mo_embedding_release(e);
    }
    return status;
}

void mo_embedding_release(mo_embedding *e)
{
    mo_release(e->memory, e->nodes);
    mo_release(e->memory, e->weights);
    *e = (mo_embedding){.memory = e->memory};
}
