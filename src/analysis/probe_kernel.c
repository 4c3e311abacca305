/* The kernel of a probe's particles. */
#include "analysis/probe.h"

#include "system/fluid/fluid.h"

#include <string.h>

bool mo_probe_system_kernel(const mo_system *system, mo_kernel *kernel)
{
    if (system->type != &mo_system_fluid) {
        return false;
    }
    const mo_fluid *fluid = &((const mo_fluid_system *)system->state)->fluid;
    *kernel = mo_kernel_make(fluid->kernel.type, fluid->dimension, fluid->support);
    return true;
}

bool mo_probe_scene_kernel(const mo_world_def *def, const char *name, mo_kernel *kernel)
{
    const mo_fluid_def *fluid = mo_fluid_def_of(def);
    if (!fluid || (name && strcmp(name, mo_system_fluid.base.name) != 0)) {
        return false;
    }
    *kernel = mo_kernel_make((const mo_kernel_type *)fluid->kernel.type, (int)fluid->dimension,
                             fluid->support * fluid->spacing);
    return true;
}
