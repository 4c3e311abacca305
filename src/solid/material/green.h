/* Green's strain of a stretch, e = (s^2 - 1)/2, extrapolated below the limit by its tangent, so
 * that the force of a compressed bar increases instead of vanishing. Shared by stvk and hooke. */
#ifndef MO_SOLID_MATERIAL_GREEN_H
#define MO_SOLID_MATERIAL_GREEN_H

#include "solid/material/material.h"

MO_INLINE void mo_green(const mo_material *m, mo_d4 s, mo_d4 *e, mo_d4 *slope)
{
    mo_d4 held = mo_d4_max(s, mo_d4_set(m->limit));
    *e = 0.5 * (held * held - 1) + held * (s - held);
    *slope = held;
}

#endif
