#include "geometry/shape/moments.h"

mo_volume_moments mo_moments_aligned(double volume, mo_vec3 center, mo_vec3 square)
{
    mo_vec3 m = mo_scale(volume, square);
    return (mo_volume_moments){volume, center, {{m.x, 0, 0, 0, m.y, 0, 0, 0, m.z}}};
}

mo_volume_moments mo_moments_revolved(double volume, mo_vec3 center, mo_vec3 axis, double along,
                                      double across)
{
    mo_volume_moments out = {.volume = volume, .center = center};
    for (int k = 0; k < 9; ++k) {
        double n = mo_vec3_at(axis, k / 3) * mo_vec3_at(axis, k % 3);
        out.second.m[k] = volume * ((k % 4 == 0 ? across : 0) + (along - across) * n);
    }
    return out;
}

/* Adds volume r r^T. */
static void add_square(mo_mat3 *sum, double volume, mo_vec3 r)
{
    for (int k = 0; k < 9; ++k) {
        sum->m[k] += volume * mo_vec3_at(r, k / 3) * mo_vec3_at(r, k % 3);
    }
}

mo_volume_moments mo_moments_sum(int64_t count, const mo_volume_moments *parts)
{
    mo_volume_moments sum = {0};
    mo_vec3 base = count > 0 ? parts[0].center : mo_vec3_make(0, 0, 0), first = {0};
    if (count == 1) {
        return parts[0];
    }
    for (int64_t k = 0; k < count; ++k) {
        sum.volume += parts[k].volume;
        first = mo_add_scaled(first, parts[k].volume, mo_sub(parts[k].center, base));
    }
    sum.center = sum.volume > 0 ? mo_add_scaled(base, 1 / sum.volume, first) : base;
    for (int64_t k = 0; k < count; ++k) {
        for (int n = 0; n < 9; ++n) {
            sum.second.m[n] += parts[k].second.m[n];
        }
        add_square(&sum.second, parts[k].volume, mo_sub(parts[k].center, sum.center));
    }
    return sum;
}

mo_volume_moments mo_moments_moved(const mo_volume_moments *moments, double scale, mo_mat3 R,
                                   mo_vec3 translate)
{
    double cube = scale * scale * scale;
    mo_volume_moments out = {.volume = cube * moments->volume};
    out.center = mo_add(mo_mat3_apply(R, mo_scale(scale, moments->center)), translate);
    out.second = mo_mat3_product(mo_mat3_product(R, moments->second), mo_mat3_transpose(R));
    for (int k = 0; k < 9; ++k) {
        out.second.m[k] *= cube * scale * scale;
    }
    return out;
}

static mo_vec3 middle_of(const mo_trimesh *mesh)
{
    mo_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (int64_t k = 0; k < mesh->vertices; ++k) {
        mo_vec3 x = mo_vec3_load(mesh->x + 3 * k);
        low = mo_vec3_make(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
        high = mo_vec3_make(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
    }
    return mo_scale(0.5, mo_add(low, high));
}

/* A tetrahedron with one corner at 0 has the moments
 *     V = det(a, b, c)/6,   V (a + b + c)/4,   V/20 (s s^T + a a^T + b b^T + c c^T), s = a + b + c.
 */
mo_volume_moments mo_moments_of_mesh(const mo_trimesh *mesh)
{
    mo_volume_moments sum = {0};
    mo_vec3 base = middle_of(mesh), first = {0, 0, 0};
    for (int64_t k = 0; k < mesh->triangles; ++k) {
        const int32_t *corner = mesh->corner + 3 * k;
        mo_vec3 a = mo_sub(mo_vec3_load(mesh->x + 3 * (int64_t)corner[0]), base);
        mo_vec3 b = mo_sub(mo_vec3_load(mesh->x + 3 * (int64_t)corner[1]), base);
        mo_vec3 c = mo_sub(mo_vec3_load(mesh->x + 3 * (int64_t)corner[2]), base);
        mo_vec3 s = mo_add(a, mo_add(b, c));
        double volume = mo_dot(a, mo_cross(b, c)) / 6;
        sum.volume += volume;
        first = mo_add_scaled(first, volume / 4, s);
        add_square(&sum.second, volume / 20, s);
        add_square(&sum.second, volume / 20, a);
        add_square(&sum.second, volume / 20, b);
        add_square(&sum.second, volume / 20, c);
    }
    mo_vec3 shift = mo_scale(sum.volume != 0 ? 1 / sum.volume : 0, first);
    add_square(&sum.second, -sum.volume, shift);
    sum.center = mo_add(base, shift);
    return sum;
}
