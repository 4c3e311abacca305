/*
 * The strain energy of linear tetrahedra as a constraint (J. Bender et al. 2014, section 3), of the
 * materials of the finite element model: with F = Ds Dm^-1 and H = V P(F) Dm^-T, the energy
 * gradient,
 *     pbd:   C = V psi(F),           grad C = H,
 *     xpbd:  C = sqrt(2 V psi(F)),   grad C = H/C,  compliance 1.
 * Departs from the source in the second form, which has no gradient in the rest shape: constraints
 * with an energy below 1e-18 of V mu do not act.
 */
#include "constraint/element.h"
#include "constraint/hessian.h"
#include "constraint/project.h"
#include "constraint/vec.h"
#include "solid/material/material.h"

#include <math.h>
#include <string.h>

enum { NODES = 4, FUNCTIONS = 1, NUMBERS = 10 };

typedef struct strain_energy {
    mo_constraint_common common;
    mo_method material;
} strain_energy;

static const mo_param PARAMS[] = {
    {"stiffness", MO_REAL, MO_FIELD(strain_energy, common.stiffness), .range = "[0, 1]",
     .doc = "Of pbd: fraction of the error that the iterations of a substep remove together; "
            "default 1."},
    {"damping", MO_REAL, MO_FIELD(strain_energy, common.damping), .unit = "s", .range = "[0, inf)",
     .doc = "Of xpbd: relaxation time, damping coefficient times compliance; default 0."},
    {"material", MO_METHOD, MO_FIELD(strain_energy, material), .family = &mo_materials,
     .initial = "{\"type\": \"stable_neo_hookean\", \"young\": 1e5}", .doc = "Elastic material."},
    {0}};

/* F, row-major */
MO_INLINE void find_gradient(const double *numbers, const mo_d4 x[][3], mo_d4 gradient[9])
{
    mo_d4 e[3][3];
    for (int k = 0; k < 3; ++k) {
        mo_w3_sub(x[k + 1], x[0], e[k]);
    }
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < 3; ++i) {
            gradient[3 * k + i] = e[0][k] * mo_d4_load(numbers + MO_LANES * i) +
                                  e[1][k] * mo_d4_load(numbers + MO_LANES * (3 + i)) +
                                  e[2][k] * mo_d4_load(numbers + MO_LANES * (6 + i));
        }
    }
}

MO_INLINE void strain_energy_evaluate(const mo_constraint_set *set, int64_t batch, int f,
                                      const mo_d4 x[][3], mo_d4 *value, mo_d4 g[][3])
{
    const double *numbers = mo_constraint_numbers(set, batch);
    const mo_material *material = set->data;
    mo_d4 gradient[9], stress[9], psi, volume = mo_d4_load(numbers + MO_LANES * 9);
    (void)f;
    find_gradient(numbers, x, gradient);
    mo_material_energy(material, gradient, NULL, &psi);
    mo_material_stress(material, gradient, NULL, stress);
    mo_d4 factor = volume;
    *value = volume * psi;
    if (set->extended) {
        mo_l4 acts = psi > mo_d4_set(1e-18 * material->mu);
        *value = mo_d4_select(acts, mo_d4_sqrt(mo_d4_set(2) * mo_d4_max(*value, mo_d4_set(0))),
                              mo_d4_set(0));
        factor = volume * mo_w_inverse(*value);
    }
    for (int n = 0; n < 3; ++n) {
        for (int k = 0; k < 3; ++k) {
            g[n + 1][k] =
                factor * (stress[3 * k] * mo_d4_load(numbers + MO_LANES * (3 * n)) +
                          stress[3 * k + 1] * mo_d4_load(numbers + MO_LANES * (3 * n + 1)) +
                          stress[3 * k + 2] * mo_d4_load(numbers + MO_LANES * (3 * n + 2)));
        }
    }
    mo_w3_balance(g, NODES);
}

static void strain_energy_values(const mo_constraint_set *set, int64_t batch, int f,
                                 const mo_d4 x[][3], mo_d4 *value, mo_d4 g[][3])
{
    strain_energy_evaluate(set, batch, f, x, value, g);
}

/* V dP/dF; of sqrt(2 V psi) = C: (V dP/dF - grad C grad C^T)/C */
static void strain_energy_hessian(const mo_constraint_set *set, int64_t batch, int f,
                                  const mo_d4 x[][3], mo_hessian h)
{
    const double *numbers = mo_constraint_numbers(set, batch);
    const mo_material *material = set->data;
    mo_d4 gradient[9], d[9][9], volume = mo_d4_load(numbers + MO_LANES * 9);
    mo_tangent tangent;
    find_gradient(numbers, x, gradient);
    mo_material_tangent(material, gradient, NULL, set->definite ? MO_PROJECTED : MO_EXACT,
                        &tangent);
    for (int b = 0; b < 9; ++b) { /* component b % 3 of column b / 3 */
        mo_d4 df[9], dp[9];
        memset(df, 0, sizeof df);
        df[3 * (b % 3) + b / 3] = volume;
        mo_tangent_apply(material, &tangent, df, dp);
        for (int a = 0; a < 9; ++a) {
            d[a][b] = dp[3 * (a % 3) + a / 3];
        }
    }
    mo_hessian_of_columns(numbers, d, h);
    if (set->extended) {
        mo_d4 value, g[NODES][3];
        strain_energy_evaluate(set, batch, f, x, &value, g);
        mo_d4 inverse = mo_w_inverse(value);
        for (int a = 0; a < 3 * NODES; ++a) {
            for (int b = 0; b < 3 * NODES; ++b) {
                h[a][b] = inverse * (h[a][b] - g[a / 3][a % 3] * g[b / 3][b % 3]);
            }
        }
    }
}

static void strain_energy_project(const mo_projection *j, int64_t first, int64_t last)
{
    mo_project_batches(j, strain_energy_evaluate, NODES, FUNCTIONS, first, last);
}

static mote_status strain_energy_add(mo_constraint_set *set, const mo_mesh *mesh, mote_error *error)
{
    const strain_energy *p = set->params;
    double numbers[NUMBERS];
    mo_material *material = mo_allocate(set->memory, sizeof *material);
    set->data = material;
    if (!material) {
        return mo_fail_memory(error, sizeof *material);
    }
    MO_TRY(mo_material_begin(p->material, MO_SOLID, false, material, error));
    if (mesh->tetrahedron_count == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "its mesh has no tetrahedra");
    }
    for (int64_t k = 0; k < mesh->tetrahedron_count; ++k) {
        const int32_t *node = mesh->tetrahedra + 4 * k;
        const double compliance = 1;
        numbers[9] = mo_rest_tetrahedron(mesh, node, numbers);
        if (!(numbers[9] > 0)) {
            return mo_fail(error, MOTE_ERROR_INPUT, "its tetrahedron %lld has no volume",
                           (long long)k);
        }
        /* the residual in strain: C = sqrt(V mu) of a strain of 1 */
        double mu = material->mu > 0 ? material->mu : material->stiffness[0][0],
               unit = numbers[9] * mu;
        MO_TRY(mo_constraint_set_add(set, node, numbers, &compliance,
                                     set->extended ? sqrt(unit) : unit, error));
    }
    return MOTE_OK;
}

const mo_constraint_type mo_constraint_strain_energy = {
    .base = {.name = "strain_energy",
             .summary = "Strain energy of tetrahedra, of any elastic material.",
             .citation = "J. Bender, D. Koschier, P. Charrier, D. Weber 2014, Comput. Graph. 44, "
                         "1, section 3",
             .departs = "With xpbd C is the square root of twice the energy, so that the "
                        "converged solution is that of the material.",
             .capabilities = MO_CONSTRAINT_PBD | MO_CONSTRAINT_XPBD,
             .param_size = sizeof(strain_energy),
             .params = PARAMS},
    .nodes = NODES,
    .functions = FUNCTIONS,
    .numbers = NUMBERS,
    .add = strain_energy_add,
    .evaluate = strain_energy_values,
    .hessian = strain_energy_hessian,
    .project = strain_energy_project,
    .data_size = sizeof(mo_material),
    .is_energy = true,
    .needs_mass = true,
};
