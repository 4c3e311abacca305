/*
 * Green's strain of a stretch, e = (s^2 - 1)/2, extrapolated below the limit by its tangent, so
 * that the force of a compressed bar increases instead of vanishing. With `clamp` it is that of the
 * limit, as is the factor F^ of P^ = F^ S. Shared by stvk and hooke.
 */
#ifndef MO_SOLID_MATERIAL_GREEN_H
#define MO_SOLID_MATERIAL_GREEN_H

#include "solid/material/material.h"

#include <math.h>

MO_INLINE void mo_green(const mo_material *m, mo_d4 s, mo_d4 *e, mo_d4 *slope)
{
    mo_d4 clamped = mo_d4_max(s, mo_d4_set(m->limit));
    *e = 0.5 * (clamped * clamped - 1) + (m->clamp ? mo_d4_set(0) : clamped * (s - clamped));
    *slope = clamped;
}

#define MO_INVERSION_PARAM(type) \
    { \
        "inversion", MO_STRING, MO_FIELD(type, inversion), \
            .initial = "\"continue\"", .choices = "continue|clamp|none", \
            .doc = \
                "Elements below `limit`: `continue` the strain by its tangent, with an energy; " \
                "`clamp` the stretches in the stress (Irving et al. 2004; 0.577 is common), without " \
                "one; `none`: the law as it is." \
    }

static inline void mo_set_inversion(mo_material *m, const char *inversion, double limit)
{
    m->limit = inversion[0] == 'n' ? -(double)INFINITY : limit;
    m->clamp = inversion[0] == 'c' && inversion[1] == 'l';
}

#endif
