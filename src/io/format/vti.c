#include "io/format/vti.h"

#include "base/plain_numbers.h"
#include "io/format/vtk_file.h"

#include <inttypes.h>

enum { FIELDS_MAX = 32, COMPRESSION = 1 };

typedef struct image {
    const mo_lattice *lattice;
    double time;
    int field_count;
    const mo_vtk_array *arrays;
} image;

static void write_extent(const image *i, FILE *stream)
{
    const int64_t *n = i->lattice->count;
    fprintf(stream, "\"0 %" PRId64 " 0 %" PRId64 " 0 %" PRId64 "\"", n[0] - 1, n[1] - 1, n[2] - 1);
}

/* Columns of the matrix are the unit vectors along the steps. */
static void write_geometry(const image *i, FILE *stream)
{
    const mo_lattice *l = i->lattice;
    mo_vec3 unit[3];
    mo_plain_numbers numbers = mo_plain_numbers_begin();
    fprintf(stream, " Origin=\"%.17g %.17g %.17g\" Spacing=\"%.17g %.17g %.17g\"", l->origin.x,
            l->origin.y, l->origin.z, mo_length(l->step[0]), mo_length(l->step[1]),
            mo_length(l->step[2]));
    for (int k = 0; k < 3; ++k) {
        unit[k] = mo_unit(l->step[k], mo_vec3_make(0, 0, 0));
    }
    fputs(" Direction=\"", stream);
    for (int row = 0; row < 3; ++row) {
        for (int k = 0; k < 3; ++k) {
            fprintf(stream, "%s%.17g", row + k ? " " : "", mo_vec3_at(unit[k], row));
        }
    }
    fputs("\"", stream);
    mo_plain_numbers_end(numbers);
}

static void write_head(const mo_vtk_document *document, FILE *stream)
{
    const image *i = document->context;
    fputs("<?xml version=\"1.0\"?>\n"
          "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" "
          "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n"
          "  <ImageData WholeExtent=",
          stream);
    write_extent(i, stream);
    write_geometry(i, stream);
    fputs(">\n    <FieldData>\n      <DataArray type=\"Float64\" Name=\"TimeValue\" "
          "NumberOfTuples=\"1\" format=\"ascii\">",
          stream);
    mo_vtk_time(stream, i->time);
    fputs("</DataArray>\n    </FieldData>\n    <Piece Extent=", stream);
    write_extent(i, stream);
    fputs(">\n      <PointData>\n", stream);
    for (int k = 0; k < i->field_count; ++k) {
        mo_vtk_tag(stream, &i->arrays[k]);
    }
    fputs("      </PointData>\n    </Piece>\n  </ImageData>\n", stream);
}

mote_status mo_vti_write(const mo_lattice *lattice, double time, int field_count,
                         const mote_column *fields, mo_memory *memory, FILE *stream,
                         mote_error *error)
{
    mo_vtk_array arrays[FIELDS_MAX];
    MOTE_ASSERT(field_count <= FIELDS_MAX);
    for (int k = 0; k < field_count; ++k) {
        arrays[k] = mo_vtk_column(&fields[k], false);
    }
    image i = {lattice, isnan(time) ? 0 : time, field_count, arrays};
    mo_vtk_document document = {field_count, COMPRESSION, arrays, write_head, &i};
    return mo_vtk_write(&document, memory, stream, error);
}
