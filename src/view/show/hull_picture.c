#include "view/show/hull_picture.h"

#include "geometry/motion/motion.h"
#include "geometry/shape/shape.h"
#include "geometry/trimesh/trimesh.h"

#include <string.h>

/* A deviation of the face normal from the smooth normal above 30 degrees marks an edge. */
static const double CREASE = 0.8660254037844386;

/* Edge length of facets on curved surfaces, relative to the size of the shape. */
static const double FINE = 1.0 / 96, COARSE = 1.0 / 12;

void mo_hull_maker_init(mo_hull_maker *m, mo_memory *memory)
{
    *m = (mo_hull_maker){.memory = memory};
}

static void release_hull(mo_hull_maker *m, mo_hull *hull)
{
    if (hull->of) {
        mo_facets_release(&hull->facets);
        mo_release(m->memory, hull->normal);
        *hull = (mo_hull){0};
    }
}

void mo_hull_maker_release(mo_hull_maker *m)
{
    for (int64_t k = 0; k < m->hull_count; ++k) {
        release_hull(m, &m->hulls[k]);
    }
    mo_release(m->memory, m->hulls);
    for (int k = 0; k < MO_HULL_KINDS; ++k) {
        mo_release(m->memory, m->kind[k].vertices);
        mo_release(m->memory, m->kind[k].normals);
        mo_release(m->memory, m->kind[k].triangles);
        mo_release(m->memory, m->kind[k].paint);
    }
    mo_hull_maker_init(m, m->memory);
}

bool mo_hull_wanted(mo_method shape)
{
    mo_vec3 low, high;
    return mo_shape_bounds(shape, &low, &high) && strcmp(shape.type->name, "box") != 0 &&
           strcmp(shape.type->name, "sphere") != 0;
}

/* ---- hulls in the frame of the shape ---- */

static mo_vec3 corner_at(const mo_facets *f, int64_t corner)
{
    return mo_vec3_load(f->x + 3 * (int64_t)f->corner[corner]);
}

static mo_vec3 face_normal(const mo_facets *f, int64_t triangle, mo_vec3 otherwise)
{
    mo_vec3 a = corner_at(f, 3 * triangle);
    return mo_unit(mo_cross(mo_sub(corner_at(f, 3 * triangle + 1), a),
                            mo_sub(corner_at(f, 3 * triangle + 2), a)),
                   otherwise);
}

/* Of a mesh: vertex normals, but face normals at edges. */
static mo_vec3 mesh_normal(const mo_trimesh *mesh, const mo_facets *f, int64_t corner)
{
    mo_vec3 smooth = mo_vec3_load(mesh->normal + 3 * (int64_t)f->corner[corner]);
    mo_vec3 face = face_normal(f, corner / 3, smooth);
    return mo_dot(smooth, face) > CREASE ? smooth : face;
}

/* Of other shapes: the gradient of their distance, slightly inside of the triangle, so that
 * edges stay sharp. */
static mo_vec3 shape_normal(mo_method shape, const mo_facets *f, int64_t corner)
{
    int64_t first = corner / 3 * 3;
    mo_vec3 x = corner_at(f, corner), sum = mo_add(corner_at(f, first), corner_at(f, first + 1));
    mo_vec3 middle = mo_scale(1.0 / 3, mo_add(sum, corner_at(f, first + 2)));
    mo_vec3 face = face_normal(f, corner / 3, mo_vec3_make(0, 0, 1));
    double at[3], distance, n[3];
    mo_vec3_store(at, mo_add_scaled(x, 0.05, mo_sub(middle, x)));
    mo_shape_distances(shape, 1, at, &distance, n);
    return mo_dot(mo_vec3_load(n), face) > CREASE ? mo_vec3_load(n) : face;
}

static mote_status make_hull(mo_hull_maker *m, mo_method shape, bool fine, mo_hull *hull,
                             mote_error *error)
{
    const mo_shape_type *type = (const mo_shape_type *)shape.type;
    const mo_trimesh *mesh = type->surface ? type->surface(shape.params) : NULL;
    mo_shape_region region = {.coarse = !fine};
    release_hull(m, hull);
    hull->of = shape.params;
    mo_facets_init(&hull->facets, m->memory);
    mo_shape_bounds(shape, &region.low, &region.high);
    region.edge = (fine ? FINE : COARSE) * mo_length(mo_sub(region.high, region.low));
    MO_TRY(mo_shape_facets(shape, &region, &hull->facets, error));
    int64_t corners = 3 * hull->facets.triangles;
    MO_TRY(mo_reserve(m->memory, &hull->normal, &hull->normal_capacity, 3 * corners,
                      sizeof *hull->normal, error));
    for (int64_t c = 0; c < corners; ++c) {
        mo_vec3_store(hull->normal + 3 * c, mesh ? mesh_normal(mesh, &hull->facets, c)
                                                 : shape_normal(shape, &hull->facets, c));
    }
    return MOTE_OK;
}

/* ---- hulls in the picture ---- */

static void store(float *to, mo_vec3 a)
{
    to[0] = (float)a.x;
    to[1] = (float)a.y;
    to[2] = (float)a.z;
}

/* Three separate corners per triangle, so that edges stay sharp. */
static mote_status add_hull(mo_hull_maker *m, int kind, const mo_hull *hull, const mo_pose *pose,
                            mo_vec3 origin, uint8_t paint, mote_error *error)
{
    const mo_facets *f = &hull->facets;
    int64_t first = m->kind[kind].corners, need = first + 3 * f->triangles;
    MO_TRY(mo_grow(m->memory, (void **)&m->kind[kind].vertices, &m->kind[kind].vertex_capacity,
                   need, 3 * sizeof(float), error));
    MO_TRY(mo_grow(m->memory, (void **)&m->kind[kind].normals, &m->kind[kind].kind_normal_capacity,
                   need, 3 * sizeof(float), error));
    MO_TRY(mo_grow(m->memory, (void **)&m->kind[kind].triangles, &m->kind[kind].triangle_capacity,
                   need, sizeof(int32_t), error));
    MO_TRY(mo_grow(m->memory, (void **)&m->kind[kind].paint, &m->kind[kind].paint_capacity, need, 1,
                   error));
    for (int64_t c = 0; c < 3 * f->triangles; ++c) {
        mo_vec3 x = mo_pose_apply(pose, corner_at(f, c));
        mo_vec3 n = mo_mat3_apply(pose->R, mo_vec3_load(hull->normal + 3 * c));
        store(m->kind[kind].vertices + 3 * (first + c), mo_sub(x, origin));
        store(m->kind[kind].normals + 3 * (first + c), n);
        m->kind[kind].triangles[first + c] = (int32_t)(first + c);
        m->kind[kind].paint[first + c] = paint;
    }
    m->kind[kind].corners = need;
    return MOTE_OK;
}

static mote_status reserve(mo_hull_maker *m, int64_t count, mote_error *error)
{
    MO_TRY(mo_reserve(m->memory, &m->hulls, &m->hull_capacity, count, sizeof *m->hulls, error));
    m->hull_count = count > m->hull_count ? count : m->hull_count;
    return MOTE_OK;
}

mote_status mo_hull_picture(mo_hull_maker *m, const mo_collider_def *colliders, int64_t count,
                            const mo_paints *paints, mo_picture *picture, mote_error *error)
{
    mo_vec3 origin = {0, 0, 0};
    bool first = true;
    for (int k = 0; k < MO_HULL_KINDS; ++k) {
        m->kind[k].corners = 0;
    }
    MO_TRY(reserve(m, count, error));
    for (int64_t c = 0; c < count; ++c) {
        const mo_painting *painting = &paints->colliders[c];
        bool wire = painting->wire;
        if (!painting->visible || !mo_hull_wanted(colliders[c].shape)) {
            continue;
        }
        mo_hull *hull = &m->hulls[c];
        MO_TRY(hull->of == colliders[c].shape.params
                   ? MOTE_OK
                   : make_hull(m, colliders[c].shape, !wire, hull, error));
        if (hull->facets.triangles > 0) {
            mo_pose pose = mo_motion_pose(colliders[c].motion, picture->time);
            origin = first ? mo_pose_apply(&pose, mo_vec3_load(hull->facets.x)) : origin;
            first = false;
            bool clear =
                painting->paint && mo_material_clear(paints->list[painting->paint - 1].material);
            int kind = wire ? MO_HULL_WIRE : clear ? MO_HULL_GLASS : MO_HULL_SOLID;
            MO_TRY(add_hull(m, kind, hull, &pose, origin, painting->paint, error));
        }
    }
    for (int k = 0; k < MO_HULL_KINDS; ++k) {
        picture->hulls[k] = (mo_surface_view){.vertex_count = m->kind[k].corners,
                                              .triangle_count = m->kind[k].corners / 3,
                                              .origin = origin,
                                              .vertices = m->kind[k].vertices,
                                              .normals = m->kind[k].normals,
                                              .paint = m->kind[k].paint,
                                              .triangles = m->kind[k].triangles};
    }
    return MOTE_OK;
}
