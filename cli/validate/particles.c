/*
 * Interacting particles compared with published data and closed forms: the benchmark liquid of
 * LAMMPS at its first step, the shells of a crystal in the radial distribution function, momentum,
 * heat conduction, and the energy drift compared with LAMMPS.
 */
#include "validate/particles.h"

#include "base/error.h"
#include "bench/case_world.h"

#include <math.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;

mote_status particles_steps(mote_world *world, int steps, mote_error *error)
{
    for (int k = 0; k < steps; ++k) {
        MO_TRY(mote_world_step(world, NULL, error));
    }
    return MOTE_OK;
}

double *particles_column(const mote_world *world, const char *name)
{
    mote_column column;
    return mote_world_column_find(world, 0, name, &column) ? column.data : NULL;
}

double particles_edge(void)
{
    return cbrt(4 / 0.8442);
}

mote_status particles_melt(int cells, bool shift, int threads, mote_world **world,
                           mote_error *error)
{
    static const char SCENE[] =
        "{\"gravity\": [0, 0, 0], \"boltzmann\": 1, \"time\": {\"end\": 5, \"step\": 0.005},"
        " \"integrator\": \"velocity_verlet\","
        " \"domain\": {\"min\": [0, 0, 0], \"max\": [%.17g, %.17g, %.17g]},"
        " \"bodies\": [{\"mesh\": {\"type\": \"lattice\", \"nx\": %d, \"ny\": %d, \"nz\": %d,"
        "                          \"number_density\": 0.8442}, \"temperature\": 1.44, \"seed\": 87287}],"
        " \"forces\": [{\"type\": \"lennard_jones\", \"e\": 1, \"sigma\": 1, \"shift\": %s}],"
        " \"observables\": [{\"type\": \"radial_distribution\", \"range\": %.17g, \"bins\": 127}]}";
    char text[sizeof SCENE + 300];
    double edge = cells * particles_edge();
    snprintf(text, sizeof text, SCENE, edge, edge, edge, cells, cells, cells,
             shift ? "true" : "false", 2 * particles_edge());
    return case_world_create(text, NULL, threads, world, error);
}

/* ---- LAMMPS's benchmark, step 0 ---- */

static mote_status run_step0(void *context, mote_error *error)
{
    mote_world *world;
    mote_measures m;
    MO_TRY(particles_melt(20, false, 0, &world, error));
    double atoms = (double)mote_world_rows(world, 0);
    mote_status status = mote_world_measure(world, &m, error);
    mote_world_destroy(world);
    MO_TRY(status);
    /* printed by lmp with in.lj at step 0, eight digits */
    validate_relative(context, "particles/step0", "pair energy per atom", m.potential / atoms,
                      -6.7733681, 1e-7);
    validate_relative(context, "particles/step0", "total energy per atom",
                      (m.kinetic + m.potential) / atoms, -4.6134356, 1e-7);
    validate_relative(context, "particles/step0", "pressure", m.pressure, -5.0197073, 1e-7);
    validate_relative(context, "particles/step0", "temperature", m.temperature, 1.44, 1e-12);
    return MOTE_OK;
}

/* ---- shells of the crystal ---- */

/* Of the fcc lattice at distances sqrt(k/2) edges (J. H. Conway, N. J. A. Sloane, Sphere Packings,
 * table 4.5). */
static const int SHELLS[] = {12, 6, 24, 12, 24, 8, 48};

static void count_shells(validation *v, const mote_world *world, const double *g)
{
    double range = 2 * particles_edge(), width = range / 127,
           rows = (double)mote_world_rows(world, 0);
    double density = 0.8442 * (rows - 1) / rows;
    for (int k = 0; k < 7; ++k) {
        char name[64];
        double r = particles_edge() * sqrt(0.5 * (k + 1)), low = floor(r / width) * width,
               high = low + width;
        double found =
            g[(int)(r / width)] * density * 4 / 3 * PI * (high * high * high - low * low * low);
        snprintf(name, sizeof name, "neighbours in shell %d", k + 1);
        /* integers, divided and multiplied by the same factors */
        validate_absolute(v, "particles/crystal", name, found, SHELLS[k],
                          100 * PARTICLES_UNIT * SHELLS[k]);
    }
}

static mote_status run_crystal(void *context, mote_error *error)
{
    mote_world *world;
    double g[127];
    MO_TRY(particles_melt(5, false, 1, &world, error));
    mote_status status = mote_world_observe(world, 0, g, error);
    if (status == MOTE_OK) {
        count_shells(context, world, g);
    }
    mote_world_destroy(world);
    return status;
}

/* ---- momentum ---- */

enum { MOMENTUM_STEPS = 400 };

/* Bound by rounding in one direction: half a unit of every pair force (some 80 per particle, at
 * most the largest force on a particle), and of every velocity, in each step. */
static double momentum_bound(const mote_world *world)
{
    const double *a = particles_column(world, "a"), *v = particles_column(world, "v");
    double sum = 0;
    for (int64_t k = 0; k < 3 * mote_world_rows(world, 0); ++k) {
        sum += 0.005 * 80 * fabs(a[k]) + 2 * fabs(v[k]);
    }
    return 0.5 * PARTICLES_UNIT * MOMENTUM_STEPS * sum;
}

static mote_status run_momentum(void *context, mote_error *error)
{
    mote_world *world;
    mote_measures first, last = {0};
    MO_TRY(particles_melt(8, true, 0, &world, error));
    mote_status status = mote_world_measure(world, &first, error);
    if (status == MOTE_OK) {
        status = particles_steps(world, MOMENTUM_STEPS, error);
    }
    if (status == MOTE_OK) {
        status = mote_world_measure(world, &last, error);
    }
    for (int k = 0; k < 3 && status == MOTE_OK; ++k) {
        char name[64];
        snprintf(name, sizeof name, "momentum along %c after %d steps", 'x' + k, MOMENTUM_STEPS);
        validate_absolute(context, "particles/momentum", name, last.momentum[k], first.momentum[k],
                          momentum_bound(world));
    }
    mote_world_destroy(world);
    return status;
}

static const suite_case CASES[] = {
    {"particles/step0",
     "Energies and pressure of LAMMPS's benchmark liquid, 32,000 atoms, first step.", run_step0},
    {"particles/crystal", "The shells of an fcc crystal in its radial distribution.", run_crystal},
    {"particles/momentum", "Momentum of a melt.", run_momentum},
    {"particles/heat_chain", "Conduction along a chain against the sum of its modes.",
     particles_heat_chain},
    {"particles/heat_wave", "A wave of temperature in an fcc crystal: diffusivity of the lattice.",
     particles_heat_wave},
    {"particles/melting_front", "A rod melts from one end: Stefan's problem with latent heat.",
     particles_melting_front},
    {"particles/thermostat", "Relaxation and diffusion of free particles with thermostats.",
     particles_thermostat},
    {"particles/surfaces",
     "Triangulations of a moving sphere, torus and sheet of oriented particles, 10,000 steps.",
     particles_surfaces},
    {"particles/drift",
     "Energy drift of 32,000 atoms in 1,000 steps, compared with LAMMPS (a minute).",
     particles_drift},
    {0}};

const suite_group validate_particles = {"particles", "Interacting particles and heat.", CASES};
