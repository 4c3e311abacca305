#include "geometry/trimesh/trimesh.h"

#include "math/vec3.h"

#include <string.h>

enum { VERTEX_GRAIN = 2048, TRIANGLE_GRAIN = 4096 };

void mo_trimesh_init(mo_trimesh *mesh, mo_memory *memory)
{
    *mesh = (mo_trimesh){.memory = memory};
}

void mo_trimesh_release(mo_trimesh *mesh)
{
    mo_release(mesh->memory, mesh->x);
    mo_release(mesh->memory, mesh->normal);
    mo_release(mesh->memory, mesh->corner);
    mo_trimesh_init(mesh, mesh->memory);
}

mote_status mo_trimesh_reserve(mo_trimesh *mesh, int64_t vertices, int64_t triangles,
                               mote_error *error)
{
    void *x = NULL, *normal = NULL, *corner = NULL;
    if (vertices > INT32_MAX || 3 * triangles > INT32_MAX) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "surface: the mesh would have %lld vertices and %lld triangles; allowed: %d triangles; "
            "use larger cells",
            (long long)vertices, (long long)triangles, INT32_MAX / 3);
    }
    mo_trimesh_release(mesh);
    mote_status status =
        /* a padding row */
        mo_allocate_array(mesh->memory, vertices + 1, 3 * sizeof *mesh->x, &x, error);
    if (status == MOTE_OK) {
        status =
            mo_allocate_array(mesh->memory, vertices + 1, 3 * sizeof *mesh->normal, &normal, error);
    }
    if (status == MOTE_OK) {
        status =
            mo_allocate_array(mesh->memory, triangles, 3 * sizeof *mesh->corner, &corner, error);
    }
    mesh->x = x;
    mesh->normal = normal;
    mesh->corner = corner;
    mesh->vertices = status == MOTE_OK ? vertices : 0;
    mesh->triangles = status == MOTE_OK ? triangles : 0;
    return status;
}

/* ---- fans ---- */

void mo_fans_release(mo_fans *fans)
{
    mo_release(fans->memory, fans->start);
    mo_release(fans->memory, fans->item);
    fans->start = fans->item = NULL;
}

mote_status mo_fans_make(const mo_trimesh *mesh, mo_fans *fans, mote_error *error)
{
    void *start, *item;
    int64_t corners = 3 * mesh->triangles;
    *fans = (mo_fans){.memory = mesh->memory};
    MO_TRY(mo_allocate_array(mesh->memory, mesh->vertices + 2, sizeof *fans->start, &start, error));
    fans->start = start;
    MO_TRY(mo_allocate_array(mesh->memory, corners, sizeof *fans->item, &item, error));
    fans->item = item;
    int32_t *next =
        /* insertion index of a vertex; finally the start of the next one */
        fans->start + 1;
    for (int64_t k = 0; k < corners; ++k) {
        ++next[mesh->corner[k] + 1];
    }
    for (int64_t v = 1; v <= mesh->vertices; ++v) {
        next[v] += next[v - 1];
    }
    for (int64_t k = 0; k < corners; ++k) {
        fans->item[next[mesh->corner[k]]++] = (int32_t)k;
    }
    return MOTE_OK;
}

/* The corner after or before one in its triangle. */
static int64_t after(int64_t corner)
{
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

static int64_t before(int64_t corner)
{
    return corner % 3 == 0 ? corner + 2 : corner - 1;
}

/* ---- examination ---- */

typedef struct mesh_work {
    const mo_trimesh *mesh;
    const mo_fans *fans;
    const double *from;
    double *to, *normal;
    double factor;
    bool keep;
} mesh_work;

/* Whether the triangles at a vertex form one ring, traversed from the next vertex in one to the
 * previous vertex in the adjacent one. */
static bool is_ring(const mesh_work *w, int64_t vertex)
{
    const int32_t *corner = w->mesh->corner, *item = w->fans->item;
    int64_t first = w->fans->start[vertex], count = w->fans->start[vertex + 1] - first, steps = 0;
    if (count < 3) {
        return false;
    }
    int32_t begin = corner[after(item[first])], at = begin;
    do {
        int64_t found = -1;
        for (int64_t k = 0; k < count; ++k) {
            if (corner[after(item[first + k])] == at) {
                if (found >= 0) {
                    return false;
                }
                found = item[first + k];
            }
        }
        if (found < 0) {
            return false;
        }
        at = corner[before(found)];
    } while (++steps < count && at != begin);
    return steps == count && at == begin;
}

/* Edges of a vertex that begin its triangles and end none. A repeated one counts as two, so that it
 * is no border of a manifold. */
static int64_t fan_beginnings(const mesh_work *w, int64_t vertex)
{
    const int32_t *corner = w->mesh->corner, *item = w->fans->item;
    int64_t first = w->fans->start[vertex], last = w->fans->start[vertex + 1], count = 0;
    for (int64_t k = first; k < last; ++k) {
        int32_t begin = corner[after(item[k])];
        bool ends = false;
        for (int64_t j = first; j < last; ++j) {
            ends = ends || corner[before(item[j])] == begin;
            count += j != k && corner[after(item[j])] == begin;
        }
        count += !ends;
    }
    return count;
}

/* Whether the triangles at a vertex form one sector, traversed from its only beginning. */
static bool is_sector(const mesh_work *w, int64_t vertex)
{
    const int32_t *corner = w->mesh->corner, *item = w->fans->item;
    int64_t first = w->fans->start[vertex], count = w->fans->start[vertex + 1] - first, steps = 0;
    int64_t found = -1;
    for (int64_t k = 0; k < count; ++k) {
        bool ends = false;
        for (int64_t j = 0; j < count; ++j) {
            ends = ends || corner[before(item[first + j])] == corner[after(item[first + k])];
        }
        found = ends ? found : item[first + k];
    }
    while (found >= 0 && ++steps < count) {
        int32_t at = corner[before(found)];
        found = -1;
        for (int64_t k = 0; k < count; ++k) {
            found = corner[after(item[first + k])] == at ? item[first + k] : found;
        }
    }
    return found >= 0 && fan_beginnings(w, vertex) == 1;
}

/* Vertices without a ring, those without a sector either, and border edges. */
static void count_bad(void *context, int64_t first, int64_t last, double *partial)
{
    const mesh_work *w = context;
    partial[0] = partial[1] = partial[2] = 0;
    for (int64_t v = first; v < last; ++v) {
        bool ring = is_ring(w, v);
        partial[0] += !ring;
        partial[1] += !ring && !is_sector(w, v);
        partial[2] += ring ? 0 : (double)fan_beginnings(w, v);
    }
}

static mo_vec3 point(const double *x, int64_t row)
{
    return mo_vec3_load(x + 3 * row);
}

/* Twice the area times the normal of a triangle. */
static mo_vec3 area_vector(const double *x, const int32_t *corner)
{
    mo_vec3 a = point(x, corner[0]);
    return mo_cross(mo_sub(point(x, corner[1]), a), mo_sub(point(x, corner[2]), a));
}

/* Area, volume (relative to the first vertex, to avoid cancellation far from the origin),
 * degenerate triangles. */
static void measure_range(void *context, int64_t first, int64_t last, double *partial)
{
    const mesh_work *w = context;
    mo_vec3 origin = point(w->from, 0);
    partial[0] = partial[1] = partial[2] = 0;
    for (int64_t t = first; t < last; ++t) {
        const int32_t *corner = w->mesh->corner + 3 * t;
        mo_vec3 n = area_vector(w->from, corner);
        partial[0] += 0.5 * mo_length(n);
        partial[1] += mo_dot(n, mo_sub(point(w->from, corner[0]), origin)) / 6;
        partial[2] += !(mo_dot(n, n) > 0);
    }
}

mote_status mo_trimesh_examine(const mo_trimesh *mesh, const mo_fans *fans, mo_pool *pool,
                               mo_trimesh_report *report, mote_error *error)
{
    mesh_work w = {.mesh = mesh, .fans = fans, .from = mesh->x};
    double bad[3], sums[3];
    MO_TRY(mo_parallel_reduce(pool, mesh->vertices, VERTEX_GRAIN, MO_SUM, 3, count_bad, &w, bad,
                              error));
    MO_TRY(mo_parallel_reduce(pool, mesh->triangles, TRIANGLE_GRAIN, MO_SUM, 3, measure_range, &w,
                              sums, error));
    *report = (mo_trimesh_report){
        .bad_vertices = (int64_t)bad[0],
        .pinched = (int64_t)bad[1],
        .border = (int64_t)bad[2],
        .flat = (int64_t)sums[2],
        .euler = mesh->vertices - (3 * mesh->triangles + (int64_t)bad[2]) / 2 + mesh->triangles,
        .area = sums[0],
        .volume = sums[1]};
    return MOTE_OK;
}

/* ---- normals ---- */

/* The sum over a vertex's triangles of their normals, weighted by the angle there. The angle is
 * replaced by the tangent of its half, sin/(1 + cos), without inverse functions. */
static mo_vec3 fan_normal(const mesh_work *w, int64_t vertex)
{
    mo_vec3 sum = {0, 0, 0}, x = point(w->from, vertex);
    for (int32_t k = w->fans->start[vertex]; k < w->fans->start[vertex + 1]; ++k) {
        int64_t c = w->fans->item[k];
        mo_vec3 a = mo_sub(point(w->from, w->mesh->corner[after(c)]), x);
        mo_vec3 b = mo_sub(point(w->from, w->mesh->corner[before(c)]), x);
        mo_vec3 n = mo_cross(a, b);
        double lengths = sqrt(mo_dot(a, a) * mo_dot(b, b)), open = lengths + mo_dot(a, b);
        if (open > 0) {
            sum = mo_add_scaled(sum, 1 / open, n); /* |n| / open = tan(angle / 2) */
        }
    }
    return mo_unit(sum, mo_vec3_make(0, 0, 1));
}

static void normals_range(void *context, int64_t first, int64_t last)
{
    mesh_work *w = context;
    for (int64_t v = first; v < last; ++v) {
        mo_vec3 n = fan_normal(w, v);
        bool good = w->keep && mo_dot(point(w->normal, v), n) > 0.5;
        if (!good) {
            mo_vec3_store(w->normal + 3 * v, n);
        }
    }
}

void mo_trimesh_normals(mo_trimesh *mesh, const mo_fans *fans, mo_pool *pool, bool keep)
{
    mesh_work w = {
        .mesh = mesh, .fans = fans, .from = mesh->x, .normal = mesh->normal, .keep = keep};
    mo_parallel_for(pool, mesh->vertices, VERTEX_GRAIN, normals_range, &w);
}

/* ---- smoothing ---- */

/* Taubin's pass band: 1/lambda + 1/mu = 0.1. */
static const double LAMBDA = 0.5, MU = -0.5 / (1 - 0.05);

/* x + factor (mean of the neighbours - x). In a closed fan each neighbour is the next vertex
 * exactly once. */
static void laplace_range(void *context, int64_t first, int64_t last)
{
    mesh_work *w = context;
    for (int64_t v = first; v < last; ++v) {
        mo_vec3 sum = {0, 0, 0}, x = point(w->from, v);
        int32_t begin = w->fans->start[v], end = w->fans->start[v + 1];
        for (int32_t k = begin; k < end; ++k) {
            sum = mo_add(sum, mo_sub(point(w->from, w->mesh->corner[after(w->fans->item[k])]), x));
        }
        double scale = end > begin ? w->factor / (end - begin) : 0;
        mo_vec3_store(w->to + 3 * v, mo_add_scaled(x, scale, sum));
    }
}

static void offset_range(void *context, int64_t first, int64_t last)
{
    mesh_work *w = context;
    for (int64_t v = first; v < last; ++v) {
        mo_vec3_store(w->to + 3 * v,
                      mo_add_scaled(point(w->to, v), w->factor, point(w->normal, v)));
    }
}

static mote_status measure(const mo_trimesh *mesh, mo_pool *pool, double sums[3], mote_error *error)
{
    mesh_work w = {.mesh = mesh, .from = mesh->x};
    return mo_parallel_reduce(pool, mesh->triangles, TRIANGLE_GRAIN, MO_SUM, 3, measure_range, &w,
                              sums, error);
}

static mote_status restore_volume(mo_trimesh *mesh, const mo_fans *fans, mo_pool *pool,
                                  double volume, mote_error *error)
{
    double sums[3];
    MO_TRY(measure(mesh, pool, sums, error));
    mo_trimesh_normals(mesh, fans, pool, false);
    mesh_work w = {.mesh = mesh, .fans = fans, .to = mesh->x, .normal = mesh->normal};
    w.factor = sums[0] > 0 ? (volume - sums[1]) / sums[0] : 0;
    mo_parallel_for(pool, mesh->vertices, VERTEX_GRAIN, offset_range, &w);
    return MOTE_OK;
}

mote_status mo_trimesh_smooth(mo_trimesh *mesh, const mo_fans *fans, mo_pool *pool, int64_t passes,
                              mote_error *error)
{
    void *spare;
    double sums[3];
    if (passes == 0 || mesh->triangles == 0) {
        return MOTE_OK;
    }
    MO_TRY(measure(mesh, pool, sums, error));
    MO_TRY(mo_allocate_array(mesh->memory, mesh->vertices + 1, 3 * sizeof *mesh->x, &spare, error));
    mesh_work there = {.mesh = mesh, .fans = fans, .from = mesh->x, .to = spare, .factor = LAMBDA};
    mesh_work back = {.mesh = mesh, .fans = fans, .from = spare, .to = mesh->x, .factor = MU};
    for (int64_t k = 0; k < passes; ++k) {
        mo_parallel_for(pool, mesh->vertices, VERTEX_GRAIN, laplace_range, &there);
        mo_parallel_for(pool, mesh->vertices, VERTEX_GRAIN, laplace_range, &back);
    }
    mo_release(mesh->memory, spare);
    MO_TRY(restore_volume(mesh, fans, pool, sums[1], error));
    mo_trimesh_normals(mesh, fans, pool, false);
    return MOTE_OK;
}
