/* Reads VTP results: the XML tags, then each array at its offset. */
#include "io/stored/stored.h"

#include "base/vtk_data.h"

#include <string.h>

/* Reader state. */
typedef struct vtp {
    mo_vtk_file file;
    mo_stored *out;
    int64_t lines, polys;
} vtp;

static mote_status fail(const vtp *v, const char *what)
{
    return mo_vtk_fail(&v->file, what);
}

static mote_status fail_array(const vtp *v, const mo_vtk_array *array, const char *what)
{
    return mo_vtk_fail_array(&v->file, array, what);
}

/* The type of a column; false for unsupported types. */
static bool column_type(mo_vtk_type type, mote_type *out)
{
    static const struct {
        mo_vtk_type vtk;
        mote_type type;
    } TYPES[] = {{MO_VTK_F64, MOTE_F64},
                 {MO_VTK_F32, MOTE_F32},
                 {MO_VTK_I64, MOTE_I64},
                 {MO_VTK_I32, MOTE_I32},
                 {MO_VTK_U8, MOTE_U8}};
    for (size_t k = 0; k < sizeof TYPES / sizeof *TYPES; ++k) {
        if (type == TYPES[k].vtk) {
            *out = TYPES[k].type;
            return true;
        }
    }
    return false;
}

/* Positions are converted to double. */
static mote_status read_positions(vtp *v, const mo_vtk_array *array)
{
    void *x;
    if (mo_stored_find(v->out, "x")) {
        return fail(v, "has two arrays of points");
    }
    if (array->components != 3 || (array->type != MO_VTK_F32 && array->type != MO_VTK_F64)) {
        return fail(v, "its points are not three real numbers each");
    }
    MO_TRY(mo_stored_add(v->out, "x", "m", MOTE_F64, 3, &x, v->file.error));
    return mo_vtk_read_reals(&v->file, array, 3 * v->out->rows, x);
}

static mote_status read_field(vtp *v, const mo_vtk_array *array)
{
    void *data;
    mote_type type;
    if (!column_type(array->type, &type)) {
        return fail_array(v, array, "has a type that mote does not write");
    }
    if (strcmp(array->name, "x") == 0 || mo_stored_find(v->out, array->name)) {
        return fail_array(v, array, "is a duplicate");
    }
    MO_TRY(mo_stored_add(v->out, array->name, "", type, array->components, &data, v->file.error));
    return mo_vtk_read(&v->file, array, v->out->rows * array->components, data);
}

static mote_status read_cells(vtp *v, const mo_vtk_array *array, int corners, int64_t cells,
                              int32_t **rows)
{
    if (array->type != MO_VTK_I32) {
        return fail_array(v, array, "of the cells is not of 32-bit type");
    }
    if (*rows) {
        return fail_array(v, array, "is a duplicate");
    }
    MO_TRY(mo_stored_rows(v->out, corners * cells, rows, v->file.error));
    MO_TRY(mo_vtk_read(&v->file, array, corners * cells, *rows));
    if (!mo_stored_rows_good(v->out, *rows, corners * cells)) {
        return fail_array(v, array, "refers to points that do not exist");
    }
    return MOTE_OK;
}

/* Cell offsets: checks that all cells are lines of two points or triangles. */
static mote_status check_offsets(vtp *v, const mo_vtk_array *array, int corners, int64_t cells)
{
    bool wide = array->type == MO_VTK_I64;
    if (!wide && array->type != MO_VTK_I32) {
        return fail_array(v, array, "of the cells is not of integer type");
    }
    void *ends = mo_allocate(&v->out->memory, (size_t)cells * mo_vtk_bytes(array->type));
    if (!ends) {
        return mo_fail_memory(v->file.error, (size_t)cells * mo_vtk_bytes(array->type));
    }
    mote_status status = mo_vtk_read(&v->file, array, cells, ends);
    for (int64_t k = 0; k < cells && status == MOTE_OK; ++k) {
        int64_t end = wide ? ((int64_t *)ends)[k] : ((int32_t *)ends)[k];
        if (end != corners * (k + 1)) {
            status = fail_array(v, array,
                                "has cells other than points, lines of two points and triangles");
        }
    }
    mo_release(&v->out->memory, ends);
    return status;
}

/* The enclosing element determines the array. */
static mote_status read_array(vtp *v, const mo_xml_tag *tag, const char *around)
{
    mo_vtk_array array;
    MO_TRY(mo_vtk_read_tag(&v->file, tag, &array));
    bool lines = strcmp(around, "Lines") == 0, polys = strcmp(around, "Polys") == 0;
    int corners = lines ? 2 : 3;
    int64_t cells = lines ? v->lines : v->polys;
    if (strcmp(around, "FieldData") == 0) {
        bool is_time = strcmp(array.name, "TimeValue") == 0 && array.type == MO_VTK_F64;
        return is_time ? mo_vtk_read(&v->file, &array, 1, &v->out->time) : MOTE_OK;
    }
    int64_t count = lines || polys ? corners * cells : v->out->rows * array.components;
    MO_TRY(mo_vtk_check_size(&v->file, &array, count));
    if (strcmp(around, "PointData") == 0) {
        return read_field(v, &array);
    }
    if (strcmp(around, "Points") == 0) {
        return read_positions(v, &array);
    }
    if ((lines || polys) && strcmp(array.name, "connectivity") == 0) {
        return read_cells(v, &array, corners, cells, lines ? &v->out->edges : &v->out->triangles);
    }
    return (lines || polys) && strcmp(array.name, "offsets") == 0
               ? check_offsets(v, &array, corners, cells)
               : MOTE_OK;
}

static mote_status read_piece_tag(vtp *v, const mo_xml_tag *tag)
{
    if (v->out->rows >= 0) {
        return fail(v, "has several pieces; mote writes one");
    }
    if (!mo_vtk_integer(tag, "NumberOfPoints", INT32_MAX, &v->out->rows) ||
        !mo_vtk_integer(tag, "NumberOfLines", INT32_MAX, &v->lines) ||
        !mo_vtk_integer(tag, "NumberOfPolys", INT32_MAX, &v->polys)) {
        return fail(v, "its Piece lacks the number of points, lines or triangles");
    }
    return MOTE_OK;
}

static mote_status read_tags(vtp *v)
{
    char around[32] = "";
    const char *at = v->file.data, *end = mo_vtk_xml_end(&v->file);
    mo_xml_tag tag;
    while (mo_xml_next(at, end, &tag)) {
        at = tag.after;
        if (tag.closing) {
            continue;
        }
        if (mo_xml_is(&tag, "VTKFile")) {
            MO_TRY(mo_vtk_read_head(&v->file, &tag, "PolyData"));
        } else if (mo_xml_is(&tag, "Piece")) {
            MO_TRY(read_piece_tag(v, &tag));
        } else if (!mo_xml_is(&tag, "DataArray")) {
            size_t length = tag.name_length < sizeof around ? tag.name_length : sizeof around - 1;
            memcpy(around, tag.name, length);
            around[length] = '\0';
        } else if (v->out->rows < 0 && strcmp(around, "FieldData") != 0) {
            return fail(v, "has arrays before its Piece");
        } else {
            MO_TRY(read_array(v, &tag, around));
        }
    }
    return MOTE_OK;
}

/* The first column is x. */
static mote_status put_positions_first(vtp *v)
{
    mo_stored *s = v->out;
    for (int k = 0; k < s->column_count; ++k) {
        if (strcmp(s->columns[k].name, "x") == 0) {
            mote_column x = s->columns[k];
            memmove(s->columns + 1, s->columns, (size_t)k * sizeof x);
            s->columns[0] = x;
            return MOTE_OK;
        }
    }
    return fail(v, "has no points: it is truncated, or not a result of mote");
}

/* Searched in the last bytes: only white space follows the end of the XML. */
static bool has_end(const mo_bytes *file)
{
    static const char END[] = "</VTKFile>";
    size_t tail = file->size < 64 ? file->size : 64;
    return memmem(file->data + file->size - tail, tail, END, sizeof END - 1) != NULL;
}

mote_status mo_stored_read_vtp(const mo_bytes *file, mo_stored *stored, mote_error *error)
{
    vtp v = {.file = {.path = file->path,
                      .data = file->data,
                      .end = file->data + file->size,
                      .memory = &stored->memory,
                      .error = error},
             .out = stored};
    stored->rows = -1;
    mo_vtk_open(&v.file);
    MO_TRY(read_tags(&v));
    if (stored->rows < 0) {
        return fail(&v, "is truncated, or not a VTP file: it has no Piece");
    }
    MO_TRY(put_positions_first(&v));
    if (!has_end(file)) {
        return fail(
            &v, "is truncated: it does not end with </VTKFile>; resume the run or run it again");
    }
    stored->edge_count = stored->edges ? v.lines : 0;
    stored->triangle_count = stored->triangles ? v.polys : 0;
    return MOTE_OK;
}
