/*
 * dP of any material; see material.h. Semi-definite: the even and odd eigenvalues of each pair are
 * clamped at 0, and so are the eigenvalues of h (B. Smith, F. de Goes, T. Kim 2019). For
 * rotation-invariant damping the pair (dF^_ij, dF^_ji) is taken along n = (s_i, s_j)/|.| alone: a
 * rotation is dF^ = W diag(s), perpendicular to n, and P^ along n has a symmetric P F^T, so no
 * torque.
 *
 * Without isotropy: dP = dF S + F (C : sym(F^T dF)); S is projected to be semidefinite, or omitted
 * for damping. Below the limit F has clamped stretches, which is not exactly the derivative of the
 * extrapolated stress. With plasticity corotated elements have the dP of E_p = 0. Newton's method
 * then needs more iterations.
 */
#include "math/eigen3.h"
#include "solid/material/strain.h"

#include <string.h>

/* ---- semi-definite parts, lane by lane, where it is needed ---- */

static void clamp_lane(mo_d4 h[6], int lane)
{
    mo_mat3 a = {{h[0][lane], h[3][lane], h[4][lane], h[3][lane], h[1][lane], h[5][lane],
                  h[4][lane], h[5][lane], h[2][lane]}};
    mo_eigen3 e = mo_eigen3_of(a);
    double sum[9] = {0};
    for (int k = 0; k < 3; ++k) {
        for (int n = 0; n < 9 && e.value[k] > 0; ++n) {
            sum[n] += e.value[k] * e.vector.m[3 * (n / 3) + k] * e.vector.m[3 * (n % 3) + k];
        }
    }
    static const int8_t ENTRY[6] = {0, 4, 8, 1, 2, 5};
    for (int k = 0; k < 6; ++k) {
        h[k][lane] = sum[ENTRY[k]];
    }
}

/* Sylvester's criterion selects the lanes that are already definite. */
static void clamp_symmetric(mo_d4 h[6], int dimension)
{
    const mo_d4 zero = mo_d4_set(0);
    mo_d4 minor = h[0] * h[1] - h[3] * h[3];
    mo_l4 good = (h[0] >= zero) & (minor >= zero);
    if (dimension == 3) {
        mo_d4 determinant =
            h[2] * minor - h[5] * (h[0] * h[5] - h[3] * h[4]) + h[4] * (h[3] * h[5] - h[1] * h[4]);
        good = (h[0] > zero) & (minor > zero) & (determinant >= zero);
    } else {
        good &= h[1] >= zero;
    }
    for (int lane = 0; lane < 4; ++lane) {
        if (!good[lane]) {
            clamp_lane(h, lane);
        }
    }
}

/* ---- by principal stretches ---- */

/* In two dimensions: the terms of axis 2, with g and s of that axis 0. */
static void flatten(const mo_d4 s[3], mo_principal *p)
{
    const mo_d4 zero = mo_d4_set(0);
    p->g[2] = p->h[2] = p->h[4] = p->h[5] = zero;
    for (int i = 0; i < 2; ++i) {
        p->even[1 + i] = p->odd[1 + i] = mo_odd_of(p->g[i], zero, s[i], zero);
    }
}

static void set_pairs(const mo_d4 s[3], const mo_principal *p, mo_tangent_kind kind, mo_tangent *t)
{
    const mo_d4 zero = mo_d4_set(0), tiny = mo_d4_set(1e-280);
    for (int k = 0; k < 3; ++k) {
        mo_d4 si = s[MO_PAIRS[k][0]], sj = s[MO_PAIRS[k][1]];
        mo_d4 even = kind == MO_EXACT ? p->even[k] : mo_d4_max(p->even[k], zero);
        mo_d4 odd = kind == MO_EXACT ? p->odd[k] : mo_d4_max(p->odd[k], zero);
        t->upper[k] = t->lower[k] = 0.5 * (even + odd);
        t->cross[k] = 0.5 * (even - odd);
        if (kind == MO_DAMPING) {
            mo_d4 inverse = 1 / (si * si + sj * sj + tiny);
            mo_d4 along = (t->upper[k] + 2 * t->cross[k] * si * sj * inverse) * inverse;
            t->upper[k] = along * si * si;
            t->lower[k] = along * sj * sj;
            t->cross[k] = along * si * sj;
        }
    }
}

static void principal_tangent(const mo_material *m, const mo_d4 f[9], mo_tangent_kind kind,
                              mo_tangent *t)
{
    mo_svd3_d4 svd;
    mo_principal p;
    mo_material_decompose(m, f, &svd);
    m->type->principal(m, svd.s, &p);
    if (m->dimension == 2) {
        flatten(svd.s, &p);
    }
    memcpy(t->u, svd.u, sizeof t->u);
    memcpy(t->v, svd.v, sizeof t->v);
    memcpy(t->h, p.h, sizeof t->h);
    set_pairs(svd.s, &p, kind, t);
    if (kind != MO_EXACT) {
        clamp_symmetric(t->h, m->dimension);
    }
}

static void small_tangent(const mo_material *m, mo_tangent *t)
{
    mo_svd3_identity(t->u);
    mo_svd3_identity(t->v);
    for (int i = 0; i < 3; ++i) {
        bool there = m->dimension == 3 || i == 0;
        t->h[i] = mo_d4_set(i < m->dimension ? 2 * m->mu + m->lambda : 0);
        t->h[3 + i] = mo_d4_set(there ? m->lambda : 0);
        t->upper[i] = t->lower[i] = t->cross[i] = mo_d4_set(there ? m->mu : 0);
    }
}

/* ---- by the strain ---- */

/* U diag(max(s, limit)) V^T */
static void clamp_above(const mo_material *m, const mo_d4 f[9], mo_d4 out[9])
{
    mo_svd3_d4 svd;
    mo_d4 scaled[9];
    mo_material_decompose(m, f, &svd);
    for (int k = 0; k < 9; ++k) {
        bool there = k % 3 < m->dimension;
        scaled[k] = there ? svd.u[k] * mo_d4_max(svd.s[k % 3], mo_d4_set(m->limit)) : mo_d4_set(0);
    }
    mo_d4_times_transposed(scaled, svd.v, out);
}

static void general_tangent(const mo_material *m, const mo_d4 f[9], const mo_d4 *plastic,
                            mo_tangent_kind kind, mo_tangent *t)
{
    mo_d4 e[6];
    mo_l4 safe = m->space == MO_SOLID ? mo_material_safe(m, f) : (mo_l4){0, 0, 0, 0};
    t->general = true;
    memcpy(t->u, f, 9 * sizeof *f);
    if (kind != MO_DAMPING && mo_l4_any(~safe)) { /* damping must stay symmetric */
        mo_d4 clamped[9];
        clamp_above(m, f, clamped);
        for (int k = 0; k < 9; ++k) {
            t->u[k] = mo_d4_select(safe, f[k], clamped[k]);
        }
    }
    mo_material_strain(m, f, e);
    for (int k = 0; k < 6 && plastic; ++k) {
        e[k] -= plastic[k];
    }
    mo_material_hooke_stress(m, e, t->h);
    if (kind == MO_PROJECTED) {
        clamp_symmetric(t->h, m->dimension);
    } else if (kind == MO_DAMPING) {
        memset(t->h, 0, sizeof t->h);
    }
}

void mo_material_tangent(const mo_material *m, const mo_d4 f[9], const mo_d4 *plastic,
                         mo_tangent_kind kind, mo_tangent *t)
{
    t->general = false;
    if (m->type->small) {
        small_tangent(m, t);
    } else if (!m->type->principal || (plastic && m->limit > 0)) {
        general_tangent(m, f, plastic, kind, t);
    } else {
        principal_tangent(m, f, kind, t);
    }
}

void mo_material_mixed_tangent(const mo_material *m, const mo_d4 f[9], const mo_d4 before[9],
                               const mo_d4 *plastic, mo_tangent_kind kind, mo_tangent *t)
{
    mo_d4 e[6], d[9];
    if (!m->type->green || m->space != MO_SOLID || mo_l4_any(~mo_material_safe(m, f))) {
        mo_material_tangent(m, f, plastic, kind, t);
        return;
    }
    for (int k = 0; k < 9; ++k) {
        d[k] = f[k] - before[k];
    }
    mo_green_strain(m, f, e);
    for (int k = 0; k < 6; ++k) {
        int i = k < 3 ? k : MO_PAIRS[k - 3][0], j = k < 3 ? k : MO_PAIRS[k - 3][1];
        e[k] -= 0.5 * (d[i] * d[j] + d[3 + i] * d[3 + j] + d[6 + i] * d[6 + j]);
        e[k] -= plastic ? plastic[k] : mo_d4_set(0);
    }
    t->general = true;
    memcpy(t->u, f, 9 * sizeof *f);
    mo_material_hooke_stress(m, e, t->h);
    if (kind == MO_PROJECTED) {
        clamp_symmetric(t->h, m->dimension);
    }
}

/* ---- operations ---- */

MO_INLINE void product(const mo_d4 a[9], const mo_d4 b[9], mo_d4 out[9])
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
        }
    }
}

MO_INLINE void transposed_times(const mo_d4 a[9], const mo_d4 b[9], mo_d4 out[9])
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            out[3 * i + j] = a[i] * b[j] + a[3 + i] * b[3 + j] + a[6 + i] * b[6 + j];
        }
    }
}

static void full_of(const mo_d4 s[6], mo_d4 out[9])
{
    const mo_d4 full[9] = {s[0], s[3], s[4], s[3], s[1], s[5], s[4], s[5], s[2]};
    memcpy(out, full, sizeof full);
}

static void apply_general(const mo_material *m, const mo_tangent *t, const mo_d4 df[9], mo_d4 dp[9])
{
    mo_d4 c[9], e[6], s[6], full[9], more[9];
    transposed_times(t->u, df, c);
    for (int k = 0; k < 3; ++k) {
        int i = MO_PAIRS[k][0], j = MO_PAIRS[k][1];
        e[k] = c[4 * k];
        e[3 + k] = 0.5 * (c[3 * i + j] + c[3 * j + i]);
    }
    mo_material_hooke_stress(m, e, s);
    full_of(s, full);
    product(t->u, full, dp);
    full_of(t->h, full);
    product(df, full, more);
    for (int k = 0; k < 9; ++k) {
        dp[k] += more[k];
    }
}

void mo_tangent_apply(const mo_material *m, const mo_tangent *t, const mo_d4 df[9], mo_d4 dp[9])
{
    if (t->general) {
        apply_general(m, t, df, dp);
        return;
    }
    mo_d4 half[9], d[9], p[9];
    transposed_times(t->u, df, half);
    product(half, t->v, d);
    p[0] = t->h[0] * d[0] + t->h[3] * d[4] + t->h[4] * d[8];
    p[4] = t->h[3] * d[0] + t->h[1] * d[4] + t->h[5] * d[8];
    p[8] = t->h[4] * d[0] + t->h[5] * d[4] + t->h[2] * d[8];
    for (int k = 0; k < 3; ++k) {
        int ij = 3 * MO_PAIRS[k][0] + MO_PAIRS[k][1], ji = 3 * MO_PAIRS[k][1] + MO_PAIRS[k][0];
        p[ij] = t->upper[k] * d[ij] + t->cross[k] * d[ji];
        p[ji] = t->cross[k] * d[ij] + t->lower[k] * d[ji];
    }
    product(t->u, p, half);
    mo_d4_times_transposed(half, t->v, dp);
}

/* The strain (00 11 22 and twice 01 02 12) of dx b^T for dx along each axis, F = I. */
static void strains_of(const mo_d4 b[3], mo_d4 out[6][3])
{
    memset(out, 0, 18 * sizeof(mo_d4));
    for (int k = 0; k < 3; ++k) {
        int i = MO_PAIRS[k][0], j = MO_PAIRS[k][1];
        out[k][k] = b[k];
        out[3 + k][i] = b[j];
        out[3 + k][j] = b[i];
    }
}

/* The same of an isotropic material: with p = F a, q = F b it is lambda p q^T + mu q p^T + mu (a.b)
 * F F^T + (a S b) I. */
static void block_isotropic(const mo_material *m, const mo_tangent *t, const mo_d4 a[3],
                            const mo_d4 b[3], mo_d4 block[9])
{
    const mo_d4 *f = t->u, *s = t->h;
    mo_d4 p[3], q[3],
        sb[3] = {s[0] * b[0] + s[3] * b[1] + s[4] * b[2], s[3] * b[0] + s[1] * b[1] + s[5] * b[2],
                 s[4] * b[0] + s[5] * b[1] + s[2] * b[2]};
    mo_d4 ab = m->mu * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
    mo_d4 turn = a[0] * sb[0] + a[1] * sb[1] + a[2] * sb[2];
    for (int i = 0; i < 3; ++i) {
        p[i] = f[3 * i] * a[0] + f[3 * i + 1] * a[1] + f[3 * i + 2] * a[2];
        q[i] = f[3 * i] * b[0] + f[3 * i + 1] * b[1] + f[3 * i + 2] * b[2];
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            mo_d4 ff =
                f[3 * i] * f[3 * j] + f[3 * i + 1] * f[3 * j + 1] + f[3 * i + 2] * f[3 * j + 2];
            block[3 * i + j] = m->lambda * p[i] * q[j] + m->mu * q[i] * p[j] + ab * ff;
        }
        block[4 * i] += turn;
    }
}

static void block_general(const mo_material *m, const mo_tangent *t, const mo_d4 a[3],
                          const mo_d4 b[3], mo_d4 block[9])
{
    if (m->type->base.capabilities & MO_MATERIAL_ISOTROPIC) {
        block_isotropic(m, t, a, b, block);
        return;
    }
    mo_d4 ea[6][3], eb[6][3], cb[6][3], d[9], half[9], full[9];
    strains_of(a, ea);
    strains_of(b, eb);
    for (int n = 0; n < 18; ++n) {
        mo_d4 sum = mo_d4_set(0);
        for (int k = 0; k < 6; ++k) {
            sum += m->stiffness[n / 3][k] * eb[k][n % 3];
        }
        cb[n / 3][n % 3] = sum;
    }
    for (int n = 0; n < 9; ++n) {
        d[n] = mo_d4_set(0);
        for (int k = 0; k < 6; ++k) {
            d[n] += ea[k][n / 3] * cb[k][n % 3];
        }
    }
    product(t->u, d, half);
    mo_d4_times_transposed(half, t->u, block);
    full_of(t->h, full);
    mo_d4 sum = mo_d4_set(0);
    for (int n = 0; n < 9; ++n) {
        sum += a[n / 3] * full[n] * b[n % 3];
    }
    for (int i = 0; i < 9; i += 4) {
        block[i] += sum;
    }
}

void mo_tangent_turn(const mo_tangent *t, const mo_d4 g[3], mo_d4 turned[3])
{
    if (t->general) {
        memcpy(turned, g, 3 * sizeof *g);
        return;
    }
    mo_d4 x = g[0], y = g[1], z = g[2];
    for (int i = 0; i < 3; ++i) {
        turned[i] = t->v[i] * x + t->v[3 + i] * y + t->v[6 + i] * z;
    }
}

void mo_tangent_block(const mo_material *m, const mo_tangent *t, const mo_d4 a[3], const mo_d4 b[3],
                      mo_d4 block[9])
{
    if (t->general) {
        block_general(m, t, a, b, block);
        return;
    }
    mo_d4 k[9], half[9];
    for (int i = 0; i < 3; ++i) {
        k[4 * i] = t->h[i] * a[i] * b[i];
    }
    for (int n = 0; n < 3; ++n) {
        int i = MO_PAIRS[n][0], j = MO_PAIRS[n][1];
        k[3 * i + j] = t->h[3 + n] * a[i] * b[j] + t->cross[n] * a[j] * b[i];
        k[3 * j + i] = t->h[3 + n] * a[j] * b[i] + t->cross[n] * a[i] * b[j];
        k[4 * i] += t->upper[n] * a[j] * b[j];
        k[4 * j] += t->lower[n] * a[i] * b[i];
    }
    product(t->u, k, half);
    mo_d4_times_transposed(half, t->u, block);
}
