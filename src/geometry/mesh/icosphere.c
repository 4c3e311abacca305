#include "geometry/mesh/icosphere.h"

#include <string.h>

/* (0, +-1, +-p) and its rotations, p the golden ratio; not normalised, since only directions
 * matter. */
#define P 1.6180339887498949
static const double CORNER[12][3] = {{0, 1, P}, {0, -1, P}, {0, 1, -P}, {0, -1, -P},
                                     {1, P, 0}, {-1, P, 0}, {1, -P, 0}, {-1, -P, 0},
                                     {P, 0, 1}, {P, 0, -1}, {-P, 0, 1}, {-P, 0, -1}};
static const uint8_t FACE[MO_ICOSPHERE_FACES][3] = {
    {0, 1, 8}, {0, 8, 4}, {0, 4, 5}, {0, 5, 10}, {0, 10, 1},  {1, 6, 8},   {8, 6, 9},
    {8, 9, 4}, {4, 9, 2}, {4, 2, 5}, {5, 2, 11}, {5, 11, 10}, {10, 11, 7}, {10, 7, 1},
    {1, 7, 6}, {3, 9, 6}, {3, 2, 9}, {3, 11, 2}, {3, 7, 11},  {3, 6, 7}};

void mo_icosphere_init(mo_icosphere *sphere)
{
    int8_t count = 0;
    memset(sphere->edge, -1, sizeof sphere->edge);
    for (int f = 0; f < MO_ICOSPHERE_FACES; ++f) {
        for (int k = 0; k < 3; ++k) {
            int a = FACE[f][k], b = FACE[f][(k + 1) % 3];
            if (sphere->edge[a][b] < 0) {
                sphere->edge[a][b] = sphere->edge[b][a] = count++;
            }
        }
    }
}

/* On the edge between two corners, with their weights `from` and `to`. */
static int64_t edge_number(const mo_icosphere *sphere, int x, int y, int64_t from, int64_t to)
{
    int64_t detail = from + to, step = x < y ? to : from;
    return 12 + sphere->edge[x][y] * (detail - 1) + step - 1;
}

int64_t mo_icosphere_number(const mo_icosphere *sphere, int face, int64_t a, int64_t b, int64_t c)
{
    const uint8_t *corner = FACE[face];
    int64_t detail = a + b + c;
    if (a == detail || b == detail || c == detail) {
        return corner[a == detail ? 0 : b == detail ? 1 : 2];
    }
    if (a == 0) {
        return edge_number(sphere, corner[1], corner[2], b, c);
    }
    if (b == 0) {
        return edge_number(sphere, corner[2], corner[0], c, a);
    }
    if (c == 0) {
        return edge_number(sphere, corner[0], corner[1], a, b);
    }
    int64_t row = (a - 1) * (detail - 1) -
                  a * (a - 1) / 2; /* entries of rows of smaller a: detail - 2, detail - 3, ... */
    return 12 + 30 * (detail - 1) + face * (detail - 1) * (detail - 2) / 2 + row + b - 1;
}

mo_vec3 mo_icosphere_position(int face, int64_t a, int64_t b, int64_t c)
{
    const uint8_t *corner = FACE[face];
    mo_vec3 x = mo_scale((double)a, mo_vec3_load(CORNER[corner[0]]));
    x = mo_add_scaled(x, (double)b, mo_vec3_load(CORNER[corner[1]]));
    x = mo_add_scaled(x, (double)c, mo_vec3_load(CORNER[corner[2]]));
    return mo_unit(x, x);
}

void mo_icosphere_fill(const mo_icosphere *sphere, int64_t detail, double *directions,
                       int32_t *triangles)
{
    for (int f = 0; f < MO_ICOSPHERE_FACES; ++f) {
        for (int64_t a = 0; a <= detail; ++a) {
            for (int64_t b = 0; a + b <= detail; ++b) {
                int64_t c = detail - a - b, here = mo_icosphere_number(sphere, f, a, b, c);
                mo_vec3_store(directions + 3 * here, mo_icosphere_position(f, a, b, c));
                if (c > 0) {
                    *triangles++ = (int32_t)here;
                    *triangles++ = (int32_t)mo_icosphere_number(sphere, f, a + 1, b, c - 1);
                    *triangles++ = (int32_t)mo_icosphere_number(sphere, f, a, b + 1, c - 1);
                }
                if (c > 1) {
                    *triangles++ = (int32_t)mo_icosphere_number(sphere, f, a + 1, b, c - 1);
                    *triangles++ = (int32_t)mo_icosphere_number(sphere, f, a + 1, b + 1, c - 2);
                    *triangles++ = (int32_t)mo_icosphere_number(sphere, f, a, b + 1, c - 1);
                }
            }
        }
    }
}
