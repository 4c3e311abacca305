/*
 * Creates and fills a figure.
 */
#include "plot/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char NO_MEMORY[] = "out of memory: the data of the figure could not be stored";

/* Records the first failure; it is reported when the figure is written. */
static void note(plot_figure *figure, mote_status status, const char *problem)
{
    if (figure->status == MOTE_OK) {
        figure->status = status;
        figure->problem = problem;
    }
}

static char *copy_text(plot_figure *figure, const char *text)
{
    char *copy = text ? strdup(text) : NULL;
    if (text && !copy) {
        note(figure, MOTE_ERROR_MEMORY, NO_MEMORY);
    }
    return copy;
}

/* A copy of `count` > 0 numbers, or NULL. */
static double *copy_numbers(plot_figure *figure, int64_t count, const double *numbers)
{
    bool possible = (uint64_t)count <= PTRDIFF_MAX / sizeof *numbers;
    double *copy = possible ? malloc((size_t)count * sizeof *copy) : NULL;
    if (!copy) {
        note(figure, MOTE_ERROR_MEMORY, NO_MEMORY);
        return NULL;
    }
    return memcpy(copy, numbers, (size_t)count * sizeof *copy);
}

static void create_panels(plot_figure *figure, int columns, int rows)
{
    size_t count = (size_t)columns * (size_t)rows;
    figure->panels = calloc(count, sizeof *figure->panels);
    if (!figure->panels) {
        note(figure, MOTE_ERROR_MEMORY, NO_MEMORY);
        return;
    }
    figure->columns = columns;
    figure->rows = rows;
    for (size_t k = 0; k < count; ++k) {
        figure->panels[k].figure = figure;
        for (int d = 0; d < PLOT_DIRECTIONS; ++d) {
            figure->panels[k].axis[d].low = figure->panels[k].axis[d].high = NAN;
        }
    }
}

plot_figure *plot_create(int columns, int rows, double width, double height)
{
    enum { SIDE_MAX = 100 };
    static const double PIXELS_MIN = 16, PIXELS_MAX = 30000; /* supported by common viewers */
    plot_figure *figure = calloc(1, sizeof *figure);
    if (!figure) {
        return NULL;
    }
    bool grid = columns >= 1 && columns <= SIDE_MAX && rows >= 1 && rows <= SIDE_MAX;
    bool size =
        width >= PIXELS_MIN && width <= PIXELS_MAX && height >= PIXELS_MIN && height <= PIXELS_MAX;
    figure->width = width;
    figure->height = height;
    if (grid && size) {
        create_panels(figure, columns, rows);
    } else {
        note(figure, MOTE_ERROR_USAGE,
             "a figure has 1 to 100 columns and rows, and is 16 to 30000 pixels wide and high");
    }
    return figure;
}

static void release_panel(plot_panel *panel)
{
    for (int k = 0; k < panel->series_count; ++k) {
        free(panel->series[k].name);
        free(panel->series[k].x);
        free(panel->series[k].y);
    }
    for (int d = 0; d < PLOT_DIRECTIONS; ++d) {
        free(panel->axis[d].label);
        free(panel->axis[d].unit);
    }
    free(panel->series);
    free(panel->matrix.values);
    free(panel->title);
}

void plot_destroy(plot_figure *figure)
{
    if (!figure) {
        return;
    }
    for (int k = 0; k < figure->columns * figure->rows; ++k) {
        release_panel(&figure->panels[k]);
    }
    free(figure->panels);
    free(figure);
}

plot_panel *plot_panel_at(plot_figure *figure, int index)
{
    if (!figure) {
        return NULL;
    }
    if (index < 0 || index >= figure->columns * figure->rows) {
        note(figure, MOTE_ERROR_USAGE, "the figure has no panel of that number");
        return NULL;
    }
    return &figure->panels[index];
}

void plot_set_title(plot_panel *panel, const char *title)
{
    if (panel) {
        free(panel->title);
        panel->title = copy_text(panel->figure, title);
    }
}

static double fixed_end(plot_axis axis, double end)
{
    bool usable = isfinite(end) && (!axis.log || end > 0) && axis.low != axis.high;
    return usable ? end : NAN;
}

void plot_set_axis(plot_panel *panel, plot_direction direction, plot_axis axis)
{
    if (!panel) {
        return;
    }
    if (direction < PLOT_X || direction >= PLOT_DIRECTIONS || axis.low > axis.high) {
        note(panel->figure, MOTE_ERROR_USAGE,
             "an axis is x, y or colour, and the low end of its range is below the high one");
        return;
    }
    plot_axis_copy *copy = &panel->axis[direction];
    free(copy->label);
    free(copy->unit);
    *copy = (plot_axis_copy){.label = copy_text(panel->figure, axis.label),
                             .unit = copy_text(panel->figure, axis.unit),
                             .log = axis.log,
                             .low = fixed_end(axis, axis.low),
                             .high = fixed_end(axis, axis.high)};
}

static plot_series *append_series(plot_panel *panel)
{
    if (panel->series_count == panel->series_capacity) {
        int capacity = panel->series_capacity ? 2 * panel->series_capacity : 4;
        plot_series *grown = realloc(panel->series, (size_t)capacity * sizeof *grown);
        if (!grown) {
            note(panel->figure, MOTE_ERROR_MEMORY, NO_MEMORY);
            return NULL;
        }
        panel->series = grown;
        panel->series_capacity = capacity;
    }
    return &panel->series[panel->series_count++];
}

static int choose_look(const plot_panel *panel, unsigned style)
{
    int before = panel->series_count - 1;
    return before < 0 ? 0 : panel->series[before].look + (style & PLOT_SAME_COLOUR ? 0 : 1);
}

void plot_add_series(plot_panel *panel, const char *name, int64_t count, const double *x,
                     const double *y, unsigned style)
{
    if (!panel) {
        return;
    }
    if (count < 0 || (count > 0 && (!x || !y))) {
        note(panel->figure, MOTE_ERROR_USAGE, "a series has 0 or more points, and both x and y");
        return;
    }
    int look = choose_look(panel, style);
    plot_series *series = append_series(panel);
    if (!series) {
        return;
    }
    bool drawn = (style & (PLOT_LINE | PLOT_DASHED | PLOT_POINTS)) != 0;
    *series = (plot_series){.name = copy_text(panel->figure, name),
                            .style = drawn ? style : style | PLOT_LINE,
                            .look = look};
    if (count > 0) {
        series->x = copy_numbers(panel->figure, count, x);
        series->y = copy_numbers(panel->figure, count, y);
        series->count = series->x && series->y ? count : 0;
    }
}

static bool goes_up(const double range[2])
{
    return isfinite(range[0]) && isfinite(range[1]) && range[0] < range[1];
}

void plot_add_matrix(plot_panel *panel, int columns, int rows, const double *values,
                     const double x_range[2], const double y_range[2])
{
    if (!panel) {
        return;
    }
    if (columns < 1 || rows < 1 || !values || !goes_up(x_range) || !goes_up(y_range)) {
        note(panel->figure, MOTE_ERROR_USAGE,
             "a matrix has at least one row and column, and edges that are finite and go up");
        return;
    }
    if (panel->matrix.values) {
        note(panel->figure, MOTE_ERROR_USAGE, "a panel has at most one matrix");
        return;
    }
    panel->matrix =
        (plot_matrix){.columns = columns,
                      .rows = rows,
                      .values = copy_numbers(panel->figure, (int64_t)columns * rows, values),
                      .x = {x_range[0], x_range[1]},
                      .y = {y_range[0], y_range[1]}};
}

bool plot_has_matrix(const plot_figure *figure)
{
    for (int k = 0; k < figure->columns * figure->rows; ++k) {
        if (figure->panels[k].matrix.values) {
            return true;
        }
    }
    return false;
}

static bool matrix_fits(const plot_panel *panel)
{
    const plot_matrix *m = &panel->matrix;
    return !m->values ||
           ((!panel->axis[PLOT_X].log || m->x[0] > 0) && (!panel->axis[PLOT_Y].log || m->y[0] > 0));
}

mote_status plot_check(const plot_figure *figure, const char **problem)
{
    *problem = figure ? figure->problem : NO_MEMORY;
    mote_status status = figure ? figure->status : MOTE_ERROR_MEMORY;
    for (int k = 0; status == MOTE_OK && k < figure->columns * figure->rows; ++k) {
        if (!matrix_fits(&figure->panels[k])) {
            *problem = "the edges of a matrix are positive on a log axis";
            status = MOTE_ERROR_USAGE;
        }
    }
    return status;
}
