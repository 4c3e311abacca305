/* Statistics of the step sizes of a run and of their active limits. */
#ifndef MO_RUN_STEP_SIZES_H
#define MO_RUN_STEP_SIZES_H

#include "mote/world.h"

enum { MO_STEP_LIMITS = 16 };

typedef struct mo_step_sizes {
    double least, most, sum; /* s */
    int64_t count;
    struct {
        const char *name; /* as limited_by of a step's report */
        int64_t count;
    } limits[MO_STEP_LIMITS];
    int limit_count;
} mo_step_sizes;

void mo_step_sizes_add(mo_step_sizes *sizes, const mote_step_report *report);

/* The active limits with their shares: "stability 90 %, courant 10 %"; "" without steps. */
void mo_step_sizes_text(const mo_step_sizes *sizes, char *text, size_t length);

#endif
