/* The kernel of a probe's particles. */
#include "analysis/probe.h"

#include <string.h>

bool mo_probe_kernel(const mo_world_def *def, const char *name, mo_kernel *kernel)
{
    const mo_system_type *type;
    int k = 0;
    while ((type = mo_system_type_at(k)) != NULL &&
           !(type->wanted(def) && (!name || strcmp(name, type->base.name) == 0))) {
        ++k;
    }
    bool has = type && type->export && type->export->kernel;
    if (has) {
        *kernel = type->export->kernel(def);
    }
    return has;
}
