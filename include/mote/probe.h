/*
 * mote/probe.h: columns of particles at any position: interpolated by the kernel of a fluid, or
 * their gradient, divergence, curl and Laplacian.
 *
 * A probe owns a copy of the particles. Results are the same on any number of threads.
 */
#ifndef MOTE_PROBE_H
#define MOTE_PROBE_H

#include "mote/base.h"
#include "mote/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mote_probe mote_probe;

typedef struct mote_probe_options {
    mote_config config;
    /* A kernel's name; NULL: that of the fluid, "cubic" for other particles. */
    const char *kernel;
    /* Support radius [m]; 0: that of the fluid, for other particles twice the median distance of
     * nearest neighbours. */
    double support;
    int dimension;          /* 2 or 3; 0: that of the fluid, 2 if all z are 0 */
    const char *form;       /* "difference" (NULL), "symmetric" or "plain" */
    const char *correction; /* "shepard" (NULL), "least_squares" or "none" */
} mote_probe_options;

mote_probe_options mote_probe_options_default(void);

/* Of the current particles of one system of a world; derived columns are computed first. */
mote_status mote_probe_world(mote_world *world, int system,
                             MOTE_OPTIONAL const mote_probe_options *options, mote_probe **probe,
                             mote_error *error);

/* Of a stored frame: of a result directory or an index (.pvd) the one nearest to `time` (NaN: the
 * last), or a single file (.vtp, .ply). `system` is a name; NULL: the first. Kernel and domain are
 * those of the scene stored beside the frames, if there is one. */
mote_status mote_probe_results(const char *path, double time, MOTE_OPTIONAL const char *system,
                               MOTE_OPTIONAL const mote_probe_options *options, mote_probe **probe,
                               mote_error *error);

void mote_probe_destroy(MOTE_OPTIONAL mote_probe *probe);

/* Values per position of an operator ("value", "gradient", "divergence", "curl", "laplacian",
 * "weight") on a column; 0: there is no such column or operator, or it does not apply. */
int mote_probe_components(const mote_probe *probe, const char *column, const char *operation);

/* The result of an operator on a column at `count` positions, three coordinates each [m]: so many
 * values per position; dA_a/dx_b of a gradient at 3 a + b. 0 where there are no particles within
 * the support; "weight", the sum of V W, is 0 there and 1 inside a fluid. */
mote_status mote_probe_evaluate(const mote_probe *probe, const char *column, const char *operation,
                                int64_t count, const double *positions, double *values,
                                mote_error *error);

/* A table (.csv) of several results at the positions of `sampling`, an object as in a scene:
 * {"type": "line", "from": [0, 0, 0], "to": [1, 0, 0]}, or plane, grid, points. A row per position:
 * its coordinates, the weight, the results. `operations` has an operator for each of the columns.
 * The text is released by mote_text_free. */
mote_status mote_probe_table(const mote_probe *probe, const char *sampling, int count,
                             const char *const *columns, const char *const *operations, char **text,
                             mote_error *error);

/* Writes the same as .csv or, of a line, plane or grid, as .vti, by the extension of `path`. */
mote_status mote_probe_write(const mote_probe *probe, const char *sampling, int count,
                             const char *const *columns, const char *const *operations,
                             const char *path, mote_error *error);

#ifdef __cplusplus
}
#endif
#endif
