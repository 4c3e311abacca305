/*
 * Derived columns of interacting particles (Tonnesen 1998, 7.4.2): the number of neighbours and the
 * energy of each.
 */
#ifndef MO_SYSTEM_FORCES_PAIR_COLUMNS_H
#define MO_SYSTEM_FORCES_PAIR_COLUMNS_H

#include "system/forces/state.h"

/* Declares `neighbors` and `energy` if there is a pair potential. */
mote_status mo_pair_columns_declare(const mo_forces *forces, mote_error *error);

/* Fills them; has no effect on the lists of later steps. */
void mo_pair_columns_derive(mo_forces *forces, double time);

#endif
