/*
 * Lennard-Jones between all particles within a range; the potential itself is in
 * lennard_jones_curve.h.
 *
 * Species: with a scene's `species`, depth and distance of a pair follow from its two species by a
 * mixing rule, or from `pairs`. sigma is mixed, not r0 (they are proportional):
 *     lorentz_berthelot  e = sqrt(e1 e2),  s = (s1 + s2)/2
 *     geometric          e = sqrt(e1 e2),  s = sqrt(s1 s2)
 *     sixth_power        e = 2 sqrt(e1 e2) s1^3 s2^3/(s1^6 + s2^6),  s^6 = (s1^6 + s2^6)/2
 * (Lorentz 1881, Berthelot 1898; Waldman, Hagler 1993). The force `heat` scales the depth of a pair
 * by the mean strength of its two particles.
 *
 * A pair is computed from both sides (see integrate/force.h). It costs one division, and one square
 * root unless the potential is plain: cut off, with even exponents, between one species.
 */
#include "math/vec3.h"
#include "neighbor/search.h"
#include "particle/force/field.h"
#include "particle/force/lennard_jones_curve.h"
#include "particle/force/pair_jacobian.h"
#include "particle/pair/pair.h"
#include "particle/pair/pair_values.h"

#include <math.h>
#include <string.h>

/* Pairs evaluated at once. */
enum { LANES = 4 };

typedef struct lennard_jones {
    double e, r0, sigma, r_a, r_b;
    int64_t n, m;
    bool unlimited, shift, clip;
    const char *mixing;
    mo_list pairs; /* mo_method */
} lennard_jones;

static const mo_param PARAMS[] = {
    {"e", MO_REAL, MO_FIELD(lennard_jones, e), .unit = "J", .range = "[0, inf)",
     .doc =
         "Depth of the potential well, the binding energy of a pair. Default: from the species."},
    {"r0", MO_REAL, MO_FIELD(lennard_jones, r0), .unit = "m", .range = "(0, inf)",
     .doc = "Equilibrium distance of a pair. Give this or sigma; default: from the species."},
    {"sigma", MO_REAL, MO_FIELD(lennard_jones, sigma), .unit = "m", .range = "(0, inf)",
     .doc = "Distance at which the potential is zero, r0 (m/n)^(1/(n - m))."},
    {"n", MO_INT, MO_FIELD(lennard_jones, n), .initial = "12", .range = "[2, 100]",
     .doc = "Exponent of the repulsion."},
    {"m", MO_INT, MO_FIELD(lennard_jones, m), .initial = "6", .range = "[1, 99]",
     .doc = "Exponent of the attraction, below n."},
    {"r_a", MO_REAL, MO_FIELD(lennard_jones, r_a), .unit = "m", .range = "(0, inf)",
     .doc = "Distance at which smooth switching to zero begins; default: r_b (plain truncation)."},
    {"r_b", MO_REAL, MO_FIELD(lennard_jones, r_b), .unit = "m", .range = "(0, inf)",
     .doc = "Cutoff distance; default: 2.5 sigma."},
    {"unlimited", MO_BOOL, MO_FIELD(lennard_jones, unlimited), .initial = "false",
     .doc = "No cutoff: all pairs interact, at a cost quadratic in the number of particles."},
    {"shift", MO_BOOL, MO_FIELD(lennard_jones, shift), .initial = "false",
     .doc = "Shift the potential by its value at r_b, so that truncation leaves it continuous."},
    {"clip", MO_BOOL, MO_FIELD(lennard_jones, clip), .initial = "false",
     .doc = "Clamp the force below sigma to its value at sigma."},
    {"mixing", MO_STRING, MO_FIELD(lennard_jones, mixing), .initial = "\"lorentz_berthelot\"",
     .choices = "lorentz_berthelot|geometric|sixth_power",
     .doc = "Mixing rule of the parameters of two species."},
    {"pairs", MO_METHOD, .list = true, MO_FIELD(lennard_jones, pairs), .initial = "[]",
     .family = &mo_pair_family,
     .doc = "Parameters of pairs of species that override the mixing "
            "rule."},
    {0}};

typedef struct pair_force {
    int64_t n, m;
    bool plain;
    int64_t kinds; /* species; the potential between i and j is table[i kinds + j] */
    mo_lj_pair *table;
    double range; /* infinite: all pairs */
    mo_store *store;
    const mo_column *species, *strength; /* NULL: all equal */
    mo_pair_values values;               /* of an evaluation: positions and strengths */
    mo_memory *memory;
} pair_force;

/* ---- creation ---- */

/* a^(1/k) for 0 < a <= 1, by Newton's method on y^k = a from above: it decreases until rounding
 * stops it. Unlike pow it is bitwise reproducible. */
static double root(double a, int64_t k)
{
    double y = 1, next = 1;
    do {
        y = next;
        double p = mo_lj_power(mo_d4_set(y), k - 1)[0];
        next = y - (y * p - a) / ((double)k * p);
    } while (next < y);
    return y;
}

/* sigma/r0 */
static double sigma_over_r0(const lennard_jones *p)
{
    return root((double)p->m / (double)p->n, p->n - p->m);
}

/* Parameters of a species: depth, and the distance where the potential is zero. */
typedef struct well {
    double e, sigma;
} well;

static well well_of(const lennard_jones *p, double e, double r0, double sigma)
{
    return (well){e, isnan(sigma) ? r0 * sigma_over_r0(p) : sigma};
}

static double end_of(const lennard_jones *p, well w)
{
    return p->unlimited ? (double)INFINITY : isnan(p->r_b) ? 2.5 * w.sigma : p->r_b;
}

static mote_status check_well(const lennard_jones *p, well w, mote_error *error)
{
    double end = end_of(p, w);
    MO_TRY(mo_search_check_radius(w.sigma, "sigma: ", error));
    if (!p->unlimited) {
        MO_TRY(mo_search_check_radius(end, "r_b: ", error));
    }
    if (p->r_a > end) {
        return mo_fail(error, MOTE_ERROR_INPUT, "r_a: %g must not exceed r_b, which is %g", p->r_a,
                       end);
    }
    if (p->clip && w.sigma >= end) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "clip: r_b, which is %g, must be above sigma, which is %g", end, w.sigma);
    }
    return MOTE_OK;
}

static mote_status lennard_jones_check(const void *params, mote_error *error)
{
    const lennard_jones *p = params;
    if (!isnan(p->r0) && !isnan(p->sigma)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "r0: give exactly one of r0 (the equilibrium distance) and sigma (where the "
                       "potential is zero)");
    }
    if (isnan(p->e) != (isnan(p->r0) && isnan(p->sigma))) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "%s: give e and one of r0 and sigma, or none of them to use the species' values",
            isnan(p->e) ? "e" : "r0");
    }
    if (p->m >= p->n) {
        return mo_fail(error, MOTE_ERROR_INPUT, "m: %lld must be below n, which is %lld",
                       (long long)p->m, (long long)p->n);
    }
    if (p->unlimited && !(isnan(p->r_a) && isnan(p->r_b) && !p->shift)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "unlimited: r_a, r_b and shift have no effect beside it");
    }
    return isnan(p->e) ? MOTE_OK : check_well(p, well_of(p, p->e, p->r0, p->sigma), error);
}

static mo_lj_pair pair_of(const lennard_jones *p, well w)
{
    double end = end_of(p, w), r_a = isnan(p->r_a) ? end : p->r_a, step = (double)(p->n - p->m);
    mo_lj_pair q = {.r0 = w.sigma / sigma_over_r0(p)};
    q.repulsion = w.e * (double)p->m / step;
    q.attraction = w.e * (double)p->n / step;
    q.slope = w.e * (double)(p->n * p->m) / step;
    q.r_low = p->clip ? w.sigma : q.r0 * root(1e-100, p->n + 2);
    q.end = end * end;
    if (p->shift) {
        mo_lj_pairs four = mo_lj_same(&q); /* without weighting and shift yet */
        q.shift = mo_lj_curve_at(&four, p->n, p->m, mo_d4_set(q.end)).value[0];
    }
    if (r_a < end) {
        q.r_a = r_a;
        q.inverse_span = 1 / (end - r_a);
    }
    return q;
}

static well mix(const char *rule, well a, well b)
{
    double depth = sqrt(a.e * b.e);
    if (rule[0] == 'l') {
        return (well){depth, 0.5 * (a.sigma + b.sigma)};
    }
    if (rule[0] == 'g') {
        return (well){depth, sqrt(a.sigma * b.sigma)};
    }
    double larger = a.sigma > b.sigma ? a.sigma : b.sigma, smaller = a.sigma + b.sigma - larger;
    double s = smaller / larger, cube = s * s * s, sum = 1 + cube * cube;
    return (well){2 * depth * cube / sum, larger * root(0.5 * sum, 6)};
}

/* The well of each species: parameters of this force, or the species' defaults. */
static mote_status find_wells(const lennard_jones *p, const mo_list *species, well *wells,
                              mote_error *error)
{
    const mo_species_def *s = species->items;
    bool own = !isnan(p->e);
    if (!own && species->count == 0) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "e: give e and one of r0 and sigma; there are no species in the scene to give them");
    }
    wells[0] = well_of(p, p->e, p->r0, p->sigma);
    for (int64_t k = 0; k < species->count; ++k) {
        if (!own && (isnan(s[k].e) || (isnan(s[k].r0) && isnan(s[k].sigma)))) {
            return mo_fail(
                error, MOTE_ERROR_INPUT,
                "e: neither this force nor the species '%s' gives e and one of r0 and sigma",
                s[k].name);
        }
        wells[k] = own ? wells[0] : well_of(p, s[k].e, s[k].r0, s[k].sigma);
    }
    return MOTE_OK;
}

static mote_status set_pair(pair_force *f, const lennard_jones *p, int64_t i, int64_t j, well w,
                            mote_error *error)
{
    MO_TRY(check_well(p, w, error));
    f->table[i * f->kinds + j] = f->table[j * f->kinds + i] = pair_of(p, w);
    return MOTE_OK;
}

static mote_status fill_table(pair_force *f, const lennard_jones *p, const mo_list *species,
                              mote_error *error)
{
    well wells[MO_SPECIES_MAX];
    bool given[MO_SPECIES_MAX][MO_SPECIES_MAX] = {{false}};
    const mo_method *pairs = p->pairs.items;
    MO_TRY(find_wells(p, species, wells, error));
    for (int64_t i = 0; i < f->kinds; ++i) {
        for (int64_t j = 0; j <= i; ++j) {
            well w = i == j || !isnan(p->e) ? wells[i] : mix(p->mixing, wells[i], wells[j]);
            MO_TRY(set_pair(f, p, i, j, w, error));
        }
    }
    for (int64_t k = 0; k < p->pairs.count; ++k) {
        const mo_pair_def *pair = pairs[k].params;
        const mo_reference *between = pair->between.items;
        int64_t i = between[0].index, j = between[pair->between.count - 1].index;
        if (given[i][j]) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "pairs[%lld]: the pair of '%s' and '%s' is given twice", (long long)k,
                           between[0].name, between[pair->between.count - 1].name);
        }
        given[i][j] = given[j][i] = true;
        MO_TRY(set_pair(f, p, i, j, well_of(p, pair->e, pair->r0, pair->sigma), error));
    }
    return MOTE_OK;
}

/* No square root is needed if the exponents are even, without switching and clamping. */
static bool is_plain(const pair_force *f, const lennard_jones *p)
{
    return f->kinds == 1 && f->n % 2 == 0 && f->m % 2 == 0 && !p->clip &&
           f->table[0].inverse_span == 0 && !p->unlimited;
}

static void lennard_jones_destroy(void *instance, mo_memory *memory)
{
    pair_force *f = instance;
    mo_pair_values_release(&f->values, memory);
    mo_release(memory, f->table);
    mo_release(memory, f);
}

static mote_status set_up(pair_force *f, const lennard_jones *p, const mo_force_context *context,
                          mote_error *error)
{
    void *table;
    f->n = p->n;
    f->m = p->m;
    f->kinds = context->species.count > 0 ? context->species.count : 1;
    f->store = context->store;
    f->memory = context->memory;
    MO_TRY(
        mo_allocate_array(context->memory, f->kinds * f->kinds, sizeof(mo_lj_pair), &table, error));
    f->table = table;
    MO_TRY(fill_table(f, p, &context->species, error));
    for (int64_t k = 0; k < f->kinds * f->kinds; ++k) {
        f->range = fmax(f->range, sqrt(f->table[k].end));
    }
    f->plain = is_plain(f, p);
    if (isinf(f->range) && mo_domain_periodic(&context->domain)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "unlimited: a periodic domain has infinitely many images; give r_b instead");
    }
    return MOTE_OK;
}

static mote_status lennard_jones_create(const void *params, const mo_force_context *context,
                                        mo_force *force, mote_error *error)
{
    pair_force *f = mo_allocate(context->memory, sizeof *f);
    if (!f) {
        return mo_fail_memory(error, sizeof *f);
    }
    mote_status status = set_up(f, params, context, error);
    if (status != MOTE_OK) {
        lennard_jones_destroy(f, context->memory);
        return status;
    }
    force->range = isinf(f->range) ? 0 : f->range;
    force->instance = f;
    return MOTE_OK;
}

/* Species and strengths are columns that may be declared after this force is created. */
static mote_status lennard_jones_prepare(void *instance, const mo_force_args *args, mo_pool *pool,
                                         mote_error *error)
{
    pair_force *f = instance;
    f->species = f->store && f->kinds > 1 ? mo_store_find(f->store, "species") : NULL;
    f->strength = f->store ? mo_store_find(f->store, "strength") : NULL;
    return f->strength && !isinf(f->range)
               ? mo_pair_values_fill(&f->values, args->pairs, mo_f64(f->strength), pool, f->memory,
                                     error)
               : MOTE_OK;
}

/* ---- pair loops ---- */

/* The pairs of a row, [0, count); with all others and itself when unlimited. */
typedef struct pairs {
    const pair_force *force;
    const mo_force_args *args;
    int64_t row, count;
    const int32_t *neighbor; /* indices; NULL: pair k is with row k */
    mo_d4 x, y, z;           /* of the row */
} pairs;

MO_INLINE pairs pairs_of(const pair_force *f, const mo_force_args *args, int64_t row)
{
    const mo_pairs *p = args->pairs;
    bool listed = !isinf(f->range);
    const double *x = (listed ? p->x : args->x) + 3 * row;
    pairs all = {f, args, row, args->rows, NULL, mo_d4_set(x[0]), mo_d4_set(x[1]), mo_d4_set(x[2])};
    if (listed) {
        all.count = p->count[row];
        all.neighbor = p->index + p->start[row];
    }
    return all;
}

/* Positions of the second particles of four pairs relative to the first. */
typedef struct batch {
    int32_t other[LANES]; /* rows */
    mo_d4 dx, dy, dz, square;
    mo_d4 strength; /* with strengths only */
} batch;

/* Incomplete batches are padded with the row itself, which gives zero force. */
static void fill_up(const pairs *all, int64_t k, int32_t other[LANES])
{
    for (int lane = 0; lane < LANES; ++lane) {
        other[lane] = (int32_t)(k + lane >= all->count ? all->row : k + lane);
    }
}

/* The particles in `rows` of the array x. */
MO_INLINE void load_rows(const pairs *all, const double *x, const int32_t rows[LANES], batch *b)
{
    mo_d4 xj, yj, zj;
    mo_d4_load3(x, rows, &xj, &yj, &zj);
    b->dx = xj - all->x;
    b->dy = yj - all->y;
    b->dz = zj - all->z;
    b->square = b->dx * b->dx + b->dy * b->dy + b->dz * b->dz;
}

/* Positions and strengths of four listed neighbours. */
MO_INLINE void load_values(const pairs *all, int64_t k, batch *b)
{
    mo_d4 xj, yj, zj;
    mo_pair_values_load(all->force->values.data, all->neighbor + k, &xj, &yj, &zj, &b->strength);
    b->dx = xj - all->x;
    b->dy = yj - all->y;
    b->dz = zj - all->z;
    b->square = b->dx * b->dx + b->dy * b->dy + b->dz * b->dz;
}

/* The strengths of all pairs, which have no lists. */
static mo_d4 strength_of_rows(const double *s, const int32_t rows[LANES])
{
    return (mo_d4){s[rows[0]], s[rows[1]], s[rows[2]], s[rows[3]]};
}

MO_INLINE void load_batch(const pairs *all, int64_t k, batch *b)
{
    const mo_column *strength = all->force->strength;
    b->strength = mo_d4_set(1);
    if (all->neighbor && strength) {
        load_values(all, k, b);
    } else if (all->neighbor) {
        load_rows(all, all->args->pairs->x, all->neighbor + k, b);
    } else {
        fill_up(all, k, b->other);
        load_rows(all, all->args->x, b->other, b);
        b->strength = strength ? strength_of_rows(mo_f64(strength), b->other) : b->strength;
    }
}

MO_INLINE void find_others(const pairs *all, int64_t k, batch *b)
{
    for (int lane = 0; lane < LANES && all->neighbor; ++lane) {
        b->other[lane] = mo_pairs_row(all->args->pairs, all->neighbor[k + lane]);
    }
}

/* The general potential of four pairs: any exponents, weights, species, strengths. */
MO_INLINE mo_lj_curve curve_of(const pairs *all, int64_t k, batch *b)
{
    const pair_force *f = all->force;
    mo_lj_pairs four;
    if (f->species) {
        find_others(all, k, b);
        const int32_t *species = f->species->data;
        int32_t kind[LANES];
        for (int lane = 0; lane < LANES; ++lane) {
            kind[lane] = species[all->row] * (int32_t)f->kinds + species[b->other[lane]];
        }
        four = mo_lj_gather(f->table, kind);
    } else {
        four = mo_lj_same(f->table);
    }
    mo_lj_curve u = mo_lj_curve_at(&four, f->n, f->m, b->square);
    if (f->strength) {
        mo_d4 mean = 0.5 * (mo_f64(f->strength)[all->row] + b->strength);
        u = (mo_lj_curve){mean * u.value, mean * u.slope_over_r, mean * u.second};
    }
    return u;
}

MO_INLINE double sum_of_lanes(mo_d4 a)
{
    return (a[0] + a[1]) + (a[2] + a[3]);
}

static void add_full(const pair_force *f, const mo_force_args *args, int64_t first, int64_t last)
{
    for (int64_t row = first; row < last; ++row) {
        pairs all = pairs_of(f, args, row);
        mo_d4 fx = mo_d4_set(0), fy = fx, fz = fx;
        for (int64_t k = 0; k < all.count; k += LANES) {
            batch b;
            load_batch(&all, k, &b);
            mo_d4 pull = curve_of(&all, k, &b).slope_over_r;
            fx += pull * b.dx;
            fy += pull * b.dy;
            fz += pull * b.dz;
        }
        args->f[3 * row] += sum_of_lanes(fx);
        args->f[3 * row + 1] += sum_of_lanes(fy);
        args->f[3 * row + 2] += sum_of_lanes(fz);
    }
}

/* One body, specialised at compile time for the exponents 12 and 6, and for others; with equal
 * strengths (`strength` NULL) or those of the particles. */
MO_INLINE void add_plain(const pair_force *f, const mo_force_args *args, int64_t n, int64_t m,
                         const double *strength, int64_t first, int64_t last)
{
    const mo_lj_pairs four = mo_lj_same(f->table);
    const double *x = args->pairs->x;
    for (int64_t row = first; row < last; ++row) {
        pairs all = pairs_of(f, args, row);
        mo_d4 fx = mo_d4_set(0), fy = fx, fz = fx;
        for (int64_t k = 0; k < all.count; k += LANES) {
            batch b;
            if (strength) {
                load_values(&all, k, &b);
            } else {
                load_rows(&all, x, all.neighbor + k, &b);
            }
            mo_d4 pull = mo_lj_plain_derivative(&four, n, m, b.square);
            pull = strength ? pull * (0.5 * (strength[row] + b.strength)) : pull;
            fx += pull * b.dx;
            fy += pull * b.dy;
            fz += pull * b.dz;
        }
        args->f[3 * row] += sum_of_lanes(fx);
        args->f[3 * row + 1] += sum_of_lanes(fy);
        args->f[3 * row + 2] += sum_of_lanes(fz);
    }
}

static void lennard_jones_add(const void *instance, const mo_force_args *args, int64_t first,
                              int64_t last)
{
    const pair_force *f = instance;
    const double *strength = f->strength ? mo_f64(f->strength) : NULL;
    if (!f->plain) {
        add_full(f, args, first, last);
    } else if (f->n != 12 || f->m != 6) {
        add_plain(f, args, f->n, f->m, strength, first, last);
    } else if (strength) {
        add_plain(f, args, 12, 6, strength, first, last);
    } else {
        add_plain(f, args, 12, 6, NULL, first, last);
    }
}

MO_INLINE double energy_plain(const pair_force *f, const mo_force_args *args, int64_t n, int64_t m,
                              int64_t first, int64_t last)
{
    const mo_lj_pairs four = mo_lj_same(f->table);
    double sum = 0;
    for (int64_t row = first; row < last; ++row) {
        pairs all = pairs_of(f, args, row);
        mo_d4 own = mo_d4_set(0);
        for (int64_t k = 0; k < all.count; k += LANES) {
            batch b;
            load_rows(&all, args->pairs->x, all.neighbor + k, &b);
            own += mo_lj_plain_value(&four, n, m, b.square);
        }
        sum += 0.5 * sum_of_lanes(own);
    }
    return sum;
}

static double energy_full(const pair_force *instance, const mo_force_args *args, int64_t first,
                          int64_t last)
{
    double sum = 0;
    for (int64_t row = first; row < last; ++row) {
        pairs all = pairs_of(instance, args, row);
        for (int64_t k = 0; k < all.count; k += LANES) {
            batch b;
            load_batch(&all, k, &b);
            sum += 0.5 * sum_of_lanes(curve_of(&all, k, &b).value);
        }
    }
    return sum;
}

/* Half of each pair belongs to each of its particles. */
static double lennard_jones_energy(const void *instance, const mo_force_args *args, int64_t first,
                                   int64_t last)
{
    const pair_force *f = instance;
    return !f->plain || f->strength  ? energy_full(f, args, first, last)
           : f->n == 12 && f->m == 6 ? energy_plain(f, args, 12, 6, first, last)
                                     : energy_plain(f, args, f->n, f->m, first, last);
}

/* Truncated potentials without a shift: the energy jump at the cutoff, for all pairs. */
static double lennard_jones_slack(const void *instance, const mo_force_args *args)
{
    const pair_force *f = instance;
    double jump = 0, count = 0;
    for (int64_t k = 0; k < f->kinds * f->kinds; ++k) {
        const mo_lj_pair *q = &f->table[k];
        mo_lj_pairs four = mo_lj_same(q);
        bool cut = q->inverse_span == 0 && isfinite(q->end);
        jump = cut ? fmax(jump, fabs(mo_lj_curve_at(&four, f->n, f->m, mo_d4_set(q->end)).value[0]))
                   : jump;
    }
    for (int64_t row = 0; row < args->rows && jump > 0; ++row) {
        count += 0.5 * args->pairs->count[row];
    }
    return jump * count;
}

/* r . f of the pairs, with f = -U'/r r: half for each particle. */
static double lennard_jones_virial(const void *instance, const mo_force_args *args, int64_t first,
                                   int64_t last)
{
    double sum = 0;
    for (int64_t row = first; row < last; ++row) {
        pairs all = pairs_of(instance, args, row);
        for (int64_t k = 0; k < all.count; k += LANES) {
            batch b;
            load_batch(&all, k, &b);
            sum -= 0.5 * sum_of_lanes(curve_of(&all, k, &b).slope_over_r * b.square);
        }
    }
    return sum;
}

/* A pair's df/dx is K = U'' n n' + U'/r (1 - n n') in the other particle's columns and -K in the
 * row's own. */
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

static void lennard_jones_stiffness(const void *instance, const mo_force_args *args, int64_t first,
                                    int64_t last, double *bound)
{
    for (int64_t row = first; row < last; ++row) {
        pairs all = pairs_of(instance, args, row);
        for (int64_t k = 0; k < all.count; k += LANES) {
            batch b;
            load_batch(&all, k, &b);
            mo_lj_curve u = curve_of(&all, k, &b);
            for (int lane = 0; lane < LANES; ++lane) {
                if (b.square[lane] > 0) {
                    bound_pair(mo_vec3_make(b.dx[lane], b.dy[lane], b.dz[lane]), u.second[lane],
                               u.slope_over_r[lane], bound + 3 * row);
                }
            }
        }
    }
}

/* ---- the Jacobian ---- */

/* The stiffness K of a pair; optionally projected to be positive semidefinite. */
static void pair_block(const batch *b, const mo_lj_curve *u, int lane, const mo_jacobian_ask *ask,
                       double k[9])
{
    mo_vec3 unit =
        mo_unit(mo_vec3_make(b->dx[lane], b->dy[lane], b->dz[lane]), mo_vec3_make(0, 0, 0));
    const double n[3] = {unit.x, unit.y, unit.z};
    double along = u->second[lane], across = u->slope_over_r[lane];
    if (ask->definite) {
        along = fmax(along, 0);
        across = fmax(across, 0);
    }
    for (int c = 0; c < 9; ++c) {
        k[c] = ask->along_x * ((along - across) * n[c % 3] * n[c / 3] + (c % 4 == 0 ? across : 0));
    }
}

static mote_status lennard_jones_couple(const void *instance, const mo_force_args *args,
                                        mo_memory *memory, mo_block_pattern *pattern,
                                        mote_error *error)
{
    const pair_force *f = instance;
    if (!isinf(f->range)) {
        return mo_pair_couple(args->pairs, memory, pattern, error);
    }
    for (int64_t i = 0; i < args->rows; ++i) {
        for (int64_t j = 0; j < i; ++j) {
            MO_TRY(mo_block_pattern_couple(memory, pattern, i, j, error));
        }
    }
    return MOTE_OK;
}

static void lennard_jones_fill(const void *instance, const mo_force_args *args,
                               const mo_jacobian_ask *ask, mo_block_matrix *matrix, int64_t first,
                               int64_t last)
{
    for (int64_t row = first; row < last && ask->along_x != 0; ++row) {
        pairs all = pairs_of(instance, args, row);
        for (int64_t k = 0; k < all.count; k += LANES) {
            batch b;
            load_batch(&all, k, &b);
            mo_lj_curve u = curve_of(&all, k, &b);
            find_others(&all, k, &b);
            for (int lane = 0; lane < LANES; ++lane) {
                double block[9];
                pair_block(&b, &u, lane, ask, block);
                mo_pair_fill(matrix, row, b.other[lane], block);
            }
        }
    }
}

static void lennard_jones_multiply(const void *instance, const mo_force_args *args,
                                   const mo_jacobian_ask *ask, const double *p, double *y,
                                   int64_t first, int64_t last)
{
    for (int64_t row = first; row < last && ask->along_x != 0; ++row) {
        pairs all = pairs_of(instance, args, row);
        for (int64_t k = 0; k < all.count; k += LANES) {
            batch b;
            load_batch(&all, k, &b);
            mo_lj_curve u = curve_of(&all, k, &b);
            find_others(&all, k, &b);
            for (int lane = 0; lane < LANES; ++lane) {
                double block[9];
                const double *q = p + 3 * (int64_t)b.other[lane], *own = p + 3 * row;
                pair_block(&b, &u, lane, ask, block);
                for (int n = 0; n < 9; ++n) {
                    y[3 * row + n % 3] += block[n] * (q[n / 3] - own[n / 3]);
                }
            }
        }
    }
}

static const mo_force_jacobian JACOBIAN = {
    .derivatives = MO_DF_DX,
    .couple = lennard_jones_couple,
    .fill = lennard_jones_fill,
    .multiply = lennard_jones_multiply,
};

const mo_force_type mo_field_lennard_jones = {
    .base = {.name = "lennard_jones",
             .summary =
                 "Generalised Lennard-Jones (Mie) potential with integer exponents and a cutoff.",
             .citation = "J. E. Jones 1924, Proc. R. Soc. A 106, 463; D. Tonnesen 1998, chapter 7",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(lennard_jones),
             .params = PARAMS,
             .check = lennard_jones_check},
    .create = lennard_jones_create,
    .destroy = lennard_jones_destroy,
    .prepare = lennard_jones_prepare,
    .add = lennard_jones_add,
    .row_energy = true,
    .energy = lennard_jones_energy,
    .virial = lennard_jones_virial,
    .slack = lennard_jones_slack,
    .stiffness = lennard_jones_stiffness,
    .jacobian = &JACOBIAN,
};
