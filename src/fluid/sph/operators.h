/*
 * SPH operators on fields at particles, in double precision.
 *
 * With V_j = m_j / rho_j and grad W = G x_ij, x_ij = x_i - x_j, a derivative is a sum over
 * neighbours of grad W with a difference of the field:
 *   plain       V_j A_j                                     derivative of the interpolation
 *   difference  V_j (A_j - A_i)                             exact for constants; measurements
 *   symmetric   rho_i m_j (A_i / rho_i^2 + A_j / rho_j^2)   conserves momentum; forces
 * (J. J. Monaghan 1992, Annu. Rev. Astron. Astrophys. 30, 543), with the product of the gradient,
 * the divergence or the curl. Second derivatives by W'' are too noisy; they use first differences:
 *   lap A = 2 sum V_j (A_i - A_j) x_ij . grad W / |x_ij|^2     (L. Brookshaw 1985, PASA 6, 207)
 *   lap v = 2 (d + 2) sum V_j ((v_i - v_j) . x_ij) / |x_ij|^2 grad W    (P. Espanol, M. Revenga
 *                                                                       2003), + 2 grad div v
 * The second conserves angular momentum and is zero for rigid rotation. Neither has the common 0.01
 * R^2 in the denominator, which reduces a Laplacian by 3 to 8 %; coincident particles contribute
 * zero.
 *
 * Corrections: division by Shepard's sum V_j W makes interpolated constants exact, the matrix of
 * mo_sph_correction makes difference gradients of linear fields exact (P. W. Randles, L. D.
 * Libersky 1996, Comput. Methods Appl. Mech. Eng. 139, 375). Solvers have the same sums in float;
 * these are for measurements and validation, bitwise independent of threads.
 */
#ifndef MO_FLUID_SPH_OPERATORS_H
#define MO_FLUID_SPH_OPERATORS_H

#include "base/pool.h"
#include "fluid/kernel/kernel.h"
#include "neighbor/pairs.h"

/* The particles of a field. Fields and results are arrays over rows; images use those of their
 * owners. */
typedef struct mo_sph_points {
    mo_pairs pairs; /* full lists, within the support at least */
    const double *mass, *density;
    mo_pool *pool;
} mo_sph_points;

typedef enum mo_difference { MO_PLAIN, MO_DIFFERENCE, MO_SYMMETRIC } mo_difference;

enum { MO_SPH_COMPONENTS_MAX = 16 };

/* rho_i = sum m_j W, including the particle itself. Needs masses only. */
void mo_sph_density(const mo_sph_points *s, const mo_kernel *k, double *density);

/* A_i = sum V_j A_j W, including the particle itself; `components` values per row. */
void mo_sph_interpolate(const mo_sph_points *s, const mo_kernel *k, int components,
                        const double *field, double *out);

/* sum V_j W, the normalisation of interpolated fields. */
void mo_sph_shepard(const mo_sph_points *s, const mo_kernel *k, double *sum);

/* dA_a/dx_b at out[3 (components row + a) + b] */
void mo_sph_gradient(const mo_sph_points *s, const mo_kernel *k, mo_difference difference,
                     int components, const double *field, double *out);

/* Of vectors, three components per row. */
void mo_sph_divergence(const mo_sph_points *s, const mo_kernel *k, mo_difference difference,
                       const double *field, double *out);
void mo_sph_curl(const mo_sph_points *s, const mo_kernel *k, mo_difference difference,
                 const double *field, double *out);

/* Of each component separately. */
void mo_sph_laplacian(const mo_sph_points *s, const mo_kernel *k, int components,
                      const double *field, double *out);

/* Of divergence-free vectors. */
void mo_sph_laplacian_solenoidal(const mo_sph_points *s, const mo_kernel *k, const double *field,
                                 double *out);

/* The inverse of sum V_j grad W (x_j - x_i)^T, nine components per row; the unit matrix for
 * coplanar or collinear neighbours. Symmetric. */
void mo_sph_correction(const mo_sph_points *s, const mo_kernel *k, double *matrix);

/* Converts difference gradients to corrected ones. */
void mo_sph_correct(const mo_sph_points *s, const double *matrix, int components, double *gradient);

#endif
