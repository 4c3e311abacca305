#include "geometry/flow/waves.h"

#include "math/random.h"

#include <math.h>

#define PI 3.14159265358979323846

mo_wave mo_wave_random(uint64_t seed, uint32_t number, double length, bool planar)
{
    double u[2], w[2];
    mo_random_uniform(seed, 0, number, 0, u);
    mo_random_uniform(seed, 0, number, 1, w);
    double z = planar ? 0 : 2 * u[0] - 1, across = sqrt(1 - z * z), turn = 2 * PI * u[1];
    mo_vec3 k = {across * cos(turn), across * sin(turn), z};
    mo_vec3 p = planar ? mo_vec3_make(-k.y, k.x, 0) : mo_perpendicular(k);
    double angle = planar ? 0 : 2 * PI * w[0];
    return (mo_wave){mo_scale(2 * PI / length, k),
                     mo_add_scaled(mo_scale(cos(angle), p), sin(angle), mo_cross(k, p)),
                     2 * PI * w[1]};
}
