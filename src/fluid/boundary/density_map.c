/*
 * Density maps: D. Koschier, J. Bender 2017, Symp. Computer Animation. The density of a particle
 * grows by the integral of W over the solid, on a grid around it (map/solid_map.h), and pressure
 * acts along its gradient, with the pressure of the particle on both sides:
 *     delta_i += L_i,    m_i a_i -= 2 V_i k_i grad L_i,    L = weight integral of W over the solid.
 *
 * Departs from the paper: the integral is that of the solid itself, where theirs extends the
 * density linearly into the fluid for the sake of their quadrature, and has the weight that gives a
 * lattice half a spacing from a plane rest density; the grid stores the equivalent distance instead
 * of the integral, so that planes are exact.
 *
 * Limits. Mirrored pressures have no potential, and quiescent fluid gains kinetic energy. Without
 * them half of the pressure force is restored: the lowest layer of a tank has too much pressure,
 * and at a support of two spacings it penetrates the surface. `continuum` is the same with a kernel
 * that restores density and force.
 */
#include "fluid/boundary/maps.h"

typedef struct density_map {
    bool mirrored;
} density_map;

static const mo_param PARAMS[] = {
    {"mirrored", MO_BOOL, MO_FIELD(density_map, mirrored), .initial = "true",
     .doc = "Pressure mirroring: the solid takes the pressure of the fluid particle it acts on."},
    {0}};

static mote_status density_map_create(mo_instance *self, mo_fluid *f, const mo_colliders *colliders,
                                      mote_error *error)
{
    f->walls.mirror = ((const density_map *)self->method.params)->mirrored ? 2 : 1;
    mo_boundary_set_plain(f);
    return mo_boundary_add_maps(f, colliders, error);
}

const mo_boundary_type mo_boundary_density_map = {
    .base = {.name = "density_map",
             .summary = "Kernel integral over solids, precomputed on a grid; for comparison.",
             .citation = "Koschier, Bender 2017, Symp. Computer Animation",
             .departs =
                 "The integral is that of W over the solid itself, without the linear extension "
                 "into the fluid, weighted so that a lattice half a spacing from a plane has rest "
                 "density; the grid stores an equivalent distance instead of the integral.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(density_map),
             .params = PARAMS},
    .create = density_map_create,
    .add = mo_boundary_add_map,
};
