/* The parts of a panel, as SVG. */
#ifndef MOTE_CLI_PLOT_DRAW_H
#define MOTE_CLI_PLOT_DRAW_H

#include "plot/view.h"

void plot_draw_panel(FILE *file, const plot_panel *panel, plot_box cell, double left_margin);

void plot_draw_series(FILE *file, const plot_view *view, const plot_series *series);

/* A short piece of the series for the legend, between two points of the same height. */
void plot_draw_sample(FILE *file, const plot_series *series, plot_point left, plot_point right);

void plot_draw_legend(FILE *file, const plot_panel *panel, const plot_view *view);

void plot_draw_matrix(FILE *file, const plot_view *view, const plot_matrix *matrix);

/* The colours that the bar refers to; to be defined once for each file. */
void plot_define_colours(FILE *file);

/* Draws the bar of colours, with a point at an end beyond which there are values, and returns where on it the
   scale lies. */
plot_box plot_draw_bar(FILE *file, const plot_view *view, const plot_matrix *matrix);

#endif
