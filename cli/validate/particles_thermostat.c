/*
 * Thermostats of free particles, with closed forms: T relaxes as (1 - h/tau)^n with `berendsen` and
 * as exp(-2 t/tau) with `langevin`, whose particles diffuse by 6 D (t - tau (1 - exp(-t/tau))), D =
 * k_B T tau/m (Uhlenbeck and Ornstein 1930, Phys. Rev. 36, 823). Errors allowed are five standard
 * deviations of n random particles.
 */
#include "validate/particles.h"

#include "base/error.h"
#include "bench/case_world.h"

#include <math.h>

enum { SIDE = 25, GAS = SIDE * SIDE * SIDE, GAS_STEPS = 400 };
static const double GAS_H = 0.01;

static mote_status make_gas(const char *thermostat, double temperature, mote_world **world,
                            mote_error *error)
{
    static const char SCENE[] =
        "{\"gravity\": [0, 0, 0], \"boltzmann\": 1, \"time\": {\"end\": 9, \"step\": 0.01},"
        " \"bodies\": [{\"mass\": %d, \"temperature\": %g, \"mesh\": {\"type\": \"lattice\", \"kind\": \"sc\","
        "   \"nx\": %d, \"ny\": %d, \"nz\": %d, \"spacing\": 1}}], \"thermostats\": [{\"type\": \"%s\","
        "   \"temperature\": 2, \"time\": 1}]}";
    char text[sizeof SCENE + 200];
    snprintf(text, sizeof text, SCENE, GAS, temperature, SIDE, SIDE, SIDE, thermostat);
    return case_world_create(text, NULL, 0, world, error);
}

static mote_status relax(validation *v, const char *name, double expected, double allowed,
                         mote_error *error)
{
    mote_world *world;
    mote_measures m = {0};
    char quantity[80];
    MO_TRY(make_gas(name, 5, &world, error));
    mote_status status = particles_steps(world, GAS_STEPS / 4, error);
    if (status == MOTE_OK) {
        status = mote_world_measure(world, &m, error);
    }
    mote_world_destroy(world);
    snprintf(quantity, sizeof quantity, "temperature after one time constant, %s", name);
    validate_relative(v, "particles/thermostat", quantity, m.temperature, expected, allowed);
    return status;
}

static mote_status diffuse(validation *v, mote_error *error)
{
    mote_world *world;
    double sum = 0, t = GAS_STEPS * GAS_H, square = 0;
    MO_TRY(make_gas("langevin", 2, &world, error));
    mote_status status = particles_steps(world, GAS_STEPS, error);
    const double *x = particles_column(world, "x"), *w = particles_column(world, "v");
    for (int64_t k = 0; k < 3 * GAS; ++k) {
        int64_t row = k / 3, index[3] = {row % SIDE, row / SIDE % SIDE, row / SIDE / SIDE};
        double d = x[k] - (double)index[k % 3];
        sum += d * d;
        square += w[k] * w[k];
    }
    mote_world_destroy(world);
    double deviation = 5 * sqrt(2.0 / (3.0 * GAS));
    validate_relative(v, "particles/thermostat", "mean square velocity of langevin",
                      square / (3.0 * GAS), 2, deviation);
    validate_relative(v, "particles/thermostat", "mean square displacement of langevin", sum / GAS,
                      6 * 2 * (t - (1 - exp(-t))), deviation);
    return status;
}

mote_status particles_thermostat(void *context, mote_error *error)
{
    double kept = pow(1 - GAS_H, GAS_STEPS / 4);
    MO_TRY(relax(context, "berendsen", 2 + 3 * kept, 1e-12, error));
    MO_TRY(relax(context, "langevin", 2 + 3 * exp(-2), 5 * sqrt(2.0 / (3.0 * GAS)), error));
    return diffuse(context, error);
}
