/* The figure as SVG: a grid of panels on white. */
#include "plot/svg.h"

#include "plot/draw.h"
#include "plot/file.h"

#include <math.h>

static plot_box cell_of(const plot_figure *figure, int index)
{
    double width = figure->width / figure->columns, height = figure->height / figure->rows;
    int column = index % figure->columns, row = index / figure->columns;
    return (plot_box){column * width, row * height, (column + 1) * width, (row + 1) * height};
}

/* The largest that a panel of a column needs. */
static double margin_of_column(const plot_figure *figure, int column)
{
    double margin = 0;
    for (int row = 0; row < figure->rows; ++row) {
        int k = row * figure->columns + column;
        margin = fmax(margin, plot_left_margin(&figure->panels[k], cell_of(figure, k)));
    }
    return margin;
}

static void print_svg(const plot_figure *figure, FILE *stream)
{
    fprintf(stream,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.10g\" height=\"%.10g\""
            " viewBox=\"0 0 %.10g %.10g\" font-family=\"sans-serif\" fill=\"#222222\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
            figure->width, figure->height, figure->width, figure->height);
    if (plot_has_matrix(figure)) {
        plot_define_colours(stream);
    }
    for (int column = 0; column < figure->columns; ++column) {
        double margin = margin_of_column(figure, column);
        for (int row = 0; row < figure->rows; ++row) {
            int k = row * figure->columns + column;
            plot_draw_panel(stream, &figure->panels[k], cell_of(figure, k), margin);
        }
    }
    fputs("</svg>\n", stream);
}

mote_status plot_write(const plot_figure *figure, const char *path, mote_error *error)
{
    return plot_file_write(figure, path, print_svg, error);
}

mote_status plot_write_stream(const plot_figure *figure, FILE *stream, mote_error *error)
{
    return plot_file_print(figure, stream, "the figure", print_svg, error);
}
