#include "collide/rows.h"

#include <math.h>

enum { GRAIN = 4096 };

mo_contact mo_contact_row_on_collider(const mo_contact_rows *rows, int64_t row, int64_t collider,
                                      mo_vec3 x, mo_vec3 normal, double gap)
{
    return (mo_contact){
        .side = {mo_contact_vertex(rows->system, row), mo_contact_collider(collider, x)},
        .normal = normal,
        .gap = gap,
        .key = mo_contact_key_of(mo_feature_of(MO_FEATURE_VERTEX, 0, rows->id[row]),
                                 mo_feature_of(MO_FEATURE_COLLIDER, 0, collider))};
}

static void add_point(mo_contact_box *b, const double *x)
{
    for (int k = 0; k < 3; ++k) {
        b->low[k] = x[k] < b->low[k] ? x[k] : b->low[k];
        b->high[k] = x[k] > b->high[k] ? x[k] : b->high[k];
    }
}

mo_contact_box mo_contact_box_of(const double *x, const double *before, const double *radius,
                                 double offset, int64_t first, int64_t count)
{
    mo_contact_box b = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    double reach = 0;
    for (int64_t row = first; row < first + count; ++row) {
        add_point(&b, x + 3 * row);
        if (before) {
            add_point(&b, before + 3 * row);
        }
        reach = fmax(reach, offset * radius[row]);
    }
    for (int k = 0; k < 3; ++k) { /* and by the rounding of a gap */
        double slack = reach + 1e-9 * (reach + fmax(fabs(b.low[k]), fabs(b.high[k])));
        b.low[k] -= slack;
        b.high[k] += slack;
    }
    return b;
}

/* A row that is not finite is near every collider. */
bool mo_collider_near_box(const mo_collider *c, const mo_contact_box *b)
{
    bool apart = false;
    for (int k = 0; c->bounded && !c->inside && k < 3; ++k) {
        apart = apart || b->low[k] > c->high[k] || b->high[k] < c->low[k];
    }
    return !apart;
}

/* From a position to its image in the box. */
static mo_vec3 into_box(const mo_domain *domain, mo_vec3 x)
{
    return mo_vec3_make(-mo_domain_shift(domain, 0, x.x), -mo_domain_shift(domain, 1, x.y),
                        -mo_domain_shift(domain, 2, x.z));
}

mo_vec3 mo_contact_offset(const mo_colliders *colliders, mo_vec3 x, mo_vec3 image)
{
    return colliders->periodic ? mo_add(into_box(&colliders->domain, x), image) : image;
}

static void find_radius(void *context, int64_t first, int64_t last, double *partial)
{
    const double *radius = context;
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        *partial = fmax(*partial, radius[row]);
    }
}

mote_status mo_contact_reach(const mo_colliders *colliders, const mo_contact_rows *rows,
                             double *reach, mote_error *error)
{
    *reach = 0;
    if (!colliders->periodic) {
        return MOTE_OK;
    }
    void *radii = (void *)(uintptr_t)rows->radius;
    return mo_parallel_reduce(rows->pool, rows->count, GRAIN, MO_MAX, 1, find_radius, radii, reach,
                              error);
}
