/*
 * Lock exchange with each preset: a closed box, full of 1000 kg/m^3 on the left and 900 kg/m^3 on
 * the right. The heavy fluid runs along the floor and the light one along the roof, each half as
 * deep as the box, with 0.5 sqrt(g' H), g' = g (1 - 900/1000) (T. B. Benjamin 1968, J. Fluid Mech.
 * 31, 209: a front without dissipation). A front is the position beyond which a phase has the area
 * of four particles; its speed is the mean over the time in which that of theory goes from 1 to 3
 * H.
 */
#include "validate/fluids_presets.h"

#include "base/error.h"
#include "bench/case_world.h"

#include <math.h>

/* By phase. */
static const fluids_limit FRONTS[] = {
    {"speed of the heavy front [0.5 sqrt(g' H)]", FLUIDS_RELATIVE, 0.15, 0.4},
    {"speed of the light front [0.5 sqrt(g' H)]", FLUIDS_RELATIVE, 0.15, 0.2},
};

static const double LENGTH = 2, HEIGHT = 0.2, REDUCED_GRAVITY = 0.981;

static const char LOCK[] =
    "{\"up\": \"y\", \"time\": {\"end\": 99, \"step\": {\"type\": \"cfl\", \"max\": 0.004}},"
    " \"fluid\": {\"dimension\": 2, \"spacing\": 0.01, \"quality\": \"%s\", \"viscosity\": 1e-6,"
    "   \"phases\": ["
    "     {\"density\": 1000, \"fill\": [{\"type\": \"box\", \"min\": [0, 0, -1], \"max\": [1, 0.2, 1]}]},"
    "     {\"density\": 900, \"fill\": [{\"type\": \"box\", \"min\": [1, 0, -1], \"max\": [2, 0.2, 1]}]}]},"
    " \"colliders\": [{\"inside\": true, \"shape\":"
    "   {\"type\": \"box\", \"min\": [0, 0, -1], \"max\": [2, 0.2, 1]}}]}";

enum { LONE = 4 };

/* The distance of the front from the centre, in m. */
static double front_of(const mote_world *world, int phase)
{
    const double *x = case_column(world, "x");
    const int32_t *phases = case_column(world, "phase");
    double foremost[LONE + 1] = {0};
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        double along = (phase == 0 ? 1 : -1) * (x[3 * row] - 0.5 * LENGTH);
        int rank = LONE + 1;
        while (phases[row] == phase && rank > 0 && along > foremost[rank - 1]) {
            --rank;
        }
        for (int k = LONE; phases[row] == phase && k > rank; --k) {
            foremost[k] = foremost[k - 1];
        }
        if (phases[row] == phase && rank <= LONE) {
            foremost[rank] = along;
        }
    }
    return foremost[LONE];
}

static mote_status follow_fronts(const fluids_run *run, mote_world *world, mote_error *error)
{
    double theory = 0.5 * sqrt(REDUCED_GRAVITY * HEIGHT), unit = HEIGHT / theory;
    MO_TRY(mote_world_advance(world, unit, NULL, error));
    double begin[2] = {front_of(world, 0), front_of(world, 1)};
    MO_TRY(mote_world_advance(world, 3 * unit, NULL, error));
    for (int k = 0; k < 2; ++k) {
        fluids_judge(run, &FRONTS[k], (front_of(world, k) - begin[k]) / (2 * HEIGHT), 1);
    }
    return MOTE_OK;
}

static mote_status lock_exchange(const fluids_run *run, const void *context, mote_error *error)
{
    mote_world *world;
    (void)context;
    MO_TRY(fluids_create(run, LOCK, &world, error));
    mote_status status = follow_fronts(run, world, error);
    mote_world_destroy(world);
    return status;
}

mote_status fluids_lock(void *context, mote_error *error)
{
    return fluids_each_preset(context, "fluids/lock_exchange", lock_exchange, NULL, error);
}
