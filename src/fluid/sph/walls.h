/*
 * The boundary of a fluid: solids that contribute to its density, exert pressure and friction, and
 * receive reactions.
 *
 * A solid adds L_i to the density of a row, and the pressure force follows from it:
 *     delta_i = sum_j V_j W_ij + L_i,    wall_i = grad L_i,
 *     m_i a_i = -V_i (sum_j V_j (k_i + k_j) grad W_ij + k_i wall_i).
 * Forces derive from an energy and density rates are their transpose: boundaries do not add energy,
 * and implicit systems are symmetric. Mirrored pressures (N. Akinci et al. 2012 with p_b = p_i) act
 * with twice the gradient, which has no energy, and quiescent fluid gains kinetic energy; `mirror`
 * is 2 for methods published so, else 1.
 *
 * Two kinds of boundaries:
 *     maps      the solid is a continuum; L by its distance, on a grid around it (map/solid_map.h)
 *     samples   boundary particles with volumes, L_i = sum_b V_b F(r_ib), in neighbour lists
 * F is the boundary kernel of map/half_space.h, for which a lattice half a spacing from a plane is
 * in equilibrium.
 *
 * An entry is a row and one solid (or one periodic image): the gradient of its part of L, distance
 * and velocity. Reactions, responses of free bodies and friction loop over entries. L of a rigid
 * solid moves with it, so its rate at a row is -v . grad L with the solid's velocity v at the row.
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
    int collider;         /* its index */
    int body;             /* index in the responder; -1: prescribed */
    mo_vec3 center;       /* reference point of torques */
    mo_solid_map map;     /* for methods with maps */
    bool shares_map;      /* that of another piece with the same shape */
    bool absent;          /* a body that was removed */
    int64_t first, count; /* of its samples */
} mo_wall_piece;

/* A row and a solid, or one of its images. */
typedef struct mo_wall_entry {
    int32_t piece, image;    /* image: see mo_walls_image */
    float gradient[3];       /* of L */
    float distance;          /* of the row from the surface [m] */
    float normal[3];         /* its gradient; a unit vector except at rounded edges */
    float velocity[3];       /* of the solid at the row */
    float traction[3];       /* sum of V_b k_b grad W over samples with their own pressures */
    int32_t slot, body_slot; /* of reactions, and of the response of free bodies */
} mo_wall_entry;

/* Samples with their own pressures (sph/layers.h). */
typedef struct mo_wall_layers {
    bool wanted;
    const mo_lists *lists; /* rows near each sample; NULL: samples have no pressures */
    float *base;           /* samples: the solid's part of their density */
    float *density, *diagonal, *source, *target, *rate; /* samples */
    float *k;                                           /* samples and their periodic images [Pa] */
    float *wall_gradient;                               /* local and ghost particles: M_j/rho0_j */
    /* V_j (dW/dr)/r, one per index of the lists */
    float *gradient_factor;
    int64_t base_capacity, density_capacity, diagonal_capacity, source_capacity, target_capacity,
        rate_capacity, k_capacity, wall_gradient_capacity, gradient_factor_capacity;
} mo_wall_layers;

struct mo_walls;

/* The factor of the gradient of s in wall_i at the equivalent distance s (both in supports), if
 * different from dL/ds. */
typedef float mo_wall_derivative_fn(const struct mo_walls *walls, float s);

typedef struct mo_walls {
    mo_memory *memory;
    int piece_count;
    mo_wall_piece *pieces;
    int64_t piece_capacity;
    const mo_responder *responder; /* of free bodies; NULL: none */
    bool moves;                    /* some solid moves */
    mo_domain domain;
    bool periodic;

    /* the boundary kernel */
    mo_boundary_kernel kernel;
    mo_half_space law, volume; /* L, and the integral of W alone */
    mo_boundary_kernel other_kernel;
    /* of a force kernel different from that of densities (mo_fluid_set_gradient_factors) */
    mo_half_space other;
    const mo_kernel_type *own_type, *other_type;
    bool soft;    /* without core, see map/half_space.h */
    bool even;    /* F of mo_boundary_kernel_even */
    bool plain;   /* F = W, for solvers whose pressure sums exclude the boundary */
    bool maps;    /* L by maps */
    bool sampled; /* F by samples */
    bool bare;    /* no L: solids exert friction and adhesion by their distance alone */
    int mirror;
    double weight;                        /* of F = W */
    double range;                         /* of entries, if larger than the support [m] */
    mo_wall_derivative_fn *derivative_of; /* of maps; NULL: forces are the gradient of L */
    mo_half_space force;                  /* for derivative_of */

    /* entries: those of row i are [first[i], first[i + 1]) */
    int64_t *first;
    mo_wall_entry *entries;
    int64_t entry_count, first_capacity, entry_capacity;

    /* samples: three components each, in the frame of the collider and in the world */
    int64_t count;
    double *rest, *x, *v, *volumes; /* volumes in m^d */
    int32_t *sample_piece;
    int64_t rest_capacity, x_capacity, v_capacity, volumes_capacity, sample_piece_capacity;
    /* of a step, packed like the fluid's (fluid.h) */
    float *packed;          /* (x, y, z as integers, V/support^d) */
    float *velocity;        /* (v, 0) */
    float *gradient_factor; /* V_b (dF/dr)/r, one per index of the lists */
    int64_t slots, packed_capacity, velocity_capacity, gradient_factor_capacity;
    const mo_lists *lists; /* NULL without samples */
    const mo_halo *halo;   /* samples, and their periodic images */
    mo_wall_layers layers;
} mo_walls;

/* F of samples, for values of W. */
MO_INLINE mo_f8 mo_wall_density(const mo_boundary_kernel *f, mo_f8 w)
{
    mo_f8 w2 = w * w;
    return (float)f->c[0] * w + w2 * ((float)f->c[1] + w2 * ((float)f->c[2] + w2 * (float)f->c[3]));
}

/* dF/dW. */
MO_INLINE mo_f8 mo_wall_derivative(const mo_boundary_kernel *f, mo_f8 w)
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

/* F and its half space of a kernel for forces only; those of the density kernel if equal. */
typedef struct mo_wall_law {
    const mo_boundary_kernel *kernel;
    const mo_half_space *half_space;
} mo_wall_law;
mo_wall_law mo_walls_law(mo_walls *walls, const mo_kernel *kernel, int dimension, double spacing);

/* Adds a solid, without map and samples. */
mote_status mo_walls_add(mo_walls *walls, const mo_collider *solid, int collider,
                         mote_error *error);

/* Adds samples of the last solid; x has three components each, in the collider's frame. Volumes
 * are 0 initially. */
mote_status mo_walls_add_samples(mo_walls *walls, int64_t count, const double *x,
                                 mote_error *error);

/* Creates the map of the last solid. */
mote_status mo_walls_add_map(mo_walls *walls, int dimension, double support, double spacing,
                             mo_pool *pool, mote_error *error);

/* Gives the last solid the map of another one. */
void mo_walls_share_map(mo_walls *walls, int piece);

/* The pose of a piece's collider or body at `time`, and the reference point of its torques. */
mo_pose mo_walls_pose(const mo_walls *walls, const mo_wall_piece *piece, double time,
                      mo_vec3 *center);

/* Moves the boundary to the colliders' poses at `time`; `reach` determines the relevant periodic
 * images. */
void mo_walls_move(mo_walls *walls, double time, double reach);

/* The translation of an image of a solid: its index encodes periods along each axis. */
mo_vec3 mo_walls_image(const mo_walls *walls, int image);
int mo_walls_image_of(const mo_walls *walls, mo_vec3 away);

#endif
