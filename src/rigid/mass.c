#include "rigid/mass.h"

#include "math/eigen3.h"

/* Adds the inertia of a point mass at r: m (r^2 1 - r r^T). */
static void add_point(mo_mat3 *inertia, double mass, mo_vec3 r)
{
    double square = mo_dot(r, r);
    for (int k = 0; k < 9; ++k) {
        inertia->m[k] +=
            mass * ((k % 4 == 0 ? square : 0) - mo_vec3_at(r, k / 3) * mo_vec3_at(r, k % 3));
    }
}

mo_mass_properties mo_mass_of_solid(const mo_volume_moments *moments, double density)
{
    const double *m = moments->second.m;
    double trace = m[0] + m[4] + m[8];
    mo_mass_properties out = {.mass = density * moments->volume, .center = moments->center};
    for (int k = 0; k < 9; ++k) {
        out.inertia.m[k] = density * ((k % 4 == 0 ? trace : 0) - m[k]);
    }
    return out;
}

mo_mass_properties mo_mass_of_particles(int64_t count, const double *x, const double *mass)
{
    mo_mass_properties out = {0};
    mo_vec3 base = count > 0 ? mo_vec3_load(x) : out.center, first = {0, 0, 0};
    for (int64_t k = 0; k < count; ++k) {
        out.mass += mass[k];
        first = mo_add_scaled(first, mass[k], mo_sub(mo_vec3_load(x + 3 * k), base));
    }
    out.center = mo_add_scaled(base, out.mass > 0 ? 1 / out.mass : 0, first);
    for (int64_t k = 0; k < count; ++k) {
        add_point(&out.inertia, mass[k], mo_sub(mo_vec3_load(x + 3 * k), out.center));
    }
    return out;
}

mo_mass_properties mo_mass_scaled(const mo_mass_properties *properties, double mass)
{
    mo_mass_properties out = *properties;
    double scale = mass / properties->mass;
    out.mass = mass;
    for (int k = 0; k < 9; ++k) {
        out.inertia.m[k] *= scale;
    }
    return out;
}

/* Reorders the eigenvectors for the largest diagonal sum of V, the smallest rotation. Columns
 * may change their sign, an even number of them or by the third axis for a rotation. */
static mo_mat3 nearest_frame(const mo_eigen3 *e, double value[3])
{
    static const int ORDER[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    int best = 0;
    double most = -1;
    for (int k = 0; k < 6; ++k) {
        double sum = 0;
        for (int n = 0; n < 3; ++n) {
            sum += fabs(e->vector.m[3 * n + ORDER[k][n]]);
        }
        if (sum > most * (1 + 1e-12)) {
            most = sum;
            best = k;
        }
    }
    mo_mat3 frame;
    for (int n = 0; n < 3; ++n) {
        int from = ORDER[best][n];
        double sign = e->vector.m[3 * n + from] < 0 ? -1 : 1;
        value[n] = e->value[from];
        for (int row = 0; row < 3; ++row) {
            frame.m[3 * row + n] = sign * e->vector.m[3 * row + from];
        }
    }
    double hand = mo_mat3_determinant(frame) < 0 ? -1 : 1;
    for (int row = 0; row < 3; ++row) {
        frame.m[3 * row + 2] *= hand;
    }
    return frame;
}

mo_principal_axes mo_principal_axes_of(mo_mat3 inertia)
{
    double value[3];
    mo_eigen3 e = mo_eigen3_of(inertia);
    mo_mat3 frame = nearest_frame(&e, value);
    return (mo_principal_axes){mo_vec3_load(value), mo_quat_of_matrix(frame)};
}
