/* Young's modulus and Poisson's ratio, shared by most materials. */
#ifndef MO_SOLID_MATERIAL_YOUNG_H
#define MO_SOLID_MATERIAL_YOUNG_H

#include "solid/material/material.h"

typedef struct mo_young {
    double young, poisson;
    double limit;          /* for materials with a limit */
    const char *inversion; /* likewise */
} mo_young;

#define MO_YOUNG_PARAM \
    { \
        "young", MO_REAL, MO_FIELD(mo_young, young), \
            .unit = "Pa", .required = true, .range = "(0, inf)", \
            .doc = "Young's modulus: the ratio of stress to strain in uniaxial tension." \
    }
#define MO_POISSON_PARAM \
    { \
        "poisson", MO_REAL, MO_FIELD(mo_young, poisson), \
            .initial = "0.3", .range = "(-1, 0.5)", \
            .doc = \
                "Poisson's ratio. At 0.5 a material is incompressible, which linear elements cannot " \
                "represent (volumetric locking); 0.49 is a practical limit." \
    }
#define MO_LIMIT_PARAM(value) \
    { \
        "limit", MO_REAL, MO_FIELD(mo_young, limit), \
            .initial = value, .range = "(0, 1)", \
            .doc = \
                "Principal stretch below which the energy is extrapolated, so that strongly compressed " \
                "and inverted elements recover." \
    }

#endif
