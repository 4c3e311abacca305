/* Triangle meshes for tests: boxes, balls (smooth, or with spikes), rings. All closed, outward,
 * without files. */
#ifndef TEST_SURFACES_H
#define TEST_SURFACES_H

#include "geometry/trimesh/trimesh.h"
#include "numbers.h"

#include <string.h>

static inline void make_surface(mo_trimesh *mesh, mo_memory *memory, int64_t vertices,
                                const double *x, int64_t triangles, const int32_t *corner)
{
    mo_trimesh_init(mesh, memory);
    assert_int_equal(mo_trimesh_reserve(mesh, vertices, triangles, NULL), MOTE_OK);
    memcpy(mesh->x, x, 3 * (size_t)vertices * sizeof *x);
    memcpy(mesh->corner, corner, 3 * (size_t)triangles * sizeof *corner);
}

static inline void make_box_surface(mo_trimesh *mesh, mo_memory *memory, mo_vec3 low, mo_vec3 high)
{
    static const int32_t CORNER[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                       2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    double x[24];
    for (int k = 0; k < 8; ++k) {
        x[3 * k] = k & 1 ? high.x : low.x;
        x[3 * k + 1] = k & 2 ? high.y : low.y;
        x[3 * k + 2] = k & 4 ? high.z : low.z;
    }
    make_surface(mesh, memory, 8, x, 12, CORNER);
}

/* A ball of `rings` x 2 `rings` quads; `rough` displaces its points radially at random. */
static inline void make_ball_surface(mo_trimesh *mesh, mo_memory *memory, int rings, double radius,
                                     double rough, uint64_t seed)
{
    int around = 2 * rings;
    int64_t vertices = 2 + (int64_t)(rings - 1) * around,
            triangles = 2 * (int64_t)(rings - 1) * around, t = 0;
    mo_trimesh_init(mesh, memory);
    assert_int_equal(mo_trimesh_reserve(mesh, vertices, triangles, NULL), MOTE_OK);
    const double pi = acos(-1.0);
    for (int64_t v = 0; v < vertices; ++v) {
        int64_t ring = v == vertices - 1 ? rings : v == 0 ? 0 : 1 + (v - 1) / around;
        double up = pi * (double)ring / rings, turn = 2 * pi * (double)((v - 1) % around) / around;
        double r = radius * (1 + rough * random_between(&seed, -1, 1));
        mo_vec3_store(mesh->x + 3 * v,
                      mo_vec3_make(r * sin(up) * cos(turn), r * sin(up) * sin(turn), r * cos(up)));
    }
    for (int k = 0; k < around; ++k) {
        int32_t next = (k + 1) % around, bottom = (int32_t)vertices - 1, last = bottom - around;
        int32_t caps[6] = {0, 1 + k, 1 + next, bottom, last + next, last + k};
        memcpy(mesh->corner + 3 * t, caps, sizeof caps);
        t += 2;
        for (int ring = 0; ring < rings - 2; ++ring) {
            int32_t a = 1 + ring * around, b = a + around;
            int32_t quad[6] = {a + k, b + k, b + next, a + k, b + next, a + next};
            memcpy(mesh->corner + 3 * t, quad, sizeof quad);
            t += 2;
        }
    }
    assert_int_equal(t, triangles);
}

/* A torus about z. */
static inline void make_ring_surface(mo_trimesh *mesh, mo_memory *memory, int around, int across,
                                     double major, double minor)
{
    const double pi = acos(-1.0);
    mo_trimesh_init(mesh, memory);
    assert_int_equal(
        mo_trimesh_reserve(mesh, (int64_t)around * across, 2 * (int64_t)around * across, NULL),
        MOTE_OK);
    for (int i = 0; i < around; ++i) {
        for (int j = 0; j < across; ++j) {
            double u = 2 * pi * i / around, v = 2 * pi * j / across, r = major + minor * cos(v);
            mo_vec3_store(mesh->x + 3 * (i * across + j),
                          mo_vec3_make(r * cos(u), r * sin(u), minor * sin(v)));
            int32_t a = i * across + j, b = (i + 1) % around * across + j;
            int32_t c = (i + 1) % around * across + (j + 1) % across,
                    d = i * across + (j + 1) % across;
            int32_t quad[6] = {a, b, c, a, c, d};
            memcpy(mesh->corner + 6 * (i * across + j), quad, sizeof quad);
        }
    }
}

#endif
