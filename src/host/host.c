#include "host/host.h"

mo_vec3 mo_host_gravity(const mo_host *host, double time)
{
    const mo_curve *scale = &host->gravity_scale;
    return mo_scale(scale->count > 0 ? mo_curve_at(scale, time) : 1, host->gravity);
}
