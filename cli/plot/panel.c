/* A panel: grid, data, frame, ticks and labels. */
#include "plot/draw.h"

#include <math.h>

enum { INK = 0x444444 };

static bool on_axis(double position)
{
    static const double SLACK = 1e-6;
    return position >= -SLACK && position <= 1 + SLACK;
}

static double across(const plot_box *box, double position)
{
    return box->left + position * (box->right - box->left);
}

static double up(const plot_box *box, double position)
{
    return box->bottom - position * (box->bottom - box->top);
}

/* Grid lines at the ticks with labels, or at those without. */
static void draw_grid_lines(plot_paper *paper, const plot_view *view, plot_direction d,
                            bool labelled)
{
    const plot_box *f = &view->frame;
    for (int k = 0; k < view->ticks[d].count; ++k) {
        const mo_tick *tick = &view->ticks[d].tick[k];
        double position = mo_scale_position(&view->scale[d], tick->value), x = across(f, position),
               y = up(f, position);
        if (!on_axis(position) || labelled != (tick->label[0] != '\0')) {
            continue;
        }
        if (d == PLOT_X) {
            paper->type->line(paper, (plot_point){x, f->bottom}, (plot_point){x, f->top});
        } else {
            paper->type->line(paper, (plot_point){f->left, y}, (plot_point){f->right, y});
        }
    }
}

static void draw_grid(plot_paper *paper, const plot_view *view)
{
    static const uint32_t COLOURS[] = {0xf0f0f0, 0xdcdcdc};
    for (int labelled = 0; labelled < 2; ++labelled) {
        paper->type->begin(paper, PLOT_GRID,
                           &(plot_pen){.colour = COLOURS[labelled], .width = 0.8});
        draw_grid_lines(paper, view, PLOT_X, labelled);
        draw_grid_lines(paper, view, PLOT_Y, labelled);
        paper->type->end(paper);
    }
}

/* An axis: its position, the direction of its ticks, and the alignment of their labels. */
typedef struct side {
    plot_direction direction;
    plot_point low, high;
    plot_point outwards; /* a unit vector */
    plot_anchor anchor;
} side;

static plot_point moved(plot_point p, plot_point direction, double distance)
{
    return (plot_point){p.x + distance * direction.x, p.y + distance * direction.y};
}

static void draw_tick(plot_paper *paper, const side *s, plot_point at, const char *label)
{
    double length = label[0] ? PLOT_TICK_LENGTH : 0.6 * PLOT_TICK_LENGTH;
    paper->type->line(paper, at, moved(at, s->outwards, length));
    if (!label[0]) {
        return;
    }
    /* beside the tick half the height of a digit below its centre, under it the full height */
    plot_point start = moved(at, s->outwards, PLOT_TICK_LENGTH + 3);
    double drop = s->outwards.y > 0 ? 0.8 : 0.36;
    paper->type->text(paper,
                      (plot_text){.x = start.x,
                                  .y = start.y + drop * PLOT_SMALL_SIZE,
                                  .size = PLOT_SMALL_SIZE,
                                  .anchor = s->anchor},
                      label);
}

static void draw_ticks(plot_paper *paper, const plot_view *view, const side *s)
{
    const mo_ticks *ticks = &view->ticks[s->direction];
    paper->type->begin(paper, PLOT_TICKS, &(plot_pen){.colour = INK, .width = 1});
    for (int k = 0; k < ticks->count; ++k) {
        double position = mo_scale_position(&view->scale[s->direction], ticks->tick[k].value);
        if (on_axis(position)) {
            plot_point at = {s->low.x + position * (s->high.x - s->low.x),
                             s->low.y + position * (s->high.y - s->low.y)};
            draw_tick(paper, s, at, ticks->tick[k].label);
        }
    }
    paper->type->end(paper);
}

static void draw_frame(plot_paper *paper, const plot_box *frame)
{
    plot_pen edge = {.colour = INK, .width = 1};
    paper->type->rectangle(paper, "frame", *frame, (plot_fill){.kind = PLOT_EMPTY}, &edge);
}

static void draw_label(plot_paper *paper, const plot_panel *panel, const plot_view *view,
                       plot_direction d, plot_text where)
{
    char text[512];
    plot_view_label(view, panel, d, text, sizeof text);
    if (text[0]) {
        where.size = PLOT_FONT_SIZE;
        where.anchor = PLOT_MIDDLE;
        paper->type->text(paper, where, text);
    }
}

/* The maximum length of a text centred between two edges of a cell: it may exceed the side of
 * the frame, but not the cell. */
static double space_around(double middle, double low, double high)
{
    return fmax(2 * (fmin(middle - low, high - middle) - PLOT_EDGE), PLOT_FRAME_MIN);
}

static void draw_labels(plot_paper *paper, const plot_panel *panel, const plot_view *view)
{
    const plot_box *f = &view->frame, *c = &view->cell;
    double middle = (f->left + f->right) / 2, half_height = (f->top + f->bottom) / 2;
    double x_space = space_around(middle, c->left, c->right);
    double y_space = space_around(half_height, c->top, c->bottom);
    draw_label(paper, panel, view, PLOT_X,
               (plot_text){.x = middle, .y = c->bottom - PLOT_EDGE - 2, .max_width = x_space});
    draw_label(
        paper, panel, view, PLOT_Y,
        (plot_text){.x = view->y_label, .y = half_height, .max_width = y_space, .upwards = true});
    if (panel->title) {
        paper->type->text(paper,
                          (plot_text){.x = middle,
                                      .y = f->top - 10,
                                      .size = PLOT_TITLE_SIZE,
                                      .max_width = x_space,
                                      .anchor = PLOT_MIDDLE,
                                      .bold = true},
                          panel->title);
    }
}

static void draw_bar(plot_paper *paper, const plot_panel *panel, const plot_view *view)
{
    plot_box bar = plot_draw_bar(paper, view, &panel->matrix);
    side right = {PLOT_COLOUR, {bar.right, bar.bottom}, {bar.right, bar.top}, {1, 0}, PLOT_START};
    draw_ticks(paper, view, &right);
    draw_label(paper, panel, view, PLOT_COLOUR,
               (plot_text){.x = view->bar_label,
                           .y = (view->bar.top + view->bar.bottom) / 2,
                           .max_width = view->bar.bottom - view->bar.top,
                           .upwards = true});
}

/* A grid of panels may have more cells than plots. */
static bool is_used(const plot_panel *panel)
{
    return panel->title || panel->series_count > 0 || panel->matrix.values;
}

void plot_draw_panel(plot_paper *paper, const plot_panel *panel, plot_box cell, double left_margin)
{
    if (!is_used(panel)) {
        return;
    }
    plot_view view = plot_view_of(panel, cell, left_margin);
    const plot_box *f = &view.frame;
    side bottom = {PLOT_X, {f->left, f->bottom}, {f->right, f->bottom}, {0, 1}, PLOT_MIDDLE};
    side left = {PLOT_Y, {f->left, f->bottom}, {f->left, f->top}, {-1, 0}, PLOT_END};
    paper->type->begin(paper, PLOT_PANEL, NULL);
    if (panel->matrix.values) {
        plot_draw_matrix(paper, &view, &panel->matrix);
        draw_bar(paper, panel, &view);
    } else {
        draw_grid(paper, &view);
    }
    draw_frame(paper, f);
    draw_ticks(paper, &view, &bottom);
    draw_ticks(paper, &view, &left);
    for (int k = 0; k < panel->series_count; ++k) {
        plot_draw_series(paper, &view, &panel->series[k]);
    }
    draw_labels(paper, panel, &view);
    plot_draw_legend(paper, panel, &view);
    paper->type->end(paper);
}
