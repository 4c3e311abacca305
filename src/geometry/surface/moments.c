#include "geometry/surface/moments.h"

#include "math/wide.h"

enum { LANES = 4 };

typedef struct sums {
    mo_d4 count, weight, x, y, z, xx, yy, zz, xy, xz, yz;
} sums;

/* Four points at once. */
static inline __attribute__((always_inline)) void add(sums *s, mo_d4 x, mo_d4 y, mo_d4 z,
                                                      mo_l4 wanted)
{
    mo_d4 square = x * x + y * y + z * z;
    mo_l4 in = wanted & (square <= 1);
    mo_d4 w = (mo_d4)(in & (mo_l4)(1 - square * mo_d4_sqrt(square)));
    mo_d4 wx = w * x, wy = w * y, wz = w * z;
    s->count += (mo_d4)(in & (mo_l4)mo_d4_set(1));
    s->weight += w;
    s->x += wx;
    s->y += wy;
    s->z += wz;
    s->xx += wx * x;
    s->yy += wy * y;
    s->zz += wz * z;
    s->xy += wx * y;
    s->xz += wx * z;
    s->yz += wy * z;
}

typedef struct view {
    const double *x, *y, *z; /* by sorted index */
    mo_d4 cx, cy, cz;
    mo_d4 inverse; /* of the radius */
} view;

static inline __attribute__((always_inline)) void add_range(sums *s, const view *v, int64_t first,
                                                            int64_t last)
{
    const mo_l4 lane = {0, 1, 2, 3};
    for (int64_t k = first; k < last; k += LANES) {
        mo_l4 wanted = lane < (mo_l4){last - k, last - k, last - k, last - k};
        add(s, (mo_d4_load(v->x + k) - v->cx) * v->inverse,
            (mo_d4_load(v->y + k) - v->cy) * v->inverse,
            (mo_d4_load(v->z + k) - v->cz) * v->inverse, wanted);
    }
}

static double total(mo_d4 a)
{
    return (a[0] + a[2]) + (a[1] + a[3]);
}

static mo_moments finish(const sums *s)
{
    double inverse = 1 / total(s->weight); /* at least 1: the particle itself */
    mo_vec3 m = mo_scale(inverse, mo_vec3_make(total(s->x), total(s->y), total(s->z)));
    double xy = inverse * total(s->xy) - m.x * m.y, xz = inverse * total(s->xz) - m.x * m.z;
    double yz = inverse * total(s->yz) - m.y * m.z;
    double xx = inverse * total(s->xx) - m.x * m.x, yy = inverse * total(s->yy) - m.y * m.y;
    double zz = inverse * total(s->zz) - m.z * m.z;
    return (mo_moments){(int64_t)total(s->count), m, {{xx, xy, xz, xy, yy, yz, xz, yz, zz}}};
}

mo_moments mo_moments_at(const mo_vicinity *vicinity, int64_t slot)
{
    const mo_cell_frame *f = &vicinity->frame;
    const int32_t *start = vicinity->cells.start;
    const double x[3] = {vicinity->x[slot], vicinity->y[slot], vicinity->z[slot]};
    view v = {vicinity->x,
              vicinity->y,
              vicinity->z,
              mo_d4_set(x[0]),
              mo_d4_set(x[1]),
              mo_d4_set(x[2]),
              mo_d4_set(1 / vicinity->radius)};
    int64_t i = mo_cell_frame_along(f, 0, x[0]), j = mo_cell_frame_along(f, 1, x[1]);
    int64_t k = mo_cell_frame_along(f, 2, x[2]);
    /* cells of a row are consecutive */
    int64_t left = i > 0 ? 1 : 0, right = i + 1 < f->size[0] ? 1 : 0;
    sums s = {0};
    for (int64_t z = k > 0 ? k - 1 : 0; z <= k + 1 && z < f->size[2]; ++z) {
        for (int64_t y = j > 0 ? j - 1 : 0; y <= j + 1 && y < f->size[1]; ++y) {
            int64_t at = mo_cell_frame_cell(f, i, y, z);
            add_range(&s, &v, start[at - left], start[at + right + 1]);
        }
    }
    return finish(&s);
}
