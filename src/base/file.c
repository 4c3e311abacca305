#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* What the user can do about it. */
static const char *remedy(int code)
{
    switch (code) {
    case ENOSPC:
    case EDQUOT:
        return "free some space or write to another disk";
    case EFBIG:
        return "the file is larger than the system allows; write fewer fields or raise the limit";
    case EACCES:
    case EPERM:
    case EROFS:
        return "check the permissions or write to another directory";
    case ENOENT:
        return "make the directory first, or correct the path";
    case ENOTDIR:
        return "a part of the path is a file where a directory is needed";
    case EIO:
        return "a write failed: see whether the disk is full or damaged";
    default:
        return "check the path and the disk";
    }
}

static mote_status fail(mote_error *error, const char *path, const char *what, int code)
{
    return mo_fail(error, MOTE_ERROR_IO, "%s: %s: %s; %s", path, what, strerror(code), remedy(code));
}

static mote_status copy_path(const char *path, char *copy, size_t size, mote_error *error)
{
    size_t length = strlen(path);
    if (length == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "the path is empty; give a name");
    }
    if (length >= size) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "%.60s...: the path has %zu characters; at most %zu are allowed", path, length,
                       size - 1);
    }
    memcpy(copy, path, length + 1);
    return MOTE_OK;
}

mote_status mo_file_create(const char *path, mo_file *file, mote_error *error)
{
    *file = (mo_file){0};
    MO_TRY(copy_path(path, file->path, sizeof file->path, error));
    /* the rename would replace a device just as it replaces a file */
    struct stat there;
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode)) {
        return mo_fail(error, MOTE_ERROR_IO, "%s: is not a regular file; choose another name", path);
    }
    /* always the same name, so that what a crash leaves behind goes with the next run */
    snprintf(file->temporary, sizeof file->temporary, "%s.tmp", path);
    file->stream = fopen(file->temporary, "wbe");
    return file->stream ? MOTE_OK : fail(error, path, "could not be created", errno);
}

mote_status mo_file_write_at(mo_file *file, uint64_t offset, const void *data, size_t bytes,
                             mote_error *error)
{
    int descriptor = fileno(file->stream);
    for (size_t done = 0; done < bytes;) {
        ssize_t some = pwrite(descriptor, (const char *)data + done, bytes - done, (off_t)(offset + done));
        if (some < 0 && errno != EINTR) {
            return fail(error, file->path, "could not be written", errno);
        }
        done += some > 0 ? (size_t)some : 0;
    }
#if defined(SYNC_FILE_RANGE_WRITE)
    (void)sync_file_range(descriptor, (off_t)offset, (off_t)bytes, SYNC_FILE_RANGE_WRITE);
#endif
    return MOTE_OK;
}

/* Puts all that was written onto the disk and closes the stream; 0, or what went wrong. */
static int finish_stream(FILE *stream)
{
    /* the reason of an earlier failure is lost, unless what is still buffered fails in the same way */
    int code = ferror(stream) ? EIO : 0;
    if (fflush(stream) != 0) {
        code = errno;
    } else if (fsync(fileno(stream)) != 0 && errno != EINVAL) { /* EINVAL: nothing there to sync */
        code = errno;
    }
    if (fclose(stream) != 0 && code == 0) {
        code = errno;
    }
    return code;
}

/* Makes a rename last through a power cut. The file is whole either way, so a failure is not an error. */
static void sync_directory_of(const char *path)
{
    char directory[sizeof((mo_file *)0)->path];
    snprintf(directory, sizeof directory, "%s", path);
    char *slash = strrchr(directory, '/');
    if (slash) {
        slash[slash == directory] = '\0'; /* the root keeps its slash */
    }
    int descriptor = open(slash ? directory : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        (void)fsync(descriptor);
        close(descriptor);
    }
}

mote_status mo_file_commit(mo_file *file, mote_error *error)
{
    MOTE_ASSERT(file->stream);
    int code = finish_stream(file->stream);
    file->stream = NULL;
    if (code == 0 && rename(file->temporary, file->path) != 0) {
        code = errno;
    }
    if (code != 0) {
        unlink(file->temporary);
        return fail(error, file->path, "could not be written", code);
    }
    sync_directory_of(file->path);
    return MOTE_OK;
}

void mo_file_abandon(mo_file *file)
{
    if (file->stream) {
        fclose(file->stream);
        file->stream = NULL;
        unlink(file->temporary);
    }
}

static mote_status create_one(const char *path, mote_error *error)
{
    struct stat there;
    int code = mkdir(path, 0777) == 0 ? 0 : errno;
    /* the system may give many reasons for not making a directory that exists */
    if (code == 0 || (stat(path, &there) == 0 && S_ISDIR(there.st_mode))) {
        return MOTE_OK;
    }
    if (code == EEXIST) {
        return mo_fail(error, MOTE_ERROR_IO,
                       "%s: is a file, so no directory can be made of it; choose another directory", path);
    }
    return fail(error, path, "the directory could not be made", code);
}

mote_status mo_directory_create(const char *path, mote_error *error)
{
    char part[sizeof((mo_file *)0)->path];
    MO_TRY(copy_path(path, part, sizeof part, error));
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        MO_TRY(create_one(part, error));
        *slash = '/';
    }
    return create_one(part, error);
}

/* Tries for two seconds. */
static bool lock_soon(int descriptor)
{
    enum { TRIES = 40 };
    const struct timespec pause = {0, 50000000};
    bool taken = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    for (int k = 0; k < TRIES && taken; ++k) {
        nanosleep(&pause, NULL);
        taken = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    }
    return !taken;
}

mote_status mo_directory_claim(const char *path, int *claim, mote_error *error)
{
    *claim = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*claim >= 0 && !lock_soon(*claim)) {
        mo_directory_leave(*claim);
        *claim = -1;
        return mo_fail(error, MOTE_ERROR_IO,
                       "%s: another run is writing there; wait for its end, or choose another directory",
                       path);
    }
    return MOTE_OK;
}

void mo_directory_leave(int claim)
{
    if (claim >= 0) {
        close(claim);
    }
}

static mote_status read_stream(const char *path, FILE *stream, char *data, size_t size, mote_error *error)
{
    if (fread(data, 1, size, stream) != size) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%.900s: could not be read to its end", path);
    }
    return MOTE_OK;
}

mote_status mo_file_read(const char *path, mo_memory *memory, char **data, size_t *size, mote_error *error)
{
    struct stat info;
    void *block;
    *data = NULL;
    if (stat(path, &info) != 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%.900s: cannot be opened: %s", path, strerror(errno));
    }
    if (!S_ISREG(info.st_mode)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%.900s: is not a file", path);
    }
    FILE *stream = fopen(path, "rbe");
    if (!stream) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%.900s: cannot be opened: %s", path, strerror(errno));
    }
    *size = (size_t)info.st_size;
    mote_status status = mo_allocate_array(memory, info.st_size + 1, 1, &block, error);
    if (status == MOTE_OK) {
        status = read_stream(path, stream, block, *size, error);
        *data = block;
    }
    if (status != MOTE_OK) {
        mo_release(memory, *data);
        *data = NULL;
    }
    fclose(stream);
    return status;
}
