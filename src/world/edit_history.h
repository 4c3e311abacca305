/*
 * Which rows lose their history in an edit. A particle that is added or removed changes the
 * accelerations of those it acts on: the history of a multistep scheme then belongs to another
 * motion, and using it would cost an order of accuracy. So accelerations are evaluated before and
 * after, at the same x, v and t, and rows whose accelerations differ get the age 0; all others keep
 * their history, bit by bit.
 */
#ifndef MO_WORLD_EDIT_HISTORY_H
#define MO_WORLD_EDIT_HISTORY_H

#include "world/world.h"

typedef struct mo_edit_history {
    mo_system *system;
    double time;
    int64_t rows;
    /* accelerations of positions and of orientations, if there are any */
    mo_column *column[2];
    double *kept[2], *before[2]; /* contents of the columns, and as evaluated */
} mo_edit_history;

mote_status mo_edit_history_begin(mo_edit_history *history, mo_system *system, double time,
                                  mote_error *error);

/* gone[row] != 0: an old row that was removed; NULL: none was. The edit has taken place and stands:
   if the accelerations cannot be evaluated for want of memory, all rows get the age 0. Releases
   the history. */
void mo_edit_history_end(mo_edit_history *history, const uint8_t *gone);

/* The edit did not take place. */
void mo_edit_history_release(mo_edit_history *history);

#endif
