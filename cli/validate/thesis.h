/*
 * Shared by the files of the group "thesis". The thesis is D. Tonnesen, "Dynamically Coupled
 * Particle Systems for Geometric Modeling, Reconstruction, and Animation", University of Toronto
 * 1998; its sections 7.3.3 to 7.3.5 compare three integrators in two experiments. Figures and
 * equations are numbered as there.
 */
#ifndef MOTE_CLI_VALIDATE_THESIS_H
#define MOTE_CLI_VALIDATE_THESIS_H

#include "mote/mote.h"
#include "plot/plot.h"
#include "validate/validate.h"

enum { THESIS_EULER, THESIS_MODIFIED_EULER, THESIS_LEAPFROG, THESIS_SCHEMES };

typedef struct thesis_scheme {
    const char *integrator; /* in a scene */
    const char *title;      /* in a plot */
    const char *label;      /* in figure 7.4 */
} thesis_scheme;

extern const thesis_scheme thesis_schemes[THESIS_SCHEMES];

/* A scene without integrator, step, and possibly the seed of its mesh. */
typedef struct thesis_setup {
    const char *scene;
    int scheme;
    double step;      /* [s] */
    const char *seed; /* NULL: the mesh has none */
} thesis_setup;

/* Worlds have one thread, since many run at once. */
mote_status thesis_create_world(const thesis_setup *setup, mote_world **world, mote_error *error);

/* Runs the jobs 0 to count - 1 on all cores; a job writes only its own data. Expensive jobs
 * should come first, so that the cores finish together. The error is that of the first job that
 * fails. */
typedef mote_status thesis_job(void *context, int index, mote_error *error);
mote_status thesis_do_jobs(int count, thesis_job *job, void *context, mote_error *error);

/* Writes DIR/<name>.svg, and destroys the figure; thesis_save also writes its data,
 * DIR/<name>.csv. */
mote_status thesis_save_picture(const validation *v, plot_figure *figure, const char *name,
                                mote_error *error);
mote_status thesis_save(const validation *v, plot_figure *figure, const char *name,
                        mote_error *error);

/* The first experiment: two particles, for steps from 2^0 to 2^-16. The step 2^-4, recommended
 * in 7.3.4, is marked with a star in the figures: omega h is 1/4 at the equilibrium distance and
 * 0.94 at the collision distance. */
enum { PAIR_STEPS = 17, PAIR_STARRED = 4, PAIR_SAMPLES = 1601 };

typedef struct pair_run {
    double step;                   /* [s] */
    double start_energy;           /* [J] */
    double average, maximum;       /* of |e| over all steps */
    double gained;                 /* fraction of the steps with e > 0 */
    double distance[PAIR_SAMPLES]; /* between the particles, equally spaced in time [m] */
    double error[PAIR_SAMPLES];    /* e, likewise */
} pair_run;

typedef struct pair_sweep {
    pair_run runs[THESIS_SCHEMES][PAIR_STEPS]; /* run b has the step 2^-b */
} pair_sweep;

extern const double pair_end; /* of all runs [s] */

mote_status thesis_plot_pair(const validation *v, const pair_sweep *sweep, mote_error *error);

/* The cases. */
mote_status thesis_run_pair(void *context, mote_error *error);
mote_status thesis_run_collapse(void *context, mote_error *error);

#endif
