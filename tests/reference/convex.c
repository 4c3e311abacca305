/*
 * Contact of convex pairs against brute force, on random pairs of all kinds.
 *
 * Polytopes: the depth of penetration is the least overlap over ALL face normals and ALL cross
 * products of edges. All kinds: a normal n and points p, q at a gap g > 0 prove each other: the
 * shapes are at least g apart along n, and p, q, which lie in them, at most. Overlapping shapes:
 * the overlap along n is exact by support points, and no other direction of many has less.
 *
 * usage: convex [PAIRS]
 */
#include "test.h"

#include "collide/convex/convex.h"
#include "unit/numbers.h"

static int64_t pairs = 20000;

enum { HULLS = 40 };
typedef struct bench {
    mo_memory memory;
    mo_arena arena;
    mo_hull hull[HULLS];
} bench;

static mo_convex random_shape(uint64_t *random, bench *b, int kind)
{
    mo_primitive p = {.axes = mo_mat3_identity()};
    double scale = random_between(random, 0.3, 1);
    double thin = random_below(random, 4) == 0 ? 0.05 : 1; /* plates and needles among them */
    mo_convex shape;
    switch (kind) {
    case MO_CONVEX_SPHERE:
        p.kind = MO_PRIMITIVE_SPHERE;
        p.radius[0] = scale;
        break;
    case MO_CONVEX_BOX:
        p.kind = MO_PRIMITIVE_BOX;
        p.half = mo_vec3_make(scale, random_between(random, 0.2, 1),
                              thin * random_between(random, 0.2, 1));
        break;
    case MO_CONVEX_CAPSULE:
        p.kind = MO_PRIMITIVE_CAPSULE;
        p.half.z = random_between(random, 0.1, 1);
        p.radius[0] = p.radius[1] = 0.5 * scale;
        break;
    case MO_CONVEX_FRUSTUM:
        p.kind = MO_PRIMITIVE_FRUSTUM;
        p.half.z = thin * random_between(random, 0.2, 1);
        p.radius[0] = scale;
        p.radius[1] = random_below(random, 3) == 0   ? 0
                      : random_below(random, 2) == 0 ? scale
                                                     : 0.5 * scale;
        break;
    default:
        shape = mo_convex_of_hull(&b->hull[random_below(random, HULLS)]);
        shape.center = mo_vec3_make(0, 0, 0);
        return shape;
    }
    return mo_convex_of_primitive(&p);
}

static void make_hulls(bench *b, uint64_t *random)
{
    memset(b, 0, sizeof *b);
    mo_memory_init(&b->memory, NULL);
    mo_arena_init(&b->arena, &b->memory);
    for (int k = 0; k < HULLS; ++k) {
        double x[3 * 24];
        mote_error error = {0};
        int64_t count = 4 + random_below(random, 20);
        for (int64_t i = 0; i < count; ++i) {
            mo_vec3 p = k % 2 ? random_unit_vec3(random) : random_vec3(random, 0.7);
            mo_vec3_store(x + 3 * i, p);
        }
        assert_int_equal(mo_hull_build(count, x, "hull", &b->arena, &b->hull[k], NULL, &error),
                         MOTE_OK);
    }
}

static mo_posed random_posed(uint64_t *random, const mo_convex *shape, double spread)
{
    mo_pose pose = mo_pose_identity();
    pose.p = random_vec3(random, spread);
    pose.R = mo_quat_matrix(
        mo_quat_normalize((mo_quat){random_between(random, -1, 1), random_between(random, -1, 1),
                                    random_between(random, -1, 1), random_between(random, -1, 1)}));
    if (random_below(random, 8) == 0) { /* parallel faces and edges */
        pose.R = mo_mat3_identity();
    }
    return mo_convex_at(shape, &pose);
}

/* The separation of the shapes along n: positive if n separates them. */
static double separation(const mo_posed *a, const mo_posed *b, mo_vec3 n)
{
    mo_vec3 p = mo_convex_support(a, mo_scale(-1, n)), q = mo_convex_support(b, n);
    return mo_dot(n, mo_sub(p, q));
}

/* ---- all axes of two polytopes ---- */

typedef struct axes {
    int normals, edges;
    mo_vec3 normal[64], edge[128];
} axes;

static void axes_of(const mo_posed *p, axes *out)
{
    out->normals = out->edges = 0;
    if (p->shape->kind == MO_CONVEX_BOX) {
        for (int k = 0; k < 3; ++k) {
            mo_vec3 x = mo_vec3_make(p->R.m[k], p->R.m[3 + k], p->R.m[6 + k]);
            out->normal[out->normals++] = x;
            out->edge[out->edges++] = x;
        }
        return;
    }
    const mo_hull *h = p->shape->hull;
    for (int32_t f = 0; f < h->faces; ++f) {
        out->normal[out->normals++] = mo_mat3_apply(p->R, h->normal[f]);
    }
    for (int32_t e = 0; e < h->edges; ++e) {
        if (e < h->edge[e].twin) {
            mo_vec3 from = h->vertex[h->edge[e].origin],
                    to = h->vertex[h->edge[h->edge[e].next].origin];
            out->edge[out->edges++] = mo_mat3_apply(p->R, mo_sub(to, from));
        }
    }
}

static double best_separation(const mo_posed *a, const mo_posed *b)
{
    axes of_a, of_b;
    double most = -(double)INFINITY;
    axes_of(a, &of_a);
    axes_of(b, &of_b);
    for (int k = 0; k < of_a.normals + of_b.normals; ++k) {
        mo_vec3 n = k < of_a.normals ? of_a.normal[k] : of_b.normal[k - of_a.normals];
        most = fmax(most, fmax(separation(a, b, n), separation(a, b, mo_scale(-1, n))));
    }
    for (int i = 0; i < of_a.edges; ++i) {
        for (int j = 0; j < of_b.edges; ++j) {
            mo_vec3 d = of_a.edge[i], e = of_b.edge[j], n = mo_cross(d, e);
            double length = mo_length(n);
            if (length > 1e-7 * mo_length(d) * mo_length(e)) {
                n = mo_scale(1 / length, n);
                most = fmax(most, fmax(separation(a, b, n), separation(a, b, mo_scale(-1, n))));
            }
        }
    }
    return most;
}

/* ---- the checks of a pair ---- */

/* Random directions, and smaller and smaller steps from the best of them. */
static double searched_separation(const mo_posed *a, const mo_posed *b, uint64_t *random,
                                  mo_vec3 from)
{
    mo_vec3 best = from;
    double most = separation(a, b, best), step = 1;
    for (int k = 0; k < 200; ++k) {
        mo_vec3 other = k < 60 ? random_unit_vec3(random)
                               : mo_unit(mo_add(best, random_vec3(random, step)), best);
        double here = separation(a, b, other);
        step *= k < 60 ? 1 : 0.95;
        if (here > most) {
            most = here;
            best = other;
        }
    }
    return most;
}

static bool is_polytope(const mo_posed *p)
{
    return p->shape->kind == MO_CONVEX_BOX || p->shape->kind == MO_CONVEX_HULL;
}

static double check_distance(const mo_posed *a, const mo_posed *b, uint64_t *random,
                             double errors[2])
{
    mo_convex_near near = mo_convex_distance(a, b);
    double size = a->shape->reach + b->shape->reach, certain = separation(a, b, near.normal);
    assert_near(mo_length(near.normal), 1, 1e-12);
    assert_near(mo_dot(near.normal, mo_sub(near.point[0], near.point[1])), near.distance,
                1e-6 * size);
    errors[0] = fmax(errors[0], fabs(certain - near.distance) / size);
    if (fabs(certain - near.distance) > 1e-6 * size) {
        fail_msg("kinds %d, %d: distance %.12g, along the normal %.12g", (int)a->shape->kind,
                 (int)b->shape->kind, near.distance, certain);
    }
    if (near.distance > 0) {
        assert_near(mo_length(mo_sub(near.point[0], near.point[1])), near.distance, 1e-6 * size);
    } else {
        double other = is_polytope(a) && is_polytope(b)
                           ? best_separation(a, b)
                           : searched_separation(a, b, random, near.normal);
        errors[1] = fmax(errors[1], (other - near.distance) / size);
        if (other - near.distance > 1e-6 * size) {
            fail_msg("kinds %d, %d: depth %.12g, but %.12g is enough", (int)a->shape->kind,
                     (int)b->shape->kind, -near.distance, -other);
        }
    }
    return near.distance;
}

static void check_manifold(const mo_posed *a, const mo_posed *b, double distance, double margin)
{
    mo_manifold m = {0};
    double size = a->shape->reach + b->shape->reach;
    int count = mo_convex_collide(a, b, margin, 0, &m);
    if (fabs(distance - margin) > 1e-7 * size && (count > 0) != (distance <= margin)) {
        fail_msg("kinds %d, %d: %d points at a distance of %.12g, margin %g", (int)a->shape->kind,
                 (int)b->shape->kind, count, distance, margin);
    }
    if (count == 0) {
        return;
    }
    /* the preference of faces costs at most so much of the depth */
    double least = fmin(a->shape->inner, b->shape->inner);
    double bias = 5e-3 * least + 0.05 * fabs(distance) + 1e-7 * size;
    assert_near(mo_length(m.normal), 1, 1e-12);
    double gap = mo_manifold_gap(&m), along = separation(a, b, m.normal);
    /* overlapping: nearly the least depth; apart: not nearer than along the normal, nor farther
       than the margin */
    bool right = distance <= 0 ? fabs(gap - distance) <= 2 * bias
                               : gap > along - 1e-7 * size && gap <= margin + 1e-7 * size;
    if (!right) {
        fail_msg("kinds %d, %d: distance %.12g, along the normal %.12g, gap %.12g (%d points)",
                 (int)a->shape->kind, (int)b->shape->kind, distance, along, gap, count);
    }
    /* once more, with the axis known */
    mo_manifold again = {0};
    assert_true(mo_convex_collide(a, b, margin, m.hint.axis, &again) > 0);
    assert_near(mo_manifold_gap(&again), gap, distance <= 0 ? 2 * bias : margin + bias);
    for (int k = 0; k < count; ++k) {
        const mo_manifold_point *p = &m.point[k];
        assert_near(p->gap, mo_dot(m.normal, mo_sub(p->point[0], p->point[1])), 1e-9 * size);
        assert_true(p->gap <= margin + 1e-9 * size);
        for (int j = 0; j < k; ++j) {
            assert_true(m.point[j].key != p->key);
        }
    }
}

static void random_pairs_agree_with_brute_force(void **state)
{
    (void)state;
    uint64_t random = 20261;
    bench b;
    double errors[2] = {0, 0};
    int64_t overlaps = 0, contacts = 0;
    make_hulls(&b, &random);
    for (int64_t k = 0; k < pairs; ++k) {
        mo_convex first = random_shape(&random, &b, (int)(k % MO_CONVEX_KINDS)),
                  second = random_shape(&random, &b, (int)(k / MO_CONVEX_KINDS % MO_CONVEX_KINDS));
        mo_posed p = random_posed(&random, &first, 0.8), q = random_posed(&random, &second, 0.8);
        double distance = check_distance(&p, &q, &random, errors);
        overlaps += distance <= 0;
        contacts += distance <= 0.1;
        check_manifold(&p, &q, distance, random_below(&random, 2) ? 0 : 0.1);
    }
    print_message(
        "%lld pairs, %lld overlap, %lld within 0.1; error of distances %.1e, of depths %.1e of "
        "the size\n",
        (long long)pairs, (long long)overlaps, (long long)contacts, errors[0], errors[1]);
    assert_true(overlaps > pairs / 5 && overlaps < pairs * 4 / 5);
    mo_arena_release(&b.arena);
}

int main(int count, char **arguments)
{
    pairs = count > 1 ? atoll(arguments[1]) : pairs;
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_pairs_agree_with_brute_force)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
