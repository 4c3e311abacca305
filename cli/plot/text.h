/* Text in SVG: escaped, raised after a '^', and measured, since nothing tells how wide a viewer will draw it.
 */
#ifndef MOTE_CLI_PLOT_TEXT_H
#define MOTE_CLI_PLOT_TEXT_H

#include <stdbool.h>
#include <stdio.h>

typedef enum plot_anchor { PLOT_START, PLOT_MIDDLE, PLOT_END } plot_anchor;

typedef struct plot_text {
    double x, y; /* of the base line */
    double size; /* of the font, in pixels */
    double room; /* a text that is wider is set smaller; 0: any width will do */
    plot_anchor anchor;
    bool upwards; /* turned by a quarter */
    bool bold;
} plot_text;

void plot_text_write(FILE *file, plot_text where, const char *text);

/* In pixels; estimated, and rather too wide than too narrow. */
double plot_text_width(const char *text, double size);

#endif
