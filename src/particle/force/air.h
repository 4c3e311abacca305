/*
 * The velocity of the air in a wind: a mean velocity with gusts and turbulence. Both depend on
 * position, time and seed alone, so that a run can be repeated and resumed.
 *
 * Gusts are "one minus cosine" pulses, the discrete gust of airworthiness rules (FAR 25.341; Hoblit
 * 1988, Gust loads on aircraft, section 2): the speed is multiplied by 1 + g (1 - cos(2 pi s/d))/2
 * for 0 < s < d. One gust per period begins at a random time with a random strength g, and its
 * front travels with the mean wind.
 *
 * Turbulence is a sum of divergence-free plane waves (Kraichnan 1970, Phys. Fluids 13, 22) with the
 * amplitudes of Kolmogorov's spectrum, E(k) ~ k^(-5/3), at wave lengths from `length` down to a
 * sixteenth of it. The waves are convected by the mean wind (Taylor 1938, Proc. R. Soc. A 164, 476)
 * and decorrelate at the rate k times the root mean square of the fluctuation.
 */
#ifndef MO_PARTICLE_FORCE_AIR_H
#define MO_PARTICLE_FORCE_AIR_H

#include "base/memory.h"
#include "base/param.h"
#include "geometry/flow/waves.h"

enum { MO_AIR_WAVES = 24 };

typedef struct mo_air_wave {
    mo_wave wave; /* a| by the spectrum [m/s] */
    double omega; /* in the frame of the mean wind [rad/s] */
} mo_air_wave;

typedef struct mo_air {
    mo_vec3 velocity;
    mo_curve scale;
    double gust, gust_period, gust_duration;
    double turbulence, length;
    int64_t seed;
    mo_air_wave *waves; /* created by mo_air_prepare; NULL: no turbulence */
} mo_air;

/* The parameters of a mo_air that is the first member of a struct. */
#define MO_AIR_PARAMS(type) \
    {"velocity",    MO_VEC3,          MO_FIELD(type, air.velocity), \
     .unit = "m/s", .required = true, .doc = "Mean velocity of the air."}, \
        {"scale", MO_CURVE, MO_FIELD(type, air.scale), .initial = "1", \
         .doc = "Factor of the mean velocity, over time."}, \
        {"gust", \
         MO_REAL, \
         MO_FIELD(type, air.gust), \
         .initial = "0", \
         .range = "[0, 100]", \
         .doc = "Largest increase of the speed in a gust, relative to the mean velocity; each " \
                "gust has a random strength between half of it and all of it."}, \
        {"gust_period", \
         MO_REAL, \
         MO_FIELD(type, air.gust_period), \
         .unit = "s", \
         .initial = "2", \
         .range = "(0, inf)", \
         .doc = "Mean time between gusts; one begins at a random time in every period.", \
         .needs = "gust"}, \
        {"gust_duration", \
         MO_REAL, \
         MO_FIELD(type, air.gust_duration), \
         .unit = "s", \
         .initial = "0.8", \
         .range = "(0, inf)", \
         .doc = "Duration of a gust, at most the period.", \
         .needs = "gust"}, \
        {"turbulence", \
         MO_REAL, \
         MO_FIELD(type, air.turbulence), \
         .initial = "0", \
         .range = "[0, 10]", \
         .doc = "Turbulence intensity: root mean square of each component of the fluctuating " \
                "velocity, relative to the mean speed."}, \
        {"length", \
         MO_REAL, \
         MO_FIELD(type, air.length), \
         .unit = "m", \
         .initial = "1", \
         .range = "(0, inf)", \
         .doc = "Wave length of the largest eddies.", \
         .needs = "turbulence"}, \
    { \
        "seed", MO_INT, MO_FIELD(type, air.seed), \
            .initial = "0", .range = "[0, 1e15]", \
            .doc = "Another number gives other gusts and eddies." \
    }

mote_status mo_air_check(const mo_air *air, mote_error *error);
mote_status mo_air_prepare(mo_air *air, mo_arena *arena, mote_error *error);

/* The velocity at a position and time. */
mo_vec3 mo_air_velocity(const mo_air *air, mo_vec3 x, double time);

#endif
