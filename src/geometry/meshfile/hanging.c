#include "geometry/meshfile/hanging.h"

#include <string.h>

/* Outer nodes sorted into the cells of a grid over their bounding box. */
typedef struct grid {
    mo_memory *memory;
    double low[3], cell;
    int64_t n[3], cells;
    int64_t *start;
    int32_t *node;
} grid;

static void grid_release(grid *g)
{
    mo_release(g->memory, g->start);
    mo_release(g->memory, g->node);
}

static int64_t cell_along(const grid *g, int axis, double x)
{
    double at = floor((x - g->low[axis]) / g->cell);
    return at <= 0 ? 0 : at >= (double)(g->n[axis] - 1) ? g->n[axis] - 1 : (int64_t)at;
}

static int64_t cell_of(const grid *g, const double *x)
{
    return (cell_along(g, 2, x[2]) * g->n[1] + cell_along(g, 1, x[1])) * g->n[0] +
           cell_along(g, 0, x[0]);
}

/* About as many cells as outer nodes, if these were distributed over the faces of the box. */
static void choose_cells(grid *g, const mo_mesh *mesh, const char *outer, int64_t count)
{
    double high[3], longest = 0;
    for (int axis = 0; axis < 3; ++axis) {
        g->low[axis] = INFINITY;
        high[axis] = -INFINITY;
        for (int64_t k = 0; k < mesh->node_count; ++k) {
            if (outer[k]) {
                g->low[axis] = fmin(g->low[axis], mesh->nodes[3 * k + axis]);
                high[axis] = fmax(high[axis], mesh->nodes[3 * k + axis]);
            }
        }
        longest = fmax(longest, high[axis] - g->low[axis]);
    }
    double across = fmin(fmax(1, sqrt((double)count / 6)), 512);
    g->cell = longest / across;
    g->cells = 1;
    for (int axis = 0; axis < 3; ++axis) {
        double cells = floor((high[axis] - g->low[axis]) / g->cell) + 1;
        g->n[axis] = cells >= 1 && cells <= 513 ? (int64_t)cells : 1;
        g->cells *= g->n[axis];
    }
}

static mote_status grid_make(grid *g, const mo_mesh *mesh, const char *outer, int64_t count,
                             mote_error *error)
{
    void *start, *node;
    choose_cells(g, mesh, outer, count);
    MO_TRY(mo_allocate_array(g->memory, g->cells + 2, sizeof(int64_t), &start, error));
    g->start = start;
    MO_TRY(mo_allocate_array(g->memory, count, sizeof(int32_t), &node, error));
    g->node = node;
    for (int64_t k = 0; k < mesh->node_count; ++k) {
        if (outer[k]) {
            g->start[cell_of(g, mesh->nodes + 3 * k) + 2]++;
        }
    }
    for (int64_t c = 0; c < g->cells; ++c) {
        g->start[c + 2] += g->start[c + 1];
    }
    for (int64_t k = 0; k < mesh->node_count; ++k) {
        if (outer[k]) {
            g->node[g->start[cell_of(g, mesh->nodes + 3 * k) + 1]++] = (int32_t)k;
        }
    }
    return MOTE_OK;
}

/* Whether x lies on the triangle, edges included but not corners, to a millionth of its size. */
static bool lies_on(const double *nodes, const int32_t *t, mo_vec3 x)
{
    mo_vec3 a = mo_vec3_load(nodes + 3 * (int64_t)t[0]),
            b = mo_vec3_load(nodes + 3 * (int64_t)t[1]);
    mo_vec3 c = mo_vec3_load(nodes + 3 * (int64_t)t[2]);
    mo_vec3 u = mo_sub(b, a), v = mo_sub(c, a), w = mo_sub(x, a), n = mo_cross(u, v);
    double square = mo_dot(n, n),
           size = fmax(mo_length(u), fmax(mo_length(v), mo_length(mo_sub(c, b))));
    double near = 1e-6 * size;
    double beta = mo_dot(mo_cross(w, v), n) / square, gamma = mo_dot(mo_cross(u, w), n) / square;
    if (!(fabs(mo_dot(w, n)) <= near * sqrt(square)) || !(beta >= -1e-6) || !(gamma >= -1e-6) ||
        !(beta + gamma <= 1 + 1e-6)) {
        return false;
    }
    return mo_length(w) > near && mo_length(mo_sub(x, b)) > near && mo_length(mo_sub(x, c)) > near;
}

static mote_status fail_hanging(mo_mesh_source *s, const mo_mesh *mesh, const int32_t *t,
                                int32_t node)
{
    int64_t owner = 0; /* the tetrahedron with these three corners */
    for (int64_t k = 0; k < mesh->tetrahedron_count; ++k) {
        int found = 0;
        for (int c = 0; c < 12; ++c) {
            found += mesh->tetrahedra[4 * k + c / 3] == t[c % 3];
        }
        if (found == 3) {
            owner = s->tetrahedra.names[k];
        }
    }
    s->binary = true;
    return mo_mesh_source_fail(
        s,
        "node %lld is a hanging node: it lies on a face of tetrahedron %lld (nodes %lld, %lld and "
        "%lld) without being its corner",
        (long long)s->node_names[node], (long long)owner, (long long)s->node_names[t[0]],
        (long long)s->node_names[t[1]], (long long)s->node_names[t[2]]);
}

/* The hanging node on a triangle; -1 if none. */
static int32_t hanging_on(const grid *g, const mo_mesh *mesh, const int32_t *t)
{
    int64_t from[3], to[3];
    for (int axis = 0; axis < 3; ++axis) {
        double low = INFINITY, high = -INFINITY;
        for (int c = 0; c < 3; ++c) {
            low = fmin(low, mesh->nodes[3 * (int64_t)t[c] + axis]);
            high = fmax(high, mesh->nodes[3 * (int64_t)t[c] + axis]);
        }
        double margin = 1e-6 * g->cell;
        from[axis] = cell_along(g, axis, low - margin);
        to[axis] = cell_along(g, axis, high + margin);
    }
    for (int64_t k = from[2]; k <= to[2]; ++k) {
        for (int64_t j = from[1]; j <= to[1]; ++j) {
            int64_t row = (k * g->n[1] + j) * g->n[0];
            for (int64_t m = g->start[row + from[0]]; m < g->start[row + to[0] + 1]; ++m) {
                int32_t node = g->node[m];
                if (node != t[0] && node != t[1] && node != t[2] &&
                    lies_on(mesh->nodes, t, mo_vec3_load(mesh->nodes + 3 * (int64_t)node))) {
                    return node;
                }
            }
        }
    }
    return -1;
}

static mote_status check(const mo_mesh *mesh, grid *g, char *outer, mo_mesh_source *s)
{
    int64_t count = 0;
    for (int64_t k = 0; k < 3 * mesh->triangle_count; ++k) {
        count += !outer[mesh->triangles[k]];
        outer[mesh->triangles[k]] = 1;
    }
    MO_TRY(grid_make(g, mesh, outer, count, s->error));
    for (int64_t k = 0; k < mesh->triangle_count; ++k) {
        int32_t node = hanging_on(g, mesh, mesh->triangles + 3 * k);
        if (node >= 0) {
            return fail_hanging(s, mesh, mesh->triangles + 3 * k, node);
        }
    }
    return MOTE_OK;
}

mote_status mo_mesh_check_hanging(const mo_mesh *mesh, mo_mesh_source *s)
{
    grid g = {.memory = mesh->memory};
    void *outer;
    MO_TRY(mo_allocate_array(mesh->memory, mesh->node_count, 1, &outer, s->error));
    mote_status status = check(mesh, &g, outer, s);
    grid_release(&g);
    mo_release(mesh->memory, outer);
    return status;
}
