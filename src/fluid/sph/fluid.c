/*
 * Neighbours and packing: from the store's doubles to the arrays of pair loops.
 */
#include "fluid/sph/fluid.h"

#include "fluid/sph/layers.h"
#include "fluid/sph/response.h"
#include "fluid/sph/wall_entries.h"
#include "math/portable.h"

#include <math.h>

enum { FLUID_SET, WALL_SET, PACK_GRAIN = 4096 };

/* Differences of fixed-point positions must fit into 32 bits, so positions into 31. */
#define COUNTS 1073741824.0

/* Lists extend slightly beyond the support, where kernels are 0: on a lattice many pairs are
 * exactly at the support, which an exact search would test twice. */
#define REACH (1 + 1e-3)

/* A coarser unit, in spacings, would affect the densities. */
#define COARSEST 1e-4

void mo_fluid_set_kernel(mo_fluid *f, mo_kernel kernel)
{
    f->kernel = kernel;
    mo_walls_set_kernel(&f->walls, &f->kernel, f->dimension, f->spacing / f->support);
}

mote_status mo_fluid_want_layers(mo_fluid *f, mote_error *error)
{
    f->walls.layers.wanted = true;
    return mo_search_ask(f->search, WALL_SET, FLUID_SET, MO_LISTS_FULL, error);
}

mote_status mo_fluid_init(mo_fluid *f, mo_method neighbors, const mo_domain *domain,
                          mote_error *error)
{
    mo_domain space = *domain;
    int set;
    space.flat = f->dimension == 2;
    f->domain = space;
    mo_walls_init(&f->walls, f->memory, &f->domain);
    mo_reactions_init(&f->reactions, f->memory);
    mo_fluid_set_kernel(f, f->kernel);
    MO_TRY(mo_search_create(neighbors, &space, f->memory, &f->search, error));
    MO_TRY(mo_search_add_set(f->search, REACH * f->support, &set, error));
    MO_TRY(mo_search_add_set(f->search, REACH * f->support, &set, error));
    MO_TRY(mo_search_ask(f->search, FLUID_SET, FLUID_SET, MO_LISTS_FULL, error));
    return mo_search_ask(f->search, FLUID_SET, WALL_SET, MO_LISTS_FULL, error);
}

void mo_fluid_release(mo_fluid *f)
{
    float *const arrays[] = {f->packed,        f->velocity, f->volume, f->acceleration,
                             f->density,       f->diagonal, f->wall,   f->gradient_factor,
                             f->specific,      f->rate,     f->source, f->gradient_sum,
                             f->total_density, f->guess,    f->last,   f->cohesion};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) {
        mo_release(f->memory, arrays[k]);
    }
    mo_reactions_release(&f->reactions);
    mo_response_release(f);
    mo_layers_release(f);
    mo_search_destroy(f->search);
    mo_walls_release(&f->walls);
}

/* ---- memory ---- */

static mote_status reserve_floats(mo_memory *memory, float **array, int64_t *capacity, int64_t need,
                                  mote_error *error)
{
    return mo_reserve(memory, array, capacity, need, sizeof(float), error);
}

static mote_status reserve(mo_fluid *f, mote_error *error)
{
    int64_t rows = f->rows, slots = f->slots, samples = f->walls.slots;
    MO_TRY(reserve_floats(f->memory, &f->packed, &f->packed_capacity, 4 * slots + 4, error));
    MO_TRY(reserve_floats(f->memory, &f->velocity, &f->velocity_capacity, 4 * slots + 4, error));
    MO_TRY(reserve_floats(f->memory, &f->acceleration, &f->acceleration_capacity, 4 * slots + 4,
                          error));
    MO_TRY(reserve_floats(f->memory, &f->volume, &f->volume_capacity, slots, error));
    MO_TRY(reserve_floats(f->memory, &f->density, &f->density_capacity, rows, error));
    MO_TRY(reserve_floats(f->memory, &f->total_density, &f->total_density_capacity, rows, error));
    MO_TRY(reserve_floats(f->memory, &f->gradient_sum, &f->gradient_sum_capacity, rows, error));
    MO_TRY(reserve_floats(f->memory, &f->diagonal, &f->diagonal_capacity, rows, error));
    MO_TRY(reserve_floats(f->memory, &f->specific, &f->specific_capacity, slots, error));
    MO_TRY(reserve_floats(f->memory, &f->rate, &f->rate_capacity, rows, error));
    MO_TRY(reserve_floats(f->memory, &f->source, &f->source_capacity, rows, error));
    MO_TRY(reserve_floats(f->memory, &f->guess, &f->guess_capacity, rows, error));
    MO_TRY(reserve_floats(f->memory, &f->last, &f->last_capacity, rows, error));
    MO_TRY(reserve_floats(f->memory, &f->wall, &f->wall_capacity, 4 * rows, error));
    MO_TRY(reserve_floats(f->memory, &f->gradient_factor, &f->gradient_factor_capacity,
                          f->lists->index_capacity, error));
    MO_TRY(reserve_floats(f->memory, &f->walls.packed, &f->walls.packed_capacity, 4 * samples + 4,
                          error));
    MO_TRY(reserve_floats(f->memory, &f->walls.velocity, &f->walls.velocity_capacity,
                          4 * samples + 4, error));
    if (!f->walls.lists) {
        return MOTE_OK;
    }
    return reserve_floats(f->memory, &f->walls.gradient_factor, &f->walls.gradient_factor_capacity,
                          f->walls.lists->index_capacity, error);
}

/* ---- bounding box ---- */

/* partial: the largest of -x, -y, -z, x, y, z */
static void bound_range(void *context, int64_t first, int64_t last, double *partial)
{
    const double *x = context;
    for (int k = 0; k < 6; ++k) {
        partial[k] = -INFINITY;
    }
    for (int64_t row = first; row < last; ++row) {
        for (int k = 0; k < 3; ++k) {
            double value = x[3 * row + k];
            partial[k] = -value > partial[k] ? -value : partial[k];
            partial[k + 3] = value > partial[k + 3] ? value : partial[k + 3];
        }
    }
}

static mote_status bound(mo_fluid *f, const double *x, int64_t count, double box[6],
                         mote_error *error)
{
    double part[6];
    if (count == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_parallel_reduce(f->pool, count, PACK_GRAIN, MO_MAX, 6, bound_range, (void *)x, part,
                              error));
    for (int k = 0; k < 6; ++k) {
        box[k] = fmax(box[k], part[k]);
    }
    return MOTE_OK;
}

/* The unit is a power of two, so that positions do not jitter with the box. */
static mote_status choose_unit(mo_fluid *f, const double *x, mote_error *error)
{
    double box[6] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY},
           extent = f->support;
    MO_TRY(bound(f, x, f->slots, box, error));
    MO_TRY(bound(f, f->walls.halo->x, f->walls.slots, box, error));
    for (int k = 0; k < 3; ++k) {
        extent = fmax(extent, box[k] + box[k + 3]);
    }
    int exponent;
    double mantissa = frexp(extent / COUNTS, &exponent); /* from 1/2 on, below 1 */
    f->unit = ldexp(1, mantissa > 0.5 ? exponent : exponent - 1);
    for (int k = 0; k < 3; ++k) {
        f->origin[k] = floor(-box[k] / f->support) * f->support;
    }
    if (f->unit > COARSEST * f->spacing) {
        return mo_fail(
            error, MOTE_ERROR_NUMERIC,
            "the fluid extends over %g m, too far for a spacing of %g m; particles have leaked or "
            "are in free fall: close the container, or remove escaping particles with "
            "fluid.remove",
            extent, f->spacing);
    }
    return MOTE_OK;
}

/* ---- packing ---- */

/* Positions of the rows and their ghosts in the halo, from the store: lists are reused for small
 * displacements within a step. */
typedef struct packing {
    const mo_fluid *fluid;
    const mo_halo *halo;
    const double *x; /* of the rows */
    float *packed;
    const float *number; /* the fourth component, one per particle; NULL: unchanged */
} packing;

/* Rows of domains without a period: no ghosts, no shifts. */
static void pack_rows(const packing *p, int64_t first, int64_t last)
{
    const mo_fluid *f = p->fluid;
    double per_unit = 1 / f->unit;
    const double origin[3] = {f->origin[0], f->origin[1], f->origin[2]};
    for (int64_t k = first; k < last; ++k) {
        const double *x = p->x + 3 * k;
        mo_i4 packed = {mo_fluid_count((x[0] - origin[0]) * per_unit),
                        mo_fluid_count((x[1] - origin[1]) * per_unit),
                        mo_fluid_count((x[2] - origin[2]) * per_unit), 0};
        mo_f4 with_number = (mo_f4)packed;
        with_number[3] = p->number ? p->number[k] : p->packed[4 * k + 3];
        mo_f4_store(p->packed + 4 * k, with_number);
    }
}

static bool is_periodic(const mo_domain *domain)
{
    return domain->periodic[0] || domain->periodic[1] || domain->periodic[2];
}

static void pack_positions(void *context, int64_t first, int64_t last)
{
    const packing *p = context;
    const mo_fluid *f = p->fluid;
    double per_unit = 1 / f->unit;
    if (!is_periodic(&p->halo->domain)) {
        pack_rows(p, first, last);
        return;
    }
    for (int64_t k = first; k < last; ++k) {
        int32_t packed[3];
        for (int c = 0; c < 3; ++c) {
            packed[c] =
                mo_fluid_count((mo_halo_along(p->halo, p->x, k, c) - f->origin[c]) * per_unit);
        }
        memcpy(p->packed + 4 * k, packed, sizeof packed);
        if (p->number) {
            p->packed[4 * k + 3] = p->number[k];
        }
    }
}

void mo_fluid_repack(mo_fluid *f)
{
    packing p = {f, f->halo, mo_f64(f->columns.x), f->packed, f->volume};
    mo_parallel_for(f->pool, f->slots, PACK_GRAIN, pack_positions, &p);
}

static void pack_wall_positions(mo_fluid *f)
{
    mo_walls *w = &f->walls;
    packing p = {f, w->halo, w->x, w->packed, NULL};
    mo_parallel_for(f->pool, w->slots, PACK_GRAIN, pack_positions, &p);
}

void mo_fluid_repack_walls(mo_fluid *f, double time)
{
    if (f->walls.moves) {
        mo_walls_move(&f->walls, time, f->support);
        pack_wall_positions(f);
    }
}

/* Speeds below this are zero [m/s], to avoid denormal numbers, which are frequent in quiescent
 * fluid and ten times slower. */
#define SLOWEST 1e-18

static void pack_velocities(void *context, int64_t first, int64_t last)
{
    const mo_fluid *f = context;
    const double *v = mo_f64(f->columns.v);
    for (int64_t k = first; k < last; ++k) {
        for (int c = 0; c < 3; ++c) {
            double u = v[3 * k + c];
            f->velocity[4 * k + c] = fabs(u) > SLOWEST ? (float)u : 0;
        }
        f->velocity[4 * k + 3] = 0;
    }
}

void mo_fluid_pack_velocities(mo_fluid *f)
{
    mo_parallel_for(f->pool, f->rows, PACK_GRAIN, pack_velocities, f);
    mo_fluid_spread4(f, f->velocity);
}

static void pack_rest_densities(void *context, int64_t first, int64_t last)
{
    mo_fluid *f = context;
    for (int64_t row = first; row < last; ++row) {
        f->velocity[4 * row + 3] = 1 / f->specific[row];
    }
}

bool mo_fluid_mixed(const mo_fluid *f)
{
    bool mixed = false;
    for (int k = 1; k < f->phase_count; ++k) {
        mixed = mixed || f->phases[k].density != f->phases[0].density;
    }
    return mixed;
}

bool mo_fluid_pack_rest_densities(mo_fluid *f)
{
    bool mixed = mo_fluid_mixed(f);
    if (mixed) {
        mo_parallel_for(f->pool, f->rows, PACK_GRAIN, pack_rest_densities, f);
        mo_fluid_spread4(f, f->velocity);
    }
    return mixed;
}

typedef struct spreading {
    const mo_fluid *fluid;
    const float *number;
} spreading;

static void pack_numbers(void *context, int64_t first, int64_t last)
{
    const spreading *s = context;
    const mo_fluid *f = s->fluid;
    for (int64_t k = first; k < last; ++k) {
        f->packed[4 * k + 3] = s->number[mo_halo_row(f->halo, k)];
    }
}

void mo_fluid_pack_numbers(mo_fluid *f, const float *number)
{
    spreading s = {f, number};
    mo_parallel_for(f->pool, f->slots, PACK_GRAIN, pack_numbers, &s);
}

void mo_fluid_pack_image_numbers(mo_fluid *f, const float *number)
{
    spreading s = {f, number};
    pack_numbers(&s, f->rows, f->slots);
}

void mo_fluid_spread4(mo_fluid *f, float *field)
{
    mo_halo_update_f32(f->halo, field, 4, f->pool);
}

/* ---- volumes ---- */

static void volume_range(void *context, int64_t first, int64_t last)
{
    mo_fluid *f = context;
    const double *mass = mo_f64(f->columns.mass);
    const int32_t *phase = f->columns.phase->data;
    double scale = 1 / mo_power(f->support, f->dimension);
    for (int64_t k = first; k < last; ++k) {
        int64_t row = mo_halo_row(f->halo, k);
        double density =
            f->phases[(uint32_t)phase[row] < (uint32_t)f->phase_count ? phase[row] : 0].density;
        f->volume[k] = (float)(mass[row] / density * scale);
        f->specific[k] = (float)(1 / density);
    }
}

/* Volumes and velocities of samples. */
static void pack_walls(void *context, int64_t first, int64_t last)
{
    mo_fluid *f = context;
    mo_walls *w = &f->walls;
    double scale = 1 / mo_power(f->support, f->dimension);
    for (int64_t k = first; k < last; ++k) {
        int64_t sample = mo_halo_row(w->halo, k);
        bool absent = w->pieces[w->sample_piece[sample]].absent;
        w->packed[4 * k + 3] = absent ? 0 : (float)(w->volumes[sample] * scale);
        for (int c = 0; c < 3; ++c) {
            w->velocity[4 * k + c] = (float)w->v[3 * sample + c];
        }
        w->velocity[4 * k + 3] = 0;
    }
}

/* ---- a step ---- */

/* Indices for the lists of all rows at slightly more than the rest density: neighbours in the
 * support and half a block of padding. */
static int64_t most_indices(const mo_fluid *f)
{
    double ball = (f->dimension == 3 ? 4.0 / 3 : 1) * 3.14159265358979 *
                  mo_power(REACH * f->support / f->spacing, f->dimension) /
                  fmax(f->def->mass_scale, 0.5);
    return (int64_t)((1.15 * ball + 4) * (double)f->rows);
}

static mote_status find_neighbors(mo_fluid *f, mote_error *error)
{
    MO_TRY(mo_search_reserve(f->search, FLUID_SET, FLUID_SET, most_indices(f), error));
    mo_search_set sets[2] = {{f->rows, mo_f64(f->columns.x)}, {f->walls.count, f->walls.x}};
    MO_TRY(mo_search_update(f->search, sets, f->pool, NULL, error));
    f->halo = mo_search_halo(f->search, FLUID_SET);
    f->slots = f->halo->count;
    f->lists = mo_search_lists(f->search, FLUID_SET, FLUID_SET);
    f->walls.halo = mo_search_halo(f->search, WALL_SET);
    f->walls.slots = f->walls.halo->count;
    f->walls.lists = f->walls.count > 0 ? mo_search_lists(f->search, FLUID_SET, WALL_SET) : NULL;
    f->walls.layers.lists = f->walls.layers.wanted && f->walls.count > 0
                                ? mo_search_lists(f->search, WALL_SET, FLUID_SET)
                                : NULL;
    return MOTE_OK;
}

static mote_status pack(mo_fluid *f, mote_error *error)
{
    MO_TRY(choose_unit(f, f->halo->x, error));
    mo_parallel_for(f->pool, f->slots, PACK_GRAIN, volume_range, f);
    mo_fluid_repack(f);
    pack_wall_positions(f);
    mo_parallel_for(f->pool, f->walls.slots, PACK_GRAIN, pack_walls, f);
    return MOTE_OK;
}

mote_status mo_fluid_update(mo_fluid *f, double time, mote_error *error)
{
    f->rows = mo_store_owned(f->store);
    mo_walls_move(&f->walls, time, f->support);
    MO_TRY(find_neighbors(f, error));
    f->reactions_laid = false;
    MO_TRY(reserve(f, error));
    MO_TRY(mo_layers_reserve(f, error));
    MO_TRY(pack(f, error));
    MO_TRY(mo_wall_entries_layout(f, error));
    MO_TRY(mo_response_layout(f, error));
    mo_fluid_pack_velocities(f);
    mo_fluid_refresh(f);
    return mo_fluid_measure_density(f, &f->report.density_error, &f->report.density_error_max,
                                    error);
}

/* ---- motion ---- */

typedef struct motion {
    double *to;
    const double *from;
    const float *acceleration;
    double h;
} motion;

static void add_range(void *context, int64_t first, int64_t last)
{
    const motion *m = context;
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        m->to[k] += m->h * m->from[k];
    }
}

static void kick_range(void *context, int64_t first, int64_t last)
{
    const motion *m = context;
    for (int64_t row = first; row < last; ++row) {
        for (int k = 0; k < 3; ++k) {
            m->to[3 * row + k] += m->h * (double)m->acceleration[4 * row + k];
        }
    }
}

void mo_fluid_kick_by_pressure(mo_fluid *f, double h)
{
    motion m = {.to = mo_f64(f->columns.v), .acceleration = f->acceleration, .h = h};
    mo_parallel_for(f->pool, f->rows, PACK_GRAIN, kick_range, &m);
}

void mo_fluid_kick(mo_fluid *f, double h)
{
    motion m = {.to = mo_f64(f->columns.v), .from = mo_f64(f->columns.a), .h = h};
    mo_parallel_for(f->pool, f->rows, PACK_GRAIN, add_range, &m);
}

void mo_fluid_drift(mo_fluid *f, double h)
{
    motion m = {.to = mo_f64(f->columns.x), .from = mo_f64(f->columns.v), .h = h};
    mo_parallel_for(f->pool, f->rows, PACK_GRAIN, add_range, &m);
}
