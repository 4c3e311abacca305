/* Sums over the rows of a system of particles without orientation. */
#ifndef MO_HOST_ROW_SUMS_H
#define MO_HOST_ROW_SUMS_H

#include "host/system.h"

/* Adds mass, momenta, kinetic energy and the potential energy of gravity. */
mote_status mo_row_sums_measure(const mo_system *system, double time, mote_measures *measures,
                                mote_error *error);

#endif
