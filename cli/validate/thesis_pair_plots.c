/*
 * Figures 7.2 to 7.4. The thesis draws the first two as surfaces over time and step; here the
 * height is a colour. Large steps, at the back in the thesis, are at the top.
 */
#include "base/error.h"
#include "validate/thesis.h"

#include <math.h>
#include <stdlib.h>

enum { CELLS = PAIR_STEPS * PAIR_SAMPLES };

/* All runs of a scheme; one row of samples each, the smallest step at the bottom. */
typedef struct surface {
    int columns;
    double cells[CELLS];
} surface;

typedef const double *pair_samples(const pair_run *run);

static const double *distances_of(const pair_run *run)
{
    return run->distance;
}

static const double *errors_of(const pair_run *run)
{
    return run->error;
}

/* Takes every `every`-th sample. */
static void collect(surface *s, const pair_run runs[PAIR_STEPS], pair_samples *samples, int every,
                    double factor)
{
    s->columns = (PAIR_SAMPLES - 1) / every + 1;
    for (int row = 0; row < PAIR_STEPS; ++row) {
        const double *from = samples(&runs[PAIR_STEPS - 1 - row]);
        for (int k = 0; k < s->columns; ++k) {
            s->cells[row * s->columns + k] = factor * from[every * k];
        }
    }
}

static void add_surface(plot_panel *panel, const surface *s, const char *title, plot_axis height)
{
    double half = 0.5 * pair_end / (s->columns - 1);
    double time[] = {-half, pair_end + half}, exponent[] = {0.5 - PAIR_STEPS, 0.5};
    plot_set_title(panel, title);
    plot_set_axis(panel, PLOT_X,
                  (plot_axis){.label = "time", .unit = "s", .low = 0, .high = pair_end});
    plot_set_axis(panel, PLOT_Y, (plot_axis){.label = "log2 of the step in seconds"});
    plot_set_axis(panel, PLOT_COLOUR, height);
    plot_add_matrix(panel, s->columns, PAIR_STEPS, s->cells, time, exponent);
}

/* The ranges of the heights are those of the thesis. NULL if memory is insufficient. */
static plot_figure *make_surfaces(const pair_sweep *sweep, int scheme, int every)
{
    char title[80];
    surface *s = malloc(sizeof *s);
    if (!s) {
        return NULL;
    }
    plot_figure *figure = plot_create(1, 2, 900, 760);
    snprintf(title, sizeof title, "%s: distance of the particles", thesis_schemes[scheme].title);
    collect(s, sweep->runs[scheme], distances_of, every, 1);
    add_surface(plot_panel_at(figure, 0), s, title,
                (plot_axis){.label = "distance", .unit = "m", .low = 0, .high = 8});
    snprintf(title, sizeof title, "%s: relative error of the energy", thesis_schemes[scheme].title);
    collect(s, sweep->runs[scheme], errors_of, 1, 100);
    add_surface(plot_panel_at(figure, 1), s, title,
                (plot_axis){.label = "error", .unit = "%", .low = -25, .high = 175});
    free(s);
    return figure;
}

/* With all samples, and as a small file for docs/thesis.md with an eighth of the distances, 7
 * per period. (The errors are piecewise constant and small.) */
static mote_status plot_surfaces(const validation *v, const pair_sweep *sweep, int scheme,
                                 const char *name, mote_error *error)
{
    char small[40];
    snprintf(small, sizeof small, "%s_small", name);
    MO_TRY(thesis_save(v, make_surfaces(sweep, scheme, 1), name, error));
    return thesis_save_picture(v, make_surfaces(sweep, scheme, 8), small, error);
}

typedef double pair_quantity(const pair_run *run);

static double average_of(const pair_run *run)
{
    return run->average;
}

static double maximum_of(const pair_run *run)
{
    return run->maximum;
}

static void add_curve(plot_panel *panel, const pair_run runs[PAIR_STEPS], int first, int count,
                      pair_quantity *quantity, const char *name, unsigned style)
{
    double step[PAIR_STEPS], percent[PAIR_STEPS];
    for (int k = 0; k < count; ++k) {
        step[k] = runs[first + k].step;
        percent[k] = 100 * quantity(&runs[first + k]);
    }
    plot_add_series(panel, name, count, step, percent, style);
}

/* Errors beyond 10^5 % belong to unbound pairs. */
static void add_errors(plot_panel *panel, const pair_sweep *sweep, pair_quantity *quantity,
                       const char *title)
{
    plot_set_title(panel, title);
    plot_set_axis(panel, PLOT_X,
                  (plot_axis){.label = "step", .unit = "s", .log = true, .low = 1e-5, .high = 2});
    plot_set_axis(
        panel, PLOT_Y,
        (plot_axis){.label = "relative error", .unit = "%", .log = true, .low = 1e-7, .high = 1e5});
    for (int k = 0; k < THESIS_SCHEMES; ++k) {
        add_curve(panel, sweep->runs[k], 0, PAIR_STEPS, quantity, thesis_schemes[k].label,
                  PLOT_LINE | PLOT_POINTS);
    }
    add_curve(panel, sweep->runs[THESIS_LEAPFROG], PAIR_STARRED, 1, quantity, "L, 2^-4 s",
              PLOT_POINTS);
}

static mote_status plot_errors(const validation *v, const pair_sweep *sweep, mote_error *error)
{
    plot_figure *figure = plot_create(2, 1, 960, 440);
    add_errors(plot_panel_at(figure, 0), sweep, average_of, "Average error of the energy");
    add_errors(plot_panel_at(figure, 1), sweep, maximum_of, "Maximum error of the energy");
    return thesis_save(v, figure, "thesis_7_4", error);
}

mote_status thesis_plot_pair(const validation *v, const pair_sweep *sweep, mote_error *error)
{
    MO_TRY(plot_surfaces(v, sweep, THESIS_MODIFIED_EULER, "thesis_7_2", error));
    MO_TRY(plot_surfaces(v, sweep, THESIS_LEAPFROG, "thesis_7_3", error));
    return plot_errors(v, sweep, error);
}
