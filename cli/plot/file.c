#include "plot/file.h"

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static mote_status fail(mote_error *error, mote_status status, const char *subject, const char *problem)
{
    if (error) {
        error->status = status;
        snprintf(error->text, sizeof error->text, "%.1500s%s%s", subject, subject[0] ? ": " : "", problem);
    }
    return status;
}

static mote_status fail_memory(mote_error *error)
{
    return fail(error, MOTE_ERROR_MEMORY, "", "out of memory: the figure could not be written");
}

static mote_status check(const plot_figure *figure, mote_error *error)
{
    const char *problem;
    mote_status status = plot_check(figure, &problem);
    return status == MOTE_OK ? MOTE_OK : fail(error, status, "", problem);
}

mote_status plot_file_print(const plot_figure *figure, FILE *stream, const char *name, plot_writer *write,
                            mote_error *error)
{
    mote_status status = check(figure, error);
    if (status != MOTE_OK) {
        return status;
    }
    /* of this thread alone, and only while it writes */
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (!plain) {
        return fail_memory(error);
    }
    locale_t usual = uselocale(plain);
    errno = 0;
    write(figure, stream);
    bool failed = fflush(stream) != 0 || ferror(stream);
    int code = errno ? errno : EIO;
    uselocale(usual);
    freelocale(plain);
    return failed ? fail(error, MOTE_ERROR_IO, name, strerror(code)) : MOTE_OK;
}

/* Renames what was written; on any failure takes it away. */
static mote_status finish(mote_status status, const char *temporary, const char *path, mote_error *error)
{
    if (status == MOTE_OK && rename(temporary, path) != 0) {
        status = fail(error, MOTE_ERROR_IO, path, strerror(errno));
    }
    if (status != MOTE_OK) {
        unlink(temporary);
    }
    return status;
}

static mote_status write_temporary(const plot_figure *figure, const char *temporary, const char *path,
                                   plot_writer *write, mote_error *error)
{
    FILE *stream = fopen(temporary, "wbe");
    if (!stream) {
        return fail(error, MOTE_ERROR_IO, path, strerror(errno));
    }
    mote_status status = plot_file_print(figure, stream, path, write, error);
    if (fclose(stream) != 0 && status == MOTE_OK) {
        status = fail(error, MOTE_ERROR_IO, path, strerror(errno));
    }
    return finish(status, temporary, path, error);
}

mote_status plot_file_write(const plot_figure *figure, const char *path, plot_writer *write,
                            mote_error *error)
{
    mote_status status = check(figure, error);
    if (status != MOTE_OK) {
        return status;
    }
    if (!path[0]) {
        return fail(error, MOTE_ERROR_INPUT, "", "the path is empty; give a name");
    }
    /* the rename would replace a device just as it replaces a file */
    struct stat there;
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode)) {
        return fail(error, MOTE_ERROR_IO, path, "is not a regular file; choose another name");
    }
    static const char SUFFIX[] = ".tmp";
    size_t length = strlen(path);
    char *temporary = malloc(length + sizeof SUFFIX);
    if (!temporary) {
        return fail_memory(error);
    }
    memcpy(temporary, path, length);
    memcpy(temporary + length, SUFFIX, sizeof SUFFIX);
    status = write_temporary(figure, temporary, path, write, error);
    free(temporary);
    return status;
}
