/*
 * The two contact laws of colliders: `penalty`, a force that every stage evaluates, and `bounce`,
 * impulses after the step.
 *
 *  - A particle that oscillates in contact with the ground, x'' = -g + (k d - c v)/m: under
 *    `penalty` a scheme has its order, measured by halving the step against the closed form.
 *  - Particles that fall and rebound. Under constant acceleration `bounce` is exact: the error is
 *    rounding, whatever the step. With drag, v' = -g - v, it takes the acceleration of the step's
 *    end for that of the whole step and is of order 1.
 *  - The same fall onto an undamped `penalty` ground: the force has a kink where contact begins and
 *    ends, which limits every scheme to order 2.
 *
 * Errors of falls are the root mean square over particles from several heights, since the error of
 * one impact depends on when in a step it comes.
 */
#include "base/error.h"
#include "validate/integrators.h"

#include <math.h>
#include <string.h>

enum { PARTICLES = 8 };

static const double G = 9.81, RADIUS = 0.1;

#define GROUND "\"shape\": {\"type\": \"plane\", \"point\": [0, 0, 0], \"normal\": [0, 0, 1]}"
#define HEIGHTS \
    "\"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 0.51], [0, 0, 0.53], [0, 0, 0.57]," \
    " [0, 0, 0.59], [0, 0, 0.61], [0, 0, 0.67], [0, 0, 0.71], [0, 0, 0.73]]}"
#define FALL(more, contact) \
    "{\"time\": {\"end\": 1}, " more "\"bodies\": [{\"mass\": 8, \"radius\": 0.1, " HEIGHTS "}]," \
    " \"colliders\": [{" GROUND ", " contact "}]}"

static const char IN_CONTACT[] =
    "{\"time\": {\"end\": 1},"
    " \"bodies\": [{\"mass\": 2, \"radius\": 0.1,"
    "   \"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 0.09]]}}],"
    " \"colliders\": [{" GROUND ", \"contact\": {\"type\": \"penalty\", \"stiffness\": 1000,"
    "   \"damping\": 0.1}}]}";
static const char BOUNCE[] = FALL("", "\"restitution\": 0.9");
static const char BOUNCE_DRAG[] =
    FALL("\"forces\": [{\"type\": \"damping_point\", \"g\": 1}], ", "\"restitution\": 0.9");
static const char PENALTY[] =
    FALL("", "\"restitution\": 1, \"contact\": {\"type\": \"penalty\", \"stiffness\": 1e4}");

static mote_status start(trial *t, const char *scene, const char *scheme, double step,
                         mote_error *error)
{
    trial_scheme s;
    for (int k = 0; trial_scheme_at(k, &s); ++k) {
        if (strcmp(s.type->base.name, scheme) == 0) {
            return trial_start(t, scene, &s, step, NULL, error);
        }
    }
    return mo_fail(error, MOTE_ERROR_USAGE, "there is no integrator '%s'", scheme);
}

/* ---- in contact ---- */

/* A damped oscillation about the static depth m g/k, starting at zero velocity; in radians of
 * its frequency. */
static double distance_in_contact(const trial *t, double time)
{
    double k = 1000, m = 2, omega = sqrt(k / m), decay = 0.1 * omega, turn = sqrt(0.99) * omega;
    double rest = RADIUS - m * G / k, a = (0.09 - rest) * exp(-decay * time);
    double z = rest + a * (cos(turn * time) + decay / turn * sin(turn * time));
    double v = -a * omega * omega / turn * sin(turn * time);
    return hypot(t->x[2] - z, (t->v[2] - v) / omega) / (0.09 - rest);
}

static mote_status error_in_contact(const char *scheme, int steps, double *error_of,
                                    mote_error *error)
{
    static const double END = 0.7;
    trial t;
    MO_TRY(start(&t, IN_CONTACT, scheme, END / steps, error));
    mote_status status = trial_steps(&t, steps, error);
    *error_of = status == MOTE_OK ? distance_in_contact(&t, END) : NAN;
    trial_stop(&t);
    return status;
}

static mote_status check_in_contact(validation *v, const char *scheme, int order, int steps,
                                    mote_error *error)
{
    char name[64];
    double coarse, fine;
    MO_TRY(error_in_contact(scheme, steps, &coarse, error));
    MO_TRY(error_in_contact(scheme, 2 * steps, &fine, error));
    snprintf(name, sizeof name, "integrators/contact/%s", scheme);
    validate_at_least(v, name, "order in contact, penalty", log2(coarse / fine), order, 0.1);
    return MOTE_OK;
}

/* ---- falls ---- */

/* Height and speed after a time, with drag of a rate (0: none). */
static double fly(double z, double v, double rate, double t, double *speed)
{
    if (rate == 0) {
        *speed = v - G * t;
        return z + v * t - 0.5 * G * t * t;
    }
    double end = G / rate, part = exp(-rate * t);
    *speed = (v + end) * part - end;
    return z + (v + end) * (1 - part) / rate - end * t;
}

/* The impact time of a fall from rest at z. */
static double fall_time(double z, double rate)
{
    double low = 0, high = 1, speed;
    for (int k = 0; k < 60; ++k) {
        double middle = 0.5 * (low + high);
        *(fly(z, 0, rate, middle, &speed) > RADIUS ? &low : &high) = middle;
    }
    return low;
}

static double bounced(double z, double rate, double time)
{
    double impact = fall_time(z, rate), speed;
    fly(z, 0, rate, impact, &speed);
    return fly(RADIUS, -0.9 * speed, rate, time - impact, &speed);
}

/* Undamped contact: d = m g/k (1 - cos wt) + v/w sin wt, until d is 0 again; then up at v. */
static double penetrated(double z, double rate, double time)
{
    double omega = sqrt(1e4), impact = fall_time(z, 0), speed;
    (void)rate;
    fly(z, 0, 0, impact, &speed);
    double depth = G / (omega * omega), phase = 2 * atan2(depth, -speed / omega);
    /* half a period and the phase of the static depth */
    double contact = (acos(-1) + phase) / omega;
    return fly(RADIUS, -speed, 0, time - impact - contact, &speed);
}

typedef struct fall {
    const char *scene;
    double rate, end;
    double (*height)(double z, double rate, double time);
} fall;

static mote_status error_of_fall(const fall *f, int steps, double *error_of, mote_error *error)
{
    trial t;
    double sum = 0, from[PARTICLES];
    MO_TRY(start(&t, f->scene, "rk4", f->end / steps, error));
    for (int k = 0; k < PARTICLES; ++k) {
        from[k] = t.x[3 * k + 2];
    }
    mote_status status = trial_steps(&t, steps, error);
    for (int k = 0; status == MOTE_OK && k < PARTICLES; ++k) {
        double off = t.x[3 * k + 2] - f->height(from[k], f->rate, f->end);
        sum += off * off;
    }
    trial_stop(&t);
    *error_of = sqrt(sum / PARTICLES);
    return status;
}

/* The mean order of six halvings of the step, since the error fluctuates with the impact times. */
static mote_status check_fall(validation *v, const fall *f, const char *quantity, double order,
                              double allowed, mote_error *error)
{
    double coarse, fine;
    MO_TRY(error_of_fall(f, 400, &coarse, error));
    MO_TRY(error_of_fall(f, 400 << 6, &fine, error));
    validate_at_least(v, "integrators/contact/rk4", quantity, log2(coarse / fine) / 6, order,
                      allowed);
    return MOTE_OK;
}

mote_status integrators_run_contact(void *context, mote_error *error)
{
    validation *v = context;
    static const fall CONSTANT = {BOUNCE, 0, 0.5, bounced}, DRAG = {BOUNCE_DRAG, 1, 0.5, bounced},
                      KINK = {PENALTY, 0, 0.6, penetrated};
    double most = 0;
    MO_TRY(check_in_contact(v, "symplectic_euler", 1, 3200, error));
    MO_TRY(check_in_contact(v, "velocity_verlet", 2, 800, error));
    MO_TRY(check_in_contact(v, "rk4", 4, 200, error));
    MO_TRY(check_in_contact(v, "implicit_midpoint", 2, 800, error));
    for (int steps = 25; steps <= 400; steps *= 4) {
        double off;
        MO_TRY(error_of_fall(&CONSTANT, steps, &off, error));
        most = trial_larger(off, most);
    }
    validate_at_most(v, "integrators/contact/rk4",
                     "error [m] of a bounce, constant a, h = 1.25 to 20 ms", most, 0, 1e-12);
    MO_TRY(check_fall(v, &DRAG, "order through an impact with drag, bounce", 1, 0.2, error));
    return check_fall(v, &KINK, "order through an impact, penalty", 2, 0.2, error);
}
