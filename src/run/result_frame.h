/* One stored frame of a system, for queries: the file, and the scene beside it. */
#ifndef MO_RUN_RESULT_FRAME_H
#define MO_RUN_RESULT_FRAME_H

#include "io/stored/stored.h"
#include "scene/scene.h"

typedef struct mo_result_frame {
    mo_stored stored;
    mo_memory memory;
    mo_arena arena;    /* of `def` */
    mote_scene *scene; /* NULL: there is none beside the frame, and no `def` */
    mo_scene_def def;
} mo_result_frame;

/* Of a result directory or an index (.pvd) the frame nearest to `time` (NaN: the last), or a single
 * file (.vtp, .ply). `system` is a name; NULL: the first. On failure no memory is allocated. */
mote_status mo_result_frame_open(const char *path, double time, const char *system,
                                 mo_result_frame *frame, mote_error *error);
void mo_result_frame_release(mo_result_frame *frame);

/* The domain of its scene. */
mote_domain mo_result_frame_domain(const mo_result_frame *frame);

#endif
