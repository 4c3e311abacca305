/* Applies the thermostats of a scene to the velocities of the forces system, after each step. */
#ifndef MO_SYSTEM_FORCES_THERMOSTATS_H
#define MO_SYSTEM_FORCES_THERMOSTATS_H

#include "host/system.h"

typedef struct mo_thermostat_list {
    int64_t count;
    const mo_method *methods;
    /* included[k * bodies + b]: whether thermostat k acts on body b; bodies added later are in none
     * that is limited */
    int64_t bodies;
    uint8_t *included;
} mo_thermostat_list;

mote_status mo_thermostats_check(const mo_world_def *def, const mo_list *methods, bool first_order,
                                 const mo_system_type *type, mote_error *error);
mote_status mo_thermostats_create(const mo_world_def *def, const mo_list *methods,
                                  const mo_system *system, mo_thermostat_list *list,
                                  mote_error *error);
void mo_thermostats_release(mo_thermostat_list *list, mo_memory *memory);

mote_status mo_thermostats_apply(const mo_thermostat_list *list, mo_system *system,
                                 double boltzmann, const mo_step_time *now, mote_error *error);

#endif
