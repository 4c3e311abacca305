#include "bench/case_world.h"

#include "base/error.h"

static mote_status create(mote_scene *scene, const case_change *changes, int threads,
                          mote_world **world, mote_error *error)
{
    mote_config config = mote_config_default();
    config.threads = threads;
    for (; changes && changes->path; ++changes) {
        MO_TRY(mote_scene_set(scene, changes->path, changes->value, error));
    }
    return mote_world_create(scene, &config, world, error);
}

mote_status case_world_create(const char *text, const case_change *changes, int threads,
                              mote_world **world, mote_error *error)
{
    mote_scene *scene;
    MO_TRY(mote_scene_parse(text, &scene, error));
    mote_status status = create(scene, changes, threads, world, error);
    mote_scene_destroy(scene);
    return status;
}

void case_take_steps(void *stepping)
{
    case_stepping *s = stepping;
    for (int k = 0; k < s->steps && s->status == MOTE_OK; ++k) {
        s->status = mote_world_step(s->world, NULL, &s->error);
    }
}

void *case_column(const mote_world *world, const char *name)
{
    mote_column column;
    return mote_world_column_find(world, 0, name, &column) ? column.data : NULL;
}
