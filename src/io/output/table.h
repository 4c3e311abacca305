/*
 * The tables of a run, a row for each frame. `name.csv` has reproducible data: energies, momenta,
 * steps. `name.times.csv` has machine-dependent data: seconds by stage.
 *
 * Steps between frames are accumulated, so that extreme steps are recorded.
 */
#ifndef MO_IO_OUTPUT_TABLE_H
#define MO_IO_OUTPUT_TABLE_H

#include "base/memory.h"
#include "base/timer.h"
#include "host/system.h"
#include "mote/world.h"

/* The steps since the last row. */
typedef struct mo_interval {
    int64_t steps;
    double step_min, step_max;     /* 0: no step */
    double courant;                /* largest */
    int64_t contacts;              /* maximum of one step */
    int64_t evaluations;           /* of all steps */
    double number[MO_NUMBERS_MAX]; /* named quantities of systems, reduced as declared */
} mo_interval;

typedef struct mo_run_row {
    double time;
    int64_t steps;
    mote_measures measures;
    mo_interval interval;
    double wall, output;         /* seconds since the last row, and those of them spent writing */
    double stage[MO_STAGES_MAX]; /* and in each stage */
} mo_run_row;

typedef struct mo_run_table {
    mo_memory *memory;
    int64_t count, capacity;
    mo_run_row *rows;
    mo_interval interval; /* of the next row */
    int number_count;
    mote_quantity numbers[MO_NUMBERS_MAX]; /* their names and reductions */
    int stage_count;
    const char *stages[MO_STAGES_MAX]; /* names */
    double stage_last[MO_STAGES_MAX], clock_last;
} mo_run_table;

void mo_run_table_init(mo_run_table *table, mo_memory *memory);
void mo_run_table_release(mo_run_table *table);

/* After every step. */
void mo_run_table_step(mo_run_table *table, const mote_world *world,
                       const mote_step_report *report);

/* Adds a row with the current state of the world; `output` seconds were spent writing since the
 * last one. */
mote_status mo_run_table_add(mo_run_table *table, mote_world *world, double output,
                             mote_error *error);

/* A row as plain numbers, for checkpoints. */
enum {
    MO_RUN_ROW_NUMBERS =
        10 + sizeof(mote_measures) / sizeof(double) + MO_NUMBERS_MAX + MO_STAGES_MAX
};

/* The first `count` rows as numbers, and one more with the steps since. */
void mo_run_table_export(const mo_run_table *table, int64_t count, double *numbers);
mote_status mo_run_table_import(mo_run_table *table, const double *numbers, int64_t count,
                                mote_error *error);

/* Writes both tables as `base`.csv and `base`.times.csv. */
mote_status mo_run_table_write(const mo_run_table *table, const char *base, mote_error *error);

#endif
