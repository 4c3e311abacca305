/*
 * Walls as samples: places with a velocity and a volume, and a list of samples for each row of the fluid. How they come about
 * is up to a boundary method; what they do to the fluid is the same for all of them.
 *
 * Density and pressure. To the density of a row a sample adds V_b F(r), and what pressure does follows from it:
 *     delta_i = sum_j V_j W_ij + sum_b V_b F_ib,    m_i a_i = -V_i (sum_j V_j (k_i + k_j) grad W_ij + k_i wall_i),
 *     wall_i = grad (sum_b V_b F_ib),    F = a W^2 + b W^n,
 * so that forces are the gradient of an energy and rates of density their transpose: walls give no energy to the fluid, and
 * implicit systems are symmetric. The usual samples add V_b W and push with their own pressure beside the row's, as much again:
 *     (p_i/delta_i^2 + p_b) V_b grad W_ib,    p_b = p_i
 * (N. Akinci et al. 2012 with the pressure mirrored). That is twice the gradient of what they add: no energy has it as its
 * gradient, and fluids at rest gain speed by it until they boil. Without p_b the same pressure everywhere would pull fluid to
 * its walls. F has both where fluid has its first layer, a spacing from the samples: a and b are chosen so that a lattice has the
 * density there that it has inside, and that one pressure for all moves nothing. For narrow kernels W^2 nearly does that alone; wide
 * ones are flat near a wall, and need the steeper part to stop a particle that comes alone: n is 4 where that is enough, since a steep
 * core compresses single particles in impacts, and 6 where it is not. Some are too flat even so: mo_walls_hold tells.
 *
 * Plain samples add V_b W, for solvers whose sums of pressures leave walls out (isph): their particles are spread evenly by
 * shifting and keep 1.2 to 1.6 spacings from the samples, where F would call them a surface.
 *
 * Samples stand in the frame of their collider and are put where it is at the time of the step.
 */
#ifndef MO_FLUID_SPH_WALLS_H
#define MO_FLUID_SPH_WALLS_H

#include "collide/responder.h"
#include "fluid/kernel/kernel.h"
#include "math/wide.h"
#include "neighbor/search.h"

/* Of F = a W^2 + b W^n, n = 4 or 6: one of the last two is 0. */
typedef struct mo_wall_firmness {
    float square, fourth, sixth;
} mo_wall_firmness;

/* F for values of W. */
MO_INLINE mo_f8 mo_wall_density(mo_wall_firmness firm, mo_f8 w)
{
    mo_f8 w2 = w * w;
    return w2 * (firm.square + w2 * (firm.fourth + w2 * firm.sixth));
}

/* dF/dW. */
MO_INLINE mo_f8 mo_wall_slope(mo_wall_firmness firm, mo_f8 w)
{
    mo_f8 w2 = w * w;
    return 2 * w * (firm.square + w2 * (2 * firm.fourth + w2 * 3 * firm.sixth));
}

/* The samples of one collider: a range of all. */
typedef struct mo_wall_piece {
    int64_t first, count;
    int collider;
    mo_method motion; /* absent: it stands still */
    int body;         /* of the responder; -1: it is prescribed */
    mo_vec3 center;   /* of its torques, at the time of the last mo_walls_move */
} mo_wall_piece;

typedef struct mo_walls {
    mo_memory *memory;
    int piece_count;
    mo_wall_piece *pieces;
    int64_t count;
    double *rest;              /* 3 a sample, in the frame of the collider */
    double *x, *v;             /* 3 a sample, at the time of the last mo_walls_move, and one number more */
    double *volume;            /* m^d */
    int32_t *collider, *piece; /* of a sample */
    const mo_responder *responder; /* of bodies that are free to move; NULL: there are none */
    int64_t collider_capacity, sample_piece_capacity, piece_capacity, rest_capacity, x_capacity, v_capacity,
        volume_capacity;
    bool moves; /* some piece has a motion */

    /* of a step, packed as the fluid's own (fluid.h) */
    float *place;    /* (x, y, z as integers, V/support^d) */
    float *velocity; /* (v, 0) */
    float *slope;    /* V_b (dW/dr)/r, one for each index of the lists */
    float *firm;     /* V_b (dF/dr)/r; twice the slope of plain samples, which is their mirrored push */
    mo_wall_firmness firmness;
    bool
        soft; /* b = 0: for equations of state, whose sound grows with densities and would end all steps at a core */
    bool plain; /* V_b W without pressure of their own, see above */
    int64_t places, place_capacity, velocity_capacity, slope_capacity, firm_capacity;
    const mo_lists *lists; /* NULL if there are no walls */
    const mo_halo *halo;   /* samples, and their images beyond periodic borders */
} mo_walls;

void mo_walls_init(mo_walls *walls, mo_memory *memory);
void mo_walls_release(mo_walls *walls);

/* More samples, of one collider; x has three numbers each, in the collider's frame. Volumes are 0 until they are set. */
mote_status mo_walls_add(mo_walls *walls, int collider, mo_method motion, int64_t count, const double *x,
                         mote_error *error);

/* For a kernel with support 1, and samples and particles at this spacing; volumes of samples are those of the kernel `sampling`. */
mo_wall_firmness mo_walls_firmness(const mo_kernel *kernel, const mo_kernel *sampling, int dimension,
                                   double spacing, bool soft);

/* The density of a particle that is alone with a wall and on its very samples: if it is not well above 1, walls do not stop it. */
double mo_walls_hold(const mo_kernel *kernel, int dimension, double spacing);

/* The pose of a piece's collider or body at `time`, and the centre that its torques are about. */
mo_pose mo_walls_pose(const mo_walls *walls, const mo_wall_piece *piece, double time, mo_vec3 *center);

/* To where the colliders are at `time`. */
void mo_walls_move(mo_walls *walls, double time);

#endif
