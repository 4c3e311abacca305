/*
 * Neo-Hookean, with I1 = |F|^2 and I3 = det(F)^2:
 *     psi = mu/2 (I1 - log I3 - d) + lambda/8 log^2 I3,
 * in principal stretches s with l = sum log s:
 *     psi = sum (mu/2 (s^2 - 1) - mu log s) + lambda/2 l^2,    P = mu F + (lambda l - mu) F^-T.
 * Departs from the law: below `limit` the logarithm is extrapolated by its tangent, so that psi and
 * P are defined for degenerate and inverted elements. An element compressed to a plane recovers.
 * Recovery from a point and from random positions is frequent, in trials most often with the limit
 * 0.5, but not guaranteed: l may be so negative that other directions are stretched instead of the
 * inverted one.
 */
#include "solid/material/young.h"

static const mo_param PARAMS[] = {MO_YOUNG_PARAM, MO_POISSON_PARAM, MO_LIMIT_PARAM("0.05"), {0}};

static mote_status neo_hookean_begin(const void *params, bool plane_stress, mo_material *m,
                                     mote_error *error)
{
    const mo_young *p = params;
    (void)error;
    mo_material_lame(p->young, p->poisson, plane_stress, &m->mu, &m->lambda);
    m->limit = p->limit;
    return MOTE_OK;
}

static mo_d4 log_of(mo_d4 a)
{
    for (int k = 0; k < 4; ++k) {
        a[k] = log(a[k]);
    }
    return a;
}

/* The extrapolated logarithm: log of the clamped value plus the linear term; first and second
 * derivative. */
static void continue_log(const mo_material *m, mo_d4 s, mo_d4 *clamped, mo_d4 *more, mo_d4 *slope,
                         mo_d4 *curve)
{
    *clamped = mo_d4_max(s, mo_d4_set(m->limit));
    mo_d4 inverse = 1 / *clamped, below = (s - *clamped) * inverse;
    *more = below;
    *slope = inverse;
    *curve = mo_d4_select(s < mo_d4_set(m->limit), mo_d4_set(0), -inverse * inverse);
}

static void neo_hookean_principal(const mo_material *m, const mo_d4 s[3], mo_principal *out)
{
    mo_d4 clamped[3], slope[3], curve[3], more, product = mo_d4_set(1), l = mo_d4_set(0);
    out->psi = l;
    for (int i = 0; i < 3; ++i) {
        continue_log(m, s[i], &clamped[i], &more, &slope[i], &curve[i]);
        if (i < m->dimension) {
            product *= clamped[i];
            l += more;
            out->psi += 0.5 * m->mu * (s[i] * s[i] - 1);
        }
    }
    l += log_of(product);
    out->psi += l * (0.5 * m->lambda * l - m->mu);
    mo_d4 q = m->lambda * l - m->mu;
    for (int i = 0; i < 3; ++i) {
        out->g[i] = m->mu * s[i] + q * slope[i];
        out->h[i] = m->mu + q * curve[i] + m->lambda * slope[i] * slope[i];
    }
    for (int k = 0; k < 3; ++k) {
        int i = MO_PAIRS[k][0], j = MO_PAIRS[k][1];
        mo_l4 both = (s[i] >= mo_d4_set(m->limit)) & (s[j] >= mo_d4_set(m->limit));
        mo_d4 rest = mo_divided(slope[i], slope[j], s[i], s[j], 0.5 * (curve[i] + curve[j]));
        out->h[3 + k] = m->lambda * slope[i] * slope[j];
        out->even[k] = m->mu + q * mo_d4_select(both, -1 / (clamped[i] * clamped[j]), rest);
        out->odd[k] = mo_odd_of(out->g[i], out->g[j], s[i], s[j]);
    }
}

static void neo_hookean_direct(const mo_material *m, const mo_d4 f[9], mo_d4 p[9], mo_d4 *psi)
{
    mo_d4 cofactors[9];
    mo_d4_cofactors(f, cofactors);
    mo_d4 j = f[0] * cofactors[0] + f[1] * cofactors[1] + f[2] * cofactors[2];
    mo_d4 clamped = mo_d4_max(j, mo_d4_set(1e-30)); /* unsafe lanes are not used */
    mo_d4 l = log_of(clamped), q = (m->lambda * l - m->mu) / clamped, squares = mo_d4_set(-3);
    for (int k = 0; k < 9; ++k) {
        p[k] = m->mu * f[k] + q * cofactors[k];
        squares += f[k] * f[k];
    }
    if (psi) {
        *psi = 0.5 * m->mu * squares + l * (0.5 * m->lambda * l - m->mu);
    }
}

const mo_material_type mo_material_neo_hookean = {
    .base = {.name = "neo_hookean",
             .summary = "Compressible neo-Hookean material with logarithmic volume terms.",
             .citation = "E. Sifakis, J. Barbic 2012, SIGGRAPH course, section 3.5",
             .departs = "Below the stretch `limit` the logarithm is extrapolated linearly, so that "
                        "energy and stress are defined for inverted elements.",
             .capabilities = MO_MATERIAL_ISOTROPIC | MO_MATERIAL_OBJECTIVE,
             .param_size = sizeof(mo_young),
             .params = PARAMS},
    .begin = neo_hookean_begin,
    .principal = neo_hookean_principal,
    .direct = neo_hookean_direct,
};
