/* The scene of a snapshot, and cloning of worlds. */
#include "scene/scene.h"
#include "world/snapshot.h"

#include <string.h>

mote_status mote_snapshot_scene(const mote_snapshot *snapshot, mote_scene **scene,
                                mote_error *error)
{
    MO_NEED(snapshot);
    MO_NEED(scene);
    *scene = NULL;
    if (!snapshot->source.text) {
        return mo_fail(error, MOTE_ERROR_USAGE,
                       "the world of this state was not made from a scene");
    }
    return mo_scene_parse_as(snapshot->source.text, snapshot->source.file, scene, error);
}

static mote_status clone_from(const mote_snapshot *snapshot, const mote_config *config,
                              mote_world **clone, mote_error *error)
{
    mote_scene *scene;
    MO_TRY(mote_snapshot_scene(snapshot, &scene, error));
    mote_status status = mote_world_create(scene, config, clone, error);
    mote_scene_destroy(scene);
    MO_TRY(status);
    status = mote_world_restore(*clone, snapshot, error);
    if (status != MOTE_OK) {
        mote_world_destroy(*clone);
        *clone = NULL;
    }
    return status;
}

mote_status mote_world_clone(const mote_world *world, const mote_config *config, mote_world **clone,
                             mote_error *error)
{
    MO_NEED(world);
    MO_NEED(clone);
    mote_snapshot *snapshot = NULL;
    *clone = NULL;
    MO_TRY(mote_world_save(world, &snapshot, error));
    mote_status status = clone_from(snapshot, config, clone, error);
    mote_snapshot_destroy(snapshot);
    return status;
}
