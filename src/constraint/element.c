#include "constraint/element.h"

#include <math.h>

double mo_rest_tetrahedron(const mo_mesh *mesh, const int32_t node[4], double shape[9])
{
    mo_vec3 o = mo_mesh_node(mesh, node[0]), e[3], cross[3];
    double volume = mo_tetrahedron_volume(mesh, node);
    for (int k = 0; k < 3; ++k) {
        e[k] = mo_sub(mo_mesh_node(mesh, node[k + 1]), o);
    }
    for (int k = 0; k < 3; ++k) {
        cross[k] = mo_cross(e[(k + 1) % 3], e[(k + 2) % 3]);
        for (int i = 0; i < 3; ++i) {
            shape[3 * k + i] = mo_vec3_at(cross[k], i) / (6 * volume);
        }
    }
    return volume > 0 ? volume : 0;
}

double mo_rest_triangle(const mo_mesh *mesh, const int32_t node[3], mo_vec3 along, double shape[4])
{
    mo_vec3 o = mo_mesh_node(mesh, node[0]), u = mo_sub(mo_mesh_node(mesh, node[1]), o),
            v = mo_sub(mo_mesh_node(mesh, node[2]), o), n = mo_cross(u, v);
    double twice = mo_length(n);
    if (!(twice > 0)) {
        return 0;
    }
    n = mo_scale(1 / twice, n);
    mo_vec3 a = mo_add_scaled(along, -mo_dot(along, n), n);
    if (!(mo_length(a) > 1e-6 * mo_length(along))) { /* normal to the triangle: any axis */
        a = u;
    }
    a = mo_scale(1 / mo_length(a), a);
    mo_vec3 b = mo_cross(n, a);
    double ua = mo_dot(u, a), ub = mo_dot(u, b), va = mo_dot(v, a), vb = mo_dot(v, b);
    double det = ua * vb - ub * va;
    shape[0] = vb / det;
    shape[1] = -va / det;
    shape[2] = -ub / det;
    shape[3] = ua / det;
    return 0.5 * twice;
}
