#include "fluid/map/half_space.h"

#include "fluid/kernel/lattice.h"
#include "math/portable.h"

#include <math.h>

enum { POINTS = 240 };

#define PI 3.14159265358979323846

/* The density of a single particle on a plane: below this a steeper core is required against
 * penetration. */
static const double STOPPING = 1.2, STOPPING_SAMPLES = 3;

static const int POWER[4] = {1, 2, 4, 6};

double mo_boundary_kernel_at(const mo_boundary_kernel *f, const mo_kernel *kernel, double q)
{
    double w = q < 1 ? mo_kernel_w(kernel, q) : 0, w2 = w * w;
    return f->c[0] * w + w2 * (f->c[1] + w2 * (f->c[2] + w2 * f->c[3]));
}

/* ---- integrals over a half space at distance d >= 0 ---- */

/* The integral of F. In three dimensions the cap of the sphere of radius r behind the plane has the
   area 2 pi r^2 (1 - d/r), in two the arc has the length 2 r acos(d/r). */
static double integral(const mo_kernel *kernel, int dimension, const mo_boundary_kernel *f,
                       double d)
{
    double sum = 0, step = (1 - d) / POINTS;
    for (int k = 0; k < POINTS && d < 1; ++k) {
        double r = d + (k + 0.5) * step;
        double area = dimension == 3 ? 2 * PI * r * (r - d) : 2 * r * mo_acos(d / r);
        sum += area * mo_boundary_kernel_at(f, kernel, r) * step;
    }
    return sum;
}

/* Minus the integral of F over the plane. */
static double integral_derivative(const mo_kernel *kernel, int dimension,
                                  const mo_boundary_kernel *f, double d)
{
    double sum = 0, most = d < 1 ? sqrt(1 - d * d) : 0, step = most / POINTS;
    for (int k = 0; k < POINTS; ++k) {
        double u = (k + 0.5) * step;
        double length = dimension == 3 ? 2 * PI * u : 2;
        sum += length * mo_boundary_kernel_at(f, kernel, sqrt(d * d + u * u)) * step;
    }
    return -sum;
}

/* ---- F ---- */

/* The part of a lattice from the n-th layer below a particle on. */
static void lattice_below(const mo_kernel *kernel, int dimension, double spacing, int nearest,
                          double *value, double *derivative)
{
    int reach = (int)(1 / spacing) + 1, deep = dimension == 3 ? reach : 0;
    double cell = mo_power(spacing, dimension);
    *value = *derivative = 0;
    for (int n = nearest; n <= reach; ++n) {
        for (int a = -reach; a <= reach; ++a) {
            for (int b = -deep; b <= deep; ++b) {
                double q = spacing * sqrt((double)(a * a + b * b + n * n));
                *value += cell * mo_kernel_w(kernel, q);
                *derivative += cell * mo_kernel_gradient(kernel, q) * n * spacing;
            }
        }
    }
}

void mo_lattice_behind(const mo_kernel *kernel, int dimension, double spacing, double *value,
                       double *derivative)
{
    lattice_below(kernel, dimension, spacing, 1, value, derivative);
}

/* The contribution of W^power to the first layer, its derivative, and its value at the surface. */
typedef struct part {
    double value, derivative, touching;
} part;

static part part_of_half_space(const mo_kernel *kernel, int dimension, double spacing, int power)
{
    mo_boundary_kernel f = {{0}};
    f.c[power] = 1;
    return (part){integral(kernel, dimension, &f, 0.5 * spacing),
                  integral_derivative(kernel, dimension, &f, 0.5 * spacing),
                  integral(kernel, dimension, &f, 0)};
}

/* The sum of W^n over a square layer of samples of volume 1 at a height, and its derivative. */
static part part_of_layer(const mo_kernel *kernel, int dimension, double spacing, double height,
                          int n)
{
    int reach = (int)(1 / spacing) + 1, deep = dimension == 3 ? reach : 0;
    part sum = {0};
    for (int a = -reach; a <= reach; ++a) {
        for (int b = -deep; b <= deep; ++b) {
            double q = sqrt(spacing * spacing * (a * a + b * b) + height * height);
            double w = mo_kernel_w(kernel, q);
            sum.value += mo_power(w, n);
            sum.derivative += n * mo_power(w, n - 1) * mo_kernel_gradient(kernel, q) * height;
        }
    }
    return sum;
}

static part part_of_samples(const mo_kernel *kernel, int dimension, double spacing, double volume,
                            int power)
{
    part sum = part_of_layer(kernel, dimension, spacing, spacing, POWER[power]);
    sum.touching = part_of_layer(kernel, dimension, spacing, 0, POWER[power]).value;
    return (part){volume * sum.value, volume * sum.derivative, volume * sum.touching};
}

/* c2 and c[core] from value and derivative at the first layer; *touching: the value of F's integral
 * at the surface. */
static mo_boundary_kernel fit(const part parts[4], int core, double value, double derivative,
                              double *touching)
{
    const part *s = &parts[1], *t = &parts[core];
    mo_boundary_kernel f = {{0}};
    double determinant = s->value * t->derivative - t->value * s->derivative, b = 0;
    if (!(s->value > 0)) {
        *touching = 0;
        return f;
    }
    if (core > 1 && determinant != 0) {
        b = fmax((s->value * 2 * derivative - value * s->derivative) / determinant, 0);
    }
    f.c[core] = b;
    f.c[1] = (value - b * t->value) / s->value;
    *touching = f.c[1] * s->touching + (core > 1 ? b * t->touching : 0);
    return f;
}

static mo_boundary_kernel choose(const mo_kernel *kernel, int dimension, double spacing, bool soft,
                                 const part parts[4], double stopping)
{
    double value, derivative, touching, own = mo_power(spacing, dimension) * mo_kernel_w(kernel, 0);
    mo_lattice_behind(kernel, dimension, spacing, &value, &derivative);
    mo_boundary_kernel f = fit(parts, soft ? 1 : 2, value, derivative, &touching);
    return soft || own + touching > stopping ? f : fit(parts, 3, value, derivative, &touching);
}

mo_boundary_kernel mo_boundary_kernel_make(const mo_kernel *kernel, int dimension, double spacing,
                                           bool soft)
{
    part parts[4];
    for (int k = 0; k < 4; ++k) {
        parts[k] = part_of_half_space(kernel, dimension, spacing, k);
    }
    return choose(kernel, dimension, spacing, soft, parts, STOPPING);
}

mo_boundary_kernel mo_boundary_kernel_sampled(const mo_kernel *kernel, const mo_kernel *sampling,
                                              int dimension, double spacing, bool soft)
{
    part parts[4];
    double volume = 1 / part_of_layer(sampling, dimension, spacing, 0, 1).value;
    for (int k = 0; k < 4; ++k) {
        parts[k] = part_of_samples(kernel, dimension, spacing, volume, k);
    }
    return choose(kernel, dimension, spacing, soft, parts, STOPPING_SAMPLES);
}

/* Gaussian elimination with pivots; a has n rows of n + 1 numbers. False: singular. */
static bool solve_small(double a[4][5], int n, double out[4])
{
    for (int i = 0; i < n; ++i) {
        int pivot = i;
        for (int k = i + 1; k < n; ++k) {
            pivot = fabs(a[k][i]) > fabs(a[pivot][i]) ? k : pivot;
        }
        for (int c = 0; c <= n; ++c) {
            double swapped = a[i][c];
            a[i][c] = a[pivot][c];
            a[pivot][c] = swapped;
        }
        if (!(fabs(a[i][i]) > 0)) {
            return false;
        }
        for (int k = 0; k < n; ++k) {
            double factor = k == i ? 0 : a[k][i] / a[i][i];
            for (int c = i; c <= n; ++c) {
                a[k][c] -= factor * a[i][c];
            }
        }
    }
    for (int i = 0; i < n; ++i) {
        out[i] = a[i][n] / a[i][i];
    }
    return true;
}

/* In supports: the second layer of a coarser lattice has too little of the solid in its support
 * to be fitted. */
static const double FINE = 1 / 2.4;

mo_boundary_kernel mo_boundary_kernel_even(const mo_kernel *kernel, int dimension, double spacing)
{
    double a[4][5];
    int layers = spacing < FINE ? 2 : 1, n = 2 * layers;
    mo_boundary_kernel f = {{0}};
    for (int layer = 0; layer < layers; ++layer) {
        double d = (layer + 0.5) * spacing, *value = a[2 * layer], *derivative = a[2 * layer + 1];
        lattice_below(kernel, dimension, spacing, layer + 1, &value[n], &derivative[n]);
        for (int k = 0; k < n; ++k) {
            mo_boundary_kernel alone = {{0}};
            alone.c[k] = 1;
            value[k] = integral(kernel, dimension, &alone, d);
            derivative[k] = integral_derivative(kernel, dimension, &alone, d);
        }
    }
    return solve_small(a, n, f.c) ? f : (mo_boundary_kernel){{1, 0, 0, 0}};
}

double mo_sample_layer_height(const mo_kernel *kernel, int dimension, double spacing)
{
    double behind, derivative, low = 0, high = 1;
    double volume = 1 / part_of_layer(kernel, dimension, spacing, 0, 1).value;
    mo_lattice_behind(kernel, dimension, spacing, &behind, &derivative);
    double lack = 1 - (mo_lattice_density(kernel, dimension, spacing) - behind);
    for (int k = 0; k < 50; ++k) {
        double middle = 0.5 * (low + high);
        bool more = volume * part_of_layer(kernel, dimension, spacing, middle, 1).value > lack;
        *(more ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

/* ---- the table ---- */

void mo_half_space_make(mo_half_space *t, const mo_kernel *kernel, int dimension,
                        const mo_boundary_kernel *f)
{
    enum { HALF = MO_HALF_SPACE_CELLS / 2 };
    double all = 2 * integral(kernel, dimension, f, 0);
    for (int k = 0; k <= HALF; ++k) {
        double d = (double)k / HALF, value = integral(kernel, dimension, f, d);
        float derivative = (float)integral_derivative(kernel, dimension, f, d);
        t->value[HALF + k] = (float)value;
        t->value[HALF - k] = (float)(all - value);
        t->derivative[HALF + k] = t->derivative[HALF - k] = derivative;
    }
    t->beyond[MO_HALF_SPACE_CELLS] = 0;
    for (int k = MO_HALF_SPACE_CELLS - 1; k >= 0; --k) {
        double sum = 0, step = 1.0 / MO_HALF_SPACE_CELLS / 8;
        for (int n = 0; n < 8; ++n) {
            double r = (double)k / MO_HALF_SPACE_CELLS + (n + 0.5) * step;
            sum += (dimension == 3 ? 4 * PI * r * r : 2 * PI * r) *
                   mo_boundary_kernel_at(f, kernel, r);
        }
        t->beyond[k] = t->beyond[k + 1] + sum * step;
    }
}

double mo_half_space_distance(const mo_half_space *t, double value)
{
    double low = -1, high = 1;
    for (int k = 0; k < 40; ++k) {
        float derivative, middle = (float)(0.5 * (low + high));
        bool less = (double)mo_half_space_at(t, middle, &derivative) < value;
        *(less ? &high : &low) = 0.5 * (low + high);
    }
    return 0.5 * (low + high);
}
