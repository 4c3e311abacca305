#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PATH_LENGTH = sizeof((mo_file *)0)->path, TAG_DIGITS = 8 };

/* The remedy for an error number. */
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
        return "create the directory first, or correct the path";
    case ENOTDIR:
        return "a part of the path is a file where a directory is needed";
    case EIO:
        return "a write failed: the disk may be full or damaged";
    default:
        return "check the path and the disk";
    }
}

static mote_status fail(mote_error *error, const char *path, const char *what, int code)
{
    return mo_fail(error, MOTE_ERROR_IO, "%s: %s: %s; %s", path, what, strerror(code),
                   remedy(code));
}

static mote_status copy_path(const char *path, char *copy, size_t size, mote_error *error)
{
    size_t length = strlen(path);
    if (length == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "the path is empty; give a name");
    }
    if (length >= size) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "%.60s...: the path has %zu characters; at most %zu are allowed", path,
                       length, size - 1);
    }
    memcpy(copy, path, length + 1);
    return MOTE_OK;
}

/* The directory of a path; `directory` has PATH_LENGTH bytes. */
static const char *directory_of(const char *path, char *directory)
{
    snprintf(directory, PATH_LENGTH, "%s", path);
    char *slash = strrchr(directory, '/');
    if (slash) {
        slash[slash == directory] = '\0'; /* the root keeps its slash */
    } else {
        strcpy(directory, ".");
    }
    return directory;
}

/* ---- temporary names: FILE.xxxxxxxx.tmp with eight random hexadecimal digits ---- */

static void name_temporary(const char *path, const char *ending, char *out, size_t size)
{
    uint32_t tag = 0;
    if (getrandom(&tag, sizeof tag, GRND_NONBLOCK) != (ssize_t)sizeof tag) {
        tag = (uint32_t)getpid(); /* O_EXCL makes it unique, randomness only avoids retries */
    }
    snprintf(out, size, "%s.%08x.tmp%s", path, tag, ending);
}

/* Creates a file exclusively: never an existing one, never through a symbolic link. The lock marks
 * its writer as alive. Returns the descriptor, or -1. */
static int create_exclusively(const char *path, const char *ending, char *temporary, size_t size)
{
    enum { TRIES = 100 };
    int descriptor = -1;
    for (int k = 0; k < TRIES && descriptor < 0 && (k == 0 || errno == EEXIST); ++k) {
        name_temporary(path, ending, temporary, size);
        descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    }
    if (descriptor < 0) {
        temporary[0] = '\0';
    } else {
        (void)flock(descriptor, LOCK_EX | LOCK_NB);
    }
    return descriptor;
}

/* The rename would replace a device or a pipe just as it replaces a file. */
static mote_status check_replaceable(const char *path, mote_error *error)
{
    struct stat there;
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode)) {
        return mo_fail(error, MOTE_ERROR_IO, "%s: is not a regular file; choose another name",
                       path);
    }
    return MOTE_OK;
}

mote_status mo_file_create(const char *path, mo_file *file, mote_error *error)
{
    *file = (mo_file){0};
    MO_TRY(copy_path(path, file->path, sizeof file->path, error));
    MO_TRY(check_replaceable(path, error));
    int descriptor = create_exclusively(path, "", file->temporary, sizeof file->temporary);
    if (descriptor < 0) {
        return fail(error, path, "could not be created", errno);
    }
    file->stream = fdopen(descriptor, "wb");
    if (!file->stream) {
        close(descriptor);
        unlink(file->temporary);
        return mo_fail_memory(error, BUFSIZ);
    }
    return MOTE_OK;
}

mote_status mo_file_reserve(const char *path, const char *ending, char *temporary, size_t size,
                            int *lock, mote_error *error)
{
    MO_TRY(check_replaceable(path, error));
    *lock = create_exclusively(path, ending, temporary, size);
    return *lock >= 0 ? MOTE_OK : fail(error, path, "could not be created", errno);
}

/* "PREFIX...xxxxxxxx.tmp", or that with an extension. */
static bool is_temporary(const char *name, const char *prefix)
{
    size_t head = strlen(prefix);
    const char *tail = NULL;
    for (const char *at = strstr(name, ".tmp"); at; at = strstr(at + 1, ".tmp")) {
        tail = at;
    }
    return tail && (tail[4] == '\0' || tail[4] == '.') && tail - name > TAG_DIGITS &&
           (size_t)(tail - name) >= head + TAG_DIGITS && strncmp(name, prefix, head) == 0 &&
           tail[-TAG_DIGITS - 1] == '.' &&
           strspn(tail - TAG_DIGITS, "0123456789abcdef") == TAG_DIGITS;
}

/* Removes a file whose writer has exited: a lock is released with its process. */
static void remove_if_abandoned(int directory, const char *name)
{
    int descriptor = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor >= 0) {
        if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
            (void)unlinkat(directory, name, 0);
        }
        close(descriptor);
    }
}

void mo_file_sweep(const char *prefix)
{
    char directory[PATH_LENGTH];
    DIR *stream = opendir(directory_of(prefix, directory));
    if (!stream) {
        return;
    }
    const char *slash = strrchr(prefix, '/');
    for (struct dirent *entry = readdir(stream); entry; entry = readdir(stream)) {
        if (is_temporary(entry->d_name, slash ? slash + 1 : prefix)) {
            remove_if_abandoned(dirfd(stream), entry->d_name);
        }
    }
    closedir(stream);
}

/* ---- writing ---- */

mote_status mo_file_write_at(mo_file *file, uint64_t offset, const void *data, size_t bytes,
                             mote_error *error)
{
    int descriptor = fileno(file->stream);
    for (size_t done = 0; done < bytes;) {
        ssize_t some =
            pwrite(descriptor, (const char *)data + done, bytes - done, (off_t)(offset + done));
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

/* Flushes all data to the system, with `sync` to the disk, and closes the stream; 0 or an errno. */
static int finish_stream(FILE *stream, bool sync)
{
    /* the reason of an earlier failure is lost, unless buffered data fails again */
    int code = ferror(stream) ? EIO : 0;
    if (fflush(stream) != 0) {
        code = errno;
    } else if (sync && fsync(fileno(stream)) != 0 &&
               errno != EINVAL) { /* EINVAL: sync is not supported here */
        code = errno;
    }
    if (fclose(stream) != 0 && code == 0) {
        code = errno;
    }
    return code;
}

/* Makes a rename durable across a power failure. The file is complete either way, so a failure is
 * not an error. */
static void sync_directory_of(const char *path)
{
    char directory[PATH_LENGTH];
    int descriptor = open(directory_of(path, directory), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        (void)fsync(descriptor);
        close(descriptor);
    }
}

static mote_status commit(mo_file *file, bool sync, mote_error *error)
{
    MOTE_ASSERT(file->stream);
    /* a second descriptor keeps the lock until the rename, so that a sweep does not treat it as
     * abandoned */
    int lock = fcntl(fileno(file->stream), F_DUPFD_CLOEXEC, 0);
    int code = finish_stream(file->stream, sync);
    file->stream = NULL;
    if (code == 0 && rename(file->temporary, file->path) != 0) {
        code = errno;
    }
    if (code != 0) {
        unlink(file->temporary);
    }
    if (lock >= 0) {
        close(lock);
    }
    return code == 0 ? MOTE_OK : fail(error, file->path, "could not be written", code);
}

mote_status mo_file_commit(mo_file *file, mote_error *error)
{
    return commit(file, false, error);
}

mote_status mo_file_commit_synced(mo_file *file, mote_error *error)
{
    MO_TRY(commit(file, true, error));
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

/* ---- directories ---- */

static mote_status fail_no_directory(const char *path, mote_error *error)
{
    return mo_fail(error, MOTE_ERROR_IO, "%s: is a file, not a directory; choose another directory",
                   path);
}

static mote_status create_one(const char *path, mote_error *error)
{
    struct stat there;
    int code = mkdir(path, 0777) == 0 ? 0 : errno;
    /* systems report various errors for an existing directory */
    if (code == 0 || (stat(path, &there) == 0 && S_ISDIR(there.st_mode))) {
        return MOTE_OK;
    }
    if (code == EEXIST) {
        return fail_no_directory(path, error);
    }
    return fail(error, path, "the directory could not be created", code);
}

mote_status mo_directory_check(const char *path, mote_error *error)
{
    char part[PATH_LENGTH], above[PATH_LENGTH];
    struct stat there;
    MO_TRY(copy_path(path, part, sizeof part, error));
    /* up to the first existing ancestor, in which the others would be created */
    while (stat(part, &there) != 0 && errno == ENOENT && strcmp(part, ".") != 0) {
        memcpy(part, directory_of(part, above), strlen(above) + 1);
    }
    if (stat(part, &there) == 0 && !S_ISDIR(there.st_mode)) {
        return fail_no_directory(part, error);
    }
    return access(part, W_OK | X_OK) == 0
               ? MOTE_OK
               : fail(error, part, "the directory cannot be written", errno);
}

mote_status mo_directory_create(const char *path, mote_error *error)
{
    char part[PATH_LENGTH];
    MO_TRY(copy_path(path, part, sizeof part, error));
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        MO_TRY(create_one(part, error));
        *slash = '/';
    }
    return create_one(part, error);
}

/* Retries for two seconds. */
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
        return mo_fail(
            error, MOTE_ERROR_IO,
            "%s: another run is writing there; wait until it ends, or choose another directory",
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

mote_status mo_directory_sync(const char *path, mote_error *error)
{
    int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) {
        return fail(error, path, "could not be synced", errno);
    }
#if defined(__linux__)
    int code = syncfs(descriptor) == 0 ? 0 : errno;
#else
    int code = 0;
    sync();
#endif
    close(descriptor);
    return code == 0 || code == EINVAL || code == ENOSYS
               ? MOTE_OK
               : fail(error, path, "could not be synced", code);
}

/* ---- reading ---- */

static mote_status read_stream(const char *path, FILE *stream, char *data, size_t size,
                               mote_error *error)
{
    if (fread(data, 1, size, stream) != size) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%.900s: could not be read to its end", path);
    }
    return MOTE_OK;
}

mote_status mo_file_read(const char *path, mo_memory *memory, char **data, size_t *size,
                         mote_error *error)
{
    struct stat info;
    void *block;
    *data = NULL;
    if (stat(path, &info) != 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%.900s: cannot be opened: %s", path,
                       strerror(errno));
    }
    if (!S_ISREG(info.st_mode)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%.900s: is not a file", path);
    }
    FILE *stream = fopen(path, "rbe");
    if (!stream) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%.900s: cannot be opened: %s", path,
                       strerror(errno));
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
