/*
 * Materials: stress and its derivative by finite differences, symmetries, small strains, uniaxial
 * curves.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "material_cases.h"

enum { ROUNDS = 300 };
static const double STEP = 1e-5; /* of central differences: truncation 1e-10, rounding 1e-11 */

static bool has(const mo_material *m, uint32_t capability)
{
    return (m->type->base.capabilities & capability) != 0;
}

/* The smallest distance of a stretch from the limit, where second derivatives are discontinuous,
 * and of s1 + s2 from 0, where R is. */
static double smoothness(const mo_material *m, mo_mat3 f)
{
    mo_svd3 svd = m->space == MO_PLANE ? mo_svd2_of(f) : mo_svd3_of(f);
    double near = m->dimension == 3 ? svd.s[1] + svd.s[2] : svd.s[0] + svd.s[1];
    for (int i = 0; i < m->dimension; ++i) {
        near = fmin(near, fabs(svd.s[i] - m->limit));
    }
    return m->space == MO_MEMBRANE ? fmin(near, svd.s[1]) : near;
}

static double size_of(mo_mat3 a)
{
    return sqrt(inner(a, a));
}

static void assert_same(mo_mat3 a, mo_mat3 b, double allowed)
{
    for (int k = 0; k < 9; ++k) {
        assert_near(a.m[k], b.m[k], allowed);
    }
}

/* ---- derivatives ---- */

static void stress_against_energy(const mo_material *m)
{
    uint64_t random = 11;
    for (int round = 0; round < ROUNDS; ++round) {
        mo_mat3 f = random_deformation(&random, m->space, round % 3 == 0 ? 1.5 : 0.3);
        mo_mat3 df = in_space(m->space, random_matrix(&random, 1));
        if (smoothness(m, f) < 0.01) {
            continue;
        }
        mo_mat3 p = stress_of(m, f, NULL);
        double slope =
            (energy_of(m, plus(f, STEP, df), NULL) - energy_of(m, plus(f, -STEP, df), NULL)) /
            (2 * STEP);
        assert_near(inner(p, df), slope, 2e-7 * (1 + size_of(p)));
    }
}

static void stress_is_the_derivative_of_energy(void **state)
{
    (void)state;
    for_every_material(stress_against_energy);
}

static void tangent_against_stress(const mo_material *m)
{
    uint64_t random = 12;
    int checked = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        mo_mat3 f = random_deformation(&random, m->space, round % 3 == 0 ? 1.5 : 0.3);
        mo_mat3 df = in_space(m->space, random_matrix(&random, 1));
        mo_svd3 svd = m->space == MO_PLANE ? mo_svd2_of(f) : mo_svd3_of(f);
        bool held = !m->type->principal && m->limit > 0 && svd.s[m->dimension - 1] < m->limit;
        if (smoothness(m, f) < 0.05 ||
            held) { /* hooke below its limit is not the exact derivative, as documented */
            continue;
        }
        mo_mat3 dp = tangent_of(m, f, NULL, MO_EXACT, df);
        mo_mat3 up = stress_of(m, plus(f, STEP, df), NULL),
                down = stress_of(m, plus(f, -STEP, df), NULL);
        mo_mat3 slope = plus(up, -1, down);
        for (int k = 0; k < 9; ++k) {
            slope.m[k] /= 2 * STEP;
        }
        assert_same(dp, slope, 1e-6 * (1 + size_of(dp)));
        ++checked;
    }
    assert_true(checked > ROUNDS / 3);
}

static void tangent_is_the_derivative_of_stress(void **state)
{
    (void)state;
    for_every_material(tangent_against_stress);
}

/* Where it is not the derivative it must be dissipative: x : dP(x) >= 0. */
static void projection_of(const mo_material *m)
{
    uint64_t random = 13;
    for (int round = 0; round < ROUNDS; ++round) {
        mo_mat3 f = random_deformation(&random, m->space, round % 2 ? 2 : 0.5);
        double scale = size_of(tangent_of(m, f, NULL, MO_PROJECTED, random_matrix(&random, 1)));
        for (int k = 0; k < 20; ++k) {
            mo_mat3 df = in_space(m->space, random_matrix(&random, 1));
            assert_true(inner(df, tangent_of(m, f, NULL, MO_PROJECTED, df)) >=
                        -1e-12 * (1 + scale));
            assert_true(inner(df, tangent_of(m, f, NULL, MO_DAMPING, df)) >= -1e-12 * (1 + scale));
        }
    }
    /* near the rest shape in slight tension nothing is clamped */
    for (int round = 0; round < 20 && m->space == MO_SOLID; ++round) {
        mo_mat3 f = mo_mat3_identity();
        for (int i = 0; i < 9; i += 4) {
            f.m[i] = random_between(&random, 1.01, 1.1);
        }
        mo_mat3 df = random_matrix(&random, 1);
        assert_same(tangent_of(m, f, NULL, MO_PROJECTED, df), tangent_of(m, f, NULL, MO_EXACT, df),
                    1e-12);
    }
}

static void projected_tangents_are_semi_definite(void **state)
{
    (void)state;
    for_every_material(projection_of);
}

static mo_mat3 mixed_of(const mo_material *m, mo_mat3 f, mo_mat3 before, mo_tangent_kind kind,
                        mo_mat3 df)
{
    mo_tangent t;
    mo_d4 wide[9], was[9], d[9], p[9];
    to_lanes(f, wide);
    to_lanes(before, was);
    to_lanes(df, d);
    mo_material_mixed_tangent(m, wide, was, NULL, kind, &t);
    mo_tangent_apply(m, &t, d, p);
    return from_lanes(p);
}

/* The second Piola-Kirchhoff stress. */
static mo_mat3 second_stress(const mo_material *m, mo_mat3 f)
{
    return mo_mat3_product(mo_mat3_inverse(f), stress_of(m, f, NULL));
}

/* Without a previous state it is the derivative; otherwise its stress is that of F minus the
 * nonlinear part of the correction. */
static void mixed_tangent(const mo_material *m)
{
    uint64_t random = 16;
    for (int round = 0; round < ROUNDS; ++round) {
        mo_mat3 before = random_deformation(&random, m->space, 0.2);
        mo_mat3 way = in_space(m->space, random_matrix(&random, 0.1)), f = plus(before, 1, way);
        mo_mat3 df = in_space(m->space, random_matrix(&random, 1));
        mo_mat3 exact = tangent_of(m, f, NULL, MO_EXACT, df),
                found = mixed_of(m, f, before, MO_EXACT, df);
        assert_same(mixed_of(m, f, f, MO_EXACT, df), exact, 1e-10 * (1 + size_of(exact)));
        if (!m->type->green || m->space != MO_SOLID) {
            assert_same(found, exact, 1e-12);
            continue;
        }
        mo_mat3 up = second_stress(m, plus(before, 1e-3, way)),
                down = second_stress(m, plus(before, -1e-3, way));
        mo_mat3 linear = plus(second_stress(m, before), 500, plus(up, -1, down));
        mo_mat3 change = mo_mat3_product(df, plus(linear, -1, second_stress(m, f)));
        assert_same(found, plus(exact, 1, change), 1e-9 * (1 + size_of(exact)));
        for (int k = 0; k < 5; ++k) {
            df = random_matrix(&random, 1);
            assert_true(inner(df, mixed_of(m, f, before, MO_PROJECTED, df)) >= -1e-12);
        }
    }
}

static void mixed_tangents_have_linear_stresses(void **state)
{
    (void)state;
    for_every_material(mixed_tangent);
}

/* A rotation dF = W F is undamped, and damping has no torque: P F^T is symmetric. */
static void damping_of(const mo_material *m)
{
    uint64_t random = 14;
    for (int round = 0; round < ROUNDS && has(m, MO_MATERIAL_OBJECTIVE); ++round) {
        mo_mat3 f = random_deformation(&random, m->space, 0.2);
        mo_mat3 w = m->space == MO_PLANE ? (mo_mat3){{0, 1, 0, -1, 0, 0, 0, 0, 0}}
                                         : (mo_mat3){{0, 0.3, -0.4, -0.3, 0, 0.7, 0.4, -0.7, 0}};
        mo_mat3 none =
            tangent_of(m, f, NULL, MO_DAMPING, in_space(m->space, mo_mat3_product(w, f)));
        assert_same(none, (mo_mat3){{0}}, 1e-12);
        mo_mat3 p =
            tangent_of(m, f, NULL, MO_DAMPING, in_space(m->space, random_matrix(&random, 1)));
        mo_mat3 torque = mo_mat3_product(p, mo_mat3_transpose(f));
        assert_same(torque, mo_mat3_transpose(torque), 1e-12 * (1 + size_of(torque)));
    }
}

static void damping_does_not_feel_rotations(void **state)
{
    (void)state;
    for_every_material(damping_of);
}

/* The block of two nodes with the shape gradients a and b. */
static void block_of(const mo_material *m, const mo_tangent *t, mo_vec3 a, mo_vec3 b,
                     mo_d4 block[9])
{
    const mo_d4 wa[3] = {mo_d4_set(a.x), mo_d4_set(a.y), mo_d4_set(a.z)};
    const mo_d4 wb[3] = {mo_d4_set(b.x), mo_d4_set(b.y), mo_d4_set(b.z)};
    mo_d4 ta[3], tb[3];
    mo_tangent_turn(t, wa, ta);
    mo_tangent_turn(t, wb, tb);
    mo_tangent_block(m, t, ta, tb, block);
}

/* The 3 x 3 blocks are the tangent between two shape gradients. */
static void blocks_of(const mo_material *m)
{
    uint64_t random = 15;
    for (int round = 0; round < ROUNDS; ++round) {
        mo_mat3 f = random_deformation(&random, m->space, 0.4);
        mo_vec3 a = random_vec3(&random, 1), b = random_vec3(&random, 1);
        mo_d4 wide[9], block[9];
        mo_tangent t;
        if (m->space != MO_SOLID) {
            a.z = b.z = 0;
        }
        to_lanes(f, wide);
        mo_material_tangent(m, wide, NULL, MO_PROJECTED, &t);
        block_of(m, &t, a, b, block);
        for (int c = 0; c < (m->space == MO_PLANE ? 2 : 3); ++c) {
            mo_mat3 df = {{0}};
            mo_vec3_store(df.m + 3 * c, b);
            mo_vec3 force = mo_mat3_apply(tangent_of(m, f, NULL, MO_PROJECTED, df), a);
            mo_vec3 column = {block[c][0], block[3 + c][0], block[6 + c][0]};
            if (m->space == MO_PLANE) {
                column.z = 0;
            }
            assert_near_vec3(column, force, 1e-12 * (1 + mo_length(force)));
        }
    }
}

/* The mixed tangent has blocks of its own form. */
static void mixed_blocks_of(const mo_material *m)
{
    uint64_t random = 17;
    for (int round = 0; round < ROUNDS && m->space == MO_SOLID; ++round) {
        mo_mat3 f = random_deformation(&random, m->space, 0.2),
                before = plus(f, 0.1, random_matrix(&random, 1));
        mo_vec3 a = random_vec3(&random, 1), b = random_vec3(&random, 1);
        mo_d4 wide[9], was[9], block[9];
        mo_tangent t;
        to_lanes(f, wide);
        to_lanes(before, was);
        mo_material_mixed_tangent(m, wide, was, NULL, MO_EXACT, &t);
        block_of(m, &t, a, b, block);
        for (int c = 0; c < 3; ++c) {
            mo_mat3 df = {{0}};
            mo_vec3_store(df.m + 3 * c, b);
            mo_vec3 force = mo_mat3_apply(mixed_of(m, f, before, MO_EXACT, df), a);
            mo_vec3 column = {block[c][0], block[3 + c][0], block[6 + c][0]};
            assert_near_vec3(column, force, 1e-12 * (1 + mo_length(force)));
        }
    }
}

static void blocks_are_the_tangent(void **state)
{
    for_every_material(mixed_blocks_of);
    (void)state;
    for_every_material(blocks_of);
}

/* ---- symmetries ---- */

static void symmetries_of(const mo_material *m)
{
    uint64_t random = 16;
    double widest = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        mo_mat3 f = random_deformation(&random, m->space, round % 2 ? 0.3 : 1.2),
                q = random_turn(&random, m->space);
        double psi = energy_of(m, f, NULL), allowed = 1e-12 * (1 + psi);
        if (smoothness(m, f) < 0.01) {
            continue;
        }
        if (has(m, MO_MATERIAL_OBJECTIVE)) {
            mo_mat3 turned = mo_mat3_product(q, f);
            assert_near(energy_of(m, turned, NULL), psi, allowed);
            assert_same(stress_of(m, turned, NULL), mo_mat3_product(q, stress_of(m, f, NULL)),
                        100 * allowed);
        }
        mo_mat3 r = random_turn(&random, m->dimension == 2 ? MO_PLANE : MO_SOLID);
        mo_mat3 before = mo_mat3_product(f, r);
        if (m->type->small) { /* F turned on both sides: the strain is turned */
            before = mo_mat3_product(mo_mat3_transpose(r), before);
        }
        if (has(m, MO_MATERIAL_ISOTROPIC)) {
            assert_near(energy_of(m, before, NULL), psi, allowed);
        }
        widest = fmax(widest, fabs(energy_of(m, before, NULL) - psi) / (1 + psi));
    }
    assert_true(has(m, MO_MATERIAL_ISOTROPIC) || widest > 0.1);
}

static void rotations_and_isotropy(void **state)
{
    (void)state;
    for_every_material(symmetries_of);
}

/* Linear elasticity is not rotation invariant. */
static void linear_feels_rotations(void **state)
{
    mo_material m;
    (void)state;
    assert_true(make_material(mo_family_find(&mo_materials, "linear"), MO_SOLID, false, &m));
    mo_mat3 q = mo_quat_matrix(mo_quat_turn(mo_vec3_make(0, 0, 1), 1));
    assert_true(energy_of(&m, q, NULL) > 0.1);
    assert_false(has(&m, MO_MATERIAL_OBJECTIVE));
}

/* ---- the rest shape and small strains ---- */

static void rest_of(const mo_material *m)
{
    uint64_t random = 17;
    mo_mat3 rest = in_space(m->space, mo_mat3_identity());
    double mu, lambda;
    mo_material_lame(YOUNG, strcmp(m->type->base.name, "arap") == 0 ? 0 : POISSON, false, &mu,
                     &lambda);
    assert_near(energy_of(m, rest, NULL), 0, 1e-14);
    assert_same(stress_of(m, rest, NULL), (mo_mat3){{0}}, 1e-14);
    for (int round = 0; round < 20 && m->space == MO_SOLID && has(m, MO_MATERIAL_ISOTROPIC);
         ++round) {
        mo_mat3 d = random_matrix(&random, 1), e = plus(d, 1, mo_mat3_transpose(d));
        double trace = d.m[0] + d.m[4] + d.m[8];
        for (int k = 0; k < 9; ++k) {
            e.m[k] = mu * e.m[k] + (k % 4 == 0 ? lambda * trace : 0);
        }
        assert_same(tangent_of(m, rest, NULL, MO_EXACT, d), e, 1e-12);
    }
}

static void the_rest_shape_is_at_rest_and_small_strains_obey_hooke(void **state)
{
    (void)state;
    for_every_material(rest_of);
}

/* The path without singular values gives the same stress. */
static void direct_of(const mo_material *m)
{
    uint64_t random = 18;
    for (int round = 0; round < ROUNDS && m->type->principal; ++round) {
        mo_mat3 f = random_deformation(&random, m->space, round % 2 ? 0.2 : 1.3);
        mo_svd3 svd = m->space == MO_PLANE ? mo_svd2_of(f) : mo_svd3_of(f);
        mo_d4 s[3] = {mo_d4_set(svd.s[0]), mo_d4_set(svd.s[1]), mo_d4_set(svd.s[2])};
        mo_principal p;
        m->type->principal(m, s, &p);
        mo_mat3 g = {{p.g[0][0], 0, 0, 0, p.g[1][0], 0, 0, 0, m->dimension == 3 ? p.g[2][0] : 0}};
        mo_mat3 by_values = mo_mat3_product(mo_mat3_product(svd.u, g), mo_mat3_transpose(svd.v));
        assert_same(stress_of(m, f, NULL), by_values, 1e-11 * (1 + size_of(by_values)));
    }
}

static void direct_stress_is_that_of_the_singular_values(void **state)
{
    (void)state;
    for_every_material(direct_of);
}

/* ---- uniaxial tension: the sides are free ---- */

/* The transverse stretch with zero transverse stress, by bisection; P along the axis. */
static double pull(const mo_material *m, double l)
{
    double low = 0.3, high = 2.5;
    mo_mat3 f = in_space(m->space, mo_mat3_identity());
    f.m[0] = l;
    for (int k = 0; k < 200; ++k) {
        double middle = 0.5 * (low + high);
        f.m[4] = middle;
        f.m[8] = m->dimension == 3 ? middle : 0;
        mo_mat3 p = stress_of(m, f, NULL);
        if (p.m[4] > 0) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return stress_of(m, f, NULL).m[0];
}

/* P of each material's closed form; t is the transverse stretch where required. */
static double closed_form(const mo_material *m, double l)
{
    const char *name = m->type->base.name;
    if (strcmp(name, "stvk") == 0 || strcmp(name, "hooke") == 0) {
        return YOUNG * l * (l * l - 1) / 2;
    }
    if (strcmp(name, "neo_hookean") ==
        0) { /* mu (t^2 - 1) + lambda log(l t^2) = 0, P = mu (l^2 - t^2)/l */
        double t = 1;
        for (int k = 0; k < 100; ++k) {
            double value = m->mu * (t * t - 1) + m->lambda * log(l * pow(t, m->dimension - 1));
            t -= value / (2 * m->mu * t + m->lambda * (m->dimension - 1) / t);
        }
        return m->mu * (l * l - t * t) / l;
    }
    if (strcmp(name, "stable_neo_hookean") ==
        0) { /* b t + lambda (J - alpha) J/t = 0, so P = b (l - t^2/l) */
        double low = 0.1, high = 3, t = 1, d = m->dimension - 1;
        for (int k = 0; k < 200; ++k) {
            t = 0.5 * (low + high);
            double b = m->mu * (1 - 1 / (1 + l * l + d * t * t)), j = l * pow(t, d);
            *(b * t + m->lambda * (j - m->alpha) * j / t > 0 ? &high : &low) = t;
        }
        return m->mu * (1 - 1 / (1 + l * l + d * t * t)) * (l - t * t / l);
    }
    return YOUNG * (l - 1); /* linear, corotated, arap */
}

static void uniaxial_of(const mo_material *m)
{
    static const double STRETCHES[] = {0.577350269189625764, 0.7, 0.9, 0.99, 1, 1.01, 1.2, 1.6};
    bool plane_strain =
        m->space == MO_PLANE && m->lambda > YOUNG * POISSON / (1 - POISSON * POISSON) * 1.001;
    mo_material stress;
    if (m->space == MO_PLANE) { /* closed forms are of plane stress */
        make_material(&m->type->base, MO_PLANE, true, &stress);
        if (plane_strain ||
            memcmp(&stress.stiffness, &m->stiffness, sizeof stress.stiffness) != 0 ||
            stress.lambda != m->lambda) {
            return;
        }
    }
    bool orthotropic = strcmp(m->type->base.name, "hooke") == 0 && m->space == MO_SOLID;
    for (size_t k = 0; k < sizeof STRETCHES / sizeof *STRETCHES && !orthotropic; ++k) {
        assert_near(pull(m, STRETCHES[k]), closed_form(m, STRETCHES[k]), 1e-8 * YOUNG);
    }
}

static void uniaxial_curves(void **state)
{
    mo_material m;
    (void)state;
    for_every_material(uniaxial_of);
    assert_true(make_material(mo_family_find(&mo_materials, "stvk"), MO_SOLID, false, &m));
    /* the maximum compressive force of a bar of this material */
    assert_near(pull(&m, 1 / sqrt(3)), -0.19245008972987526 * YOUNG, 1e-8 * YOUNG);
}

/* ---- published laws, far from the rest shape ---- */

static const double FAR[] = {0.1, 0.15, 0.3, 0.5, 0.8, 1, 1.5, 3};
enum { FARS = sizeof FAR / sizeof *FAR };

/* U diag(s) V^T */
static mo_mat3 composed(mo_mat3 u, double a, double b, double c, mo_mat3 v)
{
    mo_mat3 s = {{a, 0, 0, 0, b, 0, 0, 0, c}};
    return mo_mat3_product(mo_mat3_product(u, s), mo_mat3_transpose(v));
}

/* psi = mu/2 (I1 - log I3 - 3) + lambda/8 log^2 I3 and P = mu (F - F^-T) + lambda/2 log I3 F^-T at
 * all stretches from 0.1 to 3 along all axes. */
static void neo_hookean_is_its_closed_form(void **state)
{
    mo_material m;
    uint64_t random = 19;
    (void)state;
    assert_true(make_material(mo_family_find(&mo_materials, "neo_hookean"), MO_SOLID, false, &m));
    for (int n = 0; n < FARS * FARS * FARS; ++n) {
        double a = FAR[n / FARS / FARS], b = FAR[n / FARS % FARS], c = FAR[n % FARS];
        mo_mat3 f =
            composed(random_turn(&random, MO_SOLID), a, b, c, random_turn(&random, MO_SOLID));
        mo_mat3 inverse = mo_mat3_transpose(mo_mat3_inverse(f));
        double i1 = a * a + b * b + c * c, i3 = a * a * b * b * c * c;
        double psi = m.mu / 2 * (i1 - log(i3) - 3) + m.lambda / 8 * log(i3) * log(i3);
        mo_mat3 p = {{0}};
        for (int k = 0; k < 9; ++k) {
            p.m[k] = m.mu * (f.m[k] - inverse.m[k]) + m.lambda / 2 * log(i3) * inverse.m[k];
        }
        assert_near(energy_of(&m, f, NULL), psi, 1e-11 * (1 + psi));
        assert_same(stress_of(&m, f, NULL), p, 1e-10 * (1 + size_of(p)));
    }
}

static bool make_triclinic(mo_space space, bool plane_stress, const char *inversion, double *c,
                           mo_material *m)
{
    static params p;
    clear_params_of(&p, &mo_materials, "hooke");
    set_vec3(&p, "axes", mo_vec3_make(0, 0, 0));
    set_real(&p, "limit", 0.4);
    set_choice(&p, "inversion", inversion);
    set_list(&p, "stiffness", MO_REAL, 21, c);
    assert_int_equal(check_params(&p, NULL), MOTE_OK);
    return mo_material_begin(method_of(&p), space, plane_stress, m, NULL) == MOTE_OK;
}

/* The upper triangle by rows, 11 22 33 23 13 12: triclinic. */
static double TRICLINIC[21] = {9,   2.5, 1.5, 0.3,  -0.4, 0.7,  7,     1.2, -0.6, 0.2, 0.1,
                               5.5, 0.5, 0.8, -0.3, 2.5,  0.15, -0.25, 2,   0.35, 3};

/* C_ijkl from the 21, which only this test knows another way to. */
static double component(int i, int j, int k, int l)
{
    static const int VOIGT[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
    int a = VOIGT[i][j], b = VOIGT[k][l], row = a < b ? a : b, column = a < b ? b : a;
    return TRICLINIC[6 * row - row * (row - 1) / 2 + column - row];
}

/* P = F (C : E) with all of C, for any unmodified F; by hand for one of them. */
static void hooke_takes_21_constants(void **state)
{
    mo_material m;
    uint64_t random = 20;
    (void)state;
    assert_true(make_triclinic(MO_SOLID, false, "none", TRICLINIC, &m));
    for (int round = 0; round < ROUNDS; ++round) {
        mo_mat3 f = random_deformation(&random, MO_SOLID, round % 2 ? 0.3 : 1.3), s = {{0}};
        mo_mat3 c = mo_mat3_product(mo_mat3_transpose(f), f);
        double psi = 0;
        for (int n = 0; n < 81; ++n) {
            int i = n / 27, j = n / 9 % 3, k = n / 3 % 3, l = n % 3;
            double e = 0.5 * (c.m[3 * k + l] - (k == l)), d = 0.5 * (c.m[3 * i + j] - (i == j));
            s.m[3 * i + j] += component(i, j, k, l) * e;
            psi += 0.5 * d * component(i, j, k, l) * e;
        }
        mo_mat3 p = mo_mat3_product(f, s);
        assert_same(stress_of(&m, f, NULL), p, 1e-11 * (1 + size_of(p)));
        assert_near(energy_of(&m, f, NULL), psi, 1e-11 * (1 + psi));
    }
    /* pulled by a tenth along x: E11 = 0.105, S = 0.105 (C11 C12 C13 C14 C15 C16), P1j = 1.1 S1j */
    mo_mat3 pulled = {{1.1, 0, 0, 0, 1, 0, 0, 0, 1}};
    mo_mat3 by_hand = {{1.0395, 0.08085, -0.0462, 0.0735, 0.2625, 0.0315, -0.042, 0.0315, 0.1575}};
    assert_same(stress_of(&m, pulled, NULL), by_hand, 1e-13);
    /* by default the strain is extrapolated below the limit, and unchanged above */
    assert_true(make_triclinic(MO_SOLID, false, "continue", TRICLINIC, &m));
    assert_same(stress_of(&m, pulled, NULL), by_hand, 1e-13);
    /* plane stress: S33 = S13 = S23 = 0 with free E33, E13, E23 */
    assert_true(make_triclinic(MO_PLANE, true, "continue", TRICLINIC, &m));
    assert_true(m.stiffness[0][0] < TRICLINIC[0] && m.stiffness[0][3] != 0);
    stress_against_energy(&m);
}

static void bad_constants_are_refused(void **state)
{
    params p;
    double few[20] = {1}, weak[21];
    (void)state;
    clear_params_of(&p, &mo_materials, "hooke");
    assert_refused(&p, "young");
    set_vec3(&p, "young", mo_vec3_make(1, 1, 1));
    assert_refused(&p, "shear");
    set_list(&p, "stiffness", MO_REAL, 21, TRICLINIC);
    assert_refused(&p, "not both");
    clear_params_of(&p, &mo_materials, "hooke");
    set_list(&p, "stiffness", MO_REAL, 20, few);
    assert_refused(&p, "20 numbers");
    memcpy(weak, TRICLINIC, sizeof weak);
    weak[1] = 9; /* C12^2 > C11 C22 */
    set_list(&p, "stiffness", MO_REAL, 21, weak);
    assert_refused(&p, "positive definite");
}

static void make_inverting(const char *name, const char *inversion, double limit, mo_material *m)
{
    params p;
    set_material_params(&p, mo_family_find(&mo_materials, name));
    set_choice(&p, "inversion", inversion);
    set_real(&p, "limit", limit);
    assert_int_equal(mo_material_begin(method_of(&p), MO_SOLID, false, m, NULL), MOTE_OK);
}

/* Irving et al. 2004: P = U P(max(s, 0.577)) V^T, also for degenerate and inverted elements. And
 * without clamping, the exact law: P = F (2 mu E + lambda tr E I). */
static void stretches_are_clamped_in_the_stress(void **state)
{
    static const double BELOW[] = {-0.8, 0, 0.2, 0.5, 0.6, 1.3};
    static const char *const NAMES[] = {"stvk", "hooke"};
    uint64_t random = 21;
    (void)state;
    for (int n = 0; n < 2 * 36; ++n) {
        mo_material clamped, plain;
        make_inverting(NAMES[n / 36], "clamp", 0.577, &clamped);
        make_inverting(NAMES[n / 36], "none", 0.577, &plain);
        double b = fabs(BELOW[n / 6 % 6]), c = fabs(BELOW[n % 6]);
        /* only the smallest has the sign of det F */
        double high = fmax(b, c), low = copysign(fmin(b, c), BELOW[n / 6 % 6] * BELOW[n % 6]);
        if (high == 0) { /* U and V are not unique */
            continue;
        }
        mo_mat3 u = random_turn(&random, MO_SOLID), v = random_turn(&random, MO_SOLID);
        mo_mat3 f = composed(u, 1.4, high, low, v);
        mo_mat3 held = composed(u, 1.4, fmax(high, 0.577), fmax(low, 0.577), v);
        mo_mat3 p = stress_of(&plain, held, NULL);
        assert_same(stress_of(&clamped, f, NULL), p, 1e-11 * (1 + size_of(p)));
        mo_mat3 e = plus(mo_mat3_product(mo_mat3_transpose(f), f), -1, mo_mat3_identity());
        double trace = 0.5 * (e.m[0] + e.m[4] + e.m[8]);
        mo_mat3 s = {{0}};
        for (int k = 0; k < 9; ++k) {
            s.m[k] = plain.mu * e.m[k] + (k % 4 == 0 ? plain.lambda * trace : 0);
        }
        mo_mat3 law = mo_mat3_product(f, s);
        if (n < 36) {
            assert_same(stress_of(&plain, f, NULL), law, 1e-11 * (1 + size_of(law)));
        }
    }
}

/* The tangent of clamped stretches is that of P where all or none of them are clamped. */
static void clamped_tangents(void **state)
{
    mo_material m;
    uint64_t random = 22;
    (void)state;
    make_inverting("stvk", "clamp", 0.577, &m);
    for (int round = 0; round < ROUNDS; ++round) {
        double size = round % 2 ? 0.35 : 1.2;
        mo_mat3 f = composed(random_turn(&random, MO_SOLID), size, 0.9 * size, 0.7 * size,
                             random_turn(&random, MO_SOLID));
        mo_mat3 df = random_matrix(&random, 1), dp = tangent_of(&m, f, NULL, MO_EXACT, df);
        mo_mat3 slope = plus(stress_of(&m, plus(f, STEP, df), NULL), -1,
                             stress_of(&m, plus(f, -STEP, df), NULL));
        assert_same(dp, plus((mo_mat3){{0}}, 0.5 / STEP, slope), 1e-6 * (1 + size_of(dp)));
    }
    projection_of(&m);
}

/* Orthotropic, along its first axis: free transverse directions give E1. */
static void orthotropic_moduli_come_back(void **state)
{
    mo_material m;
    (void)state;
    assert_true(make_material(mo_family_find(&mo_materials, "hooke"), MO_SOLID, false, &m));
    double e = 0.5 * (1.2 * 1.2 - 1);
    mo_mat3 f = {{1.2, 0, 0, 0, sqrt(1 - 2 * 0.31 * e), 0, 0, 0, sqrt(1 - 2 * 0.2 * e)}};
    mo_mat3 p = stress_of(&m, f, NULL);
    assert_near(p.m[0], YOUNG * 1.2 * e, 1e-12);
    assert_near(p.m[4], 0, 1e-13);
    assert_near(p.m[8], 0, 1e-13);
    static params turned;
    set_material_params(&turned, &m.type->base);
    set_vec3(&turned, "axes", mo_vec3_make(0, 0, acos(-1) / 2)); /* axis 1 is y now */
    assert_int_equal(mo_material_begin(method_of(&turned), MO_SOLID, false, &m, NULL), MOTE_OK);
    f = (mo_mat3){{sqrt(1 - 2 * 0.31 * e), 0, 0, 0, 1.2, 0, 0, 0, sqrt(1 - 2 * 0.2 * e)}};
    p = stress_of(&m, f, NULL);
    assert_near(p.m[4], YOUNG * 1.2 * e, 1e-12);
    assert_near(p.m[0], 0, 1e-13);
}

/* ---- plasticity ---- */

static void plastic_of(const mo_material *m)
{
    uint64_t random = 19;
    for (int round = 0; round < ROUNDS && has(m, MO_MATERIAL_PLASTIC); ++round) {
        mo_mat3 f = random_deformation(&random, m->space, round % 3 ? 0.2 : 0.7);
        mo_mat3 df = in_space(m->space, random_matrix(&random, 1));
        mo_d4 plastic[6], strain[6], wide[9];
        for (int k = 0; k < 6; ++k) {
            bool there = m->dimension == 3 || k < 2 || k == 3;
            plastic[k] = mo_d4_set(there ? random_between(&random, -0.1, 0.1) : 0);
        }
        if (smoothness(m, f) < 0.02) {
            continue;
        }
        mo_mat3 p = stress_of(m, f, plastic);
        double slope =
            (energy_of(m, plus(f, STEP, df), plastic) - energy_of(m, plus(f, -STEP, df), plastic)) /
            (2 * STEP);
        assert_near(inner(p, df), slope, 1e-6 * (1 + size_of(p)));
        if (has(m, MO_MATERIAL_OBJECTIVE)) { /* no torque */
            mo_mat3 torque = mo_mat3_product(p, mo_mat3_transpose(f));
            assert_same(torque, mo_mat3_transpose(torque), 1e-11 * (1 + size_of(torque)));
        }
        to_lanes(f, wide);
        mo_material_strain(m, wide, strain); /* fully plastic strain has no stress */
        assert_same(stress_of(m, f, strain), (mo_mat3){{0}}, 1e-13);
        assert_near(energy_of(m, f, strain), 0, 1e-14);
    }
}

static void plastic_strain_moves_the_rest_shape(void **state)
{
    (void)state;
    for_every_material(plastic_of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stress_is_the_derivative_of_energy),
        cmocka_unit_test(tangent_is_the_derivative_of_stress),
        cmocka_unit_test(projected_tangents_are_semi_definite),
        cmocka_unit_test(mixed_tangents_have_linear_stresses),
        cmocka_unit_test(damping_does_not_feel_rotations),
        cmocka_unit_test(blocks_are_the_tangent),
        cmocka_unit_test(rotations_and_isotropy),
        cmocka_unit_test(linear_feels_rotations),
        cmocka_unit_test(the_rest_shape_is_at_rest_and_small_strains_obey_hooke),
        cmocka_unit_test(direct_stress_is_that_of_the_singular_values),
        cmocka_unit_test(neo_hookean_is_its_closed_form),
        cmocka_unit_test(hooke_takes_21_constants),
        cmocka_unit_test(bad_constants_are_refused),
        cmocka_unit_test(stretches_are_clamped_in_the_stress),
        cmocka_unit_test(clamped_tangents),
        cmocka_unit_test(uniaxial_curves),
        cmocka_unit_test(orthotropic_moduli_come_back),
        cmocka_unit_test(plastic_strain_moves_the_rest_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
