#include "geometry/shape/facets.h"

enum { LEAST_STEPS = 32, MOST_STEPS = 1 << 16 };

void mo_facets_init(mo_facets *f, mo_memory *memory)
{
    *f = (mo_facets){.memory = memory};
}

void mo_facets_release(mo_facets *f)
{
    mo_release(f->memory, f->x);
    mo_release(f->memory, f->corner);
    mo_facets_init(f, f->memory);
}

mote_status mo_facets_vertex(mo_facets *f, mo_vec3 x, mote_error *error)
{
    MO_TRY(mo_reserve(f->memory, &f->x, &f->x_capacity, 3 * f->vertices + 6, sizeof *f->x, error));
    mo_vec3_store(f->x + 3 * f->vertices++, x);
    return MOTE_OK;
}

mote_status mo_facets_triangle(mo_facets *f, int64_t a, int64_t b, int64_t c, mote_error *error)
{
    MO_TRY(mo_reserve(f->memory, &f->corner, &f->corner_capacity, 3 * f->triangles + 3,
                      sizeof *f->corner, error));
    int32_t *corner = f->corner + 3 * f->triangles++;
    corner[0] = (int32_t)a;
    corner[1] = (int32_t)b;
    corner[2] = (int32_t)c;
    return MOTE_OK;
}

mo_trimesh mo_facets_mesh(const mo_facets *f)
{
    return (mo_trimesh){.memory = f->memory,
                        .vertices = f->vertices,
                        .triangles = f->triangles,
                        .x = f->x,
                        .corner = f->corner};
}

int64_t mo_arc_steps(double radius, double angle, double edge)
{
    double least = ceil(LEAST_STEPS * angle / (2 * MO_PI)), steps = ceil(radius * angle / edge);
    return (int64_t)fmin(fmax(least, steps), MOST_STEPS);
}

/* ---- surfaces of revolution ---- */

typedef struct ring {
    int64_t first; /* vertex */
    bool pole;
} ring;

static int64_t on_ring(ring r, int64_t k, int64_t segments)
{
    return r.pole ? r.first : r.first + k % segments;
}

/* The band between two rings; next to a pole each quadrilateral degenerates to one triangle. */
static mote_status add_band(mo_facets *f, ring low, ring high, int64_t segments, mote_error *error)
{
    for (int64_t k = 0; k < segments; ++k) {
        int64_t a = on_ring(low, k, segments), b = on_ring(low, k + 1, segments);
        int64_t c = on_ring(high, k + 1, segments), d = on_ring(high, k, segments);
        MO_TRY(low.pole ? MOTE_OK : mo_facets_triangle(f, a, b, c, error));
        MO_TRY(high.pole ? MOTE_OK : mo_facets_triangle(f, a, c, d, error));
    }
    return MOTE_OK;
}

static mote_status add_ring(mo_facets *f, mo_vec3 origin, mo_vec3 axis, mo_profile_point p,
                            int64_t segments, ring *made, mote_error *error)
{
    mo_vec3 u = mo_perpendicular(axis), v = mo_cross(axis, u);
    mo_vec3 middle = mo_add_scaled(origin, p.z, axis);
    *made = (ring){f->vertices, !(p.rho > 0)};
    for (int64_t k = 0; k < (made->pole ? 1 : segments); ++k) {
        double turn = 2 * MO_PI * (double)k / (double)segments;
        mo_vec3 x = mo_add_scaled(middle, p.rho * cos(turn), u);
        MO_TRY(mo_facets_vertex(f, mo_add_scaled(x, p.rho * sin(turn), v), error));
    }
    return MOTE_OK;
}

mote_status mo_facets_revolve(mo_facets *f, mo_vec3 origin, mo_vec3 axis,
                              const mo_profile_point *profile, int64_t count, bool closed,
                              int64_t segments, mote_error *error)
{
    ring first, last, next;
    if ((double)f->vertices + (double)count * (double)segments > INT32_MAX / 6) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "a surface of %lld x %lld facets is too large; use a larger spacing",
                       (long long)count, (long long)segments);
    }
    MO_TRY(add_ring(f, origin, axis, profile[0], segments, &first, error));
    last = first;
    for (int64_t k = 1; k < count; ++k) {
        MO_TRY(add_ring(f, origin, axis, profile[k], segments, &next, error));
        MO_TRY(add_band(f, last, next, segments, error));
        last = next;
    }
    return closed ? add_band(f, last, first, segments, error) : MOTE_OK;
}
