/*
 * What the files of the group "integrators" share: the schemes that are tried, worlds to try them
 * in, and problems with closed forms. The schemes come from the registry, so that a new one is
 * tried by being listed.
 */
#ifndef MOTE_CLI_VALIDATE_INTEGRATORS_H
#define MOTE_CLI_VALIDATE_INTEGRATORS_H

#include "integrate/integrator.h"
#include "mote/mote.h"
#include "plot/plot.h"
#include "validate/validate.h"

/* What a scheme can be tried on, to be combined with |. */
enum { TRIAL_OSCILLATOR = 1, TRIAL_DAMPED = 2, TRIAL_KEPLER = 4, TRIAL_TOP = 8, TRIAL_ALL = 15 };

/* A method of the registry, as it is or with one parameter changed. */
typedef struct trial_scheme {
    const mo_integrator_type *type;
    char changed[48];  /* "start=backward"; empty: as it is */
    char value[128];   /* of "integrator" in a scene */
    int order;         /* what is claimed */
    unsigned problems; /* what it has something to say about */
} trial_scheme;

/* All methods as they are, then all variants; false beyond the last. */
bool trial_scheme_at(int index, trial_scheme *scheme);

/* Names for a row: "integrators/order/abm3", "oscillator, start=backward". */
typedef struct trial_row {
    char name[64], quantity[96];
} trial_row;
trial_row trial_row_of(const char *test, const trial_scheme *scheme, const char *quantity);

/* A world on one thread (a few particles are one block of work) and the columns that are looked at;
 * q and w are NULL where nothing is oriented. */
typedef struct trial {
    mote_world *world;
    int64_t rows;
    double *x, *v, *q, *w;
} trial;

/* A scene that leaves integrator and step open; `force` may be NULL. Implicit schemes get the
 * forces of the problems below with their Jacobians, and others as callbacks, which have none. */
mote_status trial_start(trial *t, const char *scene, const trial_scheme *scheme, double step,
                        mote_force_fn *force, mote_error *error);
mote_status trial_steps(trial *t, int64_t steps, mote_error *error);
void trial_stop(trial *t);

/* The number of rows has changed. */
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

/* The force of one of the problems as the world's own, with its Jacobian; NULL if there is none. */
const mo_force *trial_exact_force(mote_force_fn *force);

enum { TRIAL_PROBLEMS = 4 };
extern const trial_problem trial_problems[TRIAL_PROBLEMS];

/* The first of them is x'' = -omega^2 x with this frequency [rad/s]; its x starts from rest at 1
 * m. */
extern const double trial_omega;

/* Takes steps of the oscillator and looks at x^2 + (v/omega)^2 along x, which ought to stay 1. */
typedef struct trial_energy {
    /* by a Hann window, which forgets where in an oscillation the steps begin and end */
    double mean;
    double largest; /* of |energy - 1| */
} trial_energy;
mote_status trial_watch_energy(trial *t, int64_t steps, trial_energy *energy, mote_error *error);

/* The larger one; unlike fmax it does not lose what is not a number. */
double trial_larger(double a, double b);

/* As DIR/name.svg and DIR/name.csv, if the results go into a directory. */
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
