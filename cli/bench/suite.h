/*
 * Groups of named cases, chosen by name: what `mote bench` and `mote validate` have in common. A
 * case is called "group/case"; a name on the command line stands for everything that begins with it
 * and goes on with a slash, and the name of a group for all of it.
 */
#ifndef MOTE_CLI_SUITE_H
#define MOTE_CLI_SUITE_H

#include "mote/base.h"

#include <stdio.h>

/* A case whose name ends with a slash is a row of cases, chosen by longer names too; `run` sees to
 * that. */
typedef struct suite_case {
    const char *name, *doc;
    /* Measures and reports rows through `context`, the harness's own struct. */
    mote_status (*run)(void *context, mote_error *error);
} suite_case;

typedef struct suite_group {
    const char *name, *doc;
    const suite_case *cases; /* ends with one without a name */
} suite_group;

typedef struct suite {
    const char *command; /* as messages begin: "mote: bench" */
    const suite_group *const *groups;
    int count;
} suite;

/* True if `wanted` (NULL: everything) stands for `name`. */
bool suite_selects(const char *wanted, const char *name);

/* True if the group has a case that `wanted` stands for. */
bool suite_touches(const suite_group *group, const char *wanted);

void suite_list(const suite *s, FILE *file);

/* True if anything is called `wanted`; otherwise says on stderr what is known and which name is
 * nearest. */
bool suite_knows(const suite *s, const char *wanted);

/* Runs the wanted cases of a group, all of them even if one fails; returns how many failed, each
 * with its reason on stderr. */
int suite_run_group(const suite_group *group, const char *wanted, void *context);

#endif
