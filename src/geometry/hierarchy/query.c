#include "geometry/hierarchy/query.h"

#include "geometry/simplex/intersect.h"
#include "geometry/simplex/nearest.h"

#include <math.h>

enum { LANES = MO_BOUND_LANES, STACK = LANES * MO_LAYERS_MAX };

/* A pending node, and a lower bound of its contents. */
typedef struct todo {
    float bound;
    int32_t layer, block;
} todo;

/* A query: the bounds of a block of volumes, and the value of a primitive. */
typedef struct question {
    const mo_hierarchy *h;
    void (*bounds)(const struct question *q, const float *block, float out[LANES]);
    double (*value)(const struct question *q, int32_t primitive);
    mo_vec3 x;     /* in the world */
    mo_vec3 local; /* from the tree's origin */
    mo_ray ray, local_ray;
    mo_distance_fn *distance;
    mo_cast_fn *cast;
    const void *context;
} question;

/* The children that may be better than the best so far, the farthest first. */
static int push_children(const question *q, todo at, double limit, todo *stack)
{
    float bound[LANES];
    todo found[LANES];
    int count = 0;
    q->bounds(q, mo_hierarchy_block(q->h, at.layer, at.block), bound);
    for (int k = 0; k < mo_hierarchy_lanes(q->h, at.layer, at.block); ++k) {
        if (!((double)bound[k] <= limit)) {
            continue;
        }
        int to = count++;
        for (; to > 0 && found[to - 1].bound < bound[k]; --to) {
            found[to] = found[to - 1];
        }
        found[to] = (todo){bound[k], at.layer - 1, LANES * at.block + k};
    }
    for (int k = 0; k < count; ++k) {
        stack[k] = found[k];
    }
    return count;
}

static mo_hit find_least(const question *q, double limit)
{
    todo stack[STACK];
    mo_hit best = {.primitive = -1, .distance = limit};
    int depth = 0;
    if (q->h->count > 0) {
        stack[depth++] = (todo){0, q->h->layers - 1, 0};
    }
    while (depth > 0) {
        todo at = stack[--depth];
        if ((double)at.bound > best.distance) {
            continue;
        }
        if (at.layer >= 0) {
            depth += push_children(q, at, best.distance, stack + depth);
            continue;
        }
        int32_t primitive = q->h->order[at.block];
        double value = q->value(q, primitive);
        bool first = best.primitive < 0 || primitive < best.primitive;
        if (value < best.distance || (value == best.distance && first)) {
            best = (mo_hit){primitive, value};
        }
    }
    return best;
}

static void point_bounds(const question *q, const float *block, float out[LANES])
{
    q->h->bound->distance(block, q->local, out);
}

static double point_value(const question *q, int32_t primitive)
{
    return q->distance(q->context, primitive, q->x);
}

mo_hit mo_hierarchy_nearest(const mo_hierarchy *h, mo_vec3 x, double limit,
                            mo_distance_fn *distance, const void *context)
{
    question q = {.h = h,
                  .bounds = point_bounds,
                  .value = point_value,
                  .x = x,
                  .local = mo_sub(x, h->origin),
                  .distance = distance,
                  .context = context};
    return find_least(&q, limit);
}

static void ray_bounds(const question *q, const float *block, float out[LANES])
{
    q->h->bound->enter(block, &q->local_ray, out);
}

static double ray_value(const question *q, int32_t primitive)
{
    return q->cast(q->context, primitive, &q->ray);
}

mo_hit mo_hierarchy_cast(const mo_hierarchy *h, const mo_ray *ray, mo_cast_fn *cast,
                         const void *context)
{
    question q = {.h = h,
                  .bounds = ray_bounds,
                  .value = ray_value,
                  .ray = *ray,
                  .local_ray = *ray,
                  .cast = cast,
                  .context = context};
    q.local_ray.origin = mo_sub(ray->origin, h->origin);
    return find_least(&q, ray->end);
}

int64_t mo_hierarchy_in_box(const mo_hierarchy *h, const mo_box *box, int32_t *out,
                            int64_t capacity)
{
    todo stack[STACK];
    double corner[24], volume[MO_BOUND_SCALARS_MAX];
    float query[LANES * MO_BOUND_SCALARS_MAX];
    int depth = 0;
    int64_t found = 0;
    mo_simplices one = mo_simplices_of_boxes(1, box);
    h->bound->enclose(mo_simplex_points(&one, 0, h->origin, corner), corner, volume);
    h->bound->store(volume, query, 0);
    if (h->count > 0) {
        stack[depth++] = (todo){0, h->layers - 1, 0};
    }
    while (depth > 0) {
        todo at = stack[--depth];
        if (at.layer >= 0) {
            unsigned bits = h->bound->overlap(mo_hierarchy_block(h, at.layer, at.block), query, 0);
            for (; bits; bits &= bits - 1) {
                stack[depth++] = (todo){0, at.layer - 1, LANES * at.block + __builtin_ctz(bits)};
            }
            continue;
        }
        int32_t primitive = h->order[at.block];
        mo_vec3 p[4];
        for (int k = 0; k < h->set.corners; ++k) {
            p[k] = mo_vec3_load(h->set.x + 3 * mo_simplex_row(&h->set, primitive, k));
        }
        if (mo_simplex_meets_box(p, h->set.corners, box)) {
            if (found < capacity) {
                out[found] = primitive;
            }
            ++found;
        }
    }
    return found;
}

static void load_triangle(const mo_simplices *s, int32_t triangle, mo_vec3 corner[3])
{
    for (int k = 0; k < 3; ++k) {
        corner[k] = mo_vec3_load(s->x + 3 * mo_simplex_row(s, triangle, k));
    }
}

double mo_triangle_distance_fn(const void *simplices, int32_t triangle, mo_vec3 x)
{
    mo_vec3 corner[3];
    double w[3];
    load_triangle(simplices, triangle, corner);
    mo_triangle_nearest_weights(corner, x, w);
    mo_vec3 p =
        mo_add_scaled(mo_add_scaled(mo_scale(w[0], corner[0]), w[1], corner[1]), w[2], corner[2]);
    return mo_length(mo_sub(x, p));
}

double mo_triangle_cast_fn(const void *simplices, int32_t triangle, const mo_ray *ray)
{
    mo_vec3 corner[3];
    double w[3];
    load_triangle(simplices, triangle, corner);
    return ray->radius > 0 ? mo_sphere_cast_triangle(ray, corner) : mo_ray_triangle(ray, corner, w);
}
