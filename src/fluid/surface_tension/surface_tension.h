/* The family of surface tensions: terms (term/term.h) that minimise the free surface, and attract
 * fluid to solids. */
#ifndef MO_FLUID_SURFACE_TENSION_H
#define MO_FLUID_SURFACE_TENSION_H

#include "fluid/term/term.h"

typedef mo_term_type mo_surface_tension_type;

/* Without a form in two dimensions; with distances from solids beyond the support, which boundary
 * particles do not give; not with solvers that need shifting, which displaces the surface. */
enum {
    MO_SURFACE_TENSION_SPATIAL = 1u << 0,
    MO_SURFACE_TENSION_DISTANCES = 1u << 1,
    MO_SURFACE_TENSION_UNSHIFTED = 1u << 2
};

extern const mo_family mo_surface_tensions;

#endif
