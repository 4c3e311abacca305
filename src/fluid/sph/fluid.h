/*
 * The fluid: particles, their neighbours, and the few sums over pairs that every method of SPH is
 * made of.
 *
 * Volumes, not masses. A particle stands for the volume V = m/rho0 it has at rest. What the sums
 * give is the number delta = rho/rho0 = sum_j V_j W_ij, 1 where the fluid is as dense as at rest,
 * and forces are written with volumes and pressures:
 *     m_i a_i = -sum_j V_i V_j (k_i + k_j) grad W_ij,    k = p/delta^2,
 * which for one fluid is the usual m_i m_j (p_i/rho_i^2 + p_j/rho_j^2) grad W. With several fluids
 * nothing jumps at their interface (B. Solenthaler, R. Pajarola 2008), so there is nothing else to
 * be done for them.
 *
 * What a pair costs. A pass over all pairs is bound by loads. Positions are packed as 32-bit
 * integers, multiples of `unit` from an origin: differences are exact wherever in the world a
 * particle is (floats would need an origin for each cell), a neighbour's place and one number of it
 * (`k`, say) come with one 16-byte load, and the difference becomes a float. The kernel is
 * evaluated once a step: what is kept of it is one float a pair,
 *     slope_ij = V_j (dW/dr)/r,    so that    V_j grad W_ij = slope_ij x_ij.
 * So a pass reads 8 bytes a pair in order and 16 at random from the cache, knows nothing of
 * kernels, and is the same code for all of them. Keeping the gradients (12 bytes more a pair) was
 * rejected for the memory and its bandwidth, evaluating the kernel in each pass for its square root
 * and its dispatch. A pair and its mirror image have the same slope up to V, bit for bit, since
 * x_ij = -x_ji exactly: momentum is kept to rounding.
 *
 * The boundary. Whatever a boundary method is made of, it adds L_i to the density of a row. Its
 * sums that solvers need are taken once a step,
 *     wall_i = grad L_i,    wall_flow_i = v_solid . grad L_i    (walls.h),
 * and no pass of a solver goes over the boundary again.
 *
 * State is in the columns of the store, in double; everything in this struct is made from it anew
 * each step.
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

/* Spacings along an axis that fixed-point positions of 31 bits hold with four digits of a spacing
 * left. */
#define MO_FLUID_LONGEST 1e5

/* A solve that ended above the tolerance that the scene asks for. */
typedef struct mo_fluid_unsolved {
    const char *solve; /* which, NULL: none did */
    bool divergence;   /* its parameters are divergence_tolerance and max_divergence_iterations */
    int iterations;
    double residual, tolerance;
} mo_fluid_unsolved;

/* What a step did, for the report. Errors are fractions of the rest density, compression only. */
typedef struct mo_fluid_report {
    /* mean and largest, at the positions that the step began with */
    double density_error, density_error_max;
    int iterations, divergence_iterations; /* of all solves of a kind together */
    int iterations_most;                   /* of one solve */
    double residual,
        /* what the solver itself believes is left, of the last solve of a kind */
        divergence_residual;
    mo_fluid_unsolved unsolved; /* the worst */
    bool divergence_unsolved;
    double
        /* compression that is everywhere and cannot be taken back at once (pressure/solve.h),
         * else 0 */
        crowded;
} mo_fluid_report;

/* The columns of the store, by what they are for. */
typedef struct mo_fluid_columns {
    mo_column *x, *v, *a, *mass, *phase, *density, *pressure;
    mo_column *step_density; /* as the last step found it, only where a solver goes on from it */
} mo_fluid_columns;

/* Terms, in the order in which they act (term/term.h). */
typedef struct mo_terms {
    int count;
    mo_instance *list;
    double time;  /* at which accelerations are asked for */
    int64_t *map; /* of rows that move, for terms that ask for it */
    int64_t capacity, map_capacity;
} mo_terms;

/* The response of free bodies (sph/response.h). */
typedef struct mo_response {
    int64_t count;    /* of entries of free bodies; 0: no row meets one */
    mo_reactions sum; /* wrenches of the bodies */
    mo_wrench *wrench;
    mo_twist *twist;
    int64_t wrench_capacity, twist_capacity;
} mo_response;

typedef struct mo_fluid {
    mo_memory *memory;
    mo_pool *pool;
    mo_store *store;
    mo_fluid_columns columns;
    /* what never changes */
    const mo_fluid_def *def;
    int dimension;
    double spacing, support;
    mo_kernel kernel; /* with support 1: lengths in units of the support */
    mo_curve gravity_factor;
    mo_vec3 gravity;
    mo_domain domain;
    mo_search *search;
    mo_walls walls;
    int phase_count;
    const mo_phase_def *phases;
    mo_instance pressure, boundary, shifting; /* see fluid/methods.h */
    mo_terms terms;
    /* reactions (boundary/reaction.h): summed only if somebody wants them */
    bool reacts, reactions_laid;
    mo_reactions reactions;
    mo_response response;

    /* of a step: rows are the particles, places the local and ghost particles of the halo */
    int64_t rows, places;
    const mo_halo *halo;
    double origin[3], unit;
    float *place;    /* places x (x, y, z as integers, one number of the method's choice) */
    float *velocity; /* places x (v, 0) */
    float *volume;   /* places: V_j/support^d */
    float *push;     /* places x (a, 0): accelerations by pressure */
    float *density;  /* rows: delta */
    /* rows: the same with the integral of W over solids, which viscosity is divided by */
    float *crowd;
    float *diagonal; /* rows: see mo_fluid_refresh */
    /* rows: (spacing |2 sum_j V_j grad W + wall_i|)^2, what one pressure for all does */
    float *bare;
    float *wall;          /* rows x (wall_i, wall_flow_i) */
    float *slope;         /* one for each index of the lists */
    float *specific;      /* places: 1/rho0 */
    float *rate, *source; /* rows: for solvers, and for other forces while these are found */
    float *guess, *last;  /* rows: pressures of an accelerated iteration (pressure/solve.h) */
    const mo_lists *lists;
    int64_t place_capacity, velocity_capacity, volume_capacity, push_capacity, density_capacity,
        crowd_capacity, diagonal_capacity, bare_capacity, wall_capacity, slope_capacity,
        specific_capacity, rate_capacity, source_capacity, guess_capacity, last_capacity;
    mo_fluid_report report;
} mo_fluid;

/* Eight pairs of one row: x = x_i - x_j in metres, `own` the number packed with the place of j,
 * slope as above (0 where there is no pair). */
typedef struct mo_fluid_pairs {
    mo_f8 x, y, z, own, slope;
    const int32_t *j;
} mo_fluid_pairs;

/* A row about to meet its neighbours. */
typedef struct mo_fluid_row {
    mo_i8 x, y, z;
    mo_f8 unit;
    int64_t first, last; /* of its indices, in steps of eight */
} mo_fluid_row;

/* Of `bare`: 0.2^2 is the most inside a fluid, 0.7^2 the least at a surface. */
#define MO_FLUID_BARE 0.25f

/* A row is at a free surface: it has less than this part of its density, and neighbours on one side
 * only. In strained fluid the first alone happens inside too. */
MO_INLINE bool mo_fluid_at_surface(const mo_fluid *f, int64_t row, float part)
{
    return f->density[row] < part && f->bare[row] > MO_FLUID_BARE;
}

/* A fixed-point coordinate. Divergence within a step is detected at its end. */
MO_INLINE int32_t mo_fluid_count(double at)
{
    return fabs(at) < 2147483648.0 ? (int32_t)at : 0;
}

MO_INLINE mo_fluid_row mo_fluid_row_of(const mo_fluid *f, int64_t row)
{
    int32_t p[4];
    memcpy(p, f->place + 4 * row, sizeof p);
    int64_t first = f->lists->start[row];
    return (mo_fluid_row){mo_i8_set(p[0]),           mo_i8_set(p[1]), mo_i8_set(p[2]),
                          mo_f8_set((float)f->unit), first,           first + f->lists->count[row]};
}

/* The position of a row as it is packed, within one period. */
MO_INLINE mo_vec3 mo_fluid_position(const mo_fluid *f, int64_t row)
{
    int32_t p[3];
    memcpy(p, f->place + 4 * row, sizeof p);
    return mo_vec3_make(f->origin[0] + f->unit * p[0], f->origin[1] + f->unit * p[1],
                        f->origin[2] + f->unit * p[2]);
}

/* The differences to eight places of `place`. */
MO_INLINE mo_fluid_pairs mo_fluid_differences(const mo_fluid_row *row, const float *place,
                                              const int32_t *j)
{
    mo_f8 p[4];
    mo_f8_load4(place, j, p);
    return (mo_fluid_pairs){.x = mo_f8_from_i8(row->x - (mo_i8)p[0]) * row->unit,
                            .y = mo_f8_from_i8(row->y - (mo_i8)p[1]) * row->unit,
                            .z = mo_f8_from_i8(row->z - (mo_i8)p[2]) * row->unit,
                            .own = p[3],
                            .j = j};
}

/* The same in units: exact, and without a product for each coordinate. */
MO_INLINE mo_fluid_pairs mo_fluid_counts(const mo_fluid_row *row, const float *place,
                                         const int32_t *j)
{
    mo_f8 p[4];
    mo_f8_load4(place, j, p);
    return (mo_fluid_pairs){.x = mo_f8_from_i8(mo_i8_less(row->x, (mo_i8)p[0])),
                            .y = mo_f8_from_i8(mo_i8_less(row->y, (mo_i8)p[1])),
                            .z = mo_f8_from_i8(mo_i8_less(row->z, (mo_i8)p[2])),
                            .own = p[3],
                            .j = j};
}

/* Lists of large fluids come from memory, and a row is too short for the processor to see the
 * stream in time: fetches the pairs of a row that comes soon. */
enum { MO_FLUID_AHEAD = 8, MO_FLUID_LINE = 16 };
MO_INLINE void mo_fluid_prefetch(const mo_fluid *f, int64_t row)
{
    int64_t at = f->lists->start[row + MO_FLUID_AHEAD < f->rows ? row + MO_FLUID_AHEAD : row];
    __builtin_prefetch(f->lists->index + at);
    __builtin_prefetch(f->lists->index + at + MO_FLUID_LINE);
    __builtin_prefetch(f->slope + at);
    __builtin_prefetch(f->slope + at + MO_FLUID_LINE);
}

/* The pairs `at` and the seven behind, of row->first to row->last. */
MO_INLINE mo_fluid_pairs mo_fluid_pairs_at(const mo_fluid *f, const mo_fluid_row *row, int64_t at)
{
    mo_fluid_pairs p = mo_fluid_differences(row, f->place, f->lists->index + at);
    p.slope = mo_f8_load(f->slope + at);
    return p;
}

/* The same with the walls: row->first and last are replaced by those of the wall's list. */
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
    mo_fluid_pairs p = mo_fluid_differences(row, f->walls.place, f->walls.lists->index + at);
    p.slope = mo_f8_load(f->walls.slope + at);
    return p;
}

/* The kernel of densities, with support 1, and the boundary's with it; before boundaries are
 * created. */
void mo_fluid_set_kernel(mo_fluid *fluid, mo_kernel kernel);

/* The parts of a fluid that need no scene; the caller fills what never changes and the columns
 * first. */
mote_status mo_fluid_init(mo_fluid *fluid, mo_method neighbors, const mo_domain *domain,
                          mote_error *error);
void mo_fluid_release(mo_fluid *fluid);

/* Samples of the boundary have pressures of their own (layers.h); before the first update. */
mote_status mo_fluid_want_layers(mo_fluid *fluid, mote_error *error);

/* Neighbours, packed places and velocities of the state as it is, walls at `time`; then everything
 * that mo_fluid_refresh gives, and how compressed it is, into the report. */
mote_status mo_fluid_update(mo_fluid *fluid, double time, mote_error *error);

/* Packs the positions of the store again and keeps the lists, volumes beside the places: for
 * methods that move particles within a step (less than half a period). mo_fluid_refresh comes
 * next. */
void mo_fluid_repack(mo_fluid *fluid);

/* The same of the samples of walls that move, at a time within the step. */
void mo_fluid_repack_walls(mo_fluid *fluid, double time);

/* From places and lists: slopes, densities, wall sums, and
 *     diagonal_i = |sum_j V_j grad W + wall_i|^2 + sum_j V_i V_j |grad W|^2 rho0_i/rho0_j,
 * so that -diagonal_i/rho0_i is what the density's rate of change L_i at i feels of k_i (see
 * pressure/solve.h):
 *     L_i = sum_j V_j (a_i - a_j) . grad W_ij + a_i . wall_i,
 *     d a_i/d k_i = -(sum_j V_j grad W_ij + wall_i)/rho0_i,    d a_j/d k_i = +V_i grad W_ij/rho0_j,
 * the second by the neighbour's own inertia: a heavy particle among light ones moves these, not
 * itself. With one rest density for all, particles have one volume too and the second sum is that
 * of |V_j grad W|^2, which the first pass has anyway. */
void mo_fluid_refresh(mo_fluid *fluid);

/* From places and lists densities alone, at half the cost; slopes and wall sums stay as they
 * are. */
void mo_fluid_densities(mo_fluid *fluid);

/* Slopes and wall sums of another kernel (with support 1) from now on; densities stay. Packs the
 * volumes. */
void mo_fluid_slopes(mo_fluid *fluid, const mo_kernel *kernel);

/* Packs the velocities of the store. */
void mo_fluid_pack_velocities(mo_fluid *fluid);

/* Phases differ in their rest densities. */
bool mo_fluid_mixed(const mo_fluid *fluid);

/* Rest densities as the fourth numbers of the velocities, which are 0 else
 * (mo_fluid_pack_velocities makes them so again): true. False, and nothing done, if there is one
 * density only. */
bool mo_fluid_pack_rest_densities(mo_fluid *fluid);

/* One number per particle beside each position, ghosts included. */
void mo_fluid_pack_numbers(mo_fluid *fluid, const float *number);

/* The same beside the images only, where the caller has packed those of the rows. */
void mo_fluid_pack_image_numbers(mo_fluid *fluid, const float *number);

/* Four components per row, to the images. */
void mo_fluid_spread4(mo_fluid *fluid, float *field);

/* push = -(1/rho0) (sum_j V_j (k_i + k_j) grad W_ij + k_i wall_i), images included; k must have
 * been packed. Samples with pressures of their own (layers.h) act with those too. */
void mo_fluid_push(mo_fluid *fluid, const float *k);

/* rate_i = sum_j V_j (u_i - u_j) . grad W_ij + u_i . wall_i [- wall_flow_i], u four numbers a
 * place. */
void mo_fluid_rates(mo_fluid *fluid, const float *u, bool walls_move, float *rate);

/* Fills the column `pressure` from k (and another, may be NULL, that acted too): the momentum flux
 * that k transmits, which is k delta^2 times the mean gradient of a linear field by the sums over
 * pairs. */
void mo_fluid_show_pressure(mo_fluid *fluid, const float *k, const float *other);

/* v += h push, x += h v. */
void mo_fluid_kick_by_push(mo_fluid *fluid, double h);
void mo_fluid_kick(mo_fluid *fluid, double h); /* v += h a */
void mo_fluid_drift(mo_fluid *fluid, double h);

/* Mean and largest compression of the densities as they are. */
mote_status mo_fluid_measure_density(mo_fluid *fluid, double *mean, double *most,
                                     mote_error *error);

/* Gravity at a time. */
mo_vec3 mo_fluid_gravity(const mo_fluid *fluid, double time);

#endif
