#include "options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

options options_default(void)
{
    return (options){.frames = -1, .until = NAN, .checkpoint_every = NAN, .checkpoint_wall = NAN};
}

bool options_add_set(const flag *f, const char *value, void *out)
{
    options *o = out;
    if (!strchr(value, '=')) {
        complain("%s: '%s' has no '='; write --set time.step.size=0.001", f->name, value);
        return false;
    }
    if (o->set_count == SETS_MAX) {
        complain("%s: at most %d are allowed", f->name, SETS_MAX);
        return false;
    }
    o->sets[o->set_count++] = value;
    return true;
}

void print_file_error(const char *file, const mote_error *error)
{
    bool named = error->status == MOTE_ERROR_IO || strstr(error->text, file);
    complain("%s%s%s", named ? "" : file, named ? "" : ": ", error->text);
}

static bool apply_set(mote_scene *scene, const char *file, const char *text)
{
    const char *equals = strchr(text, '=');
    char *path = strndup(text, (size_t)(equals - text));
    mote_error error;
    bool done = path && mote_scene_set(scene, path, equals + 1, &error) == MOTE_OK;
    if (!done) {
        complain("%s: --set %s", file, path ? error.text : "out of memory");
    }
    free(path);
    return done;
}

bool options_apply(const options *o, mote_scene *scene)
{
    bool good = true;
    for (int k = 0; k < o->set_count && good; ++k) {
        good = apply_set(scene, o->scene, o->sets[k]);
    }
    return good;
}

bool options_is_scene(const char *path)
{
    size_t length = strlen(path);
    return length > 5 && strcmp(path + length - 5, ".json") == 0;
}

mote_status options_advance(mote_world *world, const char *name, double time, int *system,
                            mote_error *error)
{
    *system = name ? mote_world_system_find(world, name) : 0;
    if (*system < 0 || mote_world_system_count(world) == 0) {
        snprintf(error->text, sizeof error->text, "--system: the scene has no system '%.100s'",
                 name ? name : "");
        return error->status = MOTE_ERROR_INPUT;
    }
    return isnan(time) ? MOTE_OK : mote_world_advance(world, time, NULL, error);
}

mote_scene *options_load(const options *o)
{
    mote_scene *scene;
    mote_error error;
    if (mote_scene_load(o->scene, &scene, &error) != MOTE_OK) {
        print_file_error(o->scene, &error);
        return NULL;
    }
    if (!options_apply(o, scene)) {
        mote_scene_destroy(scene);
        return NULL;
    }
    return scene;
}
