/* Axis scaling: ranges, and ticks at round numbers. */
#ifndef MO_DRAW_SCALE_H
#define MO_DRAW_SCALE_H

#include <stdbool.h>

/* The ends as drawn: on a log axis they are logarithms to base 10. */
typedef struct mo_scale {
    bool log;
    double low, high;
} mo_scale;

/* A range with fixed ends or NaN, and the range of values to include (low > high: none). Free ends
 * get a relative `margin`. */
mo_scale mo_scale_choose(bool log, const double fixed[2], const double values[2], double margin);

/* 0 at the low end, 1 at the high end, outside of [0, 1] beyond them; NaN for values not on the
 * axis. */
double mo_scale_position(const mo_scale *scale, double value);

enum { MO_TICKS_MAX = 128, MO_LABEL_SIZE = 40 };

typedef struct mo_tick {
    double value;
    char label[MO_LABEL_SIZE]; /* empty for minor ticks */
} mo_tick;

typedef struct mo_ticks {
    int exponent; /* labels are in units of 10^exponent */
    int count;
    mo_tick tick[MO_TICKS_MAX];
} mo_ticks;

/* At most about `wanted` labelled ticks: at multiples of 1, 2 or 5 times a power of ten, or at
 * decades. */
void mo_ticks_choose(const mo_scale *scale, int wanted, mo_ticks *ticks);

#endif
