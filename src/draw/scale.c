#include "draw/scale.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LABELS_MIN = 2 }; /* a single tick does not define a scale */

/* Ticks this close to an end, in units of their distance, are in the range. */
static const double TOLERANCE = 1e-9;

/* mantissa * 10^exponent, rounded once where the power is representable, and without
 * intermediate overflow. */
static double times_power_of_ten(double mantissa, int exponent)
{
    enum { LARGEST = 300 };
    for (; exponent > LARGEST; exponent -= LARGEST) {
        mantissa *= 1e300;
    }
    for (; exponent < -LARGEST; exponent += LARGEST) {
        mantissa /= 1e300;
    }
    return exponent < 0 ? mantissa / pow(10, -exponent) : mantissa * pow(10, exponent);
}

/* ---- ranges ---- */

/* Clamps the ends of an axis, or their logarithms, to the range of double. */
static double within_doubles(bool log, double end)
{
    double least = log ? log10(DBL_TRUE_MIN) : -DBL_MAX, most = log ? log10(DBL_MAX) : DBL_MAX;
    return fmin(fmax(end, least), most);
}

/* A range too narrow for distinguishable ticks is widened about its centre. */
static void widen(mo_scale *scale)
{
    static const double SMALLEST = 1e-320;
    double size = fmax(fabs(scale->low), fabs(scale->high));
    double least = scale->log ? TOLERANCE : fmax(1e-10 * size, SMALLEST);
    if (scale->high / 2 - scale->low / 2 > least / 2) {
        return;
    }
    double middle = scale->low / 2 + scale->high / 2;
    double half = scale->log ? 0.5 : middle == 0 ? 1 : fmax(0.1 * fabs(middle), SMALLEST);
    scale->low = within_doubles(scale->log, middle - half);
    scale->high = within_doubles(scale->log, middle + half);
}

/* Moves the free ends outwards. Values of one sign get an axis of that sign. */
static void add_margin(mo_scale *scale, bool free_low, bool free_high, double margin)
{
    double low = scale->low, high = scale->high, extra = 2 * margin * (high / 2 - low / 2);
    if (free_low) {
        scale->low =
            !scale->log && low >= 0 && low < extra ? 0 : within_doubles(scale->log, low - extra);
    }
    if (free_high) {
        scale->high = !scale->log && high <= 0 && -high < extra
                          ? 0
                          : within_doubles(scale->log, high + extra);
    }
}

/* Default range: one unit, or one decade. */
static void choose_without_values(mo_scale *scale, bool free_low, bool free_high)
{
    if (free_low && free_high) {
        scale->low = 0;
        scale->high = 1;
    } else if (free_low) {
        scale->low = scale->high - 1;
    } else if (free_high) {
        scale->high = scale->low + 1;
    }
}

mo_scale mo_scale_choose(bool log, const double fixed[2], const double values[2], double margin)
{
    bool free_low = isnan(fixed[0]), free_high = isnan(fixed[1]);
    double low = free_low ? values[0] : fixed[0], high = free_high ? values[1] : fixed[1];
    mo_scale scale = {log, log ? log10(low) : low, log ? log10(high) : high};
    if (!(values[0] <= values[1]) || !(low <= high)) {
        choose_without_values(&scale, free_low, free_high);
        free_low = free_high = false;
    }
    bool constant = scale.low == scale.high;
    widen(&scale);
    if (!constant) {
        add_margin(&scale, free_low, free_high, margin);
    }
    return scale;
}

double mo_scale_position(const mo_scale *scale, double value)
{
    static const double FAR = 1e9; /* clamps far values for the clipping */
    if (!isfinite(value) || (scale->log && value <= 0)) {
        return NAN;
    }
    double v = scale->log ? log10(value) : value;
    /* halved, since the difference of two doubles may overflow */
    double position = (v / 2 - scale->low / 2) / (scale->high / 2 - scale->low / 2);
    return fmin(fmax(position, -FAR), FAR);
}

/* ---- ticks ---- */

static mo_tick *add_tick(mo_ticks *ticks, double value)
{
    if (ticks->count == MO_TICKS_MAX) {
        return NULL;
    }
    mo_tick *tick = &ticks->tick[ticks->count++];
    tick->value = value;
    tick->label[0] = '\0';
    return tick;
}

/* A step of 1, 2 or 5 times a power of ten. */
typedef struct round_step {
    int mantissa, exponent;
} round_step;

/* The smallest round step of at least 10^size. */
static round_step choose_step(double size)
{
    double exponent = floor(size + TOLERANCE),
           mantissa = pow(10, size - exponent) * (1 - TOLERANCE);
    round_step step = {mantissa <= 1   ? 1
                       : mantissa <= 2 ? 2
                       : mantissa <= 5 ? 5
                                       : 10,
                       (int)exponent};
    if (step.mantissa == 10) {
        step = (round_step){1, step.exponent + 1};
    }
    return step;
}

/* The common power of ten of labels: a multiple of 3, and 0 while the numbers are short, or
 * large with small differences. */
static int choose_exponent(double largest, round_step step)
{
    int digits = largest > 0 ? (int)floor(log10(largest) + TOLERANCE) : 0;
    int exponent = 3 * (int)floor(digits / 3.0);
    bool easy = digits >= -3 && digits < 5,
         offset = digits >= 5 && digits < 9 && exponent - step.exponent > 3;
    return easy || offset ? 0 : exponent;
}

/* With a true minus sign, of the width of a digit. */
static void print_label(char label[MO_LABEL_SIZE], double value, int decimals)
{
    snprintf(label, MO_LABEL_SIZE, "%s%.*f", value < 0 ? "\u2212" : "", decimals, fabs(value));
}

/* Ticks at the multiples of a round step between two values. */
static void choose_multiples_of_step(double low, double high, int wanted, mo_ticks *ticks)
{
    round_step step = choose_step(log10(high / 2 - low / 2) + log10(2.0 / wanted));
    double first = ceil(times_power_of_ten(low, -step.exponent) / step.mantissa - TOLERANCE);
    double last = floor(times_power_of_ten(high, -step.exponent) / step.mantissa + TOLERANCE);
    double largest =
        times_power_of_ten(fmax(fabs(first), fabs(last)) * step.mantissa, step.exponent);
    ticks->exponent = choose_exponent(largest, step);
    int shift = step.exponent - ticks->exponent;
    for (double k = first; k <= last && ticks->count < MO_TICKS_MAX; ++k) {
        mo_tick *tick = add_tick(ticks, times_power_of_ten(k * step.mantissa, step.exponent));
        print_label(tick->label, times_power_of_ten(k * step.mantissa, shift),
                    shift < 0 ? -shift : 0);
    }
}

/* For few ticks the step may be too large for two ticks in the range. */
static void choose_linear(double low, double high, int wanted, mo_ticks *ticks)
{
    enum { SURELY = 6 };
    do {
        ticks->count = 0;
        choose_multiples_of_step(low, high, wanted, ticks);
    } while (ticks->count < LABELS_MIN && ++wanted <= SURELY);
}

/* "1", "20", "10^-3", "5×10^4" */
static void print_power(char label[MO_LABEL_SIZE], int mantissa, int exponent)
{
    if (exponent == 0 || exponent == 1) {
        snprintf(label, MO_LABEL_SIZE, "%d", exponent == 0 ? mantissa : 10 * mantissa);
    } else if (mantissa == 1) {
        snprintf(label, MO_LABEL_SIZE, "10^%d", exponent);
    } else {
        snprintf(label, MO_LABEL_SIZE, "%d\u00d710^%d", mantissa, exponent);
    }
}

/* The complete decades in a range. */
typedef struct decades {
    int first, last;
} decades;

static bool in_range(const mo_scale *scale, double value)
{
    double v = log10(value);
    return v >= scale->low - TOLERANCE && v <= scale->high + TOLERANCE;
}

/* Ticks at integer multiples of powers of ten; those with a multiple in `labelled` have a label. */
static void choose_multiples(const mo_scale *scale, decades range, const char *labelled,
                             mo_ticks *ticks)
{
    for (int e = range.first - 1; e <= range.last; ++e) {
        /* "50", "100", "200" share one notation */
        bool plain = labelled[1] && e >= -3 && e <= 4;
        for (int m = 1; m < 10; ++m) {
            double value = times_power_of_ten(m, e);
            mo_tick *tick = in_range(scale, value) ? add_tick(ticks, value) : NULL;
            if (!tick || !strchr(labelled, '0' + m)) {
                continue;
            }
            if (plain) {
                print_label(tick->label, value, e < 0 ? -e : 0);
            } else {
                print_power(tick->label, m, e);
            }
        }
    }
}

/* Ticks at every `stride`-th decade with a label, and without one at the others if there is
 * `extra`. */
static void choose_decades(decades range, int stride, bool extra, mo_ticks *ticks)
{
    for (int e = range.first; e <= range.last; ++e) {
        bool labelled = e % stride == 0;
        mo_tick *tick = labelled || extra ? add_tick(ticks, times_power_of_ten(1, e)) : NULL;
        if (tick && labelled) {
            print_power(tick->label, 1, e);
        }
    }
}

/* The number of multiples of `stride` in the range. */
static int count_multiples(decades range, int stride)
{
    return (int)(floor((double)range.last / stride) - ceil((double)range.first / stride)) + 1;
}

/* Labelled decades with a stride for about the wanted number, and minor ticks while they are
 * distinguishable. */
static void choose_powers(const mo_scale *scale, decades range, int wanted, mo_ticks *ticks)
{
    static const int STRIDES[] = {1, 2, 3, 5, 10, 20, 50, 100, 200, 1000};
    enum { DECADES_WITH_MULTIPLES = 8, DECADES_WITH_TICKS = 60 };
    int span = range.last - range.first, k = 0;
    while (span > wanted * STRIDES[k] && count_multiples(range, STRIDES[k + 1]) >= LABELS_MIN) {
        ++k;
    }
    if (STRIDES[k] == 1 && span < DECADES_WITH_MULTIPLES) {
        choose_multiples(scale, range, "1", ticks);
    } else {
        choose_decades(range, STRIDES[k], span < DECADES_WITH_TICKS, ticks);
    }
}

static int count_labels(const mo_ticks *ticks)
{
    int count = 0;
    for (int k = 0; k < ticks->count; ++k) {
        count += ticks->tick[k].label[0] != '\0';
    }
    return count;
}

void mo_ticks_choose(const mo_scale *scale, int wanted, mo_ticks *ticks)
{
    wanted = wanted < LABELS_MIN         ? LABELS_MIN
             : wanted > MO_TICKS_MAX / 2 ? MO_TICKS_MAX / 2
                                         : wanted;
    ticks->count = ticks->exponent = 0;
    if (!scale->log) {
        choose_linear(scale->low, scale->high, wanted, ticks);
        return;
    }
    decades range = {(int)ceil(scale->low - TOLERANCE), (int)floor(scale->high + TOLERANCE)};
    if (range.last - range.first + 1 >= LABELS_MIN) {
        choose_powers(scale, range, wanted, ticks);
        return;
    }
    choose_multiples(scale, range, "125", ticks);
    if (count_labels(ticks) <= LABELS_MIN) {
        choose_linear(pow(10, scale->low), fmin(pow(10, scale->high), DBL_MAX), wanted, ticks);
    }
}
