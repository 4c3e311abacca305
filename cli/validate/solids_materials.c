/*
 * Constitutive laws: derivatives, symmetries, uniaxial curves.
 */
#include "math/quat.h"
#include "math/svd3.h"
#include "validate/solids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 200 };

/* Lanes are four independent deformations. */
typedef struct four {
    mo_d4 m[9];
} four;

static double next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-52 - 1;
}

static four random_four(uint64_t *state, double size, double diagonal)
{
    four f;
    for (int k = 0; k < 9; ++k) {
        for (int lane = 0; lane < 4; ++lane) {
            f.m[k][lane] = (k % 4 == 0 ? diagonal : 0) + size * next_random(state);
        }
    }
    return f;
}

static four plus(const four *a, double s, const four *b)
{
    four c;
    for (int k = 0; k < 9; ++k) {
        c.m[k] = a->m[k] + s * b->m[k];
    }
    return c;
}

static double inner(const four *a, const four *b, int lane)
{
    double sum = 0;
    for (int k = 0; k < 9; ++k) {
        sum += a->m[k][lane] * b->m[k][lane];
    }
    return sum;
}

/* Second derivatives are discontinuous at the limit: minimum distance to it. */
static bool smooth(const mo_material *m, const four *f, int lane)
{
    mo_mat3 a;
    for (int k = 0; k < 9; ++k) {
        a.m[k] = f->m[k][lane];
    }
    mo_svd3 svd = mo_svd3_of(a);
    /* where dP of hooke is truncated */
    bool clamped = !m->type->principal && svd.s[2] < m->limit + 0.05;
    return svd.s[1] + svd.s[2] > 0.1 && fabs(svd.s[2] - m->limit) > 0.05 &&
           fabs(svd.s[1] - m->limit) > 0.05 && !clamped;
}

/* The largest errors of psi' against P and of P' against dP, relative to the compared values
 * plus one. */
static void compare(const mo_material *m, uint64_t *state, double *stress, double *tangent)
{
    const double h = 1e-5;
    mo_tangent t;
    mo_d4 high, low;
    four f = random_four(state, 0.4, 1), d = random_four(state, 1, 0), p, dp, up, down;
    four ahead = plus(&f, h, &d), behind = plus(&f, -h, &d);
    mo_material_stress(m, f.m, NULL, p.m);
    mo_material_energy(m, ahead.m, NULL, &high);
    mo_material_energy(m, behind.m, NULL, &low);
    mo_material_tangent(m, f.m, NULL, MO_EXACT, &t);
    mo_tangent_apply(m, &t, d.m, dp.m);
    mo_material_stress(m, ahead.m, NULL, up.m);
    mo_material_stress(m, behind.m, NULL, down.m);
    four slope = plus(&up, -1, &down);
    for (int lane = 0; lane < 4; ++lane) {
        if (!smooth(m, &f, lane)) {
            continue;
        }
        double size = 1 + sqrt(inner(&p, &p, lane));
        *stress =
            fmax(*stress, fabs(inner(&p, &d, lane) - (high[lane] - low[lane]) / (2 * h)) / size);
        size = 1 + sqrt(inner(&dp, &dp, lane));
        for (int k = 0; k < 9; ++k) {
            *tangent = fmax(*tangent, fabs(dp.m[k][lane] - slope.m[k][lane] / (2 * h)) / size);
        }
    }
}

mote_status solids_derivatives(void *context, mote_error *error)
{
    for (int k = 0; k < mo_materials.count; ++k) {
        const char *name = mo_materials.methods[k]->name;
        mote_world *world;
        mo_material m;
        double stress = 0, tangent = 0;
        uint64_t state = 1;
        char quantity[100];
        MO_TRY(solids_material(name, &world, &m, error));
        for (int round = 0; round < ROUNDS; ++round) {
            compare(&m, &state, &stress, &tangent);
        }
        mote_world_destroy(world);
        /* central differences of 1e-5: third derivatives, up to some thousands, times 1e-10/6 */
        snprintf(quantity, sizeof quantity, "P against psi, %s", name);
        validate_absolute(context, "solids/derivatives", quantity, stress, 0, 1e-6);
        snprintf(quantity, sizeof quantity, "dP against P, %s", name);
        validate_absolute(context, "solids/derivatives", quantity, tangent, 0, 1e-6);
    }
    return MOTE_OK;
}

/* ---- symmetries ---- */

static four turn_of(uint64_t *state)
{
    four out;
    mo_vec3 axis = {next_random(state), next_random(state), next_random(state)};
    mo_mat3 r =
        mo_quat_matrix(mo_quat_turn(mo_unit(axis, mo_vec3_make(1, 0, 0)), 3 * next_random(state)));
    for (int k = 0; k < 9; ++k) {
        out.m[k] = mo_d4_set(r.m[k]);
    }
    return out;
}

static four product(const four *a, const four *b)
{
    four c;
    for (int k = 0; k < 9; ++k) {
        int i = 3 * (k / 3), j = k % 3;
        c.m[k] = a->m[i] * b->m[j] + a->m[i + 1] * b->m[3 + j] + a->m[i + 2] * b->m[6 + j];
    }
    return c;
}

mote_status solids_symmetries(void *context, mote_error *error)
{
    for (int n = 0; n < mo_materials.count; ++n) {
        const mo_descriptor *type = mo_materials.methods[n];
        mote_world *world;
        mo_material m;
        double turned = 0, mixed = 0;
        uint64_t state = 2;
        char quantity[100];
        MO_TRY(solids_material(type->name, &world, &m, error));
        for (int round = 0; round < ROUNDS; ++round) {
            four f = random_four(&state, 0.3, 1), q = turn_of(&state), before = product(&q, &f),
                 after = product(&f, &q);
            mo_d4 psi, left, right;
            mo_material_energy(&m, f.m, NULL, &psi);
            mo_material_energy(&m, before.m, NULL, &left);
            mo_material_energy(&m, after.m, NULL, &right);
            for (int lane = 0; lane < 4; ++lane) {
                turned = fmax(turned, fabs(left[lane] - psi[lane]) / (1 + psi[lane]));
                mixed = fmax(mixed, fabs(right[lane] - psi[lane]) / (1 + psi[lane]));
            }
        }
        mote_world_destroy(world);
        if (type->capabilities & MO_MATERIAL_OBJECTIVE) {
            snprintf(quantity, sizeof quantity, "psi(Q F) - psi(F), %s", type->name);
            validate_absolute(context, "solids/symmetries", quantity, turned, 0, 1e-12);
            snprintf(quantity, sizeof quantity, "psi(F Q) - psi(F), %s", type->name);
            bool isotropic = type->capabilities & MO_MATERIAL_ISOTROPIC;
            if (isotropic) {
                validate_absolute(context, "solids/symmetries", quantity, mixed, 0, 1e-12);
            } else { /* anisotropic materials must not be isotropic */
                validate_at_least(context, "solids/symmetries", quantity, mixed, 0.1, 0);
            }
        }
    }
    return MOTE_OK;
}

/* ---- uniaxial ---- */

/* P along the axis with free sides: the transverse stretches alternately by bisection. */
static double pull(const mo_material *m, double l)
{
    double side[2] = {1, 1};
    mo_d4 f[9] = {{0}}, p[9];
    f[0] = mo_d4_set(l);
    for (int round = 0; round < 60; ++round) {
        for (int k = 0; k < 2; ++k) {
            double low = 0.3, high = 2.5;
            for (int n = 0; n < 60; ++n) {
                side[k] = 0.5 * (low + high);
                f[4] = mo_d4_set(side[0]);
                f[8] = mo_d4_set(side[1]);
                mo_material_stress(m, f, NULL, p);
                *(p[4 + 4 * k][0] > 0 ? &high : &low) = side[k];
            }
        }
    }
    return p[0][0];
}

/* The material's closed form; see tests/unit/solid_material.c for the derivations. */
static double closed_form(const mo_material *m, double l)
{
    const char *name = m->type->base.name;
    double low = 0.1, high = 3, t = 1;
    if (strcmp(name, "stvk") == 0 || strcmp(name, "hooke") == 0) {
        return SOLIDS_YOUNG * l * (l * l - 1) / 2;
    }
    if (strcmp(name, "neo_hookean") ==
        0) { /* mu (t^2 - 1) + lambda log(l t^2) = 0, P = mu (l^2 - t^2)/l */
        for (int k = 0; k < 200; ++k) {
            t = 0.5 * (low + high);
            *(m->mu * (t * t - 1) + m->lambda * log(l * t * t) > 0 ? &high : &low) = t;
        }
        return m->mu * (l * l - t * t) / l;
    }
    if (strcmp(name, "stable_neo_hookean") ==
        0) { /* b + lambda (J - alpha) l = 0, P = b (l - t^2/l) */
        for (int k = 0; k < 200; ++k) {
            t = 0.5 * (low + high);
            double b = m->mu * (1 - 1 / (1 + l * l + 2 * t * t));
            *(b + m->lambda * (l * t * t - m->alpha) * l > 0 ? &high : &low) = t;
        }
        return m->mu * (1 - 1 / (1 + l * l + 2 * t * t)) * (l - t * t / l);
    }
    return SOLIDS_YOUNG * (l - 1);
}

mote_status solids_uniaxial(void *context, mote_error *error)
{
    static const double STRETCHES[] = {0.577350269189625764, 0.8, 1.01, 1.5};
    for (int n = 0; n < mo_materials.count; ++n) {
        const char *name = mo_materials.methods[n]->name;
        mote_world *world;
        mo_material m;
        MO_TRY(solids_material(name, &world, &m, error));
        for (int k = 0; k < 4; ++k) {
            char quantity[100];
            snprintf(quantity, sizeof quantity, "P/E at stretch %.4g, %s", STRETCHES[k], name);
            validate_absolute(context, "solids/uniaxial", quantity,
                              pull(&m, STRETCHES[k]) / SOLIDS_YOUNG,
                              closed_form(&m, STRETCHES[k]) / SOLIDS_YOUNG, 1e-8);
        }
        mote_world_destroy(world);
    }
    return MOTE_OK;
}
