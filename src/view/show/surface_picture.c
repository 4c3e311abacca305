#include "view/show/surface_picture.h"

#include "geometry/shape/shape.h"
#include "geometry/surface/surface.h"

#include "math/quat.h"

#include <math.h>

void mo_surface_maker_init(mo_surface_maker *m, mo_memory *memory)
{
    *m = (mo_surface_maker){0};
    mo_trimesh_init(&m->mesh, memory);
}

void mo_surface_maker_release(mo_surface_maker *m)
{
    mo_memory *memory = m->mesh.memory;
    void *const blocks[] = {m->x,       m->axes,   m->numbers, m->vertices,
                            m->normals, m->values, m->paint,   m->triangles};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; ++k) {
        mo_release(memory, blocks[k]);
    }
    mo_trimesh_release(&m->mesh);
    mo_surface_maker_init(m, memory);
}

/* Reserves elements of several arrays that grow together. */
static mote_status grow(mo_surface_maker *m, void **const blocks[], const size_t sizes[], int count,
                        int64_t *capacity, int64_t need, mote_error *error)
{
    int64_t grown = *capacity;
    for (int k = 0; k < count; ++k) {
        grown = *capacity;
        MO_TRY(mo_grow(m->mesh.memory, blocks[k], &grown, need, sizes[k], error));
    }
    *capacity = grown;
    return MOTE_OK;
}

/* Collects the particles of the surface: of one paint, not covered by triangles, and finite; and
 * their mean diameter. */
static mote_status gather(mo_surface_maker *m, const uint8_t *covered, int paint,
                          const mo_picture *picture, int64_t *count, double *diameter,
                          mote_error *error)
{
    void **const blocks[] = {(void **)&m->x, (void **)&m->axes, (void **)&m->numbers};
    static const size_t SIZES[] = {3 * sizeof(double), 3 * sizeof(double), sizeof(float)};
    MO_TRY(grow(m, blocks, SIZES, 3, &m->row_capacity, picture->count, error));
    *count = 0;
    *diameter = 0;
    for (int64_t row = 0; row < picture->count; ++row) {
        mo_vec3 x = mo_vec3_load(picture->x + 3 * row);
        bool own = !picture->paint || picture->paint[row] == paint;
        if (own && !covered[row] && isfinite(x.x + x.y + x.z)) {
            mo_vec3_store(m->x + 3 * *count, x);
            mo_vec3 z = {0, 0, 1};
            mo_vec3_store(m->axes + 3 * *count,
                          picture->q ? mo_quat_rotate(mo_quat_load(picture->q + 4 * row), z) : z);
            m->numbers[*count] = picture->values ? picture->values[row] : 0;
            *diameter += picture->radius[row] > 0 ? 2 * picture->radius[row] : 0;
            ++*count;
        }
    }
    *diameter /= *count > 0 ? (double)*count : 1;
    return MOTE_OK;
}

/* Splats reach across impermeable boundaries, and anisotropic ones widen along them: vertices up to
 * a spacing inside of a collider are moved to its surface, as a liquid wets a glass, and a little
 * in front of it, since coincident faces are drawn in patches. */
static void project_on_collider(mo_trimesh *mesh, const mo_collider_def *def, double time,
                                double spacing)
{
    const mo_collider collider = {
        .shape = def->shape, .inside = def->inside, .pose = mo_motion_pose(def->motion, time)};
    double film = 0.05 * spacing;
    for (int64_t k = 0; k < mesh->vertices; ++k) {
        mo_vec3 x = mo_vec3_load(mesh->x + 3 * k), n;
        double gap = mo_collider_gap(&collider, x, &n);
        if (gap < film && gap > -spacing) {
            mo_vec3_store(mesh->x + 3 * k, mo_add_scaled(x, film - gap, n));
        }
    }
}

static void project_on_colliders(mo_trimesh *mesh, const mo_surface_bounds *bounds, double spacing)
{
    for (int64_t k = 0; k < bounds->count; ++k) {
        if (bounds->colliders[k].shape.type) {
            project_on_collider(mesh, &bounds->colliders[k], bounds->time, spacing);
        }
    }
}

/* Appends the mesh to the surface, as floats relative to its first vertex, since floats are too
 * coarse far from the origin. */
static mote_status append(mo_surface_maker *m, const double *interpolated, int paint,
                          mote_error *error)
{
    const mo_trimesh *mesh = &m->mesh;
    int64_t first = m->vertex_count, triangle = m->triangle_count;
    void **const blocks[] = {(void **)&m->vertices, (void **)&m->normals, (void **)&m->values,
                             (void **)&m->paint};
    static const size_t SIZES[] = {3 * sizeof(float), 3 * sizeof(float), sizeof(float), 1};
    MO_TRY(grow(m, blocks, SIZES, 4, &m->vertex_capacity, first + mesh->vertices, error));
    MO_TRY(mo_grow(mesh->memory, (void **)&m->triangles, &m->triangle_capacity,
                   triangle + mesh->triangles, 3 * sizeof(int32_t), error));
    if (first == 0 && mesh->vertices > 0) {
        m->origin = mo_vec3_load(mesh->x);
    }
    for (int64_t k = 0; k < 3 * mesh->vertices; ++k) {
        m->vertices[3 * first + k] = (float)(mesh->x[k] - mo_vec3_at(m->origin, (int)(k % 3)));
        m->normals[3 * first + k] = (float)mesh->normal[k];
    }
    for (int64_t k = 0; k < mesh->vertices; ++k) {
        m->values[first + k] = interpolated ? (float)interpolated[k] : 0;
        m->paint[first + k] = (uint8_t)paint;
    }
    for (int64_t k = 0; k < 3 * mesh->triangles; ++k) {
        m->triangles[3 * triangle + k] = (int32_t)(first + mesh->corner[k]);
    }
    m->vertex_count += mesh->vertices;
    m->triangle_count += mesh->triangles;
    return MOTE_OK;
}

/* The spacing is kept while it is nearly right, so that videos do not flicker. For particles
 * with diameters near their distance, as of fluids, it follows from the diameter: nearest
 * neighbours in a spray are closer than a spacing. */
static bool find_spacing(mo_surface_maker *m, int64_t count, double diameter, mo_pool *pool)
{
    double spacing;
    if (mo_spacing_estimate(count, m->x, pool, &spacing, NULL) != MOTE_OK) {
        return false;
    }
    spacing = diameter > 0.9 * spacing && diameter < 2 * spacing ? diameter : spacing;
    if (!(fabs(spacing - m->spacing) < 0.15 * m->spacing)) {
        m->spacing = spacing;
    }
    return true;
}

static mote_status add_surface(mo_surface_maker *m, mo_method method, const uint8_t *covered,
                               int paint, const mo_surface_bounds *bounds, mo_pool *pool,
                               const mo_picture *picture, mote_error *error)
{
    int64_t count;
    double diameter;
    MO_TRY(gather(m, covered, paint, picture, &count, &diameter, error));
    if (!find_spacing(m, count, diameter, pool)) {
        return MOTE_OK;
    }
    mote_column column = {"value", "1", MOTE_F32, 1, count, m->numbers};
    mo_surface_interpolated interpolated = {.column = &column};
    mo_surface_task task = {.cloud = {count, m->x, m->spacing, picture->q ? m->axes : NULL},
                            .method = method,
                            .interpolated_count = picture->values ? 1 : 0,
                            .interpolated = &interpolated};
    mo_trimesh_report report;
    mo_memory *memory = m->mesh.memory;
    mo_trimesh_release(&m->mesh);
    mo_trimesh_init(&m->mesh, memory);
    MO_TRY(mo_surface_make(&task, pool, &m->mesh, &report, error));
    project_on_colliders(&m->mesh, bounds, m->spacing);
    m->volume += (double)count * m->spacing * m->spacing * m->spacing;
    mote_status status = append(m, interpolated.out, paint, error);
    mo_release(memory, interpolated.out);
    return status;
}

mote_status mo_surface_picture(mo_surface_maker *m, mo_method method, const uint8_t *covered,
                               const mo_surface_bounds *bounds, mo_pool *pool, mo_picture *picture,
                               mote_error *error)
{
    bool wanted[MO_PAINTS_MAX + 1] = {false};
    m->vertex_count = m->triangle_count = 0;
    m->volume = 0;
    wanted[0] = !picture->paint;
    for (int64_t row = 0; picture->paint && row < picture->count; ++row) {
        wanted[picture->paint[row]] = true;
    }
    for (int k = 0; k <= MO_PAINTS_MAX; ++k) {
        if (wanted[k]) {
            MO_TRY(add_surface(m, method, covered, k, bounds, pool, picture, error));
        }
    }
    picture->surface = (mo_surface_view){.vertex_count = m->vertex_count,
                                         .triangle_count = m->triangle_count,
                                         .origin = m->origin,
                                         .vertices = m->vertices,
                                         .normals = m->normals,
                                         .values = picture->values ? m->values : NULL,
                                         .paint = m->paint,
                                         .triangles = m->triangles,
                                         .depth = 0.5 * cbrt(m->volume)};
    return MOTE_OK;
}
