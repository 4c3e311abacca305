/* Soups of primitives for tests of collision detection, and their intersecting pairs by brute
 * force. */
#ifndef TEST_SOUPS_H
#define TEST_SOUPS_H

#include "geometry/hierarchy/pairs.h"
#include "geometry/simplex/intersect.h"
#include "math/quat.h"
#include "unit/numbers.h"

enum {
    RANDOM_SOUP,     /* of all sizes, some with a common corner */
    TOUCHING_SOUP,   /* a lattice: neighbours share corners, edges, or faces meet edges */
    NESTED_SOUP,     /* one around the other, about the same centre */
    COPLANAR_SOUP,   /* in a few planes */
    DEGENERATE_SOUP, /* points and edges among them */
    HUGE_SOUP,       /* sizes over twelve orders of magnitude, far from the origin */
    SOUPS
};

static const char *const SOUP_NAMES[SOUPS] = {"random",   "touching",   "nested",
                                              "coplanar", "degenerate", "huge"};

typedef struct soup {
    mo_simplices set;
    int64_t rows;
    double *x;
    int32_t *corner;
    double size; /* about the extent of the soup */
    mo_vec3 centre;
} soup;

static inline mo_mat3 random_rotation(uint64_t *random)
{
    mo_vec3 x = random_unit_vec3(random), y = mo_perpendicular(x), z = mo_cross(x, y);
    double angle = random_between(random, 0, 6);
    mo_vec3 u = mo_add(mo_scale(cos(angle), y), mo_scale(sin(angle), z)), w = mo_cross(x, u);
    return (mo_mat3){{x.x, u.x, w.x, x.y, u.y, w.y, x.z, u.z, w.z}};
}

/* A corner of primitive i. */
static inline mo_vec3 soup_corner(int kind, int64_t i, uint64_t *random, mo_vec3 centre)
{
    switch (kind) {
    case TOUCHING_SOUP: {
        mo_vec3 d = mo_vec3_make((double)random_below(random, 3), (double)random_below(random, 3),
                                 (double)random_below(random, 3));
        return mo_add(centre, d);
    }
    case NESTED_SOUP:
        return mo_scale(0.2 + 0.01 * (double)(i % 100), random_unit_vec3(random));
    case COPLANAR_SOUP: {
        mo_vec3 p = mo_add(centre, random_vec3(random, 0.3));
        p.z = 0.5 * (double)(i % 3) + (i % 2 ? 0.1 * p.x : 0);
        return p;
    }
    case HUGE_SOUP: {
        double size = pow(10, (double)(i % 13) - 6);
        mo_vec3 p = mo_scale(size, random_vec3(random, 1));
        return mo_add(mo_vec3_make(1e6, -1e6, 1e6), p);
    }
    default:
        return mo_add(centre, random_vec3(random, i % 7 == 0 ? 0.8 : 0.2));
    }
}

static inline soup make_soup(int kind, int64_t count, int corners, uint64_t seed)
{
    soup s = {.rows = count * corners, .size = kind == HUGE_SOUP ? 1e6 : 1};
    s.centre = kind == HUGE_SOUP ? mo_vec3_make(1e6, -1e6, 1e6) : mo_vec3_make(0, 0, 0);
    uint64_t random = seed;
    s.x = test_malloc((size_t)(3 * s.rows + 1) * sizeof *s.x);
    s.corner = test_malloc((size_t)s.rows * sizeof *s.corner);
    for (int64_t i = 0; i < count; ++i) {
        mo_vec3 centre = random_vec3(&random, 1);
        if (kind == TOUCHING_SOUP) {
            centre = mo_vec3_make(floor(3 * centre.x), floor(3 * centre.y), floor(3 * centre.z));
            s.size = 3;
        }
        for (int k = 0; k < corners; ++k) {
            int64_t row = corners * i + k;
            mo_vec3_store(s.x + 3 * row, soup_corner(kind, i, &random, centre));
            s.corner[row] = (int32_t)row;
        }
        if (kind == DEGENERATE_SOUP && i % 3 < 2 && corners > 1) { /* an edge; a point */
            for (int k = i % 3 == 0 ? 2 : 1; k < corners; ++k) {
                const double *first = s.x + 3 * corners * i;
                double f = i % 3 == 0 ? random_between(&random, 0, 1) : 0;
                for (int axis = 0; axis < 3; ++axis) {
                    s.x[3 * (corners * i + k) + axis] =
                        first[axis] + f * (first[3 + axis] - first[axis]);
                }
            }
        }
        if (i > 0 && i % 5 == 0) { /* a corner of the one before */
            s.corner[corners * i] = (int32_t)(corners * i - 1);
        }
    }
    s.set = (mo_simplices){.count = count, .corners = corners, .corner = s.corner, .x = s.x};
    return s;
}

static inline void free_soup(soup *s)
{
    test_free(s->x);
    test_free(s->corner);
}

typedef struct pair_list {
    int64_t count;
    mo_index_pair *pair;
} pair_list;

/* All intersecting pairs, by a, then b; within one set a < b. */
static inline pair_list all_pairs(const mo_simplices_pair *pair, bool within)
{
    pair_list list = {0};
    int64_t most = pair->a->count * pair->b->count;
    list.pair = test_malloc((size_t)(most + 1) * sizeof *list.pair);
    for (int32_t a = 0; a < pair->a->count; ++a) {
        for (int32_t b = within ? a + 1 : 0; b < pair->b->count; ++b) {
            if (mo_simplices_test(pair, a, b)) {
                list.pair[list.count++] = (mo_index_pair){a, b};
            }
        }
    }
    return list;
}

static inline void free_pairs(pair_list *list)
{
    test_free(list->pair);
}

#endif
