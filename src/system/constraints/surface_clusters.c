/* Clusters of cells: their motion, the boxes around their paths, and their features. */
#include "system/constraints/surface_contacts.h"

#include <string.h>

enum { GRAIN = 64, CORNERS = 3 };

/* Paths may leave the expected ones by this part of an edge without another search. */
static const double EXPECTED = 0.1;
static const double ROUNDED = 1 + 1e-9;

void mo_surface_clusters_release(mo_surface_contacts *c)
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
static mote_status order_cells(mo_surface_contacts *c, mo_hierarchy *tree, mo_box *boxes,
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

static void gather_rows(mo_surface_contacts *c, mo_surface_cluster *cluster, int64_t first)
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

static void gather_features(mo_surface_contacts *c, mo_surface_cluster *cluster, int64_t first)
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

static mote_status reserve_clusters(mo_surface_contacts *c, mote_error *error)
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

mote_status mo_surface_clusters_order(mo_surface_contacts *c, mote_error *error)
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

mote_status mo_surface_clusters_build(mo_surface_contacts *c, mote_error *error)
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
    mo_surface_contacts *c;
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

static void move_range(void *context, int64_t first, int64_t last)
{
    const moving *m = context;
    mo_surface_contacts *c = m->c;
    for (int64_t k = first; k < last; ++k) {
        const int32_t *rows = c->cluster_rows + c->clusters[k].rows;
        mo_d4 most = mo_d4_set(-(double)INFINITY), least = -most, low[2] = {least, least},
              high[2] = {most, most};
        for (int n = 0; n < c->clusters[k].row_count; ++n) {
            mo_d4 x = mo_d4_load(m->x + 4 * (int64_t)rows[n]),
                  y = mo_d4_load(m->y + 4 * (int64_t)rows[n]), d = y - x;
            least = mo_d4_min(d, least);
            most = mo_d4_max(d, most);
            low[0] = mo_d4_min(x, low[0]);
            high[0] = mo_d4_max(x, high[0]);
            low[1] = mo_d4_min(y, low[1]);
            high[1] = mo_d4_max(y, high[1]);
        }
        mo_d4 shift = 0.5 * (least + most);
        double square = 0;
        for (int n = 0; n < c->clusters[k].row_count; ++n) {
            mo_d4 d = mo_d4_load(m->y + 4 * (int64_t)rows[n]) -
                      mo_d4_load(m->x + 4 * (int64_t)rows[n]) - shift;
            d *= d;
            double own = d[0] + d[1] + d[2];
            square = own > square ? own : square;
        }
        c->motion[k] = (mo_cluster_motion){vec3_of(shift), ROUNDED * sqrt(square)};
        store_box(&c->boxes[k], low[0], high[0]);
        store_box(&c->boxes[c->cluster_count + k], low[1], high[1]);
    }
}

void mo_surface_clusters_move(mo_surface_contacts *c, const double *x, const double *y)
{
    moving m = {c, x, y};
    mo_parallel_for(c->pool, c->cluster_count, GRAIN, move_range, &m);
}

/* The middle of the displacements of all clusters. */
static mo_vec3 common_translation(const mo_surface_contacts *c)
{
    mo_box box = mo_box_empty();
    for (int64_t k = 0; k < c->cluster_count; ++k) {
        double shift[3];
        mo_vec3_store(shift, c->motion[k].shift);
        mo_box_grow(&box, shift);
    }
    return mo_scale(0.5, mo_add(mo_vec3_load(box.low), mo_vec3_load(box.high)));
}

bool mo_surface_clusters_bound(mo_surface_contacts *c, bool again)
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
void mo_surface_clusters_allow(mo_surface_contacts *c)
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

static mo_vec3 corner_at(const mo_surface_contacts *c, int32_t index, int next)
{
    const mo_surface_cell *cell = &c->cells[index / CORNERS];
    return mo_vec3_load(c->start + 4 * (int64_t)cell->row[(index + next) % CORNERS]);
}

static void place_cluster(const mo_surface_contacts *c, int64_t index)
{
    const mo_surface_cluster *k = &c->clusters[index];
    mo_cluster_features *f = &c->features[index];
    mo_vec3 origin = mo_vec3_load(c->start + 4 * (int64_t)c->cluster_rows[k->rows]);
    f->origin = origin;
    f->vertex_count = k->vertex_count;
    f->edge_count = k->edge_count;
    f->triangles = false;
    memset(f->edge, 0xff, sizeof f->edge); /* NaN */
    for (int v = 0; v < k->vertex_count; ++v) {
        mo_vec3 x = mo_sub(corner_at(c, k->vertex[v], 0), origin);
        for (int n = 0; n < 3; ++n) {
            f->vertex[v][n] = (float)mo_vec3_at(x, n);
        }
    }
    for (int e = 0; e < k->edge_count; ++e) {
        mo_vec3 a = corner_at(c, k->edge[e], 0), b = corner_at(c, k->edge[e], 1);
        for (int n = 0; n < 3; ++n) {
            f->edge[n][e] = (float)(mo_vec3_at(a, n) - mo_vec3_at(origin, n));
            f->edge[3 + n][e] = (float)(mo_vec3_at(b, n) - mo_vec3_at(a, n));
        }
    }
    for (int t = 0; t < MO_CLUSTER; ++t) {
        bool is = t < k->cell_count && c->cells[MO_CLUSTER * index + t].triangle;
        f->triangles = f->triangles || is;
        for (int n = 0; n < 9; ++n) {
            int32_t cell = (int32_t)(CORNERS * (MO_CLUSTER * index + t));
            mo_vec3 from = n < 3 || !is ? origin : corner_at(c, cell, 0);
            f->triangle[n][t] =
                is ? (float)(mo_vec3_at(corner_at(c, cell, n / 3), n % 3) - mo_vec3_at(from, n % 3))
                   : NAN;
        }
    }
}

static void place_range(void *context, int64_t first, int64_t last)
{
    const mo_surface_contacts *c = context;
    for (int64_t k = first; k < last; ++k) {
        if (c->wanted[k]) {
            place_cluster(c, k);
        }
    }
}

void mo_surface_clusters_place(mo_surface_contacts *c)
{
    mo_parallel_for(c->pool, c->cluster_count, GRAIN, place_range, c);
}
