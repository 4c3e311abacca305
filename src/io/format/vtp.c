/*
 * VTK's XML PolyData, for ParaView and everything built on VTK. Kitware, "The VTK User's Guide", "VTK File
 * Formats"; the binary part is described in Kitware's wiki, "VTK XML Formats".
 *
 * The numbers follow the XML as raw bytes, each array cut into blocks of which each is compressed by itself.
 * The XML in front of them says where an array begins, and a table in front of an array says how large its
 * compressed blocks are. Neither is known before the bytes are written. So both are written twice, with room
 * for the largest number: a frame is never held in memory a second time.
 */
#include "io/format/format.h"

#include "base/plain_numbers.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the numbers are written as they lie in memory, which must be little-endian"
#endif

/* Uncompressed bytes of a block: a multiple of every number's size, and small enough for the cache. */
enum { BLOCK = 1 << 17 };

typedef struct vtp {
    int64_t compression;
    bool single;
} vtp;

static const mo_param PARAMS[] = {
    {"compression", MO_INT, MO_FIELD(vtp, compression), .initial = "1", .range = "[0, 9]",
     .doc = "The zlib level: 0 stores, 1 is fast, 9 is small."},
    {"single", MO_BOOL, MO_FIELD(vtp, single), .initial = "true",
     .doc = "Real numbers in single precision; false keeps double precision, in larger files."},
    {0}};

/* An array of the file. Its numbers are made a block at a time. */
typedef struct data_array {
    const char *name, *type;
    int components;
    size_t size;   /* bytes of a number */
    int64_t count; /* numbers */
    void (*fill)(const struct data_array *array, int64_t first, int64_t last, void *out);
    const void *source;  /* for copies */
    int64_t start, step; /* for progressions */
    int64_t offset;      /* where it begins, from the beginning of the numbers */
} data_array;

typedef struct cells {
    const char *kind;
    int64_t count;
} cells;

enum { VERTS, LINES, POLYS, CELL_KINDS };

typedef struct poly_data {
    const mo_frame *frame;
    cells cells[CELL_KINDS];
    int32_t *loose; /* the rows that no line and no triangle shows */
    int array_count;
    data_array *arrays; /* the fields, the places, then connectivity and offsets of each kind of cells */
} poly_data;

static mote_status fail_stream(mote_error *error)
{
    return mo_fail(
        error, MOTE_ERROR_IO,
        "the vtp file could not be written: %s; it needs a file (not a pipe) on a disk with space left",
        strerror(errno ? errno : EIO));
}

static void fill_copy(const data_array *array, int64_t first, int64_t last, void *out)
{
    memcpy(out, (const char *)array->source + (size_t)first * array->size,
           (size_t)(last - first) * array->size);
}

static void fill_single(const data_array *array, int64_t first, int64_t last, void *out)
{
    const double *source = array->source;
    float *single = out;
    for (int64_t k = first; k < last; ++k) {
        single[k - first] = (float)source[k];
    }
}

static void fill_progression(const data_array *array, int64_t first, int64_t last, void *out)
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

static data_array column_array(const mote_column *column, bool single)
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
    return (data_array){.name = column->name,
                        .type = TYPES[type].name,
                        .components = column->components,
                        .size = TYPES[type].size,
                        .count = column->rows * column->components,
                        .fill = shorten ? fill_single : fill_copy,
                        .source = column->data};
}

static data_array row_array(const char *name, const int32_t *rows, int64_t count)
{
    return (data_array){.name = name,
                        .type = "Int32",
                        .components = 1,
                        .size = sizeof(int32_t),
                        .count = count,
                        .fill = fill_copy,
                        .source = rows};
}

static data_array progression_array(const char *name, int64_t start, int64_t step, int64_t count)
{
    bool wide = start + step * count > INT32_MAX;
    return (data_array){.name = name,
                        .type = wide ? "Int64" : "Int32",
                        .components = 1,
                        .size = wide ? sizeof(int64_t) : sizeof(int32_t),
                        .count = count,
                        .fill = fill_progression,
                        .start = start,
                        .step = step};
}

static void add_array(poly_data *document, data_array array)
{
    document->arrays[document->array_count++] = array;
}

static void mark_shown(bool *shown, const int32_t *used, int64_t count)
{
    for (int64_t k = 0; k < count; ++k) {
        shown[used[k]] = true;
    }
}

/* Lists the rows that no line and no triangle uses, so that they can be shown as points. */
static mote_status list_loose(poly_data *document, mote_error *error)
{
    int64_t rows = document->frame->rows, count = 0;
    MOTE_ASSERT(rows <= INT32_MAX);
    bool *shown = calloc((size_t)rows + 1, sizeof *shown);
    document->loose = malloc(((size_t)rows + 1) * sizeof *document->loose);
    if (!shown || !document->loose) {
        free(shown);
        return mo_fail_memory(error, ((size_t)rows + 1) * sizeof *document->loose);
    }
    mark_shown(shown, document->frame->edges, 2 * document->frame->edge_count);
    mark_shown(shown, document->frame->triangles, 3 * document->frame->triangle_count);
    for (int64_t row = 0; row < rows; ++row) {
        document->loose[count] = (int32_t)row;
        count += !shown[row];
    }
    free(shown);
    document->cells[VERTS].count = count;
    return MOTE_OK;
}

/* `count` cells of `corners` rows each. */
static void add_cell_arrays(poly_data *document, const int32_t *rows, int corners, int64_t count)
{
    add_array(document, row_array("connectivity", rows, corners * count));
    add_array(document, progression_array("offsets", corners, corners, count));
}

/* Points for the rows that nothing else shows, lines, triangles. */
static mote_status add_cells(poly_data *document, mote_error *error)
{
    const mo_frame *frame = document->frame;
    document->cells[VERTS] = (cells){"Verts", 0};
    document->cells[LINES] = (cells){"Lines", frame->edge_count};
    document->cells[POLYS] = (cells){"Polys", frame->triangle_count};
    MO_TRY(list_loose(document, error));
    add_cell_arrays(document, document->loose, 1, document->cells[VERTS].count);
    add_cell_arrays(document, frame->edges, 2, frame->edge_count);
    add_cell_arrays(document, frame->triangles, 3, frame->triangle_count);
    return MOTE_OK;
}

static mote_status lay_out(poly_data *document, const vtp *options, mote_error *error)
{
    const mo_frame *frame = document->frame;
    size_t bytes = ((size_t)frame->field_count + 1 + 2 * CELL_KINDS) * sizeof *document->arrays;
    document->arrays = malloc(bytes);
    if (!document->arrays) {
        return mo_fail_memory(error, bytes);
    }
    for (int k = 0; k < frame->field_count; ++k) {
        MOTE_ASSERT(frame->fields[k].rows == frame->rows);
        add_array(document, column_array(&frame->fields[k], options->single));
    }
    mote_column places = {"Points", "m", MOTE_F64, 3, frame->rows, (void *)frame->x};
    add_array(document, column_array(&places, options->single));
    return add_cells(document, error);
}

static void write_text(FILE *stream, const char *text)
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

/* With as many digits as it takes to get the same number back, and a point whatever the user's locale. */
static void write_time(FILE *stream, double time)
{
    mo_plain_numbers numbers = mo_plain_numbers_begin();
    char text[32];
    snprintf(text, sizeof text, "%.15g", time);
    fprintf(stream, "%.*g", strtod(text, NULL) == time ? 15 : 17, time);
    mo_plain_numbers_end(numbers);
}

static void write_array_tag(FILE *stream, const data_array *array)
{
    char offset[24];
    snprintf(offset, sizeof offset, "\"%" PRId64 "\"", array->offset);
    fprintf(stream, "        <DataArray type=\"%s\" Name=\"", array->type);
    write_text(stream, array->name);
    fprintf(stream, "\" NumberOfComponents=\"%d\" format=\"appended\" offset=%-22s/>\n", array->components,
            offset);
}

static void write_fields(const poly_data *document, FILE *stream)
{
    const mo_frame *frame = document->frame;
    const char *vectors = "", *normals = "";
    for (int k = 0; k < frame->field_count; ++k) {
        bool triple = frame->fields[k].components == 3;
        if (triple && strcmp(frame->fields[k].name, "v") == 0) {
            vectors = " Vectors=\"v\"";
        } else if (triple && strcmp(frame->fields[k].name, "normal") == 0) {
            normals = " Normals=\"normal\"";
        }
    }
    fprintf(stream, "      <PointData%s%s>\n", vectors, normals);
    for (int k = 0; k < frame->field_count; ++k) {
        write_array_tag(stream, &document->arrays[k]);
    }
    fputs("      </PointData>\n", stream);
}

static void write_piece(const poly_data *document, FILE *stream)
{
    fprintf(stream, "    <Piece NumberOfPoints=\"%" PRId64 "\"", document->frame->rows);
    for (int k = 0; k < CELL_KINDS; ++k) {
        fprintf(stream, " NumberOf%s=\"%" PRId64 "\"", document->cells[k].kind, document->cells[k].count);
    }
    fputs(">\n", stream);
    write_fields(document, stream);
    const data_array *array = document->arrays + document->frame->field_count;
    fputs("      <Points>\n", stream);
    write_array_tag(stream, array++);
    fputs("      </Points>\n", stream);
    for (int k = 0; k < CELL_KINDS; ++k) {
        fprintf(stream, "      <%s>\n", document->cells[k].kind);
        write_array_tag(stream, array++);
        write_array_tag(stream, array++);
        fprintf(stream, "      </%s>\n", document->cells[k].kind);
    }
    fputs("    </Piece>\n", stream);
}

static void write_head(const poly_data *document, FILE *stream)
{
    fputs("<?xml version=\"1.0\"?>\n"
          "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\" "
          "compressor=\"vtkZLibDataCompressor\">\n"
          "  <PolyData>\n"
          "    <FieldData>\n"
          "      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">",
          stream);
    write_time(stream, document->frame->time);
    fputs("</DataArray>\n    </FieldData>\n", stream);
    write_piece(document, stream);
    fputs("  </PolyData>\n  <AppendedData encoding=\"raw\">\n_", stream);
}

typedef struct block_packer {
    FILE *stream;
    z_stream zip;
    void *plain; /* a block before and after compression */
    unsigned char *packed;
    size_t packed_size;
} block_packer;

static mote_status packer_init(block_packer *packer, FILE *stream, int level, mote_error *error)
{
    *packer = (block_packer){.stream = stream};
    if (deflateInit(&packer->zip, level) != Z_OK) {
        return mo_fail(error, MOTE_ERROR_MEMORY, "out of memory: zlib could not start");
    }
    packer->packed_size = deflateBound(&packer->zip, BLOCK);
    packer->plain = malloc(BLOCK);
    packer->packed = malloc(packer->packed_size);
    return packer->plain && packer->packed ? MOTE_OK : mo_fail_memory(error, BLOCK + packer->packed_size);
}

static void packer_release(block_packer *packer)
{
    deflateEnd(&packer->zip);
    free(packer->plain);
    free(packer->packed);
}

/* Writes the block and returns how large it has become. */
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

/* The table: the number of blocks, the size of a block, the size of the last one if it is smaller (else 0),
   then the compressed size of each. */
static void write_blocks(block_packer *packer, const data_array *array, uint64_t *table)
{
    int64_t most = (int64_t)(BLOCK / array->size);
    for (uint64_t block = 0; block < table[0]; ++block) {
        int64_t first = (int64_t)block * most;
        int64_t last = array->count - first < most ? array->count : first + most;
        array->fill(array, first, last, packer->plain);
        table[3 + block] = write_block(packer, (size_t)(last - first) * array->size);
    }
}

static mote_status write_array(block_packer *packer, const data_array *array, mote_error *error)
{
    uint64_t bytes = (uint64_t)array->count * array->size;
    uint64_t blocks = (bytes + BLOCK - 1) / BLOCK;
    uint64_t *table = calloc(3 + blocks, sizeof *table);
    if (!table) {
        return mo_fail_memory(error, (3 + blocks) * sizeof *table);
    }
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
    free(table);
    return good ? MOTE_OK : fail_stream(error);
}

static mote_status write_arrays(poly_data *document, FILE *stream, int level, mote_error *error)
{
    block_packer packer;
    off_t begin = ftello(stream);
    mote_status status = packer_init(&packer, stream, level, error);
    for (int k = 0; k < document->array_count && status == MOTE_OK; ++k) {
        document->arrays[k].offset = ftello(stream) - begin;
        status = write_array(&packer, &document->arrays[k], error);
    }
    packer_release(&packer);
    return status;
}

static mote_status write_document(poly_data *document, FILE *stream, const vtp *options, mote_error *error)
{
    MO_TRY(lay_out(document, options, error));
    off_t begin = ftello(stream);
    write_head(document, stream);
    MO_TRY(write_arrays(document, stream, (int)options->compression, error));
    fputs("\n  </AppendedData>\n</VTKFile>\n", stream);
    off_t end = ftello(stream);
    if (begin < 0 || end < 0 || fseeko(stream, begin, SEEK_SET) != 0) {
        return fail_stream(error);
    }
    write_head(document, stream);
    if (fseeko(stream, end, SEEK_SET) != 0 || fflush(stream) != 0 || ferror(stream)) {
        return fail_stream(error);
    }
    return MOTE_OK;
}

static mote_status write_frame(const void *params, const mo_frame *frame, FILE *stream, mote_error *error)
{
    poly_data document = {.frame = frame};
    mote_status status = write_document(&document, stream, params, error);
    free(document.loose);
    free(document.arrays);
    return status;
}

/* The number of a system in the order of appearance; a new one joins the list. */
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
    write_time(stream, entry->time);
    fprintf(stream, "\" group=\"\" part=\"%" PRId64 "\" name=\"", part);
    write_text(stream, entry->system);
    fputs("\" file=\"", stream);
    write_text(stream, entry->file);
    fputs("\"/>\n", stream);
}

/* ParaView's collection: the same part at different times is one thing that moves. */
static mote_status write_index(const mo_series_entry *entries, int64_t count, FILE *stream, mote_error *error)
{
    int64_t system_count = 0;
    const char **systems = malloc(((size_t)count + 1) * sizeof *systems);
    if (!systems) {
        return mo_fail_memory(error, ((size_t)count + 1) * sizeof *systems);
    }
    fputs("<?xml version=\"1.0\"?>\n"
          "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n  <Collection>\n",
          stream);
    for (int64_t k = 0; k < count; ++k) {
        write_entry(&entries[k], part_of(entries[k].system, systems, &system_count), stream);
    }
    fputs("  </Collection>\n</VTKFile>\n", stream);
    free(systems);
    return fflush(stream) == 0 && !ferror(stream) ? MOTE_OK : fail_stream(error);
}

const mo_format_type mo_format_vtp = {
    .base = {.name = "vtp",
             .summary = "VTK XML PolyData with an index (.pvd), for ParaView.",
             .citation = "Kitware, The VTK User's Guide, VTK File Formats; VTK wiki, VTK XML Formats",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(vtp),
             .params = PARAMS},
    .extension = "vtp",
    .write = write_frame,
    .index_extension = "pvd",
    .write_index = write_index,
};
