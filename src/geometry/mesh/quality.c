#include "geometry/mesh/quality.h"

#include "geometry/mesh/volume.h"

/* Cosines are compared, and converted to degrees once. */
typedef struct extremes {
    double low, high; /* cosines */
    int64_t low_at, high_at;
} extremes;

static void note(extremes *e, double cosine, int64_t element)
{
    if (cosine < e->low) {
        e->low = cosine;
        e->low_at = element;
    }
    if (cosine > e->high) {
        e->high = cosine;
        e->high_at = element;
    }
}

static mo_vec3 node(const mo_mesh *mesh, int32_t k)
{
    return mo_vec3_load(mesh->nodes + 3 * (int64_t)k);
}

static void note_tetrahedron(const mo_mesh *mesh, int64_t element, extremes *e)
{
    const int32_t *t = mesh->tetrahedra + 4 * element;
    mo_vec3 normal[4];
    for (int f = 0; f < 4; ++f) {
        const uint8_t *c = mo_tetrahedron_face[f];
        mo_vec3 a = node(mesh, t[c[0]]);
        mo_vec3 n = mo_cross(mo_sub(node(mesh, t[c[1]]), a), mo_sub(node(mesh, t[c[2]]), a));
        normal[f] = mo_unit(n, mo_vec3_make(0, 0, 0));
    }
    for (int f = 0; f < 4; ++f) {
        for (int g = f + 1; g < 4; ++g) {
            note(e, -mo_dot(normal[f], normal[g]), element);
        }
    }
}

static double note_triangle(const mo_mesh *mesh, int64_t element, extremes *e)
{
    const int32_t *t = mesh->triangles + 3 * element;
    mo_vec3 none = {0, 0, 0};
    for (int c = 0; c < 3; ++c) {
        mo_vec3 a = node(mesh, t[c]);
        mo_vec3 u = mo_unit(mo_sub(node(mesh, t[(c + 1) % 3]), a), none);
        mo_vec3 v = mo_unit(mo_sub(node(mesh, t[(c + 2) % 3]), a), none);
        note(e, mo_dot(u, v), element);
    }
    mo_vec3 a = node(mesh, t[0]);
    return 0.5 * mo_length(mo_cross(mo_sub(node(mesh, t[1]), a), mo_sub(node(mesh, t[2]), a)));
}

static void measure_edges(const mo_mesh *mesh, mo_mesh_quality *q)
{
    q->edge_min = mesh->edge_count ? INFINITY : 0;
    for (int64_t k = 0; k < mesh->edge_count; ++k) {
        double length =
            mo_length(mo_sub(node(mesh, mesh->edges[2 * k]), node(mesh, mesh->edges[2 * k + 1])));
        q->edge_min = fmin(q->edge_min, length);
        q->edge_max = fmax(q->edge_max, length);
        q->edge_mean += length / (double)mesh->edge_count;
    }
}

static double degrees(double cosine)
{
    return acos(fmin(1, fmax(-1, cosine))) * (180 / 3.14159265358979323846);
}

mo_mesh_quality mo_mesh_measure(const mo_mesh *mesh)
{
    mo_mesh_quality q = {.size_min = INFINITY};
    extremes e = {.low = INFINITY, .high = -INFINITY};
    int64_t elements = mesh->tetrahedron_count ? mesh->tetrahedron_count : mesh->triangle_count;
    for (int64_t k = 0; k < elements; ++k) {
        double size;
        if (mesh->tetrahedron_count) {
            note_tetrahedron(mesh, k, &e);
            size = mo_mesh_volume(mesh, k);
            q.inverted += !(size > 0);
        } else {
            size = note_triangle(mesh, k, &e);
        }
        q.size += size;
        if (size < q.size_min) {
            q.size_min = size;
            q.size_min_at = k;
        }
    }
    if (elements) {
        q.angle_min = degrees(e.high);
        q.angle_max = degrees(e.low);
        q.least_at = e.high_at;
        q.most_at = e.low_at;
    } else {
        q.size_min = 0;
    }
    measure_edges(mesh, &q);
    return q;
}
