/* A solid within closed triangles and its tree: what the shapes `mesh` and `hull` share. */
#ifndef MO_GEOMETRY_SHAPE_SOLID_SURFACE_H
#define MO_GEOMETRY_SHAPE_SOLID_SURFACE_H

#include "geometry/shape/shape_samples.h"
#include "geometry/trimesh/distance.h"

typedef struct mo_solid_surface {
    mo_trimesh surface;
    mo_trimesh_distance tree;
} mo_solid_surface;

/* Computes normals and the tree of a closed surface, and keeps a copy in the arena. */
mote_status mo_solid_surface_make(mo_trimesh *surface, const char *name, mo_arena *arena,
                                  mo_solid_surface *solid, mote_error *error);

/* Hooks of mo_shape_type. */
mote_status mo_solid_surface_sample(const mo_solid_surface *solid, const char *name,
                                    const mo_sampling *how, mo_samples *samples, mote_error *error);
mote_status mo_solid_surface_facets(const mo_solid_surface *solid, struct mo_facets *facets,
                                    mote_error *error);

#endif
