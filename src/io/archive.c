#include "io/archive.h"

#include "base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zip.h>

/* ---- writing: libzip asks for bytes to be put into our own kind of file ---- */

enum { BUFFER = 1 << 20 };

typedef struct sink {
    FILE *stream;
    zip_error_t error;
} sink;

static zip_int64_t fail_sink(sink *s, int code)
{
    zip_error_set(&s->error, code, errno);
    return -1;
}

static zip_int64_t seek_sink(sink *s, void *data, zip_uint64_t length)
{
    const zip_source_args_seek_t *to = ZIP_SOURCE_GET_ARGS(zip_source_args_seek_t, data, length, &s->error);
    if (!to) {
        return -1;
    }
    return fseeko(s->stream, (off_t)to->offset, to->whence) == 0 ? 0 : fail_sink(s, ZIP_ER_SEEK);
}

static zip_int64_t serve_sink(void *user, void *data, zip_uint64_t length, zip_source_cmd_t command)
{
    sink *s = user;
    switch (command) {
    case ZIP_SOURCE_SUPPORTS:
        return zip_source_make_command_bitmap(
            ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR,
            ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, ZIP_SOURCE_BEGIN_WRITE,
            ZIP_SOURCE_COMMIT_WRITE, ZIP_SOURCE_ROLLBACK_WRITE, ZIP_SOURCE_WRITE, ZIP_SOURCE_SEEK_WRITE,
            ZIP_SOURCE_TELL_WRITE, ZIP_SOURCE_REMOVE, -1);
    case ZIP_SOURCE_STAT: /* there is nothing yet */
        errno = ENOENT;
        return fail_sink(s, ZIP_ER_READ);
    case ZIP_SOURCE_BEGIN_WRITE:
    case ZIP_SOURCE_COMMIT_WRITE: /* mo_file does that */
    case ZIP_SOURCE_ROLLBACK_WRITE:
    case ZIP_SOURCE_REMOVE:
    case ZIP_SOURCE_FREE:
        return 0;
    case ZIP_SOURCE_WRITE:
        return fwrite(data, 1, length, s->stream) == length ? (zip_int64_t)length
                                                            : fail_sink(s, ZIP_ER_WRITE);
    case ZIP_SOURCE_SEEK_WRITE:
        return seek_sink(s, data, length);
    case ZIP_SOURCE_TELL_WRITE:
        return ftello(s->stream);
    case ZIP_SOURCE_ERROR:
        return zip_error_to_data(&s->error, data, length);
    default:
        errno = EINVAL;
        return fail_sink(s, ZIP_ER_OPNOTSUPP);
    }
}

static bool add_member(zip_t *zip, const mo_member *m)
{
    zip_buffer_fragment_t parts[2] = {{(zip_uint8_t *)(uintptr_t)m->head, m->head_bytes},
                                      {(zip_uint8_t *)(uintptr_t)m->data, m->data_bytes}};
    zip_uint64_t count = m->data_bytes > 0 ? 2 : 1;
    zip_source_t *source = zip_source_buffer_fragment(zip, parts, count, 0);
    if (!source) {
        return false;
    }
    zip_int64_t index = zip_file_add(zip, m->name, source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
        zip_source_free(source);
        return false;
    }
    /* the same bytes for the same contents, whenever it is written */
    zip_file_set_dostime(zip, (zip_uint64_t)index, 0, 1 << 5 | 1, 0);
    return zip_set_file_compression(zip, (zip_uint64_t)index, ZIP_CM_STORE, 0) == 0;
}

static mote_status fail_write(const char *path, const zip_error_t *problem, mote_error *error)
{
    bool memory = zip_error_code_zip(problem) == ZIP_ER_MEMORY;
    zip_error_t copy = *problem;
    copy.str = NULL;
    mote_status status = mo_fail(error, memory ? MOTE_ERROR_MEMORY : MOTE_ERROR_IO,
                                 "%s: could not be written: %s; free some space or write to another disk",
                                 path, zip_error_strerror(&copy));
    zip_error_fini(&copy);
    return status;
}

static mote_status write_members(const char *path, FILE *stream, const mo_member *members, int count,
                                 mote_error *error)
{
    sink s = {.stream = stream};
    zip_error_t problem;
    zip_error_init(&s.error);
    zip_error_init(&problem);
    zip_source_t *source = zip_source_function_create(serve_sink, &s, &problem);
    zip_t *zip = source ? zip_open_from_source(source, ZIP_CREATE | ZIP_TRUNCATE, &problem) : NULL;
    bool good = zip != NULL;
    if (!zip && source) {
        zip_source_free(source);
    }
    for (int k = 0; k < count && good; ++k) {
        good = add_member(zip, &members[k]);
    }
    good = good && zip_close(zip) == 0;
    mote_status status = good ? MOTE_OK : fail_write(path, zip ? zip_get_error(zip) : &problem, error);
    if (zip && !good) {
        zip_discard(zip);
    }
    zip_error_fini(&problem);
    zip_error_fini(&s.error);
    return status;
}

mote_status mo_archive_write(const char *path, const mo_member *members, int count, mote_error *error)
{
    mo_file file;
    MO_TRY(mo_file_create(path, &file, error));
    setvbuf(file.stream, NULL, _IOFBF, BUFFER);
    mote_status status = write_members(path, file.stream, members, count, error);
    if (status != MOTE_OK) {
        mo_file_abandon(&file);
        return status;
    }
    return mo_file_commit(&file, error);
}

/* ---- reading ---- */

struct mo_archive {
    zip_t *zip;
};

static mote_status open_source(zip_source_t *source, zip_error_t *problem, mo_archive **out,
                               mote_error *error)
{
    mo_archive *archive = source ? calloc(1, sizeof *archive) : NULL;
    zip_t *zip = archive ? zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, problem) : NULL;
    if (zip) {
        archive->zip = zip;
        *out = archive;
        return MOTE_OK;
    }
    bool memory = (source && !archive) || zip_error_code_zip(problem) == ZIP_ER_MEMORY;
    mote_status status =
        memory ? mo_fail_memory(error, sizeof *archive)
               : mo_fail(error, MOTE_ERROR_INPUT,
                         "it is not a whole zip archive (%s): cut off, damaged, or something else",
                         zip_error_strerror(problem));
    if (source) {
        zip_source_free(source);
    }
    free(archive);
    return status;
}

mote_status mo_archive_open(const char *path, mo_archive **out, mote_error *error)
{
    struct stat info;
    zip_error_t problem;
    if (stat(path, &info) != 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "it cannot be opened: %s", strerror(errno));
    }
    if (!S_ISREG(info.st_mode)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "it is not a file");
    }
    zip_error_init(&problem);
    mote_status status = open_source(zip_source_file_create(path, 0, -1, &problem), &problem, out, error);
    zip_error_fini(&problem);
    return status;
}

mote_status mo_archive_open_memory(const void *data, size_t bytes, mo_archive **out, mote_error *error)
{
    zip_error_t problem;
    zip_error_init(&problem);
    mote_status status =
        open_source(zip_source_buffer_create(data, bytes, 0, &problem), &problem, out, error);
    zip_error_fini(&problem);
    return status;
}

void mo_archive_close(mo_archive *archive)
{
    if (archive) {
        zip_discard(archive->zip);
        free(archive);
    }
}

bool mo_archive_has(mo_archive *archive, const char *name)
{
    return zip_name_locate(archive->zip, name, 0) >= 0;
}

mote_status mo_archive_size(mo_archive *archive, const char *name, size_t *bytes, mote_error *error)
{
    zip_stat_t info;
    if (zip_stat(archive->zip, name, 0, &info) != 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "the member '%s' is missing", name);
    }
    const zip_uint64_t needed = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_CRC;
    bool plain = (info.valid & needed) == needed && info.comp_method == ZIP_CM_STORE &&
                 info.comp_size == info.size && info.encryption_method == ZIP_EM_NONE;
    if (!plain) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "the member '%s' is compressed, encrypted or damaged; members must be stored as they are", name);
    }
    *bytes = info.size;
    return MOTE_OK;
}

static bool read_all(zip_file_t *file, void *to, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        zip_int64_t got = zip_fread(file, (char *)to + done, bytes - done);
        if (got <= 0) {
            return false;
        }
        done += (size_t)got;
    }
    return true;
}

mote_status mo_archive_read(mo_archive *archive, const char *name, void *head, size_t head_bytes, void *data,
                            size_t data_bytes, mote_error *error)
{
    size_t size;
    MO_TRY(mo_archive_size(archive, name, &size, error));
    if (size != head_bytes + data_bytes) {
        return mo_fail(error, MOTE_ERROR_INPUT, "the member '%s' has %zu bytes and not %zu", name, size,
                       head_bytes + data_bytes);
    }
    zip_file_t *file = zip_fopen(archive->zip, name, 0);
    char beyond;
    /* reading past the end makes libzip compare the CRC */
    bool good = file && read_all(file, head, head_bytes) && read_all(file, data, data_bytes) &&
                zip_fread(file, &beyond, 1) == 0;
    if (file) {
        good = zip_fclose(file) == 0 && good;
    }
    return good ? MOTE_OK
                : mo_fail(error, MOTE_ERROR_INPUT,
                          "the member '%s' cannot be read to its end with the right CRC", name);
}
