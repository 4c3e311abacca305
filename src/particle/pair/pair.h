/* The family of pair parameters that override the mixing rule. */
#ifndef MO_PARTICLE_PAIR_H
#define MO_PARTICLE_PAIR_H

#include "base/param.h"

/* The parameters of every member begin with these. */
typedef struct mo_pair_def {
    mo_list between; /* mo_reference: one species or two */
    double e, r0, sigma;
} mo_pair_def;

typedef struct mo_pair_type {
    mo_descriptor base;
} mo_pair_type;

extern const mo_family mo_pair_family;

#endif
