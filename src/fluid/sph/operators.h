/*
 * Fields known at particles, and their derivatives: the operators of SPH, in double precision.
 *
 * With V_j = m_j / rho_j and grad W = G x_ij, x_ij = x_i - x_j, a derivative is a sum over
 * neighbours of grad W with a difference of the field:
 *
 *     plain       V_j A_j                                       the derivative of the
 *                 interpolation; not even zero for
 *                                                               a constant
 *     difference  V_j (A_j - A_i)                               zero for constants; for what is
 *                 measured
 *     symmetric   rho_i m_j (A_i / rho_i^2 + A_j / rho_j^2)     equal and opposite in every pair:
 *                 sum V_i (grad A)_i = 0
 *                                                               to rounding; for forces
 *
 * (J. J. Monaghan 1992, Annu. Rev. Astron. Astrophys. 30, 543), times the vector for the gradient,
 * the scalar product for the divergence, grad W x A for the curl. Second derivatives by W'' are too
 * noisy; they are taken as first differences times the slope of W:
 *
 *     lap A = 2 sum V_j (A_i - A_j) x_ij . grad W / |x_ij|^2                        (L. Brookshaw
 *         1985, PASA 6, 207)
 *     lap v = 2 (d + 2) sum V_j ((v_i - v_j) . x_ij) / |x_ij|^2 grad W   if div v = 0, and lap v +
 *         2 grad div v if not
 *                                                                                   (P. Espanol, M.
 *                                                                                       Revenga
 *                                                                                       2003)
 *
 * The second keeps angular momentum, since forces of pairs lie along x_ij, and is zero for rigid
 * rotation. Neither has the usual 0.01 R^2 below the fraction, which makes a Laplacian 3 to 8 % too
 * small; particles at one place have no direction and add nothing.
 *
 * None of these is exact on scattered particles. Two corrections: dividing by Shepard's sum V_j W
 * makes interpolated constants exact, the matrix of mo_sph_correction makes difference gradients of
 * linear fields exact (P. W. Randles, L. D. Libersky 1996, Comput. Methods Appl. Mech. Eng. 139,
 * 375).
 *
 * These are for measurements, validation and whatever runs once; solvers have the same sums in
 * their own loops, in float. Rows are independent of each other, so the bits do not depend on
 * threads.
 */
#ifndef MO_FLUID_SPH_OPERATORS_H
#define MO_FLUID_SPH_OPERATORS_H

#include "base/pool.h"
#include "fluid/kernel/kernel.h"
#include "neighbor/pairs.h"

/* The particles a field is known at. Fields and results are arrays over rows; images take those of
 * their owners. */
typedef struct mo_sph_points {
    mo_pairs pairs; /* full lists, within the support at least */
    const double *mass, *density;
    mo_pool *pool;
} mo_sph_points;

typedef enum mo_difference { MO_PLAIN, MO_DIFFERENCE, MO_SYMMETRIC } mo_difference;

enum { MO_SPH_COMPONENTS_MAX = 16 };

/* rho_i = sum m_j W, the particle itself included. Needs masses only. */
void mo_sph_density(const mo_sph_points *s, const mo_kernel *k, double *density);

/* A_i = sum V_j A_j W, the particle itself included; `components` values per row. */
void mo_sph_interpolate(const mo_sph_points *s, const mo_kernel *k, int components,
                        const double *field, double *out);

/* sum V_j W: what interpolated fields are divided by. */
void mo_sph_shepard(const mo_sph_points *s, const mo_kernel *k, double *sum);

/* dA_a/dx_b at out[3 (components row + a) + b] */
void mo_sph_gradient(const mo_sph_points *s, const mo_kernel *k, mo_difference difference,
                     int components, const double *field, double *out);

/* Of vectors, three components per row. */
void mo_sph_divergence(const mo_sph_points *s, const mo_kernel *k, mo_difference difference,
                       const double *field, double *out);
void mo_sph_curl(const mo_sph_points *s, const mo_kernel *k, mo_difference difference,
                 const double *field, double *out);

/* Of each component by itself. */
void mo_sph_laplacian(const mo_sph_points *s, const mo_kernel *k, int components,
                      const double *field, double *out);

/* Of vectors without divergence. */
void mo_sph_laplacian_solenoidal(const mo_sph_points *s, const mo_kernel *k, const double *field,
                                 double *out);

/* The inverse of sum V_j grad W (x_j - x_i)^T, nine components per row; the unit matrix where the
 * neighbours lie in a plane or line and there is no inverse. Symmetric. */
void mo_sph_correction(const mo_sph_points *s, const mo_kernel *k, double *matrix);

/* Turns difference gradients into corrected ones. */
void mo_sph_correct(const mo_sph_points *s, const double *matrix, int components, double *gradient);

#endif
