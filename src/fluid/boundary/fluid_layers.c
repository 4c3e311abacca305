/*
 * Fixed fluid particles behind every surface, as deep as the support radius, with their own
 * pressures (sph/layers.h): the reference for the other boundaries, for quantitative flows.
 *
 * Particles near a boundary have full neighbourhoods in the same lattice (boundary/solid_cells.h),
 * and hydrostatic pressure is extrapolated linearly behind the surface; so density and pressure
 * gradient are as accurate as in the interior, for any support. S. Band, C. Gissler, M. Ihmsen, J.
 * Cornelis, A. Peer, M. Teschner 2018, ACM Trans. Graph. 37, 14. Departs from the paper: a lattice
 * of several layers instead of one layer of surface samples.
 *
 * Limits. Prescribed colliders only. Through plates thinner than the support radius, fluid on the
 * other side contributes to the density. Each layer of particles costs as one of the fluid.
 */
#include "fluid/boundary/solid_cells.h"
#include "fluid/kernel/lattice.h"
#include "math/portable.h"

#include <math.h>

enum { KEPT, ALL };

typedef struct fluid_layers {
    double margin;
} fluid_layers;

static const mo_param PARAMS[] = {
    {"margin", MO_REAL, MO_FIELD(fluid_layers, margin), .unit = "m", .range = "[0, inf)",
     .doc = "Distance beyond the bounding box of the initial fluid and the other colliders up to "
            "which a plane is sampled; default: the size of that box."},
    {0}};

/* Solids without relative motion. */
typedef struct group {
    mo_fluid *fluid;
    const mo_colliders *colliders;
    mo_extent extent;
    double margin, surplus, whole; /* volume above which cells are complete */
    mo_solid_cells cells;
    int64_t kept; /* of the cells, the first of the group */
} group;

/* Boundary particles act on fluid half a spacing from the surface; deeper cells contribute to
 * their densities. */
static double felt_depth(const mo_fluid *f)
{
    return f->support - 0.5 * f->spacing * (1 + 1e-6);
}

/* Relative excess density of a lattice of full cells, which fluid compensates by expanding and
 * solids cannot. */
static double surplus(const mo_fluid *f)
{
    return fmax(1, mo_lattice_density(&f->kernel, f->dimension, f->spacing / f->support));
}

/* Adds the cells of a collider: a piece, and its samples. */
static mote_status add_piece(group *g, int64_t number, mote_error *error)
{
    mo_fluid *f = g->fluid;
    int64_t first = g->cells.count, sample = f->walls.count;
    mo_solid_cells_def def = {.fluid = f,
                              .colliders = g->colliders,
                              .number = number,
                              .depth = 2 * f->support,
                              .margin = g->margin,
                              .extent = g->extent};
    MO_TRY(mo_walls_add(&f->walls, &g->colliders->list[number], (int)number, error));
    MO_TRY(mo_solid_cells_add(&g->cells, &def, error));
    for (int64_t k = first; k < g->cells.count; ++k) {
        g->cells.volume[k] /= g->surplus;
        if (g->cells.depth[k] < felt_depth(f)) {
            MO_TRY(mo_walls_add_samples(&f->walls, 1, g->cells.x + 3 * k, error));
            f->walls.volumes[sample++] = g->cells.volume[k];
        }
        mo_vec3 x = mo_vec3_load(g->cells.x + 3 * k);
        mo_vec3_store(g->cells.x + 3 * k, mo_pose_apply(&g->colliders->list[number].pose, x));
    }
    return MOTE_OK;
}

/* Upper bound of a boundary particle's density from the solid, that of a plane surface. Cut cells
 * are irregular, and where they are denser the fluid cannot compensate: the pressure would grow
 * without bound. */
static double most_base(const group *g, int64_t row)
{
    const mo_fluid *f = g->fluid;
    const mo_wall_piece *piece = &f->walls.pieces[f->walls.sample_piece[g->kept + row]];
    mo_vec3 x = mo_vec3_load(f->walls.x + 3 * (g->kept + row));
    double spacing = f->spacing / f->support, behind, derivative,
           depth = -mo_collider_gap(&piece->solid, x, NULL);
    float unused;
    mo_lattice_behind(&f->kernel, f->dimension, spacing, &behind, &derivative);
    double weight =
        behind / (double)mo_half_space_at(&f->walls.volume, (float)(0.5 * spacing), &unused);
    double fluid =
        weight * (double)mo_half_space_at(&f->walls.volume, (float)(depth / f->support), &unused);
    return 1 - fluid / g->surplus;
}

/* Whether the surface of a collider cuts cells. */
static bool is_cut(const group *g, const mo_wall_piece *piece)
{
    bool cut = false;
    for (int64_t k = piece->first; k < piece->first + piece->count; ++k) {
        cut = cut || g->fluid->walls.volumes[k] < g->whole;
    }
    return cut;
}

/* base_b of the samples from g->kept on, by all cells of the group. */
static mote_status sum_base(group *g, const mo_search *search)
{
    mo_fluid *f = g->fluid;
    const mo_lists *lists = mo_search_lists(search, KEPT, ALL);
    const double *from = mo_search_halo(search, KEPT)->x;
    const mo_halo *all = mo_search_halo(search, ALL);
    double cell = mo_power(f->support, f->dimension);
    bool cut = false;
    for (int64_t row = 0; row < lists->rows; ++row) {
        const mo_wall_piece *piece = &f->walls.pieces[f->walls.sample_piece[g->kept + row]];
        double sum = 0;
        cut = g->kept + row == piece->first ? is_cut(g, piece) : cut;
        for (int32_t k = 0; k < lists->count[row]; ++k) {
            int64_t j = lists->index[lists->start[row] + k];
            mo_vec3 way = mo_sub(mo_vec3_load(from + 3 * row), mo_vec3_load(all->x + 3 * j));
            double q = mo_length(way) / f->support;
            sum += q < 1 ? g->cells.volume[mo_halo_row(all, j)] / cell * mo_kernel_w(&f->kernel, q)
                         : 0;
        }
        f->walls.layers.base[g->kept + row] = (float)(cut ? fmin(sum, most_base(g, row)) : sum);
    }
    return MOTE_OK;
}

static mote_status find_base(group *g, mote_error *error)
{
    mo_fluid *f = g->fluid;
    mo_wall_layers *l = &f->walls.layers;
    mo_search *search;
    int set;
    MO_TRY(
        mo_reserve(f->memory, &l->base, &l->base_capacity, f->walls.count, sizeof *l->base, error));
    MO_TRY(mo_reserve(f->memory, &g->cells.x, &g->cells.x_capacity, 3 * g->cells.count + 1,
                      sizeof *g->cells.x, error));
    mo_walls_move(&f->walls, 0, f->support);
    MO_TRY(mo_search_create((mo_method){0}, &f->domain, f->memory, &search, error));
    mo_search_set sets[2] = {{f->walls.count - g->kept, f->walls.x + 3 * g->kept},
                             {g->cells.count, g->cells.x}};
    mote_status status = mo_search_add_set(search, f->support, &set, error);
    status = status == MOTE_OK ? mo_search_add_set(search, f->support, &set, error) : status;
    status = status == MOTE_OK ? mo_search_ask(search, KEPT, ALL, MO_LISTS_FULL, error) : status;
    status = status == MOTE_OK ? mo_search_build(search, sets, f->pool, error) : status;
    status = status == MOTE_OK ? sum_base(g, search) : status;
    mo_search_destroy(search);
    return status;
}

static mote_status end_group(group *g, mote_error *error)
{
    mote_status status = g->fluid->walls.count > g->kept ? find_base(g, error) : MOTE_OK;
    g->cells.count = 0;
    g->kept = g->fluid->walls.count;
    return status;
}

static mote_status add_pieces(group *g, mote_error *error)
{
    for (int64_t k = 0; k < g->colliders->count; ++k) {
        if (!g->colliders->list[k].motion.type) {
            MO_TRY(add_piece(g, k, error));
        }
    }
    MO_TRY(end_group(g, error));
    for (int64_t k = 0; k < g->colliders->count; ++k) {
        if (g->colliders->list[k].motion.type) {
            MO_TRY(add_piece(g, k, error));
            MO_TRY(end_group(g, error));
        }
    }
    return MOTE_OK;
}

static mote_status fluid_layers_create(mo_instance *self, mo_fluid *f,
                                       const mo_colliders *colliders, mote_error *error)
{
    const fluid_layers *p = self->method.params;
    group g = {.fluid = f,
               .colliders = colliders,
               .extent = mo_extent_of(f, colliders),
               .margin = p->margin,
               .surplus = surplus(f)};
    g.whole = 0.9 * mo_power(f->spacing, f->dimension) / g.surplus;
    f->walls.plain = true;
    f->walls.even = false;
    mo_walls_set_kernel(&f->walls, &f->kernel, f->dimension, f->spacing / f->support);
    mo_solid_cells_init(&g.cells, f->memory);
    mote_status status = add_pieces(&g, error);
    mo_solid_cells_release(&g.cells);
    return status == MOTE_OK ? mo_fluid_want_layers(f, error) : status;
}

const mo_boundary_type mo_boundary_fluid_layers = {
    .base =
        {.name = "fluid_layers",
         .summary =
             "Layers of fixed fluid particles as deep as the support radius, with pressures of "
             "their own; for quantitative flows.",
         .citation =
             "Band, Gissler, Ihmsen, Cornelis, Peer, Teschner 2018, ACM Trans. Graph. 37, 14",
         .departs =
             "Several layers of a lattice, as deep as the support radius, instead of one layer of "
             "surface samples.",
         .capabilities = MO_PORTABLE,
         .param_size = sizeof(fluid_layers),
         .params = PARAMS},
    .create = fluid_layers_create,
    .sampled = true,
};
