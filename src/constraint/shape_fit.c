#include "constraint/shape_fit.h"

#include "math/svd3.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static mo_vec3 rest_of(const mo_shape_fit *f, const double *rest, int64_t k)
{
    return mo_sub(mo_vec3_load(rest + 3 * k), f->center);
}

/* q~ in units of the shape's size, relative to the mean. */
static void terms_of(const mo_shape_fit *f, mo_vec3 q, double t[MO_SHAPE_TERMS])
{
    double x = q.x / f->unit, y = q.y / f->unit, z = q.z / f->unit;
    const double all[MO_SHAPE_TERMS] = {x, y, z, x * x, y * y, z * z, x * y, y * z, z * x};
    for (int k = 0; k < MO_SHAPE_TERMS; ++k) {
        t[k] = all[k] - f->mean[k];
    }
}

static int terms_count(const mo_shape_fit *f)
{
    return f->deformation == 'q' ? MO_SHAPE_TERMS : 3;
}

/* The inverse of a symmetric positive definite matrix by Gauss-Jordan elimination; false if a
 * pivot shows that it is singular. */
static bool invert(int n, double a[MO_SHAPE_TERMS][MO_SHAPE_TERMS])
{
    double trace = 0;
    for (int k = 0; k < n; ++k) {
        trace += a[k][k];
    }
    for (int k = 0; k < n; ++k) {
        double pivot = a[k][k];
        if (!(pivot > 1e-9 * trace)) {
            return false;
        }
        a[k][k] = 1;
        for (int j = 0; j < n; ++j) {
            a[k][j] /= pivot;
        }
        for (int i = 0; i < n; ++i) {
            double factor = a[i][k];
            if (i == k) {
                continue;
            }
            a[i][k] = 0;
            for (int j = 0; j < n; ++j) {
                a[i][j] -= factor * a[k][j];
            }
        }
    }
    return true;
}

static void find_moments(mo_shape_fit *f, int64_t count, const double *weight, const double *rest)
{
    int n = terms_count(f);
    double t[MO_SHAPE_TERMS], mean[MO_SHAPE_TERMS] = {0};
    for (int64_t k = 0; k < count; ++k) {
        terms_of(f, rest_of(f, rest, k), t);
        for (int i = 0; i < n; ++i) {
            mean[i] += weight[k] * t[i] / f->weight;
        }
    }
    memcpy(f->mean, mean, sizeof mean);
    for (int64_t k = 0; k < count; ++k) {
        terms_of(f, rest_of(f, rest, k), t);
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) {
                f->inverse[i][j] += weight[k] * t[i] * t[j];
            }
        }
    }
}

void mo_shape_fit_begin(mo_shape_fit *f, char deformation, double beta, int64_t count,
                        const double *weight, const double *rest)
{
    mo_vec3 center = {0, 0, 0};
    *f = (mo_shape_fit){.deformation = deformation, .beta = beta};
    for (int64_t k = 0; k < count; ++k) {
        f->weight += weight[k];
        center = mo_add_scaled(center, weight[k], mo_vec3_load(rest + 3 * k));
    }
    f->center = f->weight > 0 ? mo_scale(1 / f->weight, center) : center;
    for (int64_t k = 0; k < count; ++k) {
        f->unit = fmax(f->unit, mo_length(rest_of(f, rest, k)));
    }
    if (deformation == 'r' || !(f->unit > 0)) {
        f->deformation = 'r';
        return;
    }
    find_moments(f, count, weight, rest);
    if (!invert(terms_count(f), f->inverse)) {
        f->deformation = 'r';
    }
}

/* ---- goals ---- */

/* Cube root of a positive number by Newton's method: converges in a few iterations near 1, and
 * uses arithmetic only. */
static double cube_root(double a)
{
    double y = a > 1 ? a : 1;
    for (int k = 0; k < 200; ++k) {
        double next = (2 * y + a / (y * y)) / 3;
        if (!(next < y)) {
            break;
        }
        y = next;
    }
    return y;
}

/* The map of the terms: beta B~ + (1 - beta) (R 0), rows x, y, z. */
static void find_map(const mo_shape_fit *f, mo_mat3 r, const double moment[3][MO_SHAPE_TERMS],
                     double map[3][MO_SHAPE_TERMS])
{
    int n = terms_count(f);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < n; ++j) {
            map[i][j] = 0;
            for (int k = 0; k < n; ++k) {
                map[i][j] += moment[i][k] * f->inverse[k][j];
            }
        }
    }
    double scale = 1, beta = f->beta;
    if (f->deformation == 'l') {
        mo_mat3 a = {{map[0][0], map[0][1], map[0][2], map[1][0], map[1][1], map[1][2], map[2][0],
                      map[2][1], map[2][2]}};
        double det = mo_mat3_determinant(a) / (f->unit * f->unit * f->unit);
        if (det > 1e-3) {
            scale = 1 / cube_root(det); /* preserves the volume */
        } else {
            beta = 0; /* collapsed or inverted */
        }
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < n; ++j) {
            double rigid = j < 3 ? f->unit * r.m[3 * i + j] : 0;
            map[i][j] = beta * scale * map[i][j] + (1 - beta) * rigid;
        }
    }
}

void mo_shape_fit_goals(const mo_shape_fit *f, int64_t count, const double *weight,
                        const double *rest, const int32_t *row, const double *p, double *goal)
{
    int n = terms_count(f);
    mo_vec3 center = {0, 0, 0};
    mo_mat3 a = {{0}};
    double moment[3][MO_SHAPE_TERMS] = {{0}}, map[3][MO_SHAPE_TERMS], t[MO_SHAPE_TERMS];
    for (int64_t k = 0; k < count; ++k) {
        center = mo_add_scaled(center, weight[k], mo_vec3_load(p + 4 * (int64_t)row[k]));
    }
    center = f->weight > 0 ? mo_scale(1 / f->weight, center) : center;
    for (int64_t k = 0; k < count; ++k) {
        mo_vec3 x = mo_sub(mo_vec3_load(p + 4 * (int64_t)row[k]), center), q = rest_of(f, rest, k);
        for (int i = 0; i < 3; ++i) {
            double wx = weight[k] * mo_vec3_at(x, i);
            a.m[3 * i] += wx * q.x;
            a.m[3 * i + 1] += wx * q.y;
            a.m[3 * i + 2] += wx * q.z;
        }
        if (f->deformation != 'r') {
            terms_of(f, q, t);
            for (int i = 0; i < 3; ++i) {
                for (int j = 0; j < n; ++j) {
                    moment[i][j] += weight[k] * mo_vec3_at(x, i) * t[j];
                }
            }
        }
    }
    mo_mat3 r = mo_polar3_of(a, NULL);
    if (f->deformation != 'r') {
        find_map(f, r, (const double(*)[MO_SHAPE_TERMS])moment, map);
    }
    for (int64_t k = 0; k < count; ++k) {
        mo_vec3 q = rest_of(f, rest, k), g = mo_mat3_apply(r, q);
        if (f->deformation != 'r') {
            double sum[3] = {0};
            terms_of(f, q, t);
            for (int i = 0; i < 3; ++i) {
                for (int j = 0; j < n; ++j) {
                    sum[i] += map[i][j] * t[j];
                }
            }
            g = mo_vec3_load(sum);
        }
        mo_vec3_store(goal + 3 * k, mo_add(center, g));
    }
}
