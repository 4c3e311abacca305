#include "geometry/generate/generate.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_mesh_type, mo_mesh_, name)
#include "geometry/generate/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_mesh_, name)
#include "geometry/generate/methods.def"
#undef MO_METHOD
};

const mo_family mo_meshes = {
    .name = "mesh",
    .doc =
        "Meshes of bodies: generators of nodes, edges, triangles and tetrahedra, and mesh files.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
};

mote_status mo_mesh_generate(mo_method method, mo_memory *memory, mo_mesh *mesh, mote_error *error)
{
    *mesh = (mo_mesh){.memory = memory};
    mote_status status = ((const mo_mesh_type *)method.type)->build(method.params, mesh, error);
    if (status != MOTE_OK) {
        mo_mesh_release(mesh);
    }
    return status;
}
