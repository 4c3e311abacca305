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
    double every, wall_every; /* checkpoints: simulated and real seconds; 0 = not by this */
    int keep;
    mote_measures first; /* of the initial state of the run */
    const double *table; /* as mo_run_table_export writes `written` rows: see io/output/table.h */
} mo_run_state;

/* NULL: no run took the snapshot. */
const mo_run_state *mo_run_state_of(const mote_snapshot *snapshot);

/* Attaches a copy of `state` with a table of its own, zeroed, for the caller to fill. */
mote_status mo_run_state_attach(mote_snapshot *snapshot, const mo_run_state *state, double **table,
                                mote_error *error);

/* The `run` of header.json: null for NULL. Reading it gives all but the table, and the CRC of
 * that. */
json_t *mo_run_state_json(const mo_run_state *state);
mote_status mo_run_state_read(json_t *run, mo_run_state *state, uint32_t *table_crc,
                              mote_error *error);

#endif
