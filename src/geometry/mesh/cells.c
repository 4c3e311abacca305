#include "geometry/mesh/cells.h"

/* Corners of a cell as bits: 1 is one step along x, 2 along y, 4 along z. The second five are
 * mirror images in x. */
static const uint8_t FIVE[2][5][4] = {
    {{0, 5, 3, 6}, {1, 3, 0, 5}, {2, 0, 3, 6}, {4, 6, 5, 0}, {7, 6, 3, 5}},
    {{1, 7, 2, 4}, {0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 4, 2, 7}},
};
static const uint8_t SIX[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                  {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};

mote_status mo_cells_check(int64_t tetrahedra, mote_error *error)
{
    if (tetrahedra != 5 && tetrahedra != 6) {
        return mo_fail(error, MOTE_ERROR_INPUT, "tetrahedra: a cell is cut into 5 or 6, not %lld",
                       (long long)tetrahedra);
    }
    return MOTE_OK;
}

mote_status mo_cells_cut(mo_mesh *mesh, int64_t nx, int64_t ny, int64_t nz, int64_t tetrahedra,
                         mote_error *error)
{
    MO_TRY(mo_mesh_reserve_tetrahedra(mesh, tetrahedra * (nx - 1) * (ny - 1) * (nz - 1), error));
    for (int64_t k = 0; k + 1 < nz; ++k) {
        for (int64_t j = 0; j + 1 < ny; ++j) {
            for (int64_t i = 0; i + 1 < nx; ++i) {
                const uint8_t(*cut)[4] = tetrahedra == 6 ? SIX : FIVE[(i + j + k) % 2];
                int64_t corner[8];
                for (int c = 0; c < 8; ++c) {
                    corner[c] = ((k + (c >> 2)) * ny + j + (c >> 1 & 1)) * nx + i + (c & 1);
                }
                for (int64_t t = 0; t < tetrahedra; ++t) {
                    const uint8_t *v = cut[t];
                    MO_TRY(mo_mesh_add_tetrahedron(mesh, corner[v[0]], corner[v[1]], corner[v[2]],
                                                   corner[v[3]], error));
                }
            }
        }
    }
    return MOTE_OK;
}
