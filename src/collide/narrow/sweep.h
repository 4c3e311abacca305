/*
 * The approach of bodies within a step, and manifolds at the time of impact.
 */
#ifndef MO_COLLIDE_SWEEP_H
#define MO_COLLIDE_SWEEP_H

#include "collide/narrow/narrow.h"

/* The largest distance by which points of two bodies can approach each other within h. */
static inline double mo_sweep_approach(const mo_pose *a, double reach_a, const mo_pose *b,
                                       double reach_b, double h)
{
    double speed =
        mo_length(mo_sub(a->v, b->v)) + mo_length(a->w) * reach_a + mo_length(b->w) * reach_b;
    return h * speed;
}

/* Approach beyond which a body may pass another within the step and is swept. */
static inline bool mo_sweep_needed(double approach, double inner)
{
    return approach > 0.5 * inner;
}

/* The gap at which an impact counts as one. */
static inline double mo_sweep_target(const mo_narrow_query *query, double reach)
{
    return fmax(0.25 * query->margin, 1e-4 * reach);
}

/* Moves the points of a manifold found at `time` back to the start of the step. */
void mo_sweep_back(mo_manifold *manifold, const mo_pose *a, const mo_pose *b, double time);
void mo_sweep_point_back(mo_manifold_point *point, mo_vec3 normal, const mo_pose *a,
                         const mo_pose *b, double time);

#endif
