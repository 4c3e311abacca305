#include "particle/force/air.h"

#include "math/random.h"

#include <math.h>

#define PI 3.14159265358979323846
#define SMALLEST (1.0 / 16) /* wave length, relative to the largest */

enum { STREAM_GUST = 1, STREAM_SPECTRUM = 2 };

mote_status mo_air_check(const mo_air *air, mote_error *error)
{
    if (air->gust > 0 && air->gust_duration > air->gust_period) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "gust_duration: %g s is longer than gust_period, %g s", air->gust_duration,
                       air->gust_period);
    }
    return MOTE_OK;
}

/* Wave lengths are equidistant on a logarithmic scale, so that |a|^2 ~ k E(k) ~ length^(2/3). */
static mo_air_wave air_wave(const mo_air *air, uint32_t number, double rms)
{
    double at = (number + 0.5) / MO_AIR_WAVES, length = air->length * pow(SMALLEST, at), normal[2];
    mo_random_normal((uint64_t)air->seed, STREAM_SPECTRUM, number, 0, normal);
    mo_air_wave w = {.wave = mo_wave_random((uint64_t)air->seed, number, length, false)};
    w.wave.a = mo_scale(cbrt(length / air->length), w.wave.a);
    w.omega = normal[0] * 2 * PI / length * rms;
    return w;
}

mote_status mo_air_prepare(mo_air *air, mo_arena *arena, mote_error *error)
{
    double rms = air->turbulence * mo_length(air->velocity), sum = 0;
    if (rms == 0) {
        return MOTE_OK;
    }
    air->waves = mo_arena_allocate(arena, MO_AIR_WAVES * sizeof *air->waves);
    if (!air->waves) {
        return mo_fail_memory(error, MO_AIR_WAVES * sizeof *air->waves);
    }
    for (uint32_t k = 0; k < MO_AIR_WAVES; ++k) {
        air->waves[k] = air_wave(air, k, rms);
        sum += mo_dot(air->waves[k].wave.a, air->waves[k].wave.a) / 2;
    }
    for (int k = 0; k < MO_AIR_WAVES; ++k) { /* <|u|^2> = 3 rms^2 */
        air->waves[k].wave.a = mo_scale(rms * sqrt(3 / sum), air->waves[k].wave.a);
    }
    return MOTE_OK;
}

/* The factor of the mean velocity by gusts, at a time in the travelling frame. */
static double gust_factor(const mo_air *air, double time)
{
    double period = floor(time / air->gust_period), u[2];
    if (fabs(period) > 1e15) {
        return 1;
    }
    mo_random_uniform((uint64_t)air->seed, STREAM_GUST, (uint64_t)(int64_t)period, 0, u);
    double begin = period * air->gust_period + u[0] * (air->gust_period - air->gust_duration);
    double s = (time - begin) / air->gust_duration;
    double strength = air->gust * (0.5 + 0.5 * u[1]);
    return s > 0 && s < 1 ? 1 + strength * 0.5 * (1 - cos(2 * PI * s)) : 1;
}

mo_vec3 mo_air_velocity(const mo_air *air, mo_vec3 x, double time)
{
    double scale = mo_curve_at(&air->scale, time), square = mo_dot(air->velocity, air->velocity);
    double gust = air->gust > 0 && square > 0
                      ? gust_factor(air, time - mo_dot(x, air->velocity) / square)
                      : 1;
    mo_vec3 u = mo_scale(gust, air->velocity);
    mo_vec3 convected = mo_add_scaled(x, -time, air->velocity);
    for (int k = 0; k < MO_AIR_WAVES && air->waves; ++k) {
        const mo_air_wave *w = &air->waves[k];
        double phase = mo_dot(w->wave.k, convected) + w->omega * time + w->wave.phase;
        u = mo_add_scaled(u, cos(phase), w->wave.a);
    }
    return mo_scale(scale, u);
}
