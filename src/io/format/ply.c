/*
 * PLY, the polygon file format, for Blender, MeshLab and small scripts. G. Turk, "The PLY Polygon
 * File Format", Stanford University 1994. It has no 64-bit integers, and reals are written as
 * floats.
 */
#include "io/format/format.h"

#include "base/plain_numbers.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the numbers are written as they lie in memory, which must be little-endian"
#endif

typedef struct ply {
    bool ascii;
} ply;

static const mo_param PARAMS[] = {{"ascii", MO_BOOL, MO_FIELD(ply, ascii), .initial = "false",
                                   .doc = "Text (ASCII) instead of binary; about twice the size."},
                                  {0}};

/* A vertex's properties come from columns: index 0 is the positions, then the fields. */
static mote_column column_at(const mo_frame *frame, int index)
{
    return index > 0 ? frame->fields[index - 1]
                     : (mote_column){"x", "m", MOTE_F64, 3, frame->rows, (void *)frame->x};
}

static mote_status check_range(const mote_column *column, mote_error *error)
{
    if (column->type == MOTE_F64) {
        return mo_format_check_single(column->name, column->data, column->rows * column->components,
                                      column->components, error);
    }
    const int64_t *values = column->data;
    for (int64_t k = 0; column->type == MOTE_I64 && k < column->rows * column->components; ++k) {
        if (values[k] < INT32_MIN || values[k] > INT32_MAX) {
            return mo_fail(
                error, MOTE_ERROR_INPUT,
                "output: the field \"%s\" is %" PRId64 " in row %" PRId64
                ", and a ply file has no integers beyond 32 bits; leave the field out, or write vtp",
                column->name, values[k], k / column->components);
        }
    }
    return MOTE_OK;
}

static const char *type_name(mote_type type)
{
    switch (type) {
    case MOTE_F64:
    case MOTE_F32:
        return "float";
    case MOTE_I64:
    case MOTE_I32:
        return "int";
    case MOTE_U8:
        return "uchar";
    }
    return "";
}

static void write_property(FILE *stream, const mote_column *column, bool is_position, int component)
{
    fprintf(stream, "property %s ", type_name(column->type));
    if (is_position) {
        fprintf(stream, "%c\n", "xyz"[component]);
    } else if (strcmp(column->name, "v") == 0 && column->components == 3) {
        fprintf(stream, "v%c\n", "xyz"[component]);
    } else if (strcmp(column->name, "normal") == 0 && column->components == 3) {
        fprintf(stream, "n%c\n", "xyz"[component]);
    } else if (column->components > 1) {
        fprintf(stream, "%s_%d\n", column->name, component);
    } else {
        fprintf(stream, "%s\n", column->name);
    }
}

static void write_head(const mo_frame *frame, bool ascii, FILE *stream)
{
    fprintf(stream, "ply\nformat %s 1.0\ncomment time %.15g s\ncomment units:",
            ascii ? "ascii" : "binary_little_endian", frame->time);
    for (int k = 0; k <= frame->field_count; ++k) {
        mote_column column = column_at(frame, k);
        fprintf(stream, " %s [%s]", column.name, column.unit ? column.unit : "1");
    }
    fprintf(stream, "\nelement vertex %" PRId64 "\n", frame->rows);
    for (int k = 0; k <= frame->field_count; ++k) {
        mote_column column = column_at(frame, k);
        for (int component = 0; component < column.components; ++component) {
            write_property(stream, &column, k == 0, component);
        }
    }
    if (frame->triangle_count > 0) {
        fprintf(stream, "element face %" PRId64 "\nproperty list uchar int vertex_indices\n",
                frame->triangle_count);
    }
    if (frame->edge_count > 0) {
        fprintf(stream, "element edge %" PRId64 "\nproperty int vertex1\nproperty int vertex2\n",
                frame->edge_count);
    }
    fputs("end_header\n", stream);
}

static void write_real(FILE *stream, bool ascii, float value)
{
    if (ascii) {
        fprintf(stream, "%.9g ", value);
    } else {
        fwrite(&value, sizeof value, 1, stream);
    }
}

static void write_integer(FILE *stream, bool ascii, int32_t value)
{
    if (ascii) {
        fprintf(stream, "%" PRId32 " ", value);
    } else {
        fwrite(&value, sizeof value, 1, stream);
    }
}

static void write_byte(FILE *stream, bool ascii, uint8_t value)
{
    if (ascii) {
        fprintf(stream, "%d ", value);
    } else {
        fputc(value, stream);
    }
}

/* Element k of a column. */
static void write_value(FILE *stream, bool ascii, const mote_column *column, int64_t k)
{
    switch (column->type) {
    case MOTE_F64:
        write_real(stream, ascii, (float)((const double *)column->data)[k]);
        break;
    case MOTE_F32:
        write_real(stream, ascii, ((const float *)column->data)[k]);
        break;
    case MOTE_I64:
        write_integer(stream, ascii, (int32_t)((const int64_t *)column->data)[k]);
        break;
    case MOTE_I32:
        write_integer(stream, ascii, ((const int32_t *)column->data)[k]);
        break;
    case MOTE_U8:
        write_byte(stream, ascii, ((const uint8_t *)column->data)[k]);
        break;
    }
}

static void end_line(FILE *stream, bool ascii)
{
    if (ascii) {
        fputc('\n', stream);
    }
}

static void write_vertices(const mo_frame *frame, bool ascii, FILE *stream)
{
    for (int64_t row = 0; row < frame->rows && !ferror(stream); ++row) {
        for (int k = 0; k <= frame->field_count; ++k) {
            mote_column column = column_at(frame, k);
            for (int component = 0; component < column.components; ++component) {
                write_value(stream, ascii, &column, row * column.components + component);
            }
        }
        end_line(stream, ascii);
    }
}

/* `count` elements of `corners` rows each; faces are preceded by their number of corners. */
static void write_elements(const int32_t *rows, int corners, int64_t count, bool ascii,
                           FILE *stream)
{
    for (int64_t k = 0; k < count && !ferror(stream); ++k) {
        if (corners == 3) {
            write_byte(stream, ascii, 3);
        }
        for (int corner = 0; corner < corners; ++corner) {
            write_integer(stream, ascii, rows[corners * k + corner]);
        }
        end_line(stream, ascii);
    }
}

static void write_cells(const mo_frame *frame, bool ascii, FILE *stream)
{
    write_elements(frame->triangles, 3, frame->triangle_count, ascii, stream);
    write_elements(frame->edges, 2, frame->edge_count, ascii, stream);
}

static mote_status ply_write(const void *params, const mo_frame *frame, mo_memory *memory,
                             FILE *stream, mote_error *error)
{
    (void)memory; /* streaming */
    const ply *options = params;
    for (int k = 0; k <= frame->field_count; ++k) {
        mote_column column = column_at(frame, k);
        MOTE_ASSERT(column.rows == frame->rows);
        MO_TRY(check_range(&column, error));
    }
    mo_plain_numbers numbers = mo_plain_numbers_begin();
    write_head(frame, options->ascii, stream);
    write_vertices(frame, options->ascii, stream);
    write_cells(frame, options->ascii, stream);
    mo_plain_numbers_end(numbers);
    if (fflush(stream) != 0 || ferror(stream)) {
        return mo_fail(error, MOTE_ERROR_IO,
                       "the ply file could not be written: %s; it needs a disk with space left",
                       strerror(errno ? errno : EIO));
    }
    return MOTE_OK;
}

const mo_format_type mo_format_ply = {
    .base = {.name = "ply",
             .summary = "Binary PLY with the fields as vertex properties, for Blender and MeshLab.",
             .citation = "G. Turk 1994, The PLY Polygon File Format, Stanford University",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(ply),
             .params = PARAMS},
    .extension = "ply",
    .write = ply_write,
};
