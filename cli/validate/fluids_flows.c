/*
 * Channel flows compared with the Navier-Stokes equation. Walls are at the colliders' surfaces;
 * every particle counts, including those nearest to the walls, and the largest error must be within
 * the limit. The scenes are run with each preset at their own spacing, a twentieth of the channel,
 * and with `accurate` at half and twice of it in the long variant.
 */
#include "validate/fluids_flows.h"

#include "base/error.h"
#include "validate/fluids_presets.h"

#include <math.h>
#include <string.h>

static const fluids_limit POISEUILLE = {"worst u [largest u]", FLUIDS_EXCESS, 0.02, 0};
static const fluids_limit COUETTE[] = {
    {"worst u at 0.2 s [speed of the wall]", FLUIDS_EXCESS, 0.02, 0},
    {"worst u at 0.6 s [speed of the wall]", FLUIDS_EXCESS, 0.02, 0},
    {"worst u at 6 s [speed of the wall]", FLUIDS_EXCESS, 0.02, 0}};

static const double PI = 3.14159265358979323846;

/* ---- shared ---- */

mote_status flows_create(const char *name, const case_change *changes, mote_world **world,
                         mote_error *error)
{
    char path[1024];
    mote_scene *scene;
    mote_config config = mote_config_default();
    snprintf(path, sizeof path, "%s/%s.json", MOTE_SCENES, name);
    MO_TRY(mote_scene_load(path, &scene, error));
    mote_status status = MOTE_OK;
    for (; status == MOTE_OK && changes && changes->path; ++changes) {
        status = mote_scene_set(scene, changes->path, changes->value, error);
    }
    status = status == MOTE_OK ? mote_world_create(scene, &config, world, error) : status;
    mote_scene_destroy(scene);
    return status;
}

double *flows_column(const mote_world *world, const char *name)
{
    mote_column column;
    return mote_world_column_find(world, 0, name, &column) ? column.data : NULL;
}

flows_error flows_compare(const mote_world *world, flows_profile *profile, double scale)
{
    const double *x = flows_column(world, "x"), *v = flows_column(world, "v");
    int64_t rows = mote_world_rows(world, 0);
    flows_error e = {0, 0};
    for (int64_t row = 0; row < rows; ++row) {
        double off = fabs(v[3 * row] - profile(x + 3 * row, mote_world_time(world))) / scale;
        e.worst = off > e.worst || isnan(off) ? off : e.worst;
        e.rms += off * off / (double)rows;
    }
    e.rms = sqrt(e.rms);
    return e;
}

void flows_judge(validation *v, const char *name, const char *what, double spacing,
                 flows_error error, double allowed)
{
    char quantity[100];
    snprintf(quantity, sizeof quantity, "worst%s, spacing %g m", what, spacing);
    validate_absolute(v, name, quantity, error.worst, 0, allowed);
    snprintf(quantity, sizeof quantity, "rms%s, spacing %g m", what, spacing);
    validate_absolute(v, name, quantity, error.rms, 0, allowed);
}

/* ---- channels ---- */

/* Of both scenes. */
static const double HALF = 0.2, VISCOSITY = 0.02, FORCE = 0.1, LID = 0.1;

/* The channel at another spacing, filled up to its walls. */
static mote_status create_channel(const char *name, double spacing, mote_world **world,
                                  mote_error *error)
{
    char size[40];
    snprintf(size, sizeof size, "%g", spacing);
    const case_change changes[] = {{"fluid.spacing", size}, {0}};
    return flows_create(name, changes, world, error);
}

static double poiseuille(const double x[3], double time)
{
    (void)time; /* the remaining transient after 6 s is exp(-pi^2/4 nu t/HALF^2) = 6e-4 */
    return FORCE / (2 * VISCOSITY) * (HALF * HALF - x[1] * x[1]);
}

static mote_status poiseuille_preset(const fluids_run *run, const void *context, mote_error *error)
{
    mote_world *world;
    const case_change changes[] = {{"fluid.quality", run->preset}, {0}};
    (void)context;
    MO_TRY(flows_create("poiseuille_2d", changes, &world, error));
    mote_status status = mote_world_advance(world, 6, NULL, error);
    if (status == MOTE_OK) {
        flows_error e = flows_compare(world, poiseuille, poiseuille((double[3]){0}, 0));
        fluids_judge(run, &POISEUILLE, e.worst, 0);
    }
    mote_world_destroy(world);
    return status;
}

mote_status fluids_poiseuille(void *context, mote_error *error)
{
    return fluids_each_preset(context, "fluids/poiseuille", poiseuille_preset, NULL, error);
}

mote_status fluids_poiseuille_long(void *context, mote_error *error)
{
    static const double SPACINGS[] = {0.04, 0.01};
    for (int k = 0; k < 2; ++k) {
        mote_world *world;
        MO_TRY(create_channel("poiseuille_2d", SPACINGS[k], &world, error));
        mote_status status = mote_world_advance(world, 6, NULL, error);
        if (status == MOTE_OK) {
            flows_error e = flows_compare(world, poiseuille, poiseuille((double[3]){0}, 0));
            flows_judge(context, "fluids_long/poiseuille", " u", SPACINGS[k], e,
                        k > 0 ? 0.02 : INFINITY);
        }
        mote_world_destroy(world);
        MO_TRY(status);
    }
    return MOTE_OK;
}

/* u = V y/L + sum_n 2 V/(n pi) (-1)^n exp(-n^2 pi^2 nu t/L^2) sin(n pi y/L), y from the fixed
 * wall */
static double couette(const double x[3], double time)
{
    double y = (x[1] + HALF) / (2 * HALF), u = LID * y;
    for (int n = 1; n < 200; ++n) {
        double rate = n * n * PI * PI * VISCOSITY / (4 * HALF * HALF);
        u += 2 * LID / (n * PI) * (n % 2 ? -1 : 1) * exp(-rate * time) * sin(n * PI * y);
    }
    return u;
}

static const double COUETTE_TIMES[] = {0.2, 0.6, 6};

static mote_status couette_preset(const fluids_run *run, const void *context, mote_error *error)
{
    mote_world *world;
    const case_change changes[] = {{"fluid.quality", run->preset}, {0}};
    (void)context;
    MO_TRY(flows_create("couette_2d", changes, &world, error));
    mote_status status = MOTE_OK;
    for (int k = 0; k < 3 && status == MOTE_OK; ++k) {
        status = mote_world_advance(world, COUETTE_TIMES[k], NULL, error);
        if (status == MOTE_OK) {
            fluids_judge(run, &COUETTE[k], flows_compare(world, couette, LID).worst, 0);
        }
    }
    mote_world_destroy(world);
    return status;
}

mote_status fluids_couette(void *context, mote_error *error)
{
    return fluids_each_preset(context, "fluids/couette", couette_preset, NULL, error);
}

static mote_status run_couette(validation *v, double spacing, double allowed, mote_error *error)
{
    mote_world *world;
    MO_TRY(create_channel("couette_2d", spacing, &world, error));
    mote_status status = MOTE_OK;
    for (int k = 0; k < 3 && status == MOTE_OK; ++k) {
        status = mote_world_advance(world, COUETTE_TIMES[k], NULL, error);
        if (status == MOTE_OK) {
            char what[40];
            snprintf(what, sizeof what, " u at %g s", COUETTE_TIMES[k]);
            flows_judge(v, "fluids_long/couette", what, spacing, flows_compare(world, couette, LID),
                        allowed);
        }
    }
    mote_world_destroy(world);
    return status;
}

mote_status fluids_couette_long(void *context, mote_error *error)
{
    MO_TRY(run_couette(context, 0.04, INFINITY, error));
    return run_couette(context, 0.01, 0.02, error);
}
