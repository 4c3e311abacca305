#include "host/host.h"

#include "math/gravity.h"

mo_vec3 mo_host_gravity(const mo_host *host, double time)
{
    return mo_gravity_at(host->gravity, &host->gravity_scale, time);
}
