/*
 * VTK's XML UnstructuredGrid, with the elements of bodies and their stresses (nodal columns are
 * averages of them). Cells are the finite elements, then other triangles and lines, then single
 * points; only elements have a stress, the others NaN. See vtk_file.h. ParaView opens the numbered
 * files as one series; each has its time inside.
 */
#include "io/format/vtk_file.h"
#include "math/symmetric.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

typedef struct vtu {
    int64_t compression;
    bool single;
} vtu;

static const mo_param PARAMS[] = {
    {"compression", MO_INT, MO_FIELD(vtu, compression), .initial = "1", .range = "[0, 9]",
     .doc = "zlib compression level: 0 none, 1 fastest, 9 smallest."},
    {"single", MO_BOOL, MO_FIELD(vtu, single), .initial = "true",
     .doc = "Real numbers in single precision; false keeps double precision, in larger files."},
    {0}};

/* VTK's numbers of cells by their corners. */
static const uint8_t TYPES[] = {0, 1, 3, 5, 10};

enum { TENSOR = 9 };

typedef struct grid {
    const mo_frame *frame;
    int64_t count, corners; /* cells, and their rows together */
    int32_t *connectivity;
    int64_t *offsets;
    uint8_t *types, *used; /* used[row]: by an element (2), or another cell (1) */
    double *stress, *mises;
    int array_count;
    mo_vtk_array *arrays; /* fields, positions, connectivity, offsets, types, stress, von Mises */
} grid;

static void *allocate(mo_memory *memory, int64_t count, size_t size, mote_status *status,
                      mote_error *error)
{
    void *block = NULL;
    if (*status == MOTE_OK) {
        *status = mo_allocate_array(memory, count, size, &block, error);
    }
    return block;
}

static mote_status reserve(grid *g, mo_memory *memory, mote_error *error)
{
    const mo_frame *f = g->frame;
    int64_t most = f->cells.count + f->triangle_count + f->edge_count + f->rows;
    int64_t corners = 4 * f->cells.count + 3 * f->triangle_count + 2 * f->edge_count + f->rows;
    mote_status status = MOTE_OK;
    g->connectivity = allocate(memory, corners, sizeof(int32_t), &status, error);
    g->offsets = allocate(memory, most, sizeof(int64_t), &status, error);
    g->types = allocate(memory, most, 1, &status, error);
    g->used = allocate(memory, f->rows, 1, &status, error);
    g->stress = allocate(memory, TENSOR * most, sizeof(double), &status, error);
    g->mises = allocate(memory, most, sizeof(double), &status, error);
    g->arrays = allocate(memory, f->field_count + 6, sizeof(mo_vtk_array), &status, error);
    return status;
}

/* stress: 11 22 33 12 13 23, NULL if the cell has none */
static void add_cell(grid *g, const int32_t *rows, int corners, const double *stress)
{
    static const int8_t AT[TENSOR] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
    for (int k = 0; k < corners; ++k) {
        g->connectivity[g->corners++] = rows[k];
        g->used[rows[k]] = stress ? 2 : g->used[rows[k]] | 1;
    }
    for (int k = 0; k < TENSOR; ++k) {
        g->stress[TENSOR * g->count + k] = stress ? stress[AT[k]] : (double)NAN;
    }
    g->mises[g->count] = stress ? mo_von_mises(stress) : (double)NAN;
    g->types[g->count] = TYPES[corners];
    g->offsets[g->count++] = g->corners;
}

static bool all_used(const grid *g, const int32_t *rows, int corners, uint8_t least)
{
    bool all = true;
    for (int k = 0; k < corners; ++k) {
        all = all && g->used[rows[k]] >= least;
    }
    return all;
}

/* Surfaces of bodies with elements are not written again. */
static void add_cells(grid *g)
{
    const mo_frame *f = g->frame;
    for (int64_t k = 0; k < f->cells.count; ++k) {
        const int32_t *rows = f->cells.rows + 4 * k;
        add_cell(g, rows, rows[3] < 0 ? 3 : 4, f->cells.stress + 6 * k);
    }
    for (int64_t k = 0; k < f->triangle_count; ++k) {
        if (!all_used(g, f->triangles + 3 * k, 3, 2)) {
            add_cell(g, f->triangles + 3 * k, 3, NULL);
        }
    }
    for (int64_t k = 0; k < f->edge_count; ++k) {
        if (!all_used(g, f->edges + 2 * k, 2, 2)) {
            add_cell(g, f->edges + 2 * k, 2, NULL);
        }
    }
    for (int32_t row = 0; row < f->rows; ++row) {
        if (!g->used[row]) {
            add_cell(g, &row, 1, NULL);
        }
    }
}

static void add_column(grid *g, const char *name, mote_type type, int components, const void *data,
                       bool single)
{
    mote_column column = {name, "", type, components, g->count, (void *)data};
    g->arrays[g->array_count++] = mo_vtk_column(&column, single);
}

static void lay_out(grid *g, const vtu *options)
{
    const mo_frame *f = g->frame;
    for (int k = 0; k < f->field_count; ++k) {
        g->arrays[g->array_count++] = mo_vtk_column(&f->fields[k], options->single);
    }
    mote_column points = {"Points", "m", MOTE_F64, 3, f->rows, (void *)f->x};
    g->arrays[g->array_count++] = mo_vtk_column(&points, options->single);
    g->arrays[g->array_count++] = mo_vtk_rows("connectivity", g->connectivity, g->corners);
    add_column(g, "offsets", MOTE_I64, 1, g->offsets, false);
    add_column(g, "types", MOTE_U8, 1, g->types, false);
    add_column(g, "stress", MOTE_F64, TENSOR, g->stress, options->single);
    add_column(g, "von_mises", MOTE_F64, 1, g->mises, options->single);
}

static void write_tags(FILE *stream, const char *section, const mo_vtk_array *arrays, int count)
{
    fprintf(stream, "      <%s>\n", section);
    for (int k = 0; k < count; ++k) {
        mo_vtk_tag(stream, &arrays[k]);
    }
    fprintf(stream, "      </%s>\n", section);
}

static void write_head(const mo_vtk_document *file, FILE *stream)
{
    const grid *g = file->context;
    const mo_vtk_array *points = g->arrays + g->frame->field_count;
    fputs(
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n"
        "  <UnstructuredGrid>\n"
        "    <FieldData>\n"
        "      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">",
        stream);
    mo_vtk_time(stream, g->frame->time);
    fputs("</DataArray>\n    </FieldData>\n", stream);
    fprintf(stream, "    <Piece NumberOfPoints=\"%" PRId64 "\" NumberOfCells=\"%" PRId64 "\">\n",
            g->frame->rows, g->count);
    write_tags(stream, "PointData", g->arrays, g->frame->field_count);
    write_tags(stream, "CellData", points + 4, 2);
    write_tags(stream, "Points", points, 1);
    write_tags(stream, "Cells", points + 1, 3);
    fputs("    </Piece>\n  </UnstructuredGrid>\n", stream);
}

static mote_status vtu_write(const void *params, const mo_frame *frame, mo_memory *memory,
                             FILE *stream, mote_error *error)
{
    grid g = {.frame = frame};
    const vtu *options = params;
    mote_status status = reserve(&g, memory, error);
    if (status == MOTE_OK) {
        add_cells(&g);
        lay_out(&g, options);
        mo_vtk_document file = {g.array_count, (int)options->compression, g.arrays, write_head, &g};
        status = mo_vtk_write(&file, memory, stream, error);
    }
    void *parts[] = {g.connectivity, g.offsets, g.types, g.used, g.stress, g.mises, g.arrays};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k) {
        mo_release(memory, parts[k]);
    }
    return status;
}

const mo_format_type mo_format_vtu = {
    .base =
        {.name = "vtu",
         .summary =
             "VTK XML UnstructuredGrid: the elements of bodies with their stresses, for ParaView.",
         .citation = "Kitware, The VTK User's Guide, VTK File Formats; VTK wiki, VTK XML Formats",
         .capabilities = MO_PORTABLE,
         .param_size = sizeof(vtu),
         .params = PARAMS},
    .extension = "vtu",
    .cells = true,
    .write = vtu_write,
};
