/*
 * The volume of a tetrahedron: C = ((x_1 - x_0) x (x_2 - x_0)) . (x_3 - x_0)/6 - V. The energy is
 * 1/2 C^2/compliance.
 */
#include "constraint/element.h"
#include "constraint/hessian.h"
#include "constraint/project.h"
#include "constraint/vec.h"

#include <math.h>

enum { NODES = 4, FUNCTIONS = 1, NUMBERS = 1 };

typedef struct volume {
    mo_constraint_common common;
} volume;

static const mo_param PARAMS[] = {MO_CONSTRAINT_COMMON(volume, "m^5/N"), {0}};

MO_INLINE void volume_evaluate(const mo_constraint_set *set, int64_t batch, int f,
                               const mo_d4 x[][3], mo_d4 *value, mo_d4 g[][3])
{
    mo_d4 e[3][3];
    const mo_d4 sixth = mo_d4_set(1.0 / 6);
    (void)f;
    for (int k = 0; k < 3; ++k) {
        mo_w3_sub(x[k + 1], x[0], e[k]);
    }
    for (int k = 0; k < 3; ++k) {
        mo_w3_cross(e[(k + 1) % 3], e[(k + 2) % 3], g[k + 1]);
        mo_w3_scale(sixth, g[k + 1], g[k + 1]);
    }
    mo_w3_balance(g, NODES);
    *value = mo_w3_dot(e[0], g[1]) - mo_d4_load(mo_constraint_numbers(set, batch));
}

static void volume_values(const mo_constraint_set *set, int64_t batch, int f, const mo_d4 x[][3],
                          mo_d4 *value, mo_d4 g[][3])
{
    volume_evaluate(set, batch, f, x, value, g);
}

static void volume_hessian(const mo_constraint_set *set, int64_t batch, int f, const mo_d4 x[][3],
                           mo_hessian h)
{
    mo_d4 e[3][3];
    (void)set, (void)batch, (void)f;
    for (int k = 0; k < 3; ++k) {
        mo_w3_sub(x[k + 1], x[0], e[k]);
    }
    mo_hessian_clear(h);
    mo_hessian_add_triple(mo_d4_set(1.0 / 6), (const mo_d4(*)[3])e, h[0],
                          3 * MO_CONSTRAINT_NODES_MAX, 3);
    mo_hessian_balance(h, NODES);
}

static void volume_project(const mo_projection *j, int64_t first, int64_t last)
{
    mo_project_batches(j, volume_evaluate, NODES, FUNCTIONS, first, last);
}

static mote_status volume_add(mo_constraint_set *set, const mo_mesh *mesh, mote_error *error)
{
    double compliance = mo_constraint_compliance(set);
    if (mesh->tetrahedron_count == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "its mesh has no tetrahedra");
    }
    for (int64_t k = 0; k < mesh->tetrahedron_count; ++k) {
        const int32_t *node = mesh->tetrahedra + 4 * k;
        double size = mo_tetrahedron_volume(mesh, node);
        MO_TRY(mo_constraint_set_add(set, node, &size, &compliance, fabs(size), error));
    }
    return MOTE_OK;
}

const mo_constraint_type mo_constraint_volume = {
    .base = {.name = "volume",
             .summary = "Volumes of tetrahedra.",
             .citation = "J. Bender, M. Mueller, M. Macklin 2015, Eurographics Tutorials, "
                         "section 5",
             .capabilities = MO_CONSTRAINT_PBD | MO_CONSTRAINT_XPBD | MO_PORTABLE,
             .param_size = sizeof(volume),
             .params = PARAMS},
    .nodes = NODES,
    .functions = FUNCTIONS,
    .numbers = NUMBERS,
    .add = volume_add,
    .evaluate = volume_values,
    .hessian = volume_hessian,
    .project = volume_project,
};
