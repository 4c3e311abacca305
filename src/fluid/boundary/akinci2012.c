/*
 * Boundary particles as published: N. Akinci, M. Ihmsen, G. Akinci, B. Solenthaler, M. Teschner
 * 2012, ACM Trans. Graph. 31, 62. One layer of samples with volumes V_b = 1/sum W (eq. 4) adds
 *     delta_i += sum_b V_b W_ib (eq. 6),    m_i a_i -= V_i k_i sum_b V_b grad W_ib (eq. 9),
 * the pressure of the particle alone; `mirrored` gives the sample the particle's pressure as well,
 * that is twice the force (D. Koschier et al. 2019, Eurographics Tutorials, eq. 88: p_b = p_i).
 *
 * Departs from the paper: samples lie below the surface, at the depth at which a lattice that
 * begins half a spacing from the surface has rest density, so that the fluid fills its container.
 *
 * Limits. One layer of samples restores the density but half of the pressure force, so the lowest
 * layer of a tank has too much pressure. Mirrored pressures have no potential, and quiescent fluid
 * gains kinetic energy. Layers of samples are corrugated. For comparison; `continuum` has none of
 * these limits.
 */
#include "fluid/boundary/surface_samples.h"

typedef struct akinci2012 {
    bool mirrored;
    double margin;
} akinci2012;

static const mo_param PARAMS[] = {
    {"mirrored", MO_BOOL, MO_FIELD(akinci2012, mirrored), .initial = "false",
     .doc = "Pressure mirroring: boundary particles take the pressure of the fluid particle they "
            "act on."},
    {"margin", MO_REAL, MO_FIELD(akinci2012, margin), .unit = "m", .range = "[0, inf)",
     .doc = "Distance beyond the bounding box of the initial fluid and the other colliders up to "
            "which a plane is sampled; default: the size of that box."},
    {0}};

static double depth_of(const mo_fluid *f)
{
    double spacing = f->spacing / f->support;
    return mo_sample_layer_height(&f->kernel, f->dimension, spacing) * f->support -
           0.5 * f->spacing;
}

static mote_status akinci2012_create(mo_instance *self, mo_fluid *f, const mo_colliders *colliders,
                                     mote_error *error)
{
    const akinci2012 *p = self->method.params;
    double spacing = f->spacing / f->support;
    f->walls.plain = true;
    f->walls.even = false;
    f->walls.mirror = p->mirrored ? 2 : 1;
    mo_walls_set_kernel(&f->walls, &f->kernel, f->dimension, spacing);
    return mo_surface_samples_add(f, colliders, depth_of(f), p->margin, error);
}

static mote_status akinci2012_add(mo_instance *self, mo_fluid *f, const mo_collider *solid,
                                  int number, int like, mote_error *error)
{
    (void)self, (void)like;
    return mo_surface_samples_add_solid(f, solid, number, depth_of(f), error);
}

const mo_boundary_type mo_boundary_akinci2012 = {
    .base = {.name = "akinci2012",
             .summary = "One layer of boundary particles with volume weights, as published; for "
                        "comparison.",
             .citation =
                 "Akinci, Ihmsen, Akinci, Solenthaler, Teschner 2012, ACM Trans. Graph. 31, 62",
             .departs =
                 "Samples lie below the surface, at the depth where a lattice that begins half a "
                 "spacing from the surface has rest density.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(akinci2012),
             .params = PARAMS},
    .create = akinci2012_create,
    .add = akinci2012_add,
    .sampled = true,
};
