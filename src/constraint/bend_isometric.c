/*
 * Isometric bending (M. Bergou et al. 2006): over an edge of length l between triangles of the area
 * A together, E = 1/2 (3 l^2/A) 4 sin^2(theta/2)/compliance with the angle theta between them. The
 * vector e = sum K_i x_i of the cotangent weights of the rest shape has the length 2 l sin(theta/2)
 * in isometric deformations, so that with s = sqrt(3/A)
 *     C_f = s (1 - r/|e|) e_f,   f = 0, 1, 2,   r = |e| in the rest shape,
 * has this energy, is linear in x for a flat rest shape and has a gradient there. Departs from the
 * source in r.
 */
#include "constraint/element.h"
#include "constraint/hessian.h"
#include "constraint/hinge.h"
#include "constraint/project.h"
#include "constraint/vec.h"

#include <math.h>

enum { NODES = 4, FUNCTIONS = 3, NUMBERS = 6 };

typedef struct bend_isometric {
    mo_constraint_common common;
} bend_isometric;

static const mo_param PARAMS[] = {MO_CONSTRAINT_COMMON(bend_isometric, "1/J"), {0}};

/* Weights of the nodes and e, the sum of their positions with these; s and r (file head). */
MO_INLINE void load_hinge(const mo_constraint_set *set, int64_t batch, const mo_d4 x[][3],
                          mo_d4 weight[NODES], mo_d4 e[3], mo_d4 *s, mo_d4 *r)
{
    const double *numbers = mo_constraint_numbers(set, batch);
    for (int n = 0; n < NODES; ++n) {
        weight[n] = mo_d4_load(numbers + MO_LANES * n);
    }
    for (int k = 0; k < 3; ++k) {
        e[k] =
            weight[0] * x[0][k] + weight[1] * x[1][k] + weight[2] * x[2][k] + weight[3] * x[3][k];
    }
    *s = mo_d4_load(numbers + MO_LANES * 4);
    *r = mo_d4_load(numbers + MO_LANES * 5);
}

MO_INLINE void bend_isometric_evaluate(const mo_constraint_set *set, int64_t batch, int f,
                                       const mo_d4 x[][3], mo_d4 *value, mo_d4 g[][3])
{
    mo_d4 weight[NODES], e[3], s, r;
    load_hinge(set, batch, x, weight, e, &s, &r);
    mo_d4 inverse = mo_w_inverse(mo_w3_length(e)), part = r * inverse, rest = mo_d4_set(1) - part;
    *value = s * rest * e[f];
    for (int k = 0; k < 3; ++k) {
        mo_d4 slope = part * inverse * inverse * e[f] * e[k];
        slope = s * (k == f ? slope + rest : slope);
        for (int n = 0; n < NODES; ++n) {
            g[n][k] = weight[n] * slope;
        }
    }
}

static void bend_isometric_values(const mo_constraint_set *set, int64_t batch, int f,
                                  const mo_d4 x[][3], mo_d4 *value, mo_d4 g[][3])
{
    bend_isometric_evaluate(set, batch, f, x, value, g);
}

/* With e^ = e/|e|: s r/|e|^2 (d_fk e^_l + d_fl e^_k + d_kl e^_f - 3 e^_f e^_k e^_l), times the
 * weights of both nodes; 0 for a flat rest shape. */
static void bend_isometric_hessian(const mo_constraint_set *set, int64_t batch, int f,
                                   const mo_d4 x[][3], mo_hessian h)
{
    mo_d4 weight[NODES], e[3], s, r;
    load_hinge(set, batch, x, weight, e, &s, &r);
    mo_d4 inverse = mo_w_inverse(mo_w3_length(e)), factor = s * r * inverse * inverse;
    mo_w3_scale(inverse, e, e);
    for (int k = 0; k < 3; ++k) {
        for (int l = 0; l < 3; ++l) {
            mo_d4 d = mo_d4_set(f == k) * e[l] + mo_d4_set(f == l) * e[k] +
                      mo_d4_set(k == l) * e[f] - mo_d4_set(3) * e[f] * e[k] * e[l];
            for (int n = 0; n < NODES; ++n) {
                for (int m = 0; m < NODES; ++m) {
                    h[3 * n + k][3 * m + l] = weight[n] * weight[m] * factor * d;
                }
            }
        }
    }
}

/* One function of hinges that are flat at rest, C_f = s e_f, which moves component f alone. */
MO_INLINE void project_flat(const mo_projection *j, int64_t batch, int f, const mo_d4 g[NODES],
                            mo_d4 s, mo_d4 mobility, mo_d4 x[NODES][3], const mo_d4 w[NODES])
{
    const mo_constraint_set *set = j->set;
    const double *weight = mo_constraint_numbers(set, batch);
    double *lambda = set->lambda + (batch * FUNCTIONS + f) * MO_LANES;
    mo_d4 e = mo_d4_load(weight) * x[0][f] + mo_d4_load(weight + MO_LANES) * x[1][f] +
              mo_d4_load(weight + 2 * MO_LANES) * x[2][f] +
              mo_d4_load(weight + 3 * MO_LANES) * x[3][f];
    mo_d4 a =
        mo_d4_load(set->compliance + (batch * FUNCTIONS + f) * MO_LANES) * mo_d4_set(j->inverse_h2);
    mo_d4 l = mo_d4_load(lambda), right = -(s * e) - a * l, left = mobility + a;
    mo_l4 acts = mobility > mo_d4_set(0);
    mo_d4 change =
        mo_d4_select(acts, mo_d4_set(j->factor[0]) * right / mo_d4_select(acts, left, mo_d4_set(1)),
                     mo_d4_set(0));
    if (j->change) {
        change *= mo_d4_load(set->share + batch * MO_LANES);
    }
    mo_d4_store(lambda, l + change);
    for (int n = 0; n < NODES; ++n) {
        x[n][f] += w[n] * g[n] * change;
    }
}

/* The three functions of a flat batch share gradients and mobility: the bits of
 * mo_project_batches at a third of its cost. */
static void project_flat_batch(const mo_projection *j, int64_t batch)
{
    const mo_constraint_set *set = j->set;
    const double *numbers = mo_constraint_numbers(set, batch);
    const int32_t *rows = mo_constraint_rows(set, batch);
    mo_d4 start[NODES][4], x[NODES][3], w[NODES], g[NODES], mobility = mo_d4_set(0),
                                                            s = mo_d4_load(numbers + MO_LANES * 4);
    for (int n = 0; n < NODES; ++n) {
        mo_gather(j->p, rows + MO_LANES * n, start[n]);
        for (int k = 0; k < 3; ++k) {
            x[n][k] = start[n][k];
        }
        w[n] = start[n][3];
        g[n] = mo_d4_load(numbers + MO_LANES * n) * s;
        mobility += w[n] * (g[n] * g[n]);
    }
    project_flat(j, batch, 0, g, s, mobility, x, w);
    project_flat(j, batch, 1, g, s, mobility, x, w);
    project_flat(j, batch, 2, g, s, mobility, x, w);
    for (int n = 0; n < NODES; ++n) {
        mo_projection_scatter(j, rows + MO_LANES * n, set->lanes[batch], (const mo_d4 *)x[n],
                              (const mo_d4 *)start[n]);
    }
}

static bool is_flat(const mo_constraint_set *set, int64_t batch)
{
    const double *r = mo_constraint_numbers(set, batch) + MO_LANES * 5;
    return r[0] == 0 && r[1] == 0 && r[2] == 0 && r[3] == 0;
}

static void bend_isometric_project(const mo_projection *j, int64_t first, int64_t last)
{
    for (int64_t batch = first; batch < last; ++batch) {
        if (!(j->damping > 0) && is_flat(j->set, batch)) {
            project_flat_batch(j, batch);
        } else {
            mo_project_batches(j, bend_isometric_evaluate, NODES, FUNCTIONS, batch, batch + 1);
        }
    }
}

static double cotangent(mo_vec3 u, mo_vec3 v)
{
    return mo_dot(u, v) / mo_length(mo_cross(u, v));
}

/* The constants of a hinge: K_0 to K_3, s, r. */
static void rest_hinge(const mo_mesh *mesh, const int32_t *node, double numbers[NUMBERS])
{
    mo_vec3 x[NODES], sum = {0, 0, 0};
    for (int n = 0; n < NODES; ++n) {
        x[n] = mo_mesh_node(mesh, node[n]);
    }
    mo_vec3 edge = mo_sub(x[1], x[0]), back = mo_sub(x[0], x[1]);
    double at_0[2], at_1[2], area = 0;
    for (int t = 0; t < 2; ++t) {
        mo_vec3 u = mo_sub(x[2 + t], x[0]);
        at_0[t] = cotangent(edge, u);
        at_1[t] = cotangent(back, mo_sub(x[2 + t], x[1]));
        area += 0.5 * mo_length(mo_cross(edge, u));
    }
    numbers[0] = at_1[0] + at_1[1];
    numbers[1] = at_0[0] + at_0[1];
    numbers[2] = -at_0[0] - at_1[0];
    numbers[3] = -at_0[1] - at_1[1];
    numbers[4] = sqrt(3 / area);
    for (int n = 0; n < NODES; ++n) {
        sum = mo_add_scaled(sum, numbers[n], x[n]);
    }
    double r = mo_length(sum);
    numbers[5] = r > 1e-9 * mo_length(edge) ? r : 0;
}

static mote_status add_hinges(mo_constraint_set *set, const mo_mesh *mesh, const mo_hinges *hinges,
                              mote_error *error)
{
    double c = mo_constraint_compliance(set), compliance[FUNCTIONS] = {c, c, c}, numbers[NUMBERS];
    for (int64_t k = 0; k < hinges->count; ++k) {
        const int32_t *node = hinges->nodes + 4 * k;
        rest_hinge(mesh, node, numbers);
        double length = mo_length(mo_sub(mo_mesh_node(mesh, node[1]), mo_mesh_node(mesh, node[0])));
        if (!isfinite(numbers[0] + numbers[1] + numbers[2] + numbers[3] + numbers[4])) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "a triangle at its edge between the nodes %d and %d has no area",
                           node[0], node[1]);
        }
        MO_TRY(mo_constraint_set_add(set, node, numbers, compliance, numbers[4] * length, error));
    }
    return MOTE_OK;
}

static mote_status bend_isometric_add(mo_constraint_set *set, const mo_mesh *mesh,
                                      mote_error *error)
{
    return mo_hinges_add(set, mesh, add_hinges, error);
}

const mo_constraint_type mo_constraint_bend_isometric = {
    .base = {.name = "bend_isometric",
             .summary = "Bending of nearly inextensible cloth, quadratic in the positions.",
             .citation = "M. Bergou et al. 2006, Symp. Geometry Processing, equation 4",
             .departs = "A curved rest shape has its own |e|, so that it is the minimum of the "
                        "energy.",
             .capabilities = MO_CONSTRAINT_PBD | MO_CONSTRAINT_XPBD | MO_PORTABLE,
             .param_size = sizeof(bend_isometric),
             .params = PARAMS},
    .nodes = NODES,
    .functions = FUNCTIONS,
    .numbers = NUMBERS,
    .add = bend_isometric_add,
    .evaluate = bend_isometric_values,
    .hessian = bend_isometric_hessian,
    .project = bend_isometric_project,
};
