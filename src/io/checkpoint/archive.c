#include "io/checkpoint/archive.h"

#include "base/crc.h"
#include "base/file.h"
#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zip.h>

/* ---- writing: PKWARE's APPNOTE 6.3.10, sections 4.3.7 to 4.3.16 ---- */

/*
 * Sizes and offsets are always in the 64-bit fields (zip64), so that large files need no special
 * case; the 32-bit fields are all ones. Date and time are constant, so that equal contents give
 * equal files.
 */
enum {
    BLOCK = 1 << 20, /* summed twice and written while it is in the cache */
    SMALL_MAX = 512, /* a header with its name */
    VERSION = 45,    /* 64-bit fields */
    UNIX = 3 << 8,
    UTF8 = 1 << 11,
    DATE = 1 << 5 | 1,
};

/* Little-endian header fields. */
typedef struct record {
    unsigned char bytes[SMALL_MAX];
    size_t size;
} record;

static void put(record *r, uint64_t value, int bytes)
{
    for (int k = 0; k < bytes; ++k) {
        r->bytes[r->size++] = (unsigned char)(value >> (8 * k));
    }
}

static void put_name(record *r, const char *name, size_t length)
{
    memcpy(r->bytes + r->size, name, length);
    r->size += length;
}

/* From the version to the length of the extra field: the same in both headers of a member. */
static void put_common(record *r, const mo_member *m, uint32_t crc, int extra)
{
    put(r, VERSION, 2);
    put(r, UTF8, 2);
    put(r, 0, 2); /* method: stored */
    put(r, 0, 2);
    put(r, DATE, 2);
    put(r, crc, 4);
    put(r, UINT32_MAX, 4);
    put(r, UINT32_MAX, 4);
    put(r, strlen(m->name), 2);
    put(r, (uint64_t)extra, 2);
}

static void put_sizes(record *r, const mo_member *m, int more)
{
    put(r, 1, 2);
    put(r, 16 + (uint64_t)more, 2);
    put(r, m->head_bytes + m->data_bytes, 8);
    put(r, m->head_bytes + m->data_bytes, 8);
}

static void fill_local(record *r, const mo_member *m, uint32_t crc)
{
    r->size = 0;
    put(r, 0x04034b50, 4);
    put_common(r, m, crc, 20);
    put_name(r, m->name, strlen(m->name));
    put_sizes(r, m, 0);
}

static void fill_central(record *r, const mo_member *m, uint32_t crc, uint64_t offset)
{
    r->size = 0;
    put(r, 0x02014b50, 4);
    put(r, UNIX | VERSION, 2);
    put_common(r, m, crc, 28);
    put(r, 0, 2); /* no comment */
    put(r, 0, 2); /* the first disk */
    put(r, 0, 2);
    put(r, UINT32_C(0100644) << 16, 4); /* permissions 0644 */
    put(r, UINT32_MAX, 4);
    put_name(r, m->name, strlen(m->name));
    put_sizes(r, m, 8);
    put(r, offset, 8);
}

/* The end records after the central directory, which is from `first` to `last`. */
static void fill_end(record *r, int count, uint64_t first, uint64_t last)
{
    r->size = 0;
    put(r, 0x06064b50, 4);
    put(r, 44, 8); /* bytes from here */
    put(r, UNIX | VERSION, 2);
    put(r, VERSION, 2);
    put(r, 0, 8); /* disks */
    put(r, (uint64_t)count, 8);
    put(r, (uint64_t)count, 8);
    put(r, last - first, 8);
    put(r, first, 8);
    put(r, 0x07064b50, 4); /* locator of this record */
    put(r, 0, 4);
    put(r, last, 8);
    put(r, 1, 4);
    put(r, 0x06054b50, 4); /* the end record of the original format */
    put(r, 0, 4);
    put(r, UINT16_MAX, 2);
    put(r, UINT16_MAX, 2);
    put(r, UINT32_MAX, 4);
    put(r, UINT32_MAX, 4);
    put(r, 0, 2);
}

typedef struct writing {
    mo_file file;
    uint64_t at;
    mote_error *error;
} writing;

/* Updates both CRCs; crc32c may be NULL. */
static mote_status append(writing *w, const void *data, size_t bytes, uint32_t *crc,
                          uint32_t *crc32c)
{
    for (size_t done = 0; done < bytes;) {
        size_t size = bytes - done < BLOCK ? bytes - done : BLOCK;
        const char *block = (const char *)data + done;
        *crc = mo_crc32(*crc, block, size);
        if (crc32c) {
            *crc32c = mo_crc32c(*crc32c, block, size);
        }
        MO_TRY(mo_file_write_at(&w->file, w->at, block, size, w->error));
        w->at += size;
        done += size;
    }
    return MOTE_OK;
}

/* The local header is written when the CRC is known. */
static mote_status write_member(writing *w, mo_member *m, uint32_t *crc)
{
    record r;
    uint64_t start = w->at;
    *crc = m->crc32c = 0;
    if (m->make) {
        MO_TRY(m->make(m, m->context, w->error));
    }
    fill_local(&r, m, 0);
    w->at += r.size;
    MO_TRY(append(w, m->head, m->head_bytes, crc, NULL));
    MO_TRY(append(w, m->data, m->data_bytes, crc, &m->crc32c));
    fill_local(&r, m, *crc);
    return mo_file_write_at(&w->file, start, r.bytes, r.size, w->error);
}

typedef struct entry {
    uint64_t offset;
    uint32_t crc;
} entry;

static mote_status write_members(writing *w, mo_member *members, int count, entry *entries)
{
    record r;
    for (int k = 0; k < count; ++k) {
        entries[k].offset = w->at;
        MO_TRY(write_member(w, &members[k], &entries[k].crc));
    }
    uint64_t first = w->at;
    for (int k = 0; k < count; ++k) {
        fill_central(&r, &members[k], entries[k].crc, entries[k].offset);
        MO_TRY(mo_file_write_at(&w->file, w->at, r.bytes, r.size, w->error));
        w->at += r.size;
    }
    fill_end(&r, count, first, w->at);
    return mo_file_write_at(&w->file, w->at, r.bytes, r.size, w->error);
}

mote_status mo_archive_write(const char *path, mo_member *members, int count, mote_error *error)
{
    writing w = {.error = error};
    entry *entries = mo_heap_allocate((size_t)count + 1, sizeof *entries);
    mote_status status = entries ? mo_file_create(path, &w.file, error)
                                 : mo_fail_memory(error, (size_t)count * sizeof *entries);
    if (status == MOTE_OK) {
        status = write_members(&w, members, count, entries);
        if (status == MOTE_OK) {
            status = mo_file_commit_synced(&w.file, error);
        } else {
            mo_file_abandon(&w.file);
        }
    }
    mo_heap_release(entries);
    return status;
}

/* ---- reading ---- */

struct mo_archive {
    zip_t *zip;
};

static mote_status open_source(zip_source_t *source, zip_error_t *problem, mo_archive **out,
                               mote_error *error)
{
    mo_archive *archive = source ? mo_heap_allocate(1, sizeof *archive) : NULL;
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
                         "it is not a complete zip archive (%s): truncated, damaged, or another "
                         "format",
                         zip_error_strerror(problem));
    if (source) {
        zip_source_free(source);
    }
    mo_heap_release(archive);
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
    mote_status status =
        open_source(zip_source_file_create(path, 0, -1, &problem), &problem, out, error);
    zip_error_fini(&problem);
    return status;
}

mote_status mo_archive_open_memory(const void *data, size_t bytes, mo_archive **out,
                                   mote_error *error)
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
        mo_heap_release(archive);
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
    const zip_uint64_t needed =
        ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_CRC;
    bool plain = (info.valid & needed) == needed && info.comp_method == ZIP_CM_STORE &&
                 info.comp_size == info.size && info.encryption_method == ZIP_EM_NONE;
    if (!plain) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "the member '%s' is compressed, encrypted or damaged; members must be stored "
            "uncompressed",
            name);
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

mote_status mo_archive_read(mo_archive *archive, const char *name, void *head, size_t head_bytes,
                            void *data, size_t data_bytes, mote_error *error)
{
    size_t size;
    MO_TRY(mo_archive_size(archive, name, &size, error));
    if (size != head_bytes + data_bytes) {
        return mo_fail(error, MOTE_ERROR_INPUT, "the member '%s' has %zu bytes, expected %zu", name,
                       size, head_bytes + data_bytes);
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
                          "the member '%s' is truncated or its CRC does not match", name);
}
