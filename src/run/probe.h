/* The probe of the public interface. */
#ifndef MO_RUN_PROBE_H
#define MO_RUN_PROBE_H

#include "analysis/probe.h"
#include "base/memory.h"
#include "mote/probe.h"

/* Particles of a probe: their columns, of which x is required; copied. `function` names the caller
 * in messages. */
typedef struct mo_probe_source {
    const char *function;
    int64_t rows;
    int column_count;
    const mote_column *columns;
    mote_domain domain;
    double time;     /* NaN: unknown */
    bool has_kernel; /* that of its system; false: particles without one */
    mo_kernel kernel;
} mo_probe_source;

mote_status mo_probe_open(const mo_probe_source *source, const mote_probe_options *options,
                          mote_probe **probe, mote_error *error);

struct mote_probe {
    mo_memory memory;
    mo_arena arena; /* columns */
    mo_pool *pool;
    mo_probe probe;
    double time;
    int column_count;
    mote_column *columns;
};

/* The column and operator of these names; an error lists what is allowed. */
mote_status mo_probe_find(const mote_probe *probe, const char *name, const char *operation,
                          const mote_column **column, mo_probe_operator *found, mote_error *error);

/* As mote_probe_evaluate, at positions computed from an index. */
mote_status mo_probe_sample(const mote_probe *probe, const mote_column *column,
                            mo_probe_operator operation, int64_t count, mo_probe_position *position,
                            const void *context, double *values, mote_error *error);

#endif
