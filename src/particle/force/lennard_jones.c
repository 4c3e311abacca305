/*
 * The Lennard-Jones potential with any whole exponents n > m and its least value -e at the distance r0
 * (J. E. Jones 1924; in this form D. Tonnesen 1998, chapter 7):
 *     phi(r)  = e/(n - m) [ m (r0/r)^n - n (r0/r)^m ]
 *     phi'(r) = e n m/(n - m) [ (r0/r)^m - (r0/r)^n ]/r
 * It is zero at sigma = r0 (m/n)^(1/(n - m)). With n = 12 and m = 6 it is the usual
 * 4 e [ (sigma/r)^12 - (sigma/r)^6 ].
 *
 * What acts is U = w (phi - shift): the weight w is 1 below r_a, 0 above r_b and between them
 *     w(s) = 2 s^3 - 3 s^2 + 1,  s = (r - r_a)/(r_b - r_a),
 * and shift is phi(r_b) or nothing. The force is -U', weight included, so that energy is kept. With
 * r_a = r_b the potential is cut off, and a pair that crosses r_b gains or loses its value there.
 *
 * Below a distance r_low the force is held at -U'(r_low) and U goes on as a straight line. With `clip` that
 * is sigma; without, it is where (r0/r)^(n + 2) reaches 1e100, so that powers never overflow. Particles at
 * one point have no direction and no force.
 *
 * A pair is computed from both sides, in the same bits with opposite signs (see integrate/force.h). It costs
 * one division and one square root, four pairs at a time; powers are products, so there is no call of pow.
 */
#include "math/wide.h"
#include "neighbor/cell_list.h"
#include "particle/force/field.h"

/* Pairs evaluated at once. */
enum { LANES = 4 };

typedef struct lennard_jones {
    double e, r0, sigma, r_a, r_b;
    int64_t n, m;
    bool unlimited, shift, clip;
} lennard_jones;

static const mo_param PARAMS[] = {
    {"e", MO_REAL, MO_FIELD(lennard_jones, e), .unit = "J", .required = true, .range = "[0, inf)",
     .doc = "Depth of the potential: the energy that separates a pair."},
    {"r0", MO_REAL, MO_FIELD(lennard_jones, r0), .unit = "m", .range = "(0, inf)",
     .doc = "Distance at which a pair rests. Give this or sigma."},
    {"sigma", MO_REAL, MO_FIELD(lennard_jones, sigma), .unit = "m", .range = "(0, inf)",
     .doc = "Distance at which the potential is zero, r0 (m/n)^(1/(n - m))."},
    {"n", MO_INT, MO_FIELD(lennard_jones, n), .initial = "12", .range = "[2, 100]",
     .doc = "Exponent of the repulsion."},
    {"m", MO_INT, MO_FIELD(lennard_jones, m), .initial = "6", .range = "[1, 99]",
     .doc = "Exponent of the attraction, below n."},
    {"r_a", MO_REAL, MO_FIELD(lennard_jones, r_a), .unit = "m", .range = "(0, inf)",
     .doc = "Where the potential begins to fade out smoothly; absent: at r_b, which cuts it off."},
    {"r_b", MO_REAL, MO_FIELD(lennard_jones, r_b), .unit = "m", .range = "(0, inf)",
     .doc = "Where the potential ends; absent: at 2.5 sigma."},
    {"unlimited", MO_BOOL, MO_FIELD(lennard_jones, unlimited), .initial = "false",
     .doc =
         "All pairs act however far apart, which takes a time that grows with the square of their number."},
    {"shift", MO_BOOL, MO_FIELD(lennard_jones, shift), .initial = "false",
     .doc = "Subtract the potential at r_b, so that a cut-off potential has no jump."},
    {"clip", MO_BOOL, MO_FIELD(lennard_jones, clip), .initial = "false",
     .doc = "Hold the force below sigma at its value there."},
    {0}};

/* What is computed with. U = w (repulsion q^n - attraction q^m - shift), q = r0/r. */
typedef struct pair_potential {
    int64_t n, m;
    double r0, repulsion, attraction, slope, shift;
    double r_low, r_a, inverse_span; /* 1/(r_b - r_a); 0: no weight */
    double range;                    /* infinite: all pairs */
    mo_neighbor_lists lists;
} pair_potential;

/* ---- the potential ---- */

/* By squaring: the compiler sees the same few products in all lanes. */
MO_INLINE mo_d4 power(mo_d4 q, int64_t exponent)
{
    mo_d4 product = mo_d4_set(1);
    for (; exponent; exponent >>= 1, q *= q) {
        if (exponent & 1) {
            product *= q;
        }
    }
    return product;
}

/* a^(1/k) for 0 < a <= 1, by Newton's method on y^k = a from above: it comes down until rounding stops it.
   Unlike pow it is the same bits everywhere. */
static double root(double a, int64_t k)
{
    double y = 1, next = 1;
    do {
        y = next;
        double p = power(mo_d4_set(y), k - 1)[0];
        next = y - (y * p - a) / ((double)k * p);
    } while (next < y);
    return y;
}

/* What a comparison of four numbers gives. */
typedef int64_t mask __attribute__((vector_size(32)));

MO_INLINE mo_d4 choose(mask condition, mo_d4 a, mo_d4 b)
{
    return (mo_d4)((condition & (mask)a) | (~condition & (mask)b));
}

/* The weight and its first and second derivative. */
MO_INLINE void weigh(const pair_potential *p, mo_d4 r, mo_d4 w[3])
{
    mo_d4 zero = mo_d4_set(0), one = mo_d4_set(1), k = mo_d4_set(p->inverse_span);
    mo_d4 s = (r - p->r_a) * k;
    mask fading = (mask)(s > zero);
    s = choose((mask)(s < one), choose(fading, s, zero), one);
    w[0] = 1 + s * s * (2 * s - 3);
    w[1] = 6 * s * (s - 1) * k;
    w[2] = choose(fading, (12 * s - 6) * k * k, zero);
}

/* U, U'/r and U'' of four pairs. */
typedef struct curve {
    mo_d4 value, slope_over_r, second;
} curve;

MO_INLINE curve curve_at(const pair_potential *p, mo_d4 square)
{
    static const double TINY = 1e-280; /* keeps 0/0 away from pairs at one point: their vector is 0 */
    mo_d4 r = mo_d4_sqrt(square + TINY), low = mo_d4_set(p->r_low);
    mask free = (mask)(r > low);
    mo_d4 held = choose(free, r, low), inverses = 1 / (r * held), inverse = inverses * r;
    mo_d4 q = p->r0 * inverse, qm = power(q, p->m);
    mo_d4 qn = qm * (p->n == 2 * p->m ? qm : power(q, p->n - p->m));
    mo_d4 phi = p->repulsion * qn - p->attraction * qm - p->shift;
    mo_d4 phi1 = p->slope * (qm - qn) * inverse;
    mo_d4 phi2 = p->slope * ((double)(p->n + 1) * qn - (double)(p->m + 1) * qm) * inverse * inverse;
    mo_d4 w[3];
    weigh(p, held, w);
    mo_d4 u1 = w[0] * phi1 + w[1] * phi, u2 = w[0] * phi2 + 2 * w[1] * phi1 + w[2] * phi;
    return (curve){w[0] * phi + u1 * (r - held), u1 * (inverses * held), choose(free, u2, mo_d4_set(0))};
}

/* ---- making it ---- */

static double rest_distance(const lennard_jones *p)
{
    return isnan(p->r0) ? p->sigma / root((double)p->m / (double)p->n, p->n - p->m) : p->r0;
}

static double zero_distance(const lennard_jones *p)
{
    return isnan(p->r0) ? p->sigma : p->r0 * root((double)p->m / (double)p->n, p->n - p->m);
}

static double end_of(const lennard_jones *p)
{
    return p->unlimited ? (double)INFINITY : isnan(p->r_b) ? 2.5 * zero_distance(p) : p->r_b;
}

static mote_status check(const void *params, mote_error *error)
{
    const lennard_jones *p = params;
    if (isnan(p->r0) == isnan(p->sigma)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "r0: give exactly one of r0 (the distance at rest) and sigma (where the "
                       "potential is zero)");
    }
    if (p->m >= p->n) {
        return mo_fail(error, MOTE_ERROR_INPUT, "m: %lld must be below n, which is %lld", (long long)p->m,
                       (long long)p->n);
    }
    if (p->unlimited && !(isnan(p->r_a) && isnan(p->r_b) && !p->shift)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "unlimited: it leaves r_a, r_b and shift without a meaning");
    }
    if (p->r_a > end_of(p)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "r_a: %g must not be above r_b, which is %g", p->r_a,
                       end_of(p));
    }
    if (p->clip && zero_distance(p) >= end_of(p)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "clip: r_b, which is %g, must be above sigma, which is %g",
                       end_of(p), zero_distance(p));
    }
    return MOTE_OK;
}

static void set_potential(pair_potential *q, const lennard_jones *p)
{
    double r_b = end_of(p), r_a = isnan(p->r_a) ? r_b : p->r_a, step = (double)(p->n - p->m);
    q->n = p->n;
    q->m = p->m;
    q->r0 = rest_distance(p);
    q->repulsion = p->e * (double)p->m / step;
    q->attraction = p->e * (double)p->n / step;
    q->slope = p->e * (double)(p->n * p->m) / step;
    q->r_low = p->clip ? zero_distance(p) : q->r0 * root(1e-100, p->n + 2);
    q->range = r_b;
    if (p->shift) {
        q->shift = curve_at(q, mo_d4_set(r_b * r_b)).value[0]; /* not weighted, not shifted as yet */
    }
    if (r_a < r_b) {
        q->r_a = r_a;
        q->inverse_span = 1 / (r_b - r_a);
    }
}

static mote_status create(const void *params, mo_store *store, mo_memory *memory, void **instance,
                          mote_error *error)
{
    pair_potential *p = mo_allocate(memory, sizeof *p);
    (void)store;
    if (!p) {
        return mo_fail_memory(error, sizeof *p);
    }
    mo_neighbor_lists_init(&p->lists, memory);
    set_potential(p, params);
    *instance = p;
    return MOTE_OK;
}

static void destroy(void *instance, mo_memory *memory)
{
    pair_potential *p = instance;
    mo_neighbor_lists_release(&p->lists);
    mo_release(memory, p);
}

static mote_status prepare(void *instance, const mo_force_args *args, mo_pool *pool, mote_error *error)
{
    pair_potential *p = instance;
    return isinf(p->range) ? MOTE_OK
                           : mo_neighbor_lists_build(&p->lists, pool, args->rows, args->x, p->range, error);
}

/* ---- going through the pairs ---- */

/* The pairs of a row, [0, count); with all others and itself when unlimited. */
typedef struct pairs {
    int64_t row, count;
    const int32_t *neighbor; /* NULL: pair k is with row k */
    mo_d4 x, y, z;           /* of the row */
} pairs;

MO_INLINE pairs pairs_of(const pair_potential *p, const mo_force_args *args, int64_t row)
{
    const double *x = args->x + 3 * row;
    pairs all = {row, args->rows, NULL, mo_d4_set(x[0]), mo_d4_set(x[1]), mo_d4_set(x[2])};
    if (!isinf(p->range)) {
        all.count = p->lists.start[row + 1] - p->lists.start[row];
        all.neighbor = p->lists.index + p->lists.start[row];
    }
    return all;
}

/* The second particles of four pairs, and where they are seen from the first. What is missing at the end is
   filled up with the row itself, from which it feels nothing. */
typedef struct batch {
    int32_t other[LANES];
    mo_d4 dx, dy, dz, square;
} batch;

static void fill_up(const pairs *all, int64_t k, int32_t other[LANES])
{
    for (int lane = 0; lane < LANES; ++lane) {
        int64_t at = k + lane;
        other[lane] = (int32_t)(at >= all->count ? all->row : all->neighbor ? all->neighbor[at] : at);
    }
}

MO_INLINE batch load_batch(const pairs *all, const double *x, int64_t k)
{
    batch b;
    mo_d4 xj, yj, zj;
    if (all->neighbor && k + LANES <= all->count) {
        memcpy(b.other, all->neighbor + k, sizeof b.other);
    } else {
        fill_up(all, k, b.other);
    }
    mo_d4_load3(x, b.other, &xj, &yj, &zj);
    b.dx = xj - all->x;
    b.dy = yj - all->y;
    b.dz = zj - all->z;
    b.square = b.dx * b.dx + b.dy * b.dy + b.dz * b.dz;
    return b;
}

static inline double sum_of_lanes(mo_d4 a)
{
    return (a[0] + a[1]) + (a[2] + a[3]);
}

static void add(const void *instance, const mo_force_args *args, int64_t first, int64_t last)
{
    const pair_potential *p = instance;
    for (int64_t row = first; row < last; ++row) {
        pairs all = pairs_of(p, args, row);
        mo_d4 fx = mo_d4_set(0), fy = fx, fz = fx;
        for (int64_t k = 0; k < all.count; k += LANES) {
            batch b = load_batch(&all, args->x, k);
            mo_d4 pull = curve_at(p, b.square).slope_over_r;
            fx += pull * b.dx;
            fy += pull * b.dy;
            fz += pull * b.dz;
        }
        args->f[3 * row] += sum_of_lanes(fx);
        args->f[3 * row + 1] += sum_of_lanes(fy);
        args->f[3 * row + 2] += sum_of_lanes(fz);
    }
}

/* Half of each pair belongs to each of its particles. */
static double energy(const void *instance, const mo_force_args *args, int64_t first, int64_t last)
{
    const pair_potential *p = instance;
    double sum = 0;
    for (int64_t row = first; row < last; ++row) {
        pairs all = pairs_of(p, args, row);
        for (int64_t k = 0; k < all.count; k += LANES) {
            batch b = load_batch(&all, args->x, k);
            mo_d4 value = curve_at(p, b.square).value;
            for (int lane = 0; lane < LANES; ++lane) {
                sum += b.other[lane] == row ? 0 : 0.5 * value[lane];
            }
        }
    }
    return sum;
}

/* A pair's df/dx is K = U'' n n' + U'/r (1 - n n') in the other particle's columns and -K in the row's own. */
static void bound_pair(mo_vec3 d, double along, double across, double bound[3])
{
    mo_vec3 unit = mo_unit(d, mo_vec3_make(0, 0, 0));
    const double n[3] = {unit.x, unit.y, unit.z};
    for (int c = 0; c < 3; ++c) {
        for (int k = 0; k < 3; ++k) {
            bound[c] += 2 * fabs((along - across) * n[c] * n[k] + (c == k ? across : 0));
        }
    }
}

static void stiffness(const void *instance, const mo_force_args *args, int64_t first, int64_t last,
                      double *bound)
{
    const pair_potential *p = instance;
    for (int64_t row = first; row < last; ++row) {
        pairs all = pairs_of(p, args, row);
        for (int64_t k = 0; k < all.count; k += LANES) {
            batch b = load_batch(&all, args->x, k);
            curve u = curve_at(p, b.square);
            for (int lane = 0; lane < LANES; ++lane) {
                if (b.other[lane] != row) {
                    bound_pair(mo_vec3_make(b.dx[lane], b.dy[lane], b.dz[lane]), u.second[lane],
                               u.slope_over_r[lane], bound + 3 * row);
                }
            }
        }
    }
}

const mo_field_type mo_field_lennard_jones = {
    .base = {.name = "lennard_jones",
             .summary = "Lennard-Jones potential of whole exponents between all particles within a range.",
             .citation = "J. E. Jones 1924, Proc. R. Soc. A 106, 463; D. Tonnesen 1998, chapter 7",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(lennard_jones),
             .params = PARAMS,
             .check = check},
    .create = create,
    .destroy = destroy,
    .prepare = prepare,
    .add = add,
    .energy = energy,
    .stiffness = stiffness,
};
