/* Sums over the rows of a system: mass, momenta and energies, for its `measure`. */
#ifndef MO_HOST_ROW_SUMS_H
#define MO_HOST_ROW_SUMS_H

#include "host/system.h"

/* Indices of the sums in a partial result; a system's own sums follow. */
enum {
    MO_ROW_MASS,
    MO_ROW_KINETIC,
    MO_ROW_POTENTIAL,
    MO_ROW_ELASTIC,
    MO_ROW_MOMENTUM,
    MO_ROW_ANGULAR = MO_ROW_MOMENTUM + 3,
    MO_ROW_SUMS = MO_ROW_ANGULAR + 3
};

/* Sets the sums of the rows [first, last) without their rotation and forces: mass, momenta, kinetic
 * energy, and the potential energy of gravity. */
void mo_row_sums_range(const mo_system *system, mo_vec3 gravity, int64_t first, int64_t last,
                       double sum[MO_ROW_SUMS]);

/* Adds the energies of forces. */
void mo_row_sums_forces(const mo_force *forces, int64_t count, const mo_force_args *args,
                        int64_t first, int64_t last, double sum[MO_ROW_SUMS]);

/* Adds the total of all ranges to the measures. */
void mo_row_sums_report(const double sum[MO_ROW_SUMS], mote_measures *measures);

/* All of it for a system of particles without orientation, without forces. */
mote_status mo_row_sums_measure(const mo_system *system, double time, mote_measures *measures,
                                mote_error *error);

#endif
