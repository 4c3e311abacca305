/*
 * Strain-based dynamics (M. Mueller et al. 2014): the strains of a tetrahedron along its
 * material axes as constraints. With the columns f_i of F = Ds Dm^-1
 *     C_ii = |f_i| - 1,   C_ij = f_i . f_j/(|f_i| |f_j|)  (i < j),
 * the square roots of the diagonal of F^T F and the normalised shear of sections 3.2 and 3.3. The
 * energy is V/2 C^2/compliance.
 */
#include "constraint/element.h"
#include "constraint/hessian.h"
#include "constraint/project.h"
#include "constraint/vec.h"

#include <math.h>
#include <string.h>

enum { NODES = 4, FUNCTIONS = 6, NUMBERS = 9 };

typedef struct strain {
    mo_constraint_common common;
    double shear;
} strain;

static const mo_param PARAMS[] = {
    MO_CONSTRAINT_COMMON(strain, "1/Pa"),
    {"shear", MO_REAL, MO_FIELD(strain, shear), .initial = "1", .range = "(0, inf)",
     .doc = "Of xpbd: stiffness of shear, as a multiple of that of stretch.",
     .needs = "compliance"},
    {0}};

static const int AXES[FUNCTIONS][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

MO_INLINE void strain_evaluate(const mo_constraint_set *set, int64_t batch, int f,
                               const mo_d4 x[][3], mo_d4 *value, mo_d4 g[][3])
{
    const double *numbers = mo_constraint_numbers(set, batch);
    int i = AXES[f][0], j = AXES[f][1];
    mo_d4 e[3][3], a[3], b[3], da[3], db[3], qi[3], qj[3];
    for (int k = 0; k < 3; ++k) {
        mo_w3_sub(x[k + 1], x[0], e[k]);
        qi[k] = mo_d4_load(numbers + MO_LANES * (3 * k + i));
        qj[k] = mo_d4_load(numbers + MO_LANES * (3 * k + j));
    }
    for (int k = 0; k < 3; ++k) {
        a[k] = e[0][k] * qi[0] + e[1][k] * qi[1] + e[2][k] * qi[2];
        b[k] = e[0][k] * qj[0] + e[1][k] * qj[1] + e[2][k] * qj[2];
    }
    mo_d4 la = mo_w3_length(a), ia = mo_w_inverse(la), ib = mo_w_inverse(mo_w3_length(b));
    mo_w3_scale(ia, a, a);
    mo_w3_scale(ib, b, b);
    mo_d4 c = mo_w3_dot(a, b);
    *value = i == j ? la - mo_d4_set(1) : c;
    for (int k = 0; k < 3; ++k) {
        da[k] = i == j ? a[k] : ia * (b[k] - c * a[k]);
        db[k] = i == j ? mo_d4_set(0) : ib * (a[k] - c * b[k]);
    }
    for (int n = 0; n < 3; ++n) {
        for (int k = 0; k < 3; ++k) {
            g[n + 1][k] = qi[n] * da[k] + qj[n] * db[k];
        }
    }
    mo_w3_balance(g, NODES);
}

static void strain_values(const mo_constraint_set *set, int64_t batch, int f, const mo_d4 x[][3],
                          mo_d4 *value, mo_d4 g[][3])
{
    strain_evaluate(set, batch, f, x, value, g);
}

/* By columns a = f_i, b = f_j with the directions a^, b^ and c = a^ . b^:
 *     |a|:      (I - a^ a^T)/|a|
 *     a^ . b^:  with P_a = I - a^ a^T twice by a: -(c P_a + (P_a b^) a^T + a^ (P_a b^)^T)/|a|^2,
 *               by a and b: P_a P_b/(|a| |b|) */
static void strain_hessian(const mo_constraint_set *set, int64_t batch, int f, const mo_d4 x[][3],
                           mo_hessian h)
{
    const double *numbers = mo_constraint_numbers(set, batch);
    int i = AXES[f][0], j = AXES[f][1];
    mo_d4 e[3][3], y[2][3], inverse[2], off[2][3], d[9][9];
    for (int k = 0; k < 3; ++k) {
        mo_w3_sub(x[k + 1], x[0], e[k]);
    }
    for (int side = 0; side < 2; ++side) {
        for (int k = 0; k < 3; ++k) {
            y[side][k] = mo_d4_set(0);
            for (int n = 0; n < 3; ++n) {
                y[side][k] += e[n][k] * mo_d4_load(numbers + MO_LANES * (3 * n + AXES[f][side]));
            }
        }
        inverse[side] = mo_w_inverse(mo_w3_length(y[side]));
        mo_w3_scale(inverse[side], y[side], y[side]);
    }
    mo_d4 c = mo_w3_dot(y[0], y[1]);
    for (int k = 0; k < 3; ++k) {
        off[0][k] = y[1][k] - c * y[0][k];
        off[1][k] = y[0][k] - c * y[1][k];
    }
    memset(d, 0, sizeof d);
    for (int k = 0; k < 3; ++k) {
        for (int l = 0; l < 3; ++l) {
            mo_d4 same = mo_d4_set(k == l);
            if (i == j) {
                d[3 * i + k][3 * i + l] = inverse[0] * (same - y[0][k] * y[0][l]);
                continue;
            }
            for (int side = 0; side < 2; ++side) {
                const mo_d4 *a = y[side], *o = off[side];
                int at = 3 * AXES[f][side];
                d[at + k][at + l] = -inverse[side] * inverse[side] *
                                    (c * (same - a[k] * a[l]) + o[k] * a[l] + a[k] * o[l]);
            }
            d[3 * i + k][3 * j + l] =
                inverse[0] * inverse[1] *
                (same - y[0][k] * y[0][l] - y[1][k] * y[1][l] + c * y[0][k] * y[1][l]);
            d[3 * j + l][3 * i + k] = d[3 * i + k][3 * j + l];
        }
    }
    mo_hessian_of_columns(numbers, d, h);
}

static void strain_project(const mo_projection *j, int64_t first, int64_t last)
{
    mo_project_batches(j, strain_evaluate, NODES, FUNCTIONS, first, last);
}

static mote_status strain_add(mo_constraint_set *set, const mo_mesh *mesh, mote_error *error)
{
    const strain *p = set->params;
    double numbers[NUMBERS], compliance[FUNCTIONS];
    if (mesh->tetrahedron_count == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "its mesh has no tetrahedra");
    }
    for (int64_t k = 0; k < mesh->tetrahedron_count; ++k) {
        const int32_t *node = mesh->tetrahedra + 4 * k;
        double volume = mo_rest_tetrahedron(mesh, node, numbers);
        if (!(volume > 0)) {
            return mo_fail(error, MOTE_ERROR_INPUT, "its tetrahedron %lld has no volume",
                           (long long)k);
        }
        for (int f = 0; f < FUNCTIONS; ++f) {
            compliance[f] = mo_constraint_compliance(set) / (volume * (f < 3 ? 1 : p->shear));
        }
        MO_TRY(mo_constraint_set_add(set, node, numbers, compliance, 1, error));
    }
    return MOTE_OK;
}

const mo_constraint_type mo_constraint_strain = {
    .base = {.name = "strain",
             .summary = "Strains of tetrahedra along the axes, and shear between them.",
             .citation = "M. Mueller et al. 2014, Symp. Computer Animation, section 3",
             .capabilities = MO_CONSTRAINT_PBD | MO_CONSTRAINT_XPBD | MO_PORTABLE,
             .param_size = sizeof(strain),
             .params = PARAMS},
    .nodes = NODES,
    .functions = FUNCTIONS,
    .numbers = NUMBERS,
    .add = strain_add,
    .evaluate = strain_values,
    .hessian = strain_hessian,
    .convex = 3,
    .project = strain_project,
};
