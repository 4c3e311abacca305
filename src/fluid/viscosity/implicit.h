/*
 * The linear system of implicit viscosities, by preconditioned conjugate gradients (M. Hestenes, E.
 * Stiefel 1952) without a stored matrix. A backward Euler step of the viscous forces -K v and of
 * the friction -D (v - v_s) at solids (sph/wall_friction.h) is
 *     (M + h K + h D) v = M v* + h D v_s,
 * M the masses, K and D symmetric and positive semidefinite, so that the step is stable and
 * dissipative for any h. A method supplies products with h M^-1 K and its diagonal blocks.
 *
 * Unknown is the change u = v - v*: a flow without strain has u = 0 exactly, and the velocity of
 * the frame does not enter. The preconditioner is block Jacobi. The initial guess is the change of
 * the last step times the factor that minimises the error in the norm of the matrix, so that it is
 * never worse than zero.
 *
 * Without solids the exact change has no momentum and no angular momentum. Those of an unfinished
 * iteration are an error, and are subtracted as a rigid motion, so that a tolerance costs neither.
 *
 * Stopping criterion. Iteration k lowers |e|_A^2 by alpha_k (r, z) (Hestenes, Stiefel 1952, theorem
 * 6:1), the sum of the last terms estimates the remaining error (Z. Strakos, P. Tichy 2002,
 * Electron. Trans. Numer. Anal. 13, 56), and |e|_A bounds the rms error of the velocity, |e|_M. It
 * is compared with the rms change of the velocity. The norm of the residual would not do: it weighs
 * an error by h nu/spacing^2, and smooth flows converge last.
 */
#ifndef MO_FLUID_VISCOSITY_IMPLICIT_H
#define MO_FLUID_VISCOSITY_IMPLICIT_H

#include "fluid/sph/wall_friction.h"
#include "fluid/viscosity/shear.h"

/* out_i = (h M^-1 K u)_i of the rows; u and out have four components per particle, those of u
 * ghosts included. */
typedef void mo_implicit_product(const void *context, mo_fluid *fluid, const float *u, float *out);

/* Parameters common to implicit viscosities. */
typedef struct mo_implicit_def {
    double nu, wall, tolerance;
    int64_t max_iterations;
    mo_method law;
} mo_implicit_def;

/* Work arrays; initially zero. Vectors have four components per row, those of `u` are followed by
 * the ghosts; blocks are symmetric, six components (math/symmetric.h). */
typedef struct mo_implicit {
    float *u, *change, *residual, *product;
    float *block;       /* rows: filled by the method with those of h M^-1 K */
    float *drag, *pull; /* rows: h D/m, and h D v_s/m */
    double *share;      /* free bodies: see mo_wall_friction */
    mo_shear shear;     /* viscosities */
    bool walled;        /* some row is near a solid */
    bool torque;        /* K has a torque: set by methods that do not conserve angular momentum */
    const float *right; /* rows x 4: the right-hand side; NULL: -h M^-1 K v* */
    float kept;         /* fraction of v* - v_s that friction leaves, with `right` */
    int64_t u_capacity, change_capacity, residual_capacity, product_capacity, block_capacity,
        drag_capacity, pull_capacity, share_capacity;
} mo_implicit;

/* The column of the initial guess. */
enum { MO_IMPLICIT_GUESS };
extern const mo_column_spec mo_implicit_columns[];

/* nu of the phases, the default being def->nu. */
mote_status mo_implicit_create(mo_implicit *implicit, const mo_implicit_def *def, mo_fluid *fluid,
                               mote_error *error);
void mo_implicit_release(mo_implicit *implicit, mo_fluid *fluid);

/* At the start of a solve: allocates, and updates the viscosities. */
mote_status mo_implicit_begin(mo_implicit *implicit, mo_fluid *fluid, mote_error *error);

/* Solves with the blocks of the method, and changes the velocities of the store. */
mote_status mo_implicit_solve(mo_implicit *implicit, mo_instance *self, const mo_implicit_def *def,
                              mo_fluid *fluid, double h, mo_implicit_product *product,
                              const void *context, mote_error *error);

/* Of eight pairs mu_ij/rho_i, the harmonic mean of mu = rho0 nu (P. Cleary, J. Monaghan 1999). */
MO_INLINE mo_f8 mo_implicit_nu8(bool mixed, const mo_implicit *s, const mo_fluid *f, int64_t row,
                                const int32_t *j)
{
    if (!mixed) {
        return mo_f8_set((float)s->shear.nu[0]);
    }
    mo_f8 own = mo_f8_set(s->shear.mu[row]), other = {0};
    for (int lane = 0; lane < 8; ++lane) {
        other[lane] = s->shear.mu[j[lane]];
    }
    mo_f8 sum = own + other;
    return mo_f8_select(sum > 0, 2 * f->specific[row] * own * other / sum, mo_f8_set(0));
}

/* Parameters of the methods; `type` has a mo_implicit_def as its member `base`. */
#define MO_IMPLICIT_PARAMS(type) \
    {"nu", \
     MO_REAL, \
     MO_FIELD(type, base.nu), \
     .unit = "m^2/s", \
     .initial = "1e-6", \
     .range = "[0, inf)", \
     .doc = "Kinematic viscosity of phases without their own; 1e-6 is that of water."}, \
        {"wall", \
         MO_REAL, \
         MO_FIELD(type, base.wall), \
         .unit = "m^2/s", \
         .range = "[0, inf)", \
         .doc = "Kinematic viscosity between the fluid and the boundary; default: that of the " \
                "particles at it (no slip); 0 is free slip."}, \
        {"law", MO_METHOD, MO_FIELD(type, base.law), .family = &mo_rheologies, \
         .doc = "Viscosity by the shear rate, with nu as its scale; default: a Newtonian fluid."}, \
        {"tolerance", \
         MO_REAL, \
         MO_FIELD(type, base.tolerance), \
         .initial = "0.001", \
         .range = "(0, 1)", \
         .doc = "Estimated rms error of the velocity at which the solver stops, relative to the " \
                "rms change of the velocity by viscosity in the step."}, \
    { \
        "max_iterations", MO_INT, MO_FIELD(type, base.max_iterations), \
            .initial = "200", .range = "[1, 100000]", \
            .doc = "Maximum number of iterations per step." \
    }

#endif
