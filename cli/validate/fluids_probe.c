/*
 * The probe on Taylor-Green vortices, v = U (sin kx cos ky, -cos kx sin ky), whose vorticity is 2 k
 * U sin kx sin ky: with each preset, 50 x 50 particles, at the start on the lattice and after 0.25
 * s, at 37 x 37 positions that are no particles. The smoothing of a kernel lowers a wave by (kR)^2
 * times its second moment, 1 to 1.5 % here. After 0.25 s the reference is the projection of the
 * velocities of the particles on the flow, so that the error is that of the probe alone.
 */
#include "base/error.h"
#include "mote/probe.h"
#include "validate/fluids_flows.h"
#include "validate/fluids_presets.h"

#include <math.h>

enum { SIDE = 37, COUNT = SIDE * SIDE };

static const double PI = 3.14159265358979323846;

static const fluids_limit WORST = {"vorticity at 0 s: largest error [of the largest]",
                                   FLUIDS_EXCESS, 0.02, 0};
static const fluids_limit LATER[] = {
    {"vorticity at 0.25 s: amplitude [1/s]", FLUIDS_RELATIVE, 0.02, 0},
    /* of splash shown only: its flow is not the exact one any more */
    {"vorticity at 0.25 s: rms error [of the largest]", FLUIDS_EXCESS, 0.02, INFINITY}};

static double pattern(double x, double y)
{
    return sin(2 * PI * x) * sin(2 * PI * y);
}

/* The amplitude of the flow in the velocities of the particles. */
static double amplitude_of(const mote_world *world)
{
    const double *x = flows_column(world, "x"), *v = flows_column(world, "v");
    double sum = 0, squares = 0;
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        double a = 2 * PI * x[3 * row], b = 2 * PI * x[3 * row + 1];
        sum += sin(a) * cos(b) * v[3 * row] - cos(a) * sin(b) * v[3 * row + 1];
        squares += sin(a) * sin(a) * cos(b) * cos(b) + cos(a) * cos(a) * sin(b) * sin(b);
    }
    return sum / squares;
}

typedef struct comparison {
    double amplitude, rms, worst; /* errors relative to the largest vorticity */
} comparison;

static mote_status compare(mote_world *world, double largest, comparison *c, mote_error *error)
{
    static double positions[3 * COUNT], curl[3 * COUNT];
    mote_probe *probe;
    for (int k = 0; k < COUNT; ++k) {
        positions[3 * k] = (k % SIDE + 0.3) / SIDE;
        positions[3 * k + 1] = (k / SIDE + 0.6) / SIDE;
        positions[3 * k + 2] = 0;
    }
    MO_TRY(mote_probe_world(world, 0, NULL, &probe, error));
    mote_status status = mote_probe_evaluate(probe, "v", "curl", COUNT, positions, curl, error);
    double sum = 0, squares = 0, error_squares = 0;
    *c = (comparison){0};
    for (int k = 0; k < COUNT; ++k) {
        double p = pattern(positions[3 * k], positions[3 * k + 1]);
        double off = fabs(curl[3 * k + 2] / largest - p);
        sum += p * curl[3 * k + 2];
        squares += p * p;
        error_squares += off * off / COUNT;
        c->worst = fmax(c->worst, off);
    }
    c->amplitude = sum / squares;
    c->rms = sqrt(error_squares);
    mote_probe_destroy(probe);
    return status;
}

static mote_status probe_preset(const fluids_run *run, const void *context, mote_error *error)
{
    mote_world *world;
    comparison c;
    const case_change changes[] = {{"fluid.quality", run->preset}, {0}};
    (void)context;
    MO_TRY(flows_create("taylor_green", changes, &world, error));
    mote_status status = compare(world, 4 * PI, &c, error);
    if (status == MOTE_OK) {
        fluids_judge(run, &WORST, c.worst, 0);
        status = mote_world_advance(world, 0.25, NULL, error);
    }
    if (status == MOTE_OK) {
        double largest = 4 * PI * amplitude_of(world);
        status = compare(world, largest, &c, error);
        fluids_judge(run, &LATER[0], c.amplitude, largest);
        fluids_judge(run, &LATER[1], c.rms, 0);
    }
    mote_world_destroy(world);
    return status;
}

mote_status fluids_probe(void *context, mote_error *error)
{
    return fluids_each_preset(context, "fluids/probe", probe_preset, NULL, error);
}
