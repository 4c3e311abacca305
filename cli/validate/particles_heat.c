/*
 * Heat conduction between fixed particles, with a closed form of the scheme: with conductances k_j
 * = k w(r_j) to the neighbours at x_j along the rod, an explicit step of size h maps cos(q x) to
 *   (1 - h/C sum_j k_j (1 - cos(q x_j))) cos(q x),
 * for small q (1 - h D q^2) cos(q x), with the lattice diffusivity D = 1/(2 C) sum_j k_j x_j^2.
 */
#include "validate/particles.h"

#include "base/error.h"
#include "bench/case_world.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

/* ---- a chain with insulated ends and a hot half ---- */

enum { LINKS = 64, CHAIN_STEPS = 4000 };

/* Particles 1 m apart, 1 kg, 1 J/(kg K); range 1.5 m, so that neighbours exchange 0.3 (1 - 1/1.5) =
 * 0.1 W/K. */
static const char CHAIN[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 1},"
    " \"bodies\": [{\"mesh\": {\"type\": \"lattice\", \"kind\": \"sc\", \"nx\": 64, \"ny\": 1, \"nz\": 1,"
    "                          \"spacing\": 1}}],"
    " \"forces\": [{\"type\": \"heat\", \"conductivity\": 0.3, \"range\": 1.5, \"specific_heat\": 1,"
    "   \"initial\": 100, \"sources\": [{\"type\": \"start\", \"temperature\": 300,"
    "     \"region\": {\"type\": \"box\", \"min\": [-1, -1, -1], \"max\": [31.5, 1, 1]}}]}]}";

/* The modes of the chain are cos(m pi (i + 1/2)/n). */
static double mode_at(int m, int i)
{
    return cos(PI * m * (i + 0.5) / LINKS);
}

static double chain_at(int i)
{
    double sum = 200; /* the mean */
    for (int m = 1; m < LINKS; ++m) {
        double coefficient = 0, rate = 0.1 * 2 * (1 - cos(PI * m / LINKS));
        for (int j = 0; j < LINKS; ++j) {
            coefficient += 2.0 / LINKS * (j < LINKS / 2 ? 100 : -100) * mode_at(m, j);
        }
        sum += coefficient * pow(1 - rate, CHAIN_STEPS) * mode_at(m, i);
    }
    return sum;
}

/* Fourier series of the rod: temperature at the end x = 0, [0, L/2] hot. */
static double rod_end(double t)
{
    double sum = 200;
    for (int m = 1; m < 2000; m += 2) {
        double q = PI * m / LINKS;
        sum += 200 * sin(0.5 * PI * m) / (0.5 * PI * m) * exp(-0.1 * q * q * t) * cos(0.5 * q);
    }
    return sum;
}

static void judge_chain(validation *v, const double *t)
{
    double worst = 0, heat = 0;
    for (int i = 0; i < LINKS; ++i) {
        double off = fabs(t[i] - chain_at(i));
        worst = off > worst || isnan(off) ? off : worst;
        heat += t[i];
    }
    /* each step rounds a temperature of at most 300 a few times, and errors are not amplified */
    double rounding = 4.0 * CHAIN_STEPS * PARTICLES_UNIT * 300;
    validate_absolute(v, "particles/heat_chain", "worst temperature against the modes [K]", worst,
                      0, rounding);
    validate_relative(v, "particles/heat_chain", "heat of the chain [J]", heat, 200.0 * LINKS,
                      4.0 * CHAIN_STEPS * PARTICLES_UNIT);
    /* the first mode decays by rate t = 0.96; the lattice changes its rate by q^2/12, the step
     * by rate h/2 */
    double q = PI / LINKS, rate = 0.1 * q * q,
           allowed = CHAIN_STEPS * rate * (q * q / 12 + 0.5 * rate);
    validate_relative(v, "particles/heat_chain", "first particle against Fourier's series [K]",
                      t[0] - 200, rod_end(CHAIN_STEPS) - 200, 1.5 * allowed);
}

mote_status particles_heat_chain(void *context, mote_error *error)
{
    mote_world *world;
    MO_TRY(case_world_create(CHAIN, NULL, 1, &world, error));
    mote_status status = particles_steps(world, CHAIN_STEPS, error);
    if (status == MOTE_OK) {
        judge_chain(context, particles_column(world, "temperature"));
    }
    mote_world_destroy(world);
    return status;
}

/* ---- a wave in a crystal ---- */

enum { WAVE_CELLS = 24, WAVE_STEPS = 500 };

/* fcc cells of 1 m: 12 neighbours at 0.707 m, 6 at 1 m, none else within 1.2 m. */
static const char CRYSTAL[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.1},"
    " \"domain\": {\"min\": [0, 0, 0], \"max\": [24, 4, 4]},"
    " \"bodies\": [{\"mesh\": {\"type\": \"lattice\", \"nx\": 24, \"ny\": 4, \"nz\": 4, \"spacing\": 1}}],"
    " \"forces\": [{\"type\": \"heat\", \"conductivity\": 0.5, \"range\": 1.2, \"specific_heat\": 2}]}";

static void make_wave(mote_world *world, double q)
{
    const double *x = particles_column(world, "x");
    double *t = particles_column(world, "temperature");
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        t[row] = 300 + 50 * cos(q * x[3 * row]);
    }
}

static double wave_height(const mote_world *world, double q)
{
    const double *x = particles_column(world, "x"), *t = particles_column(world, "temperature");
    double sum = 0, rows = (double)mote_world_rows(world, 0);
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        sum += 2 / rows * (t[row] - 300) * cos(q * x[3 * row]);
    }
    return sum;
}

static void judge_wave(validation *v, double height, double q)
{
    double near = 0.5 * (1 - sqrt(0.5) / 1.2), far = 0.5 * (1 - 1 / 1.2), h = 0.1, c = 2;
    /* of the 12, 8 are half a cell apart along x; of the 6, 2 are a cell apart */
    double rate = (8 * near * (1 - cos(0.5 * q)) + 2 * far * (1 - cos(q))) / c;
    double diffusivity = (8 * near * 0.25 + 2 * far) / (2 * c);
    /* as above: a few roundings of some 350 K per step */
    validate_absolute(v, "particles/heat_wave", "height of the wave [K]", height,
                      50 * pow(1 - h * rate, WAVE_STEPS), 4.0 * WAVE_STEPS * PARTICLES_UNIT * 350);
    double found = log(50 / height) / (WAVE_STEPS * h * q * q);
    validate_relative(v, "particles/heat_wave", "diffusivity of the lattice [m^2/s]", found,
                      diffusivity, q * q / 12 + h * rate);
}

mote_status particles_heat_wave(void *context, mote_error *error)
{
    mote_world *world;
    double q = 2 * PI / WAVE_CELLS;
    MO_TRY(case_world_create(CRYSTAL, NULL, 1, &world, error));
    make_wave(world, q);
    mote_status status = particles_steps(world, WAVE_STEPS, error);
    if (status == MOTE_OK) {
        judge_wave(context, wave_height(world, q), q);
    }
    mote_world_destroy(world);
    return status;
}

/* ---- a melting front ---- */

enum { FRONT_STEPS = 4000 };

/* The chain above, solid at its melting point, its first particle held 100 K above. */
static const char FRONT[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 1},"
    " \"bodies\": [{\"mesh\": {\"type\": \"lattice\", \"kind\": \"sc\", \"nx\": 64, \"ny\": 1, \"nz\": 1,"
    "                          \"spacing\": 1}}],"
    " \"forces\": [{\"type\": \"heat\", \"conductivity\": 0.3, \"range\": 1.5, \"specific_heat\": 1,"
    "   \"initial\": 300, \"melting_point\": 300, \"latent_heat\": 100,"
    "   \"sources\": [{\"type\": \"hold\", \"temperature\": 400,"
    "     \"region\": {\"type\": \"box\", \"min\": [-1, -1, -1], \"max\": [0.5, 1, 1]}}]}]}";

/* Stefan's solution: s = 2 lambda sqrt(D t) with lambda exp(lambda^2) erf(lambda) = Ste/sqrt(pi),
 * Ste = c dT/L = 1; by bisection. */
static double stefan_front(double diffusivity, double t)
{
    double low = 0, high = 2;
    for (int k = 0; k < 60; ++k) {
        double l = 0.5 * (low + high);
        *(l * exp(l * l) * erf(l) < 1 / sqrt(PI) ? &low : &high) = l;
    }
    return (low + high) * sqrt(diffusivity * t);
}

/* The held particle fills half a cell; each of the others as much as is liquid. */
mote_status particles_melting_front(void *context, mote_error *error)
{
    mote_world *world;
    MO_TRY(case_world_create(FRONT, NULL, 1, &world, error));
    mote_status status = particles_steps(world, FRONT_STEPS, error);
    if (status == MOTE_OK) {
        const double *liquid = particles_column(world, "liquid");
        double front = 0.5;
        for (int i = 1; i < LINKS; ++i) {
            front += liquid[i];
        }
        validate_relative(context, "particles/melting_front", "position of the front [m]", front,
                          stefan_front(0.1, FRONT_STEPS), 0.01);
    }
    mote_world_destroy(world);
    return status;
}
