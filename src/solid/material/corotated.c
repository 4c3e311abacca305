/*
 * Corotated linear elasticity: psi = mu |S - I|^2 + lambda/2 tr^2(S - I) for F = R S, that is in
 * stretches
 *     psi = mu sum (s - 1)^2 + lambda/2 (sum (s - 1))^2,  P = 2 mu (F - R) + lambda tr(S - I) R.
 * dP is the full derivative including that of R (not only the rest stiffness rotated by R). Signed
 * stretches make it finite everywhere, so it needs no limit.
 */
#include "solid/material/young.h"

static const mo_param PARAMS[] = {MO_YOUNG_PARAM, MO_POISSON_PARAM, {0}};

static mote_status corotated_begin(const void *params, bool plane_stress, mo_material *m,
                                   mote_error *error)
{
    const mo_young *p = params;
    (void)error;
    mo_material_lame(p->young, p->poisson, plane_stress, &m->mu, &m->lambda);
    mo_material_set_stiffness(m);
    m->limit = -INFINITY;
    return MOTE_OK;
}

static void corotated_principal(const mo_material *m, const mo_d4 s[3], mo_principal *out)
{
    mo_d4 trace = mo_d4_set(0), squares = trace;
    for (int i = 0; i < m->dimension; ++i) {
        trace += s[i] - 1;
        squares += (s[i] - 1) * (s[i] - 1);
    }
    out->psi = m->mu * squares + 0.5 * m->lambda * trace * trace;
    for (int i = 0; i < 3; ++i) {
        out->g[i] = 2 * m->mu * (s[i] - 1) + m->lambda * trace;
        out->h[i] = mo_d4_set(2 * m->mu + m->lambda);
        out->h[3 + i] = mo_d4_set(m->lambda);
        out->even[i] = mo_d4_set(2 * m->mu);
    }
    for (int k = 0; k < 3; ++k) {
        int i = MO_PAIRS[k][0], j = MO_PAIRS[k][1];
        out->odd[k] = mo_odd_of(out->g[i], out->g[j], s[i], s[j]);
    }
}

static void corotated_direct(const mo_material *m, const mo_d4 f[9], mo_d4 p[9], mo_d4 *psi)
{
    mo_d4 r[9], trace = mo_d4_set(-3);
    mo_polar3_d4_of(f, r);
    for (int k = 0; k < 9; ++k) {
        trace += r[k] * f[k];
    }
    for (int k = 0; k < 9; ++k) {
        p[k] = 2 * m->mu * (f[k] - r[k]) + m->lambda * trace * r[k];
    }
    if (psi) { /* |S - I| = |F - R| */
        *psi = m->mu * mo_squared_distance(f, r) + 0.5 * m->lambda * trace * trace;
    }
}

static void corotated_strain(const mo_material *m, mo_d4 s, mo_d4 *e, mo_d4 *slope)
{
    (void)m;
    *e = s - 1;
    *slope = mo_d4_set(1);
}

const mo_material_type mo_material_corotated = {
    .base = {.name = "corotated",
             .summary = "Corotated linear elasticity.",
             .citation =
                 "M. Mueller, M. Gross 2004, Graphics Interface 239; E. Sifakis, J. Barbic 2012, "
                 "SIGGRAPH course, section 3.4",
             .capabilities = MO_MATERIAL_ISOTROPIC | MO_MATERIAL_OBJECTIVE | MO_MATERIAL_RECOVERS |
                             MO_MATERIAL_UNFOLDS | MO_MATERIAL_PLASTIC | MO_PORTABLE,
             .param_size = sizeof(mo_young),
             .params = PARAMS},
    .begin = corotated_begin,
    .principal = corotated_principal,
    .direct = corotated_direct,
    .strain = corotated_strain,
};
