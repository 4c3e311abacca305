#include "geometry/meshfile/meshfile.h"

#include "base/file.h"
#include "base/plain_numbers.h"
#include "base/text.h"
#include "geometry/meshfile/source.h"
#include "geometry/trimesh/file.h"

#include <string.h>

static bool is_tetgen(const char *path)
{
    return mo_ends_with(path, ".node") || mo_ends_with(path, ".ele");
}

static bool is_surface(const char *path)
{
    return mo_ends_with(path, ".obj") || mo_ends_with(path, ".ply") || mo_ends_with(path, ".stl");
}

bool mo_mesh_file_supported(const char *path)
{
    return mo_ends_with(path, ".msh") || mo_ends_with(path, ".vtu") || is_tetgen(path) ||
           is_surface(path);
}

/* Points and triangles are named by their indices, from 0. */
static mote_status take_surface(mo_mesh_source *s, const mo_trimesh *surface)
{
    s->binary = true;
    for (int64_t k = 0; k < surface->vertices; ++k) {
        MO_TRY(mo_mesh_source_add_node(s, k, surface->x + 3 * k));
    }
    for (int64_t k = 0; k < surface->triangles; ++k) {
        MO_TRY(mo_mesh_source_add(s, &s->triangles, k, surface->corner + 3 * k));
    }
    return MOTE_OK;
}

static mote_status read_surface(mo_mesh_source *s, bool repair)
{
    mo_trimesh surface;
    mo_trimesh_init(&surface, s->memory);
    mote_status status =
        mo_trimesh_parse(s->path, s->begin, (size_t)(s->end - s->begin), &surface, s->error);
    if (status == MOTE_OK && repair) {
        status = mo_trimesh_weld(&surface, s->error);
    }
    if (status == MOTE_OK) {
        status = take_surface(s, &surface);
    }
    mo_trimesh_release(&surface);
    return status;
}

/* Switches from the points to the tetrahedra, which may be in another file. */
static mote_status read_elements(mo_mesh_source *s, const char *path, const char *data, size_t size)
{
    s->path = path;
    s->begin = s->at = data;
    s->end = data + size;
    return mo_mesh_read_tetgen_elements(s);
}

static mote_status read_tetgen(mo_mesh_source *s)
{
    const char *split = memmem(s->begin, (size_t)(s->end - s->begin), "\n--\n", 4);
    if (!split) {
        return mo_mesh_source_fail(s, "has no line -- between its points and its tetrahedra");
    }
    const char *end = s->end;
    MO_TRY(mo_mesh_read_tetgen_nodes(s));
    return read_elements(s, s->path, split + 4, (size_t)(end - split - 4));
}

mote_status mo_mesh_file_parse(const char *path, const char *data, size_t size, bool repair,
                               mo_mesh *mesh, mote_error *error)
{
    mo_mesh_source s;
    mo_mesh_source_init(&s, path, data, size, mesh->memory, error);
    mo_plain_numbers numbers = mo_plain_numbers_begin();
    mote_status status = is_surface(path)             ? read_surface(&s, repair)
                         : is_tetgen(path)            ? read_tetgen(&s)
                         : mo_ends_with(path, ".vtu") ? mo_mesh_read_vtu(&s)
                                                      : mo_mesh_read_gmsh(&s);
    if (status == MOTE_OK) {
        status = mo_mesh_source_finish(&s, repair, mesh);
    }
    mo_plain_numbers_end(numbers);
    mo_mesh_source_release(&s);
    return status;
}

/* NAME.node and NAME.ele. */
static mote_status read_pair(const char *path, bool repair, mo_mesh *mesh, mote_error *error)
{
    char other[2][4096];
    char *data[2] = {NULL, NULL};
    size_t size[2], stem = strlen(path) - strlen(mo_ends_with(path, ".ele") ? ".ele" : ".node");
    if (stem + 6 > sizeof other[0]) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%.900s: the name is too long", path);
    }
    mo_mesh_source s;
    for (int k = 0; k < 2; ++k) {
        memcpy(other[k], path, stem);
        strcpy(other[k] + stem, k == 0 ? ".node" : ".ele");
    }
    mote_status status = mo_file_read(other[0], mesh->memory, &data[0], &size[0], error);
    if (status == MOTE_OK) {
        status = mo_file_read(other[1], mesh->memory, &data[1], &size[1], error);
    }
    if (status == MOTE_OK) {
        mo_mesh_source_init(&s, other[0], data[0], size[0], mesh->memory, error);
        mo_plain_numbers numbers = mo_plain_numbers_begin();
        status = mo_mesh_read_tetgen_nodes(&s);
        if (status == MOTE_OK) {
            status = read_elements(&s, other[1], data[1], size[1]);
        }
        if (status == MOTE_OK) {
            status = mo_mesh_source_finish(&s, repair, mesh);
        }
        mo_plain_numbers_end(numbers);
        mo_mesh_source_release(&s);
    }
    mo_release(mesh->memory, data[0]);
    mo_release(mesh->memory, data[1]);
    return status;
}

mote_status mo_mesh_file_read(const char *path, bool repair, mo_mesh *mesh, mote_error *error)
{
    char *data;
    size_t size;
    if (is_tetgen(path)) {
        return read_pair(path, repair, mesh, error);
    }
    MO_TRY(mo_file_read(path, mesh->memory, &data, &size, error));
    mote_status status = mo_mesh_file_parse(path, data, size, repair, mesh, error);
    mo_release(mesh->memory, data);
    return status;
}
