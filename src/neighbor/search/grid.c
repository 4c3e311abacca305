/*
 * A uniform grid, sorted by cell ("index sort"). Cells of one radius need 27 cells per query, cells
 * of half a radius 125, cells of two radii 8, chosen by the point's position in its cell. Points
 * are sorted along x, then y, then z, so that the cells of a row follow each other in memory. (J.
 * Onderik, R. Durikovic 2008, "Efficient neighbor search for particle-based fluids", J. Appl. Math.
 * Stat. Inform. 4; M. Ihmsen, N. Akinci, M. Becker, M. Teschner 2011, "A parallel SPH
 * implementation on multi-core CPUs", Comput. Graph. Forum 30, section 4.)
 */
#include "math/wide.h"
#include "neighbor/search/cells.h"

typedef struct params {
    double width;
} params;

static const mo_param PARAMS[] = {
    {"width", MO_REAL, MO_FIELD(params, width), .range = "[0.25, 4]",
     .doc =
         "Cell width, in search radii; default 1, or 1/2 if cells of width 1 contain more than 48 "
         "points."},
    {0}};

enum { FULL_CELL = 48 }; /* measured threshold above which half cells are faster */

typedef struct grid {
    mo_structure head;
    params p;
    double width; /* in radii, as built */
    mo_cell_frame frame;
    mo_cells cells, other; /* `other`: a set with lists to this one */
} grid;

static const mo_structure_array ARRAYS[] = {
    MO_CELLS_ARRAYS(grid, cells), MO_CELLS_ARRAYS(grid, other), {0}};

static const params DEFAULTS = {(double)NAN};

static int64_t most_cells(int64_t rows)
{
    return 2 * rows + 64;
}

static mote_status lay_frame(grid *g, const mo_search_points *points, double width, mo_pool *pool,
                             mote_error *error)
{
    g->width = width;
    return mo_cell_frame_choose(&g->frame, points, width * points->radius, most_cells(points->rows),
                                pool, error);
}

static mote_status grid_build(void *instance, const mo_search_points *points, mo_pool *pool,
                              mote_error *error)
{
    grid *g = instance;
    int64_t rows = points->rows;
    g->head.points = *points;
    g->head.points.rows = 0;
    g->cells.memory = g->other.memory = g->head.memory; /* cells have their own allocations */
    if (rows > 0) {
        MO_TRY(lay_frame(g, points, isnan(g->p.width) ? 1 : g->p.width, pool, error));
        if (isnan(g->p.width) && rows > FULL_CELL * mo_cell_frame_cells(&g->frame)) {
            MO_TRY(lay_frame(g, points, 0.5, pool, error));
        }
        MO_TRY(mo_cells_sort(&g->cells, &g->frame, most_cells(rows), rows, points->x, pool, error));
    }
    g->head.points.rows = rows;
    return MOTE_OK;
}

/* ---- single queries ---- */

typedef struct finding {
    const mo_cells *cells;
    mo_vec3 position;
    double square;
    int32_t *out;
    int64_t capacity, found;
    /* in units of cells, for the float test */
    double at[3], radius;
} finding;

static inline void find_row(finding *f, int32_t row)
{
    if (mo_search_within(f->cells->x + 3 * (int64_t)row, f->position, f->square) &&
        f->found++ < f->capacity) {
        f->out[f->found - 1] = row;
    }
}

static void find_in_run(finding *f, int32_t first, int32_t last)
{
    for (int32_t k = first; k < last; ++k) {
        find_row(f, f->cells->row[k]);
    }
}

/* The same after a float test of eight. `origin` is the origin of the run's offsets; with values up
 * to 2^10 the error of a distance is below 2^-12. */
static void find_in_near_run(finding *f, const double origin[3], int32_t first, int32_t last)
{
    const float *offset = f->cells->offset;
    int64_t stride = f->cells->stride;
    mo_f8 x = mo_f8_set((float)(f->at[0] - origin[0])),
          y = mo_f8_set((float)(f->at[1] - origin[1]));
    mo_f8 z = mo_f8_set((float)(f->at[2] - origin[2]));
    double reach = f->radius + 0x1p-10;
    mo_f8 bound = mo_f8_set((float)(reach * reach * (1 + 0x1p-10)));
    for (int32_t k = first; k < last; k += MO_WIDE) {
        mo_f8 dx = mo_f8_load(offset + k) - x, dy = mo_f8_load(offset + stride + k) - y;
        mo_f8 dz = mo_f8_load(offset + 2 * stride + k) - z;
        unsigned bits = mo_f8_signs(dx * dx + dy * dy + dz * dz - bound);
        bits &= last - k < MO_WIDE ? (1u << (last - k)) - 1 : ~0u;
        for (; bits; bits &= bits - 1) {
            find_row(f, f->cells->row[k + __builtin_ctz(bits)]);
        }
    }
}

/* The cells that contain all points within the radius along an axis, rounding included. */
static void cells_within(const mo_cell_frame *frame, int axis, double x, double radius,
                         int64_t cell[2])
{
    double reach = radius * (1 + 0x1p-30) + 0x1p-50 * fabs(x);
    cell[0] = mo_cell_frame_along(frame, axis, x - reach);
    cell[1] = mo_cell_frame_along(frame, axis, x + reach);
}

/* The cells [x0, x1] of a row, in pieces with one origin each. */
static void find_in_row(finding *f, const grid *g, const int64_t x[2], int64_t y, int64_t z,
                        bool close)
{
    const int32_t *start = g->cells.start + mo_cell_frame_cell(&g->frame, 0, y, z);
    if (!close) {
        find_in_run(f, start[x[0]], start[x[1] + 1]);
        return;
    }
    for (int64_t first = x[0], next; first <= x[1]; first = next) {
        int64_t row = first / MO_CELLS_IN_ROW * MO_CELLS_IN_ROW;
        double origin[3] = {(double)row + 0.5 * MO_CELLS_IN_ROW, (double)y + 0.5, (double)z + 0.5};
        next = row + MO_CELLS_IN_ROW <= x[1] ? row + MO_CELLS_IN_ROW : x[1] + 1;
        find_in_near_run(f, origin, start[first], start[next]);
    }
}

static int64_t grid_near(const void *instance, mo_vec3 position, double radius, int32_t *out,
                         int64_t capacity)
{
    const grid *g = instance;
    const mo_cell_frame *frame = &g->frame;
    int64_t cell[3][2];
    if (g->head.points.rows == 0) {
        return 0;
    }
    finding f = {&g->cells,
                 position,
                 radius * radius,
                 out,
                 capacity,
                 0,
                 {position.x, position.y, position.z},
                 0};
    bool close = !frame->strays && radius * frame->inverse_width < 500;
    f.radius = radius * frame->inverse_width;
    for (int k = 0; k < 3; ++k) {
        cells_within(frame, k, f.at[k], radius, cell[k]);
        f.at[k] = (f.at[k] - frame->low[k]) * frame->inverse_width;
        close = close && f.at[k] > -500 && f.at[k] < (double)frame->size[k] + 500;
    }
    for (int64_t z = cell[2][0]; z <= cell[2][1]; ++z) {
        for (int64_t y = cell[1][0]; y <= cell[1][1]; ++y) {
            find_in_row(&f, g, cell[0], y, z, close);
        }
    }
    return f.found;
}

/* ---- all lists ---- */

/* Whether all points of a set lie in the frame. */
static bool covers(const mo_cell_frame *frame, const mo_search_points *points)
{
    bool inside = true;
    for (int k = 0; k < 3; ++k) {
        double high = frame->low[k] + (double)frame->size[k] * frame->width;
        inside = inside && points->low[k] >= frame->low[k] && points->high[k] <= high;
    }
    return inside;
}

/* Of the grid's rows (`other` NULL), or of another set sorted into the same cells. */
static mote_status list_cells(grid *g, const mo_search_points *asking, const mo_cells *other,
                              mo_pool *pool, mo_lists *out, mote_error *error)
{
    mo_cells_job job = {.frame = &g->frame,
                        .to = &g->cells,
                        .from = other,
                        .owned = asking->owned,
                        .radius = asking->radius};
    job.reach = (int64_t)ceil(asking->radius * (1 + 0x1p-21) / g->frame.width);
    job.strays = g->frame.strays || (other && !covers(&g->frame, asking));
    return mo_cells_lists(&job, pool, out, error);
}

/* With few wide cells, selected by the point's position. */
static bool by_queries(const grid *g, const mo_search_points *asking)
{
    return g->width > 1 || g->head.points.rows == 0 || asking->rows == 0;
}

static mote_status grid_lists(void *instance, mo_pool *pool, mo_lists *out, mote_error *error)
{
    grid *g = instance;
    const mo_search_points *p = &g->head.points;
    return by_queries(g, p) ? mo_lists_by_queries(out, pool, grid_near, g, p->owned, p->x,
                                                  p->radius, true, error)
                            : list_cells(g, p, NULL, pool, out, error);
}

static mote_status grid_lists_from(void *instance, const mo_search_points *from, mo_pool *pool,
                                   mo_lists *out, mote_error *error)
{
    grid *g = instance;
    if (by_queries(g, from)) {
        return mo_lists_by_queries(out, pool, grid_near, g, from->owned, from->x, from->radius,
                                   false, error);
    }
    MO_TRY(mo_cells_sort(&g->other, &g->frame, most_cells(g->head.points.rows), from->rows, from->x,
                         pool, error));
    return list_cells(g, from, &g->other, pool, out, error);
}

const mo_search_type mo_search_grid = {
    .base = {.name = "grid",
             .summary = "Uniform grid with points sorted by cell: the fastest for most point sets.",
             .citation =
                 "M. Ihmsen, N. Akinci, M. Becker, M. Teschner 2011, Comput. Graph. Forum 30, 99",
             .capabilities = MO_SEARCH_PARALLEL | MO_PORTABLE,
             .param_size = sizeof(params),
             .params = PARAMS},
    .layout = {.size = sizeof(grid),
               .params = offsetof(grid, p),
               .defaults = &DEFAULTS,
               .arrays = ARRAYS},
    .build = grid_build,
    .near = grid_near,
    .lists = grid_lists,
    .lists_from = grid_lists_from,
};
