#include "fluid/boundary/extent.h"

#include "geometry/shape/shape.h"

#include <math.h>

/* Unbounded colliders farther away than this multiple of the scene's extent need an explicit
 * margin. */
static const double FAR = 5;

static void include(mo_extent *e, mo_vec3 x)
{
    double p[3];
    mo_vec3_store(p, x);
    for (int k = 0; k < 3; ++k) {
        e->low[k] = fmin(e->low[k], p[k]);
        e->high[k] = fmax(e->high[k], p[k]);
    }
}

double mo_extent_widest(const mo_extent *e)
{
    double widest = 0;
    for (int k = 0; k < 3; ++k) {
        widest = fmax(widest, e->high[k] - e->low[k]);
    }
    return widest;
}

/* Unbounded solids: the point closest to the centre of the scene, unless it is far away. */
static void include_endless(mo_extent *e, const mo_colliders *colliders)
{
    const mo_extent all = *e;
    double middle[3], low[3], high[3], widest = mo_extent_widest(&all);
    for (int k = 0; k < 3; ++k) {
        middle[k] = 0.5 * (all.low[k] + all.high[k]);
    }
    for (int64_t k = 0; widest > 0 && k < colliders->count; ++k) {
        mo_vec3 n;
        if (!mo_collider_bounds(&colliders->list[k], low, high)) {
            double gap = mo_collider_gap(&colliders->list[k], mo_vec3_load(middle), &n);
            if (fabs(gap) < FAR * widest) {
                include(e, mo_add_scaled(mo_vec3_load(middle), -gap, n));
            }
        }
    }
}

/* The extent of fluid, emitters and solids. */
mo_extent mo_extent_of(const mo_fluid *f, const mo_colliders *colliders)
{
    mo_extent e = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    const mo_emitter_def *emitters = f->def->emitters.items;
    for (int64_t row = 0; row < mo_store_owned(f->store); ++row) {
        include(&e, mo_vec3_load(mo_f64(f->columns.x) + 3 * row));
    }
    for (int64_t k = 0; k < f->def->emitters.count; ++k) {
        mo_vec3 low, high;
        if (!mo_emitter_has_surface(&emitters[k])) {
            include(&e, emitters[k].center);
        } else if (emitters[k].surface.type && mo_shape_bounds(emitters[k].surface, &low, &high)) {
            include(&e, low);
            include(&e, high);
        }
    }
    for (int64_t k = 0; k < colliders->count; ++k) {
        double low[3], high[3];
        if (mo_collider_bounds(&colliders->list[k], low, high)) {
            include(&e, mo_vec3_load(low));
            include(&e, mo_vec3_load(high));
        }
    }
    include_endless(&e, colliders);
    return e;
}
