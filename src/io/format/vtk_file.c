#include "io/format/vtk_file.h"

#include "base/plain_numbers.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the numbers are written as they lie in memory, which must be little-endian"
#endif

/* Uncompressed bytes of a block: a multiple of every value size that fits into the cache. */
enum { BLOCK = 1 << 17 };

static mote_status fail_stream(mote_error *error)
{
    return mo_fail(
        error, MOTE_ERROR_IO,
        "the file could not be written: %s; it needs a file (not a pipe) on a disk with space left",
        strerror(errno ? errno : EIO));
}

static void fill_copy(const mo_vtk_array *array, int64_t first, int64_t last, void *out)
{
    memcpy(out, (const char *)array->source + (size_t)first * array->size,
           (size_t)(last - first) * array->size);
}

static void fill_single(const mo_vtk_array *array, int64_t first, int64_t last, void *out)
{
    const double *source = array->source;
    float *single = out;
    for (int64_t k = first; k < last; ++k) {
        single[k - first] = (float)source[k];
    }
}

static void fill_progression(const mo_vtk_array *array, int64_t first, int64_t last, void *out)
{
    for (int64_t k = first; k < last; ++k) {
        int64_t value = array->start + k * array->step;
        if (array->size == sizeof(int32_t)) {
            ((int32_t *)out)[k - first] = (int32_t)value;
        } else {
            ((int64_t *)out)[k - first] = value;
        }
    }
}

mo_vtk_array mo_vtk_column(const mote_column *column, bool single)
{
    static const struct {
        const char *name;
        size_t size;
    } TYPES[] = {[MOTE_F64] = {"Float64", sizeof(double)},
                 [MOTE_F32] = {"Float32", sizeof(float)},
                 [MOTE_I64] = {"Int64", sizeof(int64_t)},
                 [MOTE_I32] = {"Int32", sizeof(int32_t)},
                 [MOTE_U8] = {"UInt8", sizeof(uint8_t)}};
    bool shorten = single && column->type == MOTE_F64;
    mote_type type = shorten ? MOTE_F32 : column->type;
    return (mo_vtk_array){.name = column->name,
                          .type = TYPES[type].name,
                          .components = column->components,
                          .size = TYPES[type].size,
                          .count = column->rows * column->components,
                          .fill = shorten ? fill_single : fill_copy,
                          .source = column->data};
}

mo_vtk_array mo_vtk_rows(const char *name, const int32_t *rows, int64_t count)
{
    return (mo_vtk_array){.name = name,
                          .type = "Int32",
                          .components = 1,
                          .size = sizeof(int32_t),
                          .count = count,
                          .fill = fill_copy,
                          .source = rows};
}

mo_vtk_array mo_vtk_progression(const char *name, int64_t start, int64_t step, int64_t count)
{
    bool wide = start + step * count > INT32_MAX;
    return (mo_vtk_array){.name = name,
                          .type = wide ? "Int64" : "Int32",
                          .components = 1,
                          .size = wide ? sizeof(int64_t) : sizeof(int32_t),
                          .count = count,
                          .fill = fill_progression,
                          .start = start,
                          .step = step};
}

void mo_vtk_text(FILE *stream, const char *text)
{
    for (; *text; ++text) {
        const char *escaped = *text == '&'   ? "&amp;"
                              : *text == '<' ? "&lt;"
                              : *text == '>' ? "&gt;"
                              : *text == '"' ? "&quot;"
                                             : NULL;
        if (escaped) {
            fputs(escaped, stream);
        } else {
            fputc(*text, stream);
        }
    }
}

/* With round-trip precision and a decimal point in any locale. */
void mo_vtk_time(FILE *stream, double time)
{
    mo_plain_numbers numbers = mo_plain_numbers_begin();
    char text[32];
    snprintf(text, sizeof text, "%.15g", time);
    fprintf(stream, "%.*g", strtod(text, NULL) == time ? 15 : 17, time);
    mo_plain_numbers_end(numbers);
}

void mo_vtk_tag(FILE *stream, const mo_vtk_array *array)
{
    char offset[24];
    snprintf(offset, sizeof offset, "\"%" PRId64 "\"", array->offset);
    fprintf(stream, "        <DataArray type=\"%s\" Name=\"", array->type);
    mo_vtk_text(stream, array->name);
    fprintf(stream, "\" NumberOfComponents=\"%d\" format=\"appended\" offset=%-22s/>\n",
            array->components, offset);
}

typedef struct block_packer {
    mo_memory *memory;
    FILE *stream;
    z_stream zip;
    void *plain; /* a block before and after compression */
    unsigned char *packed;
    size_t packed_size;
} block_packer;

static void *allocate_for_zlib(void *memory, unsigned count, unsigned size)
{
    return mo_allocate(memory, (size_t)count * size);
}

static void release_for_zlib(void *memory, void *block)
{
    mo_release(memory, block);
}

static mote_status packer_init(block_packer *packer, mo_memory *memory, FILE *stream, int level,
                               mote_error *error)
{
    *packer = (block_packer){.memory = memory, .stream = stream};
    packer->zip.zalloc = allocate_for_zlib;
    packer->zip.zfree = release_for_zlib;
    packer->zip.opaque = memory;
    if (deflateInit(&packer->zip, level) != Z_OK) {
        return mo_fail(error, MOTE_ERROR_MEMORY, "out of memory: zlib could not start");
    }
    packer->packed_size = deflateBound(&packer->zip, BLOCK);
    packer->plain = mo_allocate(memory, BLOCK);
    packer->packed = mo_allocate(memory, packer->packed_size);
    return packer->plain && packer->packed ? MOTE_OK
                                           : mo_fail_memory(error, BLOCK + packer->packed_size);
}

static void packer_release(block_packer *packer)
{
    deflateEnd(&packer->zip);
    mo_release(packer->memory, packer->plain);
    mo_release(packer->memory, packer->packed);
}

/* Writes the block and returns its compressed size. */
static uint64_t write_block(block_packer *packer, size_t bytes)
{
    z_stream *zip = &packer->zip;
    zip->next_in = packer->plain;
    zip->avail_in = (uInt)bytes;
    zip->next_out = packer->packed;
    zip->avail_out = (uInt)packer->packed_size;
    int done = deflate(zip, Z_FINISH);
    MOTE_ASSERT(done == Z_STREAM_END);
    (void)done;
    uint64_t size = zip->total_out;
    deflateReset(zip);
    fwrite(packer->packed, 1, size, packer->stream);
    return size;
}

/* The table: the number of blocks, the size of a block, the size of the last one if it is smaller
 * (else 0), then the compressed size of each. */
static void write_blocks(block_packer *packer, const mo_vtk_array *array, uint64_t *table)
{
    int64_t most = (int64_t)(BLOCK / array->size);
    for (uint64_t block = 0; block < table[0]; ++block) {
        int64_t first = (int64_t)block * most;
        int64_t last = array->count - first < most ? array->count : first + most;
        array->fill(array, first, last, packer->plain);
        table[3 + block] = write_block(packer, (size_t)(last - first) * array->size);
    }
}

static mote_status write_array(block_packer *packer, const mo_vtk_array *array, mote_error *error)
{
    uint64_t bytes = (uint64_t)array->count * array->size;
    uint64_t blocks = (bytes + BLOCK - 1) / BLOCK;
    void *memory;
    MO_TRY(
        mo_allocate_array(packer->memory, (int64_t)(3 + blocks), sizeof(uint64_t), &memory, error));
    uint64_t *table = memory;
    table[0] = blocks;
    table[1] = BLOCK;
    table[2] = bytes % BLOCK;
    FILE *stream = packer->stream;
    off_t begin = ftello(stream);
    fwrite(table, sizeof *table, 3 + blocks, stream);
    write_blocks(packer, array, table);
    off_t end = ftello(stream);
    bool good = begin >= 0 && end >= 0 && fseeko(stream, begin, SEEK_SET) == 0 &&
                fwrite(table, sizeof *table, 3 + blocks, stream) == 3 + blocks &&
                fseeko(stream, end, SEEK_SET) == 0 && !ferror(stream);
    mo_release(packer->memory, table);
    return good ? MOTE_OK : fail_stream(error);
}

static mote_status write_arrays(mo_vtk_document *d, mo_memory *memory, FILE *stream,
                                mote_error *error)
{
    block_packer packer;
    off_t begin = ftello(stream);
    mote_status status = packer_init(&packer, memory, stream, d->compression, error);
    for (int k = 0; k < d->array_count && status == MOTE_OK; ++k) {
        d->arrays[k].offset = ftello(stream) - begin;
        status = write_array(&packer, &d->arrays[k], error);
    }
    packer_release(&packer);
    return status;
}

static mote_status check_singles(const mo_vtk_document *document, mote_error *error)
{
    for (int k = 0; k < document->array_count; ++k) {
        const mo_vtk_array *a = &document->arrays[k];
        if (a->fill == fill_single) {
            MO_TRY(mo_format_check_single(a->name, a->source, a->count, a->components, error));
        }
    }
    return MOTE_OK;
}

mote_status mo_vtk_write(mo_vtk_document *document, mo_memory *memory, FILE *stream,
                         mote_error *error)
{
    MO_TRY(check_singles(document, error));
    off_t begin = ftello(stream);
    document->head(document, stream);
    fputs("  <AppendedData encoding=\"raw\">\n_", stream);
    MO_TRY(write_arrays(document, memory, stream, error));
    fputs("\n  </AppendedData>\n</VTKFile>\n", stream);
    off_t end = ftello(stream);
    if (begin < 0 || end < 0 || fseeko(stream, begin, SEEK_SET) != 0) {
        return fail_stream(error);
    }
    document->head(document, stream);
    if (fseeko(stream, end, SEEK_SET) != 0 || fflush(stream) != 0 || ferror(stream)) {
        return fail_stream(error);
    }
    return MOTE_OK;
}

/* The index of a system in the order of occurrence; appended if new. */
static int64_t part_of(const char *system, const char **systems, int64_t *count)
{
    int64_t part = 0;
    while (part < *count && strcmp(systems[part], system) != 0) {
        ++part;
    }
    if (part == *count) {
        systems[(*count)++] = system;
    }
    return part;
}

static void write_entry(const mo_series_entry *entry, int64_t part, FILE *stream)
{
    fputs("    <DataSet timestep=\"", stream);
    mo_vtk_time(stream, entry->time);
    fprintf(stream, "\" group=\"\" part=\"%" PRId64 "\" name=\"", part);
    mo_vtk_text(stream, entry->system);
    fputs("\" file=\"", stream);
    mo_vtk_text(stream, entry->file);
    fputs("\"/>\n", stream);
}

/* ParaView's collection: the same part at different times is one moving object. */
mote_status mo_vtk_write_index(const mo_series_entry *entries, int64_t count, mo_memory *memory,
                               FILE *stream, mote_error *error)
{
    int64_t system_count = 0;
    void *block;
    MO_TRY(mo_allocate_array(memory, count, sizeof(const char *), &block, error));
    const char **systems = block;
    fputs(
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n  <Collection>\n",
        stream);
    for (int64_t k = 0; k < count; ++k) {
        write_entry(&entries[k], part_of(entries[k].system, systems, &system_count), stream);
    }
    fputs("  </Collection>\n</VTKFile>\n", stream);
    mo_release(memory, block);
    return fflush(stream) == 0 && !ferror(stream) ? MOTE_OK : fail_stream(error);
}
