/*
 * The complete figure: a grid of panels, in the format given by the file name.
 */
#include "plot/draw.h"
#include "plot/file.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static plot_box cell_of(const plot_figure *figure, int index)
{
    double width = figure->width / figure->columns, height = figure->height / figure->rows;
    int column = index % figure->columns, row = index / figure->columns;
    return (plot_box){column * width, row * height, (column + 1) * width, (row + 1) * height};
}

/* The largest margin of a panel of a column. */
static double margin_of_column(const plot_figure *figure, int column)
{
    double margin = 0;
    for (int row = 0; row < figure->rows; ++row) {
        int k = row * figure->columns + column;
        margin = fmax(margin, plot_left_margin(&figure->panels[k], cell_of(figure, k)));
    }
    return margin;
}

void plot_draw_figure(plot_paper *paper, const plot_figure *figure)
{
    for (int column = 0; column < figure->columns; ++column) {
        double margin = margin_of_column(figure, column);
        for (int row = 0; row < figure->rows; ++row) {
            int k = row * figure->columns + column;
            plot_draw_panel(paper, &figure->panels[k], cell_of(figure, k), margin);
        }
    }
}

static bool ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcasecmp(path + length - tail, ending) == 0;
}

mote_status plot_write(const plot_figure *figure, const char *path, mote_error *error)
{
    if (ends_with(path, ".png")) {
        return plot_write_png(figure, path, error);
    }
    return plot_file_write(figure, path, plot_print_svg, error);
}

mote_status plot_write_stream(const plot_figure *figure, FILE *stream, mote_error *error)
{
    return plot_file_print(figure, stream, "the figure", plot_print_svg, error);
}
