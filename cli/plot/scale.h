/* From values to places along an axis: ranges, and ticks at round numbers. */
#ifndef MOTE_CLI_PLOT_SCALE_H
#define MOTE_CLI_PLOT_SCALE_H

#include <stdbool.h>

/* The ends as drawn: on a log axis they are logarithms to base 10. */
typedef struct plot_scale {
    bool log;
    double low, high;
} plot_scale;

/* A range that some ends of are fixed, the others NaN; and the values that want to be in it (low > high:
   none). The free ends keep a distance of `margin` of the whole from the values. */
plot_scale plot_scale_choose(bool log, const double fixed[2], const double values[2], double margin);

/* 0 at the low end, 1 at the high end, beyond them outside; NaN if the value has no place on the axis. */
double plot_scale_place(const plot_scale *scale, double value);

enum { PLOT_TICKS_MAX = 128, PLOT_LABEL_SIZE = 40 };

typedef struct plot_tick {
    double value;
    char label[PLOT_LABEL_SIZE]; /* empty for the small ticks between */
} plot_tick;

typedef struct plot_ticks {
    int exponent; /* labels are in units of 10^exponent */
    int count;
    plot_tick tick[PLOT_TICKS_MAX];
} plot_ticks;

/* About `wanted` labelled ticks or fewer: at multiples of 1, 2 or 5 times a power of ten, or at decades. */
void plot_ticks_choose(const plot_scale *scale, int wanted, plot_ticks *ticks);

#endif
