/* A mesh from a file: tetrahedra or triangles (geometry/meshfile). */
#include "geometry/generate/generate.h"
#include "geometry/generate/placing.h"
#include "geometry/meshfile/meshfile.h"

typedef struct file {
    const char *path;
    mo_placing placing;
    bool repair;
} file;

static const mo_param PARAMS[] = {
    {"file", MO_FILE, MO_FIELD(file, path), .required = true,
     .doc =
         "The file: Gmsh .msh (versions 2 and 4.1), TetGen .node and .ele (either of the two names), VTK "
         ".vtu; or a "
         "surface, .obj .ply .stl."},
    MO_PLACING_PARAMS(file, placing),
    {"repair", MO_BOOL, MO_FIELD(file, repair), .initial = "false",
     .doc =
         "Repair: reorients inverted tetrahedra, removes duplicate elements and unused nodes, and "
         "merges coincident points of a surface. Without it the first three are errors."},
    {0}};

static mote_status file_check(const void *params, mote_error *error)
{
    const file *f = params;
    if (!mo_mesh_file_supported(f->path)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "file: %.800s: unknown file extension; allowed: .msh, .node, .ele, .vtu, .obj, .ply, "
            ".stl",
            f->path);
    }
    return MOTE_OK;
}

static mote_status file_build(const void *params, mo_mesh *mesh, mote_error *error)
{
    const file *f = params;
    double scale = f->placing.scale;
    MO_TRY(mo_mesh_file_read(f->path, f->repair, mesh, error));
    mo_placing_apply(&f->placing, mesh->nodes, mesh->node_count);
    for (int64_t k = 0; k < mesh->node_count; ++k) {
        mesh->shares[k] *= mesh->dimension == 3 ? scale * scale * scale : scale * scale;
    }
    mesh->spacing *= scale;
    return MOTE_OK;
}

const mo_mesh_type mo_mesh_file = {
    .base = {.name = "file",
             .summary =
                 "A mesh from a file. Sets: all, surface, and the groups or markers of the file.",
             .param_size = sizeof(file),
             .params = PARAMS,
             .check = file_check},
    .build = file_build,
};
