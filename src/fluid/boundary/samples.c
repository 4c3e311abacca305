/*
 * Boundary particles: one layer of samples of every collider (boundary/surface_samples.h). The
 * layer lies half a spacing below the surface, so that fluid that touches the surface is a spacing
 * away from it. Departs from the paper in the contribution to density and pressure: V_b F, with F
 * of walls.h and coefficients for a lattice a spacing from the layer, without mirrored pressure.
 *
 * Limits. A layer of samples is corrugated: the tangential force on a plane at a depth of ten
 * spacings is up to g at a support of two spacings, so that the adjacent fluid layer does not slip.
 * `continuum` avoids this.
 */
#include "fluid/boundary/surface_samples.h"

typedef struct samples {
    double margin, depth;
} samples;

static const mo_param PARAMS[] = {
    {"depth", MO_REAL, MO_FIELD(samples, depth), .initial = "0.5", .range = "[0, 1]",
     .doc = "Depth of the layer of boundary particles below the surface, in spacings."},
    {"margin", MO_REAL, MO_FIELD(samples, margin), .unit = "m", .range = "[0, inf)",
     .doc = "Distance beyond the bounding box of the initial fluid and the other colliders up to "
            "which a plane is sampled; default: the size of that box."},
    {0}};

static mote_status samples_create(mo_instance *self, mo_fluid *f, const mo_colliders *colliders,
                                  mote_error *error)
{
    const samples *p = self->method.params;
    mo_walls_set_sampled_kernel(&f->walls, &f->kernel, f->dimension, f->spacing / f->support);
    return mo_surface_samples_add(f, colliders, p->depth * f->spacing, p->margin, error);
}

static mote_status samples_add(mo_instance *self, mo_fluid *f, const mo_collider *solid, int number,
                               int like, mote_error *error)
{
    const samples *p = self->method.params;
    (void)like;
    return mo_surface_samples_add_solid(f, solid, number, p->depth * f->spacing, error);
}

const mo_boundary_type mo_boundary_samples = {
    .base =
        {.name = "samples",
         .summary = "One layer of boundary particles below the surface of every collider.",
         .citation =
             "after Akinci, Ihmsen, Akinci, Solenthaler, Teschner 2012, ACM Trans. Graph. 31, 62",
         .departs =
             "The contribution to density and pressure is V_b F, with a boundary kernel F that "
             "restores rest density and pressure force for a lattice one spacing from the layer; "
             "there is no mirrored pressure.",
         .capabilities = MO_PORTABLE,
         .param_size = sizeof(samples),
         .params = PARAMS},
    .create = samples_create,
    .add = samples_add,
    .sampled = true,
};
