/*
 * Eigenvalues and eigenvectors of a symmetric 3 x 3 matrix by Jacobi rotations (1846): slower than
 * the closed form, but accurate for equal and zero eigenvalues, and only + - * / and sqrt.
 */
#ifndef MO_MATH_EIGEN3_H
#define MO_MATH_EIGEN3_H

#include "math/mat3.h"

typedef struct mo_eigen3 {
    double value[3]; /* unsorted */
    mo_mat3 vector;  /* column k belongs to value[k]; they are orthonormal */
} mo_eigen3;

enum { MO_EIGEN3_SWEEPS = 12 }; /* quadratic convergence: five are typical */

/* One rotation in the plane (p, q) that makes a[p][q] zero; r is the third axis. */
static inline void mo_eigen3_rotate(double a[3][3], double v[3][3], int p, int q)
{
    double apq = a[p][q];
    if (apq == 0) {
        return;
    }
    int r = 3 - p - q;
    double theta = (a[q][q] - a[p][p]) / (2 * apq);
    double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    double arp = a[r][p], arq = a[r][q];
    a[p][p] -= t * apq;
    a[q][q] += t * apq;
    a[p][q] = a[q][p] = 0;
    a[r][p] = a[p][r] = c * arp - s * arq;
    a[r][q] = a[q][r] = s * arp + c * arq;
    for (int k = 0; k < 3; ++k) {
        double vp = v[k][p], vq = v[k][q];
        v[k][p] = c * vp - s * vq;
        v[k][q] = s * vp + c * vq;
    }
}

static inline mo_eigen3 mo_eigen3_of(mo_mat3 m)
{
    double a[3][3], v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    mo_eigen3 e;
    for (int k = 0; k < 9; ++k) {
        a[k / 3][k % 3] = m.m[k];
    }
    for (int sweep = 0; sweep < MO_EIGEN3_SWEEPS; ++sweep) {
        double off = fabs(a[0][1]) + fabs(a[0][2]) + fabs(a[1][2]);
        double diagonal = fabs(a[0][0]) + fabs(a[1][1]) + fabs(a[2][2]);
        if (!(off > 1e-15 * diagonal)) {
            break;
        }
        mo_eigen3_rotate(a, v, 0, 1);
        mo_eigen3_rotate(a, v, 0, 2);
        mo_eigen3_rotate(a, v, 1, 2);
    }
    for (int k = 0; k < 9; ++k) {
        e.vector.m[k] = v[k / 3][k % 3];
    }
    for (int k = 0; k < 3; ++k) {
        e.value[k] = a[k][k];
    }
    return e;
}

#endif
