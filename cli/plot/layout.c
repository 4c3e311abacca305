/*
 * Chooses ranges and ticks and lays out a panel.
 */
#include "plot/text.h"
#include "plot/view.h"

#include <math.h>

enum {
    BAR_GAP = 12,
    BAR_WIDTH = 14,
    LABEL_HEIGHT = 18, /* of a line with an axis label */
    TITLE_HEIGHT = 24,
    BESIDE_TICK = PLOT_TICK_LENGTH + 3 /* start of the label of a tick */
};

/* ---- ranges ---- */

/* Whether a value is visible on an axis, as far as its range is fixed. */
static bool admits(const plot_axis_copy *axis, double value)
{
    return isfinite(value) && (!axis->log || value > 0) && !(value < axis->low) &&
           !(value > axis->high);
}

static void include(double range[2], double value)
{
    range[0] = fmin(range[0], value);
    range[1] = fmax(range[1], value);
}

/* Only visible points count: if one axis shows a part, the other is fitted to that part. */
static void include_series(const plot_panel *panel, const plot_series *s, double range[][2])
{
    for (int64_t k = 0; k < s->count; ++k) {
        if (admits(&panel->axis[PLOT_X], s->x[k]) && admits(&panel->axis[PLOT_Y], s->y[k])) {
            include(range[PLOT_X], s->x[k]);
            include(range[PLOT_Y], s->y[k]);
        }
    }
}

static void include_matrix(const plot_panel *panel, double range[][2])
{
    const plot_matrix *m = &panel->matrix;
    for (int k = 0; k < 2; ++k) {
        include(range[PLOT_X], m->x[k]);
        include(range[PLOT_Y], m->y[k]);
    }
    for (int64_t k = 0; k < (int64_t)m->columns * m->rows; ++k) {
        if (admits(&panel->axis[PLOT_COLOUR], m->values[k])) {
            include(range[PLOT_COLOUR], m->values[k]);
        }
    }
}

static void choose_scales(const plot_panel *panel, plot_view *view)
{
    double range[][2] = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
    for (int k = 0; k < panel->series_count; ++k) {
        include_series(panel, &panel->series[k], range);
    }
    if (panel->matrix.values) {
        include_matrix(panel, range);
    }
    double margin = panel->matrix.values ? 0 : 0.04; /* a matrix fills its frame */
    for (int d = 0; d < PLOT_DIRECTIONS; ++d) {
        const plot_axis_copy *axis = &panel->axis[d];
        double fixed[2] = {axis->low, axis->high};
        view->scale[d] = mo_scale_choose(axis->log, fixed, range[d], margin);
    }
}

/* ---- ticks ---- */

static double label_width(const mo_tick *tick)
{
    return plot_text_width(tick->label, PLOT_SMALL_SIZE);
}

static double widest_label(const mo_ticks *ticks)
{
    double widest = 0;
    for (int k = 0; k < ticks->count; ++k) {
        widest = fmax(widest, label_width(&ticks->tick[k]));
    }
    return widest;
}

/* Whether adjacent labels do not overlap on an axis of that length. */
static bool labels_fit(const mo_scale *scale, const mo_ticks *ticks, double length)
{
    double end = -INFINITY;
    for (int k = 0; k < ticks->count; ++k) {
        double half = label_width(&ticks->tick[k]) / 2;
        double middle = mo_scale_position(scale, ticks->tick[k].value) * length;
        if (half > 0 && middle - half < end + PLOT_GAP) {
            return false;
        }
        end = half > 0 ? middle + half : end;
    }
    return true;
}

/* Reduces the number of ticks until their labels do not overlap. */
static void choose_x_ticks(plot_view *view, double length)
{
    static const double APART = 55;
    int wanted = (int)(length / APART);
    do {
        mo_ticks_choose(&view->scale[PLOT_X], wanted, &view->ticks[PLOT_X]);
    } while (!labels_fit(&view->scale[PLOT_X], &view->ticks[PLOT_X], length) && --wanted > 1);
}

/* The height of the frame is estimated here. */
static void choose_y_ticks(plot_view *view)
{
    static const double APART = 38, AROUND = 70;
    int wanted = (int)((view->cell.bottom - view->cell.top - AROUND) / APART);
    mo_ticks_choose(&view->scale[PLOT_Y], wanted, &view->ticks[PLOT_Y]);
    mo_ticks_choose(&view->scale[PLOT_COLOUR], wanted, &view->ticks[PLOT_COLOUR]);
}

/* ---- positions ---- */

/* The height of an axis label. */
static double label_height(const plot_view *view, const plot_panel *panel, plot_direction d)
{
    char start[8];
    plot_view_label(view, panel, d, start, sizeof start);
    return start[0] ? LABEL_HEIGHT : 0;
}

static void lay_out_frame(const plot_panel *panel, plot_view *view, double left_margin)
{
    plot_box cell = view->cell;
    double left = cell.left + left_margin;
    double top = cell.top + PLOT_EDGE + (panel->title ? TITLE_HEIGHT : PLOT_GAP);
    double bottom =
        cell.bottom - PLOT_EDGE - label_height(view, panel, PLOT_X) - PLOT_SMALL_SIZE - BESIDE_TICK;
    double right = cell.right - PLOT_EDGE - PLOT_GAP;
    if (panel->matrix.values) {
        right -= BAR_GAP + BAR_WIDTH + BESIDE_TICK + widest_label(&view->ticks[PLOT_COLOUR]) +
                 label_height(view, panel, PLOT_COLOUR);
    }
    view->frame = (plot_box){left, top, fmax(right, left + PLOT_FRAME_MIN),
                             fmax(bottom, top + PLOT_FRAME_MIN)};
}

/* The last label of the x axis may reach beyond the frame, but not beyond the cell. */
static void widen_for_last_label(plot_view *view)
{
    const mo_ticks *ticks = &view->ticks[PLOT_X];
    double most = view->cell.right - 2;
    for (int k = 0; k < ticks->count; ++k) {
        double half = label_width(&ticks->tick[k]) / 2,
               width = view->frame.right - view->frame.left;
        double position = mo_scale_position(&view->scale[PLOT_X], ticks->tick[k].value);
        double over = view->frame.left + position * width + half - most;
        if (half > 0 && over > 0) {
            view->frame.right = fmax(view->frame.right - over, view->frame.left + PLOT_FRAME_MIN);
        }
    }
}

/* Positions the bar and the vertical labels beside the tick labels. */
static void lay_out_sides(plot_view *view)
{
    enum { DESCENT = 4 }; /* of letters below the base line */
    double left = view->frame.right + BAR_GAP, right = left + BAR_WIDTH;
    view->bar = (plot_box){left, view->frame.top, right, view->frame.bottom};
    view->bar_label =
        right + BESIDE_TICK + widest_label(&view->ticks[PLOT_COLOUR]) + LABEL_HEIGHT - DESCENT;
    view->y_label =
        view->frame.left - BESIDE_TICK - widest_label(&view->ticks[PLOT_Y]) - 2 * DESCENT;
}

double plot_left_margin(const plot_panel *panel, plot_box cell)
{
    plot_view view = {.cell = cell};
    choose_scales(panel, &view);
    choose_y_ticks(&view);
    return PLOT_EDGE + label_height(&view, panel, PLOT_Y) + widest_label(&view.ticks[PLOT_Y]) +
           BESIDE_TICK;
}

plot_view plot_view_of(const plot_panel *panel, plot_box cell, double left_margin)
{
    plot_view view = {.cell = cell};
    choose_scales(panel, &view);
    choose_y_ticks(&view);
    choose_x_ticks(&view, cell.right - cell.left); /* determines whether there is a label */
    lay_out_frame(panel, &view, left_margin);
    choose_x_ticks(&view, view.frame.right - view.frame.left);
    widen_for_last_label(&view);
    plot_legend_layout(panel, &view);
    choose_x_ticks(&view, view.frame.right - view.frame.left);
    lay_out_sides(&view);
    return view;
}
