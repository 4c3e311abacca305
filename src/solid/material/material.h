/*
 * The family of materials: energy density psi(F), stress P = dpsi/dF (first Piola-Kirchhoff) and
 * its derivative dP, as functions of the deformation gradient F, four elements at once.
 *
 * An isotropic material is defined by its principal stretches alone: psi(s0, s1, s2) of the signed
 * singular values of F = U diag(s) V^T, with derivatives g_i and h_ij. Then P = U diag(g) V^T, and
 * in the principal frame dP consists of the 3 x 3 matrix h and for each pair of axes a 2 x 2 matrix
 * with the eigenvalues
 *     even = (g_i - g_j)/(s_i - s_j)   and   odd = (g_i + g_j)/(s_i + s_j)
 * (A. Stomakhin et al. 2012, section 4; B. Smith, F. de Goes, T. Kim 2019). So dP can be projected
 * to be semidefinite in closed form, by clamping these and the eigenvalues of h, as needed by
 * Newton's method.
 *
 * Inverted and degenerate elements: s2 has the sign of det F. Materials that are undefined or
 * soften there extrapolate their strain below `limit` by its tangent: Green's strain of stvk and
 * hooke, the logarithm of neo_hookean. The energy is extrapolated, not only the stress, so that P
 * stays its derivative and energy is conserved. With `clamp` P is that of the stretches
 * max(s, limit), as G. Irving et al. 2004 have it, which no energy has.
 *
 * Matrices are row-major. Symmetric ones have six components: 00 11 22 01 02 12.
 */
#ifndef MO_SOLID_MATERIAL_H
#define MO_SOLID_MATERIAL_H

#include "base/param.h"
#include "math/svd3_wide.h"

/* The shape of F: 3 x 3; 3 x 2, a membrane in space; 2 x 2, in the x-y plane. Missing entries are
 * zero. */
typedef enum mo_space { MO_SOLID, MO_MEMBRANE, MO_PLANE } mo_space;

typedef struct mo_material {
    const struct mo_material_type *type;
    mo_space space;
    int dimension; /* of the rest shape: 3 or 2 */
    double mu, lambda, alpha;
    double limit; /* strains are extrapolated below this stretch; -inf: defined everywhere */
    bool clamp;   /* instead of extrapolation, P is that of the stretches clamped at the limit */
    /* against (E00, E11, E22, 2 E01, 2 E02, 2 E12); of the materials with a strain */
    double stiffness[6][6];
} mo_material;

/* By principal stretches; pairs are 01 02 12. In two dimensions axis 2 is not read. */
typedef struct mo_principal {
    mo_d4 psi, g[3], h[6], even[3], odd[3];
} mo_principal;

/* dP as a linear map of dF. With U, V: dP^ = U^T dP V, dF^ = U^T dF V and
 *     dP^_ii = sum_j h_ij dF^_jj,  dP^_ij = upper_ij dF^_ij + cross_ij dF^_ji,  dP^_ji = cross_ij
 *                                  dF^_ij + lower_ij dF^_ji;
 * without them (hooke): dP = dF S + F (C : sym(F^T dF)), F in u and S in h. */
typedef struct mo_tangent {
    bool general;
    mo_d4 u[9], v[9], h[6], upper[3], lower[3], cross[3];
} mo_tangent;

/* The purpose of dP. */
typedef enum mo_tangent_kind {
    MO_EXACT,     /* the exact derivative */
    MO_PROJECTED, /* semi-definite */
    MO_DAMPING    /* semidefinite and zero for rotations: damping that conserves linear and angular
                   * momentum */
} mo_tangent_kind;

/* Capabilities used by the inversion tests and the models. */
enum {
    MO_MATERIAL_ISOTROPIC = 1,
    MO_MATERIAL_OBJECTIVE = 2, /* rotation invariant */
    /* recovers from flat, random and inverted configurations */
    MO_MATERIAL_RECOVERS = 4,
    MO_MATERIAL_UNFOLDS = 8, /* and from a point */
    MO_MATERIAL_PLASTIC = 16
};

typedef struct mo_material_type {
    mo_descriptor base;
    /* Fills the constants; dimension and space are set. */
    mote_status (*begin)(const void *params, bool plane_stress, mo_material *material,
                         mote_error *error);
    /* Isotropic ones: everything by principal stretches. NULL: linear and hooke. */
    void (*principal)(const mo_material *material, const mo_d4 s[3], mo_principal *out);
    /* P, and psi unless it is NULL, without singular values, where all stretches are above the
     * limit; NULL if there is no such form. */
    void (*direct)(const mo_material *material, const mo_d4 f[9], mo_d4 p[9], mo_d4 *psi);
    /* The strain of a stretch and its derivative, for materials quadratic in it: psi = 1/2 (E -
     * E_p) : C : (E - E_p) with E = V diag(e(s)) V^T. They may be plastic (E_p) and, as hooke, not
     * isotropic; the material's frame is that of the rest shape. */
    void (*strain)(const mo_material *material, mo_d4 s, mo_d4 *e, mo_d4 *slope);
    bool green; /* its strain is Green's */
    bool small; /* linear: the strain is that of small displacements */
} mo_material_type;

extern const mo_family mo_materials;

/* The material of a scene. */
mote_status mo_material_begin(mo_method method, mo_space space, bool plane_stress,
                              mo_material *material, mote_error *error);

/* Lame constants; plane stress has its own lambda. */
void mo_material_lame(double young, double poisson, bool plane_stress, double *mu, double *lambda);

/* The isotropic stiffness of mu and lambda, in the dimension of the material. */
void mo_material_set_stiffness(mo_material *material);

/* `plastic` is E_p (six components) or NULL. No vector types by value here: tests are compiled
 * without AVX, which has another calling convention. */
void mo_material_energy(const mo_material *material, const mo_d4 f[9], const mo_d4 *plastic,
                        mo_d4 *psi);
void mo_material_stress(const mo_material *material, const mo_d4 f[9], const mo_d4 *plastic,
                        mo_d4 p[9]);
void mo_material_tangent(const mo_material *material, const mo_d4 f[9], const mo_d4 *plastic,
                         mo_tangent_kind kind, mo_tangent *tangent);

/* The derivative of a mixed method, for solids of Green's strain, whose F was `before` one
 * correction ago: dP = dF S + F (C : sym(F^T dF)) with S not the stress of F, but the one predicted
 * by the correction, C : (E(F) - dF^T dF/2), dF = F - before (D. Magisano, L. Leonetti, G. Garcea
 * 2017, Comput. Methods Appl. Mech. Eng. 313, 986); projected to be semidefinite on request. That
 * of mo_material_tangent for others, and below the limit. With F = before it is the same, and
 * cheaper. */
void mo_material_mixed_tangent(const mo_material *material, const mo_d4 f[9], const mo_d4 before[9],
                               const mo_d4 *plastic, mo_tangent_kind kind, mo_tangent *tangent);

/* E of the materials with a strain. */
void mo_material_strain(const mo_material *material, const mo_d4 f[9], mo_d4 e[6]);

void mo_tangent_apply(const mo_material *material, const mo_tangent *tangent, const mo_d4 df[9],
                      mo_d4 dp[9]);

/* The shape gradient of a node in the frame of the tangent, V^T g. */
void mo_tangent_turn(const mo_tangent *tangent, const mo_d4 g[3], mo_d4 turned[3]);

/* The 3 x 3 block d(P a)/dx for dF = dx b^T: the coupling of nodes with the shape gradients a and
 * b, both in the frame of the tangent, per volume. */
void mo_tangent_block(const mo_material *material, const mo_tangent *tangent, const mo_d4 a[3],
                      const mo_d4 b[3], mo_d4 block[9]);

/* Whether every stretch is certainly above the limit, from det F and |F|: s2 = J/(s0 s1) >= 2
 * J/|F|^2. */
mo_l4 mo_material_safe(const mo_material *material, const mo_d4 f[9]);

/* Divided differences (y_i - y_j)/(x_i - x_j) for distinct x; else `otherwise`. */
MO_INLINE mo_d4 mo_divided(mo_d4 yi, mo_d4 yj, mo_d4 xi, mo_d4 xj, mo_d4 otherwise)
{
    mo_d4 d = xi - xj;
    mo_l4 apart = mo_d4_abs(d) > mo_d4_set(1e-6);
    return mo_d4_select(apart, (yi - yj) / mo_d4_select(apart, d, mo_d4_set(1)), otherwise);
}

/* (g_i + g_j)/(s_i + s_j); clamped where the denominator nearly cancels. */
MO_INLINE mo_d4 mo_odd_of(mo_d4 gi, mo_d4 gj, mo_d4 si, mo_d4 sj)
{
    return (gi + gj) / mo_d4_max(si + sj, mo_d4_set(1e-6));
}

static const int8_t MO_PAIRS[3][2] = {{0, 1}, {0, 2}, {1, 2}};

/* |a - b|^2 */
MO_INLINE mo_d4 mo_squared_distance(const mo_d4 a[9], const mo_d4 b[9])
{
    mo_d4 sum = mo_d4_set(0);
    for (int k = 0; k < 9; ++k) {
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    }
    return sum;
}

#endif
