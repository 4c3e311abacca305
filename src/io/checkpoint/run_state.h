/*
 * The state of a run: its position between two frames, its settings, and its table so far. A
 * snapshot taken by a run has one attached, and a checkpoint file has both: the `run` of
 * header.json and `run/table.npy`. A snapshot that a program takes has none.
 */
#ifndef MO_IO_CHECKPOINT_RUN_STATE_H
#define MO_IO_CHECKPOINT_RUN_STATE_H

#include "io/output/table.h"
#include "world/snapshot.h"

#include <jansson.h>

typedef struct mo_run_state {
    int frame;              /* the next frame */
    int written;            /* frames written before that */
    int64_t steps_at_frame; /* steps when the last of them was written */
    double wall;            /* wall time so far [s] */
    double until;           /* as requested: NaN and -1 mean the scene's */
    int frames;
    /* checkpoint intervals: simulated and wall time [s]; 0: disabled */
    double every, wall_every;
    int keep;
    mote_measures first; /* of the initial state of the run */
    /* `written` rows in the format of mo_run_table_export (io/output/table.h) */
    const double *table;
} mo_run_state;

/* NULL: the snapshot was not taken by a run. */
const mo_run_state *mo_run_state_of(const mote_snapshot *snapshot);

/* Attaches a copy of `state` with a zeroed table, to be filled by the caller. */
mote_status mo_run_state_attach(mote_snapshot *snapshot, const mo_run_state *state, double **table,
                                mote_error *error);

/* The `run` of header.json: null for NULL. Reading it returns everything but the table, and the
 * table's CRC. */
json_t *mo_run_state_json(const mo_run_state *state);
mote_status mo_run_state_read(json_t *run, mo_run_state *state, uint32_t *table_crc,
                              mote_error *error);

#endif
