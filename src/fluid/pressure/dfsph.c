/*
 * Divergence-free SPH: J. Bender, D. Koschier 2015 and 2017 (IEEE Trans. Vis. Comput. Graph. 23,
 * 1193). A step:
 *     divergence-free solve   s_i = -D delta_i/Dt                    (algorithm 2)
 *     forces                  v* = v + h a
 *     constant-density solve  s_i = 1 - delta_i - h D delta*_i/Dt    (algorithm 3)
 *     x := x + h v
 * Both are the system of solve.h, on velocities and on positions, warm-started. The factors alpha_i
 * of the papers are the reciprocals of its diagonal. The papers do the divergence-free solve after
 * the motion (algorithm 1): the same cycle with another start, `order` density_first.
 *
 * The variant `bender2017` updates k_i by alpha_i times the residual where that is positive, and k
 * never decreases; it starts from half the pressures of the last step, as SPlisHSPlasH does, since
 * a full warm start accumulates and is unstable. Departs from the papers by default, variant
 * `accelerated`: projected Jacobi steps with Nesterov acceleration on the sum k >= 0, which also
 * stops expansion (vortices around a void gained 5 % of their energy otherwise), relaxation of the
 * initial density error and outer iterations (solve.h), corrected divergences without gravity.
 * Particles with few neighbours, or less than half of their density, may approach each other: in
 * spray density grows without compression. For them s_i = 0 in the divergence-free solve.
 * SPlisHSPlasH and bender2017 count neighbours only; with wide kernels a drop then floats above the
 * floor, among many boundary particles.
 */
#include "fluid/pressure/layer_solve.h"
#include "fluid/pressure/solve.h"
#include "fluid/sph/corrected_rates.h"
#include "fluid/sph/stress.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 4096 };

typedef struct dfsph {
    const char *variant, *order, *corrected;
    double tolerance, divergence_tolerance, omega;
    int64_t min_iterations, max_iterations, max_divergence_iterations, max_corrections;
    double warm_start;
    bool divergence;
    const char *isotropic;
} dfsph;

static const mo_param PARAMS[] = {
    {"variant", MO_STRING, MO_FIELD(dfsph, variant), .initial = "\"accelerated\"",
     .choices = "accelerated|bender2017",
     .doc = "bender2017: Jacobi iteration with the factors alpha on positive residuals, which "
            "corrects all of the density error in every step, as published. accelerated: projected "
            "and accelerated Jacobi iteration, relaxation of the initial density error, outer "
            "iterations."},
    {"order", MO_STRING, MO_FIELD(dfsph, order), .initial = "\"divergence_first\"",
     .choices = "divergence_first|density_first",
     .doc = "Which solve a step begins with. density_first ends a step with a divergence-free "
            "velocity, as published, at the cost of a second neighbour search.",
     .needs = "divergence"},
    {"tolerance", MO_REAL, MO_FIELD(dfsph, tolerance), .initial = "1e-3", .range = "(0, 1)",
     .doc = "Average relative density error at which the constant-density solve stops."},
    {"divergence_tolerance", MO_REAL, MO_FIELD(dfsph, divergence_tolerance), .initial = "1e-3",
     .range = "(0, 1)",
     .doc = "Average relative density change per step at which the divergence-free solve stops.",
     .needs = "divergence"},
    {"min_iterations", MO_INT, MO_FIELD(dfsph, min_iterations), .initial = "2",
     .range = "[1, 1000]", .doc = "Minimum number of iterations of the constant-density solve."},
    {"max_iterations", MO_INT, MO_FIELD(dfsph, max_iterations), .initial = "100",
     .range = "[1, 10000]", .doc = "Maximum number of iterations of the constant-density solve."},
    {"max_divergence_iterations", MO_INT, MO_FIELD(dfsph, max_divergence_iterations),
     .initial = "100", .range = "[1, 10000]",
     .doc = "Maximum number of iterations of the divergence-free solve.", .needs = "divergence"},
    {"omega", MO_REAL, MO_FIELD(dfsph, omega), .initial = "0.5", .range = "(0, 1]",
     .doc = "Relaxation factor of the Jacobi iteration."},
    {"divergence", MO_BOOL, MO_FIELD(dfsph, divergence), .initial = "true",
     .doc = "Perform the divergence-free solve."},
    {"corrected", MO_STRING, MO_FIELD(dfsph, corrected), .initial = "\"auto\"",
     .choices = "auto|always|never",
     .doc = "Corrected divergence operator, exact for linear velocity fields on disordered "
            "particles, in the right-hand sides of both solves. auto: without gravity and not "
            "with `fluid_layers`."},
    {"isotropic", MO_STRING, MO_FIELD(dfsph, isotropic), .initial = "\"auto\"",
     .choices = "auto|always|never",
     .doc = "Under gravity, remove the part of the pair pressure that resists shear, where the "
            "pressure exceeds that of the flow. auto: in fluids of several rest densities, whose "
            "flows are driven by less than their weight."},
    {"warm_start", MO_REAL, MO_FIELD(dfsph, warm_start), .initial = "0.8", .range = "[0, 1]",
     .doc =
         "Fraction of the previous step's pressure used as the initial guess of both solves; "
         "reduced automatically in quiescent fluid. Values near 1 need the fewest iterations but "
         "let the density fall below the rest density."},
    {"max_corrections", MO_INT, MO_FIELD(dfsph, max_corrections), .initial = "3",
     .range = "[0, 100]",
     .doc = "Maximum number of outer (nonlinear) iterations: further solves at the new positions, "
            "while the average density error there exceeds the tolerance, or the maximum one 20 "
            "tolerances and 1 %."},
    {0}};

static const mo_preset PRESETS[] = {{"bender2017", "order", "\"density_first\""},
                                    {"bender2017", "omega", "1"},
                                    {"bender2017", "corrected", "\"never\""},
                                    {"bender2017", "warm_start", "0.5"},
                                    {"bender2017", "max_corrections", "0"},
                                    {"bender2017", "isotropic", "\"never\""},
                                    {0}};

static bool is_published(const dfsph *p)
{
    return strcmp(p->variant, "bender2017") == 0;
}

/* The solve is linear, but the densities at the new positions are not: it converges further than
 * the tolerance by this factor, so that the measured error is within the tolerance. */
#define MARGIN 0.7

/* Upper limit of the residual of the divergence-free solve in density tolerances, where the average
 * density error is COMPRESSED of its tolerance or more: beyond, the constant-density solve needs
 * more iterations for the remainder, and dissipates energy. At lower density errors e the limit
 * grows with 1/e^2, and the constant-density solve takes its minimum of iterations. Dam breaks
 * with tolerances of 1e-4 and 1e-3 made 7.1 + 1.2 iterations without a limit and 4.1 + 1.7 with
 * it (50k particles to 1 s), 3.2 + 2.3 and 3.0 + 3.6 (200k, 0.23 s). A limit that begins at one
 * error instead alternates between the two tolerances: 3.4 + 4.6 iterations. */
#define DIVERGENCE 3
#define COMPRESSED 0.8

/* The same in quiescent fluid, and without gravity beside boundary samples with their own
 * pressures. A residual of one tolerance in a step of 4 ms is a divergence of 0.25/s, the strain
 * rate of a standing wave one spacing high over 50: all of its flow would be left to the
 * constant-density solve, whose inelastic steps damp it. Amplitude after five periods at three step
 * sizes: 0.35, 0.33, 0.38 without this limit, 0.40, 0.43, 0.43 with it. Fluid between rows of
 * samples slid 4.8 % slower past those of a lid with a surface velocity than below a moving lid,
 * 0.7 % with it. Fluid that begins to fall is slow too, but not compressed: a dam break of a
 * million particles took 31 iterations without the second constant, and takes one. */
#define QUIESCENT_DIVERGENCE 0.02
#define QUIESCENT_COMPRESSED 0.3

static double divergence_limit(const dfsph *p, const mo_fluid *f, double time, double agitation)
{
    bool sampled = f->walls.layers.wanted && mo_length(mo_fluid_gravity(f, time)) == 0;
    bool tight = agitation == 0 || sampled;
    double below = (tight ? QUIESCENT_COMPRESSED : COMPRESSED) * p->tolerance /
                   f->report.density_error; /* infinite without compression */
    return (tight ? QUIESCENT_DIVERGENCE : DIVERGENCE) * p->tolerance * fmax(1, below * below);
}

/* Relative density below which a particle is spray. */
#define LOOSE 0.5f

enum { POSITIONS, VELOCITIES, MORE, TARGET };
static const mo_column_spec COLUMNS[] = {
    {"dfsph_k", MOTE_F32, 1, MO_STATE, "Pa",
     "pressure / (density / rest density)^2 of the constant-density solve"},
    {"dfsph_kv", MOTE_F32, 1, MO_STATE, "Pa", "the same of the divergence-free solve"},
    {"dfsph_more", MOTE_F32, 1, MO_DERIVED, "Pa", "the same of an outer iteration"},
    {"dfsph_target", MOTE_F32, 1, MO_DERIVED, "1",
     "target density of the step, relative to the rest density"},
    {0}};

typedef struct sourcing {
    const mo_fluid *fluid;
    float *k, warm;
    int few; /* number of neighbours below which the divergence is not constrained */
    bool published;
} sourcing;

/* A source for which no pressures of others give a positive residual. */
#define UNCONSTRAINED 1e30f

/* The current rate of compression. */
static void divergence_source(void *context, int64_t first, int64_t last)
{
    const sourcing *s = context;
    const mo_fluid *f = s->fluid;
    for (int64_t row = first; row < last; ++row) {
        const float *wall = f->wall + 4 * row;
        bool solid = wall[0] != 0 || wall[1] != 0 || wall[2] != 0;
        bool few = f->lists->count[row] < s->few && !solid;
        bool spray = few || (f->density[row] < LOOSE && !s->published);
        float rate = spray ? 0 : f->rate[row];
        f->source[row] = spray && s->published ? UNCONSTRAINED : -rate;
        s->k[row] *= rate > 0 ? s->warm : 0;
    }
}

/* Warm-starting with nearly all of the previous pressure puts the initial residual below the
 * tolerance, so that successive solves stop at different residuals and excite a quiescent fluid.
 * Where the root mean square of the speed is below QUIESCENT sqrt(g spacing) solves start from
 * QUIESCENT_START of it, above AGITATED times that speed from all of `warm_start`, and in between
 * from a linear mixture: a jump would be a pulse of pressure (a fixed cube in sloshing water was
 * lifted by 2.9 times its buoyancy for some steps). */
#define QUIESCENT 0.2
#define AGITATED 1.5
#define QUIESCENT_START 0.3

/* How the fluid moves. */
typedef struct flow_scale {
    double speed; /* rms, in sqrt(g spacing); infinite without gravity */
    double head;  /* mean pressure over the mean of rho v^2 */
} flow_scale;

typedef struct summing {
    const mo_fluid *fluid;
    const float *k;
} summing;

enum { SQUARES, PRESSURES, FLOW };

/* partial: the sums of v^2 and of k/rho0 */
static void add_flow(void *context, int64_t first, int64_t last, double *partial)
{
    const summing *s = context;
    partial[SQUARES] = partial[PRESSURES] = 0;
    for (int64_t row = first; row < last; ++row) {
        const float *u = s->fluid->velocity + 4 * row;
        partial[SQUARES] += (double)(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
        partial[PRESSURES] += (double)(s->k[row] * s->fluid->specific[row]);
    }
}

static mote_status find_flow(mo_instance *self, mo_fluid *f, double time, flow_scale *flow,
                             mote_error *error)
{
    double sum[FLOW], fall = mo_length(mo_fluid_gravity(f, time)) * f->spacing * (double)f->rows;
    summing s = {f, self->columns[POSITIONS]->data};
    flow->speed = INFINITY;
    flow->head = 0;
    if (is_published(self->method.params) || fall == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_SUM, FLOW, add_flow, &s, sum, error));
    flow->speed = sqrt(sum[SQUARES] / fall);
    flow->head = sum[PRESSURES] / sum[SQUARES];
    return MOTE_OK;
}

/* 0: quiescent; 1: AGITATED times the speed of quiescent fluid or more; linear in between. */
static double agitation_of(const flow_scale *flow)
{
    return fmin(1, fmax(0, (flow->speed / QUIESCENT - 1) / (AGITATED - 1)));
}

static float warm_start_of(const dfsph *p, double agitation)
{
    double start = fmin(p->warm_start, QUIESCENT_START);
    return (float)(start + agitation * (p->warm_start - start));
}

/* The correction preserves vortices (docs/fluid_accuracy.md). Under gravity, where pressures exceed
 * those of a flow, it changes little and costs 15 % of a step with few iterations. Its moments do
 * not include boundary samples with their own pressures. */
static bool corrects(const dfsph *p, const mo_fluid *f, double time)
{
    bool suits = mo_length(mo_fluid_gravity(f, time)) == 0 && !f->walls.layers.wanted;
    return strcmp(p->corrected, "always") == 0 || (strcmp(p->corrected, "auto") == 0 && suits);
}

static mote_status solve_divergence(const dfsph *p, const mo_instance *self, mo_fluid *f,
                                    const mo_fluid_step *now, double agitation, mote_error *error)
{
    double h = now->h;
    bool published = is_published(p);
    double most = published ? INFINITY : divergence_limit(p, f, now->time, agitation);
    mo_solve_def def = {.tolerance = fmin(p->divergence_tolerance, most) / h,
                        .omega = p->omega,
                        .least = 1,
                        .most = (int)p->max_divergence_iterations,
                        .accelerated = published ? 0 : 1,
                        .growing = published};
    sourcing s = {f, self->columns[VELOCITIES]->data, warm_start_of(p, agitation),
                  f->dimension == 3 ? 20 : 7, published};
    mo_solve_result result;
    if (corrects(p, f, now->time)) {
        mo_fluid_corrected_rates(f, f->velocity, f->rate, NULL);
    } else {
        mo_fluid_rates(f, f->velocity, true, f->rate);
    }
    mo_parallel_for(f->pool, f->rows, GRAIN, divergence_source, &s);
    mo_layers_source_divergence(f);
    MO_TRY(mo_solve_pressure(f, &def, f->source, h, s.k, &result, error));
    mo_fluid_kick_by_pressure(f, h);
    MO_TRY(mo_fluid_react(f, s.k, h, error));
    mo_fluid_pack_velocities(f);
    f->report.divergence_iterations = result.iterations;
    f->report.divergence_residual = result.residual * h;
    mo_solve_note_result(f, "the divergence-free solve", true, &result, h, p->divergence_tolerance);
    return MOTE_OK;
}

static mote_status step_density(const dfsph *p, const mo_instance *self, mo_fluid *f,
                                const mo_fluid_step *now, double agitation, mote_error *error)
{
    bool published = is_published(p);
    mo_density_def def = {
        .solve = {.tolerance = (published ? 1 : MARGIN) * p->tolerance,
                  .omega = p->omega,
                  .least = (int)p->min_iterations,
                  .most = (int)p->max_iterations,
                  .accelerated = published        ? 0
                                 : agitation == 0 ? MO_SOLVE_SMOOTH
                                                  : 1,
                  .growing = published},
        .name = "the constant-density solve",
        .tolerance = p->tolerance,
        .corrections = p->max_corrections,
        .warm = warm_start_of(p, agitation),
        .warm_where_compressed = true,
        .at_once = published,
        .corrected = corrects(p, f, now->time),
    };
    mo_density_columns columns = {self->columns[POSITIONS]->data,
                                  p->divergence ? self->columns[VELOCITIES]->data : NULL,
                                  self->columns[TARGET]->data, self->columns[MORE]->data};
    return mo_density_step(f, &def, now, &columns, error);
}

/* The part of stress deviators that is removed, and the rms speeds in sqrt(g spacing) and mean
 * pressures over the mean of rho v^2 between which this begins. Without deviators a lattice at rest
 * has no stiffness: the residuals of solves stir it and break its layers, and with all of them
 * removed a tank did not settle. Where the dynamic pressure prevails, they are small. */
#define REMOVED 0.8
static const double FLOWS[2] = {0.02, 0.05}, PRESSED[2] = {8, 16};

static double ramp(double x, const double range[2])
{
    return fmin(1, fmax(0, (x - range[0]) / (range[1] - range[0])));
}

/* Removes deviators of the pressures that acted last: those of the last constant-density solve, and
 * of this step's divergence-free solve. */
static mote_status remove_deviators(mo_instance *self, mo_fluid *f, const mo_fluid_step *now,
                                    const flow_scale *flow, mote_error *error)
{
    const dfsph *p = self->method.params;
    double part = REMOVED * ramp(flow->head, PRESSED) * ramp(flow->speed, FLOWS);
    mo_stress_def def = {self->columns[POSITIONS]->data,
                         p->divergence ? self->columns[VELOCITIES]->data : NULL, (float)part};
    bool wanted = strcmp(p->isotropic, "always") == 0 ||
                  (strcmp(p->isotropic, "auto") == 0 && mo_fluid_mixed(f));
    return wanted && part > 0 ? mo_stress_kick(self->state, f, &def, now->h, error) : MOTE_OK;
}

static void dfsph_destroy(mo_instance *self, mo_fluid *f)
{
    mo_stress_release(self->state, f->memory);
}

static mote_status dfsph_step(mo_instance *self, mo_fluid *f, const mo_fluid_step *now,
                              mote_error *error)
{
    const dfsph *p = self->method.params;
    flow_scale flow;
    bool first = strcmp(p->order, "divergence_first") == 0;
    MO_TRY(mo_fluid_update(f, now->time, error));
    MO_TRY(find_flow(self, f, now->time, &flow, error));
    double agitation = agitation_of(&flow);
    mo_stage_end(now->stages, now->stage->neighbors);
    if (p->divergence && first) {
        MO_TRY(solve_divergence(p, self, f, now, agitation, error));
        mo_stage_end(now->stages, now->stage->divergence);
    }
    MO_TRY(mo_terms_apply(f, now->time, now->h, false, error));
    MO_TRY(remove_deviators(self, f, now, &flow, error));
    mo_fluid_pack_velocities(f);
    mo_stage_end(now->stages, now->stage->forces);
    MO_TRY(step_density(p, self, f, now, agitation, error));
    if (p->divergence && !first) {
        MO_TRY(mo_fluid_update(f, now->time + now->h, error));
        mo_stage_end(now->stages, now->stage->neighbors);
        MO_TRY(solve_divergence(p, self, f, now, agitation, error));
        mo_stage_end(now->stages, now->stage->divergence);
    }
    return MOTE_OK;
}

const mo_pressure_type mo_pressure_dfsph = {
    .base =
        {.name = "dfsph",
         .summary = "Divergence-free SPH: implicit solves for constant density and zero "
                    "divergence. The fastest at large steps.",
         .citation =
             "Bender, Koschier 2015, Symp. Computer Animation; 2017, IEEE Trans. Vis. Comput. "
             "Graph. 23, "
             "1193",
         .departs =
             "By default projected Jacobi steps with Nesterov acceleration instead of the factors "
             "alpha on positive residuals, outer iterations at the new positions, and relaxation "
             "of the density error that a step begins with; the variant bender2017 has none of "
             "these and the order of the papers. The relaxation factor is halved where the "
             "residual grows, closed domains are gauged by their least pressure, and boundaries "
             "are those of the boundary method. Divergences without gravity are corrected to be "
             "exact on linear flows; among several rest densities the resistance of pair pressures "
             "to shear is removed.",
         .capabilities = MO_PORTABLE,
         .param_size = sizeof(dfsph),
         .params = PARAMS,
         .preset = "variant",
         .presets = PRESETS,
         .columns = COLUMNS},
    .hooks = {.state_size = sizeof(mo_stress), .destroy = dfsph_destroy},
    .step = dfsph_step,
    .moves_bodies = true,
};
