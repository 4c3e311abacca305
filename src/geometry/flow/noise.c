/*
 * Random divergence-free velocities: a sum of plane waves of random directions and phases, each
 * perpendicular to its wave vector (R. H. Kraichnan 1970, Phys. Fluids 13, 22, eq. 14):
 *   v = u sqrt(2/N) sum_n a_n cos(k_n . x + phi_n),  |k_n| = 2 pi/length, a_n . k_n = 0, |a_n| = 1.
 * The root mean square of |v| is u.
 */
#include "base/memory.h"
#include "geometry/flow/flow.h"
#include "geometry/flow/waves.h"

#include <math.h>

enum { WAVES = 64 };

typedef struct noise {
    double speed, length;
    int64_t seed;
    bool planar;
    mo_wave *waves; /* created by prepare */
} noise;

static const mo_param PARAMS[] = {
    {"speed", MO_REAL, MO_FIELD(noise, speed), .unit = "m/s", .required = true, .range = "[0, inf)",
     .doc = "Root mean square speed."},
    {"length", MO_REAL, MO_FIELD(noise, length), .unit = "m", .required = true, .range = "(0, inf)",
     .doc = "Wavelength: about twice the eddy size."},
    {"seed", MO_INT, MO_FIELD(noise, seed), .initial = "0", .range = "[0, 1e15]",
     .doc = "Seed of the random numbers."},
    {"planar", MO_BOOL, MO_FIELD(noise, planar), .initial = "false",
     .doc = "In the x-y plane only, for fluids in two dimensions."},
    {0}};

static mote_status noise_prepare(void *params, mo_arena *arena, mote_error *error)
{
    noise *n = params;
    n->waves = mo_arena_allocate(arena, WAVES * sizeof *n->waves);
    if (!n->waves) {
        return mo_fail_memory(error, WAVES * sizeof *n->waves);
    }
    for (uint32_t k = 0; k < WAVES; ++k) {
        n->waves[k] = mo_wave_random((uint64_t)n->seed, k, n->length, n->planar);
    }
    return MOTE_OK;
}

static mo_vec3 noise_velocity(const void *params, mo_vec3 x)
{
    const noise *n = params;
    mo_vec3 sum = {0, 0, 0};
    for (int k = 0; k < WAVES; ++k) {
        const mo_wave *w = &n->waves[k];
        sum = mo_add_scaled(sum, cos(mo_dot(w->k, x) + w->phase), w->a);
    }
    return mo_scale(n->speed * sqrt(2.0 / WAVES), sum);
}

const mo_flow_type mo_flow_noise = {
    .base = {.name = "noise",
             .summary = "Random divergence-free velocity field.",
             .citation = "R. H. Kraichnan 1970, Phys. Fluids 13, 22",
             .param_size = sizeof(noise),
             .params = PARAMS,
             .prepare = noise_prepare},
    .velocity = noise_velocity,
};
