/*
 * Costs of the structures of the family `search` as functions of their parameters and input, for
 * docs/neighbors.md.
 *
 *   width       cells from half a radius to four
 *   order       rows in Morton order and in random order
 *   count       time of a query and bytes per point over N; in a volume, on a surface, in clusters
 *   bucket      capacity of the buckets of region trees
 *   table       entries of the hash tables
 *   update      small displacements: an update compared with a build
 *
 * Figures are CPU times of one thread, the best of several. A query is one search around each
 * point, in row order; points have spacing 1 and the radius is 2. With -o, each case writes its
 * plot.
 */
#include "base/error.h"
#include "bench/bench.h"
#include "bench/clouds.h"
#include "math/random.h"
#include "plot/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double RADIUS = 2, SECONDS_TOGETHER = 2;
enum { PARAMS_SIZE = 256, FOUND_MAX = 4096, CURVE_MAX = 16, ROWS_DEFAULT = 30000 };

static double processor_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- one structure on one cloud ---- */

/* A structure with one parameter different from its default (name NULL: none). */
typedef struct setting {
    const char *structure, *parameter;
    double value;
} setting;

typedef struct figures {
    double build, query, lists, update; /* seconds */
    int64_t bytes, pairs;
} figures;

static void set_params(const mo_descriptor *type, const setting *s, char *bytes)
{
    for (const mo_param *p = type->params; p->name; ++p) {
        bool chosen = s->parameter && strcmp(s->parameter, p->name) == 0;
        double value = chosen ? s->value : p->initial ? strtod(p->initial, NULL) : NAN;
        if (p->type == MO_REAL) {
            memcpy(bytes + p->offset, &value, sizeof value);
        } else if (p->type == MO_INT) {
            memcpy(bytes + p->offset, &(int64_t){(int64_t)value}, sizeof(int64_t));
        } /* booleans are false */
    }
}

typedef struct trial {
    const bench *b;
    const mo_search_type *type;
    mo_search_points points;
    void *instance;
    mo_lists lists;
    mo_pool *pool;
    int64_t found;
} trial;

static mote_status run_build(trial *t, mote_error *error)
{
    return t->type->build(t->instance, &t->points, t->pool, error);
}

static mote_status run_update(trial *t, mote_error *error)
{
    return t->type->update(t->instance, &t->points, t->pool, error);
}

static mote_status run_lists(trial *t, mote_error *error)
{
    if (!t->type->lists) {
        return mo_lists_by_queries(&t->lists, t->pool, t->type->near, t->instance, t->points.rows,
                                   t->points.x, RADIUS, true, error);
    }
    return t->type->lists(t->instance, t->pool, &t->lists, error);
}

static mote_status run_queries(trial *t, mote_error *error)
{
    int32_t out[FOUND_MAX];
    (void)error;
    t->found = 0;
    for (int64_t row = 0; row < t->points.rows; ++row) {
        mo_vec3 position = mo_vec3_load(t->points.x + 3 * row);
        t->found += t->type->near(t->instance, position, RADIUS, out, FOUND_MAX);
    }
    return MOTE_OK;
}

static mote_status best_of(trial *t, mote_status (*run)(trial *t, mote_error *error), double *best,
                           mote_error *error)
{
    double spent = 0;
    *best = INFINITY;
    for (int k = 0; k <= t->b->repeats && (k < 2 || spent + *best < SECONDS_TOGETHER); ++k) {
        double start = processor_time();
        MO_TRY(run(t, error));
        double seconds = processor_time() - start;
        spent += seconds;
        *best = fmin(*best, seconds);
    }
    return MOTE_OK;
}

static void bound(mo_search_points *p)
{
    for (int k = 0; k < 3; ++k) {
        p->low[k] = INFINITY;
        p->high[k] = -INFINITY;
        for (int64_t row = 0; row < p->rows; ++row) {
            p->low[k] = fmin(p->low[k], p->x[3 * row + k]);
            p->high[k] = fmax(p->high[k], p->x[3 * row + k]);
        }
    }
}

static mote_status time_all(trial *t, figures *f, mote_error *error)
{
    MO_TRY(best_of(t, run_build, &f->build, error));
    MO_TRY(best_of(t, run_queries, &f->query, error));
    MO_TRY(best_of(t, run_lists, &f->lists, error));
    f->bytes = mo_structure_bytes(t->instance);
    f->pairs = t->found - t->points.rows;
    return MOTE_OK;
}

static mote_status measure(const bench *b, const setting *s, const bench_cloud *c, figures *f,
                           mote_error *error)
{
    _Alignas(16) char params[PARAMS_SIZE] = {0};
    mo_memory memory;
    trial t = {.b = b, .type = (const mo_search_type *)mo_family_find(&mo_searches, s->structure)};
    mo_memory_init(&memory, NULL);
    mo_lists_init(&t.lists, &memory);
    t.points = (mo_search_points){.rows = c->rows, .owned = c->rows, .x = c->x, .radius = RADIUS};
    bound(&t.points);
    set_params(&t.type->base, s, params);
    MO_TRY(mo_pool_create(&memory, 1, &t.pool, error));
    mote_status status = mo_structure_create(t.type, params, &memory, &t.instance, error);
    if (status == MOTE_OK) {
        status = time_all(&t, f, error);
        mo_structure_destroy(t.instance);
    }
    mo_lists_release(&t.lists);
    mo_pool_destroy(t.pool);
    return status;
}

static void report(const bench *b, const char *name, const figures *f, int64_t rows)
{
    double n = (double)rows;
    bench_row row = {.name = name, .threads = 1, .seconds = f->query, .rate = n / f->query};
    row.unit = "queries/s";
    row.baseline = NAN;
    snprintf(row.note, sizeof row.note,
             "a point: build %.1f ns, query %.1f ns, lists %.1f ns, %.1f bytes; %.2f neighbours",
             1e9 * f->build / n, 1e9 * f->query / n, 1e9 * f->lists / n, (double)f->bytes / n,
             (double)f->pairs / n);
    bench_report(b, &row);
}

/* ---- curves ---- */

typedef struct curve {
    char name[48];
    int count;
    double x[CURVE_MAX], y[CURVE_MAX];
} curve;

typedef struct drawing {
    const bench *b;
    const char *file;
    plot_figure *figure;
} drawing;

static drawing draw(const bench *b, const char *file, int panels)
{
    return (drawing){b, file,
                     b->directory ? plot_create(panels, 1, 160 + 400 * panels, 400) : NULL};
}

static plot_panel *panel_of(drawing *d, int number, const char *title, plot_axis x, plot_axis y)
{
    plot_panel *panel = plot_panel_at(d->figure, number);
    plot_set_title(panel, title);
    plot_set_axis(panel, PLOT_X, x);
    plot_set_axis(panel, PLOT_Y, y);
    return panel;
}

static void add_point(curve *c, double x, double y)
{
    if (c->count < CURVE_MAX) {
        c->x[c->count] = x;
        c->y[c->count++] = y;
    }
}

static void add_curve(plot_panel *panel, const curve *c)
{
    plot_add_series(panel, c->name, c->count, c->x, c->y, PLOT_LINE | PLOT_POINTS);
}

static mote_status finish(drawing *d, mote_error *error)
{
    char path[1024];
    mote_status status = MOTE_OK;
    if (d->figure) {
        snprintf(path, sizeof path, "%s/%s", d->b->directory, d->file);
        status = plot_write(d->figure, path, error);
    }
    plot_destroy(d->figure);
    return status;
}

static mote_status make_cloud(const bench *b, int distribution, int64_t rows, bench_cloud *c,
                              mote_error *error)
{
    mo_memory memory;
    mo_pool *pool;
    mo_memory_init(&memory, NULL);
    MO_TRY(mo_pool_create(&memory, 1, &pool, error));
    mote_status status =
        bench_cloud_make(c, &BENCH_DISTRIBUTIONS[distribution], b->quick ? rows / 20 : rows, RADIUS,
                         &memory, pool, error);
    mo_pool_destroy(pool);
    return status;
}

static const char *distribution_name(int d)
{
    return BENCH_DISTRIBUTIONS[d].name;
}

/* ---- one parameter ---- */

typedef struct parameter_sweep {
    const char *name, *file, *parameter, *label;
    const char *const *structures; /* ends with NULL */
    const int *distributions;      /* ends with -1; one panel each */
    const double *values;          /* ends with 0 */
} parameter_sweep;

static mote_status sweep_structure(const bench *b, const parameter_sweep *p, int d,
                                   const char *structure, const bench_cloud *c, curve *out,
                                   mote_error *error)
{
    snprintf(out->name, sizeof out->name, "%s", structure);
    for (const double *value = p->values; *value > 0; ++value) {
        char name[128];
        figures f;
        setting s = {structure, p->parameter, *value};
        MO_TRY(measure(b, &s, c, &f, error));
        snprintf(name, sizeof name, "%s/%s/%s/%g", p->name, distribution_name(d), structure,
                 *value);
        report(b, name, &f, c->rows);
        add_point(out, *value, 1e9 * f.query / (double)c->rows);
    }
    return MOTE_OK;
}

static mote_status sweep_parameter(const bench *b, const parameter_sweep *p, mote_error *error)
{
    int panels = 0;
    while (p->distributions[panels] >= 0) {
        ++panels;
    }
    drawing d = draw(b, p->file, panels);
    for (int k = 0; k < panels; ++k) {
        bench_cloud c;
        char title[64];
        mote_status status = make_cloud(b, p->distributions[k], ROWS_DEFAULT, &c, error);
        snprintf(title, sizeof title, "%s, %lld points", distribution_name(p->distributions[k]),
                 (long long)c.rows);
        plot_panel *panel = panel_of(&d, k, title, (plot_axis){.label = p->label, .log = true},
                                     (plot_axis){.label = "a query", .unit = "ns", .log = true});
        for (const char *const *s = p->structures; *s && status == MOTE_OK; ++s) {
            curve out = {.count = 0};
            status = sweep_structure(b, p, p->distributions[k], *s, &c, &out, error);
            add_curve(panel, &out);
        }
        free(c.x);
        if (status != MOTE_OK) {
            plot_destroy(d.figure);
            return status;
        }
    }
    return finish(&d, error);
}

static mote_status run_width(void *context, mote_error *error)
{
    static const char *const STRUCTURES[] = {"grid",         "grid_zsort",   "reduced_grid",
                                             "spatial_hash", "compact_hash", NULL};
    static const double WIDTHS[] = {0.5, 0.7, 1, 1.4, 2, 2.8, 4, 0};
    static const int CLOUDS[] = {BENCH_VOLUME, BENCH_SURFACE, -1};
    return sweep_parameter(context,
                           &(parameter_sweep){"structures/width", "neighbors_width.svg", "width",
                                              "width of a cell / radius", STRUCTURES, CLOUDS,
                                              WIDTHS},
                           error);
}

static mote_status run_bucket(void *context, mote_error *error)
{
    static const char *const STRUCTURES[] = {"octree", "region_kdtree", "bsp", NULL};
    static const double CAPACITIES[] = {1, 2, 4, 6, 8, 12, 16, 24, 32, 64, 128, 0};
    static const int CLOUDS[] = {BENCH_VOLUME, BENCH_SURFACE, -1};
    return sweep_parameter(context,
                           &(parameter_sweep){"structures/bucket", "neighbors_bucket.svg",
                                              "capacity", "points a bucket takes", STRUCTURES,
                                              CLOUDS, CAPACITIES},
                           error);
}

static mote_status run_table(void *context, mote_error *error)
{
    static const char *const STRUCTURES[] = {"spatial_hash", "compact_hash", NULL};
    static const double ENTRIES[] = {0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 4, 8, 16, 0};
    static const int CLOUDS[] = {BENCH_VOLUME, BENCH_SURFACE, -1};
    return sweep_parameter(context,
                           &(parameter_sweep){"structures/table", "neighbors_table.svg", "table",
                                              "entries of the table / points", STRUCTURES, CLOUDS,
                                              ENTRIES},
                           error);
}

/* ---- over the number of points ---- */

typedef struct count_sweep {
    const char *name;
    const char *const *structures; /* ends with NULL */
    const int *distributions;      /* ends with -1; one panel each */
    int64_t most;
    bool memory; /* also plotted */
} count_sweep;

enum { RANGE_TREE_ROWS_MAX = 100000 };
static const int64_t COUNTS[] = {10000, 30000, 100000, 300000, 1000000, 0};

/* The curves of a panel, one per structure. */
typedef struct panel_curves {
    curve query[CURVE_MAX], bytes[CURVE_MAX];
} panel_curves;

/* One count with all structures; appends to their curves. */
static mote_status sweep_count(const bench *b, const count_sweep *w, int distribution, int64_t rows,
                               panel_curves *p, mote_error *error)
{
    bench_cloud c;
    mote_status status = make_cloud(b, distribution, rows, &c, error);
    for (int s = 0; w->structures[s] && status == MOTE_OK; ++s) {
        char name[128];
        figures f;
        if (strcmp(w->structures[s], "range_tree") == 0 && rows > RANGE_TREE_ROWS_MAX) {
            continue; /* gigabytes */
        }
        status = measure(b, &(setting){.structure = w->structures[s]}, &c, &f, error);
        if (status == MOTE_OK) {
            snprintf(name, sizeof name, "%s/%s/%s/%lld", w->name, distribution_name(distribution),
                     w->structures[s], (long long)c.rows);
            report(b, name, &f, c.rows);
            snprintf(p->query[s].name, sizeof p->query[s].name, "%s", w->structures[s]);
            snprintf(p->bytes[s].name, sizeof p->bytes[s].name, "%s", w->structures[s]);
            add_point(&p->query[s], (double)c.rows, 1e9 * f.query / (double)c.rows);
            add_point(&p->bytes[s], (double)c.rows, (double)f.bytes / (double)c.rows);
        }
    }
    free(c.x);
    return status;
}

/* A table of all cells of the bounding box, 4 bytes each: the memory of a dense grid. */
static void add_box(plot_panel *panel, int distribution, int64_t most)
{
    curve box = {.name = "all cells of the box"};
    for (int n = 0; COUNTS[n] > 0 && COUNTS[n] <= most; ++n) {
        double rows = (double)COUNTS[n], side = cbrt(rows);
        side = distribution == BENCH_SURFACE ? sqrt(rows / 3.14159265358979323846) : side;
        side = distribution == BENCH_CLUSTERED ? 4 * side : side;
        add_point(&box, rows, 4 * pow(ceil(side / RADIUS), 3) / rows);
    }
    plot_add_series(panel, box.name, box.count, box.x, box.y, PLOT_DASHED);
}

static mote_status sweep_panel(const bench *b, const count_sweep *w, int number, drawing *query,
                               drawing *memory, mote_error *error)
{
    panel_curves *p = calloc(1, sizeof *p);
    int distribution = w->distributions[number];
    mote_status status = p ? MOTE_OK : mo_fail_memory(error, sizeof *p);
    for (int k = 0; COUNTS[k] > 0 && COUNTS[k] <= w->most && status == MOTE_OK; ++k) {
        status = sweep_count(b, w, distribution, COUNTS[k], p, error);
    }
    plot_axis x = {.label = "points", .log = true};
    plot_panel *left = panel_of(query, number, distribution_name(distribution), x,
                                (plot_axis){.label = "a query", .unit = "ns", .log = true});
    plot_panel *right =
        panel_of(memory, number, distribution_name(distribution), x,
                 (plot_axis){.label = "memory / points", .unit = "bytes", .log = true});
    for (int s = 0; w->structures[s] && status == MOTE_OK; ++s) {
        add_curve(left, &p->query[s]);
        add_curve(right, &p->bytes[s]);
    }
    add_box(right, distribution, w->most);
    free(p);
    return status;
}

static mote_status sweep_counts(const bench *b, const count_sweep *w, const char *file,
                                mote_error *error)
{
    int panels = 0;
    while (w->distributions[panels] >= 0) {
        ++panels;
    }
    drawing query = draw(b, file, panels), memory = draw(b, "neighbors_memory.svg", panels);
    mote_status status = MOTE_OK;
    for (int k = 0; k < panels && status == MOTE_OK; ++k) {
        status = sweep_panel(b, w, k, &query, &memory, error);
    }
    if (status != MOTE_OK || !w->memory) {
        plot_destroy(memory.figure);
        memory.figure = NULL;
    }
    if (status != MOTE_OK) {
        plot_destroy(query.figure);
        return status;
    }
    MO_TRY(finish(&query, error));
    return finish(&memory, error);
}

static const char *const ALL[] = {"grid",         "grid_zsort", "reduced_grid",  "spatial_hash",
                                  "compact_hash", "octree",     "region_kdtree", "point_quadtree",
                                  "point_kdtree", "range_tree", "bsp",           NULL};

static mote_status run_count(void *context, mote_error *error)
{
    static const int CLOUDS[] = {BENCH_VOLUME, BENCH_SURFACE, BENCH_CLUSTERED, -1};
    return sweep_counts(context, &(count_sweep){"structures/count", ALL, CLOUDS, 100000, true},
                        "neighbors_count.svg", error);
}

static mote_status run_order(void *context, mote_error *error)
{
    static const int CLOUDS[] = {BENCH_VOLUME, BENCH_SHUFFLED, -1};
    static const char *const STRUCTURES[] = {"grid", "grid_zsort", "compact_hash", "region_kdtree",
                                             NULL};
    return sweep_counts(context,
                        &(count_sweep){"structures/order", STRUCTURES, CLOUDS, 1000000, false},
                        "neighbors_order.svg", error);
}

/* ---- updates ---- */

static void move(double *x, int64_t rows, double way, uint32_t step)
{
    for (int64_t row = 0; row < rows; ++row) {
        mo_vec3 by = mo_scale(way, mo_random_cube(9, 0, (uint64_t)row, step));
        mo_vec3_store(x + 3 * row, mo_add(mo_vec3_load(x + 3 * row), by));
    }
}

/* Consecutive steps of the same kind; the minimum time of an update, and of a build of the same
 * points. */
static mote_status time_updates(trial *t, double *x, double way, figures *f, mote_error *error)
{
    f->update = f->build = INFINITY;
    MO_TRY(run_build(t, error));
    for (uint32_t step = 0; step < 10; ++step) {
        move(x, t->points.rows, way, step);
        bound(&t->points);
        double start = processor_time();
        MO_TRY(run_update(t, error));
        f->update = fmin(f->update, processor_time() - start);
        start = processor_time();
        MO_TRY(run_build(t, error));
        f->build = fmin(f->build, processor_time() - start);
    }
    return MOTE_OK;
}

static mote_status measure_update(const bench *b, const char *structure, bench_cloud *c, double way,
                                  mote_error *error)
{
    _Alignas(16) char params[PARAMS_SIZE] = {0};
    mo_memory memory;
    figures f;
    char name[128];
    trial t = {.b = b, .type = (const mo_search_type *)mo_family_find(&mo_searches, structure)};
    t.points = (mo_search_points){.rows = c->rows, .owned = c->rows, .x = c->x, .radius = RADIUS};
    mo_memory_init(&memory, NULL);
    bound(&t.points);
    set_params(&t.type->base, &(setting){.structure = structure}, params);
    MO_TRY(mo_pool_create(&memory, 1, &t.pool, error));
    mote_status status = mo_structure_create(t.type, params, &memory, &t.instance, error);
    if (status == MOTE_OK) {
        status = time_updates(&t, c->x, way, &f, error);
        mo_structure_destroy(t.instance);
    }
    mo_pool_destroy(t.pool);
    MO_TRY(status);
    snprintf(name, sizeof name, "structures/update/%s/%g", structure, way);
    bench_row row = {
        .name = name, .threads = 1, .seconds = f.update, .unit = "points/s", .baseline = NAN};
    row.rate = (double)c->rows / f.update;
    snprintf(row.note, sizeof row.note, "update %.2f ms, build %.2f ms, build / update %.2f",
             1e3 * f.update, 1e3 * f.build, f.build / f.update);
    bench_report(b, &row);
    return MOTE_OK;
}

static mote_status run_updates(void *context, mote_error *error)
{
    static const double WAYS[] = {0.001, 0.01, 0.05, 0.2};
    for (size_t k = 0; k < sizeof WAYS / sizeof *WAYS; ++k) {
        for (int s = 0; ALL[s]; ++s) {
            bench_cloud c;
            if (!((const mo_search_type *)mo_family_find(&mo_searches, ALL[s]))->update) {
                continue;
            }
            mote_status status = make_cloud(context, BENCH_VOLUME, 10 * ROWS_DEFAULT, &c, error);
            if (status == MOTE_OK) {
                status = measure_update(context, ALL[s], &c, WAYS[k], error);
            }
            free(c.x);
            MO_TRY(status);
        }
    }
    return MOTE_OK;
}

static const suite_case CASES[] = {
    {"structures/width", "Width of cells, from half a radius to four.", run_width},
    {"structures/order", "Rows along the Morton curve against rows in random order.", run_order},
    {"structures/count", "Time of a query and bytes a point over the number of points.", run_count},
    {"structures/bucket", "Capacity of buckets.", run_bucket},
    {"structures/table", "Entries of hash tables.", run_table},
    {"structures/update", "Updates of points that moved a little against builds.", run_updates},
    {0}};

const suite_group bench_structures = {"structures",
                                      "Cost of search structures as a function of their "
                                      "parameters.",
                                      CASES};
