/*
 * The boundary kernel F and its integral over a half space.
 *
 * A solid contributes to the density of a fluid particle the integral of a radial kernel over its
 * volume,
 *     L(x) = integral over the solid of F(|x - y|) dy,    F = c1 W + c2 W^2 + c4 W^4 + c6 W^6,
 * and pressure acts along its gradient. F = W alone would restore the density deficiency, but only
 * half of the pressure force: fluid pairs act with k_i + k_j, the solid with k_i. So c2 and c4 (or
 * c6, for kernels that are flat near their centre) are chosen such that a lattice whose first layer
 * is half a spacing from a plane has rest density there, and that a uniform pressure exerts no
 * force on it:
 *     L(h/2) = the contribution of the lattice behind the plane, L'(h/2) = twice its derivative.
 * Forces derive from the potential L, so boundaries do no work on a closed path.
 *
 * Lengths are in supports.
 */
#ifndef MO_FLUID_MAP_HALF_SPACE_H
#define MO_FLUID_MAP_HALF_SPACE_H

#include "fluid/kernel/kernel.h"

enum { MO_HALF_SPACE_CELLS = 128 };

/* Coefficients of the powers 1, 2, 4 and 6 of W. */
typedef struct mo_boundary_kernel {
    double c[4];
} mo_boundary_kernel;

/* F for a lattice of this spacing; `soft` has no steep core (c4 = c6 = 0), for explicit equations
 * of state, whose speed of sound grows with the density. */
mo_boundary_kernel mo_boundary_kernel_make(const mo_kernel *kernel, int dimension, double spacing,
                                           bool soft);

/* The same for a layer of samples a spacing behind the lattice's first layer, each with its
 * volume by the kernel `sampling`. */
mo_boundary_kernel mo_boundary_kernel_sampled(const mo_kernel *kernel, const mo_kernel *sampling,
                                              int dimension, double spacing, bool soft);

/* F that continues a lattice into the solid: the density of its first two layers, half a spacing
 * and one and a half from a plane, and its derivative are those of the interior. For solvers
 * that assign the pressure of the particle to solids: they need L for the density and its
 * gradient for the flux through the surface. */
mo_boundary_kernel mo_boundary_kernel_even(const mo_kernel *kernel, int dimension, double spacing);

double mo_boundary_kernel_at(const mo_boundary_kernel *f, const mo_kernel *kernel, double q);

/* L(s) of a half space at the signed distance s, -1 to 1, positive outside the solid; and the mass
 * of F beyond a radius. Cubic Hermite polynomials between nodes. */
typedef struct mo_half_space {
    float value[MO_HALF_SPACE_CELLS + 1], derivative[MO_HALF_SPACE_CELLS + 1];
    double beyond[MO_HALF_SPACE_CELLS + 1]; /* at radii 0 to 1 */
} mo_half_space;

void mo_half_space_make(mo_half_space *table, const mo_kernel *kernel, int dimension,
                        const mo_boundary_kernel *f);

/* L(s), and dL/ds. */
static inline float mo_half_space_at(const mo_half_space *t, float s, float *derivative)
{
    float u = (s + 1) * (0.5f * MO_HALF_SPACE_CELLS);
    if (!(u < MO_HALF_SPACE_CELLS) || u < 0) {
        *derivative = 0;
        return u < 0 ? t->value[0] : 0;
    }
    int k = (int)u;
    float x = u - (float)k, width = 2.0f / MO_HALF_SPACE_CELLS;
    float a = t->value[k], b = t->value[k + 1], da = width * t->derivative[k],
          db = width * t->derivative[k + 1];
    float c2 = 3 * (b - a) - 2 * da - db, c3 = 2 * (a - b) + da + db;
    *derivative = (da + x * (2 * c2 + 3 * x * c3)) / width;
    return a + x * (da + x * (c2 + x * c3));
}

/* The distance of the half space with this contribution, -1 to 1. */
double mo_half_space_distance(const mo_half_space *table, double value);

/* The mass of F beyond a radius. */
static inline double mo_half_space_beyond(const mo_half_space *t, double radius)
{
    double u = radius * MO_HALF_SPACE_CELLS;
    int k = u < MO_HALF_SPACE_CELLS ? (int)u : MO_HALF_SPACE_CELLS - 1;
    return u < MO_HALF_SPACE_CELLS ? t->beyond[k] + (u - k) * (t->beyond[k + 1] - t->beyond[k]) : 0;
}

/* The contribution of a lattice behind a plane to the density of the first layer, and its
 * derivative with respect to the height. */
void mo_lattice_behind(const mo_kernel *kernel, int dimension, double spacing, double *value,
                       double *derivative);

/* The distance of a layer of samples with volumes 1/sum W from the first layer of a lattice that
 * gives it rest density. */
double mo_sample_layer_height(const mo_kernel *kernel, int dimension, double spacing);

#endif
