#include "plot/file.h"

#include "base/file.h"
#include "base/plain_numbers.h"

#include <errno.h>
#include <string.h>

mote_status plot_file_check(const plot_figure *figure, mote_error *error)
{
    const char *problem;
    mote_status status = plot_check(figure, &problem);
    return status == MOTE_OK ? MOTE_OK : mo_fail(error, status, "%s", problem);
}

mote_status plot_file_print(const plot_figure *figure, FILE *stream, const char *name,
                            plot_writer *write, mote_error *error)
{
    MO_TRY(plot_file_check(figure, error));
    mo_plain_numbers plain = mo_plain_numbers_begin();
    errno = 0;
    write(figure, stream);
    bool failed = fflush(stream) != 0 || ferror(stream);
    int code = errno ? errno : EIO;
    mo_plain_numbers_end(plain);
    return failed ? mo_fail(error, MOTE_ERROR_IO, "%s: %s", name, strerror(code)) : MOTE_OK;
}

mote_status plot_file_write(const plot_figure *figure, const char *path, plot_writer *write,
                            mote_error *error)
{
    mo_file file;
    MO_TRY(plot_file_check(figure, error));
    MO_TRY(mo_file_create(path, &file, error));
    mote_status status = plot_file_print(figure, file.stream, path, write, error);
    if (status != MOTE_OK) {
        mo_file_abandon(&file);
        return status;
    }
    return mo_file_commit(&file, error);
}
