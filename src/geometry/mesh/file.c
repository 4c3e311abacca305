/* A mesh from a file: tetrahedra or triangles (geometry/meshfile), or a surface (OBJ, PLY, STL). */
#include "geometry/meshfile/meshfile.h"

#include "math/quat.h"

typedef struct file {
    const char *path;
    double scale;
    mo_vec3 turned, moved;
    bool repair;
} file;

static const mo_param PARAMS[] = {
    {"file", MO_FILE, MO_FIELD(file, path), .required = true,
     .doc = "The file: Gmsh .msh (versions 2 and 4.1), TetGen .node and .ele (either of the two names), VTK "
            ".vtu."},
    {"scale", MO_REAL, MO_FIELD(file, scale), .initial = "1", .range = "(0, inf)",
     .doc = "What a unit of the file is in metres: 0.001 for millimetres."},
    {"turned", MO_VEC3, MO_FIELD(file, turned), .unit = "rad", .initial = "[0, 0, 0]",
     .doc = "A rotation about the origin, as a rotation vector, after scaling."},
    {"moved", MO_VEC3, MO_FIELD(file, moved), .unit = "m", .initial = "[0, 0, 0]",
     .doc = "Where the origin of the file goes, after turning."},
    {"repair", MO_BOOL, MO_FIELD(file, repair), .initial = "false",
     .doc =
         "Turns elements that are inside out, leaves out those that are there twice and nodes that none has; "
         "otherwise these are errors."},
    {0}};

static mote_status check(const void *params, mote_error *error)
{
    const file *f = params;
    if (!mo_mesh_file_known(f->path)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "file: %.800s: the ending is unknown; allowed: .msh, .node, .ele, .vtu", f->path);
    }
    return MOTE_OK;
}

static void place_nodes(const file *f, mo_mesh *mesh)
{
    mo_quat turn = mo_quat_turn(mo_unit(f->turned, mo_vec3_make(0, 0, 1)), mo_length(f->turned));
    for (int64_t k = 0; k < mesh->node_count; ++k) {
        mo_vec3 x = mo_scale(f->scale, mo_vec3_load(mesh->nodes + 3 * k));
        mo_vec3_store(mesh->nodes + 3 * k, mo_add(mo_quat_rotate(turn, x), f->moved));
        mesh->shares[k] *= mesh->dimension == 3 ? f->scale * f->scale * f->scale : f->scale * f->scale;
    }
    mesh->spacing *= f->scale;
}

static mote_status build(const void *params, mo_mesh *mesh, mote_error *error)
{
    const file *f = params;
    MO_TRY(mo_mesh_file_read(f->path, f->repair, mesh, error));
    place_nodes(f, mesh);
    return MOTE_OK;
}

const mo_mesh_type mo_mesh_file = {
    .base = {.name = "file",
             .summary = "A mesh from a file. Sets: all, surface, and the groups or markers of the file.",
             .param_size = sizeof(file),
             .params = PARAMS,
             .check = check},
    .build = build,
};
