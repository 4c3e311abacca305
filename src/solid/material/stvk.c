/*
 * St. Venant-Kirchhoff: psi = mu E : E + lambda/2 tr^2 E with Green's strain E = (F^T F - I)/2, P =
 * F (2 mu E + lambda tr E I). A compressed bar softens below the stretch 1/sqrt(3). Departs from
 * the law: below `limit` the strain is extrapolated by its tangent (green.h), or clamped, according
 * to `inversion`; `none` is the exact law.
 */
#include "solid/material/green.h"
#include "solid/material/young.h"

static const mo_param PARAMS[] = {
    MO_YOUNG_PARAM, MO_POISSON_PARAM, MO_LIMIT_PARAM("0.4"), MO_INVERSION_PARAM(mo_young), {0}};

static mote_status stvk_begin(const void *params, bool plane_stress, mo_material *m,
                              mote_error *error)
{
    const mo_young *p = params;
    (void)error;
    mo_material_lame(p->young, p->poisson, plane_stress, &m->mu, &m->lambda);
    mo_material_set_stiffness(m);
    mo_set_inversion(m, p->inversion, p->limit);
    return MOTE_OK;
}

/* g = e' q with q_i = 2 mu e_i + lambda tr e; the difference of products is split: g_i - g_j =
 * (e'_i + e'_j)/2 (q_i - q_j) + (e'_i - e'_j) (q_i + q_j)/2. */
static void pair(const mo_material *m, const mo_d4 s[3], const mo_d4 e[3], const mo_d4 slope[3],
                 const mo_d4 q[3], int k, mo_principal *out)
{
    int i = MO_PAIRS[k][0], j = MO_PAIRS[k][1];
    mo_d4 mean = 0.5 * (slope[i] + slope[j]), limit = mo_d4_set(m->limit);
    mo_l4 both = (s[i] >= limit) & (s[j] >= limit);
    mo_d4 near = m->clamp ? mo_d4_set(0) : mean;
    mo_d4 rise = mo_d4_select(both, mean, mo_divided(e[i], e[j], s[i], s[j], near));
    mo_d4 bend =
        mo_d4_select(both, mo_d4_set(1), mo_divided(slope[i], slope[j], s[i], s[j], mo_d4_set(0)));
    out->even[k] = 2 * m->mu * mean * rise + 0.5 * bend * (q[i] + q[j]);
    out->odd[k] = mo_odd_of(out->g[i], out->g[j], s[i], s[j]);
}

/* Clamped stretches do not change P^, and psi grows linearly. h is kept symmetric, which dP^ is
 * not if another stretch is not clamped. */
static void clamp_stretches(const mo_material *m, const mo_d4 s[3], mo_principal *out)
{
    const mo_d4 zero = mo_d4_set(0), limit = mo_d4_set(m->limit);
    for (int i = 0; i < 3; ++i) {
        mo_l4 above = s[i] >= limit;
        out->psi += i < m->dimension ? mo_d4_select(above, zero, out->g[i] * (s[i] - limit)) : zero;
        out->h[i] = mo_d4_select(above, out->h[i], zero);
    }
    for (int k = 0; k < 3; ++k) {
        mo_l4 both = (s[MO_PAIRS[k][0]] >= limit) & (s[MO_PAIRS[k][1]] >= limit);
        out->h[3 + k] = mo_d4_select(both, out->h[3 + k], zero);
    }
}

static void stvk_principal(const mo_material *m, const mo_d4 s[3], mo_principal *out)
{
    mo_d4 e[3], slope[3], q[3], trace = mo_d4_set(0);
    out->psi = trace;
    for (int i = 0; i < 3; ++i) {
        mo_green(m, s[i], &e[i], &slope[i]);
        if (i < m->dimension) {
            trace += e[i];
            out->psi += m->mu * e[i] * e[i];
        }
    }
    out->psi += 0.5 * m->lambda * trace * trace;
    for (int i = 0; i < 3; ++i) {
        mo_d4 curve = mo_d4_select(s[i] >= mo_d4_set(m->limit), mo_d4_set(1), mo_d4_set(0));
        q[i] = 2 * m->mu * e[i] + m->lambda * trace;
        out->g[i] = slope[i] * q[i];
        out->h[i] = curve * q[i] + (2 * m->mu + m->lambda) * slope[i] * slope[i];
    }
    for (int k = 0; k < 3; ++k) {
        out->h[3 + k] = m->lambda * slope[MO_PAIRS[k][0]] * slope[MO_PAIRS[k][1]];
        pair(m, s, e, slope, q, k, out);
    }
    if (m->clamp) {
        clamp_stretches(m, s, out);
    }
}

static void stvk_direct(const mo_material *m, const mo_d4 f[9], mo_d4 p[9], mo_d4 *psi)
{
    mo_d4 s[9], trace = mo_d4_set(0), squares = trace;
    for (int i = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j) {
            mo_d4 c = f[i] * f[j] + f[3 + i] * f[3 + j] + f[6 + i] * f[6 + j];
            s[3 * i + j] = s[3 * j + i] = m->mu * (i == j ? c - 1 : c);
            squares += (i == j ? 1.0 : 2.0) * s[3 * i + j] * s[3 * i + j];
        }
        trace += i < m->dimension ? s[4 * i] : mo_d4_set(0);
    }
    if (psi) { /* s = 2 mu E so far */
        *psi = (squares + m->lambda / (2 * m->mu) * trace * trace) / (4 * m->mu);
    }
    for (int i = 0; i < 3; ++i) { /* tr E = trace/(2 mu) */
        s[4 * i] += m->lambda / (2 * m->mu) * trace;
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            p[3 * i + j] = f[3 * i] * s[j] + f[3 * i + 1] * s[3 + j] + f[3 * i + 2] * s[6 + j];
        }
    }
}

const mo_material_type mo_material_stvk = {
    .base = {.name = "stvk",
             .summary = "St. Venant-Kirchhoff material: Hooke's law for the Green strain.",
             .citation = "E. Sifakis, J. Barbic 2012, SIGGRAPH course, section 3.3",
             .departs =
                 "Below the stretch `limit` the strain is extrapolated linearly, or clamped, so "
                 "that inverted elements recover; with `inversion` none it is the published law.",
             .capabilities = MO_MATERIAL_ISOTROPIC | MO_MATERIAL_OBJECTIVE | MO_MATERIAL_RECOVERS |
                             MO_MATERIAL_UNFOLDS | MO_MATERIAL_PLASTIC | MO_PORTABLE,
             .param_size = sizeof(mo_young),
             .params = PARAMS},
    .begin = stvk_begin,
    .principal = stvk_principal,
    .direct = stvk_direct,
    .strain = mo_green,
    .green = true,
};
