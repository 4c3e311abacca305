/*
 * A show: a sequence of frames, from a world that is run or from the stored results of a run.
 *
 * Stored frames contain only the columns of the output. If the scene is stored beside them its
 * world is built as well, as a source of constant data: radii, springs, units.
 */
#ifndef MO_VIEW_SHOW_SHOW_H
#define MO_VIEW_SHOW_SHOW_H

#include "mote/run.h"
#include "scene/root.h"
#include "view/show/moment.h"

typedef struct mo_show mo_show;

/* Runs `scene`, or shows the frames in `results` (a directory or an index) with the view of the
 * scene; NULL: run. The first frame is available afterwards. */
mote_status mo_show_open(const mote_scene *scene, const char *results, const mote_config *config,
                         mo_show **show, mote_error *error);
void mo_show_close(mo_show *show);

const mo_scene_def *mo_show_def(const mo_show *show);
const mo_moment *mo_show_moment(const mo_show *show);
bool mo_show_stored(const mo_show *show);
mote_world *mo_show_world(const mo_show *show); /* NULL if the frames are stored */

/* Frames are numbered from 0; times increase. `fps` sets the frame rate of a run, and selects
 * from stored frames. */
int64_t mo_show_count(const mo_show *show);
double mo_show_time(const mo_show *show, int64_t frame);
int64_t mo_show_at(const mo_show *show, double time); /* the nearest one */
void mo_show_set_fps(mo_show *show, double fps);
double mo_show_fps(const mo_show *show);

/* Seeks to a frame or a time; a world that has to go back restarts. The hook is called after
 * every step, and cancels by returning false. */
typedef bool mo_show_hook(void *context, const mote_step_report *report);
mote_status mo_show_seek(mo_show *show, int64_t frame, mo_show_hook *hook, void *context,
                         mote_error *error);
mote_status mo_show_seek_time(mo_show *show, double time, mo_show_hook *hook, void *context,
                              mote_error *error);

/* One step of the world, or one frame. No effect at the end of stored frames. */
mote_status mo_show_step(mo_show *show, mote_step_report *report, mote_error *error);
mote_status mo_show_restart(mo_show *show, mote_error *error);
/* The world was changed from outside. */
void mo_show_refresh(mo_show *show);

/* The current stored frame. */
int64_t mo_show_current(const mo_show *show);

#endif
