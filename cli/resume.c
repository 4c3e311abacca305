/*
 * `mote resume CHECKPOINT`: continues a run from a checkpoint, or from the newest valid one in a
 * directory.
 */
#include "commands.h"
#include "interrupt.h"
#include "options.h"
#include "session.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct files {
    int count, capacity;
    char **path;
} files;

static bool is_checkpoint(const char *name)
{
    size_t length = strlen(name);
    return strstr(name, ".checkpoint.") && length > 4 && strcmp(name + length - 4, ".npz") == 0;
}

/* The step in "NAME.checkpoint.STEPS.npz", for any directory and scene name. */
static long long step_of(const char *path)
{
    const char *end = path + strlen(path) - 4, *digits = end;
    while (digits > path && digits[-1] >= '0' && digits[-1] <= '9') {
        --digits;
    }
    return strtoll(digits, NULL, 10);
}

static int compare_newest_first(const void *a, const void *b)
{
    long long m = step_of(*(char *const *)a), n = step_of(*(char *const *)b);
    return (m < n) - (m > n);
}

static void add_file(files *out, const char *path)
{
    if (out->count == out->capacity) {
        int capacity = 2 * out->capacity + 16;
        char **larger = realloc(out->path, (size_t)capacity * sizeof *larger);
        if (!larger) {
            return;
        }
        out->path = larger;
        out->capacity = capacity;
    }
    out->path[out->count] = strdup(path);
    out->count += out->path[out->count] != NULL;
}

static void list_files(const char *directory, files *out)
{
    DIR *open = opendir(directory);
    for (struct dirent *entry = open ? readdir(open) : NULL; entry; entry = readdir(open)) {
        char path[4096];
        if (is_checkpoint(entry->d_name)) {
            snprintf(path, sizeof path, "%.3000s/%.1000s", directory, entry->d_name);
            add_file(out, path);
        }
    }
    if (open) {
        closedir(open);
    }
    if (out->count > 1) {
        qsort(out->path, (size_t)out->count, sizeof *out->path, compare_newest_first);
    }
}

static mote_snapshot *read_one(const char *path, bool quiet)
{
    mote_snapshot *snapshot = NULL;
    mote_error error = {0};
    if (mote_snapshot_read(path, NULL, &snapshot, &error) != MOTE_OK) {
        complain("%s", error.text);
    } else if (!quiet) {
        printf("from %s: t = %.6g s, %lld steps\n", path, mote_snapshot_time(snapshot),
               (long long)mote_snapshot_steps(snapshot));
    }
    return snapshot;
}

/* The newest valid checkpoint: invalid ones are reported and the previous one is used. */
static mote_snapshot *read_newest(const char *directory, bool quiet)
{
    files found = {0};
    mote_snapshot *snapshot = NULL;
    list_files(directory, &found);
    if (found.count == 0) {
        complain("resume: there is no checkpoint (*.checkpoint.*.npz) in '%s'", directory);
    }
    for (int k = 0; k < found.count; ++k) {
        snapshot = snapshot ? snapshot : read_one(found.path[k], quiet);
        free(found.path[k]);
    }
    free(found.path);
    return snapshot;
}

/* Frames are written next to the checkpoint, also after it was moved. */
static void directory_of(const char *path, bool is_directory, char *out, size_t size)
{
    const char *slash = strrchr(path, '/');
    if (is_directory) {
        snprintf(out, size, "%s", path);
    } else if (!slash) {
        snprintf(out, size, ".");
    } else {
        snprintf(out, size, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    }
}

/* The scene of --scene must be that of the checkpoint, before any --set, so that the report
 * lists all changes. */
static mote_scene *replace(mote_scene *own, const char *path)
{
    mote_scene *scene = NULL;
    mote_error error = {0};
    if (mote_scene_load(path, &scene, &error) != MOTE_OK) {
        print_file_error(path, &error);
    } else if (mote_scene_hash(scene) != mote_scene_hash(own)) {
        complain("%s: the checkpoint belongs to the scene '%s' (%016" PRIx64
                 "), this is another one (%016" PRIx64 "); change parameters with --set",
                 path, mote_scene_name(own), mote_scene_hash(own), mote_scene_hash(scene));
        mote_scene_destroy(scene);
        scene = NULL;
    }
    mote_scene_destroy(own);
    return scene;
}

static mote_scene *scene_of(const mote_snapshot *snapshot, const options *o)
{
    mote_scene *scene = NULL;
    mote_error error = {0};
    if (mote_snapshot_scene(snapshot, &scene, &error) != MOTE_OK) {
        print_file_error(o->scene, &error);
        return NULL;
    }
    scene = o->other_scene ? replace(scene, o->other_scene) : scene;
    if (!scene || !options_apply(o, scene)) {
        mote_scene_destroy(scene);
        return NULL;
    }
    return scene;
}

static const flag FLAGS[] = {{"-o", "DIR", FLAG_TEXT, offsetof(options, directory),
                              .doc = "output directory (that of the checkpoint)"},
                             {"--scene", "FILE", FLAG_TEXT, offsetof(options, other_scene),
                              .doc = "scene file to continue with; it must be that of the "
                                     "checkpoint"},
                             SESSION_FLAGS,
                             {0}};

static int resume(const command *self, int count, char **arguments)
{
    options o = options_default();
    struct stat info;
    char directory[4096];
    interrupt_catch();
    if (!command_read(self, count, arguments, &o)) {
        return EXIT_USAGE;
    }
    const char *path = o.scene;
    bool is_directory = stat(path, &info) == 0 && S_ISDIR(info.st_mode), quiet = o.quiet || o.json;
    mote_snapshot *snapshot = is_directory ? read_newest(path, quiet) : read_one(path, quiet);
    if (!snapshot) {
        return EXIT_USAGE;
    }
    directory_of(path, is_directory, directory, sizeof directory);
    mote_scene *scene = scene_of(snapshot, &o);
    int code =
        scene ? run_scene(scene, &o, o.directory ? o.directory : directory, snapshot) : EXIT_USAGE;
    mote_scene_destroy(scene);
    mote_snapshot_destroy(snapshot);
    return code;
}

const command command_resume = {
    .name = "resume",
    .operand = "FILE|DIR",
    .summary = "continue from a checkpoint, or from the newest one in the directory of a run",
    .missing = "a checkpoint is missing: mote resume NAME.checkpoint.STEPS.npz, or the "
               "directory of a run",
    .operand_field = offsetof(options, scene),
    .flags = FLAGS,
    .run = resume,
};
