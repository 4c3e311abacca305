/*
 * Growth of a surface of oriented particles (R. Szeliski, D. Tonnesen 1992, section 4): particles
 * are inserted where neighbours in the tangent plane leave a gap, and one of two that are too close
 * is removed.
 *
 * A gap is a triangle in the Delaunay stars of its three particles (geometry/surface/stars.h) whose
 * circle, empty of particles, has a radius from `gap` to `reach` spacings: smaller circles are
 * those of a dense sheet, larger ones are tears, which stay open. The new particle is at the centre
 * of the circle, or in the middle of the longest side of an obtuse triangle, and on the sphere
 * through its neighbours: the offset along its axis n makes the mean of (n + n_i) . (x_i - x) zero.
 * It has the mean velocity and axis of the three, and the other columns of one of them.
 *
 * Gaps are filled in the order of their radii, a new particle keeping `gap` from those inserted
 * before. Everything follows from the state at the end of a step, so that a resumed run is the
 * same.
 */
#ifndef MO_SYSTEM_FORCES_GROWTH_H
#define MO_SYSTEM_FORCES_GROWTH_H

#include "base/param.h"
#include "host/system.h"

typedef struct mo_growth_def {
    double spacing; /* NaN: no growth */
    double gap, reach, merge, angle;
    int64_t every, max_particles;
} mo_growth_def;

extern const mo_section mo_growth_section;

typedef struct mo_growth mo_growth;

/* For the last body of the system. */
mote_status mo_growth_create(const mo_growth_def *def, mo_system *system, mo_growth **growth,
                             mote_error *error);
void mo_growth_destroy(mo_growth *growth);

/* At the end of a step, if it is due; *changed: rows were added or removed. */
mote_status mo_growth_apply(mo_growth *growth, const mo_step_time *now, bool *changed,
                            mote_error *error);

#endif
