/*
 * Writes a complete figure: numbers with a decimal point, the file renamed when complete.
 */
#ifndef MOTE_CLI_PLOT_FILE_H
#define MOTE_CLI_PLOT_FILE_H

#include "plot/figure.h"

/* Whether the figure can be written. */
mote_status plot_file_check(const plot_figure *figure, mote_error *error);

typedef void plot_writer(const plot_figure *figure, FILE *stream);

mote_status plot_file_write(const plot_figure *figure, const char *path, plot_writer *write,
                            mote_error *error);

/* `name` of the stream in errors. */
mote_status plot_file_print(const plot_figure *figure, FILE *stream, const char *name,
                            plot_writer *write, mote_error *error);

#endif
