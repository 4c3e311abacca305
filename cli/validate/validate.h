/*
 * `mote validate`: results beside closed forms and published figures.
 *
 * Each group of cases is one file that ends with a `const suite_group validate_<name>`, and one
 * line in cases.def. A case computes quantities and hands each to one of the functions below, with
 * what it ought to be and how far off it may be. An allowed error is a promise: it comes from the
 * theory of the method (and a comment says how), never from what happens to come out.
 */
#ifndef MOTE_CLI_VALIDATE_H
#define MOTE_CLI_VALIDATE_H

#include "bench/suite.h"

/* Where results go: the `context` of a case's run function. */
typedef struct validation {
    const char *wanted;    /* NULL: all */
    const char *directory; /* for CSV files; NULL: none */
    bool json, listed;
    FILE *csv; /* of the group that is running */
    int failures;
} validation;

/* |value - reference| / |reference| is at most `allowed`. */
void validate_relative(validation *v, const char *name, const char *quantity, double value,
                       double reference, double allowed);

/* |value - reference| is at most `allowed`. */
void validate_absolute(validation *v, const char *name, const char *quantity, double value,
                       double reference, double allowed);

/* The value reaches the reference or falls short of it by at most `allowed`. */
void validate_at_least(validation *v, const char *name, const char *quantity, double value,
                       double reference, double allowed);

/* The value stays below the reference or exceeds it by at most `allowed`. */
void validate_at_most(validation *v, const char *name, const char *quantity, double value,
                      double reference, double allowed);

/* The case cannot be looked into here, for a reason that is no fault: a program to compare with is
 * not installed. It neither passes nor fails. */
void validate_skip(validation *v, const char *name, const char *reason);

#endif
