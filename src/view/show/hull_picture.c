#include "view/show/hull_picture.h"

#include "geometry/motion/motion.h"
#include "geometry/shape/shape.h"
#include "geometry/trimesh/trimesh.h"

/* Where a triangle stands off the smooth normal by more than 30 degrees, an edge is meant. */
static const double CREASE = 0.8660254037844386;

void mo_hull_maker_init(mo_hull_maker *m, mo_memory *memory)
{
    *m = (mo_hull_maker){.memory = memory};
}

void mo_hull_maker_release(mo_hull_maker *m)
{
    for (int k = 0; k < MO_HULL_KINDS; ++k) {
        mo_release(m->memory, m->kind[k].vertices);
        mo_release(m->memory, m->kind[k].normals);
        mo_release(m->memory, m->kind[k].triangles);
    }
    mo_hull_maker_init(m, m->memory);
}

static void store(float *to, mo_vec3 a)
{
    to[0] = (float)a.x;
    to[1] = (float)a.y;
    to[2] = (float)a.z;
}

/* Three corners of their own for each triangle, so that edges stay sharp. */
static mote_status add_hull(mo_hull_maker *m, int kind, const mo_trimesh *mesh, const mo_pose *pose,
                            mo_vec3 origin, mote_error *error)
{
    int64_t first = m->kind[kind].corners, need = first + 3 * mesh->triangles;
    MO_TRY(mo_grow(m->memory, (void **)&m->kind[kind].vertices, &m->kind[kind].vertex_room, need,
                   3 * sizeof(float), error));
    MO_TRY(mo_grow(m->memory, (void **)&m->kind[kind].normals, &m->kind[kind].normal_room, need,
                   3 * sizeof(float), error));
    MO_TRY(mo_grow(m->memory, (void **)&m->kind[kind].triangles, &m->kind[kind].triangle_room, need,
                   sizeof(int32_t), error));
    for (int64_t c = 0; c < 3 * mesh->triangles; ++c) {
        const int32_t *corner = mesh->corner + c / 3 * 3;
        mo_vec3 a = mo_vec3_load(mesh->x + 3 * (int64_t)corner[0]);
        mo_vec3 ab = mo_sub(mo_vec3_load(mesh->x + 3 * (int64_t)corner[1]), a);
        mo_vec3 ac = mo_sub(mo_vec3_load(mesh->x + 3 * (int64_t)corner[2]), a);
        mo_vec3 smooth = mo_vec3_load(mesh->normal + 3 * (int64_t)mesh->corner[c]);
        mo_vec3 face = mo_unit(mo_cross(ab, ac), smooth);
        mo_vec3 n = mo_dot(smooth, face) > CREASE ? smooth : face;
        mo_vec3 x = mo_pose_apply(pose, mo_vec3_load(mesh->x + 3 * (int64_t)mesh->corner[c]));
        store(m->kind[kind].vertices + 3 * (first + c), mo_sub(x, origin));
        store(m->kind[kind].normals + 3 * (first + c), mo_mat3_apply(pose->R, n));
        m->kind[kind].triangles[first + c] = (int32_t)(first + c);
    }
    m->kind[kind].corners = need;
    return MOTE_OK;
}

mote_status mo_hull_picture(mo_hull_maker *m, const mo_collider_def *colliders, int64_t count,
                            mo_picture *picture, mote_error *error)
{
    mo_vec3 origin = {0, 0, 0};
    bool first = true;
    for (int k = 0; k < MO_HULL_KINDS; ++k) {
        m->kind[k].corners = 0;
    }
    for (int64_t c = 0; c < count; ++c) {
        const mo_shape_type *type = (const mo_shape_type *)colliders[c].shape.type;
        const mo_trimesh *mesh = type->surface ? type->surface(colliders[c].shape.params) : NULL;
        if (mesh && mesh->triangles > 0) {
            mo_pose pose = mo_motion_pose(colliders[c].motion, picture->time);
            origin = first ? mo_pose_apply(&pose, mo_vec3_load(mesh->x)) : origin;
            first = false;
            MO_TRY(add_hull(m, colliders[c].inside ? MO_HULL_HOLLOW : MO_HULL_SOLID, mesh, &pose,
                            origin, error));
        }
    }
    for (int k = 0; k < MO_HULL_KINDS; ++k) {
        picture->hulls[k] = (mo_surface_view){.vertex_count = m->kind[k].corners,
                                              .triangle_count = m->kind[k].corners / 3,
                                              .origin = origin,
                                              .vertices = m->kind[k].vertices,
                                              .normals = m->kind[k].normals,
                                              .triangles = m->kind[k].triangles};
    }
    return MOTE_OK;
}
