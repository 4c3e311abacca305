#include "run/step_sizes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void count_limit(mo_step_sizes *sizes, const char *name)
{
    int k = 0;
    while (k < sizes->limit_count && strcmp(sizes->limits[k].name, name) != 0) {
        ++k;
    }
    if (k == MO_STEP_LIMITS) {
        return;
    }
    if (k == sizes->limit_count) {
        sizes->limits[sizes->limit_count++].name = name;
    }
    sizes->limits[k].count++;
}

void mo_step_sizes_add(mo_step_sizes *sizes, const mote_step_report *report)
{
    sizes->least = sizes->count > 0 ? fmin(sizes->least, report->dt) : report->dt;
    sizes->most = fmax(sizes->most, report->dt);
    sizes->sum += report->dt;
    sizes->count++;
    if (report->limited_by) {
        count_limit(sizes, report->limited_by);
    }
}

void mo_step_sizes_text(const mo_step_sizes *sizes, char *text, size_t length)
{
    size_t end = 0;
    text[0] = '\0';
    for (int k = 0; k < sizes->limit_count && end < length; ++k) {
        double share = (double)sizes->limits[k].count / (double)sizes->count;
        int more = snprintf(text + end, length - end, "%s%s %.3g %%", k > 0 ? ", " : "",
                            sizes->limits[k].name, 100 * share);
        end += more > 0 ? (size_t)more : 0;
    }
}
