/* Distances of features, eight at a time in single precision, against those of single pairs: at
 * random, and of nearly parallel edges and slender triangles, which they may overestimate by less
 * than their margin. */
#include "test.h"

#include "geometry/simplex/proximity.h"
#include "soups.h"
#include "system/constraints/feature_distance.h"

enum { LANES = 8, ROUNDS = 4000 };

/* Four nodes; of some pairs an edge or triangle is nearly parallel or slender, or coplanar. */
static void make_pair(uint64_t *random, mo_vec3 x[4])
{
    uint64_t kind = random_below(random, 5);
    mo_vec3 along = random_vec3(random, 1);
    for (int k = 0; k < 4; ++k) {
        x[k] = random_vec3(random, 1);
        x[k].z *= kind == 4 ? 0 : 1;
    }
    double off = kind == 1 ? 1e-2 : kind == 2 ? 1e-4 : 0;
    if (kind >= 1 && kind <= 3) {
        x[1] = mo_add(x[0], along);
        x[3] = mo_add(mo_add(x[2], along), random_vec3(random, off));
    }
    if (kind == 3) { /* a slender triangle */
        x[3] = mo_add(mo_add_scaled(x[1], 0.6, mo_sub(x[2], x[1])), random_vec3(random, 1e-3));
    }
}

/* The distances of eight pairs of one kind. */
static void measure(mo_pair_kind kind, mo_vec3 x[LANES][4], float distance[LANES],
                    float margin[LANES])
{
    mo_f8 r[3], a[3], b[3];
    bool edges = kind == MO_EDGE_EDGE;
    for (int lane = 0; lane < LANES; ++lane) {
        for (int k = 0; k < 3; ++k) {
            double v[4];
            for (int n = 0; n < 4; ++n) {
                v[n] = mo_vec3_at(x[lane][n], k);
            }
            a[k][lane] = (float)(edges ? v[1] - v[0] : v[2] - v[1]);
            b[k][lane] = (float)(edges ? v[3] - v[2] : v[3] - v[1]);
            r[k][lane] = (float)(edges ? v[0] - v[2] : v[0] - v[1]);
        }
    }
    mo_feature_distance d =
        edges ? mo_edge_edge_distance(r, a, b) : mo_vertex_triangle_distance(r, a, b);
    for (int lane = 0; lane < LANES; ++lane) {
        distance[lane] = sqrtf(fmaxf(d.square[lane], 0));
        margin[lane] = MO_FEATURE_MARGIN * sqrtf(d.longest[lane]);
    }
}

/* Within the margin of the distance, hence no pair is missed. */
static void distances_are_within_the_margin(void **state)
{
    uint64_t random = 5;
    double worst = 0;
    (void)state;
    for (int round = 0; round < ROUNDS; ++round) {
        for (int kind = MO_VERTEX_TRIANGLE; kind <= MO_EDGE_EDGE; ++kind) {
            mo_vec3 x[LANES][4];
            float distance[LANES], margin[LANES];
            for (int lane = 0; lane < LANES; ++lane) {
                make_pair(&random, x[lane]);
            }
            measure((mo_pair_kind)kind, x, distance, margin);
            for (int lane = 0; lane < LANES; ++lane) {
                double exact = mo_proximity_of((mo_pair_kind)kind, x[lane]).distance;
                worst = fmax(worst, fabs(distance[lane] - exact) / margin[lane]);
            }
        }
    }
    assert_true(worst < 0.7); /* of the margin */
    assert_true(worst > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(distances_are_within_the_margin)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
