/* `mote resume CHECKPOINT`: goes on with a run from a checkpoint, or from the newest good one in a directory. */
#include "commands.h"
#include "options.h"
#include "session.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FILES_MAX = 2000 };

typedef struct files {
    int count;
    char *path[FILES_MAX];
} files;

static bool is_checkpoint(const char *name)
{
    size_t length = strlen(name);
    return strstr(name, ".checkpoint.") && length > 4 && strcmp(name + length - 4, ".npz") == 0;
}

/* By the step in the name, which has a fixed width up to a thousand million steps. */
static int compare_newest_first(const void *a, const void *b)
{
    const char *p = strstr(*(char *const *)a, ".checkpoint."), *q = strstr(*(char *const *)b, ".checkpoint.");
    long long m = p ? strtoll(p + 12, NULL, 10) : 0, n = q ? strtoll(q + 12, NULL, 10) : 0;
    return (m < n) - (m > n);
}

static void list_files(const char *directory, files *out)
{
    DIR *open = opendir(directory);
    for (struct dirent *entry = open ? readdir(open) : NULL; entry; entry = readdir(open)) {
        char path[4096];
        if (is_checkpoint(entry->d_name) && out->count < FILES_MAX) {
            snprintf(path, sizeof path, "%.3000s/%.1000s", directory, entry->d_name);
            out->path[out->count] = strdup(path);
            out->count += out->path[out->count] != NULL;
        }
    }
    if (open) {
        closedir(open);
    }
    qsort(out->path, (size_t)out->count, sizeof *out->path, compare_newest_first);
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

/* The newest that is whole: one that is not is named, and the one before it taken. */
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
    return snapshot;
}

/* Frames go on beside the checkpoint, wherever it has been moved to. */
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

static mote_scene *scene_of(const mote_snapshot *snapshot, const options *o)
{
    mote_scene *scene = NULL;
    mote_error error = {0};
    if (mote_snapshot_scene(snapshot, &scene, &error) != MOTE_OK) {
        complain("%s", error.text);
        return NULL;
    }
    if (!options_apply(o, scene)) {
        mote_scene_destroy(scene);
        return NULL;
    }
    return scene;
}

int command_resume(int count, char **arguments)
{
    static const char *const FLAGS[] = {
        "-o",     "--set",  "--threads",          "--until",           "--frames", "--report", "--quiet",
        "--json", "--keep", "--checkpoint-every", "--checkpoint-wall", "--scene",  NULL};
    options o;
    struct stat info;
    char directory[4096];
    if (!options_parse(count, arguments, "resume", FLAGS, &o)) {
        return EXIT_USAGE;
    }
    if (!o.scene) {
        complain(
            "resume: from which checkpoint? mote resume NAME.checkpoint.STEPS.npz, or a run's directory");
        return EXIT_USAGE;
    }
    const char *path = o.scene;
    bool is_directory = stat(path, &info) == 0 && S_ISDIR(info.st_mode), quiet = o.quiet || o.json;
    mote_snapshot *snapshot = is_directory ? read_newest(path, quiet) : read_one(path, quiet);
    if (!snapshot) {
        return EXIT_USAGE;
    }
    directory_of(path, is_directory, directory, sizeof directory);
    o.scene = o.other_scene;
    mote_scene *scene = o.other_scene ? options_load(&o) : scene_of(snapshot, &o);
    int code = scene ? run_scene(scene, &o, o.directory ? o.directory : directory, snapshot) : EXIT_USAGE;
    mote_scene_destroy(scene);
    mote_snapshot_destroy(snapshot);
    return code;
}
