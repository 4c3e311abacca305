/*
 * Energy and stress of any material: directly for regular stretches, by singular values otherwise,
 * and by the strain for plastic or anisotropic materials.
 *
 * For psi = 1/2 (E - E_p) : C : (E - E_p), E = V diag(e(s)) V^T, with S = C : (E - E_p) and S^ =
 * V^T S V:
 *     P^_ii = e'(s_i) S^_ii,   P^_ij = 2 s_i (e_i - e_j)/(s_i^2 - s_j^2) S^_ij
 * (the derivative of a symmetric function of F^T F). P F^T is symmetric for any E_p. With
 * clamped stretches (material.h) P^ = F^ S^.
 */
#include "solid/material/strain.h"

static void decompose(const mo_material *m, const mo_d4 f[9], mo_svd3_d4 *svd)
{
    if (m->space == MO_PLANE) {
        mo_svd2_d4_of(f, svd);
    } else {
        mo_svd3_d4_of(f, svd);
    }
}

void mo_material_decompose(const mo_material *m, const mo_d4 f[9], mo_svd3_d4 *svd)
{
    decompose(m, f, svd);
}

void mo_symmetric_turn(const mo_d4 s[6], const mo_d4 v[9], bool back, mo_d4 out[6])
{
    const mo_d4 full[9] = {s[0], s[3], s[4], s[3], s[1], s[5], s[4], s[5], s[2]};
    mo_d4 half[9];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) { /* S V, or S V^T */
            half[3 * i + j] =
                back ? full[3 * i] * v[3 * j] + full[3 * i + 1] * v[3 * j + 1] +
                           full[3 * i + 2] * v[3 * j + 2]
                     : full[3 * i] * v[j] + full[3 * i + 1] * v[3 + j] + full[3 * i + 2] * v[6 + j];
        }
    }
    static const int8_t ROW[6] = {0, 1, 2, 0, 0, 1}, COLUMN[6] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < 6; ++k) {
        int i = ROW[k], j = COLUMN[k];
        out[k] = back ? v[3 * i] * half[j] + v[3 * i + 1] * half[3 + j] + v[3 * i + 2] * half[6 + j]
                      : v[i] * half[j] + v[3 + i] * half[3 + j] + v[6 + i] * half[6 + j];
    }
}

void mo_material_hooke_stress(const mo_material *m, const mo_d4 e[6], mo_d4 s[6])
{
    for (int i = 0; i < 6; ++i) {
        s[i] = mo_d4_set(0);
        for (int j = 0; j < 6; ++j) {
            s[i] += m->stiffness[i][j] * (j < 3 ? e[j] : 2 * e[j]);
        }
    }
}

/* Of small displacements: sym(F) - I. */
static void small_strain(const mo_material *m, const mo_d4 f[9], mo_d4 e[6])
{
    for (int i = 0; i < 3; ++i) {
        e[i] = i < m->dimension ? f[4 * i] - 1 : mo_d4_set(0);
    }
    for (int k = 0; k < 3; ++k) {
        int i = MO_PAIRS[k][0], j = MO_PAIRS[k][1];
        e[3 + k] = 0.5 * (f[3 * i + j] + f[3 * j + i]);
    }
}

static void strain_of(const mo_material *m, const mo_svd3_d4 *svd, mo_d4 e[6])
{
    mo_d4 diagonal[6] = {{0}}, slope;
    for (int i = 0; i < m->dimension; ++i) {
        m->type->strain(m, svd->s[i], &diagonal[i], &slope);
    }
    mo_symmetric_turn(diagonal, svd->v, true, e);
}

void mo_material_strain(const mo_material *m, const mo_d4 f[9], mo_d4 e[6])
{
    if (m->type->small) {
        small_strain(m, f, e);
        return;
    }
    mo_svd3_d4 svd;
    decompose(m, f, &svd);
    strain_of(m, &svd, e);
}

static void subtract(mo_d4 e[6], const mo_d4 *plastic)
{
    for (int k = 0; k < 6 && plastic; ++k) {
        e[k] -= plastic[k];
    }
}

static mo_d4 strain_energy(const mo_material *m, const mo_d4 f[9], const mo_d4 *plastic)
{
    mo_d4 e[6], s[6], sum = mo_d4_set(0);
    mo_material_strain(m, f, e);
    subtract(e, plastic);
    mo_material_hooke_stress(m, e, s);
    for (int k = 0; k < 6; ++k) {
        sum += (k < 3 ? 0.5 : 1.0) * e[k] * s[k];
    }
    return sum;
}

/* The lanes in which `direct` holds. */
static mo_l4 safe_lanes(const mo_material *m, const mo_d4 f[9])
{
    return m->limit < 0 ? mo_d4_set(0) == mo_d4_set(0) : mo_material_safe(m, f);
}

void mo_material_energy(const mo_material *m, const mo_d4 f[9], const mo_d4 *plastic, mo_d4 *psi)
{
    if (plastic || !m->type->principal) {
        *psi = strain_energy(m, f, plastic);
        return;
    }
    mo_l4 safe = (mo_l4){0, 0, 0, 0};
    if (m->type->direct && m->space == MO_SOLID) {
        mo_d4 p[9];
        safe = safe_lanes(m, f);
        m->type->direct(m, f, p, psi);
    }
    if (mo_l4_any(~safe)) {
        mo_svd3_d4 svd;
        mo_principal p;
        decompose(m, f, &svd);
        m->type->principal(m, svd.s, &p);
        *psi = mo_d4_select(safe, *psi, p.psi);
    }
}

/* U diag(g) V^T */
static void compose(const mo_svd3_d4 *svd, const mo_d4 g[3], mo_d4 p[9])
{
    mo_d4 scaled[9];
    for (int k = 0; k < 9; ++k) {
        scaled[k] = svd->u[k] * g[k % 3];
    }
    mo_d4_times_transposed(scaled, svd->v, p);
}

static void principal_stress(const mo_material *m, const mo_d4 f[9], mo_d4 p[9])
{
    mo_svd3_d4 svd;
    mo_principal out;
    decompose(m, f, &svd);
    m->type->principal(m, svd.s, &out);
    if (m->dimension == 2) {
        out.g[2] = mo_d4_set(0);
    }
    compose(&svd, out.g, p);
}

static void small_stress(const mo_material *m, const mo_d4 f[9], const mo_d4 *plastic, mo_d4 p[9])
{
    mo_d4 e[6], s[6];
    small_strain(m, f, e);
    subtract(e, plastic);
    mo_material_hooke_stress(m, e, s);
    const mo_d4 full[9] = {s[0], s[3], s[4], s[3], s[1], s[5], s[4], s[5], s[2]};
    memcpy(p, full, sizeof full);
}

/* U P^ V^T, see the file head. */
static void strain_stress(const mo_material *m, const mo_d4 f[9], const mo_d4 *plastic, mo_d4 p[9])
{
    mo_svd3_d4 svd;
    mo_d4 e[6], s[6], turned[6], part[3] = {{0}}, slope[3] = {{0}}, inner[9], half[9];
    decompose(m, f, &svd);
    for (int i = 0; i < m->dimension; ++i) {
        m->type->strain(m, svd.s[i], &part[i], &slope[i]);
        inner[4 * i] = slope[i];
    }
    inner[8] = slope[2];
    strain_of(m, &svd, e);
    subtract(e, plastic);
    mo_material_hooke_stress(m, e, s);
    mo_symmetric_turn(s, svd.v, false, turned);
    for (int i = 0; i < 3; ++i) {
        inner[4 * i] *= turned[i];
    }
    for (int k = 0; k < 3; ++k) {
        int i = MO_PAIRS[k][0], j = MO_PAIRS[k][1];
        mo_d4 rise = mo_divided(part[i], part[j], svd.s[i], svd.s[j], 0.5 * (slope[i] + slope[j]));
        mo_d4 common = 2 * rise * turned[3 + k] / mo_d4_max(svd.s[i] + svd.s[j], mo_d4_set(1e-6));
        inner[3 * i + j] = m->clamp ? slope[i] * turned[3 + k] : svd.s[i] * common;
        inner[3 * j + i] = m->clamp ? slope[j] * turned[3 + k] : svd.s[j] * common;
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            half[3 * i + j] = svd.u[3 * i] * inner[j] + svd.u[3 * i + 1] * inner[3 + j] +
                              svd.u[3 * i + 2] * inner[6 + j];
        }
    }
    mo_d4_times_transposed(half, svd.v, p);
}

/* P = F (C : (E - E_p)) with Green's strain. */
static void green_stress(const mo_material *m, const mo_d4 f[9], const mo_d4 *plastic, mo_d4 p[9])
{
    mo_d4 e[6], s[6];
    mo_green_strain(m, f, e);
    subtract(e, plastic);
    mo_material_hooke_stress(m, e, s);
    for (int i = 0; i < 9; i += 3) {
        p[i] = f[i] * s[0] + f[i + 1] * s[3] + f[i + 2] * s[4];
        p[i + 1] = f[i] * s[3] + f[i + 1] * s[1] + f[i + 2] * s[5];
        p[i + 2] = f[i] * s[4] + f[i + 1] * s[5] + f[i + 2] * s[2];
    }
}

void mo_green_strain(const mo_material *m, const mo_d4 f[9], mo_d4 e[6])
{
    static const int8_t ROW[6] = {0, 1, 2, 0, 0, 1}, COLUMN[6] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < 6; ++k) {
        int i = ROW[k], j = COLUMN[k];
        mo_d4 c = f[i] * f[j] + f[3 + i] * f[3 + j] + f[6 + i] * f[6 + j];
        e[k] = 0.5 * (k < m->dimension ? c - 1 : c);
    }
}

/* `slow` where not `mask`. */
static void merge(mo_l4 mask, const mo_d4 slow[9], mo_d4 p[9])
{
    for (int k = 0; k < 9; ++k) {
        p[k] = mo_d4_select(mask, p[k], slow[k]);
    }
}

/* The fast path is chosen per lane. */
static void stress_by_strain(const mo_material *m, const mo_d4 f[9], const mo_d4 *plastic,
                             mo_d4 p[9])
{
    mo_l4 safe = mo_material_safe(m, f);
    if (m->limit < 0 && m->type->green) { /* Green's strain without extrapolation */
        green_stress(m, f, plastic, p);
        return;
    }
    if (m->limit < 0 ||
        m->space != MO_SOLID) { /* not Green's strain, or no determinant for the test */
        strain_stress(m, f, plastic, p);
        return;
    }
    green_stress(m, f, plastic, p);
    if (mo_l4_any(~safe)) {
        mo_d4 slow[9];
        strain_stress(m, f, plastic, slow);
        merge(safe, slow, p);
    }
}

void mo_material_stress(const mo_material *m, const mo_d4 f[9], const mo_d4 *plastic, mo_d4 p[9])
{
    if (m->type->small) {
        small_stress(m, f, plastic, p);
    } else if (plastic || !m->type->principal) {
        stress_by_strain(m, f, plastic, p);
    } else if (!m->type->direct || m->space != MO_SOLID) {
        principal_stress(m, f, p);
    } else {
        mo_l4 safe = safe_lanes(m, f);
        m->type->direct(m, f, p, NULL);
        if (mo_l4_any(~safe)) {
            mo_d4 slow[9];
            principal_stress(m, f, slow);
            merge(safe, slow, p);
        }
    }
}
