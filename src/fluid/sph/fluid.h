/*
 * The fluid: particles, their neighbours, and the pair sums of all SPH methods.
 *
 * Volumes, not masses. A particle represents the rest volume V = m/rho0. The summation density is
 * delta = rho/rho0 = sum_j V_j W_ij, and forces use volumes and pressures: m_i a_i = -sum_j V_i V_j
 * (k_i + k_j) grad W_ij, k = p/delta^2, for one fluid the standard m_i m_j (p_i/rho_i^2 +
 * p_j/rho_j^2) grad W. Across an interface of several fluids delta is continuous (B. Solenthaler,
 * R. Pajarola 2008).
 *
 * Pair loops are bound by loads. Positions are 32-bit fixed-point, multiples of `unit` from an
 * origin: differences are exact anywhere, and position and one value of a neighbour are one 16-byte
 * load. The kernel is evaluated once per step and stored as one float per pair, the kernel gradient
 * factor g_ij = V_j (dW/dr)/r, so that V_j grad W_ij = g_ij x_ij. A pass reads 8 bytes per
 * pair in order and 16 from the cache, with the same code for all kernels. x_ij = -x_ji exactly, so
 * momentum is conserved to rounding.
 *
 * A boundary adds L_i to the density of a row; its sums wall_i = grad L_i, wall_flow_i = v_solid .
 * grad L_i (walls.h) are computed once per step.
 *
 * State is in the columns of the store, in double; this struct is recomputed in each step.
 * docs/performance.md has the costs.
 */
#ifndef MO_FLUID_SPH_FLUID_H
#define MO_FLUID_SPH_FLUID_H

#include "collide/reactions.h"
#include "fluid/kernel/kernel.h"
#include "fluid/sph/def.h"
#include "fluid/sph/instance.h"
#include "fluid/sph/walls.h"
#include "math/wide.h"
#include "neighbor/search.h"
#include "store/store.h"

#include <math.h>

enum { MO_FLUID_GRAIN = 512 };

/* Maximum extent along an axis in spacings, for which 31-bit fixed-point positions resolve four
 * digits of a spacing. */
#define MO_FLUID_LONGEST 1e5

/* A solve that ended above the tolerance of the scene. */
typedef struct mo_fluid_unsolved {
    const char *solve; /* name of the solve; NULL: none */
    bool divergence;   /* its parameters are divergence_tolerance and max_divergence_iterations */
    int iterations;
    double residual, tolerance;
} mo_fluid_unsolved;

/* Statistics of a step, for the report. Errors are relative to the rest density, compression
 * only. */
typedef struct mo_fluid_report {
    /* mean and maximum, at the initial positions of the step */
    double density_error, density_error_max;
    int iterations, divergence_iterations; /* of all solves of a kind together */
    int iterations_most;                   /* of one solve */
    double residual,
        /* residual of the solver, of the last solve of a kind */
        divergence_residual;
    mo_fluid_unsolved unsolved; /* the largest */
    bool divergence_unsolved;
    /* of an implicit viscosity: the estimated error of the velocity, relative to its change */
    int viscosity_iterations;
    double viscosity_error;
    bool viscosity_unsolved;
    /* uniform compression that cannot be corrected at once (pressure/solve.h), else 0 */
    double over_filled;
} mo_fluid_report;

/* The columns of the store. */
typedef struct mo_fluid_columns {
    mo_column *x, *v, *a, *mass, *phase, *density, *pressure;
    mo_column *step_density; /* from the last step, for solvers that start from it */
} mo_fluid_columns;

/* Terms, in the order of application (term/term.h). */
typedef struct mo_terms {
    int count;
    mo_instance *list;
    double time;  /* of the requested accelerations */
    int64_t *map; /* of moved rows, for terms that need it */
    int64_t capacity, map_capacity;
} mo_terms;

/* A row and a free body: six components of J. */
typedef struct mo_response_item {
    double J[6];
    int32_t row, body; /* row: index in the list of rows beside bodies */
} mo_response_item;

/* Consecutive items of a body, the unit of parallel sums. */
typedef struct mo_response_chunk {
    int64_t first, last;
    int32_t body;
    bool changed;         /* rows have entered or left its inertia */
    double sum[6], S[21]; /* sums over its items; S: the lower triangle */
} mo_response_chunk;

/* The response of free bodies (sph/response.h). */
typedef struct mo_response {
    int64_t count; /* of items; 0: no row is close to a body */
    mo_response_item *items;
    int64_t row_count; /* rows beside bodies; items of row t are [first[t], first[t + 1]) */
    int32_t *rows;
    int64_t *first;
    int64_t *order; /* items by body */
    int64_t chunk_count, pair_count, shared_count;
    mo_response_chunk *chunks;
    /* rows: volumes times `mirror`, V/D, scratch, and whether their pressure can change */
    double *volume, *weight, *scaled;
    uint8_t *active, *flipped, *changed;    /* changed: bodies */
    bool fresh;                             /* J is new */
    double *block, *pair_block;             /* the added inertia */
    int32_t *pairs, *pair_head, *pair_next; /* two bodies each; the list of pairs of a body */
    int32_t *shared;                        /* two items of a row and their pair, three each */
    float *correction;                      /* rows of the fluid: h^n J a of the preconditioner */
    mo_wrench *wrench;
    mo_twist *twist;
    double *share; /* bodies: factors of friction (wall_friction.h) */
    int64_t share_capacity, item_capacity, row_capacity, first_capacity, order_capacity,
        chunk_capacity, volume_capacity, weight_capacity, scaled_capacity, active_capacity,
        flipped_capacity, changed_capacity, block_capacity, pair_head_capacity, pair_next_capacity,
        pair_block_capacity, pair_capacity, shared_capacity, correction_capacity, wrench_capacity,
        twist_capacity;
} mo_response;

typedef struct mo_fluid {
    mo_memory *memory;
    mo_pool *pool;
    mo_store *store;
    mo_fluid_columns columns;
    /* constant */
    const mo_fluid_def *def;
    int dimension;
    double spacing, support;
    mo_kernel kernel; /* with support 1: lengths in units of the support */
    mo_curve gravity_factor;
    mo_vec3 gravity;
    mo_domain domain;
    mo_search *search;
    mo_walls walls;
    bool contacts; /* with solids, by projection after the step, instead of boundary pressure */
    int phase_count;
    const mo_phase_def *phases;
    mo_instance pressure, boundary, shifting; /* see fluid/methods.h */
    bool shifts;                              /* particles are displaced at the end of this step */
    mo_terms terms;
    double pace; /* of accelerations by terms, beside sqrt(g/spacing) [1/s]; 0: none */
    /* reactions (sph/reaction.h): summed only if requested */
    bool reacts, reactions_laid;
    mo_reactions reactions;
    mo_response response;

    /* of a step: rows, and local and ghost particles of the halo */
    int64_t rows, slots;
    const mo_halo *halo;
    double origin[3], unit;
    /* local and ghost particles: fixed-point x, y, z, and one value of the method */
    float *packed;
    float *velocity;     /* local and ghost particles: (v, 0) */
    float *volume;       /* local and ghost particles: V_j/support^d */
    float *acceleration; /* local and ghost particles: (a, 0), pressure accelerations */
    float *density;      /* rows: delta */
    /* rows: density with the integral of W over solids, the divisor of viscosity */
    float *total_density;
    float *diagonal; /* rows: see mo_fluid_refresh */
    /* rows: squared kernel gradient sum (spacing |2 sum_j V_j grad W + wall_i|)^2, a
     * free-surface indicator */
    float *gradient_sum;
    float *wall;            /* rows x (wall_i, wall_flow_i) */
    float *gradient_factor; /* kernel gradient factors, one per index of the lists */
    float *specific;        /* local and ghost particles: 1/rho0 */
    float *cohesion; /* rows: the pressure that balances attraction by terms [Pa]; NULL: none */
    float *rate, *source; /* rows: scratch of solvers and other forces */
    float *guess, *last;  /* rows: pressures of an accelerated iteration (pressure/solve.h) */
    const mo_lists *lists;
    int64_t packed_capacity, velocity_capacity, volume_capacity, acceleration_capacity,
        density_capacity, total_density_capacity, diagonal_capacity, gradient_sum_capacity,
        wall_capacity, gradient_factor_capacity, specific_capacity, rate_capacity, source_capacity,
        guess_capacity, last_capacity, cohesion_capacity;
    mo_fluid_report report;
} mo_fluid;

/* Eight pairs of one row: x = x_i - x_j in metres, `own` the value packed with the position of
 * j, gradient_factor as above (0 for padding). */
typedef struct mo_fluid_pairs {
    mo_f8 x, y, z, own, gradient_factor;
    const int32_t *j;
} mo_fluid_pairs;

/* A row in a pair loop. */
typedef struct mo_fluid_row {
    mo_i8 x, y, z;
    mo_f8 unit;
    int64_t first, last; /* of its indices, in steps of eight */
} mo_fluid_row;

/* Threshold of the squared kernel gradient sum: at most 0.2^2 in the interior, at least 0.7^2 at
 * a surface. */
#define MO_FLUID_SURFACE_GRADIENT 0.25f

/* Whether a row is at a free surface: below this relative density, and with a one-sided
 * neighbourhood. In strained fluid the density alone is not sufficient. */
MO_INLINE bool mo_fluid_at_surface(const mo_fluid *f, int64_t row, float part)
{
    return f->density[row] < part && f->gradient_sum[row] > MO_FLUID_SURFACE_GRADIENT;
}

/* A fixed-point coordinate. Divergence within a step is detected at its end. */
MO_INLINE int32_t mo_fluid_count(double at)
{
    return fabs(at) < 2147483648.0 ? (int32_t)at : 0;
}

MO_INLINE mo_fluid_row mo_fluid_row_of(const mo_fluid *f, int64_t row)
{
    int32_t p[4];
    memcpy(p, f->packed + 4 * row, sizeof p);
    int64_t first = f->lists->start[row];
    return (mo_fluid_row){mo_i8_set(p[0]),           mo_i8_set(p[1]), mo_i8_set(p[2]),
                          mo_f8_set((float)f->unit), first,           first + f->lists->count[row]};
}

/* The packed position of a row, within one period. */
MO_INLINE mo_vec3 mo_fluid_position(const mo_fluid *f, int64_t row)
{
    int32_t p[3];
    memcpy(p, f->packed + 4 * row, sizeof p);
    return mo_vec3_make(f->origin[0] + f->unit * p[0], f->origin[1] + f->unit * p[1],
                        f->origin[2] + f->unit * p[2]);
}

/* The differences to eight positions of `packed`. */
MO_INLINE mo_fluid_pairs mo_fluid_differences(const mo_fluid_row *row, const float *packed,
                                              const int32_t *j)
{
    mo_f8 p[4];
    mo_f8_load4(packed, j, p);
    return (mo_fluid_pairs){.x = mo_f8_from_i8(row->x - (mo_i8)p[0]) * row->unit,
                            .y = mo_f8_from_i8(row->y - (mo_i8)p[1]) * row->unit,
                            .z = mo_f8_from_i8(row->z - (mo_i8)p[2]) * row->unit,
                            .own = p[3],
                            .j = j};
}

/* The same in fixed-point units: exact, without scaling. */
MO_INLINE mo_fluid_pairs mo_fluid_counts(const mo_fluid_row *row, const float *packed,
                                         const int32_t *j)
{
    mo_f8 p[4];
    mo_f8_load4(packed, j, p);
    return (mo_fluid_pairs){.x = mo_f8_from_i8(mo_i8_less(row->x, (mo_i8)p[0])),
                            .y = mo_f8_from_i8(mo_i8_less(row->y, (mo_i8)p[1])),
                            .z = mo_f8_from_i8(mo_i8_less(row->z, (mo_i8)p[2])),
                            .own = p[3],
                            .j = j};
}

/* Software prefetch of the pairs of a later row: lists of large fluids are in memory, and rows
 * are too short for hardware prefetching. */
enum { MO_FLUID_AHEAD = 8, MO_FLUID_LINE = 16 };
MO_INLINE int64_t mo_fluid_prefetch_indices(const mo_fluid *f, int64_t row)
{
    int64_t at = f->lists->start[row + MO_FLUID_AHEAD < f->rows ? row + MO_FLUID_AHEAD : row];
    __builtin_prefetch(f->lists->index + at);
    __builtin_prefetch(f->lists->index + at + MO_FLUID_LINE);
    return at;
}

/* The same with their kernel gradient factors. */
MO_INLINE void mo_fluid_prefetch(const mo_fluid *f, int64_t row)
{
    int64_t at = mo_fluid_prefetch_indices(f, row);
    __builtin_prefetch(f->gradient_factor + at);
    __builtin_prefetch(f->gradient_factor + at + MO_FLUID_LINE);
}

/* The pairs `at` to `at` + 7, of row->first to row->last. */
MO_INLINE mo_fluid_pairs mo_fluid_pairs_at(const mo_fluid *f, const mo_fluid_row *row, int64_t at)
{
    mo_fluid_pairs p = mo_fluid_differences(row, f->packed, f->lists->index + at);
    p.gradient_factor = mo_f8_load(f->gradient_factor + at);
    return p;
}

/* The same for boundary particles: row->first and last are those of the boundary list. */
MO_INLINE mo_fluid_row mo_fluid_wall_row_of(const mo_fluid *f, int64_t row)
{
    mo_fluid_row r = mo_fluid_row_of(f, row);
    r.first = f->walls.lists->start[row];
    r.last = r.first + f->walls.lists->count[row];
    return r;
}

MO_INLINE mo_fluid_pairs mo_fluid_wall_pairs_at(const mo_fluid *f, const mo_fluid_row *row,
                                                int64_t at)
{
    mo_fluid_pairs p = mo_fluid_differences(row, f->walls.packed, f->walls.lists->index + at);
    p.gradient_factor = mo_f8_load(f->walls.gradient_factor + at);
    return p;
}

/* Sets the density kernel, with support 1, and that of the boundary; before boundaries are
 * created. */
void mo_fluid_set_kernel(mo_fluid *fluid, mo_kernel kernel);

/* Initialises the parts independent of a scene; constant members and columns must be set. */
mote_status mo_fluid_init(mo_fluid *fluid, mo_method neighbors, const mo_domain *domain,
                          mote_error *error);
void mo_fluid_release(mo_fluid *fluid);

/* Gives boundary samples their own pressures (layers.h); before the first update. */
mote_status mo_fluid_want_layers(mo_fluid *fluid, mote_error *error);

/* Computes neighbours, packed positions and velocities of the current state, the boundary at
 * `time`, and the results of mo_fluid_refresh, with the density error for the report. */
mote_status mo_fluid_update(mo_fluid *fluid, double time, mote_error *error);

/* Packs the positions of the store again with the same lists and volumes, for methods that move
 * particles within a step (by less than half a period). Followed by mo_fluid_refresh. */
void mo_fluid_repack(mo_fluid *fluid);

/* The same for the samples of moving boundaries, at a time within the step. */
void mo_fluid_repack_walls(mo_fluid *fluid, double time);

/* From positions and lists: kernel gradient factors, densities, boundary sums, and
 *     diagonal_i = |sum_j V_j grad W + wall_i|^2 + sum_j V_i V_j |grad W|^2 rho0_i/rho0_j,
 * so that -diagonal_i/rho0_i = dL_i/dk_i (see pressure/solve.h):
 *     L_i = sum_j V_j (a_i - a_j) . grad W_ij + a_i . wall_i,
 *     d a_i/d k_i = -(sum_j V_j grad W_ij + wall_i)/rho0_i,    d a_j/d k_i = +V_i grad W_ij/rho0_j,
 * the second with the inertia of the neighbour. With one rest density all volumes are equal and
 * the second sum is that of |V_j grad W|^2, a by-product of the first pass. */
void mo_fluid_refresh(mo_fluid *fluid);

/* Densities only from positions and lists, at half the cost; kernel gradient factors and
 * boundary sums are unchanged. */
void mo_fluid_densities(mo_fluid *fluid);

/* Replaces kernel gradient factors and boundary sums by those of another kernel (with support
 * 1); densities are unchanged. Packs the volumes. */
void mo_fluid_set_gradient_factors(mo_fluid *fluid, const mo_kernel *kernel);

/* Packs the velocities of the store. */
void mo_fluid_pack_velocities(mo_fluid *fluid);

/* Phases differ in their rest densities. */
bool mo_fluid_mixed(const mo_fluid *fluid);

/* Packs rest densities as the fourth components of the velocities (reset to 0 by
 * mo_fluid_pack_velocities) and returns true; false, without effect, if there is one density
 * only. */
bool mo_fluid_pack_rest_densities(mo_fluid *fluid);

/* Packs one value per particle with each position, ghosts included. */
void mo_fluid_pack_numbers(mo_fluid *fluid, const float *number);

/* The same for the ghosts only, where the caller has packed those of the rows. */
void mo_fluid_pack_image_numbers(mo_fluid *fluid, const float *number);

/* Copies four components per row to the ghosts. */
void mo_fluid_spread4(mo_fluid *fluid, float *field);

/* acceleration = -(1/rho0) (sum_j V_j (k_i + k_j) grad W_ij + k_i wall_i), ghosts included; k
 * must be packed. Includes samples with their own pressures (layers.h). */
void mo_fluid_accelerate(mo_fluid *fluid, const float *k);

/* The same for k = 0: zeros, with the sign that the sums above have. */
void mo_fluid_clear_accelerations(mo_fluid *fluid);

/* rate_i = sum_j V_j (u_i - u_j) . grad W_ij + u_i . wall_i [- wall_flow_i], u has four
 * components per particle. */
void mo_fluid_rates(mo_fluid *fluid, const float *u, bool walls_move, float *rate);

/* Fills the column `pressure` from k (and optionally another): the momentum flux of k, which is
 * k delta^2 times the mean gradient of a linear field by the pair sums. */
void mo_fluid_store_pressure(mo_fluid *fluid, const float *k, const float *other);

/* v += h acceleration, x += h v. */
void mo_fluid_kick_by_pressure(mo_fluid *fluid, double h);
void mo_fluid_kick(mo_fluid *fluid, double h); /* v += h a */
void mo_fluid_drift(mo_fluid *fluid, double h);

/* Average and maximum density error of the current densities. */
mote_status mo_fluid_measure_density(mo_fluid *fluid, double *mean, double *most,
                                     mote_error *error);

/* Gravity at a time. */
mo_vec3 mo_fluid_gravity(const mo_fluid *fluid, double time);

#endif
