/* Clusters of cells: their motion, the boxes around their paths, and their features. */
#include "system/constraints/constraint_contacts.h"

#include <string.h>

enum { GRAIN = 64, CORNERS = 3 };

/* Paths may leave the expected ones by this part of an edge without another search. */
static const double EXPECTED = 0.1;
static const double ROUNDED = 1 + 1e-9;

void mo_surface_clusters_release(mo_constraint_contacts *c)
{
    mo_release(c->memory, c->clusters);
    mo_release(c->memory, c->cluster_rows);
    mo_release(c->memory, c->motion);
    mo_release(c->memory, c->features);
    mo_release(c->memory, c->wanted);
    mo_release(c->memory, c->boxes);
    mo_release(c->memory, c->allowed);
    mo_hierarchy_release(&c->tree);
    mo_pair_search_release(&c->search);
}

/* ---- from the rest shape ---- */

/* Cells in the order of a tree over the rest shape: neighbours follow each other. */
static mote_status order_cells(mo_constraint_contacts *c, mo_hierarchy *tree, mo_box *boxes,
                               mo_surface_cell *copy, mote_error *error)
{
    for (int64_t k = 0; k < c->cell_count; ++k) {
        boxes[k] = mo_box_empty();
        for (int n = 0; n < CORNERS; ++n) {
            mo_box_grow(&boxes[k], c->rest + 3 * (int64_t)c->cells[k].row[n]);
        }
    }
    mo_simplices set = mo_simplices_of_boxes(c->cell_count, boxes);
    MO_TRY(mo_hierarchy_build(tree, &set, MO_HIERARCHY_MEDIAN, c->pool, error));
    memcpy(copy, c->cells, (size_t)c->cell_count * sizeof *copy);
    for (int64_t k = 0; k < c->cell_count; ++k) {
        c->cells[k] = copy[tree->order[k]];
    }
    return MOTE_OK;
}

static void gather_rows(mo_constraint_contacts *c, mo_surface_cluster *cluster, int64_t first)
{
    int32_t *rows = c->cluster_rows + cluster->rows;
    for (int k = 0; k < CORNERS * cluster->cell_count; ++k) {
        int32_t row = c->cells[first + k / CORNERS].row[k % CORNERS], n = 0;
        while (n < cluster->row_count && rows[n] != row) {
            ++n;
        }
        rows[n] = row;
        cluster->row_count += n == cluster->row_count;
    }
}

static void gather_features(mo_constraint_contacts *c, mo_surface_cluster *cluster, int64_t first)
{
    cluster->body = c->cells[first].body;
    for (int k = 0; k < CORNERS * cluster->cell_count; ++k) {
        const mo_surface_cell *cell = &c->cells[first + k / CORNERS];
        const mo_surface_body *body = &c->bodies[cell->body];
        int32_t index = (int32_t)(CORNERS * first + k);
        if (cell->vertices >> k % CORNERS & 1) {
            cluster->vertex[cluster->vertex_count++] = index;
        }
        if (cell->edges >> k % CORNERS & 1) {
            cluster->edge[cluster->edge_count++] = index;
        }
        cluster->body = cell->body == cluster->body ? cluster->body : -1;
        cluster->thickness = fmax(cluster->thickness, body->thickness);
        cluster->mean = fmax(cluster->mean, body->edge);
    }
}

static mote_status reserve_clusters(mo_constraint_contacts *c, mote_error *error)
{
    int64_t count = (c->cell_count + MO_CLUSTER - 1) / MO_CLUSTER;
    struct {
        void *at;
        size_t size;
    } arrays[] = {{&c->clusters, sizeof *c->clusters},
                  {&c->cluster_rows, CORNERS * MO_CLUSTER * sizeof *c->cluster_rows},
                  {&c->motion, sizeof *c->motion},
                  {&c->features, sizeof *c->features},
                  {&c->wanted, 1},
                  {&c->boxes, 2 * sizeof *c->boxes},
                  {&c->allowed, sizeof *c->allowed}};
    c->cluster_count = count;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) {
        int64_t none = 0;
        MO_TRY(mo_reserve(c->memory, arrays[k].at, &none, count, arrays[k].size, error));
    }
    return MOTE_OK;
}

mote_status mo_surface_clusters_order(mo_constraint_contacts *c, mote_error *error)
{
    void *boxes = NULL, *copy = NULL;
    mo_hierarchy tree;
    mo_hierarchy_init(&tree, &mo_bound_aabb, c->memory);
    mote_status status = mo_allocate_array(c->memory, c->cell_count, sizeof(mo_box), &boxes, error);
    if (status == MOTE_OK) {
        status = mo_allocate_array(c->memory, c->cell_count, sizeof(mo_surface_cell), &copy, error);
    }
    if (status == MOTE_OK) {
        status = order_cells(c, &tree, boxes, copy, error);
    }
    mo_hierarchy_release(&tree);
    mo_release(c->memory, boxes);
    mo_release(c->memory, copy);
    return status;
}

mote_status mo_surface_clusters_build(mo_constraint_contacts *c, mote_error *error)
{
    MO_TRY(reserve_clusters(c, error));
    for (int64_t k = 0; k < c->cluster_count; ++k) {
        mo_surface_cluster *cluster = &c->clusters[k];
        int64_t first = MO_CLUSTER * k, left = c->cell_count - first;
        *cluster = (mo_surface_cluster){.rows = CORNERS * first,
                                        .cell_count = left < MO_CLUSTER ? (int)left : MO_CLUSTER};
        gather_rows(c, cluster, first);
        gather_features(c, cluster, first);
    }
    mo_simplices set = mo_simplices_of_boxes(c->cluster_count, c->boxes);
    MO_TRY(mo_hierarchy_reserve(&c->tree, c->cluster_count, error));
    for (int64_t k = 0; k < c->cluster_count; ++k) {
        c->tree.order[k] = (int32_t)k;
    }
    return mo_hierarchy_build(&c->tree, &set, MO_HIERARCHY_GIVEN, c->pool, error);
}

/* ---- motion ---- */

typedef struct moving {
    mo_constraint_contacts *c;
    const double *x, *y;
} moving;

MO_INLINE mo_vec3 vec3_of(mo_d4 a)
{
    return mo_vec3_make(a[0], a[1], a[2]);
}

MO_INLINE void store_box(mo_box *box, mo_d4 low, mo_d4 high)
{
    mo_vec3_store(box->low, vec3_of(low));
    mo_vec3_store(box->high, vec3_of(high));
}

/* The boxes of the rows at both ends, and their mean position and displacement. */
static void bound_cluster(const moving *m, int64_t k, mo_d4 *centre, mo_d4 *shift)
{
    mo_constraint_contacts *c = m->c;
    const int32_t *rows = c->cluster_rows + c->clusters[k].rows;
    int count = c->clusters[k].row_count;
    mo_d4 most = mo_d4_set(-(double)INFINITY), least = -most, low[2] = {least, least},
          high[2] = {most, most}, sum[2] = {mo_d4_set(0), mo_d4_set(0)};
    for (int n = 0; n < count; ++n) {
        const double *from[2] = {m->x + 4 * (int64_t)rows[n], m->y + 4 * (int64_t)rows[n]};
        for (int end = 0; end < 2; ++end) {
            mo_d4 x = mo_d4_load(from[end]);
            low[end] = mo_d4_min(x, low[end]);
            high[end] = mo_d4_max(x, high[end]);
            sum[end] += x;
        }
    }
    *centre = sum[0] / (double)count;
    *shift = (sum[1] - sum[0]) / (double)count;
    store_box(&c->boxes[k], low[0], high[0]);
    store_box(&c->boxes[c->cluster_count + k], low[1], high[1]);
}

/* (y z x) */
MO_INLINE mo_d4 turned(mo_d4 a)
{
    return __builtin_shufflevector(a, a, 1, 2, 0, 3);
}

MO_INLINE mo_d4 cross(mo_d4 a, mo_d4 b)
{
    return turned(a * turned(b) - turned(a) * b);
}

/* The turn w that fits the displacements best: sum r x (w x r) = sum r x d. Any w would do. */
static mo_vec3 fit_turn(const moving *m, int64_t k, mo_d4 centre, mo_d4 shift)
{
    const mo_constraint_contacts *c = m->c;
    const int32_t *rows = c->cluster_rows + c->clusters[k].rows;
    mo_d4 squares = mo_d4_set(0), products = squares, right = squares;
    for (int n = 0; n < c->clusters[k].row_count; ++n) {
        mo_d4 x = mo_d4_load(m->x + 4 * (int64_t)rows[n]), r = x - centre,
              d = mo_d4_load(m->y + 4 * (int64_t)rows[n]) - x - shift;
        squares += r * r;
        products += r * turned(r); /* xy yz zx */
        right += cross(r, d);
    }
    double xx = squares[1] + squares[2], yy = squares[2] + squares[0], zz = squares[0] + squares[1],
           xy = -products[0], yz = -products[1], zx = -products[2];
    double a = yy * zz - yz * yz, b = zx * yz - xy * zz, d = xy * yz - zx * yy,
           det = xx * a + xy * b + zx * d, trace = xx + yy + zz;
    if (!(det > 1e-6 * trace * trace * trace)) { /* on a line */
        return mo_vec3_make(0, 0, 0);
    }
    double e = xx * zz - zx * zx, f = xy * zx - xx * yz, g = xx * yy - xy * xy;
    return mo_vec3_make((a * right[0] + b * right[1] + d * right[2]) / det,
                        (b * right[0] + e * right[1] + f * right[2]) / det,
                        (d * right[0] + f * right[1] + g * right[2]) / det);
}

static void move_range(void *context, int64_t first, int64_t last)
{
    const moving *m = context;
    mo_constraint_contacts *c = m->c;
    for (int64_t k = first; k < last; ++k) {
        const int32_t *rows = c->cluster_rows + c->clusters[k].rows;
        mo_d4 centre, shift;
        bound_cluster(m, k, &centre, &shift);
        mo_vec3 w = fit_turn(m, k, centre, shift);
        mo_d4 turn = {w.x, w.y, w.z, 0};
        double square = 0, reach = 0;
        for (int n = 0; n < c->clusters[k].row_count; ++n) {
            mo_d4 x = mo_d4_load(m->x + 4 * (int64_t)rows[n]), r = x - centre;
            mo_d4 d = mo_d4_load(m->y + 4 * (int64_t)rows[n]) - x - shift - cross(turn, r);
            d *= d;
            r *= r;
            double own = d[0] + d[1] + d[2], far = r[0] + r[1] + r[2];
            square = own > square ? own : square;
            reach = far > reach ? far : reach;
        }
        c->motion[k] = (mo_cluster_motion){vec3_of(centre), vec3_of(shift), w,
                                           ROUNDED * sqrt(reach), ROUNDED * sqrt(square)};
    }
}

void mo_surface_clusters_move(mo_constraint_contacts *c, const double *x, const double *y)
{
    moving m = {c, x, y};
    mo_parallel_for(c->pool, c->cluster_count, GRAIN, move_range, &m);
}

/* The middle of the displacements of all clusters. */
static mo_vec3 common_translation(const mo_constraint_contacts *c)
{
    mo_box box = mo_box_empty();
    for (int64_t k = 0; k < c->cluster_count; ++k) {
        double shift[3];
        mo_vec3_store(shift, c->motion[k].shift);
        mo_box_grow(&box, shift);
    }
    return mo_scale(0.5, mo_add(mo_vec3_load(box.low), mo_vec3_load(box.high)));
}

bool mo_surface_clusters_bound(mo_constraint_contacts *c, bool again)
{
    bool within = again;
    c->common = again ? c->common : common_translation(c);
    for (int64_t k = 0; k < c->cluster_count; ++k) {
        mo_box *box = &c->boxes[k];
        const mo_box *end = &c->boxes[c->cluster_count + k];
        double wide = 0.5 * MO_SURFACE_NEAR * c->clusters[k].thickness * ROUNDED;
        for (int n = 0; n < 3; ++n) {
            double shift = mo_vec3_at(c->common, n);
            box->low[n] = fmin(box->low[n], end->low[n] - shift) - wide;
            box->high[n] = fmax(box->high[n], end->high[n] - shift) + wide;
        }
        within = within && mo_box_contains(&c->allowed[k], box);
    }
    return within;
}

/* Boxes with the room that the rest of the substep may need. */
void mo_surface_clusters_allow(mo_constraint_contacts *c)
{
    for (int64_t k = 0; k < c->cluster_count; ++k) {
        c->allowed[k] = c->boxes[k];
        for (int n = 0; n < 3; ++n) {
            c->allowed[k].low[n] -= EXPECTED * c->clusters[k].mean;
            c->allowed[k].high[n] += EXPECTED * c->clusters[k].mean;
        }
    }
}

/* ---- features ---- */

static const float *corner_at(const mo_constraint_contacts *c, int32_t index, int next)
{
    return c->place + 4 * (int64_t)c->cells[index / CORNERS].row[(index + next) % CORNERS];
}

static int32_t number_at(const mo_constraint_contacts *c, int32_t index, int next)
{
    return c->joined[c->cells[index / CORNERS].row[(index + next) % CORNERS]];
}

/* The box of all rows. */
static void place_box(const mo_constraint_contacts *c, const mo_surface_cluster *k,
                      mo_cluster_features *f)
{
    for (int n = 0; n < 3; ++n) {
        float least = INFINITY, most = -INFINITY;
        for (int r = 0; r < k->row_count; ++r) {
            float x = c->place[4 * (int64_t)c->cluster_rows[k->rows + r] + n];
            least = x < least ? x : least;
            most = x > most ? x : most;
        }
        f->low[n] = least;
        f->high[n] = most;
    }
}

static void place_triangles(const mo_constraint_contacts *c, int64_t index, mo_cluster_features *f)
{
    memset(f->triangle, 0xff, sizeof f->triangle); /* NaN */
    memset(f->corner_row, 0xff, sizeof f->corner_row);
    for (int t = 0; t < c->clusters[index].cell_count; ++t) {
        int32_t cell = (int32_t)(CORNERS * (MO_CLUSTER * index + t));
        const float *x[3] = {corner_at(c, cell, 0), corner_at(c, cell, 1), corner_at(c, cell, 2)};
        if (!c->cells[MO_CLUSTER * index + t].triangle) {
            continue;
        }
        f->triangles = true;
        for (int n = 0; n < 3; ++n) {
            f->triangle[n][t] = x[0][n];
            f->triangle[3 + n][t] = x[1][n] - x[0][n];
            f->triangle[6 + n][t] = x[2][n] - x[0][n];
            f->corner_row[n][t] = number_at(c, cell, n);
        }
    }
}

static void place_cluster(const mo_constraint_contacts *c, int64_t index)
{
    const mo_surface_cluster *k = &c->clusters[index];
    mo_cluster_features *f = &c->features[index];
    f->vertex_count = k->vertex_count;
    f->edge_count = k->edge_count;
    f->triangles = false;
    memset(f->edge, 0xff, sizeof f->edge); /* NaN */
    memset(f->edge_row, 0xff, sizeof f->edge_row);
    for (int v = 0; v < k->vertex_count; ++v) {
        memcpy(f->vertex[v], corner_at(c, k->vertex[v], 0), sizeof f->vertex[v]);
        f->vertex_row[v] = number_at(c, k->vertex[v], 0);
    }
    for (int e = 0; e < k->edge_count; ++e) {
        const float *a = corner_at(c, k->edge[e], 0), *b = corner_at(c, k->edge[e], 1);
        f->edge_row[0][e] = number_at(c, k->edge[e], 0);
        f->edge_row[1][e] = number_at(c, k->edge[e], 1);
        for (int n = 0; n < 3; ++n) {
            f->edge[n][e] = a[n];
            f->edge[3 + n][e] = b[n] - a[n];
        }
    }
    place_box(c, k, f);
    place_triangles(c, index, f);
}

static void place_range(void *context, int64_t first, int64_t last)
{
    const mo_constraint_contacts *c = context;
    for (int64_t k = first; k < last; ++k) {
        if (c->wanted[k]) {
            place_cluster(c, k);
        }
    }
}

void mo_surface_clusters_place(mo_constraint_contacts *c)
{
    mo_parallel_for(c->pool, c->cluster_count, GRAIN, place_range, c);
}
