#include "plot/view.h"

#include <math.h>

bool plot_view_point(const plot_view *view, double x, double y, plot_point *point)
{
    const plot_box *f = &view->frame;
    double right = mo_scale_position(&view->scale[PLOT_X], x),
           up = mo_scale_position(&view->scale[PLOT_Y], y);
    *point =
        (plot_point){f->left + right * (f->right - f->left), f->bottom - up * (f->bottom - f->top)};
    return isfinite(point->x) && isfinite(point->y);
}

void plot_view_label(const plot_view *view, const plot_panel *panel, plot_direction d, char *text,
                     size_t size)
{
    const char *label = panel->axis[d].label, *unit = panel->axis[d].unit;
    int exponent = view->ticks[d].exponent;
    int used = snprintf(text, size, "%s", label ? label : "");
    if ((!unit && exponent == 0) || used < 0 || (size_t)used >= size) {
        return;
    }
    text += used;
    size -= (size_t)used;
    const char *space = used > 0 ? " " : "";
    if (exponent == 0) {
        snprintf(text, size, "%s[%s]", space, unit);
    } else {
        snprintf(text, size, "%s[10^%d%s%s]", space, exponent, unit ? " " : "", unit ? unit : "");
    }
}

bool plot_inside(const plot_box *box, plot_point p)
{
    return p.x >= box->left && p.x <= box->right && p.y >= box->top && p.y <= box->bottom;
}

/* Clips [*enter, *leave] to the part where from + t * along is within [low, high]. */
static void cut(double from, double along, double low, double high, double *enter, double *leave)
{
    if (along == 0) {
        *leave = from < low || from > high ? -1 : *leave;
        return;
    }
    double to_low = (low - from) / along, to_high = (high - from) / along;
    *enter = fmax(*enter, fmin(to_low, to_high));
    *leave = fmin(*leave, fmax(to_low, to_high));
}

/* Y.-D. Liang, B. A. Barsky 1984, ACM Trans. Graphics 3, 1 */
bool plot_clip(const plot_box *box, plot_point *a, plot_point *b)
{
    plot_point from = *a, along = {b->x - a->x, b->y - a->y};
    double enter = 0, leave = 1;
    cut(from.x, along.x, box->left, box->right, &enter, &leave);
    cut(from.y, along.y, box->top, box->bottom, &enter, &leave);
    if (enter > leave) {
        return false;
    }
    if (enter > 0) {
        *a = (plot_point){from.x + enter * along.x, from.y + enter * along.y};
    }
    if (leave < 1) {
        *b = (plot_point){from.x + leave * along.x, from.y + leave * along.y};
    }
    return true;
}
