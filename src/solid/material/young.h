/* The two numbers that nearly every material is given by. */
#ifndef MO_SOLID_MATERIAL_YOUNG_H
#define MO_SOLID_MATERIAL_YOUNG_H

#include "solid/material/material.h"

typedef struct mo_young {
    double young, poisson;
    double limit; /* of those that have one */
} mo_young;

#define MO_YOUNG_PARAM \
    { \
        "young", MO_REAL, MO_FIELD(mo_young, young), \
            .unit = "Pa", .required = true, .range = "(0, inf)", \
            .doc = "Young's modulus: stress for each strain of a bar that is pulled." \
    }
#define MO_POISSON_PARAM \
    { \
        "poisson", MO_REAL, MO_FIELD(mo_young, poisson), \
            .initial = "0.3", .range = "(-1, 0.5)", \
            .doc = \
                "Poisson's ratio: how much a pulled bar gets thinner. At 0.5 a material cannot be " \
                "compressed at all, " \
                "which these elements cannot do; 0.49 is near." \
    }
#define MO_LIMIT_PARAM(value) \
    { \
        "limit", MO_REAL, MO_FIELD(mo_young, limit), \
            .initial = value, .range = "(0, 1)", \
            .doc = \
                "Below this stretch the strain is continued, so that squashed and inverted elements " \
                "come back." \
    }

#endif
