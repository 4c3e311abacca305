/*
 * Neo-Hookean solids as two constraints per tetrahedron (M. Macklin, M. Mueller 2021):
 *     C_0 = sqrt(tr F^T F),          compliance 1/(mu V),
 *     C_1 = det F - 1 - mu/lambda,   compliance 1/(lambda V),
 * with the energy V (mu/2 tr F^T F + lambda/2 (det F - 1 - mu/lambda)^2). For small strains its
 * first Lame constant is lambda - mu: lambda here is that of Young's modulus and Poisson's ratio
 * plus mu. Departs from the source in this.
 *
 * The gradients are parallel in the rest shape, where neither function is zero: the forces cancel
 * in their sum only. Projected one after the other, stiff pairs first collapse the element and then
 * inflate it, so both multipliers are found from one system of two equations, which leaves the rest
 * shape in place for any stiffness and step (T. Ton-That, P. G. Kry, S. Andrews 2023, Comput.
 * Graph. 110, 1, section 3). To first order the pair has no shear stiffness: its step is shortened
 * by the second derivatives (project.h), without which stiff elements are unstable.
 */
#include "constraint/element.h"
#include "constraint/hessian.h"
#include "constraint/project.h"
#include "constraint/vec.h"

#include <math.h>
#include <string.h>

enum { NODES = 4, FUNCTIONS = 2, NUMBERS = 10 };

typedef struct neo_hookean_pair {
    mo_constraint_common common;
    double young, poisson;
} neo_hookean_pair;

static const mo_param PARAMS[] = {
    {"damping", MO_REAL, MO_FIELD(neo_hookean_pair, common.damping), .unit = "s",
     .range = "[0, inf)",
     .doc = "Relaxation time, damping coefficient times compliance; default 0."},
    {"young", MO_REAL, MO_FIELD(neo_hookean_pair, young), .unit = "Pa", .initial = "1e5",
     .range = "(0, inf)", .doc = "Young's modulus."},
    {"poisson", MO_REAL, MO_FIELD(neo_hookean_pair, poisson), .initial = "0.3", .range = "[0, 0.5)",
     .doc = "Poisson's ratio."},
    {0}};

/* The columns of F. */
MO_INLINE void find_columns(const double *numbers, const mo_d4 x[][3], mo_d4 column[3][3])
{
    mo_d4 e[3][3];
    for (int k = 0; k < 3; ++k) {
        mo_w3_sub(x[k + 1], x[0], e[k]);
    }
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            column[i][k] = e[0][k] * mo_d4_load(numbers + MO_LANES * i) +
                           e[1][k] * mo_d4_load(numbers + MO_LANES * (3 + i)) +
                           e[2][k] * mo_d4_load(numbers + MO_LANES * (6 + i));
        }
    }
}

/* |F| */
MO_INLINE mo_d4 size_of(const mo_d4 column[3][3])
{
    return mo_d4_sqrt(mo_w3_dot(column[0], column[0]) + mo_w3_dot(column[1], column[1]) +
                      mo_w3_dot(column[2], column[2]));
}

/* g_n = sum_i d_i times the derivative of the shape function of node n along axis i */
MO_INLINE void find_gradient(const double *numbers, const mo_d4 d[3][3], mo_d4 g[][3])
{
    for (int n = 0; n < 3; ++n) {
        for (int k = 0; k < 3; ++k) {
            g[n + 1][k] = d[0][k] * mo_d4_load(numbers + MO_LANES * (3 * n)) +
                          d[1][k] * mo_d4_load(numbers + MO_LANES * (3 * n + 1)) +
                          d[2][k] * mo_d4_load(numbers + MO_LANES * (3 * n + 2));
        }
    }
    mo_w3_balance(g, NODES);
}

MO_INLINE void evaluate_size(const double *numbers, const mo_d4 column[3][3], mo_d4 *value,
                             mo_d4 g[][3])
{
    mo_d4 d[3][3], size = size_of(column);
    *value = size;
    for (int i = 0; i < 3; ++i) {
        mo_w3_scale(mo_w_inverse(size), column[i], d[i]);
    }
    find_gradient(numbers, (const mo_d4(*)[3])d, g);
}

MO_INLINE void evaluate_volume(const double *numbers, const mo_d4 column[3][3], mo_d4 *value,
                               mo_d4 g[][3])
{
    mo_d4 d[3][3];
    for (int i = 0; i < 3; ++i) {
        mo_w3_cross(column[(i + 1) % 3], column[(i + 2) % 3], d[i]);
    }
    *value = mo_w3_dot(column[0], d[0]) - mo_d4_load(numbers + MO_LANES * 9);
    find_gradient(numbers, (const mo_d4(*)[3])d, g);
}

MO_INLINE void evaluate_both(const mo_constraint_set *set, int64_t batch, const mo_d4 x[][3],
                             mo_d4 value[2], mo_d4 g[2][MO_CONSTRAINT_NODES_MAX][3])
{
    const double *numbers = mo_constraint_numbers(set, batch);
    mo_d4 column[3][3];
    find_columns(numbers, x, column);
    evaluate_size(numbers, (const mo_d4(*)[3])column, &value[0], g[0]);
    evaluate_volume(numbers, (const mo_d4(*)[3])column, &value[1], g[1]);
}

/* With the change dF of F: |dF|^2/|F| - (F : dF)^2/|F|^3, and twice the sum of the triple products
 * of a column of F and two of dF. */
MO_INLINE void curve_both(const mo_constraint_set *set, int64_t batch, const mo_d4 x[][3],
                          const mo_d4 d[][3], mo_d4 curve[2])
{
    const double *numbers = mo_constraint_numbers(set, batch);
    mo_d4 column[3][3], change[3][3], square = mo_d4_set(0), along = square, twice = square;
    find_columns(numbers, x, column);
    find_columns(numbers, d, change);
    for (int i = 0; i < 3; ++i) {
        mo_d4 normal[3];
        mo_w3_cross(change[(i + 1) % 3], change[(i + 2) % 3], normal);
        square += mo_w3_dot(change[i], change[i]);
        along += mo_w3_dot(column[i], change[i]);
        twice += mo_w3_dot(column[i], normal);
    }
    mo_d4 inverse = mo_w_inverse(size_of((const mo_d4(*)[3])column));
    along *= inverse;
    curve[0] = inverse * (square - along * along);
    curve[1] = mo_d4_set(2) * twice;
}

static void neo_hookean_pair_values(const mo_constraint_set *set, int64_t batch, int f,
                                    const mo_d4 x[][3], mo_d4 *value, mo_d4 g[][3])
{
    const double *numbers = mo_constraint_numbers(set, batch);
    mo_d4 column[3][3];
    find_columns(numbers, x, column);
    (f == 0 ? evaluate_size : evaluate_volume)(numbers, (const mo_d4(*)[3])column, value, g);
}

/* Of |F|: (I - F^ F^T)/|F| with F^ = F/|F|; of det F: by pairs of columns. */
static void neo_hookean_pair_hessian(const mo_constraint_set *set, int64_t batch, int f,
                                     const mo_d4 x[][3], mo_hessian h)
{
    const double *numbers = mo_constraint_numbers(set, batch);
    mo_d4 column[3][3], d[9][9];
    find_columns(numbers, x, column);
    memset(d, 0, sizeof d);
    if (f == 1) {
        mo_hessian_add_triple(mo_d4_set(1), (const mo_d4(*)[3])column, d[0], 9, 0);
    } else {
        mo_d4 inverse = mo_w_inverse(size_of((const mo_d4(*)[3])column));
        for (int a = 0; a < 9; ++a) {
            for (int b = 0; b < 9; ++b) {
                mo_d4 same = mo_d4_set(a == b),
                      product = column[a / 3][a % 3] * column[b / 3][b % 3];
                d[a][b] = inverse * (same - inverse * inverse * product);
            }
        }
    }
    mo_hessian_of_columns(numbers, d, h);
}

static void neo_hookean_pair_project(const mo_projection *j, int64_t first, int64_t last)
{
    mo_project_pairs(j, evaluate_both, curve_both, NODES, first, last);
}

static mote_status neo_hookean_pair_add(mo_constraint_set *set, const mo_mesh *mesh,
                                        mote_error *error)
{
    const neo_hookean_pair *p = set->params;
    double mu = p->young / (2 * (1 + p->poisson)),
           lambda = p->young * p->poisson / ((1 + p->poisson) * (1 - 2 * p->poisson)) + mu;
    double numbers[NUMBERS];
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
        numbers[9] = 1 + mu / lambda;
        const double compliance[FUNCTIONS] = {1 / (mu * volume), 1 / (lambda * volume)};
        MO_TRY(mo_constraint_set_add(set, node, numbers, compliance, 1, error));
    }
    return MOTE_OK;
}

const mo_constraint_type mo_constraint_neo_hookean_pair = {
    .base = {.name = "neo_hookean_pair",
             .summary = "Neo-Hookean solid as a deviatoric and a hydrostatic constraint.",
             .citation = "M. Macklin, M. Mueller 2021, Motion, Interaction and Games, equations 7 "
                         "to 12; T. Ton-That, P. G. Kry, S. Andrews 2023, Comput. Graph. 110, 1",
             .departs = "lambda + mu in place of lambda, so that Young's modulus and Poisson's "
                        "ratio are those of small strains. Both functions are projected at once.",
             .capabilities = MO_CONSTRAINT_XPBD | MO_PORTABLE,
             .param_size = sizeof(neo_hookean_pair),
             .params = PARAMS},
    .nodes = NODES,
    .functions = FUNCTIONS,
    .numbers = NUMBERS,
    .add = neo_hookean_pair_add,
    .evaluate = neo_hookean_pair_values,
    .hessian = neo_hookean_pair_hessian,
    .convex = 1,
    .project = neo_hookean_pair_project,
    .rest_energy = true,
    .needs_mass = true,
};
