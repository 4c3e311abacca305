#include "mote/view.h"
#include "base/error.h"
mote_window_options mote_window_options_default(void) { return (mote_window_options){0}; }
mote_status mote_window(const mote_scene *scene, const mote_window_options *options, mote_error *error) { (void)scene;(void)options; return mo_fail(error, MOTE_ERROR_IO, "todo"); }
