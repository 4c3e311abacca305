/*
 * Strain-based dynamics (M. Mueller et al. 2014): the strains of a tetrahedron along its
 * material axes as constraints. With the columns f_i of F = Ds Dm^-1
 *     C_ii = |f_i| - 1,   C_ij = f_i . f_j/(|f_i| |f_j|)  (i < j),
 * the square roots of the diagonal of F^T F and the normalised shear of sections 3.2 and 3.3. The
 * energy is V/2 C^2/compliance.
 */
#include "constraint/element.h"
#include "constraint/project.h"
#include "constraint/vec.h"

#include <math.h>

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
    .project = strain_project,
};
