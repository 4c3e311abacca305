#include "plot/run_figures.h"

#include "base/error.h"
#include "base/file.h"
#include "plot/plot.h"
#include "plot/run_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SERIES_MAX = 6, PANELS_MAX = 2, PATH_MAX_LENGTH = 4600 };

/* A column of the table and its name in the legend. */
typedef struct curve {
    const char *column, *name;
    unsigned style;
} curve;

typedef struct panel_plan {
    const char *title, *label, *unit;
    bool positive; /* 0 means missing: a gap */
    curve curves[SERIES_MAX];
} panel_plan;

typedef struct figure_plan {
    const char *name;
    const char *absent; /* the reason why a run may have no values */
    panel_plan panels[PANELS_MAX];
} figure_plan;

/* clang-format off */
static const figure_plan FIGURES[] = {
    {"energies", "it has no energy", {
        {"Energies", "energy", "J", false,
         {{"kinetic_J", "kinetic", PLOT_LINE}, {"potential_J", "potential", PLOT_LINE},
          {"elastic_J", "elastic", PLOT_LINE}, {"total_J", "total", PLOT_LINE}}}}},
    {"momenta", "it has no motion", {
        {"Linear momentum", "momentum", "kg m/s", false,
         {{"px_kgm_s", "x", PLOT_LINE}, {"py_kgm_s", "y", PLOT_LINE}, {"pz_kgm_s", "z", PLOT_LINE}}},
        {"Angular momentum about the origin", "angular momentum", "kg m^2/s", false,
         {{"lx_kgm2_s", "x", PLOT_LINE}, {"ly_kgm2_s", "y", PLOT_LINE}, {"lz_kgm2_s", "z", PLOT_LINE}}}}},
    {"density", "it has no fluid", {
        {"Density error", "compression", "1", false,
         {{"density_error_avg", "average", PLOT_LINE}, {"density_error_max", "largest", PLOT_LINE}}}}},
    {"iterations", "it has no iterative solver", {
        {"Solver iterations", "iterations per step", NULL, false,
         {{"iterations", "density", PLOT_LINE}, {"divergence_iterations", "divergence", PLOT_LINE}}}}},
    {"steps", "it has no steps", {
        {"Time step between frames", "step", "s", true,
         {{"step_max_s", "largest", PLOT_LINE}, {"step_min_s", "smallest", PLOT_DASHED}}},
        {"Courant number between frames", "largest |v| dt / diameter", "1", false,
         {{"courant", NULL, PLOT_LINE}}}}},
    {"contacts", "it has no contacts with colliders", {
        {"Contacts", "maximum number of contacts", NULL, false, {{"contacts", NULL, PLOT_LINE}}}}},
};
/* clang-format on */

/* ---- curves ---- */

static double value_of(const run_table *t, int64_t row, int column)
{
    return t->values[row * t->columns + column];
}

/* Whether a column has visible values. */
static bool has_values(const run_table *t, int column)
{
    for (int64_t k = 0; column >= 0 && k < t->rows; ++k) {
        if (value_of(t, k, column) != 0) {
            return true;
        }
    }
    return false;
}

static mote_status add_curve(plot_panel *panel, const run_table *t, int column, const curve *look,
                             bool positive, mote_error *error)
{
    double *x = malloc(2 * (size_t)t->rows * sizeof *x), *y = x ? x + t->rows : NULL;
    if (!x) {
        return mo_fail_memory(error, 2 * (size_t)t->rows * sizeof *x);
    }
    int time = run_table_column(t, "time_s");
    for (int64_t k = 0; k < t->rows; ++k) {
        double value = value_of(t, k, column);
        x[k] = value_of(t, k, time);
        y[k] = positive && !(value > 0) ? NAN : value;
    }
    plot_add_series(panel, look->name, t->rows, x, y, look->style);
    free(x);
    return MOTE_OK;
}

static int count_present(const panel_plan *plan, const run_table *t)
{
    int count = 0;
    for (int k = 0; k < SERIES_MAX && plan->curves[k].column; ++k) {
        count += has_values(t, run_table_column(t, plan->curves[k].column));
    }
    return count;
}

static mote_status fill_panel(plot_panel *panel, const panel_plan *plan, const run_table *t,
                              mote_error *error)
{
    plot_set_title(panel, plan->title);
    plot_set_axis(panel, PLOT_X, (plot_axis){.label = "time", .unit = "s"});
    plot_set_axis(panel, PLOT_Y, (plot_axis){.label = plan->label, .unit = plan->unit});
    for (int k = 0; k < SERIES_MAX && plan->curves[k].column; ++k) {
        int column = run_table_column(t, plan->curves[k].column);
        if (has_values(t, column)) {
            MO_TRY(add_curve(panel, t, column, &plan->curves[k], plan->positive, error));
        }
    }
    return MOTE_OK;
}

/* ---- files ---- */

typedef struct work {
    const run_plot_options *options;
    run_plot_listener *tell;
    void *context;
    run_location location;
    char base[PATH_MAX_LENGTH]; /* of the files: DIR/NAME */
    run_table table, times;
} work;

static mote_status write_as(const plot_figure *figure, const char *base, const char *ending,
                            mote_error *error)
{
    char path[PATH_MAX_LENGTH + 100];
    snprintf(path, sizeof path, "%s.%s", base, ending);
    return plot_write(figure, path, error);
}

static mote_status save(const work *w, const plot_figure *figure, const char *name,
                        mote_error *error)
{
    char base[PATH_MAX_LENGTH + 60];
    snprintf(base, sizeof base, "%s.%s", w->base, name);
    if (w->options->svg) {
        MO_TRY(write_as(figure, base, "svg", error));
    }
    if (w->options->png) {
        MO_TRY(write_as(figure, base, "png", error));
    }
    w->tell(w->context, name, base, NULL);
    return MOTE_OK;
}

/* Panels are stacked, since all share the time; those without a curve are omitted. */
static mote_status plot_figure_of(const work *w, const figure_plan *plan, mote_error *error)
{
    const panel_plan *used[PANELS_MAX];
    int count = 0;
    for (int k = 0; k < PANELS_MAX; ++k) {
        if (plan->panels[k].title && count_present(&plan->panels[k], &w->table) > 0) {
            used[count++] = &plan->panels[k];
        }
    }
    if (count == 0) {
        w->tell(w->context, plan->name, NULL, plan->absent);
        return MOTE_OK;
    }
    plot_figure *figure = plot_create(1, count, w->options->width, w->options->height);
    mote_status status = MOTE_OK;
    for (int k = 0; status == MOTE_OK && k < count; ++k) {
        status = fill_panel(plot_panel_at(figure, k), used[k], &w->table, error);
    }
    if (status == MOTE_OK) {
        status = save(w, figure, plan->name, error);
    }
    plot_destroy(figure);
    return status;
}

/* Every column of the table of times but the first is a stage; "wall_s" is their total. */
static mote_status fill_stages(plot_panel *panel, const run_table *t, mote_error *error)
{
    plot_set_title(panel, "Wall time between frames");
    plot_set_axis(panel, PLOT_X, (plot_axis){.label = "time", .unit = "s"});
    plot_set_axis(panel, PLOT_Y, (plot_axis){.label = "wall time", .unit = "s"});
    for (int k = 1; k < t->columns; ++k) {
        char name[64];
        size_t length = strlen(t->names[k]);
        bool seconds = length > 2 && strcmp(t->names[k] + length - 2, "_s") == 0;
        snprintf(name, sizeof name, "%.*s", (int)(seconds ? length - 2 : length), t->names[k]);
        if (has_values(t, k)) {
            curve look = {t->names[k], strcmp(name, "wall") == 0 ? "all" : name, PLOT_LINE};
            MO_TRY(add_curve(panel, t, k, &look, false, error));
        }
    }
    return MOTE_OK;
}

static mote_status plot_stages(const work *w, mote_error *error)
{
    if (w->times.rows == 0) {
        w->tell(w->context, "stages", NULL, "there is no table of times beside it");
        return MOTE_OK;
    }
    plot_figure *figure = plot_create(1, 1, w->options->width, w->options->height);
    mote_status status = fill_stages(plot_panel_at(figure, 0), &w->times, error);
    if (status == MOTE_OK) {
        status = save(w, figure, "stages", error);
    }
    plot_destroy(figure);
    return status;
}

static mote_status check_columns(const char *path, const run_table *t, mote_error *error)
{
    if (run_table_column(t, "time_s") < 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%s: has no column 'time_s'; run the scene again",
                       path);
    }
    return MOTE_OK;
}

/* All tables are read before any file is written. */
static mote_status read_tables(work *w, mote_error *error)
{
    char path[PATH_MAX_LENGTH];
    FILE *times;
    snprintf(path, sizeof path, "%s/%s.csv", w->location.directory, w->location.name);
    MO_TRY(run_table_read(path, &w->table, error));
    MO_TRY(check_columns(path, &w->table, error));
    snprintf(path, sizeof path, "%s/%s.times.csv", w->location.directory, w->location.name);
    times = fopen(path, "rbe");
    if (!times) {
        return MOTE_OK; /* a table without its table of times suffices for all but the stages */
    }
    fclose(times);
    MO_TRY(run_table_read(path, &w->times, error));
    return check_columns(path, &w->times, error);
}

static mote_status plot_all(work *w, mote_error *error)
{
    const char *directory = w->options->directory ? w->options->directory : w->location.directory;
    MO_TRY(mo_directory_create(directory, error));
    snprintf(w->base, sizeof w->base, "%.4096s/%s", directory, w->location.name);
    for (size_t k = 0; k < sizeof FIGURES / sizeof *FIGURES; ++k) {
        MO_TRY(plot_figure_of(w, &FIGURES[k], error));
    }
    return plot_stages(w, error);
}

mote_status run_plot(const run_plot_options *options, run_plot_listener *tell, void *context,
                     mote_error *error)
{
    work w = {.options = options, .tell = tell, .context = context};
    MO_TRY(run_find(options->path, &w.location, error));
    mote_status status = read_tables(&w, error);
    if (status == MOTE_OK) {
        status = plot_all(&w, error);
    }
    run_table_release(&w.table);
    run_table_release(&w.times);
    return status;
}
