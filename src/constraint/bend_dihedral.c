/*
 * The dihedral angle of two triangles with a common edge: C = theta - theta_0, theta the signed
 * angle between their normals (M. Mueller et al. 2007, section 4.1), with the gradient of R.
 * Bridson, S. Marino, R. Fedkiw 2003, which is regular for flat hinges. Departs from Mueller in the
 * sign. Needs a constraint against stretch beside it: alone it may stretch triangles without bound.
 */
#include "constraint/element.h"
#include "constraint/hessian.h"
#include "constraint/hinge.h"
#include "constraint/project.h"
#include "constraint/vec.h"
#include "math/angle_wide.h"

#include <math.h>
#include <string.h>

enum { NODES = 4, FUNCTIONS = 1, NUMBERS = 1 };

typedef struct bend_dihedral {
    mo_constraint_common common;
} bend_dihedral;

static const mo_param PARAMS[] = {MO_CONSTRAINT_COMMON(bend_dihedral, "1/J"), {0}};

/* Beyond a fold by pi the angle continues: differences are those in [-pi, pi]. */
MO_INLINE mo_d4 wrapped(mo_d4 a)
{
    const mo_d4 pi = mo_d4_set(3.14159265358979323846), turn = pi + pi;
    a = mo_d4_select(a > pi, a - turn, a);
    return mo_d4_select(a < -pi, a + turn, a);
}

MO_INLINE void bend_dihedral_evaluate(const mo_constraint_set *set, int64_t batch, int f,
                                      const mo_d4 x[][3], mo_d4 *value, mo_d4 g[][3])
{
    mo_d4 e[3], a[3], b[3], c[3], d[3], n[3], m[3];
    (void)f;
    mo_w3_sub(x[1], x[0], e);
    mo_w3_sub(x[2], x[0], a);
    mo_w3_sub(x[2], x[1], b);
    mo_w3_sub(x[3], x[0], c);
    mo_w3_sub(x[3], x[1], d);
    mo_w3_cross(a, b, n); /* twice the area, outward */
    mo_w3_cross(d, c, m);
    mo_d4 length = mo_w3_length(e), inverse = mo_w_inverse(length);
    mo_d4 nn = mo_w_inverse(mo_w3_dot(n, n)), mm = mo_w_inverse(mo_w3_dot(m, m));
    /* (n x m) . e/|e| = -(n . c) |e|, since n x (d x c) = (n . c) (d - c) = -(n . c) e */
    *value = wrapped(mo_d4_atan2(-length * mo_w3_dot(n, c), mo_w3_dot(n, m)) -
                     mo_d4_load(mo_constraint_numbers(set, batch)));
    mo_d4 u = inverse * mo_w3_dot(b, e), v = inverse * mo_w3_dot(d, e),
          s = inverse * mo_w3_dot(a, e), t = inverse * mo_w3_dot(c, e);
    for (int k = 0; k < 3; ++k) {
        mo_d4 p = nn * n[k], q = mm * m[k];
        g[0][k] = -(u * p + v * q);
        g[1][k] = s * p + t * q;
        g[2][k] = -length * p;
        g[3][k] = -length * q;
    }
}

static void bend_dihedral_values(const mo_constraint_set *set, int64_t batch, int f,
                                 const mo_d4 x[][3], mo_d4 *value, mo_d4 g[][3])
{
    bend_dihedral_evaluate(set, batch, f, x, value, g);
}

/* Terms of the gradient, or their derivatives along one direction. */
typedef struct fold {
    mo_d4 e[3], a[3], b[3], c[3], d[3]; /* edges, as in bend_dihedral_evaluate */
    mo_d4 length, unit[3], p[3], q[3];  /* |e|, e/|e|, n/|n|^2, m/|m|^2 */
    mo_d4 u, v, s, t;
} fold;

/* n/|n|^2 of n = y x z */
static void inverse_normal(const mo_d4 y[3], const mo_d4 z[3], mo_d4 p[3])
{
    mo_d4 n[3];
    mo_w3_cross(y, z, n);
    mo_w3_scale(mo_w_inverse(mo_w3_dot(n, n)), n, p);
}

/* Its derivative: dn/|n|^2 - 2 (p . dn) p */
static void inverse_normal_slope(const mo_d4 y[3], const mo_d4 z[3], const mo_d4 dy[3],
                                 const mo_d4 dz[3], const mo_d4 p[3], mo_d4 dp[3])
{
    mo_d4 one[3], two[3];
    mo_w3_cross(dy, z, one);
    mo_w3_cross(y, dz, two);
    for (int k = 0; k < 3; ++k) {
        one[k] += two[k];
    }
    mo_d4 square = mo_w3_dot(p, p), along = mo_d4_set(2) * mo_w3_dot(p, one);
    for (int k = 0; k < 3; ++k) {
        dp[k] = square * one[k] - along * p[k];
    }
}

static void find_edges(const mo_d4 x[][3], fold *z)
{
    mo_w3_sub(x[1], x[0], z->e);
    mo_w3_sub(x[2], x[0], z->a);
    mo_w3_sub(x[2], x[1], z->b);
    mo_w3_sub(x[3], x[0], z->c);
    mo_w3_sub(x[3], x[1], z->d);
}

static void find_fold(const mo_d4 x[][3], fold *z)
{
    find_edges(x, z);
    z->length = mo_w3_length(z->e);
    mo_w3_scale(mo_w_inverse(z->length), z->e, z->unit);
    inverse_normal(z->a, z->b, z->p);
    inverse_normal(z->d, z->c, z->q);
    z->u = mo_w3_dot(z->b, z->unit);
    z->v = mo_w3_dot(z->d, z->unit);
    z->s = mo_w3_dot(z->a, z->unit);
    z->t = mo_w3_dot(z->c, z->unit);
}

/* The derivative along the displacements dx of the nodes. */
static void find_slope(const fold *z, const mo_d4 dx[][3], fold *to)
{
    find_edges(dx, to);
    to->length = mo_w3_dot(z->unit, to->e);
    mo_d4 inverse = mo_w_inverse(z->length);
    for (int k = 0; k < 3; ++k) {
        to->unit[k] = inverse * (to->e[k] - to->length * z->unit[k]);
    }
    inverse_normal_slope(z->a, z->b, to->a, to->b, z->p, to->p);
    inverse_normal_slope(z->d, z->c, to->d, to->c, z->q, to->q);
    to->u = mo_w3_dot(to->b, z->unit) + mo_w3_dot(z->b, to->unit);
    to->v = mo_w3_dot(to->d, z->unit) + mo_w3_dot(z->d, to->unit);
    to->s = mo_w3_dot(to->a, z->unit) + mo_w3_dot(z->a, to->unit);
    to->t = mo_w3_dot(to->c, z->unit) + mo_w3_dot(z->c, to->unit);
}

/* The gradient, differentiated along every coordinate. */
static void bend_dihedral_hessian(const mo_constraint_set *set, int64_t batch, int f,
                                  const mo_d4 x[][3], mo_hessian h)
{
    fold z, dz;
    (void)set, (void)batch, (void)f;
    find_fold(x, &z);
    for (int b = 0; b < 3 * NODES; ++b) {
        mo_d4 dx[NODES][3];
        memset(dx, 0, sizeof dx);
        dx[b / 3][b % 3] = mo_d4_set(1);
        find_slope(&z, (const mo_d4(*)[3])dx, &dz);
        for (int k = 0; k < 3; ++k) {
            h[k][b] = -(dz.u * z.p[k] + z.u * dz.p[k] + dz.v * z.q[k] + z.v * dz.q[k]);
            h[3 + k][b] = dz.s * z.p[k] + z.s * dz.p[k] + dz.t * z.q[k] + z.t * dz.q[k];
            h[6 + k][b] = -(dz.length * z.p[k] + z.length * dz.p[k]);
            h[9 + k][b] = -(dz.length * z.q[k] + z.length * dz.q[k]);
        }
    }
}

static void bend_dihedral_project(const mo_projection *j, int64_t first, int64_t last)
{
    mo_project_batches(j, bend_dihedral_evaluate, NODES, FUNCTIONS, first, last);
}

static mote_status add_hinges(mo_constraint_set *set, const mo_mesh *mesh, const mo_hinges *hinges,
                              mote_error *error)
{
    double compliance = mo_constraint_compliance(set);
    for (int64_t k = 0; k < hinges->count; ++k) {
        const int32_t *node = hinges->nodes + 4 * k;
        mo_vec3 x[NODES];
        for (int n = 0; n < NODES; ++n) {
            x[n] = mo_mesh_node(mesh, node[n]);
        }
        mo_vec3 n = mo_cross(mo_sub(x[2], x[0]), mo_sub(x[2], x[1])),
                m = mo_cross(mo_sub(x[3], x[1]), mo_sub(x[3], x[0])), e = mo_sub(x[1], x[0]);
        double angle = mo_d4_atan2(mo_d4_set(-mo_length(e) * mo_dot(n, mo_sub(x[3], x[0]))),
                                   mo_d4_set(mo_dot(n, m)))[0];
        if (!(mo_length(n) > 0 && mo_length(m) > 0)) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "a triangle at its edge between the nodes %d and %d has no area",
                           node[0], node[1]);
        }
        MO_TRY(mo_constraint_set_add(set, node, &angle, &compliance, 1, error));
    }
    return MOTE_OK;
}

static mote_status bend_dihedral_add(mo_constraint_set *set, const mo_mesh *mesh, mote_error *error)
{
    return mo_hinges_add(set, mesh, add_hinges, error);
}

const mo_constraint_type mo_constraint_bend_dihedral = {
    .base = {.name = "bend_dihedral",
             .summary = "Dihedral angles between neighbouring triangles.",
             .citation = "M. Mueller et al. 2007, J. Vis. Commun. Image Represent. 18, 109, "
                         "section 4.1; R. Bridson, S. Marino, R. Fedkiw 2003, section 3",
             .departs = "The angle is signed, so that a hinge does not fold to the other side.",
             .capabilities = MO_CONSTRAINT_PBD | MO_CONSTRAINT_XPBD | MO_PORTABLE,
             .param_size = sizeof(bend_dihedral),
             .params = PARAMS},
    .nodes = NODES,
    .functions = FUNCTIONS,
    .numbers = NUMBERS,
    .add = bend_dihedral_add,
    .evaluate = bend_dihedral_values,
    .hessian = bend_dihedral_hessian,
    .project = bend_dihedral_project,
};
