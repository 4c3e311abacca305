/* The fit of a rest shape to the positions of a cluster (constraint/shape_match.c). */
#ifndef MO_CONSTRAINT_SHAPE_FIT_H
#define MO_CONSTRAINT_SHAPE_FIT_H

#include "math/mat3.h"

enum { MO_SHAPE_TERMS = 9 };

typedef struct mo_shape_fit {
    char deformation; /* 'r', 'l' or 'q' */
    double beta;
    double weight;                                  /* sum */
    mo_vec3 center;                                 /* of the rest shape */
    double unit;                                    /* length of the terms */
    double mean[MO_SHAPE_TERMS];                    /* weighted mean of the terms */
    double inverse[MO_SHAPE_TERMS][MO_SHAPE_TERMS]; /* of sum w q~ q~^T; linear: 3 x 3 */
} mo_shape_fit;

/* Finds the weighted centre and the moments of the rest shape, three components per member.
 * Singular ones (flat shapes) make the deformation rigid. */
void mo_shape_fit_begin(mo_shape_fit *fit, char deformation, double beta, int64_t count,
                        const double *weight, const double *rest);

/* Goal positions of the members at row[k] of p, four components per row. */
void mo_shape_fit_goals(const mo_shape_fit *fit, int64_t count, const double *weight,
                        const double *rest, const int32_t *row, const double *p, double *goal);

#endif
