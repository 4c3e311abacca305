/*
 * Thermal properties of particles, used by the force `heat`: specific heat, melting with latent
 * heat, strength of the potential. The family has those of single species.
 *
 * Melting is by enthalpy (Voller and Cross 1981): heat added at the melting point T_m changes the
 * liquid fraction f instead of the temperature. With H = m (c (T - T_m) + L f),
 *     T = T_m + H/(m c), f = 0 for H <= 0;   T = T_m, f = H/(m L) for 0 < H < m L;
 *     T = T_m + (H - m L)/(m c), f = 1 beyond.
 */
#ifndef MO_PARTICLE_THERMAL_H
#define MO_PARTICLE_THERMAL_H

#include "base/param.h"

#include <math.h>

typedef struct mo_thermal {
    double specific_heat; /* NaN of a species: that of the force */
    mo_curve strength;    /* count 0 of a species: that of the force */
    double melting_point; /* NaN: none */
    double latent_heat, liquid_strength;
} mo_thermal;

/* The parameters of every member begin with these. */
typedef struct mo_thermal_def {
    mo_reference of;
    mo_thermal values;
} mo_thermal_def;

typedef struct mo_thermal_type {
    mo_descriptor base;
} mo_thermal_type;

extern const mo_family mo_thermals;

/* Strengths must be at least 0 and must not increase. */
mote_status mo_thermal_check(const mo_thermal *thermal, mote_error *error);

/* Adds heat [J] to a particle. NaN is kept, so that it is detected. */
static inline void mo_thermal_add(const mo_thermal *p, double mass, double heat,
                                  double *temperature, double *liquid)
{
    double capacity = mass * p->specific_heat, latent = mass * p->latent_heat;
    if (isnan(p->melting_point)) {
        *temperature += heat / capacity;
    } else {
        double h = capacity * (*temperature - p->melting_point) + latent * *liquid + heat;
        double fraction = h <= 0 ? 0 : h >= latent ? 1 : h / latent;
        *temperature = p->melting_point + (h - latent * fraction) / capacity;
        *temperature = fraction > 0 && fraction < 1 ? p->melting_point : *temperature;
        *liquid = fraction;
    }
    *temperature = *temperature < 0 ? 0 : *temperature;
}

/* Prescribes the temperature; at the melting point the liquid fraction stays. */
static inline void mo_thermal_set(const mo_thermal *p, double value, double *temperature,
                                  double *liquid)
{
    *temperature = value;
    *liquid = value > p->melting_point ? 1 : value < p->melting_point ? 0 : *liquid;
}

/* Scale factor of the potential. */
static inline double mo_thermal_strength(const mo_thermal *p, double temperature, double liquid)
{
    double s = mo_curve_at(&p->strength, temperature);
    return isnan(p->melting_point) ? s : s * (1 - liquid * (1 - p->liquid_strength));
}

/* Rows of melting in a table of parameters; `struct_` has the mo_thermal `member`. */
#define MO_THERMAL_PARAMS(struct_, member) \
    {"melting_point", \
     MO_REAL, \
     MO_FIELD(struct_, member.melting_point), \
     .unit = "K", \
     .range = "[0, inf)", \
     .doc = "Melting temperature; particles above it are liquid. Default: none."}, \
        {"latent_heat", \
         MO_REAL, \
         MO_FIELD(struct_, member.latent_heat), \
         .unit = "J/kg", \
         .initial = "0", \
         .range = "[0, inf)", \
         .needs = "melting_point", \
         .doc = "Heat of fusion: absorbed at the melting point, released on freezing."}, \
    { \
        "liquid_strength", MO_REAL, MO_FIELD(struct_, member.liquid_strength), \
            .initial = "0.1", .range = "[0, 1]", .needs = "melting_point", \
            .doc = \
                "Factor of the strength of liquid particles; in between by the liquid fraction." \
    }

#endif
