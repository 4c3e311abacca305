#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BAR = 28 };

void progress_open(progress_view *view)
{
    *view = (progress_view){.terminal = isatty(STDERR_FILENO), .last = -1};
}

void format_duration(double seconds, char *out, size_t size)
{
    if (!(seconds < 1e7)) {
        snprintf(out, size, "more than 100 days");
    } else if (seconds < 10) {
        snprintf(out, size, "%.1f s", seconds);
    } else if (seconds < 60) {
        snprintf(out, size, "%.0f s", seconds);
    } else if (seconds < 3600) {
        snprintf(out, size, "%d min %02d s", (int)seconds / 60, (int)seconds % 60);
    } else {
        snprintf(out, size, "%d h %02d min", (int)(seconds / 3600), (int)(seconds / 60) % 60);
    }
}

static void draw_bar(double done, char *bar)
{
    int filled = (int)(done * BAR + 0.5);
    for (int k = 0; k < BAR; ++k) {
        bar[k] = k < filled ? '#' : '.';
    }
    bar[BAR] = '\0';
}

void progress_show(progress_view *view, const mote_progress *p)
{
    /* in a file or pipe: no output for short runs, the first line early in longer ones */
    double interval = view->terminal ? 0.1 : view->shown ? 5 : 1;
    double since = view->shown ? view->last : view->terminal ? -1 : 0;
    if (p->wall - since < interval) {
        return;
    }
    view->last = p->wall;
    view->shown = true;
    char left[40], bar[BAR + 1];
    double done = p->end > 0 ? p->time / p->end : 1;
    done = done > 1 ? 1 : done;
    format_duration(p->remaining < 0 ? 0 : p->remaining, left, sizeof left);
    if (view->terminal) {
        draw_bar(done, bar);
        fprintf(stderr, "\r[%s] %3.0f %%  t = %.4g s  step %lld  dt = %.3g s  %s left \033[K", bar,
                100 * done, p->time, (long long)p->steps, p->last.dt, left);
        fflush(stderr);
    } else {
        fprintf(stderr, "t = %.4g of %.4g s, step %lld, frame %d of %d, %s left\n", p->time, p->end,
                (long long)p->steps, p->frames, p->frames_total, left);
    }
}

void progress_show_frames(progress_view *view, const mote_progress *p, const char *doing,
                          double time)
{
    char left[40], bar[BAR + 1];
    if (p->wall - view->last < (view->terminal ? 0.1 : 5) && (view->shown || !view->terminal)) {
        return;
    }
    view->last = p->wall;
    view->shown = true;
    format_duration(p->remaining < 0 ? 0 : p->remaining, left, sizeof left);
    if (view->terminal) {
        draw_bar(p->end > 0 ? p->time / p->end : 1, bar);
        fprintf(stderr, "\r[%s] %s image %d of %d  t = %.4g s  %s left \033[K", bar, doing,
                p->frames, p->frames_total, time, left);
        fflush(stderr);
    } else {
        fprintf(stderr, "%s image %d of %d, t = %.4g s, %s left\n", doing, p->frames,
                p->frames_total, time, left);
    }
}

void progress_close(progress_view *view)
{
    if (view->terminal && view->shown) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
}
