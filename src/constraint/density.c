/*
 * Incompressibility of a fluid of particles (M. Macklin, M. Mueller 2013): C_i = sum_j V_j W_ij - 1
 * <= 0 for every particle i of the body, j over all rows of the system, of other fluids and of
 * solids too (M. Macklin et al. 2014, section 7.1), so that one loop solves fluids, cloth and
 * chunks. Fluid particles have the volume V = spacing^3, rows of solids V_j = 1/sum_k W_jk over
 * solids (N. Akinci et al. 2012, eq. 4). A collider closer than the support radius R adds the
 * integral of W over the half-space behind its tangent plane (D. Koschier, J. Bender 2017).
 *
 * All constraints are projected at once, with a relaxation factor:
 *     dl_i = omega (-C_i - a l_i)/(sum_k w_k |grad_k C_i|^2 + a),  l_i <= 0,
 *     x_k += w_k sum_i dl_i grad_k C_i,
 * with a = compliance/(V h^2). Linear momentum is conserved, since gradients of C_i sum to zero.
 *
 * Departs from the source: one kernel, that of H. Wendland (1995, C2), for densities and gradients,
 * normalised on the lattice; inequalities with accumulated multipliers instead of equalities with
 * an artificial pressure; no vorticity confinement. XSPH (eq. 17) is `viscosity`.
 */
#include "constraint/problem.h"
#include "neighbor/search.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 256, WALLS = 3 };

static const double PI = 3.14159265358979323846;
/* Lists are those of the predicted positions, and reach beyond the support by this factor. */
static const double MARGIN = 1.1;

extern const mo_constraint_type mo_constraint_density;

typedef struct density {
    mo_constraint_common common;
    double spacing, support, relaxation, viscosity;
} density;

static const mo_param PARAMS[] = {
    {"stiffness", MO_REAL, MO_FIELD(density, common.stiffness), .range = "[0, 1]",
     .doc = "Of pbd: fraction of the error that the iterations of a substep remove together; "
            "default 1."},
    {"compliance", MO_REAL, MO_FIELD(density, common.compliance), .unit = "1/Pa",
     .range = "[0, inf)", .doc = "Of xpbd: inverse bulk modulus; default 0, incompressible."},
    {"spacing", MO_REAL, MO_FIELD(density, spacing), .unit = "m", .range = "(0, inf)",
     .doc = "Edge of the cube that has the volume of a particle; default: the spacing of the "
            "mesh."},
    {"support", MO_REAL, MO_FIELD(density, support), .initial = "2", .range = "[1.5, 4]",
     .doc = "Support radius of the kernel, in spacings."},
    {"relaxation", MO_REAL, MO_FIELD(density, relaxation), .initial = "0.5", .range = "(0, 1]",
     .doc = "Relaxation factor of the simultaneous projections."},
    {"viscosity", MO_REAL, MO_FIELD(density, viscosity), .initial = "0.01", .range = "[0, 1]",
     .doc = "XSPH: share of the mean velocity of neighbours that a substep mixes in."},
    {0}};

/* A tangent plane of a collider: n . x - offset is the distance. */
typedef struct wall {
    mo_vec3 normal;
    double offset;
} wall;

typedef struct particles {
    int64_t first, count; /* rows of the fluid */
    double volume, support, norm;
    mo_search *search;
    mo_pairs pairs;
    int64_t x_capacity, value_capacity, lambda_capacity, change_capacity, gradient_capacity,
        wall_capacity, number_capacity;
    double *x;      /* positions of the search, three components per row */
    double *value;  /* volume of all rows */
    double *lambda; /* of all rows; 0 of others */
    double *change; /* of lambda */
    double *gradient;
    wall *walls;     /* WALLS of each row of the fluid */
    uint8_t *number; /* of them */
} particles;

/* ---- the kernel ---- */

static double kernel_factor(const particles *f)
{
    return 21 / (2 * PI * f->support * f->support * f->support) * f->norm;
}

static inline double kernel(const particles *f, double q)
{
    double u = 1 - q, u2 = u * u;
    return q < 1 ? kernel_factor(f) * u2 * u2 * (1 + 4 * q) : 0;
}

/* dW/dr / r */
static inline double kernel_slope(const particles *f, double q)
{
    double u = 1 - q;
    return q < 1 ? -20 * kernel_factor(f) / (f->support * f->support) * u * u * u : 0;
}

/* The integral of the kernel beyond a plane at the distance d, and its derivative. */
static double half_space(const particles *f, double d, double *slope)
{
    double q = fabs(d) / f->support, u = q < 1 ? 1 - q : 0, u5 = u * u * u * u * u;
    double beyond = 21 * u5 * u * (1.0 / 6 - u * 1.5 / 7 + u * u / 14);
    *slope = -21 / f->support * u5 * (1 - 1.5 * u + u * u * 4 / 7);
    return d < 0 ? 1 - beyond : beyond;
}

/* The inverse sum of V W over a simple cubic lattice. */
static double lattice_norm(const particles *f, double spacing)
{
    double sum = 0;
    int reach = (int)ceil(f->support / spacing);
    for (int i = -reach; i <= reach; ++i) {
        for (int j = -reach; j <= reach; ++j) {
            for (int k = -reach; k <= reach; ++k) {
                double r = spacing * sqrt((double)(i * i + j * j + k * k));
                sum += f->volume * kernel(f, r / f->support);
            }
        }
    }
    return 1 / sum;
}

/* ---- the set ---- */

static particles *particles_of(const mo_constraint_set *set)
{
    return set->data;
}

static void density_release(mo_constraint_set *set)
{
    particles *f = set->data;
    if (f->search) {
        mo_search_destroy(f->search);
    }
    mo_release(set->memory, f->x);
    mo_release(set->memory, f->value);
    mo_release(set->memory, f->lambda);
    mo_release(set->memory, f->change);
    mo_release(set->memory, f->gradient);
    mo_release(set->memory, f->walls);
    mo_release(set->memory, f->number);
}

static mote_status open_search(mo_constraint_set *set, mote_error *error)
{
    particles *f = set->data;
    int index;
    MO_TRY(mo_search_create((mo_method){0}, NULL, set->memory, &f->search, error));
    MO_TRY(mo_search_add_set(f->search, MARGIN * f->support, &index, error));
    return mo_search_ask(f->search, index, index, MO_LISTS_FULL, error);
}

static mote_status density_add(mo_constraint_set *set, const mo_mesh *mesh, mote_error *error)
{
    const density *p = set->params;
    double spacing = isnan(p->spacing) ? mesh->spacing : p->spacing;
    if (!(spacing > 0)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "spacing: its mesh has no spacing; give that of the particles");
    }
    particles *f = mo_allocate(set->memory, sizeof *f);
    if (!f) {
        return mo_fail_memory(error, sizeof *f);
    }
    set->data = f;
    f->first = set->first;
    f->count = mesh->node_count;
    f->volume = spacing * spacing * spacing;
    f->support = p->support * spacing;
    f->norm = 1;
    f->norm = lattice_norm(f, spacing);
    set->unilateral = -1;
    set->group_scale = 1;
    return open_search(set, error);
}

/* The rows of a fluid are contiguous and stay so. */
static mote_status density_remap(const mo_constraint_set *set, const int64_t *map, int64_t rows,
                                 mo_constraint_set *to, mote_error *error)
{
    const particles *from = particles_of(set);
    particles *f = mo_allocate(set->memory, sizeof *f);
    (void)rows;
    if (!f) {
        return mo_fail_memory(error, sizeof *f);
    }
    to->data = f;
    f->volume = from->volume;
    f->support = from->support;
    f->norm = from->norm;
    for (int64_t row = from->first + from->count - 1; row >= from->first; --row) {
        f->first = map[row] >= 0 ? map[row] : f->first;
        f->count += map[row] >= 0;
    }
    to->group_scale = set->group_scale;
    return open_search(to, error);
}

/* ---- a substep ---- */

static mote_status reserve(mo_constraint_set *set, int64_t rows, mote_error *error)
{
    particles *f = set->data;
    mo_memory *m = set->memory;
    size_t real = sizeof(double);
    MO_TRY(mo_reserve(m, &f->x, &f->x_capacity, 3 * rows + 1, real, error));
    MO_TRY(mo_reserve(m, &f->value, &f->value_capacity, rows, real, error));
    MO_TRY(mo_reserve(m, &f->lambda, &f->lambda_capacity, rows, real, error));
    MO_TRY(mo_reserve(m, &f->change, &f->change_capacity, rows, real, error));
    MO_TRY(mo_reserve(m, &f->gradient, &f->gradient_capacity, 3 * rows, real, error));
    MO_TRY(mo_reserve(m, &f->walls, &f->wall_capacity, WALLS * f->count, sizeof(wall), error));
    return mo_reserve(m, &f->number, &f->number_capacity, f->count, 1, error);
}

/* Tangent planes of the nearest colliders at the predicted position of particle k. */
static void find_walls(const particles *f, mo_colliders *colliders, const double *p, int64_t k)
{
    mo_vec3 x = mo_vec3_load(p + 4 * (f->first + k));
    f->number[k] = 0;
    for (int64_t c = 0; c < colliders->count && f->number[k] < WALLS; ++c) {
        mo_vec3 normal;
        double gap = mo_collider_gap(&colliders->list[c], x, &normal);
        if (colliders->list[c].projects && gap < MARGIN * f->support) {
            f->walls[WALLS * k + f->number[k]++] = (wall){normal, mo_dot(normal, x) - gap};
        }
    }
}

typedef struct beginning {
    const particles *f;
    const mo_constraint_problem *problem;
} beginning;

static void wall_range(void *context, int64_t first, int64_t last)
{
    const beginning *b = context;
    for (int64_t k = first; k < last; ++k) {
        find_walls(b->f, b->problem->colliders, b->problem->p, k);
    }
}

static double pair_q(const particles *f, const double *p, int stride, int64_t i, int64_t j)
{
    mo_vec3 d = mo_sub(mo_vec3_load(p + stride * i), mo_vec3_load(p + stride * j));
    return mo_length(d) / f->support;
}

/* Volumes of solids: rows with the volume 0 are not those of fluids yet. */
static void solid_range(void *context, int64_t first, int64_t last)
{
    const beginning *b = context;
    const particles *f = b->f;
    for (int64_t i = first; i < last; ++i) {
        if (f->value[i] > 0) {
            continue;
        }
        double sum = kernel(f, 0);
        const int32_t *list = f->pairs.index + f->pairs.start[i];
        for (int32_t n = 0; n < f->pairs.count[i]; ++n) {
            bool solid = list[n] != i && !(f->value[list[n]] > 0);
            sum += solid ? kernel(f, pair_q(f, f->x, 3, i, list[n])) : 0;
        }
        f->change[i] = 1 / sum;
    }
}

/* The volume of every row, by its kind. */
static void find_volumes(const particles *f, const mo_constraint_problem *problem)
{
    beginning b = {f, problem};
    memset(f->value, 0, (size_t)problem->rows * sizeof(double));
    memset(f->change, 0, (size_t)problem->rows * sizeof(double));
    for (int64_t s = 0; s < problem->set_count; ++s) {
        if (problem->sets[s].type == &mo_constraint_density) {
            const particles *other = particles_of(&problem->sets[s]);
            for (int64_t k = 0; k < other->count; ++k) {
                f->value[other->first + k] = other->volume;
            }
        }
    }
    mo_parallel_for(problem->pool, problem->rows, GRAIN, solid_range, &b);
    for (int64_t i = 0; i < problem->rows; ++i) {
        f->value[i] = f->value[i] > 0 ? f->value[i] : f->change[i];
    }
}

static mote_status density_begin(mo_constraint_set *set, const mo_constraint_problem *problem,
                                 mote_error *error)
{
    particles *f = set->data;
    beginning b = {f, problem};
    MO_TRY(reserve(set, problem->rows, error));
    for (int64_t row = 0; row < problem->rows; ++row) {
        memcpy(f->x + 3 * row, problem->p + 4 * row, 3 * sizeof(double));
    }
    mo_search_set points = {problem->rows, f->x};
    MO_TRY(mo_search_update(f->search, &points, problem->pool, NULL, error));
    f->pairs = mo_search_pairs(f->search, 0);
    find_volumes(f, problem);
    memset(f->lambda, 0, (size_t)problem->rows * sizeof(double));
    memset(f->change, 0, (size_t)problem->rows * sizeof(double));
    mo_parallel_for(problem->pool, f->count, GRAIN, wall_range, &b);
    return MOTE_OK;
}

/* C of particle k of the fluid, its gradient by its own position, and the sum of w |grad|^2. */
static double evaluate(const particles *f, const double *p, int64_t k, mo_vec3 *gradient,
                       double *mobility)
{
    int64_t i = f->first + k;
    mo_vec3 x = mo_vec3_load(p + 4 * i), g = {0, 0, 0};
    double sum = f->volume * kernel(f, 0), squares = 0;
    const int32_t *list = f->pairs.index + f->pairs.start[i];
    for (int32_t n = 0; n < f->pairs.count[i]; ++n) {
        int64_t j = list[n];
        mo_vec3 d = mo_sub(x, mo_vec3_load(p + 4 * j));
        double r2 = mo_dot(d, d), q = sqrt(r2) / f->support;
        double slope = j == i ? 0 : f->value[j] * kernel_slope(f, q);
        sum += j == i ? 0 : f->value[j] * kernel(f, q);
        g = mo_add_scaled(g, slope, d);
        squares += p[4 * j + 3] * slope * slope * r2;
    }
    for (int n = 0; n < f->number[k]; ++n) {
        const wall *w = &f->walls[WALLS * k + n];
        double slope;
        sum += half_space(f, mo_dot(w->normal, x) - w->offset, &slope);
        g = mo_add_scaled(g, slope, w->normal);
    }
    *gradient = g;
    *mobility = squares + p[4 * i + 3] * mo_dot(g, g);
    return sum - 1;
}

typedef struct sweeping {
    const particles *f;
    double *p;
    double a, factor;
} sweeping;

static void multiplier_range(void *context, int64_t first, int64_t last)
{
    const sweeping *s = context;
    const particles *f = s->f;
    for (int64_t k = first; k < last; ++k) {
        mo_vec3 g;
        double mobility, c = evaluate(f, s->p, k, &g, &mobility), *l = &f->lambda[f->first + k];
        double change = mobility > 0 ? s->factor * (-c - s->a * *l) / (mobility + s->a) : 0;
        change = fmin(*l + change, 0) - *l;
        *l += change;
        f->change[f->first + k] = change;
        mo_vec3_store(f->gradient + 3 * (f->first + k), g);
    }
}

static void move_range(void *context, int64_t first, int64_t last)
{
    const sweeping *s = context;
    const particles *f = s->f;
    for (int64_t i = first; i < last; ++i) {
        mo_vec3 x = mo_vec3_load(f->x + 3 * i), move = {0, 0, 0};
        const int32_t *list = f->pairs.index + f->pairs.start[i];
        for (int32_t n = 0; n < f->pairs.count[i]; ++n) {
            int64_t j = list[n];
            if (j != i && f->change[j] != 0) {
                mo_vec3 d = mo_sub(x, mo_vec3_load(f->x + 3 * j));
                double slope = f->value[i] * kernel_slope(f, mo_length(d) / f->support);
                move = mo_add_scaled(move, f->change[j] * slope, d);
            }
        }
        if (f->change[i] != 0) {
            move = mo_add_scaled(move, f->change[i], mo_vec3_load(f->gradient + 3 * i));
        }
        double *p = s->p + 4 * i;
        mo_vec3_store(p, mo_add_scaled(mo_vec3_load(p), p[3], move));
    }
}

/* Copies the positions, which move_range reads while it writes. */
static void copy_range(void *context, int64_t first, int64_t last)
{
    const sweeping *s = context;
    for (int64_t i = first; i < last; ++i) {
        memcpy(s->f->x + 3 * i, s->p + 4 * i, 3 * sizeof(double));
    }
}

static double softening(const mo_constraint_set *set, const mo_constraint_problem *problem)
{
    double compliance = set->extended ? mo_constraint_compliance(set) : 0;
    return compliance / (particles_of(set)->volume * problem->h * problem->h);
}

static void density_sweep(mo_constraint_set *set, const mo_constraint_problem *problem,
                          double factor)
{
    const density *p = set->params;
    sweeping s = {particles_of(set), problem->p, softening(set, problem), p->relaxation * factor};
    mo_parallel_for(problem->pool, problem->rows, 16 * GRAIN, copy_range, &s);
    mo_parallel_for(problem->pool, s.f->count, GRAIN, multiplier_range, &s);
    mo_parallel_for(problem->pool, problem->rows, GRAIN, move_range, &s);
}

static void density_residual(const mo_constraint_set *set, const mo_constraint_problem *problem,
                             double sums[3])
{
    const particles *f = particles_of(set);
    double a = softening(set, problem);
    sums[0] = sums[1] = 0;
    sums[2] = (double)f->count;
    for (int64_t k = 0; k < f->count; ++k) {
        mo_vec3 g;
        double mobility, l = f->lambda[f->first + k],
                         r = evaluate(f, problem->p, k, &g, &mobility) + a * l;
        r = l < 0 ? fabs(r) : fmax(r, 0);
        sums[0] = fmax(sums[0], r);
        sums[1] += r * r;
    }
}

/* ---- velocities ---- */

typedef struct smoothing {
    const particles *f;
    const double *p, *v;
    double *out, share;
} smoothing;

static void smooth_range(void *context, int64_t first, int64_t last)
{
    const smoothing *s = context;
    const particles *f = s->f;
    for (int64_t k = first; k < last; ++k) {
        int64_t i = f->first + k;
        mo_vec3 v = mo_vec3_load(s->v + 3 * i), sum = {0, 0, 0};
        const int32_t *list = f->pairs.index + f->pairs.start[i];
        for (int32_t n = 0; s->p[4 * i + 3] > 0 && n < f->pairs.count[i]; ++n) {
            int64_t j = list[n];
            if (j >= f->first && j < f->first + f->count && s->p[4 * j + 3] > 0) {
                double w = f->volume * kernel(f, pair_q(f, s->p, 4, i, j));
                sum = mo_add_scaled(sum, w, mo_sub(mo_vec3_load(s->v + 3 * j), v));
            }
        }
        mo_vec3_store(s->out + 3 * i, mo_add_scaled(v, s->share, sum));
    }
}

static void density_finish(mo_constraint_set *set, const mo_constraint_problem *problem, double *v)
{
    const density *p = set->params;
    const particles *f = particles_of(set);
    smoothing s = {f, problem->p, v, f->gradient, p->viscosity};
    if (p->viscosity > 0) {
        mo_parallel_for(problem->pool, f->count, GRAIN, smooth_range, &s);
        memcpy(v + 3 * f->first, f->gradient + 3 * f->first,
               (size_t)(3 * f->count) * sizeof(double));
    }
}

/* Lists are those of a substep: the compression energy is not measured. */
static double density_energy(const mo_constraint_set *set, mo_pool *pool, const double *p)
{
    (void)set, (void)pool, (void)p;
    return 0;
}

static const mo_constraint_group GROUP = {.sweep = density_sweep,
                                          .residual = density_residual,
                                          .finish = density_finish,
                                          .energy = density_energy,
                                          .remap = density_remap,
                                          .release = density_release};

const mo_constraint_type mo_constraint_density = {
    .base = {.name = "density",
             .summary = "Incompressibility of a fluid of particles, beside solids in one solve.",
             .citation = "M. Macklin, M. Mueller 2013, ACM Trans. Graph. 32, 104; M. Macklin, M. "
                         "Mueller, N. Chentanez, T.-Y. Kim 2014, ACM Trans. Graph. 33, 153",
             .departs = "One kernel for densities and gradients; inequalities with accumulated "
                        "multipliers instead of an artificial pressure; half-spaces behind "
                        "colliders; no vorticity confinement.",
             .capabilities = MO_CONSTRAINT_PBD | MO_CONSTRAINT_XPBD | MO_PORTABLE,
             .param_size = sizeof(density),
             .params = PARAMS},
    .add = density_add,
    .begin = density_begin,
    .group = &GROUP,
};
