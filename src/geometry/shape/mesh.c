/*
 * A solid from a file: a closed surface of triangles with its exact signed distance
 * (trimesh_distance.h). The surface is scaled, rotated, then translated. Identical points are
 * merged if it is not closed otherwise.
 */
#include "geometry/shape/facets.h"
#include "geometry/shape/moments.h"
#include "geometry/shape/solid_surface.h"
#include "geometry/trimesh/check.h"
#include "geometry/trimesh/file.h"
#include "math/quat.h"

typedef struct mesh {
    const char *file;
    mo_vec3 scale, axis, translate;
    double angle;
    bool flip;
    /* created by prepare */
    mo_solid_surface solid;
} mesh;

static const mo_param PARAMS[] = {
    {"file", MO_FILE, MO_FIELD(mesh, file), .required = true,
     .doc = "Closed surface mesh in metres: OBJ, PLY or STL."},
    {"scale", MO_VEC3, MO_FIELD(mesh, scale), .initial = "[1, 1, 1]",
     .doc = "Scale factors along x, y and z."},
    {"axis", MO_VEC3, MO_FIELD(mesh, axis), .initial = "[0, 0, 1]",
     .doc = "Axis of rotation through the origin; normalised, must not be zero."},
    {"angle", MO_REAL, MO_FIELD(mesh, angle), .unit = "rad", .initial = "0",
     .doc = "Angle of rotation, right-handed about the axis."},
    {"translate", MO_VEC3, MO_FIELD(mesh, translate), .unit = "m", .initial = "[0, 0, 0]",
     .doc = "Translation, after scaling and rotation."},
    {"flip", MO_BOOL, MO_FIELD(mesh, flip), .initial = "false",
     .doc = "Reverse the triangle orientation, for files with normals that point inwards."},
    {0}};

static mote_status mesh_check(const void *params, mote_error *error)
{
    const mesh *m = params;
    if (!(m->scale.x > 0 && m->scale.y > 0 && m->scale.z > 0)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "scale: each number must be above 0, here [%g, %g, %g]", m->scale.x,
                       m->scale.y, m->scale.z);
    }
    if (!(mo_length(m->axis) > 0)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "axis: a rotation needs an axis that is not zero");
    }
    return MOTE_OK;
}

static void transform(const mesh *m, mo_trimesh *surface)
{
    mo_mat3 turn = mo_quat_matrix(mo_quat_turn(mo_unit(m->axis, m->axis), m->angle));
    for (int64_t v = 0; v < surface->vertices; ++v) {
        mo_vec3 x = mo_multiply(m->scale, mo_vec3_load(surface->x + 3 * v));
        if (m->angle != 0) { /* otherwise coordinates are unchanged */
            x = mo_mat3_apply(turn, x);
        }
        mo_vec3_store(surface->x + 3 * v, mo_add(x, m->translate));
    }
    for (int64_t t = 0; m->flip && t < surface->triangles; ++t) {
        int32_t *c = surface->corner + 3 * t, swap = c[0];
        c[0] = c[1];
        c[1] = swap;
    }
}

static mote_status make(mesh *m, mo_trimesh *surface, mo_arena *arena, mote_error *error)
{
    unsigned allowed = MO_TRIMESH_HARMLESS | MO_TRIMESH_INSIDE_OUT;
    MO_TRY(mo_trimesh_read(m->file, surface, error));
    mote_status status = mo_trimesh_check(surface, m->file, allowed, error);
    MO_TRY(status == MOTE_ERROR_MEMORY ? status : MOTE_OK);
    if (status != MOTE_OK) {
        MO_TRY(mo_trimesh_weld(surface, error));
    }
    transform(m, surface);
    MO_TRY(mo_trimesh_check(surface, m->file, allowed, error));
    if (!(mo_trimesh_volume(surface) > 0)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "%.900s: the triangle normals point inwards or the surface is flat: the enclosed "
            "volume is %g m^3; set \"flip\": %s",
            m->file, mo_trimesh_volume(surface), m->flip ? "false" : "true");
    }
    return mo_solid_surface_make(surface, m->file, arena, &m->solid, error);
}

static mote_status mesh_prepare(void *params, mo_arena *arena, mote_error *error)
{
    mote_error problem = {0};
    mo_trimesh surface;
    mo_trimesh_init(&surface, arena->memory);
    mote_status status = make(params, &surface, arena, &problem);
    mo_trimesh_release(&surface);
    return status == MOTE_OK ? MOTE_OK : mo_fail(error, status, "file: %.1800s", problem.text);
}

static void mesh_distances(const void *params, int64_t count, const double *points,
                           double *distance, double *normal)
{
    mo_trimesh_distances(&((const mesh *)params)->solid.tree, count, points, distance, normal);
}

static bool mesh_bounds(const void *params, mo_vec3 *min, mo_vec3 *max)
{
    const mesh *m = params;
    *min = m->solid.tree.low;
    *max = m->solid.tree.high;
    return true;
}

static mote_status mesh_sample(const void *params, const mo_sampling *how, mo_samples *samples,
                               mote_error *error)
{
    const mesh *m = params;
    return mo_solid_surface_sample(&m->solid, m->file, how, samples, error);
}

static const mo_trimesh *mesh_surface(const void *params)
{
    return &((const mesh *)params)->solid.surface;
}

static mote_status mesh_facets(const void *params, const mo_shape_region *region, mo_facets *facets,
                               mote_error *error)
{
    (void)region;
    return mo_solid_surface_facets(&((const mesh *)params)->solid, facets, error);
}

static void mesh_moments(const void *params, mo_volume_moments *moments)
{
    *moments = mo_moments_of_mesh(&((const mesh *)params)->solid.surface);
}

static const mo_trimesh_distance *mesh_tree(const void *params)
{
    return &((const mesh *)params)->solid.tree;
}

const mo_shape_type mo_shape_mesh = {
    .base = {.name = "mesh",
             .summary = "A closed surface from a file (OBJ, PLY, STL), with its exact distance.",
             .citation =
                 "J. A. Baerentzen, H. Aanaes 2005, IEEE Trans. Vis. Comput. Graph. 11, 243",
             .capabilities = MO_SHAPE_EXACT,
             .param_size = sizeof(mesh),
             .params = PARAMS,
             .check = mesh_check,
             .prepare = mesh_prepare},
    .distances = mesh_distances,
    .bounds = mesh_bounds,
    .moments = mesh_moments,
    .sample = mesh_sample,
    .surface = mesh_surface,
    .tree = mesh_tree,
    .facets = mesh_facets,
};
