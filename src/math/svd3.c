#include "math/svd3.h"

#include "math/svd3_wide.h"

static void spread(const double *f, int64_t count, mo_d4 out[9])
{
    for (int k = 0; k < 9; ++k) {
        for (int lane = 0; lane < 4; ++lane) {
            out[k][lane] = f[9 * (lane < count ? lane : count - 1) + k];
        }
    }
}

static void gather(const mo_d4 *a, int size, int64_t count, double *out)
{
    for (int lane = 0; lane < 4 && lane < count; ++lane) {
        for (int k = 0; k < size; ++k) {
            out[size * lane + k] = a[k][lane];
        }
    }
}

static mo_svd3 first_lane(const mo_svd3_d4 *wide)
{
    mo_svd3 out;
    gather(wide->u, 9, 1, out.u.m);
    gather(wide->s, 3, 1, out.s);
    gather(wide->v, 9, 1, out.v.m);
    return out;
}

mo_svd3 mo_svd3_of(mo_mat3 f)
{
    mo_d4 wide[9];
    mo_svd3_d4 svd;
    spread(f.m, 1, wide);
    mo_svd3_d4_of(wide, &svd);
    return first_lane(&svd);
}

mo_svd3 mo_svd2_of(mo_mat3 f)
{
    mo_d4 wide[9];
    mo_svd3_d4 svd;
    spread(f.m, 1, wide);
    mo_svd2_d4_of(wide, &svd);
    return first_lane(&svd);
}

mo_mat3 mo_polar3_of(mo_mat3 f, mo_mat3 *s)
{
    mo_d4 wide[9], r[9];
    mo_mat3 out;
    spread(f.m, 1, wide);
    mo_polar3_d4_of(wide, r);
    gather(r, 9, 1, out.m);
    if (s) {
        mo_mat3 a = mo_mat3_product(mo_mat3_transpose(out), f), b = mo_mat3_transpose(a);
        for (int k = 0; k < 9; ++k) {
            s->m[k] = 0.5 * (a.m[k] + b.m[k]);
        }
    }
    return out;
}

void mo_svd3_all(int64_t count, const double *f, double *u, double *s, double *v)
{
    for (int64_t k = 0; k < count; k += 4) {
        mo_d4 wide[9];
        mo_svd3_d4 svd;
        spread(f + 9 * k, count - k, wide);
        mo_svd3_d4_of(wide, &svd);
        gather(svd.u, 9, count - k, u + 9 * k);
        gather(svd.s, 3, count - k, s + 3 * k);
        gather(svd.v, 9, count - k, v + 9 * k);
    }
}
