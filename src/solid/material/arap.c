/*
 * As rigid as possible: psi = mu |F - R|^2 = mu sum (s - 1)^2 with mu = E/2, corotated elasticity
 * of Poisson's ratio 0. (The literature also writes half of this.)
 */
#include "solid/material/young.h"

static const mo_param PARAMS[] = {MO_YOUNG_PARAM, {0}};

static mote_status arap_begin(const void *params, bool plane_stress, mo_material *m,
                              mote_error *error)
{
    const mo_young *p = params;
    (void)error;
    mo_material_lame(p->young, 0, plane_stress, &m->mu, &m->lambda);
    m->limit = -INFINITY;
    return MOTE_OK;
}

static void arap_principal(const mo_material *m, const mo_d4 s[3], mo_principal *out)
{
    out->psi = mo_d4_set(0);
    for (int i = 0; i < 3; ++i) {
        out->psi += i < m->dimension ? m->mu * (s[i] - 1) * (s[i] - 1) : mo_d4_set(0);
        out->g[i] = 2 * m->mu * (s[i] - 1);
        out->h[i] = mo_d4_set(2 * m->mu);
        out->h[3 + i] = mo_d4_set(0);
        out->even[i] = mo_d4_set(2 * m->mu);
    }
    for (int k = 0; k < 3; ++k) {
        int i = MO_PAIRS[k][0], j = MO_PAIRS[k][1];
        out->odd[k] = mo_odd_of(out->g[i], out->g[j], s[i], s[j]);
    }
}

static void arap_direct(const mo_material *m, const mo_d4 f[9], mo_d4 p[9], mo_d4 *psi)
{
    mo_d4 r[9];
    mo_polar3_d4_of(f, r);
    for (int k = 0; k < 9; ++k) {
        p[k] = 2 * m->mu * (f[k] - r[k]);
    }
    if (psi) {
        *psi = m->mu * mo_squared_distance(f, r);
    }
}

const mo_material_type mo_material_arap = {
    .base =
        {.name = "arap",
         .summary = "As-rigid-as-possible energy; isotropic, Poisson's ratio 0.",
         .citation =
             "O. Sorkine, M. Alexa 2007, SGP 109; B. Smith, F. de Goes, T. Kim 2019, section 4.1",
         .capabilities = MO_MATERIAL_ISOTROPIC | MO_MATERIAL_OBJECTIVE | MO_MATERIAL_RECOVERS |
                         MO_MATERIAL_UNFOLDS | MO_PORTABLE,
         .param_size = sizeof(mo_young),
         .params = PARAMS},
    .begin = arap_begin,
    .principal = arap_principal,
    .direct = arap_direct,
};
