/* report.json: the summary of a run. */
#ifndef MO_RUN_REPORT_H
#define MO_RUN_REPORT_H

#include "mote/run.h"
#include "run/step_sizes.h"
#include "world/world.h"

typedef struct mo_run_record {
    const mote_scene *scene;
    mote_world *world;
    const mote_run_summary *summary;
    double output_seconds, checkpoint_seconds;
    mo_step_sizes sizes;
    int64_t steps_before; /* steps before a resumed run */
    const mote_run_options *options;
    mote_measures first, last;
    const mote_static_report *rest; /* NULL unless a static solve was requested */
    const char *failure;            /* NULL if the run succeeded */
} mo_run_record;

mote_status mo_report_write(const char *path, const mo_run_record *record, mote_error *error);

#endif
