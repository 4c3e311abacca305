/*
 * The boundary of a fluid: solids that add to its density, exert pressure and friction, and feel
 * the reaction.
 *
 * Density and pressure. A solid adds L_i to the density of a row, and the pressure force follows
 * from it, whatever the boundary method:
 *     delta_i = sum_j V_j W_ij + L_i,    m_i a_i = -V_i (sum_j V_j (k_i + k_j) grad W_ij + k_i
 *                                        wall_i),
 *     wall_i = grad L_i.
 * Forces are the gradient of an energy and rates of density their transpose: boundaries give no
 * energy to the fluid, and implicit systems are symmetric. Mirrored pressures (N. Akinci et al.
 * 2012 with p_b = p_i) act with twice the gradient of what they add, which no energy has, and
 * quiescent fluid gains kinetic energy by it; `mirror` is 2 for methods that are published so, else
 * 1.
 *
 * Where L comes from. Two kinds of boundaries:
 *     maps      the solid is a continuum; L by its distance, on a grid around it (map/solid_map.h)
 *     samples   boundary particles with volumes, L_i = sum_b V_b F(r_ib); lists hold a row's
 *               samples
 * F is the boundary kernel of map/half_space.h, which makes a lattice half a spacing from a plane
 * rest there.
 *
 * Entries. What a row has to do with one solid is an entry: the gradient of its part of L, its
 * distance and velocity. Reactions, responses of free bodies and friction go over entries, and none
 * over samples. Rows that are near no solid have none. In periodic domains the images of a solid
 * are entries of their own.
 *
 * Solids are posed at the time of the step. L of a rigid solid moves with it, so its rate of change
 * at a row is -v . grad L with the solid's velocity v at the row's own position, exactly.
 */
#ifndef MO_FLUID_SPH_WALLS_H
#define MO_FLUID_SPH_WALLS_H

#include "collide/collider.h"
#include "collide/responder.h"
#include "fluid/map/solid_map.h"
#include "math/wide.h"
#include "neighbor/search.h"

/* One collider as a boundary. */
typedef struct mo_wall_piece {
    mo_collider solid;    /* its shape, and its pose at the time of the last mo_walls_move */
    int collider;         /* its number */
    int body;             /* of the responder; -1: it is prescribed */
    mo_vec3 center;       /* of its torques */
    mo_solid_map map;     /* of methods that have maps */
    int64_t first, count; /* of its samples */
} mo_wall_piece;

/* A row and a solid, or one of its images. */
typedef struct mo_wall_entry {
    int32_t piece, image;    /* image: see mo_walls_image */
    float gradient[3];       /* of L */
    float distance;          /* of the row from the surface [m] */
    float normal[3];         /* along which it grows; of unit length but for rounded edges */
    float velocity[3];       /* of the solid at the row */
    float traction[3];       /* sum of V_b k_b grad W over samples with pressures of their own */
    int32_t slot, body_slot; /* of reactions, and of the response of free bodies */
} mo_wall_entry;

/* Samples with pressures of their own (sph/layers.h). */
typedef struct mo_wall_layers {
    bool wanted;
    const mo_lists *lists; /* rows near each sample; NULL: samples have no pressures */
    float *base;           /* samples: the solid's part of their density */
    float *density, *diagonal, *source, *target, *rate; /* samples */
    float *k;                                           /* samples and their periodic images [Pa] */
    float *grip;                                        /* local and ghost particles: M_j/rho0_j */
    /* V_j (dW/dr)/r, one for each index of the lists */
    float *slope;
    int64_t base_capacity, density_capacity, diagonal_capacity, source_capacity, target_capacity,
        rate_capacity, k_capacity, grip_capacity, slope_capacity;
} mo_wall_layers;

struct mo_walls;

/* The factor of the gradient of s in wall_i at the equivalent distance s (both in supports), where
 * that is not dL/ds. */
typedef float mo_wall_slope_fn(const struct mo_walls *walls, float s);

typedef struct mo_walls {
    mo_memory *memory;
    int piece_count;
    mo_wall_piece *pieces;
    int64_t piece_capacity;
    const mo_responder *responder; /* of bodies that are free to move; NULL: there are none */
    bool moves;                    /* some solid moves */
    mo_domain domain;
    bool periodic;

    /* the boundary kernel */
    mo_boundary_kernel kernel;
    mo_half_space law, volume; /* L, and the integral of W alone */
    mo_boundary_kernel other_kernel;
    mo_half_space other; /* of a kernel that is not the densities' (mo_fluid_slopes) */
    const mo_kernel_type *own_type, *other_type;
    bool soft;    /* no core, see map/half_space.h */
    bool even;    /* F of mo_boundary_kernel_even */
    bool plain;   /* F = W, for solvers whose sums of pressures leave the boundary out */
    bool maps;    /* L is that of maps */
    bool sampled; /* F is that of samples */
    int mirror;
    double weight;              /* of F = W */
    mo_wall_slope_fn *slope_of; /* of maps; NULL: forces are the gradient of L */
    mo_half_space force;        /* for slope_of */

    /* entries: those of row i are [first[i], first[i + 1]) */
    int64_t *first;
    mo_wall_entry *entries;
    int64_t entry_count, first_capacity, entry_capacity;

    /* samples: three numbers each, in the frame of the collider and in the world */
    int64_t count;
    double *rest, *x, *v, *volumes; /* volumes in m^d */
    int32_t *sample_piece;
    int64_t rest_capacity, x_capacity, v_capacity, volumes_capacity, sample_piece_capacity;
    /* of a step, packed as the fluid's own (fluid.h) */
    float *place;    /* (x, y, z as integers, V/support^d) */
    float *velocity; /* (v, 0) */
    float *slope;    /* V_b (dF/dr)/r, one for each index of the lists */
    int64_t places, place_capacity, velocity_capacity, slope_capacity;
    const mo_lists *lists; /* NULL without samples */
    const mo_halo *halo;   /* samples, and their images beyond periodic borders */
    mo_wall_layers layers;
} mo_walls;

/* F of samples, for values of W. */
MO_INLINE mo_f8 mo_wall_density(const mo_boundary_kernel *f, mo_f8 w)
{
    mo_f8 w2 = w * w;
    return (float)f->c[0] * w + w2 * ((float)f->c[1] + w2 * ((float)f->c[2] + w2 * (float)f->c[3]));
}

/* dF/dW. */
MO_INLINE mo_f8 mo_wall_slope(const mo_boundary_kernel *f, mo_f8 w)
{
    mo_f8 w2 = w * w;
    return (float)f->c[0] +
           2 * w * ((float)f->c[1] + w2 * (2 * (float)f->c[2] + w2 * 3 * (float)f->c[3]));
}

void mo_walls_init(mo_walls *walls, mo_memory *memory, const mo_domain *domain);
void mo_walls_release(mo_walls *walls);

/* The boundary kernel, for a kernel with support 1 and this spacing (in supports). */
void mo_walls_set_kernel(mo_walls *walls, const mo_kernel *kernel, int dimension, double spacing);

/* The same for samples whose layer is a spacing below the first particles of a lattice. */
void mo_walls_set_sampled_kernel(mo_walls *walls, const mo_kernel *kernel, int dimension,
                                 double spacing);

/* F and its half space of a kernel for forces alone; of the densities' own, those that are
 * there. */
typedef struct mo_wall_law {
    const mo_boundary_kernel *kernel;
    const mo_half_space *half_space;
} mo_wall_law;
mo_wall_law mo_walls_law(mo_walls *walls, const mo_kernel *kernel, int dimension, double spacing);

/* One solid more, without map and samples yet. */
mote_status mo_walls_add(mo_walls *walls, const mo_collider *solid, int collider,
                         mote_error *error);

/* Samples of the solid that was added last; x has three numbers each, in the collider's frame.
 * Volumes are 0 until they are set. */
mote_status mo_walls_add_samples(mo_walls *walls, int64_t count, const double *x,
                                 mote_error *error);

/* The map of the solid that was added last. */
mote_status mo_walls_add_map(mo_walls *walls, int dimension, double support, double spacing,
                             mo_pool *pool, mote_error *error);

/* The pose of a piece's collider or body at `time`, and the centre that its torques are about. */
mo_pose mo_walls_pose(const mo_walls *walls, const mo_wall_piece *piece, double time,
                      mo_vec3 *center);

/* To where the colliders are at `time`; `reach` decides which periodic images matter. */
void mo_walls_move(mo_walls *walls, double time, double reach);

/* By how much an image of a solid is away from it: its number counts periods along each axis. */
mo_vec3 mo_walls_image(const mo_walls *walls, int image);
int mo_walls_image_of(const mo_walls *walls, mo_vec3 away);

#endif
