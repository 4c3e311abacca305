/*
 * The family of thermostats: after each step they change the velocities of particles towards a
 * temperature of their motion. A method multiplies velocities by a factor and adds normally
 * distributed ones. system/forces/thermostats.h applies them.
 */
#ifndef MO_PARTICLE_THERMOSTAT_H
#define MO_PARTICLE_THERMOSTAT_H

#include "integrate/force_scope.h"

/* The parameters of every method begin with these. */
typedef struct mo_thermostat_def {
    mo_force_scope scope;
    mo_curve temperature;
    double time; /* NaN: a number of steps */
    int64_t seed;
} mo_thermostat_def;

enum { MO_THERMOSTAT_STEPS = 100 }; /* the default time constant */

/* A step of length h. */
typedef struct mo_thermostat_step {
    double target;   /* k_B T prescribed [J] */
    double measured; /* k_B T of the motion relative to the mean velocity [J] */
    double ratio;    /* h over the time constant */
} mo_thermostat_step;

typedef struct mo_thermostat_type {
    mo_descriptor base;
    /* The factor of velocities; without noise, of those relative to the mean. */
    double (*factor)(const mo_thermostat_step *step);
    /* Variance of the random velocity of a particle, times its mass [J]. NULL: none. */
    double (*noise)(const mo_thermostat_step *step);
} mo_thermostat_type;

extern const mo_family mo_thermostats;

#define MO_THERMOSTAT_TEMPERATURE(type) \
    { \
        "temperature", MO_CURVE, MO_FIELD(type, temperature), \
            .unit = "K", .required = true, .range = "[0, inf)", \
            .doc = "Temperature of the motion, over time." \
    }

#define MO_THERMOSTAT_BODIES(type) \
    { \
        "bodies", MO_REFERENCE, \
            .list = true, MO_FIELD(type, scope.bodies), .initial = "[]", .target = "bodies", \
            .doc = "Names of the bodies on which it acts; default: all that are " \
                   "driven by forces." \
    }

#define MO_THERMOSTAT_TIME(type) \
    { \
        "time", MO_REAL, MO_FIELD(type, time), \
            .unit = "s", .range = "(0, inf)", \
            .doc = "Time constant of the relaxation; default: 100 steps." \
    }

#endif
