/*
 * Energy of symplectic schemes over 10^5 oscillations at omega h = 0.1: it oscillates without
 * drift. The mean over the last thousand oscillations equals that over the first up to rounding.
 *
 * Where the orbit of a scheme is known in closed form, so is the amplitude of the energy error: the
 * phase advances by theta per step, 2 sin(theta/2) = omega h, x_n = A cos(n theta + phi), and the
 * reported velocity is a fixed combination of neighbouring positions, v_n = omega Re(g A exp(i (n
 * theta + phi))). The energy x^2 + (v/omega)^2 oscillates about A^2 (1 + |g|^2)/2 with amplitude
 * A^2 |1 + g^2|/2.
 */
#include "base/error.h"
#include "validate/integrators.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846, UNIT = DBL_EPSILON, TURN = 0.1; /* omega h */

enum { WINDOWS = 100, PERIODS = 1000, NEIGHBOURS = 4 };

/* The velocity of a scheme: weights of the positions at n + 1, n, n - 1 and n - 2, over h. */
typedef struct report_rule {
    const char *name;
    double weight[NEIGHBOURS];
    /* also valid at the start, where the velocity is the difference to the first position */
    bool from_start;
} report_rule;

static const report_rule RULES[] = {
    {"symplectic_euler", {0, 1, -1, 0}, true},
    {"velocity_verlet", {0.5, 0, -0.5, 0}, true},
    /* starts by a central difference, as velocity_verlet does */
    {"leapfrog", {0, 1.5, -2, 0.5}, false},
    {"verlet", {0, 1.5, -2, 0.5}, false},
};

static const report_rule *find_rule(const char *name)
{
    for (size_t k = 0; k < sizeof RULES / sizeof *RULES; ++k) {
        if (strcmp(RULES[k].name, name) == 0) {
            return &RULES[k];
        }
    }
    return NULL;
}

/* The largest |energy - 1| on the orbit from x = 1, v = 0. */
static double largest_swing(const report_rule *rule)
{
    double theta = 2 * asin(TURN / 2), real = 0, imaginary = 0;
    for (int k = 0; k < NEIGHBOURS; ++k) {
        real += rule->weight[k] * cos((1 - k) * theta) / TURN;
        imaginary += rule->weight[k] * sin((1 - k) * theta) / TURN;
    }
    double square = real * real + imaginary * imaginary; /* |g|^2 */
    double middle = 0.5 * (1 + square);
    double swing = 0.5 * hypot(1 + real * real - imaginary * imaginary, 2 * real * imaginary);
    /* v = 0 implies Re(g exp(i phi)) = 0, so cos(phi) = Im(g)/|g|, and A cos(phi) = 1 */
    double amplitude = rule->from_start ? square / (imaginary * imaginary) : 1;
    return fmax(fabs(amplitude * (middle + swing) - 1), fabs(amplitude * (middle - swing) - 1));
}

/* A step rounds x and v by half a unit each and the force by less: one unit in the phase plane,
 * two of the energy; four with a margin. A scheme without stored velocities rounds x instead of
 * h v, 1/(omega h) times as much. All roundings may have the same sign. */
static double rounding_bound(const trial_scheme *s)
{
    bool differences = strcmp(s->type->base.name, "verlet") == 0;
    double steps = WINDOWS * PERIODS * 2 * PI / TURN;
    return 4 * UNIT * steps / (differences ? TURN : 1);
}

static int64_t window_steps(void)
{
    return llround(PERIODS * 2 * PI / TURN);
}

static mote_status record_windows(const trial_scheme *s, trial_energy window[WINDOWS],
                                  mote_error *error)
{
    trial t;
    const trial_problem *p = &trial_problems[0];
    MO_TRY(trial_start(&t, p->scene, s, TURN / trial_omega, p->force, error));
    mote_status status = MOTE_OK;
    for (int k = 0; k < WINDOWS && status == MOTE_OK; ++k) {
        status = trial_record_energy(&t, window_steps(), &window[k], error);
    }
    trial_stop(&t);
    return status;
}

static void report(validation *v, const trial_scheme *s, const trial_energy window[WINDOWS])
{
    double largest = 0, trend = window[WINDOWS - 1].mean - window[0].mean;
    for (int k = 0; k < WINDOWS; ++k) {
        largest = trial_larger(window[k].largest, largest);
    }
    trial_row row = trial_row_of("energy", s, "trend of the mean energy");
    validate_absolute(v, row.name, row.quantity, trend, 0, rounding_bound(s));
    const report_rule *rule = find_rule(s->type->base.name);
    if (rule) {
        row = trial_row_of("energy", s, "largest energy error");
        validate_absolute(v, row.name, row.quantity, largest, 0,
                          largest_swing(rule) + rounding_bound(s));
    }
}

static void plot_trend(plot_panel *panel, const trial_scheme *s, const trial_energy window[WINDOWS])
{
    double periods[WINDOWS], trend[WINDOWS];
    for (int k = 0; k < WINDOWS; ++k) {
        periods[k] = PERIODS * (k + 0.5);
        trend[k] = window[k].mean - window[0].mean;
    }
    plot_add_series(panel, s->type->base.name, WINDOWS, periods, trend, PLOT_LINE);
}

/* The largest error in fractions of every decade over the first thousand oscillations, for any
 * scheme. The curve of an unstable scheme ends where it overflows. */
static mote_status plot_growth(plot_panel *panel, const trial_scheme *s, mote_error *error)
{
    enum { POINTS = 40 };
    double periods[POINTS], largest[POINTS];
    const trial_problem *p = &trial_problems[0];
    int64_t done = 0;
    int count = 0;
    trial t;
    mote_status status = MOTE_OK;
    MO_TRY(trial_start(&t, p->scene, s, TURN / trial_omega, p->force, error));
    for (; count < POINTS && status == MOTE_OK; ++count) {
        trial_energy energy;
        periods[count] = pow(PERIODS, (count + 1.0) / POINTS);
        int64_t steps = llround(periods[count] * 2 * PI / TURN) - done;
        status = trial_record_energy(&t, steps, &energy, error);
        largest[count] = status == MOTE_OK ? energy.largest : NAN;
        done += steps;
    }
    trial_stop(&t);
    if (status != MOTE_ERROR_NUMERIC) {
        MO_TRY(status);
    }
    plot_add_series(panel, s->type->base.name, count, periods, largest, PLOT_LINE);
    return MOTE_OK;
}

static plot_figure *create_figure(void)
{
    plot_figure *figure = plot_create(2, 1, 1280, 560);
    plot_panel *all = plot_panel_at(figure, 0), *trend = plot_panel_at(figure, 1);
    plot_axis periods = {.label = "oscillations"};
    plot_set_title(trend,
                   "Symplectic schemes: mean energy, less that of the first thousand oscillations");
    plot_set_axis(trend, PLOT_X, periods);
    plot_set_axis(trend, PLOT_Y, (plot_axis){.label = "relative change"});
    periods.log = true;
    plot_set_title(all, "Largest relative energy error, omega h = 0.1");
    plot_set_axis(all, PLOT_X, periods);
    plot_set_axis(all, PLOT_Y, (plot_axis){.label = "error", .log = true, .low = 1e-7, .high = 10});
    return figure;
}

/* `figure` is NULL without an output directory. */
static mote_status run_schemes(validation *v, plot_figure *figure, mote_error *error)
{
    trial_scheme s;
    for (int k = 0; trial_scheme_at(k, &s) && !s.changed[0]; ++k) {
        trial_energy window[WINDOWS];
        if (figure) {
            MO_TRY(plot_growth(plot_panel_at(figure, 0), &s, error));
        }
        if (s.type->base.capabilities & MO_SYMPLECTIC) {
            MO_TRY(record_windows(&s, window, error));
            report(v, &s, window);
            plot_trend(plot_panel_at(figure, 1), &s, window);
        }
    }
    return MOTE_OK;
}

mote_status integrators_run_energy(void *context, mote_error *error)
{
    validation *v = context;
    plot_figure *figure = v->directory ? create_figure() : NULL;
    mote_status status = run_schemes(v, figure, error);
    if (status == MOTE_OK) {
        status = trial_write_figure(v, figure, "integrators_energy", error);
    }
    plot_destroy(figure);
    return status;
}
