/*
 * Volume maps: J. Bender, T. Kugelstadt, M. Weiler, D. Koschier 2019, Motion, Interaction and
 * Games. The solid within the support is one particle with its volume V_B at the nearest point x*
 * of the surface:
 *     delta_i += V_B W(x_i - x*),    m_i a_i -= 2 V_i k_i V_B grad W(x_i - x*),
 * the gradient taken as if V_B were constant, with the pressure of the particle on both sides. As
 * in the authors' SPlisHSPlasH x* is never nearer than a spacing: grad W vanishes at its centre.
 *
 * Departs from the paper: with the volume as they integrate it a lattice half a spacing from a
 * plane has five times the rest density. So V_B(s) = L(s)/W(max(s, spacing)), with L the integral
 * of W over the half space at the distance s, weighted as that of density_map.c: planes are exact
 * at every distance. Around edges and curved surfaces s is the equivalent distance of
 * map/solid_map.h, and the gradient of s is the direction to x*.
 *
 * Limits. The force is not the gradient of the density contribution, mirrored or not, and quiescent
 * fluid gains kinetic energy.
 */
#include "fluid/boundary/maps.h"

#include <math.h>

typedef struct volume_map {
    bool mirrored;
} volume_map;

static const mo_param PARAMS[] = {
    {"mirrored", MO_BOOL, MO_FIELD(volume_map, mirrored), .initial = "true",
     .doc = "Pressure mirroring: the solid takes the pressure of the fluid particle it acts on."},
    {0}};

static float volume_map_derivative(const mo_walls *walls, float s)
{
    float unused;
    return mo_half_space_at(&walls->force, s, &unused);
}

/* L W'/W; L and W vanish at s = 1, and their ratio has a limit. */
static double derivative_at(const mo_fluid *f, int k)
{
    double s = 2.0 * k / MO_HALF_SPACE_CELLS - 1, q = fmin(fmax(s, f->spacing / f->support), 0.999);
    double w = mo_kernel_w(&f->kernel, q);
    return w > 0 ? (double)f->walls.law.value[k] * mo_kernel_gradient(&f->kernel, q) * q / w : 0;
}

static void make_table(mo_fluid *f)
{
    mo_half_space *t = &f->walls.force;
    for (int k = 0; k <= MO_HALF_SPACE_CELLS; ++k) {
        int low = k > 0 ? k - 1 : 0, high = k < MO_HALF_SPACE_CELLS ? k + 1 : k;
        double width = 2.0 * (high - low) / MO_HALF_SPACE_CELLS;
        t->value[k] = (float)derivative_at(f, k);
        t->derivative[k] = (float)((derivative_at(f, high) - derivative_at(f, low)) / width);
    }
}

static mote_status volume_map_create(mo_instance *self, mo_fluid *f, const mo_colliders *colliders,
                                     mote_error *error)
{
    f->walls.mirror = ((const volume_map *)self->method.params)->mirrored ? 2 : 1;
    mo_boundary_set_plain(f);
    make_table(f);
    f->walls.derivative_of = volume_map_derivative;
    return mo_boundary_add_maps(f, colliders, error);
}

const mo_boundary_type mo_boundary_volume_map = {
    .base = {.name = "volume_map",
             .summary = "Each solid as one boundary particle at its closest surface point; for "
                        "comparison.",
             .citation = "Bender, Kugelstadt, Weiler, Koschier 2019, Motion, Interaction and Games",
             .departs =
                 "The volume is V_B(s) = L(s)/W(max(s, spacing)), with L the integral of W over a "
                 "half space at the distance s, so that planes are exact at every distance; the "
                 "published volume gives a lattice half a spacing from a plane five times the "
                 "rest density.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(volume_map),
             .params = PARAMS},
    .create = volume_map_create,
    .add = mo_boundary_add_map,
};
