/*
 * The contour of a closed mesh in the plane z = 0, for two dimensions. A triangle that intersects
 * the plane gives a segment of the contour, continued in the adjacent triangle, so segments form
 * rings. Points in the plane count as above it, so that no side lies in it and every ring closes.
 * Rings are split where they bend by more than 30 degrees, and the parts are evenly spaced.
 */
#include "geometry/grid/point_grid.h"
#include "geometry/sample/sampling.h"
#include "geometry/trimesh/check.h"

#include <string.h>

static const double CORNER = 0.8660254037844386; /* cos 30 degrees */
static const double CLEAN_APART = 0.62;

typedef struct section {
    const mo_trimesh *mesh;
    const mo_sampling *how;
    mo_samples *samples;
    mote_error *error;
    mo_fans fans;
    mo_point_grid grid; /* the samples so far */
    bool *walked;       /* per triangle */
    double *ring;       /* three coordinates per point; the first is not repeated */
    int64_t points, capacity;
} section;

static mo_vec3 vertex(const section *s, int32_t v)
{
    return mo_vec3_load(s->mesh->x + 3 * (int64_t)v);
}

static bool is_above(const section *s, int32_t v)
{
    return s->mesh->x[3 * (int64_t)v + 2] >= 0;
}

/* The corner at the start of the side that crosses the plane downwards (up: false) or upwards; -1:
 * none. */
static int crossing(const section *s, int64_t triangle, bool up)
{
    const int32_t *c = s->mesh->corner + 3 * triangle;
    for (int k = 0; k < 3; ++k) {
        if (is_above(s, c[k]) != up && is_above(s, c[(k + 1) % 3]) == up) {
            return k;
        }
    }
    return -1;
}

/* Where the plane cuts a side; the same bits from both of its triangles. */
static mo_vec3 cut_side(const section *s, int32_t a, int32_t b)
{
    mo_vec3 p = vertex(s, a < b ? a : b), q = vertex(s, a < b ? b : a);
    mo_vec3 x = mo_add_scaled(p, p.z / (p.z - q.z), mo_sub(q, p));
    return mo_vec3_make(x.x, x.y, 0);
}

static mote_status add_point(section *s, mo_vec3 x)
{
    if (s->points > 0) {
        mo_vec3 last = mo_vec3_load(s->ring + 3 * (s->points - 1));
        if (!(mo_length(mo_sub(x, last)) > 1e-12 * s->how->spacing)) {
            return MOTE_OK;
        }
    }
    MO_TRY(mo_grow(s->samples->memory, (void **)&s->ring, &s->capacity, s->points + 1,
                   3 * sizeof *s->ring, s->error));
    mo_vec3_store(s->ring + 3 * s->points++, x);
    return MOTE_OK;
}

/* Traverses triangles across the sides that cross downwards. Seen from above the inside is on the
 * right. */
static mote_status walk(section *s, int64_t first)
{
    s->points = 0;
    for (int64_t t = first; !s->walked[t];) {
        int out = crossing(s, t, false);
        const int32_t *c = s->mesh->corner + 3 * t;
        s->walked[t] = true;
        MO_TRY(add_point(s, cut_side(s, c[out], c[(out + 1) % 3])));
        mo_edge_use use = mo_trimesh_edge(s->mesh, &s->fans, c[out], c[(out + 1) % 3]);
        if (use.twin < 0) {
            break;
        }
        t = use.twin / 3;
    }
    if (s->points > 1) { /* the end may coincide with the start */
        mo_vec3 way = mo_sub(mo_vec3_load(s->ring), mo_vec3_load(s->ring + 3 * (s->points - 1)));
        s->points -= !(mo_length(way) > 1e-12 * s->how->spacing);
    }
    return MOTE_OK;
}

static mo_vec3 ring_point(const section *s, int64_t k)
{
    return mo_vec3_load(s->ring + 3 * (k % s->points));
}

static mo_vec3 direction(const section *s, int64_t k)
{
    return mo_unit(mo_sub(ring_point(s, k + 1), ring_point(s, k)), mo_vec3_make(1, 0, 0));
}

static bool is_corner(const section *s, int64_t k)
{
    return mo_dot(direction(s, k + s->points - 1), direction(s, k)) < CORNER;
}

/* A sample with its normal, to the left of the path, unless one is close. */
static mote_status add_sample(section *s, mo_vec3 x, mo_vec3 way, double share)
{
    int64_t near = mo_point_grid_nearest(&s->grid, x, CLEAN_APART * s->how->spacing, NULL);
    if (near >= 0) { /* it receives the share of length */
        s->samples->area[s->samples->count - s->grid.count + near] += share;
        return MOTE_OK;
    }
    MO_TRY(mo_point_grid_add(&s->grid, x, s->error));
    return mo_samples_add(s->samples, x,
                          mo_unit(mo_vec3_make(-way.y, way.x, 0), mo_vec3_make(1, 0, 0)), share,
                          s->error);
}

static double length_of(const section *s, int64_t first, int64_t last)
{
    double sum = 0;
    for (int64_t k = first; k < last; ++k) {
        sum += mo_length(mo_sub(ring_point(s, k + 1), ring_point(s, k)));
    }
    return sum;
}

/* The part of the ring from point `first` to `last`, excluding its end. */
static mote_status sample_part(section *s, int64_t first, int64_t last)
{
    double length = length_of(s, first, last), gone = 0;
    int64_t steps = mo_sample_steps(length, s->how->spacing), next = 0;
    double count = steps > 0 ? (double)steps : 1;
    for (int64_t k = first; k < last; ++k) {
        mo_vec3 a = ring_point(s, k), way = mo_sub(ring_point(s, k + 1), a);
        double part = mo_length(way);
        for (; (double)next < count && length * (double)next / count <= gone + part; ++next) {
            double at = part > 0 ? (length * (double)next / count - gone) / part : 0;
            mo_vec3 both = k == first && at == 0
                               ? mo_add(direction(s, first + s->points - 1), direction(s, k))
                               : direction(s, k);
            MO_TRY(add_sample(s, mo_add_scaled(a, at, way), both, length / count));
        }
        gone += part;
    }
    return MOTE_OK;
}

static mote_status sample_ring(section *s)
{
    int64_t first = 0;
    if (s->points < 3) {
        return MOTE_OK;
    }
    double count = length_of(s, 0, s->points) / s->how->spacing;
    MO_TRY(mo_sample_count_check((double)s->samples->count + count, s->how, s->error));
    while (first < s->points && !is_corner(s, first)) {
        ++first;
    }
    first = first == s->points ? 0 : first;
    int64_t from = first;
    for (int64_t k = first + 1; k <= first + s->points; ++k) {
        if (k == first + s->points || is_corner(s, k)) {
            MO_TRY(sample_part(s, from, k));
            from = k;
        }
    }
    return MOTE_OK;
}

static mote_status sample_rings(section *s)
{
    void *walked;
    MO_TRY(mo_fans_make(s->mesh, &s->fans, s->error));
    MO_TRY(mo_allocate_array(s->samples->memory, s->mesh->triangles, sizeof *s->walked, &walked,
                             s->error));
    s->walked = walked;
    for (int64_t t = 0; t < s->mesh->triangles; ++t) {
        if (!s->walked[t] && crossing(s, t, false) >= 0) {
            MO_TRY(walk(s, t));
            MO_TRY(sample_ring(s));
        }
    }
    return MOTE_OK;
}

mote_status mo_sample_section(const mo_trimesh *mesh, const mo_sampling *how, mo_samples *samples,
                              mote_error *error)
{
    section s = {.mesh = mesh,
                 .how = how,
                 .samples = samples,
                 .error = error,
                 .fans = {.memory = samples->memory}};
    int64_t first = samples->count;
    mo_point_grid_init(&s.grid, samples->memory, how->spacing);
    mote_status status = sample_rings(&s);
    if (status != MOTE_OK) {
        samples->count = first;
    }
    mo_fans_release(&s.fans);
    mo_point_grid_release(&s.grid);
    mo_release(samples->memory, s.walked);
    mo_release(samples->memory, s.ring);
    return status;
}
