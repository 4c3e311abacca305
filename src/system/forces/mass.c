/*
 * Accelerations with consistent masses: M a = f, M = diag(m) + C (integrate/force.h). The
 * eigenvalues of diag(m)^-1 M lie between 1/5 (1/4 of triangles) and 1, since those of every
 * element do (A. J. Wathen 1987, IMA J. Numer. Anal. 7, 449); fixed rows only remove some. With
 * these bounds Chebyshev's semi-iteration (G. H. Golub, R. S. Varga 1961, Numer. Math. 3, 147)
 * converges as fast as conjugate gradients without global sums: the error decreases by 0.38 per
 * product. Rows with lumped masses start at the solution.
 */
#include "system/forces/state.h"

#include <string.h>

/* 0.38^32 is 4e-14. */
enum { ROUNDS = 32, VECTORS = 4 };

static const double LEAST = 0.2, MOST = 1;

typedef struct mo_mass {
    mo_work work;
    mo_jacobian jacobian; /* for its product only */
} mo_mass;

mote_status mo_mass_open(mo_forces *forces, mote_error *error)
{
    mo_jacobian jacobian = mo_forces_jacobian(forces);
    if (!(mo_jacobian_parts(&jacobian) & MO_DF_DA)) {
        return MOTE_OK;
    }
    forces->mass = mo_allocate(forces->system->host->memory, sizeof *forces->mass);
    return forces->mass ? MOTE_OK : mo_fail_memory(error, sizeof *forces->mass);
}

void mo_mass_close(mo_forces *forces)
{
    if (forces->mass) {
        mo_release(forces->system->host->memory, forces->mass->work.block);
        mo_release(forces->system->host->memory, forces->mass);
    }
}

void mo_mass_prescribed(const mo_forces *forces, double time, double *a)
{
    double half = 0.5 * forces->h;
    memset(a, 0, (size_t)mo_store_owned(forces->system->store) * 3 * sizeof(double));
    for (int64_t k = 0; k < forces->kinematics.count && half > 0; ++k) {
        const mo_kinematic *group = &forces->kinematics.list[k];
        mo_pose before = mo_motion_pose(group->motion, time - half),
                after = mo_motion_pose(group->motion, time + half);
        for (int64_t i = 0; i < group->count; ++i) {
            mo_vec3 start = mo_vec3_load(group->start + 3 * i);
            mo_vec3 v = mo_pose_velocity(&before, mo_pose_apply(&before, start));
            mo_vec3 next = mo_pose_velocity(&after, mo_pose_apply(&after, start));
            mo_vec3_store(a + 3 * (int64_t)group->rows[i], mo_scale(0.5 / half, mo_sub(next, v)));
        }
    }
}

/* One iteration: with r = f - M a (a of prescribed rows too, in `all`), p = along p + step r/m,
 * a += p */
typedef struct mass_round {
    const double *f, *mass, *inverse_mass, *product;
    double *a, *p, *all;
    double along, step;
} mass_round;

static void take_round(void *context, int64_t first, int64_t last)
{
    const mass_round *r = context;
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        double w = r->inverse_mass[k / 3], rest = w * (r->f[k] - r->product[k]) - r->a[k];
        r->p[k] = w > 0 ? r->along * r->p[k] + r->step * rest : 0;
        r->a[k] += r->p[k];
        r->all[k] += r->p[k];
    }
}

mote_status mo_mass_solve(mo_forces *forces, const mo_force_args *args, double *a,
                          mote_error *error)
{
    mo_mass *m = forces->mass;
    int64_t numbers = 3 * args->rows;
    double *v[VECTORS], theta = 0.5 * (MOST + LEAST), delta = 0.5 * (MOST - LEAST),
                        sigma = theta / delta;
    MO_TRY(mo_work_vectors(forces->system->host->memory, &m->work, VECTORS, numbers + 1, v, error));
    m->jacobian = mo_forces_jacobian(forces);
    double *f = v[0], *product = v[1], *p = v[2], *all = v[3], rho = 1 / sigma;
    mass_round r = {f, args->mass, m->jacobian.inverse_mass, product, a, p, all, 0, 1 / theta};
    const mo_jacobian_ask ask = {.along_a = -1};
    mo_mass_prescribed(forces, args->time, all);
    memset(p, 0, (size_t)numbers * sizeof(double));
    for (int64_t k = 0; k < numbers; ++k) {
        f[k] = args->mass[k / 3] * a[k];
        all[k] += a[k];
    }
    for (int k = 0; k < ROUNDS; ++k) {
        mo_jacobian_multiply(&m->jacobian, args, &ask, all, product);
        mo_parallel_for(forces->system->host->pool, args->rows, MO_FORCE_GRAIN, take_round, &r);
        double next = 1 / (2 * sigma - rho);
        r.along = next * rho;
        r.step = 2 * next / delta;
        rho = next;
    }
    return MOTE_OK;
}
