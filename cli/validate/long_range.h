/*
 * The cases of `mote validate long_range`, and clouds of charges evaluated by any method.
 */
#ifndef MOTE_CLI_VALIDATE_LONG_RANGE_H
#define MOTE_CLI_VALIDATE_LONG_RANGE_H

#include "particle/long_range/long_range.h"
#include "validate/validate.h"

/* Charges in a box, and the result of an evaluation. */
typedef struct charges {
    mo_memory memory;
    mo_domain domain;
    int64_t rows;
    double softening;
    double *x, *q;
    mo_long_range_output out;
} charges;

/* Random positions in a box, charges +1 and -1 in turn (`masses`: all 1); periodic or open. */
mote_status charges_create(int64_t rows, const double period[3], bool periodic, bool masses,
                           charges *cloud, mote_error *error);
void charges_release(charges *cloud);

/* A method applied to a cloud, with neighbour lists if it has a range. */
typedef struct charges_session {
    charges *cloud;
    const mo_long_range_type *type;
    void *solver;
    mo_pool *pool;
    struct mo_search *search; /* NULL: no range */
    mo_pairs pairs;
} charges_session;

/* After a failure nothing has to be closed. */
mote_status charges_open(charges *cloud, const mo_long_range_type *type, const void *params,
                         int threads, charges_session *session, mote_error *error);
void charges_close(charges_session *session);

/* Forces; with `measure` also energy, virial and gradient. */
mote_status charges_run(charges_session *session, bool measure, mote_error *error);

/* All three. */
mote_status charges_evaluate(charges *cloud, const mo_long_range_type *type, const void *params,
                             bool measure, int threads, mote_error *error);

/* sqrt(mean |f - g|^2). */
double charges_rms(int64_t rows, const double *f, const double *g);

mote_status long_range_drift(void *context, mote_error *error);
mote_status long_range_kepler(void *context, mote_error *error);
mote_status long_range_plummer(void *context, mote_error *error);

#endif
