/*
 * VTK's unstructured grids (.vtu), as ParaView and many mesh generators write them, in every
 * encoding (base/vtk_data.h). Tetrahedra and triangles are read, points and lines ignored, other
 * cells rejected. Cells are named by their index from 0, as in VTK.
 */
#include "geometry/meshfile/source.h"

#include "base/vtk_data.h"

#include <string.h>

enum { VERTEX = 1, POLY_VERTEX = 2, LINE = 3, POLY_LINE = 4, TRIANGLE = 5, TETRAHEDRON = 10 };

typedef struct vtu {
    mo_mesh_source *source;
    mo_vtk_file file;
    int64_t points, cells; /* -1 while unknown */
    bool have[4];
    mo_vtk_array arrays[4];
} vtu;

enum { POINTS, CONNECTIVITY, OFFSETS, CELL_TYPES };

static mote_status note_array(vtu *v, const mo_xml_tag *tag, const char *around)
{
    static const char *const NAMES[4] = {NULL, "connectivity", "offsets", "types"};
    mo_vtk_array array;
    bool points = strcmp(around, "Points") == 0, cells = strcmp(around, "Cells") == 0;
    if (!points && !cells) {
        return MOTE_OK;
    }
    MO_TRY(mo_vtk_read_tag(&v->file, tag, &array));
    int which = points ? POINTS : CONNECTIVITY;
    while (!points && which < 4 && strcmp(array.name, NAMES[which]) != 0) {
        ++which;
    }
    if (which < 4) {
        if (v->have[which]) {
            return mo_vtk_fail_array(&v->file, &array, "is a duplicate");
        }
        v->have[which] = true;
        v->arrays[which] = array;
    }
    return MOTE_OK;
}

static mote_status note_piece(vtu *v, const mo_xml_tag *tag)
{
    if (v->points >= 0) {
        return mo_vtk_fail(&v->file, "has several pieces; allowed: one");
    }
    if (!mo_vtk_integer(tag, "NumberOfPoints", INT32_MAX, &v->points) ||
        !mo_vtk_integer(tag, "NumberOfCells", INT32_MAX, &v->cells)) {
        return mo_vtk_fail(&v->file, "its Piece lacks the number of points or cells");
    }
    return MOTE_OK;
}

static mote_status read_tags(vtu *v)
{
    char around[32] = "";
    const char *at = v->file.data, *end = mo_vtk_xml_end(&v->file);
    mo_xml_tag tag;
    bool head = false;
    while (mo_xml_next(at, end, &tag)) {
        at = tag.after;
        if (tag.closing || mo_xml_is(&tag, "InformationKey")) {
            continue;
        }
        if (mo_xml_is(&tag, "VTKFile")) {
            MO_TRY(mo_vtk_read_head(&v->file, &tag, "UnstructuredGrid"));
            head = true;
        } else if (mo_xml_is(&tag, "Piece")) {
            MO_TRY(note_piece(v, &tag));
        } else if (mo_xml_is(&tag, "DataArray")) {
            MO_TRY(note_array(v, &tag, around));
        } else {
            size_t length = tag.name_length < sizeof around ? tag.name_length : sizeof around - 1;
            memcpy(around, tag.name, length);
            around[length] = '\0';
        }
    }
    if (!head || v->points < 0 || !v->have[0] || !v->have[1] || !v->have[2] || !v->have[3]) {
        return mo_vtk_fail(
            &v->file,
            "is truncated, or not a .vtu file: it lacks its Piece, points, connectivity, offsets "
            "or types");
    }
    return MOTE_OK;
}

static mote_status read_points(vtu *v)
{
    void *x;
    const mo_vtk_array *array = &v->arrays[POINTS];
    if (array->components != 3) {
        return mo_vtk_fail(&v->file, "its points do not have three components each");
    }
    MO_TRY(mo_vtk_check_size(&v->file, array, 3 * v->points));
    MO_TRY(mo_allocate_array(v->file.memory, v->points, 3 * sizeof(double), &x, v->file.error));
    mote_status status = mo_vtk_read_reals(&v->file, array, 3 * v->points, x);
    for (int64_t k = 0; k < v->points && status == MOTE_OK; ++k) {
        status = mo_mesh_source_add_node(v->source, k, (double *)x + 3 * k);
    }
    mo_release(v->file.memory, x);
    return status;
}

/* An array of integers, in a new allocation. */
static mote_status read_whole(vtu *v, int which, int64_t count, int64_t **out)
{
    void *block;
    const mo_vtk_array *array = &v->arrays[which];
    *out = NULL;
    MO_TRY(mo_vtk_check_size(&v->file, array, count));
    MO_TRY(mo_allocate_array(v->file.memory, count, sizeof(int64_t), &block, v->file.error));
    *out = block;
    return mo_vtk_read_integers(&v->file, array, count, block);
}

static mote_status add_cell(vtu *v, int64_t cell, int64_t type, const int64_t *corner,
                            int64_t count)
{
    mo_mesh_source *s = v->source;
    mo_mesh_elements *e = type == TETRAHEDRON ? &s->tetrahedra : &s->triangles;
    int32_t nodes[4];
    if (type >= VERTEX && type <= POLY_LINE) {
        return MOTE_OK;
    }
    if (type != TRIANGLE && type != TETRAHEDRON) {
        return mo_mesh_source_fail(
            s, "cell %lld has the VTK type %lld; allowed: 10 (tetrahedron), 5 (triangle)",
            (long long)cell, (long long)type);
    }
    if (count != e->corners) {
        return mo_mesh_source_fail(s, "cell %lld has %lld corners; a cell of its type has %d",
                                   (long long)cell, (long long)count, e->corners);
    }
    for (int c = 0; c < e->corners; ++c) {
        if (corner[c] < 0 || corner[c] >= s->node_count) {
            return mo_mesh_source_fail(s, "cell %lld refers to point %lld, the last is %lld",
                                       (long long)cell, (long long)corner[c],
                                       (long long)s->node_count - 1);
        }
        nodes[c] = (int32_t)corner[c];
    }
    return mo_mesh_source_add(s, e, cell, nodes);
}

static mote_status add_cells(vtu *v, const int64_t *ends, const int64_t *types,
                             int64_t **connectivity)
{
    int64_t before = 0, all = v->cells ? ends[v->cells - 1] : 0;
    for (int64_t k = 0; k < v->cells; ++k) {
        if (ends[k] < before || ends[k] > all) {
            return mo_mesh_source_fail(
                v->source, "cell %lld ends before it begins, or beyond the last", (long long)k);
        }
        before = ends[k];
    }
    MO_TRY(read_whole(v, CONNECTIVITY, all, connectivity));
    before = 0;
    for (int64_t k = 0; k < v->cells; ++k) {
        MO_TRY(add_cell(v, k, types[k], *connectivity + before, ends[k] - before));
        before = ends[k];
    }
    return MOTE_OK;
}

static mote_status read_cells(vtu *v)
{
    int64_t *ends = NULL, *types = NULL, *connectivity = NULL;
    mote_status status = read_whole(v, OFFSETS, v->cells, &ends);
    if (status == MOTE_OK) {
        status = read_whole(v, CELL_TYPES, v->cells, &types);
    }
    if (status == MOTE_OK) {
        status = add_cells(v, ends, types, &connectivity);
    }
    mo_release(v->file.memory, ends);
    mo_release(v->file.memory, types);
    mo_release(v->file.memory, connectivity);
    return status;
}

mote_status mo_mesh_read_vtu(mo_mesh_source *s)
{
    vtu v = {.source = s,
             .file = {.path = s->path,
                      .data = s->begin,
                      .end = s->end,
                      .memory = s->memory,
                      .error = s->error},
             .points = -1};
    s->binary = true;
    mo_vtk_open(&v.file);
    MO_TRY(read_tags(&v));
    MO_TRY(read_points(&v));
    return read_cells(&v);
}
