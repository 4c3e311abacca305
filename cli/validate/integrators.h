/*
 * Shared by the files of the group "integrators": the schemes tested, their worlds, and problems
 * with closed forms. The schemes are taken from the registry, so that new ones are included
 * automatically.
 */
#ifndef MOTE_CLI_VALIDATE_INTEGRATORS_H
#define MOTE_CLI_VALIDATE_INTEGRATORS_H

#include "integrate/integrator.h"
#include "mote/mote.h"
#include "plot/plot.h"
#include "validate/validate.h"

/* The problems applicable to a scheme, combined with |. */
enum { TRIAL_OSCILLATOR = 1, TRIAL_DAMPED = 2, TRIAL_KEPLER = 4, TRIAL_TOP = 8, TRIAL_ALL = 15 };

/* A method of the registry, with defaults or with one parameter changed. */
typedef struct trial_scheme {
    const mo_integrator_type *type;
    char changed[48];  /* "start=backward"; empty: defaults */
    char value[128];   /* of "integrator" in a scene */
    int order;         /* as documented */
    unsigned problems; /* applicable problems */
} trial_scheme;

/* All methods with defaults, then all variants; false beyond the last. */
bool trial_scheme_at(int index, trial_scheme *scheme);

/* Names for a row: "integrators/order/abm3", "oscillator, start=backward". */
typedef struct trial_row {
    char name[64], quantity[96];
} trial_row;
trial_row trial_row_of(const char *test, const trial_scheme *scheme, const char *quantity);

/* A world on one thread (a few particles are one block of work) and the columns used; q and w
 * are NULL without oriented bodies. */
typedef struct trial {
    mote_world *world;
    int64_t rows;
    double *x, *v, *q, *w;
} trial;

/* A scene without integrator and step; `force` may be NULL. Implicit schemes use the forces of
 * the problems below with their Jacobians, others use callbacks. */
mote_status trial_start(trial *t, const char *scene, const trial_scheme *scheme, double step,
                        mote_force_fn *force, mote_error *error);
mote_status trial_steps(trial *t, int64_t steps, mote_error *error);
void trial_stop(trial *t);

/* To be called after the number of rows has changed. */
mote_status trial_find_columns(trial *t, mote_error *error);

typedef struct trial_problem {
    unsigned kind;     /* TRIAL_OSCILLATOR ... */
    const char *name;  /* short, for a row */
    const char *title; /* for a plot */
    const char *scene;
    mote_force_fn *force; /* NULL: none */
    double end;           /* [s] */
    /* from the closed form, positions and velocities together, in units of order 1 */
    double (*distance)(const trial *t, double time);
} trial_problem;

/* The force of a problem as an internal force with its Jacobian; NULL if there is none. */
const mo_force *trial_exact_force(mote_force_fn *force);

enum { TRIAL_PROBLEMS = 4 };
extern const trial_problem trial_problems[TRIAL_PROBLEMS];

/* The first problem is x'' = -omega^2 x with this frequency [rad/s]; x starts at 1 m with zero
 * velocity. */
extern const double trial_omega;

/* Steps the oscillator and evaluates x^2 + (v/omega)^2 along x; exact: 1. */
typedef struct trial_energy {
    /* with a Hann window, independent of the phase at its ends */
    double mean;
    double largest; /* of |energy - 1| */
} trial_energy;
mote_status trial_record_energy(trial *t, int64_t steps, trial_energy *energy, mote_error *error);

/* The maximum; unlike fmax it propagates NaN. */
double trial_larger(double a, double b);

/* Writes DIR/name.svg and DIR/name.csv, if there is an output directory. */
mote_status trial_write_figure(const validation *v, const plot_figure *figure, const char *name,
                               mote_error *error);

/* The cases, one file each. */
mote_status integrators_run_order(void *context, mote_error *error);
mote_status integrators_run_energy(void *context, mote_error *error);
mote_status integrators_run_reversal(void *context, mote_error *error);
mote_status integrators_run_stability(void *context, mote_error *error);
mote_status integrators_run_changes(void *context, mote_error *error);
mote_status integrators_run_newcomer(void *context, mote_error *error);
mote_status integrators_run_contact(void *context, mote_error *error);
mote_status integrators_run_cost(void *context, mote_error *error);

#endif
