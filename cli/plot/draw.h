/* The parts of a panel. */
#ifndef MOTE_CLI_PLOT_DRAW_H
#define MOTE_CLI_PLOT_DRAW_H

#include "plot/paper.h"

void plot_draw_panel(plot_paper *paper, const plot_panel *panel, plot_box cell, double left_margin);

void plot_draw_series(plot_paper *paper, const plot_view *view, const plot_series *series);

/* A sample of the series for the legend, between two points of the same height. */
void plot_draw_sample(plot_paper *paper, const plot_series *series, plot_point left,
                      plot_point right);

void plot_draw_legend(plot_paper *paper, const plot_panel *panel, const plot_view *view);

void plot_draw_matrix(plot_paper *paper, const plot_view *view, const plot_matrix *matrix);

/* Draws the colour bar, with a triangle at an end beyond which there are values, and returns the
 * box of its scale. */
plot_box plot_draw_bar(plot_paper *paper, const plot_view *view, const plot_matrix *matrix);

#endif
