/* VTK's XML PolyData, for ParaView and everything built on VTK; see vtk_file.h. */
#include "io/format/vtk_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct vtp {
    int64_t compression;
    bool single;
} vtp;

static const mo_param PARAMS[] = {
    {"compression", MO_INT, MO_FIELD(vtp, compression), .initial = "1", .range = "[0, 9]",
     .doc = "zlib compression level: 0 none, 1 fastest, 9 smallest."},
    {"single", MO_BOOL, MO_FIELD(vtp, single), .initial = "true",
     .doc = "Real numbers in single precision; false keeps double precision, in larger files."},
    {0}};

typedef struct cells {
    const char *kind;
    int64_t count;
} cells;

enum { VERTS, LINES, POLYS, CELL_KINDS };

typedef struct poly_data {
    const mo_frame *frame;
    cells cells[CELL_KINDS];
    int32_t *isolated; /* the rows without lines and triangles */
    int array_count;
    /* the fields, the positions, then connectivity and offsets of each kind of cells */
    mo_vtk_array *arrays;
} poly_data;

static void add_array(poly_data *document, mo_vtk_array array)
{
    document->arrays[document->array_count++] = array;
}

static void mark_shown(bool *shown, const int32_t *used, int64_t count)
{
    for (int64_t k = 0; k < count; ++k) {
        shown[used[k]] = true;
    }
}

/* Lists the rows that are in no line and no triangle, to be written as points. */
static mote_status list_isolated(poly_data *document, mo_memory *memory, mote_error *error)
{
    int64_t rows = document->frame->rows, count = 0;
    MOTE_ASSERT(rows <= INT32_MAX);
    void *isolated, *marks;
    MO_TRY(mo_allocate_array(memory, rows + 1, sizeof *document->isolated, &isolated, error));
    document->isolated = isolated;
    MO_TRY(mo_allocate_array(memory, rows, sizeof(bool), &marks, error));
    bool *shown = marks;
    mark_shown(shown, document->frame->edges, 2 * document->frame->edge_count);
    mark_shown(shown, document->frame->triangles, 3 * document->frame->triangle_count);
    for (int64_t row = 0; row < rows; ++row) {
        document->isolated[count] = (int32_t)row;
        count += !shown[row];
    }
    mo_release(memory, shown);
    document->cells[VERTS].count = count;
    return MOTE_OK;
}

/* `count` cells of `corners` rows each. */
static void add_cell_arrays(poly_data *document, const int32_t *rows, int corners, int64_t count)
{
    add_array(document, mo_vtk_rows("connectivity", rows, corners * count));
    add_array(document, mo_vtk_progression("offsets", corners, corners, count));
}

/* Points for the other rows, lines, triangles. */
static mote_status add_cells(poly_data *document, mo_memory *memory, mote_error *error)
{
    const mo_frame *frame = document->frame;
    document->cells[VERTS] = (cells){"Verts", 0};
    document->cells[LINES] = (cells){"Lines", frame->edge_count};
    document->cells[POLYS] = (cells){"Polys", frame->triangle_count};
    MO_TRY(list_isolated(document, memory, error));
    add_cell_arrays(document, document->isolated, 1, document->cells[VERTS].count);
    add_cell_arrays(document, frame->edges, 2, frame->edge_count);
    add_cell_arrays(document, frame->triangles, 3, frame->triangle_count);
    return MOTE_OK;
}

static mote_status lay_out(poly_data *document, const vtp *options, mo_memory *memory,
                           mote_error *error)
{
    const mo_frame *frame = document->frame;
    size_t bytes = ((size_t)frame->field_count + 1 + 2 * CELL_KINDS) * sizeof *document->arrays;
    document->arrays = mo_allocate(memory, bytes);
    if (!document->arrays) {
        return mo_fail_memory(error, bytes);
    }
    for (int k = 0; k < frame->field_count; ++k) {
        MOTE_ASSERT(frame->fields[k].rows == frame->rows);
        add_array(document, mo_vtk_column(&frame->fields[k], options->single));
    }
    mote_column points = {"Points", "m", MOTE_F64, 3, frame->rows, (void *)frame->x};
    add_array(document, mo_vtk_column(&points, options->single));
    return add_cells(document, memory, error);
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
        mo_vtk_tag(stream, &document->arrays[k]);
    }
    fputs("      </PointData>\n", stream);
}

static void write_piece(const poly_data *document, FILE *stream)
{
    fprintf(stream, "    <Piece NumberOfPoints=\"%" PRId64 "\"", document->frame->rows);
    for (int k = 0; k < CELL_KINDS; ++k) {
        fprintf(stream, " NumberOf%s=\"%" PRId64 "\"", document->cells[k].kind,
                document->cells[k].count);
    }
    fputs(">\n", stream);
    write_fields(document, stream);
    const mo_vtk_array *array = document->arrays + document->frame->field_count;
    fputs("      <Points>\n", stream);
    mo_vtk_tag(stream, array++);
    fputs("      </Points>\n", stream);
    for (int k = 0; k < CELL_KINDS; ++k) {
        fprintf(stream, "      <%s>\n", document->cells[k].kind);
        mo_vtk_tag(stream, array++);
        mo_vtk_tag(stream, array++);
        fprintf(stream, "      </%s>\n", document->cells[k].kind);
    }
    fputs("    </Piece>\n", stream);
}

static void write_head(const mo_vtk_document *file, FILE *stream)
{
    const poly_data *document = file->context;
    fputs(
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\" "
        "compressor=\"vtkZLibDataCompressor\">\n"
        "  <PolyData>\n"
        "    <FieldData>\n"
        "      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">",
        stream);
    mo_vtk_time(stream, document->frame->time);
    fputs("</DataArray>\n    </FieldData>\n", stream);
    write_piece(document, stream);
    fputs("  </PolyData>\n", stream);
}

static mote_status vtp_write(const void *params, const mo_frame *frame, mo_memory *memory,
                             FILE *stream, mote_error *error)
{
    poly_data document = {.frame = frame};
    const vtp *options = params;
    mote_status status = lay_out(&document, options, memory, error);
    if (status == MOTE_OK) {
        mo_vtk_document file = {document.array_count, (int)options->compression, document.arrays,
                                write_head, &document};
        status = mo_vtk_write(&file, memory, stream, error);
    }
    mo_release(memory, document.isolated);
    mo_release(memory, document.arrays);
    return status;
}

const mo_format_type mo_format_vtp = {
    .base = {.name = "vtp",
             .summary = "VTK XML PolyData with an index (.pvd), for ParaView.",
             .citation =
                 "Kitware, The VTK User's Guide, VTK File Formats; VTK wiki, VTK XML Formats",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(vtp),
             .params = PARAMS},
    .extension = "vtp",
    .write = vtp_write,
    .index_extension = "pvd",
    .write_index = mo_vtk_write_index,
};
