/*
 * A geodesic sphere: each edge of an icosahedron is divided into `detail` parts, each face into
 * detail^2 triangles, and the points are projected onto the sphere. 10 detail^2 + 2 points, 20
 * detail^2 triangles.
 *
 * A point is identified by a face and the weights a + b + c = detail of its three corners. Its
 * index is the same from every face: the 12 corners first, then the edges, then the interiors of
 * the faces.
 */
#ifndef MO_GEOMETRY_MESH_ICOSPHERE_H
#define MO_GEOMETRY_MESH_ICOSPHERE_H

#include "geometry/mesh/mesh.h"

enum { MO_ICOSPHERE_FACES = 20 };

static inline int64_t mo_icosphere_points(int64_t detail)
{
    return 10 * detail * detail + 2;
}

/* The table of edges, created once per generator. */
typedef struct mo_icosphere {
    int8_t edge[12][12]; /* number of the edge between two corners; -1 if there is none */
} mo_icosphere;

void mo_icosphere_init(mo_icosphere *sphere);

/* The index of a point, and its position on the unit sphere. */
int64_t mo_icosphere_number(const mo_icosphere *sphere, int face, int64_t a, int64_t b, int64_t c);
mo_vec3 mo_icosphere_position(int face, int64_t a, int64_t b, int64_t c);

/* All positions in index order (three coordinates each), and all triangles, counter-clockwise from
 * outside. */
void mo_icosphere_fill(const mo_icosphere *sphere, int64_t detail, double *directions,
                       int32_t *triangles);

#endif
