/* Easing functions: the fraction e(u) of the displacement at the fraction u of the time, and
 * de/du. */
#ifndef MO_GEOMETRY_MOTION_EASING_H
#define MO_GEOMETRY_MOTION_EASING_H

#include "base/param.h"

#define MO_EASING_CHOICES "linear|smooth|in|out"

#define MO_EASING_PARAM(type, member) \
    { \
        "easing", MO_STRING, MO_FIELD(type, member), \
            .initial = "\"linear\"", .choices = MO_EASING_CHOICES, \
            .doc = \
                "Easing from start to end: constant speed, ease in and out, ease in, or ease out; the total " \
                "displacement is the same." \
    }

static inline double mo_ease(const char *easing, double u, double *rate)
{
    switch (easing ? easing[0] : 'l') {
    case 's':
        *rate = 6 * u * (1 - u);
        return u * u * (3 - 2 * u);
    case 'i':
        *rate = 2 * u;
        return u * u;
    case 'o':
        *rate = 2 * (1 - u);
        return u * (2 - u);
    default:
        *rate = 1;
        return u;
    }
}

/* The displacement (in s) and speed of a motion of constant speed 1 from `start` to `end`. `end`
 * NaN: unlimited. */
static inline double mo_ease_time(const char *easing, double start, double end, double time,
                                  double *speed)
{
    if (time < start || time >= end) {
        *speed = 0;
        return time < start ? 0 : end - start;
    }
    if (!easing || easing[0] == 'l') {
        *speed = 1;
        return time - start;
    }
    return (end - start) * mo_ease(easing, (time - start) / (end - start), speed);
}

/* Checks the times. */
static inline mote_status mo_ease_check(const char *easing, double start, double end,
                                        mote_error *error)
{
    if (end < start) {
        return mo_fail(error, MOTE_ERROR_INPUT, "end: %g is before start = %g", end, start);
    }
    if (easing && easing[0] != 'l' && !(end > start)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "easing: '%s' needs an end after the start",
                       easing);
    }
    return MOTE_OK;
}

#endif
