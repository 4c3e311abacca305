#include "particle/long_range/fft.h"

#if defined(MOTE_FFTW)
#include <fftw3.h>
#include <pthread.h>
#endif

int64_t mo_fft_size(const int n[3])
{
    return (int64_t)2 * (n[0] / 2 + 1) * n[1] * n[2] + MO_FFT_TAIL;
}

int mo_fft_next_size(int n)
{
    for (int size = n + n % 2;; size += 2) {
        int rest = size;
        for (int factor = 2; factor <= 7; ++factor) {
            while (rest % factor == 0) {
                rest /= factor;
            }
        }
        if (rest == 1) {
            return size;
        }
    }
}

#if defined(MOTE_FFTW)

/* FFTW's planner is shared by all worlds of a process; executing plans needs no lock. */
static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

static void make_plans(mo_fft *f, double *mesh)
{
    fftw_complex *waves = (fftw_complex *)mesh;
    int width = f->n[0] / 2 + 1, count = f->n[2], stride = width * f->n[1];
    f->forward_plane = fftw_plan_dft_r2c_2d(f->n[1], f->n[0], mesh, waves, FFTW_ESTIMATE);
    f->back_plane = fftw_plan_dft_c2r_2d(f->n[1], f->n[0], waves, mesh, FFTW_ESTIMATE);
    f->forward_rows = fftw_plan_many_dft(1, &count, width, waves, NULL, stride, 1, waves, NULL,
                                         stride, 1, FFTW_FORWARD, FFTW_ESTIMATE);
    f->back_rows = fftw_plan_many_dft(1, &count, width, waves, NULL, stride, 1, waves, NULL, stride,
                                      1, FFTW_BACKWARD, FFTW_ESTIMATE);
}

mote_status mo_fft_create(const int n[3], double *mesh, mo_fft *f, mote_error *error)
{
    *f = (mo_fft){.n = {n[0], n[1], n[2]}, .stride = 2 * (n[0] / 2 + 1)};
    f->plane = f->stride * n[1];
    pthread_mutex_lock(&planner);
    make_plans(f, mesh);
    pthread_mutex_unlock(&planner);
    if (!f->forward_plane || !f->back_plane || !f->forward_rows || !f->back_rows) {
        mo_fft_release(f);
        return mo_fail(error, MOTE_ERROR_MEMORY, "FFTW cannot plan a mesh of %d x %d x %d", n[0],
                       n[1], n[2]);
    }
    return MOTE_OK;
}

void mo_fft_release(mo_fft *f)
{
    void *const plans[4] = {f->forward_plane, f->back_plane, f->forward_rows, f->back_rows};
    pthread_mutex_lock(&planner);
    for (int k = 0; k < 4; ++k) {
        if (plans[k]) {
            fftw_destroy_plan(plans[k]);
        }
    }
    pthread_mutex_unlock(&planner);
    *f = (mo_fft){0};
}

typedef struct planes {
    const mo_fft *fft;
    double *mesh;
    bool forward;
} planes;

static void transform_planes(void *context, int64_t first, int64_t last)
{
    const planes *p = context;
    for (int64_t z = first; z < last; ++z) {
        double *plane = p->mesh + z * p->fft->plane;
        if (p->forward) {
            fftw_execute_dft_r2c(p->fft->forward_plane, plane, (fftw_complex *)plane);
        } else {
            fftw_execute_dft_c2r(p->fft->back_plane, (fftw_complex *)plane, plane);
        }
    }
}

void mo_fft_planes(const mo_fft *f, double *mesh, bool forward, mo_pool *pool)
{
    planes p = {f, mesh, forward};
    mo_parallel_for(pool, f->n[2], 1, transform_planes, &p);
}

void mo_fft_row(const mo_fft *f, double *mesh, int y, bool forward)
{
    fftw_complex *row = (fftw_complex *)(mesh + y * f->stride);
    fftw_execute_dft(forward ? f->forward_rows : f->back_rows, row, row);
}

#else

mote_status mo_fft_create(const int n[3], double *mesh, mo_fft *f, mote_error *error)
{
    (void)n;
    (void)mesh;
    *f = (mo_fft){0};
    return mo_fail(error, MOTE_ERROR_INPUT,
                   "this library was built without FFTW, which particle_mesh and p3m need; install "
                   "libfftw3-dev and build again, or use ewald");
}

void mo_fft_release(mo_fft *f)
{
    *f = (mo_fft){0};
}

void mo_fft_planes(const mo_fft *f, double *mesh, bool forward, mo_pool *pool)
{
    (void)f;
    (void)mesh;
    (void)forward;
    (void)pool;
}

void mo_fft_row(const mo_fft *f, double *mesh, int y, bool forward)
{
    (void)f;
    (void)mesh;
    (void)y;
    (void)forward;
}

#endif
