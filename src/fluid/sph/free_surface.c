#include "fluid/sph/free_surface.h"

#include <math.h>

/* 0 to 1 for x from `begin` to `end` */
static float ramp(float x, float begin, float end)
{
    float t = (x - begin) / (end - begin);
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

/* A row is at a surface by its squared kernel gradient sum (mo_fluid's `gradient_sum`; 0.7 at a
 * plane surface, below 0.04 inside), unless it belongs to a dense cluster. Voids that a flow
 * opens where it breaks the initial lattice count: pressures across them would add energy. */
static const float ONE_SIDED[2] = {0.1f, MO_FLUID_SURFACE_GRADIENT}, DENSE[2] = {1.1f, 1.05f};

/* Fractions of a row's moments from surface rows between which air is blended in. */
static const float BESIDE = 0.02f, NEAR = 0.1f;

/* In spacings: s of rows surrounded by air. */
static const float CLOSEST = 0.3f;

typedef struct finding {
    mo_fluid *fluid;
    mo_free_surface *surface;
} finding;

static void mark_rows(void *context, int64_t first, int64_t last)
{
    const finding *s = context;
    const mo_fluid *f = s->fluid;
    for (int64_t row = first; row < last; ++row) {
        s->surface->mark[row] = ramp(f->density[row], DENSE[0], DENSE[1]) *
                                ramp(f->gradient_sum[row], ONE_SIDED[0], ONE_SIDED[1]);
    }
}

/* The distance at which the half space has this derivative, both in supports. */
static float distance_of_derivative(const mo_half_space *t, float derivative)
{
    float a = 0, b = 1, s;
    for (int k = 0; k < 12; ++k) {
        float middle = 0.5f * (a + b);
        mo_half_space_at(t, middle, &s);
        if (-s > derivative) {
            a = middle;
        } else {
            b = middle;
        }
    }
    return 0.5f * (a + b);
}

/* The kernel gradient sum of a row including solids, and the surface fraction of its moments. */
static float gather(const mo_fluid *f, int64_t row, float c[3])
{
    mo_f8 x = {0}, y = {0}, z = {0}, near = {0};
    const float *wall = f->wall + 4 * row;
    mo_fluid_row r = mo_fluid_row_of(f, row);
    for (int64_t at = r.first; at < r.last; at += 8) {
        mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
        x += p.gradient_factor * p.x;
        y += p.gradient_factor * p.y;
        z += p.gradient_factor * p.z;
        near -= p.gradient_factor * p.own * (p.x * p.x + p.y * p.y + p.z * p.z);
    }
    c[0] = mo_f8_sum(x) + wall[0];
    c[1] = mo_f8_sum(y) + wall[1];
    c[2] = mo_f8_sum(z) + wall[2];
    return mo_f8_sum(near) / (float)f->dimension;
}

static mo_air find_air(const mo_fluid *f, int64_t row, float mark)
{
    float c[3], derivative, support = (float)f->support, density = f->density[row];
    mo_air air = {.weight = fmaxf(mark, ramp(gather(f, row, c), BESIDE, NEAR))};
    float length = sqrtf(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
    if (air.weight == 0 || !(length > 0)) {
        return (mo_air){0};
    }
    const mo_half_space *table = &f->walls.volume;
    float s = distance_of_derivative(table, length * support);
    if (mark > 0 && density < 1) {
        float other = (float)mo_half_space_distance(table, (double)(1 - density));
        s += mark * (fminf(other, s) - s);
    }
    s = fmaxf(s, CLOSEST * (float)f->spacing / support);
    air.missing = fmaxf(mo_half_space_at(table, s, &derivative), mark * (1 - density));
    air.distance = s * support;
    air.derivative = -derivative / support;
    for (int k = 0; k < 3; ++k) {
        air.normal[k] = -c[k] / length;
    }
    return air;
}

static void find_rows(void *context, int64_t first, int64_t last, double *partial)
{
    const finding *s = context;
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        s->surface->air[row] = find_air(s->fluid, row, s->surface->mark[row]);
        *partial += (double)s->surface->air[row].weight;
    }
}

mote_status mo_free_surface_find(mo_free_surface *s, mo_fluid *f, double *weights,
                                 mote_error *error)
{
    finding context = {f, s};
    MO_TRY(mo_reserve(f->memory, &s->air, &s->air_capacity, f->rows, sizeof *s->air, error));
    MO_TRY(mo_reserve(f->memory, &s->mark, &s->mark_capacity, f->rows, sizeof *s->mark, error));
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, mark_rows, &context);
    mo_fluid_pack_numbers(f, s->mark);
    return mo_parallel_reduce(f->pool, f->rows, MO_FLUID_GRAIN, MO_SUM, 1, find_rows, &context,
                              weights, error);
}

void mo_free_surface_destroy(mo_free_surface *s, mo_memory *memory)
{
    mo_release(memory, s->air);
    mo_release(memory, s->mark);
}

mo_vec3 mo_air_complete(const mo_air *a, float p, int dimension, mo_vec3 g, double m[6])
{
    if (a->weight == 0) {
        return g;
    }
    double n[3] = {(double)a->normal[0], (double)a->normal[1], (double)a->normal[2]};
    double w = (double)a->weight, across = w * (double)(a->distance * a->derivative),
           along = w * (double)a->missing;
    double pull = -(double)p / (double)a->distance * (along + across);
    m[0] += along + across * n[0] * n[0];
    m[1] += along + across * n[1] * n[1];
    m[2] += dimension == 2 ? 0 : along + across * n[2] * n[2];
    m[3] += across * n[0] * n[1];
    m[4] += across * n[0] * n[2];
    m[5] += across * n[1] * n[2];
    return mo_vec3_make(g.x + pull * n[0], g.y + pull * n[1], g.z + pull * n[2]);
}

/* The fraction of a layer below which air is a void. */
static const double OPEN = 0.25;

double mo_confined_part(const mo_fluid *f, double airs)
{
    int64_t side = 1;
    while ((f->dimension == 2 ? side : side * side) * side < f->rows) {
        ++side;
    }
    return fmax(0, 1 - airs * (double)side / (OPEN * (double)f->rows));
}
