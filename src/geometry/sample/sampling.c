#include "geometry/sample/sampling.h"

#include "geometry/grid/point_grid.h"

#include <string.h>

static const double STEP_MAX = 1.06; /* sqrt(2) * 0.75 */

mo_sampling mo_sampling_make(double spacing, int dimension)
{
    const double far = (double)INFINITY;
    return (mo_sampling){.spacing = spacing,
                         .dimension = dimension,
                         .low = {-far, -far, -far},
                         .high = {far, far, far}};
}

void mo_samples_init(mo_samples *samples, mo_memory *memory)
{
    *samples = (mo_samples){.memory = memory};
}

void mo_samples_release(mo_samples *samples)
{
    mo_release(samples->memory, samples->x);
    mo_release(samples->memory, samples->normal);
    mo_release(samples->memory, samples->area);
    mo_samples_init(samples, samples->memory);
}

mote_status mo_samples_add(mo_samples *s, mo_vec3 x, mo_vec3 normal, double area, mote_error *error)
{
    if (s->count == s->capacity) {
        int64_t need = s->count + 2, x_capacity = s->capacity, normal_capacity = s->capacity,
                area_capacity = s->capacity;
        MO_TRY(mo_grow(s->memory, (void **)&s->x, &x_capacity, need, 3 * sizeof *s->x, error));
        mote_status status = mo_grow(s->memory, (void **)&s->normal, &normal_capacity, need,
                                     3 * sizeof *s->normal, error);
        if (status == MOTE_OK) {
            status =
                mo_grow(s->memory, (void **)&s->area, &area_capacity, need, sizeof *s->area, error);
        }
        MO_TRY(status); /* the common capacity is that of the smallest array */
        s->capacity = x_capacity;
    }
    mo_vec3_store(s->x + 3 * s->count, x);
    mo_vec3_store(s->normal + 3 * s->count, normal);
    s->area[s->count++] = area;
    return MOTE_OK;
}

int64_t mo_sample_steps(double length, double spacing)
{
    double steps = fmax(1, round(length / spacing));
    if (length < MO_SAMPLE_APART * spacing) {
        return 0;
    }
    if (length / steps > STEP_MAX * spacing && length / (steps + 1) >= MO_SAMPLE_APART * spacing) {
        steps += 1;
    }
    return steps < 0x1p62 ? (int64_t)steps : INT64_C(1) << 62;
}

mote_status mo_sample_count_check(double count, const mo_sampling *how, mote_error *error)
{
    static const double MOST = 1e8; /* 5.6 GB */
    if (count <= MOST) {
        return MOTE_OK;
    }
    return mo_fail(
        error, MOTE_ERROR_INPUT,
        "boundary: the surface needs %.3g boundary particles at a spacing of %g; allowed: %g; use "
        "a larger spacing or a smaller collider",
        count, how->spacing, MOST);
}

mote_status mo_sample_line(mo_vec3 a, mo_vec3 b, mo_vec3 normal, const mo_sampling *how,
                           mo_samples *samples, mote_error *error)
{
    mo_vec3 way = mo_sub(b, a);
    double length = mo_length(way);
    int64_t steps = mo_sample_steps(length, how->spacing);
    MO_TRY(mo_sample_count_check((double)steps, how, error));
    for (int64_t k = 0; k <= steps; ++k) {
        double s = steps == 0 ? 0.5 : (double)k / (double)steps;
        double share =
            steps == 0 ? length : length / (double)steps * (k == 0 || k == steps ? 0.5 : 1);
        MO_TRY(mo_samples_add(samples, mo_add_scaled(a, s, way), normal, share, error));
    }
    return MOTE_OK;
}

/* ---- shapes ---- */

static bool in_box(const mo_sampling *how, const double *x)
{
    double slack = 1e-6 * how->spacing;
    for (int axis = 0; axis < how->dimension; ++axis) {
        if (!(x[axis] >= mo_vec3_at(how->low, axis) - slack &&
              x[axis] <= mo_vec3_at(how->high, axis) + slack)) {
            return false;
        }
    }
    return true;
}

void mo_samples_finish(mo_samples *s, int64_t first, const mo_sampling *how)
{
    int64_t kept = first;
    for (int64_t k = first; k < s->count; ++k) {
        if (in_box(how, s->x + 3 * k)) {
            memmove(s->x + 3 * kept, s->x + 3 * k, 3 * sizeof *s->x);
            memmove(s->normal + 3 * kept, s->normal + 3 * k, 3 * sizeof *s->normal);
            s->area[kept++] = s->area[k];
        }
    }
    s->count = kept;
    for (int64_t k = 3 * first; how->inside && k < 3 * s->count; ++k) {
        s->normal[k] = -s->normal[k];
    }
}
