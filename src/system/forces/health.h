/*
 * Diagnostics of the forces system: warnings, its part of the energy budget, its name tables.
 */
#ifndef MO_SYSTEM_FORCES_HEALTH_H
#define MO_SYSTEM_FORCES_HEALTH_H

#include "host/system.h"

/* After the first step: warns about planar bodies that leave their plane. */
mote_status mo_forces_health(mo_system *system, const mo_step_time *now, mote_step_report *report,
                             mote_error *error);

/* At the start: warns about forces without a Jacobian under an implicit integrator. */
void mo_forces_warn_explicit(const mo_system *system);

void mo_forces_budget(const mo_system *system, const mo_world_def *def, mo_energy_budget *budget);
double mo_forces_slack(mo_system *system, double time);
int mo_forces_name_tables(const mo_system *system, mo_name_table *tables);

#endif
