/*
 * Wavefront's OBJ, a text format: positions, normals, triangles, lines and points. It has no other
 * fields and no time. Wavefront Technologies 1992, Advanced Visualizer, appendix B1.
 */
#include "io/format/format.h"

#include "base/plain_numbers.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

typedef struct obj {
    int64_t digits;
} obj;

static const mo_param PARAMS[] = {{"digits", MO_INT, MO_FIELD(obj, digits), .initial = "9",
                                   .range = "[3, 17]",
                                   .doc = "Significant digits; 17 preserve double precision."},
                                  {0}};

static const double *find_normals(const mo_frame *frame)
{
    for (int k = 0; k < frame->field_count; ++k) {
        const mote_column *c = &frame->fields[k];
        if (strcmp(c->name, "normal") == 0 && c->components == 3 && c->type == MOTE_F64) {
            return c->data;
        }
    }
    return NULL;
}

static void write_vectors(const char *kind, const double *x, int64_t rows, int digits, FILE *stream)
{
    for (int64_t row = 0; row < rows && !ferror(stream); ++row) {
        fprintf(stream, "%s %.*g %.*g %.*g\n", kind, digits, x[3 * row], digits, x[3 * row + 1],
                digits, x[3 * row + 2]);
    }
}

/* OBJ indices start at 1. */
static void write_elements(const mo_frame *frame, bool normals, FILE *stream)
{
    for (int64_t k = 0; k < frame->triangle_count && !ferror(stream); ++k) {
        fputc('f', stream);
        for (int c = 0; c < 3; ++c) {
            int64_t row = frame->triangles[3 * k + c] + INT64_C(1);
            fprintf(stream, " %" PRId64, row);
            if (normals) {
                fprintf(stream, "//%" PRId64, row);
            }
        }
        fputc('\n', stream);
    }
    for (int64_t k = 0; k < frame->edge_count && !ferror(stream); ++k) {
        fprintf(stream, "l %" PRId64 " %" PRId64 "\n", frame->edges[2 * k] + INT64_C(1),
                frame->edges[2 * k + 1] + INT64_C(1));
    }
    bool alone = frame->triangle_count == 0 && frame->edge_count == 0;
    for (int64_t row = 1; alone && row <= frame->rows && !ferror(stream); ++row) {
        fprintf(stream, "p %" PRId64 "\n", row);
    }
}

static mote_status obj_write(const void *params, const mo_frame *frame, mo_memory *memory,
                             FILE *stream, mote_error *error)
{
    (void)memory; /* streaming */
    int digits = (int)((const obj *)params)->digits;
    const double *normals = find_normals(frame);
    mo_plain_numbers numbers = mo_plain_numbers_begin();
    fprintf(stream, "# mote, time %.15g s, lengths in m\n", frame->time);
    write_vectors("v", frame->x, frame->rows, digits, stream);
    if (normals) {
        write_vectors("vn", normals, frame->rows, digits, stream);
    }
    write_elements(frame, normals, stream);
    mo_plain_numbers_end(numbers);
    if (fflush(stream) != 0 || ferror(stream)) {
        return mo_fail(error, MOTE_ERROR_IO,
                       "the obj file could not be written: %s; it needs a disk with space left",
                       strerror(errno ? errno : EIO));
    }
    return MOTE_OK;
}

const mo_format_type mo_format_obj = {
    .base = {.name = "obj",
             .summary =
                 "Wavefront OBJ: positions, normals, triangles and lines as text, without other "
                 "fields.",
             .citation = "Wavefront Technologies 1992, Advanced Visualizer, appendix B1",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(obj),
             .params = PARAMS},
    .extension = "obj",
    .write = obj_write,
};
