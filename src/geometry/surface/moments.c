#include "geometry/surface/moments.h"

#include "math/wide.h"

enum { LANES = 4 };

typedef struct sums {
    mo_d4 count, weight, x, y, z, xx, yy, zz, xy, xz, yz;
} sums;

/* Four points at once; a lane that is not wanted is out of reach. */
static inline __attribute__((always_inline)) void add(sums *s, mo_d4 x, mo_d4 y, mo_d4 z)
{
    mo_d4 square = x * x + y * y + z * z;
    mo_l4 in = square <= 1;
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

/* What is left of a range, filled up with points out of reach. */
static mo_d4 load_some(const double *p, int64_t count)
{
    mo_d4 a = {1e155, 1e155, 1e155, 1e155};
    for (int64_t k = 0; k < count; ++k) {
        a[k] = p[k];
    }
    return a;
}

typedef struct view {
    const double *x, *y, *z; /* by place */
    mo_vec3 center;
    double inverse; /* of the radius */
} view;

static void add_range(sums *s, const view *v, int64_t first, int64_t last)
{
    mo_d4 cx = mo_d4_set(v->center.x), cy = mo_d4_set(v->center.y), cz = mo_d4_set(v->center.z);
    mo_d4 inverse = mo_d4_set(v->inverse);
    int64_t k = first;
    for (; k + LANES <= last; k += LANES) {
        add(s, (mo_d4_load(v->x + k) - cx) * inverse, (mo_d4_load(v->y + k) - cy) * inverse,
            (mo_d4_load(v->z + k) - cz) * inverse);
    }
    if (k < last) {
        mo_d4 x = (load_some(v->x + k, last - k) - cx) * inverse;
        add(s, x, (load_some(v->y + k, last - k) - cy) * inverse, (load_some(v->z + k, last - k) - cz) * inverse);
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

mo_moments mo_moments_at(const mo_cell_list *list, int64_t place)
{
    const double *p = list->packed;
    view v = {p, p + list->rows, p + 2 * list->rows, {p[place], p[list->rows + place], p[2 * list->rows + place]},
              1 / list->radius};
    int64_t cell = list->cell_of[list->row_at[place]];
    int64_t i = cell % list->size[0], j = cell / list->size[0] % list->size[1];
    int64_t k = cell / (list->size[0] * list->size[1]);
    int64_t left = i > 0 ? 1 : 0, right = i + 1 < list->size[0] ? 1 : 0; /* cells of a row follow each other */
    sums s = {0};
    for (int64_t z = k > 0 ? k - 1 : 0; z <= k + 1 && z < list->size[2]; ++z) {
        for (int64_t y = j > 0 ? j - 1 : 0; y <= j + 1 && y < list->size[1]; ++y) {
            int64_t at = (z * list->size[1] + y) * list->size[0] + i;
            add_range(&s, &v, list->start[at - left], list->start[at + right + 1]);
        }
    }
    return finish(&s);
}
