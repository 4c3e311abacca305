/* Frame times of a run: every 1/fps, and the last one at the end. */
#ifndef MO_RUN_SCHEDULE_H
#define MO_RUN_SCHEDULE_H

#include <math.h>
#include <stdint.h>

typedef struct mo_schedule {
    double end, fps, total; /* total: frames after the first, an integer */
} mo_schedule;

static inline mo_schedule mo_schedule_make(double end, double fps)
{
    return (mo_schedule){end, fps, ceil(end * fps * (1 - 1e-12))};
}

static inline double mo_schedule_time(const mo_schedule *s, int64_t frame)
{
    double time = (double)frame / s->fps;
    return (double)frame >= s->total || time > s->end ? s->end : time;
}

#endif
