/*
 * State of couplings in a snapshot: one store for each coupling that has one, by name. Only the two
 * functions at the top of snapshot_couplings.c enumerate the couplings of a world.
 */
#ifndef MO_WORLD_SNAPSHOT_COUPLINGS_H
#define MO_WORLD_SNAPSHOT_COUPLINGS_H

#include "world/snapshot.h"

mote_status mo_snapshot_save_couplings(const mote_world *world, mote_snapshot *snapshot,
                                       mote_error *error);

/* Verifies that the world has every coupling of the snapshot, with the same columns. */
mote_status mo_snapshot_check_couplings(const mote_snapshot *snapshot, const mote_world *world,
                                        mote_error *error);

/* Reserves memory for all rows, which may fail, before rows are copied. A store without rows in
 * the snapshot is emptied. */
mote_status mo_snapshot_reserve_couplings(const mote_snapshot *snapshot, mote_world *world,
                                          mote_error *error);
void mo_snapshot_restore_couplings(const mote_snapshot *snapshot, mote_world *world);

#endif
