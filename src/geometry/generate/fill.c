/* Tetrahedra inside a closed surface from a file, or inside a shape (stuffing.h). */
#include "geometry/generate/generate.h"
#include "geometry/generate/placing.h"
#include "geometry/mesh/stuffing.h"
#include "geometry/shape/shape.h"
#include "geometry/trimesh/distance.h"
#include "geometry/trimesh/file.h"

typedef struct fill {
    const char *path;
    mo_method shape;
    double spacing;
    mo_placing placing;
    bool skin;
} fill;

static const mo_param PARAMS[] = {
    {"file", MO_FILE, MO_FIELD(fill, path),
     .doc = "Closed surface mesh, .obj .ply .stl. Give this or a shape."},
    {"shape", MO_METHOD, MO_FIELD(fill, shape), .family = &mo_shapes, .doc = "A bounded shape."},
    {"spacing", MO_REAL, MO_FIELD(fill, spacing), .unit = "m", .required = true,
     .range = "(0, inf)",
     .doc =
         "Edge length of the lattice cells: about the size of the tetrahedra. Thinner features are "
         "not resolved."},
    MO_PLACING_PARAMS(fill, placing),
    {"skin", MO_BOOL, MO_FIELD(fill, skin), .initial = "true",
     .doc = "Embed the surface of the file in the tetrahedra; the embedded surface is drawn and "
            "written (see the body's skin).",
     .needs = "file"},
    {0}};

static mote_status fill_check(const void *params, mote_error *error)
{
    const fill *f = params;
    mo_vec3 min, max;
    if ((f->path != NULL) == (f->shape.type != NULL)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "file, shape: give one of the two");
    }
    if (f->shape.type &&
        !((const mo_shape_type *)f->shape.type)->bounds(f->shape.params, &min, &max)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "shape: '%s' is unbounded and cannot be filled",
                       f->shape.type->name);
    }
    return MOTE_OK;
}

static void shape_distances(const void *context, int64_t count, const double *points,
                            double *distance)
{
    const fill *f = context;
    mo_shape_distances(f->shape, count, points, distance, NULL);
}

static void surface_distances(const void *context, int64_t count, const double *points,
                              double *distance)
{
    mo_trimesh_distances(context, count, points, distance, NULL);
}

static mote_status fill_surface(const fill *f, mo_mesh *mesh, mo_trimesh *surface, mo_arena *arena,
                                mote_error *error)
{
    mo_trimesh_distance tree;
    MO_TRY(mo_trimesh_read(f->path, surface, error));
    MO_TRY(mo_trimesh_weld(surface, error));
    mo_placing_apply(&f->placing, surface->x, surface->vertices);
    MO_TRY(mo_trimesh_distance_build(surface, f->path, false, arena, &tree, error));
    MO_TRY(mo_stuff(mesh, surface_distances, &tree, tree.low, tree.high, f->spacing, error));
    if (f->skin) { /* ownership moves to the mesh */
        mesh->skin = *surface;
        mo_trimesh_init(surface, mesh->memory);
    }
    return MOTE_OK;
}

static mote_status fill_build(const void *params, mo_mesh *mesh, mote_error *error)
{
    const fill *f = params;
    mo_vec3 min, max;
    if (f->shape.type) {
        ((const mo_shape_type *)f->shape.type)->bounds(f->shape.params, &min, &max);
        return mo_stuff(mesh, shape_distances, f, min, max, f->spacing, error);
    }
    mo_trimesh surface;
    mo_arena arena;
    mo_trimesh_init(&surface, mesh->memory);
    mo_arena_init(&arena, mesh->memory);
    mote_status status = fill_surface(f, mesh, &surface, &arena, error);
    mo_trimesh_release(&surface);
    mo_arena_release(&arena);
    return status;
}

const mo_mesh_type mo_mesh_fill = {
    .base = {.name = "fill",
             .summary =
                 "Tetrahedra inside a closed surface or a shape, by a body-centred cubic lattice. "
                 "Sets: all, surface.",
             .citation =
                 "F. Labelle, J. R. Shewchuk 2007, Isosurface stuffing, ACM Trans. Graph. 26, 57",
             .param_size = sizeof(fill),
             .params = PARAMS,
             .check = fill_check},
    .build = fill_build,
};
