/*
 * Particle-particle particle-mesh (R. W. Hockney, J. W. Eastwood 1988, chapter 8) with the erfc
 * split of Ewald: erfc(a r)/r between neighbours, the rest on a mesh with the optimal influence
 * function (influence.h).
 *
 * Departs from the book in the reference shape, a Gaussian instead of S2, and in the default
 * differentiation.
 *
 * Cutoff, split a, order and mesh are chosen for an RMS force error, half of its square for each
 * part: the short part's is 2 sum q^2/sqrt(N r_c V) exp(-(a r_c)^2) (J. Kolafa, J. W. Perram 1992,
 * Mol. Simul. 9, 351, (18)), that of the mesh sum q^2 sqrt(Q/N). Among the cutoffs and orders that
 * reach it the one of least estimated cost is taken; the estimate for the mesh at hand then counts.
 */
#include "particle/long_range/charge_mesh.h"
#include "particle/long_range/long_range.h"
#include "particle/long_range/short_part.h"

#include <math.h>
#include <string.h>

enum { TABLE = 16, CELLS_MAX = 512, ATTEMPTS = 12 };

static const double PI = 3.14159265358979323846;

/* Relative to the cutoff: the skin of neighbour lists. */
static const double SKIN = 1.12;

/* The estimates hold in the mean over configurations. */
static const double MARGIN = 0.9;

/* Costs [ns] of a pair in a list, a point of a spline, a mesh point per log2 of the mesh. */
static const double COST_PAIR = 2.4, COST_POINT = 0.9, COST_MESH = 0.55;

static const mo_param PARAMS[] = {
    {"accuracy", MO_REAL, MO_FIELD(mo_p3m_params, accuracy), .initial = "1e-4",
     .range = "[1e-9, 0.1]",
     .doc = "RMS force error relative to the force between two particles of RMS charge at the mean "
            "spacing."},
    {"cutoff", MO_REAL, MO_FIELD(mo_p3m_params, cutoff), .unit = "m", .range = "(0, inf)",
     .doc = "Cutoff of the short part; default: chosen by cost."},
    {"order", MO_INT, MO_FIELD(mo_p3m_params, order), .range = "[2, 7]",
     .doc = "Order of the assignment: 2 is cloud-in-cell, 3 triangular shaped cloud, 4 piecewise "
            "cubic spline; default: chosen by cost."},
    {"cells", MO_INT, MO_FIELD(mo_p3m_params, cells), .range = "[4, 512]",
     .doc = "Mesh cells along the longest period; default: chosen by accuracy."},
    {"differentiation", MO_STRING, MO_FIELD(mo_p3m_params, differentiation), .initial = "\"ad\"",
     .choices = "ad|ik",
     .doc = "ad: analytic, conserves energy, two transforms; ik: in Fourier space, conserves "
            "momentum to rounding, four transforms."},
    {0}};

/* ---- choice of parameters ---- */

typedef struct plan {
    double alpha, cutoff, cost;
    int order, n[3];
} plan;

typedef struct planning {
    const mo_long_range_setup *setup;
    const mo_p3m_params *params;
    bool ad;
    double period[3], volume, shortest, longest;
    double rows, spacing; /* mean distance of particles */
    double target;        /* RMS error of each part's force, for unit constant */
    double log_spacing[TABLE], log_error[MO_SPLINE_MAX + 1][TABLE]; /* of h a, Q V/a */
} planning;

static void fill_tables(planning *p)
{
    for (int order = MO_SPLINE_MIN; order <= MO_SPLINE_MAX; ++order) {
        bool wanted = p->params->order == MO_ABSENT_INT || p->params->order == order;
        for (int k = 0; k < TABLE && wanted; ++k) {
            p->log_spacing[k] = log(0.08) + k * log(4.0 / 0.08) / (TABLE - 1);
            p->log_error[order][k] =
                log(fmax(mo_influence_limit(order, p->ad, exp(p->log_spacing[k])), 1e-300));
        }
    }
}

/* The largest h a at which Q V/a is below `error`; linear in logarithms. */
static double largest_spacing(const planning *p, int order, double error)
{
    const double *e = p->log_error[order];
    int k = TABLE - 1;
    while (k > 0 && e[k - 1] > log(error)) {
        --k;
    }
    if (k == 0) {
        return exp(p->log_spacing[0]);
    }
    double slope = (p->log_spacing[k] - p->log_spacing[k - 1]) / fmax(e[k] - e[k - 1], 1e-9);
    double at = p->log_spacing[k - 1] + slope * (log(error) - e[k - 1]);
    return exp(fmin(at, p->log_spacing[TABLE - 1]));
}

static double alpha_for(const planning *p, double cutoff)
{
    double ratio = 2 * p->setup->square_sum / sqrt(p->rows * cutoff * p->volume) / p->target;
    return sqrt(fmax(log(fmax(ratio, 1)), 0.25)) / cutoff;
}

static double cost_of(const planning *p, const plan *q)
{
    double reach = SKIN * q->cutoff, points = (double)q->n[0] * q->n[1] * q->n[2];
    double pairs = p->rows * p->rows / p->volume * 4 / 3 * PI * reach * reach * reach;
    double splines = p->rows * (q->order > 4 ? 2 : 1) * 4 * q->order * q->order;
    double transforms = p->ad ? 2 : 4;
    return COST_PAIR * pairs + COST_POINT * splines * (p->ad ? 2 : 2.5) +
           COST_MESH * 0.5 * transforms * points * log2(points);
}

static void set_cells(const planning *p, double h, plan *q)
{
    for (int d = 0; d < 3; ++d) {
        double cells = ceil(p->period[d] / h - 1e-9);
        int least = 2 * q->order;
        q->n[d] = cells > 4 * CELLS_MAX ? 4 * CELLS_MAX
                                        : mo_fft_next_size(cells < least ? least : (int)cells);
    }
}

static void try_plan(const planning *p, double cutoff, int order, plan *best)
{
    plan q = {.alpha = alpha_for(p, cutoff), .cutoff = cutoff, .order = order};
    double square = p->setup->square_sum;
    double limit = p->target * p->target * p->rows * p->volume / (square * square * q.alpha);
    double h = p->params->cells == MO_ABSENT_INT ? largest_spacing(p, order, limit) / q.alpha
                                                 : p->longest / (double)p->params->cells;
    set_cells(p, h, &q);
    q.cost = cost_of(p, &q);
    if (q.cost < best->cost) {
        *best = q;
    }
}

static plan choose(const planning *p)
{
    plan best = {.cost = INFINITY};
    double most = 0.5 * p->shortest / SKIN, least = fmin(1.2 * p->spacing, most);
    for (int order = MO_SPLINE_MIN; order <= MO_SPLINE_MAX; ++order) {
        if (p->params->order != MO_ABSENT_INT && p->params->order != order) {
            continue;
        }
        for (double cutoff = least; cutoff <= most * (1 + 1e-9); cutoff *= 1.06) {
            try_plan(p, isnan(p->params->cutoff) ? cutoff : p->params->cutoff, order, &best);
        }
        try_plan(p, isnan(p->params->cutoff) ? most : p->params->cutoff, order, &best);
    }
    return best;
}

/* ---- the method ---- */

typedef struct p3m {
    mo_memory *memory;
    mo_charge_mesh *mesh;
    mo_short_part near;
} p3m;

static void p3m_destroy(void *instance)
{
    p3m *s = instance;
    if (s->mesh) {
        mo_charge_mesh_destroy(s->mesh);
    }
    if (s->near.memory) {
        mo_short_part_release(&s->near);
    }
    mo_release(s->memory, s);
}

static void begin_planning(planning *p, const mo_p3m_params *params,
                           const mo_long_range_setup *setup)
{
    memset(p, 0, sizeof *p);
    p->setup = setup;
    p->params = params;
    p->ad = params->differentiation[0] == 'a';
    p->volume = mo_domain_volume(&setup->domain);
    p->rows = setup->rows > 2 ? (double)setup->rows : 2;
    p->spacing = cbrt(p->volume / p->rows);
    p->shortest = INFINITY;
    for (int d = 0; d < 3; ++d) {
        p->period[d] = mo_domain_period(&setup->domain, d);
        p->shortest = fmin(p->shortest, p->period[d]);
        p->longest = fmax(p->longest, p->period[d]);
    }
    double force = setup->square_sum / p->rows / (p->spacing * p->spacing);
    p->target = MARGIN * params->accuracy * force / sqrt(2.0);
}

static mote_status fail_accuracy(const planning *p, const plan *q, double error_of_mesh,
                                 mote_error *error)
{
    bool given = p->params->cells != MO_ABSENT_INT;
    double reached = MARGIN * p->params->accuracy * error_of_mesh / p->target;
    return mo_fail(error, MOTE_ERROR_INPUT,
                   "accuracy: %g cannot be met: a mesh of %d x %d x %d cells with order %d and a "
                   "cutoff of %g m has an RMS force error of about %.2g; %s",
                   p->params->accuracy, q->n[0], q->n[1], q->n[2], q->order, q->cutoff, reached,
                   given ? "give more cells or a higher order, or leave both out"
                         : "ask for less, or use ewald");
}

/* The mesh of a plan; refined until the estimate for it is below the target. */
static mote_status create_mesh(p3m *s, const planning *p, plan *q, mote_error *error)
{
    for (int attempt = 0;; ++attempt) {
        mo_influence_def def = {.order = q->order, .ad = p->ad, .alpha = q->alpha};
        memcpy(def.period, p->period, sizeof def.period);
        memcpy(def.n, q->n, sizeof def.n);
        bool large = q->n[0] > CELLS_MAX || q->n[1] > CELLS_MAX || q->n[2] > CELLS_MAX;
        if (large) {
            return fail_accuracy(p, q, NAN, error);
        }
        MO_TRY(mo_charge_mesh_create(&def, &p->setup->domain, s->memory, &s->mesh, error));
        double reached = p->setup->square_sum * sqrt(s->mesh->influence.square_error / p->rows);
        if (reached <= p->target || p->setup->square_sum == 0) {
            return MOTE_OK;
        }
        if (p->params->cells != MO_ABSENT_INT || attempt == ATTEMPTS) {
            return fail_accuracy(p, q, reached, error);
        }
        mo_charge_mesh_destroy(s->mesh);
        s->mesh = NULL;
        for (int d = 0; d < 3; ++d) {
            q->n[d] = mo_fft_next_size(q->n[d] + 1 + q->n[d] / 16);
        }
    }
}

static mote_status set_up(p3m *s, const planning *p, mote_error *error)
{
    plan q = choose(p);
    MO_TRY(create_mesh(s, p, &q, error));
    /* the errors of some hundred neighbours add up at random */
    double pair = 0.02 * p->params->accuracy / (p->spacing * p->spacing);
    return mo_short_part_init(&s->near, q.alpha, q.cutoff, p->setup->softening, pair, s->memory,
                              error);
}

static mote_status p3m_create(const void *params, const mo_long_range_setup *setup, void **instance,
                              double *range, mote_error *error)
{
    planning p;
    begin_planning(&p, params, setup);
    if (p.params->cutoff > 0.5 * p.shortest) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "cutoff: %g m exceeds half the shortest period, which is %g m",
                       p.params->cutoff, p.shortest);
    }
    p3m *s = mo_allocate(setup->memory, sizeof *s);
    if (!s) {
        return mo_fail_memory(error, sizeof *s);
    }
    s->memory = setup->memory;
    fill_tables(&p);
    mote_status status = set_up(s, &p, error);
    if (status != MOTE_OK) {
        p3m_destroy(s);
        return status;
    }
    *instance = s;
    *range = s->near.cutoff;
    return MOTE_OK;
}

static mote_status p3m_evaluate(void *instance, const mo_long_range_input *in,
                                mo_long_range_output *out, mo_pool *pool, mote_error *error)
{
    p3m *s = instance;
    mo_charge_mesh_sums sums;
    double a = s->near.alpha;
    MO_TRY(mo_charge_mesh_solve(s->mesh, in->rows, in->x, in->charge, out->force,
                                in->measure ? &sums : NULL, pool, error));
    MO_TRY(mo_short_part_add(&s->near, in, out, pool, error));
    if (in->measure) { /* self energies, and the background of a net charge */
        double volume = mo_domain_volume(&s->mesh->domain);
        double background = PI * sums.net * sums.net / (2 * volume * a * a);
        out->energy += sums.energy - a / sqrt(PI) * sums.squares - background;
        out->virial += sums.virial - 3 * background;
    }
    return MOTE_OK;
}

const mo_long_range_type mo_long_range_p3m = {
    .base = {.name = "p3m",
             .summary = "Particle-particle particle-mesh: O(N log N) in periodic domains, to a "
                        "given RMS force error.",
             .citation = "R. W. Hockney, J. W. Eastwood 1988, Computer Simulation Using Particles, "
                         "chapter 8",
             .departs = "The reference shape is a Gaussian (erfc split, as in Ewald's sum) instead "
                        "of S2; analytic differentiation (ad) is the default.",
             .capabilities = MO_LONG_RANGE_PERIODIC,
             .param_size = sizeof(mo_p3m_params),
             .params = PARAMS},
    .create = p3m_create,
    .destroy = p3m_destroy,
    .evaluate = p3m_evaluate,
};
