/*
 * Whom an edit concerns. A particle that comes or goes changes the acceleration of those it acts
 * on: what their integrator remembers belongs to another motion from then on, and using it would
 * cost an order of accuracy. So accelerations are evaluated before and after, at the same x, v and
 * t, and rows that feel a difference get the age 0; all others keep their memory, bit by bit.
 */
#ifndef MO_WORLD_EDIT_WATCH_H
#define MO_WORLD_EDIT_WATCH_H

#include "world/world.h"

typedef struct mo_edit_watch {
    mo_system *system;
    double time;
    int64_t rows;
    /* accelerations of positions and of orientations, if there are any */
    mo_column *column[2];
    double *kept[2], *before[2]; /* what the columns held, and what was evaluated */
} mo_edit_watch;

mote_status mo_edit_watch_begin(mo_edit_watch *watch, mo_system *system, double time,
                                mote_error *error);

/* gone[row] != 0: an old row that was removed; NULL: none was. The edit has taken place and stands:
   if the accelerations cannot be evaluated for want of memory, all rows get the age 0. Releases the
   watch. */
void mo_edit_watch_end(mo_edit_watch *watch, const uint8_t *gone);

/* The edit did not take place. */
void mo_edit_watch_release(mo_edit_watch *watch);

#endif
