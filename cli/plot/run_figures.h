/*
 * The figures of a run: its tables over time.
 */
#ifndef MOTE_CLI_PLOT_RUN_FIGURES_H
#define MOTE_CLI_PLOT_RUN_FIGURES_H

#include "mote/base.h"

typedef struct run_plot_options {
    const char *path;      /* a run's directory, or its table */
    const char *directory; /* output directory; NULL: that of the table */
    bool svg, png;
    int width, height; /* pixels */
} run_plot_options;

/* Called for every figure with its path (without extension), or the reason why there is none. */
typedef void run_plot_listener(void *context, const char *figure, const char *file,
                               const char *reason);

mote_status run_plot(const run_plot_options *options, run_plot_listener *tell, void *context,
                     mote_error *error);

#endif
