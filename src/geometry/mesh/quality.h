/*
 * Element quality by dihedral angles: linear elements with angles near 0 make the stiffness matrix
 * ill-conditioned, those near 180 degrees increase the interpolation error (Shewchuk 2002). A
 * regular tetrahedron has 70.53 degrees everywhere. For triangles, the corner angles.
 */
#ifndef MO_GEOMETRY_MESH_QUALITY_H
#define MO_GEOMETRY_MESH_QUALITY_H

#include "geometry/mesh/mesh.h"

typedef struct mo_mesh_quality {
    /* degrees: dihedral of tetrahedra, else at the corners of triangles */
    double angle_min, angle_max;
    int64_t least_at, most_at; /* the elements with these angles */
    double edge_min, edge_max, edge_mean;
    double size,
        /* the volume, or area, of all elements and of the smallest; negative if inverted */
        size_min;
    int64_t size_min_at;
    int64_t inverted; /* tetrahedra without a positive volume */
} mo_mesh_quality;

mo_mesh_quality mo_mesh_measure(const mo_mesh *mesh);

#endif
