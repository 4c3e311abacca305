/*
 * Groups of named cases, selected by name, for `mote bench` and `mote validate`. A case is called
 * "group/case"; a name on the command line selects all names that begin with it followed by a
 * slash, and the name of a group all of its cases.
 */
#ifndef MOTE_CLI_SUITE_H
#define MOTE_CLI_SUITE_H

#include "mote/base.h"

#include <stdio.h>

/* A case whose name ends with a slash is a family of cases, selected by longer names in `run`. */
typedef struct suite_case {
    const char *name, *doc;
    /* Measures and reports rows through `context`, the struct of the harness. */
    mote_status (*run)(void *context, mote_error *error);
} suite_case;

typedef struct suite_group {
    const char *name, *doc;
    const suite_case *cases; /* ends with one without a name */
} suite_group;

typedef struct suite {
    const char *command; /* prefix of messages: "mote: bench" */
    const suite_group *const *groups;
    int count;
} suite;

/* True if `wanted` (NULL: everything) selects `name`. */
bool suite_selects(const char *wanted, const char *name);

/* True if `wanted` selects a case of the group. */
bool suite_selects_case(const suite_group *group, const char *wanted);

void suite_list(const suite *s, FILE *file);

/* True if `wanted` selects a case; otherwise lists the names on stderr with the nearest one. */
bool suite_has(const suite *s, const char *wanted);

/* Runs the selected cases of a group, all of them even if one fails; returns the number of
 * failures, each reported on stderr. */
int suite_run_group(const suite_group *group, const char *wanted, void *context);

#endif
