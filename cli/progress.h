/*
 * Progress of a run: a bar with the remaining time on a terminal, plain lines elsewhere.
 */
#ifndef MOTE_CLI_PROGRESS_H
#define MOTE_CLI_PROGRESS_H

#include <mote/mote.h>

typedef struct progress_view {
    bool terminal, shown;
    double last; /* wall time of the last line */
} progress_view;

void progress_open(progress_view *view);
void progress_show(progress_view *view, const mote_progress *progress);
/* The same for images: `doing` names the activity, now at a simulated time. */
void progress_show_frames(progress_view *view, const mote_progress *progress, const char *doing,
                          double time);
void progress_close(progress_view *view);

/* "1 min 05 s". */
void format_duration(double seconds, char *out, size_t size);

#endif
