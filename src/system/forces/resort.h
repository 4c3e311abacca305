/*
 * Particles that move through each other end up far apart in memory from those they are near in
 * space, and pair loops wait for the cache: at 256,000 particles of a liquid in random order they
 * take three times as long. So the rows of systems without topology are resorted along the Morton
 * curve at the start of every 512th step, each body within its own range. Which steps these are
 * follows from the clock, so that a resumed run resorts when the first one did.
 *
 * Not where someone keeps rows: springs and elements, edges and triangles, pins that move,
 * callbacks; and not where all is in the cache anyway. For the while of the sort the lists, which
 * are to be made again, give their memory back.
 */
#ifndef MO_SYSTEM_FORCES_RESORT_H
#define MO_SYSTEM_FORCES_RESORT_H

#include "system/forces/state.h"

enum { MO_RESORT_EVERY = 512, MO_RESORT_ROWS = 8192 };

/* Nobody but the store knows the rows, so that they may change their order. */
bool mo_rows_are_free(const mo_forces *forces);

/* Before the step number `step`. */
mote_status mo_resort(mo_forces *forces, int64_t step, mote_error *error);

#endif
