/*
 * A uniform grid, sorted by cell ("index sort"). Cells as wide as the radius leave 27 cells to look through,
 * cells half as wide 125 smaller ones, cells twice as wide 8 large ones, chosen by where in its cell a point
 * is. Points are sorted along x, then y, then z, so that the cells of a row follow each other in memory.
 * (J. Onderik, R. Durikovic 2008, "Efficient neighbor search for particle-based fluids", J. Appl. Math. Stat.
 * Inform. 4; M. Ihmsen, N. Akinci, M. Becker, M. Teschner 2011, "A parallel SPH implementation on multi-core
 * CPUs", Comput. Graph. Forum 30, section 4.)
 */
#include "neighbor/search/cells.h"

typedef struct params {
    double width;
} params;

static const mo_param PARAMS[] = {{"width", MO_REAL, MO_FIELD(params, width), .initial = "1",
                                   .range = "[0.25, 4]", .doc = "Width of a cell, in radii."},
                                  {0}};

typedef struct grid {
    mo_search_points points;
    double width; /* in radii */
    mo_frame frame;
    mo_cells cells, other; /* `other`: a set from which lists were asked for */
} grid;

static mote_status create(const void *given, mo_memory *memory, void **instance, mote_error *error)
{
    const params *p = given;
    grid *g = mo_allocate(memory, sizeof *g);
    if (!g) {
        return mo_fail_memory(error, sizeof *g);
    }
    g->width = p ? p->width : 1;
    mo_cells_init(&g->cells, memory);
    mo_cells_init(&g->other, memory);
    *instance = g;
    return MOTE_OK;
}

static void destroy(void *instance, mo_memory *memory)
{
    grid *g = instance;
    mo_cells_release(&g->cells);
    mo_cells_release(&g->other);
    mo_release(memory, g);
}

static int64_t most_cells(int64_t rows)
{
    return 2 * rows + 64;
}

static mote_status build(void *instance, const mo_search_points *points, mo_pool *pool, mote_error *error)
{
    grid *g = instance;
    int64_t most = most_cells(points->rows);
    g->points = *points;
    g->points.rows = 0;
    if (points->rows > 0) {
        MO_TRY(mo_frame_lay(&g->frame, points, g->width * points->radius, most, pool, error));
        MO_TRY(mo_cells_sort(&g->cells, &g->frame, most, points->rows, points->x, pool, error));
    }
    g->points.rows = points->rows;
    return MOTE_OK;
}

/* ---- one place ---- */

typedef struct finding {
    const mo_cells *cells;
    mo_vec3 place;
    double square;
    int32_t *out;
    int64_t capacity, found;
} finding;

static void find_in_run(finding *f, int32_t first, int32_t last)
{
    for (int32_t k = first; k < last; ++k) {
        int32_t row = f->cells->row[k];
        if (mo_search_within(f->cells->x + 3 * (int64_t)row, f->place, f->square) &&
            f->found++ < f->capacity) {
            f->out[f->found - 1] = row;
        }
    }
}

/* The cells that hold everything within the radius along an axis, rounding included. */
static void cells_within(const mo_frame *frame, int axis, double x, double radius, int64_t cell[2])
{
    double reach = radius * (1 + 0x1p-30) + 0x1p-50 * fabs(x);
    cell[0] = mo_frame_along(frame, axis, x - reach);
    cell[1] = mo_frame_along(frame, axis, x + reach);
}

static int64_t near(const void *instance, mo_vec3 place, double radius, int32_t *out, int64_t capacity)
{
    const grid *g = instance;
    const mo_frame *frame = &g->frame;
    const int32_t *start = g->cells.start;
    int64_t x[2], y[2], z[2];
    if (g->points.rows == 0) {
        return 0;
    }
    finding f = {&g->cells, place, radius * radius, out, capacity, 0};
    cells_within(frame, 0, place.x, radius, x);
    cells_within(frame, 1, place.y, radius, y);
    cells_within(frame, 2, place.z, radius, z);
    for (int64_t k = z[0]; k <= z[1]; ++k) {
        for (int64_t j = y[0]; j <= y[1]; ++j) {
            find_in_run(&f, start[mo_frame_cell(frame, x[0], j, k)],
                        start[mo_frame_cell(frame, x[1], j, k) + 1]);
        }
    }
    return f.found;
}

/* ---- all lists ---- */

/* Whether all points of a set lie in the frame. */
static bool covers(const mo_frame *frame, const mo_search_points *points)
{
    bool inside = true;
    for (int k = 0; k < 3; ++k) {
        double high = frame->low[k] + (double)frame->size[k] * frame->width;
        inside = inside && points->low[k] >= frame->low[k] && points->high[k] <= high;
    }
    return inside;
}

static mote_status lists(void *instance, const mo_search_points *from, mo_pool *pool, mo_lists *out,
                         mote_error *error)
{
    grid *g = instance;
    const mo_search_points *asking = from ? from : &g->points;
    if (g->width > 1 || g->points.rows == 0 || asking->rows == 0) { /* few cells, by where a point is */
        return mo_lists_by_queries(out, pool, near, g, asking->owned, asking->x, asking->radius, !from,
                                   error);
    }
    mo_cells_job job = {
        .frame = &g->frame, .to = &g->cells, .owned = asking->owned, .radius = asking->radius};
    job.reach = (int64_t)ceil(asking->radius * (1 + 0x1p-21) / g->frame.width);
    job.strays = g->frame.strays;
    if (from) {
        MO_TRY(mo_cells_sort(&g->other, &g->frame, most_cells(g->points.rows), from->rows, from->x, pool,
                             error));
        job.from = &g->other;
        job.strays = job.strays || !covers(&g->frame, from);
    }
    return mo_cells_lists(&job, pool, out, error);
}

static int64_t bytes(const void *instance)
{
    const grid *g = instance;
    return (int64_t)sizeof *g + mo_cells_bytes(&g->cells) + mo_cells_bytes(&g->other);
}

const mo_search_type mo_search_grid = {
    .base = {.name = "grid",
             .summary = "Points sorted into the cells of a uniform grid: the fastest for most clouds.",
             .citation = "M. Ihmsen, N. Akinci, M. Becker, M. Teschner 2011, Comput. Graph. Forum 30, 99",
             .capabilities = MO_SEARCH_PARALLEL | MO_PORTABLE,
             .param_size = sizeof(params),
             .params = PARAMS},
    .create = create,
    .destroy = destroy,
    .build = build,
    .near = near,
    .lists = lists,
    .bytes = bytes,
};
