#include "validate/fluids_presets.h"

#include "base/error.h"
#include "bench/case_world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static const char *const PRESETS[] = {"splash", "accurate"};

static double user_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec;
}

mote_status fluids_each_preset(validation *v, const char *name, fluids_preset_case *run,
                               const void *context, mote_error *error)
{
    mote_status first = MOTE_OK;
    for (int k = 0; k < 2; ++k) {
        char row[100];
        mote_error here = {.status = MOTE_OK};
        snprintf(row, sizeof row, "%s/%s", name, PRESETS[k]);
        if (!suite_selects(v->wanted, row)) {
            continue;
        }
        double start = user_seconds();
        mote_status status = run(&(fluids_run){v, row, PRESETS[k]}, context, &here);
        validate_absolute(v, row, "cost [user s]", user_seconds() - start, 0, INFINITY);
        if (status != MOTE_OK && first == MOTE_OK) { /* the other preset is run nevertheless */
            first = status;
            *error = here;
        }
    }
    return first;
}

void fluids_judge(const fluids_run *run, const fluids_limit *limit, double value, double reference)
{
    char quantity[160];
    bool own = strcmp(run->preset, "splash") == 0 && limit->splash > 0;
    double allowed = own ? limit->splash : limit->allowed;
    snprintf(quantity, sizeof quantity, "%s%s", limit->quantity,
             own && isfinite(allowed) ? " (limit: as measured)" : "");
    switch (limit->judgement) {
    case FLUIDS_RELATIVE:
        validate_relative(run->v, run->name, quantity, value, reference, allowed);
        break;
    case FLUIDS_ABSOLUTE:
        validate_absolute(run->v, run->name, quantity, value, reference, allowed);
        break;
    case FLUIDS_EXCESS:
        validate_at_most(run->v, run->name, quantity, value, reference, allowed);
        break;
    }
}

mote_status fluids_create(const fluids_run *run, const char *text, mote_world **world,
                          mote_error *error)
{
    const char *hole = strstr(text, "%s");
    size_t size = strlen(text) + strlen(run->preset) + 1;
    char *scene = malloc(size);
    if (!scene) {
        return mo_fail_memory(error, size);
    }
    snprintf(scene, size, "%.*s%s%s", (int)(hole - text), text, run->preset, hole + 2);
    mote_status status = case_world_create(scene, NULL, 0, world, error);
    free(scene);
    return status;
}

double fluids_rms_speed(const mote_world *world)
{
    const double *v = case_column(world, "v");
    int64_t rows = mote_world_rows(world, 0);
    double square = 0;
    for (int64_t k = 0; k < 3 * rows; ++k) {
        square += v[k] * v[k];
    }
    return rows > 0 ? sqrt(square / (double)rows) : 0;
}
