/*
 * Text in SVG: escaped, with superscripts after '^', and measured by an estimate, since the
 * viewer's font is unknown.
 */
#ifndef MOTE_CLI_PLOT_TEXT_H
#define MOTE_CLI_PLOT_TEXT_H

#include "plot/paper.h"

void plot_text_write(FILE *file, plot_text where, const char *text);

/* In pixels; an upper estimate. */
double plot_text_width(const char *text, double size);

#endif
