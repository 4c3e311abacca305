/*
 * Materials for tests: each with plausible constants in each supported space, and random
 * deformations.
 */
#ifndef TEST_MATERIAL_CASES_H
#define TEST_MATERIAL_CASES_H

#include "math/quat.h"
#include "math/svd3.h"
#include "set_param.h"
#include "solid/material/material.h"

static const double YOUNG = 3.5, POISSON = 0.31;

static inline void set_material_params(params *p, const mo_descriptor *type)
{
    clear_params(p, type);
    if (strcmp(type->name, "hooke") == 0) {
        set_vec3(p, "young", mo_vec3_make(3.5, 1.5, 0.8));
        set_vec3(p, "poisson", mo_vec3_make(0.31, 0.2, 0.25));
        set_vec3(p, "shear", mo_vec3_make(0.9, 1.4, 0.5));
        set_vec3(p, "axes", mo_vec3_make(0, 0, 0));
    } else {
        set_real(p, "young", YOUNG);
    }
    for (const mo_param *param = type->params; param->name; ++param) {
        if (strcmp(param->name, "poisson") == 0 && param->type == MO_REAL) {
            set_real(p, "poisson", POISSON);
        }
        if (strcmp(param->name, "limit") == 0) {
            set_real(p, "limit", strtod(param->initial, NULL));
        }
        if (strcmp(param->name, "inversion") == 0) {
            set_choice(p, "inversion", "continue");
        }
    }
}

static inline bool make_material(const mo_descriptor *type, mo_space space, bool plane_stress,
                                 mo_material *m)
{
    static params p; /* used by begin only */
    set_material_params(&p, type);
    return mo_material_begin(method_of(&p), space, plane_stress, m, NULL) == MOTE_OK;
}

/* One matrix in all lanes, and back. */
static inline void to_lanes(mo_mat3 a, mo_d4 out[9])
{
    for (int k = 0; k < 9; ++k) {
        out[k] = mo_d4_set(a.m[k]);
    }
}

static inline mo_mat3 from_lanes(const mo_d4 a[9])
{
    mo_mat3 out;
    for (int k = 0; k < 9; ++k) {
        out.m[k] = a[k][0];
    }
    return out;
}

static inline double energy_of(const mo_material *m, mo_mat3 f, const mo_d4 *plastic)
{
    mo_d4 wide[9], psi;
    to_lanes(f, wide);
    mo_material_energy(m, wide, plastic, &psi);
    return psi[0];
}

static inline mo_mat3 stress_of(const mo_material *m, mo_mat3 f, const mo_d4 *plastic)
{
    mo_d4 wide[9], p[9];
    to_lanes(f, wide);
    mo_material_stress(m, wide, plastic, p);
    return from_lanes(p);
}

static inline mo_mat3 tangent_of(const mo_material *m, mo_mat3 f, const mo_d4 *plastic,
                                 mo_tangent_kind kind, mo_mat3 df)
{
    mo_tangent t;
    mo_d4 wide[9], d[9], p[9];
    to_lanes(f, wide);
    to_lanes(df, d);
    mo_material_tangent(m, wide, plastic, kind, &t);
    mo_tangent_apply(m, &t, d, p);
    return from_lanes(p);
}

/* Components beyond the space are zero. */
static inline mo_mat3 in_space(mo_space space, mo_mat3 a)
{
    for (int k = 0; k < 9; ++k) {
        bool out = (space != MO_SOLID && k % 3 == 2) || (space == MO_PLANE && k / 3 == 2);
        a.m[k] = out ? 0 : a.m[k];
    }
    return a;
}

static inline mo_mat3 random_matrix(uint64_t *random, double size)
{
    mo_mat3 a;
    for (int k = 0; k < 9; ++k) {
        a.m[k] = random_between(random, -size, size);
    }
    return a;
}

static inline mo_mat3 random_turn(uint64_t *random, mo_space space)
{
    mo_vec3 axis = space == MO_PLANE ? mo_vec3_make(0, 0, 1) : random_unit_vec3(random);
    return mo_quat_matrix(mo_quat_turn(axis, random_between(random, -3, 3)));
}

static inline mo_mat3 plus(mo_mat3 a, double s, mo_mat3 b)
{
    for (int k = 0; k < 9; ++k) {
        a.m[k] += s * b.m[k];
    }
    return a;
}

static inline double inner(mo_mat3 a, mo_mat3 b)
{
    double sum = 0;
    for (int k = 0; k < 9; ++k) {
        sum += a.m[k] * b.m[k];
    }
    return sum;
}

/* A rotation times 1 plus a random matrix of this size; large ones invert. */
static inline mo_mat3 random_deformation(uint64_t *random, mo_space space, double size)
{
    mo_mat3 turn = random_turn(random, space);
    return in_space(space, mo_mat3_product(turn, in_space(space, plus(mo_mat3_identity(), size,
                                                                      random_matrix(random, 1)))));
}

/* Every material in every space it takes. */
static inline void for_every_material(void (*function)(const mo_material *m))
{
    for (int k = 0; k < mo_materials.count; ++k) {
        for (int space = MO_SOLID; space <= MO_PLANE; ++space) {
            for (int stress = 0; stress < (space == MO_PLANE ? 2 : 1); ++stress) {
                mo_material m;
                if (make_material(mo_materials.methods[k], (mo_space)space,
                                  space == MO_MEMBRANE || stress, &m)) {
                    function(&m);
                }
            }
        }
    }
}

#endif
