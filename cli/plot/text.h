/* Text in SVG: escaped, raised after a '^', and measured, since nothing tells how wide a viewer
 * will draw it.
 */
#ifndef MOTE_CLI_PLOT_TEXT_H
#define MOTE_CLI_PLOT_TEXT_H

#include "plot/paper.h"

void plot_text_write(FILE *file, plot_text where, const char *text);

/* In pixels; estimated, and rather too wide than too narrow. */
double plot_text_width(const char *text, double size);

#endif
