#include "validate/integrators.h"
#include "base/error.h"
#include <math.h>
#include <stdio.h>
enum { SAMPLES = 8 };
static mote_status largest_distance(const trial_problem *p, const trial_scheme *s, int64_t steps, double *largest, mote_error *error)
{
    trial t;
    *largest = 0;
    MO_TRY(trial_start(&t, p->scene, s, p->end / (double)steps, p->force, error));
    mote_status status = MOTE_OK;
    for (int k = 1; k <= SAMPLES && status == MOTE_OK; ++k) {
        status = trial_steps(&t, steps / SAMPLES, error);
        *largest = trial_larger(p->distance(&t, p->end * k / SAMPLES), *largest);
    }
    trial_stop(&t);
    return status;
}
mote_status integrators_run_order(void *context, mote_error *error)
{
    (void)context;
    trial_scheme s;
    for (int p = 0; p < TRIAL_PROBLEMS; ++p) {
        for (int k = 0; trial_scheme_at(k, &s); ++k) {
            if (!(s.problems & trial_problems[p].kind)) continue;
            printf("%-20s %-32s p=%d", trial_problems[p].name, s.name, s.order);
            double before = NAN;
            for (int n = 32; n <= (s.order == 1 ? 1<<17 : 1 << 14); n *= 2) {
                double d;
                if (largest_distance(&trial_problems[p], &s, n, &d, error) != MOTE_OK) d = NAN;
                printf("  %d:%.1e(%.2f)", n, d, log2(before / d));
                before = d;
            }
            printf("\n");
        }
    }
    return MOTE_OK;
}
