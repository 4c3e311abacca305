/*
 * Cases run with each preset of fluids (`fluid.quality`) and otherwise with defaults, as in a scene
 * that gives only a spacing, a box and water.
 *
 * A file has a table of limits, one per quantity. `allowed` is the limit for `accurate`. `splash`
 * is zero where the same limit applies to `splash`; otherwise it is a separate limit, its measured
 * error and a margin, which the printed quantity states. Each run reports its cost in user seconds,
 * which is not judged.
 */
#ifndef MOTE_CLI_VALIDATE_FLUIDS_PRESETS_H
#define MOTE_CLI_VALIDATE_FLUIDS_PRESETS_H

#include "validate/fluids.h"

typedef enum fluids_judgement {
    FLUIDS_RELATIVE, /* |value/reference - 1| is at most the limit */
    FLUIDS_ABSOLUTE, /* |value - reference| is at most the limit */
    FLUIDS_EXCESS    /* value - reference is at most the limit */
} fluids_judgement;

typedef struct fluids_limit {
    const char *quantity;
    fluids_judgement judgement;
    double allowed, splash; /* INFINITY: reported, not judged */
} fluids_limit;

typedef struct fluids_run {
    validation *v;
    const char *name, *preset; /* "fluids/poiseuille/splash", "splash" */
} fluids_run;

/* `context` is that of fluids_each_preset. */
typedef mote_status fluids_preset_case(const fluids_run *run, const void *context,
                                       mote_error *error);

/* Runs a case "group/case" with each preset, if selected on the command line. */
mote_status fluids_each_preset(validation *v, const char *name, fluids_preset_case *run,
                               const void *context, mote_error *error);

void fluids_judge(const fluids_run *run, const fluids_limit *limit, double value, double reference);

/* Of a scene text with one %s for the name of the preset. */
mote_status fluids_create(const fluids_run *run, const char *text, mote_world **world,
                          mote_error *error);

/* Of the first system; 0 without one. */
double fluids_rms_speed(const mote_world *world);

#endif
