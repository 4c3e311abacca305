#include "geometry/surface/splat.h"

#include "geometry/surface/surface.h"

mo_splat mo_splat_ball(const double center[3], double radius, double weight)
{
    mo_splat s = {.x = {center[0], center[1], center[2]}, .weight = (float)weight};
    for (int a = 0; a < 3; ++a) {
        s.shape[a] = (float)(1 / (radius * radius));
        s.half[a] = (float)radius;
    }
    return s;
}

typedef struct balls {
    const mo_cloud *cloud;
    double radius, weight;
    mo_splat *splat;
} balls;

static void splat_balls(void *context, int64_t first, int64_t last)
{
    const balls *b = context;
    for (int64_t k = first; k < last; ++k) {
        double x[3];
        for (int a = 0; a < 3; ++a) {
            x[a] = b->cloud->x[3 * k + a] / b->cloud->spacing;
        }
        b->splat[k] = mo_splat_ball(x, b->radius, b->weight);
    }
}

void mo_splat_balls(const mo_cloud *cloud, double radius, double weight, mo_pool *pool,
                    mo_splat *splat)
{
    balls b = {cloud, radius, weight, splat};
    mo_parallel_for(pool, cloud->count, MO_SPLAT_GRAIN, splat_balls, &b);
}
