#include "geometry/simplex/proximity.h"

#include "geometry/simplex/nearest.h"

enum { STEPS_MOST = 512, ROUNDS = 2 };

/* Advancement ends where this part of the initial gap is left. */
static const double LEFT = 0.2;
/* Part of a safe step that is taken: distances and speeds are rounded. */
static const double SAFE = 1 - 1e-9;
/* Squared sine of the angle of edges that are treated as parallel. */
static const double PARALLEL = 1e-8;

static mo_vec3 difference(const mo_vec3 x[4], const double weight[4])
{
    /* relative to x[0], since the sum of the weights is 0 */
    mo_vec3 sum = {0, 0, 0};
    for (int k = 1; k < 4; ++k) {
        sum = mo_add_scaled(sum, weight[k], mo_sub(x[k], x[0]));
    }
    return sum;
}

/* ---- two edges ---- */

typedef struct edges {
    mo_vec3 a, b, r; /* directions, and from the start of the second to that of the first */
} edges;

static double square_at(const edges *e, double s, double t)
{
    mo_vec3 c = mo_add_scaled(mo_add_scaled(e->r, s, e->a), -t, e->b);
    return mo_dot(c, c);
}

static double clamp(double t)
{
    return t > 0 ? (t < 1 ? t : 1) : 0; /* NaN: 0 */
}

/* The parameter of the point of the second edge nearest to s of the first, and vice versa. */
static double onto_second(const edges *e, double s)
{
    double bb = mo_dot(e->b, e->b);
    return bb > 0 ? clamp(mo_dot(mo_add_scaled(e->r, s, e->a), e->b) / bb) : 0;
}

static double onto_first(const edges *e, double t)
{
    double aa = mo_dot(e->a, e->a);
    return aa > 0 ? clamp(mo_dot(mo_add_scaled(mo_scale(t, e->b), -1, e->r), e->a) / aa) : 0;
}

static void set_weights(double s, double t, double weight[4])
{
    weight[0] = 1 - s;
    weight[1] = s;
    weight[2] = -(1 - t);
    weight[3] = -t;
}

/* Nearly parallel edges: the nearest of five candidates, the point s improved by projections
 * between the edges, and the four ends. */
static void parallel_edges(const edges *own, double s, double weight[4])
{
    edges e = *own;
    double t = onto_second(&e, s);
    for (int round = 0; round < ROUNDS; ++round) {
        s = onto_first(&e, t);
        t = onto_second(&e, s);
    }
    double best = square_at(&e, s, t);
    const double try_s[4] = {0, 1, onto_first(&e, 0), onto_first(&e, 1)},
                 try_t[4] = {onto_second(&e, 0), onto_second(&e, 1), 0, 1};
    for (int k = 0; k < 4; ++k) {
        double square = square_at(&e, try_s[k], try_t[k]);
        if (square < best) {
            best = square;
            s = try_s[k];
            t = try_t[k];
        }
    }
    set_weights(s, t, weight);
}

/* The point of the first edge nearest to the second's line, then its nearest point of the second
 * edge, and, if that is an end, the point of the first nearest to it. */
static void edge_edge(const mo_vec3 x[4], double weight[4])
{
    edges e = {mo_sub(x[1], x[0]), mo_sub(x[3], x[2]), mo_sub(x[0], x[2])};
    double aa = mo_dot(e.a, e.a), bb = mo_dot(e.b, e.b), ab = mo_dot(e.a, e.b);
    double ar = mo_dot(e.a, e.r), br = mo_dot(e.b, e.r), det = aa * bb - ab * ab;
    double s = det > 0 ? clamp((ab * br - bb * ar) / det) : 0.5;
    if (!(det > PARALLEL * aa * bb)) {
        parallel_edges(&e, s, weight);
        return;
    }
    double t = (ab * s + br) / bb;
    if (t < 0 || t > 1) {
        t = t < 0 ? 0 : 1;
        s = clamp((ab * t - ar) / aa);
    }
    set_weights(s, t, weight);
}

mo_proximity mo_proximity_of(mo_pair_kind kind, const mo_vec3 x[4])
{
    mo_proximity p;
    if (kind == MO_EDGE_EDGE) {
        edge_edge(x, p.weight);
    } else {
        double w[3];
        mo_triangle_nearest_weights(x + 1, x[0], w);
        p.weight[0] = 1;
        for (int k = 0; k < 3; ++k) {
            p.weight[1 + k] = -w[k];
        }
    }
    mo_vec3 c = difference(x, p.weight);
    p.distance = mo_length(c);
    p.normal = p.distance > 0 ? mo_scale(1 / p.distance, c) : (mo_vec3){0, 0, 0};
    return p;
}

/* ---- advancement ---- */

/* Displacements relative to their mean; returns l_0 + l_1. */
static double relative_motion(mo_pair_kind kind, const mo_vec3 d[4], mo_vec3 u[4])
{
    mo_vec3 mean = mo_scale(0.25, mo_add(mo_add(d[0], d[1]), mo_add(d[2], d[3])));
    double most[2] = {0, 0};
    int split = kind == MO_EDGE_EDGE ? 2 : 1;
    for (int k = 0; k < 4; ++k) {
        u[k] = mo_sub(d[k], mean);
        most[k >= split] = fmax(most[k >= split], mo_length(u[k]));
    }
    return most[0] + most[1];
}

double mo_proximity_advance(mo_pair_kind kind, const mo_vec3 x[4], const mo_vec3 d[4],
                            double separation)
{
    mo_vec3 u[4], at[4];
    double reach = relative_motion(kind, d, u), time = 0;
    if (reach == 0) {
        return 1;
    }
    double gap = mo_proximity_of(kind, x).distance - separation, end = LEFT * gap;
    for (int step = 0; step < STEPS_MOST; ++step) {
        if (!(gap > 0) || (step > 0 && gap <= end)) {
            return time;
        }
        double safe = SAFE * (gap - 0.5 * end) / reach;
        if (time + safe >= 1) {
            return 1;
        }
        time += safe;
        for (int k = 0; k < 4; ++k) {
            at[k] = mo_add_scaled(mo_sub(x[k], x[0]), time, u[k]);
        }
        gap = mo_proximity_of(kind, at).distance - separation;
    }
    return time;
}
