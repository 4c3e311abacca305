/*
 * Shared by wcsph and its presets.
 */
#ifndef MO_FLUID_PRESSURE_WCSPH_H
#define MO_FLUID_PRESSURE_WCSPH_H

#include "fluid/pressure/pressure.h"
#include "fluid/state_equation/state_equation.h"

typedef struct mo_wcsph_def {
    mo_method state;
    const char *density, *force;
    bool clamp;
    mo_method kernel; /* of the pressure force; absent: that of the fluid */
} mo_wcsph_def;

mote_status mo_wcsph_step(mo_instance *self, const mo_wcsph_def *def, mo_fluid *fluid,
                          const mo_fluid_step *now, mote_error *error);
void mo_wcsph_publish(const mo_instance *self, const mo_wcsph_def *def, mo_fluid *fluid);
mo_fluid_sound mo_wcsph_sound(const mo_wcsph_def *def, const mo_fluid *fluid);
double mo_wcsph_limit(const mo_wcsph_def *def, const mo_fluid *fluid);

#endif
