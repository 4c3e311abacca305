/*
 * `mote validate`: results compared with closed forms and published data.
 *
 * Each group of cases is one file that ends with a `const suite_group validate_<name>`, and one
 * line in cases.def. A case computes quantities and passes each to one of the functions below, with
 * its reference and allowed error. Allowed errors are derived from the theory of the method (as
 * stated in comments), never from measured results.
 */
#ifndef MOTE_CLI_VALIDATE_H
#define MOTE_CLI_VALIDATE_H

#include "bench/suite.h"

/* The output of a case: the `context` of its run function. */
typedef struct validation {
    const char *wanted;    /* NULL: all */
    const char *directory; /* for CSV files; NULL: none */
    bool json, listed;
    FILE *csv; /* of the current group */
    int failures;
} validation;

/* |value - reference| / |reference| is at most `allowed`. */
void validate_relative(validation *v, const char *name, const char *quantity, double value,
                       double reference, double allowed);

/* |value - reference| is at most `allowed`. */
void validate_absolute(validation *v, const char *name, const char *quantity, double value,
                       double reference, double allowed);

/* The value is at least the reference minus `allowed`. */
void validate_at_least(validation *v, const char *name, const char *quantity, double value,
                       double reference, double allowed);

/* The value is at most the reference plus `allowed`. */
void validate_at_most(validation *v, const char *name, const char *quantity, double value,
                      double reference, double allowed);

/* The case cannot be run here, for example since a program to compare with is not installed. It
 * neither passes nor fails. */
void validate_skip(validation *v, const char *name, const char *reason);

#endif
