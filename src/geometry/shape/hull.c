/*
 * The convex hull of points, and of the vertices of a file if there is one (geometry/hull): a rock
 * in a few lines of a scene. Its distance is that to its triangles.
 */
#include "geometry/hull/hull.h"
#include "geometry/shape/facets.h"
#include "geometry/shape/moments.h"
#include "geometry/shape/solid_surface.h"
#include "geometry/trimesh/file.h"

typedef struct hull {
    mo_list points;
    const char *file;
    /* created by prepare */
    mo_solid_surface solid;
} hull;

static const mo_param PARAMS[] = {
    {"points", MO_VEC3, .list = true, MO_FIELD(hull, points), .unit = "m", .initial = "[]",
     .doc = "Points whose hull the solid is; at least four, not all in a plane."},
    {"file", MO_FILE, MO_FIELD(hull, file),
     .doc = "Surface mesh in metres (OBJ, PLY or STL) whose vertices are added to the points."},
    {0}};

static mote_status hull_check(const void *params, mote_error *error)
{
    const hull *h = params;
    return h->points.count > 0 || h->file
               ? MOTE_OK
               : mo_fail(error, MOTE_ERROR_INPUT, "points: give points, a file, or both");
}

/* The faces as fans of triangles. */
static mote_status triangulate(const mo_hull *from, mo_trimesh *surface, mote_error *error)
{
    int64_t triangles = 0;
    MO_TRY(mo_trimesh_reserve(surface, from->vertices, from->edges - 2 * from->faces, error));
    for (int32_t v = 0; v < from->vertices; ++v) {
        mo_vec3_store(surface->x + 3 * (size_t)v, mo_add(from->center, from->vertex[v]));
    }
    for (int32_t f = 0; f < from->faces; ++f) {
        for (int32_t e = from->first[f] + 1; e + 1 < from->first[f + 1]; ++e, ++triangles) {
            int32_t *corner = surface->corner + 3 * triangles;
            corner[0] = from->edge[from->first[f]].origin;
            corner[1] = from->edge[e].origin;
            corner[2] = from->edge[e + 1].origin;
        }
    }
    return MOTE_OK;
}

static mote_status make(hull *h, mo_trimesh *file, mo_trimesh *surface, mo_arena *arena,
                        mote_error *error)
{
    mo_hull made;
    if (h->file) {
        MO_TRY(mo_trimesh_read(h->file, file, error));
    }
    int64_t count = h->points.count + file->vertices;
    double *x = mo_arena_allocate(arena, 3 * (size_t)(count + 1) * sizeof *x);
    if (!x) {
        return mo_fail_memory(error, 3 * (size_t)count * sizeof *x);
    }
    for (int64_t k = 0; k < count; ++k) {
        mo_vec3 p = k < h->points.count ? ((const mo_vec3 *)h->points.items)[k]
                                        : mo_vec3_load(file->x + 3 * (k - h->points.count));
        mo_vec3_store(x + 3 * k, p);
    }
    MO_TRY(mo_hull_build(count, x, "points", arena, &made, NULL, error));
    MO_TRY(triangulate(&made, surface, error));
    return mo_solid_surface_make(surface, "hull", arena, &h->solid, error);
}

static mote_status hull_prepare(void *params, mo_arena *arena, mote_error *error)
{
    mo_trimesh file, surface;
    mo_trimesh_init(&file, arena->memory);
    mo_trimesh_init(&surface, arena->memory);
    mote_status status = make(params, &file, &surface, arena, error);
    mo_trimesh_release(&file);
    mo_trimesh_release(&surface);
    return status;
}

static void hull_distances(const void *params, int64_t count, const double *points,
                           double *distance, double *normal)
{
    mo_trimesh_distances(&((const hull *)params)->solid.tree, count, points, distance, normal);
}

static bool hull_bounds(const void *params, mo_vec3 *min, mo_vec3 *max)
{
    const hull *h = params;
    *min = h->solid.tree.low;
    *max = h->solid.tree.high;
    return true;
}

static mote_status hull_sample(const void *params, const mo_sampling *how, mo_samples *samples,
                               mote_error *error)
{
    return mo_solid_surface_sample(&((const hull *)params)->solid, "hull", how, samples, error);
}

static const mo_trimesh *hull_surface(const void *params)
{
    return &((const hull *)params)->solid.surface;
}

static const mo_trimesh_distance *hull_tree(const void *params)
{
    return &((const hull *)params)->solid.tree;
}

static mote_status hull_facets(const void *params, const mo_shape_region *region, mo_facets *facets,
                               mote_error *error)
{
    (void)region;
    return mo_solid_surface_facets(&((const hull *)params)->solid, facets, error);
}

static void hull_moments(const void *params, mo_volume_moments *moments)
{
    *moments = mo_moments_of_mesh(hull_surface(params));
}

const mo_shape_type mo_shape_hull = {
    .base = {.name = "hull",
             .summary = "The convex hull of points, or of the vertices of a file.",
             .citation = "C. B. Barber, D. P. Dobkin, H. Huhdanpaa 1996, ACM Trans. Math. Softw. "
                         "22, 469",
             .capabilities = MO_SHAPE_EXACT,
             .param_size = sizeof(hull),
             .params = PARAMS,
             .check = hull_check,
             .prepare = hull_prepare},
    .distances = hull_distances,
    .bounds = hull_bounds,
    .moments = hull_moments,
    .sample = hull_sample,
    .surface = hull_surface,
    .tree = hull_tree,
    .facets = hull_facets,
};
