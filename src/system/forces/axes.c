/*
 * Initial orientations of oriented particles: one rotation for all, random ones, or z axes along
 * the normals of a mesh (the sum of the area-weighted normals of a node's triangles).
 */
#include "system/forces/axes.h"

#include "host/orientation.h"
#include "math/random.h"

#include <math.h>
#include <string.h>

enum { STREAM = 0x61786573 }; /* "axes" */

/* Uniform on the rotations (K. Shoemake 1992, Graphics Gems III, 124): a random point of S^3. */
static mo_quat random_rotation(uint64_t seed, uint64_t id)
{
    double a[2], b[2];
    mo_random_normal(seed, STREAM, id, 0, a);
    mo_random_normal(seed, STREAM, id, 1, b);
    return mo_quat_normalize((mo_quat){a[0], a[1], b[0], b[1]});
}

/* The shortest rotation from z to the unit vector n: q = (1 + z . n, z x n), normalised. */
static mo_quat from_z(mo_vec3 n)
{
    return n.z > -1 + 1e-12 ? mo_quat_normalize((mo_quat){1 + n.z, -n.y, n.x, 0})
                            : (mo_quat){0, 1, 0, 0};
}

/* Sums of twice the area-weighted normals, three components per node. */
static void sum_normals(const mo_mesh *mesh, double *normal)
{
    memset(normal, 0, (size_t)mesh->node_count * 3 * sizeof *normal);
    for (int64_t k = 0; k < mesh->triangle_count; ++k) {
        const int32_t *t = mesh->triangles + 3 * k;
        mo_vec3 a = mo_vec3_load(mesh->nodes + 3 * (int64_t)t[0]);
        mo_vec3 n = mo_cross(mo_sub(mo_vec3_load(mesh->nodes + 3 * (int64_t)t[1]), a),
                             mo_sub(mo_vec3_load(mesh->nodes + 3 * (int64_t)t[2]), a));
        for (int c = 0; c < 3; ++c) {
            double *sum = normal + 3 * (int64_t)t[c];
            mo_vec3_store(sum, mo_add(mo_vec3_load(sum), n));
        }
    }
}

/* `normal` is room for the normals, NULL if they are not needed. */
static void fill_rows(mo_system *system, const mo_body_def *body, const mo_mesh *mesh,
                      int64_t first, double *normal)
{
    const mo_forces_body_def *own = mo_forces_body_of(body);
    const double *mass = mo_f64(system->columns.mass);
    bool random = own->oriented && own->axes[0] == 'r';
    mo_quat q = own->oriented ? mo_quat_exponential(own->turned) : mo_quat_identity();
    mo_vec3 zero = {0, 0, 0}, z = {0, 0, 1}, w = own->oriented ? body->angular_velocity : zero;
    if (normal) {
        sum_normals(mesh, normal);
    }
    for (int64_t k = 0; k < mesh->node_count; ++k) {
        int64_t row = first + k;
        double ball = 0.4 * mass[row] * body->radius * body->radius; /* 2/5 m r^2 */
        mo_vec3 inertia = isnan(own->inertia.x) ? mo_vec3_make(ball, ball, ball) : own->inertia;
        q = random   ? random_rotation((uint64_t)own->axes_seed, (uint64_t)row)
            : normal ? from_z(mo_unit(mo_vec3_load(normal + 3 * k), z))
                     : q;
        mo_orientation_set(system, row, q, w, own->oriented ? inertia : zero);
    }
}

mote_status mo_axes_fill(mo_system *system, const mo_body_def *body, const mo_mesh *mesh,
                         int64_t first, mote_error *error)
{
    const mo_forces_body_def *own = mo_forces_body_of(body);
    mo_memory *memory = system->host->memory;
    void *normal = NULL;
    if (own->oriented && own->axes[0] == 'n') {
        if (mesh->triangle_count == 0) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           ".axes: \"normals\" needs a mesh with triangles, such as `shell` or "
                           "`cloth`; use \"random\" or `turned`");
        }
        MO_TRY(mo_allocate_array(memory, mesh->node_count, 3 * sizeof(double), &normal, error));
    }
    fill_rows(system, body, mesh, first, normal);
    mo_release(memory, normal);
    return MOTE_OK;
}
