#include "geometry/mesh/prisms.h"

static mote_status cut_prism(mo_mesh *mesh, const int32_t *t, int64_t foot, int64_t head,
                             mote_error *error)
{
    int low = t[0] < t[1] ? (t[0] < t[2] ? 0 : 2) : (t[1] < t[2] ? 1 : 2);
    int64_t a = t[low], b = t[(low + 1) % 3], c = t[(low + 2) % 3]; /* a has the lowest index */
    MO_TRY(mo_mesh_add_tetrahedron(mesh, foot + a, head + b, head + c, head + a, error));
    if (b < c) {
        MO_TRY(mo_mesh_add_tetrahedron(mesh, foot + a, foot + b, foot + c, head + c, error));
        return mo_mesh_add_tetrahedron(mesh, foot + a, foot + b, head + c, head + b, error);
    }
    MO_TRY(mo_mesh_add_tetrahedron(mesh, foot + a, foot + b, foot + c, head + b, error));
    return mo_mesh_add_tetrahedron(mesh, foot + a, foot + c, head + c, head + b, error);
}

mote_status mo_prisms_cut(mo_mesh *mesh, const int32_t *triangles, int64_t count, int64_t columns,
                          int64_t layers, mote_error *error)
{
    MO_TRY(mo_mesh_reserve_tetrahedra(mesh, mesh->tetrahedron_count + 3 * count * layers, error));
    for (int64_t layer = 0; layer < layers; ++layer) {
        for (int64_t k = 0; k < count; ++k) {
            MO_TRY(
                cut_prism(mesh, triangles + 3 * k, layer * columns, (layer + 1) * columns, error));
        }
    }
    return MOTE_OK;
}
