/*
 * Stable neo-Hookean (B. Smith, F. de Goes, T. Kim 2018, equation 14):
 *     psi = mu/2 (I - d) + lambda/2 (J - alpha)^2 - mu/2 log((I + 1)/(d + 1)),  I = |F|^2, J = det
 *         F,
 *     P = mu (1 - 1/(I + 1)) F + lambda (J - alpha) cof F,
 * smooth for all F, inverted or not; but P(0) = 0, so that a body collapsed to a point does not
 * recover. d is 3 or 2; the rest shape is stress-free for alpha = 1 + mu d/((d + 1) lambda). For
 * small strains it is Hooke's law with mu_L = mu d/(d + 1), lambda_L = lambda + 2 mu/(d + 1)^2 - mu
 * d/(d
 * + 1): the constants are set from these (equation 16 for d = 3). A constant is added so that psi
 * of the rest shape is 0.
 */
#include "solid/material/young.h"

static const mo_param PARAMS[] = {MO_YOUNG_PARAM, MO_POISSON_PARAM, {0}};

static mote_status stable_neo_hookean_begin(const void *params, bool plane_stress, mo_material *m,
                                            mote_error *error)
{
    const mo_young *p = params;
    double mu, lambda, d = m->dimension;
    mo_material_lame(p->young, p->poisson, plane_stress, &mu, &lambda);
    m->mu = mu * (d + 1) / d;
    m->lambda = lambda - 2 * m->mu / ((d + 1) * (d + 1)) + mu;
    m->alpha = 1 + mu / m->lambda;
    m->limit = -INFINITY;
    if (!(m->lambda > 0)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "poisson: %g is too small for this material in plane stress; allowed: above -0.5",
            p->poisson);
    }
    return MOTE_OK;
}

static mo_d4 log_of(mo_d4 a)
{
    for (int k = 0; k < 4; ++k) {
        a[k] = log(a[k]);
    }
    return a;
}

/* `sum` is I + 1, `pressure` dpsi/dJ; the energy of the rest shape is subtracted. */
static mo_d4 energy_of(const mo_material *m, mo_d4 sum, mo_d4 pressure)
{
    double d = m->dimension, rest = (1 - m->alpha) * (1 - m->alpha);
    return 0.5 * m->mu * (sum - (d + 1) - log_of(sum / (d + 1))) +
           0.5 * (pressure * pressure / m->lambda - m->lambda * rest);
}

static void stable_neo_hookean_principal(const mo_material *m, const mo_d4 s[3], mo_principal *out)
{
    const mo_d4 one = mo_d4_set(1);
    mo_d4 third = m->dimension == 3 ? s[2] : one, sum = s[0] * s[0] + s[1] * s[1];
    sum += m->dimension == 3 ? third * third : mo_d4_set(0);
    mo_d4 without[3] = {s[1] * third, s[0] * third, s[0] * s[1]}; /* J/s_i */
    const mo_d4 other[3] = {third, s[1], s[0]};                   /* J/(s_i s_j) */
    mo_d4 below = 1 / (sum + 1), pressure = m->lambda * (s[0] * without[0] - m->alpha);
    mo_d4 shear = m->mu * (1 - below), twice = 2 * m->mu * below * below;
    out->psi = energy_of(m, sum + 1, pressure);
    for (int i = 0; i < 3; ++i) {
        out->g[i] = shear * s[i] + pressure * without[i];
        out->h[i] = shear + twice * s[i] * s[i] + m->lambda * without[i] * without[i];
    }
    for (int k = 0; k < 3; ++k) {
        int i = MO_PAIRS[k][0], j = MO_PAIRS[k][1];
        out->h[3 + k] =
            twice * s[i] * s[j] + m->lambda * without[i] * without[j] + pressure * other[k];
        out->even[k] = shear - pressure * other[k];
        out->odd[k] = shear + pressure * other[k];
    }
}

static void stable_neo_hookean_direct(const mo_material *m, const mo_d4 f[9], mo_d4 p[9],
                                      mo_d4 *psi)
{
    mo_d4 cofactors[9], sum = mo_d4_set(1);
    mo_d4_cofactors(f, cofactors);
    for (int k = 0; k < 9; ++k) {
        sum += f[k] * f[k];
    }
    mo_d4 j = f[0] * cofactors[0] + f[1] * cofactors[1] + f[2] * cofactors[2];
    mo_d4 shear = m->mu * (1 - 1 / sum), pressure = m->lambda * (j - m->alpha);
    for (int k = 0; k < 9; ++k) {
        p[k] = shear * f[k] + pressure * cofactors[k];
    }
    if (psi) {
        *psi = energy_of(m, sum, pressure);
    }
}

const mo_material_type mo_material_stable_neo_hookean = {
    .base = {.name = "stable_neo_hookean",
             .summary =
                 "Stable neo-Hookean material, smooth for degenerate and inverted elements; for "
                 "flesh and rubber.",
             .citation = "B. Smith, F. de Goes, T. Kim 2018, ACM TOG 37(2) 12, equations 14 and 16",
             .capabilities = MO_MATERIAL_ISOTROPIC | MO_MATERIAL_OBJECTIVE | MO_MATERIAL_RECOVERS,
             .param_size = sizeof(mo_young),
             .params = PARAMS},
    .begin = stable_neo_hookean_begin,
    .principal = stable_neo_hookean_principal,
    .direct = stable_neo_hookean_direct,
};
