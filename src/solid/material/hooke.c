/*
 * Hooke's law for Green's strain: psi = 1/2 E : C : E, P = F (C : E), with the 6 x 6 stiffness C of
 * any anisotropic material: its 21 constants, or, of an orthotropic one, Young's moduli, Poisson's
 * ratios and shear moduli of three axes. The axes may be rotated relative to the body. In two
 * dimensions plane stress condenses the third axis, plane strain omits it. Departs from the law:
 * below `limit` the strain is extrapolated as for stvk, to which this reduces for equal moduli;
 * `inversion` none omits that. It recovers from a flat configuration; from a point, or with random
 * nodes, a body of very unequal moduli may stay inverted.
 *
 * Compliance of an orthotropic material: 1/E_i on the diagonal, -nu_ij/E_i beside it, where nu_ij
 * is the contraction along j when pulled along i (Y. Li, J. Barbic 2015, section 2).
 */
#include "math/mat3.h"
#include "math/quat.h"
#include "solid/material/green.h"

#include <string.h>

enum { CONSTANTS = 21 };

typedef struct hooke {
    mo_vec3 young, poisson, shear, axes;
    mo_list stiffness;
    double limit;
    const char *inversion;
} hooke;

static const mo_param PARAMS[] = {
    {"young", MO_VEC3, MO_FIELD(hooke, young), .unit = "Pa",
     .doc = "Young's moduli along the three axes; with `shear`, or else `stiffness`."},
    {"poisson", MO_VEC3, MO_FIELD(hooke, poisson), .initial = "[0.3, 0.3, 0.3]",
     .doc = "Poisson's ratios nu12, nu13 and nu23: contraction along the second axis under tension "
            "along the first."},
    {"shear", MO_VEC3, MO_FIELD(hooke, shear), .unit = "Pa", .doc = "Shear moduli 12, 13 and 23."},
    {"stiffness", MO_REAL, MO_FIELD(hooke, stiffness), .list = true, .unit = "Pa",
     .doc =
         "All 21 constants instead of moduli: the upper triangle of the stiffness by rows, C11 C12 ... "
         "C16 C22 ... C66, in Voigt's order 11 22 33 23 13 12, against strains with 2 E23, 2 E13, 2 E12."},
    {"axes", MO_VEC3, MO_FIELD(hooke, axes), .unit = "rad", .initial = "[0, 0, 0]",
     .doc =
         "Rotation of the material axes relative to x, y, z of the rest shape, as a rotation "
         "vector. On a surface, z is the normal and x the tangent closest to the global x axis."},
    {"limit", MO_REAL, MO_FIELD(hooke, limit), .initial = "0.4", .range = "(0, 1)",
     .doc = "Principal stretch below which the strain is extrapolated, so that strongly compressed "
            "and inverted elements recover."},
    MO_INVERSION_PARAM(hooke),
    {0}};

static mo_mat3 compliance_of(const hooke *p)
{
    double a = -p->poisson.x / p->young.x, b = -p->poisson.y / p->young.x,
           c = -p->poisson.z / p->young.y;
    return (mo_mat3){{1 / p->young.x, a, b, a, 1 / p->young.y, c, b, c, 1 / p->young.z}};
}

/* Indices of the tensor's components in the six, 00 11 22 01 02 12. */
static const int8_t SIX[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
static const int8_t ROW[6] = {0, 1, 2, 0, 0, 1}, COLUMN[6] = {0, 1, 2, 1, 2, 2};

/* From Voigt's order 11 22 33 23 13 12. */
static void fill_stiffness(const double *constant, double c[6][6])
{
    static const int8_t VOIGT[6] = {0, 1, 2, 5, 4, 3};
    for (int i = 0; i < 6; ++i) {
        for (int j = i; j < 6; ++j) {
            c[VOIGT[i]][VOIGT[j]] = c[VOIGT[j]][VOIGT[i]] = *constant++;
        }
    }
}

/* Whether all pivots of Gaussian elimination are positive. */
static bool is_definite(double c[6][6])
{
    for (int k = 0; k < 6; ++k) {
        if (!(c[k][k] > 0)) {
            return false;
        }
        for (int i = k + 1; i < 6; ++i) {
            for (int j = k + 1; j < 6; ++j) {
                c[i][j] -= c[i][k] * c[k][j] / c[k][k];
            }
        }
    }
    return true;
}

static mote_status check_constants(const hooke *p, mote_error *error)
{
    double c[6][6];
    if (p->stiffness.count != CONSTANTS) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "stiffness: has %lld numbers, needed are the %d of the upper triangle by rows",
            (long long)p->stiffness.count, CONSTANTS);
    }
    if (!isnan(p->young.x) || !isnan(p->shear.x)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "stiffness: either all constants or `young` and `shear` are given, not both");
    }
    fill_stiffness(p->stiffness.items, c);
    if (!is_definite(c)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "stiffness: not positive definite");
    }
    return MOTE_OK;
}

static mote_status check(const void *params, mote_error *error)
{
    const hooke *p = params;
    if (p->stiffness.count > 0) {
        return check_constants(p, error);
    }
    if (isnan(p->young.x) || isnan(p->shear.x)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT, "%s: needed, beside %s; or `stiffness` instead of both",
            isnan(p->young.x) ? "young" : "shear", isnan(p->young.x) ? "shear" : "young");
    }
    const double positive[6] = {p->young.x, p->young.y, p->young.z,
                                p->shear.x, p->shear.y, p->shear.z};
    for (int k = 0; k < 6; ++k) {
        if (!(positive[k] > 0)) {
            return mo_fail(error, MOTE_ERROR_INPUT, "%s: all three moduli must be above 0",
                           k < 3 ? "young" : "shear");
        }
    }
    mo_mat3 s = compliance_of(p);
    double minor = s.m[0] * s.m[4] - s.m[1] * s.m[1];
    if (!(minor > 0 && mo_mat3_determinant(s) > 0)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "poisson: the compliance matrix is not positive definite; required: nu12^2 < E1/E2 and "
            "a positive determinant of the compliance");
    }
    return MOTE_OK;
}

/* c'_ijkl = r_ia r_jb r_kc r_ld c_abcd */
static double turned(const double *c, const double *r, int row, int column)
{
    int i = ROW[row], j = COLUMN[row], k = ROW[column], l = COLUMN[column];
    double sum = 0;
    for (int n = 0; n < 81; ++n) {
        int a = n / 27, b = n / 9 % 3, p = n / 3 % 3, q = n % 3;
        sum += r[3 * i + a] * r[3 * j + b] * r[3 * k + p] * r[3 * l + q] *
               c[6 * SIX[a][b] + SIX[p][q]];
    }
    return sum;
}

/* Static condensation of row and column `k` for zero stress. */
static void condense(double c[6][6], int k)
{
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) {
            if (i != k && j != k) {
                c[i][j] -= c[i][k] * c[k][j] / c[k][k];
            }
        }
    }
}

static void leave_out(double c[6][6], int k)
{
    for (int i = 0; i < 6; ++i) {
        c[i][k] = c[k][i] = 0;
    }
}

static void fill_orthotropic(const hooke *p, double c[6][6])
{
    mo_mat3 normal = mo_mat3_inverse(compliance_of(p));
    for (int k = 0; k < 9; ++k) {
        c[k / 3][k % 3] = normal.m[k];
    }
    c[3][3] = p->shear.x;
    c[4][4] = p->shear.y;
    c[5][5] = p->shear.z;
}

static mote_status hooke_begin(const void *params, bool plane_stress, mo_material *m,
                               mote_error *error)
{
    const hooke *p = params;
    double c[6][6] = {{0}}, angle = mo_length(p->axes);
    (void)error;
    if (p->stiffness.count > 0) {
        fill_stiffness(p->stiffness.items, c);
    } else {
        fill_orthotropic(p, c);
    }
    mo_mat3 r = mo_quat_matrix(mo_quat_turn(mo_unit(p->axes, mo_vec3_make(0, 0, 1)), angle));
    for (int k = 0; k < 36; ++k) {
        m->stiffness[k / 6][k % 6] = turned(c[0], r.m, k / 6, k % 6);
    }
    static const int8_t OUT[3] = {2, 4, 5};
    for (int k = 0; k < 3 && m->dimension == 2; ++k) {
        if (plane_stress) {
            condense(m->stiffness, OUT[k]);
        }
        leave_out(m->stiffness, OUT[k]);
    }
    mo_set_inversion(m, p->inversion, p->limit);
    return MOTE_OK;
}

const mo_material_type mo_material_hooke = {
    .base = {.name = "hooke",
             .summary =
                 "Anisotropic St. Venant-Kirchhoff material: Hooke's law for the Green strain with "
                 "orthotropic moduli or all 21 constants.",
             .citation = "Y. Li, J. Barbic 2015, Computers and Graphics 46, 76",
             .departs =
                 "Below the stretch `limit` the strain is extrapolated linearly, or clamped, so "
                 "that inverted elements recover; with `inversion` none it is the published law.",
             .capabilities = MO_MATERIAL_OBJECTIVE | MO_MATERIAL_PLASTIC,
             .param_size = sizeof(hooke),
             .params = PARAMS,
             .check = check},
    .begin = hooke_begin,
    .strain = mo_green,
    .green = true,
};
