/*
 * The area of a triangle: C = |(x_1 - x_0) x (x_2 - x_0)|/2 - A. The energy is 1/2 C^2/compliance.
 */
#include "constraint/element.h"
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
    .project = area_project,
};
