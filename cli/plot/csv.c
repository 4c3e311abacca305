/*
 * The data of a figure, one row per point (RFC 4180 except for line ends).
 */
#include "plot/file.h"

#include <math.h>

/* Quoted, quotes doubled. */
static void print_text(FILE *stream, const char *text)
{
    putc('"', stream);
    for (; *text; ++text) {
        if (*text == '"') {
            putc('"', stream);
        }
        putc(*text, stream);
    }
    putc('"', stream);
}

/* A text, or a number if it has none, at the start of a row. */
static void print_name(FILE *stream, const char *name, int number)
{
    if (name) {
        print_text(stream, name);
    } else {
        fprintf(stream, "%d", number);
    }
    putc(',', stream);
}

/* Empty for missing values. */
static void print_number(FILE *stream, double number, char after)
{
    if (!isnan(number)) {
        fprintf(stream, "%.17g", number);
    }
    putc(after, stream);
}

/* Figures with a matrix have one more column. */
static void print_series(FILE *stream, const plot_panel *panel, int panel_number, int k,
                         bool with_value)
{
    const plot_series *s = &panel->series[k];
    for (int64_t i = 0; i < s->count; ++i) {
        print_name(stream, panel->title, panel_number);
        print_name(stream, s->name, k + 1);
        print_number(stream, s->x[i], ',');
        print_number(stream, s->y[i], with_value ? ',' : '\n');
        if (with_value) {
            putc('\n', stream);
        }
    }
}

/* The centre of a cell as drawn; rounded where possible. */
static double middle_of(const double range[2], int k, int count, bool log)
{
    double low = log ? log10(range[0]) : range[0], high = log ? log10(range[1]) : range[1];
    double middle = (low * (2.0 * (count - k) - 1) + high * (2.0 * k + 1)) / (2.0 * count);
    return log ? pow(10, middle) : middle;
}

static void print_matrix(FILE *stream, const plot_panel *panel, int panel_number)
{
    const plot_matrix *m = &panel->matrix;
    const char *label = panel->axis[PLOT_COLOUR].label;
    for (int64_t k = 0; k < (int64_t)m->columns * m->rows; ++k) {
        int column = (int)(k % m->columns), row = (int)(k / m->columns);
        print_name(stream, panel->title, panel_number);
        print_text(stream, label ? label : "matrix");
        putc(',', stream);
        print_number(stream, middle_of(m->x, column, m->columns, panel->axis[PLOT_X].log), ',');
        print_number(stream, middle_of(m->y, row, m->rows, panel->axis[PLOT_Y].log), ',');
        print_number(stream, m->values[k], '\n');
    }
}

static void print_csv(const plot_figure *figure, FILE *stream)
{
    bool with_value = plot_has_matrix(figure);
    fputs(with_value ? "panel,series,x,y,value\n" : "panel,series,x,y\n", stream);
    for (int p = 0; p < figure->columns * figure->rows; ++p) {
        const plot_panel *panel = &figure->panels[p];
        for (int k = 0; k < panel->series_count; ++k) {
            print_series(stream, panel, p + 1, k, with_value);
        }
        if (panel->matrix.values) {
            print_matrix(stream, panel, p + 1);
        }
    }
}

mote_status plot_write_csv(const plot_figure *figure, const char *path, mote_error *error)
{
    return plot_file_write(figure, path, print_csv, error);
}
