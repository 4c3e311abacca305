#include "geometry/box_points.h"
#include <math.h>
mote_status mo_fill_shape(mo_method shape, double d, int dimension, mo_memory *memory, mo_points *p,
                          mote_error *error)
{
    mo_vec3 lo, hi;
    ((const mo_shape_type *)shape.type)->bounds(shape.params, &lo, &hi);
    int n[3] = {(int)lround((hi.x - lo.x) / d), (int)lround((hi.y - lo.y) / d),
                dimension == 3 ? (int)lround((hi.z - lo.z) / d) : 1};
    void *b;
    MO_TRY(mo_allocate_array(memory, (int64_t)n[0] * n[1] * n[2], 24, &b, error));
    p->x = b;
    p->count = 0;
    for (int i = 0; i < n[0]; ++i)
        for (int j = 0; j < n[1]; ++j)
            for (int k = 0; k < n[2]; ++k) {
                double *x = p->x + 3 * p->count++;
                x[0] = lo.x + (i + .5) * d;
                x[1] = lo.y + (j + .5) * d;
                x[2] = dimension == 3 ? lo.z + (k + .5) * d : 0;
            }
    return MOTE_OK;
}
mote_status mo_sample_box(mo_method shape, double d, int dimension, mo_memory *memory, mo_points *p,
                          mote_error *error)
{
    mo_vec3 lo, hi;
    ((const mo_shape_type *)shape.type)->bounds(shape.params, &lo, &hi);
    int n[3] = {(int)lround((hi.x - lo.x) / d), (int)lround((hi.y - lo.y) / d),
                (int)lround((hi.z - lo.z) / d)};
    void *b;
    MO_TRY(mo_allocate_array(memory, (int64_t)(n[0] + 1) * (n[1] + 1) * (n[2] + 1), 24, &b, error));
    p->x = b;
    p->count = 0;
    (void)dimension;
    for (int i = 0; i <= n[0]; ++i)
        for (int j = 0; j <= n[1]; ++j)
            for (int k = 0; k <= n[2]; ++k) {
                if (!(i == 0 || i == n[0] || j == 0 || j == n[1] ||
                      (dimension == 3 && (k == 0 || k == n[2]))))
                    continue;
                if (dimension == 2 && k > 0)
                    continue;
                double *x = p->x + 3 * p->count++;
                x[0] = lo.x + i * d;
                x[1] = lo.y + j * d;
                x[2] = dimension == 3 ? lo.z + k * d : 0;
            }
    return MOTE_OK;
}
