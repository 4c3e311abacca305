/*
 * Triangulation of oriented particles: the particles are the vertices, and the triangles are those
 * of the Delaunay triangulations in their tangent planes (R. Szeliski, D. Tonnesen 1992, "Surface
 * modeling with oriented particle systems", section 5; J.-D. Boissonnat, A. Ghosh 2014). Departs
 * from the papers: triangles on which the tangent planes disagree are resolved by votes, small
 * holes are closed, and a vertex keeps one fan (assembly.h), so that the mesh is always a manifold
 * with borders, without weights or additional points.
 */
#include "geometry/surface/assembly.h"
#include "geometry/surface/surface.h"
#include "math/portable.h"
#include "neighbor/search.h"

typedef struct tangential_delaunay {
    mo_surface_common common;
    double radius, angle, slope;
} tangential_delaunay;

static const mo_param PARAMS[] = {
    {"radius", MO_REAL, MO_FIELD(tangential_delaunay, radius), .initial = "1.2",
     .range = "[0.6, 5]",
     .doc = "Largest circumradius of a triangle, in spacings; larger gaps are holes."},
    {"angle", MO_REAL, MO_FIELD(tangential_delaunay, angle), .unit = "deg", .initial = "75",
     .range = "(0, 90]", .doc = "Largest angle between the axes of neighbours."},
    {"slope", MO_REAL, MO_FIELD(tangential_delaunay, slope), .unit = "deg", .initial = "45",
     .range = "(0, 80]",
     .doc = "Largest angle between the line to a neighbour and the tangent plane."},
    {0}};

/* The oriented particles of a cloud. */
typedef struct oriented_points {
    mo_memory *memory;
    int64_t count;
    double *x, *normal; /* with a row of padding, for the search */
    int32_t *row;       /* of the cloud */
    int32_t *vertex;    /* of the mesh; -1: in no triangle */
    mo_search *search;
    mo_assembly assembly;
} oriented_points;

static void release_points(oriented_points *p)
{
    mo_assembly_release(&p->assembly);
    mo_search_destroy(p->search);
    mo_release(p->memory, p->vertex);
    mo_release(p->memory, p->normal);
    mo_release(p->memory, p->x);
}

static mote_status gather_points(oriented_points *p, const mo_cloud *cloud, int32_t *row,
                                 mote_error *error)
{
    void *x, *normal, *vertex;
    MO_TRY(mo_allocate_array(p->memory, cloud->count + 1, 3 * sizeof(double), &x, error));
    p->x = x;
    MO_TRY(mo_allocate_array(p->memory, cloud->count + 1, 3 * sizeof(double), &normal, error));
    p->normal = normal;
    MO_TRY(mo_allocate_array(p->memory, cloud->count, sizeof(int32_t), &vertex, error));
    p->vertex = vertex;
    p->row = row;
    for (int64_t k = 0; k < cloud->count; ++k) {
        mo_vec3 zero = {0, 0, 0}, n = mo_unit(mo_vec3_load(cloud->normal + 3 * k), zero);
        if (mo_dot(n, n) > 0.5) {
            mo_vec3_store(p->x + 3 * p->count, mo_vec3_load(cloud->x + 3 * k));
            mo_vec3_store(p->normal + 3 * p->count, n);
            p->row[p->count++] = (int32_t)k;
        }
    }
    return MOTE_OK;
}

static mote_status find_neighbors(oriented_points *p, double reach, mo_pool *pool,
                                  mote_error *error)
{
    mo_search_set rows = {p->count, p->x};
    int set;
    MO_TRY(mo_search_create((mo_method){0}, NULL, p->memory, &p->search, error));
    MO_TRY(mo_search_add_set(p->search, reach, &set, error));
    MO_TRY(mo_search_ask(p->search, set, set, MO_LISTS_FULL, error));
    return mo_search_build(p->search, &rows, pool, error);
}

/* Numbers the vertices and counts the triangles; each belongs to its lowest corner. */
static void count_mesh(oriented_points *p, int64_t *vertices, int64_t *triangles)
{
    *vertices = *triangles = 0;
    for (int64_t row = 0; row < p->count; ++row) {
        const mo_star_fan *fan = &p->assembly.fan[row];
        p->vertex[row] = fan->count > 0 ? (int32_t)(*vertices)++ : -1;
        for (int k = 0; k < fan->count; ++k) {
            *triangles += row < fan->first[k] && row < fan->second[k];
        }
    }
}

static mote_status write_mesh(oriented_points *p, mo_trimesh *mesh, mote_error *error)
{
    int64_t vertices, triangles, at = 0;
    count_mesh(p, &vertices, &triangles);
    MO_TRY(mo_trimesh_reserve(mesh, vertices, triangles, error));
    for (int64_t row = 0; row < p->count; ++row) {
        const mo_star_fan *fan = &p->assembly.fan[row];
        int32_t v = p->vertex[row];
        if (v < 0) {
            continue;
        }
        mo_vec3_store(mesh->x + 3 * (int64_t)v, mo_vec3_load(p->x + 3 * row));
        mo_vec3_store(mesh->normal + 3 * (int64_t)v, mo_vec3_load(p->normal + 3 * row));
        p->row[v] = p->row[row];
        for (int k = 0; k < fan->count; ++k) {
            if (row < fan->first[k] && row < fan->second[k]) {
                mesh->corner[at++] = v;
                mesh->corner[at++] = p->vertex[fan->first[k]];
                mesh->corner[at++] = p->vertex[fan->second[k]];
            }
        }
    }
    return MOTE_OK;
}

static mote_status triangulate(oriented_points *p, const tangential_delaunay *params,
                               double spacing, mo_pool *pool, mo_trimesh *mesh, mote_error *error)
{
    mo_star_points points = {
        .count = p->count, .x = p->x, .normal = p->normal, .radius = params->radius * spacing};
    double cosine, sine;
    MO_TRY(find_neighbors(p, 2 * points.radius, pool, error));
    const mo_lists *lists = mo_search_lists(p->search, 0, 0);
    points.start = lists->start;
    points.near_count = lists->count;
    points.near = lists->index;
    mo_turn(params->angle / 360, &points.axis_cosine, &sine);
    mo_turn(params->slope / 360, &cosine, &sine);
    points.slope_square = sine * sine;
    MO_TRY(mo_assembly_make(&p->assembly, &points, p->memory, pool, error));
    return write_mesh(p, mesh, error);
}

static mote_status tangential_delaunay_mesh(const void *params, const mo_cloud *cloud,
                                            mo_pool *pool, mo_trimesh *mesh, int32_t *row,
                                            mote_error *error)
{
    oriented_points p = {.memory = mesh->memory};
    p.assembly.memory = mesh->memory;
    if (!cloud->normal) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "surface: tangential_delaunay needs oriented particles, and these have no "
                       "orientation (column q); allowed without: anisotropic, metaball, "
                       "zhu_bridson");
    }
    mote_status status = gather_points(&p, cloud, row, error);
    if (status == MOTE_OK && p.count > 0) {
        status = triangulate(&p, params, cloud->spacing, pool, mesh, error);
    } else if (status == MOTE_OK) {
        status = mo_trimesh_reserve(mesh, 0, 0, error);
    }
    release_points(&p);
    return status;
}

const mo_surface_type mo_surface_tangential_delaunay = {
    .base = {.name = "tangential_delaunay",
             .summary = "Triangles between oriented particles: Delaunay in their tangent planes.",
             .citation = "R. Szeliski, D. Tonnesen 1992, SIGGRAPH, 185; J.-D. Boissonnat, A. Ghosh "
                         "2014, Discrete Comput. Geom. 51, 221",
             .departs =
                 "Triangles on which tangent planes disagree are resolved by votes instead of "
                 "weights; holes of up to 8 edges within 1.2 `radius` are closed, and a vertex "
                 "keeps one fan of triangles, so that the mesh is a manifold with borders.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(tangential_delaunay),
             .params = PARAMS},
    .mesh = tangential_delaunay_mesh,
};
