#include "geometry/simplex/simplices.h"

static void add_point(double *points, int *count, const double *x, mo_vec3 origin)
{
    mo_vec3_store(points + 3 * (ptrdiff_t)(*count)++, mo_sub(mo_vec3_load(x), origin));
}

int mo_simplex_points(const mo_simplices *s, int64_t primitive, mo_vec3 origin,
                      double points[3 * MO_SIMPLEX_POINTS_MAX])
{
    int count = 0;
    if (s->boxes) {
        const double *ends[2] = {s->x + 3 * mo_simplex_row(s, primitive, 0),
                                 s->x + 3 * mo_simplex_row(s, primitive, 1)};
        for (int k = 0; k < 8; ++k) {
            double x[3] = {ends[k & 1][0], ends[k >> 1 & 1][1], ends[k >> 2][2]};
            add_point(points, &count, x, origin);
        }
        return count;
    }
    for (int k = 0; k < s->corners; ++k) {
        int64_t row = mo_simplex_row(s, primitive, k);
        add_point(points, &count, s->x + 3 * row, origin);
        if (s->end) {
            add_point(points, &count, s->end + 3 * row, origin);
        }
    }
    return count;
}
