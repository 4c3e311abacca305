/*
 * Entries of rows and solids (walls.h): their layout, values, and friction.
 */
#ifndef MO_FLUID_SPH_WALL_ENTRIES_H
#define MO_FLUID_SPH_WALL_ENTRIES_H

#include "fluid/sph/fluid.h"

/* Sums of a row over all solids: L and the integral of W, wall_i and wall_flow_i. */
typedef struct mo_wall_sum {
    float density, volume, gradient[3], flow;
} mo_wall_sum;

/* Part of mo_fluid_update: the entries of all rows, without values. Those of samples are created
 * on demand (mo_wall_entries_need). */
mote_status mo_wall_entries_layout(mo_fluid *fluid, mote_error *error);

/* Values of a row's entries at its packed position, from maps, and their sums. */
mo_wall_sum mo_wall_entries_evaluate(mo_fluid *fluid, int64_t row);

/* Creates the entries of samples, if missing. */
mote_status mo_wall_entries_need(mo_fluid *fluid, mote_error *error);

/* The same after the samples' slopes have changed. */
void mo_wall_entries_refresh(mo_fluid *fluid);

/* From the centre of a solid's torques to a row, for an entry of it. */
static inline mo_vec3 mo_wall_entry_arm(const mo_fluid *f, int64_t row, const mo_wall_entry *e)
{
    mo_vec3 x = mo_add(mo_fluid_position(f, row), mo_walls_image(&f->walls, e->image));
    return mo_sub(x, f->walls.pieces[e->piece].center);
}

/* Tractions of entries by samples with their current own pressures. */
void mo_wall_entries_tractions(mo_fluid *fluid);

static inline mo_vec3 mo_wall_entry_traction(const mo_wall_entry *e)
{
    return mo_vec3_make((double)e->traction[0], (double)e->traction[1], (double)e->traction[2]);
}

static inline mo_vec3 mo_wall_entry_gradient(const mo_wall_entry *e)
{
    return mo_vec3_make((double)e->gradient[0], (double)e->gradient[1], (double)e->gradient[2]);
}

#endif
