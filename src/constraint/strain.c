/*
 * Strain-based dynamics (M. Mueller et al. 2014): the strains of an element along its material axes
 * as constraints. With the columns f_i of F = Ds Dm^-1
 *     C_ii = |f_i| - 1,   C_ij = f_i . f_j/(|f_i| |f_j|)  (i < j),
 * the square roots of the diagonal of F^T F and the normalised shear of sections 3.2 and 3.3. The
 * energy is V/2 C^2/compliance, with the area instead of the volume V for a triangle.
 *
 * Axes of a tetrahedron are those of space in the rest shape; those of a triangle are the warp,
 * which is one direction projected onto all triangles, and the weft normal to it (section 4.2).
 */
#include "constraint/element.h"
#include "constraint/hessian.h"
#include "constraint/project.h"
#include "constraint/vec.h"

#include <math.h>
#include <string.h>

enum { TETRAHEDRON = 3, TRIANGLE = 2 }; /* edges from the first node, and axes */
enum { NUMBERS = 9 };                   /* Dm^-1, the third row and column of a triangle are 0 */

typedef struct strain {
    mo_constraint_common common;
    double shear, weft;
    mo_vec3 warp;
} strain;

static const mo_param PARAMS[] = {
    MO_CONSTRAINT_COMMON(strain, "1/Pa, of triangles m/N"),
    {"shear", MO_REAL, MO_FIELD(strain, shear), .initial = "1", .range = "(0, inf)",
     .doc = "Stiffness of shear, as a multiple of that of stretch; of pbd the product is at most "
            "1."},
    {"weft", MO_REAL, MO_FIELD(strain, weft), .initial = "1", .range = "(0, inf)",
     .doc = "Of triangles: stiffness along the weft, as a multiple of that along the warp."},
    {"warp", MO_VEC3, MO_FIELD(strain, warp),
     .doc = "Of triangles: direction of the warp in the rest shape, projected onto each of them. "
            "Default: that of the first edge of the mesh, the side u of a `cloth`."},
    {0}};

static const int AXES[TETRAHEDRON][6][2] = {
    {{0, 0}}, {{0, 0}, {1, 1}, {0, 1}}, {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};

/* `edges` is a constant of the caller. */
MO_INLINE void evaluate_element(int edges, const mo_constraint_set *set, int64_t batch, int f,
                                const mo_d4 x[][3], mo_d4 *value, mo_d4 g[][3])
{
    const double *numbers = mo_constraint_numbers(set, batch);
    int i = AXES[edges - 1][f][0], j = AXES[edges - 1][f][1];
    mo_d4 e[3][3], a[3], b[3], da[3], db[3], qi[3], qj[3];
    for (int k = 0; k < edges; ++k) {
        mo_w3_sub(x[k + 1], x[0], e[k]);
        qi[k] = mo_d4_load(numbers + MO_LANES * (3 * k + i));
        qj[k] = mo_d4_load(numbers + MO_LANES * (3 * k + j));
    }
    for (int k = 0; k < 3; ++k) {
        a[k] = e[0][k] * qi[0] + e[1][k] * qi[1];
        b[k] = e[0][k] * qj[0] + e[1][k] * qj[1];
        if (edges == TETRAHEDRON) {
            a[k] += e[2][k] * qi[2];
            b[k] += e[2][k] * qj[2];
        }
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
    for (int n = 0; n < edges; ++n) {
        for (int k = 0; k < 3; ++k) {
            g[n + 1][k] = qi[n] * da[k] + qj[n] * db[k];
        }
    }
    mo_w3_balance(g, edges + 1);
}

MO_INLINE void tetrahedron_evaluate(const mo_constraint_set *set, int64_t batch, int f,
                                    const mo_d4 x[][3], mo_d4 *value, mo_d4 g[][3])
{
    evaluate_element(TETRAHEDRON, set, batch, f, x, value, g);
}

MO_INLINE void triangle_evaluate(const mo_constraint_set *set, int64_t batch, int f,
                                 const mo_d4 x[][3], mo_d4 *value, mo_d4 g[][3])
{
    evaluate_element(TRIANGLE, set, batch, f, x, value, g);
}

static void strain_values(const mo_constraint_set *set, int64_t batch, int f, const mo_d4 x[][3],
                          mo_d4 *value, mo_d4 g[][3])
{
    tetrahedron_evaluate(set, batch, f, x, value, g);
}

static void strain_triangle_values(const mo_constraint_set *set, int64_t batch, int f,
                                   const mo_d4 x[][3], mo_d4 *value, mo_d4 g[][3])
{
    triangle_evaluate(set, batch, f, x, value, g);
}

/* By columns a = f_i, b = f_j with the directions a^, b^ and c = a^ . b^:
 *     |a|:      (I - a^ a^T)/|a|
 *     a^ . b^:  with P_a = I - a^ a^T twice by a: -(c P_a + (P_a b^) a^T + a^ (P_a b^)^T)/|a|^2,
 *               by a and b: P_a P_b/(|a| |b|) */
static void strain_hessian(const mo_constraint_set *set, int64_t batch, int f, const mo_d4 x[][3],
                           mo_hessian h)
{
    const double *numbers = mo_constraint_numbers(set, batch);
    int edges = set->type->nodes - 1;
    const int *axes = AXES[edges - 1][f];
    int i = axes[0], j = axes[1];
    mo_d4 e[3][3], y[2][3], inverse[2], off[2][3], d[9][9];
    for (int k = 0; k < edges; ++k) {
        mo_w3_sub(x[k + 1], x[0], e[k]);
    }
    for (int side = 0; side < 2; ++side) {
        for (int k = 0; k < 3; ++k) {
            y[side][k] = mo_d4_set(0);
            for (int n = 0; n < edges; ++n) {
                y[side][k] += e[n][k] * mo_d4_load(numbers + MO_LANES * (3 * n + axes[side]));
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
                int at = 3 * axes[side];
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
    mo_project_batches(j, tetrahedron_evaluate, 4, 6, first, last);
}

static void strain_triangle_project(const mo_projection *j, int64_t first, int64_t last)
{
    mo_project_batches(j, triangle_evaluate, 3, 3, first, last);
}

/* ---- building ---- */

/* Stiffness of function f, as a multiple of the first one's. */
static double multiple_of(const mo_constraint_set *set, int f)
{
    const strain *p = set->params;
    const int *axes = AXES[set->type->nodes - 2][f];
    return axes[0] != axes[1] ? p->shear : set->type->nodes == 3 && f == 1 ? p->weft : 1;
}

static mote_status strain_begin(mo_constraint_set *set, mote_error *error)
{
    const strain *p = set->params;
    bool uniform = p->shear == 1 && p->weft == 1;
    if (set->extended && !uniform && mo_constraint_compliance(set) == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "`%s` has no effect on rigid strain; give it a `compliance`",
                       p->shear == 1 ? "weft" : "shear");
    }
    for (int f = 0; f < set->type->functions; ++f) {
        set->stiffness[f] = fmin(1, set->stiffness[0] * multiple_of(set, f));
    }
    return MOTE_OK;
}

static mote_status add_element(mo_constraint_set *set, const int32_t *node, const double *numbers,
                               double size, int64_t k, mote_error *error)
{
    double compliance[MO_CONSTRAINT_FUNCTIONS_MAX];
    if (!(size > 0)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "its %s %lld is degenerate",
                       set->type->nodes == 3 ? "triangle" : "tetrahedron", (long long)k);
    }
    for (int f = 0; f < set->type->functions; ++f) {
        compliance[f] = mo_constraint_compliance(set) / (size * multiple_of(set, f));
    }
    return mo_constraint_set_add(set, node, numbers, compliance, 1, error);
}

static mote_status strain_add(mo_constraint_set *set, const mo_mesh *mesh, mote_error *error)
{
    const strain *p = set->params;
    double numbers[NUMBERS];
    if (mesh->tetrahedron_count == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "its mesh has no triangles or tetrahedra");
    }
    if (!isnan(p->warp.x) || p->weft != 1) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "`%s` belongs to cloth, and its mesh has tetrahedra",
                       p->weft != 1 ? "weft" : "warp");
    }
    MO_TRY(strain_begin(set, error));
    for (int64_t k = 0; k < mesh->tetrahedron_count; ++k) {
        const int32_t *node = mesh->tetrahedra + 4 * k;
        double volume = mo_rest_tetrahedron(mesh, node, numbers);
        MO_TRY(add_element(set, node, numbers, volume, k, error));
    }
    return MOTE_OK;
}

/* The direction of the warp of a mesh of triangles. */
static mo_vec3 warp_of(const strain *p, const mo_mesh *mesh)
{
    if (!isnan(p->warp.x)) {
        return p->warp;
    }
    const int32_t *edge = mesh->edge_count > 0 ? mesh->edges : mesh->triangles;
    return mo_sub(mo_mesh_node(mesh, edge[1]), mo_mesh_node(mesh, edge[0]));
}

static mote_status strain_triangle_add(mo_constraint_set *set, const mo_mesh *mesh,
                                       mote_error *error)
{
    mo_vec3 warp = warp_of(set->params, mesh);
    MO_TRY(strain_begin(set, error));
    for (int64_t k = 0; k < mesh->triangle_count; ++k) {
        const int32_t *node = mesh->triangles + 3 * k;
        double shape[4], area = mo_rest_triangle(mesh, node, warp, shape);
        const double numbers[NUMBERS] = {shape[0], shape[1], 0, shape[2], shape[3]};
        MO_TRY(add_element(set, node, numbers, area, k, error));
    }
    return MOTE_OK;
}

static mote_status strain_check(const void *params, mote_error *error)
{
    const strain *p = params;
    if (!isnan(p->warp.x) && !(mo_length(p->warp) > 0)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "warp: a direction, not zero");
    }
    return MOTE_OK;
}

#define STRAIN \
    { \
        .name = "strain", \
        .summary = "Strains of tetrahedra along the axes, or of triangles along warp and weft, " \
                   "and shear between them.", \
        .citation = "M. Mueller et al. 2014, Symp. Computer Animation, sections 3 and 4", \
        .capabilities = MO_CONSTRAINT_PBD | MO_CONSTRAINT_XPBD | MO_PORTABLE, \
        .param_size = sizeof(strain), .params = PARAMS, .check = strain_check \
    }

static const mo_constraint_type ON_TRIANGLES = {
    .base = STRAIN,
    .nodes = 3,
    .functions = 3,
    .numbers = NUMBERS,
    .add = strain_triangle_add,
    .evaluate = strain_triangle_values,
    .hessian = strain_hessian,
    .convex = 2,
    .project = strain_triangle_project,
};

extern const mo_constraint_type mo_constraint_strain;

static const mo_constraint_type *strain_form(const mo_mesh *mesh)
{
    return mesh->tetrahedron_count == 0 && mesh->triangle_count > 0 ? &ON_TRIANGLES
                                                                    : &mo_constraint_strain;
}

const mo_constraint_type mo_constraint_strain = {
    .base = STRAIN,
    .nodes = 4,
    .functions = 6,
    .numbers = NUMBERS,
    .form = strain_form,
    .add = strain_add,
    .evaluate = strain_values,
    .hessian = strain_hessian,
    .convex = 3,
    .project = strain_project,
};
