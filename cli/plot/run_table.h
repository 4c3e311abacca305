/*
 * Tables of runs: the runs in a directory, and their values by column.
 */
#ifndef MOTE_CLI_PLOT_RUN_TABLE_H
#define MOTE_CLI_PLOT_RUN_TABLE_H

#include "mote/base.h"

enum { RUN_COLUMNS_MAX = 64 };

typedef struct run_table {
    char *text; /* the first line of the file, which the names point into */
    int columns;
    const char *names[RUN_COLUMNS_MAX];
    int64_t rows;
    double *values; /* row by row */
} run_table;

/* The directory and the name of the run given by `path`: a run's directory, or its table
 * `DIR/NAME.csv`. */
typedef struct run_location {
    char directory[4096];
    char name[256];
} run_location;
mote_status run_find(const char *path, run_location *location, mote_error *error);

/* Reads `path`. Truncated files and invalid numbers are errors. */
mote_status run_table_read(const char *path, run_table *table, mote_error *error);
void run_table_release(run_table *table);

/* -1 if there is no such column. */
int run_table_column(const run_table *table, const char *name);

#endif
