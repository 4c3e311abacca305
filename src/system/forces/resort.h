/*
 * Resorting of rows for cache locality: pair loops of a liquid of 256,000 particles in random order
 * take three times as long. The rows of systems without topology are resorted along the Morton
 * curve at the start of every 512th step, each body within its own range. It depends on the step
 * number, so that a resumed run resorts at the same steps.
 *
 * Not with stored row indices (springs and elements, edges and triangles, moving pins, callbacks),
 * and not for small systems. During the sort the memory of the lists is released.
 */
#ifndef MO_SYSTEM_FORCES_RESORT_H
#define MO_SYSTEM_FORCES_RESORT_H

#include "system/forces/state.h"

enum { MO_RESORT_EVERY = 512, MO_RESORT_ROWS = 8192 };

/* Whether no row indices are stored, so that rows may be reordered. */
bool mo_resort_rows_are_free(const mo_forces *forces);

/* Before the step number `step`. */
mote_status mo_resort(mo_forces *forces, int64_t step, mote_error *error);

#endif
