/*
 * The area of a triangle: C = |(x_1 - x_0) x (x_2 - x_0)|/2 - A. The energy is 1/2 C^2/compliance.
 */
#include "constraint/element.h"
#include "constraint/hessian.h"
#include "constraint/project.h"
#include "constraint/vec.h"

enum { NODES = 3, FUNCTIONS = 1, NUMBERS = 1 };

typedef struct area {
    mo_constraint_common common;
} area;

static const mo_param PARAMS[] = {MO_CONSTRAINT_COMMON(area, "m^3/N"), {0}};

MO_INLINE void area_evaluate(const mo_constraint_set *set, int64_t batch, int f, const mo_d4 x[][3],
                             mo_d4 *value, mo_d4 g[][3])
{
    mo_d4 u[3], v[3], n[3];
    (void)f;
    mo_w3_sub(x[1], x[0], u);
    mo_w3_sub(x[2], x[0], v);
    mo_w3_cross(u, v, n);
    mo_d4 twice = mo_w3_length(n), half = mo_d4_set(0.5);
    mo_w3_scale(half * mo_w_inverse(twice), n, n);
    *value = half * twice - mo_d4_load(mo_constraint_numbers(set, batch));
    mo_w3_cross(v, n, g[1]);
    mo_w3_cross(n, u, g[2]);
    mo_w3_balance(g, NODES);
}

static void area_values(const mo_constraint_set *set, int64_t batch, int f, const mo_d4 x[][3],
                        mo_d4 *value, mo_d4 g[][3])
{
    area_evaluate(set, batch, f, x, value, g);
}

/* With c = u x v, |c|/2 has the second derivatives (c^ . c_ab + (c_a . c_b - (c^ . c_a) (c^ .
 * c_b))/|c|)/2 by the components a, b of u and v. */
static void area_hessian(const mo_constraint_set *set, int64_t batch, int f, const mo_d4 x[][3],
                         mo_hessian h)
{
    mo_d4 u[3], v[3], c[3], slope[6][3], along[6];
    const mo_d4 half = mo_d4_set(0.5);
    (void)set, (void)batch, (void)f;
    mo_w3_sub(x[1], x[0], u);
    mo_w3_sub(x[2], x[0], v);
    mo_w3_cross(u, v, c);
    mo_d4 inverse = mo_w_inverse(mo_w3_length(c));
    mo_w3_scale(inverse, c, c);
    for (int k = 0; k < 3; ++k) {
        mo_d4 e[3] = {mo_d4_set(k == 0), mo_d4_set(k == 1), mo_d4_set(k == 2)};
        mo_w3_cross(e, v, slope[k]);
        mo_w3_cross(u, e, slope[3 + k]);
    }
    for (int a = 0; a < 6; ++a) {
        along[a] = mo_w3_dot(c, slope[a]);
    }
    for (int a = 0; a < 6; ++a) {
        for (int b = 0; b < 6; ++b) {
            h[3 + a][3 + b] =
                half * inverse * (mo_w3_dot(slope[a], slope[b]) - along[a] * along[b]);
        }
    }
    for (int k = 0; k < 3; ++k) { /* c^ . (e_k x e_l) */
        int l = (k + 1) % 3, m = (k + 2) % 3;
        h[3 + k][6 + l] += half * c[m];
        h[6 + l][3 + k] += half * c[m];
        h[3 + l][6 + k] -= half * c[m];
        h[6 + k][3 + l] -= half * c[m];
    }
    mo_hessian_balance(h, NODES);
}

static void area_project(const mo_projection *j, int64_t first, int64_t last)
{
    mo_project_batches(j, area_evaluate, NODES, FUNCTIONS, first, last);
}

static mote_status area_add(mo_constraint_set *set, const mo_mesh *mesh, mote_error *error)
{
    double compliance = mo_constraint_compliance(set);
    if (mesh->triangle_count == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "its mesh has no triangles");
    }
    for (int64_t k = 0; k < mesh->triangle_count; ++k) {
        const int32_t *node = mesh->triangles + 3 * k;
        double size = mo_triangle_area(mesh, node);
        MO_TRY(mo_constraint_set_add(set, node, &size, &compliance, size, error));
    }
    return MOTE_OK;
}

const mo_constraint_type mo_constraint_area = {
    .base = {.name = "area",
             .summary = "Areas of triangles.",
             .citation = "J. Bender, M. Mueller, M. Macklin 2015, Eurographics Tutorials, "
                         "section 5",
             .capabilities = MO_CONSTRAINT_PBD | MO_CONSTRAINT_XPBD | MO_PORTABLE,
             .param_size = sizeof(area),
             .params = PARAMS},
    .nodes = NODES,
    .functions = FUNCTIONS,
    .numbers = NUMBERS,
    .add = area_add,
    .evaluate = area_values,
    .hessian = area_hessian,
    .project = area_project,
};
