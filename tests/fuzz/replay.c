/*
 * Runs a fuzz target on files and directories: the corpus in the ordinary tests, or one input by
 * hand. `--seeds DIR` writes the initial checkpoint and header of the targets.
 */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>

static long replayed;

static void replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct stat info;
    if (!file || fstat(fileno(file), &info) != 0) {
        fprintf(stderr, "%s cannot be read\n", path);
        exit(1);
    }
    uint8_t *data = malloc((size_t)info.st_size + 1);
    size_t size = fread(data, 1, (size_t)info.st_size, file);
    fclose(file);
    fprintf(stderr, "%s\n", path); /* the last name printed is that of the crash */
    LLVMFuzzerTestOneInput(data, size);
    replayed++;
    /* also truncated at several lengths */
    for (size_t length = size / 7; size > 0 && length < size; length += size / 7 + 1) {
        LLVMFuzzerTestOneInput(data, length);
    }
    free(data);
}

static void replay(const char *path)
{
    DIR *directory = opendir(path);
    if (!directory) {
        replay_file(path);
        return;
    }
    for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
        char inside[4096];
        snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.') {
            replay(inside);
        }
    }
    closedir(directory);
}

static int write_seeds(const char *directory)
{
    mote_world *world = fuzz_world();
    mote_snapshot *snapshot = NULL;
    char path[4096], *text = NULL;
    FUZZ_NEED(mote_world_save(world, &snapshot, NULL) == MOTE_OK);
    snprintf(path, sizeof path, "%s/checkpoint/small.npz", directory);
    FUZZ_NEED(mote_snapshot_write(snapshot, path, NULL) == MOTE_OK);
    FUZZ_NEED(mote_snapshot_header(snapshot, &text, NULL) == MOTE_OK);
    snprintf(path, sizeof path, "%s/header/small.json", directory);
    FILE *file = fopen(path, "wb");
    FUZZ_NEED(file && fputs(text, file) >= 0 && fclose(file) == 0);
    mote_text_free(text);
    mote_snapshot_destroy(snapshot);
    mote_world_destroy(world);
    return 0;
}

int main(int count, char **arguments)
{
    if (count == 3 && strcmp(arguments[1], "--seeds") == 0) {
        return write_seeds(arguments[2]);
    }
    for (int k = 1; k < count; ++k) {
        replay(arguments[k]);
    }
    printf("%ld inputs\n", replayed);
    return replayed > 0 ? 0 : 1;
}
