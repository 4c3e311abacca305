/*
 * Stability limits omega h of the schemes on an undamped oscillator, by bisection, compared with
 * the documented ones; and the growth of the amplitude at omega h = 0.1 for schemes without a
 * limit.
 *
 * Growth per step is half the logarithm of the ratio of two mean energies over the steps in
 * between. GROWING is above rounding and the error of the windows (1e-10), and small enough to be
 * reached within a thousandth of each limit.
 */
#include "base/error.h"
#include "validate/integrators.h"

#include <math.h>
#include <string.h>

static const double GROWING = 1e-9, SMALL = 0.1;

/* Distance of two windows of WINDOW steps; less if the amplitude grows by e^40, beyond the range
 * of positions. */
enum { WINDOW = 2000, BETWEEN = 20000 };

static mote_status ratio_of_windows(trial *t, int between, double *ratio, mote_error *error)
{
    trial_energy first, last;
    MO_TRY(trial_record_energy(t, WINDOW, &first, error));
    MO_TRY(trial_steps(t, between - WINDOW, error));
    MO_TRY(trial_record_energy(t, WINDOW, &last, error));
    *ratio = last.mean / first.mean;
    return MOTE_OK;
}

/* Logarithmic growth of the amplitude per step; infinite on overflow. */
static mote_status find_growth(const trial_scheme *s, double turn, int between, double *growth,
                               mote_error *error)
{
    trial t;
    double ratio;
    const trial_problem *p = &trial_problems[0];
    *growth = INFINITY;
    MO_TRY(trial_start(&t, p->scene, s, turn / trial_omega, p->force, error));
    mote_status status = ratio_of_windows(&t, between, &ratio, error);
    /* the amplitude has decayed to zero */
    bool gone = status == MOTE_OK && hypot(t.x[0], t.v[0]) < 1e-100;
    trial_stop(&t);
    if (status == MOTE_OK && gone) {
        *growth = -INFINITY;
    } else if (status == MOTE_OK && isfinite(ratio)) {
        *growth = 0.5 * log(ratio) / between;
    }
    return status == MOTE_ERROR_NUMERIC ? MOTE_OK : status;
}

/* The largest stable omega h between `low`, which is stable, and `high`, which is not. */
static mote_status find_limit(const trial_scheme *s, double low, double high, double *limit,
                              mote_error *error)
{
    while (high - low > 1e-4 * high) {
        double growth, middle = 0.5 * (low + high);
        MO_TRY(find_growth(s, middle, BETWEEN, &growth, error));
        *(growth < GROWING ? &low : &high) = middle;
    }
    *limit = low;
    return MOTE_OK;
}

/* The documented limit of the scheme with its parameters. */
static mote_status find_claim(const trial_scheme *s, double *claimed, mote_error *error)
{
    trial t;
    mote_advice advice;
    const trial_problem *p = &trial_problems[0];
    MO_TRY(trial_start(&t, p->scene, s, 0.1, p->force, error));
    *claimed = NAN;
    for (int k = 0; mote_world_advice(t.world, 1, 0, k, &advice); ++k) {
        *claimed = advice.current ? advice.stable_step : *claimed;
    }
    trial_stop(&t);
    return MOTE_OK;
}

static mote_status check_limit(validation *v, const trial_scheme *s, double claimed,
                               mote_error *error)
{
    double limit;
    MO_TRY(find_limit(s, 0.7 * claimed, 1.6 * claimed, &limit, error));
    trial_row row = trial_row_of("stability", s, "largest stable omega h");
    validate_relative(v, row.name, row.quantity, limit, claimed, 0.02);
    return MOTE_OK;
}

/* An unconditionally stable scheme must not grow at steps of any size. */
static mote_status check_unbounded(validation *v, const trial_scheme *s, mote_error *error)
{
    static const double TURNS[] = {0.1, 1, 10, 100};
    double most = -INFINITY;
    for (size_t k = 0; k < sizeof TURNS / sizeof *TURNS; ++k) {
        double growth;
        MO_TRY(find_growth(s, TURNS[k], BETWEEN, &growth, error));
        most = trial_larger(growth, most);
    }
    trial_row row = trial_row_of("stability", s, "growth a step, omega h = 0.1 ... 100");
    validate_at_least(v, row.name, row.quantity, -most, 0, GROWING);
    return MOTE_OK;
}

/* Implicit Euler at k h^2/m = 10^4: the energy decreases in every step until it is zero. */
static mote_status check_fall(validation *v, const trial_scheme *s, mote_error *error)
{
    trial t;
    const trial_problem *p = &trial_problems[0];
    int rises = 0;
    MO_TRY(trial_start(&t, p->scene, s, 100 / trial_omega, p->force, error));
    mote_status status = MOTE_OK;
    double before = INFINITY;
    for (int k = 0; k < 50 && status == MOTE_OK; ++k) {
        double now = 0;
        for (int c = 0; c < 3; ++c) {
            now += t.v[c] * t.v[c] + trial_omega * trial_omega * t.x[c] * t.x[c];
        }
        rises += !(now < before) && now > 0;
        before = now;
        status = trial_steps(&t, 1, error);
    }
    trial_stop(&t);
    trial_row row =
        trial_row_of("stability", s, "steps of 50 in which the energy rises, k h^2/m = 10^4");
    validate_absolute(v, row.name, row.quantity, rises, 0, 0);
    return status;
}

/* Growth by the eigenvalues of a step, where a formula is known. */
static double known_growth(const char *name, double z)
{
    static const char *const MIDDLES[] = {"midpoint", "heun", "ralston"};
    for (size_t k = 0; k < sizeof MIDDLES / sizeof *MIDDLES; ++k) {
        if (strcmp(name, MIDDLES[k]) == 0) {
            return 0.5 * log1p(z * z * z * z / 4); /* |1 + iz - z^2/2| */
        }
    }
    return strcmp(name, "explicit_euler") == 0   ? 0.5 * log1p(z * z)     /* |1 + iz| */
           : strcmp(name, "modified_euler") == 0 ? 0.5 * log1p(z * z / 2) /* of the determinant */
                                                 : NAN;
}

/* A scheme without a stable step must grow; otherwise its limit is reported. */
static mote_status check_growth(validation *v, const trial_scheme *s, mote_error *error)
{
    double growth, limit, known = known_growth(s->type->base.name, SMALL);
    int between = (int)fmin(BETWEEN, 25 / known); /* BETWEEN if the growth is unknown */
    MO_TRY(find_growth(s, SMALL, between, &growth, error));
    trial_row row = trial_row_of("stability", s, "growth a step at omega h = 0.1");
    if (!isnan(known)) {
        validate_absolute(v, row.name, row.quantity, growth, known, 1e-10);
        return MOTE_OK;
    }
    validate_at_least(v, row.name, row.quantity, growth, 0, 0);
    if (growth < 0) {
        MO_TRY(find_limit(s, SMALL, 2, &limit, error));
        row = trial_row_of("stability", s, "largest stable omega h, claimed none");
        validate_absolute(v, row.name, row.quantity, limit, 0, 0);
    }
    return MOTE_OK;
}

mote_status integrators_run_stability(void *context, mote_error *error)
{
    trial_scheme s;
    for (int k = 0; trial_scheme_at(k, &s); ++k) {
        double claimed;
        if (s.problems & TRIAL_OSCILLATOR) {
            MO_TRY(find_claim(&s, &claimed, error));
            MO_TRY(isinf(claimed) ? check_unbounded(context, &s, error)
                   : claimed > 0  ? check_limit(context, &s, claimed, error)
                                  : check_growth(context, &s, error));
            if (isinf(claimed) && s.type->order == 1) {
                MO_TRY(check_fall(context, &s, error));
            }
        }
    }
    return MOTE_OK;
}
