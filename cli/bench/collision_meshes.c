#include "bench/collision_meshes.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

const char *const COLLISION_MESH_NAMES[COLLISION_MESHES] = {"ball", "needle", "ring", "knot",
                                                            "burr"};

static mo_vec3 on_sphere(double u, double v)
{
    return mo_vec3_make(sin(PI * v) * cos(2 * PI * u), sin(PI * v) * sin(2 * PI * u), cos(PI * v));
}

/* An ellipsoid of 1 by 0.25 by 0.1, askew to the axes. */
static mo_vec3 on_needle(double u, double v)
{
    mo_vec3 p = mo_multiply(on_sphere(u, v), mo_vec3_make(1, 0.25, 0.1));
    double c = sqrt(0.5), x = c * (p.x - p.y), y = c * (p.x + p.y);
    return mo_vec3_make(x, 0.8 * y - 0.6 * p.z, 0.6 * y + 0.8 * p.z);
}

/* A tube of this radius around a closed curve. */
static mo_vec3 around(mo_vec3 (*curve)(double), double u, double v, double radius)
{
    mo_vec3 at = curve(u), t = mo_unit(mo_sub(curve(u + 1e-4), curve(u - 1e-4)), at);
    mo_vec3 out = mo_sub(at, mo_scale(mo_dot(at, t), t));
    mo_vec3 n = mo_unit(mo_add(out, mo_vec3_make(0, 0, 1e-3)), mo_vec3_make(0, 0, 1));
    mo_vec3 b = mo_cross(n, t);
    mo_vec3 r = mo_add(mo_scale(cos(2 * PI * v), n), mo_scale(sin(2 * PI * v), b));
    return mo_add_scaled(at, radius, r);
}

static mo_vec3 circle(double u)
{
    return mo_vec3_make(0.8 * cos(2 * PI * u), 0.8 * sin(2 * PI * u), 0);
}

static mo_vec3 trefoil(double u)
{
    double a = 2 * PI * u;
    return mo_scale(0.3,
                    mo_vec3_make(sin(a) + 2 * sin(2 * a), cos(a) - 2 * cos(2 * a), -sin(3 * a)));
}

static mo_vec3 on_mesh(int kind, double u, double v)
{
    switch (kind) {
    case 0:
        return on_sphere(u, v);
    case 1:
        return on_needle(u, v);
    case 2:
        return around(circle, u, v, 0.2);
    case 3:
        return around(trefoil, u, v, 0.1);
    default: {
        double bumps = cos(16 * PI * u) * pow(sin(PI * v), 2) * cos(9 * PI * v);
        return mo_scale(0.75 + 0.25 * bumps, on_sphere(u, v));
    }
    }
}

static double enclosed(const collision_mesh *m)
{
    double sum = 0;
    for (int64_t t = 0; t < m->triangles; ++t) {
        mo_vec3 p[3];
        for (int k = 0; k < 3; ++k) {
            p[k] = mo_vec3_load(m->x + 3 * (int64_t)m->corner[3 * t + k]);
        }
        sum += mo_dot(p[0], mo_cross(p[1], p[2])) / 6;
    }
    return fabs(sum);
}

mote_status collision_mesh_make(collision_mesh *mesh, int kind, int64_t triangles,
                                mo_memory *memory, mote_error *error)
{
    bool tube = kind == 2 || kind == 3; /* closed across, else from pole to pole */
    double slender = kind == 3 ? 12 : kind == 2 ? 4 : 2;
    int64_t across = (int64_t)fmax(sqrt((double)triangles / (2 * slender)), 4);
    int64_t along = triangles / (2 * across), rings = tube ? across : across + 1;
    *mesh =
        (collision_mesh){.memory = memory, .rows = along * rings, .triangles = 2 * along * across};
    void *x, *corner;
    MO_TRY(mo_allocate_array(memory, 3 * mesh->rows + 1, sizeof(double), &x, error));
    mesh->x = x;
    MO_TRY(mo_allocate_array(memory, 3 * mesh->triangles, sizeof(int32_t), &corner, error));
    mesh->corner = corner;
    for (int64_t i = 0; i < along; ++i) {
        for (int64_t k = 0; k < rings; ++k) {
            double u = (double)i / (double)along, v = (double)k / (double)across;
            mo_vec3_store(mesh->x + 3 * (i * rings + k), on_mesh(kind, u, v));
        }
        for (int64_t k = 0; k < across; ++k) {
            int64_t next = (i + 1) % along, up = (k + 1) % rings;
            int64_t quad[6] = {i * rings + k, next * rings + k,  next * rings + up,
                               i * rings + k, next * rings + up, i * rings + up};
            for (int n = 0; n < 6; ++n) {
                mesh->corner[6 * (i * across + k) + n] = (int32_t)quad[n];
            }
        }
    }
    mesh->volume = enclosed(mesh);
    return MOTE_OK;
}

void collision_mesh_release(collision_mesh *mesh)
{
    mo_release(mesh->memory, mesh->x);
    mo_release(mesh->memory, mesh->corner);
}
