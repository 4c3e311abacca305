/*
 * Invalidation of integrator history by edits. Adding or removing a particle changes the
 * accelerations of its interaction partners; the history of a multistep scheme then belongs to
 * another trajectory, and its use would cost an order of accuracy. Accelerations are therefore
 * evaluated before and after the edit, at the same x, v and t. Rows whose accelerations differ get
 * age 0; all others keep their history bitwise.
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
    double *kept[2], *before[2]; /* contents of the columns before the edit, and as evaluated */
} mo_edit_history;

mote_status mo_edit_history_begin(mo_edit_history *history, mo_system *system, double time,
                                  mote_error *error);

/* removed[row] != 0: an old row that was removed; NULL: none was. The edit remains in effect: if
 * the accelerations cannot be evaluated for lack of memory, all rows get age 0. Releases the
 * history. */
void mo_edit_history_end(mo_edit_history *history, const uint8_t *removed);

/* The edit did not take place. */
void mo_edit_history_release(mo_edit_history *history);

#endif
