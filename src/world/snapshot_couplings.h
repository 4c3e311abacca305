/*
 * The memory of couplings in a snapshot: one store for each coupling that has one, by name. Which
 * couplings of a world these are is known to two functions at the top of snapshot_couplings.c
 * alone.
 */
#ifndef MO_WORLD_SNAPSHOT_COUPLINGS_H
#define MO_WORLD_SNAPSHOT_COUPLINGS_H

#include "world/snapshot.h"

mote_status mo_snapshot_save_couplings(const mote_world *world, mote_snapshot *snapshot,
                                       mote_error *error);

/* The snapshot has no coupling that the world lacks, and the columns of those it has are the
 * world's. */
mote_status mo_snapshot_check_couplings(const mote_snapshot *snapshot, const mote_world *world,
                                        mote_error *error);

/* First memory for all rows, which may fail; then the rows. A store without rows in the snapshot
   is emptied. */
mote_status mo_snapshot_reserve_couplings(const mote_snapshot *snapshot, mote_world *world,
                                          mote_error *error);
void mo_snapshot_restore_couplings(const mote_snapshot *snapshot, mote_world *world);

#endif
